//! Many limbs, or many aiming joints, in one call: the closed forms of
//! [`two_bone`](super::two_bone), [`joint_limb`] and [`aim_ray`] over structures of arrays.
//!
//! Inputs and results are blocks of [`TILE`] limbs as structures of arrays: `TwoBone<Tile>` is 64
//! limbs. Unused places of the last block may hold any finite numbers; zeros are valid, copies of
//! another limb are faster. A batch gives each limb the bits of the single call, on every
//! processor: it runs the functions of the two-bone control flow (`two_bone::drive`) stage by
//! stage, in the widest vectors of the processor (see [`crate::math::dispatch`]).
//!
//! ```
//! use sinew::closed_form::batch::Workspace;
//! use sinew::closed_form::two_bone::{self, TwoBone, TwoBoneSolution};
//! use sinew::math::{LaneVec3, TILE, Tile, Tiled, Vec3};
//!
//! let vector = LaneVec3::from_vec3;
//! let arm = |k: usize| TwoBone {
//!     root_mid: vector(Vec3::new(0.3, 0.0, 0.0)),
//!     mid_end: vector(Vec3::new(0.2, 0.1, 0.0)),
//!     hinge: vector(Vec3::Z),
//!     target: vector(Vec3::new(0.1, 0.3, 0.005 * k as f32)),
//!     weight: 1.0,
//!     ..TwoBone::default()
//! };
//! let mut arms = [TwoBone::<Tile>::default()];
//! let mut turns = [TwoBoneSolution::<Tile>::default()];
//! (0..TILE).for_each(|k| arms[0].put(k, arm(k)));
//! Workspace::default().two_bone(&arms, &mut turns);
//! assert_eq!(turns[0].at(7), two_bone::solve(&arm(7)));
//! ```

use super::aim_ray::{self, Aim};
use super::joint_limb::{self, JointLimb, JointLimbSolution};
use super::picked::Picked;
use super::queue::{Queue, run_queued};
use super::two_bone::drive::LimbSource;
use super::two_bone::fast::{self, OwnSide, Plan};
use super::two_bone::{TwoBone, TwoBoneSolution, exact};
use crate::math::dispatch::{Level, Task};
use crate::math::{Lane, LaneQuat, LaneVec3, TILE, Tile, Tiled};

/// The turns of a block of rays. See [`AimSolution`](super::aim_ray::AimSolution).
#[derive(Clone, Debug, Default)]
pub struct AimTurns {
    /// New rotation of the joint = `turn · old`.
    pub turn: LaneQuat<Tile>,
    /// 1 where the ray meets the target, else 0.
    pub met: Tile,
}

/// Scratch between the stages, 14 KiB on the heap. One per thread.
#[derive(Clone, Debug)]
pub struct Workspace {
    stages: Box<Stages>,
    level: Level,
}

#[derive(Clone, Debug, Default)]
struct Stages {
    plan: Plan<Tile>,
    needs_exact: Tile,
    turns: TwoBoneSolution<Tile>,
    end: LaneQuat<Tile>,
    queue: Queue,
    exact_limbs: TwoBone<Tile>,
    exact_joints: JointLimb<Tile>,
    exact_rotations: JointLimbSolution<Tile>,
}

/// From this number of limbs on, an optional stage runs for the whole block.
const MANY: usize = 8;
/// Limbs per loop of the exact form.
const STRIDE: usize = 16;

impl Default for Workspace {
    fn default() -> Self {
        Self::at(Level::widest())
    }
}

impl Workspace {
    /// A workspace for a given level. The results are the same at every level.
    pub fn at(level: Level) -> Self {
        Self { stages: Box::default(), level }
    }

    /// Vector instructions that the batch runs with.
    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// [`two_bone::solve`](super::two_bone::solve) for every limb. `turns` must be as long as
    /// `limbs`; blocks beyond the shorter of both are not changed.
    pub fn two_bone(&mut self, limbs: &[TwoBone<Tile>], turns: &mut [TwoBoneSolution<Tile>]) {
        self.level.run(Turns { stages: &mut self.stages, limbs, turns });
    }

    /// [`aim_ray::solve`] for every ray; lengths as with [`Self::two_bone`].
    pub fn aim(&mut self, rays: &[Aim<Tile>], turns: &mut [AimTurns]) {
        self.level.run(Aims { needs_exact: &mut self.stages.needs_exact, rays, turns });
    }

    /// [`joint_limb::solve`] for every limb; lengths as with [`Self::two_bone`].
    pub fn joint_limbs(&mut self, limbs: &[JointLimb<Tile>], rotations: &mut [JointLimbSolution<Tile>]) {
        self.level.run(Rotations { stages: &mut self.stages, limbs, rotations });
    }
}

struct Aims<'a> {
    needs_exact: &'a mut Tile,
    rays: &'a [Aim<Tile>],
    turns: &'a mut [AimTurns],
}

