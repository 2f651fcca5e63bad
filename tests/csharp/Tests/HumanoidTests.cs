using System;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>What SinewAnimator and NativeAnimator have beyond Unity's Animator: help from the
    /// body, twist, switches, matching.</summary>
    public sealed class HumanoidTests
    {
        private const float Step = 1f / 60f;
        private static readonly Vector3 Far = new Vector3(0.35f, 1.55f, 0.62f); // beyond the right arm's reach

        [Test]
        public void TheBodyHelpsWhenTheInspectorSaysSo()
        {
            Action<SinewAnimator>[] helpers =
            {
                delegate { },
                delegate (SinewAnimator a) { a.rightShoulderWeight = 1f; },
                delegate (SinewAnimator a) { a.spineWeight = 1f; },
                delegate (SinewAnimator a) { a.rightHandPullWeight = 1f; },
            };
            float[] off = new float[4];
            for (int i = 0; i < 4; i++)
            {
                TestRig rig = new TestRig().Start();
                rig.PoseIdle();
                Player.Frame(Step);
                Vector3 hips = rig["Hips"].position, clavicle = rig["RightUpperArm"].position;
                Quaternion spine = rig["Spine"].rotation;
                helpers[i](rig.Animator);
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, Far);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(Step);
                off[i] = Vector3.Distance(Far, rig["RightHand"].position);
                Assert.AreEqual(i != 0, Vector3.Distance(clavicle, rig["RightUpperArm"].position) > 1e-3f, "shoulder, helper " + i);
                Assert.AreEqual(i == 2, Quaternion.Angle(spine, rig["Spine"].rotation) > 0.5f, "spine, helper " + i);
                Assert.AreEqual(i == 3, Vector3.Distance(hips, rig["Hips"].position) > 1e-3f, "hips, helper " + i);
                Player.Clear();
            }
            Assert.Greater(off[0], 0.05, "metres without help");
            Assert.Less(off[1], off[0] - 0.01f, "metres with the shoulder");
            Assert.Less(off[2], 0.01, "metres with the spine");
            Assert.Less(off[3], 0.005, "metres with the hips");
        }

        [Test]
        public void TwistAndFeetSpacingComeFromTheFieldsOrTheAnimatorsAvatar()
        {
            foreach (bool withUnity in new[] { false, true })
            {
                foreach (float twist in new[] { 0f, 1f })
                {
                    TestRig rig = new TestRig();
                    if (withUnity)
                    {
                        Animator unity = rig.AddUnityAnimator(false);
                        HumanDescription description = unity.avatar.humanDescription;
                        description.lowerArmTwist = twist;
                        description.feetSpacing = 0.4f;
                        unity.avatar = new Avatar(true, description);
                    }
                    rig.Start();
                    if (!withUnity)
                    {
                        rig.Animator.lowerArmTwist = twist;
                        rig.Animator.feetSpacing = 0.4f;
                        rig.Animator.Rebind();
                    }
                    string where = rig.Animator.rigDescription + " twist " + twist;
                    rig.Animator.SetIKRotation(AvatarIKGoal.RightHand, Quaternion.AngleAxis(40f, Vector3.right) * rig.Animator.GetIKRotation(AvatarIKGoal.RightHand));
                    rig.Animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
                    Player.Frame(Step);
                    Assert.AreEqual(40f * (1f - twist), Quaternion.Angle(Quaternion.identity, rig["RightLowerArm"].rotation), 0.05, where + ": the forearm");
                    Assert.AreEqual(40f, Quaternion.Angle(Quaternion.identity, rig["RightHand"].rotation), 0.05, where + ": the hand");
                    Assert.AreEqual(0.4f * rig.Animator.humanScale, rig["RightFoot"].position.x - rig["LeftFoot"].position.x, 1e-3, where + ": feet");
                    Player.Clear();
                }
            }
        }

        [Test]
        public void LimitsHoldWhenTheyAreOnAndMayBeOnesOwn()
        {
            for (int kind = 0; kind < 3; kind++) // off, people's, own
            {
                TestRig rig = new TestRig().Start();
                SinewAnimator animator = rig.Animator;
                if (kind == 2)
                {
                    HumanRangeEntry hand = HumanRangeEntry.People(HumanBodyBones.RightHand);
                    HumanRangeEntry forearm = HumanRangeEntry.People(HumanBodyBones.RightLowerArm);
                    Assert.AreEqual(90f, hand.bendMax, 1e-3);
                    hand.twistMin = forearm.twistMin = -180f;
                    hand.twistMax = forearm.twistMax = 180f;
                    animator.humanRanges = new[] { hand, forearm };
                    animator.Rebind();
                }
                animator.limitsEnabled = kind > 0;
                Quaternion wanted = Quaternion.AngleAxis(110f, Vector3.right) * animator.GetIKRotation(AvatarIKGoal.RightHand);
                animator.SetIKRotation(AvatarIKGoal.RightHand, wanted);
                animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(Step);
                float off = Math.Abs(110f - Quaternion.Angle(Quaternion.identity, rig["RightHand"].rotation));
                float beyond = animator.GetLimitViolation(HumanBodyBones.RightHand) * Mathf.Rad2Deg;
                Outcome outcome = animator.GetIKOutcome(AvatarIKGoal.RightHand);
                if (kind == 0) Assert.Greater(beyond, 10.0, "degrees beyond, limits off");
                else Assert.Less(beyond, 0.1, "degrees beyond, limits on, kind " + kind);
                Assert.AreEqual(kind != 1, outcome.IsReached, "kind " + kind + ": " + outcome);
                Assert.AreEqual(kind == 1, off > 10f, "kind " + kind + ": the hand is off by " + off);
                Assert.AreEqual(0f, animator.GetLimitViolation(HumanBodyBones.Jaw), "a bone the rig has not");
                TestRig.AssertNear(Quaternion.identity, rig["LeftHand"].rotation, 1e-3f, "the other hand");
                Player.Clear();
            }
        }

        [Test]
        public void SwitchesTakeTheirTime()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            SinewAnimator animator = rig.Animator;
            animator.rightHandInertializationTime = 0.5f;
            Vector3 first = new Vector3(0.3f, 1.3f, 0.35f), second = new Vector3(0.45f, 1.0f, 0.25f);
            Player.Frame(Step);
            Vector3 last = rig["RightHand"].position;
            Assert.IsFalse(animator.IsInertializing(AvatarIKGoal.RightHand));
            double worst = 0.0;
            for (int i = 0; i < 120; i++)
            {
                if (i == 0)
                {
                    animator.SetIKPosition(AvatarIKGoal.RightHand, first);
                    animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                }
                if (i == 60)
                {
                    TestRig.AssertNear(first, rig["RightHand"].position, 2e-3f, "the first goal after a second");
                    animator.Inertialize(AvatarIKGoal.RightHand);
                    animator.SetIKPosition(AvatarIKGoal.RightHand, second);
                }
                Player.Frame(Step);
                if (i % 60 == 0) Assert.IsTrue(animator.IsInertializing(AvatarIKGoal.RightHand), "frame " + i);
                worst = Math.Max(worst, Vector3.Distance(last, rig["RightHand"].position));
                last = rig["RightHand"].position;
            }
            TestRig.AssertNear(second, last, 2e-3f, "the second goal after another second");
            Assert.Less(worst, 0.08, "metres in one frame");
            animator.rightHandInertializationTime = 0f;
            Player.Frame(Step);
            TestRig.AssertNear(second, rig["RightHand"].position, 1e-4f, "without a switch time it is there at once");
            Assert.IsFalse(animator.IsInertializing(AvatarIKGoal.RightHand));
        }

        [Test]
        public void TheGazeTakesItsTimeToAnotherTarget()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            SinewAnimator animator = rig.Animator;
            animator.lookAtInertializationTime = 0.5f;
            Transform head = rig["Head"];
            Vector3 first = head.position + new Vector3(1.5f, 0f, 1.5f), second = head.position + new Vector3(-1.5f, 0f, 1.5f);
            animator.SetLookAtWeight(1f, 0f, 1f, 0f, 0.5f);
            animator.SetLookAtPosition(first);
            Player.Frame(Step);
            animator.SetLookAtWeight(1f, 0f, 1f, 0f, 0.5f);
            animator.SetLookAtPosition(first);
            for (int i = 0; i < 60; i++) Player.Frame(Step);
            Assert.IsFalse(animator.IsLookAtInertializing());
            Quaternion before = head.rotation, last = before;
            animator.InertializeLookAt();
            animator.SetLookAtPosition(second);
            double worst = 0.0;
            for (int i = 0; i < 60; i++)
            {
                Player.Frame(Step);
                if (i == 0) Assert.IsTrue(animator.IsLookAtInertializing());
                worst = Math.Max(worst, Quaternion.Angle(last, head.rotation));
                last = head.rotation;
            }
            Assert.Greater(Quaternion.Angle(before, last), 80.0, "degrees from the first target");
            Assert.Less(worst, 8.0, "degrees in one frame");
        }

        [Test]
        public void GoalsInTheBonesFrameAreItsTransformsRotation()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Player.Frame(Step);
            for (int i = 0; i < 4; i++)
            {
                AvatarIKGoal goal = (AvatarIKGoal)i;
                Transform bone = rig[goal.ToString()];
                TestRig.AssertNear(bone.rotation, rig.Animator.GetIKRotationBone(goal), 0.01f, goal + " before a set");
                Quaternion wanted = Quaternion.AngleAxis(25f, new Vector3(1f, i, 0.5f)) * bone.rotation;
                rig.Animator.SetIKRotationBone(goal, wanted);
                rig.Animator.SetIKRotationWeight(goal, 1f);
                TestRig.AssertNear(wanted, rig.Animator.GetIKRotationBone(goal), 0.01f, goal + " as set");
                Player.Frame(Step);
                TestRig.AssertNear(wanted, bone.rotation, 0.02f, goal + " solved");
            }
        }

        [Test]
        public void HandsStayWithJointsThatTheSameSolveMoves()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            Vector3 strap = new Vector3(0.05f, 0.2f, 0.25f), grip = new Vector3(-0.08f, 0.02f, 0.06f), palm = new Vector3(0.03f, -0.02f, 0.01f);
            rig.Animator.SetIKGoalSpace(AvatarIKGoal.RightHand, HumanBodyBones.Chest);
            rig.Animator.SetIKGoalSpace(AvatarIKGoal.LeftHand, rig["RightHand"]);
            rig.Animator.SetIKEffectorPoint(AvatarIKGoal.LeftHand, palm);
            // What was not set is where the animation has it, in the space and at the point.
            Vector3 animated = rig.Animator.GetIKPosition(AvatarIKGoal.LeftHand);
            TestRig.AssertNear(rig["LeftHand"].TransformPoint(palm), rig["RightHand"].TransformPoint(animated), 1e-4f, "the animation's place");
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, strap);
            rig.Animator.SetIKPosition(AvatarIKGoal.LeftHand, grip);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
            rig.Animator.SetLookAtWeight(1f, 0.8f, 0.5f, 0f, 0f);
            Vector3 first = Vector3.zero, last = Vector3.zero;
            for (int i = 0; i < 12; i++)
            {
                rig.Animator.SetLookAtPosition(new Vector3(2f - 0.4f * i, 1.2f + 0.05f * i, 2f));
                Player.Frame(Step);
                TestRig.AssertNear(rig["Chest"].TransformPoint(strap), rig["RightHand"].position, 1e-4f, "strap, frame " + i);
                TestRig.AssertNear(rig["RightHand"].TransformPoint(grip), rig["LeftHand"].TransformPoint(palm), 1e-4f, "grip, frame " + i);
                Assert.AreEqual(SinewStatus.Reached, rig.Animator.GetIKOutcome(AvatarIKGoal.LeftHand).Status);
                if (i == 0) first = rig["RightHand"].position;
                last = rig["RightHand"].position;
            }
            Assert.IsTrue((last - first).magnitude > 0.05f, "the chest has turned");
            Assert.AreEqual(rig["Chest"], rig.Animator.GetIKGoalSpace(AvatarIKGoal.RightHand));
            Assert.IsTrue(rig.Animator.GetIKGoalSpace(AvatarIKGoal.LeftFoot) == null);
            TestRig.AssertNear(palm, rig.Animator.GetIKEffectorPoint(AvatarIKGoal.LeftHand), 0f, "the palm");
            rig.Animator.SetIKPosition(AvatarIKGoal.LeftHand, grip);
            TestRig.AssertNear(grip, rig.Animator.GetIKPosition(AvatarIKGoal.LeftHand), 0f, "as set");

            Assert.AreEqual(SinewResult.ErrorInvalidArgument,
                Assert.Throws<SinewException>(delegate { rig.Animator.SetIKGoalSpace(AvatarIKGoal.RightHand, rig["LeftLowerArm"]); }).Result);
            Assert.AreEqual(SinewResult.ErrorInvalidArgument,
                Assert.Throws<SinewException>(delegate { rig.Animator.SetIKGoalSpace(AvatarIKGoal.LeftFoot, HumanBodyBones.LeftToes); }).Result);
            Assert.AreEqual(SinewResult.ErrorJointNotFound,
                Assert.Throws<SinewException>(delegate { rig.Animator.SetIKGoalSpace(AvatarIKGoal.LeftFoot, new GameObject().transform); }).Result);
            rig.Animator.SetIKGoalSpace(AvatarIKGoal.RightHand, null);
            Assert.IsTrue(rig.Animator.GetIKGoalSpace(AvatarIKGoal.RightHand) == null);
        }

        [Test]
        public void GoalsOfTheComponentKeepTheirPlaceOnAJoint()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            Vector3 strap = new Vector3(0.05f, 0.2f, 0.25f), palm = new Vector3(0.03f, -0.02f, 0.01f);
            Transform target = new GameObject("Strap").transform;
            target.SetParent(rig["Chest"], false);
            target.localPosition = strap;
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            goals.rightHand.target = target;
            goals.rightHand.space = rig["Chest"];
            goals.rightHand.effectorPoint = palm;
            goals.rightHand.rotationWeight = 1f;
            goals.lookAt = new GameObject("Seen").transform;
            goals.lookAtBody = 0.8f;
            for (int i = 0; i < 12; i++)
            {
                goals.lookAt.position = new Vector3(2f - 0.4f * i, 1.2f, 2f);
                Player.Frame(Step);
                TestRig.AssertNear(rig["Chest"].TransformPoint(strap), rig["RightHand"].TransformPoint(palm), 1e-4f, "strap, frame " + i);
            }
            // A joint of its own arm is refused, and named once.
            goals.rightHand.space = rig["RightLowerArm"];
            for (int i = 0; i < 3; i++) Player.Frame(Step);
            Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("RightHand is in world space"), Debug.Lines[0]);
            Debug.Lines.Clear();
            Assert.IsTrue(rig.Animator.GetIKGoalSpace(AvatarIKGoal.RightHand) == null);
            goals.rightHand.space = rig["Chest"];
            Player.Frame(Step);
            Assert.AreEqual(rig["Chest"], rig.Animator.GetIKGoalSpace(AvatarIKGoal.RightHand));
            goals.enabled = false;
            Assert.IsTrue(rig.Animator.GetIKGoalSpace(AvatarIKGoal.RightHand) == null);
            TestRig.AssertNear(Vector3.zero, rig.Animator.GetIKEffectorPoint(AvatarIKGoal.RightHand), 0f, "no point");
        }

        [Test]
        public void GoalsFromThePoseLeaveItAlone()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Player.Frame(Step);
            TransformData[] before = rig.Snapshot();
            rig.Animator.MatchGoalsFromPose();
            for (int i = 0; i < 4; i++)
            {
                rig.Animator.SetIKPositionWeight((AvatarIKGoal)i, 1f);
                rig.Animator.SetIKRotationWeight((AvatarIKGoal)i, 1f);
                rig.Animator.SetIKHintPositionWeight((AvatarIKHint)i, 1f);
            }
            rig.Animator.SetLookAtWeight(1f, 0.3f, 1f, 0f, 0f);
            Player.Frame(Step);
            for (int i = 0; i < before.Length; i++)
                TestRig.AssertNear(before[i].Rotation, rig.Joints[i].localRotation, 0.05f, rig.HumanNames[i]);
        }

        [Test]
        public void ThePoseFromGoalsStays()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.3f, 1.3f, 0.35f));
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(Step);
            TransformData[] solved = rig.Snapshot();
            rig.Animator.MatchPoseFromGoals();
            rig.AssertPose(solved, "matched");
            Assert.AreEqual(0f, rig.Animator.GetIKPositionWeight(AvatarIKGoal.RightHand));
            for (int i = 0; i < 3; i++)
            {
                Player.Frame(Step);
                rig.AssertPose(solved, "frame " + i + " after matching");
            }
            // In a callback as well, and a new animation takes over.
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                animator.SetIKPosition(AvatarIKGoal.LeftHand, new Vector3(-0.3f, 1.3f, 0.35f));
                animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
                animator.MatchPoseFromGoals();
            };
            Player.Frame(Step);
            script.Do = null;
            TestRig.AssertNear(new Vector3(-0.3f, 1.3f, 0.35f), rig["LeftHand"].position, 1e-3f, "matched in a callback");
            solved = rig.Snapshot();
            Player.Frame(Step);
            rig.AssertPose(solved, "the frame after the callback");
            rig.PoseIdle();
            TransformData[] idle = rig.Snapshot();
            Player.Frame(Step);
            rig.AssertPose(idle, "a new animation");
        }

        [Test]
        public void ElbowsLeaveTheTrunk()
        {
            TestRig rig = new TestRig().Start();
            rig.Animator.solveTime = SolveTime.Manual;
            int inside = 0, still = 0;
            for (int number = 0; number < 25; number++)
            {
                float[] outside = new float[2];
                Vector3[] hands = new Vector3[2];
                for (int on = 0; on < 2; on++)
                {
                    rig.PoseIdle();
                    Vector3 shoulder = rig["RightUpperArm"].position;
                    float inward = Mathf.Sign(rig["Hips"].position.x - shoulder.x);
                    Vector3 goal = shoulder + new Vector3(inward * (0.06f * (number % 5) - 0.02f), 0.1f * (number / 5) - 0.35f, 0.2f);
                    rig.Animator.trunkAvoidance = on;
                    rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                    rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                    rig.Animator.Solve();
                    outside[on] = OutOfTheTrunk(rig);
                    hands[on] = rig["RightHand"].position;
                }
                Assert.Less((hands[0] - hands[1]).magnitude, 1e-4f, "the hand stays");
                Assert.IsTrue(outside[0] < 1f || outside[1] > 0.999f, "goal " + number + ": " + outside[0] + " to " + outside[1]);
                if (outside[0] < 0.99f) inside++;
                if (outside[1] < 0.99f) still++;
            }
            Assert.IsTrue(inside > 3 && 4 * still <= inside, inside + " inside, " + still + " with trunkAvoidance");
        }

        /// <summary>How far out of the trunk the right elbow is; 1 on the surface.</summary>
        private static float OutOfTheTrunk(TestRig rig)
        {
            Vector3 left = rig["LeftUpperArm"].position, right = rig["RightUpperArm"].position, hips = rig["Hips"].position;
            Vector3 side = (right - left).normalized, line = (left + right) * 0.5f - hips;
            Vector3 from = rig["RightLowerArm"].position - hips;
            Vector3 off = from - line * Mathf.Clamp01(Vector3.Dot(from, line) / line.sqrMagnitude);
            float sideways = Vector3.Dot(off, side);
            Vector3 rest = off - side * sideways;
            return Mathf.Sqrt(sideways * sideways / 0.81f + rest.sqrMagnitude / 0.49f) / (0.5f * (right - left).magnitude);
        }

        [Test]
        public void ThePoseFromGoalsIsThatOfAPassAlsoBeforeTheFirstOne()
        {
            TransformData[][] poses = new TransformData[3][];
            for (int run = 0; run < 3; run++)
            {
                // A pass; goals and settings before the first pass; settings after one.
                TestRig rig = new TestRig().Start();
                rig.Animator.solveTime = SolveTime.Manual;
                rig.PoseIdle();
                if (run == 2) rig.Animator.Solve();
                rig.Animator.limitsEnabled = true;
                rig.Animator.bendWeight = 0.7f;
                rig.Animator.leftShoulderWeight = 1f;
                SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
                chain.jointCount = 2;
                chain.target = new GameObject("Target").transform;
                chain.target.position = new Vector3(-0.3f, 1.2f, 0.3f);
                rig.PoseIdle();
                rig.Animator.SetBoneLocalRotation(HumanBodyBones.Head, Quaternion.Euler(0f, 20f, 0f));
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.15f, 1.5f, -0.5f));
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                if (run == 0) rig.Animator.Solve();
                else rig.Animator.MatchPoseFromGoals();
                poses[run] = rig.Snapshot();
                if (run > 0)
                {
                    // All of it is in the pose: the next pass adds nothing to it.
                    chain.enabled = false;
                    rig.Animator.Solve();
                    rig.AssertPose(poses[run], "the pass after it, run " + run);
                }
                Player.Clear();
            }
            for (int run = 1; run < 3; run++)
                for (int i = 0; i < poses[0].Length; i++)
                    Assert.Less(Quaternion.Angle(poses[0][i].Rotation, poses[run][i].Rotation), 0.05f, "degrees of joint " + i + " off a pass, run " + run);
        }

        [Test]
        public void TheEngineFreeClassHasItAll()
        {
            using (NativeAnimator animator = Natives.Animator())
            {
                SinewHumanoidSettings settings = animator.Settings;
                Assert.AreEqual(NativeAnimator.DefaultSettings().struct_size, settings.struct_size);
                Assert.AreEqual(0f, settings.spine_weight + settings.shoulder_weights1 + settings.pull_weights3 + settings.inertialization_times_s2);
                settings.spine_weight = 4f;
                settings.inertialization_times_s3 = 0.25f;
                animator.Settings = settings;
                Assert.AreEqual(1f, animator.Settings.spine_weight);
                settings.pull_weights0 = float.NaN;
                Assert.AreEqual(SinewResult.ErrorNotFinite, Assert.Throws<SinewException>(delegate { animator.Settings = settings; }).Result);
                settings.struct_size = 3;
                Assert.AreEqual(SinewResult.ErrorStructSize, Assert.Throws<SinewException>(delegate { animator.Settings = settings; }).Result);

                animator.Solve();
                animator.SetIKPosition(SinewIkGoal.RightHand, new SinewVec3 { x = 0.3f, y = 1.3f, z = 0.35f });
                animator.SetIKPositionWeight(SinewIkGoal.RightHand, 1f);
                animator.Advance(0.02f);
                animator.Solve();
                Assert.IsTrue(animator.IsInertializing(SinewIkGoal.RightHand));
                Assert.IsFalse(animator.IsInertializing(SinewIkGoal.LeftHand));
                animator.Inertialize(SinewIkGoal.RightHand);
                animator.SetIKRotationBone(SinewIkGoal.LeftHand, animator.GetIKRotationBone(SinewIkGoal.LeftHand));
                animator.MatchPoseFromGoals();
                animator.MatchGoalsFromPose();

                SinewMatchTarget target = NativeAnimator.DefaultMatchTarget();
                target.part = (int)SinewAvatarTarget.RightFoot;
                target.position = new SinewVec3 { x = 1f, y = 2f, z = 3f };
                animator.Root = animator.MatchTarget(target, 0f, 1f);
                SinewVec3 position;
                SinewQuat rotation;
                animator.GetTargetPose(SinewAvatarTarget.RightFoot, out position, out rotation);
                Assert.AreEqual(2.0, position.y, 1e-4);
                Assert.AreEqual(1.0, Math.Abs(rotation.w), 1e-4);
                target.part = 9;
                Assert.AreEqual(SinewResult.ErrorInvalidEnum, Assert.Throws<SinewException>(delegate { animator.MatchTarget(target, 0f, 1f); }).Result);
            }
            using (NativeSkeleton skeleton = Natives.Skeleton())
            {
                AvatarOptions options = new AvatarOptions { FeetSpacing = 1.5f };
                Assert.AreEqual(SinewResult.ErrorInvalidArgument,
                    Assert.Throws<SinewException>(delegate { new NativeAvatar(skeleton, Natives.HumanJoints, null, options); }).Result);
                SinewHumanRange range = NativeAvatar.DefaultHumanRange(SinewHumanBone.LeftHand);
                range.side_max_rad = range.side_min_rad - 1f;
                options = new AvatarOptions { HumanRanges = new[] { range } };
                Assert.AreEqual(SinewResult.ErrorInvalidArgument,
                    Assert.Throws<SinewException>(delegate { new NativeAvatar(skeleton, Natives.HumanJoints, null, options); }).Result);
                options = new AvatarOptions { UpperLegTwist = float.NaN };
                Assert.AreEqual(SinewResult.ErrorNotFinite,
                    Assert.Throws<SinewException>(delegate { new NativeAvatar(skeleton, Natives.HumanJoints, null, options); }).Result);
            }
        }

        [Test]
        public void EffectorsOfTheBodySolverAreMetAndLetGo()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            rig.Animator.bodySolver = SinewBodySolverMode.Converge;
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            Player.Frame(0.02f);
            Vector3 hips = rig["Hips"].position, foot = rig["LeftFoot"].position, knee = rig["RightLowerLeg"].position;
            Transform target = new GameObject("Hips Goal").transform;
            target.position = hips + new Vector3(0.05f, -0.08f, 0.03f);
            Transform turned = new GameObject("Head Goal").transform;
            turned.rotation = Quaternion.Euler(0f, 20f, 0f);
            goals.effectors.Add(new BodyEffectorGoal { part = SinewHumanEffector.Hips, target = target });
            goals.effectors.Add(new BodyEffectorGoal { part = SinewHumanEffector.Head, target = turned, positionWeight = 0f, rotationWeight = 1f });
            goals.effectors.Add(new BodyEffectorGoal { part = SinewHumanEffector.LeftElbow });
            Player.Frame(0.02f);
            TestRig.AssertNear(target.position, rig["Hips"].position, 3e-3f, "the hips");
            TestRig.AssertNear(foot, rig["LeftFoot"].position, 3e-3f, "the foot stays");
            TestRig.AssertNear(turned.rotation, rig["Head"].rotation, 1.5f, "the head");
            goals.weight = 0.5f;
            Player.Frame(0.02f);
            TestRig.AssertNear(Vector3.Lerp(hips, target.position, 0.5f), rig["Hips"].position, 5e-3f, "half the weight");
            goals.weight = 1f;
            UnityEngine.Object.DestroyImmediate(target.gameObject);
            Player.Frame(0.02f);
            TestRig.AssertNear(hips, rig["Hips"].position, 3e-3f, "a target that is gone lets go");
            goals.enabled = false;
            Player.Frame(0.02f);
            Assert.Less(Quaternion.Angle(turned.rotation, rig["Head"].rotation), 20.5);
            Assert.Greater(Quaternion.Angle(turned.rotation, rig["Head"].rotation), 18.0, "a disabled component lets go");
            TestRig.AssertNear(knee, rig["RightLowerLeg"].position, 3e-3f, "the knee is back");
        }

        private static float LeftHandMisses(float importance, int level)
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            rig.Animator.bodySolver = SinewBodySolverMode.Converge;
            Player.Frame(0.02f);
            Vector3 way = rig["LeftHand"].position - rig["RightHand"].position;
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            goals.leftHand.target = new GameObject("Left").transform;
            goals.leftHand.target.position = rig["LeftHand"].position + way * 1.5f;
            goals.rightHand.target = new GameObject("Right").transform;
            goals.rightHand.target.position = rig["RightHand"].position - way * 1.5f;
            rig.Animator.leftHandPriority = new GoalPriority(level) { positionImportance = importance };
            Player.Frame(0.02f);
            return Vector3.Distance(goals.leftHand.target.position, rig["LeftHand"].position);
        }

        [Test]
        public void TheMoreImportantHandEndsNearer()
        {
            float even = LeftHandMisses(1f, 1);
            Assert.Less(LeftHandMisses(10f, 1), even - 0.01f, "importance 10");
            Assert.Greater(LeftHandMisses(0.1f, 1), even + 0.01f, "importance 0.1");
            Assert.Greater(LeftHandMisses(1f, 2), even + 0.01f, "level 2");
            Assert.AreEqual(even, LeftHandMisses(0f, 1), 0f, "0 counts as 1");
        }

        [Test]
        public void EffectorsHavePriorities()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            rig.Animator.bodySolver = SinewBodySolverMode.Converge;
            Player.Frame(0.02f);
            Vector3 head = rig["Head"].position, hips = rig["Hips"].position;
            // Head and hips are pulled apart.
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            Transform up = new GameObject("Up").transform, down = new GameObject("Down").transform;
            up.position = head + Vector3.up * 0.3f;
            down.position = hips - Vector3.up * 0.1f;
            goals.effectors.Add(new BodyEffectorGoal { part = SinewHumanEffector.Head, target = up });
            goals.effectors.Add(new BodyEffectorGoal { part = SinewHumanEffector.Hips, target = down });
            Player.Frame(0.02f);
            float even = Vector3.Distance(down.position, rig["Hips"].position);
            goals.effectors[1].priority.positionImportance = 50f;
            Player.Frame(0.02f);
            Assert.Less(Vector3.Distance(down.position, rig["Hips"].position), even * 0.5f, "the hips");
            goals.effectors[1].priority = new GoalPriority(1);
            Player.Frame(0.02f);
            Assert.AreEqual(even, Vector3.Distance(down.position, rig["Hips"].position), 1e-3f, "as before");
        }

        [Test]
        public void BadNumbersOfEffectorsAreNoGoal()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            rig.Animator.bodySolver = SinewBodySolverMode.Converge;
            Player.Frame(0.02f);
            Vector3 hips = rig["Hips"].position;
            rig.Animator.SetBodyEffectorPosition(SinewHumanEffector.Hips, new Vector3(0f, float.NaN, 0f), 1f);
            rig.Animator.SetBodyEffectorRotation(SinewHumanEffector.Hips, default(Quaternion), 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(hips, rig["Hips"].position, 3e-3f, "the hips");
            Assert.AreEqual(1, Debug.Lines.Count, "one warning");
            Debug.Lines.Clear();
            rig.Animator.SetBodyEffectorPosition(SinewHumanEffector.Hips, hips + Vector3.down * 0.05f, 2f);
            Player.Frame(0.02f);
            TestRig.AssertNear(hips + Vector3.down * 0.05f, rig["Hips"].position, 3e-3f, "a weight of 2 is 1");
        }

        // Scripts set fields without the Inspector's sliders.
        [Test]
        public void OptionsBeyondTheirRangesMakeNoOtherCharacter()
        {
            foreach (bool isOfTable in new[] { false, true })
            {
                TestRig rig = new TestRig();
                SinewAnimator animator = rig.Root.AddComponent<SinewAnimator>();
                if (isOfTable) animator.humanBones = rig.Table();
                animator.armStretch = 1.01f;
                animator.legStretch = float.NaN;
                animator.upperArmTwist = -0.01f;
                animator.feetSpacing = 7f;
                animator.upHint = new Vector3(float.NaN, 1f, 0f);
                animator.humanRanges = new[]
                {
                    new HumanRangeEntry { bone = HumanBodyBones.LeftLowerArm, bendMin = 50f, bendMax = -50f },
                    new HumanRangeEntry { bone = (HumanBodyBones)99 },
                    new HumanRangeEntry { bone = HumanBodyBones.RightLowerArm, bendMin = -10f, bendMax = 400f, twistMax = float.NaN },
                    new HumanRangeEntry { bone = HumanBodyBones.Head, bendMin = -400f, bendMax = 400f },
                };
                Player.Animation = rig.PoseIdle;
                rig.Root.SetActive(true);
                Assert.IsTrue(animator.isHuman, animator.rigDescription);
                for (int i = 0; i < 2; i++)
                {
                    string[] parts = { "humanRanges[0] is left out: its bend is from 50 to -50", "humanRanges[1]", "humanRanges[2]" };
                    Assert.AreEqual(parts.Length, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
                    for (int j = 0; j < parts.Length; j++) Assert.IsTrue(Debug.Lines[j].Contains(parts[j]), Debug.Lines[j]);
                    // Not again at each enabling.
                    animator.enabled = false;
                    animator.enabled = true;
                }
                Debug.Lines.Clear();
                Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);
                animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand");
            }
        }

        [Test]
        public void AnAnimatorOnAnotherObjectIsPointedTo()
        {
            TestRig rig = new TestRig("*");
            rig.AddUnityAnimator(true);
            Transform twist = rig["LeftHand"]; // a rig that no name or shape makes a humanoid
            while (twist.childCount > 0) twist.GetChild(0).SetParent(rig["Hips"], false);
            rig["RightUpperLeg"].SetParent(rig["Head"], false);
            GameObject player = new GameObject("Player");
            rig.Root.transform.SetParent(player.transform, false);
            rig.Root.SetActive(true);
            foreach (GameObject wrong in new[] { player, rig["Hips"].gameObject })
            {
                SinewAnimator animator = wrong.AddComponent<SinewAnimator>();
                Assert.IsFalse(animator.isHuman, animator.rigDescription);
                string hint = "'Character' has an Animator with a Humanoid avatar: the component belongs there";
                Assert.IsTrue(animator.rigDescription.Contains(hint), animator.rigDescription);
                UnityEngine.Object.DestroyImmediate(animator);
            }
        }
    }
}
