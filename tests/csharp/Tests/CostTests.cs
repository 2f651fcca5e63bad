using System;
using System.Diagnostics;
using NUnit.Framework;
using Unity.Profiling;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>What a frame costs: native solve calls, calls from scripts to the engine, and time,
    /// for 1, 100 and 1000 characters.</summary>
    public sealed class CostTests
    {
        private static TestRig Busy(int index)
        {
            TestRig rig = new TestRig();
            rig.Root.transform.position = new Vector3(index % 32, 0f, index / 32);
            rig.Start();
            Vector3 place = rig.Root.transform.position + new Vector3(0.3f, 1.2f, 0.3f);
            rig.Root.AddComponent<Script>().Do = delegate (SinewAnimator animator)
            {
                animator.SetIKPosition(AvatarIKGoal.RightHand, place);
                animator.SetIKPositionWeight(AvatarIKGoal.RightHand, 1f);
                animator.SetLookAtPosition(place);
                animator.SetLookAtWeight(1f, 0.2f, 1f);
            };
            return rig;
        }

        // Before 2022.3 the engine gives position and rotation of a joint in two calls.
#if UNITY_2022_3_OR_NEWER
        private const double Alone = 85.0;
#else
        private const double Alone = 135.0;
#endif

        private static readonly long[] solveTicks = ProfilerTicks.Of("Sinew.Solve");

        private static double Milliseconds(long ticks)
        {
            return ticks * 1000.0 / Stopwatch.Frequency;
        }

        [Test]
        public void OneNativeCallForAnyNumberAndFewEngineCalls()
        {
            foreach (int count in new[] { 1, 100, 1000 })
            {
                TestRig[] crowd = new TestRig[count];
                for (int i = 0; i < count; i++) crowd[i] = Busy(i);
                for (int i = 0; i < 3; i++) Player.Frame(0.02f);
                int frames = count == 1 ? 2000 : 10;
                long natives = SinewRuntime.SolveCalls, engine = Calls.Engine;
                // The fastest frame: what else the machine does only adds to the others.
                double whole = double.MaxValue, solve = whole, outside = whole;
                for (int i = 0; i < frames; i++)
                {
                    long inJobs = Calls.JobTicks, inSolve = solveTicks[0], start = Stopwatch.GetTimestamp();
                    Player.Frame(0.02f);
                    long ticks = Stopwatch.GetTimestamp() - start;
                    whole = Math.Min(whole, Milliseconds(ticks));
                    solve = Math.Min(solve, Milliseconds(solveTicks[0] - inSolve));
                    outside = Math.Min(outside, Milliseconds(ticks - (Calls.JobTicks - inJobs)));
                }
                Assert.AreEqual((long)frames, SinewRuntime.SolveCalls - natives, "native calls in " + frames + " frames");
                double perCharacter = (Calls.Engine - engine) / (double)(frames * count);
                // Alone: reads of 26 joints, twice with the callback, and writes. In a crowd jobs
                // do that.
                Assert.Less(perCharacter, count == 1 ? Alone : 10.0, "engine calls per character and frame of " + count);
                Console.WriteLine(
                    "# {0} characters: 1 native call, {1:0.0} engine calls per character; a frame {2:0.0000} ms, "
                    + "without what jobs do {3:0.0000} ms, the native call {4:0.0000} ms",
                    count, perCharacter, whole, outside, solve);
                Player.Clear();
            }
        }
    }
}
