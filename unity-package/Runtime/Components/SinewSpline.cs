using System;
using Sinew.Interop;
using UnityEngine;
using static Sinew.InteropMath;

namespace Sinew
{
    /// <summary>A chain of joints that follows a curve through points: a rope, a spine, a
    /// tentacle.</summary>
    [AddComponentMenu("Sinew IK/Sinew Spline")]
    [ManualPage("sinew-spline.md")]
    [Icon(SinewHelp.Icons + "SinewSpline.png")]
    public sealed class SinewSpline : ConstraintBehaviour
    {
        /// <summary>The last joint. None: this Transform.</summary>
        [Tooltip("The last joint. None: this Transform.")]
        public Transform end;

        /// <summary>Number of joints from the last one upwards, itself counted. 0: all the way to
        /// the topmost joint.</summary>
        [Tooltip("Number of joints from the last one upwards, itself counted; at least 0. 0: all the way up. Default 3.")]
        public int jointCount = 3;

        /// <summary>The curve's control points. One that is None stays on the animated
        /// chain.</summary>
        [Tooltip("The curve's control points: 2 or more, for Bezier 3 k + 1. None: that point stays on the animated chain.")]
        public Transform[] points = new Transform[0];

        /// <summary>How the points make the curve.</summary>
        [Tooltip("Catmull-Rom goes through all points; Bezier: point, handle, handle, point, ... Default Catmull Rom.")]
        public SinewCurve curve = SinewCurve.CatmullRom;

        /// <summary>How far bones change length so that the chain ends where the curve ends, 0 to
        /// 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("How far bones change length so that the chain ends where the curve ends. Range 0 to 1. Default 0.")]
        public float stretch;

        /// <summary>Minimum factor on the bone lengths, 0 to 1.</summary>
        [Range(0f, 1f)]
        [Tooltip("Minimum factor on the bone lengths. Range 0 to 1. Default 0.1.")]
        public float stretchMin = 0.1f;

        /// <summary>Maximum factor on the bone lengths, 1 to 1000.</summary>
        [Tooltip("Maximum factor on the bone lengths, 1 to 1000. Default 10.")]
        public float stretchMax = 10f;

        /// <summary>A point fixed to the last joint, in its own space, that is also kept on the
        /// curve; zero: the chain ends at the joint.</summary>
        [Tooltip("A point fixed to the last joint, in its own space, that is also kept on the curve.")]
        public Vector3 tip;

        /// <summary>Whether the rotations of the first and the last point roll the first and the
        /// last joint.</summary>
        [Tooltip("Whether the rotations of the first and the last point roll the first and the last joint. Default off.")]
        public bool rollWithPoints;

        /// <summary>Whether the first joint moves to the first point; else it stays, and is the
        /// first point itself.</summary>
        [Tooltip("Whether the first joint moves to the first point. Default on.")]
        public bool startOnCurve = true;

        /// <summary>Roll about the bone at the first joint, degrees.</summary>
        [Tooltip("Roll about the bone at the first joint, degrees; any angle. Default 0.")]
        public float rollStart;

        /// <summary>Roll about the bone at the last joint, degrees.</summary>
        [Tooltip("Roll about the bone at the last joint, degrees; any angle. Default 0.")]
        public float rollEnd;

        private int added;

        internal override SinewConstraint Add(SinewAnimator to, NativeAnimator native)
        {
            SinewSplineDef def = NativeAnimator.DefaultSpline();
            def.end = to.JointOf(end != null ? end : transform);
            def.joint_count = (uint)Math.Max(0, jointCount);
            added = points == null ? 0 : points.Length;
            def.point_count = (uint)added;
            def.curve = (int)curve;
            def.flags = startOnCurve ? SinewConstants.SINEW_SPLINE_START_ON_CURVE : 0;
            def.stretch = stretch;
            def.tip = To(tip);
            def.stretch_min = stretchMin;
            def.stretch_max = stretchMax;
            def.roll_start_rad = rollStart * Mathf.Deg2Rad;
            def.roll_end_rad = rollEnd * Mathf.Deg2Rad;
            return native.AddSpline(def);
        }

        internal override void Apply(NativeAnimator native)
        {
            for (int i = 0; i < added; i++)
            {
                if (points == null || i >= points.Length || points[i] == null)
                {
                    native.ClearConstraintGoal(Handle, i);
                    continue;
                }
                Follow(native, i, points[i]);
                SinewConstraintGoal goal = TargetConstraint.PositionGoal(points[i], 1f);
                if (rollWithPoints && (i == 0 || i == added - 1))
                    ReachConstraint.Rotate(ref goal, EndRotation.MatchTarget, points[i], 1f, Vector3.up, Vector3.up);
                native.SetConstraintGoal(Handle, i, goal);
            }
            native.SetConstraintWeight(Handle, weight);
        }

        private void OnDrawGizmosSelected()
        {
            Transform last = end != null ? end : transform;
            SinewGizmos.Bones(last, jointCount, Stop());
            if (points == null || points.Length < 2) return;
            Vector3[] places = new Vector3[points.Length];
            for (int i = 0; i < points.Length; i++)
            {
                if (points[i] == null) return;
                places[i] = points[i].position;
                SinewGizmos.Cross(places[i], SinewColors.Goal, 0.03f);
            }
            if (curve == SinewCurve.Bezier && points.Length % 3 != 1) return;
            SinewGizmos.Curve(places, curve, SinewColors.Goal);
        }
    }
}
