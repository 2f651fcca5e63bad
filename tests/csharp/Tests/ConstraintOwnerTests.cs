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
            Assert.Greater(Off(rig, limb.target), 0.1f, "the hand without a SinewAnimator");
            Assert.AreEqual(2, Debug.Lines.Count, "warnings without a SinewAnimator");
            Debug.Lines.Clear();
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

        // As scripts do it: the fields are set after AddComponent has enabled the component.
        [Test]
        public void AnAnimatorThatIsChosenCountsAtOnceAndAnotherFromRefreshOn()
        {
            TestRig rig = new TestRig().Start(), other = new TestRig().Start();
            Player.Animation = delegate
            {
                rig.PoseIdle();
                other.PoseIdle();
            };
            Transform target = new GameObject("Target").transform;
            target.position = goal;
            SinewTwoBone limb = new GameObject("Constraints").AddComponent<SinewTwoBone>();
            limb.animator = rig.Animator;
            limb.end = rig["RightHand"];
            limb.target = target;
            Assert.Less(Off(rig, target), 1e-3f, "the hand");
            Assert.IsNull(limb.problemDescription);

            limb.animator = other.Animator;
            limb.end = other["RightHand"];
            limb.Refresh();
            Assert.Less(Off(other, target), 1e-3f, "the hand of the other character");
            Assert.Greater(Off(rig, target), 0.1f, "the hand that was let go");
            limb.enabled = false;
            Assert.Greater(Off(other, target), 0.1f, "after disabling");
        }

        // What is missing is said once, when all that a script adds in one go is there.
        [Test]
        public void OneWithoutSinewAnimatorIsSaidInTheFirstFrame()
        {
            TestRig rig = new TestRig();
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            SinewTwoBone limb = rig["RightHand"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = new GameObject("Target").transform;
            limb.target.position = goal;
            SinewAnimator animator = rig.Root.AddComponent<SinewAnimator>();
            for (int i = 0; i < 2; i++) Player.Frame(0.02f);
            Assert.AreEqual(0, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.Less(Off(rig, limb.target), 1e-3f, "the hand");
            Assert.IsTrue(animator != null);

            GameObject alone = new GameObject("Alone");
            foreach (bool isLimits in new[] { false, true })
            {
                MonoBehaviour one = isLimits ? (MonoBehaviour)alone.AddComponent<SinewJointLimits>() : alone.AddComponent<SinewAim>();
                Assert.AreEqual(0, Debug.Lines.Count, "before the first frame");
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
                AssertSaid(one, "the first frame");
                one.enabled = false;
                one.enabled = true;
                AssertSaid(one, "enabled again");
            }
        }

        private static void AssertSaid(MonoBehaviour about, string when)
        {
            Assert.AreEqual(1, Debug.Lines.Count, when + ": " + string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("has no SinewAnimator") && ReferenceEquals(about, Debug.LastContext), Debug.Lines[0]);
            Debug.Lines.Clear();
        }

        [Test]
        public void AnOrderThatIsChangedCountsFromRefreshOn()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            SinewTwoBone[] limbs = new SinewTwoBone[3];
            for (int i = 0; i < limbs.Length; i++)
            {
                limbs[i] = rig["RightHand"].gameObject.AddComponent<SinewTwoBone>();
                limbs[i].target = new GameObject("Target").transform;
                limbs[i].target.position = goal + new Vector3(0f, 0.1f * i, 0f);
            }
            Assert.Less(Off(rig, limbs[2].target), 1e-3f, "the last one wins");
            limbs[0].order = 1;
            limbs[0].Refresh();
            Assert.Less(Off(rig, limbs[0].target), 1e-3f, "the highest number wins");
            limbs[0].order = 0;
            limbs[1].order = 1;
            limbs[1].Refresh();
            Assert.Less(Off(rig, limbs[1].target), 1e-3f, "the other one");
        }
    }
}
