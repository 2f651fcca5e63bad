// Test-only stand-in for Transform: a real hierarchy, exact maths, bits of local values kept as they were set.
using System.Collections.Generic;

namespace UnityEngine
{
    public sealed class Transform : Component
    {
        private readonly List<Transform> children = new List<Transform>();
        private Transform above;
        private Vector3 ownPosition = Vector3.zero;
        private Quaternion ownRotation = Quaternion.identity;
        private Vector3 ownScale = Vector3.one;

        /// Writes to local position, rotation or scale by anybody since the program started.
        public static long Writes;

        public Transform parent
        {
            get { RequireAlive(); return above; }
            set { SetParent(value, true); }
        }

        public int childCount { get { RequireAlive(); return children.Count; } }
        public Transform GetChild(int index) { RequireAlive(); return children[index]; }

        public void SetParent(Transform value) { SetParent(value, true); }

        public void SetParent(Transform value, bool worldPositionStays)
        {
            RequireAlive();
            Vector3 worldPosition = position;
            Quaternion worldRotation = rotation;
            if (!ReferenceEquals(above, null)) above.children.Remove(this);
            above = value;
            if (!ReferenceEquals(above, null)) above.children.Add(this);
            if (!worldPositionStays) return;
            position = worldPosition;
            rotation = worldRotation;
        }

        public Transform Find(string childName)
        {
            for (int i = 0; i < children.Count; i++)
                if (children[i].name == childName) return children[i];
            return null;
        }

        public Vector3 localPosition
        {
            get { RequireAlive(); return ownPosition; }
            set { RequireAlive(); ownPosition = value; Writes++; }
        }

        public Quaternion localRotation
        {
            get { RequireAlive(); return ownRotation; }
            set { RequireAlive(); ownRotation = value; Writes++; }
        }

        public Vector3 localScale
        {
            get { RequireAlive(); return ownScale; }
            set { RequireAlive(); ownScale = value; Writes++; }
        }

        public void GetLocalPositionAndRotation(out Vector3 localPosition, out Quaternion localRotation)
        {
            RequireAlive();
            localPosition = ownPosition;
            localRotation = ownRotation;
        }

        public void SetLocalPositionAndRotation(Vector3 localPosition, Quaternion localRotation)
        {
            this.localPosition = localPosition;
            this.localRotation = localRotation;
        }

        public Vector3 position
        {
            get { RequireAlive(); return ReferenceEquals(above, null) ? ownPosition : above.TransformPoint(ownPosition); }
            set { localPosition = ReferenceEquals(above, null) ? value : above.InverseTransformPoint(value); }
        }

        public Quaternion rotation
        {
            get
            {
                RequireAlive();
                Quaternion turned = ownRotation;
                for (Transform t = above; !ReferenceEquals(t, null); t = t.above)
                    turned = t.ownRotation * Mirrored(turned, t.ownScale);
                return turned;
            }
            set
            {
                Quaternion turned = value;
                if (!ReferenceEquals(above, null)) turned = above.ToOwn(turned);
                localRotation = turned;
            }
        }

        /// Product of the scales of the whole chain; exact while nothing uneven is rotated.
        public Vector3 lossyScale
        {
            get
            {
                RequireAlive();
                Vector3 scale = ownScale;
                for (Transform t = above; !ReferenceEquals(t, null); t = t.above) scale = Vector3.Scale(t.ownScale, scale);
                return scale;
            }
        }

        public Vector3 right { get { return rotation * Vector3.right; } }
        public Vector3 up { get { return rotation * Vector3.up; } }
        public Vector3 forward { get { return rotation * Vector3.forward; } }

        public Vector3 TransformPoint(Vector3 point)
        {
            RequireAlive();
            Vector3 inParent = ownPosition + ownRotation * Vector3.Scale(point, ownScale);
            return ReferenceEquals(above, null) ? inParent : above.TransformPoint(inParent);
        }

        public Vector3 InverseTransformPoint(Vector3 point)
        {
            RequireAlive();
            Vector3 inParent = ReferenceEquals(above, null) ? point : above.InverseTransformPoint(point);
            Vector3 turned = Quaternion.Inverse(ownRotation) * (inParent - ownPosition);
            return new Vector3((float)(turned.x / ownScale.x), (float)(turned.y / ownScale.y), (float)(turned.z / ownScale.z));
        }

        private Quaternion ToOwn(Quaternion world)
        {
            Quaternion inParent = ReferenceEquals(above, null) ? world : above.ToOwn(world);
            return Mirrored(Quaternion.Inverse(ownRotation) * inParent, ownScale);
        }

        // The rotation seen through a mirroring scale: S R S for the signs of the scale.
        private static Quaternion Mirrored(Quaternion q, Vector3 scale)
        {
            if (scale.x >= 0f && scale.y >= 0f && scale.z >= 0f) return q;
            float sx = scale.x < 0f ? -1f : 1f, sy = scale.y < 0f ? -1f : 1f, sz = scale.z < 0f ? -1f : 1f;
            return new Quaternion(q.x * (sy * sz), q.y * (sx * sz), q.z * (sx * sy), q.w);
        }
    }
}
