using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Every member SinewAnimator shares with Unity's Animator: signature and
    /// meaning.</summary>
    public sealed class MemberTests
    {
        private const float Millimetre = 1e-3f;

        [Test]
        public void SignaturesAreUnitys()
        {
            string[] expected =
            {
                "Vector3 bodyPosition rw", "Quaternion bodyRotation rw", "Boolean isHuman r", "Single humanScale r",
                "Single leftFeetBottomHeight r", "Single rightFeetBottomHeight r",
                "Vector3 GetIKPosition(AvatarIKGoal goal)", "Void SetIKPosition(AvatarIKGoal goal, Vector3 goalPosition)",
                "Quaternion GetIKRotation(AvatarIKGoal goal)", "Void SetIKRotation(AvatarIKGoal goal, Quaternion goalRotation)",
                "Single GetIKPositionWeight(AvatarIKGoal goal)", "Void SetIKPositionWeight(AvatarIKGoal goal, Single value)",
                "Single GetIKRotationWeight(AvatarIKGoal goal)", "Void SetIKRotationWeight(AvatarIKGoal goal, Single value)",
                "Vector3 GetIKHintPosition(AvatarIKHint hint)", "Void SetIKHintPosition(AvatarIKHint hint, Vector3 hintPosition)",
                "Single GetIKHintPositionWeight(AvatarIKHint hint)", "Void SetIKHintPositionWeight(AvatarIKHint hint, Single value)",
                "Void SetLookAtPosition(Vector3 lookAtPosition)", "Void SetLookAtWeight(Single weight)",
                "Void SetLookAtWeight(Single weight, Single bodyWeight)",
                "Void SetLookAtWeight(Single weight, Single bodyWeight, Single headWeight)",
                "Void SetLookAtWeight(Single weight, Single bodyWeight, Single headWeight, Single eyesWeight)",
                "Void SetLookAtWeight(Single weight, Single bodyWeight, Single headWeight, Single eyesWeight, Single clampWeight)",
                "Void SetBoneLocalRotation(HumanBodyBones humanBoneId, Quaternion rotation)",
                "Transform GetBoneTransform(HumanBodyBones humanBoneId)",
                "Vector3 rootPosition rw", "Quaternion rootRotation rw", "Vector3 targetPosition r", "Quaternion targetRotation r",
                "Boolean isMatchingTarget r", "Single feetPivotActive rw", "Single pivotWeight r", "Vector3 pivotPosition r",
                "Boolean stabilizeFeet rw", "Void SetTarget(AvatarTarget targetIndex, Single targetNormalizedTime)",
                "Void MatchTarget(Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, "
                    + "MatchTargetWeightMask weightMask, Single startNormalizedTime)",
                "Void MatchTarget(Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, "
                    + "MatchTargetWeightMask weightMask, Single startNormalizedTime, Single targetNormalizedTime)",
                "Void MatchTarget(Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, "
                    + "MatchTargetWeightMask weightMask, Single startNormalizedTime, Single targetNormalizedTime, Boolean completeMatch)",
                "Void InterruptMatchTarget()", "Void InterruptMatchTarget(Boolean completeMatch)",
            };
            HashSet<string> actual = new HashSet<string>();
            foreach (PropertyInfo p in typeof(SinewAnimator).GetProperties())
                actual.Add(p.PropertyType.Name + " " + p.Name + " " + (p.CanRead ? "r" : "") + (p.CanWrite ? "w" : ""));
            foreach (MethodInfo m in typeof(SinewAnimator).GetMethods())
            {
                List<string> parameters = new List<string>();
                foreach (ParameterInfo p in m.GetParameters()) parameters.Add(p.ParameterType.Name + " " + p.Name);
                actual.Add(m.ReturnType.Name + " " + m.Name + "(" + string.Join(", ", parameters.ToArray()) + ")");
            }
            foreach (string signature in expected) Assert.IsTrue(actual.Contains(signature), "missing: " + signature);
            Assert.AreEqual("", typeof(SinewAnimator).Namespace ?? "", "one type name is all a script changes");
        }

        [Test]
        public void WeightsStartAtZeroStayAndAreLimited()
        {
            SinewAnimator animator = new TestRig().Start().Animator;
            for (int i = 0; i < 4; i++)
            {
                AvatarIKGoal goal = (AvatarIKGoal)i;
                AvatarIKHint hint = (AvatarIKHint)i;
                Assert.AreEqual(0f, animator.GetIKPositionWeight(goal));
                Assert.AreEqual(0f, animator.GetIKRotationWeight(goal));
                Assert.AreEqual(0f, animator.GetIKHintPositionWeight(hint));
                animator.SetIKPositionWeight(goal, 0.25f);
                animator.SetIKRotationWeight(goal, 0.5f);
                animator.SetIKHintPositionWeight(hint, 0.75f);
            }
            Player.Frame(0.02f);
            for (int i = 0; i < 4; i++)
            {
                Assert.AreEqual(0.25f, animator.GetIKPositionWeight((AvatarIKGoal)i));
                Assert.AreEqual(0.5f, animator.GetIKRotationWeight((AvatarIKGoal)i));
                Assert.AreEqual(0.75f, animator.GetIKHintPositionWeight((AvatarIKHint)i));
            }
            animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 7f);
            animator.SetIKRotationWeight(AvatarIKGoal.LeftHand, -1f);
            Assert.AreEqual(1f, animator.GetIKPositionWeight(AvatarIKGoal.LeftHand));
            Assert.AreEqual(0f, animator.GetIKRotationWeight(AvatarIKGoal.LeftHand));
            animator.ResetIK();
            Assert.AreEqual(0f, animator.GetIKPositionWeight(AvatarIKGoal.LeftHand));
        }

        [Test]
        public void HandsAndFeetReachTheirGoals()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            string[] ends = { "LeftFoot", "RightFoot", "LeftHand", "RightHand" };
            Vector3[] places =
            {
                new Vector3(-0.2f, 0.25f, 0.2f), new Vector3(0.15f, 0.3f, 0.25f),
                new Vector3(-0.3f, 1.3f, 0.35f), new Vector3(0.35f, 1.1f, 0.3f),
            };
            for (int i = 0; i < 4; i++)
            {
                rig.Animator.SetIKPosition((AvatarIKGoal)i, places[i]);
                rig.Animator.SetIKPositionWeight((AvatarIKGoal)i, 1f);
            }
            Player.Frame(0.02f);
            for (int i = 0; i < 4; i++)
            {
                TestRig.AssertNear(places[i], rig[ends[i]].position, Millimetre, ends[i]);
                Outcome outcome = rig.Animator.GetIKOutcome((AvatarIKGoal)i);
                Assert.AreEqual(SinewStatus.Reached, outcome.Status, ends[i]);
                Assert.Less(outcome.ResidualMeters, Millimetre, ends[i]);
            }
        }

        [Test]
        public void GettersGiveTheAnimationBeforeAndTheGoalAfterSetting()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Vector3 hand = rig["RightHand"].position;
            Vector3 knee = rig["LeftLowerLeg"].position;
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                TestRig.AssertNear(hand, animator.GetIKPosition(AvatarIKGoal.RightHand), 1e-5f, "hand before");
                TestRig.AssertNear(knee, animator.GetIKHintPosition(AvatarIKHint.LeftKnee), 1e-5f, "knee before");
                animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(1f, 2f, 3f));
                animator.SetIKHintPosition(AvatarIKHint.LeftKnee, new Vector3(4f, 5f, 6f));
                Assert.AreEqual(new Vector3(1f, 2f, 3f), animator.GetIKPosition(AvatarIKGoal.RightHand));
                Assert.AreEqual(new Vector3(4f, 5f, 6f), animator.GetIKHintPosition(AvatarIKHint.LeftKnee));
            };
            Player.Frame(0.02f);
            Assert.AreEqual(1, script.Calls);
        }

        [Test]
        public void GoalRotationsAreInUnitysFrame()
        {
            TestRig rig = new TestRig().Start();
            Player.Frame(0.02f);
            SinewAnimator animator = rig.Animator;
            TestRig.AssertNear(Quaternion.identity, animator.GetIKRotation(AvatarIKGoal.LeftFoot), 1f, "left foot in T-pose");
            TestRig.AssertNear(Quaternion.identity, animator.GetIKRotation(AvatarIKGoal.RightFoot), 1f, "right foot in T-pose");
            TestRig.AssertNear(Quaternion.LookRotation(Vector3.left, Vector3.up), animator.GetIKRotation(AvatarIKGoal.LeftHand), 1f, "left hand in T-pose");
            TestRig.AssertNear(Quaternion.LookRotation(Vector3.right, Vector3.up), animator.GetIKRotation(AvatarIKGoal.RightHand), 1f, "right hand in T-pose");

            Quaternion before = rig["RightHand"].rotation;
            Quaternion turn = Quaternion.AngleAxis(40f, new Vector3(1f, 2f, -1f));
            Quaternion goal = turn * animator.GetIKRotation(AvatarIKGoal.RightHand);
            animator.SetIKRotation(AvatarIKGoal.RightHand, goal);
            animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(turn * before, rig["RightHand"].rotation, 0.05f, "hand turned");
            Assert.Less(animator.GetIKOutcome(AvatarIKGoal.RightHand).ResidualRadians, 1e-3);
        }

        [Test]
        public void HintsSwivelTheLimb()
        {
            foreach (float side in new[] { -1f, 1f })
            {
                TestRig rig = new TestRig().Start();
                rig.PoseIdle();
                rig.Animator.SetIKPosition(AvatarIKGoal.LeftFoot, new Vector3(-0.1f, 0.4f, 0.1f));
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.LeftFoot, 1f);
                rig.Animator.SetIKHintPosition(AvatarIKHint.LeftKnee, new Vector3(-0.1f + side, 0.6f, 0.3f));
                rig.Animator.SetIKHintPositionWeight(AvatarIKHint.LeftKnee, 1f);
                Player.Frame(0.02f);
                Vector3 middle = (rig["LeftUpperLeg"].position + rig["LeftFoot"].position) * 0.5f;
                Assert.Greater((rig["LeftLowerLeg"].position - middle).x * side, 0.1, "knee on the hint's side");
                TestRig.AssertNear(new Vector3(-0.1f, 0.4f, 0.1f), rig["LeftFoot"].position, Millimetre, "foot");
                Player.Clear();
            }
        }

        [Test]
        public void LookAtOverloadsFillInUnitysValues()
        {
            Vector3 target = new Vector3(0.8f, 1.7f, 1f);
            float[] turned = new float[5];
            for (int overload = 0; overload < 5; overload++)
            {
                TestRig rig = new TestRig().Start();
                rig.Animator.SetLookAtPosition(target);
                if (overload == 0) rig.Animator.SetLookAtWeight(1f);
                if (overload == 1) rig.Animator.SetLookAtWeight(1f, 0f);
                if (overload == 2) rig.Animator.SetLookAtWeight(1f, 0f, 1f);
                if (overload == 3) rig.Animator.SetLookAtWeight(1f, 0f, 1f, 0f);
                if (overload == 4) rig.Animator.SetLookAtWeight(1f, 0f, 1f, 0f, 0.5f);
                Player.Frame(0.02f);
                turned[overload] = Quaternion.Angle(Quaternion.identity, rig["Head"].rotation);
                Assert.AreEqual(turned[0], turned[overload], "overload " + overload);
                Assert.AreEqual(0.0, Quaternion.Angle(Quaternion.identity, rig["Spine"].localRotation), 1e-3, "spine, body weight 0");
                Assert.IsTrue(rig.Animator.GetLookAtOutcome().IsReached, rig.Animator.GetLookAtOutcome().ToString());
                Player.Clear();
            }
            Assert.Greater(turned[0], 25.0, "the head turned");
        }

        [Test]
        public void LookAtWeightSharesAndClamps()
        {
            TestRig rig = new TestRig().Start();
            rig.Animator.SetLookAtPosition(new Vector3(1f, 1.6f, 0.5f));
            rig.Animator.SetLookAtWeight(1f, 0.5f, 1f);
            Player.Frame(0.02f);
            Assert.Greater(Quaternion.Angle(Quaternion.identity, rig["UpperChest"].rotation), 5.0, "the spine takes its share");
            rig.Animator.SetLookAtWeight(1f, 0f, 1f, 0f, 1f);
            Player.Frame(0.02f);
            Assert.Less(Quaternion.Angle(Quaternion.identity, rig["Head"].rotation), 0.1, "clamp 1 turns nothing");
        }

        [Test]
        public void BodyMovesAndFeetStay()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Vector3 foot = rig["LeftFoot"].position;
            Vector3 hips = rig["Hips"].position;
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                animator.bodyPosition = animator.bodyPosition - new Vector3(0f, 0.1f, 0f);
                animator.SetIKPosition(AvatarIKGoal.LeftFoot, foot);
                animator.SetIKPositionWeight(AvatarIKGoal.LeftFoot, 1f);
            };
            Player.Frame(0.02f);
            TestRig.AssertNear(hips - new Vector3(0f, 0.1f, 0f), rig["Hips"].position, 2 * Millimetre, "hips");
            TestRig.AssertNear(foot, rig["LeftFoot"].position, Millimetre, "foot");
            // One pass only: the animation's own body again.
            script.Do = null;
            Player.Frame(0.02f);
            TestRig.AssertNear(hips, rig["Hips"].position, 1e-5f, "hips after a pass without bodyPosition");
        }

        [Test]
        public void BodyRotationTurnsTheBody()
        {
            TestRig rig = new TestRig().Start();
            Script script = rig.Root.AddComponent<Script>();
            Quaternion turn = Quaternion.AngleAxis(30f, Vector3.up);
            script.Do = delegate (SinewAnimator animator)
            {
                TestRig.AssertNear(Quaternion.identity, animator.bodyRotation, 1f, "body in T-pose");
                animator.bodyRotation = turn;
                TestRig.AssertNear(turn, animator.bodyRotation, 0.01f, "as set");
            };
            Player.Frame(0.02f);
            TestRig.AssertNear(turn, rig["Hips"].rotation, 1f, "hips");
        }

        [Test]
        public void BoneLocalRotationCountsForOnePass()
        {
            TestRig rig = new TestRig().Start();
            Quaternion bend = Quaternion.Euler(20f, 0f, 0f);
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                animator.SetBoneLocalRotation(HumanBodyBones.Spine, bend);
                animator.SetBoneLocalRotation(HumanBodyBones.Jaw, bend); // this rig has none: ignored
            };
            Player.Frame(0.02f);
            TestRig.AssertNear(bend, rig["Spine"].localRotation, 0.01f, "spine");
            script.Do = null;
            Player.Frame(0.02f);
            TestRig.AssertNear(Quaternion.identity, rig["Spine"].localRotation, 0.001f, "spine afterwards");
        }

        [Test]
        public void AvatarFactsAreThere()
        {
            TestRig rig = new TestRig().Start();
            SinewAnimator animator = rig.Animator;
            Assert.IsTrue(animator.isHuman);
            Assert.Greater(animator.humanScale, 0.8);
            Assert.Less(animator.humanScale, 1.2);
            Assert.Greater(animator.leftFeetBottomHeight, 0.02);
            Assert.Less(animator.leftFeetBottomHeight, 0.15);
            Assert.AreEqual(animator.leftFeetBottomHeight, animator.rightFeetBottomHeight, 1e-5);
            Assert.IsTrue(animator.GetBoneTransform(HumanBodyBones.RightHand) == rig["RightHand"]);
            Assert.IsTrue(animator.GetBoneTransform(HumanBodyBones.Jaw) == null);
            Assert.Throws<IndexOutOfRangeException>(delegate { animator.GetBoneTransform(HumanBodyBones.LastBone); });
            Assert.Throws<IndexOutOfRangeException>(delegate { animator.GetBoneTransform((HumanBodyBones)(-1)); });
        }

        [Test]
        public void OutOfReachIsAnOutcome()
        {
            TestRig rig = new TestRig().Start();
            Vector3 far = new Vector3(0.3f, 1.4f, 5f);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, far);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            Outcome outcome = rig.Animator.GetIKOutcome(AvatarIKGoal.RightHand);
            Assert.AreEqual(SinewStatus.Unreachable, outcome.Status);
            Assert.AreEqual(Vector3.Distance(far, rig["RightHand"].position), outcome.ResidualMeters, 1e-3);
            Assert.AreEqual(SinewStatus.Inactive, rig.Animator.GetIKOutcome(AvatarIKGoal.LeftHand).Status);
        }
    }
}
