//! A foot's ground memory seen as a height profile along its way, with edges: where the ground is
//! smooth, and between which two points a step is. The next points are requested where the profile
//! is least known, so a step's edge is found to centimetres in a few frames.

use super::masks::{self, EIGHTS, ROOM, SAMPLES, eight, four, put};
use super::memory::{Memory, SPARES};
use crate::math::dispatch::Task;
use crate::math::eight_lane::EightLane;
use crate::math::{F32x4, Lane, LaneMask, LaneVec3, Vec3};
use core::marker::PhantomData;

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

/// Places of a profile: more than points, so that a place of five bits needs no check.
const PLACES: usize = 32;

/// The points along a way, sorted: distance ahead and height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    ahead: [f32; PLACES],
    height: [f32; PLACES],
    slot: [u32; PLACES],
    count: usize,
    /// Number of points before some were left out: slots from there on are off the way, or empty.
    on_way: usize,
    /// The points that a step is before.
    edges: u32,
}

/// What is needed of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Needs {
    /// The points alone.
    Points,
    /// The steps between them, too.
    Edges,
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
    /// Fills an empty profile from `origin` along the unit vector `way` at right angles to `up`,
    /// heights over `plane`, from `from` to `to` metres ahead. It is where the caller keeps it: as
    /// a result of a function it would be copied.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub fn fill_profile<E: EightLane>(
        &self,
        profile: &mut Profile,
        origin: Vec3,
        way: Vec3,
        up: Vec3,
        plane: Vec3,
        from: f32,
        to: f32,
        needs: Needs,
    ) {
        E::run(Fill::<E> { memory: self, profile, origin, way, up, plane, from, to, needs, lane: PhantomData });
    }

    /// Looks along a way as [`Self::fill_profile`] does: chooses the points that the next ones
    /// replace, and returns the two places to look at next: the middles of the widest gaps, gaps
    /// across a height difference first. `from` and `to` bound the way.
    #[inline(always)]
    pub fn look<E: EightLane>(
        &mut self,
        origin: Vec3,
        way: Vec3,
        up: Vec3,
        plane: Vec3,
        from: f32,
        to: f32,
    ) -> [Option<f32>; 2] {
        let mut profile = Profile::empty();
        self.fill_profile::<E>(&mut profile, origin, way, up, plane, from, to, Needs::Points);
        profile.choose_spares::<E>(&mut self.spare);
        self.taken = 0;
        profile.next_places::<E>(from, to)
    }

    /// Finds between which points steps are.
    #[inline(always)]
    fn find_edges<E: EightLane>(&self, profile: &mut Profile, way: Vec3, side: Vec3, needs: Needs) {
        let height = &profile.height;
        let is_high = |i: usize| E::splat(EDGE_HEIGHT).lt((eight::<E, _>(height, i + 1) - eight(height, i)).abs());
        let high = masks::set_by_eights::<E>(is_high) << 1 & masks::first(profile.count);
        profile.edges = 0;
        // Points contradict each other only where there are two edges.
        if needs == Needs::Points && high & high.wrapping_sub(1) == 0 {
            return;
        }
        for i in masks::points(high) {
            profile.edges |= u32::from(self.is_edge(profile, i, way, side)) << i;
        }
    }

    /// Whether a step is between point `i` and the one before it: they are higher apart than both
    /// their planes define.
    #[inline(always)]
    fn is_edge(&self, profile: &Profile, i: usize, way: Vec3, side: Vec3) -> bool {
        let [was, now] = [i - 1, i].map(|k| profile.slot_of(k));
        let (gap, rise) = (profile.ahead[i] - profile.ahead[i - 1], profile.height[i] - profile.height[i - 1]);
        let across = (self.point(now) - self.point(was)).dot(side);
        let off = |k: usize| (rise - gap * self.gradient[k].dot(way) - across * self.gradient[k].dot(side)).abs();
        let step = off(now).min(off(was));
        step > EDGE_HEIGHT && step > EDGE_SLOPE * gap
    }
}

/// Work of [`Memory::fill_profile`], in one copy for all callers.
struct Fill<'a, E> {
    memory: &'a Memory,
    profile: &'a mut Profile,
    origin: Vec3,
    way: Vec3,
    up: Vec3,
    plane: Vec3,
    from: f32,
    to: f32,
    needs: Needs,
    lane: PhantomData<E>,
}