impl Task for Aims<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (rays, turns) in self.rays.iter().zip(self.turns) {
            aim_tile(rays, turns, self.needs_exact);
            Picked::new(self.needs_exact).each(|i| {
                let exact = aim_ray::solve_exact_cold(&rays.at(i));
                turns.turn.put(i, exact.turn);
                turns.met.put(i, exact.met as u32 as f32);
            });
        }
    }
}

#[inline(always)]
fn aim_tile(rays: &Aim<Tile>, turns: &mut AimTurns, needs_exact: &mut Tile) {
    for i in 0..TILE {
        let (fast, exact) = aim_ray::solve_short(&rays.at(i));
        turns.turn.put(i, fast.turn);
        turns.met.put(i, f32::select(fast.met, 1.0, 0.0));
        needs_exact.put(i, f32::select(exact, 1.0, 0.0));
    }
}

/// A block of limbs of either source, and the columns that whole stages read.
trait LimbBlock: Tiled<One: LimbSource<f32>> {
    fn weight(&self) -> &Tile;
    fn pole_weight(&self) -> &Tile;
    fn stretch(&self) -> &Tile;
    /// Root joint to mid joint in the solve space.
    fn root_mid(&self) -> &LaneVec3<Tile>;
}

macro_rules! limb_block {
    ($Limb:ident, $root_mid:ident) => {
        impl LimbBlock for $Limb<Tile> {
            #[inline(always)]
            fn weight(&self) -> &Tile {
                &self.weight
            }
            #[inline(always)]
            fn pole_weight(&self) -> &Tile {
                &self.pole_weight
            }
            #[inline(always)]
            fn stretch(&self) -> &Tile {
                &self.stretch
            }
            #[inline(always)]
            fn root_mid(&self) -> &LaneVec3<Tile> {
                &self.$root_mid
            }
        }
    };
}
limb_block!(TwoBone, root_mid);
limb_block!(JointLimb, mid_at);

/// The stages of `two_bone::drive` for a block: fills the turns, and flags the limbs that need the
/// exact form.
#[inline(always)]
fn solve_block<B: LimbBlock>(
    limbs: &B,
    plan: &mut Plan<Tile>,
    turns: &mut TwoBoneSolution<Tile>,
    needs_exact: &mut Tile,
) {
    plan_limbs(plan, limbs);
    let biased = Picked::new(&plan.needs_hinge_bias);
    resolve_hinges(plan, limbs, &biased);
    let carried = Picked::new(&plan.needs_carried_side);
    let any_nudged = carried_sides(plan, limbs, &carried);
    square_hinges(plan, limbs.root_mid(), &biased);
    turn_limbs(limbs, plan, &mut turns.root, &mut turns.mid, needs_exact);
    biased_mids(&turns.root, &mut turns.mid, needs_exact, plan, limbs, &biased);
    if any_nudged {
        nudge_mids::<B>(&mut turns.root, &mut turns.mid, plan, &carried);
    }
    turns.stretch = plan.stretch;
    turns.beyond = plan.beyond;
}

struct Turns<'a> {
    stages: &'a mut Stages,
    limbs: &'a [TwoBone<Tile>],
    turns: &'a mut [TwoBoneSolution<Tile>],
}

impl Task for Turns<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { stages, limbs, turns } = self;
        for block in 0..limbs.len().min(turns.len()) {
            let Stages { plan, needs_exact, .. } = stages;
            solve_block(&limbs[block], plan, &mut turns[block], needs_exact);
            Picked::new(&stages.needs_exact).each(|place| {
                if stages.queue.is_full() {
                    exact_turns(stages, limbs, turns);
                }
                stages.queue.push(block, place);
            });
        }
        exact_turns(stages, limbs, turns);
    }
}

/// The exact form for the limbs in the queue.
#[inline(always)]
fn exact_turns(stages: &mut Stages, limbs: &[TwoBone<Tile>], out: &mut [TwoBoneSolution<Tile>]) {
    let Stages { queue, exact_limbs, turns, .. } = stages;
    run_queued(queue, limbs, out, exact_limbs, turns, LimbSource::solve_exact, |limbs, turns, count| {
        for start in (0..count.min(TILE)).step_by(STRIDE) {
            for i in start..start + STRIDE {
                turns.put(i, exact::solve_exact(&limbs.at(i)));
            }
        }
    });
}

/// Whether some limb has a weight below 1 or can stretch.
#[inline(always)]
fn any_more(stretch: &Tile, weight: &Tile) -> bool {
    let below = |v: &f32| (*v < 1.0) as u32;
    stretch.any() | (weight.0.iter().fold(0, |any, v| any | below(v)) != 0)
}

// Each stage is a separate loop over references that cannot overlap: the compiler vectorises only
// such loops.

