//! The constraints of one animator, solved in the order they were added, and the limits of its joints.

use super::aim::{Aim, AimDefinition};
use super::chain::{ChainConstraint, ChainDefinition};
use super::copy_rotation::{CopyRotation, CopyRotationDefinition};
use super::error::ConstraintError;
use super::goal::ConstraintInput;
use super::spline::{Spline, SplineDefinition};
use super::two_bone::{TwoBone, TwoBoneDefinition};
use crate::chains::Pole;
use crate::limits::JointModel;
use crate::math::{Frame, Transform};
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::sync::atomic::{AtomicU64, Ordering};

/// Name of a constraint; never given out twice in a process, on whichever animator. It has no influence on any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstraintId(pub u64);

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// What a constraint is, fixed when it is added.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintDefinition {
    /// A chain or tree with any solver.
    Chain(ChainDefinition),
    /// A limb in closed form.
    TwoBone(TwoBoneDefinition),
    /// A joint that turns as told, or as another one is turned.
    CopyRotation(CopyRotationDefinition),
    /// A chain that follows a curve.
    Spline(SplineDefinition),
    /// Joints that share the turn towards a target.
    Aim(AimDefinition),
}

#[derive(Clone, Debug)]
enum Kind {
    Chain(Box<ChainConstraint>),
    TwoBone(Box<TwoBone>),
    CopyRotation(Box<CopyRotation>),
    Spline(Box<Spline>),
    Aim(Box<Aim>),
}

impl Kind {
    fn new(skeleton: &Skeleton, definition: &ConstraintDefinition) -> Result<Self, ConstraintError> {
        Ok(match definition {
            ConstraintDefinition::Chain(d) => Self::Chain(ChainConstraint::new(skeleton, d)?.into()),
            ConstraintDefinition::TwoBone(d) => Self::TwoBone(TwoBone::new(skeleton, d)?.into()),
            ConstraintDefinition::CopyRotation(d) => Self::CopyRotation(CopyRotation::new(skeleton, d)?.into()),
            ConstraintDefinition::Spline(d) => Self::Spline(Spline::new(skeleton, d)?.into()),
            ConstraintDefinition::Aim(d) => Self::Aim(Aim::new(skeleton, d)?.into()),
        })
    }
    fn is_bend_arbitrary(&self) -> bool {
        matches!(self, Self::TwoBone(limb) if limb.is_bend_arbitrary())
    }
    fn end_count(&self) -> usize {
        match self {
            Self::Chain(chain) => chain.end_count(),
            Self::Spline(spline) => spline.point_count(),
            Self::TwoBone(_) | Self::CopyRotation(_) | Self::Aim(_) => 1,
        }
    }
    /// The topmost joint it moves.
    fn top(&self) -> JointIndex {
        match self {
            Self::Chain(chain) => chain.top(),
            Self::TwoBone(limb) => limb.top(),
            Self::CopyRotation(copy) => copy.top(),
            Self::Spline(spline) => spline.top(),
            Self::Aim(aim) => aim.top(),
        }
    }
    /// A joint it moves that does not hang from `top`: a limb's end that lies elsewhere.
    fn apart(&self) -> Option<JointIndex> {
        match self {
            Self::TwoBone(limb) => limb.detached_end(),
            _ => None,
        }
    }
    fn set_model(&mut self, skeleton: &Skeleton, joint: JointIndex, model: &JointModel) {
        match self {
            Self::Chain(chain) => chain.set_model(skeleton, joint, model),
            Self::TwoBone(limb) => limb.set_model(skeleton, joint, model),
            Self::CopyRotation(copy) => copy.set_model(joint, model),
            Self::Spline(spline) => spline.set_model(joint, model),
            Self::Aim(aim) => aim.set_model(joint, model),
        }
    }
    fn set_iteration_scale(&mut self, share: f32) {
        match self {
            Self::Chain(chain) => chain.set_iteration_scale(share),
            Self::TwoBone(limb) => limb.set_iteration_scale(share),
            Self::CopyRotation(_) | Self::Spline(_) | Self::Aim(_) => {}
        }
    }
    fn angle_in_place(&mut self, skeleton: &Skeleton, pose: &Pose, world: &Frame, input: &ConstraintInput) -> f32 {
        match self {
            Self::Chain(chain) => chain.angle_in_place(skeleton, pose, world, input),
            Self::TwoBone(limb) => limb.angle_in_place(skeleton, pose, world, input),
            Self::Aim(aim) => aim.angle_in_place(skeleton, pose, world, input),
            Self::CopyRotation(_) | Self::Spline(_) => 0.0,
        }
    }
    /// Brings those frames up to date that `solve` reads.
    fn update_frames(&self, skeleton: &Skeleton, pose: &mut Pose, input: &ConstraintInput) {
        match self {
            Self::Chain(chain) => chain.update_frames(skeleton, pose, input),
            Self::TwoBone(limb) => limb.update_frames(skeleton, pose, input),
            Self::Aim(aim) => pose.update_joints(skeleton, aim.lineage()),
            Self::CopyRotation(copy) => pose.update_joints(skeleton, copy.lineage()),
            Self::Spline(_) => pose.update(skeleton),
        }
    }
    fn solve(&mut self, skeleton: &Skeleton, pose: &mut Pose, world: &Frame, input: &ConstraintInput) -> Outcome {
        match self {
            Self::Chain(chain) => chain.solve(skeleton, pose, world, input),
            Self::TwoBone(limb) => limb.solve(skeleton, pose, world, input),
            Self::CopyRotation(copy) => copy.solve(skeleton, pose, world, input),
            Self::Spline(spline) => spline.solve(skeleton, pose, world, input),
            Self::Aim(aim) => aim.solve(skeleton, pose, world, input),
        }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    id: ConstraintId,
    kind: Kind,
    input: ConstraintInput,
    outcome: Outcome,
}

/// An animator's constraints, in the order they are solved, and what its joints may do.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintStack {
    entries: Vec<Entry>,
    /// One per joint once a limit was set, else empty: all joints are free.
    limits: Vec<JointModel>,
    /// Local transforms before a constraint, for taking back what no f32 can hold.
    before: Vec<Transform>,
    /// Share of their iterations that chains do without, 0 … 1.
    saved: f32,
}

