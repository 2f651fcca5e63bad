using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>A further end of a chain, which makes it a tree.</summary>
    [Serializable]
    public struct ChainBranch
    {
        /// <summary>The joint; it hangs from the chain's root.</summary>
        public Transform joint;

        /// <summary>The point of the joint that shall be at the target, in the joint's own space.</summary>
        public Vector3 tip;

        /// <summary>Where it shall be. None: it is carried along.</summary>
        public Transform target;
    }

    /// <summary>
    /// A chain of joints that reaches for a target: a tail, a tentacle, a crane, a finger; with branches a tree. Joint limits
    /// (<see cref="SinewJointLimits"/>) hold.
    /// </summary>
    [AddComponentMenu("Animation/Sinew Chain")]
    public sealed class SinewChain : TargetConstraint
    {
        /// <summary>The last joint. None: this Transform.</summary>
        [Header("Chain")]
        [Tooltip("The last joint. None: this Transform.")]
        public Transform end;

        /// <summary>The point of the last joint that shall be at the target, in its own space; zero: the joint itself.</summary>
        [Tooltip("Point of the last joint that shall be at the target, in its own space.")]
        public Vector3 tip;

        /// <summary>Number of joints from the last one upwards, itself counted. 0: all the way to the topmost joint.</summary>
        [Tooltip("Number of joints from the last one upwards, itself counted. 0: all the way up.")]
        public int jointCount = 3;

        /// <summary>The method; Default reaches what can be reached.</summary>
        [Tooltip("Default reaches what can be reached; the others have a character of their own.")]
        public SinewChainSolver solver = SinewChainSolver.Default;

        /// <summary>Further ends: the chain is a tree then.</summary>
        [Tooltip("Further ends: the chain is a tree then.")]
        public ChainBranch[] branches = new ChainBranch[0];

        /// <summary>Whether the last joint turns as the target does; else the chain carries it along.</summary>
        [Header("Goal")]
        [Tooltip("Whether the last joint turns as the target does.")]
        public bool matchRotation;

        /// <summary>Share of the way from the animation's rotation to the target's, 0 to 1, with <see cref="matchRotation"/>.</summary>
        [Range(0f, 1f)]
        [Tooltip("Share of the way from the animation's rotation to the target's.")]
        public float rotationWeight = 1f;

        /// <summary>Whether the target is a place to be, or the centre of a sphere to be inside, on or outside of.</summary>
        [Tooltip("Whether the target is a place, or the centre of a sphere.")]
        public SinewDistanceMode distanceMode = SinewDistanceMode.None;

        /// <summary>Radius of that sphere, world units.</summary>
        [Tooltip("Radius of the sphere, world units.")]
        public float radius = 0.1f;

        internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
        {
            SinewChainDef def = NativeAnimator.DefaultChain();
            def.joint_count = (uint)Math.Max(0, jointCount);
            def.solver = (int)solver;
            SinewChainEnd[] ends = new SinewChainEnd[1 + branches.Length];
            ends[0] = new SinewChainEnd { joint = to.JointOf(end != null ? end : transform), tip = To(tip) };
            for (int i = 0; i < branches.Length; i++)
                ends[1 + i] = new SinewChainEnd { joint = to.JointOf(branches[i].joint), tip = To(branches[i].tip) };
            return native.AddChain(ends, def);
        }

        internal override void Apply(NativeAnimator native)
        {
            base.Apply(native);
            for (int i = 0; i < branches.Length; i++)
            {
                if (branches[i].target != null) native.SetConstraintPosition(Handle, 1 + i, To(branches[i].target.position));
                else native.ClearConstraintGoal(Handle, 1 + i);
            }
        }

        internal override void Complete(ref SinewConstraintGoal goal)
        {
            if (matchRotation)
            {
                goal.set |= SinewConstants.SINEW_CONSTRAINT_ROTATION;
                goal.rotation = To(target.rotation);
                goal.rotation_weight = rotationWeight;
            }
            goal.distance_mode = (int)distanceMode;
            goal.radius = Math.Max(0f, radius);
        }
    }
}
