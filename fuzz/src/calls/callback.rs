//! Functions of the host: each does what the contract allows.

use crate::input::Input;
use core::ffi::c_void;
use sinew::ffi::*;
use std::cell::Cell;
use std::hash::{DefaultHasher, Hasher};
use testkit::Random;

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

/// Rows by the placements alone: how far the first joint is from a plane, or numbers of any kind.
pub extern "C-unwind" fn compute(_: *mut c_void, at: *const SinewTaskPlacement, out_rows: *mut SinewTaskRows) {
    // SAFETY: three placements and one record of rows for the length of the callback.
    let (at, rows) = unsafe { (core::slice::from_raw_parts(at, 3), &mut *out_rows) };
    let first = at[0].position;
    rows.value[0] = 0.2 - first.y;
    rows.terms[0].point = first;
    rows.terms[0].force[0] = SinewVec3 { x: 0.0, y: 1.0, z: 0.0 };
    let mut hash = DefaultHasher::new();
    for place in at {
        let (p, q) = (place.position, place.rotation);
        for number in [p.x, p.y, p.z, q.x, q.y, q.z, q.w] {
            hash.write_u32(number.to_bits());
        }
    }
    let seed = hash.finish();
    if !seed.is_multiple_of(8) {
        return;
    }
    let mut random = Random::new(seed);
    let bytes = [0_u8; 512].map(|_| random.bits() as u8);
    let mut input = Input::new(&bytes);
    rows.value = [0; 3].map(|_| input.number());
    for term in &mut rows.terms {
        let mut any = || SinewVec3 { x: input.number(), y: input.number(), z: input.number() };
        (term.point, term.force, term.torque) = (any(), [0; 3].map(|_| any()), [0; 3].map(|_| any()));
    }
}
