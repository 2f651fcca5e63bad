//! A chain laid on a curve: every joint on it, bones as long as they are (or stretched evenly),
//! rolled along it without needless turning.
//!
//! # Derivation
//!
//! *The curve* is a row of cubics `a + b t + c t² + d t³`. Bézier: each from four control points,
//! the last of one the first of the next. Catmull–Rom: through all control points, with knots `Δ =
//! √|p' − p|` (centripetal: no cusps and no loops between points), so the slope at `p₁` between
//! `p₀` and `p₂` is `(p₁−p₀)/Δ₀ − (p₂−p₀)/(Δ₀+Δ₁) + (p₂−p₁)/Δ₁`, times the `Δ` of the segment; ends
//! continue straight (`p₋₁ = 2p₀ − p₁`). Points that coincide give a quotient of 0 over 0 whose
//! limit is 0. Beyond its last point the curve goes on straight.
//!
//! *The walk.* From a joint at `P` the next one is where the curve first leaves the sphere about
//! `P` with the bone's length as radius: the bone is a chord, so both joints are on the curve and
//! its length is kept exactly. Samples are searched forward for the first one outside, and the
//! crossing found by false position: a walk costs bones + samples. A curve that comes back nearer
//! than a bone's length can leave a sphere more than once; where the first crossing vanishes, the
//! rest of the chain jumps to the next. Curves whose turns are wider than the bones are long have
//! no such place.
//!
//! *Stretch.* All bones get one factor. The factor at which the last joint comes to the curve's end
//! is found by false position over whole walks and taken by the weight `stretch`, within its
//! bounds.
//!
//! *Roll.* Rotation-minimising frames on both sides: along the animated bones and along the new
//! ones the frame of a bone goes over to the next by the shortest turn, and the first bone by the
//! shortest turn from the animation to the curve. So a joint keeps the roll it has against its
//! bone's frame, whatever the curve does. (This is the double reflection of Wang and others for the
//! polygon of bones: reflected in the chord of the bones' midpoints and then in the difference of
//! the directions, both in the plane of two bones, a frame turns in that plane.) On top come the
//! goal rolls, in proportion to the length from the first joint to the last.
//!
//! *Limits* by projection, from the first joint on: a joint that may not turn as far leaves the
//! curve, the next one aims at its own place again.
//!
//! Sources: E. Catmull, R. Rom, "A class of local interpolating splines" (1974); C. Yuksel, S.
//! Schaefer, J. Keyser, "Parameterization and applications of Catmull–Rom curves", CAD 43 (2011);
//! W. Wang, B. Jüttler, D. Zheng, Y. Liu, "Computation of rotation minimizing frames", ACM TOG 27
//! (2008).

use crate::chains::model::{Chain, ChainPose};
use crate::math::{Mat3, Quat, Vec3, arc, axis_angle, float, length, normalize_or, twist_angle};

/// How control points make a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CurveKind {
    /// Through all points, 2 or more; centripetal.
    #[default]
    CatmullRom,
    /// Piecewise cubic: point, handle, handle, point, …; 3 k + 1 points.
    Bezier,
}

/// Most control points of a curve on a constraint.
pub const MAX_CONTROL_POINTS: usize = 256;

/// Samples of one segment in which the walk searches.
const SAMPLES: usize = 24;

/// A curve of cubic segments.
#[derive(Clone, Debug)]
pub struct Curve {
    kind: CurveKind,
    point_count: usize,
    /// Coefficients of 1, t, t², t³.
    segments: Box<[[Vec3; 4]]>,
}

