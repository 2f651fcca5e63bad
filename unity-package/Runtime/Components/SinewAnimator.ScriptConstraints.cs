using System;
using System.Collections.Generic;
using System.Globalization;
using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// Constraints and joint limits that a script adds, on every rig, humanoid or generic.
//
// Common to all members: points, directions and rotations are in world space, metres (Unity units).
// Numbers that are not finite, and rotations and axes of no length, are not taken: what was set
// before counts, and one error names the member, the argument and the value.
//
// What a script adds is solved before what components add, in the order of adding. It lasts until
// it is removed, the component is disabled, or Rebind is called; its name then throws
// SinewException with ErrorInvalidHandle. While the component is disabled calls have no effect.
public sealed unsafe partial class SinewAnimator
{
    // Members that were given a number that is not finite.
    [NonSerialized] private readonly List<string> refused = new List<string>();

    /// <summary>Adds a chain of the last joints down to one. Call it in Start or later.</summary>
    /// <param name="end">The last joint, below this object.</param>
    /// <param name="jointCount">Number of joints, the end counted; 0: all the way to the topmost
    /// joint.</param> <param name="solver">The method; Default reaches what can be reached.</param>
    /// <returns>Its name, for the members below; the null handle while this component is
    /// disabled.</returns>
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

    /// <summary>Adds joints that share the turn of an axis of the last one towards the position
    /// that is set.</summary>
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

    /// <summary>Sets how far the pose goes from the animation (0, the default) to the constraint's
    /// answer (1).</summary>
    public void SetConstraintWeight(SinewConstraint constraint, float value)
    {
        NativeAnimator any = Any();
        if (any != null && IsTaken(value, "SetConstraintWeight", "value")) any.SetConstraintWeight(constraint, value);
    }

