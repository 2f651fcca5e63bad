using System;
using System.Collections.Generic;
using Sinew.Interop;
using Unity.Profiling;
using UnityEngine;
using UnityEngine.LowLevel;
using UnityEngine.PlayerLoop;

namespace Sinew
{
    /// <summary>
    /// Solves all characters together, at the right place of the player loop: after animation,
    /// Timeline and deferred evaluation and before any LateUpdate; those in step with physics after
    /// the animation of each fixed step.
    /// </summary>
    internal static unsafe partial class SinewRunner
    {
        /// <summary>Before animation and after it: the systems in the player loop.</summary>
        private struct SinewBeforeAnimation
        {
        }

        private struct SinewAfterAnimation
        {
        }

        internal static readonly Group Normal = new Group();
        internal static readonly Group Fixed = new Group();
        internal static readonly Group Late = new Group();

        private static readonly List<SinewAnimator> running = new List<SinewAnimator>();
        private static readonly List<SinewAnimator> changed = new List<SinewAnimator>();
        private static readonly ProfilerMarker gatherMarker = new ProfilerMarker("Sinew.Gather");
        private static readonly ProfilerMarker callbackMarker = new ProfilerMarker("Sinew.OnAnimatorIK");
        private static readonly ProfilerMarker prepareMarker = new ProfilerMarker("Sinew.Prepare");
        private static readonly ProfilerMarker solveMarker = new ProfilerMarker("Sinew.Solve");
        private static readonly ProfilerMarker scatterMarker = new ProfilerMarker("Sinew.Scatter");
        private static bool isInstalled;
        private static int normalFrame = -1;
        private static int lateFrame = -1;
        private static ProblemLog problems;

        /// <summary>Whether Unity's Animators are being evaluated: calls then come from their
        /// callbacks.</summary>
        internal static bool IsAnimating { get; private set; }

        /// <summary>Counts evaluations of Unity's Animators.</summary>
        internal static int Evaluation { get; private set; }

        internal static void Add(SinewAnimator animator)
        {
            if (running.Contains(animator)) return;
            running.Add(animator);
            if (!isInstalled) Install();
        }

        internal static void Remove(SinewAnimator animator)
        {
            running.Remove(animator);
            Leave(animator);
        }

        internal static void Leave(SinewAnimator animator)
        {
            if (animator.Group != null) animator.Group.Leave(animator);
        }

        /// <summary>Nobody holds native objects any more. Until then groups keep theirs, for those
        /// that come back.</summary>
        internal static void Dispose()
        {
            Normal.Dispose();
            Fixed.Dispose();
            Late.Dispose();
        }

        /// <summary>An evaluation by hand begins; its callbacks are a pass of their own.</summary>
        internal static void CountEvaluation()
        {
            Evaluation++;
        }

        /// <summary>
        /// The first LateUpdate of a frame solves those set to LateUpdate; and all others
        /// when another player loop has been installed, which is then mended.
        /// </summary>
        internal static void OnLateUpdate(bool isLate)
        {
            int frame = Time.frameCount;
            if (normalFrame != frame)
            {
                Install();
                AfterAnimation();
            }
            if (!isLate || lateFrame == frame) return;
            lateFrame = frame;
            Run(Late);
        }

        // The steps of one character. A mistake in one, of a script's or of this package, ends the
        // pass of this character and is logged once while it lasts; all others go on.

        private static bool TryBegin(SinewAnimator animator)
        {
            try
            {
                Inject(animator, "Begin");
                return animator.Begin();
            }
            catch (Exception e)
            {
                return Failed(animator, e);
            }
        }

        private static bool TryHasRead(SinewAnimator animator)
        {
            try
            {
                Inject(animator, "HasRead");
                return animator.HasRead();
            }
            catch (Exception e)
            {
                return Failed(animator, e);
            }
        }

        private static bool TryShowForCallback(SinewAnimator animator)
        {
            try
            {
                Inject(animator, "ShowForCallback");
                animator.ShowForCallback();
                return true;
            }
            catch (Exception e)
            {
                return Failed(animator, e);
            }
        }

