//! Long chains of free ball joints: damped least squares on bone vectors alone, with the Cayley map of prefix sums.
//!
//! # Derivation
//!
//! With ball joints of equal willingness the mobility is a number per joint, and the dual matrix of [`super::dls`] for one position goal is the 3×3
//!
//! ```text
//! A = Σ w (r² 1 − r rᵀ),   r[i] = b[i] + … + b[n−1]   (lever of joint i: a suffix sum of the bones)
//! f = (A + λ 1)⁻¹ e,       ω[i] = w r[i] × f
//! ```
//!
//! Bone `i` is turned by all joints up to `i`, to first order by the prefix sum `Ω = ω[0] + … + ω[i]`; the rotation with that first order which needs
//! no trigonometry is Cayley's, with half-angle vector `a = Ω/2`:
//!
//! ```text
//! b' = b + 2/(1 + a²) · (a × b + a × (a × b)),   q = (a, 1)/√(1 + a²)
//! ```
//!
//! So an iteration is two sums and a handful of products per bone, with no rotation multiplied along the chain. The rotations are gathered per bone and turned into
//! joint rotations once, at the end. About five iterations, whatever the number of bones.
//!
//! Source: the two papers in [`super::dls`]; the prefix sum in place of a product is ours. Cayley's map: A. Cayley, "Sur quelques propriétés des
//! déterminants gauches", J. reine angew. Math. 32 (1846).

use super::chain::{Chain, ChainPose, ChainSettings};
use super::workspace::ChainWorkspace;
use crate::math::{Mat3, Quat, Vec3};

/// Scratch per bone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bone {
    /// Where it points now, with its length.
    vector: Vec3,
    /// The same after the step that is tried.
    tried: Vec3,
    /// Lever of its joint.
    lever: Vec3,
    /// Half the prefix sum of the step that is tried.
    half_turn: Vec3,
    /// What it was turned by so far, not normalised.
    turned: Quat,
}

impl Bone {
    pub(super) const NONE: Self = Self {
        vector: Vec3::ZERO,
        tried: Vec3::ZERO,
        lever: Vec3::ZERO,
        half_turn: Vec3::ZERO,
        turned: Quat::IDENTITY,
    };
}

/// Whether this chain, asked for a position, is of the kind.
pub(super) fn fits(chain: &Chain, ws: &ChainWorkspace, least_joints: usize) -> bool {
    let count = chain.joints.len() - usize::from(ws.pinned.is_some());
    let stiffness = chain.joints[0].model.stiffness[0];
    chain.serial
        && count >= least_joints
        && chain.joints[..count].iter().all(|j| j.model.is_isotropic() && j.model.stiffness[0] == stiffness)
}

