using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Both hands on a wheel that turns, elbows out; getting in switches layers and root
    /// motion.</summary>
    public class SteeringWheel : MonoBehaviour
    {
        [SerializeField] private Animator anim;
        public Transform leftGrip, rightGrip, leftElbow, rightElbow;
        [Range(0f, 1f)] public float weight = 1f;

        private void Start()
        {
            if (anim == null) anim = GetComponent<Animator>();
            anim.applyRootMotion = false;
            anim.SetBool("Driving", true);
            if (anim.layerCount > 1) anim.SetLayerWeight(1, 1f);
        }

        private void OnAnimatorIK()
        {
            if (!anim.GetBool("Driving")) return;
            Hold(AvatarIKGoal.LeftHand, leftGrip);
            Hold(AvatarIKGoal.RightHand, rightGrip);
            anim.SetIKHintPosition(AvatarIKHint.LeftElbow, leftElbow.position);
            anim.SetIKHintPositionWeight(AvatarIKHint.LeftElbow, weight);
            anim.SetIKHintPosition(AvatarIKHint.RightElbow, rightElbow.position);
            anim.SetIKHintPositionWeight(AvatarIKHint.RightElbow, weight);
        }

        private void Hold(AvatarIKGoal hand, Transform grip)
        {
            anim.SetIKPositionWeight(hand, weight);
            anim.SetIKRotationWeight(hand, weight);
            anim.SetIKPosition(hand, grip.position);
            anim.SetIKRotation(hand, grip.rotation);
        }
    }
}
