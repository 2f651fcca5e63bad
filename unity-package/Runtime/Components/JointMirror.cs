using System;
using System.Runtime.InteropServices;
using UnityEngine;

namespace Sinew
{
    /// <summary>What is known of one joint; in native memory so that jobs can use
    /// it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct JointState
    {
        internal const byte Rotation = 1;
        internal const byte Position = 2;

        /// <summary>The animation's local transform.</summary>
        internal SinewTransform Source;

        /// <summary>What the Transform holds, as last read or written.</summary>
        internal SinewTransform Held;

        /// <summary>What the Transform held at the end of the last pass.</summary>
        internal SinewTransform Final;

        /// <summary>The joint's place in the native pose buffer.</summary>
        internal SinewTransform* Pose;

        /// <summary>Which parts of <see cref="Held"/> are the result of a pass.</summary>
        internal byte Ours;

        /// <summary>Which parts a script set inside the callback of the running pass.</summary>
        internal byte Turned;

        /// <summary>1 when the Transform was destroyed.</summary>
        internal byte Lost;

        internal static void Take(JointState* joint, SinewTransform* now)
        {
            byte mine = joint->Ours;
            if ((mine & Rotation) == 0 || !Same(&now->rotation, &joint->Held.rotation))
            {
                mine &= unchecked((byte)~Rotation);
                joint->Source.rotation = now->rotation;
            }
            if ((mine & Position) == 0 || !Same(&now->position, &joint->Held.position))
            {
                mine &= unchecked((byte)~Position);
                joint->Source.position = now->position;
            }
            joint->Source.scale = now->scale;
            joint->Held = *now;
            joint->Ours = mine;
            joint->Turned = 0;
            *joint->Pose = joint->Source;
        }

        internal static void Turn(JointState* joint, SinewVec3* position, SinewQuat* rotation)
        {
            if (!Same(rotation, &joint->Held.rotation))
            {
                joint->Turned |= Rotation;
                joint->Pose->rotation = joint->Held.rotation = *rotation;
            }
            if (!Same(position, &joint->Held.position))
            {
                joint->Turned |= Position;
                joint->Pose->position = joint->Held.position = *position;
            }
        }

        internal static void Finish(JointState* joint)
        {
            byte mine = 0;
            if (!Same(&joint->Pose->rotation, &joint->Source.rotation)) mine |= Rotation;
            if (!Same(&joint->Pose->position, &joint->Source.position)) mine |= Position;
            joint->Ours = mine;
            joint->Final = joint->Held;
            // A turn made in the callback belongs to its pass: the next callback finds the joint
            // without it.
            if ((joint->Turned & Rotation) != 0) joint->Final.rotation = joint->Source.rotation;
            if ((joint->Turned & Position) != 0) joint->Final.position = joint->Source.position;
        }

        internal static bool Same(SinewVec3* a, SinewVec3* b)
        {
            int* x = (int*)a;
            int* y = (int*)b;
            return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
        }

        internal static bool Same(SinewQuat* a, SinewQuat* b)
        {
            int* x = (int*)a;
            int* y = (int*)b;
            return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
        }
    }

    /// <summary>
    /// Carries local transforms between Unity's Transforms and the native pose buffer, and
    /// remembers which of them hold the result of a pass. Only joints that a goal, a constraint or
    /// an ancestor of these needs are read.
    ///
    /// A Transform that is not animated still holds last frame's result when the next frame begins.
    /// Solving on top of it would creep: a hand at weight 0.1 would arrive at its goal after some
    /// frames. So a value that is bit for bit what was written last time counts as "not animated
    /// since", and the value it had before the pass is used again.
    /// </summary>
    internal sealed unsafe class JointMirror
    {
        private readonly Transform[] joints;
        private readonly int[] parents;
        private readonly bool[] isActive;
        private int[] active = new int[0];
        private JointState* states;
        private bool hasFinal;

        internal JointMirror(Transform[] joints, int[] parents)
        {
            this.joints = joints;
            this.parents = parents;
            isActive = new bool[joints.Length];
            int bytes = Math.Max(1, joints.Length) * sizeof(JointState);
            states = (JointState*)Marshal.AllocHGlobal(bytes);
            for (int i = 0; i < joints.Length; i++) states[i] = default(JointState);
        }

