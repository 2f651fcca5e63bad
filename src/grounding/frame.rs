//! A frame of a grounder: queries out, answers in, legs out.

use super::grounder::{BodyResult, Grounded, Grounder, GrounderFrame};
use super::leg::{LegPose, LegState, Placed, Stage};
use super::limb::{self, ABREAST, Bend, LegResult};
use super::motion::Exponentials;
use super::query::Hit;
use crate::math::dispatch::Level;
use crate::math::eight_lane::{EightLane, EightTask};
use crate::math::{Quat, Vec3, from_rotation_vector, normalize_or, plain_length, twist_angle, unit_quat};

/// Half-life of the mean of a foot's slowing, seconds.
const SLOWING_TIME: f32 = 0.025;
/// Speed of the root over the ground above which it jumps, m/s; how high it is then at least,
/// metres; and for how long, seconds: one frame may be a capsule's step up.
const JUMP_SPEED: f32 = 1.0;
const JUMP_HEIGHT: f32 = 0.04;
const JUMP_TIME: f32 = 0.02;
/// A root as near to the ground as this has come down, metres; and one that has gone neither up nor
/// down, by less than this speed, for this time: m/s and seconds.
const DOWN: f32 = 0.005;
const STILL_SPEED: f32 = 0.1;
const STILL_TIME: f32 = 0.05;
/// Part along up of the normal of the steepest ground whose plane counts: 60°.
const STEEPEST: f32 = 0.5;
/// How many times as fast everything fades in once the body has come down.
const LANDED: f32 = 3.0;
/// Frames of less time than this are pauses, seconds: no speed can be had of them.
const LEAST_TIME: f32 = 1e-5;
/// Frames of more time count as this, seconds: all that decays has decayed by then.
const LONGEST_TIME: f32 = 1.0;
/// How far the root may be from where its velocity takes it, as a multiple of the distance that
/// ends a lock, and how much more in each second: beyond it was moved at once.
const AFAR: f32 = 8.0;
const AFAR_SPEED: f32 = 10.0;

impl Grounder {
    /// First phase: takes the animation, one pose per leg, and writes the queries.
    pub(super) fn start(&mut self, frame: &GrounderFrame, poses: &[LegPose]) {
        let dt_s = if frame.dt_s >= LEAST_TIME { frame.dt_s.min(LONGEST_TIME) } else { 0.0 };
        let frame = &GrounderFrame { dt_s, ..*frame };
        if self.is_moved_afar(frame) {
            self.reset();
        }
        let up = normalize_or(frame.up_ws, Vec3::Y);
        self.leave_out_jumps(frame, poses, up);
        let (last, ahead) = self.approach(frame, poses);
        let frame_dt = frame.dt_s;
        let mut stage = self.stage(&GrounderFrame { dt_s: last, ..*frame }, up);
        let looks = !ahead || self.body.looked == 0;
        let is_even = self.body.turns & 1 == 0;
        if looks {
            self.body.turns ^= 1;
        }
        (stage.frame_dt, stage.ahead, stage.looks, stage.is_even) = (frame_dt, ahead, looks, is_even);
        self.poses.clear();
        self.poses.extend_from_slice(poses);
        if let Some(stepper) = &mut self.stepper {
            stepper.walk(&mut self.poses, &self.feet, &self.legs, &stage, frame.pelvis_ws, &self.settings);
        }
        self.ask_all(&stage);
        self.frame = Some((*frame, stage));
    }

    /// The queries of a step.
    pub(super) fn ask_all(&mut self, stage: &Stage) {
        Level::for_one().run_eight(AskAll { grounder: self, stage });
    }

    #[inline(always)]
    fn ask_all_legs<E: EightLane>(&mut self, stage: &Stage) {
        self.queries.clear();
        self.first_query.clear();
        for (i, pose) in self.poses.iter().enumerate() {
            self.first_query.push(self.queries.len());
            let (leg, foot) = (&mut self.legs[i], &self.feet[i]);
            if self.settings.weight > 0.0 && pose.weight > 0.0 {
                leg.ask::<E>(i as u32, pose, foot, stage, &self.settings, &mut self.queries);
            }
        }
        self.first_query.push(self.queries.len());
    }