        private static bool TrySendCallback(SinewAnimator animator)
        {
            try
            {
                Inject(animator, "SendCallback");
                animator.SendCallback();
                return true;
            }
            catch (Exception e)
            {
                return Failed(animator, e);
            }
        }

        private static bool TryPrepare(SinewAnimator animator, SinewTransform* root, SinewHumanoidInput* input, bool isTurnRead)
        {
            try
            {
                Inject(animator, "Prepare");
                return animator.IsStillSolving && animator.Prepare(root, input, isTurnRead);
            }
            catch (Exception e)
            {
                return Failed(animator, e);
            }
        }

        // Writes, unless jobs have done so, and ends the pass.
        private static void TryFinish(SinewAnimator animator, SinewResult result, bool isWritten)
        {
            try
            {
                Inject(animator, "Finish");
                if (result == SinewResult.Ok && !isWritten) animator.Mirror.Write();
                animator.Finish(result);
            }
            catch (Exception e)
            {
                Failed(animator, e);
                TryAbandon(animator);
            }
        }

        private static void TryAbandon(SinewAnimator animator)
        {
            try
            {
                animator.Abandon();
            }
            catch (Exception e)
            {
                Failed(animator, e);
            }
        }

        private static bool Failed(SinewAnimator animator, Exception e)
        {
            animator.Fail(e);
            return false;
        }

        /// <summary>For tests: throws where a mistake in a step would.</summary>
        internal static Action<SinewAnimator, string> Fault { get; set; }

        [System.Diagnostics.Conditional("SINEW_FAULTS")]
        internal static void Inject(SinewAnimator animator, string step)
        {
            if (Fault != null) Fault(animator, step);
        }

        /// <summary>A pass of one character, now.</summary>
        internal static void SolveAlone(SinewAnimator animator)
        {
            if (animator.IsSending)
            {
                animator.SayNested();
                return;
            }
            // In the callback of another character, while all of a group wait for their solve: this
            // one has had its pass then.
            if (animator.Group != null) animator.Group.Batch.Remove(animator);
            animator.NoticeChanges();
            if (!TryBegin(animator)) return;
            animator.Read();
            if (!TryHasRead(animator))
            {
                TryAbandon(animator);
                return;
            }
            SinewGroundRunner.RunAlone(animator);
            SinewTransform root;
            SinewHumanoidInput input;
            if (!TryShowForCallback(animator) || !TrySendCallback(animator) || !TryPrepare(animator, &root, &input, false))
            {
                TryAbandon(animator);
                return;
            }
            SinewResult result = animator.SolveNow(root, input, 1f);
            TryFinish(animator, result, false);
        }

        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        private static void ResetStatics()
        {
            isInstalled = false;
            IsAnimating = false;
            normalFrame = lateFrame = -1;
        }

        private static void BeforeAnimation()
        {
            IsAnimating = true;
            Evaluation++;
        }

        private static void AfterAnimation()
        {
            IsAnimating = false;
            normalFrame = Time.frameCount;
            Run(Normal);
        }

        // An Animator in step with physics is evaluated in two parts: states, events and root
        // motion before physics, IK and the pose after it. Physics messages come between; they are
        // no part of it.
        private static void BeforePhysics()
        {
            IsAnimating = false;
        }

        private static void AfterPhysics()
        {
            IsAnimating = true;
        }

        private static void AfterFixedAnimation()
        {
            IsAnimating = false;
            Run(Fixed);
        }

