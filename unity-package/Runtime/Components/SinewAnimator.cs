using System;
using Sinew;
using Sinew.Interop;
using UnityEngine;

/// <summary>
/// Unity's humanoid IK, solved natively, for every rig whose bones can be told apart: with an Animator (Humanoid or Generic)
/// or without one. It has the IK members of <see cref="Animator"/> under the same names with the same meanings, so a script
/// changes one type name. (That is also why this class is in the global namespace.)
///
/// Each frame, in LateUpdate (execution order 1000: after scripts that move targets in theirs, before a camera that follows
/// at a later order), it reads the animated pose from the Transforms, sends OnAnimatorIK to the scripts on its GameObject
/// unless Unity has already sent it this frame (Humanoid avatar and IK Pass on), solves, and writes the joints that moved.
///
/// On rigs that are no humanoid it solves constraints (<see cref="SinewChain"/> and so on) in the same pass.
///
/// Goals, hints, look-at and all weights stay until changed. Body position, body rotation and bone rotations count for one
/// pass only and are forgotten after each solve, as in Unity.
/// </summary>
[AddComponentMenu("Animation/Sinew Animator")]
[DisallowMultipleComponent]
[DefaultExecutionOrder(1000)]
public sealed partial class SinewAnimator : MonoBehaviour
{
    /// <summary>
    /// Which Transform is which human bone. Leave it empty to use the Animator's avatar, or else the names of the Transforms.
    /// A table that is not empty comes before both. Takes effect at the next enabling or <see cref="Rebind"/>.
    /// </summary>
    [Tooltip("Leave empty to use the Animator's avatar, or else the names of the Transforms.")]
    public HumanBoneEntry[] humanBones = new HumanBoneEntry[0];

    /// <summary>
    /// How much an arm may lengthen to reach a goal, as a fraction of its length, 0 to 1; default 0.05 as Unity's. The avatar
    /// of an Animator brings its own value. Takes effect at the next enabling or <see cref="Rebind"/>.
    /// </summary>
    [Range(0f, 1f)]
    [Tooltip("Arm stretch as a fraction of the arm's length. An Animator's avatar brings its own.")]
    public float armStretch = AvatarOptions.DefaultStretch;

    /// <summary>The same for a leg; default 0.05.</summary>
    [Range(0f, 1f)]
    [Tooltip("Leg stretch as a fraction of the leg's length. An Animator's avatar brings its own.")]
    public float legStretch = AvatarOptions.DefaultStretch;

    /// <summary>
    /// Part of an upper arm's roll that the elbow takes, 0 (all at the shoulder) to 1 (all at the elbow); default 0.5 as
    /// Unity's. The avatar of an Animator brings its own value. Takes effect at the next enabling or <see cref="Rebind"/>.
    /// </summary>
    [Range(0f, 1f)]
    [Tooltip("Part of an upper arm's roll that the elbow takes: 0 all at the shoulder, 1 all at the elbow. An Animator's avatar brings its own.")]
    public float upperArmTwist = AvatarOptions.DefaultTwist;

    /// <summary>Part of a hand's roll that the wrist takes, 0 (all at the elbow) to 1 (all at the wrist); default 0.5.</summary>
    [Range(0f, 1f)]
    [Tooltip("Part of a hand's roll that the wrist takes: 0 all at the elbow, 1 all at the wrist. An Animator's avatar brings its own.")]
    public float lowerArmTwist = AvatarOptions.DefaultTwist;

    /// <summary>Part of a thigh's roll that the knee takes, 0 (all at the hip) to 1 (all at the knee); default 0.5.</summary>
    [Range(0f, 1f)]
    [Tooltip("Part of a thigh's roll that the knee takes: 0 all at the hip, 1 all at the knee. An Animator's avatar brings its own.")]
    public float upperLegTwist = AvatarOptions.DefaultTwist;

    /// <summary>Part of a foot's roll that the ankle takes, 0 (all at the knee) to 1 (all at the ankle); default 0.5.</summary>
    [Range(0f, 1f)]
    [Tooltip("Part of a foot's roll that the ankle takes: 0 all at the knee, 1 all at the ankle. An Animator's avatar brings its own.")]
    public float lowerLegTwist = AvatarOptions.DefaultTwist;

    /// <summary>Least distance of the ankles sideways, as a part of <see cref="humanScale"/>, 0 to 1; default 0: none.</summary>
    [Range(0f, 1f)]
    [Tooltip("Least distance of the ankles sideways, as a part of the human scale; 0: none. An Animator's avatar brings its own.")]
    public float feetSpacing;

    /// <summary>Whether the Scene view shows bones, goals, residuals, hints and the look line of a selected character.</summary>
    [Tooltip("Draw bones, goals, residuals, hints and the look line while selected and playing.")]
    public bool drawGizmos = true;

