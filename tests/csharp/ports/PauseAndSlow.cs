using System.Collections;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Reaches with a coroutine that raises the weight along a curve; a paused game holds
    /// the hand where it is.</summary>
    public class PauseAndSlow : MonoBehaviour
    {
        public Transform cup;
        public AnimationCurve curve = new AnimationCurve(new Keyframe(0f, 0f), new Keyframe(1f, 1f));
        public float duration = 0.5f;
        public float weight;

        private Animator animator;
        private Coroutine running;

        private void Awake()
        {
            animator = GetComponent<Animator>();
        }

        public void Reach(bool on)
        {
            if (running != null) StopAllCoroutines();
            running = StartCoroutine(Run(on ? 1f : 0f));
        }

        private IEnumerator Run(float to)
        {
            float from = weight;
            for (float t = 0f; t < duration; t += Time.deltaTime)
            {
                weight = Mathf.Lerp(from, to, curve.Evaluate(t / duration));
                yield return null;
            }
            weight = to;
            running = null;
        }

        private void OnAnimatorIK(int layerIndex)
        {
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, weight);
            animator.SetIKRotationWeight(AvatarIKGoal.RightHand, weight);
            animator.SetIKPosition(AvatarIKGoal.RightHand, cup.position);
            animator.SetIKRotation(AvatarIKGoal.RightHand, cup.rotation * Quaternion.Euler(0f, 90f, 0f));
        }
    }
}
