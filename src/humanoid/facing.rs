//! Directions that were up and forward in the T-pose, fixed in a joint.

use super::BodyAxes;
use crate::math::{Frame, Quat, Vec3, frame_rotation, normalize_or};
use crate::skeleton::{JointIndex, Pose};

/// Directions fixed in a joint, in its own space: what was up and forward in the T-pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facing {
    pub joint: JointIndex,
    pub up_js: Vec3,
    pub forward_js: Vec3,
    /// Takes `z` to forward and `y` to up.
    pub facing: Quat,
}

impl Facing {
    pub fn new(joint: JointIndex, pose: &Pose, axes: &BodyAxes) -> Self {
        let frame = pose.model(joint);
        let (up_js, forward_js) = (inward(&frame, axes.up), inward(&frame, axes.forward));
        Self { joint, up_js, forward_js, facing: frame_rotation(forward_js, up_js) }
    }
}

/// A model space direction in a frame's space, unit.
pub(super) fn inward(frame: &Frame, v: Vec3) -> Vec3 {
    frame.inverse_linear().map_or(v, |m| normalize_or(m * v, v))
}
