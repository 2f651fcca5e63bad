//! Body position and rotation: centre of mass and orientation, judged from outside.

use sinew::animator::Animator;
use sinew::humanoid::{HumanBone, IkGoal};
use sinew::math::{Vec3, axis_angle};
use sinew::skeleton::Skeleton;
use testkit::Random;
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, kinds, pose, set_pose};
use testkit::continuity::{self, SmoothPath};
use testkit::human_mass::Masses;
use testkit::human_pose::random_human_pose;
use testkit::matchers::{self, Affine64, wide};
use testkit::person::{PersonOptions, person};

fn size(animator: &Animator) -> f64 {
    let spaces = characters::world(animator);
    matchers::distance(
        spaces[joint(animator, HumanBone::Head)].position,
        spaces[joint(animator, HumanBone::LeftFoot)].position,
    )
}

/// Only the hips' local transform may differ.
fn assert_only_hips_moved(
    skeleton: &Skeleton,
    hips: usize,
    before: &[sinew::math::Transform],
    after: &[sinew::math::Transform],
) {
    for j in (0..before.len()).filter(|j| *j != hips) {
        assert!(before[j] == after[j], "{} moved", skeleton.name(j));
    }
}

#[test]
fn the_body_position_is_the_centre_of_mass() {
    let mut random = Random::new(1);
    for (name, person) in kinds() {
        let masses = Masses::new(&person);
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, 0.0);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let (centre, size) = (masses.centre(&characters::world(&animator)), size(&animator));
            let off = matchers::distance(wide(animator.body_position().unwrap()), centre);
            assert!(off < 3e-6 * size.max(1.0), "{name} {root_kind:?}: {off:e}");
        }
    }
}

#[test]
fn a_set_body_position_moves_the_centre_of_mass_there() {
    let mut random = Random::new(2);
    let mut worst = 0.0f64;
    for (name, person) in kinds() {
        let masses = Masses::new(&person);
        for (root_kind, root) in characters::roots() {
            let mut animator = characters::animator(&person, 0.0);
            animator.set_root(root).unwrap();
            let before = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut animator, &before);
            let size = size(&animator);
            let goal = animator.body_position().unwrap() + random.in_ball(0.4 * size as f32);
            animator.set_body_position(goal).unwrap();
            animator.solve().unwrap();
            assert_only_hips_moved(&person.skeleton, joint(&animator, HumanBone::Hips), &before, &pose(&animator));
            let off = matchers::distance(masses.centre(&characters::world(&animator)), wide(goal)) / size;
            worst = worst.max(off);
            assert!(off < 5e-6, "{name} {root_kind:?}: {off:e}");
            assert_eq!(
                before[joint(&animator, HumanBone::Hips)].scale,
                pose(&animator)[joint(&animator, HumanBone::Hips)].scale
            );
        }
    }
    println!("body position: worst {worst:.1e} of the body's height");
}

#[test]
fn a_set_body_rotation_turns_the_body_about_its_centre_of_mass() {
    let mut random = Random::new(3);
    for (name, person) in kinds() {
        if name.contains("Uneven") {
            continue; // sheared: a turn of the hips is no turn of the body
        }
        let masses = Masses::new(&person);
        for (root_kind, root) in characters::roots() {
            if root_kind == ParentKind::UnevenlyScaled {
                continue;
            }
            let mut animator = characters::animator(&person, 0.0);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let (size, before) = (size(&animator), masses.centre(&characters::world(&animator)));
            let goal = random.rotation();
            animator.set_body_rotation(goal).unwrap();
            animator.solve().unwrap();
            let now = animator.body_rotation().unwrap();
            let left = matchers::rotation_angle_rad(now, goal);
            assert!(left < 2e-5, "{name} {root_kind:?}: {left}");
            let moved = matchers::distance(masses.centre(&characters::world(&animator)), before);
            assert!(moved < 1e-5 * size, "{name} {root_kind:?}: the centre moved by {moved:e}");
        }
    }
}

/// Under uneven scale the body misses its rotation; it missed its position by that, too: by a tenth
/// of the body's height.
#[test]
fn the_body_position_is_met_beside_a_rotation_under_any_parent() {
    let mut random = Random::new(9);
    for (name, person) in kinds() {
        let masses = Masses::new(&person);
        let mut animator = characters::animator(&person, 0.0);
        for _ in 0..4 {
            set_pose(&mut animator, &random_human_pose(person.view(), &mut random, 1.0));
            let size = size(&animator);
            let goal = animator.body_position().unwrap() + random.in_ball(0.4 * size as f32);
            animator.set_body_position(goal).unwrap();
            animator.set_body_rotation(random.rotation()).unwrap();
            animator.solve().unwrap();
            let off = matchers::distance(masses.centre(&characters::world(&animator)), wide(goal)) / size;
            assert!(off < 1e-5, "{name}: {off:e}");
        }
    }
}

