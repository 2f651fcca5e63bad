using System;
using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// The Animator's IK surface: same names, same types, same order of arguments.
//
// Common to all members: points and rotations are in world space, metres (Unity units); those of a
// hand or foot in its goal's space where SetIKGoalSpace has given it one. Weights are
// 0 to 1, values outside are clamped, and all start at 0. How long a value counts says
// goalLifetime. Calls may be made at any time, not only in OnAnimatorIK; none of the setters
// crosses to native code. On a rig that is not humanoid they throw InvalidOperationException
// (OnAnimatorIK is not sent there, as in Unity); while the component is disabled they have no
// effect, which is logged once. Numbers that are not finite, and a rotation of zero length, mean
// "no goal"; one warning says so.
public sealed unsafe partial class SinewAnimator
{
    /// <summary>
    /// Whether the rig is a humanoid: fifteen bones, at least, are known. <see
    /// cref="rigDescription"/> says how, or why not.
    /// </summary>
    public bool isHuman
    {
        get
        {
            TryBuild();
            return bones != null || (native == null && !isBroken && FindBone(HumanBodyBones.Hips) != null);
        }
    }

    /// <summary>Height of the centre of mass above the soles in the T-pose, in model units; 1 for a
    /// rig that is no humanoid.</summary>
    public float humanScale
    {
        get { return isHuman && native != null ? native.HumanScale : 1f; }
    }

    /// <summary>How far the sole of the left foot is below its goal (the ankle), along the goal's
    /// Y axis; model units.</summary>
    public float leftFeetBottomHeight
    {
        get
        {
            NativeAnimator human = Human();
            return human == null ? 0f : human.LeftFeetBottomHeight;
        }
    }

    /// <summary>How far the sole of the right foot is below its goal (the ankle), along the
    /// goal's Y axis; model units.</summary>
    public float rightFeetBottomHeight
    {
        get
        {
            NativeAnimator human = Human();
            return human == null ? 0f : human.RightFeetBottomHeight;
        }
    }

    /// <summary>The Transform of a human bone, or null when the rig has no such bone. Also in
    /// Edit mode, while the component is disabled, and in Awake of other scripts.</summary>
    /// <exception cref="InvalidOperationException">The rig is no humanoid.</exception>
    /// <exception cref="IndexOutOfRangeException">The value is not one of the 55 bones.</exception>
    public Transform GetBoneTransform(HumanBodyBones humanBoneId)
    {
        if ((int)humanBoneId < 0 || humanBoneId >= HumanBodyBones.LastBone) throw NoBone(humanBoneId);
        // An avatar that was exchanged a moment ago counts at once.
        if (native != null && !isSending) NoticeChanges();
        return Bone(humanBoneId);
    }

    private static IndexOutOfRangeException NoBone(HumanBodyBones bone)
    {
        return new IndexOutOfRangeException("humanBoneId is " + (int)bone + ", not 0 to 54");
    }

    private Transform Bone(HumanBodyBones bone)
    {
        if (!isHuman) throw NotHuman();
        return bones != null ? bones[(int)bone] : FindBone(bone);
    }

    /// <summary>
    /// The body's centre of mass. Setting it moves the hips so that it is there; hands and feet
    /// with a weight stay on their goals. Counts for one pass: set it in every OnAnimatorIK.
    /// </summary>
    public Vector3 bodyPosition
    {
        get
        {
            if (!CanAsk()) return Vector3.zero;
            if (IsFresh(SinewConstants.SINEW_INPUT_BODY_POSITION)) return From(pass.body_position);
            if (UnityAnswers()) return MovedBody(Ask().bodyPosition);
            NativeAnimator human = Posed();
            SinewVec3 animated;
            return human != null && human.TryGetBodyPosition(out animated) ? MovedBody(From(animated)) : Vector3.zero;
        }
        set
        {
            if (!CanSet() || !IsGood(value, "bodyPosition")) return;
            PlaceMovedBody();
            if (UnityAnswers()) unityBodyPosition = Ask().bodyPosition;
            isBodyRelative = UnityAnswers();
            pass.body_position = To(value);
            Mark(SinewConstants.SINEW_INPUT_BODY_POSITION);
            if (!IsInPass) kept.body_position = pass.body_position;
        }
    }

