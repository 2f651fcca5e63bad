using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// What goes beyond Unity's Animator: help from the body, switches that take their time, goals from
// the pose and back. All of it is off by default. The fields count from the next solve on.
public sealed unsafe partial class SinewAnimator
{
    /// <summary>
    /// How far the left clavicle turns towards a far hand goal, 0 (not at all) to 1 (as far as
    /// people's do). It begins at 70 % of the arm's reach.
    /// </summary>
    [Header("Help from the body")]
    [Range(0f, 1f)]
    [Tooltip("How far the left clavicle turns towards a far hand goal. Range 0 to 1. Default 0.")]
    public float leftShoulderWeight;

    /// <summary>The same for the right clavicle.</summary>
    [Range(0f, 1f)]
    [Tooltip("How far the right clavicle turns towards a far hand goal. Range 0 to 1. Default 0.")]
    public float rightShoulderWeight;

    /// <summary>How far the spine bends towards hand goals out of reach, 0 (not at all) to 1 (until
    /// they are reached, at most 60° in all).</summary>
    [Range(0f, 1f)]
    [Tooltip("How far the spine bends towards hand goals out of reach. Range 0 to 1. Default 0.")]
    public float spineWeight;

    /// <summary>How much of the left foot goal's distance beyond reach the hips give way to, 0 to
    /// 1.</summary>
    [Range(0f, 1f)]
    [Tooltip("How much of the left foot goal's distance beyond reach the hips give way to. Range 0 to 1. Default 0.")]
    public float leftFootPullWeight;

    /// <summary>The same for the right foot.</summary>
    [Range(0f, 1f)]
    [Tooltip("How much of the right foot goal's distance beyond reach the hips give way to. Range 0 to 1. Default 0.")]
    public float rightFootPullWeight;

    /// <summary>The same for the left hand. Feet with goals limit how far the hips go.</summary>
    [Range(0f, 1f)]
    [Tooltip("How much of the left hand goal's distance beyond reach the hips give way to. Range 0 to 1. Default 0.")]
    public float leftHandPullWeight;

    /// <summary>The same for the right hand.</summary>
    [Range(0f, 1f)]
    [Tooltip("How much of the right hand goal's distance beyond reach the hips give way to. Range 0 to 1. Default 0.")]
    public float rightHandPullWeight;

    /// <summary>
    /// Seconds in which the left foot goes over to a changed weight, or to another goal after <see
    /// cref="Inertialize"/>, until 1 % of the jump is left; 0: at once.
    /// </summary>
    [Header("Switches")]
    [Range(0f, 2f)]
    [Tooltip("Seconds in which the left foot goes over to a changed weight or goal; 0: at once. Range 0 to 2. Default 0.")]
    public float leftFootInertializationTime;

    /// <summary>The same for the right foot.</summary>
    [Range(0f, 2f)]
    [Tooltip("Seconds in which the right foot goes over to a changed weight or goal; 0: at once. Range 0 to 2. Default 0.")]
    public float rightFootInertializationTime;

    /// <summary>The same for the left hand.</summary>
    [Range(0f, 2f)]
    [Tooltip("Seconds in which the left hand goes over to a changed weight or goal; 0: at once. Range 0 to 2. Default 0.")]
    public float leftHandInertializationTime;

    /// <summary>The same for the right hand.</summary>
    [Range(0f, 2f)]
    [Tooltip("Seconds in which the right hand goes over to a changed weight or goal; 0: at once. Range 0 to 2. Default 0.")]
    public float rightHandInertializationTime;

    /// <summary>The same for the look-at: to changed weights, or to another target after <see
    /// cref="InertializeLookAt"/>.</summary>
    [Range(0f, 2f)]
    [Tooltip("Seconds in which the gaze goes over to changed weights or another target; 0: at once. Range 0 to 2. Default 0.")]
    public float lookAtInertializationTime;

    /// <summary>How far elbows and knees of limbs with goals go where people's go, 0 (where the
    /// shortest turn takes the animation's, as in Unity) to 1. Hints outweigh it.</summary>
    [Header("Elbows and knees")]
    [Range(0f, 1f)]
    [Tooltip("How far elbows and knees of limbs with goals go where people's go. Range 0 to 1. Default 0.")]
    public float bendWeight;

