using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// Target matching and the root: Unity's names and meanings. It moves the GameObject, no limb is
// bent.
public sealed unsafe partial class SinewAnimator
{
    private SinewMatchTarget match;
    private bool isMatching;
    private bool isCompleting;
    private bool completesWhenInterrupted;
    private float matchedUntil;
    private int matchedState;
    private float ownNormalizedTime;
    private AvatarTarget askedTarget;

    /// <summary>
    /// Normalised time of what plays, above 1 counting loops; <see cref="MatchTarget(Vector3,
    /// Quaternion, AvatarTarget, MatchTargetWeightMask, float)"/> goes by it. With an Animator that
    /// plays a controller it is that of the base layer's state, and setting it has no effect;
    /// otherwise set it in every frame. Not in Unity's Animator.
    /// </summary>
    public float normalizedTime
    {
        get { return HasController() ? unityAnimator.GetCurrentAnimatorStateInfo(0).normalizedTime : ownNormalizedTime; }
        set { ownNormalizedTime = value; }
    }

    /// <summary>Position of the GameObject; setting it moves the character.</summary>
    public Vector3 rootPosition
    {
        get { return transform.position; }
        set
        {
            transform.position = value;
            if (native != null) SendRoot();
        }
    }

    /// <summary>Rotation of the GameObject; setting it turns the character.</summary>
    public Quaternion rootRotation
    {
        get { return transform.rotation; }
        set
        {
            transform.rotation = value;
            if (native != null) SendRoot();
        }
    }

    /// <summary>Whether a match is under way or waits for its start time.</summary>
    public bool isMatchingTarget
    {
        get { return isMatching; }
    }

    /// <summary>Moves the GameObject so that a body part is at a place when what plays is at its
    /// end (normalised time 1).</summary>
    public void MatchTarget(
        Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, MatchTargetWeightMask weightMask, float startNormalizedTime)
    {
        MatchTarget(matchPosition, matchRotation, targetBodyPart, weightMask, startNormalizedTime, 1f, true);
    }

    /// <summary>Moves the GameObject so that a body part is at a place at a normalised
    /// time.</summary>
    public void MatchTarget(
        Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, MatchTargetWeightMask weightMask,
        float startNormalizedTime, float targetNormalizedTime)
    {
        MatchTarget(matchPosition, matchRotation, targetBodyPart, weightMask, startNormalizedTime, targetNormalizedTime, true);
    }

    /// <summary>
    /// Moves the GameObject so that a body part is at a place at a normalised time: root, centre of
    /// mass, ankles or wrists, these in the goal frame of <see cref="SetIKRotation"/>. The distance
    /// shrinks linearly in normalised time, whatever the frame rate. One match at a time: a call
    /// while <see cref="isMatchingTarget"/> is discarded. When the clip loops and the start time is
    /// over, the match waits for the next loop. A number that is not finite is logged, and no match
    /// begins.
    /// </summary>
    /// <param name="matchPosition">World space, metres.</param>
    /// <param name="matchRotation">World space, of any length; anything where the rotation has no
    /// weight.</param>
    /// <param name="targetBodyPart">The part.</param>
    /// <param name="weightMask">Weight of the position along each world axis, and of the rotation,
    /// each 0 to 1.</param> <param name="startNormalizedTime">When the match begins; above 1 counts
    /// loops.</param> <param name="targetNormalizedTime">When the part is at the target.</param>
    /// <param name="completeMatch">Whether the character goes to the target at once when another
    /// state begins before that time.</param>
    public void MatchTarget(
        Vector3 matchPosition, Quaternion matchRotation, AvatarTarget targetBodyPart, MatchTargetWeightMask weightMask,
        float startNormalizedTime, float targetNormalizedTime, bool completeMatch)
    {
        NativeAnimator human = Human();
        if (human == null || isMatching) return;
        const string Member = "MatchTarget";
        float rotationWeight = weightMask.rotationWeight;
        bool turns = rotationWeight != 0f; // an unset rotation is usual where it has no weight
        bool isTaken = IsTaken(matchPosition, Member, "matchPosition") && (!turns || IsTaken(matchRotation, Member))
            && IsTaken(weightMask.positionXYZWeight, Member, "positionXYZWeight") && IsTaken(rotationWeight, Member, "rotationWeight")
            && IsTaken(startNormalizedTime, Member, "startNormalizedTime") && IsTaken(targetNormalizedTime, Member, "targetNormalizedTime");
        if (!isTaken) return;
        isSettled = true;
        SinewMatchTarget target = NativeAnimator.DefaultMatchTarget();
        target.part = (int)targetBodyPart;
        target.position = To(matchPosition);
        target.rotation = ToRotation(turns ? matchRotation : Quaternion.identity);
        target.position_weight = To(weightMask.positionXYZWeight);
        target.rotation_weight = rotationWeight;
        float now = normalizedTime;
        bool loops = HasController() && unityAnimator.GetCurrentAnimatorStateInfo(0).loop;
        float skipped = loops && startNormalizedTime < now ? Mathf.Ceil(now - startNormalizedTime) : 0f;
        target.start_time = startNormalizedTime + skipped;
        target.end_time = targetNormalizedTime + skipped;
        human.MatchTarget(target, now, now); // refuses what is no target, here and not in some later frame
        match = target;
        matchedUntil = now;
        matchedState = State();
        completesWhenInterrupted = completeMatch;
        isMatching = target.end_time > now;
        isCompleting = false;
    }

