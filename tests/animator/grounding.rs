//! A grounder on a person: its legs out of the pose, its results back into it.

use sinew::animator::{Animator, AnimatorError, ConstraintPlacement, FrameStep};
use sinew::constraints::{ConstraintDefinition, CopyRotationDefinition};
use sinew::grounding::{Grounder, GrounderFrame, GrounderSettings, Hit, Query};
use sinew::humanoid::{BodySolverMode, BodySolverSettings, HumanBone, IkGoal};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use testkit::chains::ParentKind;
use testkit::characters::{self, joint, pose, set_pose, world};
use testkit::person::{PersonOptions, person};
use testkit::{BoneRolls, Random, matchers};

const TOES: [HumanBone; 2] = [HumanBone::LeftToes, HumanBone::RightToes];
const FEET: [HumanBone; 2] = [HumanBone::LeftFoot, HumanBone::RightFoot];
/// The T-pose with both legs bent, the left one behind and the right one ahead by `stride`; feet
/// are level, the left one as high as it was.
fn crouch(animator: &Animator, angle: f32, stride: f32) -> Vec<Transform> {
    let avatar = animator.avatar().expect("a humanoid");
    let mut bent = animator.clone();
    set_pose(&mut bent, avatar.t_pose());
    let high = world(&bent)[joint(&bent, HumanBone::LeftFoot)].position;
    let right_ws = animator.root().rotation * avatar.axes().right;
    for (stride, bones) in [
        (stride, [HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot]),
        (-stride, [HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, HumanBone::RightFoot]),
    ] {
        for (bone, turn) in bones.into_iter().zip([stride - angle, 2.0 * angle, -angle - stride]) {
            let at = joint(&bent, bone);
            let turned = axis_angle(right_ws, turn) * bent.joint_ws(at).rotation;
            let above = bent.joint_ws(bent.skeleton().parent(at).expect("a leg hangs on something"));
            bent.pose_mut().local_mut()[at].rotation = (above.rotation.conjugate() * turned).normalize();
        }
    }
    let low = world(&bent)[joint(&bent, HumanBone::LeftFoot)].position;
    let hips = joint(&bent, HumanBone::Hips);
    let above = bent.skeleton().parent(hips).map_or(*bent.world_frame(), |parent| bent.joint_ws(parent));
    let way_ws = matchers::vec3([0, 1, 2].map(|i| high[i] - low[i]));
    let place = bent.joint_ws(hips).position + way_ws;
    bent.pose_mut().local_mut()[hips].position = above.point_in(place).expect("a root with a scale");
    pose(&bent)
}

/// Ground along the root's plane, `heights_m` above it under left and right foot.
fn cast(query: &Query, frame: &GrounderFrame, heights_m: [f32; 2]) -> Hit {
    let up = frame.up_ws;
    let over = (query.origin_ws - frame.root_ws).dot(up) - heights_m[query.leg as usize];
    Hit {
        hit: over >= 0.0 && over <= query.length,
        point_ws: query.origin_ws - up * over,
        normal_ws: up,
        body: 0,
        velocity_ws: Vec3::ZERO,
        angular_velocity_ws: Vec3::ZERO,
    }
}

/// One frame on ground of these heights: results as goals, solved.
fn step(animator: &mut Animator, grounder: &mut Grounder, animated: &[Transform], heights_m: [f32; 2]) {
    set_pose(animator, animated);
    let mut frame = GrounderFrame::default();
    animator.place_grounder_frame(&mut frame).unwrap();
    let legs = animator.grounder_legs().unwrap();
    grounder.solve_with(&frame, &legs, &mut Vec::new(), |query| cast(query, &frame, heights_m)).expect("two legs");
    animator.apply_grounder(grounder).unwrap();
    animator.solve().unwrap();
}

