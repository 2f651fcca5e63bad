//! Recordings: a session of calls of every kind comes out with the same bits when its log is
//! replayed, a change of one bit shows, and no damaged log does harm.

#[path = "../capi/mod.rs"]
mod capi;
mod answers;
mod partial;
mod poses;

use capi::{RigData, ok, quat, transforms, vec3};
use core::ffi::{CStr, c_void};
use sinew::ffi::replay::{Outcome, Played, Player};
use sinew::ffi::*;
use sinew::math::{Quat, Vec3};
use sinew::record::{Entry, Log, Tag};
use std::sync::{Mutex, MutexGuard, PoisonError};
use testkit::person::{Person, PersonOptions, person};
use testkit::random::Random;

/// A process has one recording.
static ONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

extern "C-unwind" fn collect(user: *mut c_void, bytes: *const u8, size: u32) -> u32 {
    let log = unsafe { &mut *user.cast::<Vec<u8>>() };
    log.extend_from_slice(unsafe { core::slice::from_raw_parts(bytes, size as usize) });
    0
}

/// What `session` calls, as a log.
fn record<R>(session: impl FnOnce() -> R) -> (Vec<u8>, R) {
    let mut log = Vec::<u8>::new();
    ok(sinew_record_begin_callback(Some(collect), (&raw mut log).cast()));
    let result = session();
    ok(sinew_record_end());
    (log, result)
}

fn replay(log: &[u8]) -> Vec<Played> {
    let log = Log::read(log).expect("a log");
    let mut player = Player::new(&log.head).expect("of this version");
    log.entries.iter().filter_map(|entry| player.play(entry)).collect()
}

fn last_error() -> String {
    let mut text = core::ptr::null();
    ok(sinew_last_error(Some(&mut text)));
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A struct filled by its default function.
fn default<T>(fill: impl FnOnce(Option<&mut T>) -> SinewResult) -> T {
    // Numbers and pointers.
    let mut value = unsafe { core::mem::zeroed() };
    ok(fill(Some(&mut value)));
    value
}

fn none<T>() -> T {
    // Numbers and pointers.
    unsafe { core::mem::zeroed() }
}

/// The pose buffer of an animator.
fn buffer(animator: SinewAnimator) -> &'static mut [SinewTransform] {
    let (mut pose, mut count) = (core::ptr::null_mut(), 0);
    ok(sinew_animator_get_pose_buffer(animator, Some(&mut pose), Some(&mut count)));
    unsafe { core::slice::from_raw_parts_mut(pose, count as usize) }
}

/// A rig, and animators of it.
struct Cast {
    person: Person,
    skeleton: SinewSkeleton,
    avatar: SinewAvatar,
    animators: Vec<SinewAnimator>,
    random: Random,
}

fn cast(count: usize) -> Cast {
    let person = person(&PersonOptions::default());
    let (skeleton, avatar) = RigData::of_person(&person).avatar();
    let make = |_| {
        let mut def: SinewAnimatorDef = default(|def| sinew_animator_def_default(def));
        (def.skeleton, def.avatar) = (skeleton, avatar);
        let mut animator = none();
        ok(sinew_animator_create(Some(&def), Some(&mut animator)));
        animator
    };
    Cast { person, skeleton, avatar, animators: (0..count).map(make).collect(), random: Random::new(7) }
}

