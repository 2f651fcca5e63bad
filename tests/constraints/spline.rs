//! Chains on curves, judged from outside: the curve is made again in `f64` by the pyramid of Barry
//! and Goldman (or de Casteljau), joints by forward kinematics in `f64`.

use sinew::animator::Animator;
use sinew::chains::spline::CurveKind;
use sinew::constraints::{ConstraintDefinition, ConstraintError, ConstraintGoal, ConstraintId, SplineDefinition};
use sinew::limits::{AxisLimits, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3, axis_angle, swing_twist};
use sinew::outcome::Status;
use std::sync::Arc;
use testkit::chains::{ChainOptions, ParentKind, Rig, chain, random_chain};
use testkit::characters::{self, to_rest, world as spaces};
use testkit::matchers::{self, vec3, wide};
use testkit::{BoneRolls, Random, continuity};

const ROOT: Transform =
    Transform { position: Vec3::new(0.3, -0.2, 1.1), rotation: Quat::IDENTITY, scale: Vec3::new(1.0, 1.0, 1.0) };

fn animator(rig: &Rig) -> Animator {
    characters::on_rig(rig, ROOT)
}

fn add(animator: &mut Animator, definition: SplineDefinition) -> ConstraintId {
    animator.add_constraint(&ConstraintDefinition::Spline(definition)).unwrap()
}

fn solve(animator: &mut Animator, id: ConstraintId, points: &[Vec3], weight: f32) {
    let input = animator.constraint_mut(id).unwrap();
    for (goal, point) in input.goals.iter_mut().zip(points) {
        goal.position_ws = Some(*point);
    }
    input.weight = weight;
    animator.solve().unwrap();
}

type V = [f64; 3];
fn mix(a: V, b: V, t: f64) -> V {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

/// The curve in world space.
struct Judge {
    points: Vec<V>,
    kind: CurveKind,
}

impl Judge {
    fn new(kind: CurveKind, points: &[Vec3]) -> Self {
        Self { points: points.iter().map(|p| wide(*p)).collect(), kind }
    }
    fn segments(&self) -> usize {
        if self.kind == CurveKind::Bezier { (self.points.len() - 1) / 3 } else { self.points.len() - 1 }
    }
    fn at(&self, u: f64) -> V {
        let segment = (u as usize).min(self.segments() - 1);
        let t = u - segment as f64;
        let p = &self.points;
        if self.kind == CurveKind::Bezier {
            let p = &p[3 * segment..];
            let (a, b, c) = (mix(p[0], p[1], t), mix(p[1], p[2], t), mix(p[2], p[3], t));
            return mix(mix(a, b, t), mix(b, c, t), t);
        }
        let mirrored = |a: V, b: V| mix(a, b, -1.0);
        let (p1, p2) = (p[segment], p[segment + 1]);
        let p0 = if segment == 0 { mirrored(p1, p2) } else { p[segment - 1] };
        let p3 = if segment + 2 == p.len() { mirrored(p2, p1) } else { p[segment + 2] };
        let knot = |a: V, b: V| matchers::distance(a, b).sqrt();
        let t0 = 0.0;
        let t1 = t0 + knot(p0, p1);
        let t2 = t1 + knot(p1, p2);
        let t3 = t2 + knot(p2, p3);
        let s = t1 + (t2 - t1) * t;
        let on = |a: V, b: V, ta: f64, tb: f64| mix(a, b, (s - ta) / (tb - ta));
        let (a1, a2, a3) = (on(p0, p1, t0, t1), on(p1, p2, t1, t2), on(p2, p3, t2, t3));
        on(on(a1, a2, t0, t2), on(a2, a3, t1, t3), t1, t2)
    }
    fn end_direction(&self) -> V {
        let last = self.segments() as f64;
        let (a, b) = (self.at(last - 1e-6), self.at(last));
        let size = matchers::distance(a, b);
        [0, 1, 2].map(|i| (b[i] - a[i]) / size)
    }
    /// Distance of a point from the curve (and what goes on straight beyond it), and the parameter.
    fn off(&self, p: V, from: f64) -> (f64, f64) {
        let last = self.segments() as f64;
        let count = 400.0 * last;
        let mut best = (f64::INFINITY, 0.0);
        let mut i = (from / last * count).floor().max(0.0);
        while i <= count {
            let u = i / count * last;
            let d = matchers::distance(p, self.at(u));
            if d < best.0 {
                best = (d, u);
            }
            i += 1.0;
        }
        let (mut low, mut high) = ((best.1 - last / count).max(0.0), (best.1 + last / count).min(last));
        for _ in 0..80 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if matchers::distance(p, self.at(a)) < matchers::distance(p, self.at(b)) { high = b } else { low = a }
        }
        let on_curve = (matchers::distance(p, self.at(low)), low);
        let (end, e) = (self.at(last), self.end_direction());
        let way = (0..3).map(|i| (p[i] - end[i]) * e[i]).sum::<f64>().max(0.0);
        let beyond = matchers::distance(p, [0, 1, 2].map(|i| end[i] + e[i] * way));
        if beyond < on_curve.0 { (beyond, last + way) } else { on_curve }
    }
}

