//! What is promised of every frame.

use crate::player::{FOUR, Player, SIX, THREE, local_equal, missed, place};
use sinew::humanoid::HumanBone;
use sinew::math::{Quat, Vec3, axis_angle};
use sinew::trackers::{CalibrationError, ScalePolicy, TrackedBodySettings, TrackerRole, TrackerSample};
use testkit::Random;
use testkit::matchers::Affine64;

/// Something to look at: the player sways, turns and swings the arms.
fn dance(player: &mut Player, roles: &[TrackerRole], frame: usize) {
    let [up, forward, left] = player.axes();
    let t = frame as f32 / 60.0;
    let swing = |rate: f32, phase: f32| sinew::math::float::sin(rate * t + phase);
    let turn = axis_angle(up, 0.8 * swing(0.9, 0.0));
    let way = left * (0.2 * swing(1.3, 1.0)) + forward * (0.2 * swing(0.7, 0.3)) - up * (0.08 + 0.08 * swing(1.7, 0.5));
    player.at_ease(roles, turn, way);
    for (role, side) in [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)] {
        let at = player.rest(TrackerRole::Head.bone()) - up * (0.35 + 0.2 * swing(2.1, side))
            + left * (0.32 * side)
            + forward * (0.3 + 0.1 * swing(1.9, 2.0 * side));
        player.give(role, turn * at + way, (turn * axis_angle(up, -side * 1.2)).normalize());
    }
    for role in [TrackerRole::LeftFoot, TrackerRole::RightFoot] {
        if roles.contains(&role) {
            player.give(role, player.rest(role.bone()), Quat::IDENTITY);
        }
    }
}

#[test]
fn head_and_hands_are_where_the_trackers_are() {
    for roles in [THREE, FOUR, SIX] {
        let mut player = Player::new(TrackedBodySettings::default());
        player.calibrate(roles);
        for frame in 0..300 {
            dance(&mut player, roles, frame);
            player.frame();
            for role in THREE {
                let outcome = player.body.outcome(*role);
                let off = outcome.residual_m;
                assert!(off < 1e-3, "{} trackers, frame {frame}: {role:?} is {off} m off", roles.len());
                assert!(outcome.residual_rad < 8e-3);
            }
        }
    }
}

#[test]
fn trackers_at_huge_places_leave_a_finite_body() {
    for roles in [THREE, FOUR, SIX] {
        for size in [1e6, 1e12, 1e15, 1e18] {
            let mut player = Player::new(TrackedBodySettings::default());
            player.calibrate(roles);
            for frame in 0..90 {
                dance(&mut player, roles, frame);
                for (i, role) in roles.iter().enumerate().filter(|_| (30..34).contains(&frame)) {
                    let way = Vec3::new(size, -size, 0.5 * size) * if i % 2 == 0 { 1.0 } else { -1.0 };
                    player.give(*role, way, Quat::IDENTITY);
                }
                let finite = |a: &Affine64| a.position.iter().all(|x| x.is_finite());
                assert!(player.frame().iter().all(finite), "{size}, frame {frame}");
            }
            // The filters forget them when they are told to.
            player.body.reset();
            for frame in 90..180 {
                dance(&mut player, roles, frame);
                player.frame();
            }
            for role in THREE {
                let off = player.body.outcome(*role).residual_m;
                assert!(off < 1e-3, "{size}: {role:?} is {off} m off at the end");
            }
        }
    }
}

#[test]
fn the_outcome_says_what_forward_kinematics_says() {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(SIX);
    let goal = player.rest(TrackerRole::LeftHand.bone()) + player.axes()[2] * 0.4;
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    player.give(TrackerRole::LeftHand, goal, Quat::IDENTITY);
    let frames = player.frame();
    let truth = missed(&frames, &player.avatar, TrackerRole::LeftHand, goal);
    let told = player.body.outcome(TrackerRole::LeftHand).residual_m;
    assert!(truth > 0.1 && (truth - told).abs() < 1e-3, "{told} m told, {truth} m off");
}

