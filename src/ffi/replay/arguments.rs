//! Arguments of a call, made from its data in a log.

use super::super::c_types::c_void;
use super::super::ids::{SinewAnimator, SinewJob, SinewSkeleton, SinewWorld};
use super::super::recorder::observe::Poses;
use super::super::registry;
use super::super::shapes::{Count, Function, Record, Shape, to_word};
use super::super::types::{
    SinewBodyTie, SinewBodyWork, SinewCastGround, SinewChainJob, SinewClock, SinewComputeRows, SinewDrawLine,
    SinewEnqueue, SinewGroundHit, SinewGroundQuery, SinewHumanoidInput, SinewPoseLayout, SinewTaskPlacement,
    SinewTaskRows, SinewTransform, SinewVec3, SinewWait, SinewWorldFrame,
};
use super::super::world_jobs::sinew_job_run;
use super::memory::Arena;
use crate::record::{Call, Tag};
use core::mem::offset_of;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// Handles of the log with those of the replay. Parts of an object are named with it, in the first
/// place: of others it is 0.
pub(super) type Handles = HashMap<(u64, u64), u64>;

/// Why a call is not run.
#[derive(Debug)]
pub(super) enum Unfit {
    /// It uses an object that the log has not created.
    Unknown,
    /// Its data do not fit the function.
    Damaged(&'static str),
}

/// Answers of the ground, in order.
#[derive(Default)]
pub(super) struct Ground {
    hits: Vec<SinewGroundHit>,
    next: usize,
}

pub(super) struct Arguments<'a, 'b> {
    call: &'a Call<'b>,
    handles: &'a Handles,
    arena: Arena,
    ground: Box<Ground>,
    /// Of the task that the call adds.
    answers: *const TaskAnswers,
}

/// What the function of a task answers, in order. It stays where it is as long as the task.
#[derive(Default)]
pub(super) struct TaskAnswers(Mutex<VecDeque<SinewTaskRows>>);

impl TaskAnswers {
    /// Adds answers of a log.
    pub fn add(&self, bytes: &[u8]) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: numbers only; any bytes are such a record.
        let rows = |bytes: &[u8]| unsafe { bytes.as_ptr().cast::<SinewTaskRows>().read_unaligned() };
        answers.extend(bytes.chunks_exact(size_of::<SinewTaskRows>()).map(rows));
    }
}

/// Most rows of a frame.
const MOST_ROWS: usize = 1 << 20;
const HIT: usize = size_of::<SinewGroundHit>();
const TRANSFORM: usize = size_of::<SinewTransform>();

impl<'a, 'b> Arguments<'a, 'b> {
    pub fn new(call: &'a Call<'b>, handles: &'a Handles, answers: *const TaskAnswers) -> Self {
        Self { call, handles, arena: Arena::default(), ground: Box::default(), answers }
    }

    /// The words of all arguments. What they lead to lives as long as `self`.
    pub fn words(&mut self, function: &Function) -> Result<Vec<u64>, Unfit> {
        if self.call.words.len() != function.shapes.len() {
            return Err(Unfit::Damaged("a call with another number of arguments"));
        }
        (0..function.shapes.len()).map(|place| self.word(&function.shapes[place], place)).collect()
    }

