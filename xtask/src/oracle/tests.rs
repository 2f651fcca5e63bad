//! Tiny cases in the format, made by hand.

use super::format::{Case, Dof, parse};
use super::geometry::{Rotation, V3};
use super::goals::{Proof, goals, reach};
use super::joints::{SwingMeasure, violation};
use super::kinematics::{BonePose, pose_bones};
use super::measure::measure;
use super::run::{REFERENCE, run_group};
use super::score::score;
use super::{subjects, sweep, verify};
use serde_json::{Value, json};

const NO_TURN: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
const HALF: f64 = std::f64::consts::FRAC_PI_2;

fn about(axis: usize, angle: f64) -> Rotation {
    let mut q = [0.0; 4];
    (q[axis], q[3]) = (angle / 2.0).sin_cos();
    Rotation(q)
}

/// Two bones of length 1 up the Y axis, the reference's pose bent by `bend` at the second joint
/// about Z, one frame per target.
fn limb(bend: f64, targets: &[[f64; 3]]) -> Value {
    let frames = targets.iter().enumerate().map(|(i, [x, y, z])| {
        json!({ "frame": i + 1, "targets": { "t": [x, y, z, 0, 0, 0, 1] }, "local": [NO_TURN, about(2, bend).0] })
    });
    json!({
        "id": "tiny", "kind": "limb", "seed": 1, "solver": "standard",
        "bones": {
            "name": ["a", "b"], "parent": [-1, 0], "connected": [0, 1], "length": [1, 1],
            "rest_local": [[0, 0, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 0, 1]]
        },
        "fk_local": [NO_TURN, about(2, 0.2).0],
        "dof": [],
        "constraints": [{ "bone": 1, "target": "t", "chain": [1, 0], "chain_length": 2 }],
        "frames": frames.collect::<Vec<_>>(),
        "time_us": { "with_ik": 30, "without_ik": 10, "a field of tomorrow": 1 }
    })
}

fn group(cases: &[Value]) -> super::format::Group {
    let file = json!({ "format": "ik-reference/1", "group": "tiny", "cases": cases });
    parse(&file.to_string()).unwrap_or_else(|error| panic!("{error:#}"))
}

fn case(value: Value) -> Case {
    group(&[value]).cases.remove(0)
}

#[test]
fn kinematics_follow_the_formulas() {
    let case = case(limb(HALF, &[[-1.0, 1.0, 0.0]]));
    let posed = pose_bones(&case, &case.frames[0].pose());
    let tip = posed.effector(&case, &case.constraints[0]);
    // A quarter turn about Z takes +Y to −X.
    assert!(tip.distance(V3([-1.0, 1.0, 0.0])) < 1e-12, "{tip:?}");
    let mut stretched = case.frames[0].pose();
    (stretched.scale[0], stretched.scale[1]) = (2.0, 0.5);
    let tip = pose_bones(&case, &stretched).effector(&case, &case.constraints[0]);
    assert!(tip.distance(V3([-0.5, 2.0, 0.0])) < 1e-12, "{tip:?}");
    let mut torn = case.frames[0].pose();
    torn.offset[1] = V3([0.0, 0.0, 3.0]);
    let tip = pose_bones(&case, &torn).effector(&case, &case.constraints[0]);
    assert!(tip.distance(V3([-1.0, 1.0, 3.0])) < 1e-12, "{tip:?}");
}

#[test]
fn a_file_that_means_something_else_is_refused() {
    let mut honest = limb(HALF, &[[-1.0, 1.0, 0.0]]);
    honest["frames"][0]["pos_err"] = json!([0.0]);
    assert!(verify::verify(&group(std::slice::from_ref(&honest))).is_ok());
    let mut lying = honest.clone();
    lying["frames"][0]["pos_err"] = json!([0.25]);
    assert!(verify::verify(&group(&[lying])).is_err());
    // One frame in twenty where the reference broke down is reported, not fatal.
    let mut mostly = limb(HALF, &[[-1.0, 1.0, 0.0]; 20]);
    mostly["frames"][3]["local"][0] = json!([0, 0, 0, 0]);
    let agreement = verify::verify(&group(&[mostly])).map(|a| a.broken.len());
    assert_eq!(agreement.ok(), Some(1));
    honest["fk_model"] = json!([[0, 0, 0, 0, 0, 0, 1], [0, 1, 0.5, 0, 0, 0, 1]]);
    assert!(verify::verify(&group(&[honest])).is_err());
}