/// Drivers that lose a tracker state the origin, with confidence 0.
#[test]
fn a_lost_tracker_fades_where_it_was_last() {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(THREE);
    let mut last: Option<Vec3> = None;
    for frame in 0..90 {
        player.stand(THREE, Quat::IDENTITY, Vec3::ZERO);
        if frame >= 30 {
            let (time_s, rotation) = (player.time, Some(Quat::IDENTITY));
            let lost = TrackerSample { time_s, position: Some(Vec3::ZERO), rotation, confidence: 0.0 };
            // Replaces what `stand` gave for the same time.
            player.body.set_tracker(TrackerRole::LeftHand, &lost);
        }
        let frames = player.frame();
        let hand = place(&frames, &player.avatar, HumanBone::LeftHand);
        if let Some(last) = last {
            assert!(hand.distance(last) < 0.1, "frame {frame}: the hand moves by {}", hand.distance(last));
        }
        last = Some(hand);
    }
}

/// A controller that lies on a table, lost or silent for long, is no hand of the pose.
#[test]
fn calibration_leaves_lost_trackers_out() {
    for silent in [false, true] {
        let mut player = Player::new(TrackedBodySettings::default());
        let [_, forward, _] = player.axes();
        let far = player.rest(HumanBone::LeftHand) + forward;
        let (rotation, confidence) = (Some(Quat::IDENTITY), if silent { 1.0 } else { 0.0 });
        let asleep = TrackerSample { time_s: player.time, position: Some(far), rotation, confidence };
        player.body.set_tracker(TrackerRole::LeftHand, &asleep);
        player.time += 60.0;
        let there = [TrackerRole::Head, TrackerRole::RightHand];
        player.calibrate(&there);
        for _ in 0..30 {
            player.stand(&there, Quat::IDENTITY, Vec3::ZERO);
            let frames = player.frame();
            let shoulder = HumanBone::LeftUpperArm;
            let off = place(&frames, &player.avatar, shoulder).distance(player.rest(shoulder));
            assert!(off < 0.08, "silent {silent}: the left shoulder is {off} m off");
        }
    }
}

/// Hosts give the newest sample in each frame, new or not.
#[test]
fn a_sample_that_is_given_again_stays_filtered() {
    let settings = TrackedBodySettings { min_cutoff_hz: 1.5, speed_cutoff: 4.0, ..TrackedBodySettings::default() };
    let moved = |again: bool| {
        let mut random = Random::new(9);
        let mut player = Player::new(settings);
        player.calibrate(THREE);
        let (mut sum, mut last) = (0.0, None::<Vec3>);
        let hand = player.rest(HumanBone::LeftHand);
        for frame in 0..240 {
            player.give(TrackerRole::Head, player.rest(HumanBone::Head), Quat::IDENTITY);
            player.give(TrackerRole::RightHand, player.rest(HumanBone::RightHand), Quat::IDENTITY);
            let noisy = hand + random.in_ball(0.002);
            if frame % 2 == 0 || again {
                player.give(TrackerRole::LeftHand, noisy, Quat::IDENTITY);
                if again {
                    player.give(TrackerRole::LeftHand, noisy, Quat::IDENTITY);
                }
            }
            let frames = player.frame();
            let at = place(&frames, &player.avatar, HumanBone::LeftHand);
            sum += last.map_or(0.0, |last| at.distance_squared(last));
            last = Some(at);
        }
        (sum / 240.0).sqrt()
    };
    assert!(moved(true) < 1.6 * moved(false), "{} and {}", moved(true), moved(false));
}

#[test]
fn a_snapshot_restores_the_same_bits() {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(THREE);
    let mut other = Player::new(TrackedBodySettings::default());
    other.body.set_calibration(*player.body.calibration());
    let mut bytes = vec![0; player.body.snapshot_size()];
    for frame in 0..90 {
        dance(&mut player, THREE, frame);
        player.frame();
        if frame == 40 {
            assert!(player.body.snapshot(&mut bytes));
            assert!(other.body.restore(&bytes));
            other.time = player.time;
        }
        if frame > 40 {
            dance(&mut other, THREE, frame);
            other.frame();
            assert!(local_equal(player.body.pose(), other.body.pose()), "frame {frame} differs");
        }
    }
    bytes[..128].copy_from_slice(&f32::NAN.to_le_bytes().repeat(32));
    assert!(!other.body.restore(&bytes) && !other.body.restore(&bytes[1..]));
}

