//! The joint model, judged from outside: projections are idempotent, end inside, change nothing
//! inside, and are near enough to the nearest; mobilities are the tangents of what projection
//! allows.

use sinew::limits::{
    AxisLimits, BendAxis, Freedom, HingeAxis, JointModel, Mobility, Polygon, PreparedJoint, Range, SwingRegion,
};
use sinew::math::{Quat, Vec3, axis_angle, rotation_angle, swing_twist};
use testkit::Random;

fn angle_between(a: Quat, b: Quat) -> f32 {
    rotation_angle(a.conjugate() * b)
}

/// Every kind of joint, with active limits.
fn models() -> Vec<(&'static str, JointModel)> {
    let range = |a: f32, b: f32| Range::new(a, b);
    let polygon = Polygon::new(&[
        Vec3::new(0.5, 1.0, 0.1),
        Vec3::new(0.1, 1.0, 0.7),
        Vec3::new(-0.6, 1.0, 0.2),
        Vec3::new(-0.3, 1.0, -0.5),
    ])
    .expect("convex, round +Y");
    let frame = axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.9);
    let ball = |swing, twist| Freedom::Ball { swing, twist };
    let ellipse = SwingRegion::Ellipse { x: range(-0.4, 0.9), z: range(-1.2, 0.2) };
    let mut models: Vec<(&'static str, Freedom)> = vec![
        ("free", JointModel::FREE.freedom),
        ("twist only", ball(SwingRegion::Free, range(-0.3, 0.5))),
        ("x only", ball(SwingRegion::X(range(-0.3, 0.7)), Range::FREE)),
        ("z only", ball(SwingRegion::Z(range(-0.8, 0.1)), range(-0.2, 0.2))),
        ("ellipse", ball(ellipse, range(-0.3, 0.5))),
        ("half an ellipse", ball(SwingRegion::Ellipse { x: range(0.0, 1.5), z: range(-0.5, 0.5) }, Range::FREE)),
        ("cone", ball(SwingRegion::cone(0.6), Range::FREE)),
        ("polygon", ball(SwingRegion::Polygon(polygon), range(-1.0, 1.0))),
        ("swing", Freedom::Swing(ellipse)),
        ("swing, x", Freedom::Swing(SwingRegion::X(range(-0.3, 0.3)))),
        ("swing, z", Freedom::Swing(SwingRegion::Z(range(-0.3, 0.3)))),
        ("fixed", Freedom::Fixed),
    ];
    for bend in [BendAxis::X, BendAxis::Z] {
        models.push(("universal", Freedom::Universal { bend, bend_range: range(-0.4, 1.3), twist: range(-0.6, 0.2) }));
        models.push(("universal, free", Freedom::Universal { bend, bend_range: Range::FREE, twist: Range::FREE }));
    }
    for axis in [HingeAxis::X, HingeAxis::Y, HingeAxis::Z] {
        models.push(("hinge", Freedom::Hinge { axis, range: range(-0.2, 2.1) }));
        models.push(("hinge off rest", Freedom::Hinge { axis, range: range(0.3, 0.9) }));
        models.push(("hinge, free", Freedom::Hinge { axis, range: Range::FREE }));
    }
    let plain = models.iter().map(|(name, freedom)| (*name, JointModel::limited(*freedom)));
    let turned = models.iter().map(|(name, freedom)| (*name, JointModel { frame, ..JointModel::limited(*freedom) }));
    let angles = Freedom::Angles { x: range(-0.4, 0.9), z: range(-1.1, 0.6), y: range(-0.8, 1.2) };
    let last =
        [("angles", JointModel::limited(angles)), ("angles", JointModel { frame, ..JointModel::limited(angles) })];
    plain.chain(turned).chain(last).collect()
}

