//! `cargo xtask version`: one version in every manifest.

use crate::{codegen, paths, sh};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Files with the version, and what stands in front of and behind it there. The first one is the
/// one that is read.
const PLACES: [(&str, &str, &str); 8] = [
    ("Cargo.toml", "[workspace.package]\nversion = \"", "\""),
    ("Cargo.lock", "name = \"sinew\"\nversion = \"", "\""),
    ("Cargo.lock", "name = \"sinew-testkit\"\nversion = \"", "\""),
    ("Cargo.lock", "name = \"sinew-xtask\"\nversion = \"", "\""),
    ("bindings/godot/Cargo.toml", "name = \"sinew-godot\"\nversion = \"", "\""),
    ("bindings/csharp/Sinew.csproj", "<Version>", "</Version>"),
    ("bindings/web/package.json", "\"version\": \"", "\""),
    ("unity-package/package.json", "\"version\": \"", "\""),
];
/// Lock files that name crates or packages of this repository, with the same two texts.
const LOCKS: [(&str, &str, &str); 5] = [
    ("bindings/godot/Cargo.lock", "name = \"sinew\"\nversion = \"", "\""),
    ("bindings/godot/Cargo.lock", "name = \"sinew-godot\"\nversion = \"", "\""),
    ("bindings/web/package-lock.json", "\"name\": \"sinew-ik\",\n  \"version\": \"", "\""),
    ("bindings/web/package-lock.json", "\"name\": \"sinew-ik\",\n      \"version\": \"", "\""),
    ("tests/csharp/Tests/LibraryTests.cs", "Assert.AreEqual(\"", "\", SinewLibrary.Version.ToString())"),
];

/// Prints the version, or writes a new one everywhere and everything that is generated from it.
pub fn run(new: Option<&str>) -> Result<()> {
    let root = paths::root();
    let Some(new) = new else {
        println!("{}", current(&root)?);
        return Ok(());
    };
    write(&root, new)?;
    println!("{new} in {} files", PLACES.len() + LOCKS.len());
    // The header states the version; this program still knows the old one.
    sh::run_cargo(&mut sh::cargo(&["run", "--quiet", "--package", "sinew-xtask", "--bin", "xtask", "--", "codegen"]))?;
    codegen::run(false).context("writing the generated files")?;
    println!("CHANGELOG.md and unity-package/CHANGELOG.md are yours to write");
    Ok(())
}

/// The version, an error when two files differ.
pub fn current(root: &Path) -> Result<String> {
    let mut version: Option<String> = None;
    for (file, before, after) in places() {
        let text = read(root, file)?;
        let found = span(&text, before, after).with_context(|| format!("{file} has no version"))?;
        let found = text[found].to_string();
        let first = version.get_or_insert_with(|| found.clone());
        ensure!(*first == found, "{file} has version {found}, Cargo.toml {first}");
    }
    version.context("no version")
}

/// Writes a version into every file. It must be three numbers.
fn write(root: &Path, new: &str) -> Result<()> {
    let parts: Vec<&str> = new.split('.').collect();
    let is_plain =
        parts.len() == 3 && parts.iter().all(|part| part.parse::<u32>().is_ok_and(|n| n.to_string() == *part));
    ensure!(is_plain, "{new:?} is not a version such as 1.2.3");
    current(root)?;
    for (file, before, after) in places() {
        let mut text = read(root, file)?;
        let found = span(&text, before, after).with_context(|| format!("{file} has no version"))?;
        text.replace_range(found, new);
        std::fs::write(root.join(file), text).with_context(|| format!("writing {file}"))?;
    }
    Ok(())
}

fn places() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    PLACES.into_iter().chain(LOCKS)
}

fn read(root: &Path, file: &str) -> Result<String> {
    std::fs::read_to_string(root.join(file)).with_context(|| format!("reading {file}"))
}

/// Where the version is: between the first `before` and the next `after`.
fn span(text: &str, before: &str, after: &str) -> Option<std::ops::Range<usize>> {
    let start = text.find(before)? + before.len();
    Some(start..start + text[start..].find(after)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_manifest_has_the_version_of_this_program() {
        assert_eq!(current(&paths::root()).unwrap(), env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn a_new_version_is_written_everywhere_and_nothing_else_changes() {
        let copy = std::env::temp_dir().join(format!("sinew-version-{}", std::process::id()));
        let (root, old) = (paths::root(), env!("CARGO_PKG_VERSION"));
        for (file, ..) in places() {
            sh::copy(&root.join(file), &copy.join(file)).unwrap();
        }
        for wrong in ["1.2", "1.2.3.4", "v1.2.3", "1.02.3", ""] {
            assert!(write(&copy, wrong).is_err(), "{wrong:?}");
        }
        write(&copy, "12.34.56").unwrap();
        assert_eq!(current(&copy).unwrap(), "12.34.56");
        write(&copy, old).unwrap();
        for (file, ..) in places() {
            assert_eq!(read(&copy, file).unwrap(), read(&root, file).unwrap(), "{file}");
        }
        std::fs::write(copy.join("unity-package/package.json"), "{ \"version\": \"0.0.7\" }").unwrap();
        assert!(current(&copy).unwrap_err().to_string().contains("0.0.7"));
        std::fs::remove_dir_all(&copy).unwrap();
    }
}
