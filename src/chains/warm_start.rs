//! What a chain that is solved frame after frame remembers of its last solve.

use super::model::Chain;
use super::workspace::ChainWorkspace;
use crate::math::Quat;

/// The last answer of a chain, and the attempt that is next while its goals are not met:
/// the state of [`super::solve_warm`]. Numbers only; it belongs to one chain of one character.
#[derive(Clone, Debug)]
pub struct WarmStart {
    /// No turns and rest lengths while there is no answer.
    rotations: Box<[Quat]>,
    stretch: Box<[f32]>,
    /// Solves that have missed the goals since the last one that met them.
    missed: u32,
    is_set: bool,
}

impl WarmStart {
    /// Solves for each attempt, once all have been made.
    pub(in crate::chains) const SOLVES_AN_ATTEMPT: u32 = 4;

    /// For this chain, without an answer yet.
    pub fn new(chain: &Chain) -> Self {
        let joints = chain.joints.len();
        Self {
            rotations: vec![Quat::IDENTITY; joints].into(),
            stretch: vec![1.0; joints].into(),
            missed: 0,
            is_set: false,
        }
    }
    /// Forgets the last answer: the next solve starts at the pose that it is given. The state is
    /// that of one that has never been solved with.
    pub fn reset(&mut self) {
        self.rotations.fill(Quat::IDENTITY);
        self.stretch.fill(1.0);
        self.is_set = false;
        self.missed = 0;
    }
    /// Writes 2 words, and 5 per joint.
    pub fn write(&self, put: &mut dyn FnMut(u32)) {
        put(u32::from(self.is_set));
        put(self.missed);
        for (rotation, stretch) in self.rotations.iter().zip(&self.stretch) {
            rotation.to_array().into_iter().chain([*stretch]).for_each(|number| put(number.to_bits()));
        }
    }
    /// Reads what [`Self::write`] wrote; changes nothing unless `commit`, and then nothing if it
    /// returns an error.
    pub fn read(&mut self, next: &mut dyn FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        const SHORT: &str = "it is too short";
        let (is_set, missed) = (next().ok_or(SHORT)?, next().ok_or(SHORT)?);
        if is_set > 1 {
            return Err("a chain in it has no valid last answer");
        }
        let mut number = || next().ok_or(SHORT).map(f32::from_bits);
        for (rotation, stretch) in self.rotations.iter_mut().zip(&mut self.stretch) {
            let read = Quat::from_xyzw(number()?, number()?, number()?, number()?);
            let read_stretch = number()?;
            let is_unit = (read.length_squared() - 1.0).abs() < 1e-3;
            if !is_unit || !read_stretch.is_finite() {
                return Err("a chain in it has no valid last answer");
            }
            if commit {
                (*rotation, *stretch) = (read, read_stretch);
            }
        }
        if commit {
            (self.is_set, self.missed) = (is_set == 1, missed);
        }
        Ok(())
    }

    pub(in crate::chains) fn is_set(&self) -> bool {
        self.is_set
    }
    /// Number of the attempt that is to be made now, if any, of `all` different ones; 0, from the
    /// animation, not where the solve has started there.
    pub(in crate::chains) fn next_attempt(&mut self, has_other_start: bool, all: u32) -> Option<u32> {
        let missed = if has_other_start { self.missed } else { self.missed.max(1) };
        self.missed = missed.checked_add(1).unwrap_or(all);
        let Some(later) = missed.checked_sub(all) else { return Some(missed) };
        (later % Self::SOLVES_AN_ATTEMPT == 0).then_some(all.saturating_add(later / Self::SOLVES_AN_ATTEMPT))
    }
    /// The next attempt is the first again.
    pub(in crate::chains) fn begin_attempts(&mut self) {
        self.missed = 0;
    }
    /// Remembers the pose in the workspace's state.
    pub(in crate::chains) fn keep(&mut self, ws: &ChainWorkspace) {
        self.rotations.copy_from_slice(&ws.state.pose().rotations);
        self.stretch.copy_from_slice(&ws.state.pose().stretch);
        self.is_set = true;
    }
    /// Brings the rotations of the last answer, if there is one, into the workspace's state;
    /// returns whether there is. Bones keep their lengths.
    pub(in crate::chains) fn bring(&self, ws: &mut ChainWorkspace) -> bool {
        if self.is_set {
            ws.state.rotations_mut().copy_from_slice(&self.rotations);
        }
        self.is_set
    }
    /// Brings the stretches of the last answer, too.
    pub(in crate::chains) fn bring_whole(&self, ws: &mut ChainWorkspace) {
        if self.bring(ws) {
            ws.state.stretch_mut().copy_from_slice(&self.stretch);
        }
    }
    pub(in crate::chains) fn fits(&self, chain: &Chain) -> bool {
        self.rotations.len() == chain.joints.len()
    }
}
