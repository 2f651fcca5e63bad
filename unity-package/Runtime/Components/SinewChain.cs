using System;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>A further end of a chain, which makes it a tree.</summary>
    [Serializable]
    public sealed class ChainBranch : IListElement
    {
        /// <summary>The joint; it is below the chain's first joint.</summary>
        [Tooltip("The joint; it is below the chain's first joint.")]
        public Transform joint;

        /// <summary>The point of the joint that reaches for the target, in the joint's own
        /// space.</summary>
        [Tooltip("The point of the joint that reaches for the target, in the joint's own space.")]
        public Vector3 tip;

        /// <summary>Goal of the tip. None: it is carried along.</summary>
        [Tooltip("Goal of the tip. None: it is carried along.")]
        public Transform target;

        /// <summary>Fraction of the way from the animated position to the target's, 0 to
        /// 1.</summary>
        [Tooltip("Fraction of the way from the animated position to the target's. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float positionWeight = 1f;

        /// <summary>What the joint's rotation follows.</summary>
        [Tooltip("What the joint's rotation follows. Default Free.")]
        public EndRotation endRotation = EndRotation.Free;

        /// <summary>Fraction of the way from the animated rotation (or axis) to the target's, 0 to
        /// 1.</summary>
        [Tooltip("Fraction of the way from the animated rotation (or axis) to the target's. Range 0 to 1. Default 1.")]
        [Range(0f, 1f)] public float rotationWeight = 1f;

        /// <summary>Importance of the position where not all goals of the chain can be met, 0.01 to
        /// 1; only ratios matter. Not for fading: where nothing opposes, the least importance is
        /// obeyed.</summary>
        [Tooltip("Importance of the position where not all goals can be met; only ratios matter. Range 0.01 to 1. Default 1.")]
        [Range(0.01f, 1f)] public float positionImportance = 1f;

        /// <summary>Importance of the rotation (or axis), 0.01 to 1; a radian counts as much as a
        /// third of the chain's length.</summary>
        [Tooltip("Importance of the rotation where not all goals can be met; only ratios matter. Range 0.01 to 1. Default 1.")]
        [Range(0.01f, 1f)] public float rotationImportance = 1f;

        /// <summary>With Align Axis: the axis of the joint, in its own space.</summary>
        [Tooltip("With Align Axis: the axis of the joint, in its own space.")]
        public Vector3 endAxis = Vector3.up;

        /// <summary>With Align Axis: the direction it follows, in the target's own space.</summary>
        [Tooltip("With Align Axis: the direction it follows, in the target's own space.")]
        public Vector3 targetAxis = Vector3.up;

        /// <summary>Whether the target is a point, or the centre of a sphere.</summary>
        [Tooltip("Whether the target is a point, or the centre of a sphere. Default None.")]
        public SinewDistanceMode distanceMode = SinewDistanceMode.None;

        /// <summary>Radius of that sphere, world units.</summary>
        [Tooltip("Radius of the sphere, world units, at least 0. Default 0.1.")]
        public float radius = 0.1f;

        bool IListElement.IsBlank
        {
            get { return joint == null && target == null && positionWeight == 0f && rotationWeight == 0f && radius == 0f && endAxis == Vector3.zero; }
        }
    }

    /// <summary>
    /// A chain of joints that reaches for a target: a tail, a tentacle, a crane, a finger; with
    /// branches a tree. Joint limits (<see cref="SinewJointLimits"/>) hold.
    /// </summary>
    [AddComponentMenu("Sinew IK/Sinew Chain")]
    [ManualPage("sinew-chain.md")]
    [Icon(SinewHelp.Icons + "SinewChain.png")]
    public sealed class SinewChain : ReachConstraint
    {
        /// <summary>The last joint. None: this Transform.</summary>
        [Header("Chain")]
        [Tooltip("The last joint. None: this Transform.")]
        public Transform end;

        /// <summary>The point of the last joint that reaches for the target, in its own space;
        /// zero: the joint itself.</summary>
        [Tooltip("Point of the last joint that reaches for the target, in its own space.")]
        public Vector3 tip;

        /// <summary>Importance of the position where not all goals of the chain can be met, 0.01 to
        /// 1; only ratios matter. Not for fading: where nothing opposes, the least importance is
        /// obeyed.</summary>
        [Tooltip("Importance of the position where not all goals can be met; only ratios matter. Range 0.01 to 1. Default 1.")]
        [Range(0.01f, 1f)] public float positionImportance = 1f;

        /// <summary>Importance of the rotation (or axis), 0.01 to 1; a radian counts as much as a
        /// third of the chain's length.</summary>
        [Tooltip("Importance of the rotation where not all goals can be met; only ratios matter. Range 0.01 to 1. Default 1.")]
        [Range(0.01f, 1f)] public float rotationImportance = 1f;

        /// <summary>Number of joints from the last one upwards, including itself. 0: up to the
        /// topmost joint.</summary>
        [Tooltip("Number of joints from the last one upwards, itself counted; at least 0. 0: all the way up. Default 3.")]
        public int jointCount = 3;

        /// <summary>Further ends: the chain is a tree then.</summary>
        [Tooltip("Further ends: the chain is a tree then.")]
        public ChainBranch[] branches = new ChainBranch[0];

        /// <summary>The method. With Spring a chain that is straight at rest may jump where goal or
        /// weight change.</summary>
        [Header("Solver")]
        [Tooltip("Default reaches what can be reached; the others have a character of their own. Default Default.")]
        public SinewChainSolver solver = SinewChainSolver.Default;

        /// <summary>Whether the default solver finishes what another one left short of its
        /// goals.</summary>
        [Tooltip("Whether the default solver finishes what another one left short of its goals. Default on.")]
        public bool finish = true;

        /// <summary>Whether bones may change length within the stretch of <see
        /// cref="SinewJointLimits"/>.</summary>
        [Tooltip("Whether bones may change length within the stretch of Sinew Joint Limits. Default on.")]
        public bool allowStretch = true;

        /// <summary>Whether joints turn about <see cref="planeAxis"/> only, and positions count in
        /// the plane perpendicular to it.</summary>
        [Tooltip("Whether joints turn about the plane's axis only, as in 2D. Default off.")]
        public bool inPlane;

        /// <summary>The axis of the plane, in the SinewAnimator's space, rest pose.</summary>
        [Tooltip("Axis of the plane, in the Sinew Animator's space.")]
        public Vector3 planeAxis = Vector3.forward;

        /// <summary>With the solver Spring: how readily each joint bends, from the first one on,
        /// whose entry does not count: 0 (keeps the bend of the rest pose) to 1000000. Empty: all
        /// 1.</summary>
        [Tooltip("Spring: how readily each joint bends, from the first one on. Range 0 to 1000000. Empty: all 1.")]
        public float[] springBias = new float[0];

        /// <summary>Distance at which the position is reached, as a fraction of the chain's
        /// length.</summary>
        [Tooltip("Distance at which the position is reached, as a fraction of the chain's length, above 0. Default 0.000001.")]
        public float tolerance = 1e-6f;

        /// <summary>Angle at which the rotation is reached, degrees.</summary>
        [Tooltip("Angle at which the rotation is reached, degrees, above 0. Default 0.000573.")]
        public float toleranceAngle = 1e-5f * Mathf.Rad2Deg;

        /// <summary>Maximum number of iterations per attempt, 1 to 100000.</summary>
        [Tooltip("Maximum number of iterations per attempt, 1 to 100000. Default 200.")]
        public int maxIterations = 200;

        /// <summary>Maximum restarts of the default solver from other poses, 0 to 10000; fewer where several in
        /// a row gain nothing.</summary>
        [Tooltip("Number of restarts of the default solver from other poses, 0 to 10000. 0: only the animated pose. Default 40.")]
        public int maxAttempts = 40;

        /// <summary>Whether each frame starts at the last answer. A chain with limits or branches
        /// then keeps its family of answers (no jumps) while that meets the goals, and a goal that
        /// limits keep away costs one restart a frame. Disabling the component and a weight of 0
        /// forget the answer.</summary>
        [Tooltip("Whether each frame starts at the last answer: no jumps of chains with limits or branches, and one restart a frame where goals are kept away. Default off.")]
        public bool warmStart;

        /// <summary>Damping of the least-squares methods, above 0: small is fast, large is
        /// smooth.</summary>
        [Tooltip("Damping factor of the least-squares methods, above 0: small is fast, large is smooth. Default 0.001.")]
        public float damping = 1e-3f;

        /// <summary>Maximum turn of a joint in one iteration of the least-squares methods,
        /// degrees.</summary>
        [Tooltip("Maximum turn of a joint in one iteration of the least-squares methods, degrees, above 0. Default 34.38.")]
        public float maxStep = 0.6f * Mathf.Rad2Deg;

        /// <summary>Maximum turn of a joint in one sweep of FABRIK or CCD, degrees; 180: no
        /// cap.</summary>
        [Range(0.1f, 180f)]
        [Tooltip("Maximum turn of a joint in one sweep of FABRIK or CCD, degrees. 180: no cap. Range 0.1 to 180. Default 180.")]
        public float sweepStep = 180f;

        private int added;

        internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
        {
            SinewChainDef def = NativeAnimator.DefaultChain();
            def.joint_count = (uint)Math.Max(0, jointCount);
            def.solver = (int)solver;
            def.flags = (finish ? SinewConstants.SINEW_CHAIN_FINISH : 0) | (allowStretch ? SinewConstants.SINEW_CHAIN_STRETCH : 0)
                | (inPlane ? SinewConstants.SINEW_CHAIN_PLANE : 0) | (warmStart ? SinewConstants.SINEW_CHAIN_WARM_START : 0);
            def.plane_axis = To(planeAxis);
            def.tolerance = tolerance;
            def.tolerance_rad = toleranceAngle * Mathf.Deg2Rad;
            def.max_iterations = (uint)Math.Max(0, maxIterations);
            def.max_attempts = (uint)Math.Max(0, maxAttempts);
            def.damping = damping;
            def.max_step_rad = maxStep * Mathf.Deg2Rad;
            def.sweep_step_rad = Math.Min(sweepStep * Mathf.Deg2Rad, (float)Math.PI);
            int count = branches == null ? 0 : branches.Length;
            SinewChainEnd[] ends = new SinewChainEnd[1 + count];
            ends[0] = new SinewChainEnd { joint = to.JointOf(end != null ? end : transform), tip = To(tip) };
            for (int i = 0; i < count; i++)
            {
                if (branches[i] == null) throw new SinewException(SinewResult.ErrorInvalidArgument, "branches[" + i + "] is null");
                ends[1 + i] = new SinewChainEnd { joint = to.JointOf(branches[i].joint), tip = To(branches[i].tip) };
            }
            added = count;
            return native.AddChain(ends, def, springBias == null || springBias.Length == 0 ? null : springBias);
        }

        internal override void Complete(ref SinewConstraintGoal goal)
        {
            base.Complete(ref goal);
            goal.position_importance = positionImportance;
            goal.rotation_importance = rotationImportance;
        }

        internal override void FillLists()
        {
            ListElements.Fill(branches);
        }

        internal override void Apply(NativeAnimator native)
        {
            base.Apply(native);
            for (int i = 0; i < added; i++)
            {
                ChainBranch branch = branches != null && i < branches.Length ? branches[i] : null;
                if (branch == null || branch.target == null)
                {
                    native.ClearConstraintGoal(Handle, 1 + i);
                    continue;
                }
                Follow(native, 2 + i, branch.target);
                SinewConstraintGoal goal = PositionGoal(branch.target, branch.positionWeight);
                Rotate(ref goal, branch.endRotation, branch.target, branch.rotationWeight, branch.endAxis, branch.targetAxis);
                goal.distance_mode = (int)branch.distanceMode;
                goal.radius = Math.Max(0f, branch.radius);
                goal.position_importance = branch.positionImportance;
                goal.rotation_importance = branch.rotationImportance;
                native.SetConstraintGoal(Handle, 1 + i, goal);
            }
        }

        // A new chain takes in all joints between itself and the first one that has several
        // children.
        private void Reset()
        {
            jointCount = 1;
            for (Transform t = transform; t.parent != null && t.GetComponent<SinewAnimator>() == null; t = t.parent)
            {
                bool isEnd = t.parent.GetComponent<SinewAnimator>() != null || t.parent.parent == null;
                if (isEnd) break;
                jointCount++;
                if (t.parent.childCount > 1) break;
            }
        }

        private void OnDrawGizmosSelected()
        {
            Transform last = end != null ? end : transform;
            Vector3 at = last.TransformPoint(tip);
            Transform first = SinewGizmos.Bones(last, jointCount, Stop());
            SinewGizmos.Line(last.position, at, SinewColors.Bone);
            SinewGizmos.Goal(at, target);
            SinewGizmos.Pole(last.parent != null ? last.parent.position : at, pole);
            Sphere(target, distanceMode, radius);
            for (int i = 0; branches != null && i < branches.Length; i++)
            {
                ChainBranch branch = branches[i];
                if (branch == null || branch.joint == null) continue;
                SinewGizmos.Bones(branch.joint, 0, first);
                SinewGizmos.Goal(branch.joint.TransformPoint(branch.tip), branch.target);
                Sphere(branch.target, branch.distanceMode, branch.radius);
            }
            Transform stop = Stop();
            if (!inPlane || stop == null || first == null) return;
            SinewGizmos.Circle(first.position, stop.TransformDirection(planeAxis), Vector3.Distance(first.position, at), SinewColors.Region);
        }
    }
}
