//! One recording.

use super::super::guard::Failure;
use super::super::ids::SinewAnimator;
use super::super::read;
use super::super::registry;
use super::super::result::SinewResult;
use super::super::running::{Parts, Running, reserve};
use super::super::shapes::{Function, Kind, Shape, from_word};
use super::super::text;
use super::super::types::SINEW_ABI_VERSION;
use super::capture;
use super::memory::{Writer, masked};
use super::observe::{self, Owner};
use super::sink::Sink;
use crate::record::{self, Head, MAX_WORDS, Tag};
use crate::store::Id;
use crate::world::Character;
use core::ffi::CStr;

/// Bytes that are collected before they are written.
const BLOCK: usize = 256 << 10;

/// A call that has begun.
#[derive(Default)]
pub(super) struct Pending {
    /// What it has stated of its arguments; room for that until it ends.
    pub parts: Parts,
    /// Whether it is past its checks: then it is logged with its data even if it fails.
    pub has_begun: bool,
    /// Arguments whose memory is in `parts`, one bit each.
    pub captured: u32,
    /// Answers of the host's ground.
    pub answers: Vec<u8>,
    /// Whether there was no memory for some of it.
    pub has_lost: bool,
}

impl Pending {
    /// Takes over what the call has stated.
    pub fn take(&mut self, running: Running) {
        let Running { parts, has_begun, captured, has_lost } = running;
        (self.parts, self.has_begun, self.captured) = (parts, has_begun, captured);
        self.has_lost |= has_lost;
    }
}

/// The pose buffer of an animator as the log has it: in the block that is collected, until that is
/// written; or a copy. Where neither is known the pose is logged once more.
#[derive(Default)]
pub(super) struct Shadow {
    pub animator: u64,
    /// Number of the block that has the pose; of a block that was written, or 0: none.
    block: u64,
    /// Where in the block.
    at: usize,
    pose: Vec<u8>,
    /// Hash of its pose in the arrays of its world.
    pub arrays: u64,
}

impl Shadow {
    /// Copies the pose; allocates the first time.
    fn keep(&mut self, pose: &[u8]) -> Result<(), Failure> {
        self.block = 0;
        if self.pose.len() == pose.len() {
            self.pose.copy_from_slice(pose);
            return Ok(());
        }
        self.pose.clear();
        reserve(&mut self.pose, pose.len())?;
        self.pose.extend_from_slice(pose);
        Ok(())
    }
}

pub(super) struct Recorder {
    sink: Sink,
    out: Vec<u8>,
    /// Number of the block in `out`.
    block: u64,
    /// By the index of the animator's slot.
    pub(super) shadows: Vec<Shadow>,
    /// Which functions have been named, by number.
    named: [u64; 8],
    /// Animators that a call has solved, and where their poses are in the block.
    seen: Vec<(u64, usize)>,
    /// Buffers of calls that have ended.
    pub(super) spare: Vec<Parts>,
    stopped: Option<Failure>,
}

/// The list of animators that a call solves, where the call reads one.
///
/// # Safety
/// The words are arguments such as the function requires.
unsafe fn animators(words: &[u64], place: usize) -> &'static [SinewAnimator] {
    let count = words[place + 1] as u32 as usize;
    // SAFETY: addresses, of which nothing is read here.
    let (list, results) = unsafe { (from_word(words[place]), from_word::<*mut i32>(words[place + 2])) };
    if count == 0 || !results.is_aligned() {
        return &[];
    }
    // SAFETY: required of the caller; the list is used until the call begins.
    unsafe { read::array("animators", list, count) }.unwrap_or_default()
}

/// Most arguments as words.
type Words = [u64; MAX_WORDS];

/// The arguments of a call that has begun, with NULL for memory of the host that it has not read.
fn read_words(function: &Function, words: &[u64], captured: u32) -> Words {
    let mut read = [0; MAX_WORDS];
    let is_empty = matches!(function.shapes.first(), Some(Shape::Handles { count }) if words[*count] as u32 == 0);
    for (place, ((read, word), shape)) in read.iter_mut().zip(words).zip(function.shapes).enumerate() {
        let is_read = match shape {
            Shape::InOut { .. } | Shape::Works { .. } | Shape::ChainPose => captured & 1 << place != 0,
            // A call for no objects reads and writes nothing of what belongs to them.
            Shape::Handles { .. } | Shape::Array { .. } | Shape::OutArray { is_filled: true, .. } => !is_empty,
            _ => true,
        };
        *read = if is_read { *word } else { 0 };
    }
    read
}

