using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Reflection;
using NUnit.Framework;
using Sinew.Samples;
using UnityEngine;
using UnityEngine.Rendering;

namespace Sinew.Tests
{
    /// <summary>
    /// The scenes of the samples: every reference in the files resolves, and the scenes play,
    /// loaded into the stand-in as Unity would load them.
    /// </summary>
    public sealed class SampleSceneTests
    {
        private const string BuiltIn = "0000000000000000e000000000000000", BuiltInExtra = "0000000000000000f000000000000000";

        private static string Package
        {
            get
            {
                string hashes = Environment.GetEnvironmentVariable("SINEW_GOLDEN_HASHES");
                return Path.GetFullPath(Path.Combine(Path.GetDirectoryName(hashes), "../../unity-package"));
            }
        }

        /// <summary>One object of a file: class, identifier, and its lines as (indent, key,
        /// value).</summary>
        private sealed class Document
        {
            internal int Class;
            internal string Id, Kind;
            internal readonly List<string> Lines = new List<string>();

            internal string Field(string name)
            {
                foreach (string line in Lines)
                    if (line.StartsWith("  " + name + ": ")) return line.Substring(name.Length + 4).Trim();
                return null;
            }

            internal List<string> Items(string name)
            {
                List<string> items = new List<string>();
                int at = Lines.FindIndex(delegate (string line) { return line.TrimEnd() == "  " + name + ":"; });
                for (int i = at + 1; at >= 0 && i < Lines.Count && (Lines[i].StartsWith("  - ") || Lines[i].StartsWith("    ")); i++)
                    items.Add(Lines[i]);
                return items;
            }
        }

        private static List<Document> Read(string path)
        {
            string[] lines = File.ReadAllLines(path);
            Assert.AreEqual("%YAML 1.1", lines[0]);
            Assert.AreEqual("%TAG !u! tag:unity3d.com,2011:", lines[1]);
            List<Document> documents = new List<Document>();
            for (int i = 2; i < lines.Length; i++)
            {
                if (lines[i].StartsWith("--- !u!"))
                {
                    string[] head = lines[i].Substring(7).Split('&');
                    documents.Add(new Document { Class = int.Parse(head[0]), Id = head[1], Kind = lines[++i].TrimEnd(':') });
                }
                else documents[documents.Count - 1].Lines.Add(lines[i]);
            }
            return documents;
        }

        // "fileID: 12, guid: ab, type: 3" of each reference in a line.
        private static IEnumerable<Dictionary<string, string>> References(string line)
        {
            for (int at = line.IndexOf("{fileID:"); at >= 0; at = line.IndexOf("{fileID:", at + 1))
            {
                Dictionary<string, string> reference = new Dictionary<string, string>();
                foreach (string part in line.Substring(at + 1, line.IndexOf('}', at) - at - 1).Split(','))
                    reference[part.Split(':')[0].Trim()] = part.Split(':')[1].Trim();
                yield return reference;
            }
        }

        // Which asset has which GUID: of the package, and of the sample alone, as both are in a
        // project.
        private static Dictionary<string, string> Assets(string sample)
        {
            Dictionary<string, string> assets = new Dictionary<string, string>();
            foreach (string meta in Directory.GetFiles(Package, "*.meta", SearchOption.AllDirectories))
            {
                string asset = meta.Substring(0, meta.Length - 5);
                if (asset.Contains("Samples~") && !asset.Contains("Samples~/" + sample + "/")) continue;
                foreach (string line in File.ReadAllLines(meta))
                {
                    if (!line.StartsWith("guid: ")) continue;
                    string guid = line.Substring(6).Trim();
                    Assert.IsFalse(assets.ContainsKey(guid), "a GUID is used twice: " + meta);
                    assets[guid] = asset;
                }
            }
            return assets;
        }

        private static string[] Samples()
        {
            string[] folders = Directory.GetDirectories(Path.Combine(Package, "Samples~"));
            return Array.ConvertAll(folders, Path.GetFileName);
        }

        private static Type ClassOf(string script)
        {
            string name = Path.GetFileNameWithoutExtension(script);
            foreach (Type type in Assembly.GetExecutingAssembly().GetTypes())
                if (type.Name == name && typeof(MonoBehaviour).IsAssignableFrom(type)) return type;
            return null;
        }

