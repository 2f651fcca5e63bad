//! A walk of any number of legs that is known in closed form, and ground as a function; for the
//! tests of grounding.
#![allow(dead_code)]

use sinew::grounding::{BodyResult, LegResult};
use sinew::grounding::{Contact, FootModel, Grounded, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, Query};
use sinew::math::{Quat, Vec3, axis_angle, float};

/// Height of the hips, and lengths of the bones.
const HIP: f32 = 0.87;
const BONE: f32 = 0.46;
/// Ankle as seen from the ball.
pub const LEVER: Vec3 = Vec3::new(0.0, 0.06, -0.13);
/// Height of the ball over the ground.
pub const BALL: f32 = 0.03;

/// A walk along +z on the plane y = 0.
#[derive(Clone)]
pub struct Walk {
    /// Hips as seen from the root, and when in the gait their swing begins, 0 … 1.
    pub legs: Vec<(Vec3, f32)>,
    /// Speed in m/s; period in seconds; part of it that a foot is in the air.
    pub speed: f32,
    pub period: f32,
    pub swing: f32,
    /// Feet start and land with the speed of the root: their speed over the ground jumps.
    pub abrupt: bool,
}

impl Walk {
    pub fn biped(speed: f32) -> Self {
        let hip = |x| Vec3::new(x, HIP, 0.0);
        Self { legs: vec![(hip(-0.1), 0.0), (hip(0.1), 0.5)], speed, period: 1.0, swing: 0.4, abrupt: false }
    }

    pub fn quadruped(speed: f32) -> Self {
        let hip = |x, z| Vec3::new(x, HIP, z);
        let legs = vec![(hip(-0.2, 0.5), 0.0), (hip(0.2, 0.5), 0.5), (hip(-0.2, -0.5), 0.5), (hip(0.2, -0.5), 0.0)];
        Self { legs, speed, period: 1.0, swing: 0.4, abrupt: false }
    }

    pub fn feet(&self) -> Vec<FootModel> {
        vec![FootModel { ball_height: BALL, heel_height: BALL + LEVER.y, ..FootModel::default() }; self.legs.len()]
    }

    pub fn root(&self, t: f32) -> Vec3 {
        Vec3::new(0.0, 0.0, self.speed * t)
    }

    /// Place of a ball, and whether it is in the air.
    pub fn ball(&self, leg: usize, t: f32) -> (Vec3, bool) {
        let (hip, phase) = self.legs[leg];
        let stride = self.speed * self.period;
        let cycles = t / self.period - phase + 8.0;
        let (whole, part) = (cycles.floor(), cycles - cycles.floor());
        // Standing, the foot is as far before the hip as it will be behind.
        let stand = (whole - 8.0 + phase + 0.5 * (1.0 + self.swing) - 1.0) * stride;
        let s = (part / self.swing).min(1.0);
        let eased = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        let lift = 16.0 * s * s * (1.0 - s) * (1.0 - s);
        // The same as seen from the root, where the way is a cubic and the foot tips.
        let (eased, tips) = if self.abrupt && s < 1.0 {
            let way = self.swing * s + (1.0 - self.swing) * s * s * (3.0 - 2.0 * s);
            (way, -0.065 * float::sin(core::f32::consts::TAU * s) * (1.0 - s))
        } else {
            (eased, 0.0)
        };
        (Vec3::new(hip.x, BALL + 0.1 * lift + tips, hip.z + stand + stride * eased), s < 1.0)
    }

    pub fn pose(&self, leg: usize, t: f32) -> LegPose {
        let hip = self.root(t) + self.legs[leg].0;
        let ball = self.ball(leg, t).0;
        let ankle = ball + LEVER;
        LegPose {
            hip_ws: hip,
            knee_ws: knee(hip, ankle),
            ankle_ws: ankle,
            ball_ws: ball,
            foot_ws: axis_angle(Vec3::Y, 0.1),
            weight: 1.0,
            contact: Contact::Auto,
            landing: None,
        }
    }

    pub fn frame(&self, t: f32, dt: f32) -> GrounderFrame {
        GrounderFrame {
            root_ws: self.root(t),
            rotation_ws: Quat::IDENTITY,
            up_ws: Vec3::Y,
            pelvis_ws: self.root(t) + Vec3::Y * HIP,
            dt_s: dt,
            grounded: Grounded::Auto,
        }
    }

    pub fn grounder(&self, settings: GrounderSettings) -> Grounder {
        Grounder::new(&self.feet(), settings)
    }
}

/// The knee bends forward.
pub fn knee(hip: Vec3, ankle: Vec3) -> Vec3 {
    let way = ankle - hip;
    let half = way * 0.5;
    let out = float::sqrt(BONE * BONE - half.length_squared());
    let side = way.cross(Vec3::X).normalize();
    let side = if side.z < 0.0 { -side } else { side };
    hip + half + side * out
}

/// An answer from a height function.
pub fn answer(query: &Query, height: impl Fn(f32, f32) -> (f32, Vec3)) -> Hit {
    let (y, normal) = height(query.origin_ws.x, query.origin_ws.z);
    let down = query.origin_ws.y - y;
    if down < 0.0 || down > query.length {
        return Hit::default();
    }
    Hit { hit: true, point_ws: Vec3::new(query.origin_ws.x, y, query.origin_ws.z), normal_ws: normal, ..Hit::default() }
}

pub fn flat(_: f32, _: f32) -> (f32, Vec3) {
    (0.0, Vec3::Y)
}

/// 10 cm up every 0.8 m.
pub fn steps(_: f32, z: f32) -> (f32, Vec3) {
    (0.1 * ((z - 0.5) / 0.8).ceil().max(0.0), Vec3::Y)
}

pub fn slope(_: f32, z: f32) -> (f32, Vec3) {
    (0.2 * z, Vec3::new(0.0, 1.0, -0.2).normalize())
}

/// One frame of a walk whose root goes up with `ground`'s height below it.
pub fn step(
    walk: &Walk,
    grounder: &mut Grounder,
    t: f32,
    dt: f32,
    ground: impl Fn(f32, f32) -> (f32, Vec3),
) -> (Vec<LegPose>, BodyResult, Vec<LegResult>) {
    let root = walk.root(t);
    step_at(walk, grounder, t, dt, ground(root.x, root.z).0, ground)
}

/// One frame of a walk whose root's plane is at `height`.
pub fn step_at(
    walk: &Walk,
    grounder: &mut Grounder,
    t: f32,
    dt: f32,
    height: f32,
    ground: impl Fn(f32, f32) -> (f32, Vec3),
) -> (Vec<LegPose>, BodyResult, Vec<LegResult>) {
    let up = Vec3::Y * height;
    let poses: Vec<LegPose> = (0..walk.legs.len())
        .map(|leg| {
            let mut pose = walk.pose(leg, t);
            for p in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                *p += up;
            }
            pose
        })
        .collect();
    let mut frame = walk.frame(t, dt);
    frame.root_ws += up;
    frame.pelvis_ws += up;
    let mut hits = Vec::new();
    let (body, legs) = grounder
        .solve_with(&frame, &poses, &mut hits, |query| answer(query, &ground))
        .map(|(b, l)| (*b, l.to_vec()))
        .expect("a frame");
    (poses, body, legs)
}
