//! Tracked fingers: what their trackers show is where the bones come to be.

use crate::player::{Player, THREE, local_equal, place};
use sinew::humanoid::HumanBone;
use sinew::math::{Quat, Transform, Vec3, axis_angle, rotation_angle, slerp_short};
use sinew::outcome::Status;
use sinew::skeleton::Pose;
use sinew::trackers::{
    CalibrationPose, MAX_PACKET_BYTES, ScalePolicy, TrackedBody, TrackedBodySettings, TrackerRole, TrackerSample,
};
use testkit::Random;
use testkit::matchers::forward_kinematics;

/// Roles of fingers: thumbs, then index to little, left before right.
const FINGERS: [TrackerRole; 10] = {
    let mut out = [TrackerRole::Head; 10];
    let mut i = 0;
    while i < 10 {
        out[i] = TrackerRole::ALL[15 + i];
        i += 1;
    }
    out
};

/// First, middle and last bone.
fn bones(role: TrackerRole) -> [HumanBone; 3] {
    let last = role.bone().index();
    [last - 2, last - 1, last].map(|i| HumanBone::from_index(i).expect("a bone"))
}

fn is_left(role: TrackerRole) -> bool {
    role.name().starts_with("Left")
}

fn is_thumb(role: TrackerRole) -> bool {
    role.name().ends_with("Thumb")
}

/// Axis about which a finger bends, model space of the T-pose: palms are down, a thumb bends across
/// the palm.
fn axis(player: &Player, role: TrackerRole) -> Vec3 {
    let [first, _, last] = bones(role).map(|bone| player.rest(bone));
    let [up, forward, _] = player.axes();
    (last - first).normalize().cross(if is_thumb(role) { -forward } else { -up }).normalize()
}

/// Frames of a hand whose fingers are bent: model transforms of the three bones, in f64.
fn bent(player: &Player, role: TrackerRole, splay: f32, angles: [f32; 3], hand: (Vec3, Quat)) -> [(Vec3, Quat); 3] {
    let axis = axis(player, role);
    let hand_bone = if is_left(role) { HumanBone::LeftHand } else { HumanBone::RightHand };
    let [up, ..] = player.axes();
    let mut turn = axis_angle(if is_thumb(role) { axis } else { up }, if is_thumb(role) { 0.0 } else { splay });
    let mut at = player.rest(bones(role)[0]) - player.rest(hand_bone);
    let mut out = [(Vec3::ZERO, Quat::IDENTITY); 3];
    for (i, bone) in bones(role).into_iter().enumerate() {
        turn = (turn * axis_angle(axis, angles[i])).normalize();
        out[i] = (hand.0 + hand.1 * at, (hand.1 * turn).normalize());
        if i < 2 {
            at += turn * (player.rest(bones(role)[i + 1]) - player.rest(bone));
        }
    }
    out
}

/// What a tracker on a finger senses.
#[derive(Clone, Copy, PartialEq)]
enum Senses {
    Both,
    Place,
    Turn,
}

fn give(player: &mut Player, role: TrackerRole, at: Vec3, turn: Quat, senses: Senses) {
    let rotation = player.turned(role.bone(), turn);
    let sample = TrackerSample {
        time_s: player.time,
        position: (senses != Senses::Turn).then_some(at),
        rotation: (senses != Senses::Place).then_some(rotation),
        confidence: 1.0,
    };
    player.body.set_tracker(role, &sample);
}

/// A tracker on each finger, `ahead` of the last joint along the finger, calibrated in the T-pose.
fn wearing(senses: Senses, ahead: f32) -> Player {
    let mut player = Player::new(TrackedBodySettings::default());
    for role in THREE {
        player.give(*role, player.rest(role.bone()), Quat::IDENTITY);
    }
    for role in FINGERS {
        let at = player.rest(role.bone()) + tip(&player, role, ahead);
        give(&mut player, role, at, Quat::IDENTITY, senses);
    }
    player.body.calibrate(CalibrationPose::TPose, ScalePolicy::Height, player.floor()).unwrap();
    player
}

fn tip(player: &Player, role: TrackerRole, ahead: f32) -> Vec3 {
    let [_, middle, last] = bones(role).map(|bone| player.rest(bone));
    (last - middle).normalize() * ahead
}

