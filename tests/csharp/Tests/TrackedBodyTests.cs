using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using NUnit.Framework;
using Sinew.Editor;
using Sinew.Interop;
using UnityEditor;
using UnityEngine;
using UnityEngine.XR;

namespace Sinew.Tests
{
    /// <summary>SinewTrackedBody as it is dropped in, judged from the Transforms; and the native
    /// body it uses.</summary>
    public sealed class TrackedBodyTests
    {
        private const float Step = 1f / 60f;

        private static readonly SinewTrackerRole[] six =
        {
            SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand, SinewTrackerRole.Hips,
            SinewTrackerRole.LeftFoot, SinewTrackerRole.RightFoot,
        };

        private static string BoneOf(SinewTrackerRole role)
        {
            return role.ToString();
        }

        /// <summary>A player of another size than the figure, somewhere in the world, with trackers
        /// that are mounted anyhow.</summary>
        private sealed class Room
        {
            internal readonly TestRig Rig;
            internal readonly SinewTrackedBody Body;
            internal readonly Transform Origin;
            internal readonly List<Transform> Trackers = new List<Transform>();
            private readonly Dictionary<SinewTrackerRole, Vector3> places = new Dictionary<SinewTrackerRole, Vector3>();
            private readonly float size;

            internal Room(float size, params SinewTrackerRole[] roles) : this(size, Vector3.one, roles)
            {
            }

            /// <summary>The figure has that scale, and the player its build.</summary>
            internal Room(float size, Vector3 scale, params SinewTrackerRole[] roles)
            {
                this.size = size;
                Rig = new TestRig();
                Rig.Root.transform.localScale = scale;
                Rig.Start();
                Body = Rig.Root.AddComponent<SinewTrackedBody>();
                Body.trackers.Clear();
                Origin = new GameObject("Origin").transform;
                Origin.position = new Vector3(4f, 0.5f, -2f);
                Origin.rotation = Quaternion.Euler(0f, 70f, 0f);
                Body.trackingOrigin = Origin;
                // The figure's soles are not exactly at its origin; those of the player neither.
                Body.floorHeight = (Rig["LeftFoot"].position.y - Rig.Animator.leftFeetBottomHeight * scale.y) * size;
                foreach (SinewTrackerRole role in roles)
                {
                    Transform tracker = new GameObject(role.ToString()).transform;
                    Trackers.Add(tracker);
                    places[role] = Rig[BoneOf(role)].position * size;
                    Body.trackers.Add(new SinewTracker(role, tracker));
                }
                Stand();
            }

            internal Quaternion Mount(int i)
            {
                return Quaternion.Euler(20f * i, 35f * i, -10f * i);
            }

            /// <summary>A place and turn of the player's joint, room space.</summary>
            internal void Put(int i, Vector3 at, Quaternion turn)
            {
                Trackers[i].position = Origin.TransformPoint(at);
                Trackers[i].rotation = Origin.rotation * turn * Mount(i);
            }

            internal void Stand()
            {
                for (int i = 0; i < Trackers.Count; i++) Put(i, Place(i), Quaternion.identity);
            }

            internal Vector3 Place(int i)
            {
                return places[Body.trackers[i].role];
            }

            /// <summary>Where the avatar's joint is to be, world space.</summary>
            internal Vector3 Wanted(Vector3 at)
            {
                return Origin.TransformPoint(at / size);
            }
        }

        [Test]
        public void CalibratedInATPoseTheBonesFollowTheTrackers()
        {
            Room room = new Room(1.1f, six);
            Player.Animation = room.Rig.PoseIdle;
            Player.Frame(Step);
            Assert.IsFalse(room.Body.isCalibrated);
            Assert.IsTrue(room.Body.Calibrate());
            Assert.AreEqual(1.0 / 1.1, room.Body.calibration.scale, 0.01, "scale");
            for (int frame = 0; frame < 120; frame++)
            {
                float t = frame * Step;
                room.Stand();
                Vector3 hand = new Vector3(-0.35f, 1.2f + 0.2f * Mathf.Sin(t), 0.35f) * 1.1f;
                Quaternion turn = Quaternion.Euler(10f, 60f * t, 20f);
                room.Put(1, hand, turn);
                Vector3 foot = room.Place(4) + new Vector3(-0.1f, 0.1f + 0.05f * Mathf.Sin(t), 0.1f);
                room.Put(4, foot, Quaternion.Euler(15f, 0f, 0f));
                Player.Frame(Step);
                TestRig.AssertNear(room.Wanted(hand), room.Rig["LeftHand"].position, 2e-3f, "the hand in frame " + frame);
                TestRig.AssertNear(room.Wanted(foot), room.Rig["LeftFoot"].position, 3e-3f, "the foot in frame " + frame);
                TestRig.AssertNear(room.Wanted(room.Place(0)), room.Rig["Head"].position, 2e-3f, "the head in frame " + frame);
                TestRig.AssertNear(room.Origin.rotation * turn, room.Rig["LeftHand"].rotation, 0.5f, "the hand's rotation");
            }
            Assert.AreEqual(1.0, room.Body.trackers[1].presence, 1e-6);
            Assert.AreEqual((int)SinewStatus.Reached, room.Body.trackers[1].outcome.status);
            TestRig.AssertNear(room.Origin.position, room.Rig.Root.transform.position, 1e-6f, "the character is where tracking space is");
        }

