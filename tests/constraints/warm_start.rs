//! A chain constraint that starts at its last answer: what forgets it, and what has it.

use sinew::animator::{Animator, StateHash};
use sinew::constraints::{ChainDefinition, ConstraintDefinition, ConstraintId};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Transform, Vec3, axis_angle};
use std::sync::Arc;
use testkit::chains::{ChainOptions, chain};

/// Six hinges that bend either way, and their chain.
fn hinges(warm_start: bool) -> (Animator, ConstraintId, Vec<Transform>) {
    let rig = chain(&ChainOptions { bone_count: 6, bend_rad: 0.15, ..ChainOptions::default() });
    let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
    for (number, joint) in rig.joints.iter().enumerate() {
        let axis = [HingeAxis::X, HingeAxis::Z][number % 2];
        let model = JointModel::limited(Freedom::Hinge { axis, range: Range::new(-1.2, 1.2) });
        animator.set_joint_limits(*joint, &model).unwrap();
    }
    let definition = ChainDefinition { warm_start, ..ChainDefinition::ending_at(rig.end(), 7) };
    let id = animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap();
    animator.constraint_mut(id).unwrap().weight = 1.0;
    (animator, id, rig.skeleton.rest_local().to_vec())
}

/// A goal on a circle about the root, and one frame.
fn frame(animator: &mut Animator, id: ConstraintId, rest: &[Transform], number: usize) -> Vec<Transform> {
    animator.pose_mut().local_mut().copy_from_slice(rest);
    let tip = animator.skeleton().rest_model()[rest.len() - 1].position;
    let root = animator.skeleton().rest_model()[0].position;
    let turn = axis_angle(Vec3::Z, 0.02 * number as f32) * axis_angle(Vec3::X, 0.6);
    animator.constraint_mut(id).unwrap().goals[0].position_ws = Some(root + turn * (tip - root) * 0.7);
    animator.solve().unwrap();
    animator.pose().local().to_vec()
}

fn hash(animator: &Animator) -> u64 {
    let mut hash = StateHash::default();
    animator.hash_state(&mut hash);
    hash.finish()
}

/// The state that lasts between frames, as bytes.
fn snapshot(animator: &Animator) -> Vec<u8> {
    let mut bytes = Vec::new();
    animator.snapshot(&mut bytes);
    bytes
}

type Forget = fn(&mut Animator, ConstraintId);

#[test]
fn resets_weights_of_zero_and_frames_without_goals_forget_the_answer() {
    let forget: [(&str, Forget); 3] = [
        ("reset_state", |animator, _| animator.reset_state()),
        ("weight 0", |animator, id| {
            animator.constraint_mut(id).unwrap().weight = 0.0;
            animator.solve().unwrap();
            animator.constraint_mut(id).unwrap().weight = 1.0;
        }),
        ("no goal", |animator, id| {
            animator.constraint_mut(id).unwrap().goals[0].position_ws = None;
            animator.solve().unwrap();
        }),
    ];
    for (name, forget) in forget {
        let (mut animator, id, rest) = hinges(true);
        let first = frame(&mut animator, id, &rest, 0);
        (1..60).for_each(|number| _ = frame(&mut animator, id, &rest, number));
        let last = frame(&mut animator, id, &rest, 0);
        assert_ne!(first, last, "{name}: nothing was remembered");
        forget(&mut animator, id);
        assert_eq!(first, frame(&mut animator, id, &rest, 0), "{name}");
    }
}

