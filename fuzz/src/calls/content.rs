//! What stands in the block of an input: defaults with some fields changed, or anything at all.

use super::machine::Machine;
use super::memory::{Block, Use};
use super::rig::Rig;
use super::table::{STRUCTS, default};
use core::mem::offset_of;
use sinew::ffi::*;

/// Texts that functions read.
const TEXTS: [&str; 10] =
    ["Head", "LeftHand", "", "head ", "no such joint", "Hips", "{\"scale\":1}", "{", "[]", "mixamorig:LeftUpLeg"];

/// Offset and letter of each field.
fn fields(letters: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut at = 0_usize;
    letters.bytes().map(move |letter| {
        let size: usize = if matches!(letter, b'd' | b'b' | b'p') { 8 } else { 4 };
        let offset = at.next_multiple_of(size);
        at = offset + size;
        (offset, letter)
    })
}

/// Fills every record of a block.
pub fn fill(machine: &mut Machine, block: &mut Block, size: usize) {
    let count = if matches!(block.of, "i8" | "u8") { 1 } else { block.bytes / size };
    // The first records differ, the rest are like them.
    let made = count.min(8);
    for record in 0..made {
        one(machine, block, record * size, size);
    }
    for record in made..count {
        if block.of == "SinewTransform" {
            let rest = &Rig::get().rest;
            block.put(record * size, rest[record % rest.len()]);
            continue;
        }
        let from = (record % made) * size;
        block.content().copy_within(from..from + size, record * size);
    }
}

fn one(machine: &mut Machine, block: &mut Block, at: usize, size: usize) {
    match block.of {
        "SinewTransform" => transform(machine, block, at),
        "SinewQuat" => quat(machine, block, at),
        "SinewAnimator" | "SinewGrounder" => {
            let bits = machine.handle(block.of);
            block.put(at, bits);
        }
        "i8" => {
            let text = match block.argument {
                // No file is made.
                "path" => "/no such folder/recording",
                _ => TEXTS[machine.input.below(TEXTS.len())],
            };
            let text = text.as_bytes();
            let kept = text.len().min(block.bytes - 1);
            block.content().fill(0);
            block.content()[..kept].copy_from_slice(&text[..kept]);
            if block.argument != "path" && machine.input.one_in(8) && kept > 0 {
                block.content()[0] = machine.input.byte();
            }
        }
        "u8" => {
            let saved = machine.saved_bytes();
            let length = saved.len().min(block.bytes);
            block.content().fill(0);
            block.content()[..length].copy_from_slice(&saved[..length]);
            if machine.input.one_in(4) && length > 0 {
                let byte = machine.input.below(length.min(65_536));
                block.content()[byte] = machine.input.byte();
            }
        }
        "u32" | "i32" => {
            let number = machine.input.below(8) as u32;
            block.put(at, number);
        }
        "f32" => {
            let number = machine.input.number();
            block.put(at, number);
        }
        name => structure(machine, block, at, size, name),
    }
}

fn structure(machine: &mut Machine, block: &mut Block, at: usize, size: usize, name: &str) {
    let Some((_, letters)) = STRUCTS.iter().find(|(known, _)| *known == name) else {
        block.content()[at..at + size].fill(0);
        return;
    };
    block.content()[at..at + size].fill(0);
    let has_default = default(block, at, name, machine.input.below(12) as i32);
    let all = !has_default || machine.input.one_in(4);
    let calm = !machine.input.one_in(4);
    let count = letters.len();
    let changed: Vec<usize> = (0..machine.input.below(6)).map(|_| machine.input.below(count)).collect();
    for (index, (offset, letter)) in fields(letters).enumerate() {
        // The size stands first; it is seldom wrong.
        let is_size = has_default && index == 0;
        if is_size && !machine.input.one_in(60) || !is_size && !all && !changed.contains(&index) {
            continue;
        }
        let place = at + offset;
        let input = &mut machine.input;
        match letter {
            b'f' => block.put(place, if calm { input.calm() } else { input.number() }),
            b'd' => block.put(place, f64::from(input.calm())),
            b'u' | b'i' => {
                let number = match input.below(24) {
                    23 => input.word(),
                    22 => input.below(2000) as u32,
                    0..10 => input.below(3) as u32,
                    10 => u32::MAX,
                    _ => input.below(30) as u32,
                };
                block.put(place, number);
            }
            b'b' => {
                let handle = ["SinewSkeleton", "SinewAvatar", "SinewBody"][input.below(3)];
                let bits = machine.handle(handle);
                block.put(place, bits);
            }
            _ => {}
        }
    }
    pointers(machine, block, at, name);
}

