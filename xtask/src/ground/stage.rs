//! A case: the animation that a grounder gets, frame by frame, and what it gives back.

use super::clip::Clip;
use super::terrain::Terrain;
use crate::oracle::geometry::{Rotation, V3};
use serde::Deserialize;

/// A case of the file.
#[derive(Clone, Deserialize)]
pub struct Case {
    pub id: String,
    pub clip: String,
    pub terrain: Terrain,
    /// The recorded clip with the terrain taken out from under each foot is the animation.
    #[serde(default)]
    pub reground: bool,
    /// The animation stands this much above the ground, metres.
    #[serde(default)]
    shift: f64,
}

/// A leg in a frame, world space.
#[derive(Clone, Copy)]
pub struct LegFrame {
    pub hip: V3,
    pub knee: V3,
    pub ankle: V3,
    pub ball: V3,
    pub foot: Rotation,
    /// The limb could not reach.
    pub over: bool,
}

/// A frame of the animation, or of an answer (where only legs and hips count).
#[derive(Clone)]
pub struct Frame {
    pub legs: Vec<LegFrame>,
    pub root_y: f64,
    pub time: f64,
    pub hips: V3,
}

const UP: V3 = V3([0.0, 1.0, 0.0]);

/// Turn from one direction to another.
pub fn arc(a: V3, b: V3) -> Rotation {
    let (a, b) = (a * (1.0 / a.len()), b * (1.0 / b.len()));
    let d = a.dot(b);
    if d < -0.999999 {
        let p = a.cross(V3([1.0, 0.0, 0.0]));
        let p = if p.len() > 0.1 { p } else { a.cross(V3([0.0, 0.0, 1.0])) };
        let p = p * (1.0 / p.len());
        return Rotation([p.0[0], p.0[1], p.0[2], 0.0]);
    }
    let c = a.cross(b);
    Rotation::new([c.0[0], c.0[1], c.0[2], 1.0 + d])
}

/// The closed-form limb of the reference: knee, ankle, whether the target is too far.
pub fn two_bone(hip: V3, knee: V3, ankle: V3, target: V3) -> (V3, V3, bool) {
    let (a, b) = ((knee - hip).len(), (ankle - knee).len());
    let v = target - hip;
    let d0 = v.len();
    let d = d0.max((a - b).abs() + 1e-6).min((a + b) * (1.0 - 1e-6));
    let u = v * (1.0 / d0.max(1e-9));
    let old = ankle - hip;
    let old = old * (1.0 / old.len().max(1e-9));
    let k = arc(old, u).rotate(knee - hip);
    let n = k - u * k.dot(u);
    let n = if n.len() < 1e-6 { u.cross(V3([1.0, 0.0, 0.0])) } else { n };
    let n = n * (1.0 / n.len());
    let x = (a * a - b * b + d * d) / (2.0 * d);
    let h = (a * a - x * x).max(0.0).sqrt();
    (hip + u * x + n * h, hip + u * d, d0 > (a + b) * (1.0 - 1e-6))
}

/// Ground height under each foot over time, smooth between stances, and their smoothed mean.
fn steps(clip: &Clip) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut all = Vec::new();
    for leg in &clip.legs {
        let mut y = vec![f64::NAN; clip.frames];
        for stance in clip.stances.iter().filter(|s| s.foot == leg.side) {
            y[stance.start..stance.end.min(clip.frames)].fill(stance.mean[1] - leg.ball_height);
        }
        let known: Vec<usize> = (0..clip.frames).filter(|f| !y[*f].is_nan()).collect();
        if let (Some(&first), Some(&last)) = (known.first(), known.last()) {
            let (a, b) = (y[first], y[last]);
            y[..first].fill(a);
            y[last..].fill(b);
        }
        for pair in known.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            for f in a + 1..b {
                let u = (f - a) as f64 / (b - a) as f64;
                y[f] = y[a] + (y[b] - y[a]) * u * u * (3.0 - 2.0 * u);
            }
        }
        all.push(y);
    }
    let mean: Vec<f64> = (0..clip.frames).map(|f| all.iter().map(|y| y[f]).sum::<f64>() / all.len() as f64).collect();
    let width = 0.15 * clip.fps;
    let mut kernel: Vec<f64> = (-40..=40).map(|i| (-0.5 * (f64::from(i) / width).powi(2)).exp()).collect();
    let sum: f64 = kernel.iter().sum();
    kernel.iter_mut().for_each(|w| *w /= sum);
    let at = |i: i64| mean[i.clamp(0, clip.frames as i64 - 1) as usize];
    let smooth = (0..clip.frames as i64)
        .map(|f| kernel.iter().enumerate().map(|(k, w)| w * at(f + k as i64 - 40)).sum())
        .collect();
    (all, smooth)
}

/// The animation of a case with the root on the ground, as a capsule would have it; and seconds per
/// frame.
pub fn animation(clip: &Clip, case: &Case) -> (Vec<Frame>, f64) {
    let dt = 1.0 / clip.fps;
    let mut frames = Vec::with_capacity(clip.frames);
    let ground = case.reground.then(|| steps(clip));
    for f in 0..clip.frames {
        let time = f as f64 * dt;
        if let Some((own, mean)) = &ground {
            let legs = clip.legs.iter().zip(own).map(|(leg, own)| {
                let up = UP * (mean[f] - own[f]);
                let (knee, ankle, _) = two_bone(leg.hip[f], leg.knee[f], leg.ankle[f], leg.ankle[f] + up);
                let ball = ankle + leg.ball[f] - leg.ankle[f];
                LegFrame { hip: leg.hip[f], knee, ankle, ball, foot: leg.foot[f], over: false }
            });
            frames.push(Frame { legs: legs.collect(), root_y: mean[f], time, hips: clip.hips[f] });
            continue;
        }
        let m = case.terrain.moved(time);
        let (x, z) = (clip.hips[f].0[0] + m.0[0], clip.hips[f].0[2] + m.0[2]);
        let root_y = case.terrain.under(x, z, time);
        let o = V3([m.0[0], root_y + case.shift, m.0[2]]);
        let legs = clip.legs.iter().map(|leg| LegFrame {
            hip: leg.hip[f] + o,
            knee: leg.knee[f] + o,
            ankle: leg.ankle[f] + o,
            ball: leg.ball[f] + o,
            foot: leg.foot[f],
            over: false,
        });
        frames.push(Frame { legs: legs.collect(), root_y, time, hips: clip.hips[f] + o });
    }
    (frames, dt)
}
