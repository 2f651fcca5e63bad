//! Persons as animators, with every kind of root transform and under every kind of parent.

use crate::chains::{ParentKind, Rig};
use crate::matchers::{self, Affine64};
use crate::person::{Person, PersonOptions, Units, person};
use crate::rolls::BoneRolls;
use sinew::animator::Animator;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap};
use sinew::math::{Transform, Vec3};
use sinew::skeleton::{JointIndex, SkeletonBuilder};
use std::sync::Arc;

/// Root transforms: each kind of parent as one transform.
pub fn roots() -> [(ParentKind, Transform); 6] {
    ParentKind::ALL.map(|kind| (kind, kind.transforms()[0]))
}

/// Avatar of a person, with its T-pose and axes given, so nothing is computed from the rest pose.
///
/// # Panics
/// When the person makes no avatar.
pub fn avatar(person: &Person, stretch: f32) -> Arc<Avatar> {
    let definition = AvatarDefinition {
        map: HumanMap::from_array(person.human),
        t_pose: Some(person.t_pose.clone()),
        up: Some(person.axes.up),
        forward: Some(person.axes.forward),
        arm_stretch: stretch,
        leg_stretch: stretch,
        ..AvatarDefinition::default()
    };
    Arc::new(Avatar::new(Arc::new(person.skeleton.clone()), &definition).expect("a person is a humanoid"))
}

/// Animator of a person in its rest pose; see [`avatar`].
///
/// # Panics
/// When the person makes no avatar.
pub fn animator(person: &Person, stretch: f32) -> Animator {
    animator_of(&avatar(person, stretch))
}

/// Another animator for an avatar.
///
/// # Panics
/// Never: the avatar brings its own skeleton.
pub fn animator_of(avatar: &Arc<Avatar>) -> Animator {
    Animator::new(avatar.skeleton().clone(), Some(avatar.clone())).expect("the avatar's own skeleton")
}

/// The same person under two more joints with the transforms of a kind of parent (mirrored and
/// unevenly scaled kinds included). The axes are those of model space after the parents.
pub fn hung(person: &Person, kind: ParentKind) -> Person {
    let mut builder = SkeletonBuilder::new();
    let [outer, inner] = kind.transforms();
    let outer_joint = builder.joint("outer", None, outer);
    let inner_joint = builder.joint("inner", Some(outer_joint), inner);
    let skeleton = &person.skeleton;
    for joint in 0..skeleton.joint_count() {
        let parent = skeleton.parent(joint).map_or(inner_joint, |p| p + 2);
        builder.joint(skeleton.name(joint), Some(parent), skeleton.rest_local()[joint]);
    }
    let mut t_pose = vec![outer, inner];
    t_pose.extend_from_slice(&person.t_pose);
    let space = Affine64::from_transform(&outer).then(&Affine64::from_transform(&inner));
    let through = |v: Vec3| {
        let d = space.direction(v.to_array().map(f64::from));
        Vec3::new(d[0] as f32, d[1] as f32, d[2] as f32).normalize()
    };
    let mut axes = person.axes;
    (axes.right, axes.up, axes.forward) = (through(axes.right), through(axes.up), through(axes.forward));
    Person {
        skeleton: builder.build().expect("two more joints"),
        human: person.human.map(|joint| joint.map(|j| j + 2)),
        t_pose,
        axes,
        options: person.options,
    }
}

/// An animator on a rig that is not a person, with this root transform.
///
/// # Panics
/// When the root's scale is zero.
pub fn on_rig(rig: &Rig, root: Transform) -> Animator {
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).expect("no avatar");
    animator.set_root(root).expect("a root with a size");
    animator
}

/// Persons of all makes: joint orientations, axes and units, without optional bones, and under
/// every kind of parent.
pub fn kinds() -> Vec<(String, Person)> {
    let plain = PersonOptions::default();
    let mut kinds = Vec::new();
    for bone_rolls in BoneRolls::ALL {
        kinds.push((format!("{bone_rolls:?}"), person(&PersonOptions { bone_rolls, ..plain })));
    }
    kinds.push(("glTF".into(), person(&PersonOptions::gltf())));
    let cm = PersonOptions { units: Units::Centimetres, bone_rolls: BoneRolls::Random(3), ..plain };
    kinds.push(("centimetres".into(), person(&cm)));
    let least = PersonOptions { with_optional: false, with_fingers: false, ..plain };
    kinds.push(("least".into(), person(&least)));
    for kind in ParentKind::ALL {
        kinds.push((format!("hung {kind:?}"), hung(&person(&plain), kind)));
    }
    kinds
}

/// Sets an animator to the rest pose.
pub fn to_rest(animator: &mut Animator) {
    let rest = animator.skeleton().clone();
    set_pose(animator, rest.rest_local());
}

/// Sets an animator's pose.
pub fn set_pose(animator: &mut Animator, pose: &[Transform]) {
    animator.pose_mut().local_mut().copy_from_slice(pose);
}

/// The pose of an animator.
pub fn pose(animator: &Animator) -> Vec<Transform> {
    animator.pose().local().to_vec()
}

/// Space of every joint in the world, in `f64`, from the local transforms and the root.
pub fn world(animator: &Animator) -> Vec<Affine64> {
    let root = Affine64::from_transform(animator.root());
    let model = matchers::forward_kinematics(animator.skeleton(), animator.pose().local());
    model.iter().map(|frame| root.then(frame)).collect()
}

/// Joint of a human bone.
///
/// # Panics
/// When the animator is no humanoid or lacks the bone.
pub fn joint(animator: &Animator, bone: HumanBone) -> JointIndex {
    animator.bone_joint(bone).expect("a humanoid").unwrap_or_else(|| panic!("no {}", bone.name()))
}

/// Directions fixed in a joint: right, up and forward of the T-pose, in the joint's space.
#[derive(Clone, Copy, Debug)]
pub struct Facing64 {
    /// The joint.
    pub joint: JointIndex,
    /// Right, up, forward in the T-pose.
    pub axes_js: [[f64; 3]; 3],
}

impl Facing64 {
    /// Measures the avatar's T-pose, with the avatar's axes.
    pub fn new(avatar: &Avatar, joint: JointIndex) -> Self {
        let frame = matchers::forward_kinematics(avatar.skeleton(), avatar.t_pose())[joint];
        let inward = |v: Vec3| solve3(&frame.columns, v.to_array().map(f64::from));
        let axes = avatar.axes();
        Self { joint, axes_js: [axes.right, axes.up, axes.forward].map(inward) }
    }
    /// Right, up and forward now, unit.
    pub fn now(&self, spaces: &[Affine64]) -> [[f64; 3]; 3] {
        self.axes_js.map(|v| {
            let d = spaces[self.joint].direction(v);
            let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            d.map(|c| c / length)
        })
    }
}

/// Solves the 3×3 system with these columns, by Cramer's rule.
pub fn solve3(columns: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [x, y, z] = *columns;
    let det = dot(x, cross(y, z));
    [dot(v, cross(y, z)) / det, dot(x, cross(v, z)) / det, dot(x, cross(y, v)) / det]
}
