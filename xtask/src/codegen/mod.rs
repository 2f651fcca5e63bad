//! `cargo xtask codegen [--check]`: header, C# P/Invoke layer and Unity metas from `src/ffi` and the tree.

mod abi;
mod csharp;
mod expand;
mod forwards;
mod header;
pub mod metas;
mod sections;
mod xml_doc;

use crate::paths;
use abi::Abi;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Writes every generated file, or with `check` compares and fails when one is not up to date.
pub fn run(check: bool) -> Result<()> {
    let root = paths::root();
    let abi = Abi::read(&root)?;
    let mut files = vec![(root.join("include/sinew/sinew.h"), header::generate(&abi, &root)?)];
    let interop = root.join("unity-package/Runtime/Interop");
    files.extend(csharp::generate(&abi)?.into_iter().map(|(name, text)| (interop.join(name), text)));
    let package = root.join("unity-package");
    files.push((package.join("Runtime/Components/SinewAnimator.Forward.g.cs"), forwards::generate()?));
    let generated: Vec<String> = files.iter().filter_map(|(p, _)| below(p, &package)).collect();
    let metas = metas::generate(&package, &generated)?;
    files.extend(metas.wanted.into_iter().map(|(path, text)| (package.join(path), text)));
    let orphans: Vec<PathBuf> = metas.orphans.iter().map(|path| package.join(path)).collect();
    ensure(&root, files, orphans, check)
}

fn below(path: &Path, folder: &Path) -> Option<String> {
    Some(path.strip_prefix(folder).ok()?.to_string_lossy().replace('\\', "/"))
}

/// Brings files to their contents and removes orphans; with `check` only says which are stale.
fn ensure(root: &Path, files: Vec<(PathBuf, String)>, orphans: Vec<PathBuf>, check: bool) -> Result<()> {
    let mut stale = Vec::new();
    for (path, text) in files {
        if std::fs::read_to_string(&path).is_ok_and(|old| old.replace("\r\n", "\n") == text) {
            continue;
        }
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if !check {
            std::fs::create_dir_all(path.parent().unwrap_or(root))?;
            std::fs::write(&path, text).with_context(|| format!("writing {name}"))?;
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
