//! No per-frame call allocates, in Rust or through the C ABI, nor do calls that fail: checked by a
//! counting allocator.

#[path = "capi/mod.rs"]
mod capi;

use capi::{ok, quat, transform, transforms, vec3};
use core::ffi::{c_char, c_void};
use sinew::animator::Animator;
use sinew::animator::AvatarTarget;
use sinew::chains::{ChainSolver, Pole};
use sinew::constraints::{AimDefinition, ChainDefinition, ChainEnd, ConstraintDefinition, SplineDefinition};
use sinew::ffi::*;
use sinew::humanoid::{HumanBone, HumanoidInput, HumanoidSettings, IkGoal, IkHint, LookAtWeight};
use sinew::math::{Quat, Transform, Vec3};
use sinew::world::{Character, Registry};
use std::sync::Arc;
use testkit::Random;
use testkit::allocations::{Counting, calls, held};
use testkit::chains::{ChainOptions, chain};
use testkit::characters;
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `frame` once to warm up, then again and again, and asserts that nothing is allocated or
/// freed any more.
#[track_caller]
fn assert_no_allocation(name: &str, mut frame: impl FnMut(usize)) {
    frame(0);
    let before = calls();
    (1..20).for_each(&mut frame);
    let calls = calls() - before;
    assert_eq!(calls, 0, "{name} calls the allocator");
}

fn full_input(random: &mut Random) -> HumanoidInput {
    let mut input = HumanoidInput::default();
    for goal in &mut input.goals {
        (goal.position, goal.position_weight) = (Some(Vec3::Y + random.in_ball(0.8)), random.unit01());
        (goal.rotation, goal.rotation_weight) = (Some(random.rotation()), random.unit01());
    }
    for hint in &mut input.hints {
        (hint.position, hint.weight) = (Some(Vec3::Y + random.in_ball(0.8)), random.unit01());
    }
    input.look_at_position = Some(random.in_ball(3.0));
    input.look_at_weight = LookAtWeight { weight: 1.0, body: 0.3, head: 0.8, eyes: 1.0, clamp: 0.5 };
    input.body_position = Some(Vec3::Y + random.in_ball(0.1));
    input.body_rotation = Some(random.rotation_within(0.3));
    input
}

#[test]
fn the_counter_counts() {
    let before = calls();
    drop(std::hint::black_box(Box::new(7)));
    assert_eq!(calls() - before, 2);
}

/// Of a character of 68 joints: its pose buffer, a checked copy, frames, what the steps move before
/// a solve, and input.
#[test]
fn the_memory_of_a_character() {
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, 0.05);
    assert_eq!(avatar.skeleton().joint_count(), 68);
    let before = held();
    let character = Character::new(avatar.skeleton().clone(), Some(avatar.clone())).unwrap();
    let bytes = held() - before + size_of::<Character>() as i64;
    drop(character);
    assert_eq!(held(), before);
    assert!(bytes < 7_500, "a character takes {bytes} bytes");
}

/// Memory for the effects of scale is taken by the first pose that needs it.
#[test]
fn the_first_pose_with_a_scale_allocates() {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.05);
    let mut random = Random::new(5);
    let pose = random_human_pose(person.view(), &mut random, 0.5);
    animator.set_ik_position(IkGoal::LeftHand, Vec3::new(-0.3, 1.2, 0.3)).unwrap();
    animator.set_ik_position_weight(IkGoal::LeftHand, 1.0).unwrap();
    assert_no_allocation("a frame with a scale", |frame| {
        characters::set_pose(&mut animator, &pose);
        animator.pose_mut().local_mut()[frame].scale = Vec3::new(1.0, 1.5, 1.0);
        animator.solve().unwrap();
        assert!(animator.model_frames().any(|frame| !frame.is_rigid()));
    });
    let before = calls();
    let mut plain = characters::animator(&person, 0.05);
    let created = calls() - before;
    characters::set_pose(&mut plain, &pose);
    plain.solve().unwrap();
    assert_eq!(calls() - before, created, "no scale, no memory");
}

