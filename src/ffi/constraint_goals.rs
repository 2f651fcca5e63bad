//! The input of a constraint for each frame, and its outcome.

use super::guard::{Failure, guard, in_ref, optional_in, optional_out, out_ref};
use super::ids::{SinewAnimator, SinewConstraint};
use super::result::SinewResult;
use super::types::{
    SINEW_CONSTRAINT_AXIS, SINEW_CONSTRAINT_POSITION, SINEW_CONSTRAINT_ROTATION, SINEW_POLE_DIRECTION,
    SINEW_POLE_REFERENCE, SinewConstraintGoal, SinewDistanceModeArg, SinewOutcome, SinewPole, SinewQuat, SinewVec3,
};
use super::{read, registry, rooms};
use crate::chains::{AxisGoal, Pole};
use crate::constraints::{ConstraintGoal, ConstraintInput, DistanceGoal, DistanceMode};
use crate::math::{Quat, Vec3};
use crate::outcome::{importance01, weight01};

/// Runs `use_it` on the input of a constraint.
fn with_input<R>(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    use_it: impl FnOnce(&mut ConstraintInput) -> Result<R, Failure>,
) -> Result<R, Failure> {
    registry::with_constraint(animator, constraint, |animator, id| use_it(animator.constraint_mut(id)?))
}

/// Runs `use_it` on one end's goal.
fn with_goal<R>(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    use_it: impl FnOnce(&mut ConstraintGoal) -> R,
) -> Result<R, Failure> {
    with_input(animator, constraint, |input| {
        let ends = input.goals.len();
        match input.goals.get_mut(end as usize) {
            Some(goal) => Ok(use_it(goal)),
            None => Err(Failure::new(
                SinewResult::SinewErrorOutOfRange,
                format_args!("end is {end}, the constraint has {ends}"),
            )),
        }
    })
}

/// Sets the weight of a constraint: how far the pose goes from the animation to the constraint's
/// result. Default 0.
///
/// @param weight  0 (the animation, bit for bit) … 1; clamped.
pub extern "C" fn sinew_animator_set_constraint_weight(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    weight: f32,
) -> SinewResult {
    guard("sinew_animator_set_constraint_weight", || {
        let weight = weight01(read::weight("weight", weight)?);
        with_input(animator, constraint, |input| {
            input.weight = weight;
            Ok(())
        })
    })
}

/// Returns the weight of a constraint.
///
/// @param out_weight  0 … 1.
pub extern "C" fn sinew_animator_get_constraint_weight(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_weight: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_weight", || {
        let out = out_ref(out_weight, "out_weight")?;
        with_input(animator, constraint, |input| {
            *out = input.weight;
            Ok(())
        })
    })
}

/// Returns the number of ends: of a chain as in its definition, of a spline the number of control
/// points, of other constraints 1.
///
/// @param out_count  1 or more.
pub extern "C" fn sinew_animator_get_constraint_end_count(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_end_count", || {
        let out = out_ref(out_count, "out_count")?;
        with_input(animator, constraint, |input| {
            *out = input.goals.len() as u32;
            Ok(())
        })
    })
}

/// Reports whether a constraint is a limb of two bones that is straight in the rest pose and has no
/// SinewTwoBoneDef::bend_side: without a pole it then bends to an arbitrary fixed side. Check it
/// once, at set-up.
///
/// @param out_is_arbitrary  1 or 0; 0 for all other constraints.
pub extern "C" fn sinew_animator_get_constraint_bend_is_arbitrary(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_is_arbitrary: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_bend_is_arbitrary", || {
        let out = out_ref(out_is_arbitrary, "out_is_arbitrary")?;
        registry::with_character_constraint(animator, constraint, |character, id| {
            *out = character.animator.bend_is_arbitrary(id)?.into();
            Ok(())
        })
    })
}

/// Sets the goal position of an end's tip.
///
/// @param end       0 … number of ends − 1, in the order of the definition.
/// @param position  world space, metres; with a distance mode the centre of the sphere.
/// @return SINEW_ERROR_OUT_OF_RANGE: end.
pub extern "C" fn sinew_animator_set_constraint_position(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    position: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_set_constraint_position", || {
        let position = read::vec3("position", in_ref(position, "position")?)?;
        with_goal(animator, constraint, end, |goal| goal.position_ws = Some(position))
    })
}

