//! Eight lanes in step give the bits of eight scalar calls: for each operation, so that a drift can be found, and for the kernels.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, RngSeed, TestRunner};
use sinew::chains::aim::{self, Aim};
use sinew::chains::two_bone::{self, TwoBone};
use sinew::math::{F32x8, Lane, LaneMask, LaneQuat, LaneVec3, Vec3, float};
use testkit::Random;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 500,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0x51_4e_45_57),
        ..ProptestConfig::default()
    }
}

/// Numbers of all kinds: tiny, huge, denormal, both zeros, infinities, NaN.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -2.0f32..2.0,
        1 => -1e6f32..1e6,
        1 => any::<f32>(),
        1 => prop_oneof![Just(0.0f32), Just(-0.0), Just(1.0), Just(f32::MIN_POSITIVE), Just(1e-40), Just(f32::MAX)],
        1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY)],
    ]
}

fn eight() -> impl Strategy<Value = [f32; 8]> {
    prop::array::uniform8(any_number())
}

/// Equal bits; any NaN equals any other, for IEEE 754 leaves open which one an operation gives.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn assert_same(name: &str, wide: F32x8, scalar: impl Fn(usize) -> f32) {
    for i in 0..8 {
        assert!(same(wide.0[i], scalar(i)), "{name}, lane {i}: {:?} but alone {:?}", wide.0[i], scalar(i));
    }
}

#[test]
fn each_operation_gives_the_scalar_bits() {
    let mut runner = TestRunner::new(config());
    let run = runner.run(&(eight(), eight(), eight()), |(a, b, c)| {
        let (x, y, z) = (F32x8(a), F32x8(b), F32x8(c));
        assert_same("add", x + y, |i| a[i] + b[i]);
        assert_same("sub", x - y, |i| a[i] - b[i]);
        assert_same("mul", x * y, |i| a[i] * b[i]);
        assert_same("div", x / y, |i| a[i] / b[i]);
        assert_same("neg", -x, |i| -a[i]);
        assert_same("sqrt", Lane::sqrt(x), |i| Lane::sqrt(a[i]));
        assert_same("root", x.root(), |i| a[i].root());
        assert_same("copy_sign", x.copy_sign(y), |i| a[i].copy_sign(b[i]));
        assert_same("abs", Lane::abs(x), |i| Lane::abs(a[i]));
        assert_same("min", Lane::min(x, y), |i| Lane::min(a[i], b[i]));
        assert_same("max", Lane::max(x, y), |i| Lane::max(a[i], b[i]));
        assert_same("clamp", Lane::clamp(x, y, z), |i| Lane::clamp(a[i], b[i], c[i]));
        assert_same("lerp", Lane::lerp(x, y, z), |i| Lane::lerp(a[i], b[i], c[i]));
        assert_same("map", x.map(float::sin), |i| float::sin(a[i]));
        assert_same("map2", x.map2(y, float::atan2), |i| float::atan2(a[i], b[i]));
        assert_same("splat", F32x8::splat(a[0]), |_| a[0]);
        let (less, other) = (x.lt(y), y.lt(z));
        for i in 0..8 {
            assert_eq!(less[i], a[i] < b[i]);
            assert_eq!(less.and(other)[i], less[i] & other[i]);
            assert_eq!(less.or(other)[i], less[i] | other[i]);
            assert_eq!(less.not()[i], !less[i]);
        }
        assert_eq!(less.any(), (0..8).any(|i| less[i]));
        assert_same("select", F32x8::select(less, x, z), |i| f32::select(a[i] < b[i], a[i], c[i]));
        Ok(())
    });
    run.unwrap();
    assert_eq!((<F32x8 as Lane>::WIDTH, <f32 as Lane>::WIDTH), (8, 1));
}

#[test]
fn the_scalar_lane_is_plain_arithmetic() {
    assert_eq!(Lane::sqrt(-1.0f32), 0.0);
    assert_eq!(Lane::sqrt(f32::NAN), 0.0);
    assert_eq!(Lane::min(f32::NAN, 2.0f32), 2.0);
    assert_eq!(Lane::max(f32::NAN, 2.0f32), 2.0);
    assert_eq!(Lane::clamp(3.0f32, 0.0, 1.0), 1.0);
    let q = LaneQuat::<f32>::from_axis_angle(LaneVec3::from_vec3(Vec3::Z), 1.0).to_quat();
    assert_eq!(q, sinew::math::axis_angle(Vec3::Z, 1.0));
}

