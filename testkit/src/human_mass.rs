//! The masses of a person by the documented rule, written anew for tests.

use crate::characters::solve3;
use crate::matchers::{self, Affine64};
use crate::person::Person;
use sinew::humanoid::HumanBone;

/// The documented rule, written anew: each bone's mass sits halfway to the next bone, as far as it
/// is known in the T-pose; masses of bones the rig lacks go to the parent bone.
pub struct Masses(Vec<(usize, [f64; 3], f64)>);

impl Masses {
    /// Measures the T-pose.
    ///
    /// # Panics
    /// When the person has no hips.
    pub fn new(person: &Person) -> Self {
        use HumanBone::*;
        let t_pose = matchers::forward_kinematics(&person.skeleton, &person.t_pose);
        let has = |bone: HumanBone| person.human[bone.index()];
        let first = |bones: &[HumanBone]| bones.iter().find_map(|b| has(*b));
        let mut mass = [0.0f64; HumanBone::COUNT];
        for bone in HumanBone::ALL {
            let mut owner = bone;
            while has(owner).is_none() {
                owner = owner.parent().expect("hips are there");
            }
            mass[owner.index()] += f64::from(bone.mass_kg());
        }
        let total: f64 = mass.iter().sum();
        let mut masses = Vec::new();
        for bone in HumanBone::ALL.into_iter().filter(|b| mass[b.index()] > 0.0) {
            let j = has(bone).unwrap();
            let next = match bone {
                Hips => first(&[Spine]),
                Spine => first(&[Chest, UpperChest, Neck, Head]),
                Chest => first(&[UpperChest, Neck, Head]),
                UpperChest => first(&[Neck, Head]),
                Neck => first(&[Head]),
                LeftShoulder => first(&[LeftUpperArm]),
                RightShoulder => first(&[RightUpperArm]),
                LeftUpperArm => first(&[LeftLowerArm]),
                RightUpperArm => first(&[RightLowerArm]),
                LeftLowerArm => first(&[LeftHand]),
                RightLowerArm => first(&[RightHand]),
                LeftHand => first(&[LeftMiddleProximal]),
                RightHand => first(&[RightMiddleProximal]),
                LeftUpperLeg => first(&[LeftLowerLeg]),
                RightUpperLeg => first(&[RightLowerLeg]),
                LeftLowerLeg => first(&[LeftFoot]),
                RightLowerLeg => first(&[RightFoot]),
                LeftFoot => first(&[LeftToes]),
                RightFoot => first(&[RightToes]),
                _ => None,
            };
            let from = t_pose[j].position;
            let half = next.map_or([0.0; 3], |n| [0, 1, 2].map(|i| 0.5 * (t_pose[n].position[i] - from[i])));
            masses.push((j, solve3(&t_pose[j].columns, half), mass[bone.index()] / total));
        }
        Self(masses)
    }
    /// The centre of mass of a pose.
    pub fn centre(&self, spaces: &[Affine64]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (j, local, share) in &self.0 {
            let p = spaces[*j].point(*local);
            (0..3).for_each(|i| sum[i] += share * p[i]);
        }
        sum
    }
}
