//! Two-bone IK, judged from outside: forward kinematics in `f64` on the result, under every kind of
//! parent and bone roll. The solver's own flags are checked against the judge, never believed.

use sinew::closed_form::limb::{self, LimbGoal, LimbJoints};
use sinew::closed_form::two_bone::{self, TwoBone};
use sinew::math::soft::soft_limit;
use sinew::math::{LaneVec3, Quat, Transform, Vec3, float};
use sinew::outcome::{Outcome, Status};
use sinew::skeleton::{Pose, Skeleton};
use testkit::chains::{ChainOptions, LimbOptions, ParentKind, Rig, chain, limb as limb_rig, odd_limbs};
use testkit::continuity::{self, SmoothPath};
use testkit::matchers::{self, Affine64, wide};
use testkit::{BoneRolls, Random};

const PI: f32 = core::f32::consts::PI;

/// A limb on a rig, and where its parent's space and its joints are.
struct Case {
    name: String,
    rig: Rig,
    joints: LimbJoints,
    upper: f32,
    lower: f32,
}

impl Case {
    fn new(options: LimbOptions) -> Self {
        let rig = limb_rig(&options);
        let joints = LimbJoints::new(&rig.skeleton, 2, 3, 4).expect("joints of one limb");
        let name = format!("{:?} {:?}", options.parent, options.rolls);
        Self { name, rig, joints, upper: options.upper, lower: options.lower }
    }
    /// Every parent, every roll.
    fn all(upper: f32, lower: f32, bend_rad: f32) -> Vec<Self> {
        let mut cases = Vec::new();
        for parent in ParentKind::ALL {
            for rolls in BoneRolls::ALL {
                cases.push(Self::new(LimbOptions { upper, lower, bend_rad, rolls, parent }));
            }
        }
        cases
    }
    fn length(&self) -> f32 {
        self.upper + self.lower
    }
    /// The rest pose with the limb's joints turned anyhow.
    fn random_pose(&self, random: &mut Random) -> Vec<Transform> {
        let mut pose = self.rig.pose();
        pose[2..5].iter_mut().for_each(|joint| joint.rotation = random.rotation());
        pose
    }
    /// Space of the limb's parent.
    fn parent(&self) -> Affine64 {
        matchers::forward_kinematics(&self.rig.skeleton, &self.rig.pose())[1]
    }
    /// A point given from the limb's root in its parent's space, in model space.
    fn out(&self, from_root: Vec3) -> Vec3 {
        let root = self.rig.skeleton.rest_local()[2].position;
        vec3(self.parent().point((root + from_root).to_array().map(f64::from)))
    }
    /// A point of model space, in the parent's space from the limb's root.
    fn back(&self, point_ms: [f64; 3]) -> [f64; 3] {
        let parent = self.parent();
        let root = parent.point(self.rig.skeleton.rest_local()[2].position.to_array().map(f64::from));
        solve3(&parent.columns, sub(point_ms, root))
    }
    /// Side the limb bends to in the rest pose, in the root joint's own space: −z of the parent's.
    fn bend_side_js(&self) -> Vec3 {
        self.rig.skeleton.rest_local()[2].rotation.conjugate() * Vec3::NEG_Z
    }
    /// Mid and end, in the parent's space from the root.
    fn places(&self, pose: &[Transform]) -> [[f64; 3]; 2] {
        let fk = matchers::forward_kinematics(&self.rig.skeleton, pose);
        [self.back(fk[3].position), self.back(fk[4].position)]
    }
    fn solve(&self, pose: &[Transform], goal: &LimbGoal) -> (Vec<Transform>, Outcome) {
        solve_on(&self.rig.skeleton, &self.joints, pose, goal)
    }
    fn goal(&self, target_from_root: Vec3) -> LimbGoal {
        LimbGoal::at(self.out(target_from_root), self.bend_side_js())
    }
    /// A target that both bones can reach, from the root.
    fn reachable(&self, random: &mut Random) -> Vec3 {
        let (low, high) = ((self.upper - self.lower).abs(), self.length());
        random.unit_vector() * random.between(low + 0.001 * high, 0.999 * high)
    }
}

