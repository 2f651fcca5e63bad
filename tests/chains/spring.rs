//! The proportional solver: bends keep the proportions of the rest pose, judged from outside by the
//! angles between bones in `f64`.

use crate::cases::{Case, Kind};
use sinew::chains::{
    Chain, ChainError, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Effector, Pole,
    solve,
};
use sinew::limits::{Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3, axis_angle, perpendicular};
use sinew::outcome::{Outcome, Status};
use testkit::Random;
use testkit::continuity;
use testkit::matchers::direction_angle_rad;

/// Without the fallback to the default solver.
fn alone() -> ChainSettings {
    ChainSettings { finish: false, ..ChainSettings::default() }
}

/// A chain whose rest bends by `bends` between its bones, each about its axis.
fn bent(bends: &[(Vec3, f32)], models: &[JointModel], random: &mut Random) -> Chain {
    let mut joints = Vec::new();
    for i in 0..=bends.len() {
        let rest = if i == 0 { random.rotation() } else { axis_angle(bends[i - 1].0, bends[i - 1].1) };
        let offset = if i == 0 { random.in_ball(0.3) } else { Vec3::Y * random.between(0.3, 0.8) };
        let model = models.get(i).copied().unwrap_or(JointModel::FREE);
        joints.push(ChainJoint { parent: i.checked_sub(1), offset, rest, model });
    }
    let last = bends.len();
    Chain::new(joints, vec![Effector { joint: last, offset: Vec3::Y * random.between(0.3, 0.8) }]).unwrap()
}

/// Joints and the end in double precision.
fn places(chain: &Chain, pose: &ChainPose) -> Vec<[f64; 3]> {
    let mut above =
        testkit::matchers::Affine64::from_transform(&Transform::new(pose.root_position, pose.root_rotation));
    let mut out = Vec::new();
    for (joint, q) in chain.joints().iter().zip(&pose.rotations) {
        let rest = Transform::new(joint.offset, joint.rest);
        above = above.then(&testkit::matchers::Affine64::from_transform(&rest));
        above = above.then(&testkit::matchers::Affine64::from_transform(&Transform::new(Vec3::ZERO, *q)));
        out.push(above.position);
    }
    out.push(above.point(chain.effectors()[0].offset.to_array().map(f64::from)));
    out
}

/// Angles between following bones.
fn bends(places: &[[f64; 3]]) -> Vec<f64> {
    let bones: Vec<[f64; 3]> = places.windows(2).map(|w| [0, 1, 2].map(|i| w[1][i] - w[0][i])).collect();
    bones.windows(2).map(|w| direction_angle_rad(w[0], w[1])).collect()
}

fn run(chain: &Chain, pose: &mut ChainPose, goal: ChainGoal, settings: &ChainSettings) -> Outcome {
    solve(ChainSolver::Spring, chain, pose, &[goal], settings, &mut ChainWorkspace::new(chain))
}

fn distance(a: [f64; 3], b: Vec3) -> f64 {
    testkit::matchers::distance(a, b.to_array().map(f64::from))
}

fn vec3(p: [f64; 3]) -> Vec3 {
    Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32)
}

/// Random bends, all one way about one axis, `total` radians together (`flat`), or each about its
/// own axis across the bone.
fn some_bends(count: usize, total: f32, flat: bool, random: &mut Random) -> Vec<(Vec3, f32)> {
    let shares: Vec<f32> = (0..count).map(|_| random.between(0.2, 1.0)).collect();
    let sum: f32 = shares.iter().sum();
    let axis = |random: &mut Random| {
        if flat { Vec3::X } else { axis_angle(Vec3::Y, random.between(0.0, core::f32::consts::TAU)) * Vec3::X }
    };
    shares.iter().map(|s| (axis(random), s / sum * total)).collect()
}

