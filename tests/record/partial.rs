//! Calls that fail: those that are refused as a whole are not run again, those that have begun are.

use super::*;

/// Plays a session, which comes out the same; the code and the sentence of each call that failed.
fn failures(session: impl FnOnce()) -> Vec<(i32, bool)> {
    let (log, ()) = record(session);
    let played = replay(&log);
    for (place, played) in played.iter().enumerate() {
        assert!(played.is_same(), "call {place}: {played:?}");
    }
    let failed = played.iter().filter(|played| played.recorded != 0);
    failed.map(|played| (played.recorded, matches!(played.outcome, Outcome::Run { .. }))).collect()
}

const BATCH: usize = 2;

/// A frame of two grounders in one call each for its phases; `bad` changes what comes in.
fn batch(grounders: &[SinewGrounder; BATCH], step: usize, bad: Option<&str>) -> [SinewResult; 2] {
    let (frame, legs) = ground_frame(step);
    let (mut frames, all) = ([frame; BATCH], [legs, legs].concat());
    if bad == Some("frame") {
        frames[1].dt_s = -1.0;
    }
    let (mut queries, mut first) = ([none::<SinewGroundQuery>(); 20], [0; BATCH + 1]);
    let begun = unsafe {
        sinew_grounder_begin_batch(
            grounders.as_ptr(),
            BATCH as u32,
            frames.as_ptr(),
            all.as_ptr(),
            4,
            queries.as_mut_ptr(),
            20,
            first.as_mut_ptr(),
        )
    };
    let mut hits = queries.map(|query| {
        let mut hit = none();
        slope(core::ptr::null_mut(), &query, &mut hit);
        hit
    });
    if begun != SinewResult::SinewOk {
        return [begun, unsafe { sinew_grounder_finish(grounders[0], hits.as_ptr(), first[1].max(10)) }];
    }
    if bad == Some("hit") {
        hits[first[1] as usize + 1].normal = vec3(Vec3::ZERO);
    }
    let (mut bodies, mut results) = ([none::<SinewGrounderBody>(); BATCH], [none::<SinewGrounderLegResult>(); 4]);
    let count = first[BATCH];
    let (list, rooms) = (grounders.as_ptr(), (bodies.as_mut_ptr(), results.as_mut_ptr()));
    let finished =
        unsafe { sinew_grounder_finish_batch(list, BATCH as u32, hits.as_ptr(), count, rooms.0, rooms.1, 4) };
    [begun, finished]
}

#[test]
fn batches_of_grounders_that_fail_in_part() {
    let _alone = alone();
    for bad in ["frame", "hit"] {
        let failed = failures(|| {
            let grounders = [new_grounder(), new_grounder()];
            for step in 0..6 {
                batch(&grounders, step, (step == 3).then_some(bad));
            }
            grounders.into_iter().for_each(|grounder| ok(sinew_grounder_destroy(grounder)));
        });
        assert_eq!(failed, [(SinewResult::SinewErrorInvalidArgument as i32, true)], "{bad}");
    }
}

#[test]
fn a_frame_whose_answer_is_refused_stays_under_way() {
    let _alone = alone();
    extern "C-unwind" fn bad(user: *mut c_void, query: *const SinewGroundQuery, out_hit: *mut SinewGroundHit) {
        slope(core::ptr::null_mut(), query, out_hit);
        let calls = unsafe { &mut *user.cast::<u32>() };
        *calls += 1;
        if *calls == 3 {
            unsafe { (*out_hit).normal = vec3(Vec3::ZERO) };
        }
    }
    let failed = failures(|| {
        let grounder = new_grounder();
        for step in 0..4 {
            let (frame, legs) = ground_frame(step);
            let mut calls = if step == 2 { 0u32 } else { 100 };
            let user = (&raw mut calls).cast();
            let result = unsafe { sinew_grounder_solve(grounder, Some(&frame), legs.as_ptr(), 2, Some(bad), user) };
            if step == 2 {
                assert_eq!(result, SinewResult::SinewErrorInvalidArgument);
                let mut count = 0;
                let mut queries = [none::<SinewGroundQuery>(); 10];
                ok(unsafe { sinew_grounder_get_queries(grounder, queries.as_mut_ptr(), 10, Some(&mut count)) });
                let hits = queries.map(|query| {
                    let mut hit = none();
                    slope(core::ptr::null_mut(), &query, &mut hit);
                    hit
                });
                ok(unsafe { sinew_grounder_finish(grounder, hits.as_ptr(), count) });
            } else {
                ok(result);
            }
        }
        ok(sinew_grounder_destroy(grounder));
    });
    assert_eq!(failed, [(SinewResult::SinewErrorInvalidArgument as i32, true)]);
}

