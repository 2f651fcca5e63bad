//! Where elbows and knees go without hints when `bend_weight` is on: as the formula of
//! `src/humanoid/posture.rs` has it, computed here once more in `f64`; continuous, and nothing
//! where a goal changes nothing.

#![allow(clippy::disallowed_methods)] // a judge in f64, not a pose

use sinew::animator::Animator;
use sinew::humanoid::{HumanoidSettings, IkGoal, IkHint};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use testkit::Random;
use testkit::characters::{self, Facing64, joint, pose, set_pose, world};
use testkit::continuity::{self, SmoothPath};
use testkit::matchers::{self, vec3, wide};
use testkit::person::{Person, PersonOptions, person};

pub type V = [f64; 3];

pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
pub fn mix(a: V, x: f64, b: V, y: f64) -> V {
    [0, 1, 2].map(|i| a[i] * x + b[i] * y)
}
fn unit(a: V) -> V {
    let size = dot(a, a).sqrt();
    a.map(|x| x / size)
}
fn across(a: V, line: V) -> V {
    mix(a, 1.0, line, -dot(a, line) / dot(line, line))
}

fn natural(animator: &mut Animator, bend_weight: f32) {
    animator.set_settings(&HumanoidSettings { bend_weight, ..Default::default() }).unwrap();
}

pub fn set_goal(animator: &mut Animator, goal: IkGoal, position: Vec3, rotation: Option<Quat>, weight: f32) {
    animator.set_ik_position(goal, position).unwrap();
    animator.set_ik_position_weight(goal, weight).unwrap();
    if let Some(rotation) = rotation {
        animator.set_ik_rotation(goal, rotation).unwrap();
    }
    animator.set_ik_rotation_weight(goal, if rotation.is_some() { weight } else { 0.0 }).unwrap();
}

/// A pose with bent limbs.
fn bent(animator: &mut Animator, person: &Person, random: &mut Random) -> Vec<Transform> {
    let mut start = person.t_pose.clone();
    for goal in IkGoal::ALL {
        let [root, mid, end] = goal.bones().map(|b| joint(animator, b));
        start[root].rotation = (start[root].rotation * small(random, 0.9)).normalize();
        start[mid].rotation = (start[mid].rotation * small(random, 1.4)).normalize();
        start[end].rotation = (start[end].rotation * small(random, 0.5)).normalize();
    }
    set_pose(animator, &start);
    start
}

fn small(random: &mut Random, most: f32) -> Quat {
    axis_angle(random.unit_vector(), random.between(0.1, most))
}

/// The swivel of the formula, radians, for a limb that the T-pose has straight and a goal far from
/// it, and the reference side and the one across it.
fn expected(animator: &Animator, goal: IkGoal, spaces: &[matchers::Affine64], turned: bool) -> (f64, V, V) {
    let joints = goal.bones().map(|b| joint(animator, b));
    let [root, mid, end] = joints.map(|j| spaces[j].position);
    let skeleton = animator.skeleton();
    let parent = skeleton.parent(joints[0]).unwrap();
    let [right, up, forward] = Facing64::new(animator.avatar().unwrap(), parent).now(spaces);
    let is_left = matches!(goal, IkGoal::LeftFoot | IkGoal::LeftHand);
    let out = if is_left { right.map(|x| -x) } else { right };
    let body = |o: f64, u: f64, f: f64| unit(mix(mix(out, o, up, u), 1.0, forward, f));
    let (centre, usual) =
        if goal.is_foot() { (body(0.0, -1.0, 0.3), forward) } else { (body(0.5, -0.5, 0.7), body(0.0, -1.0, 0.0)) };
    let line = mix(end, 1.0, root, -1.0);
    let along = unit(line);
    let start = unit(across(usual, centre));
    let sum = mix(centre, 1.0, along, 1.0);
    let side = unit(across(mix(start, 1.0, sum, -2.0 * dot(start, along) / dot(sum, sum)), along));
    let handed = dot(cross(out, up), forward).signum();
    let beside = cross(along, side).map(|x| x * handed);
    let whole = matchers::distance(root, mid) + matchers::distance(mid, end);
    let ahead = dot(line, forward) / whole;
    let [right, up, _] = Facing64::new(animator.avatar().unwrap(), joints[2]).now(spaces);
    let x = if is_left { right.map(|x| -x) } else { right };
    let terms = [1.0, ahead, dot(x, side), dot(x, beside), dot(up, side), dot(up, beside)];
    let numbers: &[f64] = match (goal.is_foot(), turned) {
        (false, true) => &[0.479, 0.429, 0.019, -0.364, -0.165, -0.212],
        (true, true) => &[-0.037, -0.047, 0.508, -0.078, -0.072, 0.568],
        (false, false) => &[0.488, 0.353],
        (true, false) => &[-0.053, -0.022],
    };
    (numbers.iter().zip(terms).map(|(c, t)| c * t).sum(), side, beside)
}

