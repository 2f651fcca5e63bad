using System;
using System.Collections.Generic;
using System.IO;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Constraints and joint limits: the engine-free classes, the components, and the bits
    /// of the other hosts.</summary>
    public sealed class ConstraintTests
    {
        private const int Tip = 8, Limb = 11, Copy = 12, Joints = 13;
        private static readonly int[] parents = { -1, 0, 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11 };
        private static readonly float[,] places =
        {
            { 0f, 1f, 0f }, { 0f, 0.25f, 0f }, { 0f, 0.25f, 0f }, { 0f, 0.25f, 0f }, { 0f, 0.25f, 0f }, { 0f, 0.25f, 0f },
            { 0f, 0.25f, 0f }, { 0f, 0.25f, 0f }, { 0f, 0.25f, 0f }, { 0.5f, 0f, 0f }, { 0.375f, -0.0625f, 0.125f },
            { 0.375f, 0f, -0.0625f }, { 0.125f, 0f, 0f },
        };

        /// <summary>The rig of tests/c/tail.h.</summary>
        private static NativeAnimator Tail()
        {
            SinewTransform[] rest = new SinewTransform[Joints];
            for (int i = 0; i < Joints; i++)
            {
                rest[i] = Natives.Identity;
                rest[i].position = Natives.Vec(places[i, 0], places[i, 1], places[i, 2]);
            }
            using (NativeSkeleton skeleton = new NativeSkeleton(parents, rest)) return new NativeAnimator(skeleton);
        }

        /// <summary>The same rig made of GameObjects, its root object named "Crane".</summary>
        private static Transform[] Crane(out SinewAnimator animator)
        {
            GameObject root = new GameObject("Crane");
            root.SetActive(false);
            Transform[] joints = new Transform[Joints];
            for (int i = 0; i < Joints; i++)
            {
                joints[i] = new GameObject("Link" + i).transform;
                joints[i].SetParent(parents[i] < 0 ? root.transform : joints[parents[i]], false);
                joints[i].localPosition = new Vector3(places[i, 0], places[i, 1], places[i, 2]);
            }
            animator = root.AddComponent<SinewAnimator>();
            root.SetActive(true);
            return joints;
        }

        private static Transform Target(float x, float y, float z)
        {
            Transform target = new GameObject("Target").transform;
            target.position = new Vector3(x, y, z);
            return target;
        }

        [Test]
        public void PlacementAndStateReachTheLibrary()
        {
            using (NativeAnimator animator = Tail())
            {
                SinewCopyRotationDef def = NativeAnimator.DefaultCopyRotation();
                def.joint = Copy;
                def.source = Tip;
                SinewConstraint copy = animator.AddCopyRotation(def);
                SinewFrameStep step;
                Assert.AreEqual(SinewConstraintPlacement.Stack, animator.GetConstraintPlacement(copy, out step));
                Assert.AreEqual(SinewFrameStep.Constraints, step);
                animator.SetConstraintPlacement(copy, SinewConstraintPlacement.Before, SinewFrameStep.Limbs);
                Assert.AreEqual(SinewConstraintPlacement.Before, animator.GetConstraintPlacement(copy, out step));
                Assert.AreEqual(SinewFrameStep.Limbs, step);
                byte[] state = new byte[animator.Snapshot(null)];
                Assert.AreEqual(state.Length, animator.Snapshot(state));
                animator.ResetState();
                animator.Restore(state, state.Length);
                Assert.Throws<SinewException>(() => animator.Restore(state, state.Length - 1));
                Assert.Throws<ArgumentNullException>(() => animator.Restore(null, 0));
            }
        }

        // Where nothing animates the joints, their Transforms hold the last result, and what is
        // below them is there, too.
        [Test]
        public void TargetsBelowJointsThatNothingAnimatesStay()
        {
            foreach (int threshold in new[] { 8, 1 })
            {
                SinewRuntime.JobThreshold = threshold;
                TestRig rig = new TestRig("*");
                SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
                chain.jointCount = 3;
                chain.target = Below(rig["RightUpperArm"], 0.35f, 0.15f, 0.25f);
                chain.pole = Below(rig["RightLowerArm"], 0f, -1f, 0.5f);
                SinewAim aim = rig["Head"].gameObject.AddComponent<SinewAim>();
                aim.target = Below(rig["Head"], 0.5f, 0.5f, 1f);
                SinewCopyRotation copy = rig["LeftFoot"].gameObject.AddComponent<SinewCopyRotation>();
                copy.source = Below(rig["LeftFoot"], 0f, 0f, 0f);
                copy.source.localRotation = Quaternion.Euler(0f, 30f, 0f);
                rig.Start();
                Player.Frame(0.02f);
                TransformData[] first = rig.Snapshot();
                Assert.Greater(Vector3.Distance(rig["RightHand"].position, new Vector3(0.765f, 1.421f, -0.018f)), 0.1, "the hand moved");
                for (int i = 0; i < 50; i++) Player.Frame(0.02f);
                rig.AssertPose(first, "50 frames later, jobs from " + threshold);
                SinewRuntime.JobThreshold = 8;
                Player.Clear();
            }
        }

        private static Transform Below(Transform joint, float x, float y, float z)
        {
            Transform made = new GameObject("Target").transform;
            made.SetParent(joint, false);
            made.localPosition = new Vector3(x, y, z);
            return made;
        }

        [Test]
        public unsafe void ThisHostLeavesTheCommittedBits()
        {
            using (NativeAnimator animator = Tail())
            {
                SinewJointLimitsDef ball = NativeAnimator.DefaultJointLimits();
                SinewJointLimitsDef hinge = ball;
                ball.flags = SinewConstants.SINEW_LIMIT_RANGE_X | SinewConstants.SINEW_LIMIT_RANGE_Y | SinewConstants.SINEW_LIMIT_RANGE_Z;
                ball.min_rad = Natives.Vec(-0.5f, -0.125f, -0.25f);
                ball.max_rad = Natives.Vec(0.5f, 0.125f, 0.25f);
                ball.soft_rad = 0.0625f;
                animator.SetJointLimits(3, ball);
                hinge.flags = SinewConstants.SINEW_LIMIT_RANGE_X | SinewConstants.SINEW_LIMIT_LOCK_Y | SinewConstants.SINEW_LIMIT_LOCK_Z;
                hinge.min_rad.x = -1f;
                hinge.max_rad.x = 0.25f;
                hinge.stiffness = Natives.Vec(0.5f, 0.5f, 0.5f);
                hinge.stretch_max = 1.125f;
                hinge.stretch_compliance = 1f;
                animator.SetJointLimits(5, hinge);
                SinewChainDef chain = NativeAnimator.DefaultChain();
                chain.joint_count = 8;
                SinewConstraint tail = animator.AddChain(new[] { new SinewChainEnd { joint = Tip, tip = Natives.Vec(0f, 0.125f, 0f) } }, chain);
                SinewTwoBoneDef limbDef = NativeAnimator.DefaultTwoBone();
                limbDef.end = Limb;
                limbDef.softness = 0.0625f;
                SinewConstraint limb = animator.AddTwoBone(limbDef);
                SinewCopyRotationDef copyDef = NativeAnimator.DefaultCopyRotation();
                copyDef.joint = Copy;
                copyDef.source = Tip;
                copyDef.swing = 0.75f;
                copyDef.twist = 0.5f;
                SinewConstraint copy = animator.AddCopyRotation(copyDef);
                SinewPole pole = NativeAnimator.DefaultPole();
                pole.at = Natives.Vec(1f, 2f, 1f);
                pole.weight = 0.5f;
                animator.SetConstraintPole(limb, pole);
                animator.SetConstraintWeight(tail, 1f);
                animator.SetConstraintWeight(copy, 1f);
                ulong hash = 0xcbf29ce484222325;
                for (int f = 0; f < 32; f++)
                {
                    animator.ResetPose();
                    animator.Pose[2].rotation = new SinewQuat { x = (f % 4) * 0.0625f, z = f * 0.0078125f, w = 1f };
                    animator.SetConstraintPosition(tail, 0, Natives.Vec(0.75f - f * 0.0625f, 1.75f + (f % 8) * 0.03125f, 0.5f - f * 0.03125f));
                    animator.SetConstraintPosition(limb, 0, Natives.Vec(0.75f + (f % 4) * 0.0625f, 0.75f + f * 0.015625f, 0.25f));
                    animator.SetConstraintWeight(limb, f * 0.03125f);
                    animator.Solve();
                    byte* bytes = (byte*)animator.Pose;
                    for (int i = 0; i < Joints * sizeof(SinewTransform); i++) hash = unchecked((hash ^ bytes[i]) * 0x100000001b3);
                }
                string path = Environment.GetEnvironmentVariable("SINEW_GOLDEN_HASHES");
                Assert.IsNotNull(path, "SINEW_GOLDEN_HASHES is not set; run build-and-run.sh");
                bool found = false;
                foreach (string line in File.ReadAllLines(path)) found |= line.Trim() == "tail " + hash.ToString("x16");
                Assert.IsTrue(found, "hash " + hash.ToString("x16") + " is not that of the scene 'tail' in " + path);
            }
        }

        [Test]
        public void TheReadmesTailReaches()
        {
            SinewTransform[] rest = new SinewTransform[Joints];
            for (int i = 0; i < Joints; i++)
            {
                rest[i] = Natives.Identity;
                rest[i].position = Natives.Vec(places[i, 0], places[i, 1], places[i, 2]);
            }
            TextWriter console = Console.Out;
            StringWriter said = new StringWriter();
            Console.SetOut(said);
            try
            {
                Example.Tail(parents, rest, Tip);
            }
            finally
            {
                Console.SetOut(console);
            }
            Assert.AreEqual("reached", said.ToString().Trim());
        }

        [Test]
        public void EveryKindWorksAndAnswersWithoutAvatar()
        {
            using (NativeAnimator animator = Tail())
            {
                SinewConstraint tail = animator.AddChain(Tip, 8, SinewChainSolver.Fabrik);
                Assert.AreEqual(1, animator.GetConstraintEndCount(tail));
                animator.SetConstraintPosition(tail, 0, Natives.Vec(0.5f, 2f, 0.25f));
                animator.SetConstraintAxis(tail, 0, Natives.Vec(0f, 2f, 0f), Natives.Vec(0f, 0f, 1f));
                animator.SetConstraintRotationWeight(tail, 0, 0.5f);
                animator.SetConstraintPositionWeight(tail, 0, 7f);
                animator.SetConstraintDistance(tail, 0, SinewDistanceMode.Inside, 0.125f);
                animator.SetConstraintImportance(tail, 0, 0.5f, 0.25f);
                SinewConstraintGoal goal = animator.GetConstraintGoal(tail, 0);
                Assert.AreEqual(0.5f, goal.position_importance);
                Assert.AreEqual(0.25f, goal.rotation_importance);
                Assert.AreEqual(SinewConstants.SINEW_CONSTRAINT_POSITION | SinewConstants.SINEW_CONSTRAINT_AXIS, goal.set);
                Assert.AreEqual(1f, goal.position_weight);
                Assert.AreEqual(0.125f, goal.radius);
                animator.ClearConstraintGoal(tail, 0);
                Assert.AreEqual(0u, animator.GetConstraintGoal(tail, 0).set);
                animator.SetConstraintPosition(tail, 0, Natives.Vec(0.5f, 2f, 0.25f));
                animator.SetConstraintRotation(tail, 0, new SinewQuat { w = 1f });
                animator.SetConstraintWeight(tail, 1f);
                animator.Solve();
                Assert.IsTrue(animator.GetConstraintOutcome(tail).IsReached, animator.GetConstraintOutcome(tail).ToString());
                SinewAimDef aim = NativeAnimator.DefaultAim();
                aim.end = Tip;
                aim.joint_count = 2;
                SinewConstraint aimed = animator.AddAim(aim, new[] { 0.25f, 0.75f });
                animator.SetConstraintPosition(aimed, 0, Natives.Vec(3f, 3f, 3f));
                animator.SetConstraintWeight(aimed, 1f);
                SinewSplineDef spline = NativeAnimator.DefaultSpline();
                spline.end = Tip;
                Assert.AreEqual(4, animator.GetConstraintEndCount(animator.AddSpline(spline)));
                SinewPole pole;
                Assert.IsFalse(animator.GetConstraintPole(aimed, out pole));
                pole.at = Natives.Vec(0f, 9f, 1f);
                pole.angle_rad = animator.GetPoleInPlace(aimed, pole);
                animator.SetConstraintPole(aimed, pole);
                Assert.IsTrue(animator.GetConstraintPole(aimed, out pole));
                animator.ClearConstraintPole(aimed);
                animator.Solve();
                Assert.IsTrue(animator.GetConstraintOutcome(aimed).IsReached, animator.GetConstraintOutcome(aimed).ToString());

                animator.RemoveConstraint(tail);
                Assert.AreEqual(SinewResult.ErrorInvalidHandle, Assert.Throws<SinewException>(
                    delegate { animator.SetConstraintWeight(tail, 1f); }).Result);
                using (NativeAnimator other = Tail())
                    Assert.AreEqual(SinewResult.ErrorInvalidHandle, Assert.Throws<SinewException>(
                        delegate { other.GetConstraintOutcome(aimed); }).Result);
                Assert.AreEqual(SinewResult.ErrorInvalidChain, Assert.Throws<SinewException>(delegate { animator.AddChain(Tip, 99); }).Result);
                Assert.AreEqual(SinewResult.ErrorOutOfRange, Assert.Throws<SinewException>(delegate { animator.AddChain(99); }).Result);
                Assert.AreEqual(SinewResult.ErrorOutOfRange, Assert.Throws<SinewException>(
                    delegate { animator.SetConstraintPositionWeight(aimed, 1, 1f); }).Result);
                SinewException e = Assert.Throws<SinewException>(
                    delegate { animator.SetConstraintPosition(aimed, 0, Natives.Vec(0f, float.NaN, 0f)); });
                Assert.IsTrue(e.Message.Contains("position.y"), e.Message);
                SinewJointLimitsDef limits = NativeAnimator.DefaultJointLimits();
                limits.flags = SinewConstants.SINEW_LIMIT_RANGE_X;
                limits.min_rad.x = 1f;
                Assert.AreEqual(SinewResult.ErrorInvalidArgument, Assert.Throws<SinewException>(
                    delegate { animator.SetJointLimits(2, limits); }).Result);
                Assert.AreEqual(SinewResult.ErrorNotHumanoid, Assert.Throws<SinewException>(
                    delegate { animator.SetLookAtWeight(1f); }).Result);
            }
        }

        [Test]
        public void AChainComponentReachesOnAGenericRig()
        {
            SinewAnimator animator;
            Transform[] joints = Crane(out animator);
            SinewChain chain = joints[Tip].gameObject.AddComponent<SinewChain>();
            chain.enabled = false;
            chain.jointCount = 8;
            chain.target = Target(0.5f, 2f, 0.25f);
            chain.enabled = true;
            Assert.IsFalse(animator.isHuman);
            for (int frame = 0; frame < 3; frame++)
            {
                Player.Frame(0.02f);
                TestRig.AssertNear(chain.target.position, joints[Tip].position, 1e-4f, "tip in frame " + frame);
                Assert.IsTrue(chain.outcome.IsReached, chain.outcome.ToString());
                chain.target.position += new Vector3(0.1f, 0f, -0.1f);
            }
            chain.weight = 0f;
            Player.Frame(0.02f);
            TestRig.AssertNear(new Vector3(0f, 3f, 0f), joints[Tip].position, 1e-6f, "weight 0 brings the old pose back");
            chain.weight = 1f;
            chain.distanceMode = SinewDistanceMode.Inside;
            chain.target.position = new Vector3(0.75f, 2.5f, 0f);
            chain.radius = 0.5f;
            Player.Frame(0.02f);
            Assert.AreEqual(0.5, Vector3.Distance(chain.target.position, joints[Tip].position), 1e-4);
            chain.enabled = false;
            Player.Frame(0.02f);
            Assert.AreEqual(SinewStatus.Inactive, chain.outcome.Status);
            Assert.Throws<InvalidOperationException>(delegate { animator.SetLookAtWeight(1f); });
        }

        [Test]
        public void ComponentsAreSolvedInTheirOrder()
        {
            SinewAnimator animator;
            Transform[] joints = Crane(out animator);
            SinewChain late = joints[0].gameObject.AddComponent<SinewChain>();
            late.enabled = false;
            late.end = joints[Tip];
            late.jointCount = 8;
            late.order = 5;
            late.target = Target(0.5f, 2f, 0f);
            late.enabled = true;
            SinewChain early = joints[Tip].gameObject.AddComponent<SinewChain>();
            early.target = Target(-0.5f, 2f, 0f);
            SinewCopyRotation copy = joints[Copy].gameObject.AddComponent<SinewCopyRotation>();
            copy.enabled = false;
            copy.source = joints[Tip];
            copy.order = 9;
            copy.enabled = true;
            Player.Frame(0.02f);
            TestRig.AssertNear(late.target.position, joints[Tip].position, 1e-4f, "the higher number wins");
            TestRig.AssertNear(joints[Tip].rotation, joints[Copy].rotation, 0.01f, "copied after both");
            copy.enabled = false;
            copy.source = late.target;
            late.target.rotation = Quaternion.Euler(10f, 20f, 30f);
            copy.enabled = true;
            Player.Frame(0.02f);
            TestRig.AssertNear(late.target.rotation, joints[Copy].rotation, 0.01f, "a source outside the rig");
        }

        [Test]
        public void LimbsAimsAndSplinesReach()
        {
            SinewAnimator animator;
            Transform[] joints = Crane(out animator);
            SinewTwoBone limb = joints[Limb].gameObject.AddComponent<SinewTwoBone>();
            limb.target = Target(0.9f, 0.8f, 0.2f);
            limb.target.rotation = Quaternion.Euler(0f, 40f, 0f);
            limb.matchRotation = true;
            limb.pole = Target(0.7f, 2f, 1f);
            SinewAim aim = joints[Tip].gameObject.AddComponent<SinewAim>();
            aim.enabled = false;
            aim.jointCount = 4;
            aim.axis = Vector3.up;
            aim.up = Vector3.forward;
            aim.target = Target(2f, 3f, 1f);
            aim.enabled = true;
            Player.Frame(0.02f);
            TestRig.AssertNear(limb.target.position, joints[Limb].position, 1e-4f, "limb");
            TestRig.AssertNear(limb.target.rotation, joints[Limb].rotation, 0.05f, "its rotation");
            Assert.Greater(joints[10].position.y, limb.target.position.y, "the elbow is on the pole's side");
            Assert.Less(Vector3.Angle(joints[Tip].up, aim.target.position - joints[Tip].position), 0.05);

            // A pole in place changes nothing.
            limb.pole = null;
            Player.Frame(0.02f);
            Vector3 elbow = joints[10].position;
            limb.pole = Target(0.6f, 0.2f, -1f);
            limb.PoleInPlace();
            Player.Frame(0.02f);
            TestRig.AssertNear(elbow, joints[10].position, 1e-3f, "elbow with the pole in place");
            Assert.Greater(Math.Abs(limb.poleAngle), 5.0);

            aim.enabled = false;
            SinewSpline spline = joints[Tip].gameObject.AddComponent<SinewSpline>();
            spline.enabled = false;
            spline.jointCount = 8;
            spline.points = new[] { Target(0.25f, 1.25f, 0f), Target(0.75f, 2f, 0.25f), Target(0.25f, 2.75f, 0.5f) };
            spline.enabled = true;
            Player.Frame(0.02f);
            TestRig.AssertNear(spline.points[0].position, joints[1].position, 1e-4f, "first joint");
            Assert.IsTrue(spline.outcome.IsReached, spline.outcome.ToString());
        }

        [Test]
        public void JointLimitsHold()
        {
            SinewAnimator animator;
            Transform[] joints = Crane(out animator);
            List<SinewJointLimits> limits = new List<SinewJointLimits>();
            for (int i = 1; i <= Tip; i++)
            {
                SinewJointLimits limit = joints[i].gameObject.AddComponent<SinewJointLimits>();
                limit.limitX = limit.limitY = limit.limitZ = true;
                limit.min = new Vector3(-15f, -5f, -15f);
                limit.max = new Vector3(15f, 5f, 15f);
                limits.Add(limit);
            }
            SinewChain chain = joints[Tip].gameObject.AddComponent<SinewChain>();
            chain.enabled = false;
            chain.jointCount = 8;
            chain.target = Target(1.5f, 1.5f, 0f);
            chain.enabled = true;
            Player.Frame(0.02f);
            for (int i = 1; i <= Tip; i++)
            {
                Assert.Less(Vector3.Angle(Vector3.up, joints[i].localRotation * Vector3.up), 15.1, "joint " + i);
                Assert.Less(limits[i - 1].violation, 0.1, "violation of joint " + i);
            }
            foreach (SinewJointLimits limit in limits) limit.enabled = false;
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Tip].position, 1e-4f, "free again");
        }

        [Test]
        public void ConstraintsWorkOnAHumanoidAfterItsGoals()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Vector3 foot = rig["LeftFoot"].position;
            SinewChain chain = rig["RightMiddleProximal"].gameObject.AddComponent<SinewChain>();
            chain.enabled = false;
            chain.jointCount = 4;
            chain.target = Target(0.4f, 1.2f, 0.3f);
            chain.enabled = true;
            rig.Animator.SetIKPosition(AvatarIKGoal.LeftFoot, foot);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.LeftFoot, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, rig["RightMiddleProximal"].position, 1e-4f, "finger");
            TestRig.AssertNear(foot, rig["LeftFoot"].position, 1e-3f, "foot");
            // Disabling and enabling the animator makes everything anew.
            rig.Animator.enabled = false;
            Player.Frame(0.02f);
            Assert.AreEqual(SinewStatus.Inactive, chain.outcome.Status);
            rig.Animator.enabled = true;
            chain.target.position += new Vector3(0f, -0.1f, 0f);
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, rig["RightMiddleProximal"].position, 1e-4f, "finger again");
        }

        [Test]
        public void ScriptsAddConstraintsToo()
        {
            SinewAnimator animator;
            Transform[] joints = Crane(out animator);
            Vector3 goal = new Vector3(0.5f, 2f, 0.25f), reach = new Vector3(0.9f, 0.8f, 0.2f);
            SinewConstraint tail = animator.AddChain(joints[Tip], 8);
            SinewConstraint limb = animator.AddTwoBone(joints[Limb]);
            animator.SetConstraintPosition(tail, goal);
            animator.SetConstraintWeight(tail, 1f);
            animator.SetConstraintPosition(limb, reach);
            animator.SetConstraintPole(limb, new Vector3(0.7f, 2f, 1f));
            animator.SetConstraintWeight(limb, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, joints[Tip].position, 1e-4f, "tail");
            TestRig.AssertNear(reach, joints[Limb].position, 1e-4f, "limb");
            Assert.IsTrue(animator.GetConstraintOutcome(tail).IsReached);
            animator.RemoveConstraint(limb);
            animator.RemoveConstraint(tail);
            long writes = Transform.Writes;
            Player.Frame(0.02f);
            Assert.AreEqual(writes, Transform.Writes, "a generic rig without constraints costs nothing");
            Assert.Throws<SinewException>(delegate { animator.SetConstraintWeight(tail, 1f); });
            SinewException e = Assert.Throws<SinewException>(delegate { animator.AddChain(Target(0f, 0f, 0f)); });
            Assert.IsTrue(e.Message.Contains("'Target' is no joint below 'Crane'"), e.Message);
            animator.enabled = false;
            Assert.IsTrue(animator.AddChain(joints[Tip]).IsNull);
            Assert.AreEqual(1, Debug.Lines.Count);
            Debug.Lines.Clear();
        }

        [Test]
        public void WhatCannotBeIsSaidOnceAndTheRestGoesOn()
        {
            SinewAnimator animator;
            Transform[] joints = Crane(out animator);
            SinewChain wrong = joints[Tip].gameObject.AddComponent<SinewChain>();
            wrong.enabled = false;
            wrong.jointCount = 99;
            wrong.target = Target(0f, 0f, 0f);
            wrong.enabled = true;
            SinewTwoBone limb = joints[Limb].gameObject.AddComponent<SinewTwoBone>();
            limb.target = Target(0.9f, 0.8f, 0.2f);
            Player.Frame(0.02f);
            Player.Frame(0.02f);
            Assert.AreEqual(1, Debug.Lines.Count, "lines in the log");
            Assert.IsTrue(Debug.Lines[0].Contains("SinewChain on 'Link8'") && Debug.Lines[0].Contains("99 joints"), Debug.Lines[0]);
            Debug.Lines.Clear();
            TestRig.AssertNear(limb.target.position, joints[Limb].position, 1e-4f, "the limb");
            SinewTwoBone alone = new GameObject("Alone").AddComponent<SinewTwoBone>();
            Player.Frame(0.02f);
            Assert.IsTrue(Debug.Lines.Count == 1 && Debug.Lines[0].Contains("no SinewAnimator"), "an orphan is not told of");
            Debug.Lines.Clear();
            Assert.AreEqual(SinewStatus.Inactive, alone.outcome.Status);
        }
    }
}
