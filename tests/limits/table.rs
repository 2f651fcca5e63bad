//! One limit table per character: default < human ranges < override, and everybody who reads it.

use sinew::animator::Animator;
use sinew::body::{Body, Demand};
use sinew::chains::ChainSolver;
use sinew::constraints::{
    AimDefinition, ChainDefinition, ConstraintDefinition, ConstraintGoal, CopyRotationDefinition, TwoBoneDefinition,
};
use sinew::humanoid::{
    Avatar, AvatarDefinition, HumanBone, HumanMap, HumanRangeSet, HumanoidSettings, IkGoal, LookAtWeight,
};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, LimitTable, Range, SwingRegion};
use sinew::math::{Quat, Vec3, axis_angle};
use sinew::outcome::Status;
use sinew::skeleton::Pose;
use sinew::tasks::Position;
use std::sync::Arc;
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::person::{Person, PersonOptions, RestPose, person};
use testkit::{BoneRolls, Random, matchers};

const DEGREE: f32 = core::f32::consts::PI / 180.0;

/// People whose rest pose is the T-pose and people whose rest pose is another.
fn people() -> Vec<(&'static str, Person)> {
    let plain = PersonOptions::default();
    vec![
        ("T", person(&plain)),
        ("A", person(&PersonOptions { rest: RestPose::A, ..PersonOptions::gltf() })),
        ("rolled", person(&PersonOptions { bone_rolls: BoneRolls::ALL[1], ..plain })),
    ]
}

fn animator(person: &Person, limits_enabled: bool) -> Animator {
    let mut animator = characters::animator(person, 0.0);
    set_limits(&mut animator, limits_enabled);
    set_pose(&mut animator, &person.t_pose);
    animator
}

fn set_limits(animator: &mut Animator, limits_enabled: bool) {
    animator.set_settings(&HumanoidSettings { limits_enabled, ..Default::default() }).unwrap();
}

/// Within a cone about the rest direction, with as little twist.
fn cone(angle_rad: f32) -> JointModel {
    let range = Range::new(-angle_rad, angle_rad);
    let swing = SwingRegion::Ellipse { x: range, z: range };
    JointModel::limited(Freedom::Ball { swing, twist: range })
}

/// How far a joint is from its rest rotation, degrees, in f64.
fn from_rest_deg(animator: &Animator, joint: usize) -> f64 {
    let d = |q: Quat| [q.x, q.y, q.z, q.w].map(f64::from);
    let (a, b) = (d(animator.skeleton().rest_local()[joint].rotation), d(animator.pose().local()[joint].rotation));
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let size = |q: [f64; 4]| q.iter().map(|v| v * v).sum::<f64>().sqrt();
    (2.0 * libm::acos((dot.abs() / (size(a) * size(b))).min(1.0))).to_degrees()
}

fn place(animator: &Animator, joint: usize) -> Vec3 {
    let p = world(animator)[joint].position;
    Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32)
}

#[test]
fn the_last_layer_that_says_something_counts_and_clearing_gives_the_one_below() {
    for (name, person) in people() {
        let mut animator = animator(&person, false);
        let hand = joint(&animator, HumanBone::RightHand);
        // Turned by 170° from rest: beyond the human range and beyond a cone of 20°.
        let rest = animator.skeleton().rest_local()[hand].rotation;
        animator.pose_mut().local_mut()[hand].rotation = rest * axis_angle(Vec3::X, 170.0 * DEGREE);
        let human = animator.joint_violation_rad(hand).unwrap();
        assert!(human > 0.3, "{name}: the human range says {human}");
        assert_eq!(animator.joint_limits(hand), Ok(None));
        animator.set_joint_limits(hand, &cone(20.0 * DEGREE)).unwrap();
        let own = animator.joint_violation_rad(hand).unwrap();
        assert!((own - 150.0 * DEGREE).abs() < 1e-3, "{name}: the override says {own}");
        assert_eq!(animator.joint_limits(hand), Ok(Some(&cone(20.0 * DEGREE))));
        animator.set_joint_limits(hand, &JointModel::FREE).unwrap();
        assert_eq!(animator.joint_violation_rad(hand), Ok(0.0), "{name}: an override can free a joint");
        for limits_enabled in [false, true] {
            set_limits(&mut animator, limits_enabled);
            animator.clear_joint_limits(hand).unwrap();
            assert_eq!(animator.joint_violation_rad(hand), Ok(human), "{name}: the query asks all layers");
        }
        let hips = joint(&animator, HumanBone::Hips);
        animator.pose_mut().local_mut()[hips].rotation = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
        assert_eq!(animator.joint_violation_rad(hips), Ok(0.0), "{name}: the default is free");
    }
    // Without an avatar there is no layer between.
    let person = person(&PersonOptions::default());
    let mut bare = Animator::new(Arc::new(person.skeleton.clone()), None).unwrap();
    bare.pose_mut().local_mut()[3].rotation = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    assert_eq!(bare.joint_violation_rad(3), Ok(0.0));
    bare.set_joint_limits(3, &cone(0.5)).unwrap();
    assert!(bare.joint_violation_rad(3).unwrap() > 2.0);
}

