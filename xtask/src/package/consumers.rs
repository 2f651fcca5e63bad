//! The archive for C and C++ as Conan and Meson take it: a stranger's project plays the tutorial.

use super::manifest::{VERSION, sha256};
use super::{Job, Reason};
use crate::tools::{self, CMAKE, MAKE, NINJA};
use crate::{paths, sh};
use anyhow::{Context, Result, anyhow, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const CONAN: &str = "conan==2.34.0";
const MESON: &str = "meson==1.12.1";

/// Adds what Conan and Meson showed to the archive of this machine.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    let host = paths::host_target()?;
    let Some(index) = job.manifest.files.iter().position(|e| e.target == host && e.file.ends_with(".tar.gz")) else {
        return Ok(Err("the archive of this machine was not made".into()));
    };
    let archive = job.made.join(&job.manifest.files[index].file);
    let missing = [&CMAKE, &MAKE, &NINJA].into_iter().try_for_each(|tool| tool.ensure());
    let (conan_tool, meson_tool) = match missing.and_then(|()| Ok((tools::python(&[CONAN])?, tools::python(&[MESON])?)))
    {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut checks = Vec::new();
    for is_shared in [true, false] {
        let kind = if is_shared { "shared" } else { "static" };
        let played = conan(job, &archive, &conan_tool, is_shared)?;
        checks.push(format!("Conan, {kind}: {played}"));
    }
    let played = meson(job, &archive, &meson_tool)?;
    checks.push(format!("Meson, from a wrap of the archive: {played}"));
    lint_vcpkg(&job.trees.join("conan/sdk"))?;
    checks.push("the vcpkg port is well-formed; nothing has run it".into());
    job.manifest.files[index].checks.extend(checks);
    Ok(Ok(()))
}

/// Unpacks an archive; returns the folder in it.
fn unpack(archive: &Path, folder: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    sh::run(sh::command("tar", &["-xzf"]).arg(archive).arg("-C").arg(folder))?;
    let inside = std::fs::read_dir(folder)?.flatten().map(|e| e.path()).find(|path| path.is_dir());
    inside.context("an archive without a folder")
}

/// A program that PyPI brings.
fn python_tool(folder: &Path, name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(folder.join("bin").join(name));
    command.args(arguments).env("PYTHONPATH", folder);
    command
}

fn hash_in(text: &str, wanted: &str) -> Result<String> {
    let hash = text.lines().find_map(|l| l.trim().strip_prefix("hash ")).context("no hash printed")?;
    ensure!(hash == wanted, "pose hash {hash}, {wanted} in C on this machine");
    Ok(format!("plays the tutorial: pose hash {hash}"))
}

/// What a program needs of Sinew must be a name, not a place of this machine.
fn needs_a_name(readelf: &str) -> Result<()> {
    let needed = readelf.lines().filter(|line| line.contains("(NEEDED)"));
    let ours: Vec<&str> = needed.filter(|line| line.contains("sinew")).collect();
    ensure!(ours.iter().all(|line| line.contains("[libsinew.so.")), "a program needs {ours:?}");
    Ok(())
}

fn conan(job: &mut Job, archive: &Path, tool: &Path, is_shared: bool) -> Result<String> {
    let (work, home) = (job.trees.join("conan"), job.trees.join("conan/home"));
    let tutorial = job.tutorial()?;
    _ = std::fs::remove_dir_all(work.join("unpacked"));
    let sdk = unpack(archive, &work.join("unpacked"))?;
    for file in [
        "tests/package/conan/conanfile.py",
        "tests/package/conan/CMakeLists.txt",
        "examples/hold_cylinder/c/hold_cylinder.c",
        "examples/hold_cylinder/c/scene.h",
    ] {
        let from = paths::root().join(file);
        sh::copy(&from, &sdk.join("test_package").join(from.file_name().unwrap_or_default()))?;
    }
    let run = |arguments: &[&str]| -> Result<sh::Output> {
        let mut command = python_tool(tool, "conan", arguments);
        command.current_dir(&sdk).env("CONAN_HOME", &home).env("SINEW_SCENE", &tutorial.scene);
        sh::run(&mut command)
    };
    run(&["profile", "detect", "--force"])?;
    let option = format!("sinew/*:shared={}", if is_shared { "True" } else { "False" });
    let created = run(&["create", ".", "--no-remote", "-o", &option])?;
    needs_a_name(&created.text)?;
    _ = std::fs::remove_dir_all(work.join("sdk"));
    std::fs::rename(&sdk, work.join("sdk"))?;
    hash_in(&created.text, &tutorial.hash)
}

fn meson(job: &mut Job, archive: &Path, tool: &Path) -> Result<String> {
    let project = job.trees.join("meson/project");
    let tutorial = job.tutorial()?;
    for file in [
        "tests/package/meson/meson.build",
        "examples/hold_cylinder/c/hold_cylinder.c",
        "examples/hold_cylinder/c/scene.h",
    ] {
        let from = paths::root().join(file);
        sh::copy(&from, &project.join(from.file_name().unwrap_or_default()))?;
    }
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let folder = name.trim_end_matches(".tar.gz");
    let wrap = format!(
        "[wrap-file]\ndirectory = {folder}\nsource_filename = {name}\nsource_hash = {}\n\n[provide]\nsinew = sinew_dep\n",
        sha256(&std::fs::read(archive)?)
    );
    super::write(&project.join("subprojects/sinew.wrap"), &wrap)?;
    sh::copy(archive, &project.join("subprojects/packagefiles").join(&*name))?;
    sh::run(python_tool(tool, "meson", &["setup", "build"]).current_dir(&project))?;
    sh::run(python_tool(tool, "meson", &["compile", "-C", "build"]).current_dir(&project))?;
    let program = project.join("build/host");
    needs_a_name(&sh::run(sh::command("readelf", &["-d"]).arg(&program))?.stdout)?;
    let mut host = Command::new(&program);
    host.env("LD_LIBRARY_PATH", project.join("subprojects").join(folder).join("lib"));
    tutorial.play(&mut host, &project)
}

/// Whether the port has a manifest that names this version, and every folder it installs exists.
fn lint_vcpkg(sdk: &Path) -> Result<()> {
    let port = sdk.join("vcpkg");
    let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(port.join("vcpkg.json"))?)?;
    ensure!(manifest["name"] == "sinew" && manifest["version"] == VERSION, "vcpkg.json: {manifest}");
    let text = std::fs::read_to_string(port.join("portfile.cmake"))?;
    for rest in text.split("${sdk}/").skip(1) {
        let path = rest.split(['"', ')']).next().unwrap_or_default();
        let is_optional = path == "bin";
        ensure!(is_optional || sdk.join(path).exists(), "portfile.cmake names {path}, which the archive has not");
    }
    sh::run(sh::command("cmake", &["-P"]).arg(syntax_check(sdk, &text)?))
        .map_err(|e| anyhow!("portfile.cmake: {e:#}"))?;
    Ok(())
}

/// The port in a function that is never called: CMake reads it, and reports what it cannot.
fn syntax_check(sdk: &Path, text: &str) -> Result<PathBuf> {
    let file = sdk.with_file_name("portfile-check.cmake");
    super::write(&file, &format!("function(never)\n{text}\nendfunction()\n"))?;
    Ok(file)
}
