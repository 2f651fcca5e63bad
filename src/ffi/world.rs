//! World functions: life, members, levels of detail, budget.

use super::guard::{Failure, guard, out_ref};
use super::ids::{SinewAnimator, SinewWorld};
use super::result::SinewResult;
use super::world_types::{SinewClock, SinewLod, SinewLodArg};
use super::{read, registry};
use crate::store::Id;
use crate::world::Level;
use libc::c_void;

/// Makes a world: a set of animators that are solved in one call. It is empty, works on the calling thread and has no budget.
///
/// @param out_world  written on success; destroy with sinew_world_destroy.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _TOO_MANY_OBJECTS. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_create(out_world: Option<&mut SinewWorld>) -> SinewResult {
    guard("sinew_world_create", || {
        let out = out_ref(out_world, "out_world")?;
        *out = registry::insert_world()?;
        Ok(())
    })
}

/// Destroys a world. Its animators stay, and may join another.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _BUSY (it is being solved; nothing was done). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_destroy(world: SinewWorld) -> SinewResult {
    guard("sinew_world_destroy", || registry::remove_world(world))
}

/// Tells whether a handle is a living world.
///
/// @param out_valid  written: 1 or 0; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_is_valid(world: SinewWorld, out_valid: Option<&mut u32>) -> SinewResult {
    guard("sinew_world_is_valid", || {
        *out_ref(out_valid, "out_valid")? = registry::world_is_valid(world) as u32;
        Ok(())
    })
}

/// Takes an animator into a world, at SINEW_LOD_FULL. It gets a row, the lowest free number, and keeps it until it leaves or is destroyed: the arrays of
/// SinewWorldFrame go by it. It can still be used and solved by itself between the world's calls. At set-up: it allocates.
///
/// @param out_row  written on success; may be NULL.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE (world or animator), _ALREADY_MEMBER (of this world or another), _TOO_MANY_OBJECTS, _BUSY (the world is
///         being solved, or the animator is in use; nothing was done), _POISONED. One thread per world and per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_join(
    world: SinewWorld,
    animator: SinewAnimator,
    out_row: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_world_join", || {
        let row = registry::with_member(world, animator, |world, characters, id| world.join(characters, id))?;
        if let Some(out_row) = out_row {
            *out_row = row;
        }
        Ok(())
    })
}

/// Lets an animator go; its pose and goals stay. An animator that is destroyed leaves by itself.
///
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE (world or animator), _NOT_MEMBER, _BUSY (the world is being solved, or the animator is in use; nothing
///         was done), _POISONED (the world; a poisoned animator may leave). One thread per world and per animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_leave(world: SinewWorld, animator: SinewAnimator) -> SinewResult {
    guard("sinew_world_leave", || {
        registry::with_member(world, animator, |world, characters, id| world.leave(characters, id))
    })
}

/// Gives the number of animators in a world. One that was destroyed counts until the next solve finds it gone.
///
/// @param out_count  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _BUSY, _POISONED. One thread per world.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_get_count(world: SinewWorld, out_count: Option<&mut u32>) -> SinewResult {
    guard("sinew_world_get_count", || {
        let out = out_ref(out_count, "out_count")?;
        registry::with_world(world, |world| {
            *out = world.set.count() as u32;
            Ok(())
        })
    })
}

/// Gives the number of rows that arrays must have: one more than the highest row ever in use at once.
///
/// @param out_count  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _BUSY, _POISONED. One thread per world.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_get_row_count(world: SinewWorld, out_count: Option<&mut u32>) -> SinewResult {
    guard("sinew_world_get_row_count", || {
        let out = out_ref(out_count, "out_count")?;
        registry::with_world(world, |world| {
            *out = world.set.row_count() as u32;
            Ok(())
        })
    })
}

/// Gives the row of an animator.
///
/// @param out_row  written on success; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE (world or animator), _NOT_MEMBER, _BUSY, _POISONED. One thread per world.
#[unsafe(no_mangle)]
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