/// The same with Unity's muscle ranges: a twist range of its own, which chains may break.
fn with_muscle_ranges(person: &Person, limits_enabled: bool) -> Animator {
    let definition = AvatarDefinition {
        map: HumanMap::from_array(person.human),
        t_pose: Some(person.t_pose.clone()),
        up: Some(person.axes.up),
        forward: Some(person.axes.forward),
        human_range_set: HumanRangeSet::Muscles,
        ..AvatarDefinition::default()
    };
    let avatar = Avatar::new(Arc::new(person.skeleton.clone()), &definition).unwrap();
    let mut animator = characters::animator_of(&Arc::new(avatar));
    set_limits(&mut animator, limits_enabled);
    set_pose(&mut animator, &person.t_pose);
    animator
}

/// A chain from the right upper arm to the hand.
fn arm_chain(animator: &Animator, solver: ChainSolver) -> ConstraintDefinition {
    let hand = joint(animator, HumanBone::RightHand);
    let upper = joint(animator, HumanBone::RightUpperArm);
    let count = 1 + animator.skeleton().ancestors(hand).take_while(|j| *j != upper).count() + 1;
    ConstraintDefinition::Chain(ChainDefinition { solver, ..ChainDefinition::ending_at(hand, count) })
}

#[test]
fn chains_over_human_bones_keep_to_human_ranges_while_limits_are_enabled() {
    let mut random = Random::new(31);
    for (name, person) in people() {
        for solver in [ChainSolver::Default, ChainSolver::Ccd, ChainSolver::Fabrik] {
            let mut on = with_muscle_ranges(&person, true);
            let mut off = with_muscle_ranges(&person, false);
            let mut bare = Animator::new(Arc::new(person.skeleton.clone()), None).unwrap();
            let ids = [&mut on, &mut off, &mut bare].map(|a| {
                let definition = arm_chain(&off_like(&person), solver);
                a.add_constraint(&definition).unwrap()
            });
            let bones = [HumanBone::RightUpperArm, HumanBone::RightLowerArm];
            let joints = bones.map(|b| joint(&on, b));
            let (mut broken, reach) = (0, place(&on, joint(&on, HumanBone::RightHand)));
            for case in 0..20 {
                let target = reach + random.in_ball(0.5 * on.human_scale());
                for (a, id) in [&mut on, &mut off, &mut bare].into_iter().zip(ids) {
                    set_pose(a, &person.t_pose);
                    let input = a.constraint_mut(id).unwrap();
                    input.goals[0] = ConstraintGoal::at(target);
                    input.weight = 1.0;
                    a.solve().unwrap();
                }
                for joint in joints {
                    let violation = on.joint_violation_rad(joint).unwrap();
                    assert!(violation < 2e-3, "{name} {solver:?} {case} {joint}: {violation}");
                    broken += usize::from(off.joint_violation_rad(joint).unwrap() > 0.05);
                }
                // Disabled, the avatar means nothing to a chain.
                matchers::assert_pose_bits_equal(off.pose().local(), bare.pose().local());
            }
            assert!(broken > 3, "{name} {solver:?}: limits had nothing to do");
            // Enabled late, and disabled again, a chain follows.
            set_limits(&mut off, true);
            set_limits(&mut on, false);
            for (a, id) in [(&mut off, ids[1]), (&mut on, ids[0]), (&mut bare, ids[2])] {
                set_pose(a, &person.t_pose);
                a.constraint_mut(id).unwrap().goals[0] = ConstraintGoal::at(reach + Vec3::new(0.3, -0.3, -0.4));
                a.solve().unwrap();
            }
            matchers::assert_pose_bits_equal(on.pose().local(), bare.pose().local());
            joints.iter().for_each(|j| assert!(off.joint_violation_rad(*j).unwrap() < 2e-3, "{name} {solver:?}"));
        }
    }
}

