using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary> Effectors of different bodies that meet: hands that are held, a box that two
    /// carry. In LateUpdate, before the bodies are solved, it looks for a place that both effectors
    /// of each tie can be brought to, or where they are nearest to each other; the bodies then
    /// reach for it. Bodies that are tied to each other belong into one component. </summary>
    [AddComponentMenu("Sinew IK/Sinew Body Ties")]
    [HelpURL(SinewHelp.Pages + "sinew-body.md")]
    [Icon(SinewHelp.Icons + "SinewBody.png")]
    [DefaultExecutionOrder(49)]
    public sealed unsafe class SinewBodyTies : MonoBehaviour
    {
        /// <summary>The ties, at most 16 of at most 16 bodies.</summary>
        [Tooltip("Which effectors meet: at most 16 ties of at most 16 bodies.")]
        public List<SinewEffectorTie> ties = new List<SinewEffectorTie>();

        /// <summary>Most rounds a frame; each solves every body once. One is enough where both
        /// effectors reach the place between them.</summary>
        [Range(1, 64)]
        [Tooltip("Number of rounds a frame, at most; each solves every body once. Range 1 to 64. Default 8.")]
        public int maxRounds = 8;

        [NonSerialized] private readonly List<SinewBody> bodies = new List<SinewBody>();
        [NonSerialized] private readonly List<SinewEffectorTie> of = new List<SinewEffectorTie>();
        [NonSerialized] private SinewBodyWork[] works = new SinewBodyWork[0];
        [NonSerialized] private SinewBodyTie[] pairs = new SinewBodyTie[0];
        [NonSerialized] private GCHandle[] held = new GCHandle[0];
        [NonSerialized] private SinewBodyMeeting lastMeeting;
        [NonSerialized] private bool isRefused;

        /// <summary>How the bodies met in the last frame; inactive without ties.</summary>
        public SinewBodyMeeting meeting
        {
            get { return lastMeeting; }
        }

        private void OnEnable()
        {
            isRefused = false;
            lastMeeting = default(SinewBodyMeeting);
        }

        private void LateUpdate()
        {
            Meet(Time.deltaTime);
        }

        /// <summary>Looks for the places, for the poses as they are now; LateUpdate does so by
        /// itself. The next solve of each body reaches for them.</summary>
        /// <param name="seconds">Length of the frame, for bodies in track mode.</param>
        public void Meet(float seconds)
        {
            lastMeeting = default(SinewBodyMeeting);
            if (isRefused) return;
            try
            {
                Collect();
                if (of.Count == 0) return;
                for (int i = 0; i < bodies.Count; i++) bodies[i].Prepare();
                List();
                Resize(ref works, bodies.Count);
                Resize(ref held, bodies.Count);
                try
                {
                    for (int i = 0; i < works.Length; i++)
                    {
                        SinewTransform[] pose = bodies[i].Pose;
                        held[i] = GCHandle.Alloc(pose, GCHandleType.Pinned);
                        works[i] = bodies[i].Native.Work((SinewTransform*)held[i].AddrOfPinnedObject(), pose.Length);
                    }
                    lastMeeting = NativeBody.Meet(works, pairs, seconds, maxRounds);
                }
                finally
                {
                    for (int i = 0; i < held.Length; i++)
                        if (held[i].IsAllocated) held[i].Free();
                }
                Report();
            }
            catch (SinewException e)
            {
                // Once, as a body does. No place was found that effectors could reach for.
                isRefused = true;
                for (int i = 0; i < of.Count; i++)
                {
                    of[i].first.effectors[of[i].firstEffector].ReleaseTie();
                    of[i].second.effectors[of[i].secondEffector].ReleaseTie();
                }
                Debug.LogError("SinewBodyTies on '" + name + "' stops: " + e.Message, this);
            }
            catch (Exception e)
            {
                isRefused = true;
                Debug.LogException(e, this);
            }
        }

        // The ties that count, and their bodies.
        private void Collect()
        {
            bodies.Clear();
            of.Clear();
            for (int i = 0; i < ties.Count; i++)
            {
                SinewEffectorTie tie = ties[i];
                tie.gap = tie.gapAngle = 0f;
                if (!Runs(tie.first) || !Runs(tie.second)) continue;
                SinewBodyEffector a = EffectorOf(tie.first, tie.firstEffector, i), b = EffectorOf(tie.second, tie.secondEffector, i);
                if (a.joint == null || b.joint == null) continue;
                if (a.kind != b.kind)
                    throw new SinewException(SinewResult.ErrorInvalidArgument, "tie " + i + " has effectors of two kinds");
                a.IsTied = b.IsTied = true;
                if (TurnsToo(tie)) a.TurnIsTied = b.TurnIsTied = true;
                of.Add(tie);
                if (!bodies.Contains(tie.first)) bodies.Add(tie.first);
                if (!bodies.Contains(tie.second)) bodies.Add(tie.second);
            }
        }

        private static bool Runs(SinewBody body)
        {
            return body != null && body.isActiveAndEnabled && body.Native != null;
        }

        private static SinewBodyEffector EffectorOf(SinewBody body, int number, int tie)
        {
            if (number < 0 || number >= body.effectors.Count)
                throw new SinewException(
                    SinewResult.ErrorOutOfRange, "tie " + tie + ": '" + body.name + "' has no effector " + number);
            SinewBodyEffector effector = body.effectors[number];
            bool isOne = effector.kind == SinewBodyTaskKind.Position || effector.kind == SinewBodyTaskKind.Orientation;
            if (isOne && !effector.pin) return effector;
            throw new SinewException(
                SinewResult.ErrorInvalidArgument,
                "tie " + tie + ": effector " + number + " of '" + body.name + "' is not a position or an orientation, or is a pin");
        }

        // The native ties: one of each, and another where rotations are tied as well.
        private void List()
        {
            int count = 0;
            for (int i = 0; i < of.Count; i++) count += TurnsToo(of[i]) ? 2 : 1;
            Resize(ref pairs, count);
            int next = 0;
            for (int i = 0; i < of.Count; i++)
            {
                SinewEffectorTie tie = of[i];
                SinewBodyEffector a = tie.first.effectors[tie.firstEffector], b = tie.second.effectors[tie.secondEffector];
                pairs[next++] = Pair(tie, a.Task, b.Task);
                if (TurnsToo(tie)) pairs[next++] = Pair(tie, a.Turn, b.Turn);
            }
        }

        private SinewBodyTie Pair(SinewEffectorTie tie, SinewBodyTask first, SinewBodyTask second)
        {
            SinewBodyTie pair = NativeBody.Tie(first, second, bodies.IndexOf(tie.first), bodies.IndexOf(tie.second));
            pair.rotation = To(Quaternion.Euler(tie.rotation.x, tie.rotation.y, tie.rotation.z));
            pair.share = Mathf.Clamp01(tie.share);
            return pair;
        }

        private static bool TurnsToo(SinewEffectorTie tie)
        {
            SinewBodyEffector a = tie.first.effectors[tie.firstEffector], b = tie.second.effectors[tie.secondEffector];
            return a.kind == SinewBodyTaskKind.Position && a.matchRotation && b.matchRotation;
        }

        private void Report()
        {
            int next = 0;
            for (int i = 0; i < of.Count; i++)
            {
                SinewEffectorTie tie = of[i];
                bool isTurn = tie.first.effectors[tie.firstEffector].kind == SinewBodyTaskKind.Orientation;
                if (isTurn) tie.gapAngle = pairs[next++].gap * Mathf.Rad2Deg;
                else tie.gap = pairs[next++].gap;
                if (TurnsToo(tie)) tie.gapAngle = pairs[next++].gap * Mathf.Rad2Deg;
                tie.first.effectors[tie.firstEffector].KeepMeeting(tie.first.Native);
                tie.second.effectors[tie.secondEffector].KeepMeeting(tie.second.Native);
            }
        }

        private static void Resize<T>(ref T[] list, int count)
        {
            if (list.Length != count) list = new T[count];
        }

        private void OnDrawGizmosSelected()
        {
            SinewGizmos.Cross(transform.position, SinewColors.Body);
            for (int i = 0; i < ties.Count; i++)
            {
                SinewEffectorTie tie = ties[i];
                if (tie.first == null || tie.second == null) continue;
                if (tie.firstEffector >= tie.first.effectors.Count || tie.secondEffector >= tie.second.effectors.Count) continue;
                SinewBodyEffector a = tie.first.effectors[tie.firstEffector], b = tie.second.effectors[tie.secondEffector];
                if (a.joint == null || b.joint == null) continue;
                SinewGizmos.Line(a.joint.TransformPoint(a.point), b.joint.TransformPoint(b.point), SinewColors.Body);
            }
        }
    }
}
