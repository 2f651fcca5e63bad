using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Two characters shake hands: each one reaches to the middle between the shoulders
    /// and looks the other in the eyes.</summary>
    public class Handshake : MonoBehaviour
    {
        public Handshake partner;
        public float distance = 1.2f;

        public Animator Animator { get; private set; }

        private Transform shoulder, head;

        private void OnEnable()
        {
            Animator = GetComponent<Animator>();
            shoulder = Animator.GetBoneTransform(HumanBodyBones.RightUpperArm);
            head = Animator.GetBoneTransform(HumanBodyBones.Head);
        }

        private void OnAnimatorIK()
        {
            if (partner == null || partner.Animator == null) return;
            Vector3 gap = partner.transform.position - transform.position;
            if (gap.magnitude > distance) return;
            Vector3 middle = (transform.position + partner.transform.position) * 0.5f;
            middle.y = Mathf.Min(shoulder.position.y, partner.shoulder.position.y) - 0.3f + 0.05f * Mathf.Sin(Time.time * 8f);
            Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Animator.SetIKPosition(AvatarIKGoal.RightHand, middle);
            Animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
            Animator.SetIKRotation(AvatarIKGoal.RightHand, Quaternion.LookRotation(gap, Vector3.Cross(gap, Vector3.up)));
            Animator.SetLookAtWeight(1f, 0f, 1f);
            Animator.SetLookAtPosition(partner.head.position);
        }
    }
}
