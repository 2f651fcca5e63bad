//! `cargo xtask replay FILE`: builds `sinew-replay` and runs it.

use crate::paths;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Runs `sinew-replay` with these arguments.
pub fn run(arguments: &[String]) -> Result<()> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "-p", "sinew-replay", "--manifest-path"])
        .arg(paths::root().join("Cargo.toml"))
        .arg("--")
        .args(arguments)
        .status()
        .context("running cargo")?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => bail!("some calls of the recording differ"),
        _ => bail!("sinew-replay ended with {status}"),
    }
}
