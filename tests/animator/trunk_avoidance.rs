//! Elbows outside of the trunk: where `trunk_avoidance` is on, hands stay and elbows leave it.

#![allow(clippy::disallowed_methods)] // a judge in f64, not a pose

use crate::posture::{V, dot, mix, set_goal};
use sinew::animator::Animator;
use sinew::humanoid::{HumanBone, HumanoidSettings, IkGoal, IkHint};
use sinew::math::{Transform, Vec3, axis_angle};
use testkit::Random;
use testkit::characters::{self, Facing64, joint, pose, set_pose, world};
use testkit::continuity::{self, SmoothPath};
use testkit::matchers::{self, vec3};
use testkit::person::{Person, PersonOptions, person};

const HANDS: [IkGoal; 2] = [IkGoal::LeftHand, IkGoal::RightHand];

/// The trunk of docs/animator.md in the pose of now, world space.
struct Trunk {
    low: V,
    line: V,
    side: V,
    half: f64,
}

impl Trunk {
    fn new(animator: &Animator) -> Self {
        let spaces = world(animator);
        let at = |bone| spaces[joint(animator, bone)].position;
        let (left, right, low) = (at(HumanBone::LeftUpperArm), at(HumanBone::RightUpperArm), at(HumanBone::Hips));
        let half = 0.5 * matchers::distance(left, right);
        let side = mix(left, 0.5 / half, right, -0.5 / half);
        Self { low, line: mix(mix(left, 0.5, right, 0.5), 1.0, low, -1.0), side, half }
    }
    /// 1 on its surface.
    fn ratio(&self, point: V) -> f64 {
        let from = mix(point, 1.0, self.low, -1.0);
        let along = (dot(from, self.line) / dot(self.line, self.line)).clamp(0.0, 1.0);
        let off = mix(from, 1.0, self.line, -along);
        let sideways = dot(off, self.side);
        let rest = mix(off, 1.0, self.side, -sideways);
        ((sideways / 0.9).powi(2) + dot(rest, rest) / 0.49).sqrt() / self.half
    }
}

fn avoid(animator: &mut Animator, trunk_avoidance: f32) {
    animator.set_settings(&HumanoidSettings { trunk_avoidance, ..Default::default() }).unwrap();
}

/// Arms that hang.
fn hanging(animator: &mut Animator, person: &Person) -> Vec<Transform> {
    set_pose(animator, &person.t_pose);
    let mut start = person.t_pose.clone();
    let [right, up, _] = Facing64::new(animator.avatar().unwrap(), 0).now(&world(animator)).map(vec3);
    for (goal, out) in HANDS.into_iter().zip([-right, right]) {
        let root = joint(animator, goal.bones()[0]);
        let world_from_root = animator.root().rotation * animator.pose().model(root).rotation;
        let axis = world_from_root.conjugate() * up.cross(out);
        start[root].rotation = (start[root].rotation * axis_angle(axis.normalize(), 1.3)).normalize();
    }
    set_pose(animator, &start);
    start
}

/// A place that people's hands are at: before the body or beside it, not in it.
fn place(animator: &Animator, trunk: &Trunk, goal: IkGoal, random: &mut Random) -> Vec3 {
    let spaces = world(animator);
    let [root, mid, end] = goal.bones().map(|bone| spaces[joint(animator, bone)].position);
    let whole = matchers::distance(root, mid) + matchers::distance(mid, end);
    let [right, up, forward] = Facing64::new(animator.avatar().unwrap(), 0).now(&spaces);
    let out = if goal == IkGoal::LeftHand { -1.0 } else { 1.0 };
    loop {
        let to = [random.between(-0.9, 0.5), random.between(-0.8, 0.5), random.between(-0.2, 0.8)].map(f64::from);
        let aim = mix(mix(right, out * to[0], up, to[1]), 1.0, forward, to[2]);
        let point = mix(root, 1.0, aim, whole);
        if matchers::distance(point, root) < 0.95 * whole && trunk.ratio(point) > 1.2 {
            return vec3(point);
        }
    }
}

