using System;
using Sinew.Interop;

namespace Sinew
{
    // Constraints and joint limits, on any rig, with or without avatar. A SinewConstraint is a
    // name: it ends with RemoveConstraint or with its animator; calls with it then throw
    // SinewException with ErrorInvalidHandle. Adding, removing, limiting joints and computing a
    // pole's angle are for set-up; everything else is for every frame. What is set stays until
    // changed.
    public sealed unsafe partial class NativeAnimator
    {
        /// <summary>A chain with default settings; its ends are given when it is added.</summary>
        public static SinewChainDef DefaultChain()
        {
            SinewLibrary.CheckVersion();
            SinewChainDef def;
            SinewLibrary.Check(NativeMethods.sinew_chain_def_default(&def));
            return def;
        }

        /// <summary>A limb of two bones with default settings; set its end.</summary>
        public static SinewTwoBoneDef DefaultTwoBone()
        {
            SinewLibrary.CheckVersion();
            SinewTwoBoneDef def;
            SinewLibrary.Check(NativeMethods.sinew_two_bone_def_default(&def));
            return def;
        }

        /// <summary>A copied rotation with default settings; set its joint.</summary>
        public static SinewCopyRotationDef DefaultCopyRotation()
        {
            SinewLibrary.CheckVersion();
            SinewCopyRotationDef def;
            SinewLibrary.Check(NativeMethods.sinew_copy_rotation_def_default(&def));
            return def;
        }

        /// <summary>An aim with default settings; set its end.</summary>
        public static SinewAimDef DefaultAim()
        {
            SinewLibrary.CheckVersion();
            SinewAimDef def;
            SinewLibrary.Check(NativeMethods.sinew_aim_def_default(&def));
            return def;
        }

        /// <summary>A spline with default settings; set its end.</summary>
        public static SinewSplineDef DefaultSpline()
        {
            SinewLibrary.CheckVersion();
            SinewSplineDef def;
            SinewLibrary.Check(NativeMethods.sinew_spline_def_default(&def));
            return def;
        }

        /// <summary>Adds a chain of the last joints down to one.</summary>
        /// <param name="end">The last joint.</param>
        /// <param name="jointCount">Number of joints, the end counted; 0: all the way from the
        /// skeleton's root.</param> <param name="solver">The method.</param>
        public SinewConstraint AddChain(int end, int jointCount = 0, SinewChainSolver solver = SinewChainSolver.Default)
        {
            SinewChainDef def = DefaultChain();
            def.joint_count = (uint)jointCount;
            def.solver = (int)solver;
            return AddChain(new[] { new SinewChainEnd { joint = (uint)end } }, def);
        }

        /// <summary>Adds a chain or tree of joints.</summary>
        /// <param name="ends">The ends, 1 to 16: joints with their tips.</param>
        /// <param name="settings">From <see cref="DefaultChain"/>; its ends are replaced by the
        /// array's.</param> <param name="springBias">For the solver Spring: one number per joint
        /// from the chain's root on; null: all 1.</param> <exception cref="SinewException">The
        /// joints are not below one another, a number is out of range, …</exception>
        public SinewConstraint AddChain(SinewChainEnd[] ends, SinewChainDef settings, float[] springBias = null)
        {
            if (ends == null) throw new ArgumentNullException("ends");
            SinewConstraint made;
            SinewResult result;
            fixed (SinewChainEnd* endsPointer = ends)
            fixed (float* bias = springBias)
            {
                settings.ends = endsPointer;
                settings.end_count = (uint)ends.Length;
                settings.spring_bias = bias;
                settings.spring_bias_count = springBias == null ? 0 : (uint)springBias.Length;
                result = NativeMethods.sinew_animator_add_chain(Handle, &settings, &made);
            }
            Done(result);
            return made;
        }

        /// <summary>Adds a limb of two bones.</summary>
        /// <param name="def">From <see cref="DefaultTwoBone"/>.</param>
        public SinewConstraint AddTwoBone(SinewTwoBoneDef def)
        {
            SinewConstraint made;
            Done(NativeMethods.sinew_animator_add_two_bone(Handle, &def, &made));
            return made;
        }

