//! `cargo xtask bench`: criterion's benchmarks and instruction counts, and their numbers in one
//! file; the Godot nodes beside the engine's own.

use crate::isolated_build::IsolatedBuild;
use crate::{godot, paths, sh};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Times: criterion's benchmarks and the rows of examples/instructions.rs; where valgrind is,
    /// the rows' instructions too if a file for them is given.
    All,
    /// The rows and scenes of examples/instructions.rs, written to the page of this machine.
    Table,
    /// Instructions under callgrind; `save` makes them the committed ones.
    Instructions {
        /// Whether.
        save: bool,
    },
}

/// Numbers by name.
type Numbers = BTreeMap<String, f64>;

/// Runs what `filter` is part of the name of; writes `{"NAME": {"ns": x, "instructions": n}}` to
/// `json`, which keeps the numbers of kinds that were not measured now.
pub fn run(filter: Option<&str>, json: Option<&Path>, what: What) -> Result<()> {
    let mut measured: Vec<(&str, Numbers)> = Vec::new();
    match what {
        What::Instructions { save } => measured.push(("instructions", crate::instructions::run(filter, save)?)),
        What::Table => {
            let rows = rows(filter)?;
            crate::bench_table::write(&rows)?;
            measured.push(("ns", rows.into_iter().map(|row| (row.name, row.ns)).collect()));
        }
        What::All => {
            let rows = rows(filter)?;
            rows.iter().for_each(|row| println!("{:<44}{:>14.2} ns{:>8} rounds", row.name, row.ns, row.rounds));
            let mut ns: Numbers = rows.into_iter().map(|row| (row.name, row.ns)).collect();
            ns.extend(times(filter)?);
            measured.push(("ns", ns));
            if json.is_some() {
                match crate::instructions::cannot()? {
                    None => measured.push(("instructions", crate::instructions::run(filter, false)?)),
                    Some(why) => println!("{why}"),
                }
            }
        }
    }
    let Some(json) = json else { return Ok(()) };
    let mut table: BTreeMap<String, serde_json::Value> = match std::fs::read_to_string(json) {
        Ok(text) => serde_json::from_str(&text).with_context(|| json.display().to_string())?,
        Err(_) => BTreeMap::new(),
    };
    for (unit, rows) in measured {
        for row in table.values_mut().filter_map(|row| row.as_object_mut()) {
            row.remove(unit);
        }
        for (name, number) in rows {
            table.entry(name).or_insert_with(|| serde_json::json!({}))[unit] = number.into();
        }
    }
    table.retain(|_, row| row.as_object().is_some_and(|row| !row.is_empty()));
    std::fs::write(json, serde_json::to_string_pretty(&table)? + "\n")?;
    println!("{} rows in {}", table.len(), json.display());
    Ok(())
}

/// A row or scene that was timed.
pub struct Timed {
    pub name: String,
    /// Per unit, the least of all rounds, by the clock of the thread.
    pub ns: f64,
    pub rounds: u32,
}

/// Times of the rows and scenes of examples/instructions.rs.
fn rows(filter: Option<&str>) -> Result<Vec<Timed>> {
    let program = crate::instructions::program()?;
    let text = sh::run(&mut sh::command(&program, &["--times", filter.unwrap_or_default()]))?.stdout;
    let row = |line: &str| {
        let mut words = line.split(' ');
        let (name, ns, rounds) = (words.next()?, words.next()?, words.next()?);
        Some(Timed { name: name.to_string(), ns: ns.parse().ok()?, rounds: rounds.parse().ok()? })
    };
    text.lines().map(|line| row(line).with_context(|| format!("not a row: {line:?}"))).collect()
}

/// Criterion's estimates, nanoseconds.
fn times(filter: Option<&str>) -> Result<Numbers> {
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
    Ok(estimates)
}

/// Gathers `**/new/estimates.json` of this run: the time of one iteration, the slope where
/// criterion fits one, else the mean.
fn collect(reports: &Path, folder: &Path, started: std::time::SystemTime, out: &mut Numbers) -> Result<()> {
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

/// Random solves of examples/histogram.rs, with the flags of the library that is shipped; without a
/// filter written to docs/bench/solves.md.
pub fn histogram(filter: Option<&str>) -> Result<()> {
    let program = IsolatedBuild { example: "histogram", release: true, ..IsolatedBuild::default() }.run()?;
    let table = sh::run(&mut sh::command(program, &["100000", filter.unwrap_or_default()]))?.stdout;
    print!("{table}");
    if filter.is_none() {
        let text = format!(
            "# Random solves of chains and trees

100,000 solves in all, default settings, each from a pose near rest: microseconds by the clock of
the thread, steps of work (the same every time), and what is left of the goals, metres by the length
plus radians by three. `cargo xtask bench --histogram` writes this page; examples/histogram.rs has
the kinds: joints of the trunk + branches x joints of each; goals that a pose within the limits
meets (`met`), that are near one (`near`), in any direction at 0.1 to 1.3 of the length
(`anywhere`), at rest but 5 % farther (`outward`); with rotations (`turned`).

{table}"
        );
        std::fs::write(paths::root().join("docs/bench/solves.md"), text)?;
    }
    Ok(())
}

/// Runs the scenes of `tests/godot-project/bench.gd` that `filter` is part of the name of in the
/// engine, prints their table, and writes it to `json`.
pub fn godot(filter: Option<&str>, json: Option<&Path>) -> Result<()> {
    godot::toolchain().map_err(anyhow::Error::msg)?;
    let engine = godot::engine(false)?.map_err(anyhow::Error::msg)?;
    let project = godot::project("bench", &paths::root().join("tests/godot-project"), &godot::build()?)?;
    let file = project.join("bench.json");
    let mut command = sh::command(engine, &["--headless", "--path"]);
    command.arg(&project).args(["--script", "res://bench.gd", "--"]).arg(&file);
    command.args(filter.iter().flat_map(|filter| ["only", filter]));
    let output = sh::capture(&mut command)?;
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("the engine wrote no table:\n{}", sh::tail(&output.text, 20)))?;
    print!("{}", table(&serde_json::from_str(&text).context("bench.json")?));
    if let Some(json) = json {
        sh::copy(&file, json)?;
    }
    Ok(())
}

/// The rows as a Markdown table, with the ratio to the first of our nodes in each scene.
fn table(bench: &serde_json::Value) -> String {
    let mut text = format!(
        "Godot {}\n\n| scene | node | µs | times ours | residual, mean | p95 | |\n|---|---|---:|---:|---:|---:|---|\n",
        bench["engine"].as_str().unwrap_or_default()
    );
    let empty = Vec::new();
    let rows = bench["rows"].as_array().unwrap_or(&empty);
    for row in rows {
        let ours = rows.iter().find(|r| r["scene"] == row["scene"]).and_then(|r| r["us"].as_f64());
        let us = row["us"].as_f64();
        let number = |value: Option<f64>, digits: usize| value.map_or(String::new(), |v| format!("{v:.digits$}"));
        let name = |key: &str| row[key].as_str().unwrap_or_default().to_string();
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            name("scene"),
            name("node"),
            number(us, 2),
            number(us.zip(ours).map(|(us, ours)| us / ours), 2),
            number(row["mean"].as_f64(), 4),
            number(row["p95"].as_f64(), 4),
            name("settings"),
        );
    }
    text
}
