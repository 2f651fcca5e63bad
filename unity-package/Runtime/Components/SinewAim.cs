using System;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>
    /// Joints that share the turn of a ray towards a target: a head on its neck, a rifle on a
    /// spine, a turret on its base. The pole is where <see cref="up"/> faces.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Aim")]
    [ManualPage("sinew-aim.md")]
    [Icon(SinewHelp.Icons + "SinewAim.png")]
    public sealed class SinewAim : TargetConstraint
    {
        /// <summary>The last joint, in which the ray is fixed. None: this Transform.</summary>
        [Header("Aim")]
        [Tooltip("The last joint, in which the ray is fixed. None: this Transform.")]
        public Transform end;

        /// <summary>Number of joints from the last one upwards, itself counted. 0: all the way to
        /// the topmost joint.</summary>
        [Tooltip("Number of joints from the last one upwards, itself counted; at least 0. 0: all the way up. Default 1.")]
        public int jointCount = 1;

        /// <summary>Share of each joint in the turn, from the first one to the last. Empty: equal
        /// shares.</summary>
        [Tooltip("Share of each joint in the turn, from the first to the last. Empty: equal shares.")]
        public float[] weights = new float[0];

        /// <summary>Direction of the ray in the last joint's own space.</summary>
        [Tooltip("Direction of the ray in the last joint's own space.")]
        public Vector3 axis = Vector3.forward;

        /// <summary>Start of the ray in the last joint's own space.</summary>
        [Tooltip("Start of the ray in the last joint's own space.")]
        public Vector3 offset;

        /// <summary>The direction that faces the pole, in the last joint's own space.</summary>
        [Tooltip("The direction that faces the pole, in the last joint's own space.")]
        public Vector3 up = Vector3.up;

        /// <summary>Half angle of the cone round the animated ray that is not left, degrees, 0 to
        /// 180; 180: no cone.</summary>
        [Range(0f, 180f)]
        [Tooltip("Half angle of the cone round the animated ray that is not left, degrees. 180: no cone. Range 0 to 180. Default 180.")]
        public float clampAngle = 180f;

        /// <summary>Fraction of <see cref="clampAngle"/> over which the ray slows down before the
        /// edge of the cone, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Fraction of the clamp angle over which the ray slows down before the edge of the cone. 0: hard stop. Range 0 to 1. Default 0.1.")]
        public float clampSoftness = 0.1f;

        /// <summary>Angle over which the turn fades towards exactly behind, degrees, 0 to
        /// 180.</summary>
        [Range(0f, 180f)]
        [Tooltip("Angle over which the turn fades towards exactly behind, degrees. Range 0 to 180. Default 20.")]
        public float behindAngle = 20f;

        internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
        {
            SinewAimDef def = NativeAnimator.DefaultAim();
            def.end = to.JointOf(end != null ? end : transform);
            def.joint_count = (uint)Math.Max(0, jointCount);
            def.axis = To(axis);
            def.offset = To(offset);
            def.up = To(up);
            def.clamp_rad = Math.Min(clampAngle * Mathf.Deg2Rad, (float)Math.PI);
            def.clamp_softness = clampSoftness;
            def.behind_rad = Math.Min(behindAngle * Mathf.Deg2Rad, (float)Math.PI);
            return native.AddAim(def, weights == null || weights.Length == 0 ? null : weights);
        }

        // A new aim looks where the character looks.
        private void Reset()
        {
            SinewAnimator above = SinewAnimator.Above(transform);
            Transform facing = above != null ? above.transform : transform;
            axis = transform.InverseTransformDirection(facing.forward);
            up = transform.InverseTransformDirection(facing.up);
        }

        private void OnDrawGizmosSelected()
        {
            Transform last = end != null ? end : transform;
            SinewGizmos.Bones(last, jointCount, Stop());
            Vector3 start = last.TransformPoint(offset), ray = last.TransformDirection(axis);
            float length = target != null ? Vector3.Distance(start, target.position) : 0.5f;
            SinewGizmos.Line(start, start + ray.normalized * length, SinewColors.Gaze);
            SinewGizmos.Goal(start + ray.normalized * length, target);
            SinewGizmos.Pole(start, pole);
            if (clampAngle < 180f) SinewGizmos.Cone(start, ray, clampAngle, length * 0.3f, SinewColors.Region);
        }
    }
}
