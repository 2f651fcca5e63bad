//! A recording of several characters: the report, the page, and the shortest log of one frame.

#[path = "../../tests/capi/mod.rs"]
mod capi;

use capi::{RigData, ok, transforms, vec3};
use core::ffi::c_void;
use sinew::ffi::*;
use sinew::math::Vec3;
use sinew::record::{Entry, Log};
use sinew_replay::{PAGE_FRAMES, page, reduce, report};
use std::sync::{Mutex, PoisonError};
use testkit::person::{PersonOptions, person};

extern "C-unwind" fn collect(user: *mut c_void, bytes: *const u8, size: u32) -> u32 {
    let log = unsafe { &mut *user.cast::<Vec<u8>>() };
    log.extend_from_slice(unsafe { core::slice::from_raw_parts(bytes, size as usize) });
    0
}

const CHARACTERS: usize = 3;
const FRAMES: usize = 8;

/// A process has one recording.
static ONE: Mutex<()> = Mutex::new(());

/// Hands of several characters reach for goals.
fn recorded() -> Vec<u8> {
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut log = Vec::<u8>::new();
    ok(sinew_record_begin_callback(Some(collect), (&raw mut log).cast()));
    let person = person(&PersonOptions::default());
    let animators: Vec<_> = (0..CHARACTERS).map(|_| RigData::of_person(&person).animator()).collect();
    for frame in 0..FRAMES {
        for (place, animator) in animators.iter().enumerate() {
            let pose = transforms(&person.t_pose);
            ok(unsafe { sinew_animator_set_pose(*animator, pose.as_ptr(), pose.len() as u32) });
            let goal = Vec3::new(0.3, 1.0 + 0.05 * frame as f32, 0.1 + 0.1 * place as f32);
            ok(sinew_animator_set_ik_position(*animator, 3, Some(&vec3(goal))));
            ok(sinew_animator_set_ik_position_weight(*animator, 3, 1.0));
            ok(sinew_animator_solve(*animator));
            let mut outcome = SinewOutcome { status: 0, iterations: 0, residual_m: 0.0, residual_rad: 0.0 };
            ok(sinew_animator_get_ik_outcome(*animator, 3, Some(&mut outcome)));
        }
    }
    animators.iter().for_each(|animator| ok(sinew_animator_destroy(*animator)));
    ok(sinew_record_end());
    log
}

#[test]
fn a_frame_is_shown_by_the_calls_that_it_needs() {
    let bytes = recorded();
    let log = Log::read(&bytes).expect("a log");
    let whole = report(&log).expect("of this version");
    assert_eq!((whole.frames.len(), whole.differing, whole.unknown), (CHARACTERS * FRAMES, 0, 0));

    let frame = 3 * CHARACTERS + 1;
    let short = reduce(&log, frame).expect("of this version").expect("the frame");
    let written = short.write();
    let read = Log::read(&written).expect("a log");
    let report = report(&read).expect("of this version");
    assert_eq!(report.differing, 0, "{:?}", report.lines);
    assert_eq!(report.frames.last().map(|f| f.recorded_hash), Some(whole.frames[frame].recorded_hash));
    let calls = read.entries.iter().filter(|entry| matches!(entry, Entry::Call(_))).count();
    // Skeleton, avatar, animator, pose, goal, weight, solve.
    assert!(calls <= 7, "{calls} calls");

    assert!(reduce(&log, CHARACTERS * FRAMES).expect("of this version").is_none(), "there is no such frame");
}

#[test]
fn the_page_has_every_frame_and_the_figures_move() {
    let bytes = recorded();
    let log = Log::read(&bytes).expect("a log");
    let page = page(&log).expect("of this version");
    assert_eq!(page.matches("\"call\":\"sinew_animator_solve\"").count(), CHARACTERS * FRAMES);
    let frames: Vec<&str> = page.lines().filter(|line| line.starts_with("{\"call\"")).collect();
    let figures = |line: &str| line.split_once("figures").map(|(_, figures)| figures.to_string());
    assert_ne!(figures(frames[1]), figures(frames[1 + CHARACTERS]));
}

