//! The Unity package in a project of its own, as far as that goes without Unity: what the importer
//! would refuse or leave out, the C# by Roslyn, and the tutorial with the package's own library.

use super::Job;
use crate::demo::hosts::{self, Host};
use crate::{paths, sh};
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the library of Linux on x86-64 is in the package.
const OWN_LIBRARY: &str = "Runtime/Plugins/Linux-x64";

/// Unpacks the archive into a project; returns what was seen there.
pub fn check(job: &mut Job, archive: &Path) -> Result<Vec<String>> {
    let packages = job.trees.join("unity-project/Packages");
    let package = packages.join("com.sinew.ik");
    super::write(&packages.join("manifest.json"), "{ \"dependencies\": {} }\n")?;
    sh::run(sh::command("tar", &["-xzf"]).arg(archive).arg("-C").arg(&packages))?;
    std::fs::rename(packages.join("package"), &package).context("the archive has no folder `package`")?;
    let mut checks = vec![importer(&package)?];
    if !package.join(OWN_LIBRARY).is_dir() || !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(checks);
    }
    checks.push(roslyn(job, &package)?);
    checks.push(tutorial(job, &package)?);
    Ok(checks)
}

/// Every file below a folder, relative to it, with `/`; folders too.
fn walk(folder: &Path, below: &str, found: &mut BTreeSet<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder.join(below)).with_context(|| below.to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type()?.is_dir() {
            walk(folder, &path, found)?;
        }
        found.insert(path);
    }
    Ok(())
}

/// Whether Unity imports a path; samples are copied into projects with their metas.
fn is_imported(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    if parts[0] == "Samples~" {
        parts.drain(..parts.len().min(2));
    }
    !parts.is_empty() && parts.iter().all(|part| !part.starts_with('.') && !part.ends_with('~'))
}

/// What the importer would refuse or leave out: assets without metas, metas without assets, ids
/// that occur twice, libraries that would go into players they do not fit, assemblies that are not
/// there.
fn importer(package: &Path) -> Result<String> {
    let mut all = BTreeSet::new();
    walk(package, "", &mut all)?;
    let mut ids: BTreeMap<String, &str> = BTreeMap::new();
    let (mut assets, mut libraries) = (0, 0);
    for path in &all {
        if let Some(asset) = path.strip_suffix(".meta") {
            ensure!(all.contains(asset) && is_imported(asset), "{path} belongs to nothing");
            let text = std::fs::read_to_string(package.join(path)).with_context(|| path.clone())?;
            let id = text
                .lines()
                .find_map(|line| line.strip_prefix("guid: "))
                .with_context(|| format!("{path}: no guid"))?;
            ensure!(id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()), "{path}: {id} is no guid");
            if let Some(other) = ids.insert(id.to_string(), path) {
                anyhow::bail!("{path} and {other} have one guid");
            }
            if asset.starts_with("Runtime/Plugins/") && package.join(asset).is_file() {
                libraries += 1;
                let (any, rest) = text.split_once("Any: \n").map_or(("", text.as_str()), |(_, rest)| ("Any", rest));
                let is_any = !any.is_empty() && rest.lines().take(4).any(|line| line.trim() == "enabled: 1");
                ensure!(text.contains("PluginImporter:") && !is_any, "{asset} would go into every player");
                ensure!(text.contains("enabled: 1"), "{asset} is enabled for no platform");
            }
        } else if is_imported(path) {
            assets += 1;
            ensure!(all.contains(&format!("{path}.meta")), "{path} has no meta: Unity would leave it out");
        }
    }
    let json = |path: &str| -> Result<serde_json::Value> {
        let bytes = std::fs::read(package.join(path)).with_context(|| path.to_string())?;
        serde_json::from_slice(&bytes).with_context(|| path.to_string())
    };
    let definitions: Vec<serde_json::Value> =
        all.iter().filter(|path| path.ends_with(".asmdef")).map(|path| json(path)).collect::<Result<_>>()?;
    let names: BTreeSet<&str> = definitions.iter().filter_map(|d| d["name"].as_str()).collect();
    ensure!(names.len() == definitions.len(), "two assemblies have one name");
    for definition in &definitions {
        for reference in definition["references"].as_array().into_iter().flatten().filter_map(|r| r.as_str()) {
            let is_known = names.contains(reference) || reference.ends_with(".TestRunner");
            ensure!(is_known, "{} refers to {reference}", definition["name"]);
        }
    }
    for sample in json("package.json")?["samples"].as_array().into_iter().flatten().filter_map(|s| s["path"].as_str()) {
        ensure!(all.contains(sample), "no sample {sample}");
    }
    for file in ["README.md", "CHANGELOG.md", "LICENSE.md", "Third Party Notices.md", "Documentation~/index.md"] {
        ensure!(all.contains(file), "no {file}");
    }
    Ok(format!("unpacked into a project: {assets} assets with metas, {libraries} libraries with platforms"))
}

