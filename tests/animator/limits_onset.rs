//! With limits a limb leaves the animation with its weight: what the animation exceeds is allowed,
//! and right beside it the answer could be half a turn away. A thigh turned by 54 degrees at weight
//! 0.001.

use sinew::humanoid::{HumanoidSettings, IkGoal};
use sinew::math::{Transform, Vec3};
use testkit::characters::{self, joint, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::matchers::{self, assert_sound};
use testkit::person::{PersonOptions, person};
use testkit::{BoneRolls, Random};

#[test]
fn a_tiny_weight_moves_a_limb_little_where_the_animation_is_beyond_its_limits() {
    for bone_rolls in [BoneRolls::Identity, BoneRolls::Random(4)] {
        let person = person(&PersonOptions { bone_rolls, ..Default::default() });
        let mut animator = characters::animator(&person, 0.0);
        let mut random = Random::new(83);
        for round in 0..400 {
            let start = random_human_pose(person.view(), &mut random, 1.4);
            set_pose(&mut animator, &start);
            let spaces = world(&animator);
            for goal in IkGoal::ALL {
                let end = spaces[joint(&animator, goal.bones()[2])].position;
                let place = Vec3::from_array(end.map(|x| x as f32)) + random.in_ball(0.6);
                animator.set_ik_position(goal, place).unwrap();
            }
            let beyond = IkGoal::ALL
                .map(|goal| goal.bones().map(|bone| animator.joint_violation_rad(joint(&animator, bone)).unwrap()));
            let hints = random.below(2) == 0;
            for weight in [1e-5, 1e-3, 3e-3] {
                for goal in IkGoal::ALL {
                    let hint = sinew::humanoid::IkHint::ALL[goal.index()];
                    let place = Vec3::from_array(spaces[joint(&animator, goal.bones()[1])].position.map(|x| x as f32));
                    animator.set_ik_hint_position(hint, place + random.in_ball(0.5)).unwrap();
                    animator.set_ik_hint_position_weight(hint, if hints { weight } else { 0.0 }).unwrap();
                    animator.set_ik_position_weight(goal, weight).unwrap();
                }
                let [free, now] = [false, true].map(|limits_enabled| {
                    animator.set_settings(&HumanoidSettings { limits_enabled, ..Default::default() }).unwrap();
                    set_pose(&mut animator, &start);
                    animator.solve().unwrap();
                    characters::pose(&animator)
                });
                assert_sound(&now);
                for goal in IkGoal::ALL {
                    for bone in goal.bones() {
                        let j = joint(&animator, bone);
                        let turned = |pose: &[Transform]| {
                            matchers::angle_between_rad(
                                start[j].rotation.to_array().map(f64::from),
                                pose[j].rotation.to_array().map(f64::from),
                            )
                        };
                        let (turned, most) = (turned(&now), 0.01 + 20.0 * f64::from(weight) + 2.0 * turned(&free));
                        assert!(turned < most, "{bone_rolls:?} {round} {weight} {bone:?}: {turned}, {beyond:?}");
                    }
                }
            }
        }
    }
}
