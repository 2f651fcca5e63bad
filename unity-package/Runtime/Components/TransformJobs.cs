using System;
using System.Collections.Generic;
using Unity.Collections.LowLevel.Unsafe;
using Unity.Jobs;
using UnityEngine;
using UnityEngine.Jobs;

namespace Sinew
{
    /// <summary>
    /// Reads and writes the joints of many characters with Unity's job threads. Below a number of
    /// characters the main thread is quicker.
    /// </summary>
    internal sealed unsafe class TransformJobs : IDisposable
    {
        private struct Slot
        {
            internal JointState* Joint; // null: it is gone
            internal int Owner;
        }

        private struct GatherJob : IJobParallelForTransform
        {
            [NativeDisableUnsafePtrRestriction] internal Slot* Slots;
            [NativeDisableUnsafePtrRestriction] internal byte* IsDue;

            public void Execute(int index, TransformAccess transform)
            {
                Slot slot = Slots[index];
                if (slot.Joint == null || IsDue[slot.Owner] == 0) return;
                if (!transform.isValid)
                {
                    slot.Joint->Lost = 1;
                    return;
                }
                SinewTransform now;
                *(Vector3*)&now.position = transform.localPosition;
                *(Quaternion*)&now.rotation = transform.localRotation;
                *(Vector3*)&now.scale = transform.localScale;
                JointState.Take(slot.Joint, &now);
            }
        }

        private struct ShowFinalJob : IJobParallelForTransform
        {
            [NativeDisableUnsafePtrRestriction] internal Slot* Slots;
            [NativeDisableUnsafePtrRestriction] internal byte* IsDue;

            public void Execute(int index, TransformAccess transform)
            {
                Slot slot = Slots[index];
                if (slot.Joint != null && IsDue[slot.Owner] != 0 && transform.isValid) Put(transform, slot.Joint, &slot.Joint->Final);
            }
        }

        private struct ReadTurnedJob : IJobParallelForTransform
        {
            [NativeDisableUnsafePtrRestriction] internal Slot* Slots;
            [NativeDisableUnsafePtrRestriction] internal byte* IsDue;

            public void Execute(int index, TransformAccess transform)
            {
                Slot slot = Slots[index];
                if (slot.Joint == null || IsDue[slot.Owner] == 0) return;
                if (!transform.isValid)
                {
                    slot.Joint->Lost = 1;
                    return;
                }
                Vector3 position = transform.localPosition;
                Quaternion rotation = transform.localRotation;
                JointState.Turn(slot.Joint, (SinewVec3*)&position, (SinewQuat*)&rotation);
            }
        }

        private struct ScatterJob : IJobParallelForTransform
        {
            [NativeDisableUnsafePtrRestriction] internal Slot* Slots;
            [NativeDisableUnsafePtrRestriction] internal byte* IsDue;

            public void Execute(int index, TransformAccess transform)
            {
                Slot slot = Slots[index];
                if (slot.Joint == null || IsDue[slot.Owner] == 0 || !transform.isValid) return;
                JointState* joint = slot.Joint;
                Put(transform, joint, joint->Pose);
                JointState.Finish(joint);
            }
        }

