//! Many limbs, or many aiming joints, in one call: the closed forms of [`two_bone`], [`joint_limb`] and [`aim`] over structures of
//! arrays.
//!
//! Inputs and results are blocks of [`TILE`] limbs, each number of a block side by side with its like:
//! `TwoBone<Tile>` is 64 limbs. The places that a last block has too many may hold anything finite; zeros are fine, though
//! copies of another limb cost less. A batch gives each limb the bits of the single call, on every processor: it runs the same functions
//! stage by stage, as wide as the processor is (see [`crate::math::dispatch`]).
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
use super::two_bone::fast::{self, Plan};
use super::two_bone::{self, TwoBone, TwoBoneSolution};
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

/// Room for what lies between the stages, 14 KiB on the heap. One per thread.
#[derive(Clone, Debug)]
pub struct Workspace {
    stages: Box<Stages>,
    level: Level,
}

#[derive(Clone, Debug, Default)]
struct Stages {
    plan: Plan<Tile>,
    special: Tile,
    root: LaneQuat<Tile>,
    mid: LaneQuat<Tile>,
    end: LaneQuat<Tile>,
    queue: Queue,
    long_limbs: TwoBone<Tile>,
    long_turns: TwoBoneSolution<Tile>,
    long_joints: JointLimb<Tile>,
    long_rotations: JointLimbSolution<Tile>,
}

/// Limbs for the long form, gathered from all blocks so that it runs wide, too.
#[derive(Clone, Debug)]
struct Queue {
    /// Block and place.
    limbs: [(u32, u32); TILE],
    count: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Self { limbs: [(0, 0); TILE], count: 0 }
    }
}

/// Fewer limbs than these go through the long form one by one.
const FEW: usize = 4;
/// Limbs of a block from which a stage that only some need runs for all.
const MANY: usize = 8;
/// Limbs that go through the long form in one loop.
const STRIDE: usize = 16;

impl Queue {
    fn is_full(&self) -> bool {
        self.count == TILE
    }
    fn push(&mut self, block: usize, place: usize) {
        self.limbs[self.count] = (block as u32, place as u32);
        self.count += 1;
    }
    /// What was in it; it is empty now.
    fn take(&mut self) -> ([(u32, u32); TILE], usize) {
        (self.limbs, core::mem::take(&mut self.count))
    }
}

impl Default for Workspace {
    fn default() -> Self {
        Self::at(Level::widest())
    }
}

impl Workspace {
    /// For a given level. The results are the same at each.
    pub fn at(level: Level) -> Self {
        Self { stages: Box::default(), level }
    }

    /// [`two_bone::solve`] for every limb. `turns` must be as long as `limbs`; what either has beyond the other stays as it is.
    pub fn two_bone(&mut self, limbs: &[TwoBone<Tile>], turns: &mut [TwoBoneSolution<Tile>]) {
        self.level.run(Turns { stages: &mut self.stages, limbs, turns });
    }

    /// [`aim_ray::solve`] for every ray; lengths as with [`Self::two_bone`].
    pub fn aim(&mut self, rays: &[Aim<Tile>], turns: &mut [AimTurns]) {
        self.level.run(Aims { special: &mut self.stages.special, rays, turns });
    }

    /// [`joint_limb::solve`] for every limb; lengths as with [`Self::two_bone`].
    pub fn joint_limbs(&mut self, limbs: &[JointLimb<Tile>], rotations: &mut [JointLimbSolution<Tile>]) {
        self.level.run(Rotations { stages: &mut self.stages, limbs, rotations });
    }
}

struct Aims<'a> {
    special: &'a mut Tile,
    rays: &'a [Aim<Tile>],
    turns: &'a mut [AimTurns],
}

impl Task for Aims<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (rays, turns) in self.rays.iter().zip(self.turns) {
            aim_tile(rays, turns, self.special);
            Picked::new(self.special).each(|i| {
                let long = aim_ray::solve_exact_cold(&rays.at(i));
                turns.turn.put(i, long.turn);
                turns.met.put(i, long.met as u32 as f32);
            });
        }
    }
}

