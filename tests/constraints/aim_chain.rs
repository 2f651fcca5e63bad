//! Joints that share an aim, judged from outside: ray, shares and up direction recomputed by
//! forward kinematics in `f64`.

use sinew::animator::Animator;
use sinew::chains::Pole;
use sinew::constraints::{AimDefinition, ConstraintDefinition, ConstraintError, ConstraintGoal, ConstraintId};
use sinew::limits::{AxisLimits, Freedom, HingeAxis, JointModel, Range, SwingRegion};
use sinew::math::{Quat, Transform, Vec3, axis_angle, perpendicular};
use sinew::outcome::Status;
use sinew::skeleton::SkeletonBuilder;
use std::sync::Arc;
use testkit::chains::{ChainOptions, ParentKind, Rig, chain, random_chain};
use testkit::characters::{self, to_rest, world as spaces};
use testkit::matchers::{self, Affine64, direction_angle_rad, vec3, wide};
use testkit::{BoneRolls, Random, continuity};

const PI: f32 = core::f32::consts::PI;

fn animator(rig: &Rig) -> Animator {
    let rotation = axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7);
    characters::on_rig(rig, Transform::new(Vec3::new(0.3, -0.2, 1.1), rotation))
}

fn add(animator: &mut Animator, definition: &AimDefinition) -> ConstraintId {
    animator.add_constraint(&ConstraintDefinition::Aim(definition.clone())).unwrap()
}

fn solve(animator: &mut Animator, id: ConstraintId, target: Vec3, weight: f32) {
    let input = animator.constraint_mut(id).unwrap();
    input.goals[0].position_ws = Some(target);
    input.weight = weight;
    animator.solve().unwrap();
}

/// Start and direction of the ray in the world.
fn ray(animator: &Animator, d: &AimDefinition) -> ([f64; 3], [f64; 3]) {
    let space = spaces(animator)[d.end];
    let direction = space.direction(wide(d.axis_js));
    let size = matchers::distance(direction, [0.0; 3]);
    (space.point(wide(d.offset_js)), direction.map(|x| x / size))
}

/// Distance of the ray from a point.
fn passes(animator: &Animator, d: &AimDefinition, target: Vec3) -> f64 {
    let (start, direction) = ray(animator, d);
    let to = [0, 1, 2].map(|i| f64::from(target.to_array()[i]) - start[i]);
    let along = (0..3).map(|i| to[i] * direction[i]).sum::<f64>().max(0.0);
    matchers::distance(to, direction.map(|x| x * along))
}

/// Angle between the ray and the line from its start to a point.
fn angle_to(animator: &Animator, d: &AimDefinition, target: Vec3) -> f64 {
    let (start, direction) = ray(animator, d);
    direction_angle_rad(direction, [0, 1, 2].map(|i| f64::from(target.to_array()[i]) - start[i]))
}

fn rig(bones: usize, parent: ParentKind, random: &mut Random) -> Rig {
    let rolls = BoneRolls::Random(random.bits());
    chain(&ChainOptions { bone_count: bones, bone_length: 0.2, bend_rad: 0.2, rolls, parent, ..Default::default() })
}

/// A definition with everything at random but the cone.
fn definition(rig: &Rig, count: usize, random: &mut Random) -> AimDefinition {
    AimDefinition {
        weights: (0..count).map(|_| random.between(0.0, 1.0) + 1.0 / count as f32).collect(),
        axis_js: random.unit_vector(),
        offset_js: random.in_ball(0.1),
        up_js: random.unit_vector(),
        ..AimDefinition::ending_at(rig.end(), count)
    }
}

/// A point at this distance from the ray's start, at most `most` radians from where it points.
fn target(animator: &Animator, d: &AimDefinition, most: f32, distance: f32, random: &mut Random) -> Vec3 {
    let (start, direction) = ray(animator, d);
    let direction = vec3(direction);
    let aside = axis_angle(direction, random.between(0.0, 2.0 * PI)) * perpendicular(direction);
    vec3(start) + axis_angle(direction.cross(aside), random.between(0.0, most)) * direction * distance
}

