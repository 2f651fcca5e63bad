//! Windows: linked by mingw, run under wine.

use super::build::{self, Recipe};
use super::manifest::State;
use super::sdk::{Sdk, version_of};
use super::tutorial::Compilers;
use super::{Job, Reason, inspect};
use crate::install::Target;
use crate::tools;
use crate::{paths, sh};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The target.
pub const TARGET: &str = "x86_64-pc-windows-gnu";

/// Before version 10, wine has no bcryptprimitives.dll, of which Rust's library uses one function.
/// This stands in for it beside test programs; it is never shipped.
const STAND_IN: &str = "#include <windows.h>\n#include <ntsecapi.h>\n\
    __declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)\n\
    {\n    return RtlGenRandom(bytes, (ULONG)count);\n}\n";

/// The archive.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    let recipe = match recipe() {
        Ok(recipe) => recipe,
        Err(reason) => return Ok(Err(reason)),
    };
    let built = recipe.build(&paths::root(), &build::folder()?)?;
    let mut sdk = Sdk::new(job, TARGET, TARGET)?;
    let shared = built.shared.as_ref().context("no shared library")?;
    sdk.checks.extend(inspect::any(shared)?);
    sdk.checks.push(inspect::dlls(shared)?);
    sdk.lay_down(&target(), &built)?;
    let wine = wine(&job.trees.join("wine"))?;
    let mut beside = vec![sdk.tree.join("bin/sinew.dll")];
    let run = wine.map(|(tools, stand_in, version)| {
        beside.push(stand_in);
        (tools, State::Emulated, version)
    });
    sdk.finish(job, run, &beside)?;
    Ok(Ok(()))
}

fn target() -> Target {
    Target { triple: TARGET.into(), binutils: "x86_64-w64-mingw32-" }
}

/// How the target is built.
pub fn recipe() -> Result<Recipe, Reason> {
    tools::rust_target(TARGET)?;
    tools::MINGW.ensure()?;
    let mut recipe = target().recipe();
    recipe.env.push(("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER".into(), tools::MINGW.program().into()));
    Ok(recipe)
}

/// Compilers, what their programs need beside them, and wine's version; `None` without wine.
pub fn wine(folder: &Path) -> Result<Option<(Compilers, PathBuf, String)>> {
    let places = [sh::find("wine64"), Some("/usr/lib/wine/wine64".into()), sh::find("wine")];
    let find = || places.iter().flatten().find(|path| path.is_file()).cloned();
    let wine = match find() {
        Some(wine) => wine,
        None => match tools::WINE.ensure().ok().and_then(|()| find()) {
            Some(wine) => wine,
            None => return Ok(None),
        },
    };
    std::fs::create_dir_all(folder)?;
    let (source, stand_in) = (folder.join("bcryptprimitives.c"), folder.join("bcryptprimitives.dll"));
    std::fs::write(&source, STAND_IN)?;
    let mut compile = sh::command(tools::MINGW.program(), &["-shared"]);
    sh::run(compile.arg(&source).arg("-o").arg(&stand_in).arg("-ladvapi32"))?;
    let env = |name: &str, value: String| (name.to_string(), value);
    let tools = Compilers {
        c: Some(tools::MINGW.program().into()),
        cpp: tools::MINGW_CXX.ensure().ok().map(|()| tools::MINGW_CXX.program().into()),
        options: vec!["-DSINEW_DLL".into(), "-static-libgcc".into(), "-static-libstdc++".into()],
        ending: ".exe",
        runner: vec![wine.display().to_string()],
        env: vec![env("WINEDEBUG", "-all".into()), env("WINEPREFIX", folder.join("prefix").display().to_string())],
    };
    let version = version_of(&wine);
    Ok(Some((tools, stand_in, version)))
}
