// Test-only stand-in for the UnityEditor types the package uses: enough to compile the Editor code and to raise the
// reload event. Nothing is drawn.
using System;
using UnityEngine;

namespace UnityEngine
{
    public static class GUI
    {
        public static bool changed;
    }

    public static class GUILayout
    {
        /// Test switch: the button that is pressed.
        public static string Pressed = "";

        public static bool Button(string text) { return text == Pressed; }
    }
}

namespace UnityEditor
{
    public enum MessageType { None = 0, Info = 1, Warning = 2, Error = 3 }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CustomEditor : Attribute
    {
        public CustomEditor(Type inspectedType) { }
        public CustomEditor(Type inspectedType, bool editorForChildClasses) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class InitializeOnLoadMethodAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CanEditMultipleObjects : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MenuItem : Attribute
    {
        public MenuItem(string itemName, bool isValidateFunction, int priority) { }
    }

    public static class Selection
    {
        public static GameObject[] gameObjects { get; set; }
    }

    public enum SerializedPropertyType { Generic = -1, Integer = 0, ObjectReference = 5 }

    /// The public and [SerializeField] fields of a script that refer to objects.
    public sealed class SerializedObject
    {
        internal readonly UnityEngine.Object Of;
        public SerializedObject(UnityEngine.Object of) { Of = of; }
        public SerializedProperty GetIterator() { return new SerializedProperty(this); }
        public bool ApplyModifiedProperties() { PrefabUtility.Recorded.Add(Of); return true; }
    }

    public sealed class SerializedProperty
    {
        private readonly SerializedObject owner;
        private readonly System.Collections.Generic.List<System.Reflection.FieldInfo> fields = new System.Collections.Generic.List<System.Reflection.FieldInfo>();
        private int at = -1;

        internal SerializedProperty(SerializedObject owner)
        {
            this.owner = owner;
            foreach (System.Reflection.FieldInfo field in owner.Of.GetType().GetFields(
                System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.Public | System.Reflection.BindingFlags.NonPublic))
                if (field.IsPublic || field.GetCustomAttributes(typeof(SerializeField), true).Length > 0) fields.Add(field);
        }

        public bool NextVisible(bool enterChildren) { return ++at < fields.Count; }
        public string type { get { return "PPtr<$" + fields[at].FieldType.Name + ">"; } }

        public SerializedPropertyType propertyType
        {
            get
            {
                return typeof(UnityEngine.Object).IsAssignableFrom(fields[at].FieldType)
                    ? SerializedPropertyType.ObjectReference : SerializedPropertyType.Generic;
            }
        }

        public UnityEngine.Object objectReferenceValue
        {
            get { return (UnityEngine.Object)fields[at].GetValue(owner.Of); }
            set { fields[at].SetValue(owner.Of, value); }
        }
    }

    /// Objects whose changes a prefab instance keeps as overrides.
    public static class PrefabUtility
    {
        public static readonly System.Collections.Generic.List<UnityEngine.Object> Recorded = new System.Collections.Generic.List<UnityEngine.Object>();
        public static void RecordPrefabInstancePropertyModifications(UnityEngine.Object targetObject) { Recorded.Add(targetObject); }
    }

    public static class Handles
    {
        /// Test switch: by how much the next handle is dragged.
        public static Vector3 Drag;

        public static Vector3 PositionHandle(Vector3 position, Quaternion rotation)
        {
            GUI.changed |= Drag != Vector3.zero;
            return position + Drag;
        }
    }

    public class Editor : UnityEngine.Object
    {
        private UnityEngine.Object[] several;

        /// The object whose Inspector this is; and all of them when several are selected.
        public UnityEngine.Object target { get; set; }
        public UnityEngine.Object[] targets { get { return several ?? new[] { target }; } set { several = value; target = value[0]; } }

        public bool DrawDefaultInspector() { return false; }
        public virtual bool RequiresConstantRepaint() { return false; }
        public virtual void OnInspectorGUI() { }
    }

    public static class EditorGUILayout
    {
        /// What was shown since the program started, one line per label.
        public static readonly System.Collections.Generic.List<string> Shown = new System.Collections.Generic.List<string>();

        public static void Space() { }
        public static void HelpBox(string message, MessageType type) { Shown.Add(message); }
        public static bool Foldout(bool foldout, string content, bool toggleOnLabelClick) { return true; }
        public static void LabelField(string label, string label2) { Shown.Add(label + ": " + label2); }

        public static UnityEngine.Object ObjectField(string label, UnityEngine.Object obj, Type type, bool allowSceneObjects)
        {
            Shown.Add(label + ": " + obj.name);
            return obj;
        }
    }

    public static class EditorGUI
    {
        public static void BeginDisabledGroup(bool disabled) { }
        public static void EndDisabledGroup() { }
        public static void BeginChangeCheck() { GUI.changed = false; }
        public static bool EndChangeCheck() { return GUI.changed; }
    }

    public static class EditorUtility
    {
        public static bool DisplayDialog(string title, string message, string ok) { return true; }
        public static void SetDirty(UnityEngine.Object target) { }
    }

    /// Remembers the public fields of what is recorded, and brings them back.
    public static class Undo
    {
        private static readonly System.Collections.Generic.List<Action> steps = new System.Collections.Generic.List<Action>();

        public static void RecordObject(UnityEngine.Object objectToUndo, string name)
        {
            foreach (System.Reflection.FieldInfo field in objectToUndo.GetType().GetFields())
            {
                if (field.IsStatic || field.IsLiteral || field.IsInitOnly) continue;
                System.Reflection.FieldInfo one = field;
                object value = field.GetValue(objectToUndo);
                steps.Add(delegate { one.SetValue(objectToUndo, value); });
            }
        }

        public static T AddComponent<T>(GameObject gameObject) where T : Component, new()
        {
            T made = gameObject.AddComponent<T>();
            steps.Add(delegate { UnityEngine.Object.DestroyImmediate(made); });
            return made;
        }

        public static void RegisterCreatedObjectUndo(UnityEngine.Object objectToUndo, string name)
        {
            steps.Add(delegate { UnityEngine.Object.DestroyImmediate(objectToUndo); });
        }

        public static void PerformUndo()
        {
            for (int i = steps.Count - 1; i >= 0; i--) steps[i]();
            steps.Clear();
        }
    }

    public static class AssemblyReloadEvents
    {
        public delegate void AssemblyReloadCallback();

        public static event AssemblyReloadCallback beforeAssemblyReload;

        /// Test switch: what the Editor does before it reloads scripts.
        public static void Raise()
        {
            if (beforeAssemblyReload != null) beforeAssemblyReload();
        }
    }
}
