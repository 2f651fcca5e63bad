//! What players of other systems complain of.

use crate::player::{FOUR, Player, SIX, THREE, angle_at, missed, place};
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Vec3, axis_angle, rotation_angle};
use sinew::trackers::{TrackedBodySettings, TrackerRole, TrackerSample};

fn player(roles: &[TrackerRole]) -> Player {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(roles);
    player
}

/// Which way a knee bends: its way off the line from hip to ankle, along the thigh's own forward.
fn knee_bends(player: &Player, frames: &[testkit::matchers::Affine64], bones: [HumanBone; 3], ahead: Vec3) -> f32 {
    let [hip, knee, ankle] = bones.map(|bone| place(frames, &player.avatar, bone));
    let line = (ankle - hip).normalize();
    let off = knee - hip - line * (knee - hip).dot(line);
    off.dot(ahead)
}

#[test]
fn a_knee_does_not_invert_lying_on_the_side() {
    let mut player = player(SIX);
    let [up, forward, _] = player.axes();
    let lying = axis_angle(forward, core::f32::consts::FRAC_PI_2);
    let hips = player.rest(Hips);
    for frame in 0..60 {
        // Lying on the side, feet drawn up before the body more and more.
        let drawn = 0.5 * frame as f32 / 60.0;
        let way = up * 0.2 - lying * hips;
        player.stand(SIX, lying, way + hips - up * hips.dot(up));
        let lift = hips - up * hips.dot(up);
        for (role, bone) in [(TrackerRole::LeftFoot, LeftFoot), (TrackerRole::RightFoot, RightFoot)] {
            let at = lying * (player.rest(bone) + up * drawn + forward * drawn * 0.6) + way + lift;
            player.give(role, at, lying);
        }
        let frames = player.frame();
        let ahead = lying * forward;
        for bones in [[LeftUpperLeg, LeftLowerLeg, LeftFoot], [RightUpperLeg, RightLowerLeg, RightFoot]] {
            let bend = knee_bends(&player, &frames, bones, ahead);
            assert!(bend > -1e-3, "frame {frame}: the knee is {bend} m behind the leg");
        }
    }
}

#[test]
fn legs_do_not_turn_half_around_when_the_player_does() {
    let mut player = player(SIX);
    let [up, ..] = player.axes();
    let mut last: Option<[Vec3; 2]> = None;
    for frame in 0..=240 {
        let turn = axis_angle(up, core::f32::consts::TAU * frame as f32 / 240.0);
        player.at_ease(SIX, turn, Vec3::ZERO);
        let frames = player.frame();
        let knees = [LeftLowerLeg, RightLowerLeg].map(|bone| place(&frames, &player.avatar, bone));
        if let Some(last) = last {
            for (a, b) in knees.iter().zip(last) {
                assert!(a.distance(b) < 0.02, "frame {frame}: a knee moved {} m", a.distance(b));
            }
        }
        last = Some(knees);
    }
}

#[test]
fn the_chest_does_not_cave_in_when_looking_up() {
    for roles in [FOUR, SIX] {
        let mut player = player(roles);
        let [_, _, left] = player.axes();
        player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
        let before = player.frame();
        let level = place(&before, &player.avatar, Chest);
        for step in 0..30 {
            player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
            let up = axis_angle(left, -0.9 * step as f32 / 29.0);
            player.give(TrackerRole::Head, player.rest(Head), up);
            let frames = player.frame();
            let moved = place(&frames, &player.avatar, Chest).distance(level);
            assert!(moved < 0.05, "{} trackers: the chest moved {moved} m", roles.len());
        }
    }
}

#[test]
fn hips_that_drift_do_not_scrunch_the_neck() {
    let mut player = player(SIX);
    let [up, ..] = player.axes();
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    // The hips' tracker has slipped up by 6 cm: the spine takes it, not the neck alone.
    let hips = player.rest(Hips) + up * 0.06;
    player.give(TrackerRole::Hips, hips, Quat::IDENTITY);
    let frames = player.frame();
    let neck = [Chest, Neck, Head];
    let angle = angle_at(&frames, &player.avatar, neck);
    assert!(angle > 1.8, "the neck is bent to {} rad", angle);
    assert!(missed(&frames, &player.avatar, TrackerRole::Head, player.rest(Head)) < 1e-3);
}

