using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// Handles that the Scene views of all components share: dragged Transforms with undo and
    /// prefab overrides, dots on arcs, and the legend of colours.
    /// </summary>
    internal static class SinewHandles
    {
        /// <summary>A position handle on a Transform; null is allowed.</summary>
        internal static void Drag(Transform handle, string undo = "Move Sinew Goal")
        {
            if (handle == null) return;
            EditorGUI.BeginChangeCheck();
            Vector3 position = Handles.PositionHandle(handle.position, handle.rotation);
            if (!EditorGUI.EndChangeCheck()) return;
            Undo.RecordObject(handle, undo);
            handle.position = position;
            PrefabUtility.RecordPrefabInstancePropertyModifications(handle);
        }

        /// <summary>
        /// A dot on an arc: starts at <paramref name="from"/> turned by <paramref name="angle"/>
        /// degrees about <paramref name="axis"/>, and is dragged along it. True when it was, with
        /// the new angle, -180 to 180.
        /// </summary>
        internal static bool DragAngle(Vector3 center, Vector3 axis, Vector3 from, float radius, Color color, ref float angle)
        {
            Vector3 at = center + Quaternion.AngleAxis(angle, axis) * from * radius;
            Handles.color = color;
            EditorGUI.BeginChangeCheck();
            float size = HandleUtility.GetHandleSize(at) * 0.06f;
            Vector3 side = Vector3.Cross(axis, from);
            Vector3 to = Handles.Slider2D(at, axis, from, side, size, Handles.DotHandleCap, Vector2.zero);
            if (!EditorGUI.EndChangeCheck()) return false;
            Vector3 arm = to - center;
            float x = Vector3.Dot(arm, from), y = Vector3.Dot(arm, side);
            if (x * x + y * y < 1e-12f) return false;
            angle = Mathf.Atan2(y, x) * Mathf.Rad2Deg;
            return true;
        }

        /// <summary>An arc from one angle to another, filled a little.</summary>
        internal static void Arc(Vector3 center, Vector3 axis, Vector3 from, float low, float high, float radius, Color color)
        {
            Vector3 start = Quaternion.AngleAxis(low, axis) * from;
            Handles.color = new Color(color.r, color.g, color.b, 0.12f);
            Handles.DrawSolidArc(center, axis, start, high - low, radius);
            Handles.color = color;
            Handles.DrawWireArc(center, axis, start, high - low, radius);
        }

        /// <summary>The legend in the corner of the Scene view; switched by the menu Window, Sinew
        /// IK, Show Colour Legend.</summary>
        internal static void Legend()
        {
            if (!SinewMenu.IsLegendShown) return;
            Handles.BeginGUI();
            float y = 8f;
            for (int i = 0; i < SinewColors.Legend.Length; i++, y += 16f)
            {
                EditorGUI.DrawRect(new Rect(48f, y + 4f, 10f, 10f), SinewColors.Legend[i].Color);
                GUI.Label(new Rect(64f, y, 220f, 18f), SinewColors.Legend[i].Text);
            }
            Handles.EndGUI();
        }
    }
}
