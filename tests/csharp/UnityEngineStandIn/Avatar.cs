// Test-only stand-in for Avatar, its description and Mecanim's enums. Numbers and names are Unity's
// public ones.
using System;


namespace UnityEngine
{
    public enum AvatarIKGoal { LeftFoot = 0, RightFoot = 1, LeftHand = 2, RightHand = 3 }
    public enum AvatarIKHint { LeftKnee = 0, RightKnee = 1, LeftElbow = 2, RightElbow = 3 }
    public enum AvatarTarget { Root = 0, Body = 1, LeftFoot = 2, RightFoot = 3, LeftHand = 4, RightHand = 5 }
    public enum AnimatorCullingMode { AlwaysAnimate = 0, CullUpdateTransforms = 1, CullCompletely = 2 }
    public enum AnimatorRecorderMode { Offline, Playback, Record }
    public enum AnimatorUpdateMode { Normal = 0, Fixed = 1, AnimatePhysics = 1, UnscaledTime = 2 }

    public enum HumanBodyBones
    {
        Hips = 0, LeftUpperLeg = 1, RightUpperLeg = 2, LeftLowerLeg = 3, RightLowerLeg = 4, LeftFoot = 5, RightFoot = 6,
        Spine = 7, Chest = 8, UpperChest = 54, Neck = 9, Head = 10, LeftShoulder = 11, RightShoulder = 12, LeftUpperArm = 13,
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
        LastBone = 55,
    }

    public struct HumanBone
    {
        public string boneName { get; set; }
        public string humanName { get; set; }
        public HumanLimit limit { get; set; }
    }

    public struct HumanLimit
    {
        public bool useDefaultValues { get; set; }
    }

    public static class AvatarBuilder
    {
        public static Avatar BuildHumanAvatar(GameObject go, HumanDescription humanDescription)
        {
            return new Avatar(true, humanDescription);
        }
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
}
