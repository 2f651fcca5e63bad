using System;
using System.Collections.Generic;
using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

/// <summary>
/// Unity's humanoid IK, solved natively, for every rig whose bones can be identified: with an
/// Animator (Humanoid or Generic) or without one. It has the IK members of <see cref="Animator"/>
/// under the same names with the same meanings, so a script needs one line, <c>using Animator =
/// SinewAnimator;</c>. (That is also why this class is in the global namespace.)
///
/// Once per frame, after the animation and before any LateUpdate, it reads the animated pose from
/// the Transforms, sends OnAnimatorIK to the scripts on its GameObject unless Unity has already
/// sent it (Humanoid avatar and IK Pass on), solves together with all other characters in one
/// native call, and writes the joints that moved. <see cref="solveTime"/> chooses another moment.
///
/// On rigs that are not humanoid it solves constraints (<see cref="SinewChain"/> and so on) in the
/// same pass.
///
/// <see cref="goalLifetime"/> says how long goals and weights count. Body position, body rotation
/// and bone rotations count for one pass, as in Unity.
/// </summary>
[AddComponentMenu("Sinew IK/Sinew Animator")]
[ManualPage("sinew-animator.md")]
[Icon(SinewHelp.Icons + "SinewAnimator.png")]
[DisallowMultipleComponent]
[DefaultExecutionOrder(1000)]
public sealed partial class SinewAnimator : MonoBehaviour
{
    /// <summary>When the pass runs; see <see cref="SolveTime"/>. Counts from the next frame
    /// on.</summary>
    [Tooltip("After Animation: as Unity's own IK, before any LateUpdate. Manual: only when Solve() is called. Default After Animation.")]
    public SolveTime solveTime = SolveTime.AfterAnimation;

    /// <summary>How long goals, hints, look-at and their weights count; see <see
    /// cref="GoalLifetime"/>.</summary>
    [Tooltip("By Caller: what OnAnimatorIK sets counts for one pass, what is set elsewhere stays until changed. Default By Caller.")]
    public GoalLifetime goalLifetime = GoalLifetime.ByCaller;

    /// <summary>
    /// The layer indices OnAnimatorIK is sent with when Unity does not send it, in this order;
    /// default: layer 0. Unity sends one per layer with IK Pass.
    /// </summary>
    [Tooltip("Layer indices of OnAnimatorIK when Unity does not send it. Unity sends one per layer with IK Pass.")]
    public int[] callbackLayers = { 0 };

    /// <summary>
    /// Which Transform is which human bone. Leave it empty to use the Animator's avatar, or else
    /// the names of the Transforms. A table that is not empty comes before both. Takes effect at
    /// the next enabling or <see cref="Rebind"/>.
    /// </summary>
    [Tooltip("Leave empty to use the Animator's avatar, or else the names of the Transforms.")]
    public HumanBoneEntry[] humanBones = new HumanBoneEntry[0];

    /// <summary>
    /// How much an arm may lengthen to reach a goal, as a fraction of its length, 0 to 1; default
    /// 0.05 as Unity's. The avatar of an Animator brings its own value. Takes effect at the next
    /// enabling or <see cref="Rebind"/>.
    /// </summary>
    [Range(0f, 1f)]
    [Tooltip("Arm stretch as a fraction of the arm's length. An Animator's avatar brings its own. Range 0 to 1. Default 0.05.")]
    public float armStretch = AvatarOptions.DefaultStretch;

    /// <summary>The same for a leg; default 0.05.</summary>
    [Range(0f, 1f)]
    [Tooltip("Leg stretch as a fraction of the leg's length. An Animator's avatar brings its own. Range 0 to 1. Default 0.05.")]
    public float legStretch = AvatarOptions.DefaultStretch;

    /// <summary>
    /// Part of an upper arm's roll that the elbow takes, 0 (all at the shoulder) to 1 (all at the
    /// elbow); default 0.5 as Unity's. The avatar of an Animator brings its own value. Takes effect
    /// at the next enabling or <see cref="Rebind"/>.
    /// </summary>
    [Range(0f, 1f)]
    [Tooltip("Part of an upper arm's roll that the elbow takes: 0 all at the shoulder, 1 all at the elbow. An Animator's avatar brings its own. Range 0 to 1. Default 0.5.")]
    public float upperArmTwist = AvatarOptions.DefaultTwist;

