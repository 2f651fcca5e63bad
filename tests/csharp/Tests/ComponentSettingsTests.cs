using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Each setting of a body, of grounding and of trackers that the library has can be
    /// reached from the fields of its component, and the fields begin with the library's
    /// defaults.</summary>
    public sealed class ComponentSettingsTests
    {
        private const BindingFlags Fields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly;

        // Every number, switch and choice of an object gets another value.
        private static void ChangeAll(object of)
        {
            foreach (FieldInfo field in of.GetType().GetFields(Fields))
            {
                object value = field.GetValue(of);
                if (value is float) field.SetValue(of, (float)value * 0.5f + 0.02f);
                else if (field.Name == "maxLevel") field.SetValue(of, 1);
                else if (value is int && field.Name != "maxWork") field.SetValue(of, (int)value * 2 + 1);
                else if (field.FieldType.IsEnum)
                {
                    Array values = Enum.GetValues(field.FieldType);
                    int next = (Array.IndexOf(values, value) + 1) % values.Length;
                    field.SetValue(of, values.GetValue(next));
                }
            }
        }

        private static void AssertAllDiffer<T>(T before, T after) where T : struct
        {
            List<string> same = new List<string>();
            foreach (FieldInfo field in typeof(T).GetFields(Fields))
            {
                if (field.Name == "struct_size") continue;
                double a = Convert.ToDouble(field.GetValue(before)), b = Convert.ToDouble(field.GetValue(after));
                if (Math.Abs(a - b) <= 0.02 * Math.Abs(a)) same.Add(field.Name);
            }
            Assert.AreEqual("", string.Join(", ", same.ToArray()), "settings no field of the component reaches");
        }

        private static void AssertNear<T>(T expected, T actual, string what) where T : struct
        {
            foreach (FieldInfo field in typeof(T).GetFields(Fields))
            {
                double a = Convert.ToDouble(field.GetValue(expected)), b = Convert.ToDouble(field.GetValue(actual));
                Assert.IsTrue(Math.Abs(a - b) <= 0.01 * Math.Abs(a), what + ": " + field.Name + " is " + b + ", the library's " + a);
            }
        }

        [Test]
        public void OfABody()
        {
            SinewBodySettings byDetails = NativeBody.DefaultSettings();
            new SinewBodyDetails().Apply(ref byDetails);
            AssertNear(NativeBody.DefaultSettings(), byDetails, "details");

            TestRig rig = new TestRig();
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            rig.Root.SetActive(true);
            Transform target = new GameObject("Target").transform;
            target.position = new Vector3(0.3f, 1.2f, 0.4f);
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = target });
            Player.Frame(0.02f);
            SinewBodySettings before = body.Native.Settings;
            ChangeAll(body);
            ChangeAll(body.details);
            Player.Frame(0.02f);
            AssertAllDiffer(before, body.Native.Settings);

            // Values that nobody should enter do not stop the component.
            foreach (FieldInfo field in typeof(SinewBodyDetails).GetFields(Fields))
                field.SetValue(body.details, field.FieldType == typeof(int) ? (object)-5 : -1f);
            Player.Frame(0.02f);
            Assert.AreEqual(1u, body.Native.Settings.max_iterations);
        }

        [Test]
        public void OfGrounding()
        {
            SinewGrounderSettings byDetails = NativeGrounder.DefaultSettings();
            new SinewGrounderDetails().Apply(ref byDetails);
            AssertNear(NativeGrounder.DefaultSettings(), byDetails, "details");

            TestRig rig = new TestRig().Start();
            SinewGrounder grounder = rig.Root.AddComponent<SinewGrounder>();
            Physics.Lay(new GameObject("Floor").AddComponent<Collider>(), delegate (float x, float z) { return 0f; });
            Player.Frame(0.02f);
            SinewGrounderSettings before = grounder.nativeGrounder.Settings;
            AssertNear(NativeGrounder.DefaultSettings(), before, "fields");
            ChangeAll(grounder);
            ChangeAll(grounder.details);
            Player.Frame(0.02f);
            AssertAllDiffer(before, grounder.nativeGrounder.Settings);
            foreach (FieldInfo field in typeof(SinewGrounderDetails).GetFields(Fields)) field.SetValue(grounder.details, -1f);
            Player.Frame(0.02f);
            Assert.AreEqual(0f, grounder.nativeGrounder.Settings.plant_time);
        }

        [Test]
        public void OfTrackers()
        {
            TestRig rig = new TestRig().Start();
            SinewTrackedBody body = rig.Root.AddComponent<SinewTrackedBody>();
            body.trackers.Clear();
            body.trackers.Add(new SinewTracker(SinewTrackerRole.Head, rig["Head"]));
            body.Calibrate();
            SinewTrackedBodySettings before = body.nativeBody.Settings;
            AssertNear(NativeTrackedBody.DefaultSettings(), before, "fields");
            ChangeAll(body);
            body.Calibrate();
            AssertAllDiffer(before, body.nativeBody.Settings);
        }
    }
}
