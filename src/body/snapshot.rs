//! What track mode remembers, as bytes: 32-bit words, little-endian.

use super::solver::Body;
use super::track::LAST;
use crate::math::{Quat, Vec3};
use crate::skeleton::JointIndex;
use crate::tasks::{Anchor, Task};

/// First word: "SNB" and the version of the layout.
const HEADER: u32 = u32::from_le_bytes(*b"SNB\x08");
const OTHER_BODY: &str = "it is of a body with other joints or tasks";
/// Header, number of joints, what the joints and tasks are, whether there is an answer, its
/// damping, the root's place and velocity.
const FRONT_WORDS: usize = 11;

impl Body {
    /// Number of bytes of a snapshot: it follows from the joints that take part
    /// and the tasks' rows.
    pub fn snapshot_size(&self) -> usize {
        4 * (FRONT_WORDS + 11 * self.solve.plan.joints.len() + 2 * self.solve.plan.all_rows)
    }
    /// Writes what track mode remembers to the front of `out`; false, and nothing, where it is too
    /// short.
    pub fn snapshot_into(&self, out: &mut [u8]) -> bool {
        let Some(out) = out.get_mut(..self.snapshot_size()) else { return false };
        let mut places = out.chunks_exact_mut(4);
        self.write_snapshot(&mut |word| {
            if let Some(place) = places.next() {
                place.copy_from_slice(&word.to_le_bytes());
            }
        });
        true
    }
    /// The words of a snapshot.
    pub(crate) fn write_snapshot(&self, put: &mut impl FnMut(u32)) {
        let last = &self.slots[LAST];
        let front = [HEADER, self.solve.plan.joints.len() as u32, self.make(), u32::from(self.has_last)];
        front.into_iter().for_each(&mut *put);
        let moving = &self.velocities;
        let numbers = [self.damping].into_iter().chain(last.root.to_array()).chain(moving.root.to_array());
        let turns = last.turns.iter().flat_map(|turn| turn.to_array());
        let speeds = moving.turns.iter().flat_map(|speed| speed.to_array());
        let residual = &self.solve.residual;
        let rows = residual.shift.iter().chain(&residual.left).copied();
        numbers
            .chain(turns)
            .chain(last.stretch.iter().copied())
            .chain(last.moved.iter().copied())
            .chain(speeds)
            .chain(moving.stretch.iter().copied())
            .chain(moving.moved.iter().copied())
            .chain(rows)
            .map(f32::to_bits)
            .for_each(put);
    }
    /// A hash of what the numbers of a snapshot belong to: the joints that take part, with their
    /// parents, and kind, anchors and rows of each task in the order of their rows.
    fn make(&self) -> u32 {
        let mut hash = 0x811C_9DC5_u32;
        let mut add = |word: u32| hash = (hash ^ word).wrapping_mul(0x0100_0193).rotate_left(13);
        let number = |joint: Option<JointIndex>| joint.map_or(u32::MAX, |joint| joint as u32);
        for joint in &self.solve.plan.joints {
            add(number(Some(*joint)));
            add(number(self.skeleton.parent(*joint)));
        }
        for demand in self.solve.plan.demands().filter_map(|index| self.demands[index].as_ref()) {
            demand.task.kind().bytes().for_each(|letter| add(u32::from(letter)));
            add(demand.task.row_count() as u32);
            for anchor in demand.task.anchors() {
                add(match anchor {
                    None => u32::MAX,
                    Some(Anchor::CenterOfMass) => u32::MAX - 1,
                    Some(Anchor::Joint(joint)) => joint as u32,
                });
            }
        }
        hash
    }
    /// Saves what track mode remembers, in memory that the plan has made room for.
    pub(super) fn save_memory(&mut self) {
        let mut saved = core::mem::take(&mut self.saved);
        saved.clear();
        self.write_snapshot(&mut |word| saved.push(word));
        self.saved = saved;
    }
    /// Brings back what was saved last.
    pub(super) fn recall_memory(&mut self) {
        let saved = core::mem::take(&mut self.saved);
        let mut words = saved.iter().copied();
        _ = self.read_snapshot(&mut || words.next(), true);
        self.saved = saved;
    }
    /// Replaces what track mode remembers; changes nothing where the bytes are no snapshot of a
    /// body with these joints and tasks.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let words = || bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let (mut first, mut second) = (words(), words());
        self.read_snapshot(&mut || first.next(), false)?;
        if bytes.len() != self.snapshot_size() {
            return Err(OTHER_BODY);
        }
        self.read_snapshot(&mut || second.next(), true)
    }
    /// Reads the words of a snapshot; changes nothing unless `commit`, which is for words that were
    /// read before.
    pub(crate) fn read_snapshot(
        &mut self,
        next: &mut impl FnMut() -> Option<u32>,
        commit: bool,
    ) -> Result<(), &'static str> {
        if next() != Some(HEADER) {
            return Err("it is not a snapshot of a body of this version");
        }
        let joints = self.solve.plan.joints.len();
        if next() != Some(joints as u32) || next() != Some(self.make()) {
            return Err(OTHER_BODY);
        }
        let has_last = match next() {
            Some(0) => false,
            Some(1) => true,
            _ => return Err("it does not say whether there is an answer"),
        };
        let mut number = || {
            let number = f32::from_bits(next().ok_or(OTHER_BODY)?);
            if number.is_finite() { Ok(number) } else { Err("a number is not finite") }
        };
        let damping = number()?;
        let root = Vec3::new(number()?, number()?, number()?);
        let velocity = Vec3::new(number()?, number()?, number()?);
        let last = &mut self.slots[LAST];
        for place in 0..joints {
            let turn = Quat::from_xyzw(number()?, number()?, number()?, number()?);
            if (turn.length_squared() - 1.0).abs() >= 1e-3 {
                return Err("a rotation is none");
            }
            if commit {
                last.turns[place] = turn;
            }
        }
        for place in 0..joints {
            let factor = number()?;
            if factor < 0.0 {
                return Err("a bone's length is below 0");
            }
            if commit {
                last.stretch[place] = factor;
            }
        }
        for place in 0..joints {
            let way = number()?;
            if commit {
                last.moved[place] = way;
            }
        }
        for speed in &mut self.velocities.turns {
            let read = Vec3::new(number()?, number()?, number()?);
            if commit {
                *speed = read;
            }
        }
        let residual = &mut self.solve.residual;
        let ways = self.velocities.stretch.iter_mut().chain(&mut self.velocities.moved);
        for row in ways.chain(&mut residual.shift).chain(&mut residual.left) {
            let number = number()?;
            if commit {
                *row = number;
            }
        }
        if commit {
            (last.root, self.velocities.root) = (root, velocity);
            (self.has_last, self.damping) = (has_last, damping);
        }
        Ok(())
    }
}
