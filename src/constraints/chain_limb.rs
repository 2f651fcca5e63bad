//! A free chain of two bones that has nothing but a position to reach, as the limb it is: in closed
//! form on the pose's own rotations.
//!
//! The result is the triangle that the chain solver finds ([`crate::chains`]): on the side the
//! chain bends to, carried along by the shortest turn. Cases in which the solver has more to decide
//! (the bend side of a nearly straight chain, the direction of a folded one) are left to it.

use crate::closed_form::limb::LimbJoints;
use crate::closed_form::limb_kernel::{self, RigidGoal};
use crate::closed_form::two_bone::CLEARLY_BENT;
use crate::closed_form::two_bone_chain::{self, ChainReach, ChainSource};
use crate::math::{Frame, LaneQuat, LaneVec3, Quat, Rigid, Vec3, length};
use crate::outcome::Outcome;
use crate::skeleton::joint_view::ScaledPoseView;
use crate::skeleton::{Pose, Skeleton};

/// Least length of a bone, of the chain's extent and of the target's distance, as parts of the
/// chain's length.
const LEAST: f32 = 1e-3;
/// Farthest target, in the chain's lengths.
const FARTHEST: f32 = 1e3;

/// The chain on its pose.
struct PoseLimb<'a> {
    skeleton: &'a Skeleton,
    pose: &'a mut Pose,
    chain: &'a LimbJoints,
    target_ms: Vec3,
    reach: ChainReach,
    /// Distance left, model space.
    left_ms: Vec3,
}

impl ChainSource for PoseLimb<'_> {
    /// The rotations before.
    type Turned = [Quat; 2];
    #[inline(always)]
    fn reach(&self) -> &ChainReach {
        &self.reach
    }
    #[inline(always)]
    fn is_final(&self) -> bool {
        true
    }
    #[inline(always)]
    fn turn(&mut self) -> ([Quat; 2], f32) {
        let goal = RigidGoal {
            target_ms: LaneVec3::from_vec3(self.target_ms),
            weight: 1.0,
            pole_ms: LaneVec3::zero(),
            pole_weight: 0.0,
            // The present bend side is kept.
            bend_side_js: Vec3::X,
            centre_ps: Vec3::ZERO,
            softness: 0.0,
            stretch: 0.0,
            end_ms: LaneQuat::identity(),
            end_weight: 0.0,
        };
        let before = [self.chain.root(), self.chain.mid()].map(|joint| self.pose.local()[joint].rotation);
        let view = &mut ScaledPoseView { skeleton: self.skeleton, pose: self.pose };
        self.left_ms = limb_kernel::solve_rigid(view, self.chain, &goal).left_ms.to_vec3();
        (before, length(self.left_ms))
    }
    #[inline(always)]
    fn accept(&mut self, _before: [Quat; 2]) {}
    #[inline(always)]
    fn reject(&mut self, [root, mid]: [Quat; 2]) {
        self.pose.local_mut()[self.chain.root()].rotation = root;
        self.pose.local_mut()[self.chain.mid()].rotation = mid;
    }
}

/// Brings the chain's end to the target, model space; returns `None` with the pose unchanged where
/// the closed form does not apply. `tolerance`: a share of the chain's length. The frames of the
/// joints above must be up to date; those of the chain's own are stale when it returns.
pub(super) fn solve(
    skeleton: &Skeleton,
    pose: &mut Pose,
    world: &Frame,
    chain: &LimbJoints,
    target_ms: Vec3,
    tolerance: f32,
) -> Option<Outcome> {
    if !limb_kernel::is_rigid(skeleton, pose, chain) {
        return None;
    }
    let [root, mid, end] = [chain.root(), chain.mid(), chain.end()].map(|joint| pose.local()[joint]);
    let mid_turn = Rigid::from_transform(&mid).rotation;
    let (upper, lower) = (mid.position, mid_turn.rotate(LaneVec3::from_vec3(end.position)).to_vec3());
    let target = pose.parent_frame(skeleton, chain.root()).point_in(target_ms)? - root.position;
    let (a, b) = (upper.length(), lower.length());
    let reach = ChainReach::new(upper, lower, [a, b], target);
    let ChainReach { size, hole, extent, distance } = reach;
    // Written so that NaN and values out of range are left to the chain solver.
    let is_bent = upper.cross(lower).length() > CLEARLY_BENT * size * extent;
    let is_near = distance < FARTHEST * size && distance > hole + 1e-6 * size;
    if !(is_bent && is_near && a.min(b).min(extent).min(distance) > LEAST * size) {
        return None;
    }
    let mut limb = PoseLimb { skeleton, pose, chain, target_ms, reach, left_ms: Vec3::ZERO };
    let outcome = two_bone_chain::solve(&mut limb, tolerance.max(0.0) * size)?;
    let residual_m = if world.is_rigid() { outcome.residual_m } else { length(world.vector_out(limb.left_ms)) };
    Some(Outcome { residual_m, ..outcome })
}
