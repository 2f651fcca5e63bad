//! The constraints of one animator, in the order they are solved.

use super::aim::{Aim, AimDefinition};
use super::chain::{ChainConstraint, ChainDefinition};
use super::copy_rotation::{CopyRotation, CopyRotationDefinition};
use super::error::ConstraintError;
use super::goal::ConstraintInput;
use super::kind::ConstraintKind;
use super::lines::GoalLines;
use super::spline::{Spline, SplineDefinition};
use super::switch::Switch;
use super::two_bone::{TwoBone, TwoBoneDefinition};
use crate::chains::Pole;
use crate::debug::Sink;
use crate::limits::{LimitTable, ONSET_WEIGHT, onset, onset_part};
use crate::math::{Frame, Quat, Transform, slerp_short};
use crate::optim::{Interrupt, Source, Work};
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::ops::{Range, RangeInclusive};
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Name of a constraint; unique in the process, never reused, rising in the order of creation. It
/// has no influence on any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintId(pub u64);

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// What a constraint is, fixed when it is added.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintDefinition {
    /// A chain or tree with any solver.
    Chain(ChainDefinition),
    /// A limb in closed form.
    TwoBone(TwoBoneDefinition),
    /// A joint that follows a rotation goal or another joint's rotation.
    CopyRotation(CopyRotationDefinition),
    /// A chain that follows a curve.
    Spline(SplineDefinition),
    /// Joints that share the turn towards a target.
    Aim(AimDefinition),
}

impl ConstraintDefinition {
    fn set_up(&self, skeleton: &Skeleton) -> Result<Box<dyn ConstraintKind>, ConstraintError> {
        Ok(match self {
            Self::Chain(d) => Box::new(ChainConstraint::new(skeleton, d)?),
            Self::TwoBone(d) => Box::new(TwoBone::new(skeleton, d)?),
            Self::CopyRotation(d) => Box::new(CopyRotation::new(skeleton, d)?),
            Self::Spline(d) => Box::new(Spline::new(skeleton, d)?),
            Self::Aim(d) => Box::new(Aim::new(skeleton, d)?),
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: ConstraintId,
    /// Which place of the frame it is solved at; the stack knows only their order.
    slot: u8,
    pub(super) kind: Box<dyn ConstraintKind>,
    pub(super) input: ConstraintInput,
    outcome: Outcome,
    /// While it has a switch time.
    pub(super) switch: Option<Box<Switch>>,
    /// Whether something after its solve has moved what the outcome is measured at.
    is_stale: bool,
}

/// An animator's constraints.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintStack {
    /// Sorted by slot, then by creation: the order in which they are solved.
    pub(super) entries: Vec<Entry>,
    /// Local transforms before a constraint, to restore when a result is not finite.
    before: Vec<Transform>,
    /// Share of their iterations that chains make, 0 … 1.
    iteration_scale: f32,
    /// Steps that a frame may take, and those that are left of them.
    max_work: u32,
    work: Work,
    /// Whether an outcome is stale.
    has_stale: bool,
    /// Whether a constraint has a switch time.
    pub(super) has_switches: bool,
}

impl Default for ConstraintStack {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            before: Vec::new(),
            iteration_scale: 1.0,
            max_work: Work::MOST,
            work: Work::default(),
            has_stale: false,
            has_switches: false,
        }
    }
}