/// Fills a struct as its default function does, when it has one.
macro_rules! defaults {
    ($kind:ident, $out:ident; $($made:ident = $function:ident($($argument:ident),*);)*) => {
        pub fn default(block: &mut super::memory::Block, at: usize, name: &str, $kind: i32) -> bool {
            match name {
                $(stringify!($made) => {
                    // SAFETY: the block has room for the struct, and any bits are a valid one.
                    let $out = Some(unsafe { &mut *block.pointer().add(at).cast::<sinew::ffi::$made>() });
                    sinew::ffi::$function($($argument),*);
                })*
                _ => return false,
            }
            true
        }
    };
}
pub(crate) use defaults;

fn transform(machine: &mut Machine, block: &mut Block, at: usize) {
    let rig = Rig::get();
    block.put(at, rig.rest[at / size_of::<SinewTransform>() % rig.joints()]);
    if machine.input.one_in(2) {
        quat(machine, block, at + offset_of!(SinewTransform, rotation));
    }
    if machine.input.one_in(24) {
        for k in 0..10 {
            let number = machine.input.number();
            block.put(at + 4 * k, number);
        }
    }
}

fn quat(machine: &mut Machine, block: &mut Block, at: usize) {
    let mut numbers = [0.0; 4].map(|_: f32| machine.input.calm());
    let square = numbers.iter().map(|x| x * x).sum::<f32>();
    if square > 1e-3 {
        numbers = numbers.map(|x| x / square.sqrt());
    }
    if machine.input.one_in(40) {
        numbers[0] = machine.input.number();
    }
    block.put(at, numbers);
}

