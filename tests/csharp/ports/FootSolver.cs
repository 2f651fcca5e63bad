using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Rays from the knees in the callback of one layer; feet lie along the ground, the
    /// body goes down with the lower one.</summary>
    public class FootSolver : MonoBehaviour
    {
        public LayerMask mask = ~0;
        [SerializeField] private float reach = 0.6f, pelvisSpeed = 12f;
        public int ikLayer;

        private Animator anim;
        private Transform leftKnee, rightKnee;
        private float pelvis;

        private void OnEnable()
        {
            anim = GetComponent<Animator>();
            leftKnee = anim.GetBoneTransform(HumanBodyBones.LeftLowerLeg);
            rightKnee = anim.GetBoneTransform(HumanBodyBones.RightLowerLeg);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (layerIndex != ikLayer || anim == null) return;
            float left = Foot(AvatarIKGoal.LeftFoot, leftKnee, anim.leftFeetBottomHeight);
            float right = Foot(AvatarIKGoal.RightFoot, rightKnee, anim.rightFeetBottomHeight);
            pelvis = Mathf.Lerp(pelvis, Mathf.Min(0f, Mathf.Min(left, right)), 1f - Mathf.Exp(-pelvisSpeed * Time.deltaTime));
            anim.bodyPosition += new Vector3(0f, pelvis, 0f);
        }

        // Returns how far the ground is above the character's own floor.
        private float Foot(AvatarIKGoal goal, Transform knee, float sole)
        {
            Vector3 animated = anim.GetIKPosition(goal);
            Vector3 from = new Vector3(animated.x, knee.position.y, animated.z);
            RaycastHit hit;
            bool isHit = Physics.Raycast(new Ray(from, Vector3.down), out hit, reach + from.y - transform.position.y, mask);
            anim.SetIKPositionWeight(goal, isHit ? 1f : 0f);
            anim.SetIKRotationWeight(goal, isHit ? 1f : 0f);
            if (!isHit) return 0f;
            float lift = animated.y - transform.position.y - sole;
            anim.SetIKPosition(goal, hit.point + hit.normal * (sole + lift));
            Vector3 forward = Vector3.ProjectOnPlane(anim.GetIKRotation(goal) * Vector3.forward, hit.normal);
            anim.SetIKRotation(goal, Quaternion.LookRotation(forward, hit.normal));
            return hit.point.y - transform.position.y;
        }
    }
}
