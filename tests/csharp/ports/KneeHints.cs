using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Knees pushed outwards, relative to where the clip has them.</summary>
    public class KneeHints : MonoBehaviour
    {
        public float spread = 0.4f;
        public float lift = 0.2f;

        private Animator animator;

        private void Awake()
        {
            animator = GetComponent<Animator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            for (int side = 0; side < 2; side++)
            {
                AvatarIKGoal foot = side == 0 ? AvatarIKGoal.LeftFoot : AvatarIKGoal.RightFoot;
                AvatarIKHint knee = side == 0 ? AvatarIKHint.LeftKnee : AvatarIKHint.RightKnee;
                animator.SetIKPosition(foot, animator.GetIKPosition(foot) + Vector3.up * lift);
                animator.SetIKPositionWeight(foot, 1f);
                Vector3 outwards = transform.right * (side == 0 ? -spread : spread);
                animator.SetIKHintPosition(knee, animator.GetIKHintPosition(knee) + outwards + transform.forward * 0.1f);
                animator.SetIKHintPositionWeight(knee, 1f);
            }
        }
    }
}
