using System;
using UnityEngine;

namespace Sinew
{
    /// <summary>An effector of one <see cref="SinewBody"/> and an effector of another that meet;
    /// see <see cref="SinewBodyTies"/>.</summary>
    [Serializable]
    public sealed class SinewEffectorTie : IListElement
    {
        /// <summary>The first body. None: the tie does nothing.</summary>
        [Tooltip("The first body. None: the tie does nothing.")]
        public SinewBody first;

        /// <summary>Place of its effector in the list, from 0: a position or an orientation, not a
        /// pin. It needs no target.</summary>
        [Tooltip("Index of its effector in the list: a position or an orientation, not a pin. It needs no target. At least 0. Default 0.")]
        [Min(0)] public int firstEffector;

        /// <summary>The second body, another one.</summary>
        [Tooltip("The second body, another one.")]
        public SinewBody second;

        /// <summary>Place of its effector in the list, of the same kind.</summary>
        [Tooltip("Index of its effector in the list, of the same kind as the first. At least 0. Default 0.")]
        [Min(0)] public int secondEffector;

        /// <summary>Rotation of the first joint seen from the second, Euler angles in degrees; for
        /// orientations, and for positions where both effectors have matchRotation.</summary>
        [Tooltip("Rotation of the first joint seen from the second, Euler angles in degrees; for orientations, and for positions where both effectors have matchRotation.")]
        public Vector3 rotation;

        /// <summary>Where between the animated effectors the place is looked for first: at 0 the
        /// second comes to where the first one is, at 1 the first to the second, as long as it gets
        /// there.</summary>
        [Tooltip("Where between the animated effectors the place is looked for first: at 0 the second comes to where the first one is, at 1 the first to the second, as long as it gets there. Range 0 to 1. Default 0.5.")]
        [Range(0f, 1f)] public float share = 0.5f;

        /// <summary>What was left between the points in the last frame, metres.</summary>
        [NonSerialized] public float gap;

        /// <summary>What was left between the rotations in the last frame, degrees.</summary>
        [NonSerialized] public float gapAngle;

        [NonSerialized] internal ProblemLog Problems;

        bool IListElement.IsBlank
        {
            get { return share == 0f && first == null && second == null && firstEffector == 0 && secondEffector == 0; }
        }

        internal SinewBodyEffector First
        {
            get { return first.effectors[firstEffector]; }
        }

        internal SinewBodyEffector Second
        {
            get { return second.effectors[secondEffector]; }
        }
    }
}
