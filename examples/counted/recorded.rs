//! A frame of a C host, alone and while a recording runs: what the recording costs. A unit is a
//! frame of one character.

use super::c_abi::capi::{ok, quat, transform, vec3};
use super::c_abi::{Cast, buffer};
use super::humanoid::CHARACTERS;
use super::{Row, counted};
use core::ffi::c_void;
use sinew::ffi::*;
use sinew::math::{Quat, Transform, Vec3};
use std::hint::black_box;

/// Frames of a row: of a recording as many as fill a block of the log several times.
const FRAMES: usize = 64;

extern "C-unwind" fn forget(_user: *mut c_void, _bytes: *const u8, _size: u32) -> u32 {
    0
}

/// What a host sets in each frame: goals for both feet, a point to look at and the root.
fn six_setters(animator: SinewAnimator, frame: usize) {
    let step = 0.001 * frame as f32;
    for (goal, x) in [(0, -0.1), (1, 0.1)] {
        ok(sinew_animator_set_ik_position(animator, goal, Some(&vec3(Vec3::new(x, 0.15, step)))));
        ok(sinew_animator_set_ik_rotation(animator, goal, Some(&quat(Quat::IDENTITY))));
    }
    ok(sinew_animator_set_look_at_position(animator, Some(&vec3(Vec3::new(0.5, 1.5, 2.0 + step)))));
    ok(sinew_animator_set_root(animator, Some(&transform(&Transform::IDENTITY))));
}

/// Goals for both hands, too, and the ranges of human joints.
fn with_hands_and_limits(animator: SinewAnimator) {
    for (goal, x) in [(2, -0.3), (3, 0.3)] {
        ok(sinew_animator_set_ik_position(animator, goal, Some(&vec3(Vec3::new(x, 1.2, 0.3)))));
        ok(sinew_animator_set_ik_position_weight(animator, goal, 1.0));
    }
    // SAFETY: a struct of numbers.
    let mut settings: SinewHumanoidSettings = unsafe { core::mem::zeroed() };
    ok(sinew_humanoid_settings_default(Some(&mut settings)));
    settings.limits_enabled = 1;
    // SAFETY: a whole struct.
    ok(unsafe { sinew_animator_set_settings(animator, &raw const settings) });
}

/// What the host calls in a frame.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    Solve,
    LimitedSolve,
    SettersAndSolve,
    WorldSolve,
}

/// The host writes the pose buffer, sets goals and solves; its own writing is not counted.
fn frames(name: &str, calls: Calls, is_recorded: bool) -> Row {
    let work = move || {
        if is_recorded {
            ok(sinew_record_begin_callback(Some(forget), core::ptr::null_mut()));
        }
        let cast = Cast::new();
        cast.ask();
        if calls == Calls::LimitedSolve {
            cast.animators.iter().for_each(|animator| with_hands_and_limits(*animator));
        }
        let mut world = SinewWorld { bits: 0 };
        if calls == Calls::WorldSolve {
            ok(sinew_world_create(Some(&mut world)));
            let mut row = 0;
            cast.animators.iter().for_each(|animator| ok(sinew_world_join(world, *animator, Some(&mut row))));
        }
        for frame in 0..=FRAMES {
            for (animator, pose) in cast.each() {
                buffer(animator).copy_from_slice(pose);
            }
            let mut all = || {
                if calls == Calls::WorldSolve {
                    ok(unsafe { sinew_world_solve(black_box(world), None, None) });
                    return;
                }
                for animator in &cast.animators {
                    if calls == Calls::SettersAndSolve {
                        six_setters(*animator, frame);
                    }
                    ok(sinew_animator_solve(black_box(*animator)));
                }
            };
            // The first one warms up.
            if frame == 0 { all() } else { counted(&mut all) }
        }
        if is_recorded {
            ok(sinew_record_end());
        }
        (FRAMES * CHARACTERS) as u64
    };
    let how = if is_recorded { "recorded" } else { "plain" };
    Row { name: format!("c_abi_{name}/{how}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    let all = [
        ("frame", Calls::Solve),
        ("frame_limits", Calls::LimitedSolve),
        ("frame_six_setters", Calls::SettersAndSolve),
        ("frame_world", Calls::WorldSolve),
    ];
    all.into_iter().flat_map(|(name, calls)| [false, true].map(|how| frames(name, calls, how))).collect()
}
