//! Film strips of creatures with more than two legs: a dog on a slope, and a spider that steps by
//! itself over a kerb and up a wall.

use super::film::strip;
use super::stage::{Frame, LegFrame};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Context, Result};
use sinew::grounding::{
    Contact, FootModel, Grounded, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, Query, SteppingSettings,
};
use sinew::math::{Quat, Vec3, axis_angle};
use std::path::Path;

const DT: f32 = 1.0 / 60.0;

/// Ground along z, in segments from one point to the next, left to right; its height is that of the
/// last segment that was passed.
struct Ground(Vec<(f32, f32)>);

impl Ground {
    fn segments(&self) -> impl Iterator<Item = ((f32, f32), (f32, f32))> + '_ {
        self.0.windows(2).map(|pair| (pair[0], pair[1]))
    }

    fn height(&self, z: f32) -> f32 {
        let part = |((az, ay), (bz, by)): ((f32, f32), (f32, f32))| ay + (by - ay) * (z - az) / (bz - az);
        self.segments().filter(|(a, b)| a.0 <= z && z < b.0).map(part).last().unwrap_or(0.0)
    }

    /// The first segment that a ray meets.
    fn cast(&self, query: &Query) -> Hit {
        let (from, way) = (query.origin_ws, query.direction_ws);
        let mut nearest = query.length;
        let mut hit = Hit::default();
        for (a, b) in self.segments() {
            let (dz, dy) = (b.0 - a.0, b.1 - a.1);
            let across = way.z * dy - way.y * dz;
            let (oz, oy) = (a.0 - from.z, a.1 - from.y);
            let (at, along) = ((oz * dy - oy * dz) / across, (oz * way.y - oy * way.z) / across);
            // From above only.
            if across > 1e-6 && at >= 0.0 && at < nearest && (0.0..=1.0).contains(&along) {
                nearest = at;
                let normal_ws = Vec3::new(0.0, dz, -dy).normalize();
                hit = Hit { hit: true, point_ws: from + way * at, normal_ws, ..Hit::default() };
            }
        }
        hit
    }
}

/// A knee between two bones of one length, bent towards `out`.
fn knee(hip: Vec3, foot: Vec3, bone: f32, out: Vec3) -> Vec3 {
    let way = foot - hip;
    let side = (out - way * (out.dot(way) / way.length_squared())).normalize();
    hip + way * 0.5 + side * (bone * bone - 0.25 * way.length_squared()).max(1e-4).sqrt()
}

fn wide(p: Vec3) -> V3 {
    V3([p.x, p.y, p.z].map(f64::from))
}

/// A leg without a sole.
fn leg(hip: Vec3, foot: Vec3, bone: f32, out: Vec3, rotation: Quat) -> LegPose {
    LegPose {
        hip_ws: hip,
        knee_ws: knee(hip, foot, bone, out),
        ankle_ws: foot,
        ball_ws: foot,
        foot_ws: rotation,
        weight: 1.0,
        contact: Contact::Auto,
        landing: None,
    }
}

fn grounder(count: usize, settings: GrounderSettings) -> Grounder {
    let paw = FootModel { ball_height: 0.0, heel_height: 0.0, toe_length: 0.0, heel_length: 0.0, has_sole: false };
    Grounder::new(&vec![paw; count], settings)
}

/// One frame: the animation, and what the grounder makes of it.
fn play(grounder: &mut Grounder, ground: &Ground, frame: &GrounderFrame, poses: &[LegPose]) -> Result<[Frame; 2]> {
    let mut hits = Vec::new();
    let (body, legs) =
        grounder.solve_with(frame, poses, &mut hits, |query| ground.cast(query)).context("a frame of a creature")?;
    let of = |hip: Vec3, knee: Vec3, ankle: Vec3, ball: Vec3| LegFrame {
        hip: wide(hip),
        knee: wide(knee),
        ankle: wide(ankle),
        ball: wide(ball),
        foot: Rotation::IDENTITY,
        over: false,
    };
    let before = poses.iter().map(|l| of(l.hip_ws, l.knee_ws, l.ankle_ws, l.ball_ws)).collect();
    let after = legs.iter().map(|l| of(l.hip_ws, l.knee_ws, l.ankle_ws, l.ball_ws)).collect();
    let frame_of = |legs: Vec<LegFrame>, hips: Vec3| Frame { legs, root_y: 0.0, time: 0.0, hips: wide(hips) };
    Ok([frame_of(before, frame.pelvis_ws), frame_of(after, frame.pelvis_ws + body.offset_ws)])
}

