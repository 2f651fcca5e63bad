using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// Carries local transforms between Unity's Transforms and the native pose buffer, and remembers which of them hold our
    /// own result.
    ///
    /// A Transform that nobody animates still holds last frame's result when the next frame begins. Solving on top of it
    /// would creep: a hand at weight 0.1 would arrive at its goal after some frames. So a value that is bit for bit what was
    /// written last time counts as "not animated since", and the value it had before our result is used again.
    /// </summary>
    internal sealed unsafe class JointMirror
    {
        private const byte OurRotation = 1;
        private const byte OurPosition = 2;

        private readonly Transform[] joints;
        private readonly SinewTransform[] source; // the animation's pose: what goes into the solver
        private readonly SinewTransform[] held; // what the Transforms hold
        private readonly byte[] ours; // which parts of `held` are our result

        internal JointMirror(Transform[] joints)
        {
            this.joints = joints;
            source = new SinewTransform[joints.Length];
            held = new SinewTransform[joints.Length];
            ours = new byte[joints.Length];
        }

        /// <summary>Whether this mirror is for exactly these joints.</summary>
        internal bool Fits(Transform[] others)
        {
            if (others.Length != joints.Length) return false;
            for (int i = 0; i < joints.Length; i++)
                if (!ReferenceEquals(joints[i], others[i])) return false;
            return true;
        }

        /// <summary>Reads the animation's pose into the buffer. False when a joint was destroyed.</summary>
        internal bool Read(SinewTransform* buffer)
        {
            fixed (SinewTransform* sources = source)
            fixed (SinewTransform* helds = held)
            {
                for (int i = 0; i < joints.Length; i++)
                {
                    Transform joint = joints[i];
                    if (joint == null) return false;
                    SinewTransform now = default(SinewTransform);
#if UNITY_2022_3_OR_NEWER
                    joint.GetLocalPositionAndRotation(out *(Vector3*)&now.position, out *(Quaternion*)&now.rotation);
#else
                    *(Vector3*)&now.position = joint.localPosition;
                    *(Quaternion*)&now.rotation = joint.localRotation;
#endif
                    *(Vector3*)&now.scale = joint.localScale;

                    byte mine = ours[i];
                    if ((mine & OurRotation) == 0 || !Same(&now.rotation, &helds[i].rotation))
                    {
                        mine &= unchecked((byte)~OurRotation);
                        sources[i].rotation = now.rotation;
                    }
                    if ((mine & OurPosition) == 0 || !Same(&now.position, &helds[i].position))
                    {
                        mine &= unchecked((byte)~OurPosition);
                        sources[i].position = now.position;
                    }
                    sources[i].scale = now.scale;
                    helds[i] = now;
                    ours[i] = mine;
                    buffer[i] = sources[i];
                }
            }
            return true;
        }

        /// <summary>Writes the solved pose to the Transforms that do not hold it already.</summary>
        internal void Write(SinewTransform* buffer)
        {
            fixed (SinewTransform* sources = source)
            fixed (SinewTransform* helds = held)
            {
                for (int i = 0; i < joints.Length; i++)
                {
                    byte mine = 0;
                    if (!Same(&buffer[i].rotation, &sources[i].rotation)) mine |= OurRotation;
                    if (!Same(&buffer[i].position, &sources[i].position)) mine |= OurPosition;
                    ours[i] = mine;
                    // Read back what was written: Unity may normalise a rotation.
                    if (!Same(&buffer[i].rotation, &helds[i].rotation))
                    {
                        joints[i].localRotation = *(Quaternion*)&buffer[i].rotation;
                        *(Quaternion*)&helds[i].rotation = joints[i].localRotation;
                    }
                    if (!Same(&buffer[i].position, &helds[i].position))
                    {
                        joints[i].localPosition = *(Vector3*)&buffer[i].position;
                        *(Vector3*)&helds[i].position = joints[i].localPosition;
                    }
                }
            }
        }

        /// <summary>Takes what the Transforms hold for the animation's pose from now on.</summary>
        internal void Adopt()
        {
            for (int i = 0; i < joints.Length; i++)
            {
                source[i] = held[i];
                ours[i] = 0;
            }
        }

        /// <summary>Puts the animation's pose, as last read, into the buffer.</summary>
        internal void ShowSource(SinewTransform* buffer)
        {
            for (int i = 0; i < joints.Length; i++) buffer[i] = source[i];
        }

        /// <summary>Puts what the Transforms hold since the last write into the buffer.</summary>
        internal void ShowResult(SinewTransform* buffer)
        {
            for (int i = 0; i < joints.Length; i++) buffer[i] = held[i];
        }

        private static bool Same(SinewVec3* a, SinewVec3* b)
        {
            int* x = (int*)a;
            int* y = (int*)b;
            return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
        }

        private static bool Same(SinewQuat* a, SinewQuat* b)
        {
            int* x = (int*)a;
            int* y = (int*)b;
            return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
        }
    }
}
