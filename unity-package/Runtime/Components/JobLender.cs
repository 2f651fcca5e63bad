using System;
using System.Runtime.InteropServices;
using AOT;
using Sinew.Interop;
using Unity.Jobs;

namespace Sinew
{
    /// <summary>Lends Unity's job threads to the library: ranges of its work become parallel
    /// jobs.</summary>
    internal static unsafe class JobLender
    {
        private struct Work : IJobParallelFor
        {
            internal SinewJob Job;

            public void Execute(int index)
            {
                NativeWorld.RunJob(Job, (uint)index, (uint)index + 1);
            }
        }

        private const int Room = 64;
        private static readonly SinewEnqueue enqueue = Enqueue;
        private static readonly SinewWait wait = Wait;
        private static readonly JobHandle[] handles = new JobHandle[Room];
        private static readonly bool[] isUsed = new bool[Room];
        private static ProblemLog problems;

        /// <summary>Number of jobs that were scheduled since the program started.</summary>
        internal static int Scheduled { get; private set; }

        /// <summary>Makes job threads solve a world.</summary>
        internal static void Lend(NativeWorld world)
        {
            world.SetJobs(Marshal.GetFunctionPointerForDelegate(enqueue), Marshal.GetFunctionPointerForDelegate(wait), null);
        }

        /// <summary>Makes the calling thread solve it again.</summary>
        internal static void TakeBack(NativeWorld world)
        {
            world.SetJobs(IntPtr.Zero, IntPtr.Zero, null);
        }

        // Called on the main thread, inside the solve. A task is a place in the table, one-based:
        // null means "done already".
        [MonoPInvokeCallback(typeof(SinewEnqueue))]
        private static void* Enqueue(void* user, SinewJob job, uint count, uint grain)
        {
            int free = Array.IndexOf(isUsed, false);
            if (free < 0)
            {
                NativeWorld.RunJob(job, 0, count);
                return null;
            }
            try
            {
                handles[free] = new Work { Job = job }.Schedule((int)count, Math.Max(1, (int)grain));
            }
            catch (Exception e)
            {
                // Nothing may be thrown into native code: the main thread does the work.
                problems.Add(e);
                NativeWorld.RunJob(job, 0, count);
                return null;
            }
            Scheduled++;
            isUsed[free] = true;
            problems.Clear();
            JobHandle.ScheduleBatchedJobs();
            return (void*)(free + 1);
        }

        [MonoPInvokeCallback(typeof(SinewWait))]
        private static void Wait(void* user, void* task)
        {
            if (task == null) return;
            int at = (int)(long)task - 1;
            handles[at].Complete();
            isUsed[at] = false;
        }
    }
}