#[inline(always)]
fn aim_tile(rays: &Aim<Tile>, turns: &mut AimTurns, special: &mut Tile) {
    for i in 0..TILE {
        let (short, long) = aim_ray::solve_short(&rays.at(i));
        turns.turn.put(i, short.turn);
        turns.met.put(i, f32::select(short.met, 1.0, 0.0));
        special.put(i, f32::select(long, 1.0, 0.0));
    }
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
            let (limbs_here, turns_here) = (&limbs[block], &mut turns[block]);
            plan(&mut stages.plan, limbs_here);
            let heard = Picked::new(&stages.plan.says);
            resolve_hinges(&mut stages.plan, limbs_here, &heard);
            own_sides(&mut stages.plan, limbs_here);
            square(&mut stages.plan, &limbs_here.root_mid, &heard);
            corrections(limbs_here, &stages.plan, turns_here, &mut stages.special);
            biased_mids(turns_here, &mut stages.special, &stages.plan, limbs_here, &heard);
            Picked::new(&stages.special).each(|place| {
                if stages.queue.is_full() {
                    long_turns(stages, limbs, turns);
                }
                stages.queue.push(block, place);
            });
        }
        long_turns(stages, limbs, turns);
    }
}

/// The long form for what is in the queue.
#[inline(always)]
fn long_turns(stages: &mut Stages, limbs: &[TwoBone<Tile>], turns: &mut [TwoBoneSolution<Tile>]) {
    let (queue, count) = stages.queue.take();
    let queue = &queue[..count];
    if count < FEW {
        for &(block, place) in queue {
            let limb = limbs[block as usize].at(place as usize);
            turns[block as usize].put(place as usize, two_bone::solve_exact_cold(limb));
        }
        return;
    }
    for (i, &(block, place)) in queue.iter().enumerate() {
        stages.long_limbs.put(i, limbs[block as usize].at(place as usize));
    }
    long_tile(&stages.long_limbs, &mut stages.long_turns, count);
    for (i, &(block, place)) in queue.iter().enumerate() {
        turns[block as usize].put(place as usize, stages.long_turns.at(i));
    }
}

#[inline(always)]
fn long_tile(limbs: &TwoBone<Tile>, turns: &mut TwoBoneSolution<Tile>, count: usize) {
    for start in (0..count.min(TILE)).step_by(STRIDE) {
        for i in start..start + STRIDE {
            turns.put(i, two_bone::solve_exact(&limbs.at(i)));
        }
    }
}

/// The places of a block where a flag is up.
struct Picked {
    places: [u8; TILE],
    count: usize,
}

impl Picked {
    #[inline(always)]
    fn new(flags: &Tile) -> Self {
        let mut picked = Self { places: [0; TILE], count: 0 };
        if flags.any() {
            for (group, flags) in flags.0.chunks_exact(8).enumerate() {
                if flags.iter().fold(0, |bits, v| bits | v.to_bits()) != 0 {
                    for (i, flag) in flags.iter().enumerate() {
                        picked.places[picked.count % TILE] = (group * 8 + i) as u8;
                        picked.count += (*flag != 0.0) as usize;
                    }
                }
            }
        }
        picked
    }
    #[inline(always)]
    fn each(&self, mut work: impl FnMut(usize)) {
        self.places[..self.count].iter().for_each(|place| work(*place as usize % TILE));
    }
}

/// Whether some limb has a weight below 1 or may stretch.
#[inline(always)]
fn any_more(stretch: &Tile, weight: &Tile) -> bool {
    let below = |v: &f32| (*v < 1.0) as u32;
    stretch.any() | (weight.0.iter().fold(0, |any, v| any | below(v)) != 0)
}

// Each stage is a loop of its own over references that cannot overlap; so much the compiler needs to see to run it wide.

#[inline(always)]
fn plan(plan: &mut Plan<Tile>, limbs: &TwoBone<Tile>) {
    #[inline(always)]
    fn stage<const PLAIN: bool>(plan: &mut Plan<Tile>, limbs: &TwoBone<Tile>) {
        for i in 0..TILE {
            fast::plan_in_parts::<f32, PLAIN, true>(&limbs.at(i), |part| plan.put_part(i, part));
        }
    }
    if any_more(&limbs.stretch, &limbs.weight) { stage::<false>(plan, limbs) } else { stage::<true>(plan, limbs) }
}

/// A stage over the places that need it: one by one where they are few, else over all, which then must leave the others as they are.
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
fn resolve_hinges(plan: &mut Plan<Tile>, limbs: &TwoBone<Tile>, picked: &Picked) {
    where_picked!(picked, |i| {
        let now = plan.at(i);
        let hinge = fast::resolve_straight_hinge(&limbs.at(i), &now);
        plan.hinge.put(i, LaneVec3::select(0.0 < now.says, hinge, now.hinge));
    });
}

#[inline(always)]
fn joint_resolve_hinge(plan: &mut Plan<Tile>, limbs: &JointLimb<Tile>, picked: &Picked) {
    where_picked!(picked, |i| {
        let (now, limb) = (plan.at(i), limbs.at(i));
        let bones = joint_limb::with_hinge(&limb, &joint_limb::into_root(&limb));
        let hinge = fast::resolve_straight_hinge(&bones, &now);
        plan.hinge.put(i, LaneVec3::select(0.0 < now.says, hinge, now.hinge));
    });
}

