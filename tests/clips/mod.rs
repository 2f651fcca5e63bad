//! Motion clips as animators, and what is measured on them: forward kinematics in `f64`.

use serde_json::Value;
use sinew::animator::Animator;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, IkGoal, IkHint};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::{Arc, OnceLock};
use testkit::characters::{self, Facing64, joint, set_pose};
use testkit::matchers::{self, Affine64};

/// One clip; every pose has one transform per joint.
pub struct Clip {
    pub name: String,
    pub skeleton: Arc<Skeleton>,
    pub map: HumanMap,
    pub fps: f32,
    pub frames: Vec<Vec<Transform>>,
}

fn numbers<const N: usize>(value: &Value, from: usize) -> [f32; N] {
    core::array::from_fn(|i| value[from + i].as_f64().unwrap() as f32)
}

fn clip(name: String, file: &Value) -> Clip {
    let joints = file["joints"].as_array().unwrap();
    let rest: Vec<_> = joints
        .iter()
        .map(|j| Transform::new(Vec3::from_array(numbers(&j["offset"], 0)), Quat::from_array(numbers(&j["rest_r"], 0))))
        .collect();
    let definitions = joints.iter().zip(&rest).map(|(j, rest)| JointDefinition {
        name: j["name"].as_str().unwrap().to_owned(),
        parent: usize::try_from(j["parent"].as_i64().unwrap()).ok(),
        rest: *rest,
    });
    let skeleton = Skeleton::new(definitions.collect()).unwrap();
    let mut map = HumanMap::new();
    for (bone, joint) in file["humanoid"].as_object().unwrap() {
        map.set(HumanBone::from_name(bone).unwrap(), skeleton.find_joint(joint.as_str().unwrap()));
    }
    let rows = file["local_r"].as_array().unwrap().iter().zip(file["root_t"].as_array().unwrap());
    let frames = rows.map(|(row, root)| {
        let mut pose = rest.clone();
        for (j, local) in pose.iter_mut().enumerate() {
            local.rotation = Quat::from_array(numbers(row, 4 * j)).normalize();
        }
        pose[0].position = Vec3::from_array(numbers(root, 0));
        pose
    });
    let frames = frames.collect();
    Clip { name, map, fps: file["fps"].as_f64().unwrap() as f32, frames, skeleton: Arc::new(skeleton) }
}

/// All clips, read once.
pub fn clips() -> &'static [Clip] {
    static CLIPS: OnceLock<Vec<Clip>> = OnceLock::new();
    CLIPS.get_or_init(|| {
        let read = |p: &std::path::PathBuf| {
            let text = std::fs::read_to_string(p).unwrap();
            clip(p.file_stem().unwrap().to_string_lossy().into_owned(), &serde_json::from_str(&text).unwrap())
        };
        crate::needs::data_files("clips").iter().map(read).collect()
    })
}

impl Clip {
    /// The same clip with another rig and no frames.
    pub fn with(&self, joints: Vec<JointDefinition>, map: HumanMap) -> Self {
        let skeleton = Arc::new(Skeleton::new(joints).unwrap());
        Self { name: self.name.clone(), skeleton, map, fps: self.fps, frames: Vec::new() }
    }
    /// At most `count` frames, evenly spread.
    pub fn some_frames(&self, count: usize) -> impl Iterator<Item = &Vec<Transform>> {
        self.frames.iter().step_by(self.frames.len().div_ceil(count))
    }
    pub fn avatar(&self, stretch: f32) -> Arc<Avatar> {
        let definition = AvatarDefinition {
            map: self.map.clone(),
            arm_stretch: stretch,
            leg_stretch: stretch,
            // Sides are judged by the upper bone's roll, so it keeps what the solver gives it.
            upper_arm_twist: 0.0,
            upper_leg_twist: 0.0,
            ..Default::default()
        };
        Arc::new(Avatar::new(self.skeleton.clone(), &definition).unwrap())
    }
    pub fn animator(&self, stretch: f32) -> Animator {
        characters::animator_of(&self.avatar(stretch))
    }
}

/// Where a limb is, in the world, and how it bends.
pub struct Limb {
    pub root: [f64; 3],
    pub mid: [f64; 3],
    pub end: [f64; 3],
    /// Axes of the end joint, unit.
    pub end_axes: [[f64; 3]; 3],
    /// Distance of the mid joint from the line root–end, in limb lengths.
    pub offset: f64,
    /// Angle between both bones, radians; 0 is straight.
    pub bend: f64,
    /// Angle about the upper bone between the side the lower bone folds away from and the
    /// anatomical one, radians.
    pub off_anatomy: f64,
}

pub fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
pub fn along(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + t * (b[i] - a[i]))
}
fn across(v: [f64; 3], line: [f64; 3]) -> [f64; 3] {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let part = dot(v, line) / dot(line, line).max(1e-300);
    [0, 1, 2].map(|i| v[i] - line[i] * part)
}
pub fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

/// The four limbs, in [`IkGoal`] order.
pub fn limbs(animator: &Animator) -> [Limb; 4] {
    let spaces = characters::world(animator);
    let avatar = animator.avatar().unwrap();
    IkGoal::ALL.map(|goal| {
        let joints = goal.bones().map(|b| joint(animator, b));
        let [root, mid, end] = joints.map(|j| spaces[j].position);
        let space: &Affine64 = &spaces[joints[2]];
        let (upper, lower, line) = (sub(mid, root), sub(end, mid), sub(end, root));
        // What was forward (or behind and a little down) in the T-pose, carried by the upper bone.
        let [_, up, forward] = Facing64::new(avatar, joints[0]).now(&spaces);
        let side = if goal.is_foot() { forward } else { [0, 1, 2].map(|i| -forward[i] - 0.3 * up[i]) };
        let length = matchers::distance(root, mid) + matchers::distance(mid, end);
        Limb {
            root,
            mid,
            end,
            end_axes: [0, 1, 2].map(|i| space.axis(i)),
            offset: matchers::distance(across(upper, line), [0.0; 3]) / length,
            bend: matchers::direction_angle_rad(upper, lower),
            off_anatomy: matchers::direction_angle_rad(across(sub([0.0; 3], lower), upper), across(side, upper)),
        }
    })
}

/// Largest angle between the end joints' axes, radians.
pub fn end_turn(a: &Limb, b: &Limb) -> f64 {
    (0..3).map(|i| matchers::direction_angle_rad(a.end_axes[i], b.end_axes[i])).fold(0.0, f64::max)
}

/// Takes position, rotation and hint of every limb from `captured` through the animator's own
/// getters, with full weights.
pub fn take_goals(animator: &mut Animator, captured: &[Transform]) {
    set_pose(animator, captured);
    for goal in IkGoal::ALL {
        let hint = IkHint::ALL[goal.index()];
        let (p, r) = (animator.ik_position(goal).unwrap(), animator.ik_rotation(goal).unwrap());
        let h = animator.ik_hint_position(hint).unwrap();
        animator.set_ik_position(goal, p).unwrap();
        animator.set_ik_rotation(goal, r).unwrap();
        animator.set_ik_hint_position(hint, h).unwrap();
    }
    set_weights(animator, 1.0, 1.0, 1.0);
}

pub fn set_weights(animator: &mut Animator, position: f32, rotation: f32, hint: f32) {
    for goal in IkGoal::ALL {
        animator.set_ik_position_weight(goal, position).unwrap();
        animator.set_ik_rotation_weight(goal, rotation).unwrap();
        animator.set_ik_hint_position_weight(IkHint::ALL[goal.index()], hint).unwrap();
    }
}
