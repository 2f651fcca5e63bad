using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary> The whole-body solver: any number of tasks on one skeleton, met in one solve, with
    /// joint limits, priorities and a centre of mass. It belongs to no animator: poses are given to
    /// it and changed in place. One thread at a time. Adding and removing tasks and setting joint
    /// limits and couplings is for set-up: it allocates native memory. Everything else is for every
    /// frame; its text states when it allocates native memory. Managed memory is allocated only by
    /// <see cref="AddHostTask"/>, by what returns arrays, and by exceptions. </summary>
    /// <remarks>A SinewBodyTask is a name: it ends with <see cref="RemoveTask"/> or with its
    /// body.</remarks>
    public sealed unsafe partial class NativeBody : NativeObject
    {
        /// <summary>Creates a body of all joints below one, such as the hips; it has no tasks,
        /// limits and masses.</summary>
        /// <param name="skeleton">The rig; it may be disposed afterwards.</param>
        /// <param name="rootJoint">The joint that carries the body.</param>
        /// <exception cref="SinewException">There is no such joint.</exception>
        public NativeBody(NativeSkeleton skeleton, int rootJoint)
            : this(skeleton, rootJoint, DefaultSettings())
        {
        }

        /// <summary>The same with settings.</summary>
        /// <param name="skeleton">The rig; it may be disposed afterwards.</param>
        /// <param name="rootJoint">The joint that carries the body.</param>
        /// <param name="settings">From <see cref="DefaultSettings"/>.</param>
        /// <exception cref="SinewException">There is no such joint, or a number is out of
        /// range.</exception>
        public NativeBody(NativeSkeleton skeleton, int rootJoint, SinewBodySettings settings)
        {
            if (skeleton == null) throw new ArgumentNullException("skeleton");
            SinewLibrary.CheckVersion();
            SinewBodyHandle made;
            SinewLibrary.Check(NativeMethods.sinew_body_create(skeleton.Handle, (uint)rootJoint, &settings, &made));
            GC.KeepAlive(skeleton);
            Own(made.bits);
        }

        /// <summary>The handle, for jobs; good until this is disposed.</summary>
        public SinewBodyHandle Handle
        {
            get { return new SinewBodyHandle(Bits); }
        }

        /// <summary>Settings as they are by default.</summary>
        public static SinewBodySettings DefaultSettings()
        {
            SinewLibrary.CheckVersion();
            SinewBodySettings settings;
            SinewLibrary.Check(NativeMethods.sinew_body_settings_default(&settings));
            return settings;
        }

        /// <summary>A task of a kind with defaults; its documentation says which members a kind
        /// reads.</summary>
        public static SinewBodyTaskDef DefaultTask(SinewBodyTaskKind kind)
        {
            SinewLibrary.CheckVersion();
            SinewBodyTaskDef def;
            SinewLibrary.Check(NativeMethods.sinew_body_task_default(kind, &def));
            return def;
        }

        /// <summary>The settings; another mode forgets what track mode remembers. Allocates native
        /// memory when track_solver becomes another one than Adaptive.</summary>
        /// <exception cref="SinewException">A number is out of range.</exception>
        public SinewBodySettings Settings
        {
            get
            {
                SinewBodySettings settings;
                Done(NativeMethods.sinew_body_get_settings(Handle, &settings));
                return settings;
            }
            set { Done(NativeMethods.sinew_body_set_settings(Handle, &value)); }
        }

        /// <summary>Steps of work that a solve in converge mode may take; then it ends with its best
        /// pose so far. At most 8,000,000, the default.</summary>
        public uint MaxWork
        {
            get
            {
                uint steps;
                Done(NativeMethods.sinew_body_get_max_work(Handle, &steps));
                return steps;
            }
            set { Done(NativeMethods.sinew_body_set_max_work(Handle, value)); }
        }

        /// <summary>Where model space is in the world. The scale must have the same size above 0 on
        /// every axis, and may mirror.</summary>
        /// <exception cref="SinewException">The scale is uneven.</exception>
        public SinewTransform Root
        {
            get
            {
                SinewTransform root;
                Done(NativeMethods.sinew_body_get_root(Handle, &root));
                return root;
            }
            set { Done(NativeMethods.sinew_body_set_root(Handle, &value)); }
        }

        /// <summary>Sets what a joint may do. Allocates native memory.</summary>
        public void SetJointLimits(int joint, SinewJointLimitsDef limits)
        {
            Done(NativeMethods.sinew_body_set_joint_limits(Handle, (uint)joint, &limits));
        }

        /// <summary>Clears the limits of a joint. Allocates native memory.</summary>
        public void ClearJointLimits(int joint)
        {
            Done(NativeMethods.sinew_body_set_joint_limits(Handle, (uint)joint, null));
        }

        /// <summary>What a joint may do.</summary>
        public SinewJointLimitsDef JointLimits(int joint)
        {
            SinewJointLimitsDef limits;
            Done(NativeMethods.sinew_body_get_joint_limits(Handle, (uint)joint, &limits));
            return limits;
        }

        /// <summary>A coupling with defaults: no driver, ratio 1 about the Y axes.</summary>
        public static SinewJointCoupling DefaultCoupling()
        {
            SinewLibrary.CheckVersion();
            SinewJointCoupling coupling;
            SinewLibrary.Check(NativeMethods.sinew_joint_coupling_default(&coupling));
            return coupling;
        }

        /// <summary>Makes a joint's turn about an axis follow another joint's: a twist bone, a mimic
        /// joint. Limits of both hold. Allocates native memory, and track mode starts
        /// anew.</summary>
        /// <param name="joint">The joint that follows.</param>
        /// <param name="coupling">From <see cref="DefaultCoupling"/>.</param>
        /// <exception cref="SinewException">One of the joints is not below the body's root, the
        /// driver follows a joint itself, …</exception>
        public void SetJointCoupling(int joint, SinewJointCoupling coupling)
        {
            Done(NativeMethods.sinew_body_set_joint_coupling(Handle, (uint)joint, &coupling));
        }

        /// <summary>Makes a joint turn freely again. Allocates native memory, and track mode starts
        /// anew.</summary>
        public void ClearJointCoupling(int joint)
        {
            Done(NativeMethods.sinew_body_set_joint_coupling(Handle, (uint)joint, null));
        }

        /// <summary>How a joint follows another; the driver is -1 where it turns freely.</summary>
        public SinewJointCoupling JointCoupling(int joint)
        {
            SinewJointCoupling coupling;
            Done(NativeMethods.sinew_body_get_joint_coupling(Handle, (uint)joint, &coupling));
            return coupling;
        }

        /// <summary>Sets the mass of a joint and its centre in the joint's space. In a body whose
        /// tasks all are on the centre of mass, it allocates native memory, and track mode starts
        /// anew, when the mass becomes 0 or ceases to be.</summary>
        public void SetMass(int joint, float mass, SinewVec3 center)
        {
            Done(NativeMethods.sinew_body_set_mass(Handle, (uint)joint, mass, &center));
        }

        /// <summary>The mass of a joint; <paramref name="center"/> is its centre in the joint's
        /// space.</summary>
        public float Mass(int joint, out SinewVec3 center)
        {
            float mass;
            SinewVec3 at;
            Done(NativeMethods.sinew_body_get_mass(Handle, (uint)joint, &mass, &at));
            center = at;
            return mass;
        }

        /// <summary>Sets the masses of all joints to those of an average person. In a body whose
        /// tasks all are on the centre of mass, it allocates native memory, and track mode starts
        /// anew.</summary>
        /// <exception cref="SinewException">The avatar is of another skeleton.</exception>
        public void SetHumanMasses(NativeAvatar avatar)
        {
            if (avatar == null) throw new ArgumentNullException("avatar");
            Done(NativeMethods.sinew_body_set_human_masses(Handle, avatar.Handle));
            GC.KeepAlive(avatar);
        }

        /// <summary>Keeps the joints to the human ranges of an avatar; null: no ranges. Limits of
        /// single joints come before them.</summary>
        /// <exception cref="SinewException">The avatar is of another skeleton.</exception>
        public void SetHumanRanges(NativeAvatar avatar)
        {
            SinewAvatarHandle of = avatar == null ? default(SinewAvatarHandle) : avatar.Handle;
            Done(NativeMethods.sinew_body_set_human_ranges(Handle, of));
            GC.KeepAlive(avatar);
        }

        /// <summary>Adds a task. Allocates native memory, and track mode starts anew.</summary>
        /// <param name="def">From <see cref="DefaultTask"/>.</param>
        /// <exception cref="SinewException">There is no such joint, a number is out of range,
        /// …</exception>
        public SinewBodyTask AddTask(SinewBodyTaskDef def)
        {
            SinewBodyTask made;
            Done(NativeMethods.sinew_body_add_task(Handle, &def, &made));
            return made;
        }

        /// <summary>Removes a task. Allocates native memory, and track mode starts anew.</summary>
        public void RemoveTask(SinewBodyTask task)
        {
            Done(NativeMethods.sinew_body_remove_task(Handle, task));
            Release(task.bits);
        }

        /// <summary>Sets a task anew. Allocates native memory only when kind, joints, level, axes,
        /// flags or the number of corners change. Track mode starts anew when joints, level or the
        /// number of rows change.</summary>
        public void SetTask(SinewBodyTask task, SinewBodyTaskDef def)
        {
            Done(NativeMethods.sinew_body_set_task(Handle, task, &def));
        }

        /// <summary>A task as it was set.</summary>
        public SinewBodyTaskDef Task(SinewBodyTask task)
        {
            SinewBodyTaskDef def;
            Done(NativeMethods.sinew_body_get_task(Handle, task, &def));
            return def;
        }

        /// <summary>Sets the goal of a task: a point in world space.</summary>
        public void SetTaskGoal(SinewBodyTask task, SinewVec3 goal)
        {
            Done(NativeMethods.sinew_body_set_task_goal(Handle, task, &goal));
        }

        /// <summary>Sets the goal rotation of a task.</summary>
        public void SetTaskRotation(SinewBodyTask task, SinewQuat rotation)
        {
            Done(NativeMethods.sinew_body_set_task_rotation(Handle, task, &rotation));
        }

        /// <summary>Sets the blend of a task: 0 is absent, bit for bit.</summary>
        public void SetTaskBlend(SinewBodyTask task, float blend)
        {
            Done(NativeMethods.sinew_body_set_task_blend(Handle, task, blend));
        }

        /// <summary>Solves a pose in place. Allocates native memory once in a body's life: for the
        /// first pose with a scale, where the skeleton's rest pose has none.</summary>
        /// <param name="pose">Local transform of each joint.</param>
        /// <param name="seconds">Length of the frame, for track mode.</param>
        /// <exception cref="SinewException">Another number of joints, or a number that is not
        /// finite; the pose is as it was.</exception>
        public SinewBodyOutcome Solve(SinewTransform[] pose, float seconds = 0f)
        {
            if (pose == null) throw new ArgumentNullException("pose");
            fixed (SinewTransform* pointer = pose)
            {
                return Solve(pointer, pose.Length, seconds);
            }
        }

        /// <summary>Solves a pose in place, such as the pose buffer of a <see
        /// cref="NativeAnimator"/>.</summary>
        /// <param name="pose">Local transform of each joint.</param>
        /// <param name="count">Number of joints.</param>
        /// <param name="seconds">Length of the frame, for track mode.</param>
        public SinewBodyOutcome Solve(SinewTransform* pose, int count, float seconds)
        {
            SinewBodyOutcome outcome;
            Finish(NativeMethods.sinew_body_solve(Handle, pose, (uint)count, seconds, &outcome));
            return outcome;
        }

        /// <summary>A drag with defaults: the whole chain, no pins, no rotation.</summary>
        public static SinewBodyDrag DefaultDrag()
        {
            SinewLibrary.CheckVersion();
            SinewBodyDrag drag;
            SinewLibrary.Check(NativeMethods.sinew_body_drag_default(&drag));
            return drag;
        }

        /// <summary>Drags a joint of a pose to a place, in place: for editors and posing tools.
        /// Tasks do not count. Give each call the pose at which the drag began. Allocates native
        /// memory only when joint, chain length or pins are others than in the call
        /// before.</summary>
        /// <param name="pose">Local transform of each joint.</param>
        /// <param name="drag">From <see cref="DefaultDrag"/>; its pins do not count.</param>
        /// <param name="pins">Joints that stay; null: none.</param>
        /// <exception cref="SinewException">There is no such joint, another number of joints, or a
        /// number that is not finite; the pose is as it was.</exception>
        public SinewBodyOutcome Drag(SinewTransform[] pose, SinewBodyDrag drag, SinewBodyPin[] pins = null)
        {
            if (pose == null) throw new ArgumentNullException("pose");
            SinewBodyOutcome outcome;
            fixed (SinewTransform* pointer = pose)
            fixed (SinewBodyPin* held = pins)
            {
                drag.pins = held;
                drag.pin_count = pins == null ? 0 : (uint)pins.Length;
                Done(NativeMethods.sinew_body_drag(Handle, &drag, pointer, (uint)pose.Length, &outcome));
            }
            return outcome;
        }

        /// <summary>Work of this body for <see cref="SolveBatch"/>, in full detail.</summary>
        /// <param name="pose">Local transform of each joint; memory that stays where it is until
        /// the call.</param>
        /// <param name="count">Number of joints.</param>
        public SinewBodyWork Work(SinewTransform* pose, int count)
        {
            SinewBodyWork work;
            SinewLibrary.Check(NativeMethods.sinew_body_work_default(&work));
            work.body = Handle;
            work.pose = pose;
            work.joint_count = (uint)count;
            return work;
        }

        /// <summary>Solves many bodies in one call, on the threads and within the budget of a
        /// world. The bodies must not be disposed before it returns.</summary>
        /// <param name="works">From <see cref="Work"/>; no body twice.</param>
        /// <param name="seconds">Length of the frame, for track mode.</param>
        /// <param name="world">Whose threads and budget are used; null: the calling thread.</param>
        /// <exception cref="SinewException">A body is there twice, or the time is out of range:
        /// nothing was done. Or bodies could not be solved: the message has the reason of the first
        /// work that failed, with its place in the array, each work has its result code, and the
        /// others were solved.</exception>
        public static SinewBodyBatchReport SolveBatch(SinewBodyWork[] works, float seconds, NativeWorld world = null)
        {
            if (works == null) throw new ArgumentNullException("works");
            SinewLibrary.CheckVersion();
            SinewBodyBatchReport report;
            fixed (SinewBodyWork* pointer = works)
            {
                SinewWorldHandle of = world == null ? default(SinewWorldHandle) : world.Handle;
                SinewLibrary.Check(NativeMethods.sinew_body_solve_batch(pointer, (uint)works.Length, seconds, of, &report));
            }
            GC.KeepAlive(world);
            return report;
        }

        /// <summary>A tie of a task of one body with a task of another, two positions or two
        /// orientations, in the middle.</summary>
        /// <param name="first">Task of the first body.</param>
        /// <param name="second">Task of the second body.</param>
        /// <param name="firstWork">Which of the works is the first body.</param>
        /// <param name="secondWork">Which of the works is the second body.</param>
        public static SinewBodyTie Tie(SinewBodyTask first, SinewBodyTask second, int firstWork = 0, int secondWork = 1)
        {
            SinewLibrary.CheckVersion();
            SinewBodyTie tie;
            SinewLibrary.Check(NativeMethods.sinew_body_tie_default(&tie));
            tie.first_task = first;
            tie.second_task = second;
            tie.first_work = (uint)firstWork;
            tie.second_work = (uint)secondWork;
            return tie;
        }

        /// <summary>Sets the goals of tied tasks to places that both effectors can be brought to,
        /// or where they are nearest to each other. Poses stay as they are: solve the bodies
        /// next.</summary>
        /// <param name="works">From <see cref="Work"/>, with the poses that the bodies will be
        /// solved from; no body twice.</param>
        /// <param name="ties">See SinewBodyTie; each gets the gap that was left.</param>
        /// <param name="seconds">Length of the frame, for track mode.</param>
        /// <param name="maxRounds">Most rounds, 1 to 64.</param>
        /// <exception cref="SinewException">A body, task or number is refused; no goal has
        /// changed.</exception>
        public static SinewBodyMeeting Meet(SinewBodyWork[] works, SinewBodyTie[] ties, float seconds = 0f, int maxRounds = 8)
        {
            if (works == null) throw new ArgumentNullException("works");
            if (ties == null) throw new ArgumentNullException("ties");
            SinewLibrary.CheckVersion();
            SinewBodyMeeting meeting;
            fixed (SinewBodyWork* bodies = works)
            fixed (SinewBodyTie* pairs = ties)
            {
                SinewLibrary.Check(NativeMethods.sinew_body_meet(
                    bodies, (uint)works.Length, pairs, (uint)ties.Length, seconds, (uint)Math.Max(0, maxRounds), &meeting));
            }
            return meeting;
        }

        /// <summary>How the last solve ended.</summary>
        public SinewBodyOutcome Outcome
        {
            get
            {
                SinewBodyOutcome outcome;
                Done(NativeMethods.sinew_body_get_outcome(Handle, &outcome));
                return outcome;
            }
        }

        /// <summary>How a task ended in the last solve.</summary>
        public SinewBodyTaskOutcome TaskOutcome(SinewBodyTask task)
        {
            SinewBodyTaskOutcome outcome;
            Done(NativeMethods.sinew_body_get_task_outcome(Handle, task, &outcome));
            return outcome;
        }

        /// <summary>Joints that stand on a border of their limits after the last solve: those a
        /// task depends on, or with the default handle all.</summary>
        public int[] LimitedJoints(SinewBodyTask task = default(SinewBodyTask))
        {
            uint count;
            SinewResult result = NativeMethods.sinew_body_get_limited_joints(Handle, task, null, 0, &count);
            if (result != SinewResult.ErrorBufferTooSmall)
            {
                Done(result);
                return new int[0];
            }
            int[] joints = new int[count];
            fixed (int* pointer = joints)
            {
                Done(NativeMethods.sinew_body_get_limited_joints(Handle, task, (uint*)pointer, count, &count));
            }
            return joints;
        }

        /// <summary>The centre of mass in the pose of the last solve, world space.</summary>
        /// <exception cref="SinewException">No joint has a mass (ErrorNotAvailable).</exception>
        public SinewVec3 CenterOfMass
        {
            get
            {
                SinewVec3 center;
                Done(NativeMethods.sinew_body_get_center_of_mass(Handle, &center));
                return center;
            }
        }

        /// <summary>Forgets what track mode remembers: after a teleport or a cut.</summary>
        public void Reset()
        {
            Done(NativeMethods.sinew_body_reset(Handle));
        }

        /// <summary>What track mode remembers. A body with the same rig, tasks, settings and poses
        /// that restores it goes on with the same bits.</summary>
        public byte[] Snapshot()
        {
            uint size;
            SinewResult result = NativeMethods.sinew_body_snapshot(Handle, null, 0, &size);
            if (result != SinewResult.ErrorBufferTooSmall) Done(result);
            byte[] bytes = new byte[size];
            fixed (byte* pointer = bytes)
            {
                Done(NativeMethods.sinew_body_snapshot(Handle, pointer, size, &size));
            }
            return bytes;
        }

        /// <summary>Replaces what track mode remembers.</summary>
        /// <exception cref="SinewException">The bytes are no snapshot of a body with the same rig
        /// and tasks.</exception>
        public void Restore(byte[] bytes)
        {
            if (bytes == null) throw new ArgumentNullException("bytes");
            fixed (byte* pointer = bytes)
            {
                Done(NativeMethods.sinew_body_restore(Handle, pointer, (uint)bytes.Length));
            }
        }

        /// <summary>Lines that show the body as its last solve left it, world space.</summary>
        public SinewDebugLine[] DebugLines()
        {
            uint count;
            SinewResult result = NativeMethods.sinew_body_get_debug_lines(Handle, null, 0, &count);
            if (result != SinewResult.ErrorBufferTooSmall)
            {
                Done(result);
                return new SinewDebugLine[0];
            }
            SinewDebugLine[] lines = new SinewDebugLine[count];
            fixed (SinewDebugLine* pointer = lines)
            {
                Done(NativeMethods.sinew_body_get_debug_lines(Handle, pointer, count, &count));
            }
            return lines;
        }

        internal override SinewResult Destroy(ulong handle)
        {
            SinewResult result = NativeMethods.sinew_body_destroy(new SinewBodyHandle(handle));
            if (result == SinewResult.Ok) ReleaseAll();
            return result;
        }
    }
}