    /// <summary>How far elbows of arms with hand goals swivel out of the trunk, 0 (not at all, as
    /// in Unity) to 1 (until they are outside). Hands stay. Hints outweigh it, and the whole-body
    /// solver does not use it.</summary>
    [Range(0f, 1f)]
    [Tooltip("How far elbows of arms with hand goals swivel out of the trunk. Range 0 to 1. Default 0.")]
    public float trunkAvoidance;

    /// <summary>Whether arms and legs keep to people's joint limits where goals move them. Off as
    /// in Unity, whose IK enforces no muscle range.</summary>
    [Header("Joint limits")]
    [Tooltip("Arms and legs keep to people's joint limits where goals move them. Default off.")]
    public bool limitsEnabled;

    /// <summary>
    /// Whether people's joint limits are the ranges of Unity's muscles; off: measured ranges of
    /// people's joints. Takes effect at the next enabling or <see cref="Rebind"/>.
    /// </summary>
    [Tooltip("The ranges of Unity's muscles in place of measured ranges of people's joints. Default off.")]
    public bool muscleRanges;

    /// <summary>
    /// Ranges of bones in place of people's; the last line of a bone counts. Start from <see
    /// cref="HumanRangeEntry.People"/>. Takes effect at the next enabling or <see cref="Rebind"/>.
    /// </summary>
    [Tooltip("Ranges of bones in place of people's. Empty: people's.")]
    public HumanRangeEntry[] humanRanges = new HumanRangeEntry[0];

    /// <summary>
    /// Whether all goals are met by the whole body at once, in place of each limb for itself: hands
    /// lean the body, feet stay, the body position is the centre of mass. Off as in Unity.
    /// </summary>
    [Header("Whole body")]
    [Tooltip("Off: each limb for itself, as in Unity. Converge: the whole body, each frame anew. Track: from the last pose. Default Off.")]
    public SinewBodySolverMode bodySolver = SinewBodySolverMode.Off;

    /// <summary>
    /// Whether feet stay where the animation has them, as far as their goals have no weight. For
    /// the whole body.
    /// </summary>
    [Tooltip("Feet stay where the animation has them, as far as their goals have no weight. Default on.")]
    public bool holdsFeet = true;

    /// <summary>
    /// How far the centre of mass is kept above the soles, 0 (not at all) to 1. For the whole body.
    /// </summary>
    [Range(0f, 1f)]
    [Tooltip("How far the centre of mass is kept above the soles. Range 0 to 1. Default 0.")]
    public float balanceWeight;

    /// <summary>
    /// 0 (hips move and turn as readily as any joint) to 1 (hardly). For the whole body.
    /// </summary>
    [Range(0f, 1f)]
    [Tooltip("0: hips move and turn as readily as any joint; 1: hardly. Range 0 to 1. Default 0.5.")]
    public float hipsStiffness = 0.5f;

    /// <summary>
    /// The same for spine and chest, and half of it for neck and head. For the whole body.
    /// </summary>
    [Range(0f, 1f)]
    [Tooltip("0: spine and chest turn as readily as any joint; 1: hardly. Half of it counts for neck and head. Range 0 to 1. Default 0.5.")]
    public float spineStiffness = 0.5f;

    /// <summary>The same for the clavicles. For the whole body.</summary>
    [Range(0f, 1f)]
    [Tooltip("0: clavicles turn as readily as any joint; 1: hardly. Range 0 to 1. Default 0.7.")]
    public float shoulderStiffness = 0.7f;

    /// <summary>How much the goal of the left foot counts. For the whole body.</summary>
    [Tooltip("How much the goal of the left foot counts where not all goals can be met. Level default 0.")]
    public GoalPriority leftFootPriority = new GoalPriority(0);

    /// <summary>How much the goal of the right foot counts. For the whole body.</summary>
    [Tooltip("How much the goal of the right foot counts where not all goals can be met. Level default 0.")]
    public GoalPriority rightFootPriority = new GoalPriority(0);

    /// <summary>How much the goal of the left hand counts. For the whole body.</summary>
    [Tooltip("How much the goal of the left hand counts where not all goals can be met. Level default 1.")]
    public GoalPriority leftHandPriority = new GoalPriority(1);

    /// <summary>How much the goal of the right hand counts. For the whole body.</summary>
    [Tooltip("How much the goal of the right hand counts where not all goals can be met. Level default 1.")]
    public GoalPriority rightHandPriority = new GoalPriority(1);

    // As the native animator has them; struct_size 0: nothing was sent yet.
    private SinewBodySolverSettings sentBodySolver;

