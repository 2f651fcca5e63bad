//! A small rig that is not a humanoid, with one constraint of each kind that every host has: the
//! scene in which C, C++, C# and Rust must leave the same bits (`tests/c/tail.h` is the same in C).
//!
//! All numbers are sums of powers of two, so that every language computes the same inputs. Joint 0
//! is the root; 1 to 8 are a tail that stands up; 9, 10, 11 are a limb, and 12 is a child of its
//! end.

use crate::matchers::{HASH_START, hash_transforms};
use sinew::animator::Animator;
use sinew::chains::Pole;
use sinew::constraints::{
    ChainDefinition, ChainEnd, ConstraintDefinition, ConstraintGoal, ConstraintId, CopyRotationDefinition,
    TwoBoneDefinition,
};
use sinew::limits::{AxisLimits, Freedom, JointModel, Range, Stretch};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
use std::sync::Arc;

/// Joints of the rig.
pub const JOINTS: usize = 13;
/// Frames of the scene.
pub const FRAMES: usize = 32;

/// Parent and place in the parent of each joint.
pub const TABLE: [(Option<usize>, [f32; 3]); JOINTS] = [
    (None, [0.0, 1.0, 0.0]),
    (Some(0), [0.0, 0.25, 0.0]),
    (Some(1), [0.0, 0.25, 0.0]),
    (Some(2), [0.0, 0.25, 0.0]),
    (Some(3), [0.0, 0.25, 0.0]),
    (Some(4), [0.0, 0.25, 0.0]),
    (Some(5), [0.0, 0.25, 0.0]),
    (Some(6), [0.0, 0.25, 0.0]),
    (Some(7), [0.0, 0.25, 0.0]),
    (Some(0), [0.5, 0.0, 0.0]),
    (Some(9), [0.375, -0.0625, 0.125]),
    (Some(10), [0.375, 0.0, -0.0625]),
    (Some(11), [0.125, 0.0, 0.0]),
];

/// Goal position of the tail's tip in a frame, world space.
pub fn tail_goal(frame: usize) -> Vec3 {
    let f = frame as f32;
    Vec3::new(0.75 - f * 0.0625, 1.75 + (frame % 8) as f32 * 0.03125, 0.5 - f * 0.03125)
}
/// Goal position of the limb's end in a frame, world space.
pub fn limb_goal(frame: usize) -> Vec3 {
    Vec3::new(0.75 + (frame % 4) as f32 * 0.0625, 0.75 + frame as f32 * 0.015625, 0.25)
}
/// The rotation (not of unit length) the animation gives joint 2 in a frame.
pub fn wag(frame: usize) -> Quat {
    Quat::from_xyzw((frame % 4) as f32 * 0.0625, 0.0, frame as f32 * 0.0078125, 1.0)
}

/// The rig, with its constraints: tail, limb, copied rotation.
///
/// # Panics
/// When the core refuses what is written here.
pub fn animator() -> (Animator, [ConstraintId; 3]) {
    let joints = TABLE.iter().map(|(parent, [x, y, z])| JointDefinition {
        name: String::new(),
        parent: *parent,
        rest: Transform { position: Vec3::new(*x, *y, *z), ..Transform::IDENTITY },
    });
    let skeleton = Arc::new(Skeleton::new(joints.collect()).expect("a tree"));
    let mut animator = Animator::new(skeleton, None).expect("no avatar");
    let range = |min, max| Some(Range::new(min, max));
    let ball = AxisLimits { locked: [false; 3], range: [range(-0.5, 0.5), range(-0.125, 0.125), range(-0.25, 0.25)] };
    let limited = JointModel { soft_rad: 0.0625, ..JointModel::limited(Freedom::from(ball)) };
    animator.set_joint_limits(3, &limited).expect("joint 3");
    let hinge = AxisLimits { locked: [false, true, true], range: [range(-1.0, 0.25), None, None] };
    let stretch = Stretch { min: 1.0, max: 1.125, compliance: 1.0 };
    let hinge = JointModel { stiffness: [0.5; 3], stretch, ..JointModel::limited(Freedom::from(hinge)) };
    animator.set_joint_limits(5, &hinge).expect("joint 5");
    let ends = vec![ChainEnd { joint: 8, tip_js: Vec3::new(0.0, 0.125, 0.0) }];
    let tail = ChainDefinition { ends, ..ChainDefinition::ending_at(8, 8) };
    let limb = TwoBoneDefinition { softness: 0.0625, ..TwoBoneDefinition::ending_at(11) };
    let copy = CopyRotationDefinition { source: Some(8), swing: 0.75, twist: 0.5, ..CopyRotationDefinition::of(12) };
    let mut add = |definition| animator.add_constraint(&definition).expect("joints of the rig");
    let ids = [
        add(ConstraintDefinition::Chain(tail)),
        add(ConstraintDefinition::TwoBone(limb)),
        add(ConstraintDefinition::CopyRotation(copy)),
    ];
    (animator, ids)
}

/// Plays the scene; the hash of all poses.
///
/// # Panics
/// When the core refuses what is written here.
pub fn play() -> u64 {
    let (mut animator, [tail, limb, copy]) = animator();
    let mut hash = HASH_START;
    for frame in 0..FRAMES {
        let rest = animator.skeleton().clone();
        animator.pose_mut().local_mut().copy_from_slice(rest.rest_local());
        animator.pose_mut().local_mut()[2].rotation = wag(frame);
        let input = animator.constraint_mut(tail).expect("the tail");
        (input.weight, input.goals[0]) = (1.0, ConstraintGoal::at(tail_goal(frame)));
        let input = animator.constraint_mut(limb).expect("the limb");
        (input.weight, input.goals[0]) = (frame as f32 * 0.03125, ConstraintGoal::at(limb_goal(frame)));
        input.pole_ws = Some(Pole { weight: 0.5, ..Pole::point(Vec3::new(1.0, 2.0, 1.0)) });
        animator.constraint_mut(copy).expect("the copy").weight = 1.0;
        animator.solve().expect("a sound pose");
        hash = hash_transforms(animator.pose().local(), hash);
    }
    hash
}
