using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Sinew.Interop;

namespace Sinew.Tests
{
    /// <summary>The C# structs lie in memory as the C compiler lays them out (layout.c prints its
    /// numbers).</summary>
    public sealed class LayoutTests
    {
        [Test]
        public void SizesAndOffsetsAreThoseOfC()
        {
            string path = Environment.GetEnvironmentVariable("SINEW_C_LAYOUT");
            Assert.IsNotNull(path, "SINEW_C_LAYOUT is not set; run build-and-run.sh");
            HashSet<string> seen = new HashSet<string>();
            foreach (string line in File.ReadAllLines(path))
            {
                int space = line.LastIndexOf(' ');
                string what = line.Substring(0, space).Replace("[", "").Replace("]", "");
                int expected = int.Parse(line.Substring(space + 1));
                string[] parts = what.Split('.');
                parts[0] = CSharpName(parts[0]);
                what = string.Join(".", parts);
                Type type = typeof(SinewTransform).Assembly.GetType("Sinew." + parts[0]);
                Assert.IsNotNull(type, parts[0] + " is missing in C#");
                int actual = parts.Length == 1 ? Marshal.SizeOf(type) : (int)Marshal.OffsetOf(type, parts[1]);
                Assert.AreEqual(expected, actual, what);
                seen.Add(what);
            }
            foreach (Type type in typeof(SinewTransform).Assembly.GetTypes())
            {
                if (type.Namespace != "Sinew" || !type.IsValueType || type.IsEnum || type.IsNested || !type.Name.StartsWith("Sinew")) continue;
                Assert.IsTrue(seen.Contains(type.Name), type.Name + " is missing in layout.c");
                foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public))
                    Assert.IsTrue(seen.Contains(type.Name + "." + field.Name), type.Name + "." + field.Name + " is missing in layout.c");
            }
        }

        // Names that would be those of components and classes.
        private static string CSharpName(string name)
        {
            switch (name)
            {
                case "SinewSkeleton":
                case "SinewAvatar":
                case "SinewAnimator":
                case "SinewGrounder":
                case "SinewWorld":
                case "SinewTrackedBody":
                case "SinewBody": return name + "Handle";
                case "SinewJointLimits": return name + "Def";
                default: return name;
            }
        }

        [Test]
        public void UnityVectorsHaveTheSameLayout()
        {
            Assert.AreEqual(Marshal.SizeOf(typeof(SinewVec3)), Marshal.SizeOf(typeof(UnityEngine.Vector3)));
            Assert.AreEqual(Marshal.SizeOf(typeof(SinewQuat)), Marshal.SizeOf(typeof(UnityEngine.Quaternion)));
            Assert.AreEqual((int)Marshal.OffsetOf(typeof(SinewQuat), "w"), (int)Marshal.OffsetOf(typeof(UnityEngine.Quaternion), "w"));
        }

        [Test]
        public void EnumNumbersAreUnitys()
        {
            SameNumbers(typeof(SinewHumanBone), typeof(UnityEngine.HumanBodyBones));
            SameNumbers(typeof(SinewIkGoal), typeof(UnityEngine.AvatarIKGoal));
            SameNumbers(typeof(SinewAvatarTarget), typeof(UnityEngine.AvatarTarget));
            SameNumbers(typeof(SinewIkHint), typeof(UnityEngine.AvatarIKHint));
        }

        private static void SameNumbers(Type ours, Type unitys)
        {
            foreach (string name in Enum.GetNames(ours))
                Assert.AreEqual((int)Enum.Parse(unitys, name), (int)Enum.Parse(ours, name), name);
        }
    }
}
