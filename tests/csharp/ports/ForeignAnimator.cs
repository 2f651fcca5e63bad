using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Takes its Animator from code that is not ported, and gives it back to
    /// it.</summary>
    public class ForeignAnimator : MonoBehaviour
    {
        public Transform target;
        public bool isOwn;
        private Animator animator;

        private void Start()
        {
            animator = ForeignLibrary.AnimatorOf(gameObject);
            isOwn = ForeignLibrary.IsOf(animator, gameObject);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (animator == null || target == null) return;
            animator.SetIKPosition(AvatarIKGoal.RightHand, target.position);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }
    }
}
