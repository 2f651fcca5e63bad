using System;
using System.Runtime.InteropServices;
using Sinew;
using UnityEngine;
using static Sinew.InteropMath;

// Where goals, hints, look-at and body are kept until the pass that uses them: two inputs, one for
// the running pass and one for what stays. Everything is managed memory; the runner copies it into
// the one native call of the frame.
public sealed unsafe partial class SinewAnimator
{
    private struct BoneOverride
    {
        internal int Joint;
        internal SinewQuat Rotation;
    }

    private const uint BodyPlaceBits = SinewConstants.SINEW_INPUT_BODY_POSITION | SinewConstants.SINEW_INPUT_BODY_ROTATION;
    private const uint BodyBits = BodyPlaceBits | SinewConstants.SINEW_INPUT_BODY_MOVE;

    // Pinned by living in native memory for the life of the component.
    [NonSerialized] private readonly GoalMemory memory = new GoalMemory();
    [NonSerialized] private uint fresh; // what was set since the last solve
    [NonSerialized] private bool isPassOver = true;
    [NonSerialized] private int passEvaluation = -1;
    [NonSerialized] private int passNumber;
    [NonSerialized] private bool isUpdatingUnity;
    [NonSerialized] private bool isBodyRelative, isBodyTurnRelative;
    [NonSerialized] private Vector3 unityBodyPosition;
    [NonSerialized] private Quaternion unityBodyRotation;
    // Where the hips are that a move of the body turns about.
    [NonSerialized] private Vector3 movedHips;
    [NonSerialized] private BoneOverride[] overrides;
    [NonSerialized] private int overrideCount;
    [NonSerialized] private bool isBadNumberKnown;

    private sealed class GoalMemory
    {
        internal readonly SinewHumanoidInput* Inputs;

        internal GoalMemory()
        {
            Inputs = (SinewHumanoidInput*)Marshal.AllocHGlobal(2 * sizeof(SinewHumanoidInput));
            Inputs[0] = Inputs[1] = NoGoals();
        }

        ~GoalMemory()
        {
            Marshal.FreeHGlobal((IntPtr)Inputs);
        }
    }

    private ref SinewHumanoidInput pass
    {
        get { return ref memory.Inputs[0]; }
    }

    private ref SinewHumanoidInput kept
    {
        get { return ref memory.Inputs[1]; }
    }

    private SinewIkGoalInput* PassGoals
    {
        get { return &memory.Inputs[0].goals0; }
    }

    private SinewIkGoalInput* KeptGoals
    {
        get { return &memory.Inputs[1].goals0; }
    }

    private SinewIkHintInput* PassHints
    {
        get { return &memory.Inputs[0].hints0; }
    }

    private SinewIkHintInput* KeptHints
    {
        get { return &memory.Inputs[1].hints0; }
    }

    // Whether the caller is OnAnimatorIK, OnStateIK or another message of a running evaluation.
    private bool IsInPass
    {
        get { return isSending || isUpdatingUnity || SinewRunner.IsAnimating; }
    }

    private bool Keeps
    {
        get
        {
            return goalLifetime == GoalLifetime.UntilChanged || !IsInPass;
        }
    }

    private bool CanSet()
    {
        if (Human() == null) return false;
        if (IsInPass && !isSending) StartUnityPass();
        else if (isPassOver) RestartPass();
        return true;
    }

    private bool CanAsk()
    {
        if (Human() == null) return false;
        if (IsInPass && !isSending) StartUnityPass();
        return true;
    }

    // Each evaluation of Unity's Animator begins with what stays; a second layer finds what the
    // first one set.
    private void StartUnityPass()
    {
        if (!IsInPass || passEvaluation == SinewRunner.Evaluation) return;
        passEvaluation = SinewRunner.Evaluation;
        if (!isPassOver) overrideCount = 0; // of a physics step that another one follows
        RestartPass();
    }

    /// <summary>The number of the pass that a callback belongs to: the same for all of its layers.
    /// -1: this component does not run.</summary>
    internal int EnterPass()
    {
        return CanAsk() ? passNumber : -1;
    }

    private void RestartPass()
    {
        passNumber++;
        isPassOver = false;
        fresh &= kept.set;
        pass = kept;
        isBodyRelative = isBodyTurnRelative = false;
    }

