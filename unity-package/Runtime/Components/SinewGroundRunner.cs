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
        // Colliders of the character itself may be in front of the ground: hits of a query, and,
        // where a query has one, rays that go on behind it.
#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
        private const int MaxHits = 4;
#else
        private const int MaxHits = 1; // all that these editors give, whatever they are asked for
#endif
        private const int MaxRounds = 4;

        // Metres behind a hit at which a ray goes on.
        private const float Behind = 1e-3f;

        // Seconds after which the place of a surface says nothing about its velocity any more.
        private const double MaxGap = 0.5;

        // Game time stands still in a pause and is slow in slow motion; characters in unscaled time
        // go on.
        private struct Moment
        {
            internal double Scaled, Unscaled;

            internal static Moment Now()
            {
                if (Time.inFixedTimeStep) return new Moment { Scaled = Time.fixedTimeAsDouble, Unscaled = Time.fixedUnscaledTimeAsDouble };
                return new Moment { Scaled = Time.timeAsDouble, Unscaled = Time.unscaledTimeAsDouble };
            }

            internal bool Is(Moment other)
            {
                return Scaled == other.Scaled && Unscaled == other.Unscaled;
            }

            // Whether this one comes after another that is not long ago.
            internal bool IsSoonAfter(Moment other)
            {
                return Unscaled > other.Unscaled && Scaled >= other.Scaled && Scaled - other.Scaled < MaxGap;
            }
        }

        private struct Place
        {
            internal Vector3 Position;
            internal Quaternion Rotation;
            internal Moment Time;
            internal bool IsKnown;
        }

        private struct Motion
        {
            internal Place Now;
            internal Place Before;
            internal uint Number; // of the surface, from 1
        }

        // A query whose only hit is no ground, and how far from its origin that is looked for next.
        private struct Blocked
        {
            internal SinewGrounder Of;
            internal int Number;
            internal float From;
        }

        /// <summary>Grounders that are enabled.</summary>
        internal static int Count;

        private static readonly List<SinewGrounder> asking = new List<SinewGrounder>();
        private static readonly List<SinewGrounder> rays = new List<SinewGrounder>();
        private static readonly List<SinewGrounder> spheres = new List<SinewGrounder>();
        private static readonly List<Blocked> blocked = new List<Blocked>();

        // Apart for frames and for physics steps, between which a rigid body may be shown where
        // physics does not have it.
        private static readonly Dictionary<Transform, Motion> frameMotions = new Dictionary<Transform, Motion>();
        private static readonly Dictionary<Transform, Motion> stepMotions = new Dictionary<Transform, Motion>();
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

        private static RaycastCommand Ray(SinewGrounder grounder, int number, float start = 0f)
        {
            SinewGroundQuery query = grounder.Queries[number];
            Vector3 along = *(Vector3*)&query.direction, from = *(Vector3*)&query.origin + along * start;
            float length = query.length - start;
#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
            return new RaycastCommand(grounder.GroundScene, from, along, Parameters(grounder), length);
#else
            return new RaycastCommand(grounder.GroundScene, from, along, length, grounder.groundLayers, MaxHits);
#endif
        }

        private static SpherecastCommand Sphere(SinewGrounder grounder, int number)
        {
            SinewGroundQuery query = grounder.Queries[number];
            Vector3 from = *(Vector3*)&query.origin, along = *(Vector3*)&query.direction;
#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
            return new SpherecastCommand(grounder.GroundScene, from, query.radius, along, Parameters(grounder), query.length);
#else
            return new SpherecastCommand(grounder.GroundScene, from, query.radius, along, query.length, grounder.groundLayers);
#endif
        }

#if UNITY_2022_2_OR_NEWER || UNITY_2022_3_OR_NEWER
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
            return SpherecastCommand.ScheduleBatch(commands, hits, 8, MaxHits);
        }
