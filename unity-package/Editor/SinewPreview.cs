using System.Collections.Generic;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// IK in Edit mode: while the Animation window or Timeline shows poses, every SinewAnimator
    /// with the option is solved on top of them. Nothing of it is kept: joints get their own values
    /// back when the windows stop, before a scene is saved, before Play and before scripts are
    /// reloaded.
    /// </summary>
    [InitializeOnLoad]
    internal static class SinewPreview
    {
        private static readonly List<SinewAnimator> shown = new List<SinewAnimator>();

        static SinewPreview()
        {
            EditorApplication.update += Tick;
            EditorApplication.playModeStateChanged += OnPlayModeChanged;
            AssemblyReloadEvents.beforeAssemblyReload += End;
            EditorSceneManager.sceneSaving += OnSceneSaving;
        }

        /// <summary>Number of characters that are shown with IK.</summary>
        internal static int Count
        {
            get { return shown.Count; }
        }

        /// <summary>Begins, goes on or ends, as the Editor's windows do.</summary>
        internal static void Tick()
        {
            if (Application.isPlaying || !AnimationMode.InAnimationMode())
            {
                if (shown.Count > 0) End();
                return;
            }
#if UNITY_6000_4_OR_NEWER
            SinewAnimator[] all = Object.FindObjectsByType<SinewAnimator>();
#elif UNITY_2022_3_OR_NEWER
            SinewAnimator[] all = Object.FindObjectsByType<SinewAnimator>(FindObjectsSortMode.None);
#else
            SinewAnimator[] all = Object.FindObjectsOfType<SinewAnimator>();
#endif
            for (int i = 0; i < all.Length; i++)
            {
                bool isWanted = all[i].previewInEditMode && all[i].isActiveAndEnabled;
                if (isWanted == shown.Contains(all[i])) continue;
                if (isWanted)
                {
                    all[i].BeginPreview(RestOf);
                    shown.Add(all[i]);
                }
                else
                {
                    all[i].EndPreview();
                    shown.Remove(all[i]);
                }
            }
            for (int i = shown.Count - 1; i >= 0; i--)
            {
                if (shown[i] != null)
                {
                    shown[i].SolvePreview();
                    continue;
                }
                // Destroyed in Edit mode, without OnDestroy.
                shown[i].Release();
                shown.RemoveAt(i);
            }
            if (shown.Count > 0) SceneView.RepaintAll();
        }

        private static void End()
        {
            for (int i = 0; i < shown.Count; i++)
                if (shown[i] != null) shown[i].EndPreview();
            shown.Clear();
        }

        private static void OnPlayModeChanged(PlayModeStateChange change)
        {
            if (change == PlayModeStateChange.ExitingEditMode) End();
        }

        private static void OnSceneSaving(UnityEngine.SceneManagement.Scene scene, string path)
        {
            for (int i = 0; i < shown.Count; i++)
                if (shown[i] != null) shown[i].HidePreview();
        }

        // The pose a model was imported with, where the object is an instance of one.
        private static Transform RestOf(Transform joint)
        {
            return PrefabUtility.GetCorrespondingObjectFromSource(joint);
        }
    }
}
