using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>
    /// The right hand takes hold of one object while the head looks at it. Written against Unity's
    /// Animator; the only change for Sinew is the type of <c>animator</c>.
    /// </summary>
    public sealed class HoldCylinderIK : MonoBehaviour
    {
        /// <summary>Whether hand and head follow; the weight moves there and back in 0.4
        /// s.</summary>
        public bool ikActive = true;

        /// <summary>Goal position and rotation of the right hand.</summary>
        public Transform rightHandObj;

        /// <summary>What the head looks at.</summary>
        public Transform lookObj;

        private SinewAnimator animator;
        private float weight;

        private void Start()
        {
            animator = GetComponent<SinewAnimator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            weight = Mathf.MoveTowards(weight, ikActive ? 1f : 0f, Time.deltaTime * 2.5f);

            if (lookObj != null)
            {
                animator.SetLookAtWeight(weight);
                animator.SetLookAtPosition(lookObj.position);
            }

            if (rightHandObj != null)
            {
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, weight);
                animator.SetIKRotationWeight(AvatarIKGoal.RightHand, weight);
                animator.SetIKPosition(AvatarIKGoal.RightHand, rightHandObj.position);
                animator.SetIKRotation(AvatarIKGoal.RightHand, rightHandObj.rotation);
            }
        }
    }
}
