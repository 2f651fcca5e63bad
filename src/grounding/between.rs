//! Steps between frames: the laws of motion go in steps of about a sixtieth of a second, whatever
//! the frame rate.
//!
//! A frame slower than 40 Hz is gone through in two to four steps. Those before its end have the
//! animation between the last two frames, on the parabola through the last three, and the ground
//! that is remembered. Frames faster than 80 Hz look ahead: each starts from the last whole step,
//! which they leave as it is, so that they are all on the way that a frame of 60 Hz takes.

use super::grounder::{BodyState, Grounder, GrounderFrame};
use super::leg::{Contact, FRAME, LegPose, LegState, Stage, flat};
use super::past::Track;
use super::query::{Hit, Purpose};
use crate::math::{Quat, Vec3, normalize_or};

/// Frames from this part of a step on end with a step of their own; shorter ones look ahead.
const WHOLE: f32 = 0.75;
/// Steps that end as near to a frame as this, in steps, end with it.
const LIKE: f32 = 1e-3;
/// Most steps of a frame.
const MOST: f32 = 4.0;
/// Ground that was hit as near as this is what is below, and turns with its body; remembered points
/// go straight on, metres.
const BELOW: f32 = 0.05;
/// Remembered ground is taken to reach as far as this, metres.
const REMEMBERED: f32 = 0.3;

/// How a frame is gone through.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plan {
    /// Steps on remembered ground before that of the frame itself.
    before: u32,
    /// Seconds of each, and of the frame's own.
    step: f32,
    last: f32,
    /// The frame's own step is taken back.
    ahead: bool,
}

fn turned(from: Quat, to: Quat, part: f32) -> Quat {
    if from == to {
        return to;
    }
    let to = if from.dot(to) < 0.0 { -to } else { to };
    (from + (to - from) * part).normalize()
}

impl Grounder {
    fn plan(&self, dt: f32) -> Plan {
        let whole = self.body.since + dt;
        let one = Plan { before: 0, step: whole, last: whole, ahead: false };
        if self.stepper.is_some() || self.body.started == 0 || self.body.past.known == 0 {
            return one;
        }
        if dt >= WHOLE * FRAME {
            let count = (whole / FRAME).round().clamp(1.0, MOST);
            let step = whole / count;
            return Plan { before: count as u32 - 1, step, last: step, ahead: false };
        }
        let over = whole - FRAME;
        if over.abs() <= LIKE * FRAME {
            one
        } else if over < 0.0 {
            // A pause after a whole step is one, too.
            Plan { ahead: whole > 0.0, ..one }
        } else {
            Plan { before: 1, step: FRAME, last: over, ahead: true }
        }
    }

    /// Goes through a frame up to its own step. Returns the seconds of that, and whether it is to
    /// be taken back.
    pub(super) fn approach(&mut self, frame: &GrounderFrame, poses: &[LegPose]) -> (f32, bool) {
        let dt = frame.dt_s.max(0.0);
        let plan = self.plan(dt);
        for _ in 0..plan.before {
            let at = plan.step - self.body.since;
            self.remembered(frame, poses, at.clamp(0.0, dt), plan.step);
            self.body.since -= plan.step;
            self.body.looked = 0;
        }
        if plan.ahead {
            self.kept.clear();
            self.kept.extend_from_slice(&self.legs);
            self.kept_body = self.body;
        }
        (plan.last, plan.ahead)
    }

    /// A step in the frame under way that ends `at` seconds after its begin.
    fn remembered(&mut self, frame: &GrounderFrame, poses: &[LegPose], at: f32, step: f32) {
        let past = self.body.past;
        let dt = frame.dt_s;
        let part = at / dt;
        let point = |i: usize, to: Vec3| past.points[i].between(to, &past, dt, part);
        let between = GrounderFrame {
            root_ws: point(0, frame.root_ws),
            pelvis_ws: point(1, frame.pelvis_ws),
            rotation_ws: turned(past.rotation, frame.rotation_ws, part),
            up_ws: if past.up == frame.up_ws {
                frame.up_ws
            } else {
                normalize_or(past.up.lerp(frame.up_ws, part), frame.up_ws)
            },
            dt_s: step,
            grounded: frame.grounded,
        };
        self.poses.clear();
        for (pose, was) in poses.iter().zip(&self.past) {
            let point = |i: usize, to: Vec3| was.points[i].between(to, &past, dt, part);
            let contact = if part < 0.5 { Contact::of(was.contact) } else { pose.contact };
            self.poses.push(LegPose {
                hip_ws: point(0, pose.hip_ws),
                knee_ws: point(1, pose.knee_ws),
                ankle_ws: point(2, pose.ankle_ws),
                ball_ws: point(3, pose.ball_ws),
                foot_ws: turned(was.foot, pose.foot_ws, part),
                weight: was.weight + (pose.weight - was.weight) * part,
                contact,
                landing: pose.landing.map(|(left, place)| (left + dt * (1.0 - part), place)),
            });
        }
        let mut stage = self.stage(&between, normalize_or(between.up_ws, Vec3::Y));
        stage.remembered = true;
        stage.frame_dt = step;
        self.ask_all(&stage);
        self.answers.clear();
        for query in &self.queries {
            let leg = &self.legs[query.leg as usize];
            let missed = match query.purpose {
                Purpose::Ball => leg.seen[0].hit == 0,
                Purpose::Heel => leg.seen[1].hit == 0,
                _ => false,
            };
            let hit = leg.recall(query.origin_ws, stage.up, step, at);
            let below = (query.origin_ws - hit.point_ws).dot(stage.up);
            let met = !missed && (0.0..=query.length).contains(&below);
            self.answers.push(if met { hit } else { Hit::default() });
        }
        let answers = core::mem::take(&mut self.answers);
        self.solve(&between, &stage, &answers);
        self.answers = answers;
    }