        /// <summary>Adds a joint that turns as its rotation goal says, or as another joint is
        /// turned.</summary> <param name="def">From <see cref="DefaultCopyRotation"/>.</param>
        public SinewConstraint AddCopyRotation(SinewCopyRotationDef def)
        {
            SinewConstraint made;
            Done(NativeMethods.sinew_animator_add_copy_rotation(Handle, &def, &made));
            return made;
        }

        /// <summary>Adds joints that share the turn of a ray towards the position goal.</summary>
        /// <param name="def">From <see cref="DefaultAim"/>.</param>
        /// <param name="weights">Share of each joint, from the first one to the end; null: equal
        /// shares.</param>
        public SinewConstraint AddAim(SinewAimDef def, float[] weights = null)
        {
            SinewConstraint made;
            SinewResult result;
            fixed (float* pointer = weights)
            {
                def.weights = pointer;
                def.weight_count = weights == null ? 0 : (uint)weights.Length;
                result = NativeMethods.sinew_animator_add_aim(Handle, &def, &made);
            }
            Done(result);
            return made;
        }

        /// <summary>Adds a chain that follows a curve; its ends are the curve's control
        /// points.</summary> <param name="def">From <see cref="DefaultSpline"/>.</param>
        public SinewConstraint AddSpline(SinewSplineDef def)
        {
            SinewConstraint made;
            Done(NativeMethods.sinew_animator_add_spline(Handle, &def, &made));
            return made;
        }

        /// <summary>Takes a constraint away.</summary>
        public void RemoveConstraint(SinewConstraint constraint)
        {
            Done(NativeMethods.sinew_animator_remove_constraint(Handle, constraint));
        }

        /// <summary>Sets how far the pose goes from the animation (0, the default) to the
        /// constraint's answer (1).</summary>
        public void SetConstraintWeight(SinewConstraint constraint, float weight)
        {
            Done(NativeMethods.sinew_animator_set_constraint_weight(Handle, constraint, weight));
        }

        /// <summary>How far the pose goes from the animation (0) to the constraint's answer
        /// (1).</summary>
        public float GetConstraintWeight(SinewConstraint constraint)
        {
            float weight;
            Done(NativeMethods.sinew_animator_get_constraint_weight(Handle, constraint, &weight));
            return weight;
        }

        /// <summary>Number of a constraint's ends.</summary>
        public int GetConstraintEndCount(SinewConstraint constraint)
        {
            uint count;
            Done(NativeMethods.sinew_animator_get_constraint_end_count(Handle, constraint, &count));
            return (int)count;
        }

        /// <summary>Whether a constraint is a limb of two bones that is straight at rest and has no
        /// bend side: without a pole it bends to an arbitrary side.</summary>
        public bool IsConstraintBendArbitrary(SinewConstraint constraint)
        {
            uint isArbitrary;
            Done(NativeMethods.sinew_animator_get_constraint_bend_is_arbitrary(Handle, constraint, &isArbitrary));
            return isArbitrary != 0;
        }

        /// <summary>Sets the goal position of an end's tip; world space, metres.</summary>
        public void SetConstraintPosition(SinewConstraint constraint, int end, SinewVec3 position)
        {
            Done(NativeMethods.sinew_animator_set_constraint_position(Handle, constraint, (uint)end, &position));
        }

        /// <summary>Sets the goal rotation of an end's joint; world space.</summary>
        public void SetConstraintRotation(SinewConstraint constraint, int end, SinewQuat rotation)
        {
            Done(NativeMethods.sinew_animator_set_constraint_rotation(Handle, constraint, (uint)end, &rotation));
        }

        /// <summary>Sets the goal direction (world space) of one axis of an end's joint (joint
        /// space); not used while a rotation is set.</summary>
        public void SetConstraintAxis(SinewConstraint constraint, int end, SinewVec3 axis, SinewVec3 direction)
        {
            Done(NativeMethods.sinew_animator_set_constraint_axis(Handle, constraint, (uint)end, &axis, &direction));
        }

        /// <summary>Sets how far an end follows its position, 0 to 1; default 1.</summary>
        public void SetConstraintPositionWeight(SinewConstraint constraint, int end, float weight)
        {
            Done(NativeMethods.sinew_animator_set_constraint_position_weight(Handle, constraint, (uint)end, weight));
        }

