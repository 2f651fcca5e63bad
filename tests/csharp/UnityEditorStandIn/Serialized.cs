// Test-only stand-in for serialized objects: properties by path over the fields of a script, with
// undo and prefab overrides.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.Serialization;
using UnityEngine;

namespace UnityEditor
{
    public enum SerializedPropertyType { Generic = -1, Integer = 0, Boolean = 1, Float = 2, String = 3, ObjectReference = 5, Enum = 7, Vector3 = 9 }

    /// The public and [SerializeField] fields of scripts.
    public sealed class SerializedObject
    {
        internal readonly UnityEngine.Object Of;
        private readonly UnityEngine.Object[] all;
        private readonly List<Action> pending = new List<Action>();

        public SerializedObject(UnityEngine.Object of) : this(new[] { of }) { }

        public SerializedObject(UnityEngine.Object[] of)
        {
            all = of;
            Of = of[0];
        }

        public SerializedProperty GetIterator() { return new SerializedProperty(this, null); }
        public void Update() { pending.Clear(); }
        public UnityEngine.Object targetObject { get { return Of; } }
        public UnityEngine.Object[] targetObjects { get { return all; } }

        public SerializedProperty FindProperty(string path)
        {
            foreach (FieldInfo field in FieldsOf(Of.GetType()))
                if (field.Name == path) return new SerializedProperty(this, path);
            return null;
        }

        public bool ApplyModifiedProperties()
        {
            if (pending.Count == 0) return false;
            foreach (UnityEngine.Object of in all)
            {
                Undo.RecordObject(of, "Inspector");
                PrefabUtility.Recorded.Add(of);
            }
            foreach (Action change in pending) change();
            pending.Clear();
            foreach (UnityEngine.Object of in all)
            {
                MonoBehaviour script = of as MonoBehaviour;
                if (!ReferenceEquals(script, null)) script.Received("OnValidate");
            }
            return true;
        }

        public bool ApplyModifiedPropertiesWithoutUndo()
        {
            bool isChanged = pending.Count > 0;
            foreach (Action change in pending) change();
            pending.Clear();
            return isChanged;
        }

        internal void Change(string path, object value)
        {
            foreach (UnityEngine.Object of in all)
            {
                UnityEngine.Object one = of;
                pending.Add(delegate { Place.Set(one, path, value); });
            }
        }

