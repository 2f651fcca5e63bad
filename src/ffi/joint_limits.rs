//! What a joint may do.

use super::guard::{Failure, guard, optional_in, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{
    SINEW_LIMIT_ANGLES, SINEW_LIMIT_LOCK_X, SINEW_LIMIT_LOCK_Y, SINEW_LIMIT_LOCK_Z, SINEW_LIMIT_MAX_CORNERS,
    SINEW_LIMIT_RANGE_X, SINEW_LIMIT_RANGE_Y, SINEW_LIMIT_RANGE_Z, SinewJointLimits, SinewVec3,
};
use super::{read, registry, rooms};
use crate::limits::{
    AxisLimits, BendAxis, Freedom, HingeAxis, JointModel, Polygon, Range, Slide, Stretch, SwingRegion,
};
use crate::math::Vec3;

const _: () = assert!(SINEW_LIMIT_MAX_CORNERS as usize == Polygon::MAX);

/// Fills joint limits with defaults: a free ball joint.
///
/// @param out_limits  the limits.
pub extern "C" fn sinew_joint_limits_default(out_limits: Option<&mut SinewJointLimits>) -> SinewResult {
    guard("sinew_joint_limits_default", || {
        *out_ref(out_limits, "out_limits")? = limits_of(&JointModel::FREE);
        Ok(())
    })
}

/// Overrides the limits of a joint, for all constraints of this animator
/// and, with SinewHumanoidSettings.limits_enabled, for its humanoid goals: in place of
/// the human range of the joint's bone. They count from the rest rotation. An invalid
/// number refuses all of them. Allocates; with NULL only while the whole-body solver is on.
///
/// @param joint   0 … joint count − 1.
/// @param limits  see SinewJointLimits; the default limits free the joint. NULL
///                clears the override: the human range counts again where limits
///                are enabled, else the joint is free.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint; SINEW_ERROR_INVALID_ARGUMENT: unknown flags, a minimum
///         above its maximum, a number outside its range, corners that are not a convex polygon
///         around +Y.
pub extern "C" fn sinew_animator_set_joint_limits(
    animator: SinewAnimator,
    joint: u32,
    limits: Option<&SinewJointLimits>,
) -> SinewResult {
    guard("sinew_animator_set_joint_limits", || {
        let limits = optional_in(limits, "limits")?;
        let model = limits.map(model_of).transpose()?;
        registry::with_animator(animator, |character| {
            let joint = read::joint("joint", joint, character.buffer().len())?;
            let _room = rooms::JOINT_LIMITS.room(character.buffer().len())?;
            match &model {
                Some(model) => Ok(character.animator.set_joint_limits(joint, model)?),
                None => Ok(character.animator.clear_joint_limits(joint)?),
            }
        })
    })
}

/// Returns the limits that sinew_animator_set_joint_limits gave a joint. Set again, they
/// are the same bits. Angles of axes without a range read as 0, and ranges as they count:
/// clamped to half a turn, and widened to hold 0 where both X and Z swing.
///
/// @param joint       0 … joint count − 1.
/// @param out_limits  the limits; the default ones where none are set.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
pub extern "C" fn sinew_animator_get_joint_limits(
    animator: SinewAnimator,
    joint: u32,
    out_limits: Option<&mut SinewJointLimits>,
) -> SinewResult {
    guard("sinew_animator_get_joint_limits", || {
        let out = out_ref(out_limits, "out_limits")?;
        registry::with_animator(animator, |character| {
            let joint = read::joint("joint", joint, character.buffer().len())?;
            *out = limits_of(character.animator.joint_limits(joint)?.unwrap_or(&JointModel::FREE));
            Ok(())
        })
    })
}

/// Returns how far a joint is beyond its limits: the angle to the nearest
/// allowed rotation. Without limits of its own the joint of a human bone is measured
/// against the bone's range, whether or not limits are enabled. Reads the pose buffer.
///
/// @param joint              0 … joint count − 1.
/// @param out_violation_rad  radians, 0 … π; 0 for a joint without limits.
/// @return SINEW_ERROR_OUT_OF_RANGE: joint.
pub extern "C" fn sinew_animator_get_joint_violation(
    animator: SinewAnimator,
    joint: u32,
    out_violation_rad: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_joint_violation", || {
        let out = out_ref(out_violation_rad, "out_violation_rad")?;
        registry::with_animator(animator, |character| {
            let joint = read::joint("joint", joint, character.buffer().len())?;
            character.check_pose()?;
            *out = character.animator.joint_violation_rad(joint)?;
            Ok(())
        })
    })
}

