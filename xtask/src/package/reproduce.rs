//! Two builds give the same bytes: the second one of a copy of the sources in another folder, with
//! nothing kept from the first.

use super::build::{Built, Recipe};
use super::manifest::sha256;
use super::{Job, Reason, linux, windows};
use crate::web::{self, Vectors};
use crate::{paths, sh, tools};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Builds the libraries of Linux, Windows and WebAssembly again and compares them.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    let folder = job.trees.join("again");
    let source = copy_of_sources(&folder)?;
    let target = folder.join("target");
    let mut same = Vec::new();
    for (triple, recipe) in
        [(linux::TARGETS[0], linux::recipe(linux::TARGETS[0])), (windows::TARGET, windows::recipe())]
    {
        if !job.libraries.contains_key(triple) {
            continue;
        }
        let recipe: Recipe = recipe.map_err(anyhow::Error::msg)?;
        let first = recipe.build(&paths::root(), &super::build::folder()?)?;
        let second = recipe.build(&source, &target)?;
        compare(&first, &second).with_context(|| triple.to_string())?;
        same.push(triple);
    }
    if tools::rust_target("wasm32-unknown-unknown").is_ok() {
        let (first, second) = (web::wasm(Vectors::With)?, web::build_wasm(Vectors::With, &source, &target)?);
        same_bytes(&first, &second)?;
        same.push("wasm32-unknown-unknown");
    }
    if same.is_empty() {
        return Ok(Err("nothing was built that could be built again".into()));
    }
    println!("two builds gave the same bytes: {}", same.join(" "));
    for entry in &mut job.manifest.files {
        let is_one = same.iter().any(|triple| entry.target == *triple);
        if is_one {
            entry.checks.push("its library is the same, byte for byte, when built again in another folder".into());
        }
    }
    Ok(Ok(()))
}

/// The files that git knows, in a folder with another name than this one's.
fn copy_of_sources(folder: &Path) -> Result<PathBuf> {
    let source = folder.join("a copy of the sources");
    let files = sh::run(&mut sh::command("git", &["ls-files"]))?;
    for file in files.stdout.lines() {
        let from = paths::root().join(file);
        if from.is_file() {
            sh::copy(&from, &source.join(file))?;
        }
    }
    Ok(source)
}

fn compare(first: &Built, second: &Built) -> Result<()> {
    for (one, other) in [(&first.shared, &second.shared), (&first.fixed, &second.fixed)] {
        if let (Some(one), Some(other)) = (one, other) {
            same_bytes(one, other)?;
        }
    }
    Ok(())
}

fn same_bytes(one: &Path, other: &Path) -> Result<()> {
    let sum = |file: &Path| -> Result<String> { Ok(sha256(&std::fs::read(file)?)) };
    let (first, second) = (sum(one)?, sum(other)?);
    ensure!(first == second, "{} ({first}) and {} ({second}) differ", one.display(), other.display());
    Ok(())
}
