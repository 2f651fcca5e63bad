//! Legs of which some is tracked and some is not: feet without hips, shins without feet.

use crate::player::{FOUR, Player, angle_at, missed, place};
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Vec3, axis_angle, float};
use sinew::trackers::{TrackedBodySettings, TrackerRole, TrackerSample};

const FIVE: &[TrackerRole] =
    &[TrackerRole::Head, TrackerRole::LeftHand, TrackerRole::RightHand, TrackerRole::LeftFoot, TrackerRole::RightFoot];
const LEGS: [[HumanBone; 3]; 2] = [[LeftUpperLeg, LeftLowerLeg, LeftFoot], [RightUpperLeg, RightLowerLeg, RightFoot]];
const FEET: [TrackerRole; 2] = [TrackerRole::LeftFoot, TrackerRole::RightFoot];
const KNEES: [TrackerRole; 2] = [TrackerRole::LeftKnee, TrackerRole::RightKnee];

fn player(roles: &[TrackerRole]) -> Player {
    let mut player = Player::new(TrackedBodySettings::default());
    player.calibrate(roles);
    player
}

/// The largest second difference of a joint's place.
struct Jerks {
    last: [Option<Vec3>; 2],
    most: f32,
}

impl Jerks {
    fn new() -> Self {
        Self { last: [None; 2], most: 0.0 }
    }
    fn see(&mut self, at: Vec3) {
        if let [Some(before), Some(last)] = self.last {
            self.most = self.most.max((at - last * 2.0 + before).length());
        }
        self.last = [self.last[1], Some(at)];
    }
}

/// Joints of a leg whose thigh and shin are turned about the left, from the T-pose.
fn bent(player: &Player, side: usize, thigh: f32, shin: f32) -> [Vec3; 2] {
    let left = player.axes()[2];
    let [root, knee, foot] = LEGS[side].map(|bone| player.rest(bone));
    let at = root + axis_angle(left, thigh) * (knee - root);
    [at, at + axis_angle(left, shin) * (foot - knee)]
}

/// How far the middle of two joints is ahead of another joint, and the height of the higher one
/// over where it is in the T-pose; metres.
fn ahead_and_over(player: &Player, frames: &[testkit::matchers::Affine64], feet: [HumanBone; 2]) -> (f32, f32) {
    let [up, forward, _] = player.axes();
    let at = feet.map(|bone| place(frames, &player.avatar, bone));
    let hips = place(frames, &player.avatar, Hips);
    let over = [0, 1].map(|side| (at[side] - player.rest(feet[side])).dot(up));
    (((at[0] + at[1]) * 0.5 - hips).dot(forward), over[0].max(over[1]))
}

#[test]
fn a_player_who_stands_has_feet_on_the_floor_below_the_body() {
    for roles in [&FOUR[..3], FOUR] {
        for prior_weight in [0.0, 1.0] {
            let mut player = Player::new(TrackedBodySettings { prior_weight, ..TrackedBodySettings::default() });
            player.calibrate(roles);
            let mut frames = player.frame();
            for _ in 0..180 {
                player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
                frames = player.frame();
            }
            let (ahead, over) = ahead_and_over(&player, &frames, [LeftFoot, RightFoot]);
            let what = format!("{} trackers, tables {prior_weight}", roles.len());
            for leg in LEGS {
                let bend = 180.0 - angle_at(&frames, &player.avatar, leg).to_degrees();
                assert!(bend < 14.0, "{what}: a knee is bent by {bend}°");
            }
            assert!(over < 0.015 * player.size(), "{what}: a heel is {over} m over the floor");
            assert!(ahead.abs() < 0.09 * player.size(), "{what}: the feet are {ahead} m ahead of the hips");
        }
    }
}

#[test]
fn feet_step_ahead_of_a_body_that_a_stick_carries_on() {
    for speed in [1.0, 2.0, 3.0] {
        let mut player = player(FOUR);
        let [_, forward, _] = player.axes();
        let (mut sum, mut most) = (0.0, f32::NEG_INFINITY);
        const FRAMES: u16 = 300;
        for frame in 0..FRAMES {
            let origin = forward * (speed * f32::from(frame) / 60.0);
            player.body.set_origin(origin, Quat::IDENTITY);
            player.at_ease(FOUR, Quat::IDENTITY, Vec3::ZERO);
            let frames = player.frame();
            for foot in [LeftFoot, RightFoot] {
                let ahead = ahead_and_over(&player, &frames, [foot; 2]).0;
                sum += ahead / f32::from(2 * FRAMES);
                most = most.max(ahead);
            }
        }
        let size = player.size();
        assert!(sum.abs() < 0.1 * size, "{speed} m/s: the feet are {sum} m ahead on average");
        assert!(most > 0.1 * size, "{speed} m/s: the feet come no more than {most} m ahead");
    }
}

#[test]
fn assumed_hips_let_the_legs_reach_tracked_feet() {
    // Strides as long as the legs allow from hips below the head: assumed a little elsewhere, they
    // leave the feet short and the knees straight.
    let mut player = player(FIVE);
    let [up, forward, _] = player.axes();
    let low = -up * (0.09 * player.size());
    let mut knees = [Jerks::new(), Jerks::new()];
    for frame in 0..240 {
        let t = frame as f32 / 60.0;
        player.at_ease(FIVE, Quat::IDENTITY, low);
        let feet = [1.0, -1.0].map(|side| forward * (0.36 * player.size() * side * float::sin(2.0 * t)));
        let goals = [0, 1].map(|side| player.rest(LEGS[side][2]) + feet[side]);
        for side in 0..2 {
            player.give(FEET[side], goals[side], Quat::IDENTITY);
        }
        let frames = player.frame();
        for side in 0..2 {
            let off = missed(&frames, &player.avatar, FEET[side], goals[side]);
            assert!(off < 1e-3, "frame {frame}, side {side}: the foot is {off} m off");
            knees[side].see(place(&frames, &player.avatar, LEGS[side][1]));
        }
        let off = missed(&frames, &player.avatar, TrackerRole::Head, player.rest(Head) + low);
        assert!(off < 1e-3, "frame {frame}: the head is {off} m off");
    }
    for knee in knees {
        assert!(knee.most < 0.006, "a knee jerks by {} m", knee.most);
    }
}

