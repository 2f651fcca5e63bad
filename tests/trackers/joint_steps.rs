//! How far joints go between frames.

use crate::player::place;
use sinew::humanoid::Avatar;
use sinew::humanoid::HumanBone::{self, Hips, RightToes};
use sinew::math::Vec3;
use testkit::matchers::Affine64;

/// The largest step of any joint but the fingers' between two frames, and of which.
pub struct Steps {
    last: Option<Vec<Vec3>>,
    pub most: f32,
    pub at: (usize, HumanBone),
}

impl Steps {
    pub fn new() -> Self {
        Self { last: None, most: 0.0, at: (0, Hips) }
    }
    pub fn see(&mut self, frame: usize, frames: &[Affine64], avatar: &Avatar) {
        let bones = HumanBone::ALL.into_iter().take(1 + RightToes.index());
        let bones: Vec<_> = bones.filter(|bone| avatar.joint(*bone).is_some()).collect();
        let now: Vec<Vec3> = bones.iter().map(|bone| place(frames, avatar, *bone)).collect();
        if let Some(last) = &self.last {
            for (joint, (a, b)) in now.iter().zip(last).enumerate() {
                if a.distance(*b) > self.most {
                    (self.most, self.at) = (a.distance(*b), (frame, bones[joint]));
                }
            }
        }
        self.last = Some(now);
    }
}
