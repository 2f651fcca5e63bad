using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Every form of SetLookAtWeight, its weight going up and down.</summary>
    public class LookWeights : MonoBehaviour
    {
        public Transform point;
        public int arguments = 1;
        public bool isInterested;
        public float weight;

        private Animator animator;

        private void Start()
        {
            animator = (Animator)GetComponent(typeof(Animator));
        }

        private void OnAnimatorIK(int layerIndex)
        {
            weight = Mathf.Lerp(weight, isInterested ? 1f : 0f, Time.deltaTime * 10f);
            if (weight < 1e-3f) weight = 0f;
            switch (arguments)
            {
                case 1: animator.SetLookAtWeight(weight); break;
                case 2: animator.SetLookAtWeight(weight, 0.3f); break;
                case 3: animator.SetLookAtWeight(weight, 0.3f, 0.6f); break;
                case 4: animator.SetLookAtWeight(weight, 0.3f, 0.6f, 1f); break;
                default: animator.SetLookAtWeight(weight: weight, bodyWeight: 0.3f, headWeight: 0.6f, eyesWeight: 1f, clampWeight: 1f); break;
            }
            animator.SetLookAtPosition(point.position);
        }
    }
}
