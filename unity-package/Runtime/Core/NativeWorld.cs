using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// Animators that are solved in one native call. An animator belongs to at most one world. One
    /// thread at a time: while a world is solved, every other call on it fails with ErrorBusy,
    /// joining and leaving too. No call here allocates managed memory, except constructors and
    /// exceptions. </summary>
    /// <remarks>
    /// Poses, roots and inputs can stay in arrays of the caller's, such as NativeArray: give their
    /// addresses and strides in a <see cref="SinewWorldFrame"/>. The static methods take handles
    /// and pointers only and throw nothing, so Burst-compiled jobs may call them. </remarks>
    public sealed unsafe class NativeWorld : NativeObject
    {
        /// <summary>Creates an empty world that solves on the calling thread.</summary>
        public NativeWorld()
        {
            SinewLibrary.CheckVersion();
            SinewWorldHandle made;
            SinewLibrary.Check(NativeMethods.sinew_world_create(&made));
            Own(made.bits);
        }

        /// <summary>The handle, for jobs; good until this is disposed.</summary>
        public SinewWorldHandle Handle
        {
            get { return new SinewWorldHandle(Bits); }
        }

        /// <summary>Number of animators.</summary>
        public int Count
        {
            get
            {
                uint count;
                Done(NativeMethods.sinew_world_get_count(Handle, &count));
                return (int)count;
            }
        }

        /// <summary>Number of rows that arrays must have.</summary>
        public int RowCount
        {
            get
            {
                uint count;
                Done(NativeMethods.sinew_world_get_row_count(Handle, &count));
                return (int)count;
            }
        }

        /// <summary>Takes an animator in and returns its row: the lowest free one, kept until the
        /// animator leaves or is disposed. The row of an animator that is disposed is free after
        /// the next solve. Allocates native memory.</summary>
        /// <exception cref="SinewException">It belongs to a world already, or one of the two is in
        /// use.</exception>
        public int Join(NativeAnimator animator)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            uint row;
            Done(NativeMethods.sinew_world_join(Handle, animator.Handle, &row));
            GC.KeepAlive(animator);
            return (int)row;
        }

        /// <summary>Removes an animator and frees its row; its pose and goals are kept. An animator
        /// that is disposed leaves in the next solve. Allocates a few bytes of native
        /// memory.</summary>
        /// <exception cref="SinewException">It does not belong to this world, or one of the two is
        /// in use.</exception>
        public void Leave(NativeAnimator animator)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            Done(NativeMethods.sinew_world_leave(Handle, animator.Handle));
            GC.KeepAlive(animator);
        }

        /// <summary>Row of an animator.</summary>
        /// <exception cref="SinewException">It does not belong to this world.</exception>
        public int Row(NativeAnimator animator)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            uint row;
            Done(NativeMethods.sinew_world_get_row(Handle, animator.Handle, &row));
            GC.KeepAlive(animator);
            return (int)row;
        }

        /// <summary>Solves an animator in every call, with all iterations: the default.</summary>
        /// <param name="animator">A member.</param>
        public void SetLodFull(NativeAnimator animator)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            Done(NativeMethods.sinew_world_set_lod_full(Handle, animator.Handle));
            GC.KeepAlive(animator);
        }

        /// <summary>Solves an animator in every call, with a fraction of the iterations of its
        /// chain constraints and of its whole-body solver.</summary>
        /// <param name="animator">A member.</param>
        /// <param name="fraction">Above 0 and at most 1.</param>
        public void SetLodIterations(NativeAnimator animator, float fraction)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            Done(NativeMethods.sinew_world_set_lod_iterations(Handle, animator.Handle, fraction));
            GC.KeepAlive(animator);
        }

        /// <summary>Solves an animator in every n-th call and interpolates in between.</summary>
        /// <param name="animator">A member.</param>
        /// <param name="calls">n, 1 to 1000.</param>
        public void SetLodInterval(NativeAnimator animator, int calls)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            Done(NativeMethods.sinew_world_set_lod_interval(Handle, animator.Handle, calls < 0 ? 0u : (uint)calls));
            GC.KeepAlive(animator);
        }

        /// <summary>Skips an animator: its pose is neither read nor written.</summary>
        /// <param name="animator">A member.</param>
        public void SetLodOff(NativeAnimator animator)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            Done(NativeMethods.sinew_world_set_lod_off(Handle, animator.Handle));
            GC.KeepAlive(animator);
        }

        /// <summary>
        /// Which poses the world keeps itself, as structures of arrays, for <see
        /// cref="SinewPoseLayout.Soa"/>: solved in place, the cheapest of all layouts. Everything
        /// begins in the rest pose. At set-up: it allocates native memory. </summary>
        public void SetArrays(SinewPoseArrays which)
        {
            Done(NativeMethods.sinew_world_set_arrays(Handle, which));
        }

        /// <summary>
        /// Where an animator's pose is in the world's arrays: number c of joint j, c from 0
        /// (position x) to 6 (rotation w), is <c>locals[(7 * j + c) * 8 + place]</c>. The addresses
        /// are good for jobs and for NativeArrays made of them as long as the animator belongs to
        /// the world. </summary> <exception cref="SinewException">There are none
        /// (ErrorNotAvailable), or it does not belong to this world.</exception>
        public SinewWorldArrays Arrays(NativeAnimator animator)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            SinewWorldArrays arrays;
            Done(NativeMethods.sinew_world_get_arrays(Handle, animator.Handle, &arrays));
            GC.KeepAlive(animator);
            return arrays;
        }

        /// <summary>Level of detail of an animator.</summary>
        /// <param name="animator">A member.</param>
        /// <param name="fraction">Written: the fraction of ReducedIterations.</param>
        /// <param name="calls">Written: n of EveryNth.</param>
        public SinewLod GetLod(NativeAnimator animator, out float fraction, out int calls)
        {
            if (animator == null) throw new ArgumentNullException("animator");
            int lod;
            float part;
            uint every;
            Done(NativeMethods.sinew_world_get_lod(Handle, animator.Handle, &lod, &part, &every));
            GC.KeepAlive(animator);
            fraction = part;
            calls = (int)every;
            return (SinewLod)lod;
        }

        /// <summary>Handle of the animator in a row; the null handle for a free one. A disposed
        /// animator is in its row until the next solve.</summary>
        public SinewAnimatorHandle GetAnimator(int row)
        {
            SinewAnimatorHandle animator;
            Done(NativeMethods.sinew_world_get_animator(Handle, row < 0 ? uint.MaxValue : (uint)row, &animator));
            return animator;
        }

        /// <summary>Hash of all animators and their rows.</summary>
        public ulong StateHash
        {
            get
            {
                ulong hash;
                Done(NativeMethods.sinew_world_hash(Handle, &hash));
                return hash;
            }
        }

        /// <summary>The same with a clock of the caller's: a function pointer of <see
        /// cref="SinewClock"/>, seconds, any start. The delegate behind it must be kept alive, and
        /// must throw nothing.</summary>
        public void SetBudget(float seconds, IntPtr clock, void* user)
        {
            Done(NativeMethods.sinew_world_set_budget(Handle, seconds, clock, user));
        }

        /// <summary>Sets for how many seconds a call may start new solves; below 0 (default): no
        /// limit.</summary>
        public void SetBudget(float seconds)
        {
            Done(NativeMethods.sinew_world_set_budget(Handle, seconds, IntPtr.Zero, null));
        }

        /// <summary>
        /// Makes the caller's job system solve. Both are function pointers of <see
        /// cref="SinewEnqueue"/> and <see cref="SinewWait"/>; both zero: the calling thread again.
        /// Delegates behind them must be kept alive, and must throw nothing. </summary>
        public void SetJobs(IntPtr enqueue, IntPtr wait, void* user)
        {
            Done(NativeMethods.sinew_world_set_jobs(Handle, enqueue, wait, user));
        }

        /// <summary>Starts threads of the world's own; 0 or 1: the calling thread again.</summary>
        /// <exception cref="SinewException">The library was built without, or the platform has none
        /// (ErrorNotAvailable).</exception>
        public void SetThreads(int count)
        {
            Done(NativeMethods.sinew_world_set_threads(Handle, count < 0 ? uint.MaxValue : (uint)count));
        }

        /// <summary>A frame with its size filled in and all arrays null.</summary>
        public static SinewWorldFrame DefaultFrame
        {
            get
            {
                SinewLibrary.CheckVersion();
                SinewWorldFrame frame;
                SinewLibrary.Check(NativeMethods.sinew_world_frame_default(&frame));
                return frame;
            }
        }

        /// <summary>Solves all animators from their own pose buffers.</summary>
        /// <exception cref="SinewException">At least one failed; the others were
        /// solved.</exception>
        public SinewWorldReport Solve()
        {
            SinewWorldReport report;
            Done(NativeMethods.sinew_world_solve(Handle, null, &report));
            return report;
        }

        /// <summary>Solves all animators from the frame's arrays: one native call for all of
        /// them.</summary> <exception cref="SinewException">At least one failed (the frame's
        /// out_results says which); the others were solved.</exception>
        public SinewWorldReport Solve(ref SinewWorldFrame frame)
        {
            SinewWorldReport report;
            fixed (SinewWorldFrame* pointer = &frame)
            {
                Done(NativeMethods.sinew_world_solve(Handle, pointer, &report));
            }
            return report;
        }

        /// <summary>Solves a world by its handle; for Burst-compiled jobs. <paramref name="frame"/>
        /// and <paramref name="report"/> may be null.</summary> <returns>Ok, or why not; nothing is
        /// thrown.</returns>
        public static SinewResult Solve(SinewWorldHandle world, SinewWorldFrame* frame, SinewWorldReport* report)
        {
            return NativeMethods.sinew_world_solve(world, frame, report);
        }

        /// <summary>Runs parts of a job that <see cref="SinewEnqueue"/> was given; for the caller's
        /// (Burst-compiled) jobs, from any thread.</summary> <returns>Ok, or why not; nothing is
        /// thrown.</returns>
        public static SinewResult RunJob(SinewJob job, uint begin, uint end)
        {
            return NativeMethods.sinew_job_run(job, begin, end);
        }

        internal override SinewResult Destroy(ulong handle)
        {
            return NativeMethods.sinew_world_destroy(new SinewWorldHandle(handle));
        }
    }
}
