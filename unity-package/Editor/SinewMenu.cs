using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

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
        /// Adds a SinewAnimator beside every Animator in the selection, and fills references of
        /// ported scripts on these objects that are empty because their type changed.
        /// </summary>
        [MenuItem(Root + "Add Sinew Animator Beside Animators", false, 20)]
        internal static void AddBesideAnimators()
        {
            List<string> done = new List<string>();
            foreach (GameObject selected in Selection.gameObjects)
                foreach (Animator unity in selected.GetComponentsInChildren<Animator>(true)) done.Add(Add(unity));
            EditorUtility.DisplayDialog(
                "Sinew", done.Count == 0 ? "There is no Animator in the selection." : string.Join("\n", done.ToArray()), "OK");
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
            Transform pole = NewTarget(limb.name + " Pole", Holder(limb.transform), bend);
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
                spline.points[i] = NewTarget(on.name + " Point " + i, Holder(on.transform), chain[(chain.Count - 1) * i / 3]);
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
            GameObject made = new GameObject("Sinew World");
            Undo.RegisterCreatedObjectUndo(made, "Create Sinew World");
            made.AddComponent<SinewWorld>();
            Selection.activeObject = made;
        }

        /// <summary>A new object for a goal, where a bone is, with undo.</summary>
        internal static Transform NewTarget(string name, Transform parent, Transform at)
        {
            GameObject made = new GameObject(name);
            Undo.RegisterCreatedObjectUndo(made, "Create " + name);
            made.transform.SetParent(parent, false);
            if (at != null)
            {
                made.transform.position = at.position;
                made.transform.rotation = at.rotation;
            }
            return made.transform;
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
            made.target = NewTarget(on.name + " Target", Holder(on.transform), on.transform);
            return made;
        }

        // Targets must not be joints: they go beside the character.
        private static Transform Holder(Transform joint)
        {
            SinewAnimator above = SinewAnimator.Above(joint);
            return above == null ? null : above.transform.parent;
        }

        private static string Add(Animator unity)
        {
            SinewAnimator sinew;
            bool isNew = !unity.TryGetComponent(out sinew);
            if (isNew) sinew = Undo.AddComponent<SinewAnimator>(unity.gameObject);
            int filled = 0;
            foreach (MonoBehaviour script in unity.gameObject.GetComponentsInChildren<MonoBehaviour>(true))
            {
                if (script == null || ReferenceEquals(script, sinew)) continue;
                SerializedObject serialized = new SerializedObject(script);
                SerializedProperty property = serialized.GetIterator();
                while (property.NextVisible(true))
                {
                    if (property.propertyType != SerializedPropertyType.ObjectReference) continue;
                    if (property.type != "PPtr<$SinewAnimator>" || property.objectReferenceValue != null) continue;
                    property.objectReferenceValue = sinew;
                    filled++;
                }
                serialized.ApplyModifiedProperties();
            }
            return unity.name + ": " + (isNew ? "added" : "was there") + ", " + filled + " references filled";
        }
    }
}
