using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;
using Object = UnityEngine.Object;

namespace Sinew.Editor
{
    /// <summary>
    /// Menu items: SinewAnimators for the Animators in the selection, characters and constraints
    /// with their targets made for what is selected, and the legend of colours.
    /// </summary>
    internal static class SinewMenu
    {
        private const string Root = "GameObject/Sinew/";
        private const string LegendItem = "Window/Sinew IK/Show Colour Legend";

        /// <summary>Whether the Scene view shows what each colour means.</summary>
        internal static bool IsLegendShown
        {
            get { return EditorPrefs.GetBool("Sinew.Legend", true); }
        }

        [MenuItem(LegendItem)]
        internal static void ToggleLegend()
        {
            EditorPrefs.SetBool("Sinew.Legend", !IsLegendShown);
            SceneView.RepaintAll();
        }

        [MenuItem(LegendItem, true, 1000)]
        internal static bool CheckLegend()
        {
            Menu.SetChecked(LegendItem, IsLegendShown);
            return true;
        }

        /// <summary>
        /// Adds a SinewAnimator beside every Animator in the selection. References of ported
        /// scripts, wherever they are in the open scenes, that still lead to one of these Animators
        /// go to the component beside it, and so do those to Animators of prefabs that have one;
        /// empty ones on these objects and below them are filled. Prefabs: <see
        /// cref="SinewPrefabs"/>.
        /// </summary>
        [MenuItem(Root + "Add Sinew Animator Beside Animators", false, 20)]
        internal static void AddBesideAnimators(MenuCommand command)
        {
            if (!IsFirst(command)) return;
            Dictionary<GameObject, SinewAnimator> beside = new Dictionary<GameObject, SinewAnimator>();
            List<string> done = new List<string>();
            foreach (GameObject selected in Selection.gameObjects)
            {
                foreach (Animator unity in selected.GetComponentsInChildren<Animator>(true))
                {
                    SinewAnimator sinew;
                    bool isNew = !unity.TryGetComponent(out sinew);
                    beside[unity.gameObject] = isNew ? Undo.AddComponent<SinewAnimator>(unity.gameObject) : sinew;
                    done.Add(unity.name + (isNew ? ": added" : ": was there"));
                }
            }
            int filled = 0;
            Func<GameObject, SinewAnimator> known = delegate (GameObject on)
            {
                SinewAnimator found;
                return EditorUtility.IsPersistent(on) ? SinewPrefabs.Beside(on) : beside.TryGetValue(on, out found) ? found : null;
            };
            if (done.Count > 0)
                foreach (MonoBehaviour script in Resources.FindObjectsOfTypeAll<MonoBehaviour>())
                    if (script != null && !EditorUtility.IsPersistent(script)) filled += Fill(script, known, true);
            done.Add(filled + " references filled");
            EditorUtility.DisplayDialog(
                "Sinew", beside.Count == 0 ? "There is no Animator in the selection." : string.Join("\n", done.ToArray()), "OK");
        }

        /// <summary>A SinewAnimator and goals with targets at hands and feet.</summary>
        [MenuItem(Root + "Humanoid With Goals", false, 21)]
        internal static void AddGoals(MenuCommand command)
        {
            GameObject on = On(command);
            if (on == null) return;
            Ensure<SinewAnimator>(on);
            SinewGoals goals = Ensure<SinewGoals>(on);
            Undo.RecordObject(goals, "Create Sinew Goals");
            SinewGoalsEditor.CreateTargets(goals);
            PrefabUtility.RecordPrefabInstancePropertyModifications(goals);
        }

        /// <summary>A chain that ends at the selected joint, with a target.</summary>
        [MenuItem(Root + "Chain With Target", false, 40)]
        internal static void AddChain(MenuCommand command)
        {
            WithTarget<SinewChain>(command);
        }

