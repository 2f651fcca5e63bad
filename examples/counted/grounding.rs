//! Feet on the ground through the C functions: people who walk up steps of 10 cm. A unit is a frame
//! of one person with two feet, without the answers of the host to the queries.

#[path = "../../tests/grounding/walker.rs"]
mod walker;

use super::c_abi::capi::{ok, quat, vec3};
use super::{Row, counted};
use sinew::ffi::*;
use sinew::math::{Quat, Vec3};
use std::hint::black_box;
use walker::{Walk, steps};

/// Frames that are counted, after as many that are not.
const FRAMES: u32 = 120;
const FEET: usize = 2;
/// How far one person is behind another in time, seconds: no two of them are alike in their gait.
const APART: f32 = 0.37;

/// People who walk, and what a host has for them.
struct Crowd {
    /// Frames a second.
    rate: f32,
    walk: Walk,
    grounders: Vec<SinewGrounder>,
    frames: Vec<SinewGrounderFrame>,
    legs: Vec<SinewGrounderLeg>,
    queries: Vec<SinewGroundQuery>,
    first_queries: Vec<u32>,
    query_count: u32,
    hits: Vec<SinewGroundHit>,
    bodies: Vec<SinewGrounderBody>,
    results: Vec<SinewGrounderLegResult>,
}

impl Crowd {
    fn new(count: usize, queries_a_foot: usize, rate: f32) -> Self {
        let walk = Walk::biped(1.2);
        let mut settings = SinewGrounderSettings::default();
        ok(sinew_grounder_settings_default(Some(&mut settings)));
        settings.quality = queries_a_foot as i32;
        let feet: Vec<SinewFootModel> = walk.feet().iter().map(foot).collect();
        let grounder = || {
            let mut grounder = SinewGrounder { bits: 0 };
            let out = Some(&mut grounder);
            ok(unsafe { sinew_grounder_create(feet.as_ptr(), FEET as u32, &raw const settings, out) });
            grounder
        };
        let zero = vec3(Vec3::ZERO);
        let query = SinewGroundQuery { origin: zero, direction: zero, length: 0.0, radius: 0.0, leg: 0, purpose: 0 };
        let none = quat(Quat::IDENTITY);
        let body = SinewGrounderBody { offset: zero, turn: none, ground_normal: zero, presence: 0.0, planted: 0 };
        let result = SinewGrounderLegResult {
            hip: zero,
            knee: zero,
            ankle: zero,
            ball: zero,
            foot: none,
            toes_turn: none,
            planted: 0,
            time_to_landing_s: 0.0,
            landing: zero,
            shortage_m: 0.0,
        };
        Self {
            rate,
            walk,
            grounders: (0..count).map(|_| grounder()).collect(),
            frames: Vec::new(),
            legs: Vec::new(),
            queries: vec![query; count * FEET * queries_a_foot],
            first_queries: vec![0; count + 1],
            query_count: 0,
            hits: Vec::new(),
            bodies: vec![body; count],
            results: vec![result; count * FEET],
        }
    }
    /// The animation of a frame.
    fn animate(&mut self, number: u32) {
        self.frames.clear();
        self.legs.clear();
        for person in 0..self.grounders.len() {
            let time = number as f32 / self.rate + APART * person as f32;
            let root = self.walk.root(time);
            let up = Vec3::Y * rolled(root.z);
            let mut frame = empty_frame();
            frame.root = vec3(root + up);
            frame.pelvis = vec3(self.walk.frame(time, 0.0).pelvis_ws + up);
            frame.dt_s = 1.0 / self.rate;
            self.frames.push(frame);
            for leg in 0..FEET {
                let pose = self.walk.pose(leg, time);
                self.legs.push(SinewGrounderLeg {
                    hip: vec3(pose.hip_ws + up),
                    knee: vec3(pose.knee_ws + up),
                    ankle: vec3(pose.ankle_ws + up),
                    ball: vec3(pose.ball_ws + up),
                    foot: quat(pose.foot_ws),
                    weight: 1.0,
                    contact: SinewGroundContact::Auto as i32,
                    has_landing: 0,
                    landing_time_s: 0.0,
                    landing: vec3(Vec3::ZERO),
                });
            }
        }
    }
    fn begin(&mut self) {
        let (room, legs) = (self.queries.len() as u32, self.legs.len() as u32);
        if let [grounder] = *self.grounders {
            let frame = Some(&self.frames[0]);
            ok(unsafe { sinew_grounder_begin(black_box(grounder), frame, self.legs.as_ptr(), legs, None) });
            let (out, count) = (self.queries.as_mut_ptr(), Some(&mut self.query_count));
            ok(unsafe { sinew_grounder_get_queries(grounder, out, room, count) });
            return;
        }
        ok(unsafe {
            sinew_grounder_begin_batch(
                black_box(self.grounders.as_ptr()),
                self.grounders.len() as u32,
                self.frames.as_ptr(),
                self.legs.as_ptr(),
                legs,
                self.queries.as_mut_ptr(),
                room,
                self.first_queries.as_mut_ptr(),
            )
        });
        self.query_count = self.first_queries[self.grounders.len()];
    }
    fn answer(&mut self) {
        self.hits.clear();
        self.hits.extend(self.queries[..self.query_count as usize].iter().map(|query| {
            let (height, normal) = steps(query.origin.x, query.origin.z);
            let down = query.origin.y - height;
            SinewGroundHit {
                hit: u32::from((0.0..=query.length).contains(&down)),
                body: 0,
                point: SinewVec3 { y: height, ..query.origin },
                normal: vec3(normal),
                velocity: vec3(Vec3::ZERO),
                angular_velocity: vec3(Vec3::ZERO),
            }
        }));
    }
    fn finish(&mut self) {
        let (hits, hit_count, legs) = (self.hits.as_ptr(), self.hits.len() as u32, self.results.len() as u32);
        let results = self.results.as_mut_ptr();
        if let [grounder] = *self.grounders {
            ok(unsafe { sinew_grounder_finish(black_box(grounder), hits, hit_count) });
            ok(sinew_grounder_get_body(grounder, self.bodies.first_mut()));
            ok(unsafe { sinew_grounder_get_legs(grounder, results, legs) });
            return;
        }
        let (grounders, count) = (black_box(self.grounders.as_ptr()), self.grounders.len() as u32);
        let bodies = self.bodies.as_mut_ptr();
        ok(unsafe { sinew_grounder_finish_batch(grounders, count, hits, hit_count, bodies, results, legs) });
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.grounders.iter().for_each(|grounder| ok(sinew_grounder_destroy(*grounder)));
    }
}

