//! Lengthening an unlimited chain in closed form but for one number: every bone leans towards the
//! target by the same rule.
//!
//! # Derivation
//!
//! The chain is aimed: its end is in the direction `u` of the target, at a distance `d₀` less
//! than the required `d`. With `c` the unit direction of a bone and `l` its length, the family
//!
//! ```text
//! b(t) = l · (t c + (1 − t) u) / |t c + (1 − t) u|,   t = 1: as it is,   t = 0: straight
//! ```
//!
//! lengthens the chain from `d₀` to its full length. `t` is found where the sum of the bones has
//! the length `d`, by false position (`crate::optim::root`); the sum's direction is then turned
//! back to `u`. Each bone turns by the shortest turn, so the straight pose of a target out of reach
//! is the limit `t → 0`, and a chain that straightens and bends again passes through it smoothly.
//! Near full reach, where a Jacobian method creeps because the length depends on the square of the
//! bends, this costs the same as anywhere: a few sums over the bones.
//!
//! Source: ours.

use crate::chains::model::Chain;
use crate::chains::workspace::ChainWorkspace;
use crate::math::{Lane, LaneVec3, Quat, Vec3, arc, normalize_or};
use crate::optim::root::Bracket;

/// Lengthens the chain until its carried point is at `target`, from the aimed pose of the last
/// forward kinematics. Does nothing, and returns false, when the chain is long enough already.
/// Forward kinematics are out of date afterwards.
pub(in crate::chains) fn extend(chain: &Chain, target: Vec3, ws: &mut ChainWorkspace) -> bool {
    let count = chain.joints.len() - usize::from(ws.state.held().is_some());
    let root = ws.state.position[0];
    let wanted = (target - root).length();
    let now = (ws.state.carried(chain, 0) - root).length();
    if wanted <= now || count < 2 {
        return false;
    }
    let u = (target - root) * (1.0 / wanted);
    let mut full = 0.0;
    for i in 0..count {
        let bone = bone(chain, ws, i);
        let length = bone.length();
        full += length;
        ws.lean.direction[i] = normalize_or(bone, u);
        ws.lean.length[i] = length;
    }
    let sum = |ws: &ChainWorkspace, t: f32| -> Vec3 {
        let bones = ws.lean.direction[..count].iter().zip(&ws.lean.length[..count]);
        bones.fold(Vec3::ZERO, |sum, (c, l)| sum + leaning_direction(*c, u, t) * *l)
    };
    let (t, end) = find_lean(full, now, wanted, || sum(ws, 0.0), |t| sum(ws, t));
    let back = arc(normalize_or(end, u), u);
    let mut above = ws.state.pose().root_rotation;
    for i in 0..count {
        let c = ws.lean.direction[i];
        let frame: Quat = above * chain.joints[i].rest;
        if ws.lean.length[i] <= 1e-7 * full {
            // A joint without a bone is carried along.
            above = (frame * ws.state.pose().rotations[i]).normalize();
            continue;
        }
        let turned = (back * arc(c, leaning_direction(c, u, t)) * ws.state.rotation[i]).normalize();
        ws.state.set_rotation(i, (frame.conjugate() * turned).normalize());
        above = turned;
    }
    true
}

/// [`leaning`] of one bone.
fn leaning_direction(c: Vec3, u: Vec3, t: f32) -> Vec3 {
    leaning(LaneVec3::from_vec3(c), LaneVec3::from_vec3(u), t).to_vec3()
}

/// The unit direction between `c` (at 1) and `u` (at 0).
#[inline(always)]
pub(in crate::chains) fn leaning<L: Lane>(c: LaneVec3<L>, u: LaneVec3<L>, t: f32) -> LaneVec3<L> {
    let v = c * L::splat(t) + u * L::splat(1.0 - t);
    let square = v.dot(v);
    let none = square.lt(L::splat(1e-14));
    LaneVec3::select(none, u, v * (L::splat(1.0) / square.max(L::splat(1e-14)).sqrt()))
}

/// The `t` at which a chain of the length `full`, which is `now` long from end to end, becomes
/// `wanted` long, and the sum of its bones there. `sum`: of the bones at a `t`; `straight`: at 0.
#[inline(always)]
pub(in crate::chains) fn find_lean(
    full: f32,
    now: f32,
    wanted: f32,
    straight: impl FnOnce() -> Vec3,
    sum: impl Fn(f32) -> Vec3,
) -> (f32, Vec3) {
    let most = full - wanted;
    if most <= 0.0 {
        return (0.0, straight());
    }
    let mut bracket = Bracket::new((0.0, most), (1.0, now - wanted));
    let (mut t, mut end) = (0.0, Vec3::ZERO);
    for _ in 0..40 {
        t = bracket.guess();
        end = sum(t);
        let value = end.length() - wanted;
        if value.abs() <= 1e-7 * full || bracket.is_narrow() {
            break;
        }
        bracket.put(t, value);
    }
    (t, end)
}

/// The bone from joint `i` towards the carried point.
fn bone(chain: &Chain, ws: &ChainWorkspace, i: usize) -> Vec3 {
    let next = if i + 1 < chain.joints.len() { ws.state.position[i + 1] } else { ws.state.tip[0] };
    next - ws.state.position[i]
}