        internal static List<FieldInfo> FieldsOf(Type type)
        {
            List<FieldInfo> fields = new List<FieldInfo>();
            for (Type t = type; t != null && t != typeof(MonoBehaviour) && t != typeof(object); t = t.BaseType)
            {
                List<FieldInfo> own = new List<FieldInfo>();
                foreach (FieldInfo field in t.GetFields(
                    BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
                {
                    bool isSerialized = field.IsPublic || field.GetCustomAttributes(typeof(SerializeField), true).Length > 0;
                    if (isSerialized && !field.IsNotSerialized && !field.IsInitOnly) own.Add(field);
                }
                fields.InsertRange(0, own);
            }
            return fields;
        }
    }

    /// A place below an object: "name", "name.inner", "list[2].inner".
    internal static class Place
    {
        internal static object Get(object from, string path)
        {
            foreach (string part in path.Split('.')) from = Step(from, part);
            return from;
        }

        internal static void Set(object at, string path, object value)
        {
            int dot = path.IndexOf('.');
            if (dot < 0)
            {
                Put(at, path, value);
                return;
            }
            object inner = Step(at, path.Substring(0, dot));
            Set(inner, path.Substring(dot + 1), value);
            Put(at, path.Substring(0, dot), inner); // a struct is a copy
        }

        private static object Step(object from, string part)
        {
            int bracket = part.IndexOf('[');
            if (bracket < 0) return Field(from, part).GetValue(from);
            IList list = (IList)Field(from, part.Substring(0, bracket)).GetValue(from);
            return list[int.Parse(part.Substring(bracket + 1, part.Length - bracket - 2))];
        }

        private static void Put(object at, string part, object value)
        {
            int bracket = part.IndexOf('[');
            if (bracket < 0)
            {
                FieldInfo field = Field(at, part);
                IList old = field.GetValue(at) as IList;
                if (old != null && value is int) value = Resized(old, field.FieldType, (int)value);
                field.SetValue(at, field.FieldType.IsEnum && value is int ? Enum.ToObject(field.FieldType, value) : value);
                return;
            }
            IList list = (IList)Field(at, part.Substring(0, bracket)).GetValue(at);
            list[int.Parse(part.Substring(bracket + 1, part.Length - bracket - 2))] = value;
        }

        // Unity runs no constructor for the elements: they are copies of the last one, or all zero.
        private static IList Resized(IList old, Type type, int count)
        {
            bool isArray = type.IsArray;
            Type element = isArray ? type.GetElementType() : type.GetGenericArguments()[0];
            IList made = isArray ? Array.CreateInstance(element, count) : (IList)Activator.CreateInstance(type);
            for (int i = 0; i < count; i++)
            {
                object one = i < old.Count ? old[i] : Made(element, old.Count > 0 ? old[old.Count - 1] : null);
                if (isArray) made[i] = one;
                else made.Add(one);
            }
            return made;
        }

        private static object Made(Type type, object last)
        {
            if (type.IsValueType) return Activator.CreateInstance(type);
            if (typeof(UnityEngine.Object).IsAssignableFrom(type)) return last;
            object made = FormatterServices.GetUninitializedObject(type);
            foreach (FieldInfo field in SerializedObject.FieldsOf(type))
                if (field.FieldType.IsArray) field.SetValue(made, Array.CreateInstance(field.FieldType.GetElementType(), 0));
            if (last != null) UnityEngine.Serialization.Copy(last, made, new Dictionary<object, object>());
            return made;
        }

        internal static FieldInfo Field(object of, string name)
        {
            foreach (FieldInfo field in SerializedObject.FieldsOf(of.GetType()))
                if (field.Name == name) return field;
            throw new ArgumentException("no field " + name + " in " + of.GetType());
        }
    }

    public sealed class SerializedProperty
    {
        /// Test hook: what references of another type led to ("Type mismatch"), by script and path.
        public static readonly Dictionary<string, UnityEngine.Object> Mismatched = new Dictionary<string, UnityEngine.Object>();

        private readonly SerializedObject owner;
        private readonly List<FieldInfo> fields;
        private string path;
        private int at = -1, element = -1;

        /// The name of a mismatch.
        public static string Key(UnityEngine.Object of, string path) { return of.Id + " " + path; }

        internal SerializedProperty(SerializedObject owner, string path)
        {
            this.owner = owner;
            this.path = path;
            fields = SerializedObject.FieldsOf(owner.Of.GetType());
        }

        public bool NextVisible(bool enterChildren)
        {
            // The elements of an array of references come after the array.
            Array items = at >= 0 && enterChildren ? fields[at].GetValue(owner.Of) as UnityEngine.Object[] : null;
            if (items != null && ++element < items.Length)
            {
                path = fields[at].Name + "[" + element + "]";
                return true;
            }
            element = -1;
            if (++at >= fields.Count) return false;
            path = fields[at].Name;
            return true;
        }

        public SerializedObject serializedObject { get { return owner; } }
        public string propertyPath { get { return path; } }
        public string name { get { return path.Substring(path.LastIndexOf('.') + 1); } }
        public string displayName { get { return name; } }
        public bool isExpanded { get; set; }
        public bool isArray { get { return Value is IList; } }
        private object Value { get { return Place.Get(owner.Of, path); } }

        private Type ValueType
        {
            get
            {
                if (at >= 0) return element < 0 ? fields[at].FieldType : fields[at].FieldType.GetElementType();
                object value = Value;
                return value == null ? typeof(object) : value.GetType();
            }
        }

        internal bool IsVector { get { return ValueType == typeof(Vector3); } }
        public string type { get { return "PPtr<$" + ValueType.Name + ">"; } }

        public SerializedPropertyType propertyType
        {
            get { return typeof(UnityEngine.Object).IsAssignableFrom(ValueType) ? SerializedPropertyType.ObjectReference : SerializedPropertyType.Generic; }
        }

        public SerializedProperty FindPropertyRelative(string relative)
        {
            return new SerializedProperty(owner, path + "." + relative);
        }

        public SerializedProperty GetArrayElementAtIndex(int index) { return new SerializedProperty(owner, path + "[" + index + "]"); }

        public int arraySize
        {
            get { return ((IList)Value).Count; }
            set { owner.Change(path, value); }
        }

        public UnityEngine.Object objectReferenceValue
        {
            get
            {
                UnityEngine.Object value = (UnityEngine.Object)Value, other;
                return value == null && Mismatched.TryGetValue(Key(owner.Of, path), out other) ? other : value;
            }

            set
            {
                Mismatched.Remove(Key(owner.Of, path));
                owner.Change(path, value);
            }
        }

        public float floatValue { get { return (float)Value; } set { owner.Change(path, value); } }
        public bool boolValue { get { return (bool)Value; } set { owner.Change(path, value); } }
        public int intValue { get { return Convert.ToInt32(Value); } set { owner.Change(path, value); } }

        /// The place among the enum's names as they are declared, which need not be the number; -1
        /// for a number without name.
        public int enumValueIndex
        {
            get { return Array.IndexOf(Declared(Value.GetType()), Convert.ToInt32(Value)); }
            set { owner.Change(path, Declared(Value.GetType())[value]); }
        }

        private static int[] Declared(Type type)
        {
            FieldInfo[] names = type.GetFields(BindingFlags.Static | BindingFlags.Public);
            Array.Sort(names, delegate (FieldInfo a, FieldInfo b) { return a.MetadataToken.CompareTo(b.MetadataToken); });
            return Array.ConvertAll(names, delegate (FieldInfo name) { return Convert.ToInt32(name.GetValue(null)); });
        }

        public string tooltip
        {
            get
            {
                int dot = path.LastIndexOf('.');
                object of = dot < 0 ? owner.Of : Place.Get(owner.Of, path.Substring(0, dot));
                if (name.Contains("[")) return "";
                object[] found = Place.Field(of, name).GetCustomAttributes(typeof(TooltipAttribute), true);
                return found.Length == 0 ? "" : ((TooltipAttribute)found[0]).tooltip;
            }
        }

        public Vector3 vector3Value { get { return (Vector3)Value; } set { owner.Change(path, value); } }
    }
}