#else
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
            Take(rays, hits, true);
            commands.Dispose();
            hits.Dispose();
            CastBlocked();
            for (int i = 0; i < rays.Count; i++) rays[i].TryAnswer();
        }

        private static void CastSpheres()
        {
            if (spheres.Count == 0) return;
            int count = CountQueries(spheres), next = 0;
            NativeArray<SpherecastCommand> commands =
                new NativeArray<SpherecastCommand>(count, Allocator.TempJob, NativeArrayOptions.UninitializedMemory);
            NativeArray<RaycastHit> hits = new NativeArray<RaycastHit>(count * MaxHits, Allocator.TempJob);
            for (int i = 0; i < spheres.Count; i++)
                for (int k = 0; k < spheres[i].queryCount; k++) commands[next++] = Sphere(spheres[i], k);
            Schedule(commands, hits).Complete();
            Take(spheres, hits, false);
            commands.Dispose();
            hits.Dispose();
            CastBlocked();
            for (int i = 0; i < spheres.Count; i++) spheres[i].TryAnswer();
        }

        // Where the only hit that a query gets is no ground, such as a collider of the character
        // itself, rays find what is behind it.
        private static void CastBlocked()
        {
            for (int round = 0; round < MaxRounds && blocked.Count > 0; round++)
            {
                int count = blocked.Count;
                NativeArray<RaycastCommand> commands =
                    new NativeArray<RaycastCommand>(count, Allocator.TempJob, NativeArrayOptions.UninitializedMemory);
                NativeArray<RaycastHit> hits = new NativeArray<RaycastHit>(count * MaxHits, Allocator.TempJob);
                for (int i = 0; i < count; i++) commands[i] = Ray(blocked[i].Of, blocked[i].Number, blocked[i].From);
                Schedule(commands, hits).Complete();
                for (int i = 0; i < count; i++)
                {
                    Blocked one = blocked[i];
                    if (Take(one.Of, hits, i * MaxHits, out one.Of.Hits[one.Number])) Block(one.Of, one.Number, one.From + hits[i * MaxHits].distance);
                }
                blocked.RemoveRange(0, count);
                commands.Dispose();
                hits.Dispose();
            }
            blocked.Clear();
        }

        private static void Block(SinewGrounder of, int number, float at)
        {
            float from = at + Behind;
            if (from < of.Queries[number].length) blocked.Add(new Blocked { Of = of, Number = number, From = from });
        }

        // A ray goes on behind what blocks it; in place of a sphere one begins where the sphere
        // did.
        private static void Take(List<SinewGrounder> of, NativeArray<RaycastHit> hits, bool areRays)
        {
            int first = 0;
            for (int i = 0; i < of.Count; i++)
            {
                SinewGrounder grounder = of[i];
                for (int k = 0; k < grounder.queryCount; k++, first += MaxHits)
                {
                    bool isRefused = Take(grounder, hits, first, out grounder.Hits[k]);
                    if (!isRefused || MaxHits > 1) continue;
                    if (areRays) Block(grounder, k, hits[first].distance);
                    else blocked.Add(new Blocked { Of = grounder, Number = k });
                }
            }
        }

        // The nearest hit that is ground. True when there are others alone.
        private static bool Take(SinewGrounder grounder, NativeArray<RaycastHit> hits, int first, out SinewGroundHit taken)
        {
            float steepest = Mathf.Cos(grounder.maxSlope * Mathf.Deg2Rad);
            Vector3 up = grounder.transform.rotation * Vector3.up;
            int best = -1;
            bool isRefused = false;
            for (int h = first; h < first + MaxHits; h++)
            {
                RaycastHit hit = hits[h];
                Collider collider = hit.collider;
                if (collider == null) break; // nothing is written behind the first one without
                bool isGround = !collider.transform.IsChildOf(grounder.transform) && IsWanted(collider, grounder.triggers)
                    && Vector3.Dot(hit.normal, up) >= steepest;
                if (!isGround) isRefused = true;
                else if (best < 0 || hit.distance < hits[best].distance) best = h;
            }
            taken = default(SinewGroundHit);
            if (best >= 0) Take(hits[best], grounder.IsUnscaled, out taken);
            return isRefused && best < 0;
        }

        private static bool IsWanted(Collider collider, QueryTriggerInteraction triggers)
        {
            if (!collider.isTrigger || triggers == QueryTriggerInteraction.Collide) return true;
            return triggers == QueryTriggerInteraction.UseGlobal && Physics.queriesHitTriggers;
        }

        private static void Take(RaycastHit hit, bool isUnscaled, out SinewGroundHit taken)
        {
            taken = default(SinewGroundHit);
            taken.hit = 1;
            Vector3 point = hit.point, normal = hit.normal;
            Show(hit.rigidbody, ref point, ref normal);
            taken.point = *(SinewVec3*)&point;
            taken.normal = *(SinewVec3*)&normal;
            Transform surface = hit.collider.transform;
            if (surface.gameObject.isStatic) return;
            Motion motion = MotionOf(surface);
            taken.body = motion.Number;
            Moment now = motion.Now.Time, before = motion.Before.Time;
            float seconds = (float)(isUnscaled ? now.Unscaled - before.Unscaled : now.Scaled - before.Scaled);
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

        // A query finds a rigid body where physics has it. It is shown elsewhere where it is
        // interpolated, or was moved since the last step.
        private static void Show(Rigidbody body, ref Vector3 point, ref Vector3 normal)
        {
            if (body == null) return;
            Transform shown = body.transform;
            Vector3 at = shown.position, physicsAt = body.position;
            Quaternion turned = shown.rotation, physicsTurned = body.rotation;
            if (at.Equals(physicsAt) && turned.Equals(physicsTurned)) return;
            Quaternion turn = turned * Quaternion.Inverse(physicsTurned);
            point = at + turn * (point - physicsAt);
            normal = turn * normal;
        }

        // How a surface moved since it was hit before; nothing is known of one that was not hit for
        // a while.
        private static Motion MotionOf(Transform surface)
        {
            Dictionary<Transform, Motion> motions = Time.inFixedTimeStep ? stepMotions : frameMotions;
            Moment now = Moment.Now();
            Motion motion;
            if (!motions.TryGetValue(surface, out motion))
            {
                if (motions.Count >= mostMotions) ForgetStale(motions, now);
                if (++lastNumber == 0) lastNumber = 1; // 0 is a surface that stands still
                motion.Number = lastNumber;
            }
            if (motion.Now.IsKnown && motion.Now.Time.Is(now)) return motion;
            bool isRecent = motion.Now.IsKnown && now.IsSoonAfter(motion.Now.Time);
            motion.Before = isRecent ? motion.Now : default(Place);
            motion.Now = new Place { Position = surface.position, Rotation = surface.rotation, Time = now, IsKnown = true };
            motions[surface] = motion;
            return motion;
        }

        // Surfaces that were destroyed or left behind. Those that feet stand on keep their numbers.
        private static void ForgetStale(Dictionary<Transform, Motion> motions, Moment now)
        {
            foreach (KeyValuePair<Transform, Motion> one in motions)
                if (one.Key == null || !(now.Is(one.Value.Now.Time) || now.IsSoonAfter(one.Value.Now.Time))) stale.Add(one.Key);
            for (int i = 0; i < stale.Count; i++) motions.Remove(stale[i]);
            stale.Clear();
            mostMotions = Mathf.Max(4096, 2 * motions.Count);
        }
    }
}
