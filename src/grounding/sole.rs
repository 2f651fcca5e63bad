//! The sole: turned to the ground, its heel above it.

use super::foot::FootModel;
use super::leg::{Ground, LegPose, LegState, Placed, SOFT, Stage, flat, turned};
use super::limb;
use super::motion::{decay, soft_floor};
use super::settings::GrounderSettings;
use crate::math::float::smooth01;
use crate::math::{Quat, Vec3, arc, axis_angle, fraction, normalize_or, plain_length, rotation_angle, unit_quat};

impl LegState {
    /// Turns the foot to the ground and keeps its heel above it.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(super) fn turn_foot(
        &mut self,
        pose: &LegPose,
        foot: &FootModel,
        stage: &Stage,
        settings: &GrounderSettings,
        ball: Vec3,
        below: Option<Ground>,
        behind: Option<Ground>,
        ahead: Option<Ground>,
        height: f32,
        ground: f32,
    ) -> Placed {
        let (up, dt) = (stage.up, stage.dt);
        let lever = pose.ankle_ws - pose.ball_ws;
        // The plane of the sole: the chord from heel to ball where there is no step between them.
        let mut normal = if self.planted != 0 { self.normal } else { ahead.or(below).map_or(up, |g| g.normal) };
        let level = flat(lever, up);
        let length = plain_length(level);
        if foot.has_sole
            && length > 1e-3
            && self.planted != 0
            && let (Some(front), Some(back)) = (below, behind)
        {
            let back_way = level / length;
            let chord = back.below(ball + level, up) - front.below(ball, up);
            let slope = chord.dot(up) / length;
            if slope.abs() < 0.75 {
                let along = normalize_or(back_way + up * slope, back_way);
                normal = normalize_or(normal - along * normal.dot(along), up);
            }
        }
        let goal = if normal == up {
            Quat::IDENTITY
        } else {
            let tilt = arc(up, normal);
            let angle = rotation_angle(tilt);
            let near = if self.planted != 0 { 1.0 } else { smooth01(1.0 - (height - 0.02) / 0.13) };
            let most = if angle > settings.max_foot_tilt { settings.max_foot_tilt / angle } else { 1.0 };
            fraction(tilt, near * settings.foot_tilt * most * stage.presence)
        };
        let part = if self.started == 0 { 1.0 } else { stage.tilt_part };
        if self.align != goal {
            let goal = if self.align.dot(goal) < 0.0 { -goal } else { goal };
            let next = self.align + (goal - self.align) * part;
            self.align = unit_quat(next);
            let off = self.align - goal;
            if off.length_squared() < 1e-10 {
                self.align = goal;
            }
        }
        if self.planted == 0 && self.yaw != 0.0 {
            self.yaw -= self.yaw * decay(settings.release_time * 0.3, dt);
            if self.yaw.abs() < 1e-4 {
                self.yaw = 0.0;
            }
        }
        let mut turn = self.align;
        if self.yaw != 0.0 {
            turn *= axis_angle(up, self.yaw);
        }
        let mut ankle =
            if ball == pose.ball_ws && turn == Quat::IDENTITY { pose.ankle_ws } else { ball + turned(turn, lever) };
        if foot.has_sole
            && stage.presence > 0.0
            && let Some(ground) = behind
        {
            let over = ground.distance(ankle) - foot.heel_height;
            let lifted = soft_floor(over, SOFT);
            let size = plain_length(lever);
            if lifted > over && size > 1e-4 {
                let raised = ankle + up * ((lifted - over) / up.dot(ground.normal));
                let from = (ankle - ball) / size;
                let to = normalize_or(raised - ball, from);
                turn = arc(from, to) * turn;
                ankle = ball + to * size;
            }
        }
        let untouched = ball == pose.ball_ws && ankle == pose.ankle_ws && turn == Quat::IDENTITY;
        Placed { ball, ankle, turn, ground, extension: limb::extension(pose, settings), untouched }
    }
}