        /// <summary>A limb of two bones that ends at the selected joint, with a target and a
        /// pole.</summary>
        [MenuItem(Root + "Two Bone With Target And Pole", false, 41)]
        internal static void AddTwoBone(MenuCommand command)
        {
            SinewTwoBone limb = WithTarget<SinewTwoBone>(command);
            if (limb == null || limb.transform.parent == null || limb.transform.parent.parent == null) return;
            Transform bend = limb.transform.parent, first = bend.parent;
            Vector3 middle = (limb.transform.position + first.position) * 0.5f;
            Vector3 side = bend.position - middle;
            Transform pole = NewTarget(limb.name + " Pole", limb.gameObject, Holder(limb.transform), bend);
            float reach = Vector3.Distance(first.position, limb.transform.position);
            pole.position = bend.position + (side.magnitude > reach * 0.01f ? side.normalized : first.forward) * reach;
            limb.pole = pole;
        }

        /// <summary>An aim of the selected joint, with a target in front of it.</summary>
        [MenuItem(Root + "Aim With Target", false, 42)]
        internal static void AddAim(MenuCommand command)
        {
            SinewAim aim = WithTarget<SinewAim>(command);
            if (aim != null) aim.target.position = aim.transform.position + aim.transform.TransformDirection(aim.axis);
        }

        /// <summary>A spline along the joints up to the selected one, with four points.</summary>
        [MenuItem(Root + "Spline With Points", false, 43)]
        internal static void AddSpline(MenuCommand command)
        {
            GameObject on = On(command);
            if (on == null) return;
            NeedAnimator(on);
            SinewSpline spline = Undo.AddComponent<SinewSpline>(on);
            List<Transform> chain = new List<Transform>();
            Transform stop = spline.Stop();
            for (Transform t = on.transform; t != null && !ReferenceEquals(t, stop); t = t.parent) chain.Insert(0, t);
            spline.jointCount = chain.Count;
            spline.points = new Transform[4];
            for (int i = 0; i < 4; i++)
                spline.points[i] = NewTarget(on.name + " Point " + i, on, Holder(on.transform), chain[(chain.Count - 1) * i / 3]);
        }

        /// <summary>A copied rotation; its source is chosen in the Inspector.</summary>
        [MenuItem(Root + "Copy Rotation", false, 44)]
        internal static void AddCopyRotation(MenuCommand command)
        {
            GameObject on = On(command);
            if (on == null) return;
            NeedAnimator(on);
            Undo.AddComponent<SinewCopyRotation>(on);
        }

        /// <summary>Joint limits on every selected joint.</summary>
        [MenuItem(Root + "Joint Limits", false, 60)]
        internal static void AddLimits(MenuCommand command)
        {
            GameObject on = On(command);
            if (on == null) return;
            NeedAnimator(on);
            Ensure<SinewJointLimits>(on);
        }

        /// <summary>An object with the settings for all characters.</summary>
        [MenuItem(Root + "World", false, 80)]
        internal static void AddWorld(MenuCommand command)
        {
            if (!IsFirst(command)) return;
            GameObject made = NewObject("Sinew World", null, null);
            made.AddComponent<SinewWorld>();
            Selection.activeObject = made;
        }

        // The Editor runs an item of the hierarchy's context menu once for each selected object.
        // Those that are for the whole selection, or for none, run at the first one.
        private static bool IsFirst(MenuCommand command)
        {
            GameObject clicked = command == null ? null : command.context as GameObject;
            return clicked == null || System.Array.IndexOf(Selection.gameObjects, clicked) <= 0;
        }

        /// <summary>A new object with undo, saved with what it is for: in the same scene, and in
        /// Prefab Mode in the prefab.</summary>
        /// <param name="of">What it is for. None: the scene or prefab that is being edited.</param>
        /// <param name="parent">None: at the top of the scene, or below the prefab's root.</param>
        internal static GameObject NewObject(string name, GameObject of, Transform parent)
        {
            GameObject made = new GameObject(name);
            PrefabStage stage = of == null ? null : PrefabStageUtility.GetPrefabStage(of);
            if (parent != null) made.transform.SetParent(parent, false);
            else if (of == null) StageUtility.PlaceGameObjectInCurrentStage(made);
            else if (stage != null) made.transform.SetParent(stage.prefabContentsRoot.transform, false);
            else if (of.scene.IsValid()) SceneManager.MoveGameObjectToScene(made, of.scene); // no asset
            Undo.RegisterCreatedObjectUndo(made, "Create " + name);
            return made;
        }

