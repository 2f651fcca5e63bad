using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>Converts vectors and rotations between Unity's types and the library's.</summary>
    internal static unsafe class InteropMath
    {
        internal static SinewVec3 To(Vector3 v)
        {
            return *(SinewVec3*)&v;
        }

        internal static SinewQuat To(Quaternion q)
        {
            return *(SinewQuat*)&q;
        }

        internal static Vector3 From(SinewVec3 v)
        {
            return *(Vector3*)&v;
        }

        internal static Quaternion From(SinewQuat q)
        {
            return *(Quaternion*)&q;
        }

        /// <summary>Steps of work that a field gives, limited to what the library
        /// takes.</summary>
        internal static uint Work(int steps)
        {
            return (uint)Mathf.Clamp(steps, 0, (int)SinewConstants.SINEW_MAX_WORK);
        }

        internal static bool IsFinite(float value)
        {
            return value * 0f == 0f;
        }

        internal static bool IsFinite(Vector3 v)
        {
            return v.x * 0f + v.y * 0f + v.z * 0f == 0f;
        }

        /// <summary>Whether an object of this scale is a plane, a line or a point, in which nothing
        /// can be solved: scaled away by an effect. Numbers that are not finite are not.</summary>
        internal static bool IsFlat(Vector3 scale)
        {
            if (!IsFinite(scale)) return false;
            float x = Mathf.Abs(scale.x), y = Mathf.Abs(scale.y), z = Mathf.Abs(scale.z);
            float longest = Mathf.Max(x, Mathf.Max(y, z));
            return longest <= 1e-15f || Mathf.Min(x, Mathf.Min(y, z)) <= 1e-6f * longest;
        }
    }
}
