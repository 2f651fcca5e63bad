//! Avatars that are not built like the player.

use crate::player::{Player, SIX, THREE, avatar, place};
use sinew::humanoid::HumanBone::{self, *};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanMap};
use sinew::math::{Quat, Vec3, axis_angle};
use sinew::skeleton::{JointDefinition, Pose, Skeleton};
use sinew::trackers::{CalibrationPose, ScalePolicy, TrackedBodySettings, TrackerRole};
use std::sync::Arc;

/// The person of the tests with bones that are longer or shorter, standing on the same floor.
fn built(size: f32, part: impl Fn(HumanBone) -> f32) -> Arc<Avatar> {
    let usual = avatar();
    let skeleton = usual.skeleton();
    let bone_of = |joint| HumanBone::ALL.into_iter().find(|bone| usual.joint(*bone) == Some(joint));
    let mut rest: Vec<_> = usual.t_pose().to_vec();
    for (joint, local) in rest.iter_mut().enumerate() {
        local.position *= size * bone_of(joint).map_or(1.0, &part);
    }
    let height = |rest: &[sinew::math::Transform]| {
        let mut pose = Pose::rest(skeleton);
        pose.local_mut().copy_from_slice(rest);
        pose.update(skeleton);
        pose.model(usual.joint(LeftFoot).expect("a foot")).position.dot(usual.axes().up)
    };
    let lift = size * height(usual.t_pose()) - height(&rest);
    let hips = usual.joint(Hips).expect("hips");
    rest[hips].position += usual.axes().up * lift;
    let joints: Vec<JointDefinition> = (0..skeleton.joint_count())
        .map(|joint| JointDefinition {
            name: skeleton.name(joint).to_string(),
            parent: skeleton.parent(joint),
            rest: rest[joint],
        })
        .collect();
    let map = HumanMap::from_array(core::array::from_fn(|i| usual.joint(HumanBone::ALL[i])));
    let definition = AvatarDefinition {
        map,
        t_pose: Some(rest),
        up: Some(usual.axes().up),
        forward: Some(usual.axes().forward),
        ..AvatarDefinition::default()
    };
    Arc::new(Avatar::new(Arc::new(Skeleton::new(joints).expect("a skeleton")), &definition).expect("a humanoid"))
}

fn is_limb(bone: HumanBone, parts: [HumanBone; 4]) -> bool {
    parts.contains(&bone)
}

/// Large head, short limbs.
fn chibi() -> Arc<Avatar> {
    built(0.6, |bone| match bone {
        Neck | Head => 1.6,
        _ if is_limb(bone, [LeftLowerLeg, LeftFoot, RightLowerLeg, RightFoot]) => 0.45,
        _ if is_limb(bone, [LeftLowerArm, LeftHand, RightLowerArm, RightHand]) => 0.6,
        _ => 0.8,
    })
}

fn giant() -> Arc<Avatar> {
    built(3.0, |_| 1.0)
}

fn with_arms(part: f32) -> Arc<Avatar> {
    built(1.0, move |bone| if is_limb(bone, [LeftLowerArm, LeftHand, RightLowerArm, RightHand]) { part } else { 1.0 })
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
        assert!(dressed.odd.body.calibrate(CalibrationPose::TPose, policy, floor));
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