        // The steps of all characters that belong to a group; those whose group changed go over to
        // it.
        private static void Run(Group group)
        {
            Regroup(group);
            if (group.Members.Count == 0) return;
            List<SinewAnimator> batch = group.Batch;
            batch.Clear();
            using (gatherMarker.Auto())
            {
                for (int i = 0; i < group.Members.Count; i++)
                    if (TryBegin(group.Members[i])) batch.Add(group.Members[i]);
                if (group.Jobs.IsWorthwhile(batch.Count)) group.Jobs.Gather(group.Members, batch);
                else
                    for (int i = 0; i < batch.Count; i++) batch[i].Read();
                for (int i = batch.Count - 1; i >= 0; i--)
                {
                    SinewAnimator animator = batch[i];
                    bool isReady = TryHasRead(animator);
                    if (isReady && animator.Group == null)
                    {
                        // Its rig was rebuilt, because a joint is gone.
                        isReady = TryJoin(group, animator);
                        if (isReady) batch.Add(animator);
                    }
                    if (isReady) continue;
                    TryAbandon(animator);
                    batch.Remove(animator);
                }
            }
            SinewGroundRunner.Run(batch);
            using (callbackMarker.Auto())
            {
                bool isShown = group.Jobs.IsWorthwhile(batch.Count);
                if (isShown) group.Jobs.ShowFinal(group.Members, batch);
                for (int i = batch.Count - 1; i >= 0 && !isShown; i--)
                    if (!TryShowForCallback(batch[i])) Drop(batch, batch[i]);
                // Scripts may disable or destroy any character, which takes them out of the batch.
                for (int i = 0; i < batch.Count;)
                {
                    SinewAnimator animator = batch[i];
                    bool isSent = TrySendCallback(animator);
                    if (i >= batch.Count || !ReferenceEquals(batch[i], animator)) continue;
                    if (isSent) i++;
                    else Drop(batch, animator);
                }
            }
            if (group.World == null) return;
            using (prepareMarker.Auto())
            {
                bool isTurnRead = group.Jobs.IsWorthwhile(batch.Count);
                if (isTurnRead) group.Jobs.ReadTurned(group.Members, batch);
                for (int i = batch.Count - 1; i >= 0; i--)
                {
                    SinewAnimator animator = batch[i];
                    int row = animator.Row;
                    if (!TryPrepare(animator, group.Roots + row, group.Inputs + row, isTurnRead)) Drop(batch, animator);
                }
                // The last one may have been given up, and the group with it.
                if (group.World == null) return;
                TrySetLevels(group);
            }
            if (batch.Count == 0) return;
            using (solveMarker.Auto())
            {
                group.Solve();
            }
            using (scatterMarker.Auto())
            {
                bool isWritten = group.Jobs.IsWorthwhile(batch.Count);
                if (isWritten) group.Jobs.Scatter(group.Members, batch, group.Results);
                for (int i = batch.Count - 1; i >= 0; i--)
                    TryFinish(batch[i], (SinewResult)group.Results[batch[i].Row], isWritten);
            }
            batch.Clear();
        }

        private static void Drop(List<SinewAnimator> batch, SinewAnimator animator)
        {
            TryAbandon(animator);
            batch.Remove(animator);
        }

        private static bool TryJoin(Group group, SinewAnimator animator)
        {
            try
            {
                group.Join(animator);
                return true;
            }
            catch (Exception e)
            {
                return Failed(animator, e);
            }
        }

        private static void Regroup(Group group)
        {
            changed.Clear();
            for (int i = 0; i < running.Count; i++) changed.Add(running[i]);
            for (int i = 0; i < changed.Count; i++)
            {
                SinewAnimator animator = changed[i];
                animator.NoticeChanges();
                Group wanted = animator.WantedGroup();
                if (!ReferenceEquals(animator.Group, null) && !ReferenceEquals(animator.Group, wanted)) Leave(animator);
                if (ReferenceEquals(wanted, group) && animator.Group == null && animator.CanJoin()) TryJoin(group, animator);
            }
        }

        private static void TrySetLevels(Group group)
        {
            try
            {
                SetLevels(group);
                group.TakeSettings();
                problems.Clear();
            }
            catch (Exception e)
            {
                // What the world has is good enough to go on with.
                problems.Add(e, group.Members[0], "Levels of detail, budget and threads stay as they were.");
            }
        }

