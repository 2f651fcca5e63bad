using System;
using NUnit.Framework;
using Sinew.Interop;

namespace Sinew.Tests
{
    /// <summary>NativeBody: every member, judged by kinematics of the test's own in double.</summary>
    public sealed class BodyTests
    {
        // A trunk with two arms: 0 root, 1 to 3 one arm, 4 to 6 the other.
        private static readonly int[] Parents = { -1, 0, 1, 2, 0, 4, 5 };

        private static SinewTransform[] Rest()
        {
            SinewTransform[] rest = new SinewTransform[Parents.Length];
            for (int i = 0; i < rest.Length; i++)
            {
                float side = i == 0 ? 0f : i < 4 ? -0.3f : 0.3f;
                rest[i] = new SinewTransform
                {
                    position = new SinewVec3 { x = side, y = i == 0 ? 1f : 0f },
                    rotation = new SinewQuat { w = 1f },
                    scale = new SinewVec3 { x = 1f, y = 1f, z = 1f },
                };
            }
            return rest;
        }

        private static double[] Turn(SinewQuat q, double[] v)
        {
            double[] u = { q.x, q.y, q.z };
            double[] c = Cross(u, v);
            double[] d = Cross(u, new[] { c[0] + q.w * v[0], c[1] + q.w * v[1], c[2] + q.w * v[2] });
            return new[] { v[0] + 2 * d[0], v[1] + 2 * d[1], v[2] + 2 * d[2] };
        }

