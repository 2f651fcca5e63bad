using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>What a human bone may do, in degrees, counted from the T-pose: one line of
    /// SinewAnimator's humanRanges.</summary>
    [Serializable]
    public struct HumanRangeEntry
    {
        /// <summary>The bone.</summary>
        [Tooltip("The bone.")]
        public HumanBodyBones bone;

        /// <summary>Least bend, degrees; towards what is in the documentation of the joint
        /// limits.</summary>
        [Tooltip("Least bend, degrees. Range -180 to 180. Default 0.")]
        [Range(-180f, 180f)]
        public float bendMin;

        /// <summary>Greatest bend, degrees.</summary>
        [Tooltip("Greatest bend, degrees. Range -180 to 180. Default 0.")]
        [Range(-180f, 180f)]
        public float bendMax;

        /// <summary>Least bend to the side, degrees. Elbows, knees, toes and outer finger joints
        /// have none.</summary>
        [Tooltip("Least bend to the side, degrees. Elbows, knees, toes and outer finger joints have none. Range -180 to 180. Default 0.")]
        [Range(-180f, 180f)]
        public float sideMin;

        /// <summary>Greatest bend to the side, degrees.</summary>
        [Tooltip("Greatest bend to the side, degrees. Range -180 to 180. Default 0.")]
        [Range(-180f, 180f)]
        public float sideMax;

        /// <summary>Least twist about the bone's axis, degrees (a hand's about the forearm, a
        /// foot's about the shin).</summary>
        [Tooltip("Least twist about the bone's axis, degrees (a hand's about the forearm, a foot's about the shin). Range -180 to 180. Default 0.")]
        [Range(-180f, 180f)]
        public float twistMin;

        /// <summary>Greatest turn about it, degrees.</summary>
        [Tooltip("Greatest twist about the bone's axis, degrees. Range -180 to 180. Default 0.")]
        [Range(-180f, 180f)]
        public float twistMax;

        /// <summary>People's range of a bone, to start from.</summary>
        public static HumanRangeEntry People(HumanBodyBones bone)
        {
            SinewHumanRange range = NativeAvatar.DefaultHumanRange((SinewHumanBone)bone);
            return new HumanRangeEntry
            {
                bone = bone,
                bendMin = range.bend_min_rad * Mathf.Rad2Deg, bendMax = range.bend_max_rad * Mathf.Rad2Deg,
                sideMin = range.side_min_rad * Mathf.Rad2Deg, sideMax = range.side_max_rad * Mathf.Rad2Deg,
                twistMin = range.twist_min_rad * Mathf.Rad2Deg, twistMax = range.twist_max_rad * Mathf.Rad2Deg,
            };
        }

        internal SinewHumanRange ToNative()
        {
            return new SinewHumanRange
            {
                bone = (int)bone,
                bend_min_rad = bendMin * Mathf.Deg2Rad, bend_max_rad = bendMax * Mathf.Deg2Rad,
                side_min_rad = sideMin * Mathf.Deg2Rad, side_max_rad = sideMax * Mathf.Deg2Rad,
                twist_min_rad = twistMin * Mathf.Deg2Rad, twist_max_rad = twistMax * Mathf.Deg2Rad,
            };
        }
    }
}
