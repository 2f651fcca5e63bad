//! A two-bone limb as its joints' local transforms tell it, and its three new local rotations: the closed form of
//! [`two_bone`] for rigs without scale, with nothing to do before or after.
//!
//! The solve space is the root joint's own, as it is before the solve: the upper bone is there what the rig says, the root's turn is
//! a factor on the right of its rotation, and the mid joint's turn is about the limb's old hinge, in the mid's own parent. The
//! end keeps its orientation, or takes on a goal's:
//!
//! ```text
//! root' = root·Q,   mid' = T·mid,   end' = conj(mid')·conj(Q)·W,   W = mid·end or conj(root)·goal
//! ```

use super::two_bone::fast::{self, Plan};
use super::two_bone::{self, TwoBone};
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, Vec3, lane_slerp_short, tiled};

/// Root, mid and end joint of a limb, each the child of the one before, all of scale 1, and what they shall do. Lengths in metres (host
/// units). "Parent's space": that of the root joint's parent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
// In the order of the C interface's record, which is read as one of these.
#[repr(C)]
pub struct JointLimb<T> {
    /// Local rotation of the root joint; this and the other two must be unit.
    pub root: LaneQuat<T>,
    /// Local rotation of the mid joint.
    pub mid: LaneQuat<T>,
    /// Local rotation of the end joint.
    pub end: LaneQuat<T>,
    /// Orientation for the end joint, parent's space; must be a rotation where `end_weight` is above 0.
    pub end_goal: LaneQuat<T>,
    /// Local position of the mid joint.
    pub mid_at: LaneVec3<T>,
    /// Local position of the end joint.
    pub end_at: LaneVec3<T>,
    /// Root joint to target, parent's space.
    pub target: LaneVec3<T>,
    /// Root joint to pole, parent's space. See [`TwoBone::pole`].
    pub pole: LaneVec3<T>,
    /// Side to which a straight limb bends, fixed in the root joint's own space, any length but zero.
    pub bend_side: LaneVec3<T>,
    /// Direction over which the bend side is carried, parent's space; zero: the limb's present direction.
    pub centre: LaneVec3<T>,
    /// How far the end goes from where it is (0) to the target (1).
    pub weight: T,
    /// See [`TwoBone::pole_weight`].
    pub pole_weight: T,
    /// See [`TwoBone::softness`].
    pub softness: T,
    /// See [`TwoBone::stretch`].
    pub stretch: T,
    /// How far the end's orientation goes from what it was in the parent's space (0) to the goal's (1).
    pub end_weight: T,
}

/// The new local rotations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointLimbSolution<T> {
    /// Of the root joint.
    pub root: LaneQuat<T>,
    /// Of the mid joint.
    pub mid: LaneQuat<T>,
    /// Of the end joint.
    pub end: LaneQuat<T>,
    /// Factor on the local positions of mid and end.
    pub stretch: T,
    /// See [`two_bone::TwoBoneSolution::beyond`].
    pub beyond: T,
}

tiled!(JointLimb {
    root,
    mid,
    end,
    mid_at,
    end_at,
    target,
    weight,
    pole,
    pole_weight,
    bend_side,
    centre,
    softness,
    stretch,
    end_goal,
    end_weight
});
tiled!(JointLimbSolution { root, mid, end, stretch, beyond });

/// First stage: bones, target and pole in the root joint's space. Hinge and centre are left for later.
#[inline(always)]
pub(super) fn into_root<L: Lane>(limb: &JointLimb<L>) -> TwoBone<L> {
    let [target, pole] = limb.root.unrotate2([limb.target, limb.pole]);
    TwoBone {
        root_mid: limb.mid_at,
        mid_end: limb.mid.rotate(limb.end_at),
        hinge: LaneVec3::zero(),
        centre: LaneVec3::zero(),
        target,
        weight: limb.weight,
        pole,
        pole_weight: limb.pole_weight,
        softness: limb.softness,
        stretch: limb.stretch,
    }
}

/// The centre in the root joint's space.
#[inline(always)]
pub(super) fn centre_in<L: Lane>(limb: &JointLimb<L>) -> LaneVec3<L> {
    limb.root.conjugate().rotate(limb.centre)
}