impl Cast {
    /// An animated pose.
    fn pose(&mut self) -> Vec<SinewTransform> {
        let mut pose = transforms(&self.person.t_pose);
        for joint in &mut pose {
            let turn = Quat::from(joint.rotation) * self.random.rotation_within(0.3);
            joint.rotation = quat(turn);
        }
        pose
    }
    fn set_goals(&mut self, animator: SinewAnimator) {
        for goal in 0..4 {
            let position = vec3(Vec3::Y + self.random.in_ball(0.6));
            ok(sinew_animator_set_ik_position(animator, goal, Some(&position)));
            ok(sinew_animator_set_ik_position_weight(animator, goal, self.random.unit01()));
        }
        ok(sinew_animator_set_look_at_position(animator, Some(&vec3(self.random.in_ball(3.0)))));
        ok(sinew_animator_set_look_at_weight(animator, 1.0, 0.3, 0.8, 1.0, 0.5));
    }
    /// Frames of all animators through their pose buffers.
    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            for animator in self.animators.clone() {
                let pose = self.pose();
                buffer(animator).copy_from_slice(&pose);
                self.set_goals(animator);
                ok(sinew_animator_solve(animator));
                let (mut position, mut rotation) = (none(), none());
                ok(sinew_animator_get_joint_world(animator, 5, Some(&mut position), Some(&mut rotation)));
            }
        }
    }
    fn destroy(self) {
        self.animators.iter().for_each(|animator| ok(sinew_animator_destroy(*animator)));
        ok(sinew_avatar_destroy(self.avatar));
        ok(sinew_skeleton_destroy(self.skeleton));
    }
}

fn constraints(cast: &mut Cast) {
    let animator = cast.animators[0];
    let mut def: SinewChainDef = default(|def| sinew_chain_def_default(def));
    let mut bone = -1;
    ok(sinew_avatar_get_bone_joint(cast.avatar, 18, Some(&mut bone)));
    let end = SinewChainEnd { joint: bone as u32, tip: vec3(Vec3::ZERO) };
    def.ends = &end;
    def.end_count = 1;
    def.joint_count = 3;
    let mut constraint = none();
    ok(unsafe { sinew_animator_add_chain(animator, Some(&def), Some(&mut constraint)) });
    ok(sinew_animator_set_constraint_weight(animator, constraint, 1.0));
    ok(sinew_animator_set_constraint_position(animator, constraint, 0, Some(&vec3(Vec3::new(0.3, 1.2, 0.4)))));
    cast.frames(3);
    ok(sinew_animator_remove_constraint(animator, constraint));
}

fn world(cast: &mut Cast) {
    let mut world = none();
    ok(sinew_world_create(Some(&mut world)));
    for animator in &cast.animators {
        let mut row = 0;
        ok(sinew_world_join(world, *animator, Some(&mut row)));
    }
    let threads = sinew_world_set_threads(world, 3);
    assert!(matches!(threads, SinewResult::SinewOk | SinewResult::SinewErrorNotAvailable));
    for _ in 0..3 {
        for animator in cast.animators.clone() {
            let pose = cast.pose();
            buffer(animator).copy_from_slice(&pose);
            cast.set_goals(animator);
        }
        let mut report = none();
        ok(unsafe { sinew_world_solve(world, None, Some(&mut report)) });
        // The host's own records, with roots.
        let joints = cast.person.t_pose.len();
        let rows = cast.animators.len();
        let mut records: Vec<_> = (0..rows).flat_map(|_| cast.pose()).collect();
        let roots = vec![transforms(&[sinew::math::Transform::IDENTITY])[0]; rows];
        let mut frame: SinewWorldFrame = default(|frame| sinew_world_frame_default(frame));
        frame.row_count = rows as u32;
        frame.layout = 1;
        frame.records = records.as_mut_ptr();
        frame.records_stride = (joints * 40) as u32;
        (frame.roots, frame.roots_stride) = (roots.as_ptr(), 40);
        let mut results = vec![-1; rows];
        frame.out_results = results.as_mut_ptr();
        ok(unsafe { sinew_world_solve(world, Some(&frame), None) });
        assert!(results.iter().all(|result| *result == 0));
        let mut hash = 0;
        ok(sinew_world_hash(world, Some(&mut hash)));
    }
    // A budget by a clock of the host.
    extern "C-unwind" fn clock(user: *mut c_void) -> f64 {
        let now = unsafe { &mut *user.cast::<f64>() };
        *now += 0.0007;
        *now
    }
    let mut now = 0.0f64;
    ok(sinew_world_set_threads(world, 1));
    ok(sinew_world_set_budget(world, 0.001, Some(clock), (&raw mut now).cast()));
    for _ in 0..4 {
        ok(unsafe { sinew_world_solve(world, None, None) });
    }
    ok(sinew_world_destroy(world));
}

