//! The side to which a straight chain bends.

use super::span::{active, bone_length};
use crate::chains::model::{Chain, Pole};
use crate::chains::workspace::ChainWorkspace;
use crate::limits::Freedom;
use crate::math::{Vec3, normalize_or, perpendicular};

/// Line and length of a chain without bends: unit direction, and length of its bones. `None` when
/// it has bends.
pub(in crate::chains) fn straight_line(chain: &Chain, ws: &ChainWorkspace) -> Option<(Vec3, f32)> {
    let count = active(chain, ws);
    let length: f32 = (0..count).map(|i| bone_length(chain, ws, i)).sum();
    let line = ws.state.carried(chain, 0) - ws.state.position[0];
    let is_straight = count >= 2 && line.length() >= length * (1.0 - 1e-5);
    is_straight.then(|| (normalize_or(line, Vec3::Y), length))
}

/// Axis about which a straight chain bends: preferred bends first, then the slight bend it
/// has, then a hinge; else towards the pole's reference, or about an axis of its first joint.
pub(in crate::chains) fn bend_axis(
    chain: &Chain,
    ws: &ChainWorkspace,
    along: Vec3,
    pole: Option<&Pole>,
    length: f32,
) -> Vec3 {
    let count = active(chain, ws);
    let across = |v: Vec3| v - along * v.dot(along);
    let mut preferred = Vec3::ZERO;
    let mut aside = Vec3::ZERO;
    for i in 1..count {
        let model = &chain.joints[i].model;
        preferred += ws.state.frame[i] * (model.frame * model.preferred_bend);
        let off = across(ws.state.position[i] - ws.state.position[0]);
        if off.length() > aside.length() {
            aside = off;
        }
    }
    if across(preferred).length() > 1e-3 {
        return normalize_or(across(preferred), Vec3::X);
    }
    if aside.length() > 3e-5 * length {
        // Bending on towards `aside`: the end turns from `aside` back, about along × … so the
        // middle moves out.
        return normalize_or(aside.cross(along), Vec3::X);
    }
    // A hinge below the first joint decides, so that it need not be found.
    for i in 1..count {
        if let Freedom::Hinge { .. } = chain.joints[i].model.freedom {
            let axis = ws.state.frame[i] * chain.joints[i].model.hinge_axis();
            if across(axis).length() > 1e-2 {
                return normalize_or(across(axis), Vec3::X);
            }
        }
    }
    if let Some(reference) = pole.and_then(|p| p.reference) {
        let axis = (ws.state.rotation[0] * reference).cross(along);
        if axis.length() > 0.1 * reference.length() {
            return normalize_or(axis, Vec3::X);
        }
    }
    let x = across(ws.state.rotation[0] * Vec3::X);
    if x.length() > 0.1 { normalize_or(x, Vec3::X) } else { perpendicular(along) }
}
