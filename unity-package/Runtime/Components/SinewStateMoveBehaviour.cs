using UnityEngine;
using UnityEngine.Animations;

/// <summary>
/// A <see cref="SinewStateBehaviour"/> with OnStateMove: for states whose script moves the root. It
/// is a class of its own, because Unity leaves root motion to any state behaviour that has
/// OnStateMove.
/// </summary>
public abstract class SinewStateMoveBehaviour : SinewStateBehaviour
{
    /// <summary>Before OnAnimatorMove: move the root here.</summary>
    public virtual void OnStateMove(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
    }

    /// <summary>Before OnAnimatorMove: move the root here.</summary>
    public virtual void OnStateMove(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMove(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateMove(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMove(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateMove(sinew, stateInfo, layerIndex, controller);
    }
}
