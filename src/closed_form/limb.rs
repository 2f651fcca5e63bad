//! A two-bone limb on a pose: gathers the joints' numbers for the closed form of [`two_bone`] and
//! writes the result back.
//!
//! The solve space is that of the root joint's parent. There a limb depends only on the local
//! transforms of its joints, so a moved, turned, scaled, unevenly scaled or mirrored parent changes
//! only the positions of the target and the pole: points, straight lines and planes are mapped
//! exactly.
//!
//! Joints between root and mid or mid and end (twist bones) move rigidly with them. An end that is
//! not a descendant of the mid joint (rigs with feet under the root) is carried as if it were: its
//! position moves with the mid joint.

pub use super::limb_joints::LimbJoints;
use super::limb_kernel::{RigidGoal, is_rigid, limb_outcome, solve_rigid};
use super::two_bone::{self, TwoBone};
use crate::math::{
    Frame, LaneQuat, LaneVec3, Quat, Vec3, axis_angle, conjugate_by_signs, length, normalize_or, scaled_or_same,
};
use crate::outcome::{Outcome, Status};
use crate::skeleton::joint_view::ScaledPoseView;
use crate::skeleton::{Pose, Skeleton};

/// Goal of a limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// Goal position of the end joint, model space, metres.
    pub target_ms: Vec3,
    /// Weight of the target, 0 … 1.
    pub weight: f32,
    /// Pole: the point the mid joint bends towards, model space, metres.
    pub pole_ms: Vec3,
    /// Weight of the pole, 0 … 1.
    pub pole_weight: f32,
    /// Bend side of a straight limb: a vector fixed in the root joint's space, any length.
    pub bend_side_js: Vec3,
    /// Direction over which the bend side is carried, in the space of the root joint's parent;
    /// zero: the limb's present direction. See [`TwoBone::centre`].
    pub centre_ps: Vec3,
    /// See [`TwoBone::softness`]; 0 … 1.
    pub softness: f32,
    /// See [`TwoBone::stretch`]; 0 … 1.
    pub stretch: f32,
}

impl LimbGoal {
    /// Full weight, no pole, hard limb, constant bone lengths; a straight limb bends to
    /// `bend_side_js`.
    pub fn at(target_ms: Vec3, bend_side_js: Vec3) -> Self {
        Self {
            target_ms,
            weight: 1.0,
            pole_ms: Vec3::ZERO,
            pole_weight: 0.0,
            bend_side_js,
            centre_ps: Vec3::ZERO,
            softness: 0.0,
            stretch: 0.0,
        }
    }
}

/// Rounds for a limb whose joints have uneven scale, where the bone lengths depend on the bend.
const UNEVEN_ROUNDS: u32 = 8;
/// Steps per round of the root finding for the bend of such a limb.
const BEND_STEPS: u32 = 12;

/// The limb's vectors in the space of the root joint's parent, relative to the root joint.
struct Measured {
    root_mid: Vec3,
    root_end: Vec3,
    /// Space of the root joint.
    root: Frame,
    /// Space of the mid joint's parent.
    mid_parent: Frame,
    /// Space of the mid joint.
    mid: Frame,
    /// Whether a scale between root and mid is uneven.
    uneven: bool,
}

/// `detached_end` is the end relative to the root joint when it is not attached to the limb.
fn measure(pose: &Pose, limb: &LimbJoints, detached_end: Option<Vec3>) -> Measured {
    let mut frame = Frame::IDENTITY;
    let mut measured = Measured {
        root_mid: Vec3::ZERO,
        root_end: Vec3::ZERO,
        root: frame,
        mid_parent: frame,
        mid: frame,
        uneven: false,
    };
    for (place, &joint) in limb.path().iter().enumerate() {
        let mut local = pose.local()[joint];
        local.rotation = local.rotation.normalize();
        if place == 0 {
            local.position = Vec3::ZERO;
        }
        if place == limb.mid_place() {
            measured.mid_parent = frame;
        }
        frame = frame.then(&local);
        if place == 0 {
            measured.root = frame;
        }
        if place < limb.mid_place() {
            let s = local.scale.abs();
            let largest = s.max_element();
            measured.uneven |= largest - s.min_element() > 1e-6 * largest;
        }
        if place == limb.mid_place() {
            measured.root_mid = frame.position;
            measured.mid = frame;
        }
    }
    measured.root_end = detached_end.unwrap_or(frame.position);
    measured
}

