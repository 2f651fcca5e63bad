//! Joint limits for people: ranges from the T-pose, reachable goals still reached, elbows and
//! wrists that stay what they are.

use sinew::animator::Animator;
use sinew::humanoid::{
    Avatar, AvatarDefinition, HumanBone, HumanMap, HumanRange, HumanRangeSet, HumanoidSettings, IkGoal, IkHint,
};
use sinew::limits::Range;
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::Status;
use std::sync::Arc;
use testkit::axes::{Side, turn};
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::human_pose::random_human_pose;
use testkit::mannequin::Mannequin;
use testkit::person::{Person, PersonOptions, RestPose, person};
use testkit::{BoneRolls, Random, continuity, matchers};

fn kinds() -> Vec<(String, Person)> {
    let plain = PersonOptions::default();
    let mut kinds = Vec::new();
    for bone_rolls in BoneRolls::ALL {
        kinds.push((format!("{bone_rolls:?}"), person(&PersonOptions { bone_rolls, ..plain })));
    }
    let a_pose = PersonOptions { rest: RestPose::A, twist_joints: true, ..PersonOptions::gltf() };
    kinds.push(("A-pose".into(), person(&a_pose)));
    for kind in ParentKind::ALL.into_iter().filter(|k| *k != ParentKind::UnevenlyScaled) {
        kinds.push((format!("hung {kind:?}"), characters::hung(&person(&plain), kind)));
    }
    kinds
}

fn avatar(person: &Person, ranges: &[(HumanBone, HumanRange)]) -> Arc<Avatar> {
    avatar_of(person, ranges, HumanRangeSet::Measured)
}

fn avatar_of(person: &Person, ranges: &[(HumanBone, HumanRange)], set: HumanRangeSet) -> Arc<Avatar> {
    let definition = AvatarDefinition {
        map: HumanMap::from_array(person.human),
        t_pose: Some(person.t_pose.clone()),
        up: Some(person.axes.up),
        forward: Some(person.axes.forward),
        arm_stretch: 0.0,
        leg_stretch: 0.0,
        human_ranges: ranges.to_vec(),
        human_range_set: set,
        ..AvatarDefinition::default()
    };
    Arc::new(Avatar::new(Arc::new(person.skeleton.clone()), &definition).unwrap())
}

fn limited(avatar: &Arc<Avatar>) -> Animator {
    let mut animator = characters::animator_of(avatar);
    animator.set_settings(&HumanoidSettings { limits_enabled: true, ..Default::default() }).unwrap();
    animator
}

/// A pose in which every bone of the limbs is within its limits: random rotations, projected.
fn admissible(avatar: &Avatar, person: &Person, random: &mut Random) -> Vec<Transform> {
    let mut pose = person.t_pose.clone();
    for bone in IkGoal::ALL.into_iter().flat_map(IkGoal::bones) {
        let (j, model) = (avatar.joint(bone).unwrap(), avatar.human_limits().model(bone).unwrap());
        let rotation = model.project(model.project(random.rotation()));
        pose[j].rotation = (person.t_pose[j].rotation * rotation).normalize();
        assert!(avatar.human_limits().violation_rad(bone, &pose[j]) < 1e-4, "{bone:?}");
    }
    pose
}

fn violation(animator: &Animator, bone: HumanBone) -> f64 {
    f64::from(animator.joint_violation_rad(joint(animator, bone)).unwrap())
}
fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}
fn end_of(animator: &Animator, goal: IkGoal) -> [f64; 3] {
    world(animator)[joint(animator, goal.bones()[2])].position
}
fn limb_length(animator: &Animator, goal: IkGoal) -> f64 {
    let [root, mid, end] = goal.bones().map(|b| world(animator)[joint(animator, b)].position);
    matchers::distance(root, mid) + matchers::distance(mid, end)
}