impl Curve {
    /// A curve of this many control points, all at the origin; `None` when that number makes no
    /// curve of the kind.
    pub fn new(kind: CurveKind, point_count: usize) -> Option<Self> {
        let segments = match kind {
            CurveKind::CatmullRom if point_count >= 2 => point_count - 1,
            CurveKind::Bezier if point_count >= 4 && point_count % 3 == 1 => (point_count - 1) / 3,
            _ => return None,
        };
        Some(Self { kind, point_count, segments: vec![[Vec3::ZERO; 4]; segments].into() })
    }
    /// Sets the control points, as many as the curve was made for; others are ignored.
    pub fn set_points(&mut self, points: &[Vec3]) {
        if points.len() != self.point_count {
            return;
        }
        match self.kind {
            CurveKind::Bezier => {
                for (segment, p) in self.segments.iter_mut().zip(points.windows(4).step_by(3)) {
                    *segment = [
                        p[0],
                        (p[1] - p[0]) * 3.0,
                        (p[2] - p[1] * 2.0 + p[0]) * 3.0,
                        p[3] - p[0] + (p[1] - p[2]) * 3.0,
                    ];
                }
            }
            CurveKind::CatmullRom => {
                let last = points.len() - 1;
                for (i, segment) in self.segments.iter_mut().enumerate() {
                    let (p1, p2) = (points[i], points[i + 1]);
                    let p0 = if i == 0 { p1 * 2.0 - p2 } else { points[i - 1] };
                    let p3 = if i + 1 == last { p2 * 2.0 - p1 } else { points[i + 2] };
                    let own = float::sqrt(length(p2 - p1));
                    let start = slope(p0, p1, p2) * own;
                    let end = slope(p1, p2, p3) * own;
                    *segment = [p1, start, (p2 - p1) * 3.0 - start * 2.0 - end, (p1 - p2) * 2.0 + start + end];
                }
            }
        }
    }
    /// Takes the curve to another space: `point' = linear · point`.
    pub fn map(&mut self, linear: &Mat3) {
        self.segments.iter_mut().flatten().for_each(|c| *c = *linear * *c);
    }
    /// Number of cubic segments.
    pub fn segment_count(&self) -> usize {
        self.segments.len()
    }
    /// Where it begins.
    pub fn start(&self) -> Vec3 {
        self.segments[0][0]
    }
    /// Where its last point is.
    pub fn end(&self) -> Vec3 {
        self.at(self.segments.len() - 1, 1.0)
    }
    /// Point at `t` 0 … 1 of a segment; the nearest segment for numbers out of range.
    pub fn at(&self, segment: usize, t: f32) -> Vec3 {
        let [a, b, c, d] = self.segments[segment.min(self.segments.len() - 1)];
        a + (b + (c + d * t) * t) * t
    }
    /// Direction in which it goes on beyond its end: the last way it went.
    fn onward(&self, fallback: Vec3) -> Vec3 {
        let end = self.end();
        let size = length(end - self.start()).max(1e-12);
        for segment in (0..self.segments.len()).rev() {
            let [_, b, c, d] = self.segments[segment];
            let slope = b + c * 2.0 + d * 3.0;
            if segment + 1 == self.segments.len() && length(slope) > 1e-5 * size {
                return normalize_or(slope, fallback);
            }
            for sample in (0..SAMPLES).rev() {
                let way = end - self.at(segment, sample as f32 / SAMPLES as f32);
                if length(way) > 1e-5 * size {
                    return normalize_or(way, fallback);
                }
            }
        }
        fallback
    }
}

/// Slope of the centripetal curve at `p1`, per unit of knots.
fn slope(p0: Vec3, p1: Vec3, p2: Vec3) -> Vec3 {
    let (before, after) = (float::sqrt(length(p1 - p0)), float::sqrt(length(p2 - p1)));
    let over = |v: Vec3, knots: f32| if knots > 1e-18 { v * (1.0 / knots) } else { Vec3::ZERO };
    over(p1 - p0, before) - over(p2 - p0, before + after) + over(p2 - p1, after)
}

/// How a chain is laid on a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplineSettings {
    /// How far the bones' common factor goes from 1 (0: lengths are kept, the default) to the one
    /// at which the last joint is at the curve's end (1).
    pub stretch: f32,
    /// Bounds of the factor; default 0.1 and 10.
    pub stretch_bounds: [f32; 2],
    /// Roll at the first and at the last joint, radians, about the bone, counted from the roll that
    /// the pose has; default 0.
    pub roll_rad: [f32; 2],
    /// Rotations that the first and the last joint roll to, before `roll_rad`.
    pub up: [Option<RollGoal>; 2],
    /// The first joint moves to the curve's start (default); otherwise it stays, and the curve
    /// should begin there.
    pub start_on_curve: bool,
}

