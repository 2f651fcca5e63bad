//! The same bits on every processor: the scenes of `examples/golden.rs` against
//! `tests/golden/hashes.txt`.

use super::{Tally, tools};
use crate::isolated_build::IsolatedBuild;
use crate::{paths, sh};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// This machine: optimised, not optimised, and built for all that its processor has.
pub fn native(tally: &mut Tally) -> Result<()> {
    let builds = [
        ("optimised", true, None),
        ("not optimised", false, None),
        ("for this processor", true, Some("-Ctarget-cpu=native")),
    ];
    for (what, release, flags) in builds {
        let Some(program) = build(tally, None, release, flags, "golden")? else { return Ok(()) };
        let output = sh::run(&mut sh::command(program, &[]))?;
        tally.check(what, compare(&output.stdout));
    }
    Ok(())
}

/// The same program on an emulated processor without AVX and FMA.
pub fn old_x86(tally: &mut Tally) -> Result<()> {
    if !paths::host_target()?.starts_with("x86_64-") {
        tally.skip("old x86-64: this machine is none");
        return Ok(());
    }
    let Some(program) = build(tally, None, true, None, "golden")? else { return Ok(()) };
    let output = sh::run(sh::command("qemu-x86_64", &["-cpu", "Nehalem"]).arg(program))?;
    tally.check("emulated Nehalem", compare(&output.stdout));
    Ok(())
}

/// arm64, emulated.
pub fn arm64(tally: &mut Tally) -> Result<()> {
    let Some(program) = build(tally, Some("aarch64-unknown-linux-gnu"), true, None, "golden")? else { return Ok(()) };
    let output = sh::run(sh::command("qemu-aarch64", &["-L", "/usr/aarch64-linux-gnu"]).arg(program))?;
    tally.check("emulated arm64", compare(&output.stdout));
    Ok(())
}

/// WebAssembly, in node: without and with vector instructions.
pub fn wasm(tally: &mut Tally) -> Result<()> {
    for (what, flags) in [("wasm32", None), ("wasm32 with vectors", Some("-Ctarget-feature=+simd128"))] {
        let target = Some("wasm32-unknown-unknown");
        let Some(module) = build(tally, target, true, flags, "golden_wasm")? else { return Ok(()) };
        let output = sh::run(sh::command("node", &["tests/wasm/golden.mjs"]).arg(module))?;
        tally.check(what, compare(&output.stdout));
    }
    Ok(())
}

/// Builds an example for a target; `None` after a skip.
fn build(
    tally: &mut Tally,
    triple: Option<&str>,
    release: bool,
    flags: Option<&str>,
    example: &str,
) -> Result<Option<PathBuf>> {
    let root = paths::root();
    let source = root.join("examples").join(example).with_extension("rs");
    for needed in [&source, &root.join("tests/golden/hashes.txt")] {
        if !needed.is_file() {
            let shown = needed.strip_prefix(&root).unwrap_or(needed).display().to_string();
            tally.skip(format!("there is no {shown}"));
            return Ok(None);
        }
    }
    if let Some(triple) = triple
        && let Err(reason) = tools::rust_target(triple)
    {
        tally.skip(reason);
        return Ok(None);
    }
    let mut build = IsolatedBuild { example, triple, release, flags, ..IsolatedBuild::default() };
    build.module = example == "golden_wasm";
    // What is shipped is built as it is shipped. What is built with flags of its own is not.
    build.in_parts = flags.is_some();
    build.run().map(Some)
}

/// Compares "golden … HASH" lines with the committed ones.
fn compare(printed: &str) -> Result<()> {
    let file =
        std::fs::read_to_string(paths::root().join("tests/golden/hashes.txt")).context("tests/golden/hashes.txt")?;
    let hash = |line: &str| line.split_whitespace().last().unwrap_or_default().to_lowercase();
    let wanted: Vec<String> =
        file.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).map(hash).collect();
    let found: Vec<String> = printed.lines().filter(|l| l.starts_with("golden ")).map(hash).collect();
    if wanted.is_empty() || wanted.len() != found.len() {
        bail!("{} hashes printed, {} in tests/golden/hashes.txt", found.len(), wanted.len());
    }
    let different: Vec<usize> = (0..wanted.len()).filter(|&i| wanted[i] != found[i]).collect();
    if !different.is_empty() {
        bail!("scenes {different:?} of {} have other bits", wanted.len());
    }
    Ok(())
}
