//! Captured motion: its hands and feet as goals, its elbows and knees as the truth.

use super::clip_file::{self, ClipFile};
use super::host::{Goal, Host, Setup};
use super::subject::{LIMBS, Subject, rotation_of};
use crate::ground::clip::percentile;
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use sinew::math::Transform;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A skeleton and its frames.
pub struct Clip {
    pub subject: Subject,
    pub frames: Vec<Vec<Transform>>,
    /// Frames in a quarter of a second.
    lag: usize,
}

/// Every clip of a folder, by name.
pub fn read_folder(folder: &Path) -> Result<Vec<Clip>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.to_string_lossy().ends_with(".json") && !p.to_string_lossy().ends_with(".truth.json"));
    paths.sort();
    paths.iter().map(|path| read(path).with_context(|| path.display().to_string())).collect()
}

fn read(path: &Path) -> Result<Clip> {
    let file = ClipFile::read(path)?;
    let skeleton = file.skeleton()?;
    let map = file.human_map(&skeleton);
    let frames = file.poses(&skeleton);
    let (up, forward) = (V3([0.0, 1.0, 0.0]), V3([0.0, 0.0, 1.0]));
    let lag = (0.25 * file.fps).round() as usize;
    Ok(Clip { subject: Subject::new(&clip_file::name(path), skeleton, &map, up, forward), frames, lag })
}

/// From what pose the limbs are solved; the trunk is always the captured one.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    TPose,
    Hanging,
    FirstFrame,
    Lag,
}

const STARTS: [(Start, &str); 4] =
    [(Start::TPose, "T-pose"), (Start::Hanging, "hanging"), (Start::FirstFrame, "frame 0"), (Start::Lag, "0.25 s ago")];

impl Clip {
    /// The captured frame with its limbs from elsewhere.
    fn start(&self, frame: usize, start: Start, hanging: &[Transform]) -> Vec<Transform> {
        let mut pose = self.frames[frame].clone();
        let from = match start {
            Start::TPose => &self.subject.t_pose,
            Start::Hanging => hanging,
            Start::FirstFrame => &self.frames[0],
            Start::Lag => &self.frames[frame.saturating_sub(self.lag)],
        };
        for joint in LIMBS.iter().flatten().filter_map(|b| self.subject.joint(*b)) {
            pose[joint].rotation = from[joint].rotation;
        }
        pose
    }
}

/// Goals of real people: how many are called unreachable, how far hands stay away, how often a
/// thigh or an upper arm rolls in one frame under a hint at the captured joint.
pub fn goals(clips: &[Clip], every: usize) -> Result<Value> {
    println!("\ngoals from captured motion (hand or foot, position and rotation)");
    println!(
        "{:<12} {:<13} {:<5} {:>8} {:>14} {:>10} {:>12}",
        "from", "setup", "limb", "goals", "unreachable %", "max mm", "max deg"
    );
    let mut rows = Vec::new();
    for (start, label) in STARTS {
        for setup in Setup::ALL {
            for (limbs, name) in [([2, 3], "arm"), ([0, 1], "leg")] {
                let (mut count, mut unreachable, mut far, mut turned) = (0usize, 0usize, 0.0f64, 0.0f64);
                let mut farthest = String::new();
                for clip in clips {
                    let (host, hanging) = (Host::new(&clip.subject, &Host::settings(setup)?)?, clip.subject.hanging());
                    for frame in (0..clip.frames.len()).step_by(every) {
                        let truth = clip.subject.world(&clip.frames[frame]);
                        host.set_pose(&clip.start(frame, start, &hanging))?;
                        let ends = limbs.map(|limb| clip.subject.joint(LIMBS[limb][2]));
                        for (limb, end) in limbs.into_iter().zip(ends) {
                            let Some(end) = end else { continue };
                            let (position, rotation) = (V3(truth[end].position), rotation_of(&truth[end]));
                            let goal =
                                Goal { position: Some(position), rotation: Some(rotation), hint: None, weight: 1.0 };
                            host.set_goal(limb, &goal)?;
                        }
                        host.solve()?;
                        let world = clip.subject.world(&host.pose()?);
                        for (limb, end) in limbs.into_iter().zip(ends) {
                            let Some(end) = end else { continue };
                            let off = V3(world[end].position).distance(V3(truth[end].position));
                            count += 1;
                            unreachable += usize::from(host.ended(limb)?.unreachable);
                            if off * 1000.0 > far {
                                far = off * 1000.0;
                                farthest = format!("{} {frame}", clip.subject.name);
                            }
                            turned =
                                turned.max(rotation_of(&world[end]).angle_to(rotation_of(&truth[end])).to_degrees());
                        }
                    }
                }
                let percent = 100.0 * unreachable as f64 / count.max(1) as f64;
                let on = setup.name();
                println!(
                    "{label:<12} {on:<13} {name:<5} {count:>8} {percent:>14.2} {far:>10.3} {turned:>12.3}   {}",
                    if far > 0.1 { &farthest } else { "" }
                );
                rows.push(json!({ "from": label, "setup": on, "limb": name, "goals": count,
                    "unreachable_percent": percent, "max_mm": far, "max_deg": turned }));
            }
        }
    }
    let rolls = hinted_rolls(clips)?;
    Ok(json!({ "goals": rows, "rolls_with_hint": rolls }))
}