/// Sets the goal rotation of an end's joint.
///
/// @param end       0 … number of ends − 1.
/// @param rotation  world space.
/// @return SINEW_ERROR_OUT_OF_RANGE: end.
pub extern "C" fn sinew_animator_set_constraint_rotation(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    rotation: Option<&SinewQuat>,
) -> SinewResult {
    guard("sinew_animator_set_constraint_rotation", || {
        let rotation = read::quat("rotation", in_ref(rotation, "rotation")?)?;
        with_goal(animator, constraint, end, |goal| goal.rotation_ws = Some(rotation))
    })
}

/// Sets the goal direction of one axis of an end's joint; the twist about the axis stays free. Not
/// used while a rotation goal is set.
///
/// @param end        0 … number of ends − 1.
/// @param axis       in the joint's space, any length but zero.
/// @param direction  world space, any length but zero.
/// @return SINEW_ERROR_OUT_OF_RANGE: end; SINEW_ERROR_INVALID_ARGUMENT: length zero.
pub extern "C" fn sinew_animator_set_constraint_axis(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    axis: Option<&SinewVec3>,
    direction: Option<&SinewVec3>,
) -> SinewResult {
    guard("sinew_animator_set_constraint_axis", || {
        let axis = read::direction("axis", in_ref(axis, "axis")?)?;
        let direction = read::direction("direction", in_ref(direction, "direction")?)?;
        with_goal(animator, constraint, end, |goal| goal.axis_ws = Some(AxisGoal { axis, direction }))
    })
}

/// Sets the weight of an end's position goal. Default 1. At 0 the end is held where the animation
/// has it; an end without a goal is free.
///
/// @param end     0 … number of ends − 1.
/// @param weight  0 (animated position) … 1 (at the goal); clamped.
/// @return SINEW_ERROR_OUT_OF_RANGE: end.
pub extern "C" fn sinew_animator_set_constraint_position_weight(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    weight: f32,
) -> SinewResult {
    guard("sinew_animator_set_constraint_position_weight", || {
        let weight = weight01(read::weight("weight", weight)?);
        with_goal(animator, constraint, end, |goal| goal.position_weight = weight)
    })
}

/// Sets the weight of an end's rotation (or axis) goal. Default 1. At 0 the end is held as the
/// animation turns it; an end without a goal is carried along.
///
/// @param end     0 … number of ends − 1.
/// @param weight  0 (animated rotation) … 1 (at the goal); clamped.
/// @return SINEW_ERROR_OUT_OF_RANGE: end.
pub extern "C" fn sinew_animator_set_constraint_rotation_weight(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    weight: f32,
) -> SinewResult {
    guard("sinew_animator_set_constraint_rotation_weight", || {
        let weight = weight01(read::weight("weight", weight)?);
        with_goal(animator, constraint, end, |goal| goal.rotation_weight = weight)
    })
}

/// Sets how much an end's goals count where not all goals of a chain can be met. Squared distances
/// count by it; only ratios matter. Not for fading: where nothing opposes, the least importance is
/// obeyed.
///
/// @param end       0 … number of ends − 1.
/// @param position  of the position, clamped to 0.01 … 1. Default 1.
/// @param rotation  of the rotation or axis, clamped to 0.01 … 1; a radian counts as much as a
///                  third of the chain's length. Default 1.
/// @return SINEW_ERROR_OUT_OF_RANGE: end.
pub extern "C" fn sinew_animator_set_constraint_importance(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    position: f32,
    rotation: f32,
) -> SinewResult {
    guard("sinew_animator_set_constraint_importance", || {
        let position = importance01(read::weight("position", position)?);
        let rotation = importance01(read::weight("rotation", rotation)?);
        with_goal(animator, constraint, end, |goal| {
            (goal.position_importance, goal.rotation_importance) = (position, rotation);
        })
    })
}

/// Sets the distance mode of an end: its position goal becomes the centre of a sphere to be inside,
/// on or outside of.
///
/// @param end     0 … number of ends − 1.
/// @param mode    a SinewDistanceMode; SINEW_DISTANCE_MODE_NONE clears the sphere.
/// @param radius  world space, metres, 0 or more; not used with SINEW_DISTANCE_MODE_NONE, but must
///                be finite.
/// @return SINEW_ERROR_OUT_OF_RANGE: end; SINEW_ERROR_INVALID_ARGUMENT: a negative radius.
pub extern "C" fn sinew_animator_set_constraint_distance(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    mode: SinewDistanceModeArg,
    radius: f32,
) -> SinewResult {
    guard("sinew_animator_set_constraint_distance", || {
        let mode = read::distance_mode("mode", mode)?;
        let radius_m = read::weight("radius", radius)?;
        let distance = match mode {
            Some(mode) => Some(DistanceGoal { mode, radius_m: read::not_negative("radius", radius_m)? }),
            None => None,
        };
        with_goal(animator, constraint, end, |goal| goal.distance = distance)
    })
}