    /// The frame is over.
    pub(super) fn pass(&mut self, frame: &GrounderFrame, stage: &Stage) {
        // A pause lasts for no time: what follows is as if it had not been.
        if stage.frame_dt <= 0.0 && self.begun.body.started != 0 {
            self.go_back();
            return;
        }
        let ahead = stage.ahead;
        if ahead {
            self.take_back(stage.up);
        }
        let dt = stage.frame_dt;
        self.body.since = if ahead { self.body.since + dt } else { 0.0 };
        self.body.looked = u32::from(ahead);
        let past = &mut self.body.past;
        let first = past.known == 0;
        let pass = |track: &mut Track, to: Vec3| {
            let rate = if first { Vec3::ZERO } else { (to - track.at) / dt };
            *track = Track { at: to, rate, ..*track };
        };
        for (track, to) in past.points.iter_mut().zip([frame.root_ws, frame.pelvis_ws]) {
            pass(track, to);
        }
        (past.rotation, past.up) = (frame.rotation_ws, frame.up_ws);
        for (past, pose) in self.past.iter_mut().zip(&self.poses) {
            for (track, to) in past.points.iter_mut().zip([pose.hip_ws, pose.knee_ws, pose.ankle_ws, pose.ball_ws]) {
                pass(track, to);
            }
            (past.foot, past.weight, past.contact) = (pose.foot_ws, pose.weight, pose.contact as u32);
        }
        past.dt = dt;
        past.known = if first { 1 } else { 2 };
    }

    /// Forgets a frame that was begun and not finished.
    pub(super) fn forget(&mut self) {
        if self.drop_frame() {
            self.go_back();
        }
    }

    /// Keeps all that lasts between frames. Both phases of a frame change it, and so do the steps
    /// before a frame's own.
    pub(super) fn keep(&mut self) {
        let begun = &mut self.begun;
        begun.body = self.body;
        begun.legs.clear();
        begun.legs.extend_from_slice(&self.legs);
        begun.past.clear();
        begun.past.extend_from_slice(&self.past);
        begun.steps.clear();
        begun.steps.extend_from_slice(self.stepper.as_ref().map_or(&[], |stepper| &stepper.legs));
    }

    /// Goes back to where the frame began.
    fn go_back(&mut self) {
        let begun = &self.begun;
        self.body = begun.body;
        self.legs.copy_from_slice(&begun.legs);
        self.past.copy_from_slice(&begun.past);
        if let Some(stepper) = &mut self.stepper {
            stepper.legs.copy_from_slice(&begun.steps);
        }
    }

    /// Goes back to the last whole step, but keeps what was learned of the ground.
    fn take_back(&mut self, up: Vec3) {
        let BodyState { airborne, turns, flies, over, slope, rising, still, root, .. } = self.body;
        let over = over - (root - self.kept_body.root).dot(up + slope);
        self.body = BodyState { airborne, turns, flies, over, slope, rising, still, ..self.kept_body };
        for (leg, kept) in self.legs.iter_mut().zip(&mut self.kept) {
            kept.learn(leg, leg.step_s);
            *leg = *kept;
        }
    }
}

impl LegState {
    /// Takes over what a step that is taken back, of `dt`, learned of the ground.
    fn learn(&mut self, from: &LegState, dt: f32) {
        if from.started == 0 {
            return;
        }
        self.memory = from.memory;
        self.memory.advance(-dt);
        self.seen = from.seen;
        self.ground_velocity = from.ground_velocity;
        self.ground_age = from.ground_age - dt;
        (self.owed, self.owed_turn) = (from.owed, from.owed_turn);
    }

    /// The ground at a place from what is remembered: the plane of the nearest ground point, `step`
    /// seconds after the last whole step and `at` seconds after the last frame.
    pub(super) fn recall(&self, at_ws: Vec3, up: Vec3, step: f32, at: f32) -> Hit {
        let plane = |hit: Hit| {
            let away = flat(at_ws - hit.point_ws, up);
            let over = away.dot(hit.normal_ws) / hit.normal_ws.dot(up).max(0.2);
            let aside = away - up * over;
            // Where it turns, each point has a velocity of its own.
            let velocity_ws = match hit.angular_velocity_ws {
                Vec3::ZERO => hit.velocity_ws,
                spin => hit.velocity_ws + spin.cross(aside),
            };
            Hit { point_ws: hit.point_ws + aside, velocity_ws, ..hit }
        };
        let mut nearest = REMEMBERED * REMEMBERED;
        let mut found = Hit::default();
        for seen in self.seen.iter().filter(|seen| seen.hit != 0) {
            let hit = seen.later(at, step);
            let far = flat(at_ws - hit.point_ws, up).length_squared();
            if far < nearest {
                (nearest, found) = (far, hit);
            }
        }
        if nearest > BELOW * BELOW
            && let Some((sample, _)) = self.memory.nearest(at_ws, up, nearest)
        {
            found = Hit {
                hit: true,
                point_ws: sample.point + sample.velocity * step,
                normal_ws: normalize_or(up - sample.gradient, up),
                body: sample.body,
                velocity_ws: sample.velocity,
                angular_velocity_ws: self.seen[0].angular_velocity,
            };
        }
        if found.hit { plane(found) } else { found }
    }
}