        ~JointMirror()
        {
            if (states != null) Marshal.FreeHGlobal((IntPtr)states);
            states = null;
        }

        /// <summary>Number of joints that are read in each pass.</summary>
        internal int ActiveCount
        {
            get { return active.Length; }
        }

        /// <summary>Changes when the set of joints that are read changes.</summary>
        internal int Version { get; private set; }

        /// <summary>Whether this mirror is for exactly these joints, below the same
        /// parents.</summary>
        internal bool Fits(Transform[] others, int[] parentsOfOthers)
        {
            if (others.Length != joints.Length) return false;
            for (int i = 0; i < joints.Length; i++)
                if (!ReferenceEquals(joints[i], others[i]) || parents[i] != parentsOfOthers[i]) return false;
            return true;
        }

        /// <summary>The pose buffer that joints are carried to and from.</summary>
        internal void Bind(SinewTransform* pose)
        {
            for (int i = 0; i < joints.Length; i++) states[i].Pose = pose + i;
            for (int i = 0; i < active.Length; i++) BeginOne(active[i]);
        }

        /// <summary>The pose buffer is about to be freed: nothing is written to it any
        /// more.</summary>
        internal void Unbind()
        {
            for (int i = 0; i < joints.Length; i++) states[i].Pose = null;
        }

        /// <summary>Includes a joint and its ancestors in every pass from now on.</summary>
        internal void Need(int joint)
        {
            if (joint < 0 || isActive[joint]) return;
            int first = active.Length;
            int count = 0;
            for (int j = joint; j >= 0 && !isActive[j]; j = parents[j]) count++;
            Array.Resize(ref active, first + count);
            for (int j = joint; j >= 0 && !isActive[j]; j = parents[j])
            {
                isActive[j] = true;
                active[first + --count] = j;
                if (states[j].Pose != null) BeginOne(j);
            }
            Version++;
        }

        /// <summary>Includes every joint.</summary>
        internal void NeedAll()
        {
            for (int i = 0; i < joints.Length; i++) Need(i);
        }

        internal Transform TransformAt(int index)
        {
            return joints[active[index]];
        }

        internal JointState* StateAt(int index)
        {
            return states + active[index];
        }

        /// <summary>Reads the animation's pose into the buffer. False when a joint was
        /// destroyed.</summary>
        internal bool Read()
        {
            bool isWhole = true;
            for (int i = 0; i < active.Length; i++) isWhole &= ReadOne(active[i]);
            return isWhole;
        }

        /// <summary>Whether no joint was found destroyed by the last read.</summary>
        internal bool IsWhole()
        {
            for (int i = 0; i < active.Length; i++)
                if (states[active[i]].Lost != 0) return false;
            return true;
        }

        /// <summary>Writes the solved pose to the Transforms that do not hold it already.</summary>
        internal void Write()
        {
            for (int i = 0; i < active.Length; i++)
            {
                JointState* joint = states + active[i];
                Put(active[i], joint->Pose);
                JointState.Finish(joint);
            }
            hasFinal = true;
        }

        /// <summary>The same after jobs have written.</summary>
        internal void HasWritten()
        {
            hasFinal = true;
        }

        /// <summary>Whether there is a last pass whose result can be shown.</summary>
        internal bool HasFinal
        {
            get { return hasFinal; }
        }

        /// <summary>Lets the Transforms hold what the last pass left, as they do in Unity's own
        /// callback.</summary>
        internal void ShowFinal()
        {
            if (!hasFinal) return;
            for (int i = 0; i < active.Length; i++) Put(active[i], &states[active[i]].Final);
        }

        /// <summary>Takes what a script set in the callback into the pose of this pass.</summary>
        internal bool ReadTurned()
        {
            for (int i = 0; i < active.Length; i++)
            {
                Transform joint = joints[active[i]];
                if (joint == null) return false;
                SinewVec3 position;
                SinewQuat rotation;
                GetPlace(joint, &position, &rotation);
                JointState.Turn(states + active[i], &position, &rotation);
            }
            return true;
        }

