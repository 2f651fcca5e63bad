//! The proportional solver (called "spring" solver by riggers; nothing swings): all bends of a
//! chain open and close together, in the proportions of the rest pose, so that no joint takes the
//! whole motion and none is left out.
//!
//! # Derivation
//!
//! At rest, bone `i` is bent against the bone before it by the angle `θ⁰`, about the axis `a =
//! b[i−1] × b[i]`: in a 3D rest every bend has a plane of its own. One number `t` bends them all,
//!
//! ```text
//! θ(t) = min(θ⁰ · max(0, 1 + β (t − 1)), π),   t = 1: rest
//! ```
//!
//! with the joint's bias `β` ([`Chain::set_spring_bias`]; 1: `θ = t θ⁰`, so the proportions are
//! exactly the rest's). The distance `d(t)` from the first joint to the end then has to be that of
//! the target, and the first joint turns the whole to the target and round that line to the pole.
//! In a plane, two bones whose angle at rest is `α` contribute `2 l l' cos(t α)` to `d²`; as long
//! as no `t α` exceeds π every such term falls with `t`, so the root is unique. It is searched from
//! `t = 1` towards the straight pose or the fold, and the first crossing is taken, by false
//! position (`crate::optim::root`) in `(t − t₀)²`, of which `d` is a smooth function where the
//! chain is straight (`t₀`). One evaluation is one pass over the bones.
//!
//! Limits cut each bend by projection inside the pass: the others take over what a limited joint
//! cannot give.
//!
//! *Straight rests* have no proportions: then all joints bend alike, those with a preferred bend
//! about its axis, the others about the axis the default solver bends straight chains about (the
//! sum of preferred bends; a hinge; X of the first joint).
//!
//! *With a weight* below 1 every joint takes that share of the way from its rotation in the pose to
//! that of the shape, and `t` is searched as before: near weight 0 the change of the distance and
//! the change that is needed are both in proportion to the weight, so the poses go over into the
//! animation's.
//!
//! *Through the straight pose* the roll must not depend on bends that vanish: the side that faces
//! the pole is measured on a slightly bent chain there.
//!
//! Not reached, and left to the default solver when `settings.finish` is set: targets nearer than
//! the proportional fold comes (a rest that bends one way closes to a polygon, so it comes to the
//! root itself; a zigzag folds flat), or beyond limits.
//!
//! Source: the behaviour is that of the "spring" solvers of modelling packages, whose manuals give
//! no formula; the law is ours.

use crate::chains::model::{Chain, ChainGoal, ChainSettings, Pole};
use crate::chains::start;
use crate::chains::state::unit;
use crate::chains::workspace::{ChainWorkspace, Slot};
use crate::math::{Quat, Vec3, arc, axis_angle, float, normalize_or, slerp_short};
use crate::optim::root::{self, Bracket};
use crate::outcome::{Outcome, Status};

const PI: f32 = core::f32::consts::PI;
/// Rests whose largest bend is below this are straight, radians.
const STRAIGHT: f32 = 1e-4;
/// Biases below this stand for 0.
const MIN_BIAS: f32 = 1e-3;

/// The family of shapes of one solve. Axes and bends per joint are in the workspace's `bends`.
#[derive(Clone, Copy, Debug)]
struct Family {
    /// Joints that carry the end.
    count: usize,
    /// The rest has no bend: the angles are proportions only.
    straight: bool,
    /// Number at which all joints that open are straight.
    t0: f32,
    /// Sum of all bends' speeds, radians per unit of t.
    speed: f32,
    /// Share of the way from the pose to the shape.
    share: f32,
}

fn bias(chain: &Chain, i: usize) -> f32 {
    let bias = chain.spring_bias.get(i).copied().unwrap_or(1.0);
    if bias < MIN_BIAS { 0.0 } else { bias }
}

/// The bone from joint `i` in its own space, stretched.
fn bone(chain: &Chain, ws: &ChainWorkspace, i: usize) -> Vec3 {
    start::bone(chain, i) * ws.state.pose().stretch[i]
}