        [Test]
        public void EverySampleIsInTheManifestWithASceneOfItsName()
        {
            Dictionary<string, object> manifest =
                (Dictionary<string, object>)new ParityProbeTests.Json(File.ReadAllText(Path.Combine(Package, "package.json"))).Value();
            List<object> listed = (List<object>)manifest["samples"];
            Assert.AreEqual(Samples().Length, listed.Count);
            foreach (object each in listed)
            {
                Dictionary<string, object> sample = (Dictionary<string, object>)each;
                string folder = Path.Combine(Package, (string)sample["path"]), name = Path.GetFileName(folder);
                Assert.IsTrue(File.Exists(Path.Combine(folder, name + ".unity")), name + " has no scene");
                Assert.IsTrue(((string)sample["description"]).Contains(name + ".unity"), name + " says which scene to open");
                Assert.IsTrue(File.Exists(Path.Combine(folder, "README.md")), name + " has no README");
            }
            foreach (string key in new[] { "name", "version", "unity", "license", "author", "keywords" })
                Assert.IsTrue(manifest.ContainsKey(key), "package.json has no " + key);
            // All of the addresses, or none while the project has none.
            foreach (string url in new[] { "documentationUrl", "changelogUrl", "licensesUrl" })
            {
                Assert.AreEqual(manifest.ContainsKey("repository"), manifest.ContainsKey(url), url);
                if (!manifest.ContainsKey(url)) continue;
                string path = ((string)manifest[url]).Substring(((string)manifest[url]).IndexOf("/unity-package/") + 15);
                Assert.IsTrue(File.Exists(Path.Combine(Package, path)), url + " names a file that is not there: " + path);
            }
            Dictionary<string, object> modules = (Dictionary<string, object>)manifest["dependencies"];
            foreach (string module in new[] { "animation", "imgui", "physics" }) Assert.IsTrue(modules.ContainsKey("com.unity.modules." + module), module);
        }

        [Test]
        public void EveryReferenceResolves()
        {
            int references = 0, scripts = 0;
            foreach (string sample in Samples())
            {
                Dictionary<string, string> assets = Assets(sample);
                foreach (string file in new[] { sample + ".unity", "Figure.asset" })
                {
                    List<Document> documents = Read(Path.Combine(Package, "Samples~", sample, file));
                    HashSet<string> own = new HashSet<string>();
                    foreach (Document document in documents) Assert.IsTrue(own.Add(document.Id), file + ": identifier twice: " + document.Id);
                    foreach (Document document in documents)
                    foreach (string line in document.Lines)
                    foreach (Dictionary<string, string> reference in References(line))
                    {
                        references++;
                        string where = sample + "/" + file + " &" + document.Id + ": " + line.Trim();
                        string guid;
                        if (!reference.TryGetValue("guid", out guid))
                        {
                            Assert.IsTrue(reference["fileID"] == "0" || own.Contains(reference["fileID"]), where);
                            continue;
                        }
                        if (guid == BuiltIn || guid == BuiltInExtra)
                        {
                            Assert.IsTrue(new[] { "10202", "10206", "10207", "10303" }.Length > 0
                                && Array.IndexOf(new[] { "10202", "10206", "10207", "10303" }, reference["fileID"]) >= 0, where);
                            continue;
                        }
                        Assert.IsTrue(assets.ContainsKey(guid), "no asset has the GUID of " + where);
                        string asset = assets[guid];
                        Assert.IsTrue(File.Exists(asset), where);
                        if (reference["type"] == "3")
                        {
                            Assert.AreEqual("11500000", reference["fileID"], where);
                            Assert.IsNotNull(ClassOf(asset), "no component class in " + asset);
                            scripts++;
                        }
                        else
                            Assert.IsTrue(Read(asset).Exists(delegate (Document d) { return d.Id == reference["fileID"]; }), where);
                    }
                }
            }
            Assert.Greater(references, 1000);
            Assert.Greater(scripts, 10);
        }