        [Test]
        public void AFingerFollowsItsTrackerAndFadesBackIntoTheAnimation()
        {
            TestRig rig = new TestRig();
            string[] bones = { "LeftIndexProximal", "LeftIndexIntermediate", "LeftIndexDistal" };
            Transform[] finger = new Transform[3];
            for (int i = 0; i < 3; i++)
            {
                finger[i] = new GameObject(bones[i]).transform;
                finger[i].SetParent(i == 0 ? rig["LeftHand"] : finger[i - 1], false);
                finger[i].localPosition = new Vector3(i == 0 ? -0.09f : -0.03f, 0f, i == 0 ? 0.03f : 0f);
            }
            rig.Start();
            SinewTrackedBody body = rig.Root.AddComponent<SinewTrackedBody>();
            body.trackers.Clear();
            SinewTrackerRole[] roles =
            {
                SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand, SinewTrackerRole.LeftIndex,
            };
            Transform[] places = { rig["Head"], rig["LeftHand"], rig["RightHand"], finger[2] };
            for (int i = 0; i < roles.Length; i++)
            {
                Transform tracker = new GameObject(roles[i].ToString()).transform;
                tracker.position = places[i].position;
                body.trackers.Add(new SinewTracker(roles[i], tracker));
            }
            body.floorHeight = rig["LeftFoot"].position.y - rig.Animator.leftFeetBottomHeight;
            Quaternion animated = Quaternion.Euler(0f, 0f, 25f);
            Player.Animation = delegate { for (int i = 0; i < 3; i++) finger[i].localRotation = animated; };
            Player.Frame(Step);
            Assert.IsTrue(body.Calibrate());
            // The last bone hangs down, 3 cm below the end of the first.
            Transform source = body.trackers[3].source;
            source.position = new Vector3(-0.765f - 0.12f, 1.421f - 0.03f, -0.018f + 0.03f);
            source.rotation = Quaternion.Euler(0f, 0f, 90f);
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            Vector3 goal = rig["LeftHand"].position + rig["LeftHand"].rotation * new Vector3(-0.12f, -0.03f, 0.03f);
            TestRig.AssertNear(goal, finger[2].position, 1e-3f, "the last joint");
            TestRig.AssertNear(source.rotation, finger[2].rotation, 0.5f, "the last bone");
            Assert.AreEqual((int)SinewStatus.Reached, body.trackers[3].outcome.status);
            source.gameObject.SetActive(false);
            for (int frame = 0; frame < 120; frame++) Player.Frame(Step);
            for (int i = 0; i < 3; i++) TestRig.AssertNear(animated, finger[i].localRotation, 1e-3f, bones[i]);
        }

        [Test]
        public void TheBodyIsUnderGroundersGoalsAndCallbacks()
        {
            Room room = new Room(1f, six);
            Player.Animation = room.Rig.PoseIdle;
            Player.Frame(Step);
            Assert.IsTrue(room.Body.Calibrate());
            Script script = room.Rig.Root.AddComponent<Script>();
            Vector3 thing = room.Origin.TransformPoint(new Vector3(0.4f, 1.1f, 0.3f)), seen = Vector3.zero;
            script.Do = delegate (SinewAnimator animator)
            {
                seen = animator.GetIKPosition(AvatarIKGoal.LeftHand);
                animator.SetIKPosition(AvatarIKGoal.RightHand, thing);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
            };
            for (int frame = 0; frame < 3; frame++) Player.Frame(Step);
            TestRig.AssertNear(thing, room.Rig["RightHand"].position, 1e-3f, "the goal comes after the trackers");
            TestRig.AssertNear(room.Wanted(room.Place(1)), room.Rig["LeftHand"].position, 2e-3f, "the other hand");
            // The T-pose's straight arms are at the end of their reach.
            TestRig.AssertNear(room.Wanted(room.Place(1)), seen, 0.02f, "what the callback sees is the tracked pose");
        }

