using System.Collections.Generic;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;
using Prefabs = Sinew.Editor.SinewPrefabs;

namespace Sinew.Tests
{
    /// <summary>Ported scripts in prefabs: their Animators get a SinewAnimator, and their references
    /// are filled and saved.</summary>
    public sealed class PrefabTests
    {
        private sealed class Walker : MonoBehaviour
        {
            public SinewAnimator animator = null;
        }

        private sealed class Spawner : MonoBehaviour
        {
            public SinewAnimator[] guards = new SinewAnimator[2];
        }

        [RequireComponent(typeof(SinewAnimator))]
        private sealed class Stepper : MonoBehaviour { }

        private sealed class Unported : MonoBehaviour
        {
            public Animator animator = null;
        }

        // A character below the root of a prefab, behind a light.
        private static GameObject Character(string path, params string[] dependencies)
        {
            GameObject root = new GameObject(path);
            new GameObject("Light").transform.SetParent(root.transform, false);
            Transform model = new GameObject("Model").transform;
            model.SetParent(root.transform, false);
            model.gameObject.AddComponent<Animator>();
            AssetDatabase.Add(path, root, dependencies);
            return root;
        }

        private static GameObject Model(GameObject root)
        {
            return root.transform.Find("Model").gameObject;
        }

        private static SinewAnimator Beside(GameObject root)
        {
            return Model(root).GetComponent<SinewAnimator>();
        }

        private static void Lead(MonoBehaviour script, string field, GameObject root)
        {
            SerializedProperty.Mismatched[SerializedProperty.Key(script, field)] = Model(root).GetComponent<Animator>();
        }

        private static T Script<T>(string path, GameObject on) where T : MonoBehaviour, new()
        {
            T made = on.AddComponent<T>();
            EditorUtility.Persistent.Add(made);
            return made;
        }

        private static void Begin()
        {
            Application.isPlaying = false;
            End();
        }

        private static void End()
        {
            AssetDatabase.Clear();
            PrefabUtility.Saved.Clear();
            PrefabUtility.Locked.Clear();
            SerializedProperty.Mismatched.Clear();
            EditorUtility.Dialogs.Clear();
            EditorUtility.Agrees = true;
            Selection.assetGUIDs = new string[0];
            UnityEditor.SceneManagement.PrefabStageUtility.Open(null);
            Debug.Lines.Clear();
        }

        [Test]
        public void AllPrefabsOfPortedScriptsArePorted()
        {
            Begin();
            // The one that contains or refers to others is first in the list.
            GameObject spawning = new GameObject("Spawner");
            AssetDatabase.Add("Assets/A.prefab", spawning, "Assets/Guard.prefab", "Assets/Walker.prefab");
            Spawner spawner = Script<Spawner>("Assets/A.prefab", spawning);
            GameObject guard = Character("Assets/Guard.prefab");
            GameObject walking = Character("Assets/Walker.prefab");
            Walker led = Script<Walker>("Assets/Walker.prefab", walking); // on the root, not below the Animator
            Lead(led, "animator", walking);
            Lead(spawner, "guards[1]", guard);
            GameObject climbing = Character("Assets/Climber.prefab");
            Walker empty = Script<Walker>("Assets/Climber.prefab", Model(climbing));
            GameObject stepping = Character("Assets/Stepper.prefab");
            Script<Stepper>("Assets/Stepper.prefab", Model(stepping));
            GameObject door = Character("Assets/Door.prefab");
            Unported closing = Script<Unported>("Assets/Door.prefab", Model(door));
            closing.animator = Model(door).GetComponent<Animator>();
            Character("Packages/Other/Foreign.prefab");

            EditorUtility.Agrees = false;
            Prefabs.PortAll();
            Assert.AreEqual(0, PrefabUtility.Saved.Count, "not agreed to");
            EditorUtility.Agrees = true;
            Prefabs.PortAll();
            Assert.IsTrue(ReferenceEquals(Beside(walking), led.animator) && led.animator != null, "the Animator it led to");
            Assert.IsTrue(ReferenceEquals(Beside(climbing), empty.animator) && empty.animator != null, "an empty one");
            Assert.IsTrue(Beside(stepping) != null, "a script that requires one");
            Assert.IsTrue(ReferenceEquals(Beside(guard), spawner.guards[1]) && spawner.guards[1] != null, "of another prefab");
            Assert.IsTrue(spawner.guards[0] == null, "no Animator above");
            Assert.IsTrue(Beside(door) == null, "a script that is not ported");
            Assert.AreEqual(5, PrefabUtility.Saved.Count, string.Join(", ", PrefabUtility.Saved.ToArray()));
            Assert.Greater(PrefabUtility.Saved.IndexOf("Assets/A.prefab"), PrefabUtility.Saved.IndexOf("Assets/Guard.prefab"));
            Assert.AreEqual(0, PrefabUtility.Loaded, "copies left behind");
            Assert.AreEqual(5, Debug.Lines.Count, "lines in the Console");
            Assert.AreEqual(3, EditorUtility.Dialogs.Count, "two questions and one answer");

            PrefabUtility.Saved.Clear();
            Prefabs.PortAll();
            Assert.AreEqual(0, PrefabUtility.Saved.Count, "a second time there is nothing to do");
            End();
        }

