//! Clips made by a few sines: what a host's animation system writes before the tracked body.

use crate::player::Player;
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Transform, axis_angle, float};
use sinew::skeleton::Pose;

pub const LEGS: [[HumanBone; 4]; 2] =
    [[LeftUpperLeg, LeftLowerLeg, LeftFoot, LeftToes], [RightUpperLeg, RightLowerLeg, RightFoot, RightToes]];

/// Sizes of a clip: angles in radians, lengths in metres of a usual avatar.
#[derive(Clone, Copy)]
pub struct Gait {
    /// Swing of the thighs, bend of the knees at least, and what a swinging leg adds.
    pub swing: f32,
    pub bend: f32,
    pub lift: f32,
    /// How much lower the hips are than in the T-pose, and how far they bob and sway.
    pub dip: f32,
    pub bob: f32,
    pub sway: f32,
    /// How far the knees point outward.
    pub outward: f32,
}

pub const WALK: Gait = Gait { swing: 0.3, bend: 0.3, lift: 0.6, dip: 0.03, bob: 0.02, sway: 0.02, outward: 0.1 };
pub const IDLE: Gait = Gait { swing: 0.0, bend: 0.3, lift: 0.0, dip: 0.02, bob: 0.0, sway: 0.0, outward: 0.15 };

/// Rotation that takes what hangs down toward forward.
fn fore(player: &Player, angle: f32) -> Quat {
    let [up, forward, _] = player.axes();
    axis_angle((-up).cross(forward), angle)
}

/// A frame of a clip that plays in place: a phase of two steps is 2π.
pub fn pose(player: &Player, gait: &Gait, phase: f32) -> Vec<Transform> {
    let skeleton = player.avatar.skeleton();
    let [up, forward, left] = player.axes();
    let size = player.size();
    let mut pose = Pose::rest(skeleton);
    pose.local_mut().copy_from_slice(player.avatar.t_pose());
    pose.update(skeleton);
    let hips = player.avatar.joint(Hips).expect("hips");
    let way = up * (gait.bob * float::cos(2.0 * phase) - gait.dip) + left * (gait.sway * float::sin(phase));
    pose.set_position_ms(skeleton, hips, player.rest(Hips) + way * size);
    let mut put = |bone: HumanBone, turn: Quat| {
        pose.update(skeleton);
        if let Some(joint) = player.avatar.joint(bone) {
            pose.set_rotation_ms(skeleton, joint, player.turned(bone, turn.normalize()));
        }
    };
    let yaw = axis_angle(up, 0.1 * gait.swing * float::sin(phase));
    put(Hips, yaw * fore(player, -0.1 * gait.swing));
    for (side, bones) in LEGS.into_iter().enumerate() {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let (sine, cosine) = float::sin_cos(phase + if side == 0 { 0.0 } else { core::f32::consts::PI });
        let bend = gait.bend + gait.lift * cosine.max(0.0) * cosine.max(0.0);
        let out = axis_angle(up, sign * gait.outward * up.dot(forward.cross(left)).signum());
        let thigh = out * fore(player, gait.swing * sine + 0.5 * gait.bend);
        put(bones[0], thigh);
        put(bones[1], thigh * fore(player, -bend));
        put(bones[2], out * fore(player, -0.25 * (bend - gait.bend)));
        put(bones[3], out);
    }
    for (side, bones) in
        [[LeftUpperArm, LeftLowerArm, LeftHand], [RightUpperArm, RightLowerArm, RightHand]].into_iter().enumerate()
    {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        // Down from the T-pose about forward.
        let shoulder = (left * sign).cross(-up);
        let down = axis_angle(shoulder, 1.25);
        let swung = fore(player, -sign * gait.swing * float::sin(phase));
        put(bones[0], swung * down);
        put(bones[1], swung * fore(player, 0.4) * down);
        put(bones[2], swung * fore(player, 0.4) * down);
    }
    pose.update(skeleton);
    pose.local().to_vec()
}
