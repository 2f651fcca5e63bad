//! World functions: life, members, levels of detail, budget.

use super::c_types::c_void;
use super::guard::{Failure, guard, optional_out, out_ref};
use super::ids::{SinewAnimator, SinewWorld};
use super::result::SinewResult;
use super::types::{SinewClock, SinewLod};
use super::{read, registry, rooms};
use crate::store::Id;
use crate::world::{Deadline, Level};
use std::sync::Arc;

/// Creates an empty world that solves on the calling thread, without a budget.
///
/// @param out_world  the world; destroy it with sinew_world_destroy.
pub extern "C" fn sinew_world_create(out_world: Option<&mut SinewWorld>) -> SinewResult {
    guard("sinew_world_create", || {
        let out = out_ref(out_world, "out_world")?;
        *out = registry::insert_world()?;
        Ok(())
    })
}

/// Destroys a world. Its animators are not affected and may join another.
///
/// @return SINEW_ERROR_BUSY: it is being solved; nothing was done.
pub extern "C" fn sinew_world_destroy(world: SinewWorld) -> SinewResult {
    guard("sinew_world_destroy", || registry::remove_world(world))
}

/// Reports whether a handle is a living world.
///
/// @param out_valid  1 or 0.
pub extern "C" fn sinew_world_is_valid(world: SinewWorld, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_world_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::world_is_valid(world) as u32;
        Ok(())
    })
}

/// Adds an animator to a world, with SINEW_LOD_FULL. It gets the lowest free row and keeps it until
/// it leaves or is destroyed; the arrays of SinewWorldFrame are indexed by it. The row of an
/// animator that is destroyed is free after the next sinew_world_solve. Between the world's calls
/// the animator can still be used and solved by itself. Allocates.
///
/// @param out_row  the row; may be NULL.
/// @return SINEW_ERROR_ALREADY_MEMBER: of this world or another; SINEW_ERROR_TOO_MANY_OBJECTS;
///         SINEW_ERROR_BUSY: the world is being solved or the animator is in use.
pub extern "C" fn sinew_world_join(
    world: SinewWorld,
    animator: SinewAnimator,
    out_row: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_world_join", || {
        let out_row = optional_out(out_row, "out_row")?;
        let row = registry::join(world, animator)?;
        if let Some(out_row) = out_row {
            *out_row = row;
        }
        Ok(())
    })
}

/// Removes an animator from the world, and frees its row. Its pose and goals are kept. A destroyed
/// animator leaves in the next sinew_world_solve; a poisoned one may leave. Allocates a few bytes.
///
/// @return SINEW_ERROR_NOT_MEMBER; SINEW_ERROR_BUSY: the world is being solved or the animator is
///         in use.
pub extern "C" fn sinew_world_leave(world: SinewWorld, animator: SinewAnimator) -> SinewResult {
    guard("sinew_world_leave", || {
        registry::with_member(world, animator, |world, characters, id| world.leave(characters, id))
    })
}

/// Returns the number of animators in a world. A destroyed animator counts until the next solve.
///
/// @param out_count  0 or more.
pub extern "C" fn sinew_world_get_count(world: SinewWorld, out_count: Option<&mut u32>) -> SinewResult {
    guard("sinew_world_get_count", || {
        let out = out_ref(out_count, "out_count")?;
        registry::with_world(world, |world| {
            *out = world.set.count() as u32;
            Ok(())
        })
    })
}

/// Returns the number of rows that arrays must have: one more than the highest row ever used.
///
/// @param out_count  0 or more.
pub extern "C" fn sinew_world_get_row_count(world: SinewWorld, out_count: Option<&mut u32>) -> SinewResult {
    guard("sinew_world_get_row_count", || {
        let out = out_ref(out_count, "out_count")?;
        registry::with_world(world, |world| {
            *out = world.set.row_count() as u32;
            Ok(())
        })
    })
}

