//! The humanoid layer: avatar, the Animator's goals, look-at and body.
//!
//! An [`Avatar`] says which joint is which [`HumanBone`] and holds what was measured once on the T-pose. An [`Animator`] is
//! one character with Unity's Animator IK calls. Up, forward and handedness come with the avatar; the rooms above know none.

mod bone;
mod ik_goal;
mod mapping;
mod t_pose;
mod body;
mod look_at;
mod twist_roll;
mod twist;
mod human_limits;
mod shoulder;
mod settings;
mod avatar;
mod limb_limits;
mod active_goals;
mod steps;
mod eight_poses;
mod single_pose;
mod frame;
mod spacing;
mod reach_compensation;
mod inertia;
mod animator;
mod animator_constraints;
mod goal_batch;
pub mod crowd;
mod draw;
mod goal_frame;
mod match_target;
mod ik_fk;

pub use animator::{Animator, AnimatorError};
pub use avatar::{Avatar, AvatarDefinition, AvatarError};
pub use bone::HumanBone;
pub use human_limits::{HumanLimits, HumanRange};
pub use ik_goal::{HumanoidInput, IkGoal, IkGoalInput, IkHint, IkHintInput, LookAtWeight};
pub use mapping::{
    BodyShape, Evidence, HumanMap, MappingEntry, MappingHints, MappingReport, SideSource, map_human_names, map_joints,
    map_joints_with,
};
pub use match_target::{AvatarTarget, MatchTarget};
pub use settings::HumanoidSettings;
pub use t_pose::{BodyAxes, body_axes, t_pose};
