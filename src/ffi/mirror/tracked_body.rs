//! Tracked bodies of Rust programs in a recording.

use super::super::exports::*;
use super::super::guard::Failure;
use super::super::types::*;
use super::super::{recorder, tracked_body_read};
use super::checked::checked;
use super::define::Rig;
use super::give::give;
use super::left_out::{is_recording, leave_out};
use super::pose::records;
use crate::humanoid::AvatarDefinition;
use crate::math::Transform;
use crate::trackers::{TrackedBody, TrackedPart};
use std::sync::Arc;

/// What recordings need to know of a Rust tracked body, and its counterpart while one runs.
#[derive(Debug)]
pub struct RecordedTrackedBody {
    avatar: Arc<AvatarDefinition>,
    mirror: Option<Box<Mirror>>,
    /// Whether the last update is in the recording.
    is_mirrored: bool,
}

impl RecordedTrackedBody {
    /// Of a body whose avatar was made of this definition.
    pub fn new(avatar: Arc<AvatarDefinition>) -> Self {
        Self { avatar, mirror: None, is_mirrored: false }
    }
    /// Solves the body for a time, as [`TrackedBody::update`] does.
    pub fn update(&mut self, body: &mut TrackedBody, time_s: f64) {
        self.is_mirrored = false;
        if is_recording() {
            match self.update_mirror(body, time_s) {
                Ok(()) => self.is_mirrored = true,
                Err(_) => leave_out(),
            }
        }
        body.update(time_s);
    }
    /// Solves the body of a remote player, as [`TrackedBody::update_remote`] does. In the recording
    /// are the samples that were made of what had been received.
    pub fn update_remote(&mut self, body: &mut TrackedBody, now_s: f64) -> bool {
        let Some(time_s) = body.sample_remote(now_s) else { return false };
        self.update(body, time_s);
        true
    }
    /// Writes the body of the last update into a pose, as [`TrackedBody::apply`] does. `false` when
    /// that is.
    pub fn apply(&self, body: &mut TrackedBody, local: &mut [Transform]) -> bool {
        if let Some(mirror) = &self.mirror
            && self.is_mirrored
            && is_recording()
            && mirror.apply(body, local).is_err()
        {
            leave_out();
        }
        // The body itself, too: where animated feet were shown is part of its state.
        body.apply(local)
    }

    fn update_mirror(&mut self, body: &TrackedBody, time_s: f64) -> Result<(), Failure> {
        let mut mirror = match self.mirror.take() {
            Some(mirror) if mirror.recording == recorder::number() => mirror,
            _ => Box::new(Mirror::new(body, &self.avatar)?),
        };
        mirror.feed(body)?;
        checked(sinew_tracked_body_update(mirror.body, time_s))?;
        self.mirror = Some(mirror);
        Ok(())
    }
}

/// The counterpart of a tracked body in one recording.
#[derive(Debug)]
struct Mirror {
    recording: u32,
    rig: Rig,
    body: SinewTrackedBody,
    settings: Option<SinewTrackedBodySettings>,
    calibration: Option<SinewTrackerCalibration>,
}

impl Mirror {
    fn new(body: &TrackedBody, avatar: &AvatarDefinition) -> Result<Self, Failure> {
        let mut mirror = Self {
            recording: recorder::number(),
            rig: Rig::new(body.avatar().skeleton(), Some(avatar))?,
            body: SinewTrackedBody { bits: 0 },
            settings: None,
            calibration: None,
        };
        // SAFETY: no settings: the defaults.
        checked(unsafe { sinew_tracked_body_create(mirror.rig.avatar, core::ptr::null(), Some(&mut mirror.body)) })?;
        Ok(mirror)
    }

    /// Brings settings, calibration and state, samples of trackers among it, to those of the body.
    fn feed(&mut self, from: &TrackedBody) -> Result<(), Failure> {
        let to = self.body;
        give(&mut self.settings, tracked_body_read::settings_out(from.settings()), |settings| {
            // SAFETY: one record.
            unsafe { sinew_tracked_body_set_settings(to, settings) }
        })?;
        give(&mut self.calibration, tracked_body_read::calibration_out(from.calibration()), |calibration| {
            // SAFETY: one record.
            unsafe { sinew_tracked_body_set_calibration(to, calibration) }
        })?;
        let mut state = vec![0; from.snapshot_size()];
        from.snapshot(&mut state);
        // SAFETY: as many bytes as stated.
        checked(unsafe { sinew_tracked_body_set_snapshot(to, state.as_ptr(), state.len() as u32) })
    }

    /// Weights may have changed since the last update.
    fn apply(&self, from: &TrackedBody, local: &[Transform]) -> Result<(), Failure> {
        for (raw, part) in (0..).zip(TrackedPart::ALL) {
            let (mut had, weight) = (0.0, from.part_weight(part));
            checked(sinew_tracked_body_get_part_weight(self.body, raw, Some(&mut had)))?;
            if had != weight {
                checked(sinew_tracked_body_set_part_weight(self.body, raw, weight))?;
            }
        }
        let mut pose = records(local);
        // SAFETY: as many records as stated.
        checked(unsafe { sinew_tracked_body_apply(self.body, pose.as_mut_ptr(), pose.len() as u32) })
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        // Not logged: the recording may be another one by now. What was not created is refused.
        let _ = tracked_body_read::remove(self.body);
    }
}
