using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// Menu items that port prefabs: SinewAnimators beside their Animators, and the references of
    /// ported scripts filled. Prefabs that others contain or refer to come first, so that these
    /// find what they need there and keep no override for it. Saved at once, without undo.
    /// </summary>
    internal static class SinewPrefabs
    {
        private const string SelectedItem = "Assets/Sinew/Port Selected Prefabs";
        private const string AllItem = "Window/Sinew IK/Port All Prefabs";
        private const string Title = "Sinew";

        /// <summary>Prefabs that are selected in the Project window, and those in selected
        /// folders: each of their Animators gets a SinewAnimator.</summary>
        [MenuItem(SelectedItem, false, 1000)]
        internal static void PortSelected()
        {
            List<string> paths = new List<string>();
            foreach (string guid in Selection.assetGUIDs)
            {
                string path = AssetDatabase.GUIDToAssetPath(guid);
                if (AssetDatabase.IsValidFolder(path)) paths.AddRange(PrefabsIn(path));
                else if (IsPrefab(path)) paths.Add(path);
            }
            Say(Port(paths, true), paths.Count);
        }

        [MenuItem(SelectedItem, true, 1000)]
        internal static bool CheckSelected()
        {
            return Selection.assetGUIDs.Length > 0;
        }

        /// <summary>All prefabs in Assets: Animators get a SinewAnimator that a ported script
        /// refers to, or needs.</summary>
        [MenuItem(AllItem)]
        internal static void PortAll()
        {
            const string Question = "All prefabs in Assets whose scripts have references to a SinewAnimator, or require one, get it beside "
                + "their Animators and are saved. There is no undo: have them under version control.";
            if (!EditorUtility.DisplayDialog(Title, Question, "Port", "Cancel")) return;
            List<string> paths = PrefabsIn("Assets");
            Say(Port(paths, false), paths.Count);
        }

        /// <summary>The SinewAnimator of an object, or null.</summary>
        internal static SinewAnimator Beside(GameObject on)
        {
            SinewAnimator found;
            return on.TryGetComponent(out found) ? found : null;
        }

        /// <summary>Ports prefabs and saves those that changed.</summary>
        /// <param name="paths">Their files.</param>
        /// <param name="besideEach">Whether each Animator gets a SinewAnimator, or those alone that
        /// a ported script in one of these prefabs refers to or needs.</param>
        /// <returns>A line for each that changed, or that could not be saved.</returns>
        internal static List<string> Port(List<string> paths, bool besideEach)
        {
            Dictionary<string, HashSet<string>> needed = besideEach ? null : Needed(paths);
            List<string> lines = new List<string>();
            foreach (string path in InOrder(paths))
            {
                HashSet<string> places = null;
                if (needed != null && !needed.TryGetValue(path, out places)) places = new HashSet<string>();
                try
                {
                    string line = PortOne(path, places);
                    if (line != null) lines.Add(path + ": " + line);
                }
                catch (Exception e)
                {
                    lines.Add(path + ": not ported: " + e.Message); // the others go on
                }
            }
            return lines;
        }

        private static string PortOne(string path, HashSet<string> places)
        {
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            if (stage != null && stage.assetPath == path) return "not ported: it is open in Prefab Mode";
            GameObject root = PrefabUtility.LoadPrefabContents(path);
            try
            {
                int added = 0, filled = 0;
                foreach (Animator unity in root.GetComponentsInChildren<Animator>(true))
                {
                    if (Beside(unity.gameObject) != null || (places != null && !places.Contains(PlaceOf(unity.transform)))) continue;
                    unity.gameObject.AddComponent<SinewAnimator>();
                    added++;
                }
                foreach (MonoBehaviour script in root.GetComponentsInChildren<MonoBehaviour>(true))
                    if (IsOfOthers(script)) filled += SinewMenu.Fill(script, Beside, false);
                if (added + filled == 0) return null;
                bool isSaved;
                PrefabUtility.SaveAsPrefabAsset(root, path, out isSaved);
                return isSaved ? added + " added, " + filled + " references filled" : "not ported: it could not be saved";
            }
            finally
            {
                PrefabUtility.UnloadPrefabContents(root);
            }
        }

        // Places of Animators, by file, that ported scripts refer to or need.
        private static Dictionary<string, HashSet<string>> Needed(List<string> paths)
        {
            Dictionary<string, HashSet<string>> needed = new Dictionary<string, HashSet<string>>();
            foreach (string path in paths)
            {
                GameObject root = AssetDatabase.LoadAssetAtPath<GameObject>(path);
                if (root == null) continue;
                foreach (MonoBehaviour script in root.GetComponentsInChildren<MonoBehaviour>(true))
                {
                    if (!IsOfOthers(script)) continue;
                    if (RequiresOne(script.GetType())) Note(needed, Above(script.transform));
                    foreach (SerializedProperty property in SinewMenu.OpenReferences(new SerializedObject(script)))
                    {
                        Animator lost = property.objectReferenceValue as Animator;
                        Note(needed, lost != null ? lost : Above(script.transform));
                    }
                }
            }
            return needed;
        }

        private static void Note(Dictionary<string, HashSet<string>> needed, Animator animator)
        {
            if (animator == null) return;
            string path = AssetDatabase.GetAssetPath(animator);
            HashSet<string> places;
            if (!needed.TryGetValue(path, out places)) needed[path] = places = new HashSet<string>();
            places.Add(PlaceOf(animator.transform));
        }

        private static Animator Above(Transform at)
        {
            Animator found = null;
            for (; at != null && found == null; at = at.parent)
                if (!at.TryGetComponent(out found)) found = null;
            return found;
        }

        // Where an object is below its prefab's root: the same in the file and in a copy of it.
        private static string PlaceOf(Transform at)
        {
            string place = "";
            for (; at.parent != null; at = at.parent) place = at.GetSiblingIndex() + "/" + place;
            return place;
        }

        private static bool RequiresOne(Type script)
        {
            foreach (RequireComponent each in script.GetCustomAttributes(typeof(RequireComponent), true))
                if (each.m_Type0 == typeof(SinewAnimator) || each.m_Type1 == typeof(SinewAnimator) || each.m_Type2 == typeof(SinewAnimator)) return true;
            return false;
        }

        // Sinew's own components find theirs by themselves. A script that is missing is null.
        private static bool IsOfOthers(MonoBehaviour script)
        {
            if (script == null) return false;
            Type type = script.GetType();
            return type != typeof(SinewAnimator) && type.Namespace != "Sinew";
        }

        private static bool IsPrefab(string path)
        {
            return path.EndsWith(".prefab", StringComparison.OrdinalIgnoreCase); // models cannot be saved
        }

        private static List<string> PrefabsIn(string folder)
        {
            List<string> paths = new List<string>();
            foreach (string guid in AssetDatabase.FindAssets("t:Prefab", new[] { folder }))
            {
                string path = AssetDatabase.GUIDToAssetPath(guid);
                if (IsPrefab(path)) paths.Add(path);
            }
            return paths;
        }

        // Each after those that it contains or refers to.
        private static List<string> InOrder(List<string> paths)
        {
            HashSet<string> open = new HashSet<string>(paths);
            List<string> ordered = new List<string>();
            foreach (string path in paths) Visit(path, open, ordered);
            return ordered;
        }

        private static void Visit(string path, HashSet<string> open, List<string> ordered)
        {
            if (!open.Remove(path)) return;
            foreach (string other in AssetDatabase.GetDependencies(path, true)) Visit(other, open, ordered);
            ordered.Add(path);
        }

        private static void Say(List<string> lines, int count)
        {
            foreach (string line in lines)
            {
                if (line.Contains(": not ported: ")) Debug.LogWarning("Sinew: " + line);
                else Debug.Log("Sinew: " + line);
            }
            EditorUtility.DisplayDialog(
                Title, count + (count == 1 ? " prefab, " : " prefabs, ") + lines.Count + " with changes or problems, which the Console lists.", "OK");
        }
    }
}