fn off_like(person: &Person) -> Animator {
    animator(person, false)
}

#[test]
fn an_override_replaces_the_human_range_for_chains_and_clearing_restores_it() {
    let person = person(&PersonOptions { rest: RestPose::A, ..PersonOptions::gltf() });
    let mut animator = animator(&person, true);
    let definition = arm_chain(&animator, ChainSolver::Default);
    let id = animator.add_constraint(&definition).unwrap();
    let (elbow, hand) = (joint(&animator, HumanBone::RightLowerArm), joint(&animator, HumanBone::RightHand));
    let shoulder = joint(&animator, HumanBone::RightUpperArm);
    let at_shoulder = place(&animator, shoulder);
    let near = at_shoulder.lerp(place(&animator, hand), 0.5);
    let solve = |animator: &mut Animator| {
        set_pose(animator, &person.t_pose);
        let input = animator.constraint_mut(id).unwrap();
        input.goals[0] = ConstraintGoal::at(near);
        input.weight = 1.0;
        animator.solve().unwrap();
        (animator.constraint_outcome(id).unwrap(), animator.pose().local().to_vec())
    };
    let (before, first) = solve(&mut animator);
    assert_eq!(before.status, Status::Reached, "{before:?}");
    animator.set_joint_limits(elbow, &cone(10.0 * DEGREE)).unwrap();
    let (stiff, _) = solve(&mut animator);
    assert!(stiff.status != Status::Reached && stiff.residual_m > 0.05, "{stiff:?}");
    let off = from_rest_deg(&animator, elbow);
    assert!(off < 16.0, "{off} from rest, where an override counts from");
    animator.clear_joint_limits(elbow).unwrap();
    let (_, again) = solve(&mut animator);
    matchers::assert_pose_bits_equal(&first, &again);
}

#[test]
fn limbs_aims_and_copies_keep_to_the_table_too() {
    for (name, person) in people() {
        let mut animator = animator(&person, true);
        let j = |b| joint(&animator, b);
        let [thigh, knee, foot] = IkGoal::LeftFoot.bones().map(j);
        let (neck, head) = (j(HumanBone::Neck), j(HumanBone::Head));
        let hand = j(HumanBone::LeftHand);
        let limb = animator.add_constraint(&ConstraintDefinition::TwoBone(TwoBoneDefinition::ending_at(foot))).unwrap();
        let aim = AimDefinition::ending_at(head, 2);
        let aim = animator.add_constraint(&ConstraintDefinition::Aim(aim)).unwrap();
        let copy = ConstraintDefinition::CopyRotation(CopyRotationDefinition::of(hand));
        let copy = animator.add_constraint(&copy).unwrap();
        let up_high = place(&animator, thigh) + Vec3::new(0.0, 0.3, -0.5) * animator.human_scale();
        let behind = place(&animator, head) - person.axes.forward * 2.0 + person.axes.right;
        animator.constraint_mut(limb).unwrap().goals[0] = ConstraintGoal::at(up_high);
        animator.constraint_mut(aim).unwrap().goals[0] = ConstraintGoal::at(behind);
        let turned = animator.joint_ws(hand).rotation * axis_angle(Vec3::new(0.6, 0.0, 0.8), 2.5);
        animator.constraint_mut(copy).unwrap().goals[0].rotation_ws = Some(turned.normalize());
        for id in [limb, aim, copy] {
            animator.constraint_mut(id).unwrap().weight = 1.0;
        }
        let solve = |animator: &mut Animator| {
            set_pose(animator, &person.t_pose);
            animator.solve().unwrap();
            [thigh, knee, neck, head, hand].map(|j| animator.joint_violation_rad(j).unwrap())
        };
        let kept = solve(&mut animator);
        assert!(kept.iter().all(|v| *v < 2e-3), "{name}: {kept:?}");
        set_limits(&mut animator, false);
        let free = solve(&mut animator);
        for part in [&free[..2], &free[2..4], &free[4..]] {
            assert!(part.iter().any(|v| *v > 0.05), "{name}: {free:?}");
        }
    }
}