        /// <summary>Sets how far an end follows its rotation or axis, 0 to 1; default 1.</summary>
        public void SetConstraintRotationWeight(SinewConstraint constraint, int end, float weight)
        {
            Done(NativeMethods.sinew_animator_set_constraint_rotation_weight(Handle, constraint, (uint)end, weight));
        }

        /// <summary>Sets how much an end's goals count where not all goals of a chain can be met,
        /// each 0.01 to 1, default 1; only ratios matter.</summary>
        public void SetConstraintImportance(SinewConstraint constraint, int end, float position, float rotation)
        {
            Done(NativeMethods.sinew_animator_set_constraint_importance(Handle, constraint, (uint)end, position, rotation));
        }

        /// <summary>
        /// Sets where in a frame a constraint is solved: right before or after a step, or in the
        /// stack (the default; the step is ignored then). Later steps start from the pose it
        /// leaves. </summary>
        public void SetConstraintPlacement(
            SinewConstraint constraint, SinewConstraintPlacement placement, SinewFrameStep step = SinewFrameStep.Constraints)
        {
            Done(NativeMethods.sinew_animator_set_constraint_placement(Handle, constraint, placement, step));
        }

        /// <summary>Where in a frame a constraint is solved.</summary>
        public SinewConstraintPlacement GetConstraintPlacement(SinewConstraint constraint, out SinewFrameStep step)
        {
            int placement;
            int number;
            Done(NativeMethods.sinew_animator_get_constraint_placement(Handle, constraint, &placement, &number));
            step = (SinewFrameStep)number;
            return (SinewConstraintPlacement)placement;
        }

        /// <summary>Sets the distance mode of an end: its position becomes the centre of a sphere;
        /// radius in metres, world space.</summary>
        public void SetConstraintDistance(SinewConstraint constraint, int end, SinewDistanceMode mode, float radius)
        {
            Done(NativeMethods.sinew_animator_set_constraint_distance(Handle, constraint, (uint)end, mode, radius));
        }

        /// <summary>Clears the goal of an end.</summary>
        public void ClearConstraintGoal(SinewConstraint constraint, int end)
        {
            Done(NativeMethods.sinew_animator_clear_constraint_goal(Handle, constraint, (uint)end));
        }

        /// <summary>A goal with nothing given and weights 1, to fill in.</summary>
        public static SinewConstraintGoal DefaultConstraintGoal()
        {
            SinewLibrary.CheckVersion();
            SinewConstraintGoal goal;
            SinewLibrary.Check(NativeMethods.sinew_constraint_goal_default(&goal));
            return goal;
        }

        /// <summary>Sets everything of an end at once.</summary>
        public void SetConstraintGoal(SinewConstraint constraint, int end, SinewConstraintGoal goal)
        {
            Done(NativeMethods.sinew_animator_set_constraint_goal(Handle, constraint, (uint)end, &goal));
        }

        /// <summary>The whole goal of an end.</summary>
        public SinewConstraintGoal GetConstraintGoal(SinewConstraint constraint, int end)
        {
            SinewConstraintGoal goal;
            Done(NativeMethods.sinew_animator_get_constraint_goal(Handle, constraint, (uint)end, &goal));
            return goal;
        }

        /// <summary>A pole at the origin with angle 0 and weight 1, to fill in.</summary>
        public static SinewPole DefaultPole()
        {
            SinewLibrary.CheckVersion();
            SinewPole pole;
            SinewLibrary.Check(NativeMethods.sinew_pole_default(&pole));
            return pole;
        }

        /// <summary>Sets which way a chain or limb bends, or where an aim's up faces.</summary>
        public void SetConstraintPole(SinewConstraint constraint, SinewPole pole)
        {
            Done(NativeMethods.sinew_animator_set_constraint_pole(Handle, constraint, &pole));
        }

        /// <summary>Takes the pole away: the bend of the animation.</summary>
        public void ClearConstraintPole(SinewConstraint constraint)
        {
            Done(NativeMethods.sinew_animator_set_constraint_pole(Handle, constraint, null));
        }

        /// <summary>The pole, if one is set.</summary>
        /// <param name="constraint">The constraint.</param>
        /// <param name="pole">Written: the pole, or the default one.</param>
        /// <returns>Whether one is set.</returns>
        public bool GetConstraintPole(SinewConstraint constraint, out SinewPole pole)
        {
            SinewPole read;
            uint set;
            Done(NativeMethods.sinew_animator_get_constraint_pole(Handle, constraint, &read, &set));
            pole = read;
            return set != 0;
        }