#[test]
fn elbows_leave_the_trunk_and_hands_stay() {
    let mut random = Random::new(1);
    let (mut all, mut inside, mut left_inside) = (0, 0, 0);
    for (name, person) in characters::kinds() {
        let mut animator = characters::animator(&person, 0.0);
        for start in [person.t_pose.clone(), hanging(&mut animator, &person)] {
            set_pose(&mut animator, &start);
            // It is a tube of even thickness in model space, not in the world.
            let trunk = (!name.contains("Uneven")).then(|| Trunk::new(&animator));
            for number in 0..40 {
                let goals = HANDS.map(|goal| {
                    set_pose(&mut animator, &start);
                    place(&animator, &Trunk::new(&animator), goal, &mut random)
                });
                let turn = (number % 2 == 0).then(|| random.rotation());
                let mut solved = |on: f32| {
                    avoid(&mut animator, on);
                    set_pose(&mut animator, &start);
                    for (goal, place) in HANDS.into_iter().zip(goals) {
                        set_goal(&mut animator, goal, place, turn, 1.0);
                    }
                    animator.solve().unwrap();
                    world(&animator)
                };
                let (off, on) = (solved(0.0), solved(1.0));
                let size = matchers::distance(off[joint(&animator, HumanBone::Head)].position, off[0].position);
                for goal in HANDS {
                    let [_, mid, end] = goal.bones().map(|bone| joint(&animator, bone));
                    let moved = matchers::distance(off[end].position, on[end].position);
                    assert!(moved < 1e-5 * size.max(1.0), "{name} {goal:?}: the hand moved by {moved}");
                    let Some(trunk) = &trunk else { continue };
                    let [before, after] = [&off, &on].map(|spaces| trunk.ratio(spaces[mid].position));
                    // Between the sides it may be farther inside than it was.
                    assert!(before < 1.0 || after > 0.999, "{name} {goal:?}: {before} -> {after}");
                    all += 1;
                    inside += usize::from(before < 0.99);
                    left_inside += usize::from(after < 0.99);
                }
            }
        }
    }
    println!("{inside} of {all} inside, {left_inside} with trunk_avoidance");
    assert!(20 * inside > all, "{inside} of {all}: the test has hardly a case");
    assert!(10 * left_inside < inside, "{left_inside} of {inside} are still inside");
}

#[test]
fn it_is_continuous_in_goal_weight_and_setting() {
    let mut random = Random::new(2);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let mut inside = 0;
    for round in 0..16 {
        let start = if round % 2 == 0 { person.t_pose.clone() } else { hanging(&mut animator, &person) };
        set_pose(&mut animator, &start);
        let trunk = Trunk::new(&animator);
        let spaces = world(&animator);
        let [right, up, forward] = Facing64::new(animator.avatar().unwrap(), 0).now(&spaces);
        let path = SmoothPath::random(&mut random, 4, Vec3::ZERO, 0.25);
        let turn = random.rotation();
        let goal_at = |goal: IkGoal, s: f64| {
            let root = spaces[joint_of(&animator, goal)].position;
            let inward = if goal == IkGoal::LeftHand { 0.2 } else { -0.2 };
            let middle = mix(mix(root, 1.0, right, inward), 1.0, mix(up, -0.1, forward, 0.22), 1.0);
            vec3(middle) + path.at(s)
        };
        let places: Vec<_> = (0..=300).map(|i| HANDS.map(|goal| goal_at(goal, f64::from(i) / 300.0))).collect();
        let place_at = |s: f64| {
            let at = s * 300.0;
            let number = (at as usize).min(299);
            [0, 1].map(|hand| places[number][hand].lerp(places[number + 1][hand], (at - number as f64) as f32))
        };
        let solve = |animator: &mut Animator, on: f32, goals: [Vec3; 2], weight: f32| {
            avoid(animator, on);
            set_pose(animator, &start);
            for (goal, place) in HANDS.into_iter().zip(goals) {
                set_goal(animator, goal, place, Some(turn), weight);
            }
            animator.solve().unwrap();
            pose(animator)
        };
        let along = continuity::judge(300, 0.6, |s| solve(&mut animator, 1.0, place_at(s), 1.0));
        assert!(along.jump < 2e-3, "goal, {round}: {along:?}");
        let by_weight = continuity::judge(300, 0.6, |s| solve(&mut animator, 1.0, place_at(0.5), s as f32));
        assert!(by_weight.jump < 2e-3, "weight, {round}: {by_weight:?}");
        let by_setting = continuity::judge(100, 0.6, |s| solve(&mut animator, s as f32, place_at(0.5), 1.0));
        assert!(by_setting.jump < 2e-3, "setting, {round}: {by_setting:?}");
        for number in 0..=20 {
            solve(&mut animator, 0.0, place_at(f64::from(number) / 20.0), 1.0);
            let elbows = HANDS.map(|goal| world(&animator)[joint(&animator, goal.bones()[1])].position);
            inside += elbows.iter().filter(|elbow| trunk.ratio(**elbow) < 1.0).count();
        }
    }
    println!("{inside} of {} elbows inside without it", 16 * 21 * 2);
    assert!(inside > 20, "{inside}: hardly an elbow was inside");
}

fn joint_of(animator: &Animator, goal: IkGoal) -> usize {
    joint(animator, goal.bones()[0])
}