/// Measures the bends of the rest pose. Forward kinematics are those of the rest afterwards (but
/// for the first joint) when it is straight.
fn family(chain: &Chain, share: f32, ws: &mut ChainWorkspace) -> Family {
    let count = start::active(chain, ws);
    let mut most = 0.0_f32;
    // Bones without length bend nothing: the one before them counts on.
    let mut before = normalize_or(bone(chain, ws, 0), Vec3::ZERO);
    for i in 1..count {
        before = chain.joints[i].rest.conjugate() * before;
        let own = normalize_or(bone(chain, ws, i), Vec3::ZERO);
        let across = before.cross(own);
        ws.bends.axis[i] = Vec3::ZERO;
        ws.bends.angle[i] = 0.0;
        if own != Vec3::ZERO && before != Vec3::ZERO {
            ws.bends.angle[i] = float::atan2(across.length(), before.dot(own));
            ws.bends.axis[i] = normalize_or(across, crate::math::perpendicular(own));
        }
        most = most.max(ws.bends.angle[i]);
        if own != Vec3::ZERO {
            before = own;
        }
    }
    let straight = most < STRAIGHT;
    if straight {
        alike(chain, count, ws);
    }
    let (mut least_bias, mut speed) = (f32::INFINITY, 0.0);
    for i in (1..count).filter(|i| ws.bends.angle[*i] > 0.0) {
        let bias = bias(chain, i);
        if bias > 0.0 {
            least_bias = least_bias.min(bias);
        }
        speed += bias * ws.bends.angle[i];
    }
    Family { count, straight, t0: 1.0 - 1.0 / least_bias, speed, share }
}

/// Bends for a straight rest: all alike, about one axis but where a joint prefers its own.
fn alike(chain: &Chain, count: usize, ws: &mut ChainWorkspace) {
    ws.state.rotations_mut()[1..count].fill(Quat::IDENTITY);
    ws.state.update(chain);
    let line = ws.state.carried(chain, 0) - ws.state.position[0];
    let along = normalize_or(line, Vec3::Y);
    let axis = start::bend_axis(chain, ws, along, None, line.length());
    for i in 1..count {
        let model = &chain.joints[i].model;
        let frame = ws.state.frame[i].conjugate();
        let across = |v: Vec3| v - (frame * along) * v.dot(frame * along);
        let own = across(model.frame * model.preferred_bend);
        ws.bends.axis[i] = normalize_or(if own.length() > 1e-3 { own } else { frame * axis }, Vec3::X);
        ws.bends.angle[i] = if bone(chain, ws, i).length() > 0.0 { 1.0 } else { 0.0 };
    }
}

impl Family {
    /// Rotation of joint `i` at `t`.
    fn rotation(&self, chain: &Chain, ws: &ChainWorkspace, i: usize, t: f32) -> Quat {
        let rest = ws.bends.angle[i];
        let bend = (rest * (1.0 + bias(chain, i) * (t - 1.0)).max(0.0)).min(PI);
        let turn = axis_angle(ws.bends.axis[i], bend - if self.straight { 0.0 } else { rest });
        let turn =
            if self.share < 1.0 { slerp_short(ws.saved_rotations(Slot::Start)[i], turn, self.share) } else { turn };
        chain.joints[i].model.project(turn)
    }
    /// Distance of the end from the first joint at `t`.
    fn distance(&self, chain: &Chain, ws: &ChainWorkspace, t: f32) -> f32 {
        let (mut place, mut above) = (bone(chain, ws, 0), Quat::IDENTITY);
        for i in 1..self.count {
            let turned = above * (chain.joints[i].rest * self.rotation(chain, ws, i, t));
            // One step towards unit length is enough: the product before is nearly unit.
            above = unit(turned);
            place += above * bone(chain, ws, i);
        }
        place.length()
    }
    /// Brings the shape of `t` into the pose.
    fn take(&self, chain: &Chain, ws: &mut ChainWorkspace, t: f32) {
        for i in 1..self.count {
            ws.state.set_rotation(i, self.rotation(chain, ws, i, t));
        }
    }

    /// The number at which the end is `wanted` from the first joint, or the one that comes nearest;
    /// and how often a distance was measured.
    fn find(&self, chain: &Chain, ws: &ChainWorkspace, wanted: f32) -> (f32, u32) {
        let start = if self.straight { self.t0 } else { 1.0 };
        let mut count = 0;
        let mut off = |t: f32| {
            count += 1;
            self.distance(chain, ws, t) - wanted
        };
        let at_start = off(start);
        if at_start.abs() <= 1e-7 * chain.length || self.speed <= 0.0 {
            return (start, count);
        }
        let opening = at_start < 0.0;
        if opening && self.straight {
            return (start, count);
        }
        // From here on the root is between `near`, on the side of the start, and `far`.
        let (mut near, mut far) = ((start, at_start), (start, at_start));
        if opening && self.speed <= PI {
            far = (self.t0, off(self.t0));
        } else {
            let mut step = PI / 8.0 / self.speed;
            let mut earlier = near;
            for _ in 0..64 {
                let next = if opening { (near.0 - step).max(self.t0) } else { near.0 + step };
                far = (next, off(next));
                if (far.1 < 0.0) != opening {
                    break;
                }
                if far.1.abs() > near.1.abs() {
                    // The distance has its minimum between `earlier` and `far`.
                    let sign = if opening { -1.0 } else { 1.0 };
                    let (at, least) = root::least(earlier.0, far.0, 24, |t| sign * off(t));
                    far = (at, sign * least);
                    near = earlier;
                    break;
                }
                if opening && next <= self.t0 {
                    break;
                }
                (earlier, near) = (near, far);
                step *= 1.3;
            }
        }
        if (far.1 < 0.0) == opening && far.1 != 0.0 {
            return (far.0, count);
        }
        (self.root(near, far, 1e-7 * chain.length, &mut off), count)
    }

