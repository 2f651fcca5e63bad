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

        /// <summary>Why it is no range; null when it is one.</summary>
        internal string Mistake()
        {
            if (bone < 0 || bone >= HumanBodyBones.LastBone) return "its bone is " + (int)bone + ", not 0 to 54";
            if (!(bendMin <= bendMax)) return "its bend is from " + bendMin + " to " + bendMax;
            if (!(sideMin <= sideMax)) return "its bend to the side is from " + sideMin + " to " + sideMax;
            if (!(twistMin <= twistMax)) return "its twist is from " + twistMin + " to " + twistMax;
            return null;
        }

        internal SinewHumanRange ToNative()
        {
            return new SinewHumanRange
            {
                bone = (int)bone,
                bend_min_rad = Angle(bendMin), bend_max_rad = Angle(bendMax),
                side_min_rad = Angle(sideMin), side_max_rad = Angle(sideMax),
                twist_min_rad = Angle(twistMin), twist_max_rad = Angle(twistMax),
            };
        }

        private static float Angle(float degrees)
        {
            return Mathf.Clamp(degrees, -180f, 180f) * Mathf.Deg2Rad;
        }
    }
}
