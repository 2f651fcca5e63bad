//! Chains of free ball joints with one position goal: aim, then lengthen in closed form or shorten
//! by damped least squares, on bone vectors alone.
//!
//! # Derivation
//!
//! *Aim.* Turning the chain about its root as one piece changes the first joint only. So instead of
//! the chain the goal is turned back, and the first joint is turned at the end.
//!
//! *Lengthen.* As in `chains::start::lengthen`, with the sums over the bones taken several at a
//! time. A target out of reach is the limit: the straight chain.
//!
//! *Shorten.* With ball joints of equal willingness the mobility is a number per joint, and the
//! dual matrix of `chains::methods::dls` is the 3×3
//!
//! ```text
//! A = Σ r² 1 − r rᵀ,   r[i] = b[i] + … + b[n−1]   (lever of joint i: a suffix sum of the bones)
//! f = (A + λ 1)⁻¹ e,   ω[i] = r[i] × f
//! ```
//!
//! Bone `i` is turned by all joints up to `i`, to first order by the prefix sum `Ω = ω[0] + … +
//! ω[i] = (r[0] + … + r[i]) × f`; the rotation with that first order which needs no trigonometry is
//! Cayley's, with half-angle vector `a = Ω/2`:
//!
//! ```text
//! b' = b + 2/(1 + a²) · (a × b + a × (a × b)),   q = (a, 1)/√(1 + a²)
//! ```
//!
//! So an iteration is two passes over the bones, several at a time (`chains::model::blocks`), with
//! no rotation multiplied along the chain: the levers with their second moments, and the step.
//! Where a run of bones starts, the moments and prefix sums follow from the sums of the other runs,
//! so none waits for another. The rotations are gathered per bone and turned into joint rotations
//! once, at the end. The number of iterations does not grow with the number of bones.
//!
//! Source: the two papers in `chains::methods::dls`; the prefix sum in place of a product is ours.
//! Cayley's map: A. Cayley, "Sur quelques propriétés des déterminants gauches", J. reine angew.
//! Math. 32 (1846).

use super::two_bone as two_bone_chain;
use crate::chains::methods::dls::DAMPING;
use crate::chains::model::blocks::{self, Block, Extent, Runs, lane, set_lane, total};
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::start::lengthen::{find_lean, leaning};
use crate::chains::state::unit;
use crate::chains::unlimited::start::Start;
use crate::chains::workspace::ChainWorkspace;
use crate::math::{F32x4, F32x8, Lane, LaneQuat, LaneVec3, Mat3, Quat, Vec3, arc, normalize_or};
use crate::optim::step::trusted_share;
use crate::optim::{Damping, Work};
use crate::outcome::{Outcome, Status};
use core::ops::Range;

/// Fewest joints that must carry the goal.
const LEAST: usize = 2;

/// Longest way of the carried point in one iteration, as a share of the chain's length.
const STRIDE: f32 = 0.3;