impl<E: EightLane> Task for Fill<'_, E> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { memory, profile, origin, way, up, plane, from, to, needs, .. } = self;
        let side = up.cross(way);
        let level = E::splat(plane.dot(up));
        let [from, to, most] = [from, to, ASIDE].map(E::splat);
        let [along, across, upwards, origin] = [way, side, up, origin].map(LaneVec3::<E>::splat);
        let (mut ahead, mut aside, mut height) = ([0.0; SAMPLES], [0.0; SAMPLES], [0.0; SAMPLES]);
        let mut places = [0.0; SAMPLES];
        for i in EIGHTS {
            let point = memory.eight_points::<E>(i);
            let away = point - origin;
            let (at, by) = (away.dot(along), away.dot(across).abs());
            let is_off = at.lt(from).or(to.lt(at)).or(most.lt(by));
            put(&mut ahead, i, at);
            put(&mut aside, i, by);
            put(&mut height, i, point.dot(upwards) - level);
            put(&mut places, i, E::select(is_off, E::splat(OFF), at));
        }
        // No point is behind this key, nor off the way before it.
        let off = OFF.to_bits() as i32 & !31;
        let mut keys = [off; ROOM];
        for i in 0..SAMPLES {
            let place = if memory.used[i] != 0 { places[i] } else { OFF };
            // Ordered as the number is, and no two alike: the last bits are the slot.
            let bits = place.to_bits() as i32;
            keys[i] = (bits ^ (((bits >> 31) as u32) >> 1) as i32) & !31 | i as i32;
        }
        // A point's rank is the number of points before it.
        let ranks = E::count_less::<{ ROOM / 8 }>(bytemuck::cast_ref(&keys), &keys[..SAMPLES]);
        let ranks = ranks.as_flattened();
        for slot in 0..SAMPLES {
            let i = ranks[slot] as usize % PLACES;
            (profile.slot[i], profile.ahead[i], profile.height[i]) = (slot as u32, ahead[slot], height[slot]);
        }
        profile.count = ranks[SAMPLES] as usize;
        profile.on_way = profile.count;
        memory.find_edges::<E>(profile, way, side, needs);
        if profile.edges & profile.edges.wrapping_sub(1) != 0 {
            let contradicted = profile.contradicted::<E>(&aside);
            if contradicted != 0 {
                profile.leave_out(contradicted);
                memory.find_edges::<E>(profile, way, side, needs);
            }
        }
    }
}

impl Profile {
    #[inline(always)]
    pub fn empty() -> Self {
        let numbers = [0.0; PLACES];
        Self { ahead: numbers, height: numbers, slot: [0; PLACES], count: 0, on_way: 0, edges: 0 }
    }

    /// The slot of the point at a place.
    #[inline(always)]
    fn slot_of(&self, place: usize) -> usize {
        (self.slot[place] as usize).min(SAMPLES - 1)
    }

    /// Chooses the slots of the points that the next ones replace: empty ones and those off the
    /// way, then those whose neighbours are like them. Where there are not enough the last ones
    /// stay.
    #[inline(always)]
    fn choose_spares<E: EightLane>(&self, spares: &mut [u32; SPARES]) {
        let off = &self.slot[self.on_way.min(SAMPLES)..SAMPLES];
        let free = off.len().min(SPARES);
        for (spare, slot) in spares.iter_mut().zip(off) {
            *spare = *slot;
        }
        if free == SPARES {
            return;
        }
        // Of each point but the first and the last one.
        let mut worth = [0.0; ROOM];
        for i in EIGHTS {
            let [first, middle, last] = [i, i + 1, i + 2].map(|i| eight::<E, _>(&self.height, i));
            let gap = eight::<E, _>(&self.ahead, i + 2) - eight(&self.ahead, i);
            let step = (middle - first).abs().max((last - middle).abs());
            put(&mut worth, i, gap + E::splat(20.0) * step);
        }
        let least = masks::least::<E, SPARES>(&worth, self.count.saturating_sub(2), f32::MAX);
        for (spare, point) in spares[free..].iter_mut().zip(least) {
            if point != masks::NONE {
                *spare = self.slot[(point + 1) % PLACES];
            }
        }
    }

