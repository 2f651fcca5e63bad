using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>What SinewGoals sets ends with its target and with the component, whatever the
    /// lifetime of goals is.</summary>
    public sealed class GoalsTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);
        private static readonly GoalLifetime[] lifetimes = { GoalLifetime.ByCaller, GoalLifetime.UntilChanged, GoalLifetime.OnePass };

        private static void Play(int frames)
        {
            for (int i = 0; i < frames; i++) Player.Frame(0.02f);
        }

        private static TestRig Figure(GoalLifetime lifetime)
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            rig.Animator.goalLifetime = lifetime;
            return rig;
        }

        private static Transform At(Vector3 place)
        {
            Transform made = new GameObject("Target").transform;
            made.position = place;
            return made;
        }

        private static SinewGoals Reaching(TestRig rig)
        {
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            goals.rightHand.target = At(goal);
            goals.rightHand.rotationWeight = 0.5f;
            goals.rightHand.hint = At(new Vector3(0.6f, 0.9f, -0.4f));
            goals.lookAt = At(new Vector3(2f, 1.6f, 1f));
            Play(3);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand at its target");
            Assert.IsTrue(rig.Animator.GetLookAtOutcome().Status != SinewStatus.Inactive, "it looks");
            return goals;
        }

        private static void AssertLetGo(TestRig rig, TransformData[] free, string why)
        {
            Play(2);
            Assert.AreEqual(0f, rig.Animator.GetIKPositionWeight(AvatarIKGoal.RightHand), why + ", position weight");
            Assert.AreEqual(0f, rig.Animator.GetIKRotationWeight(AvatarIKGoal.RightHand), why + ", rotation weight");
            Assert.AreEqual(0f, rig.Animator.GetIKHintPositionWeight(AvatarIKHint.RightElbow), why + ", hint weight");
            Assert.AreEqual(SinewStatus.Inactive, rig.Animator.GetLookAtOutcome().Status, why + ", the look");
            rig.AssertPose(free, why);
        }

        private static TransformData[] Free(TestRig rig)
        {
            Play(1);
            return rig.Snapshot();
        }

        [Test]
        public void AnotherTargetIsASwitchThatTakesItsTime()
        {
            foreach (GoalLifetime lifetime in lifetimes)
            {
                TestRig rig = Figure(lifetime);
                rig.Animator.rightHandInertializationTime = rig.Animator.lookAtInertializationTime = 0.5f;
                SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
                goals.rightHand.target = At(goal);
                goals.lookAt = At(new Vector3(2f, 1.6f, 1f));
                Play(60);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand at its target");
                // A target that moves is followed at once.
                Vector3 moved = goal + new Vector3(0f, 0.02f, 0f);
                goals.rightHand.target.position = moved;
                Play(1);
                TestRig.AssertNear(moved, rig["RightHand"].position, 1e-3f, "hand at a target that moves");
                Assert.IsFalse(rig.Animator.IsInertializing(AvatarIKGoal.RightHand), "a switch without another target");
                Quaternion look = rig["Head"].rotation;
                Vector3 other = goal + new Vector3(0.1f, -0.2f, 0.1f);
                goals.rightHand.target = At(other);
                goals.lookAt = At(new Vector3(-2f, 1.6f, 1f));
                Play(1);
                Assert.Less(Vector3.Distance(moved, rig["RightHand"].position), 0.03f, "metres of the hand in the first frame");
                Assert.Less(Quaternion.Angle(look, rig["Head"].rotation), 8f, "degrees of the head in the first frame");
                Play(60);
                TestRig.AssertNear(other, rig["RightHand"].position, 2e-3f, "hand at its other target");
                Assert.Greater(Quaternion.Angle(look, rig["Head"].rotation), 40f, "degrees of the head in the end");
                Player.Clear();
            }
        }

        [Test]
        public void TargetsThatAreDestroyedLetGo()
        {
            foreach (GoalLifetime lifetime in lifetimes)
            {
                TestRig rig = Figure(lifetime);
                TransformData[] free = Free(rig);
                SinewGoals goals = Reaching(rig);
                Object.Destroy(goals.rightHand.target.gameObject);
                Object.Destroy(goals.rightHand.hint.gameObject);
                Object.Destroy(goals.lookAt.gameObject);
                Play(1);
                AssertLetGo(rig, free, "targets destroyed, " + lifetime);
                Player.Clear();
            }
        }

        [Test]
        public void ADisabledComponentLetsGo()
        {
            foreach (GoalLifetime lifetime in lifetimes)
            {
                TestRig rig = Figure(lifetime);
                TransformData[] free = Free(rig);
                SinewGoals goals = Reaching(rig);
                goals.enabled = false;
                AssertLetGo(rig, free, "disabled, " + lifetime);
                goals.enabled = true;
                Play(1);
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "enabled again, " + lifetime);
                Object.DestroyImmediate(goals);
                AssertLetGo(rig, free, "destroyed, " + lifetime);
                Player.Clear();
            }
        }

        [Test]
        public void TheBodyIsMovedOnceHoweverManyLayersThereAre()
        {
            for (int setup = 0; setup < 4; setup++)
            {
                Vector3[] hips = new Vector3[2];
                for (int layers = 1; layers <= 2; layers++)
                {
                    TestRig rig = new TestRig();
                    Animator unity = setup < 2 ? null : rig.AddUnityAnimator(true);
                    TransformData[] rest = rig.Snapshot();
                    System.Action idle = delegate
                    {
                        rig.Apply(rest);
                        rig.PoseIdle();
                    };
                    if (unity == null) Player.Animation = idle;
                    else unity.write = idle;
                    // Before the SinewAnimator, whose own message comes after theirs then.
                    SinewGoals goals = setup % 2 == 0 ? rig.Root.AddComponent<SinewGoals>() : null;
                    rig.Start();
                    if (unity != null && layers == 2) unity.ikPassLayers.Add(1);
                    if (unity == null && layers == 2) rig.Animator.callbackLayers = new[] { 0, 1 };
                    if (goals != null)
                    {
                        goals.body = At(new Vector3(0.1f, 0.8f, 0.1f));
                        goals.bodyPositionWeight = 0.5f;
                    }
                    else
                    {
                        Physics.Lay(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>(), delegate (float x, float z) { return x < 0f ? 0f : -0.15f; });
                        rig.Root.AddComponent<SinewGrounder>();
                    }
                    Play(90);
                    hips[layers - 1] = rig["Hips"].position;
                    Player.Clear();
                }
                Assert.IsTrue(Vector3.Distance(hips[0], new Vector3(0f, 0.954f, 0f)) > 0.01f, "the body moves, setup " + setup);
                TestRig.AssertNear(hips[0], hips[1], 1e-3f, "hips with two layers, setup " + setup);
            }
        }

        [Test]
        public void GoalsOfOthersStay()
        {
            foreach (GoalLifetime lifetime in new[] { GoalLifetime.ByCaller, GoalLifetime.UntilChanged })
            {
                TestRig rig = Figure(lifetime);
                Vector3 left = new Vector3(-0.3f, 1.2f, 0.3f);
                rig.Animator.SetIKPosition(AvatarIKGoal.LeftHand, left);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
                SinewGoals goals = Reaching(rig);
                goals.rightHand.target = null;
                Play(2);
                goals.enabled = false;
                Play(2);
                TestRig.AssertNear(left, rig["LeftHand"].position, 1e-3f, "the goal of a script, " + lifetime);
                Player.Clear();
            }

            // What a script keeps for the same hand comes back.
            TestRig other = Figure(GoalLifetime.ByCaller);
            Vector3 own = new Vector3(0.25f, 1.3f, 0.35f);
            other.Animator.SetIKPosition(AvatarIKGoal.RightHand, own);
            other.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            SinewGoals above = Reaching(other);
            above.enabled = false;
            Play(2);
            TestRig.AssertNear(own, other["RightHand"].position, 1e-3f, "the kept goal of a script");
        }

        [Test]
        public void AnEffectorWithoutAPartStopsNoOtherGoal()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            Vector3 at = new Vector3(0.3f, 1.2f, 0.3f);
            goals.rightHand.target = new GameObject("Target").transform;
            goals.rightHand.target.position = at;
            BodyEffectorGoal wrong = new BodyEffectorGoal { target = goals.rightHand.target };
            goals.effectors.Add(wrong);
            foreach (int part in new[] { -1, 9, 32, 1000 })
            {
                wrong.part = (SinewHumanEffector)part;
                for (int i = 0; i < 2; i++) Player.Frame(0.02f);
                TestRig.AssertNear(at, rig["RightHand"].position, 1e-3f, "the hand, part " + part);
                Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
                Assert.IsTrue(Debug.Lines[0].Contains("part " + part), Debug.Lines[0]);
                Debug.Lines.Clear();
            }
            wrong.part = SinewHumanEffector.RightKnee;
            Player.Frame(0.02f);
        }
    }
}
