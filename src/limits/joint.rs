//! The joint model: freedom, willingness, soft borders, preferred bend, stretch and slide of one
//! joint.
//!
//! # Derivations
//!
//! In limit space a rotation is the quaternion `(x, y, z, w)`.
//!
//! *Swing and twist.* `twist = (0, y, 0, w)/N`, `N² = y² + w²`, and `swing = q · twist⁻¹ = ((wx +
//! yz)/N, 0, (wz − yx)/N, N)`.
//!
//! *Universal.* `Rz(a)·Ry(b)` is `(−s₁s₂, c₁s₂, s₁c₂, c₁c₂)` of the half angles. The nearest such
//! product to `q` maximises the dot product, which is `½[(w+x) cos σ + (y+z) sin σ + (w−x) cos δ +
//! (z−y) sin δ]` with `σ, δ = (a ± b)/2`: so `σ = atan2(y+z, w+x)`, `δ = atan2(z−y, w−x)`, `a =
//! σ+δ`, `b = σ−δ`. For `Rx(a)·Ry(b)` z takes the place of −x and x that of z.
//!
//! *Three angles.* With `R = Rx(a) Rz(b) Ry(c)`, `sin b = −R₀₁`, `a = atan2(R₂₁, R₁₁)`, `c =
//! atan2(R₀₂, R₀₀)`. The turns' axes are `e₁ = X`, `e₂ = Rx(a) Z`, `e₃ = Rx(a) Rz(b) Y`, with `e₁ ·
//! e₃ = −sin b` and `e₂` across both; so the gradients are `(e₁ + e₃ sin b)/cos² b`, `e₂`, `(e₃ +
//! e₁ sin b)/cos² b`.
//!
//! *Gradients.* For an angular velocity `ω` in the rest frame, `q̇ = ½ ω q`. The twist angle `2
//! atan2(y, w)` grows at `ω · (xy − wz, N², wx + yz)/N²`; the swing's components grow at `½(ωx sw +
//! (ωy + τ̇) sz)` and `½(ωz sw − (ωy + τ̇) sx)`. The bone's axis `d` turns with `ω × d`, so leaving
//! across a polygon's edge with inner normal `n` has the gradient `n × d`.

use super::half_spaces::HalfSpaces;
use super::mobility::{Mobility, Wall, outer};
use super::range::Range;
use super::swing::SwingRegion;
use crate::math::{
    Mat3, Quat, Vec3, arc, axis_angle, float, rotation_angle, soft, swing_twist, twist_angle, wrap_angle,
};

/// One of the two axes across a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BendAxis {
    /// X of limit space.
    X,
    /// Z of limit space.
    Z,
}

/// Axis of a hinge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HingeAxis {
    /// X of limit space.
    X,
    /// Y of limit space: the bone's own axis.
    Y,
    /// Z of limit space.
    Z,
}

impl HingeAxis {
    fn vector(self) -> Vec3 {
        match self {
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }
}

/// Which rotations a joint may take; see the table in [`crate::limits`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// Swing and twist, each with its own limits.
    Ball {
        /// Where the bone's axis may go.
        swing: SwingRegion,
        /// The twist's range.
        twist: Range,
    },
    /// Swing without twist.
    Swing(SwingRegion),
    /// First the bend axis, then the twist: `q = R(bend) · R(Y)`.
    Universal {
        /// The axis that bends; the other one is locked.
        bend: BendAxis,
        /// Range of the bend.
        bend_range: Range,
        /// Range of the twist.
        twist: Range,
    },
    /// Three angles, `q = R(X) · R(Z) · R(Y)`, each with its own range: a ball joint as a chain of
    /// three hinges, which is how robotics and many rigs state limits. The middle angle stays
    /// within a quarter turn; near its ends the other two are not unique.
    Angles {
        /// Range about X, the first turn.
        x: Range,
        /// Range about Z as turned by the first, −π/2 … π/2.
        z: Range,
        /// Range about the bone's own axis, the last turn.
        y: Range,
    },
    /// One axis.
    Hinge {
        /// The axis.
        axis: HingeAxis,
        /// Range of the angle.
        range: Range,
    },
    /// Half-spaces on the whole rotation: a ball joint whose twist range depends on its swing.
    HalfSpaces(HalfSpaces),
    /// No turn at all: the joint stays at rest.
    Fixed,
}

