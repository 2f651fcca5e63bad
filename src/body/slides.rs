//! Bones that change length in a solve, and joints that slide along an axis of their parent.
//!
//! A joint whose limits have a stretch, and which has one child among the joints that take part,
//! carries an elastic bone. Its coordinate is the factor on the length that the incoming pose has.
//! A change `σ` of the factor moves everything below by `σ u`, where `u` is the bone at that
//! length; so a wrench `(τ, f)` below does the work `u · f` on it, and it adds `w u uᵀ` to the
//! mobility of everything below. Bounds are an active set as borders of turns are: a factor that
//! stands on a bound and is pulled out of it has no mobility, one that crosses it moves to it.
//!
//! A joint that slides is the same with another coordinate: its way from the rest position, in
//! units of its parent, with `u` the axis at the length of a unit. It takes part in every step;
//! bones change length only where joints alone do not suffice.
//!
//! Chains measure their stretch in the same way ([`crate::chains`]); where a joint has several
//! children that take part, its bones do not stretch here.

use super::plan::Plan;
use super::state::{Coordinates, State};
use crate::limits::{self, Stretch};
use crate::math::{Vec3, normalize_or};
use crate::optim::MobilitySum;
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Change of the factor, squared, that costs as much as a squared radian of a joint, at full
/// compliance. So little that lengths give way after joints: where the reach of the joints ends,
/// the pull to the incoming pose takes almost nothing out of the lengths.
const MOBILITY: f32 = 5e-3;
/// Distance from a bound within which a factor stands on it.
const ON_BOUND: f32 = 1e-6;

/// A step that crosses a bound by less is cut; solving again would cost more than it gains.
const CROSSED: f32 = 1e-4;

/// What a coordinate means.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlideKind {
    /// A factor on the length of the bone that leads to the place.
    Stretch,
    /// The way of the place itself.
    Move {
        /// The axis in the parent joint's space, unit.
        axis_ps: Vec3,
        /// The rest position there.
        rest_ps: Vec3,
    },
}

/// One elastic bone, or joint that slides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    /// Place of the bone's lower end, or of the joint.
    pub place: usize,
    pub kind: SlideKind,
    /// Whether it takes part in steps.
    is_on: bool,
    /// Coordinate now, and in the incoming pose.
    at: f32,
    home: f32,
    /// Bounds of the coordinate.
    pub min: f32,
    pub max: f32,
    /// Mobility of the coordinate when no bound holds it.
    pub willing: f32,
    /// Mobility now.
    pub mobility: f32,
    /// What a unit of the coordinate moves, model space.
    pub direction: Vec3,
    /// Share of the body's mass that it moves.
    pub mass_share: f32,
    /// Way back to the incoming pose, and what the posture moves of it.
    pub back: f32,
    pub bias: f32,
    /// The step.
    pub change: f32,
    /// The step as it was taken, for one that is cut.
    pub taken: f32,
}

/// The elastic bones and sliding joints of a body, in the order of their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Slides {
    list: Vec<Slide>,
    /// Whether bones take part in steps, and whether joints do.
    stretches: bool,
    has_moves: bool,
}

