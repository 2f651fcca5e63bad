//! What is assumed of hips and feet that are not tracked: closed forms, and two small tables
//! trained on captured motion that correct them.
//!
//! # Method
//!
//! The closed forms: the hips are below the head as in the T-pose, turned like the head about up;
//! the feet stand below the hips. A table adds a linear function of the tracked parts, seen from
//! the
//! hips (or the head, where the hips are not tracked) about up, in heights of the avatar: places,
//! two axes of each rotation, and how far each has come in a tenth and in a third of a second. The
//! same numbers times how far the body is lowered make it bend for crouching. Least absolute error
//! was sought (iteratively reweighted least squares), with a ridge, on the clips and their mirror
//! images; `cargo xtask train` makes the tables, and states from which data.

use super::posture::{Facing, Posture, heading};
use super::rig::Rig;
use super::role::{HEAD, HIPS, arm, leg};
use super::stream::decay;
use super::tables::{FROM_HEAD, FROM_HIPS};
use crate::math::float::smooth01;
use crate::math::{Quat, Vec3, frame_rotation, rotation_vector, slerp_short};
use bytemuck::{Pod, Zeroable};

/// The places that the tables see: head, hands, hips.
pub(super) const SEEN: [usize; 4] = [HEAD, 9, 13, HIPS];
/// Means of how far back the tables see, seconds.
const LAGS: [f32; 2] = [0.1, 0.35];
/// Numbers of a place and its rotation, per part seen, and of the motion of two rotations.
const PER_PART: usize = 15;
/// Numbers of the linear part with the hips as reference, and with the head.
pub(super) const HIPS_INPUTS: usize = 1 + 4 * PER_PART - 3 + 6;
pub(super) const HEAD_INPUTS: usize = 1 + 3 * PER_PART - 3 + 3;
/// All inputs: constant, linear part, two of the height, and the linear part times that.
pub(super) const fn all(linear: usize) -> usize {
    1 + linear + 2 + (linear - 1)
}
pub(super) const HIPS_ALL: usize = all(HIPS_INPUTS);
pub(super) const HEAD_ALL: usize = all(HEAD_INPUTS);
/// Outputs: place, Z axis, Y axis of each foot; with the head as reference, of the hips before.
pub(super) const FEET_OUTPUTS: usize = 18;
pub(super) const HEAD_OUTPUTS: usize = 27;
/// Speed of the reference, metres per second, and distance from its standing height, metres, from
/// which on the whole table counts; for a height of 1.6 m.
const WALKS: f32 = 0.3;
const LOWERED: f32 = 0.12;
/// Half-life of what the tables count by, seconds.
const COUNTS: f32 = 0.2;
/// Half-life of each of two low passes, one after the other, of the tables' outputs, seconds: raw
/// ones shiver, and what is left of their jerk after one pass shows.
const SETTLES: f32 = 0.025;

/// What lasts of what the tables see: numbers only.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct History {
    pub started: u32,
    /// Mean place of each part over each lag.
    pub places: [[Vec3; 2]; 4],
    /// Mean rotations of head and hips over the first lag.
    pub turns: [Quat; 2],
    /// Smoothed outputs.
    pub from_hips: [f32; FEET_OUTPUTS],
    pub from_head: [f32; HEAD_OUTPUTS],
    /// How far the hips follow hands that are out of reach.
    pub followed: Vec3,
    /// Where the head faces.
    pub facing: Facing,
    /// Outputs smoothed once.
    pub first_from_hips: [f32; FEET_OUTPUTS],
    pub first_from_head: [f32; HEAD_OUTPUTS],
    /// How far each table counts, smoothed: with the hips as reference, and with the head.
    pub counts: [f32; 2],
}

impl Default for History {
    fn default() -> Self {
        Self {
            started: 0,
            places: [[Vec3::ZERO; 2]; 4],
            turns: [Quat::IDENTITY; 2],
            from_hips: [0.0; FEET_OUTPUTS],
            from_head: [0.0; HEAD_OUTPUTS],
            followed: Vec3::ZERO,
            facing: Facing::default(),
            first_from_hips: [0.0; FEET_OUTPUTS],
            first_from_head: [0.0; HEAD_OUTPUTS],
            counts: [0.0; 2],
        }
    }
}

/// The reference of a table in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    /// The turn about up that it faces.
    pub heading: Quat,
    /// Height of the avatar's head.
    pub height: f32,
    /// How far the table counts: not where a person stands still. There is next to no
    /// such frame in captured motion, and what the table makes of it are feet behind the body.
    pub moves: f32,
}

