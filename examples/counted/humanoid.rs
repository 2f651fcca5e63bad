//! A character's feet and gaze, alone and eight in step, model frames of all joints included. A
//! unit is a character.

use super::{Row, counted};
use sinew::animator::Animator;
use sinew::animator::crowd::{self, Frames, Workspace};
use sinew::humanoid::{HumanBone, HumanoidSettings, IkGoal, LookAtWeight};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::PoseTile;
use testkit::Random;
use testkit::characters;
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};

/// Characters of a crowd, and poses of a lone one.
pub(super) const CHARACTERS: usize = 8;

/// What the animation is before the solve.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// Random poses, every limb bent.
    Bent,
    /// The T-pose: limbs (nearly) straight, which bend to the rig's bend side.
    TPose,
}

/// Both feet on goals with rotation, spine and head turned to a point.
pub(super) fn characters(start: Start, eyes: f32, hands: bool) -> [(Animator, Vec<Transform>); CHARACTERS] {
    let person = person(&PersonOptions::default());
    let avatar = characters::avatar(&person, 0.05);
    let mut random = Random::new(1);
    let one = |_: usize| {
        let mut animator = characters::animator_of(&avatar);
        let bent = random_human_pose(person.view(), &mut random, 0.3);
        let animation = match start {
            Start::Bent => bent,
            Start::TPose => person.t_pose.clone(),
        };
        let mut goals =
            vec![(IkGoal::LeftFoot, Vec3::new(-0.1, 0.15, 0.05)), (IkGoal::RightFoot, Vec3::new(0.1, 0.15, 0.05))];
        if hands {
            goals
                .extend([(IkGoal::LeftHand, Vec3::new(-0.3, 1.2, 0.3)), (IkGoal::RightHand, Vec3::new(0.3, 1.2, 0.3))]);
        }
        for (goal, place) in goals {
            animator.set_ik_position(goal, place + random.in_ball(0.05)).expect("a human");
            animator.set_ik_position_weight(goal, 1.0).expect("a human");
            let turned = random.rotation_within(0.3);
            animator
                .set_ik_rotation(
                    goal,
                    turned * if goal.is_foot() { Quat::IDENTITY } else { Quat::from_xyzw(0.0, 0.0, 1.0, 0.0) },
                )
                .expect("a human");
            animator.set_ik_rotation_weight(goal, 1.0).expect("a human");
        }
        let weight = LookAtWeight { weight: 1.0, body: 0.3, head: 0.7, eyes, clamp: 0.5 };
        animator.set_look_at_position(Vec3::new(0.5, 1.5, 2.0) + random.in_ball(0.5)).expect("a human");
        animator.set_look_at_weight(weight).expect("a human");
        (animator, animation)
    };
    core::array::from_fn(one)
}

fn animate(characters: &mut [(Animator, Vec<Transform>)]) {
    for (animator, animation) in characters {
        animator.pose_mut().local_mut().copy_from_slice(animation);
    }
}

fn alone(name: &str, start: Start, eyes: f32, hands: bool) -> Row {
    let work = move || {
        let mut all = characters(start, eyes, hands);
        let solve = |all: &mut [(Animator, Vec<Transform>)]| {
            for (animator, _) in all {
                animator.solve().expect("a pose");
                let skeleton = animator.skeleton().clone();
                animator.pose_mut().update(&skeleton);
            }
        };
        // The first round warms up.
        animate(&mut all);
        solve(&mut all);
        animate(&mut all);
        counted(&mut || solve(&mut all));
        CHARACTERS as u64
    };
    Row { name: format!("{name}/1"), work: Box::new(work) }
}

/// Where hands go.
#[derive(Clone, Copy)]
enum Places {
    /// Round the body, in and out of reach, as from clips that were made for another rig.
    Round,
    /// 95 to 105 % of the limb's length from its root, in any direction.
    Edge,
}

/// With human limits on: both hands, or feet, at places. A unit is a solve.
fn limited(name: &str, goals: [IkGoal; 2], places: Places, elbows: Option<JointModel>) -> Row {
    let settings = HumanoidSettings { limits_enabled: true, ..HumanoidSettings::default() };
    placed(name, settings, goals, places, elbows)
}

