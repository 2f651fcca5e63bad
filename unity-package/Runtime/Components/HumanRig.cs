using System;
using System.Collections.Generic;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// The joints below a GameObject and what they mean: collected once at set-up, turned into
    /// native skeleton, avatar and animator.
    /// </summary>
    internal sealed unsafe class HumanRig
    {
        internal readonly Transform[] Joints;

        /// <summary>The object that the joints are below.</summary>
        internal readonly Transform Root;

        /// <summary>The Transform of each human bone, null where the rig has none; null for a rig
        /// that is no humanoid.</summary>
        internal Transform[] Bones { get; private set; }

        /// <summary>How the bones were found, or why they were not: a sentence for
        /// people.</summary>
        internal string Description { get; private set; }

        private static readonly HumanBodyBones[] required =
        {
            HumanBodyBones.Hips, HumanBodyBones.Spine, HumanBodyBones.Head,
            HumanBodyBones.LeftUpperLeg, HumanBodyBones.LeftLowerLeg, HumanBodyBones.LeftFoot,
            HumanBodyBones.RightUpperLeg, HumanBodyBones.RightLowerLeg, HumanBodyBones.RightFoot,
            HumanBodyBones.LeftUpperArm, HumanBodyBones.LeftLowerArm, HumanBodyBones.LeftHand,
            HumanBodyBones.RightUpperArm, HumanBodyBones.RightLowerArm, HumanBodyBones.RightHand,
        };

        private RigCache.Entry shared;
        private readonly int[] parents;
        private readonly string[] names;
        private readonly Dictionary<Transform, int> indices = new Dictionary<Transform, int>();

        internal HumanRig(Transform root)
        {
            List<Transform> joints = new List<Transform>();
            List<int> above = new List<int>();
            Root = root;
            Collect(root, -1, joints, above);
            Joints = joints.ToArray();
            parents = above.ToArray();
            names = new string[Joints.Length];
            for (int i = 0; i < Joints.Length; i++)
            {
                names[i] = Joints[i].name;
                indices[Joints[i]] = i;
            }
        }

        /// <summary>The native avatar, shared with other characters of the rig; null for a rig that
        /// is no humanoid.</summary>
        internal NativeAvatar NativeAvatar
        {
            get { return shared == null ? null : shared.Avatar; }
        }

        /// <summary>Index of each joint's parent, -1 for topmost ones.</summary>
        internal int[] Parents
        {
            get { return parents; }
        }

        /// <summary>Gives back what is shared with other characters of the same rig.</summary>
        internal void Dispose()
        {
            if (shared != null) RigCache.Release(shared);
            shared = null;
        }

        /// <summary>Index of a joint, or -1.</summary>
        internal int IndexOf(Transform joint)
        {
            int index;
            return indices.TryGetValue(joint, out index) ? index : -1;
        }

        /// <summary>
        /// Makes the native animator. Where the bones come from, first hit counts: the table, the
        /// Animator's avatar, Unity's human names, names and shape of any known rig. A rig that
        /// fits nothing gives an animator without avatar. </summary>
        /// <exception cref="SinewException">The table contradicts the rig, or a Transform holds
        /// numbers no rig can have.</exception>
        internal NativeAnimator Build(SinewTransform[] rest, HumanBoneEntry[] table, Animator animator, AvatarOptions options)
        {
            Share(rest, table, animator, options);
            return new NativeAnimator(shared.Skeleton, shared.Avatar);
        }

        /// <summary>Makes a native body of all joints below one; a humanoid's joints get people's
        /// masses.</summary> <exception cref="SinewException">A Transform holds numbers no rig can
        /// have.</exception>
        internal NativeBody BuildBody(SinewTransform[] rest, Animator animator, int rootJoint, SinewBodySettings settings)
        {
            Share(rest, null, animator, new AvatarOptions());
            NativeBody made = new NativeBody(shared.Skeleton, rootJoint, settings);
            if (shared.Avatar != null) made.SetHumanMasses(shared.Avatar);
            return made;
        }

        private void Share(SinewTransform[] rest, HumanBoneEntry[] table, Animator animator, AvatarOptions options)
        {
            Avatar avatar = animator != null ? animator.avatar : null;
            int[] given = table != null && table.Length > 0 ? FromTable(table) : null;
            shared = RigCache.Find(parents, rest, names, given, avatar, options);
            if (shared == null)
            {
                NativeSkeleton skeleton = new NativeSkeleton(parents, rest, names);
                NativeAvatar made = null;
                try
                {
                    made = FindAvatar(skeleton, rest, given, animator, options);
                    shared = RigCache.Add(parents, rest, names, given, avatar, options, skeleton, made, JointsOfBones(), Description);
                }
                finally
                {
                    if (shared == null) skeleton.Dispose();
                    if (shared == null && made != null) made.Dispose();
                }
            }
            else
            {
                Bones = shared.BoneJoints == null ? null : BonesAt(shared.BoneJoints);
                Description = shared.Description;
            }
        }

        private int[] JointsOfBones()
        {
            if (Bones == null) return null;
            int[] joints = NoJoints();
            for (int bone = 0; bone < joints.Length; bone++)
                if (Bones[bone] != null) joints[bone] = IndexOf(Bones[bone]);
            return joints;
        }

        private Transform[] BonesAt(int[] joints)
        {
            Transform[] bones = new Transform[joints.Length];
            for (int bone = 0; bone < joints.Length; bone++)
                if (joints[bone] >= 0) bones[bone] = Joints[joints[bone]];
            return bones;
        }

        private NativeAvatar FindAvatar(
            NativeSkeleton skeleton, SinewTransform[] rest, int[] given, Animator animator, AvatarOptions options)
        {
            if (given != null)
            {
                return Found(given, new NativeAvatar(skeleton, given, null, options), "the table");
            }

            string obstacle = "";
            if (animator != null && animator.isHuman)
            {
                int[] mapped = FromAnimator(animator);
                if (HasRequired(mapped))
                {
                    HumanDescription description = animator.avatar.humanDescription;
                    SinewTransform[] tPose = TPose(description, rest);
                    try
                    {
                        NativeAvatar made = new NativeAvatar(skeleton, mapped, tPose, From(description, options));
                        return Found(mapped, made, "the Animator's avatar");
                    }
                    catch (SinewException e)
                    {
                        obstacle = " The Animator's avatar does not fit: " + e.Message + ".";
                    }
                }
                else
                {
                    obstacle = " The Animator's avatar has bones that are no Transforms below this object (is \"Optimize Game Objects\" on?).";
                }
            }

            int count;
            int[] joints = skeleton.MapHumanNames(out count);
            string why = null;
            NativeAvatar avatar = Try(skeleton, joints, options, ref why);
            if (avatar != null) return Found(joints, avatar, "Unity's human names", obstacle);
            joints = MapByShape(skeleton, out count);
            avatar = Try(skeleton, joints, options, ref why);
            if (avatar != null) return Found(joints, avatar, "names and shape of the rig", obstacle);

            Bones = null;
            Description = "Not a humanoid: no table, no human avatar, and names and shape of the " + Joints.Length
                + " joints show only " + count + " human bones; missing: " + MissingOf(joints, why) + "." + obstacle + Elsewhere(animator);
            return null;
        }

        // A mistake that is often made: the Animator is on an object above or below.
        private string Elsewhere(Animator animator)
        {
            if (animator != null) return "";
            Animator other;
            for (int i = 0; i < Joints.Length; i++)
                if (Joints[i].TryGetComponent(out other) && other.isHuman) return Elsewhere(Joints[i]);
            Transform root = Joints[0].parent;
            for (Transform above = root == null ? null : root.parent; above != null; above = above.parent)
                if (above.TryGetComponent(out other) && other.isHuman) return Elsewhere(above);
            return "";
        }

        private static string Elsewhere(Transform at)
        {
            return " '" + at.name + "' has an Animator with a Humanoid avatar: the component belongs there.";
        }

        // Required bones that were not found, by name.
        private static string MissingOf(int[] joints, string why)
        {
            List<string> missing = new List<string>();
            for (int i = 0; i < required.Length; i++)
                if (joints[(int)required[i]] < 0) missing.Add(required[i].ToString());
            return missing.Count == 0 ? "none, but they make no avatar (" + why + ")" : string.Join(", ", missing.ToArray());
        }

        private NativeAvatar Found(int[] joints, NativeAvatar avatar, string where, string obstacle = "")
        {
            int count = 0;
            Bones = new Transform[NativeAvatar.HumanBoneCount];
            for (int bone = 0; bone < Bones.Length; bone++)
            {
                if (joints[bone] < 0) continue;
                Bones[bone] = Joints[joints[bone]];
                count++;
            }
            Description = "Humanoid: " + count + " bones from " + where + ", " + Joints.Length + " joints." + obstacle;
            return avatar;
        }

        private static NativeAvatar Try(NativeSkeleton skeleton, int[] joints, AvatarOptions options, ref string why)
        {
            if (!HasRequired(joints)) return null;
            try
            {
                return new NativeAvatar(skeleton, joints, null, options);
            }
            catch (SinewException e)
            {
                why = e.Message;
                return null;
            }
        }

        private int[] FromTable(HumanBoneEntry[] table)
        {
            int[] joints = NoJoints();
            for (int i = 0; i < table.Length; i++)
            {
                int bone = (int)table[i].bone;
                if (table[i].transform == null) continue;
                int joint;
                if (bone < 0 || bone >= joints.Length)
                    throw new SinewException(SinewResult.ErrorInvalidEnum, "humanBones[" + i + "].bone is " + bone + ", not 0 to 54");
                if (!indices.TryGetValue(table[i].transform, out joint))
                    throw new SinewException(
                        SinewResult.ErrorJointNotFound,
                        "humanBones[" + i + "] (" + table[i].bone + "): '" + table[i].transform.name + "' is not below the SinewAnimator");
                joints[bone] = joint;
            }
            return joints;
        }

        private int[] FromAnimator(Animator animator)
        {
            int[] joints = NoJoints();
            for (int bone = 0; bone < joints.Length; bone++)
            {
                Transform transform = animator.GetBoneTransform((HumanBodyBones)bone);
                int joint;
                if (transform != null && indices.TryGetValue(transform, out joint)) joints[bone] = joint;
            }
            return joints;
        }

        /// <summary>
        /// How the bones of a rig without table and avatar would be found in the pose it has now,
        /// or why it is no humanoid; for the Inspector, before Play. Nothing native is left behind.
        /// </summary>
        internal static string Preview(Transform root)
        {
            string sentence;
            Map(root, out sentence);
            return sentence;
        }

        /// <summary>The bones found like that, by HumanBodyBones; null for a rig that is no
        /// humanoid.</summary>
        internal static Transform[] Map(Transform root, out string sentence)
        {
            HumanRig rig = new HumanRig(root);
            sentence = "Not a humanoid: there is no Transform below this object.";
            if (rig.Joints.Length == 0) return null;
            SinewTransform[] rest = rig.PoseNow();
            try
            {
                using (NativeSkeleton skeleton = new NativeSkeleton(rig.parents, rest, rig.names))
                using (rig.FindAvatar(skeleton, rest, null, null, new AvatarOptions()))
                {
                    sentence = rig.Description;
                    return rig.Bones;
                }
            }
            catch (Exception e)
            {
                sentence = e.Message;
                return null;
            }
        }

        /// <summary>How names and shape of a rig map to human bones, in lines for people.</summary>
        internal static string DescribeMapping(Transform root)
        {
            HumanRig rig = new HumanRig(root);
            if (rig.Joints.Length == 0) return "There is no Transform below this object.";
            using (NativeSkeleton skeleton = new NativeSkeleton(rig.parents, rig.PoseNow(), rig.names))
                return skeleton.DescribeMapping(Hints());
        }

        private SinewTransform[] PoseNow()
        {
            SinewTransform[] pose = new SinewTransform[Joints.Length];
            for (int i = 0; i < pose.Length; i++)
            {
                Vector3 position = Joints[i].localPosition, scale = Joints[i].localScale;
                Quaternion rotation = Joints[i].localRotation;
                pose[i].position = *(SinewVec3*)&position;
                pose[i].rotation = *(SinewQuat*)&rotation;
                pose[i].scale = *(SinewVec3*)&scale;
            }
            return pose;
        }

        // Unity's axes, which decide the sides of a rig whose names have none.
        private static SinewMappingHints Hints()
        {
            SinewMappingHints hints = NativeSkeleton.DefaultMappingHints();
            hints.flags = SinewConstants.SINEW_MAPPING_LEFT_HANDED;
            return hints;
        }

        private static int[] MapByShape(NativeSkeleton skeleton, out int count)
        {
            SinewMappingReport report;
            SinewMappedBone[] bones = skeleton.MapHumanBones(Hints(), out report);
            int[] joints = new int[bones.Length];
            for (int bone = 0; bone < joints.Length; bone++) joints[bone] = bones[bone].joint;
            count = (int)report.found_count;
            return joints;
        }

        // Unity's sliders end at 0 and 1; a description made by a script may hold anything.
        private static AvatarOptions From(HumanDescription description, AvatarOptions options)
        {
            return new AvatarOptions
            {
                ArmStretch = Mathf.Clamp01(description.armStretch),
                LegStretch = Mathf.Clamp01(description.legStretch),
                UpperArmTwist = Mathf.Clamp01(description.upperArmTwist),
                LowerArmTwist = Mathf.Clamp01(description.lowerArmTwist),
                UpperLegTwist = Mathf.Clamp01(description.upperLegTwist),
                LowerLegTwist = Mathf.Clamp01(description.lowerLegTwist),
                FeetSpacing = Mathf.Clamp01(description.feetSpacing),
                HumanRanges = options.HumanRanges, MuscleRanges = options.MuscleRanges,
                Up = options.Up, Forward = options.Forward,
            };
        }

        // The T-pose that Unity measured its avatar on; joints it does not name keep their rest
        // transform.
        private SinewTransform[] TPose(HumanDescription description, SinewTransform[] rest)
        {
            SkeletonBone[] known = description.skeleton;
            if (known == null || known.Length == 0) return null;
            Dictionary<string, int> byName = new Dictionary<string, int>();
            for (int i = known.Length - 1; i >= 0; i--) byName[known[i].name ?? ""] = i;

            SinewTransform[] pose = (SinewTransform[])rest.Clone();
            bool any = false;
            for (int joint = 0; joint < pose.Length; joint++)
            {
                int at;
                if (!byName.TryGetValue(names[joint], out at)) continue;
                SkeletonBone bone = known[at];
                pose[joint].position = *(SinewVec3*)&bone.position;
                pose[joint].rotation = *(SinewQuat*)&bone.rotation;
                pose[joint].scale = *(SinewVec3*)&bone.scale;
                any = true;
            }
            return any ? pose : null;
        }

        private static bool HasRequired(int[] joints)
        {
            for (int i = 0; i < required.Length; i++)
                if (joints[(int)required[i]] < 0) return false;
            return true;
        }

        private static int[] NoJoints()
        {
            int[] joints = new int[NativeAvatar.HumanBoneCount];
            for (int i = 0; i < joints.Length; i++) joints[i] = -1;
            return joints;
        }

        // Depth first, so that a parent comes before its children. A rider's bones belong to the
        // rider, not to the horse.
        private static void Collect(Transform parent, int parentIndex, List<Transform> joints, List<int> parents)
        {
            SinewAnimator rider;
            for (int i = 0; i < parent.childCount; i++)
            {
                Transform child = parent.GetChild(i);
                if (child.TryGetComponent(out rider)) continue;
                int index = joints.Count;
                joints.Add(child);
                parents.Add(parentIndex);
                Collect(child, index, joints, parents);
            }
        }
    }
}
