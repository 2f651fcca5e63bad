//! What a call is given: copied from the memory of the host.

use super::super::guard::Failure;
use super::super::host_rows;
use super::super::ids::SinewSkeleton;
use super::super::registry;
use super::super::result::SinewResult;
use super::super::running::{self, Parts};
use super::super::shapes::{Count, Function, MOST_RECORD, Record, Shape, from_word};
use super::super::types::{
    SinewBodyTie, SinewBodyWork, SinewHumanoidInput, SinewPoseLayout, SinewTaskRows, SinewTransform, SinewWorldFrame,
};
use super::super::world_frame::HostFrame;
use super::memory::{bytes, masked};
use crate::record::{self, Tag};
use crate::world::{Character, Level, World};
use core::ffi::CStr;
use core::mem::offset_of;

/// Adds what functions of tasks have answered since the last call: of whichever call, as the order
/// of each task's answers is all that counts.
pub(super) fn put_rows(parts: &mut Parts) -> Result<(), Failure> {
    let mut done = Ok(());
    let is_complete = host_rows::take(|number, rows| {
        if done.is_ok() {
            done = put_rows_of(parts, number, rows);
        }
    });
    done?;
    if is_complete { Ok(()) } else { Err(lost_answers()) }
}
fn put_rows_of(parts: &mut Parts, number: u32, rows: &[(u32, SinewTaskRows)]) -> Result<(), Failure> {
    let length = rows.len() * size_of::<SinewTaskRows>();
    parts.add(&record::part_head(Tag::Rows, 0, number, length))?;
    // SAFETY: numbers without padding.
    rows.iter().try_for_each(|(_, answer)| parts.add(unsafe { bytes(answer, 1) }))
}

/// Why a recording stops that has lost answers of callbacks.
pub(super) fn lost_answers() -> Failure {
    Failure::new(SinewResult::SinewErrorOutOfMemory, "no memory for what the callbacks answered")
}

/// The bytes of an array.
///
/// # Safety
/// The address is NULL or of as many records.
pub(super) unsafe fn records<'a>(address: u64, size: usize, count: usize) -> &'a [u8] {
    // SAFETY: required of the caller.
    unsafe { bytes(from_word::<*const u8>(address), size.saturating_mul(count)) }
}

/// A record as it is logged: zeros where an older client has nothing, addresses masked.
struct Copied {
    bytes: [u8; Copied::MOST],
    size: usize,
}

impl Copied {
    const MOST: usize = MOST_RECORD;

