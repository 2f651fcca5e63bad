using System;
using Sinew;
using UnityEngine;

// The clock of a character: how much time a pass stands for. Passes need not be one per frame:
// Solve() and Update() come when a script calls them, and in step with physics several passes or
// none fall into a frame.
public sealed unsafe partial class SinewAnimator
{
    [NonSerialized] private bool isClockRunning;
    [NonSerialized] private bool isClockUnscaled;
    [NonSerialized] private double lastPassTime;
    [NonSerialized] private float givenSeconds = -1f; // of Update(seconds) under way; below 0: none

    /// <summary>Seconds that the pass under way stands for: since the pass before it, 0 or more, or
    /// what was given to Update. Unscaled time with that update mode of the Animator.</summary>
    internal float PassSeconds { get; private set; }

    /// <summary>The time of the pass under way, on the clock of <see
    /// cref="PassSeconds"/>.</summary>
    internal double PassTime
    {
        get { return lastPassTime; }
    }

    /// <summary>Whether that is unscaled time.</summary>
    internal bool IsClockUnscaled
    {
        get { return isClockUnscaled; }
    }

    private void AdvanceClock()
    {
        bool isUnscaled = unityAnimator != null && unityAnimator.updateMode == AnimatorUpdateMode.UnscaledTime;
        double now = Now(isUnscaled);
        float sinceFrame = isUnscaled ? Time.unscaledDeltaTime : Time.deltaTime;
        bool isKnown = isClockRunning && isUnscaled == isClockUnscaled && Application.isPlaying;
        float seconds = isKnown ? (float)(now - lastPassTime) : sinceFrame;
        PassSeconds = Mathf.Max(0f, givenSeconds >= 0f ? givenSeconds : seconds);
        isClockRunning = true;
        isClockUnscaled = isUnscaled;
        lastPassTime = now;
    }

    private static double Now(bool isUnscaled)
    {
        if (Time.inFixedTimeStep) return isUnscaled ? Time.fixedUnscaledTimeAsDouble : Time.fixedTimeAsDouble;
        return isUnscaled ? Time.unscaledTimeAsDouble : Time.timeAsDouble;
    }
}