impl Slides {
    /// Room for all bones and joints of a body.
    pub fn new(joints: usize) -> Self {
        Self { list: Vec::with_capacity(2 * joints), ..Self::default() }
    }
    /// Forgets all.
    pub fn clear(&mut self) {
        self.list.clear();
        self.has_moves = false;
    }
    /// Takes over the stretch of the limits of the joint at a place. Does not allocate.
    pub fn add(&mut self, plan: &Plan, joint_place: usize, stretch: Stretch) {
        let Stretch { min, max, compliance } = stretch;
        if compliance <= 0.0 || max <= min {
            return;
        }
        let mut children = (1..plan.parents.len()).filter(|place| plan.parents[*place] == joint_place);
        let (Some(place), None) = (children.next(), children.next()) else { return };
        self.insert(place, SlideKind::Stretch, (min, max), MOBILITY * compliance);
    }
    /// Takes over the slide of the limits of the joint at a place. Does not allocate.
    pub fn add_move(&mut self, skeleton: &Skeleton, place: usize, joint: JointIndex, slide: &limits::Slide) {
        if place == 0 || slide.max <= slide.min || slide.mobility <= 0.0 {
            return;
        }
        let rest = &skeleton.rest_local()[joint];
        let axis_ps = rest.rotation * normalize_or(slide.axis, Vec3::Y);
        let kind = SlideKind::Move { axis_ps, rest_ps: rest.position };
        self.insert(place, kind, (slide.min, slide.max), slide.mobility);
        self.has_moves = true;
    }
    fn insert(&mut self, place: usize, kind: SlideKind, (min, max): (f32, f32), willing: f32) {
        let slide = Slide {
            place,
            kind,
            is_on: false,
            at: 0.0,
            home: if matches!(kind, SlideKind::Stretch) { 1.0 } else { 0.0 },
            min,
            max,
            willing,
            mobility: willing,
            direction: Vec3::ZERO,
            mass_share: 0.0,
            back: 0.0,
            bias: 0.0,
            change: 0.0,
            taken: 0.0,
        };
        self.list.insert(self.list.partition_point(|other| other.place < place), slide);
    }
    /// Reads where joints that slide are in a pose, into a state that was loaded from it.
    pub fn begin(&mut self, plan: &Plan, pose: &Pose, state: &mut State) {
        for slide in &mut self.list {
            if let SlideKind::Move { axis_ps, rest_ps } = slide.kind {
                let (joint, parent) = (plan.joints[slide.place], plan.joints[plan.parents[slide.place]]);
                slide.home = axis_ps.dot(pose.local()[joint].position - rest_ps);
                // As long as the scales of the pose have it.
                let above = pose.model(parent);
                let axis = above.rotation.conjugate() * above.vector_out(axis_ps);
                state.load_slide(slide.place, axis, slide.home);
            }
        }
    }
    /// Whether no bone can change its length.
    pub fn is_stiff(&self) -> bool {
        self.list.iter().all(Slide::is_move)
    }
    /// All, whether they take part in steps or not.
    pub fn all(&self) -> &[Slide] {
        &self.list
    }
    /// Whether bones take part in the steps to come.
    pub fn switch(&mut self, stretches: bool) {
        self.stretches = stretches;
        for slide in &mut self.list {
            slide.is_on = stretches || slide.is_move();
        }
    }
    /// Those that take part, and others without mobility.
    #[inline(always)]
    pub fn active(&self) -> &[Slide] {
        if self.stretches || self.has_moves { &self.list } else { &[] }
    }
    /// The same, to be changed.
    #[inline(always)]
    pub fn active_mut(&mut self) -> &mut [Slide] {
        if self.stretches || self.has_moves { &mut self.list } else { &mut [] }
    }
    /// Where the most compliant bones are at their bounds, the others take over by their
    /// compliance: compliances are shares among those that can still move. Steps of so little
    /// mobility would be cut by the curvature of the limb's turns again and again.
    pub fn take_over(&mut self) {
        let bones = || self.active().iter().filter(|slide| !slide.is_move());
        let most = bones().fold(0.0_f32, |most, slide| most.max(slide.willing));
        let free = bones().fold(0.0_f32, |most, slide| most.max(slide.mobility));
        if free > 0.0 && free < most {
            let bones = self.active_mut().iter_mut().filter(|slide| !slide.is_move());
            bones.for_each(|slide| slide.mobility *= most / free);
        }
    }
    /// Greatest length of the bone that leads to a place.
    pub fn longest(&self, place: usize, state: &State) -> f32 {
        let link = &state.links[place];
        let mut length = link.offset.length();
        for slide in self.list.iter().filter(|slide| slide.place == place) {
            length = match slide.kind {
                SlideKind::Stretch => length * slide.max,
                SlideKind::Move { .. } => length + link.slide.length() * (slide.max - slide.min),
            };
        }
        length
    }
    /// What depends on the pose alone.
    pub fn load(&mut self, state: &State, mass_below: &[(f32, Vec3)]) {
        let share = if state.total_mass > 0.0 { 1.0 / state.total_mass } else { 0.0 };
        for slide in self.active_mut() {
            let link = &state.links[slide.place];
            let (unit, at) = match slide.kind {
                SlideKind::Stretch => (link.offset, state.at.stretch[slide.place]),
                SlideKind::Move { .. } => (link.slide * state.at.stretch[slide.place], state.at.moved[slide.place]),
            };
            slide.direction = state.rotation[link.parent] * unit;
            slide.mass_share = mass_below[slide.place].0 * share;
            slide.at = at;
            slide.back = slide.home - at;
        }
    }
    /// Sum over those that take part of their squared way back to the incoming pose, in radians².
    pub fn posture_square(&self, at: &Coordinates) -> f32 {
        self.active().iter().filter(|slide| slide.is_on).fold(0.0, |sum, slide| {
            let back = slide.home - slide.coordinate(at);
            sum + back * back / slide.willing
        })
    }
    /// Takes the step; coordinates stay inside their bounds.
    pub fn apply(&self, at: &mut Coordinates) {
        for slide in self.active().iter().filter(|slide| slide.is_on) {
            let (change, min, max) = (slide.change, slide.min, slide.max);
            let coordinate = slide.coordinate_mut(at);
            *coordinate = (*coordinate + change).clamp(min, max);
        }
    }
    /// Takes joints that slide into their bounds.
    pub fn project(&self, at: &mut Coordinates) {
        for slide in self.list.iter().filter(|slide| slide.is_move()) {
            let (min, max) = (slide.min, slide.max);
            let coordinate = slide.coordinate_mut(at);
            *coordinate = coordinate.clamp(min, max);
        }
    }
    /// Whether the joint at a place slides and stands at an end of its way.
    pub fn is_at_end(&self, place: usize, at: &Coordinates) -> bool {
        let moves = self.list.iter().filter(|slide| slide.is_move());
        moves.filter(|slide| slide.place == place).any(|slide| {
            let now = slide.coordinate(at);
            now <= slide.min + ON_BOUND || now >= slide.max - ON_BOUND
        })
    }
    /// A joint's local position as the answer has it.
    pub fn placed(&self, place: usize, at: &Coordinates, before_ps: Vec3) -> Vec3 {
        let stretch = at.stretch[place];
        let mut position = before_ps;
        for slide in self.list.iter().filter(|slide| slide.place == place) {
            if let SlideKind::Move { axis_ps, .. } = slide.kind {
                let moved = at.moved[place] - slide.home;
                position = if moved == 0.0 { position } else { position + axis_ps * moved };
            }
        }
        if stretch == 1.0 { position } else { position * stretch }
    }
}

