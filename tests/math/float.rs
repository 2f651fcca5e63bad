//! The pinned functions against double precision, over all they are used for; their exact and
//! symmetric points; one lane and eight.

use sinew::math::{F32x8, Lane, float};
use std::f64::consts::PI;

/// Most that a function may be off, in units in the last place of the result.
const MAX: f64 = 2.0;

/// Distance of `got` from `exact` in units in the last place of `exact` as an `f32`.
fn ulps(got: f32, exact: f64) -> f64 {
    let near = (exact as f32).abs().max(f32::MIN_POSITIVE);
    let step = f64::from(f32::from_bits(near.to_bits() + 1)) - f64::from(near);
    (f64::from(got) - exact).abs() / step
}

/// Every `step`-th `f32` from `low` to `high`, both positive; and its negative.
fn numbers(low: f32, high: f32, step: usize) -> impl Iterator<Item = f32> {
    (low.to_bits()..=high.to_bits()).step_by(step).map(f32::from_bits).flat_map(|x| [x, -x])
}

/// The worst of a function; panics where it is beyond [`MAX`].
fn check(name: &str, arguments: impl Iterator<Item = f32>, ours: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64) {
    let (mut worst, mut sum, mut count) = ((0.0, 0.0), 0.0, 0);
    for x in arguments {
        let off = ulps(ours(x), exact(f64::from(x)));
        sum += off;
        count += 1;
        if off > worst.0 || off.is_nan() {
            worst = (off, x);
        }
    }
    println!("{name}: worst {:.3} at {:e}, mean {:.3}, of {count}", worst.0, worst.1, sum / f64::from(count));
    assert!(worst.0 <= MAX, "{name}({:e}) is {:.3} units off", worst.1, worst.0);
}

#[test]
fn sine_and_cosine_are_right_to_the_last_digits() {
    check("sin", numbers(1e-30, float::FAR, 53), float::sin, libm::sin);
    check("cos", numbers(1e-30, float::FAR, 53), float::cos, libm::cos);
    check("far sin", numbers(float::FAR, 1e30, 4001), float::sin, libm::sin);
    check("far cos", numbers(float::FAR, 1e30, 4001), float::cos, libm::cos);
}

#[test]
fn multiples_of_a_right_angle_are_right_too() {
    // Where one of both is almost nothing, a slip of the reduction would show.
    for k in 0..64 {
        let near = (f64::from(k) * PI / 2.0) as f32;
        let around = (0..200u32).map(|i| f32::from_bits((near.to_bits() + i).saturating_sub(100)));
        check("sin", around.clone(), float::sin, libm::sin);
        check("cos", around, float::cos, libm::cos);
    }
}

#[test]
fn arc_sine_and_cosine_are_right_to_the_last_digits() {
    check("asin", numbers(1e-30, 1.0, 41), float::asin, libm::asin);
    check("acos", numbers(1e-30, 1.0, 41), float::acos, libm::acos);
    assert_eq!((float::acos(1.5f32), float::acos(-1.5f32)), (0.0, PI as f32));
    assert_eq!((float::asin(1.5f32), float::asin(-1.5f32)), ((PI / 2.0) as f32, -(PI / 2.0) as f32));
}

#[test]
fn the_arc_tangent_is_right_to_the_last_digits() {
    for x in [1.0f32, -1.0, 1e-20, -1e-20, 0.3, -7.0, 1e30, -1e30, 1e-38, -1e-40, 3e38] {
        let exact = |y: f64| libm::atan2(y, f64::from(x));
        // Below the least normal number there are no last digits.
        let is_normal = |y: &f32| exact(f64::from(*y)).abs() > 1e-37;
        check("atan2", numbers(1e-38, 3e38, 997).filter(is_normal), |y| float::atan2(y, x), exact);
    }
}

