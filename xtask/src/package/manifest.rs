//! `dist/manifest.json`: what each file is, which checks it passed, and where.

use crate::sh;
use anyhow::{Context, Result};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version of everything that is packaged.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
const MANIFEST: &str = "manifest.json";
/// The files' sums, for `sha256sum --check`.
const SUMS: &str = "SHA256SUMS";
/// The manifest's first entry: distinguishes this manifest from another program's file of that
/// name.
const MADE_BY: &str = "cargo xtask package";

/// How far a file was tried. The order is from best to worst.
#[derive(Serialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Run on this machine.
    #[serde(rename = "tested")]
    Tested,
    /// Run by a program that stands in for the platform: qemu, wine.
    #[serde(rename = "tested under emulation")]
    Emulated,
    /// Built, and looked at with tools; never run.
    #[serde(rename = "only inspected")]
    Inspected,
}

impl State {
    /// As the manifest has it.
    pub fn text(self) -> &'static str {
        match self {
            State::Tested => "tested",
            State::Emulated => "tested under emulation",
            State::Inspected => "only inspected",
        }
    }
}

/// What is known about a file or a library in it.
#[derive(Clone, Debug)]
pub struct Proof {
    /// How far it was tried.
    pub state: State,
    /// What ran it: "this machine", "qemu-aarch64 7.2". Empty: nothing did.
    pub ran_on: String,
    /// What was checked, with what was found.
    pub checks: Vec<String>,
}

/// One line of the manifest.
#[derive(Serialize)]
pub struct Entry {
    pub file: String,
    pub size: u64,
    pub sha256: String,
    pub target: String,
    pub state: State,
    pub ran_on: String,
    pub checks: Vec<String>,
    /// The file's CycloneDX document, beside it.
    pub sbom: String,
}

#[derive(Serialize)]
pub struct Manifest {
    made_by: &'static str,
    version: &'static str,
    pub rustc: String,
    pub files: Vec<Entry>,
    pub skipped: BTreeMap<String, String>,
}

impl Manifest {
    /// An empty one.
    pub fn new(rustc: String) -> Self {
        Manifest { made_by: MADE_BY, version: VERSION, rustc, files: vec![], skipped: BTreeMap::new() }
    }

    /// What is not packaged, and why.
    pub fn skip(&mut self, what: &str, reason: String) {
        println!("SKIP {what}: {reason}");
        self.skipped.insert(what.into(), reason);
    }

    /// The table for people.
    pub fn print(&self) {
        for entry in &self.files {
            let ran_on = if entry.ran_on.is_empty() { String::new() } else { format!(", {}", entry.ran_on) };
            println!("{:>9}  {}  [{}] {}{ran_on}", entry.size, entry.file, entry.target, entry.state.text());
            for check in &entry.checks {
                println!("             - {check}");
            }
        }
        for (what, reason) in &self.skipped {
            println!("  skipped  {what}: {reason}");
        }
    }

    /// Names of all files that it stands for.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|e| [e.file.as_str(), e.sbom.as_str()]).filter(|name| !name.is_empty())
    }
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// The files in `dist` that an earlier run left, as its manifest lists them. An error when `dist`
/// is not empty and has no manifest of this command: then the folder is not ours.
pub fn earlier_files(dist: &Path) -> Result<Vec<PathBuf>> {
    if !dist.exists() {
        return Ok(vec![]);
    }
    let shown = dist.display();
    if std::fs::read_dir(dist).with_context(|| format!("reading {shown}"))?.next().is_none() {
        return Ok(vec![]);
    }
    let refuse = || format!("{shown} is not empty and has no {MANIFEST} of `{MADE_BY}`: choose an empty or new folder");
    let text = std::fs::read_to_string(dist.join(MANIFEST)).ok().with_context(refuse)?;
    let manifest: serde_json::Value = serde_json::from_str(&text).ok().with_context(refuse)?;
    let files = manifest["files"].as_array().filter(|_| manifest["made_by"] == MADE_BY).with_context(refuse)?;
    let names = files.iter().flat_map(|entry| [Some(&entry["file"]), entry.get("sbom")].into_iter().flatten());
    names
        .filter(|name| *name != "")
        .map(|name| {
            let name = name.as_str().unwrap_or_default();
            // A plain name: nothing outside of `dist`, and no folder, is ever deleted.
            let plain = Path::new(name).file_name().is_some_and(|plain| plain == name);
            plain
                .then(|| dist.join(name))
                .with_context(|| format!("{shown}/{MANIFEST} lists {name:?}, which is no file name"))
        })
        .collect()
}

