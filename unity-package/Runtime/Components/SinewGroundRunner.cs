using System.Collections.Generic;
using Sinew.Interop;
using Unity.Collections;
using Unity.Jobs;
using Unity.Profiling;
using UnityEngine;

namespace Sinew
{
    /// <summary>Casts the ground queries of all characters of a pass in one batch of
    /// jobs.</summary>
    internal static unsafe class SinewGroundRunner
    {
        // Colliders of the character itself may be in front of the ground.
        private const int MaxHits = 4;

        // Seconds after which the place of a surface says nothing about its velocity any more.
        private const double MaxGap = 0.5;

        private struct Place
        {
            internal Vector3 Position;
            internal Quaternion Rotation;
            internal double Time;
            internal bool IsKnown;
        }

        private struct Motion
        {
            internal Place Now;
            internal Place Before;
            internal uint Number; // of the surface, from 1
        }

        // A query of a sphere whose only hit is no ground.
        private struct Blocked
        {
            internal SinewGrounder Of;
            internal int Number;
        }

        /// <summary>Grounders that are enabled.</summary>
        internal static int Count;

        private static readonly List<SinewGrounder> asking = new List<SinewGrounder>();
        private static readonly List<SinewGrounder> rays = new List<SinewGrounder>();
        private static readonly List<SinewGrounder> spheres = new List<SinewGrounder>();
        private static readonly List<Blocked> blocked = new List<Blocked>();
        private static readonly Dictionary<Transform, Motion> motions = new Dictionary<Transform, Motion>();
        private static readonly List<Transform> stale = new List<Transform>();
        private static uint lastNumber;
        private static int mostMotions = 4096;
        private static readonly ProfilerMarker groundMarker = new ProfilerMarker("Sinew.Ground");

        /// <summary>Grounds those of a batch that have a grounder; their poses were read.</summary>
        internal static void Run(List<SinewAnimator> batch)
        {
            if (Count == 0) return;
            asking.Clear();
            for (int i = 0; i < batch.Count; i++)
                if (batch[i].Grounder != null) asking.Add(batch[i].Grounder);
            Run();
        }

        /// <summary>Grounds one character.</summary>
        internal static void RunAlone(SinewAnimator animator)
        {
            if (animator.Grounder == null) return;
            asking.Clear();
            asking.Add(animator.Grounder);
            Run();
        }

        private static void Run()
        {
            if (asking.Count == 0) return;
            using (groundMarker.Auto())
            {
                rays.Clear();
                spheres.Clear();
                for (int i = 0; i < asking.Count; i++)
                {
                    SinewGrounder grounder = asking[i];
                    if (!grounder.TryAsk()) continue;
                    if (grounder.queryRadius > 0f) spheres.Add(grounder);
                    else rays.Add(grounder);
                }
                CastRays();
                CastSpheres();
            }
            asking.Clear();
        }

        private static int CountQueries(List<SinewGrounder> of)
        {
            int count = 0;
            for (int i = 0; i < of.Count; i++) count += of[i].queryCount;
            return count;
        }

        private static RaycastCommand Ray(SinewGrounder grounder, int number)
        {
            SinewGroundQuery query = grounder.Queries[number];
            Vector3 from = *(Vector3*)&query.origin, along = *(Vector3*)&query.direction;
#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
            return new RaycastCommand(from, along, Parameters(grounder), query.length);
#else
            return new RaycastCommand(from, along, query.length, grounder.groundLayers, MaxHits);
#endif
        }

        private static SpherecastCommand Sphere(SinewGrounder grounder, int number)
        {
            SinewGroundQuery query = grounder.Queries[number];
            Vector3 from = *(Vector3*)&query.origin, along = *(Vector3*)&query.direction;
#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
            return new SpherecastCommand(from, query.radius, along, Parameters(grounder), query.length);
#else
            return new SpherecastCommand(from, query.radius, along, query.length, grounder.groundLayers);
#endif
        }

#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
        private const int MaxSphereHits = MaxHits;

        private static QueryParameters Parameters(SinewGrounder grounder)
        {
            return new QueryParameters(grounder.groundLayers, false, grounder.triggers, false);
        }

