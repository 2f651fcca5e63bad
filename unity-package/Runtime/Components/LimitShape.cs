using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// What joint limits look like: borders as directions in limit space (Y along the bone), for
    /// gizmos and handles. Swing is a turn about an axis in the plane of X and Z; ranges on both
    /// make an ellipse of four quarters.
    /// </summary>
    internal static class LimitShape
    {
        internal const int Points = 48;

        /// <summary>Direction of the bone after a swing by degrees about X and Z
        /// together.</summary>
        internal static Vector3 Swing(float aboutX, float aboutZ)
        {
            float angle = Mathf.Sqrt(aboutX * aboutX + aboutZ * aboutZ);
            if (angle < 1e-4f) return Vector3.up;
            return Quaternion.AngleAxis(angle, new Vector3(aboutX / angle, 0f, aboutZ / angle)) * Vector3.up;
        }

        /// <summary>Point number <paramref name="index"/> of the border of the swing, 0 to <see
        /// cref="Points"/>.</summary>
        internal static Vector3 Border(SinewJointLimits of, int index)
        {
            float angle = 2f * Mathf.PI * index / Points, x = Mathf.Cos(angle), z = Mathf.Sin(angle);
            return Swing(x * Extent(of, 0, x > 0f), z * Extent(of, 2, z > 0f));
        }

        /// <summary>How far an axis turns to one side, degrees without sign: 0 when locked, 180
        /// when free.</summary>
        internal static float Extent(SinewJointLimits of, int axis, bool isUpper)
        {
            if (IsLocked(of, axis)) return 0f;
            if (!IsLimited(of, axis)) return 180f;
            float value = isUpper ? of.max[axis] : -of.min[axis];
            return Mathf.Clamp(value, 0f, 180f);
        }

        internal static bool IsLocked(SinewJointLimits of, int axis)
        {
            return axis == 0 ? of.lockX : axis == 1 ? of.lockY : of.lockZ;
        }

        internal static bool IsLimited(SinewJointLimits of, int axis)
        {
            return !IsLocked(of, axis) && (axis == 0 ? of.limitX : axis == 1 ? of.limitY : of.limitZ);
        }

        /// <summary>Unit vector of an axis.</summary>
        internal static Vector3 Axis(int axis)
        {
            return axis == 0 ? Vector3.right : axis == 1 ? Vector3.up : Vector3.forward;
        }

        /// <summary>What an axis turns: the bone for bends, a side of it for the twist.</summary>
        internal static Vector3 Arm(int axis)
        {
            return axis == 1 ? Vector3.forward : Vector3.up;
        }
    }
}
