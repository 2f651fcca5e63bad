//! The handles that exist, one call, and what must hold after it.

use super::content;
use super::memory::{Block, Use};
use super::rig::Rig;
use crate::input::Input;
use core::ffi::{CStr, c_char};
use sinew::ffi::*;

/// A function of the C ABI.
pub struct Call {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    /// Makes the arguments and calls it.
    pub run: fn(&mut Machine) -> SinewResult,
}

macro_rules! calls {
    ($($function:ident($($argument:ident),*);)*) => {
        /// Every function, in the order of the header.
        pub const CALLS: &[Call] = &[$(Call {
            name: stringify!($function),
            arguments: &[$(stringify!($argument)),*],
            // SAFETY: pointers lead to blocks as long as the arguments say (`argument`, `content`).
            #[allow(unused_unsafe, unused_variables)]
            run: |machine| unsafe {
                sinew::ffi::$function($(super::argument::Argument::make(machine, stringify!($argument))),*)
            },
        }),*];
    };
}
pub(crate) use calls;

/// Handles of one type.
struct Pool {
    of: &'static str,
    bits: Vec<u64>,
    destroy: fn(u64),
}

/// How many handles of a type are kept; the oldest is destroyed.
const MOST_HANDLES: usize = 6;

/// What a sequence of calls has made so far.
pub struct Machine<'a> {
    pub input: Input<'a>,
    /// Name of the current call.
    pub calling: &'static str,
    /// Length of the arrays of the current call.
    pub room: usize,
    /// Seconds, for calls that take the time.
    pub time: f64,
    /// Calls, and those that succeeded.
    pub counts: (u64, u64),
    pools: Vec<Pool>,
    blocks: Vec<Block>,
    /// Animator of the current call.
    animator: u64,
    /// Bytes that functions wrote: snapshots and packets.
    saved: Vec<Vec<u8>>,
}

macro_rules! pool {
    ($handle:ident, $destroy:ident) => {
        Pool {
            of: stringify!($handle),
            bits: Vec::new(),
            destroy: |bits| {
                $destroy($handle { bits });
            },
        }
    };
    ($handle:ident) => {
        Pool { of: stringify!($handle), bits: Vec::new(), destroy: |_| {} }
    };
}

impl<'a> Machine<'a> {
    /// With a person's skeleton and avatar, and one object of each kind.
    pub fn new(input: Input<'a>) -> Self {
        let mut machine = Self {
            input: Input::new(&[]),
            calling: "",
            room: Rig::get().joints(),
            time: 0.0,
            counts: (0, 0),
            pools: vec![
                pool!(SinewWorld, sinew_world_destroy),
                pool!(SinewTrackedBody, sinew_tracked_body_destroy),
                pool!(SinewGrounder, sinew_grounder_destroy),
                pool!(SinewBody, sinew_body_destroy),
                pool!(SinewAnimator, sinew_animator_destroy),
                pool!(SinewAvatar, sinew_avatar_destroy),
                pool!(SinewSkeleton, sinew_skeleton_destroy),
                pool!(SinewConstraint),
                pool!(SinewBodyTask),
                pool!(SinewJob),
            ],
            blocks: Vec::new(),
            animator: 0,
            saved: Vec::new(),
        };
        // Without bytes every choice is the first, which is the usual one.
        for name in [
            "sinew_skeleton_create",
            "sinew_avatar_create",
            "sinew_animator_create",
            "sinew_world_create",
            "sinew_world_join",
            "sinew_body_create",
            "sinew_grounder_create",
            "sinew_tracked_body_create",
            "sinew_animator_add_chain",
        ] {
            let call = super::table::CALLS.iter().find(|call| call.name == name).expect("a function");
            machine.call(call);
        }
        machine.input = input;
        machine
    }

    /// A handle of a type: mostly one that lives.
    pub fn handle(&mut self, of: &str) -> u64 {
        let kind = self.pools.iter().position(|pool| pool.of == of).expect("a type of handle");
        let pool = &self.pools[kind].bits;
        let living = if pool.is_empty() { 0 } else { pool[self.input.below(pool.len())] };
        let bits = match self.input.below(64) {
            63 => 0,
            62 => self.input.long(),
            61 => living ^ 1 << self.input.below(64),
            60 => {
                let other = self.input.below(self.pools.len());
                self.pools[other].bits.first().copied().unwrap_or(1)
            }
            _ => living,
        };
        if of == "SinewAnimator" {
            self.animator = bits;
        }
        bits
    }