fn foot(model: &sinew::grounding::FootModel) -> SinewFootModel {
    let mut foot = SinewFootModel {
        struct_size: 0,
        has_sole: 0,
        ball_height: 0.0,
        heel_height: 0.0,
        toe_length: 0.0,
        heel_length: 0.0,
    };
    ok(sinew_foot_model_default(Some(&mut foot)));
    SinewFootModel { ball_height: model.ball_height, heel_height: model.heel_height, ..foot }
}

fn empty_frame() -> SinewGrounderFrame {
    let zero = vec3(Vec3::ZERO);
    let mut frame = SinewGrounderFrame {
        struct_size: 0,
        grounded: 0,
        root: zero,
        rotation: quat(Quat::IDENTITY),
        up: zero,
        pelvis: zero,
        dt_s: 0.0,
    };
    ok(sinew_grounder_frame_default(Some(&mut frame)));
    frame
}

/// Height of a root that rolls over the edges of the steps as a capsule does.
fn rolled(z: f32) -> f32 {
    const PARTS: usize = 16;
    let parts = (0..PARTS).map(|i| (i as f32 + 0.5) * 2.0 / PARTS as f32 - 1.0);
    parts.map(|u| steps(0.0, z + 0.25 * u).0 * (1.0 - u.abs())).sum::<f32>() * 2.0 / PARTS as f32
}

fn row(name: &str, people: usize, queries_a_foot: usize, rate: f32) -> Row {
    let work = move || {
        let mut crowd = Crowd::new(people, queries_a_foot, rate);
        for number in 0..2 * FRAMES {
            crowd.animate(number);
            if number < FRAMES {
                crowd.begin();
                crowd.answer();
                crowd.finish();
                continue;
            }
            counted(&mut || crowd.begin());
            crowd.answer();
            counted(&mut || crowd.finish());
        }
        u64::from(FRAMES) * people as u64
    };
    Row { name: format!("grounding/{name}"), work: Box::new(work) }
}

pub fn rows() -> Vec<Row> {
    vec![
        row("one", 1, 5, 60.0),
        row("one_30_hz", 1, 5, 30.0),
        row("one_144_hz", 1, 5, 144.0),
        row("one_3_queries", 1, 3, 60.0),
        row("one_1_query", 1, 1, 60.0),
        row("batch_of_100", 100, 5, 60.0),
        row("batch_of_100_1_query", 100, 1, 60.0),
    ]
}