/// A wavy line of control points from the chain's start, turns wider than the bones.
fn wave(start: Vec3, length: f32, count: usize, random: &mut Random) -> Vec<Vec3> {
    let along = random.unit_vector();
    let mut place = start;
    let step = length / (count - 1) as f32;
    let mut points = vec![place];
    for _ in 1..count {
        place += (along + random.in_ball(0.6)) * step;
        points.push(place);
    }
    points
}

fn kinds() -> [(CurveKind, usize); 4] {
    [(CurveKind::CatmullRom, 2), (CurveKind::CatmullRom, 5), (CurveKind::Bezier, 4), (CurveKind::Bezier, 7)]
}

#[test]
fn every_joint_is_on_the_curve_and_bones_keep_their_length_under_any_parent() {
    let mut random = Random::new(1);
    let mut worst = 0.0f64;
    for parent in ParentKind::ALL {
        for (kind, point_count) in kinds() {
            for bones in [1, 4, 12, 60] {
                let rig = chain(&ChainOptions {
                    bone_count: bones,
                    bone_length: 2.0 / bones as f32,
                    bend_rad: 0.05,
                    rolls: BoneRolls::Random(random.bits()),
                    parent,
                    ..ChainOptions::default()
                });
                let mut animator = animator(&rig);
                let tip_js = if bones == 4 { random.in_ball(0.3) } else { Vec3::ZERO };
                let definition = SplineDefinition {
                    curve: kind,
                    tip_js,
                    ..SplineDefinition::ending_at(rig.end(), bones + 1, point_count)
                };
                let id = add(&mut animator, definition);
                let points = wave(random.in_ball(2.0), 2.0, point_count, &mut random);
                let before = animator.pose().local().to_vec();
                solve(&mut animator, id, &points, 0.0);
                matchers::assert_pose_bits_equal(&before, animator.pose().local());
                solve(&mut animator, id, &points, 1.0);
                let judge = Judge::new(kind, &points);
                let spaces = spaces(&animator);
                let mut u = 0.0;
                let mut check = |p: V, what: usize| {
                    let (off, at) = judge.off(p, u);
                    assert!(off < 4e-6, "{parent:?} {kind:?} {point_count} of {bones}: joint {what} is {off:e} off");
                    worst = worst.max(off);
                    u = at.min(judge.segments() as f64 - 1e-3).max(u) - 1e-3;
                };
                for &joint in &rig.joints {
                    check(spaces[joint].position, joint);
                }
                check(spaces[rig.end()].point(wide(tip_js)), 999);
                assert!(matchers::distance(spaces[rig.start()].position, wide(points[0])) < 2e-6);
                for (joint, (a, b)) in before.iter().zip(animator.pose().local()).enumerate() {
                    assert!(joint == rig.start() || a.position == b.position, "{joint}");
                    assert_eq!(a.scale, b.scale);
                }
                let outcome = animator.constraint_outcome(id).unwrap();
                assert!(outcome.status == Status::Reached && outcome.residual_m < 1e-5, "{outcome:?}");
            }
        }
    }
    println!("worst {worst:.1e} m off the curve");
}

