// Test-only stand-in for Transform: a real hierarchy, exact maths, bits of local values kept as
// they were set.
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

        /// Changes whenever any Transform gets another parent.
        internal static int HierarchyVersion;

        // Changes with every write; and what the engine itself reads and writes, uncounted.
        internal int Stamp;
        internal Vector3 RawPosition { get { return ownPosition; } set { ownPosition = value; } }
        internal Quaternion RawRotation { get { return ownRotation; } set { ownRotation = value; } }
        internal Vector3 RawScale { get { return ownScale; } set { ownScale = value; } }

        public Transform parent
        {
            get { RequireAlive(); return above; }
            set { SetParent(value, true); }
        }

        /// Number of Transforms in the whole hierarchy.
        public int hierarchyCount { get { return Count(root); } }

        private static int Count(Transform t)
        {
            int count = 1;
            foreach (Transform child in t.children) count += Count(child);
            return count;
        }

        public int childCount { get { RequireAlive(); return children.Count; } }
        public Transform GetChild(int index) { RequireAlive(); return children[index]; }

        public int GetSiblingIndex() { RequireAlive(); return ReferenceEquals(above, null) ? 0 : above.children.IndexOf(this); }

        public void SetParent(Transform value) { SetParent(value, true); }

        public void SetParent(Transform value, bool worldPositionStays)
        {
            RequireAlive();
            Vector3 worldPosition = position, worldScale = lossyScale;
            Quaternion worldRotation = rotation;
            bool isOther = !ReferenceEquals(above, value);
            if (ReferenceEquals(value, null)) gameObject.Home = gameObject.scene;
            if (!ReferenceEquals(above, null)) above.children.Remove(this);
            above = value;
            HierarchyVersion++;
            if (!ReferenceEquals(above, null)) above.children.Add(this);
            if (worldPositionStays) Place(worldPosition, worldRotation, worldScale);
            if (isOther) gameObject.SendParentChanged();
        }

        private void Place(Vector3 worldPosition, Quaternion worldRotation, Vector3 worldScale)
        {
            position = worldPosition;
            rotation = worldRotation;
            Vector3 now = lossyScale;
            if (now != worldScale)
                localScale = Vector3.Scale(localScale, new Vector3(worldScale.x / now.x, worldScale.y / now.y, worldScale.z / now.z));
        }

        public Transform Find(string childName)
        {
            for (int i = 0; i < children.Count; i++)
                if (children[i].name == childName) return children[i];
            return null;
        }

        public Vector3 localPosition
        {
            get { RequireAlive(); Calls.Engine++; return ownPosition; }
            set { RequireAlive(); Calls.Engine++; ownPosition = value; Writes++; Stamp++; }
        }

        public Quaternion localRotation
        {
            get { RequireAlive(); Calls.Engine++; return ownRotation; }
            set { RequireAlive(); Calls.Engine++; ownRotation = Kept(value); Writes++; Stamp++; }
        }

        // The engine keeps a unit rotation: what it is given is divided by its length, and a length
        // of zero gives none. One that is unit but for rounding is kept here as it is, so that the
        // bits that a host leaves can be compared with those of others.
        private static Quaternion Kept(Quaternion q)
        {
            float length = Mathf.Sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            if (Mathf.Abs(length - 1f) < 1e-6f) return q;
            if (length < 1e-5f) return Quaternion.identity;
            return new Quaternion(q.x / length, q.y / length, q.z / length, q.w / length);
        }

        public Vector3 localScale
        {
            get { RequireAlive(); Calls.Engine++; return ownScale; }
            set { RequireAlive(); Calls.Engine++; ownScale = value; Writes++; Stamp++; }
        }

        public void GetLocalPositionAndRotation(out Vector3 localPosition, out Quaternion localRotation)
        {
            RequireAlive();
            Calls.Engine++;
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
            get { RequireAlive(); Calls.Engine++; return ReferenceEquals(above, null) ? ownPosition : above.TransformPoint(ownPosition); }
            set { localPosition = ReferenceEquals(above, null) ? value : above.InverseTransformPoint(value); }
        }

        public Quaternion rotation
        {
            get
            {
                RequireAlive();
                Calls.Engine++;
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

        /// As Unity's: the diagonal of the matrix, seen in the world rotation.
        public Vector3 lossyScale
        {
            get
            {
                RequireAlive();
                Calls.Engine++;
                if (ReferenceEquals(above, null)) return ownScale;
                long calls = Calls.Engine;
                Quaternion back = Quaternion.Inverse(rotation);
                Calls.Engine = calls;
                Vector3 origin = TransformPoint(Vector3.zero);
                return new Vector3(
                    (back * (TransformPoint(Vector3.right) - origin)).x, (back * (TransformPoint(Vector3.up) - origin)).y,
                    (back * (TransformPoint(Vector3.forward) - origin)).z);
            }
        }

        public Matrix4x4 localToWorldMatrix
        {
            get
            {
                Calls.Engine++;
                Vector3 origin = TransformPoint(Vector3.zero);
                return new Matrix4x4(
                    TransformPoint(Vector3.right) - origin, TransformPoint(Vector3.up) - origin, TransformPoint(Vector3.forward) - origin, origin);
            }
        }

        public void GetPositionAndRotation(out Vector3 position, out Quaternion rotation)
        {
            position = this.position;
            rotation = this.rotation;
            Calls.Engine--;
        }

        public void SetPositionAndRotation(Vector3 position, Quaternion rotation)
        {
            this.position = position;
            this.rotation = rotation;
        }

        public Vector3 eulerAngles { get { return rotation.eulerAngles; } set { rotation = Quaternion.Euler(value); } }
        public Vector3 localEulerAngles { get { return localRotation.eulerAngles; } set { localRotation = Quaternion.Euler(value); } }
        public Transform root { get { return ReferenceEquals(above, null) ? this : above.root; } }

        public void Rotate(Vector3 eulers) { localRotation = localRotation * Quaternion.Euler(eulers); }
        public void Rotate(float x, float y, float z) { Rotate(new Vector3(x, y, z)); }
        public void LookAt(Vector3 point) { rotation = Quaternion.LookRotation(point - position, Vector3.up); }
        public void LookAt(Transform target) { LookAt(target.position); }
        public void Translate(Vector3 translation) { position = position + rotation * translation; }
        public Vector3 TransformVector(Vector3 vector) { return TransformPoint(vector) - position; }
        public Vector3 InverseTransformVector(Vector3 vector) { return InverseTransformPoint(position + vector); }

        public bool IsChildOf(Transform other)
        {
            for (Transform t = this; !ReferenceEquals(t, null); t = t.above)
                if (ReferenceEquals(t, other)) return true;
            return false;
        }

        public Vector3 TransformDirection(Vector3 direction) { return rotation * direction; }
        public Vector3 InverseTransformDirection(Vector3 direction) { return Quaternion.Inverse(rotation) * direction; }

        public Vector3 right { get { return rotation * Vector3.right; } }
        public Vector3 up { get { return rotation * Vector3.up; } }
        public Vector3 forward { get { return rotation * Vector3.forward; } }

        public Vector3 TransformPoint(float x, float y, float z) { return TransformPoint(new Vector3(x, y, z)); }

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
