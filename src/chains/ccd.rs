//! Cyclic coordinate descent: one joint after the other turns so that the effector comes as near to the target as it can.
//!
//! # Derivation
//!
//! From the last joint to the first, joint `i` at `p` sees the effector at `e` and the target at `t`; the turn that brings `e` nearest to
//! `t` is the shortest one from `e − p` to `t − p` for a ball joint, and the angle between their parts across the axis for a hinge. Limits cut the
//! turn by projection. A turn of joint `i` moves nothing above it, so a sweep needs only the effector's point: O(n). It is undone where limits turned it into a
//! step away from the target.
//!
//! Source: L. Wang, C. Chen, "A Combined Optimization Method for Solving the Inverse Kinematics Problem of Mechanical Manipulators", IEEE
//! Trans. Robotics and Automation 7 (1991), §III.

use super::chain::{Chain, ChainGoal, ChainPose, ChainSettings};
use super::prepare::{self, angle_about};
use super::workspace::ChainWorkspace;
use crate::goal::Outcome;
use crate::limits::Freedom;
use crate::math::{Quat, Vec3, arc, axis_angle, fraction, normalize_or, rotation_angle};

/// One sweep towards where the carried point has to be. Forward kinematics must be up to date; they are not, afterwards.
pub(super) fn sweep(chain: &Chain, pose: &mut ChainPose, ws: &mut ChainWorkspace, target: Vec3) {
    sweep_within(chain, pose, ws, target, core::f32::consts::PI);
}

/// The same, no joint by more than `most` radians.
fn sweep_within(chain: &Chain, pose: &mut ChainPose, ws: &mut ChainWorkspace, target: Vec3, most: f32) {
    let mut tip = ws.carried(chain, 0);
    let count = chain.joints.len() - usize::from(ws.pinned.is_some());
    for i in (0..count).rev() {
        let (from, to) = (tip - ws.position[i], target - ws.position[i]);
        if from.length() < 1e-7 * chain.length || to.length() < 1e-7 * chain.length {
            continue;
        }
        let inside = turned(chain, pose, ws.frame[i], i, from, to, most);
        let moved = ws.frame[i] * (inside * (pose.rotations[i].conjugate() * (ws.frame[i].conjugate() * from)));
        if (moved - to).length_squared() <= (from - to).length_squared() {
            pose.rotations[i] = inside;
            tip = ws.position[i] + moved;
        }
    }
}

/// From the first joint to the last, points every bone at the target, as far as its joint allows: an unlimited chain becomes straight.
pub(super) fn point(chain: &Chain, pose: &mut ChainPose, ws: &ChainWorkspace, target: Vec3) {
    let count = chain.joints.len() - usize::from(ws.pinned.is_some());
    let (mut above, mut place) = (pose.root_rotation, ws.position[0]);
    for i in 0..count {
        let frame = (above * chain.joints[i].rest).normalize();
        let bone = if i + 1 < chain.joints.len() { chain.joints[i + 1].offset } else { chain.effectors[0].offset };
        let bone = bone * pose.stretch[i];
        let (from, to) = (frame * (pose.rotations[i] * bone), target - place);
        if from.length() > 1e-7 * chain.length && to.length() > 1e-7 * chain.length {
            pose.rotations[i] = turned(chain, pose, frame, i, from, to, core::f32::consts::PI);
        }
        above = (frame * pose.rotations[i]).normalize();
        place += above * bone;
    }
}

/// The rotation of joint `i` that turns `from` towards `to` (both from the joint, in the solve space), as far as it may, by at most
/// `most` radians.
fn turned(chain: &Chain, pose: &ChainPose, frame: Quat, i: usize, from: Vec3, to: Vec3, most: f32) -> Quat {
    let model = &chain.joints[i].model;
    let turn = match &model.freedom {
        Freedom::Fixed => return pose.rotations[i],
        Freedom::Hinge { .. } => {
            let axis = frame * model.hinge_axis();
            axis_angle(axis, angle_about(axis, from, to))
        }
        _ => arc(normalize_or(from, Vec3::Y), normalize_or(to, Vec3::Y)),
    };
    let turn = at_most(turn, most);
    model.project((frame.conjugate() * turn * frame * pose.rotations[i]).normalize())
}

/// The turn, cut to `most` radians.
pub(super) fn at_most(turn: Quat, most: f32) -> Quat {
    // No need to measure where nothing is cut.
    let angle = if most < core::f32::consts::PI { rotation_angle(turn) } else { 0.0 };
    if angle > most { fraction(turn, most / angle) } else { turn }
}

pub(super) fn solve(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    if !chain.is_serial() || goals[0].position.is_none() {
        return Outcome::INACTIVE;
    }
    let most = settings.sweep_step_rad.max(1e-3);
    prepare::iterate(chain, pose, goals, settings, ws, |chain, pose, ws, target| {
        sweep_within(chain, pose, ws, target, most);
    })
}