#[inline(always)]
fn plan_limbs<B: LimbBlock>(plan: &mut Plan<Tile>, limbs: &B) {
    #[inline(always)]
    fn stage<B: LimbBlock, const PLAIN: bool>(plan: &mut Plan<Tile>, limbs: &B) {
        for i in 0..TILE {
            let limb = limbs.at(i).bones();
            fast::plan_in_parts::<f32, PLAIN, true>(&limb, |part| plan.put_part(i, part));
        }
    }
    if any_more(limbs.stretch(), limbs.weight()) {
        stage::<B, false>(plan, limbs);
    } else {
        stage::<B, true>(plan, limbs);
    }
}

/// A stage over the places that need it: singly where they are few, else over all places, which
/// must then not change the others.
macro_rules! where_picked {
    ($picked:expr, |$i:ident| $work:expr) => {
        if $picked.count < MANY {
            $picked.each(|$i| $work);
        } else {
            for $i in 0..TILE {
                $work;
            }
        }
    };
}

#[inline(always)]
fn resolve_hinges<B: LimbBlock>(plan: &mut Plan<Tile>, limbs: &B, picked: &Picked) {
    where_picked!(picked, |i| {
        let (now, limb) = (plan.at(i), limbs.at(i));
        let hinge = fast::resolve_straight_hinge(&limb.with_hinge(&limb.bones()), &now);
        plan.hinge.put(i, LaneVec3::select(0.0 < now.needs_hinge_bias, hinge, now.hinge));
    });
}

/// Makes biased hinges perpendicular to their upper bones.
#[inline(always)]
fn square_hinges(plan: &mut Plan<Tile>, root_mid: &LaneVec3<Tile>, picked: &Picked) {
    where_picked!(picked, |i| {
        let now = plan.at(i);
        let hinge = fast::beside_bone(root_mid.at(i), &now);
        plan.hinge.put(i, LaneVec3::select(0.0 < now.needs_hinge_bias, hinge, now.hinge));
    });
}

#[inline(always)]
fn biased_mids<B: LimbBlock>(
    root: &LaneQuat<Tile>,
    mid: &mut LaneQuat<Tile>,
    needs_exact: &mut Tile,
    plan: &Plan<Tile>,
    limbs: &B,
    picked: &Picked,
) {
    where_picked!(picked, |i| {
        let plan = plan.at(i);
        let (turn, more) = fast::biased_mid(&limbs.at(i).bones(), &plan);
        let biased = 0.0 < plan.needs_hinge_bias;
        mid.put(i, LaneQuat::select(biased, B::One::biased_turn(root.at(i), turn), mid.at(i)));
        needs_exact.put(i, f32::select(biased, needs_exact.at(i).max(more), needs_exact.at(i)));
    });
}

/// Sides of the picked limbs; whether some limb among them needs a nudge. `needs_nudge` of the
/// picked limbs is valid then.
#[inline(always)]
fn carried_sides<B: LimbBlock>(plan: &mut Plan<Tile>, limbs: &B, picked: &Picked) -> bool {
    #[inline(always)]
    fn one<B: LimbBlock, const POLE: bool>(plan: &mut Plan<Tile>, limbs: &B, i: usize) -> OwnSide<f32> {
        let limb = limbs.at(i);
        let now = plan.at(i);
        let own = fast::own_side::<f32, POLE>(&limb.with_centre(&limb.bones()), &now);
        let carried = 0.0 < now.needs_carried_side;
        plan.side.put(i, LaneVec3::select(carried, own.side, now.side));
        plan.needs_exact.put(i, f32::select(carried, now.needs_exact.max(own.needs_exact), now.needs_exact));
        plan.needs_nudge.put(i, f32::select(own.roll < 1.0, 1.0, 0.0));
        own
    }
    let mut any_nudged = false;
    let mut roll = |plan: &mut Plan<Tile>, own: &OwnSide<f32>, i: usize| {
        if own.roll < 1.0 {
            let (rolled, needs_exact) = fast::rolled_side(own, plan.aim.at(i));
            plan.bent_side.put(i, own.side);
            plan.side.put(i, rolled);
            plan.needs_exact.put(i, plan.needs_exact.at(i).max(needs_exact));
            any_nudged = true;
        }
    };
    if picked.count < MANY {
        picked.each(|i| {
            let own = one::<B, true>(plan, limbs, i);
            roll(plan, &own, i);
        });
    } else if limbs.pole_weight().any() {
        for i in 0..TILE {
            one::<B, true>(plan, limbs, i);
        }
        picked.each(|i| {
            if 0.0 < plan.needs_nudge.at(i) {
                let own = one::<B, true>(plan, limbs, i);
                roll(plan, &own, i);
            }
        });
    } else {
        for i in 0..TILE {
            one::<B, false>(plan, limbs, i);
        }
    }
    any_nudged
}