/// Each assembly of the unpacked package, for four versions of Unity and four platforms.
fn roslyn(job: &Job, package: &Path) -> Result<String> {
    let out = job.trees.join("unity-roslyn");
    let mut script = sh::command("sh", &["tests/csharp/roslyn.sh"]);
    script.arg(package.join(OWN_LIBRARY)).arg(&out).arg(paths::target()?.join("dotnet")).arg("TutorialTests");
    let output = sh::capture(script.env("SINEW_UNITY_PACKAGE", package))?;
    if let Some(reason) = output.stdout.lines().find_map(|line| line.strip_prefix("skip ")) {
        return Ok(format!("not compiled by Roslyn: {reason}"));
    }
    ensure!(output.ok(), "{}", sh::tail(&output.text, 20));
    let (compiled, ran) = output.stdout.split_once("# CoreCLR").context("roslyn.sh ran nothing")?;
    let assemblies = compiled.lines().filter(|line| line.starts_with("ok ")).count();
    let tests = ran.lines().rev().find(|line| line.ends_with(" passed, 0 failed")).context("no test passed")?;
    Ok(format!("Roslyn compiles it, {assemblies} assemblies without a warning; its tutorial on CoreCLR: {tests}"))
}

/// The tutorial as Unity would play it, on Mono with a stand-in for the engine.
fn tutorial(job: &mut Job, package: &Path) -> Result<String> {
    if let Err(reason) = Host::CSharp.tools().iter().try_for_each(|tool| tool.ensure()) {
        return Ok(format!("not played: {reason}"));
    }
    let tutorial = job.tutorial()?;
    let folder = tutorial.folder("unity")?;
    let line = hosts::csharp(package, &folder.join("HoldCylinder.exe"))?;
    let library: PathBuf = package.join(OWN_LIBRARY);
    let mut mono = Command::new(&line[0]);
    mono.args(&line[1..]).env("LD_LIBRARY_PATH", library);
    Ok(format!("its components on Mono, beside a stand-in for the engine: {}", tutorial.play(&mut mono, &folder)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_with_a_file_without_meta_is_refused() {
        let folder = std::env::temp_dir().join(format!("sinew-unity-{}", std::process::id()));
        let package = folder.join("package");
        let from = paths::root().join("unity-package");
        crate::godot::copy_folder(&from, &package).unwrap();
        // Metas of libraries that are not there, and no notices: not yet an archive.
        std::fs::remove_dir_all(package.join("Runtime/Plugins")).unwrap();
        std::fs::remove_file(package.join("Runtime/Plugins.meta")).unwrap();
        let notices = "Third Party Notices.md";
        std::fs::write(package.join(notices), "").unwrap();
        std::fs::write(package.join(format!("{notices}.meta")), format!("guid: {}\n", "0".repeat(32))).unwrap();
        let said = importer(&package).unwrap();
        assert!(said.contains("0 libraries"), "{said}");
        std::fs::write(package.join("Runtime/Core/New.cs"), "").unwrap();
        let refused = importer(&package).unwrap_err().to_string();
        assert!(refused.starts_with("Runtime/Core/New.cs has no meta"), "{refused}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
