//! How much of a step to take.

/// Share of a step that the linearisation can be trusted for. With the length `linear` of the whole
/// step's linear effect and the length `beyond` of what the true effect has beyond it, a share `α`
/// leaves about `r − α l + α² q`: at `α = ½ |l|/|q|` the error takes half of what is gained. Being
/// a continuous number, unlike taking a step or not, it keeps poses continuous in the goal.
#[inline(always)]
pub fn trusted_share(linear: f32, beyond: f32) -> f32 {
    if beyond <= 0.0 { 1.0 } else { (0.5 * linear / beyond).clamp(0.02, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_steps_are_trusted() {
        assert_eq!(trusted_share(1.0, 0.0), 1.0);
        assert_eq!(trusted_share(1.0, 0.1), 1.0);
        assert_eq!(trusted_share(1.0, 1.0), 0.5);
        assert_eq!(trusted_share(1.0, 1e3), 0.02);
    }
}
