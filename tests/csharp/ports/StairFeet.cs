using System;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Rays down from each animated ankle inside the callback; the goal is read, changed
    /// and written back, and the body sinks to the lower foot.</summary>
    [RequireComponent(typeof(Animator))]
    public class StairFeet : MonoBehaviour
    {
        [Serializable]
        public class Foot
        {
            public AvatarIKGoal goal;
            public HumanBodyBones bone;
            [NonSerialized] public Transform transform;
            [NonSerialized] public float offset;
        }

        public LayerMask layers = ~0;
        public float stepHeight = 0.4f;
        public Foot[] feet =
        {
            new Foot { goal = AvatarIKGoal.LeftFoot, bone = HumanBodyBones.LeftFoot },
            new Foot { goal = AvatarIKGoal.RightFoot, bone = HumanBodyBones.RightFoot },
        };

        private Animator anim;

        private void Awake()
        {
            anim = GetComponent<Animator>();
            foreach (Foot foot in feet) foot.transform = anim.GetBoneTransform(foot.bone);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            Func<Foot, float> lowest = foot => foot.offset;
            foreach (Foot foot in feet) Place(foot);
            float drop = Mathf.Min(0f, Mathf.Min(lowest(feet[0]), lowest(feet[1])));
            Vector3 body = anim.bodyPosition;
            body.y += drop;
            anim.bodyPosition = body;
        }

        private void Place(Foot foot)
        {
            Vector3 position = anim.GetIKPosition(foot.goal);
            Vector3 from = new Vector3(position.x, transform.position.y + stepHeight, position.z);
            RaycastHit hit;
            if (foot.transform == null || !Physics.Raycast(from, Vector3.down, out hit, 2f * stepHeight, layers))
            {
                foot.offset = 0f;
                return;
            }
            foot.offset = hit.point.y - transform.position.y;
            position.y += foot.offset;
            anim.SetIKPositionWeight(foot.goal, 1f);
            anim.SetIKPosition(foot.goal, position);
            anim.SetIKRotationWeight(foot.goal, 1f);
            anim.SetIKRotation(foot.goal, Quaternion.FromToRotation(Vector3.up, hit.normal) * anim.GetIKRotation(foot.goal));
        }
    }
}
