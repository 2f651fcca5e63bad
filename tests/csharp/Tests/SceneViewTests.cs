using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Sinew.Tests
{
    /// <summary>Scene view, Inspectors, menus and presets: what a designer touches.</summary>
    public sealed class SceneViewTests
    {
        private static UnityEditor.Editor Inspector(string name, params UnityEngine.Object[] of)
        {
            Type type = Assembly.GetExecutingAssembly().GetType("Sinew.Editor." + name);
            UnityEditor.Editor made = (UnityEditor.Editor)Activator.CreateInstance(type, true);
            made.targets = of;
            return made;
        }

        private static void Message(object of, string name)
        {
            MethodInfo method = of.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public);
            try
            {
                method.Invoke(of, null);
            }
            catch (TargetInvocationException e)
            {
                throw e.InnerException;
            }
        }

        // What the Component menu offers: not the ones that samples bring, whose entry is empty.
        private static IEnumerable<Type> Components()
        {
            foreach (Type type in typeof(SinewAnimator).Assembly.GetTypes())
            {
                AddComponentMenu menu = (AddComponentMenu)Attribute.GetCustomAttribute(type, typeof(AddComponentMenu));
                if (type.Namespace != "Sinew.Tests" && menu != null && menu.componentMenu.Length > 0) yield return type;
            }
        }

        [SetUp]
        public void Edit()
        {
            Application.isPlaying = false;
        }

        [TearDown]
        public void LetGo()
        {
            GUILayout.Pressed = "";
            Handles.DraggedSlider = -1;
            Handles.Drag = Vector3.zero;
            PrefabUtility.Recorded.Clear();
            Undo.PerformUndo();
        }

        [Test]
        public void BordersOfLimitsAreDragged()
        {
            TestRig rig = new TestRig().Start();
            SinewJointLimits limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            // Reset has laid the frame's Y along the bone, which points to the right.
            TestRig.AssertNear(Vector3.right, limits.WorldLimitSpace() * Vector3.up, 1e-4f, "Y lies along the bone");
            limits.limitX = limits.limitY = limits.limitZ = true;
            float length = limits.DrawnLength();
            UnityEditor.Editor inspector = Inspector("JointLimitsEditor", limits);
            // Six borders: least and greatest of X, Y, Z.
            float[] radii = { length, length, length * 0.5f, length * 0.5f, length, length };
            for (int slider = 0; slider < 6; slider++)
            {
                int axis = slider / 2;
                bool isUpper = slider % 2 == 1;
                limits.min = new Vector3(-45f, -45f, -45f);
                limits.max = new Vector3(45f, 45f, 45f);
                Quaternion space = limits.WorldLimitSpace();
                Vector3 about = space * LimitShape.Axis(axis), arm = space * LimitShape.Arm(axis);
                float angle = isUpper ? 45f : -45f, wanted = isUpper ? 70f : -20f;
                Handles.Sliders = 0;
                Handles.DraggedSlider = slider;
                Handles.SliderDrag = (Quaternion.AngleAxis(wanted, about) * arm - Quaternion.AngleAxis(angle, about) * arm) * radii[slider];
                Message(inspector, "OnSceneGUI");
                Assert.AreEqual(6, Handles.Sliders, "handles");
                Assert.AreEqual(wanted, isUpper ? limits.max[axis] : limits.min[axis], 0.05, "border " + slider);
                Assert.IsTrue(PrefabUtility.Recorded.Contains(limits), "an override of the instance");
                Undo.PerformUndo();
                Assert.AreEqual(angle, isUpper ? limits.max[axis] : limits.min[axis], 1e-4, "undone");
            }
        }

        [Test]
        public void ABorderThatIsDraggedInPlayHoldsAtOnce()
        {
            Application.isPlaying = true;
            TestRig rig = new TestRig().Start();
            SinewJointLimits limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.limitX = true;
            limits.lockY = limits.lockZ = true;
            limits.frame = new Vector3(0f, 0f, -90f);
            SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
            chain.jointCount = 2;
            chain.target = new GameObject("Target").transform;
            chain.target.position = rig["RightLowerArm"].position + new Vector3(0f, 0f, -1f);
            Player.Frame(0.02f);
            double before = Vector3.Angle(Vector3.right, rig["RightHand"].position - rig["RightLowerArm"].position);
            limits.min.x = -90f;
            limits.max.x = 90f;
            limits.Refresh();
            Player.Frame(0.02f);
            double after = Vector3.Angle(Vector3.right, rig["RightHand"].position - rig["RightLowerArm"].position);
            Assert.AreEqual(45.0, before, 0.5);
            Assert.AreEqual(90.0, after, 0.5);
        }

        [Test]
        public void CornersAreDraggedAndDrawn()
        {
            TestRig rig = new TestRig().Start();
            SinewJointLimits limits = rig["Spine"].gameObject.AddComponent<SinewJointLimits>();
            limits.corners = new[] { new Vector3(0.5f, 1f, 0f), new Vector3(-0.3f, 1f, 0.4f), new Vector3(-0.3f, 1f, -0.4f) };
            Vector3 before = limits.corners[1];
            Handles.Sliders = 0;
            Handles.DraggedSlider = 1;
            Handles.SliderDrag = new Vector3(0.02f, 0f, 0.01f);
            Message(Inspector("JointLimitsEditor", limits), "OnSceneGUI");
            Assert.AreEqual(3, Handles.Sliders);
            Assert.Greater(Vector3.Distance(before.normalized, limits.corners[1].normalized), 0.05, "moved");
        }

        [Test]
        public void EveryComponentDrawsGizmosInEditMode()
        {
            int kinds = 0;
            foreach (Type type in Components())
            {
                TestRig rig = new TestRig().Start();
                GameObject on = type == typeof(SinewGoals) || type == typeof(SinewAnimator) || type == typeof(SinewGrounder)
                    || type == typeof(SinewTrackedBody) ? rig.Root : rig["RightHand"].gameObject;
                MonoBehaviour made = type == typeof(SinewAnimator) ? rig.Animator : Added(on, type);
                Transform target = new GameObject("Target").transform;
                target.position = new Vector3(0.4f, 1.1f, 0.4f);
                foreach (FieldInfo field in type.GetFields())
                {
                    if (field.FieldType == typeof(Transform) && field.Name != "end" && field.Name != "mid" && field.Name != "root" && field.Name != "joint")
                        field.SetValue(made, target);
                    if (field.Name == "points") field.SetValue(made, new[] { target, rig["Head"], rig["Hips"] });
                    if (field.Name.StartsWith("limit") && field.FieldType == typeof(bool)) field.SetValue(made, true);
                    if (field.Name == "inPlane") field.SetValue(made, true);
                    if (field.Name == "distanceMode") field.SetValue(made, SinewDistanceMode.On);
                    if (field.FieldType == typeof(SinewGoals.Limb)) field.SetValue(made, new SinewGoals.Limb { target = target, hint = target });
                }
                // SinewAnimator draws bones and results, which there are in Play only.
                if (type == typeof(SinewAnimator)) continue;
                int before = Gizmos.Drawn;
                Message(made, "OnDrawGizmosSelected");
                Assert.Greater(Gizmos.Drawn - before, 2, type.Name + " draws");
                kinds++;
                Player.Clear();
                Application.isPlaying = false;
            }
            Assert.Greater(kinds, 7, "kinds of components");
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
        }

        [Test]
        public void ALimbWithoutAJointThatBendsDrawsNothing()
        {
            Application.isPlaying = false;
            SinewTwoBone limb = new GameObject("Alone").AddComponent<SinewTwoBone>();
            limb.root = new GameObject("Root").transform;
            Message(limb, "OnDrawGizmosSelected");
        }

        private static MonoBehaviour Added(GameObject on, Type type)
        {
            MethodInfo add = typeof(GameObject).GetMethod("AddComponent").MakeGenericMethod(type);
            return (MonoBehaviour)add.Invoke(on, null);
        }

        [Test]
        public void EveryComponentHasMenuHelpAndInspector()
        {
            string package = Path.Combine(Path.GetDirectoryName(Environment.GetEnvironmentVariable("SINEW_GOLDEN_HASHES")), "../../unity-package");
            string manifest = File.ReadAllText(Path.Combine(package, "package.json"));
            foreach (Type type in Components())
            {
                AddComponentMenu menu = (AddComponentMenu)Attribute.GetCustomAttribute(type, typeof(AddComponentMenu));
                Assert.IsTrue(menu.componentMenu.StartsWith("Sinew IK/"), type.Name + " menu " + menu.componentMenu);
                ManualPageAttribute manual = (ManualPageAttribute)Attribute.GetCustomAttribute(type, typeof(ManualPageAttribute));
                Assert.IsNotNull(manual, type.Name + " has no page of the manual");
                string page = Path.Combine(package, "Documentation~", manual.File);
                Assert.IsTrue(File.Exists(page), type.Name + ": there is no page " + page);
                // While the project has no address there is no help button.
                HelpURLAttribute help = (HelpURLAttribute)Attribute.GetCustomAttribute(type, typeof(HelpURLAttribute));
                Assert.AreEqual(manifest.Contains("\"documentationUrl\""), help != null, type.Name + " has HelpURL");
                if (help != null) Assert.IsTrue(help.URL.EndsWith("/Documentation~/" + manual.File), help.URL);
                IconAttribute icon = (IconAttribute)Attribute.GetCustomAttribute(type, typeof(IconAttribute));
                Assert.IsNotNull(icon, type.Name + " has no icon");
                Assert.IsTrue(icon.path.StartsWith("Packages/com.sinew.ik/"), icon.path);
                string picture = Path.Combine(package, icon.path.Substring("Packages/com.sinew.ik/".Length));
                Assert.IsTrue(File.Exists(picture), type.Name + ": there is no picture " + picture);
                Assert.IsTrue(HasInspector(type), type.Name + " has no Inspector of its own");
            }
        }

        [Test]
        public void EveryComponentsMenuOpensItsPageInThePackage()
        {
            MethodInfo open = typeof(Sinew.Editor.SinewManual).GetMethod("Open", BindingFlags.Static | BindingFlags.NonPublic);
            List<string> items = new List<string>();
            foreach (MenuItem item in open.GetCustomAttributes(typeof(MenuItem), false)) items.Add(item.menuItem);
            // The Editor maps the folder of a package to where its files are; here a folder stands
            // for that.
            string work = Path.Combine(Path.GetTempPath(), "sinew-manual-" + System.Diagnostics.Process.GetCurrentProcess().Id);
            string before = Directory.GetCurrentDirectory();
            Directory.CreateDirectory(Path.Combine(work, SinewHelp.Pages));
            int count = 0;
            try
            {
                Directory.SetCurrentDirectory(work);
                foreach (Type type in Components())
                {
                    Assert.IsTrue(items.Contains("CONTEXT/" + type.Name + "/Manual Page"), type.Name + " has no Manual Page in its menu");
                    ManualPageAttribute manual = (ManualPageAttribute)Attribute.GetCustomAttribute(type, typeof(ManualPageAttribute));
                    File.WriteAllText(SinewHelp.Pages + manual.File, "");
                    EditorUtility.Opened.Clear();
                    Sinew.Editor.SinewManual.Open(new MenuCommand(Added(new GameObject(type.Name), type)));
                    Assert.AreEqual(1, EditorUtility.Opened.Count, type.Name);
                    Assert.AreEqual(Path.GetFullPath(SinewHelp.Pages + manual.File), EditorUtility.Opened[0]);
                    count++;
                }
                Assert.AreEqual(items.Count, count, "an item for each component");
                File.Delete(SinewHelp.Pages + "sinew-aim.md");
                EditorUtility.Opened.Clear();
                Debug.Lines.Clear();
                Sinew.Editor.SinewManual.Open(new MenuCommand(new GameObject("Aim").AddComponent<SinewAim>()));
                Assert.AreEqual(0, EditorUtility.Opened.Count, "a page that is not there");
                Assert.AreEqual(1, Debug.Lines.Count);
                Debug.Lines.Clear();
            }
            finally
            {
                Directory.SetCurrentDirectory(before);
                Directory.Delete(work, true);
            }
        }

        private static bool HasInspector(Type type)
        {
            foreach (Type editor in Assembly.GetExecutingAssembly().GetTypes())
                foreach (object attribute in editor.GetCustomAttributes(typeof(CustomEditor), false))
                    if (((CustomEditor)attribute).Type.IsAssignableFrom(type) && Attribute.IsDefined(editor, typeof(CanEditMultipleObjects))) return true;
            return false;
        }

        [Test]
        public void InspectorsShowEveryFieldOnce()
        {
            TestRig rig = new TestRig().Start();
            SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
            chain.endRotation = EndRotation.AlignAxis;
            chain.distanceMode = SinewDistanceMode.On;
            chain.placement = Sinew.SinewConstraintPlacement.Before;
            chain.inPlane = true;
            chain.solver = SinewChainSolver.Spring;
            foreach (KeyValuePair<string, MonoBehaviour> pair in new Dictionary<string, MonoBehaviour>
            {
                { "SinewAnimatorEditor", rig.Animator }, { "SinewGoalsEditor", rig.Root.AddComponent<SinewGoals>() }, { "ConstraintEditor", chain },
                { "JointLimitsEditor", rig["Head"].gameObject.AddComponent<SinewJointLimits>() },
                { "SinewWorldEditor", new GameObject("World").AddComponent<SinewWorld>() },
                { "SinewGrounderEditor", rig.Root.AddComponent<SinewGrounder>() },
                { "SinewTrackedBodyEditor", rig.Root.AddComponent<SinewTrackedBody>() },
            })
            {
                EditorGUILayout.Properties.Clear();
                Inspector(pair.Key, pair.Value).OnInspectorGUI();
                List<string> hidden = new List<string> { "detailIterations", "detailInterval" };
                foreach (FieldInfo field in pair.Value.GetType().GetFields(BindingFlags.Public | BindingFlags.Instance))
                {
                    int times = EditorGUILayout.Properties.FindAll(delegate (string shown) { return shown == field.Name; }).Count;
                    Assert.AreEqual(hidden.Contains(field.Name) ? 0 : 1, times, pair.Key + "." + field.Name);
                }
            }
        }

        [Test]
        public void FieldsThatDoNotCountAreHidden()
        {
            TestRig rig = new TestRig().Start();
            SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
            EditorGUILayout.Properties.Clear();
            Inspector("ConstraintEditor", chain).OnInspectorGUI();
            foreach (string field in new[] { "endAxis", "targetAxis", "radius", "step", "planeAxis", "springBias", "rotationWeight" })
                Assert.IsFalse(EditorGUILayout.Properties.Contains(field), field);
            Assert.IsTrue(EditorGUILayout.Properties.Contains("jointCount"));
        }

        [Test]
        public void DrawersShowWhatCounts()
        {
            TestRig rig = new TestRig().Start();
            SinewGoals goals = rig.Root.AddComponent<SinewGoals>();
            rig.Animator.humanBones = rig.Table();
            rig.Animator.humanRanges = new[] { HumanRangeEntry.People(HumanBodyBones.LeftHand) };
            SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
            chain.branches = new[] { new ChainBranch { endRotation = EndRotation.AlignAxis } };
            SinewWorld world = new GameObject("World").AddComponent<SinewWorld>();
            Assert.AreEqual(8, Lines("LimbDrawer", goals, "rightHand", delegate { goals.rightHand.target = goals.rightHand.hint = rig["Head"]; }));
            Assert.AreEqual(3, Lines("LimbDrawer", goals, "leftHand", delegate { }));
            Assert.AreEqual(1, Lines("HumanBoneDrawer", rig.Animator, "humanBones[3]", delegate { }));
            Assert.AreEqual(8, Lines("HumanRangeDrawer", rig.Animator, "humanRanges[0]", delegate { }));
            Assert.AreEqual(12, Lines("ChainBranchDrawer", chain, "branches[0]", delegate { }));
            Assert.AreEqual(3, Lines("DetailBandDrawer", world, "bands[0]", delegate { }));
            Assert.AreEqual(4, Lines("DetailBandDrawer", world, "bands[1]", delegate { }));
        }

        // Draws an unfolded drawer, and tells how many lines it asks for.
        private static int Lines(string drawer, UnityEngine.Object of, string path, Action prepare)
        {
            prepare();
            PropertyDrawer made = (PropertyDrawer)Activator.CreateInstance(Assembly.GetExecutingAssembly().GetType("Sinew.Editor." + drawer), true);
            SerializedProperty property = new SerializedObject(of).FindProperty(path.Split('[')[0]);
            if (path.Contains("[")) property = property.GetArrayElementAtIndex(int.Parse(path.Split('[', ']')[1]));
            property.isExpanded = true;
            EditorGUILayout.Properties.Clear();
            made.OnGUI(new Rect(0f, 0f, 300f, 18f), property, new GUIContent("x"));
            int lines = (int)Math.Round((made.GetPropertyHeight(property, new GUIContent("x")) + 2f) / 20f);
            int drawn = EditorGUILayout.Properties.Count;
            Assert.AreEqual(drawer == "HumanBoneDrawer" ? 2 : lines - 1, drawn, drawer + " fields");
            if (drawer == "HumanBoneDrawer") return lines;
            for (int i = 0; i < drawn; i++)
                Assert.IsFalse(string.IsNullOrEmpty(EditorGUI.Tooltips[EditorGUI.Tooltips.Count - drawn + i]), drawer + ", tooltip of " + EditorGUILayout.Properties[i]);
            AssertApart(made, property, drawer);
            return lines;
        }

        // In a narrow Inspector, where a vector takes a second line.
        private static void AssertApart(PropertyDrawer drawer, SerializedProperty property, string name)
        {
            EditorGUIUtility.wideMode = false;
            float height = drawer.GetPropertyHeight(property, new GUIContent("x")), end = 18f;
            EditorGUILayout.Properties.Clear();
            EditorGUI.Places.Clear();
            drawer.OnGUI(new Rect(0f, 0f, 200f, height), property, new GUIContent("x"));
            for (int i = 0; i < EditorGUI.Places.Count; i++)
            {
                Rect place = EditorGUI.Places[i];
                string field = EditorGUILayout.Properties[i];
                Assert.Greater(place.y, end, name + ", " + field + " begins below the one before");
                bool isVector = field.EndsWith("tip") || field.EndsWith("Axis") || field.EndsWith("Point");
                Assert.AreEqual(isVector ? 38f : 18f, place.height, 0.01, name + ", height of " + field);
                end = place.y + place.height;
            }
            Assert.AreEqual(height, end, 0.01, name + ", height of all");
            EditorGUIUtility.wideMode = true;
        }

        [Test]
        public void EveryBoneHasItsOwnNameInTheTableOfRanges()
        {
            TestRig rig = new TestRig().Start();
            for (int bone = 0; bone < (int)HumanBodyBones.LastBone; bone++)
            {
                rig.Animator.humanRanges = new[] { new HumanRangeEntry { bone = (HumanBodyBones)bone } };
                EditorGUILayout.Shown.Clear();
                Lines("HumanRangeDrawer", rig.Animator, "humanRanges[0]", delegate { });
                Assert.AreEqual(((HumanBodyBones)bone).ToString(), EditorGUILayout.Shown[0]);
            }
        }

        [Test]
        public void MenusMakeWorkingConstraintsWithUndo()
        {
            foreach (string item in new[] { "AddChain", "AddTwoBone", "AddAim", "AddSpline", "AddCopyRotation", "AddLimits" })
            {
                TestRig rig = new TestRig();
                rig.Root.SetActive(true);
                GameObject joint = rig["RightHand"].gameObject;
                MethodInfo menu = typeof(Sinew.Editor.SinewMenu).GetMethod(item, BindingFlags.Static | BindingFlags.NonPublic);
                menu.Invoke(null, new object[] { new MenuCommand(joint) });
                Assert.IsTrue(rig.Root.GetComponent<SinewAnimator>() != null, item + ": the root gets a SinewAnimator");
                ConstraintBehaviour made = joint.GetComponent<ConstraintBehaviour>();
                Assert.IsTrue(item == "AddLimits" ? joint.GetComponent<SinewJointLimits>() != null : made != null, item);
                SinewTwoBone limb = made as SinewTwoBone;
                if (limb != null)
                {
                    TestRig.AssertNear(rig["RightHand"].position, limb.target.position, 1e-4f, "target");
                    Assert.IsTrue(limb.pole != null && limb.target.parent == null, "pole, and targets beside the character");
                }
                SinewSpline spline = made as SinewSpline;
                if (spline != null)
                {
                    TestRig.AssertNear(rig["Hips"].position, spline.points[0].position, 1e-4f, "first point");
                    TestRig.AssertNear(rig["RightHand"].position, spline.points[3].position, 1e-4f, "last point");
                }
                Undo.PerformUndo();
                Assert.IsTrue(rig.Root.GetComponent<SinewAnimator>() == null && joint.GetComponent<ConstraintBehaviour>() == null, item + " undone");
                Player.Clear();
                Application.isPlaying = false;
            }
        }

        [Test]
        public void MenusMakeObjectsWhereTheyAreSavedWithWhatTheyAreFor()
        {
            foreach (bool isPrefab in new[] { false, true })
            {
                SceneManager.Active = SceneManager.Make();
                Scene other = SceneManager.Make();
                TestRig rig = new TestRig();
                rig.Root.SetActive(true);
                if (isPrefab) PrefabStageUtility.Open(rig.Root);
                else SceneManager.MoveGameObjectToScene(rig.Root, other);
                List<Transform> made = new List<Transform>();
                GameObject joint = rig["RightHand"].gameObject;
                Sinew.Editor.SinewMenu.AddTwoBone(new MenuCommand(joint));
                made.Add(joint.GetComponent<SinewTwoBone>().target);
                made.Add(joint.GetComponent<SinewTwoBone>().pole);
                Sinew.Editor.SinewMenu.AddSpline(new MenuCommand(rig["Head"].gameObject));
                made.AddRange(rig["Head"].GetComponent<SinewSpline>().points);
                Sinew.Editor.SinewMenu.AddGoals(new MenuCommand(rig.Root));
                made.Add(rig.Root.GetComponent<SinewGoals>().leftFoot.target);
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.effectors.Add(new SinewBodyEffector { joint = rig["LeftHand"] });
                UnityEditor.Editor inspector = Inspector("SinewBodyEditor", body);
                GUILayout.Pressed = "Create Missing Targets";
                inspector.OnInspectorGUI();
                GUILayout.Pressed = "";
                TestRig.AssertNear(rig["LeftHand"].position, body.effectors[0].target.position, 1e-5f, "place of a target");
                made.Add(body.effectors[0].target);
                foreach (Transform each in made)
                {
                    Assert.IsTrue(each.gameObject.scene == rig.Root.scene, each.name + ": another scene, prefab: " + isPrefab);
                    if (isPrefab) Assert.IsTrue(each.IsChildOf(rig.Root.transform), each.name + " is not in the prefab");
                    else if (each.name != "LeftFoot Goal") Assert.IsTrue(each.parent == null, each.name + " is not beside the character");
                }
                Sinew.Editor.SinewMenu.AddWorld(new MenuCommand(null));
                GameObject world = (GameObject)Selection.activeObject;
                Assert.IsTrue(world.scene == (isPrefab ? rig.Root.scene : SceneManager.Active), "scene of the world");
                if (isPrefab) Assert.IsTrue(world.transform.parent == rig.Root.transform, "the world is not in the prefab");
                PrefabStageUtility.Open(null);
                // Of an asset, which has no scene: in the scene that is being edited.
                SceneManager.Active = default(Scene);
                TestRig asset = new TestRig();
                SceneManager.Active = other;
                Sinew.Editor.SinewMenu.AddChain(new MenuCommand(asset["Head"].gameObject));
                Assert.IsTrue(asset["Head"].GetComponent<SinewChain>().target.gameObject.scene == other, "target of an asset");
                SceneManager.Active = default(Scene);
                Undo.PerformUndo();
                Player.Clear();
                Application.isPlaying = false;
            }
        }

        [Test]
        public void TheMenuMakesAHumanoidWithGoals()
        {
            TestRig rig = new TestRig("Bip_");
            rig.Root.SetActive(true);
            Sinew.Editor.SinewMenu.AddGoals(new MenuCommand(rig.Root));
            SinewGoals goals = rig.Root.GetComponent<SinewGoals>();
            for (int i = 0; i < 4; i++)
            {
                string bone = ((AvatarIKGoal)i).ToString();
                TestRig.AssertNear(rig[bone].position, goals[(AvatarIKGoal)i].target.position, 1e-4f, bone);
            }
            Sinew.Editor.SinewMenu.AddWorld(new MenuCommand(null));
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
        }

        [Test]
        public void PresetsSetLimitsThatTheLibraryTakes()
        {
            Application.isPlaying = true;
            int presets = 0;
            foreach (MethodInfo method in typeof(Sinew.Editor.SinewPresets).GetMethods(BindingFlags.Static | BindingFlags.NonPublic))
            {
                MenuItem item = (MenuItem)Attribute.GetCustomAttribute(method, typeof(MenuItem));
                if (item == null) continue;
                presets++;
                TestRig rig = new TestRig().Start();
                MonoBehaviour of = rig.Animator;
                if (item.menuItem.StartsWith("CONTEXT/SinewJointLimits/")) of = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
                if (item.menuItem.StartsWith("CONTEXT/SinewWorld/")) of = new GameObject("World").AddComponent<SinewWorld>();
                SinewChain chain = rig["RightHand"].gameObject.AddComponent<SinewChain>();
                if (item.menuItem.StartsWith("CONTEXT/SinewChain/")) of = chain;
                chain.target = new GameObject("Target").transform;
                chain.target.position = new Vector3(0.5f, 1.2f, 0.3f);
                method.Invoke(null, new object[] { new MenuCommand(of) });
                Player.Frame(0.02f);
                Player.Frame(0.02f);
                SinewJointLimits limits = of as SinewJointLimits;
                if (limits != null) Assert.Less(limits.violation, 0.5, item.menuItem);
                Assert.IsTrue(chain.problemDescription == null, item.menuItem + ": " + chain.problemDescription);
                Assert.IsTrue(PrefabUtility.Recorded.Contains(of), item.menuItem + " is an override");
                Undo.PerformUndo();
                Player.Clear();
                PrefabUtility.Recorded.Clear();
            }
            Assert.Greater(presets, 10);
        }

        [Test]
        public void TheLegendNamesEveryColourAndCanBeHidden()
        {
            TestRig rig = new TestRig().Start();
            UnityEditor.Editor inspector = Inspector("SinewAnimatorEditor", rig.Animator);
            EditorGUILayout.Shown.Clear();
            Message(inspector, "OnSceneGUI");
            Assert.AreEqual(SinewColors.Legend.Length, EditorGUILayout.Shown.Count);
            foreach (object part in Enum.GetValues(typeof(SinewDebugPart)))
                Assert.IsTrue(Array.Exists(SinewColors.Legend, delegate (SinewColors.Entry entry) { return entry.Color.Equals(SinewColors.Of((SinewDebugPart)part)); }),
                    part + " has no line in the legend");
            Sinew.Editor.SinewMenu.ToggleLegend();
            EditorGUILayout.Shown.Clear();
            Message(inspector, "OnSceneGUI");
            Assert.AreEqual(0, EditorGUILayout.Shown.Count);
            Sinew.Editor.SinewMenu.ToggleLegend();
        }

        [Test]
        public void WhyARigIsNoHumanoidIsSaidBeforePlay()
        {
            TestRig rig = new TestRig().Start();
            rig["LeftUpperLeg"].SetParent(null, true);
            EditorGUILayout.Shown.Clear();
            Inspector("SinewAnimatorEditor", rig.Animator).OnInspectorGUI();
            string said = EditorGUILayout.Shown.Find(delegate (string line) { return line.StartsWith("Not a humanoid"); });
            Assert.IsTrue(said != null && said.Contains("missing: ") && said.Contains("LeftUpperLeg"), said ?? string.Join(" | ", EditorGUILayout.Shown.ToArray()));
            Assert.AreEqual(0, SinewLibrary.LiveObjects);
        }

        [Test]
        public void ASplineIsDrawnThroughItsPoints()
        {
            Vector3[] points = { new Vector3(0f, 0f, 0f), new Vector3(1f, 2f, 0f), new Vector3(3f, 2f, 1f), new Vector3(4f, 0f, 0f) };
            for (int i = 0; i < 3; i++)
            {
                TestRig.AssertNear(points[i], SinewGizmos.Point(points, SinewCurve.CatmullRom, i, 0f), 1e-5f, "start of span " + i);
                TestRig.AssertNear(points[i + 1], SinewGizmos.Point(points, SinewCurve.CatmullRom, i, 1f), 1e-5f, "end of span " + i);
            }
            TestRig.AssertNear(new Vector3(2f, 1.5f, 0.375f), SinewGizmos.Point(points, SinewCurve.Bezier, 0, 0.5f), 1e-5f, "Bezier");
        }
    }
}
