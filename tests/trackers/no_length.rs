//! Avatars of which a bone has no length: joints of a rig that lie in one place.

use crate::player::{Player, SIX, THREE, avatar, with_t_pose};
use sinew::humanoid::HumanBone;
use sinew::humanoid::HumanBone::*;
use sinew::math::{Quat, Vec3};
use sinew::trackers::{TrackedBodySettings, TrackerRole};

/// The bones whose length is the local position of the next joint, limb by limb.
const NEXT_JOINTS: [&[HumanBone]; 8] = [
    &[LeftLowerArm],
    &[LeftHand],
    &[RightLowerArm, RightHand],
    &[LeftLowerLeg],
    &[LeftFoot],
    &[RightLowerLeg, RightFoot],
    &[LeftIndexIntermediate],
    &[LeftIndexIntermediate, LeftIndexDistal],
];

#[test]
fn bones_without_length_leave_a_finite_body() {
    let usual = avatar();
    for joints in NEXT_JOINTS {
        for length in [0.0, 1e-8, 1e-4] {
            let mut rest = usual.t_pose().to_vec();
            for joint in joints.iter().filter_map(|bone| usual.joint(*bone)) {
                rest[joint].position *= length;
            }
            let odd = with_t_pose(&usual, rest);
            for roles in [THREE, SIX] {
                let mut player = Player::of(odd.clone(), TrackedBodySettings::default());
                let tracked: Vec<_> = roles.iter().copied().chain([TrackerRole::LeftIndex]).collect();
                for step in 0..40 {
                    let way = Vec3::new(0.01, -0.005, 0.002) * step as f32;
                    player.stand(&tracked, Quat::IDENTITY, way);
                    for (joint, frame) in player.frame().iter().enumerate() {
                        let (place, local) = (frame.position_f32(), player.body.pose()[joint]);
                        assert!(place.is_finite() && local.is_finite(), "{joints:?} · {length}, {roles:?}: {local:?}");
                    }
                }
            }
        }
    }
}