impl Slide {
    /// Whether a joint slides; else a bone changes its length.
    pub fn is_move(&self) -> bool {
        matches!(self.kind, SlideKind::Move { .. })
    }
    /// Length that a unit of the coordinate moves, model space.
    pub fn unit_m(&self, state: &State) -> f32 {
        let link = &state.links[self.place];
        match self.kind {
            SlideKind::Stretch => link.offset.length(),
            SlideKind::Move { .. } => link.slide.length() * state.at.stretch[self.place],
        }
    }
    /// The coordinate.
    pub fn coordinate(&self, at: &Coordinates) -> f32 {
        match self.kind {
            SlideKind::Stretch => at.stretch[self.place],
            SlideKind::Move { .. } => at.moved[self.place],
        }
    }
    /// The coordinate, to be changed.
    pub fn coordinate_mut<'a>(&self, at: &'a mut Coordinates) -> &'a mut f32 {
        match self.kind {
            SlideKind::Stretch => &mut at.stretch[self.place],
            SlideKind::Move { .. } => &mut at.moved[self.place],
        }
    }
    /// Mobility and bias of a step in which `force` pulls along the direction; `scale` is the
    /// curvature that the posture's is a part of.
    pub fn start(&mut self, force: f32, posture: f32, scale: f32) {
        let outward = force + self.back * posture / self.willing;
        let is_held =
            (self.at >= self.max - ON_BOUND && outward > 0.0) || (self.at <= self.min + ON_BOUND && outward < 0.0);
        let is_still = is_held || !self.is_on;
        self.mobility = if is_still { 0.0 } else { self.willing };
        self.bias = if is_still { 0.0 } else { self.back * posture / scale };
    }
    /// Takes the bound that the step, cut to a share, crosses into the active set: the coordinate
    /// moves to it, whatever pulls. False when there is none.
    pub fn fix_crossed(&mut self, share: f32) -> bool {
        let next = self.at + self.change * share;
        let bound = next.clamp(self.min, self.max);
        if self.mobility <= 0.0 || (next - bound).abs() <= CROSSED {
            return false;
        }
        (self.mobility, self.bias) = (0.0, bound - self.at);
        true
    }
    /// Mobility of what is below, with this one's.
    pub fn added_to(&self, sum: &MobilitySum) -> MobilitySum {
        sum.with_slide(self.direction, self.mobility)
    }
}
