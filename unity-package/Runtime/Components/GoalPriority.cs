using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// How much a goal counts where the whole-body solver cannot meet all goals. Not for fading:
    /// where nothing opposes, the least importance is obeyed.
    /// </summary>
    [System.Serializable]
    public struct GoalPriority
    {
        /// <summary>Ratio in conflicts of one level, of the position, 0.000001 to 1000000; 0 or
        /// less counts as 1.</summary>
        [Tooltip("Ratio of the position in conflicts of one level, above 0. Not for fading. Default 1.")]
        public float positionImportance;

        /// <summary>The same of the rotation.</summary>
        [Tooltip("Ratio of the rotation in conflicts of one level, above 0. Not for fading. Default 1.")]
        public float rotationImportance;

        /// <summary>Goals of a level give way to those of lower levels; 0 to 3.</summary>
        [Range(0, 3)]
        [Tooltip("Index of the priority level: goals give way to those of lower levels. Range 0 to 3. Default 0 for feet, 1 for hands and effectors.")]
        public int level;

        /// <summary>Importances of 1.</summary>
        public GoalPriority(int level)
        {
            positionImportance = 1f;
            rotationImportance = 1f;
            this.level = level;
        }

        internal SinewGoalPriority ToNative()
        {
            return new SinewGoalPriority
            {
                position_importance = Within(positionImportance),
                rotation_importance = Within(rotationImportance),
                level = (uint)Mathf.Clamp(level, 0, 3),
            };
        }

        internal static bool Same(SinewGoalPriority a, SinewGoalPriority b)
        {
            return a.position_importance == b.position_importance && a.rotation_importance == b.rotation_importance
                && a.level == b.level;
        }

        // No number counts as 1, too.
        private static float Within(float importance)
        {
            return importance > 0f ? Mathf.Clamp(importance, 1e-6f, 1e6f) : 1f;
        }
    }
}
