using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>A figure of the crowd: looks at a ball, and reaches for it while it is near. One
    /// line ports it from Unity's Animator.</summary>
    public sealed class CrowdIK : MonoBehaviour
    {
        /// <summary>What all characters look at.</summary>
        public Transform ball;

        /// <summary>Metres within which a hand is lifted.</summary>
        public float reach = 2.5f;

        private SinewAnimator animator;
        private float weight;

        private void Start()
        {
            animator = GetComponent<SinewAnimator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            animator.SetLookAtPosition(ball.position);
            animator.SetLookAtWeight(1f, 0.2f, 0.9f, 0f, 0.5f);
            bool isNear = Vector3.Distance(transform.position, ball.position) < reach;
            weight = Mathf.MoveTowards(weight, isNear ? 1f : 0f, Time.deltaTime * 2f);
            animator.SetIKPosition(AvatarIKGoal.RightHand, ball.position);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, weight);
        }
    }
}
