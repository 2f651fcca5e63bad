//! What the constraints of an animator keep from solve to solve: switches, and the last answers of
//! chains with a warm start.

use super::stack::{ConstraintId, ConstraintStack, Entry};
use super::switch::Switch;
use crate::math::words;
use crate::skeleton::Skeleton;

/// Switch times below this are none, seconds.
const LEAST_S: f32 = 1e-6;
/// Longest switch time, seconds.
const MOST_S: f32 = 1e6;

impl ConstraintStack {
    /// Sets a constraint's switch time, seconds; none where it is not above 0. Allocates where it
    /// had none.
    pub fn set_switch_time(&mut self, skeleton: &Skeleton, id: ConstraintId, time_s: f32) -> Option<()> {
        let Entry { kind, input, switch, .. } = self.entries.iter_mut().find(|e| e.id == id)?;
        match switch {
            _ if time_s.is_nan() || time_s <= LEAST_S => *switch = None,
            Some(switch) => switch.time_s = time_s.min(MOST_S),
            None => *switch = Some(Box::new(Switch::new(skeleton, &**kind, input, time_s.min(MOST_S)))),
        }
        self.note_switches();
        Some(())
    }
    /// See [`Self::set_switch_time`]; 0: none.
    pub fn switch_time(&self, id: ConstraintId) -> Option<f32> {
        Some(self.entry(id)?.switch.as_ref().map_or(0.0, |switch| switch.time_s))
    }
    /// Announces a switch of a constraint that has a switch time.
    pub fn begin_switch(&mut self, id: ConstraintId) -> Option<()> {
        let entry = self.entries.iter_mut().find(|e| e.id == id)?;
        if let Some(switch) = &mut entry.switch {
            switch.begin();
        }
        Some(())
    }
    /// Whether a switch is announced or under way.
    pub fn is_switching(&self, id: ConstraintId) -> Option<bool> {
        Some(self.entry(id)?.switch.as_ref().is_some_and(|switch| switch.is_running()))
    }
    /// A constraint came, went, or has got another switch time.
    pub(super) fn note_switches(&mut self) {
        self.has_switches = self.entries.iter().any(|entry| entry.switch.is_some());
    }
    /// Lets time pass for switches, seconds.
    #[inline(always)]
    pub fn advance(&mut self, dt_s: f32) {
        if self.has_switches {
            self.entries.iter_mut().filter_map(|e| e.switch.as_mut()).for_each(|switch| switch.advance(dt_s));
        }
    }

    /// Forgets what constraints have kept from earlier solves.
    pub fn reset(&mut self) {
        for entry in &mut self.entries {
            entry.kind.reset();
            if let Some(switch) = &mut entry.switch {
                switch.reset();
            }
        }
    }
    /// Writes the words of what constraints keep from solve to solve.
    pub fn write_state(&self, put: &mut dyn FnMut(u32)) {
        self.entries.iter().for_each(|entry| entry.kind.write_state(put));
        let switches = || self.entries.iter().enumerate().filter_map(|(place, e)| Some((place, e.switch.as_ref()?)));
        put(switches().count() as u32);
        for (place, switch) in switches() {
            put(place as u32);
            switch.write(put);
        }
    }
    /// Reads what [`Self::write_state`] wrote; changes nothing unless `commit`.
    pub fn read_state(&mut self, next: &mut dyn FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        const OTHERS: &str = "other constraints had a switch time when it was made";
        self.entries.iter_mut().try_for_each(|entry| entry.kind.read_state(next, commit))?;
        if words::word(next)? as usize != self.entries.iter().filter(|entry| entry.switch.is_some()).count() {
            return Err(OTHERS);
        }
        for (place, entry) in self.entries.iter_mut().enumerate() {
            let Some(switch) = &mut entry.switch else { continue };
            if words::word(next)? as usize != place {
                return Err(OTHERS);
            }
            switch.read(next, commit)?;
        }
        Ok(())
    }
}
