using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of SinewBodyTies: the ties, and in Play mode how the bodies
    /// met.</summary>
    [CustomEditor(typeof(SinewBodyTies))]
    [CanEditMultipleObjects]
    internal sealed class SinewBodyTiesEditor : SinewInspector
    {
        private static readonly Section[] sections = { new Section("Ties", "ties", "maxRounds") };

        protected override Section[] Sections
        {
            get { return sections; }
        }

        protected override void DrawBelow()
        {
            SinewBodyTies of = (SinewBodyTies)target;
            if (!Application.isPlaying) return;
            EditorGUILayout.LabelField("Bodies", (SinewStatus)of.meeting.status + ", " + of.meeting.rounds + " rounds");
            for (int i = 0; of.ties != null && i < of.ties.Count; i++)
            {
                SinewEffectorTie tie = of.ties[i];
                if (tie == null) continue;
                string names = (tie.first == null ? "None" : tie.first.name) + ", " + (tie.second == null ? "None" : tie.second.name);
                EditorGUILayout.LabelField(names, (1000f * tie.gap).ToString("0.0") + " mm, " + tie.gapAngle.ToString("0.0") + "°");
            }
        }

        private void OnSceneGUI()
        {
            SinewHandles.Legend();
        }
    }
}
