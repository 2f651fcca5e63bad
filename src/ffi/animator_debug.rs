//! Debug lines of an animator.

use super::c_types::c_void;
use super::guard::{Failure, call_host, guard, out_ref};
use super::ids::SinewAnimator;
use super::result::SinewResult;
use super::types::{SinewDebugLine, SinewDrawLine, SinewVec3};
use super::{read, registry};

/// Draws the character in the pose of the pose buffer and with the outcomes of the last solve:
/// bones, goals, residuals, hints, line of sight, effectors of the body solver, goals and poles of
/// constraints, limits that joints were given. Goals of weight 0 are not drawn. Reads the pose
/// buffer.
///
/// @param draw_line  called once per line, on this thread, before this function returns.
/// @param user       passed to draw_line; may be NULL.
pub extern "C" fn sinew_animator_draw(
    animator: SinewAnimator,
    draw_line: Option<SinewDrawLine>,
    user: *mut c_void,
) -> SinewResult {
    guard("sinew_animator_draw", || {
        let draw_line = draw_line.ok_or_else(|| Failure::null("draw_line"))?;
        registry::with_animator(animator, |character| {
            character.check_pose()?;
            character.animator.draw(&mut |line: crate::debug::Line| {
                let (from, to): (SinewVec3, SinewVec3) = (line.from_ws.into(), line.to_ws.into());
                call_host(|| draw_line(user, &from, &to, line.part as i32));
            });
            Ok(())
        })
    })
}

/// Copies the lines of sinew_animator_draw into an array.
///
/// @param out_lines  room for `capacity` lines; may be NULL when capacity is 0.
/// @param capacity   number of lines there is room for.
/// @param out_count  number of lines; also written with SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_lines is not written.
pub unsafe extern "C" fn sinew_animator_get_debug_lines(
    animator: SinewAnimator,
    out_lines: *mut SinewDebugLine,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_animator_get_debug_lines", || {
        let out_count = out_ref(out_count, "out_count")?;
        registry::with_animator(animator, |character| {
            character.check_pose()?;
            let mut count = 0usize;
            character.animator.draw(&mut |_: crate::debug::Line| count += 1);
            if count > capacity as usize {
                *out_count = count as u32;
                return Err(Failure::new(
                    SinewResult::SinewErrorBufferTooSmall,
                    format_args!("capacity is {capacity}, there are {count} lines"),
                ));
            }
            // SAFETY: required of the caller of the C function; see `read`.
            let out = if count == 0 { &mut [] } else { unsafe { read::array_mut("out_lines", out_lines, count) }? };
            let mut next = 0;
            character.animator.draw(&mut |line: crate::debug::Line| {
                out[next] = SinewDebugLine { from: line.from_ws.into(), to: line.to_ws.into(), part: line.part as i32 };
                next += 1;
            });
            *out_count = count as u32;
            Ok(())
        })
    })
}
