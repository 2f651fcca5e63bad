using System;
using System.IO;
using System.Text;
using NUnit.Framework;
using Sinew.Samples;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>The tutorial's scene: as the demo host plays it, and as the package's sample builds
    /// it.</summary>
    public sealed class TutorialTests
    {
        [Test]
        public void TheHandTakesHoldAndTheHeadLooks()
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            TransformData[] idle = rig.Snapshot();
            Player.Animation = delegate { rig.Apply(idle); };
            Transform cylinder = new GameObject("Cylinder").transform;
            cylinder.position = new Vector3(0.3f, 1.25f, 0.4f);
            Transform handle = new GameObject("Handle").transform;
            handle.SetParent(cylinder, false);
            handle.localPosition = new Vector3(0.05f, 0f, -0.05f);
            handle.localRotation = Quaternion.Euler(0f, 0f, -90f);
            IKControl control = rig.Root.AddComponent<IKControl>();
            control.rightHandObj = handle;
            control.lookObj = cylinder;

            Player.Frame(0.02f);
            Assert.AreEqual(0f, control.weight);
            rig.AssertPose(idle, "not active");
            control.ikActive = true;
            Vector3 last = rig["RightHand"].position;
            for (int i = 1; i <= 25; i++)
            {
                Player.Frame(0.02f);
                Assert.AreEqual(Math.Min(1.0, i * 0.05), control.weight, 1e-5, "weight in frame " + i);
                Assert.Less(Vector3.Distance(last, rig["RightHand"].position), 0.12, "step of the hand in frame " + i);
                last = rig["RightHand"].position;
            }
            TestRig.AssertNear(handle.position, rig["RightHand"].position, 1e-3f, "hand on the handle");
            TestRig.AssertNear(Vector3.up * -1f, handle.rotation * Vector3.right, 1e-5f, "handle");
            Vector3 gaze = rig["Head"].rotation * Vector3.forward;
            Assert.Less(Vector3.Angle(gaze, cylinder.position - rig["Head"].position), 8.0, "the head looks at the cylinder");

            control.ikActive = false;
            for (int i = 0; i < 25; i++) Player.Frame(0.02f);
            Assert.AreEqual(0f, control.weight);
            rig.AssertPose(idle, "back again");
        }

        [Test]
        public void TheDemoHostPlaysASceneFile()
        {
            string folder = Path.Combine(Path.GetTempPath(), "sinew-" + Guid.NewGuid().ToString("N"));
            Directory.CreateDirectory(folder);
            try
            {
                string scenePath = Path.Combine(folder, "scene");
                string posesPath = Path.Combine(folder, "poses");
                WriteScene(scenePath);
                SceneFile scene = SceneFile.Read(scenePath);
                Assert.AreEqual("Hips", scene.Joints[0].Name);
                ulong hash = HoldCylinder.Play(scene, posesPath);
                byte[] poses = File.ReadAllBytes(posesPath);
                Assert.AreEqual(hash, HoldCylinder.Play(SceneFile.Read(scenePath), posesPath), "hash of a second run");

                int joints = scene.Joints.Length;
                int frameSize = 24 + joints * 40;
                Assert.AreEqual("SNWPOSES", Encoding.ASCII.GetString(poses, 0, 8));
                Assert.AreEqual(1u, BitConverter.ToUInt32(poses, 8));
                Assert.AreEqual((uint)joints, BitConverter.ToUInt32(poses, 12));
                Assert.AreEqual((uint)scene.Frames.Length, BitConverter.ToUInt32(poses, 16));
                Assert.AreEqual(20 + scene.Frames.Length * frameSize, poses.Length);
                ulong again = 0xcbf29ce484222325;
                for (int f = 0; f < scene.Frames.Length; f++)
                {
                    int at = 20 + f * frameSize;
                    float weight = BitConverter.ToSingle(poses, at);
                    Assert.AreEqual(f < 5 ? 0.0 : Math.Min(1.0, (f - 4) * 0.05), weight, 1e-5, "weight");
                    Assert.AreEqual(weight > 0f ? 1 : 0, BitConverter.ToInt32(poses, at + 4), "hand status in frame " + f);
                    for (int i = at + 24; i < at + frameSize; i++) again = unchecked((again ^ poses[i]) * 0x100000001b3);
                }
                Assert.AreEqual(hash, again, "FNV-1a over the file's transforms");
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        [Test]
        public void ThePackagesSampleRunsWithoutAssets()
        {
            GameObject scene = new GameObject("Scene");
            HoldCylinderScene builder = scene.AddComponent<HoldCylinderScene>();
            for (int i = 0; i < 120; i++) Player.Frame(1f / 60f);
            SinewAnimator animator = builder.Figure.GetComponent<SinewAnimator>();
            Assert.IsTrue(animator.isHuman, animator.rigDescription);
            Assert.IsTrue(animator.GetIKOutcome(AvatarIKGoal.RightHand).IsReached, animator.GetIKOutcome(AvatarIKGoal.RightHand).ToString());
            Assert.IsTrue(animator.GetLookAtOutcome().IsReached, animator.GetLookAtOutcome().ToString());
            HoldCylinderIK script = builder.Figure.GetComponent<HoldCylinderIK>();
            TestRig.AssertNear(script.rightHandObj.position, animator.GetBoneTransform(HumanBodyBones.RightHand).position, 2e-3f, "hand");
        }

        private static void WriteScene(string path)
        {
            TestRig rig = new TestRig();
            HumanBoneEntry[] table = rig.Table();
            using (BinaryWriter w = new BinaryWriter(File.Create(path)))
            {
                const int frames = 40;
                w.Write(Encoding.ASCII.GetBytes("SNWSCENE"));
                w.Write(1u);
                w.Write((uint)rig.Joints.Length);
                w.Write((uint)frames);
                w.Write(0.02f);
                for (int i = 0; i < rig.Joints.Length; i++)
                {
                    w.Write(Array.IndexOf(rig.Joints, rig.Joints[i].parent));
                    w.Write((int)table[i].bone);
                    Write(w, TransformData.Of(rig.Joints[i]));
                    byte[] name = Encoding.UTF8.GetBytes(rig.HumanNames[i]);
                    w.Write((uint)name.Length);
                    w.Write(name);
                    w.Write(new byte[(4 - name.Length % 4) % 4]);
                }
                Write(w, Make(new Vector3(0.05f, 0f, -0.05f), Quaternion.Euler(0f, 0f, -90f)));
                w.Write(0.04f);
                w.Write(0.3f);
                rig.PoseIdle();
                for (int f = 0; f < frames; f++)
                {
                    w.Write(f < 5 ? 0u : 1u);
                    Write(w, Make(new Vector3(0.1f, 0f, 0f), Quaternion.Euler(0f, 20f, 0f)));
                    Write(w, Make(new Vector3(0.45f + 0.002f * f, 1.25f, 0.3f), Quaternion.Euler(0f, 2f * f, 0f)));
                    foreach (Transform joint in rig.Joints) Write(w, TransformData.Of(joint));
                }
            }
            UnityEngine.Object.DestroyImmediate(rig.Root);
        }

        private static TransformData Make(Vector3 position, Quaternion rotation)
        {
            return new TransformData { Position = position, Rotation = rotation, Scale = Vector3.one };
        }

        private static void Write(BinaryWriter w, TransformData t)
        {
            w.Write(t.Position.x); w.Write(t.Position.y); w.Write(t.Position.z);
            w.Write(t.Rotation.x); w.Write(t.Rotation.y); w.Write(t.Rotation.z); w.Write(t.Rotation.w);
            w.Write(t.Scale.x); w.Write(t.Scale.y); w.Write(t.Scale.z);
        }
    }
}
