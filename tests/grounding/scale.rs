//! Sizes and units: a character with everything around it multiplied by a number, and the settings'
//! scale by the same, moves as before, multiplied. Measured from outside in double precision.

use crate::walker::{Walk, knee, step_at};
use sinew::grounding::{
    BodyResult, FootModel, Grounder, GrounderFrame, GrounderSettings, Hit, LegPose, LegResult, Query, SteppingSettings,
};
use sinew::math::{Quat, Vec3, axis_angle, float};

/// Height and slope along x and z of the ground, metres, at a place in metres.
type Ground = fn(f64, f64) -> (f64, f64, f64);

fn flat(_: f64, _: f64) -> (f64, f64, f64) {
    (0.0, 0.0, 0.0)
}

fn slope(_: f64, z: f64) -> (f64, f64, f64) {
    (0.2 * z, 0.0, 0.2)
}

/// 10 cm up every 0.8 m.
fn stairs(_: f64, z: f64) -> (f64, f64, f64) {
    (0.1 * ((z - 0.5) / 0.8).ceil().max(0.0), 0.0, 0.0)
}

#[derive(Clone)]
struct Scene {
    name: &'static str,
    walk: Walk,
    ground: Ground,
    /// rad/s, of the ground about the world's origin.
    turns: f64,
    /// The feet step by themselves.
    steps: bool,
    /// The root hops.
    hops: bool,
    /// The feet stay where they are.
    stands: bool,
    /// Distance of the start from the world's origin along x, metres.
    far: f32,
    dt: f32,
}

fn scenes() -> Vec<Scene> {
    let scene = |name, ground: Ground| Scene {
        name,
        walk: Walk::biped(1.2),
        ground,
        turns: 0.0,
        steps: false,
        hops: false,
        stands: false,
        far: 0.0,
        dt: 1.0 / 60.0,
    };
    vec![
        scene("slope", slope),
        scene("stairs", stairs),
        Scene { turns: 0.8, ..scene("turntable", flat) },
        Scene { dt: 1.0 / 30.0, ..scene("slope at 30 Hz", slope) },
        Scene { dt: 1.0 / 144.0, ..scene("slope at 144 Hz", slope) },
        Scene { hops: true, ..scene("hops", flat) },
        Scene { walk: Walk::quadruped(0.6), steps: true, ..scene("steps by itself", slope) },
    ]
}

fn times(vector: Vec3, by: f64) -> Vec3 {
    Vec3::new((f64::from(vector.x) * by) as f32, (f64::from(vector.y) * by) as f32, (f64::from(vector.z) * by) as f32)
}

/// Foot models in the unit of `scale`.
fn feet(walk: &Walk, scale: f64) -> Vec<FootModel> {
    let length = |length: f32| (f64::from(length) * scale) as f32;
    let scaled = |foot: FootModel| FootModel {
        ball_height: length(foot.ball_height),
        heel_height: length(foot.heel_height),
        toe_length: length(foot.toe_length),
        heel_length: length(foot.heel_length),
        ..foot
    };
    walk.feet().into_iter().map(scaled).collect()
}

impl Scene {
    fn grounder(&self, settings: GrounderSettings) -> Grounder {
        let mut grounder = Grounder::new(&feet(&self.walk, f64::from(settings.scale)), settings);
        if self.steps {
            grounder.set_stepping(Some(SteppingSettings::default()), &[]);
        }
        grounder
    }

