//! `cargo xtask rigs`: skeletons of real characters, mapped automatically, played through the C
//! ABI, judged from outside.
//!
//! For each rig the automatic mapping is compared with the file's own table; then the tutorial
//! scene (the right hand takes hold of a cylinder while the head looks at it) runs in the demo's C
//! host on the avatar that the mapping makes, and the poses are judged in double precision by the
//! file's bones and axes. The bar: the hand within 1 mm on a rig of 1.7 m (in proportion on
//! others), the gaze within half a degree, every elbow and knee bent the way a person's bends.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

pub mod format;
mod judge;
mod mapping;
mod play;
#[cfg(test)]
mod tests;

use crate::paths;
use anyhow::{Context, Result};
use format::Rig;
use mapping::MappingScore;
use play::{Played, Player};
use sinew::humanoid::HumanBone;
use std::path::PathBuf;

/// What to play.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with rig files (`*.json`, format "rig-1").
    folder: PathBuf,
    /// Write `{"rigs": {NAME: {…}}}` to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Draw a contact sheet of each rig into target/rigs/NAME.png.
    #[arg(long)]
    sheets: bool,
}

/// Result of one rig.
struct Report {
    mapping: MappingScore,
    /// `None` for a rig that is no complete humanoid and cannot be played; an error as text when
    /// playing failed.
    played: Option<std::result::Result<Played, String>>,
    /// Required bones we did not find.
    missing: Vec<HumanBone>,
    /// Whether the table of the file lacks the same ones.
    missing_rightly: bool,
}

/// Reads, maps, plays, judges, prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let rigs = format::read_folder(&arguments.folder)?;
    let player = Player::new(&paths::target()?.join("rigs"))?;
    println!("{}", heading());
    let mut reports = Vec::new();
    for rig in &rigs {
        let report = report(rig, &player, arguments.sheets);
        println!("{}", line(rig, &report));
        notes(rig, &report).iter().for_each(|note| println!("    {note}"));
        reports.push(report);
    }
    let good = reports.iter().zip(&rigs).filter(|(report, rig)| faults(rig, report).is_empty()).count();
    println!("{good} of {} rigs as they should be", rigs.len());
    if arguments.sheets {
        println!("contact sheets in {}", player.folder().display());
    }
    if let Some(json) = &arguments.json {
        let all: serde_json::Map<_, _> = rigs.iter().zip(&reports).map(|(r, x)| (r.name.clone(), as_json(x))).collect();
        let text = serde_json::to_string_pretty(&serde_json::json!({ "rigs": all }))? + "\n";
        std::fs::write(json, text).with_context(|| format!("writing {}", json.display()))?;
        println!("results in {}", json.display());
    }
    Ok(())
}

fn report(rig: &Rig, player: &Player, with_sheet: bool) -> Report {
    let mapping = mapping::score(rig);
    let (missing, in_table) = (mapping.map.missing_required(), rig.humanoid.missing_required());
    let played = in_table
        .is_empty()
        .then(|| player.play(rig, &mapping, with_sheet).map_err(|error| format!("not played: {error:#}")));
    Report { missing_rightly: missing == in_table, mapping, played, missing }
}

/// Why a rig is not as it should be; empty when all is well.
fn faults(rig: &Rig, report: &Report) -> Vec<String> {
    let mut faults = Vec::new();
    let mapping = &report.mapping;
    if mapping.required_found < mapping.required || !report.missing_rightly {
        faults.push(format!("required bones: {} of {} found", mapping.required_found, mapping.required));
    }
    faults.extend(mapping.swapped.iter().map(|bone| format!("{} is on the other side", bone.name())));
    if rig.rest_deviation > 1e-4 {
        faults.push(format!("joints lie {:.1e} of the rig's extent from where the file has them", rig.rest_deviation));
    }
    match &report.played {
        Some(Ok(played)) => {
            if played.from_table {
                faults.push("played with the file's table, for our own mapping is not complete".into());
            }
            faults.extend(played.axes_off.clone());
            faults.extend(played.verdict.shortcomings());
        }
        Some(Err(error)) => faults.push(error.clone()),
        None => {}
    }
    faults
}

fn notes(rig: &Rig, report: &Report) -> Vec<String> {
    let mut notes: Vec<String> = faults(rig, report).into_iter().map(|f| format!("FAULT  {f}")).collect();
    notes.extend(report.mapping.wrong.iter().map(|w| format!("wrong  {w}")));
    notes.extend(report.mapping.extra.iter().map(|e| format!("extra  {e}")));
    notes
}

fn heading() -> String {
    format!(
        "{:<28} {:>9} {:>8} {:>5} {:>9} {:>12} {:>10} {:>10} {:>6}",
        "rig", "required", "found", "wrong", "reach", "hand, mm", "look, deg", "side, cos", "bends"
    )
}

fn line(rig: &Rig, report: &Report) -> String {
    let m = &report.mapping;
    let required = format!("{}/{}", m.required_found, m.required);
    let found = format!("{}/{}", m.found, m.listed);
    let head = format!("{:<28} {required:>9} {found:>8} {:>5}", rig.name, m.wrong.len());
    match &report.played {
        Some(Ok(Played { verdict: v, .. })) => {
            let reach = format!("{}/{}", v.reachable_frames, v.full_frames);
            format!(
                "{head} {reach:>9} {:>12.5} {:>10.4} {:>10.2} {:>6}",
                v.hand_error_mm, v.look_error_deg, v.elbow_side, v.wrong_side_bends
            )
        }
        Some(Err(_)) => format!("{head} not played"),
        None => {
            let names: Vec<_> = report.missing.iter().map(|b| b.name()).collect();
            let which = if names.len() == HumanBone::REQUIRED.len() { "all bones".into() } else { names.join(", ") };
            let verdict = if report.missing_rightly { "as the file says" } else { "NOT as the file says" };
            format!("{head} {:?}: missing {which}, {verdict}", m.shape)
        }
    }
}

fn as_json(report: &Report) -> serde_json::Value {
    let m = &report.mapping;
    let mut value = serde_json::json!({
        "required_found": m.required_found,
        "required": m.required,
        "found": m.found,
        "listed": m.listed,
        "wrong": m.wrong,
        "missing": report.missing.iter().map(|b| b.name()).collect::<Vec<_>>(),
        "missing_as_listed": report.missing_rightly,
        "hand_error_mm": null,
        "look_error_deg": null,
        "wrong_side_bends": null,
    });
    match &report.played {
        Some(Ok(played)) => {
            let v = &played.verdict;
            value["hand_error_mm"] = v.hand_error_mm.into();
            value["look_error_deg"] = v.look_error_deg.into();
            value["wrong_side_bends"] = v.wrong_side_bends.into();
            value["right_is_right"] = v.right_is_right.into();
            value["reachable_frames"] = v.reachable_frames.into();
            value["full_frames"] = v.full_frames.into();
        }
        Some(Err(error)) => value["error"] = error.clone().into(),
        None => {}
    }
    value
}