    /// <summary>Ends the match; the character is at the target in the next frame.</summary>
    public void InterruptMatchTarget()
    {
        InterruptMatchTarget(true);
    }

    /// <summary>Ends the match.</summary>
    /// <param name="completeMatch">Whether the character is at the target in the next frame, or
    /// stays where it is.</param>
    public void InterruptMatchTarget(bool completeMatch)
    {
        if (!isMatching) return;
        isMatching = false;
        isCompleting = completeMatch;
    }

    /// <summary>Chooses the body part, and with an Animator the normalised time, that <see
    /// cref="targetPosition"/> is about.</summary>
    public void SetTarget(AvatarTarget targetIndex, float targetNormalizedTime)
    {
        askedTarget = targetIndex;
        if (HasController()) unityAnimator.SetTarget(targetIndex, targetNormalizedTime);
    }

    /// <summary>
    /// Where the part of <see cref="SetTarget"/> will be at its time, as the Animator predicts it;
    /// without an Animator that plays a controller there is no prediction: where it is now.
    /// </summary>
    public Vector3 targetPosition
    {
        get
        {
            if (HasController()) return unityAnimator.targetPosition;
            SinewVec3 position;
            SinewQuat rotation;
            NativeAnimator human = Posed();
            if (human == null) return Vector3.zero;
            human.TryGetTargetPose((SinewAvatarTarget)askedTarget, out position, out rotation);
            return From(position);
        }
    }

    /// <summary>How that part will be turned (without an Animator: is); hands and feet in the goal
    /// frame.</summary>
    public Quaternion targetRotation
    {
        get
        {
            if (HasController()) return unityAnimator.targetRotation;
            SinewVec3 position;
            SinewQuat rotation;
            NativeAnimator human = Posed();
            if (human == null) return Quaternion.identity;
            human.TryGetTargetPose((SinewAvatarTarget)askedTarget, out position, out rotation);
            return From(rotation);
        }
    }

    /// <summary>The Animator's: whether its root motion pivots about the feet (1) or the centre of
    /// mass (0). Without one 0, and setting has no effect.</summary>
    public float feetPivotActive
    {
        get { return unityAnimator == null ? 0f : unityAnimator.feetPivotActive; }
        set { if (unityAnimator != null) unityAnimator.feetPivotActive = value; }
    }

    /// <summary>The Animator's: weight of its pivot between left (0) and right (1) foot. Without
    /// one 0.</summary>
    public float pivotWeight
    {
        get { return unityAnimator == null ? 0f : unityAnimator.pivotWeight; }
    }

    /// <summary>The Animator's pivot, world space. Without one the GameObject's position.</summary>
    public Vector3 pivotPosition
    {
        get { return unityAnimator == null ? transform.position : unityAnimator.pivotPosition; }
    }

    /// <summary>The Animator's: whether it keeps feet from sliding in transitions. Without one
    /// false, and setting has no effect.</summary>
    public bool stabilizeFeet
    {
        get { return unityAnimator != null && unityAnimator.stabilizeFeet; }
        set { if (unityAnimator != null) unityAnimator.stabilizeFeet = value; }
    }

    private bool HasController()
    {
        return unityAnimator != null && unityAnimator.isActiveAndEnabled && unityAnimator.runtimeAnimatorController != null;
    }

    private int State()
    {
        return HasController() ? unityAnimator.GetCurrentAnimatorStateInfo(0).fullPathHash : 0;
    }

    private void ForgetMatch()
    {
        isMatching = false;
        isCompleting = false;
    }

    // Once a frame, with pose and root as the animation left them.
    private void StepMatch()
    {
        if (!isMatching && !isCompleting) return;
        float now = normalizedTime;
        if (isMatching && (now < matchedUntil || State() != matchedState)) InterruptMatchTarget(completesWhenInterrupted);
        if (isCompleting)
        {
            isCompleting = false;
            Place(native.MatchTarget(match, match.start_time - 1f, match.end_time));
        }
        if (!isMatching) return;
        Place(native.MatchTarget(match, matchedUntil, now));
        matchedUntil = now;
        if (now >= match.end_time) isMatching = false;
    }

    private void Place(SinewTransform root)
    {
        transform.position = From(root.position);
        transform.rotation = From(root.rotation);
        SendRoot();
    }
}