#[test]
fn rust_frames() {
    let person = person(&PersonOptions { twist_joints: true, ..PersonOptions::default() });
    let mut animator = characters::animator(&person, 0.05);
    let mut random = Random::new(1);
    let poses: Vec<_> = (0..20).map(|_| random_human_pose(person.view(), &mut random, 1.0)).collect();
    let inputs: Vec<_> = (0..20).map(|_| full_input(&mut random)).collect();
    let all = HumanoidSettings {
        shoulder_weights: [1.0; 2],
        spine_weight: 0.7,
        pull_weights: [0.6; 4],
        look_at_inertialization_time_s: 0.3,
        inertialization_times_s: [0.3; 4],
        limits_enabled: true,
        bend_weight: 0.8,
        trunk_avoidance: 0.6,
    };
    let mut bad = poses[0].clone();
    bad[5].position.x = f32::NAN;
    assert_no_allocation("an animator's frame", |frame| {
        characters::set_pose(&mut animator, &poses[frame]);
        animator.set_root(Transform::new(Vec3::X * frame as f32, Quat::IDENTITY)).unwrap();
        for (goal, hint) in IkGoal::ALL.into_iter().zip(IkHint::ALL) {
            let position = animator.ik_position(goal).unwrap();
            let rotation = animator.ik_rotation(goal).unwrap();
            let knee = animator.ik_hint_position(hint).unwrap();
            animator.set_ik_position(goal, position).unwrap();
            animator.set_ik_rotation(goal, rotation).unwrap();
            animator.set_ik_hint_position(hint, knee).unwrap();
            animator.set_ik_position_weight(goal, 0.5).unwrap();
            animator.set_ik_rotation_weight(goal, 0.5).unwrap();
            animator.set_ik_hint_position_weight(hint, 0.5).unwrap();
            assert_eq!(animator.ik_position_weight(goal).unwrap(), 0.5);
        }
        let (look, body) = (animator.look_at_position().unwrap(), animator.body_position().unwrap());
        let turn = animator.body_rotation().unwrap();
        animator.set_look_at_position(look).unwrap();
        animator.set_look_at_weight(LookAtWeight { weight: 1.0, ..animator.look_at_weight().unwrap() }).unwrap();
        animator.set_body_position(body).unwrap();
        animator.set_body_rotation(turn).unwrap();
        animator.set_bone_local_rotation(HumanBone::Jaw, Quat::IDENTITY).unwrap();
        animator.bone_local_rotation(HumanBone::Jaw).unwrap();
        animator.set_settings(&all).unwrap();
        animator.advance(0.01);
        animator.solve().unwrap();
        animator.match_goals_from_pose().unwrap();
        animator.match_pose_from_goals().unwrap();
        animator.inertialize(IkGoal::LeftHand).unwrap();
        let frame_turn = animator.ik_rotation_bone(IkGoal::LeftHand).unwrap();
        animator.set_ik_rotation_bone(IkGoal::LeftHand, frame_turn).unwrap();
        animator.target_pose(AvatarTarget::Body).unwrap();
        animator.clear_bone_local_rotations().unwrap();
        animator.clear_body().unwrap();
        animator.reset_ik().unwrap();
        animator.set_input(&inputs[frame]).unwrap();
        animator.solve().unwrap();
        for goal in IkGoal::ALL {
            animator.ik_outcome(goal).unwrap();
        }
        animator.look_at_outcome().unwrap();
        // Failing calls, too.
        characters::set_pose(&mut animator, &bad);
        assert!(animator.solve().is_err());
    });
}