    // As the native animator has them; struct_size 0: nothing was sent yet.
    private SinewHumanoidSettings sentSettings;

    /// <summary>
    /// Sets the goal rotation of the bone of a hand or foot itself, as its Transform's rotation
    /// has it, in place of the goal frame of <see cref="SetIKRotation"/>. Both are one goal. Not
    /// in Unity's Animator.
    /// </summary>
    public void SetIKRotationBone(AvatarIKGoal goal, Quaternion boneRotation)
    {
        if (Human() == null) return;
        SetIKRotation(goal, boneRotation * GoalFromBone(goal));
    }

    /// <summary>The goal rotation of a hand or foot as its bone's own rotation: what was set, else
    /// how the animation has it. Not in Unity's Animator.</summary>
    public Quaternion GetIKRotationBone(AvatarIKGoal goal)
    {
        if (Human() == null) return Quaternion.identity;
        return GetIKRotation(goal) * Quaternion.Inverse(GoalFromBone(goal));
    }

    // A constant of the avatar, seen in whatever pose the character has.
    private Quaternion GoalFromBone(AvatarIKGoal goal)
    {
        NativeAnimator human = Human();
        SinewQuat bone, frame;
        bool isKnown = ShowSource() & human.TryGetIKRotationBone((SinewIkGoal)goal, out bone) & human.TryGetIKRotation((SinewIkGoal)goal, out frame);
        return isKnown ? Quaternion.Inverse(From(bone)) * From(frame) : Quaternion.identity;
    }

    // Goals with a space or an effector point, a bit for each: the native animator answers for
    // them.
    [System.NonSerialized] private uint placedGoals;

    /// <summary> Gives position, rotation and hint of a hand or foot in the space of a joint in
    /// place of world space: a hand on a strap of the chest, a left hand on a rifle that the right
    /// hand carries. The joint counts as this frame's solve leaves it (after body, spine, look-at,
    /// and the limb that it is on), so the hand is not a frame late. Positions are as of
    /// Transform.InverseTransformPoint, rotations relative to the joint's. Stays until changed, or
    /// until the component is disabled. Not in Unity's Animator.
    /// </summary>
    /// <param name="goal">The hand or foot.</param>
    /// <param name="joint">A joint of the character that is not on or below the limb of the goal.
    /// None: world space, the default.</param>
    /// <exception cref="SinewException">The Transform is no joint of the character, is on the goal's
    /// own limb, or limbs would follow one another in a circle.</exception>
    public void SetIKGoalSpace(AvatarIKGoal goal, Transform joint)
    {
        int index = IndexOf(goal);
        NativeAnimator human = Human();
        if (human == null) return;
        isSettled = true;
        human.SetIKGoalSpace((SinewIkGoal)index, joint == null ? -1 : (int)JointOf(joint));
        NotePlaced(index);
    }

    /// <summary>The same by bone. Not in Unity's Animator.</summary>
    /// <exception cref="SinewException">The rig has no such bone; else see above.</exception>
    public void SetIKGoalSpace(AvatarIKGoal goal, HumanBodyBones bone)
    {
        Transform joint = GetBoneTransform(bone);
        if (joint == null) throw new SinewException(SinewResult.ErrorBoneNotMapped, "the rig has no " + bone);
        SetIKGoalSpace(goal, joint);
    }

    /// <summary>The joint in whose space a goal is given; null: world space. Not in Unity's
    /// Animator.</summary>
    public Transform GetIKGoalSpace(AvatarIKGoal goal)
    {
        int index = IndexOf(goal);
        NativeAnimator human = Human();
        int joint = human == null ? -1 : human.GetIKGoalSpace((SinewIkGoal)index);
        return joint < 0 ? null : rig.Joints[joint];
    }

    /// <summary>
    /// Sets the point of a hand or foot that its goal position is for: palm, sole, tip of a weapon.
    /// The hand or foot turns as without it. Stays until changed, or until the component is
    /// disabled. Not in Unity's Animator.
    /// </summary>
    /// <param name="goal">The hand or foot.</param>
    /// <param name="point">In the local space of the bone's Transform; zero, the default: the joint
    /// itself.</param>
    public void SetIKEffectorPoint(AvatarIKGoal goal, Vector3 point)
    {
        int index = IndexOf(goal);
        NativeAnimator human = Human();
        if (human == null) return;
        isSettled = true;
        human.SetIKEffectorPoint((SinewIkGoal)index, IsGood(point, "SetIKEffectorPoint") ? To(point) : default(SinewVec3));
        NotePlaced(index);
    }

