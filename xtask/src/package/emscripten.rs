//! Static libraries for Emscripten, which Unity's WebGL players link.
//!
//! The standard library is built, too, for the first version of WebAssembly and a few features that
//! all of Unity's Emscripten versions know: prebuilt objects are refused by the older ones.

use super::build::{self, Recipe};
use super::manifest::State;
use super::sdk::{Sdk, version_of};
use super::{Job, Reason, inspect};
use crate::tools::{self, NODE};
use crate::{install, paths, sh};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// The target.
pub const TARGET: &str = "wasm32-unknown-emscripten";
const FEATURES: &str = "+mutable-globals,+sign-ext,+nontrapping-fptoint";

/// How the library is built, without or with vector instructions.
fn recipe(is_simd: bool) -> Recipe {
    let simd = if is_simd { ",+simd128" } else { "" };
    let flags = ["-Cpanic=abort", "-Ctarget-cpu=mvp", &format!("-Ctarget-feature={FEATURES}{simd}")];
    Recipe {
        triple: TARGET.into(),
        // Building the standard library is not stable; this makes the stable compiler do it.
        env: vec![("RUSTC_BOOTSTRAP".into(), "1".into())],
        flags: flags.map(str::to_string).to_vec(),
        arguments: ["--crate-type", "staticlib", "-Zbuild-std=std,panic_abort"].map(str::to_string).to_vec(),
        fixed: Some("libsinew.a"),
        ..Recipe::default()
    }
}

/// The archive with both libraries.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    if let Err(reason) = tools::rust_source() {
        return Ok(Err(reason));
    }
    let mut sdk = Sdk::new(job, TARGET, TARGET)?;
    install::headers(&sdk.tree)?;
    let emcc = tools::EMCC.ensure().and_then(|()| NODE.ensure()).is_ok();
    let mut played = Vec::new();
    for (is_simd, place) in [(false, "lib/libsinew.a"), (true, "lib/simd/libsinew.a")] {
        let built = recipe(is_simd).build(&paths::root(), &build::folder()?)?;
        let library = sdk.tree.join(place);
        sh::copy(built.fixed.as_ref().context("no static library")?, &library)?;
        sdk.checks.extend(inspect::any(&library)?.into_iter().map(|check| format!("{place}: {check}")));
        if emcc {
            played.push(format!("{place}: {}", play(job, &library)?));
        }
    }
    sdk.checks.push("lib/simd needs Emscripten 3 or newer: Unity 2022.2".into());
    sdk.checks.push("a panic ends the page: built without unwinding".into());
    let version = format!("{}, node {}", version_of(Path::new("emcc")), version_of(Path::new("node")));
    let proof = emcc.then_some((State::Tested, version));
    sdk.finish_played(job, proof, played)?;
    Ok(Ok(()))
}

/// Links the tutorial's C host with a library, and plays it in node.
fn play(job: &mut Job, library: &Path) -> Result<String> {
    let tutorial = job.tutorial()?;
    let folder = tutorial.folder("emscripten")?;
    // Debian's Emscripten looks for a module of its optimiser there.
    let modules = ("NODE_PATH", "/usr/share/nodejs");
    let mut emcc =
        sh::command("emcc", &["-std=c99", "-O2", "-ffp-contract=off", "-sNODERAWFS=1", "-sALLOW_MEMORY_GROWTH=1"]);
    emcc.arg("-I").arg(paths::root().join("include"));
    emcc.arg(paths::root().join("examples/hold_cylinder/c/hold_cylinder.c")).arg(library);
    sh::run(emcc.arg("-o").arg(folder.join("host.js")).env(modules.0, modules.1))?;
    let mut node = Command::new("node");
    // Older Emscripten takes a browser's `fetch` for a sign of a browser.
    tutorial.play(node.args(["--no-experimental-fetch", "host.js"]), &folder)
}