/// Moves the carried point to `target`, from the pose of the last forward kinematics, as far as plain descent goes; returns the
/// iterations used. Forward kinematics are out of date afterwards.
pub(super) fn descend(
    chain: &Chain,
    pose: &mut ChainPose,
    target: Vec3,
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> u32 {
    let count = chain.joints.len() - usize::from(ws.pinned.is_some());
    for i in 0..count {
        let next = if i + 1 < chain.joints.len() { ws.position[i + 1] } else { ws.tip[0] };
        ws.bones[i] = Bone { vector: next - ws.position[i], ..Bone::NONE };
    }
    let goal = target - ws.position[0];
    let close = 0.3 * settings.tolerance.max(1e-7) * chain.length;
    let mut tip: Vec3 = ws.carried(chain, 0) - ws.position[0];
    let mut damping = settings.damping.clamp(1e-8, 1e3);
    let (mut iterations, mut fails) = (0, 0);
    let bones = &mut ws.bones[..count];
    while iterations < settings.max_iterations && fails < 6 {
        let left = goal - tip;
        let distance = left.length();
        if distance <= close {
            break;
        }
        iterations += 1;
        let wanted = left * (0.15 * chain.length / distance).min(1.0);
        // Levers and their second moments, from the end to the root.
        let mut lever = Vec3::ZERO;
        let (mut diagonal, mut off) = (Vec3::ZERO, Vec3::ZERO);
        for bone in bones.iter_mut().rev() {
            lever += bone.vector;
            bone.lever = lever;
            diagonal += lever * lever;
            off += Vec3::new(lever.y * lever.z, lever.z * lever.x, lever.x * lever.y);
        }
        let trace = diagonal.x + diagonal.y + diagonal.z;
        let dual = Mat3::from_cols(
            Vec3::new(trace - diagonal.x, -off.z, -off.y),
            Vec3::new(-off.z, trace - diagonal.y, -off.x),
            Vec3::new(-off.y, -off.x, trace - diagonal.z),
        );
        // mean eigenvalue of the dual: 2/3 of the trace of the moments
        let extra = damping * trace * (2.0 / 3.0);
        let Some(force) = solve3(&dual, extra, wanted) else { break };
        let most = settings.max_step_rad.clamp(1e-3, 3.0);
        let fastest = bones.iter().map(|b| b.lever.cross(force).length_squared()).fold(0.0, f32::max).sqrt();
        let scale = (most / fastest.max(1e-20)).min(1.0);
        let mut reached = try_step(bones, force * (0.5 * scale));
        // As in `dls`: the share of the step for which the linearisation can be trusted.
        let linear = dual * force * scale;
        let beyond = (reached - tip - linear).length() - 1e-6 * chain.length;
        let share = if beyond <= 0.0 { 1.0 } else { (0.5 * linear.length() / beyond).clamp(0.02, 1.0) };
        if share < 0.999 {
            reached = try_step(bones, force * (0.5 * scale * share));
        }
        if (goal - reached).length_squared() < distance * distance {
            for bone in bones.iter_mut() {
                bone.vector = bone.tried;
                let a = bone.half_turn;
                bone.turned = Quat::from_xyzw(a.x, a.y, a.z, 1.0) * bone.turned;
                // Kept near unit length, without the square root.
                let size = bone.turned.length_squared();
                if size > 16.0 {
                    bone.turned *= 0.25;
                }
            }
            tip = reached;
            damping = (damping * 0.2).max(1e-8);
            fails = 0;
        } else {
            damping = (damping * 8.0).max(1e-4);
            fails += 1;
        }
    }
    if iterations > 0 {
        let mut above = pose.root_rotation;
        for i in 0..count {
            let turned = (ws.bones[i].turned * ws.rotation[i]).normalize();
            pose.rotations[i] = ((above * chain.joints[i].rest).conjugate() * turned).normalize();
            above = turned;
        }
    }
    iterations
}

/// Tries the step that half the dual force gives; returns where the end comes to.
fn try_step(bones: &mut [Bone], half: Vec3) -> Vec3 {
    let (mut sum, mut reached) = (Vec3::ZERO, Vec3::ZERO);
    for bone in bones.iter_mut() {
        sum += bone.lever.cross(half);
        let across = sum.cross(bone.vector);
        let factor = 2.0 / (1.0 + sum.dot(sum));
        bone.tried = bone.vector + (across + sum.cross(across)) * factor;
        bone.half_turn = sum;
        reached += bone.tried;
    }
    reached
}

/// Solves `(a + extra · 1) x = b` for a symmetric positive matrix by cofactors; `None` when it is singular.
fn solve3(a: &Mat3, extra: f32, b: Vec3) -> Option<Vec3> {
    let x = a.x_axis + Vec3::X * extra;
    let y = a.y_axis + Vec3::Y * extra;
    let z = a.z_axis + Vec3::Z * extra;
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    let determinant = x.dot(yz);
    let size = x.x * y.y * z.z;
    if size <= 1e-36 || determinant <= 1e-12 * size {
        return None;
    }
    Some((yz * b.x + zx * b.y + xy * b.z) * (1.0 / determinant))
}