    /// <summary>The point that the goal position of a hand or foot is for. Not in Unity's
    /// Animator.</summary>
    public Vector3 GetIKEffectorPoint(AvatarIKGoal goal)
    {
        int index = IndexOf(goal);
        NativeAnimator human = Human();
        return human == null ? Vector3.zero : From(human.GetIKEffectorPoint((SinewIkGoal)index));
    }

    private void NotePlaced(int index)
    {
        SinewIkGoal goal = (SinewIkGoal)index;
        bool isPlaced = native.GetIKGoalSpace(goal) >= 0 || From(native.GetIKEffectorPoint(goal)) != Vector3.zero;
        placedGoals = placedGoals & ~(1u << index) | (isPlaced ? 1u << index : 0u);
    }

    /// <summary>Whether a goal has a space or an effector point.</summary>
    internal bool IsPlaced(AvatarIKGoal goal)
    {
        return (placedGoals >> (int)goal & 1u) != 0;
    }

    // Unity's Animator knows world space and the joints only.
    private bool UnityAnswersFor(int index)
    {
        return (placedGoals >> index & 1u) == 0 && UnityAnswers();
    }

    /// <summary>
    /// States that what is set for a goal from now on is another goal than before, so that the limb
    /// goes there in its switch time. A changed weight needs no such call. Not in Unity's Animator.
    /// </summary>
    public void Inertialize(AvatarIKGoal goal)
    {
        NativeAnimator human = Human();
        if (human == null) return;
        isSettled = true;
        SendSettings();
        human.Inertialize((SinewIkGoal)goal);
    }

    /// <summary>Whether a switch of a goal is under way: the hand or foot is then not yet where its
    /// outcome says. Not in Unity's Animator.</summary>
    public bool IsInertializing(AvatarIKGoal goal)
    {
        NativeAnimator human = Human();
        return human != null && human.IsInertializing((SinewIkGoal)goal);
    }

    /// <summary>
    /// States that the look-at position set from now on is another target than before, so that the
    /// gaze goes there in its switch time. Changed weights need no such call. Not in Unity's
    /// Animator.
    /// </summary>
    public void InertializeLookAt()
    {
        NativeAnimator human = Human();
        if (human == null) return;
        isSettled = true;
        SendSettings();
        human.InertializeLookAt();
    }

    /// <summary>Whether a switch of the look-at is under way: its outcome is that of the target and
    /// weights of that moment. Not in Unity's Animator.</summary>
    public bool IsLookAtInertializing()
    {
        NativeAnimator human = Human();
        return human != null && human.IsLookAtInertializing();
    }

    /// <summary>
    /// How far a bone is beyond its range as the last solve left it, radians; 0 within, and for a
    /// bone the rig has not. Whether limits are on or not. Not in Unity's Animator.
    /// </summary>
    public float GetLimitViolation(HumanBodyBones humanBoneId)
    {
        NativeAnimator human = Human();
        if (human == null || GetBoneTransform(humanBoneId) == null) return 0f;
        int joint = rig.IndexOf(GetBoneTransform(humanBoneId));
        mirror.Need(joint);
        ShowResult();
        return human.GetJointViolation(joint);
    }

    /// <summary>
    /// Sets every goal, hint and the look-at to where the animation has them, so that weights
    /// raised afterwards change nothing. Weights stay. Not in Unity's Animator.
    /// </summary>
    public void MatchGoalsFromPose()
    {
        NativeAnimator human = Posed();
        if (human == null) return;
        human.ResetIK();
        human.MatchGoalsFromPose();
        SinewHumanoidInput matched = human.Input;
        for (int i = 0; i < 4; i++)
        {
            MatchOne(PassGoals + i, &matched.goals0 + i, PassHints + i, &matched.hints0 + i);
            MatchOne(KeptGoals + i, &matched.goals0 + i, KeptHints + i, &matched.hints0 + i);
        }
        pass.look_at_position = kept.look_at_position = matched.look_at_position;
        pass.set |= matched.set & ~BodyBits;
        kept.set |= matched.set & ~BodyBits;
        fresh |= matched.set & ~BodyBits;
        human.ResetIK();
    }

