//! Feet spacing: ankles keep a distance sideways; goals at full weight stay where the user put
//! them.

use sinew::animator::Animator;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, IkGoal};
use sinew::math::{Transform, Vec3};
use sinew::outcome::Status;
use std::sync::Arc;
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::person::{Person, PersonOptions, Units, person};
use testkit::{Random, continuity, matchers};

fn animator(person: &Person, spacing: f32) -> Animator {
    let definition = AvatarDefinition {
        map: HumanMap::from_array(person.human),
        t_pose: Some(person.t_pose.clone()),
        up: Some(person.axes.up),
        forward: Some(person.axes.forward),
        feet_spacing: spacing,
        ..AvatarDefinition::default()
    };
    characters::animator_of(&Arc::new(Avatar::new(Arc::new(person.skeleton.clone()), &definition).unwrap()))
}

fn people() -> Vec<Person> {
    let cm = PersonOptions { units: Units::Centimetres, ..PersonOptions::gltf() };
    vec![person(&PersonOptions::default()), person(&PersonOptions::gltf()), person(&cm)]
}

/// Distance of the ankles along the line of the hips, in human scales.
fn apart(animator: &Animator) -> f64 {
    let spaces = world(animator);
    let at = |bone| spaces[joint(animator, bone)].position;
    let sub = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[i] - b[i]);
    let line = sub(at(HumanBone::RightUpperLeg), at(HumanBone::LeftUpperLeg));
    let feet = sub(at(HumanBone::RightFoot), at(HumanBone::LeftFoot));
    let length = matchers::distance(line, [0.0; 3]);
    (0..3).map(|i| line[i] * feet[i]).sum::<f64>() / length / f64::from(animator.human_scale())
}

#[test]
fn spacing_0_is_the_default_and_leaves_every_bit() {
    assert_eq!(AvatarDefinition::default().feet_spacing, 0.0);
    let mut random = Random::new(1);
    for person in people() {
        let mut animator = animator(&person, 0.0);
        let start = random_human_pose(person.view(), &mut random, 1.0);
        set_pose(&mut animator, &start);
        animator.solve().unwrap();
        matchers::assert_pose_bits_equal(&start, &pose(&animator));
    }
}

#[test]
fn feet_come_apart_by_the_set_spacing_and_no_farther() {
    let mut random = Random::new(2);
    let (mut pushed, mut free) = (0, 0);
    for person in people() {
        let mut animator = animator(&person, 0.25);
        for _ in 0..60 {
            let start = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut animator, &start);
            let before = apart(&animator);
            animator.solve().unwrap();
            if before >= 0.25 {
                matchers::assert_pose_bits_equal(&start, &pose(&animator));
                free += 1;
                continue;
            }
            let reached = [IkGoal::LeftFoot, IkGoal::RightFoot]
                .iter()
                .all(|f| animator.ik_outcome(*f).unwrap().status == Status::Reached);
            if reached {
                assert!((apart(&animator) - 0.25).abs() < 1e-4, "{} from {before}", apart(&animator));
                pushed += 1;
            } else {
                assert!(apart(&animator) > before);
            }
        }
    }
    assert!(pushed > 20 && free > 20, "{pushed} {free}");
}

#[test]
fn a_planted_foot_stays_and_the_other_one_makes_room() {
    let mut random = Random::new(3);
    let mut judged = 0;
    for person in people() {
        let mut animator = animator(&person, 0.3);
        for _ in 0..40 {
            let start = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut animator, &start);
            animator.reset_ik().unwrap();
            let at = world(&animator)[joint(&animator, HumanBone::LeftFoot)].position;
            animator.set_ik_position_weight(IkGoal::LeftFoot, 1.0).unwrap();
            animator.solve().unwrap();
            let off = matchers::distance(at, world(&animator)[joint(&animator, HumanBone::LeftFoot)].position);
            assert!(off < 1e-4 * f64::from(animator.human_scale()), "{off}");
            if animator.ik_outcome(IkGoal::RightFoot).unwrap().status == Status::Reached {
                assert!(apart(&animator) > 0.3 - 1e-4);
                judged += 1;
            }
        }
    }
    assert!(judged > 20, "{judged}");
}

#[test]
fn it_is_continuous_in_goals_and_weights() {
    let mut random = Random::new(4);
    for person in people() {
        let mut animator = animator(&person, 0.3);
        let start: Vec<Transform> = random_human_pose(person.view(), &mut random, 1.0);
        set_pose(&mut animator, &start);
        let spaces = world(&animator);
        let middle = spaces[joint(&animator, HumanBone::LeftFoot)].position_f32();
        let path = continuity::SmoothPath::random(&mut random, 5, middle, 0.4 * animator.human_scale());
        let found = continuity::judge(200, animator.human_scale(), |s| {
            set_pose(&mut animator, &start);
            animator.set_ik_position(IkGoal::RightFoot, path.at(s)).unwrap();
            animator.set_ik_position(IkGoal::LeftFoot, middle + Vec3::splat(1e-3)).unwrap();
            animator.set_ik_position_weight(IkGoal::RightFoot, (4.0 * s * (1.0 - s)) as f32).unwrap();
            animator.set_ik_position_weight(IkGoal::LeftFoot, (1.0 - s) as f32).unwrap();
            animator.solve().unwrap();
            pose(&animator)
        });
        assert!(found.jump < 5e-3, "{found:?}");
    }
}
