//! Other places from which a leg that its limits keep from its goal may come nearer to it.
//!
//! The nearest admissible leg need not be near the free one. A foot above and behind the hip is met
//! best by a thigh that is stretched back under a bent knee, not by a leg that is raised in front;
//! a foot above the hip by a straight leg. [`super::limb_approach`] starts from these, too. What
//! comes of that hardly depends on where exactly they are.

use crate::math::{Quat, Vec3, axis_angle};

const DEGREE: f32 = core::f32::consts::PI / 180.0;
/// How far the thigh is forward, and the bend of the knee: back, and raised.
const STARTS: [(f32, f32); LegStarts::COUNT] = [(-30.0 * DEGREE, 90.0 * DEGREE), (110.0 * DEGREE, 20.0 * DEGREE)];
/// The thigh in the middle of what it may do, likewise.
const MIDDLE: f32 = 20.0 * DEGREE;

/// A place to start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegStart {
    /// Turn of the hip joint from the T-pose, in its own space.
    pub turn: Quat,
    /// Angle of the knee.
    pub angle: f32,
}

/// Those of a leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegStarts {
    pub all: [LegStart; Self::COUNT],
    /// A turn that is less than half a turn from all that a hip may do.
    pub middle: Quat,
}

impl LegStarts {
    pub const COUNT: usize = 2;

    /// For the axis about which a positive turn brings the thigh forward, in the space of the hip
    /// joint.
    pub fn new(forward_axis: Vec3) -> Self {
        let turned = |angle: f32| axis_angle(forward_axis, angle);
        Self { all: STARTS.map(|(thigh, knee)| LegStart { turn: turned(thigh), angle: knee }), middle: turned(MIDDLE) }
    }
}
