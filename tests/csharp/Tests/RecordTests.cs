using System;
using System.IO;
using System.Text;
using NUnit.Framework;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Recordings of a Unity component; `sinew-replay` runs such a file.</summary>
    public sealed class RecordTests
    {
        private static readonly Vector3 goal = new Vector3(0.3f, 1.2f, 0.3f);

        private static TransformData[] Play(TransformData[] expected)
        {
            TestRig rig = new TestRig().Start();
            rig.PoseIdle();
            rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal);
            rig.Animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            for (int i = 0; i < 20; i++)
            {
                rig.Animator.SetIKPosition(AvatarIKGoal.RightHand, goal + new Vector3(0f, 0.01f * i, 0f));
                Player.Frame(0.02f);
            }
            if (expected != null) rig.AssertPose(expected, "without a recording");
            return rig.Snapshot();
        }

        [Test]
        public void ARecordingHoldsTheFramesAndChangesNone()
        {
            // The variable keeps the file: to replay it by hand.
            string kept = Environment.GetEnvironmentVariable("SINEW_KEEP_RECORDING");
            string path = string.IsNullOrEmpty(kept) ? Path.GetTempFileName() : kept;
            SinewRecording.Begin(path);
            TransformData[] with = Play(null);
            SinewRecording.End();
            Play(with);
            byte[] log = File.ReadAllBytes(path);
            string text = Encoding.ASCII.GetString(log);
            Assert.IsTrue(text.StartsWith("SINEWLOG"), "the file begins with its name");
            Assert.IsTrue(text.Contains("sinew_world_solve") || text.Contains("sinew_animator_solve"), "the solves are in it");
            Assert.Greater(log.Length, 20 * 40 * 20, "the animation is in it");
            if (string.IsNullOrEmpty(kept)) File.Delete(path);
        }

        [Test]
        public void BeginAndEndInOrder()
        {
            SinewException none = Assert.Throws<SinewException>(() => SinewRecording.End());
            Assert.AreEqual(SinewResult.ErrorNotAvailable, none.Result);
            SinewException folder = Assert.Throws<SinewException>(() => SinewRecording.Begin("/no/such/folder/a.sinewlog"));
            Assert.AreEqual(SinewResult.ErrorNotAvailable, folder.Result);
            string path = Path.GetTempFileName();
            SinewRecording.Begin(path);
            SinewException twice = Assert.Throws<SinewException>(() => SinewRecording.Begin(path));
            Assert.AreEqual(SinewResult.ErrorBusy, twice.Result);
            SinewRecording.End();
            File.Delete(path);
        }
    }
}
