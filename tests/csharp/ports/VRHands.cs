using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Hands and head follow trackers, which come and go.</summary>
    public class VRHands : MonoBehaviour
    {
        public Transform leftTracker, rightTracker, headTracker;
        public Vector3 palmOffset = new Vector3(0f, 0f, -0.05f);

        private Animator animator;

        private void Awake()
        {
            animator = GetComponent<Animator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (leftTracker != null) Follow(AvatarIKGoal.LeftHand, leftTracker);
            if (rightTracker != null) Follow(AvatarIKGoal.RightHand, rightTracker);
            if (headTracker == null) return;
            animator.SetLookAtWeight(1f, 0.1f, 1f, 0f, 0f);
            animator.SetLookAtPosition(headTracker.position + headTracker.forward * 5f);
        }

        private void Follow(AvatarIKGoal hand, Transform tracker)
        {
            animator.SetIKPositionWeight(hand, 1f);
            animator.SetIKRotationWeight(hand, 1f);
            animator.SetIKPosition(hand, tracker.TransformPoint(palmOffset));
            animator.SetIKRotation(hand, tracker.rotation);
        }
    }
}
