using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Hands and feet on rungs, one pair after the other.</summary>
    public class LadderClimb : MonoBehaviour
    {
        public Transform ladder;
        public float rungSpacing = 0.3f;
        public int rung;

        private Animator animator;

        private void Start()
        {
            animator = GetComponent<Animator>();
            animator.CrossFade("Climb", 0.1f);
        }

        public Vector3 Place(AvatarIKGoal limb)
        {
            bool left = limb == AvatarIKGoal.LeftFoot || limb == AvatarIKGoal.LeftHand;
            bool hand = limb >= AvatarIKGoal.LeftHand;
            int step = rung + (hand ? 4 : 1) + (left == (rung % 2 == 0) ? 1 : 0);
            return ladder.TransformPoint(new Vector3(left ? -0.17f : 0.17f, step * rungSpacing, hand ? -0.02f : -0.06f));
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (!animator.GetCurrentAnimatorStateInfo(0).IsName("Climb")) return;
            for (AvatarIKGoal limb = AvatarIKGoal.LeftFoot; limb <= AvatarIKGoal.RightHand; limb++)
            {
                animator.SetIKPosition(limb, Place(limb));
                animator.SetIKPositionWeight(limb, 1f);
            }
        }
    }
}
