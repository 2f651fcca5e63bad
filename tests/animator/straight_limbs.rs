//! Limbs that are straight except for a few degrees, as in captured motion: the side to which they
//! bend.

use core::f64::consts::PI;
use sinew::animator::Animator;
use sinew::humanoid::{IkGoal, IkHint};
use sinew::math::{Transform, Vec3, axis_angle};
use testkit::Random;
use testkit::characters::{self, Facing64, joint, pose, set_pose};
use testkit::continuity::{self, SmoothPath};
use testkit::matchers;
use testkit::person::{Person, PersonOptions, Units, person};

const STRETCH: f32 = 0.05;

fn people() -> [Person; 3] {
    let plain = PersonOptions::default();
    let odd = PersonOptions { bone_rolls: testkit::BoneRolls::Random(4), ..PersonOptions::gltf() };
    [person(&plain), person(&odd), person(&PersonOptions { units: Units::Centimetres, ..plain })]
}

/// Rig units in a metre.
fn metre(person: &Person) -> f64 {
    f64::from(person.options.units.per_metre())
}

/// The rest pose with the knees bent backwards and the elbows forward by `angle` radians, about an
/// axis off by `off` radians.
fn hyperextended(animator: &mut Animator, person: &Person, angle: f32, off: f32) -> Vec<Transform> {
    set_pose(animator, &person.t_pose);
    let skeleton = animator.skeleton().clone();
    let axes = *animator.avatar().unwrap().axes();
    for goal in IkGoal::ALL {
        let [root, mid, end] = goal.bones().map(|b| joint(animator, b));
        let pose = animator.pose_mut();
        pose.update(&skeleton);
        let at = |j: usize| pose.model(j).position;
        let (upper, lower) = ((at(mid) - at(root)).normalize(), (at(end) - at(mid)).normalize());
        let side = if goal.is_foot() { axes.forward } else { -axes.forward };
        let hinge = axis_angle(upper, off) * lower.cross(side).normalize();
        let straight = sinew::math::arc(lower, upper);
        let rotation = axis_angle(hinge, angle) * straight * pose.model(mid).rotation;
        pose.set_rotation_ms(&skeleton, mid, rotation.normalize());
    }
    pose(animator)
}

fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

fn across(v: [f64; 3], line: [f64; 3]) -> [f64; 3] {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let part = dot(v, line) / dot(line, line);
    [0, 1, 2].map(|i| v[i] - part * line[i])
}

/// Ends this far towards their roots, metres.
fn targets(animator: &Animator, person: &Person, nearer: f64) -> [Vec3; 4] {
    let spaces = characters::world(animator);
    IkGoal::ALL.map(|goal| {
        let [root, _, end] = goal.bones().map(|b| spaces[joint(animator, b)].position);
        let part = nearer * metre(person) / matchers::distance(root, end);
        narrow([0, 1, 2].map(|i| end[i] + part * (root[i] - end[i])))
    })
}

fn solve(animator: &mut Animator, start: &[Transform], targets: &[Vec3; 4], weight: f32) {
    set_pose(animator, start);
    for goal in IkGoal::ALL {
        animator.set_ik_position(goal, targets[goal.index()]).unwrap();
        animator.set_ik_position_weight(goal, weight).unwrap();
    }
    animator.solve().unwrap();
}

#[test]
fn hyperextended_knees_and_elbows_bend_as_people_do() {
    for person in people() {
        let mut animator = characters::animator(&person, STRETCH);
        for degrees in [0.02f32, 0.3, 1.0, 3.0, 4.5] {
            for off in [0.0, 1e-4, -0.3, 1.0, -2.0] {
                let start = hyperextended(&mut animator, &person, degrees.to_radians(), off);
                let targets = targets(&animator, &person, 0.1);
                solve(&mut animator, &start, &targets, 1.0);
                let after = characters::world(&animator);
                for goal in IkGoal::ALL {
                    let joints = goal.bones().map(|b| joint(&animator, b));
                    let [root, mid, end] = joints.map(|j| after[j].position);
                    let [_, up, forward] = Facing64::new(animator.avatar().unwrap(), joints[0]).now(&after);
                    let side = if goal.is_foot() { forward } else { [0, 1, 2].map(|i| -forward[i] - 0.3 * up[i]) };
                    // Seen along the upper bone: the side the lower bone folds away from.
                    let upper = [0, 1, 2].map(|i| mid[i] - root[i]);
                    let fold = across([0, 1, 2].map(|i| mid[i] - end[i]), upper);
                    let angle = matchers::direction_angle_rad(fold, across(side, upper));
                    assert!(angle < 0.25 * PI, "{degrees} deg, {off}: {goal:?} {:.0} deg off", angle.to_degrees());
                    // The upper bone did not roll: its forward is still forward, but for the bend.
                    let before = matchers::forward_kinematics(&person.skeleton, &start);
                    let rolled = [0, 1, 2]
                        .map(|i| matchers::direction_angle_rad(before[joints[0]].axis(i), after[joints[0]].axis(i)))
                        .into_iter()
                        .fold(0.0, f64::max);
                    assert!(rolled < 0.9, "{degrees} deg, {off}: {goal:?} rolled by {rolled}");
                }
            }
        }
    }
}

