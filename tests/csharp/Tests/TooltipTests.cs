using System;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using NUnit.Framework;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Every field that the Inspector shows says what it is: a tooltip with unit, range and
    /// default, and the numbers in it are those of the code.</summary>
    public sealed class TooltipTests
    {
        private const BindingFlags Fields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

        // A number is one of these, or a part or count of something that the sentence names.
        private static readonly Regex unit = new Regex(
            "metre|degree|second|unit|Hz|1/s|part|fraction|factor|weight|share|how (much|far|firmly|many|strongly)|multipl|number|index|count|"
            + "0 \\(|0:|indices|density|stiffness|ratio|rate",
            RegexOptions.IgnoreCase);

        private static IEnumerable<Type> Serialized()
        {
            foreach (Type type in typeof(SinewAnimator).Assembly.GetTypes())
            {
                bool isOurs = type == typeof(SinewAnimator) || type.Namespace == "Sinew";
                if (!isOurs || type.IsEnum || type.IsInterface || typeof(Exception).IsAssignableFrom(type)) continue;
                if (typeof(Delegate).IsAssignableFrom(type)) continue;
                if (typeof(MonoBehaviour).IsAssignableFrom(type) || type.IsSerializable) yield return type;
            }
        }

        private static bool IsShown(FieldInfo field)
        {
            if (field.IsStatic || field.IsInitOnly || field.IsNotSerialized) return false;
            if (field.IsDefined(typeof(HideInInspector), false)) return false;
            return field.IsPublic || field.IsDefined(typeof(SerializeField), false);
        }

        private static T Attribute<T>(FieldInfo field) where T : Attribute
        {
            object[] found = field.GetCustomAttributes(typeof(T), false);
            return found.Length == 0 ? null : (T)found[0];
        }

        private static string Number(double value)
        {
            return value.ToString("0.#######", CultureInfo.InvariantCulture);
        }

        // "AfterAnimation" as the Inspector shows it: "After Animation".
        private static string Spaced(string name)
        {
            return Regex.Replace(name, "([a-z0-9])([A-Z])", "$1 $2");
        }

        // The defaults as a new component has them.
        private static object Made(Type type)
        {
            if (type.IsAbstract || type.IsValueType) return null; // a struct has the defaults of its owner
            if (!typeof(MonoBehaviour).IsAssignableFrom(type)) return Activator.CreateInstance(type, true);
            GameObject holder = new GameObject("Holder");
            holder.SetActive(false);
            return typeof(GameObject).GetMethod("AddComponent", new Type[0]).MakeGenericMethod(type).Invoke(holder, new object[0]);
        }

        internal static void Each(Action<Type, FieldInfo, object> visit)
        {
            foreach (Type type in Serialized())
            {
                object made = Made(type);
                foreach (FieldInfo field in type.GetFields(Fields))
                    if (IsShown(field)) visit(type, field, made == null ? null : field.GetValue(made));
            }
            Debug.Lines.Clear();
        }

        private static string Wrong(FieldInfo field, object value)
        {
            TooltipAttribute attribute = Attribute<TooltipAttribute>(field);
            if (attribute == null || string.IsNullOrEmpty(attribute.tooltip)) return "no tooltip";
            string text = attribute.tooltip;
            if (!text.EndsWith(".")) return "no sentence";
            if (text.Contains("same for") || text.Contains("likewise")) return "refers to another field, which a tooltip cannot";
            Type of = field.FieldType;
            if (of == typeof(float) || of == typeof(int))
            {
                RangeAttribute range = Attribute<RangeAttribute>(field);
                MinAttribute min = Attribute<MinAttribute>(field);
                if (!unit.IsMatch(text)) return "no unit";
                string wanted = range != null ? Number(range.min) + " to " + Number(range.max) : min != null ? "at least " + Number(min.min) : null;
                if (wanted != null && text.IndexOf(wanted, StringComparison.OrdinalIgnoreCase) < 0) return "no range: '" + wanted + "'";
                if (wanted == null && !Regex.IsMatch(text, " to |at least|above|at most|any (number|value|angle)", RegexOptions.IgnoreCase)) return "no range";
            }
            string start = null;
            if (value is float || value is int) start = Number(Convert.ToDouble(value));
            else if (value is bool) start = (bool)value ? "on" : "off";
            else if (value is Enum) start = Spaced(value.ToString());
            if (value == null && (of == typeof(float) || of == typeof(int) || of == typeof(bool)) && !text.Contains("Default ")) return "no default";
            if (value is float)
            {
                // Rounded numbers are good enough for people.
                Match said = Regex.Match(text, "Default (-?[0-9.]*[0-9])");
                double number = said.Success ? double.Parse(said.Groups[1].Value, CultureInfo.InvariantCulture) : double.NaN;
                if (Math.Abs(number - (float)value) <= 1e-3 * Math.Abs((float)value)) start = null;
            }
            if (start != null && !text.Contains("Default " + start + ".") && !text.Contains("Default " + start + ",")) return "no default: 'Default " + start + ".'";
            return null;
        }

        [Test]
        public void EveryFieldHasOneWithUnitRangeAndDefault()
        {
            List<string> wrong = new List<string>();
            int count = 0;
            Each(delegate (Type type, FieldInfo field, object value)
            {
                count++;
                string why = Wrong(field, value);
                if (why != null) wrong.Add(type.Name + "." + field.Name + " (" + why + ")");
            });
            Assert.Greater(count, 200, "fields found");
            Assert.AreEqual("", string.Join(", ", wrong.ToArray()), wrong.Count + " of " + count + " fields");
        }
    }
}
