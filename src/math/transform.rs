//! Joint transforms: translation · rotation · scale, and the frames that a chain of them gives.

use super::rotation::{conjugate_by_signs, length};
use super::{Mat3, Quat, Vec3};

/// Position, rotation and scale of a joint in its parent: `point_parent = position + rotation · (scale ∘ point)`.
///
/// This is the record hosts exchange with us: ten `f32` in this order, 40 bytes, 4-byte aligned.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Transform {
    /// Where the joint sits, in the parent's space, in host units (metres unless the rig says otherwise).
    pub position: Vec3,
    /// Unit quaternion, `x, y, z, w`.
    pub rotation: Quat,
    /// Scale per axis of the joint, 1 for rigid rigs; may be negative (mirrored) or uneven.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// No move, no turn, scale 1.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A rigid transform.
    #[inline]
    pub fn new(position: Vec3, rotation: Quat) -> Self {
        Self { position, rotation, scale: Vec3::ONE }
    }
    /// Only a translation.
    #[inline]
    pub fn at(position: Vec3) -> Self {
        Self { position, ..Self::IDENTITY }
    }
    /// Whether all ten numbers are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        // Zero times a number is zero; times infinity or NaN it is NaN, and stays so in the sum. Ten tests in one.
        let (p, q, s) = (self.position * 0.0, self.rotation * 0.0, self.scale * 0.0);
        (p.x + p.y + p.z) + (q.x + q.y + q.z + q.w) + (s.x + s.y + s.z) == 0.0
    }
}

/// The space of a joint seen from an outer space (model or world).
///
/// `linear` is the exact 3×3 part, with whatever scale and shear the ancestors bring: points go through it. `rotation`
/// is the product of the ancestors' rotations, where a mirroring ancestor (negative scale) turns the rotations below it
/// over, and `signs` are those accumulated mirror signs; so that on rigs with uniform scale `linear` equals
/// `rotation · diag(signs) · |scale|`. Rotations (goals, end rotations) go through these two, which stay rotations under
/// any scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Origin of the joint in the outer space.
    pub position: Vec3,
    /// Orientation of the joint in the outer space, unit.
    pub rotation: Quat,
    signs: Vec3,
    linear: Mat3,
    /// Every scale on the way was exactly 1, so `linear` is `rotation`.
    rigid: bool,
}

