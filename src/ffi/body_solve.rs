//! A body's frame: solve, outcomes, memory, debug lines.

use super::body_read as checked;
use super::guard::{Failure, guard, optional_out, out_ref};
use super::ids::{SinewBody, SinewBodyTask};
use super::result::SinewResult;
use super::types::{SinewBodyOutcome, SinewBodyTaskOutcome, SinewDebugLine, SinewTransform, SinewVec3};
use super::{read, registry, running};
use crate::tasks::Unit;

/// Solves a pose for all tasks of a body, in place. Joints that nothing moves keep their
/// bits. Goals out of reach are no error; the outcome reports it. Allocates once in a body's life:
/// for the first pose with a scale, where the skeleton's rest pose has none.
///
/// @param pose         local transform of each joint: the animation on entry, the answer
///                     on return.
/// @param count        must be the number of joints of the skeleton.
/// @param dt_s         length of the frame, seconds, 0 … 1000; for track mode, else not
///                     used.
/// @param out_outcome  how it ended; may be NULL.
/// @return SINEW_ERROR_LENGTH_MISMATCH: count; SINEW_ERROR_NOT_FINITE: pose, or rows that the
///         host computes; SINEW_ERROR_INVALID_ROTATION: pose; SINEW_ERROR_INVALID_ARGUMENT:
///         dt_s. The pose is as it was. After rows that are not finite outcomes are inactive, and
///         track mode starts anew.
pub unsafe extern "C" fn sinew_body_solve(
    body: SinewBody,
    pose: *mut SinewTransform,
    count: u32,
    dt_s: f32,
    out_outcome: Option<&mut SinewBodyOutcome>,
) -> SinewResult {
    guard("sinew_body_solve", || {
        let out_outcome = optional_out(out_outcome, "out_outcome")?;
        let dt_s = read::between("dt_s", dt_s, 0.0, 1e3)?;
        registry::with_body(body, |host| {
            read::length("count", count, host.body.skeleton().joint_count())?;
            // SAFETY: what the C function requires of its caller; see `read`.
            let pose = unsafe { read::array_mut("pose", pose, count as usize) }?;
            running::overwrites(1, pose);
            let outcome = host.body.solve(read::as_transforms_mut(pose), dt_s)?;
            if let Some(out) = out_outcome {
                *out = checked::outcome_out(&outcome);
            }
            Ok(())
        })
    })
}

/// Returns how the last solve of a body ended; SINEW_STATUS_INACTIVE before the first.
///
/// @param out_outcome  the outcome.
pub extern "C" fn sinew_body_get_outcome(body: SinewBody, out_outcome: Option<&mut SinewBodyOutcome>) -> SinewResult {
    guard("sinew_body_get_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        registry::with_body(body, |host| {
            *out = checked::outcome_out(&host.body.outcome());
            Ok(())
        })
    })
}

/// Returns how a task ended in the last solve. A task that was added or changed since
/// then has the outcome of none.
///
/// @param out_outcome  the outcome.
pub extern "C" fn sinew_body_get_task_outcome(
    body: SinewBody,
    task: SinewBodyTask,
    out_outcome: Option<&mut SinewBodyTaskOutcome>,
) -> SinewResult {
    guard("sinew_body_get_task_outcome", || {
        let out = out_ref(out_outcome, "out_outcome")?;
        registry::with_body_task(body, task, |host, place| {
            let name = host.defs[place].0;
            let (outcome, unit) = host.body.task_outcome(name)?;
            let mut limited_joint_count = 0;
            host.body.limited_joints(Some(name), |_| limited_joint_count += 1)?;
            let (residual_m, residual_rad) = match unit {
                Unit::Length => (outcome.residual, 0.0),
                Unit::Angle => (0.0, outcome.residual),
            };
            *out = SinewBodyTaskOutcome {
                status: outcome.status as i32,
                iterations: host.body.outcome().iterations,
                residual_m,
                residual_rad,
                limited_joint_count,
            };
            Ok(())
        })
    })
}

/// Returns the joints that stand on a border of their limits after the last solve, in
/// joint order.
///
/// @param task        the joints that this task depends on only; the null handle: all
///                    joints.
/// @param out_joints  room for `capacity` joints; may be NULL when capacity is 0.
/// @param capacity    number of joints there is room for.
/// @param out_count   number of joints; also written with SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_joints is not written.
pub unsafe extern "C" fn sinew_body_get_limited_joints(
    body: SinewBody,
    task: SinewBodyTask,
    out_joints: *mut u32,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_body_get_limited_joints", || {
        let out_count = out_ref(out_count, "out_count")?;
        registry::with_body(body, |host| {
            let name = if task.bits == 0 { None } else { Some(host.defs[host.place(task)?].0) };
            let mut count = 0usize;
            host.body.limited_joints(name, |_| count += 1)?;
            too_small(count, capacity, "joints", out_count)?;
            if count > 0 {
                // SAFETY: what the C function requires of its caller; see `read`.
                let out = unsafe { read::array_mut("out_joints", out_joints, count) }?;
                let mut next = 0;
                host.body.limited_joints(name, |joint| {
                    out[next] = joint as u32;
                    next += 1;
                })?;
            }
            *out_count = count as u32;
            Ok(())
        })
    })
}

