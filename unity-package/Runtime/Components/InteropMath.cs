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
    }
}