#[test]
fn bends_keep_the_proportions_of_the_rest_and_the_target_is_reached() {
    let mut random = Random::new(1);
    let mut worst = (0.0f64, 0.0f64);
    for count in [1, 2, 3, 5, 9, 40] {
        for flat in [true, false] {
            for _ in 0..30 {
                let total = random.between(0.3, 2.8);
                let chain = bent(&some_bends(count, total, flat, &mut random), &[], &mut random);
                let mut pose = ChainPose::rest(&chain);
                pose.root_position = random.in_ball(1.0);
                pose.root_rotation = random.rotation();
                let rest = places(&chain, &pose);
                let rest_bends = bends(&rest);
                let reach = testkit::matchers::distance(rest[0], rest[count + 1]) as f32;
                // From well inside what a bend to 1.1 times the rest's gives, to full length.
                let wanted = random.between(reach * 0.9, chain.length() * 0.9999);
                let target = vec3(rest[0]) + random.unit_vector() * wanted;
                let outcome = run(&chain, &mut pose, ChainGoal::at(target), &alone());
                let now = places(&chain, &pose);
                let off = distance(now[count + 1], target) / f64::from(chain.length());
                assert!(off < 3e-6, "{count} {flat}: {off:e} {outcome:?}");
                let now_bends = bends(&now);
                let all: f64 = now_bends.iter().sum::<f64>() / rest_bends.iter().sum::<f64>();
                for (a, b) in rest_bends.iter().zip(&now_bends) {
                    worst.1 = worst.1.max((b - all * a).abs());
                    assert!((b - all * a).abs() < 2e-4, "{count} {flat}: {b} is not {all} times {a}");
                }
                worst.0 = worst.0.max(off);
            }
        }
    }
    println!("worst miss {:.1e} of the length, worst bend off by {:.1e} rad", worst.0, worst.1);
}

#[test]
fn a_target_at_the_rests_tip_changes_nothing() {
    let mut random = Random::new(2);
    for count in [2, 4, 12] {
        for _ in 0..20 {
            let chain = bent(&some_bends(count, 3.0, false, &mut random), &[], &mut random);
            let mut pose = ChainPose::rest(&chain);
            let tip = vec3(places(&chain, &pose)[count + 1]);
            run(&chain, &mut pose, ChainGoal { pole: Some(Pole::point(tip * 9.0)), ..ChainGoal::at(tip) }, &alone());
            pose.rotations[0] = Quat::IDENTITY; // which the pole turned
            for q in &pose.rotations {
                assert!(sinew::math::rotation_angle(*q) < 2e-3, "{count}: {q}");
            }
        }
    }
}

#[test]
fn bends_stay_in_the_planes_of_the_rest() {
    let mut random = Random::new(3);
    for _ in 0..30 {
        let list = some_bends(4, 2.0, false, &mut random);
        let chain = bent(&list, &[], &mut random);
        let mut pose = ChainPose::rest(&chain);
        let root = vec3(places(&chain, &pose)[0]);
        let target = root + random.unit_vector() * (0.97 * chain.length());
        run(&chain, &mut pose, ChainGoal::at(target), &alone());
        for (i, (axis, _)) in list.iter().enumerate() {
            // The joint's own rotation is about the axis of its bend, seen from its rest.
            let q = pose.rotations[i + 1];
            let v = Vec3::new(q.x, q.y, q.z);
            assert!(v.cross(*axis).length() < 1e-4, "joint {}: {q} is not about {axis}", i + 1);
        }
    }
}

#[test]
fn closing_comes_to_the_root_for_arcs_and_stops_at_the_fold_for_zigzags() {
    let mut random = Random::new(4);
    for count in [3, 5, 8] {
        // Equal bones, equal bends: a regular polygon closes.
        let joints = (0..=count)
            .map(|i: usize| ChainJoint {
                parent: i.checked_sub(1),
                offset: if i == 0 { Vec3::ZERO } else { Vec3::Y },
                rest: if i == 0 { Quat::IDENTITY } else { axis_angle(Vec3::X, 0.3) },
                model: JointModel::FREE,
            })
            .collect();
        let chain = Chain::new(joints, vec![Effector { joint: count, offset: Vec3::Y }]).unwrap();
        for wanted in [0.001, 0.1, 0.5, 1.0] {
            let mut pose = ChainPose::rest(&chain);
            let target = random.unit_vector() * wanted;
            run(&chain, &mut pose, ChainGoal::at(target), &alone());
            let now = places(&chain, &pose);
            assert!(distance(now[count + 1], target) < 2e-6 * f64::from(chain.length()), "{count} {wanted}");
            let bends = bends(&now);
            assert!(bends.iter().all(|b| (b - bends[0]).abs() < 1e-4), "{bends:?}");
            let turn = bends[0] * (count + 1) as f64;
            assert!(turn < core::f64::consts::TAU + 1e-3, "once round at most: {turn}");
        }
    }
    // A Z of three bones folds flat: 1 − 0.4 + 1 never comes nearer than 1.6.
    let fold = [(Vec3::X, 0.8), (Vec3::NEG_X, 0.8)];
    let chain = bent(&fold, &[], &mut random);
    let mut pose = ChainPose::rest(&chain);
    let root = vec3(places(&chain, &pose)[0]);
    let outcome = run(&chain, &mut pose, ChainGoal::at(root), &alone());
    assert_eq!(outcome.status, Status::Stalled);
    let nearest = distance(places(&chain, &pose)[3], root);
    assert!((f64::from(outcome.residual_m) - nearest).abs() < 1e-5, "{outcome:?} {nearest}");
    // With `finish` the default solver is the fallback.
    let outcome = run(&chain, &mut ChainPose::rest(&chain), ChainGoal::at(root + Vec3::X * 0.3), &Default::default());
    assert_eq!(outcome.status, Status::Reached);
}

