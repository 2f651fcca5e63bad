using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Events of a clip switch the hand on and off; the callback follows.</summary>
    public class EventGrab : MonoBehaviour
    {
        public Transform rope;
        private Animator animator;
        private float wanted, weight;

        private void Start()
        {
            animator = GetComponent<Animator>();
        }

        // Called by the clip.
        private void GrabStart()
        {
            wanted = 1f;
        }

        // Called by the clip.
        private void GrabEnd()
        {
            wanted = 0f;
        }

        private void OnAnimatorIK(int layerIndex)
        {
            weight = Mathf.MoveTowards(weight, wanted, 0.5f);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, rope.position);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, weight);
            if (weight <= 0f) return;
            animator.SetIKRotationWeight(AvatarIKGoal.LeftHand, weight);
            animator.SetIKRotation(AvatarIKGoal.LeftHand, Quaternion.LookRotation(Vector3.up, -transform.forward));
        }
    }
}
