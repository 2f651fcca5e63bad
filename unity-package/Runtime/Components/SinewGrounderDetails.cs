using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>Settings of a <see cref="SinewGrounder"/> that are seldom changed: when feet are
    /// locked and let go, how long transitions take, how far legs straighten. Lengths are for a leg
    /// of 0.85 m and go with the character's size.</summary>
    [Serializable]
    public sealed class SinewGrounderDetails
    {
        /// <summary>Height of the animated ball over its standing height below which a slow foot is
        /// planted, metres.</summary>
        [Tooltip("Height of the animated ball over its standing height below which a slow foot is planted, metres. At least 0. Default 0.055.")]
        [Min(0f)] public float plantHeight = 0.055f;

        /// <summary>Height above which it is released, metres.</summary>
        [Tooltip("Height of the animated ball over its standing height above which the foot is released, metres. At least 0. Default 0.1.")]
        [Min(0f)] public float releaseHeight = 0.1f;

        /// <summary>Level distance between a lock and the animated ball at which the lock is given up,
        /// metres.</summary>
        [Tooltip("Level distance between a lock and the animated ball at which the lock is given up, metres. At least 0.001. Default 0.25.")]
        [Min(0.001f)] public float releaseDistance = 0.25f;

        /// <summary>Turn of the surface against the foot, or of the foot with its root against the
        /// surface, since the plant at which the lock is given up, degrees.</summary>
        [Tooltip("Turn of surface and foot against one another at which the lock is given up, degrees. At least 0.1. Default 57.3.")]
        [Min(0.1f)] public float releaseTwist = 57.29578f;

        /// <summary>How far a leg may be too short for its lock, metres.</summary>
        [Tooltip("How far a leg may be too short for its lock, metres. At least 0.001. Default 0.07.")]
        [Min(0.001f)] public float releaseStretch = 0.07f;

        /// <summary>Seconds in which a foot comes to rest when planted.</summary>
        [Tooltip("Seconds in which a foot comes to rest when planted. At least 0. Default 0.05.")]
        [Min(0f)] public float plantTime = 0.05f;

        /// <summary>Seconds in which a released foot goes over into the animation's way.</summary>
        [Tooltip("Seconds in which a released foot goes over into the animation's way. At least 0. Default 0.15.")]
        [Min(0f)] public float releaseTime = 0.15f;

        /// <summary>Seconds that a swing is expected to take before one was seen.</summary>
        [Tooltip("Seconds that a swing is expected to take before one was seen. At least 0.01. Default 0.4.")]
        [Min(0.01f)] public float swingTime = 0.4f;

        /// <summary>Half-life of the turn to the ground, seconds.</summary>
        [Tooltip("Half-life of the turn to the ground, seconds. At least 0. Default 0.05.")]
        [Min(0f)] public float tiltTime = 0.05f;

        /// <summary>Part of the leg's length at which straightening slows down.</summary>
        [Tooltip("Part of the leg's length at which straightening slows down. Range 0 to 1. Default 0.98.")]
        [Range(0f, 1f)] public float softExtension = 0.98f;

        /// <summary>Part of the leg's length that is never exceeded, but where the animation
        /// does.</summary>
        [Tooltip("Part of the leg's length that is never exceeded, but where the animation does. Range 0 to 1. Default 0.995.")]
        [Range(0f, 1f)] public float maxExtension = 0.995f;

        /// <summary>How much heels lift before the pelvis gives way.</summary>
        [Tooltip("How much heels lift before the pelvis gives way. Range 0 to 1. Default 0.9.")]
        [Range(0f, 1f)] public float heelLift = 0.9f;

        /// <summary>How much the body tilts with the ground; two legs need none.</summary>
        [Tooltip("How much the body tilts with the ground; two legs need none. Range 0 to 1. Default 0.")]
        [Range(0f, 1f)] public float bodyTilt;

        /// <summary>Furthest the body tilts, degrees.</summary>
        [Tooltip("Furthest the body tilts, degrees. At least 0. Default 34.38.")]
        [Min(0f)] public float maxBodyTilt = 34.37747f;

        /// <summary>Seconds in which everything fades out in the air, and back in.</summary>
        [Tooltip("Seconds in which everything fades out in the air, and back in. At least 0.01. Default 0.2.")]
        [Min(0.01f)] public float airborneTime = 0.2f;

        internal void Apply(ref SinewGrounderSettings to)
        {
            to.plant_height = Mathf.Max(0f, plantHeight);
            to.release_height = Mathf.Max(to.plant_height, releaseHeight);
            to.release_distance = Mathf.Max(0.001f, releaseDistance);
            to.release_twist = Mathf.Max(0.1f, releaseTwist) * Mathf.Deg2Rad;
            to.release_stretch = Mathf.Max(0.001f, releaseStretch);
            to.plant_time = Mathf.Max(0f, plantTime);
            to.release_time = Mathf.Max(0f, releaseTime);
            to.swing_time = Mathf.Max(0.01f, swingTime);
            to.tilt_time = Mathf.Max(0f, tiltTime);
            to.soft_extension = Mathf.Clamp01(softExtension);
            to.max_extension = Mathf.Clamp01(maxExtension);
            to.heel_lift = Mathf.Clamp01(heelLift);
            to.body_tilt = Mathf.Clamp01(bodyTilt);
            to.max_body_tilt = Mathf.Max(0f, maxBodyTilt) * Mathf.Deg2Rad;
            to.airborne_time = Mathf.Max(0.01f, airborneTime);
        }
    }
}
