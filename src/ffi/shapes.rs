//! The shapes of arguments: what a pointer leads to, and how much of it. `exports` states one for
//! every argument of every function.

use super::guard::guard;
use super::result::SinewResult;
use super::types::*;
use core::mem::offset_of;

/// A record that a pointer leads to.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Bytes.
    pub size: usize,
    /// Whether it begins with its size: clients of an older version have a shorter one.
    pub is_sized: bool,
    /// Offsets of handles.
    pub handles: &'static [usize],
    /// Pointers in it.
    pub members: &'static [Member],
}

/// A pointer in a record.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Offset of the pointer.
    pub at: usize,
    /// Bytes of an element.
    pub size: usize,
    /// How many elements.
    pub count: Count,
}

/// How many elements a pointer in a record leads to.
#[derive(Clone, Copy, Debug)]
pub enum Count {
    /// One.
    One,
    /// As many as the `u32` at this offset of the record states.
    Field(usize),
    /// As many zero-terminated texts.
    Texts(usize),
    /// As many as the skeleton has joints whose handle is at this offset.
    Joints(usize),
}

/// What an argument is.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A number.
    Value,
    /// The handle of an object.
    Handle,
    /// The handle of a part of the object of the first argument.
    Owned,
    /// One record that is read.
    In(Record),
    /// Records that are read, as many as argument number `count` states.
    Array {
        /// The record.
        record: Record,
        /// Number of the argument.
        count: usize,
    },
    /// A zero-terminated text that is read.
    Text,
    /// One record that is written.
    Out(usize),
    /// One record with addresses that is written.
    OutAddress(usize),
    /// A handle that is written.
    OutHandle,
    /// The handle of a part of the object of the first argument, written.
    OutOwned,
    /// The caller's buffer.
    OutArray {
        /// Bytes of an element.
        size: usize,
        /// Number of the argument with the length.
        count: usize,
        /// Whether a call that succeeds writes all of it.
        is_filled: bool,
    },
    /// Records that are read and written.
    InOut {
        /// Bytes of a record.
        size: usize,
        /// Number of the argument with the length.
        count: usize,
    },
    /// Handles of animators that are solved, as many as the next argument states.
    Animators,
    /// Handles, as many as argument number `count` states.
    Handles {
        /// Number of the argument.
        count: usize,
    },
    /// `SinewBodyWork` records, as many as argument number `count` states.
    Works {
        /// Number of the argument.
        count: usize,
    },
    /// `SinewBodyTie` records of the `SinewBodyWork` records of the first argument, as many as
    /// argument number `count` states.
    Ties {
        /// Number of the argument.
        count: usize,
    },
    /// A `SinewWorldFrame`.
    Frame,
    /// The pose of the `SinewChainJob` of the first argument, read and written.
    ChainPose,
    /// A callback: the ground.
    Cast,
    /// A callback: lines.
    Draw,
    /// A callback: rows of a task.
    Rows,
    /// A callback: the time.
    Clock,
    /// A callback: begins a job.
    Enqueue,
    /// A callback: waits for a job.
    Wait,
    /// What the host receives in its callbacks.
    User,
    /// Of a function that is not logged.
    Opaque,
}

pub use Shape::{
    Animators as ANIMATORS, Cast as CAST, ChainPose as CHAIN_POSE, Clock as CLOCK, Draw as DRAW, Enqueue as ENQUEUE,
    Frame as FRAME, Handle as HANDLE, Opaque as OPAQUE, OutHandle as OUT_HANDLE, OutOwned as OUT_OWNED, Owned as OWNED,
    Rows as ROWS, Text as TEXT, User as USER, Value as VALUE, Wait as WAIT,
};

/// An address that is written.
pub const OUT_ADDRESS: Shape = Shape::OutAddress(size_of::<usize>());

/// Most bytes of a record: as much as the recorder has room for.
pub const MOST_RECORD: usize = 1024;