#[test]
fn inertial_trackers_turn_their_bones_without_a_place() {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(SIX);
    player.body.clear_tracker(TrackerRole::LeftFoot);
    let [.., left] = player.axes();
    let turn = axis_angle(left, 0.4);
    let roles: Vec<TrackerRole> = SIX.iter().copied().filter(|r| *r != TrackerRole::LeftFoot).collect();
    for _ in 0..60 {
        player.at_ease(&roles, Quat::IDENTITY, Vec3::ZERO);
        let rotation = player.turned(TrackerRole::LeftFoot.bone(), turn);
        let sample = TrackerSample { time_s: player.time, position: None, rotation: Some(rotation), confidence: 1.0 };
        player.body.set_tracker(TrackerRole::LeftFoot, &sample);
        player.frame();
    }
    let outcome = player.body.outcome(TrackerRole::LeftFoot);
    assert!(outcome.residual_rad < 1e-3 && outcome.residual_m == 0.0, "{outcome:?}");
}

#[test]
fn a_head_below_the_floor_calibrates_nothing() {
    let mut player = Player::new(TrackedBodySettings::default());
    for role in SIX {
        player.give(*role, player.rest(role.bone()), Quat::IDENTITY);
    }
    let before = *player.body.calibration();
    // A floor that is given in centimetres.
    for floor in [3.0, 80.0] {
        for policy in [ScalePolicy::Height, ScalePolicy::HipsHeight] {
            let error = player.body.calibrate(Default::default(), policy, floor).unwrap_err();
            assert!(matches!(error, CalibrationError::NoSize { height } if height < 0.0), "{error}");
            assert_eq!(*player.body.calibration(), before);
        }
        // The size is not the head's height.
        player.body.calibrate(Default::default(), ScalePolicy::ArmSpan, floor).unwrap();
        player.body.set_calibration(before);
    }
    player.body.clear_tracker(TrackerRole::Head);
    let error = player.body.calibrate(Default::default(), ScalePolicy::Height, 0.0).unwrap_err();
    assert_eq!(error, CalibrationError::NoHead);
}

#[test]
fn a_small_player_drives_a_tall_avatar() {
    // Everything two thirds as large, seen from another place in the room.
    for policy in [ScalePolicy::Height, ScalePolicy::ArmSpan, ScalePolicy::HipsHeight] {
        let mut player = Player::new(TrackedBodySettings::default());
        let size = 2.0 / 3.0;
        for role in SIX {
            player.give(*role, player.rest(role.bone()) * size, Quat::IDENTITY);
        }
        player.body.calibrate(Default::default(), policy, 0.0).unwrap();
        assert!((player.body.calibration().scale - 1.5).abs() < 0.02, "{policy:?}");
        let frames = player.frame();
        for role in SIX {
            let off = missed(&frames, &player.avatar, *role, player.rest(role.bone()));
            assert!(off < 0.02, "{policy:?}: {role:?} is {off} m off");
        }
    }
}

#[test]
fn every_frame_is_finite_whatever_the_trackers_say() {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(SIX);
    let places = [Vec3::ZERO, Vec3::splat(1e6), Vec3::new(0.0, -50.0, 0.0), player.rest(TrackerRole::Hips.bone())];
    for a in places {
        for b in places {
            for (i, role) in SIX.iter().enumerate() {
                player.give(*role, if i % 2 == 0 { a } else { b }, axis_angle(Vec3::X, i as f32));
            }
            player.frame();
            assert!(player.body.pose().iter().all(|t| t.is_finite()), "{a} {b}");
        }
    }
}
