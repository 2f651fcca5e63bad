//! Snapshots of nodes: what lasts between updates, as bytes.
//!
//! A snapshot begins with four bytes that name the class and the version of the layout; then what
//! the node itself keeps, and at the end the core's own snapshot. Numbers are little-endian.

use godot::builtin::{PackedByteArray, Transform3D, Vector3};
use godot::global::godot_error;

/// Writes a snapshot.
#[derive(Debug)]
pub struct SnapshotWriter(Vec<u8>);

impl SnapshotWriter {
    /// Begins a snapshot of a kind.
    pub fn new(kind: [u8; 4]) -> Self {
        Self(kind.into())
    }
    /// Appends a number.
    pub fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }
    /// Appends a long number.
    pub fn long(&mut self, long: u64) {
        self.0.extend(long.to_le_bytes());
    }
    /// Appends a transform.
    pub fn transform(&mut self, transform: &Transform3D) {
        let basis = &transform.basis;
        for v in [basis.col_a(), basis.col_b(), basis.col_c(), transform.origin] {
            [v.x, v.y, v.z].into_iter().for_each(|number| self.word(number.to_bits()));
        }
    }
    /// Appends the core's part, which has this size and is written by a function.
    pub fn core<R>(&mut self, size: usize, write: impl FnOnce(&mut [u8]) -> R) {
        let from = self.0.len();
        self.0.resize(from + size, 0);
        write(&mut self.0[from..]);
    }
    /// The whole of it.
    pub fn finish(self) -> PackedByteArray {
        PackedByteArray::from(self.0)
    }
}

/// Why a snapshot is refused: a sentence's end.
pub type Refusal = String;

/// Reads a snapshot.
#[derive(Debug)]
pub struct SnapshotReader<'a>(&'a [u8]);

impl<'a> SnapshotReader<'a> {
    /// Begins to read a snapshot of a kind, of this class.
    pub fn new(bytes: &'a [u8], kind: [u8; 4], class: &str) -> Result<Self, Refusal> {
        let rest = bytes.strip_prefix(&kind[..]);
        rest.map(Self).ok_or_else(|| format!("has {} bytes that are none of a {class} of this version", bytes.len()))
    }
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Refusal> {
        let (taken, rest) = self.0.split_first_chunk().ok_or("is too short")?;
        self.0 = rest;
        Ok(*taken)
    }
    /// The next number.
    pub fn word(&mut self) -> Result<u32, Refusal> {
        self.take().map(u32::from_le_bytes)
    }
    /// The next long number.
    pub fn long(&mut self) -> Result<u64, Refusal> {
        self.take().map(u64::from_le_bytes)
    }
    /// The next transform.
    pub fn transform(&mut self) -> Result<Transform3D, Refusal> {
        let mut numbers = [0.0; 12];
        for number in &mut numbers {
            *number = f32::from_bits(self.word()?);
        }
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err("has a number that is not finite".into());
        }
        let v = |from: usize| Vector3::new(numbers[from], numbers[from + 1], numbers[from + 2]);
        Ok(Transform3D::from_cols(v(0), v(3), v(6), v(9)))
    }
    /// The rest: the core's part.
    pub fn core(self) -> &'a [u8] {
        self.0
    }
}

/// Whether a snapshot was restored; prints the error of a call whose snapshot was refused.
pub fn answer(call: &str, restored: Result<(), Refusal>) -> bool {
    if let Err(why) = &restored {
        godot_error!("{call}: snapshot {why}.");
    }
    restored.is_ok()
}

/// Refusal of a node that is not set up.
pub fn not_ready(problem: &str) -> Refusal {
    let why = if problem.is_empty() { "This node must be a child of a Skeleton3D." } else { problem };
    format!("cannot be restored: {}", why.trim_end_matches('.'))
}
