using System;
using Sinew;
using Sinew.Interop;
using UnityEngine;

// The Animator's IK surface: same names, same types, same order of arguments.
//
// Common to all members: points and rotations are in world space, metres (Unity units). Weights are 0 to 1, values outside are
// limited, and all start at 0. What is set stays until changed, except where a member says otherwise. Calls may be made at any
// time, not only in OnAnimatorIK. On a rig that is no humanoid they throw InvalidOperationException (OnAnimatorIK is not sent
// there, as in Unity); while the component is disabled they have no effect, which is logged once. Numbers that are not finite
// are refused with SinewException.
public sealed unsafe partial class SinewAnimator
{
    /// <summary>
    /// Whether the rig is a humanoid: fifteen bones, at least, are known. <see cref="rigDescription"/> says how, or why not.
    /// </summary>
    public bool isHuman
    {
        get
        {
            TryBuild();
            return bones != null;
        }
    }

    /// <summary>Height of the centre of mass above the soles in the T-pose, in model units; 1 for a rig that is no humanoid.</summary>
    public float humanScale
    {
        get { return isHuman && native != null ? native.HumanScale : 1f; }
    }

    /// <summary>How far the sole of the left foot lies below its goal (the ankle), along the goal's Y axis; model units.</summary>
    public float leftFeetBottomHeight
    {
        get
        {
            NativeAnimator human = Human();
            return human == null ? 0f : human.LeftFeetBottomHeight;
        }
    }

    /// <summary>How far the sole of the right foot lies below its goal (the ankle), along the goal's Y axis; model units.</summary>
    public float rightFeetBottomHeight
    {
        get
        {
            NativeAnimator human = Human();
            return human == null ? 0f : human.RightFeetBottomHeight;
        }
    }

    /// <summary>The Transform of a human bone, or null when the rig has no such bone.</summary>
    /// <exception cref="InvalidOperationException">The rig is no humanoid.</exception>
    /// <exception cref="IndexOutOfRangeException">The value is not one of the 55 bones.</exception>
    public Transform GetBoneTransform(HumanBodyBones humanBoneId)
    {
        if ((int)humanBoneId < 0 || humanBoneId >= HumanBodyBones.LastBone)
            throw new IndexOutOfRangeException("humanBoneId is " + (int)humanBoneId + ", not 0 to 54");
        TryBuild();
        if (bones == null) throw NotHuman();
        return bones[(int)humanBoneId];
    }

    /// <summary>
    /// The body's centre of mass. Setting it moves the hips so that it is there; hands and feet with a weight stay on their
    /// goals. Counts for one pass: set it in every OnAnimatorIK.
    /// </summary>
    public Vector3 bodyPosition
    {
        get
        {
            NativeAnimator human = Posed();
            return human == null ? Vector3.zero : From(human.BodyPosition);
        }
        set
        {
            NativeAnimator human = Human();
            if (human != null) human.BodyPosition = To(value);
        }
    }

    /// <summary>
    /// Orientation of the body: X right, Y up, Z forward, the mean of its lower and upper half. Setting it turns the body about
    /// its centre of mass. Counts for one pass: set it in every OnAnimatorIK.
    /// </summary>
    public Quaternion bodyRotation
    {
        get
        {
            NativeAnimator human = Posed();
            return human == null ? Quaternion.identity : From(human.BodyRotation);
        }
        set
        {
            NativeAnimator human = Human();
            if (human != null) human.BodyRotation = To(value);
        }
    }

    /// <summary>
    /// The goal of a hand or foot (wrist or ankle joint): what was set since the last solve, else where the animation has it. In
    /// a callback sent by Unity the Transforms are not written yet, so that is the animation of the previous frame.
    /// </summary>
    public Vector3 GetIKPosition(AvatarIKGoal goal)
    {
        NativeAnimator human = Posed();
        return human == null ? Vector3.zero : From(human.GetIKPosition((SinewIkGoal)goal));
    }