/// Head and hands of a frame; the hands' places and turns, left and right.
fn hold_hands(player: &mut Player, frame: usize) -> [(Vec3, Quat); 2] {
    let [up, forward, left] = player.axes();
    let phase = frame as f32 * 0.05;
    let wave = 0.1 * sinew::math::float::sin(phase);
    player.give(TrackerRole::Head, player.rest(HumanBone::Head), Quat::IDENTITY);
    let mut hands = [(Vec3::ZERO, Quat::IDENTITY); 2];
    for (side, role) in [TrackerRole::LeftHand, TrackerRole::RightHand].into_iter().enumerate() {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let shoulder = player.rest(HumanBone::Head) - up * 0.25;
        let at = shoulder + left * (sign * 0.25) + forward * (0.35 + wave) - up * 0.1;
        let turn = (axis_angle(up, -sign * (1.2 + wave)) * axis_angle(left, 0.4 * wave)).normalize();
        player.give(role, at, turn);
        hands[side] = (at, turn);
    }
    hands
}

fn side(role: TrackerRole) -> usize {
    usize::from(!is_left(role))
}

fn rotation(player: &Player, bone: HumanBone) -> Quat {
    let skeleton = player.avatar.skeleton();
    let mut pose = Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(player.body.pose());
    pose.update(skeleton);
    pose.model(player.avatar.joint(bone).expect("a bone")).rotation
}

#[test]
fn place_and_rotation_bring_all_three_bones_to_their_place() {
    let mut random = Random::new(81);
    for ahead in [0.0, 0.018] {
        let mut player = wearing(Senses::Both, ahead);
        for frame in 0..120 {
            let hands = hold_hands(&mut player, frame);
            let mut wanted = Vec::new();
            for role in FINGERS {
                let splay = 0.2 * (random.unit01() - 0.5);
                let angles = [1.2 * random.unit01(), 0.05 + 1.5 * random.unit01(), random.unit01()];
                let truth = bent(&player, role, splay, angles, hands[side(role)]);
                let (at, turn) = truth[2];
                let sensor = at + turn * tip(&player, role, ahead);
                give(&mut player, role, sensor, turn, Senses::Both);
                wanted.push(truth);
            }
            let frames = player.frame();
            for (role, truth) in FINGERS.into_iter().zip(wanted) {
                for (bone, (at, turn)) in bones(role).into_iter().zip(truth) {
                    let off = place(&frames, &player.avatar, bone).distance(at);
                    assert!(off < 0.5e-3, "frame {frame}: {bone:?} is {off} m off");
                    let goal = player.turned(bone, turn);
                    let off = rotation_angle((rotation(&player, bone) * goal.conjugate()).normalize());
                    assert!(off < 0.02, "frame {frame}: {bone:?} is {off} rad off");
                }
                assert_eq!(player.body.outcome(role).status, Status::Reached, "frame {frame}: {role:?}");
            }
        }
    }
}

#[test]
fn a_place_alone_is_met_by_a_finger_that_bends_as_fingers_do() {
    for ahead in [0.0, 0.02] {
        let mut player = wearing(Senses::Place, ahead);
        for frame in 0..200 {
            let hands = hold_hands(&mut player, frame);
            let bend = 1.7 * (1.0 - (frame as f32 / 100.0 - 1.0).abs());
            let mut wanted = Vec::new();
            for role in FINGERS {
                let truth = bent(&player, role, 0.08, [0.6 * bend, bend, bend * 2.0 / 3.0], hands[side(role)]);
                let (at, turn) = truth[2];
                let sensor = at + turn * tip(&player, role, ahead);
                give(&mut player, role, sensor, turn, Senses::Place);
                wanted.push((truth, sensor));
            }
            let frames = player.frame();
            for (role, (truth, sensor)) in FINGERS.into_iter().zip(wanted) {
                let at = place(&frames, &player.avatar, role.bone());
                let turn = rotation(&player, role.bone())
                    * player.turn[player.avatar.joint(role.bone()).expect("a bone")].conjugate();
                let off = (at + turn * tip(&player, role, ahead)).distance(sensor);
                assert!(off < 0.5e-3, "frame {frame}: {role:?} is {off} m off");
                // And it is the finger that moved, not another that ends there.
                let off = place(&frames, &player.avatar, bones(role)[1]).distance(truth[1].0);
                assert!(off < 4e-3, "frame {frame}: the middle joint of {role:?} is {off} m off");
            }
        }
    }
}

