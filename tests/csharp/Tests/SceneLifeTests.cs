using System;
using System.Collections.Generic;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;
using static Sinew.Tests.Reaching;

namespace Sinew.Tests
{
    /// <summary>What projects do with characters at run time: scenes that come and go, callbacks
    /// that destroy, second plays, frames that are evaluated several times.</summary>
    public sealed class SceneLifeTests
    {
        private const float Step = 1f / 60f;

        [TearDown]
        public void JobsAsBefore()
        {
            SinewRuntime.JobThreshold = 8;
        }

        // What one of several characters does in its callback to itself and to others.
        [Test]
        public void CallbacksMayDestroyDisableRebuildAndMoveAnybody()
        {
            string[] whats =
            {
                "destroy own object", "destroy own component", "destroy other object", "destroy other component", "disable itself",
                "disable other", "deactivate itself", "deactivate other", "rebuild", "rebuild other", "other group", "other's group", "manual",
                "new character", "destroy a joint", "destroy other's joint", "reparent", "solve other", "toggle", "toggle other",
                "destroy the script", "add a script", "destroy the Animator", "another avatar", "end of frame",
            };
            foreach (int threshold in new[] { 8, 1 })
            foreach (bool ikPass in new[] { false, true })
            foreach (int actor in new[] { 0, 1, 2 })
            foreach (string what in whats)
            {
                SinewRuntime.JobThreshold = threshold;
                string why = what + ", actor " + actor + ", threshold " + threshold + ", IK Pass " + ikPass;
                TestRig[] rigs = new TestRig[3];
                List<TestRig> made = new List<TestRig>();
                for (int i = 0; i < 3; i++)
                {
                    TestRig rig = rigs[i] = new TestRig();
                    rig.Root.transform.position = new Vector3(2f * i, 0f, 0f);
                    Animator unity = rig.AddUnityAnimator(ikPass);
                    unity.write = rig.PoseIdle;
                    rig.Root.AddComponent<Script>().Do = Reach;
                    rig.Start();
                }
                TestRig self = rigs[actor], other = rigs[(actor + 1) % 3], third = rigs[(actor + 2) % 3];
                for (int i = 0; i < 2; i++) Player.Frame(Step);
                bool isDone = false;
                self.Root.GetComponent<Script>().Do = delegate (SinewAnimator animator)
                {
                    Reach(animator);
                    if (isDone) return;
                    isDone = true;
                    Act(what, self, other, made);
                };
                for (int i = 0; i < 4; i++)
                {
                    Player.Frame(Step);
                    AssertReaches(third, "the one that nothing happens to, frame " + i + ": " + why);
                }
                bool isSelfGone = what.Contains("own") || what.Contains("itself") || what == "end of frame" || what == "manual" || what == "destroy the script" || what == "destroy a joint";
                bool isOtherGone = what == "destroy other object" || what == "destroy other component" || what == "disable other" || what == "deactivate other";
                if (!isSelfGone) AssertReaches(self, "the actor: " + why);
                if (!isOtherGone) AssertReaches(other, "the other: " + why);
                foreach (TestRig rig in made) AssertReaches(rig, "the new one: " + why);
                AssertSilent(why);
                Player.Clear();
                Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects left: " + why);
            }
        }

