using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of the world: its settings, and in Play mode what the last frame
    /// did.</summary>
    [CustomEditor(typeof(SinewWorld))]
    [CanEditMultipleObjects]
    internal sealed class SinewWorldEditor : SinewInspector
    {
        private static readonly Section[] sections =
        {
            new Section("Levels of detail", "viewer", "bands"),
            new Section("Time and threads", "budgetMilliseconds", "useJobThreads", "workerThreads", "jobThreshold"),
        };

        protected override Section[] Sections
        {
            get { return sections; }
        }

        protected override bool IsShown(string field)
        {
            return field != "workerThreads" || !((SinewWorld)target).useJobThreads;
        }

        protected override void DrawBelow()
        {
            if (!Application.isPlaying) return;
            SinewWorld of = (SinewWorld)target;
            if (!ReferenceEquals(SinewWorld.current, of))
            {
                EditorGUILayout.HelpBox("Another Sinew World counts.", MessageType.Info);
                return;
            }
            SinewWorldReport report = of.report;
            EditorGUILayout.LabelField("Characters", SinewRuntime.RunningCount.ToString());
            EditorGUILayout.LabelField("Solved", report.solved.ToString());
            EditorGUILayout.LabelField("Interpolated", report.between.ToString());
            EditorGUILayout.LabelField("Put off by the budget", report.cut.ToString());
            EditorGUILayout.LabelField("Off", report.off.ToString());
            EditorGUILayout.LabelField("Failed", report.failed.ToString());
        }

        private void OnSceneGUI()
        {
            SinewHandles.Legend();
        }
    }
}
