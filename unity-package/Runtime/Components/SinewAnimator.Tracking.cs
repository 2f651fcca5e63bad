using Sinew;
using UnityEngine;

// What a tracked body beside the component needs of it.
public sealed unsafe partial class SinewAnimator
{
    internal SinewTrackedBody Tracked;

    /// <summary>The local pose that goes into the pass.</summary>
    internal SinewTransform* PoseBuffer
    {
        get { return native.Pose; }
    }

    /// <summary>Asks again for the rig, for a component that is enabled first.</summary>
    internal bool IsBuilt()
    {
        return TryBuild() && bones != null;
    }
}
