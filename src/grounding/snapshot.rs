//! All that lasts between frames of a grounder, as bytes.

use super::grounder::{BodyState, Grounder};
use super::leg::LegState;
use super::past::PastLeg;
use super::settings::{MAX_SCALE, MIN_SCALE};
use super::stepping::StepState;

impl Grounder {
    /// Size in bytes of [`Self::snapshot`]; more while the feet step by themselves.
    pub fn snapshot_size(&self) -> usize {
        let step = if self.stepper.is_some() { size_of::<StepState>() } else { 0 };
        size_of::<BodyState>() + self.legs.len() * (size_of::<LegState>() + size_of::<PastLeg>() + step)
    }

    /// Writes all that lasts between frames, in a frame that of before it; restored into any
    /// grounder with as many legs that steps likewise, the next frames are the same bits. `false`
    /// when the length is not [`Self::snapshot_size`].
    pub fn snapshot(&self, out: &mut [u8]) -> bool {
        if out.len() != self.snapshot_size() {
            return false;
        }
        let (body, legs) = out.split_at_mut(size_of::<BodyState>());
        // A frame under way does not count yet.
        let begun = self.frame.is_some().then_some(&self.begun);
        let own_legs = begun.map_or(&self.legs, |begun| &begun.legs);
        body.copy_from_slice(bytemuck::bytes_of(begun.map_or(&self.body, |begun| &begun.body)));
        let (legs, past) = legs.split_at_mut(self.legs.len() * size_of::<LegState>());
        legs.copy_from_slice(bytemuck::cast_slice(own_legs));
        let (past, steps) = past.split_at_mut(self.past.len() * size_of::<PastLeg>());
        past.copy_from_slice(bytemuck::cast_slice(begun.map_or(&self.past, |begun| &begun.past)));
        if let Some(stepper) = &self.stepper {
            steps.copy_from_slice(bytemuck::cast_slice(begun.map_or(&stepper.legs, |begun| &begun.steps)));
        }
        true
    }

    /// Takes a snapshot back, of a grounder of any scale. `false`, and nothing changes, when the
    /// length does not fit, a number is not finite or so large that what is made of it is not, or
    /// the scale is none that a grounder has.
    pub fn restore(&mut self, from: &[u8]) -> bool {
        if from.len() != self.snapshot_size() {
            return false;
        }
        let (body, legs) = from.split_at(size_of::<BodyState>());
        let (legs, past) = legs.split_at(self.legs.len() * size_of::<LegState>());
        let (past, steps) = past.split_at(self.past.len() * size_of::<PastLeg>());
        // The host's own numbers of bodies and groups may be any.
        let legs_sound = legs.chunks_exact(size_of::<LegState>()).all(|bytes| {
            let leg: LegState = bytemuck::pod_read_unaligned(bytes);
            are_sound(bytemuck::bytes_of(&leg.without_bodies()))
        });
        let steps_sound = steps.chunks_exact(size_of::<StepState>()).all(|bytes| {
            let mut step: StepState = bytemuck::pod_read_unaligned(bytes);
            step.group = 0;
            are_sound(bytemuck::bytes_of(&step))
        });
        let scale = bytemuck::pod_read_unaligned::<BodyState>(body).scale;
        let body_sound = are_sound(body) && (MIN_SCALE..=MAX_SCALE).contains(&scale);
        if !(body_sound && legs_sound && are_sound(past) && steps_sound) {
            return false;
        }
        self.body = bytemuck::pod_read_unaligned(body);
        for (leg, bytes) in self.past.iter_mut().zip(past.chunks_exact(size_of::<PastLeg>())) {
            *leg = bytemuck::pod_read_unaligned(bytes);
        }
        for (leg, bytes) in self.legs.iter_mut().zip(legs.chunks_exact(size_of::<LegState>())) {
            *leg = bytemuck::pod_read_unaligned(bytes);
        }
        if let Some(stepper) = &mut self.stepper {
            for (leg, bytes) in stepper.legs.iter_mut().zip(steps.chunks_exact(size_of::<StepState>())) {
                *leg = bytemuck::pod_read_unaligned(bytes);
            }
        }
        self.drop_frame();
        true
    }
}

/// Largest number that a frame of a host may have.
const LARGEST: f32 = 1e9;

/// Whether no number is beyond [`LARGEST`]. Every four bytes are a number or a count; small counts
/// are tiny numbers, so one test serves both.
fn are_sound(bytes: &[u8]) -> bool {
    bytes.chunks_exact(4).all(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]).abs() <= LARGEST)
}