#[test]
fn muscle_ranges_count_from_the_t_pose_in_the_bodys_own_directions() {
    use HumanBone::*;
    for (name, person) in kinds().into_iter().filter(|(name, _)| !name.starts_with("hung")) {
        let avatar = avatar_of(&person, &[], HumanRangeSet::Muscles);
        let axes = Mannequin::new(person.view()).axes();
        let (up, forward) = (axes.up, axes.forward);
        for bone in HumanBone::ALL {
            if let Some(j) = avatar.joint(bone) {
                assert_eq!(avatar.human_limits().model(bone).is_some(), bone != Hips);
                assert!(avatar.human_limits().violation_rad(bone, &person.t_pose[j]) < 1e-4, "{name} {bone:?}");
            }
        }
        let beyond = |bone: HumanBone, by: Quat| -> f64 {
            let mut mannequin = Mannequin::new(person.view());
            mannequin.turn(bone, by);
            let locals = mannequin.into_locals();
            f64::from(avatar.human_limits().violation_rad(bone, &locals[avatar.joint(bone).unwrap()]).to_degrees())
        };
        for side in Side::BOTH {
            let out = axes.out(side);
            let elbow = (forward + up * 0.3).normalize();
            // bone, from, towards, how far it may
            let rows = [
                (side.pick(LeftLowerLeg, RightLowerLeg), -up, -forward, 160.0, 0.0),
                (side.pick(LeftLowerArm, RightLowerArm), out, elbow, 160.0, 0.0),
                (side.pick(LeftUpperLeg, RightUpperLeg), -up, forward, 120.0, 20.0),
                (side.pick(LeftUpperLeg, RightUpperLeg), -up, out, 60.0, 60.0),
                (side.pick(LeftUpperArm, RightUpperArm), out, up, 60.0, 100.0),
                (side.pick(LeftUpperArm, RightUpperArm), out, forward, 130.0, 70.0),
                (side.pick(LeftShoulder, RightShoulder), out, up, 30.0, 15.0),
                (side.pick(LeftShoulder, RightShoulder), out, forward, 15.0, 15.0),
                (side.pick(LeftHand, RightHand), out, up, 80.0, 80.0),
                (side.pick(LeftHand, RightHand), out, forward, 40.0, 40.0),
                (side.pick(LeftFoot, RightFoot), -up, forward, 50.0, 50.0),
                (side.pick(LeftUpperArm, RightUpperArm), up, forward, 90.0, 90.0),
                (side.pick(LeftHand, RightHand), up, forward, 45.0, 45.0),
                (side.pick(LeftIndexProximal, RightIndexProximal), out, -up, 83.0, 17.0),
                (side.pick(LeftIndexDistal, RightIndexDistal), out, -up, 81.0, 9.0),
                (Head, up, forward, 40.0, 40.0),
                (Spine, up, out, 40.0, 40.0),
                (side.pick(LeftEye, RightEye), forward, up, 15.0, 10.0),
            ];
            for (bone, from, to, most, least) in rows {
                // The built-in person's bones are within a few degrees of those lines.
                for (angle, over) in [(most, 0.0), (-least, 0.0), (most + 9.0, 9.0), (-least - 9.0, 9.0)] {
                    let off = beyond(bone, turn(from, to, angle));
                    // Clavicles slope, and must not twist.
                    let slope = if bone.name().ends_with("Shoulder") { 6.0 } else { 1.6 };
                    assert!((off - over).abs() < slope, "{name} {bone:?} {angle}°: {off} for {over}");
                }
            }
        }
    }
}