impl Freedom {
    /// Independent directions in which the joint may turn where no border is near, 0 to 3.
    pub fn directions(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Hinge { .. } => 1,
            Self::Swing(_) | Self::Universal { .. } => 2,
            Self::Ball { .. } | Self::Angles { .. } | Self::HalfSpaces(_) => 3,
        }
    }
}

/// Bounds of a bone's change of length, as factors on the rest length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Least factor, 0 … 1, default 1: the bone never shortens.
    pub min: f32,
    /// Greatest factor, 1 …, default 1: the bone never lengthens.
    pub max: f32,
    /// Share of this bone in the change compared with others, 0 … 1; default 0: none.
    pub compliance: f32,
}

impl Stretch {
    /// A bone of constant length.
    pub const NONE: Self = Self { min: 1.0, max: 1.0, compliance: 0.0 };
}

/// A joint that translates: how far its own place may move along an axis that its parent carries,
/// as a trolley on a rail or a telescope. For bodies; chains leave it where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The axis in the joint's space at rest, any length but zero.
    pub axis: Vec3,
    /// Least way from the rest position along the axis, in the parent's units (metres).
    pub min: f32,
    /// Greatest way, not below `min`; the same, the default: the joint does not slide.
    pub max: f32,
    /// Readiness to slide beside turns of joints: radians² of turn that cost as much as a metre².
    pub mobility: f32,
}

impl Slide {
    /// A joint that stays where its parent carries it.
    pub const NONE: Self = Self { axis: Vec3::Y, min: 0.0, max: 0.0, mobility: 0.25 };
}

/// Limits per axis: a lock and an optional range about X, Y (the bone's axis) and Z.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct AxisLimits {
    /// The joint may not turn about this axis; it stays at rest.
    pub locked: [bool; 3],
    /// Range about this axis, radians; `None`: free.
    pub range: [Option<Range>; 3],
}

impl From<AxisLimits> for Freedom {
    /// X and Z free to bend: swing and twist, where limits on both X and Z form an ellipse of four
    /// quarters. X or Z locked: two angles. Two locked: a hinge.
    fn from(limits: AxisLimits) -> Self {
        let [x, y, z] = limits.range;
        let twist = y.unwrap_or(Range::FREE);
        let hinge = |axis, range: Option<Range>| Self::Hinge { axis, range: range.unwrap_or(Range::FREE) };
        match limits.locked {
            [true, true, true] => Self::Fixed,
            [false, true, true] => hinge(HingeAxis::X, x),
            [true, false, true] => hinge(HingeAxis::Y, y),
            [true, true, false] => hinge(HingeAxis::Z, z),
            [true, false, false] => Self::Universal { bend: BendAxis::Z, bend_range: z.unwrap_or(Range::FREE), twist },
            [false, false, true] => Self::Universal { bend: BendAxis::X, bend_range: x.unwrap_or(Range::FREE), twist },
            [false, twist_locked, false] => {
                let swing = match (x, z) {
                    (None, None) => SwingRegion::Free,
                    (Some(x), None) => SwingRegion::X(x),
                    (None, Some(z)) => SwingRegion::Z(z),
                    (Some(x), Some(z)) => SwingRegion::Ellipse { x, z },
                }
                .sane();
                if twist_locked { Self::Swing(swing) } else { Self::Ball { swing, twist } }
            }
        }
    }
}

/// One joint's model. The default is a free ball joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointModel {
    /// Limit space in the joint's own space: limit +Y is the twist axis. Default: the identity
    /// (bones along +Y).
    pub frame: Quat,
    /// What the joint may do.
    pub freedom: Freedom,
    /// Reluctance to turn about X, Y, Z of limit space, 0 … 0.99, default 0: the joint's share of a
    /// motion goes with 1 − stiffness. It shapes poses and never keeps a target from being reached.
    pub stiffness: [f32; 3],
    /// Width of the zone before a border in which the joint resists, radians, default 0 (hard
    /// borders). The share of the outward motion that the joint still takes falls from 1 at the
    /// zone's start to 0.02 at the border along a smooth step. The border itself can be reached.
    pub soft_rad: f32,
    /// Axis, in limit space, about which the joint bends (by a positive turn) when a straight chain
    /// has to fold; zero, the default: none preferred.
    pub preferred_bend: Vec3,
    /// Change of the bone's length.
    pub stretch: Stretch,
    /// Way of the joint itself.
    pub slide: Slide,
}

