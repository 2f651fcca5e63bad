//! A panic on demand, for the tests of the guard. Only with the feature `fault-injection`; never
//! shipped, not in the header.

use super::guard::guard;
use super::ids::SinewAnimator;
use super::registry;
use super::result::SinewResult;

/// Panics while it holds the animator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_test_panic(animator: SinewAnimator) -> SinewResult {
    guard("sinew_test_panic", || registry::with_animator(animator, |_| panic!("a panic on purpose")))
}