/// Two rotations, in the solve space, and the way from one to the other: of each counts the roll
/// that brings the joint as near to it as a turn about the bone can. Half a turn away from the
/// chain's own roll both ways are equal, and the roll changes over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollGoal {
    /// At `weight` 0.
    pub from: Quat,
    /// At `weight` 1.
    pub to: Quat,
    /// 0 … 1. The roll is continuous in it, whatever the rotations.
    pub weight: f32,
}

impl RollGoal {
    fn is_sound(&self) -> bool {
        [self.from, self.to].iter().all(|q| q.is_finite() && q.length_squared() > 1e-6) && self.weight.is_finite()
    }
    /// The roll of a joint that is turned as `turned`, about its bone, radians.
    fn roll_rad(&self, turned: Quat, bone: Vec3) -> f32 {
        let [from, to] = [self.from, self.to].map(|up| roll_between(turned, up, bone));
        to - (to - from) * (1.0 - self.weight)
    }
}

impl Default for SplineSettings {
    fn default() -> Self {
        Self { stretch: 0.0, stretch_bounds: [0.1, 10.0], roll_rad: [0.0; 2], up: [None; 2], start_on_curve: true }
    }
}

/// Scratch; made at set-up.
#[derive(Clone, Debug)]
pub struct SplineWorkspace {
    /// Position of each joint, and after them of the effector; solve space. What the last solve
    /// left.
    pub places: Box<[Vec3]>,
    /// Animated direction of each bone, unit; zero for bones without length.
    bones: Box<[Vec3]>,
    /// Bone lengths.
    lengths: Box<[f32]>,
    /// Rotations in the solve space, before rolls and limits.
    turned: Box<[Quat]>,
}

impl SplineWorkspace {
    /// Scratch for chains with as many joints.
    pub fn new(chain: &Chain) -> Self {
        let count = chain.joints.len();
        Self {
            places: vec![Vec3::ZERO; count + 1].into(),
            bones: vec![Vec3::ZERO; count].into(),
            lengths: vec![0.0; count].into(),
            turned: vec![Quat::IDENTITY; count].into(),
        }
    }
}

/// Lays an unbranched chain on a curve of the solve space, from the pose it has; its first joint's
/// place is in `pose.root_position` (the joint's own offset must be zero). False, and nothing done,
/// for chains that branch or numbers that are not finite.
pub fn solve(
    chain: &Chain,
    pose: &mut ChainPose,
    curve: &Curve,
    settings: &SplineSettings,
    ws: &mut SplineWorkspace,
) -> bool {
    let count = chain.joints.len();
    let sound = curve.segments.iter().flatten().all(|c| c.is_finite())
        && settings.roll_rad.iter().chain(&settings.stretch_bounds).all(|x| x.is_finite())
        && settings.up.iter().flatten().all(RollGoal::is_sound);
    if !chain.is_serial() || ws.bones.len() != count || pose.rotations.len() != count || !sound {
        return false;
    }
    read(chain, pose, ws);
    let fallback = ws.bones.iter().copied().find(|b| *b != Vec3::ZERO).unwrap_or(Vec3::Y);
    let onward = curve.onward(fallback);
    if settings.start_on_curve {
        pose.root_position = curve.start();
    }
    let start = pose.root_position;
    let stretch = if settings.stretch > 0.0 && count > 1 {
        let [least, most] = settings.stretch_bounds;
        let (least, most) = (least.clamp(1e-3, 1.0), most.clamp(1.0, 1e3));
        let fitting = fit(curve, onward, start, [least, most], ws);
        1.0 + (fitting - 1.0) * settings.stretch.min(1.0)
    } else {
        1.0
    };
    walk(curve, onward, start, stretch, ws);
    pose.stretch[..count - 1].fill(stretch);
    frames(ws);
    place(chain, pose, settings, ws);
    true
}

/// Bones and rotations of the pose as it is.
fn read(chain: &Chain, pose: &ChainPose, ws: &mut SplineWorkspace) {
    let mut above = pose.root_rotation;
    for i in 0..chain.joints.len() {
        above = (above * chain.joints[i].rest * pose.rotations[i]).normalize();
        let bone = above * offset(chain, i);
        ws.turned[i] = above;
        ws.lengths[i] = length(bone);
        ws.bones[i] = if ws.lengths[i] > 1e-7 * chain.length { normalize_or(bone, Vec3::ZERO) } else { Vec3::ZERO };
        if ws.bones[i] == Vec3::ZERO {
            ws.lengths[i] = 0.0;
        }
    }
}