#[test]
fn broken_files_are_refused_with_the_case_named() {
    let mut wrong = limb(0.0, &[[0.0, 1.0, 0.0]]);
    wrong["bones"]["parent"] = json!([-1, 1]);
    let file = json!({ "format": "ik-reference/1", "group": "tiny", "cases": [wrong] });
    let error = parse(&file.to_string()).err().map(|e| format!("{e:#}")).unwrap_or_default();
    assert!(error.contains("tiny") && error.contains("parent"), "{error}");
    assert!(parse(&json!({ "format": "other/2", "group": "g", "cases": [] }).to_string()).is_err());
}

#[test]
fn free_chains_reach_a_shell() {
    let case = case(limb(0.0, &[[0.0, 1.0, 0.0], [0.0, 3.0, 0.0]]));
    let reaches: Vec<_> = case.frames.iter().map(|f| reach(&case, f, &goals(&case, f).unwrap_or_default())).collect();
    assert_eq!((reaches[0].proof, reaches[0].reachable, reaches[0].best), (Proof::Geometry, Some(true), Some(0.0)));
    assert_eq!((reaches[1].reachable, reaches[1].best), (Some(false), Some(0.5)));
}

#[test]
fn a_witness_is_proof_only_if_it_holds() {
    let mut value = limb(0.0, &[[-1.0, 1.0, 0.0]]);
    value["dof"] = json!([{ "bone": 1, "lock": [true, true, false], "limit": [false, false, true], "max": [3, 3, 2] }]);
    value["witness_local"] = json!([NO_TURN, about(2, HALF).0]);
    let proof = |value: Value| {
        let case = case(value);
        let frame = &case.frames[0];
        reach(&case, frame, &goals(&case, frame).unwrap_or_default()).proof
    };
    assert_eq!(proof(value.clone()), Proof::Witness);
    value["dof"][0]["max"] = json!([3, 3, 1]);
    assert_eq!(proof(value), Proof::Found);
}

#[test]
fn influence_moves_the_goal_from_the_pose_before_ik() {
    let mut value = limb(0.0, &[[-1.0, 1.0, 0.0]]);
    value["fk_local"] = json!([NO_TURN, NO_TURN]);
    value["frames"][0]["influence"] = json!([0.25]);
    let case = case(value);
    let goal = goals(&case, &case.frames[0]).unwrap_or_default()[0];
    assert!(goal.position.unwrap_or_default().distance(V3([-0.25, 1.75, 0.0])) < 1e-12);
}

