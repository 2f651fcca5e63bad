//! The same bits on every processor: the scenes of `examples/golden.rs` against
//! `tests/golden/hashes.txt`.

use super::{Tally, tools};
use crate::isolated_build::IsolatedBuild;
use crate::{instructions, paths, sh};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

const ARM64: &str = "aarch64-unknown-linux-gnu";
const WASM: &str = "wasm32-unknown-unknown";

/// Targets that need a standard library beside this machine's.
pub const TARGETS: [&str; 2] = [ARM64, WASM];

/// This machine, beside the build that is optimised as the shipped one is: what each build is
/// called, whether it is optimised, its flags.
const NATIVE: [(&str, bool, Option<&str>); 2] =
    [("not optimised", false, None), ("for this processor", true, Some("-Ctarget-cpu=native"))];

/// WebAssembly: the same, all optimised.
const WASM_BUILDS: [(&str, Option<&str>); 2] =
    [("wasm32", None), ("wasm32 with vectors", Some("-Ctarget-feature=+simd128"))];

/// This machine: optimised, not optimised, and built for all that its processor has.
pub fn native(tally: &mut Tally) -> Result<()> {
    // The program of the instruction counts, built as the library is shipped, prints them, too.
    let output = sh::run(&mut sh::command(instructions::program()?, &["--goldens"]))?;
    tally.check("optimised", compare(&output.stdout));
    for (what, release, flags) in NATIVE {
        let Some(program) = build(tally, None, release, flags, "golden")? else { return Ok(()) };
        let output = sh::run(&mut sh::command(program, &[]))?;
        tally.check(what, compare(&output.stdout));
    }
    Ok(())
}

/// The program that is built as shipped, on an emulated processor without AVX and FMA.
pub fn old_x86(tally: &mut Tally) -> Result<()> {
    if !paths::host_target()?.starts_with("x86_64-") {
        tally.skip("old x86-64: this machine is none");
        return Ok(());
    }
    let program = instructions::program()?;
    let output = sh::run(sh::command("qemu-x86_64", &["-cpu", "Nehalem"]).arg(program).arg("--goldens"))?;
    tally.check("emulated Nehalem", compare(&output.stdout));
    Ok(())
}

/// arm64, emulated.
pub fn arm64(tally: &mut Tally) -> Result<()> {
    let Some(program) = build(tally, Some(ARM64), true, None, "golden")? else { return Ok(()) };
    let output = sh::run(sh::command("qemu-aarch64", &["-L", "/usr/aarch64-linux-gnu"]).arg(program))?;
    tally.check("emulated arm64", compare(&output.stdout));
    Ok(())
}

/// WebAssembly, in node: without and with vector instructions.
pub fn wasm(tally: &mut Tally) -> Result<()> {
    for (what, flags) in WASM_BUILDS {
        let Some(module) = build(tally, Some(WASM), true, flags, "golden_wasm")? else { return Ok(()) };
        let output = sh::run(sh::command("node", &["tests/wasm/golden.mjs"]).arg(module))?;
        tally.check(what, compare(&output.stdout));
    }
    Ok(())
}

/// All builds of these steps but that of the instruction counts, in their order.
pub fn builds() -> Vec<IsolatedBuild<'static>> {
    let native = NATIVE.map(|(_, release, flags)| recipe(None, release, flags, "golden"));
    let wasm = WASM_BUILDS.map(|(_, flags)| recipe(Some(WASM), true, flags, "golden_wasm"));
    native.into_iter().chain([recipe(Some(ARM64), true, None, "golden")]).chain(wasm).collect()
}

fn recipe<'a>(triple: Option<&'a str>, release: bool, flags: Option<&'a str>, example: &'a str) -> IsolatedBuild<'a> {
    IsolatedBuild {
        example,
        triple,
        release,
        flags,
        module: example == "golden_wasm",
        // Shipped for this machine, as it is shipped; the others in half the time.
        in_parts: flags.is_some() || triple.is_some(),
        features: &[],
    }
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
    recipe(triple, release, flags, example).run().map(Some)
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