impl ConstraintStack {
    /// Adds a constraint to a slot, behind those that are there.
    pub fn add(
        &mut self,
        skeleton: &Skeleton,
        limits: &LimitTable,
        definition: &ConstraintDefinition,
        slot: u8,
    ) -> Result<ConstraintId, ConstraintError> {
        let mut kind = definition.set_up(skeleton)?;
        for joint in 0..skeleton.joint_count() {
            kind.set_limit(skeleton, joint, &limits.limit(skeleton, joint));
        }
        kind.set_iteration_scale(self.iteration_scale);
        let id = ConstraintId(NEXT_ID.fetch_add(1, Ordering::Relaxed));
        let input = ConstraintInput::new(kind.end_count());
        self.insert(Entry { id, slot, kind, input, outcome: Outcome::INACTIVE, switch: None, is_stale: false });
        self.before.resize(skeleton.joint_count(), Transform::IDENTITY);
        Ok(id)
    }
    fn insert(&mut self, entry: Entry) {
        let place = self.entries.partition_point(|e| (e.slot, e.id) < (entry.slot, entry.id));
        self.entries.insert(place, entry);
    }
    pub fn remove(&mut self, id: ConstraintId) -> Option<()> {
        let place = self.entries.iter().position(|e| e.id == id)?;
        self.entries.remove(place);
        self.note_switches();
        Some(())
    }
    pub(super) fn entry(&self, id: ConstraintId) -> Option<&Entry> {
        self.entries.iter().find(|e| e.id == id)
    }
    pub fn input(&self, id: ConstraintId) -> Option<&ConstraintInput> {
        self.entry(id).map(|e| &e.input)
    }
    pub fn input_mut(&mut self, id: ConstraintId) -> Option<&mut ConstraintInput> {
        self.entries.iter_mut().find(|e| e.id == id).map(|e| &mut e.input)
    }
    pub fn outcome(&self, id: ConstraintId) -> Option<Outcome> {
        self.entry(id).map(|e| e.outcome)
    }
    /// The outcomes of a slot, in the order of the solve.
    pub fn outcomes(&self, slot: u8) -> impl Iterator<Item = Outcome> {
        self.entries[self.range(slot)].iter().map(|e| e.outcome)
    }
    /// Slots and inputs in the order of the solve.
    pub fn inputs(&self) -> impl Iterator<Item = (u8, &ConstraintInput)> {
        self.entries.iter().map(|e| (e.slot, &e.input))
    }
    /// The constraints in the order of the solve.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ConstraintId> + '_ {
        self.entries.iter().map(|e| e.id)
    }
    pub fn slot(&self, id: ConstraintId) -> Option<u8> {
        self.entry(id).map(|e| e.slot)
    }
    /// Moves a constraint to a slot. Within a slot the order is that of creation.
    pub fn set_slot(&mut self, id: ConstraintId, slot: u8) -> Option<()> {
        let place = self.entries.iter().position(|e| e.id == id)?;
        let entry = self.entries.remove(place);
        self.insert(Entry { slot, ..entry });
        Some(())
    }
    /// Where the constraints of a slot are in the order of the solve.
    pub fn range(&self, slot: u8) -> Range<usize> {
        // Nearly always all are in one slot.
        match (self.entries.first(), self.entries.last()) {
            (Some(first), Some(last)) if first.slot == slot && last.slot == slot => 0..self.entries.len(),
            _ => self.entries.partition_point(|e| e.slot < slot)..self.entries.partition_point(|e| e.slot <= slot),
        }
    }

    /// Whether there is no constraint.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether a constraint with weight is in one of these slots, or one that remembers for a
    /// switch what is there without it.
    pub fn is_active_in(&self, slots: RangeInclusive<u8>) -> bool {
        self.entries.iter().any(|e| slots.contains(&e.slot) && (e.has_weight() || e.switch.is_some()))
    }

    /// The angle at which a pole leaves a constraint's answer to its present input on this pose
    /// (frames up to date) as it is.
    pub fn angle_in_place(
        &self,
        skeleton: &Skeleton,
        pose: &Pose,
        world: &Frame,
        id: ConstraintId,
        pole_ws: Pole,
    ) -> Option<f32> {
        let entry = self.entry(id)?;
        let input = ConstraintInput { pole_ws: Some(pole_ws), ..entry.input.clone() };
        let angle_rad = entry.kind.clone().angle_in_place(skeleton, pose, world, &input);
        Some(if angle_rad.is_finite() { angle_rad } else { 0.0 })
    }

    /// Whether a constraint is a limb whose bend side is arbitrary.
    pub fn is_bend_arbitrary(&self, id: ConstraintId) -> Option<bool> {
        Some(self.entry(id)?.kind.is_bend_arbitrary())
    }

    /// Takes over the limits of a joint, which have changed in the table.
    pub fn take_limit(&mut self, skeleton: &Skeleton, limits: &LimitTable, joint: JointIndex) {
        let limit = limits.limit(skeleton, joint);
        for entry in &mut self.entries {
            entry.kind.set_limit(skeleton, joint, &limit);
        }
    }

    /// Scales the iterations of chains, clamped to 0 … 1; each keeps at least one. Default 1.
    pub fn set_iteration_scale(&mut self, share: f32) {
        let share = weight01(share);
        if share != self.iteration_scale {
            self.iteration_scale = share;
            for entry in &mut self.entries {
                entry.kind.set_iteration_scale(share);
            }
        }
    }
    /// See [`Self::set_iteration_scale`].
    pub fn iteration_scale(&self) -> f32 {
        self.iteration_scale
    }

    /// Draws goals and poles of the constraints that have weight, on a pose whose frames are up to
    /// date; marks are `mark_m` metres long.
    pub fn draw(&mut self, pose: &Pose, world: &Frame, mark_m: f32, sink: &mut dyn Sink) {
        let mut lines = GoalLines { pose, world, mark_m, sink };
        for entry in self.entries.iter_mut().filter(|e| e.has_weight()) {
            entry.kind.draw(&mut lines, &entry.input);
        }
    }
    /// Sets how many steps all constraints of a frame may take together; at most [`Work::MOST`].
    pub fn set_max_work(&mut self, steps: u32) {
        self.max_work = steps.min(Work::MOST);
    }
    /// See [`Self::set_max_work`].
    pub fn max_work(&self) -> u32 {
        self.max_work
    }
    /// Sets or clears what may end a frame's solves early.
    pub fn set_interrupt(&mut self, source: Source, interrupt: Option<Arc<dyn Interrupt>>) {
        self.work.set_interrupt(source, interrupt);
    }
    /// Starts a frame.
    #[inline(always)]
    pub fn begin_frame(&mut self) {
        self.work.begin(self.max_work);
    }
    /// Steps that are left of the frame's.
    pub fn work_mut(&mut self) -> &mut Work {
        &mut self.work
    }

    /// Solves every constraint of a [`Self::range`] that has weight, and adds what is left of
    /// switches. Model frames are updated before they are read; those of the joints that the last
    /// constraint moved are stale afterwards.
    pub fn solve(
        &mut self,
        range: Range<usize>,
        (skeleton, limits): (&Skeleton, &LimitTable),
        pose: &mut Pose,
        world: &Frame,
    ) {
        let (earlier, entries) = self.entries[..range.end].split_at_mut(range.start);
        let mut updated = false;
        // Nothing but constraints reads frames here: what the last one moved needs no update, and
        // a single constraint only needs the frames that it reads.
        let last = entries.iter().rposition(Entry::has_weight);
        let is_only = entries.iter().position(Entry::has_weight) == last;
        for place in 0..entries.len() {
            let (before, rest) = entries.split_at_mut(place);
            let entry = &mut rest[0];
            (entry.outcome, entry.is_stale) = (Outcome::INACTIVE, false);
            if !entry.has_weight() {
                entry.kind.reset();
                let is_read = updated && Some(place) < last;
                let earlier = earlier.iter_mut().chain(before);
                self.has_stale |= entry.ease_unsolved((skeleton, limits), pose, is_read, earlier);
                continue;
            }
            if !updated {
                if is_only {
                    entry.kind.update_frames(skeleton, pose, &entry.input);
                } else {
                    pose.update(skeleton);
                }
                updated = true;
            }
            let (top, detached) = (entry.kind.top(), entry.kind.detached_end());
            let moved = skeleton.subtree(top);
            let detached = detached.map(|joint| joint..joint + 1).unwrap_or(0..0);
            for range in [moved.clone(), detached.clone()] {
                self.before[range.clone()].copy_from_slice(&pose.local()[range]);
            }
            let weight = entry.kind.weight(&entry.input);
            let excess_rad = if weight < ONSET_WEIGHT { entry.kind.excess_rad(pose) } else { 0.0 };
            let mut outcome = entry.kind.solve(skeleton, pose, world, &entry.input, &mut self.work);
            if outcome.status == Status::Inactive {
                let earlier = earlier.iter_mut().chain(before);
                self.has_stale |= entry.ease_unsolved((skeleton, limits), pose, Some(place) < last, earlier);
                continue;
            }
            let is_sound = |range: Range<JointIndex>| pose.local()[range].iter().all(Transform::is_finite);
            let sound = is_sound(moved.clone()) && is_sound(detached.clone());
            if !sound {
                for range in [moved.clone(), detached.clone()] {
                    pose.local_mut()[range.clone()].copy_from_slice(&self.before[range]);
                }
            } else if let Some(part) = onset_part(weight, onset(excess_rad)) {
                for range in [moved.clone(), detached.clone()] {
                    come_in(&mut pose.local_mut()[range.clone()], &self.before[range], part);
                }
                (entry.is_stale, self.has_stale) = (true, true);
            }
            outcome.keep_finite(sound);
            entry.outcome = outcome;
            if entry.switch.is_some() {
                entry.settle_outcome(skeleton, pose, world);
                let is_solved = |joint| moved.contains(&joint) || detached.contains(&joint);
                let animation = |joint: JointIndex| is_solved(joint).then(|| self.before[joint].rotation);
                entry.ease((skeleton, limits), pose, animation);
            }
            if last != Some(place) {
                pose.update_subtree(skeleton, top);
                if !detached.is_empty() {
                    pose.update_subtree(skeleton, detached.start);
                }
            }
            for earlier in earlier.iter_mut().chain(before) {
                self.has_stale |= earlier.mark_moved(&moved) | earlier.mark_moved(&detached);
            }
        }
    }

    /// Something other than a constraint has moved joints: marks outcomes so far that are measured
    /// at them as stale.
    pub fn mark_moved(&mut self, joints: &Range<JointIndex>) {
        for entry in &mut self.entries {
            self.has_stale |= entry.mark_moved(joints);
        }
    }
    /// Measures the outcomes that are stale on the pose as it is now.
    #[inline(always)]
    pub fn measure_stale(&mut self, skeleton: &Skeleton, pose: &mut Pose, world: &Frame) {
        if core::mem::take(&mut self.has_stale) {
            self.measure_again(skeleton, pose, world);
        }
    }
    #[cold]
    #[inline(never)]
    fn measure_again(&mut self, skeleton: &Skeleton, pose: &mut Pose, world: &Frame) {
        for Entry { kind, input, outcome, is_stale, .. } in &mut self.entries {
            if core::mem::take(is_stale) {
                *outcome = kind.measure_again(skeleton, pose, world, input, *outcome);
            }
        }
    }
    /// Whether a constraint with weight in one of these slots may move a joint.
    pub fn may_move(&self, skeleton: &Skeleton, slots: RangeInclusive<u8>, joint: JointIndex) -> bool {
        let moves = |kind: &dyn ConstraintKind| {
            skeleton.subtree(kind.top()).contains(&joint) || kind.detached_end() == Some(joint)
        };
        self.entries.iter().any(|e| slots.contains(&e.slot) && e.may_move() && moves(&*e.kind))
    }
}

