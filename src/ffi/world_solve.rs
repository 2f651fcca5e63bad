//! One call for all animators of a world.

use super::guard::{Failure, guard, optional_in, optional_out, out_ref};
use super::ids::{SinewAnimator, SinewWorld};
use super::recorder::capture;
use super::registry::{self, HostWorld};
use super::result::SinewResult;
use super::types::{SinewPoseLayout, SinewWorldFrame, SinewWorldReport};
use super::world_frame::HostFrame;
use super::{read, running, world_arrays};
use crate::world::{Call, Host, PosePlace, Report, RowState};

/// Fills a frame with defaults: every pointer NULL, poses in the animators' own pose buffers.
///
/// @param out_frame  the frame.
pub extern "C" fn sinew_world_frame_default(out_frame: Option<&mut SinewWorldFrame>) -> SinewResult {
    guard("sinew_world_frame_default", || {
        *out_ref(out_frame, "out_frame")? = SinewWorldFrame {
            struct_size: size_of::<SinewWorldFrame>() as u32,
            row_count: 0,
            layout: SinewPoseLayout::Own as i32,
            records_stride: 0,
            records: core::ptr::null_mut(),
            pointers: core::ptr::null(),
            positions: core::ptr::null_mut(),
            rotations: core::ptr::null_mut(),
            scales: core::ptr::null(),
            positions_row_stride: 0,
            positions_joint_stride: 0,
            rotations_row_stride: 0,
            rotations_joint_stride: 0,
            scales_row_stride: 0,
            scales_joint_stride: 0,
            roots: core::ptr::null(),
            inputs: core::ptr::null(),
            roots_stride: 0,
            inputs_stride: 0,
            out_results: core::ptr::null_mut(),
            out_states: core::ptr::null_mut(),
        };
        Ok(())
    })
}

/// Solves all animators of a world by their levels of detail and the budget. A solved animator gets
/// the same bits as from sinew_animator_solve, for any grouping, order and number of threads. One
/// that fails (invalid numbers, in use by another thread) does not stop the others. During the call
/// every other call on the world returns SINEW_ERROR_BUSY, and no other thread may use the frame's
/// memory. Waits for the threads that take part. Allocates scratch memory in the first call, with
/// more threads or a larger rig than before, and once for a level SINEW_LOD_EVERY_NTH or a budget;
/// with threads of the world's own now and then; else as sinew_animator_solve does.
///
/// @param frame       inputs and outputs; NULL: the animators' own pose buffers, with the values
///                    set before.
/// @param out_report  counts, written whenever animators were solved, even if some failed; may be
///                    NULL.
/// @return the code of the first row that failed; SINEW_ERROR_JOBS, see sinew_world_set_jobs.
///         Before anything is solved: SINEW_ERROR_LENGTH_MISMATCH: row_count;
///         SINEW_ERROR_INVALID_ARGUMENT: strides; SINEW_ERROR_NOT_AVAILABLE: SINEW_POSE_LAYOUT_SOA
///         without arrays.
pub unsafe extern "C" fn sinew_world_solve(
    world: SinewWorld,
    frame: Option<&SinewWorldFrame>,
    out_report: Option<&mut SinewWorldReport>,
) -> SinewResult {
    guard("sinew_world_solve", || {
        let frame = optional_in(frame, "frame")?;
        let out_report = optional_out(out_report, "out_report")?;
        registry::with_world(world, |world| {
            let Some(frame) = frame else { return solve(world, None, &HostFrame::own(), [None, None], out_report) };
            read::struct_size("frame.struct_size", frame.struct_size, size_of::<SinewWorldFrame>())?;
            let rows = world.set.row_count();
            let count = frame.row_count as usize;
            let host = HostFrame::new(frame, world.set.most_joints())?;
            let layout = read::pose_layout("frame.layout", frame.layout)?;
            if layout == SinewPoseLayout::Soa {
                world_arrays::check(world.set.arrays())?;
            }
            let is_own = matches!(layout, SinewPoseLayout::Own | SinewPoseLayout::Soa);
            let has_none = frame.roots.is_null()
                && frame.inputs.is_null()
                && frame.out_results.is_null()
                && frame.out_states.is_null();
            if !(is_own && has_none) && count < rows {
                return Err(Failure::new(
                    SinewResult::SinewErrorLengthMismatch,
                    format_args!("frame.row_count is {count}, the world has {rows} rows"),
                ));
            }
            let mut out = [None, None];
            let given = [("frame.out_results", frame.out_results), ("frame.out_states", frame.out_states)];
            for (out, (argument, pointer)) in out.iter_mut().zip(given) {
                if !pointer.is_null() && count > 0 {
                    // SAFETY: required of the caller of the C function; see `read`.
                    *out = Some(unsafe { read::array_mut(argument, pointer, count) }?);
                }
            }
            solve(world, Some(frame), &host, out, out_report)
        })
    })
}

fn solve(
    world: &mut HostWorld,
    frame: Option<&SinewWorldFrame>,
    host: &HostFrame,
    [out_results, out_states]: [Option<&mut [i32]>; 2],
    out_report: Option<&mut SinewWorldReport>,
) -> Result<(), Failure> {
    let _room = world.scratch_room(host.poses() == PosePlace::Own)?;
    let HostWorld { set, workers, clock, .. } = world;
    let characters = registry::characters();
    if let Some(frame) = frame {
        // SAFETY: required of the caller of the C function; see `read`.
        running::captures(1, |parts| unsafe { capture::frame(frame, host, 1, set, parts) });
    }
    running::begun();
    clock.times.begin();
    let report = set.solve_with(&Call { characters, host, runner: workers, clock: &|| clock.now_s() });
    clock.times.end(running::timed);
    let Report { solved, between, cut, off, failed, fault } = report;
    if let Some(out) = out_report {
        *out = SinewWorldReport { solved, between, cut, off, failed };
    }
    if let Some(states) = out_states {
        for (row, state) in states.iter_mut().enumerate() {
            *state = set.state(row as u32) as i32;
        }
    }
    let mut first = Ok(());
    if let Some(results) = out_results {
        results.fill(SinewResult::SinewOk as i32);
        for failed in set.failed() {
            results[failed.row as usize] = registry::code_of(failed.error);
        }
    }
    if let Some(failed) = set.failed().first() {
        let animator = SinewAnimator { bits: failed.id.bits() };
        first = Err(registry::member_failure(failed.row, animator, failed.error, host.refusal(failed.row)));
    }
    match fault {
        Some(fault) => Err(Failure::new(SinewResult::SinewErrorJobs, fault)),
        None => first,
    }
}

const _: () = {
    use super::types::SinewRowState as State;
    assert!(State::Empty as i32 == RowState::Empty as i32 && State::Solved as i32 == RowState::Solved as i32);
    assert!(State::Between as i32 == RowState::Between as i32 && State::Cut as i32 == RowState::Cut as i32);
    assert!(State::Off as i32 == RowState::Off as i32 && State::Failed as i32 == RowState::Failed as i32);
};