    /// Whether the root was moved as no motion does it: a teleport that the host did not announce.
    /// What is remembered is of another place then.
    fn is_moved_afar(&self, frame: &GrounderFrame) -> bool {
        let root = &self.body.past.points[0];
        // Its velocity is known from the second frame on.
        if self.body.past.known < 2 || frame.dt_s <= 0.0 {
            return false;
        }
        let most = AFAR * self.settings.release_distance + AFAR_SPEED * frame.dt_s;
        (frame.root_ws - (root.at + root.rate * frame.dt_s)).length_squared() > most * most
    }

    /// Second phase: solves the frame that is no longer under way with one answer per query.
    pub(super) fn end(&mut self, frame: &GrounderFrame, stage: &Stage, hits: &[Hit]) {
        self.solve(frame, stage, hits);
        self.pass(frame, stage);
    }

    /// Solves a step.
    pub(super) fn solve(&mut self, frame: &GrounderFrame, stage: &Stage, hits: &[Hit]) {
        Level::for_one().run_eight(Solve { grounder: self, frame, stage, hits });
    }

    #[inline(always)]
    fn solve_legs<E: EightLane>(&mut self, frame: &GrounderFrame, stage: &Stage, hits: &[Hit]) {
        let up = stage.up;
        let settings = self.settings;

        self.place_feet::<E>(stage, hits);
        if !stage.remembered {
            self.sense_air(stage, hits);
        }

        self.weigh_feet();
        self.measure_ground(stage);
        // Body: mean height, tilt, and room of every leg.
        let mean = self.body.mean * stage.presence;
        let tilt = self.ground_tilt(stage, mean);
        let pivot = frame.pelvis_ws;
        let is_first = self.body.started == 1;
        if is_first || stage.dt > 0.0 {
            let (pelvis, exponentials) = (&mut self.body.pelvis, &mut self.exponentials);
            let last_tilt = pelvis.tilt;
            pelvis.follow(mean, &settings, stage, is_first, exponentials);
            let hip_of = |pose: &LegPose| moved_hip(pose, pivot, last_tilt, up, pelvis.follow);
            let room = limb::lowest_room(&self.poses, &self.feet, &self.placed, hip_of, stage, &settings);
            pelvis.guard(room * stage.presence, tilt, &settings, stage, is_first, exponentials);
        }
        // Without any leg there is nothing that the body makes room for.
        let legs = self.poses.iter().map(|pose| pose.weight).fold(0.0, f32::max);
        let weight = (settings.weight * legs).clamp(0.0, 1.0);
        let most = settings.max_pelvis_offset;
        // Both parts keep to it together, but not on the way from one goal to the next.
        let offset = self.body.pelvis.offset().clamp(-most, most) * weight;
        let tilt = self.body.pelvis.tilt * weight;

        self.results.clear();
        for i in 0..self.poses.len() {
            let (pose, placed, foot) = (&self.poses[i], &self.placed[i], &self.feet[i]);
            let hip = moved_hip(pose, pivot, tilt, up, offset);
            // A step that is taken back decides nothing: the next one may see it otherwise.
            let planted = if stage.ahead { self.kept[i].planted != 0 } else { self.legs[i].planted != 0 };
            let leg = &mut self.legs[i];
            let mut result = LegResult {
                hip_ws: hip,
                knee_ws: pose.knee_ws,
                ankle_ws: placed.ankle,
                ball_ws: placed.ball,
                foot_ws: pose.foot_ws,
                toes_turn: placed.turn,
                planted,
                time_to_landing_s: if planted { 0.0 } else { leg.time_to_landing },
                landing_ws: leg.landing,
                shortage_m: 0.0,
            };
            if is_moved(pose, placed, hip) {
                let (ankle, ball, turn, shortage) = limb::solve(pose, foot, placed, hip, up);
                result.ankle_ws = ankle;
                result.ball_ws = ball;
                result.foot_ws = if turn == Quat::IDENTITY { pose.foot_ws } else { unit_quat(turn * pose.foot_ws) };
                result.shortage_m = shortage;
            }
            leg.shortage = result.shortage_m;
            self.results.push(result);
        }
        self.place_knees(up);
        self.result = BodyResult {
            offset_ws: up * offset,
            turn_ws: if tilt == Vec3::ZERO { Quat::IDENTITY } else { from_rotation_vector(tilt) },
            ground_normal_ws: match self.placed.len() {
                0..3 => normalize_or(up + self.body.lean, up),
                _ => normalize_or(up + tilt_normal(self.ground_tilt(stage, mean), up), up),
            },
            presence: stage.presence,
            planted: self.results.iter().filter(|leg| leg.planted).count() as u32,
        };
    }