/// A bone's place and rotation.
pub(super) type Placed = (Vec3, Quat);

impl History {
    pub fn is_sound(&self) -> bool {
        self.places.iter().flatten().all(|p| p.is_finite())
            && self.turns.iter().all(|q| q.is_finite())
            && self.followed.is_finite()
            && self.facing.is_sound()
            && self.from_hips.iter().chain(&self.from_head).chain(&self.counts).all(|n| n.is_finite())
    }
    /// Takes the parts seen on by `dt`.
    pub fn follow(&mut self, seen: &[Placed; 4], dt: f32) {
        let first = self.started == 0;
        for (means, (at, _)) in self.places.iter_mut().zip(seen) {
            for (mean, lag) in means.iter_mut().zip(LAGS) {
                let part = if first { 1.0 } else { decay(lag * core::f32::consts::LN_2, dt) };
                *mean += (*at - *mean) * part;
            }
        }
        for (mean, (_, turn)) in self.turns.iter_mut().zip([seen[0], seen[3]]) {
            let part = if first { 1.0 } else { decay(LAGS[0] * core::f32::consts::LN_2, dt) };
            *mean = slerp_short(*mean, turn, part);
        }
    }

    /// Inputs of a table. `parts`: 4 with the hips as reference, 3 with the head.
    pub fn inputs(&self, rig: &Rig, seen: &[Placed; 4], parts: usize, out: &mut [f32]) -> Reference {
        let part = if parts == 4 { 3 } else { 0 };
        let bone = SEEN[part];
        let (origin, turn) = seen[part];
        let heading = if parts == 4 { heading(turn) } else { self.facing.heading() };
        let (back, height) = (heading.conjugate(), rig.height());
        let mut at = 0;
        let mut put = |v: f32| {
            out[at] = v;
            at += 1;
        };
        put(1.0);
        let lowered = (origin.y - rig.at[bone].y) / height;
        put(lowered);
        let mut put3 = |v: Vec3| v.to_array().into_iter().for_each(&mut put);
        for (i, (place, rotation)) in seen.iter().enumerate().take(parts) {
            if SEEN[i] != bone {
                put3((back * (*place - origin) - rig.span(bone, SEEN[i])) / height);
            }
            let own = back * *rotation;
            put3(own * Vec3::X);
            put3(own * Vec3::Y);
            for (mean, lag) in self.places[i].iter().zip(LAGS) {
                put3(back * (*place - *mean) / (height * lag) * 0.3);
            }
            if i == 0 || i == 3 {
                let mean = self.turns[if i == 0 { 0 } else { 1 }];
                put3(back * rotation_vector((*rotation * mean.conjugate()).normalize()));
            }
        }
        let linear = at;
        let crouch = (-lowered - 0.1).max(0.0);
        out[linear] = crouch;
        out[linear + 1] = (-lowered - 0.3).max(0.0);
        for i in 2..linear {
            out[linear + i] = crouch * out[i];
        }
        let usual = height / 1.6;
        let speed = (origin - self.places[part][1]).length() / (LAGS[1] * usual);
        let off = (origin.y - rig.at[bone].y).abs() / usual;
        let stands = (1.0 - smooth01(speed / WALKS)) * (1.0 - smooth01(off / LOWERED));
        Reference { heading, height, moves: 1.0 - stands }
    }
}

impl History {
    /// How far a table counts in this frame.
    fn count(&mut self, table: usize, from: &Reference, dt: f32) -> f32 {
        let part = if self.started == 0 { 1.0 } else { decay(COUNTS, dt) };
        self.counts[table] += (from.moves - self.counts[table]) * part;
        self.counts[table]
    }
}

/// For each linear input (the constant and the height first) the input that is its mirror image,
/// and the sign.
pub(super) fn linear_layout(from_hips: bool) -> Vec<(usize, f32)> {
    let (parts, reference) = if from_hips { (4, 3) } else { (3, 0) };
    let (mut starts, mut at) = (Vec::new(), 2);
    let spins = |part: usize| part == 0 || part == 3;
    for part in 0..parts {
        starts.push(at);
        at += PER_PART - if part == reference { 3 } else { 0 } + if spins(part) { 3 } else { 0 };
    }
    let mut layout = vec![(0, 1.0), (1, 1.0)];
    for part in 0..parts {
        let from = starts[if part == 1 || part == 2 { 3 - part } else { part }];
        // Vectors turn their X around, the image of the X axis and turns all but X.
        let place = if part == reference { None } else { Some(false) };
        let kinds = [place, Some(true), Some(false), Some(false), Some(false), spins(part).then_some(true)];
        for (i, is_turn) in kinds.into_iter().flatten().enumerate() {
            for axis in 0..3 {
                let sign = if (axis == 0) == is_turn { 1.0 } else { -1.0 };
                layout.push((from + 3 * i + axis, sign));
            }
        }
    }
    layout
}

