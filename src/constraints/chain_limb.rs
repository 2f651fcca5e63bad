//! A free chain of two bones that has nothing but a position to reach, as the limb it is: in closed
//! form on the pose's own rotations.
//!
//! The result is the triangle that the chain solver finds ([`crate::chains`]): on the side the
//! chain bends to, carried along by the shortest turn. Cases in which the solver has more to decide
//! (the bend side of a nearly straight chain, the direction of a folded one) are left to it.

use crate::closed_form::limb::{self, LimbJoints, RigidGoal};
use crate::closed_form::two_bone::CLEARLY_BENT;
use crate::math::{Frame, LaneQuat, LaneVec3, Rigid, Vec3, length};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::ScaledPoseView;
use crate::skeleton::{Pose, Skeleton};

/// Least length of a bone, of the chain's extent and of the target's distance, as parts of the
/// chain's length.
const LEAST: f32 = 1e-3;
/// Farthest target, in the chain's lengths.
const FARTHEST: f32 = 1e3;

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
    if !limb::is_rigid(skeleton, pose, chain) {
        return None;
    }
    let [root, mid, end] = [chain.root(), chain.mid(), chain.end()].map(|joint| pose.local()[joint]);
    let mid_turn = Rigid::from_transform(&mid).rotation;
    let (upper, lower) = (mid.position, mid_turn.rotate(LaneVec3::from_vec3(end.position)).to_vec3());
    let target = pose.parent_frame(skeleton, chain.root()).point_in(target_ms)? - root.position;
    let (a, b, line, distance) = (upper.length(), lower.length(), (upper + lower).length(), target.length());
    let size = a + b;
    // Written so that NaN and values out of range are left to the chain solver.
    let is_bent = upper.cross(lower).length() > CLEARLY_BENT * size * line;
    let is_near = distance < FARTHEST * size && distance > (a - b).abs() + 1e-6 * size;
    if !(is_bent && is_near && a.min(b).min(line).min(distance) > LEAST * size) {
        return None;
    }
    let goal = RigidGoal {
        target_ms: LaneVec3::from_vec3(target_ms),
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
    let left = limb::solve_rigid(&mut ScaledPoseView { skeleton, pose }, chain, &goal);
    let left_ms = left.left_ms.to_vec3();
    let residual = length(left_ms);
    let status = match residual <= tolerance.max(0.0) * size {
        true => Status::Reached,
        false if distance >= size * (1.0 - 1e-7) && residual.is_finite() => Status::Unreachable,
        false => {
            for (joint, before) in [(chain.root(), root), (chain.mid(), mid)] {
                pose.local_mut()[joint].rotation = before.rotation;
            }
            return None;
        }
    };
    let residual_m = if world.is_rigid() { residual } else { length(world.vector_out(left_ms)) };
    Some(Outcome { status, iterations: 0, residual_m, residual_rad: 0.0 })
}