#[test]
fn special_points_are_exact_and_signs_are_kept() {
    let bits = |x: f32| x.to_bits();
    let (sin, cos, asin) = (float::sin::<f32>, float::cos::<f32>, float::asin::<f32>);
    for zero in [0.0f32, -0.0] {
        assert_eq!(sin(zero), 0.0);
        assert_eq!(cos(zero), 1.0);
        assert_eq!(bits(asin(zero)), bits(zero));
        assert_eq!(bits(float::atan2(zero, 1.0)), bits(zero));
        assert_eq!(bits(float::atan2(zero, 0.0)), bits(zero));
        assert_eq!(float::atan2(zero, -1.0).abs(), PI as f32);
        assert_eq!(float::atan2(1.0, zero), (PI / 2.0) as f32);
        assert_eq!(float::acos(zero), (PI / 2.0) as f32);
    }
    assert_eq!(bits(float::acos(1.0f32)), 0);
    assert_eq!(float::acos(-1.0f32), PI as f32);
    assert_eq!(asin(1.0), (PI / 2.0) as f32);
    assert_eq!(float::atan2(1.0f32, 1.0), (PI / 4.0) as f32);
    assert_eq!(float::atan2(1.0f32, -1.0), (3.0 * PI / 4.0) as f32);
    for x in numbers(1e-20, 1e4, 100_003).step_by(2) {
        assert_eq!(bits(sin(-x)), bits(-sin(x)), "sin {x:e}");
        assert_eq!(bits(cos(-x)), bits(cos(x)), "cos {x:e}");
        assert_eq!(bits(asin(-x)), bits(-asin(x)), "asin {x:e}");
        for other in [0.7, -0.7, 1e5, 1e-5] {
            let (up, down) = (float::atan2(x, other), float::atan2(-x, other));
            assert_eq!(bits(down), bits(-up), "atan2 {x:e} {other:e}");
        }
    }
}

#[test]
fn what_is_no_number_stays_none() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(float::sin(bad).is_nan() && float::cos(bad).is_nan());
    }
    let bad = f32::NAN;
    assert!(float::asin(bad).is_nan() && float::acos(bad).is_nan());
    assert!(float::atan2(bad, 1.0).is_nan() && float::atan2(1.0, bad).is_nan());
    assert!((float::atan2(f32::INFINITY, 1.0) - (PI / 2.0) as f32).abs() < 1e-6);
}

/// No step back by more than rounding: neighbours 2⁻²² of their size apart, where the pieces of
/// each function meet.
#[test]
fn pieces_meet_without_a_step_back() {
    let rises = |name: &str, f: &dyn Fn(f32) -> f32, at: f32| {
        let mut before = f32::NEG_INFINITY;
        for i in -2000i32..2000 {
            let x = f32::from_bits((at.to_bits() as i32 + i * 4) as u32);
            let now = f(x);
            let rounding = 2.0 * f32::EPSILON * now.abs().max(1e-3);
            assert!(now >= before - rounding, "{name} falls from {before:e} to {now:e} at {x:e}");
            before = now;
        }
    };
    let quarter = (PI / 4.0) as f32;
    rises("sin", &float::sin, quarter);
    rises("cos", &|x| -float::cos(x), quarter);
    rises("cos", &|x| -float::cos(x), 2.0 * quarter);
    rises("sin", &|x| -float::sin(x), 3.0 * quarter);
    rises("sin", &|x| -float::sin(x), 4.0 * quarter);
    rises("asin", &float::asin, 0.5);
    rises("acos", &|x| -float::acos(x), 0.5);
    rises("atan", &|x| float::atan2(x, 1.0), libm::tan(PI / 8.0) as f32);
    rises("atan", &|x| float::atan2(x, 1.0), 1.0);
    rises("atan", &|x| float::atan2(x, 1.0), libm::tan(3.0 * PI / 8.0) as f32);
    rises("acot", &|x| -float::atan2(1.0, x), 1.0);
}

#[test]
fn eight_lanes_give_the_bits_of_one() {
    let same = |name: &str, wide: F32x8, alone: &dyn Fn(usize) -> f32| {
        for i in 0..8 {
            let (a, b) = (wide.0[i], alone(i));
            assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), "{name}, lane {i}: {a:e} but {b:e}");
        }
    };
    let mut random = testkit::Random::new(5);
    let mut number = || match random.below(8) {
        0 => f32::from_bits(random.below(u32::MAX as usize) as u32),
        1 => random.between(-1e3, 1e3),
        2 => random.between(-1.0, 1.0) * 1e-38,
        3 => 0.0,
        4 => random.between(-1.0, 1.0) * 3e38,
        _ => random.between(-7.0, 7.0),
    };
    for _ in 0..20_000 {
        let (a, b): ([f32; 8], [f32; 8]) = (core::array::from_fn(|_| number()), core::array::from_fn(|_| number()));
        let (x, y) = (F32x8(a), F32x8(b));
        let (sine, cosine) = float::sin_cos(x);
        same("sin", sine, &|i| float::sin_cos(a[i]).0);
        same("cos", cosine, &|i| float::sin_cos(a[i]).1);
        same("sin", float::sin(x), &|i| float::sin(a[i]));
        same("cos", float::cos(x), &|i| float::cos(a[i]));
        same("asin", float::asin(x), &|i| float::asin(a[i]));
        same("acos", float::acos(x), &|i| float::acos(a[i]));
        same("atan2", float::atan2(x, y), &|i| float::atan2(a[i], b[i]));
        same("copy_sign", x.copy_sign(y), &|i| a[i].copysign(b[i]));
    }
}