impl Recorder {
    /// Begins; what it needs for most calls is allocated.
    pub fn new(sink: Sink) -> Result<Self, Failure> {
        let head = Head {
            abi: SINEW_ABI_VERSION,
            pointer_size: size_of::<usize>() as u32,
            version: env!("CARGO_PKG_VERSION").to_string(),
        };
        let mut out = Vec::with_capacity(BLOCK);
        record::put_head(&mut out, &head);
        let spare = (0..4).map(|_| Parts::with_room()).collect();
        Ok(Self { sink, out, block: 1, shadows: Vec::new(), seen: Vec::new(), named: [0; 8], spare, stopped: None })
    }
    pub fn is_running(&self) -> bool {
        self.stopped.is_none()
    }
    /// Logs nothing more.
    pub fn stop(&mut self, why: Failure) {
        self.stopped = Some(why);
    }
    /// Writes the end.
    pub fn end(mut self) -> Result<(), Failure> {
        let code = self.stopped.as_ref().map_or(0, |failure| failure.code as i32);
        let ended = self.append(record::kind::END, &[&code.to_le_bytes()]).and_then(|()| self.flush());
        match self.stopped {
            Some(failure) => Err(failure),
            None => ended,
        }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.sink.write(&self.out)?;
        self.out.clear();
        self.block += 1;
        Ok(())
    }
    /// Adds an entry.
    pub(super) fn append(&mut self, kind: u8, pieces: &[&[u8]]) -> Result<(), Failure> {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        if length > u32::MAX as usize {
            return Err(too_long());
        }
        let head = record::entry_head(kind, length);
        if self.out.len() + head.len() + length > BLOCK {
            self.flush()?;
            if head.len() + length > BLOCK {
                self.sink.write(&head)?;
                return pieces.iter().try_for_each(|piece| self.sink.write(piece));
            }
        }
        self.out.extend_from_slice(&head);
        pieces.iter().for_each(|piece| self.out.extend_from_slice(piece));
        Ok(())
    }

