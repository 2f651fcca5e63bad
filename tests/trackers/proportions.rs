//! Avatars that are not built like the player.

use crate::player::{Player, SIX, THREE, avatar, place, with_t_pose};
use sinew::humanoid::Avatar;
use sinew::humanoid::HumanBone::*;
use sinew::math::{Quat, Vec3, axis_angle};
use sinew::trackers::{CalibrationPose, ScalePolicy, TrackedBodySettings, TrackerRole};
use std::sync::Arc;
use testkit::build::Build;

/// The person of the tests in another build, standing on the same floor.
fn built(build: Build) -> Arc<Avatar> {
    let usual = avatar();
    let rest = build.pose(usual.skeleton(), usual.t_pose(), |bone| usual.joint(bone), usual.axes().up);
    with_t_pose(&usual, rest)
}

fn chibi() -> Arc<Avatar> {
    built(Build::Chibi)
}

fn giant() -> Arc<Avatar> {
    built(Build::Giant)
}

fn with_arms(part: f32) -> Arc<Avatar> {
    built(Build::Arms(part))
}

/// A player of usual build, and a body of another.
struct Dressed {
    human: Player,
    odd: Player,
}

impl Dressed {
    fn new(avatar: Arc<Avatar>, policy: ScalePolicy, roles: &[TrackerRole]) -> Self {
        let mut human = Player::new(TrackedBodySettings::default());
        human.calibrate(roles);
        let mut dressed = Self { human, odd: Player::of(avatar, TrackedBodySettings::default()) };
        dressed.stand(roles);
        let floor = dressed.human.floor();
        dressed.odd.body.calibrate(CalibrationPose::TPose, policy, floor).unwrap();
        dressed
    }
    fn give(&mut self, role: TrackerRole, at: Vec3, turn: Quat) {
        self.odd.time = self.human.time;
        let rotation = self.human.turned(role.bone(), turn);
        self.odd.give_raw(role, at, rotation);
    }
    fn stand(&mut self, roles: &[TrackerRole]) {
        for role in roles {
            let at = self.human.rest(role.bone());
            self.give(*role, at, Quat::IDENTITY);
        }
    }
    fn frame(&mut self) -> Vec<testkit::matchers::Affine64> {
        let frames = self.odd.frame();
        self.human.time = self.odd.time;
        frames
    }
}

#[test]
fn head_and_hands_meet_their_trackers_on_any_build() {
    for (name, avatar) in
        [("chibi", chibi()), ("giant", giant()), ("short arms", with_arms(0.7)), ("long arms", with_arms(1.3))]
    {
        for (roles, policy) in [(THREE, ScalePolicy::Height), (SIX, ScalePolicy::Height), (SIX, ScalePolicy::ArmSpan)] {
            let mut dressed = Dressed::new(avatar.clone(), policy, roles);
            let [up, forward, left] = dressed.human.axes();
            for step in 0..120 {
                dressed.stand(roles);
                // Hands before the chest, nearer and farther.
                let far = 0.25 + 0.1 * (step as f32 / 20.0).min(1.0);
                for (role, side) in [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)] {
                    let shoulder = dressed.human.rest(if side > 0.0 { LeftUpperArm } else { RightUpperArm });
                    let at = shoulder + forward * far - up * 0.15 - left * (0.05 * side);
                    dressed.give(role, at, axis_angle(up, -side * 1.5));
                }
                let frames = dressed.frame();
                for role in THREE {
                    let off = dressed.odd.body.outcome(*role).residual_m;
                    assert!(
                        off < 1e-3 * dressed.odd.size(),
                        "{name}, {policy:?}, {} trackers, {role:?}: {off} m",
                        roles.len()
                    );
                }
                for bone in [LeftFoot, RightFoot] {
                    // Each counted from its own floor.
                    let floor = dressed.human.floor() * dressed.odd.body.calibration().scale;
                    let height = place(&frames, &dressed.odd.avatar, bone).dot(up) - floor;
                    let rest = dressed.odd.rest(bone).dot(up) - dressed.odd.floor();
                    // It stands, or swings.
                    let swing = (height - rest) / dressed.odd.size();
                    assert!((-0.03..0.1).contains(&swing), "{name}: {bone:?} at {height}, not {rest}");
                }
            }
        }
    }
}