impl Default for JointModel {
    fn default() -> Self {
        Self::FREE
    }
}

/// Greatest middle angle of three that a projection gives, radians: at a quarter turn the other two
/// are not unique.
pub(super) const MIDDLE_RAD: f32 = core::f32::consts::FRAC_PI_2 - 2e-3;

/// Distance below which a joint stands on a border, radians.
const ON_BORDER_RAD: f32 = 2e-6;

impl JointModel {
    /// A free ball joint.
    pub const FREE: Self = Self {
        frame: Quat::IDENTITY,
        freedom: Freedom::Ball { swing: SwingRegion::Free, twist: Range::FREE },
        stiffness: [0.0; 3],
        soft_rad: 0.0,
        preferred_bend: Vec3::ZERO,
        stretch: Stretch::NONE,
        slide: Slide::NONE,
    };

    /// A joint with these limits and nothing else set.
    pub fn limited(freedom: Freedom) -> Self {
        Self { freedom, ..Self::FREE }
    }
    /// Whether every rotation is admissible.
    pub fn is_unlimited(&self) -> bool {
        matches!(&self.freedom, Freedom::Ball { swing, twist } if swing.is_free() && twist.is_free())
    }
    /// Whether every rotation is admissible and all axes are equally willing, so that the mobility
    /// is a multiple of 1.
    pub fn is_isotropic(&self) -> bool {
        self.is_unlimited() && self.stiffness[0] == self.stiffness[1] && self.stiffness[1] == self.stiffness[2]
    }
    /// The axis of a hinge in the joint's space (and in its rest frame), unit; the twist axis for
    /// other joints.
    pub fn hinge_axis(&self) -> Vec3 {
        match &self.freedom {
            Freedom::Hinge { axis, .. } => self.frame * axis.vector(),
            _ => self.frame * Vec3::Y,
        }
    }
    /// This joint as a hinge about one axis, for chains in a plane: `axis_js` in the joint's space,
    /// unit. A limit of the model about that very axis (within 8 degrees; a polygon limits no
    /// single axis) stays; a joint that is locked about it is fixed.
    pub fn in_plane(&self, axis_js: Vec3) -> Self {
        let axis = self.frame.conjugate() * axis_js;
        let along = |v: Vec3| v.dot(axis).abs() > 0.99;
        let (about_x, about_y, about_z) = (along(Vec3::X), along(Vec3::Y), along(Vec3::Z));
        let bend_range = |swing: &SwingRegion| match swing {
            SwingRegion::X(x) if about_x => Some(*x),
            SwingRegion::Z(z) if about_z => Some(*z),
            SwingRegion::Ellipse { x, .. } if about_x => Some(*x),
            SwingRegion::Ellipse { z, .. } if about_z => Some(*z),
            _ => None,
        };
        let range = match &self.freedom {
            Freedom::Ball { twist, .. } if about_y => Some(*twist),
            Freedom::Ball { swing, .. } => bend_range(swing),
            Freedom::Swing(_) if about_y => return Self { freedom: Freedom::Fixed, ..*self },
            Freedom::Swing(swing) => bend_range(swing),
            Freedom::Universal { twist, .. } if about_y => Some(*twist),
            Freedom::Universal { bend, bend_range, .. } => match bend {
                BendAxis::X if about_x => Some(*bend_range),
                BendAxis::Z if about_z => Some(*bend_range),
                _ if about_x || about_z => return Self { freedom: Freedom::Fixed, ..*self },
                _ => None,
            },
            Freedom::Angles { x, .. } if about_x => Some(*x),
            Freedom::Angles { y, .. } if about_y => Some(*y),
            Freedom::Angles { z, .. } if about_z => Some(*z),
            Freedom::Angles { .. } => None,
            Freedom::Hinge { axis: own, range } if along(own.vector()) => Some(*range),
            Freedom::Hinge { .. } if about_x || about_y || about_z => {
                return Self { freedom: Freedom::Fixed, ..*self };
            }
            Freedom::Hinge { .. } | Freedom::HalfSpaces(_) => None,
            Freedom::Fixed => return *self,
        };
        let flipped = axis.x + axis.y + axis.z < 0.0;
        let range = range.map_or(Range::FREE, |r| if flipped { Range::new(-r.max, -r.min) } else { r });
        Self { frame: arc(Vec3::Y, axis_js), freedom: Freedom::Hinge { axis: HingeAxis::Y, range }, ..*self }
    }
    fn limit_from_joint(&self, q: Quat) -> Quat {
        if self.frame == Quat::IDENTITY { q } else { self.frame.conjugate() * q * self.frame }
    }
    fn joint_from_limit(&self, q: Quat) -> Quat {
        if self.frame == Quat::IDENTITY { q } else { self.frame * q * self.frame.conjugate() }
    }

