//! One replay of a log.

use super::super::answers;
use super::super::convert::joint_index;
use super::super::exports::FUNCTIONS;
use super::super::ids::{SinewAnimator, SinewWorld};
use super::super::recorder::observe::{self, Owner};
use super::super::registry;
use super::super::result::SinewResult;
use super::super::shapes::{Function, Kind, Shape, from_word, to_word};
use super::super::text;
use super::super::types::SINEW_ABI_VERSION;
use super::arguments::{Arguments, Handles, TaskAnswers, Unfit};
use crate::animator::Animator;
use crate::math::{Frame, Quat, Transform, Vec3};
use crate::record::{Call, Entry, Head, Tag};
use crate::store::Id;
use crate::world::Character;
use core::ffi::CStr;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Why a log cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// By a library with another interface.
    #[error("recorded with ABI {recorded} (version {version}); this program has ABI {own}")]
    Abi {
        /// The ABI number in the log.
        recorded: u32,
        /// The version in the log.
        version: String,
        /// The ABI number of this program.
        own: u32,
    },
    /// Where pointers have another size.
    #[error("recorded where pointers have {0} bytes; here they have {size}", size = size_of::<usize>())]
    PointerSize(u32),
}

/// What a call of the log was, and is now.
#[derive(Clone, Debug)]
pub struct Played {
    /// The C name of the function.
    pub function: &'static str,
    /// Whether it solves: the end of a frame.
    pub is_frame: bool,
    /// The code that was recorded.
    pub recorded: i32,
    /// Hash of what it wrote, as recorded.
    pub recorded_hash: u64,
    /// How it went now.
    pub outcome: Outcome,
}

/// How a call went.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was run.
    Run {
        /// The code that it returned.
        result: i32,
        /// Hash of what it wrote.
        hash: u64,
        /// How long it took.
        time: Duration,
        /// Its sentence, when it failed.
        error: String,
    },
    /// It was refused as a whole when it was recorded, which changes nothing: the sentence.
    Refused(String),
    /// It uses an object that was created before the recording began.
    Unknown,
    /// Its data do not fit.
    Damaged(&'static str),
    /// This version has no such function.
    NoFunction,
}

impl Played {
    /// Whether the same code and the same bits came out.
    pub fn is_same(&self) -> bool {
        match &self.outcome {
            Outcome::Run { result, hash, .. } => *result == self.recorded && *hash == self.recorded_hash,
            Outcome::Refused(_) => true,
            _ => false,
        }
    }
}

/// A character, to be drawn.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its handle.
    pub animator: u64,
    /// Parent of each joint, or −1.
    pub parents: Vec<i32>,
    /// Position of each joint in world space.
    pub joints: Vec<[f32; 3]>,
}

/// Runs the entries of a log. One at a time in a process.
pub struct Player {
    functions: HashMap<u16, Option<&'static Function>>,
    handles: Handles,
    /// How to destroy what was created.
    created: Vec<(&'static Function, u64)>,
    animators: Vec<u64>,
    /// The pose that the last solve of an animator has left.
    poses: HashMap<u64, Vec<Transform>>,
    /// What the functions of tasks answer, by the number of the task in the log. Boxes: tasks have
    /// their addresses.
    answers: HashMap<u32, Box<TaskAnswers>>,
    _only: MutexGuard<'static, ()>,
}

static ONLY: Mutex<()> = Mutex::new(());

impl Player {
    /// Waits for the other players of the process.
    pub fn new(head: &Head) -> Result<Self, PlayError> {
        if head.abi != SINEW_ABI_VERSION {
            let (recorded, version) = (head.abi, head.version.clone());
            return Err(PlayError::Abi { recorded, version, own: SINEW_ABI_VERSION });
        }
        if head.pointer_size as usize != size_of::<usize>() {
            return Err(PlayError::PointerSize(head.pointer_size));
        }
        Ok(Self {
            functions: HashMap::new(),
            handles: Handles::new(),
            created: Vec::new(),
            animators: Vec::new(),
            poses: HashMap::new(),
            answers: HashMap::new(),
            _only: ONLY.lock().unwrap_or_else(PoisonError::into_inner),
        })
    }

