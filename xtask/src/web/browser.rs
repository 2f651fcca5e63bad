//! Tests of pages in headless Chromium.

use super::workshop;
use crate::tools::{self, NODE, NPM, Tool};
use crate::{paths, sh};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Ensures that a browser and what drives it are there; else returns the reason why not.
pub fn tools() -> Result<(), String> {
    [&tools::CHROMIUM, &NODE, &NPM].into_iter().try_for_each(Tool::ensure)
}

/// Runs a test of `tests/web` on a folder of pages, where it leaves its screenshots. `env`: what
/// else the test is told.
pub fn run(test: &str, pages: &Path, env: &[(&str, &str)]) -> Result<()> {
    let workshop = workshop()?;
    for file in [test, "model.mjs"] {
        sh::copy(&paths::root().join("tests/web").join(file), &workshop.join(file))?;
    }
    let chromium = sh::find("chromium").context("no chromium")?;
    let mut node = sh::command("node", &["--test", test]);
    node.current_dir(&*workshop).env("PAGE", pages).env("CHROMIUM", chromium).envs(env.iter().copied());
    let output = sh::capture(&mut node)?;
    for line in output.stdout.lines().filter(|line| line.contains("note:")) {
        println!("   {}", line.trim());
    }
    ensure!(output.ok(), "{}", output.text);
    Ok(())
}
