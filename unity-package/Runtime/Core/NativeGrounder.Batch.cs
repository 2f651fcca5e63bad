using System;
using Sinew.Interop;

namespace Sinew
{
    public sealed unsafe partial class NativeGrounder
    {
        // Kept for the next batch of the thread, so that nothing of a frame allocates.
        [ThreadStatic] private static SinewGrounderHandle[] handles;

        private const int MostQueries = 5; // of a leg, in the best quality

        private SinewGroundQuery[] asked;
        private SinewGroundHit[] answered;

        /// <summary>Solves a frame whose queries a function answers, on this thread. An exception in
        /// it leaves the frame under way, without a result. Allocates at the first
        /// call.</summary>
        /// <param name="frame">The character.</param>
        /// <param name="legs">The animated legs, <see cref="LegCount"/> of them.</param>
        /// <param name="cast">Looks for ground along a query; an answer with hit 0 is none.</param>
        public void Solve(SinewGrounderFrame frame, SinewGrounderLeg[] legs, Func<SinewGroundQuery, SinewGroundHit> cast)
        {
            if (cast == null) throw new ArgumentNullException("cast");
            if (asked == null)
            {
                asked = new SinewGroundQuery[MostQueries * LegCount];
                answered = new SinewGroundHit[asked.Length];
            }
            int count = Begin(frame, legs, asked);
            for (int i = 0; i < count; i++) answered[i] = cast(asked[i]);
            Finish(answered, count);
        }

        /// <summary>Starts a frame of many grounders: all queries in one array. Those of grounder i
        /// are from <paramref name="firstQueries"/>[i] up to [i + 1], and count legs within their
        /// grounder. When one fails, those before it have begun their frames.</summary>
        /// <param name="grounders">Each at most once.</param>
        /// <param name="frames">One per grounder.</param>
        /// <param name="legs">The legs of all grounders, one grounder after the other.</param>
        /// <param name="queries">Room for quality times legs of all grounders.</param>
        /// <param name="firstQueries">Written; room for one more than there are grounders.</param>
        /// <returns>Number of queries.</returns>
        public static int BeginBatch(
            NativeGrounder[] grounders, SinewGrounderFrame[] frames, SinewGrounderLeg[] legs, SinewGroundQuery[] queries, int[] firstQueries)
        {
            if (frames == null) throw new ArgumentNullException("frames");
            if (legs == null) throw new ArgumentNullException("legs");
            if (queries == null) throw new ArgumentNullException("queries");
            if (firstQueries == null) throw new ArgumentNullException("firstQueries");
            SinewGrounderHandle[] of = HandlesOf(grounders);
            int count = grounders.Length;
            if (frames.Length < count) throw new ArgumentException("frames has " + frames.Length + " entries, grounders " + count, "frames");
            if (firstQueries.Length <= count)
                throw new ArgumentException("firstQueries has " + firstQueries.Length + " entries, grounders " + count, "firstQueries");
            SinewResult result;
            fixed (SinewGrounderHandle* handlesPointer = of)
            fixed (SinewGrounderFrame* framesPointer = frames)
            fixed (SinewGrounderLeg* legsPointer = legs)
            fixed (SinewGroundQuery* room = queries)
            fixed (int* first = firstQueries)
            {
                result = NativeMethods.sinew_grounder_begin_batch(handlesPointer, (uint)count, framesPointer, legsPointer, (uint)legs.Length,
                    room, (uint)queries.Length, (uint*)first);
            }
            GC.KeepAlive(grounders);
            SinewLibrary.Check(result);
            return firstQueries[count];
        }

        /// <summary>Solves the frames under way of many grounders. When one fails, those before it
        /// are finished, and their bodies and legs are written.</summary>
        /// <param name="grounders">As for <see cref="BeginBatch"/>.</param>
        /// <param name="hits">One answer per query, in their order.</param>
        /// <param name="hitCount">Number of queries.</param>
        /// <param name="bodies">Written: one per grounder.</param>
        /// <param name="legs">Written: as long as the legs of all grounders.</param>
        public static void FinishBatch(
            NativeGrounder[] grounders, SinewGroundHit[] hits, int hitCount, SinewGrounderBody[] bodies, SinewGrounderLegResult[] legs)
        {
            if (hits == null) throw new ArgumentNullException("hits");
            if (hitCount < 0 || hitCount > hits.Length) throw new ArgumentOutOfRangeException("hitCount");
            if (bodies == null) throw new ArgumentNullException("bodies");
            if (legs == null) throw new ArgumentNullException("legs");
            SinewGrounderHandle[] of = HandlesOf(grounders);
            int count = grounders.Length;
            if (bodies.Length < count) throw new ArgumentException("bodies has " + bodies.Length + " entries, grounders " + count, "bodies");
            SinewResult result;
            fixed (SinewGrounderHandle* handlesPointer = of)
            fixed (SinewGroundHit* hitsPointer = hits)
            fixed (SinewGrounderBody* bodiesPointer = bodies)
            fixed (SinewGrounderLegResult* legsPointer = legs)
            {
                result = NativeMethods.sinew_grounder_finish_batch(handlesPointer, (uint)count, hitsPointer, (uint)hitCount, bodiesPointer,
                    legsPointer, (uint)legs.Length);
            }
            GC.KeepAlive(grounders);
            SinewLibrary.Check(result);
        }

        private static SinewGrounderHandle[] HandlesOf(NativeGrounder[] grounders)
        {
            if (grounders == null) throw new ArgumentNullException("grounders");
            if (handles == null || handles.Length < grounders.Length) handles = new SinewGrounderHandle[grounders.Length];
            for (int i = 0; i < grounders.Length; i++)
            {
                if (grounders[i] == null) throw new ArgumentException("grounders[" + i + "] is null", "grounders");
                handles[i] = grounders[i].Handle;
            }
            return handles;
        }
    }
}
