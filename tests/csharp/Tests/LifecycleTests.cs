using System;
using System.Reflection;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Where the bones come from, and what happens between enabling and
    /// destroying.</summary>
    public sealed class LifecycleTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        [Test]
        public void UnitysNamesAreFound()
        {
            TestRig rig = new TestRig().Start();
            Assert.IsTrue(rig.Animator.isHuman, rig.Animator.rigDescription);
            Assert.IsTrue(rig.Animator.rigDescription.Contains("Unity's human names"), rig.Animator.rigDescription);
            AssertReaches(rig);
        }

        [Test]
        public void OtherRigsNamesAreFound()
        {
            TestRig rig = new TestRig("Bip_").Start();
            Assert.IsTrue(rig.Animator.isHuman, rig.Animator.rigDescription);
            Assert.IsTrue(rig.Animator.GetBoneTransform(HumanBodyBones.RightHand) == rig["RightHand"]);
            AssertReaches(rig);
        }

        [Test]
        public void TheTableComesFirst()
        {
            TestRig rig = new TestRig("*");
            rig.Start(rig.Table());
            Assert.IsTrue(rig.Animator.rigDescription.Contains("the table"), rig.Animator.rigDescription);
            AssertReaches(rig);
        }

        [Test]
        public void TheAnimatorsAvatarIsUsedWithItsTPose()
        {
            TestRig rig = new TestRig("*");
            rig.AddUnityAnimator(false);
            // The avatar knows the T-pose, so the pose at enabling does not matter: not even a
            // rolled hand.
            rig.PoseIdle();
            rig["RightHand"].localRotation = Quaternion.Euler(60f, 0f, 0f);
            rig.Start();
            rig["RightHand"].localRotation = Quaternion.identity;
            Assert.IsTrue(rig.Animator.rigDescription.Contains("the Animator's avatar"), rig.Animator.rigDescription);
            rig["RightUpperArm"].localRotation = Quaternion.identity;
            rig["RightLowerArm"].localRotation = Quaternion.identity;
            Player.Frame(0.02f);
            TestRig.AssertNear(Quaternion.LookRotation(Vector3.right, Vector3.up), rig.Animator.GetIKRotation(AvatarIKGoal.RightHand), 1f, "hand goal");
            AssertReaches(rig);
        }

        [Test]
        public void AWrongTableIsSaidAndNothingIsGuessed()
        {
            TestRig rig = new TestRig();
            HumanBoneEntry[] table = rig.Table();
            HumanBoneEntry[] tooFew = new HumanBoneEntry[3];
            Array.Copy(table, tooFew, 3);
            rig.Start(tooFew);
            Assert.AreEqual(1, Debug.Lines.Count);
            Assert.IsTrue(Debug.Lines[0].Contains("cannot work") && Debug.Lines[0].Contains("RightHand"), Debug.Lines[0]);
            Assert.IsFalse(rig.Animator.isHuman);
            Debug.Lines.Clear();
            Player.Frame(0.02f);

            Transform stranger = new GameObject("Stranger").transform;
            table[0].transform = stranger;
            rig.Animator.humanBones = table;
            rig.Animator.Rebind();
            Assert.IsTrue(Debug.Lines[0].Contains("Stranger"), Debug.Lines[0]);
            Debug.Lines.Clear();
            table[0].transform = rig["Hips"];
            rig.Animator.Rebind();
            AssertReaches(rig);
        }

        [Test]
        public void AGenericRigHasNoHumanoidCalls()
        {
            GameObject crane = new GameObject("Crane");
            Transform below = crane.transform;
            for (int i = 0; i < 4; i++)
            {
                Transform link = new GameObject("Link" + i).transform;
                link.SetParent(below, false);
                link.localPosition = Vector3.up;
                below = link;
            }
            SinewAnimator animator = crane.AddComponent<SinewAnimator>();
            Script script = crane.AddComponent<Script>();
            long writes = Transform.Writes;
            Player.Frame(0.02f);
            Assert.AreEqual(0, script.Calls, "OnAnimatorIK on a generic rig");
            Assert.AreEqual(writes, Transform.Writes, "writes to Transforms");
            Assert.IsFalse(animator.isHuman);
            Assert.AreEqual(1f, animator.humanScale);
            InvalidOperationException e = Assert.Throws<InvalidOperationException>(delegate { animator.SetLookAtWeight(1f); });
            Assert.IsTrue(e.Message.Contains("no humanoid") && e.Message.Contains("Crane"), e.Message);
            Assert.Throws<InvalidOperationException>(delegate { animator.GetBoneTransform(HumanBodyBones.Hips); });
            Assert.Throws<InvalidOperationException>(delegate { animator.GetIKPosition(AvatarIKGoal.LeftFoot); });
        }

        [Test]
        public void AnObjectWithoutTransformsBelowIsNoRig()
        {
            GameObject empty = new GameObject("Empty");
            SinewAnimator animator = empty.AddComponent<SinewAnimator>();
            Player.Frame(0.02f);
            Assert.IsFalse(animator.isHuman);
            Assert.IsTrue(animator.rigDescription.Contains("no Transform"), animator.rigDescription);
        }

        [Test]
        public void ARidersBonesAreNotTheHorses()
        {
            TestRig horse = new TestRig();
            TestRig rider = new TestRig();
            rider.Root.transform.SetParent(horse["Spine"], false);
            rider.Start();
            horse.Start();
            Assert.IsTrue(horse.Animator.rigDescription.Contains("26 joints"), horse.Animator.rigDescription);
            AssertReaches(horse);
            Assert.IsTrue(rider.Animator.GetBoneTransform(HumanBodyBones.Hips) == rider["Hips"]);
        }

        [Test]
        public void DisablingForgetsGoalsAndLeavesThePose()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TransformData[] solved = rig.Snapshot();
            rig.Animator.enabled = false;
            Assert.AreEqual(1, SinewRuntime.RunningCount, "the native objects wait for the next enabling");
            Player.Frame(0.02f);
            rig.AssertPose(solved, "disabled");

            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Assert.AreEqual(0f, rig.Animator.GetIKPositionWeight(AvatarIKGoal.RightHand));
            Assert.AreEqual(1, Debug.Lines.Count, "warnings while disabled");
            Assert.IsTrue(Debug.Lines[0].Contains("not running"), Debug.Lines[0]);
            Debug.Lines.Clear();

            rig.Animator.enabled = true;
            Assert.AreEqual(0f, rig.Animator.GetIKPositionWeight(AvatarIKGoal.RightHand));
            Player.Frame(0.02f);
            Assert.Greater(Vector3.Distance(goal, rig["RightHand"].position), 0.1, "the animated arm hangs down again");
        }

        [Test]
        public void TheRestPoseOfTheFirstEnablingIsKept()
        {
            TestRig rig = new TestRig().Start();
            Player.Frame(0.02f);
            float height = rig.Animator.humanScale;
            rig.Animator.enabled = false;
            rig["Hips"].localRotation = Quaternion.Euler(60f, 0f, 0f);
            rig["LeftUpperLeg"].localRotation = Quaternion.Euler(-100f, 0f, 0f);
            rig.PoseIdle();
            rig.Animator.enabled = true;
            Assert.AreEqual(height, rig.Animator.humanScale);
        }

        [Test]
        public void DestroyingAndReloadingLeaveNothingBehind()
        {
            TestRig first = new TestRig().Start();
            TestRig second = new TestRig().Start();
            Player.Frame(0.02f);
            Assert.AreEqual(2, SinewRuntime.RunningCount);
            // Two animators, one skeleton and one avatar that they share, one world.
            Assert.AreEqual(5, SinewLibrary.LiveObjects);
            UnityEngine.Object.DestroyImmediate(first.Root);
            Assert.AreEqual(4, SinewLibrary.LiveObjects);

            // What the Editor does before it reloads scripts.
            InstallReloadGuard();
            AssemblyReloadEvents.Raise();
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
            Assert.AreEqual(0, SinewRuntime.RunningCount);
            // Should the scripts go on after all, so does the character.
            AssertReaches(second);
        }

        [Test]
        public unsafe void NothingPointsIntoAFreedPose()
        {
            TestRig rig = new TestRig().Start();
            JointMirror mirror = rig.Animator.Mirror;
            Assert.IsTrue(mirror.StateAt(0)->Pose != null);
            rig.Animator.Release();
            for (int i = 0; i < mirror.ActiveCount; i++) Assert.IsTrue(mirror.StateAt(i)->Pose == null, "joint " + i);
            // Further joints that are needed before the next pose is bound must not be written to
            // the old one.
            mirror.NeedAll();
            Player.Frame(0.02f);
            Assert.IsTrue(ReferenceEquals(mirror, rig.Animator.Mirror), "the mirror is used again");
            Assert.IsTrue(mirror.StateAt(0)->Pose == rig.Animator.Native.Pose);
        }

        [Test]
        public void StaticsAreResetWithoutDomainReload()
        {
            TestRig rig = new TestRig().Start();
            MethodInfo reset = null;
            foreach (MethodInfo method in typeof(SinewRuntime).GetMethods(BindingFlags.Static | BindingFlags.NonPublic))
                foreach (RuntimeInitializeOnLoadMethodAttribute attribute in
                    method.GetCustomAttributes(typeof(RuntimeInitializeOnLoadMethodAttribute), false))
                    if (attribute.loadType == RuntimeInitializeLoadType.SubsystemRegistration) reset = method;
            Assert.IsNotNull(reset, "no method runs at SubsystemRegistration");
            reset.Invoke(null, null);
            Assert.AreEqual(0, SinewRuntime.RunningCount);
            AssertReaches(rig);
        }

        [Test]
        public void IsHumanIsKnownBeforeTheFirstFrame()
        {
            TestRig rig = new TestRig();
            Early early = rig.Root.AddComponent<Early>();
            rig.Start();
            Assert.IsTrue(early.WasHuman);
        }

        [Test]
        public void TheInspectorShowsBonesAndOutcomes()
        {
            TestRig rig = new TestRig().Start();
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            Type type = Assembly.GetExecutingAssembly().GetType("Sinew.Editor.SinewAnimatorEditor");
            UnityEditor.Editor inspector = (UnityEditor.Editor)Activator.CreateInstance(type, true);
            inspector.target = rig.Animator;
            EditorGUILayout.Shown.Clear();
            inspector.OnInspectorGUI();
            string shown = string.Join("\n", EditorGUILayout.Shown.ToArray());
            Assert.IsTrue(shown.Contains("Humanoid: 26 bones"), shown);
            Assert.IsTrue(shown.Contains("RightHand: Reached, off by 0.0 mm"), shown);
            Assert.IsTrue(shown.Contains("LeftHand: not used"), shown);
            Assert.IsFalse(shown.Contains("RightLowerLeg: 2"), shown);
            Assert.IsFalse(shown.Contains("switching"), shown);
            Assert.IsTrue(inspector.RequiresConstantRepaint());

            rig.Animator.leftFootInertializationTime = 1f;
            rig.Animator.MatchTarget(Vector3.one, Quaternion.identity, AvatarTarget.Root, new MatchTargetWeightMask(Vector3.one, 1f), 0.5f);
            Player.Frame(0.02f);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.LeftFoot, 1f);
            rig["RightLowerLeg"].localRotation = Quaternion.Euler(-25f, 0f, 0f); // a knee bent forward
            Player.Frame(0.02f);
            EditorGUILayout.Shown.Clear();
            inspector.OnInspectorGUI();
            shown = string.Join("\n", EditorGUILayout.Shown.ToArray());
            Assert.IsTrue(shown.Contains("LeftFoot: Reached") && shown.Contains(", switching"), shown);
            Assert.IsTrue(shown.Contains("RightLowerLeg: 2"), shown);
            Assert.IsTrue(shown.Contains("Target: matching, at 0.00"), shown);
        }

        [Test]
        public void GizmosAreDrawnAndDisturbNothing()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            Vector3 animated = rig["RightHand"].position;
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            MethodInfo draw = typeof(SinewAnimator).GetMethod("OnDrawGizmosSelected", BindingFlags.Instance | BindingFlags.NonPublic);
            Player.Frame(0.02f);
            TransformData[] solved = rig.Snapshot();
            int before = Gizmos.Drawn;
            draw.Invoke(rig.Animator, null);
            Assert.Greater(Gizmos.Drawn, before + 20);
            // Hints are not set, so the getter answers from the animation; then the gizmos again.
            TestRig.AssertNear(rig["LeftLowerLeg"].position, rig.Animator.GetIKHintPosition(AvatarIKHint.LeftKnee), 1e-4f, "knee");
            draw.Invoke(rig.Animator, null);
            rig.AssertPose(solved, "after drawing");
            rig.Animator.drawGizmos = false;
            before = Gizmos.Drawn;
            draw.Invoke(rig.Animator, null);
            Assert.AreEqual(before, Gizmos.Drawn);
            Player.Frame(0.02f);
            rig.AssertPose(solved, "a frame later");
            Assert.Greater(Vector3.Distance(animated, rig["RightHand"].position), 0.1);
        }

        private static void InstallReloadGuard()
        {
            Type guard = Assembly.GetExecutingAssembly().GetType("Sinew.Editor.ReloadGuard");
            guard.GetMethod("Install", BindingFlags.Static | BindingFlags.NonPublic).Invoke(null, null);
        }

        private static void AssertReaches(TestRig rig)
        {
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "hand");
        }

        private sealed class Early : MonoBehaviour
        {
            internal bool WasHuman;

            private void OnEnable()
            {
                WasHuman = GetComponent<SinewAnimator>().isHuman;
            }
        }

        [Test]
        public void AReloadInPlayModeLeavesNothingNativeOfAnyComponent()
        {
            InstallReloadGuard();
            TestRig rig = new TestRig();
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            SinewTrackedBody tracked = rig.Root.AddComponent<SinewTrackedBody>();
            Transform head = new GameObject("Tracker").transform;
            head.position = rig["Head"].position;
            tracked.trackers.Clear();
            tracked.trackers.Add(new SinewTracker(SinewTrackerRole.Head, head));
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], pin = true });
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            goals.leftHand.target = head;
            rig.Start();
            rig.Animator.goalLifetime = GoalLifetime.UntilChanged;
            Physics.Lay(new GameObject("Floor").AddComponent<Collider>(), delegate { return 0f; });
            Player.Frame(0.02f);
            Assert.IsTrue(tracked.Calibrate(), "calibration");
            for (int i = 0; i < 10; i++) Player.Frame(0.02f);
            int alive = SinewLibrary.LiveObjects;
            Assert.Greater(grounder.presence, 0.99f, "presence");
            // The event may come before Unity disables the components, or after it.
            foreach (bool isFirst in new[] { true, false })
            {
                if (isFirst) AssemblyReloadEvents.Raise();
                rig.Root.SetActive(false);
                if (!isFirst) AssemblyReloadEvents.Raise();
                Assert.AreEqual(0, SinewLibrary.LiveObjects, "native objects at a reload, event first: " + isFirst);
                rig.Root.SetActive(true);
                for (int i = 0; i < 10; i++) Player.Frame(0.02f);
                Assert.AreEqual(alive, SinewLibrary.LiveObjects, "native objects after a reload, event first: " + isFirst);
                Assert.Greater(grounder.presence, 0.99f, "presence after a reload");
                Assert.IsTrue(tracked.isCalibrated && tracked.trackers[0].presence > 0.99f, "tracked body after a reload");
            }
        }

        [Test]
        public void WhatTheAvatarIsMadeWithCountsFromTheNextEnablingOn()
        {
            TestRig rig = new TestRig().Start();
            SinewAnimator animator = rig.Animator;
            // 1.2 arm lengths away, along the arm of the T-pose.
            Vector3 far = new Vector3(0.184f + 1.2f * TestRig.ArmLength, 1.421f, -0.018f);
            Func<float> reach = delegate
            {
                animator.SetIKPosition(AvatarIKGoal.RightHand, far);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                Player.Frame(0.02f);
                return Vector3.Distance(far, rig["RightHand"].position);
            };
            Assert.AreEqual(0.15 * TestRig.ArmLength, reach(), 2e-3, "arms 0.05 longer");
            animator.armStretch = 0.3f;
            Assert.AreEqual(0.15 * TestRig.ArmLength, reach(), 2e-3, "before the enabling");
            animator.enabled = false;
            animator.enabled = true;
            Assert.Less(reach(), 1e-3f, "arms 0.3 longer");
            NativeAnimator native = animator.nativeAnimator;
            rig.Root.SetActive(false);
            rig.Root.SetActive(true);
            Assert.IsTrue(ReferenceEquals(native, animator.nativeAnimator), "nothing has changed");
            Action[] changes =
            {
                delegate { animator.legStretch = 0.2f; }, delegate { animator.lowerLegTwist = 0.1f; },
                delegate { animator.feetSpacing = 0.1f; }, delegate { animator.muscleRanges = true; },
                delegate { animator.humanRanges = new[] { HumanRangeEntry.People(HumanBodyBones.Head) }; },
                delegate { animator.humanRanges[0].bendMax = 5f; }, delegate { animator.humanBones = rig.Table(); },
                delegate { animator.humanBones[14].transform = null; }, delegate { animator.upHint = Vector3.up; },
            };
            for (int i = 0; i < changes.Length; i++)
            {
                changes[i]();
                rig.Root.SetActive(false);
                rig.Root.SetActive(true);
                Assert.IsTrue(!ReferenceEquals(native, animator.nativeAnimator), "change " + i);
                native = animator.nativeAnimator;
            }
            Assert.IsTrue(animator.GetBoneTransform(HumanBodyBones.LeftEye) == null, "a line of the table that is empty");
            Assert.Less(reach(), 1e-3f, "at the end");
        }

        [Test]
        public void ACharacterWithoutModelWaitsForTheNextOne()
        {
            TestRig rig = new TestRig().Start();
            Script script = rig.Root.AddComponent<Script>();
            AssertReaches(rig);
            UnityEngine.Object.DestroyImmediate(rig["Hips"].gameObject);
            for (int i = 0; i < 3; i++) Player.Frame(0.02f);
            Assert.IsTrue(!rig.Animator.isHuman, "a humanoid without bones");
            Assert.Throws<InvalidOperationException>(delegate { rig.Animator.GetBoneTransform(HumanBodyBones.Head); });
            Assert.IsTrue(rig.Animator.rigDescription.Contains("no Transform below"), rig.Animator.rigDescription);
            Assert.IsTrue(rig.Animator.nativeAnimator == null, "a native animator without bones");
            int calls = script.Calls;
            // An object that is no model, such as a camera, and then a model.
            new GameObject("Camera").transform.SetParent(rig.Root.transform, false);
            Player.Frame(0.02f);
            Assert.IsTrue(!rig.Animator.isHuman, "a camera is a humanoid");
            TestRig other = new TestRig();
            other["Hips"].SetParent(rig.Root.transform, false);
            Player.Frame(0.02f);
            Player.Frame(0.02f);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, other["RightHand"].position, 1e-3f, "the hand of the other model");
            Assert.Greater(script.Calls, calls, "callbacks");
            Assert.IsTrue(rig.Animator.isHuman, rig.Animator.rigDescription);
        }

        // Depth first, the joints are in the same order before and after.
        [Test]
        public void JointsThatGoBelowAnotherOneAreReadFromThere()
        {
            TestRig rig = new TestRig();
            Transform pivot = new GameObject("Pivot").transform;
            rig["Hips"].SetParent(null, false);
            pivot.SetParent(rig.Root.transform, false);
            rig["Hips"].SetParent(rig.Root.transform, false);
            rig.Start();
            Player.Animation = rig.PoseIdle;
            Player.Frame(0.02f);
            rig["Hips"].SetParent(pivot, true);
            rig.Animator.RebuildRig();
            Player.Animation = delegate
            {
                rig.PoseIdle();
                pivot.localPosition = new Vector3(0.2f, 0f, 0f);
            };
            Vector3 goal = new Vector3(0.5f, 1.2f, 0.3f);
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            Player.Frame(0.02f);
            TestRig.AssertNear(goal, rig["RightHand"].position, 1e-3f, "the hand");
        }
    }
}
