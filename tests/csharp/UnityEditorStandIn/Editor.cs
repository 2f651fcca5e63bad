// Test-only stand-in for the UnityEditor types the package uses: enough to compile the Editor code
// and to raise the reload event. Nothing is drawn.
using System;
using UnityEngine;

namespace UnityEngine
{
    public static class GUI
    {
        public static bool changed;
        public static Color color { get; set; }
        public static void Label(Rect position, string text) { UnityEditor.EditorGUILayout.Shown.Add(text); }
    }

    public struct Rect
    {
        public float x, y, width, height;

        public Rect(float x, float y, float width, float height)
        {
            this.x = x;
            this.y = y;
            this.width = width;
            this.height = height;
        }

        public float xMax { get { return x + width; } }
        public float yMax { get { return y + height; } }
    }

    public class GUIContent
    {
        public static readonly GUIContent none = new GUIContent("");
        public GUIContent(string text) : this(text, "") { }
        public GUIContent(string text, string tooltip)
        {
            this.text = text;
            this.tooltip = tooltip;
        }

        public string text { get; set; }
        public string tooltip { get; set; }
    }

    public static class GUILayout
    {
        /// Test switch: the button that is pressed.
        public static string Pressed = "";

        public static bool Button(string text) { return text == Pressed; }
        public static void BeginArea(Rect screenRect) { }
        public static void EndArea() { }
        public static void Label(string text) { UnityEditor.EditorGUILayout.Shown.Add(text); }
    }
}

namespace UnityEditor
{
    public enum MessageType { None = 0, Info = 1, Warning = 2, Error = 3 }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CustomEditor : Attribute
    {
        public readonly Type Type;
        public CustomEditor(Type inspectedType) { Type = inspectedType; }
        public CustomEditor(Type inspectedType, bool editorForChildClasses) { Type = inspectedType; }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class InitializeOnLoadMethodAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CanEditMultipleObjects : Attribute { }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        public MenuItem(string itemName) : this(itemName, false, 1000) { }

        public MenuItem(string itemName, bool isValidateFunction, int priority)
        {
            menuItem = itemName;
            validate = isValidateFunction;
        }

        public string menuItem;
        public bool validate;
    }

    /// What a menu item of a component's context menu, or of the GameObject menu, is for.
    public sealed class MenuCommand
    {
        public MenuCommand(UnityEngine.Object context) { this.context = context; }
        public readonly UnityEngine.Object context;
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class InitializeOnLoadAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CustomPropertyDrawer : Attribute
    {
        public readonly Type Type;
        public CustomPropertyDrawer(Type type) { Type = type; }
    }

    public abstract class PropertyDrawer
    {
        public virtual void OnGUI(Rect position, SerializedProperty property, GUIContent label) { }
        public virtual float GetPropertyHeight(SerializedProperty property, GUIContent label) { return EditorGUIUtility.singleLineHeight; }
    }

    public static class EditorGUIUtility
    {
        public static float singleLineHeight { get { return 18f; } }
        public static float standardVerticalSpacing { get { return 2f; } }
        public static float labelWidth { get; set; }

        /// False in a narrow Inspector, where vectors take a second line.
        public static bool wideMode = true;
    }

    /// The mode in which the Animation window and Timeline show poses without keeping them.
    public static class AnimationMode
    {
        private static bool isOn;
        public static bool InAnimationMode() { return isOn; }
        public static void StartAnimationMode() { isOn = true; }
        public static void StopAnimationMode() { isOn = false; }
    }

    public enum PlayModeStateChange { EnteredEditMode = 0, ExitingEditMode = 1, EnteredPlayMode = 2, ExitingPlayMode = 3 }

    public static class EditorApplication
    {
        public delegate void CallbackFunction();
        public static CallbackFunction update;
        public static event Action<PlayModeStateChange> playModeStateChanged;

        /// Test switch: one tick of the Editor.
        public static void Tick() { if (update != null) update(); }

        /// Test switch: Play is pressed, or ended.
        public static void Change(PlayModeStateChange state) { if (playModeStateChanged != null) playModeStateChanged(state); }
    }

    public class SceneView
    {
        public static SceneView lastActiveSceneView { get { return null; } }
        public static event Action<SceneView> duringSceneGui;
        public static void RepaintAll() { }

        /// Test switch: a Scene view draws.
        public static void Draw() { if (duringSceneGui != null) duringSceneGui(null); }
    }

    public static class EditorPrefs
    {
        private static readonly System.Collections.Generic.Dictionary<string, bool> values = new System.Collections.Generic.Dictionary<string, bool>();

        public static bool GetBool(string key, bool defaultValue)
        {
            bool value;
            return values.TryGetValue(key, out value) ? value : defaultValue;
        }

        public static void SetBool(string key, bool value) { values[key] = value; }
    }

