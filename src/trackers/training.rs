//! What `cargo xtask train` learns the tables of `prior.rs` from.

use super::body::TrackedBody;
use super::prior::{self, FEET_OUTPUTS, HEAD_ALL, HEAD_OUTPUTS, HIPS_ALL, Placed};
use super::role::{HIPS, leg};
use crate::math::{Quat, Transform, Vec3};
use crate::skeleton::Pose;

/// One frame for a table: what it sees, and what it is to add to the closed forms.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct TrainingFrame {
    pub inputs: Vec<f32>,
    pub targets: Vec<f32>,
}

impl TrackedBody {
    /// The frame of the last update with the hips as reference (they must be tracked) or the head;
    /// `truth`: local transforms of the true pose.
    #[doc(hidden)]
    pub fn training_frame(&self, truth: &[Transform], from_hips: bool) -> TrainingFrame {
        let skeleton = self.avatar().skeleton();
        let mut pose = Pose::rest(skeleton);
        pose.local_mut().copy_from_slice(truth);
        pose.update(skeleton);
        let (rig, calibration) = (&self.rig, self.calibration());
        let floor = Vec3::Y * (calibration.floor * calibration.scale);
        let placed = |bone: usize| -> Placed {
            let frame = rig.joints[bone].map(|joint| pose.model(joint));
            frame.map_or((Vec3::ZERO, Quat::IDENTITY), |frame| {
                (rig.canonical.vector_in(frame.position) - floor, rig.turn_in(bone, frame.rotation))
            })
        };
        let seen = &self.last_seen;
        let mut inputs = vec![0.0; if from_hips { HIPS_ALL } else { HEAD_ALL }];
        let from = self.history.inputs(rig, seen, if from_hips { 4 } else { 3 }, &mut inputs);
        let back = from.heading.conjugate();
        let mut targets = Vec::with_capacity(HEAD_OUTPUTS.max(FEET_OUTPUTS));
        let mut put = |law: Placed, bone: usize| {
            let (at, turn) = placed(bone);
            let off = back * (at - law.0) / from.height;
            let own = |q: Quat, axis: Vec3| back * (q * axis);
            let z = own(turn, Vec3::Z) - own(law.1, Vec3::Z);
            let y = own(turn, Vec3::Y) - own(law.1, Vec3::Y);
            for v in [off, z, y] {
                targets.extend(v.to_array());
            }
        };
        let hips = if from_hips { seen[3] } else { prior::hips_below(seen[0].0, self.history.facing.heading(), rig) };
        if !from_hips {
            put(hips, HIPS);
        }
        for (side, foot) in prior::feet_below(hips, rig).into_iter().enumerate() {
            put(foot, leg(side)[2]);
        }
        TrainingFrame { inputs, targets }
    }
}

impl TrainingFrame {
    /// The same frame in a mirror.
    #[doc(hidden)]
    pub fn mirrored(&self) -> Self {
        let from_hips = self.inputs.len() == HIPS_ALL;
        let linear = prior::linear_layout(from_hips);
        let count = linear.len();
        let mut inputs = self.inputs.clone();
        for (i, (other, sign)) in linear.iter().enumerate() {
            inputs[i] = self.inputs[*other] * sign;
            if i >= 2 {
                inputs[count + i] = self.inputs[count + other] * sign;
            }
        }
        let mut targets = self.targets.clone();
        let blocks = self.targets.len() / 9;
        for block in 0..blocks {
            let other = match (blocks, block) {
                (3, 0) => 0,
                (3, b) => 3 - b,
                (_, b) => 1 - b,
            };
            for i in 0..9 {
                let sign = if i % 3 == 0 { -1.0 } else { 1.0 };
                targets[9 * block + i] = self.targets[9 * other + i] * sign;
            }
        }
        Self { inputs, targets }
    }
}
