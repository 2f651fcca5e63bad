using System;
using System.Collections.Generic;
using Sinew;
using Sinew.Interop;
using UnityEngine;

// What the Editor needs: bones and rest poses without native objects, and the pass in Edit mode
// (Animation window, Timeline).
public sealed unsafe partial class SinewAnimator
{
    /// <summary>Whether poses that the Animation window or Timeline shows in Edit mode are solved
    /// too.</summary>
    [Tooltip("Whether poses that the Animation window or Timeline shows in Edit mode are solved too. Default on.")]
    public bool previewInEditMode = true;

    [NonSerialized] private bool isPreviewing;
    [NonSerialized] private RestPose previewRest; // never saved with a scene
    [NonSerialized] private BoundRest boundRest;
    [NonSerialized] private Transform[] mappedBones;
    [NonSerialized] private int mappedChildren = -1;
    private static readonly List<SinewJointLimits> foundLimits = new List<SinewJointLimits>();
    private static readonly List<ConstraintBehaviour> foundConstraints = new List<ConstraintBehaviour>();

    /// <summary>Whether a preview of Edit mode is under way.</summary>
    internal bool IsPreviewing
    {
        get { return isPreviewing; }
    }

    private RestPose Rest
    {
        get { return previewRest ?? restPose; }
    }

    /// <summary>The local rotation of a joint at rest; without a rig, the one it has.</summary>
    internal Quaternion RestRotationOf(Transform joint)
    {
        if (Application.isPlaying || previewRest != null || !restFromMeshes) return Rest.RotationOf(joint);
        if (boundRest == null) boundRest = new BoundRest();
        return boundRest.RotationOf(transform, joint);
    }

    /// <summary>
    /// The Transform of a human bone, also in Edit mode and of a disabled component; null when
    /// there is none or the rig is no humanoid. Looks the rig up once and again when its hierarchy
    /// changed.
    /// </summary>
    internal Transform FindBone(HumanBodyBones bone)
    {
        if (native != null) return bones == null ? null : bones[(int)bone];
        FindAnimator();
        if (humanBones != null && humanBones.Length > 0)
        {
            for (int i = humanBones.Length - 1; i >= 0; i--)
                if (humanBones[i].bone == bone) return humanBones[i].transform;
            return null;
        }
        if (unityAnimator != null && unityAnimator.isHuman) return unityAnimator.GetBoneTransform(bone);
        if (mappedChildren != transform.hierarchyCount)
        {
            mappedChildren = transform.hierarchyCount;
            string sentence;
            mappedBones = HumanRig.Map(transform, out sentence);
        }
        return mappedBones == null ? null : mappedBones[(int)bone];
    }

    /// <summary>Begins to solve in Edit mode. The rest pose is that of <paramref name="restOf"/>'s
    /// Transforms where it gives one.</summary>
    internal void BeginPreview(Func<Transform, Transform> restOf)
    {
        if (isPreviewing || Application.isPlaying) return;
        isPreviewing = true;
        isRunning = true;
        isBroken = false;
        isIdleKnown = false;
        refused.Clear();
        isSentByUnity = false;
        ClearGoals();
        previewRest = new RestPose();
        previewRest.Fill(new HumanRig(transform), restOf, restFromMeshes);
        foreach (SinewJointLimits each in GetComponentsInChildren<SinewJointLimits>(false))
            if (each.enabled) each.Reattach();
        foreach (ConstraintBehaviour each in GetComponentsInChildren<ConstraintBehaviour>(false))
            if (each.enabled) each.Reattach();
    }

    /// <summary>A pass in Edit mode: goals of SinewGoals and of scripts that run in Edit mode,
    /// constraints, solve, write.</summary>
    internal void SolvePreview()
    {
        if (!isPreviewing) return;
        FollowComponents();
        SinewRunner.SolveAlone(this);
    }

    // Components get neither OnEnable nor OnDisable in Edit mode: those that were added, switched
    // or destroyed are looked for.
    private void FollowComponents()
    {
        for (int i = constraints.Count - 1; i >= 0; i--)
            if (constraints[i] == null || !constraints[i].isActiveAndEnabled) constraints[i].Unhook();
        for (int i = limits.Count - 1; i >= 0; i--)
        {
            if (limits[i] == null) Forget(limits[i]);
            else if (!limits[i].isActiveAndEnabled) limits[i].Unhook();
        }
        GetComponentsInChildren(false, foundLimits);
        for (int i = 0; i < foundLimits.Count; i++)
            if (foundLimits[i].isActiveAndEnabled && foundLimits[i].Owner == null) foundLimits[i].Reattach();
        GetComponentsInChildren(false, foundConstraints);
        for (int i = 0; i < foundConstraints.Count; i++)
            if (foundConstraints[i].isActiveAndEnabled && foundConstraints[i].Owner == null) foundConstraints[i].Reattach();
    }

    private void Forget(SinewJointLimits of)
    {
        limits.Remove(of);
        if (native == null) return;
        // The joint may be there still.
        for (int joint = 0; joint < rig.Joints.Length; joint++) native.ClearJointLimits(joint);
        isSetUpStale = true;
    }

    /// <summary>
    /// Puts back what the animation, not the preview, wrote; before a scene is saved. The next <see
    /// cref="SolvePreview"/> solves again.
    /// </summary>
    internal void HidePreview()
    {
        if (isPreviewing && mirror != null) mirror.PutBack();
    }

    /// <summary>Ends the preview: joints that still hold its result get their own values back,
    /// native objects are destroyed.</summary>
    internal void EndPreview()
    {
        if (!isPreviewing) return;
        HidePreview();
        foreach (ConstraintBehaviour each in constraints.ToArray()) each.Unhook();
        foreach (SinewJointLimits each in limits.ToArray())
            if (each != null) each.Unhook();
        limits.Clear();
        ClearGoals();
        Release();
        isPreviewing = false;
        isRunning = false;
        previewRest = null;
    }
}
