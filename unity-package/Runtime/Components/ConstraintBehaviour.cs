using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>
    /// A constraint as a component: solved in the pass of its <see cref="SinewAnimator"/>, on humanoid and generic rigs alike, after
    /// hands, feet and gaze. What a target, weight or pole is may change at any time; everything else takes effect at the next enabling.
    /// </summary>
    public abstract class ConstraintBehaviour : MonoBehaviour
    {
        /// <summary>Whose joints it moves. None: the nearest SinewAnimator on this object or above.</summary>
        [Tooltip("Whose joints it moves. None: the nearest SinewAnimator on this object or above.")]
        public SinewAnimator animator;

        /// <summary>How far the pose goes from the animation (0, bit for bit) to the answer (1).</summary>
        [Range(0f, 1f)]
        [Tooltip("0: the animation; 1: the constraint's answer.")]
        public float weight = 1f;

        /// <summary>Constraints with a lower number are solved first, so higher ones win. Equal ones: in the order of their enabling.</summary>
        [Tooltip("Lower numbers are solved first; higher ones win.")]
        public int order;

        [NonSerialized] internal SinewConstraint Handle;
        [NonSerialized] internal bool IsRefused;
        [NonSerialized] private SinewAnimator owner;

        internal ConstraintBehaviour()
        {
        }

        /// <summary>What the last solve left; inactive when the constraint is not running.</summary>
        public Outcome outcome
        {
            get { return owner == null ? default(Outcome) : owner.OutcomeOf(this); }
        }

        internal SinewAnimator Owner
        {
            get { return owner; }
        }

        private void OnEnable()
        {
            owner = animator != null ? animator : SinewAnimator.Above(transform);
            IsRefused = false;
            if (owner != null)
                owner.Attach(this);
            else
                Debug.LogWarning(GetType().Name + " on '" + name + "' has no SinewAnimator on its object or above: it does nothing.", this);
        }

        private void OnDisable()
        {
            if (!ReferenceEquals(owner, null)) owner.Detach(this);
            owner = null;
        }

        /// <summary>Adds the native constraint.</summary>
        internal abstract SinewConstraint Add(SinewAnimator to, NativeAnimator native);

        /// <summary>Tells it what this frame wants.</summary>
        internal abstract void Apply(NativeAnimator native);

        internal static unsafe SinewVec3 To(Vector3 v)
        {
            return *(SinewVec3*)&v;
        }

        internal static unsafe SinewQuat To(Quaternion q)
        {
            return *(SinewQuat*)&q;
        }
    }

    /// <summary>A constraint with a target, and a pole that says which way it bends or rolls.</summary>
    public abstract class TargetConstraint : ConstraintBehaviour
    {
        /// <summary>Where the end shall be (an aim: what it points at). None: the constraint does nothing.</summary>
        [Tooltip("Where the end shall be. None: nothing is done.")]
        public Transform target;

        /// <summary>Share of the way from the animation's place to the target's, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of the way from the animation's place to the target's.")]
        public float positionWeight = 1f;

        /// <summary>Which way it bends (an aim: rolls). None: as the animation has it.</summary>
        [Tooltip("Which way it bends. None: as the animation has it.")]
        public Transform pole;

        /// <summary>How far it swivels to the pole, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("How far it swivels to the pole.")]
        public float poleWeight = 1f;

        /// <summary>Turn about the line to the target before the pole is faced, degrees. <see cref="PoleInPlace"/> finds one.</summary>
        [Tooltip("Turn about the line to the target before the pole is faced, degrees.")]
        public float poleAngle;

        private static SinewConstraintGoal nothing;
        private static SinewPole plainPole;

        internal TargetConstraint()
        {
        }

        /// <summary>Sets <see cref="poleAngle"/> so that the pole, where it is now, changes nothing; afterwards it is followed.</summary>
        public void PoleInPlace()
        {
            if (Owner == null || pole == null) return;
            float angle;
            if (Owner.TryPoleInPlace(this, PoleNow(), out angle)) poleAngle = angle * Mathf.Rad2Deg;
        }

        internal override void Apply(NativeAnimator native)
        {
            if (target == null)
            {
                native.SetConstraintWeight(Handle, 0f);
                return;
            }
            if (nothing.struct_size == 0) nothing = NativeAnimator.DefaultConstraintGoal();
            SinewConstraintGoal goal = nothing;
            goal.set = SinewConstants.SINEW_CONSTRAINT_POSITION;
            goal.position = To(target.position);
            goal.position_weight = positionWeight;
            Complete(ref goal);
            native.SetConstraintGoal(Handle, 0, goal);
            if (pole != null) native.SetConstraintPole(Handle, PoleNow());
            else native.ClearConstraintPole(Handle);
            native.SetConstraintWeight(Handle, weight);
        }

        /// <summary>Adds what a kind of constraint has besides the position.</summary>
        internal virtual void Complete(ref SinewConstraintGoal goal)
        {
        }

        private SinewPole PoleNow()
        {
            if (plainPole.struct_size == 0) plainPole = NativeAnimator.DefaultPole();
            SinewPole now = plainPole;
            now.at = To(pole.position);
            now.weight = poleWeight;
            now.angle_rad = poleAngle * Mathf.Deg2Rad;
            return now;
        }
    }
}