const AXES: [char; 3] = ['x', 'y', 'z'];
const LOCKS: [u32; 3] = [SINEW_LIMIT_LOCK_X, SINEW_LIMIT_LOCK_Y, SINEW_LIMIT_LOCK_Z];
const RANGES: [u32; 3] = [SINEW_LIMIT_RANGE_X, SINEW_LIMIT_RANGE_Y, SINEW_LIMIT_RANGE_Z];
/// Greatest middle angle of SINEW_LIMIT_ANGLES: 90 degrees in single precision may be a little
/// more.
const QUARTER_TURN_RAD: f32 = core::f32::consts::FRAC_PI_2 + 1e-5;
const FLAGS: u32 = LOCKS[0] | LOCKS[1] | LOCKS[2] | RANGES[0] | RANGES[1] | RANGES[2] | SINEW_LIMIT_ANGLES;

fn components(v: &SinewVec3) -> [f32; 3] {
    [v.x, v.y, v.z]
}

/// Checks what is flagged and all that always counts.
pub(super) fn model_of(given: &SinewJointLimits) -> Result<JointModel, Failure> {
    read::struct_size("limits.struct_size", given.struct_size, size_of::<SinewJointLimits>())?;
    read::flags("limits.flags", given.flags, FLAGS)?;
    let (min, max, stiffness) = (components(&given.min_rad), components(&given.max_rad), components(&given.stiffness));
    let mut axes = AxisLimits::default();
    let mut reluctance = [0.0; 3];
    for (i, name) in AXES.into_iter().enumerate() {
        axes.locked[i] = given.flags & (LOCKS[i]) != 0;
        if given.flags & (RANGES[i]) != 0 {
            let least = read::angle_rad(format_args!("limits.min_rad.{name}"), min[i])?;
            let greatest = read::angle_rad(format_args!("limits.max_rad.{name}"), max[i])?;
            if least > greatest {
                return Err(Failure::argument(format_args!(
                    "limits.min_rad.{name} is {least}, above max_rad.{name}, {greatest}"
                )));
            }
            axes.range[i] = Some(Range::new(least, greatest));
        }
        reluctance[i] = read::fraction(format_args!("limits.stiffness.{name}"), stiffness[i])?;
    }
    let mut freedom = Freedom::from(axes);
    if given.flags & SINEW_LIMIT_ANGLES != 0 {
        if given.corner_count > 0 {
            return Err(Failure::argument("limits.flags has SINEW_LIMIT_ANGLES, and limits.corners are given"));
        }
        if let Some(range) = axes.range[2] {
            for (name, value) in [("min_rad", range.min), ("max_rad", range.max)] {
                if value.abs() > QUARTER_TURN_RAD {
                    return Err(Failure::argument(format_args!(
                        "limits.{name}.z is {value}, beyond a quarter turn, with SINEW_LIMIT_ANGLES"
                    )));
                }
            }
        }
        let range = |i: usize| {
            if axes.locked[i] { Range::new(0.0, 0.0) } else { axes.range[i].unwrap_or(Range::FREE) }
        };
        freedom = Freedom::Angles { x: range(0), z: range(2), y: range(1) };
    } else if let Some(polygon) = polygon(given)? {
        let bends_freely = |i: usize| !axes.locked[i] && axes.range[i].is_none();
        if !bends_freely(0) || !bends_freely(2) {
            return Err(Failure::argument("limits.corners are given, and X or Z is locked or has a range too"));
        }
        match &mut freedom {
            Freedom::Ball { swing, .. } | Freedom::Swing(swing) => *swing = SwingRegion::Polygon(polygon),
            _ => {}
        }
    }
    let soft_rad = read::half_turn_rad("limits.soft_rad", given.soft_rad)?;
    let slide_min = read::between("limits.slide_min", given.slide_min, -1e6, 1e6)?;
    let slide_max = read::between("limits.slide_max", given.slide_max, -1e6, 1e6)?;
    if slide_min > slide_max {
        return Err(Failure::argument(format_args!("limits.slide_min is {slide_min}, above slide_max, {slide_max}")));
    }
    let stretch_max = read::between("limits.stretch_max", given.stretch_max, 1.0, 1000.0)?;
    Ok(JointModel {
        frame: read::unit_quat("limits.frame", &given.frame)?,
        freedom,
        stiffness: reluctance,
        soft_rad,
        preferred_bend: read::vec3("limits.preferred_bend", &given.preferred_bend)?,
        stretch: Stretch {
            min: read::fraction("limits.stretch_min", given.stretch_min)?,
            max: stretch_max,
            compliance: read::fraction("limits.stretch_compliance", given.stretch_compliance)?,
        },
        slide: Slide {
            axis: read::unit_direction("limits.slide_axis", &given.slide_axis)?,
            min: slide_min,
            max: slide_max,
            mobility: read::between("limits.slide_mobility", given.slide_mobility, 0.0, 1e6)?,
        },
    })
}

