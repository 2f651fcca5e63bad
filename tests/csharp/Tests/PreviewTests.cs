using System;
using System.Runtime.CompilerServices;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>
    /// IK in Edit mode, with a stand-in for the Animation window: it writes the animated joints
    /// when its time changes, and gives them their own values back when it stops.
    /// </summary>
    public sealed class PreviewTests
    {
        /// <summary>What the Animation window or Timeline does.</summary>
        private sealed class Window
        {
            private readonly TestRig rig;
            private readonly string[] animated;
            private readonly Quaternion[] own;

            internal Window(TestRig rig, params string[] animated)
            {
                this.rig = rig;
                this.animated = animated;
                own = Array.ConvertAll(animated, delegate (string name) { return rig[name].localRotation; });
                AnimationMode.StartAnimationMode();
            }

            internal void Sample(float time)
            {
                for (int i = 0; i < animated.Length; i++) rig[animated[i]].localRotation = Quaternion.Euler(5f * time, 0f, (i % 2 == 0 ? 60f : -60f) + time);
            }

            internal void Stop()
            {
                for (int i = 0; i < animated.Length; i++) rig[animated[i]].localRotation = own[i];
                AnimationMode.StopAnimationMode();
            }
        }

        private static readonly string[] arms = { "LeftUpperArm", "RightUpperArm", "LeftLowerArm", "RightLowerArm" };

        [SetUp]
        public void StartEditor()
        {
            RuntimeHelpers.RunClassConstructor(typeof(Sinew.Editor.SinewPreview).TypeHandle);
            Application.isPlaying = false;
        }

        [TearDown]
        public void StopEditor()
        {
            AnimationMode.StopAnimationMode();
            EditorApplication.Tick();
            PrefabUtility.Sources.Clear();
            PrefabUtility.Recorded.Clear();
        }

        private static TestRig Rig(out SinewGoals goals)
        {
            TestRig rig = new TestRig().Start();
            goals = rig.Root.AddComponent<SinewGoals>();
            goals.rightHand.target = new GameObject("Goal").transform;
            goals.rightHand.target.position = new Vector3(0.3f, 1.2f, 0.3f);
            return rig;
        }

        [Test]
        public void PosesOfTheWindowsAreShownWithIKAndNothingIsKept()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            TransformData[] saved = rig.Snapshot();
            EditorApplication.Tick();
            rig.AssertPose(saved, "no window shows a pose");
            Assert.AreEqual(0, SinewLibrary.LiveObjects);

            Window window = new Window(rig, arms);
            for (int step = 0; step < 4; step++)
            {
                window.Sample(step);
                EditorApplication.Tick();
                TestRig.AssertNear(goals.rightHand.target.position, rig["RightHand"].position, 1e-3f, "hand at time " + step);
                Quaternion left = rig["LeftUpperArm"].localRotation;
                TestRig.AssertNear(Quaternion.Euler(5f * step, 0f, 60f + step), left, 0.01f, "the other arm as animated");
                // Further ticks without a new pose change nothing: the result is not solved again
                // on top of itself.
                TransformData[] shown = rig.Snapshot();
                EditorApplication.Tick();
                EditorApplication.Tick();
                rig.AssertPose(shown, "unchanged ticks at time " + step);
            }
            goals.rightHand.target.position += new Vector3(0f, 0.1f, 0f);
            EditorApplication.Tick();
            TestRig.AssertNear(goals.rightHand.target.position, rig["RightHand"].position, 1e-3f, "a goal that is dragged");

            window.Stop();
            EditorApplication.Tick();
            rig.AssertPose(saved, "after the window");
            Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects");
            Assert.IsFalse(PrefabUtility.Recorded.Contains(rig["RightHand"]), "no override is recorded");
        }

        // What is shown at a time depends on that time alone, wherever the scrubbing came from.
        [Test]
        public void ScrubbingShowsNoSwitchesUnderWay()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            rig.Animator.rightHandInertializationTime = 0.5f;
            SinewTwoBone limb = rig["LeftHand"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = new GameObject("Target").transform;
            limb.target.position = new Vector3(-0.3f, 1.3f, 0.3f);
            limb.inertializationTime = 0.5f;
            Window window = new Window(rig, arms);
            TransformData[][] shown = new TransformData[6][];
            foreach (int time in new[] { 0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 3, 0, 5, 2 })
            {
                goals.weight = limb.weight = time >= 3 ? 1f : 0f;
                window.Sample(time);
                EditorApplication.Tick();
                if (time >= 3) TestRig.AssertNear(goals.rightHand.target.position, rig["RightHand"].position, 1e-3f, "the hand at time " + time);
                if (time >= 3) TestRig.AssertNear(limb.target.position, rig["LeftHand"].position, 2e-3f, "the other hand at time " + time);
                if (shown[time] == null) shown[time] = rig.Snapshot();
                rig.AssertPose(shown[time], "again at time " + time);
            }
            window.Stop();
            EditorApplication.Tick();
        }

        [Test]
        public void ConstraintsAndLimitsAreShownToo()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            goals.enabled = false;
            SinewTwoBone limb = rig["LeftHand"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = new GameObject("Target").transform;
            limb.target.position = new Vector3(-0.3f, 1.3f, 0.3f);
            SinewJointLimits limits = rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.stretchMax = 1.2f;
            TransformData[] saved = rig.Snapshot();
            Window window = new Window(rig, arms);
            window.Sample(1f);
            EditorApplication.Tick();
            TestRig.AssertNear(limb.target.position, rig["LeftHand"].position, 2e-3f, "constraint");
            Assert.IsTrue(limb.outcome.IsReached);
            window.Stop();
            EditorApplication.Tick();
            rig.AssertPose(saved, "after the window");
        }

        [Test]
        public void SavingASceneWritesThePoseWithoutIK()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            Window window = new Window(rig, "LeftUpperArm");
            Quaternion own = rig["RightUpperArm"].localRotation;
            window.Sample(0f);
            EditorApplication.Tick();
            Assert.IsFalse(own.Equals(rig["RightUpperArm"].localRotation), "IK is shown");
            Quaternion written = default(Quaternion);
            EditorSceneManager.Save(delegate { written = rig["RightUpperArm"].localRotation; });
            Assert.IsTrue(own.Equals(written), "what the file gets");
            EditorApplication.Tick();
            TestRig.AssertNear(goals.rightHand.target.position, rig["RightHand"].position, 1e-3f, "shown again");
            EditorApplication.Change(PlayModeStateChange.ExitingEditMode);
            Assert.IsTrue(own.Equals(rig["RightUpperArm"].localRotation), "before Play");
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
            window.Stop();
        }

        [Test]
        public void ReloadingScriptsEndsIt()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            TransformData[] saved = rig.Snapshot();
            Window window = new Window(rig, "LeftUpperArm");
            window.Sample(0f);
            EditorApplication.Tick();
            SinewRuntime.ReleaseAll(); // whoever is asked first
            AssemblyReloadEvents.Raise();
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
            window.Stop();
            rig.AssertPose(saved, "after the reload");
        }

        [Test]
        public void ItCanBeSwitchedOffPerCharacter()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            Window window = new Window(rig, arms);
            window.Sample(0f);
            rig.Animator.previewInEditMode = false;
            EditorApplication.Tick();
            Assert.Greater(Vector3.Distance(goals.rightHand.target.position, rig["RightHand"].position), 0.1);
            rig.Animator.previewInEditMode = true;
            EditorApplication.Tick();
            TestRig.AssertNear(goals.rightHand.target.position, rig["RightHand"].position, 1e-3f, "on");
            rig.Animator.previewInEditMode = false;
            EditorApplication.Tick();
            Assert.Greater(Vector3.Distance(goals.rightHand.target.position, rig["RightHand"].position), 0.1, "off again");
            window.Stop();
        }

        [Test]
        public void TheRestPoseIsThatOfTheModelNotOfTheFirstFrameShown()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals), model = new TestRig();
            for (int i = 0; i < rig.Joints.Length; i++) PrefabUtility.Sources[rig.Joints[i]] = model.Joints[i];
            goals.rightHand.rotationWeight = 1f;
            goals.rightHand.target.rotation = Quaternion.LookRotation(Vector3.right, Vector3.up);
            Window window = new Window(rig, "RightHand", "RightUpperArm");
            window.Sample(3f);
            EditorApplication.Tick();
            // In T-pose the right hand's goal frame looks to the right: so the bone must stand as
            // in the model.
            TestRig.AssertNear(Quaternion.identity, rig["RightHand"].rotation, 0.1f, "hand");
            window.Stop();
        }

        /// <summary>A script of a user: runs in Edit mode only when it says so.</summary>
        private sealed class PlayOnly : MonoBehaviour
        {
            internal int Calls;

            private void OnAnimatorIK(int layerIndex)
            {
                Calls++;
            }
        }

        [ExecuteAlways]
        private sealed class Always : MonoBehaviour
        {
            internal int Calls;

            private void OnAnimatorIK(int layerIndex)
            {
                Calls++;
            }
        }

        [Test]
        public void ScriptsAreCalledOnlyWhenTheyRunInEditMode()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            PlayOnly playOnly = rig.Root.AddComponent<PlayOnly>();
            Always always = rig.Root.AddComponent<Always>();
            Window window = new Window(rig, arms);
            window.Sample(0f);
            EditorApplication.Tick();
            Assert.AreEqual(0, playOnly.Calls);
            Assert.AreEqual(1, always.Calls);
            window.Stop();
        }

        // Edit mode sends no OnDisable and no OnDestroy to components that are destroyed.
        [Test]
        public void WhatIsDestroyedWhileAPoseIsShownLeavesNothingBehind()
        {
            foreach (string what in new[] { "limits", "joint with limits", "constraint", "joint", "character" })
            {
                SinewGoals goals;
                TestRig rig = Rig(out goals);
                TransformData[] saved = rig.Snapshot();
                SinewJointLimits limits = rig["LeftMiddleProximal"].gameObject.AddComponent<SinewJointLimits>();
                SinewTwoBone limb = rig["LeftHand"].gameObject.AddComponent<SinewTwoBone>();
                limb.target = new GameObject("Target").transform;
                limb.target.position = new Vector3(-0.3f, 1.3f, 0.3f);
                Vector3 aim = limb.target.position;
                Window window = new Window(rig, arms);
                window.Sample(1f);
                for (int i = 0; i < 2; i++) EditorApplication.Tick();
                Assert.Less(Vector3.Distance(limb.target.position, rig["LeftHand"].position), 2e-3f, what + ": the limb is shown");
                if (what == "limits") UnityEngine.Object.DestroyImmediate(limits);
                if (what == "joint with limits") UnityEngine.Object.DestroyImmediate(rig["LeftMiddleProximal"].gameObject);
                if (what == "constraint") UnityEngine.Object.DestroyImmediate(limb);
                if (what == "joint") UnityEngine.Object.DestroyImmediate(rig["RightEye"].gameObject);
                if (what == "character") UnityEngine.Object.DestroyImmediate(rig.Root);
                for (int i = 0; i < 2; i++) EditorApplication.Tick();
                if (what == "constraint") Assert.Greater(Vector3.Distance(aim, rig["LeftHand"].position), 0.1f, "the limb is let go");
                if (what != "character")
                {
                    window.Stop();
                    EditorApplication.Tick();
                    for (int i = 0; i < saved.Length; i++)
                        if (rig.Joints[i] != null) Assert.IsTrue(TestRig.Same(saved[i], TransformData.Of(rig.Joints[i])), what + ": " + rig.HumanNames[i]);
                }
                Assert.AreEqual(0, SinewLibrary.LiveObjects, what + ": native objects");
                AnimationMode.StopAnimationMode();
                Player.Clear();
                Application.isPlaying = false;
            }
        }

        [Test]
        public void ConstraintsThatAreAddedAndSwitchedWhileAPoseIsShownAreFollowed()
        {
            SinewGoals goals;
            TestRig rig = Rig(out goals);
            Window window = new Window(rig, arms);
            window.Sample(1f);
            EditorApplication.Tick();
            Vector3 animated = rig["LeftHand"].position, aim = new Vector3(-0.3f, 1.3f, 0.3f);
            SinewTwoBone limb = rig["LeftHand"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = new GameObject("Target").transform;
            limb.target.position = aim;
            EditorApplication.Tick();
            TestRig.AssertNear(aim, rig["LeftHand"].position, 2e-3f, "one that was added");
            limb.enabled = false;
            EditorApplication.Tick();
            TestRig.AssertNear(animated, rig["LeftHand"].position, 2e-3f, "one that was switched off");
            limb.enabled = true;
            EditorApplication.Tick();
            TestRig.AssertNear(aim, rig["LeftHand"].position, 2e-3f, "one that was switched on");
            SinewJointLimits limits = rig["LeftLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.lockX = limits.lockY = limits.lockZ = true;
            EditorApplication.Tick();
            Assert.Greater(Vector3.Distance(aim, rig["LeftHand"].position), 0.02f, "with an elbow that is locked");
            limits.enabled = false;
            EditorApplication.Tick();
            TestRig.AssertNear(aim, rig["LeftHand"].position, 2e-3f, "with an elbow that is free again");
            window.Stop();
            EditorApplication.Tick();
            Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects");
        }
    }
}