    /// Places the knees of the legs that were moved.
    #[inline(always)]
    fn place_knees(&mut self, up: Vec3) {
        let count = self.results.len();
        let mut next = 0;
        while next < count {
            // Places that are left over have the first leg once more.
            let (mut legs, mut found) = ([0; ABREAST], 0);
            while next < count && found < ABREAST {
                if is_moved(&self.poses[next], &self.placed[next], self.results[next].hip_ws) {
                    if found == 0 {
                        legs = [next; ABREAST];
                    }
                    legs[found] = next;
                    found += 1;
                }
                next += 1;
            }
            if found > 0 {
                let bend = |i: usize| {
                    let (pose, result) = (&self.poses[i], &self.results[i]);
                    Bend { hip: result.hip_ws, ankle: result.ankle_ws, pose }
                };
                for (i, knee) in legs.into_iter().zip(limb::knees(legs.map(bend), up)) {
                    self.results[i].knee_ws = knee;
                }
            }
        }
    }

    /// What all legs share in this frame, whose unit vector along up is `up`; takes the root's
    /// motion in.
    pub(super) fn stage(&mut self, frame: &GrounderFrame, up: Vec3) -> Stage {
        let dt = frame.dt_s.max(0.0);
        let body = &mut self.body;
        let (mut rise, mut turn) = (0.0, 0.0);
        if body.started != 0 {
            let moved = frame.root_ws - body.root;
            rise = moved.dot(up);
            body.over += moved.dot(up + body.slope);
            if frame.rotation_ws != body.rotation {
                turn = twist_angle(unit_quat(frame.rotation_ws * body.rotation.conjugate()), up);
            }
            if dt > 0.0 {
                let now = (moved - up * rise) / dt;
                let part =
                    if body.started == 1 { 1.0 } else { self.exponentials.decay(Exponentials::VELOCITY, 0.05, dt) };
                body.velocity += (now - body.velocity) * part;
                body.started = 2;
            }
        } else {
            body.started = 1;
        }
        body.root = frame.root_ws;
        body.rotation = frame.rotation_ws;
        let goal = match frame.grounded {
            Grounded::Auto => body.airborne == 0,
            Grounded::Yes => true,
            Grounded::No => false,
        };
        let flies = match frame.grounded {
            Grounded::Auto => body.flies != 0,
            Grounded::Yes => false,
            Grounded::No => true,
        };
        body.flies = u32::from(flies);
        // A body that has come down needs its ground at once.
        let quick = if goal && !flies { LANDED } else { 1.0 };
        let step = quick * dt / self.settings.airborne_time.max(1e-4);
        body.presence = if goal { (body.presence + step).min(1.0) } else { (body.presence - step).max(0.0) };
        let mut stage = Stage {
            root: frame.root_ws,
            rotation: frame.rotation_ws,
            up,
            root_velocity: body.velocity,
            rise,
            turn,
            dt,
            frame_dt: dt,
            remembered: false,
            ahead: false,
            looks: true,
            is_even: true,
            between: 0.5 * (dt + body.last_dt),
            presence: body.presence,
            flies,
            air: if flies { body.over.max(0.0) } else { 0.0 },
            steps: self.stepper.is_some(),
            slowing_part: self.exponentials.decay(Exponentials::SLOWING, SLOWING_TIME, dt),
            tilt_part: self.exponentials.decay(Exponentials::FOOT_TILT, self.settings.tilt_time, dt),
            usual_reach: None,
            usual_time: None,
        };
        if dt > 0.0 {
            body.last_dt = dt;
        }
        // Feet with habits of their own need none of others.
        if self.legs.iter().any(|leg| !leg.has_habit()) {
            let way = normalize_or(stage.root_velocity, Vec3::ZERO);
            let (mut reach, mut time, mut known) = (0.0, 0.0, 0.0);
            for (a, b) in self.legs.iter().filter_map(|leg| leg.habit(stage.rotation, way)) {
                (reach, time, known) = (reach + a, time + b, known + 1.0);
            }
            if known > 0.0 {
                (stage.usual_reach, stage.usual_time) = (Some(reach / known), Some(time / known));
            }
        }
        stage
    }