/// Solves the chain when it is of the kind and this way leads to the end; otherwise leaves the pose
/// as it was (clamped to stretch limits) and returns `None`.
pub(in crate::chains) fn solve(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Outcome> {
    let (goal, joints) = (&goals[0], chain.joints.len());
    let position = goal.position?;
    let held = goal.rotation.map(|r| r.normalize());
    let count = joints - usize::from(held.is_some());
    let more = goal.distance.is_some() || (held.is_none() && goal.axis.is_some());
    if !chain.is_ball() || count < LEAST || more {
        return None;
    }
    if !chain.is_rigid() {
        start::clamp_to_limits(chain, ws);
    }
    let bones = bones(chain, count);
    if bones == 0 {
        return None;
    }
    ws.state.hold(held);
    let found = match bones {
        2 => two_bone_chain::solve(chain, goal, position, settings, ws),
        _ => None,
    };
    let found = found.or_else(|| {
        let approach = if chain.table.is_short() { approach::<F32x4> } else { approach::<F32x8> };
        approach(chain, goal, position, bones, settings, ws)
    });
    ws.state.hold(None);
    found
}

/// Number of the first `count` joints' bones, without those at the end that have no length.
fn bones(chain: &Chain, count: usize) -> usize {
    let least = 1e-7 * chain.length;
    (0..count).rev().find(|i| start::bone(chain, *i).length_squared() > least * least).map_or(0, |last| last + 1)
}

/// The pose is changed only on success.
fn approach<L: Runs>(
    chain: &Chain,
    goal: &ChainGoal,
    position: Vec3,
    bones: usize,
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Option<Outcome> {
    let start = Start::new(chain, position, ws);
    let (target, wanted) = (start.target, start.target.length());
    let (mut iterations, mut before) = (0, f32::INFINITY);
    for round in 0..3 {
        let mut extent = start.forward::<L>(chain, ws);
        let hole = (2.0 * extent.longest - extent.length).max(0.0);
        let edge = 1e-7 * extent.length;
        if hole > 0.0 && wanted <= hole + edge {
            return None;
        }
        let beyond = wanted >= extent.length - edge;
        let mut aim;
        if round == 0 {
            (extent, aim) = start.prepare::<L>(chain, goal, &extent, ws);
        } else {
            aim = start.aim(chain, goal, &extent, ws);
        }
        let goal_seen = aim.conjugate() * target;
        if beyond || wanted > extent.tip.length() {
            let back = lengthen(L::blocks(&mut ws.lanes.blocks), &extent, goal_seen, beyond);
            aim = (aim * back).normalize();
        } else {
            let close = 0.3 * settings.tolerance.max(1e-7) * chain.length;
            let most = settings.max_iterations.saturating_sub(iterations);
            let bound = Bound { close, most_iterations: most, work: &mut ws.work };
            iterations += shorten(L::blocks(&mut ws.lanes.blocks), &extent, goal_seen, chain.length, bound, settings)?;
        }
        let miss = start.write_back::<L>(chain, aim, ws);
        if bones < start.count {
            carry_along(chain, bones..start.count, ws);
        }
        let reached = miss <= settings.tolerance.max(0.0) * chain.length;
        // Out of reach bones may stretch, and where the last joint is held, position and rotation
        // have to share what is left: not here.
        let final_word = ws.state.held().is_none() && (chain.is_rigid() || !settings.use_stretch) && miss.is_finite();
        if reached || (beyond && final_word) {
            ws.state.rotations_mut().copy_from_slice(&ws.lanes.rotations[..chain.joints.len()]);
            let status = if reached { Status::Reached } else { Status::Unreachable };
            return Some(Outcome { status, iterations, residual_m: miss, residual_rad: 0.0 });
        }
        // Once more from where rounding left it, while that helps.
        let helped = miss < 0.5 * before;
        if beyond || !helped {
            return None;
        }
        before = miss;
    }
    None
}

/// Joints behind the last bone are carried along; a held joint behind them stays as it is held.
fn carry_along(chain: &Chain, joints: Range<usize>, ws: &mut ChainWorkspace) {
    let pose = ws.state.pose();
    ws.lanes.rotations[joints.clone()].copy_from_slice(&pose.rotations[joints.clone()]);
    let Some(held) = ws.state.held() else { return };
    let each = chain.joints.iter().zip(&ws.lanes.rotations).take(joints.end);
    let outer = each.fold(pose.root_rotation, |outer, (joint, q)| unit(outer * (joint.rest * *q)));
    let frame = outer * chain.joints[joints.end].rest;
    ws.lanes.rotations[joints.end] = (frame.conjugate() * held).normalize();
}

/// Leans all bones towards the target by the same rule until the chain is long enough (`straight`:
/// until it is straight); returns the turn that is left for the whole chain.
fn lengthen<L: Runs>(blocks: &mut [Block<L>], extent: &Extent, target: Vec3, straight: bool) -> Quat {
    let wanted = target.length();
    let u = normalize_or(target, Vec3::Y);
    let straight_on = LaneVec3::<L>::splat(u);
    for block in blocks.iter_mut() {
        let tiny = block.length.lt(L::splat(1e-12 * extent.length));
        let one = block.length.max(L::splat(f32::MIN_POSITIVE));
        block.tried = LaneVec3::select(tiny, straight_on, block.bone * (L::splat(1.0) / one));
    }
    let sum = |blocks: &[Block<L>], t: f32| {
        let sum = blocks.iter().fold(LaneVec3::zero(), |sum, b| sum + leaning(b.tried, straight_on, t) * b.length);
        total(&sum)
    };
    let straightened = || extent.length * u;
    let (t, end) = if straight {
        (0.0, straightened())
    } else {
        find_lean(extent.length, extent.tip.length(), wanted, straightened, |t| sum(blocks, t))
    };
    for block in blocks.iter_mut() {
        let c = block.tried;
        block.turned = LaneQuat::arc(c, leaning(c, straight_on, t), c.any_perpendicular());
    }
    arc(normalize_or(end, u), u)
}

/// When [`shorten`] ends.
struct Bound<'a> {
    /// Distance at which the goal is met.
    close: f32,
    most_iterations: u32,
    work: &'a mut Work,
}

/// Moves the carried point to `goal` by damped least squares; returns the iterations, or `None`
/// where that got stuck.
fn shorten<L: Runs>(
    blocks: &mut [Block<L>],
    extent: &Extent,
    goal: Vec3,
    length: f32,
    bound: Bound<'_>,
    settings: &ChainSettings,
) -> Option<u32> {
    let Bound { close, most_iterations, work } = bound;
    let most = settings.max_step_rad.clamp(1e-3, 3.0);
    let mut damping = Damping::new(settings.damping.clamp(1e-8, 1e3), DAMPING);
    let (mut iterations, mut fails) = (0, 0);
    let mut tip = extent.tip;
    // Whether the step that was tried last is still to be taken.
    let mut good = false;
    let mut levers = Levers::none();
    loop {
        let left = goal - tip;
        let distance = left.length();
        if distance <= close {
            break;
        }
        let steps = (blocks.len() * L::WIDTH) as u32;
        if iterations >= most_iterations || fails >= 6 || !work.spend(steps) {
            return None;
        }
        iterations += 1;
        let wanted = left * (STRIDE * length / distance).min(1.0);
        if good {
            measure::<L, true>(blocks, &mut levers);
        } else if iterations == 1 {
            measure::<L, false>(blocks, &mut levers);
        }
        let extra = damping.value * levers.mean;
        let force = solve3(&levers.dual, extra, wanted)?;
        // No lever is longer than the chain.
        let mut scale = 1.0;
        if force.length() * extent.length > most {
            scale = (most / fastest(blocks, &levers, force).max(1e-20)).min(1.0);
        }
        let mut reached = attempt(blocks, &levers, force * (0.5 * scale));
        let linear = levers.dual * force * scale;
        let beyond = (reached - tip - linear).length() - 1e-6 * length;
        let share = trusted_share(linear.length(), beyond);
        if share < 0.999 {
            reached = attempt(blocks, &levers, force * (0.5 * scale * share));
        }
        good = (goal - reached).length_squared() < distance * distance;
        if good {
            tip = reached;
            damping.accept(0.0, 1.0);
            fails = 0;
        } else {
            damping.reject();
            fails += 1;
        }
    }
    if good {
        take(blocks);
    }
    Some(iterations)
}

/// What a step needs to know about all levers.
struct Levers<L> {
    /// Lever of the joint after each run.
    after: LaneVec3<L>,
    /// Sum of all levers before each run.
    before: LaneVec3<L>,
    /// `Σ r² 1 − r rᵀ`.
    dual: Mat3,
    /// Its mean eigenvalue.
    mean: f32,
}

impl<L: Lane> Levers<L> {
    fn none() -> Self {
        Self { after: LaneVec3::zero(), before: LaneVec3::zero(), dual: Mat3::ZERO, mean: 0.0 }
    }
}

/// Takes the step that was tried.
fn take<L: Lane>(blocks: &mut [Block<L>]) {
    for block in blocks.iter_mut() {
        block.bone = block.tried;
        block.turned = block.step * block.turned;
    }
}

/// The levers and their second moments; before that, with `TAKE`, takes the step that was tried.
fn measure<L: Runs, const TAKE: bool>(blocks: &mut [Block<L>], levers: &mut Levers<L>) {
    let zero = LaneVec3::zero();
    let (mut lever, mut sum, mut diagonal, mut off) = (zero, zero, zero, zero);
    for block in blocks.iter_mut().rev() {
        if TAKE {
            block.bone = block.tried;
            block.turned = block.step * block.turned;
        }
        lever = lever + block.bone;
        block.lever = lever;
        sum = sum + lever;
        diagonal = diagonal + product(lever, lever);
        off = off + product(turned_round(lever), turned_back(lever));
    }
    combine(blocks.len(), &lever, sum, diagonal, off, levers);
}

/// From the sums along the runs to those along the chain. Not inlined: taking registers apart in
/// the same function as a loop makes the compiler take them apart in the loop, too.
#[inline(never)]
fn combine<L: Runs>(
    m: usize,
    lever: &LaneVec3<L>,
    mut sum: LaneVec3<L>,
    mut diagonal: LaneVec3<L>,
    mut off: LaneVec3<L>,
    levers: &mut Levers<L>,
) {
    // What the runs after this one add to each of its levers, and with that to the sums.
    let (mut after, mut behind) = (LaneVec3::zero(), Vec3::ZERO);
    for s in (0..L::WIDTH).rev() {
        set_lane(&mut after, s, behind);
        behind += lane(lever, s);
    }
    let m = L::splat(m as f32);
    let half = sum + after * (m * L::splat(0.5));
    diagonal = diagonal + product(after, half) * L::splat(2.0);
    off = off + product(turned_round(after), turned_back(half)) + product(turned_back(after), turned_round(half));
    sum = sum + after * m;
    let before = blocks::sums_before(Vec3::ZERO, &sum);
    let (diagonal, off) = (total(&diagonal), total(&off));
    let trace = diagonal.x + diagonal.y + diagonal.z;
    levers.dual = Mat3::from_cols(
        Vec3::new(trace - diagonal.x, -off.z, -off.y),
        Vec3::new(-off.z, trace - diagonal.y, -off.x),
        Vec3::new(-off.y, -off.x, trace - diagonal.z),
    );
    (levers.after, levers.before, levers.mean) = (after, before, trace * (2.0 / 3.0));
}

/// Component by component.
#[inline(always)]
fn product<L: Lane>(a: LaneVec3<L>, b: LaneVec3<L>) -> LaneVec3<L> {
    LaneVec3::new(a.x * b.x, a.y * b.y, a.z * b.z)
}
#[inline(always)]
fn turned_round<L: Lane>(v: LaneVec3<L>) -> LaneVec3<L> {
    LaneVec3::new(v.y, v.z, v.x)
}
#[inline(always)]
fn turned_back<L: Lane>(v: LaneVec3<L>) -> LaneVec3<L> {
    LaneVec3::new(v.z, v.x, v.y)
}

/// The largest turn of a joint under a force.
fn fastest<L: Runs>(blocks: &[Block<L>], levers: &Levers<L>, force: Vec3) -> f32 {
    let force = LaneVec3::splat(force);
    let largest = blocks.iter().fold(L::splat(0.0), |most, block| {
        let turn = (block.lever + levers.after).cross(force);
        most.max(turn.dot(turn))
    });
    blocks::largest(largest).sqrt()
}

/// Tries the step that half the dual force gives; returns where the end comes to.
fn attempt<L: Runs>(blocks: &mut [Block<L>], levers: &Levers<L>, half: Vec3) -> Vec3 {
    let half = LaneVec3::splat(half);
    let one = L::splat(1.0);
    let (mut sum, mut reached) = (levers.before, LaneVec3::zero());
    for block in blocks.iter_mut() {
        sum = sum + (block.lever + levers.after);
        let a = sum.cross(half);
        let share = one / (one + a.dot(a));
        let across = a.cross(block.bone);
        block.tried = block.bone + (across + a.cross(across)) * (share + share);
        let w = share.root();
        block.step = LaneQuat::new(a.x * w, a.y * w, a.z * w, w);
        reached = reached + block.tried;
    }
    total(&reached)
}

/// Solves `(a + extra · 1) x = b` for a symmetric positive matrix by cofactors; `None` when it is
/// singular.
fn solve3(a: &Mat3, extra: f32, b: Vec3) -> Option<Vec3> {
    let x = a.x_axis + Vec3::X * extra;
    let y = a.y_axis + Vec3::Y * extra;
    let z = a.z_axis + Vec3::Z * extra;
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    let determinant = x.dot(yz);
    let size = x.x * y.y * z.z;
    if size <= 1e-36 || determinant <= 1e-12 * size {
        return None;
    }
    Some((yz * b.x + zx * b.y + xy * b.z) * (1.0 / determinant))
}
