//! Tracked bodies.

use crate::log::{alone, assert_near, record, replay};
use sinew::ffi::mirror::{RecordedTrackedBody, take_left_out};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::trackers::{
    CalibrationPose, MAX_PACKET_BYTES, ScalePolicy, TrackedBody, TrackedBodySettings, TrackedPart, TrackerRole,
    TrackerSample,
};
use std::sync::Arc;
use testkit::person::{PersonOptions, person};

struct Player {
    body: TrackedBody,
    recorded: RecordedTrackedBody,
    rest: Vec<Transform>,
}

impl Player {
    fn new() -> Self {
        let person = person(&PersonOptions::default());
        let skeleton = Arc::new(person.skeleton.clone());
        let mut definition = AvatarDefinition::default();
        HumanBone::ALL.into_iter().for_each(|bone| definition.map.set(bone, person.human[bone.index()]));
        let avatar = Arc::new(Avatar::new(skeleton.clone(), &definition).expect("a person"));
        Self {
            body: TrackedBody::new(avatar, TrackedBodySettings::default()),
            recorded: RecordedTrackedBody::new(Arc::new(definition)),
            rest: skeleton.rest_local().to_vec(),
        }
    }
    fn play(&mut self, frames: core::ops::Range<u64>) -> Vec<f32> {
        let mut poses = Vec::new();
        for frame in frames {
            let time_s = frame as f64 / 72.0;
            let sway = (frame % 40) as f32 / 40.0;
            for (role, at) in [
                (TrackerRole::Head, Vec3::new(0.1 * sway, 1.65, 0.05)),
                (TrackerRole::LeftHand, Vec3::new(0.4, 1.0 + 0.3 * sway, 0.3)),
                (TrackerRole::RightHand, Vec3::new(-0.4, 1.3 - 0.3 * sway, 0.35)),
            ] {
                let rotation = Some(axis_angle(Vec3::Y, 0.3 * sway));
                let sample = TrackerSample { time_s, position: Some(at), rotation, confidence: 1.0 };
                self.body.set_tracker(role, &sample);
            }
            if frame == 3 {
                self.body.calibrate(CalibrationPose::TPose, ScalePolicy::Height, 0.0).unwrap();
            }
            self.body.set_origin(Vec3::Z * sway, Quat::IDENTITY);
            self.recorded.update(&mut self.body, time_s);
            // Weights may change between the update and the pose.
            self.body.set_part_weight(TrackedPart::RightLeg, 1.0 - sway);
            self.body.set_part_weight(TrackedPart::Pelvis, sway);
            let mut pose = self.rest.clone();
            assert!(self.recorded.apply(&mut self.body, &mut pose));
            for joint in &pose {
                poses.extend(joint.position.to_array());
                poses.extend(joint.rotation.to_array());
            }
        }
        poses
    }
}

#[test]
fn a_recording_has_every_update_and_changes_no_pose() {
    let _alone = alone();
    let (mut usual, mut player) = (Player::new(), Player::new());
    assert_near(&usual.play(0..2), &player.play(0..2));
    let mut poses = Vec::new();
    let log = record(|| poses = player.play(2..50));
    assert_eq!(take_left_out(), 0);
    let expected = usual.play(2..50);
    assert_near(&expected, &poses);
    let frame = expected.len() / 48;
    assert!(expected[..frame].iter().zip(&expected[47 * frame..]).any(|(a, b)| (a - b).abs() > 0.1), "it moves");
    assert_eq!(replay(&log), 48);
    assert_eq!(replay(&record(|| _ = player.play(50..52))), 2);
}

/// Packets of one player, of which some are late or missing, and the other player's body.
#[test]
fn a_recording_has_the_bodies_of_remote_players() {
    let _alone = alone();
    let (mut sender, mut usual, mut player) = (Player::new(), Player::new(), Player::new());
    sender.play(0..4);
    for remote in [&mut usual, &mut player] {
        remote.body.set_calibration(*sender.body.calibration());
    }
    let mut packets = Vec::new();
    for frame in 4..60 {
        sender.play(frame..frame + 1);
        let mut bytes = [0; MAX_PACKET_BYTES];
        let size = sender.body.pack(&mut bytes);
        let late = if frame % 7 == 0 { 0.05 } else { 0.01 };
        if frame % 5 != 0 {
            packets.push((frame as f64 / 72.0 + late, bytes[..size].to_vec()));
        }
    }
    packets.sort_by(|a, b| a.0.total_cmp(&b.0));
    let play = |player: &mut Player, frames: core::ops::Range<u64>| {
        let mut poses = Vec::new();
        for frame in frames {
            let (before, now) = ((frame - 1) as f64 / 72.0, frame as f64 / 72.0);
            for (arrival_s, packet) in packets.iter().filter(|(at, _)| *at > before && *at <= now) {
                assert!(player.body.receive(packet, *arrival_s));
            }
            if player.recorded.update_remote(&mut player.body, now) {
                let mut pose = player.rest.clone();
                assert!(player.recorded.apply(&mut player.body, &mut pose));
                poses.extend(pose.iter().flat_map(|joint| joint.rotation.to_array()));
            }
        }
        poses
    };
    assert_near(&play(&mut usual, 5..20), &play(&mut player, 5..20));
    let mut poses = Vec::new();
    let log = record(|| poses = play(&mut player, 20..60));
    assert_eq!(take_left_out(), 0);
    let expected = play(&mut usual, 20..60);
    assert!(!expected.is_empty());
    assert_near(&expected, &poses);
    assert_eq!(replay(&log), 40);
}