    /// <summary>Part of a hand's roll that the wrist takes, 0 (all at the elbow) to 1 (all at the
    /// wrist); default 0.5.</summary>
    [Range(0f, 1f)]
    [Tooltip("Part of a hand's roll that the wrist takes: 0 all at the elbow, 1 all at the wrist. An Animator's avatar brings its own. Range 0 to 1. Default 0.5.")]
    public float lowerArmTwist = AvatarOptions.DefaultTwist;

    /// <summary>Part of a thigh's roll that the knee takes, 0 (all at the hip) to 1 (all at the
    /// knee); default 0.5.</summary>
    [Range(0f, 1f)]
    [Tooltip("Part of a thigh's roll that the knee takes: 0 all at the hip, 1 all at the knee. An Animator's avatar brings its own. Range 0 to 1. Default 0.5.")]
    public float upperLegTwist = AvatarOptions.DefaultTwist;

    /// <summary>Part of a foot's roll that the ankle takes, 0 (all at the knee) to 1 (all at the
    /// ankle); default 0.5.</summary>
    [Range(0f, 1f)]
    [Tooltip("Part of a foot's roll that the ankle takes: 0 all at the knee, 1 all at the ankle. An Animator's avatar brings its own. Range 0 to 1. Default 0.5.")]
    public float lowerLegTwist = AvatarOptions.DefaultTwist;

    /// <summary>Least distance of the ankles sideways, as a part of <see cref="humanScale"/>, 0 to
    /// 1; default 0: none.</summary>
    [Range(0f, 1f)]
    [Tooltip("Least distance of the ankles sideways, as a part of the human scale; 0: none. An Animator's avatar brings its own. Range 0 to 1. Default 0.")]
    public float feetSpacing;

    /// <summary>Up axis of a character without Animator's avatar, in this object's space; zero
    /// (default): from its joints.</summary>
    [Tooltip("Up axis of the character in this object's space. Zero: derived from the joints.")]
    public Vector3 upHint;

    /// <summary>Direction the chest faces in the T-pose, in this object's space; zero (default):
    /// from its joints.</summary>
    [Tooltip("Direction the chest faces in the T-pose, in this object's space. Zero: derived from the joints.")]
    public Vector3 forwardHint;

    /// <summary>
    /// Whether joints that skinned meshes are bound to are measured in the bind pose of these
    /// meshes, so that it does not matter in which pose the component is first enabled. Off: all
    /// joints in the pose they have then. An Animator's avatar brings its own T-pose; limits count
    /// from this one. Takes effect at the next enabling or <see cref="Rebind"/>, which then measure
    /// the pose of that moment where it counts.
    /// </summary>
    [Tooltip("Joints of skinned meshes are measured in the bind pose; off: in the pose they have when this is first enabled. Default on.")]
    public bool restFromMeshes = true;

    /// <summary>How much work is done for this character; by default what the scene's <see
    /// cref="SinewWorld"/> says.</summary>
    [Tooltip("How much work is done for this character. By Distance: what the scene's Sinew World says. Default By Distance.")]
    public DetailLevel detailLevel = DetailLevel.ByDistance;

    /// <summary>With Fewer Iterations: the fraction, above 0 and at most 1.</summary>
    [Range(0.01f, 1f)]
    [Tooltip("With Fewer Iterations: the fraction. Range 0.01 to 1. Default 0.5.")]
    public float detailIterations = 0.5f;

    /// <summary>With Every Nth: n, 2 to 1000.</summary>
    [Range(2, 1000)]
    [Tooltip("With Every Nth: solved in every n-th frame, number of frames. Range 2 to 1000. Default 4.")]
    public int detailInterval = 4;

    /// <summary>
    /// How many steps of work the iterating solvers of one pass may take together: chains, limited
    /// limbs, and the whole-body solver; 0 (chains are only aimed) to 8,000,000, the default. When
    /// none are left, they end with the best pose so far, the same on every computer, and their
    /// status is <see cref="SinewStatus.OutOfIterations"/>. A step is 10 to 80 ns on a server
    /// processor of 2021; closed forms take none. Counts from the next pass on and stays when the
    /// rig is set up again. A <see cref="SinewBody"/> has its own. Not in Unity's Animator.
    /// </summary>
    [Range(0, (int)SinewConstants.SINEW_MAX_WORK)]
    [Tooltip("Number of steps of work that chains, limited limbs and the whole-body solver of one pass may take together, 10 to 80 ns each; then they end with the best pose so far. Range 0 to 8000000. Default 8000000.")]
    public int maxWork = (int)SinewConstants.SINEW_MAX_WORK;

    /// <summary>Whether the Scene view shows bones, goals, residuals, hints and the look line of a
    /// selected character.</summary>
    [Tooltip("Draw bones, goals, residuals, hints and the look line while selected and playing. Default on.")]
    public bool drawGizmos = true;

