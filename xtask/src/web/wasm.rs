//! The library as a module for `wasm32-unknown-unknown`.

use crate::{paths, sh, tools};
use anyhow::{Result, anyhow, ensure};
use std::path::PathBuf;

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
    tools::rust_target(TARGET).map_err(|reason| anyhow!(reason))?;
    // Flags of its own, a folder of its own: neither build replaces the other.
    let folder = paths::target()?.join("web").join(vectors.file().replace('.', "-"));
    let mut flags: Vec<String> = path_flags()?;
    if vectors == Vectors::With {
        flags.push("-Ctarget-feature=+simd128".into());
    }
    let mut cargo = sh::cargo(&["rustc", "--package", "sinew", "--lib", "--release", "--target", TARGET]);
    cargo.args(["--crate-type", "cdylib", "--", "-C", "strip=symbols"]);
    cargo.env("CARGO_TARGET_DIR", &folder).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    sh::run_cargo(&mut cargo)?;
    let module = folder.join(TARGET).join("release/sinew.wasm");
    ensure!(module.is_file(), "cargo left no {}", module.display());
    Ok(module)
}

/// Compiler flags that replace the folders of this machine, which panic messages would name.
fn path_flags() -> Result<Vec<String>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let pairs = [(Some(paths::root()), "sinew"), (home, "cargo")];
    let flag = |(from, to): (Option<PathBuf>, &str)| from.map(|f| format!("--remap-path-prefix={}={to}", f.display()));
    Ok(pairs.into_iter().filter_map(flag).collect())
}
