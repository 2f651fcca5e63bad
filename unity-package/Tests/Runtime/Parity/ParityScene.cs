#if UNITY_EDITOR
using System;
using System.Collections.Generic;
using UnityEngine;

namespace Sinew.Tests.Parity
{
    /// <summary>A scene that both twins play: what is set in which frame, and what is looked
    /// at.</summary>
    internal sealed class ParityScene
    {
        internal readonly string Name;

        /// <summary>The open question, as a sentence.</summary>
        internal readonly string Question;

        /// <summary>Number of frames.</summary>
        internal readonly int Frames;

        /// <summary>Driver, IK members, frame, layer.</summary>
        internal readonly Action<ParityDriver, IKFace, int, int> InCallback;

        internal readonly FigureSettings Settings;

        internal ParityScene(string name, string question, int frames, Action<ParityDriver, IKFace, int, int> inCallback, FigureSettings settings = null)
        {
            Settings = settings ?? new FigureSettings();
            Name = name;
            Question = question;
            Frames = frames;
            InCallback = inCallback;
        }

        private static readonly AvatarIKGoal[] goals = { AvatarIKGoal.LeftFoot, AvatarIKGoal.RightFoot, AvatarIKGoal.LeftHand, AvatarIKGoal.RightHand };
        private static readonly AvatarIKHint[] hints = { AvatarIKHint.LeftKnee, AvatarIKHint.RightKnee, AvatarIKHint.LeftElbow, AvatarIKHint.RightElbow };

        /// <summary>The fixed list.</summary>
        internal static List<ParityScene> All()
        {
            List<ParityScene> all = new List<ParityScene>();
            Persistence(all);
            Goals(all);
            Shares(all);
            Odd(all);
            return all;
        }

