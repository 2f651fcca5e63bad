//! The grounder of one character: settings, feet, state; queries out, answers in, legs out.

use super::foot::FootModel;
use super::leg::{LegPose, LegState, Placed, Stage};
use super::limb::{self, LegResult};
use super::motion::decay;
use super::pelvis::Pelvis;
use super::query::{Hit, Query};
use super::settings::GrounderSettings;
use super::stepping::{StepState, Stepper, SteppingSettings};
use crate::math::{Quat, Vec3, axis_angle, normalize_or, twist_angle};
use bytemuck::{Pod, Zeroable};

/// Whether the character stands on ground at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Grounded {
    /// From the ground below the feet (see [`GrounderSettings::airborne_height`]).
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It jumps, falls or swims.
    No,
}

/// The character in a frame, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrounderFrame {
    /// A point of the plane that the animation walks on: the character's root.
    pub root_ws: Vec3,
    /// Rotation of the root. Only its turn about up counts.
    pub rotation_ws: Quat,
    /// Unit normal of that plane: up, wherever that is.
    pub up_ws: Vec3,
    /// Pivot of the body: the pelvis. Body tilt turns about it.
    pub pelvis_ws: Vec3,
    /// Seconds since the last frame; 0 pauses: the result of the last frame's state is given again.
    pub dt_s: f32,
    /// Whether the character stands on ground.
    pub grounded: Grounded,
}

/// What is to be done with the body.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BodyResult {
    /// Displacement of the pelvis, world space, metres. A host's capsule may follow it.
    pub offset_ws: Vec3,
    /// Turn of the body about the pelvis, world space.
    pub turn_ws: Quat,
    /// Unit normal of the plane through the contacts, world space; up while fewer than two feet are
    /// on the ground.
    pub ground_normal_ws: Vec3,
    /// Part of the correction that is in force: 1 on the ground, 0 in the air.
    pub presence: f32,
    /// Feet locked to the ground.
    pub planted: u32,
}

/// What lasts between frames, beside the legs.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
struct BodyState {
    pelvis: Pelvis,
    root: Vec3,
    rotation: Quat,
    velocity: Vec3,
    presence: f32,
    /// Mean height of the ground under planted feet, kept while there are none.
    mean: f32,
    airborne: u32,
    started: u32,
}

/// Grounds one character: see the [module](super).
#[derive(Clone, Debug)]
pub struct Grounder {
    settings: GrounderSettings,
    feet: Vec<FootModel>,
    legs: Vec<LegState>,
    body: BodyState,
    // Of the frame under way.
    frame: Option<(GrounderFrame, Stage)>,
    poses: Vec<LegPose>,
    queries: Vec<Query>,
    first_query: Vec<usize>,
    placed: Vec<Placed>,
    results: Vec<LegResult>,
    result: BodyResult,
    stepper: Option<Box<Stepper>>,
    /// Pelvis of the last finished frame, for debug lines.
    pelvis_ws: Option<Vec3>,
}

impl Grounder {
    /// For a character with one leg per foot model. Allocates; nothing after this does.
    pub fn new(feet: &[FootModel], settings: GrounderSettings) -> Self {
        let count = feet.len();
        Self {
            settings,
            feet: feet.to_vec(),
            legs: vec![LegState::new(); count],
            body: BodyState { presence: 1.0, rotation: Quat::IDENTITY, ..BodyState::default() },
            frame: None,
            poses: Vec::with_capacity(count),
            queries: Vec::with_capacity(count * 5),
            first_query: Vec::with_capacity(count + 1),
            placed: Vec::with_capacity(count),
            results: Vec::with_capacity(count),
            result: BodyResult { turn_ws: Quat::IDENTITY, presence: 1.0, ..BodyResult::default() },
            stepper: None,
            pelvis_ws: None,
        }
    }

    /// Number of legs.
    pub fn leg_count(&self) -> usize {
        self.feet.len()
    }

    /// Settings in force.
    pub fn settings(&self) -> &GrounderSettings {
        &self.settings
    }

    /// Changes the settings; the state stays.
    pub fn set_settings(&mut self, settings: GrounderSettings) {
        self.settings = settings;
    }

    /// Foot model of a leg.
    pub fn foot(&self, leg: usize) -> Option<&FootModel> {
        self.feet.get(leg)
    }

    /// Changes a foot model (other shoes). `false` when there is no such leg.
    pub fn set_foot(&mut self, leg: usize, foot: FootModel) -> bool {
        self.feet.get_mut(leg).map(|f| *f = foot).is_some()
    }

