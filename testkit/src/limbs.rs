//! Two-bone limbs, eight at a time and singly: both must give the same bits.

use sinew::closed_form::two_bone::{TwoBone, TwoBoneSolution};
use sinew::math::{F32x8, LaneQuat, LaneVec3, TILE, Tiled, Vec3};

/// Eight limbs.
#[derive(Clone, Debug)]
pub struct EightLimbs {
    /// Root to mid, mid to end, hinge, centre, target, pole; each of eight limbs.
    pub vectors: [[Vec3; 8]; 6],
    /// Weight, pole's weight, softness, stretch.
    pub weights: [[f32; 8]; 4],
}

impl EightLimbs {
    /// Limb `i`.
    pub fn alone(&self, i: usize) -> TwoBone<f32> {
        let [root_mid, mid_end, hinge, centre, target, pole] = self.vectors.map(|v| LaneVec3::from_vec3(v[i]));
        let [weight, pole_weight, softness, stretch] = self.weights.map(|w| w[i]);
        TwoBone { root_mid, mid_end, hinge, centre, target, weight, pole, pole_weight, softness, stretch }
    }
    /// All of them.
    pub fn together(&self) -> TwoBone<F32x8> {
        let [root_mid, mid_end, hinge, centre, target, pole] = self.vectors.map(gather);
        let [weight, pole_weight, softness, stretch] = self.weights.map(F32x8);
        TwoBone { root_mid, mid_end, hinge, centre, target, weight, pole, pole_weight, softness, stretch }
    }
}

/// Eight vectors side by side.
pub fn gather(vectors: [Vec3; 8]) -> LaneVec3<F32x8> {
    LaneVec3::new(F32x8(vectors.map(|v| v.x)), F32x8(vectors.map(|v| v.y)), F32x8(vectors.map(|v| v.z)))
}

/// One of eight rotations.
pub fn lane_quat(q: &LaneQuat<F32x8>, i: usize) -> LaneQuat<f32> {
    LaneQuat::new(q.x.0[i], q.y.0[i], q.z.0[i], q.w.0[i])
}

/// Solution of limb `i`.
pub fn lane(of: &TwoBoneSolution<F32x8>, i: usize) -> TwoBoneSolution<f32> {
    let (root, mid) = (lane_quat(&of.root, i), lane_quat(&of.mid, i));
    TwoBoneSolution { root, mid, stretch: of.stretch.0[i], beyond: of.beyond.0[i] }
}

/// Limbs or rays side by side, as batches take them; the last tile is filled up with defaults.
pub fn tiled<T: Tiled + Default>(alone: Vec<T::One>) -> Vec<T> {
    let mut tiles: Vec<T> = (0..alone.len().div_ceil(TILE)).map(|_| T::default()).collect();
    alone.into_iter().enumerate().for_each(|(i, one)| tiles[i / TILE].put(i % TILE, one));
    tiles
}