fn offset(chain: &Chain, i: usize) -> Vec3 {
    chain.joints.get(i + 1).map_or(chain.effectors[0].offset, |next| next.offset)
}

/// Fills `places` for bones `stretch` times as long (the effector's own offset is never stretched).
/// Returns how far beyond the curve's end the last joint came; before it, minus the number of
/// segments left.
fn walk(curve: &Curve, onward: Vec3, start: Vec3, stretch: f32, ws: &mut SplineWorkspace) -> f32 {
    let count = ws.lengths.len();
    let (mut segment, mut t) = (0, 0.0_f32);
    let mut place = start;
    ws.places[0] = place;
    let mut at_last = -(curve.segments.len() as f32);
    for i in 0..count {
        let radius = ws.lengths[i] * if i + 1 < count { stretch } else { 1.0 };
        let mut at_t = length(curve.at(segment, t) - place) - radius;
        if at_t > 0.0 && segment == 0 && t == 0.0 {
            // The curve begins farther away than the bone is long: towards its start.
            place += (curve.start() - place) * (radius / (at_t + radius));
        } else if radius > 0.0 {
            place = loop {
                if segment >= curve.segments.len() {
                    let back = curve.end() - place;
                    let along = back.dot(onward);
                    let root = along * along + radius * radius - back.length_squared();
                    break curve.end() + onward * (float::sqrt(root) - along).max(0.0);
                }
                let next = ((t * SAMPLES as f32 + 1.0 + 1e-4) as usize as f32 / SAMPLES as f32).min(1.0);
                let at_next = length(curve.at(segment, next) - place) - radius;
                if at_next >= 0.0 {
                    t = crossing(curve, segment, place, radius, [t, next], [at_t.min(0.0), at_next]);
                    break curve.at(segment, t);
                }
                (t, at_t) = (next, at_next);
                if t >= 1.0 {
                    (segment, t) = (segment + 1, 0.0);
                }
            };
        }
        ws.places[i + 1] = place;
        if i + 2 == count || count == 1 {
            let left = curve.segments.len() as f32 - segment as f32 - t;
            at_last = if left > 0.0 { -left } else { (place - curve.end()).dot(onward).max(0.0) };
        }
    }
    at_last
}

/// Where a segment crosses the sphere about `centre`: inside at `t[0]`, outside at `t[1]`.
fn crossing(curve: &Curve, segment: usize, centre: Vec3, radius: f32, t: [f32; 2], off: [f32; 2]) -> f32 {
    let ([mut low, mut high], [mut at_low, mut at_high]) = (t, off);
    let mut best = (high, at_high);
    let mut kept = 0;
    for round in 0..40 {
        if best.1 <= 1e-7 * radius || high - low <= 1e-7 * high {
            break;
        }
        let share = if round % 8 == 7 { 0.5 } else { at_low / (at_low - at_high) };
        let t = low + (high - low) * share;
        let value = length(curve.at(segment, t) - centre) - radius;
        if value.abs() < best.1 {
            best = (t, value.abs());
        }
        if value < 0.0 {
            (low, at_low) = (t, value);
            at_high *= if kept > 0 { 0.5 } else { 1.0 };
            kept = 1;
        } else {
            (high, at_high) = (t, value);
            at_low *= if kept < 0 { 0.5 } else { 1.0 };
            kept = -1;
        }
    }
    best.0
}