/// The bones with the hinge that bends them to the bend side, of whatever length: for limbs that are not folded.
#[inline(always)]
pub(super) fn with_hinge<L: Lane>(limb: &JointLimb<L>, bones: &TwoBone<L>) -> TwoBone<L> {
    let end = bones.root_mid + bones.mid_end;
    let hinge = limb.bend_side.cross(end);
    // A side along the limb says nothing: any hinge will do then.
    let least = limb.bend_side.dot(limb.bend_side) * end.dot(end) * L::splat(1e-8);
    TwoBone { hinge: LaneVec3::select(least.lt(hinge.dot(hinge)), hinge, LaneVec3::zero()), ..*bones }
}

/// The hinge that bends the limb to its bend side.
#[inline(always)]
fn hinge<L: Lane>(limb: &JointLimb<L>, bones: &TwoBone<L>) -> LaneVec3<L> {
    let end = bones.root_mid + bones.mid_end;
    // A side along the limb, or a limb folded onto its root: any axis at right angles to the bone will do.
    let (some, length) = bones.root_mid.normalize_or(LaneVec3::splat(Vec3::X), L::splat(1e-20));
    let (along, _) = end.normalize_or(some, length * L::splat(1e-4));
    let (side, _) = limb.bend_side.normalize_or(some, L::splat(1e-20));
    side.cross(along).normalize_or(along.any_perpendicular(), L::splat(1e-4)).0
}

/// What the end's orientation shall be, in the root joint's space before it turns.
#[inline(always)]
pub(super) fn wanted_end<L: Lane>(limb: &JointLimb<L>) -> LaneQuat<L> {
    limb.mid * limb.end
}

/// The same where the goal's orientation has its full say.
#[inline(always)]
pub(super) fn goal_end<L: Lane>(limb: &JointLimb<L>, kept: LaneQuat<L>) -> LaneQuat<L> {
    let goal = limb.root.conjugate() * limb.end_goal;
    LaneQuat::select(L::splat(0.0).lt(limb.end_weight), goal, kept)
}

/// The same where the goal has a part of the say.
#[inline]
pub(super) fn mixed_end<L: Lane>(limb: &JointLimb<L>, kept: LaneQuat<L>) -> LaneQuat<L> {
    let goal = limb.root.conjugate() * limb.end_goal;
    lane_slerp_short(kept.normalize(), goal.normalize(), limb.end_weight)
}

/// Last stage: the turns, given in the root joint's space and in the mid joint's parent, onto the joints.
#[inline(always)]
pub(super) fn onto_joints<L: Lane>(
    limb: &JointLimb<L>,
    root: LaneQuat<L>,
    mid: LaneQuat<L>,
    end: LaneQuat<L>,
) -> [LaneQuat<L>; 3] {
    let new_mid = (mid * limb.mid).normalize();
    [(limb.root * root).normalize(), new_mid, (new_mid.conjugate() * (root.conjugate() * end)).normalize()]
}

/// The turns of [`onto_joints`] by the long form, with stretch and how far the target lies beyond.
#[inline(always)]
pub(super) fn long_turns<L: Lane>(limb: &JointLimb<L>, bones: &TwoBone<L>) -> (LaneQuat<L>, LaneQuat<L>, L, L) {
    let bones = TwoBone { hinge: hinge(limb, bones), centre: centre_in(limb), ..*bones };
    let long = two_bone::solve_exact(&bones);
    (long.root, (long.root.conjugate() * long.mid * long.root).normalize(), long.stretch, long.beyond)
}

/// [`solve`] by the long form.
#[inline(never)]
pub(super) fn solve_exact(limb: &JointLimb<f32>) -> JointLimbSolution<f32> {
    let (root, mid, stretch, beyond) = long_turns(limb, &into_root(limb));
    let [root, mid, end] = onto_joints(limb, root, mid, end_of(limb));
    JointLimbSolution { root, mid, end, stretch, beyond }
}

/// What the end's orientation shall be in the root joint's space before it turns, whatever its weight.
#[inline(always)]
pub(super) fn end_of<L: Lane>(limb: &JointLimb<L>) -> LaneQuat<L> {
    let kept = wanted_end(limb);
    let begun = L::splat(0.0).lt(limb.end_weight);
    if !begun.any() {
        return kept;
    }
    let whole = goal_end(limb, kept);
    let part = begun.and(limb.end_weight.lt(L::splat(1.0)));
    if part.any() { LaneQuat::select(part, mixed_end(limb, kept), whole) } else { whole }
}

