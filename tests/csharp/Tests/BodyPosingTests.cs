using System;
using System.Reflection;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Joints of a SinewBody that are dragged in the Scene view (Auto IK).</summary>
    public sealed class BodyPosingTests
    {
        private const float Step = 1f / 60f;

        private static TestRig Person(out SinewBody body)
        {
            TestRig rig = new TestRig();
            body = rig.Root.AddComponent<SinewBody>();
            rig.Root.transform.position = new Vector3(2f, 0f, -1f);
            rig.Root.transform.rotation = Quaternion.Euler(0f, 35f, 0f);
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            return rig;
        }

        /// <summary>The Inspector of a body with Auto IK on, in Edit mode.</summary>
        private sealed class SceneView : IDisposable
        {
            internal readonly UnityEditor.Editor Inspector;
            private readonly Type type = Assembly.GetExecutingAssembly().GetType("Sinew.Editor.SinewBodyEditor");

            internal SceneView(params UnityEngine.Object[] bodies)
            {
                Inspector = (UnityEditor.Editor)Activator.CreateInstance(type, true);
                Inspector.targets = bodies;
                Application.isPlaying = false;
                IsPosing = true;
            }

            internal bool IsPosing
            {
                get { return (bool)Posing.GetValue(null); }
                set { Posing.SetValue(null, value); }
            }

            private FieldInfo Posing
            {
                get { return type.GetField("isPosing", BindingFlags.Static | BindingFlags.NonPublic); }
            }

            internal void Draw()
            {
                Send("OnSceneGUI");
            }

            public void Dispose()
            {
                Handles.FreeMoved = null;
                IsPosing = false;
                Send("OnDisable");
                Application.isPlaying = true;
            }

            private void Send(string message)
            {
                type.GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic).Invoke(Inspector, null);
            }
        }

        [Test]
        public void TheInspectorPosesByDragging()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Frame(Step);
            body.enabled = false;
            body.effectors.Add(new SinewBodyEffector { joint = rig["LeftFoot"], pin = true });
            using (SceneView scene = new SceneView(body))
            {
                scene.Inspector.OnInspectorGUI();
                Assert.IsTrue(scene.IsPosing, "the toggle");
                Vector3 foot = rig["LeftFoot"].position;
                Vector3 hips = rig["Hips"].position;
                Handles.FreeMoved = rig.Joints[0];
                Handles.FreeMove = new Vector3(0f, -0.1f, 0f);
                scene.Draw();
                TestRig.AssertNear(hips + Handles.FreeMove, rig["Hips"].position, 2e-3f, "the dragged hips");
                TestRig.AssertNear(foot, rig["LeftFoot"].position, 2e-3f, "the pinned foot");
            }
        }

        [Test]
        public void EachOfSeveralSelectedBodiesIsPosedByItself()
        {
            SinewBody[] bodies = new SinewBody[2];
            TestRig[] rigs = { Person(out bodies[0]), Person(out bodies[1]) };
            rigs[1].Root.transform.position = new Vector3(3f, 0f, 0f);
            for (int i = 0; i < 2; i++)
            {
                bodies[i].enabled = false;
                bodies[i].effectors.Add(new SinewBodyEffector { joint = rigs[i]["LeftFoot"], pin = true });
            }
            using (SceneView scene = new SceneView(bodies))
            {
                Handles.FreeMove = new Vector3(0f, -0.02f, 0f);
                for (int round = 0; round < 3; round++)
                    for (int i = 0; i < 2; i++)
                    {
                        Vector3 hips = rigs[i]["Hips"].position, others = rigs[1 - i]["Hips"].position, foot = rigs[i]["LeftFoot"].position;
                        scene.Inspector.target = bodies[i];
                        Handles.FreeMoved = rigs[i]["Hips"];
                        scene.Draw();
                        TestRig.AssertNear(hips + Handles.FreeMove, rigs[i]["Hips"].position, 2e-3f, "the dragged hips of " + i);
                        TestRig.AssertNear(foot, rigs[i]["LeftFoot"].position, 2e-3f, "the pinned foot of " + i);
                        TestRig.AssertNear(others, rigs[1 - i]["Hips"].position, 0f, "the hips of the other one");
                    }
            }
        }

        [Test]
        public void PosingBelowAScaleThatCannotBeSolvedIsSaidOnce()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            body.enabled = false;
            using (SceneView scene = new SceneView(body))
            {
                Handles.FreeMoved = rig["Hips"];
                Handles.FreeMove = new Vector3(0f, -0.1f, 0f);
                rig.Root.transform.localScale = Vector3.zero;
                Vector3 at = rig["Hips"].localPosition;
                for (int i = 0; i < 3; i++) scene.Draw();
                Assert.AreEqual(0, Debug.Lines.Count, "scaled away: " + string.Join(" | ", Debug.Lines.ToArray()));
                Assert.IsTrue(scene.IsPosing && rig["Hips"].localPosition == at, "scaled away");
                rig.Root.transform.localScale = new Vector3(1f, 2f, 1f);
                for (int i = 0; i < 3; i++) scene.Draw();
                Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
                Assert.IsTrue(Debug.Lines[0].Contains("no Auto IK: ") && Debug.Lines[0].Contains("scale"), Debug.Lines[0]);
                Debug.Lines.Clear();
                Assert.IsFalse(scene.IsPosing, "the toggle");
            }
        }

        [Test]
        public void PosingABodyWithAMistakeIsSaidOnce()
        {
            SinewBody body;
            TestRig rig = Person(out body), other = new TestRig();
            body.enabled = false;
            // A pin on a joint of another object is none.
            body.effectors.Add(new SinewBodyEffector { joint = other["LeftFoot"], pin = true });
            body.rootJoint = other["Hips"];
            using (SceneView scene = new SceneView(body))
            {
                for (int i = 0; i < 3; i++) scene.Draw();
                Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
                Assert.IsTrue(Debug.Lines[0].Contains("no Auto IK: 'Hips' is no joint below"), Debug.Lines[0]);
                Debug.Lines.Clear();
                Assert.IsFalse(scene.IsPosing, "the toggle");
                body.rootJoint = rig["Hips"];
                scene.IsPosing = true;
                Vector3 hips = rig["Hips"].position;
                Handles.FreeMoved = rig.Joints[0];
                Handles.FreeMove = new Vector3(0f, -0.1f, 0f);
                scene.Draw();
                TestRig.AssertNear(hips + Handles.FreeMove, rig["Hips"].position, 2e-3f, "the dragged hips");
            }
        }
    }
}
