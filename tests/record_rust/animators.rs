//! Animators.

use crate::log::{alone, assert_near, record, replay};
use sinew::animator::Animator;
use sinew::constraints::{
    AimDefinition, ChainDefinition, ConstraintDefinition, ConstraintGoal, CopyRotationDefinition, TwoBoneDefinition,
};
use sinew::ffi::mirror::{RecordedAnimator, leave_out, take_left_out};
use sinew::humanoid::{
    Avatar, AvatarDefinition, BodyEffector, BodySolverMode, BodySolverSettings, GoalPriority, HumanBone, IkGoal,
    LookAtWeight,
};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range, Stretch};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::SkeletonBuilder;
use std::sync::Arc;
use testkit::Random;
use testkit::person::{PersonOptions, person};

/// An animator and what a recording knows of it.
struct Actor {
    animator: Animator,
    recorded: RecordedAnimator,
    animation: Vec<Transform>,
}

impl Actor {
    fn person() -> Self {
        let person = person(&PersonOptions::default());
        let skeleton = Arc::new(person.skeleton.clone());
        let mut definition = AvatarDefinition::default();
        HumanBone::ALL.into_iter().for_each(|bone| definition.map.set(bone, person.human[bone.index()]));
        let avatar = Arc::new(Avatar::new(skeleton.clone(), &definition).expect("a person"));
        let mut animator = Animator::new(skeleton, Some(avatar)).expect("an animator");
        let mut recorded = RecordedAnimator::new(Some(Arc::new(definition)));
        let head = person.joint(HumanBone::Head);
        let chain = ConstraintDefinition::Chain(ChainDefinition::ending_at(head, 4));
        recorded.add_constraint(&mut animator, &chain).expect("a chain");
        let copy = CopyRotationDefinition { source: Some(head), ..CopyRotationDefinition::of(head - 1) };
        recorded.add_constraint(&mut animator, &ConstraintDefinition::CopyRotation(copy)).expect("a copy");
        Self { animation: animator.pose().local().to_vec(), animator, recorded }
    }
    fn crane() -> Self {
        let mut rig = SkeletonBuilder::new();
        let mut joint = rig.joint_at("base", None, Vec3::ZERO);
        for number in 0..6 {
            joint = rig.joint_at(&format!("arm {number}"), Some(joint), Vec3::new(0.02, 0.5, 0.0));
        }
        let mut animator = Animator::new(Arc::new(rig.build().expect("a rig")), None).expect("an animator");
        let mut recorded = RecordedAnimator::new(None);
        let limb = TwoBoneDefinition { softness: 0.1, ..TwoBoneDefinition::ending_at(joint) };
        let aim = AimDefinition { weights: vec![0.3, 0.7], joint_count: 2, ..AimDefinition::of(joint) };
        for definition in [ConstraintDefinition::TwoBone(limb), ConstraintDefinition::Aim(aim)] {
            recorded.add_constraint(&mut animator, &definition).expect("a constraint");
        }
        let limits = JointModel {
            stretch: Stretch { min: 0.9, max: 1.2, compliance: 0.5 },
            ..JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-1.0, 1.5) })
        };
        animator.set_joint_limits(2, &limits).expect("limits");
        Self { animation: animator.pose().local().to_vec(), animator, recorded }
    }

    /// Frames with changing input; all numbers of the poses.
    fn play(&mut self, frames: u64) -> Vec<f32> {
        let mut poses = Vec::new();
        for frame in 0..frames {
            let mut random = Random::new(frame);
            self.animator.pose_mut().local_mut().copy_from_slice(&self.animation);
            for joint in self.animator.pose_mut().local_mut() {
                joint.rotation = (joint.rotation * random.rotation_within(0.2)).normalize();
            }
            self.ask(frame, &mut random);
            self.recorded.solve(&mut self.animator).expect("a solve");
            for joint in self.animator.pose().local() {
                poses.extend(joint.position.to_array());
                poses.extend(joint.rotation.to_array());
            }
        }
        poses
    }
    fn ask(&mut self, frame: u64, random: &mut Random) {
        let animator = &mut self.animator;
        let root = Transform::new(random.in_ball(2.0), random.rotation());
        animator.set_root(root).expect("a root");
        for (number, id) in animator.constraint_ids().collect::<Vec<_>>().into_iter().enumerate() {
            // The first has a time from the third frame on.
            let time_s = if number == 0 && frame > 2 { 0.3 } else { 0.0 };
            animator.set_constraint_inertialization_time(id, time_s).expect("a constraint");
            if frame.is_multiple_of(3) {
                animator.inertialize_constraint(id).expect("a constraint");
            }
            let input = animator.constraint_mut(id).expect("a constraint");
            input.weight = random.unit01();
            input.goals[0] = ConstraintGoal::at(root.position + random.in_ball(1.5));
        }
        if !animator.is_human() {
            animator.advance(1.0 / 60.0);
            return;
        }
        let mut settings = *animator.settings().expect("settings");
        settings.inertialization_times_s = [0.3; 4];
        animator.set_settings(&settings).expect("settings");
        for goal in IkGoal::ALL {
            animator.set_ik_position(goal, root.position + random.in_ball(1.0)).expect("a goal");
            animator.set_ik_position_weight(goal, random.unit01()).expect("a weight");
        }
        // The hands follow one another, now one, now the other: in between there is no circle.
        let hands = [(IkGoal::LeftHand, HumanBone::RightHand), (IkGoal::RightHand, HumanBone::LeftHand)];
        let (goal, of) = hands[(frame / 2 % 2) as usize];
        if frame.is_multiple_of(2) {
            hands.into_iter().for_each(|(goal, _)| animator.set_ik_goal_space(goal, None).expect("no space"));
        }
        let joint = animator.bone_joint(of).expect("a human");
        animator.set_ik_goal_space(goal, joint).expect("a space");
        animator.set_ik_effector_point(goal, random.in_ball(0.1)).expect("a point");
        animator.set_look_at_position(random.in_ball(4.0)).expect("a point");
        animator.set_look_at_weight(LookAtWeight { weight: 1.0, ..LookAtWeight::default() }).expect("a weight");
        if frame == 3 {
            animator.set_bone_local_rotation(HumanBone::Spine, Quat::from_xyzw(0.6, 0.0, 0.0, 0.8)).expect("a bone");
            animator.inertialize(IkGoal::LeftHand).expect("a switch");
        }
        if frame == 6 {
            animator.clear_bone_local_rotations().expect("bones");
            let solver = BodySolverSettings { mode: BodySolverMode::Track, ..BodySolverSettings::default() };
            animator.set_body_solver(&solver).expect("a solver");
        }
        let level = (frame / 4 % 4) as u8;
        let priority = GoalPriority { position_importance: 3.0, rotation_importance: 0.5, level };
        animator.set_ik_goal_priority(goal, &priority).expect("a priority");
        animator.set_body_effector_priority(BodyEffector::Head, &priority).expect("a priority");
        animator.advance(1.0 / 60.0);
    }
}

