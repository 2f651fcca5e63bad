//! Compensation by the body, when enabled: clavicles, spine, hips. Judged in `f64`, in the world.

use sinew::animator::Animator;
use sinew::humanoid::{HumanBone, HumanoidSettings, IkGoal, LookAtWeight};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::SkeletonBuilder;
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::continuity::{self, SmoothPath};
use testkit::human_pose::random_human_pose;
use testkit::matchers::wide;
use testkit::person::{Person, PersonOptions, person};
use testkit::{BoneRolls, Random, matchers};

const HANDS: [IkGoal; 2] = [IkGoal::LeftHand, IkGoal::RightHand];

fn kinds() -> Vec<(String, Person)> {
    let mut kinds = Vec::new();
    for bone_rolls in BoneRolls::ALL {
        kinds.push((format!("{bone_rolls:?}"), person(&PersonOptions { bone_rolls, ..Default::default() })));
    }
    kinds.push(("glTF".into(), person(&PersonOptions::gltf())));
    let least = PersonOptions { with_optional: false, ..PersonOptions::default() };
    kinds.push(("least".into(), person(&least)));
    for kind in ParentKind::ALL {
        kinds.push((format!("hung {kind:?}"), characters::hung(&person(&PersonOptions::default()), kind)));
    }
    kinds
}

/// Rigs on which lengths are the same in every direction.
fn even_kinds() -> Vec<(String, Person)> {
    kinds().into_iter().filter(|(name, _)| !name.contains("Uneven")).collect()
}

fn at(animator: &Animator, bone: HumanBone) -> [f64; 3] {
    world(animator)[joint(animator, bone)].position
}
fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}
fn limb_length(animator: &Animator, goal: IkGoal) -> f64 {
    let [root, mid, end] = goal.bones().map(|b| at(animator, b));
    matchers::distance(root, mid) + matchers::distance(mid, end)
}
fn off(animator: &Animator, goal: IkGoal, target: Vec3) -> f64 {
    matchers::distance(at(animator, goal.bones()[2]), wide(target))
}
fn ask(animator: &mut Animator, goal: IkGoal, at: Vec3, weight: f32) {
    animator.set_ik_position(goal, at).unwrap();
    animator.set_ik_position_weight(goal, weight).unwrap();
}
fn shoulders(weight: f32) -> HumanoidSettings {
    HumanoidSettings { shoulder_weights: [weight; 2], ..Default::default() }
}
fn spine(weight: f32) -> HumanoidSettings {
    HumanoidSettings { spine_weight: weight, ..Default::default() }
}
fn pull(weights: [f32; 4]) -> HumanoidSettings {
    HumanoidSettings { pull_weights: weights, ..Default::default() }
}
/// Solves a fresh copy of `start` with these settings.
fn solved(animator: &mut Animator, start: &[Transform], settings: HumanoidSettings) -> Vec<Transform> {
    set_pose(animator, start);
    animator.set_settings(&settings).unwrap();
    animator.solve().unwrap();
    let pose = pose(animator);
    matchers::assert_sound(&pose);
    pose
}

#[test]
fn weights_are_kept_limited_and_0_by_default() {
    let mut animator = characters::animator(&person(&PersonOptions::default()), 0.0);
    assert_eq!(*animator.settings().unwrap(), HumanoidSettings::default());
    let wild = HumanoidSettings {
        shoulder_weights: [-1.0, 7.0],
        spine_weight: f32::NAN,
        pull_weights: [0.5, 2.0, -0.1, 1.0],
        ..Default::default()
    };
    animator.set_settings(&wild).unwrap();
    let kept = HumanoidSettings {
        shoulder_weights: [0.0, 1.0],
        spine_weight: 0.0,
        pull_weights: [0.5, 1.0, 0.0, 1.0],
        ..Default::default()
    };
    assert_eq!(*animator.settings().unwrap(), kept);
}

