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
    [ManualPage("sinew-body.md")]
    [Icon(SinewHelp.Icons + "SinewBody.png")]
    [DefaultExecutionOrder(1049)]
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
        [NonSerialized] private readonly List<SinewBody> failed = new List<SinewBody>();
        [NonSerialized] private SinewBodyWork[] works = new SinewBodyWork[0];
        [NonSerialized] private SinewBodyTie[] pairs = new SinewBodyTie[0];
        [NonSerialized] private GCHandle[] held = new GCHandle[0];
        [NonSerialized] private SinewBodyMeeting lastMeeting;
        [NonSerialized] private ProblemLog problems;

        /// <summary>How the bodies met in the last frame; inactive without ties.</summary>
        public SinewBodyMeeting meeting
        {
            get { return lastMeeting; }
        }

        private void OnEnable()
        {
            lastMeeting = default(SinewBodyMeeting);
            problems.Clear();
            for (int i = 0; ties != null && i < ties.Count; i++)
                if (ties[i] != null) ties[i].Problems.Clear();
        }

        private void OnValidate()
        {
            ListElements.Fill(ties);
        }

        private void LateUpdate()
        {
            Meet(IsUnscaled() ? Time.unscaledDeltaTime : Time.deltaTime);
        }

        // As the bodies: one of them that goes on in a pause needs a place to reach for.
        private bool IsUnscaled()
        {
            for (int i = 0; ties != null && i < ties.Count; i++)
            {
                SinewEffectorTie tie = ties[i];
                if (tie != null && (IsUnscaled(tie.first) || IsUnscaled(tie.second))) return true;
            }
            return false;
        }

        private static bool IsUnscaled(SinewBody body)
        {
            return body != null && body.isActiveAndEnabled && body.IsClockUnscaled;
        }

        /// <summary>Looks for the places, for the poses as they are now; LateUpdate does so by
        /// itself, on the clock of the bodies: in unscaled time where one of them is. The next
        /// solve of each body reaches for them.</summary>
        /// <param name="seconds">Length of the frame, for bodies in track mode; below 0 counts as
        /// 0.</param>
        public void Meet(float seconds)
        {
            lastMeeting = default(SinewBodyMeeting);
            try
            {
                Collect();
                if (of.Count == 0) return;
                Prepare();
                if (of.Count == 0) return;
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
                    for (int i = 0; i < bodies.Count; i++) bodies[i].Enter();
                    try
                    {
                        lastMeeting = NativeBody.Meet(works, pairs, Mathf.Clamp(seconds, 0f, SinewBody.LongestFrame), Mathf.Clamp(maxRounds, 1, 64));
                    }
                    finally
                    {
                        for (int i = 0; i < bodies.Count; i++) bodies[i].Leave();
                    }
                }
                finally
                {
                    for (int i = 0; i < held.Length; i++)
                        if (held[i].IsAllocated) held[i].Free();
                }
                Report();
                problems.Clear();
            }
            catch (Exception e)
            {
                // No place was found that effectors could reach for. The next frame tries again.
                ReleaseAll();
                problems.Add(e, this, "Nothing is brought together until that is changed.");
            }
        }

        // The ties that count, and their bodies. A mistake in a tie stops no other: this one does
        // nothing until it is gone.
        private void Collect()
        {
            of.Clear();
            for (int i = 0; ties != null && i < ties.Count; i++)
            {
                SinewEffectorTie tie = ties[i];
                if (tie == null) continue;
                tie.gap = tie.gapAngle = 0f;
                if (!Runs(tie.first) || !Runs(tie.second)) continue;
                string mistake = MistakeOf(tie.first, tie.firstEffector) ?? MistakeOf(tie.second, tie.secondEffector) ?? MistakeOf(tie);
                if (mistake != null)
                {
                    SinewException wrong = new SinewException(SinewResult.ErrorInvalidArgument, "tie " + i + ": " + mistake);
                    tie.Problems.Add(wrong, this, "This tie does nothing until that is changed.");
                    continue;
                }
                tie.Problems.Clear();
                if (tie.First.joint == null || tie.Second.joint == null || (tie.first.IsCulled() && tie.second.IsCulled())) continue;
                tie.first.NeedForTie();
                tie.second.NeedForTie();
                of.Add(tie);
            }
            Mark();
        }

        private void Mark()
        {
            bodies.Clear();
            for (int i = 0; i < of.Count; i++)
            {
                SinewEffectorTie tie = of[i];
                tie.First.IsTied = tie.Second.IsTied = true;
                if (TurnsToo(tie)) tie.First.TurnIsTied = tie.Second.TurnIsTied = true;
                if (!bodies.Contains(tie.first)) bodies.Add(tie.first);
                if (!bodies.Contains(tie.second)) bodies.Add(tie.second);
            }
        }

        // Prepares the bodies; once more where one cannot be solved, or the body of a tie has
        // refused its effector.
        private void Prepare()
        {
            failed.Clear();
            for (int i = 0; i < bodies.Count; i++) TryPrepare(bodies[i]);
            int count = of.Count;
            for (int i = count - 1; i >= 0; i--)
            {
                bool isFailed = failed.Contains(of[i].first) || failed.Contains(of[i].second);
                if (!isFailed && IsReady(of[i].First) && IsReady(of[i].Second)) continue;
                of[i].First.ReleaseTie();
                of[i].Second.ReleaseTie();
                of.RemoveAt(i);
            }
            if (of.Count == count) return;
            Mark();
            for (int i = 0; i < bodies.Count; i++) bodies[i].Prepare();
        }

        // What is wrong with a body its own solve says, later in the frame.
        private void TryPrepare(SinewBody body)
        {
            try
            {
                body.Prepare();
            }
            catch (Exception)
            {
                failed.Add(body);
            }
        }

        private static bool IsReady(SinewBodyEffector effector)
        {
            return !effector.IsFaulty && !effector.Task.IsNull;
        }

        private void ReleaseAll()
        {
            for (int i = 0; i < of.Count; i++)
            {
                of[i].First.ReleaseTie();
                of[i].Second.ReleaseTie();
            }
        }

        private static bool Runs(SinewBody body)
        {
            return body != null && body.isActiveAndEnabled && body.IsReady() && !body.IsScaledAway;
        }

        // Why an effector cannot meet another; null when it can.
        private static string MistakeOf(SinewBody body, int number)
        {
            bool isThere = body.effectors != null && number >= 0 && number < body.effectors.Count && body.effectors[number] != null;
            if (!isThere) return "'" + body.name + "' has no effector " + number;
            SinewBodyEffector effector = body.effectors[number];
            bool isOne = effector.kind == SinewBodyTaskKind.Position || effector.kind == SinewBodyTaskKind.Orientation;
            if (isOne && !effector.pin) return null;
            return "effector " + number + " of '" + body.name + "' is not a position or an orientation, or is a pin";
        }

        private static string MistakeOf(SinewEffectorTie tie)
        {
            if (ReferenceEquals(tie.first, tie.second)) return "both effectors are of one body: use a relative one";
            if (tie.First.kind != tie.Second.kind) return "its effectors are of two kinds";
            if (float.IsNaN(tie.share)) return "its share is NaN";
            float sum = tie.rotation.x * 0f + tie.rotation.y * 0f + tie.rotation.z * 0f;
            return sum == 0f ? null : "its rotation is not finite";
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
                SinewBodyEffector a = tie.First, b = tie.Second;
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
            SinewBodyEffector a = tie.First, b = tie.Second;
            return a.kind == SinewBodyTaskKind.Position && a.matchRotation && b.matchRotation;
        }

        private void Report()
        {
            int next = 0;
            for (int i = 0; i < of.Count; i++)
            {
                SinewEffectorTie tie = of[i];
                bool isTurn = tie.First.kind == SinewBodyTaskKind.Orientation;
                if (isTurn) tie.gapAngle = pairs[next++].gap * Mathf.Rad2Deg;
                else tie.gap = pairs[next++].gap;
                if (TurnsToo(tie)) tie.gapAngle = pairs[next++].gap * Mathf.Rad2Deg;
                if (tie.first.Native == null || tie.second.Native == null) continue; // released meanwhile
                tie.First.KeepMeeting(tie.first.Native);
                tie.Second.KeepMeeting(tie.second.Native);
            }
        }

        private static void Resize<T>(ref T[] list, int count)
        {
            if (list.Length != count) list = new T[count];
        }

        private void OnDrawGizmosSelected()
        {
            SinewGizmos.Cross(transform.position, SinewColors.Body);
            for (int i = 0; ties != null && i < ties.Count; i++)
            {
                SinewEffectorTie tie = ties[i];
                if (tie == null || tie.first == null || tie.second == null) continue;
                if (MistakeOf(tie.first, tie.firstEffector) != null || MistakeOf(tie.second, tie.secondEffector) != null) continue;
                SinewBodyEffector a = tie.First, b = tie.Second;
                if (a.joint == null || b.joint == null) continue;
                SinewGizmos.Line(a.joint.TransformPoint(a.point), b.joint.TransformPoint(b.point), SinewColors.Body);
            }
        }
    }
}
