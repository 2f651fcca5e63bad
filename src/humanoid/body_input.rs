//! The whole-body solver of a humanoid as plain data: its settings and its effectors beyond hands
//! and feet.

use super::HumanBone;
use crate::outcome::weight01;

/// How goals become a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodySolverMode {
    /// Each limb for itself, in closed form; effectors do nothing. The default.
    #[default]
    Off,
    /// The whole body at once; each pose depends on the animation and the input alone.
    Converge,
    /// The whole body at once, from the last pose, with bounded work per frame. Needs
    /// [`crate::animator::Animator::advance`] in every frame.
    Track,
}

/// Settings of the whole-body solver of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySolverSettings {
    /// Default off.
    pub mode: BodySolverMode,
    /// Whether feet stay where the animation has them, as far as their goals have no weight;
    /// default true. Feet have priority over everything else.
    pub holds_feet: bool,
    /// How far the centre of mass is kept above the soles of the feet that have a goal or are held,
    /// 0 (not at all, default) … 1.
    pub balance_weight: f32,
    /// 0 (hips move and turn as readily as any joint) … 1 (hardly). Default 0.5.
    pub hips_stiffness: f32,
    /// The same for spine, chest, and half of it for neck and head. Default 0.5.
    pub spine_stiffness: f32,
    /// The same for the clavicles. Default 0.7.
    pub shoulder_stiffness: f32,
}

impl Default for BodySolverSettings {
    fn default() -> Self {
        Self {
            mode: BodySolverMode::Off,
            holds_feet: true,
            balance_weight: 0.0,
            hips_stiffness: 0.5,
            spine_stiffness: 0.5,
            shoulder_stiffness: 0.7,
        }
    }
}

impl BodySolverSettings {
    /// With every weight limited to 0 … 1.
    pub(crate) fn limited(&self) -> Self {
        Self {
            balance_weight: weight01(self.balance_weight),
            hips_stiffness: weight01(self.hips_stiffness),
            spine_stiffness: weight01(self.spine_stiffness),
            shoulder_stiffness: weight01(self.shoulder_stiffness),
            ..*self
        }
    }
}

/// Effectors of the whole-body solver beside the goals of hands and feet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum BodyEffector {
    /// The hips.
    Hips = 0,
    /// The highest of spine, chest and upper chest.
    Chest = 1,
    /// The head.
    Head = 2,
    /// Left shoulder joint: where the upper arm begins.
    LeftShoulder = 3,
    /// Right shoulder joint.
    RightShoulder = 4,
    /// Left elbow: where the forearm begins.
    LeftElbow = 5,
    /// Right elbow.
    RightElbow = 6,
    /// Left knee: where the shin begins.
    LeftKnee = 7,
    /// Right knee.
    RightKnee = 8,
}

impl BodyEffector {
    /// Number of effectors.
    pub const COUNT: usize = 9;
    /// All, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Hips,
        Self::Chest,
        Self::Head,
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::LeftElbow,
        Self::RightElbow,
        Self::LeftKnee,
        Self::RightKnee,
    ];

    /// Number, 0 … 8.
    pub fn index(self) -> usize {
        self as usize
    }
    /// The bones whose joint it can be; the first that the rig has is meant.
    pub(crate) fn bones(self) -> &'static [HumanBone] {
        use HumanBone::*;
        match self {
            Self::Hips => &[Hips],
            Self::Chest => &[UpperChest, Chest, Spine],
            Self::Head => &[Head],
            Self::LeftShoulder => &[LeftUpperArm],
            Self::RightShoulder => &[RightUpperArm],
            Self::LeftElbow => &[LeftLowerArm],
            Self::RightElbow => &[RightLowerArm],
            Self::LeftKnee => &[LeftLowerLeg],
            Self::RightKnee => &[RightLowerLeg],
        }
    }
}