        [Test]
        public void MeshesAreWhole()
        {
            foreach (string sample in Samples())
            {
                Document mesh = Read(Path.Combine(Package, "Samples~", sample, "Figure.asset"))[0];
                Assert.AreEqual(43, mesh.Class);
                string text = string.Join("\n", mesh.Lines.ToArray());
                int vertices = Number(text, "m_VertexCount"), size = Number(text, "m_DataSize"), indices = Number(text, "indexCount");
                string data = After(text, "_typelessdata: "), order = After(text, "m_IndexBuffer: ");
                Assert.AreEqual(size * 2, data.Length, "bytes of the vertices");
                Assert.AreEqual(indices * 4, order.Length, "bytes of the triangles");
                for (int i = 0; i < indices; i++)
                    Assert.IsTrue(Convert.ToInt32(order.Substring(4 * i + 2, 2) + order.Substring(4 * i, 2), 16) < vertices, "index " + i);
                int bones = text.Split(new[] { "e00:" }, StringSplitOptions.None).Length - 1;
                Assert.AreEqual(21, bones);
                Assert.AreEqual(bones * 8, After(text, "m_BoneNameHashes: ").Length);
                // Weights add up to one and name bones that there are.
                int skin = Up(Up(vertices * 24) + vertices * 8);
                for (int v = 0; v < vertices; v++)
                {
                    float sum = 0f;
                    for (int i = 0; i < 4; i++)
                    {
                        sum += BitConverter.ToSingle(Bytes(data, skin + v * 32 + 4 * i), 0);
                        Assert.IsTrue(BitConverter.ToInt32(Bytes(data, skin + v * 32 + 16 + 4 * i), 0) < bones);
                    }
                    Assert.AreEqual(1.0, sum, 1e-5);
                }
            }
        }

        private static int Up(int bytes)
        {
            return (bytes + 15) / 16 * 16;
        }

        private static byte[] Bytes(string hex, int at)
        {
            byte[] bytes = new byte[4];
            for (int i = 0; i < 4; i++) bytes[i] = Convert.ToByte(hex.Substring(2 * (at + i), 2), 16);
            return bytes;
        }

        private static string After(string text, string key)
        {
            int at = text.IndexOf(key) + key.Length, end = text.IndexOf('\n', at);
            return text.Substring(at, end - at).Trim();
        }

        private static int Number(string text, string key)
        {
            return int.Parse(After(text, key + ": "));
        }

        // Loads a scene into the stand-in: objects, parents, scripts with their fields, renderers,
        // boxes as ground.
        private static Dictionary<string, GameObject> Load(string sample)
        {
            Dictionary<string, string> assets = Assets(sample);
            List<Document> documents = Read(Path.Combine(Package, "Samples~", sample, sample + ".unity"));
            Dictionary<string, Document> byId = new Dictionary<string, Document>();
            foreach (Document document in documents) byId[document.Id] = document;
            Dictionary<string, object> made = new Dictionary<string, object>();
            Dictionary<string, GameObject> byName = new Dictionary<string, GameObject>();
            List<GameObject> all = new List<GameObject>();
            foreach (Document document in documents)
            {
                if (document.Class != 1) continue;
                GameObject gameObject = new GameObject(document.Field("m_Name"));
                gameObject.SetActive(false);
                made[document.Id] = gameObject;
                byName[gameObject.name] = gameObject;
                all.Add(gameObject);
            }
            foreach (Document document in documents)
            {
                if (document.Class != 4) continue;
                made[document.Id] = ((GameObject)made[Id(document.Field("m_GameObject"))]).transform;
            }
            foreach (Document document in documents)
            {
                if (document.Class != 4) continue;
                Transform transform = (Transform)made[document.Id];
                string father = Id(document.Field("m_Father"));
                if (father != "0") transform.SetParent((Transform)made[father], false);
                transform.localPosition = Vector(document.Field("m_LocalPosition"));
                transform.localScale = Vector(document.Field("m_LocalScale"));
                float[] q = Numbers(document.Field("m_LocalRotation"));
                Assert.AreEqual(1.0, Math.Sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1e-4, "a rotation of unit length");
                transform.localRotation = new Quaternion(q[0], q[1], q[2], q[3]);
            }
            foreach (Document document in documents)
            {
                if (document.Class == 23 || document.Class == 137)
                    ((GameObject)made[Id(document.Field("m_GameObject"))]).AddComponent<Renderer>();
                if (document.Class != 114) continue;
                GameObject gameObject = (GameObject)made[Id(document.Field("m_GameObject"))];
                string guid = null;
                foreach (Dictionary<string, string> reference in References(document.Field("m_Script"))) guid = reference["guid"];
                MethodInfo add = typeof(GameObject).GetMethod("AddComponent").MakeGenericMethod(ClassOf(assets[guid]));
                made[document.Id] = add.Invoke(gameObject, null);
            }
            foreach (Document document in documents)
            {
                if (document.Class == 114) SetFields(document, made[document.Id], made);
                if (document.Class == 65)
                {
                    Transform box = ((GameObject)made[Id(document.Field("m_GameObject"))]).transform;
                    Physics.Lay(box.gameObject.AddComponent<Collider>(), delegate (float x, float z) { return Top(box, x, z); });
                    if (box.name == "Floor") Physics.Lay(box.TransformPoint(new Vector3(0f, 0.5f, 0f)), box.up);
                }
            }
            foreach (GameObject gameObject in all) gameObject.SetActive(true);
            return byName;
        }

