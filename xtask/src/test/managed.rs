//! The C# layer on Mono.

use super::{Tally, native, scratch};
use crate::{paths, sh};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Folders whose C# every test program gets: the package's code and our stand-ins for Unity's classes.
const SHARED: [&str; 3] = ["unity-package/Runtime", "unity-package/Editor", "tests/csharp/UnityEngineStandIn"];

/// Compiles the package, then compiles and runs the tests.
pub fn tests(tally: &mut Tally) -> Result<()> {
    let root = paths::root();
    let out = scratch("csharp")?;
    let mut shared = Vec::new();
    for folder in SHARED {
        collect(&root.join(folder), &mut shared)?;
    }
    let mut own = Vec::new();
    collect(&root.join("tests/csharp"), &mut own)?;
    own.retain(|p| !shared.contains(p));
    if own.is_empty() {
        tally.skip("tests/csharp has no tests");
        return Ok(());
    }
    let program = out.join("tests.exe");
    let mut mcs = sh::command("mcs", &["-nologo", "-unsafe", "-langversion:latest", "-warnaserror"]);
    sh::run(mcs.arg(format!("-out:{}", program.display())).args(&shared).args(&own))?;
    let lib = native::installed()?.join("lib");
    let output = sh::capture(sh::command("mono", &["--debug"]).arg(&program).env("LD_LIBRARY_PATH", lib))?;
    native::report(tally, "csharp", &output);
    Ok(())
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|e| e == "cs") {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(())
}