#[test]
fn goals_at_the_animated_place_and_weights_of_zero_change_nothing() {
    let mut random = Random::new(3);
    for (name, person) in characters::kinds() {
        let mut animator = characters::animator(&person, 0.0);
        avoid(&mut animator, 1.0);
        for round in 0..10 {
            let mut start = hanging(&mut animator, &person);
            // Elbows anywhere, also in the trunk.
            for goal in HANDS {
                let [root, mid, _] = goal.bones().map(|bone| joint(&animator, bone));
                for (at, most) in [(root, 1.5), (mid, 1.4)] {
                    let turn = axis_angle(random.unit_vector(), random.between(0.1, most));
                    start[at].rotation = (start[at].rotation * turn).normalize();
                }
            }
            set_pose(&mut animator, &start);
            let spaces = world(&animator);
            for goal in HANDS {
                let end = joint(&animator, goal.bones()[2]);
                set_goal(&mut animator, goal, vec3(spaces[end].position), None, 1.0);
            }
            animator.solve().unwrap();
            let moved = matchers::max_joint_step_rad(&start, &pose(&animator));
            assert!(moved < 3e-3, "{name}, {round}: {moved}");
            for goal in IkGoal::ALL {
                set_goal(&mut animator, goal, random.in_ball(1.0), Some(random.rotation()), 0.0);
            }
            set_pose(&mut animator, &start);
            animator.solve().unwrap();
            matchers::assert_pose_bits_equal(&start, &pose(&animator));
        }
    }
}

#[test]
fn hints_outweigh_it_feet_have_none_and_it_is_off_by_default() {
    assert_eq!(HumanoidSettings::default().trunk_avoidance, 0.0);
    let mut random = Random::new(4);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let start = hanging(&mut animator, &person);
    let trunk = Trunk::new(&animator);
    let mut most = 0.0_f32;
    for _ in 0..60 {
        set_pose(&mut animator, &start);
        let goals = HANDS.map(|goal| place(&animator, &trunk, goal, &mut random));
        let foot = vec3(world(&animator)[joint(&animator, HumanBone::LeftFoot)].position) + random.in_ball(0.2);
        let mut solved = |on: f32, hint: f32| {
            avoid(&mut animator, on);
            set_pose(&mut animator, &start);
            set_goal(&mut animator, IkGoal::LeftFoot, foot, None, 1.0);
            for ((goal, hint_of), at) in HANDS.into_iter().zip([IkHint::LeftElbow, IkHint::RightElbow]).zip(goals) {
                set_goal(&mut animator, goal, at, None, 1.0);
                animator.set_ik_hint_position(hint_of, Vec3::new(0.0, 1.2, 0.0)).unwrap();
                animator.set_ik_hint_position_weight(hint_of, hint).unwrap();
            }
            animator.solve().unwrap();
            pose(&animator)
        };
        let (on, off) = (solved(1.0, 1.0), solved(0.0, 1.0));
        assert!(matchers::max_joint_step_rad(&on, &off) < 1e-6, "a hint counts less");
        let (on, off) = (solved(1.0, 0.0), solved(0.0, 0.0));
        let turned = |at: usize| sinew::math::rotation_angle(on[at].rotation * off[at].rotation.conjugate());
        for bone in [HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot] {
            assert!(turned(joint(&animator, bone)) < 1e-6, "{bone:?} moved");
        }
        most = most.max(turned(joint(&animator, HumanBone::LeftUpperArm)));
    }
    assert!(most > 0.3, "without hints it counts: {most}");
}

#[test]
fn limits_hold_with_it_and_hands_are_as_near() {
    let mut random = Random::new(5);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let start = hanging(&mut animator, &person);
    let trunk = Trunk::new(&animator);
    let mut solved = |on: f32, goals: [Vec3; 2]| {
        let settings = HumanoidSettings { trunk_avoidance: on, limits_enabled: true, ..Default::default() };
        animator.set_settings(&settings).unwrap();
        set_pose(&mut animator, &start);
        for (goal, place) in HANDS.into_iter().zip(goals) {
            set_goal(&mut animator, goal, place, None, 1.0);
        }
        animator.solve().unwrap();
        let spaces = world(&animator);
        HANDS.map(|goal| {
            let [root, mid, end] = goal.bones().map(|bone| joint(&animator, bone));
            let beyond = [root, mid].map(|at| animator.joint_violation_rad(at).unwrap());
            (beyond[0].max(beyond[1]), spaces[mid].position, spaces[end].position)
        })
    };
    let (mut inside, mut left_inside, mut farther) = (0, 0, 0);
    for _ in 0..200 {
        let mut other = characters::animator(&person, 0.0);
        set_pose(&mut other, &start);
        let goals = HANDS.map(|goal| place(&other, &trunk, goal, &mut random));
        let (off, on) = (solved(0.0, goals), solved(1.0, goals));
        for hand in 0..2 {
            assert!(on[hand].0 < off[hand].0.max(2e-3), "limits are exceeded by {} rad", on[hand].0);
            let miss = |of: &[(f32, V, V); 2]| matchers::distance(of[hand].2, matchers::wide(goals[hand]));
            farther += usize::from(miss(&on) > miss(&off) + 0.02);
            inside += usize::from(trunk.ratio(off[hand].1) < 0.99);
            left_inside += usize::from(trunk.ratio(on[hand].1) < 0.99);
        }
    }
    println!("{inside} of 400 inside, {left_inside} with trunk_avoidance; {farther} hands farther");
    assert!(2 * left_inside < inside && farther < 8, "{inside}, {left_inside}, {farther}");
}
