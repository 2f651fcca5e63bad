//! A foot's ground memory seen as a height profile along its way, with edges: where the ground is
//! smooth, and between which two points a step is. The next points are requested where the profile
//! is least known, so a step's edge is found to centimetres in a few frames.

use super::masks::{self, Numbers, SAMPLES, four};
use super::memory::{Memory, SPARES};
use crate::math::dispatch::{Level, Task};
use crate::math::{F32x4, Lane, LaneMask, Vec3};
use wide::{CmpGt, i32x4};

/// Height difference from which two neighbours may be the two sides of an edge, metres.
pub(super) const EDGE_HEIGHT: f32 = 0.05;
/// Slope from which they are.
const EDGE_SLOPE: f32 = 0.9;
/// Neighbours closer than this define an edge exactly enough, metres.
const FINE: f32 = 0.0015;
/// Ground between points further apart than this is reckoned with, metres.
const SPARSE: f32 = 0.02;
/// Distance ahead of a point off the way: after all others.
const OFF: f32 = f32::MAX;
/// How far along the way an edge at a slant to it may be from where it crosses it, per distance
/// aside. Within that a point does not count where one of another step is nearer to the way: at
/// less than this part of its distance aside.
const SLANT: f32 = 0.5;
const NEARER: f32 = 0.8;
/// Points further to the side of the way than this do not count, metres.
const ASIDE: f32 = 0.06;

/// The points along a way, sorted: distance ahead and height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    ahead: Numbers,
    height: Numbers,
    slot: [u32; SAMPLES],
    count: usize,
    /// Number of points before some were left out: slots from there on are off the way, or empty.
    on_way: usize,
    /// The points that a step is before.
    edges: u32,
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
    /// The profile from `origin` along the unit vector `way` at right angles to `up`, heights over
    /// `plane`, from `from` to
    /// `to` metres ahead.
    #[inline(always)]
    pub fn profile(&self, origin: Vec3, way: Vec3, up: Vec3, plane: Vec3, from: f32, to: f32) -> Profile {
        // Filled where the caller keeps it: as a result of a function it would be copied.
        let mut profile = Profile {
            ahead: [0.0; SAMPLES + 4],
            height: [0.0; SAMPLES + 4],
            slot: [0; SAMPLES],
            count: 0,
            on_way: 0,
            edges: 0,
        };
        fill(Fill { memory: self, profile: &mut profile, origin, way, up, plane, from, to });
        profile
    }

    /// Finds between which points steps are.
    #[inline(always)]
    fn find_edges(&self, profile: &mut Profile, way: Vec3, side: Vec3) {
        let height = &profile.height;
        let is_high = |i: usize| F32x4::splat(EDGE_HEIGHT).lt((four(height, i + 1) - four(height, i)).abs());
        let high = masks::set(is_high) << 1 & masks::first(profile.count);
        profile.edges = 0;
        for i in masks::points(high) {
            profile.edges |= u32::from(self.is_edge(profile, i, way, side)) << i;
        }
    }

    /// Whether a step is between point `i` and the one before it: they are higher apart than both
    /// their planes define.
    #[inline(always)]
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
    #[inline(always)]
    pub fn choose_spares(&mut self, profile: &Profile) {
        self.taken = 0;
        let off = &profile.slot[profile.on_way.min(SAMPLES)..];
        let free = off.len().min(SPARES);
        self.spare[..free].copy_from_slice(&off[..free]);
        if free == SPARES {
            return;
        }
        // Of each point but the first and the last one.
        let mut worth = [0.0; SAMPLES];
        for (i, worth) in worth.iter_mut().enumerate() {
            let gap = profile.ahead[i + 2] - profile.ahead[i];
            let before = (profile.height[i + 1] - profile.height[i]).abs();
            let after = (profile.height[i + 2] - profile.height[i + 1]).abs();
            *worth = gap + 20.0 * if before > after { before } else { after };
        }
        let mut least = [f32::MAX; SPARES];
        let mut slots = [0; SPARES];
        // By number, which takes fewer instructions than an iterator here.
        #[allow(clippy::needless_range_loop)]
        for i in 0..profile.count.saturating_sub(2).min(SAMPLES - 1) {
            if worth[i] < least[SPARES - 1] {
                (least[SPARES - 1], slots[SPARES - 1]) = (worth[i], profile.slot[i + 1]);
                for k in (1..SPARES).rev() {
                    if least[k] < least[k - 1] {
                        least.swap(k - 1, k);
                        slots.swap(k - 1, k);
                    }
                }
            }
        }
        self.spare[free..].copy_from_slice(&slots[..SPARES - free]);
    }
}

