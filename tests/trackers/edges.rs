//! Hands at the edge of reach and before the chest, judged by how far joints go.

use crate::player::{FOUR, Player, THREE, place};
use sinew::humanoid::HumanBone::*;
use sinew::math::{Quat, Vec3, axis_angle, float};
use sinew::trackers::{TrackedBodySettings, TrackerRole};

const PI: f32 = core::f32::consts::PI;

fn player(roles: &[TrackerRole]) -> Player {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(roles);
    player
}

/// Bodies that are built anew for each place of the hand: the answer as a function of the hand.
#[test]
fn hips_follow_a_hand_at_the_edge_of_reach_continuously() {
    let mut worst = (0.0_f32, Vec3::ZERO, 0.0);
    let mut player = player(THREE);
    let [up, forward, left] = player.axes();
    for way in [
        left,
        forward,
        -up,
        up,
        left + forward,
        left - up * 0.5,
        forward - up,
        forward + up,
        left + up,
        forward * 0.7 - left,
        left - forward,
        -up - forward * 0.5,
    ] {
        let way = way.normalize();
        let mut last = None::<Vec3>;
        for step in 0..1500 {
            let far = 0.4 + 0.0002 * step as f32;
            player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
            player.give(TrackerRole::LeftHand, player.rest(LeftUpperArm) + way * far, Quat::IDENTITY);
            player.body.reset();
            let frames = player.frame();
            let hips = place(&frames, &player.avatar, Hips);
            let moved = hips.distance(last.unwrap_or(hips));
            if moved > worst.0 {
                worst = (moved, way, far);
            }
            last = Some(hips);
        }
    }
    assert!(worst.0 < 0.002, "the hips move {} m for 0.2 mm of the hand, {} at {}", worst.0, worst.1, worst.2);
}

#[test]
fn elbows_do_not_flip_as_a_hand_crosses_the_chest() {
    let mut worst = (0.0_f32, String::new());
    for roles in [THREE, FOUR] {
        for height in [-0.35, -0.2, -0.05, 0.1, 0.25] {
            for depth in [0.1, 0.18, 0.3] {
                for (yaw, pitch) in [(-1.5, 0.0), (-2.4, 0.0), (-0.7, 0.0), (-1.5, 1.2), (-1.5, -1.2), (0.5, 0.5)] {
                    let mut player = player(roles);
                    let [up, forward, left] = player.axes();
                    let turn = (axis_angle(up, yaw) * axis_angle(forward, pitch)).normalize();
                    let mut last = None::<Vec3>;
                    for frame in 0..180 {
                        let aside = 0.35 * float::cos(PI * frame as f32 / 90.0);
                        player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
                        let at = player.rest(Neck) + up * (height - 0.1) + forward * depth + left * aside;
                        player.give(TrackerRole::LeftHand, at, turn);
                        let frames = player.frame();
                        let elbow = place(&frames, &player.avatar, LeftLowerArm);
                        let moved = elbow.distance(last.unwrap_or(elbow));
                        if moved > worst.0 {
                            let n = roles.len();
                            worst = (moved, format!("{n} {height} {depth} {yaw} {pitch}, frame {frame}"));
                        }
                        last = Some(elbow);
                    }
                }
            }
        }
    }
    assert!(worst.0 < 0.13, "the elbow moves {} m in a frame: {}", worst.0, worst.1);
}
