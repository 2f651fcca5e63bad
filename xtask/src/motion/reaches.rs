//! Everyday reaches of the right hand within human limits, from lowered arms.

use super::host::{Goal, Host, Setup};
use super::subject::{LIMBS, Subject};
use crate::oracle::geometry::V3;
use crate::picture::raster::{Camera, Line, Picture, Scene};
use crate::picture::save;
use crate::picture::vector::{Vec3, vec3};
use anyhow::Result;
use serde_json::{Map, Value, json};
use sinew::humanoid::HumanBone;
use std::path::Path;
use testkit::matchers::Affine64;

/// Length of an arm that the distances below are for, metres.
const ARM: f64 = 0.55;

/// Where the wrist goes: a name, a bone, and the way from its joint to the right, up and forward
/// for an arm of [`ARM`].
const REACHES: [(&str, HumanBone, [f64; 3]); 8] = [
    ("mouth", HumanBone::Head, [0.06, -0.02, 0.16]),
    ("top of head", HumanBone::Head, [0.06, 0.19, 0.02]),
    ("back of head", HumanBone::Head, [0.08, 0.08, -0.09]),
    ("other shoulder", HumanBone::LeftUpperArm, [0.05, 0.02, 0.10]),
    ("small of back", HumanBone::Hips, [0.06, 0.10, -0.15]),
    ("pocket", HumanBone::RightUpperLeg, [0.10, 0.06, 0.02]),
    ("far across", HumanBone::LeftUpperArm, [-0.05, -0.05, 0.25]),
    ("overhead", HumanBone::RightUpperArm, [0.02, 0.50, 0.03]),
];
const RIGHT_HAND: usize = 3;

/// What came of one reach.
struct Reach {
    name: &'static str,
    /// Left without and with limits, millimetres on a person with an arm of [`ARM`].
    free_mm: f64,
    limited_mm: f64,
    called_reached: bool,
    pose: Vec<Affine64>,
    goal: V3,
}

/// The table.
pub fn run(rigs: &[Subject], pictures: Option<&Path>) -> Result<Value> {
    println!("\neveryday reaches of the right hand, limits on: distance left, mm (free arm in brackets where above 1)");
    let mut all = Map::new();
    let mut worst: (f64, String) = (0.0, String::new());
    for rig in rigs {
        let found = reach_all(rig)?;
        // What no arm of this length reaches is no matter of limits.
        let within: Vec<&Reach> = found.iter().filter(|r| r.free_mm < 1.0).collect();
        let mean = within.iter().map(|r| r.limited_mm).sum::<f64>() / within.len().max(1) as f64;
        if mean > worst.0 {
            worst = (mean, rig.name.clone());
        }
        let cells: Vec<String> = found
            .iter()
            .map(|r| match r.free_mm >= 1.0 {
                true => format!("{} {:.0} ({:.0})", r.name, r.limited_mm, r.free_mm),
                false => format!("{} {:.0}", r.name, r.limited_mm),
            })
            .collect();
        println!("{:<28} mean {mean:>6.1}   {}", rig.name, cells.join("  "));
        let by_name = found.iter().map(|r| {
            let value = json!({ "mm": r.limited_mm, "free_mm": r.free_mm, "reached": r.called_reached });
            (r.name.to_string(), value)
        });
        all.insert(rig.name.clone(), json!({ "mean_mm": mean, "reaches": by_name.collect::<Map<_, _>>() }));
        if let Some(folder) = pictures {
            draw(rig, &found, folder)?;
        }
    }
    println!("worst mean {:.1} mm ({}); the bar is 20", worst.0, worst.1);
    Ok(json!({ "rigs": all, "worst_mean_mm": worst.0 }))
}

fn reach_all(rig: &Subject) -> Result<Vec<Reach>> {
    let hosts =
        [Setup::FREE, Setup::LIMITS].map(|setup| Host::settings(setup).and_then(|settings| Host::new(rig, &settings)));
    let [free, limited] = hosts;
    let hosts = [free?, limited?];
    let start = rig.hanging();
    let before = rig.world(&start);
    let unit = rig.limb_length(&before, RIGHT_HAND) / ARM;
    let Some(hand) = rig.joint(LIMBS[RIGHT_HAND][2]) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (name, bone, [right, up, forward]) in REACHES {
        let Some(from) = rig.at(&before, bone) else { continue };
        let goal = from + (rig.right * right + rig.up * up + rig.forward * forward) * unit;
        let mut left = [0.0; 2];
        let mut pose = Vec::new();
        let mut called_reached = false;
        for (host, left) in hosts.iter().zip(&mut left) {
            host.set_pose(&start)?;
            host.set_goal(RIGHT_HAND, &Goal { position: Some(goal), weight: 1.0, ..Goal::default() })?;
            host.solve()?;
            pose = rig.world(&host.pose()?);
            called_reached = host.ended(RIGHT_HAND)?.reached;
            *left = V3(pose[hand].position).distance(goal) / unit * 1000.0;
        }
        found.push(Reach { name, free_mm: left[0], limited_mm: left[1], called_reached, pose, goal });
    }
    Ok(found)
}

const SIDE: usize = 230;

/// All reaches of a rig in a row, seen from the front and from behind.
fn draw(rig: &Subject, found: &[Reach], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut sheet = Picture::new(SIDE * found.len(), 2 * SIDE + 26, [248, 249, 251]);
    // The stage has Y up.
    let on_stage = |v: V3| vec3(v.dot(rig.right) as f32, v.dot(rig.up) as f32, v.dot(rig.forward) as f32);
    let human = |j: usize| rig.human.contains(&Some(j));
    for (column, reach) in found.iter().enumerate() {
        sheet.text(&format!("{} {:.0} mm", reach.name, reach.limited_mm), column * SIDE + 4, 6, 1, [32, 38, 48]);
        let at = |j: usize| on_stage(V3(reach.pose[j].position));
        let shown: Vec<Vec3> = (0..reach.pose.len()).filter(|j| human(*j)).map(at).collect();
        let mut lines = Vec::new();
        for joint in 0..reach.pose.len() {
            // To the next human joint above.
            let mut above = rig.parents[joint];
            while let Some(parent) = above.filter(|p| !human(*p)) {
                above = rig.parents[parent];
            }
            if let (true, Some(parent)) = (human(joint), above) {
                let right = rig.human.iter().zip(sinew::humanoid::HumanBone::ALL);
                let is_right = right.filter(|(j, _)| **j == Some(joint)).any(|(_, b)| b.name().starts_with("Right"));
                let colour = if is_right { [47, 111, 214] } else { [96, 108, 128] };
                lines.push(Line { from: at(parent), to: at(joint), width_px: 2.5, colour, alpha: 1.0 });
            }
        }
        let goal = on_stage(reach.goal);
        let size = 0.02 * rig.limb_length(&reach.pose, RIGHT_HAND) as f32 / ARM as f32;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let (from, to) = (goal - axis * size, goal + axis * size);
            lines.push(Line { from, to, width_px: 2.0, colour: [204, 61, 53], alpha: 1.0 });
        }
        for (row, back) in [vec3(0.6, 0.25, 0.9), vec3(0.9, 0.25, -0.6)].into_iter().enumerate() {
            let camera = Camera::fit(&shown, back, 0.4, 1.0, 0.05);
            let picture = Scene::default().render(&camera, &lines, SIDE, SIDE, 1);
            sheet.paste(&picture, column * SIDE, 26 + row * SIDE);
        }
    }
    save(&sheet, &folder.join(format!("{}.png", rig.name)))
}