/// Work of [`Memory::profile`].
struct Fill<'a> {
    memory: &'a Memory,
    profile: &'a mut Profile,
    origin: Vec3,
    way: Vec3,
    up: Vec3,
    plane: Vec3,
    from: f32,
    to: f32,
}

/// Not inlined: one copy for all callers.
#[inline(never)]
fn fill(work: Fill<'_>) {
    Level::for_one().run(work);
}

impl Task for Fill<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { memory, profile, origin, way, up, plane, from, to } = self;
        let side = up.cross(way);
        let level = plane.dot(up);
        let mut ahead = [0.0_f32; SAMPLES];
        let mut aside = [0.0_f32; SAMPLES];
        let mut height = [0.0_f32; SAMPLES];
        let mut key = [[0_i32; 4]; SAMPLES / 4];
        let mut count = 0;
        for i in 0..SAMPLES {
            let (x, y, z) = (memory.x[i] - origin.x, memory.y[i] - origin.y, memory.z[i] - origin.z);
            ahead[i] = x * way.x + y * way.y + z * way.z;
            aside[i] = (x * side.x + y * side.y + z * side.z).abs();
            height[i] = memory.x[i] * up.x + memory.y[i] * up.y + memory.z[i] * up.z - level;
            let on = (memory.used[i] != 0) & (ahead[i] >= from) & (ahead[i] <= to) & (aside[i] <= ASIDE);
            count += u32::from(on);
            // Ordered as the number is, and no two alike: the last bits are the place.
            let bits = (if on { ahead[i] } else { OFF }).to_bits() as i32;
            let ordered = bits ^ (((bits >> 31) as u32) >> 1) as i32;
            key[i / 4][i % 4] = ordered & !31 | i as i32;
        }
        // A point's rank is the number of points before it.
        let mut ranks = [i32x4::ZERO; SAMPLES / 4];
        for others in key {
            for other in others {
                for (ranks, key) in ranks.iter_mut().zip(&key) {
                    // All bits set are -1.
                    *ranks -= i32x4::new(*key).cmp_gt(i32x4::splat(other));
                }
            }
        }
        let ranks = ranks.map(|ranks| *ranks.as_array_ref());
        for (slot, rank) in ranks.as_flattened().iter().enumerate() {
            let i = *rank as usize;
            (profile.slot[i], profile.ahead[i], profile.height[i]) = (slot as u32, ahead[slot], height[slot]);
        }
        profile.count = count as usize;
        profile.on_way = profile.count;
        memory.find_edges(profile, way, side);
        if profile.edges & profile.edges.wrapping_sub(1) != 0 {
            let contradicted = profile.contradicted(&aside);
            if contradicted != 0 {
                profile.leave_out(contradicted);
                memory.find_edges(profile, way, side);
            }
        }
    }
}

impl Profile {
    /// Points aside of the way that a nearer one contradicts: an edge that is not at right angles
    /// to the way is at one place on the one side of it and at another on the other. `aside` has
    /// each slot's distance from the way.
    #[inline(always)]
    fn contradicted(&self, aside: &[f32; SAMPLES]) -> u32 {
        let (ahead, height, count) = (&self.ahead, &self.height, self.count.min(SAMPLES));
        let mut own = [0.0; SAMPLES + 4];
        for (own, slot) in own.iter_mut().zip(self.slot) {
            *own = aside[slot as usize % SAMPLES];
        }
        let aside = own;
        let is_near = |i: usize, j: usize| (ahead[j] - ahead[i]).abs() < SLANT * aside[i];
        let contradicts =
            |i: usize, j: usize| (height[j] - height[i]).abs() > EDGE_HEIGHT && aside[j] < NEARER * aside[i];
        // Those that are near to the one before or behind them: mostly none.
        let slant = F32x4::splat(SLANT);
        let gap = |i: usize| (four(ahead, i + 1) - four(ahead, i)).abs();
        let behind = masks::set(|i| gap(i).lt(slant * four(&aside, i)));
        let before = masks::set(|i| gap(i).lt(slant * four(&aside, i + 1))) << 1;
        let mut contradicted = 0;
        for i in masks::points((behind | before) & masks::first(count)) {
            let before = (0..i).rev().take_while(|j| is_near(i, *j));
            let behind = (i + 1..count).take_while(|j| is_near(i, *j));
            contradicted |= u32::from(before.chain(behind).any(|j| contradicts(i, j))) << i;
        }
        contradicted
    }