/// Arrays that a struct points to, and their lengths.
fn pointers(machine: &mut Machine, block: &mut Block, at: usize, name: &str) {
    macro_rules! put {
        ($made:ident.$field:ident, $value:expr) => {
            block.put(at + offset_of!($made, $field), $value)
        };
    }
    let rig = Rig::get();
    match name {
        "SinewSkeletonDef" => {
            let joints = if machine.input.one_in(2) { machine.input.below(40) } else { rig.joints() };
            let parents = machine.array("parents", joints, |m, joint| {
                let usual = rig.parents.get(joint).copied().unwrap_or(joint as i32 - 1);
                if m.input.one_in(30) { m.input.below(40) as i32 - 1 } else { usual }
            });
            let rest = machine.array("rest", joints, |m, joint| {
                let mut rest = rig.rest[joint % rig.joints()];
                if m.input.one_in(30) {
                    rest.position = SinewVec3 { x: m.input.number(), y: m.input.number(), z: m.input.number() };
                }
                if m.input.one_in(60) {
                    rest.scale.y = m.input.number();
                }
                rest
            });
            let name = |m: &mut Machine, joint: usize| match rig.names.get(joint) {
                Some(name) if !m.input.one_in(30) => name.as_ptr(),
                _ => c"odd".as_ptr(),
            };
            let names = machine.array("names", joints, name);
            let named = !machine.input.one_in(3);
            put!(SinewSkeletonDef.joint_count, joints as u32);
            put!(SinewSkeletonDef.parents, parents);
            put!(SinewSkeletonDef.rest, rest);
            put!(SinewSkeletonDef.names, if named { names } else { core::ptr::null_mut() });
        }
        "SinewAvatarDef" => {
            let joints = machine.array("human_joints", rig.human.len(), |m, bone| {
                if m.input.one_in(60) { m.input.below(30) as i32 - 1 } else { rig.human[bone] }
            });
            let ranges = machine.input.below(3);
            let array = machine.inner::<SinewHumanRange>("human_ranges", "SinewHumanRange", ranges);
            let skeleton = machine.handle("SinewSkeleton");
            put!(SinewAvatarDef.human_joint_count, rig.human.len() as u32);
            put!(SinewAvatarDef.human_joints, joints);
            put!(SinewAvatarDef.skeleton, skeleton);
            put!(SinewAvatarDef.human_range_count, ranges as u32);
            put!(SinewAvatarDef.human_ranges, array);
            if !machine.input.one_in(4) {
                put!(SinewAvatarDef.up, rig.up);
                put!(SinewAvatarDef.forward, rig.forward);
            }
        }
        "SinewAnimatorDef" => {
            let (skeleton, avatar) = (machine.handle("SinewSkeleton"), machine.handle("SinewAvatar"));
            put!(SinewAnimatorDef.skeleton, skeleton);
            put!(SinewAnimatorDef.avatar, if machine.input.one_in(4) { 0 } else { avatar });
        }
        "SinewChainDef" => chain(machine, block, at),
        "SinewChainJob" => {
            let joints = rig.joints().min(machine.room);
            let parents = machine.array("parents", joints, |_, joint| rig.parents[joint]);
            let rest = machine.array("rest", joints, |_, joint| rig.rest[joint]);
            let limits = machine.inner::<SinewJointLimits>("limits", "SinewJointLimits", joints);
            let limited = machine.input.one_in(3);
            let goals = machine.inner::<SinewConstraintGoal>("goals", "SinewConstraintGoal", 3);
            let pole = machine.inner::<SinewPole>("pole", "SinewPole", 1);
            let has_pole = machine.input.one_in(3);
            put!(SinewChainJob.joint_count, joints as u32);
            put!(SinewChainJob.parents, parents);
            put!(SinewChainJob.rest, rest);
            put!(SinewChainJob.limits, if limited { limits } else { core::ptr::null_mut() });
            put!(SinewChainJob.goals, goals);
            put!(SinewChainJob.pole, if has_pole { pole } else { core::ptr::null_mut() });
            chain(machine, block, at + offset_of!(SinewChainJob, def));
        }
        "SinewAimDef" => {
            let weights = machine.array("weights", 8, |m, _| m.input.unit());
            let count = machine.input.below(8);
            put!(SinewAimDef.weights, if count == 0 { core::ptr::null_mut() } else { weights });
            put!(SinewAimDef.weight_count, count as u32);
        }
        "SinewBodyDrag" => {
            let count = machine.input.below(4);
            let pins = machine.inner::<SinewBodyPin>("pins", "SinewBodyPin", count);
            put!(SinewBodyDrag.pins, pins);
            put!(SinewBodyDrag.pin_count, count as u32);
        }
        "SinewBodyTaskDef" if machine.calling == "sinew_body_add_host_task" => {
            put!(SinewBodyTaskDef.kind, SinewBodyTaskKind::Host as i32);
            let joint = machine.input.below(rig.joints()) as i32;
            put!(SinewBodyTaskDef.joint, joint);
        }
        "SinewBodyWork" => {
            let body = machine.handle("SinewBody");
            let pose = machine.inner::<SinewTransform>("pose", "SinewTransform", rig.joints());
            put!(SinewBodyWork.body, body);
            put!(SinewBodyWork.pose, pose);
            put!(SinewBodyWork.joint_count, rig.joints() as u32);
        }
        "SinewBodyTie" => {
            let (first, second) = (machine.handle("SinewBodyTask"), machine.handle("SinewBodyTask"));
            put!(SinewBodyTie.first_task, first);
            put!(SinewBodyTie.second_task, second);
            if !machine.input.one_in(8) {
                put!(SinewBodyTie.first_work, machine.input.below(3) as u32);
                put!(SinewBodyTie.second_work, machine.input.below(3) as u32);
            }
        }
        "SinewWorldFrame" => frame(machine, block, at),
        _ => {}
    }
}

