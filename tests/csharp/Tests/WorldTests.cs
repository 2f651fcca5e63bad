using System;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Sinew.Interop;

namespace Sinew.Tests
{
    /// <summary>Many animators in one native call, from arrays of the caller's.</summary>
    public sealed unsafe class WorldTests
    {
        private const int Count = 30;

        private static NativeAnimator[] Animators()
        {
            NativeAnimator[] animators = new NativeAnimator[Count];
            using (NativeSkeleton skeleton = Natives.Skeleton())
            using (NativeAvatar avatar = new NativeAvatar(skeleton, Natives.HumanJoints))
                for (int i = 0; i < Count; i++)
                {
                    animators[i] = new NativeAnimator(skeleton, avatar);
                    SinewVec3 goal = Natives.Vec(0.3f, 1f + 0.01f * i, 0.3f);
                    animators[i].SetIKPosition(SinewIkGoal.RightHand, goal);
                    animators[i].SetIKPositionWeight(SinewIkGoal.RightHand, 1f);
                }
            return animators;
        }

        private static void Dispose(NativeAnimator[] animators)
        {
            foreach (NativeAnimator animator in animators) animator.Dispose();
        }

        private static bool SamePose(SinewTransform* a, SinewTransform* b, int joints)
        {
            uint* x = (uint*)a, y = (uint*)b;
            for (int i = 0; i < 10 * joints; i++)
                if (x[i] != y[i]) return false;
            return true;
        }

        [Test]
        public void OneCallSolvesAllInTheCallersMemory()
        {
            NativeAnimator[] crowd = Animators(), alone = Animators();
            int joints = crowd[0].JointCount, bytes = Count * joints * sizeof(SinewTransform);
            SinewTransform* poses = (SinewTransform*)Marshal.AllocHGlobal(bytes);
            int* results = stackalloc int[Count];
            using (NativeWorld world = new NativeWorld())
            {
                for (int i = 0; i < Count; i++)
                {
                    Assert.AreEqual(i, world.Join(crowd[i]));
                    for (int j = 0; j < joints; j++) poses[i * joints + j] = Natives.Rest[j];
                    alone[i].Solve();
                }
                SinewWorldFrame frame = NativeWorld.DefaultFrame;
                frame.row_count = (uint)world.RowCount;
                frame.layout = (int)SinewPoseLayout.Records;
                frame.records = poses;
                frame.records_stride = (uint)(joints * sizeof(SinewTransform));
                frame.out_results = results;
                SinewWorldReport report = world.Solve(ref frame);
                Assert.AreEqual(Count, (int)report.solved);
                for (int i = 0; i < Count; i++)
                {
                    Assert.IsTrue(SamePose(poses + i * joints, alone[i].Pose, joints), "row " + i + " has other bits than alone");
                    Assert.AreEqual((int)SinewResult.Ok, results[i]);
                }
                // As a Burst-compiled job calls it.
                SinewResult result = NativeWorld.Solve(world.Handle, &frame, &report);
                Assert.AreEqual(SinewResult.Ok, result);
                report = world.Solve();
                for (int i = 0; i < Count; i++)
                    Assert.IsTrue(SamePose(crowd[i].Pose, alone[i].Pose, joints), "buffer " + i + " has other bits than alone");
                world.SetLodOff(crowd[2]);
                world.SetLodInterval(crowd[3], 4);
                Assert.AreEqual(1, (int)world.Solve().off);
                world.Leave(crowd[2]);
                Assert.AreEqual(Count - 1, world.Count);
                Assert.AreEqual(3, world.Row(crowd[3]));
                SinewException error = Assert.Throws<SinewException>(delegate { world.Leave(crowd[2]); });
                Assert.AreEqual(SinewResult.ErrorNotMember, error.Result);
            }
            Marshal.FreeHGlobal((IntPtr)poses);
            Dispose(crowd);
            Dispose(alone);
        }

        [Test]
        public void TheWorldsOwnArraysAreSolvedInPlace()
        {
            NativeAnimator[] crowd = Animators();
            int joints = crowd[0].JointCount;
            using (NativeWorld world = new NativeWorld())
            {
                foreach (NativeAnimator animator in crowd) world.Join(animator);
                world.SetArrays(SinewPoseArrays.LocalsAndFrames);
                SinewWorldFrame frame = NativeWorld.DefaultFrame;
                frame.layout = (int)SinewPoseLayout.Soa;
                SinewWorldReport report = world.Solve(ref frame);
                Assert.AreEqual(Count, (int)report.solved);
                foreach (NativeAnimator animator in crowd)
                {
                    SinewWorldArrays arrays = world.Arrays(animator);
                    Assert.AreEqual(joints, (int)arrays.joint_count);
                    Assert.IsTrue(arrays.frames != null);
                    animator.Solve();
                    for (int j = 0; j < joints; j++)
                        for (int n = 0; n < 7; n++)
                        {
                            float alone = ((float*)(animator.Pose + j))[n];
                            Assert.AreEqual(alone, arrays.locals[(7 * j + n) * 8 + arrays.place]);
                        }
                }
            }
            Dispose(crowd);
        }

        private static NativeWorld inside;
        private static NativeAnimator outsider;
        private static SinewResult joined, first;

        private static void* Enqueue(void* user, SinewJob job, uint count, uint grain)
        {
            try
            {
                inside.Join(outsider);
                joined = SinewResult.Ok;
            }
            catch (SinewException e)
            {
                joined = e.Result;
            }
            first = NativeWorld.RunJob(job, 0, count);
            return user;
        }

        private static void Wait(void* user, void* task)
        {
        }

        [Test]
        public void TheCallersJobsDoTheWorkAndJoiningMeanwhileIsRefused()
        {
            NativeAnimator[] crowd = Animators();
            SinewEnqueue enqueue = Enqueue;
            SinewWait wait = Wait;
            outsider = Natives.Animator();
            using (NativeWorld world = new NativeWorld())
            {
                inside = world;
                foreach (NativeAnimator animator in crowd) world.Join(animator);
                int something = 1;
                world.SetJobs(Marshal.GetFunctionPointerForDelegate(enqueue), Marshal.GetFunctionPointerForDelegate(wait), &something);
                Assert.AreEqual(Count, (int)world.Solve().solved);
                Assert.AreEqual(SinewResult.ErrorBusy, joined);
                Assert.AreEqual(SinewResult.Ok, first);
            }
            GC.KeepAlive(enqueue);
            GC.KeepAlive(wait);
            outsider.Dispose();
            Dispose(crowd);
        }

        [Test]
        public void AWorldThatIsDisposedLetsItsAnimatorsGo()
        {
            NativeAnimator[] crowd = Animators();
            NativeWorld one = new NativeWorld();
            one.Join(crowd[0]);
            Assert.Throws<SinewException>(delegate { one.Join(crowd[0]); });
            one.Dispose();
            Assert.Throws<ObjectDisposedException>(delegate { one.Solve(); });
            using (NativeWorld other = new NativeWorld())
            {
                other.Join(crowd[0]);
                Dispose(crowd);
                Assert.AreEqual(0, (int)other.Solve().solved);
                Assert.AreEqual(0, other.Count);
            }
        }
    }
}
