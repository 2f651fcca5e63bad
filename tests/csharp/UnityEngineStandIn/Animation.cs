// Test-only stand-in for Animator, Avatar and their enums. Numbers and names are Unity's public ones.
using System;

namespace UnityEngine
{
    public enum AvatarIKGoal { LeftFoot = 0, RightFoot = 1, LeftHand = 2, RightHand = 3 }
    public enum AvatarIKHint { LeftKnee = 0, RightKnee = 1, LeftElbow = 2, RightElbow = 3 }
    public enum AvatarTarget { Root = 0, Body = 1, LeftFoot = 2, RightFoot = 3, LeftHand = 4, RightHand = 5 }
    public enum AnimatorUpdateMode { Normal = 0, Fixed = 1, AnimatePhysics = 1, UnscaledTime = 2 }

    public enum HumanBodyBones
    {
        Hips = 0, LeftUpperLeg = 1, RightUpperLeg = 2, LeftLowerLeg = 3, RightLowerLeg = 4, LeftFoot = 5, RightFoot = 6,
        Spine = 7, Chest = 8, Neck = 9, Head = 10, LeftShoulder = 11, RightShoulder = 12, LeftUpperArm = 13,
        RightUpperArm = 14, LeftLowerArm = 15, RightLowerArm = 16, LeftHand = 17, RightHand = 18, LeftToes = 19,
        RightToes = 20, LeftEye = 21, RightEye = 22, Jaw = 23,
        LeftThumbProximal = 24, LeftThumbIntermediate = 25, LeftThumbDistal = 26,
        LeftIndexProximal = 27, LeftIndexIntermediate = 28, LeftIndexDistal = 29,
        LeftMiddleProximal = 30, LeftMiddleIntermediate = 31, LeftMiddleDistal = 32,
        LeftRingProximal = 33, LeftRingIntermediate = 34, LeftRingDistal = 35,
        LeftLittleProximal = 36, LeftLittleIntermediate = 37, LeftLittleDistal = 38,
        RightThumbProximal = 39, RightThumbIntermediate = 40, RightThumbDistal = 41,
        RightIndexProximal = 42, RightIndexIntermediate = 43, RightIndexDistal = 44,
        RightMiddleProximal = 45, RightMiddleIntermediate = 46, RightMiddleDistal = 47,
        RightRingProximal = 48, RightRingIntermediate = 49, RightRingDistal = 50,
        RightLittleProximal = 51, RightLittleIntermediate = 52, RightLittleDistal = 53,
        UpperChest = 54, LastBone = 55,
    }

    public struct HumanBone
    {
        public string boneName { get; set; }
        public string humanName { get; set; }
    }

    public struct SkeletonBone
    {
        public string name;
        public Vector3 position;
        public Quaternion rotation;
        public Vector3 scale;
    }

    public struct HumanDescription
    {
        public HumanBone[] human;
        public SkeletonBone[] skeleton;
        public float armStretch { get; set; }
        public float legStretch { get; set; }
        public float upperArmTwist { get; set; }
        public float lowerArmTwist { get; set; }
        public float upperLegTwist { get; set; }
        public float lowerLegTwist { get; set; }
        public float feetSpacing { get; set; }
    }

    public sealed class Avatar : Object
    {
        private readonly bool human;
        private readonly HumanDescription description;

        public Avatar(bool isHuman, HumanDescription humanDescription)
        {
            human = isHuman;
            description = humanDescription;
        }

        public bool isValid { get { return true; } }
        public bool isHuman { get { return human; } }
        public HumanDescription humanDescription { get { return description; } }
    }

    public struct MatchTargetWeightMask
    {
        public MatchTargetWeightMask(Vector3 positionXYZWeight, float rotationWeight)
        {
            this.positionXYZWeight = positionXYZWeight;
            this.rotationWeight = rotationWeight;
        }

        public Vector3 positionXYZWeight { get; set; }
        public float rotationWeight { get; set; }
    }

    public class RuntimeAnimatorController : Object { }

    public struct AnimatorStateInfo
    {
        internal AnimatorStateInfo(float time, int hash, bool loop)
        {
            this.loop = loop;
            normalizedTime = time;
            fullPathHash = hash;
        }

        public float normalizedTime { get; private set; }
        public int fullPathHash { get; private set; }
        public bool loop { get; private set; }
    }

    public sealed class Animator : Behaviour
    {
        /// Test switch: "IK Pass" of the controller's only layer.
        public bool ikPass;

        /// Test hook: writes the animated pose into the transforms. Runs after OnAnimatorIK, as in Unity.
        public Action write;

        public Animator() { Player.Remember(this); }

        public Avatar avatar { get; set; }
        public AnimatorUpdateMode updateMode { get; set; }
        public bool isHuman { get { return avatar != null && avatar.isHuman; } }
        public bool hasTransformHierarchy { get { return true; } }

        /// Test switch: the normalised time of the only layer's state, and which state that is.
        public float stateTime;
        public int stateHash;
        public bool stateLoops;
        public RuntimeAnimatorController runtimeAnimatorController { get; set; }
        public AnimatorStateInfo GetCurrentAnimatorStateInfo(int layerIndex) { return new AnimatorStateInfo(stateTime, stateHash, stateLoops); }

        // Of root motion: only remembered.
        public float feetPivotActive { get; set; }
        public bool stabilizeFeet { get; set; }
        public float pivotWeight { get { return 0.5f; } }
        public Vector3 pivotPosition { get { return transform.position; } }
        public AvatarTarget target;
        public float targetTime;
        public void SetTarget(AvatarTarget targetIndex, float targetNormalizedTime)
        {
            target = targetIndex;
            targetTime = targetNormalizedTime;
        }
        public Vector3 targetPosition { get { return new Vector3((int)target, targetTime, 0f); } }
        public Quaternion targetRotation { get { return Quaternion.identity; } }

        public Transform GetBoneTransform(HumanBodyBones bone)
        {
            if (!isHuman) throw new InvalidOperationException("the avatar is not human");
            HumanBone[] table = avatar.humanDescription.human;
            for (int i = 0; i < table.Length; i++)
                if (table[i].humanName.Replace(" ", "") == bone.ToString()) return Below(transform, table[i].boneName);
            return null;
        }

        internal void Evaluate()
        {
            if (!isActiveAndEnabled) return;
            if (ikPass && isHuman) Player.SendAnimatorIK(gameObject, 0);
            if (write != null) write();
        }

        internal override void Demolish()
        {
            base.Demolish();
            Player.Forget(this);
        }

        private static Transform Below(Transform transform, string name)
        {
            for (int i = 0; i < transform.childCount; i++)
            {
                Transform child = transform.GetChild(i);
                if (child.name == name) return child;
                Transform found = Below(child, name);
                if (!ReferenceEquals(found, null)) return found;
            }
            return null;
        }
    }
}