    /// Places each foot by the answers to its queries.
    #[inline(always)]
    fn place_feet<E: EightLane>(&mut self, stage: &Stage, hits: &[Hit]) {
        self.placed.clear();
        let mut is_stepping_back = self.legs.iter().any(LegState::steps_back);
        for i in 0..self.poses.len() {
            let (from, to) = (self.first_query[i], self.first_query[i + 1]);
            let pose = &self.poses[i];
            let placed = if from == to {
                self.legs[i] = LegState::new();
                Placed {
                    ball: pose.ball_ws,
                    ankle: pose.ankle_ws,
                    turn: Quat::IDENTITY,
                    ground: 0.0,
                    extension: limb::extension(pose, &self.settings),
                    untouched: true,
                }
            } else {
                self.legs[i].place::<E>(
                    pose,
                    &self.feet[i],
                    stage,
                    is_stepping_back,
                    &self.settings,
                    &self.queries[from..to],
                    &hits[from..to],
                )
            };
            is_stepping_back |= self.legs[i].steps_back();
            self.placed.push(placed);
        }
    }

    /// Takes each foot from its animated place to the placed one by its weight.
    fn weigh_feet(&mut self) {
        for (placed, pose) in self.placed.iter_mut().zip(&self.poses) {
            let weight = (pose.weight * self.settings.weight).clamp(0.0, 1.0);
            if weight < 1.0 && !placed.untouched {
                placed.ball = pose.ball_ws.lerp(placed.ball, weight);
                placed.ankle = pose.ankle_ws.lerp(placed.ankle, weight);
                placed.turn = crate::math::fraction(placed.turn, weight);
                placed.ground *= weight;
                placed.untouched = weight == 0.0;
            }
        }
    }

    /// Mean height of the ground that the feet stand on or go to. On the ground kept while none is
    /// planted.
    #[inline(always)]
    fn measure_ground(&mut self, stage: &Stage) {
        let (mut mean, mut total) = (0.0, 0.0);
        for (placed, pose) in self.placed.iter().zip(&self.poses) {
            mean += placed.ground * pose.weight;
            total += pose.weight;
        }
        if total <= 0.0 {
            self.body.mean = 0.0;
        } else if stage.flies || self.legs.iter().any(|leg| leg.planted != 0) {
            self.body.mean = mean / total;
        }
        let up = stage.up;
        let planted = || self.legs.iter().filter(|leg| leg.planted != 0);
        let count = planted().count() as f32;
        if count > 0.0 {
            let lean = planted().map(|leg| leg.normal - up).sum::<Vec3>() / count;
            self.body.lean += (lean - self.body.lean) * stage.tilt_part;
        }
    }

    /// Whether the body is in the air: ground below all feet far under the root, or none at all, or
    /// a root that leaves the ground. It jumps or falls from then until it has come down.
    #[inline(always)]
    fn sense_air(&mut self, stage: &Stage, hits: &[Hit]) {
        let up = stage.up;
        // Heights are counted to the plane of the ground that was hit: feet on a slope are on other
        // heights than the root.
        let (mut highest, mut ground) = (f32::MIN, None);
        for hit in hits.iter().filter(|hit| hit.hit) {
            let slope = slope_of(hit.normal_ws, up);
            let over = (hit.point_ws - stage.root).dot(up + slope);
            if over > highest {
                (highest, ground) = (over, Some((slope, hit.velocity_ws)));
            }
        }
        if stage.dt <= 0.0 || hits.is_empty() {
            return;
        }
        let (body, settings) = (&mut self.body, &self.settings);
        let fall = stage.rise / stage.dt;
        // Falling: back in time before the ground comes.
        let far = -highest - (-fall).max(0.0) * settings.airborne_time > settings.airborne_height;
        let time = stage.frame_dt;
        let (slope, moves) = ground.unwrap_or((Vec3::ZERO, Vec3::ZERO));
        let rate = fall + stage.root_velocity.dot(slope) - moves.dot(up + slope);
        let height = if highest > f32::MIN { -highest } else { 0.0 };
        // The ground went down, too: the body goes down on it.
        let is_led = height - body.over > 0.5 * (-rate).max(0.0) * time;
        (body.over, body.slope) = (height, slope);
        body.rising = if rate > JUMP_SPEED && height > JUMP_HEIGHT { body.rising + time } else { 0.0 };
        body.still = if rate.abs() < STILL_SPEED { body.still + time } else { 0.0 };
        let is_low = highest > f32::MIN && rate <= 0.0 && height <= settings.airborne_height;
        let is_down = is_low && (height <= DOWN || is_led || body.still > STILL_TIME);
        body.flies = u32::from(far || body.rising > JUMP_TIME || (stage.flies && !is_down));
        body.airborne = u32::from(far || (body.flies != 0 && rate > 0.0));
    }

