//! A small generator of random numbers: SplitMix64, the same on every platform.
//!
//! Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014. Everything above the integers uses rejection and square roots only.

use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::Skeleton;

/// The generator. Equal seeds give equal sequences.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts the sequence of this seed; every seed is valid, 0 included.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }
    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A whole number in `0 .. count`; `count` must not be 0. (Bias below one part in 2³², enough
    /// for tests.)
    pub fn below(&mut self, count: usize) -> usize {
        (((self.bits() >> 32) * count as u64) >> 32) as usize
    }
    /// Uniform in 0 ≤ x < 1, a multiple of 2⁻²⁴.
    pub fn unit01(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / 16_777_216.0)
    }
    /// Uniform in `low ≤ x ≤ high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit01()
    }
    /// Uniform in the ball of this radius.
    pub fn in_ball(&mut self, radius: f32) -> Vec3 {
        loop {
            let v = Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if v.dot(v) <= 1.0 {
                return v * radius;
            }
        }
    }
    /// Uniform on the unit sphere.
    pub fn unit_vector(&mut self) -> Vec3 {
        loop {
            let v = self.in_ball(1.0);
            let length = v.length();
            if length > 0.01 {
                return v / length;
            }
        }
    }
    /// Uniform over all rotations.
    pub fn rotation(&mut self) -> Quat {
        loop {
            let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let (z, w) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let q = Quat::from_xyzw(x, y, z, w);
            let square = q.dot(q);
            if (1e-3..=1.0).contains(&square) {
                return q.normalize();
            }
        }
    }
    /// A rotation about a random axis by at most `limit_rad` radians.
    pub fn rotation_within(&mut self, limit_rad: f32) -> Quat {
        let axis = self.unit_vector();
        axis_angle(axis, self.between(0.0, limit_rad))
    }
    /// A rigid transform within `radius` of the origin, turned any way.
    pub fn rigid(&mut self, radius: f32) -> Transform {
        let position = self.in_ball(radius);
        Transform::new(position, self.rotation())
    }
    /// Local transforms near the rest pose: every joint turned by at most `limit_rad` radians,
    /// positions and scales kept.
    pub fn pose_near_rest(&mut self, skeleton: &Skeleton, limit_rad: f32) -> Vec<Transform> {
        let near =
            |t: &Transform| Transform { rotation: (t.rotation * self.rotation_within(limit_rad)).normalize(), ..*t };
        skeleton.rest_local().iter().map(near).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // Reference values of SplitMix64 with seed 1234567.
        let mut random = Random::new(1_234_567);
        let expected: [u64; 3] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| random.bits()), expected);
    }

    #[test]
    fn values_are_in_range() {
        let mut random = Random::new(5);
        let mut mean = Vec3::ZERO;
        for _ in 0..2000 {
            assert!((0.0..1.0).contains(&random.unit01()));
            assert!(random.below(7) < 7);
            assert!((random.rotation().length() - 1.0).abs() < 1e-6);
            assert!(sinew::math::rotation_angle(random.rotation_within(0.3)) < 0.3001);
            let v = random.unit_vector();
            assert!((v.length() - 1.0).abs() < 1e-6);
            mean += v * (1.0 / 2000.0);
        }
        assert!(mean.length() < 0.1, "{mean}");
    }
}
