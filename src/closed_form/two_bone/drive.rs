//! Control flow of the two-bone solve, written once for every source of a limb's numbers: vectors
//! ([`TwoBone`]) or the rotations of joints (`joint_limb`). The batch runs the same steps as
//! stages.
//!
//! ```text
//! plan → hinge of nearly straight limbs → carried bend side → turns → exact form where needed
//! ```

use super::exact;
use super::fast::{self, Plan, Turns};
use super::types::{TwoBone, TwoBoneSolution};
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3};

/// A source of a limb's numbers.
pub(in crate::closed_form) trait LimbSource<L: Lane> {
    /// Whether the mid's turn in a solution applies after the root's turn; else it is relative to
    /// the limb before the root's.
    const MID_AFTER_ROOT: bool;
    /// Weight, pole weight and stretch.
    fn weights(&self) -> [L; 3];
    /// Bones, target, pole and weights in the solve space. Hinge and centre may be zero: see
    /// [`Self::with_hinge`] and [`Self::with_centre`].
    fn bones(&self) -> TwoBone<L>;
    /// These bones with the hinge; for limbs that are not folded.
    fn with_hinge(&self, bones: &TwoBone<L>) -> TwoBone<L>;
    /// These bones with the centre.
    fn with_centre(&self, bones: &TwoBone<L>) -> TwoBone<L>;
    /// The solution by the exact form, out of line.
    fn solve_exact(&self) -> TwoBoneSolution<L>;

    /// The mid's turn of a limb that bends about the plan's hinge.
    #[inline(always)]
    fn mid_turn(hinge: LaneVec3<L>, turns: &Turns<L>) -> LaneQuat<L> {
        let axis = if Self::MID_AFTER_ROOT { turns.new_hinge } else { hinge };
        LaneQuat::from_parts(axis * turns.sine, turns.cosine)
    }
    /// The mid's turn of [`fast::biased_mid`], which is relative to the limb before the root's
    /// turn.
    #[inline(always)]
    fn biased_turn(root: LaneQuat<L>, mid: LaneQuat<L>) -> LaneQuat<L> {
        if Self::MID_AFTER_ROOT { LaneQuat::from_parts(root.rotate(mid.vector()), mid.w) } else { mid }
    }
    /// The turns of root and mid after further turns of both bones in the solve space.
    #[inline(always)]
    fn nudged(root: LaneQuat<L>, mid: LaneQuat<L>, [upper, lower]: [LaneQuat<L>; 2]) -> [LaneQuat<L>; 2] {
        let new_root = (upper * root).normalize();
        let new_mid = if Self::MID_AFTER_ROOT {
            lower * mid * upper.conjugate()
        } else {
            new_root.conjugate() * (lower * root * mid)
        };
        [new_root, new_mid.normalize()]
    }
}

impl<L: Lane> LimbSource<L> for TwoBone<L> {
    const MID_AFTER_ROOT: bool = true;
    #[inline(always)]
    fn weights(&self) -> [L; 3] {
        [self.weight, self.pole_weight, self.stretch]
    }
    #[inline(always)]
    fn bones(&self) -> TwoBone<L> {
        *self
    }
    #[inline(always)]
    fn with_hinge(&self, bones: &TwoBone<L>) -> TwoBone<L> {
        *bones
    }
    #[inline(always)]
    fn with_centre(&self, bones: &TwoBone<L>) -> TwoBone<L> {
        *bones
    }
    #[inline(always)]
    fn solve_exact(&self) -> TwoBoneSolution<L> {
        exact::solve_exact_cold(*self)
    }
}

/// The fast path: solves limbs with a pole of full weight that need only the first stage; `None`
/// for others. Separate from [`solve_full`], to need fewer registers. A weight above 1 counts as 1,
/// a stretch below 0 as 0.
#[inline(always)]
pub(in crate::closed_form) fn solve_fast<L: Lane, S: LimbSource<L>>(source: &S) -> Option<TwoBoneSolution<L>> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let [weight, pole_weight, stretch] = source.weights();
    if pole_weight.lt(one).or(weight.lt(one)).or(zero.lt(stretch)).any() {
        return None;
    }
    let bones = source.bones();
    let plan: Plan<L> = fast::plan::<L, true, false>(&bones);
    if zero.lt(plan.needs_carried_side).any() || zero.lt(plan.needs_hinge_bias).any() || zero.lt(plan.needs_exact).any()
    {
        return None;
    }
    let turns = fast::turns(bones.root_mid, &plan);
    if zero.lt(turns.needs_exact).any() {
        return None;
    }
    let mid = S::mid_turn(plan.hinge, &turns);
    Some(TwoBoneSolution { root: turns.root, mid, stretch: plan.stretch, beyond: plan.beyond })
}

