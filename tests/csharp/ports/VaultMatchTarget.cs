using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>In the vault state the left hand meets the edge at 60 % of the clip.</summary>
    public class VaultMatchTarget : MonoBehaviour
    {
        public Transform edge;

        private Animator animator;

        private void Start()
        {
            animator = GetComponent<Animator>();
            animator.Play("Vault", 0, 0f);
        }

        private void Update()
        {
            AnimatorStateInfo state = animator.GetCurrentAnimatorStateInfo(0);
            if (!state.IsName("Vault") || animator.isMatchingTarget || state.normalizedTime > 0.2f) return;
            animator.MatchTarget(edge.position, edge.rotation, AvatarTarget.LeftHand,
                new MatchTargetWeightMask(Vector3.one, 0f), 0.2f, 0.6f);
        }
    }
}
