//! Our forward kinematics and errors against those in the files: where they differ by more than the
//! noise of single precision, the file is interpreted wrongly and no score would be valid.

use super::format::{Case, Frame, Group};
use super::geometry::{Placement, Rotation};
use super::goals::full_goal;
use super::kinematics::{BonePose, ScaledPoseView, pose_bones};
use anyhow::{Result, bail};

/// Largest difference that counts as noise: positions over the skeleton's size, angles in radians.
const NOISE: f64 = 1e-4;

/// Result of the comparison.
pub struct Agreement {
    /// Largest difference that is noise.
    pub worst: f64,
    /// Frames whose reference pose does not fit the file's own numbers: the reference's solver
    /// broke down there.
    pub broken: Vec<String>,
}

/// Compares a group. An error when a pose before IK differs, or more than a tenth of the frames.
pub fn verify(group: &Group) -> Result<Agreement> {
    let mut agreement = Agreement { worst: 0.0, broken: Vec::new() };
    let mut frames = 0;
    for case in &group.cases {
        let before = pose_bones(case, &BonePose::rigid(case.fk_rotations()));
        let difference = poses(case, &before, &case.fk_model);
        if !is_noise(difference) {
            bail!("{}: the pose before IK differs from ours by {difference:.1e}", case.id);
        }
        agreement.worst = agreement.worst.max(difference);
        for frame in &case.frames {
            frames += 1;
            let posed = pose_bones(case, &frame.pose());
            let (pose, error) = (poses(case, &posed, &frame.model), errors(case, frame, &posed));
            if frame.pose().is_finite() && is_noise(pose) && is_noise(error) {
                agreement.worst = agreement.worst.max(pose).max(error);
            } else {
                let what = format!("{} frame {}: pose {pose:.1e}, errors {error:.1e}", case.id, frame.frame);
                agreement.broken.push(what);
            }
        }
    }
    if let Some(first) = agreement.broken.first().filter(|_| agreement.broken.len() * 10 > frames) {
        bail!("{} of {frames} frames differ from ours, first {first}", agreement.broken.len());
    }
    Ok(agreement)
}

/// False for NaN.
fn is_noise(difference: f64) -> bool {
    difference <= NOISE
}

/// The larger, or NaN.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Poses in model space.
fn poses(case: &Case, posed: &ScaledPoseView, model: &[[f64; 7]]) -> f64 {
    let size: f64 = case.bones.length.iter().sum();
    let differences = model.iter().zip(&posed.model).map(|(expected, bone)| {
        let expected = Placement::from(*expected);
        worse(bone.position.distance(expected.position) / size, bone.rotation.angle_to(expected.rotation))
    });
    differences.fold(0.0, worse)
}

/// Errors against the targets in the file, without influence.
fn errors(case: &Case, frame: &Frame, posed: &ScaledPoseView) -> f64 {
    let size: f64 = case.bones.length.iter().sum();
    let mut worst = 0.0_f64;
    for (index, constraint) in case.constraints.iter().enumerate() {
        let stated = |all: &[Option<f64>]| all.get(index).copied().flatten();
        let target = frame.target(&constraint.target);
        if let Some(expected) = stated(&frame.pos_err).filter(|_| constraint.use_location) {
            let counts = full_goal(case, frame, index).counts;
            let bone = constraint.turned_bone().map_or(Rotation::IDENTITY, |bone| posed.model[bone].rotation);
            let ours = counts.error(posed.effector(case, constraint), target.position, bone);
            worst = worse((ours - expected).abs() / size, worst);
        }
        let turned = constraint.turned_bone().filter(|_| constraint.use_rotation);
        if let (Some(expected), Some(bone)) = (stated(&frame.rot_err), turned) {
            worst = worse((posed.model[bone].rotation.angle_to(target.rotation) - expected).abs(), worst);
        }
        if let (Some(expected), Some(name)) = (stated(&frame.pole_err), &constraint.pole) {
            let angle = case.pole_angle(frame, index);
            // Near the line root → target the angle is undefined.
            if let Some(ours) = posed.pole_error(case, constraint, frame.target(name).position, angle) {
                let difference = (ours - expected).abs();
                worst = worst.max(0.01 * difference.min(std::f64::consts::TAU - difference));
            }
        }
    }
    worst
}
