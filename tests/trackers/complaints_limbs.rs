//! More of what players of other systems complain of: limbs, noise, motion of the whole body.

use crate::player::{Player, SIX, THREE, angle_at, missed, place};
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Vec3, axis_angle, rotation_angle, swing_twist};
use sinew::trackers::{TrackedBodySettings, TrackerRole};
use testkit::matchers::Affine64;

fn player(settings: TrackedBodySettings, roles: &[TrackerRole]) -> Player {
    let mut player = Player::new(settings);
    player.calibrate(roles);
    player
}

const TEN: &[TrackerRole] = &[
    TrackerRole::Head,
    TrackerRole::LeftHand,
    TrackerRole::RightHand,
    TrackerRole::Hips,
    TrackerRole::LeftFoot,
    TrackerRole::RightFoot,
    TrackerRole::LeftElbow,
    TrackerRole::RightElbow,
    TrackerRole::LeftKnee,
    TrackerRole::RightKnee,
];

#[test]
fn lifting_a_leg_does_not_bend_the_chest() {
    // "With both", head and hips locked, leg motion disturbs the spine elsewhere.
    let both = TrackedBodySettings { hips_lock: 1.0, ..TrackedBodySettings::default() };
    for settings in [TrackedBodySettings::default(), both] {
        let mut player = player(settings, SIX);
        let [up, forward, _] = player.axes();
        player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
        let before = player.frame();
        for step in 0..40 {
            player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
            let lift = step as f32 / 39.0;
            let foot = player.rest(LeftFoot) + up * (0.5 * lift) + forward * (0.3 * lift);
            player.give(TrackerRole::LeftFoot, foot, Quat::IDENTITY);
            let frames = player.frame();
            for bone in [Spine, Chest, Neck, Head] {
                let moved = place(&frames, &player.avatar, bone).distance(place(&before, &player.avatar, bone));
                assert!(moved < 1e-4, "step {step}: {bone:?} moved {moved} m");
            }
        }
    }
}

#[test]
fn a_head_that_comes_down_to_the_hips_does_not_fold_the_spine() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    let [up, ..] = player.axes();
    for step in 0..60 {
        player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
        let head = player.rest(Head) - up * (0.18 * step as f32 / 60.0);
        player.give(TrackerRole::Head, head, Quat::IDENTITY);
        let frames = player.frame();
        for bones in [[Hips, Spine, Chest], [Spine, Chest, Neck], [Chest, Neck, Head]] {
            let angle = angle_at(&frames, &player.avatar, bones);
            assert!(angle > 1.0, "step {step}: {:?} is bent to {angle} rad", bones[1]);
        }
        assert!(missed(&frames, &player.avatar, TrackerRole::Head, head) < 1e-3, "step {step}");
    }
}

#[test]
fn elbow_trackers_give_no_impossible_elbows() {
    let mut player = player(TrackedBodySettings::default(), TEN);
    let [up, forward, left] = player.axes();
    let bones = [LeftUpperArm, LeftLowerArm, LeftHand];
    let lengths = |frames: &[Affine64], player: &Player| {
        let [a, b, c] = bones.map(|bone| place(frames, &player.avatar, bone));
        [a.distance(b), b.distance(c)]
    };
    player.stand(TEN, Quat::IDENTITY, Vec3::ZERO);
    let rest = player.frame();
    let own = lengths(&rest, &player);
    for slip in [Vec3::ZERO, up * 0.08, -up * 0.08, forward * 0.1, left * 0.1, -left * 0.12] {
        for step in 0..30 {
            player.at_ease(TEN, Quat::IDENTITY, Vec3::ZERO);
            let far = 0.2 + 0.01 * step as f32;
            let hand = player.rest(LeftUpperArm) + forward * far - up * 0.1;
            player.give(TrackerRole::LeftHand, hand, axis_angle(up, -1.4));
            // The elbow's tracker has slipped.
            let elbow = player.rest(LeftUpperArm) - up * 0.22 + forward * (0.5 * far) + slip;
            player.give(TrackerRole::LeftElbow, elbow, axis_angle(forward, -1.2));
            let frames = player.frame();
            for (now, own) in lengths(&frames, &player).into_iter().zip(own) {
                assert!((now - own).abs() < 1e-4, "slip {slip}: a bone of {own} m has {now} m");
            }
            let angle = angle_at(&frames, &player.avatar, bones);
            assert!(angle > 0.35, "slip {slip}, step {step}: the elbow is bent to {angle} rad");
            assert!(missed(&frames, &player.avatar, TrackerRole::LeftHand, hand) < 1e-3, "slip {slip}");
        }
    }
}

