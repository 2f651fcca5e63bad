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
        public Rigidbody rigidbody { get { return collider != null ? collider.attachedRigidbody : null; } }
    }

    /// What queries of one scene find: the default one for all scenes but those made with their
    /// own.
    public struct PhysicsScene
    {
        internal int Handle;

        public static bool operator ==(PhysicsScene a, PhysicsScene b) { return a.Handle == b.Handle; }
        public static bool operator !=(PhysicsScene a, PhysicsScene b) { return a.Handle != b.Handle; }
        public override bool Equals(object other) { return other is PhysicsScene && ((PhysicsScene)other).Handle == Handle; }
        public override int GetHashCode() { return Handle; }
    }

    public static class PhysicsSceneExtensions
    {
        public static PhysicsScene GetPhysicsScene(this SceneManagement.Scene scene)
        {
            return new PhysicsScene { Handle = SceneManagement.SceneManager.HasOwnPhysics(scene) ? scene.Handle : 0 };
        }
    }

    public enum QueryTriggerInteraction
    {
        UseGlobal = 0,
        Ignore = 1,
        Collide = 2,
    }

    public struct QueryParameters
    {
        public int layerMask;
        public bool hitMultipleFaces;
        public QueryTriggerInteraction hitTriggers;
        public bool hitBackfaces;

        public QueryParameters(int layerMask, bool hitMultipleFaces, QueryTriggerInteraction hitTriggers, bool hitBackfaces)
        {
            this.layerMask = layerMask;
            this.hitMultipleFaces = hitMultipleFaces;
            this.hitTriggers = hitTriggers;
            this.hitBackfaces = hitBackfaces;
        }
    }

    public struct RaycastCommand
    {
        /// Batches scheduled, and commands in them, since the program started.
        public static int Batches, Casts;

        private PhysicsScene scene;
        private Vector3 from, direction;
        private float distance;
        private int layerMask;

        // Compiled for an editor, only what it has. Before 2022.2 a command has one hit, whatever
        // maxHits says.
#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
        public RaycastCommand(Vector3 from, Vector3 direction, QueryParameters queryParameters, float distance)
            : this(default(PhysicsScene), from, direction, queryParameters, distance) { }

        public RaycastCommand(PhysicsScene physicsScene, Vector3 from, Vector3 direction, QueryParameters queryParameters, float distance) : this()
        {
            scene = physicsScene;
            this.from = from;
            this.direction = direction;
            this.distance = distance;
            layerMask = queryParameters.layerMask;
        }

        public static Unity.Jobs.JobHandle ScheduleBatch(
            Unity.Collections.NativeArray<RaycastCommand> commands, Unity.Collections.NativeArray<RaycastHit> results,
            int minCommandsPerJob, int maxHits, Unity.Jobs.JobHandle dependsOn = default(Unity.Jobs.JobHandle))
        {
            return Cast(commands, results, maxHits, maxHits);
        }
#else
        public RaycastCommand(Vector3 from, Vector3 direction, float distance, int layerMask, int maxHits)
            : this(default(PhysicsScene), from, direction, distance, layerMask, maxHits) { }

        public RaycastCommand(PhysicsScene physicsScene, Vector3 from, Vector3 direction, float distance, int layerMask, int maxHits) : this()
        {
            scene = physicsScene;
            this.from = from;
            this.direction = direction;
            this.distance = distance;
            this.layerMask = layerMask;
        }

        public static Unity.Jobs.JobHandle ScheduleBatch(
            Unity.Collections.NativeArray<RaycastCommand> commands, Unity.Collections.NativeArray<RaycastHit> results,
            int minCommandsPerJob, Unity.Jobs.JobHandle dependsOn = default(Unity.Jobs.JobHandle))
        {
            return Cast(commands, results, results.Length / System.Math.Max(1, commands.Length), 1);
        }
#endif

        private static Unity.Jobs.JobHandle Cast(
            Unity.Collections.NativeArray<RaycastCommand> commands, Unity.Collections.NativeArray<RaycastHit> results, int room, int most)
        {
            Batches++;
            for (int i = 0; i < commands.Length; i++)
            {
                Casts++;
                RaycastCommand c = commands[i];
                Physics.CastAll(c.scene, c.from, c.direction, c.distance, c.layerMask, results, i * room, room, most);
            }
            return default(Unity.Jobs.JobHandle);
        }
    }

    public struct SpherecastCommand
    {
        /// Batches scheduled since the program started.
        public static int Batches;

        private PhysicsScene scene;
        private Vector3 origin, direction;
        private float distance;
        private int layerMask;

#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
        public SpherecastCommand(Vector3 origin, float radius, Vector3 direction, QueryParameters queryParameters, float distance)
            : this(default(PhysicsScene), origin, radius, direction, queryParameters, distance) { }

        public SpherecastCommand(
            PhysicsScene physicsScene, Vector3 origin, float radius, Vector3 direction, QueryParameters queryParameters, float distance) : this()
        {
            scene = physicsScene;
            this.origin = origin;
            this.direction = direction;
            this.distance = distance;
            layerMask = queryParameters.layerMask;
        }

        public static Unity.Jobs.JobHandle ScheduleBatch(
            Unity.Collections.NativeArray<SpherecastCommand> commands, Unity.Collections.NativeArray<RaycastHit> results,
            int minCommandsPerJob, int maxHits, Unity.Jobs.JobHandle dependsOn = default(Unity.Jobs.JobHandle))
        {
            return Cast(commands, results, maxHits, maxHits);
        }
#else
        public SpherecastCommand(Vector3 origin, float radius, Vector3 direction, float distance, int layerMask)
            : this(default(PhysicsScene), origin, radius, direction, distance, layerMask) { }

        public SpherecastCommand(PhysicsScene physicsScene, Vector3 origin, float radius, Vector3 direction, float distance, int layerMask) : this()
        {
            scene = physicsScene;
            this.origin = origin;
            this.direction = direction;
            this.distance = distance;
            this.layerMask = layerMask;
        }

        public static Unity.Jobs.JobHandle ScheduleBatch(
            Unity.Collections.NativeArray<SpherecastCommand> commands, Unity.Collections.NativeArray<RaycastHit> results,
            int minCommandsPerJob, Unity.Jobs.JobHandle dependsOn = default(Unity.Jobs.JobHandle))
        {
            return Cast(commands, results, results.Length / System.Math.Max(1, commands.Length), 1);
        }
#endif

        private static Unity.Jobs.JobHandle Cast(
            Unity.Collections.NativeArray<SpherecastCommand> commands, Unity.Collections.NativeArray<RaycastHit> results, int room, int most)
        {
            Batches++;
            for (int i = 0; i < commands.Length; i++)
            {
                SpherecastCommand c = commands[i];
                Physics.CastAll(c.scene, c.origin, c.direction, c.distance, c.layerMask, results, i * room, room, most);
            }
            return default(Unity.Jobs.JobHandle);
        }
    }

    /// Test hook: height of ground over x and z; NaN where there is none.
    public delegate float HeightField(float x, float z);

    public static class Physics
    {
        private struct Field
        {
            internal Collider Of;
            internal HeightField Height;
            internal PhysicsScene Scene;
        }

        private static readonly List<Field> fields = new List<Field>();

        public static bool queriesHitTriggers { get; set; }

        /// Test hook: ground for batches, seen by rays straight down, on layer 0.
        public static void Lay(Collider of, HeightField height)
        {
            fields.Add(new Field { Of = of, Height = height, Scene = of.gameObject.scene.GetPhysicsScene() });
        }

        /// `room` results are there for the ray, of which at most `most` are hits. Behind the first
        /// one without a collider Unity writes nothing: whatever was there stays.
        internal static void CastAll(
            PhysicsScene scene, Vector3 from, Vector3 direction, float distance, int layerMask,
            Unity.Collections.NativeArray<RaycastHit> results, int first, int room, int most)
        {
            int found = 0;
            for (int i = 0; i < room; i++) results[first + i] = fields.Count > 0 && i > 0 ? Stale() : default(RaycastHit);
            // A single hit is the nearest one; several are in any order.
            for (int i = 0; i < fields.Count && (most == 1 || found < most) && (layerMask & 1) != 0; i++)
            {
                if (fields[i].Scene != scene) continue;
                float y = fields[i].Height(from.x, from.z);
                float depth = from.y - y;
                if (float.IsNaN(y) || depth < 0f || depth > distance) continue;
                if (most == 1 && found == 1 && depth >= results[first].distance) continue;
                const float e = 1e-3f;
                float dx = (fields[i].Height(from.x + e, from.z) - fields[i].Height(from.x - e, from.z)) / (2f * e);
                float dz = (fields[i].Height(from.x, from.z + e) - fields[i].Height(from.x, from.z - e)) / (2f * e);
                bool isEdge = !(Mathf.Abs(dx) <= 5f && Mathf.Abs(dz) <= 5f);
                results[most == 1 ? first : first + found] = new RaycastHit
                {
                    point = new Vector3(from.x, y, from.z), distance = depth, collider = fields[i].Of,
                    normal = isEdge ? Vector3.up : new Vector3(-dx, 1f, -dz).normalized,
                };
                found = most == 1 ? 1 : found + 1;
            }
            if (found < room) results[first + found] = default(RaycastHit);
        }

        private static RaycastHit Stale()
        {
            return new RaycastHit { point = new Vector3(0f, 7f, 0f), normal = Vector3.up, distance = 1e-3f, collider = fields[0].Of };
        }

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
            fields.Clear();
            queriesHitTriggers = false;
        }

        public static bool Raycast(Ray ray, out RaycastHit hitInfo, float maxDistance, int layerMask)
        {
            return Raycast(ray.origin, ray.direction, out hitInfo, maxDistance, layerMask);
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
            if (fields.Count == 0 || along.y > -0.999f) return found;
            using (Unity.Collections.NativeArray<RaycastHit> one = new Unity.Collections.NativeArray<RaycastHit>(1, Unity.Collections.Allocator.Temp))
            {
                CastAll(default(PhysicsScene), origin, along, nearest, layerMask, one, 0, 1, 1);
                if (one[0].collider == null) return found;
                hitInfo = one[0];
            }
            return true;
        }
    }
}