#[test]
fn projection_is_idempotent_and_ends_inside() {
    let mut random = Random::new(1);
    for (name, model) in models() {
        for _ in 0..2000 {
            let q = random.rotation();
            let once = model.project(q);
            let twice = model.project(once);
            assert!(angle_between(once, twice) < 4e-6, "{name}: {q} moves again by {}", angle_between(once, twice));
            assert!(model.violation_rad(once) < 4e-6, "{name}");
            assert!((once.length() - 1.0).abs() < 1e-6, "{name}");
        }
    }
}

#[test]
fn inside_nothing_changes() {
    let mut random = Random::new(2);
    for (name, model) in models() {
        for _ in 0..500 {
            // Halfway towards an admissible rotation of a star-shaped set stays inside for hinges,
            // cones and ellipses.
            let inside = model.project(model.project(random.rotation_within(0.2)));
            assert!(angle_between(model.project(inside), inside) < 4e-6, "{name}");
        }
        let off_rest = name == "hinge off rest";
        assert_eq!(model.violation_rad(Quat::IDENTITY) < 1e-6, !off_rest, "{name}: rest");
    }
}

#[test]
fn projection_is_near_enough_to_the_nearest() {
    // Against the best of many admissible rotations near by: at most a third further away, counted
    // over small overshoots.
    let mut random = Random::new(3);
    for (name, model) in models() {
        if name.starts_with("swing") {
            continue; // a locked twist keeps the bone's direction instead, on purpose
        }
        for _ in 0..60 {
            let start = model.project(random.rotation_within(1.0));
            let q = random.rotation_within(0.3) * start;
            let distance = angle_between(model.project(q), q);
            let mut best = f32::INFINITY;
            for _ in 0..300 {
                let other = model.project(random.rotation_within(0.25) * model.project(q));
                best = best.min(angle_between(other, q));
            }
            assert!(distance <= 1.35 * best + 2e-3, "{name}: {distance} against {best}");
        }
    }
}

#[test]
fn what_the_mobility_forbids_does_violate_and_what_it_allows_does_not() {
    let mut random = Random::new(4);
    let step = 1e-3;
    for (name, model) in models() {
        for _ in 0..300 {
            let q = model.project(random.rotation());
            let mobility = model.mobility(q);
            let velocity = mobility.matrix * random.unit_vector();
            let clipped = mobility.clip(velocity);
            let stands_on_one = mobility.walls().iter().filter(|w| w.room_rad <= 0.0).count() <= 1;
            if clipped.length() > 0.1 && stands_on_one {
                // Second-order drift only, but for borders met within the step.
                let near = mobility.walls().iter().any(|w| w.room_rad > 0.0 && w.room_rad < 5.0 * step);
                let moved = axis_angle(clipped.normalize(), step) * q;
                let locked_first = matches!(model.freedom, Freedom::Swing(_));
                assert!(
                    near || locked_first || model.violation_rad(moved) < 0.05 * step,
                    "{name} {}",
                    model.violation_rad(moved)
                );
            }
            for wall in mobility.walls().iter().filter(|w| w.room_rad <= 0.0) {
                // The part of going straight out that the mobility could do at all.
                let out = mobility.matrix * wall.outward;
                if out.length() > 0.3 && stands_on_one {
                    let moved = axis_angle(out.normalize(), 10.0 * step) * q;
                    assert!(
                        model.violation_rad(moved) > step,
                        "{name}: {} at {}",
                        model.violation_rad(moved),
                        wall.outward
                    );
                }
            }
        }
    }
}

#[test]
fn forbidding_leaves_the_other_directions() {
    let mut matrix = sinew::math::Mat3::IDENTITY;
    Mobility::forbid(&mut matrix, Vec3::new(0.0, 2.0, 0.0), 1.0);
    assert!((matrix * Vec3::Y).length() < 1e-6);
    assert!((matrix * Vec3::X - Vec3::X).length() < 1e-6);
    Mobility::forbid(&mut matrix, Vec3::X, 0.5);
    assert!((matrix * Vec3::X - Vec3::X * 0.5).length() < 1e-6);
}

