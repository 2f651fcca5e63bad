//! Ground memory of one foot: the last hits along its way, seen as a height profile with edges.
//!
//! A foot requests a few ground points a frame. Kept over the swing they give the shape of the
//! ground ahead: where it is
//! smooth, and between which two points a step is. The next points are requested where the
//! profile is least known, so a
//! step's edge is found to centimetres in a few frames.

use super::rigid::Rigid;
use crate::math::Vec3;
use bytemuck::{Pod, Zeroable};

/// Points that are kept.
pub(super) const SAMPLES: usize = 20;
/// Points that a frame may bring.
const SPARES: usize = 3;
/// Height difference from which two neighbours may be the two sides of an edge, metres.
pub(super) const EDGE_HEIGHT: f32 = 0.05;
/// Slope from which they are.
const EDGE_SLOPE: f32 = 0.9;
/// Neighbours closer than this define an edge exactly enough, metres.
const FINE: f32 = 0.0015;
/// Points closer than this are one, metres.
const LIKE: f32 = 0.0007;
/// Ground between points further apart than this is reckoned with, metres.
const SPARSE: f32 = 0.02;
/// Key of a point off the way: after all others.
const OFF: i32 = i32::MAX;
/// Seconds for which the points of a moving body are kept that no answer meets.
const UNMET: f32 = 0.1;
/// Level distance from a new point within which a point of another, moving body is where that was,
/// metres, and the height off the new point's plane from which it is.
const REPLACED: f32 = 0.03;
const OFF_PLANE: f32 = 0.01;
/// How far along the way an edge at a slant to it may be from where it crosses it, per distance
/// aside. Within that a point does not count where one of another step is nearer to the way: at
/// less than this part of its distance aside.
const SLANT: f32 = 0.5;
const NEARER: f32 = 0.8;
/// Points further to the side of the way than this do not count, metres.
const ASIDE: f32 = 0.06;

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
    x: [f32; SAMPLES],
    y: [f32; SAMPLES],
    z: [f32; SAMPLES],
    gradient: [Vec3; SAMPLES],
    velocity: [Vec3; SAMPLES],
    body: [u32; SAMPLES],
    /// Seconds since an answer met the body.
    unmet: [f32; SAMPLES],
    /// 1 where a point is kept, 0 where none is yet.
    used: [u32; SAMPLES],
    /// Points on bodies that move were taken in.
    moves: u32,
    /// Where the next points go: those of least worth.
    spare: [u32; SPARES],
    taken: u32,
}

impl Default for Memory {
    fn default() -> Self {
        Self::zeroed()
    }
}

/// The points along a way, sorted: distance ahead and height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    ahead: [f32; SAMPLES],
    height: [f32; SAMPLES],
    slot: [u32; SAMPLES],
    /// Whether a step is between a point and the one before it.
    edge: [bool; SAMPLES],
    count: usize,
    /// Slots of points that are off the way, or empty.
    off: [u32; SPARES],
    off_count: usize,
}