    /// The animation of a frame, metres.
    fn pose(&self, t: f32) -> (GrounderFrame, Vec<LegPose>) {
        // Both feet stand then.
        let t = if self.stands { 0.95 } else { t };
        let turn = axis_angle(Vec3::Y, self.turns as f32 * t);
        let root = self.walk.root(t);
        let hop = if self.hops { 0.9 * float::sin(3.0 * t).max(0.0) } else { 0.0 };
        let over = (self.ground)(f64::from(root.x), f64::from(root.z)).0 as f32 + hop;
        let at = |point: Vec3| turn * (point + Vec3::new(self.far, over, 0.0));
        let frame = self.walk.frame(t, self.dt);
        let frame = GrounderFrame {
            root_ws: at(frame.root_ws),
            pelvis_ws: at(frame.pelvis_ws),
            rotation_ws: turn * frame.rotation_ws,
            ..frame
        };
        let poses = (0..self.walk.legs.len()).map(|leg| {
            // A foot that steps by itself has a home below its hip.
            let home = self.walk.root(t) - self.walk.root(0.0);
            let pose = if self.steps { self.walk.pose(leg, 0.0) } else { self.walk.pose(leg, t) };
            let at = |point: Vec3| if self.steps { at(point + home) } else { at(point) };
            // Well bent: the knee of a straight leg goes by the root of what rounding leaves.
            let hip = pose.hip_ws - Vec3::Y * 0.1;
            let pose = LegPose { hip_ws: hip, knee_ws: knee(hip, pose.ankle_ws), ..pose };
            LegPose {
                hip_ws: at(pose.hip_ws),
                knee_ws: at(pose.knee_ws),
                ankle_ws: at(pose.ankle_ws),
                ball_ws: at(pose.ball_ws),
                foot_ws: turn * pose.foot_ws,
                landing: (leg == 1 && !self.steps && t < 1.0).then_some((0.3, Vec3::new(0.1, 0.03, 0.3))),
                ..pose
            }
        });
        (frame, poses.collect())
    }

    fn answer(&self, query: &Query, scale: f64) -> Hit {
        let [x, y, z] = query.origin_ws.to_array().map(|x| f64::from(x) / scale);
        let (height, along_x, along_z) = (self.ground)(x, z);
        let down = y - height;
        if down < 0.0 || down > f64::from(query.length) / scale {
            return Hit::default();
        }
        let velocity = [self.turns * z, 0.0, -self.turns * x].map(|v| (v * scale) as f32);
        Hit {
            hit: true,
            point_ws: Vec3::new(query.origin_ws.x, (height * scale) as f32, query.origin_ws.z),
            normal_ws: Vec3::new(-along_x as f32, 1.0, -along_z as f32).normalize(),
            body: u32::from(self.turns != 0.0),
            velocity_ws: Vec3::from_array(velocity),
            angular_velocity_ws: Vec3::Y * self.turns as f32,
        }
    }

    /// A frame of a character of another size in the same world.
    fn step_of_size(&self, grounder: &mut Grounder, index: usize, size: f64) -> (BodyResult, Vec<LegResult>) {
        let (frame, mut poses) = self.pose(index as f32 * self.dt);
        let root = frame.root_ws;
        let sized = |point: Vec3| root + times(point - root, size);
        for pose in &mut poses {
            for point in [&mut pose.hip_ws, &mut pose.knee_ws, &mut pose.ankle_ws, &mut pose.ball_ws] {
                *point = sized(*point);
            }
            pose.landing = None;
        }
        let frame = GrounderFrame { pelvis_ws: sized(frame.pelvis_ws), ..frame };
        let mut hits = Vec::new();
        let solved = grounder.solve_with(&frame, &poses, &mut hits, |query| self.answer(query, 1.0));
        let (body, legs) = solved.expect("a frame");
        (*body, legs.to_vec())
    }

    /// A frame in the unit of `scale`.
    fn step(&self, grounder: &mut Grounder, index: usize, scale: f64) -> (BodyResult, Vec<LegResult>) {
        let (frame, poses) = self.pose(index as f32 * self.dt);
        let frame =
            GrounderFrame { root_ws: times(frame.root_ws, scale), pelvis_ws: times(frame.pelvis_ws, scale), ..frame };
        let scaled = |pose: &LegPose| LegPose {
            hip_ws: times(pose.hip_ws, scale),
            knee_ws: times(pose.knee_ws, scale),
            ankle_ws: times(pose.ankle_ws, scale),
            ball_ws: times(pose.ball_ws, scale),
            landing: pose.landing.map(|(time, place)| (time, times(place, scale))),
            ..*pose
        };
        let poses: Vec<LegPose> = poses.iter().map(scaled).collect();
        let mut hits = Vec::new();
        let solved = grounder.solve_with(&frame, &poses, &mut hits, |query| self.answer(query, scale));
        let (body, legs) = solved.expect("a frame");
        (*body, legs.to_vec())
    }