#[test]
fn axes_of_a_rig_map_to_joints() {
    let range = Some(Range::new(-0.3, 0.4));
    let freedom = |locked, range| Freedom::from(AxisLimits { locked, range });
    assert_eq!(freedom([false; 3], [None; 3]), JointModel::FREE.freedom);
    assert_eq!(freedom([true; 3], [range; 3]), Freedom::Fixed);
    assert!(matches!(freedom([false, true, true], [range; 3]), Freedom::Hinge { axis: HingeAxis::X, .. }));
    assert!(matches!(freedom([true, false, false], [range; 3]), Freedom::Universal { bend: BendAxis::Z, .. }));
    assert!(matches!(freedom([false; 3], [range; 3]), Freedom::Ball { swing: SwingRegion::Ellipse { .. }, .. }));
    // A lone limit holds with the twist locked too.
    for (ranges, axis) in [([range, None, None], Vec3::X), ([None, None, range], Vec3::Z)] {
        let model = JointModel::limited(freedom([false, true, false], ranges));
        let bent = model.project(axis_angle(axis, 1.0));
        assert!((rotation_angle(bent) - 0.4).abs() < 1e-5);
        let other = model.project(axis_angle(Vec3::X + Vec3::Z - axis, 1.0));
        assert!((rotation_angle(other) - 1.0).abs() < 1e-5);
        assert!(rotation_angle(swing_twist(model.project(axis_angle(Vec3::Y, 1.0)), Vec3::Y).1) < 1e-6);
    }
}

#[test]
fn limits_are_measured_as_angles_on_the_axes() {
    let x = Range::new(-0.4, 0.9);
    let z = Range::new(-1.2, 0.2);
    let freedom = Freedom::Ball { swing: SwingRegion::Ellipse { x, z }, twist: Range::new(-0.3, 0.5) };
    let model = JointModel::limited(freedom);
    for (axis, angle, limit) in [
        (Vec3::X, 2.0, 0.9),
        (Vec3::X, -2.0, 0.4),
        (Vec3::Z, 2.0, 0.2),
        (Vec3::Z, -2.0, 1.2),
        (Vec3::Y, 2.0, 0.5),
        (Vec3::Y, -2.0, 0.3),
    ] {
        assert!((rotation_angle(model.project(axis_angle(axis, angle))) - limit).abs() < 1e-5, "{axis} {angle}");
    }
}

#[test]
fn bad_polygons_are_refused() {
    let y = Vec3::Y;
    assert!(Polygon::new(&[y, y + Vec3::X]).is_none());
    assert!(Polygon::new(&[y + Vec3::X, y + 2.0 * Vec3::X, y + Vec3::Z + Vec3::X]).is_none(), "does not hold +Y");
    let square =
        [Vec3::new(1.0, 1.0, 1.0), Vec3::new(1.0, 1.0, -1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, 1.0, 1.0)];
    assert!(Polygon::new(&square).is_some());
    let crossed = [square[0], square[2], square[1], square[3]];
    assert!(Polygon::new(&crossed).is_none());
}

#[test]
fn a_middle_angle_never_goes_beyond_a_quarter_turn() {
    let range = Range::new;
    // Past a quarter turn the first and the last angle are others.
    let middles = [Range::FREE, range(-2.5, 2.5), range(0.2, 2.0), range(-1.57, 1.571)];
    let mut random = Random::new(9);
    for z in middles {
        let model = JointModel::limited(Freedom::Angles { x: range(-0.5, 0.5), z, y: range(-0.4, 0.6) });
        let prepared = PreparedJoint::new(&model);
        for _ in 0..2000 {
            let q = random.rotation();
            for once in [model.project(q), prepared.project(q)] {
                // Near a quarter turn the angles are as exact as their cosine allows.
                let again = angle_between(once, model.project(once));
                assert!(again < 4e-4, "{z:?}: {q} goes to {once}, which moves again by {again}");
                assert!(model.violation_rad(once) < 4e-4, "{z:?}: {once}");
            }
        }
    }
}