#[test]
fn a_chain_of_a_thousand_joints_stays_on_it() {
    let mut random = Random::new(2);
    let options = ChainOptions { bone_count: 1000, bone_length: 0.01, bend_rad: 0.001, ..ChainOptions::default() };
    let rig = chain(&options);
    let mut animator = animator(&rig);
    let id = add(&mut animator, SplineDefinition::ending_at(rig.end(), 1001, 8));
    let points = wave(Vec3::ZERO, 9.0, 8, &mut random);
    solve(&mut animator, id, &points, 1.0);
    let judge = Judge::new(CurveKind::CatmullRom, &points);
    let spaces = spaces(&animator);
    let worst = rig.joints.iter().step_by(50).map(|&j| judge.off(spaces[j].position, 0.0).0).fold(0.0, f64::max);
    // Ten metres of f32.
    assert!(worst < 5e-5, "{worst:e}");
}

#[test]
fn stretch_ends_at_the_curves_end_within_bounds() {
    let mut random = Random::new(3);
    for parent in [ParentKind::Identity, ParentKind::Scaled, ParentKind::Mirrored, ParentKind::UnevenlyScaled] {
        for length in [0.7, 1.0, 1.8] {
            let rig = chain(&ChainOptions { bone_count: 9, parent, ..ChainOptions::default() });
            let mut animator = animator(&rig);
            let definition = SplineDefinition { stretch: 1.0, ..SplineDefinition::ending_at(rig.end(), 10, 4) };
            let id = add(&mut animator, definition);
            let points = wave(Vec3::ZERO, length, 4, &mut random);
            let before = animator.pose().local().to_vec();
            solve(&mut animator, id, &points, 1.0);
            let end = spaces(&animator)[rig.end()].position;
            assert!(matchers::distance(end, wide(points[3])) < 1e-5, "{parent:?} {length}");
            let factor = |j: usize| animator.pose().local()[j].position.length() / before[j].position.length();
            let first = factor(rig.joints[1]);
            assert!(rig.joints[1..].iter().all(|&j| (factor(j) - first).abs() < 1e-5), "{parent:?}: one factor");
            // Half the weight is half the way of the factor; bounds cut it.
            for (stretch, bounds, wanted) in
                [(0.5, [0.1, 10.0], 0.5 + 0.5 * first), (1.0, [0.95, 1.05], first.clamp(0.95, 1.05))]
            {
                let mut again = Animator::new(Arc::new(rig.skeleton.clone()), None).unwrap();
                again.set_root(ROOT).unwrap();
                let definition = SplineDefinition { stretch, stretch_bounds: bounds, ..definition };
                let id = add(&mut again, definition);
                solve(&mut again, id, &points, 1.0);
                let joint = rig.joints[3];
                let got = again.pose().local()[joint].position.length() / before[joint].position.length();
                assert!((got - wanted).abs() < 1e-4, "{parent:?} {length} {stretch}: {got} is not {wanted}");
            }
        }
    }
}

/// Roll of a joint about its bone between two poses, radians: the twist of its change in the space
/// of the world.
fn roll_rad(animator: &Animator, joint: usize, before: Quat, bone: Vec3) -> f32 {
    let change = animator.joint_ws(joint).rotation * before.conjugate();
    let (_, twist) = swing_twist(change, bone);
    2.0 * sinew::math::float::atan2(bone.dot(Vec3::new(twist.x, twist.y, twist.z)), twist.w)
}