/// A step between two known points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// Distances ahead between which it is.
    pub near: f32,
    pub far: f32,
    /// Heights before and after it.
    pub before: f32,
    pub after: f32,
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
    pub fn highest(&self, up: Vec3, most: f32) -> f32 {
        let mut highest = f32::MIN;
        for i in 0..SAMPLES {
            let height = self.x[i] * up.x + self.y[i] * up.y + self.z[i] * up.z;
            let rises = self.body[i] != 0 && self.velocity[i].dot(up) > most;
            highest = highest.max(if self.used[i] != 0 && !rises { height } else { f32::MIN });
        }
        highest
    }

    /// Takes a point in; one that is as good as known replaces its like.
    pub fn insert(&mut self, sample: Sample, up: Vec3) {
        let p = sample.point;
        let mut is_like = [false; SAMPLES];
        for (i, is_like) in is_like.iter_mut().enumerate() {
            let (x, y, z) = (self.x[i] - p.x, self.y[i] - p.y, self.z[i] - p.z);
            let over = x * up.x + y * up.y + z * up.z;
            let (x, y, z) = (x - up.x * over, y - up.y * over, z - up.z * over);
            *is_like = (x * x + y * y + z * z < LIKE * LIKE) & (self.used[i] != 0);
        }
        let near = if is_like == [false; SAMPLES] { None } else { is_like.iter().position(|like| *like) };
        let at = near.unwrap_or(self.spare[self.taken as usize % SPARES] as usize % SAMPLES);
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

    /// The profile from `origin` along the unit vector `way` at right angles to `up`, heights over
    /// `plane`, from `from` to
    /// `to` metres ahead.
    pub fn profile(&self, origin: Vec3, way: Vec3, up: Vec3, plane: Vec3, from: f32, to: f32) -> Profile {
        let mut profile = Profile {
            ahead: [0.0; SAMPLES],
            height: [0.0; SAMPLES],
            slot: [0; SAMPLES],
            edge: [false; SAMPLES],
            count: 0,
            off: [0; SPARES],
            off_count: 0,
        };
        let side = up.cross(way);
        let level = plane.dot(up);
        let mut ahead = [0.0_f32; SAMPLES];
        let mut height = [0.0_f32; SAMPLES];
        let mut key = [0_i32; SAMPLES];
        for i in 0..SAMPLES {
            let (x, y, z) = (self.x[i] - origin.x, self.y[i] - origin.y, self.z[i] - origin.z);
            let along = x * way.x + y * way.y + z * way.z;
            let aside = x * side.x + y * side.y + z * side.z;
            let on = (self.used[i] != 0) & (along >= from) & (along <= to) & (aside.abs() <= ASIDE);
            ahead[i] = along;
            height[i] = self.x[i] * up.x + self.y[i] * up.y + self.z[i] * up.z - level;
            // Ordered as the number is, and no two alike: the last bits are the place.
            let bits = along.to_bits() as i32;
            let ordered = bits ^ (((bits >> 31) as u32) >> 1) as i32;
            key[i] = (if on { ordered } else { OFF } & !31) | i as i32;
        }
        // A point's rank is the number of points before it.
        let mut rank = [0_i32; SAMPLES];
        for other in key {
            for (key, rank) in key.iter().zip(&mut rank) {
                *rank += i32::from(other < *key);
            }
        }
        for slot in 0..SAMPLES {
            if key[slot] >= OFF & !31 {
                if profile.off_count < SPARES {
                    profile.off[profile.off_count] = slot as u32;
                    profile.off_count += 1;
                }
                continue;
            }
            let i = (rank[slot] as usize).min(SAMPLES - 1);
            (profile.ahead[i], profile.height[i], profile.slot[i]) = (ahead[slot], height[slot], slot as u32);
            profile.count += 1;
        }
        if self.find_edges(&mut profile, way, side) > 1 {
            self.leave_out_contradicted(&mut profile, origin, side);
            self.find_edges(&mut profile, way, side);
        }
        profile
    }

    /// Finds between which points steps are; how many there are.
    fn find_edges(&self, profile: &mut Profile, way: Vec3, side: Vec3) -> usize {
        let mut edges = 0;
        for i in 1..profile.count.min(SAMPLES) {
            let is_high = (profile.height[i] - profile.height[i - 1]).abs() > EDGE_HEIGHT;
            profile.edge[i] = is_high && self.is_edge(profile, i, way, side);
            edges += usize::from(profile.edge[i]);
        }
        edges
    }

    /// Leaves out points aside of the way that a nearer one contradicts: an edge that is not at
    /// right angles to the way is at one place on the one side of it and at another on the other.
    fn leave_out_contradicted(&self, profile: &mut Profile, origin: Vec3, side: Vec3) {
        let all = *profile;
        let count = all.count.min(SAMPLES);
        let aside = all.slot.map(|slot| (self.point(slot as usize % SAMPLES) - origin).dot(side).abs());
        let mut kept = 0;
        for i in 0..count {
            let contradicts =
                |j: usize| (all.height[j] - all.height[i]).abs() > EDGE_HEIGHT && aside[j] < NEARER * aside[i];
            let is_near = |j: &usize| (all.ahead[*j] - all.ahead[i]).abs() < SLANT * aside[i];
            let before = (0..i).rev().take_while(is_near);
            let after = (i + 1..count).take_while(is_near);
            if before.chain(after).any(contradicts) {
                continue;
            }
            (profile.ahead[kept], profile.height[kept], profile.slot[kept]) =
                (all.ahead[i], all.height[i], all.slot[i]);
            kept += 1;
        }
        profile.count = kept;
    }

    fn point(&self, slot: usize) -> Vec3 {
        Vec3::new(self.x[slot], self.y[slot], self.z[slot])
    }

    /// Whether a step is between point `i` and the one before it: they are higher apart than both
    /// their planes define.
    fn is_edge(&self, profile: &Profile, i: usize, way: Vec3, side: Vec3) -> bool {
        let [was, now] = [i - 1, i].map(|k| profile.slot[k] as usize % SAMPLES);
        let (gap, rise) = (profile.ahead[i] - profile.ahead[i - 1], profile.height[i] - profile.height[i - 1]);
        let across = (self.point(now) - self.point(was)).dot(side);
        let off = |k: usize| (rise - gap * self.gradient[k].dot(way) - across * self.gradient[k].dot(side)).abs();
        let step = off(now).min(off(was));
        step > EDGE_HEIGHT && step > EDGE_SLOPE * gap
    }

    /// Chooses the points that the next ones replace: empty ones and those off the way, then those
    /// whose neighbours are like them.
    pub fn choose_spares(&mut self, profile: &Profile) {
        self.taken = 0;
        self.spare = profile.off;
        if profile.off_count == SPARES {
            return;
        }
        let mut least = [f32::MAX; SPARES];
        let mut slots = [0; SPARES];
        for i in 1..profile.count.saturating_sub(1) {
            let gap = profile.ahead[i + 1] - profile.ahead[i - 1];
            let before = (profile.height[i] - profile.height[i - 1]).abs();
            let after = (profile.height[i + 1] - profile.height[i]).abs();
            let worth = gap + 20.0 * if before > after { before } else { after };
            let mut k = SPARES;
            while k > 0 && worth < least[k - 1] {
                k -= 1;
                if k + 1 < SPARES {
                    (least[k + 1], slots[k + 1]) = (least[k], slots[k]);
                }
            }
            if k < SPARES {
                (least[k], slots[k]) = (worth, profile.slot[i]);
            }
        }
        let free = profile.off_count;
        self.spare[free..].copy_from_slice(&slots[..SPARES - free]);
    }
}

