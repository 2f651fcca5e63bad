//! Ground memory of one foot: the last hits along its way, seen as a height profile with edges.
//!
//! A foot requests a few ground points a frame. Kept over the swing they give the shape of the
//! ground ahead: where it is
//! smooth, and between which two points a step is. The next points are requested where the
//! profile is least known, so a
//! step's edge is found to centimetres in a few frames.

use crate::math::Vec3;
use bytemuck::{Pod, Zeroable};

/// Points that are kept.
pub(super) const SAMPLES: usize = 20;
/// Points that a frame may bring.
const SPARES: usize = 3;
/// Height difference from which two neighbours may be the two sides of an edge, metres.
const EDGE_HEIGHT: f32 = 0.05;
/// Slope from which they are.
const EDGE_SLOPE: f32 = 0.9;
/// Neighbours closer than this define an edge exactly enough, metres.
const FINE: f32 = 0.012;
/// Points further to the side of the way than this do not count, metres.
const ASIDE: f32 = 0.06;

/// A ground point.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Sample {
    pub point: Vec3,
    /// How much the surface rises per metre, as a level vector uphill.
    pub gradient: Vec3,
    pub velocity: Vec3,
    pub body: u32,
    pub used: u32,
}

/// The points, oldest overwritten first.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Memory {
    samples: [Sample; SAMPLES],
    /// Where the next points go: those of least worth.
    spare: [u32; SPARES],
    taken: u32,
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
    /// Moves the points with their bodies; `seen` gives a body's newest velocity.
    pub fn carry(&mut self, dt: f32, seen: impl Fn(u32) -> Option<Vec3>) {
        for sample in &mut self.samples {
            if sample.used != 0 && sample.body != 0 {
                if let Some(velocity) = seen(sample.body) {
                    sample.velocity = velocity;
                }
                sample.point += sample.velocity * dt;
            }
        }
    }

    /// Takes a point in; one that is as good as known replaces its like.
    pub fn insert(&mut self, sample: Sample, up: Vec3) {
        let apart = |s: &Sample| {
            let d = s.point - sample.point;
            (d - up * d.dot(up)).length_squared()
        };
        let near = self.samples.iter().position(|s| s.used != 0 && apart(s) < 0.006 * 0.006);
        let at = near.unwrap_or(self.spare[self.taken as usize % SPARES] as usize % SAMPLES);
        if near.is_none() {
            self.taken += 1;
        }
        self.samples[at] = sample;
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
        for (slot, sample) in self.samples.iter().enumerate() {
            let d = sample.point - origin;
            let ahead = d.dot(way);
            let aside = d.dot(side);
            if sample.used == 0 || ahead < from || ahead > to || aside.abs() > ASIDE {
                if profile.off_count < SPARES {
                    profile.off[profile.off_count] = slot as u32;
                    profile.off_count += 1;
                }
                continue;
            }
            // Only keys are sorted; what belongs to them is filled in afterwards, once.
            let mut i = profile.count;
            while i > 0 && profile.ahead[i - 1] > ahead {
                profile.ahead[i] = profile.ahead[i - 1];
                profile.slot[i] = profile.slot[i - 1];
                i -= 1;
            }
            profile.ahead[i] = ahead;
            profile.slot[i] = slot as u32;
            profile.count += 1;
        }
        for i in 0..profile.count {
            let sample = &self.samples[profile.slot[i] as usize % SAMPLES];
            profile.height[i] = (sample.point - plane).dot(up);
            if i > 0 && (profile.height[i] - profile.height[i - 1]).abs() > EDGE_HEIGHT {
                profile.edge[i] = self.is_edge(&profile, i, way, side);
            }
        }
        profile
    }

    /// Whether a step is between point `i` and the one before it: they are higher apart than both
    /// their planes define.
    fn is_edge(&self, profile: &Profile, i: usize, way: Vec3, side: Vec3) -> bool {
        let [was, now] = [i - 1, i].map(|k| &self.samples[profile.slot[k] as usize % SAMPLES]);
        let (gap, rise) = (profile.ahead[i] - profile.ahead[i - 1], profile.height[i] - profile.height[i - 1]);
        let across = (now.point - was.point).dot(side);
        let off = |s: &Sample| (rise - gap * s.gradient.dot(way) - across * s.gradient.dot(side)).abs();
        let step = off(now).min(off(was));
        step > EDGE_HEIGHT && step > EDGE_SLOPE * gap
    }
}

impl Memory {
    /// Chooses the points that the next ones replace: empty ones and those off the way, then those
    /// whose neighbours are like them.
    pub fn choose_spares(&mut self, profile: &Profile) {
        self.taken = 0;
        self.spare = profile.off;
        for k in profile.off_count..SPARES {
            let (mut least, mut slot) = (f32::MAX, 0);
            for i in 1..profile.count.saturating_sub(1) {
                let gap = profile.ahead[i + 1] - profile.ahead[i - 1];
                let bend = (profile.height[i] - profile.height[i - 1])
                    .abs()
                    .max((profile.height[i + 1] - profile.height[i]).abs());
                let worth = gap + 20.0 * bend;
                if worth < least && !self.spare[..k].contains(&profile.slot[i]) {
                    (least, slot) = (worth, profile.slot[i]);
                }
            }
            self.spare[k] = slot;
        }
    }
}

impl Profile {
    /// Points as distance ahead and height.
    pub fn points(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        (0..self.count).map(|i| (self.ahead[i], self.height[i]))
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

    /// Where to look next: the middle of the widest gap, gaps across a height difference first.
    /// `from` and `to` bound the way.
    pub fn next_question(&self, from: f32, to: f32, not: f32) -> f32 {
        let (mut best, mut at) = (0.0, not);
        let mut look = |a: f32, b: f32, rise: f32| {
            let gap = b - a;
            let middle = 0.5 * (a + b);
            let score = if rise > EDGE_HEIGHT && gap > FINE { gap + 10.0 } else { gap };
            if gap > FINE && score > best && (middle - not).abs() > 1e-4 {
                (best, at) = (score, middle);
            }
        };
        let mut last: Option<(f32, f32)> = None;
        for (ahead, height) in self.points() {
            match last {
                Some((a, h)) => look(a, ahead, (height - h).abs()),
                None => look(from, ahead, 0.0),
            }
            last = Some((ahead, height));
        }
        look(last.map_or(from, |(a, _)| a), to, 0.0);
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
