using System;
using Sinew;
using Sinew.Interop;

/// <summary>The example of README.md, in a separate file that is compiled and run.</summary>
public static class Example
{
    /// <summary>
    /// The right hand of a character reaches for a point. `parents`, `rest`, `names`: the joints of
    /// any rig, parent before child; the result is read from the pose.
    /// </summary>
    public static unsafe void Reach(int[] parents, SinewTransform[] rest, string[] names)
    {
        // README: begin
        using (NativeSkeleton skeleton = new NativeSkeleton(parents, rest, names))
        using (NativeAvatar avatar = new NativeAvatar(skeleton, skeleton.MapHumanBones(out int found)))
        using (NativeAnimator animator = new NativeAnimator(skeleton, avatar))
        {
            // Once per frame: write the animation into the pose, set goals, solve, read the pose.
            SinewTransform* pose = animator.Pose;
            for (int joint = 0; joint < animator.JointCount; joint++) pose[joint] = rest[joint];

            animator.SetIKPosition(SinewIkGoal.RightHand, new SinewVec3 { x = 0.3f, y = 1.2f, z = 0.3f });
            animator.SetIKPositionWeight(SinewIkGoal.RightHand, 1f);
            animator.SetLookAtPosition(new SinewVec3 { x = 0.5f, y = 1.5f, z = 2f });
            animator.SetLookAtWeight(1f);
            animator.Solve();

            Outcome outcome = animator.GetIKOutcome(SinewIkGoal.RightHand);
            Console.WriteLine(outcome.IsReached ? "reached" : "off by " + outcome.ResidualMeters + " m");
        }
        // README: end
    }

    /// <summary>
    /// A tail of a rig that is not a humanoid reaches for an apple. `parents` and `rest` are the
    /// joints of any rig; `tip` is the tail's last one.
    /// </summary>
    public static void Tail(int[] parents, SinewTransform[] rest, int tip)
    {
        // README: begin
        using (NativeSkeleton skeleton = new NativeSkeleton(parents, rest))
        using (NativeAnimator animator = new NativeAnimator(skeleton)) // no avatar: any rig will do
        {
            SinewConstraint tail = animator.AddChain(tip); // once
            animator.SetConstraintWeight(tail, 1f);

            animator.ResetPose(); // once per frame: write the animation, set goals, solve, read the pose
            animator.SetConstraintPosition(tail, 0, new SinewVec3 { x = 0.5f, y = 2f, z = 0.25f });
            animator.Solve();
            Console.WriteLine(animator.GetConstraintOutcome(tail).IsReached ? "reached" : "not reached");
        }
        // README: end
    }
}
