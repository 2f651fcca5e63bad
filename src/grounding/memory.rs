//! Ground memory of one foot: the last hits along its way.
//!
//! A foot requests a few ground points a frame. Kept over the swing they give the shape of the
//! ground ahead (`profile.rs`).

use super::masks::{self, EIGHTS, SAMPLES, eight};
use super::query::{Hit, Purpose, Query};
use super::rigid::Rigid;
use crate::math::eight_lane::EightLane;
use crate::math::{Lane, LaneVec3, Vec3};
use bytemuck::{Pod, Zeroable};

/// Points that a frame may bring.
pub(super) const SPARES: usize = 3;
/// Points closer than this are one, metres.
const LIKE: f32 = 0.0007;
/// Seconds for which the points of a moving body are kept that no answer meets.
const UNMET: f32 = 0.1;
/// Level distance from a new point within which a point of another, moving body is where that was,
/// metres, and the height off the new point's plane from which it is.
const REPLACED: f32 = 0.03;
const OFF_PLANE: f32 = 0.01;

/// A ground point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub point: Vec3,
    /// How much the surface rises per metre, as a level vector uphill.
    pub gradient: Vec3,
    pub velocity: Vec3,
    pub body: u32,
}

/// The points, those of least worth overwritten first. Coordinates are apart, so that a pass over
/// all of them works on several at a time.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Memory {
    pub x: [f32; SAMPLES],
    pub y: [f32; SAMPLES],
    pub z: [f32; SAMPLES],
    pub gradient: [Vec3; SAMPLES],
    pub velocity: [Vec3; SAMPLES],
    body: [u32; SAMPLES],
    /// Seconds since an answer met the body.
    unmet: [f32; SAMPLES],
    /// 1 where a point is kept, 0 where none is yet.
    pub used: [u32; SAMPLES],
    /// Points on bodies that move were taken in.
    moves: u32,
    /// Where the next points go: those of least worth.
    pub spare: [u32; SPARES],
    pub taken: u32,
}

impl Default for Memory {
    fn default() -> Self {
        Self::zeroed()
    }
}

impl Memory {
    /// Whether points on bodies that move were taken in.
    pub fn moves(&self) -> bool {
        self.moves != 0
    }

    fn moving(&self) -> impl Iterator<Item = usize> + use<> {
        let (used, body, moves) = (self.used, self.body, self.moves);
        (0..SAMPLES).filter(move |i| moves != 0 && used[*i] != 0 && body[*i] != 0)
    }

    /// Takes in how the bodies moved in the frame that is under way, before the points are moved to
    /// its end by [`Self::advance`] of `dt`. `motion` gives the velocity of a body that an answer
    /// met, and its motion in the `frame_dt` seconds of the frame. Points of bodies that none has
    /// met for long are forgotten: their velocity is of another time.
    pub fn follow(&mut self, dt: f32, frame_dt: f32, up: Vec3, motion: impl Fn(u32) -> Option<(Vec3, Rigid)>) {
        for i in self.moving() {
            let Some((velocity, motion)) = motion(self.body[i]) else {
                self.unmet[i] += frame_dt;
                self.used[i] = u32::from(self.unmet[i] <= UNMET);
                continue;
            };
            self.unmet[i] = 0.0;
            // From where the point was at the frame's begin.
            let moved = self.velocity[i] * (dt - frame_dt);
            let mut new = velocity;
            if motion.turns() && frame_dt > 0.0 {
                let begun = self.point(i) + moved;
                new = (motion.carried(begun) - begun) / frame_dt;
                let normal = motion.turned(up - self.gradient[i]);
                self.gradient[i] = up - normal * (1.0 / normal.dot(up).max(0.2));
            }
            self.shift(i, moved - new * (dt - frame_dt));
            self.velocity[i] = new;
        }
    }

    /// Moves the points with their bodies, back where `dt` is below 0.
    pub fn advance(&mut self, dt: f32) {
        for i in self.moving() {
            self.shift(i, self.velocity[i] * dt);
        }
    }

    /// Forgets the points of moving bodies that `keep` does not hold for.
    pub fn keep_moving(&mut self, keep: impl Fn(Vec3) -> bool) {
        for i in self.moving() {
            self.used[i] = u32::from(keep(self.point(i)));
        }
    }

    /// Forgets the points of other, moving bodies that are above or below ground that was met where
    /// they should be.
    #[cold]
    #[inline(never)]
    fn replace(&mut self, sample: Sample, up: Vec3) {
        for i in self.moving().filter(|i| self.body[*i] != sample.body) {
            let way = self.point(i) - sample.point;
            let over = way.dot(up);
            let level = way - up * over;
            if level.length_squared() < REPLACED * REPLACED && (over - level.dot(sample.gradient)).abs() > OFF_PLANE {
                self.used[i] = 0;
            }
        }
    }

    fn shift(&mut self, slot: usize, by: Vec3) {
        self.x[slot] += by.x;
        self.y[slot] += by.y;
        self.z[slot] += by.z;
    }

    /// Converts lengths to another scale.
    pub fn rescale(&mut self, by: f32) {
        let Self { x, y, z, gradient: _, velocity, body: _, unmet: _, used: _, moves: _, spare: _, taken: _ } = self;
        for length in x.iter_mut().chain(y).chain(z) {
            *length *= by;
        }
        velocity.iter_mut().for_each(|velocity| *velocity *= by);
    }