const fn record<T>(is_sized: bool) -> Record {
    assert!(size_of::<T>() <= MOST_RECORD, "a record that is longer than the recorder has room for");
    Record { size: size_of::<T>(), is_sized, handles: &[], members: &[] }
}
pub const fn one<T>() -> Shape {
    Shape::In(record::<T>(false))
}
pub const fn sized<T>() -> Shape {
    Shape::In(record::<T>(true))
}
pub const fn array<T>(count: usize) -> Shape {
    Shape::Array { record: record::<T>(false), count }
}
pub const fn out<T>() -> Shape {
    Shape::Out(size_of::<T>())
}
pub const fn address_in<T>() -> Shape {
    Shape::OutAddress(size_of::<T>())
}
pub const fn filled<T>(count: usize) -> Shape {
    Shape::OutArray { size: size_of::<T>(), count, is_filled: true }
}
pub const fn out_array<T>(count: usize) -> Shape {
    Shape::OutArray { size: size_of::<T>(), count, is_filled: false }
}
pub const fn in_out<T>(count: usize) -> Shape {
    Shape::InOut { size: size_of::<T>(), count }
}
pub const fn handles(count: usize) -> Shape {
    Shape::Handles { count }
}
pub const fn works(count: usize) -> Shape {
    Shape::Works { count }
}
pub const fn ties(count: usize) -> Shape {
    Shape::Ties { count }
}

/// The pointers of a record: `(Record: pointer, element, count; …)`.
macro_rules! members {
    ($record:ty: $($field:ident of $element:ty, $count:expr;)*) => {
        &[$(Member { at: offset_of!($record, $field), size: size_of::<$element>(), count: $count }),*]
    };
}

pub const SKELETON_DEF: Record = Record {
    members: members!(SinewSkeletonDef:
        parents of i32, Count::Field(offset_of!(SinewSkeletonDef, joint_count));
        rest of SinewTransform, Count::Field(offset_of!(SinewSkeletonDef, joint_count));
        names of usize, Count::Texts(offset_of!(SinewSkeletonDef, joint_count));
    ),
    ..record::<SinewSkeletonDef>(true)
};
pub const AVATAR_DEF: Record = Record {
    handles: &[offset_of!(SinewAvatarDef, skeleton)],
    members: members!(SinewAvatarDef:
        human_joints of i32, Count::Field(offset_of!(SinewAvatarDef, human_joint_count));
        t_pose of SinewTransform, Count::Joints(offset_of!(SinewAvatarDef, skeleton));
        human_ranges of SinewHumanRange, Count::Field(offset_of!(SinewAvatarDef, human_range_count));
    ),
    ..record::<SinewAvatarDef>(true)
};
pub const ANIMATOR_DEF: Record = Record {
    handles: &[offset_of!(SinewAnimatorDef, skeleton), offset_of!(SinewAnimatorDef, avatar)],
    ..record::<SinewAnimatorDef>(true)
};
pub const AIM_DEF: Record = Record {
    members: members!(SinewAimDef: weights of f32, Count::Field(offset_of!(SinewAimDef, weight_count));),
    ..record::<SinewAimDef>(true)
};
pub const CHAIN_DEF: Record = Record {
    members: members!(SinewChainDef:
        ends of SinewChainEnd, Count::Field(offset_of!(SinewChainDef, end_count));
        spring_bias of f32, Count::Field(offset_of!(SinewChainDef, spring_bias_count));
    ),
    ..record::<SinewChainDef>(true)
};
pub const BODY_DRAG: Record = Record {
    members: members!(SinewBodyDrag: pins of SinewBodyPin, Count::Field(offset_of!(SinewBodyDrag, pin_count));),
    ..record::<SinewBodyDrag>(true)
};
const DEF: usize = offset_of!(SinewChainJob, def);
pub const CHAIN_JOB: Record = Record {
    members: &[
        Member { at: offset_of!(SinewChainJob, parents), size: 4, count: JOB_JOINTS },
        Member { at: offset_of!(SinewChainJob, rest), size: size_of::<SinewTransform>(), count: JOB_JOINTS },
        Member { at: offset_of!(SinewChainJob, limits), size: size_of::<SinewJointLimits>(), count: JOB_JOINTS },
        Member { at: offset_of!(SinewChainJob, goals), size: size_of::<SinewConstraintGoal>(), count: JOB_ENDS },
        Member { at: offset_of!(SinewChainJob, pole), size: size_of::<SinewPole>(), count: Count::One },
        Member { at: DEF + offset_of!(SinewChainDef, ends), size: size_of::<SinewChainEnd>(), count: JOB_ENDS },
        Member {
            at: DEF + offset_of!(SinewChainDef, spring_bias),
            size: 4,
            count: Count::Field(DEF + offset_of!(SinewChainDef, spring_bias_count)),
        },
    ],
    ..record::<SinewChainJob>(true)
};
const JOB_JOINTS: Count = Count::Field(offset_of!(SinewChainJob, joint_count));
const JOB_ENDS: Count = Count::Field(DEF + offset_of!(SinewChainDef, end_count));

