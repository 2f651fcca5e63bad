using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>The right hand holds the rifle at the shoulder; the left one takes the grip that
    /// hangs from the right hand.</summary>
    public class TwoHandedRifle : MonoBehaviour
    {
        public Transform rightHold, leftGrip;
        public bool isArmed = true;

        private Animator animator;

        private void Awake()
        {
            TryGetComponent(out animator);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (!isArmed) return;
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
            animator.SetIKPosition(AvatarIKGoal.RightHand, rightHold.position);
            animator.SetIKRotation(AvatarIKGoal.RightHand, rightHold.rotation);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, leftGrip.position);
        }
    }
}
