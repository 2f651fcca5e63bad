//! How a log is written. All numbers are little-endian.
//!
//! A log is a head (magic, format, ABI number, bytes of a pointer, length of the library's version
//! and its text) and entries: one byte of kind, length as `u32`, contents. An entry of an unknown
//! kind can be passed over.

use super::entry::{Entry, Part, Tag};
use super::kind;

/// Number of the format that this version writes and reads. Others are refused: in 4, hashes are of
/// poses where the host has them, and of grounders.
pub const FORMAT: u32 = 4;

pub(super) const MAGIC: [u8; 8] = *b"SINEWLOG";

/// What stands before the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The ABI number of the library that wrote the log.
    pub abi: u32,
    /// Bytes of a pointer there: structs with pointers differ.
    pub pointer_size: u32,
    /// Its version.
    pub version: String,
}

/// Appends the head.
pub fn put_head(out: &mut Vec<u8>, head: &Head) {
    out.extend_from_slice(&MAGIC);
    for number in [FORMAT, head.abi, head.pointer_size, head.version.len() as u32] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(head.version.as_bytes());
}

/// Bytes of [`entry_head`].
pub const ENTRY_HEAD: usize = 5;

/// What stands before the contents of an entry.
pub fn entry_head(kind: u8, length: usize) -> [u8; ENTRY_HEAD] {
    let [a, b, c, d] = (length as u32).to_le_bytes();
    [kind, a, b, c, d]
}

/// Appends an entry with contents in several pieces.
fn put(out: &mut Vec<u8>, kind: u8, pieces: &[&[u8]]) {
    out.extend_from_slice(&entry_head(kind, pieces.iter().map(|piece| piece.len()).sum()));
    pieces.iter().for_each(|piece| out.extend_from_slice(piece));
}

/// Appends an entry.
pub fn put_entry(out: &mut Vec<u8>, entry: &Entry) {
    match entry {
        Entry::Name { function, name } => put(out, kind::NAME, &[&function.to_le_bytes(), name.as_bytes()]),
        Entry::Pose { animator, pose } => put(out, kind::POSE, &[&animator.to_le_bytes(), pose]),
        Entry::Arrays { world, animator, locals } => {
            put(out, kind::ARRAYS, &[&world.to_le_bytes(), &animator.to_le_bytes(), locals]);
        }
        Entry::Call(call) => {
            let mut parts = Vec::new();
            call.parts.iter().for_each(|part| put_part(&mut parts, part));
            // Where the pose itself is in the log, the reader makes the hash.
            let is_written = call.parts.iter().any(|part| part.tag == Tag::Written);
            let hash = if is_written { 0 } else { call.hash };
            let (head, length) = call_head(call.function, call.result, hash, &call.words);
            put(out, kind::CALL, &[&head[..length], &parts]);
        }
        Entry::End { code } => put(out, kind::END, &[&code.to_le_bytes()]),
    }
}

/// Most arguments of a function.
pub const MAX_WORDS: usize = 16;
/// Most bytes of [`call_head`].
pub const CALL_HEAD: usize = 15 + 8 * MAX_WORDS;

/// What stands before the parts of a call, and its length.
pub fn call_head(function: u16, result: i32, hash: u64, words: &[u64]) -> ([u8; CALL_HEAD], usize) {
    let mut head = [0; CALL_HEAD];
    let count = words.len().min(MAX_WORDS);
    head[..2].copy_from_slice(&function.to_le_bytes());
    head[2..6].copy_from_slice(&result.to_le_bytes());
    head[6..14].copy_from_slice(&hash.to_le_bytes());
    head[14] = count as u8;
    for (place, word) in head[15..].as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    (head, 15 + 8 * count)
}

/// What stands before a pose that the host has written to an animator's buffer.
pub fn pose_head(animator: u64, length: usize) -> [u8; 13] {
    let mut head = [0; 13];
    head[..5].copy_from_slice(&entry_head(kind::POSE, 8 + length));
    head[5..].copy_from_slice(&animator.to_le_bytes());
    head
}

/// Bytes of a call before its arguments: [`entry_head`], and [`call_head`] without them.
pub const PLAIN_HEAD: usize = 20;

/// The first [`PLAIN_HEAD`] bytes of a call that has succeeded and has no hash.
pub fn plain_head(function: u16, words: usize, parts: usize) -> [u8; PLAIN_HEAD] {
    let mut head = [0; PLAIN_HEAD];
    head[..5].copy_from_slice(&entry_head(kind::CALL, 15 + 8 * words + parts));
    head[5..7].copy_from_slice(&function.to_le_bytes());
    head[19] = words as u8;
    head
}

/// What stands before the pose that the solve of one animator has left.
pub fn written_head(function: u16, animator: u64, length: usize) -> [u8; PLAIN_HEAD + 8 + PART_HEAD] {
    let mut head = [0; PLAIN_HEAD + 8 + PART_HEAD];
    head[..20].copy_from_slice(&plain_head(function, 1, PART_HEAD + length));
    head[20..28].copy_from_slice(&animator.to_le_bytes());
    head[28..].copy_from_slice(&part_head(Tag::Written, 0, 0, length));
    head
}

/// Bytes of [`part_head`].
pub const PART_HEAD: usize = 10;

/// What stands before the bytes of a part.
pub fn part_head(tag: Tag, argument: u8, index: u32, length: usize) -> [u8; PART_HEAD] {
    let [[a, b, c, d], [e, f, g, h]] = [index.to_le_bytes(), (length as u32).to_le_bytes()];
    [tag as u8, argument, a, b, c, d, e, f, g, h]
}

/// Appends a part of a call.
pub fn put_part(out: &mut Vec<u8>, part: &Part) {
    out.extend_from_slice(&part_head(part.tag, part.argument, part.index, part.bytes.len()));
    out.extend_from_slice(part.bytes);
}