fn gather(vectors: [Vec3; 8]) -> LaneVec3<F32x8> {
    LaneVec3::new(F32x8(vectors.map(|v| v.x)), F32x8(vectors.map(|v| v.y)), F32x8(vectors.map(|v| v.z)))
}

/// A vector of any kind: ordinary, zero, tiny, huge, along an axis.
fn any_vector(random: &mut Random) -> Vec3 {
    match random.below(12) {
        0 => Vec3::ZERO,
        1 => random.unit_vector() * 1e-18,
        2 => random.unit_vector() * 1e12,
        3 => [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::Z][random.below(4)] * random.between(0.1, 0.6),
        4 => Vec3::X * 0.3,
        _ => random.in_ball(0.6),
    }
}

fn any_weight(random: &mut Random) -> f32 {
    [0.0, 1.0, 0.5, random.unit01()][random.below(4)]
}

fn lane_quat(q: &LaneQuat<F32x8>, i: usize) -> [f32; 4] {
    [q.x.0[i], q.y.0[i], q.z.0[i], q.w.0[i]]
}

#[test]
fn two_bone_in_eight_lanes_is_eight_limbs() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let v: [[Vec3; 8]; 6] = core::array::from_fn(|_| core::array::from_fn(|_| any_vector(&mut random)));
        let w: [[f32; 8]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| any_weight(&mut random)));
        let wide = two_bone::solve(&TwoBone {
            root_mid: gather(v[0]),
            mid_end: gather(v[1]),
            hinge: gather(v[2]),
            centre: gather(v[3]),
            target: gather(v[4]),
            pole: gather(v[5]),
            weight: F32x8(w[0]),
            pole_weight: F32x8(w[1]),
            softness: F32x8(w[2]),
            stretch: F32x8(w[3]),
        });
        for i in 0..8 {
            let lane = |k: usize| LaneVec3::from_vec3(v[k][i]);
            let alone = two_bone::solve(&TwoBone {
                root_mid: lane(0),
                mid_end: lane(1),
                hinge: lane(2),
                centre: lane(3),
                target: lane(4),
                pole: lane(5),
                weight: w[0][i],
                pole_weight: w[1][i],
                softness: w[2][i],
                stretch: w[3][i],
            });
            let pairs = [
                (lane_quat(&wide.root, i), alone.root.to_quat().to_array()),
                (lane_quat(&wide.mid, i), alone.mid.to_quat().to_array()),
                ([wide.stretch.0[i], wide.beyond.0[i], 0.0, 0.0], [alone.stretch, alone.beyond, 0.0, 0.0]),
            ];
            for (together, alone) in pairs {
                assert!(
                    together.iter().zip(alone).all(|(a, b)| same(*a, b)),
                    "lane {i}: {together:?} but alone {alone:?}: {:?} {:?}",
                    v.map(|k| k[i]),
                    w.map(|k| k[i])
                );
            }
            let unit = |q: [f32; 4]| (q.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-4;
            assert!(unit(pairs[0].1) && unit(pairs[1].1), "not a rotation: {:?} {:?}", v.map(|k| k[i]), pairs);
        }
    }
}

#[test]
fn aim_in_eight_lanes_is_eight_rays() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let offset: [Vec3; 8] = core::array::from_fn(|_| any_vector(&mut random));
        let target: [Vec3; 8] = core::array::from_fn(|_| any_vector(&mut random));
        let axis: [Vec3; 8] = core::array::from_fn(|_| random.unit_vector());
        let behind = axis.map(sinew::math::perpendicular);
        let wide = aim::solve(&Aim {
            offset: gather(offset),
            axis: gather(axis),
            target: gather(target),
            behind: gather(behind),
        });
        for i in 0..8 {
            let lane = LaneVec3::from_vec3;
            let alone = aim::solve(&Aim {
                offset: lane(offset[i]),
                axis: lane(axis[i]),
                target: lane(target[i]),
                behind: lane(behind[i]),
            });
            let (together, single) = (lane_quat(&wide.turn, i), alone.turn.to_quat().to_array());
            assert!(together.iter().zip(single).all(|(a, b)| same(*a, b)), "{together:?} but alone {single:?}");
            assert_eq!(wide.met[i], alone.met);
            assert!((alone.turn.to_quat().length() - 1.0).abs() < 1e-4, "{} {} {single:?}", offset[i], target[i]);
        }
    }
}
