using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>A reach weight in a parameter that the script itself damps, evaluated by hand as a
    /// server does.</summary>
    public class ReachByParameter : MonoBehaviour
    {
        public Transform goal;

        private Animator animator;

        private void Start()
        {
            animator = GetComponent<Animator>();
            animator.SetFloat("Reach", 1f, 0f, Time.deltaTime);
        }

        public void Tick(float seconds)
        {
            animator.Update(seconds);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            float reach = animator.GetFloat("Reach");
            animator.SetIKPosition(AvatarIKGoal.LeftHand, goal.position);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, reach);
        }
    }
}
