//! What a call is given: copied from the memory of the host.

use super::super::guard::Failure;
use super::super::host_rows;
use super::super::ids::{SinewBody, SinewSkeleton};
use super::super::registry;
use super::super::result::SinewResult;
use super::super::rooms;
use super::super::shapes::{Count, Function, MOST_RECORD, Record, Shape, from_word};
use super::super::tracked_body_read;
use super::super::types::{
    SinewBodyTie, SinewBodyWork, SinewChainJob, SinewHumanoidInput, SinewTaskRows, SinewTrackedBody, SinewTransform,
    SinewWorldFrame,
};
use super::super::world_frame::HostFrame;
use super::memory::{bytes, masked};
use crate::record::{self, Part, Tag};
use crate::world::World;
use core::ffi::CStr;
use core::mem::offset_of;

/// Room for more, or a failure where there is no memory.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Failure> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    let wanted = (list.len() + more).saturating_mul(2 * size_of::<T>());
    let _room = rooms::SMALL.with(0, wanted)?;
    list.try_reserve(more).map_err(|error| Failure::new(SinewResult::SinewErrorOutOfMemory, error))
}

/// Parts of a call as bytes.
#[derive(Default)]
pub(super) struct Parts(Vec<u8>);

impl Parts {
    /// With room for the data of most calls.
    pub fn with_room() -> Self {
        Self(Vec::with_capacity(8 << 10))
    }
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
    pub fn clear(&mut self) {
        self.0.clear();
    }
    pub fn is_unused(&self) -> bool {
        self.0.capacity() == 0
    }
    /// Adds bytes as they are.
    pub fn add(&mut self, more: &[u8]) -> Result<(), Failure> {
        reserve(&mut self.0, more.len())?;
        self.0.extend_from_slice(more);
        Ok(())
    }
    /// Adds a part.
    pub fn put(&mut self, tag: Tag, argument: usize, index: usize, contents: &[u8]) -> Result<(), Failure> {
        reserve(&mut self.0, contents.len() + 16)?;
        let part = Part { tag, argument: argument as u8, index: index as u32, bytes: contents };
        record::put_part(&mut self.0, &part);
        Ok(())
    }
    /// Adds what functions of tasks have answered since the last call.
    pub fn put_rows(&mut self) -> Result<(), Failure> {
        let mut done = Ok(());
        let is_complete = host_rows::take(|number, rows| {
            if done.is_ok() {
                done = self.put_rows_of(number, rows);
            }
        });
        done?;
        if is_complete { Ok(()) } else { Err(lost_answers()) }
    }
    fn put_rows_of(&mut self, number: u32, rows: &[(u32, SinewTaskRows)]) -> Result<(), Failure> {
        let length = rows.len() * size_of::<SinewTaskRows>();
        reserve(&mut self.0, record::PART_HEAD + length)?;
        self.0.extend_from_slice(&record::part_head(Tag::Rows, 0, number, length));
        for (_, answer) in rows {
            // SAFETY: numbers without padding.
            self.0.extend_from_slice(unsafe { bytes(answer, 1) });
        }
        Ok(())
    }
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

/// The number of joints of a body or tracked body.
pub(in crate::ffi) fn joints_of(handle: u64) -> Option<usize> {
    registry::with_body(SinewBody { bits: handle }, |host| Ok(host.body.skeleton().joint_count()))
        .or_else(|_| tracked_body_read::with_body(SinewTrackedBody { bits: handle }, |body| Ok(body.pose().len())))
        .ok()
}

/// Captures what a call reads and overwrites. False: it will be refused.
///
/// # Safety
/// The words are arguments such as the function requires.
pub(super) unsafe fn before(shape: &Shape, place: usize, words: &[u64], parts: &mut Parts) -> Result<bool, Failure> {
    let address = words[place];
    let length = |count: &usize| words[*count] as u32 as usize;
    match shape {
        Shape::InOut { size, count } => {
            // The pose of an object: its length is known. Else the caller vouches for it.
            let is_pose = place == 1;
            if address == 0 || (is_pose && joints_of(words[0]) != Some(length(count))) {
                return Ok(false);
            }
            // SAFETY: required of the caller.
            parts.put(Tag::Data, place, 0, unsafe { records(address, *size, length(count)) })?;
        }
        Shape::ChainPose => {
            if address == 0 || words[0] == 0 {
                return Ok(false);
            }
            // SAFETY: required of the caller: the job begins with its size.
            if unsafe { from_word::<*const u32>(words[0]).read_unaligned() } as usize != size_of::<SinewChainJob>() {
                return Ok(false);
            }
            // SAFETY: as above.
            let joints = unsafe { from_word::<*const SinewChainJob>(words[0]).read_unaligned() }.joint_count as usize;
            if joints > u16::MAX as usize {
                return Ok(false);
            }
            // SAFETY: required of the caller.
            let pose = unsafe { records(address, size_of::<SinewTransform>(), joints) };
            parts.put(Tag::Data, place, 0, pose)?;
        }
        Shape::Works { count } => {
            // SAFETY: required of the caller.
            let all = unsafe { records(address, size_of::<SinewBodyWork>(), length(count)) };
            for (index, work) in all.chunks_exact(size_of::<SinewBodyWork>()).enumerate() {
                // SAFETY: the bytes are a work; nothing in it is invalid for any bytes.
                let work = unsafe { work.as_ptr().cast::<SinewBodyWork>().read_unaligned() };
                if joints_of(work.body.bits) != Some(work.joint_count as usize) || work.pose.is_null() {
                    continue;
                }
                // SAFETY: required of the caller.
                let pose = unsafe { bytes(work.pose, work.joint_count as usize) };
                parts.put(Tag::Member, place, index, pose)?;
            }
            let mut masked_works = Parts::default();
            masked_works.add(all)?;
            for work in masked_works.0.chunks_exact_mut(size_of::<SinewBodyWork>()) {
                let at = offset_of!(SinewBodyWork, pose);
                let mut word = [0; 8];
                word[..size_of::<usize>()].copy_from_slice(&work[at..at + size_of::<usize>()]);
                let word = masked(u64::from_le_bytes(word)).to_le_bytes();
                work[at..at + size_of::<usize>()].copy_from_slice(&word[..size_of::<usize>()]);
            }
            parts.put(Tag::Data, place, 0, masked_works.bytes())?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Captures a frame: the animation of each row that the host brings, roots and inputs.
///
/// # Safety
/// The frame leads to what it states.
pub(super) unsafe fn frame(
    frame: &SinewWorldFrame,
    host: &HostFrame,
    place: usize,
    set: &World,
    parts: &mut Parts,
) -> Result<(), Failure> {
    // SAFETY: plain data; the addresses in it are not followed at replay.
    parts.put(Tag::Data, place, 0, unsafe { bytes(frame, 1) })?;
    let mut row_bytes = Parts::default();
    for row in 0..set.row_count() as u32 {
        let Some(id) = set.member(row) else { continue };
        row_bytes.clear();
        let mut added = Ok(());
        let gathered = registry::characters().with(id, |character| {
            host.gather(row, character, |transform| {
                if added.is_ok() {
                    // SAFETY: ten floats without padding.
                    added = row_bytes.add(unsafe { bytes(&raw const transform, 1) });
                }
            })
        });
        added?;
        if let Ok(Some(())) = gathered {
            parts.put(Tag::Row, place, row as usize, row_bytes.bytes())?;
        }
    }
    let rows = frame.row_count as usize;
    let given = [
        (frame.roots.cast::<u8>(), frame.roots_stride, size_of::<SinewTransform>()),
        (frame.inputs.cast::<u8>(), frame.inputs_stride, size_of::<SinewHumanoidInput>()),
    ];
    for (index, (first, stride, size)) in given.into_iter().enumerate() {
        if first.is_null() {
            continue;
        }
        row_bytes.clear();
        for row in 0..rows {
            let record = first.wrapping_add(row * stride as usize);
            // SAFETY: required of the caller.
            row_bytes.add(unsafe { bytes(record, size) })?;
        }
        parts.put(Tag::Member, place, index, row_bytes.bytes())?;
    }
    Ok(())
}

/// Captures what a call that was not refused has read and has left as it was, and the handles that
/// it has written.
///
/// # Safety
/// The words are arguments such as the function requires, and it has returned `result`.
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