        [Test]
        public void WeightsFadeToTheAnimationAndDisablingGivesItBack()
        {
            Room room = new Room(1f, six);
            Player.Animation = delegate
            {
                room.Rig.PoseIdle();
                room.Rig["Hips"].localPosition = new Vector3(0f, 0.954f, 0f);
            };
            Player.Frame(Step);
            room.Rig.Root.transform.position = room.Origin.position;
            room.Rig.Root.transform.rotation = room.Origin.rotation;
            room.Body.weight = 0f;
            Assert.IsTrue(room.Body.Calibrate());
            Player.Frame(Step);
            TransformData[] animated = room.Rig.Snapshot();
            Vector3 from = room.Rig["LeftHand"].position;
            room.Body.weight = 1f;
            Player.Frame(Step);
            Vector3 to = room.Rig["LeftHand"].position;
            Assert.Greater(Vector3.Distance(from, to), 0.2f, "trackers and animation differ");
            room.Body.weight = 0.5f;
            Player.Frame(Step);
            Vector3 half = room.Rig["LeftHand"].position;
            Assert.Less(Vector3.Distance(half, from), Vector3.Distance(to, from));
            Assert.Less(Vector3.Distance(half, to), Vector3.Distance(to, from));
            room.Body.weight = 0f;
            Player.Frame(Step);
            room.Rig.AssertPose(animated, "weight 0");
            room.Body.weight = 1f;
            Player.Frame(Step);
            room.Body.enabled = false;
            Player.Frame(Step);
            room.Rig.AssertPose(animated, "disabled");
        }

        [Test]
        public void AnimatedLegsHaveTheAnimatorsFeetBelowTheTrackedBody()
        {
            Room room = new Room(1f, SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand);
            Transform root = room.Rig.Root.transform;
            Quaternion left = Quaternion.Euler(-40f, 5f, 0f), right = Quaternion.Euler(5f, -5f, 0f);
            Player.Animation = delegate
            {
                room.Rig.PoseIdle();
                room.Rig["Hips"].localPosition = new Vector3(0f, 0.93f, 0f);
                room.Rig["LeftUpperLeg"].localRotation = left;
                room.Rig["LeftLowerLeg"].localRotation = Quaternion.Euler(45f, 0f, 0f);
                room.Rig["RightUpperLeg"].localRotation = right;
                room.Rig["RightLowerLeg"].localRotation = Quaternion.Euler(15f, 0f, 0f);
            };
            room.Body.enabled = false;
            Player.Frame(Step);
            string[] feet = { "LeftFoot", "RightFoot" };
            Vector3[] places = new Vector3[2];
            for (int i = 0; i < 2; i++) places[i] = root.InverseTransformPoint(room.Rig[feet[i]].position);
            Quaternion arm = room.Rig["LeftUpperArm"].localRotation;
            room.Body.enabled = true;
            room.Body.priorWeight = 0f;
            Assert.IsTrue(room.Body.Calibrate());
            room.Body.leftLegWeight = room.Body.rightLegWeight = 0f;
            for (int frame = 0; frame < 60; frame++)
            {
                // The player bends the knees.
                Vector3 low = new Vector3(0f, -0.12f * Mathf.Min(1f, frame / 30f), 0f);
                for (int i = 0; i < 3; i++) room.Put(i, room.Place(i) + low, Quaternion.identity);
                Player.Frame(Step);
                TestRig.AssertNear(room.Wanted(room.Place(0) + low), room.Rig["Head"].position, 2e-3f, "the head in frame " + frame);
            }
            for (int i = 0; i < 2; i++)
                TestRig.AssertNear(root.TransformPoint(places[i]), room.Rig[feet[i]].position, 6e-3f, feet[i]);
            Assert.Greater(Quaternion.Angle(arm, room.Rig["LeftUpperArm"].localRotation), 20f, "the arm is tracked");
            room.Body.leftArmWeight = 0f;
            Player.Frame(Step);
            Assert.AreEqual(0f, room.Body.nativeBody.GetPartWeight(SinewTrackedPart.LeftArm));
            TestRig.AssertNear(arm, room.Rig["LeftUpperArm"].localRotation, 0.5f, "the arm of the animation");
            room.Body.leftArmWeight = room.Body.leftLegWeight = room.Body.rightLegWeight = 1f;
            // The feet step home.
            for (int frame = 0; frame < 120; frame++) Player.Frame(Step);
            Assert.Greater(Vector3.Distance(root.TransformPoint(places[0]), room.Rig["LeftFoot"].position), 0.05f, "stepped");
        }

