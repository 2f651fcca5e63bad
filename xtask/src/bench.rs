//! `cargo xtask bench`: criterion's benchmarks, and their numbers in one file.

use crate::{paths, sh};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// Runs the benchmarks whose names contain `filter`; writes `{"NAME": {"ns": x}}` to `json`.
pub fn run(filter: Option<&str>, json: Option<&Path>) -> Result<()> {
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
    let Some(json) = json else { return Ok(()) };
    let mut estimates = BTreeMap::new();
    collect(&reports, &reports, started, &mut estimates)?;
    if estimates.is_empty() {
        bail!("no benchmark left an estimate");
    }
    std::fs::write(json, serde_json::to_string_pretty(&estimates)? + "\n")?;
    println!("{} estimates in {}", estimates.len(), json.display());
    Ok(())
}

/// Gathers `**/new/estimates.json` of this run: the time of one iteration, the slope where criterion fits one, else the mean.
fn collect(
    reports: &Path,
    folder: &Path,
    started: std::time::SystemTime,
    out: &mut BTreeMap<String, serde_json::Value>,
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
            out.insert(name, serde_json::json!({ "ns": ns.context("no estimate")? }));
        } else if path.is_dir() {
            collect(reports, &path, started, out)?;
        }
    }
    Ok(())
}
