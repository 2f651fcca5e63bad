//! How far a joint rotation is outside the locks and limits of its joint.
//!
//! A rotation is split into axes as the reference does: swing × twist about Y unless X or Z is
//! locked; then `Rz·Ry` (X locked) or `Rx·Ry` (Z locked); with two axes locked a hinge.

use super::format::Dof;
use super::geometry::{Rotation, V3};

/// How the length of the swing vector is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwingMeasure {
    /// `2 sin(angle / 2)`: the standard solver.
    Chord,
    /// The angle itself: iTaSC.
    Angle,
}

impl SwingMeasure {
    /// The measure the cases of a solver use.
    pub fn of(solver: &str) -> SwingMeasure {
        if solver == "itasc" { SwingMeasure::Angle } else { SwingMeasure::Chord }
    }
    fn length(self, angle: f64) -> f64 {
        match self {
            SwingMeasure::Chord => 2.0 * (angle / 2.0).sin(),
            SwingMeasure::Angle => angle,
        }
    }
    fn angle(self, length: f64) -> f64 {
        match self {
            SwingMeasure::Chord => 2.0 * (length / 2.0).clamp(-1.0, 1.0).asin(),
            SwingMeasure::Angle => length,
        }
    }
}

/// Largest violation in radians; 0 inside.
pub fn violation(dof: &Dof, rotation: Rotation, measure: SwingMeasure) -> f64 {
    let axis_error = |axis: usize, angle: f64| outside(dof, axis, angle);
    match dof.lock {
        [true, true, true] => rotation.angle(),
        [false, true, true] => hinge(dof, 0, rotation),
        [true, false, true] => hinge(dof, 1, rotation),
        [true, true, false] => hinge(dof, 2, rotation),
        // q = Rz · Rx · Ry with Rx the identity.
        [true, false, false] => {
            let x = rotation.entry(2, 1).clamp(-1.0, 1.0).asin();
            let y = (-rotation.entry(2, 0)).atan2(rotation.entry(2, 2));
            let z = (-rotation.entry(0, 1)).atan2(rotation.entry(1, 1));
            x.abs().max(axis_error(1, y)).max(axis_error(2, z))
        }
        // q = Rx · Rz · Ry with Rz the identity.
        [false, false, true] => {
            let z = (-rotation.entry(0, 1)).clamp(-1.0, 1.0).asin();
            let y = rotation.entry(0, 2).atan2(rotation.entry(0, 0));
            let x = rotation.entry(2, 1).atan2(rotation.entry(1, 1));
            z.abs().max(axis_error(1, y)).max(axis_error(0, x))
        }
        [false, y_locked, false] => {
            let (swing, twist) = split(rotation, 1);
            let twist_error = if y_locked { twist.abs() } else { axis_error(1, twist) };
            twist_error.max(swing_error(dof, swing, measure))
        }
    }
}

/// Excess of an angle over the limits of one axis.
fn outside(dof: &Dof, axis: usize, angle: f64) -> f64 {
    if dof.limit[axis] { (dof.min[axis] - angle).max(angle - dof.max[axis]).max(0.0) } else { 0.0 }
}

/// `q = swing · twist` about coordinate axis `axis`: the swing, and the angle of the twist, −π … π.
fn split(rotation: Rotation, axis: usize) -> (Rotation, f64) {
    let q = rotation.0;
    let half = q[axis].atan2(q[3]);
    let mut twist = [0.0; 4];
    (twist[axis], twist[3]) = half.sin_cos();
    let angle = std::f64::consts::PI - (std::f64::consts::PI - 2.0 * half).rem_euclid(std::f64::consts::TAU);
    (rotation * Rotation(twist).inverse(), angle)
}

fn hinge(dof: &Dof, axis: usize, rotation: Rotation) -> f64 {
    let (swing, twist) = split(rotation, axis);
    swing.angle().max(outside(dof, axis, twist))
}

fn swing_error(dof: &Dof, swing: Rotation, measure: SwingMeasure) -> f64 {
    let Rotation([x, y, z, w]) = swing.short();
    let sine = V3([x, y, z]).len();
    if sine < 1e-12 || !(dof.limit[0] || dof.limit[2]) {
        return 0.0;
    }
    let along = measure.length(2.0 * sine.atan2(w)) / sine;
    let v = [x * along, z * along];
    let bound = |axis: usize, value: f64| {
        let limit = if value < 0.0 { dof.min[axis] } else { dof.max[axis] };
        measure.length(limit.abs().min(std::f64::consts::PI))
    };
    let (a, b) = (bound(0, v[0]), bound(2, v[1]));
    let p = [v[0].abs(), v[1].abs()];
    let beyond = match (dof.limit[0], dof.limit[2]) {
        (true, false) => return (measure.angle(p[0]) - measure.angle(a)).max(0.0),
        (false, true) => return (measure.angle(p[1]) - measure.angle(b)).max(0.0),
        _ => beyond_ellipse(p, a, b),
    };
    // Lengths of the measure to radians, at the swing itself.
    let len = (p[0] * p[0] + p[1] * p[1]).sqrt();
    measure.angle(len) - measure.angle((len - beyond).max(0.0))
}

/// Distance from a point of the first quadrant to the ellipse with semi-axes `a`, `b` (either may
/// be 0); 0 inside.
fn beyond_ellipse([x, y]: [f64; 2], a: f64, b: f64) -> f64 {
    let inside_axis = |v: f64, s: f64| {
        if s > 0.0 {
            v / s
        } else if v > 0.0 {
            f64::INFINITY
        } else {
            0.0
        }
    };
    let (u, v) = (inside_axis(x, a), inside_axis(y, b));
    if u * u + v * v <= 1.0 {
        return 0.0;
    }
    let distance = |t: f64| {
        let (s, c) = t.sin_cos();
        ((a * c - x).powi(2) + (b * s - y).powi(2)).sqrt()
    };
    // From outside, the distance along a quarter of the ellipse has one minimum.
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..80 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance(left) < distance(right) { high = right } else { low = left }
    }
    let segment = if a == 0.0 || b == 0.0 {
        let (dx, dy) = ((x - a).max(0.0), (y - b).max(0.0));
        (dx * dx + dy * dy).sqrt()
    } else {
        f64::INFINITY
    };
    distance((low + high) / 2.0).min(segment)
}
