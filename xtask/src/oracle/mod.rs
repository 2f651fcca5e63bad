//! `cargo xtask oracle`: the library's solvers against reference poses that another program
//! computed.
//!
//! Everything is judged on the joint rotations alone: forward kinematics, errors, limits and reach
//! are computed here, in double precision, from the formulas of `docs/oracle.md`. A solver's own
//! outcome is not used.
#![allow(clippy::disallowed_methods)] // a judge's numbers, not poses

mod body_subject;
mod chain_subject;
mod format;
pub mod geometry;
mod goals;
mod joints;
mod kinematics;
mod limb_subject;
mod measure;
mod rig;
mod run;
mod score;
mod subjects;
mod sweep;
mod table;
mod verify;
#[cfg(test)]
mod tests;

use crate::sh;
use anyhow::{Context, Result, bail};
use score::Score;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What to score.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with reference files (`*.json`, format "ik-reference/1").
    folder: PathBuf,
    /// Only files whose names start with this, such as `g04`.
    #[arg(long)]
    group: Option<String>,
    /// Only this solver, beside the reference.
    #[arg(long)]
    solver: Option<String>,
    /// Write `{"groups": {NAME: {SOLVER: {…}}}}` to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// A line for every kind of case, too.
    #[arg(long)]
    kinds: bool,
    /// List what each solver did not do as well as it can be done; the reference's with
    /// `--failures blender`.
    #[arg(long, value_name = "SOLVER", num_args = 0..=1, default_missing_value = "default")]
    failures: Option<String>,
    /// Stay in this build. Without it an unoptimised build starts an optimised one, so that times
    /// are meaningful.
    #[arg(long)]
    debug: bool,
}

/// Reads, solves, scores, prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    format::list_folder(&arguments.folder, arguments.group.as_deref())?;
    if cfg!(debug_assertions) && !arguments.debug {
        return run_optimised(arguments);
    }
    let groups = format::read_folder(&arguments.folder, arguments.group.as_deref())?;
    let mut subjects = subjects::all();
    if let Some(only) = &arguments.solver {
        let names: Vec<&str> = subjects.iter().map(|s| s.name).collect();
        if !names.contains(&only.as_str()) {
            bail!("no solver {only}; there are {}", names.join(", "));
        }
        subjects.retain(|s| s.name == only);
    } else {
        subjects.retain(|s| !s.is_only_by_name());
    }
    let mut scores: BTreeMap<String, BTreeMap<String, Score>> = BTreeMap::new();
    let mut notes = Vec::new();
    println!("{}", table::heading("group"));
    for group in &groups {
        let agreement = verify::verify(group).with_context(|| group.group.clone())?;
        let result = run::run_group(group, &subjects);
        let group_scores = scores.entry(result.name.clone()).or_default();
        for solver in score::solvers(&result, &subjects) {
            let mut failures = Vec::new();
            let line = score::score(&result, &solver, |_| true, &mut failures);
            println!("{}", table::line(&result.name, &solver, &line));
            group_scores.insert(solver.clone(), line);
            if arguments.kinds {
                print_kinds(&result, &solver);
            }
            if arguments.failures.as_ref() == Some(&solver) {
                failures.iter().for_each(|f| println!("    {} frame {}: {}", f.case, f.frame, f.what));
            }
        }
        for (solver, reasons) in &result.not_applicable {
            for (reason, count) in reasons {
                notes.push(format!("{}: {solver} does not take {count} cases: {reason}", result.name));
            }
        }
        notes.extend(result.complaints.iter().map(|text| format!("{}: {text}", result.name)));
        notes.push(format!("{}: our numbers agree with the file's own to {:.1e}", result.name, agreement.worst));
        notes.extend(
            agreement.broken.iter().map(|what| format!("{}: the file contradicts itself in {what}", result.name)),
        );
    }
    println!();
    notes.iter().for_each(|note| println!("{note}"));
    if let Some(json) = &arguments.json {
        let text = serde_json::to_string_pretty(&serde_json::json!({ "groups": scores }))? + "\n";
        std::fs::write(json, text).with_context(|| format!("writing {}", json.display()))?;
        println!("scores in {}", json.display());
    }
    Ok(())
}

fn print_kinds(result: &run::GroupResult, solver: &str) {
    let mut kinds: Vec<&str> = Vec::new();
    for case in &result.cases {
        if !kinds.contains(&case.case.kind.as_str()) {
            kinds.push(&case.case.kind);
        }
    }
    for kind in kinds {
        let line = score::score(result, solver, |r| r.case.kind == kind, &mut Vec::new());
        println!("{}", table::line(&format!("  {kind}"), solver, &line));
    }
}

/// Hands over to an optimised build of this program.
fn run_optimised(arguments: &Arguments) -> Result<()> {
    let mut cargo = sh::cargo(&["run", "--release", "--package", "sinew-xtask", "--bin", "xtask", "--", "oracle"]);
    // Cargo is started in the repository, which need not be where we are.
    cargo.arg(std::path::absolute(&arguments.folder)?);
    for (option, value) in
        [("--group", &arguments.group), ("--solver", &arguments.solver), ("--failures", &arguments.failures)]
    {
        if let Some(value) = value {
            cargo.args([option, value.as_str()]);
        }
    }
    if let Some(json) = &arguments.json {
        cargo.arg("--json").arg(std::path::absolute(json)?);
    }
    if arguments.kinds {
        cargo.arg("--kinds");
    }
    if !cargo.status().context("starting cargo")?.success() {
        bail!("the optimised build did not succeed");
    }
    Ok(())
}