    /// Tilt of the ground under the feet as a rotation vector: least squares through the feet's
    /// ground heights.
    fn ground_tilt(&self, stage: &Stage, mean: f32) -> Vec3 {
        let up = stage.up;
        if self.placed.len() < 3 {
            return Vec3::ZERO;
        }
        let forward = normalize_or(
            stage.rotation * Vec3::Z - up * (stage.rotation * Vec3::Z).dot(up),
            crate::math::perpendicular(up),
        );
        let side = up.cross(forward);
        let count = self.placed.len() as f32;
        let centre = self.placed.iter().map(|p| p.ball).sum::<Vec3>() / count;
        let (mut xx, mut xz, mut zz, mut xh, mut zh) = (1e-6, 0.0, 1e-6, 0.0, 0.0);
        for placed in &self.placed {
            let d = placed.ball - centre;
            let (x, z, h) = (d.dot(side), d.dot(forward), placed.ground - mean);
            (xx, xz, zz, xh, zh) = (xx + x * x, xz + x * z, zz + z * z, xh + x * h, zh + z * h);
        }
        let det = xx * zz - xz * xz;
        if det < 1e-8 {
            return Vec3::ZERO;
        }
        let (slope_side, slope_forward) = ((zz * xh - xz * zh) / det, (xx * zh - xz * xh) / det);
        let gradient = side * slope_side + forward * slope_forward;
        let steep = plain_length(gradient);
        if steep < 1e-5 {
            return Vec3::ZERO;
        }
        // Up turns to up − gradient.
        normalize_or(up.cross(-gradient), Vec3::ZERO) * crate::math::float::atan2(steep, 1.0)
    }
}

/// Whether a leg, whose hip is at `hip`, is another than the animated one.
fn is_moved(pose: &LegPose, placed: &Placed, hip: Vec3) -> bool {
    !placed.untouched || hip != pose.hip_ws
}

/// The hip of a body that is tilted about `pivot` and moved along up.
#[inline(always)]
fn moved_hip(pose: &LegPose, pivot: Vec3, tilt: Vec3, up: Vec3, by: f32) -> Vec3 {
    let turned =
        if tilt == Vec3::ZERO { pose.hip_ws } else { pivot + from_rotation_vector(tilt) * (pose.hip_ws - pivot) };
    if by == 0.0 { turned } else { turned + up * by }
}

/// How the height of a point over the plane of a normal grows along a level way, less up: the plane
/// that is no wall.
fn slope_of(normal: Vec3, up: Vec3) -> Vec3 {
    let along = normal.dot(up);
    if along > STEEPEST { normal / along - up } else { Vec3::ZERO }
}

fn tilt_normal(tilt: Vec3, up: Vec3) -> Vec3 {
    if tilt == Vec3::ZERO { Vec3::ZERO } else { from_rotation_vector(tilt) * up - up }
}

/// Work of [`Grounder::ask_all`]. This and [`Solve`] are all that a frame does for its legs. With
/// AVX not only the passes over ground points need fewer instructions.
struct AskAll<'a> {
    grounder: &'a mut Grounder,
    stage: &'a Stage,
}

impl EightTask for AskAll<'_> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        self.grounder.ask_all_legs::<E>(self.stage);
    }
}

/// Work of [`Grounder::solve`].
struct Solve<'a> {
    grounder: &'a mut Grounder,
    frame: &'a GrounderFrame,
    stage: &'a Stage,
    hits: &'a [Hit],
}

impl EightTask for Solve<'_> {
    type Output = ();
    #[inline(always)]
    fn run<E: EightLane>(self) {
        self.grounder.solve_legs::<E>(self.frame, self.stage, self.hits);
    }
}
