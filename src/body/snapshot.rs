//! What track mode remembers, as bytes: 32-bit words, little-endian.

use super::solver::Body;
use super::track::LAST;
use crate::math::{Quat, Vec3};

/// First word: "SNB" and the version of the layout.
const HEADER: u32 = u32::from_le_bytes(*b"SNB\x02");
/// Header, number of joints, whether there is an answer, its damping, the root's place.
const FRONT_WORDS: usize = 7;

impl Body {
    /// Number of bytes of a snapshot: it follows from the joints that take part
    /// and the tasks' rows.
    pub fn snapshot_size(&self) -> usize {
        4 * (FRONT_WORDS + 4 * self.solve.plan.joints.len() + self.solve.plan.rows)
    }
    /// Writes what track mode remembers to the front of `out`; false, and nothing, where it is too
    /// short.
    pub fn snapshot_into(&self, out: &mut [u8]) -> bool {
        let Some(out) = out.get_mut(..self.snapshot_size()) else { return false };
        let last = &self.slots[LAST];
        let front = [HEADER, self.solve.plan.joints.len() as u32, u32::from(self.has_last)];
        let numbers = [self.damping].into_iter().chain(last.root.to_array());
        let turns = last.turns.iter().flat_map(|turn| turn.to_array());
        let words = front
            .into_iter()
            .chain(numbers.chain(turns).chain(self.solve.residual.shift.iter().copied()).map(f32::to_bits));
        for (place, word) in out.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        true
    }
    /// Replaces what track mode remembers; changes nothing where the bytes are no snapshot of a
    /// body with these joints and tasks.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let word = |i: usize| {
            let at = bytes.get(4 * i..4 * i + 4)?;
            Some(u32::from_le_bytes([at[0], at[1], at[2], at[3]]))
        };
        let number = |i: usize| f32::from_bits(word(i).unwrap_or(u32::MAX));
        if word(0) != Some(HEADER) {
            return Err("it is not a snapshot of a body of this version");
        }
        let joints = self.solve.plan.joints.len();
        if bytes.len() != self.snapshot_size() || word(1) != Some(joints as u32) {
            return Err("it is of a body with other joints or tasks");
        }
        let has_last = match word(2) {
            Some(0) => false,
            Some(1) => true,
            _ => return Err("it does not say whether there is an answer"),
        };
        if !(3..self.snapshot_size() / 4).all(|i| number(i).is_finite()) {
            return Err("a number is not finite");
        }
        let turn = |i: usize| {
            let at = FRONT_WORDS + 4 * i;
            Quat::from_xyzw(number(at), number(at + 1), number(at + 2), number(at + 3))
        };
        if !(0..joints).all(|i| (turn(i).length_squared() - 1.0).abs() < 1e-3) {
            return Err("a rotation is none");
        }
        self.has_last = has_last;
        self.damping = number(3);
        let last = &mut self.slots[LAST];
        last.root = Vec3::new(number(4), number(5), number(6));
        (0..joints).for_each(|i| last.turns[i] = turn(i));
        for (i, shift) in self.solve.residual.shift.iter_mut().enumerate() {
            *shift = number(FRONT_WORDS + 4 * joints + i);
        }
        Ok(())
    }
}