    /// Memory for an argument: of `count` records of `size` bytes.
    pub fn block(&mut self, argument: &'static str, of: &'static str, size: usize, count: usize, role: Use) -> *mut u8 {
        let least = if matches!(of, "i8") && role == Use::Input { 40 } else { 1 };
        let mut block = Block::new(argument, of, (size * count).max(least), role);
        if role != Use::Output {
            content::fill(self, &mut block, size);
        }
        self.keep(block)
    }

    /// A block that a struct points to.
    pub fn inner<T>(&mut self, argument: &'static str, of: &'static str, count: usize) -> *mut T {
        content::inner(self, argument, of, count)
    }

    /// An array that a struct points to.
    pub fn array<T: Copy>(
        &mut self,
        argument: &'static str,
        count: usize,
        record: impl Fn(&mut Self, usize) -> T,
    ) -> *mut T {
        let mut block = Block::new(argument, "array", size_of::<T>() * count.max(1), Use::Both);
        for k in 0..count {
            let value = record(self, k);
            block.put(k * size_of::<T>(), value);
        }
        self.keep(block).cast()
    }

    /// Keeps a block, and what stands there, until the call has returned.
    pub fn keep(&mut self, mut block: Block) -> *mut u8 {
        block.keep();
        let at = block.pointer();
        self.blocks.push(block);
        at
    }

    /// Bytes that a function wrote before.
    pub fn saved_bytes(&mut self) -> Vec<u8> {
        let count = self.saved.len();
        if count == 0 { Vec::new() } else { self.saved[self.input.below(count)].clone() }
    }

    fn choose_room(&mut self, call: &Call) {
        let joints = Rig::get().joints();
        let name = call.name;
        let reads_bytes = name.contains("restore") || name.contains("set_snapshot") || name.contains("receive");
        self.room = if reads_bytes && !self.saved.is_empty() && !self.input.one_in(8) {
            self.saved[self.saved.len() - 1].len()
        } else if name.contains("snapshot") || name.contains("_text") || name.contains("json") || name.contains("pack")
        {
            let exact = self.exact_size(name);
            if self.input.one_in(8) { self.input.below(4096) } else { exact }
        } else if name.starts_with("sinew_grounder") {
            if self.input.one_in(4) { self.input.below(12) } else { 1 }
        } else {
            match self.input.below(12) {
                0..6 if name.contains("map_") => 55,
                0..6 => joints,
                6 | 7 => 55,
                8 => 0,
                9 => 1,
                10 => self.input.below(600),
                _ => self.input.below(70),
            }
        };
        if name == "sinew_world_set_threads" {
            self.room %= 3;
        }
    }

    /// The size of a snapshot that must be met exactly, or plenty.
    fn exact_size(&mut self, name: &str) -> usize {
        let mut size = 16_384_u32;
        if name.starts_with("sinew_grounder") {
            let bits = self.handle("SinewGrounder");
            sinew_grounder_get_snapshot_size(SinewGrounder { bits }, Some(&mut size));
        } else if name.starts_with("sinew_tracked_body_get_snapshot") {
            let bits = self.handle("SinewTrackedBody");
            sinew_tracked_body_get_snapshot_size(SinewTrackedBody { bits }, Some(&mut size));
        }
        size as usize
    }

    /// Makes a call and checks what it left.
    pub fn call(&mut self, call: &Call) {
        self.calling = call.name;
        self.choose_room(call);
        let result = (call.run)(self);
        self.counts.0 += 1;
        self.counts.1 += u64::from(result == SinewResult::SinewOk);
        let mut blocks = std::mem::take(&mut self.blocks);
        self.check(call, result, &mut blocks);
        if result == SinewResult::SinewOk {
            blocks.iter_mut().filter(|block| block.role == Use::Output).for_each(|block| self.take(block));
            if call.name == "sinew_animator_solve" {
                self.check_pose(call.name);
            }
        }
    }

