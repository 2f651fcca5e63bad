using System;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.Jobs;

namespace Sinew.Tests
{
    /// <summary>When the pass runs, and what holds between passes.</summary>
    public sealed class TimingTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        /// <summary>A script of default order that notes in LateUpdate where something
        /// is.</summary>
        private sealed class Follower : MonoBehaviour
        {
            internal Transform Target;
            internal Vector3 Seen;

            private void LateUpdate()
            {
                Seen = Target.position;
            }
        }

        private static Follower Follow(Transform target)
        {
            Follower follower = new GameObject("Follower").AddComponent<Follower>();
            follower.Target = target;
            return follower;
        }

        private static void ReachRight(SinewAnimator animator)
        {
            animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
        }

        [TearDown]
        public void OnlyKnownJobsRemain()
        {
            SinewRuntime.JobThreshold = 8;
        }

        [Test]
        public void AnyLateUpdateSeesTheResult()
        {
            for (int setup = 0; setup < 3; setup++)
            {
                TestRig rig = new TestRig();
                Animator unity = setup == 0 ? null : rig.AddUnityAnimator(setup == 2);
                if (unity != null) unity.write = rig.PoseIdle;
                else Player.Animation = rig.PoseIdle;
                rig.Start();
                rig.Root.AddComponent<Script>().Do = ReachRight;
                Follower follower = Follow(rig["RightHand"]);
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
                TestRig.AssertNear(goal, follower.Seen, 1e-3f, "the hand in LateUpdate, set-up " + setup);
                Player.Clear();
            }
        }