fn polygon(given: &SinewJointLimits) -> Result<Option<Polygon>, Failure> {
    let count = given.corner_count as usize;
    if count == 0 {
        return Ok(None);
    }
    if !(3..=Polygon::MAX).contains(&count) {
        return Err(Failure::argument(format_args!("limits.corner_count is {count}, not 0 or 3 to {}", Polygon::MAX)));
    }
    let mut corners = [Vec3::ZERO; Polygon::MAX];
    for (i, corner) in corners[..count].iter_mut().enumerate() {
        *corner = read::unit_direction(format_args!("limits.corners[{i}]"), &given.corners[i])?;
    }
    match Polygon::new(&corners[..count]) {
        Some(polygon) => Ok(Some(polygon)),
        None => Err(Failure::argument(format_args!(
            "limits.corners: the {count} corners are not those of a convex polygon round +Y, in order, within half the sphere"
        ))),
    }
}

/// As it is set; what is not flagged is zero.
pub(super) fn limits_of(model: &JointModel) -> SinewJointLimits {
    let mut axes = AxisLimits::default();
    let mut corners: &[Vec3] = &[];
    let swing_of = |swing: &SwingRegion, axes: &mut AxisLimits| -> Option<Polygon> {
        match swing {
            SwingRegion::Free => {}
            SwingRegion::X(x) => axes.range[0] = Some(*x),
            SwingRegion::Z(z) => axes.range[2] = Some(*z),
            SwingRegion::Ellipse { x, z } => (axes.range[0], axes.range[2]) = (Some(*x), Some(*z)),
            SwingRegion::Polygon(polygon) => return Some(*polygon),
        }
        None
    };
    let twist_of = |twist: &Range| (*twist != Range::FREE).then_some(*twist);
    let mut sides = None;
    match &model.freedom {
        Freedom::Ball { swing, twist } => {
            sides = swing_of(swing, &mut axes);
            axes.range[1] = twist_of(twist);
        }
        Freedom::Swing(swing) => {
            sides = swing_of(swing, &mut axes);
            axes.locked[1] = true;
        }
        Freedom::Universal { bend, bend_range, twist } => {
            let (bends, locked) = if *bend == BendAxis::X { (0, 2) } else { (2, 0) };
            axes.locked[locked] = true;
            axes.range[bends] = twist_of(bend_range);
            axes.range[1] = twist_of(twist);
        }
        Freedom::Hinge { axis, range } => {
            let turns = match axis {
                HingeAxis::X => 0,
                HingeAxis::Y => 1,
                HingeAxis::Z => 2,
            };
            axes.locked = [true; 3];
            axes.locked[turns] = false;
            axes.range[turns] = twist_of(range);
        }
        Freedom::Angles { x, z, y } => {
            for (i, range) in [x, y, z].into_iter().enumerate() {
                axes.locked[i] = *range == Range::new(0.0, 0.0);
                axes.range[i] = twist_of(range).filter(|_| !axes.locked[i]);
            }
        }
        // No override from C has half-spaces.
        Freedom::HalfSpaces(_) => {}
        Freedom::Fixed => axes.locked = [true; 3],
    }
    if let Some(polygon) = &sides {
        corners = polygon.corners();
    }
    let mut flags = if matches!(model.freedom, Freedom::Angles { .. }) { SINEW_LIMIT_ANGLES } else { 0 };
    let (mut min, mut max) = ([0.0; 3], [0.0; 3]);
    for i in 0..3 {
        if axes.locked[i] {
            flags |= LOCKS[i];
        }
        if let Some(range) = axes.range[i] {
            flags |= RANGES[i];
            (min[i], max[i]) = (range.min, range.max);
        }
    }
    let mut out_corners = [SinewVec3::default(); Polygon::MAX];
    for (out, corner) in out_corners.iter_mut().zip(corners) {
        *out = (*corner).into();
    }
    SinewJointLimits {
        struct_size: size_of::<SinewJointLimits>() as u32,
        flags,
        frame: model.frame.into(),
        min_rad: Vec3::from_array(min).into(),
        max_rad: Vec3::from_array(max).into(),
        stiffness: Vec3::from_array(model.stiffness).into(),
        soft_rad: model.soft_rad,
        preferred_bend: model.preferred_bend.into(),
        stretch_min: model.stretch.min,
        stretch_max: model.stretch.max,
        stretch_compliance: model.stretch.compliance,
        corner_count: corners.len() as u32,
        corners: out_corners,
        slide_axis: model.slide.axis.into(),
        slide_min: model.slide.min,
        slide_max: model.slide.max,
        slide_mobility: model.slide.mobility,
    }
}