#[test]
fn biases_make_joints_quicker_slower_or_stiff() {
    let mut random = Random::new(5);
    let chain = bent(&[(Vec3::X, 0.5), (Vec3::X, 0.5), (Vec3::X, 0.5)], &[], &mut random);
    let mut biased = chain.clone();
    biased.set_spring_bias(&[1.0, 2.0, 1.0, 0.0]).unwrap();
    let mut pose = ChainPose::rest(&biased);
    let rest = places(&biased, &pose);
    let reach = testkit::matchers::distance(rest[0], rest[4]) as f32;
    let target = vec3(rest[0]) + random.unit_vector() * (reach * 0.95);
    assert_eq!(run(&biased, &mut pose, ChainGoal::at(target), &alone()).status, Status::Reached);
    let now = bends(&places(&biased, &pose));
    let grown: Vec<f64> = now.iter().map(|b| b / 0.5 - 1.0).collect();
    assert!(grown[1] > 0.01 && (grown[0] - 2.0 * grown[1]).abs() < 1e-3 && grown[2].abs() < 1e-5, "{grown:?}");
    assert_eq!(biased.set_spring_bias(&[1.0]), Err(ChainError::Counts));
    assert_eq!(biased.set_spring_bias(&[1.0, -1.0, 1.0, 1.0]), Err(ChainError::BadNumber { index: 1 }));
    assert_eq!(biased.set_spring_bias(&[1.0, 1.0, f32::NAN, 1.0]), Err(ChainError::BadNumber { index: 2 }));
    // All stiff: it only turns.
    biased.set_spring_bias(&[0.0; 4]).unwrap();
    let mut pose = ChainPose::rest(&biased);
    let outcome = run(&biased, &mut pose, ChainGoal::at(target), &alone());
    let kept = bends(&places(&biased, &pose));
    assert!(kept.iter().all(|b| (b - 0.5).abs() < 1e-5) && outcome.status == Status::Stalled, "{kept:?} {outcome:?}");
}

#[test]
fn straight_rests_bend_alike_towards_preference_or_pole() {
    let mut random = Random::new(6);
    for count in [1, 2, 5] {
        let straight = vec![(Vec3::X, 0.0); count];
        let preferred = JointModel { preferred_bend: Vec3::Z, ..JointModel::FREE };
        for model in [JointModel::FREE, preferred] {
            let chain = bent(&straight, &vec![model; count + 1], &mut random);
            let mut pose = ChainPose::rest(&chain);
            let rest = places(&chain, &pose);
            let along = (vec3(rest[count + 1]) - vec3(rest[0])).normalize();
            let target = vec3(rest[0]) + along * (0.7 * chain.length());
            let outcome = run(&chain, &mut pose, ChainGoal::at(target), &alone());
            // Two bones cannot come nearer than the longer reaches past the shorter; 0.7 is always
            // theirs.
            assert_eq!(outcome.status, Status::Reached, "{count}");
            let now = bends(&places(&chain, &pose));
            assert!(now[0] > 0.1 && now.iter().all(|b| (b - now[0]).abs() < 1e-4), "{now:?}");
            if model == preferred {
                let q = pose.rotations[1];
                assert!(q.z * q.w > 0.05 && q.x.abs() + q.y.abs() < 1e-4, "a positive turn about Z: {q}");
            }
            // A pole swivels it.
            let side = perpendicular(along);
            let pole = Pole { is_direction: true, ..Pole::point(side) };
            let mut pose = ChainPose::rest(&chain);
            run(&chain, &mut pose, ChainGoal { pole: Some(pole), ..ChainGoal::at(target) }, &alone());
            let knee = vec3(places(&chain, &pose)[1]) - vec3(rest[0]);
            let aside = (knee - along * along.dot(knee)).normalize();
            assert!(aside.dot(side) > 0.9999, "{count}: {aside} is not {side}");
        }
    }
}

