//! What is on the ground moves with it: locks, heights, footholds and remembered points.

use super::ask::range;
use super::leg::{LegState, Stage, flat};
use super::past::Seen;
use super::query::{Hit, Query};
use super::rigid::Rigid;
use super::settings::GrounderSettings;
use crate::math::eight_lane::EightLane;
use crate::math::{Vec3, plain_length};

/// How far out of the range of its queries a remembered point of a moving body is kept, metres.
const BEYOND: f32 = 0.02;

impl LegState {
    /// Moves what is on the ground with it, and takes the new hits in.
    #[inline(always)]
    pub(super) fn carry<E: EightLane>(
        &mut self,
        stage: &Stage,
        settings: &GrounderSettings,
        asked: &[Query],
        hits: &[Hit],
        heel_hit: Option<&Hit>,
    ) {
        self.carry_memory::<E>(stage, settings, asked, hits);
        if !stage.remembered {
            self.seen[0] = hits.first().map(|hit| Seen::of(hit, stage.frame_dt)).unwrap_or_default();
            self.seen[1] = heel_hit.map(|hit| Seen::of(hit, stage.frame_dt)).unwrap_or_default();
        }
        self.step_s = stage.dt;
        // The first query is the one below the foot, or stands for it.
        let Some(hit) = hits.first().filter(|hit| hit.hit) else {
            (self.owed, self.owed_turn) = (Vec3::ZERO, 0.0);
            return;
        };
        if self.started != 0 {
            let motion = Rigid::until(hit, stage.frame_dt);
            // Steps on remembered ground and steps that were taken back have moved it already, or
            // not yet: the motion of a frame starts from where it was at its begin.
            let owed = if stage.remembered { Vec3::ZERO } else { self.owed };
            let anchor = motion.carried(self.anchor + owed);
            let moved = if self.planted != 0 { anchor - self.anchor } else { owed + motion.moved };
            let turned = hit.angular_velocity_ws.dot(stage.up) * stage.frame_dt;
            let turned = if stage.remembered {
                (self.owed, self.owed_turn) = (self.owed - moved, self.owed_turn - turned);
                turned
            } else {
                let turned = self.owed_turn + turned;
                (self.owed, self.owed_turn) = if stage.ahead { (moved, turned) } else { (Vec3::ZERO, 0.0) };
                turned
            };
            self.anchor = anchor;
            if self.planted != 0 && turned != 0.0 {
                self.twist(0.0, turned);
            }
            // Heights count from the root's plane, which may move by itself. A foot in the air goes
            // with a body that jumps or falls.
            let rise = moved.dot(stage.up) - stage.rise;
            if self.planted == 0 && !stage.flies {
                self.rise += rise;
            }
            self.last_ground += rise;
            self.wall += rise;
            self.step += rise;
            self.foothold = motion.carried(self.foothold + owed);
        }
        self.ground_velocity = hit.velocity_ws;
        self.ground_age = 0.5 * stage.frame_dt;
    }

    /// Takes the new hits into the memory, whose points have moved meanwhile.
    #[inline(always)]
    fn carry_memory<E: EightLane>(
        &mut self,
        stage: &Stage,
        settings: &GrounderSettings,
        asked: &[Query],
        hits: &[Hit],
    ) {
        let up = stage.up;
        if stage.remembered {
            self.memory.advance(stage.dt);
            return;
        }
        if self.memory.moves() {
            self.move_memory(stage, settings, hits);
        }
        self.memory.take_in::<E>(asked, hits, self.way, up);
    }

    /// Moves the remembered points with their bodies, and forgets those that are not there any
    /// more.
    #[inline(never)]
    fn move_memory(&mut self, stage: &Stage, settings: &GrounderSettings, hits: &[Hit]) {
        let up = stage.up;
        let motion = |body: u32| {
            let hit = hits.iter().find(|hit| hit.hit && hit.body == body)?;
            Some((hit.velocity_ws, Rigid::until(hit, stage.frame_dt)))
        };
        self.memory.follow(stage.dt, stage.frame_dt, up, motion);
        self.memory.advance(stage.dt);
        // Ground that no query would find is out of the way: a lift that has gone up.
        let known_rise = self.known_rise;
        self.memory.keep_moving(|point| {
            let over = (point - stage.root).dot(up);
            let level = plain_length(flat(point - stage.root, up));
            let (above, below) = range(level, known_rise, settings);
            over < above + BEYOND && over > -below - BEYOND
        });
    }

    /// Takes in turns of the animated foot and of the ground under it. The foot turns as the
    /// animation does: it pivots on the ball. Where the ground turns and the animation does not, or
    /// less, it turns with the ground. Both are counted since the plant, so that an animation that
    /// follows the ground a frame late makes no difference.
    pub(super) fn twist(&mut self, own: f32, ground: f32) {
        let lacks = |leg: &Self| leg.ground_turn - part_of(leg.own_turn, leg.ground_turn);
        let before = lacks(self);
        self.own_turn += own;
        self.ground_turn += ground;
        self.yaw += lacks(self) - before;
    }
}

/// The part of `turn` that `of` explains: from none to all of that, in its direction.
pub(super) fn part_of(turn: f32, of: f32) -> f32 {
    turn.clamp(of.min(0.0), of.max(0.0))
}
