//! Frames: the space of a joint in an outer space, as accumulated along a chain of transforms.

use super::rigid::{self, Placed};
use super::rotation::{conjugate_by_signs, length, signs_of};
use super::transform::Transform;
use super::{Mat3, Quat, Vec3, scalar_in_register};
use wide::f32x4;

/// The space of a joint seen from an outer space (model or world).
///
/// `rotation` is the product of the ancestors' rotations, where a mirroring ancestor (negative
/// scale) mirrors the rotations below it, and [`Frame::signs`] are those accumulated mirror signs.
/// [`Frame::linear`] is the exact 3×3 part, with the scale and shear of the ancestors: points are
/// mapped by it. On rigs with uniform scale it equals `rotation · diag(signs) ·
/// |scale|`, and where every scale on the way is exactly 1 it is the rotation and is not kept.
/// Rotations (goals, end rotations) are mapped by the first two, which stay rotations under any
/// scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Origin of the joint in the outer space.
    pub position: Vec3,
    /// Orientation of the joint in the outer space, unit.
    pub rotation: Quat,
    /// Effect of scale; `None` where every scale on the way was exactly 1.
    shape: Option<Shape>,
}

/// Effect of scale on a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Mirror signs, each +1 or −1.
    signs: Vec3,
    /// Linear part: `outer = position + linear · local`.
    linear: Mat3,
}

impl Frame {
    /// The outer space itself.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, shape: None };

    /// From its parts.
    #[inline(always)]
    pub(crate) fn new(placed: Placed<f32x4>, shape: Option<Shape>) -> Self {
        let [x, y, z, _] = *placed.position.as_array_ref();
        Self { position: Vec3::new(x, y, z), rotation: Quat::from_array(*placed.rotation.as_array_ref()), shape }
    }
    /// Position and rotation.
    #[inline(always)]
    pub(crate) fn placed(&self) -> Placed<f32x4> {
        let p = self.position;
        Placed { position: f32x4::new([p.x, p.y, p.z, 0.0]), rotation: f32x4::new(self.rotation.to_array()) }
    }
    /// Effect of scale.
    #[inline(always)]
    pub(crate) fn shape(&self) -> Option<Shape> {
        self.shape
    }

    /// Mirror signs, each +1 or −1.
    #[inline]
    pub fn signs(&self) -> Vec3 {
        self.shape.map_or(Vec3::ONE, |s| s.signs)
    }
    /// Linear part: `outer = position + linear · local`.
    #[inline]
    pub fn linear(&self) -> Mat3 {
        self.shape.map_or_else(|| Mat3::from_quat(self.rotation), |s| s.linear)
    }
    /// Whether every scale on the way was exactly 1, so that the linear part is the rotation.
    #[inline]
    pub fn is_rigid(&self) -> bool {
        self.shape.is_none()
    }

    /// Whether no number of the position and of the linear part is beyond a size, or NaN.
    pub(crate) fn is_within(&self, size: f32) -> bool {
        let within = |v: Vec3| v.abs().cmple(Vec3::splat(size)).all();
        within(self.position)
            && self.shape.is_none_or(|s| within(s.linear.x_axis) && within(s.linear.y_axis) && within(s.linear.z_axis))
    }

    /// Frame of a single transform.
    pub fn from_transform(t: &Transform) -> Self {
        Self::IDENTITY.then(t)
    }

    /// Frame of a skeleton's joint in its parent, or of a root.
    #[inline(always)]
    pub(crate) fn of_joint(parent: Option<Self>, local: &Transform, tightened: bool) -> Self {
        let frame = match parent {
            Some(parent) => parent.step(local),
            None if rigid::is_scaled(local) => Self::IDENTITY.step(local),
            None => Self::new(rigid::placed(local), None),
        };
        if tightened && frame.is_rigid() { frame.tightened() } else { frame }
    }
    /// The rigid frame with its rotation, whose length must be close to 1, corrected towards unit
    /// length.
    #[inline(always)]
    pub(crate) fn tightened(self) -> Self {
        self.with_rotation(rigid::tightened)
    }
    #[inline(always)]
    fn with_rotation(self, change: impl Fn(f32x4) -> f32x4) -> Self {
        Self { rotation: rigid::to_quat(change(rigid::of_quat(self.rotation))), ..self }
    }

    /// Frame of a joint whose local transform in `self` is `local`. A local rotation that is off
    /// unit length is normalised on the way.
    #[inline]
    pub fn then(&self, local: &Transform) -> Self {
        let frame = self.step(local);
        if frame.is_rigid() { frame.with_rotation(rigid::normalize) } else { frame }
    }