/// Rigs and roots: uniform scale too, which the foot models follow.
fn people() -> Vec<(String, Animator)> {
    let mut people = Vec::new();
    let rolled = PersonOptions { bone_rolls: BoneRolls::Random(3), twist_joints: true, ..PersonOptions::gltf() };
    let options =
        [PersonOptions::default(), rolled, PersonOptions { with_optional: false, ..PersonOptions::default() }];
    for (i, options) in options.iter().enumerate() {
        let person = person(options);
        for (kind, root) in characters::roots() {
            if matches!(kind, ParentKind::UnevenlyScaled | ParentKind::Mirrored) {
                continue;
            }
            let mut animator = characters::animator(&person, 0.0);
            animator.set_root(root).expect("a scale that is not zero");
            people.push((format!("rig {i}, {kind:?}"), animator));
        }
    }
    people
}

#[test]
fn the_pose_is_what_the_grounder_has_found() {
    for (name, mut animator) in people() {
        let feet = animator.foot_models().unwrap();
        let size = feet[0].heel_height.max(1e-3) / 0.09;
        let settings = GrounderSettings { scale: size, ..GrounderSettings::default() };
        let mut grounder = Grounder::new(&feet, settings);
        let animated = crouch(&animator, 0.2, 0.45);
        let step_m = 0.2 * size;
        let mut turned_toes = 0;
        for number in 0..40 {
            let heights = if number < 20 { [step_m, 0.0] } else { [0.0, step_m] };
            set_pose(&mut animator, &animated);
            let before = world(&animator);
            let was = animator.grounder_legs().unwrap();
            step(&mut animator, &mut grounder, &animated, heights);
            let (body, legs) = grounder.results();
            let after = world(&animator);
            let close = |a: [f64; 3], b: [f64; 3], what: &str| {
                let off = matchers::distance(a, b);
                assert!(off < 2e-4 * f64::from(size), "{name}, frame {number}: {what} is {off} m off");
            };
            let hips = joint(&animator, HumanBone::Hips);
            let moved = matchers::wide(matchers::vec3(before[hips].position) + body.offset_ws);
            close(after[hips].position, moved, "the pelvis");
            for (leg, result) in legs.iter().enumerate() {
                let ankle = joint(&animator, FEET[leg]);
                close(after[ankle].position, matchers::wide(result.ankle_ws), "an ankle");
                let Some(ball) = animator.bone_joint(TOES[leg]).unwrap() else { continue };
                close(after[ball].position, matchers::wide(result.ball_ws), "a ball");
                let carried = result.foot_ws * was[leg].foot_ws.conjugate();
                for axis in [0, 1] {
                    let wanted = result.toes_turn * matchers::vec3(before[ball].axis(axis));
                    let off = matchers::direction_angle_rad(after[ball].axis(axis), matchers::wide(wanted));
                    assert!(off < 4e-3, "{name}, frame {number}: toes are {off} rad off");
                    let by_foot = carried * matchers::vec3(before[ball].axis(axis));
                    turned_toes += usize::from(by_foot.angle_between(wanted) > 0.02);
                }
            }
        }
        let stands = grounder.results().1.iter().filter(|leg| leg.planted).count();
        assert_eq!(stands, 2, "{name}: feet that stand at the end");
        let has_toes = animator.bone_joint(TOES[0]).unwrap().is_some();
        assert_eq!(turned_toes > 0, has_toes, "{name}: toes that the foot did not carry");
    }
}

#[test]
fn over_flat_ground_the_animation_stays_bit_for_bit() {
    for (name, mut animator) in people() {
        let feet = animator.foot_models().unwrap();
        let size = feet[0].heel_height.max(1e-3) / 0.09;
        let mut grounder = Grounder::new(&feet, GrounderSettings { scale: size, ..GrounderSettings::default() });
        let animated = crouch(&animator, 0.35, 0.0);
        // First a step, whose goals and overrides are to be gone afterwards.
        for _ in 0..10 {
            step(&mut animator, &mut grounder, &animated, [0.08 * size, 0.0]);
        }
        assert_ne!(pose(&animator), animated, "{name}: a step changes nothing");
        grounder.reset();
        let mut raised = animated.clone();
        let hips = joint(&animator, HumanBone::Hips);
        set_pose(&mut animator, &animated);
        let up_ws = animator.root().rotation * animator.avatar().expect("a humanoid").axes().up;
        let above =
            animator.skeleton().parent(hips).map_or(*animator.world_frame(), |parent| animator.joint_ws(parent));
        let place = animator.joint_ws(hips).position + up_ws * (0.3 * size);
        raised[hips].position = above.point_in(place).expect("a root with a scale");
        for _ in 0..3 {
            step(&mut animator, &mut grounder, &raised, [0.0, 0.0]);
        }
        matchers::assert_pose_bits_equal(&raised, &pose(&animator));
    }
}