fn chain(machine: &mut Machine, block: &mut Block, at: usize) {
    let count = if machine.input.one_in(3) { machine.input.below(4) } else { 1 };
    let ends = machine.inner::<SinewChainEnd>("ends", "SinewChainEnd", count);
    block.put(at + offset_of!(SinewChainDef, ends), ends);
    block.put(at + offset_of!(SinewChainDef, end_count), count as u32);
    let bias = machine.array("spring_bias", 30, |m, _| m.input.calm());
    let biased = machine.input.one_in(6);
    let length = if biased { machine.input.below(30) } else { 0 };
    let bias = if biased { bias } else { core::ptr::null_mut() };
    block.put(at + offset_of!(SinewChainDef, spring_bias), bias);
    block.put(at + offset_of!(SinewChainDef, spring_bias_count), length as u32);
}

/// Rows for as many animators as there can be, and room for as many joints.
fn frame(machine: &mut Machine, block: &mut Block, at: usize) {
    const ROWS: usize = 12;
    const JOINTS: usize = 64;
    let bytes = (JOINTS * size_of::<SinewTransform>()) as u32;
    let records = machine.inner::<SinewTransform>("records", "SinewTransform", ROWS * JOINTS);
    let pointers = machine.array("pointers", ROWS, |_, row| {
        // SAFETY: inside of the records.
        unsafe { records.add(row * JOINTS) }
    });
    let numbers = machine.array("numbers", 10 * ROWS * JOINTS, |_, k| if k % 4 == 3 { 1.0 } else { 0.1_f32 });
    let roots = machine.inner::<SinewTransform>("roots", "SinewTransform", ROWS);
    let inputs = machine.inner::<SinewHumanoidInput>("inputs", "SinewHumanoidInput", ROWS);
    let results = machine.array("out_results", ROWS, |_, _| 0_i32);
    let states = machine.array("out_states", ROWS, |_, _| 0_i32);
    let size: u32 = block.get(at);
    let mut made = SinewWorldFrame {
        struct_size: size,
        row_count: if machine.input.one_in(4) { machine.input.below(ROWS + 1) } else { ROWS } as u32,
        layout: machine.input.below(4) as i32,
        records_stride: if machine.input.one_in(8) { machine.input.below(bytes as usize) as u32 } else { bytes },
        records,
        pointers,
        positions: numbers,
        rotations: numbers,
        scales: core::ptr::null(),
        positions_row_stride: 4 * 3 * JOINTS as u32,
        positions_joint_stride: 12,
        rotations_row_stride: 4 * 4 * JOINTS as u32,
        rotations_joint_stride: 16,
        scales_row_stride: 0,
        scales_joint_stride: 0,
        roots,
        inputs,
        roots_stride: if machine.input.one_in(2) { 0 } else { size_of::<SinewTransform>() as u32 },
        inputs_stride: if machine.input.one_in(2) { 0 } else { size_of::<SinewHumanoidInput>() as u32 },
        out_results: results,
        out_states: states,
    };
    // What overlaps is refused or the host's own fault: positions and rotations have their own
    // halves.
    // SAFETY: inside of the numbers.
    made.rotations = unsafe { numbers.add(4 * ROWS * JOINTS) };
    // A field in eight is NULL.
    if machine.input.one_in(8) {
        made.records = core::ptr::null_mut();
    }
    if machine.input.one_in(8) {
        made.positions = core::ptr::null_mut();
    }
    if machine.input.one_in(8) {
        made.rotations = core::ptr::null_mut();
    }
    if machine.input.one_in(3) {
        made.roots = core::ptr::null();
    }
    if machine.input.one_in(3) {
        made.inputs = core::ptr::null();
    }
    block.put(at, made);
}

/// A block that a struct points to, filled.
pub fn inner<T>(machine: &mut Machine, argument: &'static str, of: &'static str, count: usize) -> *mut T {
    let mut block = Block::new(argument, of, size_of::<T>() * count.max(1), Use::Both);
    fill(machine, &mut block, size_of::<T>());
    machine.keep(block).cast()
}