    fn check(&self, call: &Call, result: SinewResult, blocks: &mut [Block]) {
        let name = call.name;
        let text = last_error();
        assert!(result != SinewResult::SinewErrorPanic, "{name} panicked: {text}");
        assert!(result != SinewResult::SinewErrorPoisoned, "{name}: poisoned: {text}");
        // Lengths and the results of each row are also written when something was refused.
        let writes_on_failure = result == SinewResult::SinewErrorBufferTooSmall
            || name.contains("batch")
            || name == "sinew_world_solve"
            || name == "sinew_world_solve_frame";
        for block in blocks {
            let argument = block.argument;
            assert!(block.is_guarded(), "{name} wrote behind {argument}");
            match block.role {
                Use::Input => assert!(block.is_kept(), "{name} wrote to {argument}"),
                Use::Output if result != SinewResult::SinewOk && !writes_on_failure => {
                    assert!(block.is_kept(), "{name} wrote to {argument} and failed: {text}");
                }
                Use::Both if argument == "pose" && block.of == "SinewTransform" => {
                    // What a call does not read keeps what the host wrote there: joints, or all of
                    // it when the call is refused.
                    let mut places = (0..block.bytes / 4).map(|k| 4 * k);
                    let finite = places.all(|at| block.get::<f32>(at).is_finite() || block.is_kept_in(at..at + 4));
                    assert!(finite, "{name} made a pose that is not finite");
                }
                _ => {}
            }
        }
        if result != SinewResult::SinewOk {
            // Its texts are those of the functions that it stands for.
            let stands_for_others = name == "sinew_default_sized";
            assert!(stands_for_others || text.starts_with(name), "{name} failed, the last error is: {text}");
            let said = text.split_once(": ").map_or("", |(_, said)| said);
            let named = call.arguments.iter().chain(&["pose", "root"]).any(|argument| is_word_of(said, argument));
            // What has no argument to blame, or blames the build or the host.
            let blameless = matches!(
                result,
                SinewResult::SinewErrorNotAvailable | SinewResult::SinewErrorJobs | SinewResult::SinewErrorOutOfMemory
            );
            let has_none = call.arguments.is_empty();
            assert!(named || blameless || stands_for_others || has_none, "{name} names no argument: {text}");
        }
    }

    /// Keeps handles and bytes that a call returned.
    fn take(&mut self, block: &mut Block) {
        if block.of == "u8" {
            let bytes = block.content().to_vec();
            if self.saved.len() == 4 {
                self.saved.remove(0);
            }
            self.saved.push(bytes);
        } else if let Some(pool) = self.pools.iter_mut().find(|pool| pool.of == block.of)
            && block.bytes == 8
        {
            if pool.bits.len() == MOST_HANDLES {
                // The first of all stays longest.
                (pool.destroy)(pool.bits.remove(1));
            }
            pool.bits.push(block.get(0));
        }
    }

    fn check_pose(&self, name: &str) {
        let (mut pose, mut count) = (core::ptr::null_mut(), 0);
        let animator = SinewAnimator { bits: self.animator };
        if sinew_animator_get_pose_buffer(animator, Some(&mut pose), Some(&mut count)) != SinewResult::SinewOk {
            return;
        }
        // SAFETY: the buffer is there until the animator is destroyed: ten floats for each joint.
        let numbers = unsafe { core::slice::from_raw_parts(pose.cast::<f32>(), 10 * count as usize) };
        assert!(numbers.iter().all(|x| x.is_finite()), "{name} made a pose that is not finite");
    }

    /// Destroys what is left.
    pub fn end(&mut self) {
        for pool in &mut self.pools {
            pool.bits.drain(..).for_each(pool.destroy);
        }
    }
}

fn last_error() -> String {
    let mut text: *const c_char = core::ptr::null();
    let result = sinew_last_error(Some(&mut text));
    assert!(result == SinewResult::SinewOk && !text.is_null(), "no last error");
    // SAFETY: a zero-terminated text that lives until the thread's next failure.
    unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8").to_owned()
}

fn is_word_of(text: &str, word: &str) -> bool {
    let inside = |c: char| c == '_' || c.is_ascii_lowercase();
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(inside) && !text[at + word.len()..].starts_with(inside))
}
