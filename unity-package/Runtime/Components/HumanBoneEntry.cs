using System;
using UnityEngine;

namespace Sinew
{
    /// <summary>One line of a SinewAnimator's table: this Transform is that human bone.</summary>
    [Serializable]
    public struct HumanBoneEntry
    {
        /// <summary>The human bone.</summary>
        [Tooltip("The human bone.")]
        public HumanBodyBones bone;

        /// <summary>Its Transform, below the SinewAnimator's GameObject. None: the rig has no such
        /// bone.</summary>
        [Tooltip("Its Transform, below the SinewAnimator's GameObject. None: the rig has no such bone.")]
        public Transform transform;

        /// <summary>Makes a line of the table.</summary>
        public HumanBoneEntry(HumanBodyBones bone, Transform transform)
        {
            this.bone = bone;
            this.transform = transform;
        }
    }
}
