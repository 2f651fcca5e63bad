using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Root motion by hand, on the ground's height; one foot is held while the character
    /// moves.</summary>
    public class RootMotionMover : MonoBehaviour
    {
        public float ground, speedScale = 1f;
        public Vector3 planted;
        public float plantWeight;

        private Animator animator;

        private void Awake()
        {
            animator = GetComponent<Animator>();
            animator.applyRootMotion = true;
        }

        private void OnAnimatorMove()
        {
            if (Time.deltaTime <= 0f) return;
            Vector3 step = animator.deltaPosition * speedScale;
            step.y = ground - transform.position.y;
            transform.position += step;
            transform.rotation *= animator.deltaRotation;
        }

        private void OnAnimatorIK()
        {
            animator.SetIKPositionWeight(AvatarIKGoal.LeftFoot, plantWeight);
            animator.SetIKPosition(AvatarIKGoal.LeftFoot, planted);
        }
    }
}
