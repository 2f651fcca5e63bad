using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>A component beside a SinewAnimator that holds native objects.</summary>
    internal interface INativeOwner
    {
        /// <summary>Destroys them; new ones are made when they are needed.</summary>
        void Release();
    }

    /// <summary>The SinewAnimators that hold native objects, so that these never outlive the
    /// scripts, and settings for all of them.</summary>
    public static class SinewRuntime
    {
        private static readonly List<SinewAnimator> running = new List<SinewAnimator>();
        private static readonly List<INativeOwner> others = new List<INativeOwner>();

        /// <summary>Number of SinewAnimators that hold native objects at the moment.</summary>
        public static int RunningCount
        {
            get { return running.Count; }
        }

        /// <summary>
        /// Destroys the native objects of all SinewAnimators, and of the grounders and tracked
        /// bodies beside them. The Editor does this before it reloads scripts; a component that
        /// stays enabled makes new ones when it needs them.
        /// </summary>
        public static void ReleaseAll()
        {
            for (int i = running.Count - 1; i >= 0; i--) running[i].Release();
            running.Clear();
            for (int i = others.Count - 1; i >= 0; i--) others[i].Release();
            others.Clear();
        }

        /// <summary>
        /// How the bones below a Transform would be found by names and shape in the pose they have
        /// now, or why they are no humanoid: a sentence for people. Works in Edit mode and leaves
        /// nothing behind. </summary>
        public static string DescribeRig(Transform root)
        {
            return HumanRig.Preview(root);
        }

        /// <summary>
        /// The Transform of each human bone, by HumanBodyBones, as names and shape of the rig would
        /// be mapped in the pose it has now; null when it is no humanoid. Works in Edit mode and
        /// leaves nothing behind. </summary>
        /// <param name="root">The object a SinewAnimator would be on.</param>
        /// <param name="sentence">Written: how the bones were found, or why they are no
        /// humanoid.</param>
        public static Transform[] MapRig(Transform root, out string sentence)
        {
            return HumanRig.Map(root, out sentence);
        }

        /// <summary>
        /// How names and shape of a rig map to human bones: a line per bone with its joint, the
        /// reason and the confidence, then required bones that are missing, then doubts. Works in
        /// Edit mode. </summary>
        /// <param name="root">The object a SinewAnimator is or would be on.</param>
        public static string DescribeMapping(Transform root)
        {
            return HumanRig.DescribeMapping(root);
        }

        /// <summary>
        /// Threads the library starts for solving, 0 (the default): the main thread alone.
        /// Platforms without threads stay at 0. A <see cref="SinewWorld"/> in the scene sets this
        /// and the settings below. </summary>
        public static int WorkerThreads
        {
            get { return workerThreads; }
            set { workerThreads = System.Math.Max(0, value); }
        }

        /// <summary>Number of characters from which on Transforms are read and written by Unity's
        /// job threads; default 8.</summary>
        public static int JobThreshold
        {
            get { return jobThreshold; }
            set { jobThreshold = System.Math.Max(1, value); }
        }

        /// <summary>Whether Unity's job threads solve; default: no.</summary>
        public static bool LendJobThreads { get; set; }

        /// <summary>Seconds of a frame in which new solves may begin; below 0 (default), and what is
        /// not finite: no limit.</summary>
        public static float BudgetSeconds
        {
            get { return budgetSeconds; }
            set { budgetSeconds = value < 0f || float.IsNaN(value) || float.IsInfinity(value) ? -1f : value; }
        }

        /// <summary>What the last native call did with its characters.</summary>
        public static SinewWorldReport LastReport { get; private set; }

        /// <summary>Native solve calls since the program started: one per group of characters and
        /// frame.</summary>
        public static long SolveCalls { get; private set; }

        /// <summary>Characters solved by these calls.</summary>
        public static long SolvedCharacters { get; private set; }

        private static int workerThreads;
        private static int jobThreshold = 8;
        private static float budgetSeconds = -1f;

        internal static void CountSolve(SinewWorldReport report)
        {
            SolveCalls++;
            SolvedCharacters += report.solved;
            LastReport = report;
        }

        internal static void ResetSettings()
        {
            workerThreads = 0;
            jobThreshold = 8;
            budgetSeconds = -1f;
            LendJobThreads = false;
        }

        internal static void Add(SinewAnimator animator)
        {
            running.Add(animator);
        }

        internal static void Remove(SinewAnimator animator)
        {
            running.Remove(animator);
            if (running.Count == 0) SinewRunner.Dispose();
        }

        internal static void Add(INativeOwner owner)
        {
            if (!others.Contains(owner)) others.Add(owner);
        }

        internal static void Remove(INativeOwner owner)
        {
            others.Remove(owner);
        }

        // Statics survive from one Play session to the next when the domain is not reloaded.
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        private static void ResetStatics()
        {
            ReleaseAll();
            ResetSettings();
        }
    }
}