    public static class Menu
    {
        public static void SetChecked(string menuPath, bool isChecked) { }

        /// Test switch: an item of the GameObject menu is chosen in the context menu of the
        /// hierarchy. The Editor runs it once for each selected object.
        public static void Choose(Type of, string method)
        {
            System.Reflection.MethodInfo found = of.GetMethod(method, System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic);
            bool takesCommand = found.GetParameters().Length > 0;
            foreach (GameObject selected in (GameObject[])Selection.gameObjects.Clone())
                found.Invoke(null, takesCommand ? new object[] { new MenuCommand(selected) } : null);
        }
    }

    public static class Selection
    {
        public static GameObject[] gameObjects { get; set; }
        public static GameObject activeGameObject { get; set; }
        public static UnityEngine.Object activeObject { get; set; }

        /// What is selected in the Project window.
        public static string[] assetGUIDs = new string[0];
    }

    /// Objects whose changes a prefab instance keeps as overrides.
    public static partial class PrefabUtility
    {
        public static readonly System.Collections.Generic.List<UnityEngine.Object> Recorded = new System.Collections.Generic.List<UnityEngine.Object>();
        public static void RecordPrefabInstancePropertyModifications(UnityEngine.Object targetObject) { Recorded.Add(targetObject); }

        /// Test switch: what an instance was made from.
        public static readonly System.Collections.Generic.Dictionary<UnityEngine.Object, UnityEngine.Object> Sources
            = new System.Collections.Generic.Dictionary<UnityEngine.Object, UnityEngine.Object>();

        public static T GetCorrespondingObjectFromSource<T>(T componentOrGameObject) where T : UnityEngine.Object
        {
            UnityEngine.Object source;
            return Sources.TryGetValue(componentOrGameObject, out source) ? (T)source : null;
        }
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

        /// Test switch: by how much the Slider2D with this number (counted since the switch was
        /// set) is dragged.
        public static int DraggedSlider = -1;
        public static Vector3 SliderDrag;
        public static int Sliders;

        /// Lines, arcs and labels drawn since the program started.
        public static int Drawn;

        public delegate void CapFunction(int controlID, Vector3 position, Quaternion rotation, float size, EventType eventType);

        public static Color color { get; set; }

        public static Vector3 Slider2D(
            Vector3 handlePos, Vector3 handleDir, Vector3 slideDir1, Vector3 slideDir2, float handleSize, CapFunction capFunction, Vector2 snap)
        {
            if (Sliders++ != DraggedSlider) return handlePos;
            GUI.changed = true;
            return handlePos + SliderDrag;
        }

        /// Test switch: the Transform at whose place a free handle is dragged, and by how much.
        public static Transform FreeMoved;
        public static Vector3 FreeMove;

#if UNITY_2022_1_OR_NEWER
        public static Vector3 FreeMoveHandle(Vector3 position, float size, Vector3 snap, CapFunction capFunction)
#else
        public static Vector3 FreeMoveHandle(Vector3 position, Quaternion rotation, float size, Vector3 snap, CapFunction capFunction)
#endif
        {
            if (FreeMoved == null || FreeMoved.position != position) return position;
            GUI.changed = true;
            return position + FreeMove;
        }

        public static Quaternion RotationHandle(Quaternion rotation, Vector3 position) { return rotation; }
        public static void DotHandleCap(int controlID, Vector3 position, Quaternion rotation, float size, EventType eventType) { }
        public static void DrawLine(Vector3 p1, Vector3 p2) { Drawn++; }
        public static void DrawDottedLine(Vector3 p1, Vector3 p2, float screenSpaceSize) { Drawn++; }
        public static void DrawSolidArc(Vector3 center, Vector3 normal, Vector3 from, float angle, float radius) { Drawn++; }
        public static void DrawWireArc(Vector3 center, Vector3 normal, Vector3 from, float angle, float radius) { Drawn++; }
        public static void Label(Vector3 position, string text) { Drawn++; }
        public static void BeginGUI() { }
        public static void EndGUI() { }
    }

    public static class HandleUtility
    {
        public static float GetHandleSize(Vector3 position) { return 1f; }
    }

    public class Event
    {
        /// Test switch: the event that is being handled.
        public static Event current = new Event();
        public EventType type = EventType.MouseDown;
    }

    public enum EventType { MouseDown = 0, Repaint = 7 }

    public class Editor : UnityEngine.Object
    {
        private UnityEngine.Object[] several;

        /// The object whose Inspector this is; and all of them when several are selected.
        public UnityEngine.Object target { get; set; }
        public UnityEngine.Object[] targets { get { return several ?? new[] { target }; } set { several = value; target = value[0]; } }
        public SerializedObject serializedObject { get { return serialized ?? (serialized = new SerializedObject(targets)); } }
        private SerializedObject serialized;
        public void Repaint() { }

