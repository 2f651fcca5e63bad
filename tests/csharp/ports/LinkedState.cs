using UnityEngine;
using UnityEngine.Animations;
using Animator = SinewAnimator; using StateMachineBehaviour = SinewStateBehaviour;

namespace Ports
{
    /// <summary>States that know the component of the scene they act for. Messages with the
    /// playable are taken; those without are closed, so that nobody overrides the wrong
    /// ones.</summary>
    public abstract class LinkedState<T> : StateMachineBehaviour where T : MonoBehaviour
    {
        protected T owner;
        private bool isFirst;

        public static void Link(Animator animator, T to)
        {
            foreach (LinkedState<T> state in animator.GetBehaviours<LinkedState<T>>()) state.owner = to;
        }

        public sealed override void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }
        public sealed override void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }
        public sealed override void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex) { }

        public sealed override void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
        {
            isFirst = true;
            Entered(animator);
        }

        public sealed override void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
        {
            if (!isFirst) Updated(animator);
            isFirst = false;
        }

        public sealed override void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
        {
            Left(animator);
        }

        public override void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex, AnimatorControllerPlayable controller)
        {
            Posed(animator);
        }

        public override void OnStateMachineEnter(Animator animator, int stateMachinePathHash, AnimatorControllerPlayable controller) { }
        public override void OnStateMachineExit(Animator animator, int stateMachinePathHash, AnimatorControllerPlayable controller) { }

        protected virtual void Entered(Animator animator) { }
        protected virtual void Updated(Animator animator) { }
        protected virtual void Left(Animator animator) { }
        protected virtual void Posed(Animator animator) { }
    }

    public class LinkedShield : MonoBehaviour
    {
        public Transform shield;
        public int raised, held, lowered;
    }

    public class ShieldState : LinkedState<LinkedShield>
    {
        protected override void Entered(Animator animator) { owner.raised++; }
        protected override void Updated(Animator animator) { owner.held++; }
        protected override void Left(Animator animator) { owner.lowered++; }

        protected override void Posed(Animator animator)
        {
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, owner.shield.position);
        }
    }
}
