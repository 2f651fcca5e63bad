//! Untracked feet while the body crouches, turns and goes sideways: each steps, and stays on its
//! own side of the other one.

use crate::player::{FOUR, Player, THREE, avatar, place, with_t_pose};
use core::f32::consts::{PI, TAU};
use sinew::humanoid::Avatar;
use sinew::humanoid::HumanBone::*;
use sinew::math::{Quat, Vec3, axis_angle, float};
use sinew::trackers::{TrackedBodySettings, TrackerRole};
use std::sync::Arc;
use testkit::build::Build;

/// What the feet did. Distances between them are parts of that of the ankles in the T-pose.
#[derive(Debug)]
struct Seen {
    /// Least distance of the left ankle from the right one to the left of the hips: in all frames,
    /// and in those in which both feet stand.
    lateral: f32,
    standing: f32,
    /// Least horizontal distance of the ankles.
    apart: f32,
    /// Largest horizontal distance of an ankle from the hips, in lengths of the leg.
    behind: f32,
    /// Steps that feet began.
    steps: usize,
    /// Largest second difference of the horizontal place of a ball of a foot, metres.
    jerk: f32,
}

/// Plays a scene: `each` gives the trackers of a time.
fn watch(player: &mut Player, seconds: f32, each: impl Fn(&mut Player, f32)) -> Seen {
    let [up, _, left] = player.axes();
    let across = |v: Vec3| v - up * v.dot(up);
    let stance = (player.rest(LeftFoot) - player.rest(RightFoot)).dot(left);
    let leg = player.rest(LeftUpperLeg).distance(player.rest(LeftFoot));
    let mut seen = Seen { lateral: f32::MAX, standing: f32::MAX, apart: f32::MAX, behind: 0.0, steps: 0, jerk: 0.0 };
    let (mut last, mut moved): ([Vec3; 2], [Vec3; 2]) = ([Vec3::ZERO; 2], [Vec3::ZERO; 2]);
    for frame in 0..(seconds * 60.0) as usize {
        each(player, frame as f32 / 60.0);
        let frames = player.frame();
        let at = |bone| place(&frames, &player.avatar, bone);
        let [ankles, balls] = [[LeftFoot, RightFoot], [LeftToes, RightToes]].map(|bones| bones.map(at));
        let hips_left = at(LeftUpperLeg) - at(RightUpperLeg);
        let way = across(ankles[0] - ankles[1]) / stance;
        let lateral = way.dot(across(hips_left).normalize());
        seen.lateral = seen.lateral.min(lateral);
        seen.apart = seen.apart.min(way.length());
        for ankle in ankles {
            seen.behind = seen.behind.max(across(ankle - at(Hips)).length() / leg);
        }
        if frame > 0 {
            let steps = [0, 1].map(|i| across(balls[i] - last[i]));
            let swings = steps.map(|step| step.length() > 0.003);
            if frame > 1 {
                for i in 0..2 {
                    seen.jerk = seen.jerk.max((steps[i] - moved[i]).length());
                    seen.steps += usize::from(swings[i] && moved[i].length() <= 0.003);
                }
            }
            if swings == [false; 2] {
                seen.standing = seen.standing.min(lateral);
            }
            moved = steps;
        }
        last = balls;
    }
    seen
}

/// A player who has stood at ease for a second.
fn ready(avatar: Arc<Avatar>, roles: &[TrackerRole]) -> Player {
    let mut player = Player::of(avatar, TrackedBodySettings::default());
    player.calibrate(roles);
    for _ in 0..60 {
        player.at_ease(roles, Quat::IDENTITY, Vec3::ZERO);
        player.frame();
    }
    player
}

/// From 0 to 1 within the first part of a time.
fn eased(t: f32) -> f32 {
    0.5 - 0.5 * float::cos(PI * t.clamp(0.0, 1.0))
}
/// From 0 to 1 in a time, which then is over for two seconds, and back in the same time.
fn there_and_back(t: f32, time: f32) -> f32 {
    eased(t / time) - eased((t - time - 2.0) / time)
}

/// A crouch that goes forward and to one side, with a head that turns by `yaw` to both.
fn crouch(player: &mut Player, roles: &[TrackerRole], yaw: f32, period: f32, t: f32) {
    let [up, forward, left] = player.axes();
    let sway = float::sin(TAU * t / period);
    let s = 0.5 - 0.5 * float::cos(TAU * t / period);
    let down = (left * (0.06 * sway) - up * (0.42 * s) + forward * (0.16 * s)) * player.size();
    player.at_ease(roles, Quat::IDENTITY, down);
    let at = player.rest(Head) + down;
    player.give(TrackerRole::Head, at, axis_angle(up, yaw * sway) * axis_angle(left, 0.35 * s));
}