#[test]
fn goals_in_easy_reach_move_the_arm_alone() {
    let mut random = Random::new(1);
    for (_, person) in even_kinds() {
        let mut animator = characters::animator(&person, 0.05);
        for _ in 0..5 {
            let start = random_human_pose(person.view(), &mut random, 1.0);
            set_pose(&mut animator, &start);
            for goal in HANDS {
                let shoulder = narrow(at(&animator, goal.bones()[0]));
                let reach = 0.65 * limb_length(&animator, goal) as f32;
                ask(&mut animator, goal, shoulder + random.in_ball(reach), 1.0);
            }
            let plain = solved(&mut animator, &start, HumanoidSettings::default());
            let all = HumanoidSettings {
                shoulder_weights: [1.0; 2],
                spine_weight: 1.0,
                pull_weights: [1.0; 4],
                ..Default::default()
            };
            let helped = solved(&mut animator, &start, all);
            matchers::assert_pose_bits_equal(&plain, &helped);
        }
    }
}

#[test]
fn clavicles_bring_far_goals_nearer_within_their_range() {
    let mut random = Random::new(2);
    let (mut gains, mut most) = (Vec::new(), 0.0f64);
    for (name, person) in even_kinds().into_iter().filter(|(name, _)| name != "least") {
        let mut animator = characters::animator(&person, 0.0);
        for _ in 0..8 {
            let start = random_human_pose(person.view(), &mut random, 0.8);
            for goal in HANDS {
                set_pose(&mut animator, &start);
                animator.reset_ik().unwrap();
                let length = limb_length(&animator, goal) as f32;
                let target =
                    narrow(at(&animator, goal.bones()[0])) + random.unit_vector() * length * random.between(0.95, 1.3);
                ask(&mut animator, goal, target, 1.0);
                solved(&mut animator, &start, HumanoidSettings::default());
                let mut before = off(&animator, goal, target);
                let first = before;
                for weight in [0.25, 0.5, 0.75, 1.0] {
                    let after = solved(&mut animator, &start, shoulders(weight));
                    let now = off(&animator, goal, target);
                    assert!(now < before + 1e-5 * f64::from(length), "{name} {goal:?} {weight}: {now} after {before}");
                    before = now;
                    let clavicle =
                        if goal == IkGoal::LeftHand { HumanBone::LeftShoulder } else { HumanBone::RightShoulder };
                    let clavicle = joint(&animator, clavicle);
                    most = most.max(matchers::rotation_angle_rad(start[clavicle].rotation, after[clavicle].rotation));
                    for j in (0..start.len()).filter(|j| !person.skeleton.is_self_or_ancestor(clavicle, *j)) {
                        matchers::assert_pose_bits_equal(&start[j..=j], &after[j..=j]);
                    }
                }
                gains.push((first - before) / f64::from(length));
            }
        }
    }
    gains.sort_by(f64::total_cmp);
    println!(
        "gain: median {:.3}, most {:.3} of the arm; turned by {:.1}°",
        gains[gains.len() / 2],
        gains[gains.len() - 1],
        most.to_degrees()
    );
    assert!(gains[gains.len() - 1] > 0.05 && most.to_degrees() < 30.01 && most.to_degrees() > 12.0);
}

#[test]
fn the_spine_bends_until_the_hand_is_there() {
    let mut random = Random::new(3);
    let (mut reached, mut all) = (0, 0);
    for (name, person) in even_kinds() {
        let mut animator = characters::animator(&person, 0.0);
        for _ in 0..6 {
            let start = random_human_pose(person.view(), &mut random, 0.5);
            for goal in HANDS {
                set_pose(&mut animator, &start);
                animator.reset_ik().unwrap();
                let (length, feet) = (limb_length(&animator, goal), at(&animator, HumanBone::LeftFoot));
                let shoulder = at(&animator, goal.bones()[0]);
                let hips = at(&animator, HumanBone::Hips);
                // Forward or sideways of the shoulder, where a bend takes it; not straight up.
                let away = random.unit_vector();
                let up = (narrow(shoulder) - narrow(hips)).normalize();
                let level = (away - up * away.dot(up)).normalize();
                let target =
                    narrow(shoulder) + (level - up * 0.3).normalize() * (length as f32 * random.between(1.02, 1.25));
                ask(&mut animator, goal, target, 1.0);
                solved(&mut animator, &start, HumanoidSettings::default());
                let first = off(&animator, goal, target);
                solved(&mut animator, &start, spine(0.5));
                let half = off(&animator, goal, target);
                solved(&mut animator, &start, spine(1.0));
                let whole = off(&animator, goal, target);
                assert!(half < 0.75 * first && whole < 0.5 * first, "{name} {goal:?}: {first} {half} {whole}");
                assert!((half - 0.5 * first).abs() < 0.12 * first, "{name}: {half} of {first}");
                all += 1;
                reached += usize::from(whole < 5e-3 * length);
                // The hips and what stands on them stay.
                assert!(matchers::distance(feet, at(&animator, HumanBone::LeftFoot)) < 1e-5 * length);
            }
        }
    }
    println!("spine: {reached} of {all} reached");
    assert!(reached * 10 > all * 8, "{reached} of {all}");
}