        [Test]
        public void SelectedPrefabsGetOneBesideEachAnimator()
        {
            Begin();
            GameObject one = Character("Assets/One.prefab"), two = Character("Assets/People/Two.prefab"), three = Character("Assets/Three.prefab");
            GameObject model = Character("Assets/People/Model.fbx");
            Walker script = Script<Walker>("Assets/People/Two.prefab", two);
            Lead(script, "animator", two);
            Assert.IsFalse(Prefabs.CheckSelected());
            Selection.assetGUIDs = new[] { "guid of Assets/One.prefab", "guid of Assets/People" };
            Assert.IsTrue(Prefabs.CheckSelected());
            Prefabs.PortSelected();
            Assert.IsTrue(Beside(one) != null, "without any script");
            Assert.IsTrue(ReferenceEquals(Beside(two), script.animator) && script.animator != null, "in a folder");
            Assert.IsTrue(Beside(three) == null, "not selected");
            Assert.IsTrue(Beside(model) == null, "a model's file cannot be saved");
            End();
        }

        [Test]
        public void APrefabThatCannotBePortedIsNamedAndStopsNoOther()
        {
            Begin();
            GameObject locked = Character("Assets/Locked.prefab"), open = Character("Assets/Open.prefab"), good = Character("Assets/Good.prefab");
            PrefabUtility.Locked.Add("Assets/Locked.prefab");
            UnityEditor.SceneManagement.PrefabStageUtility.Open(new GameObject("Stage"), "Assets/Open.prefab");
            List<string> lines = Prefabs.Port(
                new List<string> { "Assets/Locked.prefab", "Assets/Open.prefab", "Assets/Good.prefab" }, true);
            Assert.AreEqual(3, lines.Count, string.Join(" | ", lines.ToArray()));
            Assert.IsTrue(lines[0].StartsWith("Assets/Locked.prefab: not ported: "), lines[0]);
            Assert.IsTrue(lines[1].Contains("Prefab Mode"), lines[1]);
            Assert.AreEqual("Assets/Good.prefab: 1 added, 0 references filled", lines[2]);
            Assert.IsTrue(Beside(good) != null && Beside(locked) == null && Beside(open) == null);
            Assert.AreEqual(0, PrefabUtility.Loaded, "copies left behind");
            End();
        }

        // Spawners in scenes refer to characters in files.
        [Test]
        public void ReferencesOfScenesToPrefabsAreFilled()
        {
            Begin();
            GameObject guard = Character("Assets/Guard.prefab");
            Prefabs.Port(new List<string> { "Assets/Guard.prefab" }, true);
            Spawner spawner = new GameObject("Spawner").AddComponent<Spawner>();
            Lead(spawner, "guards[0]", guard);
            TestRig rig = new TestRig();
            rig.AddUnityAnimator(false);
            Selection.gameObjects = new[] { rig.Root };
            Menu.Choose(typeof(Sinew.Editor.SinewMenu), "AddBesideAnimators");
            Assert.IsTrue(ReferenceEquals(Beside(guard), spawner.guards[0]) && spawner.guards[0] != null);
            Undo.PerformUndo();
            Selection.gameObjects = new GameObject[0];
            End();
        }
    }
}
