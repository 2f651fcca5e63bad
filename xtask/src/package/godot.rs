//! The Godot addon: `addons/sinew/`, to be unpacked into a project.

use super::build::{self, Recipe, has_no_paths};
use super::licences::{self, Parts};
use super::manifest::{Proof, State, VERSION};
use super::{Job, Reason, android, apple, archive, inspect, linux, macho, windows, write};
use crate::test::godot_cases;
use crate::{godot, paths, sh};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// A library of the addon.
struct Library {
    target: String,
    /// A target of Rust that has the same dependencies.
    rust: String,
    file: PathBuf,
    checks: Vec<String>,
}

/// The addon: with this machine's library, or with those of every platform.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    if let Err(reason) = godot::toolchain() {
        return Ok(Err(reason));
    }
    let libraries = if job.what.all { every_platform(job)? } else { vec![this_machine()?] };
    let Some(first) = libraries.first() else { return Ok(Err("no platform's library can be built here".into())) };
    let tree = job.trees.join("godot");
    let addon = tree.join("addons/sinew");
    godot::copy_folder(&paths::root().join("bindings/godot/addons/sinew"), &addon)?;
    let crate_folder = paths::root().join("bindings/godot");
    let mut parts: Parts = licences::parts(&crate_folder, "sinew-godot", &first.rust)?;
    let mut checks = Vec::new();
    for library in &libraries {
        let place = godot::library_place(&library.target);
        let place = place.with_context(|| format!("no place for {} in the addon", library.target))?;
        sh::copy(&library.file, &addon.join(place))?;
        parts.add(&licences::parts(&crate_folder, "sinew-godot", &library.rust)?);
        checks.extend(library.checks.iter().map(|check| format!("{}: {check}", library.target)));
    }
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "docs/godot.md", "bindings/godot/NOTICE"] {
        let from = paths::root().join(file);
        if let Some(name) = from.file_name().filter(|_| from.is_file()) {
            sh::copy(&from, &addon.join(name))?;
        }
    }
    write(&addon.join("THIRD-PARTY-NOTICES.md"), &parts.notices()?)?;
    let file = job.made.join(format!("sinew-godot-{VERSION}.zip"));
    archive::zip(&file, &tree)?;
    checks.push(format!("licences of {} linked crates inside", parts.third_parties()));
    let mut proof = Proof { state: State::Inspected, ran_on: String::new(), checks };
    let has_own = libraries.iter().any(|library| Some(&library.target) == paths::host_target().ok().as_ref());
    if job.what.all && has_own {
        match runs(&file, &job.trees.join("godot-zip"))? {
            Ok(check) => {
                proof.checks.push(check);
                // The others were looked at alone.
                proof.state = if libraries.len() == 1 { State::Tested } else { State::Inspected };
            }
            Err(reason) => proof.checks.push(format!("not run: {reason}")),
        }
    }
    let targets: Vec<&str> = libraries.iter().map(|library| library.target.as_str()).collect();
    job.add(&file, &targets.join(" "), proof, &parts)?;
    Ok(Ok(()))
}

fn this_machine() -> Result<Library> {
    let target = paths::host_target()?;
    Ok(Library { rust: target.clone(), target, file: godot::build()?, checks: vec![] })
}

/// The libraries of all platforms whose tools are here. Godot for the web loads extensions only in
/// builds of the engine with threads, by a nightly Rust: none is made.
fn every_platform(job: &mut Job) -> Result<Vec<Library>> {
    let mut libraries = Vec::new();
    for triple in linux::TARGETS {
        libraries.extend(one(job, triple, linux::recipe(triple))?);
    }
    libraries.extend(one(job, windows::TARGET, windows::recipe())?);
    let mut macs = Vec::new();
    for (processor, triple, oldest) in apple::MACS {
        let recipe = match crate::tools::rust_target(triple) {
            Ok(()) => Ok(apple::recipe(triple, oldest)?),
            Err(reason) => Err(reason),
        };
        macs.extend(one(job, triple, recipe)?.map(|library| (processor, library)));
    }
    if macs.len() == apple::MACS.len() {
        let file = job.trees.join("godot-macos/libsinew_godot.dylib");
        let each: Vec<_> = macs.iter().map(|(processor, library)| (*processor, library.file.as_path())).collect();
        macho::join(&each, &file)?;
        let checks = macs[0].1.checks.clone();
        libraries.push(Library { target: apple::MACOS.into(), rust: apple::MACS[1].1.into(), file, checks });
    }
    for (triple, clang) in android::TARGETS {
        libraries.extend(one(job, triple, android::recipe(triple, clang)?)?);
    }
    Ok(libraries)
}

/// One platform's library, or a line in the manifest that says why there is none.
fn one(job: &mut Job, triple: &str, recipe: Result<Recipe, Reason>) -> Result<Option<Library>> {
    let recipe = match recipe {
        Ok(recipe) => recipe.for_godot(),
        Err(reason) => {
            job.manifest.skip(&format!("Godot, {triple}"), reason);
            return Ok(None);
        }
    };
    // A folder of its own: cargo gives a library that is also linked by C one name for all sets of
    // features, so the two would take each other's.
    let folder = build::folder()?.join("godot");
    let built = recipe.build(&paths::root(), &folder).with_context(|| triple.to_string())?;
    let file = built.shared.context("no shared library")?;
    let mut checks = vec![inspect::entry_point(&file)?, has_no_paths(&file)?];
    if triple.contains("android") {
        checks.push(inspect::page_size(&file)?);
    } else if triple.contains("windows") {
        checks.push(inspect::dlls(&file)?);
    }
    Ok(Some(Library { target: triple.into(), rust: triple.into(), file, checks }))
}

/// Unpacks the archive into a fresh project and runs the addon's tests in the engine; a reason
/// where there is no engine.
fn runs(archive: &Path, folder: &Path) -> Result<Result<String, Reason>> {
    let engine = match godot::engine(false)? {
        Ok(engine) => engine,
        Err(reason) => return Ok(Err(reason)),
    };
    std::fs::create_dir_all(folder)?;
    sh::run(sh::command("python3", &["-m", "zipfile", "-e"]).arg(archive).arg(folder))?;
    let project = godot::project_with("package", &paths::root().join("tests/godot-project"), &folder.join("addons"))?;
    godot_cases::write(&project)?;
    let output = sh::run(&mut godot::script(&engine, &project, "res://run.gd"))?;
    let complaints = godot::complaints(&output.text);
    ensure!(complaints.is_empty(), "{}", complaints.join("; "));
    let last = output.stdout.lines().rev().find(|line| line.contains(" passed, 0 failed"));
    let last = last.context("the addon's tests did not pass")?;
    Ok(Ok(format!("unpacked into a fresh project of Godot 4.6, headless: {}", last.trim())))
}