fn solve_on(
    skeleton: &Skeleton,
    joints: &LimbJoints,
    local: &[Transform],
    goal: &LimbGoal,
) -> (Vec<Transform>, Outcome) {
    let mut pose = Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(local);
    pose.update(skeleton);
    let outcome = limb::solve(skeleton, &mut pose, joints, goal);
    (pose.local().to_vec(), outcome)
}

fn vec3(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}
fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}
/// Part of `v` at right angles to `along`.
fn across(v: [f64; 3], along: [f64; 3]) -> [f64; 3] {
    let k = dot(v, along) / dot(along, along);
    [v[0] - along[0] * k, v[1] - along[1] * k, v[2] - along[2] * k]
}
/// Solves the 3×3 system with these columns, by Cramer's rule.
fn solve3(columns: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let det = dot(columns[0], cross(columns[1], columns[2]));
    [
        dot(v, cross(columns[1], columns[2])) / det,
        dot(columns[0], cross(v, columns[2])) / det,
        dot(columns[0], cross(columns[1], v)) / det,
    ]
}

/// Median and worst.
fn summary(errors: &mut [f64]) -> (f64, f64) {
    errors.sort_by(f64::total_cmp);
    (errors[errors.len() / 2], errors[errors.len() - 1])
}

const LENGTHS: [(f32, f32); 4] = [(0.2, 0.2), (0.33, 0.26), (0.25, 0.45), (0.5, 0.5)];

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

#[test]
fn a_pole_pulls_the_mid_joint_into_its_half_plane() {
    let mut random = Random::new(7);
    for case in Case::all(0.33, 0.26, 0.3) {
        for as_direction in [false, true] {
            for _ in 0..40 {
                let pose = case.random_pose(&mut random);
                let target = random.unit_vector() * random.between(0.15, 0.55);
                let mut goal = case.goal(target);
                let pole = if as_direction { random.unit_vector() * 1000.0 } else { random.in_ball(1.0) };
                // Near the line through root and target the pole fades out by design: another test.
                if pole.angle_between(target).to_degrees().min(180.0 - pole.angle_between(target).to_degrees()) < 4.0 {
                    continue;
                }
                (goal.pole_ms, goal.pole_weight) = (case.out(pole), 1.0);
                let (after, outcome) = case.solve(&pose, &goal);
                let [mid, end] = case.places(&after);
                let pole = case.back(wide(goal.pole_ms));
                let angle = matchers::direction_angle_rad(across(mid, end), across(pole, end));
                assert!(angle < 5e-5, "{}: {angle}", case.name);
                assert_eq!(outcome.status, Status::Reached);
            }
        }
    }
}

#[test]
fn a_partial_pole_lies_on_the_way_and_going_round_it_never_flips() {
    let mut random = Random::new(8);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..10 {
            let pose = case.random_pose(&mut random);
            let target = random.unit_vector() * random.between(0.15, 0.55);
            let pole = random.unit_vector();
            if pole.cross(target).length() < 0.1 * target.length() {
                continue;
            }
            let mid_at = |weight: f32| {
                let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: weight, ..case.goal(target) };
                let [mid, end] = case.places(&case.solve(&pose, &goal).0);
                across(mid, end)
            };
            let (none, all) = (mid_at(0.0), mid_at(1.0));
            let whole = matchers::direction_angle_rad(none, all);
            let mut last = 0.0;
            for weight in [0.1, 0.25, 0.5, 0.75, 0.9] {
                let part = matchers::direction_angle_rad(none, mid_at(weight));
                let left = matchers::direction_angle_rad(mid_at(weight), all);
                assert!((part + left - whole).abs() < 2e-4 && part >= last - 1e-4, "{}: {part} of {whole}", case.name);
                assert!(weight != 0.5 || (part - 0.5 * whole).abs() < 2e-4, "{}: half is half", case.name);
                last = part;
            }
        }
        let pose = case.random_pose(&mut random);
        let target = case.reachable(&mut random);
        let (x, y) = (target.normalize().any_orthonormal_vector(), target.normalize());
        let z = x.cross(y);
        for weight in [0.3, 0.8] {
            let found = continuity::judge(300, case.length(), |s| {
                let angle = s as f32 * 2.0 * PI;
                let pole = x * float::cos(angle) + z * float::sin(angle) + y * 0.3;
                let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: weight, ..case.goal(target) };
                case.solve(&pose, &goal).0
            });
            assert!(found.jump < 2e-3, "{} {weight} {found:?}", case.name);
        }
    }
}