        private static void Persistence(List<ParityScene> all)
        {
            all.Add(new ParityScene("goal set in three frames", "Do a goal and its weight outlive the frame they were set in?", 8, (d, f, frame, layer) =>
            {
                d.Record("weight before", f.GetPositionWeight(AvatarIKGoal.RightHand));
                if (frame < 3) f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), 1f);
            }));
            all.Add(new ParityScene("weight set once", "Does a weight outlive its frame while the goal is set again?", 8, (d, f, frame, layer) =>
            {
                if (frame == 0) f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), 1f);
                else f.SetPositionOnly(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f));
            }));
            all.Add(new ParityScene("look-at set in three frames", "Does the look-at outlive its frame?", 8, (d, f, frame, layer) =>
            {
                if (frame < 3) f.LookAt(d.At(1.5f, 1.6f, 1.5f), 1f);
            }));
            all.Add(new ParityScene("hint set in three frames", "Does a hint outlive its frame?", 8, (d, f, frame, layer) =>
            {
                f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), 1f);
                if (frame < 3) f.SetHint(AvatarIKHint.RightElbow, d.At(1f, 0.8f, 0f), 1f);
            }));
            all.Add(new ParityScene("values before anything is set", "What do getters and weights start from?", 3, ReadAll));
            all.Add(new ParityScene("values before anything is set, Foot IK on", "The same with Foot IK of the state.", 3, ReadAll, new FigureSettings { FootIK = true }));
        }

        private static void ReadAll(ParityDriver d, IKFace f, int frame, int layer)
        {
            for (int i = 0; i < 4; i++)
            {
                d.Record(goals[i] + " goal", f.GetPosition(goals[i]));
                d.Record(goals[i] + " goal rotation", f.GetRotation(goals[i]));
                d.Record(goals[i] + " position weight", f.GetPositionWeight(goals[i]));
                d.Record(goals[i] + " rotation weight", f.GetRotationWeight(goals[i]));
                d.Record(hints[i] + " hint", f.GetHint(hints[i]));
                d.Record(hints[i] + " hint weight", f.GetHintWeight(hints[i]));
            }
            d.Record("body position", f.BodyPosition);
            d.Record("body rotation", f.BodyRotation);
        }

        private static void Goals(List<ParityScene> all)
        {
            foreach (float weight in new[] { 0.25f, 0.5f, 1f })
            {
                float w = weight;
                all.Add(new ParityScene("hands and feet at weight " + w, "Interpolation law of position weights.", 3, (d, f, frame, layer) =>
                {
                    f.SetPosition(AvatarIKGoal.LeftFoot, d.At(-0.15f, 0.25f, 0.2f), w);
                    f.SetPosition(AvatarIKGoal.RightFoot, d.At(0.2f, 0.15f, -0.1f), w);
                    f.SetPosition(AvatarIKGoal.LeftHand, d.At(-0.35f, 1.1f, 0.3f), w);
                    f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.3f, 0.35f), w);
                }));
                all.Add(new ParityScene("goal rotations at weight " + w, "Goal frames and the law of rotation weights.", 3, (d, f, frame, layer) =>
                {
                    for (int i = 0; i < 4; i++) f.SetRotation(goals[i], d.transform.rotation * Quaternion.Euler(20f * i, 30f, 10f), w);
                }));
            }
            all.Add(new ParityScene("feet spacing 0.4", "Unit and place of the avatar's feet spacing.", 3, (d, f, frame, layer) =>
            {
                f.SetPosition(AvatarIKGoal.LeftFoot, d.At(-0.05f, 0.1f, 0f), 1f);
                f.SetPosition(AvatarIKGoal.RightFoot, d.At(0.05f, 0.1f, 0f), 1f);
            }, new FigureSettings { FeetSpacing = 0.4f }));
            foreach (float twist in new[] { 0f, 0.5f, 1f })
            {
                all.Add(new ParityScene("hand turned 90 degrees, twist " + twist, "Who takes the roll of the hand?", 3, (d, f, frame, layer) =>
                {
                    f.SetPosition(AvatarIKGoal.RightHand, d.At(0.4f, 1.3f, 0.3f), 1f);
                    f.SetRotation(AvatarIKGoal.RightHand, f.GetRotation(AvatarIKGoal.RightHand) * Quaternion.Euler(0f, 0f, 90f), 1f);
                }, new FigureSettings { Twist = twist }));
            }
            foreach (float reach in new[] { 0.9f, 0.98f, 1f, 1.03f, 1.05f, 1.1f, 1.5f })
            {
                float r = reach;
                all.Add(new ParityScene("reach " + r, "Stretch and softness near full extension.", 3, (d, f, frame, layer) =>
                {
                    Vector3 shoulder = d.Bone("RightUpperArm").position;
                    Vector3 toGoal = (d.At(0.6f, 1.2f, 0.8f) - shoulder).normalized;
                    f.SetPosition(AvatarIKGoal.RightHand, shoulder + toGoal * (0.581f * r), 1f);
                }));
            }
            all.Add(new ParityScene("hints", "How far, and about what, a hint swivels.", 3, (d, f, frame, layer) =>
            {
                f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), 1f);
                f.SetHint(AvatarIKHint.RightElbow, d.At(1f, 0.8f, 0f), 1f);
                f.SetPosition(AvatarIKGoal.LeftFoot, d.At(-0.1f, 0.3f, 0.2f), 1f);
                f.SetHint(AvatarIKHint.LeftKnee, d.At(-1f, 0.6f, 0.5f), 0.5f);
            }));
            all.Add(new ParityScene("hint without goal", "Does a hint act on a limb without goal?", 3, (d, f, frame, layer) =>
                f.SetHint(AvatarIKHint.RightElbow, d.At(1f, 0.8f, 0f), 1f)));
        }

        private static void Shares(List<ParityScene> all)
        {
            foreach (float angle in new[] { 30f, 60f, 90f, 120f, 170f })
            {
                for (int count = 1; count <= 5; count++)
                {
                    float a = angle * Mathf.Deg2Rad;
                    float[] weights = new float[count];
                    for (int i = 0; i < count; i++) weights[i] = i == 0 ? 1f : i == 1 ? 0.3f : i == 2 ? 0.8f : i == 3 ? 1f : 0.5f;
                    all.Add(new ParityScene("look-at " + angle + " degrees, " + count + " weights", "Shares of body, head and eyes; fill-in values.", 2,
                        (d, f, frame, layer) => f.LookAt(d.At(3f * Mathf.Sin(a), 1.6f, 3f * Mathf.Cos(a)), weights)));
                }
            }
            foreach (float clamp in new[] { 0f, 0.25f, 0.5f, 0.8f, 1f })
            {
                float c = clamp;
                all.Add(new ParityScene("clamp " + c, "What is clamped, and how softly?", 2, (d, f, frame, layer) =>
                    f.LookAt(d.At(3f, 1.6f, -0.5f), 1f, 0f, 1f, 0f, c)));
            }
            all.Add(new ParityScene("body lowered, feet planted", "Which point is the body, and do the feet stay?", 3, (d, f, frame, layer) =>
            {
                f.SetPosition(AvatarIKGoal.LeftFoot, f.GetPosition(AvatarIKGoal.LeftFoot), 1f);
                f.SetPosition(AvatarIKGoal.RightFoot, f.GetPosition(AvatarIKGoal.RightFoot), 1f);
                f.BodyPosition += new Vector3(0f, -0.12f, 0f);
            }));
            all.Add(new ParityScene("body turned", "What turns with the body rotation?", 3, (d, f, frame, layer) =>
                f.BodyRotation = f.BodyRotation * Quaternion.Euler(0f, 25f, 0f)));
            all.Add(new ParityScene("bone rotations", "Do they count for one frame, and in which space?", 6, (d, f, frame, layer) =>
            {
                if (frame < 3) f.SetBone(HumanBodyBones.Spine, Quaternion.Euler(15f, 20f, 0f));
            }));
        }

        private static void Odd(List<ParityScene> all)
        {
            foreach (float weight in new[] { -0.5f, 1.5f, 2f })
            {
                float w = weight;
                all.Add(new ParityScene("weight " + w, "Weights outside 0 to 1.", 3, (d, f, frame, layer) =>
                {
                    f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), w);
                    d.Record("weight read back", f.GetPositionWeight(AvatarIKGoal.RightHand));
                    f.LookAt(d.At(2f, 1.6f, 2f), w);
                }));
            }
            foreach (float weight in new[] { 0f, 1f })
            {
                float w = weight;
                all.Add(new ParityScene("zero quaternion at weight " + w, "A rotation of zero length.", 3, (d, f, frame, layer) =>
                    f.SetRotation(AvatarIKGoal.LeftFoot, new Quaternion(0f, 0f, 0f, 0f), w)));
            }
            all.Add(new ParityScene("two layers", "Does each layer get a call, and does the second one find what the first one set?", 3, (d, f, frame, layer) =>
            {
                d.Record("weight found in layer " + layer, f.GetPositionWeight(AvatarIKGoal.RightHand));
                if (layer == 0) f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), 1f);
                f.BodyPosition += new Vector3(0f, -0.04f, 0f);
            }, new FigureSettings { Layers = 2 }));
            all.Add(new ParityScene("bone turned in the callback", "Is a Transform that the callback turns kept?", 4, (d, f, frame, layer) =>
            {
                Transform spine = d.Bone("Spine");
                d.Record("spine in the callback", spine.rotation);
                spine.localRotation = spine.localRotation * Quaternion.Euler(0f, 20f, 0f);
            }));
            all.Add(new ParityScene("transforms in the callback", "Which frame's pose do Transforms hold in the callback?", 4, (d, f, frame, layer) =>
            {
                f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f + 0.05f * frame, 0.35f), 1f);
                d.Record("hand in the callback", d.Bone("RightHand").position);
            }));
            all.Add(new ParityScene("Animate Physics", "Do goals and getters of a physics step's callback count as in any other?", 6, (d, f, frame, layer) =>
            {
                d.Record("weight before", f.GetPositionWeight(AvatarIKGoal.RightHand));
                d.Record("left foot's goal", f.GetPosition(AvatarIKGoal.LeftFoot));
                if (frame < 3) f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), 1f);
            }, new FigureSettings { IsStepped = true }));
            all.Add(new ParityScene("culled", "Callbacks and pose while nobody sees the character.", 4, (d, f, frame, layer) =>
                f.SetPosition(AvatarIKGoal.RightHand, d.At(0.3f, 1.2f, 0.35f), 1f),
                new FigureSettings { Culling = AnimatorCullingMode.CullUpdateTransforms, HasHiddenRenderer = true }));
        }
    }
}
#endif
