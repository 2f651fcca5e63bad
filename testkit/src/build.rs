//! Characters of another build than people's: bones that are longer or shorter.

use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Transform, Vec3};
use sinew::skeleton::{Pose, Skeleton};

/// A build, against that of a usual person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Build {
    /// Large head, short limbs.
    Chibi,
    /// Three times as tall.
    Giant,
    /// Arms of this length.
    Arms(f32),
}

impl Build {
    /// How much longer the way to a bone from its parent is.
    fn part(self, bone: Option<HumanBone>) -> f32 {
        let lower_leg = [LeftLowerLeg, LeftFoot, RightLowerLeg, RightFoot];
        let lower_arm = [LeftLowerArm, LeftHand, RightLowerArm, RightHand];
        let is_of = |bones: [HumanBone; 4]| bone.is_some_and(|bone| bones.contains(&bone));
        match self {
            Self::Chibi if matches!(bone, Some(Neck | Head)) => 1.6,
            Self::Chibi if is_of(lower_leg) => 0.45,
            Self::Chibi if is_of(lower_arm) => 0.6,
            Self::Chibi => 0.8,
            Self::Arms(part) if is_of(lower_arm) => part,
            Self::Giant | Self::Arms(_) => 1.0,
        }
    }
    fn size(self) -> f32 {
        match self {
            Self::Chibi => 0.6,
            Self::Giant => 3.0,
            Self::Arms(_) => 1.0,
        }
    }
    /// A pose, local transforms, with bones of this build. The ankles stay at their height above
    /// the origin, in sizes of the character; `joint` finds a bone's joint, the hips' parent is
    /// upright.
    pub fn pose(
        self,
        skeleton: &Skeleton,
        usual: &[Transform],
        joint: impl Fn(HumanBone) -> Option<usize>,
        up: Vec3,
    ) -> Vec<Transform> {
        let mut built = usual.to_vec();
        for (index, local) in built.iter_mut().enumerate() {
            let bone = HumanBone::ALL.into_iter().find(|bone| joint(*bone) == Some(index));
            local.position *= self.size() * self.part(bone);
        }
        let (hips, foot) = (joint(Hips).expect("hips"), joint(LeftFoot).expect("a foot"));
        let height = |local: &[Transform]| {
            let mut pose = Pose::rest(skeleton);
            pose.local_mut().copy_from_slice(local);
            pose.update(skeleton);
            pose.model(foot).position.dot(up)
        };
        let lift = self.size() * height(usual) - height(&built);
        built[hips].position += up * lift;
        built
    }
}