#[test]
fn springs_trees_splines_and_aims() {
    let mut random = Random::new(4);
    let options = ChainOptions { bone_count: 12, bend_rad: 0.15, ..ChainOptions::default() };
    let rig = chain(&options);
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    let middle = rig.joints[6];
    let both = |solver| {
        let ends = [rig.end(), middle].map(|joint| ChainEnd { joint, tip_js: Vec3::Y * 0.02 }).to_vec();
        ConstraintDefinition::Chain(ChainDefinition { ends, solver, ..ChainDefinition::ending_at(rig.end(), 13) })
    };
    let one =
        |solver| ConstraintDefinition::Chain(ChainDefinition { solver, ..ChainDefinition::ending_at(rig.end(), 13) });
    let definitions = [
        one(ChainSolver::Spring),
        one(ChainSolver::Fabrik),
        one(ChainSolver::Ccd),
        both(ChainSolver::Fabrik),
        both(ChainSolver::Ccd),
        ConstraintDefinition::Chain(ChainDefinition {
            ends: [rig.end(), middle].map(|joint| ChainEnd { joint, tip_js: Vec3::Y * 0.02 }).to_vec(),
            warm_start: true,
            ..ChainDefinition::ending_at(rig.end(), 13)
        }),
        ConstraintDefinition::Spline(SplineDefinition {
            stretch: 1.0,
            ..SplineDefinition::ending_at(rig.end(), 13, 5)
        }),
        ConstraintDefinition::Aim(AimDefinition::ending_at(rig.end(), 6)),
    ];
    let ids: Vec<_> = definitions.iter().map(|d| animator.add_constraint(d).unwrap()).collect();
    for id in &ids {
        animator.set_constraint_inertialization_time(*id, 0.3).unwrap();
    }
    let mut saved = vec![0; animator.snapshot_size()];
    let goals: Vec<_> = (0..20).map(|_| random.in_ball(1.0)).collect();
    assert_no_allocation("a frame of springs, trees, splines and aims", |frame| {
        animator.pose_mut().local_mut().copy_from_slice(rig.skeleton.rest_local());
        for &id in &ids {
            let input = animator.constraint_mut(id).unwrap();
            input.weight = 1.0;
            input.pole_ws = Some(Pole::point(goals[19 - frame]));
            for (k, goal) in input.goals.iter_mut().enumerate() {
                goal.position_ws = Some(goals[frame] + Vec3::X * (0.3 * k as f32));
                goal.position_weight = if frame % 4 == 0 { 0.5 } else { 1.0 };
            }
            animator.inertialize_constraint(id).unwrap();
            animator.set_constraint_inertialization_time(id, 0.2 + 0.01 * frame as f32).unwrap();
        }
        animator.advance(0.01);
        animator.solve().unwrap();
        // The first frame has nothing to go over from.
        assert!(frame == 0 || animator.is_inertializing_constraint(ids[0]).unwrap());
        animator.snapshot_into(&mut saved).unwrap();
        animator.restore(&saved).unwrap();
    });
}

#[test]
fn registry_batches() {
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, 0.05);
    let registry = Registry::new();
    let add = |_| registry.add_character(avatar.skeleton().clone(), Some(avatar.clone())).unwrap();
    let ids: Vec<_> = (0..8).map(add).collect();
    let mut random = Random::new(2);
    for id in &ids {
        let input = full_input(&mut random);
        registry.characters.with(*id, |c| c.animator.set_input(&input).unwrap()).unwrap();
    }
    assert_no_allocation("Registry::solve_batch", |_| {
        registry.solve_batch(ids.iter().copied(), |_, result| result.unwrap());
        registry.solve(ids[0]).unwrap();
    });
}