    /// Logs what the host has written to pose buffers since the last call and this call reads.
    pub fn before(&mut self, function: &Function, words: &[u64], pending: &mut Pending) -> Result<(), Failure> {
        if function.kind == Kind::members {
            return self.log_members(words[0]);
        }
        if matches!(function.shapes.first(), Some(Shape::Handle))
            && !matches!(function.shapes.get(1), Some(Shape::Frame))
        {
            self.log_pose(words[0])?;
        }
        for (place, shape) in function.shapes.iter().enumerate() {
            match shape {
                Shape::Animators => {
                    // SAFETY: the caller of the recorded function vouches for the array.
                    for animator in unsafe { animators(words, place) } {
                        self.log_pose(animator.bits)?;
                    }
                }
                Shape::Frame => {
                    self.log_world(words, place)?;
                    pending.parts = self.spare.pop().unwrap_or_default();
                }
                Shape::InOut { .. } | Shape::Works { .. } | Shape::ChainPose => {
                    pending.parts = self.spare.pop().unwrap_or_default();
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The place of an animator's shadow.
    #[inline(always)]
    pub(super) fn shadow(&mut self, animator: u64) -> Result<usize, Failure> {
        let index = (animator & Id::INDEX_MASK) as usize;
        match self.shadows.get(index) {
            Some(shadow) if shadow.animator == animator => Ok(index),
            _ => self.new_shadow(animator, index),
        }
    }
    #[cold]
    #[inline(never)]
    fn new_shadow(&mut self, animator: u64, index: usize) -> Result<usize, Failure> {
        if index >= self.shadows.len() {
            let more = index + 1 - self.shadows.len();
            reserve(&mut self.shadows, more)?;
            self.shadows.resize_with(index + 1, Shadow::default);
        }
        self.shadows[index] = Shadow { animator, ..Shadow::default() };
        Ok(index)
    }

    /// Logs the pose buffer of an animator, if it is not as the log has it.
    pub fn log_pose(&mut self, animator: u64) -> Result<(), Failure> {
        // No closure: its result would be copied with the room for a message.
        let Ok(character) = registry::characters().lock(Id::from_bits(animator)) else { return Ok(()) };
        self.log_buffer(animator, &character)
    }

    /// The same of an animator that is in use here.
    pub fn log_buffer(&mut self, animator: u64, character: &Character) -> Result<(), Failure> {
        let pose = observe::buffer(character);
        let place = self.shadow(animator)?;
        if self.known(place, pose.len()) == pose {
            return Ok(());
        }
        self.append_pose(place, &record::pose_head(animator, pose.len()), pose)
    }

    /// The pose buffer of an animator as the log has it, if that is known.
    fn known(&self, place: usize, length: usize) -> &[u8] {
        let shadow = &self.shadows[place];
        if shadow.block == self.block {
            self.out.get(shadow.at..shadow.at + length).unwrap_or_default()
        } else {
            &shadow.pose
        }
    }

    /// Adds an entry that ends with a pose, and keeps where that is.
    #[inline(always)]
    fn append_pose<const HEAD: usize>(&mut self, place: usize, head: &[u8; HEAD], pose: &[u8]) -> Result<(), Failure> {
        let length = head.len() + pose.len();
        if self.out.len() + length > BLOCK {
            self.flush()?;
            if length > BLOCK {
                self.sink.write(head)?;
                self.sink.write(pose)?;
                return self.shadows[place].keep(pose);
            }
        }
        let at = self.out.len();
        let mut to = Writer::behind(&mut self.out);
        // SAFETY: the list has room for a block.
        unsafe {
            to.put(*head);
            to.put_all(pose);
            self.out.set_len(at + length);
        }
        let shadow = &mut self.shadows[place];
        (shadow.block, shadow.at) = (self.block, at + HEAD);
        shadow.pose.clear();
        Ok(())
    }

    pub(super) fn put_back(&mut self, mut parts: Parts) {
        parts.clear();
        if self.spare.len() < self.spare.capacity() {
            self.spare.push(parts);
        }
    }

    /// Logs a call of a setter that has returned.
    ///
    /// # Safety
    /// The words are arguments such as the function requires; `records` are their places and sizes,
    /// with `size` bytes in all.
    pub unsafe fn after_setter(
        &mut self,
        function: &Function,
        words: &[u64],
        result: SinewResult,
        records: [Option<(u8, u16)>; 2],
        size: usize,
    ) -> Result<(), Failure> {
        if result != SinewResult::SinewOk {
            return self.after(function, words, result, Pending::default());
        }
        self.name(function)?;
        let most = record::PLAIN_HEAD + 8 * words.len() + records.len() * record::PART_HEAD + size;
        if self.out.len() + most > BLOCK {
            self.flush()?;
        }
        let at = self.out.len();
        let mut to = Writer::behind(&mut self.out);
        // SAFETY: the list has room for a block, so for the most that is written; the records are
        // required of the caller.
        unsafe {
            to.put([0; record::PLAIN_HEAD]);
            words.iter().for_each(|word| to.put(word.to_le_bytes()));
            let end = to.written();
            for (place, size) in records.into_iter().flatten() {
                let word = words[place as usize];
                if word == 0 {
                    continue;
                }
                to.put_at(record::PLAIN_HEAD + 8 * place as usize, masked(word).to_le_bytes());
                to.put(record::part_head(Tag::Data, place, 0, size as usize));
                to.put_all(capture::records(word, size as usize, 1));
            }
            let parts = to.written() - end;
            to.put_at(0, record::plain_head(function.index, words.len(), parts));
            self.out.set_len(at + to.written());
        }
        Ok(())
    }

    /// Logs a solve of one animator that has succeeded, with the pose that it has left, as a copy
    /// costs less than a hash. What was solved is logged before.
    pub fn log_solve(&mut self, function: &Function, animator: u64, character: &Character) -> Result<(), Failure> {
        self.name(function)?;
        let pose = observe::buffer(character);
        let place = self.shadow(animator)?;
        self.append_pose(place, &record::written_head(function.index, animator, pose.len()), pose)
    }

    /// Logs a call that has returned.
    pub fn after(
        &mut self,
        function: &Function,
        words: &[u64],
        result: SinewResult,
        mut pending: Pending,
    ) -> Result<(), Failure> {
        if pending.has_lost {
            return Err(capture::lost_answers());
        }
        let has_run = result == SinewResult::SinewOk || pending.has_begun;
        let read = read_words(function, words, pending.captured);
        let words = if has_run { &read[..words.len().min(MAX_WORDS)] } else { words };
        let is_copied = has_run && observe::solves_buffers(function, words);
        let hash = if has_run && !is_copied {
            // SAFETY: the arguments of the call that has just returned, and has checked them.
            unsafe { observe::hash(function, words, result) }
        } else {
            0
        };
        if pending.parts.is_unused() {
            pending.parts = self.spare.pop().unwrap_or_default();
        }
        let parts = &mut pending.parts;
        if has_run {
            // SAFETY: as above.
            unsafe { capture::after(function, words, result, parts)? };
            if !pending.answers.is_empty() {
                parts.put(Tag::Answers, 0, 0, &pending.answers)?;
            }
        } else {
            parts.clear();
            // SAFETY: the text of this thread's last failure: of this call.
            let why = unsafe { CStr::from_ptr(text::last_error()) };
            parts.put(Tag::Error, 0, 0, why.to_bytes())?;
        }
        capture::put_rows(parts)?;
        self.name(function)?;
        let mut logged = [0; MAX_WORDS];
        for ((logged, word), shape) in logged.iter_mut().zip(words).zip(function.shapes) {
            *logged = match shape {
                Shape::Value | Shape::Handle | Shape::Owned => *word,
                _ => masked(*word),
            };
        }
        let logged = &logged[..words.len().min(MAX_WORDS)];
        let (head, length) = record::call_head(function.index, result as i32, hash, logged);
        let parts = core::mem::take(&mut pending.parts);
        let done = if is_copied {
            self.append_written(function, words, result, &head[..length], parts.bytes())
        } else {
            self.append(record::kind::CALL, &[&head[..length], parts.bytes()])
        };
        self.put_back(parts);
        done?;
        if has_run && !is_copied && matches!(function.shapes.get(1), Some(Shape::Frame)) {
            self.forget_arrays(words[0]);
        }
        Ok(())
    }

    /// Adds a call with what it has left in pose buffers, and the codes beside it: a copy costs
    /// less than a hash.
    fn append_written(
        &mut self,
        function: &Function,
        words: &[u64],
        result: SinewResult,
        head: &[u8],
        parts: &[u8],
    ) -> Result<(), Failure> {
        let begin = self.out.len();
        let (out, seen, mut done) = (&mut self.out, &mut self.seen, Ok(()));
        seen.clear();
        let mut put = |head: &[u8], piece: &[u8], owner: Owner| {
            let more = head.len() + piece.len();
            if done.is_ok() && (out.capacity() - out.len() < more || seen.len() == seen.capacity()) {
                done = reserve(out, more).and_then(|()| reserve(seen, 1));
            }
            if done.is_err() {
                return;
            }
            let at = out.len();
            if let Owner::Buffer(animator) = owner {
                seen.push((animator, at + head.len()));
            }
            let mut to = Writer::behind(out);
            // SAFETY: there is room for so many bytes.
            unsafe {
                to.put_all(head);
                to.put_all(piece);
                out.set_len(at + more);
            }
        };
        put(&record::entry_head(record::kind::CALL, 0), head, Owner::None);
        put(parts, &[], Owner::None);
        let mut each = |piece: &[u8], owner| {
            put(&record::part_head(Tag::Written, 0, 0, piece.len()), piece, owner);
        };
        // SAFETY: the arguments of the call that has just returned.
        unsafe { observe::written(function, words, result, &mut each) };
        let length = self.out.len() - begin - record::ENTRY_HEAD;
        if done.is_err() || length > u32::MAX as usize {
            self.out.truncate(begin);
            return done.and(Err(too_long()));
        }
        self.out[begin..begin + record::ENTRY_HEAD].copy_from_slice(&record::entry_head(record::kind::CALL, length));
        for index in 0..self.seen.len() {
            let (animator, at) = self.seen[index];
            let place = self.shadow(animator)?;
            let shadow = &mut self.shadows[place];
            (shadow.block, shadow.at) = (self.block, at);
            shadow.pose.clear();
        }
        if self.out.len() > BLOCK { self.flush() } else { Ok(()) }
    }

    /// Logs the name of a function before its first call.
    fn name(&mut self, function: &Function) -> Result<(), Failure> {
        let (word, bit) = (function.index as usize / 64, 1u64 << (function.index % 64));
        if self.named[word] & bit == 0 {
            self.named[word] |= bit;
            self.append(record::kind::NAME, &[&function.index.to_le_bytes(), function.name.as_bytes()])?;
        }
        Ok(())
    }
}

fn too_long() -> Failure {
    Failure::new(SinewResult::SinewErrorNotAvailable, "a call with more than 4 GiB of data")
}
