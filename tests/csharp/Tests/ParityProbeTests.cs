using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using NUnit.Framework;
using Sinew.Tests.Parity;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>
    /// That the parity probe works: the package's own test plays it here with the stand-in (whose
    /// Animator solves nothing), and its report is read back. Twins that are both Sinew's differ by
    /// nothing; what is planted is found.
    /// </summary>
    public sealed class ParityProbeTests
    {
        private static string folder;

        [SetUp]
        public void Start()
        {
            folder = Path.Combine(Path.GetTempPath(), "sinew-parity-" + Guid.NewGuid().ToString("N"));
            Directory.CreateDirectory(folder);
            Environment.SetEnvironmentVariable("SINEW_PARITY", Path.Combine(folder, "parity.json"));
        }

        [TearDown]
        public void End()
        {
            Environment.SetEnvironmentVariable("SINEW_PARITY", null);
            Directory.Delete(folder, true);
        }

        [Test]
        public void ThePackagesProbeWritesAReportOfEveryScene()
        {
            IEnumerator frames = new ParityTests().TwinsAreCompared();
            while (frames.MoveNext())
            {
                Player.FixedStep();
                Player.Frame(1f / 60f);
            }
            // The two scenes with a zero quaternion warn, once each.
            Assert.AreEqual(2, Debug.Lines.RemoveAll(delegate (string line) { return line.Contains("zero length"); }));
            Assert.AreEqual(1, Debug.Lines.Count, "one more line in the log");
            Assert.IsTrue(Debug.Lines[0].Contains("scene | mm | degrees"), "the summary is logged");
            Debug.Lines.Clear();
            Dictionary<string, object> report = (Dictionary<string, object>)new Json(File.ReadAllText(ParityTests.ReportPath)).Value();
            Assert.AreEqual("sinew-parity-1", report["format"]);
            List<object> scenes = (List<object>)report["scenes"];
            Assert.AreEqual(ParityScene.All().Count, scenes.Count);
            Assert.Greater(scenes.Count, 60);
            HashSet<string> names = new HashSet<string>();
            foreach (object each in scenes)
            {
                Dictionary<string, object> scene = (Dictionary<string, object>)each;
                string name = (string)scene["name"];
                Assert.IsTrue(names.Add(name), "the name is used once: " + name);
                List<object> records = (List<object>)scene["records"];
                Assert.Greater(records.Count, 30, name + " records");
                foreach (object record in records)
                {
                    Dictionary<string, object> one = (Dictionary<string, object>)record;
                    Assert.IsTrue(one["unity"] is List<object> && one["sinew"] is List<object> && one.ContainsKey("difference"), name);
                }
            }
            // The stand-in's own IK moves nothing, Sinew's does: the report says by how much.
            Dictionary<string, object> hand = (Dictionary<string, object>)scenes.Find(delegate (object s)
            {
                return (string)((Dictionary<string, object>)s)["name"] == "hands and feet at weight 1";
            });
            Assert.Greater((double)hand["metres"], 0.1);
            // A callback that nobody gets while the character is culled is a message less on both
            // sides.
            Dictionary<string, object> culled = (Dictionary<string, object>)scenes.Find(delegate (object s)
            {
                return (string)((Dictionary<string, object>)s)["name"] == "culled";
            });
            Dictionary<string, object> stepped = (Dictionary<string, object>)scenes.Find(delegate (object s)
            {
                return (string)((Dictionary<string, object>)s)["name"] == "Animate Physics";
            });
            Assert.IsTrue(((string)stepped["sinewEvents"]).StartsWith("0 FixedUpdate; 0 OnAnimatorIK 0; 0 Update; 0 LateUpdate"), "order");
            Assert.AreEqual(stepped["unityEvents"], stepped["sinewEvents"]);
            Assert.IsFalse(((string)culled["unityEvents"]).Contains("OnAnimatorIK"));
            Assert.AreEqual(culled["unityEvents"], culled["sinewEvents"]);
        }

        [Test]
        public void ThePackagesTestOfStateBehavioursPlays()
        {
            IEnumerator frames = new StateBehaviourTests().MessagesOfAStateBringTheSinewAnimator();
            while (frames.MoveNext()) Player.Frame(1f / 60f);
        }

        [Test]
        public void EqualTwinsDifferByNothingAndPlantedDifferencesAreFound()
        {
            ParityReport report = new ParityReport();
            foreach (ParityScene scene in ParityScene.All())
            {
                ParityDriver a = ParityTests.Twin(scene, "A", new Vector3(-2f, 0f, 0f), true), b = ParityTests.Twin(scene, "B", new Vector3(2f, 0f, 0f), true);
                for (int frame = 0; frame < scene.Frames; frame++)
                {
                    a.Frame = b.Frame = frame;
                    Player.FixedStep();
                    Player.Frame(1f / 60f);
                    ParityTests.Watch(a);
                    ParityTests.Watch(b);
                }
                report.Add(scene, a, b);
                ParityReport.Row row = report.Rows[report.Rows.Count - 1];
                Assert.Less(row.Metres, 2e-5, scene.Name + ": " + row.Worst);
                Assert.Less(row.Degrees, 0.05, scene.Name + ": " + row.Worst);
                Assert.Less(row.Numbers, 1e-6, scene.Name);
                Assert.IsTrue(row.AreEventsTheSame && row.Missing == 0, scene.Name);

                // The same records again, one of them moved by 3 cm and one missing.
                ParityRecord moved = b.Records.Find(delegate (ParityRecord r) { return r.Kind == ParityKind.Point; });
                moved.Values = new[] { moved.Values[0] + 0.03f, moved.Values[1], moved.Values[2] };
                b.Records.RemoveAt(b.Records.Count - 1);
                report.Add(scene, a, b);
                row = report.Rows[report.Rows.Count - 1];
                Assert.AreEqual(0.03, row.Metres, 1e-4, scene.Name);
                Assert.AreEqual(1, row.Missing, scene.Name);
                Assert.AreEqual(moved.What + " in frame " + moved.Frame, row.Worst);
                Player.Clear();
            }
            Debug.Lines.RemoveAll(delegate (string line) { return line.Contains("zero length"); });
        }

        /// <summary>A reader of JSON, so that the writer is judged by somebody else's
        /// rules.</summary>
        internal sealed class Json
        {
            private readonly string text;
            private int at;

            internal Json(string text)
            {
                this.text = text;
            }

            internal object Value()
            {
                Skip();
                char c = text[at];
                if (c == '{') return Object();
                if (c == '[') return Array();
                if (c == '"') return String();
                if (string.CompareOrdinal(text, at, "null", 0, 4) == 0)
                {
                    at += 4;
                    return null;
                }
                int start = at;
                while (at < text.Length && "+-.0123456789eE".IndexOf(text[at]) >= 0) at++;
                if (at == start) throw new FormatException("JSON at " + at + ": " + text.Substring(at, Math.Min(30, text.Length - at)));
                return double.Parse(text.Substring(start, at - start), CultureInfo.InvariantCulture);
            }

            private Dictionary<string, object> Object()
            {
                Dictionary<string, object> made = new Dictionary<string, object>();
                at++;
                for (Skip(); text[at] != '}'; Skip())
                {
                    if (text[at] == ',') at++;
                    Skip();
                    string key = String();
                    Skip();
                    if (text[at++] != ':') throw new FormatException("no colon at " + at);
                    made.Add(key, Value());
                }
                at++;
                return made;
            }

            private List<object> Array()
            {
                List<object> made = new List<object>();
                at++;
                for (Skip(); text[at] != ']'; Skip())
                {
                    if (text[at] == ',') at++;
                    made.Add(Value());
                }
                at++;
                return made;
            }

            private string String()
            {
                System.Text.StringBuilder made = new System.Text.StringBuilder();
                if (text[at++] != '"') throw new FormatException("no string at " + at);
                for (; text[at] != '"'; at++)
                {
                    if (text[at] == '\\') at++;
                    made.Append(text[at - 1] == '\\' && text[at] == 'n' ? '\n' : text[at]);
                }
                at++;
                return made.ToString();
            }

            private void Skip()
            {
                while (at < text.Length && char.IsWhiteSpace(text[at])) at++;
            }
        }
    }
}
