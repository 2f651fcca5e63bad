//! `cargo xtask bench`: criterion's benchmarks and instruction counts, and their numbers in one file.

use crate::{paths, sh};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Criterion's times.
    Times,
    /// Instructions under callgrind; `save` makes them the committed ones.
    Instructions {
        /// Whether.
        save: bool,
    },
}

/// Runs the benchmarks whose names contain `filter`; writes `{"NAME": {"ns": x}}` or `{"NAME": {"instructions": n}}` to `json`, where what the file
/// already says about a row's other number stays.
pub fn run(filter: Option<&str>, json: Option<&Path>, what: What) -> Result<()> {
    let rows = match what {
        What::Times => ("ns", times(filter, json.is_some())?),
        What::Instructions { save } => ("instructions", crate::instructions::run(filter, save)?),
    };
    let Some(json) = json else { return Ok(()) };
    let mut table: BTreeMap<String, serde_json::Value> = match std::fs::read_to_string(json) {
        Ok(text) => serde_json::from_str(&text).with_context(|| json.display().to_string())?,
        Err(_) => BTreeMap::new(),
    };
    let (unit, rows) = rows;
    for row in table.values_mut().filter_map(|row| row.as_object_mut()) {
        row.remove(unit);
    }
    table.retain(|_, row| row.as_object().is_some_and(|row| !row.is_empty()));
    let count = rows.len();
    for (name, number) in rows {
        table.entry(name).or_insert_with(|| serde_json::json!({}))[unit] = number.into();
    }
    std::fs::write(json, serde_json::to_string_pretty(&table)? + "\n")?;
    println!("{count} numbers in {}", json.display());
    Ok(())
}

/// Criterion's estimates, nanoseconds.
fn times(filter: Option<&str>, wanted: bool) -> Result<BTreeMap<String, f64>> {
    let started = std::time::SystemTime::now();
    let mut cargo = sh::cargo(&["bench", "--package", "sinew", "--benches"]);
    if let Some(filter) = filter {
        cargo.args(["--", filter]);
    }
    if !cargo.status().context("starting cargo bench")?.success() {
        bail!("cargo bench failed");
    }
    let reports = paths::target()?.join("criterion");
    println!("reports: {}", reports.display());
    let mut estimates = BTreeMap::new();
    collect(&reports, &reports, started, &mut estimates)?;
    if estimates.is_empty() && wanted {
        bail!("no benchmark left an estimate");
    }
    Ok(estimates)
}

/// Gathers `**/new/estimates.json` of this run: the time of one iteration, the slope where criterion fits one, else the mean.
fn collect(
    reports: &Path,
    folder: &Path,
    started: std::time::SystemTime,
    out: &mut BTreeMap<String, f64>,
) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.join("estimates.json");
        if path.ends_with("new") && file.is_file() {
            if file.metadata()?.modified()? < started {
                continue;
            }
            let text = std::fs::read_to_string(&file)?;
            let value: serde_json::Value = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
            let ns = value["slope"]["point_estimate"].as_f64().or(value["mean"]["point_estimate"].as_f64());
            let name = folder.strip_prefix(reports).unwrap_or(folder).to_string_lossy().replace('\\', "/");
            out.insert(name, ns.context("no estimate")?);
        } else if path.is_dir() {
            collect(reports, &path, started, out)?;
        }
    }
    Ok(())
}