    /// The nearest admissible rotation (for each part of the split on its own; a twist lock keeps
    /// the bone's direction). Admissible rotations come back unchanged but for rounding.
    pub fn project(&self, rotation: Quat) -> Quat {
        if self.is_unlimited() {
            return rotation;
        }
        let inside = self.limit_from_joint(rotation);
        match self.project_inside(inside) {
            same if same == inside => rotation,
            projected => self.joint_from_limit(projected).normalize(),
        }
    }

    /// How far a rotation is from admissible: the angle between it and its projection, radians.
    pub fn violation_rad(&self, rotation: Quat) -> f32 {
        match self.project(rotation) {
            same if same == rotation => 0.0,
            admissible => rotation_angle(admissible.conjugate() * rotation),
        }
    }

    fn project_inside(&self, q: Quat) -> Quat {
        let turn = |axis: Vec3, angle: f32| axis_angle(axis, angle);
        match &self.freedom {
            Freedom::Ball { swing, twist } => {
                let (s, t) = swing_twist(q, Vec3::Y);
                let twisted = if twist.is_free() {
                    t
                } else {
                    let angle = twist_angle(t, Vec3::Y);
                    let inside = twist.clamp(angle);
                    if inside == angle { t } else { turn(Vec3::Y, inside) }
                };
                let (upright, swung) = (upright(s), swing.project(upright(s)));
                if swung == upright && twisted == t { q } else { swung * twisted }
            }
            Freedom::Swing(swing) => swing.project(upright(swing_twist(q, Vec3::Y).0)),
            Freedom::Universal { bend, bend_range, twist } => {
                let (a, b) = universal_angles(*bend, q);
                turn(bend.vector(), bend_range.clamp(a)) * turn(Vec3::Y, twist.clamp(b))
            }
            Freedom::Angles { x, z, y } => {
                let (mut a, mut b, mut c) = three_angles(q);
                if (x.clamp(a), z.clamp(b), y.clamp(c)) == (a, b, c) {
                    return q;
                }
                // With one angle at its border, the nearest rotation has other two.
                if x.clamp(a) != a {
                    a = x.clamp(a);
                    (b, c) = universal_angles(BendAxis::Z, turn(Vec3::X, -a) * q);
                } else if y.clamp(c) != c {
                    c = y.clamp(c);
                    // In a space where Z is the twist axis.
                    let swap = turn(Vec3::X, -core::f32::consts::FRAC_PI_2);
                    (a, b) = universal_angles(BendAxis::X, swap * q * turn(Vec3::Y, -c) * swap.conjugate());
                }
                // Beyond a quarter turn the same rotation has another first and last angle.
                let b = z.clamp(b).clamp(-MIDDLE_RAD, MIDDLE_RAD);
                turn(Vec3::X, x.clamp(a)) * turn(Vec3::Z, b) * turn(Vec3::Y, y.clamp(c))
            }
            Freedom::Hinge { axis, range } => {
                let v = axis.vector();
                turn(v, range.clamp(twist_angle(q, v)))
            }
            Freedom::HalfSpaces(limits) => limits.project(q),
            Freedom::Fixed => Quat::IDENTITY,
        }
    }