/// What the recorder does about a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum Kind {
    /// Is not logged.
    silent,
    /// Reads no pose buffer.
    plain,
    /// Reads the pose buffers of the members of the world of its first argument.
    members,
    /// Reads the pose buffer of the animator of its first argument, or the poses of works.
    posed,
    /// The same, and ends a frame.
    solve,
}

/// How the recorder goes about a call.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// Takes numbers, handles and at most two plain records, and writes nothing to the host's
    /// memory.
    Setter {
        /// Place and size of each record.
        records: [Option<(u8, u16)>; 2],
        /// Bytes of the records.
        size: usize,
    },
    /// Solves one animator, and does nothing else.
    LoneSolve,
    /// Any other call.
    Other,
}

/// How the recorder goes about the calls of a function with these shapes.
pub const fn way(kind: Kind, shapes: &[Shape]) -> Way {
    if matches!(kind, Kind::solve) && matches!(shapes, [Shape::Handle]) {
        return Way::LoneSolve;
    }
    let (mut records, mut size) = ([None; 2], 0);
    let (mut place, mut count) = (0, 0);
    while place < shapes.len() {
        match &shapes[place] {
            Shape::Value | Shape::Handle | Shape::Owned => {}
            Shape::In(record) if !record.is_sized && record.members.is_empty() && count < 2 => {
                records[count] = Some((place as u8, record.size as u16));
                size += record.size;
                count += 1;
            }
            _ => return Way::Other,
        }
        place += 1;
    }
    if matches!(kind, Kind::plain) { Way::Setter { records, size } } else { Way::Other }
}

/// A function that crosses the boundary.
#[derive(Debug)]
pub struct Function {
    /// Its number, in the order of the header.
    pub index: u16,
    /// Its C name.
    pub name: &'static str,
    /// What the recorder does about it.
    pub kind: Kind,
    /// The shapes of its arguments.
    pub shapes: &'static [Shape],
    /// How the recorder goes about its calls.
    pub way: Way,
    /// Calls it with its arguments as words: for [`Self::run`].
    pub thunk: unsafe fn(&[u64]) -> SinewResult,
}

impl Function {
    /// Calls it past the recorder.
    ///
    /// # Safety
    /// There are as many words as shapes; they are such arguments as the C function requires.
    pub unsafe fn run(&self, words: &[u64]) -> SinewResult {
        // SAFETY: required of the caller.
        unsafe { (self.thunk)(words) }
    }
}

/// An argument as a word.
#[inline(always)]
pub fn to_word<T>(argument: T) -> u64 {
    const { assert!(size_of::<T>() <= size_of::<u64>()) };
    let mut word = 0u64;
    // SAFETY: a number, handle or address, which has no padding and fits.
    unsafe { (&raw mut word).cast::<T>().write(argument) };
    word
}

/// An argument from its word.
///
/// # Safety
/// The word is of such an argument.
#[inline(always)]
pub unsafe fn from_word<T>(word: u64) -> T {
    const { assert!(size_of::<T>() <= size_of::<u64>()) };
    // SAFETY: it fits; required of the caller.
    unsafe { (&raw const word).cast::<T>().read() }
}

/// The code where there are not as many words as arguments; never in a call of `exports`.
pub fn wrong_count() -> SinewResult {
    guard("replay", || Err(super::guard::Failure::argument("a call with another number of arguments")))
}