    /// [`Self::then`], without normalising the product of rotations where nothing is scaled.
    #[inline(always)]
    fn step(&self, local: &Transform) -> Self {
        if self.is_rigid() && !rigid::is_scaled(local) {
            return Self::new(rigid::step(self.placed(), rigid::placed(local)), None);
        }
        self.then_scaled(&Transform { rotation: local.rotation.normalize(), ..*local })
    }

    fn then_scaled(&self, local: &Transform) -> Self {
        let (signs, linear) = (self.signs(), self.linear());
        let rotation = (self.rotation * conjugate_by_signs(local.rotation, signs)).normalize();
        let turned = linear * Mat3::from_quat(local.rotation);
        let linear_now = Mat3::from_cols(
            turned.x_axis * local.scale.x,
            turned.y_axis * local.scale.y,
            turned.z_axis * local.scale.z,
        );
        Self {
            position: self.position + linear * local.position,
            rotation,
            shape: Some(Shape { signs: signs * signs_of(local.scale), linear: linear_now }),
        }
    }

    /// The frame `inner`, given in this space, in the outer space.
    pub fn compose(&self, inner: &Self) -> Self {
        let rigid = self.is_rigid() && inner.is_rigid();
        let shape = || Shape { signs: self.signs() * inner.signs(), linear: self.linear() * inner.linear() };
        Self {
            position: self.point_out(inner.position),
            rotation: self.rotation_out(inner.rotation),
            shape: (!rigid).then(shape),
        }
    }

    /// A point of the joint's space in the outer space.
    #[inline]
    pub fn point_out(&self, local: Vec3) -> Vec3 {
        self.position + self.vector_out(local)
    }

    /// A vector of the joint's space (the difference of two points) in the outer space.
    #[inline]
    pub fn vector_out(&self, local: Vec3) -> Vec3 {
        match &self.shape {
            Some(shape) => shape.linear * local,
            None => scalar_in_register::turned(self.rotation, local),
        }
    }

    /// Inverse of the linear part, or `None` when an ancestor's scale is (nearly) zero and nothing
    /// can be mapped back: one axis shorter than 1e-15, or than 1e-9 of the longest, or all axes in
    /// one plane.
    pub fn inverse_linear(&self) -> Option<Mat3> {
        let Some(Shape { linear, .. }) = self.shape else {
            return Some(self.linear().transpose());
        };
        let lengths = [linear.x_axis, linear.y_axis, linear.z_axis].map(length);
        let longest = lengths[0].max(lengths[1]).max(lengths[2]);
        let shortest = lengths[0].min(lengths[1]).min(lengths[2]);
        if !(longest > 1e-15 && longest < 1e15 && shortest > 1e-9 * longest) {
            return None;
        }
        // In units of the longest column, so that no product leaves the range of f32.
        let scaled = linear * (1.0 / longest);
        let flat = scaled.determinant().abs()
            <= 1e-6 * (lengths[0] / longest) * (lengths[1] / longest) * (lengths[2] / longest);
        if flat { None } else { Some(scaled.inverse() * (1.0 / longest)) }
    }

    /// A point of the outer space in the joint's space; `None` when the space is flat (zero scale).
    pub fn point_in(&self, outer: Vec3) -> Option<Vec3> {
        let from = outer - self.position;
        match &self.shape {
            Some(_) => Some(self.inverse_linear()? * from),
            None => Some(scalar_in_register::turned(self.rotation.conjugate(), from)),
        }
    }

    /// A rotation given in the outer space, as a local rotation in this space.
    #[inline]
    pub fn rotation_in(&self, outer: Quat) -> Quat {
        let local = (self.rotation.conjugate() * outer).normalize();
        self.shape.map_or(local, |s| conjugate_by_signs(local, s.signs))
    }

    /// A local rotation of this space, in the outer space.
    #[inline]
    pub fn rotation_out(&self, local: Quat) -> Quat {
        (self.rotation * self.shape.map_or(local, |s| conjugate_by_signs(local, s.signs))).normalize()
    }

    /// The outer rotation whose `y` and `z` axes are the images of those of `local` in this space;
    /// unlike with [`Self::rotation_out`], "z along the fingers" remains true under a mirror along
    /// any axis.
    #[inline]
    pub fn axes_out(&self, local: Quat) -> Quat {
        self.rotation_out(local) * self.mirror_turn()
    }

    /// The local rotation for which [`Self::axes_out`] gives `outer`.
    #[inline]
    pub fn axes_in(&self, outer: Quat) -> Quat {
        self.rotation_in(outer * self.mirror_turn().conjugate())
    }

    /// The half turn between the mirrored rotation and the mirrored `y` and `z` axes.
    fn mirror_turn(&self) -> Quat {
        let signs = self.signs();
        match (signs.y < 0.0, signs.z < 0.0) {
            (false, false) => Quat::IDENTITY,
            (true, false) => Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
            (false, true) => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            (true, true) => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        }
    }
}