fn arrays(cast: &mut Cast) {
    let mut world = none();
    ok(sinew_world_create(Some(&mut world)));
    ok(sinew_world_join(world, cast.animators[0], Some(&mut 0)));
    ok(sinew_world_set_arrays(world, 1));
    let mut found: SinewWorldArrays = none();
    ok(sinew_world_get_arrays(world, cast.animators[0], Some(&mut found)));
    let mut frame: SinewWorldFrame = default(|frame| sinew_world_frame_default(frame));
    frame.layout = 4;
    for _ in 0..3 {
        let pose = cast.pose();
        for (joint, transform) in pose.iter().enumerate() {
            let q = transform.rotation;
            for (number, value) in [q.x, q.y, q.z, q.w].into_iter().enumerate() {
                let at = (joint * 7 + 3 + number) * 8 + found.place as usize;
                unsafe { found.locals.add(at).write(value) };
            }
        }
        ok(unsafe { sinew_world_solve(world, Some(&frame), None) });
    }
    ok(sinew_world_destroy(world));
}

fn body(cast: &mut Cast) {
    let settings: SinewBodySettings = default(|settings| sinew_body_settings_default(settings));
    let mut body = none();
    ok(sinew_body_create(cast.skeleton, 0, Some(&settings), Some(&mut body)));
    let mut def: SinewBodyTaskDef = default(|def| sinew_body_task_default(0, def));
    def.joint = 12;
    let mut task = none();
    ok(sinew_body_add_task(body, Some(&def), Some(&mut task)));
    for _ in 0..3 {
        let mut pose = cast.pose();
        let goal = vec3(Vec3::Y + cast.random.in_ball(0.5));
        ok(sinew_body_set_task_goal(body, task, Some(&goal)));
        let mut outcome = none();
        let count = pose.len() as u32;
        ok(unsafe { sinew_body_solve(body, pose.as_mut_ptr(), count, 0.016, Some(&mut outcome)) });
        let mut work: SinewBodyWork = default(|work| sinew_body_work_default(work));
        (work.body, work.pose, work.joint_count) = (body, pose.as_mut_ptr(), count);
        ok(unsafe { sinew_body_solve_batch(&mut work, 1, 0.016, SinewWorld { bits: 0 }, None) });
    }
    ok(sinew_body_destroy(body));
}

/// A joint at the point that `user` leads to: three rows.
extern "C-unwind" fn toward(user: *mut c_void, at: *const SinewTaskPlacement, out_rows: *mut SinewTaskRows) {
    let (goal, joint, rows) = unsafe { (&*user.cast::<SinewVec3>(), &(*at).position, &mut *out_rows) };
    rows.value = [goal.x - joint.x, goal.y - joint.y, goal.z - joint.z];
    rows.terms[0].point = *joint;
    rows.terms[0].force = [Vec3::X, Vec3::Y, Vec3::Z].map(vec3);
}

