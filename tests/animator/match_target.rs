//! Match target: the part is at the target at the end time, and its path is linear in time at every
//! frame rate.

use sinew::animator::{Animator, AnimatorError, AvatarTarget, MatchTarget};
use sinew::humanoid::IkGoal;
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::SkeletonBuilder;
use std::sync::Arc;
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};
use testkit::{Random, matchers};

fn target(part: AvatarTarget, random: &mut Random) -> MatchTarget {
    MatchTarget {
        part,
        position_ws: random.in_ball(2.0),
        rotation_ws: random.rotation(),
        position_weight: Vec3::ONE,
        rotation_weight: 1.0,
        start_time: 0.2,
        end_time: 0.8,
    }
}

/// Plays frames of the length `step` from 0 to 1; gives the part's place after each.
fn play(animator: &mut Animator, target: &MatchTarget, start: Transform, step: f32) -> Vec<(f32, Vec3, Quat)> {
    animator.set_root(start).unwrap();
    let (mut time, mut out) = (0.0, Vec::new());
    while time < 1.0 {
        let next = time + step;
        let root = animator.match_target(target, time, next).unwrap();
        animator.set_root(root).unwrap();
        let (position, rotation) = animator.target_pose(target.part).unwrap();
        out.push((next, position, rotation));
        time = next;
    }
    out
}

fn roots() -> Vec<Transform> {
    let kinds = characters::roots().into_iter();
    kinds.filter(|(k, _)| !matches!(k, ParentKind::UnevenlyScaled)).map(|(_, root)| root).collect()
}

#[test]
fn every_part_is_at_its_target_at_the_end_and_stays_with_the_root() {
    let mut random = Random::new(1);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.05);
    let mut worst = (0.0f64, 0.0f64);
    for root in roots() {
        for part in AvatarTarget::ALL {
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let target = target(part, &mut random);
            for step in [0.6, 0.1, 1.0 / 30.0, 1.0 / 144.0] {
                let frames = play(&mut animator, &target, root, step);
                let (_, position, rotation) = frames.iter().find(|f| f.0 >= 0.8).unwrap();
                let off = f64::from((*position - target.position_ws).length());
                let turn = matchers::rotation_angle_rad(*rotation, target.rotation_ws);
                worst = (worst.0.max(off), worst.1.max(turn));
                assert!(off < 2e-5 && turn < 2e-5, "{part:?} {step}: {off:e} {turn:e}");
                let last = frames.last().unwrap();
                assert_eq!((last.1, last.2), (*position, *rotation), "after the end nothing moves");
                // The judge recomputes in f64 where a wrist is.
                let goal = match part {
                    AvatarTarget::LeftHand => IkGoal::LeftHand,
                    AvatarTarget::RightFoot => IkGoal::RightFoot,
                    _ => continue,
                };
                let at = world(&animator)[joint(&animator, goal.bones()[2])].position;
                let asked = target.position_ws.to_array().map(f64::from);
                assert!(matchers::distance(at, asked) < 3e-5, "{part:?}");
            }
        }
    }
    println!("worst {:.1e} m, {:.1e} rad", worst.0, worst.1);
}

#[test]
fn the_way_is_linear_in_time_at_every_frame_rate_and_weight() {
    let mut random = Random::new(2);
    let person = person(&PersonOptions::gltf());
    let mut animator = characters::animator(&person, 0.05);
    set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
    for part in AvatarTarget::ALL {
        let mut target = target(part, &mut random);
        target.position_weight = Vec3::new(1.0, 0.5, 0.0);
        // Less than half a turn, so that the short way stays the short way.
        animator.set_root(Transform::IDENTITY).unwrap();
        let (from, turned) = animator.target_pose(part).unwrap();
        target.rotation_ws = (axis_angle(random.unit_vector(), 2.0) * turned).normalize();
        target.rotation_weight = 0.6;
        for step in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0] {
            for (time, position, rotation) in play(&mut animator, &target, Transform::IDENTITY, step) {
                let way = ((time - 0.2) / 0.6).clamp(0.0, 1.0);
                let wanted = from + (target.position_ws - from) * target.position_weight * way;
                assert!((position - wanted).length() < 1e-4, "{part:?} {step} {time}: {position} for {wanted}");
                let left = matchers::rotation_angle_rad(rotation, target.rotation_ws);
                assert!((left - 2.0 * (1.0 - 0.6 * f64::from(way))).abs() < 1e-3, "{part:?} {time} {left}");
            }
        }
    }
}

#[test]
fn outside_its_times_and_with_weights_0_the_root_keeps_every_bit() {
    let mut random = Random::new(3);
    let root = random.rigid(3.0);
    let part = (random.in_ball(2.0), random.rotation());
    let target = target(AvatarTarget::Body, &mut random);
    for (from, to) in
        [(0.0, 0.1), (0.0, 0.2), (0.8, 0.9), (0.9, 3.0), (0.6, 0.5), (0.5, 0.5), (f32::NAN, 0.5), (0.3, f32::NAN)]
    {
        assert_eq!(target.root_for_frame(&root, part, from, to), root, "{from} {to}");
    }
    let none = MatchTarget { position_weight: Vec3::ZERO, rotation_weight: 0.0, ..target };
    let kept = none.root_for_frame(&root, part, 0.0, 1.0);
    assert!((kept.position - root.position).length() < 1e-6);
    assert!(matchers::rotation_angle_rad(kept.rotation, root.rotation) < 1e-6);
    let bad = MatchTarget { position_ws: Vec3::splat(f32::INFINITY), ..target };
    assert_eq!(bad.root_for_frame(&root, part, 0.0, 1.0), root);
    // No span at all: the frame that passes the time takes all of it.
    let at_once = MatchTarget { start_time: 0.5, end_time: 0.5, ..target };
    assert_eq!(at_once.root_for_frame(&root, part, 0.0, 0.4), root);
    let there = at_once.root_for_frame(&part_as_root(part), part, 0.4, 0.6);
    assert!((there.position - target.position_ws).length() < 1e-6);
}

fn part_as_root(part: (Vec3, Quat)) -> Transform {
    Transform::new(part.0, part.1)
}

#[test]
fn only_humanoids_have_parts() {
    let mut builder = SkeletonBuilder::new();
    builder.joint_at("a", None, Vec3::ZERO);
    let mut animator = Animator::new(Arc::new(builder.build().unwrap()), None).unwrap();
    let target = target(AvatarTarget::Root, &mut Random::new(4));
    assert_eq!(animator.match_target(&target, 0.0, 1.0), Err(AnimatorError::NotHumanoid));
}
