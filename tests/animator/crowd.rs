//! A crowd's characters get the bits that each gets alone, whatever the input of its neighbours.

use sinew::animator::crowd::{self, Frames, Workspace};
use sinew::animator::{Animator, AnimatorError};
use sinew::constraints::{ConstraintDefinition, CopyRotationDefinition};
use sinew::humanoid::{HumanBone, HumanoidSettings, IkGoal, IkHint, LookAtWeight};
use sinew::math::dispatch::Level;
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::PoseTile;
use testkit::Random;
use testkit::characters;
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};

/// 0, 1 or between.
fn weight(random: &mut Random) -> f32 {
    match random.below(4) {
        0 => 0.0,
        1 => random.unit01(),
        _ => 1.0,
    }
}

/// Ordinary places, places within the body, and places that no arithmetic likes.
fn place(random: &mut Random, animator: &Animator) -> Vec3 {
    match random.below(12) {
        0 => animator.joint_ws(random.below(animator.skeleton().joint_count())).position,
        1 => random.unit_vector() * 1e4,
        2 => random.unit_vector() * 1e-6,
        3 => random.unit_vector() * 1e30,
        _ => Vec3::new(0.0, 1.0, 0.2) + random.in_ball(1.3),
    }
}

fn ask(animator: &mut Animator, random: &mut Random) {
    animator.reset_ik().unwrap();
    for (goal, hint) in IkGoal::ALL.into_iter().zip(IkHint::ALL) {
        if random.below(3) > 0 {
            animator.set_ik_position(goal, place(random, animator)).unwrap();
            animator.set_ik_position_weight(goal, weight(random)).unwrap();
        }
        if random.below(3) > 0 {
            animator.set_ik_rotation(goal, random.rotation()).unwrap();
            animator.set_ik_rotation_weight(goal, weight(random)).unwrap();
        }
        if random.below(3) == 0 {
            animator.set_ik_hint_position(hint, place(random, animator)).unwrap();
            animator.set_ik_hint_position_weight(hint, weight(random)).unwrap();
        }
        if random.below(20) == 0 {
            // The animation's own position: another code path.
            animator.set_ik_rotation_weight(goal, 1.0).unwrap();
        }
    }
    if random.below(4) > 0 {
        animator.set_look_at_position(place(random, animator)).unwrap();
        let [all, body, head, eyes, clamp] = [(); 5].map(|()| weight(random));
        animator.set_look_at_weight(LookAtWeight { weight: all, body, head, eyes, clamp }).unwrap();
    }
    match random.below(16) {
        0 => animator.set_body_rotation(random.rotation_within(0.4)).unwrap(),
        1 => animator.set_bone_local_rotation(HumanBone::Spine, random.rotation_within(0.2)).unwrap(),
        2 => animator.set_settings(&HumanoidSettings { limits_enabled: true, ..Default::default() }).unwrap(),
        3 => animator.set_settings(&HumanoidSettings { pull_weights: [1.0; 4], ..Default::default() }).unwrap(),
        4..=5 => {
            animator
                .set_settings(&HumanoidSettings { inertialization_times_s: [0.2; 4], ..Default::default() })
                .unwrap();
        }
        _ => animator.set_settings(&HumanoidSettings::default()).unwrap(),
    }
}

fn pose(options: &PersonOptions, random: &mut Random) -> Vec<Transform> {
    let person = person(options);
    let amount = random.unit01();
    let mut pose = random_human_pose(person.view(), random, amount);
    match random.below(10) {
        // A little off unit length, which must not change without a goal.
        0..=2 => pose.iter_mut().for_each(|t| t.rotation *= 1.0 + random.between(-1e-3, 1e-3)),
        3 => {
            let joint = random.below(pose.len());
            pose[joint].scale = Vec3::new(1.0, random.between(0.5, 2.0), 1.0);
        }
        4 => pose.iter_mut().for_each(|t| t.rotation = -t.rotation),
        _ => {}
    }
    pose
}