    private static void MatchOne(SinewIkGoalInput* goal, SinewIkGoalInput* goalNow, SinewIkHintInput* hint, SinewIkHintInput* hintNow)
    {
        goal->position = goalNow->position;
        goal->rotation = goalNow->rotation;
        hint->position = hintNow->position;
    }

    /// <summary>
    /// Solves, and lets the result stand as a pose of its own: the Transforms hold it, all weights
    /// go to 0. Whatever animates the character goes on from there, or overwrites it. Not in
    /// Unity's Animator.
    /// </summary>
    public void MatchPoseFromGoals()
    {
        NativeAnimator human = Posed();
        if (human == null) return;
        TakeBackBodies();
        SetUpConstraints(); // joints that they need are read then
        if (!mirror.Read()) return;
        SinewTransform root = WorldFromModel();
        human.Root = root;
        if (isPassOver) RestartPass();
        SendWork();
        SendSettings();
        SinewHumanoidInput input;
        FillInput(&root, &input);
        human.Input = input;
        ApplyConstraints();
        human.MatchPoseFromGoals();
        mirror.Write();
        mirror.Adopt();
        ClearWeights(ref pass);
        ClearWeights(ref kept);
        // They are in the pose now.
        overrideCount = 0;
        pass.set &= ~BodyBits;
        kept.set &= ~BodyBits;
        fresh &= ~BodyBits;
    }

    private static void ClearWeights(ref SinewHumanoidInput input)
    {
        fixed (SinewHumanoidInput* of = &input)
        {
            for (int i = 0; i < 4; i++)
            {
                (&of->goals0 + i)->position_weight = (&of->goals0 + i)->rotation_weight = 0f;
                (&of->hints0 + i)->weight = 0f;
            }
            of->look_at_weight.weight = 0f;
        }
    }

    // Only what changed crosses, so that a frame costs no call more.
    private void SendSettings()
    {
        if (sentSettings.struct_size == 0) sentSettings = NativeAnimator.DefaultSettings();
        SinewHumanoidSettings sent = sentSettings;
        SinewHumanoidSettings now = sent;
        now.shoulder_weights0 = leftShoulderWeight;
        now.shoulder_weights1 = rightShoulderWeight;
        now.spine_weight = spineWeight;
        now.pull_weights0 = leftFootPullWeight;
        now.pull_weights1 = rightFootPullWeight;
        now.pull_weights2 = leftHandPullWeight;
        now.pull_weights3 = rightHandPullWeight;
        // A preview shows a time, wherever the scrubbing came from: no switch is under way.
        float isPlayed = isPreviewing ? 0f : 1f;
        now.inertialization_times_s0 = isPlayed * leftFootInertializationTime;
        now.inertialization_times_s1 = isPlayed * rightFootInertializationTime;
        now.inertialization_times_s2 = isPlayed * leftHandInertializationTime;
        now.inertialization_times_s3 = isPlayed * rightHandInertializationTime;
        now.look_at_inertialization_time_s = isPlayed * lookAtInertializationTime;
        now.limits_enabled = limitsEnabled ? 1u : 0u;
        now.bend_weight = bendWeight;
        now.trunk_avoidance = trunkAvoidance;
        if (!Same(&now, &sent))
        {
            native.Settings = now;
            sentSettings = now;
        }
        SendBodySolver();
        if (bodySolver == SinewBodySolverMode.Off) return;
        SendPriority(SinewIkGoal.LeftFoot, leftFootPriority);
        SendPriority(SinewIkGoal.RightFoot, rightFootPriority);
        SendPriority(SinewIkGoal.LeftHand, leftHandPriority);
        SendPriority(SinewIkGoal.RightHand, rightHandPriority);
    }

    private void SendPriority(SinewIkGoal goal, GoalPriority priority)
    {
        SinewGoalPriority now = priority.ToNative(), sent = native.GetIKGoalPriority(goal);
        if (!GoalPriority.Same(now, sent)) native.SetIKGoalPriority(goal, now);
    }