/// A goal that the hips can bring within reach while both feet stay: found by moving the hips and
/// looking.
fn feasible(animator: &Animator, random: &mut Random, goal: IkGoal) -> Option<Vec3> {
    let length = limb_length(animator, goal) as f32;
    let d = random.in_ball(0.3 * length);
    for foot in [IkGoal::LeftFoot, IkGoal::RightFoot] {
        let [hip, _, ankle] = foot.bones().map(|b| narrow(at(animator, b)));
        if (ankle - hip - d).length() > 0.98 * limb_length(animator, foot) as f32 {
            return None;
        }
    }
    let shoulder = narrow(at(animator, goal.bones()[0])) + d;
    Some(shoulder + (d.normalize() + random.in_ball(0.8)).normalize() * (0.97 * length))
}

#[test]
fn hips_give_way_to_hands_and_feet_stay() {
    let mut random = Random::new(4);
    let (mut worst, mut feet_worst, mut judged) = (0.0f64, 0.0f64, 0);
    for (name, person) in even_kinds() {
        for (root_kind, root) in characters::roots().into_iter().filter(|(k, _)| *k != ParentKind::UnevenlyScaled) {
            let mut animator = characters::animator(&person, 0.0);
            animator.set_root(root).unwrap();
            for _ in 0..12 {
                let start = random_human_pose(person.view(), &mut random, 1.0);
                for goal in HANDS {
                    set_pose(&mut animator, &start);
                    animator.reset_ik().unwrap();
                    let Some(target) = feasible(&animator, &mut random, goal) else { continue };
                    ask(&mut animator, goal, target, 1.0);
                    let feet = [IkGoal::LeftFoot, IkGoal::RightFoot];
                    let planted = feet.map(|f| narrow(at(&animator, f.bones()[2])));
                    // Feet whose goal was never set stay where they are animated.
                    feet.iter().for_each(|f| animator.set_ik_position_weight(*f, 1.0).unwrap());
                    solved(&mut animator, &start, pull([0.0, 0.0, 1.0, 1.0]));
                    let length = limb_length(&animator, goal);
                    let now = off(&animator, goal, target) / length;
                    worst = worst.max(now);
                    assert!(now < 1e-3, "{name} {root_kind:?} {goal:?}: {now:e}");
                    for (foot, place) in feet.into_iter().zip(planted) {
                        let slid = off(&animator, foot, place) / length;
                        feet_worst = feet_worst.max(slid);
                        assert!(slid < 1e-3, "{name} {root_kind:?} {foot:?}: {slid:e}");
                    }
                    judged += 1;
                }
            }
        }
    }
    println!("pull: {judged} goals, worst {worst:.1e}, feet {feet_worst:.1e} of the arm");
    assert!(judged > 300, "{judged}");
}

