//! Chains and trees of joints.

mod adversary;
mod cases;
mod continuity;
mod methods;
mod nearest;
mod no_length;
mod out_of_reach;
mod plane;
mod reach;
mod spring;
mod total;
mod trees;
mod two_bone;
mod warm_start;

use testkit::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
