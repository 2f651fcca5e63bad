//! Smooth closed paths of hands and feet: does anything jump?

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
/// Turn of a joint in a step from which on a step is bisected, and that a jump keeps, radians.
const SUSPECT: f64 = 8.0 * std::f64::consts::PI / 180.0;
const BISECTIONS: usize = 14;

/// A closed sum of sines.
struct Path {
    middle: V3,
    terms: [(V3, V3, f64); 3],
}

impl Path {
    fn new(random: &mut Random, middle: V3, radius: f64) -> Self {
        let mut term = |k: f64| {
            let mut v = || V3(random.in_ball(1.0).to_array().map(f64::from));
            let scale = radius / k.sqrt();
            (v() * scale, v() * scale, k)
        };
        Self { middle, terms: [term(1.0), term(2.0), term(3.0)] }
    }
    fn at(&self, s: f64) -> V3 {
        self.terms.iter().fold(self.middle, |sum, (a, b, k)| {
            let (sine, cosine) = (std::f64::consts::TAU * k * s).sin_cos();
            sum + *a * cosine + *b * sine
        })
    }
}

/// What a path showed.
#[derive(Default)]
struct Found {
    metres: f64,
    jumps: usize,
    /// Of those, with the goal reached on both sides.
    reached: usize,
    large: usize,
    steepest: f64,
}

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
            println!("{label:<20} {:>8.0} {}", found[0].1.metres, cells.concat());
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
    let joints: Vec<usize> = LIMBS[limb].iter().filter_map(|b| rig.joint(*b)).collect();
    let path = Path::new(&mut Random::new(seed + 1), V3(middle), radius);
    let solve = |s: f64| -> Result<(Vec<Transform>, bool)> {
        host.set_pose(&start)?;
        let hint = setup.hint.then(|| place(V3(HINTS[usize::from(limb < 2)])));
        host.set_goal(limb, &Goal { position: Some(place(path.at(s))), rotation: None, hint, weight: 1.0 })?;
        host.solve()?;
        Ok((host.pose()?, host.ended(limb)?.reached))
    };
    let rotation = |t: &Transform| Rotation::new(t.rotation.to_array().map(f64::from));
    let turn = |a: &[Transform], b: &[Transform]| {
        joints.iter().map(|j| rotation(&a[*j]).angle_to(rotation(&b[*j]))).fold(0.0, f64::max)
    };
    let (mut s, mut before) = (0.0, solve(0.0)?);
    while s < 1.0 {
        // Steps of equal length, near enough.
        let speed = path.at(s).distance(path.at(s + 1e-5)) / 1e-5;
        let next = (s + STEP / speed.max(1e-3)).min(1.0);
        let after = solve(next)?;
        let turned = turn(&before.0, &after.0);
        found.metres += STEP;
        if turned > SUSPECT {
            let (mut a, mut b) = ((s, before), (next, (after.0.clone(), after.1)));
            for _ in 0..BISECTIONS {
                let half = 0.5 * (a.0 + b.0);
                let middle = solve(half)?;
                if turn(&a.1.0, &middle.0) >= turn(&middle.0, &b.1.0) { b = (half, middle) } else { a = (half, middle) }
            }
            let left = turn(&a.1.0, &b.1.0);
            if left > SUSPECT {
                found.jumps += 1;
                found.reached += usize::from(a.1.1 && b.1.1);
                found.large += usize::from(left > std::f64::consts::FRAC_PI_2);
            } else {
                found.steepest = found.steepest.max(turned.to_degrees() / (STEP * 100.0));
            }
        } else {
            found.steepest = found.steepest.max(turned.to_degrees() / (STEP * 100.0));
        }
        (s, before) = (next, after);
    }
    Ok(())
}