        [Test]
        public void ATrackerThatIsLostFadesOutAndComesBack()
        {
            Room room = new Room(1f, six);
            Player.Frame(Step);
            Assert.IsTrue(room.Body.Calibrate());
            for (int frame = 0; frame < 30; frame++) Player.Frame(Step);
            room.Trackers[4].gameObject.SetActive(false);
            float last = 1f;
            for (int frame = 0; frame < 60; frame++)
            {
                Player.Frame(Step);
                float now = room.Body.trackers[4].presence;
                Assert.IsTrue(now <= last && last - now < 0.1f, "part " + now + " after " + last);
                last = now;
            }
            Assert.IsFalse(room.Body.trackers[4].isReporting);
            Assert.AreEqual(0f, last, "it is still there");
            room.Trackers[4].gameObject.SetActive(true);
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            Assert.AreEqual(1f, room.Body.trackers[4].presence);
            // Rotation only: once its place has faded out, the foot's place is assumed.
            room.Body.trackers[4].usePosition = false;
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            Assert.AreEqual(0f, room.Body.trackers[4].outcome.residual_m);
        }

        [Test]
        public void CalibrationsAreCountedDownSavedLoadedAndEdited()
        {
            Room room = new Room(0.9f, six);
            room.Body.CalibrateAfter(0.5f);
            for (int frame = 0; frame < 20; frame++) Player.Frame(Step);
            Assert.IsFalse(room.Body.isCalibrated, "too early");
            for (int frame = 0; frame < 20; frame++) Player.Frame(Step);
            Assert.IsTrue(room.Body.isCalibrated, "too late");
            Assert.AreEqual(-1f, room.Body.calibrationCountdown);
            foreach (float now in new[] { float.NaN, -3f })
            {
                room.Body.CalibrateAfter(now);
                Assert.AreEqual(0f, room.Body.calibrationCountdown, "after " + now);
                Player.Frame(Step);
                Assert.AreEqual(-1f, room.Body.calibrationCountdown, "after " + now);
            }
            string path = Path.Combine(Path.GetTempPath(), "sinew-calibration-test.json");
            room.Body.SaveCalibration(path);
            string json = room.Body.calibrationJson;
            Assert.IsTrue(json.Contains("\"LeftFoot\""), json);
            Room other = new Room(0.9f, six);
            Assert.IsFalse(other.Body.LoadCalibration(path + ".none"));
            Assert.IsTrue(other.Body.LoadCalibration(path));
            File.Delete(path);
            Assert.AreEqual(json, other.Body.calibrationJson);
            Player.Frame(Step);
            TestRig.AssertNear(room.Wanted(room.Place(0)), other.Rig["Head"].position, 3e-3f, "the head after loading");
            // An offset by hand: 5 cm along the left foot's own axes.
            SinewTrackerCalibration edited = other.Body.calibration;
            Vector3 before = other.Rig["LeftFoot"].position;
            Lift(ref edited);
            other.Body.calibration = edited;
            Player.Frame(Step);
            Assert.AreEqual(0.05, Vector3.Distance(before, other.Rig["LeftFoot"].position), 5e-3, "metres the foot moved");
            // It survives a rebuilt rig.
            other.Rig.Animator.RebuildRig();
            Player.Frame(Step);
            Assert.AreEqual(0.05, Vector3.Distance(before, other.Rig["LeftFoot"].position), 5e-3, "after a rebuild");
            Assert.Throws<SinewException>(delegate { other.Body.calibrationJson = "{\"scale\": -1}"; });
            Assert.Throws<SinewException>(delegate { other.Body.calibrationJson = "no"; });
        }

        private static void Lift(ref SinewTrackerCalibration calibration)
        {
            SinewTrackerOffset offset = calibration.offsets5;
            offset.position.y -= 0.05f;
            calibration.offsets5 = offset;
        }

