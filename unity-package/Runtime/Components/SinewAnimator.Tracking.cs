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

    /// <summary>Includes a bone in every pass from now on; null is none.</summary>
    internal void Need(Transform bone)
    {
        if (bone != null) mirror.Need(rig.IndexOf(bone));
    }

    /// <summary>Looks for the rig again, for a component that is enabled first.</summary>
    internal bool IsBuilt()
    {
        return TryBuild() && bones != null;
    }
}