#[test]
fn poses_are_continuous_through_full_extension_with_and_without_a_pole() {
    let mut random = Random::new(7);
    let mut worst = 0.0f64;
    for case in 0..24 {
        let count = [1, 2, 4, 7][case % 4];
        let chain = bent(&some_bends(count, 1.5, case % 3 == 0, &mut random), &[], &mut random);
        let start = ChainPose::rest(&chain);
        let root = vec3(places(&chain, &start)[0]);
        let rest = places(&chain, &start);
        let reach = testkit::matchers::distance(rest[0], rest[count + 1]) as f32;
        let line = random.unit_vector();
        let pole = (case % 2 == 0).then(|| Pole::point(root + perpendicular(line) * 2.0 + line * 0.1));
        let mut workspace = ChainWorkspace::new(&chain);
        let (from, to) = (reach * 0.95, chain.length() * 1.1);
        let found = continuity::judge(60, chain.length(), |s| {
            let s = s as f32;
            let turn = axis_angle(perpendicular(line), 0.4 * s);
            let goal = ChainGoal { pole, ..ChainGoal::at(root + turn * line * (from + (to - from) * s)) };
            let mut pose = start.clone();
            solve(ChainSolver::Spring, &chain, &mut pose, &[goal], &ChainSettings::default(), &mut workspace);
            pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q)).collect()
        });
        // Near the straight pose the bend goes with the root of the distance: 1e-7 of length is
        // 1e-3 of bend.
        assert!(found.jump < 8e-3, "case {case}: {found:?}");
        worst = worst.max(found.jump);
    }
    println!("worst jump {worst:.1e}");
}

/// Goals at their weights are between the animation's end and the goal.
#[test]
fn poses_are_continuous_in_the_weight_down_to_the_animation() {
    let mut random = Random::new(12);
    let (mut worst, mut reached) = (0.0f64, 0);
    for case in 0..24 {
        let count = [1, 2, 4, 7][case % 4];
        let chain = bent(&some_bends(count, 1.5, case % 3 == 0, &mut random), &[], &mut random);
        let mut start = ChainPose::rest(&chain);
        start.rotations.iter_mut().for_each(|q| *q = random.rotation_within(0.5));
        let animated = places(&chain, &start);
        let (root, end) = (vec3(animated[0]), vec3(animated[count + 1]));
        let goal = root + random.rotation_within(0.7) * (end - root) * random.between(0.8, 1.1);
        let pole = (case % 2 == 0).then(|| Pole::point(root + random.unit_vector() * 3.0));
        let mut workspace = ChainWorkspace::new(&chain);
        let found = continuity::judge(100, chain.length(), |s| {
            let weight = s as f32;
            let mut pose = start.clone();
            if weight > 0.0 {
                let pole = pole.map(|pole| Pole { weight, ..pole });
                let goal = ChainGoal { pole, spring_share: weight, ..ChainGoal::at(end.lerp(goal, weight)) };
                let outcome = solve(ChainSolver::Spring, &chain, &mut pose, &[goal], &alone(), &mut workspace);
                reached += usize::from(outcome.status == Status::Reached);
            }
            pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q)).collect()
        });
        assert!(found.jump < 0.02, "case {case}, {count} bends: {found:?}");
        worst = worst.max(found.jump);
    }
    println!("worst jump {worst:.1e}, {reached} reached");
}

#[test]
fn a_target_beyond_reach_straightens_the_chain_exactly() {
    let mut random = Random::new(8);
    for count in [1, 3, 10] {
        let chain = bent(&some_bends(count, 2.0, false, &mut random), &[], &mut random);
        let mut pose = ChainPose::rest(&chain);
        let root = vec3(places(&chain, &pose)[0]);
        let target = root + random.unit_vector() * (3.0 * chain.length());
        let outcome = run(&chain, &mut pose, ChainGoal::at(target), &ChainSettings::default());
        assert_eq!(outcome.status, Status::Unreachable);
        let now = places(&chain, &pose);
        assert!(bends(&now).iter().all(|b| *b < 1e-3));
        assert!(distance(now[count + 1], root + (target - root) / 3.0) < 1e-5 * f64::from(chain.length()));
    }
}

