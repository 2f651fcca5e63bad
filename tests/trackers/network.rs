//! Players over the network: sizes, stated errors, losses, the jitter buffer, bytes that are no
//! packet.

use crate::player::{Player, SIX, local_equal, place};
use sinew::humanoid::HumanBone::{self, Head, Hips, LeftFoot, LeftHand};
use sinew::math::{Quat, Vec3, axis_angle, rotation_angle};
use sinew::trackers::{MAX_PACKET_BYTES, TrackedBody, TrackedBodySettings, TrackerRole};
use testkit::Random;

const DT: f64 = 1.0 / 60.0;

/// Settings under which every tracker that moves at all is sent.
fn restless() -> TrackedBodySettings {
    TrackedBodySettings { rest_distance: 0.0, rest_angle: 0.0, ..TrackedBodySettings::default() }
}

/// A player and a body elsewhere that gets their packets.
struct Call {
    player: Player,
    far: TrackedBody,
}

impl Call {
    fn new(settings: TrackedBodySettings, roles: &[TrackerRole]) -> Self {
        let mut player = Player::new(settings);
        player.calibrate(roles);
        let mut far = TrackedBody::new(player.avatar.clone(), settings);
        far.set_calibration(*player.body.calibration());
        Self { player, far }
    }
    /// A frame of the player, as a packet.
    fn packet(&mut self) -> Vec<u8> {
        self.player.frame();
        let mut bytes = [0; MAX_PACKET_BYTES];
        let size = self.player.body.pack(&mut bytes);
        bytes[..size].to_vec()
    }
    fn far_place(&self, bone: HumanBone) -> (Vec3, Quat) {
        let avatar = &self.player.avatar;
        let frames = testkit::matchers::forward_kinematics(avatar.skeleton(), self.far.pose());
        let mut pose = sinew::skeleton::Pose::rest(avatar.skeleton());
        pose.local_mut().copy_from_slice(self.far.pose());
        pose.update(avatar.skeleton());
        let joint = avatar.joint(bone).expect("a bone");
        (place(&frames, avatar, bone), pose.model(joint).rotation)
    }
}

#[test]
fn a_packet_is_as_exact_as_it_states() {
    let mut random = Random::new(11);
    let mut call = Call::new(restless(), SIX);
    for _ in 0..150 {
        let (turn, way) = (random.rotation_within(1.0), random.in_ball(6.0));
        for _ in 0..30 {
            call.player.stand(SIX, turn, way);
            let packet = call.packet();
            assert!(call.far.receive(&packet, call.player.time));
            assert!(call.far.update_remote(call.player.time));
        }
        for bone in [Hips, Head] {
            let (at, rotation) = call.far_place(bone);
            let off = at.distance(turn * call.player.rest(bone) + way);
            assert!(off < 0.5e-3, "{bone:?} is {off} m off at {way}");
            let wanted = call.player.turned(bone, turn);
            let off = rotation_angle((rotation * wanted.conjugate()).normalize()).to_degrees();
            assert!(off < 0.05, "{bone:?} is {off} degrees off");
        }
    }
}

#[test]
fn packets_are_small_at_rest_and_in_motion() {
    let mut random = Random::new(5);
    let mut call = Call::new(TrackedBodySettings::default(), &TrackerRole::ALL);
    let mut largest = 0;
    for _ in 0..100 {
        call.player.stand(&TrackerRole::ALL, random.rotation_within(1.0), random.in_ball(1.0));
        largest = largest.max(call.packet().len());
    }
    assert!((100..=200).contains(&largest), "{largest} bytes in motion");
    let mut sway = |call: &mut Call| {
        // Below the thresholds of rest.
        call.player.stand(&TrackerRole::ALL, random.rotation_within(1e-4), random.in_ball(2e-4));
        call.packet().len()
    };
    // One packet has no room for all of them.
    sway(&mut call);
    sway(&mut call);
    for frame in 0..100 {
        let size = sway(&mut call);
        assert!(size <= 64, "frame {frame}: {size} bytes at rest");
    }
    // Six trackers of which two move.
    let mut call = Call::new(TrackedBodySettings::default(), SIX);
    call.player.stand(SIX, Quat::IDENTITY, Vec3::ZERO);
    call.packet();
    for frame in 0..50 {
        call.player.stand(SIX, Quat::IDENTITY, Vec3::ZERO);
        let hand = call.player.rest(LeftHand) - call.player.axes()[0] * (0.01 * frame as f32);
        call.player.give(TrackerRole::LeftHand, hand, Quat::IDENTITY);
        assert!(call.packet().len() <= 64);
    }
}