    fn bytes(&self, tag: Tag, argument: usize, index: usize) -> Option<&'b [u8]> {
        let is_it = |part: &&crate::record::Part| {
            part.tag == tag && part.argument as usize == argument && part.index as usize == index
        };
        self.call.parts.iter().find(is_it).map(|part| part.bytes)
    }
    fn data(&self, argument: usize, length: usize) -> Result<&'b [u8], Unfit> {
        let bytes = self.bytes(Tag::Data, argument, 0).ok_or(Unfit::Damaged("an argument without data"))?;
        if bytes.len() == length { Ok(bytes) } else { Err(Unfit::Damaged("an argument of another length")) }
    }
    /// The address in the log does not matter, but for whether there is one.
    fn place(&mut self, contents: &[u8], size: usize, _address: u64) -> Result<u64, Unfit> {
        let placed = self.arena.place(contents, size).ok_or(Unfit::Damaged("an argument that is too large"))?;
        Ok(to_word(placed))
    }
    fn count(&self, place: usize) -> usize {
        self.call.words[place] as u32 as usize
    }
    fn handle(&self, owner: u64, bits: u64) -> Result<u64, Unfit> {
        if bits == 0 {
            return Ok(0);
        }
        self.handles.get(&(owner, bits)).copied().ok_or(Unfit::Unknown)
    }

    fn word(&mut self, shape: &Shape, place: usize) -> Result<u64, Unfit> {
        let word = self.call.words[place];
        if word == 0 && !matches!(shape, Shape::User) {
            return Ok(0);
        }
        Ok(match shape {
            Shape::Value => word,
            Shape::Handle => self.handle(0, word)?,
            Shape::Owned => self.handle(self.call.words[0], word)?,
            Shape::In(record) => self.record(record, place, word)?,
            Shape::Array { record, count } => {
                let size = record.size.saturating_mul(self.count(*count));
                let data = self.data(place, size)?;
                self.place(data, size, word)?
            }
            Shape::Text => {
                let text = self.bytes(Tag::Data, place, 0).ok_or(Unfit::Damaged("a text that is not there"))?;
                self.place(text, text.len() + 1, word)?
            }
            Shape::Out(size) | Shape::OutAddress(size) => self.place(&[], *size, word)?,
            Shape::OutHandle | Shape::OutOwned => self.place(&[], 8, word)?,
            Shape::OutArray { size, count, .. } => {
                let size = size.saturating_mul(self.count(*count));
                self.place(&[], size, word)?
            }
            Shape::InOut { size, count } => {
                let size = size.saturating_mul(self.count(*count));
                let data = self.data(place, size)?;
                self.place(data, size, word)?
            }
            Shape::Animators => self.list(place, place + 1, word)?,
            Shape::Handles { count } => self.list(place, *count, word)?,
            Shape::Works { count } => self.works(place, self.count(*count), word)?,
            Shape::Ties { count } => self.ties(place, self.count(*count), word)?,
            Shape::Frame => self.frame(place, word)?,
            Shape::ChainPose => {
                let job = self.data(0, size_of::<SinewChainJob>())?;
                let size = TRANSFORM * u32_at(job, offset_of!(SinewChainJob, joint_count)) as usize;
                let data = self.data(place, size)?;
                self.place(data, size, word)?
            }
            Shape::Cast => {
                let answers = self.bytes(Tag::Answers, 0, 0).unwrap_or_default();
                // SAFETY: numbers only; any bytes are such a record.
                let hit = |bytes: &[u8]| unsafe { bytes.as_ptr().cast::<SinewGroundHit>().read_unaligned() };
                self.ground.hits = answers.chunks_exact(HIT).map(hit).collect();
                to_word::<SinewCastGround>(give_hit)
            }
            // The argument after a callback; only those of the ground and of a task are used.
            Shape::User if !self.answers.is_null() => to_word(self.answers),
            Shape::User => to_word(&raw mut *self.ground),
            Shape::Rows => to_word::<SinewComputeRows>(give_rows),
            Shape::Draw => to_word::<SinewDrawLine>(draw_nothing),
            Shape::Clock => to_word::<SinewClock>(stand_still),
            Shape::Enqueue => to_word::<SinewEnqueue>(run_at_once),
            Shape::Wait => to_word::<SinewWait>(wait_for_nothing),
            Shape::Opaque => return Err(Unfit::Damaged("a function that is not logged")),
        })
    }

    /// A list of handles. Unknown ones are null: refused like those that they were.
    fn list(&mut self, place: usize, count: usize, word: u64) -> Result<u64, Unfit> {
        let size = self.count(count).saturating_mul(8);
        let mut list = self.data(place, size)?.to_vec();
        for bits in list.as_chunks_mut::<8>().0 {
            *bits = self.handle(0, u64::from_le_bytes(*bits)).unwrap_or(0).to_le_bytes();
        }
        self.place(&list, size, word)
    }

    fn record(&mut self, record: &Record, place: usize, word: u64) -> Result<u64, Unfit> {
        let mut bytes = self.data(place, record.size)?.to_vec();
        for at in record.handles {
            let handle = self.handle(0, u64_at(&bytes, *at))?;
            bytes[*at..*at + 8].copy_from_slice(&handle.to_le_bytes());
        }
        for (index, member) in record.members.iter().enumerate() {
            let word = address_at(&bytes, member.at);
            if word == 0 {
                continue;
            }
            let data = self.bytes(Tag::Member, place, index).ok_or(Unfit::Damaged("a pointer without data"))?;
            let address = match member.count {
                Count::Texts(at) => self.texts(data, u32_at(&bytes, at) as usize, word)?,
                Count::One => self.elements(data, member.size, 1, word)?,
                Count::Field(at) => self.elements(data, member.size, u32_at(&bytes, at) as usize, word)?,
                Count::Joints(at) => {
                    let skeleton = registry::skeleton(SinewSkeleton { bits: u64_at(&bytes, at) });
                    let joints = skeleton.map_err(|_| Unfit::Unknown)?.joint_count();
                    self.elements(data, member.size, joints, word)?
                }
            };
            put_address(&mut bytes, member.at, address);
        }
        self.place(&bytes, record.size, word)
    }
    fn elements(&mut self, data: &[u8], size: usize, count: usize, word: u64) -> Result<u64, Unfit> {
        if data.len() != size.saturating_mul(count) {
            return Err(Unfit::Damaged("an array of another length"));
        }
        self.place(data, data.len(), word)
    }
    fn texts(&mut self, data: &[u8], count: usize, word: u64) -> Result<u64, Unfit> {
        if data.iter().filter(|byte| **byte == 0).count() != count || data.last().is_some_and(|byte| *byte != 0) {
            return Err(Unfit::Damaged("another number of texts"));
        }
        let first = self.place(data, data.len(), 16)?;
        let mut at = 0;
        let mut addresses = vec![0; count * size_of::<usize>()];
        for (place, text) in data.split_inclusive(|byte| *byte == 0).enumerate() {
            put_address(&mut addresses, place * size_of::<usize>(), first + at);
            at += text.len() as u64;
        }
        self.place(&addresses, addresses.len(), word)
    }

    fn works(&mut self, place: usize, count: usize, word: u64) -> Result<u64, Unfit> {
        const SIZE: usize = size_of::<SinewBodyWork>();
        let size = SIZE.saturating_mul(count);
        let mut works = self.data(place, size)?.to_vec();
        for index in 0..count {
            let work = index * SIZE;
            let body = work + offset_of!(SinewBodyWork, body);
            let handle = self.handle(0, u64_at(&works, body)).unwrap_or(0);
            works[body..body + 8].copy_from_slice(&handle.to_le_bytes());
            let at = work + offset_of!(SinewBodyWork, pose);
            let joints = u32_at(&works, work + offset_of!(SinewBodyWork, joint_count)) as usize;
            let address = match (address_at(&works, at), self.bytes(Tag::Member, place, index)) {
                (0, _) => 0,
                (word, None) => unusable(word),
                (word, Some(pose)) => self.elements(pose, TRANSFORM, joints, word)?,
            };
            put_address(&mut works, at, address);
        }
        self.place(&works, size, word)
    }

    /// Tasks are those of the works' bodies. Unknown ones are null: refused like those that they
    /// were.
    fn ties(&mut self, place: usize, count: usize, word: u64) -> Result<u64, Unfit> {
        const SIZE: usize = size_of::<SinewBodyTie>();
        let size = SIZE.saturating_mul(count);
        let mut ties = self.data(place, size)?.to_vec();
        let works = self.bytes(Tag::Data, 0, 0).unwrap_or_default();
        for tie in ties.chunks_exact_mut(SIZE) {
            for (work, task) in [
                (offset_of!(SinewBodyTie, first_work), offset_of!(SinewBodyTie, first_task)),
                (offset_of!(SinewBodyTie, second_work), offset_of!(SinewBodyTie, second_task)),
            ] {
                let work = (u32_at(tie, work) as usize).saturating_mul(size_of::<SinewBodyWork>());
                let body = works.get(work..).and_then(|rest| rest.get(..size_of::<SinewBodyWork>()));
                let owner = body.map_or(0, |body| u64_at(body, offset_of!(SinewBodyWork, body)));
                let handle = self.handle(owner, u64_at(tie, task)).unwrap_or(0);
                tie[task..task + 8].copy_from_slice(&handle.to_le_bytes());
            }
        }
        self.place(&ties, size, word)
    }

    /// A frame with the same numbers elsewhere: poses by one pointer a row.
    fn frame(&mut self, place: usize, word: u64) -> Result<u64, Unfit> {
        const SIZE: usize = size_of::<SinewWorldFrame>();
        let data = self.data(place, SIZE)?;
        // SAFETY: numbers and raw pointers, none of which is followed.
        let mut frame = unsafe { data.as_ptr().cast::<SinewWorldFrame>().read_unaligned() };
        let rows = frame.row_count as usize;
        if rows > MOST_ROWS {
            return Err(Unfit::Damaged("a frame with too many rows"));
        }
        let world = SinewWorld { bits: self.handle(0, self.call.words[0])? };
        let mut joints = Vec::new();
        let counted = registry::with_world(world, |host| {
            for row in 0..host.set.row_count() as u32 {
                let member = host.set.member(row).map(|id| SinewAnimator { bits: id.bits() });
                let count = member.map(|animator| registry::with_animator(animator, |c| Ok(c.buffer().len())));
                joints.push(count.and_then(Result::ok));
            }
            Ok(())
        });
        counted.map_err(|_| Unfit::Unknown)?;
        let is_own = Poses::of(Some(&frame)) != Poses::Host;
        if rows < joints.len() && !(is_own && frame.roots.is_null() && frame.inputs.is_null()) {
            return Err(Unfit::Damaged("a frame with too few rows"));
        }
        (frame.records, frame.pointers) = (core::ptr::null_mut(), core::ptr::null());
        (frame.positions, frame.rotations, frame.scales) =
            (core::ptr::null_mut(), core::ptr::null_mut(), core::ptr::null());
        if !is_own {
            frame.layout = SinewPoseLayout::Pointers as i32;
            let mut pointers = vec![0; rows.max(joints.len()).saturating_mul(size_of::<usize>())];
            for (row, count) in joints.iter().enumerate() {
                let (Some(count), Some(pose)) = (count, self.bytes(Tag::Row, place, row)) else { continue };
                let address = match pose {
                    [low] => unusable(u64::from(*low)),
                    _ => self.elements(pose, TRANSFORM, *count, 16)?,
                };
                put_address(&mut pointers, row * size_of::<usize>(), address);
            }
            frame.pointers = address(self.place(&pointers, pointers.len(), 16)?);
        }
        if !frame.roots.is_null() {
            frame.roots_stride = TRANSFORM as u32;
            frame.roots = address(self.rows_of(place, 0, TRANSFORM, rows)?);
        }
        if !frame.inputs.is_null() {
            frame.inputs_stride = size_of::<SinewHumanoidInput>() as u32;
            frame.inputs = address(self.rows_of(place, 1, size_of::<SinewHumanoidInput>(), rows)?);
        }
        for results in [&mut frame.out_results, &mut frame.out_states] {
            if !results.is_null() {
                *results = address(self.place(&[], rows.saturating_mul(4), 16)?);
            }
        }
        // SAFETY: numbers and raw pointers.
        let bytes = unsafe { core::slice::from_raw_parts((&raw const frame).cast::<u8>(), SIZE) };
        self.place(bytes, SIZE, word)
    }
    fn rows_of(&mut self, place: usize, index: usize, size: usize, rows: usize) -> Result<u64, Unfit> {
        let data = self.bytes(Tag::Member, place, index).ok_or(Unfit::Damaged("a frame without its rows"))?;
        self.elements(data, size, rows, 16)
    }
}

