//! The host's unit of length outside, that of a person in metres inside.
//!
//! A grounder's constants and settings are lengths and speeds of a person with legs of about
//! 0.85 m, in metres. What comes in (frame, poses, feet, answers) is divided by the settings'
//! scale, and what goes out (queries, results) multiplied by it; nothing in between knows of it.
//! Times, angles and parts are the same for all sizes. With a scale of 1 both are exact.

use super::foot::FootModel;
use super::grounder::{BodyResult, BodyState, Grounder, GrounderFrame};
use super::leg::{LegPose, LegState};
use super::limb::LegResult;
use super::past::{PastBody, PastLeg, Seen, Track};
use super::query::{Hit, Query};
use crate::math::Vec3;

impl Grounder {
    /// First phase: takes the frame's animation, one pose per leg, and gives the queries that the
    /// host answers. At most the settings' quality times the number of legs. `None` when the number
    /// of poses is not that of the legs.
    pub fn begin(&mut self, frame: &GrounderFrame, poses: &[LegPose]) -> Option<&[Query]> {
        if poses.len() != self.feet.len() {
            return None;
        }
        self.forget();
        // Before another scale is taken: a frame that is forgotten leaves no trace of it.
        self.keep();
        let scale = self.take_scale();
        let frame = GrounderFrame { root_ws: frame.root_ws / scale, pelvis_ws: frame.pelvis_ws / scale, ..*frame };
        self.outside.poses.clear();
        self.outside.poses.extend_from_slice(poses);
        let mut given = core::mem::take(&mut self.given);
        given.clear();
        convert(&mut given, poses, scale, pose_in);
        self.start(&frame, &given);
        self.given = given;
        self.outside.queries.clear();
        convert(&mut self.outside.queries, &self.queries, scale, query_out);
        Some(&self.outside.queries)
    }

    /// Second phase: takes one answer per query, in their order, and solves. `None` when there is
    /// no frame under way or the number of answers is not that of the queries; nothing changes
    /// then.
    pub fn finish(&mut self, hits: &[Hit]) -> Option<(&BodyResult, &[LegResult])> {
        if hits.len() != self.queries.len() {
            return None;
        }
        let (frame, stage) = self.frame.take()?;
        let scale = self.body.scale;
        let mut answers = core::mem::take(&mut self.answers);
        answers.clear();
        convert(&mut answers, hits, scale, hit_in);
        self.correct_answers(&frame, &mut answers);
        self.end(&frame, &stage, &answers);
        self.answers = answers;
        let out = &mut self.outside;
        out.pelvis_ws = Some(frame.pelvis_ws * scale);
        out.result = BodyResult { offset_ws: self.result.offset_ws * scale, ..self.result };
        out.results.clear();
        for (leg, (from, to)) in self.results.iter().zip(self.given.iter().zip(&out.poses)) {
            out.results.push(result_out(leg, from, to, scale));
        }
        Some((&self.outside.result, &self.outside.results))
    }

    /// The scale of the frame that begins; what lasts is converted to it.
    fn take_scale(&mut self) -> f32 {
        let scale = self.settings.limited_scale();
        if self.body.scale != scale {
            let by = self.body.scale / scale;
            self.body.rescale(by);
            self.body.scale = scale;
            self.legs.iter_mut().for_each(|leg| leg.rescale(by));
            self.past.iter_mut().for_each(|leg| leg.rescale(by));
            if let Some(stepper) = &mut self.stepper {
                stepper.legs.iter_mut().for_each(|leg| leg.rescale(by));
            }
        }
        if self.feet_scale != scale {
            self.feet_scale = scale;
            for leg in 0..self.feet.len() {
                self.take_foot(leg);
            }
        }
        scale
    }

    /// Takes a foot model of the host over.
    pub(super) fn take_foot(&mut self, leg: usize) {
        let (foot, scale) = (self.outside.feet[leg], self.body.scale);
        self.feet[leg] = FootModel {
            ball_height: foot.ball_height / scale,
            heel_height: foot.heel_height / scale,
            toe_length: foot.toe_length / scale,
            heel_length: foot.heel_length / scale,
            has_sole: foot.has_sole,
        };
    }
}

/// Adds `from`, converted. With a scale of 1, which changes nothing, a copy.
#[inline(always)]
fn convert<T: Copy>(to: &mut Vec<T>, from: &[T], scale: f32, by: impl Fn(&T, f32) -> T) {
    if scale == 1.0 {
        to.extend_from_slice(from);
    } else {
        to.extend(from.iter().map(|one| by(one, scale)));
    }
}

fn pose_in(pose: &LegPose, scale: f32) -> LegPose {
    LegPose {
        hip_ws: pose.hip_ws / scale,
        knee_ws: pose.knee_ws / scale,
        ankle_ws: pose.ankle_ws / scale,
        ball_ws: pose.ball_ws / scale,
        landing: pose.landing.map(|(left, place)| (left, place / scale)),
        ..*pose
    }
}