#[test]
fn lost_packets_are_made_up_for() {
    let mut random = Random::new(3);
    let mut call = Call::new(TrackedBodySettings::default(), SIX);
    let [up, forward, _] = call.player.axes();
    let mut last = None::<Vec3>;
    let mut way = Vec3::ZERO;
    for frame in 0..300 {
        // Two seconds of walking and turning, then rest.
        let t = frame.min(120) as f32 / 60.0;
        let turn = axis_angle(up, 0.5 * t);
        way = forward * (0.6 * t);
        call.player.stand(SIX, turn, way);
        let packet = call.packet();
        if random.unit01() > 0.3 {
            assert!(call.far.receive(&packet, call.player.time + 0.05));
        }
        call.far.update_remote(call.player.time + 0.05);
        let hips = call.far_place(Hips).0;
        if let Some(last) = last.filter(|_| frame > 30) {
            assert!(hips.distance(last) < 0.04, "frame {frame}: the hips jump by {} m", hips.distance(last));
        }
        last = Some(hips);
    }
    let turn = axis_angle(up, 1.0);
    for bone in [Hips, Head, LeftFoot] {
        let off = call.far_place(bone).0.distance(turn * call.player.rest(bone) + way);
        assert!(off < 2e-3, "{bone:?} stayed {off} m off");
    }
}

#[test]
fn the_far_side_has_the_same_bits_everywhere() {
    let mut random = Random::new(9);
    let mut call = Call::new(TrackedBodySettings::default(), SIX);
    let mut other = call.far.clone();
    let up = call.player.axes()[0];
    let mut kept: Vec<(f64, Vec<u8>)> = Vec::new();
    for frame in 0..200 {
        let t = frame as f32 / 60.0;
        call.player.at_ease(SIX, axis_angle(up, t), Vec3::ZERO);
        let packet = call.packet();
        kept.push((call.player.time + 0.03 + 0.04 * f64::from(random.unit01()), packet));
        // Whatever has arrived by now, in the order of arrival.
        let now = call.player.time;
        let (mut here, later): (Vec<_>, Vec<_>) = kept.drain(..).partition(|(arrival, _)| *arrival <= now);
        kept = later;
        here.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (arrival, packet) in &here {
            for body in [&mut call.far, &mut other] {
                assert!(body.receive(packet, *arrival));
            }
        }
        assert_eq!(call.far.update_remote(now), other.update_remote(now));
        assert!(local_equal(call.far.pose(), other.pose()), "frame {frame} differs");
    }
}

#[test]
fn remote_players_do_not_show_the_networks_jitter() {
    // Walking at 1 m/s; packets take 50 to 90 ms.
    let mut random = Random::new(21);
    let mut call = Call::new(restless(), SIX);
    let forward = call.player.axes()[1];
    let mut kept: Vec<(f64, Vec<u8>)> = Vec::new();
    let mut last = None::<Vec3>;
    for frame in 0..900 {
        let way = forward * (frame as f32 / 60.0);
        call.player.stand(SIX, Quat::IDENTITY, way - forward * 7.0);
        let packet = call.packet();
        let now = call.player.time;
        kept.push((now + 0.05 + 0.04 * f64::from(random.unit01()), packet));
        kept.retain(|(arrival, packet)| {
            let waits = *arrival > now;
            assert!(waits || call.far.receive(packet, *arrival));
            waits
        });
        call.far.update_remote(now);
        let hips = call.far_place(Hips).0;
        if let Some(last) = last.filter(|_| frame > 300) {
            let speed = hips.distance(last) * 60.0;
            assert!((0.85..1.15).contains(&speed), "frame {frame}: {speed} m/s");
        }
        last = Some(hips);
    }
    let delay = call.far.network_delay_s();
    assert!((0.03..0.12).contains(&delay), "a delay of {delay} s for a jitter of 0.04 s");
}

#[test]
fn the_delay_is_short_on_a_steady_network_and_bounded_on_a_bad_one() {
    for (jitter, most) in [(0.0, 0.035), (2.0, 0.4)] {
        let mut random = Random::new(2);
        let mut call = Call::new(TrackedBodySettings::default(), SIX);
        for _ in 0..240 {
            call.player.stand(SIX, Quat::IDENTITY, Vec3::ZERO);
            let packet = call.packet();
            let arrival = call.player.time + jitter * f64::from(random.unit01());
            assert!(call.far.receive(&packet, arrival));
            call.far.update_remote(arrival);
        }
        let delay = call.far.network_delay_s();
        assert!(delay <= most, "jitter {jitter} s: a delay of {delay} s");
    }
}

#[test]
fn a_sender_that_starts_anew_is_followed() {
    let mut call = Call::new(restless(), SIX);
    let forward = call.player.axes()[1];
    call.player.time = 100.0;
    for _ in 0..60 {
        call.player.stand(SIX, Quat::IDENTITY, Vec3::ZERO);
        let packet = call.packet();
        assert!(call.far.receive(&packet, call.player.time));
        call.far.update_remote(call.player.time);
    }
    let now = call.player.time;
    let mut again = Call::new(restless(), SIX);
    for frame in 0..60 {
        again.player.stand(SIX, Quat::IDENTITY, forward);
        let packet = again.packet();
        let here = now + f64::from(frame) * DT;
        assert!(call.far.receive(&packet, here));
        call.far.update_remote(here);
    }
    let off = call.far_place(Hips).0.distance(call.player.rest(Hips) + forward);
    assert!(off < 1e-3, "the hips are {off} m off");
}