#[test]
fn a_recording_has_every_solve_and_changes_no_pose() {
    let _alone = alone();
    for make in [Actor::person, Actor::crane] {
        let usual = make().play(10);
        let mut poses = Vec::new();
        let log = record(|| poses = make().play(10));
        assert_eq!(take_left_out(), 0);
        assert_near(&usual, &poses);
        assert_eq!(replay(&log), 10);
    }
}

#[test]
fn one_begun_in_the_middle_goes_on_with_the_state() {
    let _alone = alone();
    let (mut usual, mut actor) = (Actor::person(), Actor::person());
    usual.play(5);
    actor.play(5);
    let mut poses = Vec::new();
    let log = record(|| poses = actor.play(5));
    assert_near(&usual.play(5), &poses);
    assert_eq!(replay(&log), 5);
    // A second recording begins anew.
    assert_eq!(replay(&record(|| _ = actor.play(2))), 2);
}

#[test]
fn what_a_recording_cannot_have_is_counted() {
    let _alone = alone();
    leave_out();
    assert_eq!(take_left_out(), 0, "there is no recording");
    let mut actor = Actor::crane();
    let joint = actor.animation.len() - 1;
    let past = ConstraintDefinition::Chain(ChainDefinition::ending_at(joint, 3));
    actor.animator.add_constraint(&past).expect("a chain");
    let log = record(|| _ = actor.play(3));
    assert_eq!((take_left_out(), replay(&log)), (3, 0));
}
