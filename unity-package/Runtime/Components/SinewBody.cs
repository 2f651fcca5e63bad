using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary> The whole body: any number of effectors on the joints below this object, met in
    /// one solve, with joint limits, priorities, pins and a centre of mass. On any rig. It runs in
    /// LateUpdate, after animation and after a SinewAnimator, and takes the pose it finds as the
    /// animation. Angles of SinewJointLimits count from the pose the rig has when the component is
    /// enabled. </summary>
    [AddComponentMenu("Sinew IK/Sinew Body")]
    [HelpURL(SinewHelp.Pages + "sinew-body.md")]
    [Icon(SinewHelp.Icons + "SinewBody.png")]
    [DefaultExecutionOrder(50)]
    [DisallowMultipleComponent]
    public sealed unsafe class SinewBody : MonoBehaviour
    {
        /// <summary>The joint that carries the body, such as the hips. None: the topmost joint
        /// below this object. Takes effect at the next enabling.</summary>
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
        [Tooltip("Track mode: fastest turn of a joint, degrees per second, at least 0; 0: any. Default 0.")]
        public float maxSpeed;

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

        /// <summary>The joints and their goals.</summary>
        [Tooltip("The joints and their goals.")]
        public List<SinewBodyEffector> effectors = new List<SinewBodyEffector>();

        /// <summary>Joints that follow others: twist bones, mimic joints. Takes effect at the next
        /// enabling.</summary>
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

        [NonSerialized] private HumanRig rig;
        [NonSerialized] private NativeBody native;
        [NonSerialized] private SinewTransform[] pose;
        [NonSerialized] private SinewTransform[] source;
        [NonSerialized] private SinewTransform[] shown;
        [NonSerialized] private SinewBodySettings settings;
        [NonSerialized] private int sentWork;
        [NonSerialized] private SinewBodyOutcome lastOutcome;
        [NonSerialized] private bool isRefused;
        [NonSerialized] private bool isSolved;

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
            get { return native; }
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
            if (native != null) native.SetMass((int)JointOf(joint), mass, To(center));
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

        private void OnEnable()
        {
            isRefused = isSolved = false;
            lastOutcome = default(SinewBodyOutcome);
            try
            {
                Build();
            }
            catch (SinewException e)
            {
                Debug.LogError("SinewBody on '" + name + "': " + e.Message, this);
                Release();
            }
            catch (Exception e)
            {
                Debug.LogException(e, this);
                Release();
            }
        }

        private void OnDisable()
        {
            Release();
        }

        private void LateUpdate()
        {
            Solve(Time.deltaTime);
        }

        /// <summary>Solves the pose as it is now; LateUpdate does so by itself.</summary>
        /// <param name="seconds">Length of the frame, for track mode.</param>
        public void Solve(float seconds)
        {
            if (native == null || isRefused) return;
            try
            {
                Prepare();
                fixed (SinewTransform* pointer = pose)
                {
                    lastOutcome = native.Solve(pointer, pose.Length, seconds);
                }
                Write();
                for (int i = 0; i < effectors.Count; i++)
                {
                    effectors[i].outcome = effectors[i].Task.IsNull ? default(SinewBodyTaskOutcome) : native.TaskOutcome(effectors[i].Task);
                    effectors[i].ReleaseTie();
                }
                isSolved = true;
            }
            catch (SinewException e)
            {
                // Once, not in every frame: what is wrong stays wrong until it is changed and the
                // component is enabled again.
                isRefused = true;
                Debug.LogError("SinewBody on '" + name + "' stops: " + e.Message, this);
            }
            catch (Exception e)
            {
                isRefused = true;
                Debug.LogException(e, this);
            }
        }

        // The pose as it is now, root, settings and effectors, for a solve or a meeting.
        internal void Prepare()
        {
            ApplySettings();
            ApplyRoot();
            Read();
            for (int i = 0; i < effectors.Count; i++) Apply(effectors[i]);
        }

        // The pose that Prepare has read.
        internal SinewTransform[] Pose
        {
            get { return pose; }
        }

        private void Build()
        {
            rig = new HumanRig(transform);
            if (rig.Joints.Length == 0)
            {
                Debug.LogWarning("SinewBody on '" + name + "' has no joint below it: it does nothing.", this);
                return;
            }
            pose = new SinewTransform[rig.Joints.Length];
            source = new SinewTransform[rig.Joints.Length];
            shown = new SinewTransform[rig.Joints.Length];
            Read();
            settings = NativeBody.DefaultSettings();
            sentWork = (int)SinewConstants.SINEW_MAX_WORK;
            native = BuildNative(rig, pose, settings);
        }

        // The body of a rig with the root and the limits that the scene has; no effectors.
        internal NativeBody BuildNative(HumanRig of, SinewTransform[] rest, SinewBodySettings with)
        {
            int carrier = rootJoint == null ? 0 : (int)JointOf(of, rootJoint);
            NativeBody made = of.BuildBody(rest, GetComponent<Animator>(), carrier, with);
            try
            {
                for (int i = 0; i < of.Joints.Length; i++)
                {
                    SinewJointLimits limits = of.Joints[i].GetComponent<SinewJointLimits>();
                    if (limits != null && limits.enabled) made.SetJointLimits(i, limits.Definition());
                }
                for (int i = 0; couplings != null && i < couplings.Count; i++) couplings[i].Apply(this, of, made);
                return made;
            }
            catch
            {
                made.Dispose();
                throw;
            }
        }

        private void Release()
        {
            if (rig != null && native != null) TakeBack();
            isSolved = false;
            for (int i = 0; effectors != null && i < effectors.Count; i++)
            {
                if (effectors[i] == null) continue;
                effectors[i].Task = effectors[i].Turn = default(SinewBodyTask);
                effectors[i].AddedRows = null;
                effectors[i].outcome = default(SinewBodyTaskOutcome);
            }
            if (native != null) native.Dispose();
            if (rig != null) rig.Dispose();
            native = null;
            rig = null;
            lastOutcome = default(SinewBodyOutcome);
        }

        private uint JointOf(Transform joint)
        {
            return JointOf(rig, joint);
        }

        internal uint JointOf(HumanRig of, Transform joint)
        {
            int index = joint == null ? -1 : of.IndexOf(joint);
            if (index >= 0) return (uint)index;
            throw new SinewException(
                SinewResult.ErrorJointNotFound,
                joint == null ? "a joint is None" : "'" + joint.name + "' is no joint below '" + name + "'");
        }

        private void ApplySettings()
        {
            SinewBodySettings now = settings;
            now.mode = (int)mode;
            now.root = (int)root;
            now.feedback = feedback;
            now.goal_velocity = goalVelocity;
            now.track_converge = (int)trackConverge;
            now.track_solver = (int)trackSolver;
            now.track_step_s = longestStep;
            now.max_speed = maxSpeed * Mathf.Deg2Rad;
            now.max_acceleration = maxAcceleration * Mathf.Deg2Rad;
            details.Apply(ref now);
            bool same = true;
            fixed (SinewBodySettings* sent = &settings)
                for (int i = 0; i < sizeof(SinewBodySettings) / 4; i++) same &= ((int*)sent)[i] == ((int*)&now)[i];
            if (!same) native.Settings = now;
            settings = now;
            if (sentWork == maxWork) return;
            sentWork = maxWork;
            native.MaxWork = (uint)Mathf.Max(0, maxWork);
        }

        private void ApplyRoot()
        {
            native.Root = Placed();
        }

        // Where model space is in the world.
        internal SinewTransform Placed()
        {
            SinewTransform root;
            root.position = To(transform.position);
            root.rotation = To(transform.rotation);
            root.scale = To(transform.lossyScale);
            return root;
        }

        private void Apply(SinewBodyEffector effector)
        {
            SinewBodyTaskDef def;
            bool isWanted = Define(effector, out def);
            BodyRows rows = effector.kind == SinewBodyTaskKind.Host ? effector.rows : null;
            if (isWanted && rows != effector.AddedRows && !effector.Task.IsNull)
            {
                native.RemoveTask(effector.Task);
                effector.Task = default(SinewBodyTask);
            }
            if (isWanted) effector.AddedRows = rows;
            Set(ref effector.Task, isWanted, ref def, rows);
            bool hasRotation = effector.target != null || effector.pin || effector.TurnIsTied;
            bool turns = isWanted && effector.kind == SinewBodyTaskKind.Position && effector.matchRotation && hasRotation;
            if (turns) def.kind = (int)SinewBodyTaskKind.Orientation;
            Set(ref effector.Turn, turns, ref def, null);
        }

        // A task that is not active stays, with blend 0: adding and removing is not for every
        // frame.
        private void Set(ref SinewBodyTask task, bool isWanted, ref SinewBodyTaskDef def, BodyRows rows)
        {
            if (!isWanted)
            {
                if (!task.IsNull) native.SetTaskBlend(task, 0f);
                return;
            }
            if (task.IsNull) task = rows == null ? native.AddTask(def) : native.AddHostTask(def, rows);
            else native.SetTask(task, def);
        }

        private bool Define(SinewBodyEffector of, out SinewBodyTaskDef def)
        {
            def = NativeBody.DefaultTask(of.kind);
            bool isOfMass = of.kind == SinewBodyTaskKind.CenterOfMass || of.kind == SinewBodyTaskKind.Support;
            bool isOfHost = of.kind == SinewBodyTaskKind.Host;
            if (isOfHost && of.rows == null) return false;
            bool needsTarget = !of.pin && !of.IsTied && !isOfHost && of.kind != SinewBodyTaskKind.Support && of.kind != SinewBodyTaskKind.JointRotation
                && of.kind != SinewBodyTaskKind.RelativePosition && of.kind != SinewBodyTaskKind.RelativeOrientation
                && !(of.kind == SinewBodyTaskKind.Distance && of.other != null);
            if ((!isOfMass && of.joint == null) || (needsTarget && of.target == null)) return false;
            if (!isOfMass) def.joint = JointOf(of.joint);
            if (of.other != null) def.other = (int)JointOf(of.other);
            if (of.kind == SinewBodyTaskKind.Pole)
            {
                Transform end = of.end != null ? of.end : of.joint.childCount > 0 ? of.joint.GetChild(0) : null;
                if (end == null) return false;
                def.end = (int)JointOf(end);
            }
            if (isOfHost && of.end != null) def.end = (int)JointOf(of.end);
            def.axes = (of.x ? SinewConstants.SINEW_BODY_AXIS_X : 0) | (of.y ? SinewConstants.SINEW_BODY_AXIS_Y : 0)
                | (of.z ? SinewConstants.SINEW_BODY_AXIS_Z : 0);
            if (def.axes == 0) return false;
            def.frame = (int)of.frame;
            def.side = (int)of.side;
            def.flags = of.pin && !isOfHost ? SinewConstants.SINEW_BODY_TASK_PIN : 0;
            if (isOfHost && of.rowsAreAngles) def.flags |= SinewConstants.SINEW_BODY_TASK_RADIANS;
            def.level = (uint)of.level;
            def.point = To(of.point);
            def.other_point = To(of.otherPoint);
            def.axis = To(of.axis);
            def.distance = of.distance;
            def.blend = of.blend * weight;
            def.importance = of.importance;
            if (of.target != null)
            {
                def.goal = To(of.target.position);
                def.rotation = To(of.target.rotation);
                bool isDirection = of.kind == SinewBodyTaskKind.Axis;
                def.direction = To(of.target.rotation * (isDirection ? Vector3.forward : Vector3.up));
            }
            if (of.IsTied) of.ToMeeting(ref def);
            if (of.kind == SinewBodyTaskKind.JointRotation || of.kind == SinewBodyTaskKind.RelativeOrientation)
                def.rotation = To(Quaternion.Euler(of.rotation.x, of.rotation.y, of.rotation.z));
            return of.kind != SinewBodyTaskKind.Support || Corners(of, ref def);
        }

        private bool Corners(SinewBodyEffector of, ref SinewBodyTaskDef def)
        {
            if (of.corners == null) return false;
            int count = 0;
            fixed (SinewVec3* to = &def.corners0)
            {
                for (int i = 0; i < of.corners.Length && count < (int)SinewConstants.SINEW_BODY_MAX_CORNERS; i++)
                    if (of.corners[i] != null) to[count++] = To(of.corners[i].position);
            }
            def.corner_count = (uint)count;
            def.direction = To(of.target != null ? of.target.up : Vector3.up);
            return count > 0;
        }

        // A Transform that still is as the last solve left it was not animated: it gets back
        // the pose it had before, or answers would pile up from frame to frame. Targets and corners
        // below the joints are then where the animation has them, too.
        private void Read()
        {
            for (int i = 0; i < pose.Length; i++)
            {
                Transform joint = rig.Joints[i];
                if (joint == null) throw new SinewException(SinewResult.ErrorJointNotFound, "joint " + i + " was destroyed");
                SinewTransform now = Local(joint);
                if (!isSolved || !Same(now.position, shown[i].position)) source[i].position = now.position;
                if (!isSolved || !Same(now.rotation, shown[i].rotation)) source[i].rotation = now.rotation;
                source[i].scale = now.scale;
                shown[i] = now;
                Show(i, source[i]);
                pose[i] = source[i];
            }
        }

        private void Write()
        {
            for (int i = 0; i < pose.Length; i++) Show(i, pose[i]);
        }

        // The pose that the joints had before, where nothing else has moved them since.
        private void TakeBack()
        {
            for (int i = 0; i < pose.Length && isSolved; i++)
            {
                if (rig.Joints[i] == null) continue;
                SinewTransform now = Local(rig.Joints[i]);
                if (Same(now.position, shown[i].position) && Same(now.rotation, shown[i].rotation)) Show(i, source[i]);
            }
        }

        internal static SinewTransform Local(Transform joint)
        {
            SinewTransform now;
            now.position = To(joint.localPosition);
            now.rotation = To(joint.localRotation);
            now.scale = To(joint.localScale);
            return now;
        }

        private void Show(int i, SinewTransform now)
        {
            if (!Same(now.position, shown[i].position)) rig.Joints[i].localPosition = *(Vector3*)&now.position;
            if (!Same(now.rotation, shown[i].rotation)) rig.Joints[i].localRotation = *(Quaternion*)&now.rotation;
            // As the engine keeps it, which may round.
            shown[i].position = To(rig.Joints[i].localPosition);
            shown[i].rotation = To(rig.Joints[i].localRotation);
        }

        private static bool Same(SinewVec3 a, SinewVec3 b)
        {
            return a.x == b.x && a.y == b.y && a.z == b.z;
        }

        private static bool Same(SinewQuat a, SinewQuat b)
        {
            return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
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
            for (int i = 0; i < effectors.Count; i++)
                if (effectors[i].joint != null) SinewGizmos.Goal(effectors[i].joint.TransformPoint(effectors[i].point), effectors[i].target);
        }
    }
}
