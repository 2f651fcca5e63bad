//! Advance, reset, snapshot and restore of the state that lasts between frames.

use super::animator::Animator;
use super::error::AnimatorError;

impl Animator {
    /// Advances the state that lasts between frames by a time in seconds; call once per frame,
    /// before [`Self::solve`]. At present that state is inertialization
    /// ([`crate::humanoid::HumanoidSettings::inertialization_times_s`],
    /// [`Self::set_constraint_inertialization_time`]) and that of a body solver in track mode;
    /// without any it does nothing. The last answers of chains with a warm start
    /// ([`crate::constraints::ChainDefinition::warm_start`]) last, too, but know no time. Negative
    /// and non-finite times count as 0.
    pub fn advance(&mut self, dt_s: f32) {
        self.state.advance_switches(dt_s);
        self.constraints.advance(dt_s);
        if let Some(whole_body) = &mut self.state.whole_body {
            whole_body.advance(dt_s);
        }
    }
    /// Resets the state that lasts between frames, as if no frame had been solved. For teleports
    /// and cuts. Input, settings and pose stay.
    pub fn reset_state(&mut self) {
        self.state.reset_switches();
        if let Some(whole_body) = &mut self.state.whole_body {
            whole_body.reset();
        }
        self.constraints.reset();
    }
    /// Number of bytes that [`Self::snapshot`] appends with the current settings.
    pub fn snapshot_size(&self) -> usize {
        let mut words = 0;
        self.state.write(self.skeleton.joint_count(), &self.constraints, &mut |_| words += 1);
        4 * words
    }
    /// Appends the state that lasts between frames to `out`. With the same input, settings and
    /// pose, an animator continues with the same bits after [`Self::restore`].
    pub fn snapshot(&self, out: &mut Vec<u8>) {
        out.reserve(self.snapshot_size());
        self.state.write(self.skeleton.joint_count(), &self.constraints, &mut |word| out.extend(word.to_le_bytes()));
    }
    /// [`Self::snapshot`] without an allocation: writes to the front of `out` and returns the
    /// number of bytes; where `out` is too short it writes nothing and returns the number needed as
    /// the error.
    pub fn snapshot_into(&self, out: &mut [u8]) -> Result<usize, usize> {
        let size = self.snapshot_size();
        let out = out.get_mut(..size).ok_or(size)?;
        let mut places = out.chunks_exact_mut(4);
        self.state.write(self.skeleton.joint_count(), &self.constraints, &mut |word| {
            if let Some(place) = places.next() {
                place.copy_from_slice(&word.to_le_bytes());
            }
        });
        Ok(size)
    }
    /// Replaces the state that lasts between frames by that of a snapshot. The animator must have
    /// the same rig, switch times above zero for the same goals, look-at and constraints, the body
    /// solver on or off, and chains with a warm start over as many joints, as the saved one.
    /// Allocates nothing.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), AnimatorError> {
        for commit in [false, true] {
            self.state
                .read(self.skeleton.joint_count(), &mut self.constraints, snapshot, commit)
                .map_err(AnimatorError::BadSnapshot)?;
        }
        Ok(())
    }
}