    /// The two places to look at next: see [`Memory::look`].
    #[inline(always)]
    fn next_places<E: EightLane>(&self, from: f32, to: f32) -> [Option<f32>; 2] {
        let count = self.count.min(SAMPLES);
        // Less than nothing, of the gap before each point: wide ones, and more across a height.
        let mut worth = [0.0; ROOM];
        for i in EIGHTS {
            let gap = eight::<E, _>(&self.ahead, i + 1) - eight(&self.ahead, i);
            let is_high = E::splat(EDGE_HEIGHT).lt((eight::<E, _>(&self.height, i + 1) - eight(&self.height, i)).abs());
            let whole = E::select(is_high, gap + E::splat(10.0), gap);
            put(&mut worth, i + 1, E::select(E::splat(FINE).lt(gap), -whole, E::splat(0.0)));
        }
        // With both ends of the way, which no height difference is at.
        let before = |i: usize| if i == 0 { from } else { self.ahead[i - 1] };
        let behind = |i: usize| if i == count { to } else { self.ahead[i] };
        for i in [0, count] {
            let gap = behind(i) - before(i);
            worth[i] = if FINE < gap { -gap } else { 0.0 };
        }
        masks::least::<E, 2>(&worth, count + 1, 0.0).map(|i| (i != masks::NONE).then(|| 0.5 * (before(i) + behind(i))))
    }

