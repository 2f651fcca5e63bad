using System;
using System.Collections.Generic;
using Sinew;
using Sinew.Interop;
using UnityEngine;

// Constraints and joint limits of components (SinewChain and so on), on every rig, humanoid or
// generic. Those of scripts are in SinewAnimator.ScriptConstraints.cs.
public sealed unsafe partial class SinewAnimator
{
    [NonSerialized] private List<ConstraintBehaviour> constraints = new List<ConstraintBehaviour>();
    [NonSerialized] private List<Sinew.SinewJointLimits> limits = new List<Sinew.SinewJointLimits>();
    [NonSerialized] private bool isSetUpStale;
    [NonSerialized] private bool areUnownedAttached;
    [NonSerialized] private readonly List<SinewConstraint> scripted = new List<SinewConstraint>();
    [NonSerialized] private HumanRig rig;

    // Native constraints of components that were disabled, until their joints are back.
    [NonSerialized] private readonly List<SinewConstraint> leaving = new List<SinewConstraint>();
    [NonSerialized] private int lastNumber;
    [NonSerialized] private int scriptedAtSetUp;
    [NonSerialized] private int enabledFrame;

    /// <summary>Whether a constraint has had a switch time: then time passes.</summary>
    internal bool HasTimes { get; set; }

    private bool HasConstraints
    {
        get { return constraints.Count > 0 || scripted.Count > 0 || leaving.Count > 0; }
    }

    /// <summary>How far a joint is beyond its limits in the pose of the last pass,
    /// degrees.</summary>
    public float GetJointViolation(Transform joint)
    {
        NativeAnimator any = Any();
        if (any == null) return 0f;
        uint index = JointOf(joint);
        ShowResult();
        return any.GetJointViolation((int)index) * Mathf.Rad2Deg;
    }

    /// <summary>Index of a joint in the native skeleton, or -1 when the Transform is no joint of
    /// this character.</summary>
    public int IndexOf(Transform joint)
    {
        return TryBuild() && joint != null ? rig.IndexOf(joint) : -1;
    }

    internal uint JointOf(Transform joint)
    {
        int index = IndexOf(joint);
        if (index >= 0) mirror.Need(index);
        if (index >= 0) return (uint)index;
        throw new SinewException(
            SinewResult.ErrorJointNotFound,
            joint == null ? "a joint is None" : "'" + joint.name + "' is no joint below '" + name + "'");
    }

    internal static SinewAnimator Above(Transform from)
    {
        for (Transform t = from; t != null; t = t.parent)
        {
            SinewAnimator found = t.GetComponent<SinewAnimator>();
            if (found != null) return found;
        }
        return null;
    }

    internal void Attach(ConstraintBehaviour constraint)
    {
        constraints.Add(constraint);
        constraint.IsEntering = Time.frameCount != enabledFrame;
        isSetUpStale = true;
    }

    // By their order, which scripts and the Inspector may have changed; equal ones stay in the
    // order of their enabling.
    private void Sort()
    {
        for (int i = 1; i < constraints.Count; i++)
        {
            ConstraintBehaviour moved = constraints[i];
            int at = i;
            for (; at > 0 && constraints[at - 1].order > moved.order; at--) constraints[at] = constraints[at - 1];
            constraints[at] = moved;
        }
    }

    internal void Detach(ConstraintBehaviour constraint)
    {
        constraints.Remove(constraint);
        SinewConstraint handle = constraint.Handle;
        constraint.Handle = default(SinewConstraint);
        if (native == null || handle.IsNull) return;
        if (!constraint.HasTime || !isRunning)
        {
            native.RemoveConstraint(handle);
            return;
        }
        // It stays until its joints are where they are without it.
        native.InertializeConstraint(handle);
        native.SetConstraintWeight(handle, 0f);
        leaving.Add(handle);
    }

    internal void Attach(Sinew.SinewJointLimits of)
    {
        limits.Add(of);
        isSetUpStale = true;
    }

    internal void Detach(Sinew.SinewJointLimits of)
    {
        limits.Remove(of);
        if (native == null || of == null) return; // in Edit mode it may be gone, and its joint with it
        int joint = rig.IndexOf(of.transform);
        if (joint >= 0) native.ClearJointLimits(joint);
    }

    // Constraints and limits that were enabled before this component, or lost the one before it.
    private void AttachUnowned()
    {
        if (areUnownedAttached) return;
        areUnownedAttached = true;
        foreach (Sinew.SinewJointLimits each in GetComponentsInChildren<Sinew.SinewJointLimits>(false))
            if (each.isActiveAndEnabled && each.Owner == null) each.Reattach();
        foreach (ConstraintBehaviour each in GetComponentsInChildren<ConstraintBehaviour>(false))
            if (each.isActiveAndEnabled && each.Owner == null) each.Reattach();
    }

