using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Reaches for a thing, takes it into the hand, and lets the arm go back.</summary>
    public class PickUp : MonoBehaviour
    {
        public Transform thing;

        private Animator animator;
        private float weight;
        private bool isHeld;

        private void Start()
        {
            animator = GetComponent<Animator>();
            animator.SetTrigger("PickUp");
        }

        private void Update()
        {
            weight = Mathf.MoveTowards(weight, isHeld ? 0f : 1f, Time.deltaTime * 5f);
            if (isHeld || weight < 1f) return;
            Transform hand = animator.GetBoneTransform(HumanBodyBones.RightHand);
            if (Vector3.Distance(hand.position, thing.position) > 0.01f) return;
            thing.SetParent(hand, true);
            isHeld = true;
            animator.ResetTrigger("PickUp");
        }

        private void OnAnimatorIK()
        {
            if (isHeld) return;
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, weight);
            animator.SetIKPosition(AvatarIKGoal.RightHand, thing.position);
            animator.SetLookAtWeight(weight);
            animator.SetLookAtPosition(thing.position);
        }
    }
}
