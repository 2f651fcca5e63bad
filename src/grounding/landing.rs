//! Where and when a swinging foot lands, and where on a step it should.
//!
//! Gaits repeat: a foot comes down where it did before, as seen from the root, after as long a
//! swing. The first swing mirrors
//! the place where the foot took off. Near the end the foot's own slowing counts more than habit,
//! so the prediction goes over
//! to where a foot of this speed comes to rest. A host that knows the clip may give both (see
//! [`super::LegPose`]).

use super::motion::soft_floor;
use super::profile::Profile;
use crate::math::Vec3;

/// Part of the way from ball to ankle by which a foot may stand beyond an edge on its heel.
pub(super) const OVERHANG: f32 = 0.6;
/// Shortest time to landing that is reckoned with, seconds.
pub(super) const LEAST_TIME: f32 = 0.06;

/// Seconds a foot takes to come to rest, per m/s.
const SLOWING: f32 = 0.05;

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
    /// How fast a swing that was not seen from its start slows down, m/s²; 0 for others.
    pub slowing: f32,
}

/// Seconds left and place of the landing, at the height of the ball.
pub(super) fn predict(swing: &Swing, up: Vec3) -> (f32, Vec3) {
    let mut left = swing.usual - swing.elapsed;
    // A foot that comes down is there when its height is used up.
    let habit = swing.usual_place.is_some();
    let low = swing.elapsed > 0.1 && swing.height < 0.06 && swing.ball_velocity.length() < 0.6;
    if swing.height_rate < -0.05 && (!habit || swing.elapsed > 0.4 * swing.usual || low) {
        left = left.min(2.0 * swing.height.max(0.0) / -swing.height_rate + 0.03);
    }
    if swing.slowing > 4.0 {
        left = left.min(1.2 * swing.ball_velocity.length() / swing.slowing);
    }
    // One that is late still has to slow down.
    let left = left.max((swing.ball_velocity.length() * SLOWING).min(0.25)).max(LEAST_TIME);
    let slowing = swing.ball + swing.ball_velocity * (left * 0.33);
    let habit = swing.usual_place.map_or(slowing, |place| swing.root + place + swing.root_velocity * left);
    // A foot that goes on beyond its usual place, or away from it, is on a way of its own.
    let habit = if (habit - swing.ball).dot(swing.ball_velocity) < 0.0 { slowing } else { habit };
    let done = swing.elapsed / (swing.elapsed + left);
    let trust = ((done - 0.45) / 0.45).clamp(0.0, 1.0);
    let place = habit + (slowing - habit) * (trust * trust * (3.0 - 2.0 * trust));
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
const MARGIN: f32 = 0.015;
/// Steps whose edge is known less well than this do not move a foothold yet, metres.
const KNOWN: f32 = 0.09;

/// How far along the way the ball should be moved from `at` so that the foot does not stand with
/// its toes in a riser, nor with
/// its heel in the step behind it. 0 where it stands well; at most `most`.
pub(super) fn foothold_shift(profile: &Profile, at: f32, span: Span, most: f32) -> f32 {
    let mut candidates = [0.0; 9];
    let mut count = 1;
    for edge in profile.edges().filter(|e| e.far - e.near < KNOWN) {
        if count + 2 > candidates.len() {
            break;
        }
        if edge.after > edge.before {
            candidates[count] = edge.near - MARGIN - span.toe - at;
            candidates[count + 1] = edge.far + MARGIN - at;
            count += 2;
        } else {
            candidates[count] = edge.near - MARGIN - at;
            candidates[count + 1] = edge.far + MARGIN + span.ankle - at;
            count += 2;
        }
    }
    let mut best = (f32::MAX, 0.0);
    for shift in candidates[..count].iter().copied().filter(|s| s.abs() <= most) {
        let cost = conflict(profile, at + shift, span) * 4.0 + shift.abs();
        if cost < best.0 - 1e-4 {
            best = (cost, shift);
        }
    }
    best.1
}

/// Whether a foot whose ball is at `at` stands neither in a riser nor across an edge.
pub(super) fn stands_well(profile: &Profile, at: f32, span: Span) -> bool {
    conflict(profile, at, span) < MARGIN
}

/// How deep a foot whose ball is at `at` is in the steps around it, metres along the way.
fn conflict(profile: &Profile, at: f32, span: Span) -> f32 {
    let mut deep: f32 = 0.0;
    for edge in profile.edges().filter(|e| e.far - e.near < KNOWN) {
        if edge.after > edge.before {
            // Toes before a riser, or the ball not yet on the step.
            let into = (at + span.toe - edge.near).min(edge.far - at);
            deep = deep.max(into + MARGIN * 0.5);
        } else {
            // The heel still above the higher step, the ball already beyond its edge.
            let into = (at - edge.near).min(edge.far + span.ankle - at);
            deep = deep.max(into + MARGIN * 0.5);
        }
    }
    soft_floor(deep, 1e-3)
}