#[test]
fn limits_hold_and_the_default_solver_finishes_what_they_stop() {
    let mut random = Random::new(9);
    let mut finished = 0;
    for case in 0..60 {
        let hinge =
            |most: f32| JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range: Range::new(-most, most) });
        let mut models = vec![hinge(0.5)];
        models.extend((0..4).map(|_| hinge(random.between(0.05, 0.6))));
        let chain = bent(&some_bends(4, 1.5, true, &mut random), &models, &mut random);
        let mut witness = ChainPose::rest(&chain);
        witness.rotations[0] = models[0].project(axis_angle(Vec3::X, random.between(-0.5, 0.5)));
        for (q, model) in witness.rotations.iter_mut().zip(&models).skip(1) {
            let most = if case % 2 == 0 { 0.05 } else { 0.6 };
            *q = model.project(axis_angle(Vec3::X, random.between(-most, most)));
        }
        let target = vec3(places(&chain, &witness)[5]);
        let mut pose = ChainPose::rest(&chain);
        let by_itself = run(&chain, &mut pose, ChainGoal::at(target), &alone());
        let held = |pose: &ChainPose| models.iter().zip(&pose.rotations).all(|(m, q)| m.violation_rad(*q) < 1e-5);
        assert!(held(&pose));
        let mut pose = ChainPose::rest(&chain);
        let outcome = run(&chain, &mut pose, ChainGoal::at(target), &ChainSettings::default());
        assert!(held(&pose));
        assert!(distance(places(&chain, &pose)[5], target) < 1e-5 * f64::from(chain.length()), "{outcome:?}");
        finished += usize::from(by_itself.status != Status::Reached);
    }
    assert!(finished > 0 && finished < 60, "{finished} of 60 need the default solver");
}

#[test]
fn rotation_goals_of_a_free_last_joint_are_met() {
    let mut random = Random::new(10);
    for _ in 0..20 {
        let chain = bent(&some_bends(5, 2.0, false, &mut random), &[], &mut random);
        let mut pose = ChainPose::rest(&chain);
        let root = vec3(places(&chain, &pose)[0]);
        let (target, turned) = (root + random.unit_vector() * (0.5 * chain.length()), random.rotation());
        let outcome = run(&chain, &mut pose, ChainGoal::pose(target, turned), &ChainSettings::default());
        assert!(distance(places(&chain, &pose)[6], target) < 1e-5 * f64::from(chain.length()), "{outcome:?}");
        assert!(outcome.residual_rad < 1e-4 && outcome.status == Status::Reached, "{outcome:?}");
    }
}

#[test]
fn every_kind_of_problem_ends_reached_and_total() {
    for kind in [Kind::Free, Kind::StraightOnAxis, Kind::Limits, Kind::Planar, Kind::Rotation, Kind::Tree] {
        for seed in 0..20 {
            let mut case = Case::new(kind, 6, seed);
            let outcome = case.solve(ChainSolver::Spring, &ChainSettings::default());
            assert!(case.miss().0 < 1e-5 && case.violation() < 1e-5, "{kind:?} {seed}: {outcome:?}");
        }
    }
    // Bones without length, a chain without any, a target on the root, numbers that are none.
    let joint = |parent, offset| ChainJoint { parent, offset, rest: axis_angle(Vec3::X, 0.2), model: JointModel::FREE };
    let joints =
        vec![joint(None, Vec3::ZERO), joint(Some(0), Vec3::ZERO), joint(Some(1), Vec3::Y), joint(Some(2), Vec3::ZERO)];
    for offset in [Vec3::ZERO, Vec3::Y] {
        let chain = Chain::new(joints.clone(), vec![Effector { joint: 3, offset }]).unwrap();
        for target in [Vec3::ZERO, Vec3::X * 0.8, Vec3::X * 1e30] {
            let mut pose = ChainPose::rest(&chain);
            run(&chain, &mut pose, ChainGoal::at(target), &ChainSettings::default());
            assert!(pose.rotations.iter().all(|q| q.is_finite() && (q.length() - 1.0).abs() < 1e-5), "{target}");
        }
        let mut pose = ChainPose::rest(&chain);
        let outcome = run(&chain, &mut pose, ChainGoal::at(Vec3::NAN), &ChainSettings::default());
        assert!(outcome.status == Status::Inactive && pose == ChainPose::rest(&chain));
    }
}
