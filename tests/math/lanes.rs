//! Four or eight lanes in step give the bits of as many scalar calls: for each operation, so that a
//! drift can be found, and for the kernels.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, RngSeed, TestRunner};
use sinew::closed_form::aim_ray::{self, Aim};
use sinew::closed_form::two_bone;
use sinew::math::{F32x4, F32x8, Kernel, Lane, LaneMask, LaneQuat, LaneVec3, ScalarInRegister, Vec3, float};
use testkit::Random;
use testkit::limbs::{self, EightLimbs, gather};

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

fn assert_same(name: &str, wide: &[f32], scalar: impl Fn(usize) -> f32) {
    for (i, wide) in wide.iter().enumerate() {
        assert!(same(*wide, scalar(i)), "{name}, lane {i}: {wide:?} but alone {:?}", scalar(i));
    }
}

macro_rules! each_operation_gives_the_scalar_bits {
    ($name:ident, $Lanes:ident, $width:literal) => {
        #[test]
        fn $name() {
            let mut runner = TestRunner::new(config());
            let run = runner.run(&(eight(), eight(), eight()), |(a, b, c)| {
                let lanes = |from: [f32; 8]| $Lanes(core::array::from_fn(|i| from[i]));
                let (x, y, z) = (lanes(a), lanes(b), lanes(c));
                let assert_same = |name: &str, wide: $Lanes, scalar: &dyn Fn(usize) -> f32| {
                    assert_same(name, &wide.0, scalar);
                };
                assert_same("add", x + y, &|i| a[i] + b[i]);
                assert_same("sub", x - y, &|i| a[i] - b[i]);
                assert_same("mul", x * y, &|i| a[i] * b[i]);
                assert_same("div", x / y, &|i| a[i] / b[i]);
                assert_same("neg", -x, &|i| -a[i]);
                assert_same("sqrt", Lane::sqrt(x), &|i| Lane::sqrt(a[i]));
                assert_same("root", Lane::abs(x).root(), &|i| Lane::abs(a[i]).root());
                assert_same("abs", Lane::abs(x), &|i| Lane::abs(a[i]));
                assert_same("min", Lane::min(x, y), &|i| Lane::min(a[i], b[i]));
                assert_same("max", Lane::max(x, y), &|i| Lane::max(a[i], b[i]));
                assert_same("clamp", Lane::clamp(x, y, z), &|i| Lane::clamp(a[i], b[i], c[i]));
                assert_same("lerp", Lane::lerp(x, y, z), &|i| Lane::lerp(a[i], b[i], c[i]));
                assert_same("map", x.map(float::sin), &|i| float::sin(a[i]));
                assert_same("map2", x.map2(y, float::atan2), &|i| float::atan2(a[i], b[i]));
                assert_same("splat", $Lanes::splat(a[0]), &|_| a[0]);
                assert_same("copy_sign", x.copy_sign(y), &|i| Lane::copy_sign(a[i], b[i]));
                let (less, other) = (x.lt(y), y.lt(z));
                for i in 0..$width {
                    assert_eq!(less[i], a[i] < b[i]);
                    assert_eq!(less.and(other)[i], less[i] & other[i]);
                    assert_eq!(less.or(other)[i], less[i] | other[i]);
                    assert_eq!(less.not()[i], !less[i]);
                }
                assert_eq!(less.any(), (0..$width).any(|i| less[i]));
                assert_same("select", $Lanes::select(less, x, z), &|i| f32::select(a[i] < b[i], a[i], c[i]));
                Ok(())
            });
            run.unwrap();
            assert_eq!((<$Lanes as Lane>::WIDTH, <f32 as Lane>::WIDTH), ($width, 1));
        }
    };
}
each_operation_gives_the_scalar_bits!(each_operation_in_four_lanes_gives_the_scalar_bits, F32x4, 4);
each_operation_gives_the_scalar_bits!(each_operation_in_eight_lanes_gives_the_scalar_bits, F32x8, 8);

