using System.Collections.Generic;
using UnityEngine;

namespace Sinew
{
    /// <summary>Keeps the book of running SinewAnimators, so that their native objects never outlive the scripts.</summary>
    public static class SinewRuntime
    {
        private static readonly List<SinewAnimator> running = new List<SinewAnimator>();

        /// <summary>Number of SinewAnimators that hold native objects at the moment.</summary>
        public static int RunningCount
        {
            get { return running.Count; }
        }

        /// <summary>
        /// Destroys the native objects of all SinewAnimators. The Editor does this before it reloads scripts; a SinewAnimator
        /// that stays enabled makes new ones when it needs them.
        /// </summary>
        public static void ReleaseAll()
        {
            for (int i = running.Count - 1; i >= 0; i--) running[i].Release();
            running.Clear();
        }

        internal static void Add(SinewAnimator animator)
        {
            running.Add(animator);
        }

        internal static void Remove(SinewAnimator animator)
        {
            running.Remove(animator);
        }

        // Statics survive from one Play session to the next when the domain is not reloaded.
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        private static void ResetStatics()
        {
            ReleaseAll();
        }
    }
}
