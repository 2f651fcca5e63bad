using System;
using System.Reflection;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>The SinewBody component: a person picks something up with planted feet, limits, weights, failures, Inspector and gizmos.</summary>
    public sealed class BodyComponentTests
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

        private static Transform At(Vector3 place)
        {
            Transform made = new GameObject("Target").transform;
            made.position = place;
            return made;
        }

        private static SinewBodyEffector Effector(Transform joint, Transform target)
        {
            return new SinewBodyEffector { joint = joint, target = target };
        }

        [Test]
        public unsafe void AFunctionComputesRowsAndAJointFollows()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            body.couplings.Add(new SinewBodyCoupling { joint = rig["LeftHand"], driver = rig["RightHand"], ratio = -0.5f });
            body.enabled = false;
            Quaternion restRight = rig["RightHand"].localRotation, restLeft = rig["LeftHand"].localRotation;
            body.enabled = true;
            Player.Frame(Step);
            float height = rig["RightHand"].position.y + 0.25f;
            SinewBodyEffector lift = new SinewBodyEffector { kind = SinewBodyTaskKind.Host, joint = rig["RightHand"], y = false, z = false };
            body.effectors.Add(lift);
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Inactive, lift.outcome.status, "without a function");
            int calls = 0;
            lift.rows = (at, rows) =>
            {
                calls++;
                rows->value0 = height - at[0].position.y;
                rows->terms0.point = at[0].position;
                rows->terms0.force0 = new SinewVec3 { y = 1f };
            };
            body.effectors.Add(new SinewBodyEffector
            {
                kind = SinewBodyTaskKind.JointRotation, joint = rig["RightHand"], rotation = new Vector3(0f, 60f, 0f), level = 1,
            });
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Reached, lift.outcome.status, "status");
            Assert.Less(Math.Abs(rig["RightHand"].position.y - height), 2e-3f, "the hand's height");
            Assert.IsTrue(calls > 0, "no calls");
            Quaternion right = Quaternion.Inverse(restRight) * rig["RightHand"].localRotation;
            Quaternion left = Quaternion.Inverse(restLeft) * rig["LeftHand"].localRotation;
            Assert.AreEqual(-0.5 * 2 * Math.Atan2(right.y, right.w), 2 * Math.Atan2(left.y, left.w), 1e-3, "the left hand's twist");
            lift.kind = SinewBodyTaskKind.Position;
            lift.target = At(rig["RightHand"].position);
            Player.Frame(Step);
            calls = 0;
            Player.Frame(Step);
            Assert.AreEqual(0, calls, "another kind calls the function");
        }

        [Test]
        public void SomethingIsPickedFromTheFloorWithPlantedFeet()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Frame(Step);
            Vector3 left = rig["LeftFoot"].position, right = rig["RightFoot"].position;
            Quaternion sole = rig["LeftFoot"].rotation;
            Transform thing = At(rig.Root.transform.TransformPoint(new Vector3(0.15f, 0.15f, 0.45f)));
            foreach (string foot in new[] { "LeftFoot", "RightFoot" })
            {
                body.effectors.Add(new SinewBodyEffector { joint = rig[foot], pin = true, matchRotation = true });
            }
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], target = thing, point = new Vector3(0.05f, 0f, 0f) });
            body.effectors.Add(new SinewBodyEffector
            {
                kind = SinewBodyTaskKind.Support, corners = new[] { rig["LeftFoot"], rig["RightFoot"], rig["LeftToes"], rig["RightToes"] }, level = 1,
            });
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Reached, body.outcome.status, "status");
            TestRig.AssertNear(thing.position, rig["RightHand"].TransformPoint(new Vector3(0.05f, 0f, 0f)), 2e-3f, "the palm");
            TestRig.AssertNear(left, rig["LeftFoot"].position, 2e-3f, "the left foot");
            TestRig.AssertNear(right, rig["RightFoot"].position, 2e-3f, "the right foot");
            Assert.Less(Quaternion.Angle(sole, rig["LeftFoot"].rotation), 0.5, "the left sole");
            Assert.AreEqual((int)SinewStatus.Reached, body.effectors[2].outcome.status, "the hand's outcome");
            Vector3 center;
            Assert.IsTrue(body.TryGetCenterOfMass(out center), "a humanoid without masses");
            Vector3 ahead = rig.Root.transform.InverseTransformPoint(center);
            Assert.Less(Math.Abs(ahead.x), 0.12, "beside the feet");
            Assert.Less(ahead.z, 0.14, "in front of the toes");
            // The next frame begins with the animation again: the answer is the same.
            Vector3 hips = rig["Hips"].position;
            Player.Frame(Step);
            TestRig.AssertNear(hips, rig["Hips"].position, 1e-5f, "another frame, another answer");
        }

        [Test]
        public void TwoPeopleShakeHands()
        {
            SinewBody one, two;
            TestRig first = Person(out one), second = Person(out two);
            Player.Animation = () =>
            {
                first.PoseIdle();
                second.PoseIdle();
            };
            Transform from = first.Root.transform, there = second.Root.transform;
            there.position = from.TransformPoint(new Vector3(0f, 0f, 1f));
            there.rotation = from.rotation * Quaternion.Euler(0f, 180f, 0f);
            Vector3 palm = new Vector3(0.08f, 0f, 0f);
            foreach (TestRig rig in new[] { first, second })
            {
                SinewBody body = rig == first ? one : two;
                foreach (string foot in new[] { "LeftFoot", "RightFoot" })
                    body.effectors.Add(new SinewBodyEffector { joint = rig[foot], pin = true, matchRotation = true });
                body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"], point = palm, matchRotation = true });
            }
            SinewBodyTies ties = new GameObject("Ties").AddComponent<SinewBodyTies>();
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Inactive, ties.meeting.status, "without ties");
            Assert.AreEqual((int)SinewStatus.Inactive, one.effectors[2].outcome.status, "an effector without a target");
            SinewEffectorTie tie = new SinewEffectorTie { first = one, firstEffector = 2, second = two, secondEffector = 2 };
            tie.rotation = new Vector3(180f, 0f, 0f);
            ties.ties.Add(tie);
            for (int frame = 0; frame < 3; frame++)
            {
                Player.Frame(Step);
                Assert.AreEqual((int)SinewStatus.Reached, ties.meeting.status, "status");
                TestRig.AssertNear(first["RightHand"].TransformPoint(palm), second["RightHand"].TransformPoint(palm), 2e-3f, "the palms");
                Quaternion expected = second["RightHand"].rotation * Quaternion.Euler(180f, 0f, 0f);
                Assert.Less(Quaternion.Angle(first["RightHand"].rotation, expected), 1.0, "the turn of the hands");
                Assert.AreEqual((int)SinewStatus.Reached, two.effectors[2].outcome.status, "the effector's outcome");
                Assert.Less(tie.gap, 2e-3f, "the gap");
            }
            // Too far: the hands point at each other, with what is left between them.
            there.position = from.TransformPoint(new Vector3(0f, 0f, 8f));
            Player.Frame(Step);
            Vector3 gap = first["RightHand"].TransformPoint(palm) - second["RightHand"].TransformPoint(palm);
            Assert.AreEqual((double)gap.magnitude, tie.gap, 5e-3, "what is left");
            Assert.Greater(tie.gap, 1.0, "people eight metres apart");
            ties.enabled = false;
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Inactive, one.effectors[2].outcome.status, "no longer tied");
            ties.enabled = true;
            tie.secondEffector = 0;
            Debug.Lines.Clear();
            Player.Frame(Step);
            Player.Frame(Step);
            Assert.AreEqual(1, Debug.Lines.Count, "an error once");
            Assert.IsTrue(Debug.Lines[0].Contains("or is a pin"), Debug.Lines[0]);
            Debug.Lines.Clear();
            Assert.AreEqual((int)SinewStatus.Inactive, one.effectors[2].outcome.status, "a tie that is wrong");
            // What is wrong with one tie stops no other, and is reported again after enabling.
            SinewEffectorTie good = new SinewEffectorTie { first = one, firstEffector = 2, second = two, secondEffector = 2 };
            ties.ties.Insert(0, good);
            ties.enabled = false;
            ties.enabled = true;
            Player.Frame(Step);
            Assert.AreEqual(1, Debug.Lines.Count, "an error again");
            Assert.Greater(good.gap, 1.0, "the other tie of people eight metres apart");
            Assert.IsTrue(one.effectors[2].outcome.status != (int)SinewStatus.Inactive, "an effector of the other tie");
            Debug.Lines.Clear();
        }

        [Test]
        public void MaxWorkEndsAFrameEarly()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Transform goal = At(rig.Root.transform.TransformPoint(new Vector3(0.15f, 0.15f, 0.45f)));
            body.effectors.Add(Effector(rig["RightHand"], goal));
            body.maxWork = 0;
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.OutOfIterations, body.outcome.status);
            body.maxWork = (int)SinewConstants.SINEW_MAX_WORK;
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Reached, body.outcome.status);
            TestRig.AssertNear(goal.position, rig["RightHand"].position, 2e-3f, "the hand");
        }

        [Test]
        public void WeightsFadeAndAtZeroKeepEveryBit()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Frame(Step);
            TransformData[] animated = rig.Snapshot();
            Vector3 from = rig["LeftHand"].position;
            Transform target = At(rig.Root.transform.TransformPoint(new Vector3(-0.3f, 1.2f, 0.4f)));
            SinewBodyEffector hand = Effector(rig["LeftHand"], target);
            body.effectors.Add(hand);
            for (int i = 4; i >= 0; i--)
            {
                float share = 0.25f * i;
                if (i % 2 == 0) body.weight = share;
                else hand.blend = share / body.weight;
                if (i % 2 == 0) hand.blend = 1f;
                Player.Frame(Step);
                TestRig.AssertNear(Vector3.Lerp(from, target.position, share), rig["LeftHand"].position, 2e-3f, "share " + share);
            }
            rig.AssertPose(animated, "weight 0 changed the pose");
            body.weight = 1f;
            hand.target = null;
            Player.Frame(Step);
            rig.AssertPose(animated, "an effector without target changed the pose");
            hand.target = target;
            Player.Frame(Step);
            body.enabled = false;
            rig.AssertPose(animated, "the pose of the animation does not come back");
            Player.Frame(Step);
            rig.AssertPose(animated, "a disabled component changed the pose");
            Assert.IsTrue(body.Native == null, "the native body stays");
        }

        [Test]
        public void LimitsOfComponentsHold()
        {
            TestRig rig = new TestRig();
            SinewJointLimits limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
            limits.lockX = limits.lockZ = true;
            limits.limitY = true;
            limits.min = new Vector3(0f, -25f, 0f);
            limits.max = new Vector3(0f, 25f, 0f);
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.root = SinewBodyRoot.Fixed;
            int warnings = Debug.Lines.Count;
            rig.Root.SetActive(true);
            Assert.AreEqual(warnings, Debug.Lines.Count, "limits below a body are no reason to warn");
            Vector3 hips = rig["Hips"].position;
            body.effectors.Add(new SinewBodyEffector
            {
                kind = SinewBodyTaskKind.RelativePosition, joint = rig["RightHand"], other = rig["RightUpperArm"],
            });
            Player.Animation = rig.PoseIdle;
            Player.Frame(Step);
            Assert.Less(Quaternion.Angle(Quaternion.identity, rig["RightLowerArm"].localRotation), 25.1, "the elbow's angle");
            Assert.Greater(Quaternion.Angle(Quaternion.identity, rig["RightLowerArm"].localRotation), 24.0, "the elbow does not bend");
            Transform[] limited = body.LimitedJoints();
            Assert.AreEqual(1, limited.Length, "joints at their limits");
            Assert.IsTrue(limited[0] == rig["RightLowerArm"], "another joint");
            Assert.AreEqual(1u, body.effectors[0].outcome.limited_joint_count);
            TestRig.AssertNear(hips, rig["Hips"].position, 0f, "the fixed root moved");
        }

        [Test]
        public void AJointSlidesAlongItsAxisAndNotBeyond()
        {
            foreach (float end in new[] { 0f, 0.1f, 0.6f })
            {
                TestRig rig = new TestRig();
                SinewJointLimits limits = rig["RightLowerArm"].gameObject.AddComponent<SinewJointLimits>();
                limits.slideAxis = Vector3.right;
                limits.slideMax = end;
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.root = SinewBodyRoot.Fixed;
                rig.Root.SetActive(true);
                Player.Animation = rig.PoseIdle;
                Player.Frame(Step);
                Vector3 before = rig["RightLowerArm"].localPosition;
                Transform shoulder = rig["RightUpperArm"];
                Transform goal = At(shoulder.position + shoulder.rotation * Vector3.right * 4f);
                body.effectors.Add(Effector(rig["RightHand"], goal));
                Player.Frame(Step);
                Vector3 moved = rig["RightLowerArm"].localPosition - before;
                Assert.IsTrue(Mathf.Abs(moved.y) < 1e-5f && Mathf.Abs(moved.z) < 1e-5f, "it leaves its axis: " + moved);
                // Out of reach: all that can help goes to its end.
                Assert.IsTrue(Mathf.Abs(moved.x - end) < 1e-4f, moved.x + " along an axis that ends at " + end);
                UnityEngine.Object.DestroyImmediate(rig.Root);
            }
        }

        [Test]
        public void ANewBodyHasTheLibrarysDefaults()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Frame(Step);
            object own = body.Native.Settings, library = NativeBody.DefaultSettings();
            foreach (FieldInfo field in own.GetType().GetFields())
            {
                double wanted = Convert.ToDouble(field.GetValue(library));
                Assert.AreEqual(wanted, Convert.ToDouble(field.GetValue(own)), 1e-4 * Math.Abs(wanted), field.Name);
            }
            UnityEngine.Object.DestroyImmediate(rig.Root);
        }

        [Test]
        public void CapsOfSpeedAndAccelerationHoldForASlide()
        {
            // Only the elbow's slide is free: metres count as radians of 0.3 m.
            const float speedCap = 2f * 0.3f, accelerationCap = 10f * 0.3f, end = 0.6f;
            TestRig rig = new TestRig();
            Transform elbow = rig["RightLowerArm"];
            foreach (Transform joint in rig["Hips"].GetComponentsInChildren<Transform>(true))
            {
                if (joint == rig["Hips"]) continue;
                SinewJointLimits limits = joint.gameObject.AddComponent<SinewJointLimits>();
                limits.lockX = limits.lockY = limits.lockZ = true;
                limits.slideAxis = Vector3.right;
                limits.slideMax = joint == elbow ? end : 0f;
            }
            SinewBody body = rig.Root.AddComponent<SinewBody>();
            body.root = SinewBodyRoot.Fixed;
            body.mode = SinewBodyMode.Track;
            body.trackConverge = SinewTrackConverge.Never;
            body.details.posture = 0f;
            body.details.rotationLength = 0.3f;
            body.maxSpeed = 2f * Mathf.Rad2Deg;
            body.maxAcceleration = 10f * Mathf.Rad2Deg;
            rig.Root.SetActive(true);
            Player.Animation = rig.PoseIdle;
            Player.Frame(Step);
            float start = elbow.localPosition.x;
            Transform shoulder = rig["RightUpperArm"];
            body.effectors.Add(Effector(rig["RightHand"], At(shoulder.position + shoulder.rotation * Vector3.right * 4f)));
            float way = 0f, speed = 0f, fastest = 0f;
            for (int frame = 0; frame < 240; frame++)
            {
                Player.Frame(Step);
                float next = (elbow.localPosition.x - start - way) / Step;
                Assert.Less(Mathf.Abs(next), speedCap * 1.01f, "frame " + frame + ": metres per second");
                Assert.Less(Mathf.Abs(next - speed), accelerationCap * Step * 1.05f, "frame " + frame + ": the change of the speed");
                fastest = Mathf.Max(fastest, next);
                speed = next;
                way = elbow.localPosition.x - start;
            }
            Assert.Greater(fastest, 0.9f * speedCap, "the greatest speed");
            Assert.IsTrue(Mathf.Abs(way - end) < 2e-3f, way + " of " + end + " metres");
            UnityEngine.Object.DestroyImmediate(rig.Root);
        }

        [Test]
        public void OtherKindsAndTrackModeRun()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            body.mode = SinewBodyMode.Track;
            body.feedback = 6f;
            Transform look = At(rig.Root.transform.TransformPoint(new Vector3(1f, 1.4f, 2f)));
            body.effectors.Add(new SinewBodyEffector { kind = SinewBodyTaskKind.Gaze, joint = rig["Head"], target = look });
            body.effectors.Add(new SinewBodyEffector
            {
                kind = SinewBodyTaskKind.Pole, joint = rig["LeftLowerArm"], target = At(rig.Root.transform.TransformPoint(new Vector3(-1f, 1f, 1f))),
            });
            body.effectors.Add(new SinewBodyEffector { kind = SinewBodyTaskKind.Position, joint = rig["Hips"], pin = true });
            body.effectors.Add(new SinewBodyEffector { kind = SinewBodyTaskKind.Axis, joint = rig["Chest"], axis = Vector3.up, target = At(Vector3.zero) });
            body.effectors[3].target.rotation = Quaternion.LookRotation(Vector3.up, Vector3.forward);
            double last = 400.0;
            for (int frame = 0; frame < 120; frame++)
            {
                Player.Frame(Step);
                double angle = Vector3.Angle(rig["Head"].rotation * Vector3.forward, look.position - rig["Head"].position);
                Assert.Less(angle, last + 0.5, "frame " + frame + ": the head turns away");
                last = angle;
            }
            Assert.Less(last, 0.5, "the head looks elsewhere");
            body.Forget();
            Player.Frame(Step);
        }

        // In a pause the Animator in unscaled time goes on, and its body with it.
        [Test]
        public void ABodyGoesByTheClockOfItsAnimator()
        {
            foreach (AnimatorUpdateMode update in new[] { AnimatorUpdateMode.Normal, AnimatorUpdateMode.UnscaledTime })
            {
                TestRig rig = new TestRig();
                Animator unity = rig.AddUnityAnimator(false);
                unity.write = rig.PoseIdle;
                unity.updateMode = update;
                SinewBody body = rig.Root.AddComponent<SinewBody>();
                body.mode = SinewBodyMode.Track;
                body.trackConverge = SinewTrackConverge.Never;
                body.feedback = 6f;
                rig.Root.SetActive(true);
                Player.Frame(Step);
                Vector3 before = rig["RightHand"].position;
                body.effectors.Add(Effector(rig["RightHand"], At(new Vector3(0.3f, 1.2f, 0.3f))));
                Time.timeScale = 0f;
                for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
                float way = Vector3.Distance(before, rig["RightHand"].position);
                if (update == AnimatorUpdateMode.Normal) Assert.Less(way, 1e-4f, "metres the hand went in a pause");
                else Assert.Less(Vector3.Distance(new Vector3(0.3f, 1.2f, 0.3f), rig["RightHand"].position), 0.01f, "metres to the goal, unscaled time");
                Player.Clear();
            }
        }

        // Meeting places of bodies in track mode are looked for over the time of the frame: in a
        // pause none, where the bodies are of a world that stands still.
        [Test]
        public void TiesGoByTheClockOfTheirBodies()
        {
            AnimatorUpdateMode normal = AnimatorUpdateMode.Normal, unscaled = AnimatorUpdateMode.UnscaledTime;
            foreach (AnimatorUpdateMode[] modes in new[] { new[] { normal, normal }, new[] { unscaled, unscaled }, new[] { normal, unscaled } })
            {
                TestRig[] rigs = { new TestRig(), new TestRig() };
                SinewBody[] bodies = new SinewBody[2];
                SinewBodyTies ties = new GameObject("Ties").AddComponent<SinewBodyTies>();
                for (int i = 0; i < 2; i++)
                {
                    Animator unity = rigs[i].AddUnityAnimator(false);
                    unity.write = rigs[i].PoseIdle;
                    unity.updateMode = modes[i];
                    bodies[i] = rigs[i].Root.AddComponent<SinewBody>();
                    bodies[i].mode = SinewBodyMode.Track;
                    bodies[i].trackConverge = SinewTrackConverge.Never;
                    bodies[i].root = SinewBodyRoot.Fixed;
                    bodies[i].effectors.Add(new SinewBodyEffector { joint = rigs[i][i == 0 ? "RightHand" : "LeftHand"] });
                    rigs[i].Root.transform.position = new Vector3(0f, 0f, 0.9f * i);
                    rigs[i].Root.transform.rotation = Quaternion.Euler(0f, 180f * i, 0f);
                    rigs[i].Root.SetActive(true);
                }
                Player.Frame(Step);
                // Where the first hand is the second one cannot be: places are tried in turn.
                ties.ties.Add(new SinewEffectorTie { first = bodies[0], second = bodies[1], share = 0f });
                Time.timeScale = 0f;
                Player.Frame(Step);
                float first = ties.ties[0].gap;
                for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
                float apart = Vector3.Distance(rigs[0]["RightHand"].position, rigs[1]["LeftHand"].position);
                string when = modes[0] + " and " + modes[1] + ": " + apart + " m, gap in the first frame " + first;
                if (modes[1] == normal) Assert.Greater(apart, 0.2f, when);
                else Assert.IsTrue(first < 0.05f && apart < 0.01f, when);
                Player.Clear();
            }
        }

        [Test]
        public void EachSolverOfTrackModeArrivesAndDampingHoldsBack()
        {
            // Dls twice: the last time with so much damping that nothing moves.
            SinewTrackSolver[] solvers =
                { SinewTrackSolver.Adaptive, SinewTrackSolver.Sdls, SinewTrackSolver.Dls, SinewTrackSolver.Dls };
            for (int number = 0; number < solvers.Length; number++)
            {
                SinewBody body;
                TestRig rig = Person(out body);
                body.mode = SinewBodyMode.Track;
                body.trackConverge = SinewTrackConverge.Never;
                body.trackSolver = solvers[number];
                bool holds = number == 3;
                if (holds)
                {
                    body.details.dampingMax = 100f;
                    body.details.dampingEpsilon = 1000f;
                }
                Transform goal = At(rig.Root.transform.TransformPoint(new Vector3(0.3f, 1.2f, 0.3f)));
                body.effectors.Add(Effector(rig["RightHand"], goal));
                for (int frame = 0; frame < 60; frame++) Player.Frame(Step);
                double left = Vector3.Distance(rig["RightHand"].position, goal.position);
                Assert.IsTrue(holds ? left > 0.1 : left < 2e-3, "left by " + solvers[number] + ": " + left);
                UnityEngine.Object.DestroyImmediate(rig.Root);
            }
        }

        [Test]
        public void TheGoalsVelocityAndTheAccelerationCapAct()
        {
            foreach (float follows in new[] { 0f, 1f })
            {
                SinewBody body;
                TestRig rig = Person(out body);
                body.mode = SinewBodyMode.Track;
                body.feedback = 10f;
                body.goalVelocity = follows;
                body.trackConverge = SinewTrackConverge.First;
                body.longestStep = 0.005f;
                Transform goal = At(rig.Root.transform.TransformPoint(new Vector3(0.3f, 1.2f, 0.3f)));
                body.effectors.Add(Effector(rig["RightHand"], goal));
                double left = 0.0;
                for (int frame = 0; frame < 40; frame++)
                {
                    goal.position += new Vector3(0.2f * Step, 0f, 0f);
                    Player.Frame(Step);
                    left = Vector3.Distance(rig["RightHand"].position, goal.position);
                }
                Assert.IsTrue(follows > 0f ? left < 2e-3 : left > 5e-3, "left with goalVelocity " + follows + ": " + left);
                // From rest, with a cap: in half a second 60 degrees per second squared turn it by
                // 7.5 degrees at most.
                body.feedback = 0f;
                body.trackConverge = SinewTrackConverge.Never;
                body.maxAcceleration = 60f;
                body.Forget();
                Quaternion before = rig["RightUpperArm"].localRotation;
                goal.position += Vector3.up * 0.3f;
                for (float time = 0f; time < 0.5f; time += Step) Player.Frame(Step);
                Assert.Less(Quaternion.Angle(before, rig["RightUpperArm"].localRotation), 60f + 9f, "it turns faster than the cap allows");
                UnityEngine.Object.DestroyImmediate(rig.Root);
            }
        }

        [Test]
        public void WhatCannotBeIsSaidOnce()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Transform stranger = At(Vector3.one);
            body.effectors.Add(Effector(stranger, stranger));
            int before = Debug.Lines.Count;
            Player.Frame(Step);
            Player.Frame(Step);
            Assert.AreEqual(before + 1, Debug.Lines.Count, "messages");
            Assert.IsTrue(Debug.Lines[before].Contains("'Target' is no joint below 'Character'"), Debug.Lines[before]);
            Debug.Lines.Clear();
            body.effectors.Clear();
            body.enabled = false;
            body.enabled = true;
            body.effectors.Add(Effector(rig["RightHand"], At(rig.Root.transform.TransformPoint(new Vector3(0.3f, 1.1f, 0.4f)))));
            Player.Frame(Step);
            Assert.AreEqual((int)SinewStatus.Reached, body.outcome.status, "it does not go on");
        }

        [Test]
        public void AutoIKPosesAChainAndPinsStay()
        {
            SinewBody body;
            TestRig rig = Person(out body);
            Player.Frame(Step);
            Quaternion spine = rig["Spine"].localRotation;
            Vector3 hips = rig["Hips"].position;
            Vector3 goal = rig["RightHand"].position + new Vector3(0.05f, 0.12f, 0.08f);
            body.enabled = false;
            using (SinewAutoIK auto = new SinewAutoIK(body))
            {
                auto.Begin();
                Assert.AreEqual((int)SinewStatus.Reached, auto.Drag(rig["RightHand"], goal, 2, null, false).status, "status");
                TestRig.AssertNear(goal, rig["RightHand"].position, 2e-3f, "the dragged hand");
                Assert.AreEqual(spine, rig["Spine"].localRotation, "the spine is not in the chain");
                // Each drag starts at the pose of Begin: back at the start nothing has moved.
                Quaternion elbow = rig["RightLowerArm"].localRotation;
                auto.Begin();
                Vector3 here = rig["RightHand"].position;
                auto.Drag(rig["RightHand"], goal + new Vector3(0f, -0.2f, 0f), 2, null, false);
                auto.Drag(rig["RightHand"], here, 2, null, false);
                Assert.Less(Quaternion.Angle(elbow, rig["RightLowerArm"].localRotation), 0.2f, "the elbow is not back");
                auto.Begin();
                Vector3 left = rig["LeftFoot"].position, right = rig["RightFoot"].position;
                Transform[] pins = { rig["LeftFoot"], rig["RightFoot"] };
                auto.Drag(rig["Hips"], hips + new Vector3(0f, -0.2f, 0f), 0, pins, true);
                TestRig.AssertNear(hips + new Vector3(0f, -0.2f, 0f), rig["Hips"].position, 2e-3f, "the dragged hips");
                TestRig.AssertNear(left, rig["LeftFoot"].position, 2e-3f, "the left foot");
                TestRig.AssertNear(right, rig["RightFoot"].position, 2e-3f, "the right foot");
                Assert.Throws<SinewException>(() => auto.Drag(new GameObject("stranger").transform, hips, 0, null, false));
            }
        }

        [Test]
        public void InspectorHandlesAndGizmos()
        {
            Type type = Assembly.GetExecutingAssembly().GetType("Sinew.Editor.SinewBodyEditor");
            UnityEditor.Editor inspector = (UnityEditor.Editor)Activator.CreateInstance(type, true);
            SinewBody body;
            TestRig rig = Person(out body);
            body.effectors.Add(new SinewBodyEffector { joint = rig["RightHand"] });
            inspector.targets = new UnityEngine.Object[] { body };
            Application.isPlaying = false;
            GUILayout.Pressed = "Create Missing Targets";
            inspector.OnInspectorGUI();
            GUILayout.Pressed = "";
            Application.isPlaying = true;
            Transform made = body.effectors[0].target;
            TestRig.AssertNear(rig["RightHand"].position, made.position, 1e-5f, "a target begins at its joint");
            Vector3 from = made.position;
            Handles.Drag = new Vector3(0f, 0.05f, 0.02f);
            type.GetMethod("OnSceneGUI", BindingFlags.Instance | BindingFlags.NonPublic).Invoke(inspector, null);
            TestRig.AssertNear(from + Handles.Drag, made.position, 1e-5f, "dragged");
            Handles.Drag = Vector3.zero;
            Player.Frame(Step);
            inspector.OnInspectorGUI();
            int drawn = Gizmos.Drawn;
            typeof(SinewBody).GetMethod("OnDrawGizmosSelected", BindingFlags.Instance | BindingFlags.NonPublic).Invoke(body, null);
            Assert.Greater(Gizmos.Drawn, drawn + rig.Joints.Length - 2, "lines drawn");
        }
    }
}
