//! Which swivel a limb takes: against every swivel sampled in double precision, and without jumps.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

use sinew::closed_form::swivel::choose;
use sinew::limits::{Freedom, HalfSpace, HalfSpaces, JointModel, SwivelCondition};
use sinew::math::{Mat3, Quat, Vec3, axis_angle};
use testkit::Random;

const SAMPLES: usize = 1440;

fn value(k: &SwivelCondition, angle: f64) -> f64 {
    f64::from(k.a) + f64::from(k.b) * angle.cos() + f64::from(k.c) * angle.sin()
}
fn least(conditions: &[SwivelCondition], angle: f64) -> f64 {
    conditions.iter().map(|k| value(k, angle)).fold(f64::MAX, f64::min)
}
/// Number of arcs of admissible swivels, and the greatest least value.
fn sampled(conditions: &[SwivelCondition]) -> (usize, f64) {
    let at = |i: usize| least(conditions, i as f64 * std::f64::consts::TAU / SAMPLES as f64);
    let arcs = (0..SAMPLES).filter(|i| at(*i) >= 0.0 && at((i + 1) % SAMPLES) < 0.0).count();
    (arcs, (0..SAMPLES).map(at).fold(f64::MIN, f64::max))
}
fn conditions(random: &mut Random, count: usize) -> Vec<SwivelCondition> {
    let mut one =
        || SwivelCondition { a: random.in_ball(1.0).x, b: 1.5 * random.in_ball(1.0).x, c: 1.5 * random.in_ball(1.0).y };
    (0..count).map(|_| one()).collect()
}

/// Number of arcs on which nothing lacks more than `lack`.
fn arcs(conditions: &[SwivelCondition], lack: f64) -> usize {
    let holds = |i: usize| least(conditions, i as f64 * std::f64::consts::TAU / SAMPLES as f64) >= -lack;
    (0..SAMPLES).filter(|i| holds(*i) && !holds((i + 1) % SAMPLES)).count()
}

#[test]
fn an_admissible_swivel_is_found_where_there_is_one() {
    let mut random = Random::new(1);
    let (mut single, mut several, mut between, mut none, mut kept, mut far, mut meant) = (0, 0, 0, 0, 0, 0, 0);
    for case in 0..4000 {
        let conditions = conditions(&mut random, 1 + case % 4);
        let (_, greatest) = sampled(&conditions);
        let found = choose(&conditions);
        let there = least(&conditions, f64::from(found.angle_rad));
        assert!(found.angle_rad.abs() <= std::f32::consts::PI + 1e-6, "{found:?}");
        assert!(found.is_admissible == (there > -1e-4) || there.abs() < 1e-4, "{case}: {found:?} {there}");
        // A narrow arc may lie between two samples.
        if greatest > 1e-2 && arcs(&conditions, 0.02) == 1 {
            assert!(found.is_admissible, "{case}: {found:?} {there} of {greatest}");
            single += 1;
        } else if greatest > 1e-2 {
            several += 1;
            between += usize::from(!found.is_admissible);
        } else if greatest < -1e-2 {
            // Near the border of what is possible the best; the free swivel where it is hopeless.
            let lowered = if greatest > -0.19 { -greatest / (1.0 + greatest / 0.2) } else { f64::MAX };
            let is_near = there > greatest - lowered - 1e-2;
            // What a condition lacks at every swivel counts for none.
            if conditions.iter().all(|k| k.a + k.b.hypot(k.c) >= 0.0) {
                meant += 1;
                far += usize::from(!is_near);
            }
            assert!(!found.is_admissible, "{case}: {found:?} {there} of {greatest}");
            assert!(greatest > -0.21 || found.angle_rad == 0.0, "{case}: {found:?} of {greatest}");
            none += 1;
        }
        if least(&conditions, 0.0) > 1e-4 {
            assert_eq!(found.angle_rad, 0.0, "{case}: an admissible swivel is kept");
            kept += 1;
        }
    }
    println!("{far} of {meant} off what is lacked least, between two tops mostly");
    assert!(far * 3 < meant, "{far} of {meant}");
    println!("{single} with one arc, {several} with several ({between} between two), {none} without, {kept} kept");
    assert!(single > 800 && several > 100 && none > 200 && kept > 500);
    assert!(between * 5 < several, "{between} of {several} are between two arcs");
}

#[test]
fn what_no_swivel_changes_does_not_decide() {
    // The condition of a straight limb's bone: the same at every swivel, but for rounding.
    let free = SwivelCondition { a: 0.1, b: 0.4, c: -0.1 };
    for (b, c) in [(0.0, 0.0), (1e-7, 0.0), (-1e-7, 1e-7), (0.0, -3e-5)] {
        let flat = SwivelCondition { a: -0.05, b, c };
        assert_eq!(choose(&[free, flat]).angle_rad, 0.0, "{b} {c}");
    }
    // One that has an answer keeps it beside them.
    let narrow = SwivelCondition { a: -0.3, b: 0.1, c: 0.5 };
    let alone = choose(&[narrow]).angle_rad;
    assert!(alone > 0.2);
    for (b, c) in [(0.0, 0.0), (1e-7, 0.0), (-1e-7, 1e-7)] {
        let beside = choose(&[narrow, SwivelCondition { a: -1e-3, b, c }]).angle_rad;
        assert!((beside - alone).abs() < 1e-2, "{beside} {alone}");
    }
}