        /// <summary>The angle, radians, with which a pole changes nothing at this moment; call it once,
        /// at set-up.</summary>
        public float GetPoleInPlace(SinewConstraint constraint, SinewPole pole)
        {
            float angle;
            Done(NativeMethods.sinew_animator_compute_pole_angle(Handle, constraint, &pole, &angle));
            return angle;
        }

        /// <summary>Sets the time in which the joints of a constraint go over to other weights or
        /// goals, seconds; 0, the default: at once. Changed weights, goals and poles that are set
        /// or cleared, and <see cref="InertializeConstraint"/> start a switch; time passes with
        /// <see cref="Advance"/>. Allocates native memory where there was no time.</summary>
        public void SetConstraintInertializationTime(SinewConstraint constraint, float seconds)
        {
            Done(NativeMethods.sinew_animator_set_constraint_inertialization_time(Handle, constraint, seconds));
        }

        /// <summary>The time in which the joints of a constraint go over to other weights or goals,
        /// seconds.</summary>
        public float GetConstraintInertializationTime(SinewConstraint constraint)
        {
            float seconds;
            Done(NativeMethods.sinew_animator_get_constraint_inertialization_time(Handle, constraint, &seconds));
            return seconds;
        }

        /// <summary>Starts a switch of a constraint: goals and pole that are set from now on replace
        /// the old ones within its time. No effect without a time.</summary>
        public void InertializeConstraint(SinewConstraint constraint)
        {
            Done(NativeMethods.sinew_animator_inertialize_constraint(Handle, constraint));
        }

        /// <summary>Whether a switch of a constraint is announced or under way: its outcome is then
        /// that of the solution it goes to.</summary>
        public bool IsConstraintInertializing(SinewConstraint constraint)
        {
            uint isInertializing;
            Done(NativeMethods.sinew_animator_get_constraint_is_inertializing(Handle, constraint, &isInertializing));
            return isInertializing != 0;
        }

        /// <summary>What the last solve left of a constraint: the worst of its ends.</summary>
        public Outcome GetConstraintOutcome(SinewConstraint constraint)
        {
            SinewOutcome outcome;
            Done(NativeMethods.sinew_animator_get_constraint_outcome(Handle, constraint, &outcome));
            return new Outcome(outcome);
        }

        /// <summary>Limits of a free joint, to fill in.</summary>
        public static SinewJointLimitsDef DefaultJointLimits()
        {
            SinewLibrary.CheckVersion();
            SinewJointLimitsDef limits;
            SinewLibrary.Check(NativeMethods.sinew_joint_limits_default(&limits));
            return limits;
        }

        /// <summary>Sets what a joint may do, for every constraint of this animator and, with
        /// limits_enabled of <see cref="Settings"/>, for its humanoid goals. Allocates native
        /// memory.</summary>
        /// <exception cref="SinewException">A least angle is above the greatest, a number is out of
        /// range, …; nothing changed.</exception>
        public void SetJointLimits(int joint, SinewJointLimitsDef limits)
        {
            Done(NativeMethods.sinew_animator_set_joint_limits(Handle, (uint)joint, &limits));
        }

        /// <summary>Clears the limits of a joint: the human range counts again where limits are
        /// enabled, else the joint is free. Allocates native memory while the whole-body solver is
        /// on.</summary>
        public void ClearJointLimits(int joint)
        {
            Done(NativeMethods.sinew_animator_set_joint_limits(Handle, (uint)joint, null));
        }

        /// <summary>What a joint may do.</summary>
        public SinewJointLimitsDef GetJointLimits(int joint)
        {
            SinewJointLimitsDef limits;
            Done(NativeMethods.sinew_animator_get_joint_limits(Handle, (uint)joint, &limits));
            return limits;
        }

        /// <summary>
        /// How far a joint of the pose is beyond its limits, radians; 0 within. Without limits of
        /// its own a human bone is measured against its range, whether limits are on or not.
        /// </summary>
        public float GetJointViolation(int joint)
        {
            float violation;
            Done(NativeMethods.sinew_animator_get_joint_violation(Handle, (uint)joint, &violation));
            return violation;
        }
    }
}