#[test]
fn adding_a_pole_that_agrees_changes_nothing() {
    let mut random = Random::new(9);
    for case in Case::all(0.33, 0.26, 0.7) {
        let pose = case.random_pose(&mut random);
        let [mid, end] = case.places(&pose);
        let goal = case.goal(vec3(end));
        let pole = vec3(mid) * 3.0 - vec3(end) * 0.4;
        for weight in [0.3, 1.0] {
            let with = LimbGoal { pole_ms: case.out(pole), pole_weight: weight, ..goal };
            let moved = matchers::max_joint_step_rad(&pose, &case.solve(&pose, &with).0);
            assert!(moved < 5e-5, "{}: {moved}", case.name);
        }
    }
}

#[test]
fn a_pole_crossing_the_line_does_not_tear() {
    let mut random = Random::new(10);
    let case = Case::new(LimbOptions::default());
    for _ in 0..20 {
        let pose = case.random_pose(&mut random);
        let target = case.reachable(&mut random);
        let aside = random.in_ball(0.02);
        // Past the line beyond the target and behind the root, closely and exactly through.
        for (from, to) in [(aside, -aside), (aside, -aside + random.in_ball(0.01))] {
            for along in [1.5, -0.7] {
                let found = continuity::judge(200, case.length(), |s| {
                    let pole = target * along + from.lerp(to, s as f32);
                    let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: 1.0, ..case.goal(target) };
                    case.solve(&pose, &goal).0
                });
                assert!(found.jump < 2e-3, "{found:?}");
            }
        }
    }
}

#[test]
fn pole_weights_are_continuous() {
    let mut random = Random::new(11);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..3 {
            let pose = case.random_pose(&mut random);
            let target = case.reachable(&mut random);
            let pole = random.in_ball(1.0);
            let found = continuity::judge(50, case.length(), |s| {
                let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: s as f32, ..case.goal(target) };
                case.solve(&pose, &goal).0
            });
            assert!(found.jump < 2e-3, "{} {found:?}", case.name);
        }
    }
}

#[test]
fn a_straight_limb_bends_to_its_anatomical_side() {
    let mut random = Random::new(12);
    for case in Case::all(0.33, 0.26, 0.0) {
        for _ in 0..30 {
            let mut pose = case.rig.pose();
            // The whole arm turned any way; the anatomical side turns with the upper bone.
            let turn = random.rotation();
            pose[2].rotation = (turn * pose[2].rotation).normalize();
            let along = turn * Vec3::X;
            let side = turn * Vec3::NEG_Z;
            let (after, _) = case.solve(&pose, &case.goal(along * random.between(0.1, 0.55)));
            let [mid, end] = case.places(&after);
            let angle = matchers::direction_angle_rad(across(mid, end), wide(side));
            assert!(angle < 1e-3, "{}: {angle}", case.name);
        }
    }
}

#[test]
fn weight_0_passes_through_bit_for_bit() {
    let mut random = Random::new(13);
    for case in Case::all(0.33, 0.26, 0.3) {
        let pose = case.random_pose(&mut random);
        let goal = LimbGoal { weight: 0.0, stretch: 0.05, softness: 0.1, ..case.goal(random.in_ball(2.0)) };
        let (after, outcome) = case.solve(&pose, &goal);
        matchers::assert_pose_bits_equal(&pose, &after);
        assert_eq!(outcome, Outcome::INACTIVE);
        // A hand that is already there hardly moves, whatever the weight.
        let [_, end] = case.places(&pose);
        for weight in [0.01, 0.5, 1.0] {
            let goal = LimbGoal { weight, ..case.goal(vec3(end)) };
            let moved = matchers::max_joint_step_rad(&pose, &case.solve(&pose, &goal).0);
            assert!(moved < 2e-4, "{}: {moved}", case.name);
        }
    }
}

