using UnityEngine;

namespace Sinew.Samples
{
    /// <summary>
    /// The character looks at a target, with as many weights as are given: Unity fills in the rest.
    /// Written against Unity's Animator; the only change for Sinew is the type of <c>animator</c>.
    /// </summary>
    public sealed class AimIK : MonoBehaviour
    {
        /// <summary>What the character looks at.</summary>
        public Transform target;

        /// <summary>How many of the weights below are given to SetLookAtWeight, 1 to 5.</summary>
        [Range(1, 5)]
        public int arguments = 5;

        /// <summary>0 (animation) to 1 (looking); multiplies the shares.</summary>
        [Range(0f, 1f)]
        public float weight = 1f;

        /// <summary>Share the spine takes; 0 when not given.</summary>
        [Range(0f, 1f)]
        public float bodyWeight = 0.3f;

        /// <summary>Share neck and head take of what is left; 1 when not given.</summary>
        [Range(0f, 1f)]
        public float headWeight = 0.8f;

        /// <summary>Share the eyes take of what is left then; 0 when not given.</summary>
        [Range(0f, 1f)]
        public float eyesWeight = 1f;

        /// <summary>0 (the head turns freely) to 1 (not at all); 0.5 when not given: a right angle
        /// to either side.</summary>
        [Range(0f, 1f)]
        public float clampWeight = 0.5f;

        private SinewAnimator animator;

        private void Start()
        {
            animator = GetComponent<SinewAnimator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (target == null)
            {
                animator.SetLookAtWeight(0f);
                return;
            }
            animator.SetLookAtPosition(target.position);
            switch (arguments)
            {
                case 1: animator.SetLookAtWeight(weight); break;
                case 2: animator.SetLookAtWeight(weight, bodyWeight); break;
                case 3: animator.SetLookAtWeight(weight, bodyWeight, headWeight); break;
                case 4: animator.SetLookAtWeight(weight, bodyWeight, headWeight, eyesWeight); break;
                default: animator.SetLookAtWeight(weight, bodyWeight, headWeight, eyesWeight, clampWeight); break;
            }
        }
    }
}
