//! How long a solve may take: a bound on its work, and a way to end it from another thread.

use super::guard::{Failure, guard, out_ref};
use super::ids::SinewAnimator;
use super::registry;
use super::result::SinewResult;
use super::types::SINEW_MAX_WORK;
use crate::optim::Work;
use crate::store::Id;

const _: () = assert!(SINEW_MAX_WORK == Work::MOST);

/// Sets how many steps of work the iterating solvers of one solve may take together: chains,
/// limited limbs, and the whole-body solver. When none are left, they end with the best pose so
/// far, and their status is SINEW_STATUS_OUT_OF_ITERATIONS. A step is 10 to 80 ns on a server
/// processor of 2021; closed forms take none. The same number gives the same bits everywhere. Stays
/// until changed.
///
/// @param steps  clamped to SINEW_MAX_WORK, the default. 0: chains are only aimed.
pub extern "C" fn sinew_animator_set_max_work(animator: SinewAnimator, steps: u32) -> SinewResult {
    guard("sinew_animator_set_max_work", || {
        registry::with_animator(animator, |character| {
            character.animator.set_max_work(steps);
            Ok(())
        })
    })
}

/// Returns how many steps of work a solve may take.
///
/// @param out_steps  0 … SINEW_MAX_WORK.
pub extern "C" fn sinew_animator_get_max_work(animator: SinewAnimator, out_steps: Option<&mut u32>) -> SinewResult {
    guard("sinew_animator_get_max_work", || {
        let out = out_ref(out_steps, "out_steps")?;
        registry::with_animator(animator, |character| {
            *out = character.animator.max_work();
            Ok(())
        })
    })
}

/// Sets or clears the flag that ends solves early. Any thread may do so at any time, also while
/// another one solves the animator: never SINEW_ERROR_BUSY. While the flag is set, a solve ends
/// within 8192 steps of work, less than a millisecond, with the best pose so far; it still
/// succeeds.
///
/// @param cancelled  1: set; 0: cleared, the default.
/// @return SINEW_ERROR_INVALID_ARGUMENT: cancelled.
pub extern "C" fn sinew_animator_set_cancelled(animator: SinewAnimator, cancelled: u32) -> SinewResult {
    guard("sinew_animator_set_cancelled", || {
        let cancelled = super::read::within("cancelled", cancelled, 0, 1)? == 1;
        let id = Id::from_bits(animator.bits);
        let set = registry::characters().set_signal(id, cancelled);
        set.map_err(|error| Failure::store(error, "animator", animator.bits))
    })
}