#[test]
fn the_ray_goes_through_the_target_under_any_parent_and_weight_0_touches_nothing() {
    let mut random = Random::new(1);
    let mut worst = 0.0f64;
    for parent in ParentKind::ALL {
        for count in [1, 2, 3, 5, 9] {
            for case in 0..12 {
                let rig = rig(count + 1, parent, &mut random);
                let mut animator = animator(&rig);
                let mut d = definition(&rig, count, &mut random);
                match case % 3 {
                    0 => d.weights.clear(),
                    1 if count > 2 => (d.weights[0], d.weights[count - 1]) = (d.weights[0] + 1.0, 0.0),
                    _ => {}
                }
                let id = add(&mut animator, &d);
                let goal = target(&animator, &d, 2.7, random.between(1.0, 6.0), &mut random);
                let before = animator.pose().local().to_vec();
                solve(&mut animator, id, goal, 0.0);
                matchers::assert_pose_bits_equal(&before, animator.pose().local());
                solve(&mut animator, id, goal, 1.0);
                let off = passes(&animator, &d, goal);
                let outcome = animator.constraint_outcome(id).unwrap();
                assert!(off < 2e-5, "{parent:?} {count} {case}: {off:e} {outcome:?}");
                assert!(outcome.status == Status::Reached && outcome.residual_rad < 1e-5, "{outcome:?}");
                worst = worst.max(off);
                for (a, b) in before.iter().zip(animator.pose().local()) {
                    assert_eq!((a.position, a.scale), (b.position, b.scale));
                }
            }
        }
    }
    println!("worst {worst:.1e} m");
}

#[test]
fn joints_take_their_shares_and_less_than_all_is_a_part_of_the_way() {
    let mut random = Random::new(2);
    for case in 0..40 {
        let rig = rig(4, ParentKind::Rotated, &mut random);
        let mut animator = animator(&rig);
        let sum = [1.0, 0.6, 0.25][case % 3];
        let weights = [0.5, 0.0, 0.2, 0.3].map(|w| w * sum).to_vec();
        let d = AimDefinition { weights: weights.clone(), ..definition(&rig, 4, &mut random) };
        let id = add(&mut animator, &d);
        // So far away that turning moves the ray's start by nothing.
        let goal = target(&animator, &d, 2.5, 2e5, &mut random);
        let whole = angle_to(&animator, &d, goal);
        let (_, from) = ray(&animator, &d);
        let before = spaces(&animator);
        solve(&mut animator, id, goal, 1.0);
        let (_, to) = ray(&animator, &d);
        assert!((direction_angle_rad(from, to) - whole * f64::from(sum)).abs() < 1e-4, "{case}");
        assert_eq!(animator.constraint_outcome(id).unwrap().status, Status::Reached);
        let after = spaces(&animator);
        let mut turned = 0.0;
        let joints = &rig.joints[rig.joints.len() - 4..];
        for (joint, weight) in joints.iter().zip(weights) {
            // All turn about one axis: the largest turn of a frame's axes across it is the turn.
            turned += f64::from(weight) * whole;
            let relative = animator.joint_ws(*joint).rotation;
            let rest = rotation(&before[*joint]);
            let angle = matchers::rotation_angle_rad(rest, relative);
            assert!((angle - turned).abs() < 2e-4, "{case} joint {joint}: {angle} is not {turned}");
            assert!(after[*joint].position.iter().all(|x| x.is_finite()));
        }
    }
}

fn rotation(space: &Affine64) -> Quat {
    sinew::math::frame_rotation(vec3(space.axis(2)), vec3(space.axis(1)))
}

#[test]
fn the_cone_holds_hard_and_soft() {
    let mut random = Random::new(3);
    for parent in ParentKind::ALL {
        for softness in [0.0, 0.3, 1.0] {
            for _ in 0..10 {
                let rig = rig(4, parent, &mut random);
                let mut animator = animator(&rig);
                let clamp_rad = random.between(0.3, 2.0);
                let d = AimDefinition { clamp_rad, clamp_softness: softness, ..definition(&rig, 3, &mut random) };
                let id = add(&mut animator, &d);
                let goal = target(&animator, &d, 3.0, 2e5, &mut random);
                let asked = angle_to(&animator, &d, goal);
                let (_, from) = ray(&animator, &d);
                solve(&mut animator, id, goal, 1.0);
                let turned = direction_angle_rad(from, ray(&animator, &d).1);
                // Uneven scale bends angles between model and world; the root here is even, the
                // parents' scale is not undone by it.
                assert!(turned <= f64::from(clamp_rad) + 1e-4, "{parent:?} {softness}: {turned} over {clamp_rad}");
                let outcome = animator.constraint_outcome(id).unwrap();
                let left = angle_to(&animator, &d, goal);
                assert!((f64::from(outcome.residual_rad) - left).abs() < 1e-4, "{outcome:?} {left}");
                if asked < f64::from(clamp_rad * (1.0 - softness)) {
                    assert!(left < 1e-4, "inside the cone nothing is kept back: {left}");
                }
                if asked > f64::from(clamp_rad) + 1e-3 {
                    assert_eq!(outcome.status, Status::Unreachable);
                }
            }
        }
    }
}