#[test]
fn a_straight_limb_bends_as_the_formula_has_it() {
    let mut random = Random::new(1);
    for (name, person) in characters::kinds() {
        // The formula is about angles, which uneven scales do not keep.
        if name.contains("Uneven") {
            continue;
        }
        let mut animator = characters::animator(&person, 0.0);
        natural(&mut animator, 1.0);
        for turned in [true, false] {
            for _ in 0..10 {
                set_pose(&mut animator, &person.t_pose);
                let spaces = world(&animator);
                for goal in IkGoal::ALL {
                    let [root, mid, end] = goal.bones().map(|b| spaces[joint(&animator, b)].position);
                    let whole = matchers::distance(root, mid) + matchers::distance(mid, end);
                    // Far from the T-pose and from the direction against the reach's centre.
                    let axes = Facing64::new(animator.avatar().unwrap(), 0).now(&spaces);
                    let to = [random.between(-0.3, 0.3), random.between(-0.5, 0.2), random.between(0.3, 0.6)];
                    let [right, up, forward] = axes;
                    let aim = mix(mix(right, f64::from(to[0]), up, f64::from(to[1])), 1.0, forward, f64::from(to[2]));
                    let position = mix(root, 1.0, aim, whole);
                    set_goal(&mut animator, goal, vec3(position), turned.then(|| random.rotation()), 1.0);
                }
                animator.solve().unwrap();
                let after = world(&animator);
                for goal in IkGoal::ALL {
                    let [root, mid, end] = goal.bones().map(|b| after[joint(&animator, b)].position);
                    let off = across(mix(mid, 1.0, root, -1.0), mix(end, 1.0, root, -1.0));
                    let (swivel, side, beside) = expected(&animator, goal, &after, turned);
                    let found = dot(off, beside).atan2(dot(off, side));
                    let error = (found - swivel).sin().abs() + (1.0 - (found - swivel).cos());
                    assert!(error < 2e-3, "{name} {goal:?} turned {turned}: {found} for {swivel}");
                }
            }
        }
    }
}