    // The pose each joint had when this component first saw it: what a rig without avatar is measured on. Private arrays of
    // Unity's types survive a reload of the scripts in Play mode, when the Transforms hold some animated pose. (Null ones come
    // back empty, which is why `bones` must not.)
    private Transform[] restJoints = new Transform[0];
    private Vector3[] restPositions = new Vector3[0];
    private Quaternion[] restRotations = new Quaternion[0];
    private Vector3[] restScales = new Vector3[0];

    private NativeAnimator native;
    private Animator unityAnimator;
    [NonSerialized] private Transform[] bones; // by HumanBodyBones; null when the rig is no humanoid
    private JointMirror mirror;
    private IKCallbacks callbacks;
    private string description = "Not set up yet.";
    private string lastProblem;
    private bool isBroken;
    private bool isIdleKnown;
    private bool isSentByUnity;
    private bool isEverSentByUnity;
    private bool isResultShown;
    [NonSerialized] private SinewDebugLine[] debugLines;

    /// <summary>
    /// How the bones of the rig were found, or why it is no humanoid: a sentence for people, shown in the Inspector.
    /// </summary>
    public string rigDescription
    {
        get { return description; }
    }

    /// <summary>
    /// Sets the rig up again, as after enabling: call it when joints were added, removed or moved to another parent. All
    /// goals and weights are forgotten. Joints that were known keep the rest pose they were first seen in.
    /// </summary>
    public void Rebind()
    {
        Release();
        isBroken = false;
        TryBuild();
    }

    private void OnEnable()
    {
        isBroken = false;
        isIdleKnown = false;
        isSentByUnity = false;
        isEverSentByUnity = false;
        TryBuild();
    }

    private void OnDisable()
    {
        Release();
    }

    private void OnDestroy()
    {
        Release();
    }

    // Unity's own message: it comes when the avatar is Humanoid and a layer has IK Pass on. Our own sending leaves this out.
    private void OnAnimatorIK(int layerIndex)
    {
        isSentByUnity = true;
        isEverSentByUnity = true;
    }

    private void LateUpdate()
    {
        if (native == null && !TryBuild()) return;
        if (bones == null && !HasConstraints) return;
        try
        {
            Solve();
            lastProblem = null;
        }
        catch (SinewException e)
        {
            if (e.Result == SinewResult.ErrorPanic || e.Result == SinewResult.ErrorPoisoned)
            {
                // The native object can only be destroyed; enabling again makes a new one.
                Release();
                isBroken = true;
            }
            // The same problem every frame is said once.
            if (e.Message == lastProblem) return;
            lastProblem = e.Message;
            Debug.LogError("SinewAnimator on '" + name + "': " + e.Message + ". The pose stays as animated.", this);
        }
    }

    private unsafe void Solve()
    {
        if (!mirror.Read(native.Pose))
        {
            Rebind();
            if (native == null || !mirror.Read(native.Pose)) return;
        }
        isResultShown = false;
        native.Root = WorldFromModel();
        if (bones != null) StepMatch();

        NativeAnimator solved = native;
        if (bones != null && MustSend())
        {
            callbacks.Send(this, 0);
            if (!ReferenceEquals(native, solved)) return; // a script disabled or rebound this component
        }
        if (bones != null)
        {
            SendSettings();
            AdvanceSwitches();
        }
        ApplyConstraints();
        try
        {
            native.Solve();
        }
        finally
        {
            if (bones != null)
            {
                native.ClearBody();
                native.ClearBoneLocalRotations();
            }
        }
        mirror.Write(native.Pose);
        isResultShown = true;
    }

    // Never twice per frame: what Unity sent since the last frame is not sent again. An Animator in step with physics has
    // frames without evaluation; they use the goals of the last one.
    private bool MustSend()
    {
        bool isSent = isSentByUnity;
        isSentByUnity = false;
        if (isSent) return false;
        bool isBetweenSteps = isEverSentByUnity && unityAnimator != null && unityAnimator.isActiveAndEnabled
            && (int)unityAnimator.updateMode == 1;
        return !isBetweenSteps;
    }

    /// <summary>Builds what is missing. False when this component is disabled or its rig cannot be used.</summary>
    private bool TryBuild()
    {
        if (native != null) return true;
        if (isBroken || !isActiveAndEnabled) return false;
        try
        {
            rig = new HumanRig(transform);
            if (rig.Joints.Length == 0)
            {
                description = "Not a humanoid: there is no Transform below this object.";
                isBroken = true;
                return false;
            }
            unityAnimator = GetComponent<Animator>();
            native = rig.Build(Rest(rig.Joints), humanBones, unityAnimator, Options());
            sentSettings = default(SinewHumanoidSettings);
            ForgetMatch();
            bones = rig.Bones;
            description = rig.Description;
            if (mirror == null || !mirror.Fits(rig.Joints)) mirror = new JointMirror(rig.Joints);
            if (callbacks == null) callbacks = new IKCallbacks();
            isResultShown = false;
            ReadPose();
            SinewRuntime.Add(this);
            return true;
        }
        catch (Exception e)
        {
            if (!(e is SinewException) && !(e is SinewLibraryException)) throw;
            Release();
            isBroken = true;
            bones = null;
            description = e.Message;
            Debug.LogError("SinewAnimator on '" + name + "' cannot work: " + e.Message, this);
            return false;
        }
    }

