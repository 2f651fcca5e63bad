using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Base class with the plumbing, as many projects have one.</summary>
    public abstract class IKBehaviour : MonoBehaviour
    {
        [SerializeField] protected Animator Animator;
        [Range(0f, 1f)] public float Weight = 1f;

        protected virtual void Awake()
        {
            if (Animator == null) Animator = GetComponentInParent<Animator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (Animator == null || Weight <= 0f) return;
            SolveIK(Animator, layerIndex);
        }

        protected abstract void SolveIK(Animator animator, int layerIndex);
    }

    /// <summary>The sword follows the right hand in LateUpdate; the left hand goes to its pommel in
    /// the next callback, the elbow a little out of where the animation has it.</summary>
    public class SwordFollow : IKBehaviour
    {
        public Transform sword, pommel, aim;

        private Transform rightHand;

        protected override void Awake()
        {
            base.Awake();
            rightHand = Animator.GetBoneTransform(HumanBodyBones.RightHand);
        }

        protected override void SolveIK(Animator animator, int layerIndex)
        {
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, Weight);
            animator.SetIKPosition(AvatarIKGoal.RightHand, aim.position);
            animator.SetIKHintPositionWeight(AvatarIKHint.LeftElbow, 0.8f * Weight);
            animator.SetIKHintPosition(AvatarIKHint.LeftElbow, animator.GetIKHintPosition(AvatarIKHint.LeftElbow) - 0.2f * transform.right);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, Weight);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, pommel.position);
        }

        private void LateUpdate()
        {
            sword.position = rightHand.position;
            sword.rotation = rightHand.rotation;
        }
    }
}