#[test]
fn up_faces_the_pole_and_the_aim_stays() {
    let mut random = Random::new(4);
    for parent in [ParentKind::Identity, ParentKind::Rotated, ParentKind::Scaled, ParentKind::UnevenlyScaled] {
        for count in [1, 3] {
            for case in 0..12 {
                let rig = rig(4, parent, &mut random);
                let mut animator = animator(&rig);
                let mut d = definition(&rig, count, &mut random);
                d.up_js = (axis_angle(d.axis_js, random.between(0.0, 6.0)) * perpendicular(d.axis_js)).normalize();
                let id = add(&mut animator, &d);
                let goal = target(&animator, &d, 2.0, 3.0, &mut random);
                let is_direction = case % 2 == 0;
                let at = random.unit_vector() * 5.0;
                let angle_rad = if case % 3 == 0 { 0.7 } else { 0.0 };
                let input = animator.constraint_mut(id).unwrap();
                input.pole_ws = Some(Pole { is_direction, angle_rad, ..Pole::point(at) });
                solve(&mut animator, id, goal, 1.0);
                assert!(passes(&animator, &d, goal) < 1e-5, "{parent:?} {count} {case}");
                if parent == ParentKind::UnevenlyScaled {
                    continue; // right angles in the joint's parent are none in the world
                }
                let space = spaces(&animator)[rig.end()];
                let joint = vec3(space.position);
                let line = (goal - joint).normalize();
                let across = |v: Vec3| v - line * line.dot(v);
                let up = across(vec3(space.direction(wide(d.up_js)))).normalize();
                let to = across(if is_direction { at } else { at - joint }).normalize();
                let wanted = axis_angle(line, -angle_rad) * to;
                assert!(up.distance(wanted) < 1e-3, "{parent:?} {count} {case}: {up} is not {wanted}");
            }
        }
    }
}

fn smooth(name: &str, animator: &mut Animator, samples: usize, jump: f64, mut frame: impl FnMut(&mut Animator, f32)) {
    let found = continuity::judge(samples, 1.0, |s| {
        to_rest(animator);
        frame(animator, s as f32);
        animator.pose().local().to_vec()
    });
    println!("{name}: largest step {:.3} rad, jump {:.1e}", found.step_rad, found.jump);
    assert!(found.jump < jump, "{name}: {found:?}");
}

#[test]
fn targets_that_pass_behind_beside_and_near_move_the_joints_without_a_jump() {
    let mut random = Random::new(5);
    for case in 0..12 {
        let count = [1, 2, 4][case % 3];
        let rig = rig(5, ParentKind::ALL[case % 6], &mut random);
        let mut animator = animator(&rig);
        let clamp_rad = if case % 2 == 0 { PI } else { 1.2 };
        let d = AimDefinition { clamp_rad, ..definition(&rig, count, &mut random) };
        let id = add(&mut animator, &d);
        let (start, forward) = ray(&animator, &d);
        let (start, forward) = (vec3(start), vec3(forward));
        let axis = perpendicular(forward);
        // Once round, exactly through behind; and once past behind at one degree.
        for tilt in [0.0, 0.02] {
            let centre = start + axis * (3.0 * tilt);
            smooth(&format!("{case} round {tilt}"), &mut animator, 360, 5e-3, |animator, s| {
                solve(animator, id, centre + axis_angle(axis, s * 2.0 * PI) * forward * 3.0, 1.0);
            });
        }
        // Straight at the ray's start and past it. One of these rigs makes rounding errors some ten
        // thousand times as large there.
        let way = random.unit_vector();
        let aside = perpendicular(way) * 0.03;
        smooth(&format!("{case} near"), &mut animator, 400, 4e-2, |animator, s| {
            solve(animator, id, start + aside + way * (2.0 - 4.0 * s), 1.0);
        });
        let goal = target(&animator, &d, 2.5, 3.0, &mut random);
        smooth(&format!("{case} weight"), &mut animator, 100, 2e-3, |animator, s| solve(animator, id, goal, s));
        smooth(&format!("{case} pole"), &mut animator, 120, 5e-3, |animator, s| {
            let line = (goal - start).normalize();
            let at = axis_angle(line, s * 2.0 * PI) * perpendicular(line);
            let pole = Pole { is_direction: true, ..Pole::point(at) };
            animator.constraint_mut(id).unwrap().pole_ws = Some(pole);
            solve(animator, id, goal, 1.0);
        });
    }
}