    /// Makes the feet step by themselves: the legs of each frame are then the homes of the feet,
    /// where they would stand if the body stood still there. `groups` has the group of each leg,
    /// of which one swings at a time; empty: alternating around the body (a biped's walk, a trot,
    /// a tripod). `None` ends it. With groups as before only the settings change, and steps go on;
    /// otherwise it allocates, and steps start anew. `false` when the number of groups is neither
    /// none nor that of the legs.
    pub fn set_stepping(&mut self, stepping: Option<SteppingSettings>, groups: &[u32]) -> bool {
        let count = self.feet.len();
        if !groups.is_empty() && groups.len() != count {
            return false;
        }
        if let (Some(stepper), Some(settings)) = (&mut self.stepper, stepping)
            && stepper.groups == groups
        {
            stepper.settings = settings;
            return true;
        }
        self.stepper = stepping.map(|settings| Box::new(Stepper::new(settings, groups, count)));
        self.frame = None;
        true
    }

    /// How the feet step by themselves, if they do.
    pub fn stepping(&self) -> Option<&SteppingSettings> {
        self.stepper.as_ref().map(|stepper| &stepper.settings)
    }

    /// Forgets everything: after a teleport or a cut. The next frame starts as the first.
    pub fn reset(&mut self) {
        self.legs.fill(LegState::new());
        if let Some(stepper) = &mut self.stepper {
            stepper.reset();
        }
        self.body = BodyState { presence: 1.0, rotation: Quat::IDENTITY, ..BodyState::default() };
        self.frame = None;
    }

