//! Aim, judged from outside: the direction of the turned ray in `f64`.

use sinew::closed_form::aim_ray::{self, Aim};
use sinew::math::{LaneVec3, Quat, Transform, Vec3};
use testkit::Random;
use testkit::continuity;
use testkit::matchers::{self, Affine64, wide};

fn aim(offset: Vec3, axis: Vec3, target: Vec3) -> Aim<f32> {
    let lane = LaneVec3::from_vec3;
    Aim { offset: lane(offset), axis: lane(axis), target: lane(target), behind: lane(sinew::math::perpendicular(axis)) }
}

/// Angle between the turned ray and the line from its start to the target, radians.
fn off(aim: &Aim<f32>, turn: Quat) -> f64 {
    let spin = Affine64::from_transform(&Transform::new(Vec3::ZERO, turn));
    let start = spin.direction(wide(aim.offset.to_vec3()));
    let axis = spin.direction(wide(aim.axis.to_vec3()));
    let target = wide(aim.target.to_vec3());
    matchers::direction_angle_rad(axis, [0, 1, 2].map(|i| target[i] - start[i]))
}

#[test]
fn the_ray_goes_through_the_target() {
    let mut random = Random::new(1);
    let mut worst = 0.0f64;
    for size in [1e-2, 1.0, 1e3] {
        for _ in 0..5000 {
            let offset = random.in_ball(0.3) * size;
            let target = random.unit_vector() * (random.between(0.35, 5.0) * size);
            let aim = aim(offset, random.unit_vector(), target);
            let solution = aim_ray::solve(&aim);
            assert!((solution.turn.to_quat().length() - 1.0).abs() < 1e-5);
            // A target outside the ball of the offset is always met.
            assert!(solution.met, "{aim:?}");
            worst = worst.max(off(&aim, solution.turn.to_quat()));
        }
    }
    println!("aim: worst {worst:.1e} rad");
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn a_target_nearer_than_the_ray_is_not_met_and_reported() {
    let mut random = Random::new(2);
    for _ in 0..500 {
        // The ray passes the joint at 0.3; nothing nearer can be met.
        let axis = random.unit_vector();
        let offset = sinew::math::perpendicular(axis) * 0.3;
        let aim = aim(offset, axis, random.unit_vector() * random.between(0.01, 0.29));
        let solution = aim_ray::solve(&aim);
        assert!(!solution.met);
        // The ray's nearest point comes into the target's direction.
        let near = solution.turn.to_quat() * offset;
        assert!(near.angle_between(aim.target.to_vec3()) < 1e-3);
    }
}

#[test]
fn odd_rays_and_targets_give_valid_rotations() {
    let odd = [Vec3::ZERO, Vec3::X, Vec3::NEG_X, Vec3::Y * 1e-20, Vec3::splat(1e15), Vec3::new(0.0, 0.0, 1e-7)];
    for offset in odd {
        for target in odd {
            for axis in [Vec3::X, Vec3::NEG_X, Vec3::Y] {
                let turn = aim_ray::solve(&aim(offset, axis, target)).turn.to_quat();
                assert!(turn.is_finite() && (turn.length() - 1.0).abs() < 1e-5, "{offset} {target} {axis}: {turn}");
            }
        }
    }
    let on_joint = aim_ray::solve(&aim(Vec3::ZERO, Vec3::X, Vec3::ZERO));
    assert_eq!(on_joint.turn.to_quat(), Quat::IDENTITY);
    assert!(!on_joint.met);
}

#[test]
fn right_behind_it_turns_about_the_axis_given() {
    let mut given = aim(Vec3::ZERO, Vec3::Z, Vec3::NEG_Z);
    for behind in [Vec3::X, Vec3::Y] {
        given.behind = LaneVec3::from_vec3(behind);
        let turn = aim_ray::solve(&given).turn.to_quat();
        assert!((turn * behind - behind).length() < 1e-6 && (turn * Vec3::Z + Vec3::Z).length() < 1e-6);
    }
}

#[test]
fn nearly_behind_it_is_met_up_to_rounding() {
    let mut random = Random::new(5);
    let mut worst = 0.0f64;
    for aside in [0.0, 1e-7, 3e-7, 1e-6, 1e-5, 1e-4] {
        for _ in 0..2000 {
            let axis = random.unit_vector();
            let target = (axis + random.unit_vector() * aside) * -random.between(0.5, 3.0);
            let aim = aim(Vec3::ZERO, axis, target);
            let solution = aim_ray::solve(&aim);
            assert!(solution.met, "{aim:?}");
            worst = worst.max(off(&aim, solution.turn.to_quat()));
        }
    }
    println!("aim behind: worst {worst:.1e} rad");
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn it_takes_the_shortest_turn() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let (axis, target) = (random.unit_vector(), random.unit_vector());
        let turn = aim_ray::solve(&aim(Vec3::ZERO, axis, target)).turn.to_quat();
        let angle = f64::from(sinew::math::rotation_angle(turn));
        assert!((angle - matchers::direction_angle_rad(wide(axis), wide(target))).abs() < 1e-5);
    }
}

#[test]
fn moving_targets_turn_it_continuously() {
    let mut random = Random::new(4);
    for _ in 0..20 {
        let (offset, axis) = (random.in_ball(0.2), random.unit_vector());
        let path = continuity::SmoothPath::random(&mut random, 8, Vec3::ZERO, 2.0);
        let found = continuity::judge(300, 1.0, |s| {
            vec![Transform::new(Vec3::ZERO, aim_ray::solve(&aim(offset, axis, path.at(s))).turn.to_quat())]
        });
        assert!(found.jump < 2e-3, "{found:?}");
    }
}