/// Steps in which the root joint of a limb with the captured joint as its hint turns by more than
/// 30° and twice what the captured one turns.
fn hinted_rolls(clips: &[Clip]) -> Result<Value> {
    let mut rows = Vec::new();
    let with_setups = |start: (Start, &'static str)| [Setup::FREE, Setup::LIMITS].map(|setup| (start, setup));
    for ((start, label), setup) in STARTS.into_iter().flat_map(with_setups) {
        let (mut steps, mut rolls, mut most) = (0usize, 0usize, 0.0f64);
        for clip in clips {
            let (host, hanging) = (Host::new(&clip.subject, &Host::settings(setup)?)?, clip.subject.hanging());
            let mut last: Option<Vec<Transform>> = None;
            for frame in 0..clip.frames.len() {
                let truth = clip.subject.world(&clip.frames[frame]);
                host.set_pose(&clip.start(frame, start, &hanging))?;
                for (limb, bones) in LIMBS.iter().enumerate() {
                    let [_, mid, end] = bones.map(|b| clip.subject.joint(b).map(|j| V3(truth[j].position)));
                    host.set_goal(limb, &Goal { position: end, hint: mid, rotation: None, weight: 1.0 })?;
                }
                host.solve()?;
                let pose = host.pose()?;
                if let Some(last) = &last {
                    for root in LIMBS.iter().filter_map(|bones| clip.subject.joint(bones[0])) {
                        let of = |t: &Transform| Rotation::new(t.rotation.to_array().map(f64::from));
                        let turn = |a: &[Transform], b: &[Transform]| of(&a[root]).angle_to(of(&b[root])).to_degrees();
                        let own = turn(&clip.frames[frame - 1], &clip.frames[frame]);
                        steps += 1;
                        let turned = turn(last, &pose);
                        most = most.max(turned / (30.0 + 2.0 * own));
                        if turned > 30.0 + 2.0 * own {
                            rolls += 1;
                            let (clip, joint) = (&clip.subject.name, &clip.subject.names[root]);
                            println!("  {label:<12} {clip} {frame} {joint}: {turned:.0}°, captured {own:.0}°");
                        }
                    }
                }
                last = Some(pose);
            }
        }
        let on = setup.name();
        println!(
            "hints at the captured joints, from {label}, {on}: {rolls} of {steps} steps roll the limb, \
            most {most:.2} of what may be; the bar is 0"
        );
        rows.push(json!({ "from": label, "setup": on, "steps": steps, "rolls": rolls, "most": most }));
    }
    Ok(Value::Array(rows))
}

/// Swivel of elbows and knees about the line from root to end, against the captured ones.
pub fn elbows(clips: &[Clip], every: usize) -> Result<Value> {
    println!("\nswivel of elbows and knees off the captured one, degrees (mean, 90 %, part above 60°)");
    println!("goals: hand or foot with its rotation, or its position alone");
    let mut rows = Vec::new();
    for (start, label) in STARTS {
        for (setup, turns) in Setup::ALL.into_iter().flat_map(|setup| [(setup, true), (setup, false)]) {
            for (limbs, name) in [([2, 3], "elbow"), ([0, 1], "knee")] {
                let mut off = Vec::new();
                for clip in clips {
                    let (host, hanging) = (Host::new(&clip.subject, &Host::settings(setup)?)?, clip.subject.hanging());
                    for frame in (0..clip.frames.len()).step_by(every) {
                        let truth = clip.subject.world(&clip.frames[frame]);
                        host.set_pose(&clip.start(frame, start, &hanging))?;
                        for limb in limbs {
                            let Some(end) = clip.subject.joint(LIMBS[limb][2]) else { continue };
                            let rotation = turns.then(|| rotation_of(&truth[end]));
                            let position = Some(V3(truth[end].position));
                            host.set_goal(limb, &Goal { position, rotation, hint: None, weight: 1.0 })?;
                        }
                        host.solve()?;
                        let world = clip.subject.world(&host.pose()?);
                        for limb in limbs {
                            let at = |bone| clip.subject.at(&truth, bone).zip(clip.subject.at(&world, bone));
                            let [Some(root), Some(mid), Some(end)] = LIMBS[limb].map(at) else { continue };
                            let line = end.0 - root.0;
                            let [captured, solved] = [mid.0, mid.1].map(|m| (m - root.0).across(line));
                            // A straight limb has no swivel.
                            if captured.len() > 0.02 * line.len() && solved.len() > 0.02 * line.len() {
                                off.push(captured.angle(solved).to_degrees());
                            }
                        }
                    }
                }
                let mean = off.iter().sum::<f64>() / off.len().max(1) as f64;
                let above = 100.0 * off.iter().filter(|a| **a > 60.0).count() as f64 / off.len().max(1) as f64;
                let most = percentile(off, 90.0);
                let (on, goal) = (setup.name(), if turns { "whole" } else { "position" });
                println!("{label:<12} {on:<13} {goal:<9} {name:<6} {mean:>6.1} {most:>6.1} {above:>6.2} %");
                rows.push(
                    json!({ "from": label, "setup": on, "goal": goal, "joint": name, "mean_deg": mean, "p90_deg": most,
                    "over_60_percent": above }),
                );
            }
        }
    }
    Ok(Value::Array(rows))
}

/// Time of a solve with four goals of a captured frame, from the pose a quarter of a second before.
pub fn cost(clips: &[Clip], every: usize) -> Result<Value> {
    println!("\ntime of a solve with four limbs, goals from clips, microseconds (median, 99 %, most; least of 5)");
    if cfg!(debug_assertions) {
        println!("an unoptimised build: the figures say nothing; use cargo run --release -p sinew-xtask");
    }
    let mut rows = Vec::new();
    for setup in Setup::ALL {
        let mut times = Vec::new();
        for clip in clips {
            let (host, hanging) = (Host::new(&clip.subject, &Host::settings(setup)?)?, clip.subject.hanging());
            for frame in (0..clip.frames.len()).step_by(every) {
                let truth = clip.subject.world(&clip.frames[frame]);
                let start = clip.start(frame, Start::Lag, &hanging);
                for (limb, bones) in LIMBS.iter().enumerate() {
                    let Some(end) = clip.subject.joint(bones[2]) else { continue };
                    let (position, rotation) = (Some(V3(truth[end].position)), Some(rotation_of(&truth[end])));
                    host.set_goal(limb, &Goal { position, rotation, hint: None, weight: 1.0 })?;
                }
                let mut least = f64::MAX;
                for _ in 0..5 {
                    host.set_pose(&start)?;
                    let clock = Instant::now();
                    host.solve()?;
                    least = least.min(clock.elapsed().as_secs_f64() * 1e6);
                }
                times.push(least);
            }
        }
        let [median, most, worst] = [50.0, 99.0, 100.0].map(|p| percentile(times.clone(), p));
        println!("{:<13} {median:>8.2} {most:>8.2} {worst:>8.2}", setup.name());
        rows.push(json!({ "setup": setup.name(), "median_us": median, "p99_us": most, "max_us": worst }));
    }
    Ok(Value::Array(rows))
}
