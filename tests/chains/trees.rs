//! FABRIK and coordinate descent on trees: several ends, joints that carry more than one of them,
//! limits inside the sweep; judged by forward kinematics in `f64`.

use sinew::chains::{
    Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Effector, solve,
};
use sinew::limits::{AxisLimits, Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::{Outcome, Status};
use testkit::Random;
use testkit::continuity::{self, SmoothPath};
use testkit::matchers::{self, Affine64};

const SWEEPS: [ChainSolver; 2] = [ChainSolver::Fabrik, ChainSolver::Ccd];

fn alone() -> ChainSettings {
    ChainSettings { finish: false, ..ChainSettings::default() }
}

/// A stem, `branches` branches from its last joint, and from the middle of the first of them
/// another one: two sub-bases.
fn tree(stem: usize, branches: usize, length: usize, model: JointModel, random: &mut Random) -> Chain {
    let mut joints: Vec<ChainJoint> = Vec::new();
    let mut add = |parent: Option<usize>, spread: f32, random: &mut Random| {
        let offset = Vec3::new(random.between(-spread, spread), random.between(0.25, 0.4), 0.0);
        let offset = if parent.is_none() { Vec3::ZERO } else { offset };
        joints.push(ChainJoint { parent, offset, rest: random.rotation_within(0.3), model });
        joints.len() - 1
    };
    let mut top = None;
    for _ in 0..stem {
        top = Some(add(top, 0.0, random));
    }
    let mut ends = Vec::new();
    let mut middle = 0;
    for branch in 0..branches {
        let mut last = top;
        for k in 0..length {
            last = Some(add(last, if k == 0 { 0.25 } else { 0.0 }, random));
            if branch == 0 && k == length / 2 {
                middle = last.unwrap_or(0);
            }
        }
        ends.extend(last);
    }
    let mut last = Some(middle);
    for _ in 0..length {
        last = Some(add(last, 0.2, random));
    }
    ends.extend(last);
    let effectors = ends.iter().map(|&joint| Effector { joint, offset: Vec3::Y * 0.2 });
    Chain::new(joints, effectors.collect()).unwrap()
}

/// Spaces of the joints, and the effectors' places.
fn places(chain: &Chain, pose: &ChainPose) -> (Vec<Affine64>, Vec<[f64; 3]>) {
    let root = Affine64::from_transform(&Transform::new(pose.root_position, pose.root_rotation));
    let mut spaces: Vec<Affine64> = Vec::new();
    for (joint, q) in chain.joints().iter().zip(&pose.rotations) {
        let outer = joint.parent.map_or(root, |p| spaces[p]);
        let rest = outer.then(&Affine64::from_transform(&Transform::new(joint.offset, joint.rest)));
        spaces.push(rest.then(&Affine64::from_transform(&Transform::new(Vec3::ZERO, *q))));
    }
    let tips = chain.effectors().iter().map(|e| spaces[e.joint].point(e.offset.to_array().map(f64::from)));
    let tips = tips.collect();
    (spaces, tips)
}

fn vec3(p: [f64; 3]) -> Vec3 {
    Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32)
}

/// Goals that a pose within `spread` radians of rest reaches.
fn witness(chain: &Chain, spread: f32, random: &mut Random) -> (Vec<ChainGoal>, ChainPose) {
    let mut pose = ChainPose::rest(chain);
    for (q, joint) in pose.rotations.iter_mut().zip(chain.joints()) {
        *q = joint.model.project(random.rotation_within(spread));
    }
    (places(chain, &pose).1.iter().map(|p| ChainGoal::at(vec3(*p))).collect(), pose)
}

fn miss(chain: &Chain, pose: &ChainPose, goals: &[ChainGoal]) -> f64 {
    let tips = places(chain, pose).1;
    let off = |(tip, goal): (&[f64; 3], &ChainGoal)| {
        goal.position.map_or(0.0, |p| matchers::distance(*tip, p.to_array().map(f64::from)))
    };
    tips.iter().zip(goals).map(off).fold(0.0, f64::max)
}

fn run(
    solver: ChainSolver,
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
) -> Outcome {
    solve(solver, chain, pose, goals, settings, &mut ChainWorkspace::new(chain))
}

#[test]
fn sweeps_bring_all_ends_of_free_trees_to_their_goals_by_themselves() {
    let mut random = Random::new(1);
    for solver in SWEEPS {
        for (stem, branches, length) in [(1, 2, 2), (2, 3, 3), (4, 4, 5), (3, 2, 20)] {
            let (mut near, mut sweeps, mut worst) = (0, 0, 0.0f64);
            for _ in 0..30 {
                let chain = tree(stem, branches, length, JointModel::FREE, &mut random);
                let (goals, _) = witness(&chain, 0.6, &mut random);
                let mut pose = ChainPose::rest(&chain);
                let before = miss(&chain, &pose, &goals);
                let outcome = run(solver, &chain, &mut pose, &goals, &alone());
                let after = miss(&chain, &pose, &goals);
                assert!((f64::from(outcome.residual_m) - after).abs() < 5e-6, "{solver:?} {outcome:?} {after}");
                assert!(after < 0.2 * before, "{solver:?} {stem} {branches} {length}: {before} only to {after}");
                sweeps += outcome.iterations;
                near += u32::from(after < 1e-3 * f64::from(chain.length()));
                worst = worst.max(after / f64::from(chain.length()));
            }
            println!(
                "{solver:?} {stem}+{branches}x{length}: {near}/30 within 1e-3, worst {worst:.1e}, {} sweeps",
                sweeps / 30
            );
            // Coordinate descent is slow where branches share joints; no end is far off.
            let least = if solver == ChainSolver::Fabrik { 24 } else { 8 };
            assert!(near >= least && worst < 2e-2, "{solver:?}: only {near} of 30, worst {worst:e}");
        }
    }
}