/// Heard hinges at right angles to their upper bones.
#[inline(always)]
fn square(plan: &mut Plan<Tile>, root_mid: &LaneVec3<Tile>, picked: &Picked) {
    where_picked!(picked, |i| {
        let now = plan.at(i);
        let hinge = fast::beside_bone(root_mid.at(i), &now);
        plan.hinge.put(i, LaneVec3::select(0.0 < now.says, hinge, now.hinge));
    });
}

#[inline(always)]
fn biased_mids(
    out: &mut TwoBoneSolution<Tile>,
    special: &mut Tile,
    plan: &Plan<Tile>,
    limbs: &TwoBone<Tile>,
    picked: &Picked,
) {
    where_picked!(picked, |i| {
        let plan = plan.at(i);
        let (heard, more) = fast::biased_mid(&limbs.at(i), &plan);
        let mid = LaneQuat::from_parts(out.root.at(i).rotate(heard.vector()), heard.w);
        out.mid.put(i, LaneQuat::select(0.0 < plan.says, mid, out.mid.at(i)));
        special.put(i, f32::select(0.0 < plan.says, special.at(i).max(more), special.at(i)));
    });
}

#[inline(always)]
fn joint_biased_mids(
    mid: &mut LaneQuat<Tile>,
    special: &mut Tile,
    plan: &Plan<Tile>,
    limbs: &JointLimb<Tile>,
    picked: &Picked,
) {
    where_picked!(picked, |i| {
        let plan = plan.at(i);
        let (heard, more) = fast::biased_mid(&joint_limb::into_root(&limbs.at(i)), &plan);
        mid.put(i, LaneQuat::select(0.0 < plan.says, heard, mid.at(i)));
        special.put(i, f32::select(0.0 < plan.says, special.at(i).max(more), special.at(i)));
    });
}

#[inline(always)]
fn own_sides(plan: &mut Plan<Tile>, limbs: &TwoBone<Tile>) {
    #[inline(always)]
    fn one<const POLE: bool>(plan: &mut Plan<Tile>, limbs: &TwoBone<Tile>, i: usize) {
        put_side(plan, fast::own_side::<f32, POLE>(&limbs.at(i), &plan.at(i)), i);
    }
    let picked = Picked::new(&plan.own);
    if picked.count < MANY {
        picked.each(|i| one::<true>(plan, limbs, i));
    } else if limbs.pole_weight.any() {
        for i in 0..TILE {
            one::<true>(plan, limbs, i);
        }
    } else {
        for i in 0..TILE {
            one::<false>(plan, limbs, i);
        }
    }
}

/// Writes the limb's own side where it is asked for.
#[inline(always)]
fn put_side(plan: &mut Plan<Tile>, (side, special): (LaneVec3<f32>, f32), i: usize) {
    let now = plan.at(i);
    plan.side.put(i, LaneVec3::select(0.0 < now.own, side, now.side));
    plan.special.put(i, f32::select(0.0 < now.own, now.special.max(special), now.special));
}

#[inline(always)]
fn corrections(limbs: &TwoBone<Tile>, plan: &Plan<Tile>, out: &mut TwoBoneSolution<Tile>, special: &mut Tile) {
    for i in 0..TILE {
        let turns = fast::turns(limbs.root_mid.at(i), &plan.at(i));
        out.root.put(i, turns.root);
        out.mid.put(i, LaneQuat::from_parts(turns.new_hinge * turns.sine, turns.cosine));
        out.stretch.put(i, plan.stretch.at(i));
        out.beyond.put(i, plan.beyond.at(i));
        special.put(i, turns.special);
    }
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
            let (limbs_here, rotations_here) = (&limbs[block], &mut rotations[block]);
            joint_limb_tile(stages, limbs_here, rotations_here);
            Picked::new(&stages.special).each(|place| {
                if stages.queue.is_full() {
                    long_rotations(stages, limbs, rotations);
                }
                stages.queue.push(block, place);
            });
        }
        long_rotations(stages, limbs, rotations);
    }
}

#[inline(always)]
fn joint_limb_tile(stages: &mut Stages, limbs: &JointLimb<Tile>, out: &mut JointLimbSolution<Tile>) {
    let Stages { plan, special, root, mid, end, .. } = stages;
    joint_plan(plan, limbs);
    let heard = Picked::new(&plan.says);
    joint_resolve_hinge(plan, limbs, &heard);
    joint_own_sides(plan, limbs);
    square(plan, &limbs.mid_at, &heard);
    joint_turns(limbs, plan, root, mid, special);
    joint_biased_mids(mid, special, plan, limbs, &heard);
    ends(limbs, root, mid, end, out);
    out.stretch = plan.stretch;
    out.beyond = plan.beyond;
}

