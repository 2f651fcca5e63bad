//! Where and when a swinging foot lands, and where on a step it should.
//!
//! Gaits repeat: a foot comes down where it did before, as seen from the root, after as long a
//! swing. The first swing mirrors
//! the place where the foot took off. Near the end the foot's own slowing counts more than habit,
//! so the prediction goes over
//! to where a foot of this speed comes to rest. A host that knows the clip may give both (see
//! [`super::LegPose`]).

use super::profile::Profile;
use crate::math::float::smooth01;
use crate::math::{Vec3, plain_length};

/// Part of the way from ball to ankle by which a foot may stand beyond an edge on its heel.
pub(super) const OVERHANG: f32 = 0.6;
/// Shortest time to landing that is reckoned with, seconds.
pub(super) const LEAST_TIME: f32 = 0.06;

/// Seconds a foot takes to come to rest, per m/s.
const SLOWING: f32 = 0.06;
/// How fast a foot may slow down, m/s²: it goes on at least as far as that needs.
const MAX_SLOWING: f32 = 40.0;
/// How fast a foot slows down whose own way counts rather than its habit, m/s².
const SLOWS: f32 = 10.0;

/// What the prediction starts from, world space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swing {
    /// Seconds since take-off, and how long swings last.
    pub elapsed: f32,
    pub usual: f32,
    /// Root, and its velocity over the ground, without vertical part.
    pub root: Vec3,
    pub root_velocity: Vec3,
    /// Place of the last plant as seen from the root, if there was one.
    pub usual_place: Option<Vec3>,
    /// Animated ball and its velocity over the ground, without vertical part.
    pub ball: Vec3,
    pub ball_velocity: Vec3,
    /// Height of the ball over its standing height, and its rate.
    pub height: f32,
    pub height_rate: f32,
    /// How fast the foot slows down, m/s².
    pub slowing: f32,
    /// Whether the swing was seen from its start.
    pub whole: bool,
}

/// Seconds left and place of the landing, at the height of the ball.
#[inline(always)]
pub(super) fn predict(swing: &Swing, up: Vec3) -> (f32, Vec3) {
    let mut left = swing.usual - swing.elapsed;
    let speed = plain_length(swing.ball_velocity);
    // A foot that comes down is there when its height is used up.
    let habit = swing.usual_place.is_some();
    let low = swing.elapsed > 0.1 && swing.height < 0.06 && speed < 0.6;
    if swing.height_rate < -0.05 && (!habit || swing.elapsed > 0.4 * swing.usual || low) {
        left = left.min(2.0 * swing.height.max(0.0) / -swing.height_rate + 0.03);
    }
    if swing.slowing > 4.0 {
        let times = if swing.whole { 2.0 } else { 1.2 };
        left = left.min(times * speed / swing.slowing);
    }
    // One that is late still has to slow down.
    let left = left.max((speed * SLOWING).min(0.25)).max(LEAST_TIME);
    let slowing = swing.ball + swing.ball_velocity * (left * 0.33);
    let habit = swing.usual_place.map_or(slowing, |place| swing.root + place + swing.root_velocity * left);
    // A foot that goes on beyond its usual place, or away from it, is on a way of its own.
    let habit = if (habit - swing.ball).dot(swing.ball_velocity) < 0.0 { slowing } else { habit };
    // Nor does a fast foot stop at once.
    let going = swing.ball_velocity * (1.0 / speed.max(1e-3));
    let least = speed * speed / (2.0 * MAX_SLOWING);
    let habit = habit + going * (least - (habit - swing.ball).dot(going)).max(0.0);
    let done = swing.elapsed / (swing.elapsed + left);
    let trust = smooth01((done - 0.45) / 0.45);
    // One that slows down comes to rest by itself, a low and slow one where it is.
    let trust = trust.max((swing.slowing / SLOWS).clamp(0.0, 1.0));
    let ends = swing.elapsed > 0.1 && swing.height < 0.08 && swing.height_rate < 0.1;
    let trust = if ends { trust.max(((1.2 - speed) / 0.6).clamp(0.0, 1.0)) } else { trust };
    let place = habit + (slowing - habit) * trust;
    (left, place + up * (swing.ball - place).dot(up))
}

/// How a foot is along its way: lengths from the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// To the tip of the toes.
    pub toe: f32,
    /// Back to the ankle.
    pub ankle: f32,
}

/// Margin of a foothold to edges, metres.
const MARGIN: f32 = 0.016;
/// Steps whose edge is known less well than this do not move a foothold yet, metres.
const KNOWN: f32 = 0.09;

/// Heights that differ by less are of the same step, metres.
const SAME_STEP: f32 = 0.04;
/// What another step than the one chosen before costs, early and late in a swing, metres.
const OTHER_STEP: f32 = 0.01;
const OTHER_STEP_LATE: f32 = 0.2;
/// How much further than usual a foothold may be moved late in a swing, to stay on its step.
const LATE_ROOM: f32 = 0.08;

/// What was chosen before: height of that step, and how late it would be to choose another, 0 … 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub height: f32,
    pub late: f32,
}

/// How far along the way the ball should be moved from `at` so that the foot does not stand with
/// its toes in a riser, nor with its heel in the step behind it. 0 where it stands well, and where
/// no step is within `most`; the step chosen before may be further away the later it is.
#[inline(always)]
pub(super) fn foothold_shift(profile: &Profile, at: f32, span: Span, most: f32, kept: Option<Kept>) -> f32 {
    let mut best = (f32::MAX, 0.0);
    let mut from = f32::NEG_INFINITY;
    let mut consider = |from: f32, to: f32| {
        // Too narrow for the foot: the middle of what is least wrong.
        let (low, high, tight) = if from <= to { (from, to, 0.0) } else { (to, from, from - to) };
        let shift = at.clamp(low, high) - at;
        let mut cost = shift.abs() + 4.0 * tight;
        let mut room = most;
        if let Some(kept) = kept {
            let other = profile.height_at(at + shift).is_none_or(|h| (h - kept.height).abs() > SAME_STEP);
            if other {
                cost += OTHER_STEP + OTHER_STEP_LATE * kept.late;
            } else {
                room += LATE_ROOM * kept.late;
            }
        }
        if shift.abs() <= room && cost < best.0 {
            best = (cost, shift);
        }
    };
    let mut edges = profile.edges().filter(|e| e.far - e.near < KNOWN);
    loop {
        let edge = edges.next();
        let up = edge.is_some_and(|edge| edge.after > edge.before);
        consider(from, edge.map_or(f32::INFINITY, |edge| edge.near - MARGIN - if up { span.toe } else { 0.0 }));
        let Some(edge) = edge else { return best.1 };
        from = edge.far + MARGIN + if up { 0.0 } else { span.ankle };
    }
}