    [SerializeField, HideInInspector] private RestPose restPose = new RestPose();

    private static readonly SinewHumanRange[] noRanges = new SinewHumanRange[0];
    private static readonly AvatarOptions asSet = new AvatarOptions();
    private NativeAnimator native;
    private Animator unityAnimator;
    private Avatar builtAvatar;
    [NonSerialized] private AvatarOptions builtOptions;
    [NonSerialized] private HumanBoneEntry[] builtTable;
    [NonSerialized] private bool builtFromMeshes;
    [NonSerialized] private Transform[] bones; // by HumanBodyBones; null when the rig is not humanoid
    private JointMirror mirror;
    private IKCallbacks callbacks;
    [NonSerialized] private readonly Visibility visibility = new Visibility();
    private string description = "Not set up yet.";
    private ProblemLog problems;
    private bool isBroken;
    [NonSerialized] private int waitsAt = -1; // size of the hierarchy whose humanoid is gone; -1: it is not
    private bool isRunning; // between OnEnable and OnDisable
    // Fields that the rig is made with stay as they are: a pass has begun, or a script has made
    // something of the rig that another one would lose.
    [NonSerialized] private bool isSettled;
    [NonSerialized] private bool isGone;
    [NonSerialized] private int earlyChildren; // of the hierarchy when the rig was built before OnEnable
    private bool isIdleKnown;
    private bool isSentByUnity;
    private bool isResultShown;
    [NonSerialized] private SinewDebugLine[] debugLines;

    /// <summary>
    /// How the bones of the rig were found, or why it is not a humanoid: a sentence for people,
    /// shown in the Inspector.
    /// </summary>
    public string rigDescription
    {
        get { return description; }
    }

    /// <summary>The native animator behind this component; null while the component is disabled or
    /// its rig cannot be used.</summary> <remarks>It is replaced by <see cref="Rebind"/>, <see
    /// cref="RebuildRig"/>, and another avatar of the Animator; what was set on it directly is lost
    /// then. Goals set on it directly are overwritten by the next pass.</remarks>
    public NativeAnimator nativeAnimator
    {
        get { return Settled(); }
    }

    private NativeAnimator Settled()
    {
        if (!TryBuild()) return null;
        isSettled = true;
        return native;
    }

    /// <summary>Rebinds the Animator, when there is one, and sets the rig up again: see <see
    /// cref="RebuildRig"/>.</summary>
    public void Rebind()
    {
        Animator animator = Forwarded();
        if (animator != null) animator.Rebind();
        RebuildRig();
    }

    /// <summary>
    /// Sets the rig up again: call it when joints were added, removed or moved to another parent.
    /// Goals and weights are cleared. Joints that were known keep the rest pose they were first
    /// seen in. Not in Unity's Animator.
    /// </summary>
    public void RebuildRig()
    {
        ClearGoals();
        Rebuild();
    }

    private void Rebuild()
    {
        bool waits = bones != null || waitsAt >= 0;
        Release();
        isBroken = false;
        waitsAt = -1;
        TryBuild();
        if (waits && bones == null && !isBroken) waitsAt = transform.hierarchyCount;
    }

    private void OnEnable()
    {
        isRunning = true;
        enabledFrame = Time.frameCount;
        isSettled = false;
        isBroken = false;
        waitsAt = -1;
        isIdleKnown = false;
        refused.Clear();
        isSentByUnity = false;
        isClockRunning = false;
        // A script's Awake has read a bone, and another one has added the model since.
        if (earlyChildren != 0 && earlyChildren != transform.hierarchyCount) Rebuild();
        else if (native != null && !IsBuiltAsSet()) Rebuild();
        earlyChildren = 0;
        AttachUnowned();
        if (TryBuild()) SinewRunner.Add(this);
        else if (Application.isPlaying) SinewRunner.Add(this);
    }

    // Whether table and options are those that the avatar was made with.
    private bool IsBuiltAsSet()
    {
        FillOptions(asSet, false);
        if (!builtOptions.SameAs(asSet) || builtFromMeshes != restFromMeshes) return false;
        int count = humanBones == null ? 0 : humanBones.Length;
        if (count != builtTable.Length) return false;
        for (int i = 0; i < count; i++)
        {
            HumanBoneEntry built = builtTable[i];
            if (humanBones[i].bone != built.bone || !ReferenceEquals(humanBones[i].transform, built.transform)) return false;
        }
        return true;
    }

