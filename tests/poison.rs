//! No panic crosses the C boundary, and the object in which one happened reports it until it is
//! destroyed.

use sinew::ffi::*;
use std::ffi::CStr;

fn animator() -> SinewAnimator {
    let rest = [SinewTransform {
        position: SinewVec3::default(),
        rotation: SinewQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
        scale: SinewVec3 { x: 1.0, y: 1.0, z: 1.0 },
    }];
    let parents = [-1];
    let mut def = SinewSkeletonDef {
        struct_size: 0,
        joint_count: 0,
        parents: std::ptr::null(),
        rest: std::ptr::null(),
        names: std::ptr::null(),
    };
    assert_eq!(sinew_skeleton_def_default(Some(&mut def)), SinewResult::SinewOk);
    (def.joint_count, def.parents, def.rest) = (1, parents.as_ptr(), rest.as_ptr());
    let mut skeleton = SinewSkeleton { bits: 0 };
    assert_eq!(sinew_skeleton_create(Some(&def), Some(&mut skeleton)), SinewResult::SinewOk);
    let mut def = SinewAnimatorDef { struct_size: 0, flags: 0, skeleton, avatar: SinewAvatar { bits: 0 } };
    assert_eq!(sinew_animator_def_default(Some(&mut def)), SinewResult::SinewOk);
    def.skeleton = skeleton;
    let mut animator = SinewAnimator { bits: 0 };
    assert_eq!(sinew_animator_create(Some(&def), Some(&mut animator)), SinewResult::SinewOk);
    assert_eq!(sinew_skeleton_destroy(skeleton), SinewResult::SinewOk);
    animator
}

fn last_error() -> String {
    let mut text = std::ptr::null();
    assert_eq!(sinew_last_error(Some(&mut text)), SinewResult::SinewOk);
    // SAFETY: the text is zero-terminated and lives until this thread's next failing call.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

#[test]
fn a_panic_becomes_a_code_and_poisons_only_its_object() {
    let (sick, well) = (animator(), animator());
    assert_eq!(sinew_test_panic(sick), SinewResult::SinewErrorPanic);
    assert_eq!(last_error(), "sinew_test_panic: a panic on purpose");
    assert_eq!(sinew_animator_solve(sick), SinewResult::SinewErrorPoisoned);
    assert!(last_error().starts_with("sinew_animator_solve: animator 0x"), "{}", last_error());
    assert_eq!(sinew_animator_solve(well), SinewResult::SinewOk);
    let mut valid = 9;
    assert_eq!(sinew_animator_is_valid(sick, Some(&mut valid)), SinewResult::SinewOk);
    assert_eq!(valid, 1);
    assert_eq!(sinew_animator_destroy(sick), SinewResult::SinewOk);
    assert_eq!(sinew_animator_solve(sick), SinewResult::SinewErrorInvalidHandle);
    // The slot is sound again for the next object.
    let next = animator();
    assert_eq!(sinew_animator_solve(next), SinewResult::SinewOk);
    for handle in [well, next] {
        assert_eq!(sinew_animator_destroy(handle), SinewResult::SinewOk);
    }
}
