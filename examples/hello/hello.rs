//! The right hand goes to a point, and the head looks at it.

use sinew::animator::Animator;
use sinew::humanoid::{Avatar, AvatarDefinition, IkGoal, LookAtWeight, map_joints};
use sinew::math::Vec3;
use sinew::skeleton::{Skeleton, SkeletonBuilder, SkeletonError};
use std::sync::Arc;

/// Fifteen joints in a T-pose that face +Z. Yours come from a file or from your engine.
fn person() -> Result<Skeleton, SkeletonError> {
    let mut rig = SkeletonBuilder::new();
    let hips = rig.joint_at("Hips", None, Vec3::new(0.0, 1.0, 0.0));
    let spine = rig.joint_at("Spine", Some(hips), Vec3::new(0.0, 0.2, 0.0));
    rig.joint_at("Head", Some(spine), Vec3::new(0.0, 0.4, 0.0));
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let at = |x_m: f32, y_m: f32, z_m: f32| Vec3::new(x * x_m, y_m, z_m);
        let arm = rig.joint_at(&format!("{side}UpperArm"), Some(spine), at(0.2, 0.3, 0.0));
        let forearm = rig.joint_at(&format!("{side}LowerArm"), Some(arm), at(0.28, 0.0, 0.0));
        rig.joint_at(&format!("{side}Hand"), Some(forearm), at(0.25, 0.0, 0.0));
        let thigh = rig.joint_at(&format!("{side}UpperLeg"), Some(hips), at(0.1, 0.0, 0.0));
        let shin = rig.joint_at(&format!("{side}LowerLeg"), Some(thigh), at(0.0, -0.45, 0.01));
        rig.joint_at(&format!("{side}Foot"), Some(shin), at(0.0, -0.45, -0.01));
    }
    rig.build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let skeleton = Arc::new(person()?);
    let map = map_joints(&skeleton).map; // Mixamo, VRM, Unreal, Biped … names, or your own table
    let avatar = Avatar::new(skeleton.clone(), &AvatarDefinition { map, ..Default::default() })?;
    let mut animator = Animator::new(skeleton.clone(), Some(Arc::new(avatar)))?;
    let handle = Vec3::new(-0.3, 1.2, 0.4); // world space, metres
    animator.set_ik_position(IkGoal::RightHand, handle)?;
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0)?;
    animator.set_look_at_position(handle)?;
    animator.set_look_at_weight(LookAtWeight { weight: 1.0, ..Default::default() })?;

    for _frame in 0..60 {
        // Rewrite every joint from your animation: the pose still holds the last result.
        animator.pose_mut().local_mut().copy_from_slice(skeleton.rest_local());
        animator.solve()?; // then read `animator.pose()`
    }
    let off_m = animator.ik_outcome(IkGoal::RightHand)?.residual_m;
    println!("the hand is {off_m} m off");
    assert!(off_m < 1e-5);
    Ok(())
}
