//! Poses of Rust programs as the C functions have them.

use super::super::types::SinewTransform;
use crate::math::Transform;

/// The records of a pose.
pub fn records(local: &[Transform]) -> Vec<SinewTransform> {
    local.iter().map(|transform| (*transform).into()).collect()
}

/// Takes records over.
pub fn write_back(records: Vec<SinewTransform>, local: &mut [Transform]) {
    local.iter_mut().zip(records).for_each(|(to, from)| *to = from.into());
}