#[test]
fn works_that_cannot_be_solved() {
    let _alone = alone();
    let failed = failures(|| {
        let mut cast = cast(0);
        let mut bodies = [none::<SinewBody>(), none()];
        for body in &mut bodies {
            ok(sinew_body_create(cast.skeleton, 0, None, Some(body)));
            let mut def: SinewBodyTaskDef = default(|def| sinew_body_task_default(0, def));
            def.joint = 12;
            ok(sinew_body_add_task(*body, Some(&def), Some(&mut none())));
        }
        let mut solve = |change: &dyn Fn(&mut SinewBodyWork)| {
            let mut poses = [cast.pose(), cast.pose()];
            let mut works = [0, 1].map(|place| {
                let mut work: SinewBodyWork = default(|work| sinew_body_work_default(work));
                (work.body, work.pose, work.joint_count) =
                    (bodies[place], poses[place].as_mut_ptr(), poses[place].len() as u32);
                work
            });
            change(&mut works[1]);
            let result = unsafe { sinew_body_solve_batch(works.as_mut_ptr(), 2, 0.016, none(), None) };
            assert_ne!(result, SinewResult::SinewOk);
        };
        solve(&|work| work.joint_count = 3);
        solve(&|work| work.pose = core::ptr::null_mut());
        solve(&|work| work.pose = work.pose.wrapping_byte_add(1));
        solve(&|work| work.iteration_share = f32::NAN);
        solve(&|work| unsafe { (*work.pose).position.x = f32::NAN });
        let mut odd = vec![0u8; 8 + 40 * cast.person.t_pose.len()];
        let count = cast.person.t_pose.len() as u32;
        let odd = odd.as_mut_ptr().wrapping_add(1).cast();
        let refused = unsafe { sinew_body_solve(bodies[0], odd, count, 0.016, None) };
        assert_eq!(refused, SinewResult::SinewErrorInvalidArgument);
        ok(sinew_body_destroy(bodies[1]));
        let mut pose = cast.pose();
        let mut works = bodies.map(|body| {
            let mut work: SinewBodyWork = default(|work| sinew_body_work_default(work));
            (work.body, work.pose, work.joint_count) = (body, pose.as_mut_ptr(), count);
            work
        });
        let result = unsafe { sinew_body_solve_batch(works.as_mut_ptr(), 2, 0.016, none(), None) };
        assert_eq!(result, SinewResult::SinewErrorInvalidHandle);
        ok(sinew_body_destroy(bodies[0]));
        cast.destroy();
    });
    // All but the misaligned pose have begun: the other body was solved.
    assert_eq!(failed.iter().filter(|(_, has_run)| *has_run).count(), 6, "{failed:?}");
    assert_eq!(failed.len(), 7);
}

#[test]
fn rows_without_a_pose() {
    let _alone = alone();
    let failed = failures(|| {
        let mut cast = cast(2);
        let mut world = none();
        ok(sinew_world_create(Some(&mut world)));
        for animator in &cast.animators {
            ok(sinew_world_join(world, *animator, None));
        }
        for second in [0usize, 1, 2] {
            let mut pose = cast.pose();
            let odd = pose.as_mut_ptr().wrapping_byte_add(second);
            let pointers = [pose.as_mut_ptr(), if second == 0 { core::ptr::null_mut() } else { odd }];
            let mut frame: SinewWorldFrame = default(|frame| sinew_world_frame_default(frame));
            (frame.row_count, frame.layout, frame.pointers) = (2, 2, pointers.as_ptr());
            assert_ne!(unsafe { sinew_world_solve(world, Some(&frame), None) }, SinewResult::SinewOk);
        }
        ok(sinew_world_destroy(world));
        cast.destroy();
    });
    let codes = [
        SinewResult::SinewErrorNullPointer,
        SinewResult::SinewErrorInvalidArgument,
        SinewResult::SinewErrorInvalidArgument,
    ];
    assert_eq!(failed, codes.map(|code| (code as i32, true)));
}

/// A job system that never runs its job, nor says so.
extern "C-unwind" fn forget(_: *mut c_void, _: SinewJob, _: u32, _: u32) -> *mut c_void {
    core::ptr::dangling_mut::<u8>().cast()
}
extern "C-unwind" fn wait(_: *mut c_void, _: *mut c_void) {}

#[test]
fn jobs_that_break_their_contract() {
    let _alone = alone();
    let failed = failures(|| {
        // Of one tile no job is made.
        let mut cast = cast(24);
        let mut world = none();
        ok(sinew_world_create(Some(&mut world)));
        for animator in &cast.animators {
            ok(sinew_world_join(world, *animator, None));
        }
        ok(sinew_world_set_jobs(world, Some(forget), Some(wait), core::ptr::null_mut()));
        for animator in cast.animators.clone() {
            let pose = cast.pose();
            buffer(animator).copy_from_slice(&pose);
            cast.set_goals(animator);
        }
        let mut report = none();
        let result = unsafe { sinew_world_solve(world, None, Some(&mut report)) };
        assert_eq!(result, SinewResult::SinewErrorJobs);
        ok(sinew_world_destroy(world));
        cast.destroy();
    });
    assert_eq!(failed, [(SinewResult::SinewErrorJobs as i32, true)]);
}
