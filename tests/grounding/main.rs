//! Feet on the ground.

mod allocations;
mod between;
mod body;
mod corrections;
mod cuts;
mod interruptions;
mod jumps;
mod moving;
mod obstacles;
mod rates;
mod scale;
mod stepping;
mod steps;
mod turns;
mod walker;
mod walks;

use testkit::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
