//! What others do: nothing, one ray a foot, and the same smoothed per frame, as tutorials have it.

use super::stage::{Frame, LegFrame, arc, two_bone};
use super::terrain::Terrain;
use crate::oracle::geometry::V3;

const UP: V3 = V3([0.0, 1.0, 0.0]);

/// The animation as it is.
pub fn none(input: &[Frame]) -> Vec<Frame> {
    input.to_vec()
}

/// One ray under each ankle: the foot is lifted by ground minus root height and turned to the
/// normal, the pelvis goes down to the
/// lower foot. With `smoothed`, the usual 0.5 (feet) and 0.28 (pelvis) per frame at 60 Hz.
pub fn rays(input: &[Frame], terrain: &Terrain, dt: f64, smoothed: bool) -> Vec<Frame> {
    let k = dt * 60.0;
    let (foot_part, pelvis_part) = if smoothed { (1.0 - 0.5_f64.powf(k), 1.0 - 0.72_f64.powf(k)) } else { (1.0, 1.0) };
    let mut offsets: Vec<Option<f64>> = vec![None; input.first().map_or(0, |f| f.legs.len())];
    let mut pelvis = 0.0;
    let mut out = Vec::with_capacity(input.len());
    for frame in input {
        let mut normals = Vec::new();
        for (leg, offset) in frame.legs.iter().zip(&mut offsets) {
            let (y, n) = terrain.ray(leg.ankle.0[0], leg.ankle.0[2], frame.time);
            let wanted = y - frame.root_y;
            let old = offset.unwrap_or(wanted);
            *offset = Some(old + (wanted - old) * foot_part);
            normals.push(n);
        }
        let low = offsets.iter().flatten().copied().fold(0.0, f64::min);
        pelvis += (low - pelvis) * pelvis_part;
        let up = UP * pelvis;
        let legs = frame.legs.iter().zip(&offsets).zip(&normals).map(|((leg, offset), n)| {
            let q = arc(UP, *n);
            let target = leg.ankle + UP * offset.unwrap_or(0.0);
            let (knee, ankle, over) = two_bone(leg.hip + up, leg.knee + up, leg.ankle + up, target);
            let ball = ankle + q.rotate(leg.ball - leg.ankle);
            LegFrame { hip: leg.hip + up, knee, ankle, ball, foot: q * leg.foot, over }
        });
        out.push(Frame { legs: legs.collect(), hips: frame.hips + up, ..*frame });
    }
    out
}
