using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Marks hands and feet in the Scene view, in Edit mode too, and checks its set-up
    /// when a value is edited.</summary>
    public class BoneGizmos : MonoBehaviour
    {
        public Animator animator;
        public bool isComplete;
        public int drawn;

        private static readonly HumanBodyBones[] marked =
        {
            HumanBodyBones.LeftHand, HumanBodyBones.RightHand, HumanBodyBones.LeftFoot, HumanBodyBones.RightFoot,
        };

        private void OnValidate()
        {
            if (animator == null) animator = GetComponentInChildren<Animator>();
            isComplete = animator != null && animator.isHuman && animator.GetBoneTransform(HumanBodyBones.Head) != null;
        }

        public void OnDrawGizmos()
        {
            if (animator == null || !animator.isHuman) return;
            Gizmos.color = Color.green;
            foreach (HumanBodyBones bone in marked)
            {
                Transform at = animator.GetBoneTransform(bone);
                if (at == null) continue;
                Gizmos.DrawWireSphere(at.position, 0.05f * animator.humanScale);
                drawn++;
            }
        }
    }
}
