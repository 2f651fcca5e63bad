//! A recorded clip and what is known about its feet, in double precision.

use crate::motion::clip_file::ClipFile;
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A time in which a foot stands, and where.
#[derive(Clone, Deserialize)]
pub struct Stance {
    /// "Left" or "Right".
    pub foot: String,
    /// First frame, and the one after the last.
    pub start: usize,
    pub end: usize,
    /// Mean place of the ball.
    pub mean: [f64; 3],
}

#[derive(Deserialize)]
struct TruthFile {
    ground: String,
    contacts: BTreeMap<String, Vec<[usize; 2]>>,
    #[serde(default)]
    stances: Vec<Stance>,
}

/// One leg over the clip, world space.
pub struct Leg {
    pub side: &'static str,
    pub hip: Vec<V3>,
    pub knee: Vec<V3>,
    pub ankle: Vec<V3>,
    pub ball: Vec<V3>,
    pub foot: Vec<Rotation>,
    /// Whether there is a toe joint; without, the ball is the ankle.
    pub toes: bool,
    /// Frames in which the ball stands.
    pub contact: Vec<[usize; 2]>,
    /// Heights of ball and ankle over the ground when they stand.
    pub ball_height: f64,
    pub ankle_height: f64,
}

/// Both legs of a clip.
pub struct Clip {
    pub fps: f64,
    pub frames: usize,
    pub hips: Vec<V3>,
    pub legs: Vec<Leg>,
    pub stances: Vec<Stance>,
}

impl Clip {
    /// Reads `path` and the `.truth.json` beside it.
    pub fn read(path: &Path) -> Result<Self> {
        let file = ClipFile::read(path).with_context(|| path.display().to_string())?;
        let truth_path = path.with_extension("truth.json");
        let truth = std::fs::read_to_string(&truth_path).with_context(|| truth_path.display().to_string())?;
        let truth: TruthFile = serde_json::from_str(&truth).with_context(|| truth_path.display().to_string())?;
        let need = |bone: &str| file.joint(bone).with_context(|| format!("{}: no {bone}", path.display()));
        let places = file.world().with_context(|| path.display().to_string())?;
        let frames = places.len();
        let track = |joint: usize| -> Vec<V3> { places.iter().map(|w| w[joint].0).collect() };

        let mut legs = Vec::new();
        for side in ["Left", "Right"] {
            let (hip, knee, ankle) =
                (need(&format!("{side}UpperLeg"))?, need(&format!("{side}LowerLeg"))?, need(&format!("{side}Foot"))?);
            let toes = file.joint(&format!("{side}Toes"));
            let runs = |what: &str| truth.contacts.get(&format!("{side}{what}")).cloned().unwrap_or_default();
            let heel = runs("Foot");
            let contact = if toes.is_some() { runs("Toes") } else { heel.clone() };
            let mut leg = Leg {
                side,
                hip: track(hip),
                knee: track(knee),
                ankle: track(ankle),
                ball: track(toes.unwrap_or(ankle)),
                foot: places.iter().map(|w| w[ankle].1).collect(),
                toes: toes.is_some(),
                contact,
                ball_height: 0.0,
                ankle_height: 0.0,
            };
            let during = |values: &dyn Fn(usize) -> f64, runs: &[[usize; 2]]| -> Vec<f64> {
                runs.iter().flat_map(|[a, b]| (*a..(*b).min(frames)).map(values)).collect()
            };
            let mostly = |values: &dyn Fn(usize) -> f64, runs: &[[usize; 2]]| -> f64 {
                if runs.is_empty() {
                    percentile((0..frames).map(values).collect(), 3.0)
                } else {
                    percentile(during(values, runs), 50.0)
                }
            };
            let stands = if heel.is_empty() { &leg.contact } else { &heel };
            let (ball_height, ankle_height) = if truth.ground == "flat" {
                (mostly(&|f| leg.ball[f].0[1], &leg.contact), mostly(&|f| leg.ankle[f].0[1], stands))
            } else {
                let ball = if toes.is_some() { 0.03 } else { 0.08 };
                let all = [[0, frames]];
                let stands = if stands.is_empty() { &all[..] } else { &stands[..] };
                (ball, ball + percentile(during(&|f| leg.ankle[f].0[1] - leg.ball[f].0[1], stands), 50.0))
            };
            (leg.ball_height, leg.ankle_height) = (ball_height, ankle_height);
            legs.push(leg);
        }
        let hips = track(need("Hips")?);
        Ok(Self { fps: file.fps, frames, hips, legs, stances: truth.stances })
    }
}

/// Percentile with linear interpolation; 0 of nothing.
pub fn percentile(mut values: Vec<f64>, percent: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_by(f64::total_cmp);
    let at = percent / 100.0 * (values.len() - 1) as f64;
    let (low, part) = (at.floor() as usize, at.fract());
    let high = (low + 1).min(values.len() - 1);
    values[low] + (values[high] - values[low]) * part
}