/// A limb's plan with its side.
struct Planned<L: Lane> {
    bones: TwoBone<L>,
    plan: Plan<L>,
    /// Where the hinge of a nearly straight limb biases its side.
    biased: L::Mask,
}

/// The first steps of the solve, up to the bend side.
#[inline(always)]
fn plan_side<L: Lane, S: LimbSource<L>>(source: &S) -> Planned<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let bones = source.bones();
    let more = zero.lt(bones.stretch).or(bones.weight.lt(one)).any();
    let mut plan: Plan<L> =
        if more { fast::plan::<L, false, true>(&bones) } else { fast::plan::<L, true, true>(&bones) };
    let biased = zero.lt(plan.needs_hinge_bias);
    if biased.any() {
        let hinge = fast::resolve_straight_hinge(&source.with_hinge(&bones), &plan);
        plan.hinge = LaneVec3::select(biased, hinge, plan.hinge);
    }
    let carried = zero.lt(plan.needs_carried_side);
    if carried.any() {
        let bones = source.with_centre(&bones);
        let has_poles = zero.lt(bones.pole_weight).any();
        let own = if has_poles {
            fast::own_side::<L, true>(&bones, &plan)
        } else {
            fast::own_side::<L, false>(&bones, &plan)
        };
        plan.side = LaneVec3::select(carried, own.side, plan.side);
        plan.needs_exact = L::select(carried, plan.needs_exact.max(own.needs_exact), plan.needs_exact);
        let nudged = carried.and(own.roll.lt(one));
        if nudged.any() {
            let (rolled, more) = fast::rolled_side(&own, plan.aim);
            plan.bent_side = plan.side;
            plan.needs_nudge = L::select(nudged, one, zero);
            plan.side = LaneVec3::select(nudged, rolled, plan.side);
            plan.needs_exact = L::select(nudged, plan.needs_exact.max(more), plan.needs_exact);
        }
    }
    Planned { bones, plan, biased }
}

/// Places of the mid joint, relative to the root joint, of limbs without a pole and stretch.
#[inline(always)]
pub(in crate::closed_form) fn mid_place<L: Lane>(limb: &TwoBone<L>) -> LaneVec3<L> {
    let Planned { plan, .. } = plan_side(limb);
    let place = plan.aim * plan.along + plan.side * plan.across;
    let needs_exact = L::splat(0.0).lt(plan.needs_exact);
    if needs_exact.any() {
        LaneVec3::select(needs_exact, limb.solve_exact().root.rotate(limb.root_mid), place)
    } else {
        place
    }
}

/// Solves any limbs.
#[inline(always)]
pub(in crate::closed_form) fn solve_full<L: Lane, S: LimbSource<L>>(source: &S) -> TwoBoneSolution<L> {
    let zero = L::splat(0.0);
    let Planned { bones, mut plan, biased } = plan_side(source);
    let any_biased = biased.any();
    if any_biased {
        plan.hinge = LaneVec3::select(biased, fast::beside_bone(bones.root_mid, &plan), plan.hinge);
    }
    let turns = fast::turns(bones.root_mid, &plan);
    let (mut mid, mut needs_exact) = (S::mid_turn(plan.hinge, &turns), turns.needs_exact);
    if any_biased {
        let (turn, more) = fast::biased_mid(&bones, &plan);
        mid = LaneQuat::select(biased, S::biased_turn(turns.root, turn), mid);
        needs_exact = L::select(biased, needs_exact.max(more), needs_exact);
    }
    let mut root = turns.root;
    let nudged = zero.lt(plan.needs_nudge);
    if nudged.any() {
        let turned = S::nudged(root, mid, fast::nudge(&plan));
        root = LaneQuat::select(nudged, turned[0], root);
        mid = LaneQuat::select(nudged, turned[1], mid);
    }
    let solution = TwoBoneSolution { root, mid, stretch: plan.stretch, beyond: plan.beyond };
    let needs_exact = zero.lt(needs_exact);
    if needs_exact.any() { TwoBoneSolution::select(needs_exact, source.solve_exact(), solution) } else { solution }
}
