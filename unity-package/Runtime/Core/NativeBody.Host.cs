using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>Computes the rows of a task from where its joints are, world space.</summary>
    /// <param name="placements">Three entries: of the task's joint, other and end; of -1 the
    /// origin.</param>
    /// <param name="rows">Zero beforehand; what a row, a force and a torque are is written at
    /// <see cref="SinewTaskRows"/> and <see cref="SinewTaskTerm"/>. The same placements must give
    /// the same rows.</param>
    public unsafe delegate void BodyRows(SinewTaskPlacement* placements, SinewTaskRows* rows);

    public sealed unsafe partial class NativeBody
    {
        /// <summary>Marks what native code calls, for compilers ahead of time, which know the
        /// attribute by its name.</summary>
        [AttributeUsage(AttributeTargets.Method)]
        private sealed class MonoPInvokeCallbackAttribute : Attribute
        {
            public MonoPInvokeCallbackAttribute(Type type)
            {
            }
        }

        /// <summary>A function of the host, and the exception that it threw last.</summary>
        private sealed class HostFunction
        {
            internal BodyRows Compute;
            internal Exception Thrown;
            internal GCHandle Handle;
        }

        private static readonly SinewComputeRows compute = Compute;

        // Keeps the functions reachable as long as this object is; the library has weak handles.
        private Dictionary<ulong, HostFunction> functions;

        /// <summary>Adds a task whose rows a function computes: a residual of your own. Blend,
        /// importance, level and limits hold as for any other task; <see cref="SetTask"/> sets the
        /// rest anew. An exception in the function makes the solve fail with ErrorNotFinite; its
        /// inner exception is the function's. Calls on this body from it fail with
        /// ErrorBusy.</summary>
        /// <param name="def">From <see cref="DefaultTask"/> of <see
        /// cref="SinewBodyTaskKind.Host"/>: joint, other and end (-1: none) are seen by the
        /// function; it has as many rows as axes has flags; the flag 2 (SINEW_BODY_TASK_RADIANS)
        /// makes them angles.</param>
        /// <param name="rows">Called several times in each iteration, on the thread that solves.
        /// </param>
        /// <exception cref="SinewException">As <see cref="AddTask"/>.</exception>
        public SinewBodyTask AddHostTask(SinewBodyTaskDef def, BodyRows rows)
        {
            if (rows == null) throw new ArgumentNullException("rows");
            HostFunction function = new HostFunction { Compute = rows };
            function.Handle = GCHandle.Alloc(function, GCHandleType.Weak);
            SinewBodyTask made;
            try
            {
                IntPtr pointer = Marshal.GetFunctionPointerForDelegate(compute);
                void* user = (void*)GCHandle.ToIntPtr(function.Handle);
                Done(NativeMethods.sinew_body_add_host_task(Handle, &def, pointer, user, &made));
            }
            catch
            {
                function.Handle.Free();
                throw;
            }
            if (functions == null) functions = new Dictionary<ulong, HostFunction>();
            functions.Add(made.bits, function);
            return made;
        }

        /// <summary>How far the Jacobian of a task's function is from the differences of its own
        /// rows in the pose of the last solve, as a share of the largest derivative: below 0.01
        /// where it is right, 1 and more where a force or torque is missing or has the wrong sign.
        /// For tests.</summary>
        /// <exception cref="SinewException">The task has no function, or a row is not
        /// finite.</exception>
        public float CheckHostTask(SinewBodyTask task)
        {
            float error;
            Finish(NativeMethods.sinew_body_check_host_task(Handle, task, &error));
            return error;
        }

        [MonoPInvokeCallback(typeof(SinewComputeRows))]
        private static void Compute(void* user, SinewTaskPlacement* placements, SinewTaskRows* rows)
        {
            HostFunction function = GCHandle.FromIntPtr((IntPtr)user).Target as HostFunction;
            try
            {
                if (function == null) throw new ObjectDisposedException("NativeBody");
                function.Compute(placements, rows);
            }
            catch (Exception thrown)
            {
                if (function != null) function.Thrown = thrown;
                rows->value0 = rows->value1 = rows->value2 = float.NaN;
            }
        }

        // Ends a call in which functions were called.
        private void Finish(SinewResult result)
        {
            Exception thrown = null;
            if (functions != null)
            {
                foreach (KeyValuePair<ulong, HostFunction> entry in functions)
                {
                    thrown = thrown ?? entry.Value.Thrown;
                    entry.Value.Thrown = null;
                }
            }
            GC.KeepAlive(this);
            if (result == SinewResult.Ok) return;
            SinewException failure = SinewLibrary.Failure(result);
            throw thrown == null ? failure : new SinewException(result, failure.Message, thrown);
        }

        private void Release(ulong task)
        {
            HostFunction function;
            if (functions == null || !functions.TryGetValue(task, out function)) return;
            functions.Remove(task);
            function.Handle.Free();
        }

        private void ReleaseAll()
        {
            if (functions == null) return;
            foreach (KeyValuePair<ulong, HostFunction> entry in functions) entry.Value.Handle.Free();
            functions = null;
        }
    }
}