#[test]
fn a_grounder_without_weight_changes_nothing_bit_for_bit() {
    for (name, mut animator) in people() {
        let feet = animator.foot_models().unwrap();
        let size = feet[0].heel_height.max(1e-3) / 0.09;
        for (weight, leg_weight) in [(0.0, 1.0), (1.0, 0.0)] {
            let mut grounder = Grounder::new(&feet, GrounderSettings { scale: size, weight, ..Default::default() });
            for number in 0..60 {
                let animated = crouch(&animator, 0.2 + 0.01 * number as f32, 0.4 - 0.01 * number as f32);
                set_pose(&mut animator, &animated);
                let mut frame = GrounderFrame::default();
                animator.place_grounder_frame(&mut frame).unwrap();
                let mut legs = animator.grounder_legs().unwrap();
                for leg in &mut legs {
                    leg.weight = leg_weight;
                    // As a host's rotations are when they come in.
                    leg.foot_ws = leg.foot_ws.normalize();
                }
                let heights = [0.1 * size, 0.0];
                grounder.solve_with(&frame, &legs, &mut Vec::new(), |query| cast(query, &frame, heights)).unwrap();
                animator.apply_grounder(&grounder).unwrap();
                animator.solve().unwrap();
                assert_eq!(animated, pose(&animator), "{name}, weights {weight}, {leg_weight}, frame {number}");
            }
        }
    }
}

#[test]
fn a_body_that_was_set_in_this_frame_is_moved_along_and_an_older_one_is_not() {
    let (_, mut animator) = people().swap_remove(0);
    let feet = animator.foot_models().unwrap();
    let mut grounder = Grounder::new(&feet, GrounderSettings::default());
    let animated = crouch(&animator, 0.35, 0.0);
    for _ in 0..60 {
        step(&mut animator, &mut grounder, &animated, [-0.1, -0.1]);
    }
    let alone = world(&animator)[joint(&animator, HumanBone::Hips)].position;
    // Leaning aside by 5 cm in this frame.
    let lean = Vec3::X * 0.05;
    let mut frame = GrounderFrame::default();
    set_pose(&mut animator, &animated);
    animator.place_grounder_frame(&mut frame).unwrap();
    let legs = animator.grounder_legs().unwrap();
    let mut hits = Vec::new();
    grounder.solve_with(&frame, &legs, &mut hits, |query| cast(query, &frame, [-0.1, -0.1])).expect("two legs");
    let center = animator.body_position().unwrap();
    animator.set_body_position(center + lean).unwrap();
    animator.apply_grounder(&grounder).unwrap();
    animator.solve().unwrap();
    let leant = world(&animator)[joint(&animator, HumanBone::Hips)].position;
    let wanted = matchers::wide(matchers::vec3(alone) + lean);
    assert!(matchers::distance(leant, wanted) < 2e-3, "{leant:?}, not {wanted:?}");
    step(&mut animator, &mut grounder, &animated, [-0.1, -0.1]);
    let again = world(&animator)[joint(&animator, HumanBone::Hips)].position;
    assert!(matchers::distance(again, alone) < 2e-3, "{again:?}, not {alone:?}");
}