    /// <summary>
    /// Orientation of the body: X right, Y up, Z forward, the mean of its lower and upper half.
    /// Setting it turns the body about its centre of mass. Counts for one pass: set it in every
    /// OnAnimatorIK.
    /// </summary>
    public Quaternion bodyRotation
    {
        get
        {
            if (!CanAsk()) return Quaternion.identity;
            if (IsFresh(SinewConstants.SINEW_INPUT_BODY_ROTATION)) return From(pass.body_rotation);
            if (UnityAnswers()) return TurnedBody(Ask().bodyRotation);
            NativeAnimator human = Posed();
            SinewQuat animated;
            return human != null && human.TryGetBodyRotation(out animated) ? TurnedBody(From(animated)) : Quaternion.identity;
        }
        set
        {
            if (!CanSet() || !IsGood(value, "bodyRotation")) return;
            PlaceMovedBody();
            if (UnityAnswers()) unityBodyRotation = Ask().bodyRotation;
            isBodyTurnRelative = UnityAnswers();
            pass.body_rotation = ToRotation(value);
            Mark(SinewConstants.SINEW_INPUT_BODY_ROTATION);
            if (!IsInPass) kept.body_rotation = pass.body_rotation;
        }
    }

    /// <summary>
    /// The goal of a hand or foot (wrist or ankle joint): what was set since the last solve, else
    /// where this frame's animation has it, whichever component sends the callback.
    /// </summary>
    public Vector3 GetIKPosition(AvatarIKGoal goal)
    {
        if (!CanAsk()) return Vector3.zero;
        int index = IndexOf(goal);
        if (IsFresh(SinewConstants.SINEW_INPUT_LEFT_FOOT_POSITION << index)) return From(PassGoals[index].position);
        if (UnityAnswersFor(index)) return Ask().GetIKPosition(goal);
        NativeAnimator human = Posed();
        SinewVec3 animated;
        return human != null && human.TryGetIKPosition((SinewIkGoal)goal, out animated) ? From(animated) : Vector3.zero;
    }

    /// <summary>Sets the goal of a hand or foot: the place of its wrist or ankle joint.</summary>
    public void SetIKPosition(AvatarIKGoal goal, Vector3 goalPosition)
    {
        if (!CanSet()) return;
        int index = IndexOf(goal);
        uint bit = SinewConstants.SINEW_INPUT_LEFT_FOOT_POSITION << index;
        if (!IsGood(goalPosition, "SetIKPosition"))
        {
            Unmark(bit);
            return;
        }
        PassGoals[index].position = To(goalPosition);
        if (Keeps) KeptGoals[index].position = To(goalPosition);
        Mark(bit);
    }

    /// <summary>
    /// The goal rotation of a hand or foot, in the frame of <see cref="SetIKRotation"/>: what was
    /// set since the last solve, else how the animation has it.
    /// </summary>
    public Quaternion GetIKRotation(AvatarIKGoal goal)
    {
        if (!CanAsk()) return Quaternion.identity;
        int index = IndexOf(goal);
        if (IsFresh(SinewConstants.SINEW_INPUT_LEFT_FOOT_ROTATION << index)) return From(PassGoals[index].rotation);
        if (UnityAnswersFor(index)) return Ask().GetIKRotation(goal);
        NativeAnimator human = Posed();
        SinewQuat animated;
        return human != null && human.TryGetIKRotation((SinewIkGoal)goal, out animated) ? From(animated) : Quaternion.identity;
    }

    /// <summary>
    /// Sets the goal rotation of a hand or foot: X to the right of the hand or foot, Y out of the
    /// back of the hand or the top of the foot, Z along the fingers or toes. It is not the rotation
    /// of the bone's Transform.
    /// </summary>
    public void SetIKRotation(AvatarIKGoal goal, Quaternion goalRotation)
    {
        if (!CanSet()) return;
        int index = IndexOf(goal);
        uint bit = SinewConstants.SINEW_INPUT_LEFT_FOOT_ROTATION << index;
        if (!IsGood(goalRotation, "SetIKRotation"))
        {
            Unmark(bit);
            return;
        }
        PassGoals[index].rotation = ToRotation(goalRotation);
        if (Keeps) KeptGoals[index].rotation = PassGoals[index].rotation;
        Mark(bit);
    }

    /// <summary>How far a hand or foot follows its goal position, 0 (animation) to 1
    /// (goal).</summary>
    public float GetIKPositionWeight(AvatarIKGoal goal)
    {
        return CanAsk() ? PassGoals[IndexOf(goal)].position_weight : 0f;
    }

    /// <summary>Sets how far a hand or foot follows its goal position, 0 (animation) to 1
    /// (goal).</summary>
    public void SetIKPositionWeight(AvatarIKGoal goal, float value)
    {
        if (!CanSet() || !IsGood(value, "SetIKPositionWeight")) return;
        int index = IndexOf(goal);
        PassGoals[index].position_weight = Mathf.Clamp01(value);
        if (Keeps) KeptGoals[index].position_weight = Mathf.Clamp01(value);
    }

    /// <summary>How far a hand or foot follows its goal rotation, 0 (rotation before IK) to 1
    /// (goal).</summary>
    public float GetIKRotationWeight(AvatarIKGoal goal)
    {
        return CanAsk() ? PassGoals[IndexOf(goal)].rotation_weight : 0f;
    }

