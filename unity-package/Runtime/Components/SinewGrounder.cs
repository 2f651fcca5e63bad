using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>Who says whether a foot stands on the ground.</summary>
    public enum FootContact
    {
        /// <summary>Height and speed of the animated foot.</summary>
        Auto = 0,

        /// <summary>It stands.</summary>
        Planted = 1,

        /// <summary>It is in the air.</summary>
        Swing = 2,
    }

    /// <summary>Whether a character stands on ground.</summary>
    public enum Grounded
    {
        /// <summary>From the ground below its feet.</summary>
        Auto = 0,

        /// <summary>It does.</summary>
        Yes = 1,

        /// <summary>It jumps, falls or swims: everything fades out.</summary>
        No = 2,
    }

    /// <summary>Who may step when; neighbours around the body never swing at the same
    /// time.</summary>
    public enum SteppingGait
    {
        /// <summary>Legs of one group at a time: two legs take turns.</summary>
        Groups = 0,

        /// <summary>One leg at a time, the one that needs it most.</summary>
        Wave = 1,

        /// <summary>Any leg.</summary>
        Free = 2,
    }

    /// <summary>Ground queries a foot and frame.</summary>
    public enum GroundQuality
    {
        /// <summary>Smooth ground only.</summary>
        One = 1,

        /// <summary>Edges of steps are found late.</summary>
        Three = 3,

        /// <summary>Edges of steps are found within a few frames.</summary>
        Five = 5,
    }

    /// <summary>
    /// Puts feet on the ground that is really there: stairs, slopes, rocks, moving platforms. Sits
    /// beside a SinewAnimator; with a humanoid it needs nothing else, other rigs list their <see
    /// cref="legs"/>, two or any number. All grounders of a scene cast their rays in one
    /// RaycastCommand batch. For a humanoid it sets the goals of both feet and the body in
    /// OnAnimatorIK; scripts further down the list of components may change them. Listed legs are
    /// solved before constraints.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Grounder")]
    [ManualPage("sinew-grounder.md")]
    [Icon(SinewHelp.Icons + "SinewGrounder.png")]
    [RequireComponent(typeof(SinewAnimator))]
    [DisallowMultipleComponent]
    public sealed unsafe partial class SinewGrounder : MonoBehaviour, INativeOwner
    {
        // Leg length, metres, that lengths and speeds are made for.
        private const float UsualLeg = 0.85f;

        /// <summary>0 (the animation) to 1 (on the ground).</summary>
        [Range(0f, 1f)]
        [Tooltip("0: the animation. 1: on the ground. Range 0 to 1. Default 1.")]
        public float weight = 1f;

        /// <summary>Share of the left foot, 0 to 1.</summary>
        [Tooltip("Share of the left foot. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float leftFootWeight = 1f;

        /// <summary>Share of the right foot, 0 to 1.</summary>
        [Tooltip("Share of the right foot. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float rightFootWeight = 1f;

        /// <summary>Who says whether the left foot stands. An animation curve or event may set
        /// it.</summary>
        [Tooltip("Who says whether the left foot stands: Auto, from its height and speed; or an animation curve or event that sets it. Default Auto.")]
        public FootContact leftFootContact = FootContact.Auto;

        /// <summary>Who says whether the right foot stands.</summary>
        [Tooltip("Who says whether the right foot stands: Auto, from its height and speed; or an animation curve or event that sets it. Default Auto.")]
        public FootContact rightFootContact = FootContact.Auto;

        /// <summary>Whether the character stands on ground at all.</summary>
        [Tooltip("Whether the character stands on ground at all. No: it jumps, falls or swims, and everything fades out. Default Auto.")]
        public Grounded grounded = Grounded.Auto;

        /// <summary>The legs of a rig that is no humanoid, or in place of a humanoid's: two or any
        /// number. Empty: the legs of the humanoid. <see cref="Refresh"/> after a change by
        /// script.</summary>
        [Header("Legs")]
        [Tooltip("The legs of a rig that is no humanoid: two or any number. Empty: the legs of the humanoid.")]
        public List<SinewGroundLeg> legs = new List<SinewGroundLeg>();

        /// <summary>With <see cref="legs"/>: the joint that moves for all of them. None: the nearest
        /// joint above all hips.</summary>
        [Tooltip("With Legs: the joint that moves for all of them. None: the nearest joint above all hips.")]
        public Transform pelvis;

        /// <summary>Factor of the character's scale, which multiplies all lengths and speeds of
        /// the grounder: the length of its longest leg at rest in the world, from hip to ankle,
        /// over 0.85 m, times this, within 0.0001 to 10000 in all. Characters that are scaled, of
        /// another size or in another unit need none.</summary>
        [Tooltip("Factor on all lengths and speeds of the grounder, beside that for the length of the legs in the world. At least 0.0001. Default 1.")]
        [Min(0.0001f)] public float scale = 1f;

        /// <summary>Sizes of the left foot in place of measured ones; for the humanoid's
        /// feet.</summary>
        [Tooltip("Sizes of the left foot in place of measured ones; for the humanoid's feet.")]
        public SinewFootSize leftFootSize = new SinewFootSize();

        /// <summary>Sizes of the right foot.</summary>
        [Tooltip("Sizes of the right foot in place of measured ones; for the humanoid's feet.")]
        public SinewFootSize rightFootSize = new SinewFootSize();

        /// <summary>What counts as ground. Colliders below the character's own object never
        /// do.</summary>
        [Header("Ground")]
        [Tooltip("What counts as ground. The character's own colliders never do.")]
        public LayerMask groundLayers = ~0;

        /// <summary>Whether triggers count as ground.</summary>
        [Tooltip("Whether triggers count as ground. Default Ignore.")]
        public QueryTriggerInteraction triggers = QueryTriggerInteraction.Ignore;

        /// <summary>Ground queries a foot and frame.</summary>
        [Tooltip("Number of ground queries a foot and frame. Default Five.")]
        public GroundQuality quality = GroundQuality.Five;

        /// <summary>Radius of the swept sphere of each query, metres for a leg of 0.85 m; 0
        /// (default): rays. Before Unity 2022.2 a query has one hit; where that is no ground, such
        /// as a collider of the character itself, rays look behind it.</summary>
        [Tooltip("Radius of the swept sphere of each query, metres for a leg of 0.85 m; 0: rays. Before Unity 2022.2 rays take over where an own collider is hit. At least 0. Default 0.")]
        [Min(0f)] public float queryRadius;

        /// <summary>Steepest ground a foot is put on, degrees; a steeper hit is no
        /// ground.</summary>
        [Tooltip("Steepest ground a foot is put on, degrees; a steeper hit is no ground. Range 0 to 78. Default 60.")]
        [Range(0f, 78f)] public float maxSlope = 60f;

        /// <summary>Height above the character's own plane up to which ground is stepped on, metres
        /// for a leg of 0.85 m.</summary>
        [Tooltip("Height above the character's own plane up to which ground is stepped on, metres for a leg of 0.85 m. At least 0. Default 0.5.")]
        [Min(0f)] public float maxStepUp = 0.5f;

        /// <summary>Depth below it likewise.</summary>
        [Tooltip("Depth below the character's own plane down to which ground is stepped on, metres for a leg of 0.85 m. At least 0. Default 0.6.")]
        [Min(0f)] public float maxStepDown = 0.6f;

        /// <summary>How much the feet follow the slope, 0 to 1.</summary>
        [Header("Feet")]
        [Tooltip("How much the feet follow the slope. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float footTilt = 1f;

        /// <summary>Most they do, degrees.</summary>
        [Tooltip("Angle by which the feet follow the slope at most, degrees. Range 0 to 90. Default 40.")]
        [Range(0f, 90f)] public float maxFootTilt = 40f;

        /// <summary>Furthest a foot is moved off the edge of a step, metres for a leg of 0.85 m; 0:
        /// never.</summary>
        [Tooltip("Furthest a foot is moved off the edge of a step, metres for a leg of 0.85 m; 0: never. At least 0. Default 0.12.")]
        [Min(0f)] public float footholdShift = 0.12f;

        /// <summary>Height kept over edges, metres for a leg of 0.85 m.</summary>
        [Tooltip("Height kept over edges, metres for a leg of 0.85 m. At least 0. Default 0.02.")]
        [Min(0f)] public float swingClearance = 0.02f;

        /// <summary>Speed below which a low foot is planted, metres per second for a leg of 0.85
        /// m.</summary>
        [Tooltip("Speed below which a low foot is planted, metres per second for a leg of 0.85 m. At least 0.01. Default 0.45.")]
        [Min(0.01f)] public float plantSpeed = 0.45f;

        /// <summary>Speed above which a planted foot is released, likewise; not below <see
        /// cref="plantSpeed"/>.</summary>
        [Tooltip("Speed above which a planted foot is released, metres per second for a leg of 0.85 m; not below Plant Speed. At least 0.01. Default 0.75.")]
        [Min(0.01f)] public float releaseSpeed = 0.75f;

        /// <summary>How much the body follows the mean height of the ground under the feet, 0 to
        /// 1.</summary>
        [Header("Body")]
        [Tooltip("How much the body follows the mean height of the ground under the feet. Range 0 to 1. Default 0.5.")]
        [Range(0f, 1f)] public float pelvisFollow = 0.5f;

        /// <summary>Seconds in which the body rises (nine tenths of the way).</summary>
        [Tooltip("Seconds in which the body rises (nine tenths of the way). At least 0.01. Default 0.6.")]
        [Min(0.01f)] public float pelvisRiseTime = 0.6f;

        /// <summary>Seconds in which it sinks.</summary>
        [Tooltip("Seconds in which the body sinks (nine tenths of the way). At least 0.01. Default 0.35.")]
        [Min(0.01f)] public float pelvisFallTime = 0.35f;

        /// <summary>Furthest the body moves, metres for a leg of 0.85 m.</summary>
        [Tooltip("Furthest the body moves, metres for a leg of 0.85 m. At least 0. Default 0.5.")]
        [Min(0f)] public float maxPelvisOffset = 0.5f;

        /// <summary>Height of the character over all ground that counts as being in the air, metres
        /// for a leg of 0.85 m.</summary>
        [Tooltip("Height of the character over all ground that counts as being in the air, metres for a leg of 0.85 m. At least 0. Default 0.35.")]
        [Min(0f)] public float airborneHeight = 0.35f;

        /// <summary>Whether the feet step by themselves, for feet without animation, such as those
        /// of a VR body: the pose is then where they belong.</summary>
        [Header("Stepping")]
        [Tooltip("The feet step by themselves; the pose is where they belong. Default off.")]
        public bool stepping;

        /// <summary>Who may step when.</summary>
        [Tooltip("Who may step when. Groups: legs of one group at a time. Wave: one leg at a time. Free: any leg. Default Groups.")]
        public SteppingGait gait = SteppingGait.Groups;

        /// <summary>Distance of a foot from its place in the pose at which it steps, metres for a leg
        /// of 0.85 m; less while the body stands.</summary>
        [Tooltip("Distance of a foot from its place in the pose at which it steps, metres for a leg of 0.85 m; less while the body stands. At least 0.01. Default 0.18.")]
        [Min(0.01f)] public float triggerDistance = 0.18f;

        /// <summary>Turn of a foot against its place in the pose at which it steps,
        /// degrees.</summary>
        [Tooltip("Turn of a foot against its place in the pose at which it steps, degrees. Range 1 to 180. Default 34.")]
        [Range(1f, 180f)] public float triggerAngle = 34f;

        /// <summary>How far the body may be outside the area of the standing feet, metres for a leg
        /// of 0.85 m.</summary>
        [Tooltip("How far the body may be outside the area of the standing feet, metres for a leg of 0.85 m. At least 0.01. Default 0.12.")]
        [Min(0.01f)] public float triggerBalance = 0.12f;

        /// <summary>How far beyond its place a foot lands while the body moves, as a part of <see
        /// cref="triggerDistance"/>.</summary>
        [Tooltip("How far beyond its place a foot lands while the body moves, as a part of Trigger Distance. Range 0 to 1. Default 0.8.")]
        [Range(0f, 1f)] public float stepLead = 0.8f;

        /// <summary>Seconds of a step; fast bodies step in less.</summary>
        [Tooltip("Seconds of a step; fast bodies step in less. At least 0.05. Default 0.3.")]
        [Min(0.05f)] public float stepTime = 0.3f;

        /// <summary>Height of a step over flat ground, metres for a leg of 0.85 m.</summary>
        [Tooltip("Height of a step over flat ground, metres for a leg of 0.85 m. At least 0. Default 0.08.")]
        [Min(0f)] public float stepHeight = 0.08f;

        /// <summary>Whether the selected character shows its rays, contacts, locks and
        /// body.</summary>
        [Tooltip("Whether the selected character shows its rays, contacts, locks and body. Default on.")]
        public bool drawGizmos = true;

        /// <summary>Settings that are seldom changed.</summary>
        [Tooltip("Settings that are seldom changed.")]
        public SinewGrounderDetails details = new SinewGrounderDetails();

        private SinewAnimator animator;
        private NativeGrounder native;
        private NativeAnimator knownRig;
        private SinewGrounderSettings settings;
        private SinewGrounderFrame frame;
        private SinewGrounderBody body;
        private bool isSolved;
        private bool isBodyMoved;
        private bool isSet;
        private bool isStepping;
        private SinewSteppingSettings steps;
        private float legScale = 1f; // length of the legs in the world beside a person's
        private float size = 1f; // of this object, when the feet were measured
        private ProblemLog problems;

        /// <summary>Queries of the last frame.</summary>
        public int queryCount { get; private set; }

        /// <summary>How far the body is moved, world space, metres; a character controller's
        /// capsule may follow it.</summary>
        public Vector3 bodyOffset
        {
            get { return isSolved ? From(body.offset) : Vector3.zero; }
        }

        /// <summary>Unit normal of the ground under the feet, world space.</summary>
        public Vector3 groundNormal
        {
            get { return isSolved ? From(body.ground_normal) : transform.up; }
        }

        /// <summary>Whether the left foot is locked to the ground.</summary>
        public bool isLeftFootPlanted
        {
            get { return IsPlanted(0); }
        }

        /// <summary>Whether the right foot is.</summary>
        public bool isRightFootPlanted
        {
            get { return IsPlanted(1); }
        }

        /// <summary>Part of the correction in force: 1 on the ground, 0 in the air.</summary>
        public float presence
        {
            get { return isSolved ? body.presence : 0f; }
        }

        /// <summary>The native grounder; null before the first pass.</summary>
        public NativeGrounder nativeGrounder
        {
            get { return native; }
        }

        /// <summary>Forgets locks and the body's place: call it after a teleport or a
        /// cut.</summary>
        public void ResetGrounding()
        {
            if (native != null) native.Reset();
            isSolved = false;
            ForgetContacts();
        }

        internal SinewGroundQuery[] Queries
        {
            get { return queries; }
        }

        internal SinewGroundHit[] Hits
        {
            get { return hits; }
        }

        /// <summary>Where its queries look for ground: in the scene of the character.</summary>
        internal PhysicsScene GroundScene { get; private set; }

        /// <summary>Whether the clock of the character is unscaled time.</summary>
        internal bool IsUnscaled
        {
            get { return animator.IsClockUnscaled; }
        }

        /// <summary>The first phase: the animated legs go in, queries come out. A mistake in
        /// either phase leaves the feet as animated.</summary>
        internal bool TryAsk()
        {
            try
            {
                SinewRunner.Inject(animator, "Ask");
                return Ask();
            }
            catch (Exception e)
            {
                Fail(e);
                return false;
            }
        }

        /// <summary>The second phase: the hits are there.</summary>
        internal void TryAnswer()
        {
            try
            {
                SinewRunner.Inject(animator, "Answer");
                Answer();
                problems.Clear();
            }
            catch (Exception e)
            {
                Fail(e);
            }
        }

        private void Fail(Exception e)
        {
            isSolved = false;
            queryCount = 0;
            ForgetContacts();
            problems.Add(e, this, "The feet stay as animated.");
        }

        private bool Ask()
        {
            isSolved = isBodyMoved = false;
            queryCount = 0;
            if (!isActiveAndEnabled || !(HasLegs || animator.isHuman) || !animator.ShowAnimated()) return false;
            if (!ReferenceEquals(knownRig, animator.Native)) Build();
            if (native == null) return false;
            GroundScene = gameObject.scene.GetPhysicsScene();
            Transform own = transform;
            float now = Size();
            if (Mathf.Abs(now - size) > 1e-4f * size) Measure(now);
            FillSettings();
            Vector3 up = own.rotation * Vector3.up;
            frame.root = To(own.position);
            frame.rotation = To(own.rotation);
            frame.up = To(up);
            frame.dt_s = animator.PassSeconds;
            frame.grounded = (int)grounded;
            for (int leg = 0; leg < bones.Length; leg++) FillLeg(leg);
            frame.pelvis = To(PelvisPlace());
            native.Settings = settings;
            SetStepping();
            queryCount = native.Begin(frame, poses, queries);
            return true;
        }

        private void Answer()
        {
            native.Finish(hits, queryCount);
            body = native.GetBody();
            native.GetLegs(results);
            isSolved = true;
            NoteContacts();
            if (isListed || animator.MustSend) return;
            // Unity has sent its callback before this frame's pose was known.
            bool wasSending = animator.EnterCallback();
            try
            {
                Apply();
            }
            finally
            {
                animator.LeaveCallback(wasSending);
            }
        }

        private void OnEnable()
        {
            if (animator == null && !TryGetComponent(out animator)) return;
            animator.Grounder = this;
            animator.GroundingChanged();
            SinewGroundRunner.Count++;
        }

        private void OnDisable()
        {
            if (animator == null || !ReferenceEquals(animator.Grounder, this)) return;
            animator.Grounder = null;
            SinewGroundRunner.Count--;
            if (isSet && animator.IsBuiltHuman && animator.goalLifetime == GoalLifetime.UntilChanged)
            {
                Free(AvatarIKGoal.LeftFoot);
                Free(AvatarIKGoal.RightFoot);
            }
            RemoveLimbs();
            isSet = isSolved = false;
            ForgetContacts();
            if (native != null) native.Reset();
            animator.GroundingChanged();
        }

        private void OnDestroy()
        {
            Release();
        }

        void INativeOwner.Release()
        {
            Release();
        }

        private void Release()
        {
            if (native != null) native.Dispose();
            native = null;
            knownRig = null;
            isSolved = false;
            SinewRuntime.Remove(this);
        }

        private void OnAnimatorIK(int layerIndex)
        {
            // Where Unity sends the callback it comes before the frame's pose is known. A script
            // may have set the rig up anew a moment ago.
            if (isSolved && !isListed && animator.MustSend && ReferenceEquals(knownRig, animator.Native)) Apply();
        }

        private void Apply()
        {
            Vector3 offset = From(body.offset);
            Quaternion turn = From(body.turn);
            // A change of what is there: once in a pass, not once for each layer.
            bool isFirst = !isBodyMoved;
            isBodyMoved = true;
            if (isFirst && (offset != Vector3.zero || body.turn.w < 1f)) animator.MoveBody(From(frame.pelvis), offset, turn);
            SetFoot(0, AvatarIKGoal.LeftFoot, HumanBodyBones.LeftToes, offset);
            SetFoot(1, AvatarIKGoal.RightFoot, HumanBodyBones.RightToes, offset);
            isSet = true;
        }

        private void SetFoot(int leg, AvatarIKGoal goal, HumanBodyBones toesBone, Vector3 offset)
        {
            // A foot that belongs to a joint, or has an effector point, is left to its goal.
            if (animator.IsPlaced(goal)) return;
            SinewGrounderLegResult now = results[leg];
            SinewGrounderLeg was = poses[leg];
            Quaternion before = From(was.foot), after = From(now.foot);
            bool isAsAnimated = offset == Vector3.zero && From(now.ankle) == From(was.ankle) && before.Equals(after);
            if (isAsAnimated)
            {
                // A foot in the air over flat ground is the animation, bit for bit.
                Free(goal);
                return;
            }
            animator.SetIKPosition(goal, From(now.ankle));
            animator.SetIKPositionWeight(goal, 1f);
            animator.SetIKRotationBone(goal, after);
            animator.SetIKRotationWeight(goal, 1f);
            int joint = bones[leg].Ball;
            if (joint < 0) return;
            // Toes stay along the ground while the heel lifts.
            Quaternion local = Quaternion.Inverse(after) * From(now.toes_turn) * toes[leg];
            Quaternion carried = Quaternion.Inverse(before) * toes[leg];
            if (Mathf.Abs(Quaternion.Dot(local, carried)) < 0.999999f) animator.SetBoneLocalRotation(toesBone, local);
        }

        private void Free(AvatarIKGoal goal)
        {
            if (!isSet || animator.goalLifetime != GoalLifetime.UntilChanged) return;
            animator.SetIKPositionWeight(goal, 0f);
            animator.SetIKRotationWeight(goal, 0f);
        }

        private void FillSettings()
        {
            settings.weight = Mathf.Clamp01(weight);
            settings.quality = (int)quality;
            settings.query_radius = Mathf.Max(0f, queryRadius);
            settings.max_step_up = Mathf.Max(0f, maxStepUp);
            settings.max_step_down = Mathf.Max(0f, maxStepDown);
            settings.foot_tilt = Mathf.Clamp01(footTilt);
            settings.max_foot_tilt = Mathf.Max(0f, maxFootTilt) * Mathf.Deg2Rad;
            settings.foothold_shift = Mathf.Max(0f, footholdShift);
            settings.swing_clearance = Mathf.Max(0f, swingClearance);
            settings.plant_speed = Mathf.Max(0.01f, plantSpeed);
            settings.release_speed = Mathf.Max(settings.plant_speed, releaseSpeed);
            details.Apply(ref settings);
            settings.pelvis_follow = Mathf.Clamp01(pelvisFollow);
            settings.pelvis_rise_time = Mathf.Max(0.01f, pelvisRiseTime);
            settings.pelvis_fall_time = Mathf.Max(0.01f, pelvisFallTime);
            settings.max_pelvis_offset = Mathf.Max(0f, maxPelvisOffset);
            settings.airborne_height = Mathf.Max(0f, airborneHeight);
            settings.scale = WholeScale();
        }

        // Of the grounder: the legs' length beside a person's, times the field.
        private float WholeScale()
        {
            return Mathf.Clamp(scale * legScale, 1e-4f, 1e4f);
        }

        private void SetStepping()
        {
            if (!stepping)
            {
                if (isStepping) native.ClearStepping();
                isStepping = false;
                return;
            }
            steps.gait = (int)gait;
            steps.trigger_distance = Mathf.Max(0.01f, triggerDistance);
            steps.trigger_angle = Mathf.Max(1f, triggerAngle) * Mathf.Deg2Rad;
            steps.trigger_balance = Mathf.Max(0.01f, triggerBalance);
            steps.lead = Mathf.Clamp01(stepLead);
            steps.step_time = Mathf.Max(0.05f, stepTime);
            steps.step_height = Mathf.Max(0f, stepHeight);
            native.SetStepping(steps, groups);
            isStepping = true;
        }

        private void OnDrawGizmosSelected()
        {
            if (!drawGizmos) return;
            if (!isSolved)
            {
                if (animator == null && !TryGetComponent(out animator)) animator = null;
                for (int i = 0; HasLegs && i < legs.Count; i++)
                    if (legs[i] != null) DrawRange(legs[i].ankle);
                for (int side = 0; !HasLegs && side < 2; side++)
                    DrawRange(animator == null ? null : animator.FindBone(side == 0 ? HumanBodyBones.LeftFoot : HumanBodyBones.RightFoot));
                return;
            }
            float whole = WholeScale();
            for (int i = 0; i < queryCount; i++)
            {
                Vector3 from = From(queries[i].origin);
                Vector3 to = from + From(queries[i].direction) * queries[i].length;
                Gizmos.color = hits[i].hit != 0 ? SinewColors.Goal : SinewColors.Residual;
                Gizmos.DrawLine(from, hits[i].hit != 0 ? From(hits[i].point) : to);
                if (hits[i].hit != 0) Gizmos.DrawRay(From(hits[i].point), From(hits[i].normal) * (0.1f * whole));
            }
            for (int leg = 0; leg < results.Length; leg++)
            {
                bool isPlanted = results[leg].planted != 0;
                Gizmos.color = isPlanted ? SinewColors.Pole : SinewColors.Gaze;
                Gizmos.DrawWireSphere(From(results[leg].ball), (isPlanted ? 0.04f : 0.02f) * whole);
                if (!isPlanted) Gizmos.DrawLine(From(results[leg].ball), From(results[leg].landing));
            }
            Gizmos.color = SinewColors.Body;
            Gizmos.DrawLine(From(frame.pelvis), From(frame.pelvis) + From(body.offset));
        }

        // In Edit mode: the heights between which ground is looked for.
        private void DrawRange(Transform foot)
        {
            Transform own = transform;
            float whole = WholeScale();
            Vector3 up = own.rotation * Vector3.up, at = foot != null ? foot.position : own.position;
            at -= up * Vector3.Dot(at - own.position, up);
            Vector3 top = at + up * (maxStepUp * whole), bottom = at - up * (maxStepDown * whole);
            SinewGizmos.Line(top, bottom, SinewColors.Goal);
            SinewGizmos.Circle(at, up, 0.05f * whole, SinewColors.Region);
            SinewGizmos.Cross(top, SinewColors.Goal, 0.03f * whole);
            SinewGizmos.Cross(bottom, SinewColors.Goal, 0.03f * whole);
        }
    }
}
