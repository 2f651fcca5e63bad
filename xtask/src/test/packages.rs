//! The packages, used as a stranger would.

use super::{Tally, native, scratch};
use crate::{package, paths, sh};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Projects in `tests/package` find the installed library by pkg-config and by CMake, shared and static, in a place it was
/// moved to after the installation.
pub fn stranger(tally: &mut Tally) -> Result<()> {
    let out = scratch("stranger")?;
    let moved = out.join("a place of its own");
    sh::run(sh::command("cp", &["-a"]).arg(native::installed()?).arg(&moved))?;
    let projects = paths::root().join("tests/package");
    let mut found = false;
    let entries =
        std::fs::read_dir(&projects).map(|e| e.flatten().map(|e| e.path()).collect::<Vec<_>>()).unwrap_or_default();
    let mut folders: Vec<_> = entries.into_iter().filter(|p| p.is_dir()).chain([projects.clone()]).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if folder.join("CMakeLists.txt").is_file() {
            found = true;
            let build = out.join(format!("cmake-{name}"));
            tally.check(format!("{name} with CMake"), cmake(&folder, &build, &moved));
        }
        if folder.join("Makefile").is_file() {
            found = true;
            let build = out.join(format!("make-{name}"));
            tally.check(format!("{name} with make and pkg-config"), make(&folder, &build, &moved));
        }
    }
    if !found {
        tally.skip("tests/package has no project");
    }
    Ok(())
}

/// Configures, builds, and runs what the project calls tests.
fn cmake(folder: &Path, build: &Path, prefix: &Path) -> Result<()> {
    let mut configure = sh::command("cmake", &["-S"]);
    configure.arg(folder).arg("-B").arg(build).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    sh::run(configure.arg("-DCMAKE_BUILD_TYPE=Release"))?;
    sh::run(sh::command("cmake", &["--build"]).arg(build))?;
    let output = sh::run(sh::command("ctest", &["--output-on-failure"]).current_dir(build))?;
    if output.text.contains("No tests were found") {
        bail!("the project has no tests");
    }
    Ok(())
}

/// `make check` with `BUILD` for what it makes and pkg-config's path set; spaces in paths are beyond make, so the prefix gets a link.
fn make(folder: &Path, build: &Path, prefix: &Path) -> Result<()> {
    std::fs::create_dir_all(build)?;
    let link = build.join("prefix");
    sh::run(sh::command("ln", &["-sfn"]).arg(prefix).arg(&link))?;
    let mut command = sh::command("make", &["check"]);
    command.arg(format!("BUILD={}", build.display())).current_dir(folder);
    command.env("PKG_CONFIG_PATH", link.join("lib/pkgconfig")).env("LD_LIBRARY_PATH", link.join("lib"));
    sh::run(&mut command)?;
    Ok(())
}

/// `cargo xtask package`, and a look into what it made.
pub fn archives(tally: &mut Tally) -> Result<()> {
    let dist = scratch("dist")?;
    let report = package::run(&dist)?;
    for archive in &report.archives {
        let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tally.check(&name, look_into(archive, &name));
    }
    for (what, why) in &report.skipped {
        // Targets that no machine like this one can build are the maintainer's servers' work; the manifest names them.
        tally.notes.push(format!("not packaged: {what} ({why})"));
    }
    Ok(())
}

fn look_into(archive: &Path, name: &str) -> Result<()> {
    let output = sh::run(sh::command("tar", &["-tzf"]).arg(archive))?;
    let files: Vec<&str> = output.stdout.lines().collect();
    let has = |end: &str| files.iter().any(|f| f.ends_with(end));
    if name.ends_with(".tgz") {
        for wanted in ["package/package.json", "/NativeMethods.g.cs", "/libsinew.so", "/libsinew.so.meta"] {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
        for file in &files {
            let hidden = file.contains("Documentation~/") || file.contains("Samples~/");
            if !hidden && !file.ends_with(".meta") && !has(&format!("{file}.meta")) {
                bail!("{file} has no .meta: Unity would leave it out");
            }
        }
    } else {
        for wanted in ["include/sinew/sinew.h", "include/sinew/sinew.hpp", "/SinewConfig.cmake", "/sinew.pc"] {
            has(wanted).then_some(()).with_context(|| format!("no {wanted}"))?;
        }
    }
    Ok(())
}