    private void SendBodySolver()
    {
        if (sentBodySolver.struct_size == 0) sentBodySolver = NativeAnimator.DefaultBodySolver();
        SinewBodySolverSettings sent = sentBodySolver;
        SinewBodySolverSettings now = sent;
        now.mode = (int)bodySolver;
        now.holds_feet = holdsFeet ? 1u : 0u;
        now.balance_weight = balanceWeight;
        now.hips_stiffness = hipsStiffness;
        now.spine_stiffness = spineStiffness;
        now.shoulder_stiffness = shoulderStiffness;
        bool isSame = now.mode == sent.mode && now.holds_feet == sent.holds_feet && now.balance_weight == sent.balance_weight
            && now.hips_stiffness == sent.hips_stiffness && now.spine_stiffness == sent.spine_stiffness
            && now.shoulder_stiffness == sent.shoulder_stiffness;
        if (isSame) return;
        native.BodySolver = now;
        sentBodySolver = now;
    }

    /// <summary>
    /// Moves an effector of the whole-body solver to a point: world space. Stays until changed, or
    /// until the component is disabled. Without effect while <see cref="bodySolver"/> is off. Not
    /// in Unity's Animator.
    /// </summary>
    /// <param name="effector">Hips, chest, head, a shoulder, elbow or knee.</param>
    /// <param name="position">Where its joint is to be.</param>
    /// <param name="weight">0 (free) to 1 (at the point).</param>
    public void SetBodyEffectorPosition(SinewHumanEffector effector, Vector3 position, float weight)
    {
        NativeAnimator human = Human();
        if (human == null) return;
        bool isGoal = IsGood(position, "SetBodyEffectorPosition") && IsGood(weight, "SetBodyEffectorPosition");
        SinewBodyEffectorInput input = human.GetBodyEffector(effector);
        input.set |= SinewConstants.SINEW_BODY_EFFECTOR_INPUT_POSITION;
        isSettled = true;
        input.position = isGoal ? To(position) : default(SinewVec3);
        input.position_weight = isGoal ? Mathf.Clamp01(weight) : 0f;
        human.SetBodyEffector(effector, input);
    }

    /// <summary>
    /// Turns an effector of the whole-body solver as a Transform's rotation: world space. Stays
    /// until changed, or until the component is disabled. Without effect while <see
    /// cref="bodySolver"/> is off. Not in Unity's Animator.
    /// </summary>
    /// <param name="effector">Hips, chest, head, a shoulder, elbow or knee.</param>
    /// <param name="rotation">How its bone is to be turned.</param>
    /// <param name="weight">0 (free) to 1 (as the rotation).</param>
    public void SetBodyEffectorRotation(SinewHumanEffector effector, Quaternion rotation, float weight)
    {
        NativeAnimator human = Human();
        if (human == null) return;
        bool isGoal = IsGood(rotation, "SetBodyEffectorRotation") && IsGood(weight, "SetBodyEffectorRotation");
        SinewBodyEffectorInput input = human.GetBodyEffector(effector);
        input.set |= SinewConstants.SINEW_BODY_EFFECTOR_INPUT_ROTATION;
        isSettled = true;
        input.rotation = ToRotation(isGoal ? rotation : Quaternion.identity);
        input.rotation_weight = isGoal ? Mathf.Clamp01(weight) : 0f;
        human.SetBodyEffector(effector, input);
    }

    /// <summary>
    /// Sets how much the goal of an effector of the whole-body solver counts where not all goals
    /// can be met. Stays until changed, or until the component is disabled. Not in Unity's
    /// Animator.
    /// </summary>
    /// <param name="effector">Hips, chest, head, a shoulder, elbow or knee.</param>
    /// <param name="priority">Importances and level.</param>
    public void SetBodyEffectorPriority(SinewHumanEffector effector, GoalPriority priority)
    {
        NativeAnimator human = Human();
        if (human == null) return;
        SinewGoalPriority now = priority.ToNative();
        if (GoalPriority.Same(now, human.GetBodyEffectorPriority(effector))) return;
        isSettled = true;
        human.SetBodyEffectorPriority(effector, now);
    }

    private static bool Same(SinewHumanoidSettings* a, SinewHumanoidSettings* b)
    {
        int* x = (int*)a;
        int* y = (int*)b;
        for (int i = 0; i < sizeof(SinewHumanoidSettings) / sizeof(int); i++)
            if (x[i] != y[i]) return false;
        return true;
    }

    private void AdvanceSwitches()
    {
        bool hasTime = HasTimes || leftFootInertializationTime > 0f || rightFootInertializationTime > 0f || leftHandInertializationTime > 0f
            || rightHandInertializationTime > 0f || lookAtInertializationTime > 0f;
        if (!hasTime) return;
        native.Advance(PassSeconds);
    }
}
