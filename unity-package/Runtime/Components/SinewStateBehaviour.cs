using System;
using UnityEngine;
using UnityEngine.Animations;

/// <summary>
/// A StateMachineBehaviour whose messages bring the SinewAnimator beside the Animator. With
/// <c>using Animator = SinewAnimator; using StateMachineBehaviour = SinewStateBehaviour;</c> at the
/// top, a behaviour written for Unity's Animator compiles as it is. OnStateMove is in <see
/// cref="SinewStateMoveBehaviour"/>, because a class that has it takes root motion away from the
/// Animator. As from Unity, each message comes twice: without and with the playable of the
/// controller.
/// </summary>
public abstract class SinewStateBehaviour : StateMachineBehaviour
{
    [NonSerialized] private bool isAloneKnown;

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

    /// <summary>The first frame of a state.</summary>
    public virtual void OnStateEnter(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
    }

    /// <summary>Each frame of a state except first and last.</summary>
    public virtual void OnStateUpdate(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
    }

    /// <summary>The last frame of a state.</summary>
    public virtual void OnStateExit(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
    }

    /// <summary>After OnAnimatorIK: set goals here.</summary>
    public virtual void OnStateIK(SinewAnimator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
    }

    /// <summary>A transition into a state machine begins.</summary>
    public virtual void OnStateMachineEnter(SinewAnimator animator, int stateMachinePathHash, AnimatorControllerPlayable controller)
    {
    }

    /// <summary>A transition out of a state machine begins.</summary>
    public virtual void OnStateMachineExit(SinewAnimator animator, int stateMachinePathHash, AnimatorControllerPlayable controller)
    {
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateEnter(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateUpdate(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateExit(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateIK(sinew, stateInfo, layerIndex);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMachineEnter(Animator animator, int stateMachinePathHash)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateMachineEnter(sinew, stateMachinePathHash);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMachineExit(Animator animator, int stateMachinePathHash)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateMachineExit(sinew, stateMachinePathHash);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateEnter(sinew, stateInfo, layerIndex, controller);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateUpdate(sinew, stateInfo, layerIndex, controller);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateExit(sinew, stateInfo, layerIndex, controller);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateIK(sinew, stateInfo, layerIndex, controller);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMachineEnter(Animator animator, int stateMachinePathHash, AnimatorControllerPlayable controller)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateMachineEnter(sinew, stateMachinePathHash, controller);
    }

    /// <summary>Unity's message; brings the SinewAnimator.</summary>
    public sealed override void OnStateMachineExit(Animator animator, int stateMachinePathHash, AnimatorControllerPlayable controller)
    {
        SinewAnimator sinew;
        if (Find(animator, out sinew)) OnStateMachineExit(sinew, stateMachinePathHash, controller);
    }

    /// <summary>The component beside the Animator. Without one no message arrives, which is said
    /// once.</summary>
    internal bool Find(Animator animator, out SinewAnimator sinew)
    {
        if (animator.TryGetComponent(out sinew)) return true;
        if (!isAloneKnown)
            Debug.LogWarning(GetType().Name + ": there is no SinewAnimator beside the Animator on '" + animator.name
                + "': messages of this state go nowhere.", animator);
        isAloneKnown = true;
        return false;
    }
}
