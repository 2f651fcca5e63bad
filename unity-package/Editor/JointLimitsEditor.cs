using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of joint limits, and in the Scene view their borders, which are
    /// dragged.</summary>
    [CustomEditor(typeof(SinewJointLimits))]
    [CanEditMultipleObjects]
    internal sealed class JointLimitsEditor : SinewInspector
    {
        private static readonly Section[] sections =
        {
            new Section("Limits", "frame", "lockX", "lockY", "lockZ", "limitX", "limitY", "limitZ", "min", "max", "corners", "softAngle"),
            new Section("Character", "stiffness", "preferredBend", "stretchMin", "stretchMax", "stretchCompliance"),
            new Section("Slide", "slideAxis", "slideMin", "slideMax", "slideMobility"),
        };

        protected override Section[] Sections
        {
            get { return sections; }
        }

        protected override void DrawBelow()
        {
            ButtonForAll<SinewJointLimits>("Align Frame With Bone", AlignFrame);
            if (!Application.isPlaying) return;
            for (int i = 0; i < targets.Length; i++)
            {
                SinewJointLimits of = (SinewJointLimits)targets[i];
                EditorGUILayout.LabelField(of.name, of.violation < 0.05f ? "within its limits" : of.violation.ToString("0.0") + "° beyond its limits");
            }
        }

        private static void AlignFrame(SinewJointLimits of)
        {
            of.frame = Quaternion.FromToRotation(Vector3.up, ConstraintBehaviour.BoneAxis(of.transform)).eulerAngles;
            of.Refresh();
        }

        private void OnSceneGUI()
        {
            SinewJointLimits of = (SinewJointLimits)target;
            Quaternion space = of.WorldLimitSpace();
            float length = of.DrawnLength();
            for (int axis = 0; axis < 3; axis++)
            {
                if (!LimitShape.IsLimited(of, axis)) continue;
                Vector3 about = space * LimitShape.Axis(axis), arm = space * LimitShape.Arm(axis);
                Color color = axis == 1 ? SinewColors.Twist : SinewColors.Swing;
                float radius = axis == 1 ? length * 0.5f : length;
                float low = of.min[axis], high = of.max[axis];
                SinewHandles.Arc(of.transform.position, about, arm, low, high, radius, color);
                float moved = low;
                if (SinewHandles.DragAngle(of.transform.position, about, arm, radius, color, ref moved)) SetBorder(of, axis, false, moved);
                moved = high;
                if (SinewHandles.DragAngle(of.transform.position, about, arm, radius, color, ref moved)) SetBorder(of, axis, true, moved);
            }
            for (int i = 0; of.corners != null && i < of.corners.Length; i++) DragCorner(of, i, space, length);
            SinewHandles.Legend();
        }

        /// <summary>Moves a border; the least angle stays below the greatest.</summary>
        private static void SetBorder(SinewJointLimits of, int axis, bool isUpper, float degrees)
        {
            Undo.RecordObject(of, "Move Joint Limit");
            if (isUpper) of.max[axis] = Mathf.Max(degrees, of.min[axis]);
            else of.min[axis] = Mathf.Min(degrees, of.max[axis]);
            of.Refresh();
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }

        private static void DragCorner(SinewJointLimits of, int index, Quaternion space, float length)
        {
            Vector3 direction = space * of.corners[index].normalized, at = of.transform.position + direction * length;
            Vector3 side = Vector3.Cross(direction, space * Vector3.right);
            if (side.sqrMagnitude < 1e-6f) side = Vector3.Cross(direction, space * Vector3.forward);
            side = side.normalized;
            Handles.color = SinewColors.Swing;
            EditorGUI.BeginChangeCheck();
            float size = HandleUtility.GetHandleSize(at) * 0.06f;
            Vector3 to = Handles.Slider2D(at, direction, side, Vector3.Cross(direction, side), size, Handles.DotHandleCap, Vector2.zero);
            if (!EditorGUI.EndChangeCheck()) return;
            Undo.RecordObject(of, "Move Joint Limit");
            Vector3[] moved = (Vector3[])of.corners.Clone();
            moved[index] = (Quaternion.Inverse(space) * (to - of.transform.position)).normalized;
            of.corners = moved;
            of.Refresh();
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }
    }
}