#[test]
fn the_head_stays_on_the_headset_while_the_hips_give_way() {
    let mut player = player(SIX);
    let [up, ..] = player.axes();
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    let head = player.rest(Head) + up * 0.25;
    player.give(TrackerRole::Head, head, Quat::IDENTITY);
    let frames = player.frame();
    assert!(missed(&frames, &player.avatar, TrackerRole::Head, head) < 1e-3);
}

#[test]
fn hips_can_be_locked_instead_of_the_head() {
    let settings = TrackedBodySettings { head_lock: 0.0, hips_lock: 1.0, ..TrackedBodySettings::default() };
    let mut player = Player::new(settings);
    player.calibrate(SIX);
    let [up, ..] = player.axes();
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    player.give(TrackerRole::Head, player.rest(Head) + up * 0.25, Quat::IDENTITY);
    let frames = player.frame();
    assert!(missed(&frames, &player.avatar, TrackerRole::Hips, player.rest(Hips)) < 1e-4);
}

#[test]
fn rotation_of_the_hips_is_not_muted() {
    let mut player = player(SIX);
    let [up, _, left] = player.axes();
    for turn in [axis_angle(up, 0.6), axis_angle(left, 0.5), axis_angle(left, -0.4)] {
        player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
        player.give(TrackerRole::Hips, player.rest(Hips), turn);
        player.frame();
        let residual = player.body.outcome(TrackerRole::Hips).residual_rad;
        let joint = player.avatar.joint(Hips).expect("hips");
        let own = player.body.pose()[joint].rotation;
        let off = rotation_angle((own * player.turned(Hips, turn).conjugate()).normalize());
        assert!(off < 1e-3 && residual < 1e-3, "off by {off}");
    }
}

#[test]
fn elbows_do_not_always_point_down() {
    let mut player = player(THREE);
    let [up, forward, left] = player.axes();
    let shoulder = player.rest(LeftUpperArm);
    let height = |player: &mut Player, at: Vec3, turn: Quat| {
        player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
        player.give(TrackerRole::LeftHand, at, turn);
        let frames = player.frame();
        let elbow = place(&frames, &player.avatar, LeftLowerArm);
        let root = place(&frames, &player.avatar, LeftUpperArm);
        let line = (at - root).normalize();
        let off = elbow - root - line * (elbow - root).dot(line);
        off.normalize().dot(left)
    };
    // A hand before the chest whose forearm comes from the side: the elbow is out there.
    let at = shoulder + forward * 0.3 - up * 0.05;
    let across = axis_angle(up, core::f32::consts::PI * 0.85);
    let out = height(&mut player, at, Quat::IDENTITY);
    let turned = height(&mut player, at, across);
    assert!((out - turned).abs() > 0.3, "the elbow does not follow the hand: {out} and {turned}");
}

#[test]
fn an_elbow_stays_out_of_the_trunk_with_crossed_arms() {
    for roles in [THREE, SIX] {
        let mut player = player(roles);
        let [up, forward, left] = player.axes();
        for step in 0..20 {
            let depth = 0.12 + 0.01 * step as f32;
            player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
            let chest = player.rest(Chest) - up * 0.02;
            let own = |side: f32| axis_angle(up, side * 1.9);
            player.give(TrackerRole::LeftHand, chest + forward * depth - left * 0.15, own(-1.0));
            player.give(TrackerRole::RightHand, chest + forward * (depth + 0.05) + left * 0.15, own(1.0));
            let frames = player.frame();
            for bone in [LeftLowerArm, RightLowerArm] {
                let elbow = place(&frames, &player.avatar, bone);
                let (low, high) = (place(&frames, &player.avatar, Hips), place(&frames, &player.avatar, Neck));
                let line = high - low;
                let part = ((elbow - low).dot(line) / line.length_squared()).clamp(0.0, 1.0);
                let off = (elbow - low - line * part).length();
                assert!(off > 0.06, "{} trackers, step {step}: {bone:?} is {off} m off the spine", roles.len());
            }
        }
    }
}

