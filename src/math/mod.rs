//! Numbers: pinned float functions, lanes, vectors and quaternions over lanes, joint transforms,
//! swing and twist.
//!
//! Everything here is plain data and pure functions. There are two families with one set of rules:
//!
//! - [`Vec3`], [`Quat`], [`Mat3`] (from `glam`, scalar build) and [`Transform`] for poses and
//!   public values;
//! - [`LaneVec3`] and [`LaneQuat`] over a [`Lane`] (one number, or four or eight side by side) for
//!   the solver kernels, so that one source serves one limb and a batch.
//!
//! There are two ways to run a kernel wide; each kernel uses one of them. [`F32x8`] and [`F32x4`]
//! are registers: their width is fixed when the library is built, and they serve methods that
//! process several joints of *one* chain at a time (`chains::unlimited`). [`Tile`]s are memory: a
//! batch calls a kernel with `f32` in a loop over 64 *limbs*, which [`dispatch`] has compiled for
//! each processor level and picks at run time; two-bone limbs, aims and the frames of crowds use
//! them. A single character uses neither: there the numbers of each vector and quaternion are side
//! by side in a register, which is the lane [`ScalarInRegister`].
//!
//! Conventions: metres, radians, quaternions `x, y, z, w` with the Hamilton product (`a * b`
//! applies `b` first). The component formulas are the same in left- and right-handed worlds, so
//! this code does not depend on the handedness.
//!
//! Same bits everywhere: only `+ - * / sqrt`, comparisons, and the functions of [`float`].

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
mod avx_lane;
pub(crate) mod decay;
pub mod dispatch;
mod eight_dispatch;
pub(crate) mod eight_lane;
pub mod float;
mod frame;
mod lane;
mod lane_geometry;
mod lane_types;
pub(crate) mod rigid;
mod rotation;
pub(crate) mod scalar_in_register;
pub mod soft;
mod tile;
mod transform;
pub(crate) mod words;

pub use frame::Frame;
pub(crate) use frame::Shape;
pub use glam::{Mat3, Quat, Vec3};
pub(crate) use lane::Single;
pub use lane::{F32x4, F32x8, Kernel, Lane, LaneMask, Mask4, Mask8};
pub use lane_types::{LaneQuat, LaneVec3};
pub use rigid::Rigid;
pub use rotation::{
    arc, axis_angle, conjugate_by_signs, fraction, frame_rotation, lane_fraction, lane_slerp_short, length,
    normalize_or, perpendicular, rotation_angle, rotation_vector, scaled_or_same, signs_of, slerp_short, swing_twist,
    twist_angle, unit_correction, wrap_angle,
};
pub(crate) use rotation::{
    from_rotation_vector, plain_length, rotation_factor, short_rotation_vector, unit_or, unit_quat,
};
pub use scalar_in_register::ScalarInRegister;
pub(crate) use tile::tiled;
pub use tile::{TILE, Tile, Tiled};
pub use transform::Transform;
