//! Parts of the body that are animated: the tracked body and the pose that it is written over, each
//! with its weight.
//!
//! # Method
//!
//! The animation is read as the body's bones are, in canonical space. Its model space is carried by
//! a *root* on the floor: below the hips of the tracked body as in the T-pose, before these follow
//! hands out of reach, and facing where the hips face, of which it follows the turns softly (a
//! glance to the side is no step).
//! Legs get the animation's foot from there, and are solved as all legs are, heels rising where a
//! foot is out of reach. The hips get the animation's offset from the T-pose; then the spine spans
//! what is between them and the head, and arms what is between the ribs and the hands, which both
//! stay. Arms are carried by the ribs.
//!
//! All of this is a function of the tracked body of the last update and the animation, so a frame
//! may be applied any number of times, to any number of poses. What lasts between frames goes on in
//! the update.

use super::arms;
use super::legs::{self, FootGoal};
use super::limb_blend::{self, Limb, LimbRig};
use super::parts::TrackedPart;
use super::posture::{Posture, heading, rotates};
use super::prior::Placed;
use super::rig::Rig;
use super::role::{HEAD, HIPS, arm, leg};
use super::steps::Step;
use super::stream::decay;
use super::swivel::Swivel;
use super::trunk;
use crate::math::soft::soft_limit;
use crate::math::{Quat, Vec3, axis_angle, fraction, normalize_or, slerp_short, twist_angle};
use bytemuck::{Pod, Zeroable};

/// How the root turns after the hips: half-life of the way, seconds, and speed at most, rad/s.
const TURNS_WITHIN: f32 = 0.15;
const TURNS_AT_MOST: f32 = 3.0;
/// Farthest that the animation moves the hips, in heights of the avatar's head, and how softly it
/// gets there.
const MOST_MOVED: f32 = 0.12;
const MOVED_SOFTNESS: f32 = 0.5;
/// Part of the hips' height above the floor by which the animation lowers them at most.
const MOST_LOWERED: f32 = 0.5;
/// Radians that a clavicle may turn toward its hand, for each length of the clavicle by which the
/// shoulder was moved.
const CLAVICLE_TURNS: f32 = 2.0;

/// What lasts of the animated parts: numbers only. Limbs: left arm, right arm, left leg, right leg.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Animated {
    weights: [f32; TrackedPart::COUNT],
    /// Whether a weight below 1 is not of fingers.
    active: u32,
    /// Whether root and swivels go on from the frame before.
    started: u32,
    /// Where the root faces.
    facing: Quat,
    /// The hips, before they follow hands out of reach.
    hips: Vec3,
    /// Goals of the tracked body's feet, before what is out of reach gives way.
    due: [FootGoal; 2],
    /// Of the frame before, and of this one.
    last: [Swivel; 4],
    next: [Swivel; 4],
    /// Time since the frame before.
    dt: f32,
    /// Whether a foot was wholly animated when it was shown last, and where: in the host's world.
    shown: [u32; 2],
    shown_at: [Vec3; 2],
    shown_turn: [Quat; 2],
}

impl Animated {
    pub fn new(rig: &Rig) -> Self {
        let foot = |side: usize| rig.at[leg(side)[2]];
        let due = |side: usize| FootGoal { at: foot(side), turn: Quat::IDENTITY, assumed: 1.0, turn_assumed: 1.0 };
        Self {
            weights: [1.0; TrackedPart::COUNT],
            active: 0,
            started: 0,
            facing: Quat::IDENTITY,
            hips: rig.at[HIPS],
            due: [due(0), due(1)],
            last: [Swivel::default(); 4],
            next: [Swivel::default(); 4],
            dt: 0.0,
            shown: [0; 2],
            shown_at: [Vec3::ZERO; 2],
            shown_turn: [Quat::IDENTITY; 2],
        }
    }
    pub fn weight(&self, part: TrackedPart) -> f32 {
        self.weights[part.index()]
    }
    pub fn set_weight(&mut self, part: TrackedPart, weight: f32) {
        self.weights[part.index()] = weight;
        self.active = self.activity();
    }
    fn activity(&self) -> u32 {
        let of_bones = &self.weights[..=TrackedPart::Pelvis.index()];
        u32::from(of_bones.iter().any(|weight| *weight < 1.0))
    }
    /// Parts of the tracked fingers, left and right.
    pub fn fingers(&self) -> [f32; 2] {
        [self.weight(TrackedPart::LeftFingers), self.weight(TrackedPart::RightFingers)]
    }
    /// Whether an arm, a leg or the pelvis is animated at all.
    pub fn is_active(&self) -> bool {
        self.active != 0
    }
    /// Forgets what lasts between frames.
    pub fn reset(&mut self) {
        self.started = 0;
        self.shown = [0; 2];
    }
    pub fn is_sound(&self) -> bool {
        self.weights.iter().all(|w| (0.0..=1.0).contains(w))
            && self.active == self.activity()
            && rotates(&self.facing)
            && self.hips.is_finite()
            && self.dt.is_finite()
            && self.due.iter().all(FootGoal::is_sound)
            && self.last.iter().chain(&self.next).all(Swivel::is_sound)
            && self.shown_at.iter().all(|p| p.is_finite())
            && self.shown_turn.iter().all(rotates)
    }

