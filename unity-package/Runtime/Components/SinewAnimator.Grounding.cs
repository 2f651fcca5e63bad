using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// What a grounder beside the component needs of it.
public sealed unsafe partial class SinewAnimator
{
    internal SinewGrounder Grounder;

    // Listed legs need a pass, on rigs that are no humanoids and have no constraint, too.
    private bool HasLegs
    {
        get { return Grounder != null && Grounder.HasLegs; }
    }

    /// <summary>A grounder came, went or has other legs: says no more than that the group is looked
    /// for again.</summary>
    internal void GroundingChanged()
    {
        if (bones == null && !HasConstraints && !HasLegs) SinewRunner.Leave(this);
    }

    /// <summary>Shows the animation's pose to <see cref="Animated"/>. False: no rig.</summary>
    internal bool ShowAnimated()
    {
        return Any() != null && ShowSource();
    }

    /// <summary>Goals that are set from now on count as those of a callback. Returns what <see
    /// cref="LeaveCallback"/> takes.</summary>
    internal bool EnterCallback()
    {
        bool was = isSending;
        isSending = true;
        return was;
    }

    internal void LeaveCallback(bool was)
    {
        isSending = was;
    }

    /// <summary>Where a joint is at rest, in this object's space.</summary>
    internal Vector3 RestPlace(int joint)
    {
        return Rest.PlaceOf(joint, rig.Parents);
    }

    internal int ParentOf(int joint)
    {
        return rig.Parents[joint];
    }

    internal void NeedJoint(int joint)
    {
        mirror.Need(joint);
    }

    /// <summary>Scale of the space that a joint's local position is in.</summary>
    internal Vector3 ScaleAbove(int joint)
    {
        Transform above = rig.Joints[joint].parent;
        return above == null ? Vector3.one : above.lossyScale;
    }

    /// <summary>Adds the limb of a listed leg, which is solved before all constraints.</summary>
    internal SinewConstraint AddLimb(SinewTwoBoneDef def)
    {
        SinewConstraint made = native.AddTwoBone(def);
        native.SetConstraintWeight(made, 0f);
        native.SetConstraintPlacement(made, SinewConstraintPlacement.After, SinewFrameStep.Grounding);
        return made;
    }

    /// <summary>A joint as animated, world space, after <see cref="ShowAnimated"/>.</summary>
    internal void Animated(int joint, out Vector3 position, out Quaternion rotation)
    {
        SinewVec3 at;
        SinewQuat turned;
        native.GetJointWorld(joint, out at, out turned);
        position = From(at);
        rotation = From(turned);
    }

    /// <summary>The animated foot in its goal frame, world space, after <see cref="ShowAnimated"/>.</summary>
    internal Quaternion AnimatedGoalFrame(AvatarIKGoal goal)
    {
        return From(native.GetIKRotation((SinewIkGoal)goal));
    }
}
