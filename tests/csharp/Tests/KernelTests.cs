using System;
using System.Runtime.InteropServices;
using NUnit.Framework;

namespace Sinew.Tests
{
    /// <summary>Single kernels give the bits of their batches; what a world was told can be read
    /// back.</summary>
    public sealed class KernelTests
    {
        [Test]
        public unsafe void SinglesAreBatchesOfOne()
        {
            SinewTwoBoneJob limb = NativeKernels.DefaultTwoBoneJob();
            limb.root_mid = Natives.Vec(0f, 1f, 0.1f);
            limb.mid_end = Natives.Vec(0f, 1f, -0.1f);
            limb.target = Natives.Vec(0.8f, 1.1f, 0.2f);
            SinewTwoBoneResult batch, single = NativeKernels.Solve(limb);
            NativeKernels.Solve(&limb, 1, &batch);
            Assert.AreEqual(batch, single);
            Assert.IsFalse(single.Equals(default(SinewTwoBoneResult)));
            SinewAimJob ray = NativeKernels.DefaultAimJob();
            ray.target = Natives.Vec(2f, 1f, 1f);
            SinewAimResult many, one = NativeKernels.Solve(ray);
            NativeKernels.Solve(&ray, 1, &many);
            Assert.AreEqual(many, one);
            SinewJointLimbJob joints = NativeKernels.DefaultJointLimbJob();
            joints.mid_at = joints.end_at = Natives.Vec(0f, 1f, 0f);
            joints.target = Natives.Vec(0.5f, 1f, 0.5f);
            SinewJointLimbResult some, alone = NativeKernels.Solve(joints);
            NativeKernels.Solve(&joints, 1, &some);
            Assert.AreEqual(some, alone);
        }

        private static double now;

        private static unsafe double Clock(void* user)
        {
            return now += 1.0;
        }

        [Test]
        public unsafe void AWorldSaysWhatItWasTold()
        {
            SinewClock clock = Clock;
            using (NativeWorld world = new NativeWorld())
            using (NativeAnimator animator = Natives.Animator())
            {
                int row = world.Join(animator);
                float fraction;
                int calls;
                Assert.AreEqual(SinewLod.Full, world.GetLod(animator, out fraction, out calls));
                world.SetLodInterval(animator, 7);
                Assert.AreEqual(SinewLod.EveryNth, world.GetLod(animator, out fraction, out calls));
                Assert.AreEqual(7, calls);
                world.SetLodIterations(animator, 0.25f);
                Assert.AreEqual(SinewLod.ReducedIterations, world.GetLod(animator, out fraction, out calls));
                Assert.AreEqual(0.25f, fraction);
                Assert.AreEqual(animator.Handle, world.GetAnimator(row));
                world.SetBudget(0.5f, Marshal.GetFunctionPointerForDelegate(clock), null);
                world.Solve();
                Assert.Greater(now, 0.0, "the caller's clock is read");
            }
            GC.KeepAlive(clock);
        }
    }
}