/// A walk on flat ground in closed form; the root rides the mean of the ground below the body.
fn dog() -> Result<(Ground, Vec<[Frame; 2]>)> {
    let ground = Ground(vec![(-9.0, 0.0), (0.8, 0.0), (3.3, 1.0), (20.0, 1.0)]);
    let mut grounder = grounder(4, GrounderSettings { body_tilt: 0.9, ..GrounderSettings::default() });
    let (speed, period, swing) = (0.9_f32, 0.7_f32, 0.35_f32);
    let hips = [(-0.12, 0.35, 0.0), (0.12, 0.35, 0.5), (-0.12, -0.35, 0.75), (0.12, -0.35, 0.25)];
    let mut film = Vec::new();
    for number in 0..300 {
        let t = number as f32 * DT;
        let z = speed * t - 0.5;
        let y = (0..9).map(|i| ground.height(z + 0.1 * (i as f32 - 4.0))).sum::<f32>() / 9.0;
        let root = Vec3::new(0.0, y, z);
        let poses = hips.map(|(x, ahead, phase)| {
            let cycles = t / period - phase + 4.0;
            let (whole, part) = (cycles.floor(), cycles - cycles.floor());
            let stride = speed * period;
            let stand = (whole - 4.0 + phase + 0.5 * (1.0 + swing) - 1.0) * stride - 0.5;
            let s = (part / swing).min(1.0);
            let eased = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
            let lift = 16.0 * s * s * (1.0 - s) * (1.0 - s) * 0.07;
            let hip = root + Vec3::new(x, 0.52, ahead);
            let foot = Vec3::new(x, y + lift, ahead + stand + stride * eased);
            leg(hip, foot, 0.3, Vec3::new(0.0, 0.0, if ahead > 0.0 { -1.0 } else { 1.0 }), Quat::IDENTITY)
        });
        let frame = GrounderFrame {
            root_ws: root,
            rotation_ws: Quat::IDENTITY,
            up_ws: Vec3::Y,
            pelvis_ws: root + Vec3::Y * 0.52,
            dt_s: DT,
            grounded: Grounded::Yes,
        };
        film.push(play(&mut grounder, &ground, &frame, &poses)?);
    }
    Ok((ground, film))
}

/// Feet at their homes around a body that goes over the kerb, turns up before the wall and climbs.
fn spider() -> Result<(Ground, Vec<[Frame; 2]>)> {
    let (kerb, wall) = (0.9_f32, 2.4_f32);
    let ground = Ground(vec![(-9.0, 0.0), (kerb, 0.0), (kerb, 0.12), (wall, 0.12), (wall, 3.0), (20.0, 3.0)]);
    let settings = GrounderSettings { max_step_up: 0.3, body_tilt: 0.3, ..GrounderSettings::default() };
    let mut grounder = grounder(8, settings);
    let stepping =
        SteppingSettings { trigger_distance: 0.12, step_time: 0.22, step_height: 0.06, ..SteppingSettings::default() };
    grounder.set_stepping(Some(stepping), &[]);
    let (speed, turn) = (0.45_f32, 0.45_f32);
    let mut film = Vec::new();
    for number in 0..480 {
        let way = speed * number as f32 * DT;
        // Level up to the radius of the turn before the wall, a quarter of a circle, then up.
        let level = (wall - turn).min(way);
        let angle = ((way - level) / turn).min(core::f32::consts::FRAC_PI_2);
        let up_way = way - level - angle * turn;
        let lift = 0.12 * sinew::math::float::smooth_step(kerb - 0.35, kerb + 0.35, level);
        let (sin, cos) = sinew::math::float::sin_cos(angle);
        let root = Vec3::new(0.0, lift + turn * (1.0 - cos) + up_way, level + turn * sin);
        let rotation = axis_angle(Vec3::X, -angle);
        let up = rotation * Vec3::Y;
        let poses: Vec<LegPose> = (0..8)
            .map(|i| {
                let (side, row) = (if i % 2 == 0 { -1.0 } else { 1.0 }, (i / 2) as f32 - 1.5);
                let at = |x: f32, y: f32, z: f32| root + rotation * Vec3::new(side * x, y, z);
                let (hip, foot) = (at(0.1, 0.22, row * 0.1), at(0.42, 0.0, row * 0.26));
                leg(hip, foot, 0.36, up, rotation)
            })
            .collect();
        let frame = GrounderFrame {
            root_ws: root,
            rotation_ws: rotation,
            up_ws: up,
            pelvis_ws: root + up * 0.22,
            dt_s: DT,
            grounded: Grounded::Yes,
        };
        film.push(play(&mut grounder, &ground, &frame, &poses)?);
    }
    Ok((ground, film))
}

/// Writes `dog-slope.png` and `spider-kerb-wall.png`.
pub fn write(folder: &Path) -> Result<()> {
    for (name, (ground, film)) in [("dog-slope", dog()?), ("spider-kerb-wall", spider()?)] {
        let (before, after): (Vec<Frame>, Vec<Frame>) = film.into_iter().map(<(Frame, Frame)>::from).unzip();
        strip(name, |p, _| f64::from(ground.height(p.0[2] as f32)), &before, &after, 0.9, folder)?;
    }
    Ok(())
}
