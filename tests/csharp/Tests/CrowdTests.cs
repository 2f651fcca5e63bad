using System;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>SinewWorld: levels of detail, budget and threads for all characters of a
    /// scene.</summary>
    public sealed class CrowdTests
    {
        private static readonly Vector3 place = new Vector3(0.3f, 1.2f, 0.3f);

        private static TestRig[] Crowd(int count, float spacing)
        {
            TestRig[] crowd = new TestRig[count];
            for (int i = 0; i < count; i++)
            {
                TestRig rig = crowd[i] = new TestRig();
                rig.Root.transform.position = new Vector3(0f, 0f, spacing * i);
                rig.Start();
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, rig.Root.transform.position + place);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            }
            return crowd;
        }

        private static float Off(TestRig rig)
        {
            return Vector3.Distance(rig.Root.transform.position + place, rig["RightHand"].position);
        }

        private static SinewWorld World(params DetailBand[] bands)
        {
            SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
            world.bands = bands;
            return world;
        }

        [Test]
        public void DistanceChoosesTheLevel()
        {
            TestRig[] crowd = Crowd(12, 1f);
            SinewWorld world = World(new DetailBand { distance = 3.5f, level = DetailLevel.Full },
                new DetailBand { distance = 7.5f, level = DetailLevel.EveryNth, interval = 3 }, new DetailBand { distance = 99f, level = DetailLevel.Off });
            for (int i = 0; i < 12; i++) Player.Frame(0.02f);
            for (int i = 0; i < 4; i++) Assert.Less(Off(crowd[i]), 1e-3, "near " + i);
            for (int i = 4; i < 8; i++) Assert.Less(Off(crowd[i]), 1e-3, "a goal at rest is reached in every n-th frame too, " + i);
            for (int i = 8; i < 12; i++) Assert.Greater(Off(crowd[i]), 0.1, "far " + i);
            Assert.AreEqual(4, (int)world.report.off);
            Assert.AreEqual(8, (int)(world.report.solved + world.report.between));
            long solves = 0;
            for (int i = 0; i < 12; i++)
            {
                Player.Frame(0.02f);
                solves += world.report.solved;
            }
            Assert.AreEqual(4 * 12 + 4 * 4, (int)solves, "four each frame, four every third");

            // The viewer comes nearer: everybody is solved again. A character may say otherwise for
            // itself.
            world.viewer = new GameObject("Viewer").transform;
            world.viewer.position = new Vector3(0f, 0f, 10f);
            crowd[11].Animator.detailLevel = DetailLevel.Off;
            for (int i = 0; i < 4; i++) Player.Frame(0.02f);
            Assert.Less(Off(crowd[10]), 1e-3, "now near");
            Assert.AreEqual(DetailLevel.Off, crowd[11].Animator.WantedLevel);
            world.enabled = false;
            crowd[11].Animator.detailLevel = DetailLevel.ByDistance;
            Player.Frame(0.02f);
            foreach (TestRig rig in crowd) Assert.Less(Off(rig), 1e-3, "without a world everything is solved");
        }

        [Test]
        public void JobThreadsGiveTheSameBits()
        {
            TransformData[][] poses = new TransformData[2][];
            for (int lent = 0; lent < 2; lent++)
            {
                TestRig[] crowd = Crowd(20, 1f);
                SinewWorld world = World();
                world.useJobThreads = lent == 1;
                world.Refresh();
                int before = JobLender.Scheduled;
                Player.Frame(0.02f);
                Player.Frame(0.02f);
                if (lent == 1) Assert.Greater(JobLender.Scheduled, before, "jobs were scheduled");
                else Assert.AreEqual(before, JobLender.Scheduled);
                poses[lent] = crowd[13].Snapshot();
                Player.Clear();
            }
            for (int i = 0; i < poses[0].Length; i++) Assert.IsTrue(TestRig.Same(poses[0][i], poses[1][i]), "joint " + i);
        }

        [Test]
        public void WhereTheEngineRefusesJobsTheMainThreadSolves()
        {
            TestRig[] crowd = Crowd(20, 1f);
            SinewWorld world = World();
            world.useJobThreads = true;
            world.Refresh();
            Unity.Jobs.IJobParallelForExtensions.Refuses = true;
            try
            {
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            }
            finally
            {
                Unity.Jobs.IJobParallelForExtensions.Refuses = false;
            }
            foreach (TestRig rig in crowd) Assert.Less(Off(rig), 1e-3, "everybody is solved");
            Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("jobs cannot be scheduled"), Debug.Lines[0]);
            Debug.Lines.Clear();
        }

        [Test]
        public void ABudgetPutsOffAndCatchesUp()
        {
            TestRig[] crowd = Crowd(40, 1f);
            SinewWorld world = World();
            world.budgetMilliseconds = 1e-4f;
            world.Refresh();
            Player.Frame(0.02f);
            Assert.AreEqual(40, (int)world.report.solved, "the first frame, in which nothing is known to go on with");
            Player.Frame(0.02f);
            Assert.Greater((int)world.report.cut, 0, "nearly no time: some are put off");
            for (int i = 0; i < 20; i++) Player.Frame(0.02f);
            foreach (TestRig rig in crowd) Assert.Less(Off(rig), 1e-3, "everybody had a turn");
            world.budgetMilliseconds = 0f;
            world.Refresh();
            Player.Frame(0.02f);
            Assert.AreEqual(40, (int)world.report.solved);
        }

        // Goals that rest: whoever is put off shows the correction of its last solve.
        private static void AssertAllReach(TestRig[] crowd, int frames, string why)
        {
            for (int frame = 0; frame < frames; frame++)
            {
                Player.Frame(0.02f);
                for (int i = 0; i < crowd.Length; i++)
                    Assert.Less(Off(crowd[i]), 1e-3, why + ", frame " + frame + ", character " + i);
            }
        }

        [Test]
        public void NobodyIsPutOffBeforeTheFirstSolve()
        {
            foreach (bool isLent in new[] { false, true })
            foreach (int threshold in new[] { 8, 1000 })
            {
                TestRig[] crowd = Crowd(40, 1f);
                foreach (TestRig rig in crowd) rig.PoseIdle();
                SinewWorld world = World();
                world.jobThreshold = threshold;
                world.useJobThreads = isLent;
                world.budgetMilliseconds = 1e-4f;
                world.Refresh();
                AssertAllReach(crowd, 8, "from the start");
                Assert.Greater((int)world.report.cut, 20, "put off later");
                // Without a budget nothing is recorded: the next one begins anew.
                world.budgetMilliseconds = 0f;
                world.Refresh();
                AssertAllReach(crowd, 2, "without a budget");
                world.budgetMilliseconds = 1e-4f;
                world.Refresh();
                AssertAllReach(crowd, 8, "a budget that comes later");
                Player.Clear();
            }
        }

        [Test]
        public void ThoseWhoComeLaterAreSolvedInTheirFirstFrame()
        {
            TestRig[] crowd = Crowd(44, 1f);
            SinewWorld world = World();
            world.budgetMilliseconds = 1e-4f;
            world.Refresh();
            for (int i = 0; i < 8; i++) Player.Frame(0.02f);
            // Those who were off, culled or disabled have nothing to go on with either; one of them
            // is in another tile in each frame.
            for (int i = 3; i < crowd.Length; i += 5)
            {
                SinewAnimator animator = crowd[i].Animator;
                animator.detailLevel = DetailLevel.Off;
                Player.Frame(0.02f);
                Player.Frame(0.02f);
                animator.detailLevel = i % 2 == 0 ? DetailLevel.Full : DetailLevel.EveryNth;
                crowd[i].PoseIdle();
                Player.Frame(0.02f);
                Assert.Less(Off(crowd[i]), 1e-3, "the first frame of " + i + ", which was off");
                Player.Frame(0.02f);
                Assert.Less(Off(crowd[i]), 1e-3, "the second frame of " + i + ", which was off");
            }
            for (int i = 1; i < crowd.Length; i += 7)
            {
                crowd[i].Root.SetActive(false);
                crowd[i].PoseIdle();
                Player.Frame(0.02f);
                crowd[i].Root.SetActive(true);
                crowd[i].Animator.SetIKPosition(AvatarIKGoal.RightHand, crowd[i].Root.transform.position + place);
                crowd[i].Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                Assert.Less(Off(crowd[i]), 1e-3, "the first frame of " + i + ", which was away");
                Assert.Greater((int)world.report.cut, 20, "the others keep to the budget");
            }
        }

        [Test]
        public void SettingsEndWithTheComponent()
        {
            SinewWorld world = World();
            world.jobThreshold = 3;
            world.useJobThreads = true;
            world.budgetMilliseconds = 2f;
            world.Refresh();
            Assert.AreEqual(3, SinewRuntime.JobThreshold);
            Assert.AreEqual(0.002, SinewRuntime.BudgetSeconds, 1e-6);
            Assert.IsTrue(ReferenceEquals(SinewWorld.current, world));
            world.enabled = false;
            Assert.AreEqual(8, SinewRuntime.JobThreshold);
            Assert.Less(SinewRuntime.BudgetSeconds, 0.0);
            Assert.IsFalse(SinewRuntime.LendJobThreads);
            Assert.IsTrue(SinewWorld.current == null);
        }

        // As scripts do it: on an active object OnEnable is over when AddComponent returns.
        [Test]
        public void SettingsThatAreSetRightAfterAddComponentCount()
        {
            SinewWorld other = World();
            other.jobThreshold = 4;
            other.Refresh();
            SinewWorld world = World();
            world.jobThreshold = 3;
            world.useJobThreads = true;
            world.budgetMilliseconds = -2f;
            Player.Frame(0.02f);
            Assert.AreEqual(3, SinewRuntime.JobThreshold);
            Assert.IsTrue(SinewRuntime.LendJobThreads);
            Assert.Less(SinewRuntime.BudgetSeconds, 0.0);
            UnityEngine.Object.DestroyImmediate(world.gameObject);
            Assert.AreEqual(4, SinewRuntime.JobThreshold, "the one before it");
        }

        [Test]
        public void OfSeveralTheOneEnabledLastCountsAsLongAsItIsThere()
        {
            SinewWorld first = World(new DetailBand { distance = 1f }, new DetailBand { distance = 2f, level = DetailLevel.Off });
            first.jobThreshold = 3;
            first.Refresh();
            TestRig rig = new TestRig().Start();
            rig.Root.transform.position = new Vector3(10f, 0f, 0f);
            Player.Animation = rig.PoseIdle;
            Vector3 goal = new Vector3(10.3f, 1.2f, 0.3f);
            Func<bool> isSolved = delegate
            {
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                return Vector3.Distance(goal, rig["RightHand"].position) < 1e-3f;
            };
            Assert.IsTrue(!isSolved(), "the first one leaves it out at ten metres");
            SinewWorld second = World(), third = World();
            second.jobThreshold = 5;
            Assert.IsTrue(isSolved(), "others have no bands");
            UnityEngine.Object.DestroyImmediate(third.gameObject);
            Assert.IsTrue(ReferenceEquals(SinewWorld.current, second), "the one before it");
            Assert.AreEqual(5, SinewRuntime.JobThreshold, "its settings");
            third = World();
            second.enabled = false;
            Assert.IsTrue(ReferenceEquals(SinewWorld.current, third), "the current one stays");
            UnityEngine.Object.DestroyImmediate(third.gameObject);
            Assert.IsTrue(ReferenceEquals(SinewWorld.current, first), "the first one, which is still on");
            Assert.AreEqual(3, SinewRuntime.JobThreshold, "the settings of the first one");
            Assert.IsTrue(!isSolved(), "the bands of the first one");
            UnityEngine.Object.DestroyImmediate(first.gameObject);
            Assert.IsTrue(SinewWorld.current == null, "none is left");
            Assert.AreEqual(8, SinewRuntime.JobThreshold, "the default");
        }
    }
}
