//! Settings of a tracked body: every one a plain number with a unit, a range and a default.

/// How a tracked body filters, fades and shares. Lengths suit an avatar of 1.7 m; the body scales
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackedBodySettings {
    /// Cut-off frequency of the filter (One-Euro) at rest, hertz, ≥ 0; 0, the default: no filter.
    /// Small values remove more noise and lag more; 1 … 4 suit camera tracking.
    pub min_cutoff_hz: f32,
    /// What speed adds to the cut-off frequency, hertz per m/s (rotations: per rad/s), ≥ 0. Default
    /// 8. Larger values lag less in fast motion.
    pub speed_cutoff: f32,
    /// How far a late sample is extrapolated with its velocity, seconds, ≥ 0. Default 0.05. After
    /// that it is held.
    pub max_extrapolation_s: f32,
    /// Age of a sample from which its tracker counts as lost, seconds, > 0. Default 0.25.
    pub lost_after_s: f32,
    /// Seconds in which a tracker that is lost fades out, and one that is found or returns fades
    /// in, > 0. Default 0.3. After a short interruption the body leaves what was shown meanwhile
    /// within half of it.
    pub fade_time_s: f32,
    /// How firmly the head stays at its tracker where the trackers are farther apart than the
    /// avatar is long, 0 … 1. Default 1.
    pub head_lock: f32,
    /// The same for the hips. Default 0: the hips give way. With both at 1 the spine stretches.
    pub hips_lock: f32,
    /// Part of the trained tables in what is not tracked, 0 … 1. Default 1; at 0 only closed forms
    /// are used.
    pub prior_weight: f32,
    /// Part of the procedural steps of untracked feet, 0 … 1. Default 1; at 0 the feet glide along
    /// below the body.
    pub step_weight: f32,
    /// Distance of an untracked foot from where it belongs at which it steps, metres, > 0. Default
    /// 0.25.
    pub step_distance: f32,
    /// Seconds of a step, > 0. Default 0.3.
    pub step_time_s: f32,
    /// Height of a step, metres, ≥ 0. Default 0.1.
    pub step_height: f32,
    /// How far a tracker may be off what was sent last and still count as at rest in a packet,
    /// metres of the room, ≥ 0. Default 0.001.
    pub rest_distance: f32,
    /// The same of its rotation, radians, ≥ 0. Default 0.003.
    pub rest_angle: f32,
    /// Least delay with which a remote player is shown, seconds, ≥ 0. Default 0. The network's
    /// jitter and the interval of sending decide between this and [`Self::max_delay_s`].
    pub min_delay_s: f32,
    /// Largest delay, seconds, ≥ 0. Default 0.4; the smaller one of the two counts.
    pub max_delay_s: f32,
}

impl Default for TrackedBodySettings {
    fn default() -> Self {
        Self {
            min_cutoff_hz: 0.0,
            speed_cutoff: 8.0,
            max_extrapolation_s: 0.05,
            lost_after_s: 0.25,
            fade_time_s: 0.3,
            head_lock: 1.0,
            hips_lock: 0.0,
            prior_weight: 1.0,
            step_weight: 1.0,
            step_distance: 0.25,
            step_time_s: 0.3,
            step_height: 0.1,
            rest_distance: 0.001,
            rest_angle: 0.003,
            min_delay_s: 0.0,
            max_delay_s: 0.4,
        }
    }
}
