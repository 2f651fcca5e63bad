using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>The base layer puts the right hand on the grip and turns the body; the upper layer
    /// looks and puts the left hand on the barrel.</summary>
    [RequireComponent(typeof(Animator))]
    public class LayeredAim : MonoBehaviour
    {
        public Transform grip, barrel, target;
        public int baseLayer, upperLayer = 1;
        [Range(0f, 1f)] public float aimWeight = 1f;
        public int baseCalls, upperCalls;

        private Animator animator;

        private void Awake()
        {
            if (!TryGetComponent(out animator)) Debug.LogError("no animator", this);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (!animator || aimWeight <= 0f) return;
            if (layerIndex == baseLayer)
            {
                baseCalls++;
                Vector3 flat = Vector3.ProjectOnPlane(target.position - transform.position, Vector3.up);
                float turn = Vector3.SignedAngle(transform.forward, flat, Vector3.up);
                animator.bodyRotation = Quaternion.AngleAxis(turn * 0.25f * aimWeight, Vector3.up) * animator.bodyRotation;
                animator.SetIKPosition(AvatarIKGoal.RightHand, grip.position);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, aimWeight);
                animator.SetIKHintPosition(AvatarIKHint.RightElbow, transform.TransformPoint(0.6f, 0.9f, -0.1f));
                animator.SetIKHintPositionWeight(AvatarIKHint.RightElbow, 0.5f * aimWeight);
                return;
            }
            if (layerIndex != upperLayer) return;
            upperCalls++;
            // What the base layer set is known here.
            float right = animator.GetIKPositionWeight(AvatarIKGoal.RightHand);
            animator.SetIKPosition(AvatarIKGoal.LeftHand, barrel.position);
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, right);
            animator.SetLookAtPosition(target.position);
            animator.SetLookAtWeight(aimWeight, 0.1f, 0.9f, 1f, 0.4f);
        }
    }
}