    /// Points aside of the way that a nearer one contradicts: an edge that is not at right angles
    /// to the way is at one place on the one side of it and at another on the other. `aside` has
    /// each slot's distance from the way.
    #[inline(always)]
    fn contradicted<E: EightLane>(&self, aside: &[f32; SAMPLES]) -> u32 {
        let (ahead, height, count) = (&self.ahead, &self.height, self.count.min(SAMPLES));
        let mut own = [0.0; ROOM];
        for (own, slot) in own.iter_mut().zip(self.slot).take(SAMPLES) {
            *own = aside[(slot as usize).min(SAMPLES - 1)];
        }
        let aside = own;
        let is_near = |i: usize, j: usize| (ahead[j] - ahead[i]).abs() < SLANT * aside[i];
        let contradicts =
            |i: usize, j: usize| (height[j] - height[i]).abs() > EDGE_HEIGHT && aside[j] < NEARER * aside[i];
        // Those that are near to the one before or behind them: mostly none.
        let (mut before, mut behind) = (0, 0);
        for i in EIGHTS {
            let gap = (eight::<E, _>(ahead, i + 1) - eight(ahead, i)).abs();
            let is_near = |aside: E| u32::from(gap.lt(E::splat(SLANT) * aside).bits()) << i;
            behind |= is_near(eight(&aside, i));
            before |= is_near(eight(&aside, i + 1)) << 1;
        }
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
    #[cfg(test)]
    fn points(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        (0..self.count).map(|i| (self.ahead[i], self.height[i]))
    }

    /// Which points are on the way up to `reach` ahead.
    #[inline(always)]
    pub fn points_ahead<E: EightLane>(&self, reach: E) -> u32 {
        let set = masks::set_by_eights::<E>(|i| {
            let at = eight::<E, _>(&self.ahead, i);
            E::splat(0.0).lt(at).and(at.lt(reach))
        });
        set & masks::first(self.count)
    }

    /// Eight points from place `i` on: distances ahead and heights.
    #[inline(always)]
    pub fn eight_points<E: EightLane>(&self, i: usize) -> (E, E) {
        (eight(&self.ahead, i), eight(&self.height, i))
    }

    /// Which of the grounds between a point and the one behind it are on the way up to `reach`
    /// ahead, with no step between, and too wide to be known by both.
    #[inline(always)]
    pub fn middles<E: EightLane>(&self, reach: E) -> u32 {
        let set = masks::set_by_eights::<E>(|i| {
            let [ahead, next] = [i, i + 1].map(|i| eight::<E, _>(&self.ahead, i));
            let at = E::splat(0.5) * (ahead + next);
            E::splat(0.0).lt(at).and(at.lt(reach)).and(E::splat(SPARSE).lt(next - ahead))
        });
        set & (masks::first(self.count) & !self.edges) >> 1
    }

    /// Eight of these from place `i` on: the middles of the cubics through both points with their
    /// slopes, as distances ahead and heights.
    #[inline(always)]
    pub fn eight_middles<E: EightLane>(&self, slopes: &[f32; PLACES], i: usize) -> (E, E) {
        let [(ahead, height, slope), (next, next_height, next_slope)] = [i, i + 1]
            .map(|i| (eight::<E, _>(&self.ahead, i), eight::<E, _>(&self.height, i), eight::<E, _>(slopes, i)));
        let (gap, half) = (next - ahead, E::splat(0.5));
        (half * (ahead + next), half * (height + next_height) + E::splat(0.125) * gap * (slope - next_slope))
    }

    /// Slopes along the way of the points on both sides of `middles`.
    #[inline(always)]
    pub fn slopes(&self, memory: &Memory, way: Vec3, middles: u32) -> [f32; PLACES] {
        let mut slopes = [0.0; PLACES];
        for i in masks::points((middles | middles << 1) & masks::first(SAMPLES)) {
            slopes[i] = memory.gradient[self.slot_of(i)].dot(way);
        }
        slopes
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

    /// Height at a distance ahead; across an edge that of the nearer side. `None` more than 0.15 m
    /// from all points.
    #[inline(always)]
    pub fn height_at(&self, ahead: f32) -> Option<f32> {
        let before = masks::set(|i| four(&self.ahead, i).lt(F32x4::splat(ahead)));
        let i = ((!before).trailing_zeros() as usize).min(self.count);
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
    use super::super::query::{Hit, Purpose, Query};
    use super::*;
    use crate::math::F32x8;

    fn profile(memory: &Memory, origin: Vec3, way: Vec3, up: Vec3, plane: Vec3, from: f32, to: f32) -> Profile {
        let mut profile = Profile::empty();
        memory.fill_profile::<F32x8>(&mut profile, origin, way, up, plane, from, to, Needs::Edges);
        profile
    }

    fn take_in(memory: &mut Memory, point: Vec3) {
        let query = Query { purpose: Purpose::Path, ..Query::default() };
        let hit = Hit { hit: true, point_ws: point, normal_ws: Vec3::Y, ..Hit::default() };
        memory.take_in::<F32x8>(&[query], &[hit], Vec3::Z, Vec3::Y);
    }

    /// A memory of points along z with their heights, in the order given.
    fn memory(points: &[(f32, f32)]) -> Memory {
        let mut memory = Memory::default();
        for chunk in points.chunks(SPARES) {
            memory.look::<F32x8>(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, -9.0, 9.0);
            chunk.iter().for_each(|(z, y)| take_in(&mut memory, Vec3::new(0.0, *y, *z)));
        }
        memory
    }

    #[test]
    fn points_are_in_the_order_of_the_way_from_end_to_end() {
        // Behind, ahead, and to both sides of the origin by less than a micrometre.
        let points = [(0.3, 0.1), (-0.2, 0.2), (0.1, 0.3), (4e-7, 0.4), (-0.05, 0.5), (0.7, 0.6), (2.0, 0.7)];
        let memory = memory(&points);
        let profile = profile(&memory, Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::Y * 0.1, -0.5, 1.0);
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
        take_in(&mut memory, Vec3::new(0.03, 0.1, 0.2));
        // The place of a point that is known, at another height.
        take_in(&mut memory, Vec3::new(0.0, 0.5, 0.403));
        let profile = profile(&memory, Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, 0.0, 1.0);
        let mut found: Vec<f32> = profile.points().map(|(_, height)| height).collect();
        found.sort_by(f32::total_cmp);
        assert_eq!(found, [0.0, 0.1, 0.5]);
    }

    #[test]
    fn an_edge_at_a_slant_to_the_way_is_one_edge() {
        // Up by 17 cm beyond a line through the way's 0.1 m, at 20° to it.
        let mut memory = Memory::default();
        let mut add = |x: f32, z: f32| {
            memory.look::<F32x8>(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, -9.0, 9.0);
            take_in(&mut memory, Vec3::new(x, if z > 0.1 + 0.36 * x { 0.17 } else { 0.0 }, z));
        };
        let near = [(0.0, 0.0), (0.0, 0.094), (0.0, 0.106), (0.0, 0.2)];
        let aside = [(0.05, 0.11), (-0.05, 0.09), (0.04, 0.108), (-0.045, 0.095)];
        near.into_iter().chain(aside).for_each(|(x, z)| add(x, z));
        let edges: Vec<Edge> = profile(&memory, Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, -0.5, 0.5).edges().collect();
        assert_eq!(edges.len(), 1, "{edges:?}");
        assert!(edges[0].near >= 0.094 && edges[0].far <= 0.106, "{edges:?}");
    }

    #[test]
    fn questions_go_to_a_step_and_then_to_the_widest_gap() {
        let points = [(0.0, 0.0), (0.1, 0.0), (0.2, 0.15), (0.6, 0.15), (0.7, 0.15)];
        let look =
            |mut memory: Memory, to: f32| memory.look::<F32x8>(Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::ZERO, 0.0, to);
        let [first, second] = look(memory(&points), 0.7).map(|at| at.expect("a place"));
        assert!((first - 0.15).abs() < 1e-6 && (second - 0.4).abs() < 1e-6, "{first} {second}");
        assert_eq!(look(Memory::default(), 1.0), [Some(0.5), None]);
    }
}