/// Solves the limb on the pose. The model frames of the root joint's ancestors must be up to date;
/// those of the limb's joints are when it returns, those below are stale. Changes nothing when both
/// weights are 0 or when a zero scale above the limb makes its space singular.
pub fn solve(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints, goal: &LimbGoal) -> Outcome {
    let outcome = solve_stale(skeleton, pose, limb, goal);
    if outcome.status != Status::Inactive {
        update_frames(skeleton, pose, limb);
    }
    outcome
}

/// Updates the frames of the limb's joints.
pub(crate) fn update_frames(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints) {
    pose.update_joints(skeleton, limb.path());
    if !limb.is_attached() {
        pose.update_joints(skeleton, &[limb.end()]);
    }
}

/// [`solve`] without the final update: the frames of the limb's joints are stale when it returns.
pub(crate) fn solve_stale(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints, goal: &LimbGoal) -> Outcome {
    if goal.weight <= 0.0 && goal.pole_weight <= 0.0 {
        return Outcome::INACTIVE;
    }
    if is_rigid(skeleton, pose, limb) {
        return solve_even(skeleton, pose, limb, goal);
    }
    let parent = pose.parent_frame(skeleton, limb.root());
    let Some(to_parent) = parent.inverse_linear() else {
        let residual_m = pose.model(limb.end()).position.distance(goal.target_ms) * goal.weight;
        return Outcome { status: Status::Unreachable, residual_m, ..Outcome::INACTIVE };
    };
    let root_ms = parent.point_out(pose.local()[limb.root()].position);
    let pole_ps = to_parent * (goal.pole_ms - root_ms);
    let lane = LaneVec3::from_vec3;
    let mut detached = (!limb.is_attached()).then(|| to_parent * (pose.model(limb.end()).position - root_ms));
    let mut measured = measure(pose, limb, detached);
    let mut target_ps = to_parent * (goal.target_ms - root_ms);
    if goal.weight < 1.0 {
        target_ps = measured.root_end + (target_ps - measured.root_end) * goal.weight;
    }
    let mut outcome = Outcome::INACTIVE;
    loop {
        let bend_side = measured.root.vector_out(goal.bend_side_js);
        let limb_now = TwoBone {
            root_mid: lane(measured.root_mid),
            mid_end: lane(measured.root_end - measured.root_mid),
            hinge: lane(hinge(bend_side, &measured)),
            centre: lane(goal.centre_ps),
            target: lane(target_ps),
            weight: 1.0,
            pole: lane(pole_ps),
            pole_weight: goal.pole_weight,
            // With the square of the weight, as in the kernel, which gets the weighted target here.
            softness: goal.softness * goal.weight * goal.weight,
            // Stretched once; further rounds only adjust the bend.
            stretch: if outcome.iterations == 0 { goal.stretch } else { 0.0 },
        };
        let solution = two_bone::solve(&limb_now);
        write(pose, limb, &measured.mid_parent, solution.root.to_quat(), solution.mid.to_quat(), solution.stretch);
        let limb_length = measured.root_mid.length() + (measured.root_end - measured.root_mid).length();
        let iterations = outcome.iterations + measured.uneven as u32;
        outcome = Outcome { iterations, ..limb_outcome(true, solution.beyond > 1e-5 * limb_length, 0.0) };
        let uneven = measured.uneven;
        if detached.is_some() {
            // Position of the end as a child of the mid joint.
            let end_js = measured.mid.point_in(measured.root_end).unwrap_or(Vec3::ZERO);
            detached = Some(measure(pose, limb, detached).mid.point_out(end_js * solution.stretch));
        }
        measured = measure(pose, limb, detached);
        // With even scale one round is exact. With uneven scale the bone lengths have changed: find
        // the bend that puts the end at the target's distance from the root, and repeat for the
        // direction.
        if uneven && detached.is_none() {
            measured = bend_to_distance(pose, limb, measured, target_ps.length());
        }
        let error = measured.root_end.distance(target_ps);
        if !uneven || error <= 1e-6 * limb_length || outcome.iterations >= UNEVEN_ROUNDS {
            if uneven && error > 1e-5 * limb_length && outcome.status == Status::Reached {
                outcome.status = Status::OutOfIterations;
            }
            break;
        }
    }
    if let Some(end_ps) = detached {
        pose.set_position_ms(skeleton, limb.end(), root_ms + parent.vector_out(end_ps));
    }
    outcome.residual_m = length(parent.vector_out(measured.root_end - target_ps));
    outcome
}

