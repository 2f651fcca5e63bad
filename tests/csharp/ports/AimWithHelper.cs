using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Hands its Animator to code that knows Unity's only, and switches it off for a
    /// ragdoll.</summary>
    public class AimWithHelper : MonoBehaviour
    {
        public Transform target;

        private Animator animator;

        private void Awake()
        {
            animator = GetComponent<Animator>();
            animator.speed = 1f;
        }

        public void Ragdoll(bool isOn)
        {
            animator.enabled = !isOn;
            if (!isOn) animator.Rebind();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (StateNames.IsBusy(animator)) return;
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            animator.SetIKPosition(AvatarIKGoal.RightHand, target.position);
        }
    }
}
