//! Debug lines of a grounder.

use super::guard::{Failure, guard, out_ref};
use super::ids::SinewGrounder;
use super::result::SinewResult;
use super::types::SinewDebugLine;
use super::{read, registry};

/// Copies lines that show a grounder's last finished frame into an array: queries with their
/// answers and the ground's normals, contacts, landings, the displacement of the pelvis, as
/// SinewDebugPart states. While a frame is under way, or was forgotten since, no queries are drawn:
/// those of the finished frame are gone then.
///
/// @param out_lines  room for `capacity` lines; may be NULL when capacity is 0.
/// @param capacity   number of lines there is room for.
/// @param out_count  number of lines; also written with SINEW_ERROR_BUFFER_TOO_SMALL.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: out_lines is not written.
pub unsafe extern "C" fn sinew_grounder_get_debug_lines(
    grounder: SinewGrounder,
    out_lines: *mut SinewDebugLine,
    capacity: u32,
    out_count: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_grounder_get_debug_lines", || {
        let out_count = out_ref(out_count, "out_count")?;
        registry::with_grounder(grounder, |host| {
            let hits = if host.grounder.is_under_way() { &[] } else { &host.hits[..] };
            let mut count = 0usize;
            host.grounder.draw(hits, &mut |_: crate::debug::Line| count += 1);
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
            host.grounder.draw(hits, &mut |line: crate::debug::Line| {
                out[next] = SinewDebugLine { from: line.from_ws.into(), to: line.to_ws.into(), part: line.part as i32 };
                next += 1;
            });
            *out_count = count as u32;
            Ok(())
        })
    })
}