#[inline(always)]
fn turn_limbs<B: LimbBlock>(
    limbs: &B,
    plan: &Plan<Tile>,
    root: &mut LaneQuat<Tile>,
    mid: &mut LaneQuat<Tile>,
    needs_exact: &mut Tile,
) {
    for i in 0..TILE {
        let plan = plan.at(i);
        let turns = fast::turns(limbs.root_mid().at(i), &plan);
        root.put(i, turns.root);
        mid.put(i, B::One::mid_turn(plan.hinge, &turns));
        needs_exact.put(i, turns.needs_exact);
    }
}

/// Nudges the limbs whose bones' roll does not follow their pole.
#[inline(always)]
fn nudge_mids<B: LimbBlock>(root: &mut LaneQuat<Tile>, mid: &mut LaneQuat<Tile>, plan: &Plan<Tile>, picked: &Picked) {
    picked.each(|i| {
        if 0.0 < plan.needs_nudge.at(i) {
            let turns = fast::nudge(&plan.at(i));
            let [new_root, new_mid] = B::One::nudged(root.at(i), mid.at(i), turns);
            root.put(i, new_root);
            mid.put(i, new_mid);
        }
    });
}

struct Rotations<'a> {
    stages: &'a mut Stages,
    limbs: &'a [JointLimb<Tile>],
    rotations: &'a mut [JointLimbSolution<Tile>],
}

impl Task for Rotations<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { stages, limbs, rotations } = self;
        for block in 0..limbs.len().min(rotations.len()) {
            let Stages { plan, needs_exact, turns, end, .. } = stages;
            solve_block(&limbs[block], plan, turns, needs_exact);
            ends(&limbs[block], turns, end, &mut rotations[block]);
            Picked::new(&stages.needs_exact).each(|place| {
                if stages.queue.is_full() {
                    exact_rotations(stages, limbs, rotations);
                }
                stages.queue.push(block, place);
            });
        }
        exact_rotations(stages, limbs, rotations);
    }
}

/// The exact form for the limbs in the queue.
#[inline(always)]
fn exact_rotations(stages: &mut Stages, limbs: &[JointLimb<Tile>], out: &mut [JointLimbSolution<Tile>]) {
    let Stages { queue, exact_joints, exact_rotations, turns, end, .. } = stages;
    run_queued(queue, limbs, out, exact_joints, exact_rotations, joint_limb::solve_exact, |limbs, out, count| {
        for start in (0..count.min(TILE)).step_by(STRIDE) {
            for i in start..start + STRIDE {
                turns.put(i, joint_limb::exact_turns(&limbs.at(i)));
            }
        }
        ends(limbs, turns, end, out);
    });
}

/// The new rotations, with the goal orientation of the end.
#[inline(always)]
fn ends(
    limbs: &JointLimb<Tile>,
    turns: &TwoBoneSolution<Tile>,
    end: &mut LaneQuat<Tile>,
    out: &mut JointLimbSolution<Tile>,
) {
    if limbs.end_weight.any() {
        goal_ends(limbs, end);
        onto_joints::<true>(limbs, &turns.root, &turns.mid, end, out);
    } else {
        onto_joints::<false>(limbs, &turns.root, &turns.mid, end, out);
    }
    out.stretch = turns.stretch;
    out.beyond = turns.beyond;
}

#[inline(always)]
fn goal_ends(limbs: &JointLimb<Tile>, end: &mut LaneQuat<Tile>) {
    let mut mixed = Tile::default();
    for i in 0..TILE {
        let limb = limbs.at(i);
        end.put(i, joint_limb::goal_end(&limb, joint_limb::wanted_end(&limb)));
        mixed.put(i, f32::select((0.0 < limb.end_weight) & (limb.end_weight < 1.0), 1.0, 0.0));
    }
    Picked::new(&mixed).each(|i| {
        let limb = limbs.at(i);
        end.put(i, joint_limb::mixed_end(&limb, joint_limb::wanted_end(&limb)));
    });
}

/// With `GOALS` false, every end keeps its orientation, and `end` is not read.
#[inline(always)]
fn onto_joints<const GOALS: bool>(
    limbs: &JointLimb<Tile>,
    root: &LaneQuat<Tile>,
    mid: &LaneQuat<Tile>,
    end: &LaneQuat<Tile>,
    out: &mut JointLimbSolution<Tile>,
) {
    for i in 0..TILE {
        let limb = limbs.at(i);
        let wanted = if GOALS { end.at(i) } else { joint_limb::wanted_end(&limb) };
        let [root, mid, end] = joint_limb::onto_joints(&limb, root.at(i), mid.at(i), wanted);
        out.root.put(i, root);
        out.mid.put(i, mid);
        out.end.put(i, end);
    }
}