        private static double[] Cross(double[] a, double[] b)
        {
            return new[] { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
        }

        private static double[] Place(SinewTransform[] pose, int joint)
        {
            double[] at = { 0, 0, 0 };
            for (int j = joint; j >= 0; j = Parents[j])
            {
                at = Turn(pose[j].rotation, at);
                at = new[] { at[0] + pose[j].position.x, at[1] + pose[j].position.y, at[2] + pose[j].position.z };
            }
            return at;
        }

        private static double Off(SinewTransform[] pose, int joint, SinewVec3 goal)
        {
            double[] at = Place(pose, joint);
            return Math.Sqrt(Math.Pow(at[0] - goal.x, 2) + Math.Pow(at[1] - goal.y, 2) + Math.Pow(at[2] - goal.z, 2));
        }

        private static SinewResult CodeOf(Action call)
        {
            try
            {
                call();
                return SinewResult.Ok;
            }
            catch (SinewException e)
            {
                return e.Result;
            }
        }

        [Test]
        public void AJointIsDraggedAndBodiesAreSolvedTogether()
        {
            SinewVec3 goal = new SinewVec3 { x = -0.5f, y = 1.3f, z = 0.3f };
            using (NativeBody one = Make(NativeBody.DefaultSettings()))
            using (NativeBody two = Make(NativeBody.DefaultSettings()))
            using (NativeWorld world = new NativeWorld())
            {
                SinewTransform[] pose = Rest();
                SinewBodyDrag drag = NativeBody.DefaultDrag();
                drag.joint = 3;
                drag.chain_length = 2;
                drag.goal = goal;
                SinewBodyOutcome dragged = one.Drag(pose, drag);
                Assert.AreEqual((int)SinewStatus.Reached, dragged.status, "status");
                Assert.Less(Off(pose, 3, goal), 1e-3, "the dragged joint");
                Assert.AreEqual(Rest()[0].rotation, pose[0].rotation, "the root is not in the chain");
                drag.chain_length = 0;
                SinewBodyPin[] pins = { new SinewBodyPin { joint = 6 } };
                pose = Rest();
                one.Drag(pose, drag, pins);
                Assert.Less(Off(pose, 6, new SinewVec3 { x = 0.9f, y = 1f }), 1e-3, "the pinned joint");
                drag.joint = 99;
                Assert.AreEqual(SinewResult.ErrorOutOfRange, CodeOf(() => one.Drag(pose, drag)), "no such joint");
                one.AddTask(Position(3, goal));
                two.AddTask(Position(6, goal));
                SinewTransform[] first = Rest(), second = Rest(), alone = Rest();
                two.Solve(alone);
                unsafe
                {
                    fixed (SinewTransform* a = first)
                    fixed (SinewTransform* b = second)
                    {
                        SinewBodyWork[] works = { one.Work(a, first.Length), two.Work(b, second.Length) };
                        SinewBodyBatchReport report = NativeBody.SolveBatch(works, 0f, world);
                        Assert.AreEqual(2u, report.solved, "solved");
                        Assert.AreEqual((int)SinewBodyWorkState.Solved, works[1].state, "state");
                        works[1].body = works[0].body;
                        Assert.AreEqual(SinewResult.ErrorInvalidArgument, CodeOf(() => NativeBody.SolveBatch(works, 0f)), "a body twice");
                    }
                }
                Assert.Less(Off(first, 3, goal), 1e-3, "the first body");
                for (int i = 0; i < alone.Length; i++) Assert.AreEqual(alone[i].rotation, second[i].rotation, "other bits than alone");
            }
        }

        [Test]
        public unsafe void HandsOfTwoBodiesMeet()
        {
            using (NativeBody one = Make(NativeBody.DefaultSettings()))
            using (NativeBody two = Make(NativeBody.DefaultSettings()))
            {
                SinewBodyTask hand = one.AddTask(Position(3, default(SinewVec3))), other = two.AddTask(Position(6, default(SinewVec3)));
                SinewTransform[] first = Rest(), second = Rest();
                SinewBodyTie[] ties = { NativeBody.Tie(hand, other) };
                SinewBodyMeeting meeting;
                fixed (SinewTransform* a = first)
                fixed (SinewTransform* b = second)
                {
                    SinewBodyWork[] works = { one.Work(a, first.Length), two.Work(b, second.Length) };
                    meeting = NativeBody.Meet(works, ties);
                    Assert.AreEqual(Rest()[1].rotation, first[1].rotation, "a pose moved");
                    ties[0].second_work = 0;
                    Assert.AreEqual(SinewResult.ErrorInvalidHandle, CodeOf(() => NativeBody.Meet(works, ties)), "a task of the other");
                    ties[0].second_work = 1;
                    Assert.AreEqual(SinewResult.ErrorInvalidArgument, CodeOf(() => NativeBody.Meet(works, ties, 0f, 0)), "no rounds");
                }
                Assert.AreEqual((int)SinewStatus.Reached, meeting.status, "status");
                SinewVec3 place = one.Task(hand).goal;
                Assert.AreEqual(place, two.Task(other).goal, "one place");
                one.Solve(first);
                two.Solve(second);
                Assert.Less(Off(first, 3, place), 1e-3, "the first hand");
                Assert.Less(Off(second, 6, place), 1e-3, "the second hand");
            }
        }

        // A point of the hand at a distance from a centre: value = distance - |x - c|.
        private static readonly double[] Palm = { 0.1, 0, 0 };

        private static unsafe void Sphere(SinewTaskPlacement* at, SinewTaskRows* rows, SinewVec3 center, double distance)
        {
            double[] arm = Turn(at[0].rotation, Palm);
            SinewVec3 x = at[0].position;
            x = new SinewVec3 { x = (float)(x.x + arm[0]), y = (float)(x.y + arm[1]), z = (float)(x.z + arm[2]) };
            double dx = x.x - center.x, dy = x.y - center.y, dz = x.z - center.z;
            double length = Math.Sqrt(dx * dx + dy * dy + dz * dz);
            rows->value0 = (float)(distance - length);
            rows->terms0.point = x;
            rows->terms0.force0 = new SinewVec3 { x = (float)(dx / length), y = (float)(dy / length), z = (float)(dz / length) };
        }

        [Test]
        public unsafe void AFunctionComputesRows()
        {
            SinewVec3 center = new SinewVec3 { x = -0.5f, y = 1.4f, z = 0.2f };
            using (NativeBody body = Make(NativeBody.DefaultSettings()))
            {
                int calls = 0;
                Exception spoil = null;
                SinewBodyTaskDef def = NativeBody.DefaultTask(SinewBodyTaskKind.Host);
                def.joint = 3;
                def.axes = 1;
                SinewBodyTask task = body.AddHostTask(def, (at, rows) =>
                {
                    calls++;
                    if (spoil != null) throw spoil;
                    Sphere(at, rows, center, 0.2);
                });
                GC.Collect(); // the function is reachable through its body alone
                SinewTransform[] pose = Rest();
                Assert.AreEqual((int)SinewStatus.Reached, body.Solve(pose).status, "status");
                double[] hand = Place(pose, 3);
                double[] palm = Turn(Rotation(pose, 3), Palm);
                double[] way = { hand[0] + palm[0] - center.x, hand[1] + palm[1] - center.y, hand[2] + palm[2] - center.z };
                double length = Math.Sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
                Assert.Less(Math.Abs(length - 0.2), 1e-3, "the palm is on the sphere");
                Assert.Less(body.CheckHostTask(task), 0.01f, "its Jacobian");
                spoil = new InvalidOperationException("no rows");
                pose = Rest();
                SinewException failure = null;
                try
                {
                    body.Solve(pose);
                }
                catch (SinewException e)
                {
                    failure = e;
                }
                Assert.IsNotNull(failure, "an exception of the function");
                Assert.AreEqual(SinewResult.ErrorNotFinite, failure.Result, "its code");
                Assert.IsTrue(ReferenceEquals(spoil, failure.InnerException), "the function's exception");
                Assert.AreEqual(Rest()[1].rotation, pose[1].rotation, "the pose was changed");
                body.RemoveTask(task);
                calls = 0;
                body.Solve(pose);
                Assert.AreEqual(0, calls, "a removed task was called");
                Assert.AreEqual(SinewResult.ErrorInvalidArgument, CodeOf(() => body.AddTask(def)), "without a function");
                Assert.AreEqual(SinewResult.ErrorInvalidArgument, CodeOf(() => body.CheckHostTask(body.AddTask(Position(3, center)))), "no host task");
            }
        }

        [Test]
        public void AJointFollowsAnother()
        {
            using (NativeBody body = Make(NativeBody.DefaultSettings()))
            {
                SinewJointCoupling coupling = NativeBody.DefaultCoupling();
                Assert.AreEqual(-1, coupling.driver, "no driver by default");
                coupling.driver = 2;
                coupling.ratio = 0.5f;
                body.SetJointCoupling(5, coupling);
                Assert.AreEqual(2, body.JointCoupling(5).driver, "what was set");
                SinewBodyTaskDef def = NativeBody.DefaultTask(SinewBodyTaskKind.JointRotation);
                def.joint = 2;
                def.rotation = new SinewQuat { y = (float)Math.Sin(0.4), w = (float)Math.Cos(0.4) };
                body.AddTask(def);
                SinewTransform[] pose = Rest();
                body.Solve(pose);
                Assert.AreEqual(0.4, 2 * Math.Atan2(pose[5].rotation.y, pose[5].rotation.w), 3e-3, "half of 0.8");
                coupling.driver = 5;
                Assert.AreEqual(SinewResult.ErrorInvalidArgument, CodeOf(() => body.SetJointCoupling(2, coupling)), "a ring");
                body.ClearJointCoupling(5);
                Assert.AreEqual(-1, body.JointCoupling(5).driver, "it still follows");
            }
        }

        private static SinewQuat Rotation(SinewTransform[] pose, int joint)
        {
            double x = 0, y = 0, z = 0, w = 1;
            for (int j = joint; j >= 0; j = Parents[j])
            {
                SinewQuat a = pose[j].rotation;
                double nx = a.w * x + a.x * w + a.y * z - a.z * y, ny = a.w * y - a.x * z + a.y * w + a.z * x;
                double nz = a.w * z + a.x * y - a.y * x + a.z * w, nw = a.w * w - a.x * x - a.y * y - a.z * z;
                x = nx; y = ny; z = nz; w = nw;
            }
            return new SinewQuat { x = (float)x, y = (float)y, z = (float)z, w = (float)w };
        }

        private static NativeBody Make(SinewBodySettings settings)
        {
            using (NativeSkeleton skeleton = new NativeSkeleton(Parents, Rest())) return new NativeBody(skeleton, 0, settings);
        }

        private static SinewBodyTaskDef Position(int joint, SinewVec3 goal)
        {
            SinewBodyTaskDef def = NativeBody.DefaultTask(SinewBodyTaskKind.Position);
            def.joint = (uint)joint;
            def.goal = goal;
            return def;
        }

        [Test]
        public void GoalsAreReachedToldAndTakenBack()
        {
            using (NativeSkeleton skeleton = new NativeSkeleton(Parents, Rest()))
            using (NativeBody body = new NativeBody(skeleton, 0))
            {
                SinewVec3 left = new SinewVec3 { x = -0.5f, y = 1.3f, z = 0.4f }, right = new SinewVec3 { x = 0.4f, y = 0.8f, z = 0.5f };
                SinewBodyTask hand = body.AddTask(Position(3, left));
                SinewBodyTask other = body.AddTask(Position(6, right));
                SinewTransform[] pose = Rest();
                SinewBodyOutcome outcome = body.Solve(pose);
                Assert.AreEqual((int)SinewStatus.Reached, outcome.status);
                Assert.Less(Off(pose, 3, left), 1e-3, "left");
                Assert.Less(Off(pose, 6, right), 1e-3, "right");
                Assert.AreEqual((int)SinewStatus.Reached, body.TaskOutcome(hand).status);
                Assert.AreEqual(outcome.iterations, body.Outcome.iterations);
                Assert.AreEqual(0, body.LimitedJoints().Length);
                bool hasResidual = false;
                foreach (SinewDebugLine line in body.DebugLines()) hasResidual |= line.part == (int)SinewDebugPart.Residual;
                Assert.IsTrue(hasResidual, "no line to a goal");

                right.y = 1.2f;
                body.SetTaskGoal(other, right);
                body.SetTaskRotation(other, new SinewQuat { w = 1f });
                body.SetTaskBlend(hand, 0f);
                pose = Rest();
                body.Solve(pose);
                Assert.Less(Off(pose, 6, right), 1e-3, "the goal did not move");
                Assert.AreEqual((int)SinewStatus.Inactive, body.TaskOutcome(hand).status);
                SinewBodyTaskDef def = body.Task(hand);
                Assert.AreEqual(0f, def.blend);
                def.blend = 1f;
                body.SetTask(hand, def);
                Assert.AreEqual(1f, body.Task(hand).blend);
                body.RemoveTask(hand);
                Assert.AreEqual(SinewResult.ErrorInvalidHandle, CodeOf(() => body.SetTaskBlend(hand, 1f)));
            }
        }

        [Test]
        public void ASolveWithoutWorkEndsAtOnce()
        {
            using (NativeBody body = Make(NativeBody.DefaultSettings()))
            {
                Assert.AreEqual(SinewConstants.SINEW_MAX_WORK, body.MaxWork);
                body.AddTask(Position(3, new SinewVec3 { x = -0.35f, y = 1.2f }));
                body.MaxWork = 0;
                Assert.AreEqual((int)SinewStatus.OutOfIterations, body.Solve(Rest()).status);
                body.MaxWork = uint.MaxValue;
                Assert.AreEqual(SinewConstants.SINEW_MAX_WORK, body.MaxWork);
                Assert.AreEqual((int)SinewStatus.Reached, body.Solve(Rest()).status);
            }
        }

        [Test]
        public void LimitsMassesAndRootAreKept()
        {
            SinewBodySettings settings = NativeBody.DefaultSettings();
            settings.root = (int)SinewBodyRoot.Fixed;
            using (NativeBody body = Make(settings))
            {
                Assert.AreEqual((int)SinewBodyRoot.Fixed, body.Settings.root);
                Assert.AreEqual(SinewResult.ErrorNotAvailable, CodeOf(() => body.CenterOfMass.ToString()));
                body.SetMass(3, 2f, new SinewVec3 { y = 0.25f });
                SinewVec3 center;
                Assert.AreEqual(2f, body.Mass(3, out center));
                Assert.AreEqual(0.25f, center.y);
                SinewJointLimitsDef limits = body.JointLimits(2);
                limits.flags = SinewConstants.SINEW_LIMIT_LOCK_X | SinewConstants.SINEW_LIMIT_LOCK_Y | SinewConstants.SINEW_LIMIT_RANGE_Z;
                limits.min_rad.z = -0.2f;
                limits.max_rad.z = 0.2f;
                body.SetJointLimits(2, limits);
                SinewVec3 goal = new SinewVec3 { x = -0.35f, y = 1.2f };
                SinewBodyTask task = body.AddTask(Position(3, goal));
                SinewTransform[] pose = Rest();
                body.Solve(pose);
                Assert.AreEqual(1f, pose[0].position.y, "the fixed root moved");
                Assert.Less(2.0 * Math.Atan2(Math.Abs(pose[2].rotation.z), pose[2].rotation.w), 0.2001, "beyond the limit");
                int[] limited = body.LimitedJoints(task);
                Assert.AreEqual(1, limited.Length, "joints at their limits");
                Assert.AreEqual(2, limited[0]);
                body.ClearJointLimits(2);
                Assert.AreEqual(0u, body.JointLimits(2).flags);
                SinewTransform root = Rest()[1];
                root.position.x = 5f;
                body.Root = root;
                Assert.AreEqual(5f, body.Root.position.x);
                pose = Rest();
                body.Solve(pose);
                Assert.Greater(body.CenterOfMass.x, 3f, "the centre of mass is not where the root is");
            }
        }

        [Test]
        public void HumanMassesComeFromTheAvatar()
        {
            using (NativeSkeleton other = new NativeSkeleton(Parents, Rest()))
            using (NativeSkeleton skeleton = Natives.Skeleton())
            using (NativeAvatar avatar = new NativeAvatar(skeleton, Natives.HumanJoints))
            using (NativeBody body = new NativeBody(skeleton, 0))
            using (NativeBody stranger = new NativeBody(other, 0))
            {
                body.SetHumanMasses(avatar);
                double total = 0;
                SinewVec3 center;
                for (int j = 0; j < skeleton.JointCount; j++) total += body.Mass(j, out center);
                Assert.Less(Math.Abs(total - 1.0), 1e-4, "the shares add up to " + total);
                Assert.AreEqual(SinewResult.ErrorWrongSkeleton, CodeOf(() => stranger.SetHumanMasses(avatar)));
            }
        }

        [Test]
        public void TrackModeGoesOnFromASnapshot()
        {
            SinewBodySettings settings = NativeBody.DefaultSettings();
            settings.mode = (int)SinewBodyMode.Track;
            settings.feedback = 3f;
            using (NativeBody body = Make(settings))
            {
                SinewBodyTask task = body.AddTask(Position(3, new SinewVec3 { x = -0.6f, y = 1.2f, z = 0.2f }));
                byte[] kept = null;
                SinewTransform[] first = null, second = null;
                for (int frame = 0; frame < 6; frame++)
                {
                    if (frame == 3) kept = body.Snapshot();
                    body.SetTaskGoal(task, new SinewVec3 { x = -0.6f, y = 1.2f + 0.05f * frame, z = 0.2f });
                    body.Solve(first = Rest(), 0.02f);
                }
                body.Restore(kept);
                for (int frame = 3; frame < 6; frame++)
                {
                    body.SetTaskGoal(task, new SinewVec3 { x = -0.6f, y = 1.2f + 0.05f * frame, z = 0.2f });
                    body.Solve(second = Rest(), 0.02f);
                }
                for (int j = 0; j < first.Length; j++) Assert.AreEqual(first[j].rotation, second[j].rotation, "joint " + j);
                body.Reset();
                Array.Resize(ref kept, kept.Length - 4);
                Assert.AreEqual(SinewResult.ErrorInvalidArgument, CodeOf(() => body.Restore(kept)));
            }
        }

        [Test]
        public void FailuresAreExceptionsThatSayWhy()
        {
            NativeBody body = Make(NativeBody.DefaultSettings());
            Assert.AreEqual(SinewResult.ErrorOutOfRange, CodeOf(() => body.AddTask(Position(99, new SinewVec3()))));
            Assert.AreEqual(SinewResult.ErrorLengthMismatch, CodeOf(() => body.Solve(new SinewTransform[3])));
            Assert.AreEqual(SinewResult.ErrorNotFinite, CodeOf(() => body.AddTask(Position(3, new SinewVec3 { x = float.NaN }))));
            Assert.Throws<ArgumentNullException>(() => body.Solve(null));
            body.Dispose();
            Assert.Throws<ObjectDisposedException>(() => body.Reset());
            Assert.IsTrue(body.IsDisposed);
        }
    }
}