#[test]
fn arms_keep_to_an_override_where_limits_are_enabled_and_only_there() {
    for (name, person) in people() {
        let hinge =
            Freedom::Universal { bend: BendAxis::X, bend_range: Range::new(0.0, 40.0 * DEGREE), twist: Range::FREE };
        let models = [
            cone(40.0 * DEGREE),
            JointModel { freedom: Freedom::Fixed, ..JointModel::FREE },
            JointModel::limited(hinge),
            JointModel::limited(Freedom::Hinge { axis: HingeAxis::Z, range: Range::new(-0.5, 0.5) }),
        ];
        // +Y of limit space is along the forearm.
        let plain = animator(&person, false);
        let hand = joint(&plain, HumanBone::RightHand);
        let forearm = person.skeleton.rest_local()[hand].position.normalize();
        let frame = Quat::from_rotation_arc(Vec3::Y, forearm);
        for (number, model) in models.iter().enumerate() {
            let model = &JointModel { frame, ..*model };
            let (mut on, mut off, mut plain) =
                (animator(&person, true), animator(&person, false), animator(&person, false));
            let elbow = joint(&on, HumanBone::RightLowerArm);
            let shoulder = place(&on, joint(&on, HumanBone::RightUpperArm));
            let target = shoulder.lerp(place(&on, joint(&on, HumanBone::RightHand)), 0.4);
            on.set_joint_limits(elbow, model).unwrap();
            off.set_joint_limits(elbow, model).unwrap();
            for a in [&mut on, &mut off, &mut plain] {
                set_pose(a, &person.t_pose);
                a.pose_mut().local_mut()[elbow].rotation = person.skeleton.rest_local()[elbow].rotation;
                a.set_ik_position(IkGoal::RightHand, target).unwrap();
                a.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
                a.solve().unwrap();
            }
            let violation = on.joint_violation_rad(elbow).unwrap();
            assert!(violation < 2.5e-3, "{name} model {number}: {violation}");
            let outcome = on.ik_outcome(IkGoal::RightHand).unwrap();
            assert_eq!(outcome.status, Status::Unreachable, "{name} model {number}: {outcome:?}");
            assert!(outcome.residual_m > 0.02, "{name} model {number}: {outcome:?}");
            // As in Unity: without limits_enabled goals know no limits.
            matchers::assert_pose_bits_equal(&pose(&off), &pose(&plain));
            // An override can also widen: a free elbow lets the hand reach.
            on.set_joint_limits(elbow, &JointModel::FREE).unwrap();
            set_pose(&mut on, &person.t_pose);
            on.solve().unwrap();
            assert!(on.ik_outcome(IkGoal::RightHand).unwrap().residual_m < 1e-3, "{name}");
        }
    }
}

#[test]
fn a_head_that_may_not_turn_leaves_the_look_to_neck_spine_and_eyes() {
    for (name, person) in people() {
        let weight = LookAtWeight { weight: 1.0, body: 0.3, head: 1.0, eyes: 0.0, clamp: 0.0 };
        let look = |limits_enabled: bool, locked: &[HumanBone], degrees: f32| {
            let mut animator = animator(&person, limits_enabled);
            for bone in locked {
                animator.set_joint_limits(joint(&animator, *bone), &cone(2.0 * DEGREE)).unwrap();
            }
            // Where an override counts from is the rest pose.
            animator.pose_mut().local_mut().copy_from_slice(person.skeleton.rest_local());
            let head = place(&animator, joint(&animator, HumanBone::Head));
            let side = axis_angle(person.axes.up, degrees * DEGREE) * person.axes.forward;
            animator.set_look_at_position(head + side * 3.0).unwrap();
            animator.set_look_at_weight(weight).unwrap();
            animator.solve().unwrap();
            let off = |bone| from_rest_deg(&animator, joint(&animator, bone));
            let turns = [HumanBone::Spine, HumanBone::Neck, HumanBone::Head].map(off);
            (animator.look_at_outcome().unwrap(), turns, animator)
        };
        let (free, free_turns, _) = look(false, &[], 50.0);
        assert!(free.residual_rad < 1e-3 && free_turns[2] > 5.0, "{name}: {free:?} {free_turns:?}");
        // Overrides alone bind no look-at.
        let (still, still_turns, _) = look(false, &[HumanBone::Head], 50.0);
        assert_eq!((still, still_turns), (free, free_turns), "{name}");
        // A stiff spine: neck and head make up for it.
        let (outcome, turns, animator) = look(true, &[HumanBone::Spine], 30.0);
        assert!(turns[0] < 3.5 && outcome.residual_rad < 1e-3, "{name}: {outcome:?} {turns:?}");
        assert!(animator.joint_violation_rad(joint(&animator, HumanBone::Spine)).unwrap() < 2e-3);
        // Stiff neck and head: the target is out of reach, and that is said.
        let (outcome, turns, _) = look(true, &[HumanBone::Neck, HumanBone::Head], 50.0);
        assert!(turns[1] < 3.5 && turns[2] < 3.5, "{name}: {turns:?}");
        assert_eq!(outcome.status, Status::Unreachable, "{name}: {outcome:?}");
        assert!(outcome.residual_rad > 10.0 * DEGREE, "{name}: {outcome:?}");
        // Human ranges alone: no joint beyond them, however far back the target.
        for degrees in [-170.0, -120.0, 80.0, 140.0] {
            let (_, _, animator) = look(true, &[], degrees);
            for bone in [HumanBone::Spine, HumanBone::Chest, HumanBone::Neck, HumanBone::Head] {
                let Some(j) = animator.bone_joint(bone).unwrap() else { continue };
                let violation = animator.joint_violation_rad(j).unwrap();
                assert!(violation < 2e-3, "{name} {degrees} {bone:?}: {violation}");
            }
        }
    }
}