fn bits(pose: &[Transform]) -> Vec<u32> {
    let of = |t: &Transform| {
        let (p, r, s) = (t.position, t.rotation, t.scale);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f32::to_bits)
    };
    pose.iter().flat_map(of).collect()
}

fn check_equal(crowd: &Animator, alone: &Animator, what: &str) {
    let names = crowd.skeleton().names();
    for (joint, (a, b)) in crowd.pose().local().iter().zip(alone.pose().local()).enumerate() {
        assert_eq!(bits(&[*a]), bits(&[*b]), "{what}: {} is {a:?} but alone {b:?}", names[joint]);
    }
    for goal in IkGoal::ALL {
        assert_eq!(crowd.ik_outcome(goal), alone.ik_outcome(goal), "{what}: {goal:?}");
    }
    assert_eq!(crowd.look_at_outcome(), alone.look_at_outcome(), "{what}");
}

fn check_crowd(name: &str, options: PersonOptions, count: usize, rounds: usize, seed: u64) {
    for level in Level::all() {
        check_crowd_at(level, &format!("{name}, {level:?}"), options, count, rounds, seed);
    }
}

fn check_crowd_at(level: Level, name: &str, options: PersonOptions, count: usize, rounds: usize, seed: u64) {
    let person = person(&options);
    let avatar = characters::avatar(&person, 0.05);
    let mut random = Random::new(seed);
    let mut crowd: Vec<Animator> = (0..count).map(|_| characters::animator_of(&avatar)).collect();
    let mut workspace = Workspace::at(level);
    for round in 0..rounds {
        for animator in &mut crowd {
            ask(animator, &mut random);
            let root = match random.below(4) {
                0 => Transform::IDENTITY,
                1 => Transform { scale: Vec3::splat(random.between(0.5, 2.0)), ..random.rigid(3.0) },
                _ => random.rigid(3.0),
            };
            animator.set_root(root).unwrap();
            animator.pose_mut().local_mut().copy_from_slice(&pose(&options, &mut random));
            animator.advance(1.0 / 60.0);
        }
        let mut alone = crowd.clone();
        for animator in &mut alone {
            animator.solve().unwrap();
        }
        let mut all: Vec<&mut Animator> = crowd.iter_mut().collect();
        crowd::solve(&mut all, &mut workspace, |place, error| panic!("{place}: {error}"));
        for (lane, (crowd, alone)) in crowd.iter().zip(&alone).enumerate() {
            check_equal(crowd, alone, &format!("{name}, round {round}, character {lane}"));
        }
    }
}

/// In place, side by side: what is in the tile is what each has alone, frames too.
fn check_tile(name: &str, options: PersonOptions, rounds: usize, seed: u64) {
    for level in Level::all() {
        check_tile_at(level, &format!("{name}, {level:?}"), options, rounds, seed);
    }
}