/// The new rotations, the end's as it is wanted.
#[inline(always)]
fn ends(
    limbs: &JointLimb<Tile>,
    root: &LaneQuat<Tile>,
    mid: &LaneQuat<Tile>,
    end: &mut LaneQuat<Tile>,
    out: &mut JointLimbSolution<Tile>,
) {
    if limbs.end_weight.any() {
        goal_ends(limbs, end);
        onto_joints::<true>(limbs, root, mid, end, out);
    } else {
        onto_joints::<false>(limbs, root, mid, end, out);
    }
}

/// The long form for what is in the queue.
#[inline(always)]
fn long_rotations(stages: &mut Stages, limbs: &[JointLimb<Tile>], rotations: &mut [JointLimbSolution<Tile>]) {
    let (queue, count) = stages.queue.take();
    let queue = &queue[..count];
    if count < FEW {
        for &(block, place) in queue {
            let limb = limbs[block as usize].at(place as usize);
            rotations[block as usize].put(place as usize, joint_limb::solve_exact(&limb));
        }
        return;
    }
    let Stages { root, mid, end, long_joints, long_rotations, .. } = stages;
    for (i, &(block, place)) in queue.iter().enumerate() {
        long_joints.put(i, limbs[block as usize].at(place as usize));
    }
    long_joint_turns(long_joints, root, mid, &mut long_rotations.stretch, &mut long_rotations.beyond, count);
    ends(long_joints, root, mid, end, long_rotations);
    for (i, &(block, place)) in queue.iter().enumerate() {
        rotations[block as usize].put(place as usize, long_rotations.at(i));
    }
}

#[inline(always)]
fn long_joint_turns(
    limbs: &JointLimb<Tile>,
    root: &mut LaneQuat<Tile>,
    mid: &mut LaneQuat<Tile>,
    stretch: &mut Tile,
    beyond: &mut Tile,
    count: usize,
) {
    for start in (0..count.min(TILE)).step_by(STRIDE) {
        for i in start..start + STRIDE {
            let limb = limbs.at(i);
            let (root_turn, mid_turn, factor, left) = joint_limb::long_turns(&limb, &joint_limb::into_root(&limb));
            root.put(i, root_turn);
            mid.put(i, mid_turn);
            stretch.put(i, factor);
            beyond.put(i, left);
        }
    }
}

#[inline(always)]
fn joint_plan(plan: &mut Plan<Tile>, limbs: &JointLimb<Tile>) {
    #[inline(always)]
    fn stage<const PLAIN: bool>(plan: &mut Plan<Tile>, limbs: &JointLimb<Tile>) {
        for i in 0..TILE {
            let limb = joint_limb::into_root(&limbs.at(i));
            fast::plan_in_parts::<f32, PLAIN, true>(&limb, |part| plan.put_part(i, part));
        }
    }
    if any_more(&limbs.stretch, &limbs.weight) { stage::<false>(plan, limbs) } else { stage::<true>(plan, limbs) }
}

#[inline(always)]
fn joint_own_sides(plan: &mut Plan<Tile>, limbs: &JointLimb<Tile>) {
    #[inline(always)]
    fn one<const POLE: bool>(plan: &mut Plan<Tile>, limbs: &JointLimb<Tile>, i: usize) {
        let limb = limbs.at(i);
        let bones = TwoBone { centre: joint_limb::centre_in(&limb), ..joint_limb::into_root(&limb) };
        put_side(plan, fast::own_side::<f32, POLE>(&bones, &plan.at(i)), i);
    }
    let picked = Picked::new(&plan.own);
    if picked.count < MANY {
        picked.each(|i| one::<true>(plan, limbs, i));
    } else if limbs.pole_weight.any() {
        for i in 0..TILE {
            one::<true>(plan, limbs, i);
        }
    } else {
        for i in 0..TILE {
            one::<false>(plan, limbs, i);
        }
    }
}

#[inline(always)]
fn joint_turns(
    limbs: &JointLimb<Tile>,
    plan: &Plan<Tile>,
    root: &mut LaneQuat<Tile>,
    mid: &mut LaneQuat<Tile>,
    special: &mut Tile,
) {
    for i in 0..TILE {
        let plan = plan.at(i);
        let turns = fast::turns(limbs.mid_at.at(i), &plan);
        root.put(i, turns.root);
        mid.put(i, LaneQuat::from_parts(plan.hinge * turns.sine, turns.cosine));
        special.put(i, turns.special);
    }
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