    /// # Safety
    /// The address is of such a record, which is as long as its size states, if it has one.
    unsafe fn of(record: &Record, address: u64) -> Self {
        let mut copied = Self { bytes: [0; Self::MOST], size: record.size };
        let mut size = copied.size;
        if record.is_sized {
            // SAFETY: every such record begins with its size.
            let first = unsafe { from_word::<*const u32>(address).read_unaligned() };
            size = size.min((first as usize).max(4));
        }
        // SAFETY: required of the caller.
        copied.bytes[..size].copy_from_slice(unsafe { records(address, 1, size) });
        copied
    }
    fn word(&self, at: usize) -> u64 {
        let mut word = [0; 8];
        let length = size_of::<usize>();
        word[..length].copy_from_slice(&self.bytes[at..at + length]);
        u64::from_le_bytes(word)
    }
    fn u32(&self, at: usize) -> u32 {
        self.bytes[at..at + 4].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }
    fn u64(&self, at: usize) -> u64 {
        self.bytes[at..at + 8].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
    fn mask(&mut self, at: usize) {
        let masked = masked(self.word(at)).to_le_bytes();
        self.bytes[at..at + size_of::<usize>()].copy_from_slice(&masked[..size_of::<usize>()]);
    }
}

/// Captures a record with what its pointers lead to.
///
/// # Safety
/// The address is of such a record, whose pointers lead to what `record` states.
unsafe fn record_at(record: &Record, argument: usize, address: u64, parts: &mut Parts) -> Result<(), Failure> {
    if record.members.is_empty() && !record.is_sized {
        // SAFETY: required of the caller.
        return parts.put(Tag::Data, argument, 0, unsafe { records(address, 1, record.size) });
    }
    // SAFETY: required of the caller.
    let mut copied = unsafe { Copied::of(record, address) };
    let original = copied.bytes;
    record.members.iter().for_each(|member| copied.mask(member.at));
    let size = copied.size;
    parts.put(Tag::Data, argument, 0, &copied.bytes[..size])?;
    let copied = Copied { bytes: original, size };
    for (index, member) in record.members.iter().enumerate() {
        let address = copied.word(member.at);
        if address == 0 {
            continue;
        }
        let count = match member.count {
            Count::One => 1,
            Count::Field(at) => copied.u32(at) as usize,
            Count::Joints(at) => joints_of_skeleton(copied.u64(at)),
            Count::Texts(at) => {
                // SAFETY: required of the caller.
                unsafe { texts(address, copied.u32(at) as usize, argument, index, parts)? };
                continue;
            }
        };
        // SAFETY: required of the caller.
        parts.put(Tag::Member, argument, index, unsafe { records(address, member.size, count) })?;
    }
    Ok(())
}

/// Texts with their terminating zeros, one after the other.
///
/// # Safety
/// There are as many addresses, each of a zero-terminated text.
unsafe fn texts(address: u64, count: usize, argument: usize, index: usize, parts: &mut Parts) -> Result<(), Failure> {
    let mut all = Parts::default();
    for place in 0..count {
        // SAFETY: required of the caller.
        let text = unsafe { from_word::<*const *const core::ffi::c_char>(address).add(place).read_unaligned() };
        if text.is_null() {
            continue;
        }
        // SAFETY: required of the caller.
        all.add(unsafe { CStr::from_ptr(text) }.to_bytes_with_nul())?;
    }
    parts.put(Tag::Member, argument, index, all.bytes())
}

fn joints_of_skeleton(handle: u64) -> usize {
    registry::skeleton(SinewSkeleton { bits: handle }).map_or(0, |skeleton| skeleton.joint_count())
}

/// Captures works, each with the pose that `pose_of` finds it to be solved from.
pub(in crate::ffi) fn works<'a>(
    argument: usize,
    works: &[SinewBodyWork],
    pose_of: impl Fn(&SinewBodyWork) -> Option<&'a [SinewTransform]>,
    parts: &mut Parts,
) -> Result<(), Failure> {
    for (index, work) in works.iter().enumerate() {
        if let Some(pose) = pose_of(work) {
            parts.put(Tag::Member, argument, index, running::pose_bytes(pose))?;
        }
    }
    // SAFETY: numbers and an address, without padding.
    let all = unsafe { bytes(works.as_ptr(), works.len()) };
    parts.put(Tag::Data, argument, 0, all)?;
    let from = parts.bytes().len() - all.len();
    for work in parts.bytes_mut()[from..].chunks_exact_mut(size_of::<SinewBodyWork>()) {
        let at = offset_of!(SinewBodyWork, pose);
        let mut word = [0; 8];
        word[..size_of::<usize>()].copy_from_slice(&work[at..at + size_of::<usize>()]);
        let word = masked(u64::from_le_bytes(word)).to_le_bytes();
        work[at..at + size_of::<usize>()].copy_from_slice(&word[..size_of::<usize>()]);
    }
    Ok(())
}