        // Height at which a line straight down meets a box; NaN beside it.
        private static float Top(Transform box, float x, float z)
        {
            Vector3 from = box.InverseTransformPoint(new Vector3(x, 10f, z));
            Vector3 way = box.InverseTransformPoint(new Vector3(x, 9f, z)) - from;
            float enter = 0f, leave = float.MaxValue;
            for (int axis = 0; axis < 3; axis++)
            {
                if (Mathf.Abs(way[axis]) < 1e-7f)
                {
                    if (Mathf.Abs(from[axis]) > 0.5f) return float.NaN;
                    continue;
                }
                float a = (-0.5f - from[axis]) / way[axis], b = (0.5f - from[axis]) / way[axis];
                enter = Mathf.Max(enter, Mathf.Min(a, b));
                leave = Mathf.Min(leave, Mathf.Max(a, b));
            }
            return enter <= leave ? 10f - enter : float.NaN;
        }

        private static void SetFields(Document document, object script, Dictionary<string, object> made)
        {
            bool isOwn = false;
            foreach (string line in document.Lines)
            {
                if (line.StartsWith("  m_EditorClassIdentifier")) isOwn = true;
                else if (isOwn && line.StartsWith("  ") && line[2] != ' ' && line[2] != '-')
                {
                    string name = line.Split(':')[0].Trim(), value = line.Substring(line.IndexOf(':') + 1).Trim();
                    FieldInfo field = script.GetType().GetField(name);
                    Assert.IsNotNull(field, document.Kind + " has a field that " + script.GetType().Name + " has not: " + name);
                    if (field.FieldType == typeof(float)) field.SetValue(script, float.Parse(value, CultureInfo.InvariantCulture));
                    else if (field.FieldType == typeof(int)) field.SetValue(script, int.Parse(value));
                    else if (field.FieldType == typeof(bool)) field.SetValue(script, value == "1");
                    else if (typeof(UnityEngine.Object).IsAssignableFrom(field.FieldType))
                    {
                        object target = made[Id(value)];
                        Assert.IsTrue(field.FieldType.IsInstanceOfType(target), name + " is a " + target.GetType().Name);
                        field.SetValue(script, target);
                    }
                    else if (field.FieldType == typeof(DetailBand[])) field.SetValue(script, Bands(document.Items(name)));
                    else Assert.AreEqual(typeof(LayerMask), field.FieldType, name);
                }
            }
        }

        private static DetailBand[] Bands(List<string> lines)
        {
            List<DetailBand> bands = new List<DetailBand>();
            foreach (string line in lines)
            {
                if (line.StartsWith("  - ")) bands.Add(new DetailBand());
                string[] pair = line.TrimStart(' ', '-').Split(':');
                FieldInfo field = typeof(DetailBand).GetField(pair[0]);
                float number = float.Parse(pair[1], CultureInfo.InvariantCulture);
                field.SetValue(bands[bands.Count - 1], field.FieldType == typeof(float) ? (object)number
                    : field.FieldType == typeof(int) ? (object)(int)number : Enum.ToObject(field.FieldType, (int)number));
            }
            return bands.ToArray();
        }

        private static string Id(string reference)
        {
            foreach (Dictionary<string, string> one in References(reference)) return one["fileID"];
            return null;
        }

        private static float[] Numbers(string vector)
        {
            return Array.ConvertAll(vector.Trim('{', '}').Split(','), delegate (string part)
            {
                return float.Parse(part.Split(':')[1], CultureInfo.InvariantCulture);
            });
        }

        private static Vector3 Vector(string text)
        {
            float[] numbers = Numbers(text);
            return new Vector3(numbers[0], numbers[1], numbers[2]);
        }

