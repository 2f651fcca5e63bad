//! Grounders of Rust programs in a recording.

use super::super::exports::*;
use super::super::guard::Failure;
use super::super::ids::SinewGrounder;
use super::super::types::*;
use super::super::{grounder_read, recorder, registry};
use super::checked::checked;
use super::give::{give, give_at};
use super::left_out::{is_recording, leave_out};
use crate::grounding::{BodyResult, FootModel, Grounder, GrounderFrame, Hit, LegPose, LegResult, Query};

/// The counterpart of a Rust grounder while a recording runs.
#[derive(Debug, Default)]
pub struct RecordedGrounder {
    mirror: Option<Box<Mirror>>,
    body: BodyResult,
    legs: Vec<LegResult>,
}

impl RecordedGrounder {
    /// Solves a frame: as [`Grounder::solve_with`] does while there is no recording.
    pub fn solve_with<'a>(
        &'a mut self,
        grounder: &'a mut Grounder,
        frame: &GrounderFrame,
        poses: &[LegPose],
        hits: &mut Vec<Hit>,
        cast: impl FnMut(&Query) -> Hit,
    ) -> Option<(&'a BodyResult, &'a [LegResult])> {
        if !is_recording() {
            return grounder.solve_with(frame, poses, hits, cast);
        }
        // What lasts between frames is that of before this one.
        let prepared = self.prepare(grounder);
        grounder.solve_with(frame, poses, hits, cast)?;
        match prepared.and_then(|mirror| self.solve_mirror(mirror, frame, poses, hits)) {
            Ok(()) => Some((&self.body, &self.legs)),
            Err(_) => {
                leave_out();
                Some(grounder.results())
            }
        }
    }

    fn prepare(&mut self, grounder: &Grounder) -> Result<Box<Mirror>, Failure> {
        let mut mirror = match self.mirror.take() {
            Some(mirror) if mirror.recording == recorder::number() => mirror,
            _ => Box::new(Mirror::new(grounder)?),
        };
        mirror.feed(grounder)?;
        Ok(mirror)
    }

    fn solve_mirror(
        &mut self,
        mirror: Box<Mirror>,
        frame: &GrounderFrame,
        poses: &[LegPose],
        hits: &[Hit],
    ) -> Result<(), Failure> {
        let to = mirror.grounder;
        let legs: Vec<_> = poses.iter().map(grounder_read::pose_out).collect();
        let frame = grounder_read::frame_out(frame);
        // SAFETY: as many legs as stated.
        checked(unsafe { sinew_grounder_begin(to, Some(&frame), legs.as_ptr(), legs.len() as u32, None) })?;
        let hits: Vec<_> = hits.iter().map(grounder_read::hit_out).collect();
        // SAFETY: as many hits as stated.
        checked(unsafe { sinew_grounder_finish(to, hits.as_ptr(), hits.len() as u32) })?;
        registry::with_grounder(to, |host| {
            let (body, legs) = host.grounder.results();
            self.body = *body;
            self.legs.clear();
            self.legs.extend_from_slice(legs);
            Ok(())
        })?;
        self.mirror = Some(mirror);
        Ok(())
    }
}

/// The counterpart of a grounder in one recording.
#[derive(Debug)]
struct Mirror {
    recording: u32,
    grounder: SinewGrounder,
    settings: Option<SinewGrounderSettings>,
    stepping: Option<Option<SinewSteppingSettings>>,
    feet: Vec<FootModel>,
}

impl Mirror {
    fn new(of: &Grounder) -> Result<Self, Failure> {
        let feet: Vec<FootModel> = (0..of.leg_count()).filter_map(|leg| of.foot(leg).copied()).collect();
        let records: Vec<_> = feet.iter().map(grounder_read::foot_out).collect();
        let mut grounder = SinewGrounder { bits: 0 };
        let settings = core::ptr::null();
        // SAFETY: as many feet as stated.
        checked(unsafe {
            sinew_grounder_create(records.as_ptr(), records.len() as u32, settings, Some(&mut grounder))
        })?;
        Ok(Self { recording: recorder::number(), grounder, settings: None, stepping: Some(None), feet })
    }

    /// Brings settings, feet and state to those of the grounder.
    fn feed(&mut self, from: &Grounder) -> Result<(), Failure> {
        let to = self.grounder;
        give(&mut self.settings, grounder_read::settings_out(from.settings()), |settings| {
            // SAFETY: one record.
            unsafe { sinew_grounder_set_settings(to, settings) }
        })?;
        for leg in 0..from.leg_count() {
            let Some(foot) = from.foot(leg) else { continue };
            give_at(&mut self.feet, leg, &FootModel::default(), *foot, |foot| {
                sinew_grounder_set_foot(to, leg as u32, Some(&grounder_read::foot_out(foot)))
            })?;
        }
        let (stepping, groups) = (from.stepping().map(grounder_read::stepping_out), from.stepping_groups());
        give(&mut self.stepping, stepping, |stepping| match stepping {
            None => sinew_grounder_clear_stepping(to),
            // SAFETY: one record, and as many groups as stated.
            Some(settings) => unsafe {
                sinew_grounder_set_stepping(to, settings, groups.as_ptr(), groups.len() as u32)
            },
        })?;
        self.state(from)
    }

    /// What lasts between frames, where the two differ.
    fn state(&self, from: &Grounder) -> Result<(), Failure> {
        let mut wanted = vec![0; from.snapshot_size()];
        from.snapshot(&mut wanted);
        let is_same = registry::with_grounder(self.grounder, |host| {
            let mut now = vec![0; host.grounder.snapshot_size()];
            host.grounder.snapshot(&mut now);
            Ok::<_, Failure>(now == wanted)
        })?;
        if is_same {
            return Ok(());
        }
        // SAFETY: as many bytes as stated.
        checked(unsafe { sinew_grounder_set_snapshot(self.grounder, wanted.as_ptr(), wanted.len() as u32) })
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        // Not logged: the recording may be another one by now.
        let _ = registry::remove_grounder(self.grounder);
    }
}