#[test]
fn weights_are_continuous() {
    let mut random = Random::new(14);
    let mut worst = continuity::Continuity { step_rad: 0.0, step_at: 0.0, jump: 0.0, jump_at: 0.0, joint: 0 };
    for bend in [0.3, 0.0] {
        for case in Case::all(0.33, 0.26, bend) {
            for stretch in [0.0, 0.05] {
                let mut pose = if bend == 0.0 { case.rig.pose() } else { case.random_pose(&mut random) };
                let aside = random.rotation_within(1.5);
                pose[2].rotation = (aside * pose[2].rotation).normalize();
                let target = random.in_ball(1.2);
                let found = continuity::judge(100, case.length(), |s| {
                    let goal = LimbGoal { weight: s as f32, stretch, ..case.goal(target) };
                    case.solve(&pose, &goal).0
                });
                assert!(found.jump < 5e-3, "{} bend {bend} stretch {stretch} {found:?}", case.name);
                if found.step_rad > worst.step_rad {
                    worst = found;
                }
            }
        }
    }
    println!("weights: {worst:?}");
}

#[test]
fn moving_targets_move_the_limb_continuously() {
    let mut random = Random::new(15);
    let mut worst: f64 = 0.0;
    for (round, case) in Case::all(0.33, 0.26, 0.3).into_iter().enumerate() {
        for kind in 0..6 {
            let pose = case.random_pose(&mut random);
            let centre_ps = if kind % 2 == 0 { Vec3::ZERO } else { random.unit_vector() };
            let soft = if kind < 4 { 0.0 } else { 0.05 };
            // In and out of reach, past the root, across the straight pose.
            let path = SmoothPath::random(&mut random, 12, Vec3::ZERO, 0.9);
            let pole = random.in_ball(1.0);
            let found = continuity::judge(400, case.length(), |s| {
                let goal = LimbGoal {
                    centre_ps,
                    stretch: soft,
                    pole_ms: case.out(pole),
                    pole_weight: if kind == 3 { 1.0 } else { 0.0 },
                    ..case.goal(path.at(s))
                };
                case.solve(&pose, &goal).0
            });
            worst = worst.max(found.jump);
            assert!(found.jump < 5e-3, "{} round {round} kind {kind} {found:?}", case.name);
        }
    }
    println!("moving targets: largest jump left {worst:.1e}");
}

#[test]
fn joint_speed_is_bounded_away_from_the_singular_direction() {
    let mut random = Random::new(16);
    let (mut fastest, mut fastest_far) = (0.0f64, 0.0f64);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..150 {
            let pose = case.random_pose(&mut random);
            let centre = random.unit_vector();
            let target = random.unit_vector() * random.between(0.25, 0.9) * case.length();
            if target.angle_between(-centre) < 0.5 {
                continue;
            }
            let delta = random.unit_vector() * (1e-3 * case.length());
            // The pose's own direction over its centre is the other half of the way.
            let [_, end] = case.places(&pose);
            let solve = |target| case.solve(&pose, &LimbGoal { centre_ps: centre, ..case.goal(target) }).0;
            let (a, b) = (solve(target), solve(target + delta));
            let speed = matchers::max_joint_step_rad(&a, &b) / 1e-3;
            fastest = fastest.max(speed);
            if vec3(end).angle_between(-centre) > 0.5 {
                fastest_far = fastest_far.max(speed);
            }
        }
    }
    println!("joint speed: {fastest:.1} rad per limb length, {fastest_far:.1} with the pose itself away, too");
    assert!(fastest < 25.0);
}

#[test]
fn soft_and_stretching_limbs_straighten_at_bounded_speed() {
    for bend_rad in [0.6, 2.0] {
        straightens_at_bounded_speed(bend_rad);
    }
}

