//! The library as a module for `wasm32-unknown-unknown`.

use crate::package::build::remap_flags;
use crate::{paths, sh, tools};
use anyhow::{Result, anyhow, ensure};
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";

/// Whether the module uses the vector instructions, which a few old browsers lack. Both give the
/// same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Plain instructions.
    Without,
    /// SIMD128.
    With,
}

impl Vectors {
    /// Name of the module in the npm package.
    pub fn file(self) -> &'static str {
        match self {
            Vectors::Without => "sinew.wasm",
            Vectors::With => "sinew.simd.wasm",
        }
    }
}

/// Builds the module, without names and paths of this machine.
pub fn wasm(vectors: Vectors) -> Result<PathBuf> {
    // Flags of its own, a folder of its own: neither build replaces the other.
    let folder = paths::target()?.join("web").join(vectors.file().replace('.', "-"));
    build(vectors, &paths::root(), &folder)
}

/// The module of the sources in `source`, built in the cargo target folder `folder`.
pub fn build(vectors: Vectors, source: &Path, folder: &Path) -> Result<PathBuf> {
    tools::rust_target(TARGET).map_err(|reason| anyhow!(reason))?;
    let mut flags = remap_flags(source)?;
    if vectors == Vectors::With {
        flags.push("-Ctarget-feature=+simd128".into());
    }
    let mut cargo = sh::cargo(&["rustc", "--package", "sinew", "--lib", "--release", "--target", TARGET]);
    cargo.args(["--crate-type", "cdylib", "--", "-C", "strip=symbols"]);
    cargo.current_dir(source).env("CARGO_TARGET_DIR", folder).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    sh::run_cargo(&mut cargo)?;
    let module = folder.join(TARGET).join("release/sinew.wasm");
    ensure!(module.is_file(), "cargo left no {}", module.display());
    Ok(module)
}