/// [`solve`] for a limb without scale.
fn solve_even(skeleton: &Skeleton, pose: &mut Pose, limb: &LimbJoints, goal: &LimbGoal) -> Outcome {
    let lane = LaneVec3::from_vec3;
    let goal = RigidGoal {
        target_ms: lane(goal.target_ms),
        weight: goal.weight,
        pole_ms: lane(goal.pole_ms),
        pole_weight: goal.pole_weight,
        bend_side_js: goal.bend_side_js,
        centre_ps: goal.centre_ps,
        softness: goal.softness,
        stretch: goal.stretch,
        end_ms: LaneQuat::identity(),
        end_weight: 0.0,
    };
    let left = solve_rigid(&mut ScaledPoseView { skeleton, pose }, limb, &goal);
    limb_outcome(true, left.is_beyond, length(left.left_ms.to_vec3()))
}

/// Turns the mid joint about its current hinge until the end is `distance` from the root, by a few
/// secant steps.
fn bend_to_distance(pose: &mut Pose, limb: &LimbJoints, from: Measured, distance: f32) -> Measured {
    let lower = from.root_end - from.root_mid;
    let axis = from.root_mid.cross(lower);
    if axis.length_squared() <= 1e-10 * from.root_mid.length_squared() * lower.length_squared() {
        // Straight or folded: the kernel's bend is kept.
        return from;
    }
    let axis = normalize_or(axis, Vec3::X);
    let (outer, signs) = (from.mid_parent.rotation, from.mid_parent.signs());
    let start = pose.local()[limb.mid()].rotation;
    let off = |measured: &Measured| measured.root_end.length() - distance;
    let tolerance = 2e-7 * (from.root_mid.length() + lower.length());
    let mut slope = from.root_end.dot(axis.cross(lower)) / from.root_end.length().max(tolerance);
    let (mut angle, mut error) = (0.0, off(&from));
    let (mut best, mut best_error, mut best_rotation) = (from, error.abs(), start);
    for _ in 0..BEND_STEPS {
        if best_error <= tolerance || slope == 0.0 {
            break;
        }
        let step = (-error / slope).clamp(-0.5, 0.5);
        let turn = outer.conjugate() * axis_angle(axis, angle + step) * outer;
        pose.local_mut()[limb.mid()].rotation = (conjugate_by_signs(turn, signs) * start).normalize();
        let now = measure(pose, limb, None);
        slope = (off(&now) - error) / step;
        (angle, error) = (angle + step, off(&now));
        if error.abs() < best_error {
            (best, best_error, best_rotation) = (now, error.abs(), pose.local()[limb.mid()].rotation);
        }
    }
    pose.local_mut()[limb.mid()].rotation = best_rotation;
    best
}

/// Flexion axis that bends the limb to `bend_side`: `side × direction`, from the limb's direction
/// or, where it is folded, its upper bone.
fn hinge(bend_side: Vec3, measured: &Measured) -> Vec3 {
    let end = measured.root_end;
    let along = if end.length_squared() > 1e-8 * measured.root_mid.length_squared() { end } else { measured.root_mid };
    let axis = bend_side.cross(along);
    if axis.length_squared() > 1e-8 * bend_side.length_squared() * along.length_squared() {
        axis
    } else {
        // The given side is along the bone: an arbitrary perpendicular axis.
        LaneVec3::from_vec3(along).normalize_or(LaneVec3::from_vec3(Vec3::X), 1e-20).0.any_perpendicular().to_vec3()
    }
}

fn write(pose: &mut Pose, limb: &LimbJoints, mid_parent: &Frame, root_turn: Quat, mid_turn: Quat, stretch: f32) {
    let root = &mut pose.local_mut()[limb.root()];
    root.rotation = (root_turn * root.rotation.normalize()).normalize();
    // The mid joint's turn, from the solve space into that of its parent after the root's turn.
    let outer = (root_turn * mid_parent.rotation).normalize();
    let turn = conjugate_by_signs(outer.conjugate() * mid_turn * outer, mid_parent.signs());
    let mid = &mut pose.local_mut()[limb.mid()];
    mid.rotation = (turn * mid.rotation.normalize()).normalize();
    if stretch != 1.0 {
        for &joint in &limb.path()[1..] {
            let local = &mut pose.local_mut()[joint];
            local.position = scaled_or_same(local.position, stretch);
        }
    }
}