        [Test]
        public void TheAvatarIsScaledToThePlayerWhereAsked()
        {
            Room room = new Room(1.25f, six);
            room.Body.scaleAvatar = true;
            Player.Frame(Step);
            Assert.IsTrue(room.Body.Calibrate());
            Player.Frame(Step);
            Assert.AreEqual(1.25, room.Rig.Root.transform.localScale.y, 0.02, "the avatar is as large as the player");
            Vector3 hand = room.Place(1) + new Vector3(0.3f, -0.2f, 0.3f);
            room.Put(1, hand, Quaternion.identity);
            Player.Frame(Step);
            // Where the controller is seen, not only in proportion.
            TestRig.AssertNear(room.Origin.TransformPoint(hand), room.Rig["LeftHand"].position, 3e-3f, "the hand");
        }

        [Test]
        public void WithoutAHeadNothingIsCalibrated()
        {
            Room room = new Room(1f, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand);
            Player.Frame(Step);
            int lines = Debug.Lines.Count;
            Assert.IsFalse(room.Body.Calibrate());
            Assert.AreEqual(lines + 1, Debug.Lines.Count, "one warning");
            Debug.Lines.Clear();
            Assert.IsFalse(room.Body.isCalibrated);
        }

        [Test]
        public void UnlabelledTrackersFindTheirRolesAndStraysDoNot()
        {
            Room room = new Room(1f, SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand);
            Player.Frame(Step);
            List<Transform> unlabelled = new List<Transform>();
            foreach (string bone in new[] { "RightFoot", "Hips", "LeftFoot" })
            {
                Transform made = new GameObject(bone).transform;
                made.position = room.Origin.TransformPoint(room.Rig.Root.transform.InverseTransformPoint(room.Rig[bone].position));
                unlabelled.Add(made);
            }
            Transform stray = new GameObject("Stray").transform;
            stray.position = room.Origin.TransformPoint(new Vector3(2f, 1f, 2f));
            unlabelled.Add(stray);
            // One that is not there, one that was destroyed, one without a place.
            Transform gone = new GameObject("Gone").transform;
            UnityEngine.Object.DestroyImmediate(gone.gameObject);
            Transform lost = new GameObject("Lost").transform;
            lost.position = new Vector3(float.NaN, 1f, 0f);
            unlabelled.InsertRange(1, new[] { null, gone, lost });
            Assert.AreEqual(3, room.Body.AssignTrackers(unlabelled));
            Assert.AreEqual(SinewTrackerRole.RightFoot, room.Body.trackers[3].role);
            Assert.AreEqual(SinewTrackerRole.Hips, room.Body.trackers[4].role);
            Assert.AreEqual(SinewTrackerRole.LeftFoot, room.Body.trackers[5].role);
            Assert.AreEqual(unlabelled[0], room.Body.trackers[3].source);
            Assert.AreEqual(6, room.Body.trackers.Count);
            Assert.AreEqual(0, room.Body.AssignTrackers(new Transform[2]), "none");
            Assert.Throws<ArgumentNullException>(delegate { room.Body.AssignTrackers(null); });
        }

        // Tracking space is the character's own space, along each axis.
        [Test]
        public void TrackersOfAFigureThatIsScaledUnevenlyAreMet()
        {
            Room room = new Room(1.1f, new Vector3(1.3f, 0.9f, 0.8f), six);
            Player.Animation = room.Rig.PoseIdle;
            Player.Frame(Step);
            Assert.IsTrue(room.Body.Calibrate());
            for (int frame = 0; frame < 60; frame++)
            {
                float t = frame * Step;
                room.Stand();
                Vector3 hand = room.Place(1) + new Vector3(0.3f, 0.1f * Mathf.Sin(3f * t), 0.25f);
                room.Put(1, hand, Quaternion.identity);
                Vector3 foot = room.Place(4) + new Vector3(0f, 0.1f + 0.05f * Mathf.Sin(3f * t), 0.1f);
                room.Put(4, foot, Quaternion.identity);
                Player.Frame(Step);
                TestRig.AssertNear(room.Wanted(hand), room.Rig["LeftHand"].position, 5e-3f, "the hand in frame " + frame);
                TestRig.AssertNear(room.Wanted(foot), room.Rig["LeftFoot"].position, 5e-3f, "the foot in frame " + frame);
                TestRig.AssertNear(room.Wanted(room.Place(0)), room.Rig["Head"].position, 5e-3f, "the head in frame " + frame);
            }
        }