#[test]
fn rolls_go_evenly_from_start_to_end_and_bending_adds_none() {
    let rig = chain(&ChainOptions { bone_count: 8, bend_rad: 0.0, ..ChainOptions::default() });
    let mut plain = animator(&rig);
    let spaces_before = spaces(&plain);
    let start = vec3(spaces_before[rig.start()].position);
    let along = (vec3(spaces_before[rig.end()].position) - start).normalize();
    let points = [start, start + along * 0.9];
    let rest: Vec<Quat> = rig.joints.iter().map(|&j| plain.joint_ws(j).rotation).collect();
    let id = add(&mut plain, SplineDefinition::ending_at(rig.end(), 9, 2));
    solve(&mut plain, id, &points, 1.0);
    for (i, &joint) in rig.joints.iter().enumerate() {
        assert!(matchers::rotation_angle_rad(rest[i], plain.joint_ws(joint).rotation) < 1e-4);
    }
    let mut rolled = animator(&rig);
    let definition =
        SplineDefinition { roll_start_rad: 0.4, roll_end_rad: -1.0, ..SplineDefinition::ending_at(rig.end(), 9, 2) };
    let id = add(&mut rolled, definition);
    solve(&mut rolled, id, &points, 1.0);
    for (i, &joint) in rig.joints.iter().enumerate() {
        let wanted = 0.4 - 1.4 * i as f32 / 8.0;
        let got = roll_rad(&rolled, joint, rest[i], along);
        assert!((got - wanted).abs() < 1e-4, "joint {i}: {got} is not {wanted}");
    }
    // Goals define up: the first joint unchanged, the last a quarter turn further.
    let mut held = animator(&rig);
    let id = add(&mut held, SplineDefinition::ending_at(rig.end(), 9, 2));
    let input = held.constraint_mut(id).unwrap();
    input.goals[0].rotation_ws = Some(rest[0]);
    input.goals[1].rotation_ws = Some(axis_angle(along, 1.5) * rest[8]);
    solve(&mut held, id, &points, 1.0);
    for (i, &joint) in rig.joints.iter().enumerate() {
        let got = roll_rad(&held, joint, rest[i], along);
        assert!((got - 1.5 * i as f32 / 8.0).abs() < 1e-4, "joint {i}: {got}");
    }
    // A curve in a plane turns every joint about the plane's normal only.
    let mut bent = animator(&rig);
    let aside = sinew::math::perpendicular(along);
    let id = add(&mut bent, SplineDefinition::ending_at(rig.end(), 9, 4));
    let at = |x: f32, y: f32| start + along * x + aside * y;
    solve(&mut bent, id, &[at(0.0, 0.0), at(0.3, 0.2), at(0.2, 0.5), at(-0.3, 0.4)], 1.0);
    let normal = along.cross(aside);
    for (i, &joint) in rig.joints.iter().enumerate() {
        let q = bent.joint_ws(joint).rotation * rest[i].conjugate();
        let off = Vec3::new(q.x, q.y, q.z).cross(normal).length();
        assert!(off < 1e-4, "joint {i} rolls by {off}");
    }
}

#[test]
fn a_chain_that_keeps_its_root_starts_there() {
    let mut random = Random::new(4);
    for parent in ParentKind::ALL {
        let rig = chain(&ChainOptions { bone_count: 10, parent, ..ChainOptions::default() });
        let mut animator = animator(&rig);
        let definition = SplineDefinition { start_on_curve: false, ..SplineDefinition::ending_at(rig.end(), 11, 4) };
        let id = add(&mut animator, definition);
        let before = animator.pose().local().to_vec();
        let root = vec3(spaces(&animator)[rig.start()].position);
        let mut points = wave(root, 1.2, 4, &mut random);
        let judge = Judge::new(CurveKind::CatmullRom, &points);
        points[0] = random.in_ball(9.0); // without influence
        solve(&mut animator, id, &points, 1.0);
        for (a, b) in before.iter().zip(animator.pose().local()) {
            assert_eq!(a.position, b.position);
        }
        let spaces = spaces(&animator);
        for &joint in &rig.joints {
            let off = judge.off(spaces[joint].position, 0.0).0;
            assert!(off < 4e-6, "{parent:?} {joint}: {off:e}");
        }
    }
}

