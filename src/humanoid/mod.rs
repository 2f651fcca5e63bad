//! The humanoid layer: avatar, goals as plain data, and the humanoid steps of a frame.
//!
//! An [`Avatar`] has which joint is which [`HumanBone`] and holds what was measured once on the
//! T-pose. Up, forward and handedness come with the avatar; the layers above know none. The steps —
//! body, spine, look-at, limbs, twist, switches, and the whole-body solver in place of the first
//! four — are run by [`crate::animator::Animator`].

pub(crate) mod bone;
pub(crate) mod ik_goal;
mod mapping;
mod t_pose;
pub(crate) mod body;
mod facing;
mod look_at;
mod look_at_rig;
mod twist_roll;
mod trunk_avoidance;
mod trunk_rig;
mod twist;
mod human_limits;
mod human_ranges;
mod shoulder;
mod posture;
mod limb_starts;
mod settings;
mod body_input;
pub(crate) mod whole_body;
mod avatar;
mod mid_bend;
mod end_limit;
mod limb_shape;
mod border_step;
mod limb_approach;
mod limb_limits;
mod limited_view;
pub(crate) mod goal_places;
pub(crate) mod goal_priority;
pub(crate) mod active_goals;
mod goal_space;
pub(crate) mod lane_steps;
pub(crate) mod eight_poses;
pub(crate) mod single_pose;
pub(crate) mod weighted_goals;
pub(crate) mod outcomes;
pub(crate) mod pose_steps;
mod placed_goals;
pub(crate) mod follow;
mod limited_limbs;
pub(crate) mod body_step;
mod placed_body;
mod twisted_spaces;
mod spacing;
mod reach_compensation;
pub(crate) mod inertialization;
pub(crate) mod gaze_switch;
pub(crate) mod goal_batch;

pub use avatar::{Avatar, AvatarDefinition, AvatarError};
pub use body_input::{BodyEffector, BodySolverMode, BodySolverSettings};
pub use bone::HumanBone;
pub use goal_priority::GoalPriority;
pub use human_limits::HumanLimits;
pub use human_ranges::{HumanRange, HumanRangeSet};
pub use ik_goal::{BodyMove, HumanoidInput, IkGoal, IkGoalInput, IkHint, IkHintInput, LookAtWeight};
pub use mapping::{
    BodyShape, Evidence, HumanMap, MappingEntry, MappingHints, MappingReport, SideSource, map_human_names, map_joints,
    map_joints_with,
};
pub use settings::HumanoidSettings;
pub use t_pose::{BodyAxes, body_axes, t_pose};
