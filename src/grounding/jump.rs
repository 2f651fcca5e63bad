//! Jumps: a root that is moved at once, an animation that is cut, an answer that cannot be.
//!
//! A velocity that is measured across a jump is one that nothing has, and what is inertialised with
//! it goes far to the other side first. A jump is left out of all that is measured: the past is
//! moved by it. Where a foot is locked its lock stays where it is, and breaks if it is now too far
//! away.

use super::grounder::{Grounder, GrounderFrame};
use super::leg::{LegPose, flat};
use super::past::Track;
use super::query::{Hit, Query};
use crate::math::Vec3;

/// Distance from where its velocity takes it at which a point has jumped, as a multiple of the
/// distance that ends a lock: roots that physics moves less often than frames are drawn are nearer.
const JUMP: f32 = 0.3;
/// The same at low frame rates, per second, and how much more it is for each second: feet that run
/// change their speed as much.
const JUMP_SPEED: f32 = 12.0;
const JUMP_ACCELERATION: f32 = 200.0;
/// How far from the root's way ground goes in a frame at most that a foot may keep to, as a
/// multiple of the distance that ends a lock, and how much more in each second.
const GROUND: f32 = 1.0;
const GROUND_SPEED: f32 = 40.0;
/// How far out of a query an answer may be, as a part of the query's length.
const OUTSIDE: f32 = 0.02;

impl Track {
    /// How far a point at `to` is from where it was expected after `dt`.
    fn miss(&self, to: Vec3, dt: f32) -> Vec3 {
        to - (self.at + self.rate * dt)
    }
}

impl Grounder {
    /// Leaves jumps of the root and of the animated feet out of what is remembered of their motion.
    /// `up` is a unit vector.
    pub(super) fn leave_out_jumps(&mut self, frame: &GrounderFrame, poses: &[LegPose], up: Vec3) {
        let dt = frame.dt_s;
        let past = &mut self.body.past;
        // Velocities are known from the second frame on.
        if past.known < 2 || dt <= 0.0 {
            return;
        }
        let most = self.settings.release_distance * JUMP.max(dt * (JUMP_SPEED + JUMP_ACCELERATION * dt));
        // What goes on as the last jump was motion after all.
        let jumped = |miss: Vec3, last: Vec3| {
            miss.length_squared() > most * most && (miss - last * dt).length_squared() > most * most
        };
        // Heights count from the root: a step up of the root is no jump of the feet.
        let rise = past.points[0].miss(frame.root_ws, dt).dot(up);
        // Feet that step by themselves have an animation without jumps.
        let poses = if self.stepper.is_none() { poses } else { &[] };
        for ((past, leg), pose) in self.past.iter_mut().zip(&mut self.legs).zip(poses) {
            let points = [pose.hip_ws, pose.knee_ws, pose.ankle_ws, pose.ball_ws];
            let miss = past.points[3].miss(pose.ball_ws, dt) - up * rise;
            let last = past.points[3].jump;
            if !jumped(miss, last) {
                past.points[3].jump = Vec3::ZERO;
                continue;
            }
            for (track, to) in past.points.iter_mut().zip(points) {
                track.at += track.miss(to, dt) - up * rise;
            }
            past.points[3].jump = miss / dt;
            leg.last_ball += flat(miss, up);
            leg.last_height += miss.dot(up);
            if leg.planted == 0 {
                leg.ball += miss;
                leg.foothold += flat(miss, up);
            }
        }
        let miss = flat(past.points[0].miss(frame.root_ws, dt), up);
        if jumped(miss, past.points[0].jump) {
            past.points.iter_mut().for_each(|track| track.at += miss);
            past.points[0].jump = miss / dt;
            self.body.root += miss;
            // The height over the ground below is counted from the last root.
            self.body.over += miss.dot(self.body.slope);
            if let Some(stepper) = &mut self.stepper {
                stepper.legs.iter_mut().for_each(|leg| leg.home += miss);
            }
        } else {
            past.points[0].jump = Vec3::ZERO;
        }
    }

    /// Corrects the answers of the frame under way: those outside of their queries are none, and a
    /// velocity that takes the ground away from under the body at once is none either (a platform
    /// that was put elsewhere).
    pub(super) fn correct_answers(&self, frame: &GrounderFrame, answers: &mut [Hit]) {
        let (root, dt) = (&self.body.past.points[0], frame.dt_s);
        let knows = self.body.past.known > 0 && dt > 0.0;
        let moved = if knows { frame.root_ws - root.at + root.jump * dt } else { Vec3::ZERO };
        let most = self.settings.release_distance * (GROUND + GROUND_SPEED * dt);
        for (query, hit) in self.queries.iter().zip(answers) {
            let is_followed = !knows || (hit.velocity_ws * dt - moved).length_squared() <= most * most;
            if !hit.hit || !meets(query, hit) {
                *hit = Hit::default();
            } else if !is_followed {
                (hit.velocity_ws, hit.angular_velocity_ws) = (Vec3::ZERO, Vec3::ZERO);
            }
        }
    }
}

/// Whether an answer is on its query: not above its start, nor below its end.
fn meets(query: &Query, hit: &Hit) -> bool {
    let along = (hit.point_ws - query.origin_ws).dot(query.direction_ws);
    let margin = query.radius + OUTSIDE * query.length;
    along >= -margin && along <= query.length + margin
}