    /// Mobility and walls where the joint stands, in its rest frame (the space `rotation` turns
    /// into). `rotation` is admissible.
    pub fn mobility(&self, rotation: Quat) -> Mobility {
        let q = self.limit_from_joint(rotation);
        let willing = self.stiffness.map(|s| (1.0 - s).clamp(0.01, 1.0));
        let mut mobility = Mobility::new(self.base_matrix(q, willing));
        match &self.freedom {
            Freedom::Ball { swing, twist } => {
                let (s, t) = swing_twist(q, Vec3::Y);
                let gradient = twist_gradient(q);
                if !twist.is_free() {
                    let angle = twist_angle(t, Vec3::Y);
                    self.wall(&mut mobility, twist.max - angle, gradient);
                    self.wall(&mut mobility, angle - twist.min, -gradient);
                }
                self.swing_walls(&mut mobility, swing, upright(s), gradient);
            }
            Freedom::Swing(swing) => {
                let gradient = twist_gradient(q);
                self.swing_walls(&mut mobility, swing, upright(q), gradient);
            }
            Freedom::Universal { bend, bend_range, twist } => {
                // Gradients of the two angles are the dual basis of (first, second), which are at
                // right angles.
                let (a, b) = universal_angles(*bend, q);
                let first = bend.vector();
                let second = axis_angle(first, a) * Vec3::Y;
                for (range, angle, axis) in [(bend_range, a, first), (twist, b, second)] {
                    if !range.is_free() {
                        self.wall(&mut mobility, range.max - angle, axis);
                        self.wall(&mut mobility, angle - range.min, -axis);
                    }
                }
            }
            Freedom::Angles { x, z, y } => {
                let (a, b, c) = three_angles(q);
                let (sin_a, cos_a) = float::sin_cos(a);
                let (sin_b, cos_b) = float::sin_cos(b);
                let second = Vec3::new(0.0, -sin_a, cos_a);
                let third = Vec3::new(-sin_b, cos_a * cos_b, sin_a * cos_b);
                let over = 1.0 / (cos_b * cos_b).max(1e-4);
                let first = (Vec3::X + third * sin_b) * over;
                let last = (third + Vec3::X * sin_b) * over;
                for (range, angle, gradient) in [(x, a, first), (z, b, second), (y, c, last)] {
                    if !range.is_free() {
                        self.wall(&mut mobility, range.max - angle, gradient);
                        self.wall(&mut mobility, angle - range.min, -gradient);
                    }
                }
            }
            Freedom::Hinge { axis, range } => {
                let v = axis.vector();
                if !range.is_free() {
                    let angle = twist_angle(q, v);
                    self.wall(&mut mobility, range.max - angle, v);
                    self.wall(&mut mobility, angle - range.min, -v);
                }
            }
            Freedom::HalfSpaces(limits) => {
                limits.walls(&Mat3::from_quat(q), |room, gradient| self.wall(&mut mobility, room, gradient))
            }
            Freedom::Fixed => {}
        }
        if self.frame != Quat::IDENTITY {
            mobility.turn(self.frame);
        }
        mobility
    }

    /// Willingness without walls, in limit space.
    fn base_matrix(&self, q: Quat, willing: [f32; 3]) -> Mat3 {
        let [x, y, z] = willing;
        let all = || {
            if x == y && y == z {
                Mat3::IDENTITY * x
            } else {
                outer(q * Vec3::X) * x + outer(q * Vec3::Y) * y + outer(q * Vec3::Z) * z
            }
        };
        match &self.freedom {
            Freedom::Ball { .. } | Freedom::Angles { .. } | Freedom::HalfSpaces(_) => all(),
            Freedom::Swing(_) => {
                let mut matrix = all();
                Mobility::forbid(&mut matrix, twist_gradient(q), 1.0);
                matrix
            }
            Freedom::Universal { bend, .. } => {
                let (a, _) = universal_angles(*bend, q);
                let first = bend.vector();
                let bend_willing = if *bend == BendAxis::X { x } else { z };
                outer(first) * bend_willing + outer(axis_angle(first, a) * Vec3::Y) * y
            }
            Freedom::Hinge { axis, .. } => {
                let w = match axis {
                    HingeAxis::X => x,
                    HingeAxis::Y => y,
                    HingeAxis::Z => z,
                };
                outer(axis.vector()) * w
            }
            Freedom::Fixed => Mat3::ZERO,
        }
    }