/// A table's outputs, smoothed into `smooth`.
fn apply<const IN: usize, const OUT: usize>(
    table: &[[f32; OUT]; IN],
    inputs: &[f32; IN],
    part: f32,
    (first, smooth): (&mut [f32; OUT], &mut [f32; OUT]),
) {
    let mut sum = [0.0; OUT];
    for (row, x) in table.iter().zip(inputs) {
        for (s, w) in sum.iter_mut().zip(row) {
            *s += w * x;
        }
    }
    for ((s, f), new) in smooth.iter_mut().zip(first).zip(sum) {
        *f += (new - *f) * part;
        *s += (*f - *s) * part;
    }
}

/// Nine numbers as a change of a place and two axes, added to a closed form.
fn corrected((at, turn): Placed, numbers: &[f32], from: &Reference, weight: f32) -> Placed {
    let v = |i: usize| Vec3::new(numbers[i], numbers[i + 1], numbers[i + 2]) * weight;
    let own = from.heading.conjugate() * turn;
    let (z, y) = (own * Vec3::Z + v(3), own * Vec3::Y + v(6));
    (at + from.heading * v(0) * from.height, (from.heading * frame_rotation(z, y)).normalize())
}

/// The hips below the head, which faces so.
pub(super) fn hips_below(at: Vec3, turn: Quat, rig: &Rig) -> Placed {
    (at + turn * rig.span(HEAD, HIPS), turn)
}

/// The feet below the hips.
pub(super) fn feet_below((at, turn): Placed, rig: &Rig) -> [Placed; 2] {
    let turn = heading(turn);
    [0, 1].map(|side| {
        let foot = leg(side)[2];
        let place = at + turn * rig.span(HIPS, foot);
        (Vec3::new(place.x, rig.at[foot].y, place.z), turn)
    })
}

/// Hips and feet from the head and the hands.
pub(super) fn from_head(
    history: &mut History,
    rig: &Rig,
    seen: &[Placed; 4],
    dt: f32,
    weight: f32,
) -> (Placed, [Placed; 2]) {
    let hips = hips_below(seen[0].0, history.facing.heading(), rig);
    let feet = feet_below(hips, rig);
    if weight <= 0.0 {
        return (hips, feet);
    }
    let mut inputs = [0.0; HEAD_ALL];
    let from = history.inputs(rig, seen, 3, &mut inputs);
    let part = if history.started == 0 { 1.0 } else { decay(SETTLES, dt) };
    apply(&FROM_HEAD, &inputs, part, (&mut history.first_from_head, &mut history.from_head));
    let weight = weight * history.count(1, &from, dt);
    let own = |placed, at: usize| corrected(placed, &history.from_head[at..at + 9], &from, weight);
    (own(hips, 0), [own(feet[0], 9), own(feet[1], 18)])
}

/// Feet from hips, head and hands.
pub(super) fn from_hips(history: &mut History, rig: &Rig, seen: &[Placed; 4], dt: f32, weight: f32) -> [Placed; 2] {
    let feet = feet_below(seen[3], rig);
    if weight <= 0.0 {
        return feet;
    }
    let mut inputs = [0.0; HIPS_ALL];
    let from = history.inputs(rig, seen, 4, &mut inputs);
    let part = if history.started == 0 { 1.0 } else { decay(SETTLES, dt) };
    apply(&FROM_HIPS, &inputs, part, (&mut history.first_from_hips, &mut history.from_hips));
    let weight = weight * history.count(0, &from, dt);
    [0, 1].map(|side| corrected(feet[side], &history.from_hips[9 * side..9 * side + 9], &from, weight))
}

/// A hand that is beside the body, from a trunk in its T-pose that is turned and carried along.
pub(super) fn hanging_hand(rig: &Rig, side: usize, body: &Posture) -> Placed {
    let [_, upper, _, hand] = arm(side);
    let ribs = body.turn[rig.top];
    let sign = if side == 0 { -1.0 } else { 1.0 };
    let down = crate::math::axis_angle(Vec3::Z, sign * 1.35);
    let shoulder = body.at[rig.top] + ribs * rig.span(rig.top, upper);
    (shoulder + ribs * (down * rig.span(upper, hand)), (ribs * down).normalize())
}
