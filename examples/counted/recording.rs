//! Solves of the C ABI with and without a recording. A unit is a frame of one character, whose pose
//! buffer the host writes in every frame.

use super::c_abi::capi::{RigData, ok, transforms, vec3};
use super::{Row, counted};
use core::ffi::c_void;
use sinew::ffi::*;
use sinew::math::Vec3;
use testkit::Random;
use testkit::human_pose::random_human_pose;
use testkit::person::{PersonOptions, person};

const FRAMES: u64 = 20;

extern "C-unwind" fn discard(_: *mut c_void, _: *const u8, _: u32) -> u32 {
    0
}

/// Goals for both feet and a look-at; `sets`: six setters in each frame.
fn row(name: &'static str, sets: bool, is_recorded: bool) -> Row {
    let work = move || {
        if is_recorded {
            ok(sinew_record_begin_callback(Some(discard), core::ptr::null_mut()));
        }
        let person = person(&PersonOptions::default());
        let animator = RigData::of_person(&person).animator();
        let (mut pose, mut count) = (core::ptr::null_mut(), 0);
        ok(sinew_animator_get_pose_buffer(animator, Some(&mut pose), Some(&mut count)));
        let mut random = Random::new(1);
        let set = |random: &mut Random| {
            for (goal, x) in [(0, -0.1), (1, 0.1)] {
                let place = vec3(Vec3::new(x, 0.15, 0.05) + random.in_ball(0.05));
                ok(sinew_animator_set_ik_position(animator, goal, Some(&place)));
                ok(sinew_animator_set_ik_position_weight(animator, goal, 1.0));
            }
            let point = vec3(Vec3::new(0.5, 1.5, 2.0) + random.in_ball(0.5));
            ok(sinew_animator_set_look_at_position(animator, Some(&point)));
            ok(sinew_animator_set_look_at_weight(animator, 1.0, 0.3, 0.7, 0.0, 0.5));
        };
        set(&mut random);
        for frame in 0..FRAMES + 2 {
            let animation = transforms(&random_human_pose(person.view(), &mut random, 0.3));
            // SAFETY: the buffer has as many joints.
            unsafe { pose.copy_from_nonoverlapping(animation.as_ptr(), count as usize) };
            let mut solve = || {
                if sets {
                    set(&mut random);
                }
                ok(sinew_animator_solve(animator));
            };
            // The first ones warm up.
            if frame < 2 { solve() } else { counted(&mut solve) }
        }
        if is_recorded {
            ok(sinew_record_end());
        }
        ok(sinew_animator_destroy(animator));
        FRAMES
    };
    Row { name: format!("c_feet_look_at/{name}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![
        row("solve", false, false),
        row("solve_recorded", false, true),
        row("six_setters", true, false),
        row("six_setters_recorded", true, true),
    ]
}