#[test]
fn the_twist_range_of_shoulder_and_hip_depends_on_the_direction_of_the_limb() {
    use HumanBone::*;
    // The forearm bends this much above forward, and an arm's twist counts from its plane, degrees.
    const RISE: f32 = 16.7;
    // The bent elbows of an A-pose have a plane of their own.
    for (name, person) in kinds().into_iter().filter(|(name, _)| !name.starts_with("hung") && name != "A-pose") {
        let avatar = avatar(&person, &[]);
        let axes = Mannequin::new(person.view()).axes();
        let (up, forward) = (axes.up, axes.forward);
        for side in Side::BOTH {
            let out = axes.out(side);
            let (arm, thigh) = (side.pick(LeftUpperArm, RightUpperArm), side.pick(LeftUpperLeg, RightUpperLeg));
            // The bone's direction, and how far it twists: an arm inward, a thigh outward.
            let rows = [
                (arm, out, -up, 90.0, -72.0, 92.0),
                (arm, out, -up, 0.0, -109.0, 61.0),
                (arm, out, forward, 90.0, -124.0, 27.0),
                (thigh, -up, forward, 0.0, -45.0, 50.0),
                (thigh, -up, forward, 90.0, -45.0, 60.0),
            ];
            for (bone, from, to, angle, least, most) in rows {
                let beyond = |twist: f32| {
                    let twist = if bone == arm { turn(forward, -up, twist + RISE) } else { turn(forward, out, twist) };
                    let mut mannequin = Mannequin::new(person.view());
                    mannequin.turn(bone, turn(from, to, angle) * twist);
                    let locals = mannequin.into_locals();
                    avatar.human_limits().violation_rad(bone, &locals[avatar.joint(bone).unwrap()])
                };
                for twist in [least + 8.0, 0.5 * (least + most), most - 8.0] {
                    assert!(beyond(twist) < 1e-4, "{name} {bone:?} {angle} {twist}: {}", beyond(twist));
                }
                for twist in [least - 9.0, most + 9.0] {
                    assert!(beyond(twist) > 0.01, "{name} {bone:?} {angle} {twist}");
                }
            }
        }
    }
}

#[test]
fn goals_of_admissible_poses_are_reached_within_the_limits() {
    let mut random = Random::new(2);
    let (mut worst, mut worst_violation, mut judged, mut helped, mut unreached) = (0.0f64, 0.0f64, 0, 0, 0);
    for (name, person) in kinds() {
        let avatar = avatar(&person, &[]);
        let mut animator = limited(&avatar);
        let mut free = characters::animator_of(&avatar);
        for _ in 0..60 {
            let (start, other) = (admissible(&avatar, &person, &mut random), admissible(&avatar, &person, &mut random));
            set_pose(&mut animator, &other);
            let targets = IkGoal::ALL.map(|g| narrow(end_of(&animator, g)));
            set_pose(&mut animator, &start);
            set_pose(&mut free, &start);
            for goal in IkGoal::ALL {
                for a in [&mut animator, &mut free] {
                    a.set_ik_position(goal, targets[goal.index()]).unwrap();
                    a.set_ik_position_weight(goal, 1.0).unwrap();
                }
            }
            animator.solve().unwrap();
            free.solve().unwrap();
            matchers::assert_sound(&pose(&animator));
            for goal in IkGoal::ALL {
                let length = limb_length(&animator, goal);
                let off = matchers::distance(end_of(&animator, goal), targets[goal.index()].to_array().map(f64::from))
                    / length;
                worst = worst.max(off);
                assert!(off < 1e-3, "{name} {goal:?}: {off:e}");
                let outcome = animator.ik_outcome(goal).unwrap();
                unreached += usize::from(outcome.status != Status::Reached);
                for bone in &goal.bones()[..2] {
                    let v = violation(&animator, *bone);
                    worst_violation = worst_violation.max(v);
                    assert!(v < 1e-3, "{name} {bone:?} {v}");
                }
                judged += 1;
                helped += usize::from(goal.bones()[..2].iter().any(|b| violation(&free, *b) > 0.01));
            }
        }
    }
    println!("{judged} goals, worst {worst:.1e} of the limb, {worst_violation:.1e} rad; {helped} broke limits without");
    println!("{unreached} called unreachable");
    assert!(unreached * 200 <= judged, "{unreached} of {judged} called unreachable");
    assert!(helped > judged / 10, "{helped}");
}

