using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Constraints and joint limits whose SinewAnimator comes, goes or is another
    /// one.</summary>
    public sealed class ConstraintOwnerTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        private static float Off(TestRig rig, Transform target)
        {
            Player.Frame(0.02f);
            return Vector3.Distance(target.position, rig["RightHand"].position);
        }

        private static TestRig Limb(out SinewTwoBone limb, out SinewJointLimits limits)
        {
            TestRig rig = new TestRig();
            limb = rig["RightHand"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = new GameObject("Target").transform;
            limb.target.position = goal;
            limits = rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.limitY = true;
            limits.min = new Vector3(0f, -1f, 0f);
            limits.max = new Vector3(0f, 1f, 0f);
            Player.Animation = rig.PoseIdle;
            return rig;
        }

        [Test]
        public void ASinewAnimatorThatIsReplacedHandsThemOver()
        {
            SinewTwoBone limb;
            SinewJointLimits limits;
            TestRig rig = Limb(out limb, out limits);
            rig.Start();
            Assert.Less(Off(rig, limb.target), 1e-3f, "the hand");
            float violation = limits.violation;
            Assert.Greater(violation, 5f, "degrees beyond the limits");
            UnityEngine.Object.DestroyImmediate(rig.Animator);
            Assert.IsTrue(limb.problemDescription.Contains("was destroyed"), limb.problemDescription);
            Assert.AreEqual(SinewStatusOf(limb), 0, "outcome without a SinewAnimator");
            Assert.AreEqual(0f, limits.violation, "limits without a SinewAnimator");
            Player.Frame(0.02f);
            rig.Animator = rig.Root.AddComponent<SinewAnimator>();
            limb.target.position = goal + new Vector3(0f, 0.1f, 0f);
            Assert.Less(Off(rig, limb.target), 1e-3f, "the hand with another SinewAnimator");
            Assert.IsTrue(limb.problemDescription == null, limb.problemDescription);
            Player.Animation = delegate { rig["LeftLowerArm"].localRotation = Quaternion.Euler(0f, 60f, 0f); };
            Player.Frame(0.02f);
            Assert.Greater(limits.violation, 5f, "degrees beyond the limits of another SinewAnimator");
        }

        private static int SinewStatusOf(SinewTwoBone limb)
        {
            return (int)limb.outcome.Status;
        }

        [Test]
        public void ASinewAnimatorThatComesLaterTakesThem()
        {
            SinewTwoBone limb;
            SinewJointLimits limits;
            TestRig rig = Limb(out limb, out limits);
            rig.Root.SetActive(true);
            Assert.AreEqual(2, Debug.Lines.Count, "warnings without a SinewAnimator");
            Debug.Lines.Clear();
            Assert.Greater(Off(rig, limb.target), 0.1f, "the hand without a SinewAnimator");
            rig.Animator = rig.Root.AddComponent<SinewAnimator>();
            Assert.Less(Off(rig, limb.target), 1e-3f, "the hand");
            // Once: the next enabling adds nothing.
            rig.Animator.enabled = false;
            rig.Animator.enabled = true;
            Assert.Less(Off(rig, limb.target), 1e-3f, "the hand after enabling");
            limb.enabled = false;
            Assert.Greater(Off(rig, limb.target), 0.1f, "the hand with a constraint that is off");
        }

        [Test]
        public void AnObjectThatGoesOverToAnotherCharacterWorksThere()
        {
            TestRig first = new TestRig().Start(), second = new TestRig().Start();
            second.Root.transform.position = new Vector3(2f, 0f, 0f);
            // A glove with a constraint that turns it.
            Transform glove = new GameObject("Glove").transform, source = new GameObject("Source").transform;
            source.rotation = Quaternion.Euler(0f, 60f, 0f);
            glove.SetParent(first["RightHand"], false);
            first.Animator.RebuildRig();
            SinewCopyRotation copy = glove.gameObject.AddComponent<SinewCopyRotation>();
            copy.source = source;
            Player.Frame(0.02f);
            TestRig.AssertNear(source.rotation, glove.rotation, 0.1f, "on the first character");
            glove.SetParent(null, true);
            Player.Frame(0.02f);
            Assert.IsTrue(copy.problemDescription.Contains("no SinewAnimator"), copy.problemDescription);
            Assert.AreEqual(0, Debug.Lines.Count, "an object that is laid down is no mistake");
            glove.SetParent(second["RightHand"], false);
            second.Animator.RebuildRig();
            glove.localRotation = Quaternion.identity;
            Player.Frame(0.02f);
            Assert.IsTrue(copy.problemDescription == null, copy.problemDescription);
            TestRig.AssertNear(source.rotation, glove.rotation, 0.1f, "on the second character");
            second["RightHand"].SetParent(first["RightHand"], false);
            Assert.IsTrue(ReferenceEquals(first.Animator, copy.Owner), "with the hand that it is on");
        }
    }
}
