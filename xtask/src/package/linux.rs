//! Linux: linked by zig against glibc 2.17, so that old distributions and Steam's runtime load it.

use super::build::{self, Recipe};
use super::manifest::State;
use super::sdk::{Sdk, version_of};
use super::tutorial::Compilers;
use super::{Job, Reason, inspect};
use crate::install::{self, Target};
use crate::tools::{self, Tool};
use crate::{paths, sh};
use anyhow::{Context, Result};
use std::path::Path;

/// Targets of this kind.
pub const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
/// What is fetched from PyPI.
const ZIG: [&str; 2] = ["ziglang==0.17.1", "cargo-zigbuild==0.24.0"];
const GLIBC: (u32, u32) = (2, 17);

/// The archive of one target.
pub fn package(job: &mut Job, triple: &str) -> Result<Result<(), Reason>> {
    let recipe = match recipe(triple) {
        Ok(recipe) => recipe,
        Err(reason) => return Ok(Err(reason)),
    };
    let host = paths::host_target()?;
    let target = target(triple);
    let built = recipe.build(&paths::root(), &build::folder()?)?;
    let mut sdk = Sdk::new(job, triple, triple)?;
    let shared = built.shared.as_ref().context("no shared library")?;
    sdk.checks.extend(inspect::any(shared)?);
    sdk.checks.extend(inspect::elf(shared, &install::soname(), Some(GLIBC))?);
    sdk.lay_down(&target, &built)?;
    let run = compilers(triple, &host, &sdk.tree);
    sdk.finish(job, run, &[])?;
    Ok(Ok(()))
}

fn target(triple: &str) -> Target {
    Target { triple: triple.into(), binutils: if triple.starts_with("aarch64") { "aarch64-linux-gnu-" } else { "" } }
}

/// How a target is built.
pub fn recipe(triple: &str) -> Result<Recipe, Reason> {
    tools::rust_target(triple)?;
    let zig = tools::python(&ZIG)?;
    let mut recipe = target(triple).recipe();
    recipe.subcommand = Some("zigbuild");
    recipe.cargo_triple = Some(format!("{triple}.{}.{}", GLIBC.0, GLIBC.1));
    let path = std::env::var("PATH").unwrap_or_default();
    recipe.env.push(("PATH".into(), format!("{}:{path}", zig.join("bin").display())));
    recipe.env.push(("CARGO_ZIGBUILD_ZIG_PATH".into(), zig.join("ziglang/zig").display().to_string()));
    Ok(recipe)
}

/// What compiles and runs programs for a target here, if anything does.
fn compilers(triple: &str, host: &str, sdk: &Path) -> Option<(Compilers, State, String)> {
    let rpath = format!("-Wl,-rpath,{}", sdk.join("lib").display());
    if triple == host {
        let tools =
            Compilers { c: has(&tools::CC), cpp: has(&tools::CXX), options: vec![rpath], ..Compilers::default() };
        return tools.c.is_some().then(|| (tools, State::Tested, "this machine".to_string()));
    }
    let qemu = has(&tools::QEMU_ARM).and_then(|name| sh::find(&name)).filter(|_| triple.starts_with("aarch64"))?;
    let tools = Compilers {
        c: has(&tools::ARM_GCC),
        cpp: has(&tools::ARM_GXX),
        options: vec![rpath],
        runner: vec![qemu.display().to_string(), "-L".into(), "/usr/aarch64-linux-gnu".into()],
        ..Compilers::default()
    };
    let place = version_of(&qemu);
    tools.c.is_some().then_some((tools, State::Emulated, place))
}

fn has(tool: &Tool) -> Option<String> {
    tool.ensure().ok().map(|()| tool.program().to_string())
}