    /// <summary>Sets how far a hand or foot follows its goal rotation, 0 (rotation before IK) to 1
    /// (goal).</summary>
    public void SetIKRotationWeight(AvatarIKGoal goal, float value)
    {
        if (!CanSet() || !IsGood(value, "SetIKRotationWeight")) return;
        int index = IndexOf(goal);
        PassGoals[index].rotation_weight = Mathf.Clamp01(value);
        if (Keeps) KeptGoals[index].rotation_weight = Mathf.Clamp01(value);
    }

    /// <summary>The point a knee or elbow bends towards: what was set since the last solve, else
    /// where the animation has the joint.</summary>
    public Vector3 GetIKHintPosition(AvatarIKHint hint)
    {
        if (!CanAsk()) return Vector3.zero;
        int index = IndexOf(hint);
        if (IsFresh(SinewConstants.SINEW_INPUT_LEFT_KNEE_POSITION << index)) return From(PassHints[index].position);
        if (UnityAnswersFor(index)) return Ask().GetIKHintPosition(hint);
        NativeAnimator human = Posed();
        SinewVec3 animated;
        return human != null && human.TryGetIKHintPosition((SinewIkHint)hint, out animated) ? From(animated) : Vector3.zero;
    }

    /// <summary>
    /// Sets the point a knee or elbow bends towards. It only swivels the limb about the line
    /// from its root to its end.
    /// </summary>
    public void SetIKHintPosition(AvatarIKHint hint, Vector3 hintPosition)
    {
        if (!CanSet()) return;
        int index = IndexOf(hint);
        uint bit = SinewConstants.SINEW_INPUT_LEFT_KNEE_POSITION << index;
        if (!IsGood(hintPosition, "SetIKHintPosition"))
        {
            Unmark(bit);
            return;
        }
        PassHints[index].position = To(hintPosition);
        if (Keeps) KeptHints[index].position = To(hintPosition);
        Mark(bit);
    }

    /// <summary>How far a knee or elbow follows its hint, 0 (bend of the animation) to 1 (points at
    /// the hint).</summary>
    public float GetIKHintPositionWeight(AvatarIKHint hint)
    {
        return CanAsk() ? PassHints[IndexOf(hint)].weight : 0f;
    }

    /// <summary>Sets how far a knee or elbow follows its hint, 0 (bend of the animation) to 1
    /// (points at the hint).</summary>
    public void SetIKHintPositionWeight(AvatarIKHint hint, float value)
    {
        if (!CanSet() || !IsGood(value, "SetIKHintPositionWeight")) return;
        int index = IndexOf(hint);
        PassHints[index].weight = Mathf.Clamp01(value);
        if (Keeps) KeptHints[index].weight = Mathf.Clamp01(value);
    }

    /// <summary>Sets the point to look at.</summary>
    public void SetLookAtPosition(Vector3 lookAtPosition)
    {
        if (!CanSet()) return;
        if (!IsGood(lookAtPosition, "SetLookAtPosition"))
        {
            Unmark(SinewConstants.SINEW_INPUT_LOOK_AT_POSITION);
            return;
        }
        pass.look_at_position = To(lookAtPosition);
        if (Keeps) kept.look_at_position = To(lookAtPosition);
        Mark(SinewConstants.SINEW_INPUT_LOOK_AT_POSITION);
    }

    /// <summary>Sets how much the character looks at the point, with the head alone (body 0, head
    /// 1, eyes 0, clamp 0.5).</summary> <param name="weight">0 to 1.</param>
    public void SetLookAtWeight(float weight)
    {
        SetLookAtWeight(weight, 0f, 1f, 0f, 0.5f);
    }

    /// <summary>Sets how much the character looks at the point (head 1, eyes 0, clamp
    /// 0.5).</summary> <param name="weight">0 to 1; multiplies the parts.</param>
    /// <param name="bodyWeight">0 to 1; share the spine takes.</param>
    public void SetLookAtWeight(float weight, float bodyWeight)
    {
        SetLookAtWeight(weight, bodyWeight, 1f, 0f, 0.5f);
    }

    /// <summary>Sets how much the character looks at the point (eyes 0, clamp 0.5).</summary>
    /// <param name="weight">0 to 1; multiplies the parts.</param>
    /// <param name="bodyWeight">0 to 1; share the spine takes.</param>
    /// <param name="headWeight">0 to 1; share neck and head take of what is left.</param>
    public void SetLookAtWeight(float weight, float bodyWeight, float headWeight)
    {
        SetLookAtWeight(weight, bodyWeight, headWeight, 0f, 0.5f);
    }

