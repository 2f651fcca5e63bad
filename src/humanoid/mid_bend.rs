//! What the limits of an elbow or a knee let it do: bend about one axis, and roll about its bone.
//!
//! The same hinge can be described in many limit spaces: about X or Z with the bone along +Y or -Y
//! of limit space, or about an axis across the bone in any other space. Here it always turns about
//! +X of a frame whose +Y is along the bone.

use crate::limits::{BendAxis, Freedom, JointModel, Range};
use crate::math::{Lane, LaneQuat, LaneVec3, Quat, Vec3, arc, axis_angle, float, normalize_or};

/// Cosine of the angle between the bone and an axis up to which the axis is along the bone.
const ALONG: f32 = 0.9;
/// Cosine of the angle between the bone and an axis from which on the axis is across the bone.
const ACROSS: f32 = 0.4;
/// The same from which on the bone is on limit space's Y but for rounding.
const EXACT: f32 = 1.0 - 1e-6;
/// Half a turn about X, which keeps X and turns Y and Z round.
const ABOUT_X: Quat = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);

/// What a mid joint may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct MidBend {
    /// In the joint's space: +Y along the lower bone, +X the axis of the bend.
    pub frame: Quat,
    /// Range of the bend; `None` for a joint that bends about more axes than one, or about none.
    pub range: Option<Range>,
    /// Range of the roll about the bone.
    pub roll: Range,
    /// The bone along the axis of the bend and across it, as parts of its length: no bone is quite
    /// across its hinge.
    pub along_axis: f32,
    pub across_axis: f32,
}

impl MidBend {
    /// For the lower bone's direction in the joint's space, unit.
    pub fn of(model: &JointModel, bone: Vec3) -> Self {
        let along = (model.frame * Vec3::Y).dot(bone);
        match model.freedom {
            Freedom::Universal { bend, bend_range, twist } if along.abs() > ALONG => {
                Self::universal(frame_of(model, bend), bend_range, twist, bone)
            }
            Freedom::Hinge { range, .. } => Self::hinge(model, range, bone),
            freedom => Self::rolled(model.frame, roll_range(&freedom), along),
        }
    }
    /// A hinge whose axis is across the bone, along it or askew.
    fn hinge(model: &JointModel, range: Range, bone: Vec3) -> Self {
        let axis = model.hinge_axis();
        let along = axis.dot(bone);
        if along.abs() > ALONG {
            return Self::rolled(arc(Vec3::Y, axis), range, along);
        }
        let across = normalize_or(bone - axis * along, Vec3::ZERO);
        let lane = LaneVec3::from_vec3;
        let frame = LaneQuat::from_frames(lane(Vec3::X), lane(Vec3::Y), lane(axis), lane(across)).to_quat();
        Self {
            range: (along.abs() < ACROSS).then_some(range),
            along_axis: along,
            across_axis: float::sqrt(1.0 - along * along),
            ..Self::rolled(frame, Range::NONE, 1.0)
        }
    }
    /// A bend and a roll; the frame's Y is near the bone or against it.
    fn universal(frame: Quat, range: Range, roll: Range, bone: Vec3) -> Self {
        let along = (frame * Vec3::Y).dot(bone);
        let mut bend = Self { range: Some(range), ..Self::rolled(frame, roll, along) };
        if along.abs() < EXACT {
            // The angle of the bend counts from where the bone is.
            let seen = bend.frame.conjugate() * bone;
            bend.frame = (bend.frame * axis_angle(Vec3::X, float::atan2(seen.z, seen.y))).normalize();
        }
        bend
    }
    fn rolled(frame: Quat, roll: Range, along: f32) -> Self {
        if along < -ALONG {
            return Self::rolled((frame * ABOUT_X).normalize(), roll.mirrored(), -along);
        }
        Self { frame, range: None, roll, along_axis: 0.0, across_axis: 1.0 }
    }
    /// The frame of the same bend with positive angles for negative ones.
    #[inline(always)]
    pub fn turned_round<L: Lane>(frame: LaneQuat<L>) -> LaneQuat<L> {
        // Half a turn about Y, which keeps the bone and its roll.
        (frame * LaneQuat::splat(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0))).normalize_in_order()
    }
}

/// Limit space, turned so that X is the axis of the bend.
fn frame_of(model: &JointModel, bend: BendAxis) -> Quat {
    const QUARTER: f32 = core::f32::consts::FRAC_1_SQRT_2;
    match bend {
        BendAxis::X => model.frame,
        BendAxis::Z => model.frame * Quat::from_xyzw(0.0, -QUARTER, 0.0, QUARTER),
    }
}

/// How far a joint may twist about Y of its limit space.
fn roll_range(freedom: &Freedom) -> Range {
    match *freedom {
        Freedom::Ball { twist, .. } | Freedom::Universal { twist, .. } => twist,
        Freedom::Angles { y, .. } => y,
        Freedom::HalfSpaces(_) => Range::FREE,
        Freedom::Hinge { .. } | Freedom::Swing(_) | Freedom::Fixed => Range::NONE,
    }
}
