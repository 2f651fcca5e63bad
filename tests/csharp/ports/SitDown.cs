using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>The body goes down to a seat, the feet stay where they stand.</summary>
    public class SitDown : MonoBehaviour
    {
        public float drop = 0.35f, lean = 12f;
        [Range(0f, 1f)] public float seated;

        private Animator animator;

        private void OnEnable()
        {
            animator = GetComponent<Animator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            animator.SetIKPosition(AvatarIKGoal.LeftFoot, animator.GetIKPosition(AvatarIKGoal.LeftFoot));
            animator.SetIKPosition(AvatarIKGoal.RightFoot, animator.GetIKPosition(AvatarIKGoal.RightFoot));
            animator.SetIKPositionWeight(AvatarIKGoal.LeftFoot, 1f);
            animator.SetIKPositionWeight(AvatarIKGoal.RightFoot, 1f);
            animator.bodyPosition = animator.bodyPosition - new Vector3(0f, drop * seated, 0f);
            animator.bodyRotation = animator.bodyRotation * Quaternion.Euler(lean * seated, 0f, 0f);
        }
    }
}
