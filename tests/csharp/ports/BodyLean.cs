using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Leans into a curve: the body turns and sinks, both feet stay where the animation
    /// has them.</summary>
    public class BodyLean : MonoBehaviour
    {
        [Range(-30f, 30f)] public float lean;
        public float sink = 0.05f;
        public Vector3 bodyBefore, bodyAfter;

        private Animator animator;

        private void Awake()
        {
            animator = gameObject.GetComponent<Animator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            for (AvatarIKGoal foot = AvatarIKGoal.LeftFoot; foot <= AvatarIKGoal.RightFoot; foot++)
            {
                animator.SetIKPosition(foot, animator.GetIKPosition(foot));
                animator.SetIKRotation(foot, animator.GetIKRotation(foot));
                animator.SetIKPositionWeight(foot, 1f);
                animator.SetIKRotationWeight(foot, 1f);
            }
            bodyBefore = animator.bodyPosition;
            animator.bodyRotation = Quaternion.AngleAxis(lean, transform.forward) * animator.bodyRotation;
            animator.bodyPosition = bodyBefore + Vector3.down * sink;
            bodyAfter = animator.bodyPosition;
        }
    }
}
