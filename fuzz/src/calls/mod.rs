//! Sequences of calls of the C ABI, over every function, with arguments made from the types.
//!
//! | file | what is in it |
//! |---|---|
//! | `table` | every function and every struct, generated from the sources |
//! | `machine` | the handles that exist, one call, and what must hold after it |
//! | `memory` | blocks that arguments point to |
//! | `argument` | an argument from its type and name |
//! | `content` | what stands in the block of an input |
//! | `callback` | functions of the host |
//! | `rig` | the person that each sequence begins with |

mod argument;
mod callback;
mod content;
mod machine;
mod memory;
mod rig;
mod table;

use crate::input::Input;
use core::sync::atomic::{AtomicU64, Ordering};
use machine::{Call, Machine};

/// Calls that have been made.
pub static MADE: AtomicU64 = AtomicU64::new(0);

/// Longest sequence.
const MOST_CALLS: usize = 256;

/// What most calls of a sequence are about; of the first, nothing in particular.
const FAMILIES: [&str; 6] =
    ["sinew_", "sinew_animator_", "sinew_body_", "sinew_grounder_", "sinew_tracked_body_", "sinew_world_"];

/// Runs the calls that the bytes stand for.
pub fn run(data: &[u8]) {
    run_counted(data);
}

/// The same; returns how many calls were made, and how many of them succeeded.
pub fn run_counted(data: &[u8]) -> (u64, u64) {
    let mut machine = Machine::new(Input::new(data));
    let family = FAMILIES[machine.input.below(FAMILIES.len())];
    let family: Vec<&Call> = table::CALLS.iter().filter(|call| call.name.starts_with(family)).collect();
    for _ in 0..MOST_CALLS {
        if machine.input.is_empty() {
            break;
        }
        let call = if machine.input.one_in(4) {
            &table::CALLS[machine.input.below(table::CALLS.len())]
        } else {
            family[machine.input.below(family.len())]
        };
        machine.call(call);
    }
    machine.end();
    MADE.fetch_add(machine.counts.0, Ordering::Relaxed);
    machine.counts
}
