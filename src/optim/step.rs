//! How much of a step to take, and how much of it a soft border takes.

/// Share of a step that the linearisation can be trusted for. With the length `linear` of the whole
/// step's linear effect and the length `beyond` of what the true effect has beyond it, a share `α`
/// leaves about `r − α l + α² q`: at `α = ½ |l|/|q|` the error takes half of what is gained. Being
/// a continuous number, unlike taking a step or not, it keeps poses continuous in the goal.
#[inline(always)]
pub fn trusted_share(linear: f32, beyond: f32) -> f32 {
    if beyond <= 0.0 { 1.0 } else { (0.5 * linear / beyond).clamp(0.02, 1.0) }
}

/// Share of a joint's motion `out` across a border that the border takes: all of it on the border;
/// before it what would cross it, or the border's `resistance` (0 … 1) where that is more.
/// Continuous in the room that is left. `None`: next to nothing.
#[inline(always)]
pub fn border_share(room: f32, resistance: f32, out: f32) -> Option<f32> {
    let share = if room <= 0.0 { 1.0 } else { resistance.max(1.0 - room / out) };
    (share > 0.01).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_steps_are_trusted_and_borders_are_not_crossed() {
        assert_eq!(trusted_share(1.0, 0.0), 1.0);
        assert_eq!(trusted_share(1.0, 0.1), 1.0);
        assert_eq!(trusted_share(1.0, 1.0), 0.5);
        assert_eq!(trusted_share(1.0, 1e3), 0.02);
        assert_eq!(border_share(0.0, 0.0, 0.1), Some(1.0));
        assert_eq!(border_share(0.2, 0.0, 0.1), None);
        assert_eq!(border_share(0.2, 0.3, 0.1), Some(0.3));
        let share = border_share(0.05, 0.0, 0.2).expect("it crosses");
        assert!((0.2 * (1.0 - share) - 0.05).abs() < 1e-6, "{share}");
    }
}
