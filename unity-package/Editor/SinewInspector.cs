using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// Base of the Inspectors: several objects at once, sections of fields with undo and prefab
    /// overrides, and in Play mode live outcomes. A field that no section names is drawn at the
    /// end, so that none can be forgotten.
    /// </summary>
    internal abstract class SinewInspector : UnityEditor.Editor
    {
        /// <summary>A heading and the fields below it.</summary>
        protected struct Section
        {
            internal readonly string Title;
            internal readonly string[] Fields;

            internal Section(string title, params string[] fields)
            {
                Title = title;
                Fields = fields;
            }
        }

        /// <summary>The sections, in order.</summary>
        protected abstract Section[] Sections { get; }

        /// <summary>Outcomes change every frame.</summary>
        public override bool RequiresConstantRepaint()
        {
            return Application.isPlaying;
        }

        /// <summary>Draws the Inspector.</summary>
        public override void OnInspectorGUI()
        {
            DrawSections();
            EditorGUILayout.Space();
            DrawBelow();
        }

        /// <summary>Buttons, mapping, outcomes.</summary>
        protected virtual void DrawBelow()
        {
        }

        /// <summary>Whether a field counts at the moment; those that do not are hidden.</summary>
        protected virtual bool IsShown(string field)
        {
            return true;
        }

        protected void DrawSections()
        {
            serializedObject.Update();
            Section[] sections = Sections;
            for (int i = 0; i < sections.Length; i++)
            {
                string key = "Sinew." + GetType().Name + "." + sections[i].Title;
                bool isOpen = EditorPrefs.GetBool(key, i == 0);
                bool now = EditorGUILayout.Foldout(isOpen, sections[i].Title, true);
                if (now != isOpen) EditorPrefs.SetBool(key, now);
                if (!now) continue;
                for (int j = 0; j < sections[i].Fields.Length; j++) DrawField(serializedObject.FindProperty(sections[i].Fields[j]));
            }
            SerializedProperty other = serializedObject.GetIterator();
            for (bool enter = true; other.NextVisible(enter); enter = false)
                if (other.propertyPath != "m_Script" && !IsNamed(sections, other.propertyPath)) DrawField(other);
            serializedObject.ApplyModifiedProperties();
        }

        private void DrawField(SerializedProperty property)
        {
            if (property != null && IsShown(property.propertyPath)) EditorGUILayout.PropertyField(property, true);
        }

        private static bool IsNamed(Section[] sections, string field)
        {
            for (int i = 0; i < sections.Length; i++)
                if (System.Array.IndexOf(sections[i].Fields, field) >= 0) return true;
            return false;
        }

        /// <summary>A button that does the same to every selected object, with undo and prefab
        /// overrides.</summary>
        protected void ButtonForAll<T>(string text, System.Action<T> action) where T : MonoBehaviour
        {
            if (!GUILayout.Button(text)) return;
            for (int i = 0; i < targets.Length; i++)
            {
                T of = (T)targets[i];
                Undo.RecordObject(of, text);
                action(of);
                PrefabUtility.RecordPrefabInstancePropertyModifications(of);
            }
        }

        internal static string InWords(Outcome outcome)
        {
            if (!outcome.IsActive) return "not used";
            return outcome.Status + ", off by " + (outcome.ResidualMeters * 1000f).ToString("0.0") + " mm, "
                + (outcome.ResidualRadians * Mathf.Rad2Deg).ToString("0.0") + "°";
        }
    }
}