/// An address at which there is nothing: a misaligned one where the recorded one was, as that is
/// refused before it is followed; else NULL.
fn unusable(recorded: u64) -> u64 {
    let low = recorded & 15;
    if low.is_multiple_of(align_of::<SinewTransform>() as u64) { 0 } else { 16 | low }
}
fn address<T>(word: u64) -> *mut T {
    core::ptr::with_exposed_provenance_mut(word as usize)
}
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
fn address_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word[..size_of::<usize>()].copy_from_slice(&bytes[at..at + size_of::<usize>()]);
    u64::from_le_bytes(word)
}
fn put_address(bytes: &mut [u8], at: usize, address: u64) {
    bytes[at..at + size_of::<usize>()].copy_from_slice(&address.to_le_bytes()[..size_of::<usize>()]);
}

extern "C-unwind" fn give_hit(user: *mut c_void, _: *const SinewGroundQuery, out_hit: *mut SinewGroundHit) {
    // SAFETY: `Arguments` hands over its ground, which only this thread uses meanwhile.
    let ground = unsafe { &mut *user.cast::<Ground>() };
    if let Some(hit) = ground.hits.get(ground.next) {
        // SAFETY: the library hands over a record.
        unsafe { out_hit.write(*hit) };
    }
    ground.next += 1;
}
/// More often than when it was recorded: met.
extern "C-unwind" fn give_rows(user: *mut c_void, _: *const SinewTaskPlacement, out_rows: *mut SinewTaskRows) {
    // SAFETY: the player hands over answers, which it keeps as long as the task.
    let answers = unsafe { &*user.cast_const().cast::<TaskAnswers>() };
    if let Some(rows) = answers.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
        // SAFETY: the library hands over a record.
        unsafe { out_rows.write(rows) };
    }
}
extern "C-unwind" fn draw_nothing(_: *mut c_void, _: *const SinewVec3, _: *const SinewVec3, _: i32) {}
extern "C-unwind" fn stand_still(_: *mut c_void) -> f64 {
    0.0
}
extern "C-unwind" fn run_at_once(_: *mut c_void, job: SinewJob, count: u32, _: u32) -> *mut c_void {
    sinew_job_run(job, 0, count);
    core::ptr::dangling_mut::<u8>().cast()
}
extern "C-unwind" fn wait_for_nothing(_: *mut c_void, _: *mut c_void) {}
