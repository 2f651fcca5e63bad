//! The animator's goals, hints and getters, judged from outside: forward kinematics in `f64`, world
//! space.

mod biped;
mod body_position;
mod crowd;
mod debug_lines;
mod feet_spacing;
mod final_pose;
mod frame;
mod frames;
mod gaze_switch;
mod goal_frames;
mod goal_spaces;
mod goals;
mod grounding;
mod ik_fk;
mod match_target;
mod limits_onset;
mod motion;
mod poses;
mod posture;
mod reach;
mod setters;
mod straight_limbs;
mod switch_limits;
mod swivel;
mod t_pose;
mod trunk_avoidance;
mod twist;
mod values;

use sinew::animator::{Animator, AnimatorError};
use sinew::humanoid::{HumanBone, HumanoidInput, IkGoal, IkGoalInput, IkHint, LookAtWeight};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::{Outcome, Status};
use sinew::skeleton::{PoseError, SkeletonBuilder};
use std::sync::Arc;
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, pose, set_pose};
use testkit::continuity::{self, SmoothPath};
use testkit::human_pose::random_human_pose;
use testkit::matchers::{self, Affine64, wide};
use testkit::person::{Handedness, Person, PersonOptions, RestPose, Units, person};
use testkit::{BoneRolls, Random};

const STRETCH: f32 = 0.05;

fn kinds() -> Vec<(String, Person)> {
    let mut kinds = characters::kinds();
    let plain = PersonOptions::default();
    let up = PersonOptions { up: Vec3::Z, facing: Vec3::NEG_Y, rest: RestPose::A, ..PersonOptions::gltf() };
    kinds.push(("Z up, A-pose".into(), person(&up)));
    kinds.push(("twist joints".into(), person(&PersonOptions { twist_joints: true, ..plain })));
    kinds
}

fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

fn end_joint(animator: &Animator, goal: IkGoal) -> usize {
    joint(animator, goal.bones()[2])
}

/// World position of a hand or foot.
fn end_ws(animator: &Animator, goal: IkGoal) -> [f64; 3] {
    characters::world(animator)[end_joint(animator, goal)].position
}

/// A point within reach of a limb, in the world: where the limb of another pose has its end.
fn reachable(animator: &Animator, person: &Person, random: &mut Random, goal: IkGoal) -> Vec3 {
    let mut other = animator.clone();
    let mut pose = pose(animator);
    let turned = random_human_pose(person.view(), random, 1.0);
    for bone in &goal.bones()[..2] {
        let j = joint(animator, *bone);
        pose[j].rotation = turned[j].rotation;
    }
    set_pose(&mut other, &pose);
    // A little nearer than the limb's end, so that stretching and straightening stay out of the
    // way.
    let spaces = characters::world(&other);
    let root = spaces[joint(animator, goal.bones()[0])].position;
    let end = spaces[end_joint(animator, goal)].position;
    narrow([0, 1, 2].map(|i| root[i] + 0.9 * (end[i] - root[i])))
}

/// How large the character is in the world.
fn size(animator: &Animator) -> f64 {
    let spaces = characters::world(animator);
    matchers::distance(
        spaces[joint(animator, HumanBone::Head)].position,
        spaces[joint(animator, HumanBone::LeftFoot)].position,
    )
}