/// Clears the goal of one end: no goals, weights and importances 1, no sphere.
///
/// @param end  0 … number of ends − 1.
/// @return SINEW_ERROR_OUT_OF_RANGE: end.
pub extern "C" fn sinew_animator_clear_constraint_goal(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
) -> SinewResult {
    guard("sinew_animator_clear_constraint_goal", || {
        with_goal(animator, constraint, end, |goal| *goal = ConstraintGoal::default())
    })
}

/// Fills a goal with defaults: nothing given, weights and importances 1.
///
/// @param out_goal  the goal.
pub extern "C" fn sinew_constraint_goal_default(out_goal: Option<&mut SinewConstraintGoal>) -> SinewResult {
    guard("sinew_constraint_goal_default", || {
        *out_ref(out_goal, "out_goal")? = goal_out(&ConstraintGoal::default());
        Ok(())
    })
}

/// Sets the whole goal of one end; replaces all values set before. An invalid number refuses the
/// whole goal.
///
/// @param end   0 … number of ends − 1.
/// @param goal  see SinewConstraintGoal; what is not flagged in `set` is not read.
/// @return SINEW_ERROR_OUT_OF_RANGE: end; SINEW_ERROR_INVALID_ARGUMENT: unknown bits in `set`, an
///         axis of length zero, a negative radius.
pub extern "C" fn sinew_animator_set_constraint_goal(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    goal: Option<&SinewConstraintGoal>,
) -> SinewResult {
    guard("sinew_animator_set_constraint_goal", || {
        let given = goal_in(in_ref(goal, "goal")?)?;
        with_goal(animator, constraint, end, |goal| *goal = given)
    })
}

/// Returns the whole goal of one end.
///
/// @param end       0 … number of ends − 1.
/// @param out_goal  the goal; what is not flagged in `set` is zero (rotation: identity).
/// @return SINEW_ERROR_OUT_OF_RANGE: end.
pub extern "C" fn sinew_animator_get_constraint_goal(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    end: u32,
    out_goal: Option<&mut SinewConstraintGoal>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_goal", || {
        let out = out_ref(out_goal, "out_goal")?;
        with_goal(animator, constraint, end, |goal| *out = goal_out(goal))
    })
}

pub(super) fn goal_in(given: &SinewConstraintGoal) -> Result<ConstraintGoal, Failure> {
    read::struct_size("goal.struct_size", given.struct_size, size_of::<SinewConstraintGoal>())?;
    read::flags("goal.set", given.set, SINEW_CONSTRAINT_POSITION | SINEW_CONSTRAINT_ROTATION | SINEW_CONSTRAINT_AXIS)?;
    let mut goal = ConstraintGoal {
        position_weight: weight01(read::weight("goal.position_weight", given.position_weight)?),
        rotation_weight: weight01(read::weight("goal.rotation_weight", given.rotation_weight)?),
        position_importance: importance01(read::weight("goal.position_importance", given.position_importance)?),
        rotation_importance: importance01(read::weight("goal.rotation_importance", given.rotation_importance)?),
        ..ConstraintGoal::default()
    };
    if given.set & SINEW_CONSTRAINT_POSITION != 0 {
        goal.position_ws = Some(read::vec3("goal.position", &given.position)?);
    }
    if given.set & SINEW_CONSTRAINT_ROTATION != 0 {
        goal.rotation_ws = Some(read::quat("goal.rotation", &given.rotation)?);
    }
    if given.set & SINEW_CONSTRAINT_AXIS != 0 {
        goal.axis_ws = Some(AxisGoal {
            axis: read::direction("goal.axis", &given.axis)?,
            direction: read::direction("goal.direction", &given.direction)?,
        });
    }
    if let Some(mode) = read::distance_mode("goal.distance_mode", given.distance_mode)? {
        let radius_m = read::not_negative("goal.radius", given.radius)?;
        goal.distance = Some(DistanceGoal { mode, radius_m });
    }
    Ok(goal)
}