        private static void Act(string what, TestRig self, TestRig other, List<TestRig> made)
        {
            switch (what)
            {
                case "destroy own object": UnityEngine.Object.DestroyImmediate(self.Root); break;
                case "destroy own component": UnityEngine.Object.DestroyImmediate(self.Animator); break;
                case "destroy other object": UnityEngine.Object.DestroyImmediate(other.Root); break;
                case "destroy other component": UnityEngine.Object.DestroyImmediate(other.Animator); break;
                case "disable itself": self.Animator.enabled = false; break;
                case "disable other": other.Animator.enabled = false; break;
                case "deactivate itself": self.Root.SetActive(false); break;
                case "deactivate other": other.Root.SetActive(false); break;
                case "rebuild": self.Animator.RebuildRig(); break;
                case "rebuild other": other.Animator.RebuildRig(); break;
                case "other group": self.Animator.solveTime = SolveTime.LateUpdate; break;
                case "other's group": other.Animator.solveTime = SolveTime.LateUpdate; break;
                case "manual": self.Animator.solveTime = SolveTime.Manual; break;
                case "new character":
                {
                    TestRig rig = new TestRig();
                    rig.Root.transform.position = new Vector3(-3f, 0f, 0f);
                    rig.Root.AddComponent<Script>().Do = Reach;
                    rig.Start();
                    made.Add(rig);
                    break;
                }
                case "destroy a joint": UnityEngine.Object.DestroyImmediate(self["RightMiddleProximal"].gameObject); break;
                case "destroy other's joint": UnityEngine.Object.DestroyImmediate(other["LeftMiddleProximal"].gameObject); break;
                case "reparent": self.Root.transform.SetParent(At(new Vector3(5f, 0f, 5f)), true); break;
                case "solve other": other.Animator.Solve(); break;
                case "toggle":
                    self.Animator.enabled = false;
                    self.Animator.enabled = true;
                    break;
                case "toggle other":
                    other.Root.SetActive(false);
                    other.Root.SetActive(true);
                    break;
                case "destroy the script": UnityEngine.Object.DestroyImmediate(self.Root.GetComponent<Script>()); break;
                case "add a script": self.Root.AddComponent<BareScript>(); break;
                case "destroy the Animator": UnityEngine.Object.DestroyImmediate(self.Root.GetComponent<Animator>()); break;
                case "another avatar":
                {
                    Animator unity = self.Root.GetComponent<Animator>();
                    unity.avatar = new Avatar(true, unity.avatar.humanDescription);
                    break;
                }
                case "end of frame": UnityEngine.Object.Destroy(self.Root); break;
                default: throw new ArgumentException(what);
            }
        }

        // Enter Play Mode Options without a reload of the domain: statics survive, time begins
        // anew.
        [Test]
        public void ASecondPlayWithoutReloadOfTheDomainIsAsTheFirst()
        {
            List<TransformData[]> first = Session(), second;
            double frame = Time.Frame, unscaled = Time.UnscaledFrame, fixedTime = Time.fixedTimeAsDouble, fixedUnscaled = Time.fixedUnscaledTimeAsDouble;
            int count = Time.frameCount;
            try
            {
                Application.isPlaying = false;
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                Application.isPlaying = true;
                Time.Frame = Time.UnscaledFrame = Time.fixedTimeAsDouble = Time.fixedUnscaledTimeAsDouble = 0.0;
                Time.frameCount = 0;
                int resets = 0;
                foreach (Type type in typeof(SinewRuntime).Assembly.GetTypes())
                    foreach (System.Reflection.MethodInfo method in type.GetMethods(System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic))
                        if (method.IsDefined(typeof(RuntimeInitializeOnLoadMethodAttribute), false))
                        {
                            method.Invoke(null, null);
                            resets++;
                        }
                Assert.Greater(resets, 1, "methods that reset statics");
                second = Session();
            }
            finally
            {
                Time.Frame = frame;
                Time.UnscaledFrame = unscaled;
                Time.fixedTimeAsDouble = fixedTime;
                Time.fixedUnscaledTimeAsDouble = fixedUnscaled;
                Time.frameCount = count + 100;
            }
            for (int i = 0; i < first.Count; i++)
                for (int j = 0; j < first[i].Length; j++)
                    Assert.IsTrue(TestRig.Same(first[i][j], second[i][j]), "joint " + j + " in pose " + i);
            AssertSilent("two sessions");
        }