        /// <summary>A new object for a goal, where a bone is, with undo.</summary>
        internal static Transform NewTarget(string name, GameObject of, Transform parent, Transform at)
        {
            Transform made = NewObject(name, of, parent).transform;
            if (at == null) return made;
            made.position = at.position;
            made.rotation = at.rotation;
            return made;
        }

        /// <summary>A component of a kind, added with undo when it is not there.</summary>
        internal static T Ensure<T>(GameObject on) where T : Component, new()
        {
            T there;
            return on.TryGetComponent(out there) ? there : Undo.AddComponent<T>(on);
        }

        /// <summary>The object a menu item is for: the one that was clicked, or the selected
        /// one.</summary>
        internal static GameObject On(MenuCommand command)
        {
            GameObject clicked = command == null ? null : command.context as GameObject;
            return clicked != null ? clicked : Selection.activeGameObject;
        }

        /// <summary>Constraints need a SinewAnimator above: without one the root of the hierarchy
        /// gets it.</summary>
        internal static void NeedAnimator(GameObject joint)
        {
            if (SinewAnimator.Above(joint.transform) == null) Undo.AddComponent<SinewAnimator>(joint.transform.root.gameObject);
        }

        private static T WithTarget<T>(MenuCommand command) where T : TargetConstraint, new()
        {
            GameObject on = On(command);
            if (on == null) return null;
            NeedAnimator(on);
            T made = Undo.AddComponent<T>(on);
            made.target = NewTarget(on.name + " Target", on, Holder(on.transform), on.transform);
            return made;
        }

        // Targets must not be joints: they go beside the character.
        private static Transform Holder(Transform joint)
        {
            SinewAnimator above = SinewAnimator.Above(joint);
            return above == null ? null : above.transform.parent;
        }

        /// <summary>Fills the references of a ported script: with the SinewAnimator beside the
        /// Animator that they led to, empty ones with that of the nearest object above.</summary>
        /// <param name="beside">The SinewAnimator that an object's references go to, or
        /// null.</param> <returns>How many were filled.</returns>
        internal static int Fill(MonoBehaviour script, Func<GameObject, SinewAnimator> beside, bool hasUndo)
        {
            int filled = 0;
            SerializedObject serialized = new SerializedObject(script);
            foreach (SerializedProperty property in OpenReferences(serialized))
            {
                Animator lost = property.objectReferenceValue as Animator;
                SinewAnimator found = lost != null ? beside(lost.gameObject) : Above(script.transform, beside);
                if (found == null) continue;
                property.objectReferenceValue = found;
                filled++;
            }
            if (hasUndo) serialized.ApplyModifiedProperties();
            else serialized.ApplyModifiedPropertiesWithoutUndo();
            return filled;
        }

        /// <summary>References whose type became SinewAnimator by the line that ports a script, and
        /// that lead to none. The Editor may still know the Animator they led to ("Type
        /// mismatch").</summary>
        internal static IEnumerable<SerializedProperty> OpenReferences(SerializedObject script)
        {
            SerializedProperty property = script.GetIterator();
            while (property.NextVisible(true))
            {
                if (property.propertyType != SerializedPropertyType.ObjectReference || property.type != "PPtr<$SinewAnimator>") continue;
                Object there = property.objectReferenceValue;
                if (there == null || there is Animator) yield return property;
            }
        }

        private static SinewAnimator Above(Transform at, Func<GameObject, SinewAnimator> beside)
        {
            SinewAnimator found = null;
            for (; at != null && found == null; at = at.parent) found = beside(at.gameObject);
            return found;
        }
    }
}
