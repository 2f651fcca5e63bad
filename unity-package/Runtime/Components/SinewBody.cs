using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary> The whole body: any number of effectors on the joints below this object, met in
    /// one solve, with joint limits, priorities, pins and a centre of mass. On any rig. It runs in
    /// LateUpdate, after animation and after a SinewAnimator whatever its solveTime, and takes the
    /// pose it finds as the animation. Angles of SinewJointLimits count from the rest pose: see
    /// <see cref="restFromMeshes"/>. </summary>
    [AddComponentMenu("Sinew IK/Sinew Body")]
    [ManualPage("sinew-body.md")]
    [Icon(SinewHelp.Icons + "SinewBody.png")]
    [DefaultExecutionOrder(1050)]
    [DisallowMultipleComponent]
    public sealed unsafe partial class SinewBody : MonoBehaviour
    {
        /// <summary>The joint that carries the body, such as the hips. None: the topmost joint
        /// below this object. After the first solve it takes effect at the next
        /// enabling.</summary>
        [Tooltip("The joint that carries the body, such as the hips. None: the topmost joint below this object.")]
        public Transform rootJoint;

        /// <summary>Whether that joint moves with the rest.</summary>
        [Tooltip("Whether the root joint moves with the rest. Default Free.")]
        public SinewBodyRoot root = SinewBodyRoot.Free;

        /// <summary>Stateless, or from the last answer with bounded work per frame.</summary>
        [Tooltip("Converge: each frame by itself. Track: from the last answer, with bounded work per frame. Default Converge.")]
        public SinewBodyMode mode = SinewBodyMode.Converge;

        /// <summary>Rate at which effectors approach their goals in track mode, 1/s; 0: at
        /// once.</summary>
        [Tooltip("Track mode: rate at which effectors approach their goals, 1/s, at least 0; 0: at once. Default 0.")]
        public float feedback;

        /// <summary>How much of the goals' own motion effectors follow at once in track mode, beside
        /// the feedback, 0 to 1. At 0 they lag behind goals that move.</summary>
        [Range(0f, 1f)]
        [Tooltip("Track mode: how much of the goals' own motion effectors follow at once. 0: they lag behind. Range 0 to 1. Default 0.")]
        public float goalVelocity;

        /// <summary>When a frame of track mode is a whole solve of converge mode.</summary>
        [Tooltip("Track mode: whether no frame, the first, or every frame is a whole solve of converge mode. Default First.")]
        public SinewTrackConverge trackConverge = SinewTrackConverge.First;

        /// <summary>How track mode treats directions in which effectors hardly move. Dls reads
        /// dampingMax and dampingEpsilon of <see cref="details"/>, Sdls its maxStep.</summary>
        [Tooltip("Track mode: how directions in which effectors hardly move are damped. Dls, Sdls: as Blender's iTaSC. Default Adaptive.")]
        public SinewTrackSolver trackSolver = SinewTrackSolver.Adaptive;

        /// <summary>Longest step of track mode, seconds: a frame takes as many steps as that needs.
        /// 0: one.</summary>
        [Min(0f)]
        [Tooltip("Track mode: longest step, seconds; a frame takes as many as that needs. 0: one. At least 0. Default 0.")]
        public float longestStep;

        /// <summary>Fastest turn of a joint in track mode, degrees per second; 0: any. Of joints that
        /// slide and of bones that change length, metres count as radians of
        /// <see cref="SinewBodyDetails.rotationLength"/>.</summary>
        [Tooltip("Track mode: fastest turn of a joint, degrees per second, at least 0; 0: any. Default 1146.")]
        public float maxSpeed = 1145.9156f;

        /// <summary>Fastest change of a joint's speed in track mode, degrees per second²; 0: any.
        /// Joints brake in time to stop where they go. Of a free root, of joints that slide and of
        /// bones that change length, metres count as radians of
        /// <see cref="SinewBodyDetails.rotationLength"/>.</summary>
        [Min(0f)]
        [Tooltip("Track mode: fastest change of a joint's speed, degrees per second squared; 0: any. At least 0. Default 0.")]
        public float maxAcceleration;

        /// <summary>Steps of work that a frame of converge mode may take, 10 to 80 ns each; then it
        /// ends with the best pose so far, the same on every computer.</summary>
        [Range(0, (int)SinewConstants.SINEW_MAX_WORK)]
        [Tooltip("Converge mode: number of steps of work that a frame may take, 10 to 80 ns each; then it ends with the best pose so far. Range 0 to 8000000. Default 8000000.")]
        public int maxWork = (int)SinewConstants.SINEW_MAX_WORK;

        /// <summary>Whether joints that skinned meshes are bound to are at rest in the bind pose of
        /// these meshes; off: in the pose they have when the component is first enabled. Limits
        /// count from it. Takes effect at the next enabling.</summary>
        [Tooltip("Joints of skinned meshes are at rest in the bind pose; off: in the pose they have when this is first enabled. Default on.")]
        public bool restFromMeshes = true;

        /// <summary>The joints and their goals.</summary>
        [Tooltip("The joints and their goals.")]
        public List<SinewBodyEffector> effectors = new List<SinewBodyEffector>();

        /// <summary>Joints that follow others: twist bones, mimic joints. After the first solve
        /// they take effect at the next enabling.</summary>
        [Tooltip("Joints that follow others: twist bones, mimic joints.")]
        public List<SinewBodyCoupling> couplings = new List<SinewBodyCoupling>();

        /// <summary>Multiplies the blend of all effectors, 0 to 1; at 0 the pose keeps its
        /// bits.</summary>
        [Range(0f, 1f)]
        [Tooltip("Multiplies the blend of all effectors. Range 0 to 1. Default 1.")]
        public float weight = 1f;

        /// <summary>Settings that are seldom changed.</summary>
        [Tooltip("Settings that are seldom changed.")]
        public SinewBodyDetails details = new SinewBodyDetails();

        // Seconds that a solve takes; an app in unscaled time may have been away for longer.
        internal const float LongestFrame = 1000f;

        [NonSerialized] private HumanRig rig;
        [NonSerialized] private Animator animator; // beside it, or null
        [NonSerialized] private NativeBody native;
        [NonSerialized] private SinewTransform[] pose;
        [NonSerialized] private SinewTransform[] source;
        [NonSerialized] private SinewTransform[] shown;
        [NonSerialized] private SinewBodySettings settings;
        [NonSerialized] private int sentWork;
        [NonSerialized] private SinewBodyOutcome lastOutcome;
        [NonSerialized] private ProblemLog problems;
        [NonSerialized] private ProblemLog settingsProblems;
        [NonSerialized] private bool isSolved;
        [NonSerialized] private bool isResting;
        [NonSerialized] private bool isTiedToSeen;
        [NonSerialized] private readonly Visibility visibility = new Visibility();
        [NonSerialized] private bool isRunning; // between OnEnable and OnDisable
        [NonSerialized] private readonly List<Mass> masses = new List<Mass>(); // of SetMass

        private struct Mass
        {
            internal Transform Joint;
            internal float Kilograms;
            internal Vector3 Center;
        }

        /// <summary>What the last solve left; inactive while the component is not
        /// running.</summary>
        public SinewBodyOutcome outcome
        {
            get { return lastOutcome; }
        }

        /// <summary>The native body, for what the fields do not have; null while the component is
        /// not running.</summary>
        public NativeBody Native
        {
            get
            {
                isSettled |= native != null; // what a script adds to it stays
                return native;
            }
        }

        /// <summary>Centre of mass in the pose of the last solve, of humanoids and of joints that
        /// were given masses.</summary>
        /// <returns>False when there is none.</returns>
        public bool TryGetCenterOfMass(out Vector3 position)
        {
            position = Vector3.zero;
            if (native == null) return false;
            try
            {
                SinewVec3 center = native.CenterOfMass;
                position = *(Vector3*)&center;
                return true;
            }
            catch (SinewException e)
            {
                if (e.Result == SinewResult.ErrorNotAvailable) return false;
                throw;
            }
        }

        /// <summary>Sets the mass of a joint and its centre in the joint's space; lasts until the
        /// component is disabled.</summary>
        public void SetMass(Transform joint, float mass, Vector3 center)
        {
            if (native == null) return;
            native.SetMass((int)JointOf(joint), mass, To(center));
            masses.RemoveAll(delegate (Mass known) { return known.Joint == joint; });
            masses.Add(new Mass { Joint = joint, Kilograms = mass, Center = center });
        }

        /// <summary>Joints that stand on a border of their limits after the last solve.</summary>
        public Transform[] LimitedJoints()
        {
            if (native == null) return new Transform[0];
            int[] joints = native.LimitedJoints();
            Transform[] found = new Transform[joints.Length];
            for (int i = 0; i < joints.Length; i++) found[i] = rig.Joints[joints[i]];
            return found;
        }

        /// <summary>Forgets the last answer of track mode: after a teleport or a cut.</summary>
        public void Forget()
        {
            if (native != null) native.Reset();
        }

        // What the Editor fills in where the component is added.
        private void Reset()
        {
            Animator animator = GetComponent<Animator>();
            if (animator != null && animator.isHuman) details.rootPosture = SinewBodyDetails.PersonRootPosture;
        }

        private void OnValidate()
        {
            ListElements.Fill(effectors);
            ListElements.Fill(couplings);
            if (!Application.isPlaying) restPose.Clear(); // of a prefab that was saved while playing
        }

        private void OnEnable()
        {
            isRunning = true;
            isSettled = false;
            problems.Clear();
            settingsProblems.Clear();
            Rebuild();
        }

        private void OnDisable()
        {
            isRunning = false;
            masses.Clear();
            Release();
        }

        private void LateUpdate()
        {
            FindAnimator();
            Solve(IsClockUnscaled ? Time.unscaledDeltaTime : Time.deltaTime);
        }

        // One may come later, or in place of another.
        private void FindAnimator()
        {
            if (animator == null && !TryGetComponent(out animator)) animator = null;
        }

        /// <summary>Whether the Animator beside it goes by unscaled time.</summary>
        internal bool IsClockUnscaled
        {
            get { return animator != null && animator.updateMode == AnimatorUpdateMode.UnscaledTime; }
        }

        /// <summary>Solves the pose as it is now; LateUpdate does so by itself, on the clock of the
        /// Animator beside it.</summary>
        /// <param name="seconds">Length of the frame, for track mode; below 0 counts as 0.</param>
        public void Solve(float seconds)
        {
            if (!IsReady()) return;
            if (uses > 0)
            {
                SayNested();
                return;
            }
            if (MustRest())
            {
                Rest();
                return;
            }
            try
            {
                Prepare();
                Enter();
                try
                {
                    fixed (SinewTransform* pointer = pose)
                    {
                        lastOutcome = native.Solve(pointer, pose.Length, Mathf.Clamp(seconds, 0f, LongestFrame));
                    }
                }
                finally
                {
                    Leave();
                }
                if (native == null) return;
                Write();
                isSolved = true;
                NoteAbove();
                KeepOutcomes();
                problems.Clear();
            }
            catch (Exception e)
            {
                Fail(e);
            }
            ReleaseTies();
        }

        // One that is culled keeps its last pose; one that is tied to a body that is seen goes on.
        private bool MustRest()
        {
            if (IsScaledAway) Read(); // which shows it as animated
            return IsScaledAway || (!isTiedToSeen && IsCulled());
        }

        /// <summary>Whether an effect has scaled it to nothing.</summary>
        internal bool IsScaledAway
        {
            get { return IsFlat(transform.lossyScale); }
        }

        /// <summary>Whether nobody sees it and its Animator is not evaluated then.</summary>
        internal bool IsCulled()
        {
            return visibility.IsCulled(animator, this);
        }

        /// <summary>A tie needs it in this frame, whether it is seen or not.</summary>
        internal void NeedForTie()
        {
            isTiedToSeen = true;
        }

        // A frame without a solve. The first one after it begins anew, as after a cut.
        private void Rest()
        {
            isResting = true;
            ForgetOutcomes();
            ReleaseTies();
        }

        private void ForgetOutcomes()
        {
            lastOutcome = default(SinewBodyOutcome);
            for (int i = 0; i < owners.Count; i++) owners[i].outcome = default(SinewBodyTaskOutcome);
        }

        // The frame keeps the animation; the next one tries again.
        private void Fail(Exception e)
        {
            bool isOver = ProblemLog.IsFatal(e);
            if (isOver) Release();
            ForgetOutcomes();
            if (this == null) return;
            problems.Add(e, this, isOver ? "It stops until it is enabled again." : "The pose stays as animated until that is changed.");
        }

        // The pose as it is now, root, settings and effectors, for a solve or a meeting.
        internal void Prepare()
        {
            isSettled = true;
            if (isResting) native.Reset();
            isResting = false;
            Read();
            if (float.IsNaN(weight)) throw new SinewException(SinewResult.ErrorNotFinite, "weight is NaN");
            if (areLimitsStale) SetLimits(rig, native);
            areLimitsStale = false;
            ApplySettings();
            ApplyRoot();
            ApplyEffectors();
        }

        // The pose that Prepare has read.
        internal SinewTransform[] Pose
        {
            get { return pose; }
        }

        private void OnDrawGizmosSelected()
        {
            if (native == null || !isSolved)
            {
                DrawPreview();
                return;
            }
            SinewDebugLine[] lines = native.DebugLines();
            for (int i = 0; i < lines.Length; i++)
            {
                SinewDebugLine line = lines[i];
                Gizmos.color = SinewColors.Of((SinewDebugPart)line.part);
                Gizmos.DrawLine(*(Vector3*)&line.from, *(Vector3*)&line.to);
            }
        }

        // Before Play: the bones, the joint that carries the body, and the way from each joint to
        // its target.
        private void DrawPreview()
        {
            Transform[] all = GetComponentsInChildren<Transform>();
            for (int i = 0; i < all.Length; i++)
                if (all[i] != transform && all[i].parent != transform) SinewGizmos.Line(all[i].position, all[i].parent.position, SinewColors.Bone);
            SinewGizmos.Cross(rootJoint != null ? rootJoint.position : transform.position, SinewColors.Body);
            for (int i = 0; effectors != null && i < effectors.Count; i++)
                if (effectors[i] != null && effectors[i].joint != null) SinewGizmos.Goal(effectors[i].joint.TransformPoint(effectors[i].point), effectors[i].target);
        }
    }
}
