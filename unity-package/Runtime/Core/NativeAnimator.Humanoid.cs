using Sinew.Interop;

namespace Sinew
{
    // Beyond Unity's humanoid calls: compensation by the body, blending, matching. All off by
    // default.
    public sealed unsafe partial class NativeAnimator
    {
        /// <summary>Settings with their size and everything off, to start from.</summary>
        public static SinewHumanoidSettings DefaultSettings()
        {
            SinewLibrary.CheckVersion();
            SinewHumanoidSettings settings;
            SinewLibrary.Check(NativeMethods.sinew_humanoid_settings_default(&settings));
            return settings;
        }

        /// <summary>
        /// Compensation by the body, joint limits and blend times. Stays until changed; what is
        /// read is clamped to its ranges. Setting it allocates native memory when a blend time or
        /// limits_enabled changes, and frees some when a goal loses its blend time.
        /// </summary>
        public SinewHumanoidSettings Settings
        {
            get
            {
                SinewHumanoidSettings settings;
                Done(NativeMethods.sinew_animator_get_settings(Handle, &settings));
                return settings;
            }
            set
            {
                Done(NativeMethods.sinew_animator_set_settings(Handle, &value));
            }
        }

        /// <summary>Settings of the whole-body solver with their size and defaults: off.</summary>
        public static SinewBodySolverSettings DefaultBodySolver()
        {
            SinewLibrary.CheckVersion();
            SinewBodySolverSettings settings;
            SinewLibrary.Check(NativeMethods.sinew_body_solver_settings_default(&settings));
            return settings;
        }

        /// <summary>
        /// The whole-body solver: off by default. While it is on, all goals are met by the whole
        /// body at once. Setting it allocates native memory. </summary>
        public SinewBodySolverSettings BodySolver
        {
            get
            {
                SinewBodySolverSettings settings;
                Done(NativeMethods.sinew_animator_get_body_solver(Handle, &settings));
                return settings;
            }
            set
            {
                Done(NativeMethods.sinew_animator_set_body_solver(Handle, &value));
            }
        }

        /// <summary>
        /// Sets the goal of an effector of the whole-body solver: world space, metres, the rotation
        /// in the joint's axes. Without effect while the solver is off. All zero: the effector is
        /// free. </summary>
        public void SetBodyEffector(SinewHumanEffector effector, SinewBodyEffectorInput input)
        {
            Done(NativeMethods.sinew_animator_set_body_effector(Handle, effector, &input));
        }

        /// <summary>The goal of an effector as set.</summary>
        public SinewBodyEffectorInput GetBodyEffector(SinewHumanEffector effector)
        {
            SinewBodyEffectorInput input;
            Done(NativeMethods.sinew_animator_get_body_effector(Handle, effector, &input));
            return input;
        }

        /// <summary>
        /// Sets how much the goal of a hand or foot counts where the whole-body solver cannot meet
        /// all goals: importances as ratios in conflicts of one level, and the level. Without
        /// effect while the solver is off. May allocate. </summary>
        public void SetIKGoalPriority(SinewIkGoal goal, SinewGoalPriority priority)
        {
            Done(NativeMethods.sinew_animator_set_ik_goal_priority(Handle, goal, &priority));
        }

        /// <summary>How much the goal of a hand or foot counts.</summary>
        public SinewGoalPriority GetIKGoalPriority(SinewIkGoal goal)
        {
            SinewGoalPriority priority;
            Done(NativeMethods.sinew_animator_get_ik_goal_priority(Handle, goal, &priority));
            return priority;
        }

        /// <summary>
        /// Sets how much the goal of an effector counts; see <see cref="SetIKGoalPriority"/>.
        /// </summary>
        public void SetBodyEffectorPriority(SinewHumanEffector effector, SinewGoalPriority priority)
        {
            Done(NativeMethods.sinew_animator_set_body_effector_priority(Handle, effector, &priority));
        }

        /// <summary>How much the goal of an effector counts.</summary>
        public SinewGoalPriority GetBodyEffectorPriority(SinewHumanEffector effector)
        {
            SinewGoalPriority priority;
            Done(NativeMethods.sinew_animator_get_body_effector_priority(Handle, effector, &priority));
            return priority;
        }

        /// <summary>
        /// How the whole-body solver ended in the last solve; metres are those of model space.
        /// </summary>
        public SinewBodyOutcome BodyOutcome
        {
            get
            {
                SinewBodyOutcome outcome;
                Done(NativeMethods.sinew_animator_get_body_outcome(Handle, &outcome));
                return outcome;
            }
        }

        /// <summary>How an effector ended in the last solve.</summary>
        public Outcome GetBodyEffectorOutcome(SinewHumanEffector effector)
        {
            SinewOutcome outcome;
            Done(NativeMethods.sinew_animator_get_body_effector_outcome(Handle, effector, &outcome));
            return new Outcome(outcome);
        }

