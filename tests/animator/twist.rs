//! Twist: the roll that goals add is shared along the limb; wrists, elbows, hands and feet keep
//! their positions; nothing jumps at half a turn.

use sinew::animator::Animator;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, IkGoal};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::skeleton::SkeletonBuilder;
use std::f32::consts::PI;
use std::sync::Arc;
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::person::{Person, PersonOptions, person};
use testkit::{BoneRolls, Random, continuity, matchers};

/// The person with a joint put into the line of each of these bones, halfway to the next one.
fn split(person: &Person, bones: &[(HumanBone, HumanBone, &str)]) -> Person {
    let (skeleton, mut builder) = (&person.skeleton, SkeletonBuilder::new());
    let mut index = vec![0; skeleton.joint_count()];
    let mut t_pose = Vec::new();
    for j in 0..skeleton.joint_count() {
        let mut local = skeleton.rest_local()[j];
        let mut parent = skeleton.parent(j).map(|p| index[p]);
        let mut t = person.t_pose[j];
        if let Some((_, _, name)) = bones.iter().find(|(_, far, _)| person.human[far.index()] == Some(j)) {
            let half = Transform::at(local.position * 0.5);
            parent = Some(builder.joint(name, parent, half));
            t_pose.push(half);
            (local.position, t.position) = (half.position, half.position);
        }
        index[j] = builder.joint(skeleton.name(j), parent, local);
        t_pose.push(t);
    }
    Person {
        skeleton: builder.build().unwrap(),
        human: person.human.map(|joint| joint.map(|j| index[j])),
        t_pose,
        axes: person.axes,
        options: person.options,
    }
}

fn kinds() -> Vec<(String, Person)> {
    use HumanBone::*;
    let mut kinds = Vec::new();
    for bone_rolls in BoneRolls::ALL {
        kinds.push((format!("{bone_rolls:?}"), person(&PersonOptions { bone_rolls, ..Default::default() })));
    }
    let twisted = person(&PersonOptions { twist_joints: true, ..PersonOptions::gltf() });
    let lines = [
        (LeftLowerArm, LeftHand, "lForearmTwist"),
        (RightLowerArm, RightHand, "rForearmTwist"),
        (LeftUpperArm, LeftLowerArm, "lShldrTwist"),
        (RightUpperLeg, RightLowerLeg, "upperleg02.R"),
        (RightLowerLeg, RightFoot, "lowerleg02.R"),
    ];
    kinds.push(("split".into(), split(&twisted, &lines)));
    for kind in ParentKind::ALL {
        kinds.push((format!("hung {kind:?}"), characters::hung(&twisted, kind)));
    }
    kinds.push(("twist joints".into(), twisted));
    kinds
}

fn animator(person: &Person, upper: f32, lower: f32) -> Animator {
    let definition = AvatarDefinition {
        map: HumanMap::from_array(person.human),
        t_pose: Some(person.t_pose.clone()),
        up: Some(person.axes.up),
        forward: Some(person.axes.forward),
        arm_stretch: 0.0,
        leg_stretch: 0.0,
        upper_arm_twist: upper,
        upper_leg_twist: upper,
        lower_arm_twist: lower,
        lower_leg_twist: lower,
        ..AvatarDefinition::default()
    };
    characters::animator_of(&Arc::new(Avatar::new(Arc::new(person.skeleton.clone()), &definition).unwrap()))
}

/// The goal's rotation in the pose, rolled about its own Z (fingers) or Y (sole): the axis nearest
/// to the limb.
fn rolled(animator: &Animator, goal: IkGoal, angle: f32) -> Quat {
    let now = animator.ik_rotation(goal).unwrap();
    (now * axis_angle(if goal.is_foot() { Vec3::Y } else { Vec3::Z }, angle)).normalize()
}

fn ask(animator: &mut Animator, goal: IkGoal, position: Vec3, rotation: Quat, weights: [f32; 2]) {
    animator.set_ik_position(goal, position).unwrap();
    animator.set_ik_rotation(goal, rotation).unwrap();
    animator.set_ik_position_weight(goal, weights[0]).unwrap();
    animator.set_ik_rotation_weight(goal, weights[1]).unwrap();
}