/// The factor within bounds at which the last joint comes to the curve's end.
fn fit(curve: &Curve, onward: Vec3, start: Vec3, bounds: [f32; 2], ws: &mut SplineWorkspace) -> f32 {
    let size: f32 = ws.lengths.iter().sum::<f32>().max(1e-30);
    // Beyond the end in lengths of the chain; before it in segments. Only the sign and the order
    // matter.
    let mut off = |factor: f32| {
        let value = walk(curve, onward, start, factor, ws);
        if value > 0.0 { value / size } else { value }
    };
    let [mut low, mut high] = bounds;
    let (mut at_low, mut at_high) = (off(low), off(high));
    if at_low >= 0.0 {
        return low;
    }
    if at_high <= 0.0 {
        return high;
    }
    let mut kept = 0;
    for round in 0..60 {
        if high - low <= 2e-7 * high {
            break;
        }
        let share = if round % 3 == 2 { 0.5 } else { at_low / (at_low - at_high) };
        let factor = low + (high - low) * share;
        let value = off(factor);
        if value.abs() < 1e-7 {
            return factor;
        }
        if value < 0.0 {
            (low, at_low) = (factor, value);
            at_high *= if kept > 0 { 0.5 } else { 1.0 };
            kept = 1;
        } else {
            (high, at_high) = (factor, value);
            at_low *= if kept < 0 { 0.5 } else { 1.0 };
            kept = -1;
        }
    }
    0.5 * (low + high)
}

/// Turns the animated rotations along the new bones, frame by frame.
fn frames(ws: &mut SplineWorkspace) {
    // What takes the animated frame of the bone at hand to the new one; the two bones before.
    let mut turn = Quat::IDENTITY;
    let mut before: Option<(Vec3, Vec3)> = None;
    for i in 0..ws.bones.len() {
        let animated = ws.bones[i];
        let new = normalize_or(ws.places[i + 1] - ws.places[i], Vec3::ZERO);
        if animated != Vec3::ZERO && new != Vec3::ZERO {
            turn = match before {
                None => arc(animated, new),
                Some((from, to)) => arc(to, new) * turn * arc(from, animated).conjugate(),
            };
            // The little that a row of products lost.
            turn = (arc(normalize_or(turn * animated, new), new) * turn).normalize();
            before = Some((animated, new));
        }
        ws.turned[i] = (turn * ws.turned[i]).normalize();
    }
}

/// Angle of the turn about `bone` that brings a joint turned as `from` nearest to `to`, −π … π.
fn roll_between(from: Quat, to: Quat, bone: Vec3) -> f32 {
    twist_angle((to.normalize() * from.conjugate()).normalize(), bone)
}

/// Rolls, limits, and the pose: every bone is pointed at its place from where limits let it begin.
fn place(chain: &Chain, pose: &mut ChainPose, settings: &SplineSettings, ws: &SplineWorkspace) {
    let count = chain.joints.len();
    let direction = |i: usize| {
        // A joint without a bone of its own rolls about the bone that leads to it.
        let own = |i: usize| normalize_or(ws.places[i + 1] - ws.places[i], Vec3::ZERO);
        (0..=i).rev().map(own).find(|d| *d != Vec3::ZERO)
    };
    let roll_at = |end: usize, i: usize| {
        let up = settings.up[end].zip(direction(i));
        settings.roll_rad[end] + up.map_or(0.0, |(up, bone)| up.roll_rad(ws.turned[i], bone))
    };
    let rolls = [roll_at(0, 0), roll_at(1, count - 1)];
    let whole: f32 = ws.lengths[..count - 1].iter().sum();
    let (mut above, mut at, mut gone) = (pose.root_rotation, pose.root_position, 0.0);
    let mut along = Vec3::ZERO;
    for i in 0..count {
        let joint = &chain.joints[i];
        let frame = (above * joint.rest).normalize();
        let new = normalize_or(ws.places[i + 1] - ws.places[i], along);
        along = new;
        let share = if whole > 0.0 { gone / whole } else { 0.0 };
        let roll = rolls[0] + (rolls[1] - rolls[0]) * share;
        let mut turned = ws.turned[i];
        if roll != 0.0 && new != Vec3::ZERO {
            turned = axis_angle(new, roll) * turned;
        }
        let bone = offset(chain, i) * pose.stretch[i];
        let to = ws.places[i + 1] - at;
        if ws.lengths[i] > 0.0 && length(to) > 1e-6 * chain.length {
            let now = turned * bone;
            turned = arc(normalize_or(now, new), normalize_or(to, new)) * turned;
        }
        pose.rotations[i] = joint.model.project((frame.conjugate() * turned).normalize());
        above = (frame * pose.rotations[i]).normalize();
        at += above * bone;
        gone += ws.lengths[i];
    }
}