/// Characters that a world solves together, from poses in the host's own memory.
fn recorded_rows(frames: usize) -> Vec<u8> {
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut log = Vec::<u8>::new();
    ok(sinew_record_begin_callback(Some(collect), (&raw mut log).cast()));
    let person = person(&PersonOptions::default());
    let animators: Vec<_> = (0..CHARACTERS).map(|_| RigData::of_person(&person).animator()).collect();
    let mut world = SinewWorld { bits: 0 };
    ok(sinew_world_create(Some(&mut world)));
    for animator in &animators {
        ok(sinew_world_join(world, *animator, None));
        ok(sinew_animator_set_ik_position_weight(*animator, 3, 1.0));
    }
    let joints = person.t_pose.len();
    for number in 0..frames {
        let mut records: Vec<_> = (0..CHARACTERS).flat_map(|_| transforms(&person.t_pose)).collect();
        let goal = Vec3::new(0.3, 1.0 + 0.05 * number as f32, 0.2);
        for animator in &animators {
            ok(sinew_animator_set_ik_position(*animator, 3, Some(&vec3(goal))));
        }
        let mut frame = unsafe { core::mem::zeroed::<SinewWorldFrame>() };
        ok(sinew_world_frame_default(Some(&mut frame)));
        (frame.row_count, frame.layout) = (CHARACTERS as u32, 1);
        (frame.records, frame.records_stride) = (records.as_mut_ptr(), (joints * 40) as u32);
        ok(unsafe { sinew_world_solve(world, Some(&frame), None) });
    }
    ok(sinew_world_destroy(world));
    animators.iter().for_each(|animator| ok(sinew_animator_destroy(*animator)));
    ok(sinew_record_end());
    log
}

#[test]
fn the_goals_of_a_frame_of_rows_are_kept() {
    let bytes = recorded_rows(3);
    let log = Log::read(&bytes).expect("a log");
    assert_eq!(report(&log).expect("of this version").differing, 0);
    let short = reduce(&log, 2).expect("of this version").expect("the frame");
    let number = |wanted: &str| {
        short.entries.iter().find_map(|entry| match entry {
            Entry::Name { function, name } if *name == wanted => Some(*function),
            _ => None,
        })
    };
    let goal = number("sinew_animator_set_ik_position").expect("goals");
    let is_goal = |entry: &&Entry| matches!(entry, Entry::Call(call) if call.function == goal);
    assert_eq!(short.entries.iter().filter(is_goal).count(), CHARACTERS);
}

#[test]
fn the_page_shows_rows_of_the_host_and_says_what_it_leaves_out() {
    let bytes = recorded_rows(PAGE_FRAMES + 3);
    let log = Log::read(&bytes).expect("a log");
    let page = page(&log).expect("of this version");
    let frames: Vec<&str> = page.lines().filter(|line| line.contains("{\"call\"")).collect();
    assert_eq!(frames.len(), PAGE_FRAMES);
    let figures = |line: &str| line.split_once("figures").map(|(_, figures)| figures.trim_end_matches(',').to_string());
    assert_ne!(figures(frames[1]), figures(frames[2]));
    assert!(page.contains("The first 2000 of 2003 frames; 3 are left out."));
}

#[test]
fn a_reader_that_has_read_enough_ends_nothing() {
    let path = std::env::temp_dir().join(format!("sinew-replay-{}.sinewlog", std::process::id()));
    std::fs::write(&path, recorded_rows(200)).expect("to write a file");
    let mut replay = std::process::Command::new(env!("CARGO_BIN_EXE_sinew-replay"))
        .args([path.as_os_str(), "--frames".as_ref()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("to run it");
    drop(replay.stdout.take());
    let output = replay.wait_with_output().expect("its end");
    std::fs::remove_file(&path).expect("to remove the file");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}