/// Replaces the archives of an earlier run in `dist` by those in `made`. Other files stay.
pub fn publish(dist: &Path, made: &Path, manifest: &Manifest) -> Result<()> {
    for file in earlier_files(dist)? {
        if file.is_file() {
            std::fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
        }
    }
    std::fs::create_dir_all(dist)?;
    // The manifest first: a run that is stopped here leaves a folder that the next run knows.
    std::fs::write(dist.join(MANIFEST), serde_json::to_string_pretty(manifest)? + "\n")?;
    let mut sums = String::new();
    for name in manifest.names() {
        sh::copy(&made.join(name), &dist.join(name))?;
        sums += &format!("{}  {name}\n", sha256(&std::fs::read(dist.join(name))?));
    }
    std::fs::write(dist.join(SUMS), sums)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder of this test's own.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("sinew-package-{}-{name}", std::process::id()));
        _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn manifest(files: &[&str]) -> Manifest {
        let mut manifest = Manifest::new(String::new());
        manifest.files.extend(files.iter().map(|file| Entry {
            file: file.to_string(),
            size: 1,
            sha256: String::new(),
            target: String::new(),
            state: State::Tested,
            ran_on: String::new(),
            checks: vec![],
            sbom: String::new(),
        }));
        manifest
    }

    #[test]
    fn a_folder_that_is_not_ours_is_refused_and_keeps_its_files() {
        let dist = folder("foreign");
        let thesis = dist.join("sub/thesis.txt");
        std::fs::create_dir_all(thesis.parent().unwrap()).unwrap();
        std::fs::write(&thesis, "years of work").unwrap();
        for other in [None, Some("no json"), Some("{}"), Some(r#"{"files": [{"file": "sub"}]}"#)] {
            if let Some(text) = other {
                std::fs::write(dist.join(MANIFEST), text).unwrap();
            }
            // The command itself: it must refuse before it builds or deletes anything.
            let error = crate::package::run(&dist, &crate::package::What::default()).err().unwrap().to_string();
            assert!(error.contains("is not empty"), "{error}");
            assert!(publish(&dist, &folder("made-foreign"), &manifest(&[])).is_err());
            assert_eq!(std::fs::read_to_string(&thesis).unwrap(), "years of work");
        }
        std::fs::remove_dir_all(&dist).unwrap();
    }

    #[test]
    fn only_what_the_earlier_manifest_lists_is_deleted() {
        let (dist, made) = (folder("ours"), folder("made"));
        for name in ["a.tar.gz", "a.cdx.json", "b.tar.gz"] {
            std::fs::write(made.join(name), "bytes").unwrap();
        }
        let mut first = manifest(&["a.tar.gz"]);
        first.files[0].sbom = "a.cdx.json".into();
        publish(&dist, &made, &first).unwrap();
        assert!(dist.join("a.cdx.json").is_file());
        std::fs::write(dist.join("notes.txt"), "mine").unwrap();
        publish(&dist, &made, &manifest(&["b.tar.gz"])).unwrap();
        assert!(!dist.join("a.tar.gz").exists() && !dist.join("a.cdx.json").exists());
        assert_eq!(std::fs::read_to_string(dist.join("b.tar.gz")).unwrap(), "bytes");
        assert_eq!(std::fs::read_to_string(dist.join("notes.txt")).unwrap(), "mine");
        assert_eq!(earlier_files(&dist).unwrap(), [dist.join("b.tar.gz")]);
        let sum = sha256(b"bytes");
        assert_eq!(std::fs::read_to_string(dist.join(SUMS)).unwrap(), format!("{sum}  b.tar.gz\n"));
        for folder in [&dist, &made] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn a_manifest_that_points_elsewhere_is_refused() {
        let outside = folder("outside");
        std::fs::write(outside.join("file"), "x").unwrap();
        let dist = folder("escape");
        for name in ["../file", "/etc/hostname", "sub/file", ".."] {
            for sbom in [false, true] {
                let mut listed = manifest(&[if sbom { "file" } else { name }]);
                listed.files[0].sbom = if sbom { name.into() } else { String::new() };
                std::fs::write(dist.join(MANIFEST), serde_json::to_string(&listed).unwrap()).unwrap();
                assert!(earlier_files(&dist).is_err(), "{name}");
            }
        }
        for folder in [&outside, &dist] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn empty_and_new_folders_are_taken() {
        let dist = folder("empty");
        assert!(earlier_files(&dist).unwrap().is_empty());
        assert!(earlier_files(&dist.join("new")).unwrap().is_empty());
        std::fs::remove_dir_all(&dist).unwrap();
    }
}
