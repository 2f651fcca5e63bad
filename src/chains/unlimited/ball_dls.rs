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
use crate::chains::model::blocks::{self, Block, Extent, Pass, Runs, lane, set_lane, total};
use crate::chains::model::{Chain, ChainGoal, ChainSettings};
use crate::chains::start;
use crate::chains::start::lengthen::{find_lean, leaning};
use crate::chains::state::unit;
use crate::chains::unlimited::start::Start;
use crate::chains::workspace::ChainWorkspace;
use crate::math::eight_lane::Registers;
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
    L::pass(Directions { blocks, u, tiny: 1e-12 * extent.length });
    let straightened = || extent.length * u;
    let (t, end) = if straight {
        (0.0, straightened())
    } else {
        find_lean(extent.length, extent.tip.length(), wanted, straightened, |t| total(&L::pass(Leant { blocks, u, t })))
    };
    L::pass(Lean { blocks, u, t });
    arc(normalize_or(end, u), u)
}

/// Directions of the bones, to `tried`: those that are too short to have one get `u`.
struct Directions<'a, L> {
    blocks: &'a mut [Block<L>],
    u: Vec3,
    tiny: f32,
}

impl<L: Runs> Pass<L> for Directions<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run<R: Registers<L>>(self) {
        let (u, tiny, one) = (LaneVec3::splat(self.u), R::splat(self.tiny), R::splat(1.0));
        for block in self.blocks {
            let length = R::load(block.length);
            let safe = length.max(R::splat(f32::MIN_POSITIVE));
            let direction = LaneVec3::load(block.bone) * (one / safe);
            block.tried = LaneVec3::select(length.lt(tiny), u, direction).store();
        }
    }
}

/// Sums of the leaning bones per run.
struct Leant<'a, L> {
    blocks: &'a [Block<L>],
    u: Vec3,
    t: f32,
}

impl<L: Runs> Pass<L> for Leant<'_, L> {
    type Output = LaneVec3<L>;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> LaneVec3<L> {
        let (u, mut sum) = (LaneVec3::<R>::splat(self.u), LaneVec3::zero());
        for block in self.blocks {
            sum = sum + leaning(LaneVec3::load(block.tried), u, self.t) * R::load(block.length);
        }
        sum.store()
    }
}

/// Turns of the bones as they lean.
struct Lean<'a, L> {
    blocks: &'a mut [Block<L>],
    u: Vec3,
    t: f32,
}

impl<L: Runs> Pass<L> for Lean<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run<R: Registers<L>>(self) {
        let u = LaneVec3::<R>::splat(self.u);
        for block in self.blocks {
            let c = LaneVec3::load(block.tried);
            block.turned = LaneQuat::arc(c, leaning(c, u, self.t), c.any_perpendicular()).store();
        }
    }
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
            levers = measure::<L, true>(blocks);
        } else if iterations == 1 {
            levers = measure::<L, false>(blocks);
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
        L::pass(Take { blocks });
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
struct Take<'a, L> {
    blocks: &'a mut [Block<L>],
}

impl<L: Runs> Pass<L> for Take<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run<R: Registers<L>>(self) {
        for block in self.blocks {
            take::<L, R>(block);
        }
    }
}

#[inline(always)]
fn take<L: Runs, R: Registers<L>>(block: &mut Block<L>) {
    block.bone = block.tried;
    block.turned = (LaneQuat::<R>::load(block.step) * LaneQuat::load(block.turned)).store();
}

/// The levers and their second moments; before that, with `TAKE`, takes the step that was tried.
fn measure<L: Runs, const TAKE: bool>(blocks: &mut [Block<L>]) -> Levers<L> {
    let m = blocks.len();
    combine(m, L::pass(Measure::<L, TAKE> { blocks }))
}

struct Measure<'a, L, const TAKE: bool> {
    blocks: &'a mut [Block<L>],
}

/// Sums along each run.
struct RunSums<L> {
    /// Of the bones: the lever of the first joint.
    lever: LaneVec3<L>,
    /// Of the levers.
    sum: LaneVec3<L>,
    /// Of their squares.
    diagonal: LaneVec3<L>,
    /// Of their mixed products: y z, z x, x y.
    off: LaneVec3<L>,
}

