//! Bone rotation overrides of a [`SinewHumanoidIK`].

use crate::avatar;
use crate::calls::Rig;
use crate::convert::{self, quat};
use crate::humanoid_ik::SinewHumanoidIK;
use godot::builtin::{GString, Quaternion, StringName};
use godot::global::godot_error;
use godot::obj::WithBaseField;
use godot::register::godot_api;
use sinew::animator::Animator;
use sinew::humanoid::HumanBone;
use sinew::math::Quat;

/// The overrides of a node; an animator has them once they were sent.
#[derive(Debug, Default)]
pub struct BoneOverrides {
    list: Vec<(HumanBone, Quat)>,
    changed: bool,
}

impl BoneOverrides {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// Whether one is of a finger.
    pub fn has_finger(&self) -> bool {
        self.list.iter().any(|(bone, _)| avatar::is_finger(*bone))
    }
    /// Clears all.
    pub fn clear(&mut self) {
        self.list.clear();
        self.changed = true;
    }
    /// Whether the animator has them as they are.
    pub fn are_sent(&self) -> bool {
        !self.changed
    }
    /// Another animator has none of them.
    pub fn send_again(&mut self) {
        self.changed = true;
    }
    /// Gives them to the animator, where they have changed. Those of bones that the rig does not
    /// have are left out.
    pub fn send(&mut self, animator: &mut Animator) {
        if !core::mem::take(&mut self.changed) {
            return;
        }
        _ = animator.clear_bone_local_rotations();
        for (bone, rotation) in &self.list {
            _ = animator.set_bone_local_rotation(*bone, *rotation);
        }
    }
    /// Error text for bones that the rig does not have.
    pub fn problem(&self, mapped: &[(HumanBone, String)]) -> Option<String> {
        let is_missing = |bone: &HumanBone| !mapped.iter().any(|(there, _)| there == bone);
        let bones = self.list.iter().map(|(bone, _)| *bone).filter(is_missing);
        let names: Vec<String> = bones.map(avatar::profile_name).collect();
        (!names.is_empty())
            .then(|| format!("Rotations are set for human bones the skeleton does not have: {}.", names.join(", ")))
    }
    fn set(&mut self, bone: HumanBone, unit: Quat) {
        match self.list.iter_mut().find(|(there, _)| *there == bone) {
            Some((_, rotation)) => *rotation = unit,
            None => self.list.push((bone, unit)),
        }
        self.changed = true;
    }
    fn get(&self, bone: HumanBone) -> Option<Quat> {
        self.list.iter().find(|(there, _)| *there == bone).map(|(_, rotation)| *rotation)
    }
}

#[godot_api(secondary)]
impl SinewHumanoidIK {
    /// Sets a human bone's rotation in its parent bone, in place of the animation's, until [method
    /// clear_bone_local_rotations]; goals and look-at count after it. [param bone]: its name in
    /// [SkeletonProfileHumanoid], whatever the skeleton's own bone is called; fingers, too. A bone
    /// that the skeleton does not have is an error.
    #[func]
    fn set_bone_local_rotation(&mut self, bone: GString, rotation: Quaternion) {
        const CALL: &str = "SinewHumanoidIK.set_bone_local_rotation";
        let Some(bone) = self.human_bone(CALL, &bone) else { return };
        let given = quat(rotation);
        if !convert::is_rotation(given) {
            godot_error!("{CALL}: rotation is {rotation}, which is no rotation.");
            return;
        }
        self.bone_overrides.set(bone, given.normalize());
    }
    /// The rotation set for a human bone, or its rotation in the skeleton's present pose when none
    /// is set; in the parent bone.
    #[func]
    fn get_bone_local_rotation(&mut self, bone: GString) -> Quaternion {
        let Some(bone) = self.human_bone("SinewHumanoidIK.get_bone_local_rotation", &bone) else {
            return Quaternion::default();
        };
        if let Some(rotation) = self.bone_overrides.get(bone) {
            return convert::quaternion(rotation);
        }
        let mapped = self.humanoid.iter().flat_map(|humanoid| &humanoid.rigged.mapped);
        let name = mapped.into_iter().find(|(there, _)| *there == bone).map(|(_, name)| StringName::from(name));
        let pose = name.zip(self.base().get_skeleton()).and_then(|(name, skeleton)| {
            let bone = skeleton.find_bone(&name.to_string());
            (bone >= 0).then(|| skeleton.get_bone_pose_rotation(bone))
        });
        pose.unwrap_or_default()
    }
    /// Clears all rotations of [method set_bone_local_rotation]: bones follow the animation again.
    #[func]
    fn clear_bone_local_rotations(&mut self) {
        self.bone_overrides.clear();
    }
}

impl SinewHumanoidIK {
    /// The human bone of a name. `None`, with an error that names the call, when it is none, or one
    /// that the skeleton does not have.
    fn human_bone(&mut self, call: &str, name: &GString) -> Option<HumanBone> {
        let Some(bone) = avatar::profile_bone(name) else {
            godot_error!("{call}: bone is \"{name}\", not the name of a bone in SkeletonProfileHumanoid.");
            return None;
        };
        if let Some(rig) = Rig::of(&self.base) {
            self.set_up(rig);
        }
        let rigged = self.humanoid.as_ref().map(|humanoid| &humanoid.rigged);
        if rigged.is_some_and(|rigged| !rigged.mapped.iter().any(|(there, _)| *there == bone)) {
            godot_error!("{call}: bone is \"{name}\", which the skeleton does not have.");
            return None;
        }
        Some(bone)
    }
}
