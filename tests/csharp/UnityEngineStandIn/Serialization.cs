// Test-only stand-in for what Unity keeps of a component when it is cloned: public fields, and
// private ones with SerializeField, of the types that Unity serializes. References to objects that
// were cloned with it lead to the clones, arrays and lists are copied, everything else is as in a
// new component.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    internal static class Serialization
    {
        private const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

        /// Copies what is kept; `copies` has the clone of each object.
        internal static void Copy(object from, object to, Dictionary<object, object> copies)
        {
            for (Type type = from.GetType(); type != null && type != typeof(MonoBehaviour); type = type.BaseType)
                foreach (FieldInfo field in type.GetFields(Own))
                    if (IsKept(field)) field.SetValue(to, Kept(field.GetValue(from), field.FieldType, copies));
        }

        private static bool IsKept(FieldInfo field)
        {
            if (field.IsStatic || field.IsInitOnly || field.IsLiteral || field.IsNotSerialized) return false;
            return (field.IsPublic || field.IsDefined(typeof(SerializeField), false)) && IsKept(field.FieldType, true);
        }

        private static bool IsKept(Type type, bool mayBeList)
        {
            if (typeof(Object).IsAssignableFrom(type) || type.IsPrimitive || type.IsEnum || type == typeof(string)) return true;
            Type element = ElementOf(type);
            if (element != null) return mayBeList && IsKept(element, false);
            if (typeof(Delegate).IsAssignableFrom(type) || type.IsAbstract || type.IsGenericType) return false;
            return IsOfEngine(type) || type.IsSerializable;
        }

        private static bool IsOfEngine(Type type) { return type.Namespace != null && type.Namespace.StartsWith("UnityEngine"); }

        private static Type ElementOf(Type type)
        {
            if (type.IsArray) return type.GetElementType();
            return type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>) ? type.GetGenericArguments()[0] : null;
        }

        private static object Kept(object value, Type type, Dictionary<object, object> copies)
        {
            object clone;
            if (typeof(Object).IsAssignableFrom(type)) return value != null && copies.TryGetValue(value, out clone) ? clone : value;
            Type element = ElementOf(type);
            if (element != null) return KeptList((IList)value, type, element, copies);
            if (type == typeof(string)) return value ?? "";
            if (type.IsPrimitive || type.IsEnum || IsOfEngine(type)) return value;
            // Unity has no null there.
            clone = Activator.CreateInstance(type, true);
            if (value != null) Copy(value, clone, copies);
            return clone;
        }

        private static object KeptList(IList of, Type type, Type element, Dictionary<object, object> copies)
        {
            int count = of == null ? 0 : of.Count;
            IList made = type.IsArray ? Array.CreateInstance(element, count) : (IList)Activator.CreateInstance(type);
            for (int i = 0; i < count; i++)
            {
                object one = Kept(of[i], element, copies);
                if (type.IsArray) made[i] = one;
                else made.Add(one);
            }
            return made;
        }
    }
}