/// What turns the upper body after the animation and before the grounder's move: an override, or a
/// constraint that is placed before the step of the body.
fn bend_spine(animator: &mut Animator, by_constraint: bool) {
    let spine = joint(animator, HumanBone::Spine);
    let bend = axis_angle(Vec3::X, 1.2);
    if by_constraint {
        let mut definition = CopyRotationDefinition::of(spine);
        definition.offset = bend;
        let id = animator.add_constraint(&ConstraintDefinition::CopyRotation(definition)).unwrap();
        let goal = &mut animator.constraint_mut(id).unwrap().goals[0];
        (goal.rotation_ws, goal.rotation_weight) = (Some(Quat::IDENTITY), 1.0);
        animator.set_constraint_placement(id, ConstraintPlacement::Before(FrameStep::Body)).unwrap();
    } else {
        animator.set_bone_local_rotation(HumanBone::Spine, bend).unwrap();
    }
}

#[test]
fn the_hips_go_where_the_grounder_has_them_whatever_turns_the_upper_body() {
    for mode in [BodySolverMode::Off, BodySolverMode::Converge] {
        for by_constraint in [false, true] {
            let (_, mut animator) = people().swap_remove(0);
            animator.set_body_solver(&BodySolverSettings { mode, ..BodySolverSettings::default() }).unwrap();
            let feet = animator.foot_models().unwrap();
            let mut grounder = Grounder::new(&feet, GrounderSettings::default());
            let animated = crouch(&animator, 0.35, 0.0);
            set_pose(&mut animator, &animated);
            let hips = joint(&animator, HumanBone::Hips);
            let before = matchers::vec3(world(&animator)[hips].position);
            bend_spine(&mut animator, by_constraint);
            for number in 0..40 {
                let height_m = if number < 20 { -0.001 } else { -0.1 };
                step(&mut animator, &mut grounder, &animated, [height_m; 2]);
                let (body, legs) = grounder.results();
                let after = world(&animator);
                let off = matchers::distance(after[hips].position, matchers::wide(before + body.offset_ws));
                let name = format!("{mode:?}, by constraint: {by_constraint}, frame {number}");
                let close = if mode == BodySolverMode::Off { 2e-4 } else { 5e-3 };
                assert!(off < close, "{name}: the hips are {off} m off");
                for (leg, result) in legs.iter().enumerate() {
                    let at = after[joint(&animator, FEET[leg])].position;
                    let off = matchers::distance(at, matchers::wide(result.ankle_ws));
                    assert!(off < 1e-3, "{name}: an ankle is {off} m off");
                }
            }
        }
    }
}

#[test]
fn a_move_of_the_body_is_input_like_its_place() {
    let (_, mut animator) = people().swap_remove(0);
    let feet = animator.foot_models().unwrap();
    let mut grounder = Grounder::new(&feet, GrounderSettings::default());
    let animated = crouch(&animator, 0.35, 0.0);
    set_pose(&mut animator, &animated);
    let at_first = animator.body_position().unwrap();
    for _ in 0..60 {
        step(&mut animator, &mut grounder, &animated, [-0.1, -0.1]);
    }
    let solved = pose(&animator);
    // The whole input makes another animator do the same.
    let mut other = animator.clone();
    other.reset_ik().unwrap();
    assert_eq!(other.input().unwrap().body_move, None);
    other.set_input(animator.input().unwrap()).unwrap();
    set_pose(&mut other, &animated);
    let offset_ws = grounder.results().0.offset_ws;
    let moved = other.body_position().unwrap();
    assert!(moved.distance(at_first + offset_ws) < 1e-5, "{moved} is to be {offset_ws} from {at_first}");
    other.solve().unwrap();
    assert_eq!(pose(&other), solved);
    // A place replaces it, and clearing the body does.
    other.set_body_position(at_first).unwrap();
    assert_eq!(other.input().unwrap().body_move, None);
    animator.clear_body().unwrap();
    assert_eq!(animator.input().unwrap().body_move, None);
}