    fn is_even(&self) -> bool {
        (self.ground)(0.0, 3.0).0 == 0.0
    }

    fn frames(&self) -> usize {
        (4.0 / self.dt) as usize
    }
}

/// Largest distances of hips and body, and of feet and knees, in metres; and of rotations.
#[derive(Debug, Default)]
struct Apart {
    hips: f64,
    feet: f64,
    turned: f64,
}

impl Apart {
    /// Takes a frame in; contacts and presence must be the same.
    fn take(
        &mut self,
        what: &str,
        (body, legs): &(BodyResult, Vec<LegResult>),
        scale: f64,
        (own_body, own_legs): &(BodyResult, Vec<LegResult>),
    ) {
        let far = |points: &[(Vec3, Vec3)]| {
            let numbers = points.iter().flat_map(|(a, b)| a.to_array().into_iter().zip(b.to_array()));
            numbers.map(|(a, b)| (f64::from(a) / scale - f64::from(b)).abs()).fold(0.0, f64::max)
        };
        let turns = |a: Quat, b: Quat| f64::from((a - b).length().min((a + b).length()));
        assert_eq!(body.planted, own_body.planted, "{what}: planted feet");
        assert!((body.presence - own_body.presence).abs() < 1e-5, "{what}: presence");
        self.hips = self.hips.max(far(&[(body.offset_ws, own_body.offset_ws)]));
        self.turned = self.turned.max(turns(body.turn_ws, own_body.turn_ws));
        for (a, b) in legs.iter().zip(own_legs) {
            assert_eq!(a.planted, b.planted, "{what}: contact");
            let shortage = (Vec3::X * a.shortage_m, Vec3::X * b.shortage_m);
            let foot = [(a.knee_ws, b.knee_ws), (a.ankle_ws, b.ankle_ws), (a.ball_ws, b.ball_ws), shortage];
            self.hips = self.hips.max(far(&[(a.hip_ws, b.hip_ws)]));
            self.feet = self.feet.max(far(&foot));
            self.turned = self.turned.max(turns(a.foot_ws, b.foot_ws)).max(turns(a.toes_turn, b.toes_turn));
        }
    }
}

#[test]
fn a_character_of_any_size_and_unit_moves_as_a_person_in_metres() {
    for scene in scenes() {
        for scale in [0.01, 0.1, 10.0, 100.0, 1e-4, 1e4] {
            let mut person = scene.grounder(GrounderSettings::default());
            let mut other = scene.grounder(GrounderSettings { scale: scale as f32, ..GrounderSettings::default() });
            let mut apart = Apart::default();
            for frame in 0..scene.frames() {
                let expected = scene.step(&mut person, frame, 1.0);
                let found = scene.step(&mut other, frame, scale);
                apart.take(&format!("{}, scale {scale}, frame {frame}", scene.name), &found, scale, &expected);
            }
            // On its way over uneven ground a foot looks for edges in one of two gaps that are
            // alike, and rounding chooses.
            let most: f64 = if scene.is_even() { 2e-6 } else { 5e-3 };
            assert!(apart.hips < most.min(3e-4) && apart.feet < most, "{}, scale {scale}: {apart:?}", scene.name);
            assert!(apart.turned < 2e-3, "{}, scale {scale}: {apart:?}", scene.name);
        }
    }
}