/// Writes the count and refuses when there is too little room.
fn too_small(count: usize, capacity: u32, what: &str, out_count: &mut u32) -> Result<(), Failure> {
    if count <= capacity as usize {
        return Ok(());
    }
    *out_count = count as u32;
    Err(Failure::new(
        SinewResult::SinewErrorBufferTooSmall,
        format_args!("capacity is {capacity}, there are {count} {what}"),
    ))
}

/// Returns the centre of mass in the pose of the last solve; of the rest pose before the
/// first.
///
/// @param out_position  world space, metres.
/// @return SINEW_ERROR_NOT_AVAILABLE: no joint has a mass.
pub extern "C" fn sinew_body_get_center_of_mass(body: SinewBody, out_position: Option<&mut SinewVec3>) -> SinewResult {
    guard("sinew_body_get_center_of_mass", || {
        let out = out_ref(out_position, "out_position")?;
        registry::with_body(body, |host| match host.body.center_of_mass_ws() {
            Some(center) => {
                *out = read::computed("out_position", center)?.into();
                Ok(())
            }
            None => Err(Failure::new(SinewResult::SinewErrorNotAvailable, "no joint of the body has a mass")),
        })
    })
}

/// Resets what track mode remembers: after a teleport or a cut. The next frame starts at
/// the incoming pose.
pub extern "C" fn sinew_body_reset(body: SinewBody) -> SinewResult {
    guard("sinew_body_reset", || {
        registry::with_body(body, |host| {
            host.body.reset();
            Ok(())
        })
    })
}

/// Writes what track mode remembers into a buffer. A body with the same rig, tasks,
/// settings and poses that restores it goes on with the same bits. The bytes mean the
/// same on every platform, to this version of the library.
///
/// @param out_bytes  room for `capacity` bytes; may be NULL when capacity is 0.
/// @param capacity   number of bytes there is room for.
/// @param out_size   number of bytes; also written with SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_bytes is not written.
pub unsafe extern "C" fn sinew_body_snapshot(
    body: SinewBody,
    out_bytes: *mut u8,
    capacity: u32,
    out_size: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_body_snapshot", || {
        let out_size = out_ref(out_size, "out_size")?;
        registry::with_body(body, |host| {
            let size = host.body.snapshot_size();
            too_small(size, capacity, "bytes", out_size)?;
            // SAFETY: what the C function requires of its caller; see `read`.
            let out = unsafe { read::array_mut("out_bytes", out_bytes, size) }?;
            if host.body.snapshot_into(out) {
                *out_size = size as u32;
            }
            Ok(())
        })
    })
}

/// Sets what track mode remembers from a snapshot. Allocates nothing.
///
/// @param bytes  `size` bytes that sinew_body_snapshot wrote.
/// @param size   number of bytes.
/// @return SINEW_ERROR_INVALID_ARGUMENT: the bytes are not a snapshot of a body with the
///         same joints that take part and the same tasks: their kinds, joints and rows.
pub unsafe extern "C" fn sinew_body_restore(body: SinewBody, bytes: *const u8, size: u32) -> SinewResult {
    guard("sinew_body_restore", || {
        // SAFETY: what the C function requires of its caller; see `read`.
        let bytes = unsafe { read::array("bytes", bytes, size as usize) }?;
        registry::with_body(body, |host| {
            host.body.restore(bytes).map_err(|why| Failure::argument(format_args!("bytes: {why}")))
        })
    })
}

/// Copies lines that show a body as and where its last solve left it into an array: bones, goals,
/// what is left of them, joints at their limits, the centre of mass, the area of support. Goals are
/// those that are set now; a pin that no solve has held yet has none.
///
/// @param out_lines  room for `capacity` lines; may be NULL when capacity is 0.
/// @param capacity   number of lines there is room for.
/// @param out_count  number of lines; also written with SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_lines is not written.
pub unsafe extern "C" fn sinew_body_get_debug_lines(
    body: SinewBody,
    out_lines: *mut SinewDebugLine,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_body_get_debug_lines", || {
        let out_count = out_ref(out_count, "out_count")?;
        registry::with_body(body, |host| {
            let mut count = 0usize;
            host.body.draw(&mut |_: crate::debug::Line| count += 1);
            too_small(count, capacity, "lines", out_count)?;
            // SAFETY: what the C function requires of its caller; see `read`.
            let out = if count == 0 { &mut [] } else { unsafe { read::array_mut("out_lines", out_lines, count) }? };
            let mut next = 0;
            host.body.draw(&mut |line: crate::debug::Line| {
                out[next] = SinewDebugLine { from: line.from_ws.into(), to: line.to_ws.into(), part: line.part as i32 };
                next += 1;
            });
            *out_count = count as u32;
            Ok(())
        })
    })
}
