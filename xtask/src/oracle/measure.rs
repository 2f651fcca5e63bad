//! Errors of a pose against a frame's goals, by this program's forward kinematics.

use super::format::{Case, Frame};
use super::geometry::{Rotation, V3};
use super::goals::Goal;
use super::joints::{SwingMeasure, violation};
use super::kinematics::{BonePose, pose_bones};
use std::f64::consts::PI;

/// A joint or bone is torn when its place or its length is off by more than this part of its bone's
/// length.
pub const TORN: f64 = 1e-3;

/// Error that stands for a pose with numbers that are not finite; a number, so that it can be
/// written to JSON.
pub const BROKEN: f64 = 1e6;

/// Errors of one pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// Largest position error over its chain's length.
    pub position: f64,
    /// Largest rotation error, radians.
    pub rotation: f64,
    /// Every error on its own: positions over chain length, rotations in radians.
    pub errors: Vec<f64>,
    /// Largest excess over a lock or limit, radians.
    pub violation: f64,
    /// Joints off their place, and bones whose length changed without permission.
    pub torn: usize,
    /// Largest angle between the reference direction and the pole, radians; 0 without poles, and
    /// near the line root → goal.
    pub pole: f64,
}

impl Measure {
    /// The largest of all errors.
    pub fn worst(&self) -> f64 {
        self.position.max(self.rotation)
    }
    /// Neither torn nor outside a limit, so that it proves what can be had.
    pub fn is_valid(&self) -> bool {
        self.worst() < BROKEN && self.violation <= 1e-3 && self.torn == 0
    }
    /// By how much another pose is better in *every* error; at most 0 when it is worse, or as good,
    /// in one.
    pub fn dominated_by(&self, other: &Measure) -> f64 {
        let gains = self.errors.iter().zip(&other.errors).map(|(mine, theirs)| mine - theirs);
        gains.fold(f64::INFINITY, f64::min)
    }
}

/// Measures a pose; without goals only what does not need them.
pub fn measure(case: &Case, frame: &Frame, goals: Option<&[Goal]>, pose: &BonePose, swing: SwingMeasure) -> Measure {
    let posed = pose_bones(case, pose);
    let mut m = Measure::default();
    for (constraint, goal) in case.constraints.iter().zip(goals.unwrap_or_default()) {
        if let Some(wanted) = goal.position {
            let turned = constraint.turned_bone().map_or(Rotation::IDENTITY, |bone| posed.model[bone].rotation);
            let error = goal.counts.error(posed.effector(case, constraint), wanted, turned);
            let error = error / constraint.chain_length;
            m.position = m.position.max(error);
            m.errors.push(error);
        }
        if let (Some(wanted), Some(bone)) = (goal.rotation, constraint.turned_bone()) {
            let error = goal.turn_error(posed.model[bone].rotation, wanted);
            m.rotation = m.rotation.max(error);
            m.errors.push(error);
        }
    }
    if !pose.is_finite() {
        // As wrong as can be.
        (m.position, m.rotation, m.violation, m.torn) = (BROKEN, PI, PI, 1);
        m.errors.fill(BROKEN);
        return m;
    }
    for (index, constraint) in case.constraints.iter().enumerate() {
        if let Some(name) = constraint.pole.as_ref().filter(|_| case.influence(frame, index) == 1.0) {
            let (pole, target) = (frame.target(name).position, frame.target(&constraint.target).position);
            let (root, angle) = (posed.root(constraint), case.pole_angle(frame, index));
            if !is_on_line(pole - root, target - root) {
                let error = posed.pole_error(case, constraint, pole, angle);
                m.pole = m.pole.max(error.unwrap_or(0.0).abs());
            }
        }
    }
    // A constraint without influence leaves the pose before IK as it is, whatever the limits.
    if (0..case.constraints.len()).any(|index| case.influence(frame, index) > 0.0) {
        let moved = case.moved_bones();
        let bounded = case.dof.iter().filter(|dof| dof.is_bounded() && moved.contains(&dof.bone));
        m.violation = bounded.map(|dof| violation(dof, pose.rotation[dof.bone], swing)).fold(0.0, f64::max);
    }
    let moved = case.moved_bones();
    m.torn = (0..case.bone_count()).filter(|bone| is_torn(case, pose, *bone, moved.contains(bone))).count();
    m
}

/// Off its place; or, of a bone that a constraint moves, of another length without permission
/// (bones further down inherit scale).
fn is_torn(case: &Case, pose: &BonePose, bone: usize, is_moved: bool) -> bool {
    let stretched = (pose.scale[bone] - 1.0).abs() > TORN && !case.may_stretch(bone);
    pose.offset[bone].len() > TORN * case.bones.length[bone] || is_moved && stretched || pose.scale[bone] < 0.0
}

/// Whether two directions are within 12° of one line: there a pole is undefined, or must turn a
/// limb fast.
pub fn is_on_line(a: V3, b: V3) -> bool {
    let angle = a.angle(b);
    angle.min(PI - angle) < 12_f64.to_radians()
}
