//! Smooth closed paths of hands and feet: does anything jump?

use super::continuity::{Found, Path, Walker, walk};
use super::host::{Goal, Host, Setup};
use super::subject::{LIMBS, Subject};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::Result;
use serde_json::{Map, Value, json};
use sinew::math::Transform;
use testkit::Random;

/// Where a path runs: a name, its middle to the outside, up and forward of shoulder or hip and how
/// far it strays, in limb lengths.
const ARMS: [(&str, [f64; 3], f64); 7] = [
    ("front", [0.1, -0.1, 0.6], 0.25),
    ("side", [0.6, 0.0, 0.1], 0.25),
    ("across", [-0.35, -0.05, 0.45], 0.25),
    ("overhead", [0.1, 0.65, 0.15], 0.25),
    ("behind", [0.1, -0.35, -0.5], 0.3),
    ("near shoulder", [0.0, 0.0, 0.0], 0.25),
    ("whole ball", [0.0, 0.0, 0.0], 1.1),
];
const LEGS: [(&str, [f64; 3], f64); 4] = [
    ("front", [0.05, -0.75, 0.3], 0.2),
    ("side", [0.35, -0.75, 0.0], 0.2),
    ("back", [0.05, -0.8, -0.2], 0.2),
    ("ball", [0.0, 0.0, 0.0], 1.1),
];
/// Hints of arms and legs, likewise.
const HINTS: [[f64; 3]; 2] = [[0.5, -0.7, -0.6], [0.1, -0.5, 1.2]];
/// What the tables distinguish.
const SETUPS: [Setup; 5] = {
    let [a, b, c, d] = Setup::ALL;
    [a, b, c, d, Setup::HINT]
};
/// Step along a path, limb lengths.
const STEP: f64 = 0.004;
/// One row per region, all rigs together.
pub fn run(rigs: &[Subject], every: usize) -> Result<Value> {
    println!("\njumps on smooth paths (turn of a joint that bisection does not shrink below 8°)");
    println!(
        "per setup: jumps, those between reached goals, those over 90°, steepest turn in degrees per 1 % of a limb"
    );
    let names: Vec<String> = SETUPS.iter().map(|setup| format!("{:>26}", setup.name())).collect();
    println!("{:<20} {:>8} {}", "limb, region", "lengths", names.concat());
    let mut all = Map::new();
    for (limb, regions) in [(3, &ARMS[..]), (0, &LEGS[..])] {
        for (name, middle, radius) in regions {
            let mut found = SETUPS.map(|setup| (setup, Found::default()));
            for (number, rig) in rigs.iter().enumerate().step_by(every) {
                for (setup, found) in &mut found {
                    play(rig, limb, *middle, *radius, number as u64, *setup, found)?;
                }
            }
            let label = format!("{} {name}", if limb == 3 { "arm" } else { "leg" });
            let cell = |f: &Found| format!("{:>8} {:>4} {:>4} {:>7.1}", f.jumps, f.reached, f.large, f.steepest);
            let cells: Vec<String> = found.iter().map(|(_, f)| cell(f)).collect();
            println!("{label:<20} {:>8.0} {}", found[0].1.length, cells.concat());
            let rows = found.iter().map(|(setup, f)| {
                let row = json!({ "jumps": f.jumps, "reached": f.reached, "over_90": f.large, "steepest": f.steepest });
                (setup.name().to_string(), row)
            });
            all.insert(label, Value::Object(rows.collect()));
        }
    }
    Ok(Value::Object(all))
}

fn play(
    rig: &Subject,
    limb: usize,
    middle: [f64; 3],
    radius: f64,
    seed: u64,
    setup: Setup,
    found: &mut Found,
) -> Result<()> {
    let host = Host::new(rig, &Host::settings(setup)?)?;
    let start = rig.hanging();
    let world = rig.world(&start);
    let (Some(root), length) = (rig.at(&world, LIMBS[limb][0]), rig.limb_length(&world, limb)) else { return Ok(()) };
    let out = if limb % 2 == 1 { rig.right } else { rig.right * -1.0 };
    let place = |m: V3| root + (out * m.0[0] + rig.up * m.0[1] + rig.forward * m.0[2]) * length;
    let joints = LIMBS[limb].iter().filter_map(|b| rig.joint(*b)).collect();
    let path = Path::new(&mut Random::new(seed + 1), V3(middle), radius);
    let hint = setup.hint.then(|| place(V3(HINTS[usize::from(limb < 2)])));
    let goal = Box::new(move |s: f64| place(path.at(s)));
    walk(&mut LimbWalker { host: &host, start: &start, limb, joints, hint, goal }, STEP, length, found)
}

/// A limb that always starts from the same pose.
struct LimbWalker<'a> {
    host: &'a Host,
    start: &'a [Transform],
    limb: usize,
    joints: Vec<usize>,
    hint: Option<V3>,
    goal: Box<dyn Fn(f64) -> V3 + 'a>,
}

impl Walker for LimbWalker<'_> {
    type Solved = (Vec<Transform>, bool);
    fn goal(&self, s: f64) -> V3 {
        (self.goal)(s)
    }
    fn solve(&self, s: f64, _: Option<&Self::Solved>) -> Result<Self::Solved> {
        self.host.set_pose(self.start)?;
        let goal = Goal { position: Some(self.goal(s)), rotation: None, hint: self.hint, weight: 1.0 };
        self.host.set_goal(self.limb, &goal)?;
        self.host.solve()?;
        Ok((self.host.pose()?, self.host.ended(self.limb)?.reached))
    }
    fn turn(&self, a: &Self::Solved, b: &Self::Solved) -> f64 {
        let rotation = |t: &Transform| Rotation::new(t.rotation.to_array().map(f64::from));
        self.joints.iter().map(|j| rotation(&a.0[*j]).angle_to(rotation(&b.0[*j]))).fold(0.0, f64::max)
    }
    fn is_reached(&self, solved: &Self::Solved) -> bool {
        solved.1
    }
}
