namespace Sinew
{
    /// <summary>When a SinewAnimator solves.</summary>
    public enum SolveTime
    {
        /// <summary>
        /// From the player loop, after animation and Timeline and before any LateUpdate, as Unity's
        /// own IK. An Animator that is updated with physics is followed: the solve then runs in its
        /// fixed steps, and the pose is held between them.
        /// </summary>
        AfterAnimation = 0,

        /// <summary>In LateUpdate, execution order 1000: after scripts that move targets in
        /// theirs.</summary>
        LateUpdate = 1,

        /// <summary>Only when SinewAnimator.Solve is called.</summary>
        Manual = 2,
    }
}