    private void EndPass()
    {
        isPassOver = true;
        fresh = 0;
        overrideCount = 0;
        kept.set &= ~BodyBits;
        if (goalLifetime == GoalLifetime.OnePass) kept = NoGoals();
    }

    private void ClearGoals()
    {
        kept = NoGoals();
        fresh = 0;
        RestartPass();
        overrideCount = 0;
    }

    private static SinewHumanoidInput NoGoals()
    {
        SinewHumanoidInput none = default(SinewHumanoidInput);
        none.struct_size = (uint)sizeof(SinewHumanoidInput);
        none.goals0.rotation.w = none.goals1.rotation.w = none.goals2.rotation.w = none.goals3.rotation.w = 1f;
        none.body_rotation.w = 1f;
        none.look_at_weight = new SinewLookAtWeight { head = 1f, clamp = 0.5f };
        return none;
    }

    private bool IsFresh(uint bit)
    {
        return (fresh & bit) != 0;
    }

    private void Mark(uint bit)
    {
        fresh |= bit;
        pass.set |= bit;
        if ((bit & BodyBits) != 0 ? !IsInPass : Keeps) kept.set |= bit;
    }

    private void Unmark(uint bit)
    {
        fresh &= ~bit;
        pass.set &= ~bit;
        if (Keeps) kept.set &= ~bit;
    }

    // Moves the body and turns it about its hips: a body position or rotation of this pass, or else
    // the pose, whatever overrides and constraints make of it until then.
    internal void MoveBody(Vector3 hips, Vector3 offset, Quaternion turn)
    {
        if (!CanSet()) return;
        if (IsFresh(BodyPlaceBits))
        {
            bodyPosition = hips + turn * (bodyPosition - hips) + offset;
            if (turn.w < 1f) bodyRotation = turn * bodyRotation;
            return;
        }
        movedHips = hips;
        pass.body_position = To(offset);
        pass.body_rotation = ToRotation(turn);
        Mark(SinewConstants.SINEW_INPUT_BODY_MOVE);
        if (IsInPass) return;
        kept.body_position = pass.body_position;
        kept.body_rotation = pass.body_rotation;
    }

    // Where a move of this pass takes the body's centre of mass, and how it turns the body.
    private Vector3 MovedBody(Vector3 animated)
    {
        if (!IsFresh(SinewConstants.SINEW_INPUT_BODY_MOVE)) return animated;
        return movedHips + From(pass.body_rotation) * (animated - movedHips) + From(pass.body_position);
    }

    private Quaternion TurnedBody(Quaternion animated)
    {
        return IsFresh(SinewConstants.SINEW_INPUT_BODY_MOVE) ? From(pass.body_rotation) * animated : animated;
    }

    // A place of the body that is set after a move has it in itself.
    private void PlaceMovedBody()
    {
        if (!IsFresh(SinewConstants.SINEW_INPUT_BODY_MOVE)) return;
        Vector3 position = bodyPosition;
        Quaternion rotation = bodyRotation;
        bool isTurned = From(pass.body_rotation).w < 1f;
        fresh &= ~SinewConstants.SINEW_INPUT_BODY_MOVE;
        pass.set &= ~SinewConstants.SINEW_INPUT_BODY_MOVE;
        kept.set &= ~SinewConstants.SINEW_INPUT_BODY_MOVE;
        bodyPosition = position;
        if (isTurned) bodyRotation = rotation;
    }

    private static int IndexOf(AvatarIKGoal goal)
    {
        if ((uint)goal > 3u) throw new ArgumentOutOfRangeException("goal", "goal is " + (int)goal + ", not 0 to 3");
        return (int)goal;
    }

    private static int IndexOf(AvatarIKHint hint)
    {
        if ((uint)hint > 3u) throw new ArgumentOutOfRangeException("hint", "hint is " + (int)hint + ", not 0 to 3");
        return (int)hint;
    }

    // In an evaluation of Unity's Animator the Transforms still hold the last frame: the Animator
    // itself knows this one.
    private bool UnityAnswers()
    {
        return !isSending && (isUpdatingUnity || SinewRunner.IsAnimating)
            && unityAnimator != null && unityAnimator.isActiveAndEnabled && unityAnimator.isHuman;
    }

