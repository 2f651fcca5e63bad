// Test-only stand-in for prefabs as files: what a file holds are objects of their own, which keep
// their identity when it is saved, and which are edited in a copy.
using System;
using System.Collections.Generic;
using UnityEngine;

namespace UnityEditor
{
    public static class AssetDatabase
    {
        private static readonly Dictionary<string, GameObject> files = new Dictionary<string, GameObject>();
        private static readonly Dictionary<string, string[]> contained = new Dictionary<string, string[]>();

        /// Test switch: a prefab with an object and what is below it, and the files that it
        /// contains or refers to.
        public static void Add(string path, GameObject root, params string[] dependencies)
        {
            files[path] = root;
            contained[path] = dependencies;
            foreach (Component part in Parts(root)) EditorUtility.Persistent.Add(part);
            foreach (Transform joint in root.GetComponentsInChildren<Transform>(true)) EditorUtility.Persistent.Add(joint.gameObject);
        }

        /// Test switch: no files.
        public static void Clear()
        {
            files.Clear();
            contained.Clear();
            EditorUtility.Persistent.Clear();
        }

        internal static List<Component> Parts(GameObject root)
        {
            List<Component> parts = new List<Component>(), here = new List<Component>();
            foreach (Transform at in root.GetComponentsInChildren<Transform>(true))
            {
                at.gameObject.GetComponents(here);
                parts.AddRange(here);
            }
            return parts;
        }

        public static T LoadAssetAtPath<T>(string assetPath) where T : UnityEngine.Object
        {
            GameObject root;
            return files.TryGetValue(assetPath, out root) ? root as T : null;
        }

        public static string GetAssetPath(UnityEngine.Object assetObject)
        {
            Component part = assetObject as Component;
            GameObject root = (ReferenceEquals(part, null) ? (GameObject)assetObject : part.gameObject).transform.root.gameObject;
            foreach (KeyValuePair<string, GameObject> file in files)
                if (ReferenceEquals(file.Value, root)) return file.Key;
            return "";
        }

        public static string[] FindAssets(string filter, string[] searchInFolders)
        {
            if (filter != "t:Prefab") throw new ArgumentException(filter);
            List<string> found = new List<string>();
            foreach (string path in files.Keys)
                foreach (string folder in searchInFolders)
                    if (path.StartsWith(folder + "/")) found.Add("guid of " + path);
            return found.ToArray();
        }

        public static string GUIDToAssetPath(string guid) { return guid.Substring("guid of ".Length); }
        public static bool IsValidFolder(string path) { return FindAssets("t:Prefab", new[] { path }).Length > 0; }

        public static string[] GetDependencies(string pathName, bool recursive)
        {
            List<string> all = new List<string> { pathName };
            for (int i = 0; i < all.Count; i++)
                foreach (string other in contained[all[i]])
                    if (!all.Contains(other) && (recursive || i == 0)) all.Add(other);
            return all.ToArray();
        }
    }

    public static partial class PrefabUtility
    {
        /// Files in the order in which they were saved.
        public static readonly List<string> Saved = new List<string>();

        /// Test switch: files that cannot be saved.
        public static readonly List<string> Locked = new List<string>();

        /// Copies that have not been unloaded.
        public static int Loaded;

        public static GameObject LoadPrefabContents(string assetPath)
        {
            GameObject file = AssetDatabase.LoadAssetAtPath<GameObject>(assetPath);
            if (file == null) throw new ArgumentException("Can't load Prefab contents of: " + assetPath);
            Dictionary<object, object> copies = new Dictionary<object, object>();
            GameObject copy = UnityEngine.Object.Instantiate(file, copies);
            foreach (KeyValuePair<object, object> pair in copies)
                if (pair.Key is MonoBehaviour) CopyMismatches((MonoBehaviour)pair.Key, (MonoBehaviour)pair.Value, copies);
            Loaded++;
            return copy;
        }

        public static void UnloadPrefabContents(GameObject contentsRoot)
        {
            Loaded--;
            UnityEngine.Object.DestroyImmediate(contentsRoot);
        }

        public static GameObject SaveAsPrefabAsset(GameObject instanceRoot, string assetPath, out bool success)
        {
            success = !Locked.Contains(assetPath);
            GameObject file = AssetDatabase.LoadAssetAtPath<GameObject>(assetPath);
            if (!success) return null;
            Saved.Add(assetPath);
            Dictionary<object, object> kept = new Dictionary<object, object>();
            Transform[] from = instanceRoot.GetComponentsInChildren<Transform>(true), to = file.GetComponentsInChildren<Transform>(true);
            for (int i = 0; i < from.Length; i++)
            {
                List<Component> here = new List<Component>(), there = new List<Component>();
                from[i].gameObject.GetComponents(here);
                to[i].gameObject.GetComponents(there);
                kept[from[i].gameObject] = to[i].gameObject;
                for (int j = 0; j < here.Count; j++)
                {
                    if (j == there.Count)
                    {
                        Type type = here[j].GetType();
                        there.Add((Component)typeof(GameObject).GetMethod("AddComponent").MakeGenericMethod(type).Invoke(to[i].gameObject, null));
                        EditorUtility.Persistent.Add(there[j]);
                    }
                    kept[here[j]] = there[j];
                }
            }
            foreach (KeyValuePair<object, object> pair in new Dictionary<object, object>(kept))
            {
                if (!(pair.Key is MonoBehaviour)) continue;
                UnityEngine.Serialization.Copy(pair.Key, pair.Value, kept);
                CopyMismatches((MonoBehaviour)pair.Key, (MonoBehaviour)pair.Value, kept);
            }
            return file;
        }

        private static void CopyMismatches(MonoBehaviour from, MonoBehaviour to, Dictionary<object, object> copies)
        {
            string before = SerializedProperty.Key(from, ""), after = SerializedProperty.Key(to, "");
            foreach (KeyValuePair<string, UnityEngine.Object> old in new List<KeyValuePair<string, UnityEngine.Object>>(SerializedProperty.Mismatched))
                if (old.Key.StartsWith(after)) SerializedProperty.Mismatched.Remove(old.Key);
            foreach (KeyValuePair<string, UnityEngine.Object> each in new List<KeyValuePair<string, UnityEngine.Object>>(SerializedProperty.Mismatched))
            {
                object copy;
                if (!each.Key.StartsWith(before)) continue;
                if (!copies.TryGetValue(each.Value, out copy)) copy = each.Value; // of another file
                SerializedProperty.Mismatched[after + each.Key.Substring(before.Length)] = (UnityEngine.Object)copy;
            }
        }
    }
}