fn query_out(query: &Query, scale: f32) -> Query {
    // Limited as in `ask.rs`.
    let length = (query.length * scale).min(f32::MAX);
    Query { origin_ws: query.origin_ws * scale, length, radius: query.radius * scale, ..*query }
}

fn hit_in(hit: &Hit, scale: f32) -> Hit {
    Hit { point_ws: hit.point_ws / scale, velocity_ws: hit.velocity_ws / scale, ..*hit }
}

/// A result; points that are those of the animation are bit for bit those of the host.
fn result_out(leg: &LegResult, from: &LegPose, to: &LegPose, scale: f32) -> LegResult {
    if scale == 1.0 {
        return *leg;
    }
    let bits = |point: Vec3| point.to_array().map(f32::to_bits);
    let out = |point: Vec3, from: Vec3, to: Vec3| if bits(point) == bits(from) { to } else { point * scale };
    LegResult {
        hip_ws: out(leg.hip_ws, from.hip_ws, to.hip_ws),
        knee_ws: out(leg.knee_ws, from.knee_ws, to.knee_ws),
        ankle_ws: out(leg.ankle_ws, from.ankle_ws, to.ankle_ws),
        ball_ws: out(leg.ball_ws, from.ball_ws, to.ball_ws),
        landing_ws: leg.landing_ws * scale,
        shortage_m: leg.shortage_m * scale,
        ..*leg
    }
}

// What lasts between frames, converted to another scale. Each member is named, so that a new one
// does not compile before it is decided whether it has a length.

impl BodyState {
    fn rescale(&mut self, by: f32) {
        let Self {
            pelvis,
            root,
            rotation: _,
            velocity,
            last_dt: _,
            presence: _,
            mean,
            airborne: _,
            flies: _,
            over,
            slope: _,
            lean: _,
            rising: _,
            still: _,
            started: _,
            since: _,
            looked: _,
            turns: _,
            past,
            scale: _,
        } = self;
        pelvis.rescale(by);
        [root, velocity].into_iter().for_each(|vector| *vector *= by);
        [mean, over].into_iter().for_each(|length| *length *= by);
        past.rescale(by);
    }
}

impl PastBody {
    fn rescale(&mut self, by: f32) {
        let Self { points, rotation: _, up: _, dt: _, known: _ } = self;
        points.iter_mut().for_each(|track| track.rescale(by));
    }
}

impl PastLeg {
    fn rescale(&mut self, by: f32) {
        let Self { points, foot: _, weight: _, contact: _ } = self;
        points.iter_mut().for_each(|track| track.rescale(by));
    }
}

impl Track {
    fn rescale(&mut self, by: f32) {
        let Self { at, rate, jump } = self;
        [at, rate, jump].into_iter().for_each(|vector| *vector *= by);
    }
}

impl Seen {
    fn rescale(&mut self, by: f32) {
        let Self { point, normal: _, velocity, angular_velocity: _, body: _, hit: _, over: _ } = self;
        [point, velocity].into_iter().for_each(|vector| *vector *= by);
    }
}

impl LegState {
    fn rescale(&mut self, by: f32) {
        let Self {
            planted: _,
            started: _,
            elapsed: _,
            last_ball,
            last_height,
            velocity,
            mean_velocity,
            has_velocity: _,
            last_pace,
            anchor,
            normal: _,
            lag,
            lag_rate,
            lag_left: _,
            rise,
            rise_rate,
            aside,
            aside_rate,
            aside_left: _,
            align: _,
            yaw: _,
            own_turn: _,
            root_turn: _,
            ground_turn: _,
            last_foot: _,
            ground_velocity,
            place,
            has_place: _,
            swing_time: _,
            whole_swing: _,
            time_to_landing: _,
            landing,
            foothold,
            has_foothold: _,
            step,
            has_step: _,
            late: _,
            way: _,
            ball,
            shortage,
            blocked: _,
            speed,
            slowing,
            held: _,
            wall,
            last_ground,
            memory,
            known_rise,
            seen,
            owed,
            owed_turn: _,
            step_s: _,
            ground_age: _,
        } = self;
        for vector in [last_ball, velocity, mean_velocity, anchor, lag, lag_rate, aside, aside_rate] {
            *vector *= by;
        }
        for vector in [ground_velocity, place, landing, foothold, ball, owed] {
            *vector *= by;
        }
        for length in [last_height, last_pace, rise, rise_rate, step, shortage, speed, slowing, wall] {
            *length *= by;
        }
        for length in [last_ground, known_rise] {
            *length *= by;
        }
        memory.rescale(by);
        seen.iter_mut().for_each(|seen| seen.rescale(by));
    }
}