    // The Animator, to be read without its warning about calls outside the IK pass.
    private Quiet Ask()
    {
        return new Quiet(unityAnimator);
    }

    private struct Quiet
    {
        private readonly Animator animator;

        internal Quiet(Animator animator)
        {
            this.animator = animator;
        }

        internal Vector3 bodyPosition
        {
            get
            {
                bool warns = Hush();
                Vector3 answer = animator.bodyPosition;
                animator.logWarnings = warns;
                return answer;
            }
        }

        internal Quaternion bodyRotation
        {
            get
            {
                bool warns = Hush();
                Quaternion answer = animator.bodyRotation;
                animator.logWarnings = warns;
                return answer;
            }
        }

        internal Vector3 GetIKPosition(AvatarIKGoal goal)
        {
            bool warns = Hush();
            Vector3 answer = animator.GetIKPosition(goal);
            animator.logWarnings = warns;
            return answer;
        }

        internal Quaternion GetIKRotation(AvatarIKGoal goal)
        {
            bool warns = Hush();
            Quaternion answer = animator.GetIKRotation(goal);
            animator.logWarnings = warns;
            return answer;
        }

        internal Vector3 GetIKHintPosition(AvatarIKHint hint)
        {
            bool warns = Hush();
            Vector3 answer = animator.GetIKHintPosition(hint);
            animator.logWarnings = warns;
            return answer;
        }

        private bool Hush()
        {
            bool warns = animator.logWarnings;
            animator.logWarnings = false;
            return warns;
        }
    }

    // The input of the pass, as the native call takes it; bone rotations go straight into the
    // pose.
    private void FillInput(SinewTransform* root, SinewHumanoidInput* input)
    {
        for (int i = 0; i < overrideCount; i++) native.Pose[overrides[i].Joint].rotation = overrides[i].Rotation;
        // Unity's centre of mass is not exactly ours: what was set counts as a change of what Unity
        // answered.
        bool isMoved = isBodyRelative && (pass.set & SinewConstants.SINEW_INPUT_BODY_POSITION) != 0;
        bool isTurned = isBodyTurnRelative && (pass.set & SinewConstants.SINEW_INPUT_BODY_ROTATION) != 0;
        if (isMoved || isTurned)
        {
            native.Root = *root;
            native.ClearBody();
        }
        Vector3 position = isMoved ? From(native.BodyPosition) + (From(pass.body_position) - unityBodyPosition) : Vector3.zero;
        Quaternion rotation = isTurned
            ? From(pass.body_rotation) * Quaternion.Inverse(unityBodyRotation) * From(native.BodyRotation)
            : Quaternion.identity;
        if (isMoved) pass.body_position = To(position);
        if (isTurned) pass.body_rotation = To(rotation);
        isBodyRelative = isBodyTurnRelative = false;
        *input = pass;
    }

    private bool IsGood(float value, string member)
    {
        return IsFinite(value) || SayBad(member, "a number that is not finite");
    }

    private bool IsGood(Vector3 v, string member)
    {
        return IsFinite(v) || SayBad(member, "a position that is not finite");
    }

    private bool IsGood(Quaternion q, string member)
    {
        double squared = Squared(q);
        if (double.IsNaN(squared) || double.IsInfinity(squared)) return SayBad(member, "a rotation that is not finite");
        return squared > 1e-12 || SayBad(member, "a rotation of zero length (an unset Quaternion field?)");
    }

    private static double Squared(Quaternion q)
    {
        return (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    }

    // A rotation of any length, as Unity takes it; the library refuses lengths far from 1.
    private static SinewQuat ToRotation(Quaternion q)
    {
        double squared = Squared(q);
        if (squared > 0.25 && squared < 4.0) return To(q);
        double factor = 1.0 / Math.Sqrt(squared);
        return new SinewQuat { x = (float)(q.x * factor), y = (float)(q.y * factor), z = (float)(q.z * factor), w = (float)(q.w * factor) };
    }

    private bool SayBad(string member, string what)
    {
        if (isBadNumberKnown) return false;
        isBadNumberKnown = true;
        Debug.LogWarning("SinewAnimator on '" + name + "': " + member + " was given " + what
            + ". It counts as no goal. Further cases on this object are not logged.", this);
        return false;
    }
}