/// Gives the animator in a row.
///
/// @param row           0 … row count − 1.
/// @param out_animator  written on success: the null handle when the row is free; not NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE, _OUT_OF_RANGE, _BUSY, _POISONED. One thread per world.
#[unsafe(no_mangle)]
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

/// Sets how much of an animator's solve the world does. Stays until changed or until it leaves.
///
/// @param level   a SinewLod.
/// @param amount  SINEW_LOD_REDUCED_ITERATIONS: the share of iterations, above 0 and at most 1 (1: as SINEW_LOD_FULL); SINEW_LOD_EVERY_NTH: n, a whole number from 1 (as
///                SINEW_LOD_FULL) to 1000; else it does not matter, but must be finite.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE (world or animator), _INVALID_ENUM, _NOT_FINITE, _INVALID_ARGUMENT (amount), _NOT_MEMBER, _BUSY, _POISONED. One thread
///         per world.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_set_level(
    world: SinewWorld,
    animator: SinewAnimator,
    level: SinewLodArg,
    amount: f32,
) -> SinewResult {
    guard("sinew_world_set_level", || {
        let kind = read::level(level)?;
        let amount = read::weight("amount", amount)?;
        let level = match kind {
            SinewLod::Full => Level::Full,
            SinewLod::Off => Level::Off,
            SinewLod::Fewer if amount > 0.0 && amount <= 1.0 => Level::Fewer(amount),
            SinewLod::EveryNth if amount >= 1.0 && amount <= Level::MAX_CALLS as f32 && amount.fract() == 0.0 => {
                Level::EveryNth(amount as u32)
            }
            SinewLod::Fewer => {
                return Err(Failure::argument(format_args!("amount is {amount}, not above 0 and at most 1")));
            }
            SinewLod::EveryNth => {
                let most = Level::MAX_CALLS;
                return Err(Failure::argument(format_args!("amount is {amount}, no whole number from 1 to {most}")));
            }
        };
        registry::with_member(world, animator, |world, _, id| world.set_level(id, level))
    })
}

/// Gives what sinew_world_set_level has set.
///
/// @param out_level   written on success: a SinewLod; not NULL.
/// @param out_amount  written on success: its amount, 0 where it does not matter; may be NULL.
/// @return SINEW_OK, SINEW_ERROR_NULL_POINTER, _INVALID_HANDLE (world or animator), _NOT_MEMBER, _BUSY, _POISONED. One thread per world.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_world_get_level(
    world: SinewWorld,
    animator: SinewAnimator,
    out_level: Option<&mut i32>,
    out_amount: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_world_get_level", || {
        let out_level = out_ref(out_level, "out_level")?;
        let (level, amount) = match registry::with_member(world, animator, |world, _, id| world.level(id))? {
            Level::Full => (SinewLod::Full, 0.0),
            Level::Fewer(share) => (SinewLod::Fewer, share),
            Level::EveryNth(n) => (SinewLod::EveryNth, n as f32),
            Level::Off => (SinewLod::Off, 0.0),
        };
        *out_level = level as i32;
        if let Some(out_amount) = out_amount {
            *out_amount = amount;
        }
        Ok(())
    })
}

/// Sets for how long a solve may begin new work. Whoever is not solved then gets the correction of its last solve (SINEW_ROW_STATE_CUT) and is among
/// the first in the next call: the order goes by who has waited longest. Eight animators at least are begun in every call. The call lasts as long
/// as the budget, the solves begun in it, and the corrections of those that were cut. With a budget, results depend on time; without, never.
///
/// @param seconds  0 or more; below 0, the default: no budget.
/// @param clock    the time; NULL: the system's own. Not called without a budget.
/// @param user     handed to clock as it is; it must stay good until another is set or the world is destroyed.
/// @return SINEW_OK, SINEW_ERROR_INVALID_HANDLE, _NOT_FINITE, _NOT_AVAILABLE (no clock given on WebAssembly, which has none of its own), _BUSY, _POISONED. One thread
///         per world.
#[unsafe(no_mangle)]
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
            world.clock = registry::Clock { clock, user };
            world.set.set_budget((seconds >= 0.0).then_some(seconds as f64));
            Ok(())
        })
    })
}