#[test]
fn reachable_goals_are_reached_when_the_default_finishes_and_limits_hold() {
    let mut random = Random::new(2);
    let range = Range::new(-0.7, 0.9);
    let ball = AxisLimits { locked: [false; 3], range: [Some(range), Some(Range::new(-0.3, 0.3)), Some(range)] };
    let hinge = Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-1.2, 1.2) };
    for solver in SWEEPS {
        for model in [JointModel::FREE, JointModel::limited(ball.into()), JointModel::limited(hinge)] {
            for _ in 0..15 {
                let chain = tree(3, 3, 4, model, &mut random);
                let (goals, _) = witness(&chain, 0.5, &mut random);
                let mut pose = ChainPose::rest(&chain);
                run(solver, &chain, &mut pose, &goals, &alone());
                let held = |pose: &ChainPose| pose.rotations.iter().all(|q| model.violation_rad(*q) < 1e-5);
                assert!(held(&pose), "{solver:?}");
                let outcome = run(solver, &chain, &mut pose, &goals, &ChainSettings::default());
                let off = miss(&chain, &pose, &goals) / f64::from(chain.length());
                assert!(off < 1e-5 && held(&pose), "{solver:?}: {off:e} {outcome:?}");
            }
        }
    }
}

#[test]
fn ends_without_a_goal_do_not_matter_and_their_branches_stay() {
    let mut random = Random::new(3);
    for solver in SWEEPS {
        let chain = tree(2, 3, 3, JointModel::FREE, &mut random);
        let (mut goals, _) = witness(&chain, 0.4, &mut random);
        for goal in &mut goals[1..] {
            *goal = ChainGoal::default();
        }
        let mut pose = ChainPose::rest(&chain);
        let outcome = run(solver, &chain, &mut pose, &goals, &alone());
        assert!(miss(&chain, &pose, &goals) < 1e-4, "{solver:?} {outcome:?}");
        // The second branch starts after the stem of two and the first branch of three.
        for joint in 5..8 {
            assert_eq!(pose.rotations[joint], Quat::IDENTITY, "{solver:?} joint {joint}");
        }
    }
}

#[test]
fn rotation_goals_of_ends_are_kept() {
    let mut random = Random::new(4);
    for solver in SWEEPS {
        for _ in 0..10 {
            let chain = tree(2, 2, 4, JointModel::FREE, &mut random);
            let (mut goals, found) = witness(&chain, 0.4, &mut random);
            let (spaces, _) = places(&chain, &found);
            let joint = chain.effectors()[1].joint;
            let (y, z) = (spaces[joint].axis(1), spaces[joint].axis(2));
            goals[1].rotation = Some(sinew::math::frame_rotation(vec3(z), vec3(y)));
            let mut pose = ChainPose::rest(&chain);
            let outcome = run(solver, &chain, &mut pose, &goals, &ChainSettings::default());
            assert!(miss(&chain, &pose, &goals) < 3e-5, "{solver:?} {outcome:?}");
            let (spaces, _) = places(&chain, &pose);
            assert!(matchers::direction_angle_rad(spaces[joint].axis(1), y) < 1e-4, "{solver:?} {outcome:?}");
            assert!(matchers::direction_angle_rad(spaces[joint].axis(2), z) < 1e-4, "{solver:?} {outcome:?}");
        }
    }
}

#[test]
fn goals_that_pull_apart_end_between_them_by_their_weights() {
    // A stem that forks into two ends, with goals farther apart than they are long.
    let mut random = Random::new(5);
    for solver in SWEEPS {
        let joint = |parent, offset| ChainJoint { parent, offset, rest: Quat::IDENTITY, model: JointModel::FREE };
        let joints = vec![
            joint(None, Vec3::ZERO),
            joint(Some(0), Vec3::Y),
            joint(Some(1), Vec3::new(0.1, 1.0, 0.0)),
            joint(Some(1), Vec3::new(-0.1, 1.0, 0.0)),
        ];
        let effector = |joint| Effector { joint, offset: Vec3::Y };
        let chain = Chain::new(joints, vec![effector(2), effector(3)]).unwrap();
        let side = random.between(4.0, 6.0);
        let offs = |weight: f32| {
            let right = ChainGoal { position_importance: weight, ..ChainGoal::at(Vec3::new(side, 1.0, 0.0)) };
            let left = ChainGoal::at(Vec3::new(-side, 1.0, 0.0));
            let mut pose = ChainPose::rest(&chain);
            let outcome = run(solver, &chain, &mut pose, &[right, left], &alone());
            assert_ne!(outcome.status, Status::Reached);
            let tips = places(&chain, &pose).1;
            (
                matchers::distance(tips[0], [f64::from(side), 1.0, 0.0]),
                matchers::distance(tips[1], [-f64::from(side), 1.0, 0.0]),
            )
        };
        let even = offs(1.0);
        assert!((even.0 - even.1).abs() < 0.1, "{solver:?} {even:?}");
        let lighter = offs(0.1);
        assert!(lighter.0 > lighter.1 + 0.2, "{solver:?}: the lighter goal is left farther away: {lighter:?}");
    }
}

