//! Goal rotations in the bone's own frame: a view of the same goal as Unity's frame.

use sinew::animator::AnimatorError;
use sinew::humanoid::IkGoal;
use sinew::math::Quat;
use sinew::skeleton::SkeletonBuilder;
use std::sync::Arc;
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};
use testkit::{BoneRolls, Random, matchers};

fn people() -> Vec<testkit::Person> {
    let mut people: Vec<_> = BoneRolls::ALL
        .into_iter()
        .map(|bone_rolls| person(&PersonOptions { bone_rolls, ..PersonOptions::gltf() }))
        .collect();
    people.extend(ParentKind::ALL.map(|kind| characters::hung(&person(&PersonOptions::default()), kind)));
    people
}

/// The direction `v` after the rotation, in `f64`.
fn turned(q: Quat, v: [f64; 3]) -> [f64; 3] {
    let [x, y, z, w] = [q.x, q.y, q.z, q.w].map(f64::from);
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let t = cross([x, y, z], v).map(|c| 2.0 * c);
    let u = cross([x, y, z], t);
    [0, 1, 2].map(|i| v[i] + w * t[i] + u[i])
}

#[test]
fn the_joint_gets_the_goal_rotation() {
    let mut random = Random::new(1);
    for person in people() {
        for (kind, root) in characters::roots() {
            if kind == ParentKind::UnevenlyScaled {
                continue;
            }
            let mut animator = characters::animator(&person, 0.0);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let uneven = person.skeleton.rest_local()[0].scale.max_element()
                > person.skeleton.rest_local()[0].scale.min_element().abs();
            for goal in IkGoal::ALL {
                let before = world(&animator)[joint(&animator, goal.bones()[2])];
                // A turn in the world on top of what the joint has: its axes must make just that
                // turn, mirrors or not.
                let turn = random.rotation();
                let own = animator.ik_rotation_bone(goal).unwrap();
                animator.set_ik_rotation_bone(goal, (turn * own).normalize()).unwrap();
                let asked = animator.ik_rotation_bone(goal).unwrap();
                assert!(matchers::rotation_angle_rad(asked, turn * own) < 1e-5, "the getter gives what was set");
                animator.set_ik_rotation_weight(goal, 1.0).unwrap();
                animator.solve().unwrap();
                let after = world(&animator)[joint(&animator, goal.bones()[2])];
                for axis in 0..3 {
                    let off = matchers::direction_angle_rad(after.axis(axis), turned(turn, before.axis(axis)));
                    assert!(uneven || off < 1e-4, "{kind:?} {goal:?} axis {axis}: {off}");
                }
                let got = animator.ik_rotation_bone(goal).unwrap();
                assert!(matchers::rotation_angle_rad(got, asked) < 1e-4);
            }
        }
    }
}

#[test]
fn without_mirrors_it_is_the_product_of_the_rotations_above() {
    let mut random = Random::new(2);
    let person = person(&PersonOptions { bone_rolls: BoneRolls::Random(5), ..PersonOptions::default() });
    let mut animator = characters::animator(&person, 0.0);
    set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
    let products = matchers::model_rotations(animator.skeleton(), &pose(&animator));
    for goal in IkGoal::ALL {
        let q = animator.ik_rotation_bone(goal).unwrap();
        let off = matchers::angle_between_rad(
            [q.x, q.y, q.z, q.w].map(f64::from),
            products[joint(&animator, goal.bones()[2])],
        );
        assert!(off < 1e-5, "{goal:?} {off}");
        // And setting it is setting Unity's goal by the avatar's constant.
        animator.set_ik_rotation_bone(goal, q).unwrap();
        let normal = animator.ik_rotation(goal).unwrap();
        let constant = animator.avatar().unwrap().goal_from_bone(goal);
        assert!(matchers::rotation_angle_rad(normal, q * constant) < 1e-5);
    }
}

#[test]
fn an_animator_without_avatar_reports_it() {
    let mut builder = SkeletonBuilder::new();
    builder.joint_at("a", None, sinew::math::Vec3::ZERO);
    let mut animator = sinew::animator::Animator::new(Arc::new(builder.build().unwrap()), None).unwrap();
    assert_eq!(animator.set_ik_rotation_bone(IkGoal::LeftFoot, Quat::IDENTITY), Err(AnimatorError::NotHumanoid));
    assert_eq!(animator.ik_rotation_bone(IkGoal::LeftFoot), Err(AnimatorError::NotHumanoid));
}
