using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Stands on a lift that turns and holds on to its rail; the feet stay where the lift
    /// carries them.</summary>
    public class PlatformRider : MonoBehaviour
    {
        public Transform platform, rail;

        private Animator animator;
        private readonly Vector3[] spots = new Vector3[2];
        private bool isStanding;

        private void Start()
        {
            animator = GetComponent<Animator>();
            transform.SetParent(platform, true);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            for (int foot = 0; foot < 2; foot++)
            {
                AvatarIKGoal goal = (AvatarIKGoal)foot;
                if (!isStanding) spots[foot] = platform.InverseTransformPoint(animator.GetIKPosition(goal));
                animator.SetIKPositionWeight(goal, 1f);
                animator.SetIKPosition(goal, platform.TransformPoint(spots[foot]));
            }
            isStanding = true;
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, rail.position);
        }

        public Vector3 Spot(int foot)
        {
            return platform.TransformPoint(spots[foot]);
        }
    }
}
