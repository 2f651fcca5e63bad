using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Looks at what is interesting unless the state says no; the weight fades.</summary>
    public class HeadLook : MonoBehaviour
    {
        public Transform target;
        public float speed = 4f;

        private Animator animator;
        private Transform head;
        private float weight;

        private void Start()
        {
            animator = GetComponent<Animator>();
            head = animator.GetBoneTransform(HumanBodyBones.Head);
        }

        private void OnAnimatorIK(int layer)
        {
            AnimatorStateInfo state = animator.GetCurrentAnimatorStateInfo(0);
            bool may = !state.IsTag("NoLook") && !animator.IsInTransition(0);
            Vector3 way = target.position - head.position;
            bool ahead = Vector3.Angle(transform.forward, way) < 100f;
            weight = Mathf.MoveTowards(weight, may && ahead ? 1f : 0f, Time.deltaTime * speed);
            animator.SetLookAtWeight(weight, bodyWeight: 0.3f, headWeight: 1f, eyesWeight: 0f, clampWeight: 0.3f);
            animator.SetLookAtPosition(target.position);
        }
    }
}