#[test]
fn hips_follow_a_foot_that_is_far_away_only_so_far() {
    // A tracker that lies on the floor beside the player.
    let mut player = player(FIVE);
    let [_, _, left] = player.axes();
    player.at_ease(FIVE, Quat::IDENTITY, Vec3::ZERO);
    let before = place(&player.frame(), &player.avatar, Hips);
    for _ in 0..60 {
        player.at_ease(FIVE, Quat::IDENTITY, Vec3::ZERO);
        player.give(TrackerRole::LeftFoot, player.rest(LeftFoot) + left * 5.0, Quat::IDENTITY);
        let frames = player.frame();
        let moved = place(&frames, &player.avatar, Hips).distance(before);
        assert!(moved < 0.45 * player.size(), "the hips moved {moved} m");
        assert!(missed(&frames, &player.avatar, TrackerRole::Head, player.rest(Head)) < 1e-3);
    }
}

fn inertial(player: &mut Player, role: TrackerRole, turn: Quat) {
    let rotation = player.turned(role.bone(), turn);
    let sample = TrackerSample { time_s: player.time, position: None, rotation: Some(rotation), confidence: 1.0 };
    player.body.set_tracker(role, &sample);
}

#[test]
fn a_shin_of_which_the_rotation_is_tracked_has_it() {
    let mut player = player(&[FOUR, &KNEES].concat());
    let [_, forward, left] = player.axes();
    let mut knees = [Jerks::new(), Jerks::new()];
    for frame in 0..360 {
        // A march on the spot, one leg after the other, the knee lifted to the side, too.
        let t = frame as f32 / 60.0;
        player.at_ease(FOUR, Quat::IDENTITY, Vec3::ZERO);
        let lift = [0.0, 1.0].map(|phase| {
            let s = float::sin(2.0 * t + phase * core::f32::consts::PI).max(0.0);
            s * s
        });
        let turns = [0, 1].map(|side| {
            let outward = axis_angle(forward, if side == 0 { 0.3 } else { -0.3 } * lift[side]);
            (outward * axis_angle(left, 1.3 * lift[side])).normalize()
        });
        for side in 0..2 {
            inertial(&mut player, KNEES[side], turns[side]);
        }
        let frames = player.frame();
        for side in 0..2 {
            let [_, knee, foot] = LEGS[side];
            let rest = (player.rest(foot) - player.rest(knee)).normalize();
            let shin = place(&frames, &player.avatar, foot) - place(&frames, &player.avatar, knee);
            let off = shin.normalize().angle_between(turns[side] * rest);
            assert!(off < 0.02, "frame {frame}, side {side}: the shin is {off} rad off");
            let bend = core::f32::consts::PI - angle_at(&frames, &player.avatar, LEGS[side]);
            assert!((-0.01..2.7).contains(&bend), "frame {frame}, side {side}: bent by {bend} rad");
            knees[side].see(place(&frames, &player.avatar, knee));
        }
    }
    for knee in knees {
        assert!(knee.most < 0.01, "a knee jerks by {} m", knee.most);
    }
}

/// A walk of two seconds with a bent left leg. Foot and knee of it are tracked; in the second
/// second `lost` states only the rotation. The largest step of a joint of the leg beside the walk.
fn walk_and_lose_the_place_of(lost: TrackerRole) -> f32 {
    let (others, speed) = ([FOUR, &[FEET[1], KNEES[1]]].concat(), 1.2);
    let mut player = player(&[FOUR, &FEET, &KNEES].concat());
    let [_, forward, left] = player.axes();
    let mut most = 0.0_f32;
    let mut last: Option<[Vec3; 2]> = None;
    for frame in 0..120 {
        let way = forward * (speed * frame as f32 / 60.0);
        player.at_ease(&others, Quat::IDENTITY, way);
        let [knee, foot] = bent(&player, 0, -0.4, 0.5);
        let turns = [(KNEES[0], knee, axis_angle(left, 0.5)), (FEET[0], foot, Quat::IDENTITY)];
        for (role, at, turn) in turns {
            if role == lost && frame >= 60 {
                inertial(&mut player, role, turn);
            } else {
                player.give(role, at + way, turn);
            }
        }
        let frames = player.frame();
        let now = [LeftLowerLeg, LeftFoot].map(|bone| place(&frames, &player.avatar, bone) - way);
        for (now, last) in now.iter().zip(last.unwrap_or(now)) {
            most = most.max(now.distance(last));
        }
        last = Some(now);
    }
    most
}

#[test]
fn a_leg_that_loses_a_place_does_not_turn_over() {
    // The place fades out where it was, which the walk leaves behind the leg; the rotation, and the
    // other tracker, have the leg as it was.
    let knee = walk_and_lose_the_place_of(TrackerRole::LeftKnee);
    assert!(knee < 0.015, "without the knee's place: a step of {knee} m");
    let foot = walk_and_lose_the_place_of(TrackerRole::LeftFoot);
    assert!(foot < 0.05, "without the foot's place: a step of {foot} m");
}
