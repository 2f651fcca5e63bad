using UnityEngine;

/// <summary>
/// A StateMachineBehaviour whose messages bring the SinewAnimator beside the Animator. With
/// <c>using Animator = SinewAnimator; using StateMachineBehaviour = SinewStateBehaviour;</c> at the
/// top, a behaviour written for Unity's Animator compiles as it is. OnStateMove is in
/// <see cref="SinewStateMoveBehaviour"/>, because a class that has it takes root motion away from the
/// Animator.
/// </summary>
public abstract class SinewStateBehaviour : StateMachineBehaviour
{
    /// <summary>The first frame of a state.</summary>
    public virtual void OnStateEnter(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
    }

    /// <summary>Each frame of a state except first and last.</summary>
    public virtual void OnStateUpdate(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
    }

    /// <summary>The last frame of a state.</summary>
    public virtual void OnStateExit(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
    }

    /// <summary>After OnAnimatorIK: set goals here.</summary>
    public virtual void OnStateIK(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
    }

    /// <summary>A transition into a state machine begins.</summary>
    public virtual void OnStateMachineEnter(SinewAnimator animator, int stateMachinePathHash)
    {
    }

    /// <summary>A transition out of a state machine begins.</summary>
    public virtual void OnStateMachineExit(SinewAnimator animator, int stateMachinePathHash)
    {
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (animator.TryGetComponent(out sinew)) OnStateEnter(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (animator.TryGetComponent(out sinew)) OnStateUpdate(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (animator.TryGetComponent(out sinew)) OnStateExit(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (animator.TryGetComponent(out sinew)) OnStateIK(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMachineEnter(Animator animator, int stateMachinePathHash)
    {
        SinewAnimator sinew;
        if (animator.TryGetComponent(out sinew)) OnStateMachineEnter(sinew, stateMachinePathHash);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMachineExit(Animator animator, int stateMachinePathHash)
    {
        SinewAnimator sinew;
        if (animator.TryGetComponent(out sinew)) OnStateMachineExit(sinew, stateMachinePathHash);
    }
}
