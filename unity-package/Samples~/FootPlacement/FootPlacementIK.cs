using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>
    /// Feet stand on uneven ground: each animated foot is put on what is below it, turned along
    /// with the ground, and the body sinks until the lower foot can stand. Written against Unity's
    /// Animator; the only change for Sinew is the type of <c>animator</c>.
    /// </summary>
    public sealed class FootPlacementIK : MonoBehaviour
    {
        /// <summary>0 (animation) to 1 (feet on the ground).</summary>
        [Range(0f, 1f)]
        public float weight = 1f;

        /// <summary>What counts as ground; leave the character's own colliders out.</summary>
        public LayerMask ground = ~0;

        /// <summary>How far above and below the character's own height ground is looked for,
        /// metres.</summary>
        public float range = 0.5f;

        /// <summary>How fast the body sinks and rises, metres per second.</summary>
        public float bodySpeed = 1f;

        private SinewAnimator animator;
        private float drop;

        private void Start()
        {
            animator = GetComponent<SinewAnimator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            float left = Place(AvatarIKGoal.LeftFoot, animator.leftFeetBottomHeight);
            float right = Place(AvatarIKGoal.RightFoot, animator.rightFeetBottomHeight);
            drop = Mathf.MoveTowards(drop, Mathf.Min(0f, Mathf.Min(left, right)), bodySpeed * Time.deltaTime);
            float sunk = drop * weight;
            if (sunk < 0f) animator.bodyPosition += Vector3.up * sunk;
        }

        // Sets the goal of a foot and returns how much higher than the animation it stands.
        private float Place(AvatarIKGoal foot, float bottomHeight)
        {
            Vector3 ankle = animator.GetIKPosition(foot);
            Quaternion turned = animator.GetIKRotation(foot);
            float floor = transform.position.y;
            RaycastHit hit;
            bool found = Physics.Raycast(
                new Vector3(ankle.x, floor + range, ankle.z), Vector3.down, out hit, 2f * range, ground);
            animator.SetIKPositionWeight(foot, found ? weight : 0f);
            animator.SetIKRotationWeight(foot, found ? weight : 0f);
            if (!found) return 0f;

            // The ankle is the goal; the sole is below it along the foot's own Y. What the
            // animation lifts stays lifted.
            Quaternion onGround = Quaternion.FromToRotation(Vector3.up, hit.normal) * turned;
            float lift = Mathf.Max(0f, ankle.y - floor - bottomHeight);
            Vector3 goal = hit.point + onGround * Vector3.up * bottomHeight + Vector3.up * lift;
            animator.SetIKPosition(foot, goal);
            animator.SetIKRotation(foot, onGround);
            return goal.y - ankle.y;
        }
    }
}
