//! An argument from its type and name.

use super::callback;
use super::machine::Machine;
use super::memory::Use;
use core::any::type_name;
use sinew::ffi::*;

/// What a function of the C ABI can take.
pub trait Argument {
    /// Made from the next bytes.
    fn make(machine: &mut Machine, name: &'static str) -> Self;
}

/// `SinewAnimator` of `sinew::ffi::ids::SinewAnimator`.
pub fn short_name<T>() -> &'static str {
    type_name::<T>().rsplit("::").next().unwrap_or_default()
}

/// Whether an argument is the length of an array.
pub fn is_count(name: &str) -> bool {
    name.ends_with("count") || matches!(name, "capacity" | "size")
}

impl Argument for u32 {
    fn make(machine: &mut Machine, name: &'static str) -> Self {
        if is_count(name) {
            let room = machine.room;
            return if machine.input.one_in(10) { machine.input.below(room + 1) } else { room } as u32;
        }
        match machine.input.below(16) {
            15 => machine.input.word(),
            14 => machine.input.below(100) as u32,
            13 => machine.input.below(1000) as u32,
            0..4 => machine.input.below(2) as u32,
            _ => machine.input.below(30) as u32,
        }
    }
}

impl Argument for i32 {
    fn make(machine: &mut Machine, _: &'static str) -> Self {
        match machine.input.below(16) {
            15 => machine.input.word() as i32,
            14 => machine.input.below(60) as i32 - 2,
            0..8 => machine.input.below(4) as i32,
            _ => machine.input.below(12) as i32,
        }
    }
}

impl Argument for f32 {
    fn make(machine: &mut Machine, _: &'static str) -> Self {
        if machine.input.one_in(3) { machine.input.number() } else { machine.input.unit() }
    }
}

impl Argument for f64 {
    fn make(machine: &mut Machine, name: &'static str) -> Self {
        machine.time += 0.01;
        if machine.input.one_in(6) { f64::from(f32::make(machine, name)) } else { machine.time }
    }
}

impl Argument for usize {
    fn make(machine: &mut Machine, _: &'static str) -> Self {
        machine.input.below(4096)
    }
}

macro_rules! handles {
    ($($handle:ident)*) => {$(
        impl Argument for $handle {
            fn make(machine: &mut Machine, _: &'static str) -> Self {
                $handle { bits: machine.handle(stringify!($handle)) }
            }
        }
    )*};
}
handles! {
    SinewSkeleton SinewAvatar SinewAnimator SinewConstraint SinewWorld SinewBody SinewBodyTask SinewGrounder
    SinewTrackedBody SinewJob
}

macro_rules! callbacks {
    ($($callback:ident = $function:expr;)*) => {$(
        impl Argument for Option<$callback> {
            fn make(machine: &mut Machine, _: &'static str) -> Self {
                (!machine.input.one_in(4)).then_some($function)
            }
        }
    )*};
}
callbacks! {
    SinewDrawLine = callback::draw;
    SinewEnqueue = callback::enqueue;
    SinewWait = callback::wait;
    SinewClock = callback::clock;
    SinewCastGround = callback::cast;
    SinewComputeRows = callback::compute;
}

// Memory from elsewhere can be asked for before anything is made only.
impl Argument for Option<SinewAllocate> {
    fn make(_: &mut Machine, _: &'static str) -> Self {
        None
    }
}
// A recording reads every argument of every call, and writes files: it has tests of its own.
impl Argument for Option<SinewRecordSink> {
    fn make(_: &mut Machine, _: &'static str) -> Self {
        None
    }
}
impl Argument for Option<SinewFree> {
    fn make(_: &mut Machine, _: &'static str) -> Self {
        None
    }
}

fn point<T>(machine: &mut Machine, name: &'static str, role: Use) -> *mut T {
    if name == "user" || machine.input.one_in(64) {
        return core::ptr::null_mut();
    }
    let (bytes, align) = (size_of::<T>().max(1), align_of::<T>());
    let count = match (short_name::<T>(), name) {
        ("c_void", _) => 4096,
        (_, "job" | "def" | "settings" | "target" | "rule" | "calibration") => 1,
        // A matrix has up to 16 numbers.
        ("f32", _) => 16 * machine.room,
        (_, "out_first_queries") => machine.room + 1,
        _ => machine.room.max(1),
    };
    assert!(align <= 16);
    machine.block(name, short_name::<T>(), bytes, count, role).cast()
}

impl<T: 'static> Argument for *const T {
    fn make(machine: &mut Machine, name: &'static str) -> Self {
        point::<T>(machine, name, Use::Input)
    }
}

impl<T: 'static> Argument for *mut T {
    fn make(machine: &mut Machine, name: &'static str) -> Self {
        let role = if name.starts_with("out") { Use::Output } else { Use::Both };
        point(machine, name, role)
    }
}

impl<T: 'static> Argument for Option<&'static T> {
    fn make(machine: &mut Machine, name: &'static str) -> Self {
        if machine.input.one_in(64) {
            return None;
        }
        let at = machine.block(name, short_name::<T>(), size_of::<T>(), 1, Use::Input);
        // SAFETY: a block for one record, written, which lives until the call has returned; every
        // struct of the C ABI is numbers and pointers, for which any bits will do.
        Some(unsafe { &*at.cast::<T>() })
    }
}

impl<T: 'static> Argument for Option<&'static mut T> {
    fn make(machine: &mut Machine, name: &'static str) -> Self {
        if machine.input.one_in(64) {
            return None;
        }
        let role = if name.starts_with("out") { Use::Output } else { Use::Both };
        let at = machine.block(name, short_name::<T>(), size_of::<T>(), 1, role);
        // SAFETY: as above, and no other argument has this block.
        Some(unsafe { &mut *at.cast::<T>() })
    }
}