#[test]
fn a_rotation_alone_bends_all_three_joints_up_to_a_fist() {
    let mut player = wearing(Senses::Turn, 0.0);
    let mut last = vec![[0.0f32; 3]; FINGERS.len()];
    for frame in 0..260 {
        let hands = hold_hands(&mut player, frame);
        // A fist is bent by more than half a turn.
        let bend = frame as f32 / 260.0 * 4.2;
        for role in FINGERS {
            let (_, turn) = bent(&player, role, 0.0, [0.0, 0.0, bend], hands[side(role)])[2];
            give(&mut player, role, Vec3::ZERO, turn, Senses::Turn);
        }
        player.frame();
        for (role, last) in FINGERS.into_iter().zip(&mut last) {
            let goal = player.turned(role.bone(), {
                let (_, turn) = bent(&player, role, 0.0, [0.0, 0.0, bend], hands[side(role)])[2];
                turn
            });
            let off = rotation_angle((rotation(&player, role.bone()) * goal.conjugate()).normalize());
            assert!(off < 1e-3, "frame {frame}: {role:?} is {off} rad off");
            for (bone, last) in bones(role).into_iter().zip(last.iter_mut()) {
                let joint = player.avatar.joint(bone).expect("a bone");
                let own = player.avatar.t_pose()[joint].rotation.conjugate() * player.body.pose()[joint].rotation;
                let angle = rotation_angle(own.normalize());
                let step = angle - *last;
                assert!((-1e-3..0.05).contains(&step), "frame {frame}: {bone:?} turned by {step} rad");
                *last = angle;
            }
        }
    }
    assert!(last.iter().flatten().all(|angle| *angle > 0.5), "{last:?}");
}

#[test]
fn fingers_keep_their_pose_when_the_hand_is_out_of_reach() {
    let mut player = wearing(Senses::Both, 0.0);
    let [.., left] = player.axes();
    let angles = [0.7, 0.9, 0.4];
    let hand = (player.rest(HumanBone::LeftHand) + left * 0.6, Quat::IDENTITY);
    for _ in 0..30 {
        player.stand(THREE, Quat::IDENTITY, Vec3::ZERO);
        player.give(TrackerRole::LeftHand, hand.0, hand.1);
        let (at, turn) = bent(&player, TrackerRole::LeftIndex, 0.0, angles, hand)[2];
        give(&mut player, TrackerRole::LeftIndex, at, turn, Senses::Both);
        player.frame();
    }
    assert!(player.body.outcome(TrackerRole::LeftHand).residual_m > 0.1);
    for (bone, angle) in bones(TrackerRole::LeftIndex).into_iter().zip(angles) {
        let joint = player.avatar.joint(bone).expect("a bone");
        let own = player.avatar.t_pose()[joint].rotation.conjugate() * player.body.pose()[joint].rotation;
        let off = rotation_angle(own.normalize()) - angle;
        assert!(off.abs() < 0.01, "{bone:?} is bent {off} rad more than the player's");
    }
}

#[test]
fn a_lost_finger_fades_into_the_animation_of_the_host() {
    let mut player = wearing(Senses::Both, 0.0);
    let role = TrackerRole::RightMiddle;
    let joints = bones(role).map(|bone| player.avatar.joint(bone).expect("a bone"));
    // The host's own hand is half closed.
    let mut host: Vec<Transform> = player.avatar.t_pose().to_vec();
    for joint in joints {
        host[joint].rotation = (host[joint].rotation * axis_angle(Vec3::Y, 0.5)).normalize();
    }
    let mut last = None::<Vec<Transform>>;
    for frame in 0..240 {
        let hands = hold_hands(&mut player, 0);
        if frame < 60 {
            let (at, turn) = bent(&player, role, 0.0, [1.0, 1.0, 0.6], hands[1])[2];
            give(&mut player, role, at, turn, Senses::Both);
        }
        player.frame();
        let mut shown = host.clone();
        assert!(player.body.apply(&mut shown));
        for joint in joints {
            if let Some(last) = &last {
                let step = rotation_angle((shown[joint].rotation * last[joint].rotation.conjugate()).normalize());
                assert!(step < 0.1, "frame {frame}: a joint turns by {step} rad");
            }
        }
        if frame == 59 {
            let off = slerp_short(host[joints[1]].rotation, shown[joints[1]].rotation, 1.0);
            assert!(rotation_angle((off * host[joints[1]].rotation.conjugate()).normalize()) > 0.3);
        }
        last = Some(shown);
    }
    let last = last.expect("frames");
    let fingers = |pose: &[Transform]| joints.map(|joint| pose[joint]).to_vec();
    assert!(local_equal(&fingers(&last), &fingers(&host)), "the host's finger is not its own again");
}