#[test]
fn elbows_wrists_hands_and_feet_stay_where_they_are() {
    let mut random = Random::new(1);
    let (mut worst, mut moved) = ([0.0f64; 2], 0.0f64);
    for (name, person) in kinds() {
        // What no sharing gives is the judge: all of the upper bone's roll above, all of the hand's
        // at the wrist.
        let mut alone = animator(&person, 0.0, 1.0);
        for _ in 0..6 {
            let (upper, lower) = (random.unit01(), random.unit01());
            let mut shared = animator(&person, upper, lower);
            let start = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut alone, &start);
            set_pose(&mut shared, &start);
            for goal in IkGoal::ALL {
                let at = alone.ik_position(goal).unwrap() + random.in_ball(0.25 * alone.human_scale());
                let turned = (random.rotation() * alone.ik_rotation(goal).unwrap()).normalize();
                ask(&mut alone, goal, at, turned, [1.0, 1.0]);
                ask(&mut shared, goal, at, turned, [1.0, 1.0]);
            }
            alone.solve().unwrap();
            shared.solve().unwrap();
            matchers::assert_sound(&pose(&shared));
            moved = moved.max(matchers::max_joint_step_rad(&pose(&alone), &pose(&shared)));
            let (a, b) = (world(&alone), world(&shared));
            let size = matchers::distance(
                a[joint(&alone, HumanBone::Head)].position,
                a[joint(&alone, HumanBone::LeftFoot)].position,
            );
            for bone in IkGoal::ALL.into_iter().flat_map(IkGoal::bones) {
                let j = joint(&alone, bone);
                let off = matchers::distance(a[j].position, b[j].position) / size;
                worst[0] = worst[0].max(off);
                assert!(off < 2e-6, "{name} {bone:?} moved by {off:e}");
            }
            for goal in IkGoal::ALL {
                let j = joint(&alone, goal.bones()[2]);
                for axis in 0..3 {
                    let turn = matchers::direction_angle_rad(a[j].axis(axis), b[j].axis(axis));
                    worst[1] = worst[1].max(turn);
                    assert!(turn < 1e-5, "{name} {goal:?} turned by {turn:e}");
                }
            }
        }
    }
    println!("ends: {:.1e} of the height, {:.1e} rad; joints turned by up to {moved:.2} rad", worst[0], worst[1]);
    assert!(moved > 0.5);
}

/// Angle by which `now` is rolled about the line `axis` (model space) against `before`, radians.
fn roll_about(before: [f64; 4], now: [f64; 4], axis: [f64; 3]) -> f64 {
    let [bx, by, bz, bw] = [-before[0], -before[1], -before[2], before[3]];
    let [x, y, z, w] = now;
    let d = [
        w * bx + x * bw + y * bz - z * by,
        w * by - x * bz + y * bw + z * bx,
        w * bz + x * by - y * bx + z * bw,
        w * bw - x * bx - y * by - z * bz,
    ];
    let length = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
    let along = (axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]) / length;
    f64::from(2.0 * sinew::math::float::atan2(along as f32, d[3] as f32))
}

#[test]
fn each_joint_takes_its_share() {
    let mut judged = 0;
    for (name, person) in kinds().into_iter().filter(|(name, _)| !name.contains("Mirrored") && !name.contains("Uneven"))
    {
        for lower in [0.0, 0.3, 0.5, 1.0] {
            let mut animator = animator(&person, 0.5, lower);
            set_pose(&mut animator, &person.t_pose);
            let before = matchers::model_rotations(animator.skeleton(), &pose(&animator));
            let at = world(&animator);
            for goal in IkGoal::ALL {
                for roll in [-60.0f32, 25.0, 70.0] {
                    set_pose(&mut animator, &person.t_pose);
                    animator.reset_ik().unwrap();
                    let [_, near, far] = goal.bones().map(|b| joint(&animator, b));
                    let line = [0, 1, 2].map(|i| at[far].position[i] - at[near].position[i]);
                    let axis = Vec3::new(line[0] as f32, line[1] as f32, line[2] as f32).normalize();
                    let wanted =
                        (axis_angle(axis, roll.to_radians()) * animator.ik_rotation(goal).unwrap()).normalize();
                    ask(&mut animator, goal, Vec3::ZERO, wanted, [0.0, 1.0]);
                    animator.solve().unwrap();
                    let after = matchers::model_rotations(animator.skeleton(), &pose(&animator));
                    let all = f64::from(roll.to_radians());
                    let share = |j: usize| roll_about(before[j], after[j], line) / all;
                    let near_share = 1.0 - f64::from(lower);
                    assert!((share(near) - near_share).abs() < 1e-4, "{name} {goal:?} {roll} {lower}: {}", share(near));
                    assert!((share(far) - 1.0).abs() < 1e-4, "{name} {goal:?}: {}", share(far));
                    for j in animator.skeleton().subtree(near) {
                        let word = animator.skeleton().name(j).to_owned();
                        let is_twist = word.contains("Twist") || word.contains("02.R");
                        if !is_twist || animator.skeleton().is_self_or_ancestor(far, j) {
                            continue;
                        }
                        let place = matchers::distance(at[j].position, at[near].position)
                            / matchers::distance(at[far].position, at[near].position);
                        let wanted = near_share + place * f64::from(lower);
                        assert!((share(j) - wanted).abs() < 1e-3, "{name} {word} {lower}: {} for {wanted}", share(j));
                        judged += 1;
                    }
                }
            }
        }
    }
    assert!(judged > 100, "{judged} twist joints");
}