impl ConstraintStack {
    pub fn add(
        &mut self,
        skeleton: &Skeleton,
        definition: &ConstraintDefinition,
    ) -> Result<ConstraintId, ConstraintError> {
        let mut kind = Kind::new(skeleton, definition)?;
        for (joint, model) in self.limits.iter().enumerate() {
            kind.set_model(skeleton, joint, model);
        }
        kind.set_iteration_scale(1.0 - self.saved);
        let id = ConstraintId(NEXT_ID.fetch_add(1, Ordering::Relaxed));
        let input = ConstraintInput::new(kind.end_count());
        self.entries.push(Entry { id, kind, input, outcome: Outcome::INACTIVE });
        self.before.resize(skeleton.joint_count(), Transform::IDENTITY);
        Ok(id)
    }
    pub fn remove(&mut self, id: ConstraintId) -> Option<()> {
        let place = self.entries.iter().position(|e| e.id == id)?;
        self.entries.remove(place);
        Some(())
    }
    fn entry(&self, id: ConstraintId) -> Option<&Entry> {
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

    /// Whether there is no constraint.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The angle at which a pole leaves a constraint's answer to its present input on this pose (frames up to date) as it is.
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

    /// Whether a constraint is a limb that nothing tells to which side it bends.
    pub fn is_bend_arbitrary(&self, id: ConstraintId) -> Option<bool> {
        Some(self.entry(id)?.kind.is_bend_arbitrary())
    }

    /// What a joint may do; free unless set.
    pub fn joint_limits(&self, joint: JointIndex) -> &JointModel {
        const FREE: &JointModel = &JointModel::FREE;
        self.limits.get(joint).unwrap_or(FREE)
    }
    pub fn set_joint_limits(&mut self, skeleton: &Skeleton, joint: JointIndex, model: &JointModel) {
        if self.limits.is_empty() {
            self.limits.resize(skeleton.joint_count(), JointModel::FREE);
        }
        self.limits[joint] = *model;
        for entry in &mut self.entries {
            entry.kind.set_model(skeleton, joint, model);
        }
    }

    /// Allows chains this share of their iterations, limited to 0 … 1; one iteration at least. All of them, 1, by default.
    pub fn set_iteration_scale(&mut self, share: f32) {
        let saved = 1.0 - weight01(share);
        if saved != self.saved {
            self.saved = saved;
            for entry in &mut self.entries {
                entry.kind.set_iteration_scale(1.0 - saved);
            }
        }
    }

    /// Solves every constraint with weight.
    pub fn solve(&mut self, skeleton: &Skeleton, pose: &mut Pose, world: &Frame) {
        let mut updated = false;
        // Only constraints read frames, so what the last one moved needs none, and one alone only those it reads.
        let has_weight = |entry: &Entry| weight01(entry.input.weight) > 0.0;
        let last = self.entries.iter().rposition(has_weight);
        let alone = self.entries.iter().position(has_weight) == last;
        for (place, entry) in self.entries.iter_mut().enumerate() {
            entry.outcome = Outcome::INACTIVE;
            if weight01(entry.input.weight) <= 0.0 {
                continue;
            }
            if !updated {
                if alone {
                    entry.kind.update_frames(skeleton, pose, &entry.input);
                } else {
                    pose.update(skeleton);
                }
                updated = true;
            }
            let (top, apart) = (entry.kind.top(), entry.kind.apart());
            let moved = skeleton.subtree(top);
            let apart = apart.map(|joint| joint..joint + 1).unwrap_or(0..0);
            for range in [moved.clone(), apart.clone()] {
                self.before[range.clone()].copy_from_slice(&pose.local()[range]);
            }
            let mut outcome = entry.kind.solve(skeleton, pose, world, &entry.input);
            if outcome.status == Status::Inactive {
                continue;
            }
            let is_sound = |range: core::ops::Range<JointIndex>| pose.local()[range].iter().all(Transform::is_finite);
            let sound = is_sound(moved.clone()) && is_sound(apart.clone());
            if !sound {
                for range in [moved, apart.clone()] {
                    pose.local_mut()[range.clone()].copy_from_slice(&self.before[range]);
                }
            }
            if last != Some(place) {
                pose.update_subtree(skeleton, top);
                if !apart.is_empty() {
                    pose.update_subtree(skeleton, apart.start);
                }
            }
            outcome.keep_finite(sound);
            entry.outcome = outcome;
        }
    }
}
