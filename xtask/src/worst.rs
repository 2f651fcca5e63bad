//! `cargo xtask worst`: what every call of the C ABI costs, in instructions counted by callgrind
//! (`tests/c/worst_calls.c`), as the table `docs/bench/worst.md`.

use crate::{install, paths, sh};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Where the table stands.
const PAGE: &str = "docs/bench/worst.md";

/// Counts, and writes the table.
pub fn run() -> Result<()> {
    let prefix = paths::target()?.join("worst");
    install::run(&prefix, false)?;
    let program = prefix.join("worst_calls");
    let (include, library) = (prefix.join("include"), prefix.join("lib"));
    let mut compiler = sh::command("cc", &["-std=gnu99", "-O2", "-pthread", "-DSINEW_CALLGRIND"]);
    compiler.arg("tests/c/worst_calls.c").arg("-o").arg(&program).arg("-I").arg(&include).arg("-L").arg(&library);
    compiler.args(["-lsinew", "-lm", "-ldl", "-lrt"]).arg(format!("-Wl,-rpath,{}", library.display()));
    sh::run(&mut compiler)?;
    let dumps = prefix.join("dumps");
    if dumps.is_dir() {
        std::fs::remove_dir_all(&dumps)?;
    }
    std::fs::create_dir_all(&dumps)?;
    let mut valgrind = sh::command("valgrind", &["--tool=callgrind"]);
    valgrind.arg(format!("--callgrind-out-file={}", dumps.join("call").display())).arg(&program);
    // Times mean nothing under valgrind: only the counts are used, and the program's own verdict on
    // what succeeded.
    let output = sh::capture(&mut valgrind)?;
    let refused = output.stdout.lines().find(|line| line.starts_with("not ok every_call"));
    ensure!(refused.is_none(), "{}", refused.unwrap_or_default());
    let counts = read(&dumps)?;
    ensure!(counts.len() > 250, "only {} calls were counted", counts.len());
    std::fs::write(paths::root().join(PAGE), page(&counts)?)?;
    println!("{} calls in {PAGE}", counts.len());
    Ok(())
}

/// The dumps of the program: one per measured call, named by it.
fn read(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path)?;
        let mark = "desc: Trigger: Client Request: ";
        let Some(name) = text.lines().find_map(|line| line.strip_prefix(mark)) else { continue };
        let total = text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
        let total =
            total.and_then(|n| n.trim().parse().ok()).with_context(|| format!("{}: no total", path.display()))?;
        counts.insert(name.to_string(), total);
    }
    Ok(counts)
}

fn page(counts: &BTreeMap<String, u64>) -> Result<String> {
    let (sized, single): (Vec<_>, Vec<_>) = counts.iter().partition(|(name, _)| name.contains(", "));
    let mut text = String::from(
        "# What each call costs at most

Instructions of single calls, counted by callgrind on the shipped library for x86-64, set-up calls
included. `cargo xtask worst` writes this page; tests/c/worst_calls.c has the rigs, and fails when a
call takes seconds or grows faster than the rig. The bound on a chain's solve is in
[speed.md](../speed.md), and tests/c/worst_case.c holds it.

## On rigs of growing size

A line is a chain of bones without a branch; in a tree every joint has four children. Names are such
as people's joints have.

| call | rig | 1,024 joints | 8,192 | 65,535 |
|---|---|---:|---:|---:|
",
    );
    let mut rows: BTreeMap<(String, String), BTreeMap<u64, u64>> = BTreeMap::new();
    for (name, count) in sized {
        let (call, rest) = name.split_once(", ").context("a comma")?;
        let (rig, joints) = rest.split_once(" of ").context("a size")?;
        let joints = joints.trim_end_matches(" joints").parse()?;
        rows.entry((call.to_string(), rig.to_string())).or_default().insert(joints, *count);
    }
    for ((call, rig), sizes) in rows {
        let numbers: Vec<_> = sizes.values().map(|count| thousands(*count)).collect();
        writeln!(text, "| `{call}` | {rig} | {} |", numbers.join(" | "))?;
    }
    text += "\n## On a person\n\n25 joints with limits, goals, constraints, a world and a body; the second call of each function,\n\
             the most expensive first. Calls that make something end it, too.\n\n| call | instructions |\n|---|---:|\n";
    let mut single: Vec<_> = single;
    single.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    for (name, count) in single {
        writeln!(text, "| `{name}` | {} |", thousands(*count))?;
    }
    Ok(text)
}

/// "12,345".
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_sizes_in_a_row_and_the_rest_by_cost() {
        let counts =
            [("f, a line of 1024 joints", 7), ("f, a line of 8192 joints", 12_345), ("a", 1), ("b", 1_000_000)];
        let text = page(&counts.map(|(name, count)| (name.to_string(), count)).into()).expect("a page");
        assert!(text.contains("| `f` | a line | 7 | 12,345 |\n"), "{text}");
        assert!(text.ends_with("| `b` | 1,000,000 |\n| `a` | 1 |\n"), "{text}");
    }
}