#[test]
fn worlds() {
    use sinew::world::{Call, Level, OwnBuffers, Serial, World};
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, 0.05);
    // All that there is, which each member solves alone, and what members of a tile solve together.
    let one_hand = || {
        let mut input = HumanoidInput::default();
        let goal = &mut input.goals[IkGoal::RightHand as usize];
        (goal.position, goal.position_weight) = (Some(Vec3::new(0.3, 1.2, 0.4)), 1.0);
        input
    };
    for all in [true, false] {
        let registry = Registry::new();
        let mut world = World::new();
        let mut random = Random::new(2);
        for member in 0..30 {
            let id = registry.add_character(avatar.skeleton().clone(), Some(avatar.clone())).unwrap();
            let input = if all { full_input(&mut random) } else { one_hand() };
            registry.characters.with(id, |c| c.animator.set_input(&input).unwrap()).unwrap();
            world.join(&registry.characters, id).unwrap();
            if member % 3 == 0 {
                world.set_level(id, Level::EveryNth(1 + member as u32 % 4)).unwrap();
            }
        }
        let characters = &registry.characters;
        let call = Call { characters, host: &OwnBuffers, runner: &Serial, clock: &|| 0.0 };
        for budget in [None, Some(1.0), Some(0.0)] {
            world.set_budget(budget);
            // Corrections of the members, and scratch of the threads.
            for _ in 0..5 {
                world.solve_with(&call);
            }
            assert_no_allocation("World::solve_with", |_| {
                let report = world.solve_with(&call);
                assert_eq!(report.failed, 0);
            });
        }
    }
}

extern "C-unwind" fn count_line(user: *mut c_void, _: *const SinewVec3, _: *const SinewVec3, _: i32) {
    // SAFETY: the caller below hands in the address of a u32 of its own.
    unsafe { *user.cast::<u32>() += 1 };
}