    /// Forgets which bodies the points are on.
    pub fn clear_bodies(&mut self) {
        self.body = [0; SAMPLES];
    }

    /// The point nearest to `at`, both taken level, and their distance squared; none beyond `most`
    /// squared.
    pub fn nearest(&self, at: Vec3, up: Vec3, most: f32) -> Option<(Sample, f32)> {
        let mut away = [0.0_f32; SAMPLES];
        for (i, away) in away.iter_mut().enumerate() {
            let (x, y, z) = (self.x[i] - at.x, self.y[i] - at.y, self.z[i] - at.z);
            let over = x * up.x + y * up.y + z * up.z;
            let (x, y, z) = (x - up.x * over, y - up.y * over, z - up.z * over);
            *away = if self.used[i] != 0 { x * x + y * y + z * z } else { f32::MAX };
        }
        let mut nearest = (most, SAMPLES);
        for (i, away) in away.into_iter().enumerate() {
            if away < nearest.0 {
                nearest = (away, i);
            }
        }
        let (away, i) = nearest;
        (i < SAMPLES).then(|| {
            let (gradient, velocity, body) = (self.gradient[i], self.velocity[i], self.body[i]);
            (Sample { point: self.point(i), gradient, velocity, body }, away)
        })
    }

    /// Height of the highest point along `up`; less than any where there is none.
    /// Points of bodies that rise faster than `most`, m/s, do not count: what goes up is no ground
    /// that leads there.
    #[inline(always)]
    pub fn highest<E: EightLane>(&self, up: Vec3, most: f32) -> f32 {
        let mut used = self.used;
        if self.moves != 0 {
            self.moving().filter(|i| self.velocity[*i].dot(up) > most).for_each(|i| used[i] = 0);
        }
        let up = LaneVec3::<E>::splat(up);
        let used = used.map(|used| used as i32 as f32);
        let none = E::splat(f32::MIN);
        let mut highest = none;
        for i in EIGHTS {
            let height = self.eight_points::<E>(i).dot(up);
            highest = E::select(E::splat(0.0).lt(eight(&used, i)), height, none).max(highest);
        }
        highest.numbers().into_iter().fold(f32::MIN, Lane::max)
    }

    /// The first point at `at` as seen level. `way` is at right angles to up.
    #[inline(always)]
    fn like<E: EightLane>(&self, at: Vec3, way: Vec3, up: Vec3) -> Option<usize> {
        // Most are further away along the way alone.
        let (lane_at, along) = (LaneVec3::<E>::splat(at), LaneVec3::splat(way));
        let near =
            masks::set_by_eights::<E>(|i| (self.eight_points(i) - lane_at).dot(along).abs().lt(E::splat(2.0 * LIKE)));
        masks::points(near).find(|i| {
            let away = self.point(*i) - at;
            let level = away - up * away.dot(up);
            self.used[*i] != 0 && level.length_squared() < LIKE * LIKE
        })
    }

    /// Where the next point goes that is not known.
    #[inline(always)]
    fn next_spare(&self) -> usize {
        let taken = self.taken as usize;
        let spare = self.spare[if taken < SPARES { taken } else { taken % SPARES }];
        (spare as usize).min(SAMPLES - 1)
    }

    /// Takes a point in; one that is as good as known replaces its like.
    #[inline(always)]
    fn insert<E: EightLane>(&mut self, sample: Sample, way: Vec3, up: Vec3) {
        let p = sample.point;
        let near = self.like::<E>(p, way, up);
        let at = near.unwrap_or(self.next_spare());
        if near.is_none() {
            self.taken += 1;
        }
        (self.x[at], self.y[at], self.z[at]) = (p.x, p.y, p.z);
        self.gradient[at] = sample.gradient;
        self.velocity[at] = sample.velocity;
        self.body[at] = sample.body;
        self.unmet[at] = 0.0;
        self.used[at] = 1;
        if self.moves != 0 {
            self.replace(sample, up);
        }
        if sample.body != 0 {
            self.moves = 1;
        }
    }

    /// Takes in the answers to the queries of where the foot goes. `way` is at right angles to up.
    #[inline(always)]
    pub fn take_in<E: EightLane>(&mut self, asked: &[Query], hits: &[Hit], way: Vec3, up: Vec3) {
        for (query, hit) in asked.iter().zip(hits) {
            if hit.hit && matches!(query.purpose, Purpose::Landing | Purpose::Path) {
                let normal = hit.normal_ws * (1.0 / hit.normal_ws.dot(up).max(0.2));
                let gradient = up - normal;
                let sample = Sample { point: hit.point_ws, gradient, velocity: hit.velocity_ws, body: hit.body };
                self.insert::<E>(sample, way, up);
            }
        }
    }

    /// Eight points from place `i` on.
    #[inline(always)]
    pub fn eight_points<E: EightLane>(&self, i: usize) -> LaneVec3<E> {
        LaneVec3::new(eight(&self.x, i), eight(&self.y, i), eight(&self.z, i))
    }

    pub fn point(&self, slot: usize) -> Vec3 {
        Vec3::new(self.x[slot], self.y[slot], self.z[slot])
    }
}