        [Test]
        public void XrNodesAreReadWithoutTransforms()
        {
            InputDevices.Simulated.Clear();
            TestRig rig = new TestRig().Start();
            Vector3 left = rig["LeftHand"].position, right = rig["RightHand"].position, head = rig["Head"].position, hips = rig["Hips"].position;
            SinewTrackedBody body = rig.Root.AddComponent<SinewTrackedBody>();
            body.floorHeight = rig["LeftFoot"].position.y - rig.Animator.leftFeetBottomHeight;
            Assert.AreEqual(3, body.trackers.Count, "headset and controllers are there from the start");
            SimulatedDevice headset = Device(XRNode.Head, head, ""), hand = Device(XRNode.LeftHand, left, "");
            Device(XRNode.RightHand, right, "");
            Device(XRNode.HardwareTracker, hips, "LHR-1");
            Device(XRNode.HardwareTracker, new Vector3(3f, 1f, 0f), "LHR-2");
            Player.Frame(Step);
            Assert.AreEqual(1, body.AssignHardwareTrackers());
            Assert.AreEqual("LHR-1", body.trackers[3].serialNumber);
            Assert.AreEqual(SinewTrackerRole.Hips, body.trackers[3].role);
            Player.Frame(Step);
            Assert.IsTrue(body.Calibrate());
            headset.Position = head + new Vector3(0.1f, -0.2f, 0.05f);
            Player.Frame(Step);
            TestRig.AssertNear(headset.Position.Value, rig["Head"].position, 2e-3f, "the head");
            // A controller that has lost track says so; one that is switched off is gone.
            hand.Tracked = false;
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            Assert.AreEqual(0f, body.trackers[1].presence);
            hand.Tracked = true;
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            Assert.AreEqual(1f, body.trackers[1].presence);
            hand.Connected = false;
            for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
            Assert.AreEqual(0f, body.trackers[1].presence);
            Assert.IsFalse(body.trackers[1].isReporting);
            InputDevices.Simulated.Clear();
        }

        private static SimulatedDevice Device(XRNode node, Vector3 at, string serial)
        {
            SimulatedDevice made = new SimulatedDevice { Node = node, Serial = serial, Position = at, Rotation = Quaternion.identity };
            InputDevices.Simulated.Add(made);
            return made;
        }

        [Test]
        public void ARemotePlayerShowsTheSameBody()
        {
            Room room = new Room(1f, six);
            Player.Frame(Step);
            Assert.IsTrue(room.Body.Calibrate());
            TestRig rig = new TestRig().Start();
            SinewTrackedBody remote = rig.Root.AddComponent<SinewTrackedBody>();
            remote.isRemote = true;
            remote.trackers.Clear();
            Player.Frame(Step);
            TestRig.AssertNear(new Vector3(0f, 0.954f, 0f), rig["Hips"].position, 1e-5f, "before the first packet it is the animation");
            remote.calibrationJson = room.Body.calibrationJson;
            byte[] packet = new byte[NativeTrackedBody.PacketSize];
            Assert.IsFalse(remote.Receive(packet, 20), "zeros are no packet");
            int size = 0;
            for (int frame = 0; frame < 90; frame++)
            {
                room.Stand();
                if (frame < 60) room.Put(1, new Vector3(-0.3f, 1.2f + 0.005f * frame, 0.3f), Quaternion.Euler(0f, 2f * frame, 0f));
                else room.Put(1, new Vector3(-0.3f, 1.5f, 0.3f), Quaternion.Euler(0f, 118f, 0f));
                Player.Frame(Step);
                size = room.Body.Pack(packet);
                Assert.Greater(size, 8);
                Assert.IsTrue(remote.Receive(packet, size));
            }
            Assert.Less(size, 65, "bytes at rest");
            for (int frame = 0; frame < 10; frame++) Player.Frame(Step);
            foreach (string bone in new[] { "Head", "LeftHand", "RightHand", "Hips", "LeftFoot" })
            {
                Vector3 here = room.Rig.Root.transform.InverseTransformPoint(room.Rig[bone].position);
                TestRig.AssertNear(here, rig[bone].position, 4e-3f, bone);
            }
            TestRig.AssertNear(new Vector3(-0.3f, 1.5f, 0.3f), rig["LeftHand"].position, 4e-3f, "the hand");
            Assert.Less(remote.networkDelay, 0.1f);
        }

