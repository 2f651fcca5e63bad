using System;
using System.Runtime.InteropServices;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// A rig: joints with parents, rest transforms and names. Immutable. Avatars and animators made
    /// from it keep what they need, so it may be disposed right after those are made. Any thread.
    /// </summary>
    public sealed unsafe class NativeSkeleton : NativeObject
    {
        /// <summary>Creates a skeleton. Everything is copied.</summary>
        /// <param name="parents">Index of each joint's parent, lower than its own index; -1 for a
        /// root. Several roots are allowed.</param> <param name="rest">Rest transform of each joint
        /// in its parent (a root's: in model space); metres.</param> <param name="names">Names, or
        /// null when the joints have none.</param> <exception cref="ArgumentException">The arrays
        /// have different lengths.</exception> <exception cref="SinewException">A parent comes
        /// after its child, a number is not finite, …</exception>
        public NativeSkeleton(int[] parents, SinewTransform[] rest, string[] names = null)
        {
            if (parents == null) throw new ArgumentNullException("parents");
            if (rest == null) throw new ArgumentNullException("rest");
            if (rest.Length != parents.Length)
                throw new ArgumentException("rest has " + rest.Length + " entries, parents has " + parents.Length, "rest");
            if (names != null && names.Length != parents.Length)
                throw new ArgumentException("names has " + names.Length + " entries, parents has " + parents.Length, "names");
            SinewLibrary.CheckVersion();

            JointCount = parents.Length;
            IntPtr[] texts = names == null ? null : Copy(names);
            try
            {
                fixed (int* parentsPointer = parents)
                fixed (SinewTransform* restPointer = rest)
                fixed (IntPtr* textsPointer = texts)
                {
                    SinewSkeletonDef def;
                    SinewLibrary.Check(NativeMethods.sinew_skeleton_def_default(&def));
                    def.joint_count = (uint)parents.Length;
                    def.parents = parentsPointer;
                    def.rest = restPointer;
                    def.names = (byte**)textsPointer;
                    SinewSkeletonHandle made;
                    SinewLibrary.Check(NativeMethods.sinew_skeleton_create(&def, &made));
                    Own(made.bits);
                }
            }
            finally
            {
                for (int i = 0; texts != null && i < texts.Length; i++) Marshal.FreeHGlobal(texts[i]);
            }
        }

        /// <summary>Number of joints.</summary>
        public int JointCount { get; private set; }

        internal SinewSkeletonHandle Handle
        {
            get { return new SinewSkeletonHandle(Bits); }
        }

        /// <summary>Index of the first joint with exactly this name, or -1.</summary>
        public int FindJoint(string name)
        {
            if (name == null) throw new ArgumentNullException("name");
            uint joint;
            SinewResult result;
            fixed (byte* text = SinewLibrary.ToUtf8(name))
            {
                result = NativeMethods.sinew_skeleton_find_joint(Handle, text, &joint);
            }
            if (result == SinewResult.ErrorJointNotFound) return -1;
            Done(result);
            return (int)joint;
        }

        /// <summary>Index of a joint's parent, or -1 for a root.</summary>
        /// <param name="joint">0 to <see cref="JointCount"/> - 1.</param>
        public int GetParent(int joint)
        {
            int parent;
            Done(NativeMethods.sinew_skeleton_get_parent(Handle, (uint)joint, &parent));
            return parent;
        }

        /// <summary>Rest transform of a joint in its parent: metres, unit quaternion.</summary>
        /// <param name="joint">0 to <see cref="JointCount"/> - 1.</param>
        public SinewTransform GetRest(int joint)
        {
            SinewTransform rest;
            Done(NativeMethods.sinew_skeleton_get_rest(Handle, (uint)joint, &rest));
            return rest;
        }

        /// <summary>
        /// Maps the joints whose names are Unity's human names ("LeftUpperLeg", "Left Thumb
        /// Proximal"; case and spaces do not matter).
        /// </summary>
        /// <param name="found">Written: how many human bones were found.</param>
        /// <returns>A joint index for each of the 55 human bones, -1 where no joint has the
        /// name.</returns>
        public int[] MapHumanNames(out int found)
        {
            int[] joints = new int[NativeAvatar.HumanBoneCount];
            uint count;
            fixed (int* pointer = joints)
            {
                Done(NativeMethods.sinew_skeleton_map_human_names(Handle, pointer, (uint)joints.Length, &count));
            }
            found = (int)count;
            return joints;
        }

        /// <summary>
        /// Maps joints to human bones from any rig's names and shape (Mixamo, Unreal, VRM, Biped,
        /// Rigify, …; topology where names say nothing).
        /// </summary>
        /// <param name="found">Written: how many human bones were found.</param>
        /// <returns>A joint index for each of the 55 human bones, -1 where nothing fits.</returns>
        public int[] MapHumanBones(out int found)
        {
            int[] joints = new int[NativeAvatar.HumanBoneCount];
            uint count;
            fixed (int* pointer = joints)
            {
                Done(NativeMethods.sinew_skeleton_map_human_bones(Handle, pointer, (uint)joints.Length, &count));
            }
            found = (int)count;
            return joints;
        }

        /// <summary>Hints with nothing known: axes computed, right-handed model space. Unity's is
        /// left-handed.</summary>
        public static SinewMappingHints DefaultMappingHints()
        {
            SinewLibrary.CheckVersion();
            SinewMappingHints hints;
            SinewLibrary.Check(NativeMethods.sinew_mapping_hints_default(&hints));
            return hints;
        }

        /// <summary>Maps joints to human bones with what is known about the axes, and reports
        /// how.</summary> <param name="hints">From <see cref="DefaultMappingHints"/>.</param>
        /// <param name="report">Written: shape, sides, axes and counts.</param>
        /// <returns>Joint, evidence and confidence of each of the 55 human bones.</returns>
        public SinewMappedBone[] MapHumanBones(SinewMappingHints hints, out SinewMappingReport report)
        {
            SinewMappedBone[] bones = new SinewMappedBone[NativeAvatar.HumanBoneCount];
            SinewMappingReport written;
            fixed (SinewMappedBone* pointer = bones)
            {
                Done(NativeMethods.sinew_skeleton_map_with_report(Handle, &hints, pointer, (uint)bones.Length, &written));
            }
            report = written;
            return bones;
        }

        /// <summary>The name of a joint.</summary>
        public string JointName(int joint)
        {
            uint index = joint < 0 ? uint.MaxValue : (uint)joint;
            uint length;
            SinewResult result = NativeMethods.sinew_skeleton_get_joint_name(Handle, index, null, 0, &length);
            if (result != SinewResult.ErrorBufferTooSmall) Done(result);
            byte[] name = new byte[length];
            fixed (byte* pointer = name)
            {
                Done(NativeMethods.sinew_skeleton_get_joint_name(Handle, index, pointer, length, &length));
                return SinewLibrary.Utf8(pointer);
            }
        }

        /// <summary>
        /// The same mapping in words: a line per human bone with its joint, the reason and the
        /// confidence, then required bones that are missing, then doubts.
        /// </summary>
        /// <param name="hints">From <see cref="DefaultMappingHints"/>.</param>
        public string DescribeMapping(SinewMappingHints hints)
        {
            uint length;
            SinewResult result = NativeMethods.sinew_skeleton_get_mapping_text(Handle, &hints, null, 0, &length);
            if (result != SinewResult.ErrorBufferTooSmall) Done(result);
            byte[] text = new byte[length];
            fixed (byte* pointer = text)
            {
                Done(NativeMethods.sinew_skeleton_get_mapping_text(Handle, &hints, pointer, length, &length));
                return SinewLibrary.Utf8(pointer);
            }
        }

        internal override SinewResult Destroy(ulong handle)
        {
            return NativeMethods.sinew_skeleton_destroy(new SinewSkeletonHandle(handle));
        }

        private static IntPtr[] Copy(string[] names)
        {
            IntPtr[] texts = new IntPtr[names.Length];
            for (int i = 0; i < names.Length; i++)
            {
                byte[] bytes = SinewLibrary.ToUtf8(names[i]);
                texts[i] = Marshal.AllocHGlobal(bytes.Length);
                Marshal.Copy(bytes, 0, texts[i], bytes.Length);
            }
            return texts;
        }
    }
}