/// Goes back from a result to the pose before it, but for a part of the way.
fn come_in(result: &mut [Transform], before: &[Transform], part: f32) {
    for (local, before) in result.iter_mut().zip(before).filter(|(local, before)| local != before) {
        local.position = before.position.lerp(local.position, part);
        local.rotation = slerp_short(before.rotation.normalize(), local.rotation, part);
    }
}

impl Entry {
    /// Joints in this range have moved; whether that makes the outcome stale.
    fn mark_moved(&mut self, joints: &Range<JointIndex>) -> bool {
        let is_stale = self.outcome.status != Status::Inactive && self.kind.is_measured_in(joints);
        self.is_stale |= is_stale;
        is_stale
    }
    fn has_weight(&self) -> bool {
        weight01(self.input.weight) > 0.0
    }
    fn may_move(&self) -> bool {
        self.has_weight() || self.switch.as_ref().is_some_and(|switch| switch.is_due(&self.input))
    }
    /// Adds what is left of its switch; whether that has changed the pose. `animation`: local
    /// rotations before its solve, of the joints that the solve may have changed.
    fn ease(
        &mut self,
        rig: (&Skeleton, &LimitTable),
        pose: &mut Pose,
        animation: impl Fn(JointIndex) -> Option<Quat>,
    ) -> bool {
        let Self { switch, input, .. } = self;
        switch.as_mut().is_some_and(|switch| switch.apply(rig, pose, input, animation))
    }
    /// While it switches, its outcome is that of the solution: measured before the offset is added.
    fn settle_outcome(&mut self, skeleton: &Skeleton, pose: &mut Pose, world: &Frame) {
        let Self { kind, input, outcome, is_stale, switch, .. } = self;
        if *is_stale && switch.as_ref().is_some_and(|switch| switch.is_due(input)) {
            *outcome = kind.measure_again(skeleton, pose, world, input, *outcome);
            *is_stale = false;
        }
    }
    /// [`Self::ease`] where it has solved nothing: updates the frames that are read later, and
    /// marks outcomes of constraints before it. Returns whether one is stale.
    #[inline(always)]
    fn ease_unsolved<'a>(
        &mut self,
        rig: (&Skeleton, &LimitTable),
        pose: &mut Pose,
        is_read: bool,
        earlier: impl Iterator<Item = &'a mut Self>,
    ) -> bool {
        self.switch.is_some() && self.ease(rig, pose, |_| None) && self.moved_unsolved(rig.0, pose, is_read, earlier)
    }
    #[cold]
    #[inline(never)]
    fn moved_unsolved<'a>(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        is_read: bool,
        earlier: impl Iterator<Item = &'a mut Self>,
    ) -> bool {
        let (top, detached) = (self.kind.top(), self.kind.detached_end());
        if is_read {
            pose.update_subtree(skeleton, top);
            if let Some(joint) = detached {
                pose.update_subtree(skeleton, joint);
            }
        }
        let moved = [skeleton.subtree(top), detached.map_or(0..0, |joint| joint..joint + 1)];
        let mut is_any_stale = false;
        for earlier in earlier {
            is_any_stale |= earlier.mark_moved(&moved[0]) | earlier.mark_moved(&moved[1]);
        }
        is_any_stale
    }
}