        [Test]
        public void ButtonsOfTheInspectorAreForAllThatAreSelected()
        {
            Room[] rooms = { new Room(1f, six), new Room(1.1f, six) };
            rooms[0].Rig.Root.name = "First";
            rooms[1].Rig.Root.name = "Second";
            Player.Frame(Step);
            SinewTrackedBody[] bodies = { rooms[0].Body, rooms[1].Body };
            SinewTrackedBodyEditor editor = new SinewTrackedBodyEditor { targets = bodies };
            GUILayout.Pressed = "Calibrate Now";
            editor.OnInspectorGUI();
            Assert.IsTrue(bodies[0].isCalibrated && bodies[1].isCalibrated, "calibrated");
            GUILayout.Pressed = "Calibrate In 5 Seconds";
            editor.OnInspectorGUI();
            GUILayout.Pressed = "";
            for (int i = 0; i < 2; i++) Assert.AreEqual(5f, bodies[i].calibrationCountdown, 1e-6f, "countdown of " + i);
        }

        [Test]
        public void InspectorAndGizmosShowTrackersAndCalibrate()
        {
            Room room = new Room(1f, six);
            Player.Frame(Step);
            SinewTrackedBodyEditor editor = new SinewTrackedBodyEditor { targets = new UnityEngine.Object[] { room.Body } };
            GUILayout.Pressed = "Calibrate Now";
            editor.OnInspectorGUI();
            GUILayout.Pressed = "";
            Assert.IsTrue(room.Body.isCalibrated);
            Player.Frame(Step);
            int lines = EditorGUILayout.Shown.Count;
            editor.OnInspectorGUI();
            Assert.Greater(EditorGUILayout.Shown.Count, lines + 6, "a line per tracker");
            int drawn = Gizmos.Drawn;
            typeof(SinewTrackedBody).GetMethod("OnDrawGizmosSelected", BindingFlags.Instance | BindingFlags.NonPublic)
                .Invoke(room.Body, null);
            Assert.Greater(Gizmos.Drawn, drawn + 6 * 6, "lines drawn");
        }

        // A headset and two controllers, calibrated and settled.
        private static Room PlayingWithThree()
        {
            Room room = new Room(1f, SinewTrackerRole.Head, SinewTrackerRole.LeftHand, SinewTrackerRole.RightHand);
            Player.Animation = room.Rig.PoseIdle;
            Frames(3);
            Assert.IsTrue(room.Body.Calibrate());
            Frames(30);
            return room;
        }

        // What devices report that have lost track, and a role of another version.
        [Test]
        public void ATrackerThatGivesNoNumbersIsLostAlone()
        {
            Room room = PlayingWithThree();
            Vector3 head = room.Rig["Head"].position, right = room.Rig["RightHand"].position;
            SinewTracker left = room.Body.trackers[1];
            Transform source = left.source;
            Vector3 at = source.position;
            Quaternion turn = source.rotation;
            Action<string, bool> play = delegate (string when, bool isLost)
            {
                Frames(60);
                Assert.AreEqual(0, Debug.Lines.Count, when + ": " + string.Join(" | ", Debug.Lines.ToArray()));
                TestRig.AssertNear(head, room.Rig["Head"].position, 0.02f, when + ", the head");
                TestRig.AssertNear(right, room.Rig["RightHand"].position, 0.02f, when + ", the right hand");
                Assert.AreEqual(!isLost, left.isReporting, when + ", reports");
                Assert.AreEqual(isLost ? 0f : 1f, left.presence, 1e-3f, when + ", presence");
            };
            source.position = new Vector3(float.NaN, 0f, 0f);
            source.rotation = new Quaternion(float.NaN, 0f, 0f, 0f);
            play("no numbers", true);
            source.rotation = turn;
            play("no position", false);
            source.position = at;
            source.rotation = new Quaternion(float.NaN, 0f, 0f, 0f);
            play("no rotation", false);
            source.rotation = turn;
            left.confidence = float.NaN;
            Frames(60);
            Assert.AreEqual(0f, left.presence, 1e-3f, "confidence that is no number");
            left.confidence = 1f;
            play("put right", false);
            room.Body.SetTracker(SinewTrackerRole.Hips, new Vector3(0f, float.PositiveInfinity, 0f), new Quaternion(0f, 0f, 0f, 0f));
            play("a sample of a script", false);
            room.Body.trackers.Add(new SinewTracker((SinewTrackerRole)50, source));
            Frames(2);
            Assert.AreEqual(1, Debug.Lines.Count, string.Join(" | ", Debug.Lines.ToArray()));
            Assert.IsTrue(Debug.Lines[0].Contains("trackers[3].role is 50"), Debug.Lines[0]);
            Debug.Lines.Clear();
            play("a line without a role", false);
        }