#[test]
fn a_turret_with_its_way_up_given_follows_all_the_way_round() {
    let mut random = Random::new(6);
    let rig = rig(2, ParentKind::Rotated, &mut random);
    let mut animator = animator(&rig);
    let up = spaces(&animator)[rig.end()].axis(1);
    let d = AimDefinition { behind_rad: 0.0, ..AimDefinition::of(rig.end()) };
    let id = add(&mut animator, &d);
    let pole = Pole { is_direction: true, ..Pole::point(vec3(up)) };
    animator.constraint_mut(id).unwrap().pole_ws = Some(pole);
    let (start, forward) = ray(&animator, &d);
    for tilt in [0.0, 0.3] {
        smooth("turret", &mut animator, 360, 2e-3, |animator, s| {
            let round = axis_angle(vec3(up), s * 2.0 * PI) * vec3(forward) * 3.0;
            let goal = vec3(start) + round + vec3(up) * tilt;
            solve(animator, id, goal, 1.0);
            let off = passes(animator, &d, goal);
            assert!(off < 1e-5, "{s}: {off}");
        });
    }
}

/// The cookbook's turret: a base that turns about the vertical axis carries a barrel that goes up
/// and down, so neither can take a share of the turn as it is.
#[test]
fn a_turret_of_two_hinges_follows_from_its_last_pose_all_the_way_round() {
    let mut rig = SkeletonBuilder::new();
    let base = rig.joint_at("base", None, Vec3::ZERO);
    let barrel = rig.joint_at("barrel", Some(base), Vec3::new(0.0, 0.5, 0.0));
    let mut animator = Animator::new(Arc::new(rig.build().unwrap()), None).unwrap();
    let hinge = |axis, range| JointModel::limited(Freedom::Hinge { axis, range });
    animator.set_joint_limits(base, &hinge(HingeAxis::Y, Range::FREE)).unwrap();
    animator.set_joint_limits(barrel, &hinge(HingeAxis::X, Range::new(-1.3, 0.3))).unwrap();
    let d = AimDefinition { weights: vec![0.9, 0.1], ..AimDefinition::ending_at(barrel, 2) };
    let id = add(&mut animator, &d);
    for height in [-0.5, 0.5, 2.0, 5.0] {
        to_rest(&mut animator);
        let mut worst = 0.0f64;
        for frame in 0..360 {
            let bearing = (2 * frame) as f32 * PI / 180.0;
            let goal = axis_angle(Vec3::Y, bearing) * Vec3::Z * 4.0 + Vec3::Y * height;
            solve(&mut animator, id, goal, 1.0);
            // In the first frames it comes from the rest pose.
            if frame > 10 {
                worst = worst.max(angle_to(&animator, &d, goal));
            }
        }
        println!("turret, {height} m: {:.3} degrees", worst.to_degrees());
        assert!(worst.to_degrees() < 0.1, "{height}: {worst} rad");
    }
}

