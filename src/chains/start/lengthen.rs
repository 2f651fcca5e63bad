//! Lengthening an unlimited chain in closed form but for one number: every bone leans towards the target by the same rule.
//!
//! # Derivation
//!
//! The chain is aimed: its end lies in the direction `u` of the target, at a distance `d₀` less than the wanted `d`. With `c` the unit direction of a bone and
//! `l` its length, the family
//!
//! ```text
//! b(t) = l · (t c + (1 − t) u) / |t c + (1 − t) u|,   t = 1: as it is,   t = 0: straight
//! ```
//!
//! lengthens the chain from `d₀` to its full length. `t` is found where the sum of the bones has the length `d`, by false position (`super::bracket`); the sum's
//! direction is then turned back to `u`. Each bone turns by the shortest turn, so the straight pose of a target out of reach is the limit `t → 0`, and
//! a chain that straightens and bends again passes through it smoothly. Near full reach, where a Jacobian method creeps because the length depends on
//! the square of the bends, this costs the same as anywhere: a few sums over the bones.
//!
//! Source: ours.

use crate::chains::model::{Chain, ChainPose};
use crate::chains::state::ChainWorkspace;
use crate::math::{Quat, Vec3, arc, normalize_or};
use crate::optim::root::Bracket;

/// Lengthens the chain until its carried point is at `target`, from the aimed pose of the last forward kinematics. Does nothing, and says so,
/// when the chain is long enough already. Forward kinematics are out of date afterwards.
pub(in crate::chains) fn extend(chain: &Chain, pose: &mut ChainPose, target: Vec3, ws: &mut ChainWorkspace) -> bool {
    let count = chain.joints.len() - usize::from(ws.pinned.is_some());
    let root = ws.position[0];
    let wanted = (target - root).length();
    let now = (ws.carried(chain, 0) - root).length();
    if wanted <= now || count < 2 {
        return false;
    }
    let u = (target - root) * (1.0 / wanted);
    let mut full = 0.0;
    for i in 0..count {
        let bone = bone(chain, ws, i);
        let length = bone.length();
        full += length;
        // `turn`: unit direction; `lengthen`: length. Both are free until a descent.
        ws.turn[i] = normalize_or(bone, u);
        ws.lengthen[i] = length;
    }
    let sum = |ws: &ChainWorkspace, t: f32| -> Vec3 {
        let bones = ws.turn[..count].iter().zip(&ws.lengthen[..count]);
        bones.fold(Vec3::ZERO, |sum, (c, l)| sum + leaning(*c, u, t) * *l)
    };
    let mut bracket = Bracket::new((0.0, full - wanted), (1.0, now - wanted));
    let mut t = 0.0;
    for _ in 0..if full <= wanted { 0 } else { 40 } {
        t = bracket.guess();
        if bracket.is_narrow() {
            break;
        }
        let value = sum(ws, t).length() - wanted;
        if value.abs() <= 1e-7 * full {
            break;
        }
        bracket.put(t, value);
    }
    let back = arc(normalize_or(sum(ws, t), u), u);
    let mut above = pose.root_rotation;
    for i in 0..count {
        let c = ws.turn[i];
        let frame: Quat = above * chain.joints[i].rest;
        if ws.lengthen[i] <= 1e-7 * full {
            // A joint without a bone is carried along.
            above = (frame * pose.rotations[i]).normalize();
            continue;
        }
        let turned = (back * arc(c, leaning(c, u, t)) * ws.rotation[i]).normalize();
        pose.rotations[i] = (frame.conjugate() * turned).normalize();
        above = turned;
    }
    true
}

/// The unit direction between `c` (at 1) and `u` (at 0).
fn leaning(c: Vec3, u: Vec3, t: f32) -> Vec3 {
    let v = c * t + u * (1.0 - t);
    let square = v.length_squared();
    if square > 1e-14 { v * (1.0 / square.sqrt()) } else { u }
}

/// The bone from joint `i` towards the carried point.
fn bone(chain: &Chain, ws: &ChainWorkspace, i: usize) -> Vec3 {
    let next = if i + 1 < chain.joints.len() { ws.position[i + 1] } else { ws.tip[0] };
    next - ws.position[i]
}