pub(super) fn goal_out(goal: &ConstraintGoal) -> SinewConstraintGoal {
    let flag = |bit: u32, there: bool| if there { bit } else { 0 };
    SinewConstraintGoal {
        struct_size: size_of::<SinewConstraintGoal>() as u32,
        set: flag(SINEW_CONSTRAINT_POSITION, goal.position_ws.is_some())
            | flag(SINEW_CONSTRAINT_ROTATION, goal.rotation_ws.is_some())
            | flag(SINEW_CONSTRAINT_AXIS, goal.axis_ws.is_some()),
        position: goal.position_ws.unwrap_or(Vec3::ZERO).into(),
        rotation: goal.rotation_ws.unwrap_or(Quat::IDENTITY).into(),
        axis: goal.axis_ws.map_or(Vec3::ZERO, |a| a.axis).into(),
        direction: goal.axis_ws.map_or(Vec3::ZERO, |a| a.direction).into(),
        position_weight: goal.position_weight,
        rotation_weight: goal.rotation_weight,
        position_importance: goal.position_importance,
        rotation_importance: goal.rotation_importance,
        distance_mode: match goal.distance.map(|d| d.mode) {
            None => 0,
            Some(DistanceMode::Inside) => 1,
            Some(DistanceMode::On) => 2,
            Some(DistanceMode::Outside) => 3,
        },
        radius: goal.distance.map_or(0.0, |d| d.radius_m),
    }
}

/// Fills a pole with defaults: a point at the origin, angle 0, weight 1.
///
/// @param out_pole  the pole.
pub extern "C" fn sinew_pole_default(out_pole: Option<&mut SinewPole>) -> SinewResult {
    guard("sinew_pole_default", || {
        *out_ref(out_pole, "out_pole")? = pole_out(&Pole::point(Vec3::ZERO));
        Ok(())
    })
}

/// Sets or clears the pole vector of a chain with one end or of a limb, or the pole that an aim's
/// `up` faces. Without effect on trees, splines and copied rotations.
///
/// @param pole  see SinewPole; NULL clears it: the bend of the animation.
/// @return SINEW_ERROR_INVALID_ARGUMENT: unknown flags, a direction or reference of length zero.
pub extern "C" fn sinew_animator_set_constraint_pole(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    pole: Option<&SinewPole>,
) -> SinewResult {
    guard("sinew_animator_set_constraint_pole", || {
        let pole = optional_in(pole, "pole")?;
        let pole = pole.map(pole_in).transpose()?;
        with_input(animator, constraint, |input| {
            input.pole_ws = pole;
            Ok(())
        })
    })
}

/// Returns the pole of a constraint.
///
/// @param out_pole  the pole, or the default pole when none is set.
/// @param out_set   1 when a pole is set, else 0; may be NULL.
pub extern "C" fn sinew_animator_get_constraint_pole(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_pole: Option<&mut SinewPole>,
    out_set: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_pole", || {
        let out_set = optional_out(out_set, "out_set")?;
        let out = out_ref(out_pole, "out_pole")?;
        with_input(animator, constraint, |input| {
            *out = pole_out(&input.pole_ws.unwrap_or(Pole::point(Vec3::ZERO)));
            if let Some(out_set) = out_set {
                *out_set = input.pole_ws.is_some() as u32;
            }
            Ok(())
        })
    })
}

/// Computes the pole angle that keeps the constraint's current bend: with it, the chain swivels for
/// the current goals and pose as it does without a pole. Call it once, when a pole is set up, and
/// store the result in SinewPole::angle_rad. Exact for limbs. For chains only where the bones bend
/// to one side and the goal is less than a right angle, seen from the root, from where the
/// animation has the end: other chains take another shape with a pole than without one. Does not
/// set the pole. Allocates. Reads the pose buffer.
///
/// @param pole           see SinewPole; its angle is not used.
/// @param out_angle_rad  −π … π; 0 where nothing bends.
/// @return SINEW_ERROR_INVALID_ARGUMENT: unknown flags, a direction or reference of length zero.
pub extern "C" fn sinew_animator_compute_pole_angle(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    pole: Option<&SinewPole>,
    out_angle_rad: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_compute_pole_angle", || {
        let pole = pole_in(in_ref(pole, "pole")?)?;
        let out = out_ref(out_angle_rad, "out_angle_rad")?;
        registry::with_character_constraint(animator, constraint, |character, id| {
            let _room = rooms::CONSTRAINT.room(character.buffer().len())?;
            character.check_pose()?;
            *out = character.animator.pole_in_place(id, pole)?.angle_rad;
            Ok(())
        })
    })
}