#[test]
fn snapshots_and_hashes_have_the_answer() {
    let (mut animator, id, rest) = hinges(true);
    (0..60).for_each(|number| _ = frame(&mut animator, id, &rest, number));
    let mut saved = Vec::new();
    animator.snapshot(&mut saved);
    assert_eq!(saved.len(), animator.snapshot_size());
    let then = hash(&animator);
    let poses: Vec<_> = (60..90).map(|number| frame(&mut animator, id, &rest, number)).collect();
    assert_ne!(then, hash(&animator));
    let (mut other, other_id, _) = hinges(true);
    frame(&mut other, other_id, &rest, 59);
    other.restore(&saved).unwrap();
    assert_eq!(then, hash(&other));
    let again: Vec<_> = (60..90).map(|number| frame(&mut other, other_id, &rest, number)).collect();
    assert_eq!(poses, again);
    // Not of an animator without the answer, nor one into it.
    let (mut cold, _, _) = hinges(false);
    assert!(cold.restore(&saved).is_err());
    let mut short = Vec::new();
    cold.snapshot(&mut short);
    let before = hash(&other);
    assert!(other.restore(&short).is_err());
    assert_eq!(before, hash(&other));
}

#[test]
fn a_chain_without_limits_ignores_it() {
    let rig = chain(&ChainOptions { bone_count: 6, bend_rad: 0.15, ..ChainOptions::default() });
    let poses = [false, true].map(|warm_start| {
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        let definition = ChainDefinition { warm_start, ..ChainDefinition::ending_at(rig.end(), 7) };
        let id = animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap();
        animator.constraint_mut(id).unwrap().weight = 1.0;
        let rest = rig.skeleton.rest_local();
        (0..40).map(|number| frame(&mut animator, id, rest, 5 * number)).collect::<Vec<_>>()
    });
    assert_eq!(poses[0], poses[1]);
}

#[test]
fn what_has_forgotten_the_answer_is_as_never_solved() {
    let forget: [(&str, Forget); 2] = [
        ("reset_state", |animator, _| animator.reset_state()),
        ("weight 0", |animator, id| {
            animator.constraint_mut(id).unwrap().weight = 0.0;
            animator.solve().unwrap();
            animator.constraint_mut(id).unwrap().weight = 1.0;
        }),
    ];
    for (name, forget) in forget {
        let (mut animator, id, rest) = hinges(true);
        let (fresh, _, _) = hinges(true);
        (0..20).for_each(|number| _ = frame(&mut animator, id, &rest, number));
        assert_ne!(snapshot(&animator), snapshot(&fresh), "{name}: nothing was remembered");
        forget(&mut animator, id);
        assert_eq!(snapshot(&animator), snapshot(&fresh), "{name}");
    }
}

#[test]
fn frames_without_limits_forget_the_answer() {
    // Of two bones, too, which are a limb without limits.
    for bones in [2, 6] {
        let rig = chain(&ChainOptions { bone_count: bones, bend_rad: 0.3, ..ChainOptions::default() });
        let rest = rig.skeleton.rest_local().to_vec();
        let mut animator = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
        let definition = ChainDefinition { warm_start: true, ..ChainDefinition::ending_at(rig.end(), bones + 1) };
        let id = animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap();
        animator.constraint_mut(id).unwrap().weight = 1.0;
        let never = snapshot(&animator);
        let limit = JointModel::limited(Freedom::Ball { swing: SwingRegion::cone(1.0), twist: Range::new(-0.5, 0.5) });
        rig.joints.iter().for_each(|joint| animator.set_joint_limits(*joint, &limit).unwrap());
        (0..5).for_each(|number| _ = frame(&mut animator, id, &rest, number));
        assert_ne!(snapshot(&animator), never, "{bones} bones: nothing was remembered");
        rig.joints.iter().for_each(|joint| animator.clear_joint_limits(*joint).unwrap());
        frame(&mut animator, id, &rest, 5);
        assert_eq!(snapshot(&animator), never, "{bones} bones");
    }
}

#[test]
fn a_frame_with_a_scale_of_zero_forgets_the_answer() {
    let (mut animator, id, rest) = hinges(true);
    let never = snapshot(&animator);
    (0..5).for_each(|number| _ = frame(&mut animator, id, &rest, number));
    assert_ne!(snapshot(&animator), never, "nothing was remembered");
    let mut flat = rest;
    flat[0].scale = Vec3::ZERO;
    frame(&mut animator, id, &flat, 5);
    assert_eq!(snapshot(&animator), never);
}
