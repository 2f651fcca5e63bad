#if UNITY_EDITOR
using System.Collections.Generic;
using UnityEditor.Animations;
using UnityEngine;

namespace Sinew.Tests.Parity
{
    /// <summary>How the twins of a scene are made.</summary>
    internal sealed class FigureSettings
    {
        internal float FeetSpacing;
        internal float Stretch = 0.05f;
        internal float Twist = 0.5f;
        internal bool FootIK;
        internal int Layers = 1;
        internal AnimatorCullingMode Culling = AnimatorCullingMode.AlwaysAnimate;
        internal bool HasHiddenRenderer;
        internal bool IsStepped; // Animate Physics
        internal bool HasStateProbe;
    }

    /// <summary>A humanoid of GameObjects with an avatar, a controller with IK Pass and a clip that
    /// moves it a little.</summary>
    internal static class ParityFigure
    {
        // Name, parent, place in T-pose; metres, facing +Z.
        private static readonly object[,] parts =
        {
            { "Hips", "", 0f, 0.954f, 0f }, { "Spine", "Hips", 0f, 1.024f, -0.007f }, { "Chest", "Spine", 0f, 1.138f, -0.012f },
            { "Neck", "Chest", 0f, 1.479f, -0.021f }, { "Head", "Neck", 0f, 1.584f, -0.004f },
            { "LeftUpperLeg", "Hips", -0.091f, 0.928f, 0f }, { "LeftLowerLeg", "LeftUpperLeg", -0.091f, 0.499f, 0.002f },
            { "LeftFoot", "LeftLowerLeg", -0.091f, 0.079f, -0.021f }, { "LeftToes", "LeftFoot", -0.091f, 0.021f, 0.115f },
            { "RightUpperLeg", "Hips", 0.091f, 0.928f, 0f }, { "RightLowerLeg", "RightUpperLeg", 0.091f, 0.499f, 0.002f },
            { "RightFoot", "RightLowerLeg", 0.091f, 0.079f, -0.021f }, { "RightToes", "RightFoot", 0.091f, 0.021f, 0.115f },
            { "LeftShoulder", "Chest", -0.025f, 1.421f, 0.007f }, { "LeftUpperArm", "LeftShoulder", -0.184f, 1.421f, -0.018f },
            { "LeftLowerArm", "LeftUpperArm", -0.509f, 1.421f, -0.018f }, { "LeftHand", "LeftLowerArm", -0.765f, 1.421f, -0.018f },
            { "RightShoulder", "Chest", 0.025f, 1.421f, 0.007f }, { "RightUpperArm", "RightShoulder", 0.184f, 1.421f, -0.018f },
            { "RightLowerArm", "RightUpperArm", 0.509f, 1.421f, -0.018f }, { "RightHand", "RightLowerArm", 0.765f, 1.421f, -0.018f },
        };

        // Muscles of the clip: value at the start and half a second later.
        private static readonly object[,] muscles =
        {
            { "Left Arm Down-Up", -0.6f, -0.5f }, { "Right Arm Down-Up", -0.6f, -0.5f }, { "Left Forearm Stretch", 0.7f, 0.8f },
            { "Right Forearm Stretch", 0.7f, 0.8f }, { "Left Upper Leg Front-Back", 0.5f, 0.55f }, { "Right Upper Leg Front-Back", 0.5f, 0.55f },
            { "Left Lower Leg Stretch", 0.8f, 0.75f }, { "Right Lower Leg Stretch", 0.8f, 0.75f }, { "Spine Front-Back", 0f, 0.1f },
            { "RootT.y", 0.95f, 0.95f }, { "RootQ.w", 1f, 1f },
        };