    /// False position between two numbers with distances of opposite sign, in the square of the way
    /// from the straight pose.
    fn root(&self, a: (f32, f32), b: (f32, f32), close: f32, off: &mut impl FnMut(f32) -> f32) -> f32 {
        let squared = |t: f32| (t - self.t0) * (t - self.t0);
        let mut bracket = Bracket::new((squared(a.0), a.1), (squared(b.0), b.1));
        let mut best = if a.1.abs() < b.1.abs() { (a.0, a.1.abs()) } else { (b.0, b.1.abs()) };
        for round in 0..60 {
            if best.1 <= close || bracket.is_narrow() {
                break;
            }
            let u = if round % 8 == 7 { bracket.middle() } else { bracket.guess() };
            let t = self.t0 + float::sqrt(u);
            let value = off(t);
            if value.abs() < best.1 {
                best = (t, value.abs());
            }
            bracket.put(u, value);
        }
        best.0
    }
}

/// The pole with its reference side measured at `t`, or a little more bent, and carried over to the
/// shape of `t`, which the pose has.
fn steady_pole(chain: &Chain, pole: &Pole, shapes: &Family, t: f32, ws: &mut ChainWorkspace) -> Pole {
    if pole.reference.is_some() {
        return *pole;
    }
    let bent = t.max(shapes.t0 + 0.01 * (1.0 - shapes.t0));
    let line = |ws: &ChainWorkspace| normalize_or(ws.state.carried(chain, 0) - ws.state.position[0], Vec3::ZERO);
    shapes.take(chain, ws, bent);
    ws.state.update(chain);
    let (side, from) = (start::reference_side(chain, pole, ws), line(ws));
    shapes.take(chain, ws, t);
    ws.state.update(chain);
    let to = line(ws);
    let side = if from == Vec3::ZERO || to == Vec3::ZERO { side } else { arc(from, to) * side };
    Pole { reference: Some(ws.state.rotation[0].conjugate() * side), ..*pole }
}

pub(in crate::chains) fn solve(
    chain: &Chain,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    let Some(target) = goals[0].position.filter(|_| chain.is_serial()) else { return Outcome::INACTIVE };
    start::clamp_to_limits(chain, ws);
    start::hold_end_rotation(chain, goals, ws);
    ws.state.number_rows(goals);
    ws.state.update(chain);
    let target = start::carried_target(chain, target, ws);
    let wanted = (target - ws.state.position[0]).length();
    let shapes = family(chain, goals[0].spring_share.clamp(0.0, 1.0), ws);
    let (t, iterations) = shapes.find(chain, ws, wanted);
    shapes.take(chain, ws, t);
    ws.state.update(chain);
    let reach = (ws.state.carried(chain, 0) - ws.state.position[0]).length();
    let pole = goals[0].pole.map(|pole| steady_pole(chain, &pole, &shapes, t, ws));
    start::turn_first(chain, target, pole.as_ref(), ws);
    let miss = ws.state.measure(chain, goals);
    let full: f32 = (0..shapes.count).map(|i| bone(chain, ws, i).length()).sum();
    let straight = reach >= full * (1.0 - 1e-6) && wanted >= reach;
    let longer = settings.use_stretch && chain.joints.iter().any(|j| j.model.stretch.compliance > 0.0);
    let met = miss.is_reached(chain, settings);
    // Straight and turned to the target: the residual is along the chain, and no pose is nearer.
    let along = miss.metres <= (wanted - reach) + 1e-6 * chain.length && miss.radians <= settings.tolerance_rad;
    ws.state.hold(None);
    Outcome {
        status: if met {
            Status::Reached
        } else if straight && along && !longer {
            Status::Unreachable
        } else {
            Status::Stalled
        },
        iterations,
        residual_m: miss.metres,
        residual_rad: miss.radians,
    }
}
