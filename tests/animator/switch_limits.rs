//! Switches keep to limits: the offset of inertialization was added to the limited pose as it was,
//! and took an upper arm up to 1.2 radians beyond its range half-way.

use sinew::animator::Animator;
use sinew::humanoid::{HumanoidSettings, IkGoal};
use sinew::math::{Transform, Vec3};
use testkit::characters::{self, joint, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::matchers::{self, assert_sound};
use testkit::person::{PersonOptions, person};
use testkit::{BoneRolls, Random};

/// Short: where an arm changes sides of what its shoulder may not do, it turns by up to 2.6 radians
/// in 1/120 s, and by a tenth of that in a tenth of the time.
const FRAME_S: f32 = 1.0 / 1200.0;

fn solve(animator: &mut Animator, start: &[Transform]) -> Vec<Transform> {
    set_pose(animator, start);
    animator.advance(FRAME_S);
    animator.solve().unwrap();
    let pose = characters::pose(animator);
    assert_sound(&pose);
    pose
}
fn violations(animator: &Animator, goal: IkGoal) -> [f32; 3] {
    goal.bones().map(|bone| animator.joint_violation_rad(joint(animator, bone)).unwrap())
}

#[test]
fn a_switch_keeps_to_limits_and_stays_continuous() {
    for bone_rolls in [BoneRolls::Identity, BoneRolls::Random(4)] {
        let person = person(&PersonOptions { bone_rolls, ..Default::default() });
        let mut random = Random::new(71);
        for round in 0..12 {
            let mut animator = characters::animator(&person, 0.0);
            let settings =
                HumanoidSettings { limits_enabled: true, inertialization_times_s: [0.4; 4], ..Default::default() };
            animator.set_settings(&settings).unwrap();
            let spread = if round % 2 == 0 { 0.1 } else { 0.8 };
            let start = random_human_pose(person.view(), &mut random, spread);
            set_pose(&mut animator, &start);
            let before = IkGoal::ALL.map(|goal| violations(&animator, goal));
            let spaces = world(&animator);
            let goals = IkGoal::ALL.map(|goal| {
                let [root, ..] = goal.bones().map(|b| spaces[joint(&animator, b)].position);
                Vec3::from_array(root.map(|x| x as f32)) + random.in_ball(0.6)
            });
            for _ in 0..4 {
                solve(&mut animator, &start);
            }
            for (goal, place) in IkGoal::ALL.into_iter().zip(goals) {
                animator.set_ik_position(goal, place).unwrap();
                animator.set_ik_position_weight(goal, 1.0).unwrap();
            }
            // The solution without offsets.
            let after = {
                let mut switched = animator.clone();
                switched.set_settings(&HumanoidSettings { limits_enabled: true, ..Default::default() }).unwrap();
                set_pose(&mut switched, &start);
                switched.solve().unwrap();
                IkGoal::ALL.map(|goal| violations(&switched, goal))
            };
            let mut last = characters::pose(&animator);
            for _ in 0..600 {
                let now = solve(&mut animator, &start);
                for (goal, (before, after)) in IkGoal::ALL.into_iter().zip(before.iter().zip(&after)) {
                    for (joint, violation) in violations(&animator, goal).into_iter().enumerate() {
                        // What animation or solution exceed is allowed condition by condition.
                        let allowed = before[joint].max(after[joint]);
                        let slack = if allowed < 1e-3 { 5e-3 } else { 0.1 };
                        let beyond = violation - allowed;
                        assert!(beyond < slack, "{bone_rolls:?} {round} {goal:?} {joint}: {beyond} {allowed}");
                    }
                }
                for (a, b) in last.iter().zip(&now) {
                    let turned = matchers::angle_between_rad(
                        a.rotation.to_array().map(f64::from),
                        b.rotation.to_array().map(f64::from),
                    );
                    assert!(turned < 0.4, "{bone_rolls:?} {round}: {turned}");
                }
                last = now;
            }
        }
    }
}
