//! How much goals of a humanoid count beside one another in the whole-body solver.

use sinew::animator::{Animator, StateHash};
use sinew::humanoid::{BodyEffector, BodySolverMode, BodySolverSettings, GoalPriority, HumanBone, IkGoal, IkGoalInput};
use sinew::math::{Vec3, axis_angle};
use testkit::characters::{self, joint, pose, set_pose};
use testkit::idle::idle_pose_of;
use testkit::matchers::{self, wide};
use testkit::person::{Person, PersonOptions, person};

const HANDS: [IkGoal; 2] = [IkGoal::LeftHand, IkGoal::RightHand];
const FEET: [IkGoal; 2] = [IkGoal::LeftFoot, IkGoal::RightFoot];

fn at(animator: &Animator, goal: IkGoal) -> [f64; 3] {
    characters::world(animator)[joint(animator, goal.bones()[2])].position
}

fn usual() -> Person {
    person(&PersonOptions::default())
}

/// A person at ease with the solver on.
fn standing(person: &Person) -> Animator {
    let mut animator = characters::animator(person, 0.0);
    let settings = BodySolverSettings { mode: BodySolverMode::Converge, ..BodySolverSettings::default() };
    animator.set_body_solver(&settings).unwrap();
    set_pose(&mut animator, &idle_pose_of(person.view(), 0.7));
    animator
}

/// Hands are pulled out of reach: up and forward, and apart. Returns their goals.
fn pull(animator: &mut Animator, person: &Person, apart: f32) -> [Vec3; 2] {
    let axes = person.axes;
    [-1.0, 1.0].map(|side| {
        let goal = HANDS[usize::from(side > 0.0)];
        let ahead = axes.up * (1.4 - apart) + axes.forward * (0.8 - 0.5 * apart);
        let to = animator.ik_position(goal).unwrap() + axes.right * (apart * side) + ahead;
        animator.set_ik_position(goal, to).unwrap();
        animator.set_ik_position_weight(goal, 1.0).unwrap();
        to
    })
}

/// How far the hands are off their goals, metres.
fn missed(animator: &Animator, goals: [Vec3; 2]) -> [f64; 2] {
    [0, 1].map(|i| matchers::distance(at(animator, HANDS[i]), wide(goals[i])))
}

#[test]
fn of_two_hands_out_of_reach_the_more_important_one_ends_nearer() {
    let person = usual();
    let solve = |importance: [f32; 2]| {
        let mut animator = standing(&person);
        let goals = pull(&mut animator, &person, 0.9);
        for (goal, position_importance) in HANDS.into_iter().zip(importance) {
            let priority = GoalPriority { position_importance, ..GoalPriority::of_goal(goal) };
            animator.set_ik_goal_priority(goal, &priority).unwrap();
        }
        animator.solve().unwrap();
        missed(&animator, goals)
    };
    let even = solve([1.0, 1.0]);
    for (first, importance) in [(0, [10.0, 1.0]), (1, [1.0, 10.0]), (0, [1.0, 0.1])] {
        let off = solve(importance);
        assert!(off[first] < even[first] - 0.02, "{importance:?}: {off:?}, without it {even:?}");
        assert!(off[1 - first] > even[1 - first] + 0.02, "{importance:?}: {off:?}, without it {even:?}");
    }
    // Where nothing opposes, the least importance is obeyed.
    let mut animator = standing(&person);
    let to = animator.ik_position(IkGoal::LeftHand).unwrap() + person.axes.up * 0.2;
    animator.set_ik_position(IkGoal::LeftHand, to).unwrap();
    animator.set_ik_position_weight(IkGoal::LeftHand, 1.0).unwrap();
    let priority = GoalPriority { position_importance: 0.01, ..GoalPriority::of_goal(IkGoal::LeftHand) };
    animator.set_ik_goal_priority(IkGoal::LeftHand, &priority).unwrap();
    animator.solve().unwrap();
    let off = matchers::distance(at(&animator, IkGoal::LeftHand), wide(to));
    assert!(off < 1e-3, "{off} m off");
}

#[test]
fn importances_are_ratios_within_a_level_however_large() {
    let person = usual();
    let solve = |importance: [f32; 2]| {
        let mut animator = standing(&person);
        let goals = pull(&mut animator, &person, 0.9);
        let before = FEET.map(|foot| at(&animator, foot));
        for (goal, position_importance) in HANDS.into_iter().zip(importance) {
            let priority = GoalPriority { position_importance, ..GoalPriority::of_goal(goal) };
            animator.set_ik_goal_priority(goal, &priority).unwrap();
        }
        animator.solve().unwrap();
        let moved = [0, 1].map(|i| matchers::distance(at(&animator, FEET[i]), before[i]));
        (missed(&animator, goals), moved[0].max(moved[1]))
    };
    let mut last = solve([1.0, 1.0]).0[0];
    for ratio in [3.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6] {
        let (off, moved) = solve([ratio, 1.0]);
        let (same, _) = solve([1.0, 1.0 / ratio]);
        println!("{ratio}: {off:?}, {same:?} by the other's importance; feet moved by {moved} m");
        assert!(off[0] < last + 2e-3, "{ratio}: {off:?}, {last} at less");
        assert!((off[0] - same[0]).abs() < 2e-3, "{ratio}: {off:?}, the same ratio {same:?}");
        assert!(moved < 2e-4, "{ratio}: feet moved by {moved} m");
        last = off[0];
    }
}