    /// <summary>Sets how much the character looks at the point (clamp 0.5).</summary>
    /// <param name="weight">0 to 1; multiplies the parts.</param>
    /// <param name="bodyWeight">0 to 1; share the spine takes.</param>
    /// <param name="headWeight">0 to 1; share neck and head take of what is left.</param>
    /// <param name="eyesWeight">0 to 1; share the eyes take of what is left, within their
    /// range.</param>
    public void SetLookAtWeight(float weight, float bodyWeight, float headWeight, float eyesWeight)
    {
        SetLookAtWeight(weight, bodyWeight, headWeight, eyesWeight, 0.5f);
    }

    /// <summary>Sets how much the character looks at the point.</summary>
    /// <param name="weight">0 to 1; multiplies the parts.</param>
    /// <param name="bodyWeight">0 to 1; share the spine takes.</param>
    /// <param name="headWeight">0 to 1; share neck and head take of what is left.</param>
    /// <param name="eyesWeight">0 to 1; share the eyes take of what is left, within their
    /// range.</param> <param name="clampWeight">0 (free) to 1 (no turning): the head may turn (1 -
    /// clampWeight) · 180° from the chest's forward.</param>
    public void SetLookAtWeight(float weight, float bodyWeight, float headWeight, float eyesWeight, float clampWeight)
    {
        if (!CanSet() || !IsGood(weight + bodyWeight + headWeight + eyesWeight + clampWeight, "SetLookAtWeight")) return;
        SinewLookAtWeight weights = new SinewLookAtWeight
        {
            weight = Mathf.Clamp01(weight), body = Mathf.Clamp01(bodyWeight), head = Mathf.Clamp01(headWeight),
            eyes = Mathf.Clamp01(eyesWeight), clamp = Mathf.Clamp01(clampWeight),
        };
        pass.look_at_weight = weights;
        if (Keeps) kept.look_at_weight = weights;
    }

    /// <summary>
    /// Replaces the local rotation of a human bone before anything else is solved. Counts for one
    /// pass: set it in every OnAnimatorIK. A bone the rig has not is ignored.
    /// </summary>
    public void SetBoneLocalRotation(HumanBodyBones humanBoneId, Quaternion rotation)
    {
        if ((int)humanBoneId < 0 || humanBoneId >= HumanBodyBones.LastBone) throw NoBone(humanBoneId);
        Transform bone = Bone(humanBoneId);
        if (!CanSet() || bone == null || !IsGood(rotation, "SetBoneLocalRotation")) return;
        int joint = rig.IndexOf(bone);
        mirror.Need(joint);
        if (overrides == null) overrides = new BoneOverride[NativeAvatar.HumanBoneCount];
        int at = 0;
        while (at < overrideCount && overrides[at].Joint != joint) at++;
        overrides[at].Joint = joint;
        overrides[at].Rotation = To(From(ToRotation(rotation)).normalized);
        if (at == overrideCount) overrideCount++;
    }

    /// <summary>
    /// What the last solve left at a hand or foot: reached or not, and how far off. Not in Unity's
    /// Animator.
    /// </summary>
    public Outcome GetIKOutcome(AvatarIKGoal goal)
    {
        NativeAnimator human = Human();
        return human == null ? default(Outcome) : human.GetIKOutcome((SinewIkGoal)goal);
    }

    /// <summary>What the last solve left of the look-at. Not in Unity's Animator.</summary>
    public Outcome GetLookAtOutcome()
    {
        NativeAnimator human = Human();
        return human == null ? default(Outcome) : human.GetLookAtOutcome();
    }

    /// <summary>Clears everything that was set: goals, hints, look-at, body, bone rotations;
    /// all weights 0. Not in Unity's Animator.</summary>
    public void ResetIK()
    {
        if (Human() == null) return;
        ClearGoals();
        native.ResetIK();
        placedGoals = 0;
    }

    // The native animator, or null while this component is disabled.
    private NativeAnimator Any()
    {
        if (TryBuild()) return native;
        if (isIdleKnown) return null;
        isIdleKnown = true;
        Debug.LogWarning("SinewAnimator on '" + name + "' is not running (disabled, or its rig could not be set up): "
            + "IK calls have no effect until it is.", this);
        return null;
    }

    // The same, of a humanoid.
    private NativeAnimator Human()
    {
        NativeAnimator any = Any();
        if (any != null && bones == null) throw NotHuman();
        return any;
    }

    // The same, its pose buffer holding the animation's pose; also null where nothing can be
    // computed from it.
    private NativeAnimator Posed()
    {
        NativeAnimator human = Human();
        return human != null && ShowSource() ? human : null;
    }

    private InvalidOperationException NotHuman()
    {
        return new InvalidOperationException("SinewAnimator on '" + name + "': the rig is no humanoid. " + description);
    }
}
