using System;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// Which joint of a skeleton is which human bone, and what was measured on its T-pose.
    /// Immutable, shared between the animators of one rig. Any thread.
    /// </summary>
    public sealed unsafe class NativeAvatar : NativeObject
    {
        /// <summary>Number of human bones: the length of tables indexed by
        /// SinewHumanBone.</summary>
        public const int HumanBoneCount = (int)SinewConstants.SINEW_HUMAN_BONE_COUNT;

        /// <summary>Creates an avatar from a table of human bones.</summary>
        /// <param name="skeleton">The rig; may be disposed afterwards.</param>
        /// <param name="humanJoints">For each of the 55 human bones its joint index, or -1. Fifteen
        /// bones are required.</param> <param name="tPose">
        /// Local transforms of every joint in the T-pose (facing forward, arms straight out to the
        /// sides, palms down); null: reconstructed from the skeleton's rest pose.
        /// </param>
        /// <param name="options">Stretch, twist, feet spacing and axes; null: the defaults.</param>
        /// <exception cref="ArgumentException">A table has the wrong length.</exception>
        /// <exception cref="SinewException">A required bone is missing (the message names every
        /// one), bones contradict each other, …</exception>
        public NativeAvatar(
            NativeSkeleton skeleton,
            int[] humanJoints,
            SinewTransform[] tPose = null,
            AvatarOptions options = null)
        {
            if (skeleton == null) throw new ArgumentNullException("skeleton");
            if (humanJoints == null) throw new ArgumentNullException("humanJoints");
            if (tPose != null && tPose.Length != skeleton.JointCount)
                throw new ArgumentException("tPose has " + tPose.Length + " entries, the skeleton " + skeleton.JointCount + " joints", "tPose");

            fixed (int* joints = humanJoints)
            fixed (SinewTransform* pose = tPose)
            fixed (SinewHumanRange* ranges = options == null ? null : options.HumanRanges)
            {
                SinewAvatarDef def;
                SinewLibrary.Check(NativeMethods.sinew_avatar_def_default(&def));
                def.skeleton = skeleton.Handle;
                def.human_joint_count = (uint)humanJoints.Length;
                def.human_joints = joints;
                def.t_pose = pose;
                if (options != null) options.CopyTo(&def);
                def.human_ranges = ranges;
                def.human_range_count = ranges == null ? 0u : (uint)options.HumanRanges.Length;
                SinewAvatarHandle made;
                SinewLibrary.Check(NativeMethods.sinew_avatar_create(&def, &made));
                Own(made.bits);
            }
            GC.KeepAlive(skeleton);
        }

        internal SinewAvatarHandle Handle
        {
            get { return new SinewAvatarHandle(Bits); }
        }

        /// <summary>Joint index of a human bone, or -1 when the avatar has no such bone.</summary>
        public int GetBoneJoint(SinewHumanBone bone)
        {
            int joint;
            Done(NativeMethods.sinew_avatar_get_bone_joint(Handle, bone, &joint));
            return joint;
        }

        /// <summary>Axes of the character in model space, as given or as derived from the rig: unit
        /// vectors.</summary>
        public void GetAxes(out SinewVec3 right, out SinewVec3 up, out SinewVec3 forward)
        {
            SinewVec3 r, u, f;
            Done(NativeMethods.sinew_avatar_get_axes(Handle, &r, &u, &f));
            right = r;
            up = u;
            forward = f;
        }

        /// <summary>Copies the T-pose out, as given or as computed: local transforms in joint
        /// order.</summary> <param name="locals">Written: as many as the skeleton has
        /// joints.</param>
        public void GetTPose(SinewTransform[] locals)
        {
            if (locals == null) throw new ArgumentNullException("locals");
            SinewResult result;
            fixed (SinewTransform* pointer = locals)
            {
                result = NativeMethods.sinew_avatar_get_t_pose(Handle, pointer, (uint)locals.Length);
            }
            Done(result);
        }

        /// <summary>Range of a bone in this avatar, radians, counted from the T-pose: its own, else
        /// people's.</summary> <exception cref="SinewException">The avatar has no such
        /// bone.</exception>
        public SinewHumanRange GetHumanRange(SinewHumanBone bone)
        {
            SinewHumanRange range;
            Done(NativeMethods.sinew_avatar_get_human_range(Handle, bone, &range));
            return range;
        }

        /// <summary>Rotation of a goal's frame in its bone: goal = bone * this.</summary>
        public SinewQuat GetGoalFromBone(SinewIkGoal goal)
        {
            SinewQuat rotation;
            Done(NativeMethods.sinew_avatar_get_goal_constants(Handle, goal, &rotation, null));
            return rotation;
        }

        /// <summary>Distance from an ankle down to the sole in the T-pose, metres; 0 for
        /// hands.</summary>
        public float GetBottomHeight(SinewIkGoal goal)
        {
            float height;
            Done(NativeMethods.sinew_avatar_get_goal_constants(Handle, goal, null, &height));
            return height;
        }

        /// <summary>Height of the centre of mass above the soles in the T-pose, metres.</summary>
        public float HumanScale
        {
            get
            {
                float scale;
                Done(NativeMethods.sinew_avatar_get_human_scale(Handle, &scale));
                return scale;
            }
        }

        /// <summary>People's range of a bone, radians, counted from the T-pose; -π to π for the
        /// hips.</summary>
        public static SinewHumanRange DefaultHumanRange(SinewHumanBone bone)
        {
            SinewLibrary.CheckVersion();
            SinewHumanRange range;
            SinewLibrary.Check(NativeMethods.sinew_human_range_default(bone, &range));
            return range;
        }

        /// <summary>Human bone with a name such as "LeftUpperLeg" (case and spaces do not matter),
        /// or null.</summary>
        public static SinewHumanBone? FindHumanBone(string name)
        {
            if (name == null) throw new ArgumentNullException("name");
            SinewLibrary.CheckVersion();
            int bone;
            fixed (byte* text = SinewLibrary.ToUtf8(name))
            {
                SinewLibrary.Check(NativeMethods.sinew_human_bone_from_name(text, &bone));
            }
            return bone < 0 ? (SinewHumanBone?)null : (SinewHumanBone)bone;
        }

        internal override SinewResult Destroy(ulong handle)
        {
            return NativeMethods.sinew_avatar_destroy(new SinewAvatarHandle(handle));
        }
    }
}