    // The native objects stay: enabling again costs next to nothing.
    private void OnDisable()
    {
        isRunning = false;
        SinewRunner.Remove(this);
        ClearGoals();
        if (native == null) return;
        RemoveScripted();
        if (bones != null) native.ResetIK();
        ForgetMatch();
        mirror.ForgetFinal();
    }

    private void OnDestroy()
    {
        isGone = true;
        isRunning = false;
        isPreviewing = false;
        SinewRunner.Remove(this);
        Release();
        DetachAll();
    }

    // Unity's own message: it comes when the avatar is Humanoid and a layer has IK Pass on. Our own
    // sending leaves this out.
    private void OnAnimatorIK(int layerIndex)
    {
        isSentByUnity = true;
        StartUnityPass();
    }

    private void LateUpdate()
    {
        SinewRunner.OnLateUpdate(solveTime == SolveTime.LateUpdate);
    }

    private void OnValidate()
    {
        if (callbackLayers == null || callbackLayers.Length == 0) callbackLayers = new[] { 0 };
        if (!Application.isPlaying) restPose.Clear(); // of a prefab that was saved while playing
    }

    // Whether it runs or is about to: Awake and OnEnable of other scripts come before the OnEnable
    // of this one, and until then isActiveAndEnabled is false.
    private bool IsOn
    {
        get { return isRunning || (!isGone && (base.enabled || isByHand) && gameObject.activeInHierarchy); }
    }

    /// <summary>Builds what is missing. False when this component is disabled or its rig cannot be
    /// used.</summary>
    private bool TryBuild()
    {
        if (!IsOn) return false;
        if (native != null && !isSettled && isRunning && !IsBuiltAsSet()) Rebuild();
        if (native != null) return true;
        if (isBroken || !(Application.isPlaying || isPreviewing)) return false;
        if (waitsAt >= 0 && waitsAt == transform.hierarchyCount) return false;
        try
        {
            FindAnimator();
            builtAvatar = unityAnimator != null ? unityAnimator.avatar : null;
            rig = new HumanRig(transform);
            if (rig.Joints.Length == 0)
            {
                description = "Not a humanoid: there is no Transform below this object.";
                bones = null;
                waitsAt = transform.hierarchyCount;
                return false;
            }
            builtOptions = Options();
            builtTable = humanBones == null ? new HumanBoneEntry[0] : (HumanBoneEntry[])humanBones.Clone();
            builtFromMeshes = restFromMeshes;
            native = rig.Build(Rest.Of(rig, restFromMeshes), humanBones, unityAnimator, builtOptions);
            native.IterationScale = effort;
            sentWork = (int)SinewConstants.SINEW_MAX_WORK;
            SendWork();
            sentSettings = default(SinewHumanoidSettings);
            sentBodySolver = default(SinewBodySolverSettings);
            placedGoals = 0;
            ForgetMatch();
            bones = rig.Bones;
            waitsAt = -1;
            description = rig.Description;
            if (mirror == null || !mirror.Fits(rig.Joints, rig.Parents))
            {
                // What it knows of the pose under its result would be lost.
                if (mirror != null) mirror.PutBack();
                mirror = new JointMirror(rig.Joints, rig.Parents);
            }
            if (callbacks == null) callbacks = new IKCallbacks();
            visibility.Forget();
            isResultShown = false;
            NeedBones();
            BindPose();
            SinewRuntime.Add(this);
            earlyChildren = isRunning ? 0 : transform.hierarchyCount;
            return true;
        }
        catch (Exception e)
        {
            Release();
            isBroken = true;
            bones = null;
            description = e.Message;
            Debug.LogError("SinewAnimator on '" + name + "' cannot work: " + e.Message, this);
            return false;
        }
    }

    private void FindAnimator()
    {
        if (unityAnimator == null && !TryGetComponent(out unityAnimator)) unityAnimator = null;
    }

    private AvatarOptions Options()
    {
        AvatarOptions options = new AvatarOptions();
        FillOptions(options, true);
        return options;
    }

    // Numbers beyond their range count as its end, what is no number as the default.
    private void FillOptions(AvatarOptions options, bool saysMistakes)
    {
        options.HumanRanges = Ranges(saysMistakes);
        options.MuscleRanges = muscleRanges;
        options.Up = Hint(upHint);
        options.Forward = Hint(forwardHint);
        options.ArmStretch = Fraction(armStretch, AvatarOptions.DefaultStretch);
        options.LegStretch = Fraction(legStretch, AvatarOptions.DefaultStretch);
        options.FeetSpacing = Fraction(feetSpacing, 0f);
        options.UpperArmTwist = Fraction(upperArmTwist, AvatarOptions.DefaultTwist);
        options.LowerArmTwist = Fraction(lowerArmTwist, AvatarOptions.DefaultTwist);
        options.UpperLegTwist = Fraction(upperLegTwist, AvatarOptions.DefaultTwist);
        options.LowerLegTwist = Fraction(lowerLegTwist, AvatarOptions.DefaultTwist);
    }