#[test]
fn the_way_there_is_continuous_and_starts_at_the_pose() {
    let mut random = Random::new(3);
    for person in people() {
        let mut animator = characters::animator(&person, STRETCH);
        let size = metre(&person) as f32;
        for degrees in [0.01f32, 0.5, 3.0, 6.0, 8.0] {
            for off in [0.0, 0.4] {
                let start = hyperextended(&mut animator, &person, degrees.to_radians(), off);
                let targets = targets(&animator, &person, 0.1);
                solve(&mut animator, &start, &targets, 0.0);
                matchers::assert_pose_bits_equal(&start, &pose(&animator));
                solve(&mut animator, &start, &targets, 1e-5);
                let moved = matchers::max_joint_step_rad(&start, &pose(&animator));
                assert!(moved < 5e-3, "{degrees} {off}: {moved} at hardly any weight");
                let found = continuity::judge(200, size, |s| {
                    solve(&mut animator, &start, &targets, (s * s * s) as f32);
                    pose(&animator)
                });
                assert!(found.jump < 2e-3, "weight, {degrees} {off}: {found:?}");
                let path = SmoothPath::random(&mut random, 4, Vec3::ZERO, 0.15 * size);
                let found = continuity::judge(200, size, |s| {
                    solve(&mut animator, &start, &targets.map(|t| t + path.at(s)), 1.0);
                    pose(&animator)
                });
                assert!(found.jump < 2e-3, "goal, {degrees} {off}: {found:?}");
            }
        }
    }
}

/// A knee or elbow given as its own hint counts in full, however straight the limb is.
#[test]
fn a_joint_is_its_own_hint() {
    for person in people() {
        let mut animator = characters::animator(&person, 0.0);
        for degrees in [0.1f32, 0.5, 2.0, 5.0, 20.0] {
            let start = hyperextended(&mut animator, &person, degrees.to_radians(), 0.7);
            let spaces = characters::world(&animator);
            let targets = targets(&animator, &person, 0.0);
            let other = hyperextended(&mut animator, &person, -0.5, 0.0);
            let knees = IkHint::ALL.map(|hint| spaces[joint(&animator, hint.goal().bones()[1])].position);
            for hint in IkHint::ALL {
                animator.set_ik_hint_position(hint, narrow(knees[hint.index()])).unwrap();
                animator.set_ik_hint_position_weight(hint, 1.0).unwrap();
            }
            for from in [&start, &other] {
                solve(&mut animator, from, &targets, 1.0);
                let now = characters::world(&animator);
                for hint in IkHint::ALL {
                    let at = now[joint(&animator, hint.goal().bones()[1])].position;
                    let off = matchers::distance(at, knees[hint.index()]) / metre(&person);
                    assert!(off < 1e-3, "{degrees} {hint:?}: {off:e} m");
                }
            }
        }
    }
}

/// A captured knee passes the line from hip to foot by a few millimetres, up to 2° to either side:
/// the thigh does not roll, and the knee is at its hint.
#[test]
fn a_hint_that_passes_the_line_does_not_roll_the_limb() {
    for person in people() {
        let mut animator = characters::animator(&person, 0.0);
        for (off, turned) in [(0.0, 0.0), (0.7, 0.0), (-0.4, 0.3)] {
            let mut start = hyperextended(&mut animator, &person, -0.5, 0.0);
            for goal in IkGoal::ALL {
                let root = &mut start[joint(&animator, goal.bones()[0])].rotation;
                *root = (axis_angle(Vec3::X, turned) * *root).normalize();
            }
            let mut last: Option<Vec<Transform>> = None;
            for step in -8..=8 {
                let degrees = 0.25 * step as f32 + 0.05;
                let captured = hyperextended(&mut animator, &person, degrees.to_radians(), off);
                let spaces = matchers::forward_kinematics(&person.skeleton, &captured);
                let at = |j: usize| narrow(spaces[j].position);
                for hint in IkHint::ALL {
                    let mid = at(joint(&animator, hint.goal().bones()[1]));
                    animator.set_ik_hint_position(hint, mid).unwrap();
                    animator.set_ik_hint_position_weight(hint, 1.0).unwrap();
                }
                let targets = IkGoal::ALL.map(|goal| at(joint(&animator, goal.bones()[2])));
                solve(&mut animator, &start, &targets, 1.0);
                let solved = pose(&animator);
                let now = characters::world(&animator);
                for goal in IkGoal::ALL {
                    let [root, mid, end] = goal.bones().map(|b| joint(&animator, b));
                    for j in [mid, end] {
                        let left = matchers::distance(now[j].position, spaces[j].position) / metre(&person);
                        assert!(left < 1e-3, "{degrees} {off} {goal:?}: {left:e} m");
                    }
                    let rolled = last.as_ref().map_or(0.0, |last| {
                        let of = |pose: &[Transform]| pose[root].rotation.normalize();
                        sinew::math::rotation_angle(of(&solved) * of(last).conjugate())
                    });
                    assert!(rolled < 0.3, "{degrees} {off} {goal:?}: rolled by {rolled}");
                }
                last = Some(solved);
            }
        }
    }
}

/// Noise of a capture that wanders round straight, in every direction, below 2 % of the limb's
/// length: a limb that is clearly bent by its goal does not follow it.
#[test]
fn wandering_noise_makes_no_jump_in_a_bent_limb() {
    let mut random = Random::new(5);
    for person in people() {
        let mut animator = characters::animator(&person, STRETCH);
        let straight = hyperextended(&mut animator, &person, 0.0, 0.0);
        let targets = targets(&animator, &person, 0.1);
        let size = metre(&person) as f32;
        let joints = IkGoal::ALL.map(|goal| joint(&animator, goal.bones()[1]));
        for _ in 0..5 {
            let path = SmoothPath::random(&mut random, 6, Vec3::ZERO, 0.07);
            let found = continuity::judge(400, size, |s| {
                let mut start = straight.clone();
                let noise = path.at(s);
                for j in joints {
                    start[j].rotation = (axis_angle(noise.normalize(), noise.length()) * start[j].rotation).normalize();
                }
                solve(&mut animator, &start, &targets, 1.0);
                pose(&animator)
            });
            assert!(found.jump < 2e-3, "{found:?}");
        }
    }
}
