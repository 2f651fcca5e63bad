//! Nothing of a frame allocates: a counting allocator sees the whole test program.

use crate::player::{Player, SIX, THREE};
use sinew::math::{Quat, Transform, Vec3};
use sinew::trackers::{MAX_PACKET_BYTES, TrackedBodySettings, TrackedPart, TrackerRole};
use testkit::allocations::{Counting, calls};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_frame_allocates_nothing() {
    for roles in [THREE, SIX, &TrackerRole::ALL] {
        let settings = TrackedBodySettings { min_cutoff_hz: 2.0, ..TrackedBodySettings::default() };
        let mut player = Player::new(settings);
        player.calibrate(roles);
        let mut far = player.body.clone();
        let mut pose: Vec<Transform> = player.body.pose().to_vec();
        for part in TrackedPart::ALL {
            player.body.set_part_weight(part, 0.5);
        }
        let (mut packet, mut counted) = ([0; MAX_PACKET_BYTES], 0);
        for frame in 0..200 {
            player.at_ease(roles, Quat::IDENTITY, Vec3::new(0.004 * frame as f32, 0.0, 0.0));
            let time = player.time;
            player.time += 1.0 / 60.0;
            let before = calls();
            player.body.update(time);
            let applied = player.body.apply(&mut pose);
            let size = player.body.pack(&mut packet);
            let received = far.receive(&packet[..size], time);
            far.update_remote(time);
            // The first packet makes the buffer of the receiver.
            counted += if frame == 0 { 0 } else { calls() - before };
            assert!(applied && received);
        }
        assert_eq!(counted, 0, "allocations in 200 frames of {} trackers", roles.len());
    }
}
