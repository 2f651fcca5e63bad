//! Joints of a chain that move the same effectors.

/// The groups of a chain's joints.
#[derive(Clone, Debug, Default)]
pub(in crate::chains) struct Groups {
    /// Group of each joint; of those that move no effector: the first.
    pub of_joint: Vec<usize>,
    /// First effector that each group moves.
    pub effectors: Vec<usize>,
    /// Effectors that each group moves, a bit each.
    masks: Vec<u32>,
}

impl Groups {
    /// Of the joints that move these effectors, a bit each.
    pub fn new(moves: &[u32]) -> Self {
        let mut masks: Vec<u32> = Vec::new();
        let mut group = |mask: &u32| {
            masks.iter().position(|known| known == mask || *mask == 0).unwrap_or_else(|| {
                masks.push(*mask);
                masks.len() - 1
            })
        };
        let of_joint = moves.iter().map(&mut group).collect();
        let first = |mask: &u32| if *mask == 0 { 0 } else { mask.trailing_zeros() as usize };
        let effectors = masks.iter().map(first).collect();
        Self { of_joint, effectors, masks }
    }
    /// Effectors that a group moves.
    #[inline(always)]
    pub fn moved(&self, group: usize) -> impl Iterator<Item = usize> + use<> {
        let mut mask = self.masks[group];
        core::iter::from_fn(move || {
            let effector = mask.trailing_zeros() as usize;
            (mask != 0).then(|| {
                mask &= mask - 1;
                effector
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_with_the_same_effectors_are_a_group() {
        let groups = Groups::new(&[0b11, 0b11, 0b01, 0b01, 0b10, 0]);
        assert_eq!(groups.of_joint, [0, 0, 1, 1, 2, 0]);
        assert_eq!(groups.effectors, [0, 0, 1]);
        assert_eq!(groups.moved(0).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(groups.moved(2).collect::<Vec<_>>(), [1]);
    }
}
