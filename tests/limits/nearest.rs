//! A foot whose goal the limits of its leg do not admit comes about as near to it as an admissible
//! leg can.
//!
//! The judge samples admissible legs, and knows nothing of the way in which the leg is found.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::animator::Animator;
use sinew::humanoid::{HumanoidSettings, IkGoal};
use sinew::math::Vec3;
use testkit::characters::{self, joint, set_pose, world};
use testkit::continuity;
use testkit::person::{Person, PersonOptions, person};
use testkit::{BoneRolls, Random, matchers};

const FEET: [IkGoal; 2] = [IkGoal::LeftFoot, IkGoal::RightFoot];

fn persons() -> [Person; 3] {
    [BoneRolls::Identity, BoneRolls::AlongBone, BoneRolls::Random(4)]
        .map(|bone_rolls| person(&PersonOptions { bone_rolls, ..PersonOptions::default() }))
}
fn limited(person: &Person) -> Animator {
    let mut animator = characters::animator(person, 0.0);
    animator.set_settings(&HumanoidSettings { limits_enabled: true, ..Default::default() }).unwrap();
    animator
}
/// Hip and ankle, and the length of the leg.
fn leg(animator: &Animator, goal: IkGoal) -> ([f64; 3], [f64; 3], f64) {
    let spaces = world(animator);
    let [hip, knee, ankle] = goal.bones().map(|bone| spaces[joint(animator, bone)].position);
    (hip, ankle, matchers::distance(hip, knee) + matchers::distance(knee, ankle))
}
/// Places of the ankle of random admissible legs.
fn admissible_places(animator: &mut Animator, person: &Person, goal: IkGoal, random: &mut Random) -> Vec<[f64; 3]> {
    let mut places = Vec::new();
    let bones = &goal.bones()[..2];
    for _ in 0..4000 {
        let mut pose = person.t_pose.clone();
        for bone in bones {
            let model = *animator.avatar().unwrap().human_limits().model(*bone).unwrap();
            let rotation = model.project(model.project(random.rotation()));
            let local = &mut pose[joint(animator, *bone)].rotation;
            *local = (*local * rotation).normalize();
        }
        set_pose(animator, &pose);
        if bones.iter().all(|bone| animator.joint_violation_rad(joint(animator, *bone)).unwrap() < 1e-4) {
            places.push(leg(animator, goal).1);
        }
    }
    places
}

#[test]
fn no_admissible_leg_comes_much_nearer_to_a_goal() {
    let mut random = Random::new(12);
    let (mut away, mut farther, mut much_farther) = (0, 0, 0);
    for person in persons() {
        let mut animator = limited(&person);
        for goal in FEET {
            let places = admissible_places(&mut animator, &person, goal, &mut random);
            assert!(places.len() > 3000, "{} places", places.len());
            for _ in 0..150 {
                set_pose(&mut animator, &person.t_pose);
                let (hip, _, length) = leg(&animator, goal);
                let at = Vec3::from_array(hip.map(|x| x as f32)) + random.in_ball(1.2 * length as f32);
                animator.reset_ik().unwrap();
                animator.set_ik_position(goal, at).unwrap();
                animator.set_ik_position_weight(goal, 1.0).unwrap();
                animator.solve().unwrap();
                let from_goal = |place: [f64; 3]| matchers::distance(place, at.to_array().map(f64::from)) / length;
                let left = from_goal(leg(&animator, goal).1);
                if left < 1e-3 {
                    continue;
                }
                away += 1;
                let least = places.iter().map(|place| from_goal(*place)).fold(f64::MAX, f64::min);
                farther += usize::from(left > least + 0.05);
                much_farther += usize::from(left > least + 0.2);
                for bone in &goal.bones()[..2] {
                    let beyond = animator.joint_violation_rad(joint(&animator, *bone)).unwrap();
                    assert!(beyond < 1e-3, "{goal:?} at {at}: {bone:?} is {beyond} beyond");
                }
            }
        }
    }
    println!("{away} feet away from their goals, {farther} farther by 0.05 than needed, {much_farther} by 0.2");
    assert!(away > 500, "{away}");
    assert!(farther * 20 < away && much_farther * 50 < away, "{farther} and {much_farther} of {away}");
}

#[test]
fn a_goal_that_goes_round_the_hip_moves_the_leg_without_a_jump() {
    for person in persons() {
        let mut animator = limited(&person);
        let axes = person.axes;
        for goal in FEET {
            set_pose(&mut animator, &person.t_pose);
            let (hip, _, length) = leg(&animator, goal);
            for (radius, out) in [(0.3, 0.0), (0.6, 0.1), (0.9, 0.2), (1.1, -0.1)] {
                let found = continuity::judge(240, animator.human_scale(), |s| {
                    set_pose(&mut animator, &person.t_pose);
                    let (sine, cosine) = (s * std::f64::consts::TAU).sin_cos();
                    let way = axes.up * cosine as f32 + axes.forward * sine as f32 + axes.right * out;
                    let at = Vec3::from_array(hip.map(|x| x as f32)) + way * (radius * length as f32);
                    animator.set_ik_position(goal, at).unwrap();
                    animator.set_ik_position_weight(goal, 1.0).unwrap();
                    animator.solve().unwrap();
                    characters::pose(&animator)
                });
                // The leg passes from the front to the back by up to 3 rad in a step; the goal's
                // last bits are 0.02 rad there.
                assert!(found.step_rad > 1.0, "{goal:?} {radius} {found:?}");
                assert!(found.jump < 0.1, "{goal:?} {radius} {found:?}");
            }
        }
    }
}