        /// <summary>
        /// Advances the time of everything that lasts between frames: once per frame, before <see
        /// cref="Solve"/>. It is the time of blends, and of the whole-body solver in track mode,
        /// which needs the call in every frame. Without effect while no goal has a blend time and
        /// the solver is not in that mode. </summary>
        /// <param name="seconds">Time since the last call; below 0 counts as 0.</param>
        public void Advance(float seconds)
        {
            Done(NativeMethods.sinew_animator_advance(Handle, seconds));
        }

        /// <summary>
        /// Starts a blend to a new goal: what is set for the goal from now on replaces the old goal
        /// within its blend time. Weight changes blend without this call.
        /// </summary>
        public void Inertialize(SinewIkGoal goal)
        {
            Done(NativeMethods.sinew_animator_inertialize(Handle, goal));
        }

        /// <summary>Whether a goal is blending: the hand or foot is then not yet where the outcome
        /// says.</summary>
        public bool IsInertializing(SinewIkGoal goal)
        {
            uint blending;
            Done(NativeMethods.sinew_animator_get_is_inertializing(Handle, goal, &blending));
            return blending != 0;
        }

        /// <summary>
        /// Starts a switch of the look-at: the position set from now on is another target, and the
        /// gaze goes there within its switch time. Changed weights need no such call.
        /// </summary>
        public void InertializeLookAt()
        {
            Done(NativeMethods.sinew_animator_inertialize_look_at(Handle));
        }

        /// <summary>Whether a switch of the look-at is under way: its outcome is that of the target
        /// and weights of that moment.</summary>
        public bool IsLookAtInertializing()
        {
            uint switching;
            Done(NativeMethods.sinew_animator_get_is_look_at_inertializing(Handle, &switching));
            return switching != 0;
        }

        /// <summary>
        /// Sets the goal rotation of a hand or foot as rotation of its joint: world space, in the
        /// joint's axes (in Unity: Transform.rotation). The same goal as <see
        /// cref="SetIKRotation"/>'s, in another frame. </summary>
        public void SetIKRotationBone(SinewIkGoal goal, SinewQuat rotation)
        {
            Done(NativeMethods.sinew_animator_set_ik_rotation_bone(Handle, goal, &rotation));
        }

        /// <summary>Goal rotation of a hand or foot as rotation of its joint; world space, in the
        /// joint's axes.</summary>
        public SinewQuat GetIKRotationBone(SinewIkGoal goal)
        {
            SinewQuat rotation;
            Done(NativeMethods.sinew_animator_get_ik_rotation_bone(Handle, goal, &rotation));
            return rotation;
        }

        /// <summary>A target with its size and defaults: the root, at the origin, over the whole
        /// clip, weights 1.</summary>
        public static SinewMatchTarget DefaultMatchTarget()
        {
            SinewLibrary.CheckVersion();
            SinewMatchTarget target;
            SinewLibrary.Check(NativeMethods.sinew_match_target_default(&target));
            return target;
        }

        /// <summary>
        /// The root transform for the frame from one normalised time of the clip to another, so
        /// that the part is at the target at its end time. Changes nothing; hand the result to <see
        /// cref="Root"/>. </summary>
        public SinewTransform MatchTarget(SinewMatchTarget target, float fromTime, float toTime)
        {
            SinewTransform root;
            Done(NativeMethods.sinew_animator_match_target(Handle, &target, fromTime, toTime, &root));
            return root;
        }

        /// <summary>Where a part of the body is, from pose buffer and root: world space, hands and
        /// feet in Unity's goal frame.</summary>
        public void GetTargetPose(SinewAvatarTarget part, out SinewVec3 position, out SinewQuat rotation)
        {
            SinewVec3 p;
            SinewQuat r;
            Done(NativeMethods.sinew_animator_get_target_pose(Handle, part, &p, &r));
            position = p;
            rotation = r;
        }

        /// <summary>
        /// Sets every goal, hint and the look-at to where the pose buffer has them, so that weights
        /// raised afterwards change nothing. Weights stay; body and bone rotations are taken back.
        /// </summary>
        public void MatchGoalsFromPose()
        {
            Done(NativeMethods.sinew_animator_match_goals_from_pose(Handle));
        }

        /// <summary>
        /// Solves, and lets the result stand as a pose of its own: all humanoid weights go to 0,
        /// body and bone rotations are taken back, so the next solve leaves the pose buffer bit for
        /// bit. </summary>
        public void MatchPoseFromGoals()
        {
            Done(NativeMethods.sinew_animator_match_pose_from_goals(Handle));
        }
    }
}