/// Captures a frame: the animation of each row that the host brings, roots and inputs. Only rows
/// that the call reads: those with an animator that is not at [`Level::Off`].
///
/// # Safety
/// The frame was checked, and leads to what it states.
pub(in crate::ffi) unsafe fn frame(
    frame: &SinewWorldFrame,
    host: &HostFrame,
    argument: usize,
    set: &World,
    parts: &mut Parts,
) -> Result<(), Failure> {
    // SAFETY: plain data; the addresses in it are not followed at replay.
    parts.put(Tag::Data, argument, 0, unsafe { bytes(frame, 1) })?;
    let read = |row: u32| set.member(row).filter(|id| set.level(*id).is_ok_and(|level| level != Level::Off));
    let has_pointers = frame.layout == SinewPoseLayout::Pointers as i32;
    let mut row_bytes = Parts::default();
    for row in 0..set.row_count() as u32 {
        let Some(id) = read(row) else { continue };
        row_bytes.clear();
        let mut added = Ok(());
        let gathered = registry::characters().with(id, |character| {
            host.gather(row, character, |transform| {
                if added.is_ok() {
                    added = row_bytes.add(running::pose_bytes(&[transform]));
                }
            })
        });
        added?;
        match gathered {
            Ok(Some(())) => parts.put(Tag::Row, argument, row as usize, row_bytes.bytes())?,
            // No such address: how it is misaligned stands for it.
            Ok(None) if has_pointers => {
                // SAFETY: required of the caller: one address per row.
                let address = unsafe { frame.pointers.add(row as usize).read() }.addr();
                parts.put(Tag::Row, argument, row as usize, &[address as u8 & 15])?;
            }
            _ => {}
        }
    }
    let given = [
        (frame.roots.cast::<u8>(), frame.roots_stride, size_of::<SinewTransform>()),
        (frame.inputs.cast::<u8>(), frame.inputs_stride, size_of::<SinewHumanoidInput>()),
    ];
    for (index, (first, stride, size)) in given.into_iter().enumerate() {
        if first.is_null() {
            continue;
        }
        row_bytes.clear();
        for row in 0..frame.row_count {
            // Inputs count for humans only.
            let does = |character: &mut Character| index == 0 || character.animator.is_human();
            let is_read = read(row).is_some_and(|id| registry::characters().with(id, does) == Ok(true));
            let record = first.wrapping_add(row as usize * stride as usize);
            // SAFETY: required of the caller.
            row_bytes.add(if is_read { unsafe { bytes(record, size) } } else { &[0; MOST_RECORD][..size] })?;
        }
        parts.put(Tag::Member, argument, index, row_bytes.bytes())?;
    }
    Ok(())
}

/// Captures what a call that has begun has read and has left as it was, and the handles that it has
/// written.
///
/// # Safety
/// The words are arguments such as the function requires, of a call that has checked them, and it
/// has returned `result`.
pub(super) unsafe fn after(
    function: &Function,
    words: &[u64],
    result: SinewResult,
    parts: &mut Parts,
) -> Result<(), Failure> {
    for (place, shape) in function.shapes.iter().enumerate() {
        let address = words[place];
        if address == 0 {
            continue;
        }
        let length = |count: &usize| words[*count] as u32 as usize;
        // SAFETY: required of the caller.
        unsafe {
            match shape {
                Shape::In(record) => record_at(record, place, address, parts)?,
                Shape::Array { record, count } => {
                    parts.put(Tag::Data, place, 0, records(address, record.size, length(count)))?;
                }
                // Of what the call writes in them nothing is read.
                Shape::Ties { count } => {
                    parts.put(Tag::Data, place, 0, records(address, size_of::<SinewBodyTie>(), length(count)))?;
                }
                Shape::Animators => {
                    parts.put(Tag::Data, place, 0, records(address, 8, words[place + 1] as u32 as usize))?;
                }
                Shape::Handles { count } => parts.put(Tag::Data, place, 0, records(address, 8, length(count)))?,
                Shape::Text => parts.put(Tag::Data, place, 0, CStr::from_ptr(from_word(address)).to_bytes())?,
                Shape::Rows if result == SinewResult::SinewOk => {
                    parts.put(Tag::Data, place, 0, &host_rows::last().to_le_bytes())?;
                }
                Shape::OutHandle | Shape::OutOwned if result == SinewResult::SinewOk => {
                    parts.put(Tag::Handle, place, 0, records(address, 8, 1))?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}
