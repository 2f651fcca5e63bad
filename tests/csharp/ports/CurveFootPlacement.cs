using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Feet on the ground below them, weighted by curves of the clips; the pelvis follows
    /// the lower foot.</summary>
    [RequireComponent(typeof(Animator))]
    public class CurveFootPlacement : MonoBehaviour
    {
        public LayerMask ground = 1;
        public string leftCurve = "LeftFootPlant", rightCurve = "RightFootPlant";

        private Animator animator;
        private static readonly int moving = Animator.StringToHash("Moving");

        private void Awake()
        {
            animator = GetComponent<Animator>();
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (layerIndex != 0 || animator.GetBool(moving)) return;
            float left = Plant(AvatarIKGoal.LeftFoot, animator.leftFeetBottomHeight, animator.GetFloat(leftCurve));
            float right = Plant(AvatarIKGoal.RightFoot, animator.rightFeetBottomHeight, animator.GetFloat(rightCurve));
            animator.bodyPosition += Vector3.up * Mathf.Min(0f, Mathf.Min(left, right));
        }

        private float Plant(AvatarIKGoal foot, float soleHeight, float weight)
        {
            Vector3 ankle = animator.GetIKPosition(foot);
            RaycastHit hit;
            if (!Physics.Raycast(ankle + Vector3.up, Vector3.down, out hit, 2f, ground)) return 0f;
            Vector3 forward = Vector3.ProjectOnPlane(animator.GetIKRotation(foot) * Vector3.forward, hit.normal);
            Quaternion turn = Quaternion.LookRotation(forward, hit.normal);
            animator.SetIKPosition(foot, hit.point + turn * new Vector3(0f, soleHeight, 0f));
            animator.SetIKRotation(foot, turn);
            animator.SetIKPositionWeight(foot, weight);
            animator.SetIKRotationWeight(foot, weight);
            return hit.point.y - transform.position.y;
        }
    }
}
