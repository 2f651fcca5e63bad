using System;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Durations are seconds of the character's own clock, however often its pass
    /// runs.</summary>
    public sealed class ClockTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        // Seconds of game time until a switch of 0.5 s is over; `step` plays the i-th frame of
        // `seconds`.
        private static float SwitchTime(SinewAnimator animator, float seconds, Action<int> step)
        {
            animator.rightHandInertializationTime = 0.5f;
            for (int i = 0; i < 20; i++) step(i);
            animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            bool hasBegun = false;
            for (int i = 20; i < 2000; i++)
            {
                step(i);
                bool isUnderWay = animator.IsInertializing(AvatarIKGoal.RightHand);
                if (hasBegun && !isUnderWay) return (i - 19) * seconds;
                hasBegun |= isUnderWay;
            }
            return -1f;
        }

        private static float Usual()
        {
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            float time = SwitchTime(rig.Animator, 1f / 60f, delegate { Player.Frame(1f / 60f); });
            Player.Clear();
            return time;
        }

        [Test]
        public void ASwitchTakesItsTimeWithManualPasses()
        {
            float usual = Usual();
            Assert.Greater(usual, 0.3f, "a switch in each frame");
            TestRig rig = new TestRig().Start();
            rig.Animator.solveTime = SolveTime.Manual;
            float time = SwitchTime(rig.Animator, 1f / 60f, delegate (int i)
            {
                Player.Frame(1f / 60f);
                if (i % 5 != 0) return;
                rig.PoseIdle();
                rig.Animator.Solve();
            });
            Assert.AreEqual(usual, time, 0.2f, "seconds, solved in each fifth frame");
        }

        [Test]
        public void ASwitchTakesItsTimeWithFewerEvaluations()
        {
            float usual = Usual();
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(false);
            rig.Start();
            unity.runtimeAnimatorController = new RuntimeAnimatorController();
            unity.write = rig.PoseIdle;
            unity.enabled = false;
            rig.Animator.solveTime = SolveTime.Manual;
            float time = SwitchTime(rig.Animator, 1f / 60f, delegate (int i)
            {
                Player.Frame(1f / 60f);
                if (i % 5 == 0) rig.Animator.Update(1f / 12f);
            });
            Assert.AreEqual(usual, time, 0.2f, "seconds, Update(1/12) in each fifth frame");

            // The time that is given counts, not that of the game.
            SinewAnimator animator = rig.Animator;
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0f);
            animator.Update(1f / 60f);
            Assert.IsTrue(animator.IsInertializing(AvatarIKGoal.RightHand));
            for (int i = 0; i < 90; i++) animator.Update(0f);
            Assert.IsTrue(animator.IsInertializing(AvatarIKGoal.RightHand), "time went on with Update(0)");
            for (int i = 0; i < 90; i++) animator.Update(1f / 60f);
            Assert.IsFalse(animator.IsInertializing(AvatarIKGoal.RightHand), "time stood still with Update(1/60)");
        }

        [Test]
        public void ASwitchTakesItsTimeInStepWithPhysics()
        {
            float usual = Usual();
            foreach (SolveTime when in new[] { SolveTime.AfterAnimation, SolveTime.LateUpdate })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                rig.Start();
                unity.runtimeAnimatorController = new RuntimeAnimatorController();
                unity.write = rig.PoseIdle;
                unity.updateMode = AnimatorUpdateMode.Fixed;
                rig.Animator.solveTime = when;
                float time = SwitchTime(rig.Animator, 1f / 200f, delegate (int i)
                {
                    if (i % 4 == 0) Player.FixedStep();
                    Player.Frame(1f / 200f);
                });
                Assert.AreEqual(usual, time, 0.1f, "seconds, 200 frames and 50 steps a second, " + when);
                Player.Clear();
            }
        }

        [Test]
        public void AGrounderAndItsPlatformGoByTheTimeOfThePasses()
        {
            TestRig rig = new TestRig().Start();
            rig.Animator.solveTime = SolveTime.Manual;
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            Collider lift = GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>();
            Physics.Lay(lift, delegate (float x, float z) { return lift.transform.position.y; });
            TransformData[] pose = rig.Snapshot();
            float slid = 0f;
            Vector3 local = Vector3.zero;
            for (int frame = 0; frame < 240; frame++)
            {
                lift.transform.position = new Vector3(0.4f * frame / 60f, 0f, 0f);
                rig.Root.transform.position = lift.transform.position;
                Player.Frame(1f / 60f);
                if (frame % 4 != 0) continue;
                rig.Apply(pose);
                rig.PoseIdle();
                rig.Animator.Solve();
                Vector3 now = rig["LeftToes"].position - lift.transform.position;
                if (frame > 60) slid = Mathf.Max(slid, Vector3.Distance(now, local));
                local = now;
            }
            Assert.IsTrue(grounder.isLeftFootPlanted, "it stands");
            Assert.Less(slid, 1e-3f, "metres a foot slid on the platform between passes");
        }

        [Test]
        public void UnscaledTimeIsTheClockOfAnAnimatorInThatMode()
        {
            float usual = Usual();
            foreach (float scale in new[] { 0.25f, 0f })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                rig.Start();
                unity.runtimeAnimatorController = new RuntimeAnimatorController();
                unity.write = rig.PoseIdle;
                unity.updateMode = AnimatorUpdateMode.UnscaledTime;
                Time.timeScale = scale;
                float time = SwitchTime(rig.Animator, 1f / 60f, delegate { Player.Frame(1f / 60f); });
                Assert.AreEqual(usual, time, 0.02f, "seconds, time scale " + scale);
                Player.Clear();
            }
        }

        // Bullet time that leaves the player out, and a menu that halts the world.
        [Test]
        public void APlatformOfAnotherClockCarriesAFootAlong()
        {
            foreach (AnimatorUpdateMode mode in new[] { AnimatorUpdateMode.Normal, AnimatorUpdateMode.UnscaledTime })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                rig.Start();
                unity.runtimeAnimatorController = new RuntimeAnimatorController();
                unity.write = rig.PoseIdle;
                unity.updateMode = mode;
                SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
                Collider lift = GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>();
                Physics.Lay(lift, delegate (float x, float z) { return lift.transform.position.y; });
                float worst = 0f;
                string where = "";
                Vector3 local = Vector3.zero;
                for (int frame = 0; frame < 240; frame++)
                {
                    Time.timeScale = frame < 60 ? 1f : frame < 120 ? 0.25f : frame < 180 ? 0f : 1f;
                    lift.transform.position += new Vector3(0.5f, 0.2f, 0f) * (Time.timeScale / 60f);
                    rig.Root.transform.position = lift.transform.position;
                    Player.Frame(1f / 60f);
                    Vector3 now = rig["LeftToes"].position - lift.transform.position;
                    if (frame > 30 && Vector3.Distance(now, local) > worst)
                    {
                        worst = Vector3.Distance(now, local);
                        where = ", " + mode + ", frame " + frame;
                    }
                    local = now;
                }
                Assert.IsTrue(grounder.isLeftFootPlanted, "it stands, " + mode);
                Assert.Less(worst, 1e-3f, "metres a foot slid on the platform in a frame" + where);
                Player.Clear();
            }
        }

        [Test]
        public void ACountdownOfTrackersTakesItsTimeWithManualPasses()
        {
            TestRig rig = new TestRig().Start();
            rig.Animator.solveTime = SolveTime.Manual;
            SinewTrackedBody body = rig.Root.AddComponent<SinewTrackedBody>();
            body.trackers.Clear();
            body.trackers.Add(new SinewTracker(SinewTrackerRole.Head, new GameObject("Head").transform));
            body.trackers[0].source.position = new Vector3(0f, 1.6f, 0f);
            rig.Animator.Solve();
            body.CalibrateAfter(1f);
            int frames = 0;
            for (; frames < 600 && !body.isCalibrated; frames++)
            {
                Player.Frame(1f / 60f);
                if (frames % 6 == 0) rig.Animator.Solve();
            }
            Assert.AreEqual(60, frames, 8, "frames of 1/60 s until a countdown of 1 s was over");
        }

        [Test]
        public void TwoPassesInAFrameTakeNoTimeMore()
        {
            float usual = Usual();
            TestRig rig = new TestRig().Start();
            Player.Animation = rig.PoseIdle;
            float time = SwitchTime(rig.Animator, 1f / 60f, delegate
            {
                Player.Frame(1f / 60f);
                rig.Animator.Solve();
            });
            Assert.AreEqual(usual, time, 0.05f, "seconds, solved twice in each frame");
        }
    }
}
