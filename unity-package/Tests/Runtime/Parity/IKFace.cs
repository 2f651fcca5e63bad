#if UNITY_EDITOR
using UnityEngine;

namespace Sinew.Tests.Parity
{
    /// <summary>The IK members that a scene uses, of Unity's Animator or of a
    /// SinewAnimator.</summary>
    internal abstract class IKFace
    {
        internal abstract Vector3 BodyPosition { get; set; }
        internal abstract Quaternion BodyRotation { get; set; }
        internal abstract Vector3 GetPosition(AvatarIKGoal goal);
        internal abstract Quaternion GetRotation(AvatarIKGoal goal);
        internal abstract float GetPositionWeight(AvatarIKGoal goal);
        internal abstract float GetRotationWeight(AvatarIKGoal goal);
        internal abstract Vector3 GetHint(AvatarIKHint hint);
        internal abstract float GetHintWeight(AvatarIKHint hint);
        internal abstract void SetPosition(AvatarIKGoal goal, Vector3 position, float weight);
        internal abstract void SetPositionOnly(AvatarIKGoal goal, Vector3 position);
        internal abstract void SetRotation(AvatarIKGoal goal, Quaternion rotation, float weight);
        internal abstract void SetHint(AvatarIKHint hint, Vector3 position, float weight);
        internal abstract void LookAt(Vector3 position, params float[] weights);
        internal abstract void SetBone(HumanBodyBones bone, Quaternion rotation);
    }

    /// <summary>Unity's own.</summary>
    internal sealed class UnityFace : IKFace
    {
        private readonly Animator of;

        internal UnityFace(Animator of)
        {
            this.of = of;
        }

        internal override Vector3 BodyPosition
        {
            get { return of.bodyPosition; }
            set { of.bodyPosition = value; }
        }

        internal override Quaternion BodyRotation
        {
            get { return of.bodyRotation; }
            set { of.bodyRotation = value; }
        }

        internal override Vector3 GetPosition(AvatarIKGoal goal)
        {
            return of.GetIKPosition(goal);
        }

        internal override Quaternion GetRotation(AvatarIKGoal goal)
        {
            return of.GetIKRotation(goal);
        }

        internal override float GetPositionWeight(AvatarIKGoal goal)
        {
            return of.GetIKPositionWeight(goal);
        }

        internal override float GetRotationWeight(AvatarIKGoal goal)
        {
            return of.GetIKRotationWeight(goal);
        }

        internal override Vector3 GetHint(AvatarIKHint hint)
        {
            return of.GetIKHintPosition(hint);
        }

        internal override float GetHintWeight(AvatarIKHint hint)
        {
            return of.GetIKHintPositionWeight(hint);
        }

        internal override void SetPosition(AvatarIKGoal goal, Vector3 position, float weight)
        {
            of.SetIKPosition(goal, position);
            of.SetIKPositionWeight(goal, weight);
        }

        internal override void SetPositionOnly(AvatarIKGoal goal, Vector3 position)
        {
            of.SetIKPosition(goal, position);
        }

        internal override void SetRotation(AvatarIKGoal goal, Quaternion rotation, float weight)
        {
            of.SetIKRotation(goal, rotation);
            of.SetIKRotationWeight(goal, weight);
        }

        internal override void SetHint(AvatarIKHint hint, Vector3 position, float weight)
        {
            of.SetIKHintPosition(hint, position);
            of.SetIKHintPositionWeight(hint, weight);
        }

        internal override void LookAt(Vector3 position, params float[] weights)
        {
            of.SetLookAtPosition(position);
            switch (weights.Length)
            {
                case 1: of.SetLookAtWeight(weights[0]); break;
                case 2: of.SetLookAtWeight(weights[0], weights[1]); break;
                case 3: of.SetLookAtWeight(weights[0], weights[1], weights[2]); break;
                case 4: of.SetLookAtWeight(weights[0], weights[1], weights[2], weights[3]); break;
                default: of.SetLookAtWeight(weights[0], weights[1], weights[2], weights[3], weights[4]); break;
            }
        }

        internal override void SetBone(HumanBodyBones bone, Quaternion rotation)
        {
            of.SetBoneLocalRotation(bone, rotation);
        }
    }

    /// <summary>Sinew's.</summary>
    internal sealed class SinewFace : IKFace
    {
        private readonly SinewAnimator of;

        internal SinewFace(SinewAnimator of)
        {
            this.of = of;
        }

        internal override Vector3 BodyPosition
        {
            get { return of.bodyPosition; }
            set { of.bodyPosition = value; }
        }

        internal override Quaternion BodyRotation
        {
            get { return of.bodyRotation; }
            set { of.bodyRotation = value; }
        }

        internal override Vector3 GetPosition(AvatarIKGoal goal)
        {
            return of.GetIKPosition(goal);
        }

        internal override Quaternion GetRotation(AvatarIKGoal goal)
        {
            return of.GetIKRotation(goal);
        }

        internal override float GetPositionWeight(AvatarIKGoal goal)
        {
            return of.GetIKPositionWeight(goal);
        }

        internal override float GetRotationWeight(AvatarIKGoal goal)
        {
            return of.GetIKRotationWeight(goal);
        }

        internal override Vector3 GetHint(AvatarIKHint hint)
        {
            return of.GetIKHintPosition(hint);
        }

        internal override float GetHintWeight(AvatarIKHint hint)
        {
            return of.GetIKHintPositionWeight(hint);
        }

        internal override void SetPosition(AvatarIKGoal goal, Vector3 position, float weight)
        {
            of.SetIKPosition(goal, position);
            of.SetIKPositionWeight(goal, weight);
        }

        internal override void SetPositionOnly(AvatarIKGoal goal, Vector3 position)
        {
            of.SetIKPosition(goal, position);
        }

        internal override void SetRotation(AvatarIKGoal goal, Quaternion rotation, float weight)
        {
            of.SetIKRotation(goal, rotation);
            of.SetIKRotationWeight(goal, weight);
        }

        internal override void SetHint(AvatarIKHint hint, Vector3 position, float weight)
        {
            of.SetIKHintPosition(hint, position);
            of.SetIKHintPositionWeight(hint, weight);
        }

        internal override void LookAt(Vector3 position, params float[] weights)
        {
            of.SetLookAtPosition(position);
            switch (weights.Length)
            {
                case 1: of.SetLookAtWeight(weights[0]); break;
                case 2: of.SetLookAtWeight(weights[0], weights[1]); break;
                case 3: of.SetLookAtWeight(weights[0], weights[1], weights[2]); break;
                case 4: of.SetLookAtWeight(weights[0], weights[1], weights[2], weights[3]); break;
                default: of.SetLookAtWeight(weights[0], weights[1], weights[2], weights[3], weights[4]); break;
            }
        }

        internal override void SetBone(HumanBodyBones bone, Quaternion rotation)
        {
            of.SetBoneLocalRotation(bone, rotation);
        }
    }
}
#endif