    /// <summary>Sets the goal position of the end of a constraint.</summary>
    public void SetConstraintPosition(SinewConstraint constraint, Vector3 position, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null && IsTaken(position, "SetConstraintPosition", "position")) any.SetConstraintPosition(constraint, end, To(position));
    }

    /// <summary>Sets the goal rotation of the end's joint.</summary>
    public void SetConstraintRotation(SinewConstraint constraint, Quaternion rotation, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null && IsTaken(rotation, "SetConstraintRotation")) any.SetConstraintRotation(constraint, end, ToRotation(rotation));
    }

    /// <summary>Sets everything of an end at once; start from <see
    /// cref="NativeAnimator.DefaultConstraintGoal"/>.</summary>
    public void SetConstraintGoal(SinewConstraint constraint, SinewConstraintGoal goal, int end = 0)
    {
        NativeAnimator any = Any();
        if (any == null) return;
        try
        {
            any.SetConstraintGoal(constraint, end, goal);
        }
        catch (SinewException e)
        {
            if (e.Result != SinewResult.ErrorNotFinite) throw;
            Refuse("SetConstraintGoal", e.Message);
        }
    }

    /// <summary>Sets the point a chain or limb bends towards.</summary>
    public void SetConstraintPole(SinewConstraint constraint, Vector3 position, float poleWeight = 1f)
    {
        NativeAnimator any = Any();
        bool isTaken = any != null && IsTaken(position, "SetConstraintPole", "position") && IsTaken(poleWeight, "SetConstraintPole", "poleWeight");
        if (!isTaken) return;
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

    /// <summary>Adds a chain or tree of joints with all its settings; start from <see
    /// cref="NativeAnimator.DefaultChain"/>.</summary> <param name="ends">The ends: one makes a
    /// chain, 2 to 16 a tree. The settings' joint count counts from the first one.</param> <param
    /// name="tips">A point of each end that reaches for its goal, in the joint's space; null: the
    /// joints themselves.</param> <param name="settings">Method, tolerances, plane and so on; its
    /// ends are replaced by the array's.</param> <param name="springBias">For the solver Spring:
    /// one number per joint from the chain's root on; null: all 1.</param> <returns>Its name; the
    /// null handle while this component is disabled.</returns>
    public SinewConstraint AddChain(Transform[] ends, Vector3[] tips, SinewChainDef settings, float[] springBias = null)
    {
        if (ends == null) throw new ArgumentNullException("ends");
        if (tips != null && tips.Length != ends.Length)
            throw new ArgumentException("tips has " + tips.Length + " entries, ends has " + ends.Length, "tips");
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        SinewChainEnd[] natives = new SinewChainEnd[ends.Length];
        for (int i = 0; i < ends.Length; i++)
            natives[i] = new SinewChainEnd { joint = JointOf(ends[i]), tip = tips == null ? default(SinewVec3) : To(tips[i]) };
        return Scripted(any.AddChain(natives, settings, springBias));
    }

    /// <summary>Adds a limb of two bones with all its settings; start from <see
    /// cref="NativeAnimator.DefaultTwoBone"/>.</summary>
    public SinewConstraint AddTwoBone(Transform end, SinewTwoBoneDef settings)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        settings.end = JointOf(end);
        return Scripted(any.AddTwoBone(settings));
    }

    /// <summary>Adds an aim with all its settings; start from <see
    /// cref="NativeAnimator.DefaultAim"/>.</summary> <param name="end">The last joint, in which the
    /// ray is fixed.</param> <param name="settings">Joint count, axis, clamp and so on.</param>
    /// <param name="weights">Share of each joint, from the first one to the end; null: equal
    /// shares.</param>
    public SinewConstraint AddAim(Transform end, SinewAimDef settings, float[] weights = null)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        settings.end = JointOf(end);
        return Scripted(any.AddAim(settings, weights));
    }

    /// <summary>
    /// Adds a chain that follows a curve; start from <see cref="NativeAnimator.DefaultSpline"/>.
    /// Its ends are the control points: set them with <see cref="SetConstraintPosition"/>.
    /// </summary>
    /// <param name="end">The last joint.</param>
    /// <param name="settings">Joint count, number of points, kind of curve, stretch and
    /// roll.</param>
    public SinewConstraint AddSpline(Transform end, SinewSplineDef settings)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        settings.end = JointOf(end);
        return Scripted(any.AddSpline(settings));
    }

    /// <summary>Adds a joint that turns as another one, or as the rotation that is set.</summary>
    /// <param name="joint">The joint that turns.</param>
    /// <param name="source">A joint of this character; null: the rotation set with <see
    /// cref="SetConstraintRotation"/>.</param>
    public SinewConstraint AddCopyRotation(Transform joint, Transform source = null)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        SinewCopyRotationDef def = NativeAnimator.DefaultCopyRotation();
        def.source = source == null ? -1 : (int)JointOf(source);
        return AddCopyRotation(joint, def);
    }

    /// <summary>Adds a copied rotation with all its settings; start from <see
    /// cref="NativeAnimator.DefaultCopyRotation"/>.</summary>
    public SinewConstraint AddCopyRotation(Transform joint, SinewCopyRotationDef settings)
    {
        NativeAnimator any = Any();
        if (any == null) return default(SinewConstraint);
        settings.joint = JointOf(joint);
        return Scripted(any.AddCopyRotation(settings));
    }

    /// <summary>Sets the goal direction (world space) of an axis of the end's joint (joint space);
    /// ignored while a rotation is set.</summary>
    public void SetConstraintAxis(SinewConstraint constraint, Vector3 axis, Vector3 direction, int end = 0)
    {
        NativeAnimator any = Any();
        bool isTaken = any != null && IsTakenAxis(axis, "SetConstraintAxis", "axis") && IsTakenAxis(direction, "SetConstraintAxis", "direction");
        if (isTaken) any.SetConstraintAxis(constraint, end, To(axis), To(direction));
    }

    /// <summary>Sets how far an end follows its position, 0 to 1; default 1.</summary>
    public void SetConstraintPositionWeight(SinewConstraint constraint, float value, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null && IsTaken(value, "SetConstraintPositionWeight", "value")) any.SetConstraintPositionWeight(constraint, end, value);
    }

    /// <summary>Sets how far an end follows its rotation or axis, 0 to 1; default 1.</summary>
    public void SetConstraintRotationWeight(SinewConstraint constraint, float value, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null && IsTaken(value, "SetConstraintRotationWeight", "value")) any.SetConstraintRotationWeight(constraint, end, value);
    }

    /// <summary>Makes an end's position the centre of a sphere that it stays inside, on or outside
    /// of; radius in world units.</summary>
    public void SetConstraintDistance(SinewConstraint constraint, SinewDistanceMode mode, float radius, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null && IsTaken(radius, "SetConstraintDistance", "radius")) any.SetConstraintDistance(constraint, end, mode, Mathf.Max(0f, radius));
    }

    /// <summary>Clears the goal of an end: it is carried along.</summary>
    public void ClearConstraintGoal(SinewConstraint constraint, int end = 0)
    {
        NativeAnimator any = Any();
        if (any != null) any.ClearConstraintGoal(constraint, end);
    }

    /// <summary>Sets a pole with all its settings; start from <see
    /// cref="NativeAnimator.DefaultPole"/>.</summary>
    public void SetConstraintPole(SinewConstraint constraint, SinewPole pole)
    {
        NativeAnimator any = Any();
        if (any == null) return;
        try
        {
            any.SetConstraintPole(constraint, pole);
        }
        catch (SinewException e)
        {
            if (e.Result != SinewResult.ErrorNotFinite) throw;
            Refuse("SetConstraintPole", e.Message);
        }
    }

    /// <summary>Clears the pole: the bend of the animation.</summary>
    public void ClearConstraintPole(SinewConstraint constraint)
    {
        NativeAnimator any = Any();
        if (any != null) any.ClearConstraintPole(constraint);
    }

    /// <summary>Sets where in the frame a constraint is solved: in the stack (default), or right
    /// before or after a step.</summary>
    public void SetConstraintPlacement(
        SinewConstraint constraint, SinewConstraintPlacement placement, SinewFrameStep step = SinewFrameStep.Constraints)
    {
        NativeAnimator any = Any();
        if (any != null) any.SetConstraintPlacement(constraint, placement, step);
    }

    /// <summary>Sets the time in which the joints of a constraint go over to other weights or
    /// goals, seconds; 0 (default): at once. Changed weights, goals and poles that are set or
    /// cleared, and <see cref="InertializeConstraint"/> start a switch.</summary>
    public void SetConstraintInertializationTime(SinewConstraint constraint, float seconds)
    {
        NativeAnimator any = Any();
        if (any == null || !IsTaken(seconds, "SetConstraintInertializationTime", "seconds")) return;
        any.SetConstraintInertializationTime(constraint, isPreviewing ? 0f : seconds);
        if (seconds > 0f) HasTimes = true;
    }

    /// <summary>Starts a switch of a constraint: goals and pole that are set from now on replace
    /// the old ones within its time.</summary>
    public void InertializeConstraint(SinewConstraint constraint)
    {
        NativeAnimator any = Any();
        if (any != null) any.InertializeConstraint(constraint);
    }

    /// <summary>Whether a constraint is going over to other weights or goals.</summary>
    public bool IsConstraintInertializing(SinewConstraint constraint)
    {
        NativeAnimator any = Any();
        return any != null && any.IsConstraintInertializing(constraint);
    }

    /// <summary>Sets what a joint may do, for every constraint; start from <see
    /// cref="NativeAnimator.DefaultJointLimits"/>.</summary> <remarks>They last until they are
    /// cleared, the rig is rebuilt, or a SinewJointLimits component on the joint replaces
    /// them.</remarks>
    public void SetJointLimits(Transform joint, SinewJointLimitsDef jointLimits)
    {
        NativeAnimator any = Any();
        if (any == null) return;
        isSettled = true;
        try
        {
            any.SetJointLimits((int)JointOf(joint), jointLimits);
        }
        catch (SinewException e)
        {
            if (e.Result != SinewResult.ErrorNotFinite) throw;
            Refuse("SetJointLimits", e.Message);
        }
    }

    /// <summary>Clears the limits of a joint.</summary>
    public void ClearJointLimits(Transform joint)
    {
        NativeAnimator any = Any();
        if (any != null) any.ClearJointLimits((int)JointOf(joint));
    }

    private bool IsTaken(float value, string member, string argument)
    {
        return IsFinite(value) || Refuse(member, argument, value.ToString(CultureInfo.InvariantCulture));
    }

    private bool IsTaken(Vector3 v, string member, string argument)
    {
        return IsFinite(v) || Refuse(member, argument, v.ToString());
    }

    private bool IsTakenAxis(Vector3 v, string member, string argument)
    {
        if (!IsTaken(v, member, argument)) return false;
        return !v.Equals(Vector3.zero) || Refuse(member, argument, v + ", which has no length");
    }

    private bool IsTaken(Quaternion q, string member)
    {
        double squared = Squared(q);
        bool isTurn = squared > 1e-12 && !double.IsInfinity(squared); // false for NaN
        return isTurn || Refuse(member, "rotation", q + (squared <= 1e-12 ? ", which has no length (an unset field?)" : ""));
    }

    private bool Refuse(string member, string argument, string value)
    {
        return Refuse(member, argument + " is " + value);
    }

    // Logged once for each member until the component is enabled again.
    private bool Refuse(string member, string what)
    {
        if (refused.Contains(member)) return false;
        refused.Add(member);
        Debug.LogError("SinewAnimator on '" + name + "': " + member + ": " + what + ". What was set before counts. Further cases are not logged.", this);
        return false;
    }

    private void RemoveScripted()
    {
        for (int i = 0; i < scripted.Count; i++) native.RemoveConstraint(scripted[i]);
        scripted.Clear();
    }

    private SinewConstraint Scripted(SinewConstraint made)
    {
        isSettled = true;
        scripted.Add(made);
        return made;
    }
}