/// Returns the row of an animator.
///
/// @param out_row  the row.
/// @return SINEW_ERROR_NOT_MEMBER.
pub extern "C" fn sinew_world_get_row(
    world: SinewWorld,
    animator: SinewAnimator,
    out_row: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_world_get_row", || {
        let out = out_ref(out_row, "out_row")?;
        *out = registry::with_member(world, animator, |world, _, id| {
            world.row(id).ok_or(crate::world::WorldError::NotMember)
        })?;
        Ok(())
    })
}

/// Returns the animator in a row.
///
/// @param row           0 … row count − 1.
/// @param out_animator  the animator; the null handle when the row is free. A destroyed animator
///                      is in its row until the next sinew_world_solve.
/// @return SINEW_ERROR_OUT_OF_RANGE: row.
pub extern "C" fn sinew_world_get_animator(
    world: SinewWorld,
    row: u32,
    out_animator: Option<&mut SinewAnimator>,
) -> SinewResult {
    guard("sinew_world_get_animator", || {
        let out = out_ref(out_animator, "out_animator")?;
        registry::with_world(world, |world| {
            let rows = world.set.row_count();
            if row as usize >= rows {
                return Err(Failure::new(
                    SinewResult::SinewErrorOutOfRange,
                    format_args!("row is {row}, the world has {rows} rows"),
                ));
            }
            *out = SinewAnimator { bits: world.set.member(row).map_or(0, Id::bits) };
            Ok(())
        })
    })
}

/// Makes a world solve an animator in every call, with all iterations (SINEW_LOD_FULL). The
/// default.
///
/// @return SINEW_ERROR_NOT_MEMBER.
pub extern "C" fn sinew_world_set_lod_full(world: SinewWorld, animator: SinewAnimator) -> SinewResult {
    guard("sinew_world_set_lod_full", || set_level(world, animator, Level::Full))
}

/// Makes a world solve an animator in every call, with a fraction of the iterations
/// (SINEW_LOD_REDUCED_ITERATIONS). Stays until changed or until the animator leaves.
///
/// @param fraction  of the iterations of its chain constraints and of its whole-body solver, above
///                  0 and at most 1.
/// @return SINEW_ERROR_INVALID_ARGUMENT: fraction; SINEW_ERROR_NOT_MEMBER.
pub extern "C" fn sinew_world_set_lod_iterations(
    world: SinewWorld,
    animator: SinewAnimator,
    fraction: f32,
) -> SinewResult {
    guard("sinew_world_set_lod_iterations", || {
        let fraction = read::above_zero("fraction", fraction)?;
        if fraction > 1.0 {
            return Err(Failure::argument(format_args!("fraction is {fraction}, not above 0 and at most 1")));
        }
        set_level(world, animator, Level::Fewer(fraction))
    })
}

/// Makes a world solve an animator in every n-th call and interpolate in between
/// (SINEW_LOD_EVERY_NTH). Stays until changed or until the animator leaves. A change of n, or to a
/// level that solves in every call, makes no jump: the pose, which is n calls late, catches up at
/// about twice the speed of its motion; the next solve is moved for it by at most 60 calls.
///
/// @param calls  n, 1 (as SINEW_LOD_FULL) … 1000.
/// @return SINEW_ERROR_INVALID_ARGUMENT: calls; SINEW_ERROR_NOT_MEMBER.
pub extern "C" fn sinew_world_set_lod_interval(world: SinewWorld, animator: SinewAnimator, calls: u32) -> SinewResult {
    guard("sinew_world_set_lod_interval", || {
        let calls = read::within("calls", calls, 1, Level::MAX_CALLS)?;
        set_level(world, animator, Level::EveryNth(calls))
    })
}

/// Makes a world skip an animator (SINEW_LOD_OFF). Stays until changed or until the animator
/// leaves.
///
/// @return SINEW_ERROR_NOT_MEMBER.
pub extern "C" fn sinew_world_set_lod_off(world: SinewWorld, animator: SinewAnimator) -> SinewResult {
    guard("sinew_world_set_lod_off", || set_level(world, animator, Level::Off))
}

