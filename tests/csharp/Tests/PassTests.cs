using System;
using NUnit.Framework;
using Sinew.Samples;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>What a script finds inside the callback, whoever sends it, and how long its goals
    /// count.</summary>
    public sealed class PassTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        private static void ReachRight(SinewAnimator animator)
        {
            animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }

        // Walks over a flat floor at the character's own height, where foot placement must change
        // nothing.
        private static double Lag(bool hasAnimator, bool ikPass, float framesPerSecond, bool isStepped = false)
        {
            TestRig rig = new TestRig();
            Animator unity = hasAnimator ? rig.AddUnityAnimator(ikPass) : null;
            if (isStepped) unity.updateMode = AnimatorUpdateMode.Fixed;
            rig.Start();
            rig.Root.AddComponent<FootPlacementIK>().bodySpeed = 100f;
            TransformData[] rest = rig.Snapshot();
            Physics.Lay(Vector3.zero, Vector3.up);
            float time = 0f;
            float bottom = rig.Animator.leftFeetBottomHeight;
            Vector3[] ankles = new Vector3[2];
            Action walk = delegate
            {
                rig.Apply(rest);
                rig.PoseIdle();
                for (int side = 0; side < 2; side++)
                {
                    string prefix = side == 0 ? "Left" : "Right";
                    float phase = (time * 2f + side) * Mathf.PI;
                    float thigh = -12f - 28f * Mathf.Sin(phase), knee = 32f + 22f * Mathf.Cos(phase);
                    rig[prefix + "UpperLeg"].localRotation = Quaternion.Euler(thigh, 0f, 0f);
                    rig[prefix + "LowerLeg"].localRotation = Quaternion.Euler(knee, 0f, 0f);
                    rig[prefix + "Foot"].localRotation = Quaternion.Euler(-thigh - knee, 0f, 0f);
                }
                float lowest = Mathf.Min(rig["LeftFoot"].position.y, rig["RightFoot"].position.y) - bottom;
                rig["Hips"].localPosition -= new Vector3(0f, lowest, 0f);
                ankles[0] = rig["LeftFoot"].position;
                ankles[1] = rig["RightFoot"].position;
            };
            if (unity != null) unity.write = walk;
            else Player.Animation = walk;
            double worst = 0.0;
            for (int i = 0; i < 2 * framesPerSecond; i++)
            {
                time = i / framesPerSecond;
                rig.Root.transform.position = new Vector3(0f, 0f, 1.4f * time);
                if (isStepped) Player.FixedStep();
                Player.Frame(1f / framesPerSecond);
                if (i < 3) continue;
                worst = Math.Max(worst, Vector3.Distance(ankles[0], rig["LeftFoot"].position));
                worst = Math.Max(worst, Vector3.Distance(ankles[1], rig["RightFoot"].position));
            }
            Player.Clear();
            return worst;
        }

        [Test]
        public void FootPlacementOnAFlatFloorHasNoLag()
        {
            foreach (float fps in new[] { 30f, 60f })
            {
                Assert.Less(Lag(false, false, fps), 5e-5, "metres at " + fps + " fps, no Animator");
                Assert.Less(Lag(true, false, fps), 5e-5, "metres at " + fps + " fps, IK Pass off");
                Assert.Less(Lag(true, true, fps), 5e-5, "metres at " + fps + " fps, IK Pass on");
                foreach (bool ikPass in new[] { false, true })
                    Assert.Less(Lag(true, ikPass, fps, true), 5e-5, "metres in Animate Physics, IK Pass " + ikPass);
            }
        }

        [Test]
        public void TheBodyMovesByWhatTheScriptAddsWhateverUnitysCentreOfMassIs()
        {
            foreach (bool ikPass in new[] { true, false })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(ikPass);
                unity.write = rig.PoseIdle;
                rig.Start();
                rig.Root.AddComponent<Script>().Do = delegate (SinewAnimator animator)
                {
                    animator.bodyPosition += new Vector3(0.02f, -0.05f, 0f);
                    animator.bodyRotation = Quaternion.AngleAxis(10f, Vector3.up) * animator.bodyRotation;
                };
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
                TestRig.AssertNear(Quaternion.AngleAxis(10f, Vector3.up), rig["Hips"].rotation, 0.1f, "hips turned, IK Pass " + ikPass);
                Assert.AreEqual(0.954 - 0.05, rig["Hips"].position.y, 2e-3, "hips lowered, IK Pass " + ikPass);
                Player.Clear();
            }
        }

        [Test]
        public void EachLayerGetsItsCallAndFindsWhatTheOneBeforeSet()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            unity.ikPassLayers.Add(2);
            unity.write = rig.PoseIdle;
            rig.Start();
            Script script = rig.Root.AddComponent<Script>();
            Vector3 found = Vector3.zero;
            script.Do = delegate (SinewAnimator animator)
            {
                if (script.LastLayer == 0) ReachRight(animator);
                else found = animator.GetIKPosition(AvatarIKGoal.RightHand);
                animator.bodyPosition += new Vector3(0f, -0.02f, 0f);
            };
            Player.Frame(0.02f);
            Assert.AreEqual(2, script.Calls);
            Assert.AreEqual(2, script.LastLayer);
            TestRig.AssertNear(goal, found, 0f, "goal of layer 0, as layer 2 finds it");
            Assert.AreEqual(0.954 - 0.04, rig["Hips"].position.y, 2e-3, "both layers lower the body");
            unity.ikPass = false;
            unity.ikPassLayers.Clear();
            script.Calls = 0;
            script.Do = null;
            rig.Animator.callbackLayers = new[] { 0, 1 };
            Player.Frame(0.02f);
            Assert.AreEqual(2, script.Calls, "layers that Sinew sends");
            Assert.AreEqual(1, script.LastLayer);
        }

        [Test]
        public void UnsetRotationsAndBadNumbersAreNoGoalAndAbortNothing()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Quaternion foot = rig["LeftFoot"].rotation;
            Vector3 hand = rig["LeftHand"].position;
            Script script = rig.Root.AddComponent<Script>();
            int finished = 0;
            script.Do = delegate (SinewAnimator animator)
            {
                animator.SetIKRotation(AvatarIKGoal.LeftFoot, default(Quaternion));
                animator.SetIKRotationWeight(AvatarIKGoal.LeftFoot, 1f);
                animator.SetIKPosition(AvatarIKGoal.LeftHand, new Vector3(float.NaN, 0f, 0f));
                animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
                animator.SetIKPositionWeight(AvatarIKGoal.RightFoot, float.NaN);
                animator.SetLookAtPosition(new Vector3(0f, float.PositiveInfinity, 0f));
                animator.bodyRotation = default(Quaternion);
                finished++;
            };
            for (int i = 0; i < 10; i++) Player.Frame(0.02f);
            Assert.AreEqual(10, finished);
            TestRig.AssertNear(foot, rig["LeftFoot"].rotation, 0.01f, "foot");
            TestRig.AssertNear(hand, rig["LeftHand"].position, 1e-5f, "hand");
            Assert.AreEqual(1, Debug.Lines.Count, "one warning");
            Assert.IsTrue(Debug.Lines[0].StartsWith("warning") && Debug.Lines[0].Contains("zero length"), Debug.Lines[0]);
            Debug.Lines.Clear();
        }

        [Test]
        public void ABoneTurnedInTheCallbackIsReadAgainAndDoesNotPileUp()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            rig.Root.AddComponent<Script>().Do = delegate (SinewAnimator animator)
            {
                rig["Spine"].localRotation *= Quaternion.Euler(0f, 20f, 0f);
                ReachRight(animator);
            };
            for (int i = 0; i < 5; i++)
            {
                Player.Frame(0.02f);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand in frame " + i);
                TestRig.AssertNear(Quaternion.Euler(0f, 20f, 0f), rig["Spine"].localRotation, 0.01f, "spine in frame " + i);
            }
        }

        [Test]
        public void PropsInTheCallbackAreWhereTheLastFrameLeftThem()
        {
            foreach (bool ikPass in new[] { true, false })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(ikPass);
                float sway = 0f;
                unity.write = delegate
                {
                    rig.PoseIdle();
                    rig["Spine"].localRotation = Quaternion.Euler(sway, 0f, 0f);
                };
                Transform grip = new GameObject("Grip").transform;
                grip.SetParent(rig["RightHand"], false);
                grip.localPosition = new Vector3(0f, 0.02f, 0.15f);
                rig.Start();
                Quaternion held = Quaternion.LookRotation(new Vector3(-0.3f, 0f, 1f), Vector3.up);
                rig.Root.AddComponent<Script>().Do = delegate (SinewAnimator animator)
                {
                    ReachRight(animator);
                    animator.SetIKRotation(AvatarIKGoal.RightHand, held);
                    animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
                    animator.SetIKPosition(AvatarIKGoal.LeftHand, grip.position);
                    animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
                };
                for (int i = 0; i < 20; i++)
                {
                    sway = 3f * Mathf.Sin(i * 0.4f);
                    Player.Frame(0.02f);
                    if (i > 2) TestRig.AssertNear(grip.position, rig["LeftHand"].position, 1e-3f, "left hand on the grip, IK Pass " + ikPass);
                }
                Player.Clear();
            }
        }

        [Test]
        public void GoalsOfTheCallbackEndWithItsScriptAndOthersStay()
        {
            foreach (bool ikPass in new[] { true, false })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(ikPass);
                unity.write = rig.PoseIdle;
                Script script = rig.Root.AddComponent<Script>();
                rig.Start();
                script.Do = ReachRight;
                Vector3 left = new Vector3(-0.3f, 1.1f, 0.3f);
                rig.Animator.SetIKPosition(AvatarIKGoal.LeftHand, left);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
                Player.Frame(0.02f);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "right hand");
                script.enabled = false;
                Player.Frame(0.02f);
                Assert.Greater(Vector3.Distance(goal, rig["RightHand"].position), 0.2, "the right hand is let go");
                TestRig.AssertNear(left, rig["LeftHand"].position, 1e-3f, "what was set outside stays");

                rig.Animator.goalLifetime = GoalLifetime.UntilChanged;
                script.enabled = true;
                Player.Frame(0.02f);
                script.enabled = false;
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "UntilChanged");

                rig.Animator.goalLifetime = GoalLifetime.OnePass;
                Player.Frame(0.02f);
                Player.Frame(0.02f);
                Assert.Greater(Vector3.Distance(left, rig["LeftHand"].position), 0.1, "OnePass");
                Player.Clear();
            }
        }

        [Test]
        public void AnAvatarThatComesLaterIsUsed()
        {
            TestRig rig = new TestRig("*");
            Animator unity = rig.AddUnityAnimator(false);
            Avatar avatar = unity.avatar;
            unity.avatar = null;
            rig.Start();
            Player.Frame(0.02f);
            unity.avatar = avatar;
            Player.Frame(0.02f);
            Assert.IsTrue(rig.Animator.rigDescription.Contains("26 bones from the Animator's avatar"), rig.Animator.rigDescription);

            TestRig late = new TestRig("*").Start();
            Player.Frame(0.02f);
            late.AddUnityAnimator(false);
            Player.Frame(0.02f);
            Assert.IsTrue(late.Animator.rigDescription.Contains("the Animator's avatar"), late.Animator.rigDescription);
        }

        [Test]
        public void ATransformWithBadNumbersIsSaidOnceAndCostsNoGarbage()
        {
            TestRig rig = new TestRig().Start();
            rig["Spine"].localPosition = new Vector3(float.NaN, 0f, 0f);
            for (int i = 0; i < 50; i++) Player.Frame(0.02f);
            Assert.AreEqual(1, Debug.Lines.Count);
            Assert.IsTrue(Debug.Lines[0].StartsWith("error") && Debug.Lines[0].Contains("stays as animated"), Debug.Lines[0]);
            Debug.Lines.Clear();
            rig["Spine"].localPosition = new Vector3(0f, 0.07f, -0.007f);
            ReachRight(rig.Animator);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand, once the numbers are good");
        }
    }
}
