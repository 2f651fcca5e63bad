//! Targets in and out of reach, odd limbs, and the kernel alone.

use super::*;

#[test]
fn targets_in_reach_are_met() {
    let mut random = Random::new(1);
    let mut all = Vec::new();
    for (upper, lower) in LENGTHS {
        for case in Case::all(upper, lower, 0.3) {
            let mut errors = Vec::new();
            for _ in 0..60 {
                let pose = case.random_pose(&mut random);
                let target = case.reachable(&mut random);
                let mut goal = case.goal(target);
                goal.centre_ps = if random.below(2) == 0 { Vec3::ZERO } else { random.unit_vector() };
                goal.pole_weight = [0.0, 0.5, 1.0][random.below(3)];
                goal.pole_ms = case.out(random.in_ball(1.0));
                let (after, outcome) = case.solve(&pose, &goal);
                matchers::assert_sound(&after[2..5]);
                // In the parent's space, relative to the root: what is left is the solver's, not
                // the scale's or the place's.
                errors.push(matchers::distance(case.places(&after)[1], case.back(wide(goal.target_ms))));
                assert_eq!(outcome.status, Status::Reached, "{}", case.name);
                assert_eq!(outcome.iterations, 0, "a closed form has no iterations");
            }
            let (median, worst) = summary(&mut errors);
            assert!(
                median <= 1e-6 && worst <= 1e-5,
                "{} {upper}+{lower}: median {median:e} worst {worst:e}",
                case.name
            );
            all.extend(errors);
        }
    }
    let (median, worst) = summary(&mut all);
    println!("limb on a pose: {} targets, median {median:.2e} m, worst {worst:.2e} m", all.len());
}

/// End of a limb after a kernel's solution, in `f64`.
fn kernel_end(limb: &TwoBone<f32>) -> ([f64; 3], [f64; 3]) {
    let solution = two_bone::solve(limb);
    let spin = |q: Quat| Affine64::from_transform(&Transform::new(Vec3::ZERO, q));
    let root = spin(solution.root.to_quat());
    let stretch = f64::from(solution.stretch);
    let scaled = |v: LaneVec3<f32>| wide(v.to_vec3()).map(|c| c * stretch);
    let mid = root.direction(scaled(limb.root_mid));
    let lower = spin(solution.mid.to_quat()).direction(root.direction(scaled(limb.mid_end)));
    (mid, [0, 1, 2].map(|i| mid[i] + lower[i]))
}

fn plain_kernel(root_mid: Vec3, mid_end: Vec3, target: Vec3) -> TwoBone<f32> {
    let lane = LaneVec3::from_vec3;
    TwoBone {
        root_mid: lane(root_mid),
        mid_end: lane(mid_end),
        hinge: lane(Vec3::Y),
        centre: lane(Vec3::ZERO),
        target: lane(target),
        weight: 1.0,
        pole: lane(Vec3::ZERO),
        pole_weight: 0.0,
        softness: 0.0,
        stretch: 0.0,
    }
}

#[test]
fn the_kernel_alone_meets_targets_of_any_size() {
    let mut random = Random::new(2);
    for size in [1e-3f32, 1.0, 1e4] {
        let mut errors = Vec::new();
        for _ in 0..20_000 {
            let (upper, lower) = (random.between(0.2, 0.5), random.between(0.2, 0.5));
            let reach = random.between((upper - lower).abs() * 1.001, (upper + lower) * 0.9999);
            let target = random.unit_vector() * (reach * size);
            let limb =
                plain_kernel(random.unit_vector() * (upper * size), random.unit_vector() * (lower * size), target);
            errors.push(matchers::distance(kernel_end(&limb).1, wide(target)) / f64::from(size));
        }
        let (median, worst) = summary(&mut errors);
        println!("kernel, size {size}: median {median:.2e}, worst {worst:.2e} (of a limb of 0.4 to 1)");
        assert!(median <= 1e-6 && worst <= 1e-5, "size {size}: median {median:e} worst {worst:e}");
    }
}

#[test]
fn far_targets_are_pointed_at_with_a_straight_limb() {
    let mut random = Random::new(3);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..60 {
            let pose = case.random_pose(&mut random);
            let target = random.unit_vector() * (case.length() * random.between(1.01, 10.0));
            let goal = case.goal(target);
            let (after, outcome) = case.solve(&pose, &goal);
            let [mid, end] = case.places(&after);
            let target = case.back(wide(goal.target_ms));
            assert!(matchers::direction_angle_rad(end, target) < 2e-6, "{}", case.name);
            assert!(matchers::direction_angle_rad(mid, target) < 2e-3, "{}", case.name);
            assert!((length(end) - f64::from(case.length())).abs() < 2e-6, "{}", case.name);
            let left = matchers::distance_to_goal(&case.rig.skeleton, &after, 4, goal.target_ms);
            assert_eq!(outcome.status, Status::Unreachable);
            assert!((f64::from(outcome.residual_m) - left).abs() < 3e-6, "{} {outcome:?} {left}", case.name);
        }
    }
}