    /// Places feet that were wholly animated when they were shown last: they stand there, and step
    /// from there.
    #[cold]
    pub fn stand_where_shown(&mut self, steps: &mut [Step; 2]) {
        for (side, step) in steps.iter_mut().enumerate() {
            if self.shown[side] != 0 {
                step.stand(self.shown_at[side], self.shown_turn[side]);
            }
        }
        self.shown = [0; 2];
    }
    /// Takes the tracked body of a frame. `hips`: before they follow hands out of reach; `due`:
    /// goals of the feet.
    pub fn follow(&mut self, body: &Posture, hips: Vec3, due: &[FootGoal; 2], dt: f32) {
        (self.due, self.hips) = (*due, hips);
        if self.is_active() {
            self.go_on(heading(body.turn[HIPS]), dt);
        } else {
            self.started = 0;
        }
    }
    #[cold]
    fn go_on(&mut self, hips: Quat, dt: f32) {
        self.dt = dt;
        if self.started == 0 {
            (self.started, self.facing, self.last) = (1, hips, [Swivel::default(); 4]);
            return;
        }
        self.last = self.next;
        let off = twist_angle((hips * self.facing.conjugate()).normalize(), Vec3::Y);
        let most = TURNS_AT_MOST * dt;
        let step = (off * decay(TURNS_WITHIN, dt)).max(-most).min(most);
        self.facing = (axis_angle(Vec3::Y, step) * self.facing).normalize();
    }
    /// The animation's model space on the floor of the tracked body. It turns about the upright
    /// line through the head, as a tracked body does that turns with the head.
    fn root(&self, rig: &Rig, body: &Posture) -> Placed {
        let hips = heading(body.turn[HIPS]);
        let facing = if self.started == 0 { hips } else { self.facing };
        let axis = self.hips - hips * rig.span(HEAD, HIPS);
        let at = axis - facing * rig.at[HEAD];
        (Vec3::new(at.x, 0.0, at.z), facing)
    }

    /// The body as it is shown. `origin`: tracking space in the host's world.
    pub fn blend(&mut self, rig: &Rig, body: &Posture, animation: &Posture, origin: Placed) -> Posture {
        let mut out = *body;
        let root = self.root(rig, body);
        let moved = 1.0 - self.weight(TrackedPart::Pelvis);
        if moved > 0.0 {
            move_hips(rig, animation, root.1, moved, &mut out);
        }
        if self.started == 0 {
            self.last = [Swivel::default(); 4];
        }
        self.next = [Swivel::default(); 4];
        for side in 0..2 {
            let parts = [[TrackedPart::LeftArm, TrackedPart::LeftLeg], [TrackedPart::RightArm, TrackedPart::RightLeg]];
            let [arm, leg] = parts[side].map(|part| self.weight(part));
            if arm < 1.0 || moved > 0.0 {
                self.blend_arm(rig, side, arm, (body, animation), &mut out);
            }
            if leg < 1.0 || moved > 0.0 {
                self.blend_leg(rig, side, leg, (body, animation, root), &mut out);
            }
            self.shown[side] = u32::from(leg <= 0.0);
            let foot = super::role::leg(side)[2];
            self.shown_at[side] = origin.0 + origin.1 * out.at[foot];
            self.shown_turn[side] = (origin.1 * heading(out.turn[foot])).normalize();
        }
        out
    }