        private static JobHandle Schedule(NativeArray<RaycastCommand> commands, NativeArray<RaycastHit> hits)
        {
            return RaycastCommand.ScheduleBatch(commands, hits, 8, MaxHits);
        }

        private static JobHandle Schedule(NativeArray<SpherecastCommand> commands, NativeArray<RaycastHit> hits)
        {
            return SpherecastCommand.ScheduleBatch(commands, hits, 8, MaxSphereHits);
        }
#else
        private const int MaxSphereHits = 1; // all that these editors give a sphere

        private static JobHandle Schedule(NativeArray<RaycastCommand> commands, NativeArray<RaycastHit> hits)
        {
            return RaycastCommand.ScheduleBatch(commands, hits, 8);
        }

        private static JobHandle Schedule(NativeArray<SpherecastCommand> commands, NativeArray<RaycastHit> hits)
        {
            return SpherecastCommand.ScheduleBatch(commands, hits, 8);
        }
#endif

        private static void CastRays()
        {
            if (rays.Count == 0) return;
            int count = CountQueries(rays), next = 0;
            NativeArray<RaycastCommand> commands =
                new NativeArray<RaycastCommand>(count, Allocator.TempJob, NativeArrayOptions.UninitializedMemory);
            NativeArray<RaycastHit> hits = new NativeArray<RaycastHit>(count * MaxHits, Allocator.TempJob);
            for (int i = 0; i < rays.Count; i++)
                for (int k = 0; k < rays[i].queryCount; k++) commands[next++] = Ray(rays[i], k);
            Schedule(commands, hits).Complete();
            Take(rays, hits, MaxHits);
            commands.Dispose();
            hits.Dispose();
            for (int i = 0; i < rays.Count; i++) rays[i].TryAnswer();
        }

        private static void CastSpheres()
        {
            if (spheres.Count == 0) return;
            int count = CountQueries(spheres), next = 0;
            NativeArray<SpherecastCommand> commands =
                new NativeArray<SpherecastCommand>(count, Allocator.TempJob, NativeArrayOptions.UninitializedMemory);
            NativeArray<RaycastHit> hits = new NativeArray<RaycastHit>(count * MaxSphereHits, Allocator.TempJob);
            for (int i = 0; i < spheres.Count; i++)
                for (int k = 0; k < spheres[i].queryCount; k++) commands[next++] = Sphere(spheres[i], k);
            Schedule(commands, hits).Complete();
            Take(spheres, hits, MaxSphereHits);
            commands.Dispose();
            hits.Dispose();
            CastBlocked();
            for (int i = 0; i < spheres.Count; i++) spheres[i].TryAnswer();
        }

        // Where the only hit that a sphere gets is no ground, such as a collider of the character
        // itself, a ray finds what is behind it.
        private static void CastBlocked()
        {
            if (blocked.Count == 0) return;
            NativeArray<RaycastCommand> commands =
                new NativeArray<RaycastCommand>(blocked.Count, Allocator.TempJob, NativeArrayOptions.UninitializedMemory);
            NativeArray<RaycastHit> hits = new NativeArray<RaycastHit>(blocked.Count * MaxHits, Allocator.TempJob);
            for (int i = 0; i < blocked.Count; i++) commands[i] = Ray(blocked[i].Of, blocked[i].Number);
            Schedule(commands, hits).Complete();
            for (int i = 0; i < blocked.Count; i++)
            {
                SinewGrounder grounder = blocked[i].Of;
                Take(grounder, hits, i * MaxHits, MaxHits, out grounder.Hits[blocked[i].Number]);
            }
            blocked.Clear();
            commands.Dispose();
            hits.Dispose();
        }

        private static void Take(List<SinewGrounder> of, NativeArray<RaycastHit> hits, int most)
        {
            int first = 0;
            for (int i = 0; i < of.Count; i++)
            {
                SinewGrounder grounder = of[i];
                for (int k = 0; k < grounder.queryCount; k++, first += most)
                {
                    bool isRefused = Take(grounder, hits, first, most, out grounder.Hits[k]);
                    if (isRefused && most == 1) blocked.Add(new Blocked { Of = grounder, Number = k });
                }
            }
        }