#[test]
fn goals_of_a_level_give_way_to_those_of_lower_levels() {
    let person = usual();
    let solve = |hands: Option<u8>, feet: Option<u8>| {
        let mut animator = standing(&person);
        let before = FEET.map(|foot| at(&animator, foot));
        let goals = pull(&mut animator, &person, 0.0);
        for (ends, level) in [(HANDS, hands), (FEET, feet)] {
            for (goal, level) in ends.into_iter().filter_map(|goal| Some((goal, level?))) {
                animator.set_ik_goal_priority(goal, &GoalPriority { level, ..GoalPriority::of_goal(goal) }).unwrap();
            }
        }
        animator.solve().unwrap();
        let moved = [0, 1].map(|i| matchers::distance(at(&animator, FEET[i]), before[i]));
        (moved[0].max(moved[1]), missed(&animator, goals).into_iter().fold(0.0, f64::max))
    };
    for (hands, feet) in [(None, None), (Some(1), Some(0)), (Some(3), Some(0)), (Some(3), Some(1))] {
        let (moved, off) = solve(hands, feet);
        assert!(moved < 1e-4, "hands {hands:?}, feet {feet:?}: the feet moved by {moved} m");
        assert!(off > 0.05, "the hands are in reach");
    }
    let (_, usual) = solve(None, None);
    let (moved, off) = solve(Some(0), Some(1));
    assert!(moved > 0.05 && off < usual - 0.05, "hands first: feet {moved} m, hands {off} m, else {usual} m");
    let (moved, off) = solve(Some(0), Some(0));
    assert!(moved > 1e-3 && off < usual - 1e-3, "one level: feet {moved} m, hands {off} m, else {usual} m");
}

#[test]
fn another_level_keeps_what_track_mode_remembers() {
    let person = usual();
    let mut animator = standing(&person);
    let settings = BodySolverSettings { mode: BodySolverMode::Track, ..BodySolverSettings::default() };
    animator.set_body_solver(&settings).unwrap();
    let start = pose(&animator);
    let goals = pull(&mut animator, &person, 0.5);
    let mut last: Option<Vec<[f64; 3]>> = None;
    let (mut before, mut after) = (0.0_f64, 0.0_f64);
    for frame in 0..240 {
        if frame == 120 {
            let priority = GoalPriority { level: 2, ..GoalPriority::of_goal(IkGoal::LeftHand) };
            animator.set_ik_goal_priority(IkGoal::LeftHand, &priority).unwrap();
        }
        set_pose(&mut animator, &start);
        animator.advance(1.0 / 60.0);
        animator.solve().unwrap();
        let now: Vec<_> = characters::world(&animator).iter().map(|space| space.position).collect();
        if let Some(last) = &last {
            let step = now.iter().zip(last).map(|(a, b)| matchers::distance(*a, *b)).fold(0.0, f64::max);
            if (60..120).contains(&frame) {
                before = before.max(step);
            } else if frame >= 120 {
                after = after.max(step);
            }
        }
        last = Some(now);
    }
    println!("{before} m a frame before, {after} m after; hands {:?} m off", missed(&animator, goals));
    assert!(before < 5e-3, "it does not come to rest: {before} m a frame");
    assert!(after < 0.25, "a joint jumps by {after} m");
    let off = missed(&animator, goals);
    assert!(off[0] > off[1] + 0.05, "the other level does not count: {off:?}");
}

