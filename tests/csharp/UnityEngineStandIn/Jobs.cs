// Test-only stand-in for transform jobs and profiler markers: a job runs at once, its transforms in
// reverse order, so that nothing can depend on the order.
using System;

namespace Unity.Collections
{
    public enum Allocator
    {
        Invalid = 0,
        None = 1,
        Temp = 2,
        TempJob = 3,
        Persistent = 4,
    }

    public enum NativeArrayOptions
    {
        UninitializedMemory = 0,
        ClearMemory = 1,
    }

    /// Managed memory, kept for the next array of its size, as native memory is no garbage.
    public struct NativeArray<T> : IDisposable where T : struct
    {
        /// Arrays of this type created and not disposed.
        public static int Live;

        private static readonly System.Collections.Generic.List<T[]> spare = new System.Collections.Generic.List<T[]>();
        private T[] items;
        private int length;

        public NativeArray(int length, Allocator allocator, NativeArrayOptions options = NativeArrayOptions.ClearMemory)
        {
            items = null;
            this.length = length;
            // The engine's arrays are not on the managed heap: any spare one that is long enough
            // will do, so that other numbers of queries allocate nothing here either.
            for (int i = 0; i < spare.Count && items == null; i++)
            {
                if (spare[i].Length < length) continue;
                items = spare[i];
                spare.RemoveAt(i);
            }
            int room = 256;
            while (room < length) room *= 2;
            if (items == null) items = new T[room];
            else if (options == NativeArrayOptions.ClearMemory) Array.Clear(items, 0, length);
            Live++;
        }

        public int Length { get { return length; } }
        public bool IsCreated { get { return items != null; } }

        public T this[int index]
        {
            get { return items[Checked(index)]; }
            set { items[Checked(index)] = value; }
        }

        private int Checked(int index)
        {
            if (index < 0 || index >= length) throw new IndexOutOfRangeException("index is " + index + " of " + length);
            return index;
        }

        public void Dispose()
        {
            spare.Add(items);
            items = null;
            Live--;
        }
    }
}

namespace Unity.Collections.LowLevel.Unsafe
{
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class NativeDisableUnsafePtrRestrictionAttribute : Attribute { }
}

namespace AOT
{
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }
}

namespace Unity.Profiling
{
    /// Stopwatch ticks spent within each marker since the program started.
    public static class ProfilerTicks
    {
        private static readonly System.Collections.Generic.Dictionary<string, long[]> spent =
            new System.Collections.Generic.Dictionary<string, long[]>();

        /// One number, which a marker of this name adds to.
        public static long[] Of(string name)
        {
            long[] ticks;
            if (!spent.TryGetValue(name, out ticks)) spent[name] = ticks = new long[1];
            return ticks;
        }
    }

    public struct ProfilerMarker
    {
        private readonly long[] ticks;

        public ProfilerMarker(string name) { ticks = ProfilerTicks.Of(name); }
        public AutoScope Auto() { return new AutoScope(ticks); }

        public struct AutoScope : IDisposable
        {
            private readonly long[] ticks;

            internal AutoScope(long[] ticks)
            {
                this.ticks = ticks;
                ticks[0] -= System.Diagnostics.Stopwatch.GetTimestamp();
            }

            public void Dispose() { ticks[0] += System.Diagnostics.Stopwatch.GetTimestamp(); }
        }
    }
}

namespace Unity.Jobs
{
    public struct JobHandle
    {
        public void Complete() { }
        public static void ScheduleBatchedJobs() { }
    }

    public interface IJobParallelFor
    {
        void Execute(int index);
    }

    public static class IJobParallelForExtensions
    {
        /// Test switch: the engine refuses to schedule.
        public static bool Refuses;

        /// Runs at once, from the last index to the first.
        public static JobHandle Schedule<T>(
            this T jobData, int arrayLength, int innerloopBatchCount, JobHandle dependsOn = default(JobHandle))
            where T : struct, IJobParallelFor
        {
            if (Refuses) throw new InvalidOperationException("jobs cannot be scheduled here");
            UnityEngine.Calls.IsInJob = true;
            for (int i = arrayLength - 1; i >= 0; i--) jobData.Execute(i);
            UnityEngine.Calls.IsInJob = false;
            return default(JobHandle);
        }
    }
}

namespace UnityEngine.Jobs
{
    public interface IJobParallelForTransform
    {
        void Execute(int index, TransformAccess transform);
    }

    public struct TransformAccess
    {
        internal Transform Of;

        public bool isValid { get { return Of != null; } }
        public Vector3 localPosition { get { return Opened().localPosition; } set { Opened().localPosition = value; } }
        public Quaternion localRotation { get { return Opened().localRotation; } set { Opened().localRotation = value; } }
        public Vector3 localScale { get { return Opened().localScale; } set { Opened().localScale = value; } }

        // The one that the job may touch, for the access that follows.
        private Transform Opened()
        {
            Calls.Allowed = Of;
            return Of;
        }
    }

    public struct TransformAccessArray : IDisposable
    {
        /// Arrays created and not disposed.
        public static int Live;

        internal System.Collections.Generic.List<Transform> Items;

        public TransformAccessArray(int capacity, int desiredJobCount = -1)
        {
            Items = new System.Collections.Generic.List<Transform>(capacity);
            Live++;
        }

        public bool isCreated { get { return Items != null; } }
        public int length { get { return Items.Count; } }
        public Transform this[int index] { get { return Items[index]; } set { Items[index] = Taken(value); } }
        public void Add(Transform transform) { Items.Add(Taken(transform)); }

        public void RemoveAtSwapBack(int index)
        {
            Items[index] = Items[Items.Count - 1];
            Items.RemoveAt(Items.Count - 1);
        }

        public void Dispose()
        {
            Items = null;
            Live--;
        }

        // Refuses Transforms that are gone: what Unity does with them is not documented.
        private static Transform Taken(Transform transform)
        {
            if (transform == null) throw new ArgumentNullException("transform");
            return transform;
        }
    }

    public static class IJobParallelForTransformExtensions
    {
        /// Jobs run since the program started.
        public static int Runs;

        public static Unity.Jobs.JobHandle Schedule<T>(
            this T jobData, TransformAccessArray transforms, Unity.Jobs.JobHandle dependsOn = default(Unity.Jobs.JobHandle))
            where T : struct, IJobParallelForTransform
        {
            Runs++;
            long calls = Calls.Engine;
            Calls.JobTicks -= System.Diagnostics.Stopwatch.GetTimestamp();
            Calls.IsInJob = true;
            for (int i = transforms.length - 1; i >= 0; i--) jobData.Execute(i, new TransformAccess { Of = transforms.Items[i] });
            Calls.IsInJob = false;
            Calls.Allowed = null;
            Calls.JobTicks += System.Diagnostics.Stopwatch.GetTimestamp();
            Calls.Engine = calls + 2; // schedule and complete; what a job does is not on the main thread
            return default(Unity.Jobs.JobHandle);
        }
    }
}

namespace UnityEngine
{
    /// Counts what crosses from a script to the engine on the main thread.
    public static class Calls
    {
        public static long Engine;

        /// Searches through everything below an object.
        public static long Searches;

        /// Whether a job runs: on the engine's job threads only what it was given may be touched.
        internal static bool IsInJob;
        internal static Object Allowed;
        /// Stopwatch ticks within transform jobs, which Unity runs on its job threads.
        public static long JobTicks;
    }
}
