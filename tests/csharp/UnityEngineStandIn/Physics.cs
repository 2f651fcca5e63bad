// Test-only stand-in: rays against the planes that a test lays out.
using System.Collections.Generic;

namespace UnityEngine
{
    public struct LayerMask
    {
        public int value { get; set; }
        public static int NameToLayer(string layerName) { return layerName == "Default" ? 0 : -1; }

        public static int GetMask(params string[] layerNames)
        {
            int mask = 0;
            foreach (string name in layerNames)
                if (name == "Default") mask |= 1;
            return mask;
        }

        public static implicit operator int(LayerMask mask) { return mask.value; }
        public static implicit operator LayerMask(int mask) { return new LayerMask { value = mask }; }
    }

    public struct RaycastHit
    {
        public Vector3 point { get; set; }
        public Vector3 normal { get; set; }
        public float distance { get; set; }
        public Collider collider { get; set; }
        public Transform transform { get { return collider != null ? collider.transform : null; } }
    }

    public static class Physics
    {
        private struct Ground
        {
            internal Vector3 Point, Normal;
        }

        private static readonly List<Ground> grounds = new List<Ground>();

        /// Test hook: an endless plane, on layer 0, hit from the side its normal points to.
        public static void Lay(Vector3 point, Vector3 normal)
        {
            grounds.Add(new Ground { Point = point, Normal = normal.normalized });
        }

        /// Test hook: nothing to hit any more.
        public static void Clear()
        {
            grounds.Clear();
        }

        public static bool Raycast(Vector3 origin, Vector3 direction, out RaycastHit hitInfo)
        {
            return Raycast(origin, direction, out hitInfo, float.MaxValue, 1);
        }

        public static bool Raycast(Vector3 origin, Vector3 direction, out RaycastHit hitInfo, float maxDistance)
        {
            return Raycast(origin, direction, out hitInfo, maxDistance, 1);
        }

        public static bool Raycast(Vector3 origin, Vector3 direction, out RaycastHit hitInfo, float maxDistance, int layerMask)
        {
            hitInfo = default(RaycastHit);
            Vector3 along = direction.normalized;
            float nearest = maxDistance;
            bool found = false;
            for (int i = 0; i < grounds.Count && (layerMask & 1) != 0; i++)
            {
                float speed = Vector3.Dot(along, grounds[i].Normal);
                if (speed >= 0f) continue;
                float distance = Vector3.Dot(grounds[i].Point - origin, grounds[i].Normal) / speed;
                if (distance < 0f || distance > nearest) continue;
                nearest = distance;
                found = true;
                hitInfo = new RaycastHit { point = origin + along * distance, normal = grounds[i].Normal, distance = distance };
            }
            return found;
        }
    }
}