#[test]
fn hands_of_another_build_are_where_the_players_are() {
    // Not only the trackers' goals are met: a build that differs from the player's is no mount, so
    // the hand is at the player's however it turns.
    for (name, avatar) in
        [("chibi", chibi()), ("giant", giant()), ("short arms", with_arms(0.6)), ("long arms", with_arms(1.5))]
    {
        for roles in [THREE, SIX] {
            let mut dressed = Dressed::new(avatar.clone(), ScalePolicy::Height, roles);
            let [up, forward, left] = dressed.human.axes();
            let scale = dressed.odd.body.calibration().scale;
            let mut worst = 0.0f32;
            for step in 0..120 {
                dressed.stand(roles);
                let turn = step as f32 / 119.0;
                let mut hands = [Vec3::ZERO; 2];
                for (i, (role, side)) in
                    [(TrackerRole::LeftHand, 1.0), (TrackerRole::RightHand, -1.0)].into_iter().enumerate()
                {
                    // From before the belly to beside the hip, the palm turning over.
                    let shoulder = dressed.human.rest(if side > 0.0 { LeftUpperArm } else { RightUpperArm });
                    let at =
                        shoulder + forward * (0.25 - 0.15 * turn) - up * (0.25 + 0.1 * turn) + left * (0.08 * side);
                    hands[i] = at * scale;
                    dressed.give(role, at, axis_angle(forward, -side * 1.5 * turn) * axis_angle(up, -side * 1.2));
                }
                let frames = dressed.frame();
                for (hand, at) in [LeftHand, RightHand].into_iter().zip(hands) {
                    worst = worst.max(place(&frames, &dressed.odd.avatar, hand).distance(at));
                }
            }
            assert!(worst < 2e-3 * dressed.odd.size(), "{name}, {} trackers: {worst} m", roles.len());
        }
    }
}

#[test]
fn with_the_arm_span_the_hands_span_what_the_players_do() {
    for avatar in [chibi(), giant(), with_arms(0.7)] {
        let mut dressed = Dressed::new(avatar, ScalePolicy::ArmSpan, SIX);
        let frames = dressed.frame();
        let span =
            place(&frames, &dressed.odd.avatar, LeftHand).distance(place(&frames, &dressed.odd.avatar, RightHand));
        let own = dressed.odd.rest(LeftHand).distance(dressed.odd.rest(RightHand));
        assert!((span / own - 1.0).abs() < 5e-3, "{span} m of {own} m");
    }
}

#[test]
fn knees_of_a_chibi_bend_forward_when_it_crouches() {
    let mut dressed = Dressed::new(chibi(), ScalePolicy::HipsHeight, SIX);
    let [up, forward, _] = dressed.human.axes();
    for step in 0..60 {
        let down = up * (-0.3 * step as f32 / 60.0);
        dressed.stand(SIX);
        for role in [TrackerRole::Head, TrackerRole::LeftHand, TrackerRole::RightHand, TrackerRole::Hips] {
            let at = dressed.human.rest(role.bone()) + down;
            dressed.give(role, at, Quat::IDENTITY);
        }
        let frames = dressed.frame();
        for [hip, knee, foot] in [[LeftUpperLeg, LeftLowerLeg, LeftFoot], [RightUpperLeg, RightLowerLeg, RightFoot]] {
            let [a, b, c] = [hip, knee, foot].map(|bone| place(&frames, &dressed.odd.avatar, bone));
            let bend = (b - (a + c) * 0.5).dot(forward);
            assert!(bend > -1e-3, "step {step}: the knee is {bend} m behind");
        }
    }
}

#[test]
fn hips_of_another_build_stay_above_the_floor() {
    // Short legs and a long trunk, scaled by the height of the head: where the player's hips are on
    // the floor, those of the avatar would be below it.
    for (name, avatar) in [("chibi", chibi()), ("giant", giant()), ("usual", avatar())] {
        for roles in [THREE, SIX] {
            let mut dressed = Dressed::new(avatar.clone(), ScalePolicy::Height, roles);
            let [up, forward, _] = dressed.human.axes();
            let floor = dressed.human.floor();
            let scale = dressed.odd.body.calibration().scale;
            let (standing, size) = (dressed.human.rest(Hips).dot(up) - floor, dressed.odd.size());
            let mut last: Option<Vec3> = None;
            // Down to a seat on the floor in two seconds, then bent forward until the head is low.
            for step in 0..240 {
                let down = (step as f32 / 120.0).min(1.0) * (standing - 0.09);
                let bent = axis_angle(up.cross(forward), 1.2 * (step as f32 / 120.0 - 1.0).clamp(0.0, 1.0));
                let hips = dressed.human.rest(Hips);
                for role in roles {
                    let rest = dressed.human.rest(role.bone());
                    let foot = matches!(role, TrackerRole::LeftFoot | TrackerRole::RightFoot);
                    let at = if foot { rest + forward * (0.6 * down) } else { hips - up * down + bent * (rest - hips) };
                    dressed.give(*role, at, if foot { Quat::IDENTITY } else { bent });
                }
                let frames = dressed.frame();
                let seat = place(&frames, &dressed.odd.avatar, Hips);
                let height = (seat.dot(up) - floor * scale) / size;
                assert!(height > 0.04, "{name}, {} trackers, frame {step}: hips at {height} m", roles.len());
                let off = dressed.odd.body.outcome(TrackerRole::Head).residual_m / size;
                assert!(off < 1e-3, "{name}, {} trackers, frame {step}: the head is {off} m off", roles.len());
                let moved = last.replace(seat).map_or(0.0, |before| seat.distance(before) / size);
                assert!(moved < 0.03, "{name}, {} trackers, frame {step}: hips jump {moved} m", roles.len());
            }
        }
    }
}
