//! Contacts learned from a clip: in which frames a foot stands, from the track of its ball alone.

use crate::math::Vec3;

/// When a point counts as standing. Speed and height are in the unit of the track, with defaults
/// for a person in metres: a rule belongs to no grounder, and the caller multiplies both by the
/// [`scale`](super::GrounderSettings::scale) of the character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRule {
    /// Speed below which it may stand, m/s. Default 0.35.
    pub speed: f32,
    /// Height over its own low (the second percentile of its heights) below which it may, metres.
    /// Default 0.045.
    pub height: f32,
    /// Shortest stance, seconds; shorter ones are dropped. Default 0.07.
    pub least_time_s: f32,
    /// Longest gap within a stance, seconds; it is closed. Default 0.035.
    pub closed_gap_s: f32,
}

impl Default for ContactRule {
    fn default() -> Self {
        Self { speed: 0.35, height: 0.045, least_time_s: 0.07, closed_gap_s: 0.035 }
    }
}

/// Stances of a point over a clip on flat ground: frame ranges, first included, last not. `track`
/// holds its place per frame, metres; `up` is a unit vector. Empty for fewer than three frames or a
/// frame time that is not above zero. Allocates: once per clip, not per frame.
pub fn contacts_from_clip(
    track: &[Vec3],
    frame_time_s: f32,
    up: Vec3,
    rule: &ContactRule,
) -> Vec<core::ops::Range<usize>> {
    let frames = track.len();
    if frames < 3 || frame_time_s.is_nan() || frame_time_s <= 0.0 {
        return Vec::new();
    }
    let height: Vec<f32> = track.iter().map(|p| p.dot(up)).collect();
    let mut sorted = height.clone();
    sorted.sort_by(f32::total_cmp);
    let low = sorted[(frames - 1) / 50];
    // Central differences, one-sided at both ends.
    let speed = |f: usize| {
        let (a, b) = (f.saturating_sub(1), (f + 1).min(frames - 1));
        (track[b] - track[a]).length() / ((b - a) as f32 * frame_time_s)
    };
    let stands = |f: usize| speed(f) < rule.speed && height[f] - low < rule.height;

    let mut runs: Vec<core::ops::Range<usize>> = Vec::new();
    for frame in (0..frames).filter(|f| stands(*f)) {
        match runs.last_mut() {
            Some(run) if (frame - run.end) as f32 * frame_time_s <= rule.closed_gap_s => run.end = frame + 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs.retain(|run| run.len() as f32 * frame_time_s >= rule.least_time_s);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_gives_its_stances() {
        // Half a second on the ground, a quarter in the air, three times.
        let track: Vec<Vec3> = (0..135)
            .map(|f| {
                let (step, part) = (f / 45, f % 45);
                let s = if part < 30 { 0.0 } else { (part - 30) as f32 / 15.0 };
                Vec3::new(0.0, 0.03 + 0.4 * s * (1.0 - s), 0.7 * (step as f32 + s))
            })
            .collect();
        let found = contacts_from_clip(&track, 1.0 / 60.0, Vec3::Y, &ContactRule::default());
        assert_eq!(found.len(), 3, "{found:?}");
        for (i, run) in found.iter().enumerate() {
            assert!(run.start.abs_diff(i * 45) <= 1 && run.end.abs_diff(i * 45 + 30) <= 2, "{run:?}");
        }
        assert!(contacts_from_clip(&track, 0.0, Vec3::Y, &ContactRule::default()).is_empty());
        assert!(contacts_from_clip(&track[..2], 0.1, Vec3::Y, &ContactRule::default()).is_empty());
    }
}
