using System;
using Sinew;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

// What is known of the rig and its gaze. Not in Unity's Animator.
public sealed unsafe partial class SinewAnimator
{
    [NonSerialized] private float effort = 1f;
    [NonSerialized] private int sentWork; // as the native animator has it

    /// <summary>
    /// The native avatar: T-pose, human ranges and goal constants. Null for a rig that is no
    /// humanoid and while the component cannot work. It is shared with other characters: do not
    /// dispose it. </summary>
    public NativeAvatar nativeAvatar
    {
        get { return Settled() == null ? null : rig.NativeAvatar; }
    }

    /// <summary>
    /// The ray along which the character looks: from the middle of its eyes where its head faces.
    /// World space; in the callback that of the animation, afterwards that of the result.
    /// </summary>
    public Ray gazeRay
    {
        get
        {
            NativeAnimator human = Posed();
            SinewVec3 origin, direction;
            if (human == null || !human.TryGetGaze(out origin, out direction)) return new Ray(transform.position, transform.forward);
            return new Ray(From(origin), From(direction));
        }
    }

    /// <summary>
    /// Share of their iterations that the chain constraints of this character and its whole-body
    /// solver make, at least one iteration each: 0 to 1; default 1. It is multiplied by the share
    /// of the level of detail.
    /// </summary>
    public float iterationScale
    {
        get { return effort; }
        set
        {
            effort = Mathf.Clamp01(value);
            if (native != null) native.IterationScale = effort;
        }
    }

    // Only a change crosses, so that a frame costs no call more.
    private void SendWork()
    {
        if (sentWork == maxWork) return;
        sentWork = maxWork;
        native.MaxWork = Work(maxWork);
    }

    /// <summary>
    /// How names and shape of the rig map to human bones: a line per bone with its joint, the
    /// reason and the confidence, then required bones that are missing, then doubts. Whether or not
    /// the bones come from there. </summary>
    public string DescribeMapping()
    {
        return SinewRuntime.DescribeMapping(transform);
    }
}