    fn blend_arm(
        &mut self,
        rig: &Rig,
        side: usize,
        weight: f32,
        (body, animation): (&Posture, &Posture),
        out: &mut Posture,
    ) {
        let [clavicle, upper, lower, hand] = arm(side);
        let bones = [upper, lower, hand];
        let ribs = |of: &Posture| (of.at[rig.top], of.turn[rig.top]);
        let animated = Limb::of(animation, bones).carried(ribs(animation), ribs(out));
        let tracked = Limb::of(body, bones);
        let at = animated.end.lerp(tracked.end, weight);
        let goal = (at, slerp_short(animated.end_turn, tracked.end_turn, weight));
        if rig.has(clavicle) {
            out.at[clavicle] = out.carried(rig, clavicle);
            let own = |of: &Posture| (of.turn[rig.top].conjugate() * of.turn[clavicle]).normalize();
            out.turn[clavicle] = (out.turn[rig.top] * slerp_short(own(animation), own(body), weight)).normalize();
            // Where the ribs were moved away from a hand that stays, the clavicle follows it.
            let (from, span) = (out.at[clavicle], rig.span(clavicle, upper));
            let way = normalize_or(out.turn[clavicle] * span, Vec3::X);
            let length = span.length();
            let moved = (out.carried(rig, upper) - body.at[upper]).length();
            let most = CLAVICLE_TURNS * weight * moved / length.max(1e-6);
            let toward = arms::clavicle_toward(rig, side, (from, way), at, most);
            out.turn[clavicle] = (crate::math::arc(way, toward) * out.turn[clavicle]).normalize();
        }
        let root = out.carried(rig, upper);
        let span = |from: usize, to: usize| normalize_or(rig.span(from, to), Vec3::X);
        let measures = LimbRig {
            lengths: rig.limb(bones),
            along: [span(upper, lower), span(lower, hand)],
            // The forearm bends forward.
            front: Vec3::NEG_Z,
        };
        let swivel = (out.turn[rig.top], &self.last[side], &mut self.next[side], self.dt);
        limb_blend::build(&measures, [&animated, &tracked], weight, (root, goal), swivel, bones, out);
    }

    fn blend_leg(
        &mut self,
        rig: &Rig,
        side: usize,
        weight: f32,
        (body, animation, root): (&Posture, &Posture, Placed),
        out: &mut Posture,
    ) {
        let [thigh, shin, foot, toes] = leg(side);
        let bones = [thigh, shin, foot];
        let animated = Limb::of(animation, bones).carried((Vec3::ZERO, Quat::IDENTITY), root);
        let tracked = Limb::of(body, bones);
        let own = FootGoal { at: animated.end, turn: animated.end_turn, assumed: 1.0, turn_assumed: 1.0 };
        let due = own.toward(&self.due[side], weight);
        let hip = out.carried(rig, thigh);
        let goal = legs::heel_raised(rig, side, &due, hip);
        let span = |from: usize, to: usize| normalize_or(rig.span(from, to), Vec3::NEG_Y);
        let measures =
            LimbRig { lengths: rig.limb(bones), along: [span(thigh, shin), span(shin, foot)], front: Vec3::Z };
        let swivel = (out.turn[HIPS], &self.last[2 + side], &mut self.next[2 + side], self.dt);
        let ends = (hip, (goal.at, goal.turn));
        limb_blend::build(&measures, [&animated, &tracked], weight, ends, swivel, bones, out);
        if rig.has(toes) {
            let bent = |foot: Quat, toes: Quat| (foot.conjugate() * toes).normalize();
            let animated = bent(animation.turn[foot], animation.turn[toes]);
            let tracked = bent(self.due[side].turn, body.turn[toes]);
            out.at[toes] = out.at[foot] + goal.turn * rig.span(foot, toes);
            out.turn[toes] = (due.turn * slerp_short(animated, tracked, weight)).normalize();
        }
    }
}

/// Adds `part` of the animation's offset of the hips from the T-pose, and of their turn.
fn move_hips(rig: &Rig, animation: &Posture, facing: Quat, part: f32, out: &mut Posture) {
    let way = facing * (animation.at[HIPS] - rig.at[HIPS]);
    let far = way.length();
    let mut way = way * (part * soft_limit(far, MOST_MOVED * rig.height(), MOVED_SOFTNESS) / far.max(1e-9));
    way.y = way.y.max(-MOST_LOWERED * out.at[HIPS].y.max(0.0));
    let turn = (facing * animation.turn[HIPS] * facing.conjugate()).normalize();
    trunk::move_hips(rig, way, fraction(turn, part), out);
}
