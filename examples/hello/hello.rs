//! The right hand goes to a point, and the head looks at it.

use sinew::animator::Animator;
use sinew::humanoid::{Avatar, AvatarDefinition, IkGoal, LookAtWeight, map_joints};
use sinew::math::Vec3;
use sinew::skeleton::Skeleton;
use std::sync::Arc;

fn hold(skeleton: Skeleton) -> Result<f32, Box<dyn std::error::Error>> {
    let skeleton = Arc::new(skeleton);
    let map = map_joints(&skeleton).map; // Mixamo, VRM, Unreal, Biped … names, or your own table
    let avatar = Avatar::new(skeleton.clone(), &AvatarDefinition { map, ..Default::default() })?;
    let mut animator = Animator::new(skeleton, Some(Arc::new(avatar)))?;

    animator.pose_mut().local_mut()[0].position.y += 0.01; // every frame: write your animation,
    animator.set_ik_position(IkGoal::RightHand, Vec3::new(0.3, 1.2, 0.4))?; // world space, metres
    animator.set_ik_position_weight(IkGoal::RightHand, 1.0)?;
    animator.set_look_at_position(Vec3::new(0.3, 1.2, 0.4))?;
    animator.set_look_at_weight(LookAtWeight { weight: 1.0, ..Default::default() })?;
    animator.solve()?; // and read it back from `animator.pose()`
    Ok(animator.ik_outcome(IkGoal::RightHand)?.residual_m)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let off = hold(testkit::person::person(&Default::default()).skeleton)?;
    println!("off by {off} m");
    assert!(off < 1e-5);
    Ok(())
}