#[test]
fn feet_stay_when_a_hand_goal_is_too_far_and_pull_when_enabled() {
    let mut random = Random::new(5);
    for (name, person) in even_kinds() {
        let mut animator = characters::animator(&person, 0.0);
        let start = random_human_pose(person.view(), &mut random, 0.6);
        set_pose(&mut animator, &start);
        let scale = animator.human_scale();
        let (shoulder, length) = (at(&animator, HumanBone::RightUpperArm), limb_length(&animator, IkGoal::RightHand));
        ask(&mut animator, IkGoal::RightHand, narrow(shoulder) + random.unit_vector() * 5.0 * scale, 1.0);
        let feet = [IkGoal::LeftFoot, IkGoal::RightFoot];
        let planted = feet.map(|f| narrow(at(&animator, f.bones()[2])));
        feet.iter().for_each(|f| animator.set_ik_position_weight(*f, 1.0).unwrap());
        solved(&mut animator, &start, pull([0.0, 0.0, 1.0, 1.0]));
        for (foot, place) in feet.into_iter().zip(planted) {
            let slid = off(&animator, foot, place) / length;
            assert!(slid < 2e-3, "{name} {foot:?} {slid:e}");
        }
        // One foot steps down beyond its reach: without pull it does not reach, with pull the
        // pelvis moves down and both feet are there.
        animator.reset_ik().unwrap();
        set_pose(&mut animator, &person.t_pose);
        let [hip, _, ankle] = IkGoal::RightFoot.bones().map(|b| narrow(at(&animator, b)));
        let step = ankle + (ankle - hip).normalize() * 0.12 * scale;
        let left = narrow(at(&animator, HumanBone::LeftFoot));
        ask(&mut animator, IkGoal::RightFoot, step, 1.0);
        ask(&mut animator, IkGoal::LeftFoot, left, 1.0);
        solved(&mut animator, &person.t_pose, HumanoidSettings::default());
        assert!(off(&animator, IkGoal::RightFoot, step) > 0.1 * f64::from(scale), "{name}");
        solved(&mut animator, &person.t_pose, pull([0.0, 1.0, 0.0, 0.0]));
        for (foot, place) in [(IkGoal::RightFoot, step), (IkGoal::LeftFoot, left)] {
            assert!(off(&animator, foot, place) < 1e-3 * f64::from(scale), "{name} {foot:?}");
        }
    }
}

#[test]
fn pull_takes_its_part_of_what_is_missing() {
    let mut random = Random::new(6);
    for (name, person) in even_kinds() {
        let mut animator = characters::animator(&person, 0.0);
        let start = random_human_pose(person.view(), &mut random, 0.6);
        set_pose(&mut animator, &start);
        let length = limb_length(&animator, IkGoal::LeftHand) as f32;
        let target = narrow(at(&animator, HumanBone::LeftUpperArm)) + random.unit_vector() * length * 1.6;
        for weight in [1.0, 0.6] {
            ask(&mut animator, IkGoal::LeftHand, target, weight);
            solved(&mut animator, &start, HumanoidSettings::default());
            let wanted = animator.ik_outcome(IkGoal::LeftHand).unwrap().residual_m;
            for part in [0.0, 0.3, 0.7, 1.0] {
                solved(&mut animator, &start, pull([0.0, 0.0, part, 0.0]));
                let left = animator.ik_outcome(IkGoal::LeftHand).unwrap().residual_m;
                let expected = (1.0 - part * weight) * wanted;
                assert!((left - expected).abs() < 2e-3 * length, "{name} {weight} {part}: {left} for {expected}");
            }
        }
    }
}

#[test]
fn everything_is_continuous_in_goals_and_weights() {
    let mut random = Random::new(7);
    let mut worst = 0.0f64;
    for (name, person) in kinds() {
        let mut animator = characters::animator(&person, 0.05);
        for round in 0..3 {
            let start = random_human_pose(person.view(), &mut random, 0.8);
            set_pose(&mut animator, &start);
            let scale = animator.human_scale();
            let chest = narrow(at(&animator, HumanBone::Head));
            let paths = HANDS.map(|_| SmoothPath::random(&mut random, 5, chest, 1.2 * scale));
            let feet = [IkGoal::LeftFoot, IkGoal::RightFoot];
            feet.iter().for_each(|f| animator.set_ik_position_weight(*f, 0.7).unwrap());
            let found = continuity::judge(150, scale, |s| {
                let w = (4.0 * s * (1.0 - s)) as f32;
                for (goal, path) in HANDS.into_iter().zip(&paths) {
                    ask(&mut animator, goal, path.at(s), if round == 0 { w } else { 1.0 });
                }
                let settings = HumanoidSettings {
                    shoulder_weights: [w, 1.0 - w],
                    spine_weight: if round == 1 { w } else { 0.8 },
                    pull_weights: if round == 2 { [w, 0.0, 1.0 - w, w] } else { [0.5, 0.0, 1.0, 0.6] },
                    ..Default::default()
                };
                solved(&mut animator, &start, settings)
            });
            worst = worst.max(found.jump);
            assert!(found.jump < 1e-2, "{name} {round} {found:?} {}", person.skeleton.name(found.joint));
            animator.reset_ik().unwrap();
        }
    }
    println!("jump {worst:.1e}");
}

