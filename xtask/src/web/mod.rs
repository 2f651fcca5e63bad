//! The WebAssembly build and what is made of it: the npm package and the playground.

pub mod browser;
pub mod playground;
mod serve;
mod wasm;

pub use wasm::{Vectors, build as build_wasm, wasm};

use crate::sh::copy_folder;
use crate::{paths, sh};
use anyhow::{Context, Result, ensure};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Both modules of the npm package.
pub const ALL: [Vectors; 2] = [Vectors::With, Vectors::Without];

/// A copy of `bindings/web` in cargo's target folder. One step at a time has it: each begins with
/// fresh sources, and without what another compiled.
pub struct Workshop {
    folder: PathBuf,
    _held: MutexGuard<'static, ()>,
}

impl Deref for Workshop {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.folder
    }
}

/// Fills the workshop, with the tools that its lock file names, and holds it. Nothing is written
/// into the sources.
pub fn workshop() -> Result<Workshop> {
    static HELD: Mutex<()> = Mutex::new(());
    let _held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let (root, folder) = (paths::root().join("bindings/web"), paths::target()?.join("web/npm"));
    std::fs::create_dir_all(&folder)?;
    let lock = std::fs::read(root.join("package-lock.json")).context("bindings/web/package-lock.json")?;
    let is_installed = std::fs::read(folder.join("installed.json")).is_ok_and(|old| old == lock);
    for part in ["src", "dist"] {
        remove(&folder.join(part))?;
    }
    for file in ["package.json", "package-lock.json", "tsconfig.json", "README.md"] {
        sh::copy(&root.join(file), &folder.join(file))?;
    }
    for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
        sh::copy(&paths::root().join(license), &folder.join(license))?;
    }
    copy_folder(&root.join("src"), &folder.join("src"))?;
    if !is_installed {
        println!("fetching the tools of bindings/web/package-lock.json");
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        sh::run(sh::command("npm", &arguments).current_dir(&folder))?;
        std::fs::write(folder.join("installed.json"), &lock)?;
    }
    Ok(Workshop { folder, _held })
}

/// A program that the workshop's tools bring.
fn tool(workshop: &Path, name: &str, arguments: &[&str]) -> std::process::Command {
    let mut command = sh::command(workshop.join("node_modules/.bin").join(name), arguments);
    command.current_dir(workshop);
    command
}

/// The npm package `sinew-ik-VERSION.tgz` in `out`, with these modules.
pub fn npm_package(modules: &[Vectors], out: &Path) -> Result<PathBuf> {
    // Before the workshop is held: a build takes minutes.
    let built = modules.iter().map(|vectors| Ok((wasm(*vectors)?, vectors.file()))).collect::<Result<Vec<_>>>()?;
    let folder = workshop()?;
    let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("package.json"))?)?;
    ensure!(manifest["version"] == VERSION, "bindings/web/package.json has not the version {VERSION} of Cargo.toml");
    sh::run(&mut tool(&folder, "tsc", &["--project", "."])).context("compiling bindings/web/src")?;
    for (module, name) in &built {
        sh::copy(module, &folder.join("dist").join(name))?;
    }
    std::fs::create_dir_all(out)?;
    let arguments = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination"];
    sh::run(sh::command("npm", &arguments).arg(out).current_dir(&*folder))?;
    let archive = out.join(format!("sinew-ik-{VERSION}.tgz"));
    ensure!(archive.is_file(), "npm left no {}", archive.display());
    Ok(archive)
}

/// A project with nothing in it but an installed package, as a user has it.
pub fn fresh_project(archive: &Path, folder: &Path) -> Result<()> {
    remove(folder)?;
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("package.json"), "{ \"private\": true, \"type\": \"module\" }\n")?;
    let arguments = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    sh::run(sh::command("npm", &arguments).arg(archive).current_dir(folder))?;
    Ok(())
}

/// Runs `examples/hello/hello.mjs` in a project that has the package.
pub fn hello(project: &Path) -> Result<()> {
    sh::copy(&paths::root().join("examples/hello/hello.mjs"), &project.join("hello.mjs"))?;
    let output = sh::run(sh::command("node", &["hello.mjs"]).current_dir(project))?;
    let off = output.stdout.strip_prefix("the hand is ").and_then(|rest| rest.split(' ').next());
    let off: f64 =
        off.and_then(|number| number.parse().ok()).context("examples/hello/hello.mjs printed no residual")?;
    ensure!(off < 1e-5, "the hand is {off} m off");
    Ok(())
}

/// The tutorial in JavaScript, for a project that has the package.
pub fn tutorial(project: &Path) -> Result<()> {
    for file in ["hold_cylinder.mjs", "play.mjs", "index.html"] {
        sh::copy(&paths::root().join("examples/hold_cylinder/web").join(file), &project.join(file))?;
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        std::fs::remove_dir_all(folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    Ok(())
}