impl Profile {
    /// Points as distance ahead and height.
    pub fn points(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        (0..self.count).map(|i| (self.ahead[i], self.height[i]))
    }

    /// Ground up to `reach` ahead between points that no step is between: the middles of the cubics
    /// through both with their slopes.
    pub fn middles<'a>(&'a self, memory: &'a Memory, way: Vec3, reach: f32) -> impl Iterator<Item = (f32, f32)> + 'a {
        (1..self.count).filter_map(move |b| {
            let a = b - 1;
            let (gap, at) = (self.ahead[b] - self.ahead[a], 0.5 * (self.ahead[a] + self.ahead[b]));
            (at > 0.0 && at < reach && gap > SPARSE && !self.edge[b]).then(|| {
                let slope = |i: usize| memory.gradient[self.slot[i] as usize % SAMPLES].dot(way);
                (at, 0.5 * (self.height[a] + self.height[b]) + 0.125 * gap * (slope(a) - slope(b)))
            })
        })
    }

    /// Steps, in the order of the way.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        (1..self.count).filter_map(|i| {
            let (near, far) = (self.ahead[i - 1], self.ahead[i]);
            let (before, after) = (self.height[i - 1], self.height[i]);
            self.edge[i].then_some(Edge { near, far, before, after })
        })
    }

    /// Height of the higher ground on the heel's side of `at`, where its edge is between `at` and
    /// `heel`: a foot stands on it with its heel.
    pub fn overhang(&self, at: f32, heel: f32) -> Option<f32> {
        let mut found = None;
        let mut closest = f32::MAX;
        for edge in self.edges() {
            let middle = 0.5 * (edge.near + edge.far);
            let (high, low) = if heel < at { (edge.before, edge.after) } else { (edge.after, edge.before) };
            let away = (middle - at).abs();
            if high > low && (middle - at) * (heel - at) > 0.0 && away < (heel - at).abs() && away < closest {
                (closest, found) = (away, Some(high));
            }
        }
        found
    }

    /// The two places to look at next: the middles of the widest gaps, gaps across a height
    /// difference first. `from` and `to` bound the way.
    pub fn next_questions(&self, from: f32, to: f32) -> [Option<f32>; 2] {
        let mut score = [0.0; 2];
        let mut at = [None; 2];
        let mut look = |a: f32, b: f32, rise: f32| {
            let gap = b - a;
            if gap <= FINE {
                return;
            }
            let worth = if rise > EDGE_HEIGHT { gap + 10.0 } else { gap };
            if worth > score[0] {
                (score[1], at[1]) = (score[0], at[0]);
                (score[0], at[0]) = (worth, Some(0.5 * (a + b)));
            } else if worth > score[1] {
                (score[1], at[1]) = (worth, Some(0.5 * (a + b)));
            }
        };
        let (ahead, height) = (&self.ahead[..self.count], &self.height[..self.count]);
        let (Some(first), Some(last)) = (ahead.first(), ahead.last()) else {
            look(from, to, 0.0);
            return at;
        };
        look(from, *first, 0.0);
        for (ahead, height) in ahead.windows(2).zip(height.windows(2)) {
            look(ahead[0], ahead[1], (height[1] - height[0]).abs());
        }
        look(*last, to, 0.0);
        at
    }

    /// Height at a distance ahead; across an edge that of the nearer side. `None` more than 0.15 m
    /// from all points.
    pub fn height_at(&self, ahead: f32) -> Option<f32> {
        let i = (0..self.count).find(|i| self.ahead[*i] >= ahead).unwrap_or(self.count);
        let close = |i: usize| (self.ahead[i] - ahead).abs() < 0.15;
        match (i.checked_sub(1).filter(|i| close(*i)), Some(i).filter(|i| *i < self.count && close(*i))) {
            (Some(a), Some(b)) => {
                let (gap, rise) = (self.ahead[b] - self.ahead[a], self.height[b] - self.height[a]);
                let part = (ahead - self.ahead[a]) / gap.max(1e-6);
                if self.edge[b] {
                    Some(if part < 0.5 { self.height[a] } else { self.height[b] })
                } else {
                    Some(self.height[a] + rise * part)
                }
            }
            (Some(a), None) => Some(self.height[a]),
            (None, Some(b)) => Some(self.height[b]),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A memory of points along z with their heights, in the order given.
    fn memory(points: &[(f32, f32)]) -> Memory {
        let mut memory = Memory::default();
        for chunk in points.chunks(SPARES) {
            let known = memory.profile(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, -9.0, 9.0);
            memory.choose_spares(&known);
            for (z, y) in chunk {
                let zero = Vec3::ZERO;
                let sample = Sample { point: Vec3::new(0.0, *y, *z), gradient: zero, velocity: zero, body: 0 };
                memory.insert(sample, Vec3::Y);
            }
        }
        memory
    }

    #[test]
    fn points_are_in_the_order_of_the_way_from_end_to_end() {
        // Behind, ahead, and to both sides of the origin by less than a micrometre.
        let points = [(0.3, 0.1), (-0.2, 0.2), (0.1, 0.3), (4e-7, 0.4), (-0.05, 0.5), (0.7, 0.6), (2.0, 0.7)];
        let memory = memory(&points);
        let profile = memory.profile(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::Y * 0.1, -0.5, 1.0);
        let found: Vec<(f32, f32)> = profile.points().collect();
        let expected = [(-0.2, 0.1), (-0.05, 0.4), (4e-7, 0.3), (0.1, 0.2), (0.3, 0.0), (0.7, 0.5)];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found.0 - expected.0).abs() < 1e-6 && (found.1 - expected.1).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn equal_places_are_all_kept_and_like_points_replaced() {
        let mut memory = memory(&[(0.2, 0.0), (0.4, 0.0)]);
        let across = Vec3::new(0.03, 0.1, 0.2);
        let sample = Sample { point: across, gradient: Vec3::ZERO, velocity: Vec3::ZERO, body: 0 };
        memory.insert(sample, Vec3::Y);
        // The place of a point that is known, at another height.
        memory.insert(Sample { point: Vec3::new(0.0, 0.5, 0.403), ..sample }, Vec3::Y);
        let profile = memory.profile(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, 0.0, 1.0);
        let mut found: Vec<f32> = profile.points().map(|(_, height)| height).collect();
        found.sort_by(f32::total_cmp);
        assert_eq!(found, [0.0, 0.1, 0.5]);
    }

    #[test]
    fn an_edge_at_a_slant_to_the_way_is_one_edge() {
        // Up by 17 cm beyond a line through the way's 0.1 m, at 20° to it.
        let mut memory = Memory::default();
        let mut add = |x: f32, z: f32| {
            let known = memory.profile(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, -9.0, 9.0);
            memory.choose_spares(&known);
            let y = if z > 0.1 + 0.36 * x { 0.17 } else { 0.0 };
            let zero = Vec3::ZERO;
            memory.insert(Sample { point: Vec3::new(x, y, z), gradient: zero, velocity: zero, body: 0 }, Vec3::Y);
        };
        let near = [(0.0, 0.0), (0.0, 0.094), (0.0, 0.106), (0.0, 0.2)];
        let aside = [(0.05, 0.11), (-0.05, 0.09), (0.04, 0.108), (-0.045, 0.095)];
        near.into_iter().chain(aside).for_each(|(x, z)| add(x, z));
        let edges: Vec<Edge> = memory.profile(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, -0.5, 0.5).edges().collect();
        assert_eq!(edges.len(), 1, "{edges:?}");
        assert!(edges[0].near >= 0.094 && edges[0].far <= 0.106, "{edges:?}");
    }

    #[test]
    fn questions_go_to_a_step_and_then_to_the_widest_gap() {
        let points = [(0.0, 0.0), (0.1, 0.0), (0.2, 0.15), (0.6, 0.15), (0.7, 0.15)];
        let profile = memory(&points).profile(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, 0.0, 0.7);
        let [first, second] = profile.next_questions(0.0, 0.7).map(|at| at.expect("a place"));
        assert!((first - 0.15).abs() < 1e-6 && (second - 0.4).abs() < 1e-6, "{first} {second}");
        let empty = Memory::default().profile(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, 0.0, 1.0);
        assert_eq!(empty.next_questions(0.0, 1.0), [Some(0.5), None]);
    }
}