    /// Adds the wall of a border when the joint stands on it or in its soft zone. `gradient` per
    /// radian, any length.
    fn wall(&self, mobility: &mut Mobility, room: f32, gradient: Vec3) {
        let size = gradient.length();
        if size < 1e-6 {
            return;
        }
        let room_rad = if room <= ON_BORDER_RAD { room.min(0.0) } else { room / size };
        let width = self.soft_rad.max(0.0);
        // Borders a large step away are kept too: a step then can be seen to cross them.
        // A little mobility is left at the wall itself, so that a joint can leave it again.
        let resistance = 0.98 * (1.0 - soft::slope(room, width));
        mobility.push(Wall { outward: gradient / size, room_rad, resistance });
    }

    fn swing_walls(&self, mobility: &mut Mobility, region: &SwingRegion, s: Quat, twist_gradient: Vec3) {
        if let SwingRegion::Polygon(polygon) = region {
            let direction = s * Vec3::Y;
            for edge in 0..polygon.edges() {
                let n = polygon.normal(edge);
                let room = n.dot(direction);
                if room < 0.5_f32.max(self.soft_rad) {
                    self.wall(mobility, room, n.cross(direction));
                }
            }
            return;
        }
        let turning = Vec3::Y + twist_gradient;
        let gx = (Vec3::X * s.w + turning * s.z) * 0.5;
        let gz = (Vec3::Z * s.w - turning * s.x) * 0.5;
        region.borders(s, |inside, (along_x, along_z)| {
            // Half-sines grow half as fast as angles near rest.
            let gradient = gx * along_x + gz * along_z;
            self.wall(mobility, inside * 2.0, gradient * 2.0);
        });
    }
}

impl Mobility {
    /// Turns everything by a rotation.
    fn turn(&mut self, rotation: Quat) {
        self.matrix = Self::matrix_in(&self.matrix, rotation);
        self.turn_walls(rotation);
    }
}

impl BendAxis {
    fn vector(self) -> Vec3 {
        match self {
            Self::X => Vec3::X,
            Self::Z => Vec3::Z,
        }
    }
}

/// The same rotation with `w ≥ 0`.
fn upright(q: Quat) -> Quat {
    if q.w < 0.0 { -q } else { q }
}

fn universal_angles(bend: BendAxis, q: Quat) -> (f32, f32) {
    let (cross, along) = match bend {
        BendAxis::Z => (q.x, q.z),
        BendAxis::X => (-q.z, q.x),
    };
    let sum = float::atan2(q.y + along, q.w + cross);
    let difference = float::atan2(along - q.y, q.w - cross);
    (wrap_angle(sum + difference), wrap_angle(sum - difference))
}

/// Angles about X, Z and Y of `R(X) · R(Z) · R(Y)`.
fn three_angles(q: Quat) -> (f32, f32, f32) {
    let (x, y, z, w) = (q.x, q.y, q.z, q.w);
    let sine = 2.0 * (z * w - x * y);
    let a = float::atan2(2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + z * z));
    let c = float::atan2(2.0 * (x * z + y * w), 1.0 - 2.0 * (y * y + z * z));
    (a, float::asin(sine), c)
}

/// Gradient of the twist angle for angular velocities in the rest frame.
fn twist_gradient(q: Quat) -> Vec3 {
    let n2 = q.y * q.y + q.w * q.w;
    if n2 < 1e-8 {
        return Vec3::Y;
    }
    Vec3::new((q.x * q.y - q.w * q.z) / n2, 1.0, (q.w * q.x + q.y * q.z) / n2)
}