        [Test]
        public void EveryRendererTakesTheMaterialOfTheProjectsPipeline()
        {
            foreach (bool isBuiltIn in new[] { false, true })
            {
                Material material = isBuiltIn ? null : new Material();
                GraphicsSettings.currentRenderPipeline = isBuiltIn ? null : new RenderPipelineAsset { defaultMaterial = material };
                foreach (string sample in Samples())
                {
                    int count = 0;
                    foreach (GameObject each in Load(sample).Values)
                    {
                        Renderer renderer = each.GetComponent<Renderer>();
                        if (renderer == null) continue;
                        count++;
                        Assert.IsTrue(ReferenceEquals(material, renderer.sharedMaterial), each.name + " of " + sample);
                    }
                    Assert.Greater(count, 1, "renderers of " + sample);
                    Player.Clear();
                }
            }
            GraphicsSettings.currentRenderPipeline = null;
        }

        [Test]
        public void TheCameraShowsTheWholeFigure()
        {
            // Field of view 45 degrees, a window of 16 to 9.
            float up = Mathf.Tan(22.5f * Mathf.Deg2Rad), aside = up * 16f / 9f;
            foreach (string sample in Samples())
            {
                if (sample == "Crowd") continue; // the first figure is the corner of the crowd
                Dictionary<string, GameObject> scene = Load(sample);
                for (int i = 0; i < 120; i++) Player.Frame(1f / 60f); // those who walk have come into view
                Vector3 top = scene["Head"].transform.position + Vector3.up * 0.2f;
                foreach (Vector3 place in new[] { top, scene["LeftToes"].transform.position, scene["RightToes"].transform.position })
                {
                    Vector3 seen = scene["Main Camera"].transform.InverseTransformPoint(place);
                    bool isIn = seen.z > 0.1f && Mathf.Abs(seen.y) < up * seen.z && Mathf.Abs(seen.x) < aside * seen.z;
                    Assert.IsTrue(isIn, sample + ": " + place + " is at " + seen + " of the camera");
                }
                Player.Clear();
            }
        }

        [Test]
        public void TheHandHoldsTheCylinder()
        {
            Dictionary<string, GameObject> scene = Load("HoldCylinder");
            for (int i = 0; i < 120; i++)
            {
                Player.Frame(1f / 60f);
                if (i > 40) TestRig.AssertNear(scene["Handle"].transform.position, scene["RightHand"].transform.position, 2e-3f, "frame " + i);
            }
        }

        [Test]
        public void TheFeetStandOnTheGround()
        {
            Dictionary<string, GameObject> scene = Load("FootPlacement");
            SinewAnimator animator = scene["Figure"].GetComponent<SinewAnimator>();
            float nearest = float.MaxValue, farthest = 0f;
            bool stepped = false;
            for (int i = 0; i < 180; i++)
            {
                Player.Frame(1f / 60f);
                nearest = Mathf.Min(nearest, scene["Figure"].transform.position.z);
                farthest = Mathf.Max(farthest, scene["Figure"].transform.position.z);
                if (i < 5) continue;
                float lower = Mathf.Min(OverGround(scene["LeftFoot"]), OverGround(scene["RightFoot"]));
                Assert.AreEqual(animator.leftFeetBottomHeight, lower, 0.01, "the lower foot in frame " + i);
                stepped |= scene["LeftFoot"].transform.position.y - OverGround(scene["LeftFoot"]) > 0.05f;
            }
            Assert.Greater(farthest - nearest, 1.5, "it walks");
            Assert.IsTrue(stepped, "it walks over steps");
        }

        private static float OverGround(GameObject foot)
        {
            RaycastHit hit;
            Vector3 at = foot.transform.position;
            Assert.IsTrue(Physics.Raycast(at + Vector3.up, Vector3.down, out hit, 3f), "ground below " + foot.name);
            return at.y - hit.point.y;
        }

        [Test]
        public void TheGrounderWalksOverStairsSlopeAndRocks()
        {
            Dictionary<string, GameObject> scene = Load("Grounder");
            SinewGrounder grounder = scene["Figure"].GetComponent<SinewGrounder>();
            List<Transform> boxes = new List<Transform>();
            foreach (GameObject each in scene.Values)
                if (each.GetComponent<Collider>() != null) boxes.Add(each.transform);
            float highest = 0f, farthest = 0f;
            int stands = 0;
            for (int i = 0; i < 480; i++)
            {
                Player.Frame(1f / 60f);
                farthest = Mathf.Max(farthest, scene["Figure"].transform.position.z);
                if (i < 5) continue;
                foreach (string side in new[] { "Left", "Right" })
                {
                    Vector3 ball = scene[side + "Toes"].transform.position;
                    float ground = 0f;
                    foreach (Transform box in boxes)
                    {
                        float top = Top(box, ball.x, ball.z);
                        if (top > ground) ground = top;
                    }
                    Assert.Greater(ball.y - ground, -0.03, side + " ball in the ground in frame " + i);
                    if (!(side == "Left" ? grounder.isLeftFootPlanted : grounder.isRightFootPlanted)) continue;
                    if (ball.y - ground < 0.045f) stands++;
                    highest = Mathf.Max(highest, ball.y);
                }
            }
            Assert.Greater(farthest, 5.5, "it walks to the rocks");
            Assert.Greater(highest, 0.36, "it stood on the landing");
            Assert.Greater(stands, 300, "feet stand on the ground");
        }