        /// <summary>Lets the Transforms hold the pose that goes into the solver.</summary>
        internal void ShowPose()
        {
            for (int i = 0; i < active.Length; i++) Put(active[i], states[active[i]].Pose);
        }

        /// <summary>A pass was left out: what the Transforms hold is no result.</summary>
        internal void ForgetFinal()
        {
            hasFinal = false;
        }

        /// <summary>Takes what the Transforms hold for the animation's pose from now on.</summary>
        internal void Adopt()
        {
            for (int i = 0; i < active.Length; i++)
            {
                JointState* joint = states + active[i];
                joint->Source = joint->Held;
                joint->Ours = 0;
            }
        }

        /// <summary>
        /// Puts the animation's own values back into Transforms that still hold the result of the
        /// last pass, bit for bit; what others have written since stays.
        /// </summary>
        internal void PutBack()
        {
            for (int i = 0; i < active.Length; i++)
            {
                JointState* joint = states + active[i];
                Transform transform = joints[active[i]];
                SinewTransform now;
                if (joint->Ours == 0 || !Get(transform, &now)) continue;
                if ((joint->Ours & JointState.Rotation) != 0 && JointState.Same(&now.rotation, &joint->Held.rotation))
                {
                    transform.localRotation = *(Quaternion*)&joint->Source.rotation;
                    joint->Held.rotation = joint->Source.rotation;
                }
                if ((joint->Ours & JointState.Position) != 0 && JointState.Same(&now.position, &joint->Held.position))
                {
                    transform.localPosition = *(Vector3*)&joint->Source.position;
                    joint->Held.position = joint->Source.position;
                }
                joint->Ours = 0;
            }
            hasFinal = false;
        }

        /// <summary>Puts the animation's pose, as last read, into the buffer.</summary>
        internal void ShowSource()
        {
            for (int i = 0; i < active.Length; i++)
            {
                JointState* joint = states + active[i];
                *joint->Pose = joint->Source;
            }
        }

        /// <summary>Puts what the Transforms hold since the last write into the buffer.</summary>
        internal void ShowResult()
        {
            for (int i = 0; i < active.Length; i++)
            {
                JointState* joint = states + active[i];
                *joint->Pose = joint->Held;
            }
        }

        // One that takes part from now on was left as it is by the last pass: a rotation that is
        // all zero was never one.
        private void BeginOne(int index)
        {
            JointState* joint = states + index;
            // One that was destroyed a moment ago stands as the rig was measured, until it is seen.
            if (!ReadOne(index)) joint->Source = joint->Held = *joint->Pose;
            SinewQuat final = joint->Final.rotation;
            if (final.x == 0f && final.y == 0f && final.z == 0f && final.w == 0f) joint->Final = joint->Held;
        }

        private bool ReadOne(int index)
        {
            JointState* joint = states + index;
            SinewTransform now;
            if (!Get(joints[index], &now))
            {
                joint->Lost = 1;
                return false;
            }
            JointState.Take(joint, &now);
            return true;
        }

        private static bool Get(Transform joint, SinewTransform* now)
        {
            if (joint == null) return false;
            GetPlace(joint, &now->position, &now->rotation);
            *(Vector3*)&now->scale = joint.localScale;
            return true;
        }

        private static void GetPlace(Transform joint, SinewVec3* position, SinewQuat* rotation)
        {
#if UNITY_2022_3_OR_NEWER
            joint.GetLocalPositionAndRotation(out *(Vector3*)position, out *(Quaternion*)rotation);
#else
            *(Vector3*)position = joint.localPosition;
            *(Quaternion*)rotation = joint.localRotation;
#endif
        }

        private void Put(int index, SinewTransform* wanted)
        {
            JointState* joint = states + index;
            Transform transform = joints[index];
            // Read back what was written: Unity may normalise a rotation.
            if (!JointState.Same(&wanted->rotation, &joint->Held.rotation))
            {
                transform.localRotation = *(Quaternion*)&wanted->rotation;
                *(Quaternion*)&joint->Held.rotation = transform.localRotation;
            }
            if (!JointState.Same(&wanted->position, &joint->Held.position))
            {
                transform.localPosition = *(Vector3*)&wanted->position;
                *(Vector3*)&joint->Held.position = transform.localPosition;
            }
        }
    }
}