    /// Runs an entry; `None` for those that are no calls.
    pub fn play(&mut self, entry: &Entry) -> Option<Played> {
        match entry {
            Entry::Name { function, name } => {
                let found = FUNCTIONS.iter().find(|f| f.name == *name && f.kind != Kind::silent);
                self.functions.insert(*function, found);
                None
            }
            Entry::Pose { animator, pose } => {
                self.write_pose(*animator, pose);
                None
            }
            Entry::Arrays { world, animator, locals } => {
                self.write_arrays(*world, *animator, locals);
                None
            }
            Entry::Call(call) => Some(self.call(call)),
            Entry::End { .. } => None,
        }
    }

    fn write_pose(&self, animator: u64, pose: &[u8]) {
        let Some(id) = self.handles.get(&(0, animator)) else { return };
        let _ = registry::characters().with(Id::from_bits(*id), |character| {
            let transforms = transforms(pose);
            if transforms.len() == character.buffer().len() {
                character.buffer_mut().copy_from_slice(&transforms);
            }
        });
    }
    fn write_arrays(&self, world: u64, animator: u64, locals: &[u8]) {
        let handle = |bits| self.handles.get(&(0, bits)).copied();
        let (Some(world), Some(animator)) = (handle(world), handle(animator)) else { return };
        let _ = registry::with_world(SinewWorld { bits: world }, |host| {
            if let Some(row) = host.set.row(Id::from_bits(animator))
                && let Some((tile, lane)) = host.set.pose_tile(row)
            {
                let transforms = transforms(locals);
                if transforms.len() == tile.local().len() {
                    tile.put_pose(lane, &transforms);
                }
            }
            Ok(())
        });
    }

    fn call(&mut self, call: &Call) -> Played {
        // Also with calls that are not run: they may be answers of another thread's call.
        for part in call.parts.iter().filter(|part| part.tag == Tag::Rows) {
            self.answers.entry(part.index).or_default().add(part.bytes);
        }
        let found = self.functions.get(&call.function).copied().flatten();
        let outcome = match found {
            None => Outcome::NoFunction,
            Some(function) => match call.parts.iter().find(|part| part.tag == Tag::Error) {
                Some(why) => Outcome::Refused(String::from_utf8_lossy(why.bytes).into_owned()),
                None => self.run(function, call),
            },
        };
        Played {
            function: found.map_or("", |function| function.name),
            is_frame: found.is_some_and(|function| function.kind == Kind::solve),
            recorded: call.result,
            recorded_hash: call.hash,
            outcome,
        }
    }

    fn run(&mut self, function: &'static Function, call: &Call) -> Outcome {
        let answers = self.answers_of(function, call);
        let mut arguments = Arguments::new(call, &self.handles, answers);
        let mut words = match arguments.words(function) {
            Ok(words) => words,
            Err(Unfit::Unknown) => return Outcome::Unknown,
            Err(Unfit::Damaged(what)) => return Outcome::Damaged(what),
        };
        if function.name == "sinew_world_set_threads" {
            // Frames have the same bits with any number of threads.
            let most = std::thread::available_parallelism().map_or(1, usize::from) as u64;
            words[1] = words[1].min(most);
        }
        let has_ground = function.shapes.iter().any(|shape| matches!(shape, Shape::Cast));
        let times = call.parts.iter().find(|part| part.tag == Tag::Answers && !has_ground);
        if let Some(times) = times {
            answers::give(times.bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect());
        }
        let begin = Instant::now();
        // SAFETY: `Arguments` has made such arguments as the function requires, of memory that
        // lives longer than the call.
        let result = unsafe { function.run(&words) };
        let time = begin.elapsed();
        if times.is_some() {
            answers::keep(false);
        }
        // The host's jobs broke their contract, which those of a replay do not: all was solved just
        // the same.
        let jobs = SinewResult::SinewErrorJobs;
        let result = if call.result == jobs as i32 { jobs } else { result };
        let hash = see(&mut self.poses, function, &words, result);
        let is_done = result == SinewResult::SinewOk;
        let mut added = Vec::new();
        for (place, shape) in function.shapes.iter().enumerate() {
            let owner = match shape {
                Shape::OutHandle => 0,
                Shape::OutOwned => call.words[0],
                _ => continue,
            };
            let part = call.parts.iter().find(|part| part.tag == Tag::Handle && part.argument as usize == place);
            let recorded = part.and_then(|part| part.bytes.first_chunk()).map(|bytes| u64::from_le_bytes(*bytes));
            if let (true, Some(recorded), true) = (is_done, recorded, words[place] != 0) {
                // SAFETY: memory of eight bytes that the call has written.
                let now = unsafe { from_word::<*const u64>(words[place]).read_unaligned() };
                added.push(((owner, recorded), now));
            }
        }
        drop(arguments);
        for (recorded, now) in added {
            self.handles.insert(recorded, now);
            self.own(function, now);
        }
        let error = match is_done {
            true => String::new(),
            // SAFETY: the text of this thread's last failure.
            false => unsafe { CStr::from_ptr(text::last_error()) }.to_string_lossy().into_owned(),
        };
        Outcome::Run { result: result as i32, hash, time, error }
    }