#[test]
fn weights_of_constraint_and_points_go_without_a_step() {
    let mut random = Random::new(5);
    let rig =
        chain(&ChainOptions { bone_count: 12, bend_rad: 0.2, parent: ParentKind::Mirrored, ..Default::default() });
    for which in 0..3 {
        let mut animator = animator(&rig);
        let id = add(&mut animator, SplineDefinition::ending_at(rig.end(), 13, 5));
        let start = vec3(spaces(&animator)[rig.start()].position);
        let points = wave(start, 1.1, 5, &mut random);
        let found = continuity::judge(80, 1.0, |s| {
            to_rest(&mut animator);
            let s = s as f32;
            let input = animator.constraint_mut(id).unwrap();
            for goal in &mut input.goals {
                goal.position_weight = if which == 1 { s } else { 1.0 };
                goal.rotation_ws = (which == 2).then(|| axis_angle(Vec3::X, 0.5));
                goal.rotation_weight = s;
            }
            solve(&mut animator, id, &points, if which == 0 { s } else { 1.0 });
            animator.pose().local().to_vec()
        });
        assert!(found.jump < 2e-3, "{which}: {found:?}");
        if which == 1 {
            // At weight 0 every point is on the animated chain: through enough points it stays as
            // it was, nearly.
            to_rest(&mut animator);
            animator.constraint_mut(id).unwrap().goals.iter_mut().for_each(|g| g.position_weight = 0.0);
            solve(&mut animator, id, &points, 1.0);
            let moved = matchers::max_joint_step_rad(animator.skeleton().rest_local(), animator.pose().local());
            assert!(moved < 0.3, "{moved}");
        }
    }
}

#[test]
fn a_rotation_goal_comes_in_without_a_step_however_far_it_is() {
    let mut random = Random::new(15);
    for case in 0..16 {
        let rig = chain(&ChainOptions { bone_count: 8, ..ChainOptions::default() });
        let mut animator = animator(&rig);
        let id = add(&mut animator, SplineDefinition::ending_at(rig.end(), 9, 4));
        let points = wave(vec3(spaces(&animator)[rig.start()].position), 0.8, 4, &mut random);
        let goals = [random.rotation(), random.rotation()];
        let found = continuity::judge(80, 1.0, |s| {
            to_rest(&mut animator);
            let input = animator.constraint_mut(id).unwrap();
            for (end, rotation) in [0, 3].into_iter().zip(goals) {
                input.goals[end].rotation_ws = Some(rotation);
                input.goals[end].rotation_weight = s as f32;
            }
            solve(&mut animator, id, &points, 1.0);
            animator.pose().local().to_vec()
        });
        assert!(found.jump < 2e-3, "{case}: {found:?}");
    }
}

#[test]
fn moving_points_move_the_chain_smoothly() {
    let mut random = Random::new(6);
    for stretch in [0.0, 1.0] {
        for case in 0..6 {
            let rig = chain(&ChainOptions { bone_count: 15, bone_length: 0.06, ..Default::default() });
            let mut animator = animator(&rig);
            let definition = SplineDefinition { stretch, ..SplineDefinition::ending_at(rig.end(), 16, 4) };
            let id = add(&mut animator, definition);
            let points = wave(Vec3::ZERO, 0.8, 4, &mut random);
            let moves: Vec<Vec3> = points.iter().map(|_| random.in_ball(0.15)).collect();
            let found = continuity::judge(60, 1.0, |s| {
                to_rest(&mut animator);
                let moved: Vec<Vec3> = points.iter().zip(&moves).map(|(p, m)| *p + *m * s as f32).collect();
                solve(&mut animator, id, &moved, 1.0);
                animator.pose().local().to_vec()
            });
            assert!(found.jump < 1e-3 && found.step_rad < 0.2, "{stretch} {case}: {found:?}");
        }
    }
}

#[test]
fn limits_hold_and_the_residual_is_their_cost() {
    let mut random = Random::new(7);
    let range = Some(Range::new(-0.15, 0.15));
    let model = JointModel::limited(AxisLimits { locked: [false; 3], range: [range; 3] }.into());
    for weight in [0.5, 1.0] {
        let rig =
            chain(&ChainOptions { bone_count: 8, bend_rad: 0.0, parent: ParentKind::Mirrored, ..Default::default() });
        let mut animator = animator(&rig);
        rig.joints.iter().for_each(|&j| animator.set_joint_limits(j, &model).unwrap());
        let id = add(&mut animator, SplineDefinition::ending_at(rig.end(), 9, 4));
        let points = wave(Vec3::ZERO, 0.8, 4, &mut random);
        solve(&mut animator, id, &points, weight);
        for &joint in &rig.joints {
            assert!(animator.joint_violation_rad(joint).unwrap() < 1e-3, "{joint}");
        }
        let outcome = animator.constraint_outcome(id).unwrap();
        assert!(outcome.status == Status::Unreachable && outcome.residual_m > 1e-3, "{outcome:?}");
        if weight == 1.0 {
            let judge = Judge::new(CurveKind::CatmullRom, &points);
            let spaces = spaces(&animator);
            let off = rig.joints.iter().map(|&j| judge.off(spaces[j].position, 0.0).0).fold(0.0, f64::max);
            assert!(f64::from(outcome.residual_m) > off - 1e-5, "{outcome:?} but {off}");
        }
    }
}

