using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// One character: a pose, the goals of its hands, feet and gaze, and what the last solve left.
    /// One thread at a time; different animators may be used from different threads at once. No
    /// call here allocates managed memory, except constructors and exceptions.
    /// </summary>
    public sealed unsafe partial class NativeAnimator : NativeObject
    {
        private readonly SinewTransform* pose;

        /// <summary>Creates an animator in the skeleton's rest pose, with an identity root
        /// transform, all weights 0.</summary> <param name="skeleton">The rig; may be disposed
        /// afterwards.</param> <param name="avatar">The avatar made for this skeleton, or null for
        /// a rig that is no humanoid; may be disposed afterwards.</param> <exception
        /// cref="SinewException">The avatar belongs to another skeleton.</exception>
        public NativeAnimator(NativeSkeleton skeleton, NativeAvatar avatar = null)
        {
            if (skeleton == null) throw new ArgumentNullException("skeleton");
            SinewAnimatorDef def;
            SinewLibrary.Check(NativeMethods.sinew_animator_def_default(&def));
            def.skeleton = skeleton.Handle;
            if (avatar != null) def.avatar = avatar.Handle;
            SinewAnimatorHandle made;
            SinewLibrary.Check(NativeMethods.sinew_animator_create(&def, &made));
            Own(made.bits);
            GC.KeepAlive(skeleton);
            GC.KeepAlive(avatar);

            SinewTransform* buffer;
            uint count;
            Done(NativeMethods.sinew_animator_get_pose_buffer(Handle, &buffer, &count));
            pose = buffer;
            JointCount = (int)count;
        }

        /// <summary>Number of joints, and of transforms in <see cref="Pose"/>.</summary>
        public int JointCount { get; private set; }

        /// <summary>
        /// The pose buffer: one local transform per joint, in joint order. Write the animation
        /// there before <see cref="Solve"/>, which leaves the result there. The address stays the
        /// same; it must not be used after Dispose, nor while another thread solves this animator.
        /// </summary>
        /// <exception cref="ObjectDisposedException">The animator was disposed.</exception>
        public SinewTransform* Pose
        {
            get
            {
                ulong alive = Bits;
                return pose;
            }
        }

        internal SinewAnimatorHandle Handle
        {
            get { return new SinewAnimatorHandle(Bits); }
        }

        /// <summary>Copies a pose in. Refused as a whole when one number is bad.</summary>
        /// <param name="locals">Local transforms in joint order, <see cref="JointCount"/> of
        /// them.</param>
        public void SetPose(SinewTransform[] locals)
        {
            if (locals == null) throw new ArgumentNullException("locals");
            SinewResult result;
            fixed (SinewTransform* pointer = locals)
            {
                result = NativeMethods.sinew_animator_set_pose(Handle, pointer, (uint)locals.Length);
            }
            Done(result);
        }

        /// <summary>Computes the frames of all joints in model space from the pose (forward
        /// kinematics).</summary> <param name="frames">Written: one per joint, in joint order; <see
        /// cref="JointCount"/> long.</param>
        public void GetModelFrames(SinewModelFrame[] frames)
        {
            if (frames == null) throw new ArgumentNullException("frames");
            SinewResult result;
            fixed (SinewModelFrame* pointer = frames)
            {
                result = NativeMethods.sinew_animator_get_model_frames(Handle, pointer, (uint)frames.Length);
            }
            Done(result);
        }

        /// <summary>Computes the matrices of all joints in model space.</summary> <param
        /// name="layout">12 or 16 numbers each.</param> <param name="numbers">Written: those of
        /// <see cref="JointCount"/> matrices, in joint order.</param>
        public void GetModelMatrices(SinewMatrixLayout layout, float[] numbers)
        {
            uint count = MatrixCount(layout, numbers);
            SinewResult result;
            fixed (float* pointer = numbers)
            {
                result = NativeMethods.sinew_animator_get_model_matrices(Handle, layout, pointer, count);
            }
            Done(result);
        }

        /// <summary>Computes the matrices of all joints in world space.</summary> <param
        /// name="layout">12 or 16 numbers each.</param> <param name="numbers">Written: those of
        /// <see cref="JointCount"/> matrices, in joint order.</param>
        public void GetWorldMatrices(SinewMatrixLayout layout, float[] numbers)
        {
            uint count = MatrixCount(layout, numbers);
            SinewResult result;
            fixed (float* pointer = numbers)
            {
                result = NativeMethods.sinew_animator_get_world_matrices(Handle, layout, pointer, count);
            }
            Done(result);
        }

        private static uint MatrixCount(SinewMatrixLayout layout, float[] numbers)
        {
            if (numbers == null) throw new ArgumentNullException("numbers");
            bool isSquare = layout == SinewMatrixLayout.Columns4x4 || layout == SinewMatrixLayout.Rows4x4;
            int size = isSquare ? 16 : 12;
            if (numbers.Length % size != 0) throw new ArgumentException("not a whole number of matrices", "numbers");
            return (uint)(numbers.Length / size);
        }

        /// <summary>Steps of work that a solve may take; then it ends with its best pose so far. At
        /// most 8,000,000, the default.</summary>
        public uint MaxWork
        {
            get
            {
                uint steps;
                Done(NativeMethods.sinew_animator_get_max_work(Handle, &steps));
                return steps;
            }
            set { Done(NativeMethods.sinew_animator_set_max_work(Handle, value)); }
        }

        /// <summary>Sets or clears the flag that ends solves early. Any thread may do so at any
        /// time.</summary>
        public void SetCancelled(bool cancelled)
        {
            Done(NativeMethods.sinew_animator_set_cancelled(Handle, cancelled ? 1u : 0u));
        }

        /// <summary>Hash of pose, input and state between frames, to compare two runs of a
        /// game.</summary>
        public ulong StateHash
        {
            get
            {
                ulong hash;
                Done(NativeMethods.sinew_animator_hash(Handle, &hash));
                return hash;
            }
        }

        /// <summary>The constraints, in the order in which a solve comes to them.</summary>
        public SinewConstraint[] GetConstraints()
        {
            uint count;
            SinewResult result = NativeMethods.sinew_animator_get_constraints(Handle, null, 0, &count);
            if (result != SinewResult.ErrorBufferTooSmall) Done(result);
            SinewConstraint[] constraints = new SinewConstraint[count];
            fixed (SinewConstraint* pointer = constraints)
            {
                Done(NativeMethods.sinew_animator_get_constraints(Handle, pointer, count, &count));
            }
            return constraints;
        }

        /// <summary>
        /// Share of their iterations that chain constraints and the whole-body solver make, at
        /// least one iteration each: 0 to 1, clamped; default 1. In a world it is multiplied by the
        /// share of the level of detail. </summary>
        public float IterationScale
        {
            get
            {
                float scale;
                Done(NativeMethods.sinew_animator_get_iteration_scale(Handle, &scale));
                return scale;
            }
            set { Done(NativeMethods.sinew_animator_set_iteration_scale(Handle, value)); }
        }

        /// <summary>Copies the pose out, as the last solve (or the last write) left it.</summary>
        /// <param name="locals">Written: local transforms in joint order; <see cref="JointCount"/>
        /// long.</param>
        public void GetPose(SinewTransform[] locals)
        {
            if (locals == null) throw new ArgumentNullException("locals");
            SinewResult result;
            fixed (SinewTransform* pointer = locals)
            {
                result = NativeMethods.sinew_animator_get_pose(Handle, pointer, (uint)locals.Length);
            }
            Done(result);
        }

        /// <summary>Puts the skeleton's rest pose into the pose buffer.</summary>
        public void ResetPose()
        {
            Done(NativeMethods.sinew_animator_reset_pose(Handle));
        }

        /// <summary>
        /// The root transform: from model to world space, metres. Default: the identity. Scale may
        /// be uneven or negative, not zero.
        /// </summary>
        public SinewTransform Root
        {
            get
            {
                SinewTransform root;
                Done(NativeMethods.sinew_animator_get_root(Handle, &root));
                return root;
            }
            set
            {
                Done(NativeMethods.sinew_animator_set_root(Handle, &value));
            }
        }

        /// <summary>Sets <see cref="Root"/>. False, and nothing changes, where the library refuses
        /// it: a scale of zero along an axis, or a number that is not finite.</summary>
        public bool TrySetRoot(SinewTransform root)
        {
            SinewResult result = NativeMethods.sinew_animator_set_root(Handle, &root);
            if (result == SinewResult.ErrorInvalidArgument || result == SinewResult.ErrorNotFinite) return false;
            Done(result);
            return true;
        }

        /// <summary>
        /// Solves: reads the pose buffer, applies everything set, writes the joints that moved back
        /// to the buffer. With all weights 0 the buffer stays bit for bit as it was.
        /// </summary>
        /// <exception cref="SinewException">The pose buffer holds a number that is not finite, or
        /// no rotation; nothing changed.</exception>
        public void Solve()
        {
            Done(NativeMethods.sinew_animator_solve(Handle));
        }

        /// <summary>
        /// Solves many animators with few native calls, one after the other. One that fails does
        /// not stop the others. </summary>
        /// <param name="animators">The animators, in the order they are solved.</param>
        /// <param name="count">How many of them, from the start of the array.</param>
        /// <param name="results">Written when not null: how each ended; at least <paramref
        /// name="count"/> long.</param> <exception cref="SinewException">One could not be solved
        /// and <paramref name="results"/> is null.</exception>
        public static void SolveBatch(NativeAnimator[] animators, int count, SinewResult[] results = null)
        {
            if (animators == null) throw new ArgumentNullException("animators");
            if (count < 0 || count > animators.Length) throw new ArgumentOutOfRangeException("count");
            if (results != null && results.Length < count)
                throw new ArgumentException("results has " + results.Length + " entries, count is " + count, "results");

            const int room = 64;
            SinewAnimatorHandle* handles = stackalloc SinewAnimatorHandle[room];
            int* codes = stackalloc int[room];
            SinewResult worst = SinewResult.Ok;
            for (int first = 0; first < count; first += room)
            {
                int part = Math.Min(room, count - first);
                for (int i = 0; i < part; i++) handles[i] = animators[first + i].Handle;
                SinewResult result = NativeMethods.sinew_animator_solve_batch(handles, (uint)part, codes);
                if (worst == SinewResult.Ok) worst = result;
                for (int i = 0; i < part; i++)
                {
                    if (results != null) results[first + i] = (SinewResult)codes[i];
                    GC.KeepAlive(animators[first + i]);
                }
            }
            if (results == null) SinewLibrary.Check(worst);
        }

        /// <summary>Where a joint is in world space, computed from the pose buffer and the root
        /// transform.</summary> <param name="joint">0 to <see cref="JointCount"/> - 1.</param>
        /// <param name="position">Written: metres.</param>
        /// <param name="rotation">Written: orientation.</param>
        public void GetJointWorld(int joint, out SinewVec3 position, out SinewQuat rotation)
        {
            SinewVec3 p;
            SinewQuat r;
            Done(NativeMethods.sinew_animator_get_joint_world(Handle, (uint)joint, &p, &r));
            position = p;
            rotation = r;
        }

        /// <summary>Resets everything that lasts between frames, as if the animator had never been
        /// solved.</summary>
        public void ResetState()
        {
            Done(NativeMethods.sinew_animator_reset_state(Handle));
        }

        /// <summary>
        /// Writes everything that lasts between frames into an array. An animator of the same rig,
        /// goals, settings and pose that restores it goes on with the same bits. The bytes hold no
        /// goals, settings or pose, and nothing that a world records of the animator between
        /// solves; they are for this version of the library, on every platform.
        /// </summary>
        /// <param name="bytes">Room for the snapshot; nothing is written when it is too short. May
        /// be null.</param>
        /// <returns>Number of bytes of the snapshot. It changes only with <see cref="Settings"/>
        /// (blend times) and <see cref="BodySolver"/> (on or off).</returns>
        public int Snapshot(byte[] bytes)
        {
            uint size;
            SinewResult result;
            uint room = bytes == null ? 0 : (uint)bytes.Length;
            fixed (byte* pointer = bytes)
            {
                result = NativeMethods.sinew_animator_snapshot(Handle, pointer, room, &size);
            }
            if (result != SinewResult.ErrorBufferTooSmall) Done(result);
            return (int)size;
        }

        /// <summary>
        /// Replaces everything that lasts between frames by a snapshot. The rig must be the same as
        /// that of the animator that was saved, the same goals must have blend times above 0, and
        /// the whole-body solver must be on, in either mode, if it was on there, else off. In a
        /// world the next solve solves the animator and shows the result, whatever its level of
        /// detail but Off. </summary>
        /// <param name="bytes">From <see cref="Snapshot"/>.</param>
        /// <param name="size">Number of bytes, from the start of the array.</param>
        /// <exception cref="SinewException">The bytes are not a snapshot of such an animator;
        /// nothing changed.</exception>
        public void Restore(byte[] bytes, int size)
        {
            if (bytes == null) throw new ArgumentNullException(nameof(bytes));
            if (size < 0 || size > bytes.Length) throw new ArgumentOutOfRangeException(nameof(size));
            fixed (byte* pointer = bytes)
            {
                Done(NativeMethods.sinew_animator_restore(Handle, pointer, (uint)size));
            }
        }

        /// <summary>
        /// Returns lines to draw: bones, goals, residuals, hints, line of sight; world space, as
        /// the pose buffer and the last solve left them.
        /// </summary>
        /// <param name="lines">Room for the lines; nothing is written when there are more.</param>
        /// <returns>Number of lines there are; make the array larger when it exceeds its
        /// length.</returns>
        public int GetDebugLines(SinewDebugLine[] lines)
        {
            uint count;
            SinewResult result;
            uint room = lines == null ? 0 : (uint)lines.Length;
            fixed (SinewDebugLine* pointer = lines)
            {
                result = NativeMethods.sinew_animator_get_debug_lines(Handle, pointer, room, &count);
            }
            if (result != SinewResult.ErrorBufferTooSmall) Done(result);
            return (int)count;
        }

        /// <summary>What the last solve left at a hand or foot; inactive before the first
        /// solve.</summary>
        public Outcome GetIKOutcome(SinewIkGoal goal)
        {
            SinewOutcome outcome;
            Done(NativeMethods.sinew_animator_get_ik_outcome(Handle, goal, &outcome));
            return new Outcome(outcome);
        }

        /// <summary>What the last solve left of the look-at; inactive before the first
        /// solve.</summary>
        public Outcome GetLookAtOutcome()
        {
            SinewOutcome outcome;
            Done(NativeMethods.sinew_animator_get_look_at_outcome(Handle, &outcome));
            return new Outcome(outcome);
        }

        internal override SinewResult Destroy(ulong handle)
        {
            return NativeMethods.sinew_animator_destroy(new SinewAnimatorHandle(handle));
        }
    }
}
