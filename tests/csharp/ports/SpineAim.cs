using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Each bone of the spine takes a part of the pitch in the callback, on top of how the
    /// model was made; hands stay on the weapon.</summary>
    public class SpineAim : MonoBehaviour
    {
        [Range(-60f, 60f)] public float pitch;
        public Transform support;

        private static readonly HumanBodyBones[] Spine = { HumanBodyBones.Spine, HumanBodyBones.Chest, HumanBodyBones.UpperChest };
        private readonly Quaternion[] made = new Quaternion[3];
        private Animator animator;

        private void Awake()
        {
            animator = GetComponent(typeof(Animator)) as Animator;
            for (int i = 0; i < Spine.Length; i++)
            {
                Transform bone = animator.GetBoneTransform(Spine[i]);
                if (bone != null) made[i] = bone.localRotation;
            }
        }

        private void OnAnimatorIK(int layerIndex)
        {
            for (int i = 0; i < Spine.Length; i++)
                animator.SetBoneLocalRotation(Spine[i], made[i] * Quaternion.Euler(pitch / Spine.Length, 0f, 0f));
            animator.SetIKPosition(AvatarIKGoal.LeftHand, support.position);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
        }
    }
}