#[test]
fn no_goal_breaks_a_limit_that_the_animation_keeps() {
    let mut random = Random::new(3);
    let mut judged = 0;
    for (name, person) in kinds() {
        let avatar = avatar(&person, &[]);
        let mut animator = limited(&avatar);
        for _ in 0..40 {
            let start = admissible(&avatar, &person, &mut random);
            set_pose(&mut animator, &start);
            let scale = animator.human_scale();
            for goal in IkGoal::ALL {
                let hint = IkHint::ALL[goal.index()];
                let at = narrow(end_of(&animator, goal)) + random.in_ball(1.2 * scale);
                animator.set_ik_position(goal, at).unwrap();
                animator.set_ik_rotation(goal, random.rotation()).unwrap();
                animator.set_ik_hint_position(hint, at + random.in_ball(2.0 * scale)).unwrap();
                animator.set_ik_position_weight(goal, random.unit01()).unwrap();
                animator.set_ik_rotation_weight(goal, random.unit01()).unwrap();
                animator.set_ik_hint_position_weight(hint, random.unit01()).unwrap();
            }
            animator.solve().unwrap();
            for bone in IkGoal::ALL.into_iter().flat_map(IkGoal::bones) {
                let v = violation(&animator, bone);
                assert!(v < 2e-3, "{name} {bone:?}: {v}");
                judged += 1;
            }
            for goal in IkGoal::ALL {
                // Unmet goals are reported.
                let outcome = animator.ik_outcome(goal).unwrap();
                let length = limb_length(&animator, goal) as f32;
                let met = outcome.residual_m < 2e-3 * length && outcome.residual_rad <= 2e-3;
                assert!(outcome.status != Status::Reached || met, "{name} {outcome:?}");
            }
        }
    }
    println!("{judged} joints within their limits");
}

#[test]
fn a_hand_turned_all_the_way_round_stays_within_the_wrist_without_a_jump() {
    let mut random = Random::new(4);
    let mut worst = 0.0f64;
    for (name, person) in kinds() {
        let avatar = avatar(&person, &[]);
        let mut animator = limited(&avatar);
        let start = admissible(&avatar, &person, &mut random);
        for goal in IkGoal::ALL {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                set_pose(&mut animator, &start);
                animator.reset_ik().unwrap();
                let now = animator.ik_rotation(goal).unwrap();
                let found = continuity::judge(120, 1.0, |s| {
                    set_pose(&mut animator, &start);
                    let turned = now * axis_angle(axis, (s * std::f64::consts::TAU) as f32);
                    animator.set_ik_rotation(goal, turned.normalize()).unwrap();
                    animator.set_ik_rotation_weight(goal, 1.0).unwrap();
                    animator.solve().unwrap();
                    for bone in &goal.bones()[1..] {
                        assert!(violation(&animator, *bone) < 2e-3, "{name} {bone:?} {}", violation(&animator, *bone));
                    }
                    pose(&animator)
                });
                worst = worst.max(found.jump);
                assert!(found.jump < 1e-2, "{name} {goal:?} {axis} {found:?}");
            }
        }
    }
    println!("jump {worst:.1e}");
}

