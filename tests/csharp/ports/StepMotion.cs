using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Stop motion: the Animator is off and evaluated by hand a few times a second; the
    /// hand holds on to something.</summary>
    [RequireComponent(typeof(Animator))]
    public class StepMotion : MonoBehaviour
    {
        public float framesPerSecond = 11f;
        public Transform hold;
        public int steps;

        private Animator animator;
        private float waited;

        private void Start()
        {
            animator = GetComponent<Animator>();
            animator.enabled = false;
        }

        private void Update()
        {
            waited += Time.deltaTime;
            if (waited < 1f / framesPerSecond) return;
            animator.Update(waited);
            waited = 0f;
            steps++;
        }

        private void OnAnimatorIK(int layerIndex)
        {
            animator.SetIKPosition(AvatarIKGoal.RightHand, hold.position);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }
    }
}
