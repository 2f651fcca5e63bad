//! Format, generated files, lints, documentation, Rust tests.

use super::Tally;
use crate::{codegen, sh};
use anyhow::Result;

/// `cargo fmt --check`.
pub fn format(tally: &mut Tally) -> Result<()> {
    tally.check("cargo fmt", sh::run(&mut sh::cargo(&["fmt", "--all", "--check"])).map(|_| ()));
    Ok(())
}

/// `cargo xtask codegen --check`.
pub fn generated(tally: &mut Tally) -> Result<()> {
    tally.check("codegen --check", codegen::run(true));
    Ok(())
}

/// Clippy on everything, with the C ABI and without.
pub fn lints(tally: &mut Tally) -> Result<()> {
    for arguments in [
        &["--workspace", "--features", "sinew/fault-injection"] as &[&str],
        &["--package", "sinew", "--package", "sinew-testkit", "--no-default-features"],
    ] {
        let mut cargo = sh::cargo(&["clippy", "--quiet", "--all-targets"]);
        cargo.args(arguments).args(["--", "-D", "warnings"]);
        tally.check(format!("clippy {}", arguments.join(" ")), sh::run(&mut cargo).map(|_| ()));
    }
    Ok(())
}

/// `cargo doc` without a warning.
pub fn documentation(tally: &mut Tally) -> Result<()> {
    let mut cargo = sh::cargo(&["doc", "--quiet", "--no-deps", "--package", "sinew", "--package", "sinew-testkit"]);
    tally.check("cargo doc", sh::run(cargo.env("RUSTDOCFLAGS", "-D warnings")).map(|_| ()));
    Ok(())
}

/// `cargo test` on the workspace, in one build: with the function that panics on purpose, for the panic guard, and the pool of own threads.
pub fn tests(tally: &mut Tally) -> Result<()> {
    run_cargo_test(
        tally,
        sh::cargo(&["test", "--no-fail-fast"]),
        &["--workspace", "--features", "sinew/fault-injection,sinew/rayon"],
    )
}

/// Every order of the steps in which work is lent to threads.
pub fn lending(tally: &mut Tally) -> Result<()> {
    // Other flags for every crate: a folder of its own, or everything else would be built anew afterwards.
    let folder = super::scratch("loom")?;
    let mut cargo = sh::cargo(&["test", "--no-fail-fast"]);
    cargo.env("RUSTFLAGS", "--cfg loom").env("CARGO_TARGET_DIR", folder);
    run_cargo_test(
        tally,
        cargo,
        &["--package", "sinew", "--release", "--no-default-features", "--test", "lending_model"],
    )
}

fn run_cargo_test(tally: &mut Tally, mut cargo: std::process::Command, arguments: &[&str]) -> Result<()> {
    let output = sh::capture(cargo.args(arguments))?;
    let before = tally.failed;
    let mut target = "";
    for line in output.text.lines() {
        let line = line.trim();
        if line.starts_with("Running ") || line.starts_with("Doc-tests ") {
            target = line;
        }
        if let Some(counts) = line.strip_prefix("test result: ") {
            tally.passed += count(counts, " passed");
            tally.skipped += count(counts, " ignored");
        } else if let Some(name) = line.strip_prefix("test ").and_then(|l| l.strip_suffix(" ... FAILED")) {
            tally.fail(name);
        } else if let Some((name, why)) = line.strip_prefix("test ").and_then(|l| l.split_once(" ... ignored")) {
            tally.notes.push(format!("SKIP {name}{why}"));
        }
    }
    if !output.ok() && tally.failed == before {
        tally.fail(format!("cargo test {} {target}", arguments.join(" ")));
    }
    if !output.ok() {
        let lines =
            output.text.lines().filter(|l| !l.trim_start().starts_with("Compiling ") && !l.ends_with(" ... ok"));
        tally.notes.push(sh::tail(&lines.collect::<Vec<_>>().join("\n"), 80));
    }
    Ok(())
}

/// The number before `what` in "ok. 12 passed; 0 failed; 1 ignored; …".
fn count(text: &str, what: &str) -> usize {
    let Some(end) = text.find(what) else { return 0 };
    text[..end].rsplit(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0)
}
