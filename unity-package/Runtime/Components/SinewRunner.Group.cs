using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    internal static unsafe partial class SinewRunner
    {
        private static SinewWorldFrame emptyFrame;

        /// <summary>Characters that are solved at the same moment, in one native call.</summary>
        internal sealed class Group
        {
            internal readonly List<SinewAnimator> Members = new List<SinewAnimator>();
            internal readonly List<SinewAnimator> Batch = new List<SinewAnimator>();
            internal readonly TransformJobs Jobs = new TransformJobs();
            internal NativeWorld World;
            internal SinewTransform* Roots;
            internal SinewHumanoidInput* Inputs;
            internal int* Results;
            internal int* States;
            internal int Rows;
            private int threads;
            private bool isLent;
            private float budget = -1f;

            /// <summary>Passes on to the world what changed of budget and threads since the last
            /// call.</summary>
            internal void TakeSettings()
            {
                float seconds = Budget();
                if (!budget.Equals(seconds)) World.SetBudget(budget = seconds);
                int wanted = SinewRuntime.LendJobThreads ? 0 : SinewRuntime.WorkerThreads;
                if (isLent == SinewRuntime.LendJobThreads && threads == wanted) return;
                threads = wanted;
                isLent = SinewRuntime.LendJobThreads;
                if (isLent)
                {
                    JobLender.Lend(World);
                    return;
                }
                try
                {
                    World.SetThreads(threads);
                }
                catch (SinewException e)
                {
                    // A library without threads: the main thread goes on alone.
                    JobLender.TakeBack(World);
                    Debug.LogWarning("Sinew: no threads of its own: " + e.Message + ". The main thread solves.");
                }
            }

            // A character of which no solve is recorded cannot be put off: its animation alone
            // would be a jump. Where that is most of them, all are solved together.
            private float Budget()
            {
                float seconds = SinewRuntime.BudgetSeconds;
                if (seconds < 0f) return seconds;
                int unrecorded = 0;
                for (int i = 0; i < Batch.Count; i++)
                    if (!Batch[i].IsRecorded) unrecorded++;
                return 2 * unrecorded > Batch.Count ? float.MaxValue : seconds;
            }

            internal void Solve()
            {
                if (emptyFrame.struct_size == 0) emptyFrame = NativeWorld.DefaultFrame;
                SinewWorldFrame frame = emptyFrame;
                frame.row_count = (uint)Rows;
                frame.roots = Roots;
                frame.roots_stride = (uint)sizeof(SinewTransform);
                frame.inputs = Inputs;
                frame.inputs_stride = (uint)sizeof(SinewHumanoidInput);
                frame.out_results = Results;
                frame.out_states = States;
                SinewWorldReport report = default(SinewWorldReport);
                SinewResult result = NativeWorld.Solve(World.Handle, &frame, &report);
                bool isSolved = result == SinewResult.Ok || report.failed > 0;
                for (int i = 0; i < Batch.Count; i++)
                {
                    // Nothing was solved at all: every row has the reason.
                    if (!isSolved) Results[Batch[i].Row] = (int)result;
                    else Note(Batch[i], ref report);
                }
                SinewRuntime.CountSolve(report);
            }

            // What the world has recorded of a character; one that was put off without is solved
            // beyond the budget.
            private void Note(SinewAnimator animator, ref SinewWorldReport report)
            {
                SinewRowState state = (SinewRowState)States[animator.Row];
                if (state == SinewRowState.Solved) animator.IsRecorded = budget >= 0f || animator.SentLevel == DetailLevel.EveryNth;
                if (state != SinewRowState.Cut || animator.IsRecorded) return;
                Results[animator.Row] = (int)animator.SolveNow(Roots[animator.Row], Inputs[animator.Row], animator.IterationsOfLevel);
                report.cut--;
                report.solved++;
            }

            internal void Join(SinewAnimator animator)
            {
                if (World == null)
                {
                    World = new NativeWorld();
                    threads = 0;
                    isLent = false;
                    budget = -1f;
                }
                animator.Row = World.Join(animator.Native);
                animator.Group = this;
                animator.SentLevel = DetailLevel.Full;
                animator.SentDetail = 0f;
                animator.IsRecorded = false;
                Members.Add(animator);
                if (animator.Row >= Rows) Grow(Math.Max(16, 2 * (animator.Row + 1)));
            }

            internal void Leave(SinewAnimator animator)
            {
                World.Leave(animator.Native);
                animator.Group = null;
                Members.Remove(animator);
                Batch.Remove(animator);
                Jobs.Invalidate();
            }

            internal void Dispose()
            {
                if (World == null) return;
                Jobs.Dispose();
                World.Dispose();
                World = null;
                Grow(0);
            }

            private void Grow(int rows)
            {
                Roots = (SinewTransform*)Sized((IntPtr)Roots, rows * sizeof(SinewTransform));
                Inputs = (SinewHumanoidInput*)Sized((IntPtr)Inputs, rows * sizeof(SinewHumanoidInput));
                Results = (int*)Sized((IntPtr)Results, rows * sizeof(int));
                States = (int*)Sized((IntPtr)States, rows * sizeof(int));
                Rows = rows;
            }

            private static IntPtr Sized(IntPtr old, int bytes)
            {
                if (old != IntPtr.Zero) Marshal.FreeHGlobal(old);
                if (bytes == 0) return IntPtr.Zero;
                IntPtr made = Marshal.AllocHGlobal(bytes);
                for (int i = 0; i < bytes; i += 4) *(int*)(made + i) = 0;
                return made;
            }
        }
    }
}