/// Two tasks whose rows the host computes, one at a time and in a batch; a world's threads solve.
fn host_tasks(cast: &mut Cast) {
    let settings: SinewBodySettings = default(|settings| sinew_body_settings_default(settings));
    let mut bodies = [none::<SinewBody>(), none()];
    let mut goals = [vec3(Vec3::Y), vec3(Vec3::ONE)];
    let mut world = none();
    ok(sinew_world_create(Some(&mut world)));
    for (body, goal) in bodies.iter_mut().zip(&mut goals) {
        ok(sinew_body_create(cast.skeleton, 0, Some(&settings), Some(body)));
        let mut def: SinewBodyTaskDef = default(|def| sinew_body_task_default(12, def));
        (def.joint, def.axes) = (12, 7);
        let mut task = none();
        ok(unsafe {
            sinew_body_add_host_task(*body, Some(&def), Some(toward), (&raw mut *goal).cast(), Some(&mut task))
        });
        let mut error = 0.0;
        ok(sinew_body_check_host_task(*body, task, Some(&mut error)));
    }
    for _ in 0..3 {
        let mut poses = [cast.pose(), cast.pose()];
        goals.fill_with(|| vec3(Vec3::Y + cast.random.in_ball(0.5)));
        let count = poses[0].len() as u32;
        for (body, pose) in bodies.iter().zip(&mut poses) {
            ok(unsafe { sinew_body_solve(*body, pose.as_mut_ptr(), count, 0.016, None) });
        }
        let mut works = [0, 1].map(|place| {
            let mut work: SinewBodyWork = default(|work| sinew_body_work_default(work));
            (work.body, work.pose, work.joint_count) = (bodies[place], poses[place].as_mut_ptr(), count);
            work
        });
        ok(unsafe { sinew_body_solve_batch(works.as_mut_ptr(), 2, 0.016, world, None) });
    }
    tied(cast, bodies);
    bodies.into_iter().for_each(|body| ok(sinew_body_destroy(body)));
    ok(sinew_world_destroy(world));
}

/// Two bodies that meet, and are solved for the goals that this gives.
fn tied(cast: &mut Cast, bodies: [SinewBody; 2]) {
    let tasks = bodies.map(|body| {
        let mut def: SinewBodyTaskDef = default(|def| sinew_body_task_default(0, def));
        def.joint = 9;
        let mut task = none();
        ok(sinew_body_add_task(body, Some(&def), Some(&mut task)));
        task
    });
    for _ in 0..2 {
        let mut poses = [cast.pose(), cast.pose()];
        let mut works = [0, 1].map(|place| {
            let mut work: SinewBodyWork = default(|work| sinew_body_work_default(work));
            (work.body, work.pose, work.joint_count) =
                (bodies[place], poses[place].as_mut_ptr(), poses[place].len() as u32);
            work
        });
        let mut tie: SinewBodyTie = default(|tie| sinew_body_tie_default(tie));
        (tie.first_task, tie.second_task) = (tasks[0], tasks[1]);
        let mut meeting = none();
        ok(unsafe { sinew_body_meet(works.as_ptr(), 2, &mut tie, 1, 0.016, 4, Some(&mut meeting)) });
        ok(unsafe { sinew_body_solve_batch(works.as_mut_ptr(), 2, 0.016, SinewWorld { bits: 0 }, None) });
    }
}

extern "C-unwind" fn slope(_: *mut c_void, query: *const SinewGroundQuery, out_hit: *mut SinewGroundHit) {
    let (query, hit) = unsafe { (&*query, &mut *out_hit) };
    hit.hit = 1;
    hit.point = SinewVec3 { x: query.origin.x, y: query.origin.x * 0.1, z: query.origin.z };
    hit.normal = SinewVec3 { x: 0.0, y: 1.0, z: 0.0 };
}

/// A grounder of a character with two legs.
fn new_grounder() -> SinewGrounder {
    let foot: SinewFootModel = default(|foot| sinew_foot_model_default(foot));
    let mut grounder = none();
    ok(unsafe { sinew_grounder_create([foot; 2].as_ptr(), 2, core::ptr::null(), Some(&mut grounder)) });
    grounder
}

/// Its frame number `step`, on the way along z.
fn ground_frame(step: usize) -> (SinewGrounderFrame, [SinewGrounderLeg; 2]) {
    let mut frame: SinewGrounderFrame = default(|frame| sinew_grounder_frame_default(frame));
    frame.dt_s = 0.016;
    frame.pelvis = SinewVec3 { x: 0.0, y: 0.9, z: step as f32 * 0.05 };
    let leg = |x: f32| SinewGrounderLeg {
        hip: SinewVec3 { x, y: 0.9, z: 0.0 },
        knee: SinewVec3 { x, y: 0.5, z: 0.05 },
        ankle: SinewVec3 { x, y: 0.1, z: 0.0 },
        ball: SinewVec3 { x, y: 0.02, z: 0.12 },
        foot: quat(Quat::IDENTITY),
        weight: 1.0,
        ..none()
    };
    (frame, [leg(-0.1), leg(0.1)])
}