/// The hips gave way to the whole of what a straight limb missed from a weight of 1e-4 on: they
/// jumped by 30 cm as the weight of a hand began, by 20 cm as those of the feet did.
#[test]
fn hips_come_along_in_proportion_to_the_weight_of_straight_limbs() {
    for (name, person) in even_kinds() {
        let mut animator = characters::animator(&person, 0.05);
        let start = person.t_pose.clone();
        set_pose(&mut animator, &start);
        let length = limb_length(&animator, IkGoal::RightHand) as f32;
        let [shoulder, hand] = [HumanBone::RightUpperArm, HumanBone::RightHand].map(|b| narrow(at(&animator, b)));
        let [hip, foot] = [HumanBone::RightUpperLeg, HumanBone::RightFoot].map(|b| narrow(at(&animator, b)));
        let (along, up) = ((hand - shoulder).normalize(), (hip - foot).normalize());
        let feet = [IkGoal::LeftFoot, IkGoal::RightFoot];
        for fades_feet in [false, true] {
            let target = if fades_feet { shoulder + up * (1.4 * length) } else { hand + along * (0.4 * length) };
            let mut moved = |weight: f32| {
                animator.reset_ik().unwrap();
                ask(&mut animator, IkGoal::RightHand, target, if fades_feet { 1.0 } else { weight });
                feet.iter().filter(|_| fades_feet).for_each(|f| animator.set_ik_position_weight(*f, weight).unwrap());
                solved(&mut animator, &start, pull([0.0, 0.0, 0.0, 1.0]));
                narrow(at(&animator, HumanBone::Hips))
            };
            let (none, all) = (moved(0.0), moved(1.0));
            let whole = (all - none).length();
            assert!(whole > 0.2 * length, "{name} {fades_feet}: {whole}");
            let mut before = none;
            for step in 0..=100 {
                let now = moved(1e-4 + 0.01 * step as f32);
                let jump = (now - before).length() / whole;
                assert!(jump < 0.05, "{name} {fades_feet} {step}: {jump} of the way");
                before = now;
            }
        }
    }
}

/// After look-at the hips made a second move from where the first had brought them: with a pull of
/// 0.4 that took 0.4 of what the first had left, as soon as the weight of the body began.
#[test]
fn looking_with_the_body_begins_without_a_second_pull() {
    let mut random = Random::new(8);
    for (name, person) in even_kinds() {
        let mut animator = characters::animator(&person, 0.05);
        let start = random_human_pose(person.view(), &mut random, 0.6);
        set_pose(&mut animator, &start);
        let length = limb_length(&animator, IkGoal::LeftHand) as f32;
        let shoulder = narrow(at(&animator, HumanBone::LeftUpperArm));
        ask(&mut animator, IkGoal::LeftHand, shoulder + random.unit_vector() * (1.5 * length), 1.0);
        animator.set_look_at_position(shoulder + random.unit_vector() * (3.0 * length)).unwrap();
        let mut hips = |body: f32| {
            let weight = LookAtWeight { weight: 1.0, body, head: 0.0, eyes: 0.0, clamp: 0.0 };
            animator.set_look_at_weight(weight).unwrap();
            solved(&mut animator, &start, pull([0.0, 0.0, 0.4, 0.0]));
            narrow(at(&animator, HumanBone::Hips))
        };
        let (without, with) = (hips(0.0), hips(1e-6));
        let moved = (with - without).length() / length;
        assert!(moved < 1e-4, "{name}: {moved}");
    }
}

