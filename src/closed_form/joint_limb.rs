//! A two-bone limb from its joints' local transforms to its three new local rotations: the closed
//! form of [`two_bone`](super::two_bone) for rigs without scale, without conversion before or
//! after.
//!
//! The solve space is that of the root joint before the solve: there the upper bone is the rig's
//! constant vector, the root's turn is a factor on the right of its rotation, and the mid joint's
//! turn is about the limb's old hinge, in the space of the mid's parent. The end keeps its
//! orientation, or takes that of a goal:
//!
//! ```text
//! root' = root·Q,   mid' = T·mid,   end' = conj(mid')·conj(Q)·W,   W = mid·end or conj(root)·goal
//! ```

use super::two_bone::drive::{self, LimbSource};
use super::two_bone::exact;
use super::two_bone::{TwoBone, TwoBoneSolution};
use crate::math::dispatch::Task;
use crate::math::{Lane, LaneMask, LaneQuat, LaneVec3, Vec3, lane_slerp_short, tiled};

/// Root, mid and end joint of a limb, each the child of the one before, all of scale 1, and their
/// goals. Lengths in metres (host units). "Parent's space": that of the root joint's parent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
// In the order of the C interface's record, which is read as one of these.
#[repr(C)]
pub struct JointLimb<T> {
    /// Local rotation of the root joint. All three rotations must be unit.
    pub root: LaneQuat<T>,
    /// Local rotation of the mid joint.
    pub mid: LaneQuat<T>,
    /// Local rotation of the end joint.
    pub end: LaneQuat<T>,
    /// Orientation for the end joint, parent's space; must be a rotation where `end_weight` is
    /// above 0.
    pub end_goal: LaneQuat<T>,
    /// Local position of the mid joint.
    pub mid_at: LaneVec3<T>,
    /// Local position of the end joint.
    pub end_at: LaneVec3<T>,
    /// Root joint to target, parent's space.
    pub target: LaneVec3<T>,
    /// Root joint to pole, parent's space. See [`TwoBone::pole`].
    pub pole: LaneVec3<T>,
    /// Bend side of a straight limb, fixed in the root joint's space, any length except zero.
    pub bend_side: LaneVec3<T>,
    /// Direction over which the bend side is carried, parent's space; zero: the limb's present
    /// direction.
    pub centre: LaneVec3<T>,
    /// Weight of the target: the end stays (0), or goes to the target (1).
    pub weight: T,
    /// See [`TwoBone::pole_weight`].
    pub pole_weight: T,
    /// See [`TwoBone::softness`].
    pub softness: T,
    /// See [`TwoBone::stretch`].
    pub stretch: T,
    /// Weight of the end's goal orientation: kept in the parent's space (0), or the goal's (1).
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
    /// See [`TwoBoneSolution::beyond`].
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

impl<L: Lane> LimbSource<L> for JointLimb<L> {
    const MID_AFTER_ROOT: bool = false;
    #[inline(always)]
    fn weights(&self) -> [L; 3] {
        [self.weight, self.pole_weight, self.stretch]
    }
    /// In the root joint's space; hinge and centre are zero.
    #[inline(always)]
    fn bones(&self) -> TwoBone<L> {
        let [target, pole] = self.root.unrotate2([self.target, self.pole]);
        TwoBone {
            root_mid: self.mid_at,
            mid_end: self.mid.rotate(self.end_at),
            hinge: LaneVec3::zero(),
            centre: LaneVec3::zero(),
            target,
            weight: self.weight,
            pole,
            pole_weight: self.pole_weight,
            softness: self.softness,
            stretch: self.stretch,
        }
    }
    /// The bones with the hinge that bends the limb to its bend side, of any length.
    #[inline(always)]
    fn with_hinge(&self, bones: &TwoBone<L>) -> TwoBone<L> {
        let end = bones.root_mid + bones.mid_end;
        let hinge = self.bend_side.cross(end);
        // A side along the limb defines no hinge: then it is arbitrary.
        let least = self.bend_side.dot(self.bend_side) * end.dot(end) * L::splat(1e-8);
        TwoBone { hinge: LaneVec3::select(least.lt(hinge.dot(hinge)), hinge, LaneVec3::zero()), ..*bones }
    }
    #[inline(always)]
    fn with_centre(&self, bones: &TwoBone<L>) -> TwoBone<L> {
        TwoBone { centre: self.root.conjugate().rotate(self.centre), ..*bones }
    }
    #[inline(never)]
    fn solve_exact(&self) -> TwoBoneSolution<L> {
        L::run(ExactTurns(self))
    }
}

/// The hinge that bends the limb to its bend side.
#[inline(always)]
fn hinge<L: Lane>(limb: &JointLimb<L>, bones: &TwoBone<L>) -> LaneVec3<L> {
    let end = bones.root_mid + bones.mid_end;
    // A side along the limb, or a limb folded onto its root: an arbitrary axis perpendicular to the
    // bone.
    let (some, length) = bones.root_mid.normalize_or(LaneVec3::splat(Vec3::X), L::splat(1e-20));
    let (along, _) = end.normalize_or(some, length * L::splat(1e-4));
    let (side, _) = limb.bend_side.normalize_or(some, L::splat(1e-20));
    side.cross(along).normalize_or(along.any_perpendicular(), L::splat(1e-4)).0
}

/// The orientation of an end without a goal, in the root joint's space before its turn.
#[inline(always)]
pub(super) fn wanted_end<L: Lane>(limb: &JointLimb<L>) -> LaneQuat<L> {
    limb.mid * limb.end
}

/// The orientation of an end with a goal of full weight.
#[inline(always)]
pub(super) fn goal_end<L: Lane>(limb: &JointLimb<L>, kept: LaneQuat<L>) -> LaneQuat<L> {
    let goal = limb.root.conjugate() * limb.end_goal;
    LaneQuat::select(L::splat(0.0).lt(limb.end_weight), goal, kept)
}

/// The orientation of an end with a goal of partial weight.
#[inline(always)]
pub(super) fn mixed_end<L: Lane>(limb: &JointLimb<L>, kept: LaneQuat<L>) -> LaneQuat<L> {
    let goal = limb.root.conjugate() * limb.end_goal;
    lane_slerp_short(kept.normalize(), goal.normalize(), limb.end_weight)
}

/// Last stage: applies the turns, given in the root joint's space and in the mid joint's parent, to
/// the joints.
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

/// The turns of [`onto_joints`] by the exact form: the mid's turn is relative to the limb before
/// the root's.
#[inline(always)]
pub(super) fn exact_turns<L: Lane>(limb: &JointLimb<L>) -> TwoBoneSolution<L> {
    let bones = limb.bones();
    let bones = TwoBone { hinge: hinge(limb, &bones), ..limb.with_centre(&bones) };
    let solution = exact::solve_exact(&bones);
    let mid = (solution.root.conjugate() * solution.mid * solution.root).normalize();
    TwoBoneSolution { mid, ..solution }
}

/// [`solve`] by the exact form.
#[inline(never)]
pub(super) fn solve_exact(limb: &JointLimb<f32>) -> JointLimbSolution<f32> {
    apply(limb, &exact_turns(limb))
}

/// The orientation of the end for any weight, in the root joint's space before its turn.
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

/// The turns of root and mid joint for [`onto_joints`].
#[inline(always)]
pub(super) fn turns<L: Lane>(limb: &JointLimb<L>) -> TwoBoneSolution<L> {
    match drive::solve_fast(limb) {
        Some(turns) => turns,
        None => full_turns(limb),
    }
}

/// [`turns`] without the fast path, out of line.
#[inline(never)]
fn full_turns<L: Lane>(limb: &JointLimb<L>) -> TwoBoneSolution<L> {
    L::run(FullTurns(limb))
}

struct FullTurns<'a, L>(&'a JointLimb<L>);

impl<L: Lane> Task for FullTurns<'_, L> {
    type Output = TwoBoneSolution<L>;
    #[inline(always)]
    fn run(self) -> TwoBoneSolution<L> {
        drive::solve_full(self.0)
    }
}

struct ExactTurns<'a, L>(&'a JointLimb<L>);

impl<L: Lane> Task for ExactTurns<'_, L> {
    type Output = TwoBoneSolution<L>;
    #[inline(always)]
    fn run(self) -> TwoBoneSolution<L> {
        exact_turns(self.0)
    }
}

/// The joints' rotations after these turns.
#[inline(always)]
fn apply<L: Lane>(limb: &JointLimb<L>, turns: &TwoBoneSolution<L>) -> JointLimbSolution<L> {
    let [root, mid, end] = onto_joints(limb, turns.root, turns.mid, end_of(limb));
    JointLimbSolution { root, mid, end, stretch: turns.stretch, beyond: turns.beyond }
}

/// Solves one limb, or several side by side. Total: any finite input with unit rotations gives unit
/// rotations.
#[inline(always)]
pub fn solve<L: Lane>(limb: &JointLimb<L>) -> JointLimbSolution<L> {
    apply(limb, &turns(limb))
}