    // Without those that are no range.
    private SinewHumanRange[] Ranges(bool saysMistakes)
    {
        if (humanRanges == null || humanRanges.Length == 0) return noRanges;
        List<SinewHumanRange> ranges = new List<SinewHumanRange>();
        for (int i = 0; i < humanRanges.Length; i++)
        {
            string mistake = humanRanges[i].Mistake();
            if (mistake == null) ranges.Add(humanRanges[i].ToNative());
            else if (saysMistakes) Debug.LogError("SinewAnimator on '" + name + "': humanRanges[" + i + "] is left out: " + mistake + ".", this);
        }
        return ranges.ToArray();
    }

    private static float Fraction(float value, float otherwise)
    {
        return float.IsNaN(value) ? otherwise : Mathf.Clamp01(value);
    }

    private static SinewVec3 Hint(Vector3 axis)
    {
        return axis.x * 0f + axis.y * 0f + axis.z * 0f == 0f ? To(axis) : default(SinewVec3);
    }

    // Fingers and the jaw take no part in a pass unless something needs them.
    private void NeedBones()
    {
        if (bones == null) return;
        for (int bone = 0; bone < bones.Length; bone++)
        {
            bool isPassive = bone >= (int)HumanBodyBones.Jaw && bone < (int)HumanBodyBones.UpperChest;
            if (bones[bone] != null && !isPassive) mirror.Need(rig.IndexOf(bones[bone]));
        }
    }

    // So that getters know the pose before the first pass.
    private unsafe void BindPose()
    {
        mirror.Bind(native.Pose);
        SendRoot();
    }

    /// <summary>Destroys the native objects; the Transforms stay as they are.</summary>
    internal void Release()
    {
        if (native == null) return;
        SinewRunner.Leave(this);
        if (mirror != null) mirror.Unbind();
        native.Dispose();
        native = null;
        rig.Dispose();
        ForgetConstraints();
        SinewRuntime.Remove(this);
    }

    private unsafe SinewTransform WorldFromModel()
    {
        Transform own = transform;
        SinewTransform world = default(SinewTransform);
#if UNITY_2022_3_OR_NEWER
        own.GetPositionAndRotation(out *(Vector3*)&world.position, out *(Quaternion*)&world.rotation);
#else
        *(Vector3*)&world.position = own.position;
        *(Quaternion*)&world.rotation = own.rotation;
#endif
        *(Vector3*)&world.scale = own.lossyScale;
        return world;
    }

    // Where the character stands now. False where nothing can be computed: a scale of zero along an
    // axis, or a place that is no number. The solve reports it.
    private bool SendRoot()
    {
        return native.TrySetRoot(WorldFromModel());
    }

    // After a pass the native pose is the result; questions about the animation's pose need the
    // pose before it, standing where the character stands now. False where nothing can be computed.
    private bool ShowSource()
    {
        if (isSending && isRootSent) return true;
        if (isResultShown)
        {
            mirror.ShowSource();
            if (Tracked != null) Tracked.Apply();
        }
        isResultShown = false;
        bool isUsable = SendRoot();
        isRootSent = isSending && isUsable;
        return isUsable;
    }

    private void ShowResult()
    {
        if (isResultShown) return;
        mirror.ShowResult();
        isResultShown = true;
    }

    private unsafe void OnDrawGizmosSelected()
    {
        if (!drawGizmos || native == null || (bones == null && !HasConstraints)) return;
        mirror.NeedAll();
        ShowResult();
        if (debugLines == null) debugLines = new SinewDebugLine[128];
        int count;
        try
        {
            count = native.GetDebugLines(debugLines);
            if (count > debugLines.Length)
            {
                debugLines = new SinewDebugLine[count * 2];
                count = native.GetDebugLines(debugLines);
            }
        }
        catch (SinewException)
        {
            return; // a Transform holds a number that is none: the pass says so
        }
        for (int i = 0; i < count; i++)
        {
            SinewDebugLine line = debugLines[i];
            Gizmos.color = SinewColors.Of((SinewDebugPart)line.part);
            Gizmos.DrawLine(*(Vector3*)&line.from, *(Vector3*)&line.to);
        }
    }
}
