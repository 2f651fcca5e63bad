//! Instruction counts under callgrind: the same to the digit on a busy machine, so that a test can
//! hold them.
//!
//! `examples/instructions.rs` has the rows; what happens inside its function `watched` is counted.
//! The build is the shipped one: for any x86-64. What is chosen at run time is chosen for AVX2,
//! which valgrind knows; it hides AVX-512.

use crate::isolated_build::IsolatedBuild;
use crate::{paths, sh};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The committed counts: `{"NAME": {"instructions": n}}`, where a row may have a `bar` that it must
/// never pass, and `over`: the name of another row, which it may exceed by the share `at_most`.
pub fn table() -> PathBuf {
    paths::root().join("benches/instructions.json")
}

/// Share by which a count may exceed the committed one.
const MARGIN: f64 = 0.03;

/// The program that has the rows, built as the packages are.
pub fn program() -> Result<PathBuf> {
    IsolatedBuild { example: "instructions", release: true, features: &["capi"], ..IsolatedBuild::default() }.run()
}

/// Whether this processor has the instructions that the counts are for.
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Why instructions cannot be counted here, if they cannot.
pub fn cannot() -> Result<Option<&'static str>> {
    Ok(if sh::find("valgrind").is_none() {
        Some("instructions are not counted: there is no valgrind")
    } else if !paths::host_target()?.starts_with("x86_64-") {
        Some("instructions are not counted: the table is for x86-64")
    } else if !has_avx2() {
        Some("instructions are not counted: the table is for processors with AVX2")
    } else {
        None
    })
}

/// Counts of the rows whose names contain `filter`, per unit of the row; or why this machine cannot
/// count. As many rows at once as there are processors.
pub fn count(filter: Option<&str>) -> Result<Result<BTreeMap<String, f64>, String>> {
    if let Some(why) = cannot()? {
        return Ok(Err(why.to_string()));
    }
    let program = program()?;
    let names = sh::run(&mut sh::command(&program, &[]))?.stdout;
    let names: Vec<&str> = names.lines().filter(|name| filter.is_none_or(|f| name.contains(f))).collect();
    if names.is_empty() {
        bail!("no row has {:?} in its name (`benches/instructions.json` lists them)", filter.unwrap_or_default());
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut counts = Vec::new();
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts.push((name.to_string(), count_row(&program, name)?));
        }
        anyhow::Ok(counts)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let counted = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        all.into_iter().map(|one| one.join().expect("a thread that counts")).collect::<Result<Vec<_>>>()
    })?;
    Ok(Ok(counted.into_iter().flatten().collect()))
}

fn count_row(program: &Path, name: &str) -> Result<f64> {
    let mut valgrind = sh::command(
        "valgrind",
        &["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=instructions::watched*"],
    );
    // Callgrind counts `rep movsb` and `rep stosb`, which glibc copies and clears long lists with,
    // once per byte.
    let never = "1000000000";
    let tunables = format!("glibc.cpu.x86_rep_movsb_threshold={never}:glibc.cpu.x86_rep_stosb_threshold={never}");
    valgrind.env("GLIBC_TUNABLES", tunables);
    read(&sh::run(valgrind.arg(program).arg(name))?).with_context(|| name.to_string())
}

/// Instructions per unit from what the program and callgrind print.
fn read(output: &sh::Output) -> Result<f64> {
    let after = |mark: &str| {
        let number = output.text.lines().find_map(|line| line.split_once(mark).map(|(_, rest)| rest.trim()));
        number.and_then(|n| n.parse::<f64>().ok()).with_context(|| format!("no {mark:?} in\n{}", output.text))
    };
    let (units, all) = (after("units ")?, after("Collected : ")?);
    if units < 1.0 || all < 1.0 {
        bail!("nothing was counted");
    }
    Ok((all / units * 10.0).round() / 10.0)
}

/// Prints the counts next to the committed ones; with `save` they become the committed ones.
pub fn run(filter: Option<&str>, save: bool) -> Result<BTreeMap<String, f64>> {
    let counts = count(filter)?.map_err(anyhow::Error::msg)?;
    let mut committed = committed()?;
    println!("{:<44}{:>14}{:>14}{:>9}{:>12}", "instructions per unit", "now", "committed", "", "bar");
    for (name, now) in &counts {
        let row = committed.entry(name.clone()).or_insert_with(|| serde_json::json!({}));
        let (then, bar) = (row["instructions"].as_f64(), row["bar"].as_f64());
        let number = |n: Option<f64>| n.map_or("-".to_string(), |n| n.to_string());
        let change = then.map_or(String::new(), |t| format!("{:+.1} %", (now / t - 1.0) * 100.0));
        println!("{name:<44}{now:>14}{:>14}{change:>9}{:>12}", number(then), number(bar));
        row["instructions"] = (*now).into();
    }
    if save {
        if filter.is_none() {
            committed.retain(|name, _| counts.contains_key(name));
        }
        std::fs::write(table(), serde_json::to_string_pretty(&committed)? + "\n")?;
        println!("saved to {}", table().display());
    }
    Ok(counts)
}

/// The committed table.
pub fn committed() -> Result<BTreeMap<String, serde_json::Value>> {
    if !table().is_file() {
        return Ok(BTreeMap::new());
    }
    let text = std::fs::read_to_string(table())?;
    serde_json::from_str(&text).with_context(|| table().display().to_string())
}

/// Each row of the program against the committed table: at most 3 % more, below its bar where it
/// has one, and no row on one side only.
pub fn check(tally: &mut crate::test::Tally) -> Result<()> {
    let counts = match count(None)? {
        Ok(counts) => counts,
        Err(why) => {
            tally.skip(why);
            return Ok(());
        }
    };
    let committed = committed()?;
    for (name, row) in &committed {
        let then = row["instructions"].as_f64().with_context(|| format!("{name} has no count"))?;
        let most = (then * (1.0 + MARGIN)).min(row["bar"].as_f64().unwrap_or(f64::INFINITY));
        match counts.get(name) {
            Some(now) if *now <= most => tally.pass(),
            Some(now) => tally.fail(format!("{name}: {now} instructions, at most {most:.1} are allowed")),
            None => tally.fail(format!("{name}: examples/instructions.rs has no such row")),
        }
        if let Some(other) = row["over"].as_str() {
            let share = row["at_most"].as_f64().with_context(|| format!("{name} has no at_most"))?;
            match (counts.get(name), counts.get(other)) {
                (Some(now), Some(plain)) if *now <= plain * (1.0 + share) => tally.pass(),
                (Some(now), Some(plain)) => {
                    let more = (now / plain - 1.0) * 100.0;
                    tally.fail(format!(
                        "{name}: {more:.1} % more than {other}, at most {:.1} % are allowed",
                        share * 100.0
                    ));
                }
                _ => tally.fail(format!("{name}: no row {other}")),
            }
        }
    }
    for name in counts.keys().filter(|name| !committed.contains_key(*name)) {
        tally.fail(format!("{name} is not in benches/instructions.json: cargo xtask bench --instructions --save"));
    }
    Ok(())
}
