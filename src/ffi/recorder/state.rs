//! One recording.

use super::super::answers;
use super::super::guard::Failure;
use super::super::ids::SinewWorld;
use super::super::registry;
use super::super::result::SinewResult;
use super::super::shapes::{Function, Kind, Shape, from_word};
use super::super::text;
use super::super::types::SINEW_ABI_VERSION;
use super::super::world_frame::HostFrame;
use super::capture::{self, Parts};
use super::memory::{bytes, masked};
use super::observe::{self, Poses};
use super::sink::Sink;
use crate::record::{self, BitHash, Head, MAX_WORDS, Tag};
use crate::store::Id;
use crate::world::World;
use core::ffi::CStr;

/// Bytes that are collected before they are written.
const BLOCK: usize = 256 << 10;

/// A call that has begun.
#[derive(Default)]
pub(super) struct Pending {
    /// What was captured before it.
    parts: Parts,
    /// Whether what it reads and writes could be captured: then it is logged even if it fails.
    is_captured: bool,
    /// Answers of the host's ground.
    pub answers: Vec<u8>,
    /// Whether there was no memory for some of them.
    pub has_lost_answers: bool,
}

/// The pose buffer of an animator as the log has it.
#[derive(Default)]
struct Shadow {
    animator: u64,
    pose: Vec<u8>,
    /// Hash of its pose in the arrays of its world.
    arrays: u64,
}