fn straightens_at_bounded_speed(bend_rad: f32) {
    let case = Case::new(LimbOptions { bend_rad, ..LimbOptions::default() });
    let pose = case.rig.pose();
    let extent = length(case.places(&pose)[1]) as f32 / case.length();
    let full = case.length();
    for (softness, stretch) in [(0.05, 0.0), (0.2, 0.0), (0.0, 0.05), (0.0, 0.3), (0.05, 0.05), (1.0, 0.0), (0.0, 1.0)]
    {
        let at = |distance: f32| {
            let goal = LimbGoal { softness, stretch, ..case.goal(Vec3::X * distance) };
            case.solve(&pose, &goal)
        };
        let bend = |pose: &[Transform]| {
            let [mid, end] = case.places(pose);
            matchers::direction_angle_rad(mid, sub(end, mid))
        };
        let steps = 1500;
        let (mut last_bend, mut last_end, mut fastest) = (bend(&at(full * 0.6).0), 0.0, 0.0f64);
        for i in 0..=steps {
            let distance = full * (0.6 + 1.8 * i as f32 / steps as f32);
            let (after, outcome) = at(distance);
            let [mid, end] = case.places(&after);
            let (now, reach) = (bend(&after), length(end));
            let step = f64::from(1.8 / steps as f32);
            if i > 0 {
                fastest = fastest.max((now - last_bend).abs() / step);
                assert!(now <= last_bend + 2e-3, "the bend opens again at {distance}");
                assert!(reach >= last_end - 1e-6, "the end comes back at {distance}");
                assert!((reach - last_end) / f64::from(full) < step * 1.05 + 1e-6, "the end runs ahead at {distance}");
            }
            (last_bend, last_end) = (now, reach);
            assert!(reach <= f64::from(full * (1.0 + stretch)) + 2e-6);
            let upper = length(mid) / f64::from(case.upper);
            assert!((1.0 - 1e-5..=1.0 + f64::from(stretch) + 1e-5).contains(&upper));
            let left = matchers::distance_to_goal(&case.rig.skeleton, &after, 4, case.out(Vec3::X * distance));
            assert!((f64::from(outcome.residual_m) - left).abs() < 3e-6);
            if softness == 0.0 && distance <= full * (1.0 + stretch) {
                assert!(left < 5e-6, "stretch {stretch} reaches {distance}: {left:e}");
            }
            if distance > full * (1.0 + stretch) * (1.0 + softness) + 1e-6 {
                assert!((reach - f64::from(full * (1.0 + stretch))).abs() < 3e-6, "full reach: {reach}");
                assert_eq!(outcome.status, Status::Unreachable);
            }
        }
        println!(
            "bend {bend_rad} softness {softness} stretch {stretch}: opens by up to {fastest:.1} rad per limb length"
        );
        // Stretching starts where the pose has the limb, if that is beyond 1 − stretch.
        let tightest = (softness + stretch.min(1.0 - extent)).min(1.0);
        assert!(fastest < f64::from(4.0 / tightest.sqrt()), "softness {softness} stretch {stretch}: {fastest}");
    }
}

#[test]
fn soft_limits_are_what_they_say() {
    for softness in [0.0, 0.1, 0.5, 1.0] {
        let mut last = soft_limit(0.0, 2.0, softness);
        assert_eq!(last, 0.0);
        for i in 1..=4000 {
            let value = i as f32 * 1e-3;
            let now = soft_limit(value, 2.0, softness);
            assert!(now <= value.min(2.0) + 1e-6 && now >= last - 1e-6 && now - last < 1.01e-3, "{softness} {value}");
            last = now;
        }
        assert!((soft_limit(2.0 * (1.0 + softness) + 0.01, 2.0, softness) - 2.0).abs() < 3e-7);
        let unchanged = 2.0 * (1.0 - softness) * 0.99;
        assert_eq!(soft_limit(unchanged, 2.0, softness), unchanged);
    }
}