/// The turns of root and mid joint for [`onto_joints`], the stretch, and how far the target lies beyond.
#[inline(always)]
pub(super) fn turns<L: Lane>(limb: &JointLimb<L>) -> (LaneQuat<L>, LaneQuat<L>, L, L) {
    match turns_plain(limb) {
        Some(turns) => turns,
        None => turns_any(limb),
    }
}

/// Of limbs with nothing but a pole that has its full say, and when nothing else turns up. See [`two_bone::solve`].
#[inline(always)]
fn turns_plain<L: Lane>(limb: &JointLimb<L>) -> Option<(LaneQuat<L>, LaneQuat<L>, L, L)> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    if limb.pole_weight.lt(one).or(limb.weight.lt(one)).or(zero.lt(limb.stretch)).any() {
        return None;
    }
    let plan: Plan<L> = fast::plan::<L, true, false>(&into_root(limb));
    if zero.lt(plan.own).any() || zero.lt(plan.says).any() || zero.lt(plan.special).any() {
        return None;
    }
    let turns = fast::turns(limb.mid_at, &plan);
    if zero.lt(turns.special).any() {
        return None;
    }
    let mid = LaneQuat::from_parts(plan.hinge * turns.sine, turns.cosine);
    Some((turns.root, mid, plan.stretch, plan.beyond))
}

/// Of any limbs.
#[inline(never)]
fn turns_any<L: Lane>(limb: &JointLimb<L>) -> (LaneQuat<L>, LaneQuat<L>, L, L) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let bones = into_root(limb);
    let more = zero.lt(limb.stretch).or(limb.weight.lt(one)).any();
    let mut plan: Plan<L> =
        if more { fast::plan::<L, false, true>(&bones) } else { fast::plan::<L, true, true>(&bones) };
    let says = zero.lt(plan.says);
    let is_heard = says.any();
    if is_heard {
        let hinge = fast::resolve_straight_hinge(&with_hinge(limb, &bones), &plan);
        plan.hinge = LaneVec3::select(says, hinge, plan.hinge);
    }
    let own = zero.lt(plan.own);
    if own.any() {
        let bones = TwoBone { centre: centre_in(limb), ..bones };
        let (side, special) = if zero.lt(limb.pole_weight).any() {
            fast::own_side::<L, true>(&bones, &plan)
        } else {
            fast::own_side::<L, false>(&bones, &plan)
        };
        plan.side = LaneVec3::select(own, side, plan.side);
        plan.special = L::select(own, plan.special.max(special), plan.special);
    }
    if is_heard {
        plan.hinge = LaneVec3::select(says, fast::beside_bone(bones.root_mid, &plan), plan.hinge);
    }
    let turns = fast::turns(bones.root_mid, &plan);
    let (mut mid, mut special) = (LaneQuat::from_parts(plan.hinge * turns.sine, turns.cosine), turns.special);
    if is_heard {
        let (heard, more) = fast::biased_mid(&bones, &plan);
        mid = LaneQuat::select(says, heard, mid);
        special = L::select(says, special.max(more), special);
    }
    let special = zero.lt(special);
    if !special.any() {
        return (turns.root, mid, plan.stretch, plan.beyond);
    }
    let (root, long_mid, stretch, beyond) = long_turns_apart(limb);
    (
        LaneQuat::select(special, root, turns.root),
        LaneQuat::select(special, long_mid, mid),
        L::select(special, stretch, plan.stretch),
        L::select(special, beyond, plan.beyond),
    )
}

/// [`long_turns`] out of line.
#[inline(never)]
fn long_turns_apart<L: Lane>(limb: &JointLimb<L>) -> (LaneQuat<L>, LaneQuat<L>, L, L) {
    long_turns(limb, &into_root(limb))
}

/// Solves one limb, or several in step. Total: any finite input with unit rotations gives unit rotations.
#[inline]
pub fn solve<L: Lane>(limb: &JointLimb<L>) -> JointLimbSolution<L> {
    let (root, mid, stretch, beyond) = turns(limb);
    let [root, mid, end] = onto_joints(limb, root, mid, end_of(limb));
    JointLimbSolution { root, mid, end, stretch, beyond }
}