    /// <summary>Sets the goal of a hand or foot: where its wrist or ankle joint shall be.</summary>
    public void SetIKPosition(AvatarIKGoal goal, Vector3 goalPosition)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetIKPosition((SinewIkGoal)goal, To(goalPosition));
    }

    /// <summary>
    /// The goal rotation of a hand or foot, in the frame of <see cref="SetIKRotation"/>: what was set since the last solve,
    /// else how the animation has it.
    /// </summary>
    public Quaternion GetIKRotation(AvatarIKGoal goal)
    {
        NativeAnimator human = Posed();
        return human == null ? Quaternion.identity : From(human.GetIKRotation((SinewIkGoal)goal));
    }

    /// <summary>
    /// Sets the goal rotation of a hand or foot: X to the right of the hand or foot, Y out of the back of the hand or the top
    /// of the foot, Z along the fingers or toes. It is not the rotation of the bone's Transform.
    /// </summary>
    public void SetIKRotation(AvatarIKGoal goal, Quaternion goalRotation)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetIKRotation((SinewIkGoal)goal, To(goalRotation));
    }

    /// <summary>How far a hand or foot follows its goal position, 0 (animation) to 1 (goal).</summary>
    public float GetIKPositionWeight(AvatarIKGoal goal)
    {
        NativeAnimator human = Human();
        return human == null ? 0f : human.GetIKPositionWeight((SinewIkGoal)goal);
    }

    /// <summary>Sets how far a hand or foot follows its goal position, 0 (animation) to 1 (goal).</summary>
    public void SetIKPositionWeight(AvatarIKGoal goal, float value)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetIKPositionWeight((SinewIkGoal)goal, value);
    }

    /// <summary>How far a hand or foot follows its goal rotation, 0 (rotation before IK) to 1 (goal).</summary>
    public float GetIKRotationWeight(AvatarIKGoal goal)
    {
        NativeAnimator human = Human();
        return human == null ? 0f : human.GetIKRotationWeight((SinewIkGoal)goal);
    }

    /// <summary>Sets how far a hand or foot follows its goal rotation, 0 (rotation before IK) to 1 (goal).</summary>
    public void SetIKRotationWeight(AvatarIKGoal goal, float value)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetIKRotationWeight((SinewIkGoal)goal, value);
    }

    /// <summary>The point a knee or elbow bends towards: what was set since the last solve, else where the animation has the joint.</summary>
    public Vector3 GetIKHintPosition(AvatarIKHint hint)
    {
        NativeAnimator human = Posed();
        return human == null ? Vector3.zero : From(human.GetIKHintPosition((SinewIkHint)hint));
    }

    /// <summary>
    /// Sets the point a knee or elbow shall bend towards. It only swivels the limb about the line from its root to its end.
    /// </summary>
    public void SetIKHintPosition(AvatarIKHint hint, Vector3 hintPosition)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetIKHintPosition((SinewIkHint)hint, To(hintPosition));
    }

    /// <summary>How far a knee or elbow follows its hint, 0 (bend of the animation) to 1 (points at the hint).</summary>
    public float GetIKHintPositionWeight(AvatarIKHint hint)
    {
        NativeAnimator human = Human();
        return human == null ? 0f : human.GetIKHintPositionWeight((SinewIkHint)hint);
    }

    /// <summary>Sets how far a knee or elbow follows its hint, 0 (bend of the animation) to 1 (points at the hint).</summary>
    public void SetIKHintPositionWeight(AvatarIKHint hint, float value)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetIKHintPositionWeight((SinewIkHint)hint, value);
    }

    /// <summary>Sets the point to look at.</summary>
    public void SetLookAtPosition(Vector3 lookAtPosition)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetLookAtPosition(To(lookAtPosition));
    }

    /// <summary>Sets how much the character looks at the point, with the head alone (body 0, head 1, eyes 0, clamp 0.5).</summary>
    /// <param name="weight">0 to 1.</param>
    public void SetLookAtWeight(float weight)
    {
        SetLookAtWeight(weight, 0f, 1f, 0f, 0.5f);
    }

    /// <summary>Sets how much the character looks at the point (head 1, eyes 0, clamp 0.5).</summary>
    /// <param name="weight">0 to 1; multiplies the parts.</param>
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
    /// <param name="eyesWeight">0 to 1; share the eyes take of what is left, within their range.</param>
    public void SetLookAtWeight(float weight, float bodyWeight, float headWeight, float eyesWeight)
    {
        SetLookAtWeight(weight, bodyWeight, headWeight, eyesWeight, 0.5f);
    }

    /// <summary>Sets how much the character looks at the point.</summary>
    /// <param name="weight">0 to 1; multiplies the parts.</param>
    /// <param name="bodyWeight">0 to 1; share the spine takes.</param>
    /// <param name="headWeight">0 to 1; share neck and head take of what is left.</param>
    /// <param name="eyesWeight">0 to 1; share the eyes take of what is left, within their range.</param>
    /// <param name="clampWeight">0 (free) to 1 (no turning): the head may turn (1 - clampWeight) · 180° from the chest's forward.</param>
    public void SetLookAtWeight(float weight, float bodyWeight, float headWeight, float eyesWeight, float clampWeight)
    {
        NativeAnimator human = Human();
        if (human != null) human.SetLookAtWeight(weight, bodyWeight, headWeight, eyesWeight, clampWeight);
    }

    /// <summary>
    /// Replaces the local rotation of a human bone before anything else is solved. Counts for one pass: set it in every
    /// OnAnimatorIK. A bone the rig has not is ignored.
    /// </summary>
    public void SetBoneLocalRotation(HumanBodyBones humanBoneId, Quaternion rotation)
    {
        NativeAnimator human = Human();
        if (human == null || GetBoneTransform(humanBoneId) == null) return;
        human.SetBoneLocalRotation((SinewHumanBone)humanBoneId, To(rotation));
    }

    /// <summary>
    /// What the last solve left at a hand or foot: reached or not, and how far off. Not in Unity's Animator.
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

    /// <summary>Takes back everything that was set: goals, hints, look-at, body, bone rotations; all weights 0. Not in Unity's Animator.</summary>
    public void ResetIK()
    {
        NativeAnimator human = Human();
        if (human != null) human.ResetIK();
    }

    // The native animator, or null while this component is disabled.
    private NativeAnimator Any()
    {
        if (native != null || TryBuild()) return native;
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

    // The same, its pose buffer holding the animation's pose.
    private NativeAnimator Posed()
    {
        NativeAnimator human = Human();
        if (human != null) ShowSource();
        return human;
    }

    private InvalidOperationException NotHuman()
    {
        return new InvalidOperationException("SinewAnimator on '" + name + "': the rig is no humanoid. " + description);
    }

    private static SinewVec3 To(Vector3 v)
    {
        return *(SinewVec3*)&v;
    }

    private static SinewQuat To(Quaternion q)
    {
        return *(SinewQuat*)&q;
    }

    private static Vector3 From(SinewVec3 v)
    {
        return *(Vector3*)&v;
    }

    private static Quaternion From(SinewQuat q)
    {
        return *(Quaternion*)&q;
    }
}
