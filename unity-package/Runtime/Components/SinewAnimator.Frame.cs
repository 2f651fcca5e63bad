using System;
using System.Collections.Generic;
using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// One pass: read, send OnAnimatorIK, solve, write. SinewRunner takes all characters through these
// steps together.
public sealed unsafe partial class SinewAnimator
{
    private bool isSending;
    private bool isNestingKnown;
    private static readonly int[] layer0 = { 0 };
    private bool isRootSent;
    private bool mustSend;
    private NativeAnimator solving;
    private double lastFixedTime = -1.0; // as a float it is too coarse after a day
    private SinewResult lastResult;
    private const int PassesBetweenShear = 64;
    private const float MaxShear = 0.005f; // across the axes, as a part of the scale along them
    [NonSerialized] private uint passes;
    [NonSerialized] private readonly List<SinewBody> solvedBodies = new List<SinewBody>();
    [NonSerialized] private bool isShearKnown;

    /// <summary>
    /// Runs a pass now: reads the Transforms, sends OnAnimatorIK, solves, and writes the
    /// Transforms. For <see cref="SolveTime.Manual"/>, for servers, and after an Animator was
    /// evaluated by hand. In OnAnimatorIK of this character, whose pass is under way, it does
    /// nothing but log one warning. Not in Unity's Animator.
    /// </summary>
    public void Solve()
    {
        SinewRunner.SolveAlone(this);
    }

    // Where the runner keeps this character.
    internal SinewRunner.Group Group;
    internal int Row;
    internal bool IsDue;
    internal DetailLevel WantedLevel;
    internal float WantedDetail;
    internal DetailLevel SentLevel;
    internal float SentDetail;
    internal bool IsRecorded; // by the world: a solve to go on with when it is put off

    internal NativeAnimator Native
    {
        get { return native; }
    }

    /// <summary>Whether this component, not Unity, sends the callback of the running
    /// pass.</summary>
    internal bool MustSend
    {
        get { return mustSend; }
    }

    /// <summary>Whether OnAnimatorIK of this character is being sent.</summary>
    internal bool IsSending
    {
        get { return isSending; }
    }

    internal void SayNested()
    {
        if (isNestingKnown) return;
        isNestingKnown = true;
        Debug.LogWarning("SinewAnimator on '" + name + "': Solve() in OnAnimatorIK does nothing, because the pass is under way: "
            + "goals that are set there count for it. Further calls are not logged.", this);
    }

    // Position, rotation and scale of the object cannot hold the shear that a turned object has
    // below one that is scaled unevenly. Looked for in the first pass and then now and then.
    private void NoticeShear(SinewTransform* root)
    {
        if (isShearKnown || passes++ % PassesBetweenShear != 0) return;
        Matrix4x4 world = transform.localToWorldMatrix;
        Quaternion back = Quaternion.Inverse(From(root->rotation));
        Vector3 x = back * world.MultiplyVector(Vector3.right);
        Vector3 y = back * world.MultiplyVector(Vector3.up);
        Vector3 z = back * world.MultiplyVector(Vector3.forward);
        float across = Mathf.Abs(x.y) + Mathf.Abs(x.z) + Mathf.Abs(y.x) + Mathf.Abs(y.z) + Mathf.Abs(z.x) + Mathf.Abs(z.y);
        if (!(across > MaxShear * (Mathf.Abs(x.x) + Mathf.Abs(y.y) + Mathf.Abs(z.z)))) return;
        isShearKnown = true;
        Debug.LogWarning("SinewAnimator on '" + name + "': an object above it is scaled unevenly and turned against it. That shears the "
            + "character, which cannot be solved: goals are missed by the shear. Scale the objects above it evenly.", this);
    }

    internal JointMirror Mirror
    {
        get { return mirror; }
    }

    /// <summary>Whether it is enabled and its native animator is there, which is not made for the
    /// answer: for components that are being disabled.</summary>
    internal bool IsBuiltHuman
    {
        get { return isRunning && native != null && bones != null; }
    }

    internal bool HasHumanInput
    {
        get { return bones != null; }
    }

