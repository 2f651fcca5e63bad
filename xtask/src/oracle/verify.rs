//! Our forward kinematics and errors against those in the files: where they differ by more than single precision's noise, the
//! file and we do not mean the same, and no number would be worth anything.

use super::format::{Case, Frame, Group};
use super::geometry::Placement;
use super::kinematics::{BonePose, Posed, pose_bones};
use anyhow::{Context, Result, bail};

/// Most that may be put down to noise: positions over the skeleton's size, angles in radians.
const NOISE: f64 = 1e-4;

/// Largest difference found in a group; an error when it is more than noise.
pub fn verify(group: &Group) -> Result<f64> {
    let mut worst = 0.0_f64;
    for case in &group.cases {
        let before = pose_bones(case, &BonePose::rigid(case.fk_rotations()));
        let mut see = |difference: f64, what: &str| {
            worst = worst.max(difference);
            if difference.is_nan() || difference > NOISE {
                bail!("{what}: we differ by {difference:.1e}");
            }
            Ok(())
        };
        see(poses(case, &before, &case.fk_model), "pose before IK").with_context(|| case.id.clone())?;
        for frame in &case.frames {
            let posed = pose_bones(case, &frame.pose());
            let context = || format!("{} frame {}", case.id, frame.frame);
            see(poses(case, &posed, &frame.model), "pose").with_context(context)?;
            see(errors(case, frame, &posed), "errors").with_context(context)?;
        }
    }
    Ok(worst)
}

/// Poses in model space.
fn poses(case: &Case, posed: &Posed, model: &[[f64; 7]]) -> f64 {
    let size: f64 = case.bones.length.iter().sum();
    let differences = model.iter().zip(&posed.model).map(|(expected, bone)| {
        let expected = Placement::from(*expected);
        (bone.position.distance(expected.position) / size).max(bone.rotation.angle_to(expected.rotation))
    });
    differences.fold(0.0, f64::max)
}

/// Errors against the targets as they stand in the file, influence or not.
fn errors(case: &Case, frame: &Frame, posed: &Posed) -> f64 {
    let size: f64 = case.bones.length.iter().sum();
    let mut worst = 0.0_f64;
    for (index, constraint) in case.constraints.iter().enumerate().filter(|(_, c)| !c.is_partial()) {
        let stated = |all: &[Option<f64>]| all.get(index).copied().flatten();
        let target = frame.target(&constraint.target);
        if let Some(expected) = stated(&frame.pos_err).filter(|_| constraint.use_location) {
            let ours = posed.effector(case, constraint).distance(target.position);
            worst = worst.max((ours - expected).abs() / size);
        }
        let turned = constraint.turned_bone().filter(|_| constraint.use_rotation);
        if let (Some(expected), Some(bone)) = (stated(&frame.rot_err), turned) {
            worst = worst.max((posed.model[bone].rotation.angle_to(target.rotation) - expected).abs());
        }
        if let (Some(expected), Some(name)) = (stated(&frame.pole_err), &constraint.pole) {
            let angle = case.pole_angle(frame, index);
            // Near the line root → target the angle says nothing.
            if let Some(ours) = posed.pole_error(case, constraint, frame.target(name).position, angle) {
                let difference = (ours - expected).abs();
                worst = worst.max(0.01 * difference.min(std::f64::consts::TAU - difference));
            }
        }
    }
    worst
}