fn grounder() {
    let grounder = new_grounder();
    for step in 0..4 {
        let (frame, legs) = ground_frame(step);
        ok(unsafe {
            sinew_grounder_solve(grounder, Some(&frame), legs.as_ptr(), 2, Some(slope), core::ptr::null_mut())
        });
        let mut results = [none::<SinewGrounderLegResult>(), none()];
        ok(unsafe { sinew_grounder_get_legs(grounder, results.as_mut_ptr(), 2) });
    }
    ok(sinew_grounder_destroy(grounder));
}

fn tracked(cast: &mut Cast) {
    let mut body = none();
    ok(unsafe { sinew_tracked_body_create(cast.avatar, core::ptr::null(), Some(&mut body)) });
    for step in 0..3 {
        let mut sample: SinewTrackerSample = none();
        sample.set = 3;
        sample.time_s = f64::from(step) / 90.0;
        sample.position = SinewVec3 { x: 0.0, y: 1.6, z: 0.0 };
        sample.rotation = quat(Quat::IDENTITY);
        sample.confidence = 1.0;
        ok(sinew_tracked_body_set_tracker(body, 0, Some(&sample)));
        ok(sinew_tracked_body_update(body, f64::from(step) / 90.0));
        ok(sinew_tracked_body_set_part_weight(body, SinewTrackedPart::LeftLeg as i32, 0.25));
        let mut weight = 0.0;
        ok(sinew_tracked_body_get_part_weight(body, SinewTrackedPart::LeftLeg as i32, Some(&mut weight)));
        let mut pose = cast.pose();
        let count = pose.len() as u32;
        ok(unsafe { sinew_tracked_body_apply(body, pose.as_mut_ptr(), count) });
    }
    ok(sinew_tracked_body_destroy(body));
}

fn kernels() {
    let mut job: SinewTwoBoneJob = default(|job| sinew_two_bone_job_default(job));
    job.root_mid = SinewVec3 { x: 0.0, y: -0.4, z: 0.0 };
    job.mid_end = SinewVec3 { x: 0.0, y: -0.4, z: 0.1 };
    job.target = SinewVec3 { x: 0.2, y: -0.5, z: 0.1 };
    let mut result = none();
    ok(unsafe { sinew_two_bone_solve(&job, Some(&mut result)) });
    let mut results = [none::<SinewTwoBoneResult>(), none()];
    ok(unsafe { sinew_two_bone_solve_batch([job; 2].as_ptr(), 2, results.as_mut_ptr()) });
}

/// A call of every kind.
fn session() {
    let mut cast = cast(3);
    cast.frames(4);
    constraints(&mut cast);
    ok(unsafe { sinew_animator_solve_batch(cast.animators.as_ptr(), 3, core::ptr::null_mut()) });
    body(&mut cast);
    host_tasks(&mut cast);
    tracked(&mut cast);
    grounder();
    kernels();
    world(&mut cast);
    arrays(&mut cast);
    // Refused, and no harm: the array is shorter than the count.
    let pose = cast.pose();
    let refused = unsafe { sinew_animator_set_pose(cast.animators[0], pose.as_ptr(), 1_000_000) };
    assert_eq!(refused, SinewResult::SinewErrorLengthMismatch);
    let mut joint = 0;
    let name = c"no such joint";
    let refused = unsafe { sinew_skeleton_find_joint(cast.skeleton, name.as_ptr(), Some(&mut joint)) };
    assert_eq!(refused, SinewResult::SinewErrorJointNotFound);
    assert!(last_error().contains("name: no joint"), "{}", last_error());
    cast.destroy();
}