#[test]
fn a_capped_sweep_turns_no_joint_farther_than_its_cap() {
    let mut random = Random::new(6);
    for solver in SWEEPS {
        for branches in [0, 2] {
            let chain = if branches == 0 {
                Chain::serial(&[Vec3::Y; 6], &[Quat::IDENTITY; 6], &[JointModel::FREE; 6]).unwrap()
            } else {
                tree(2, branches, 4, JointModel::FREE, &mut random)
            };
            let goals: Vec<_> = chain.effectors().iter().map(|_| ChainGoal::at(random.in_ball(2.0))).collect();
            for cap in [0.05, 0.2, 7.0] {
                let settings = ChainSettings { sweep_step_rad: cap, max_iterations: 1, ..alone() };
                let mut pose = ChainPose::rest(&chain);
                for q in &mut pose.rotations {
                    *q = random.rotation_within(0.3);
                }
                let before = pose.clone();
                run(solver, &chain, &mut pose, &goals, &settings);
                let turned = |(a, b): (&Quat, &Quat)| matchers::rotation_angle_rad(*a, *b);
                // The first joint of an unbranched chain has aimed it before the sweep.
                let first = usize::from(branches == 0);
                let pairs = before.rotations.iter().zip(&pose.rotations).skip(first);
                let most = pairs.map(turned).fold(0.0, f64::max);
                assert!(most <= f64::from(cap) + 1e-5, "{solver:?} {branches}: {most} over {cap}");
            }
        }
    }
}

#[test]
fn sweeps_follow_smooth_paths_without_a_jump() {
    let mut random = Random::new(7);
    for solver in SWEEPS {
        for _ in 0..6 {
            let chain = tree(2, 2, 4, JointModel::FREE, &mut random);
            let rest = places(&chain, &ChainPose::rest(&chain)).1;
            let size = 0.2 * chain.length();
            let paths: Vec<_> = rest.iter().map(|p| SmoothPath::random(&mut random, 4, vec3(*p) * 0.9, size)).collect();
            let mut workspace = ChainWorkspace::new(&chain);
            let settings = ChainSettings { max_iterations: 8, tolerance: 0.0, ..alone() };
            let found = continuity::judge(60, chain.length(), |s| {
                let goals: Vec<_> = paths.iter().map(|path| ChainGoal::at(path.at(s))).collect();
                let mut pose = ChainPose::rest(&chain);
                solve(solver, &chain, &mut pose, &goals, &settings, &mut workspace);
                pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q)).collect()
            });
            assert!(found.jump < 5e-3, "{solver:?} {found:?}");
        }
    }
}

#[test]
fn degenerate_trees_stay_sound() {
    let joint = |parent, offset| ChainJoint { parent, offset, rest: axis_angle(Vec3::X, 0.1), model: JointModel::FREE };
    let joints = vec![
        joint(None, Vec3::ZERO),
        joint(Some(0), Vec3::ZERO),
        joint(Some(1), Vec3::Y),
        joint(Some(1), Vec3::ZERO),
        joint(Some(3), Vec3::X),
    ];
    let effectors = vec![
        Effector { joint: 2, offset: Vec3::ZERO },
        Effector { joint: 4, offset: Vec3::ZERO },
        Effector { joint: 1, offset: Vec3::ZERO },
    ];
    let chain = Chain::new(joints, effectors).unwrap();
    for solver in SWEEPS {
        for targets in [[Vec3::ZERO; 3], [Vec3::Y * 1e20, Vec3::NEG_Y * 1e20, Vec3::X], [Vec3::Y, Vec3::Y, Vec3::Y]] {
            let goals = targets.map(ChainGoal::at);
            let mut pose = ChainPose::rest(&chain);
            run(solver, &chain, &mut pose, &goals, &alone());
            assert!(pose.rotations.iter().all(|q| q.is_finite() && (q.length() - 1.0).abs() < 1e-4), "{targets:?}");
        }
        let mut pose = ChainPose::rest(&chain);
        let goals = [ChainGoal::at(Vec3::NAN), ChainGoal::default(), ChainGoal::default()];
        assert_eq!(run(solver, &chain, &mut pose, &goals, &alone()).status, Status::Inactive);
        assert_eq!(pose, ChainPose::rest(&chain));
    }
}