impl Frame {
    /// The outer space itself.
    pub const IDENTITY: Self =
        Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, signs: Vec3::ONE, linear: Mat3::IDENTITY, rigid: true };

    /// Mirror signs, each +1 or −1.
    #[inline]
    pub fn signs(&self) -> Vec3 {
        self.signs
    }
    /// Linear part: `outer = position + linear · local`.
    #[inline]
    pub fn linear(&self) -> Mat3 {
        self.linear
    }
    /// Whether every scale on the way was exactly 1, so that the linear part is the rotation.
    #[inline]
    pub fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// Frame of a single transform.
    pub fn from_transform(t: &Transform) -> Self {
        Self::IDENTITY.then(t)
    }

    /// Frame of a joint whose local transform in `self` is `local`.
    #[inline]
    pub fn then(&self, local: &Transform) -> Self {
        if self.rigid && local.scale == Vec3::ONE { self.then_rigid(local) } else { self.then_scaled(local) }
    }

    /// As [`Self::then`], for a local rotation that may be a little off unit length.
    #[inline(always)]
    pub(crate) fn then_about(&self, local: &Transform) -> Self {
        if self.rigid && local.scale == Vec3::ONE {
            // The product is normalised, and nothing else looks at the length.
            return self.then_rigid(local);
        }
        self.then_scaled(&Transform { rotation: local.rotation.normalize(), ..*local })
    }

    /// Without scale anywhere, a frame is a position and a rotation.
    #[inline(always)]
    fn then_rigid(&self, local: &Transform) -> Self {
        let product = self.rotation * local.rotation;
        let rotation = product * (1.0 / product.length_squared().sqrt());
        Self {
            position: self.position + self.linear * local.position,
            rotation,
            signs: Vec3::ONE,
            linear: Mat3::from_quat(rotation),
            rigid: true,
        }
    }

    fn then_scaled(&self, local: &Transform) -> Self {
        let rotation = (self.rotation * conjugate_by_signs(local.rotation, self.signs)).normalize();
        let sign = |s: f32| if s < 0.0 { -1.0 } else { 1.0 };
        let local_signs = Vec3::new(sign(local.scale.x), sign(local.scale.y), sign(local.scale.z));
        let turned = self.linear * Mat3::from_quat(local.rotation);
        Self {
            position: self.position + self.linear * local.position,
            rotation,
            signs: self.signs * local_signs,
            linear: Mat3::from_cols(
                turned.x_axis * local.scale.x,
                turned.y_axis * local.scale.y,
                turned.z_axis * local.scale.z,
            ),
            rigid: false,
        }
    }

    /// The frame `inner`, given in this space, in the outer space.
    pub fn compose(&self, inner: &Self) -> Self {
        Self {
            position: self.position + self.linear * inner.position,
            rotation: (self.rotation * conjugate_by_signs(inner.rotation, self.signs)).normalize(),
            signs: self.signs * inner.signs,
            linear: self.linear * inner.linear,
            rigid: self.rigid && inner.rigid,
        }
    }

    /// A point of the joint's space in the outer space.
    #[inline]
    pub fn point_out(&self, local: Vec3) -> Vec3 {
        self.position + self.linear * local
    }

    /// A vector of the joint's space in the outer space: what lies between two points.
    #[inline]
    pub fn vector_out(&self, local: Vec3) -> Vec3 {
        self.linear * local
    }

    /// Inverse of the linear part, or `None` when an ancestor's scale is (nearly) zero and nothing can be mapped back: one
    /// direction below 1e-15 of a unit, or below 1e-9 of the longest, or the whole squashed flat.
    pub fn inverse_linear(&self) -> Option<Mat3> {
        if self.rigid {
            return Some(self.linear.transpose());
        }
        let lengths = [self.linear.x_axis, self.linear.y_axis, self.linear.z_axis].map(length);
        let longest = lengths[0].max(lengths[1]).max(lengths[2]);
        let shortest = lengths[0].min(lengths[1]).min(lengths[2]);
        if !(longest > 1e-15 && longest < 1e15 && shortest > 1e-9 * longest) {
            return None;
        }
        // In units of the longest column, so that no product leaves the range of f32.
        let scaled = self.linear * (1.0 / longest);
        let flat = scaled.determinant().abs()
            <= 1e-6 * (lengths[0] / longest) * (lengths[1] / longest) * (lengths[2] / longest);
        if flat { None } else { Some(scaled.inverse() * (1.0 / longest)) }
    }

    /// A point of the outer space in the joint's space; `None` when the space is flat (zero scale).
    pub fn point_in(&self, outer: Vec3) -> Option<Vec3> {
        Some(self.inverse_linear()? * (outer - self.position))
    }

    /// A rotation given in the outer space, as a local rotation in this space.
    #[inline]
    pub fn rotation_in(&self, outer: Quat) -> Quat {
        conjugate_by_signs((self.rotation.conjugate() * outer).normalize(), self.signs)
    }

    /// A local rotation of this space, in the outer space.
    #[inline]
    pub fn rotation_out(&self, local: Quat) -> Quat {
        (self.rotation * conjugate_by_signs(local, self.signs)).normalize()
    }

    /// The outer rotation whose `y` and `z` axes lie where this space takes those of `local`; unlike with
    /// [`Self::rotation_out`], "z along the fingers" stays true through a mirror along any axis.
    #[inline]
    pub fn axes_out(&self, local: Quat) -> Quat {
        self.rotation_out(local) * self.mirror_turn()
    }

    /// The local rotation for which [`Self::axes_out`] gives `outer`.
    #[inline]
    pub fn axes_in(&self, outer: Quat) -> Quat {
        self.rotation_in(outer * self.mirror_turn().conjugate())
    }

    /// The half turn between a rotation seen through the mirror and the mirrored `y` and `z` axes.
    fn mirror_turn(&self) -> Quat {
        match (self.signs.y < 0.0, self.signs.z < 0.0) {
            (false, false) => Quat::IDENTITY,
            (true, false) => Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
            (false, true) => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            (true, true) => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        }
    }
}