#[test]
fn limits_hold_and_the_others_take_over() {
    let mut random = Random::new(7);
    let range = Some(Range::new(-0.2, 0.2));
    let tight = JointModel::limited(AxisLimits { locked: [false; 3], range: [range; 3] }.into());
    let hinge = JointModel::limited(Freedom::Hinge { axis: HingeAxis::Y, range: Range::FREE });
    for parent in [ParentKind::Rotated, ParentKind::Mirrored] {
        for case in 0..20 {
            let rig = rig(5, parent, &mut random);
            let mut animator = animator(&rig);
            let d = definition(&rig, 4, &mut random);
            let id = add(&mut animator, &d);
            let joints = &rig.joints[rig.joints.len() - 4..];
            animator.set_joint_limits(joints[case % 3], &tight).unwrap();
            animator.set_joint_limits(joints[(case + 1) % 3], &hinge).unwrap();
            let goal = target(&animator, &d, 1.5, 4.0, &mut random);
            solve(&mut animator, id, goal, 1.0);
            let held = joints.iter().all(|&j| animator.joint_violation_rad(j).unwrap() < 1e-3);
            // The last joint is free, so the ray gets there.
            assert!(held && passes(&animator, &d, goal) < 1e-5, "{parent:?} {case}");
            // With the last one limited, too, the residual is reported.
            animator.set_joint_limits(joints[3], &tight).unwrap();
            to_rest(&mut animator);
            solve(&mut animator, id, goal, 1.0);
            assert!(animator.joint_violation_rad(joints[3]).unwrap() < 1e-3);
            let (left, outcome) = (angle_to(&animator, &d, goal), animator.constraint_outcome(id).unwrap());
            assert!((f64::from(outcome.residual_rad) - left).abs() < 1e-4, "{outcome:?} {left}");
        }
    }
}

#[test]
fn one_free_joint_takes_over_what_limits_stop_in_all_others() {
    let mut random = Random::new(11);
    let range = Some(Range::new(-0.05, 0.05));
    let stiff = JointModel::limited(AxisLimits { locked: [false; 3], range: [range; 3] }.into());
    let mut worst = 0.0_f64;
    for case in 0..60 {
        let rig = rig(4, ParentKind::Rotated, &mut random);
        let mut animator = animator(&rig);
        let joints = &rig.joints[rig.joints.len() - 4..];
        let free = case % 3;
        // A quarter of the turn or more is the free joint's.
        let mut weights = vec![1.0; 4];
        if case >= 30 {
            (0..4).filter(|place| *place != free).for_each(|place| weights[place] = random.between(0.1, 1.0));
        }
        let d = AimDefinition { weights, ..AimDefinition::ending_at(rig.end(), 4) };
        let id = add(&mut animator, &d);
        for (place, joint) in joints.iter().enumerate() {
            if place != free {
                animator.set_joint_limits(*joint, &stiff).unwrap();
            }
        }
        // Far, so that the ray's start hardly matters; up to 115 degrees aside.
        let (start, forward) = ray(&animator, &d);
        let aside = axis_angle(perpendicular(vec3(forward)), random.between(0.5, 2.0)) * vec3(forward);
        let goal = vec3(start) + axis_angle(vec3(forward), random.between(-PI, PI)) * aside * 20.0;
        solve(&mut animator, id, goal, 1.0);
        let left = angle_to(&animator, &d, goal);
        worst = worst.max(left);
        let held = joints.iter().all(|&j| animator.joint_violation_rad(j).unwrap() < 1e-3);
        assert!(held, "{case}");
    }
    println!("one free joint of four: {:.4} degrees left at most", worst.to_degrees());
    assert!(worst < 0.01, "{worst} rad");
}

#[test]
fn limited_joints_follow_a_target_round_them_without_a_jump() {
    const STEPS: u32 = 7200;
    let mut random = Random::new(12);
    let mut worst = 0.0_f32;
    for case in 0..24 {
        let rig = rig(4, ParentKind::Rotated, &mut random);
        let mut animator = animator(&rig);
        let joints = &rig.joints[rig.joints.len() - 4..];
        let d = AimDefinition::ending_at(rig.end(), 4);
        let id = add(&mut animator, &d);
        for joint in joints {
            let ranges = [0; 3].map(|_| Some(Range::new(-random.between(0.05, 0.6), random.between(0.05, 0.6))));
            let freedom = match case % 3 {
                0 => Freedom::from(AxisLimits { locked: [false; 3], range: ranges }),
                1 => {
                    Freedom::Ball { swing: SwingRegion::cone(random.between(0.05, 0.6)), twist: Range::new(-0.3, 0.3) }
                }
                _ => Freedom::Hinge { axis: [HingeAxis::X, HingeAxis::Y][random.below(2)], range: ranges[0].unwrap() },
            };
            animator.set_joint_limits(*joint, &JointModel::limited(freedom)).unwrap();
        }
        let (start, forward) = ray(&animator, &d);
        let (start, forward) = (vec3(start), vec3(forward));
        // Cones about the ray, from well within the limits to far beyond.
        let aside = axis_angle(perpendicular(forward), 0.2 + 0.1 * case as f32 * 0.8) * forward;
        let mut last: Vec<Transform> = Vec::new();
        for step in 0..=STEPS {
            to_rest(&mut animator);
            let goal = start + axis_angle(forward, 2.0 * PI * step as f32 / STEPS as f32) * aside * 20.0;
            solve(&mut animator, id, goal, 1.0);
            let pose = animator.pose().local().to_vec();
            let turn = |a: &Transform, b: &Transform| a.rotation.angle_between(b.rotation);
            let turned = last.iter().zip(&pose).map(|(a, b)| turn(a, b)).fold(0.0, f32::max);
            worst = worst.max(turned);
            last = pose;
        }
    }
    println!("a target that moves by 0.05 degrees turns a joint by {:.2} at most", worst.to_degrees());
    assert!(worst < 0.06, "{worst} rad");
}

