using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// A constraint as a component: solved in the pass of its <see cref="SinewAnimator"/>, on
    /// humanoid and generic rigs. Targets, sources, weights and poles are read in every pass; all
    /// other fields take effect at the next enabling, when they are changed in the Inspector, or
    /// with <see cref="Refresh"/>.
    /// </summary>
    public abstract class ConstraintBehaviour : MonoBehaviour
    {
        /// <summary>The SinewAnimator whose joints it moves. None: the nearest one on this object
        /// or above.</summary>
        [Tooltip("The SinewAnimator whose joints it moves. None: the nearest one on this object or above.")]
        public SinewAnimator animator;

        /// <summary>Blend between the animation (0, unchanged bit for bit) and the constraint's
        /// result (1).</summary>
        [Range(0f, 1f)]
        [Tooltip("0: the animation, bit for bit; 1: the constraint's result. Range 0 to 1. Default 1.")]
        public float weight = 1f;

        /// <summary>
        /// Time in which the joints go over to another weight or target, and in and out when the
        /// component is enabled and disabled, seconds; 0 (default): at once. A target that moves is
        /// followed without lag.
        /// </summary>
        [Min(0f)]
        [Tooltip("Time in which the joints go over to another weight or target, and in and out with the component, seconds, at least 0. 0: at once. Default 0.")]
        public float inertializationTime;

        /// <summary>Constraints with a lower number are solved first, so higher ones win. Equal
        /// ones: in the order of their enabling.</summary>
        [Tooltip("Constraints with a lower number are solved first, so higher ones win; any number. Default 0.")]
        public int order;

        /// <summary>
        /// Where in the frame it is solved: in the stack after hands, feet and gaze (default), or
        /// right before or after <see cref="step"/>. Later steps start from the pose it leaves.
        /// </summary>
        [Tooltip("Stack: after hands, feet and gaze. Before, After: next to the step below.")]
        public SinewConstraintPlacement placement = SinewConstraintPlacement.Stack;

        /// <summary>The step of <see cref="placement"/>; ignored in the stack.</summary>
        [Tooltip("The step that Placement refers to; ignored for Stack.")]
        public SinewFrameStep step = SinewFrameStep.Limbs;

        [NonSerialized] internal SinewConstraint Handle;
        [NonSerialized] internal bool IsRefused;

        // Its native constraint is to be added again.
        [NonSerialized] internal bool IsStale;

        // Which of its animator's native constraints it is, in the order of adding.
        [NonSerialized] internal int Number;

        // Enabled in play: its first pass remembers where the joints are without it.
        [NonSerialized] internal bool IsEntering;
        [NonSerialized] private float sentTime;
        [NonSerialized] private Transform[] followed;
        [NonSerialized] private SinewAnimator owner;
        [NonSerialized] private string problem;
        [NonSerialized] private bool isStarted;
        [NonSerialized] private ProblemLog problems;

        internal ConstraintBehaviour()
        {
        }

        /// <summary>What the last solve left; inactive when the constraint is not
        /// running.</summary>
        public Outcome outcome
        {
            get { return owner == null ? default(Outcome) : owner.OutcomeOf(this); }
        }

        /// <summary>Why the constraint does nothing, as a sentence; null when it works.</summary>
        public string problemDescription
        {
            get { return problem; }
        }

        /// <summary>Takes over fields that a script changed after enabling: joints, counts,
        /// settings. Allocates native memory.</summary>
        public void Refresh()
        {
            IsRefused = false;
            problem = null;
            if (Application.isPlaying && isActiveAndEnabled && !ReferenceEquals(owner, Nearest())) Hook();
            else if (!ReferenceEquals(owner, null)) owner.Renew(this);
        }

        internal SinewAnimator Owner
        {
            get { return owner; }
        }

        internal void Refuse(string why)
        {
            IsRefused = true;
            problem = why;
        }

        private void OnEnable()
        {
            Hook();
            if (isStarted) WarnUnowned();
        }

        // What a script adds in one go is there by now, and the fields that it sets after
        // AddComponent.
        private void Start()
        {
            isStarted = true;
            if (!ReferenceEquals(owner, Nearest())) Hook();
            WarnUnowned();
        }

        private void WarnUnowned()
        {
            if (owner == null)
                Debug.LogWarning(GetType().Name + " on '" + name + "' has no SinewAnimator on its object or above: it does nothing.", this);
        }

        private void OnDisable()
        {
            if (!ReferenceEquals(owner, null)) owner.Detach(this);
            owner = null;
        }

        // To this object or one above: another SinewAnimator may be above now.
        private void OnTransformParentChanged()
        {
            if (isActiveAndEnabled && !ReferenceEquals(owner, Nearest())) Hook();
        }

        private SinewAnimator Nearest()
        {
            return animator != null ? animator : SinewAnimator.Above(transform);
        }

        private void Hook()
        {
            OnDisable();
            owner = Nearest();
            IsRefused = false;
            problem = owner != null ? null : "there is no SinewAnimator on its object or above";
            if (owner != null) owner.Attach(this);
        }

        /// <summary>Its SinewAnimator is being destroyed.</summary>
        internal void OnOwnerDestroyed()
        {
            owner = null;
            Handle = default(SinewConstraint);
            problem = "its SinewAnimator was destroyed";
        }

        private void OnValidate()
        {
            FillLists();
            Refresh();
        }

        /// <summary>Gives new lines of its lists their defaults.</summary>
        internal virtual void FillLists()
        {
        }

        /// <summary>Attaches to the animator that is above now; for one that came later, and for a
        /// preview.</summary>
        internal void Reattach()
        {
            Hook();
        }

        /// <summary>Ends what <see cref="Reattach"/> began.</summary>
        internal void Unhook()
        {
            OnDisable();
        }

        /// <summary>
        /// Goes over to the target's next place within <see cref="inertializationTime"/>: call it
        /// when the target jumps. Another target, and other weights, need no call.
        /// </summary>
        public void Inertialize()
        {
            if (owner != null) owner.Announce(this);
        }

        /// <summary>Whether it is going over to another weight or target; <see cref="outcome"/> is
        /// then that of the pose it goes to.</summary>
        public bool isInertializing
        {
            get { return owner != null && owner.IsSwitching(this); }
        }

        /// <summary>Whether it has a time, as the native constraint knows it.</summary>
        internal bool HasTime
        {
            get { return sentTime > 0f; }
        }

        /// <summary>There is another native constraint, which knows nothing yet.</summary>
        internal void Begin()
        {
            IsStale = false;
            sentTime = 0f;
            if (followed != null) Array.Clear(followed, 0, followed.Length);
        }

        /// <summary>Announces a switch where a target is another one than in the last
        /// pass.</summary>
        /// <param name="native">Of the constraint.</param>
        /// <param name="place">Which of its targets.</param>
        /// <param name="target">The target now.</param>
        internal void Follow(NativeAnimator native, int place, Transform target)
        {
            if (sentTime <= 0f) return;
            if (followed == null || followed.Length <= place) Array.Resize(ref followed, place + 1);
            Transform before = followed[place];
            followed[place] = target;
            if (!ReferenceEquals(before, null) && !ReferenceEquals(before, target)) native.InertializeConstraint(Handle);
        }

        /// <summary>Adds the native constraint.</summary>
        internal abstract SinewConstraint Add(SinewAnimator to, NativeAnimator native);

        /// <summary>Sets the goals of this frame.</summary>
        internal abstract void Apply(NativeAnimator native);

        /// <summary>Sets the goals of this frame. A mistake in them stops neither the character nor
        /// other constraints: this one does nothing until it is gone.</summary>
        internal void TryApply(NativeAnimator native)
        {
            try
            {
                SendTime(native);
                Apply(native);
                // Where the joints are without it is where it comes in from.
                if (IsEntering && sentTime > 0f) native.SetConstraintWeight(Handle, 0f);
                IsEntering = false;
                problems.Clear();
            }
            catch (Exception e)
            {
                problems.Add(e, this, "It does nothing until that is changed.");
                native.SetConstraintWeight(Handle, 0f);
            }
        }

        private void SendTime(NativeAnimator native)
        {
            // A preview shows a time the same wherever the scrubbing came from.
            float time = inertializationTime > 0f && !owner.IsPreviewing ? inertializationTime : 0f;
            if (time == sentTime) return;
            native.SetConstraintInertializationTime(Handle, time);
            sentTime = time;
            if (time > 0f) owner.HasTimes = true;
        }

        /// <summary>Direction of the bone below a joint in the joint's own space; +Y for a joint
        /// without child.</summary>
        internal static Vector3 BoneAxis(Transform joint)
        {
            Vector3 toChild = joint.childCount > 0 ? joint.GetChild(0).localPosition : Vector3.zero;
            return toChild.sqrMagnitude > 1e-12f ? toChild.normalized : Vector3.up;
        }

        /// <summary>Where chains of bones end: the object of the SinewAnimator.</summary>
        internal Transform Stop()
        {
            SinewAnimator of = animator == null && owner != null ? owner : Nearest();
            return of == null ? null : of.transform;
        }
    }
}
