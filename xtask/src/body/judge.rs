//! The judge: kinematics, residuals and limits in double precision, from the file's own
//! definitions.

use super::format::{Joint, Limit, PoseRecord, Rig, Task};
use testkit::matchers::{product, rotate};

type V = [f64; 3];
type Q = [f64; 4];

fn inverse(q: Q) -> Q {
    [-q[0], -q[1], -q[2], q[3]]
}
fn unit(q: Q) -> Q {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}
fn log(q: Q) -> V {
    let q = if q[3] < 0.0 { q.map(|x| -x) } else { q };
    let s = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]).sqrt();
    let k = if s > 1e-12 { 2.0 * s.atan2(q[3]) / s } else { 2.0 };
    [q[0] * k, q[1] * k, q[2] * k]
}
fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
fn size(v: V) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// How the limits of a ball joint are read: three numbers in the file, and two sets that they can
/// mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Reading {
    /// Swing inside the ellipse, twist in its range: what animation rigs mean.
    Ellipse,
    /// Three turns, each in its range: what robots mean.
    Box,
}

/// A pose with its kinematics.
pub struct Judged<'a> {
    rig: &'a Rig,
    local: Vec<Q>,
    root: V,
    at: Vec<(V, Q)>,
}

impl<'a> Judged<'a> {
    pub fn new(rig: &'a Rig, pose: &PoseRecord) -> Self {
        let local: Vec<Q> = pose.local_r.iter().map(|q| unit(*q)).collect();
        let mut at: Vec<(V, Q)> = Vec::new();
        for (joint, rotation) in rig.joints.iter().zip(&local) {
            at.push(match usize::try_from(joint.parent).ok().map(|p| at[p]) {
                None => (pose.root_t, *rotation),
                Some((p, r)) => (add(p, rotate(r, joint.offset)), unit(product(r, *rotation))),
            });
        }
        Self { rig, local, root: pose.root_t, at }
    }

    fn center_of_mass(&self) -> V {
        let (mut sum, mut mass) = ([0.0; 3], 0.0);
        for (joint, (p, r)) in self.rig.joints.iter().zip(&self.at) {
            let center = add(*p, rotate(*r, joint.com));
            sum = add(sum, center.map(|x| x * joint.mass));
            mass += joint.mass;
        }
        sum.map(|x| x / mass)
    }
    /// What a task lacks of a goal; `None` for what is no goal.
    fn error(&self, task: &Task, goal: &[f64]) -> Option<V> {
        let toward = |p: V| [goal[0] - p[0], goal[1] - p[1], goal[2] - p[2]];
        let (p, r) = *self.at.get(task.joint)?;
        Some(match task.kind.as_str() {
            "position" => toward(task.tip.map_or(p, |tip| add(p, rotate(r, tip)))),
            "orientation" => log(product([goal[0], goal[1], goal[2], goal[3]], inverse(r))),
            "com" => {
                let (axes, e) = (task.axes.unwrap_or([1.0; 3]), toward(self.center_of_mass()));
                [e[0] * axes[0], e[1] * axes[1], e[2] * axes[2]]
            }
            _ => return None,
        })
    }
    /// Largest miss of the tasks: millimetres and degrees.
    pub fn worst<'t>(&self, tasks: impl Iterator<Item = (&'t Task, &'t [f64])>) -> (f64, f64) {
        let (mut mm, mut degrees) = (0.0_f64, 0.0_f64);
        for (task, goal) in tasks {
            let Some(e) = self.error(task, goal) else { continue };
            if task.kind == "orientation" {
                degrees = degrees.max(size(e).to_degrees());
            } else {
                mm = mm.max(size(e) * 1000.0);
            }
        }
        (mm, degrees)
    }
    /// Weighted sum of squares of the tasks of a priority.
    pub fn objective(&self, tasks: &[Task], priority: u8) -> f64 {
        let squares = tasks.iter().filter(|t| t.priority == priority).filter_map(|t| {
            let e = self.error(t, &t.goal)?;
            Some(t.weight * size(e).powi(2))
        });
        squares.sum()
    }
    /// Largest angle by which a joint is beyond its limits, degrees.
    pub fn violation_deg(&self, reading: Reading) -> f64 {
        let joints = self.rig.joints.iter().zip(&self.local);
        joints.filter_map(|(joint, q)| joint.limit.as_ref().map(|l| excess(joint, l, *q, reading))).fold(0.0, f64::max)
    }
    /// How far the root is from another pose's: millimetres and degrees, the larger.
    pub fn root_moved(&self, start: &PoseRecord) -> f64 {
        let moved = [0, 1, 2].map(|i| self.root[i] - start.root_t[i]);
        let turned = log(product(self.local[0], inverse(unit(start.local_r[0]))));
        (size(moved) * 1000.0).max(size(turned).to_degrees())
    }
    /// Largest turn of a joint between two poses, degrees.
    pub fn turn_deg(&self, other: &Self) -> f64 {
        let pairs = self.local.iter().zip(&other.local);
        pairs.map(|(a, b)| size(log(product(*a, inverse(*b)))).to_degrees()).fold(0.0, f64::max)
    }
}

