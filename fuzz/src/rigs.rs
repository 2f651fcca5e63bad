//! A skeleton and an avatar from the bytes, and a frame of an animator on them.

use crate::input::Input;
use sinew::animator::Animator;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanRange, HumanRangeSet, IkGoal, map_joints};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::{Arc, OnceLock};
use testkit::{Person, PersonOptions, matchers, person};

/// Words that names of joints are made of.
const WORDS: [&str; 16] = [
    "Left",
    "Right",
    "Up",
    "Leg",
    "Foot",
    "Arm",
    "Fore",
    "Hand",
    "Hips",
    "Spine",
    "Head",
    "Neck",
    "Toe",
    "_l",
    ".R",
    "mixamorig:",
];

fn standing() -> &'static Person {
    static PERSON: OnceLock<Person> = OnceLock::new();
    PERSON.get_or_init(|| person(&PersonOptions::default()))
}

/// Builds what the bytes describe.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let joints = if input.one_in(2) { odd_joints(&mut input) } else { changed_person(&mut input) };
    let count = joints.len();
    let is_ordinary = joints.iter().all(|joint| {
        let sizes = joint.rest.scale.abs();
        joint.rest.position.abs().max_element() < 1e6 && sizes.max_element() < 1e3 && sizes.min_element() > 1e-3
    });
    let Ok(skeleton) = Skeleton::new(joints) else { return };
    assert_eq!(skeleton.joint_count(), count);
    for joint in 0..count {
        assert!(skeleton.parent(joint).is_none_or(|parent| parent < joint), "joint {joint} is above its parent");
        assert!(skeleton.subtree(joint).contains(&joint));
        let rest = skeleton.rest_model()[joint].position;
        assert!(!is_ordinary || rest.is_finite(), "rest of joint {joint}: {rest}");
    }
    let skeleton = Arc::new(skeleton);
    let report = map_joints(&skeleton);
    for bone in HumanBone::ALL {
        assert!(report.map.get(bone).is_none_or(|joint| joint < count), "{bone:?}");
    }
    let definition = definition(&mut input, report.map, &skeleton);
    let Ok(avatar) = Avatar::new(skeleton.clone(), &definition) else { return };
    if is_ordinary {
        matchers::assert_sound(avatar.t_pose());
        assert!(avatar.human_scale().is_finite(), "human scale {}", avatar.human_scale());
    }
    frame(&mut input, &skeleton, avatar, is_ordinary);
}

fn odd_joints(input: &mut Input) -> Vec<JointDefinition> {
    let count = input.below(48);
    let joint = |k: usize| {
        let parent = match input.below(40) {
            39 => None,
            38 => Some(input.below(64)),
            37 => k.checked_sub(1 + input.below(8)),
            _ => k.checked_sub(1),
        };
        let mut name = String::new();
        for _ in 0..input.below(4) {
            name += WORDS[input.below(WORDS.len())];
        }
        JointDefinition { name, parent, rest: transform(input) }
    };
    (0..count).map(joint).collect()
}

fn transform(input: &mut Input) -> Transform {
    let position = Vec3::new(input.number(), input.number(), input.number()) * 0.2;
    let turned = Quat::from_xyzw(input.calm(), input.calm(), input.calm(), 2.5 + input.calm());
    let scale = if input.one_in(12) { Vec3::new(input.number(), 1.0, 1.0) } else { Vec3::ONE };
    let rotation = if input.one_in(20) { turned } else { turned.normalize() };
    Transform { position, rotation, scale }
}

/// The usual person with some joints elsewhere.
fn changed_person(input: &mut Input) -> Vec<JointDefinition> {
    let skeleton = &standing().skeleton;
    let mut joints: Vec<_> = (0..skeleton.joint_count())
        .map(|joint| JointDefinition {
            name: skeleton.name(joint).to_owned(),
            parent: skeleton.parent(joint),
            rest: skeleton.rest_local()[joint],
        })
        .collect();
    for _ in 0..input.below(6) {
        let joint = input.below(joints.len());
        match input.below(4) {
            0 => joints[joint].rest = transform(input),
            1 => joints[joint].rest.position *= input.number(),
            2 => joints[joint].name = WORDS[input.below(WORDS.len())].to_owned(),
            _ => joints[joint].parent = joint.checked_sub(1 + input.below(4)),
        }
    }
    joints
}

fn definition(input: &mut Input, map: sinew::humanoid::HumanMap, skeleton: &Skeleton) -> AvatarDefinition {
    let mut definition = AvatarDefinition { map, ..AvatarDefinition::default() };
    if input.one_in(3) {
        let bone = HumanBone::ALL[input.below(HumanBone::ALL.len())];
        definition.map.set(bone, input.one_in(2).then(|| input.below(skeleton.joint_count().max(1))));
    }
    let mut direction = |of: Option<Vec3>| match input.below(4) {
        3 => Some(Vec3::new(input.number(), input.number(), input.number())),
        2 => None,
        _ => of,
    };
    let axes = &standing().axes;
    definition.up = direction(Some(axes.up));
    definition.forward = direction(Some(axes.forward));
    if input.one_in(4) {
        definition.arm_stretch = input.number();
        definition.upper_arm_twist = input.number();
        definition.feet_spacing = input.number();
    }
    if input.one_in(4) {
        let bone = HumanBone::ALL[input.below(HumanBone::ALL.len())];
        if let Some(range) = HumanRange::of(HumanRangeSet::default(), bone) {
            definition.human_ranges.push((bone, range));
        }
    }
    definition
}

fn frame(input: &mut Input, skeleton: &Arc<Skeleton>, avatar: Avatar, is_ordinary: bool) {
    let mut animator = Animator::new(skeleton.clone(), Some(Arc::new(avatar))).expect("the avatar's own skeleton");
    for goal in IkGoal::ALL {
        let at = Vec3::new(input.finite(), input.finite(), input.finite());
        let _ = animator.set_ik_position(goal, at);
        let _ = animator.set_ik_position_weight(goal, input.unit());
    }
    if animator.solve().is_ok() && is_ordinary {
        assert!(matchers::all_finite(animator.pose().local()), "a solve made a pose that is not finite");
    }
}