/// Everything vectors and quaternions do, of two vectors, two quaternions and a number, as numbers.
fn geometry<L: Lane>(numbers: [f32; 15]) -> Vec<L> {
    let n = numbers.map(L::splat);
    let (a, b) = (LaneVec3::new(n[0], n[1], n[2]), LaneVec3::new(n[3], n[4], n[5]));
    let (p, q) = (LaneQuat::new(n[6], n[7], n[8], n[9]), LaneQuat::new(n[10], n[11], n[12], n[13]));
    let vectors = [a + b, a - b, a * n[14], a.cross(b), p.rotate(a), -a, a.lerp(b, n[14])];
    let rotations = [p * q, p.conjugate(), p * n[14], p.normalize(), p + q, p - q];
    let mut all = vec![a.dot(b), p.dot(q), a.length()];
    all.extend(vectors.iter().flat_map(|v| [v.x, v.y, v.z]));
    all.extend(rotations.iter().flat_map(|q| [q.x, q.y, q.z, q.w]));
    all
}

/// A kernel whose result differs for every number and every set.
struct Mixed;

impl Kernel<2, 1> for Mixed {
    fn run<L: Lane>(&self, [a, b]: &[[L; 4]; 2]) -> [[L; 4]; 1] {
        [[a[0] + b[3], a[1] * b[2], a[2] - b[1], a[3] / b[0]]]
    }
}

#[test]
fn vectors_in_one_register_give_the_scalar_bits() {
    let mut runner = TestRunner::new(config());
    let run = runner.run(&(eight(), eight()), |(a, b)| {
        let numbers = core::array::from_fn(|i| if i < 8 { a[i] } else { b[i - 8] });
        let (register, scalar) = (geometry::<ScalarInRegister>(numbers), geometry::<f32>(numbers));
        for (i, (register, scalar)) in register.into_iter().zip(scalar).enumerate() {
            assert!(same(register.0, scalar), "number {i}: {register:?} but {scalar:?} of {numbers:?}");
        }
        let set = |k: usize| [[a[k], a[k + 1], a[k + 2], a[k + 3]], [b[k], b[k + 1], b[k + 2], b[k + 3]]];
        let sets = [0, 1, 2, 3].map(set);
        let alone = sets.map(|set| set.map(|four| four.map(ScalarInRegister)));
        let (together, one_by_one) =
            (ScalarInRegister::several(&Mixed, alone.each_ref(), 4), sets.map(|set| Mixed.run(&set)));
        for (together, one) in together.iter().flatten().flatten().zip(one_by_one.iter().flatten().flatten()) {
            assert!(same(together.0, *one), "{together:?} but alone {one:?}");
        }
        Ok(())
    });
    run.unwrap();
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

#[test]
fn two_bone_in_eight_lanes_is_eight_limbs() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let vectors = core::array::from_fn(|_| core::array::from_fn(|_| any_vector(&mut random)));
        let weights = core::array::from_fn(|_| core::array::from_fn(|_| any_weight(&mut random)));
        let limbs = EightLimbs { vectors, weights };
        let wide = two_bone::solve(&limbs.together());
        for i in 0..8 {
            let (wide, alone) = (limbs::lane(&wide, i), two_bone::solve(&limbs.alone(i)));
            let pairs = [
                (wide.root.to_quat().to_array(), alone.root.to_quat().to_array()),
                (wide.mid.to_quat().to_array(), alone.mid.to_quat().to_array()),
                ([wide.stretch, wide.beyond, 0.0, 0.0], [alone.stretch, alone.beyond, 0.0, 0.0]),
            ];
            for (together, alone) in pairs {
                assert!(
                    together.iter().zip(alone).all(|(a, b)| same(*a, b)),
                    "lane {i}: {together:?} but alone {alone:?}: {:?}",
                    limbs.alone(i)
                );
            }
            let unit = |q: [f32; 4]| (q.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-4;
            assert!(unit(pairs[0].1) && unit(pairs[1].1), "not a rotation: {:?} {pairs:?}", limbs.alone(i));
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
        let wide = aim_ray::solve(&Aim {
            offset: gather(offset),
            axis: gather(axis),
            target: gather(target),
            behind: gather(behind),
        });
        for i in 0..8 {
            let lane = LaneVec3::from_vec3;
            let alone = aim_ray::solve(&Aim {
                offset: lane(offset[i]),
                axis: lane(axis[i]),
                target: lane(target[i]),
                behind: lane(behind[i]),
            });
            let (together, single) =
                (limbs::lane_quat(&wide.turn, i).to_quat().to_array(), alone.turn.to_quat().to_array());
            assert!(together.iter().zip(single).all(|(a, b)| same(*a, b)), "{together:?} but alone {single:?}");
            assert_eq!(wide.met[i], alone.met);
            assert!((alone.turn.to_quat().length() - 1.0).abs() < 1e-4, "{} {} {single:?}", offset[i], target[i]);
        }
    }
}
