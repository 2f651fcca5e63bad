using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Set-up by hand: goals without code, Inspectors for several objects, undo and prefab
    /// overrides, menu items.</summary>
    public sealed class EditorTests
    {
        /// <summary>A ported script whose reference was lost with the change of its type.</summary>
        private sealed class Ported : MonoBehaviour
        {
#pragma warning disable 649
            [SerializeField] private SinewAnimator animator;
#pragma warning restore 649

            internal SinewAnimator Animator
            {
                get { return animator; }
            }
        }

        private static UnityEditor.Editor Inspector(string name, params UnityEngine.Object[] of)
        {
            Type type = Assembly.GetExecutingAssembly().GetType("Sinew.Editor." + name);
            UnityEditor.Editor made = (UnityEditor.Editor)Activator.CreateInstance(type, true);
            made.targets = of;
            return made;
        }

        private static void Press(UnityEditor.Editor inspector, string button)
        {
            GUILayout.Pressed = button;
            inspector.OnInspectorGUI();
            GUILayout.Pressed = "";
        }

        [TearDown]
        public void NothingIsPressed()
        {
            GUILayout.Pressed = "";
            Handles.Drag = Vector3.zero;
            PrefabUtility.Recorded.Clear();
            Undo.PerformUndo();
        }

        [Test]
        public void GoalsWithoutCode()
        {
            foreach (GoalRotation space in new[] { GoalRotation.GoalFrame, GoalRotation.Bone })
            {
                TestRig rig = new TestRig().Start();
                Player.Animation = rig.PoseIdle;
                SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
                goals.rotationSpace = space;
                Transform hand = new GameObject("Hand").transform, elbow = new GameObject("Elbow").transform;
                Transform look = new GameObject("Look").transform, body = new GameObject("Body").transform;
                hand.position = new Vector3(0.3f, 1.1f, 0.3f);
                hand.rotation = Quaternion.Euler(0f, 20f, 0f);
                elbow.position = new Vector3(1f, 0.8f, 0f);
                look.position = new Vector3(1f, 1.6f, 1.5f);
                goals.rightHand.target = hand;
                goals.rightHand.rotationWeight = 1f;
                goals.rightHand.hint = elbow;
                goals.lookAt = look;
                Player.Frame(0.02f);
                TestRig.AssertNear(hand.position, rig["RightHand"].position, 1e-3f, "hand");
                if (space == GoalRotation.Bone) TestRig.AssertNear(hand.rotation, rig["RightHand"].rotation, 0.1f, "bone rotation");
                Assert.Greater(rig["RightLowerArm"].position.x, 0.35, "elbow outwards");
                Assert.Greater(rig["Head"].forward.x, 0.3, "gaze");
                body.position = rig.Animator.bodyPosition + new Vector3(0f, -0.08f, 0f);
                goals.body = body;
                Player.Frame(0.02f);
                Assert.AreEqual(0.954 - 0.08, rig["Hips"].position.y, 0.02, "body");
                goals.weight = 0f;
                Player.Frame(0.02f);
                Assert.Greater(Vector3.Distance(hand.position, rig["RightHand"].position), 0.1, "weight 0");
                goals.weight = 1f;
                goals.enabled = false;
                Player.Frame(0.02f);
                Assert.Greater(Vector3.Distance(hand.position, rig["RightHand"].position), 0.1, "disabled");
                Player.Clear();
            }
        }

        [Test]
        public void TheTableIsFilledForAllSelectedAndSurvivesOnPrefabs()
        {
            Application.isPlaying = false;
            TestRig[] rigs = { new TestRig("*"), new TestRig("*") };
            foreach (TestRig rig in rigs)
            {
                rig.AddUnityAnimator(false);
                rig.Start();
            }
            UnityEditor.Editor inspector = Inspector("SinewAnimatorEditor", rigs[0].Animator, rigs[1].Animator);
            Press(inspector, "Fill Table From Animator");
            foreach (TestRig rig in rigs)
            {
                Assert.AreEqual(26, rig.Animator.humanBones.Length);
                Assert.IsTrue(PrefabUtility.Recorded.Contains(rig.Animator), "recorded as an override");
            }
            Undo.PerformUndo();
            Assert.AreEqual(0, rigs[0].Animator.humanBones.Length);
        }

        [Test]
        public void ABodyOnAHumanoidKeepsItsHipsAboveItsFeet()
        {
            Application.isPlaying = false;
            TestRig rig = new TestRig();
            Assert.AreEqual(0f, rig.Root.AddComponent<SinewBody>().details.rootPosture, "without avatar");
            rig.AddUnityAnimator(false);
            Assert.AreEqual(30f, rig.Root.AddComponent<SinewBody>().details.rootPosture, "humanoid");
        }

        [Test]
        public void TheMappingIsSaidBeforePlay()
        {
            Application.isPlaying = false;
            TestRig rig = new TestRig("Bip_").Start();
            EditorGUILayout.Shown.Clear();
            Inspector("SinewAnimatorEditor", rig.Animator).OnInspectorGUI();
            Assert.IsTrue(EditorGUILayout.Shown[0].Contains("26 bones from names and shape"), EditorGUILayout.Shown[0]);
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
        }

        [Test]
        public void TargetsAreMadeDraggedAndUndone()
        {
            Application.isPlaying = false;
            TestRig rig = new TestRig();
            rig.AddUnityAnimator(false);
            rig.Start();
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            UnityEditor.Editor inspector = Inspector("SinewGoalsEditor", goals);
            Press(inspector, "Create Missing Limb Targets");
            Transform made = goals.leftHand.target;
            TestRig.AssertNear(rig["LeftHand"].position, made.position, 1e-5f, "a target begins at its bone");
            Handles.Drag = new Vector3(0f, 0.1f, 0f);
            inspector.GetType().GetMethod("OnSceneGUI", BindingFlags.Instance | BindingFlags.NonPublic).Invoke(inspector, null);
            TestRig.AssertNear(rig["LeftHand"].position + Handles.Drag, made.position, 1e-5f, "dragged");
            Assert.IsTrue(PrefabUtility.Recorded.Contains(made) && PrefabUtility.Recorded.Contains(goals));
            Undo.PerformUndo();
            Assert.IsTrue(goals.leftHand.target == null && made == null, "undone");
        }

        [Test]
        public void TheMenuAddsAndFillsLostReferences()
        {
            Application.isPlaying = false;
            TestRig rig = new TestRig();
            rig.AddUnityAnimator(false);
            Ported script = rig.Root.AddComponent<Ported>();
            Selection.gameObjects = new[] { rig.Root };
            Menu.Choose(typeof(Sinew.Editor.SinewMenu), "AddBesideAnimators");
            SinewAnimator added = rig.Root.GetComponent<SinewAnimator>();
            Assert.IsTrue(added != null);
            Assert.IsTrue(ReferenceEquals(added, script.Animator), "the reference is filled");
            Undo.PerformUndo();
            Assert.IsTrue(rig.Root.GetComponent<SinewAnimator>() == null, "undone");
        }

        private sealed class Director : MonoBehaviour
        {
            public SinewAnimator lead = null;
            public SinewAnimator[] cast = new SinewAnimator[3];
        }

        [Test]
        public void TheMenuFollowsReferencesToTheAnimatorsTheyLedTo()
        {
            Application.isPlaying = false;
            TestRig rig = new TestRig(), other = new TestRig(), third = new TestRig();
            Animator first = rig.AddUnityAnimator(false), second = other.AddUnityAnimator(false);
            Animator unselected = third.AddUnityAnimator(false);
            Director director = new GameObject("Director").AddComponent<Director>();
            Director asset = new GameObject("Prefab").AddComponent<Director>();
            EditorUtility.Persistent.Add(asset);
            foreach (Director one in new[] { director, asset })
            {
                SerializedProperty.Mismatched[SerializedProperty.Key(one, "lead")] = first;
                SerializedProperty.Mismatched[SerializedProperty.Key(one, "cast[0]")] = second;
                SerializedProperty.Mismatched[SerializedProperty.Key(one, "cast[1]")] = unselected;
            }
            director.gameObject.SetActive(false);
            Selection.gameObjects = new[] { rig.Root, other.Root };
            Menu.Choose(typeof(Sinew.Editor.SinewMenu), "AddBesideAnimators");
            Assert.IsTrue(ReferenceEquals(rig.Root.GetComponent<SinewAnimator>(), director.lead), "the character it led to");
            Assert.IsTrue(ReferenceEquals(other.Root.GetComponent<SinewAnimator>(), director.cast[0]), "in an array");
            Assert.IsTrue(director.cast[1] == null && third.Root.GetComponent<SinewAnimator>() == null, "not selected");
            Assert.IsTrue(director.cast[2] == null, "empty, and of no character");
            Assert.IsTrue(asset.lead == null, "assets are left alone");
            Undo.PerformUndo();
            SerializedProperty.Mismatched.Clear();
            EditorUtility.Persistent.Clear();
            Selection.gameObjects = new GameObject[0];
        }

        [Test]
        public void ItemsThatAreForTheWholeSelectionRunOnce()
        {
            Application.isPlaying = false;
            TestRig[] rigs = { new TestRig(), new TestRig(), new TestRig() };
            foreach (TestRig rig in rigs) rig.AddUnityAnimator(false);
            Selection.gameObjects = new[] { rigs[0].Root, rigs[1].Root, rigs[2].Root };
            EditorUtility.Dialogs.Clear();
            Menu.Choose(typeof(Sinew.Editor.SinewMenu), "AddBesideAnimators");
            Assert.AreEqual(1, EditorUtility.Dialogs.Count, string.Join(" | ", EditorUtility.Dialogs.ToArray()));
            foreach (TestRig rig in rigs) Assert.IsTrue(rig.Root.GetComponent<SinewAnimator>() != null);
            Menu.Choose(typeof(Sinew.Editor.SinewMenu), "AddWorld");
            Assert.AreEqual(1, UnityEngine.Resources.FindObjectsOfTypeAll<SinewWorld>().Length, "worlds");
            Sinew.Editor.SinewMenu.AddWorld(new MenuCommand(null));
            Assert.AreEqual(2, UnityEngine.Resources.FindObjectsOfTypeAll<SinewWorld>().Length, "worlds, one of the menu bar");
            Undo.PerformUndo();
            Selection.gameObjects = new GameObject[0];
        }

        [Test]
        public void ConstraintsShowTheirOutcome()
        {
            TestRig rig = new TestRig().Start();
            SinewTwoBone limb = rig["RightHand"].gameObject.AddComponent<SinewTwoBone>();
            limb.target = new GameObject("Target").transform;
            limb.target.position = new Vector3(0.5f, 1.2f, 0.2f);
            Player.Frame(0.02f);
            EditorGUILayout.Shown.Clear();
            Inspector("ConstraintEditor", limb).OnInspectorGUI();
            Assert.IsTrue(EditorGUILayout.Shown[0].Contains("Reached"), EditorGUILayout.Shown[0]);
        }

        private static void Draw(string inspector, MonoBehaviour of)
        {
            UnityEditor.Editor made = Inspector(inspector, of);
            made.OnInspectorGUI();
            const BindingFlags own = BindingFlags.Instance | BindingFlags.NonPublic;
            made.GetType().GetMethod("OnSceneGUI", own).Invoke(made, null);
            MethodInfo gizmos = of.GetType().GetMethod("OnDrawGizmosSelected", own);
            if (gizmos != null) gizmos.Invoke(of, null);
        }

        [Test]
        public void ListsThatScriptsLeaveNullAreDrawnAsEmptyOnes()
        {
            foreach (bool isPlaying in new[] { false, true })
            {
                Application.isPlaying = isPlaying;
                TestRig rig = new TestRig();
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                SinewTrackedBody tracked = rig.Root.AddComponent<SinewTrackedBody>();
                SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
                SinewBodyTies ties = rig.Root.AddComponent<SinewBodyTies>();
                SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
                SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
                SinewSpline spline = rig["Head"].gameObject.AddComponent<SinewSpline>();
                SinewJointLimits limits = rig["Head"].gameObject.AddComponent<SinewJointLimits>();
                SinewWorld world = rig.Root.AddComponent<SinewWorld>();
                rig.Start();
                foreach (bool isNull in new[] { true, false })
                {
                    body.effectors = isNull ? null : new List<SinewBodyEffector> { null };
                    tracked.trackers = isNull ? null : new List<SinewTracker> { null };
                    goals.effectors = isNull ? null : new List<BodyEffectorGoal> { null };
                    ties.ties = isNull ? null : new List<SinewEffectorTie> { null };
                    grounder.legs = isNull ? null : new List<SinewGroundLeg> { null };
                    chain.branches = isNull ? null : new ChainBranch[1];
                    spline.points = isNull ? null : new Transform[2];
                    limits.corners = isNull ? null : new Vector3[0];
                    world.bands = isNull ? null : new DetailBand[1];
                    Draw("SinewBodyEditor", body);
                    Draw("SinewTrackedBodyEditor", tracked);
                    Draw("SinewGoalsEditor", goals);
                    Draw("SinewBodyTiesEditor", ties);
                    Draw("SinewGrounderEditor", grounder);
                    Draw("ConstraintEditor", chain);
                    Draw("ConstraintEditor", spline);
                    Draw("JointLimitsEditor", limits);
                    Inspector("SinewWorldEditor", world).OnInspectorGUI();
                    Press(Inspector("SinewBodyEditor", body), "Create Missing Targets");
                }
                UnityEngine.Object.DestroyImmediate(rig.Root);
                Application.isPlaying = true;
                Debug.Lines.Clear();
            }
        }
    }
}
