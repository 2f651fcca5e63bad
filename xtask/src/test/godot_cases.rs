//! Cases for the engine to repeat bit for bit: Godot's input, and the hash of the core's poses.
//!
//! Everything is little-endian; floats are single precision, and a transform is ten of them:
//! position x y z, rotation x y z w, scale x y z.
//!
//! | part | fields |
//! |---|---|
//! | skeleton | u32 joint count; per joint i32 parent, rest transform, u32 length of the name in bytes, the name |
//! | frames | u32 frame count; per frame f32 weight, goal position (3), goal rotation (4), look-at position (3), u32 reachable, one local transform per joint |
//! | result | u64 hash of all joints' transforms after each frame, one after the other |
//!
//! The character stands at the origin, since a place in the world goes through a matrix in Godot;
//! rest rotations are the identity, since rests do too.

use crate::paths;
use anyhow::{Context, Result};
use sinew::animator::Animator;
use sinew::constraints::{ChainDefinition, ConstraintDefinition};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanoidInput, IkGoal, IkGoalInput, LookAtWeight, map_joints};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::Skeleton;
use std::path::Path;
use std::sync::Arc;
use testkit::matchers::{HASH_START, hash_transforms, numbers};
use testkit::person::{Handedness, PersonOptions, person};
use testkit::random::Random;
use testkit::scene::{HoldCylinderScene, Motion, ease_weight};

/// Writes both cases into a project.
pub fn write(project: &Path) -> Result<()> {
    std::fs::write(project.join("hold_cylinder.bin"), hold_cylinder()?)?;
    std::fs::write(project.join("chain.bin"), chain()?)?;
    snippets(project)
}

/// The scripts that the manual shows, as scripts of a node: `manual/1.gd` …
fn snippets(project: &Path) -> Result<()> {
    let folder = project.join("manual");
    std::fs::create_dir_all(&folder)?;
    let mut count = 0;
    for page in ["docs/start/godot.md", "docs/godot.md"] {
        let text = std::fs::read_to_string(paths::root().join(page)).context(page)?;
        for code in text.split("```gdscript\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            count += 1;
            std::fs::write(folder.join(format!("{count}.gd")), format!("extends Node3D\n# {page}\n\n{code}"))?;
        }
    }
    Ok(())
}

/// The tutorial scene: the right hand takes hold of a cylinder while the head looks at it.
fn hold_cylinder() -> Result<Vec<u8>> {
    let made = person(&PersonOptions { handedness: Handedness::Right, ..PersonOptions::default() });
    let scene = HoldCylinderScene::for_rig(made.skeleton, made.human, made.t_pose, made.axes, Motion::Idle, None)?;
    let skeleton = Arc::new(scene.skeleton.clone());
    let map = map_joints(&skeleton).map;
    let avatar = Avatar::new(skeleton.clone(), &AvatarDefinition { map, ..AvatarDefinition::default() })?;
    let mut animator = Animator::new(skeleton.clone(), Some(Arc::new(avatar)))?;
    let mut bytes = rig(&skeleton);
    let (mut hash, mut weight) = (HASH_START, 0.0f32);
    let frames: Vec<usize> = (0..scene.frame_count()).step_by(3).collect();
    bytes.extend((frames.len() as u32).to_le_bytes());
    for frame in frames {
        weight = ease_weight(weight, scene.ik_active(frame), 3.0 * scene.delta_time_s());
        let root = scene.root(frame);
        let inside = |point: Vec3| root.rotation.conjugate() * (point - root.position);
        let goal = scene.goal(frame);
        let (position, rotation) = (inside(goal.position), (root.rotation.conjugate() * goal.rotation).normalize());
        let look_at = inside(scene.cylinder(frame).position);
        let pose = scene.pose(frame);
        let reachable = scene.reach01(frame) < 0.97 && weight == 1.0;
        put_frame(&mut bytes, weight, position, rotation, look_at, reachable, &pose);
        let mut input = HumanoidInput::default();
        input.goals[IkGoal::RightHand.index()] = IkGoalInput {
            position: Some(position),
            rotation: Some(rotation),
            position_weight: weight,
            rotation_weight: weight,
        };
        input.look_at_position = Some(look_at);
        input.look_at_weight = LookAtWeight { weight, ..LookAtWeight::default() };
        animator.pose_mut().local_mut().copy_from_slice(&pose);
        animator.set_input(&input)?;
        animator.solve()?;
        hash = hash_transforms(animator.pose().local(), hash);
    }
    bytes.extend(hash.to_le_bytes());
    Ok(bytes)
}

/// A chain of twelve joints that goes to random points from random poses.
fn chain() -> Result<Vec<u8>> {
    let mut random = Random::new(46);
    let mut builder = sinew::skeleton::SkeletonBuilder::new();
    let mut last = None;
    for joint in 0..12 {
        let place = if joint == 0 { Vec3::ZERO } else { Vec3::new(0.01 * joint as f32, 0.1, 0.0) };
        last = Some(builder.joint_at(&format!("b{joint}"), last, place));
    }
    let skeleton = Arc::new(builder.build()?);
    let mut animator = Animator::new(skeleton.clone(), None)?;
    let end = last.context("a chain has an end")?;
    let id = animator.add_constraint(&ConstraintDefinition::Chain(ChainDefinition::to_root(end)))?;
    let mut bytes = rig(&skeleton);
    let mut hash = HASH_START;
    bytes.extend(60u32.to_le_bytes());
    for _ in 0..60 {
        let mut pose = skeleton.rest_local().to_vec();
        for joint in &mut pose {
            let axis = random.in_ball(0.3);
            joint.rotation = Quat::from_xyzw(axis.x, axis.y, axis.z, 1.0).normalize();
        }
        let (position, weight) = (random.in_ball(1.2), random.unit01());
        put_frame(&mut bytes, weight, position, Quat::IDENTITY, Vec3::ZERO, false, &pose);
        let input = animator.constraint_mut(id)?;
        input.weight = 1.0;
        input.goals[0].position_ws = Some(position);
        input.goals[0].position_weight = weight;
        animator.pose_mut().local_mut().copy_from_slice(&pose);
        animator.solve()?;
        hash = hash_transforms(animator.pose().local(), hash);
    }
    bytes.extend(hash.to_le_bytes());
    Ok(bytes)
}

fn rig(skeleton: &Skeleton) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend((skeleton.joint_count() as u32).to_le_bytes());
    for joint in 0..skeleton.joint_count() {
        bytes.extend(skeleton.parent(joint).map_or(-1, |p| p as i32).to_le_bytes());
        put_transform(&mut bytes, &skeleton.rest_local()[joint]);
        bytes.extend((skeleton.name(joint).len() as u32).to_le_bytes());
        bytes.extend(skeleton.name(joint).as_bytes());
    }
    bytes
}

fn put_frame(
    bytes: &mut Vec<u8>,
    weight: f32,
    position: Vec3,
    rotation: Quat,
    look_at: Vec3,
    reachable: bool,
    pose: &[Transform],
) {
    let floats = [weight].into_iter().chain(position.to_array()).chain(rotation.to_array()).chain(look_at.to_array());
    floats.for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend(u32::from(reachable).to_le_bytes());
    pose.iter().for_each(|transform| put_transform(bytes, transform));
}

fn put_transform(bytes: &mut Vec<u8>, transform: &Transform) {
    numbers(transform).into_iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}
