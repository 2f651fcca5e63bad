//! One limb, one goal: closed forms as pure functions of plain data, one file each.

pub mod aim;
pub mod limb;
pub mod two_bone;

mod ball;
pub mod chain;
pub mod pose_chain;
mod ccd;
mod dls;
mod extend;
mod fabrik;
mod jacobian;
mod prepare;
mod solve;
mod workspace;
