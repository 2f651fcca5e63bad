using UnityEngine;
using Animator = SinewAnimator; using StateMachineBehaviour = SinewStateBehaviour;

namespace Ports
{
    /// <summary>A state that holds the hand at a point while it plays.</summary>
    public class GrabState : StateMachineBehaviour
    {
        public Vector3 point;
        public AvatarIKGoal hand = AvatarIKGoal.RightHand;

        public override void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            animator.SetIKPosition(hand, point);
            animator.SetIKPositionWeight(hand, Mathf.Clamp01(stateInfo.normalizedTime * 2f));
        }
    }
}