pub(super) fn pole_in(given: &SinewPole) -> Result<Pole, Failure> {
    read::struct_size("pole.struct_size", given.struct_size, size_of::<SinewPole>())?;
    read::flags("pole.flags", given.flags, SINEW_POLE_DIRECTION | SINEW_POLE_REFERENCE)?;
    let is_direction = given.flags & SINEW_POLE_DIRECTION != 0;
    Ok(Pole {
        at: if is_direction { read::direction("pole.at", &given.at)? } else { read::vec3("pole.at", &given.at)? },
        is_direction,
        reference: if given.flags & SINEW_POLE_REFERENCE != 0 {
            Some(read::direction("pole.reference", &given.reference)?)
        } else {
            None
        },
        angle_rad: read::weight("pole.angle_rad", given.angle_rad)?,
        weight: weight01(read::weight("pole.weight", given.weight)?),
    })
}

pub(super) fn pole_out(pole: &Pole) -> SinewPole {
    let flag = |bit: u32, there: bool| if there { bit } else { 0 };
    SinewPole {
        struct_size: size_of::<SinewPole>() as u32,
        flags: flag(SINEW_POLE_DIRECTION, pole.is_direction) | flag(SINEW_POLE_REFERENCE, pole.reference.is_some()),
        at: pole.at.into(),
        reference: pole.reference.unwrap_or(Vec3::ZERO).into(),
        angle_rad: pole.angle_rad,
        weight: pole.weight,
    }
}

/// Returns the outcome of the last solve for a constraint: that of its worst end.
///
/// @param out_outcome  SINEW_STATUS_INACTIVE before the first solve and at weight 0.
pub extern "C" fn sinew_animator_get_constraint_outcome(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_outcome: Option<&mut SinewOutcome>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        registry::with_constraint(animator, constraint, |animator, id| {
            *out = animator.constraint_outcome(id)?.into();
            Ok(())
        })
    })
}

/// Sets the switch time of a constraint: the time in which its joints go over to another solution
/// until 1 % of the jump is left. A changed weight (of the constraint, its pole, or a position or
/// rotation goal), a goal or pole that is set or cleared, or sinew_animator_inertialize_constraint
/// start a switch; a goal that moves without one is followed without lag. The joints keep their
/// places and speeds, and their limits as far as neither the animation nor the solution exceeds
/// them; what is solved later in the frame starts from the pose on the way. Time passes with
/// sinew_animator_advance. Stays until changed; snapshots are of another size afterwards. Allocates
/// where there was no time.
///
/// @param time_s  seconds; default 0: at once, as values below 0. At most 1e6, clamped.
pub extern "C" fn sinew_animator_set_constraint_inertialization_time(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    time_s: f32,
) -> SinewResult {
    guard("sinew_animator_set_constraint_inertialization_time", || {
        let time_s = read::weight("time_s", time_s)?;
        registry::with_character_constraint(animator, constraint, |character, id| {
            // Another time takes no memory; it may change in every frame.
            let _room = match character.animator.constraint_inertialization_time(id)? > 0.0 {
                true => None,
                false => Some(rooms::CONSTRAINT.room(character.buffer().len())?),
            };
            Ok(character.animator.set_constraint_inertialization_time(id, time_s)?)
        })
    })
}

/// Returns the switch time of a constraint.
///
/// @param out_time_s  seconds; 0: at once.
pub extern "C" fn sinew_animator_get_constraint_inertialization_time(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_time_s: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_inertialization_time", || {
        let out = out_ref(out_time_s, "out_time_s")?;
        registry::with_constraint(animator, constraint, |animator, id| {
            *out = animator.constraint_inertialization_time(id)?;
            Ok(())
        })
    })
}

/// Starts a switch of a constraint: the goals and pole that are set for it from now on replace the
/// old ones within its switch time. Changed weights, and goals that are set or cleared, need no
/// such call. No effect while the constraint has no switch time.
pub extern "C" fn sinew_animator_inertialize_constraint(
    animator: SinewAnimator,
    constraint: SinewConstraint,
) -> SinewResult {
    guard("sinew_animator_inertialize_constraint", || {
        registry::with_constraint(animator, constraint, |animator, id| Ok(animator.inertialize_constraint(id)?))
    })
}

/// Reports whether a switch of a constraint is announced or under way. Its outcome is then that of
/// the solution it goes to, unless later constraints or steps move its joints: what they move is
/// measured as it is.
///
/// @param out_is_inertializing  1 or 0.
pub extern "C" fn sinew_animator_get_constraint_is_inertializing(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    out_is_inertializing: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_constraint_is_inertializing", || {
        let out = out_ref(out_is_inertializing, "out_is_inertializing")?;
        registry::with_constraint(animator, constraint, |animator, id| {
            *out = animator.is_inertializing_constraint(id)?.into();
            Ok(())
        })
    })
}
