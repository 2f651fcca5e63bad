using System;
using System.Collections.Generic;
using NUnit.Framework;
using Sinew;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>A figure of 1.75 m in T-pose facing +Z, made of GameObjects, and questions about
    /// it.</summary>
    internal sealed class TestRig
    {
        private static readonly object[,] parts =
        {
            { "Hips", "", 0f, 0.954f, 0f },
            { "LeftUpperLeg", "Hips", -0.091f, 0.928f, 0f },
            { "LeftLowerLeg", "LeftUpperLeg", -0.091f, 0.499f, 0.002f },
            { "LeftFoot", "LeftLowerLeg", -0.091f, 0.079f, -0.021f },
            { "LeftToes", "LeftFoot", -0.091f, 0.021f, 0.115f },
            { "RightUpperLeg", "Hips", 0.091f, 0.928f, 0f },
            { "RightLowerLeg", "RightUpperLeg", 0.091f, 0.499f, 0.002f },
            { "RightFoot", "RightLowerLeg", 0.091f, 0.079f, -0.021f },
            { "RightToes", "RightFoot", 0.091f, 0.021f, 0.115f },
            { "Spine", "Hips", 0f, 1.024f, -0.007f },
            { "Chest", "Spine", 0f, 1.138f, -0.012f },
            { "UpperChest", "Chest", 0f, 1.269f, -0.018f },
            { "Neck", "UpperChest", 0f, 1.479f, -0.021f },
            { "Head", "Neck", 0f, 1.584f, -0.004f },
            { "LeftEye", "Head", -0.032f, 1.638f, 0.08f },
            { "RightEye", "Head", 0.032f, 1.638f, 0.08f },
            { "LeftShoulder", "UpperChest", -0.025f, 1.421f, 0.007f },
            { "LeftUpperArm", "LeftShoulder", -0.184f, 1.421f, -0.018f },
            { "LeftLowerArm", "LeftUpperArm", -0.509f, 1.421f, -0.018f },
            { "LeftHand", "LeftLowerArm", -0.765f, 1.421f, -0.018f },
            { "LeftMiddleProximal", "LeftHand", -0.859f, 1.421f, -0.018f },
            { "RightShoulder", "UpperChest", 0.025f, 1.421f, 0.007f },
            { "RightUpperArm", "RightShoulder", 0.184f, 1.421f, -0.018f },
            { "RightLowerArm", "RightUpperArm", 0.509f, 1.421f, -0.018f },
            { "RightHand", "RightLowerArm", 0.765f, 1.421f, -0.018f },
            { "RightMiddleProximal", "RightHand", 0.859f, 1.421f, -0.018f },
        };

        internal const float ArmLength = 0.581f;

        internal readonly GameObject Root;
        internal readonly Transform[] Joints;
        internal readonly string[] HumanNames;
        internal SinewAnimator Animator;
        private readonly Dictionary<string, Transform> byName = new Dictionary<string, Transform>();

        /// <param name="prefix">Comes before each joint's name; "*" names them joint_00, joint_01,
        /// …</param>
        internal TestRig(string prefix = "")
        {
            Root = new GameObject("Character");
            Root.SetActive(false);
            int count = parts.GetLength(0);
            Joints = new Transform[count];
            HumanNames = new string[count];
            for (int i = 0; i < count; i++)
            {
                string name = (string)parts[i, 0];
                string parent = (string)parts[i, 1];
                Transform joint = new GameObject(prefix == "*" ? "joint_" + i.ToString("00") : prefix + name).transform;
                joint.SetParent(parent.Length == 0 ? Root.transform : byName[parent], false);
                joint.localPosition = Place(i) - (parent.Length == 0 ? Vector3.zero : Place(IndexOf(parent)));
                byName[name] = joint;
                Joints[i] = joint;
                HumanNames[i] = name;
            }
        }

        internal Transform this[string humanName] { get { return byName[humanName]; } }

        /// <summary>Adds a SinewAnimator and wakes the character up.</summary>
        internal TestRig Start(HumanBoneEntry[] table = null)
        {
            Animator = Root.AddComponent<SinewAnimator>();
            if (table != null) Animator.humanBones = table;
            Root.SetActive(true);
            return this;
        }

        /// <summary>Adds Unity's Animator with a human avatar that knows the T-pose; call before
        /// Start.</summary>
        internal Animator AddUnityAnimator(bool ikPass, bool human = true)
        {
            List<HumanBone> bones = new List<HumanBone>();
            List<SkeletonBone> skeleton = new List<SkeletonBone>();
            for (int i = 0; i < Joints.Length; i++)
            {
                bones.Add(new HumanBone { boneName = Joints[i].name, humanName = HumanNames[i] });
                skeleton.Add(new SkeletonBone
                {
                    name = Joints[i].name, position = Joints[i].localPosition,
                    rotation = Joints[i].localRotation, scale = Joints[i].localScale,
                });
            }
            Animator unity = Root.AddComponent<Animator>();
            unity.ikPass = ikPass;
            unity.avatar = new Avatar(human, new HumanDescription
            {
                human = bones.ToArray(), skeleton = skeleton.ToArray(), armStretch = 0.05f, legStretch = 0.05f,
                upperArmTwist = 0.5f, lowerArmTwist = 0.5f, upperLegTwist = 0.5f, lowerLegTwist = 0.5f,
            });
            return unity;
        }

        internal HumanBoneEntry[] Table()
        {
            HumanBoneEntry[] table = new HumanBoneEntry[Joints.Length];
            for (int i = 0; i < table.Length; i++)
                table[i] = new HumanBoneEntry((HumanBodyBones)Enum.Parse(typeof(HumanBodyBones), HumanNames[i]), Joints[i]);
            return table;
        }

        /// <summary>Arms lowered and a little bent: an animation to start from.</summary>
        internal void PoseIdle()
        {
            this["LeftUpperArm"].localRotation = Quaternion.Euler(0f, 0f, 70f);
            this["RightUpperArm"].localRotation = Quaternion.Euler(0f, 0f, -70f);
            this["LeftLowerArm"].localRotation = Quaternion.Euler(0f, 20f, 0f);
            this["RightLowerArm"].localRotation = Quaternion.Euler(0f, -20f, 0f);
            this["LeftUpperLeg"].localRotation = Quaternion.Euler(-8f, 0f, 0f);
            this["LeftLowerLeg"].localRotation = Quaternion.Euler(16f, 0f, 0f);
            this["RightUpperLeg"].localRotation = Quaternion.Euler(-8f, 0f, 0f);
            this["RightLowerLeg"].localRotation = Quaternion.Euler(16f, 0f, 0f);
        }

        internal TransformData[] Snapshot()
        {
            TransformData[] pose = new TransformData[Joints.Length];
            for (int i = 0; i < pose.Length; i++) pose[i] = TransformData.Of(Joints[i]);
            return pose;
        }

        internal void Apply(TransformData[] pose)
        {
            for (int i = 0; i < pose.Length; i++) pose[i].CopyTo(Joints[i]);
        }

        /// <summary>Fails when one bit of a local transform differs.</summary>
        internal void AssertPose(TransformData[] expected, string message)
        {
            for (int i = 0; i < expected.Length; i++)
            {
                TransformData now = TransformData.Of(Joints[i]);
                if (!Same(expected[i], now)) Assert.Fail(message + ": " + HumanNames[i] + " changed");
            }
        }

        internal static bool Same(TransformData a, TransformData b)
        {
            return a.Position.Equals(b.Position) && a.Rotation.Equals(b.Rotation) && a.Scale.Equals(b.Scale);
        }

        internal static void AssertNear(Vector3 expected, Vector3 actual, float tolerance, string message)
        {
            float distance = Vector3.Distance(expected, actual);
            if (!(distance <= tolerance)) Assert.Fail(message + ": expected " + expected + ", got " + actual + ", " + distance + " apart");
        }

        internal static void AssertNear(Quaternion expected, Quaternion actual, float degrees, string message)
        {
            float angle = Quaternion.Angle(expected, actual);
            if (!(angle <= degrees)) Assert.Fail(message + ": expected " + expected + ", got " + actual + ", " + angle + "° apart");
        }

        private static Vector3 Place(int i)
        {
            return new Vector3((float)parts[i, 2], (float)parts[i, 3], (float)parts[i, 4]);
        }

        private static int IndexOf(string name)
        {
            for (int i = 0; i < parts.GetLength(0); i++)
                if ((string)parts[i, 0] == name) return i;
            throw new ArgumentException(name);
        }
    }

    /// <summary>A script that does in OnAnimatorIK what a test tells it to, and counts.</summary>
    internal class Script : MonoBehaviour
    {
        internal int Calls;
        internal int LastLayer = -1;
        internal Action<SinewAnimator> Do;

        private void OnAnimatorIK(int layerIndex)
        {
            Calls++;
            LastLayer = layerIndex;
            if (Do != null) Do(GetComponent<SinewAnimator>());
        }
    }

    /// <summary>The parameterless form.</summary>
    internal sealed class BareScript : MonoBehaviour
    {
        internal int Calls;

        private void OnAnimatorIK()
        {
            Calls++;
        }
    }

    /// <summary>Both forms at once.</summary>
    internal sealed class BothForms : MonoBehaviour
    {
        internal int WithLayer;
        internal int WithoutLayer;

        private void OnAnimatorIK(int layerIndex)
        {
            WithLayer++;
        }

        private void OnAnimatorIK()
        {
            WithoutLayer++;
        }
    }

    /// <summary>Inherits a private callback.</summary>
    internal sealed class DerivedScript : Script
    {
    }
}
