using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>Inspector of every constraint: its fields, what the last pass left, and the pole set where it changes nothing.</summary>
    [CustomEditor(typeof(ConstraintBehaviour), true)]
    [CanEditMultipleObjects]
    internal sealed class ConstraintEditor : UnityEditor.Editor
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
            if (!Application.isPlaying)
            {
                ConstraintBehaviour of = (ConstraintBehaviour)target;
                if (of.animator == null && of.GetComponentInParent<SinewAnimator>() == null)
                    EditorGUILayout.HelpBox("There is no Sinew Animator on this object or above: it does nothing.", MessageType.Warning);
                return;
            }
            for (int i = 0; i < targets.Length; i++)
            {
                ConstraintBehaviour of = (ConstraintBehaviour)targets[i];
                EditorGUILayout.LabelField(of.name, of.outcome.ToString());
            }
            TargetConstraint posed = target as TargetConstraint;
            if (posed == null || posed.pole == null || !GUILayout.Button("Pole In Place")) return;
            for (int i = 0; i < targets.Length; i++)
            {
                TargetConstraint of = (TargetConstraint)targets[i];
                Undo.RecordObject(of, "Pole In Place");
                of.PoleInPlace();
                PrefabUtility.RecordPrefabInstancePropertyModifications(of);
            }
        }
    }
}