#[test]
fn a_scale_that_rounds_nothing_changes_no_bit() {
    for scene in scenes() {
        for scale in [0.0078125, 0.5, 2.0, 128.0] {
            let mut person = scene.grounder(GrounderSettings::default());
            let mut other = scene.grounder(GrounderSettings { scale: scale as f32, ..GrounderSettings::default() });
            for frame in 0..scene.frames() {
                let (body, legs) = scene.step(&mut person, frame, 1.0);
                let (other_body, other_legs) = scene.step(&mut other, frame, scale);
                let what = format!("{}, scale {scale}, frame {frame}", scene.name);
                assert_eq!(BodyResult { offset_ws: times(body.offset_ws, scale), ..body }, other_body, "{what}");
                for (leg, found) in legs.iter().zip(&other_legs) {
                    let expected = LegResult {
                        hip_ws: times(leg.hip_ws, scale),
                        knee_ws: times(leg.knee_ws, scale),
                        ankle_ws: times(leg.ankle_ws, scale),
                        ball_ws: times(leg.ball_ws, scale),
                        landing_ws: times(leg.landing_ws, scale),
                        shortage_m: leg.shortage_m * scale as f32,
                        ..*leg
                    };
                    assert_eq!(expected, *found, "{what}");
                }
            }
        }
    }
}

#[test]
fn another_scale_on_the_way_converts_what_lasts() {
    for scene in scenes() {
        let with = |scale: f32| GrounderSettings { scale, ..GrounderSettings::default() };
        // A frame that is begun at another scale and not finished leaves no trace.
        let (mut person, mut other) = (scene.grounder(with(1.0)), scene.grounder(with(1.0)));
        for frame in 0..scene.frames() {
            let expected = scene.step(&mut person, frame, 1.0);
            other.set_settings(with(2.0));
            let (next, poses) = scene.pose(frame as f32 * scene.dt);
            other.begin(&next, &poses).expect("a frame");
            other.set_settings(with(1.0));
            let found = scene.step(&mut other, frame, 1.0);
            assert_eq!(found, expected, "{}, frame {frame}", scene.name);
        }
    }
}

/// A person far from the origin who stands or walks and grows from 1 to `last` in frame 120 or
/// during 60 frames from there: how far the hips go in a frame, and standing balls in all. Beside
/// them a person of that size from the start.
fn grow(stands: bool, last: f64, at_once: bool) {
    let scene = Scene { stands, far: 300.0, ..scenes().swap_remove(0) };
    let with = |scale: f64| GrounderSettings { scale: scale as f32, ..GrounderSettings::default() };
    let mut grounder = scene.grounder(with(1.0));
    let mut before: Option<Vec<LegResult>> = None;
    for frame in 0..240 {
        let part = ((frame as f64 - 119.0) / if at_once { 1.0 } else { 60.0 }).clamp(0.0, 1.0);
        let scale = 1.0 + (last - 1.0) * part;
        grounder.set_settings(with(scale));
        for (leg, foot) in feet(&scene.walk, scale).into_iter().enumerate() {
            grounder.set_foot(leg, foot);
        }
        // The character about its root, which stays; the ground stays.
        let (body, legs) = scene.step_of_size(&mut grounder, frame, scale);
        assert_eq!(body.presence, 1.0, "frame {frame}");
        if stands && frame > 5 {
            assert_eq!(body.planted, 2, "frame {frame}");
        }
        for (now, was) in legs.iter().zip(before.iter().flatten()) {
            let moved = (now.ball_ws - was.ball_ws).length();
            if now.planted && was.planted && frame > 5 {
                assert!(moved < 0.01, "frame {frame}, scale {scale}: a standing foot slides by {moved} m");
            }
            let most = if stands { 0.02 } else { 0.15 };
            assert!(moved < most, "frame {frame}, scale {scale}: a foot goes by {moved} m");
        }
        before = Some(legs);
    }
}

#[test]
fn a_character_that_grows_keeps_its_feet_where_they_stand() {
    for stands in [true, false] {
        grow(stands, 1.02, true);
        grow(stands, 1.25, false);
        grow(stands, 0.8, false);
    }
}