#[test]
fn a_replay_gives_the_same_bits() {
    let _alone = alone();
    let (log, ()) = record(session);
    let played = replay(&log);
    for (place, played) in played.iter().enumerate() {
        assert!(played.is_same(), "call {place}: {played:?}");
    }
    let names: std::collections::BTreeSet<_> = played.iter().map(|played| played.function).collect();
    for name in ["sinew_world_solve", "sinew_body_solve_batch", "sinew_grounder_solve", "sinew_tracked_body_apply"] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    assert!(played.iter().filter(|played| played.is_frame).count() > 40);
    assert!(played.iter().any(|played| matches!(&played.outcome, Outcome::Refused(why) if why.contains("count"))));
}

#[test]
fn rows_of_the_host_are_in_the_log() {
    let _alone = alone();
    let (log, ()) = record(|| {
        let mut cast = cast(0);
        host_tasks(&mut cast);
        cast.destroy();
    });
    assert!(replay(&log).iter().all(Played::is_same));
    // Without them the solves differ: nothing else in the log stands for them.
    let read = Log::read(&log).expect("a log");
    let mut player = Player::new(&read.head).expect("of this version");
    let mut differing = Vec::new();
    for entry in &read.entries {
        let mut entry = entry.clone();
        if let Entry::Call(call) = &mut entry {
            call.parts.retain(|part| part.tag != Tag::Rows);
        }
        differing.extend(player.play(&entry).filter(|played| !played.is_same()).map(|played| played.function));
    }
    for (name, solves) in [("sinew_body_solve", 6), ("sinew_body_solve_batch", 5), ("sinew_body_meet", 2)] {
        assert_eq!(differing.iter().filter(|differs| **differs == name).count(), solves, "{name}");
    }
}

/// A block is what is collected before it is written; the recorder compares poses with it.
#[test]
fn recordings_of_many_blocks_replay() {
    let _alone = alone();
    let (log, ()) = record(|| {
        let mut cast = cast(3);
        cast.frames(60);
        // The host writes some buffers, and leaves others as the last solve left them.
        for round in 0..200 {
            for (place, animator) in cast.animators.clone().into_iter().enumerate() {
                if round % (place + 2) == 0 {
                    let pose = cast.pose();
                    buffer(animator).copy_from_slice(&pose);
                }
                ok(sinew_animator_solve(animator));
            }
        }
        cast.destroy();
    });
    assert!(log.len() > 2 << 18, "{} bytes", log.len());
    let played = replay(&log);
    assert!(played.len() > 600 && played.iter().all(Played::is_same));
    // A pose that the host has not written is not logged again, but for once in each block.
    let is_pose = |entry: &&Entry| matches!(entry, Entry::Pose { .. });
    let poses = Log::read(&log).expect("a log").entries.iter().filter(is_pose).count();
    let (written, blocks) = (180 + 100 + 67 + 50, log.len() >> 18);
    assert!((written..=written + 3 * (blocks + 1)).contains(&poses), "{poses} poses, {written} written");
}

#[test]
fn a_recording_of_the_same_session_is_the_same_file() {
    let _alone = alone();
    let mut cast = cast(1);
    let (first, ()) = record(|| cast.frames(2));
    cast.destroy();
    // Its calls use an animator that the log does not create.
    assert!(replay(&first).iter().all(|played| played.outcome == Outcome::Unknown));
    let (written, ()) = record(session);
    let log = Log::read(&written).expect("a log");
    assert_eq!(log.cut, 0);
    assert!(log.write() == written, "other bytes");
    assert!(matches!(log.entries.last(), Some(Entry::End { code: 0 })));
}

#[test]
fn one_bit_of_the_animation_shows() {
    let _alone = alone();
    let (log, ()) = record(|| {
        let mut cast = cast(1);
        cast.frames(3);
        cast.destroy();
    });
    assert!(replay(&log).iter().all(Played::is_same));
    let mut changed = log.clone();
    let read = Log::read(&log).expect("a log");
    // Of the last frame.
    let pose = read.entries.iter().rev().find_map(|entry| match entry {
        Entry::Pose { pose, .. } => Some(*pose),
        _ => None,
    });
    let pose = pose.expect("a pose");
    // The lowest bit of the position of a joint.
    let at = pose.as_ptr().addr() - log.as_ptr().addr() + 5 * 40;
    changed[at] ^= 1;
    assert!(!replay(&changed).iter().all(Played::is_same));
}

