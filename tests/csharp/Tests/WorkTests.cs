using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>The bound on a character's work: it ends solves early, and stays when the rig is set
    /// up again.</summary>
    public sealed class WorkTests
    {
        private const int Unbounded = (int)SinewConstants.SINEW_MAX_WORK;
        private const uint Bound = 20000u;

        private static void Reach(SinewAnimator animator)
        {
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            animator.SetIKPosition(AvatarIKGoal.RightHand, new Vector3(0.2f, 1.1f, 0.55f));
        }

        [Test]
        public void ABoundEndsTheWholeBodyEarly()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            SinewAnimator animator = rig.Animator;
            animator.bodySolver = SinewBodySolverMode.Converge;
            Reach(animator);
            Assert.AreEqual(Unbounded, animator.maxWork, "the library's default");
            Player.Frame(0.02f);
            Assert.AreEqual(SinewStatus.Reached, animator.GetIKOutcome(AvatarIKGoal.RightHand).Status);
            animator.maxWork = 0;
            Player.Frame(0.02f);
            Assert.AreEqual(SinewStatus.OutOfIterations, animator.GetIKOutcome(AvatarIKGoal.RightHand).Status);
            animator.RebuildRig();
            Reach(animator); // goals are cleared, the bound is not
            Player.Frame(0.02f);
            Assert.AreEqual(SinewStatus.OutOfIterations, animator.GetIKOutcome(AvatarIKGoal.RightHand).Status, "after RebuildRig");
            animator.maxWork = Unbounded;
            Player.Frame(0.02f);
            Assert.AreEqual(SinewStatus.Reached, animator.GetIKOutcome(AvatarIKGoal.RightHand).Status, "unbounded again");
        }

        [Test]
        public void ABoundCountsForChainsOfAnyRig()
        {
            GameObject root = new GameObject("Tail");
            Transform at = root.transform;
            for (int i = 0; i < 6; i++)
            {
                Transform joint = new GameObject("Tail_" + i).transform;
                joint.SetParent(at, false);
                joint.localPosition = new Vector3(0f, 0f, 0.2f);
                at = joint;
            }
            SinewAnimator animator = root.AddComponent<SinewAnimator>();
            SinewChain chain = at.gameObject.AddComponent<SinewChain>();
            chain.jointCount = 6;
            chain.target = new GameObject("Target").transform;
            chain.target.position = new Vector3(0.4f, 0.5f, 0.4f);
            animator.maxWork = 0;
            Player.Frame(0.02f);
            Assert.IsFalse(animator.isHuman);
            Assert.AreEqual(SinewStatus.OutOfIterations, chain.outcome.Status);
            animator.maxWork = Unbounded;
            Player.Frame(0.02f);
            Assert.AreEqual(SinewStatus.Reached, chain.outcome.Status);
        }

        [Test]
        public void ABoundStaysWhenTheRigIsSetUpAgain()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(false);
            SinewAnimator animator = rig.Start().Animator;
            animator.maxWork = (int)Bound;
            Player.Frame(0.02f);
            NativeAnimator first = animator.nativeAnimator;
            Assert.AreEqual(Bound, first.MaxWork);

            animator.Rebind();
            Assert.AreEqual(Bound, animator.nativeAnimator.MaxWork, "after Rebind, before a pass");
            Assert.IsFalse(ReferenceEquals(first, animator.nativeAnimator));

            first = animator.nativeAnimator;
            unity.avatar = new Avatar(true, unity.avatar.humanDescription);
            Player.Frame(0.02f);
            Assert.IsFalse(ReferenceEquals(first, animator.nativeAnimator));
            Assert.AreEqual(Bound, animator.nativeAnimator.MaxWork, "after another avatar");

            animator.enabled = false;
            animator.enabled = true;
            Assert.AreEqual(Bound, animator.nativeAnimator.MaxWork, "after disabling");

            GameObject clone = Object.Instantiate(rig.Root);
            Player.Frame(0.02f);
            Assert.AreEqual(Bound, clone.GetComponent<SinewAnimator>().nativeAnimator.MaxWork, "the clone's");

            // Fields of scripts have no slider.
            animator.maxWork = -5;
            Player.Frame(0.02f);
            Assert.AreEqual(0u, animator.nativeAnimator.MaxWork);
            animator.maxWork = int.MaxValue;
            Player.Frame(0.02f);
            Assert.AreEqual((uint)Unbounded, animator.nativeAnimator.MaxWork);
        }
    }
}
