using System;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>A SinewBody whose effectors, joints and limits come, go and are wrong for a
    /// while.</summary>
    public sealed class BodyLifecycleTests
    {
        private const float Step = 1f / 60f;
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        private static TestRig Person(out SinewBody body)
        {
            TestRig rig = new TestRig();
            body = rig.Root.AddComponent<SinewBody>();
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            return rig;
        }

        private static Transform At(Vector3 place)
        {
            Transform made = new GameObject("Target").transform;
            made.position = place;
            return made;
        }

        [Test]
        public void AnEffectorThatIsRemovedLetsGo()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Frame(Step);
            TransformData[] animated = rig.Snapshot();
            SinewBodyEffector hand = new SinewBodyEffector { joint = rig["RightHand"], target = At(goal), matchRotation = true };
            body.effectors.Add(hand);
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "the hand");
            body.effectors.Clear();
            Player.Frame(Step);
            rig.AssertPose(animated, "an effector that was removed");
            Assert.AreEqual((int)SinewStatus.Inactive, hand.outcome.status, "outcome of an effector that was removed");
            // Another one in its place counts alone.
            Transform other = At(goal + new Vector3(-0.1f, 0.2f, 0.1f));
            body.effectors.Add(hand);
            Player.Frame(Step);
            body.effectors[0] = new SinewBodyEffector { joint = rig["RightHand"], target = other };
            Player.Frame(Step);
            TestRig.AssertNear(other.position, rig["RightHand"].position, 2e-3f, "the one in its place");
            // And it may go over to another body.
            SinewBody second;
            TestRig rig2 = Person(out second);
            Player.Animation = delegate
            {
                rig.PoseIdle();
                rig2.PoseIdle();
            };
            body.effectors.Clear();
            body.effectors.Add(hand);
            Player.Frame(Step);
            body.effectors.Clear();
            hand.joint = rig2["RightHand"];
            second.effectors.Add(hand);
            Player.Frame(Step);
            TestRig.AssertNear(goal, rig2["RightHand"].position, 2e-3f, "the hand of the other body");
            rig.AssertPose(animated, "the body that it has left");
        }

        [Test]
        public void FortyGrabsAreAsGoodAsTheFirst()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            for (int i = 0; i < 40; i++)
            {
                Transform target = At(goal + new Vector3(0.01f * i, 0f, 0f));
                SinewBodyEffector hand = new SinewBodyEffector { joint = rig["RightHand"], target = target };
                body.effectors.Add(hand);
                Player.Frame(Step);
                TestRig.AssertNear(target.position, rig["RightHand"].position, 2e-3f, "grab " + i);
                body.effectors.Remove(hand);
                Player.Frame(Step);
            }
        }
    }
}
