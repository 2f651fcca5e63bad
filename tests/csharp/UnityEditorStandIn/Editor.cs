// Test-only stand-in for the UnityEditor types the package uses: enough to compile the Editor code and to raise the
// reload event. Nothing is drawn.
using System;
using UnityEngine;

namespace UnityEngine
{
    public static class GUILayout
    {
        public static bool Button(string text) { return false; }
    }
}

namespace UnityEditor
{
    public enum MessageType { None = 0, Info = 1, Warning = 2, Error = 3 }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CustomEditor : Attribute
    {
        public CustomEditor(Type inspectedType) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class InitializeOnLoadMethodAttribute : Attribute { }

    public class Editor : UnityEngine.Object
    {
        /// The object whose Inspector this is.
        public UnityEngine.Object target { get; set; }

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
    }

    public static class EditorUtility
    {
        public static bool DisplayDialog(string title, string message, string ok) { return true; }
        public static void SetDirty(UnityEngine.Object target) { }
    }

    public static class Undo
    {
        public static void RecordObject(UnityEngine.Object objectToUndo, string name) { }
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