    private void DetachAll()
    {
        for (int i = 0; i < constraints.Count; i++) constraints[i].OnOwnerDestroyed();
        for (int i = 0; i < limits.Count; i++) limits[i].OnOwnerDestroyed();
        constraints.Clear();
        limits.Clear();
    }

    internal void Renew()
    {
        isSetUpStale = true;
    }

    internal void Renew(ConstraintBehaviour constraint)
    {
        constraint.IsStale = true;
        isSetUpStale = true;
    }

    internal void Announce(ConstraintBehaviour constraint)
    {
        if (native != null && isRunning && !constraint.Handle.IsNull) native.InertializeConstraint(constraint.Handle);
    }

    internal bool IsSwitching(ConstraintBehaviour constraint)
    {
        return native != null && isRunning && !constraint.Handle.IsNull && native.IsConstraintInertializing(constraint.Handle);
    }

    internal Outcome OutcomeOf(ConstraintBehaviour constraint)
    {
        return native == null || !isRunning || constraint.Handle.IsNull ? default(Outcome) : native.GetConstraintOutcome(constraint.Handle);
    }

    internal bool IsBendArbitrary(ConstraintBehaviour constraint)
    {
        return native != null && isRunning && !constraint.Handle.IsNull && native.IsConstraintBendArbitrary(constraint.Handle);
    }

    internal bool TryPoleInPlace(ConstraintBehaviour constraint, SinewPole pole, out float angle)
    {
        angle = 0f;
        if (!TryBuild()) return false;
        SetUpConstraints();
        if (constraint.Handle.IsNull) return false;
        constraint.Apply(native);
        if (!ShowSource()) return false;
        angle = native.GetPoleInPlace(constraint.Handle, pole);
        return true;
    }

    // The native constraints of the components, in their order. One that came or changed is added,
    // and those behind it anew: they are solved in the order of adding.
    private void SetUpConstraints()
    {
        if (!isSetUpStale) return;
        isSetUpStale = false;
        for (int i = 0; i < limits.Count; i++)
        {
            try
            {
                limits[i].Set(this, native);
            }
            catch (SinewException e)
            {
                Debug.LogError("SinewJointLimits on '" + limits[i].name + "': " + e.Message + ".", limits[i]);
            }
            catch (Exception e)
            {
                Debug.LogException(e, limits[i]);
            }
        }
        Sort();
        bool isKept = scriptedAtSetUp == scripted.Count;
        scriptedAtSetUp = scripted.Count;
        int before = 0;
        for (int i = 0; i < constraints.Count; i++)
        {
            ConstraintBehaviour constraint = constraints[i];
            isKept &= constraint.IsRefused || (!constraint.IsStale && !constraint.Handle.IsNull && constraint.Number > before);
            if (isKept)
            {
                if (!constraint.IsRefused) before = constraint.Number;
                continue;
            }
            if (!constraint.Handle.IsNull) native.RemoveConstraint(constraint.Handle);
            constraint.Handle = default(SinewConstraint);
            if (constraint.IsRefused) continue;
            try
            {
                constraint.Begin();
                constraint.Handle = constraint.Add(this, native);
                constraint.Number = ++lastNumber;
                if (constraint.placement != SinewConstraintPlacement.Stack)
                    native.SetConstraintPlacement(constraint.Handle, constraint.placement, constraint.step);
            }
            catch (SinewException e)
            {
                constraint.Refuse(e.Message);
                Debug.LogError(constraint.GetType().Name + " on '" + constraint.name + "' does nothing: " + e.Message + ".", constraint);
            }
            catch (Exception e)
            {
                constraint.Refuse(e.Message);
                Debug.LogException(e, constraint);
            }
        }
    }

    private void ApplyConstraints()
    {
        SetUpConstraints();
        if (Grounder != null) Grounder.TryApplyLegs();
        for (int i = 0; i < constraints.Count; i++)
            if (!constraints[i].Handle.IsNull) constraints[i].TryApply(native);
        for (int i = leaving.Count - 1; i >= 0; i--)
        {
            if (native.IsConstraintInertializing(leaving[i])) continue;
            native.RemoveConstraint(leaving[i]);
            leaving.RemoveAt(i);
        }
    }

    private void ForgetConstraints()
    {
        for (int i = 0; i < constraints.Count; i++) constraints[i].Handle = default(SinewConstraint);
        scripted.Clear();
        leaving.Clear();
        HasTimes = false;
        isSetUpStale = true;
    }
}