#[test]
fn a_hand_that_turns_all_the_way_round_never_thrashes() {
    let mut random = Random::new(3);
    let (mut worst, mut fastest) = (0.0f64, 0.0f64);
    for (name, person) in kinds() {
        for lower in [0.0, 0.5] {
            let mut animator = animator(&person, 0.5, lower);
            let start = random_human_pose(person.view(), &mut random, 0.7);
            for goal in IkGoal::ALL {
                set_pose(&mut animator, &start);
                let at = animator.ik_position(goal).unwrap();
                let turns: Vec<_> =
                    (0..=720).map(|i| rolled(&animator, goal, (i as f32 - 360.0).to_radians())).collect();
                let mut solve = |rotation: Quat| {
                    set_pose(&mut animator, &start);
                    ask(&mut animator, goal, at, rotation, [1.0, 1.0]);
                    animator.solve().unwrap();
                    pose(&animator)
                };
                let mut before = solve(turns[0]);
                let first = before.clone();
                for turn in &turns[1..] {
                    let now = solve(*turn);
                    fastest = fastest.max(matchers::max_joint_step_rad(&before, &now) / f64::from(PI / 180.0));
                    before = now;
                }
                // Twice round is where it began: what it does depends on the goal alone.
                assert!(matchers::max_joint_step_rad(&first, &before) < 1e-3, "{name} {goal:?}");
                let round = |s: f64| solve(turns[0] * axis_angle(Vec3::Z, (s * std::f64::consts::TAU) as f32));
                let found = continuity::judge(180, 1.0, round);
                worst = worst.max(found.jump);
                assert!(found.jump < 2e-3, "{name} {goal:?} {found:?}");
                ask(&mut animator, goal, at, Quat::IDENTITY, [0.0, 0.0]);
            }
        }
    }
    println!("jump {worst:.1e}, fastest joint {fastest:.2} of the hand's speed");
    // Steepest of the fall from 120° to 180° is 3.2 times the roll's speed, and the roll of a bent
    // hand outruns the hand's turn.
    assert!(fastest < 6.0, "{fastest}");
}

#[test]
fn it_follows_weights_and_goals_without_a_jump() {
    let mut random = Random::new(4);
    let mut worst = 0.0f64;
    for (name, person) in kinds() {
        let mut animator = animator(&person, 0.7, 0.3);
        let start = random_human_pose(person.view(), &mut random, 1.0);
        for goal in IkGoal::ALL {
            set_pose(&mut animator, &start);
            let scale = animator.human_scale();
            let here = animator.ik_position(goal).unwrap();
            let path = continuity::SmoothPath::random(&mut random, 4, here, 0.3 * scale);
            let turned = (random.rotation() * animator.ik_rotation(goal).unwrap()).normalize();
            let round = |s: f64| {
                set_pose(&mut animator, &start);
                let weight = (s * 2.0).min(1.0) as f32;
                ask(&mut animator, goal, path.at(s), turned, [weight, weight]);
                animator.solve().unwrap();
                pose(&animator)
            };
            let found = continuity::judge(100, scale, round);
            worst = worst.max(found.jump);
            assert!(found.jump < 5e-3, "{name} {goal:?} {found:?}");
            ask(&mut animator, goal, here, turned, [0.0, 0.0]);
        }
    }
    println!("jump {worst:.1e}");
}

#[test]
fn limbs_without_goals_keep_every_bit_of_their_twist_joints() {
    let mut random = Random::new(5);
    for (name, person) in kinds() {
        let mut animator = animator(&person, 0.5, 0.5);
        let start = random_human_pose(person.view(), &mut random, 1.0);
        set_pose(&mut animator, &start);
        let wanted = rolled(&animator, IkGoal::RightHand, 1.0);
        ask(&mut animator, IkGoal::RightHand, Vec3::ZERO, wanted, [0.0, 1.0]);
        animator.solve().unwrap();
        let (after, arm) = (pose(&animator), joint(&animator, HumanBone::RightUpperArm));
        for j in (0..after.len()).filter(|j| !person.skeleton.is_self_or_ancestor(arm, *j)) {
            matchers::assert_pose_bits_equal(&start[j..=j], &after[j..=j]);
        }
        assert!(matchers::max_joint_step_rad(&start, &after) > 0.3, "{name}");
    }
}