fn check_tile_at(level: Level, name: &str, options: PersonOptions, rounds: usize, seed: u64) {
    let person = person(&options);
    let avatar = characters::avatar(&person, 0.05);
    let mut random = Random::new(seed);
    let mut crowd: Vec<Animator> = (0..8).map(|_| characters::animator_of(&avatar)).collect();
    let skeleton = crowd[0].skeleton().clone();
    let mut tile = PoseTile::rest(&skeleton).expect("no scale");
    let mut workspace = Workspace::at(level);
    for round in 0..rounds {
        let is_there: Vec<bool> = (0..8).map(|_| random.below(5) > 0).collect();
        for (lane, animator) in crowd.iter_mut().enumerate() {
            ask(animator, &mut random);
            animator.set_root(random.rigid(3.0)).unwrap();
            let mut pose = pose(&options, &mut random);
            pose.iter_mut().for_each(|t| t.scale = Vec3::ONE);
            if random.below(20) == 0 {
                pose[3].rotation = Quat::from_xyzw(0.0, f32::NAN, 0.0, 1.0);
            }
            tile.put_pose(lane, &pose);
            animator.pose_mut().local_mut().copy_from_slice(&pose);
            animator.advance(1.0 / 60.0);
        }
        let mut alone = crowd.clone();
        let errors: Vec<Option<AnimatorError>> = alone
            .iter_mut()
            .zip(&is_there)
            .map(|(animator, is_there)| if *is_there { animator.solve().err() } else { None })
            .collect();
        let mut lanes = crowd.iter_mut().zip(&is_there).map(|(animator, is_there)| is_there.then_some(animator));
        let lanes = core::array::from_fn(|_| lanes.next().flatten());
        let mut reported = vec![None; 8];
        crowd::solve_tile(lanes, &mut tile, Frames::All, &mut workspace, |lane, error| reported[lane] = Some(error));
        assert_eq!(format!("{reported:?}"), format!("{errors:?}"), "{name}, round {round}");
        for (lane, alone) in alone.iter_mut().enumerate() {
            let solved: Vec<Transform> = tile.pose(lane).collect();
            assert_eq!(bits(&solved), bits(alone.pose().local()), "{name}, round {round}, {lane}");
            if errors[lane].is_some() || alone.pose().local().iter().any(|t| !t.is_finite()) {
                continue;
            }
            alone.pose_mut().update(&skeleton);
            for joint in 0..solved.len() {
                let (frame, own) = (tile.model()[joint].at(lane).tightened(), alone.pose().model(joint));
                assert_eq!(frame.position.to_vec3(), own.position, "{name}, round {round}, {lane}, {joint}");
                assert_eq!(frame.rotation.to_quat(), own.rotation, "{name}, round {round}, {lane}, {joint}");
            }
            if is_there[lane] {
                IkGoal::ALL.into_iter().for_each(|g| assert_eq!(crowd[lane].ik_outcome(g), alone.ik_outcome(g)));
                assert_eq!(crowd[lane].look_at_outcome(), alone.look_at_outcome());
            }
        }
    }
}

#[test]
fn a_tile_is_solved_in_place_as_each_alone() {
    check_tile("complete", PersonOptions::default(), 60, 31);
    check_tile("twists", PersonOptions { twist_joints: true, ..Default::default() }, 40, 32);
    check_tile("gltf", PersonOptions::gltf(), 40, 33);
}

#[test]
fn a_crowd_is_solved_as_each_alone() {
    for count in [1, 2, 7, 8, 19] {
        check_crowd("complete", PersonOptions::default(), count, 30, count as u64);
    }
}

#[test]
fn other_rigs_are_no_other_case() {
    check_crowd("sparse", PersonOptions { with_optional: false, ..Default::default() }, 9, 30, 21);
    check_crowd("twists", PersonOptions { twist_joints: true, ..Default::default() }, 9, 30, 22);
    check_crowd("gltf", PersonOptions::gltf(), 9, 30, 23);
}

#[test]
fn characters_of_other_kinds_may_be_among_them() {
    let people = [PersonOptions::default(), PersonOptions::gltf()].map(|o| person(&o));
    let avatars = people.each_ref().map(|p| characters::avatar(p, 0.05));
    let mut random = Random::new(4);
    let mut crowd: Vec<Animator> = (0..20).map(|_| characters::animator_of(&avatars[random.below(2)])).collect();
    for animator in &mut crowd {
        ask(animator, &mut random);
    }
    let skeleton = crowd[3].skeleton().clone();
    crowd.insert(3, Animator::new(skeleton, None).unwrap());
    let mut alone = crowd.clone();
    alone.iter_mut().for_each(|animator| animator.solve().unwrap());
    let mut all: Vec<&mut Animator> = crowd.iter_mut().collect();
    crowd::solve(&mut all, &mut Workspace::default(), |place, error| panic!("{place}: {error}"));
    for (crowd, alone) in crowd.iter().zip(&alone) {
        assert_eq!(bits(crowd.pose().local()), bits(alone.pose().local()));
    }
}