        [Test]
        public void DeferredEvaluationComesBeforeThePass()
        {
            TestRig rig = new TestRig().Start();
            Player.Deferred = rig.PoseIdle; // as a Timeline that evaluates late
            Vector3 elbow = Vector3.zero;
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                elbow = animator.GetIKHintPosition(AvatarIKHint.LeftElbow);
                ReachRight(animator);
            };
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand");
            TestRig.AssertNear(rig["LeftLowerArm"].position, elbow, 1e-5f, "the pose is that of this frame");
        }

        [Test]
        public void LateUpdateModeComesAfterScriptsAndManualModeWhenCalled()
        {
            TestRig rig = new TestRig().Start();
            rig.Root.AddComponent<Script>().Do = ReachRight;
            rig.Animator.solveTime = SolveTime.LateUpdate;
            Follower follower = Follow(rig["RightHand"]);
            Player.Frame(0.02f);
            Assert.Greater(Vector3.Distance(goal, follower.Seen), 0.1, "LateUpdate mode solves after order 0");
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "LateUpdate mode");

            rig.Animator.solveTime = SolveTime.Manual;
            rig.Root.GetComponent<Script>().Calls = 0;
            Vector3 held = rig["RightHand"].position;
            Player.Frame(0.02f);
            Assert.AreEqual(0, rig.Root.GetComponent<Script>().Calls, "Manual mode waits");
            TestRig.AssertNear(held, rig["RightHand"].position, 0f, "Manual mode holds the pose");
            rig.PoseIdle();
            rig.Animator.Solve();
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "Manual mode");
            Assert.AreEqual(1, rig.Root.GetComponent<Script>().Calls);
        }

        [Test]
        public void AnotherPlayerLoopIsMended()
        {
            TestRig rig = new TestRig().Start();
            rig.Root.AddComponent<Script>().Do = ReachRight;
            UnityEngine.LowLevel.PlayerLoop.SetPlayerLoop(UnityEngine.LowLevel.PlayerLoop.GetDefaultPlayerLoop());
            Follower follower = Follow(rig["RightHand"]);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "solved late, in the frame of the change");
            rig.PoseIdle();
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, follower.Seen, 1e-3f, "in time from the next frame on");
        }

        // A server that runs for four days: there the steps of Time.fixedTime are too coarse to
        // tell.
        [Test]
        public void EveryPhysicsStepIsAPassAfterDays()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(false);
            unity.write = rig.PoseIdle;
            unity.updateMode = AnimatorUpdateMode.Fixed;
            rig.Start();
            rig.Animator.solveTime = SolveTime.LateUpdate;
            Script script = rig.Root.AddComponent<Script>();
            double now = Time.fixedTimeAsDouble;
            try
            {
                Time.fixedTimeAsDouble += 4 * 86400.0;
                for (int i = 0; i < 50; i++)
                {
                    Player.FixedStep();
                    Player.Frame(0.02f);
                }
            }
            finally
            {
                Time.fixedTimeAsDouble = now;
            }
            Assert.AreEqual(50, script.Calls, "callbacks in 50 steps");
        }

        [Test]
        public void AHandStaysOnTheWheelOfACarAt72KilometresPerHour()
        {
            foreach (bool ikPass in new[] { true, false })
            foreach (bool isInterpolated in new[] { true, false })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(ikPass);
                unity.updateMode = AnimatorUpdateMode.Fixed;
                unity.write = rig.PoseIdle;
                Script script = rig.Root.AddComponent<Script>();
                rig.Start();
                Transform wheel = new GameObject("Wheel").transform;
                Vector3 offset = new Vector3(0.3f, 1.2f, 0.3f);
                script.Do = delegate (SinewAnimator animator)
                {
                    animator.SetIKPosition(AvatarIKGoal.RightHand, wheel.position);
                    animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                };
                double worst = 0.0;
                Action<double> drive = delegate (double seconds)
                {
                    rig.Root.transform.position = new Vector3(0f, 0f, (float)(20.0 * seconds));
                    wheel.position = rig.Root.transform.position + offset;
                };
                for (int i = 0; i < 90; i++)
                {
                    if (i % 3 == 0)
                    {
                        // Physics places the car at the step; what is drawn lies up to one step
                        // behind it.
                        drive((i + (isInterpolated ? 3 : 0)) / 150.0);
                        Player.FixedStep();
                    }
                    drive(i / 150.0);
                    Player.Frame(1f / 150f);
                    if (i > 6) worst = Math.Max(worst, Vector3.Distance(wheel.position, rig["RightHand"].position));
                }
                Assert.Less(worst, 1e-3, "metres off the wheel, IK Pass " + ikPass + ", interpolation " + isInterpolated);
                Player.Clear();
            }
        }

        [Test]
        public void PhysicsStepsWithoutIKPassStillGetTheCallback()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            unity.updateMode = AnimatorUpdateMode.Fixed;
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            Player.FixedStep();
            Player.Frame(0.02f);
            unity.ikPass = false; // another controller
            script.Calls = 0;
            for (int i = 0; i < 20; i++)
            {
                Player.FixedStep();
                Player.Frame(0.02f);
            }
            Assert.AreEqual(20, script.Calls);
        }

        [Test]
        public void CulledCharactersCostNothingAndComeBack()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(false);
            Renderer renderer = rig["Hips"].gameObject.AddComponent<Renderer>();
            unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
            unity.write = rig.PoseIdle;
            Script script = rig.Root.AddComponent<Script>();
            rig.Start();
            script.Do = ReachRight;
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            Assert.AreEqual(0, script.Calls, "nobody sees it");
            renderer.isVisible = true;
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "seen");
            renderer.isVisible = false;
            unity.cullingMode = AnimatorCullingMode.AlwaysAnimate;
            Player.Frame(0.02f);
            Assert.AreEqual(2, script.Calls, "always animated");

            // Other clothes: the renderer that was known is gone, and others have come.
            unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
            UnityEngine.Object.DestroyImmediate(renderer);
            Renderer shirt = rig["Chest"].gameObject.AddComponent<Renderer>();
            shirt.isVisible = true;
            Player.Frame(0.02f);
            Assert.AreEqual(3, script.Calls, "another renderer of the same object");
            shirt.isVisible = false;
            Player.Frame(0.02f);
            Assert.AreEqual(3, script.Calls, "nobody sees the shirt");
            Renderer hat = new GameObject("Hat").AddComponent<Renderer>();
            hat.transform.SetParent(rig["Head"], false);
            hat.isVisible = true;
            Player.Frame(0.02f);
            Assert.AreEqual(4, script.Calls, "a hat");
            hat.isVisible = false;
            Player.Frame(0.02f);
            Assert.AreEqual(4, script.Calls, "nobody sees the hat");
        }

        // A dedicated server has no renderers.
        [Test]
        public void ACharacterWithoutRenderersIsNotSearchedInEachFrame()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(false);
            unity.write = rig.PoseIdle;
            unity.cullingMode = AnimatorCullingMode.CullUpdateTransforms;
            rig.Start();
            Script script = rig.Root.AddComponent<Script>();
            Player.Frame(0.02f);
            long searches = Calls.Searches;
            for (int i = 0; i < 10; i++) Player.Frame(0.02f);
            Assert.AreEqual(11, script.Calls, "it is not culled");
            Assert.AreEqual(searches, Calls.Searches, "searches in ten frames");
            Renderer late = new GameObject("Cloak").AddComponent<Renderer>();
            late.transform.SetParent(rig["Hips"], false);
            Player.Frame(0.02f);
            Assert.AreEqual(11, script.Calls, "nobody sees what it wears now");
        }

        [Test]
        public void AllCharactersAreSolvedInOneCallWithTheSameBitsWithAndWithoutJobs()
        {
            TransformData[][] poses = new TransformData[2][];
            for (int run = 0; run < 2; run++)
            {
                SinewRuntime.JobThreshold = run == 0 ? 1000 : 2;
                TestRig[] crowd = new TestRig[20];
                for (int i = 0; i < crowd.Length; i++)
                {
                    crowd[i] = new TestRig();
                    crowd[i].Root.transform.position = new Vector3(2f * i, 0f, 0f);
                    crowd[i].Start();
                    Vector3 place = goal + new Vector3(2f * i, 0.01f * i, 0f);
                    crowd[i].Root.AddComponent<Script>().Do = delegate (SinewAnimator animator)
                    {
                        animator.SetIKPosition(AvatarIKGoal.RightHand, place);
                        animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 0.9f);
                    };
                }
                Assert.AreEqual(crowd.Length + 2, SinewLibrary.LiveObjects, "one skeleton and one avatar for all");
                int jobs = IJobParallelForTransformExtensions.Runs;
                Player.Frame(0.02f);
                long calls = SinewRuntime.SolveCalls, solved = SinewRuntime.SolvedCharacters;
                Player.Frame(0.02f);
                Assert.AreEqual(1L, SinewRuntime.SolveCalls - calls, "native calls");
                Assert.AreEqual((long)crowd.Length, SinewRuntime.SolvedCharacters - solved);
                // Read and write twice; and in the second frame, when there is a last result, show
                // it and read what scripts turned.
                Assert.AreEqual(run == 0 ? 0 : 7, IJobParallelForTransformExtensions.Runs - jobs, "jobs");
                poses[run] = crowd[13].Snapshot();
                UnityEngine.Object.DestroyImmediate(crowd[7]["LeftHand"].gameObject);
                crowd[3].Root.SetActive(false);
                Player.Frame(0.02f);
                TestRig.AssertNear(poses[run][18].Position, crowd[13].Snapshot()[18].Position, 0f, "the others go on");
                Debug.Lines.Clear(); // a rig without a hand is no humanoid any more
                Player.Clear();
            }
            for (int i = 0; i < poses[0].Length; i++) Assert.IsTrue(TestRig.Same(poses[0][i], poses[1][i]), "joint " + i);
            Assert.AreEqual(0, TransformAccessArray.Live, "arrays of transforms that live on");
        }

        [Test]
        public void JobsChangeNothingForASingleCharacterEither()
        {
            SinewRuntime.JobThreshold = 1;
            PassTests pass = new PassTests();
            pass.FootPlacementOnAFlatFloorHasNoLag();
            Player.Clear();
            pass.PropsInTheCallbackAreWhereTheLastFrameLeftThem();
            Player.Clear();
            pass.ABoneTurnedInTheCallbackIsReadAgainAndDoesNotPileUp();
            Player.Clear();
            pass.GoalsOfTheCallbackEndWithItsScriptAndOthersStay();
        }

        [Test]
        public void PoolingMakesNothing()
        {
            TestRig rig = new TestRig();
            rig.AddUnityAnimator(true);
            rig.Start();
            Player.Frame(0.02f);
            NativeAnimator native = rig.Animator.nativeAnimator;
            for (int i = 0; i < 5; i++)
            {
                rig.Root.SetActive(false);
                Assert.AreEqual(1, SinewRuntime.RunningCount);
                rig.Root.SetActive(true);
                Player.Frame(0.02f);
            }
            Assert.IsTrue(ReferenceEquals(native, rig.Animator.nativeAnimator), "the native animator is the same");
        }

        // OnTriggerEnter and its like come between the two parts of an evaluation and belong to
        // neither.
        [Test]
        public void AGoalOfAPhysicsMessageStaysAndOneOfTheCallbackDoesNot()
        {
            TestRig rig = new TestRig();
            Animator unity = rig.AddUnityAnimator(true);
            unity.updateMode = AnimatorUpdateMode.Fixed;
            unity.write = rig.PoseIdle;
            rig.Start();
            Vector3 right = new Vector3(0.25f, 1.2f, 0.3f), left = new Vector3(-0.25f, 1.2f, 0.3f);
            int messages = 0;
            Player.Simulation = delegate
            {
                if (messages++ > 0) return;
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, right);
                rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            };
            Script script = rig.Root.AddComponent<Script>();
            script.Do = delegate (SinewAnimator animator)
            {
                if (script.Calls > 2) return;
                animator.SetIKPosition(AvatarIKGoal.LeftHand, left);
                animator.SetIKPositionWeight(AvatarIKGoal.LeftHand, 1f);
            };
            for (int i = 0; i < 4; i++)
            {
                Player.FixedStep();
                Player.Frame(0.02f);
                TestRig.AssertNear(right, rig["RightHand"].position, 1e-3f, "of the message, step " + i);
                float off = Vector3.Distance(left, rig["LeftHand"].position);
                Assert.IsTrue(i < 2 ? off < 1e-3f : off > 0.2f, "of the callback, step " + i + ": " + off);
            }
        }

        [Test]
        public void EditModeBuildsNothing()
        {
            Application.isPlaying = false;
            TestRig rig = new TestRig().Start();
            Assert.IsTrue(rig.Animator.isHuman, "asked for by a script in Edit mode");
            Player.Frame(0.02f);
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
            rig.Animator.callbackLayers = new int[0];
        }
    }
}