        internal static GameObject Build(string name, Vector3 place, FigureSettings settings)
        {
            GameObject root = new GameObject(name);
            root.SetActive(false);
            List<HumanBone> human = new List<HumanBone>();
            List<SkeletonBone> skeleton = new List<SkeletonBone> { Bone(root.transform) };
            Dictionary<string, Transform> joints = new Dictionary<string, Transform>();
            for (int i = 0; i < parts.GetLength(0); i++)
            {
                string own = (string)parts[i, 0], above = (string)parts[i, 1];
                Transform joint = new GameObject(own).transform;
                joint.SetParent(above.Length == 0 ? root.transform : joints[above], false);
                joint.localPosition = Place(i) - (above.Length == 0 ? Vector3.zero : PlaceOf(above));
                joints[own] = joint;
                skeleton.Add(Bone(joint));
                human.Add(new HumanBone { boneName = own, humanName = own, limit = new HumanLimit { useDefaultValues = true } });
            }
            Avatar avatar = AvatarBuilder.BuildHumanAvatar(root, new HumanDescription
            {
                human = human.ToArray(), skeleton = skeleton.ToArray(), armStretch = settings.Stretch, legStretch = settings.Stretch,
                upperArmTwist = settings.Twist, lowerArmTwist = settings.Twist, upperLegTwist = settings.Twist,
                lowerLegTwist = settings.Twist, feetSpacing = settings.FeetSpacing,
            });
            avatar.name = name + " avatar";
            Animator animator = root.AddComponent<Animator>();
            animator.avatar = avatar;
            animator.logWarnings = false;
            animator.applyRootMotion = false;
            animator.cullingMode = settings.Culling;
            animator.updateMode = settings.IsStepped ? (AnimatorUpdateMode)1 : AnimatorUpdateMode.Normal;
            animator.runtimeAnimatorController = Controller(settings);
            if (settings.HasHiddenRenderer)
            {
                GameObject hidden = GameObject.CreatePrimitive(PrimitiveType.Cube);
                hidden.transform.SetParent(joints["Hips"], false);
                hidden.transform.localScale = Vector3.one * 0.01f;
                // No camera of the test looks there.
                place += new Vector3(0f, -5000f, 0f);
            }
            root.transform.position = place;
            return root;
        }

        private static AnimatorController Controller(FigureSettings settings)
        {
            AnimatorController controller = new AnimatorController();
            for (int i = 0; i < settings.Layers; i++) controller.AddLayer("Layer " + i);
            AnimatorControllerLayer[] layers = controller.layers;
            for (int i = 0; i < layers.Length; i++)
            {
                layers[i].iKPass = true;
                layers[i].defaultWeight = 1f;
                AnimatorState state = layers[i].stateMachine.AddState("Pose");
                state.motion = Clip();
                state.iKOnFeet = settings.FootIK;
                if (settings.HasStateProbe) state.AddStateMachineBehaviour<StateProbe>();
            }
            controller.layers = layers;
            return controller;
        }

        private static AnimationClip Clip()
        {
            AnimationClip clip = new AnimationClip();
            for (int i = 0; i < muscles.GetLength(0); i++)
            {
                float start = (float)muscles[i, 1], half = (float)muscles[i, 2];
                AnimationCurve curve = new AnimationCurve(new Keyframe(0f, start), new Keyframe(0.5f, half), new Keyframe(1f, start));
                clip.SetCurve("", typeof(Animator), (string)muscles[i, 0], curve);
            }
            clip.wrapMode = WrapMode.Loop;
            return clip;
        }

        private static SkeletonBone Bone(Transform of)
        {
            return new SkeletonBone { name = of.name, position = of.localPosition, rotation = of.localRotation, scale = of.localScale };
        }

        private static Vector3 Place(int i)
        {
            return new Vector3((float)parts[i, 2], (float)parts[i, 3], (float)parts[i, 4]);
        }

        private static Vector3 PlaceOf(string name)
        {
            for (int i = 0; i < parts.GetLength(0); i++)
                if ((string)parts[i, 0] == name) return Place(i);
            return Vector3.zero;
        }
    }
}
#endif