    /// First phase: takes the frame's animation, one pose per leg, and gives the queries that the
    /// host answers. At most the settings'
    /// quality times the number of legs. `None` when the number of poses is not that of the legs.
    pub fn begin(&mut self, frame: &GrounderFrame, poses: &[LegPose]) -> Option<&[Query]> {
        if poses.len() != self.feet.len() {
            return None;
        }
        let up = normalize_or(frame.up_ws, Vec3::Y);
        let dt = frame.dt_s.max(0.0);
        let body = &mut self.body;
        let (mut rise, mut turn) = (0.0, 0.0);
        if body.started != 0 {
            let moved = frame.root_ws - body.root;
            rise = moved.dot(up);
            turn = twist_angle((frame.rotation_ws * body.rotation.conjugate()).normalize(), up);
            if dt > 0.0 {
                let now = (moved - up * rise) / dt;
                let part = if body.started == 1 { 1.0 } else { decay(0.05, dt) };
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
        let step = dt / self.settings.airborne_time.max(1e-4);
        body.presence = if goal { (body.presence + step).min(1.0) } else { (body.presence - step).max(0.0) };
        let stage = Stage {
            root: frame.root_ws,
            rotation: frame.rotation_ws,
            up,
            root_velocity: body.velocity,
            rise,
            // Feet that step by themselves do not turn with the root.
            turn: if self.stepper.is_some() { 0.0 } else { turn },
            dt,
            presence: body.presence,
            steps: self.stepper.is_some(),
            usual_reach: None,
            usual_time: None,
        };
        let way = normalize_or(stage.root_velocity, Vec3::ZERO);
        let (mut reach, mut time, mut known) = (0.0, 0.0, 0.0);
        for (a, b) in self.legs.iter().filter_map(|leg| leg.habit(stage.rotation, way)) {
            (reach, time, known) = (reach + a, time + b, known + 1.0);
        }
        let mut stage = stage;
        if known > 0.0 {
            (stage.usual_reach, stage.usual_time) = (Some(reach / known), Some(time / known));
        }
        self.poses.clear();
        self.poses.extend_from_slice(poses);
        self.queries.clear();
        self.first_query.clear();
        if let Some(stepper) = &mut self.stepper {
            stepper.walk(&mut self.poses, &self.feet, &self.legs, &stage, frame.pelvis_ws, &self.settings);
        }
        for (i, pose) in self.poses.iter().enumerate() {
            self.first_query.push(self.queries.len());
            let (leg, foot) = (&mut self.legs[i], &self.feet[i]);
            if self.settings.weight > 0.0 && pose.weight > 0.0 {
                leg.ask(i as u32, pose, foot, &stage, &self.settings, &mut self.queries);
            }
        }
        self.first_query.push(self.queries.len());
        self.frame = Some((*frame, stage));
        Some(&self.queries)
    }

    /// Queries of the frame under way.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Second phase: takes one answer per query, in their order, and solves. `None` when there is
    /// no frame under way or the number of answers is
    /// not that of the queries; nothing changes then.
    pub fn finish(&mut self, hits: &[Hit]) -> Option<(&BodyResult, &[LegResult])> {
        let (frame, stage) = self.frame.filter(|_| hits.len() == self.queries.len())?;
        self.frame = None;
        self.pelvis_ws = Some(frame.pelvis_ws);
        let up = stage.up;
        let settings = self.settings;

        self.placed.clear();
        for i in 0..self.poses.len() {
            let (from, to) = (self.first_query[i], self.first_query[i + 1]);
            let pose = &self.poses[i];
            let placed = if from == to {
                self.legs[i] = LegState::new();
                Placed { ball: pose.ball_ws, ankle: pose.ankle_ws, turn: Quat::IDENTITY, ground: 0.0, untouched: true }
            } else {
                self.legs[i].place(pose, &self.feet[i], &stage, &settings, &self.queries[from..to], &hits[from..to])
            };
            self.placed.push(placed);
        }
        self.sense_air(&stage, hits);

        // Weights: the foot goes from its animated place to the placed one.
        for (placed, pose) in self.placed.iter_mut().zip(&self.poses) {
            let weight = (pose.weight * settings.weight).clamp(0.0, 1.0);
            if weight < 1.0 && !placed.untouched {
                placed.ball = pose.ball_ws.lerp(placed.ball, weight);
                placed.ankle = pose.ankle_ws.lerp(placed.ankle, weight);
                placed.turn = crate::math::fraction(placed.turn, weight);
                placed.ground *= weight;
                placed.untouched = weight == 0.0;
            }
        }

        // Body: mean height, tilt, and room of every leg.
        let (mut mean, mut total) = (0.0, 0.0);
        for ((placed, pose), leg) in self.placed.iter().zip(&self.poses).zip(&self.legs) {
            if leg.planted != 0 {
                mean += placed.ground * pose.weight;
                total += pose.weight;
            }
        }
        if total > 0.0 {
            self.body.mean = mean / total;
        }
        let mean = self.body.mean * stage.presence;
        let tilt = self.ground_tilt(&stage, mean);
        let pelvis = self.body.pelvis;
        let pivot = frame.pelvis_ws;
        let (poses, feet, placed) = (&self.poses, &self.feet, &self.placed);
        let hip_of = |pose: &LegPose, offset: f32, tilt: Vec3| -> Vec3 {
            let turned =
                if tilt == Vec3::ZERO { pose.hip_ws } else { pivot + rotation_of(tilt) * (pose.hip_ws - pivot) };
            if offset == 0.0 { turned } else { turned + up * offset }
        };
        let limit = |follow: f32| {
            let mut lowest = 0.0_f32;
            for ((pose, foot), placed) in poses.iter().zip(feet).zip(placed) {
                if pose.weight > 0.0 && !placed.untouched {
                    let hip = hip_of(pose, follow, pelvis.tilt);
                    lowest = lowest.min(limb::highest_hip(pose, foot, placed, hip, &stage, &settings));
                }
            }
            lowest * stage.presence
        };
        if self.body.started == 1 {
            self.body.pelvis.start(mean, limit, tilt, &settings);
        } else if stage.dt > 0.0 {
            self.body.pelvis.update(mean, limit, tilt, &settings, stage.dt);
        }
        let weight = settings.weight.clamp(0.0, 1.0);
        let offset = self.body.pelvis.offset() * weight;
        let tilt = self.body.pelvis.tilt * weight;

        self.results.clear();
        for i in 0..self.poses.len() {
            let (pose, placed, foot) = (&self.poses[i], &self.placed[i], &self.feet[i]);
            let hip = hip_of(pose, offset, tilt);
            let leg = &mut self.legs[i];
            let mut result = LegResult {
                hip_ws: hip,
                knee_ws: pose.knee_ws,
                ankle_ws: placed.ankle,
                ball_ws: placed.ball,
                foot_ws: pose.foot_ws,
                toes_turn: placed.turn,
                planted: leg.planted != 0,
                time_to_landing_s: if leg.planted != 0 { 0.0 } else { leg.time_to_landing },
                landing_ws: leg.landing,
                shortage_m: 0.0,
            };
            if !placed.untouched || hip != pose.hip_ws {
                let (knee, ankle, ball, turn, shortage) = limb::solve(pose, foot, placed, hip, up, &settings);
                result.knee_ws = knee;
                result.ankle_ws = ankle;
                result.ball_ws = ball;
                result.foot_ws = if turn == Quat::IDENTITY { pose.foot_ws } else { (turn * pose.foot_ws).normalize() };
                result.shortage_m = shortage;
            }
            leg.shortage = result.shortage_m;
            self.results.push(result);
        }
        self.result = BodyResult {
            offset_ws: up * offset,
            turn_ws: rotation_of(tilt),
            ground_normal_ws: normalize_or(up + tilt_normal(self.ground_tilt(&stage, mean), up), up),
            presence: stage.presence,
            planted: self.legs.iter().filter(|l| l.planted != 0).count() as u32,
        };
        Some((&self.result, &self.results))
    }

    /// Both phases, each query answered by a callback.
    pub fn solve_with(
        &mut self,
        frame: &GrounderFrame,
        poses: &[LegPose],
        hits: &mut Vec<Hit>,
        mut cast: impl FnMut(&Query) -> Hit,
    ) -> Option<(&BodyResult, &[LegResult])> {
        self.begin(frame, poses)?;
        hits.clear();
        hits.extend(self.queries.iter().map(&mut cast));
        self.finish(hits)
    }

    pub(super) fn pelvis_ws(&self) -> Option<Vec3> {
        self.pelvis_ws
    }

    /// Results of the last frame.
    pub fn results(&self) -> (&BodyResult, &[LegResult]) {
        (&self.result, &self.results)
    }

    /// Ground below all feet far under the root, or none at all.
    fn sense_air(&mut self, stage: &Stage, hits: &[Hit]) {
        let mut highest = f32::MIN;
        let mut asked = false;
        for hit in hits {
            asked = true;
            if hit.hit {
                highest = highest.max((hit.point_ws - stage.root).dot(stage.up));
            }
        }
        // Falling: back in time before the ground comes.
        let falling = if stage.dt > 0.0 { (-stage.rise / stage.dt).max(0.0) } else { 0.0 };
        let height = -highest - falling * self.settings.airborne_time;
        self.body.airborne = u32::from(asked && height > self.settings.airborne_height);
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
        let steep = gradient.length();
        if steep < 1e-5 {
            return Vec3::ZERO;
        }
        // Up turns to up − gradient.
        normalize_or(up.cross(-gradient), Vec3::ZERO) * crate::math::float::atan2(steep, 1.0)
    }

    /// Size in bytes of [`Self::snapshot`]; more while the feet step by themselves.
    pub fn snapshot_size(&self) -> usize {
        let step = if self.stepper.is_some() { size_of::<StepState>() } else { 0 };
        size_of::<BodyState>() + self.legs.len() * (size_of::<LegState>() + step)
    }

    /// Writes all that lasts between frames; restored into any grounder with as many legs that
    /// steps likewise, the next frames are the same bits. `false` when the length is not
    /// [`Self::snapshot_size`].
    pub fn snapshot(&self, out: &mut [u8]) -> bool {
        if out.len() != self.snapshot_size() {
            return false;
        }
        let (body, legs) = out.split_at_mut(size_of::<BodyState>());
        body.copy_from_slice(bytemuck::bytes_of(&self.body));
        let (legs, steps) = legs.split_at_mut(self.legs.len() * size_of::<LegState>());
        legs.copy_from_slice(bytemuck::cast_slice(&self.legs));
        if let Some(stepper) = &self.stepper {
            steps.copy_from_slice(bytemuck::cast_slice(&stepper.legs));
        }
        true
    }

    /// Takes a snapshot back. `false`, and nothing changes, when the length does not fit or a
    /// number is not finite.
    pub fn restore(&mut self, from: &[u8]) -> bool {
        if from.len() != self.snapshot_size() {
            return false;
        }
        // Every four bytes are a number or a count; small counts are tiny numbers, so one test
        // serves both.
        let sound = from.chunks_exact(4).all(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]).is_finite());
        if !sound {
            return false;
        }
        let (body, legs) = from.split_at(size_of::<BodyState>());
        self.body = bytemuck::pod_read_unaligned(body);
        let (legs, steps) = legs.split_at(self.legs.len() * size_of::<LegState>());
        for (leg, bytes) in self.legs.iter_mut().zip(legs.chunks_exact(size_of::<LegState>())) {
            *leg = bytemuck::pod_read_unaligned(bytes);
        }
        if let Some(stepper) = &mut self.stepper {
            for (leg, bytes) in stepper.legs.iter_mut().zip(steps.chunks_exact(size_of::<StepState>())) {
                *leg = bytemuck::pod_read_unaligned(bytes);
            }
        }
        self.frame = None;
        true
    }
}

fn rotation_of(tilt: Vec3) -> Quat {
    let angle = tilt.length();
    if angle < 1e-7 { Quat::IDENTITY } else { axis_angle(tilt / angle, angle) }
}

fn tilt_normal(tilt: Vec3, up: Vec3) -> Vec3 {
    if tilt == Vec3::ZERO { Vec3::ZERO } else { rotation_of(tilt) * up - up }
}
