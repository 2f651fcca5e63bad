//! Godot: the engine, the extension, and projects to run it in.

use crate::{paths, sh};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Oldest version that has what the addon and its comparisons use.
const LEAST: (u32, u32) = (4, 6);

/// What keeps an engine from being there.
type Missing = String;

/// An engine: the one `SINEW_GODOT` names, else `godot` on the path when it is new enough, else
/// Debian's, fetched into cargo's target folder (once; no root needed). `drawing`: one that can
/// take pictures.
pub fn engine(drawing: bool) -> Result<Result<PathBuf, Missing>> {
    if let Some(given) = std::env::var_os("SINEW_GODOT") {
        let given = PathBuf::from(given);
        return Ok(check(&given).map(|()| given));
    }
    if !drawing
        && let Some(found) = sh::find("godot")
        && check(&found).is_ok()
    {
        return Ok(Ok(found));
    }
    let folder = folder()?.join(if drawing { "engine-drawing" } else { "engine" });
    let program = folder.join("godot");
    if program.is_file() && check(&program).is_ok() {
        return Ok(Ok(program));
    }
    println!("fetching Debian's Godot into {}", folder.display());
    let mut script = sh::command("sh", &["bindings/godot/get-engine.sh"]);
    script.arg(&folder).args(drawing.then_some("drawing"));
    match sh::capture_within(&mut script, Duration::from_secs(600)) {
        Ok(output) if output.ok() => Ok(check(&program).map(|()| program)),
        Ok(output) => {
            Ok(Err(format!("no Godot 4.6, and get-engine.sh could not fetch one: {}", sh::tail(&output.text, 2))))
        }
        Err(error) => Ok(Err(format!("no Godot 4.6: {error:#}"))),
    }
}

fn check(program: &Path) -> Result<(), Missing> {
    let output = sh::run(&mut sh::command(program, &["--headless", "--version"])).map_err(|e| format!("{e:#}"))?;
    let version = output.stdout.trim().lines().last().unwrap_or_default().to_string();
    let mut numbers = version.split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found >= LEAST { Ok(()) } else { Err(format!("{} is Godot {version}, not 4.6 or newer", program.display())) }
}

/// Everything about Godot in cargo's target folder.
fn folder() -> Result<PathBuf> {
    Ok(paths::target()?.join("godot"))
}

/// Cargo on the extension, which is a workspace of its own.
pub fn cargo(arguments: &[&str]) -> Result<Command> {
    let mut cargo = sh::cargo(&[]);
    cargo.args(arguments).current_dir(paths::root().join("bindings/godot"));
    cargo.env("CARGO_TARGET_DIR", folder()?.join("ext"));
    Ok(cargo)
}

/// Why this toolchain cannot build the extension, if so.
pub fn toolchain() -> Result<(), Missing> {
    let manifest = std::fs::read_to_string(paths::root().join("bindings/godot/Cargo.toml")).unwrap_or_default();
    let wanted = manifest.lines().find_map(|l| l.strip_prefix("rust-version = \"1.")).unwrap_or("0\"");
    let wanted: u32 = wanted.trim_end_matches('"').parse().unwrap_or(0);
    let output = sh::run(&mut sh::command("rustc", &["--version"])).map_err(|e| format!("{e:#}"))?;
    let minor = output.stdout.split('.').nth(1).and_then(|m| m.parse::<u32>().ok()).unwrap_or(0);
    if minor >= wanted { Ok(()) } else { Err(format!("the Godot extension needs Rust 1.{wanted}, here is 1.{minor}")) }
}

/// Builds the extension as it is shipped, for this machine.
pub fn build() -> Result<PathBuf> {
    sh::run_cargo(&mut cargo(&["build", "--release", "--locked"])?).context("building bindings/godot")?;
    let name = format!("{}sinew_godot{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok(folder()?.join("ext/release").join(name))
}

/// Path of the library in the addon, by the Rust target it was built for; `None` for targets the
/// addon does not name.
pub fn library_place(target: &str) -> Option<&'static str> {
    Some(match target {
        "x86_64-unknown-linux-gnu" => "bin/libsinew_godot.linux.x86_64.so",
        "aarch64-unknown-linux-gnu" => "bin/libsinew_godot.linux.arm64.so",
        "x86_64-pc-windows-gnu" | "x86_64-pc-windows-msvc" => "bin/sinew_godot.windows.x86_64.dll",
        "universal-apple-darwin" | "aarch64-apple-darwin" | "x86_64-apple-darwin" => "bin/libsinew_godot.macos.dylib",
        "aarch64-linux-android" => "bin/libsinew_godot.android.arm64.so",
        "armv7-linux-androideabi" => "bin/libsinew_godot.android.arm32.so",
        "x86_64-linux-android" => "bin/libsinew_godot.android.x86_64.so",
        _ => return None,
    })
}

/// A copy of a project with the addon in it, ready to run: no import needed.
pub fn project(name: &str, source: &Path, library: &Path) -> Result<PathBuf> {
    let copy = project_with(name, source, &paths::root().join("bindings/godot/addons"))?;
    let place = library_place(&paths::host_target()?).context("the addon has no place for this machine's library")?;
    sh::copy(library, &copy.join("addons/sinew").join(place))?;
    Ok(copy)
}

/// A copy of a project with a folder `addons` in it, ready to run.
pub fn project_with(name: &str, source: &Path, addons: &Path) -> Result<PathBuf> {
    let copy = folder()?.join(name);
    if copy.is_dir() {
        std::fs::remove_dir_all(&copy)?;
    }
    copy_folder(source, &copy)?;
    copy_folder(addons, &copy.join("addons"))?;
    std::fs::create_dir_all(copy.join(".godot"))?;
    std::fs::write(copy.join(".godot/extension_list.cfg"), "res://addons/sinew/sinew.gdextension\n")?;
    Ok(copy)
}

/// Copies a folder with everything in it but what the editor leaves there.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name();
        if name == ".godot" || name.to_string_lossy().ends_with(".uid") {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to.join(name))?;
        } else {
            sh::copy(&entry.path(), &to.join(name))?;
        }
    }
    Ok(())
}

/// The engine on a project's script, headless, user files in the project.
pub fn script(engine: &Path, project: &Path, script: &str) -> Command {
    let mut command = sh::command(engine, &["--headless", "--verbose", "--path"]);
    command.arg(project).args(["--script", script]).env("XDG_DATA_HOME", project.join(".godot/user"));
    command
}

/// What announces the error of a line to come: its text, or how it begins.
const EXPECTED: &str = "expected error: ";

/// Lines in what the engine printed that no sound run has: script errors, engine errors, leaks at
/// exit, panics; and errors that were announced and did not come.
pub fn complaints(text: &str) -> Vec<String> {
    let bad = |line: &&str| {
        let line = line.trim_start();
        // Verbose runs name what they do with the words of errors, so only starts of lines count.
        line.starts_with("SCRIPT ERROR")
            || line.starts_with("ERROR:")
            || line.starts_with("USER ERROR")
            || line.starts_with("Leaked instance")
            || line.contains("leaked at exit")
            || line.contains(" panicked at ")
    };
    let mut expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(EXPECTED)).collect();
    let mut found: Vec<String> = Vec::new();
    for line in text.lines().filter(bad) {
        let error = line.trim_start().strip_prefix("ERROR: ").unwrap_or_default();
        match expected.iter().position(|begin| !error.is_empty() && error.starts_with(begin)) {
            Some(place) => _ = expected.remove(place),
            None => found.push(line.trim().to_string()),
        }
    }
    found.extend(expected.iter().map(|text| format!("no error: {text}")));
    found
}