#[test]
fn bones_keep_their_lengths() {
    let mut random = Random::new(17);
    for case in Case::all(0.33, 0.26, 0.3) {
        for _ in 0..30 {
            let pose = case.random_pose(&mut random);
            let goal = LimbGoal { softness: 0.1, ..case.goal(random.in_ball(1.0)) };
            let (after, _) = case.solve(&pose, &goal);
            for joint in 0..pose.len() {
                assert_eq!(pose[joint].position, after[joint].position, "{}", case.name);
                assert_eq!(pose[joint].scale, after[joint].scale, "{}", case.name);
            }
            // Only root and mid turn.
            for joint in [0, 1, 4, 5] {
                assert_eq!(pose[joint], after[joint], "{}", case.name);
            }
        }
    }
}

#[test]
fn the_mid_joint_turns_about_one_hinge() {
    // Sweeping the target must swing the forearm in the plane of its hinge: seen from the upper
    // arm, the axis between two poses is always the same.
    let mut random = Random::new(18);
    for case in Case::all(0.33, 0.26, 0.8) {
        let pose = case.rig.pose();
        let mut axes: Vec<Vec3> = Vec::new();
        for _ in 0..20 {
            let target = random.unit_vector() * random.between(0.1, 0.55);
            let (after, _) = case.solve(&pose, &case.goal(target));
            let turn = after[3].rotation * pose[3].rotation.conjugate();
            if sinew::math::rotation_angle(turn) > 0.1 {
                let v = Vec3::new(turn.x, turn.y, turn.z).normalize();
                axes.push(if axes.first().is_some_and(|a| a.dot(v) < 0.0) { -v } else { v });
            }
        }
        for axis in &axes {
            assert!(axis.angle_between(axes[0]) < 2e-3, "{}: {axis} {}", case.name, axes[0]);
        }
    }
}

#[test]
fn joints_between_ride_along() {
    let mut random = Random::new(19);
    for parent in ParentKind::ALL {
        for rolls in BoneRolls::ALL {
            let options = ChainOptions { bone_count: 7, bone_length: 0.12, bend_rad: 0.2, parent, rolls, zigzag: true };
            let rig = chain(&options);
            let (root, mid, end) = (rig.joints[0], rig.joints[3], rig.joints[5]);
            let joints = LimbJoints::new(&rig.skeleton, root, mid, end).unwrap();
            assert_eq!(joints.path(), &rig.joints[0..6]);
            for _ in 0..20 {
                let pose = random.pose_near_rest(&rig.skeleton, 0.3);
                let target_ms =
                    rig.skeleton.rest_model()[1].point_out(random.unit_vector() * random.between(0.2, 0.45));
                let goal = LimbGoal::at(target_ms, Vec3::Y);
                let (after, outcome) = solve_on(&rig.skeleton, &joints, &pose, &goal);
                // Only root and mid turn.
                for joint in (0..pose.len()).filter(|j| *j != root && *j != mid) {
                    assert_eq!(pose[joint], after[joint], "{parent:?} {rolls:?}");
                }
                if outcome.status == Status::Reached {
                    let off = matchers::distance_to_goal(&rig.skeleton, &after, end, target_ms);
                    assert!(off < 1e-5, "{parent:?} {rolls:?}: {off:e}");
                }
            }
        }
    }
}

#[test]
fn joint_order_and_relations_are_checked() {
    let rig = limb_rig(&LimbOptions::default());
    assert!(LimbJoints::new(&rig.skeleton, 2, 2, 4).is_none());
    assert!(LimbJoints::new(&rig.skeleton, 3, 2, 4).is_none());
    assert!(LimbJoints::new(&rig.skeleton, 2, 4, 3).is_none());
    let joints = LimbJoints::new(&rig.skeleton, 2, 3, 5).unwrap();
    assert_eq!((joints.root(), joints.mid(), joints.end()), (2, 3, 5));
}