#[test]
fn a_snapshot_has_its_scale() {
    let scene = scenes().swap_remove(1);
    let with = |scale: f32| GrounderSettings { scale, ..GrounderSettings::default() };
    let (mut person, mut other) = (scene.grounder(with(1.0)), scene.grounder(with(100.0)));
    let half = scene.frames() / 2;
    for frame in 0..half {
        scene.step(&mut person, frame, 1.0);
    }
    let mut bytes = vec![0; person.snapshot_size()];
    assert!(person.snapshot(&mut bytes) && other.restore(&bytes));
    other.set_settings(with(1.0));
    for (leg, foot) in scene.walk.feet().into_iter().enumerate() {
        other.set_foot(leg, foot);
    }
    for frame in half..scene.frames() {
        assert_eq!(scene.step(&mut person, frame, 1.0), scene.step(&mut other, frame, 1.0), "frame {frame}");
    }
    // It is checked as other numbers are.
    assert!(!other.restore(&vec![0; bytes.len()]), "a snapshot without a scale is taken");
}

#[test]
fn what_is_not_moved_is_the_animation_bit_for_bit_at_any_scale() {
    for scale in [0.01, 1.0, 1.7, 100.0] {
        for weight in [0.0, 1.0] {
            let walk = Walk::biped(1.2);
            let settings = GrounderSettings { weight, scale, ..GrounderSettings::default() };
            let mut grounder = Grounder::new(&feet(&walk, f64::from(scale)), settings);
            let scene = Scene { walk, ground: flat, ..scenes().swap_remove(0) };
            let mut same = 0;
            for frame in 0..240 {
                let (_, legs) = scene.step(&mut grounder, frame, f64::from(scale));
                let (_, poses) = scene.pose(frame as f32 * scene.dt);
                for (leg, pose) in legs.iter().zip(&poses) {
                    let scaled = |point| times(point, f64::from(scale));
                    same += usize::from(
                        leg.hip_ws == scaled(pose.hip_ws)
                            && leg.knee_ws == scaled(pose.knee_ws)
                            && leg.ankle_ws == scaled(pose.ankle_ws)
                            && leg.ball_ws == scaled(pose.ball_ws),
                    );
                }
            }
            let least = if weight == 0.0 { 480 } else { 40 };
            assert!(same >= least, "scale {scale}, weight {weight}: {same} of 480 legs are the animation");
        }
    }
}

#[test]
fn results_are_those_of_the_last_finished_frame_until_the_next_is() {
    // A slow frame begins with steps on remembered ground.
    let walk = Walk::biped(1.2);
    let mut grounder = walk.grounder(GrounderSettings::default());
    for frame in 0..20 {
        step_at(&walk, &mut grounder, frame as f32 / 20.0, 0.05, 0.0, crate::walker::flat);
    }
    let (body, legs) = (*grounder.results().0, grounder.results().1.to_vec());
    let poses: Vec<LegPose> = (0..2).map(|leg| walk.pose(leg, 1.0)).collect();
    grounder.begin(&walk.frame(1.0, 0.05), &poses).expect("a frame");
    assert_eq!((&body, legs.as_slice()), grounder.results());
}

#[test]
fn a_scale_out_of_its_range_is_limited() {
    let scene = scenes().swap_remove(0);
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let mut grounder = Grounder::new(&scene.walk.feet(), GrounderSettings { scale, ..GrounderSettings::default() });
        let (body, legs) = scene.step(&mut grounder, 0, 1.0);
        assert!(body.offset_ws.is_finite() && legs.iter().all(|leg| leg.ankle_ws.is_finite()), "scale {scale}");
    }
}

#[test]
fn a_foot_has_a_sole_at_any_scale_and_a_hoof_has_none() {
    for scale in [1e-4_f32, 0.01, 1.0, 1e4] {
        let (ankle, ball) = (Vec3::new(0.0, 0.09, 0.0) * scale, Vec3::new(0.0, 0.03, 0.13) * scale);
        assert!(FootModel::from_rest(ankle, Some(ball), None, Vec3::ZERO, Vec3::Y).has_sole, "scale {scale}");
        let below = ankle - Vec3::Y * (0.05 * scale);
        assert!(!FootModel::from_rest(ankle, Some(below), None, Vec3::ZERO, Vec3::Y).has_sole, "scale {scale}");
    }
}
