//! `cargo xtask codegen [--check]`: header, C# P/Invoke layer, TypeScript, Unity metas and the
//! table of the fuzz target from `src/ffi` and the tree.

mod abi;
mod baseline;
mod csharp;
mod expand;
mod exports;
mod forwards;
mod fuzz;
mod header;
mod home;
pub mod metas;
mod sections;
mod sized_defaults;
mod unity;
mod web;
mod web_doc;
mod xml_doc;

use crate::paths;
use abi::Abi;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Writes every generated file, or with `check` compares and fails when one is not up to date.
pub fn run(check: bool) -> Result<()> {
    let root = paths::root();
    let numbers = sized_defaults::numbers(&Abi::read(&root)?)?.into_bytes();
    ensure(&root, vec![(root.join("src/ffi/types/sized.rs"), numbers)], Vec::new(), check)?;
    // The other files are of the numbers that were just written.
    let abi = Abi::read(&root)?;
    let mut files = vec![(root.join("include/sinew/sinew.h"), header::generate(&abi, &root)?)];
    let (path, text) = baseline::generate(&abi, &root)?;
    files.push((root.join(path), text));
    files.push((root.join("fuzz/src/calls/table.rs"), fuzz::generate(&abi)?));
    files.push((root.join("src/ffi/exports.rs"), exports::generate(&abi)?));
    files.push((root.join("src/ffi/sized_defaults.rs"), sized_defaults::generate(&abi)?));
    let interop = root.join("unity-package/Runtime/Interop");
    files.extend(csharp::generate(&abi)?.into_iter().map(|(name, text)| (interop.join(name), text)));
    let sources = root.join("bindings/web/src");
    files.extend(web::generate(&abi)?.into_iter().map(|(name, text)| (sources.join(name), text)));
    let package = root.join("unity-package");
    files.push((package.join("Runtime/Components/SinewAnimator.Forward.g.cs"), forwards::generate()?));
    files.extend(home::generate(&root)?);
    let assets = unity::generate(&package)?;
    files.extend(assets.texts.into_iter().map(|(path, text)| (package.join(path), text)));
    let mut generated: Vec<String> = files.iter().filter_map(|(p, _)| below(p, &package)).collect();
    generated.extend(assets.binaries.iter().map(|(path, _)| path.clone()));
    generated.retain(|path| !path.starts_with("Documentation~/"));
    let metas = metas::generate(&package, &generated)?;
    files.extend(metas.wanted.into_iter().map(|(path, text)| (package.join(path), text)));
    let orphans: Vec<PathBuf> = metas.orphans.iter().map(|path| package.join(path)).collect();
    let mut files: Vec<(PathBuf, Vec<u8>)> = files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    files.extend(assets.binaries.into_iter().map(|(path, bytes)| (package.join(path), bytes)));
    ensure(&root, files, orphans, check)
}

fn below(path: &Path, folder: &Path) -> Option<String> {
    Some(path.strip_prefix(folder).ok()?.to_string_lossy().replace('\\', "/"))
}

/// Brings files to their contents and removes orphans; with `check` only says which are stale.
fn ensure(root: &Path, files: Vec<(PathBuf, Vec<u8>)>, orphans: Vec<PathBuf>, check: bool) -> Result<()> {
    let mut stale = Vec::new();
    for (path, bytes) in files {
        // A text may have been checked out with the line ends of another system.
        let is_same = |old: Vec<u8>| {
            old == bytes || String::from_utf8(old).is_ok_and(|t| t.replace("\r\n", "\n").as_bytes() == bytes)
        };
        if std::fs::read(&path).is_ok_and(is_same) {
            continue;
        }
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if !check {
            std::fs::create_dir_all(path.parent().unwrap_or(root))?;
            std::fs::write(&path, bytes).with_context(|| format!("writing {name}"))?;
            println!("wrote {name}");
        }
        stale.push(name);
    }
    for path in orphans {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if !check {
            std::fs::remove_file(&path).with_context(|| format!("removing {name}"))?;
            println!("removed {name}");
        }
        stale.push(name);
    }
    if check && !stale.is_empty() {
        bail!("not up to date: {}\nrun `cargo xtask codegen` and commit what it writes", stale.join(", "));
    }
    Ok(())
}
