// Test-only stand-in for Prefab Mode: a stage with a scene of its own, of which only the prefab's
// root and what is below it is saved.
using UnityEngine;
using UnityEngine.SceneManagement;

namespace UnityEditor.SceneManagement
{
    public sealed class PrefabStage
    {
        internal PrefabStage(GameObject root) { prefabContentsRoot = root; }

        public GameObject prefabContentsRoot { get; private set; }
        public string assetPath { get; internal set; }
    }

    public static class PrefabStageUtility
    {
        internal static PrefabStage Current;

        /// Test switch: the prefab with this root is open in Prefab Mode; null: none.
        public static void Open(GameObject root, string path = "")
        {
            Current = root == null ? null : new PrefabStage(root) { assetPath = path };
            if (root != null) SceneManager.MoveGameObjectToScene(root, SceneManager.Make());
        }

        public static PrefabStage GetCurrentPrefabStage() { return Current; }

        public static PrefabStage GetPrefabStage(GameObject gameObject)
        {
            return Current != null && gameObject.scene == Current.prefabContentsRoot.scene ? Current : null;
        }
    }

    public static class StageUtility
    {
        public static void PlaceGameObjectInCurrentStage(GameObject gameObject)
        {
            PrefabStage stage = PrefabStageUtility.Current;
            if (stage != null) gameObject.transform.SetParent(stage.prefabContentsRoot.transform, true);
        }
    }
}