#[test]
fn odd_input_is_survived_and_bad_definitions_are_refused() {
    let mut random = Random::new(8);
    for parent in ParentKind::ALL {
        for spread in [0.0, 0.3] {
            let rig = random_chain(&mut random, 4, spread, parent);
            let mut animator = animator(&rig);
            let d = AimDefinition { clamp_rad: 0.0, ..definition(&rig, 3, &mut random) };
            let mut ids = vec![add(&mut animator, &AimDefinition::ending_at(rig.end(), 0)), add(&mut animator, &d)];
            ids.push(add(&mut animator, &AimDefinition { behind_rad: 0.0, ..AimDefinition::of(rig.end()) }));
            let here = vec3(spaces(&animator)[rig.end()].position);
            let (_, forward) = ray(&animator, &AimDefinition::of(rig.end()));
            for goal in [here, Vec3::splat(1e30), here - vec3(forward) * 2.0, here + Vec3::splat(1e-20)] {
                for &id in &ids {
                    to_rest(&mut animator);
                    animator.constraint_mut(id).unwrap().pole_ws = Some(Pole::point(goal));
                    solve(&mut animator, id, goal, 1.0);
                    assert!(matchers::all_finite(animator.pose().local()), "{parent:?} {goal}");
                    let unit = |t: &Transform| (t.rotation.length() - 1.0).abs() < 1e-4;
                    assert!(animator.pose().local().iter().all(unit));
                }
            }
        }
    }
    let rig = rig(4, ParentKind::Identity, &mut random);
    let mut animator = animator(&rig);
    let id = add(&mut animator, &AimDefinition::of(rig.end()));
    let before = animator.pose().local().to_vec();
    solve(&mut animator, id, Vec3::NAN, 1.0);
    matchers::assert_pose_bits_equal(&before, animator.pose().local());
    animator.constraint_mut(id).unwrap().goals[0] = ConstraintGoal::default();
    animator.solve().unwrap();
    assert_eq!(animator.constraint_outcome(id).unwrap().status, Status::Inactive);
    let good = AimDefinition::ending_at(rig.end(), 3);
    let mut refused = |d: AimDefinition| animator.add_constraint(&ConstraintDefinition::Aim(d)).unwrap_err();
    assert_eq!(refused(AimDefinition { end: 999, ..good.clone() }), ConstraintError::NoSuchJoint(999));
    assert!(matches!(refused(AimDefinition { joint_count: 99, ..good.clone() }), ConstraintError::TooLong { .. }));
    let few = AimDefinition { weights: vec![1.0], ..good.clone() };
    assert_eq!(refused(few), ConstraintError::WeightCount { given: 1, joints: 3 });
    for weights in [vec![0.0; 3], vec![1.0, -1.0, 1.0], vec![1.0, f32::NAN, 1.0]] {
        assert!(matches!(refused(AimDefinition { weights, ..good.clone() }), ConstraintError::BadWeights));
    }
    assert_eq!(refused(AimDefinition { axis_js: Vec3::ZERO, ..good.clone() }), ConstraintError::BadNumber("axis_js"));
    assert_eq!(refused(AimDefinition { up_js: Vec3::NAN, ..good.clone() }), ConstraintError::BadNumber("up_js"));
    assert!(matches!(refused(AimDefinition { clamp_rad: f32::NAN, ..good }), ConstraintError::BadNumber(_)));
}