#[test]
fn it_is_continuous_in_the_weight_from_any_animation() {
    let mut random = Random::new(5);
    let (mut worst, mut torn, mut all) = (0.0f64, 0, 0);
    for (name, person) in kinds() {
        let avatar = avatar(&person, &[]);
        let mut animator = limited(&avatar);
        for _ in 0..8 {
            let start = random_human_pose(person.view(), &mut random, 0.8);
            set_pose(&mut animator, &start);
            animator.reset_ik().unwrap();
            animator.solve().unwrap();
            matchers::assert_pose_bits_equal(&start, &pose(&animator));
            let scale = animator.human_scale();
            let targets = IkGoal::ALL.map(|g| narrow(end_of(&animator, g)) + random.in_ball(0.4 * scale));
            let turns = IkGoal::ALL.map(|_| random.rotation());
            for goal in IkGoal::ALL {
                let found = continuity::judge(60, animator.human_scale(), |s| {
                    set_pose(&mut animator, &start);
                    animator.set_ik_position(goal, targets[goal.index()]).unwrap();
                    animator.set_ik_rotation(goal, turns[goal.index()]).unwrap();
                    animator.set_ik_position_weight(goal, s as f32).unwrap();
                    animator.set_ik_rotation_weight(goal, s as f32).unwrap();
                    animator.solve().unwrap();
                    pose(&animator)
                });
                animator.reset_ik().unwrap();
                all += 1;
                torn += usize::from(found.jump > 1e-2);
                worst = worst.max(found.jump);
                if found.jump > 1e-2 {
                    println!("{name} {goal:?} {found:?} {}", person.skeleton.name(found.joint));
                }
            }
        }
    }
    println!("{torn} of {all} torn, worst {worst:.1e}");
    assert_eq!(torn, 0, "of {all}");
}

#[test]
fn it_follows_a_moving_goal() {
    let mut random = Random::new(7);
    let (mut worst, mut torn, mut all) = (0.0f64, 0, 0);
    for (_, person) in kinds() {
        let avatar = avatar(&person, &[]);
        let mut animator = limited(&avatar);
        for _ in 0..4 {
            let start = random_human_pose(person.view(), &mut random, 0.8);
            for goal in IkGoal::ALL {
                set_pose(&mut animator, &start);
                let scale = animator.human_scale();
                let here = narrow(end_of(&animator, goal));
                let path = continuity::SmoothPath::random(&mut random, 4, here, 0.4 * scale);
                animator.set_ik_position_weight(goal, 1.0).unwrap();
                let found = continuity::judge(100, scale, |s| {
                    set_pose(&mut animator, &start);
                    animator.set_ik_position(goal, path.at(s)).unwrap();
                    animator.solve().unwrap();
                    pose(&animator)
                });
                animator.reset_ik().unwrap();
                all += 1;
                torn += usize::from(found.jump > 2e-2);
                worst = worst.max(found.jump);
            }
        }
    }
    println!("{torn} of {all} torn, worst {worst:.1e}");
    assert_eq!(torn, 0, "of {all}");
}

#[test]
fn ranges_of_your_own_replace_peoples() {
    let person = person(&PersonOptions::default());
    let mut random = Random::new(6);
    let own = HumanRange { bend: Range::new(0.0, 1.2), side: Range::new(0.0, 0.0), twist: Range::new(-0.5, 0.5) };
    let avatar = avatar(&person, &[(HumanBone::RightLowerArm, own)]);
    let mut animator = limited(&avatar);
    for _ in 0..100 {
        let start = admissible(&avatar, &person, &mut random);
        set_pose(&mut animator, &start);
        let shoulder = world(&animator)[joint(&animator, HumanBone::RightUpperArm)].position_f32();
        let length = limb_length(&animator, IkGoal::RightHand) as f32;
        animator.set_ik_position(IkGoal::RightHand, shoulder + random.in_ball(length)).unwrap();
        animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        animator.solve().unwrap();
        let spaces = world(&animator);
        let at = |bone| spaces[joint(&animator, bone)].position;
        let sub = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[i] - b[i]);
        let bent = matchers::direction_angle_rad(
            sub(at(HumanBone::RightLowerArm), at(HumanBone::RightUpperArm)),
            sub(at(HumanBone::RightHand), at(HumanBone::RightLowerArm)),
        );
        assert!(bent < 1.2 + 2e-3, "{bent}");
    }
    assert_eq!(HumanRange::of(HumanRangeSet::default(), HumanBone::Hips), None);
}
