using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of SinewBody: its fields, what the last solve left of each effector, and handles for the targets in the Scene view.</summary>
    [CustomEditor(typeof(SinewBody))]
    [CanEditMultipleObjects]
    internal sealed class SinewBodyEditor : UnityEditor.Editor
    {
        /// <summary>Outcomes change every frame.</summary>
        public override bool RequiresConstantRepaint()
        {
            return Application.isPlaying;
        }

        /// <summary>Draws the Inspector.</summary>
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            SinewBody of = (SinewBody)target;
            if (!Application.isPlaying)
            {
                if (GUILayout.Button("Create Missing Targets"))
                    for (int i = 0; i < targets.Length; i++) CreateTargets((SinewBody)targets[i]);
                return;
            }
            EditorGUILayout.LabelField("Body", InWords(of.outcome));
            for (int i = 0; i < of.effectors.Count; i++)
            {
                SinewBodyEffector effector = of.effectors[i];
                string joint = effector.joint == null ? "centre of mass" : effector.joint.name;
                EditorGUILayout.LabelField(effector.kind + " " + joint, InWords(effector.outcome));
            }
        }

        // Targets are dragged where they are; what is moved is the target's own Transform.
        private void OnSceneGUI()
        {
            SinewBody of = (SinewBody)target;
            for (int i = 0; i < of.effectors.Count; i++)
            {
                Transform handle = of.effectors[i].target;
                if (handle == null) continue;
                EditorGUI.BeginChangeCheck();
                Vector3 position = Handles.PositionHandle(handle.position, handle.rotation);
                if (!EditorGUI.EndChangeCheck()) continue;
                Undo.RecordObject(handle, "Move Sinew Effector");
                handle.position = position;
                PrefabUtility.RecordPrefabInstancePropertyModifications(handle);
            }
        }

        private static void CreateTargets(SinewBody of)
        {
            Undo.RecordObject(of, "Create Sinew Targets");
            for (int i = 0; i < of.effectors.Count; i++)
            {
                SinewBodyEffector effector = of.effectors[i];
                if (effector.target != null || effector.joint == null || effector.pin) continue;
                GameObject made = new GameObject(effector.joint.name + " Target");
                Undo.RegisterCreatedObjectUndo(made, "Create Sinew Targets");
                made.transform.position = effector.joint.position;
                made.transform.rotation = effector.joint.rotation;
                effector.target = made.transform;
            }
            PrefabUtility.RecordPrefabInstancePropertyModifications(of);
        }

        private static string InWords(SinewBodyOutcome outcome)
        {
            return (SinewStatus)outcome.status + ", " + outcome.iterations + " iterations, "
                + outcome.residual_m.ToString("0.####") + " m, " + outcome.residual_rad.ToString("0.####") + " rad";
        }

        private static string InWords(SinewBodyTaskOutcome outcome)
        {
            return (SinewStatus)outcome.status + ", " + outcome.residual_m.ToString("0.####") + " m, "
                + outcome.residual_rad.ToString("0.####") + " rad, " + outcome.limited_joint_count + " joints at limits";
        }
    }
}