    private AvatarOptions Options()
    {
        SinewHumanRange[] ranges = new SinewHumanRange[humanRanges == null ? 0 : humanRanges.Length];
        for (int i = 0; i < ranges.Length; i++) ranges[i] = humanRanges[i].ToNative();
        return new AvatarOptions
        {
            HumanRanges = ranges,
            ArmStretch = armStretch, LegStretch = legStretch, FeetSpacing = feetSpacing,
            UpperArmTwist = upperArmTwist, LowerArmTwist = lowerArmTwist, UpperLegTwist = upperLegTwist, LowerLegTwist = lowerLegTwist,
        };
    }

    // So that getters know the pose before the first LateUpdate.
    private unsafe void ReadPose()
    {
        mirror.Read(native.Pose);
        native.Root = WorldFromModel();
    }

    /// <summary>Destroys the native objects; what was set is forgotten, the Transforms stay as they are.</summary>
    internal void Release()
    {
        if (native == null) return;
        native.Dispose();
        native = null;
        ForgetConstraints();
        SinewRuntime.Remove(this);
    }

    private unsafe SinewTransform WorldFromModel()
    {
        Transform own = transform;
        SinewTransform world = default(SinewTransform);
        *(Vector3*)&world.position = own.position;
        *(Quaternion*)&world.rotation = own.rotation;
        *(Vector3*)&world.scale = own.lossyScale;
        return world;
    }

    // After a solve the native pose is the result; questions about the animation's pose want the pose before it, standing
    // where the character stands now.
    private unsafe void ShowSource()
    {
        if (!isResultShown) return;
        mirror.ShowSource(native.Pose);
        native.Root = WorldFromModel();
        isResultShown = false;
    }

    private unsafe void ShowResult()
    {
        if (isResultShown) return;
        mirror.ShowResult(native.Pose);
        isResultShown = true;
    }

    private unsafe SinewTransform[] Rest(Transform[] joints)
    {
        Vector3[] positions = new Vector3[joints.Length];
        Quaternion[] rotations = new Quaternion[joints.Length];
        Vector3[] scales = new Vector3[joints.Length];
        SinewTransform[] rest = new SinewTransform[joints.Length];
        for (int i = 0; i < joints.Length; i++)
        {
            // Usually the same joints in the same order; a search only after a change of the hierarchy.
            int known = i < restJoints.Length && ReferenceEquals(restJoints[i], joints[i]) ? i : Array.IndexOf(restJoints, joints[i]);
            Vector3 position = known < 0 ? joints[i].localPosition : restPositions[known];
            Quaternion rotation = known < 0 ? joints[i].localRotation : restRotations[known];
            Vector3 scale = known < 0 ? joints[i].localScale : restScales[known];
            positions[i] = position;
            rotations[i] = rotation;
            scales[i] = scale;
            rest[i].position = *(SinewVec3*)&position;
            rest[i].rotation = *(SinewQuat*)&rotation;
            rest[i].scale = *(SinewVec3*)&scale;
        }
        restJoints = joints;
        restPositions = positions;
        restRotations = rotations;
        restScales = scales;
        return rest;
    }

    private unsafe void OnDrawGizmosSelected()
    {
        if (!drawGizmos || native == null || (bones == null && !HasConstraints)) return;
        ShowResult();
        if (debugLines == null) debugLines = new SinewDebugLine[128];
        int count = native.GetDebugLines(debugLines);
        if (count > debugLines.Length)
        {
            debugLines = new SinewDebugLine[count * 2];
            count = native.GetDebugLines(debugLines);
        }
        for (int i = 0; i < count; i++)
        {
            SinewDebugLine line = debugLines[i];
            Gizmos.color = ColorOf((SinewDebugPart)line.part);
            Gizmos.DrawLine(*(Vector3*)&line.from, *(Vector3*)&line.to);
        }
    }

    private static Color ColorOf(SinewDebugPart part)
    {
        switch (part)
        {
            case SinewDebugPart.Bone: return Color.white;
            case SinewDebugPart.Residual: return Color.red;
            case SinewDebugPart.GoalAxis: return Color.green;
            case SinewDebugPart.Hint: return Color.yellow;
            case SinewDebugPart.LookAt: return Color.cyan;
            default: return Color.magenta;
        }
    }
}