#[test]
fn fingers_travel_over_the_network_and_in_snapshots() {
    let settings = TrackedBodySettings { rest_distance: 0.0, rest_angle: 0.0, ..TrackedBodySettings::default() };
    let mut player = wearing(Senses::Both, 0.0);
    player.body.set_settings(settings);
    let mut far = TrackedBody::new(player.avatar.clone(), settings);
    far.set_calibration(*player.body.calibration());
    let mut bytes = [0; MAX_PACKET_BYTES];
    for frame in 0..180 {
        // Three trackers and ten fingers, all of which move until they stop.
        let hands = hold_hands(&mut player, frame.min(120));
        for role in FINGERS {
            let bend = 0.9 + 0.5 * sinew::math::float::sin(frame.min(120) as f32 * 0.08);
            let (at, turn) = bent(&player, role, 0.0, [0.5 * bend, bend, 0.6 * bend], hands[side(role)])[2];
            give(&mut player, role, at, turn, Senses::Both);
        }
        player.frame();
        let size = player.body.pack(&mut bytes);
        assert!(far.receive(&bytes[..size], player.time) && far.update_remote(player.time));
    }
    let [own, theirs] = [player.body.pose(), far.pose()].map(|p| forward_kinematics(player.avatar.skeleton(), p));
    for role in FINGERS {
        let off = place(&own, &player.avatar, role.bone()).distance(place(&theirs, &player.avatar, role.bone()));
        assert!(off < 2e-3, "{role:?} is {off} m off over the network");
    }
    let mut saved = vec![0; player.body.snapshot_size()];
    assert!(player.body.snapshot(&mut saved) && far.restore(&saved));
    assert!(local_equal(player.body.pose(), far.pose()));
}

#[test]
fn more_trackers_than_a_packet_holds_take_turns() {
    let settings = TrackedBodySettings { rest_distance: 0.0, rest_angle: 0.0, ..TrackedBodySettings::default() };
    let mut player = Player::new(settings);
    player.calibrate(&TrackerRole::ALL);
    let mut far = TrackedBody::new(player.avatar.clone(), settings);
    far.set_calibration(*player.body.calibration());
    let mut bytes = [0; MAX_PACKET_BYTES];
    let (speed, mut most) = (0.6, 0.0f32);
    let [_, forward, _] = player.axes();
    for frame in 0..240 {
        let way = forward * (speed * frame as f32 / 60.0);
        player.stand(&TrackerRole::ALL, Quat::IDENTITY, way);
        player.frame();
        let size = player.body.pack(&mut bytes);
        assert!(far.receive(&bytes[..size], player.time) && far.update_remote(player.time));
        if frame >= 120 {
            // The far body is the same one, later.
            let [own, theirs] =
                [player.body.pose(), far.pose()].map(|pose| forward_kinematics(player.avatar.skeleton(), pose));
            let lag = place(&own, &player.avatar, HumanBone::Head) - place(&theirs, &player.avatar, HumanBone::Head);
            assert!((0.0..0.08).contains(&lag.dot(forward)), "frame {frame}: {lag} behind");
            // Straight limbs make much of a packet's rounding at elbows, shoulders and knees.
            for role in TrackerRole::ALL.into_iter().filter(|role| !(7..13).contains(&role.index())) {
                let [own, theirs] = [&own, &theirs].map(|frames| place(frames, &player.avatar, role.bone()));
                most = most.max((own - theirs).distance(lag));
            }
        }
    }
    assert!(most < 2e-3, "parts of the body are up to {most} m apart");
}
