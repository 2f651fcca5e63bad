//! The body: many goals on one skeleton in one solve.

mod allocations;
mod beside;
mod conflicts;
mod continuity;
mod coupling;
mod crowd;
mod drag;
mod humanoid;
mod humanoid_paths;
mod meet;
mod placed;
mod priorities;
mod slide;
mod solve;
mod stretch;
mod track;

use testkit::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