/// The same person with feet that hang from the root, as those of some robots.
fn with_detached_feet(person: &Person) -> Person {
    let hung = characters::hung(person, ParentKind::Identity);
    let places = matchers::forward_kinematics(&hung.skeleton, &hung.t_pose);
    let turns = matchers::model_rotations(&hung.skeleton, &hung.t_pose);
    let (mut builder, mut t_pose) = (SkeletonBuilder::new(), hung.t_pose.clone());
    for foot in [HumanBone::LeftFoot, HumanBone::RightFoot].map(|b| hung.joint(b)) {
        let [x, y, z, w] = turns[foot].map(|n| n as f32);
        t_pose[foot] = Transform::new(places[foot].position_f32(), Quat::from_xyzw(x, y, z, w));
    }
    for (joint, local) in t_pose.iter().enumerate() {
        let is_foot = [HumanBone::LeftFoot, HumanBone::RightFoot].iter().any(|b| hung.joint(*b) == joint);
        let parent = if is_foot { Some(0) } else { hung.skeleton.parent(joint) };
        builder.joint(hung.skeleton.name(joint), parent, *local);
    }
    Person { skeleton: builder.build().unwrap(), t_pose, ..hung }
}

#[test]
fn looking_begins_without_a_second_pull_of_feet_that_the_hips_do_not_carry() {
    let person = with_detached_feet(&person(&PersonOptions::default()));
    let mut animator = characters::animator(&person, 0.05);
    set_pose(&mut animator, &person.t_pose);
    let scale = animator.human_scale();
    let foot = narrow(at(&animator, HumanBone::LeftFoot));
    ask(&mut animator, IkGoal::LeftFoot, foot + Vec3::new(0.2, -0.4, 0.3) * scale, 1.0);
    animator.set_look_at_position(Vec3::new(1.0, 1.0, 3.0) * scale).unwrap();
    let mut hips = |body: f32| {
        let weight = LookAtWeight { weight: 1.0, body, head: 0.0, eyes: 0.0, clamp: 0.0 };
        animator.set_look_at_weight(weight).unwrap();
        solved(&mut animator, &person.t_pose, pull([0.6, 0.0, 0.0, 0.0]));
        narrow(at(&animator, HumanBone::Hips))
    };
    let (without, with) = (hips(0.0), hips(1e-6));
    let moved = (with - without).length() / scale;
    assert!(moved < 1e-4, "{moved}");
}

/// Help counted from 70 % of the reach, not from what the animation reaches already: a straight arm
/// whose goal was its own hand swung by 30 to 44 degrees on rigs of the market.
#[test]
fn a_goal_where_the_animation_has_the_hand_moves_nothing() {
    for (name, person) in even_kinds() {
        let mut animator = characters::animator(&person, 0.0);
        let mut random = Random::new(57);
        for round in 0..12 {
            let mut start = random_human_pose(person.view(), &mut random, 0.5);
            // Arms as straight as they hang.
            for bone in HANDS.into_iter().map(|goal| goal.bones()[1]) {
                let j = joint(&animator, bone);
                start[j].rotation = person.t_pose[j].rotation;
            }
            for settings in [shoulders(1.0), spine(1.0), pull([1.0; 4])] {
                set_pose(&mut animator, &start);
                animator.match_goals_from_pose().unwrap();
                for goal in IkGoal::ALL {
                    animator.set_ik_position_weight(goal, 1.0).unwrap();
                }
                let before = world(&animator);
                solved(&mut animator, &start, settings);
                let after = world(&animator);
                let size = limb_length(&animator, IkGoal::LeftHand);
                for bone in HANDS.into_iter().flat_map(IkGoal::bones).chain([HumanBone::Hips]) {
                    let j = joint(&animator, bone);
                    let moved = matchers::distance(before[j].position, after[j].position) / size;
                    assert!(moved < 2e-3, "{name} {round} {settings:?}: {bone:?} {moved}");
                }
            }
        }
    }
}