#[test]
fn joints_are_measured_as_the_reference_splits_them() {
    let chord = SwingMeasure::Chord;
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    let dof = |lock: [bool; 3], limit: [bool; 3], max: f64| Dof {
        lock,
        limit,
        max: [max; 3],
        min: [-0.1; 3],
        ..Dof::default()
    };
    // Hinge about X, 0.7 of 0.5 allowed; and off its axis.
    let hinge = dof([false, true, true], [true, false, false], 0.5);
    close(violation(&hinge, about(0, 0.7), chord), 0.2);
    close(violation(&hinge, about(0, -0.3), chord), 0.2);
    close(violation(&hinge, about(2, 0.3), chord), 0.3);
    // Two angles: Rz·Ry is within, Rx is not.
    let universal = dof([true, false, false], [false, false, true], 0.5);
    close(violation(&universal, about(2, 0.5) * about(1, 1.1), chord), 0.0);
    close(violation(&universal, about(2, 0.9) * about(1, 1.1), chord), 0.4);
    close(violation(&universal, about(2, 0.2) * about(0, 0.3) * about(1, 1.1), chord), 0.3);
    let other = dof([false, false, true], [true, false, false], 0.5);
    close(violation(&other, about(0, 0.9) * about(1, -2.0), chord), 0.4);
    close(violation(&other, about(0, 0.2) * about(2, 0.3) * about(1, 1.1), chord), 0.3);
    // Swing and twist.
    let cone = dof([false; 3], [true; 3], 0.5);
    let mut even = cone.clone();
    even.min = [-0.5; 3];
    for angle in [0.3_f64, 1.2, 4.0] {
        let axis = [angle.cos(), 0.0, angle.sin()];
        close(violation(&even, Rotation::about(axis, 0.8) * about(1, 0.2), chord), 0.3);
        close(violation(&even, Rotation::about(axis, 0.4) * about(1, 0.7), chord), 0.2);
    }
    close(violation(&dof([false, true, false], [false; 3], 0.0), about(0, 1.0) * about(1, 0.25), chord), 0.25);
    close(violation(&dof([true; 3], [false; 3], 0.0), about(0, 0.4), chord), 0.4);
    // One limit alone, and the two measures, which agree on the axes.
    let lone = dof([false; 3], [true, false, false], 0.5);
    close(violation(&lone, about(2, 2.0), chord), 0.0);
    for measure in [SwingMeasure::Chord, SwingMeasure::Angle] {
        close(violation(&lone, about(0, 0.8), measure), 0.3);
        // A quarter without width.
        let flat = Dof { limit: [true; 3], max: [0.0, 3.0, 1.0], min: [-0.1; 3], ..Dof::default() };
        close(violation(&flat, about(2, 1.0), measure), 0.0);
        close(violation(&flat, about(0, 0.25), measure), 0.25);
    }
    // An ellipse, against points on its border found another way.
    let ellipse = Dof { limit: [true, false, true], max: [1.2, 0.0, 0.4], ..Dof::default() };
    let (a, b) = (2.0 * 0.6_f64.sin(), 2.0 * 0.2_f64.sin());
    for t in [0.2_f64, 0.8, 1.4] {
        let (x, z) = (a * t.cos(), b * t.sin());
        let on = |scale: f64| {
            let len = scale * x.hypot(z);
            Rotation::about([x / x.hypot(z), 0.0, z / x.hypot(z)], 2.0 * (len / 2.0).asin())
        };
        close(violation(&ellipse, on(0.999), chord), 0.0);
        assert!(violation(&ellipse, on(1.05), chord) > 1e-3);
    }
}

#[test]
fn torn_joints_and_stretched_bones_are_counted() {
    let mut value = limb(0.0, &[[0.0, 2.0, 0.0]]);
    let rigid = case(value.clone());
    value["dof"] = json!([{ "bone": 0, "stretch": 0.5 }]);
    let elastic = case(value);
    let mut pose = BonePose::rigid(vec![Rotation::IDENTITY; 2]);
    let torn = |case: &Case, pose: &BonePose| measure(case, &case.frames[0], None, pose, SwingMeasure::Chord).torn;
    assert_eq!(torn(&rigid, &pose), 0);
    pose.scale[0] = 1.1;
    assert_eq!((torn(&rigid, &pose), torn(&elastic, &pose)), (1, 0));
    pose.offset[1] = V3([0.0, 0.1, 0.0]);
    assert_eq!((torn(&rigid, &pose), torn(&elastic, &pose)), (2, 1));
    pose.scale[0] = f64::NAN;
    assert!(!measure(&rigid, &rigid.frames[0], None, &pose, SwingMeasure::Chord).is_valid());
}

