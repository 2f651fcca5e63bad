using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>A pooled enemy: state is reset when it is taken out, goals are set from Update, far
    /// from any callback.</summary>
    public class PooledGuard : MonoBehaviour
    {
        public Transform prey;
        public Animator animator;

        private float alarm;

        private void OnEnable()
        {
            if (animator == null) animator = GetComponentInChildren<Animator>();
            alarm = 0f;
            animator.SetFloat("Alarm", 0f);
            animator.SetLayerWeight(1, 0f);
        }

        private void OnDisable()
        {
            prey = null;
        }

        private void Update()
        {
            alarm = Mathf.MoveTowards(alarm, prey != null ? 1f : 0f, Time.deltaTime * 4f);
            animator.SetFloat("Alarm", alarm);
            animator.SetLookAtWeight(alarm, 0.2f, 0.8f);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, alarm);
            if (prey == null) return;
            animator.SetLookAtPosition(prey.position);
            animator.SetIKPosition(AvatarIKGoal.RightHand, prey.position);
        }
    }
}
