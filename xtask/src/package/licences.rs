//! What is linked into a library, its licences, and the CycloneDX document about it.

use super::manifest::{VERSION, sha256};
use crate::sh;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A crate whose code is in a library.
#[derive(Clone, Debug)]
struct Component {
    name: String,
    version: String,
    license: String,
    authors: String,
    /// SHA-256 of the crate's archive, as Cargo.lock has it; `None`: code of this repository.
    checksum: Option<String>,
    folder: PathBuf,
    /// References of what it uses.
    uses: Vec<String>,
}

impl Component {
    fn reference(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// Everything that is linked into a library for one target.
#[derive(Clone, Debug)]
pub struct Parts {
    root: String,
    components: BTreeMap<String, Component>,
    rustc: String,
    target: String,
}

/// Reads what `package`, whose manifest is in `folder`, links on a target: its crates and theirs,
/// without those that only run during the build.
pub fn parts(folder: &Path, package: &str, triple: &str) -> Result<Parts> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", triple];
    let output = sh::run(sh::cargo(&arguments).current_dir(folder))?;
    let metadata: Value = serde_json::from_str(&output.stdout).context("cargo metadata")?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let by_id = |values: &Value| -> BTreeMap<String, Value> {
        list(values).into_iter().map(|value| (text(&value["id"]), value)).collect()
    };
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let lock = std::fs::read_to_string(folder.join("Cargo.lock")).context("Cargo.lock")?;
    let checksums = checksums(&lock);
    let root = packages.iter().find(|(_, p)| p["name"] == package).with_context(|| format!("no crate {package}"))?;
    let (mut components, mut open, mut seen) = (BTreeMap::new(), vec![root.0.clone()], BTreeSet::new());
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        let package = packages.get(&id).context("cargo metadata lists no such crate")?;
        let linked = |id: &String| {
            let targets = list(&packages[id]["targets"]);
            !targets.iter().any(|target| list(&target["kind"]).iter().any(|kind| kind == "proc-macro"))
        };
        let mut uses = Vec::new();
        for dependency in list(&nodes[&id]["deps"]) {
            let normal = list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            let other = text(&dependency["pkg"]);
            if normal && linked(&other) {
                uses.push(format!(
                    "pkg:cargo/{}@{}",
                    text(&packages[&other]["name"]),
                    text(&packages[&other]["version"])
                ));
                open.push(other);
            }
        }
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let component = Component {
            license: text(&package["license"]).replace('/', " OR "),
            authors: list(&package["authors"]).iter().map(text).collect::<Vec<_>>().join(", "),
            checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
            folder: manifest.parent().context("a manifest without a folder")?.to_path_buf(),
            uses,
            name,
            version,
        };
        ensure!(!component.license.is_empty(), "{} {} names no licence", component.name, component.version);
        components.insert(component.reference(), component);
    }
    let rustc = sh::run(&mut sh::command("rustc", &["--version"]))?.stdout.trim().to_string();
    let root = format!("pkg:cargo/{}@{}", text(&root.1["name"]), text(&root.1["version"]));
    Ok(Parts { root, components, rustc, target: triple.into() })
}

/// (name, version) of each crate that comes from a registry, with its sum.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(&format!("{name} = \"")))?;
        line.strip_suffix('"').map(str::to_string)
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks.filter_map(|b| Some(((field(b, "name")?, field(b, "version")?), field(b, "checksum")?))).collect()
}

impl Parts {
    /// Number of the crates of other people.
    pub fn third_parties(&self) -> usize {
        self.components.values().filter(|component| component.checksum.is_some()).count()
    }

    /// Adds what another library of the same archive links.
    pub fn add(&mut self, other: &Parts) {
        for (reference, component) in &other.components {
            self.components.entry(reference.clone()).or_insert_with(|| component.clone());
        }
        if !self.target.split(' ').any(|target| target == other.target) {
            self.target = format!("{} {}", self.target, other.target);
        }
    }

    /// The CycloneDX document of an archive. It has no time and no random number: the same archive
    /// gives the same bytes.
    pub fn sbom(&self, archive: &Path) -> Result<String> {
        let name = archive.file_name().unwrap_or_default().to_string_lossy();
        let subject = json!({
            "type": "library", "bom-ref": "subject", "name": name, "version": VERSION,
            "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            "hashes": [{ "alg": "SHA-256", "content": sha256(&std::fs::read(archive)?) }],
            "properties": [{ "name": "target", "value": self.target }],
        });
        let std_reference = "rust-std";
        let mut components: Vec<Value> = self.components.values().map(describe).collect();
        components.push(json!({
            "type": "library", "bom-ref": std_reference, "name": "Rust standard library", "version": self.rustc,
            "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        }));
        let mut dependencies = vec![json!({ "ref": "subject", "dependsOn": [self.root, std_reference] })];
        dependencies.extend(self.components.values().map(|c| json!({ "ref": c.reference(), "dependsOn": c.uses })));
        let document = json!({
            "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {
                "tools": { "components": [{ "type": "application", "name": "cargo xtask package", "version": VERSION }] },
                "component": subject,
            },
            "components": components,
            "dependencies": dependencies,
        });
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// The licences of other people's code, as text.
    pub fn notices(&self) -> Result<String> {
        let mut text = String::from("# Third-party notices\n\nSinew's libraries contain code of these projects.\n");
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for component in self.components.values().filter(|component| component.checksum.is_some()) {
            let title = format!("{} {}", component.name, component.version);
            _ = writeln!(text, "- {title}: {}", component.license);
            for licence in licence_texts(component)? {
                texts.entry(licence).or_default().push(title.clone());
            }
        }
        _ = writeln!(text, "- Rust standard library ({}): MIT OR Apache-2.0, https://www.rust-lang.org", self.rustc);
        if self.target.contains("windows-gnu") {
            text += "- mingw-w64 runtime: Zope Public License 2.1, https://www.mingw-w64.org\n\
                     - libgcc: GPL-3.0-or-later with the GCC Runtime Library Exception\n";
        }
        let mut sections: Vec<(Vec<String>, String)> = texts.into_iter().map(|(text, of)| (of, text)).collect();
        sections.sort();
        for (of, licence) in sections {
            _ = write!(text, "\n## {}\n\n```text\n{}\n```\n", of.join(", "), licence.trim_end());
        }
        Ok(text)
    }
}

fn describe(component: &Component) -> Value {
    let mut value = json!({
        "type": "library", "bom-ref": component.reference(), "name": component.name, "version": component.version,
        "purl": component.reference(), "licenses": [{ "expression": component.license }],
    });
    if let Some(checksum) = &component.checksum {
        value["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    value
}

/// The texts under which a crate is used: the MIT one where its authors offer a choice.
fn licence_texts(component: &Component) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&component.folder).with_context(|| component.folder.display().to_string())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|s| name.to_uppercase().starts_with(s)) {
            files.push(name);
        }
    }
    files.sort();
    let is_choice = component.license.contains(" OR ") && component.license.contains("MIT");
    if is_choice && let Some(mit) = files.iter().find(|name| name.to_uppercase().contains("MIT")).cloned() {
        files = vec![mit];
    }
    if files.is_empty() {
        let by = if component.authors.is_empty() { "its authors".to_string() } else { component.authors.clone() };
        return Ok(vec![format!(
            "Copyright (c) {by}. Licence: {} (the crate has no licence text).",
            component.license
        )]);
    }
    files.iter().map(|name| Ok(std::fs::read_to_string(component.folder.join(name))?.replace("\r\n", "\n"))).collect()
}
