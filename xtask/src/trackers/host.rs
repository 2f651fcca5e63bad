//! A tracked body that a C host holds.

use crate::c_abi::{check, quat, transform, vec3};
use crate::motion::host::create_avatar;
use crate::motion::subject::Subject;
use crate::oracle::geometry::{Rotation, V3};
use anyhow::Result;
use sinew::ffi::*;
use sinew::math::{Quat, Transform, Vec3};

/// One tracked body.
pub struct Host {
    skeleton: SinewSkeleton,
    pub avatar: SinewAvatar,
    body: SinewTrackedBody,
    pose: Vec<SinewTransform>,
}

impl Host {
    pub fn new(subject: &Subject, settings: &SinewTrackedBodySettings) -> Result<Self> {
        let (skeleton, avatar) = create_avatar(subject, |_| {})?;
        let mut body = SinewTrackedBody { bits: 0 };
        // SAFETY: the settings are whole.
        let made = unsafe { sinew_tracked_body_create(avatar, settings, Some(&mut body)) };
        check(made, "sinew_tracked_body_create")?;
        let pose = subject.rest.iter().map(transform).collect();
        Ok(Self { skeleton, avatar, body, pose })
    }
    pub fn settings() -> Result<SinewTrackedBodySettings> {
        let mut settings = SinewTrackedBodySettings::default();
        check(sinew_tracked_body_settings_default(Some(&mut settings)), "sinew_tracked_body_settings_default")?;
        Ok(settings)
    }
    /// Height of an ankle over the sole.
    pub fn ankle_height(&self, goal: i32) -> Result<f64> {
        let mut height = 0.0;
        check(sinew_avatar_get_goal_constants(self.avatar, goal, None, Some(&mut height)), "goal_constants")?;
        Ok(height.into())
    }
    pub fn set(&self, role: SinewTrackerRole, at: V3, turn: Rotation, time_s: f64, confidence: f64) -> Result<()> {
        let sample = SinewTrackerSample {
            time_s,
            position: vec3(at),
            rotation: quat(turn),
            set: SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION,
            confidence: confidence as f32,
        };
        check(sinew_tracked_body_set_tracker(self.body, role as i32, Some(&sample)), "set_tracker")
    }
    pub fn calibrate(&self, floor: f64) -> Result<f64> {
        let pose = SinewCalibrationPose::TPose as i32;
        let scale = SinewTrackerScale::Height as i32;
        check(sinew_tracked_body_calibrate(self.body, pose, scale, floor as f32), "calibrate")?;
        // SAFETY: a plain struct of numbers, which the next call fills.
        let mut found: SinewTrackerCalibration = unsafe { core::mem::zeroed() };
        check(sinew_tracked_body_get_calibration(self.body, Some(&mut found)), "get_calibration")?;
        Ok(found.scale.into())
    }
    /// Height of the floor in tracking space from now on.
    pub fn set_floor(&self, floor: f64) -> Result<()> {
        // SAFETY: a plain struct of numbers, which the next call fills.
        let mut found: SinewTrackerCalibration = unsafe { core::mem::zeroed() };
        check(sinew_tracked_body_get_calibration(self.body, Some(&mut found)), "get_calibration")?;
        found.floor = floor as f32;
        // SAFETY: the calibration is whole.
        check(unsafe { sinew_tracked_body_set_calibration(self.body, &found) }, "set_calibration")
    }
    pub fn reset(&self) -> Result<()> {
        for role in 0..SINEW_TRACKER_ROLE_COUNT as i32 {
            check(sinew_tracked_body_clear_tracker(self.body, role), "clear_tracker")?;
        }
        check(sinew_tracked_body_reset(self.body), "reset")
    }
    pub fn update(&self, time_s: f64) -> Result<()> {
        check(sinew_tracked_body_update(self.body, time_s), "update")
    }
    pub fn pose(&mut self) -> Result<Vec<Transform>> {
        // SAFETY: the array has as many entries as stated.
        let done = unsafe { sinew_tracked_body_apply(self.body, self.pose.as_mut_ptr(), self.pose.len() as u32) };
        check(done, "apply")?;
        let v = |v: SinewVec3| Vec3::new(v.x, v.y, v.z);
        let to = |t: &SinewTransform| Transform {
            position: v(t.position),
            rotation: Quat::from_xyzw(t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w),
            scale: v(t.scale),
        };
        Ok(self.pose.iter().map(to).collect())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let ended = [
            sinew_tracked_body_destroy(self.body),
            sinew_avatar_destroy(self.avatar),
            sinew_skeleton_destroy(self.skeleton),
        ];
        if ended.iter().any(|r| *r != SinewResult::SinewOk) {
            println!("a handle was not destroyed: {ended:?}");
        }
    }
}
