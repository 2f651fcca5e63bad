//! The recording that the target `recordings` edits: `SINEW_SAVE_SAMPLE=1` makes it anew, after the
//! format of recordings has changed.

use core::ffi::c_void;
use sinew::ffi::replay::Player;
use sinew::ffi::*;
use sinew::record::Log;
use sinew_fuzz::recordings::SAMPLE;

extern "C-unwind" fn collect(user: *mut c_void, bytes: *const u8, size: u32) -> u32 {
    // SAFETY: what `sample` hands over, and bytes that are there until the call returns.
    let (log, bytes) = unsafe { (&mut *user.cast::<Vec<u8>>(), core::slice::from_raw_parts(bytes, size as usize)) };
    log.extend_from_slice(bytes);
    0
}

fn ok(result: SinewResult) {
    assert!(result == SinewResult::SinewOk, "{}", result as i32);
}

/// A struct filled by its default function.
fn filled<T>(fill: impl FnOnce(Option<&mut T>) -> SinewResult) -> T {
    // SAFETY: numbers and addresses, for which zeros are valid.
    let mut value = unsafe { core::mem::zeroed() };
    ok(fill(Some(&mut value)));
    value
}

/// Three joints, a chain, a body and a world; a few frames.
fn session() {
    let one = SinewVec3 { x: 1.0, y: 1.0, z: 1.0 };
    let identity = SinewQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    let joint = |y: f32| SinewTransform { position: SinewVec3 { x: 0.0, y, z: 0.0 }, rotation: identity, scale: one };
    let (parents, rest) = ([-1, 0, 1], [joint(0.0), joint(0.5), joint(0.4)]);
    let names = [c"a".as_ptr(), c"b".as_ptr(), c"c".as_ptr()];
    let mut def: SinewSkeletonDef = filled(|out| sinew_skeleton_def_default(out));
    (def.joint_count, def.parents, def.rest, def.names) = (3, parents.as_ptr(), rest.as_ptr(), names.as_ptr());
    let mut skeleton = SinewSkeleton { bits: 0 };
    // SAFETY: three entries each.
    ok(unsafe { sinew_skeleton_create(Some(&def), Some(&mut skeleton)) });
    let mut def: SinewAnimatorDef = filled(|out| sinew_animator_def_default(out));
    def.skeleton = skeleton;
    let mut animator = SinewAnimator { bits: 0 };
    ok(sinew_animator_create(Some(&def), Some(&mut animator)));
    let end = SinewChainEnd { joint: 2, tip: SinewVec3 { x: 0.0, y: 0.3, z: 0.0 } };
    let mut def: SinewChainDef = filled(|out| sinew_chain_def_default(out));
    (def.ends, def.end_count, def.joint_count) = (&raw const end, 1, 3);
    let mut chain = SinewConstraint { bits: 0 };
    // SAFETY: one end.
    ok(unsafe { sinew_animator_add_chain(animator, Some(&def), Some(&mut chain)) });
    ok(sinew_animator_set_constraint_weight(animator, chain, 1.0));
    let mut world = SinewWorld { bits: 0 };
    ok(sinew_world_create(Some(&mut world)));
    let mut row = 0;
    ok(sinew_world_join(world, animator, Some(&mut row)));
    let mut body = SinewBody { bits: 0 };
    ok(sinew_body_create(skeleton, 0, None, Some(&mut body)));
    let mut pose = rest;
    for frame in 0..3 {
        let goal = SinewVec3 { x: 0.3, y: 0.6, z: 0.1 * frame as f32 };
        ok(sinew_animator_set_constraint_position(animator, chain, 0, Some(&goal)));
        ok(sinew_animator_solve(animator));
        // SAFETY: no frame; as many joints as the pose has.
        unsafe {
            ok(sinew_world_solve(world, None, None));
            ok(sinew_body_solve(body, pose.as_mut_ptr(), 3, 0.01, None));
        }
        ok(sinew_animator_reset_pose(animator));
    }
    ok(sinew_body_destroy(body));
    ok(sinew_world_destroy(world));
    ok(sinew_animator_destroy(animator));
    ok(sinew_skeleton_destroy(skeleton));
}

#[test]
fn the_sample_is_of_this_version() {
    if std::env::var_os("SINEW_SAVE_SAMPLE").is_some() {
        let mut log = Vec::<u8>::new();
        ok(sinew_record_begin_callback(Some(collect), (&raw mut log).cast()));
        session();
        ok(sinew_record_end());
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/recordings/sample.sinewlog");
        std::fs::write(file, &log).expect("the corpus");
        println!("{} bytes: run again without SINEW_SAVE_SAMPLE", log.len());
        return;
    }
    let log = Log::read(SAMPLE).expect("a log");
    let mut player = Player::new(&log.head).expect("of this version");
    let played: Vec<_> = log.entries.iter().filter_map(|entry| player.play(entry)).collect();
    assert!(played.len() > 25, "{} calls", played.len());
    assert!(played.iter().all(|played| played.is_same()), "{played:?}");
}
