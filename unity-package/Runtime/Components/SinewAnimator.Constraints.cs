using System;
using System.Collections.Generic;
using Sinew;
using Sinew.Interop;
using UnityEngine;

// Constraints and joint limits, on every rig, humanoid or generic: those of components (SinewChain and so on) and those a script adds.
//
// Common to the members a script calls: points, directions and rotations are in world space, metres (Unity units). What a script adds is
// solved before what components add, in the order of adding. It lasts until it is removed, the component is disabled, or Rebind is
// called; its name then throws SinewException with ErrorInvalidHandle. While the component is disabled calls have no effect.
public sealed unsafe partial class SinewAnimator
{
    [NonSerialized] private List<ConstraintBehaviour> constraints = new List<ConstraintBehaviour>();
    [NonSerialized] private List<Sinew.SinewJointLimits> limits = new List<Sinew.SinewJointLimits>();
    [NonSerialized] private bool isSetUpStale;
    [NonSerialized] private readonly List<SinewConstraint> scripted = new List<SinewConstraint>();
    [NonSerialized] private HumanRig rig;

    private bool HasConstraints
    {
        get { return constraints.Count > 0 || scripted.Count > 0; }
    }

    /// <summary>Adds a chain of the last joints down to one. Call it in Start or later.</summary>
    /// <param name="end">The last joint, below this object.</param>
    /// <param name="jointCount">Number of joints, the end counted; 0: all the way to the topmost joint.</param>
    /// <param name="solver">The method; Default reaches what can be reached.</param>
    /// <returns>Its name, for the members below; the null handle while this component is disabled.</returns>
    public SinewConstraint AddChain(Transform end, int jointCount = 0, SinewChainSolver solver = SinewChainSolver.Default)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        return Scripted(any.AddChain((int)JointOf(end), jointCount, solver));
    }

    /// <summary>Adds a limb of two bones: a joint, its parent, and its parent's parent.</summary>
    public SinewConstraint AddTwoBone(Transform end)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        SinewTwoBoneDef def = NativeAnimator.DefaultTwoBone();
        def.end = JointOf(end);
        return Scripted(any.AddTwoBone(def));
    }

    /// <summary>Adds joints that share the turn of an axis of the last one towards the position that is set.</summary>
    public SinewConstraint AddAim(Transform end, Vector3 axis, int jointCount = 1)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        SinewAimDef def = NativeAnimator.DefaultAim();
        def.end = JointOf(end);
        def.joint_count = (uint)Math.Max(0, jointCount);
        def.axis = To(axis);
        return Scripted(any.AddAim(def));
    }

    /// <summary>Takes a constraint of a script away.</summary>
    public void RemoveConstraint(SinewConstraint constraint)
    {
        NativeAnimator any = Any();
        if (any == null) return;
        any.RemoveConstraint(constraint);
        scripted.Remove(constraint);
    }

    /// <summary>Sets how far the pose goes from the animation (0, the default) to the constraint's answer (1).</summary>
    public void SetConstraintWeight(SinewConstraint constraint, float value)
    {
        NativeAnimator any = Any();
        if (any != null) any.SetConstraintWeight(constraint, value);
    }

    /// <summary>Sets where the end of a constraint shall be.</summary>
    public void SetConstraintPosition(SinewConstraint constraint, Vector3 position, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null) any.SetConstraintPosition(constraint, end, To(position));
    }

    /// <summary>Sets how the end's joint shall be turned.</summary>
    public void SetConstraintRotation(SinewConstraint constraint, Quaternion rotation, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null) any.SetConstraintRotation(constraint, end, To(rotation));
    }

    /// <summary>Sets everything of an end at once; start from <see cref="NativeAnimator.DefaultConstraintGoal"/>.</summary>
    public void SetConstraintGoal(SinewConstraint constraint, SinewConstraintGoal goal, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null) any.SetConstraintGoal(constraint, end, goal);
    }

    /// <summary>Sets the point a chain or limb bends towards.</summary>
    public void SetConstraintPole(SinewConstraint constraint, Vector3 position, float poleWeight = 1f)
    {
        NativeAnimator any = Any();
        if (any == null) return;
        SinewPole pole = NativeAnimator.DefaultPole();
        pole.at = To(position);
        pole.weight = poleWeight;
        any.SetConstraintPole(constraint, pole);
    }

    /// <summary>What the last solve left of a constraint.</summary>
    public Outcome GetConstraintOutcome(SinewConstraint constraint)
    {
        NativeAnimator any = Any();
        return any == null ? default(Outcome) : any.GetConstraintOutcome(constraint);
    }

    /// <summary>How far a joint is beyond its limits in the pose of the last pass, degrees.</summary>
    public float GetJointViolation(Transform joint)
    {
        NativeAnimator any = Any();
        if (any == null) return 0f;
        uint index = JointOf(joint);
        ShowResult();
        return any.GetJointViolation((int)index) * Mathf.Rad2Deg;
    }

    /// <summary>Index of a joint in the native skeleton, or -1 when the Transform is no joint of this character.</summary>
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
        int at = constraints.Count;
        while (at > 0 && constraints[at - 1].order > constraint.order) at--;
        constraints.Insert(at, constraint);
        isSetUpStale = true;
    }

    internal void Detach(ConstraintBehaviour constraint)
    {
        constraints.Remove(constraint);
        if (native != null && !constraint.Handle.IsNull) native.RemoveConstraint(constraint.Handle);
        constraint.Handle = default(SinewConstraint);
    }

    internal void Attach(Sinew.SinewJointLimits of)
    {
        limits.Add(of);
        isSetUpStale = true;
    }

    internal void Detach(Sinew.SinewJointLimits of)
    {
        limits.Remove(of);
        if (native == null) return;
        int joint = rig.IndexOf(of.transform);
        if (joint >= 0) native.ClearJointLimits(joint);
    }

    internal void Renew()
    {
        isSetUpStale = true;
    }

    internal Outcome OutcomeOf(ConstraintBehaviour constraint)
    {
        return native == null || !isRunning || constraint.Handle.IsNull ? default(Outcome) : native.GetConstraintOutcome(constraint.Handle);
    }

    internal bool TryPoleInPlace(ConstraintBehaviour constraint, SinewPole pole, out float angle)
    {
        angle = 0f;
        if (!TryBuild()) return false;
        SetUpConstraints();
        if (constraint.Handle.IsNull) return false;
        constraint.Apply(native);
        ShowSource();
        angle = native.GetPoleInPlace(constraint.Handle, pole);
        return true;
    }

    // The native constraints of the components, in their order; anew when something came or changed.
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
        }
        for (int i = 0; i < constraints.Count; i++)
        {
            ConstraintBehaviour constraint = constraints[i];
            if (!constraint.Handle.IsNull) native.RemoveConstraint(constraint.Handle);
            constraint.Handle = default(SinewConstraint);
            if (constraint.IsRefused) continue;
            try
            {
                constraint.Handle = constraint.Add(this, native);
            }
            catch (SinewException e)
            {
                constraint.IsRefused = true;
                Debug.LogError(constraint.GetType().Name + " on '" + constraint.name + "' does nothing: " + e.Message + ".", constraint);
            }
        }
    }

    private void ApplyConstraints()
    {
        SetUpConstraints();
        for (int i = 0; i < constraints.Count; i++)
            if (!constraints[i].Handle.IsNull) constraints[i].Apply(native);
    }

    private void ForgetConstraints()
    {
        for (int i = 0; i < constraints.Count; i++) constraints[i].Handle = default(SinewConstraint);
        scripted.Clear();
        isSetUpStale = true;
    }

    private void RemoveScripted()
    {
        for (int i = 0; i < scripted.Count; i++) native.RemoveConstraint(scripted[i]);
        scripted.Clear();
    }

    private SinewConstraint Scripted(SinewConstraint made)
    {
        scripted.Add(made);
        return made;
    }
}
