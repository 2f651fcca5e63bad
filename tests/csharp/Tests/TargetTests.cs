using System;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Target matching, root and pivot: Unity's names on SinewAnimator.</summary>
    public sealed class TargetTests
    {
        private static readonly MatchTargetWeightMask Whole = new MatchTargetWeightMask(Vector3.one, 1f);
        private static readonly Vector3 Place = new Vector3(1f, 0.5f, 2f);
        private static readonly Quaternion Turn = Quaternion.AngleAxis(70f, new Vector3(0.1f, 1f, 0.2f));

        [Test]
        public void EachPartArrivesInTime()
        {
            foreach (AvatarTarget part in Enum.GetValues(typeof(AvatarTarget)))
            {
                TestRig rig = new TestRig().Start();
                rig.PoseIdle();
                SinewAnimator animator = rig.Animator;
                animator.SetTarget(part, 1f);
                Player.Frame(0.02f);
                Vector3 start = animator.targetPosition;
                animator.MatchTarget(Place, Turn, part, Whole, 0.2f, 0.7f);
                Assert.IsTrue(animator.isMatchingTarget, part + " waits for its start time");
                Vector3 root = rig.Root.transform.position;
                for (int i = 1; i <= 20; i++)
                {
                    animator.normalizedTime = i * 0.05f;
                    Player.Frame(0.02f);
                    if (i <= 4) Assert.AreEqual(root, rig.Root.transform.position, part + " before the start time");
                    if (i == 9) // half the way
                        TestRig.AssertNear((start + Place) * 0.5f, animator.targetPosition, 1e-4f, part + " halfway");
                    Assert.AreEqual(i < 14, animator.isMatchingTarget, part + " at " + animator.normalizedTime);
                    if (i == 14) root = rig.Root.transform.position;
                    if (i > 14) Assert.AreEqual(root, rig.Root.transform.position, part + " after the target time");
                }
                TestRig.AssertNear(Place, animator.targetPosition, 1e-4f, part + " at the target");
                TestRig.AssertNear(Turn, animator.targetRotation, 0.02f, part + " turned to the target");
                if (part == AvatarTarget.RightHand) TestRig.AssertNear(Place, rig["RightHand"].position, 1e-4f, "the hand itself");
                if (part == AvatarTarget.Root) TestRig.AssertNear(Place, rig.Root.transform.position, 1e-5f, "the root itself");
                Player.Clear();
            }
        }

        [Test]
        public void WeightsMaskAxesAndRotation()
        {
            TestRig rig = new TestRig().Start();
            Player.Frame(0.02f);
            Quaternion facing = rig.Root.transform.rotation;
            rig.Animator.MatchTarget(Place, Turn, AvatarTarget.Root, new MatchTargetWeightMask(new Vector3(1f, 0f, 0.5f), 0f), 0f);
            rig.Animator.normalizedTime = 1f;
            Player.Frame(0.02f);
            TestRig.AssertNear(new Vector3(Place.x, 0f, Place.z * 0.5f), rig.Root.transform.position, 1e-5f, "axes");
            Assert.AreEqual(facing, rig.Root.transform.rotation);
        }

        [Test]
        public void NumbersThatAreNoneBeginNoMatch()
        {
            Vector3 noPlace = new Vector3(0f, float.NaN, 0f);
            MatchTargetWeightMask noWeight = new MatchTargetWeightMask(noPlace, 1f), noShare = new MatchTargetWeightMask(Vector3.one, float.NaN);
            Action<SinewAnimator>[] calls =
            {
                delegate (SinewAnimator a) { a.MatchTarget(noPlace, Turn, AvatarTarget.Root, Whole, 0f); },
                delegate (SinewAnimator a) { a.MatchTarget(Place, new Quaternion(0f, 0f, float.NaN, 1f), AvatarTarget.Root, Whole, 0f); },
                delegate (SinewAnimator a) { a.MatchTarget(Place, default(Quaternion), AvatarTarget.Root, Whole, 0f); },
                delegate (SinewAnimator a) { a.MatchTarget(Place, Turn, AvatarTarget.Root, noWeight, 0f); },
                delegate (SinewAnimator a) { a.MatchTarget(Place, Turn, AvatarTarget.Root, noShare, 0f); },
                delegate (SinewAnimator a) { a.MatchTarget(Place, Turn, AvatarTarget.Root, Whole, float.NaN); },
                delegate (SinewAnimator a) { a.MatchTarget(Place, Turn, AvatarTarget.Root, Whole, 0f, float.PositiveInfinity); },
            };
            string[] arguments = { "matchPosition", "rotation", "rotation", "positionXYZWeight", "rotationWeight", "startNormalizedTime", "targetNormalizedTime" };
            for (int i = 0; i < calls.Length; i++)
            {
                TestRig rig = new TestRig().Start();
                Player.Frame(0.02f);
                Vector3 root = rig.Root.transform.position;
                Debug.Lines.Clear();
                for (int times = 0; times < 3; times++) calls[i](rig.Animator);
                Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
                Assert.IsTrue(Debug.Lines[0].Contains("MatchTarget: " + arguments[i] + " is "), Debug.Lines[0]);
                Debug.Lines.Clear();
                Assert.IsFalse(rig.Animator.isMatchingTarget, arguments[i]);
                rig.Animator.normalizedTime = 1f;
                Player.Frame(0.02f);
                Assert.AreEqual(root, rig.Root.transform.position, arguments[i]);
                Player.Clear();
            }
        }

        [Test]
        public void ARotationOfAnyLengthCountsAndNoneIsNeededWithoutItsWeight()
        {
            TestRig rig = new TestRig().Start();
            Player.Frame(0.02f);
            SinewAnimator animator = rig.Animator;
            animator.MatchTarget(Place, default(Quaternion), AvatarTarget.Root, new MatchTargetWeightMask(Vector3.one, 0f), 0f);
            animator.normalizedTime = 1f;
            Player.Frame(0.02f);
            TestRig.AssertNear(Place, rig.Root.transform.position, 1e-5f, "a place alone");
            Quaternion tripled = new Quaternion(3f * Turn.x, 3f * Turn.y, 3f * Turn.z, 3f * Turn.w);
            animator.normalizedTime = 0f;
            animator.MatchTarget(Place, tripled, AvatarTarget.Root, Whole, 0f);
            animator.normalizedTime = 1f;
            Player.Frame(0.02f);
            TestRig.AssertNear(Turn, rig.Root.transform.rotation, 0.02f, "a rotation of three times the length");
        }

        [Test]
        public void OneMatchAtATimeAndInterruptions()
        {
            TestRig rig = new TestRig().Start();
            SinewAnimator animator = rig.Animator;
            Player.Frame(0.02f);
            animator.MatchTarget(Place, Turn, AvatarTarget.Root, Whole, 0f);
            animator.MatchTarget(Place * 5f, Turn, AvatarTarget.Root, Whole, 0f); // discarded
            animator.normalizedTime = 0.5f;
            Player.Frame(0.02f);
            TestRig.AssertNear(Place * 0.5f, rig.Root.transform.position, 1e-5f, "halfway to the first");
            animator.InterruptMatchTarget(false);
            Assert.IsFalse(animator.isMatchingTarget);
            Player.Frame(0.02f);
            TestRig.AssertNear(Place * 0.5f, rig.Root.transform.position, 1e-5f, "left where it was");
            animator.MatchTarget(Place, Turn, AvatarTarget.Root, Whole, 0f);
            animator.InterruptMatchTarget();
            Player.Frame(0.02f);
            TestRig.AssertNear(Place, rig.Root.transform.position, 1e-5f, "completed in the next frame");
            animator.InterruptMatchTarget();
            rig.Root.transform.position = Vector3.zero;
            Player.Frame(0.02f);
            TestRig.AssertNear(Vector3.zero, rig.Root.transform.position, 1e-6f, "nothing to interrupt");
        }

        [Test]
        public void TheAnimatorsStateTellsTheTime()
        {
            foreach (bool complete in new[] { false, true })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                unity.runtimeAnimatorController = new RuntimeAnimatorController();
                unity.stateTime = 3.3f;
                unity.stateLoops = true;
                unity.stateHash = 1;
                rig.Start();
                SinewAnimator animator = rig.Animator;
                Player.Frame(0.02f);
                animator.normalizedTime = 77f; // no effect
                Assert.AreEqual(3.3f, animator.normalizedTime);
                animator.MatchTarget(Place, Turn, AvatarTarget.Root, Whole, 0.2f, 0.8f, complete);
                unity.stateTime = 3.9f;
                Player.Frame(0.02f);
                Assert.AreEqual(Vector3.zero, rig.Root.transform.position, "the start time of this loop is over");
                unity.stateTime = 4.5f;
                Player.Frame(0.02f);
                TestRig.AssertNear(Place * 0.5f, rig.Root.transform.position, 1e-5f, "halfway in the next loop");
                unity.stateHash = 2; // another state
                unity.stateTime = 4.6f;
                Player.Frame(0.02f);
                Assert.IsFalse(animator.isMatchingTarget);
                TestRig.AssertNear(complete ? Place : Place * 0.5f, rig.Root.transform.position, 1e-5f, "interrupted by a state, " + complete);
                Player.Clear();
            }
        }

        [Test]
        public void APartThatThereIsNotIsRefusedAtOnce()
        {
            SinewAnimator animator = new TestRig().Start().Animator;
            Assert.Throws<SinewException>(delegate { animator.MatchTarget(Place, Turn, (AvatarTarget)6, Whole, 0f); });
            Assert.IsFalse(animator.isMatchingTarget);
        }

        [Test]
        public void RootAndPivotAreThere()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(false);
            rig.Start();
            SinewAnimator animator = rig.Animator;
            Vector3 hand = new Vector3(0f, 0f, 0f);
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator a)
            {
                a.rootPosition = a.rootPosition + Vector3.forward;
                a.rootRotation = Quaternion.AngleAxis(90f, Vector3.up) * a.rootRotation;
                hand = a.GetIKPosition(AvatarIKGoal.RightHand);
            };
            Player.Frame(0.02f);
            TestRig.AssertNear(Vector3.forward, rig.Root.transform.position, 1e-6f, "the GameObject");
            TestRig.AssertNear(rig["RightHand"].position, hand, 1e-5f, "goals of the animation after the root was moved");
            animator.feetPivotActive = 0.75f;
            animator.stabilizeFeet = true;
            Assert.AreEqual(0.75f, unity.feetPivotActive);
            Assert.IsTrue(unity.stabilizeFeet && animator.stabilizeFeet);
            Assert.AreEqual(unity.pivotWeight, animator.pivotWeight);
            Assert.AreEqual(unity.pivotPosition, animator.pivotPosition);
            Assert.AreEqual(0.75f, animator.feetPivotActive);
            unity.runtimeAnimatorController = new RuntimeAnimatorController();
            animator.SetTarget(AvatarTarget.LeftHand, 0.5f);
            Assert.AreEqual(unity.targetPosition, animator.targetPosition, "with a controller the Animator foresees it");
            Player.Clear();

            SinewAnimator alone = new TestRig().Start().Animator;
            alone.feetPivotActive = 1f;
            alone.stabilizeFeet = true;
            Assert.AreEqual(0f, alone.feetPivotActive);
            Assert.IsFalse(alone.stabilizeFeet);
            Assert.AreEqual(0f, alone.pivotWeight);
        }
    }
}