/// Half a turn on the spot and back.
fn half_turn(player: &mut Player, roles: &[TrackerRole], time: f32) -> Seen {
    let [up, ..] = player.axes();
    watch(player, 2.0 * time + 4.0, |player, t| {
        player.at_ease(roles, axis_angle(up, PI * there_and_back(t, time)), Vec3::ZERO);
    })
}

/// A circle to the left or to the right.
fn circle(player: &mut Player, roles: &[TrackerRole], radius: f32, speed: f32) -> Seen {
    let [up, _, left] = player.axes();
    watch(player, 6.0, |player, t| {
        let turn = axis_angle(up, speed / radius * t);
        let middle = left * (radius * player.size());
        player.at_ease(roles, turn, middle - turn * middle);
    })
}

/// A walk to one side.
fn sideways(player: &mut Player, roles: &[TrackerRole], way: impl Fn(f32) -> f32) -> Seen {
    let [_, _, left] = player.axes();
    watch(player, 5.0, |player, t| {
        player.at_ease(roles, Quat::IDENTITY, left * (way(t) * player.size()));
    })
}

/// The ankles of the usual avatar are 18 cm apart in the T-pose, and its feet 8 cm wide.
/// Feet that swing may be narrower for a moment, where the body turns fast.
#[track_caller]
fn uncrossed(what: &str, seen: &Seen, [standing, lateral, apart]: [f32; 3]) {
    assert!(seen.standing > standing, "{what}: feet stand crossed: {seen:?}");
    assert!(seen.lateral > lateral, "{what}: feet cross: {seen:?}");
    assert!(seen.apart > apart, "{what}: feet collide: {seen:?}");
}

/// Usual, small and large, the last two with other proportions.
fn avatars() -> [Arc<Avatar>; 3] {
    let usual = avatar();
    let built = |build: Build| {
        let rest = build.pose(usual.skeleton(), usual.t_pose(), |bone| usual.joint(bone), usual.axes().up);
        with_t_pose(&usual, rest)
    };
    [usual.clone(), built(Build::Chibi), built(Build::Giant)]
}

#[test]
fn feet_of_a_crouching_player_who_looks_around_do_not_cross() {
    for roles in [THREE, FOUR] {
        for avatar in avatars() {
            for yaw in [10.0_f32, 20.0, 40.0] {
                for period in [0.9, 1.3, 2.0, 2.6, 4.0] {
                    let mut player = ready(avatar.clone(), roles);
                    let seen = watch(&mut player, 8.0, |player, t| {
                        crouch(player, roles, yaw.to_radians(), period, t);
                    });
                    let what = format!("{} trackers, {yaw}° in {period} s, {} m", roles.len(), player.size());
                    uncrossed(&what, &seen, [0.2, 0.2, 0.4]);
                }
            }
        }
    }
}

#[test]
fn feet_of_a_player_who_turns_on_the_spot_do_not_cross() {
    for roles in [THREE, FOUR] {
        for avatar in avatars() {
            for time in [4.0, 2.0, 1.0, 0.7] {
                let mut player = ready(avatar.clone(), roles);
                let seen = half_turn(&mut player, roles, time);
                let what = format!("{} trackers, {time} s, {} m", roles.len(), player.size());
                uncrossed(&what, &seen, [0.5, 0.2, 0.35]);
                assert!(seen.steps >= 4, "{what}: the feet are frozen: {seen:?}");
                assert!(seen.behind < 0.35, "{what}: the feet lag: {seen:?}");
            }
        }
    }
}

#[test]
fn feet_of_a_player_who_goes_sideways_close_up_and_do_not_cross() {
    for roles in [THREE, FOUR] {
        for avatar in avatars() {
            for sign in [1.0, -1.0] {
                for time in [0.3, 0.5, 0.8, 1.2] {
                    let mut player = ready(avatar.clone(), roles);
                    let seen = sideways(&mut player, roles, |t| 0.6 * sign * there_and_back(t, time));
                    let what = format!("{} trackers, a sidestep of {time} s, {} m", roles.len(), player.size());
                    uncrossed(&what, &seen, [0.4, 0.4, 0.4]);
                    assert!(seen.steps >= 4, "{what}: the feet are frozen: {seen:?}");
                }
                for speed in [0.5, 1.0, 2.0] {
                    let mut player = ready(avatar.clone(), roles);
                    let seen = sideways(&mut player, roles, |t| speed * sign * t);
                    let what = format!("{} trackers, sideways at {speed} m/s, {} m", roles.len(), player.size());
                    uncrossed(&what, &seen, [0.4, 0.4, 0.4]);
                    assert!(seen.steps >= 8, "{what}: the feet are frozen: {seen:?}");
                    // Legs of the smallest avatar are half as long against its speed.
                    assert!(seen.behind < 1.1, "{what}: the feet lag: {seen:?}");
                }
            }
        }
    }
}