pub(super) struct Recorder {
    sink: Sink,
    out: Vec<u8>,
    /// By the index of the animator's slot.
    shadows: Vec<Shadow>,
    /// Which functions have been named, by number.
    named: [u64; 8],
    /// Buffers of calls that have ended.
    spare: Vec<Parts>,
    stopped: Option<Failure>,
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
        Ok(Self { sink, out, shadows: Vec::new(), named: [0; 8], spare, stopped: None })
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
        Ok(())
    }
    /// Adds an entry.
    fn append(&mut self, kind: u8, pieces: &[&[u8]]) -> Result<(), Failure> {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        if length > u32::MAX as usize {
            return Err(Failure::new(SinewResult::SinewErrorNotAvailable, "a call with more than 4 GiB of data"));
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

    /// Logs what the host has written since the last call and this call reads, and captures what it
    /// reads and overwrites.
    pub fn before(&mut self, function: &Function, words: &[u64], pending: &mut Pending) -> Result<(), Failure> {
        if matches!(function.shapes.first(), Some(Shape::Handle))
            && !matches!(function.shapes.get(1), Some(Shape::Frame))
        {
            self.log_pose(words[0], !is_lone_solve(function))?;
        }
        if function.kind != Kind::solve {
            return Ok(());
        }
        for (place, shape) in function.shapes.iter().enumerate() {
            match shape {
                Shape::Animators => {
                    // SAFETY: the caller of the recorded function vouches for the array.
                    let handles = unsafe { capture::records(words[place], 8, words[place + 1] as u32 as usize) };
                    for bits in handles.as_chunks::<8>().0 {
                        self.log_pose(u64::from_ne_bytes(*bits), true)?;
                    }
                }
                Shape::Frame => self.log_world(words, place, pending)?,
                Shape::InOut { .. } | Shape::Works { .. } | Shape::ChainPose => {
                    pending.parts = self.spare.pop().unwrap_or_default();
                    // SAFETY: the caller of the recorded function vouches for its arguments.
                    pending.is_captured = unsafe { capture::before(shape, place, words, &mut pending.parts)? };
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The place of an animator's shadow.
    fn shadow(&mut self, animator: u64) -> Result<usize, Failure> {
        let index = (animator & Id::INDEX_MASK) as usize;
        if index >= self.shadows.len() {
            let more = index + 1 - self.shadows.len();
            capture::reserve(&mut self.shadows, more)?;
            self.shadows.resize_with(index + 1, Shadow::default);
        }
        if self.shadows[index].animator != animator {
            self.shadows[index] = Shadow { animator, ..Shadow::default() };
        }
        Ok(index)
    }

    /// Logs the pose buffer of an animator, if it is not as the last call has left it. `keeps`:
    /// whether the call leaves it as it is; else what it leaves is kept after it.
    fn log_pose(&mut self, animator: u64, keeps: bool) -> Result<(), Failure> {
        let logged = registry::characters().with(Id::from_bits(animator), |character| {
            let pose = observe::buffer(character);
            let place = self.shadow(animator)?;
            let shadow = &mut self.shadows[place].pose;
            if shadow == pose {
                return Ok(());
            }
            if keeps {
                keep(shadow, pose)?;
            } else {
                shadow.clear();
            }
            self.append(record::kind::POSE, &[&animator.to_le_bytes(), pose])
        });
        logged.unwrap_or(Ok(()))
    }

    fn log_world(&mut self, words: &[u64], place: usize, pending: &mut Pending) -> Result<(), Failure> {
        // SAFETY: the caller of the recorded function vouches for the address.
        let frame = unsafe { observe::frame_of(from_word(words[place])) };
        if words[place] != 0 && frame.is_none() {
            return Ok(());
        }
        let world = SinewWorld { bits: words[0] };
        let mut done = Ok(());
        let _ = registry::with_world(world, |host| {
            done = self.log_poses(words[0], Poses::of(frame.as_ref()), &mut host.set);
            Ok(())
        });
        done?;
        let Some(frame) = frame else {
            pending.is_captured = true;
            return Ok(());
        };
        pending.parts = self.spare.pop().unwrap_or_default();
        let parts = &mut pending.parts;
        let mut captured = Ok(false);
        let _ = registry::with_world(world, |host| {
            let rows = host.set.row_count();
            let of_host = Poses::of(Some(&frame)) == Poses::Host;
            if (of_host || !frame.roots.is_null() || !frame.inputs.is_null()) && (frame.row_count as usize) < rows {
                return Ok(());
            }
            let checked = HostFrame::new(&frame, host.set.most_joints())?;
            // SAFETY: the caller of the recorded function vouches for what the frame states.
            captured = unsafe { capture::frame(&frame, &checked, place, &host.set, parts) }.map(|()| true);
            Ok(())
        });
        pending.is_captured = captured?;
        Ok(())
    }

    /// Logs the poses that the members of a world read from memory of the library.
    fn log_poses(&mut self, world: u64, poses: Poses, set: &mut World) -> Result<(), Failure> {
        match poses {
            Poses::Own => {
                let members = (0..set.row_count() as u32).filter_map(|row| set.member(row));
                members.map(|id| id.bits()).try_for_each(|animator| self.log_pose(animator, true))
            }
            Poses::Arrays => self.log_arrays(world, set),
            Poses::Host => Ok(()),
        }
    }

    /// Logs the poses in a world's arrays that are not as the last call has left them.
    fn log_arrays(&mut self, world: u64, set: &mut World) -> Result<(), Failure> {
        for row in 0..set.row_count() as u32 {
            let Some(id) = set.member(row) else { continue };
            let place = self.shadow(id.bits())?;
            let Some((tile, lane)) = set.pose_tile(row) else { continue };
            let mut hash = BitHash::default();
            tile.pose(lane).for_each(|transform| hash.add(observe::transform_bytes(&transform)));
            let hash = hash.finish();
            if self.shadows[place].arrays == hash {
                continue;
            }
            self.shadows[place].arrays = hash;
            let mut locals = self.spare.pop().unwrap_or_default();
            let added = tile.pose(lane).try_for_each(|transform| locals.add(observe::transform_bytes(&transform)));
            let logged = added.and_then(|()| {
                let pieces = [&world.to_le_bytes()[..], &id.bits().to_le_bytes(), locals.bytes()];
                self.append(record::kind::ARRAYS, &pieces)
            });
            self.put_back(locals);
            logged?;
        }
        Ok(())
    }

    fn put_back(&mut self, mut parts: Parts) {
        parts.clear();
        if self.spare.len() < self.spare.capacity() {
            self.spare.push(parts);
        }
    }

    /// Logs a call of a setter that has returned.
    ///
    /// # Safety
    /// The words are arguments such as the function requires.
    pub unsafe fn after_setter(
        &mut self,
        function: &Function,
        words: &[u64],
        result: SinewResult,
    ) -> Result<(), Failure> {
        if result != SinewResult::SinewOk {
            return self.after(function, words, result, Pending::default());
        }
        self.name(function)?;
        let mut size = 15 + 8 * words.len();
        for (shape, word) in function.shapes.iter().zip(words) {
            if let (Shape::In(record), true) = (shape, *word != 0) {
                size += record::PART_HEAD + record.size;
            }
        }
        if self.out.len() + 5 + size > BLOCK {
            self.flush()?;
        }
        self.out.extend_from_slice(&record::entry_head(record::kind::CALL, size));
        let mut head = [0; 15];
        head[..2].copy_from_slice(&function.index.to_le_bytes());
        head[14] = words.len() as u8;
        self.out.extend_from_slice(&head);
        for (shape, word) in function.shapes.iter().zip(words) {
            let word = if let Shape::In(_) = shape { masked(*word) } else { *word };
            self.out.extend_from_slice(&word.to_le_bytes());
        }
        for (place, (shape, word)) in function.shapes.iter().zip(words).enumerate() {
            if let (Shape::In(record), true) = (shape, *word != 0) {
                self.out.extend_from_slice(&record::part_head(Tag::Data, place as u8, 0, record.size));
                // SAFETY: required of the caller.
                self.out.extend_from_slice(unsafe { capture::records(*word, record.size, 1) });
            }
        }
        Ok(())
    }

    /// Logs the solve of one animator that has succeeded: with the pose that it left, as a copy
    /// costs less than a hash. False: there is no such animator any more.
    fn after_lone_solve(&mut self, function: &Function, animator: u64) -> Result<bool, Failure> {
        self.name(function)?;
        let logged = registry::characters().with(Id::from_bits(animator), |character| {
            let pose = observe::buffer(character);
            let (head, length) = record::call_head(function.index, 0, 0, &[animator]);
            let part = record::part_head(Tag::Written, 0, 0, pose.len());
            self.append(record::kind::CALL, &[&head[..length], &part, pose])?;
            let place = self.shadow(animator)?;
            keep(&mut self.shadows[place].pose, pose)
        });
        logged.map_or(Ok(false), |done| done.map(|()| true))
    }

    /// Logs a call that has returned.
    pub fn after(
        &mut self,
        function: &Function,
        words: &[u64],
        result: SinewResult,
        mut pending: Pending,
    ) -> Result<(), Failure> {
        if result == SinewResult::SinewOk && is_lone_solve(function) && self.after_lone_solve(function, words[0])? {
            return Ok(());
        }
        if pending.has_lost_answers {
            let why = "no memory for what the callbacks answered";
            return Err(Failure::new(SinewResult::SinewErrorOutOfMemory, why));
        }
        let is_whole = matches!(result, SinewResult::SinewOk | SinewResult::SinewErrorPanic);
        let has_run =
            is_whole || pending.is_captured || (function.kind == Kind::solve && may_have_run(function, result));
        let mut hash = 0;
        if has_run {
            let shadows = &mut self.shadows;
            // SAFETY: the arguments of the call that has just returned.
            hash = unsafe {
                observe::hash(function, words, result, |animator, pose| {
                    let place = (animator & Id::INDEX_MASK) as usize;
                    if let Some(shadow) = shadows.get_mut(place).filter(|s| s.animator == animator) {
                        let _ = keep(&mut shadow.pose, pose);
                    }
                })
            };
        }
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
            if function.kind == Kind::solve {
                let mut kept = Ok(());
                answers::take(|times| {
                    if !times.is_empty() {
                        // SAFETY: numbers without padding.
                        kept = parts.put(Tag::Answers, 0, 0, unsafe { bytes(times.as_ptr(), times.len()) });
                    }
                });
                kept?;
            }
        } else {
            // SAFETY: the text of this thread's last failure: of this call.
            let why = unsafe { CStr::from_ptr(text::last_error()) };
            parts.put(Tag::Error, 0, 0, why.to_bytes())?;
        }
        self.name(function)?;
        let mut logged = [0; MAX_WORDS];
        for ((logged, word), shape) in logged.iter_mut().zip(words).zip(function.shapes) {
            *logged = match shape {
                Shape::Value | Shape::Handle | Shape::Owned => *word,
                _ => masked(*word),
            };
        }
        let words = &logged[..words.len().min(MAX_WORDS)];
        let (head, length) = record::call_head(function.index, result as i32, hash, words);
        let parts = core::mem::take(&mut pending.parts);
        let done = self.append(record::kind::CALL, &[&head[..length], parts.bytes()]);
        self.put_back(parts);
        done?;
        if function.kind == Kind::solve && has_run && matches!(function.shapes.get(1), Some(Shape::Frame)) {
            self.forget_arrays(words[0]);
        }
        Ok(())
    }

    /// After a solve: the arrays are as the solve has left them.
    fn forget_arrays(&mut self, world: u64) {
        let shadows = &mut self.shadows;
        let _ = registry::with_world(SinewWorld { bits: world }, |host| {
            for row in 0..host.set.row_count() as u32 {
                let Some(id) = host.set.member(row) else { continue };
                let Some((tile, lane)) = host.set.pose_tile(row) else { continue };
                let place = (id.bits() & Id::INDEX_MASK) as usize;
                if let Some(shadow) = shadows.get_mut(place).filter(|s| s.animator == id.bits() && s.arrays != 0) {
                    let mut hash = BitHash::default();
                    tile.pose(lane).for_each(|transform| hash.add(observe::transform_bytes(&transform)));
                    shadow.arrays = hash.finish();
                }
            }
            Ok(())
        });
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

/// Whether a call solves one animator, and does nothing else.
fn is_lone_solve(function: &Function) -> bool {
    function.kind == Kind::solve && matches!(function.shapes, [Shape::Handle])
}

/// Copies a pose; allocates the first time.
fn keep(shadow: &mut Vec<u8>, pose: &[u8]) -> Result<(), Failure> {
    if shadow.len() == pose.len() {
        shadow.copy_from_slice(pose);
        return Ok(());
    }
    shadow.clear();
    capture::reserve(shadow, pose.len())?;
    shadow.extend_from_slice(pose);
    Ok(())
}

/// Whether a solve that failed may have solved something: all but those that are refused as a
/// whole.
fn may_have_run(function: &Function, result: SinewResult) -> bool {
    use SinewResult as R;
    let is_many = matches!(function.shapes.first(), Some(Shape::Animators));
    match result {
        R::SinewErrorNullPointer
        | R::SinewErrorLengthMismatch
        | R::SinewErrorStructSize
        | R::SinewErrorInvalidArgument
        | R::SinewErrorInvalidEnum
        | R::SinewErrorOutOfMemory => false,
        R::SinewErrorInvalidHandle | R::SinewErrorBusy | R::SinewErrorPoisoned => is_many,
        _ => is_many || function.name == "sinew_animator_solve",
    }
}
