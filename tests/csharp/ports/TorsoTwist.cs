using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Turns the spine by a parameter on top of the clip, with the hand held in the
    /// world.</summary>
    public class TorsoTwist : MonoBehaviour
    {
        public Transform hold;

        private Animator animator;
        private Transform spine;

        private void Start()
        {
            animator = GetComponent<Animator>();
            spine = animator.GetBoneTransform(HumanBodyBones.Spine);
            animator.SetFloat("Twist", 25f);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            Quaternion turn = Quaternion.AngleAxis(animator.GetFloat("Twist"), Vector3.up);
            animator.SetBoneLocalRotation(HumanBodyBones.Spine, turn);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, hold.position);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, spine != null ? 1f : 0f);
        }
    }
}