    /// The answers of the task that a call adds, if it adds one.
    fn answers_of(&mut self, function: &Function, call: &Call) -> *const TaskAnswers {
        let Some(place) = function.shapes.iter().position(|shape| matches!(shape, Shape::Rows)) else {
            return core::ptr::null();
        };
        let part = call.parts.iter().find(|part| part.tag == Tag::Data && part.argument as usize == place);
        let number = part.and_then(|part| part.bytes.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes));
        &raw const **self.answers.entry(number).or_default()
    }

    /// Remembers how to destroy an object.
    fn own(&mut self, creator: &Function, handle: u64) {
        let Some(kind) = creator.name.strip_suffix("_create") else { return };
        if kind == "sinew_animator" {
            self.animators.push(handle);
        }
        let destroy = FUNCTIONS.iter().find(|f| f.name.strip_suffix("_destroy") == Some(kind));
        self.created.extend(destroy.map(|destroy| (destroy, handle)));
    }

    /// All characters that exist, as their last solves have left them.
    pub fn figures(&self) -> Vec<Figure> {
        let figure = |animator: &u64| {
            registry::with_animator(SinewAnimator { bits: *animator }, |character| {
                let skeleton = character.animator.skeleton();
                let parents = (0..skeleton.joint_count()).map(|joint| joint_index(skeleton.parent(joint)));
                let pose = self.poses.get(animator).filter(|pose| pose.len() == skeleton.joint_count());
                let joints = joint_positions(character, pose.map(Vec::as_slice));
                Ok(Figure { animator: *animator, parents: parents.collect(), joints })
            })
        };
        self.animators.iter().filter_map(|animator| figure(animator).ok()).collect()
    }
}

/// The hash of what a call has written; the poses are kept by animator.
fn see(poses: &mut HashMap<u64, Vec<Transform>>, function: &Function, words: &[u64], result: SinewResult) -> u64 {
    let mut last = Owner::None;
    let keep = |piece: &[u8], owner: Owner| {
        if let Owner::Buffer(animator) | Owner::Joint(animator) = owner {
            let pose = poses.entry(animator).or_default();
            if owner != last || matches!(owner, Owner::Buffer(_)) {
                pose.clear();
            }
            pose.extend(transforms(piece));
        }
        last = owner;
    };
    // SAFETY: the arguments of the call that has just returned, and has checked them.
    unsafe { observe::hash_seen(function, words, result, keep) }
}

/// Where the joints of a pose are in world space; without one, those of the pose buffer.
fn joint_positions(character: &Character, pose: Option<&[Transform]>) -> Vec<[f32; 3]> {
    let skeleton = character.animator.skeleton();
    let world = Animator::world_frame(&character.animator);
    let mut frames = Vec::<Frame>::with_capacity(skeleton.joint_count());
    for (joint, own) in character.buffer().iter().enumerate() {
        let local = pose.map_or(*own, |pose| pose[joint]);
        let parent = skeleton.parent(joint).map_or(Frame::IDENTITY, |parent| frames[parent]);
        frames.push(parent.then(&local));
    }
    frames.iter().map(|frame| world.compose(frame).position.to_array()).collect()
}

impl Drop for Player {
    fn drop(&mut self) {
        for (destroy, handle) in self.created.drain(..).rev() {
            // SAFETY: a function of one handle, which may be any number.
            unsafe { destroy.run(&[to_word(handle)]) };
        }
    }
}

fn transforms(bytes: &[u8]) -> Vec<Transform> {
    let one = |bytes: &[u8; 40]| {
        let n: [f32; 10] =
            core::array::from_fn(|i| bytes[4 * i..].first_chunk().map_or(0.0, |bytes| f32::from_le_bytes(*bytes)));
        Transform {
            position: Vec3::new(n[0], n[1], n[2]),
            rotation: Quat::from_xyzw(n[3], n[4], n[5], n[6]),
            scale: Vec3::new(n[7], n[8], n[9]),
        }
    };
    bytes.as_chunks::<40>().0.iter().map(one).collect()
}
