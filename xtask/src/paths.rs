//! Where things are.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf()
}

/// Cargo's target folder.
pub fn target() -> Result<PathBuf> {
    let output = crate::sh::run(&mut crate::sh::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&output.stdout).context("cargo metadata")?;
    Ok(metadata["target_directory"].as_str().context("cargo metadata without target_directory")?.into())
}

/// The Rust target of this machine.
pub fn host_target() -> Result<String> {
    let output = crate::sh::run(&mut crate::sh::command("rustc", &["-vV"]))?;
    let line = output.stdout.lines().find_map(|l| l.strip_prefix("host: ")).context("rustc -vV names no host")?;
    Ok(line.to_string())
}