        // Times of exact length, so that both sessions have the same bits.
        private static List<TransformData[]> Session()
        {
            const float Exact = 1f / 64f;
            List<TransformData[]> poses = new List<TransformData[]>();
            TestRig[] rigs = new TestRig[3];
            Collider floor = GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>();
            Physics.Lay(floor, delegate (float x, float z) { return 0.03f * x + floor.transform.position.y; });
            SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
            world.jobThreshold = 2;
            world.bands = new[] { new DetailBand { distance = 100f, level = DetailLevel.EveryNth, interval = 3 } };
            world.Refresh();
            for (int i = 0; i < 3; i++)
            {
                TestRig rig = rigs[i] = new TestRig();
                rig.Root.transform.position = new Vector3(2f * i, 0f, 0f);
                Animator unity = rig.AddUnityAnimator(i == 1);
                unity.write = rig.PoseIdle;
                unity.updateMode = i == 2 ? AnimatorUpdateMode.Fixed : AnimatorUpdateMode.Normal;
                rig.Root.AddComponent<Script>().Do = Reach;
                rig.Root.AddComponent<SinewGrounder>();
                if (i == 0)
                {
                    SinewBody body = rig.Root.AddComponent<SinewBody>();
                    body.mode = SinewBodyMode.Track;
                    body.feedback = 5f;
                    body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"], target = At(new Vector3(-0.3f, 1.2f, 0.3f)) });
                }
                rig.Start();
                rig.Animator.rightHandInertializationTime = 0.3f;
            }
            for (int frame = 0; frame < 64; frame++)
            {
                floor.transform.position = new Vector3(0f, 0.001f * frame, 0f);
                if (frame % 2 == 0) Player.FixedStep();
                Player.Frame(Exact);
                foreach (TestRig rig in rigs) poses.Add(rig.Snapshot());
            }
            Player.Clear();
            return poses;
        }

        // A scene with the targets of characters is unloaded, between frames or in a callback.
        [Test]
        public void TargetsMayBeDestroyedAtAnyTime()
        {
            foreach (bool inCallback in new[] { false, true })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                unity.write = rig.PoseIdle;
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                rig.Start();
                SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
                SinewTrackedBody tracked = rig.Root.AddComponent<SinewTrackedBody>();
                SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
                List<Transform> targets = new List<Transform>();
                Func<float, float, float, Transform> at = delegate (float x, float y, float z)
                {
                    Transform made = At(new Vector3(x, y, z));
                    targets.Add(made);
                    return made;
                };
                world.viewer = at(0f, 1f, -2f);
                world.bands = new[] { new DetailBand { distance = 50f } };
                goals.rightHand.target = at(0.3f, 1.2f, 0.3f);
                goals.rightHand.hint = at(0.5f, 0.5f, -1f);
                goals.lookAt = at(1f, 1.5f, 2f);
                goals.body = at(0f, 0.95f, 0f);
                tracked.trackers.Clear();
                tracked.trackers.Add(new SinewTracker(SinewTrackerRole.LeftFoot, at(-0.1f, 0.08f, 0f)));
                tracked.trackingOrigin = at(0f, 0f, 0f);
                SinewChain chain = rig["LeftHand"].gameObject.AddComponent<SinewChain>();
                chain.target = at(-0.3f, 1.2f, 0.3f);
                chain.pole = at(-0.5f, 0.5f, -1f);
                SinewAim aim = rig["Head"].gameObject.AddComponent<SinewAim>();
                aim.target = at(1f, 1.6f, 3f);
                aim.pole = at(0f, 5f, 0f);
                SinewSpline spline = rig["UpperChest"].gameObject.AddComponent<SinewSpline>();
                spline.jointCount = 3;
                spline.points = new[] { at(0f, 1.02f, 0f), at(0.02f, 1.15f, 0f), at(0.03f, 1.2f, 0f), at(0.05f, 1.27f, 0f) };
                SinewCopyRotation copy = rig["LeftUpperLeg"].gameObject.AddComponent<SinewCopyRotation>();
                copy.source = at(0f, 0f, 1f);
                SinewTwoBone limb = rig["RightFoot"].gameObject.AddComponent<SinewTwoBone>();
                limb.target = at(0.1f, 0.2f, 0.1f);
                body.effectors.Add(new SinewBodyEffector { joint = rig["Neck"], target = at(0.05f, 1.5f, 0.05f), matchRotation = true });
                body.effectors.Add(new SinewBodyEffector { kind = SinewBodyTaskKind.Support, corners = new[] { at(-0.2f, 0f, -0.2f), at(0.2f, 0f, 0f), at(0f, 0f, 0.2f) } });
                Action unload = delegate
                {
                    foreach (Transform one in targets) UnityEngine.Object.DestroyImmediate(one.gameObject);
                    targets.Clear();
                };
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                AssertSilent("before");
                if (inCallback) rig.Root.AddComponent<Script>().Do = delegate { unload(); };
                else unload();
                for (int i = 0; i < 3; i++) Player.Frame(Step);
                AssertSilent("without targets, in a callback " + inCallback);
                // A tracked body without trackers stands by itself; all else is as animated.
                tracked.enabled = false;
                Player.Frame(Step);
                TransformData[] now = rig.Snapshot();
                rig.PoseIdle();
                AssertSame(rig, now, "as animated");
                Player.Clear();
            }
        }