#[test]
fn c_frames() {
    let person = person(&PersonOptions::default());
    let animator = capi::RigData::of_person(&person).animator();
    let other = capi::RigData::of_person(&person).animator();
    let mut random = Random::new(3);
    let poses: Vec<_> = (0..20).map(|_| transforms(&random_human_pose(person.view(), &mut random, 1.0))).collect();
    let mut back = poses[0].clone();
    let mut lines: Vec<SinewDebugLine> = Vec::new();
    lines.resize(400, SinewDebugLine { from: vec3(Vec3::ZERO), to: vec3(Vec3::ZERO), part: 0 });
    let joints = poses[0].len() as u32;
    assert_no_allocation("the C ABI", |frame| {
        let mut point = vec3(Vec3::ZERO);
        let mut turn = quat(Quat::IDENTITY);
        let (mut number, mut whole, mut index) = (0.0f32, 0u32, 0i32);
        let (mut buffer, mut count) = (core::ptr::null_mut(), 0u32);
        ok(sinew_animator_get_pose_buffer(animator, Some(&mut buffer), Some(&mut count)));
        assert!(!buffer.is_null() && count == joints);
        ok(unsafe { sinew_animator_set_pose(animator, poses[frame].as_ptr(), joints) });
        let root = transform(&Transform::at(Vec3::X * 0.1));
        ok(sinew_animator_set_root(animator, Some(&root)));
        let mut out_root = root;
        ok(sinew_animator_get_root(animator, Some(&mut out_root)));
        for goal in 0..4 {
            ok(sinew_animator_get_ik_position(animator, goal, Some(&mut point)));
            ok(sinew_animator_set_ik_position(animator, goal, Some(&point)));
            ok(sinew_animator_get_ik_rotation(animator, goal, Some(&mut turn)));
            ok(sinew_animator_set_ik_rotation(animator, goal, Some(&turn)));
            ok(sinew_animator_set_ik_position_weight(animator, goal, 0.7));
            ok(sinew_animator_get_ik_position_weight(animator, goal, Some(&mut number)));
            ok(sinew_animator_set_ik_rotation_weight(animator, goal, 0.7));
            ok(sinew_animator_get_ik_rotation_weight(animator, goal, Some(&mut number)));
            ok(sinew_animator_get_ik_hint_position(animator, goal, Some(&mut point)));
            ok(sinew_animator_set_ik_hint_position(animator, goal, Some(&point)));
            ok(sinew_animator_set_ik_hint_position_weight(animator, goal, 0.7));
            ok(sinew_animator_get_ik_hint_position_weight(animator, goal, Some(&mut number)));
        }
        ok(sinew_animator_get_look_at_position(animator, Some(&mut point)));
        ok(sinew_animator_set_look_at_position(animator, Some(&point)));
        ok(sinew_animator_set_look_at_weight(animator, 1.0, 0.3, 0.8, 1.0, 0.5));
        ok(sinew_animator_get_body_position(animator, Some(&mut point)));
        ok(sinew_animator_set_body_position(animator, Some(&point)));
        ok(sinew_animator_get_body_rotation(animator, Some(&mut turn)));
        ok(sinew_animator_set_body_rotation(animator, Some(&turn)));
        let head = HumanBone::Head as i32;
        ok(sinew_animator_get_bone_local_rotation(animator, head, Some(&mut turn)));
        ok(sinew_animator_set_bone_local_rotation(animator, head, Some(&turn)));
        ok(sinew_animator_solve(animator));
        let both = [animator, other, SinewAnimator { bits: 77 }];
        let mut results = [0; 3];
        unsafe { sinew_animator_solve_batch(both.as_ptr(), 3, results.as_mut_ptr()) };
        let mut outcome = SinewOutcome { status: 0, iterations: 0, residual_m: 0.0, residual_rad: 0.0 };
        ok(sinew_animator_get_ik_outcome(animator, 3, Some(&mut outcome)));
        ok(sinew_animator_get_look_at_outcome(animator, Some(&mut outcome)));
        ok(sinew_animator_get_joint_world(animator, 9, Some(&mut point), Some(&mut turn)));
        ok(unsafe { sinew_animator_get_pose(animator, back.as_mut_ptr(), joints) });
        let mut drawn = 0u32;
        ok(sinew_animator_draw(animator, Some(count_line), (&raw mut drawn).cast()));
        unsafe { sinew_animator_get_debug_lines(animator, lines.as_mut_ptr(), 400, Some(&mut whole)) };
        assert!(drawn > 0 && whole == drawn);
        ok(sinew_animator_get_is_human(animator, Some(&mut whole)));
        ok(sinew_animator_get_human_scale(animator, Some(&mut number)));
        ok(sinew_animator_get_bone_joint(animator, head, Some(&mut index)));
        ok(sinew_animator_clear_bone_local_rotations(animator));
        let mut input = core::mem::MaybeUninit::<SinewHumanoidInput>::zeroed();
        // SAFETY: all zeros are a valid value of this struct of numbers.
        let input = unsafe { input.assume_init_mut() };
        ok(sinew_humanoid_input_default(Some(input)));
        ok(sinew_animator_get_input(animator, Some(input)));
        ok(sinew_animator_set_input(animator, Some(input)));
        ok(sinew_animator_reset_ik(animator));
        ok(sinew_animator_reset_pose(animator));
        ok(sinew_animator_is_valid(animator, Some(&mut whole)));
        // And everything that fails: null, made-up handles, wrong numbers, each with its text.
        let unknown = SinewAnimator { bits: 0x1234_5678_9abc };
        let bad = SinewVec3 { x: f32::NAN, y: 0.0, z: 0.0 };
        let mut text: *const c_char = core::ptr::null();
        for failed in [
            sinew_animator_solve(unknown),
            sinew_animator_set_ik_position(animator, 0, None),
            sinew_animator_set_ik_position(animator, 9, Some(&point)),
            sinew_animator_set_ik_position(animator, 0, Some(&bad)),
            sinew_animator_set_ik_rotation(animator, 0, Some(&SinewQuat { x: 0.0, y: 0.0, z: 0.0, w: 0.0 })),
            sinew_animator_set_look_at_weight(animator, f32::INFINITY, 0.0, 0.0, 0.0, 0.0),
            unsafe { sinew_animator_set_pose(animator, poses[0].as_ptr(), joints - 1) },
            unsafe { sinew_animator_set_pose(animator, core::ptr::null(), joints) },
            sinew_animator_set_bone_local_rotation(animator, -3, Some(&turn)),
            sinew_animator_get_joint_world(animator, 4000, Some(&mut point), None),
        ] {
            assert!(failed != SinewResult::SinewOk);
            ok(sinew_last_error(Some(&mut text)));
            ok(sinew_result_text(failed as i32, Some(&mut text)));
        }
    });
}
