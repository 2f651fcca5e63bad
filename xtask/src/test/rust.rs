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
    clippy(tally, &["--workspace", "--features", "sinew/fault-injection"]);
    clippy(tally, &["--package", "sinew", "--package", "sinew-testkit", "--no-default-features"]);
    Ok(())
}

/// Clippy on the engine and its tests, as `cargo clippy --all-targets` builds them.
pub fn quick_lints(tally: &mut Tally) -> Result<()> {
    clippy(tally, &[]);
    Ok(())
}

fn clippy(tally: &mut Tally, arguments: &[&str]) {
    let mut cargo = sh::cargo(&["clippy", "--all-targets"]);
    cargo.args(arguments).args(["--", "-D", "warnings"]);
    tally.check(format!("clippy {}", arguments.join(" ")), sh::run_cargo(&mut cargo).map(|_| ()));
}

/// `cargo doc` without a warning.
pub fn documentation(tally: &mut Tally) -> Result<()> {
    let mut cargo = sh::cargo(&["doc", "--no-deps", "--package", "sinew", "--package", "sinew-testkit"]);
    tally.check("cargo doc", sh::run_cargo(cargo.env("RUSTDOCFLAGS", "-D warnings")).map(|_| ()));
    Ok(())
}

/// `cargo test` on the workspace, in one build: with the function that panics on purpose, for the
/// panic guard, and the pool of own threads.
pub fn tests(tally: &mut Tally) -> Result<()> {
    run_cargo_test(
        tally,
        sh::cargo(&["test", "--no-fail-fast"]),
        &["--workspace", "--features", "sinew/fault-injection,sinew/rayon"],
    )
}

/// The engine's own tests, in the build that `cargo test` makes: nothing is compiled for this step
/// alone.
pub fn core_tests(tally: &mut Tally) -> Result<()> {
    run_cargo_test(tally, sh::cargo(&["test", "--no-fail-fast"]), &["--lib", "--tests"])
}

/// Every order of the steps in which work is lent to threads.
pub fn lending(tally: &mut Tally) -> Result<()> {
    // Other flags for every crate: a folder of its own, or everything else would be built anew
    // afterwards.
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
    let output = sh::capture_cargo(cargo.args(arguments))?;
    let found = count_tests(&output.text);
    tally.passed += found.passed;
    tally.failed += found.failed;
    tally.skipped += found.skipped;
    tally.notes.extend(found.notes);
    if !output.ok() {
        if found.failed == 0 {
            tally.fail(format!("cargo test {}: it ended before all tests were run", arguments.join(" ")));
        }
        let lines =
            output.text.lines().filter(|l| !l.trim_start().starts_with("Compiling ") && !l.ends_with(" ... ok"));
        tally.notes.push(sh::tail(&lines.collect::<Vec<_>>().join("\n"), 80));
    }
    Ok(())
}

/// Counts what the test programs printed: an ignored test is a skip, never a pass.
fn count_tests(text: &str) -> Tally {
    let mut tally = Tally::default();
    for line in text.lines().map(str::trim) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            tally.passed += count(counts, " passed");
            continue;
        }
        let Some(test) = line.strip_prefix("test ") else { continue };
        if let Some(name) = test.strip_suffix(" ... FAILED") {
            tally.fail(name.trim_end());
        } else if let Some((name, why)) = test.split_once(" ... ignored") {
            tally.skip(format!("{}{why}", name.trim_end()));
        }
    }
    tally
}

/// The number before `what` in "ok. 12 passed; 0 failed; 1 ignored; …".
fn count(text: &str, what: &str) -> usize {
    let Some(end) = text.find(what) else { return 0 };
    text[..end].rsplit(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_tests_are_skips_and_not_passes() {
        let text = "running 3 tests\n\
                    test a ... ok\n\
                    test b ... ignored, needs a folder\n\
                    test c ... FAILED\n\
                    test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out\n\
                    running 2 tests\n\
                    test [needs ../shared/data/clips] long_name  ... ignored\n\
                    test short                                   ... ok\n\
                    test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n";
        let tally = count_tests(text);
        assert_eq!((tally.passed, tally.failed, tally.skipped), (2, 1, 2));
        let wanted = ["SKIP b, needs a folder", "FAILED c", "SKIP [needs ../shared/data/clips] long_name"];
        assert_eq!(tally.notes, wanted);
    }
}