#[test]
fn near_targets_fold_the_limb() {
    let mut random = Random::new(4);
    for case in Case::all(0.25, 0.45, 0.3) {
        for _ in 0..60 {
            let pose = case.random_pose(&mut random);
            let goal = case.goal(random.unit_vector() * random.between(0.02, 0.19));
            let (after, outcome) = case.solve(&pose, &goal);
            let [_, end] = case.places(&after);
            let target = case.back(wide(goal.target_ms));
            assert!((length(end) - 0.2).abs() < 2e-6, "{}: {}", case.name, length(end));
            assert!(matchers::direction_angle_rad(end, target) < 1e-4, "{}", case.name);
            let left = matchers::distance_to_goal(&case.rig.skeleton, &after, 4, goal.target_ms);
            assert_eq!(outcome.status, Status::Unreachable);
            assert!((f64::from(outcome.residual_m) - left).abs() < 3e-6, "{} {outcome:?} {left}", case.name);
        }
    }
}

#[test]
fn odd_limbs_and_odd_targets_stay_sound() {
    let mut random = Random::new(5);
    for parent in ParentKind::ALL {
        for rolls in BoneRolls::ALL {
            for (name, rig) in odd_limbs(parent, rolls) {
                let joints = LimbJoints::new(&rig.skeleton, 2, 3, 4).unwrap();
                let root_ms = rig.skeleton.rest_model()[2].position;
                let bones = [3, 4].map(|j: usize| rig.skeleton.rest_local()[j].position.length());
                let mut targets = vec![root_ms, Vec3::ZERO, rig.skeleton.rest_model()[4].position, Vec3::splat(1e6)];
                targets.extend((0..20).map(|_| root_ms + random.in_ball(0.4)));
                targets.push(root_ms + Vec3::splat(1e-7));
                for target_ms in targets {
                    for pole_weight in [0.0, 0.5, 1.0] {
                        for pole_ms in [target_ms, root_ms, random.in_ball(2.0)] {
                            let mut goal = LimbGoal::at(target_ms, random.unit_vector());
                            (goal.pole_weight, goal.pole_ms) = (pole_weight, pole_ms);
                            goal.stretch = [0.0, 0.05, 1.0][random.below(3)];
                            goal.softness = [0.0, 0.05, 1.0][random.below(3)];
                            let (after, outcome) = solve_on(&rig.skeleton, &joints, &rig.pose(), &goal);
                            matchers::assert_sound(&after);
                            let hard = goal.stretch == 0.0 && goal.softness == 0.0;
                            let parent_space = matchers::forward_kinematics(&rig.skeleton, &rig.pose())[1];
                            let from_root = solve3(&parent_space.columns, sub(wide(target_ms), wide(root_ms)));
                            let distance = length(from_root) as f32;
                            let (low, high) = ((bones[0] - bones[1]).abs(), bones[0] + bones[1]);
                            if hard && distance > low + 1e-5 && distance < high - 1e-5 {
                                let off = matchers::distance_to_goal(&rig.skeleton, &after, 4, target_ms);
                                assert!(off < 5e-6, "{name} {parent:?} {rolls:?} {target_ms}: {off:e} {outcome:?}");
                            }
                            for (a, b) in rig.pose().iter().zip(&after) {
                                assert!(!hard || a.position == b.position, "{name} {parent:?}: a bone grew");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn zero_length_bones_in_the_kernel() {
    let mut random = Random::new(6);
    for upper in [Vec3::ZERO, Vec3::X * 0.3] {
        for lower in [Vec3::ZERO, Vec3::Y * 0.3] {
            for _ in 0..50 {
                let mut limb = plain_kernel(upper, lower, random.in_ball(0.5));
                (limb.pole, limb.pole_weight) = (LaneVec3::from_vec3(random.unit_vector()), random.unit01());
                let s = two_bone::solve(&limb);
                for q in [s.root.to_quat(), s.mid.to_quat()] {
                    assert!(q.is_finite() && (q.length() - 1.0).abs() < 1e-5, "{limb:?} {q}");
                }
                let (_, end) = kernel_end(&limb);
                let target = wide(limb.target.to_vec3());
                // One bone alone still points at the target; none at all leaves the whole distance.
                if upper != Vec3::ZERO || lower != Vec3::ZERO {
                    if upper == Vec3::ZERO || lower == Vec3::ZERO {
                        assert!(matchers::direction_angle_rad(end, target) < 1e-5, "{limb:?}");
                    }
                } else {
                    assert_eq!((s.root.to_quat(), s.mid.to_quat()), (Quat::IDENTITY, Quat::IDENTITY));
                }
                let honest = matchers::distance(end, target);
                let off = (f64::from(s.beyond) - honest).abs();
                assert!(off < 5e-6, "beyond {} but {honest} left: {limb:?}", s.beyond);
            }
        }
    }
}
