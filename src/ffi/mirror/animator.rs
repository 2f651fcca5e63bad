//! Animators of Rust programs in a recording.

use super::super::exports::*;
use super::super::guard::Failure;
use super::super::ids::{SinewAnimator, SinewConstraint};
use super::super::{recorder, registry};
use super::checked::checked;
use super::define::{self, Rig};
use super::fed::Fed;
use super::left_out::{is_recording, leave_out};
use crate::animator::{Animator, AnimatorError};
use crate::constraints::{ConstraintDefinition, ConstraintError, ConstraintId};
use crate::humanoid::AvatarDefinition;
use std::sync::Arc;

/// What recordings need to know of a Rust animator, and its counterpart while one runs.
#[derive(Debug, Default)]
pub struct RecordedAnimator {
    avatar: Option<Arc<AvatarDefinition>>,
    constraints: Vec<(ConstraintId, ConstraintDefinition)>,
    mirror: Option<Box<Mirror>>,
}

impl RecordedAnimator {
    /// Of an animator whose avatar was made of this definition.
    pub fn new(avatar: Option<Arc<AvatarDefinition>>) -> Self {
        Self { avatar, ..Self::default() }
    }
    /// Adds a constraint to the animator. Constraints that were added past this method keep the
    /// animator out of recordings.
    pub fn add_constraint(
        &mut self,
        animator: &mut Animator,
        definition: &ConstraintDefinition,
    ) -> Result<ConstraintId, ConstraintError> {
        let id = animator.add_constraint(definition)?;
        self.constraints.push((id, definition.clone()));
        self.mirror = None;
        Ok(id)
    }
    /// Solves the animator: as [`Animator::solve`] does while there is no recording.
    #[inline]
    pub fn solve(&mut self, animator: &mut Animator) -> Result<(), AnimatorError> {
        if is_recording() {
            return self.solve_recorded(animator);
        }
        animator.solve()
    }

    #[cold]
    #[inline(never)]
    fn solve_recorded(&mut self, animator: &mut Animator) -> Result<(), AnimatorError> {
        let mirrored = self.solve_mirror(animator);
        // Outcomes, and what lasts between frames.
        animator.solve()?;
        match mirrored.and_then(|solved| read_pose(solved, animator)) {
            Ok(()) => {}
            Err(_) => leave_out(),
        }
        Ok(())
    }

    fn solve_mirror(&mut self, animator: &Animator) -> Result<SinewAnimator, Failure> {
        if self.mirror.as_ref().is_none_or(|mirror| mirror.recording != recorder::number()) {
            self.mirror = Some(Box::new(Mirror::new(self, animator)?));
        }
        let Some(mirror) = &mut self.mirror else { return Err(Failure::argument("no mirror")) };
        mirror.feed(animator)?;
        checked(sinew_animator_solve(mirror.animator))?;
        Ok(mirror.animator)
    }
}

/// The counterpart of an animator in one recording.
#[derive(Debug)]
struct Mirror {
    recording: u32,
    rig: Rig,
    animator: SinewAnimator,
    constraints: Vec<(ConstraintId, SinewConstraint)>,
    fed: Fed,
}

impl Mirror {
    fn new(of: &RecordedAnimator, animator: &Animator) -> Result<Self, Failure> {
        if animator.is_human() && of.avatar.is_none() || animator.constraint_ids().len() != of.constraints.len() {
            return Err(Failure::argument("an animator that was set up past the recorder"));
        }
        let mut mirror = Self {
            recording: recorder::number(),
            rig: Rig::new(animator.skeleton(), of.avatar.as_deref())?,
            animator: SinewAnimator { bits: 0 },
            constraints: Vec::new(),
            fed: Fed::default(),
        };
        mirror.animator = define::animator(mirror.rig.skeleton, mirror.rig.avatar)?;
        for (id, definition) in &of.constraints {
            mirror.constraints.push((*id, define::constraint(mirror.animator, definition)?));
        }
        Ok(mirror)
    }

    /// Brings input, settings, state and pose to those of the animator.
    fn feed(&mut self, animator: &Animator) -> Result<(), Failure> {
        self.fed.set_up(self.animator, animator)?;
        for (number, (id, constraint)) in self.constraints.iter().enumerate() {
            self.fed.constraint(self.animator, animator, number, *id, *constraint)?;
        }
        self.fed.state(self.animator, animator)?;
        let (mut pose, mut count) = (core::ptr::null_mut(), 0);
        checked(sinew_animator_get_pose_buffer(self.animator, Some(&mut pose), Some(&mut count)))?;
        for (joint, transform) in animator.pose().local().iter().enumerate().take(count as usize) {
            // SAFETY: the buffer has `count` records, and nothing else uses this animator.
            unsafe { pose.add(joint).write((*transform).into()) };
        }
        Ok(())
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        // Not logged: the recording may be another one by now. What was not created is refused.
        let _ = registry::remove_animator(self.animator);
    }
}

/// The pose of a mirror, which has just been solved.
fn read_pose(solved: SinewAnimator, animator: &mut Animator) -> Result<(), Failure> {
    registry::with_animator(solved, |character| {
        animator.pose_mut().local_mut().copy_from_slice(character.buffer());
        Ok(())
    })
}
