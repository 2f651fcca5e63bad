using System;
using UnityEngine;

namespace Sinew
{
    /// <summary>An effector of one <see cref="SinewBody"/> and an effector of another that meet;
    /// see <see cref="SinewBodyTies"/>.</summary>
    [Serializable]
    public sealed class SinewEffectorTie
    {
        /// <summary>The first body. None: the tie does nothing.</summary>
        public SinewBody first;

        /// <summary>Place of its effector in the list, from 0: a position or an orientation, not a
        /// pin. It needs no target.</summary>
        [Min(0)] public int firstEffector;

        /// <summary>The second body, another one.</summary>
        public SinewBody second;

        /// <summary>Place of its effector in the list, of the same kind.</summary>
        [Min(0)] public int secondEffector;

        /// <summary>Rotation of the first joint seen from the second, Euler angles in degrees; for
        /// orientations, and for positions where both effectors have matchRotation.</summary>
        public Vector3 rotation;

        /// <summary>Where between the animated effectors the place is looked for first: at 0 the
        /// second comes to where the first one is, at 1 the first to the second, as long as it gets
        /// there.</summary>
        [Range(0f, 1f)] public float share = 0.5f;

        /// <summary>What was left between the points in the last frame, metres.</summary>
        [NonSerialized] public float gap;

        /// <summary>What was left between the rotations in the last frame, degrees.</summary>
        [NonSerialized] public float gapAngle;
    }
}