#[test]
fn a_failing_animator_is_reported_and_not_changed() {
    let avatar = characters::avatar(&person(&PersonOptions::default()), 0.05);
    let mut random = Random::new(5);
    let mut crowd: Vec<Animator> = (0..8).map(|_| characters::animator_of(&avatar)).collect();
    crowd.iter_mut().for_each(|animator| ask(animator, &mut random));
    crowd[5].pose_mut().local_mut()[7].position.y = f32::NAN;
    crowd[2].pose_mut().local_mut()[9].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let before = crowd.clone();
    let mut alone = crowd.clone();
    let errors: Vec<Option<AnimatorError>> = alone.iter_mut().map(|animator| animator.solve().err()).collect();
    let mut reported = vec![None; 8];
    let mut all: Vec<&mut Animator> = crowd.iter_mut().collect();
    crowd::solve(&mut all, &mut Workspace::default(), |place, error| reported[place] = Some(error));
    assert_eq!(format!("{reported:?}"), format!("{errors:?}"));
    assert!(reported[5].is_some() && reported[2].is_some() && reported.iter().flatten().count() == 2);
    for place in 0..8 {
        let expected = if reported[place].is_some() { &before[place] } else { &alone[place] };
        assert_eq!(bits(crowd[place].pose().local()), bits(expected.pose().local()), "{place}");
    }
}

#[test]
fn a_goal_that_no_number_can_hold_is_taken_back_for_its_own_character_only() {
    let avatar = characters::avatar(&person(&PersonOptions::default()), 0.05);
    let mut crowd: Vec<Animator> = (0..8).map(|_| characters::animator_of(&avatar)).collect();
    for (place, animator) in crowd.iter_mut().enumerate() {
        let far = if place == 3 { 3e38 } else { 1.0 };
        for goal in [IkGoal::LeftFoot, IkGoal::RightHand] {
            animator.set_ik_position(goal, Vec3::new(0.3, 0.4, 0.3) * far).unwrap();
            animator.set_ik_position_weight(goal, 0.7).unwrap();
        }
        animator
            .set_root(Transform { scale: Vec3::splat(if place == 3 { 1e-3 } else { 1.0 }), ..Transform::IDENTITY })
            .unwrap();
    }
    let mut alone = crowd.clone();
    alone.iter_mut().for_each(|animator| animator.solve().unwrap());
    let mut all: Vec<&mut Animator> = crowd.iter_mut().collect();
    crowd::solve(&mut all, &mut Workspace::default(), |place, error| panic!("{place}: {error}"));
    for (place, (crowd, alone)) in crowd.iter().zip(&alone).enumerate() {
        assert!(crowd.pose().local().iter().all(Transform::is_finite));
        check_equal(crowd, alone, &format!("{place}"));
    }
    assert!(bits(crowd[4].pose().local()) != bits(crowd[4].skeleton().rest_local()));
}

#[test]
fn a_character_with_constraints_is_solved_with_them() {
    let avatar = characters::avatar(&person(&PersonOptions::default()), 0.05);
    let mut random = Random::new(6);
    let mut crowd: Vec<Animator> = (0..8).map(|_| characters::animator_of(&avatar)).collect();
    crowd.iter_mut().for_each(|animator| ask(animator, &mut random));
    let joints = [HumanBone::LeftHand, HumanBone::RightHand].map(|b| avatar.joint(b).unwrap());
    let definition = CopyRotationDefinition { source: Some(joints[1]), ..CopyRotationDefinition::of(joints[0]) };
    let id = crowd[6].add_constraint(&ConstraintDefinition::CopyRotation(definition)).unwrap();
    crowd[6].constraint_mut(id).unwrap().weight = 0.5;
    let mut alone = crowd.clone();
    alone.iter_mut().for_each(|animator| animator.solve().unwrap());
    let mut all: Vec<&mut Animator> = crowd.iter_mut().collect();
    crowd::solve(&mut all, &mut Workspace::default(), |place, error| panic!("{place}: {error}"));
    for (place, (crowd, alone)) in crowd.iter().zip(&alone).enumerate() {
        check_equal(crowd, alone, &format!("{place}"));
    }
}
