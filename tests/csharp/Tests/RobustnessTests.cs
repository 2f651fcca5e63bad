using System;
using System.Collections.Generic;
using NUnit.Framework;
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
    }
}