#[test]
fn knees_keep_their_side_when_the_player_turns_away_from_the_calibration_heading() {
    let mut there = player(SIX);
    let mut turned = Player::new(TrackedBodySettings::default());
    let [up, ..] = turned.axes();
    // The same trackers, calibrated by a player who faces elsewhere.
    let facing = axis_angle(up, 2.3);
    turned.stand(SIX, facing, Vec3::new(0.5, 0.0, -0.8));
    turned.body.calibrate(Default::default(), Default::default(), there.floor()).unwrap();
    for player in [&mut there, &mut turned] {
        player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    }
    let (a, b) = (there.frame(), turned.frame());
    for bone in [LeftLowerLeg, RightLowerLeg, LeftLowerArm, RightLowerArm, Hips, Head] {
        let off = place(&a, &there.avatar, bone).distance(place(&b, &turned.avatar, bone));
        assert!(off < 2e-3, "{bone:?} differs by {off} m");
    }
}

#[test]
fn a_new_calibration_takes_over_at_once() {
    let mut player = player(SIX);
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    player.frame();
    // The player has moved the left foot's tracker to the other side of the shoe, turned about.
    let [up, forward, _] = player.axes();
    let mount = axis_angle(up, 2.0);
    player.stand(SIX, Quat::IDENTITY, Vec3::ZERO);
    let moved = player.rest(LeftFoot) + forward * 0.1;
    player.give(TrackerRole::LeftFoot, moved, mount);
    let floor = player.floor();
    player.body.calibrate(Default::default(), Default::default(), floor).unwrap();
    let frames = player.frame();
    // The moved tracker does not shift the others either.
    let foot = missed(&frames, &player.avatar, TrackerRole::LeftFoot, player.rest(LeftFoot));
    assert!(foot < 1e-3, "the foot is {foot} m off");
    for role in SIX {
        let off = missed(&frames, &player.avatar, *role, player.rest(role.bone()));
        assert!(off < 1e-3, "{role:?} is {off} m off");
    }
}

#[test]
fn an_offset_can_be_edited_after_calibration() {
    let mut player = player(SIX);
    let mut calibration = *player.body.calibration();
    let foot = TrackerRole::LeftFoot.index();
    let mut offset = calibration.offsets[foot].expect("the foot is calibrated");
    let [up, ..] = player.axes();
    let joint = player.avatar.joint(LeftFoot).expect("a foot");
    offset.position += player.turn[joint].conjugate() * (up * 0.05);
    calibration.offsets[foot] = Some(offset);
    player.body.set_calibration(calibration);
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    let frames = player.frame();
    let raised = player.rest(LeftFoot) + up * 0.05;
    let off = missed(&frames, &player.avatar, TrackerRole::LeftFoot, raised);
    assert!(off < 1e-3, "the foot is {off} m off");
}

#[test]
fn knee_trackers_worn_low_are_not_taken_for_feet() {
    let mut player = player(THREE);
    let [up, forward, left] = player.axes();
    let low = |side: f32| player.rest(LeftLowerLeg) * Vec3::new(0.0, 1.0, 0.0) - up * 0.17 + left * (0.1 * side);
    let trackers = [
        low(1.0),
        player.rest(LeftFoot) + forward * 0.08,
        low(-1.0),
        player.rest(RightFoot) + forward * 0.08,
        player.rest(Hips) + forward * 0.1,
    ];
    player.stand(THREE, Quat::IDENTITY, Vec3::ZERO);
    let mut roles = [None; 5];
    assert_eq!(player.body.assign(&trackers, 0.0, &mut roles), Some(5));
    let [knee, foot] = [TrackerRole::LeftKnee, TrackerRole::LeftFoot];
    let legs = [Some(knee), Some(foot), Some(knee.mirrored()), Some(foot.mirrored())];
    assert_eq!(roles[..4], legs);
    assert_eq!(roles[4], Some(TrackerRole::Hips));
}

#[test]
fn a_stray_tracker_is_refused() {
    let mut player = player(THREE);
    let [up, forward, left] = player.axes();
    let trackers = [player.rest(Hips) + forward * 0.12, left * 1.5 + up * 0.8, forward * 1.2 + up * 0.1, up * 2.4];
    player.stand(THREE, Quat::IDENTITY, Vec3::ZERO);
    let mut roles = [None; 4];
    assert_eq!(player.body.assign(&trackers, 0.0, &mut roles), Some(1));
    assert_eq!(roles, [Some(TrackerRole::Hips), None, None, None]);
}