        // Members that have no pass this time are left alone by the native call; the others get
        // their level of detail.
        private static void SetLevels(Group group)
        {
            for (int i = 0; i < group.Members.Count; i++) group.Members[i].IsDue = false;
            for (int i = 0; i < group.Batch.Count; i++) group.Batch[i].IsDue = true;
            for (int i = 0; i < group.Members.Count; i++)
            {
                SinewAnimator animator = group.Members[i];
                DetailLevel level = animator.IsDue ? animator.WantedLevel : DetailLevel.Off;
                float detail = animator.IsDue ? animator.WantedDetail : 0f;
                if (level == animator.SentLevel && detail.Equals(animator.SentDetail)) continue;
                animator.SentLevel = level;
                animator.SentDetail = detail;
                if (level == DetailLevel.Off) animator.IsRecorded = false;
                switch (level)
                {
                    case DetailLevel.Off: group.World.SetLodOff(animator.Native); break;
                    case DetailLevel.EveryNth: group.World.SetLodInterval(animator.Native, (int)detail); break;
                    case DetailLevel.FewerIterations: group.World.SetLodIterations(animator.Native, detail); break;
                    default: group.World.SetLodFull(animator.Native); break;
                }
            }
        }

        // Puts the systems where they belong, once; systems that others have added stay.
        private static void Install()
        {
            isInstalled = true;
            PlayerLoopSystem loop = PlayerLoop.GetCurrentPlayerLoop();
            Strip(ref loop);
            Insert(ref loop, typeof(PreLateUpdate), typeof(PreLateUpdate.DirectorUpdateAnimationBegin), 0, typeof(SinewBeforeAnimation), BeforeAnimation);
            Insert(ref loop, typeof(PreLateUpdate), typeof(PreLateUpdate.DirectorDeferredEvaluate), 1, typeof(SinewAfterAnimation), AfterAnimation);
            Insert(ref loop, typeof(FixedUpdate), typeof(FixedUpdate.DirectorFixedUpdate), 0, typeof(SinewBeforeAnimation), BeforeAnimation);
            Insert(ref loop, typeof(FixedUpdate), typeof(FixedUpdate.LegacyFixedAnimationUpdate), 1, typeof(SinewAfterAnimation), BeforePhysics);
            Insert(ref loop, typeof(FixedUpdate), typeof(FixedUpdate.DirectorFixedUpdatePostPhysics), 0, typeof(SinewBeforeAnimation), AfterPhysics);
            Insert(ref loop, typeof(FixedUpdate), typeof(FixedUpdate.DirectorFixedUpdatePostPhysics), 1, typeof(SinewAfterAnimation), AfterFixedAnimation);
            PlayerLoop.SetPlayerLoop(loop);
        }

        private static void Strip(ref PlayerLoopSystem system)
        {
            PlayerLoopSystem[] below = system.subSystemList;
            if (below == null) return;
            List<PlayerLoopSystem> left = new List<PlayerLoopSystem>();
            for (int i = 0; i < below.Length; i++)
            {
                if (below[i].type == typeof(SinewBeforeAnimation) || below[i].type == typeof(SinewAfterAnimation)) continue;
                PlayerLoopSystem kept = below[i];
                Strip(ref kept);
                left.Add(kept);
            }
            system.subSystemList = left.ToArray();
        }

        private static void Insert(
            ref PlayerLoopSystem loop, Type phase, Type neighbour, int after, Type type, PlayerLoopSystem.UpdateFunction function)
        {
            PlayerLoopSystem[] phases = loop.subSystemList;
            for (int i = 0; phases != null && i < phases.Length; i++)
            {
                if (phases[i].type != phase) continue;
                List<PlayerLoopSystem> systems = new List<PlayerLoopSystem>(phases[i].subSystemList ?? new PlayerLoopSystem[0]);
                int at = systems.FindIndex(delegate (PlayerLoopSystem s) { return s.type == neighbour; });
                at = at < 0 ? (after == 0 ? 0 : systems.Count) : at + after;
                systems.Insert(at, new PlayerLoopSystem { type = type, updateDelegate = function });
                phases[i].subSystemList = systems.ToArray();
            }
        }
    }
}