    // Which group solves it; null: none.
    internal SinewRunner.Group WantedGroup()
    {
        if (solveTime == SolveTime.Manual) return null;
        if (solveTime == SolveTime.LateUpdate) return SinewRunner.Late;
        return IsSteppedWithPhysics() ? SinewRunner.Fixed : SinewRunner.Normal;
    }

    private bool IsSteppedWithPhysics()
    {
        return unityAnimator != null && (int)unityAnimator.updateMode == 1 && unityAnimator.isActiveAndEnabled;
    }

    // An Animator or avatar that came later, or was exchanged; a model after one that is gone.
    internal void NoticeChanges()
    {
        if (waitsAt >= 0 && waitsAt != transform.hierarchyCount) Rebuild();
        FindAnimator();
        Avatar avatar = unityAnimator != null ? unityAnimator.avatar : null;
        if (ReferenceEquals(avatar, builtAvatar) || (avatar == null && builtAvatar == null)) return;
        builtAvatar = avatar;
        if (humanBones == null || humanBones.Length == 0) Rebuild();
    }

    internal bool CanJoin()
    {
        return TryBuild() && (bones != null || HasConstraints || HasLegs);
    }

    /// <summary>Whether a pass is due; the first step.</summary>
    internal bool Begin()
    {
        solving = null;
        if (!TryBuild()) return false;
        isSettled = true;
        if (bones == null && !HasConstraints && !HasLegs) return false;
        if (solveTime == SolveTime.LateUpdate && IsSteppedWithPhysics())
        {
            // Between physics steps the pose is held, as Unity holds it.
            if (Time.fixedTimeAsDouble == lastFixedTime) return false;
            lastFixedTime = Time.fixedTimeAsDouble;
        }
        ChooseLevel();
        bool isCulled = IsCulled();
        if (isCulled || WantedLevel == DetailLevel.Off)
        {
            mirror.ForgetFinal();
            isSentByUnity = false; // it says nothing about the next pass
            if (isCulled && Tracked != null && bones != null) Tracked.TryTrack(true);
            return false;
        }
        AdvanceClock();
        TakeBackBodies();
        isRootSent = false;
        solving = native;
        return true;
    }

    /// <summary>A body has solved on top of the last pass.</summary>
    internal void NoteBody(SinewBody body)
    {
        solvedBodies.Remove(body);
        solvedBodies.Add(body);
    }

    // The last one first: each finds what it left.
    private void TakeBackBodies()
    {
        for (int i = solvedBodies.Count - 1; i >= 0; i--)
            if (solvedBodies[i] != null) solvedBodies[i].MakeWay();
        solvedBodies.Clear();
    }

    // What the component says, or else the scene's SinewWorld for its distance.
    private void ChooseLevel()
    {
        WantedLevel = detailLevel;
        float iterations = detailIterations;
        int interval = detailInterval;
        if (WantedLevel == DetailLevel.ByDistance)
        {
            SinewWorld world = SinewWorld.current;
            DetailBand band = world == null ? null : world.BandAt(transform.position);
            WantedLevel = band == null ? DetailLevel.Full : band.level;
            if (WantedLevel == DetailLevel.ByDistance) WantedLevel = DetailLevel.Full;
            if (band != null) iterations = band.iterations;
            if (band != null) interval = band.interval;
        }
        WantedDetail = 0f;
        if (WantedLevel == DetailLevel.FewerIterations) WantedDetail = iterations > 0.01f ? Mathf.Min(iterations, 1f) : 0.01f; // NaN is no fraction
        if (WantedLevel == DetailLevel.EveryNth) WantedDetail = Mathf.Clamp(interval, 1, 1000);
    }

    /// <summary>Reads the pose, on the main thread.</summary>
    internal void Read()
    {
        mirror.Read();
    }

    /// <summary>The pose was read: settles who sends the callback. False when the rig is
    /// gone.</summary>
    internal bool HasRead()
    {
        if (!mirror.IsWhole())
        {
            Rebuild();
            solving = native;
            if (native == null || !mirror.Read()) return false;
        }
        isResultShown = false;
        if (isPassOver) RestartPass();
        if (Tracked != null && bones != null) Tracked.TryTrack();
        if (bones != null && (isMatching || isCompleting) && SendRoot()) StepMatch();
        mustSend = bones != null && !isSentByUnity && callbacks.HasReceivers(this);
        isSentByUnity = false;
        return true;
    }

