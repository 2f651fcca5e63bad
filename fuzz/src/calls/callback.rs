//! Functions of the host: each does what the contract allows.

use core::ffi::c_void;
use sinew::ffi::*;
use std::cell::Cell;

pub extern "C-unwind" fn draw(_: *mut c_void, _: *const SinewVec3, _: *const SinewVec3, _: i32) {}

/// Runs the job at once, in parts.
pub extern "C-unwind" fn enqueue(_: *mut c_void, job: SinewJob, count: u32, grain: u32) -> *mut c_void {
    let step = grain.max(1);
    let mut begin = 0;
    while begin < count {
        let end = count.min(begin + step);
        sinew_job_run(job, begin, end);
        begin = end;
    }
    core::ptr::null_mut()
}

pub extern "C-unwind" fn wait(_: *mut c_void, _: *mut c_void) {}

/// A microsecond later whenever it is looked at.
pub extern "C-unwind" fn clock(_: *mut c_void) -> f64 {
    thread_local! {
        static NOW: Cell<f64> = const { Cell::new(0.0) };
    }
    NOW.set(NOW.get() + 1e-6);
    NOW.get()
}

/// A plane at height 0.
pub extern "C-unwind" fn cast(_: *mut c_void, query: *const SinewGroundQuery, out_hit: *mut SinewGroundHit) {
    // SAFETY: both lead to one record each for the length of the callback.
    unsafe {
        let origin = (*query).origin;
        (*out_hit).hit = 1;
        (*out_hit).point = SinewVec3 { y: 0.0, ..origin };
        (*out_hit).normal = SinewVec3 { x: 0.0, y: 1.0, z: 0.0 };
    }
}
