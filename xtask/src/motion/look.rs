//! Looking: how far gaze and target are apart, near and far, what is called reached, and whether a
//! target that moves smoothly makes the head jump.

use super::host::{Host, Looked, Setup};
use super::subject::{Subject, rotation_of};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::Result;
use serde_json::{Map, Value, json};
use sinew::humanoid::HumanBone;
use sinew::math::Transform;
use testkit::matchers::Affine64;

/// Distances of the targets from the eyes, metres.
const DISTANCES: [f64; 6] = [2.0, 0.5, 0.3, 0.25, 0.2, 0.15];
/// Directions of the targets, degrees to the right and up.
const DIRECTIONS: [[f64; 2]; 9] = [
    [0.0, 0.0],
    [40.0, 0.0],
    [-40.0, 0.0],
    [0.0, 30.0],
    [0.0, -30.0],
    [40.0, -30.0],
    [-40.0, -30.0],
    [40.0, 30.0],
    [-40.0, 30.0],
];
/// A body of this height, joints alone, is what the distances are for, metres.
const HEIGHT: f64 = 1.6;
/// Step of a moving target, radians as seen from the eyes, and turn of the head in a step from
/// which on it is a jump.
const STEP: f64 = 0.01;
const JUMP: f64 = 8.0 * std::f64::consts::PI / 180.0;

/// What looks: joints of head and eyes, each with its forward in its own space.
struct Looker {
    head: (usize, V3),
    eyes: Vec<(usize, V3)>,
}

impl Looker {
    fn new(rig: &Subject) -> Option<Self> {
        let world = rig.world(&rig.t_pose);
        let own = |bone: HumanBone| {
            let joint = rig.joint(bone)?;
            Some((joint, rotation_of(&world[joint]).inverse().rotate(rig.forward)))
        };
        let eyes = [HumanBone::LeftEye, HumanBone::RightEye].into_iter().filter_map(own).collect();
        Some(Self { head: own(HumanBone::Head)?, eyes })
    }
    /// Between the eyes; without both the head joint.
    fn origin(&self, world: &[Affine64]) -> V3 {
        let at = |joint: usize| V3(world[joint].position);
        match self.eyes[..] {
            [(left, _), (right, _)] => at(left).lerp(at(right), 0.5),
            _ => at(self.head.0),
        }
    }
    /// How far the head's line, and the worse eye's, pass beside a point, degrees.
    fn off(&self, world: &[Affine64], target: V3) -> (f64, f64) {
        let line = |(joint, own): (usize, V3), from: V3| {
            rotation_of(&world[joint]).rotate(own).angle(target - from).to_degrees()
        };
        let eyes = self.eyes.iter().map(|eye| line(*eye, V3(world[eye.0].position))).fold(0.0, f64::max);
        (line(self.head, self.origin(world)), eyes)
    }
}

/// A row per distance, all rigs and directions together.
pub fn run(rigs: &[Subject]) -> Result<Value> {
    println!("\nlooking with head and eyes, degrees");
    println!(
        "{:<10} {:>8} {:>10} {:>22} {:>20} {:>22}",
        "metres", "targets", "reached", "most off of reached", "worse eye of all", "reported and measured"
    );
    let hosts = rigs.iter().map(|rig| Host::new(rig, &Host::settings(Setup::FREE)?)).collect::<Result<Vec<_>>>()?;
    let mut all = Map::new();
    for metres in DISTANCES {
        let (mut count, mut reached, mut of_reached, mut eye, mut apart) = (0, 0, 0.0f64, 0.0f64, 0.0f64);
        for (rig, host) in rigs.iter().zip(&hosts) {
            let Some(looker) = Looker::new(rig) else { continue };
            for [right, up] in DIRECTIONS {
                let target = place(rig, &looker, right, up, metres);
                let (pose, ended) = look(host, rig, target)?;
                let (head_off, eye_off) = looker.off(&rig.world(&pose), target);
                // Eyes that take part are what the outcome measures.
                let off = if looker.eyes.is_empty() { head_off } else { eye_off };
                count += 1;
                reached += usize::from(ended.reached);
                if ended.reached {
                    of_reached = of_reached.max(off);
                }
                eye = eye.max(eye_off);
                apart = apart.max((off - ended.residual_deg).abs());
            }
        }
        println!("{metres:<10} {count:>8} {reached:>10} {of_reached:>22.3} {eye:>20.2} {apart:>22.3}");
        let row =
            json!({ "targets": count, "reached": reached, "off_of_reached": of_reached, "eye": eye, "apart": apart });
        all.insert(format!("{metres}"), row);
    }
    let (jumps, steepest) = circles(rigs, &hosts)?;
    println!("targets all the way round at 1 m: {jumps} jumps, most {steepest:.1} times as fast as the target");
    all.insert("circles".into(), json!({ "jumps": jumps, "steepest": steepest }));
    Ok(Value::Object(all))
}

/// A point, from between the eyes of the T-pose.
fn place(rig: &Subject, looker: &Looker, right_deg: f64, up_deg: f64, metres: f64) -> V3 {
    let world = rig.world(&rig.t_pose);
    let heights = world.iter().map(|frame| V3(frame.position).dot(rig.up));
    let height = heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min);
    let ((a, b), (c, d)) = (right_deg.to_radians().sin_cos(), up_deg.to_radians().sin_cos());
    let way = rig.right * (a * d) + rig.up * c + rig.forward * (b * d);
    looker.origin(&world) + way * (metres * height / HEIGHT)
}

fn look(host: &Host, rig: &Subject, target: V3) -> Result<(Vec<Transform>, Looked)> {
    host.set_pose(&rig.t_pose)?;
    host.look_at(target, [1.0, 0.0, 1.0, 1.0, 0.0])?;
    host.solve()?;
    Ok((host.pose()?, host.looked()?))
}

/// Circles round the head, level and tilted, passing behind it.
fn circles(rigs: &[Subject], hosts: &[Host]) -> Result<(usize, f64)> {
    let (mut jumps, mut steepest) = (0, 0.0f64);
    for (rig, host) in rigs.iter().zip(hosts) {
        let Some(looker) = Looker::new(rig) else { continue };
        for tilt in [0.0, 25.0] {
            let mut before: Option<Rotation> = None;
            let steps = (std::f64::consts::TAU / STEP) as usize;
            for step in 0..=steps {
                let angle = 360.0 * step as f64 / steps as f64;
                let target = place(rig, &looker, angle, tilt * angle.to_radians().cos(), 1.0);
                let (pose, _) = look(host, rig, target)?;
                let now = rotation_of(&rig.world(&pose)[looker.head.0]);
                if let Some(before) = before {
                    let turned = before.angle_to(now);
                    jumps += usize::from(turned > JUMP);
                    steepest = steepest.max(turned / STEP);
                }
                before = Some(now);
            }
        }
    }
    Ok((jumps, steepest))
}
