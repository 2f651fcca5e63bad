using Sinew;
using UnityEngine;

// What makes `using Animator = SinewAnimator;` enough to port a script.
public sealed unsafe partial class SinewAnimator
{
    private bool isAloneKnown;
    private bool isByHand;

    /// <summary>
    /// Switches this component and the Animator beside it on or off together. Through a variable of
    /// type Behaviour it is this component alone.
    /// </summary>
    public new bool enabled
    {
        get
        {
            Animator animator = Forwarded(null);
            return base.enabled && (animator == null || animator.enabled);
        }
        set
        {
            Animator animator = Forwarded(null);
            if (animator != null) animator.enabled = value;
            base.enabled = value;
        }
    }

    /// <summary>The Animator on the same object, or null; not in Unity's Animator.</summary>
    public Animator unityAnimatorComponent
    {
        get { return Forwarded(null); }
    }

    /// <summary>The Animator beside it, for code that takes Unity's own.</summary>
    public static implicit operator Animator(SinewAnimator sinew)
    {
        return ReferenceEquals(sinew, null) ? null : sinew.Forwarded(null);
    }

    /// <summary>The SinewAnimator beside an Animator that code which is not ported gives; null when
    /// there is none, or for null. Searches the object's components: convert once, in
    /// Start.</summary>
    public static implicit operator SinewAnimator(Animator animator)
    {
        SinewAnimator found;
        return animator != null && animator.TryGetComponent(out found) ? found : null;
    }

    // Works while disabled too, as the Animator's does: that is how scripts play fewer frames.
    internal void UpdateUnity(float deltaTime)
    {
        Animator animator = Forwarded("Update");
        float outer = givenSeconds;
        bool wasByHand = isByHand;
        givenSeconds = Mathf.Max(0f, deltaTime);
        isByHand = true;
        try
        {
            if (animator != null)
            {
                SinewRunner.CountEvaluation();
                isUpdatingUnity = true;
                animator.Update(deltaTime);
                isUpdatingUnity = false;
            }
            Solve();
        }
        finally
        {
            isUpdatingUnity = false;
            isByHand = wasByHand;
            givenSeconds = outer;
        }
    }

    // The Animator, also of a component that is disabled; one warning when something needs it and
    // there is none.
    private Animator Forwarded(string member = null)
    {
        FindAnimator();
        if (unityAnimator == null && member != null && !isAloneKnown)
        {
            isAloneKnown = true;
            Debug.LogWarning("SinewAnimator on '" + name + "': there is no Animator beside it, so " + member
                + " and the other members that are not IK give defaults.", this);
        }
        return unityAnimator;
    }

    private void SayMissing(string member)
    {
        if (isAloneKnown) return;
        isAloneKnown = true;
        Debug.LogWarning("SinewAnimator on '" + name + "': this version of Unity has no Animator." + member + ".", this);
    }
}

/// <summary>Members that cannot be methods of a MonoBehaviour.</summary>
public static class SinewAnimatorExtensions
{
    /// <summary>
    /// Evaluates the Animator by hand, as Animator.Update, then runs a pass. (An extension, because
    /// Unity takes a method of a component with this name for the message of each frame.)
    /// </summary>
    public static void Update(this SinewAnimator sinew, float deltaTime)
    {
        sinew.UpdateUnity(deltaTime);
    }
}