        [Test]
        public void TheTrackedFigureFollowsItsPlayer()
        {
            Dictionary<string, GameObject> scene = Load("Trackers");
            Sinew.Samples.TrackersPlayer player = scene["Figure"].GetComponent<Sinew.Samples.TrackersPlayer>();
            SinewTrackedBody body = scene["Figure"].GetComponent<SinewTrackedBody>();
            Player.Frame(1f / 60f);
            Assert.AreEqual(player.trackerCount, body.trackers.Count);
            Assert.IsTrue(body.isCalibrated);
            double lowest = 9.0, highest = 0.0;
            for (int i = 0; i < 360; i++)
            {
                Player.Frame(1f / 60f);
                for (int k = 0; k < 3; k++)
                {
                    string bone = body.trackers[k].role.ToString();
                    Vector3 wanted = body.trackers[k].source.position * body.calibration.scale;
                    TestRig.AssertNear(wanted, scene[bone].transform.position, 6e-3f, bone + " in frame " + i);
                }
                lowest = Math.Min(lowest, scene["Hips"].transform.position.y);
                highest = Math.Max(highest, scene["Hips"].transform.position.y);
                // The ball of the foot: a heel may rise.
                double foot = Math.Min(scene["LeftToes"].transform.position.y, scene["RightToes"].transform.position.y);
                Assert.Less(foot, 0.07, "a foot stands in frame " + i);
            }
            Assert.Greater(highest - lowest, 0.1, "it crouches");
        }

        [Test]
        public void TheHeadFollowsTheTargetAllTheWayRound()
        {
            Dictionary<string, GameObject> scene = Load("Aim");
            double widest = 0.0, farthest = 0.0, worstStep = 0.0;
            Quaternion before = scene["Head"].transform.rotation;
            for (int i = 0; i < 480; i++)
            {
                Player.Frame(1f / 60f);
                Vector3 toTarget = scene["Target"].transform.position - scene["Head"].transform.position;
                if (Vector3.Angle(toTarget, Vector3.forward) < 60.0)
                    Assert.Less(Vector3.Angle(scene["Head"].transform.forward, toTarget), 25.0, "frame " + i);
                widest = Math.Max(widest, Vector3.Angle(scene["Head"].transform.forward, Vector3.forward));
                farthest = Math.Max(farthest, Vector3.Angle(new Vector3(toTarget.x, 0f, toTarget.z), Vector3.forward));
                if (i > 0) worstStep = Math.Max(worstStep, Quaternion.Angle(before, scene["Head"].transform.rotation));
                before = scene["Head"].transform.rotation;
            }
            Assert.Greater(widest, 40.0);
            Assert.Greater(farthest, 178.0, "the target walks round behind");
            Assert.Less(worstStep, 6.0, "degrees in a frame: it never snaps over");
        }

        [Test]
        public void TwoHundredAreSolvedInOneCall()
        {
            Dictionary<string, GameObject> scene = Load("Crowd");
            Player.Frame(1f / 60f);
            Player.Frame(1f / 60f);
            Crowd crowd = scene["Crowd"].GetComponent<Crowd>();
            Assert.AreEqual(200, crowd.Made);
            Assert.AreEqual(200, SinewRuntime.RunningCount);
            long calls = SinewRuntime.SolveCalls;
            Player.Frame(1f / 60f);
            Assert.AreEqual(1L, SinewRuntime.SolveCalls - calls);
            SinewWorldReport report = SinewWorld.current.report;
            Assert.AreEqual(200, (int)(report.solved + report.between + report.off));
            Assert.Greater((int)report.between, 0, "levels of detail");
            Vector3 toBall = scene["Ball"].transform.position - scene["Head"].transform.position;
            Assert.Greater(Vector3.Dot(toBall.normalized, scene["Head"].transform.forward), 0.0, "they look at the ball");
        }
    }
}
