using System.Collections.Generic;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Closes the fingers round a handle while the hand holds it, from the rotations they
    /// had at the start.</summary>
    public class FistGrip : MonoBehaviour
    {
        public Transform handle;
        [Range(0f, 1f)] public float grip = 1f;

        private readonly Dictionary<HumanBodyBones, Quaternion> open = new Dictionary<HumanBodyBones, Quaternion>();
        private Animator animator;

        private void Awake()
        {
            animator = GetComponent<Animator>();
            for (HumanBodyBones bone = HumanBodyBones.RightThumbProximal; bone <= HumanBodyBones.RightLittleDistal; bone++)
            {
                Transform finger = animator.GetBoneTransform(bone);
                if (finger != null) open[bone] = finger.localRotation;
            }
        }

        private void OnAnimatorIK(int layerIndex)
        {
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, grip);
            animator.SetIKPosition(AvatarIKGoal.RightHand, handle.position);
            foreach (KeyValuePair<HumanBodyBones, Quaternion> finger in open)
            {
                Quaternion closed = finger.Value * Quaternion.Euler(0f, 0f, -60f);
                animator.SetBoneLocalRotation(finger.Key, Quaternion.Slerp(finger.Value, closed, grip));
            }
        }
    }
}