#[test]
fn the_pole_angle_is_signed_and_measured_about_the_line() {
    let mut value = limb(0.2, &[[0.0, 1.9, 0.0]]);
    value["frames"][0]["targets"]["p"] = json!([0, 1, -3, 0, 0, 0, 1]);
    value["constraints"][0]["pole"] = json!("p");
    let case = case(value);
    let straight = pose_bones(&case, &BonePose::rigid(vec![Rotation::IDENTITY; 2]));
    let error = |angle: f64| straight.pole_error(&case, &case.constraints[0], V3([0.0, 1.0, -3.0]), angle);
    // X faces the pole after a quarter turn about +Y; −Z faces it at once.
    assert!((error(0.0).unwrap_or(0.0) - HALF).abs() < 1e-12);
    assert!(error(-HALF).unwrap_or(1.0).abs() < 1e-12);
    assert_eq!(straight.pole_error(&case, &case.constraints[0], V3([0.0, 5.0, 0.0]), 0.0), None);
}

#[test]
fn a_flip_is_a_turn_that_the_goal_does_not_explain() {
    let case = case(limb(0.5, &[[0.0, 1.5, 0.0], [0.1, 1.5, 0.0], [0.1, -1.5, 0.0]]));
    let step = |k: usize| sweep::step(&case, [&case.frames[k], &case.frames[k + 1]], [None, None]);
    assert!(step(0).is_continuous && !step(0).is_singular);
    assert!(step(0).allowed < 40_f64.to_radians());
    // The last target is straight behind the effector.
    assert!(step(1).is_singular);
    let bent = |angle: f64| BonePose::rigid(vec![Rotation::IDENTITY, about(2, angle)]);
    assert!((sweep::turn(&case, &bent(1.0), &bent(-1.0)) - 2.0).abs() < 1e-12);
}

#[test]
fn under_limits_a_flip_counts_where_a_witness_shows_the_way() {
    // The reference bends to one side, then to the other, and meets the same target each time.
    let (turn, bend) = (about(2, -0.5).0, about(2, 1.0).0);
    let (back, other) = (about(2, 0.5).0, about(2, -1.0).0);
    let mut value = limb(0.0, &[[0.0, 2.0 * 0.5_f64.cos(), 0.0]; 2]);
    value["dof"] = json!([{ "bone": 0, "lock": [true, true, false], "limit": [false, false, true], "min": [0, 0, -1], "max": [0, 0, 1] }]);
    value["frames"][0]["local"] = json!([turn, bend]);
    value["frames"][1]["local"] = json!([back, other]);
    let flips = |value: &Value| {
        let group = group(std::slice::from_ref(value));
        score(&run_group(&group, &[]), REFERENCE, |_| true, &mut Vec::new())
    };
    let unknown = flips(&value);
    assert_eq!((unknown.reachable, unknown.missed_1e5, unknown.violations, unknown.flips), (2, 0, 0, 0));
    for frame in 0..2 {
        value["frames"][frame]["witness_local"] = json!([turn, bend]);
    }
    assert_eq!(flips(&value).flips, 1);
}

#[test]
fn the_library_is_scored_beside_the_reference() {
    let bent = limb(HALF, &[[-1.0, 1.0, 0.0], [0.5, 1.2, 0.3], [0.0, 2.5, 0.0]]);
    let group = group(&[bent]);
    let subjects = subjects::all();
    let result = run_group(&group, &subjects);
    assert_eq!(result.complaints, Vec::<String>::new());
    let mut failures = Vec::new();
    let reference = score(&result, REFERENCE, |_| true, &mut failures);
    assert_eq!((reference.reachable, reference.unreachable, reference.missed_1e3), (2, 1, 1));
    assert!((reference.us_median - 20.0).abs() < 1e-9);
    assert_eq!(failures.len(), 2, "{failures:?}");
    for name in ["two_bone", "default"] {
        let ours = score(&result, name, |_| true, &mut Vec::new());
        assert_eq!((ours.reachable, ours.missed_1e5, ours.torn, ours.violations), (2, 0, 0, 0), "{name}: {ours:?}");
        assert!(ours.excess_max < 1e-5, "{name}: {ours:?}");
    }
}
