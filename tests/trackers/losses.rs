//! Trackers that come and go, judged by how far joints go between frames.

use crate::joint_steps::Steps;
use crate::player::{Player, SIX, THREE, place};
use sinew::humanoid::HumanBone::*;
use sinew::math::{Quat, Vec3, axis_angle, float};
use sinew::trackers::{TrackedBodySettings, TrackerRole, TrackerSample};

fn player(roles: &[TrackerRole]) -> Player {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(roles);
    player
}

/// How a tracker is lost for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Loss {
    Silent,
    Distrusted,
    PlaceOnly,
    TurnOnly,
}

/// The left hand sways; from frame 60 on its tracker is lost for some frames. The largest step of
/// the wrist while nothing is lost, and the largest of any joint from then on.
fn steps_of_loss(loss: Loss, lost_frames: usize) -> (f32, Steps) {
    let mut player = player(SIX);
    let [up, forward, left] = player.axes();
    let (mut usual, mut steps, mut last) = (0.0_f32, Steps::new(), None::<Vec3>);
    for frame in 0..150 {
        let others: Vec<_> = SIX.iter().copied().filter(|role| *role != TrackerRole::LeftHand).collect();
        player.at_ease(&others, Quat::IDENTITY, Vec3::ZERO);
        let t = frame as f32 / 60.0;
        let at = player.rest(LeftUpperArm) - up * 0.2
            + forward * (0.3 + 0.1 * float::sin(4.0 * t))
            + left * (0.22 * float::cos(4.0 * t));
        let turn = player.turned(LeftHand, axis_angle(up, -1.4 + 0.5 * float::sin(4.0 * t)));
        let is_lost = (60..60 + lost_frames).contains(&frame);
        let mut sample =
            TrackerSample { time_s: player.time, position: Some(at), rotation: Some(turn), confidence: 1.0 };
        match loss {
            Loss::Distrusted if is_lost => {
                (sample.position, sample.confidence) = (Some(Vec3::ZERO), 0.0);
            }
            Loss::PlaceOnly if is_lost => sample.rotation = None,
            Loss::TurnOnly if is_lost => sample.position = None,
            _ => {}
        }
        if !is_lost || loss != Loss::Silent {
            player.body.set_tracker(TrackerRole::LeftHand, &sample);
        }
        let frames = player.frame();
        let hand = place(&frames, &player.avatar, LeftHand);
        if (2..60).contains(&frame) {
            usual = usual.max(hand.distance(last.unwrap_or(hand)));
        }
        last = Some(hand);
        if frame >= 59 {
            steps.see(frame, &frames, &player.avatar);
        }
    }
    (usual, steps)
}

#[test]
fn a_tracker_that_is_lost_and_comes_back_does_not_snap() {
    for loss in [Loss::Silent, Loss::Distrusted, Loss::PlaceOnly, Loss::TurnOnly] {
        for lost_frames in [6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 40] {
            let (usual, steps) = steps_of_loss(loss, lost_frames);
            let (most, at) = (steps.most, steps.at);
            assert!(most < 0.06, "{loss:?} for {lost_frames} frames: {most} m in a frame {at:?}, {usual} m without");
        }
    }
}

/// A tracker that reports half as often as the body is built, or a sixth, is not slowed down.
#[test]
fn slow_trackers_do_not_lag() {
    for every in [1, 2, 4, 6] {
        let mut player = player(THREE);
        let forward = player.axes()[1];
        let mut worst = 0.0_f32;
        for frame in 0..180 {
            let at = player.rest(Head) + forward * (frame as f32 / 60.0);
            if frame % every == 0 {
                player.stand(THREE, Quat::IDENTITY, forward * (frame as f32 / 60.0));
            }
            let frames = player.frame();
            if frame > 90 {
                worst = worst.max(place(&frames, &player.avatar, Head).distance(at));
            }
        }
        // 1 m/s: what is not extrapolated is held.
        let held = (every as f32 - 1.0) / 60.0 - 0.05;
        assert!(worst < 0.015 + held.max(0.0), "every {every}: the head is {worst} m off");
    }
}

/// The clock of one sample is wrong; later ones count again, and without them the tracker fades.
#[test]
fn a_sample_from_the_future_does_not_freeze_its_tracker() {
    for goes_on in [true, false] {
        let mut player = player(THREE);
        let [up, ..] = player.axes();
        for frame in 0..120 {
            let others = [TrackerRole::Head, TrackerRole::RightHand];
            player.at_ease(&others, Quat::IDENTITY, Vec3::ZERO);
            let at = player.rest(LeftHand) - up * (0.002 * frame as f32);
            let turn = player.turned(LeftHand, Quat::IDENTITY);
            let ahead = if frame == 30 { 1e6 } else { 0.0 };
            let time_s = player.time + ahead;
            let sample = TrackerSample { time_s, position: Some(at), rotation: Some(turn), confidence: 1.0 };
            if goes_on || frame <= 30 {
                assert!(player.body.set_tracker(TrackerRole::LeftHand, &sample), "frame {frame}");
            }
            let frames = player.frame();
            let off = place(&frames, &player.avatar, LeftHand).distance(at);
            assert!(!goes_on || off < 0.02, "frame {frame}: the hand is {off} m off");
        }
        let presence = player.body.presence(TrackerRole::LeftHand);
        assert_eq!(presence, if goes_on { 1.0 } else { 0.0 });
    }
}

#[test]
fn outcomes_are_about_the_part_that_a_tracker_has() {
    let mut player = player(SIX);
    for _ in 0..60 {
        player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
        for role in [TrackerRole::LeftHand, TrackerRole::LeftFoot, TrackerRole::Hips] {
            let at =
                player.rest(role.bone()) - player.axes()[0] * if role == TrackerRole::LeftHand { 0.1 } else { 0.0 };
            let rotation = Some(player.turned(role.bone(), Quat::IDENTITY));
            let sample = TrackerSample { time_s: player.time, position: Some(at), rotation, confidence: 0.5 };
            player.body.set_tracker(role, &sample);
        }
        player.frame();
    }
    for role in SIX {
        let outcome = player.body.outcome(*role);
        assert_eq!(outcome.status, sinew::outcome::Status::Reached, "{role:?}: {outcome:?}");
    }
    // What a snapshot restores is not what the outcomes were about.
    let mut bytes = vec![0; player.body.snapshot_size()];
    assert!(player.body.snapshot(&mut bytes) && player.body.restore(&bytes));
    assert_eq!(player.body.outcome(TrackerRole::Head), sinew::outcome::Outcome::INACTIVE);
}
