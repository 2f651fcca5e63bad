using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew.Tests
{
    /// <summary>Native objects without any GameObject: the test figure as plain arrays.</summary>
    internal static class Natives
    {
        internal static SinewTransform Identity
        {
            get { return new SinewTransform { rotation = new SinewQuat { w = 1f }, scale = new SinewVec3 { x = 1f, y = 1f, z = 1f } }; }
        }

        internal static int[] Parents;
        internal static SinewTransform[] Rest;
        internal static string[] Names;
        internal static int[] HumanJoints;

        static Natives()
        {
            TestRig rig = new TestRig();
            int count = rig.Joints.Length;
            Parents = new int[count];
            Rest = new SinewTransform[count];
            Names = new string[count];
            HumanJoints = new int[NativeAvatar.HumanBoneCount];
            for (int i = 0; i < HumanJoints.Length; i++) HumanJoints[i] = -1;
            for (int i = 0; i < count; i++)
            {
                Parents[i] = Array.IndexOf(rig.Joints, rig.Joints[i].parent);
                Vector3 p = rig.Joints[i].localPosition;
                Rest[i] = Identity;
                Rest[i].position = new SinewVec3 { x = p.x, y = p.y, z = p.z };
                Names[i] = rig.HumanNames[i];
                HumanJoints[(int)Enum.Parse(typeof(SinewHumanBone), Names[i])] = i;
            }
            UnityEngine.Object.DestroyImmediate(rig.Root);
        }

        internal static NativeSkeleton Skeleton()
        {
            return new NativeSkeleton(Parents, Rest, Names);
        }

        internal static NativeAnimator Animator()
        {
            using (NativeSkeleton skeleton = Skeleton())
            using (NativeAvatar avatar = new NativeAvatar(skeleton, HumanJoints))
                return new NativeAnimator(skeleton, avatar);
        }

        internal static SinewVec3 Vec(float x, float y, float z)
        {
            return new SinewVec3 { x = x, y = y, z = z };
        }
    }
}