    /// <summary>The first half of sending: Transforms as Unity's own callback finds them.</summary>
    internal void ShowForCallback()
    {
        if (mustSend) mirror.ShowFinal();
    }

    /// <summary>Sends OnAnimatorIK when it is this component's turn.</summary>
    internal void SendCallback()
    {
        if (!IsStillSolving) return;
        isSending = true;
        try
        {
            if (Grounder != null) Grounder.SendEvents();
            if (!mustSend) return;
            // A script may exchange the array while it is gone through.
            int[] layers = callbackLayers ?? layer0;
            for (int i = 0; i < layers.Length && IsStillSolving; i++) callbacks.Send(this, layers[i]);
        }
        finally
        {
            isSending = false;
        }
    }

    /// <summary>Whether no script disabled, destroyed or rebuilt the component since <see
    /// cref="Begin"/>.</summary>
    internal bool IsStillSolving
    {
        get { return solving != null && ReferenceEquals(native, solving) && (isRunning || isByHand); }
    }

    /// <summary>The callback is over: takes bones that scripts turned, then everything the solve
    /// needs. False: no solve.</summary>
    internal bool Prepare(SinewTransform* root, SinewHumanoidInput* input, bool isTurnRead = false)
    {
        if (mustSend && !(isTurnRead ? mirror.IsWhole() : mirror.ReadTurned())) return false;
        *root = WorldFromModel();
        if (IsFlat(From(root->scale)))
        {
            // Scaled away: as animated until it is back.
            mirror.ShowSource();
            mirror.ShowPose();
            return false;
        }
        // Targets below joints are where the animation has them. Where the last pass left them
        // answers would pile up from frame to frame.
        if (HasConstraints) mirror.ShowPose();
        NoticeShear(root);
        SendWork();
        if (bones != null)
        {
            SendSettings();
            FillInput(root, input);
        }
        AdvanceSwitches();
        ApplyConstraints();
        return true;
    }

    /// <summary>Part of its iterations that its level of detail leaves.</summary>
    internal float IterationsOfLevel
    {
        get { return SentLevel == DetailLevel.FewerIterations ? SentDetail : 1f; }
    }

    /// <summary>The solve by itself, in place of the world's; nothing is thrown.</summary>
    internal SinewResult SolveNow(SinewTransform root, SinewHumanoidInput input, float iterations)
    {
        try
        {
            native.Root = root;
            if (HasHumanInput) native.Input = input;
            if (iterations < 1f) native.IterationScale = effort * iterations;
            try
            {
                native.Solve();
            }
            finally
            {
                if (iterations < 1f) native.IterationScale = effort;
            }
            return SinewResult.Ok;
        }
        catch (SinewException e)
        {
            return e.Result;
        }
    }

    /// <summary>The last step, after the result was written.</summary>
    internal void Finish(SinewResult result)
    {
        if (result == SinewResult.Ok)
        {
            problems.Clear();
            isResultShown = true;
        }
        else if (result != lastResult)
        {
            // The message is read once; while the same problem lasts nothing is thrown.
            try
            {
                native.Root = WorldFromModel();
                if (HasHumanInput) native.Input = pass;
                native.Solve();
                isResultShown = true;
                throw new SinewException(result, "the solve failed: " + result);
            }
            catch (SinewException e)
            {
                Fail(e);
            }
        }
        lastResult = result;
        EndPass();
    }

    /// <summary>A pass that ended before its solve.</summary>
    internal void Abandon()
    {
        if (mirror != null) mirror.ForgetFinal();
        EndPass();
    }

    /// <summary>A step of the pass failed: logged once while it lasts.</summary>
    internal void Fail(Exception e)
    {
        if (ProblemLog.IsFatal(e))
        {
            // Enabling again makes a new native object.
            Release();
            isBroken = true;
        }
        problems.Add(e, this, "The pose stays as animated.");
    }

    private bool IsCulled()
    {
        return !isSentByUnity && visibility.IsCulled(unityAnimator, this);
    }
}