fn set_level(world: SinewWorld, animator: SinewAnimator, level: Level) -> Result<(), Failure> {
    registry::with_member(world, animator, |world, _, id| world.set_level(id, level))
}

/// Returns the level of detail of an animator.
///
/// @param out_lod       a SinewLod.
/// @param out_fraction  fraction of iterations: as set with SINEW_LOD_REDUCED_ITERATIONS, 0 with
///                      SINEW_LOD_OFF, else 1; may be NULL.
/// @param out_calls     calls per solve: n with SINEW_LOD_EVERY_NTH, 0 with SINEW_LOD_OFF, else 1;
///                      may be NULL.
/// @return SINEW_ERROR_NOT_MEMBER.
pub extern "C" fn sinew_world_get_lod(
    world: SinewWorld,
    animator: SinewAnimator,
    out_lod: Option<&mut i32>,
    out_fraction: Option<&mut f32>,
    out_calls: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_world_get_lod", || {
        let out_fraction = optional_out(out_fraction, "out_fraction")?;
        let out_calls = optional_out(out_calls, "out_calls")?;
        let out_lod = out_ref(out_lod, "out_lod")?;
        let (lod, fraction, calls) = match registry::with_member(world, animator, |world, _, id| world.level(id))? {
            Level::Full => (SinewLod::Full, 1.0, 1),
            Level::Fewer(fraction) => (SinewLod::ReducedIterations, fraction, 1),
            Level::EveryNth(calls) => (SinewLod::EveryNth, 1.0, calls),
            Level::Off => (SinewLod::Off, 0.0, 0),
        };
        *out_lod = lod as i32;
        if let Some(out_fraction) = out_fraction {
            *out_fraction = fraction;
        }
        if let Some(out_calls) = out_calls {
            *out_calls = calls;
        }
        Ok(())
    })
}

/// Sets for how long one call may solve. An animator that is not solved gets the correction of its
/// last solve (SINEW_ROW_STATE_CUT) and is among the first in the next call: those that waited
/// longest come first, behind those that were restored or whose state was reset. Animators of one
/// rig are grouped into tiles of up to eight; every call solves at least one tile in which some are
/// due. An iterating solver that is at work when the time is up ends within a millisecond with the
/// best pose so far. A call lasts as long as the budget, the closed forms of the solves that were
/// started, and the corrections of the rest. Allocates. With a budget results depend on time;
/// without, never.
///
/// @param seconds  0 or more; below 0 (default): no budget.
/// @param clock    the clock, called from any thread; NULL: the system's. Not called without a
///                 budget.
/// @param user     passed to clock; may be NULL. Must stay valid until another clock is set or the
///                 world is destroyed.
/// @return SINEW_ERROR_NOT_AVAILABLE: no clock on WebAssembly, which has none of its own.
pub extern "C" fn sinew_world_set_budget(
    world: SinewWorld,
    seconds: f32,
    clock: Option<SinewClock>,
    user: *mut c_void,
) -> SinewResult {
    guard("sinew_world_set_budget", || {
        let seconds = read::weight("seconds", seconds)?;
        registry::with_world(world, |world| {
            if seconds >= 0.0 && clock.is_none() && cfg!(target_family = "wasm") {
                return Err(Failure::new(
                    SinewResult::SinewErrorNotAvailable,
                    format_args!("clock is NULL, and this platform has none of its own"),
                ));
            }
            let _room = rooms::SMALL.room(0)?;
            world.clock = registry::Clock { clock, user, times: world.clock.times.clone() };
            let own = world.clock.clone();
            let deadline = || Arc::new(Deadline::new(Box::new(move || own.now_s())));
            world.set.set_deadline((seconds >= 0.0).then(deadline));
            world.set.set_budget((seconds >= 0.0).then_some(seconds as f64));
            Ok(())
        })
    })
}