#[test]
fn the_twist_of_a_hand_is_shared_by_the_forearm() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    let [up, forward, left] = player.axes();
    let twist_of = |player: &mut Player, twist: f32| {
        for _ in 0..2 {
            player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
            let hand = player.rest(LeftUpperArm) + forward * 0.4 - up * 0.1;
            // The forearm's side of the hand points forward; twisted about it.
            let turn = axis_angle(forward, twist) * axis_angle(up, -core::f32::consts::FRAC_PI_2);
            player.give(TrackerRole::LeftHand, hand, turn.normalize());
            player.frame();
        }
        let mut pose = sinew::skeleton::Pose::rest(player.avatar.skeleton());
        pose.local_mut().copy_from_slice(player.body.pose());
        pose.update(player.avatar.skeleton());
        let of = |bone: HumanBone| pose.model(player.avatar.joint(bone).expect("a bone"));
        (of(LeftLowerArm).rotation, of(LeftHand).position - of(LeftLowerArm).position)
    };
    let (before, _) = twist_of(&mut player, 0.0);
    let (after, along) = twist_of(&mut player, 1.0);
    let turned = swing_twist((after * before.conjugate()).normalize(), along.normalize()).1;
    let share = rotation_angle(turned);
    assert!((0.3..0.8).contains(&share), "the forearm takes {share} rad of 1, to the {left}");
}

#[test]
fn arms_do_not_flicker_near_the_straight_pose() {
    let mut player = player(TrackedBodySettings::default(), THREE);
    let [up, forward, left] = player.axes();
    let shoulder = player.rest(LeftUpperArm);
    let whole = shoulder.distance(player.rest(LeftHand));
    let mut last = None::<Vec3>;
    for frame in 0..600 {
        let t = frame as f32 / 60.0;
        player.at_ease(THREE, Quat::IDENTITY, Vec3::ZERO);
        // To and fro through the straight arm, while it goes around.
        let far = whole * (0.985 + 0.02 * sinew::math::float::sin(2.0 * t));
        let way = axis_angle(up, 0.5 * sinew::math::float::sin(0.7 * t)) * (left * 0.6 + forward * 0.8);
        player.give(TrackerRole::LeftHand, shoulder + way * far, axis_angle(up, -0.9));
        let frames = player.frame();
        let elbow = place(&frames, &player.avatar, LeftLowerArm);
        if let Some(last) = last.filter(|_| frame > 1) {
            assert!(elbow.distance(last) < 0.025, "frame {frame}: the elbow jumps {} m", elbow.distance(last));
        }
        last = Some(elbow);
    }
}

#[test]
fn arms_do_not_jitter_when_the_body_itself_moves() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    let [up, forward, _] = player.axes();
    let mut first = None::<Vec<Vec3>>;
    for frame in 0..240 {
        let t = frame as f32 / 60.0;
        let (turn, way) = (axis_angle(up, 0.9 * t), forward * (1.7 * t));
        player.at_ease(SIX, turn, way);
        let frames = player.frame();
        // Everything as seen from the body, which is always the same.
        let seen: Vec<Vec3> = [LeftUpperArm, LeftLowerArm, LeftHand, RightLowerArm, LeftLowerLeg, Chest]
            .into_iter()
            .map(|bone| turn.conjugate() * (place(&frames, &player.avatar, bone) - way))
            .collect();
        let first = first.get_or_insert_with(|| seen.clone());
        for (a, b) in seen.iter().zip(first) {
            assert!(a.distance(*b) < 1e-4, "frame {frame}: a joint is {} m off", a.distance(*b));
        }
    }
}

#[test]
fn locomotion_animation_does_not_shift_the_legs() {
    let mut player = player(TrackedBodySettings::default(), SIX);
    player.at_ease(SIX, Quat::IDENTITY, Vec3::ZERO);
    player.frame();
    let mut still = player.avatar.t_pose().to_vec();
    let mut walking = still.clone();
    let walked: Vec<_> = [LeftUpperLeg, LeftLowerLeg, Hips, Spine].map(|b| player.avatar.joint(b)).into();
    for joint in walked.into_iter().flatten() {
        walking[joint].rotation = axis_angle(Vec3::X, 0.6);
        walking[joint].position += Vec3::splat(0.1);
    }
    assert!(player.body.apply(&mut still) && player.body.apply(&mut walking));
    assert!(crate::player::local_equal(&still, &walking), "the animation shows through");
}