/// What happens to the clocks or the network once must not last: the longer way of all packets, a
/// sender's clock that loses time, is slow for a while or begins again, and one packet with a wrong
/// time.
#[test]
fn disturbances_of_clocks_are_over_soon() {
    type Case = (&'static str, fn(f64) -> f64, fn(f64) -> f64);
    let cases: [Case; 6] = [
        ("0.8 s more on the way", |t| t, |t| if t > 5.0 { 0.83 } else { 0.03 }),
        ("the clock loses 1 s", |t| if t > 5.0 { t - 1.0 } else { t }, |_| 0.03),
        ("the clock loses 3 s", |t| if t > 5.0 { t - 3.0 } else { t }, |_| 0.03),
        ("half as fast for 4 s", |t| t - 0.5 * (t - 3.0).clamp(0.0, 4.0), |_| 0.03),
        ("begins again after 4 s", |t| if t > 4.0 { t - 4.0 } else { t }, |_| 0.03),
        ("one packet 4 s ahead", |t| if (4.0..4.0 + DT).contains(&t) { t + 4.0 } else { t }, |_| 0.03),
    ];
    for (what, clock, way_s) in cases {
        let mut call = Call::new(TrackedBodySettings::default(), SIX);
        let forward = call.player.axes()[1];
        let mut under_way: Vec<(f64, Vec<u8>)> = Vec::new();
        let mut worst_m = 0.0_f32;
        for frame in 0..720 {
            let here = f64::from(frame) * DT;
            let walked = |t: f64| forward * (0.5 * t as f32);
            // A body of its own for each packet: its clock may go back.
            let mut sender = Call::new(TrackedBodySettings::default(), SIX);
            sender.player.time = clock(here);
            sender.player.stand(SIX, Quat::IDENTITY, walked(here));
            under_way.push((here + way_s(here), sender.packet()));
            under_way.retain(|(arrives, bytes)| {
                let arrived = *arrives <= here;
                if arrived {
                    call.far.receive(bytes, here);
                }
                !arrived
            });
            call.far.update_remote(here);
            if here > 10.0 {
                let wanted = call.player.rest(Hips) + walked(here);
                worst_m = worst_m.max(call.far_place(Hips).0.distance(wanted));
            }
        }
        // Half a metre a second: the way and the buffer are below 1.3 s.
        assert!(worst_m < 0.65, "{what}: {worst_m} m off five seconds later");
    }
}

#[test]
fn bytes_that_are_no_packet_are_refused() {
    let mut random = Random::new(77);
    let mut call = Call::new(TrackedBodySettings::default(), SIX);
    call.player.stand(SIX, Quat::IDENTITY, Vec3::ZERO);
    let good = call.packet();
    assert!(!call.far.update_remote(0.0), "nothing was received");
    for size in 0..good.len() {
        assert!(!call.far.receive(&good[..size], 0.0), "{size} of {} bytes", good.len());
    }
    let longer: Vec<u8> = good.iter().copied().chain([0]).collect();
    assert!(!call.far.receive(&longer, 0.0));
    assert!(!call.far.update_remote(0.0), "something was received");
    let (mut taken, mut now) = (0, 0.0);
    for _ in 0..4000 {
        let mut bytes = good.clone();
        if random.unit01() < 0.3 {
            bytes = (0..(random.unit01() * 220.0) as usize).map(|_| (random.unit01() * 256.0) as u8).collect();
            if let Some(first) = bytes.first_mut() {
                *first = good[0];
            }
        }
        for _ in 0..3 {
            let bit = (random.unit01() * (8 * bytes.len()) as f32) as usize;
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
        }
        now += f64::from(random.unit01()) * 0.1;
        taken += u32::from(call.far.receive(&bytes, now));
        call.far.update_remote(now);
        assert!(call.far.pose().iter().all(|t| t.is_finite()));
        assert!(call.far.network_delay_s() <= 0.4);
    }
    assert!(taken > 100, "{taken} packets were readable");
}

/// What travels was filtered; the far side shows it as late as without a filter of its own.
#[test]
fn the_far_side_does_not_filter_again() {
    let behind = |far_filters: bool| {
        let filtered = TrackedBodySettings { min_cutoff_hz: 1.5, speed_cutoff: 1.0, ..restless() };
        let mut call = Call::new(filtered, SIX);
        if !far_filters {
            call.far.set_settings(restless());
        }
        let forward = call.player.axes()[1];
        for frame in 0..180 {
            call.player.stand(SIX, Quat::IDENTITY, forward * (frame as f32 / 60.0));
            let packet = call.packet();
            assert!(call.far.receive(&packet, call.player.time));
            call.far.update_remote(call.player.time);
        }
        call.far_place(Hips).0.dot(forward)
    };
    let off = behind(false) - behind(true);
    assert!(off.abs() < 1e-3, "{off} m behind");
}
