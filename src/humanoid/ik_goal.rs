//! The Animator's inputs as plain data: goals, hints, look-at, body.

use super::HumanBone;
use crate::math::{Quat, Vec3};

/// The four IK goals; numbers are those of Unity's AvatarIKGoal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum IkGoal {
    /// Left foot; the goal point is the ankle joint.
    LeftFoot = 0,
    /// Right foot; the goal point is the ankle joint.
    RightFoot = 1,
    /// Left hand; the goal point is the wrist joint.
    LeftHand = 2,
    /// Right hand; the goal point is the wrist joint.
    RightHand = 3,
}

/// The four bend hints; numbers are those of Unity's AvatarIKHint. A hint belongs to the goal of
/// the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum IkHint {
    /// Left knee.
    LeftKnee = 0,
    /// Right knee.
    RightKnee = 1,
    /// Left elbow.
    LeftElbow = 2,
    /// Right elbow.
    RightElbow = 3,
}

impl IkGoal {
    /// All goals, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::LeftFoot, Self::RightFoot, Self::LeftHand, Self::RightHand];

    /// Number, 0 … 3.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// Root, mid and end bone of the limb.
    pub fn bones(self) -> [HumanBone; 3] {
        use HumanBone::*;
        match self {
            Self::LeftFoot => [LeftUpperLeg, LeftLowerLeg, LeftFoot],
            Self::RightFoot => [RightUpperLeg, RightLowerLeg, RightFoot],
            Self::LeftHand => [LeftUpperArm, LeftLowerArm, LeftHand],
            Self::RightHand => [RightUpperArm, RightLowerArm, RightHand],
        }
    }
    /// Name in words.
    pub fn name(self) -> &'static str {
        ["the left foot", "the right foot", "the left hand", "the right hand"][self.index()]
    }
    /// Whether it is a foot.
    pub fn is_foot(self) -> bool {
        matches!(self, Self::LeftFoot | Self::RightFoot)
    }
}

impl IkHint {
    /// All hints, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::LeftKnee, Self::RightKnee, Self::LeftElbow, Self::RightElbow];

    /// Number, 0 … 3.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// The goal of the same limb.
    pub fn goal(self) -> IkGoal {
        IkGoal::ALL[self.index()]
    }
}

/// One hand or foot goal. `None`: the animation's own.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct IkGoalInput {
    /// Wrist or ankle joint, world space, metres; of a goal with a space or an effector point:
    /// [`crate::animator::Animator::set_ik_goal_space`] and
    /// [`crate::animator::Animator::set_ik_effector_point`].
    pub position: Option<Vec3>,
    /// World space or the goal's space, in Unity's goal frame: X right of the hand or foot, Y out
    /// of its back, Z along fingers or toes.
    pub rotation: Option<Quat>,
    /// 0 (animated position) … 1 (at the goal). Default 0.
    pub position_weight: f32,
    /// 0 (rotation before IK) … 1 (goal rotation). Default 0.
    pub rotation_weight: f32,
}

/// One bend hint. `None`: the animation's own knee or elbow.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct IkHintInput {
    /// World space or the space of its limb's goal, metres.
    pub position: Option<Vec3>,
    /// 0 (bend of the animation) … 1 (points at the hint). Default 0.
    pub weight: f32,
}

/// The weights of a look-at, each 0 … 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAtWeight {
    /// Multiplies body, head and eyes. Default 0.
    pub weight: f32,
    /// Share the spine takes. Default 0.
    pub body: f32,
    /// Share neck and head take of what is left. Default 1.
    pub head: f32,
    /// Share the eyes take of what is left, within their range. Default 0.
    pub eyes: f32,
    /// 0 free … 1 no turning: the gaze may turn (1 − clamp)·180° away from the chest's forward.
    /// Default 0.5.
    pub clamp: f32,
}

impl Default for LookAtWeight {
    fn default() -> Self {
        Self { weight: 0.0, body: 0.0, head: 1.0, eyes: 0.0, clamp: 0.5 }
    }
}

/// How far the body goes from where the pose has it, whatever of the body has been turned before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMove {
    /// Move of the hips, world space, metres.
    pub offset_ws: Vec3,
    /// Turn about the hips, world space.
    pub turn_ws: Quat,
}

impl BodyMove {
    /// Where the move takes a point of a body whose hips are at a place.
    pub fn moved(&self, hips_ws: Vec3, point_ws: Vec3) -> Vec3 {
        hips_ws + self.turn_ws * (point_ws - hips_ws) + self.offset_ws
    }
}

/// Everything a character's IK callback can set.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct HumanoidInput {
    /// In [`IkGoal`] order.
    pub goals: [IkGoalInput; 4],
    /// In [`IkHint`] order.
    pub hints: [IkHintInput; 4],
    /// Point to look at, world space, metres; `None`: straight ahead as animated.
    pub look_at_position: Option<Vec3>,
    /// Look-at weights.
    pub look_at_weight: LookAtWeight,
    /// Centre of mass, world space, metres; `None`: where the animation has it.
    pub body_position: Option<Vec3>,
    /// Orientation of the body, world space; `None`: as the animation has it.
    pub body_rotation: Option<Quat>,
    /// How far the body goes from there.
    pub body_move: Option<BodyMove>,
}

impl HumanoidInput {
    /// Whether the body is moved or turned.
    #[inline(always)]
    pub(crate) fn places_body(&self) -> bool {
        self.body_position.is_some() || self.body_rotation.is_some() || self.body_move.is_some()
    }
}