#[test]
fn feet_of_a_player_who_walks_in_a_circle_pass_each_other() {
    for roles in [THREE, FOUR] {
        for avatar in avatars() {
            for (radius, speed) in [(0.4, 0.6), (0.4, 1.2), (0.8, 0.6), (0.8, 1.2), (-0.8, 1.2), (1.5, 1.2), (3.0, 2.0)]
            {
                let mut player = ready(avatar.clone(), roles);
                let seen = circle(&mut player, roles, radius, speed);
                let what = format!("{} trackers, {radius} m, {speed} m/s, {} m", roles.len(), player.size());
                uncrossed(&what, &seen, [0.35, 0.1, 0.25]);
                assert!(seen.steps >= 12, "{what}: the feet are frozen: {seen:?}");
                assert!(seen.behind < 0.75, "{what}: the feet lag: {seen:?}");
            }
        }
    }
}

#[test]
fn feet_that_keep_to_their_side_do_not_jump() {
    for roles in [THREE, FOUR] {
        let mut player = ready(avatar(), roles);
        let fast = sideways(&mut player, roles, |t| 2.0 * t);
        let mut player = ready(avatar(), roles);
        let quick = half_turn(&mut player, roles, 0.7);
        let mut player = ready(avatar(), roles);
        let low = watch(&mut player, 8.0, |player, t| crouch(player, roles, 0.7, 1.3, t));
        for (seen, most) in [(fast, 0.035), (quick, 0.025), (low, 0.02)] {
            assert!(seen.jerk < most, "a foot jerks: {seen:?}");
        }
    }
}

#[test]
fn feet_of_a_player_who_squats_stay_on_the_floor() {
    for avatar in avatars() {
        for share in [0.7, 0.6, 0.5, 0.4, 0.3] {
            for forward in [0.0, 0.15] {
                let mut player = ready(avatar.clone(), THREE);
                let [up, ahead, _] = player.axes();
                let height = (player.rest(Head) - player.rest(LeftToes)).dot(up);
                let mut lowest = f32::MAX;
                for frame in 0..240 {
                    let s = eased(frame as f32 / 90.0);
                    let way = ahead * (forward * player.size() * s) - up * ((1.0 - share) * height * s);
                    player.at_ease(THREE, Quat::IDENTITY, way);
                    let frames = player.frame();
                    for bone in [LeftToes, RightToes] {
                        let at = place(&frames, &player.avatar, bone);
                        lowest = lowest.min((at - player.rest(bone)).dot(up) / player.size());
                    }
                }
                let what = format!("{share} of the height, {forward} m ahead, {} m", player.size());
                assert!(lowest > -0.012, "{what}: toes are {lowest} m of a usual person below where they stand");
            }
        }
    }
}

#[test]
fn feet_of_a_player_who_whirls_do_not_flip() {
    for roles in [THREE, FOUR] {
        for avatar in avatars() {
            for (angle, time) in [(180.0_f32, 0.4), (270.0, 0.8), (360.0, 1.2), (360.0, 0.8), (720.0, 3.0)] {
                let mut player = ready(avatar.clone(), roles);
                let [up, ..] = player.axes();
                let way = |player: &Player, frames: &[_], side: usize| {
                    let [from, to] = [[LeftFoot, LeftToes], [RightFoot, RightToes]][side];
                    let way = place(frames, &player.avatar, to) - place(frames, &player.avatar, from);
                    (way - up * way.dot(up)).normalize()
                };
                let (mut last, mut most) = ([None; 2], 0.0_f32);
                for frame in 0..(72.0 * (time + 2.0)) as usize {
                    let turn = angle.to_radians() * eased(frame as f32 / 72.0 / time);
                    player.at_ease(roles, axis_angle(up, turn), Vec3::ZERO);
                    let frames = player.frame();
                    for (side, last) in last.iter_mut().enumerate() {
                        let now = way(&player, &frames, side);
                        let before: Vec3 = last.replace(now).unwrap_or(now);
                        most = most.max(float::atan2(before.cross(now).length(), before.dot(now)));
                    }
                }
                let what = format!("{} trackers, {angle}° in {time} s, {} m", roles.len(), player.size());
                assert!(most < 0.7, "{what}: a foot turns by {most} rad in a frame");
            }
        }
    }
}
