using System;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>OnAnimatorIK arrives exactly once per frame, whoever sends it.</summary>
    public sealed class CallbackTests
    {
        [Test]
        public void SinewSendsItWithoutAnimator()
        {
            TestRig rig = new TestRig().Start();
            Script script = rig.Root.AddComponent<Script>();
            BareScript bare = rig.Root.AddComponent<BareScript>();
            DerivedScript derived = rig.Root.AddComponent<DerivedScript>();
            BothForms both = rig.Root.AddComponent<BothForms>();
            for (int i = 0; i < 10; i++) Player.Frame(0.02f);
            Assert.AreEqual(10, script.Calls);
            Assert.AreEqual(10, bare.Calls);
            Assert.AreEqual(10, derived.Calls);
            Assert.AreEqual(10, both.WithLayer);
            Assert.AreEqual(0, both.WithoutLayer);
            Assert.AreEqual(0, script.LastLayer);
        }

        [Test]
        public void UnitySendsItWithIKPass()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            Script script = rig.Root.AddComponent<Script>(); // before the SinewAnimator: gets the message first
            rig.Start();
            BareScript bare = rig.Root.AddComponent<BareScript>();
            for (int i = 0; i < 10; i++) Player.Frame(0.02f);
            Assert.AreEqual(10, script.Calls);
            Assert.AreEqual(10, bare.Calls);

            // IK Pass off from now on: Sinew takes over, still once per frame.
            unity.ikPass = false;
            for (int i = 0; i < 10; i++) Player.Frame(0.02f);
            Assert.AreEqual(20, script.Calls);
            unity.ikPass = true;
            for (int i = 0; i < 10; i++) Player.Frame(0.02f);
            Assert.AreEqual(30, script.Calls);
            Assert.AreEqual(30, bare.Calls);
        }

        [Test]
        public void ADisabledAnimatorLeavesSendingToSinew()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            Player.Frame(0.02f);
            unity.enabled = false;
            for (int i = 0; i < 4; i++) Player.Frame(0.02f);
            Assert.AreEqual(5, script.Calls);
        }

        [Test]
        public void NoCallbackIsMissedAfterPassesThatWereLeftOut()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            Player.Frame(0.02f);
            // Unity goes on sending while the character is not solved.
            rig.Animator.detailLevel = DetailLevel.Off;
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            Assert.AreEqual(4, script.Calls);
            unity.enabled = false;
            rig.Animator.detailLevel = DetailLevel.Full;
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            Assert.AreEqual(7, script.Calls, "callbacks, the first frame that is solved again among them");
        }

        [Test]
        public void GenericAvatarStillGetsItFromSinew()
        {
            TestRig rig = new TestRig();
            rig.AddUnityAnimator(true, false);
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            for (int i = 0; i < 5; i++) Player.Frame(0.02f);
            Assert.AreEqual(5, script.Calls);
        }

        [Test]
        public void GoalsSetInUnitysCallbackCountInTheSameFrame()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            unity.write = rig.PoseIdle;
            Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);
            script.Do = delegate (SinewAnimator animator)
            {
                animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                animator.bodyPosition = animator.bodyPosition + new Vector3(0f, -0.05f, 0f);
            };
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand");
        }

        [Test]
        public void GettersInUnitysCallbackGiveTheAnimationNotTheSolvedPose()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            unity.write = rig.PoseIdle;
            rig.PoseIdle();
            Vector3 animated = rig["RightHand"].position; // later the limb is stretched, and PoseIdle writes rotations only
            Vector3 seen = Vector3.zero;
            script.Do = delegate (SinewAnimator animator)
            {
                seen = animator.GetIKPosition(AvatarIKGoal.RightHand);
                animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.3f, 1.2f, 0.3f));
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            };
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            TestRig.AssertNear(animated, seen, 1e-4f, "animated hand of the previous frame");

            // The character walked on: the pose of the previous frame stands where the character is
            // now.
            rig.Root.transform.position = new Vector3(0f, 0f, 2f);
            Player.Frame(0.02f);
            TestRig.AssertNear(animated + new Vector3(0f, 0f, 2f), seen, 1e-4f, "animated hand after a step");
        }

        [Test]
        public void PhysicsAnimatorsFramesWithoutStepSendNothing()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            unity.updateMode = AnimatorUpdateMode.Fixed;
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);
            unity.write = rig.PoseIdle;
            script.Do = delegate (SinewAnimator animator)
            {
                animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            };
            for (int i = 0; i < 12; i++)
            {
                if (i % 3 == 0) Player.FixedStep();
                Player.Frame(0.01f);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand in frame " + i);
            }
            Assert.AreEqual(4, script.Calls);
        }

        [Test]
        public void DisabledScriptsAndObjectsGetNothing()
        {
            TestRig rig = new TestRig().Start();
            Script script = rig.Root.AddComponent<Script>();
            Player.Frame(0.02f);
            script.enabled = false;
            Player.Frame(0.02f);
            Assert.AreEqual(1, script.Calls);
            script.enabled = true;
            Player.Frame(0.02f);
            Assert.AreEqual(2, script.Calls);
            rig.Animator.enabled = false;
            Player.Frame(0.02f);
            Assert.AreEqual(2, script.Calls);
        }

        [Test]
        public void ScriptsMayComeAndGo()
        {
            TestRig rig = new TestRig().Start();
            Player.Frame(0.02f);
            Script late = rig.Root.AddComponent<Script>();
            Player.Frame(0.02f);
            Assert.AreEqual(1, late.Calls);
            Script other = rig.Root.AddComponent<Script>();
            UnityEngine.Object.Destroy(late);
            Player.Frame(0.02f);
            Player.Frame(0.02f);
            Assert.AreEqual(2, late.Calls);
            Assert.AreEqual(2, other.Calls);
        }

        [Test]
        public void AScriptThatThrowsIsLoggedAndStopsNobody()
        {
            TestRig rig = new TestRig().Start();
            Script bad = rig.Root.AddComponent<Script>();
            bad.Do = delegate { throw new InvalidOperationException("on purpose"); };
            Script good = rig.Root.AddComponent<Script>();
            good.Do = delegate (SinewAnimator animator)
            {
                animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.3f, 1.2f, 0.3f));
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            };
            Player.Frame(0.02f);
            Assert.AreEqual(1, good.Calls);
            Assert.AreEqual(1, Debug.Lines.Count);
            Assert.IsTrue(Debug.Lines[0].Contains("on purpose"), Debug.Lines[0]);
            Debug.Lines.Clear();
            TestRig.AssertNear(new Vector3(0.3f, 1.2f, 0.3f), rig["RightHand"].position, 1e-3f, "hand");
        }

        [Test]
        public void ScriptsMayDisableOrRebindInsideTheCallback()
        {
            TestRig rig = new TestRig().Start();
            TransformData[] before = rig.Snapshot();
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                animator.SetIKPosition(AvatarIKGoal.RightHand, Vector3.zero);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                if (script.Calls == 1) animator.Rebind();
                else animator.enabled = false;
            };
            Player.Frame(0.02f);
            rig.AssertPose(before, "rebound during the callback");
            Player.Frame(0.02f);
            rig.AssertPose(before, "disabled during the callback");
            Player.Frame(0.02f);
            Assert.AreEqual(2, script.Calls);
        }
    }
}