#[test]
fn the_choice_follows_the_conditions() {
    let mut random = Random::new(2);
    for count in [1, 2, 3] {
        let (mut jumps, ways) = (0, 600);
        for _ in 0..ways {
            let (from, to) = (conditions(&mut random, count), conditions(&mut random, count));
            let between = |s: f64| -> Vec<SwivelCondition> {
                let mix = |a: f32, b: f32| (f64::from(a) + f64::from(b - a) * s) as f32;
                let pairs = from.iter().zip(&to);
                pairs.map(|(x, y)| SwivelCondition { a: mix(x.a, y.a), b: mix(x.b, y.b), c: mix(x.c, y.c) }).collect()
            };
            let apart = |a: f64, b: f64| {
                let d = (choose(&between(a)).angle_rad - choose(&between(b)).angle_rad).abs();
                d.min(std::f32::consts::TAU - d)
            };
            let steps = 64;
            for i in 0..steps {
                let (mut low, mut high) = (f64::from(i) / 64.0, f64::from(i + 1) / 64.0);
                // Follow the half that turns more.
                for _ in 0..16 {
                    let middle = 0.5 * (low + high);
                    if apart(low, middle) >= apart(middle, high) { high = middle } else { low = middle }
                }
                jumps += usize::from(apart(low, high) > 0.15);
            }
        }
        println!("{count} conditions: {jumps} jumps on {ways} ways");
        // Where a top ends that was not the best but nearly so.
        assert!(jumps * 25 <= ways, "{count} conditions: {jumps} jumps on {ways} ways");
    }
}

#[test]
fn the_choice_follows_conditions_that_leave_a_single_arc() {
    let mut random = Random::new(2);
    let mut judged = 0;
    for _ in 0..400 {
        let (from, to) = (conditions(&mut random, 2), conditions(&mut random, 2));
        let between = |s: f32| -> Vec<SwivelCondition> {
            let mix = |a: f32, b: f32| a + (b - a) * s;
            let pairs = from.iter().zip(&to);
            pairs.map(|(x, y)| SwivelCondition { a: mix(x.a, y.a), b: mix(x.b, y.b), c: mix(x.c, y.c) }).collect()
        };
        let steps = 100;
        // Single arcs that are no points, and forbidden arcs that are none either.
        let single = (0..=steps).all(|i| {
            let conditions = between(i as f32 / steps as f32);
            let (arcs, greatest) = sampled(&conditions);
            arcs == 1 && greatest > 0.15
        });
        if !single {
            continue;
        }
        judged += 1;
        let (mut low, mut high) = (0.0f32, 1.0f32);
        let apart = |a: f32, b: f32| {
            let d = (choose(&between(a)).angle_rad - choose(&between(b)).angle_rad).abs();
            d.min(std::f32::consts::TAU - d)
        };
        // Follow the half that turns more.
        for _ in 0..14 {
            let middle = 0.5 * (low + high);
            if apart(low, middle) >= apart(middle, high) { high = middle } else { low = middle }
        }
        assert!(apart(low, high) < 0.05, "a jump of {} at {low}", apart(low, high));
    }
    println!("{judged} ways");
    assert!(judged > 20, "{judged}");
}

#[test]
fn half_spaces_hold_what_they_are_projected_to() {
    let mut random = Random::new(3);
    for case in 0..300 {
        let mut v = || random.unit_vector();
        let turn = HalfSpace { columns: [v() * 0.3, v() * 0.5, v() * 0.5], offset: 0.1 };
        let limits = HalfSpaces::new(turn, &[(v(), 0.6), (v(), 0.3)]);
        let model = JointModel { frame: random.rotation(), ..JointModel::limited(Freedom::HalfSpaces(limits)) };
        let inside = |q: Quat| model.frame.conjugate() * q * model.frame;
        for _ in 0..20 {
            let q = random.rotation();
            let holds = |q: Quat, slack: f32| {
                limits.conditions().all(|k| k.value(&Mat3::from_quat(inside(q).normalize())) > -slack)
            };
            if holds(q, -1e-4) {
                assert!(model.violation_rad(q) < 1e-3, "case {case}: inside, and {} off", model.violation_rad(q));
                continue;
            }
            let projected = model.project(q);
            // Where no roll is admissible, the projection has the best one.
            let d = inside(projected) * Vec3::Y;
            let rolls = (0..360).map(|i| axis_angle(d, (i as f32).to_radians()) * inside(projected));
            let best = rolls.map(|q| limits.turn().value(&Mat3::from_quat(q.normalize()))).fold(f32::MIN, f32::max);
            if best > 0.0 {
                let least = limits.conditions().map(|k| k.value(&Mat3::from_quat(inside(projected).normalize())));
                let least = least.fold(f32::MAX, f32::min);
                assert!(holds(projected, 1e-4), "case {case}: {least} where a roll has {best}");
                assert!(model.violation_rad(projected) < 1e-3, "case {case}");
            }
        }
    }
}
