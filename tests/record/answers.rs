//! Answers of callbacks go with the call that has received them, whatever other calls return
//! meanwhile.

use super::*;
use std::thread;

/// What another thread does during a call of this one.
fn on_another_thread(work: impl FnOnce() + Send) {
    thread::scope(|scope| {
        scope.spawn(work);
    });
}

fn none_of_it_differs(log: &[u8]) {
    for (place, played) in replay(log).iter().enumerate() {
        assert!(played.is_same(), "call {place}: {played:?}");
    }
}

/// Rows toward a goal; before each, a call that is refused: of this thread, as the body is in use,
/// and of another.
extern "C-unwind" fn disturbed(user: *mut c_void, at: *const SinewTaskPlacement, out_rows: *mut SinewTaskRows) {
    let (goal, body) = unsafe { &*user.cast::<(SinewVec3, SinewBody)>() };
    assert_eq!(sinew_body_reset(*body), SinewResult::SinewErrorBusy);
    on_another_thread(|| {
        let mut outcome = none();
        assert_eq!(sinew_body_get_outcome(none(), Some(&mut outcome)), SinewResult::SinewErrorInvalidHandle);
    });
    toward((&raw const *goal).cast_mut().cast(), at, out_rows);
}

#[test]
fn refused_calls_lose_no_answers_of_tasks() {
    let _alone = alone();
    let (log, ()) = record(|| {
        let mut cast = cast(0);
        let mut user = (vec3(Vec3::Y), none::<SinewBody>());
        ok(sinew_body_create(cast.skeleton, 0, None, Some(&mut user.1)));
        let body = user.1;
        let mut def: SinewBodyTaskDef = default(|def| sinew_body_task_default(12, def));
        (def.joint, def.axes) = (12, 7);
        let data = (&raw mut user).cast();
        ok(unsafe { sinew_body_add_host_task(body, Some(&def), Some(disturbed), data, Some(&mut none())) });
        for _ in 0..2 {
            let mut pose = cast.pose();
            let count = pose.len() as u32;
            ok(unsafe { sinew_body_solve(body, pose.as_mut_ptr(), count, 0.016, None) });
        }
        ok(sinew_body_destroy(body));
        cast.destroy();
    });
    none_of_it_differs(&log);
}

/// Rows of which the last ones are none: a check of them fails.
extern "C-unwind" fn without_end(user: *mut c_void, at: *const SinewTaskPlacement, out_rows: *mut SinewTaskRows) {
    let (goal, left) = unsafe { &mut *user.cast::<(SinewVec3, u32)>() };
    toward((&raw mut *goal).cast(), at, out_rows);
    match left.checked_sub(1) {
        Some(less) => *left = less,
        None => unsafe { (*out_rows).value[0] = f32::NAN },
    }
}

#[test]
fn a_check_that_fails_takes_its_own_answers() {
    let _alone = alone();
    let (log, ()) = record(|| {
        let mut cast = cast(0);
        let user = Box::into_raw(Box::new((vec3(Vec3::Y), 10u32)));
        let mut body = none();
        ok(sinew_body_create(cast.skeleton, 0, None, Some(&mut body)));
        let mut def: SinewBodyTaskDef = default(|def| sinew_body_task_default(12, def));
        (def.joint, def.axes) = (12, 7);
        let mut task = none();
        ok(unsafe { sinew_body_add_host_task(body, Some(&def), Some(without_end), user.cast(), Some(&mut task)) });
        assert_eq!(sinew_body_check_host_task(body, task, Some(&mut 0.0)), SinewResult::SinewErrorNotFinite);
        unsafe { (*user).1 = u32::MAX };
        let mut pose = cast.pose();
        let count = pose.len() as u32;
        ok(unsafe { sinew_body_solve(body, pose.as_mut_ptr(), count, 0.016, None) });
        ok(sinew_body_destroy(body));
        drop(unsafe { Box::from_raw(user) });
        cast.destroy();
    });
    none_of_it_differs(&log);
}

/// A clock; while it is asked, another thread solves a limb.
extern "C-unwind" fn disturbed_clock(user: *mut c_void) -> f64 {
    on_another_thread(kernels);
    let now = unsafe { &mut *user.cast::<f64>() };
    *now += 0.0007;
    *now
}

#[test]
fn the_clock_belongs_to_the_solve_that_asks_it() {
    let _alone = alone();
    let (log, cut) = record(|| {
        let mut cast = cast(24);
        let mut world = none();
        ok(sinew_world_create(Some(&mut world)));
        for animator in &cast.animators {
            ok(sinew_world_join(world, *animator, None));
        }
        let mut now = 0.0f64;
        ok(sinew_world_set_budget(world, 0.001, Some(disturbed_clock), (&raw mut now).cast()));
        let mut cut = 0;
        for _ in 0..6 {
            for animator in cast.animators.clone() {
                let pose = cast.pose();
                buffer(animator).copy_from_slice(&pose);
                cast.set_goals(animator);
            }
            let mut report: SinewWorldReport = none();
            ok(unsafe { sinew_world_solve(world, None, Some(&mut report)) });
            cut += report.cut;
        }
        ok(sinew_world_destroy(world));
        cast.destroy();
        cut
    });
    assert!(cut > 0, "the budget was never used up");
    none_of_it_differs(&log);
}
