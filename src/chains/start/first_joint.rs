//! Turns of the first joint, which turns the chain as one piece.

use crate::chains::model::Chain;
use crate::chains::workspace::ChainWorkspace;
use crate::math::{Quat, Vec3, axis_angle, float};

/// Turns the first joint, in the solve space, as far as its limits allow.
pub(in crate::chains) fn apply_to_first(chain: &Chain, turn: Quat, ws: &mut ChainWorkspace) {
    let turned = (ws.state.frame[0].conjugate() * turn * ws.state.rotation[0]).normalize();
    ws.state.set_rotation(0, chain.joints[0].model.project(turned));
    ws.state.update(chain);
}

/// The turn about the first joint's hinge that brings `from` nearest to `to`.
pub(in crate::chains) fn about_hinge(chain: &Chain, ws: &ChainWorkspace, from: Vec3, to: Vec3) -> Quat {
    let axis = ws.state.frame[0] * chain.joints[0].model.hinge_axis();
    axis_angle(axis, angle_about(axis, from, to))
}

/// Signed angle about the unit `axis` from `from` to `to`, −π … π; 0 when one of them has no part
/// across the axis.
pub(in crate::chains) fn angle_about(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let (a, b) = (from - axis * axis.dot(from), to - axis * axis.dot(to));
    float::atan2(axis.dot(a.cross(b)), a.dot(b))
}