        // Reads back what was written: Unity may normalise a rotation.
        private static void Put(TransformAccess transform, JointState* joint, SinewTransform* wanted)
        {
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

        private TransformAccessArray transforms;
        private Transform[] known = new Transform[0]; // what that holds
        private Slot[] slots = new Slot[0];
        private byte[] isDue = new byte[0];
        private bool isStale = true;
        private int builtMembers;
        private int builtVersions;

        internal bool IsWorthwhile(int characters)
        {
            return characters >= SinewRuntime.JobThreshold;
        }

        internal void Invalidate()
        {
            isStale = true;
        }

        internal void Gather(List<SinewAnimator> members, List<SinewAnimator> batch)
        {
            Build(members);
            MarkDue(members, batch, null);
            fixed (Slot* slotsPointer = slots)
            fixed (byte* due = isDue)
            {
                new GatherJob { Slots = slotsPointer, IsDue = due }.Schedule(transforms).Complete();
            }
        }

        /// <summary>What <see cref="JointMirror.ShowFinal"/> does, for those that send the
        /// callback.</summary>
        internal void ShowFinal(List<SinewAnimator> members, List<SinewAnimator> batch)
        {
            Build(members);
            for (int i = 0; i < members.Count; i++) members[i].IsDue = false;
            for (int i = 0; i < batch.Count; i++) batch[i].IsDue = batch[i].MustSend && batch[i].Mirror.HasFinal;
            if (!CopyDue(members)) return;
            fixed (Slot* slotsPointer = slots)
            fixed (byte* due = isDue)
            {
                new ShowFinalJob { Slots = slotsPointer, IsDue = due }.Schedule(transforms).Complete();
            }
        }

        /// <summary>What <see cref="JointMirror.ReadTurned"/> does, for those that sent the
        /// callback.</summary>
        internal void ReadTurned(List<SinewAnimator> members, List<SinewAnimator> batch)
        {
            Build(members);
            for (int i = 0; i < members.Count; i++) members[i].IsDue = false;
            for (int i = 0; i < batch.Count; i++) batch[i].IsDue = batch[i].MustSend;
            if (!CopyDue(members)) return;
            fixed (Slot* slotsPointer = slots)
            fixed (byte* due = isDue)
            {
                new ReadTurnedJob { Slots = slotsPointer, IsDue = due }.Schedule(transforms).Complete();
            }
        }

        private bool CopyDue(List<SinewAnimator> members)
        {
            bool isAny = false;
            for (int i = 0; i < members.Count; i++)
            {
                isDue[i] = members[i].IsDue ? (byte)1 : (byte)0;
                isAny |= members[i].IsDue;
            }
            return isAny;
        }

        internal void Scatter(List<SinewAnimator> members, List<SinewAnimator> batch, int* results)
        {
            Build(members);
            MarkDue(members, batch, results);
            fixed (Slot* slotsPointer = slots)
            fixed (byte* due = isDue)
            {
                new ScatterJob { Slots = slotsPointer, IsDue = due }.Schedule(transforms).Complete();
            }
            for (int i = 0; i < batch.Count; i++)
                if (results[batch[i].Row] == 0) batch[i].Mirror.HasWritten();
        }

        public void Dispose()
        {
            if (transforms.isCreated) transforms.Dispose();
            Array.Clear(known, 0, known.Length);
            isStale = true;
        }

        private void MarkDue(List<SinewAnimator> members, List<SinewAnimator> batch, int* results)
        {
            for (int i = 0; i < members.Count; i++) members[i].IsDue = false;
            for (int i = 0; i < batch.Count; i++) batch[i].IsDue = results == null || results[batch[i].Row] == 0;
            CopyDue(members);
        }

        // Anew when members or the joints they need changed; what stays where it was is not
        // touched, and memory is kept, so that a crowd that comes and goes makes no garbage.
        private void Build(List<SinewAnimator> members)
        {
            int versions = 0;
            for (int i = 0; i < members.Count; i++) versions += members[i].Mirror.Version;
            if (!isStale && members.Count == builtMembers && versions == builtVersions) return;
            isStale = false;
            builtMembers = members.Count;
            builtVersions = versions;
            int count = 0;
            for (int i = 0; i < members.Count; i++) count += members[i].Mirror.ActiveCount;
            if (slots.Length < count)
            {
                int room = Math.Max(256, 2 * count);
                Array.Resize(ref slots, room);
                Array.Resize(ref known, room);
            }
            if (isDue.Length < members.Count) isDue = new byte[Math.Max(16, 2 * members.Count)];
            if (!transforms.isCreated) transforms = new TransformAccessArray(slots.Length);
            int at = 0;
            for (int i = 0; i < members.Count; i++)
            {
                JointMirror mirror = members[i].Mirror;
                for (int j = 0; j < mirror.ActiveCount; j++, at++)
                {
                    Transform joint = mirror.TransformAt(j);
                    slots[at] = new Slot { Joint = mirror.StateAt(j), Owner = i };
                    if (joint == null)
                    {
                        // Unity does not say whether it takes one that is gone: another one has its
                        // place.
                        slots[at].Joint->Lost = 1;
                        slots[at].Joint = null;
                        joint = members[i].transform;
                    }
                    if (at >= transforms.length) transforms.Add(joint);
                    else if (!ReferenceEquals(known[at], joint)) transforms[at] = joint;
                    known[at] = joint;
                }
            }
            for (int last = transforms.length - 1; last >= count; last--)
            {
                transforms.RemoveAtSwapBack(last);
                known[last] = null;
            }
        }
    }
}
