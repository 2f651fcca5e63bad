using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>What SinewAnimator does to the Transforms, and what it leaves alone.</summary>
    public sealed class PoseTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        [Test]
        public void WeightZeroTouchesNothing()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            TransformData[] before = rig.Snapshot();
            SetAll(rig.Animator, 0f);
            long writes = Transform.Writes;
            for (int i = 0; i < 20; i++) Player.Frame(0.02f);
            Assert.AreEqual(writes, Transform.Writes, "writes to Transforms");
            rig.AssertPose(before, "weight 0");
        }

        [Test]
        public void WhatNobodyAnimatesDoesNotCreep()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            TransformData[] before = rig.Snapshot();
            Vector3 start = rig["RightHand"].position;
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0.25f);
            Player.Frame(0.02f);
            TransformData[] first = rig.Snapshot();
            Assert.Greater(Vector3.Distance(start, rig["RightHand"].position), 0.05, "the hand moved");
            Assert.Greater(Vector3.Distance(goal, rig["RightHand"].position), 0.1, "and is not there yet");
            for (int i = 0; i < 50; i++) Player.Frame(0.02f);
            rig.AssertPose(first, "after 50 frames at weight 0.25");

            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0f);
            Player.Frame(0.02f);
            rig.AssertPose(before, "weight back to 0");
        }

        [Test]
        public void NewAnimationCountsAtOnce()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            Quaternion lifted = Quaternion.Euler(0f, 0f, -10f);
            rig["RightUpperArm"].localRotation = lifted;
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0f);
            Player.Frame(0.02f);
            Assert.AreEqual(lifted, rig["RightUpperArm"].localRotation);
        }

        [Test]
        public void OnlyTheLimbsJointsAreWritten()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            TransformData[] before = rig.Snapshot();
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            int changed = 0;
            for (int i = 0; i < before.Length; i++)
            {
                TransformData now = TransformData.Of(rig.Joints[i]);
                if (TestRig.Same(before[i], now)) continue;
                changed++;
                Assert.IsTrue(rig.HumanNames[i].StartsWith("Right") && !rig.HumanNames[i].EndsWith("Leg"), rig.HumanNames[i] + " was written");
                Assert.AreEqual(before[i].Scale, now.Scale);
            }
            Assert.Greater(changed, 1);
            Assert.Less(changed, 6);
        }

        [Test]
        public void RootMayBeMovedTurnedScaledAndParented()
        {
            TestRig rig = new TestRig();
            Transform platform = new GameObject("Platform").transform;
            platform.position = new Vector3(5f, 1f, -3f);
            platform.rotation = Quaternion.Euler(10f, 120f, 0f);
            platform.localScale = new Vector3(2f, 2f, 2f);
            rig.Root.transform.SetParent(platform, false);
            rig.Root.transform.localPosition = new Vector3(1f, 0f, 1f);
            rig.Root.transform.localRotation = Quaternion.Euler(0f, -50f, 0f);
            rig.Root.transform.localScale = new Vector3(0.5f, 0.5f, 0.5f);
            rig.Start();
            Vector3 world = rig.Root.transform.TransformPoint(goal);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, world);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(world, rig["RightHand"].position, 1e-3f, "hand");
            // The platform moves on; the goal stays in the world.
            platform.position = platform.position + new Vector3(0.05f, 0f, 0.05f);
            Player.Frame(0.02f);
            TestRig.AssertNear(world, rig["RightHand"].position, 1e-3f, "hand after the platform moved");
        }

        [Test]
        public void MirroredRootReachesToo()
        {
            TestRig rig = new TestRig();
            rig.Root.transform.localScale = new Vector3(-1f, 1f, 1f);
            rig.Start();
            rig.PoseIdle();
            Vector3 world = rig.Root.transform.TransformPoint(goal);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, world);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(world, rig["RightHand"].position, 1e-3f, "hand");
        }

        [Test]
        public void ADestroyedJointRebindsTheRig()
        {
            TestRig rig = new TestRig().Start();
            Player.Frame(0.02f);
            UnityEngine.Object.DestroyImmediate(rig["LeftEye"].gameObject);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            Assert.IsTrue(rig.Animator.isHuman);
            Assert.IsTrue(rig.Animator.GetBoneTransform(HumanBodyBones.LeftEye) == null);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand");
        }

        [Test]
        public void ABadTransformIsLoggedOnceAndThePoseStays()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Animation = delegate
            {
                rig.PoseIdle();
                rig["Neck"].localPosition = new Vector3(0f, float.NaN, 0f);
            };
            for (int i = 0; i < 5; i++) Player.Frame(0.02f);
            Assert.AreEqual(1, Debug.Lines.Count, "lines in the log");
            Assert.IsTrue(Debug.Lines[0].StartsWith("error: SinewAnimator on 'Character'"), Debug.Lines[0]);
            Debug.Lines.Clear();
            Player.Animation = delegate
            {
                rig.PoseIdle();
                rig["Neck"].localPosition = new Vector3(0f, 0.21f, -0.003f);
            };
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand when the number is good again");
        }

        [Test]
        public void AScaleOfZeroIsSilentAndEnds()
        {
            foreach (bool atStart in new[] { false, true })
            {
                TestRig rig = new TestRig();
                if (atStart) rig.Root.transform.localScale = Vector3.zero;
                rig.Root.AddComponent<SinewGrounder>();
                Script script = rig.Root.AddComponent<Script>();
                rig.Start();
                Player.Animation = rig.PoseIdle;
                Vector3 foot = Vector3.one, body = Vector3.one;
                Quaternion turn = Quaternion.identity;
                bool isHuman = false;
                script.Do = delegate (SinewAnimator animator)
                {
                    isHuman = animator.isHuman;
                    foot = animator.GetIKPosition(AvatarIKGoal.LeftFoot);
                    body = animator.bodyPosition;
                    turn = animator.bodyRotation;
                    animator.GetIKRotation(AvatarIKGoal.LeftFoot);
                    animator.GetIKRotationBone(AvatarIKGoal.LeftFoot);
                    animator.GetIKHintPosition(AvatarIKHint.LeftKnee);
                    animator.GetBoneTransform(HumanBodyBones.Head);
                    Ray ray = animator.gazeRay;
                    Assert.IsTrue(!float.IsNaN(ray.direction.x));
                    animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                    animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                };
                string when = atStart ? "from the start" : "for a while";
                if (!atStart)
                {
                    Player.Frame(0.02f);
                    rig.Root.transform.localScale = new Vector3(1f, 0f, 1f);
                }
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
                Assert.AreEqual(0, Debug.Lines.Count, when + ": " + string.Join(" | ", Debug.Lines.ToArray()));
                Assert.AreEqual(atStart ? 3 : 4, script.Calls, "callbacks, " + when);
                Assert.IsTrue(isHuman, "isHuman " + when);
                Assert.AreEqual(Vector3.zero, foot, "a goal that cannot be known, " + when);
                Assert.AreEqual(Vector3.zero, body, "the body's place, " + when);
                Assert.AreEqual(Quaternion.identity, turn, "the body's rotation, " + when);
                for (int i = 1; i <= 10; i++)
                {
                    rig.Root.transform.localScale = Vector3.one * (0.1f * i);
                    Player.Frame(0.02f);
                }
                Assert.AreEqual(0, Debug.Lines.Count, "afterwards, " + when);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand afterwards, " + when);
                Player.Animation = null;
                UnityEngine.Object.DestroyImmediate(rig.Root);
            }
        }

        [Test]
        public void ACharacterThatStartsNowhereWorksWhenItIsSomewhere()
        {
            TestRig rig = new TestRig();
            rig.Root.transform.position = new Vector3(0f, float.NaN, 0f);
            rig.Start();
            Player.Animation = rig.PoseIdle;
            Player.Frame(0.02f);
            Assert.AreEqual(1, Debug.Lines.Count, "a place that is no number");
            Debug.Lines.Clear();
            rig.Root.transform.position = Vector3.zero;
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand");
        }

        [Test]
        public void ShearAboveTheRootIsReportedOnce()
        {
            Vector3 tall = new Vector3(1f, 1.2f, 1f), even = new Vector3(2f, 2f, 2f), mirror = new Vector3(-1f, 1f, 1f);
            Quaternion tilted = Quaternion.Euler(0f, 0f, 45f), quarter = Quaternion.Euler(0f, 90f, 0f);
            AssertShear(tall, tilted, Vector3.one, true, "a tilted character below a tall object");
            AssertShear(new Vector3(1f, 1f, 3f), Quaternion.Euler(0f, 30f, 0f), Vector3.one, true, "a turned one below a long object");
            AssertShear(tall, Quaternion.identity, Vector3.one, false, "an upright one below a tall object");
            AssertShear(tall, quarter, Vector3.one, false, "a turn about the long axis");
            AssertShear(new Vector3(1f, 1f, 3f), quarter, Vector3.one, false, "a quarter turn");
            AssertShear(even, tilted, tall, false, "an uneven root below an even object");
            AssertShear(mirror, tilted, mirror, false, "mirrors");
            // An object that is stretched while the character works.
            TestRig rig = Below(Vector3.one, tilted, Vector3.one);
            for (int i = 0; i < 70; i++) Player.Frame(0.02f);
            Assert.AreEqual(0, Debug.Lines.Count, "before");
            rig.Root.transform.parent.localScale = tall;
            for (int i = 0; i < 200; i++) Player.Frame(0.02f);
            Assert.AreEqual(1, Debug.Lines.Count, "later");
            Debug.Lines.Clear();
        }

        private static TestRig Below(Vector3 parentScale, Quaternion rotation, Vector3 scale)
        {
            TestRig rig = new TestRig();
            Transform parent = new GameObject("Platform").transform;
            parent.position = new Vector3(300f, 20f, -500f);
            parent.rotation = Quaternion.Euler(10f, 20f, 30f);
            rig.Root.transform.SetParent(parent, false);
            rig.Root.transform.localRotation = rotation;
            rig.Root.transform.localScale = scale;
            parent.localScale = parentScale;
            return rig.Start();
        }

        private static void AssertShear(Vector3 parentScale, Quaternion rotation, Vector3 scale, bool isSheared, string what)
        {
            TestRig rig = Below(parentScale, rotation, scale);
            for (int i = 0; i < 150; i++) Player.Frame(0.02f);
            Assert.AreEqual(isSheared ? 1 : 0, Debug.Lines.Count, what + ": " + string.Join(" | ", Debug.Lines.ToArray()));
            if (isSheared) Assert.IsTrue(Debug.Lines[0].Contains("shear"), Debug.Lines[0]);
            Debug.Lines.Clear();
            UnityEngine.Object.DestroyImmediate(rig.Root.transform.parent.gameObject);
        }

        private static void SetAll(SinewAnimator animator, float weight)
        {
            for (int i = 0; i < 4; i++)
            {
                animator.SetIKPosition((AvatarIKGoal)i, goal);
                animator.SetIKRotation((AvatarIKGoal)i, Quaternion.Euler(10f, 20f, 30f));
                animator.SetIKPositionWeight((AvatarIKGoal)i, weight);
                animator.SetIKRotationWeight((AvatarIKGoal)i, weight);
                animator.SetIKHintPosition((AvatarIKHint)i, goal);
                animator.SetIKHintPositionWeight((AvatarIKHint)i, weight);
            }
            animator.SetLookAtPosition(goal);
            animator.SetLookAtWeight(weight, 1f, 1f, 1f, 0f);
        }

        // Fingers take part once something asks for them; jobs do it on their own.
        [Test]
        public void AJointThatIsAskedForBetweenPassesStaysWhereItIs()
        {
            foreach (int threshold in new[] { 8, 1 })
            {
                SinewRuntime.JobThreshold = threshold;
                TestRig rig = new TestRig().Start();
                Player.Animation = null;
                rig.PoseIdle();
                Script script = rig.Root.AddComponent<Script>();
                Transform finger = rig["LeftMiddleProximal"];
                TransformData before = TransformData.Of(finger), seen = before;
                script.Do = delegate { seen = TransformData.Of(finger); };
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
                rig.Animator.GetLimitViolation(HumanBodyBones.LeftMiddleProximal);
                Player.Frame(0.02f);
                Assert.IsTrue(TestRig.Same(before, seen), "in the callback: " + seen.Position + " " + seen.Rotation);
                // A pass that does not come to its end leaves it there.
                rig.Animator.GetJointViolation(rig["RightMiddleProximal"]);
                finger = rig["RightMiddleProximal"];
                before = TransformData.Of(finger);
                script.Do = delegate { rig.Animator.enabled = false; };
                Player.Frame(0.02f);
                Assert.IsTrue(TestRig.Same(before, TransformData.Of(finger)), "after a pass that was given up: " + finger.localPosition);
                UnityEngine.Object.DestroyImmediate(rig.Root);
            }
            SinewRuntime.JobThreshold = 8;
        }

        // A sword that comes into the hand, or a prop that goes.
        [Test]
        public void ARigThatIsSetUpAnewKnowsThePoseUnderItsResult()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Player.Animation = null;
            TransformData[] animated = rig.Snapshot();
            Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);
            TransformData[] first = null;
            for (int i = 0; i < 6; i++)
            {
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0.25f);
                Player.Frame(0.02f);
                first = first ?? rig.Snapshot();
                new GameObject("Sword").transform.SetParent(rig["RightHand"], false);
                if (i % 2 == 0) rig.Animator.RebuildRig();
            }
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0.25f);
            Player.Frame(0.02f);
            rig.AssertPose(first, "a quarter of the way");
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0f);
            Player.Frame(0.02f);
            rig.AssertPose(animated, "without a weight");
        }
    }
}