        [Test]
        public void ARigThatWasSetUpAnewIsAskedForBeforeTheNextPass()
        {
            Room room = PlayingWithThree();
            Vector3 hand = room.Rig["RightHand"].position;
            room.Rig.Animator.RebuildRig();
            typeof(SinewAnimator).GetMethod("OnDrawGizmosSelected", BindingFlags.Instance | BindingFlags.NonPublic).Invoke(room.Rig.Animator, null);
            Vector3 asked = room.Rig.Animator.GetIKPosition(AvatarIKGoal.RightHand);
            Assert.IsTrue(asked.x * 0f == 0f, "an answer");
            Frames(30);
            TestRig.AssertNear(hand, room.Rig["RightHand"].position, 0.02f, "the hand goes on");
        }

        // A character that its scale mirrors does what the mirror image of its trackers makes of
        // one that is not, steps included.
        [Test]
        public void AMirroredCharacterFollowsItsTrackers()
        {
            TestRig[] rigs = { new TestRig(), new TestRig() };
            SinewTrackedBody[] bodies = new SinewTrackedBody[2];
            string[] bones = { "Head", "LeftHand", "RightHand" };
            Transform[,] sources = new Transform[2, 3];
            rigs[1].Root.transform.localScale = new Vector3(-1f, 1f, 1f);
            for (int k = 0; k < 2; k++)
            {
                rigs[k].Start();
                bodies[k] = rigs[k].Root.AddComponent<SinewTrackedBody>();
                bodies[k].trackers.Clear();
                for (int i = 0; i < 3; i++)
                {
                    sources[k, i] = new GameObject(bones[i]).transform;
                    bodies[k].trackers.Add(new SinewTracker((SinewTrackerRole)i, sources[k, i]));
                }
            }
            Player.Animation = delegate
            {
                rigs[0].PoseIdle();
                rigs[1].PoseIdle();
            };
            Vector3[] places = Array.ConvertAll(bones, delegate (string bone) { return rigs[0][bone].position; });
            Quaternion turn = Quaternion.identity;
            for (int frame = 0; frame < 150; frame++)
            {
                if (frame == 2) Assert.IsTrue(bodies[0].Calibrate() && bodies[1].Calibrate(), "calibrated");
                float t = frame < 10 ? 0f : (frame - 10) * Step;
                Vector3 walk = new Vector3(0.4f * t, 0f, 0.15f * t);
                turn = Quaternion.Euler(0f, 25f * t, 0f);
                for (int k = 0; k < 2; k++)
                {
                    Vector3 mirror = new Vector3(k == 0 ? 1f : -1f, 1f, 1f);
                    rigs[k].Root.transform.position = Vector3.Scale(walk, mirror);
                    rigs[k].Root.transform.rotation = k == 0 ? turn : Quaternion.Inverse(turn);
                    for (int i = 0; i < 3; i++)
                    {
                        Vector3 at = places[i] + new Vector3(0.1f * Mathf.Sin(t + i), -0.15f * t * (i == 2 ? 1f : 0.2f), 0.2f * Mathf.Sin(2f * t));
                        Quaternion own = turn * Quaternion.Euler(10f * t * i, 20f * t, 5f * t);
                        sources[k, i].position = Vector3.Scale(walk + turn * at, mirror);
                        sources[k, i].rotation = k == 0 ? own : new Quaternion(own.x, -own.y, -own.z, own.w);
                    }
                }
                Player.Frame(Step);
                if (frame < 4) continue;
                for (int j = 0; j < rigs[0].Joints.Length; j++)
                    TestRig.AssertNear(rigs[0].Joints[j].localRotation, rigs[1].Joints[j].localRotation, 0.2f, rigs[0].HumanNames[j] + " in frame " + frame);
                for (int i = 1; i < 3; i++)
                {
                    float off = Vector3.Distance(sources[0, i].position, rigs[0][bones[i]].position);
                    Assert.AreEqual(off, Vector3.Distance(sources[1, i].position, rigs[1][bones[i]].position), 1e-3f, bones[i] + " in frame " + frame);
                    if (frame < 60) Assert.Less(off, 0.02f, bones[i] + " in frame " + frame);
                }
            }
        }

        private static void Frames(int count)
        {
            for (int i = 0; i < count; i++) Player.Frame(Step);
        }
    }
}
