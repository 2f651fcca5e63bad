using System;
using System.Collections.Generic;
using UnityEngine;
using Animator = SinewAnimator;

namespace Ports
{
    /// <summary>Falls down with physics, gets up by blending from the pose it lay in to the
    /// animation, in LateUpdate.</summary>
    public class RagdollBlend : MonoBehaviour
    {
        private struct Bone
        {
            public Transform Transform;
            public Quaternion Stored;
        }

        public float blendTime = 0.4f;
        public Transform holdTarget;

        private Animator anim;
        private readonly List<Bone> bones = new List<Bone>();
        private float endedAt = -100f;
        private bool isRagdoll;

        private void Start()
        {
            anim = GetComponent<Animator>();
            foreach (HumanBodyBones id in Enum.GetValues(typeof(HumanBodyBones)))
            {
                if (id == HumanBodyBones.LastBone) continue;
                Transform bone = anim.GetBoneTransform(id);
                if (bone == null) continue;
                bones.Add(new Bone { Transform = bone });
                Rigidbody body = bone.GetComponent<Rigidbody>();
                if (body) body.isKinematic = true;
            }
        }

        public bool Ragdolled
        {
            get { return isRagdoll; }
            set
            {
                if (value == isRagdoll) return;
                isRagdoll = value;
                anim.enabled = !value;
                if (value) return;
                for (int i = 0; i < bones.Count; i++)
                {
                    Bone bone = bones[i];
                    bone.Stored = bone.Transform.localRotation;
                    bones[i] = bone;
                }
                endedAt = Time.time;
                anim.Play("GetUp", 0, 0f);
            }
        }

        public float Blend
        {
            get { return 1f - Mathf.Clamp01((Time.time - endedAt) / blendTime); }
        }

        private void LateUpdate()
        {
            float blend = Blend;
            if (isRagdoll || blend <= 0f) return;
            foreach (Bone bone in bones)
                bone.Transform.localRotation = Quaternion.Slerp(bone.Transform.localRotation, bone.Stored, blend);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            if (holdTarget == null) return;
            anim.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            anim.SetIKPosition(AvatarIKGoal.RightHand, holdTarget.position);
        }
    }
}
