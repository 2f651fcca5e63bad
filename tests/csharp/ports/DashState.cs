using UnityEngine;
using Animator = SinewAnimator; using StateMachineBehaviour = SinewStateMoveBehaviour;

namespace Ports
{
    /// <summary>A state that moves the root itself and keeps the hands in front.</summary>
    public class DashState : StateMachineBehaviour
    {
        public float speed = 3f;
        public Vector3 guard = new Vector3(0.2f, 1.25f, 0.35f);

        override public void OnStateMove(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            animator.transform.position += animator.transform.forward * (speed * Time.deltaTime);
        }

        override public void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            animator.SetIKPosition(AvatarIKGoal.RightHand, animator.transform.TransformPoint(guard));
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }
    }
}