#[test]
fn the_spine_that_helps_a_hand_keeps_to_its_limits() {
    for (name, person) in people() {
        let settings = HumanoidSettings { limits_enabled: true, spine_weight: 1.0, ..Default::default() };
        let mut animator = animator(&person, true);
        animator.set_settings(&settings).unwrap();
        let spine = joint(&animator, HumanBone::Spine);
        let help = |animator: &mut Animator| {
            animator.pose_mut().local_mut().copy_from_slice(person.skeleton.rest_local());
            let away = (person.axes.forward + person.axes.up * -0.5) * animator.human_scale();
            let target = place(animator, joint(animator, HumanBone::RightHand)) + away;
            animator.set_ik_position(IkGoal::RightHand, target).unwrap();
            animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
            animator.solve().unwrap();
            from_rest_deg(animator, spine)
        };
        let free = help(&mut animator);
        assert!(free > 5.0, "{name}: {free}");
        animator.set_joint_limits(spine, &cone(3.0 * DEGREE)).unwrap();
        let stiff = help(&mut animator);
        assert!(stiff < 4.5, "{name}: {stiff}");
    }
}

#[test]
fn a_body_takes_over_a_table_with_overrides_and_human_ranges() {
    for (name, person) in people() {
        let skeleton = Arc::new(person.skeleton.clone());
        let avatar: Arc<Avatar> = characters::avatar(&person, 0.0);
        let animator = characters::animator_of(&avatar);
        let (elbow, hand) = (joint(&animator, HumanBone::RightLowerArm), joint(&animator, HumanBone::RightHand));
        let shoulder = joint(&animator, HumanBone::RightUpperArm);
        let mut table = LimitTable::new(Some(avatar.human_limits().layer().clone()));
        table.enable_layer(true);
        let mut body = Body::new(skeleton.clone(), joint(&animator, HumanBone::Hips)).unwrap();
        body.set_floating(false);
        let mut start = Pose::rest(&skeleton);
        start.local_mut().copy_from_slice(&person.t_pose);
        start.update(&skeleton);
        let behind = start.model(shoulder).position - person.axes.forward * 0.5 - person.axes.right * 0.1;
        body.add_task(Demand::new(Position::new(hand, behind))).unwrap();
        let solve = |body: &mut Body| {
            let mut pose = start.clone();
            body.solve(&mut pose).unwrap();
            let beyond = |joint: usize| {
                let limit = table.limit(&skeleton, joint);
                limit.violation_rad(pose.local()[joint].rotation)
            };
            [beyond(shoulder), beyond(elbow)]
        };
        let free = solve(&mut body);
        body.set_limit_table(table.clone());
        let kept = solve(&mut body);
        assert!(kept.iter().all(|v| *v < 2e-3), "{name}: {kept:?} where a free body has {free:?}");
        assert!(free.iter().any(|v| *v > 0.05), "{name}: {free:?}");
        // An override counts before the range, and goes again.
        body.set_joint_limits(elbow, JointModel::FREE).unwrap();
        assert_eq!(body.joint_limits(elbow), Ok(Some(&JointModel::FREE)));
        body.clear_joint_limits(elbow).unwrap();
        assert_eq!(body.joint_limits(elbow), Ok(None));
        assert_eq!(solve(&mut body), kept, "{name}");
    }
}