/// Degrees beyond the limits.
fn excess(joint: &Joint, limit: &Limit, local: Q, reading: Reading) -> f64 {
    let frame = unit(limit.frame);
    let q = product(product(inverse(frame), product(inverse(unit(joint.rest_r)), local)), frame);
    let q = if q[3] < 0.0 { q.map(|x| -x) } else { q };
    let beyond = |range: [f64; 2], angle: f64| (range[0] - angle).max(angle - range[1]).max(0.0);
    let radians = if limit.kind == "ball" && reading == Reading::Box {
        // Columns of the rotation matrix of Rx(a) Rz(b) Ry(c).
        let ([xx, ..], [yx, yy, yz], [zx, ..]) =
            (rotate(q, [1.0, 0.0, 0.0]), rotate(q, [0.0, 1.0, 0.0]), rotate(q, [0.0, 0.0, 1.0]));
        let (a, b, c) = (yz.atan2(yy), -yx.clamp(-1.0, 1.0).asin(), zx.atan2(xx));
        beyond(limit.x, a).max(beyond(limit.z, b)).max(beyond(limit.y, c))
    } else if limit.kind == "ball" {
        let twist = 2.0 * q[1].atan2(q[3]);
        let n = q[1].hypot(q[3]);
        let s = if n < 1e-9 { q } else { product(q, [0.0, -q[1] / n, 0.0, q[3] / n]) };
        let axis = |v: f64, range: [f64; 2]| (if v >= 0.0 { range[1] } else { -range[0] } / 2.0).sin().max(1e-9);
        let radius = (s[0] / axis(s[0], limit.x)).hypot(s[2] / axis(s[2], limit.z));
        let half = s[0].hypot(s[2]).min(1.0);
        let swing = if radius <= 1.0 { 0.0 } else { 2.0 * (half.asin() - (half / radius).asin()) };
        swing.max(beyond(limit.y, twist))
    } else {
        let wrap = |a: f64| (a + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        let (bend, twist) = if limit.kind == "hinge" {
            (wrap(2.0 * q[0].atan2(q[3])), 0.0)
        } else {
            let (s, d) = ((q[0] + q[1]).atan2(q[3] - q[2]), (q[0] - q[1]).atan2(q[3] + q[2]));
            (wrap(s + d), wrap(s - d))
        };
        // Distance from the joint's own rotations counts, too.
        let own = product(
            [(bend / 2.0).sin(), 0.0, 0.0, (bend / 2.0).cos()],
            [0.0, (twist / 2.0).sin(), 0.0, (twist / 2.0).cos()],
        );
        beyond(limit.x, bend).max(beyond(limit.y, twist)).max(size(log(product(inverse(own), q))))
    };
    radians.to_degrees()
}
