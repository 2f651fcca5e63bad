using System;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Every setting of a constraint has an effect from its component and from a script,
    /// judged by where the joints are.</summary>
    public sealed class SettingsTests
    {
        private const int Count = 8;

        private static Transform Target(float x, float y, float z)
        {
            Transform made = new GameObject("Target").transform;
            made.position = new Vector3(x, y, z);
            return made;
        }

        // A line of joints upwards, 0.25 m each, a little bent, on a generic rig; a side branch of
        // two at joint 3.
        private static Transform[] Line(out SinewAnimator animator)
        {
            GameObject root = new GameObject("Rig");
            root.SetActive(false);
            Transform[] joints = new Transform[Count + 2];
            Transform parent = root.transform;
            for (int i = 0; i < Count; i++)
            {
                joints[i] = new GameObject("j" + i).transform;
                joints[i].SetParent(parent, false);
                joints[i].localPosition = new Vector3(0f, i == 0 ? 0f : 0.25f, 0f);
                if (i > 0) joints[i].localRotation = Quaternion.Euler(4f, 0f, 2f);
                parent = joints[i];
            }
            for (int i = 0; i < 2; i++)
            {
                joints[Count + i] = new GameObject("b" + i).transform;
                joints[Count + i].SetParent(i == 0 ? joints[3] : joints[Count], false);
                joints[Count + i].localPosition = new Vector3(0.25f, 0f, 0f);
            }
            animator = root.AddComponent<SinewAnimator>();
            root.SetActive(true);
            return joints;
        }

        private static SinewChain Chain(Transform joint, int count, Transform target)
        {
            SinewChain chain = joint.gameObject.AddComponent<SinewChain>();
            chain.jointCount = count;
            chain.target = target;
            return chain;
        }

        [Test]
        public void AChainInAPlaneTurnsAboutItsAxisOnly()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            Quaternion[] before = Array.ConvertAll(joints, delegate (Transform t) { return t.localRotation; });
            SinewChain chain = Chain(joints[Count - 1], Count, Target(0.8f, 0.8f, 0.6f));
            chain.inPlane = true;
            chain.planeAxis = Vector3.forward;
            Player.Frame(0.02f);
            Vector3 tip = joints[Count - 1].position;
            Assert.AreEqual(0.8, tip.x, 2e-3, "x in the plane");
            Assert.AreEqual(0.8, tip.y, 2e-3, "y in the plane");
            Assert.Greater(Math.Abs(tip.z - 0.6), 0.05, "z is not followed");
            chain.inPlane = false;
            chain.Refresh();
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-3f, "free again");
            Assert.IsFalse(before[2].Equals(joints[2].localRotation), "the chain moves");
        }

        [Test]
        public void IterationsAttemptsAndFinishLimitTheWork()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewChain chain = Chain(joints[Count - 1], Count, Target(1f, 0.4f, 0.5f));
            chain.solver = SinewChainSolver.Ccd;
            chain.finish = false;
            chain.maxIterations = 1;
            chain.sweepStep = 1f;
            Player.Frame(0.02f);
            float rough = Vector3.Distance(chain.target.position, joints[Count - 1].position);
            Assert.Greater(rough, 0.1, "one sweep of one degree");
            Assert.IsFalse(chain.outcome.IsReached);
            chain.sweepStep = 180f;
            chain.maxIterations = 500;
            chain.Refresh();
            Player.Frame(0.02f);
            Assert.Less(Vector3.Distance(chain.target.position, joints[Count - 1].position), rough * 0.1);
            chain.maxIterations = 1;
            chain.finish = true;
            chain.Refresh();
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-4f, "the default solver finishes");
        }

        [Test]
        public void ImportancesDecideBetweenTheEndsOfAChain()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewChain chain = Chain(joints[Count - 1], Count, Target(3f, 0.5f, 0f));
            chain.branches = new[] { new ChainBranch { joint = joints[Count + 1], target = Target(-3f, 0.5f, 0f) } };
            Transform tip = joints[Count - 1], other = joints[Count + 1];
            Func<float[]> left = delegate
            {
                chain.Refresh();
                Player.Frame(0.02f);
                return new[] { Vector3.Distance(tip.position, chain.target.position), Vector3.Distance(other.position, chain.branches[0].target.position) };
            };
            float[] even = left();
            chain.branches[0].positionImportance = 0.01f;
            float[] first = left();
            chain.branches[0].positionImportance = 1f;
            chain.positionImportance = 0.01f;
            float[] second = left();
            Assert.Less(first[0] + 0.02f, even[0], "the end that counts more comes nearer");
            Assert.Less(second[1] + 0.02f, even[1], "the branch that counts more comes nearer");
        }

        [Test]
        public void ToleranceDampingAndStepReachTheLibrary()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewChain chain = Chain(joints[Count - 1], Count, Target(0.9f, 0.5f, 0.4f));
            chain.tolerance = 0.1f;
            Player.Frame(0.02f);
            float coarse = Vector3.Distance(chain.target.position, joints[Count - 1].position);
            Assert.Greater(coarse, 1e-3, "a coarse tolerance ends early");
            Assert.Less(coarse, 0.1f * 1.8f + 0.01);
            chain.tolerance = 1e-6f;
            chain.Refresh();
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-4f, "a fine one does not");
            chain.maxStep = 0.01f;
            chain.maxIterations = 2;
            chain.maxAttempts = 0;
            chain.Refresh();
            Player.Frame(0.02f);
            Assert.Greater(Vector3.Distance(chain.target.position, joints[Count - 1].position), 0.1, "two tiny steps");
            foreach (Action<SinewChain> wrong in new Action<SinewChain>[]
            {
                delegate (SinewChain c) { c.tolerance = -1f; }, delegate (SinewChain c) { c.damping = 0f; }, delegate (SinewChain c) { c.maxIterations = 0; },
            })
            {
                chain.tolerance = 1e-6f;
                chain.damping = 1e-3f;
                chain.maxIterations = 200;
                wrong(chain);
                chain.Refresh();
                Player.Frame(0.02f);
                Assert.IsNotNull(chain.problemDescription, "a refused setting is said");
                Assert.AreEqual(1, Debug.Lines.Count);
                Debug.Lines.Clear();
            }
        }

        [Test]
        public void SpringBiasChoosesWhoBends()
        {
            double[] bends = new double[2];
            for (int side = 0; side < 2; side++)
            {
                SinewAnimator animator;
                Transform[] joints = Line(out animator);
                SinewChain chain = Chain(joints[Count - 1], Count, Target(0.1f, 1f, 0.2f));
                chain.solver = SinewChainSolver.Spring;
                chain.finish = false;
                chain.springBias = new float[Count];
                for (int i = 0; i < Count; i++) chain.springBias[i] = (i < 4) == (side == 0) ? 1f : 0f;
                Quaternion low = joints[2].localRotation;
                Player.Frame(0.02f);
                bends[side] = Quaternion.Angle(low, joints[2].localRotation);
                Player.Clear();
            }
            Assert.Greater(bends[0], bends[1] + 5.0, "joint 2 bends when it may");
        }

        [Test]
        public void StretchOfAChainMayBeSwitchedOff()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            for (int i = 0; i < Count; i++)
            {
                SinewJointLimits limits = joints[i].gameObject.AddComponent<SinewJointLimits>();
                limits.stretchMax = 2f;
                limits.stretchCompliance = 1f;
            }
            SinewChain chain = Chain(joints[Count - 1], Count, Target(0f, 2.5f, 0f));
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-3f, "stretched");
            chain.allowStretch = false;
            chain.Refresh();
            Player.Frame(0.02f);
            Assert.Less(joints[Count - 1].position.y, 1.76, "only as long as it is");
        }

        [Test]
        public void AWarmStartKeepsTheAnswerUntilTheWeightIsZero()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            foreach (Transform joint in joints)
            {
                SinewJointLimits limits = joint.gameObject.AddComponent<SinewJointLimits>();
                limits.limitX = limits.limitY = limits.limitZ = true;
                limits.min = new Vector3(-80f, -20f, -80f);
                limits.max = new Vector3(80f, 20f, 80f);
            }
            SinewChain chain = Chain(joints[Count - 1], Count, Target(0f, 0.9f, 0.6f));
            chain.warmStart = true;
            Player.Frame(0.02f);
            Vector3 straight = joints[1].position;
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-3f, "reached");
            for (int i = 0; i < 50; i++) Player.Frame(0.02f);
            Vector3 settled = joints[1].position;
            for (int i = 0; i < 100; i++)
            {
                chain.target.position = new Vector3(0f, 0.9f - 0.012f * i, 0.6f - 0.004f * i);
                Player.Frame(0.02f);
                TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-3f, "reached on its way");
            }
            chain.target.position = new Vector3(0f, 0.9f, 0.6f);
            for (int i = 0; i < 100; i++) Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-3f, "reached again");
            TestRig.AssertNear(settled, joints[1].position, 0.05f, "back where it was");
            chain.weight = 0f;
            Player.Frame(0.02f);
            chain.weight = 1f;
            Player.Frame(0.02f);
            TestRig.AssertNear(straight, joints[1].position, 1e-5f, "as at the first frame");
        }

        // Frames of 0.02 s, each of which moves the tip by no more than `most` metres.
        private static void Glide(Transform tip, int frames, float most, string what)
        {
            Vector3 last = tip.position;
            for (int i = 0; i < frames; i++)
            {
                Player.Frame(0.02f);
                float step = Vector3.Distance(last, tip.position);
                Assert.Less(step, most, what + ": frame " + i);
                last = tip.position;
            }
        }

        [Test]
        public void AConstraintWithATimeGoesOverToWeightsAndTargets()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            Transform tip = joints[Count - 1];
            SinewChain chain = Chain(tip, Count, Target(0f, 0.9f, 0.6f));
            chain.inertializationTime = 0.4f;
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, tip.position, 1e-3f, "at once in the first frame");
            Player.Frame(0.02f);
            Assert.IsFalse(chain.isInertializing);

            Transform other = Target(0f, 0.9f, -0.6f);
            chain.target = other;
            Glide(tip, 20, 0.25f, "another target");
            Assert.Less(Vector3.Distance(tip.position, other.position), 0.05f, "after the time");
            Glide(tip, 60, 0.01f, "there");
            Assert.IsFalse(chain.isInertializing);
            TestRig.AssertNear(other.position, tip.position, 1e-3f, "there");

            // A target that moves is followed; one that jumps is announced.
            other.position = new Vector3(0f, 1f, -0.5f);
            Player.Frame(0.02f);
            TestRig.AssertNear(other.position, tip.position, 1e-3f, "followed without lag");
            chain.Inertialize();
            other.position = new Vector3(0f, 0.9f, 0.6f);
            Glide(tip, 20, 0.25f, "a target that jumps");
            Assert.IsTrue(chain.isInertializing);

            chain.weight = 0f;
            Glide(tip, 100, 0.25f, "off by its weight");
            chain.weight = 1f;
            Glide(tip, 100, 0.25f, "on by its weight");
            TestRig.AssertNear(other.position, tip.position, 1e-3f, "on");
        }

        [Test]
        public void AConstraintWithATimeComesAndGoesWithItsComponent()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            Transform tip = joints[Count - 1];
            Player.Frame(0.02f);
            Vector3 animated = tip.position;
            SinewChain chain = Chain(tip, Count, Target(0f, 0.9f, 0.6f));
            chain.inertializationTime = 0.4f;
            for (int round = 0; round < 2; round++)
            {
                Glide(tip, 120, 0.25f, "enabled");
                TestRig.AssertNear(chain.target.position, tip.position, 1e-3f, "enabled");
                chain.enabled = false;
                Glide(tip, 10, 0.25f, "disabled");
                Assert.Greater(Vector3.Distance(animated, tip.position), 0.01f, "not at once");
                Glide(tip, 120, 0.25f, "disabled");
                TestRig.AssertNear(animated, tip.position, 1e-4f, "as animated");
                chain.enabled = true;
            }
            // In the midst of going.
            Glide(tip, 120, 0.25f, "enabled");
            chain.enabled = false;
            Glide(tip, 5, 0.25f, "disabled");
            chain.enabled = true;
            Glide(tip, 120, 0.25f, "enabled again");
            TestRig.AssertNear(chain.target.position, tip.position, 1e-3f, "enabled again");
        }

        [Test]
        public void AnotherComponentThatIsEnabledEndsNoSwitch()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            Transform tip = joints[Count - 1];
            SinewChain chain = Chain(tip, Count, Target(0f, 0.9f, 0.6f));
            chain.inertializationTime = 0.5f;
            SinewCopyRotation copy = joints[0].gameObject.AddComponent<SinewCopyRotation>();
            copy.weight = 0f;
            copy.source = Target(0f, 0f, 0f);
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            chain.target = Target(0f, 0.9f, -0.6f);
            Glide(tip, 4, 0.25f, "before");
            copy.enabled = false;
            Glide(tip, 4, 0.25f, "disabled");
            copy.enabled = true;
            Glide(tip, 4, 0.25f, "enabled");
            Assert.IsTrue(chain.isInertializing);
            copy.Refresh();
            Glide(tip, 4, 0.25f, "refreshed");
            Assert.IsTrue(chain.isInertializing);
        }

        [Test]
        public void ScriptsSetTheTimeOfTheirConstraints()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            Transform tip = joints[Count - 1];
            SinewConstraint chain = animator.AddChain(tip, Count);
            animator.SetConstraintWeight(chain, 1f);
            animator.SetConstraintInertializationTime(chain, 0.4f);
            animator.SetConstraintPosition(chain, new Vector3(0f, 0.9f, 0.6f));
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            Assert.IsFalse(animator.IsConstraintInertializing(chain));
            Assert.AreEqual(0.4f, animator.nativeAnimator.GetConstraintInertializationTime(chain));
            animator.InertializeConstraint(chain);
            animator.SetConstraintPosition(chain, new Vector3(0f, 0.9f, -0.6f));
            Glide(tip, 20, 0.25f, "another goal");
            Assert.IsTrue(animator.IsConstraintInertializing(chain));
            Glide(tip, 100, 0.25f, "another goal");
            TestRig.AssertNear(new Vector3(0f, 0.9f, -0.6f), tip.position, 1e-3f, "another goal");
            Assert.IsFalse(animator.IsConstraintInertializing(chain));
        }

        [Test]
        public void AnAxisIsAlignedAndTwistStaysFree()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewChain chain = Chain(joints[Count - 1], Count, Target(0.7f, 0.9f, 0.2f));
            chain.endRotation = EndRotation.AlignAxis;
            chain.endAxis = Vector3.up;
            chain.targetAxis = Vector3.right;
            chain.target.rotation = Quaternion.Euler(0f, 30f, 10f);
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 1e-3f, "position");
            Assert.Less(Vector3.Angle(chain.target.right, joints[Count - 1].up), 0.2, "axis");
        }

        [Test]
        public void BranchesHaveWeightsRotationsAndSpheres()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewChain chain = Chain(joints[Count - 1], Count, Target(0.3f, 1.4f, 0.3f));
            Transform aside = Target(0.45f, 0.6f, 0.2f);
            chain.branches = new[] { new ChainBranch { joint = joints[Count + 1], target = aside } };
            aside.rotation = Quaternion.Euler(0f, 50f, 20f);
            chain.branches[0].endRotation = EndRotation.MatchTarget;
            Player.Frame(0.02f);
            TestRig.AssertNear(chain.target.position, joints[Count - 1].position, 2e-3f, "first end");
            TestRig.AssertNear(aside.position, joints[Count + 1].position, 2e-3f, "branch");
            TestRig.AssertNear(aside.rotation, joints[Count + 1].rotation, 0.3f, "its rotation");
            chain.branches[0].endRotation = EndRotation.Free;
            chain.branches[0].distanceMode = SinewDistanceMode.On;
            chain.branches[0].radius = 0.2f;
            Player.Frame(0.02f);
            Assert.AreEqual(0.2, Vector3.Distance(aside.position, joints[Count + 1].position), 2e-3, "on the sphere");
            chain.branches[0].distanceMode = SinewDistanceMode.None;
            chain.branches[0].positionWeight = 0f;
            Vector3 animated = joints[Count + 1].position;
            Player.Frame(0.02f);
            Assert.Greater(Vector3.Distance(aside.position, joints[Count + 1].position), 0.02, "weight 0");
        }

        [Test]
        public void APoleIsAPointOrADirectionWithASideOfItsOwn()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewTwoBone limb = joints[2].gameObject.AddComponent<SinewTwoBone>();
            limb.target = Target(0.1f, 0.35f, 0f);
            limb.pole = Target(0f, 0f, 0f);
            limb.poleKind = PoleKind.Direction;
            foreach (float turn in new[] { 0f, 90f, 180f })
            {
                limb.pole.rotation = Quaternion.Euler(0f, turn, 0f);
                Player.Frame(0.02f);
                Vector3 line = limb.target.position - joints[0].position, bend = joints[1].position - joints[0].position;
                bend -= line * (Vector3.Dot(bend, line) / Vector3.Dot(line, line));
                Vector3 wanted = limb.pole.forward;
                wanted -= line * (Vector3.Dot(wanted, line) / Vector3.Dot(line, line));
                Assert.Less(Vector3.Angle(wanted, bend), 0.5, "bend at " + turn);
            }
            limb.enabled = false;
            SinewChain chain = Chain(joints[5], 6, Target(0.5f, 0.6f, 0.3f));
            chain.pole = Target(0f, 0.5f, 3f);
            Player.Frame(0.02f);
            Vector3 own = joints[3].position;
            chain.poleReference = Vector3.right;
            Player.Frame(0.02f);
            Assert.Greater(Vector3.Distance(own, joints[3].position), 0.05, "another side faces the pole");
        }

        [Test]
        public void ABendSideSettlesAStraightLimb()
        {
            foreach (float sign in new[] { 1f, -1f })
            {
                GameObject root = new GameObject("Rig");
                Transform a = new GameObject("a").transform, b = new GameObject("b").transform, c = new GameObject("c").transform;
                a.SetParent(root.transform, false);
                b.SetParent(a, false);
                c.SetParent(b, false);
                b.localPosition = c.localPosition = Vector3.up;
                root.AddComponent<SinewAnimator>();
                SinewTwoBone limb = c.gameObject.AddComponent<SinewTwoBone>();
                limb.target = Target(0f, 1.5f, 0f);
                Player.Frame(0.02f);
                Assert.IsTrue(limb.isBendArbitrary);
                limb.bendSide = new Vector3(0f, 0f, sign);
                limb.Refresh();
                Player.Frame(0.02f);
                Assert.IsFalse(limb.isBendArbitrary);
                Assert.Greater(b.position.z * sign, 0.3, "the knee is on the given side");
                limb.distanceMode = SinewDistanceMode.On;
                limb.radius = 0.25f;
                Player.Frame(0.02f);
                Assert.AreEqual(0.25, Vector3.Distance(limb.target.position, c.position), 1e-3, "on the sphere");
                Player.Clear();
            }
        }

        [Test]
        public void AnAimSlowsDownBeforeItsCone()
        {
            double[] angles = new double[2];
            for (int soft = 0; soft < 2; soft++)
            {
                SinewAnimator animator;
                Transform[] joints = Line(out animator);
                SinewAim aim = joints[Count - 1].gameObject.AddComponent<SinewAim>();
                aim.axis = Vector3.up;
                aim.up = Vector3.forward;
                aim.clampAngle = 40f;
                aim.clampSoftness = soft;
                aim.jointCount = 3;
                Vector3 before = joints[Count - 1].up;
                aim.target = Target(2f, joints[Count - 1].position.y + 2.6f, 0f);
                Player.Frame(0.02f);
                angles[soft] = Vector3.Angle(before, joints[Count - 1].up);
                Player.Clear();
            }
            Assert.Less(angles[1], angles[0] - 1.0, "soft " + angles[1] + " hard " + angles[0]);
        }

        [Test]
        public void ASplineHasATipStretchBoundsAndRollsWithItsPoints()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewSpline spline = joints[Count - 1].gameObject.AddComponent<SinewSpline>();
            spline.jointCount = Count;
            spline.points = new[] { Target(0f, 0f, 0f), Target(0.5f, 1f, 0f), Target(0f, 2.6f, 0.3f) };
            spline.stretch = 1f;
            Player.Frame(0.02f);
            TestRig.AssertNear(spline.points[2].position, joints[Count - 1].position, 0.01f, "stretched to the end");
            spline.stretchMax = 1.05f;
            spline.Refresh();
            Player.Frame(0.02f);
            Assert.Greater(Vector3.Distance(spline.points[2].position, joints[Count - 1].position), 0.2, "not beyond the bound");
            spline.stretch = 0f;
            spline.tip = new Vector3(0f, 0.2f, 0f);
            spline.Refresh();
            Player.Frame(0.02f);
            Quaternion plain = joints[0].rotation;
            spline.rollWithPoints = true;
            spline.points[0].rotation = plain * Quaternion.Euler(0f, 60f, 0f);
            spline.points[2].rotation = joints[Count - 1].rotation * Quaternion.Euler(0f, 60f, 0f);
            Player.Frame(0.02f);
            Assert.Greater(Quaternion.Angle(plain, joints[0].rotation), 40.0, "the first point rolls the first joint");
        }

        [Test]
        public void CornersKeepTheBoneInsideAPolygon()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            joints[1].localRotation = Quaternion.identity;
            SinewJointLimits limits = joints[1].gameObject.AddComponent<SinewJointLimits>();
            limits.corners = new[] { new Vector3(0.3f, 1f, 0.3f), new Vector3(0.3f, 1f, -0.3f), new Vector3(-0.3f, 1f, -0.3f), new Vector3(-0.3f, 1f, 0.3f) };
            SinewChain chain = Chain(joints[2], 2, Target(1f, 0.25f, 0f));
            Player.Frame(0.02f);
            Assert.Less(limits.violation, 0.2);
            Assert.IsFalse(chain.outcome.IsReached, "the polygon forbids it");
            limits.corners = new Vector3[9];
            limits.Refresh();
            Player.Frame(0.02f);
            Assert.IsTrue(Debug.Lines.Count == 1 && Debug.Lines[0].Contains("at most 8"), "too many corners are refused in words");
            Debug.Lines.Clear();
        }

        [Test]
        public void PlacementMovesAConstraintBeforeTheLimbs()
        {
            foreach (SinewConstraintPlacement placement in new[] { SinewConstraintPlacement.Stack, SinewConstraintPlacement.Before })
            {
                TestRig rig = new TestRig().Start();
                Player.Animation = rig.PoseIdle;
                SinewAim twist = rig["UpperChest"].gameObject.AddComponent<SinewAim>();
                twist.axis = Vector3.forward;
                twist.jointCount = 3;
                twist.target = Target(1f, 1.3f, 2f);
                twist.placement = placement;
                twist.step = SinewFrameStep.Limbs;
                Vector3 goal = new Vector3(0.2f, 1.25f, 0.3f);
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                float off = Vector3.Distance(goal, rig["RightHand"].position);
                if (placement == SinewConstraintPlacement.Before) Assert.Less(off, 1e-3, "the arm makes up for the chest");
                else Assert.Greater(off, 0.05, "the chest carries the hand off");
                Player.Clear();
            }
        }

        [Test]
        public void ScriptsHaveAllOfIt()
        {
            SinewAnimator animator;
            Transform[] joints = Line(out animator);
            SinewChainDef settings = NativeAnimator.DefaultChain();
            settings.joint_count = Count;
            SinewConstraint tree = animator.AddChain(new[] { joints[Count - 1], joints[Count + 1] }, null, settings);
            animator.SetConstraintWeight(tree, 1f);
            animator.SetConstraintPosition(tree, new Vector3(0.3f, 1.4f, 0.3f));
            animator.SetConstraintPosition(tree, new Vector3(0.45f, 0.6f, 0.2f), 1);
            Player.Frame(0.02f);
            TestRig.AssertNear(new Vector3(0.3f, 1.4f, 0.3f), joints[Count - 1].position, 2e-3f, "first end");
            TestRig.AssertNear(new Vector3(0.45f, 0.6f, 0.2f), joints[Count + 1].position, 2e-3f, "second end");
            animator.SetConstraintAxis(tree, Vector3.up, Vector3.right);
            Player.Frame(0.02f);
            Assert.Less(Vector3.Angle(joints[Count - 1].up, Vector3.right), 0.5, "axis");
            animator.SetConstraintRotationWeight(tree, 0f);
            animator.ClearConstraintGoal(tree, 1);
            animator.SetConstraintDistance(tree, SinewDistanceMode.On, 0.3f);
            animator.SetConstraintPositionWeight(tree, 1f);
            Player.Frame(0.02f);
            Assert.AreEqual(0.3, Vector3.Distance(new Vector3(0.3f, 1.4f, 0.3f), joints[Count - 1].position), 2e-3, "distance");
            SinewPole pole = NativeAnimator.DefaultPole();
            pole.flags = SinewConstants.SINEW_POLE_DIRECTION;
            pole.at = new SinewVec3 { z = 1f };
            animator.SetConstraintPole(tree, pole);
            animator.SetConstraintPlacement(tree, SinewConstraintPlacement.Stack);
            animator.ClearConstraintPole(tree);
            animator.RemoveConstraint(tree);

            SinewSplineDef curve = NativeAnimator.DefaultSpline();
            curve.point_count = 3;
            curve.joint_count = Count;
            SinewConstraint spline = animator.AddSpline(joints[Count - 1], curve);
            animator.SetConstraintWeight(spline, 1f);
            for (int i = 0; i < 3; i++) animator.SetConstraintPosition(spline, new Vector3(0.3f * i, 0.6f * i, 0.2f), i);
            Player.Frame(0.02f);
            TestRig.AssertNear(new Vector3(0f, 0f, 0.2f), joints[0].position, 1e-3f, "spline");
            animator.RemoveConstraint(spline);

            SinewConstraint copy = animator.AddCopyRotation(joints[Count], null);
            animator.SetConstraintWeight(copy, 1f);
            animator.SetConstraintRotation(copy, Quaternion.Euler(10f, 20f, 30f));
            SinewTwoBoneDef limbDef = NativeAnimator.DefaultTwoBone();
            limbDef.softness = 0.1f;
            SinewConstraint limb = animator.AddTwoBone(joints[2], limbDef);
            SinewAimDef aimDef = NativeAnimator.DefaultAim();
            aimDef.axis = new SinewVec3 { y = 1f };
            SinewConstraint aim = animator.AddAim(joints[Count - 1], aimDef, new[] { 1f });
            animator.SetConstraintWeight(aim, 1f);
            animator.SetConstraintPosition(aim, new Vector3(3f, 2f, 0f));
            Player.Frame(0.02f);
            TestRig.AssertNear(Quaternion.Euler(10f, 20f, 30f), joints[Count].rotation, 0.05f, "copied rotation");
            Assert.Less(Vector3.Angle(joints[Count - 1].up, new Vector3(3f, 2f, 0f) - joints[Count - 1].position), 0.1, "aim");

            SinewJointLimitsDef hold = NativeAnimator.DefaultJointLimits();
            hold.flags = SinewConstants.SINEW_LIMIT_LOCK_X | SinewConstants.SINEW_LIMIT_LOCK_Y | SinewConstants.SINEW_LIMIT_LOCK_Z;
            animator.SetJointLimits(joints[Count - 1], hold);
            Player.Frame(0.02f);
            Assert.Greater(Vector3.Angle(joints[Count - 1].up, new Vector3(3f, 2f, 0f) - joints[Count - 1].position), 5.0, "locked");
            animator.ClearJointLimits(joints[Count - 1]);
            animator.RemoveConstraint(limb);
            Assert.Throws<ArgumentException>(delegate { animator.AddChain(new[] { joints[1] }, new Vector3[2], settings); });
        }
    }
}
