using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>What the pole of a constraint is.</summary>
    public enum PoleKind
    {
        /// <summary>A point to bend towards: the pole's position.</summary>
        Point = 0,

        /// <summary>A direction to bend in: the pole's forward axis.</summary>
        Direction = 1,
    }

    /// <summary>A constraint with a target, and a pole that sets the direction in which it bends or
    /// rolls.</summary>
    public abstract class TargetConstraint : ConstraintBehaviour
    {
        /// <summary>Goal of the end (of an aim: what it points at). None: the constraint does
        /// nothing.</summary>
        [Tooltip("Goal of the end. None: nothing is done.")]
        public Transform target;

        /// <summary>Fraction of the way from the animated position to the target's, 0 to
        /// 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Fraction of the way from the animated position to the target's. Range 0 to 1. Default 1.")]
        public float positionWeight = 1f;

        /// <summary>Where it bends to (an aim: rolls to). None: as the animation has it.</summary>
        [Tooltip("Where it bends to. None: as the animation has it.")]
        public Transform pole;

        /// <summary>Whether the pole is a point or a direction.</summary>
        [Tooltip("Point: the pole's position. Direction: the pole's forward axis.")]
        public PoleKind poleKind = PoleKind.Point;

        /// <summary>
        /// Side of the chain that faces the pole, fixed to the first joint, in its space; zero
        /// (default): the side to which the chain bends in the animation. Limbs of two bones always
        /// use the joint that bends.
        /// </summary>
        [Tooltip("Side of the chain that faces the pole, in the first joint's space. Zero: the side it bends to.")]
        public Vector3 poleReference;

        /// <summary>How far it swivels to the pole, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("How far the limb swivels to the pole. Range 0 to 1. Default 1.")]
        public float poleWeight = 1f;

        /// <summary>Turn about the line to the target before the pole is faced, degrees. <see
        /// cref="PoleInPlace"/> finds one.</summary>
        [Tooltip("Turn about the line to the target before the pole is faced, degrees; any angle. Default 0.")]
        public float poleAngle;

        private static SinewConstraintGoal nothing;
        private static SinewPole plainPole;

        internal TargetConstraint()
        {
        }

        /// <summary>Sets <see cref="poleAngle"/> so that the pole, where it is now, changes
        /// nothing; afterwards it is followed.</summary>
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
            Follow(native, 0, target);
            Follow(native, 1, pole);
            SinewConstraintGoal goal = PositionGoal(target, positionWeight);
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

        internal static SinewConstraintGoal PositionGoal(Transform at, float weight)
        {
            if (nothing.struct_size == 0) nothing = NativeAnimator.DefaultConstraintGoal();
            SinewConstraintGoal goal = nothing;
            goal.set = SinewConstants.SINEW_CONSTRAINT_POSITION;
            goal.position = To(at.position);
            goal.position_weight = weight;
            return goal;
        }

        private SinewPole PoleNow()
        {
            if (plainPole.struct_size == 0) plainPole = NativeAnimator.DefaultPole();
            SinewPole now = plainPole;
            if (poleKind == PoleKind.Direction) now.flags |= SinewConstants.SINEW_POLE_DIRECTION;
            now.at = To(poleKind == PoleKind.Direction ? pole.forward : pole.position);
            if (poleReference != Vector3.zero)
            {
                now.flags |= SinewConstants.SINEW_POLE_REFERENCE;
                now.reference = To(poleReference);
            }
            now.weight = poleWeight;
            now.angle_rad = poleAngle * Mathf.Deg2Rad;
            return now;
        }
    }

    /// <summary>What an end's orientation follows.</summary>
    public enum EndRotation
    {
        /// <summary>Nothing: the chain carries the end along.</summary>
        Free = 0,

        /// <summary>The target's rotation.</summary>
        MatchTarget = 1,

        /// <summary>One axis of the end points along one axis of the target; the twist about it is
        /// free.</summary>
        AlignAxis = 2,
    }

    /// <summary>A constraint whose end may also be rotated, and kept inside, on or outside of a
    /// sphere.</summary>
    public abstract class ReachConstraint : TargetConstraint
    {
        /// <summary>What the rotation of the last joint follows.</summary>
        [Header("Goal")]
        [Tooltip("Free: carried along. Match Target: the target's rotation. Align Axis: one axis only.")]
        public EndRotation endRotation = EndRotation.Free;

        /// <summary>Fraction of the way from the animated rotation (or axis) to the target's, 0 to
        /// 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Fraction of the way from the animated rotation to the target's. Range 0 to 1. Default 1.")]
        public float rotationWeight = 1f;

        /// <summary>With Align Axis: the axis of the last joint, in its own space.</summary>
        [Tooltip("With Align Axis: the axis of the last joint, in its own space.")]
        public Vector3 endAxis = Vector3.up;

        /// <summary>With Align Axis: the direction it follows, in the target's own space.</summary>
        [Tooltip("With Align Axis: the direction it follows, in the target's own space.")]
        public Vector3 targetAxis = Vector3.up;

        /// <summary>Whether the target is a point, or the centre of a sphere that the end stays
        /// inside, on or outside of.</summary>
        [Tooltip("Whether the target is a point, or the centre of a sphere.")]
        public SinewDistanceMode distanceMode = SinewDistanceMode.None;

        /// <summary>Radius of that sphere, world units.</summary>
        [Tooltip("Radius of the sphere, world units, at least 0. Default 0.1.")]
        public float radius = 0.1f;

        internal ReachConstraint()
        {
        }

        /// <summary>Whether the last joint takes the target's rotation.</summary>
        public bool matchRotation
        {
            get { return endRotation == EndRotation.MatchTarget; }
            set { endRotation = value ? EndRotation.MatchTarget : EndRotation.Free; }
        }

        internal override void Complete(ref SinewConstraintGoal goal)
        {
            Rotate(ref goal, endRotation, target, rotationWeight, endAxis, targetAxis);
            goal.distance_mode = (int)distanceMode;
            goal.radius = Mathf.Max(0f, radius);
        }

        internal static void Rotate(
            ref SinewConstraintGoal goal, EndRotation kind, Transform target, float weight, Vector3 axis, Vector3 targetAxis)
        {
            if (kind == EndRotation.Free) return;
            goal.rotation_weight = weight;
            if (kind == EndRotation.MatchTarget)
            {
                goal.set |= SinewConstants.SINEW_CONSTRAINT_ROTATION;
                goal.rotation = To(target.rotation);
                return;
            }
            Vector3 direction = target.TransformDirection(targetAxis);
            // A zero axis is no goal: it points nowhere.
            if (axis.sqrMagnitude < 1e-12f || direction.sqrMagnitude < 1e-12f) return;
            goal.set |= SinewConstants.SINEW_CONSTRAINT_AXIS;
            goal.axis = To(axis);
            goal.direction = To(direction);
        }

        internal static void Sphere(Transform center, SinewDistanceMode mode, float radius)
        {
            if (center == null || mode == SinewDistanceMode.None) return;
            Gizmos.color = SinewColors.Region;
            Gizmos.DrawWireSphere(center.position, Mathf.Max(0f, radius));
        }
    }
}