        public bool DrawDefaultInspector() { return false; }
        public virtual bool RequiresConstantRepaint() { return false; }
        public virtual void OnInspectorGUI() { }
    }

    public static class EditorGUILayout
    {
        /// What was shown since the program started, one line per label.
        public static readonly System.Collections.Generic.List<string> Shown = new System.Collections.Generic.List<string>();

        public static void Space() { }
        public static bool Toggle(GUIContent label, bool value) { return value; }
        public static int IntField(GUIContent label, int value) { return value; }

        /// The properties that were drawn since the program started.
        public static readonly System.Collections.Generic.List<string> Properties = new System.Collections.Generic.List<string>();

        public static bool PropertyField(SerializedProperty property, bool includeChildren)
        {
            Properties.Add(property.propertyPath);
            return false;
        }
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
        public static GUIContent BeginProperty(Rect totalPosition, GUIContent label, SerializedProperty property) { return label; }
        public static void EndProperty() { }
        public static Rect PrefixLabel(Rect totalPosition, GUIContent label) { return totalPosition; }
        public static int indentLevel { get; set; }
        public static void LabelField(Rect position, GUIContent label) { EditorGUILayout.Shown.Add(label.text); }
        public static bool Foldout(Rect position, bool foldout, GUIContent content, bool toggleOnLabelClick)
        {
            EditorGUILayout.Shown.Add(content.text);
            return foldout;
        }

        public static void DrawRect(Rect rect, Color color) { }

        /// Where properties were drawn, and the tooltips they show, since the program started.
        public static readonly System.Collections.Generic.List<Rect> Places = new System.Collections.Generic.List<Rect>();
        public static readonly System.Collections.Generic.List<string> Tooltips = new System.Collections.Generic.List<string>();

        public static bool PropertyField(Rect position, SerializedProperty property, bool includeChildren = false)
        {
            return PropertyField(position, property, new GUIContent(property.displayName, property.tooltip), includeChildren);
        }

        public static bool PropertyField(Rect position, SerializedProperty property, GUIContent label, bool includeChildren = false)
        {
            EditorGUILayout.Properties.Add(property.propertyPath);
            Places.Add(position);
            Tooltips.Add(label.tooltip);
            return false;
        }

        public static float GetPropertyHeight(SerializedProperty property, bool includeChildren)
        {
            return GetPropertyHeight(property, new GUIContent(property.displayName), includeChildren);
        }

        public static float GetPropertyHeight(SerializedProperty property, GUIContent label, bool includeChildren)
        {
            bool isTall = !EditorGUIUtility.wideMode && property.IsVector;
            return isTall ? 2f * EditorGUIUtility.singleLineHeight + EditorGUIUtility.standardVerticalSpacing : EditorGUIUtility.singleLineHeight;
        }
    }

    public static class EditorUtility
    {
        /// Messages of the dialogs that were shown.
        public static readonly System.Collections.Generic.List<string> Dialogs = new System.Collections.Generic.List<string>();

        public static bool DisplayDialog(string title, string message, string ok)
        {
            Dialogs.Add(message);
            return true;
        }

        /// Test switch: what is pressed in dialogs with a choice.
        public static bool Agrees = true;

        public static bool DisplayDialog(string title, string message, string ok, string cancel)
        {
            Dialogs.Add(message);
            return Agrees;
        }

        public static void SetDirty(UnityEngine.Object target) { }

        /// Files that were opened.
        public static readonly System.Collections.Generic.List<string> Opened = new System.Collections.Generic.List<string>();

        public static void OpenWithDefaultApp(string fileName) { Opened.Add(fileName); }

        /// Test switch: objects of files, not of scenes.
        public static readonly System.Collections.Generic.List<UnityEngine.Object> Persistent = new System.Collections.Generic.List<UnityEngine.Object>();

        public static bool IsPersistent(UnityEngine.Object target) { return Persistent.Contains(target); }
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

        public static void SetTransformParent(Transform transform, Transform newParent, string name) { transform.SetParent(newParent, true); }

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

namespace UnityEditor.SceneManagement
{
    public static class EditorSceneManager
    {
        public delegate void SceneSavingCallback(UnityEngine.SceneManagement.Scene scene, string path);
        public delegate void SceneSavedCallback(UnityEngine.SceneManagement.Scene scene);

        public static event SceneSavingCallback sceneSaving;
        public static event SceneSavedCallback sceneSaved;

        /// Test switch: a scene is saved; `write` stands for what the file gets.
        public static void Save(Action write)
        {
            if (sceneSaving != null) sceneSaving(default(UnityEngine.SceneManagement.Scene), "");
            write();
            if (sceneSaved != null) sceneSaved(default(UnityEngine.SceneManagement.Scene));
        }
    }
}