#[test]
fn damaged_logs_do_no_harm() {
    let _alone = alone();
    let (log, ()) = record(session);
    let mut random = Random::new(11);
    let mut number = |below: usize| random.below(below);
    for round in 0..120 {
        let mut damaged = log.clone();
        if round % 3 == 0 {
            damaged.truncate(number(log.len()));
        }
        for _ in 0..1 + number(20) {
            if !damaged.is_empty() {
                let at = number(damaged.len());
                damaged[at] = number(256) as u8;
            }
        }
        let Ok(read) = Log::read(&damaged) else { continue };
        let Ok(mut player) = Player::new(&read.head) else { continue };
        for entry in &read.entries {
            player.play(entry);
        }
    }
}

#[test]
fn a_sink_that_refuses_stops_the_recording_and_no_call() {
    let _alone = alone();
    extern "C-unwind" fn refuse(_: *mut c_void, _: *const u8, _: u32) -> u32 {
        7
    }
    ok(sinew_record_begin_callback(Some(refuse), core::ptr::null_mut()));
    let mut cast = cast(2);
    cast.frames(60);
    cast.destroy();
    assert_eq!(sinew_record_end(), SinewResult::SinewErrorNotAvailable);
    assert!(last_error().contains("the sink returned 7"), "{}", last_error());
}

#[test]
fn a_sink_that_has_refused_is_not_called_again() {
    let _alone = alone();
    /// Stores the first block and refuses the second.
    extern "C-unwind" fn refuse_second(calls: *mut c_void, _: *const u8, _: u32) -> u32 {
        let calls = unsafe { &mut *calls.cast::<u32>() };
        *calls += 1;
        u32::from(*calls >= 2)
    }
    let mut calls = 0u32;
    ok(sinew_record_begin_callback(Some(refuse_second), (&raw mut calls).cast()));
    let mut cast = cast(2);
    cast.frames(2000);
    cast.destroy();
    assert_eq!(sinew_record_end(), SinewResult::SinewErrorNotAvailable);
    assert!(last_error().contains("the sink returned 1"), "{}", last_error());
    assert_eq!(calls, 2);
}

#[test]
fn begin_and_end_in_order() {
    let _alone = alone();
    assert_eq!(sinew_record_end(), SinewResult::SinewErrorNotAvailable);
    let mut log = Vec::<u8>::new();
    ok(sinew_record_begin_callback(Some(collect), (&raw mut log).cast()));
    assert_eq!(sinew_record_begin_callback(Some(collect), core::ptr::null_mut()), SinewResult::SinewErrorBusy);
    ok(sinew_record_end());
    assert_eq!(sinew_record_begin_callback(None, core::ptr::null_mut()), SinewResult::SinewErrorNullPointer);
    let folder = c"/no/such/folder/of/recordings/a.log";
    assert_eq!(unsafe { sinew_record_begin(folder.as_ptr()) }, SinewResult::SinewErrorNotAvailable);
    assert!(last_error().contains("path"), "{}", last_error());
    let path = std::env::temp_dir().join(format!("sinew-record-{}.log", std::process::id()));
    let text = std::ffi::CString::new(path.to_str().expect("a path of text")).expect("no zero");
    ok(unsafe { sinew_record_begin(text.as_ptr()) });
    session();
    ok(sinew_record_end());
    let written = std::fs::read(&path).expect("a file");
    std::fs::remove_file(&path).expect("to remove the file");
    assert!(replay(&written).iter().all(Played::is_same));
}

#[test]
fn calls_of_several_threads_are_all_logged() {
    let _alone = alone();
    let (log, ()) = record(|| {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut cast = cast(2);
                    cast.frames(10);
                    cast.destroy();
                });
            }
        });
    });
    let played = replay(&log);
    assert_eq!(played.iter().filter(|played| played.is_frame).count(), 4 * 2 * 10);
    assert!(played.iter().all(Played::is_same));
}