#[test]
fn a_lost_tracker_fades_and_nothing_jumps() {
    let mut player = player(SIX);
    let mut last: Option<Vec<Vec3>> = None;
    let mut most = 0.0f32;
    for frame in 0..180 {
        let roles: &[TrackerRole] = if (40..110).contains(&frame) { FOUR } else { SIX };
        player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
        let frames = player.frame();
        let now: Vec<Vec3> = frames.iter().map(|f| f.position_f32()).collect();
        if let Some(last) = &last {
            most = now.iter().zip(last).map(|(a, b)| a.distance(*b)).fold(most, f32::max);
        }
        last = Some(now);
    }
    assert!(most < 0.03, "a joint moved {most} m in a frame");
    assert!((player.body.presence(TrackerRole::LeftFoot) - 1.0).abs() < 1e-6);
}

#[test]
fn a_late_sample_is_dropped() {
    let mut player = player(THREE);
    player.time = 1.0;
    player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
    let late = TrackerSample { time_s: 0.9, position: Some(Vec3::ZERO), rotation: None, confidence: 1.0 };
    assert!(!player.body.set_tracker(TrackerRole::Head, &late));
}

#[test]
fn noise_of_one_tracker_is_filtered_where_asked_for() {
    let wobble = |cutoff: f32| {
        let settings = TrackedBodySettings { min_cutoff_hz: cutoff, ..TrackedBodySettings::default() };
        let mut player = Player::new(settings);
        player.calibrate(SIX);
        let [up, ..] = player.axes();
        let (mut sum, mut last) = (0.0, None);
        for frame in 0..120 {
            // One sample of each tracker per frame.
            let others: Vec<_> = SIX.iter().copied().filter(|r| *r != TrackerRole::Hips).collect();
            player.at_ease(&others, Quat::IDENTITY, Vec3::ZERO);
            let noise = if frame % 2 == 0 { 0.003 } else { -0.003 };
            player.give(TrackerRole::Hips, player.rest(Hips) + up * noise, Quat::IDENTITY);
            let frames = player.frame();
            let hips = place(&frames, &player.avatar, Hips);
            if let Some(last) = last {
                sum += hips.distance(last);
            }
            last = Some(hips);
        }
        sum
    };
    assert!(wobble(1.0) < 0.5 * wobble(0.0), "{} against {}", wobble(1.0), wobble(0.0));
}

#[test]
fn feet_stand_while_a_stick_moves_the_room() {
    let mut player = player(THREE);
    let [_, forward, _] = player.axes();
    let (mut last, mut slid) = (None::<[Vec3; 2]>, 0.0f32);
    for frame in 0..240 {
        let origin = forward * (0.6 * frame as f32 / 60.0);
        player.body.set_origin(origin, Quat::IDENTITY);
        player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
        let frames = player.frame();
        // The balls of the feet: a heel may rise.
        let feet = [LeftToes, RightToes].map(|bone| place(&frames, &player.avatar, bone) + origin);
        if let Some(last) = last {
            // One foot or the other stands.
            slid += feet[0].distance(last[0]).min(feet[1].distance(last[1]));
        }
        last = Some(feet);
    }
    // Legs that the body leaves behind give a little; feet that glide would slide all the way.
    assert!(slid < 0.3, "the standing foot slid {slid} m in 2.4 m");
}

#[test]
fn a_headset_without_controllers_gives_a_standing_body() {
    let mut player = player(THREE);
    player.body.clear_tracker(TrackerRole::LeftHand);
    player.body.clear_tracker(TrackerRole::RightHand);
    player.at_ease(&[TrackerRole::Head], Quat::IDENTITY, Vec3::ZERO);
    let frames = player.frame();
    let [up, ..] = player.axes();
    let hands = [LeftHand, RightHand].map(|bone| place(&frames, &player.avatar, bone).dot(up));
    assert!(hands.iter().all(|h| *h < player.rest(Hips).dot(up) + 0.1), "hands at {hands:?}");
}