        // The nearest hit that is ground. True when there are others alone.
        private static bool Take(SinewGrounder grounder, NativeArray<RaycastHit> hits, int first, int most, out SinewGroundHit taken)
        {
            float steepest = Mathf.Cos(grounder.maxSlope * Mathf.Deg2Rad);
            Vector3 up = grounder.transform.rotation * Vector3.up;
            int best = -1;
            bool isRefused = false;
            for (int h = first; h < first + most; h++)
            {
                RaycastHit hit = hits[h];
                Collider collider = hit.collider;
                if (collider == null) break; // those that follow are empty too
                bool isGround = !collider.transform.IsChildOf(grounder.transform) && IsWanted(collider, grounder.triggers)
                    && Vector3.Dot(hit.normal, up) >= steepest;
                if (!isGround) isRefused = true;
                else if (best < 0 || hit.distance < hits[best].distance) best = h;
            }
            taken = default(SinewGroundHit);
            if (best >= 0) Take(hits[best], out taken);
            return isRefused && best < 0;
        }

        private static bool IsWanted(Collider collider, QueryTriggerInteraction triggers)
        {
            if (!collider.isTrigger || triggers == QueryTriggerInteraction.Collide) return true;
            return triggers == QueryTriggerInteraction.UseGlobal && Physics.queriesHitTriggers;
        }

        private static void Take(RaycastHit hit, out SinewGroundHit taken)
        {
            taken = default(SinewGroundHit);
            taken.hit = 1;
            Vector3 point = hit.point, normal = hit.normal;
            taken.point = *(SinewVec3*)&point;
            taken.normal = *(SinewVec3*)&normal;
            Transform surface = hit.collider.transform;
            if (surface.gameObject.isStatic) return;
            Motion motion = MotionOf(surface);
            taken.body = motion.Number;
            float seconds = (float)(motion.Now.Time - motion.Before.Time);
            if (!motion.Before.IsKnown || seconds <= 0f) return;
            // Where this point of the surface was when it was seen before.
            Quaternion turn = motion.Now.Rotation * Quaternion.Inverse(motion.Before.Rotation);
            Vector3 was = motion.Before.Position + Quaternion.Inverse(turn) * (point - motion.Now.Position);
            Vector3 velocity = (point - was) / seconds;
            float angle;
            Vector3 axis;
            turn.ToAngleAxis(out angle, out axis);
            if (angle > 180f) angle -= 360f;
            Vector3 spin = Mathf.Abs(angle) < 1e-4f ? Vector3.zero : axis * (angle * Mathf.Deg2Rad / seconds);
            taken.velocity = *(SinewVec3*)&velocity;
            taken.angular_velocity = *(SinewVec3*)&spin;
        }

        // How a surface moved since it was hit before; nothing is known of one that was not hit for
        // a while.
        private static Motion MotionOf(Transform surface)
        {
            double now = Time.inFixedTimeStep ? Time.fixedTimeAsDouble : Time.timeAsDouble;
            Motion motion;
            if (!motions.TryGetValue(surface, out motion))
            {
                if (motions.Count >= mostMotions) ForgetStale(now);
                if (++lastNumber == 0) lastNumber = 1; // 0 is a surface that stands still
                motion.Number = lastNumber;
            }
            if (motion.Now.IsKnown && motion.Now.Time == now) return motion;
            bool isRecent = motion.Now.IsKnown && now > motion.Now.Time && now - motion.Now.Time < MaxGap;
            motion.Before = isRecent ? motion.Now : default(Place);
            motion.Now = new Place { Position = surface.position, Rotation = surface.rotation, Time = now, IsKnown = true };
            motions[surface] = motion;
            return motion;
        }

        // Surfaces that were destroyed or left behind. Those that feet stand on keep their numbers.
        private static void ForgetStale(double now)
        {
            foreach (KeyValuePair<Transform, Motion> one in motions)
                if (one.Key == null || now < one.Value.Now.Time || now - one.Value.Now.Time >= MaxGap) stale.Add(one.Key);
            for (int i = 0; i < stale.Count; i++) motions.Remove(stale[i]);
            stale.Clear();
            mostMotions = Mathf.Max(4096, 2 * motions.Count);
        }
    }
}