#[test]
fn a_goal_at_the_animated_place_and_weight_zero_change_nothing() {
    let mut random = Random::new(2);
    for (name, person) in characters::kinds() {
        let mut animator = characters::animator(&person, 0.0);
        natural(&mut animator, 1.0);
        for _ in 0..5 {
            let start = bent(&mut animator, &person, &mut random);
            let spaces = world(&animator);
            for goal in IkGoal::ALL {
                let end = joint(&animator, goal.bones()[2]);
                set_goal(&mut animator, goal, vec3(spaces[end].position), None, 1.0);
            }
            animator.solve().unwrap();
            let moved = matchers::max_joint_step_rad(&start, &pose(&animator));
            assert!(moved < 2e-3, "{name}: {moved}");
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
fn the_bend_is_continuous_in_goal_and_weight() {
    let mut random = Random::new(3);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    natural(&mut animator, 1.0);
    let mut clear = 0;
    for round in 0..12 {
        let start = if round % 2 == 0 { person.t_pose.clone() } else { bent(&mut animator, &person, &mut random) };
        set_pose(&mut animator, &start);
        let spaces = world(&animator);
        let ends = IkGoal::ALL.map(|goal| goal.bones().map(|b| spaces[joint(&animator, b)].position));
        let rotations = [(); 4].map(|()| random.rotation());
        let [_, up, forward] = Facing64::new(animator.avatar().unwrap(), 0).now(&spaces);
        // Before the shoulders and below the hips.
        let path = SmoothPath::random(&mut random, 4, Vec3::ZERO, 0.12);
        let goal_at = |goal: IkGoal, s: f64| {
            let [root, ..] = ends[goal.index()];
            let middle = match goal.is_foot() {
                true => mix(mix(root, 1.0, up, -0.6), 1.0, forward, 0.15),
                false => mix(mix(root, 1.0, up, -0.1), 1.0, forward, 0.35),
            };
            vec3(middle) + path.at(s)
        };
        let turn_at = |goal: IkGoal, s: f64| {
            (axis_angle(Vec3::new(0.6, 0.0, 0.8), s as f32 * 6.0) * rotations[goal.index()]).normalize()
        };
        let solve = |animator: &mut Animator, at: &dyn Fn(IkGoal) -> (Vec3, Quat, f32)| {
            set_pose(animator, &start);
            for goal in IkGoal::ALL {
                let (position, rotation, weight) = at(goal);
                set_goal(animator, goal, position, Some(rotation), weight);
            }
            animator.solve().unwrap();
            pose(animator)
        };
        let found =
            continuity::judge(300, 0.6, |s| solve(&mut animator, &|goal| (goal_at(goal, s), turn_at(goal, s), 1.0)));
        assert!(found.jump < 2e-3, "goal, {round}: {found:?}");
        let found = continuity::judge(300, 0.6, |s| {
            let weight = (s * s * s) as f32;
            solve(&mut animator, &|goal| (goal_at(goal, 0.5), rotations[goal.index()], weight))
        });
        assert!(found.jump < 2e-3, "weight, {round}: {found:?}");
        let near = solve(&mut animator, &|goal| (goal_at(goal, 0.5), rotations[goal.index()], 1e-5));
        // A straight limb bends with the root of the weight.
        let most = if round % 2 == 0 { 2e-2 } else { 5e-3 };
        assert!(matchers::max_joint_step_rad(&start, &near) < most, "{round}: hardly any weight moves much");
        clear += usize::from(found.step_rad > 1e-3);
    }
    assert!(clear > 0, "nothing moved");
}

#[test]
fn hints_outweigh_it_and_it_is_off_by_default() {
    assert_eq!(HumanoidSettings::default().bend_weight, 0.0);
    let mut random = Random::new(4);
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.0);
    let mut differ = 0.0f64;
    for _ in 0..20 {
        let start = bent(&mut animator, &person, &mut random);
        let spaces = world(&animator);
        let solved = |animator: &mut Animator, bend: f32, hinted: bool| {
            natural(animator, bend);
            set_pose(animator, &start);
            for (goal, hint) in IkGoal::ALL.into_iter().zip(IkHint::ALL) {
                let [root, _, end] = goal.bones().map(|b| spaces[joint(animator, b)].position);
                let middle = mix(root, 0.4, end, 0.6);
                let turned = mix(middle, 1.0, [0.05, -0.1, 0.1], 1.0);
                set_goal(animator, goal, vec3(turned), None, 1.0);
                animator.set_ik_hint_position(hint, vec3(mix(root, 1.0, wide(Vec3::new(0.3, 0.2, 0.7)), 1.0))).unwrap();
                animator.set_ik_hint_position_weight(hint, if hinted { 1.0 } else { 0.0 }).unwrap();
            }
            animator.solve().unwrap();
            let after = world(animator);
            IkGoal::ALL.map(|goal| after[joint(animator, goal.bones()[1])].position)
        };
        let (with, without) = (solved(&mut animator, 1.0, true), solved(&mut animator, 0.0, true));
        for (a, b) in with.into_iter().zip(without) {
            assert!(matchers::distance(a, b) < 1e-4, "{a:?} {b:?}");
        }
        let (with, without) = (solved(&mut animator, 1.0, false), solved(&mut animator, 0.0, false));
        differ = with.into_iter().zip(without).map(|(a, b)| matchers::distance(a, b)).fold(differ, f64::max);
    }
    assert!(differ > 0.02, "without hints it counts: {differ}");
}
