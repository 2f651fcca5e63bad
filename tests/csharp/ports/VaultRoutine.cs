using System.Collections;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>A coroutine: crossfade, wait for the transition, match a hand to the wall and a
    /// foot to the ground behind it.</summary>
    public class VaultRoutine : MonoBehaviour
    {
        public Transform wall, landing;
        public bool isVaulting, isControlled = true;

        private Animator animator;
        private static readonly int Vault = Animator.StringToHash("Vault");

        private void Start()
        {
            animator = GetComponent<Animator>();
        }

        public void Begin()
        {
            if (!isVaulting) StartCoroutine(Run());
        }

        private IEnumerator Run()
        {
            isVaulting = true;
            isControlled = false;
            animator.applyRootMotion = true;
            animator.CrossFadeInFixedTime("Vault", 0.1f);
            yield return null;
            while (animator.IsInTransition(0)) yield return null;
            if (animator.GetCurrentAnimatorStateInfo(0).shortNameHash != Vault) Debug.LogError("another state plays");
            animator.MatchTarget(wall.position, wall.rotation, AvatarTarget.RightHand,
                new MatchTargetWeightMask(new Vector3(0f, 1f, 1f), 0f), 0.1f, 0.4f);
            yield return new WaitWhile(() => animator.isMatchingTarget);
            animator.MatchTarget(landing.position, Quaternion.identity, AvatarTarget.LeftFoot,
                new MatchTargetWeightMask(Vector3.one, 0f), 0.5f, 0.9f);
            float timer = 0f;
            while (timer < animator.GetCurrentAnimatorStateInfo(0).length && animator.isMatchingTarget)
            {
                timer += Time.deltaTime;
                yield return null;
            }
            isControlled = true;
            isVaulting = false;
        }
    }
}
