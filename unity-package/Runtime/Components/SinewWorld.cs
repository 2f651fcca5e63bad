using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>How much work is done for a character in each frame.</summary>
    public enum DetailLevel
    {
        /// <summary>What the scene's SinewWorld says for its distance; without one: Full.</summary>
        ByDistance = 0,

        /// <summary>Solved in every frame, with all iterations.</summary>
        Full = 1,

        /// <summary>Solved in every frame; chain constraints and the whole-body solver make a
        /// fraction of their iterations.</summary>
        FewerIterations = 2,

        /// <summary>Solved in every n-th frame and interpolated in between, n frames
        /// late.</summary>
        EveryNth = 3,

        /// <summary>Neither read nor solved: the animation stays as it is.</summary>
        Off = 4,
    }

    /// <summary>Level of detail of characters up to a distance.</summary>
    [Serializable]
    public sealed class DetailBand : IListElement
    {
        /// <summary>Up to this distance from the viewer, world units.</summary>
        [Tooltip("Distance from the viewer up to which the band counts, world units, at least 0. Default 10.")]
        public float distance = 10f;

        /// <summary>The level.</summary>
        [Tooltip("How much work is done for characters in the band. Default Full.")]
        public DetailLevel level = DetailLevel.Full;

        /// <summary>With Fewer Iterations: the fraction, above 0 and at most 1.</summary>
        [Tooltip("With Fewer Iterations: the fraction of the iterations. Range 0.01 to 1. Default 0.5.")]
        [Range(0.01f, 1f)] public float iterations = 0.5f;

        /// <summary>With Every Nth: n, 2 to 1000.</summary>
        [Tooltip("With Every Nth: solved in every n-th frame, number of frames. Range 2 to 1000. Default 4.")]
        [Range(2, 1000)] public int interval = 4;

        bool IListElement.IsBlank
        {
            get { return distance == 0f && level == DetailLevel.ByDistance && iterations == 0f && interval == 0; }
        }
    }

    /// <summary>
    /// How the characters of all scenes are solved together: levels of detail by distance, a time
    /// budget, and who solves. Put one in a scene when the defaults (everything, on the main
    /// thread) cost too much; of several the one enabled last counts, and when it is disabled the
    /// one before it.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew World")]
    [ManualPage("sinew-world.md")]
    [Icon(SinewHelp.Icons + "SinewWorld.png")]
    [DisallowMultipleComponent]
    public sealed class SinewWorld : MonoBehaviour
    {
        /// <summary>Where distances count from. None: this object.</summary>
        [Header("Levels of detail")]
        [Tooltip("Where distances count from, usually the camera. None: this object.")]
        public Transform viewer;

        /// <summary>Levels in order of distance; beyond the last one its level counts. Empty:
        /// everything in full.</summary>
        [Tooltip("Levels in order of distance; beyond the last one its level counts. Empty: everything in full.")]
        public DetailBand[] bands = new DetailBand[0];

        /// <summary>Milliseconds of a frame in which new solves may begin; 0: no limit. Results
        /// then depend on time.</summary>
        [Header("Time")]
        [Tooltip("Milliseconds of a frame in which new solves may begin, at least 0. 0: no limit. Results then depend on time. Default 0.")]
        public float budgetMilliseconds;

        /// <summary>Whether Unity's job threads solve. They give the same bits as the main
        /// thread.</summary>
        [Header("Threads")]
        [Tooltip("Whether Unity's job threads solve. Same results as on the main thread. Default off.")]
        public bool useJobThreads;

        /// <summary>Threads of the library's own, when job threads are not used; 0: the main
        /// thread. Not on every platform.</summary>
        [Range(0, 64)]
        [Tooltip("Number of threads of the library's own, when job threads are not used. 0: the main thread. Range 0 to 64. Default 0.")]
        public int workerThreads;

        /// <summary>Number of characters from which on job threads read and write
        /// Transforms.</summary>
        [Tooltip("Number of characters from which on job threads read and write Transforms, at least 1. Default 8.")]
        public int jobThreshold = 8;

        private static readonly List<SinewWorld> running = new List<SinewWorld>(); // as they were enabled

        /// <summary>The component that counts, or null.</summary>
        public static SinewWorld current { get; private set; }

        /// <summary>What the last frame's native calls did with the characters.</summary>
        public SinewWorldReport report
        {
            get { return SinewRuntime.LastReport; }
        }

        /// <summary>The band of a place, or null for everything in full.</summary>
        public DetailBand BandAt(Vector3 place)
        {
            if (bands == null || bands.Length == 0) return null;
            float distance = Vector3.Distance(place, viewer != null ? viewer.position : transform.position);
            for (int i = 0; i < bands.Length; i++)
                if (bands[i] != null && distance <= bands[i].distance) return bands[i];
            return bands[bands.Length - 1];
        }

        private void OnEnable()
        {
            running.Add(this);
            current = this;
            Take();
        }

        // Fields that a script has set after AddComponent.
        private void Start()
        {
            Refresh();
        }

        private void OnDisable()
        {
            running.Remove(this);
            if (!ReferenceEquals(current, this)) return;
            current = running.Count > 0 ? running[running.Count - 1] : null;
            if (current != null) current.Take();
            else SinewRuntime.ResetSettings();
        }

        private void OnValidate()
        {
            ListElements.Fill(bands);
            jobThreshold = Math.Max(1, jobThreshold);
            budgetMilliseconds = Math.Max(0f, budgetMilliseconds);
            if (ReferenceEquals(current, this)) Take();
        }

        // Nearest levels first, and a viewer when there is an obvious one.
        private void Reset()
        {
            Camera main = Camera.main;
            viewer = main != null ? main.transform : null;
            bands = new[]
            {
                new DetailBand { distance = 15f, level = DetailLevel.Full },
                new DetailBand { distance = 40f, level = DetailLevel.EveryNth, interval = 4 },
                new DetailBand { distance = 80f, level = DetailLevel.Off },
            };
        }

        /// <summary>Takes over fields that a script changed.</summary>
        public void Refresh()
        {
            OnValidate();
        }

        private void Take()
        {
            SinewRuntime.WorkerThreads = workerThreads;
            SinewRuntime.JobThreshold = jobThreshold;
            SinewRuntime.LendJobThreads = useJobThreads;
            SinewRuntime.BudgetSeconds = budgetMilliseconds > 0f ? budgetMilliseconds * 0.001f : -1f;
        }

        private void OnDrawGizmosSelected()
        {
            Vector3 at = viewer != null ? viewer.position : transform.position;
            for (int i = 0; bands != null && i < bands.Length; i++)
                if (bands[i] != null) SinewGizmos.Circle(at, Vector3.up, bands[i].distance, SinewColors.Region);
        }
    }
}