/// The same with other settings.
fn placed(
    name: &str,
    settings: HumanoidSettings,
    goals: [IkGoal; 2],
    places: Places,
    elbows: Option<JointModel>,
) -> Row {
    const SOLVES: u64 = 64;
    let work = move || {
        let person = person(&PersonOptions::default());
        let mut animator = characters::animator(&person, 0.05);
        animator.set_settings(&settings).expect("a human");
        if let Some(model) = &elbows {
            for bone in [HumanBone::LeftLowerArm, HumanBone::RightLowerArm] {
                animator.set_joint_limits(characters::joint(&animator, bone), model).expect("sound limits");
            }
        }
        let mut random = Random::new(1);
        let mut one = |count: bool| {
            animator.pose_mut().local_mut().copy_from_slice(&random_human_pose(person.view(), &mut random, 0.3));
            let skeleton = animator.skeleton().clone();
            animator.pose_mut().update(&skeleton);
            for goal in goals {
                let place = match places {
                    Places::Round => Vec3::new(0.0, 1.2, 0.1) + random.unit_vector() * random.between(0.2, 0.8),
                    Places::Edge => {
                        let [root, mid, end] =
                            goal.bones().map(|bone| animator.pose().model(characters::joint(&animator, bone)).position);
                        let length = (mid - root).length() + (end - mid).length();
                        root + random.unit_vector() * (random.between(0.95, 1.05) * length)
                    }
                };
                animator.set_ik_position(goal, place).expect("a human");
                animator.set_ik_position_weight(goal, 1.0).expect("a human");
            }
            let mut solve = || animator.solve().expect("a pose");
            if count { counted(&mut solve) } else { solve() }
        };
        one(false);
        (0..SOLVES).for_each(|_| one(true));
        SOLVES
    };
    Row { name: name.to_string(), work: Box::new(work) }
}

const HANDS: [IkGoal; 2] = [IkGoal::LeftHand, IkGoal::RightHand];
const FEET: [IkGoal; 2] = [IkGoal::LeftFoot, IkGoal::RightFoot];

/// A hinge in place of an elbow's range.
fn elbow_hinge() -> JointModel {
    JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(0.0, 2.4) })
}

/// From poses of their own into poses of their own, without frames.
fn from_poses(name: &str, eyes: f32, hands: bool) -> Row {
    let work = move || {
        let mut all = characters(Start::Bent, eyes, hands);
        let mut workspace = Workspace::default();
        let mut round = |count: bool| {
            animate(&mut all);
            let mut animators: Vec<&mut Animator> = all.iter_mut().map(|(animator, _)| animator).collect();
            let mut solve = || crowd::solve(&mut animators, &mut workspace, |_, error| panic!("{error}"));
            if count { counted(&mut solve) } else { solve() }
        };
        round(false);
        round(true);
        CHARACTERS as u64
    };
    Row { name: format!("{name}/crowd_poses"), work: Box::new(work) }
}

/// In place in a structure of arrays, with the frames of all joints.
fn in_step(name: &str, eyes: f32, hands: bool) -> Row {
    let work = move || {
        let mut all = characters(Start::Bent, eyes, hands);
        let mut workspace = Workspace::default();
        let skeleton = all[0].0.skeleton().clone();
        let mut tile = PoseTile::rest(&skeleton).expect("no scale");
        let mut round = |count: bool| {
            for (lane, (_, animation)) in all.iter().enumerate() {
                tile.put_pose(lane, animation);
            }
            let mut animators = all.each_mut().map(|(animator, _)| Some(animator));
            let mut solve = || {
                let animators = animators.each_mut().map(|animator| animator.as_deref_mut());
                crowd::solve_tile(animators, &mut tile, Frames::All, &mut workspace, |_, error| panic!("{error}"));
            };
            if count { counted(&mut solve) } else { solve() }
        };
        round(false);
        round(true);
        CHARACTERS as u64
    };
    Row { name: format!("{name}/crowd"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![
        alone("humanoid_feet_look_at", Start::Bent, 0.0, false),
        alone("humanoid_feet_look_at_t_pose", Start::TPose, 0.0, false),
        from_poses("humanoid_feet_look_at", 0.0, false),
        in_step("humanoid_feet_look_at", 0.0, false),
        limited("humanoid_limited_hands/1", HANDS, Places::Round, None),
        limited("humanoid_limited_hands_edge/1", HANDS, Places::Edge, None),
        limited("humanoid_limited_hands_elbow_hinges/1", HANDS, Places::Round, Some(elbow_hinge())),
        limited("humanoid_limited_feet_edge/1", FEET, Places::Edge, None),
        placed("humanoid_hands/1", HumanoidSettings::default(), HANDS, Places::Round, None),
        placed(
            "humanoid_hands_trunk_avoidance/1",
            HumanoidSettings { trunk_avoidance: 1.0, ..HumanoidSettings::default() },
            HANDS,
            Places::Round,
            None,
        ),
        alone("humanoid_all", Start::Bent, 0.5, true),
        alone("humanoid_all_t_pose", Start::TPose, 0.5, true),
        in_step("humanoid_all", 0.5, true),
    ]
}
