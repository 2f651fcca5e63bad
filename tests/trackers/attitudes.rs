//! Heads in any attitude, judged by how far joints go between frames.

use crate::joint_steps::Steps;
use crate::player::{FOUR, Player, SIX, THREE, place};
use sinew::humanoid::HumanBone::*;
use sinew::math::{Quat, Vec3, axis_angle, float, fraction};
use sinew::trackers::{TrackedBodySettings, TrackerRole};

const PI: f32 = core::f32::consts::PI;

fn player(roles: &[TrackerRole]) -> Player {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(roles);
    player
}

/// How far a frame takes the joints when the head is at `attitude` of the time in seconds.
fn steps_of_head(
    roles: &[TrackerRole],
    seconds: f32,
    part: f32,
    attitude: impl Fn(&Player, f32) -> (Vec3, Quat),
) -> (Steps, Player) {
    let mut player = player(roles);
    let [up, forward, left] = player.axes();
    let (mut steps, frames) = (Steps::new(), (seconds * 60.0) as usize);
    for frame in 0..frames {
        let (at, turn) = attitude(&player, frame as f32 / 60.0);
        player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
        player.give(TrackerRole::Head, at, turn);
        // The hands before the chest, carried by a part of the head's turn.
        let carried = fraction(turn, part);
        for (role, side) in [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)] {
            let off = carried * (forward * 0.25 - up * 0.4 + left * (0.2 * side));
            player.give(role, at + off, (carried * axis_angle(up, -side)).normalize());
        }
        let pose = player.frame();
        steps.see(frame, &pose, &player.avatar);
    }
    (steps, player)
}

#[test]
fn a_head_that_nods_by_any_angle_does_not_turn_the_body() {
    for roles in [THREE, &SIX[..3]] {
        for roll in [0.0, 0.1, -0.3] {
            let (steps, _) = steps_of_head(roles, 12.0, 0.5, |player, t| {
                let [_, forward, left] = player.axes();
                // −170° … 170°, 80 °/s at most.
                let pitch = 170.0 / 180.0 * PI * float::sin(0.5 * t);
                (player.rest(Head), (axis_angle(left, pitch) * axis_angle(forward, roll)).normalize())
            });
            assert!(steps.most < 0.04, "roll {roll}: {} m in a frame {:?}", steps.most, steps.at);
        }
    }
}

#[test]
fn lying_down_does_not_turn_the_body() {
    for side in [1.0, -1.0] {
        for roll in [0.0, 0.2] {
            let (steps, player) = steps_of_head(THREE, 6.0, 1.0, |player, t| {
                let [up, forward, left] = player.axes();
                let part = (t / 3.0).min(1.0);
                let part = part * part * (3.0 - 2.0 * part);
                let turn = axis_angle(left, side * 0.5 * PI * part);
                let hips = player.rest(Hips) - up * (0.75 * player.rest(Hips).dot(up) * part);
                let at = hips + turn * (player.rest(Head) - player.rest(Hips));
                (at, (turn * axis_angle(forward, roll * part)).normalize())
            });
            assert!(steps.most < 0.25, "side {side}: {} m in a frame {:?}", steps.most, steps.at);
            // The hips are under the chest, not over the head.
            let frames = testkit::matchers::forward_kinematics(player.avatar.skeleton(), player.body.pose());
            let forward = player.axes()[1];
            let along = (place(&frames, &player.avatar, Head) - place(&frames, &player.avatar, Hips)).dot(forward);
            assert!(along * side > 0.2, "side {side}: head {along} m ahead of the hips");
        }
    }
}

#[test]
fn a_somersault_and_a_cartwheel_have_bounded_speeds() {
    for (what, sideways, most) in [("somersault", false, 0.3), ("cartwheel", true, 0.35)] {
        for tilt in [0.0, 0.05, -0.15] {
            let (steps, _) = steps_of_head(THREE, 5.0, 1.0, |player, t| {
                let [up, forward, left] = player.axes();
                let angle = 2.0 * PI * ((t - 1.0) / 3.0).clamp(0.0, 1.0);
                let (axis, other) = if sideways { (forward, left) } else { (left, forward) };
                let middle = player.rest(Hips);
                let turn = (axis_angle(axis, angle) * axis_angle(other, tilt)).normalize();
                (middle + turn * (player.rest(Head) - middle) - up * 0.05, turn)
            });
            assert!(steps.most < most, "{what}, tilt {tilt}: {} m in a frame {:?}", steps.most, steps.at);
        }
    }
}

/// Hips turned from one rotation to another, and the head likewise, from one place beside the hips
/// to another.
type Tumble = ([[f32; 4]; 2], [[f32; 4]; 2], [[f32; 3]; 2]);

#[test]
fn a_trunk_that_is_turned_far_between_hips_and_head_does_not_jump() {
    // Nobody's poses, but trackers that tumble or are worn upside down pass through them.
    let tumbles: [Tumble; 3] = [
        (
            [[-0.402, 0.044, -0.555, 0.727], [-0.257, -0.624, 0.542, 0.501]],
            [[-0.584, 0.203, 0.649, 0.444], [0.942, 0.04, -0.162, 0.293]],
            [[-0.611, 0.077, 0.097], [0.335, 0.282, 0.363]],
        ),
        (
            [[0.144, 0.76, 0.278, 0.569], [-0.407, -0.316, 0.255, 0.818]],
            [[0.278, -0.863, 0.115, 0.405], [0.154, 0.507, -0.407, 0.744]],
            [[-0.441, 0.014, 0.101], [0.314, 0.096, -0.233]],
        ),
        (
            [[-0.732, -0.219, -0.395, 0.51], [0.048, -0.062, 0.033, 0.996]],
            [[-0.414, 0.781, -0.376, 0.276], [-0.029, -0.479, -0.773, 0.415]],
            [[-0.4, 0.017, 0.034], [-0.384, 0.208, 0.106]],
        ),
    ];
    for (number, (hips, head, places)) in tumbles.into_iter().enumerate() {
        let mut player = player(FOUR);
        let (mut most, mut last) = (0.0_f32, None::<[Vec3; 5]>);
        for frame in 0..=1200 {
            let s = frame as f32 / 1200.0;
            let [hips, head] = [hips, head].map(|[a, b]| Quat::from_array(a).lerp(Quat::from_array(b), s));
            let at = player.rest(Hips) + Vec3::from_array(places[0]).lerp(Vec3::from_array(places[1]), s);
            player.give(TrackerRole::Hips, player.rest(Hips), hips);
            player.give(TrackerRole::Head, at, head);
            for role in [TrackerRole::LeftHand, TrackerRole::RightHand] {
                player.give(role, at + head * (player.rest(role.bone()) - player.rest(Head)), head);
            }
            let pose = player.frame();
            let now = [Spine, Chest, UpperChest, Neck, Head].map(|bone| place(&pose, &player.avatar, bone));
            for (now, last) in now.iter().zip(last.unwrap_or(now)) {
                most = most.max(now.distance(last));
            }
            last = Some(now);
        }
        assert!(most < 0.03, "tumble {number}: {most} m in a frame");
    }
}