#[test]
fn rotations_have_importances_of_their_own() {
    let person = usual();
    // A chest that turns against shoulders that stay.
    let solve = |rotation_importance: f32| {
        let mut animator = standing(&person);
        let stays = IkGoalInput { position_weight: 1.0, ..IkGoalInput::default() };
        for shoulder in [BodyEffector::LeftShoulder, BodyEffector::RightShoulder] {
            animator.set_body_effector(shoulder, &stays).unwrap();
        }
        let bones = [HumanBone::UpperChest, HumanBone::Chest, HumanBone::Spine];
        let chest = bones.into_iter().find_map(|bone| animator.bone_joint(bone).unwrap()).unwrap();
        let now = characters::world(&animator)[chest];
        let [x, y, z] = [0, 1, 2].map(|axis| matchers::vec3(now.axis(axis)));
        let rotation = axis_angle(person.axes.up, 0.5)
            * sinew::math::Quat::from_mat3(&sinew::math::Mat3::from_cols(x, y, z)).normalize();
        let turns = IkGoalInput { rotation: Some(rotation), rotation_weight: 1.0, ..IkGoalInput::default() };
        animator.set_body_effector(BodyEffector::Chest, &turns).unwrap();
        let priority = GoalPriority { rotation_importance, ..GoalPriority::EFFECTOR };
        animator.set_body_effector_priority(BodyEffector::Chest, &priority).unwrap();
        animator.solve().unwrap();
        let shoulder = animator.body_effector_outcome(BodyEffector::LeftShoulder).unwrap().residual_m;
        (animator.body_effector_outcome(BodyEffector::Chest).unwrap().residual_rad, shoulder)
    };
    let (low, even, high) = (solve(0.05), solve(1.0), solve(20.0));
    assert!(low.0 > even.0 + 0.02 && even.0 > high.0 + 0.02, "turns off by {low:?}, {even:?}, {high:?}");
    assert!(low.1 < even.1 && even.1 < high.1, "shoulders off by {low:?}, {even:?}, {high:?}");
}

#[test]
fn default_priorities_leave_every_bit() {
    let person = usual();
    let mut plain = standing(&person);
    let mut given = standing(&person);
    let hash = |animator: &Animator| {
        let mut hash = StateHash::default();
        animator.hash_state(&mut hash);
        hash.finish()
    };
    let odd = GoalPriority { position_importance: 4.0, rotation_importance: 0.5, level: 2 };
    given.set_ik_goal_priority(IkGoal::LeftFoot, &odd).unwrap();
    given.set_body_effector_priority(BodyEffector::Head, &odd).unwrap();
    assert_eq!(given.ik_goal_priority(IkGoal::LeftFoot).unwrap(), odd);
    assert_eq!(given.body_effector_priority(BodyEffector::Head).unwrap(), odd);
    assert_ne!(hash(&plain), hash(&given));
    given.reset_ik().unwrap();
    assert_eq!(given.ik_goal_priority(IkGoal::LeftFoot).unwrap(), GoalPriority::of_goal(IkGoal::LeftFoot));
    assert_eq!(given.body_effector_priority(BodyEffector::Head).unwrap(), GoalPriority::EFFECTOR);
    for goal in IkGoal::ALL {
        given.set_ik_goal_priority(goal, &GoalPriority::of_goal(goal)).unwrap();
    }
    assert_eq!(hash(&plain), hash(&given));
    for animator in [&mut plain, &mut given] {
        pull(animator, &person, 0.9);
        animator.solve().unwrap();
    }
    matchers::assert_pose_bits_equal(&pose(&plain), &pose(&given));
    // Out of range: the nearest number of the range.
    let wild = GoalPriority { position_importance: f32::NAN, rotation_importance: -1.0, level: 9 };
    given.set_ik_goal_priority(IkGoal::LeftHand, &wild).unwrap();
    let kept = GoalPriority { position_importance: 1.0, rotation_importance: 1e-6, level: 3 };
    assert_eq!(given.ik_goal_priority(IkGoal::LeftHand).unwrap(), kept);
}

#[test]
fn priorities_count_whenever_they_are_set() {
    // Before the solver is on or while it is; before or after the goal has a space.
    let person = usual();
    let goal = IkGoal::LeftHand;
    let priority = GoalPriority { position_importance: 10.0, ..GoalPriority::of_goal(goal) };
    let solve = |first: bool, has_space: bool| {
        let mut animator = standing(&person);
        let settings = *animator.body_solver().unwrap();
        if first {
            animator.set_body_solver(&BodySolverSettings::default()).unwrap();
            animator.set_ik_goal_priority(goal, &priority).unwrap();
            animator.set_body_solver(&settings).unwrap();
        }
        let head = animator.bone_joint(HumanBone::Head).unwrap();
        animator.set_ik_goal_space(goal, head.filter(|_| has_space)).unwrap();
        if !first {
            animator.set_ik_goal_priority(goal, &priority).unwrap();
        }
        for (goal, way) in HANDS.into_iter().zip([-1.0, 1.0]) {
            let to = animator.ik_position(goal).unwrap() + person.axes.right * way;
            animator.set_ik_position(goal, to).unwrap();
            animator.set_ik_position_weight(goal, 1.0).unwrap();
        }
        animator.solve().unwrap();
        (pose(&animator), animator.ik_outcome(goal).unwrap().residual_m)
    };
    for has_space in [false, true] {
        let (before, after) = (solve(true, has_space), solve(false, has_space));
        matchers::assert_pose_bits_equal(&before.0, &after.0);
    }
}