#[test]
fn the_body_rotation_of_the_t_pose_is_that_of_the_axes() {
    for (name, person) in kinds() {
        if name.contains("Uneven") {
            continue;
        }
        for (root_kind, root) in characters::roots() {
            if root_kind == ParentKind::UnevenlyScaled {
                continue;
            }
            let mut animator = characters::animator(&person, 0.0);
            animator.set_root(root).unwrap();
            set_pose(&mut animator, &person.t_pose);
            let space = Affine64::from_transform(&root);
            let axes = *animator.avatar().unwrap().axes();
            let rotation = animator.body_rotation().unwrap();
            for (axis, unit) in [(axes.up, Vec3::Y), (axes.forward, Vec3::Z)] {
                let off = matchers::direction_angle_rad(space.direction(wide(axis)), wide(rotation * unit));
                assert!(off < 1e-5, "{name} {root_kind:?}: {off}");
            }
        }
    }
}

#[test]
fn the_bodys_own_place_changes_nothing() {
    let mut random = Random::new(4);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, 0.0);
        animator.set_root(random.rigid(1.0)).unwrap();
        let before = random_human_pose(person.view(), &mut random, 1.0);
        set_pose(&mut animator, &before);
        let (position, rotation) = (animator.body_position().unwrap(), animator.body_rotation().unwrap());
        animator.set_body_position(position).unwrap();
        animator.set_body_rotation(rotation).unwrap();
        animator.solve().unwrap();
        let after = pose(&animator);
        assert!(matchers::max_joint_step_rad(&before, &after) < 2e-5, "{name}");
        let hips = joint(&animator, HumanBone::Hips);
        let moved = (before[hips].position - after[hips].position).length() / person.options.units.per_metre();
        assert!(moved < 2e-5, "{name}: {moved}");
        animator.clear_body().unwrap();
        set_pose(&mut animator, &before);
        animator.solve().unwrap();
        matchers::assert_pose_bits_equal(&before, &pose(&animator));
    }
}

#[test]
fn limbs_stay_on_their_goals_while_the_body_moves() {
    let mut random = Random::new(5);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, 0.0);
        let before = random_human_pose(person.view(), &mut random, 0.6);
        set_pose(&mut animator, &before);
        let size = size(&animator);
        for goal in IkGoal::ALL {
            let spaces = characters::world(&animator);
            let [root, end] = [0, 2].map(|i| spaces[joint(&animator, goal.bones()[i])].position);
            let near = [0, 1, 2].map(|i| (root[i] + 0.8 * (end[i] - root[i])) as f32);
            animator.set_ik_position(goal, Vec3::from_array(near)).unwrap();
            animator.set_ik_position_weight(goal, 1.0).unwrap();
        }
        let goals = IkGoal::ALL.map(|g| animator.ik_position(g).unwrap());
        let centre = animator.body_position().unwrap();
        for _ in 0..5 {
            set_pose(&mut animator, &before);
            animator.set_body_position(centre + random.in_ball(0.05 * size as f32)).unwrap();
            animator.solve().unwrap();
            for goal in IkGoal::ALL {
                let end = characters::world(&animator)[joint(&animator, goal.bones()[2])].position;
                let off = matchers::distance(end, wide(goals[goal.index()]));
                assert!(off < 1e-5 * size, "{name} {goal:?}: {off:e}");
            }
        }
    }
}

#[test]
fn a_goal_that_was_not_set_holds_the_limb_where_the_animation_had_it() {
    // Weight without position: the hand stays at its animated place while the body moves (as with
    // Unity's feet).
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let before = random_human_pose(person.view(), &mut Random::new(6), 0.8);
    set_pose(&mut animator, &before);
    let spaces = characters::world(&animator);
    let lowered = animator.body_position().unwrap() - Vec3::Y * 0.02;
    animator.set_body_position(lowered).unwrap();
    for goal in IkGoal::ALL {
        animator.set_ik_position_weight(goal, 1.0).unwrap();
    }
    animator.solve().unwrap();
    for goal in IkGoal::ALL {
        let j = joint(&animator, goal.bones()[2]);
        let off = matchers::distance(characters::world(&animator)[j].position, spaces[j].position);
        if animator.ik_outcome(goal).unwrap().status == sinew::outcome::Status::Reached {
            assert!(off < 1e-5, "{goal:?}: {off:e}");
        }
    }
}

#[test]
fn body_goals_are_continuous() {
    let mut random = Random::new(7);
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, 0.05);
        let before = random_human_pose(person.view(), &mut random, 1.0);
        set_pose(&mut animator, &before);
        let (centre, rotation) = (animator.body_position().unwrap(), animator.body_rotation().unwrap());
        let size = size(&animator) as f32;
        let path = SmoothPath::random(&mut random, 5, Vec3::ZERO, 0.5);
        let axis = random.unit_vector();
        animator.set_ik_position_weight(IkGoal::LeftFoot, 1.0).unwrap();
        let found = continuity::judge(100, size, |s| {
            set_pose(&mut animator, &before);
            animator.set_body_position(centre + path.at(s) * size).unwrap();
            animator.set_body_rotation(axis_angle(axis, path.at(s).x * 3.0) * rotation).unwrap();
            animator.solve().unwrap();
            pose(&animator)
        });
        assert!(found.jump < 5e-3, "{name} {found:?}");
    }
}