        // A Timeline that is scrubbed evaluates a frame several times, forwards and backwards; in a
        // pause each frame is the same one.
        [Test]
        public void AFrameThatIsEvaluatedSeveralTimesIsTheSame()
        {
            foreach (bool isAnimated in new[] { true, false })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                rig.PoseIdle();
                if (isAnimated) unity.write = rig.PoseIdle;
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.root = SinewBodyRoot.Fixed;
                body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"], target = At(new Vector3(-0.3f, 1.2f, 0.3f)) });
                rig.Start();
                rig.Root.AddComponent<Script>().Do = delegate (SinewAnimator animator)
                {
                    Reach(animator);
                    animator.bodyPosition += new Vector3(0f, -0.05f, 0f);
                    animator.SetLookAtPosition(new Vector3(1f, 1.5f, 2f));
                    animator.SetLookAtWeight(1f, 0.3f, 1f);
                };
                rig.Animator.spineWeight = 0.5f;
                SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
                SinewAim aim = rig["Neck"].gameObject.AddComponent<SinewAim>();
                aim.target = At(new Vector3(-1f, 1.5f, 2f));
                aim.weight = 0.5f;
                SinewCopyRotation copy = rig["Spine"].gameObject.AddComponent<SinewCopyRotation>();
                copy.source = rig["LeftUpperLeg"];
                copy.weight = 0.3f;
                Physics.Lay(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>(), delegate (float x, float z) { return 0.04f; });
                for (int i = 0; i < 60; i++) Player.Frame(Step);
                Time.timeScale = 0f;
                Player.Frame(Step);
                TransformData[] pose = rig.Snapshot();
                string why = isAnimated ? ", animated" : ", without animation";
                for (int i = 0; i < 3; i++)
                {
                    Player.Frame(Step);
                    AssertSame(rig, pose, "paused frame " + i + why);
                }
                body.enabled = false;
                Player.Frame(Step);
                pose = rig.Snapshot();
                foreach (float seconds in new[] { 0f, -0.02f, 0f, -1f, 0f })
                {
                    rig.Animator.Update(seconds);
                    AssertSame(rig, pose, "Update(" + seconds + ")" + why);
                    rig.Animator.Solve();
                    AssertSame(rig, pose, "Solve()" + why);
                }
                AssertSilent("scrubbed" + why);
                Assert.IsTrue(grounder.isLeftFootPlanted);
                Player.Clear();
            }
        }

        private static void AssertSame(TestRig rig, TransformData[] pose, string why)
        {
            for (int i = 0; i < pose.Length; i++)
            {
                TransformData now = TransformData.Of(rig.Joints[i]);
                float turn = Quaternion.Angle(pose[i].Rotation, now.Rotation), way = Vector3.Distance(pose[i].Position, now.Position);
                if (!(turn < 0.1f && way < 1e-4f)) Assert.Fail(why + ": " + rig.HumanNames[i] + " turned " + turn + "°, moved " + way);
            }
        }

        // Characters of scenes that are loaded beside others and unloaded again, in any phase of a
        // frame, with a SinewWorld of their own.
        [Test]
        public void ScenesComeAndGoWithTheirCharacters()
        {
            foreach (int threshold in new[] { 8, 1 })
            {
                SinewRuntime.JobThreshold = threshold;
                TestRig stays = new TestRig();
                Animator unity = stays.AddUnityAnimator(false);
                unity.write = stays.PoseIdle;
                stays.Root.AddComponent<Script>().Do = Reach;
                stays.Start();
                int live = -1;
                for (int round = 0; round < 12; round++)
                {
                    UnityEngine.SceneManagement.Scene before = UnityEngine.SceneManagement.SceneManager.Active;
                    UnityEngine.SceneManagement.SceneManager.Active = round % 2 == 0
                        ? UnityEngine.SceneManagement.SceneManager.Make() : UnityEngine.SceneManagement.SceneManager.MakeWithPhysics();
                    List<GameObject> scene = new List<GameObject>();
                    SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
                    scene.Add(world.gameObject);
                    world.jobThreshold = threshold;
                    world.budgetMilliseconds = round % 3 == 0 ? 1e-4f : 0f;
                    world.useJobThreads = round % 4 == 0;
                    world.Refresh();
                    List<TestRig> rigs = new List<TestRig>();
                    for (int i = 0; i < 9; i++)
                    {
                        TestRig rig = new TestRig();
                        rig.Root.transform.position = new Vector3(2f + 2f * i, 0f, 0f);
                        rig.PoseIdle();
                        rig.Root.AddComponent<Script>().Do = Reach;
                        rig.Root.AddComponent<SinewGrounder>();
                        rig["LeftHand"].gameObject.AddComponent<SinewChain>().target = At(rig.Root.transform.position + new Vector3(-0.3f, 1.2f, 0.3f));
                        scene.Add(rig["LeftHand"].GetComponent<SinewChain>().target.gameObject);
                        scene.Add(rig.Root);
                        rigs.Add(rig);
                        rig.Start();
                    }
                    UnityEngine.SceneManagement.SceneManager.Active = before;
                    for (int i = 0; i < 3; i++) Player.Frame(Step);
                    foreach (TestRig rig in rigs) AssertReaches(rig, "a character of the scene of round " + round);
                    AssertReaches(stays, "the one that stays, round " + round);
                    // One of them goes over to another scene.
                    if (round == 3) UnityEngine.SceneManagement.SceneManager.MoveGameObjectToScene(rigs[0].Root, UnityEngine.SceneManagement.SceneManager.Make());
                    Action unload = delegate
                    {
                        foreach (GameObject one in scene) UnityEngine.Object.DestroyImmediate(one);
                    };
                    if (round % 3 == 0) unload();
                    else if (round % 3 == 1) stays.Root.GetComponent<Script>().Do = delegate (SinewAnimator animator)
                    {
                        Reach(animator);
                        unload();
                    };
                    else foreach (GameObject one in scene) UnityEngine.Object.Destroy(one);
                    for (int i = 0; i < 2; i++)
                    {
                        Player.Frame(Step);
                        AssertReaches(stays, "the one that stays, after round " + round);
                    }
                    stays.Root.GetComponent<Script>().Do = Reach;
                    if (live < 0) live = SinewLibrary.LiveObjects;
                    Assert.AreEqual(live, SinewLibrary.LiveObjects, "native objects after round " + round);
                    Assert.Less(SinewRuntime.BudgetSeconds, 0f, "the budget went with its world");
                    SinewRuntime.JobThreshold = threshold;
                }
                AssertSilent("scenes");
                Player.Clear();
            }
        }

        // A menu, a breakpoint, an app in the background for an hour.
        [Test]
        public void AnHourInTheBackgroundIsOneFrame()
        {
            foreach (AnimatorUpdateMode mode in new[] { AnimatorUpdateMode.Normal, AnimatorUpdateMode.UnscaledTime })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                unity.write = rig.PoseIdle;
                unity.updateMode = mode;
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.mode = SinewBodyMode.Track;
                body.longestStep = 0.001f;
                body.maxSpeed = 100f;
                body.maxAcceleration = 1000f;
                body.root = SinewBodyRoot.Fixed;
                body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"], target = At(new Vector3(-0.3f, 1.2f, 0.3f)) });
                body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], pin = true });
                rig.Start();
                rig.Animator.rightHandInertializationTime = 0.3f;
                SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
                grounder.stepping = true;
                SinewTrackedBody tracked = rig.Root.AddComponent<SinewTrackedBody>();
                tracked.trackers.Clear();
                tracked.trackers.Add(new SinewTracker(SinewTrackerRole.Head, At(rig["Head"].position)));
                Physics.Lay(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<Collider>(), delegate (float x, float z) { return 0f; });
                for (int i = 0; i < 30; i++)
                {
                    Reach(rig.Animator);
                    Player.Frame(Step);
                }
                AssertReaches(rig, "before");
                System.Diagnostics.Stopwatch watch = System.Diagnostics.Stopwatch.StartNew();
                Player.Frame(3600f);
                Player.Frame(0f);
                Assert.Less(watch.Elapsed.TotalSeconds, 5.0, "seconds that the frame after an hour took, " + mode);
                for (int i = 0; i < 60; i++) Player.Frame(Step);
                AssertReaches(rig, "afterwards, " + mode);
                TestRig.AssertNear(new Vector3(-0.3f, 1.2f, 0.3f), rig["LeftHand"].position, 3e-3f, "the body afterwards, " + mode);
                Assert.IsTrue(grounder.isLeftFootPlanted && grounder.isRightFootPlanted, "it stands, " + mode);
                AssertSilent("an hour, " + mode);
                Player.Clear();
            }
        }

        [Test]
        public void CharactersGoFromOneGroupToAnotherInEachFrame()
        {
            foreach (int threshold in new[] { 8, 1 })
            {
                SinewRuntime.JobThreshold = threshold;
                TestRig[] rigs = new TestRig[10];
                for (int i = 0; i < rigs.Length; i++)
                {
                    rigs[i] = new TestRig();
                    rigs[i].Root.transform.position = new Vector3(2f * i, 0f, 0f);
                    Animator unity = rigs[i].AddUnityAnimator(i % 2 == 0);
                    unity.write = rigs[i].PoseIdle;
                    rigs[i].Root.AddComponent<Script>().Do = Reach;
                    rigs[i].Start();
                }
                SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
                world.jobThreshold = threshold;
                world.budgetMilliseconds = 1e-4f;
                world.Refresh();
                System.Random random = new System.Random(5);
                for (int frame = 0; frame < 200; frame++)
                {
                    for (int i = 0; i < rigs.Length; i++)
                    {
                        if (random.Next(4) > 0) continue;
                        rigs[i].Animator.solveTime = random.Next(2) == 0 ? SolveTime.AfterAnimation : SolveTime.LateUpdate;
                        rigs[i].Root.GetComponent<Animator>().updateMode = (AnimatorUpdateMode)random.Next(3);
                        rigs[i].Animator.detailLevel = random.Next(3) == 0 ? DetailLevel.EveryNth : DetailLevel.ByDistance;
                        if (random.Next(6) == 0) rigs[i].Animator.RebuildRig();
                    }
                    Player.FixedStep();
                    Player.Frame(0.02f);
                    for (int i = 0; i < rigs.Length; i++) AssertReaches(rigs[i], "character " + i + " in frame " + frame);
                }
                AssertSilent("groups");
                Player.Clear();
            }
        }
    }
}
