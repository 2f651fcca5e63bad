//! Bones that change length in a solve: sliding joints along the bone.
//!
//! A joint whose limits have a stretch, and which has one child among the joints that take part,
//! carries an elastic bone. Its coordinate is the factor on the length that the incoming pose has.
//! A change `σ` of the factor moves everything below by `σ u`, where `u` is the bone at that
//! length; so a wrench `(τ, f)` below does the work `u · f` on it, and it adds `w u uᵀ` to the
//! mobility of everything below. Bounds are an active set as borders of turns are: a factor that
//! stands on a bound and is pulled out of it has no mobility, one that crosses it moves to it.
//!
//! Chains measure their stretch in the same way ([`crate::chains`]); where a joint has several
//! children that take part, its bones do not stretch here.

use super::plan::Plan;
use super::state::State;
use crate::limits::Stretch;
use crate::math::Vec3;
use crate::optim::MobilitySum;

/// Change of the factor, squared, that costs as much as a squared radian of a joint, at full
/// compliance. So little that lengths give way after joints: where the reach of the joints ends,
/// the pull to the incoming pose takes almost nothing out of the lengths.
const MOBILITY: f32 = 5e-3;
/// Distance from a bound within which a factor stands on it.
const ON_BOUND: f32 = 1e-6;

/// A step that crosses a bound by less is cut; solving again would cost more than it gains.
const CROSSED: f32 = 1e-4;

/// One elastic bone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    /// Place of the bone's lower end.
    pub place: usize,
    /// Bounds of the factor.
    pub min: f32,
    pub max: f32,
    /// Mobility of the factor when no bound holds it.
    pub willing: f32,
    /// Mobility now.
    pub mobility: f32,
    /// The bone at the incoming length, model space.
    pub direction: Vec3,
    /// Share of the body's mass that it moves.
    pub mass_share: f32,
    /// Way back to the incoming length, and what the posture moves of it.
    pub back: f32,
    pub bias: f32,
    /// The step.
    pub change: f32,
}

/// The elastic bones of a body, in the order of their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Slides {
    list: Vec<Slide>,
    /// Whether they take part in steps.
    is_on: bool,
}

impl Slides {
    /// Room for all bones of a body.
    pub fn new(joints: usize) -> Self {
        Self { list: Vec::with_capacity(joints), is_on: false }
    }
    /// Forgets all bones.
    pub fn clear(&mut self) {
        self.list.clear();
    }
    /// Takes over the stretch of the limits of the joint at a place. Does not allocate.
    pub fn add(&mut self, plan: &Plan, joint_place: usize, stretch: Stretch) {
        let Stretch { min, max, compliance } = stretch;
        if compliance <= 0.0 || max <= min {
            return;
        }
        let mut children = (1..plan.parents.len()).filter(|place| plan.parents[*place] == joint_place);
        let (Some(place), None) = (children.next(), children.next()) else { return };
        let willing = MOBILITY * compliance;
        let slide = Slide {
            place,
            min,
            max,
            willing,
            mobility: willing,
            direction: Vec3::ZERO,
            mass_share: 0.0,
            back: 0.0,
            bias: 0.0,
            change: 0.0,
        };
        self.list.insert(self.list.partition_point(|other| other.place < place), slide);
    }
    /// Whether no bone can change its length.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// Whether they take part in the steps to come.
    pub fn switch(&mut self, is_on: bool) {
        self.is_on = is_on;
    }
    /// Those that take part.
    #[inline(always)]
    pub fn active(&self) -> &[Slide] {
        if self.is_on { &self.list } else { &[] }
    }
    /// The same, to be changed.
    #[inline(always)]
    pub fn active_mut(&mut self) -> &mut [Slide] {
        if self.is_on { &mut self.list } else { &mut [] }
    }
    /// Where the most compliant bones are at their bounds, the others take over by their
    /// compliance: compliances are shares among those that can still move. Steps of so little
    /// mobility would be cut by the curvature of the limb's turns again and again.
    pub fn take_over(&mut self) {
        let most = self.active().iter().fold(0.0_f32, |most, slide| most.max(slide.willing));
        let free = self.active().iter().fold(0.0_f32, |most, slide| most.max(slide.mobility));
        if free > 0.0 && free < most {
            self.active_mut().iter_mut().for_each(|slide| slide.mobility *= most / free);
        }
    }
    /// Greatest factor of the bone that leads to a place.
    pub fn longest(&self, place: usize) -> f32 {
        self.list.iter().find(|slide| slide.place == place).map_or(1.0, |slide| slide.max)
    }
    /// What depends on the pose alone.
    pub fn load(&mut self, state: &State, mass_below: &[(f32, Vec3)]) {
        let share = if state.total_mass > 0.0 { 1.0 / state.total_mass } else { 0.0 };
        for slide in self.active_mut() {
            let link = &state.links[slide.place];
            slide.direction = state.rotation[link.parent] * link.offset;
            slide.mass_share = mass_below[slide.place].0 * share;
            slide.back = 1.0 - state.at.stretch[slide.place];
        }
    }
    /// Sum over the bones of their squared way back to the incoming length, in radians².
    pub fn posture_square(&self, stretch: &[f32]) -> f32 {
        self.active().iter().fold(0.0, |sum, slide| {
            let back = 1.0 - stretch[slide.place];
            sum + back * back / slide.willing
        })
    }
    /// Takes the step; factors stay inside their bounds.
    pub fn apply(&self, stretch: &mut [f32]) {
        for slide in self.active() {
            let factor = &mut stretch[slide.place];
            *factor = (*factor + slide.change).clamp(slide.min, slide.max);
        }
    }
}

impl Slide {
    /// Mobility and bias of a step in which `force` pulls at the bone's lower end along the bone;
    /// `scale` is the curvature that the posture's is a part of.
    pub fn start(&mut self, factor: f32, force: f32, posture: f32, scale: f32) {
        let outward = force + self.back * posture / self.willing;
        let is_held =
            (factor >= self.max - ON_BOUND && outward > 0.0) || (factor <= self.min + ON_BOUND && outward < 0.0);
        self.mobility = if is_held { 0.0 } else { self.willing };
        self.bias = if is_held { 0.0 } else { self.back * posture / scale };
    }
    /// Takes the bound that the step, cut to a share, crosses into the active set: the factor moves
    /// to it, whatever pulls. False when there is none.
    pub fn fix_crossed(&mut self, share: f32) -> bool {
        let factor = 1.0 - self.back;
        let next = factor + self.change * share;
        let bound = next.clamp(self.min, self.max);
        if self.mobility <= 0.0 || (next - bound).abs() <= CROSSED {
            return false;
        }
        (self.mobility, self.bias) = (0.0, bound - factor);
        true
    }
    /// Mobility of what is below, with this bone's.
    pub fn added_to(&self, sum: &MobilitySum) -> MobilitySum {
        sum.with_slide(self.direction, self.mobility)
    }
}
