using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// What a grounder beside the component needs of it.
public sealed unsafe partial class SinewAnimator
{
    internal SinewGrounder Grounder;

    /// <summary>Shows the animation's pose to <see cref="Animated"/>. False: no humanoid.</summary>
    internal bool ShowAnimated()
    {
        return Posed() != null;
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