#[test]
fn degenerate_curves_and_chains_stay_sound_and_bad_ones_are_refused() {
    let mut random = Random::new(8);
    let far = Vec3::splat(1e30);
    for parent in ParentKind::ALL {
        for (kind, count) in kinds() {
            for case in 0..7 {
                let rig = match case {
                    5 => random_chain(&mut random, 6, 0.0, parent),
                    _ => random_chain(&mut random, 6, 0.3, parent),
                };
                let mut animator = animator(&rig);
                let definition = SplineDefinition {
                    curve: kind,
                    stretch: if case % 2 == 0 { 1.0 } else { 0.0 },
                    start_on_curve: case != 3,
                    ..SplineDefinition::ending_at(rig.end(), 6, count)
                };
                let id = add(&mut animator, definition);
                let mut points = wave(Vec3::ZERO, 1.0, count, &mut random);
                match case {
                    0 => points.fill(Vec3::ONE),
                    1 => points[1] = points[0],
                    2 => points[count - 1] = points[count - 2],
                    3 => points.iter_mut().for_each(|p| *p = Vec3::X * 5.0),
                    4 => points[count - 1] = far,
                    6 => (0..count).for_each(|i| points[i] = Vec3::X * (i % 2) as f32),
                    _ => {}
                }
                solve(&mut animator, id, &points, 1.0);
                assert!(matchers::all_finite(animator.pose().local()), "{parent:?} {kind:?} {case}");
                for local in animator.pose().local() {
                    assert!((local.rotation.length() - 1.0).abs() < 1e-4);
                }
            }
        }
    }
    let rig = random_chain(&mut random, 5, 0.3, ParentKind::Rotated);
    let mut animator = animator(&rig);
    let id = add(&mut animator, SplineDefinition::ending_at(rig.end(), 5, 3));
    assert_eq!(animator.constraint(id).unwrap().goals.len(), 3);
    let before = animator.pose().local().to_vec();
    solve(&mut animator, id, &[Vec3::ZERO, Vec3::NAN, Vec3::ONE], 1.0);
    matchers::assert_pose_bits_equal(&before, animator.pose().local());
    assert_eq!(animator.constraint_outcome(id).unwrap().status, Status::Inactive);
    animator.constraint_mut(id).unwrap().goals.fill(ConstraintGoal::default());
    animator.solve().unwrap();
    assert_eq!(animator.constraint_outcome(id).unwrap().status, Status::Inactive);
    let mut refused = |d: SplineDefinition| animator.add_constraint(&ConstraintDefinition::Spline(d)).unwrap_err();
    let good = SplineDefinition::ending_at(rig.end(), 5, 3);
    assert_eq!(refused(SplineDefinition { point_count: 1, ..good }), ConstraintError::PointCount(1));
    assert_eq!(refused(SplineDefinition { point_count: 257, ..good }), ConstraintError::PointCount(257));
    let bezier = SplineDefinition { curve: CurveKind::Bezier, point_count: 5, ..good };
    assert_eq!(refused(bezier), ConstraintError::PointCount(5));
    assert!(matches!(refused(SplineDefinition { stretch_bounds: [1.2, 2.0], ..good }), ConstraintError::BadNumber(_)));
    assert!(matches!(refused(SplineDefinition { roll_end_rad: f32::NAN, ..good }), ConstraintError::BadNumber(_)));
    assert!(matches!(refused(SplineDefinition { joint_count: 99, ..good }), ConstraintError::TooLong { .. }));
    assert_eq!(refused(SplineDefinition { end: 999, ..good }), ConstraintError::NoSuchJoint(999));
}
