//! Debug lines show goals and residuals at their positions, and nothing without a goal.

use sinew::animator::Animator;
use sinew::debug::{Line, Part};
use sinew::humanoid::{HumanBone, IkGoal};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use testkit::BoneRolls;
use testkit::characters;
use testkit::matchers::Affine64;
use testkit::person::{PersonOptions, Units, person};

fn lines(animator: &mut Animator) -> Vec<Line> {
    let mut lines = Vec::new();
    animator.draw(&mut |line: Line| lines.push(line));
    lines
}

fn of(lines: &[Line], part: Part) -> Vec<Line> {
    lines.iter().filter(|line| line.part == part).copied().collect()
}

fn place(world: &[Affine64], joint: usize) -> Vec3 {
    let [x, y, z] = world[joint].point([0.0; 3]);
    Vec3::new(x as f32, y as f32, z as f32)
}

fn someone() -> Animator {
    let mut animator = characters::animator(&person(&PersonOptions::default()), 0.05);
    let root = Transform::new(Vec3::new(0.4, 0.1, -2.0), axis_angle(Vec3::Y, 0.7));
    animator.set_root(root).unwrap();
    animator
}

#[test]
fn without_goals_there_are_bones_and_a_centre() {
    let mut animator = someone();
    let lines = lines(&mut animator);
    let world = characters::world(&animator);
    let bones = of(&lines, Part::Bone);
    assert_eq!(bones.len(), animator.skeleton().joint_count() - 1);
    let mut bones = bones.iter();
    for joint in 0..animator.skeleton().joint_count() {
        let Some(parent) = animator.skeleton().parent(joint) else { continue };
        let line = bones.next().unwrap();
        assert!(line.from_ws.distance(place(&world, parent)) < 1e-5, "joint {joint}");
        assert!(line.to_ws.distance(place(&world, joint)) < 1e-5, "joint {joint}");
    }
    assert_eq!(of(&lines, Part::Body).len(), 3);
    assert_eq!(lines.len(), animator.skeleton().joint_count() - 1 + 3);
}

#[test]
fn goals_are_marked_where_they_are_reached_or_not() {
    let mut animator = someone();
    let reached = Vec3::new(0.7, 1.3, -1.8);
    let far = Vec3::new(0.3, 1.0, -7.0);
    animator.set_ik_position(IkGoal::RightHand, reached).unwrap();
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
    animator.set_ik_position(IkGoal::LeftHand, far).unwrap();
    animator.set_ik_position_weight(IkGoal::LeftHand, 1.0).unwrap();
    animator.set_ik_rotation(IkGoal::LeftHand, axis_angle(Vec3::X, 0.5)).unwrap();
    animator.set_ik_rotation_weight(IkGoal::LeftHand, 1.0).unwrap();
    // Weight 0: not drawn.
    animator.set_ik_position(IkGoal::LeftFoot, Vec3::Y).unwrap();
    animator.solve().unwrap();
    let lines = lines(&mut animator);
    let world = characters::world(&animator);
    let hand = |bone| place(&world, characters::joint(&animator, bone));

    let residuals = of(&lines, Part::Residual);
    assert_eq!(residuals.len(), 2);
    for (goal, bone) in [(far, HumanBone::LeftHand), (reached, HumanBone::RightHand)] {
        let line = residuals.iter().find(|line| line.to_ws == goal).expect("a line to each goal");
        assert!(line.from_ws.distance(hand(bone)) < 1e-5, "{bone:?}");
    }
    let marks = of(&lines, Part::GoalAxis);
    let (crosses, axes): (Vec<Line>, Vec<Line>) = marks.iter().partition(|line| line.from_ws.distance(far) > 1e-6);
    assert_eq!((crosses.len(), axes.len()), (3, 3));
    for cross in crosses {
        assert!(((cross.from_ws + cross.to_ws) * 0.5).distance(reached) < 1e-5, "{cross:?}");
    }
    for (line, axis) in axes.iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        let direction = (line.to_ws - line.from_ws).normalize();
        assert!(direction.distance(axis_angle(Vec3::X, 0.5) * axis) < 1e-4, "{line:?}");
    }
}

#[test]
fn marks_have_one_size_in_the_world_in_any_unit_of_the_rig() {
    let plain = PersonOptions { bone_rolls: BoneRolls::Identity, ..PersonOptions::default() };
    let size = |units: Units, scale: f32| {
        let mut animator = characters::animator(&person(&PersonOptions { units, ..plain }), 0.0);
        animator.set_root(Transform { scale: Vec3::splat(scale), ..Transform::IDENTITY }).unwrap();
        let lines = lines(&mut animator);
        let cross = of(&lines, Part::Body)[0];
        cross.from_ws.distance(cross.to_ws)
    };
    let metres = size(Units::Metres, 1.0);
    assert!((0.02..0.3).contains(&metres), "{metres}");
    // The root of a rig in centimetres scales it down; a giant's marks are as large as it is.
    assert!((size(Units::Centimetres, 0.01) / metres - 1.0).abs() < 1e-3);
    assert!((size(Units::Metres, 100.0) / metres - 100.0).abs() < 0.1);
}

#[test]
fn a_goal_of_the_body_is_marked() {
    let mut animator = someone();
    let wanted = animator.body_position().unwrap() + Vec3::new(0.05, -0.1, 0.0);
    animator.set_body_position(wanted).unwrap();
    animator.set_body_rotation(Quat::IDENTITY).unwrap();
    animator.solve().unwrap();
    let lines = lines(&mut animator);
    let [residual] = of(&lines, Part::Residual)[..] else { panic!("one line to the body's goal") };
    assert!(residual.to_ws.distance(wanted) < 1e-6);
    assert!(residual.from_ws.distance(wanted) < 1e-3, "the body is there: {}", residual.from_ws.distance(wanted));
    assert_eq!(of(&lines, Part::GoalAxis).len(), 3);
    for line in of(&lines, Part::Body) {
        assert!(((line.from_ws + line.to_ws) * 0.5).distance(residual.from_ws) < 1e-5);
    }
}