    /// Leaves points out.
    fn leave_out(&mut self, points: u32) {
        let mut kept = 0;
        for i in masks::points(!points & masks::first(self.count)) {
            (self.ahead[kept], self.height[kept], self.slot[kept]) = (self.ahead[i], self.height[i], self.slot[i]);
            kept += 1;
        }
        self.count = kept;
    }

    /// Points as distance ahead and height.
    pub fn points(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        (0..self.count).map(|i| (self.ahead[i], self.height[i]))
    }

    /// Ground up to `reach` ahead between points that no step is between: the middles of the cubics
    /// through both with their slopes.
    pub fn middles<'a>(&'a self, memory: &'a Memory, way: Vec3, reach: f32) -> impl Iterator<Item = (f32, f32)> + 'a {
        let middle = |i: usize| F32x4::splat(0.5) * (four(&self.ahead, i) + four(&self.ahead, i + 1));
        let sparse = masks::set(|i| {
            let (gap, at) = (four(&self.ahead, i + 1) - four(&self.ahead, i), middle(i));
            let is_on_way = F32x4::splat(0.0).lt(at).and(at.lt(F32x4::splat(reach)));
            is_on_way.and(F32x4::splat(SPARSE).lt(gap))
        });
        masks::points(sparse << 1 & masks::first(self.count) & !self.edges).map(move |b| {
            let a = b - 1;
            let (gap, at) = (self.ahead[b] - self.ahead[a], 0.5 * (self.ahead[a] + self.ahead[b]));
            let slope = |i: usize| memory.gradient[self.slot[i] as usize % SAMPLES].dot(way);
            (at, 0.5 * (self.height[a] + self.height[b]) + 0.125 * gap * (slope(a) - slope(b)))
        })
    }

    /// Steps, in the order of the way.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        masks::points(self.edges).map(|i| Edge {
            near: self.ahead[i - 1],
            far: self.ahead[i],
            before: self.height[i - 1],
            after: self.height[i],
        })
    }

    /// Height of the higher ground on the heel's side of `at`, where its edge is between `at` and
    /// `heel`: a foot stands on it with its heel.
    #[inline(always)]
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
    #[inline(always)]
    pub fn next_questions(&self, from: f32, to: f32) -> [Option<f32>; 2] {
        let count = self.count.min(SAMPLES);
        // With both ends of the way, which no height difference is at.
        let (mut ahead, mut height) = ([to; SAMPLES + 8], [0.0; SAMPLES + 8]);
        ahead[1..=SAMPLES].copy_from_slice(&self.ahead[..SAMPLES]);
        height[1..=SAMPLES].copy_from_slice(&self.height[..SAMPLES]);
        (ahead[0], ahead[count + 1]) = (from, to);
        (height[0], height[count + 1]) = (height[1], height[count]);
        let mut worth = [0.0; SAMPLES + 4];
        for i in (0..SAMPLES + 4).step_by(4) {
            let gap = four(&ahead, i + 1) - four(&ahead, i);
            let is_high = F32x4::splat(EDGE_HEIGHT).lt((four(&height, i + 1) - four(&height, i)).abs());
            let whole = F32x4::select(is_high, gap + F32x4::splat(10.0), gap);
            let gap = F32x4::select(F32x4::splat(FINE).lt(gap), whole, F32x4::splat(0.0));
            worth[i..i + 4].copy_from_slice(&gap.0);
        }
        let (mut first, mut second) = ((0.0, None), (0.0, None));
        // By number, which takes fewer instructions than an iterator here.
        #[allow(clippy::needless_range_loop)]
        for i in 0..count + 1 {
            if worth[i] > second.0 {
                second = (worth[i], Some(i));
                if worth[i] > first.0 {
                    (first, second) = (second, first);
                }
            }
        }
        [first.1, second.1].map(|gap| gap.map(|i| 0.5 * (ahead[i] + ahead[i + 1])))
    }

    /// Height at a distance ahead; across an edge that of the nearer side. `None` more than 0.15 m
    /// from all points.
    #[inline(always)]
    pub fn height_at(&self, ahead: f32) -> Option<f32> {
        let i = (0..self.count).find(|i| self.ahead[*i] >= ahead).unwrap_or(self.count);
        let close = |i: usize| (self.ahead[i] - ahead).abs() < 0.15;
        match (i.checked_sub(1).filter(|i| close(*i)), Some(i).filter(|i| *i < self.count && close(*i))) {
            (Some(a), Some(b)) => {
                let (gap, rise) = (self.ahead[b] - self.ahead[a], self.height[b] - self.height[a]);
                let part = (ahead - self.ahead[a]) / gap.max(1e-6);
                if self.edges >> b & 1 != 0 {
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
    use super::super::memory::Sample;
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