impl<L: Runs, const TAKE: bool> Pass<L> for Measure<'_, L, TAKE> {
    type Output = RunSums<L>;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> RunSums<L> {
        let zero = LaneVec3::<R>::zero();
        let (mut lever, mut sum, mut diagonal, mut off) = (zero, zero, zero, zero);
        for block in self.blocks.iter_mut().rev() {
            if TAKE {
                take::<L, R>(block);
            }
            lever = lever + LaneVec3::load(block.bone);
            block.lever = lever.store();
            sum = sum + lever;
            diagonal = diagonal + product(lever, lever);
            off = off + product(turned_round(lever), turned_back(lever));
        }
        RunSums { lever: lever.store(), sum: sum.store(), diagonal: diagonal.store(), off: off.store() }
    }
}

/// From the sums along the runs to those along the chain.
#[inline(never)]
fn combine<L: Runs>(m: usize, sums: RunSums<L>) -> Levers<L> {
    let RunSums { lever, mut sum, mut diagonal, mut off } = sums;
    // What the runs after this one add to each of its levers, and with that to the sums.
    let (mut after, mut behind) = (LaneVec3::zero(), Vec3::ZERO);
    for s in (0..L::WIDTH).rev() {
        set_lane(&mut after, s, behind);
        behind += lane(&lever, s);
    }
    let m = L::splat(m as f32);
    let half = sum + after * (m * L::splat(0.5));
    diagonal = diagonal + product(after, half) * L::splat(2.0);
    off = off + product(turned_round(after), turned_back(half)) + product(turned_back(after), turned_round(half));
    sum = sum + after * m;
    let before = blocks::sums_before(Vec3::ZERO, &sum);
    let (diagonal, off) = (total(&diagonal), total(&off));
    let trace = diagonal.x + diagonal.y + diagonal.z;
    let dual = Mat3::from_cols(
        Vec3::new(trace - diagonal.x, -off.z, -off.y),
        Vec3::new(-off.z, trace - diagonal.y, -off.x),
        Vec3::new(-off.y, -off.x, trace - diagonal.z),
    );
    Levers { after, before, dual, mean: trace * (2.0 / 3.0) }
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
    blocks::largest(L::pass(Fastest { blocks, levers, force })).sqrt()
}

/// Squares of the largest turns per run.
struct Fastest<'a, L> {
    blocks: &'a [Block<L>],
    levers: &'a Levers<L>,
    force: Vec3,
}

impl<L: Runs> Pass<L> for Fastest<'_, L> {
    type Output = L;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> L {
        let (force, after) = (LaneVec3::<R>::splat(self.force), LaneVec3::load(self.levers.after));
        let mut most = R::splat(0.0);
        for block in self.blocks {
            let turn = (LaneVec3::load(block.lever) + after).cross(force);
            most = most.max(turn.dot(turn));
        }
        most.store()
    }
}

/// Tries the step that half the dual force gives; returns where the end comes to.
fn attempt<L: Runs>(blocks: &mut [Block<L>], levers: &Levers<L>, half: Vec3) -> Vec3 {
    total(&L::pass(Attempt { blocks, levers, half }))
}

struct Attempt<'a, L> {
    blocks: &'a mut [Block<L>],
    levers: &'a Levers<L>,
    half: Vec3,
}

impl<L: Runs> Pass<L> for Attempt<'_, L> {
    type Output = LaneVec3<L>;
    #[inline(always)]
    fn run<R: Registers<L>>(self) -> LaneVec3<L> {
        let (half, one) = (LaneVec3::<R>::splat(self.half), R::splat(1.0));
        let after = LaneVec3::load(self.levers.after);
        let (mut sum, mut reached) = (LaneVec3::load(self.levers.before), LaneVec3::zero());
        for block in self.blocks {
            sum = sum + (LaneVec3::load(block.lever) + after);
            let a = sum.cross(half);
            let share = one / (one + a.dot(a));
            let bone = LaneVec3::load(block.bone);
            let across = a.cross(bone);
            let tried = bone + (across + a.cross(across)) * (share + share);
            let w = share.root();
            block.tried = tried.store();
            block.step = LaneQuat::new(a.x * w, a.y * w, a.z * w, w).store();
            reached = reached + tried;
        }
        reached.store()
    }
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
