using UnityEngine;
using Animator = SinewAnimator; using StateMachineBehaviour = SinewStateBehaviour;

namespace Ports
{
    /// <summary>Enter looks the magazine up, update raises the weight, IK moves the hand, exit lets
    /// go.</summary>
    public class ReloadState : StateMachineBehaviour
    {
        public string magazineName = "Magazine";
        public float blend = 4f;
        public int enters, exits;

        private Transform magazine;
        private float weight;

        override public void OnStateEnter(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            enters++;
            weight = 0f;
            magazine = animator.transform.Find(magazineName);
            animator.SetBool("Reloading", true);
        }

        override public void OnStateUpdate(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            weight = Mathf.MoveTowards(weight, stateInfo.normalizedTime < 0.8f ? 1f : 0f, blend * Time.deltaTime);
        }

        override public void OnStateIK(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            if (magazine == null) return;
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, weight);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, magazine.position);
            animator.SetLookAtWeight(weight * 0.5f);
            animator.SetLookAtPosition(magazine.position);
        }

        override public void OnStateExit(Animator animator, AnimatorStateInfo stateInfo, int layerIndex)
        {
            exits++;
            animator.SetBool("Reloading", false);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 0f);
        }
    }
}
