//! A case through the C ABI: a host that answers ground queries from the height function.

use super::clip::Clip;
use super::stage::{Case, Frame, LegFrame};
use crate::c_abi::{check, point, quat, vec3};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::Result;
use sinew::ffi::*;
use std::time::Instant;

/// What was asked of the host.
#[derive(Default)]
pub struct Asked {
    pub most: usize,
    pub total: u64,
    pub frames: u64,
    /// Time in the library.
    pub seconds: f64,
}

const NO_HIT: SinewGroundHit = {
    let zero = SinewVec3 { x: 0.0, y: 0.0, z: 0.0 };
    SinewGroundHit { hit: 0, body: 0, point: zero, normal: zero, velocity: zero, angular_velocity: zero }
};

/// Plays a case with default settings, at `quality` queries a foot.
pub fn play(clip: &Clip, case: &Case, input: &[Frame], dt: f64, quality: i32, asked: &mut Asked) -> Result<Vec<Frame>> {
    let grounder = create(clip, quality)?;
    let out = play_with(grounder, case, input, dt, quality, asked);
    check(sinew_grounder_destroy(grounder), "sinew_grounder_destroy")?;
    out
}

fn create(clip: &Clip, quality: i32) -> Result<SinewGrounder> {
    let mut settings = SinewGrounderSettings::default();
    check(sinew_grounder_settings_default(Some(&mut settings)), "sinew_grounder_settings_default")?;
    settings.quality = quality;
    let mut feet = Vec::new();
    for leg in &clip.legs {
        let mut foot = SinewFootModel {
            struct_size: 0,
            has_sole: 0,
            ball_height: 0.0,
            heel_height: 0.0,
            toe_length: 0.0,
            heel_length: 0.0,
        };
        check(sinew_foot_model_default(Some(&mut foot)), "sinew_foot_model_default")?;
        foot.has_sole = u32::from(leg.toes);
        foot.ball_height = leg.ball_height as f32;
        foot.heel_height = leg.ankle_height as f32;
        feet.push(foot);
    }
    let mut grounder = SinewGrounder { bits: 0 };
    check(
        unsafe { sinew_grounder_create(feet.as_ptr(), feet.len() as u32, &settings, Some(&mut grounder)) },
        "sinew_grounder_create",
    )?;
    Ok(grounder)
}

fn play_with(
    grounder: SinewGrounder,
    case: &Case,
    input: &[Frame],
    dt: f64,
    quality: i32,
    asked: &mut Asked,
) -> Result<Vec<Frame>> {
    let terrain = &case.terrain;
    let mut out = Vec::with_capacity(input.len());
    let mut given = frame_of_defaults()?;
    for frame in input {
        let [x, _, z] = frame.hips.0;
        given.root = vec3(V3([x, frame.root_y, z]));
        given.pelvis = vec3(frame.hips);
        given.dt_s = dt as f32;
        let legs: Vec<SinewGrounderLeg> = frame.legs.iter().map(leg).collect();
        let count = legs.len() as u32;
        let room = legs.len() * quality as usize;
        let mut queries = vec![
            SinewGroundQuery {
                origin: vec3(V3::ZERO),
                direction: vec3(V3::ZERO),
                length: 0.0,
                radius: 0.0,
                leg: 0,
                purpose: 0
            };
            room
        ];
        let mut query_count = 0;
        let start = Instant::now();
        check(
            unsafe { sinew_grounder_begin(grounder, Some(&given), legs.as_ptr(), count, Some(&mut query_count)) },
            "sinew_grounder_begin",
        )?;
        check(
            unsafe { sinew_grounder_get_queries(grounder, queries.as_mut_ptr(), room as u32, Some(&mut query_count)) },
            "sinew_grounder_get_queries",
        )?;
        asked.seconds += start.elapsed().as_secs_f64();
        queries.truncate(query_count as usize);
        let velocity = (terrain.moved(frame.time) - terrain.moved(frame.time - dt)) * (1.0 / dt);
        let body = u32::from(matches!(terrain.kind.as_str(), "lift" | "tram"));
        let hits: Vec<SinewGroundHit> = queries
            .iter()
            .map(|query| {
                let [x, top, z] = point(query.origin).0;
                let (y, normal) = terrain.ray(x, z, frame.time);
                // A ray that begins below the surface does not meet it.
                if y > top || y < top - f64::from(query.length) {
                    return NO_HIT;
                }
                let point = SinewVec3 { x: query.origin.x, y: y as f32, z: query.origin.z };
                SinewGroundHit { hit: 1, body, point, normal: vec3(normal), velocity: vec3(velocity), ..NO_HIT }
            })
            .collect();
        let mut results = vec![leg_result(); legs.len()];
        let mut result = SinewGrounderBody {
            offset: vec3(V3::ZERO),
            turn: quat(Rotation::IDENTITY),
            ground_normal: vec3(V3::ZERO),
            presence: 0.0,
            planted: 0,
        };
        let start = Instant::now();
        check(unsafe { sinew_grounder_finish(grounder, hits.as_ptr(), hits.len() as u32) }, "sinew_grounder_finish")?;
        check(sinew_grounder_get_body(grounder, Some(&mut result)), "sinew_grounder_get_body")?;
        check(unsafe { sinew_grounder_get_legs(grounder, results.as_mut_ptr(), count) }, "sinew_grounder_get_legs")?;
        asked.seconds += start.elapsed().as_secs_f64();
        asked.most = asked.most.max(queries.len());
        asked.total += queries.len() as u64;
        asked.frames += 1;
        let legs = results.iter().map(|leg| LegFrame {
            hip: point(leg.hip),
            knee: point(leg.knee),
            ankle: point(leg.ankle),
            ball: point(leg.ball),
            foot: Rotation([leg.foot.x, leg.foot.y, leg.foot.z, leg.foot.w].map(f64::from)),
            over: false,
        });
        out.push(Frame { legs: legs.collect(), hips: frame.hips + point(result.offset), ..*frame });
    }
    Ok(out)
}

fn frame_of_defaults() -> Result<SinewGrounderFrame> {
    let zero = vec3(V3::ZERO);
    let mut frame = SinewGrounderFrame {
        struct_size: 0,
        grounded: 0,
        root: zero,
        rotation: quat(Rotation::IDENTITY),
        up: zero,
        pelvis: zero,
        dt_s: 0.0,
    };
    check(sinew_grounder_frame_default(Some(&mut frame)), "sinew_grounder_frame_default")?;
    Ok(frame)
}

fn leg(leg: &LegFrame) -> SinewGrounderLeg {
    SinewGrounderLeg {
        hip: vec3(leg.hip),
        knee: vec3(leg.knee),
        ankle: vec3(leg.ankle),
        ball: vec3(leg.ball),
        foot: quat(leg.foot),
        weight: 1.0,
        contact: SinewGroundContact::Auto as i32,
        has_landing: 0,
        landing_time_s: 0.0,
        landing: vec3(V3::ZERO),
    }
}

fn leg_result() -> SinewGrounderLegResult {
    let (zero, turn) = (vec3(V3::ZERO), quat(Rotation::IDENTITY));
    SinewGrounderLegResult {
        hip: zero,
        knee: zero,
        ankle: zero,
        ball: zero,
        foot: turn,
        toes_turn: turn,
        planted: 0,
        time_to_landing_s: 0.0,
        landing: zero,
        shortage_m: 0.0,
    }
}