#[test]
fn a_foot_in_the_space_of_a_joint_is_left_to_its_goal() {
    let (_, mut animator) = people().swap_remove(0);
    let feet = animator.foot_models().unwrap();
    let mut grounder = Grounder::new(&feet, GrounderSettings::default());
    let animated = crouch(&animator, 0.5, 0.0);
    set_pose(&mut animator, &animated);
    let hips = joint(&animator, HumanBone::Hips);
    let before = world(&animator);
    let [foot, other] = FEET.map(|bone| joint(&animator, bone));
    animator.set_ik_goal_space(IkGoal::LeftFoot, Some(hips)).unwrap();
    animator.set_ik_position(IkGoal::LeftFoot, animator.ik_position(IkGoal::LeftFoot).unwrap()).unwrap();
    animator.set_ik_position_weight(IkGoal::LeftFoot, 1.0).unwrap();
    for _ in 0..60 {
        step(&mut animator, &mut grounder, &animated, [-0.05, -0.05]);
    }
    let after = world(&animator);
    let from_hips =
        |spaces: &[matchers::Affine64]| [0, 1, 2].map(|i| spaces[foot].position[i] - spaces[hips].position[i]);
    let off = matchers::distance(from_hips(&before), from_hips(&after));
    assert!(off < 1e-4, "the foot of the hips is {off} m off");
    let stands = grounder.results().1[1].ankle_ws;
    let off = matchers::distance(after[other].position, matchers::wide(stands));
    assert!(off < 1e-4, "the foot of the ground is {off} m off");
}

#[test]
fn toes_of_a_foot_that_gets_another_goal_are_left_to_it() {
    let (_, mut animator) = people().swap_remove(0);
    let feet = animator.foot_models().unwrap();
    let mut grounder = Grounder::new(&feet, GrounderSettings::default());
    let animated = crouch(&animator, 0.2, 0.45);
    for _ in 0..20 {
        step(&mut animator, &mut grounder, &animated, [0.2, 0.0]);
    }
    for _ in 0..60 {
        if TOES.iter().any(|toes| animator.bone_override(*toes).is_some()) {
            break;
        }
        step(&mut animator, &mut grounder, &animated, [0.0, 0.2]);
    }
    let turned = TOES.iter().position(|toes| animator.bone_override(*toes).is_some()).expect("turned toes");
    let goal = [IkGoal::LeftFoot, IkGoal::RightFoot][turned];
    let (toes, hips) = (TOES[turned], joint(&animator, HumanBone::Hips));
    animator.set_ik_goal_space(goal, Some(hips)).unwrap();
    step(&mut animator, &mut grounder, &animated, [0.0, 0.2]);
    assert_eq!(animator.bone_override(toes), None, "what the grounder had set");
    let own = axis_angle(Vec3::X, 0.3).normalize();
    animator.set_bone_local_rotation(toes, own).unwrap();
    step(&mut animator, &mut grounder, &animated, [0.0, 0.2]);
    assert!(animator.bone_override(toes).is_some(), "what the host has set stays");
}

#[test]
fn other_legs_and_unfinished_frames_are_refused() {
    let (_, mut animator) = people().swap_remove(0);
    let feet = animator.foot_models().unwrap();
    let before = *animator.input().unwrap();
    let four = Grounder::new(&[feet, feet].concat(), GrounderSettings::default());
    assert_eq!(animator.apply_grounder(&four), Err(AnimatorError::LegCount(0)));
    let two = Grounder::new(&feet, GrounderSettings::default());
    assert_eq!(animator.apply_grounder(&two), Err(AnimatorError::LegCount(0)));
    assert_eq!(*animator.input().unwrap(), before);
    let mut random = Random::new(1);
    let rig = testkit::chains::random_chain(&mut random, 4, 0.3, ParentKind::Rotated);
    let plain = Animator::new(std::sync::Arc::new(rig.skeleton), None).unwrap();
    assert_eq!(plain.foot_models(), Err(AnimatorError::NotHumanoid));
    assert!(animator.ik_position_weight(IkGoal::LeftFoot).unwrap() == 0.0);
}
