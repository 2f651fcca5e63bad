using System;
using System.Collections.Generic;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>A mistake in one character stops no other, and is logged once with the object it is
    /// about.</summary>
    public sealed class RobustnessTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);
        private int moves;

        [TearDown]
        public void JobsAsBefore()
        {
            SinewRuntime.JobThreshold = 8;
        }

        private sealed class Pair
        {
            internal readonly TestRig Bad = new TestRig().Start();
            internal readonly TestRig Good = new TestRig().Start();

            internal Pair()
            {
                Player.Animation = delegate
                {
                    if (Bad.Root != null) Bad.PoseIdle();
                    Good.PoseIdle();
                };
            }
        }

        // Plays frames in which the good character's goal moves, and fails when its hand is not
        // there.
        private void AssertOthersWork(TestRig good, int frames, string why)
        {
            for (int i = 0; i < frames; i++)
            {
                Vector3 at = goal + new Vector3(0.01f * (++moves % 7), 0f, 0f);
                good.Animator.SetIKPosition(AvatarIKGoal.RightHand, at);
                good.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                TestRig.AssertNear(at, good["RightHand"].position, 1e-3f, why + ", the other character's hand");
            }
        }

        private static void AssertLogged(int lines, UnityEngine.Object about, string part, string why)
        {
            Assert.AreEqual(lines, Debug.Lines.Count, why + ", lines in the log: " + string.Join(" | ", Debug.Lines.ToArray()));
            if (lines > 0) Assert.IsTrue(Debug.Lines[0].Contains(part), why + ": " + Debug.Lines[0]);
            if (lines > 0) Assert.IsTrue(ReferenceEquals(about, Debug.LastContext), why + ": the line is about " + Debug.LastContext);
            Debug.Lines.Clear();
        }

        [Test]
        public void CallbackLayersThatAreNullAreLayer0()
        {
            Pair pair = new Pair();
            Script bad = pair.Bad.Root.AddComponent<Script>();
            pair.Bad.Animator.callbackLayers = null;
            AssertOthersWork(pair.Good, 3, "no layers");
            Assert.AreEqual(3, bad.Calls, "callbacks");
            Assert.AreEqual(0, bad.LastLayer, "layer");
            // Taken away while they are being sent.
            pair.Bad.Animator.callbackLayers = new[] { 0, 1, 2 };
            bad.Do = delegate { pair.Bad.Animator.callbackLayers = null; };
            AssertOthersWork(pair.Good, 1, "layers taken away");
            AssertLogged(0, null, "", "no layers");
        }

        [Test]
        public void EntriesOfAChainThatAreNullRefuseTheChainAlone()
        {
            Pair pair = new Pair();
            SinewChain chain = pair.Bad["LeftHand"].gameObject.AddComponent<SinewChain>();
            chain.target = pair.Good["Head"];
            chain.branches = new ChainBranch[1];
            AssertOthersWork(pair.Good, 3, "a branch that is null");
            AssertLogged(1, chain, "branches[0] is null", "a branch that is null");
            pair.Bad.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            pair.Bad.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, pair.Bad["RightHand"].position, 1e-3f, "the character with the chain goes on");

            chain.branches = null;
            chain.Refresh();
            AssertOthersWork(pair.Good, 2, "no array of branches");
            AssertLogged(0, null, "", "no array of branches");
            Assert.IsNull(chain.problemDescription);
        }

        [Test]
        public void ListsThatAreNullDoNothing()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            goals.effectors = null;
            goals.rightHand.target = new GameObject("Target").transform;
            goals.rightHand.target.position = goal;
            for (int i = 0; i < 2; i++) Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand");
            goals.effectors = new List<BodyEffectorGoal> { null };
            Player.Frame(0.02f);
            rig.Animator.humanBones = null;
            rig.Animator.humanRanges = new HumanRangeEntry[0];
            rig.Animator.RebuildRig();
            Player.Frame(0.02f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand without table");
        }

        // A constraint whose Apply throws: what a mistake in a component of the package would be.
        private sealed class Faulty : ConstraintBehaviour
        {
            internal Exception InAdd, InApply;
            internal int Applied;

            internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
            {
                if (InAdd != null) throw InAdd;
                SinewTwoBoneDef def = NativeAnimator.DefaultTwoBone();
                def.end = to.JointOf(transform);
                return native.AddTwoBone(def);
            }

            internal override void Apply(NativeAnimator native)
            {
                Applied++;
                if (InApply != null) throw InApply;
            }
        }

        [Test]
        public void AConstraintThatThrowsStopsNothingElse()
        {
            foreach (int threshold in new[] { 8, 1 })
            {
                SinewRuntime.JobThreshold = threshold;
                Pair pair = new Pair();
                Faulty faulty = pair.Bad["LeftHand"].gameObject.AddComponent<Faulty>();
                faulty.InApply = new InvalidOperationException("a mistake in Apply");
                AssertOthersWork(pair.Good, 4, "Apply throws");
                Assert.AreEqual(4, faulty.Applied);
                AssertLogged(1, faulty, "a mistake in Apply", "Apply throws");
                pair.Bad.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                pair.Bad.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                TestRig.AssertNear(goal, pair.Bad["RightHand"].position, 1e-3f, "the character with the mistake goes on");
                // Fixed, and broken again: logged again.
                faulty.InApply = null;
                Player.Frame(0.02f);
                faulty.InApply = new InvalidOperationException("a mistake in Apply");
                AssertOthersWork(pair.Good, 2, "Apply throws again");
                AssertLogged(1, faulty, "a mistake in Apply", "Apply throws again");

                faulty.InAdd = new InvalidOperationException("a mistake in Add");
                faulty.Refresh();
                AssertOthersWork(pair.Good, 3, "Add throws");
                AssertLogged(1, faulty, "a mistake in Add", "Add throws");
                Player.Clear();
            }
        }

        [Test]
        public void AStepThatThrowsStopsNoOtherCharacter()
        {
            foreach (int threshold in new[] { 8, 1 })
                foreach (SolveTime when in new[] { SolveTime.AfterAnimation, SolveTime.LateUpdate })
                {
                    SinewRuntime.JobThreshold = threshold;
                    Pair pair = new Pair();
                    pair.Bad.Animator.solveTime = pair.Good.Animator.solveTime = when;
                    string[] steps = { "Begin", "HasRead", "ShowForCallback", "SendCallback", "Prepare", "Finish" };
                    foreach (string step in steps)
                    {
                        if (step == "ShowForCallback" && threshold == 1) continue; // done by jobs
                        SinewRunner.Fault = delegate (SinewAnimator animator, string at)
                        {
                            if (ReferenceEquals(animator, pair.Bad.Animator) && at == step) throw new InvalidOperationException("a mistake in " + step);
                        };
                        try
                        {
                            AssertOthersWork(pair.Good, 3, "a mistake in " + step);
                            AssertLogged(1, pair.Bad.Animator, "a mistake in " + step, step);
                            pair.Bad.Animator.Solve();
                            Debug.Lines.Clear();
                        }
                        finally
                        {
                            SinewRunner.Fault = null;
                        }
                        pair.Bad.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                        pair.Bad.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                        AssertOthersWork(pair.Good, 2, "after a mistake in " + step);
                        TestRig.AssertNear(goal, pair.Bad["RightHand"].position, 1e-3f, "the character itself after a mistake in " + step);
                    }
                    Player.Clear();
                }
        }

        [Test]
        public void AGrounderThatThrowsStopsNothingElse()
        {
            Pair pair = new Pair();
            SinewGrounder bad = pair.Bad.Root.AddComponent<SinewGrounder>(), good = pair.Good.Root.AddComponent<SinewGrounder>();
            Physics.Lay(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>(), delegate { return 0.05f; });
            foreach (string step in new[] { "Ask", "Answer" })
            {
                SinewRunner.Fault = delegate (SinewAnimator animator, string at)
                {
                    if (ReferenceEquals(animator, pair.Bad.Animator) && at == step) throw new InvalidOperationException("a mistake in " + step);
                };
                try
                {
                    pair.Bad.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                    pair.Bad.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                    AssertOthersWork(pair.Good, 30, step);
                    AssertLogged(1, bad, "a mistake in " + step, step);
                }
                finally
                {
                    SinewRunner.Fault = null;
                }
                Assert.Greater(good.presence, 0.9f, "the other one is on the ground");
                Assert.AreEqual(0f, bad.presence, "presence of the one that failed");
                TestRig.AssertNear(goal, pair.Bad["RightHand"].position, 1e-3f, "its hand");
                AssertOthersWork(pair.Good, 30, "after " + step);
                Assert.Greater(bad.presence, 0.9f, "it is on the ground again");
            }
        }

        [Test]
        public void EffectorsAndCouplingsOfABodyThatAreWrongLeaveNothingBehind()
        {
            TestRig rig = new TestRig();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.effectors.Add(null);
            rig.Root.SetActive(true);
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            AssertLogged(0, null, "", "an effector that is null");
            body.enabled = false;
            Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects of a body that is off");
            body.effectors = null;
            body.enabled = true;
            Player.Frame(0.02f);
            body.enabled = false;
            Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects of a body without a list that is off");
            AssertLogged(0, null, "", "no list of effectors");
            body.effectors = new List<SinewBodyEffector>();
            // What is wrong in a coupling leaves nothing behind either.
            foreach (SinewBodyCoupling wrong in new[] { null, new SinewBodyCoupling { joint = rig["Head"], driver = rig["Head"] } })
            {
                body.couplings.Add(wrong);
                body.enabled = true;
                Player.Frame(0.02f);
                AssertLogged(1, body, "", "a coupling without joints");
                Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects of a body that could not be made");
                body.enabled = false;
                body.couplings.Clear();
            }
            body.enabled = false;
            body.enabled = true;
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            AssertLogged(0, null, "", "without it");
        }

        [Test]
        public void TrackersThatAreNullStopNothing()
        {
            Pair pair = new Pair();
            SinewTrackedBody body = pair.Bad.Root.AddComponent<SinewTrackedBody>();
            body.trackers = null;
            AssertOthersWork(pair.Good, 2, "no list of trackers");
            body.trackers = new List<SinewTracker> { null };
            AssertOthersWork(pair.Good, 2, "a tracker that is null");
            AssertLogged(0, null, "", "trackers");
        }

        [Test]
        public void SettingsOfAllThatAreNoNumbersStopNobody()
        {
            Pair pair = new Pair();
            try
            {
                foreach (float budget in new[] { float.PositiveInfinity, float.NaN, float.MaxValue, float.NegativeInfinity })
                {
                    SinewRuntime.BudgetSeconds = budget;
                    AssertOthersWork(pair.Good, 2, "a budget of " + budget);
                }
                SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
                foreach (float budget in new[] { float.PositiveInfinity, float.NaN })
                {
                    world.budgetMilliseconds = budget;
                    world.Refresh();
                    AssertOthersWork(pair.Good, 2, "a budget of the world of " + budget);
                }
                world.bands = null;
                world.workerThreads = -3;
                world.jobThreshold = -1;
                world.Refresh();
                AssertOthersWork(pair.Good, 2, "a world without bands");
                pair.Good.Animator.detailInterval = -5;
                pair.Good.Animator.detailIterations = float.NaN;
                foreach (DetailLevel level in new[] { DetailLevel.FewerIterations, DetailLevel.EveryNth })
                {
                    pair.Good.Animator.detailLevel = level;
                    AssertOthersWork(pair.Good, 2, "details of level " + level);
                }
            }
            finally
            {
                SinewRuntime.ResetSettings();
            }
        }

        [Test]
        public void SolveInACallbackDoesNotRecurse()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            Script script = rig.Root.AddComponent<Script>();
            int depth = 0, deepest = 0;
            script.Do = delegate (SinewAnimator animator)
            {
                deepest = Math.Max(deepest, ++depth);
                if (depth < 50) animator.Solve();
                if (depth < 50) animator.Update(0.02f);
                animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                depth--;
            };
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            Assert.AreEqual(1, deepest, "callbacks within callbacks");
            Assert.AreEqual(3, script.Calls);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand");
            // One warning for Solve; Update says that there is no Animator.
            Assert.AreEqual(2, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("Solve() in OnAnimatorIK"), Debug.Lines[0]);
            Assert.IsTrue(ReferenceEquals(rig.Animator, Debug.LastContext), "context");
            Debug.Lines.Clear();
        }

        [Test]
        public void SolveOfAnotherCharacterInACallbackIsItsPass()
        {
            Pair pair = new Pair();
            pair.Good.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            pair.Good.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0.5f);
            Player.Frame(0.02f);
            Vector3 half = pair.Good["RightHand"].position;
            Script script = pair.Bad.Root.AddComponent<Script>();
            script.Do = delegate { pair.Good.Animator.Solve(); };
            for (int i = 0; i < 2; i++)
            {
                Player.Frame(0.02f);
                TestRig.AssertNear(half, pair.Good["RightHand"].position, 1e-4f, "half the way to the goal, once");
            }
        }

        [Test]
        public void SolveOfEachOtherInCallbacksDoesNotRecurse()
        {
            Pair pair = new Pair();
            Script one = pair.Bad.Root.AddComponent<Script>(), two = pair.Good.Root.AddComponent<Script>();
            one.Do = delegate { if (one.Calls < 200) pair.Good.Animator.Solve(); };
            two.Do = delegate { if (two.Calls < 200) pair.Bad.Animator.Solve(); };
            Player.Frame(0.02f);
            Assert.Less(one.Calls + two.Calls, 8, "callbacks in a frame");
            Debug.Lines.Clear();
            AssertOthersWork(pair.Good, 2, "each solves the other");
            Debug.Lines.Clear();
        }

        [Test]
        public void RotationsOfAnyLengthAreTheSameGoal()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            Quaternion turn = Quaternion.Euler(20f, 30f, 40f), hand = Quaternion.identity, head = Quaternion.identity;
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            rig.Animator.SetIKRotationWeight(AvatarIKGoal.RightHand, 1f);
            foreach (float length in new[] { 1f, 2f, 0.01f, 1e-5f, 1e10f, 1e25f, 1e38f })
            {
                Quaternion scaled = new Quaternion(turn.x * length, turn.y * length, turn.z * length, turn.w * length);
                rig.Animator.SetIKRotation(AvatarIKGoal.RightHand, scaled);
                rig.Animator.bodyRotation = scaled;
                rig.Animator.SetBoneLocalRotation(HumanBodyBones.Head, scaled);
                Player.Frame(0.02f);
                if (length == 1f) hand = rig["RightHand"].rotation;
                if (length == 1f) head = rig["Head"].rotation;
                TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand, length " + length);
                TestRig.AssertNear(hand, rig["RightHand"].rotation, 0.1f, "the hand's rotation, length " + length);
                TestRig.AssertNear(head, rig["Head"].rotation, 0.1f, "the head's rotation, length " + length);
            }
        }

        [Test]
        public unsafe void AnInputThatTheSolveRefusesIsLoggedOnce()
        {
            TestRig good = new TestRig().Start(), bad = new TestRig().Start();
            Player.Animation = delegate
            {
                good.PoseIdle();
                bad.PoseIdle();
            };
            // The one that came last is prepared first.
            SinewRunner.Fault = delegate (SinewAnimator animator, string at)
            {
                if (!ReferenceEquals(animator, good.Animator) || at != "Prepare") return;
                SinewHumanoidInput* input = SinewRunner.Normal.Inputs + bad.Animator.Row;
                input->set |= SinewConstants.SINEW_INPUT_LEFT_FOOT_POSITION << 3;
                input->goals3.position.x = float.NaN;
                input->goals3.position_weight = 1f;
            };
            try
            {
                AssertOthersWork(good, 3, "a goal that is no number");
                AssertLogged(1, bad.Animator, "the solve failed", "a goal that is no number");
            }
            finally
            {
                SinewRunner.Fault = null;
            }
            AssertOthersWork(good, 2, "put right");
            AssertLogged(0, null, "", "put right");
        }

        // What an object that goes below one of scale zero and back may hold.
        [Test]
        public void GettersAndGizmosAnswerWhileAJointHoldsNoNumber()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            rig.Root.AddComponent<SinewGrounder>();
            Physics.Lay(new GameObject("Floor").AddComponent<Collider>(), delegate (float x, float z) { return 0.05f; });
            for (int i = 0; i < 30; i++) Player.Frame(0.02f);
            Vector3 body = rig.Animator.bodyPosition, foot = rig["LeftFoot"].position;
            rig["Chest"].localScale = Vector3.one * float.PositiveInfinity;
            for (int i = 0; i < 3; i++)
            {
                Player.Frame(0.02f);
                Assert.AreEqual(Vector3.zero, rig.Animator.bodyPosition, "body");
                Assert.AreEqual(Quaternion.identity, rig.Animator.bodyRotation, "its rotation");
                Assert.AreEqual(Vector3.zero, rig.Animator.GetIKPosition(AvatarIKGoal.RightHand), "hand");
                Assert.AreEqual(Quaternion.identity, rig.Animator.GetIKRotation(AvatarIKGoal.RightHand), "its rotation");
                Assert.AreEqual(Vector3.zero, rig.Animator.GetIKHintPosition(AvatarIKHint.RightElbow), "elbow");
                Assert.AreEqual(Vector3.zero, rig.Animator.targetPosition, "target");
                Assert.AreEqual(rig.Root.transform.forward, rig.Animator.gazeRay.direction, "gaze");
                rig.Animator.SetIKRotationBone(AvatarIKGoal.RightHand, Quaternion.identity);
                typeof(SinewAnimator).GetMethod("OnDrawGizmosSelected", System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic).Invoke(rig.Animator, null);
            }
            List<string> ofTheAnimator = Debug.Lines.FindAll(delegate (string line) { return line.Contains("SinewAnimator on"); });
            Assert.AreEqual(1, ofTheAnimator.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines.Count <= 2, string.Join(" | ", Debug.Lines.ToArray()));
            Debug.Lines.Clear();
            rig["Chest"].localScale = Vector3.one;
            for (int i = 0; i < 30; i++) Player.Frame(0.02f);
            TestRig.AssertNear(body, rig.Animator.bodyPosition, 1e-3f, "body again");
            TestRig.AssertNear(foot, rig["LeftFoot"].position, 5e-3f, "foot again");
        }

        [Test]
        public void ARigThatAScriptTakesApartInItsCallbackStopsNothing()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = delegate { if (rig["RightUpperLeg"] != null) rig.PoseIdle(); };
            Physics.Lay(new GameObject("Floor").AddComponent<Collider>(), delegate (float x, float z) { return 0.05f; });
            Script script = rig.Root.AddComponent<Script>();
            rig.Root.AddComponent<SinewGrounder>(); // its callback comes after the script's
            for (int i = 0; i < 30; i++) Player.Frame(0.02f);
            script.Do = delegate (SinewAnimator animator)
            {
                if (rig["RightUpperLeg"] == null) return;
                UnityEngine.Object.DestroyImmediate(rig["RightUpperLeg"].gameObject);
                animator.RebuildRig();
            };
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            Assert.IsFalse(rig.Animator.isHuman, "a humanoid");
        }

        [Test]
        public void AJointThatIsGoneWhenTheCrowdChangesStopsNobody()
        {
            List<TestRig> rigs = new List<TestRig>();
            Action add = delegate
            {
                TestRig rig = new TestRig();
                rig.Root.transform.position = new Vector3(rigs.Count, 0f, 0f);
                rig.Start();
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, rig.Root.transform.position + new Vector3(0.3f, 1.2f, 0.3f));
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                rigs.Add(rig);
            };
            for (int i = 0; i < 9; i++) add();
            for (int i = 0; i < 2; i++) Player.Frame(0.02f);
            UnityEngine.Object.DestroyImmediate(rigs[4]["LeftToes"].gameObject);
            add();
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            for (int i = 0; i < rigs.Count; i++)
                TestRig.AssertNear(new Vector3(i + 0.3f, 1.2f, 0.3f), rigs[i]["RightHand"].position, 1e-3f, "hand of " + i);
            Assert.AreEqual(0, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
        }

        [Test]
        public void AJointThatIsGoneIsAskedForBeforeTheNextPass()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            for (int i = 0; i < 2; i++) Player.Frame(0.02f);
            Vector3 hand = rig.Animator.GetIKPosition(AvatarIKGoal.RightHand);
            UnityEngine.Object.DestroyImmediate(rig["LeftMiddleProximal"].gameObject);
            // The Scene view has all joints read.
            typeof(SinewAnimator).GetMethod("OnDrawGizmosSelected", System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic).Invoke(rig.Animator, null);
            TestRig.AssertNear(hand, rig.Animator.GetIKPosition(AvatarIKGoal.RightHand), 1e-4f, "the hand");
            rig.Animator.MatchGoalsFromPose();
            Player.Frame(0.02f);
            TestRig.AssertNear(hand, rig.Animator.GetIKPosition(AvatarIKGoal.RightHand), 1e-4f, "the hand of the new rig");
        }
    }
}