#[test]
fn uneven_scale_inside_the_limb_converges() {
    let mut random = Random::new(20);
    let (mut rounds, mut misses, mut tried) = (0, 0, 0);
    let mut errors = Vec::new();
    for case in Case::all(0.33, 0.26, 0.5) {
        for scale in [Vec3::new(1.0, 1.2, 0.9), Vec3::new(1.0, 2.0, 0.5), Vec3::new(-1.0, 1.3, 1.0)] {
            for _ in 0..15 {
                let mut pose = case.random_pose(&mut random);
                pose[2].scale = scale;
                // As far as some bend of this very hinge puts the end, so that the target is within
                // reach.
                let (somewhere, _) = case.solve(&pose, &case.goal(random.unit_vector() * random.between(0.15, 0.45)));
                let target = random.unit_vector() * length(case.places(&somewhere)[1]) as f32;
                let (after, outcome) = case.solve(&pose, &case.goal(target));
                matchers::assert_sound(&after[2..5]);
                let off = matchers::distance_to_goal(&case.rig.skeleton, &after, 4, case.out(target));
                rounds = rounds.max(outcome.iterations);
                tried += 1;
                let honest = (f64::from(outcome.residual_m) - off).abs();
                assert!(honest < 3e-6, "{} {outcome:?} {off:e}", case.name);
                match outcome.status {
                    Status::Reached => errors.push(off),
                    _ => misses += 1,
                }
                assert!(outcome.status != Status::Reached || off < 2e-5, "{} {outcome:?} {off:e}", case.name);
            }
        }
    }
    let (median, worst) = summary(&mut errors);
    println!("uneven: {tried} targets, {misses} missed, up to {rounds} rounds, median {median:.1e}, worst {worst:.1e}");
    assert!(misses * 100 <= tried, "{misses} of {tried} missed");
}

#[test]
fn a_parent_squashed_flat_leaves_the_limb_alone() {
    let mut rig = limb_rig(&LimbOptions::default());
    let mut pose = rig.pose();
    pose[1].scale = Vec3::new(1.0, 0.0, 1.0);
    rig.joints.truncate(3);
    let joints = LimbJoints::new(&rig.skeleton, 2, 3, 4).unwrap();
    let (after, outcome) = solve_on(&rig.skeleton, &joints, &pose, &LimbGoal::at(Vec3::ONE, Vec3::Y));
    matchers::assert_pose_bits_equal(&pose, &after);
    assert_eq!(outcome.status, Status::Unreachable);
    let off = matchers::distance_to_goal(&rig.skeleton, &after, 4, Vec3::ONE);
    assert!((f64::from(outcome.residual_m) - off).abs() < 1e-6);
}

#[test]
fn a_mirrored_limb_gives_the_mirrored_pose() {
    // The limb under a mirror, and the mirrored target: the local rotations must be the very same
    // motion.
    let mut random = Random::new(21);
    let plain = Case::new(LimbOptions { parent: ParentKind::Rotated, ..LimbOptions::default() });
    let mirrored = Case::new(LimbOptions { parent: ParentKind::Mirrored, ..LimbOptions::default() });
    for _ in 0..50 {
        let pose = plain.random_pose(&mut random);
        let mut other = pose.clone();
        other[..2].copy_from_slice(&mirrored.rig.pose()[..2]);
        let target = random.in_ball(0.6);
        let (a, _) = plain.solve(&pose, &plain.goal(target));
        let (b, _) = mirrored.solve(&other, &mirrored.goal(target));
        assert!(matchers::max_joint_step_rad(&a[2..], &b[2..]) < 2e-3);
    }
}

#[test]
fn the_target_is_held_while_the_pole_circles() {
    let case = Case::new(LimbOptions::default());
    let pose = case.rig.pose();
    let target = Vec3::new(0.3, 0.1, 0.25);
    let found = continuity::judge(360, case.length(), |s| {
        let angle = s as f32 * 2.0 * PI;
        let pole = Vec3::new(0.0, float::cos(angle), float::sin(angle));
        let goal = LimbGoal { pole_ms: case.out(pole), pole_weight: 1.0, ..case.goal(target) };
        let (after, _) = case.solve(&pose, &goal);
        matchers::assert_reached(&case.rig.skeleton, &after, 4, goal.target_ms, 1e-5);
        after
    });
    assert!(found.jump < 2e-3 && found.step_rad < 0.1, "{found:?}");
}
