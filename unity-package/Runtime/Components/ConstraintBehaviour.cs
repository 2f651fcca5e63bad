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
            else if (!ReferenceEquals(owner, null)) owner.Renew();
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
                Apply(native);
                problems.Clear();
            }
            catch (Exception e)
            {
                problems.Add(e, this, "It does nothing until that is changed.");
                native.SetConstraintWeight(Handle, 0f);
            }
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
