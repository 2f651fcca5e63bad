using System.Collections.Generic;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Lines that the Inspector's + adds to lists of the components have their
    /// defaults.</summary>
    public sealed class NewLineTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        private static void Add(MonoBehaviour to, string list)
        {
            SerializedObject serialized = new SerializedObject(to);
            serialized.FindProperty(list).arraySize++;
            serialized.ApplyModifiedProperties();
        }

        [Test]
        public void AnEffectorThatIsAddedInTheInspectorWorks()
        {
            TestRig rig = new TestRig();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            Add(body, "effectors");
            body.effectors[0].joint = rig["RightHand"];
            body.effectors[0].target = new GameObject("Target").transform;
            body.effectors[0].target.position = goal;
            Player.Animation = rig.PoseIdle;
            rig.Root.SetActive(true);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand");
            // Those that come after it are copies, as everywhere in Unity.
            body.effectors[0].blend = 0.25f;
            Add(body, "effectors");
            Assert.AreEqual(0.25f, body.effectors[1].blend, "blend of a copy");
        }

        [Test]
        public void FirstLinesOfAllListsHaveTheirDefaults()
        {
            TestRig rig = new TestRig().Start();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            Add(body, "couplings");
            Assert.AreEqual(1f, body.couplings[0].ratio, "ratio");
            Assert.AreEqual(Vector3.up, body.couplings[0].axis, "axis");
            SinewBodyTies ties = rig.Root.AddComponent<SinewBodyTies>();
            Add(ties, "ties");
            Assert.AreEqual(0.5f, ties.ties[0].share, "share");
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            Add(grounder, "legs");
            Assert.AreEqual(1f, grounder.legs[0].weight, "weight of a leg");
            Assert.AreEqual(-1, grounder.legs[0].group, "group of a leg");
            grounder.legs.Clear();
            SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
            Add(chain, "branches");
            Assert.AreEqual(1f, chain.branches[0].positionWeight, "weight of a branch");
            chain.branches = new ChainBranch[0];
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            Add(goals, "effectors");
            Assert.AreEqual(1f, goals.effectors[0].positionWeight, "weight of an effector");
            SinewTrackedBody tracked = rig.Root.AddComponent<SinewTrackedBody>();
            tracked.trackers.Clear();
            Add(tracked, "trackers");
            Assert.AreEqual(1f, tracked.trackers[0].confidence, "confidence");
            Assert.IsTrue(tracked.trackers[0].usePosition && tracked.trackers[0].useRotation, "what of a tracker counts");
            Assert.AreEqual(SinewTrackerNode.None, tracked.trackers[0].node, "node");
            SinewWorld world = rig.Root.AddComponent<SinewWorld>();
            Add(world, "bands");
            Assert.AreEqual(10f, world.bands[0].distance, "distance");
            Assert.AreEqual(DetailLevel.Full, world.bands[0].level, "level");
        }

        [Test]
        public void LinesThatSomebodyHasSetStay()
        {
            TestRig rig = new TestRig().Start();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            SinewBodyEffector faded = new SinewBodyEffector { blend = 0f, importance = 0f };
            body.effectors = new List<SinewBodyEffector> { faded };
            Add(body, "effectors");
            Assert.IsTrue(ReferenceEquals(faded, body.effectors[0]), "the effector");
            body.effectors.Clear();
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            Transform target = new GameObject("Target").transform;
            goals.effectors = new List<BodyEffectorGoal> { new BodyEffectorGoal { target = target, positionWeight = 0f } };
            Add(goals, "effectors");
            Assert.AreEqual(0f, goals.effectors[0].positionWeight, "weight");
        }
    }
}
