//! The Unity package as Unity's importer would judge it: manifest, assembly definitions, metas,
//! samples, no stray binaries.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("unity-package")
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every file and folder below `folder`, folders before what is in them.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.expect("readable folder").path()).collect();
    entries.sort();
    for path in entries {
        found.push(path.clone());
        if path.is_dir() {
            walk(&path, found);
        }
    }
}

fn everything() -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(&package(), &mut found);
    found
}

fn relative(path: &Path) -> String {
    path.strip_prefix(package()).unwrap().to_string_lossy().replace('\\', "/")
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("file names are UTF-8")
}

fn is_meta(path: &Path) -> bool {
    file_name(path).ends_with(".meta")
}

/// Unity imports neither hidden names nor names that end with `~`, nor anything below them. What is
/// in `Samples~/<Name>` is copied into projects, so it keeps metas although the folder itself is
/// not imported.
fn wants_meta(path: &Path) -> bool {
    let relative = relative(path);
    let mut parts: Vec<&str> = relative.split('/').collect();
    if parts[0] == "Samples~" {
        parts.drain(..parts.len().min(2));
    }
    !is_meta(path) && !parts.is_empty() && parts.iter().all(|part| !part.starts_with('.') && !part.ends_with('~'))
}

fn meta_of(path: &Path) -> PathBuf {
    path.with_file_name(format!("{}.meta", file_name(path)))
}

fn guid(meta: &Path) -> String {
    let text = std::fs::read_to_string(meta).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("fileFormatVersion: 2"), "{}", relative(meta));
    let guid = lines.next().and_then(|line| line.strip_prefix("guid: "));
    guid.unwrap_or_else(|| panic!("{}: line 2 is no guid", relative(meta))).to_owned()
}

#[test]
fn the_manifest_has_what_the_package_manager_needs() {
    let manifest = json(&package().join("package.json"));
    assert_eq!(manifest["name"], "com.sinew.ik");
    assert_eq!(manifest["displayName"], "Sinew IK");
    assert_eq!(manifest["unity"], "2021.3");
    assert_eq!(manifest["license"], "MIT OR Apache-2.0");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"), "package.json and Cargo.toml are released together");
    assert!(manifest["description"].as_str().is_some_and(|text| text.len() > 40));
    for name in ["README.md", "CHANGELOG.md", "LICENSE.md", "Documentation~/index.md"] {
        assert!(package().join(name).is_file(), "{name} is missing");
    }
}

#[test]
fn samples_are_listed_and_exist() {
    let manifest = json(&package().join("package.json"));
    let mut listed = BTreeSet::new();
    for sample in manifest["samples"].as_array().expect("samples is a list") {
        assert!(sample["displayName"].is_string() && sample["description"].is_string(), "{sample}");
        let path = sample["path"].as_str().expect("a sample has a path");
        assert!(path.starts_with("Samples~/"), "{path}");
        assert!(package().join(path).is_dir(), "{path} does not exist");
        assert!(package().join(path).join("README.md").is_file(), "{path} has no README.md");
        listed.insert(path.to_owned());
    }
    for entry in std::fs::read_dir(package().join("Samples~")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert!(listed.contains(&relative(&path)), "{} is not listed in package.json", relative(&path));
        }
    }
}

#[test]
fn assembly_definitions_refer_to_each_other() {
    // Unity's own, for tests.
    let outside = ["UnityEngine.TestRunner", "UnityEditor.TestRunner"];
    let files: Vec<PathBuf> =
        everything().into_iter().filter(|path| path.extension().is_some_and(|e| e == "asmdef")).collect();
    let definitions: BTreeMap<String, Value> = files
        .iter()
        .map(|path| {
            let definition = json(path);
            let name = definition["name"].as_str().expect("an asmdef has a name").to_owned();
            assert_eq!(path.file_stem().and_then(|s| s.to_str()), Some(name.as_str()), "{}", relative(path));
            (name, definition)
        })
        .collect();
    assert_eq!(files.len(), definitions.len(), "two assembly definitions have one name");
    for (name, definition) in &definitions {
        for reference in definition["references"].as_array().expect("references is a list") {
            let reference = reference.as_str().expect("a reference is a text");
            assert!(
                definitions.contains_key(reference) || (name.contains(".Tests.") && outside.contains(&reference)),
                "{name} refers to {reference}"
            );
        }
        let is_editor = definition["includePlatforms"] == serde_json::json!(["Editor"]);
        assert_eq!(is_editor, name.ends_with("Editor"), "{name}: includePlatforms");
        if name.contains(".Tests.") {
            assert_eq!(definition["defineConstraints"], serde_json::json!(["UNITY_INCLUDE_TESTS"]), "{name}");
            assert_eq!(definition["autoReferenced"], false, "{name}");
        }
    }
    // The part that also builds without Unity may not use it.
    assert_eq!(definitions["Sinew.Interop"]["noEngineReferences"], true);
    assert_eq!(definitions["Sinew.Interop"]["allowUnsafeCode"], true);
    assert_eq!(definitions["Sinew.Components"]["allowUnsafeCode"], true);
}

#[test]
fn engine_free_code_names_no_engine() {
    for folder in ["Runtime/Interop", "Runtime/Core"] {
        let mut files = Vec::new();
        walk(&package().join(folder), &mut files);
        for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "cs")) {
            let text = std::fs::read_to_string(path).unwrap();
            assert!(!text.contains("using UnityEngine"), "{}", relative(path));
        }
    }
}

#[test]
fn scripts_are_below_an_assembly_definition() {
    for path in everything().iter().filter(|path| path.extension().is_some_and(|e| e == "cs")) {
        let covered = path.ancestors().skip(1).take_while(|folder| folder.starts_with(package())).any(|folder| {
            std::fs::read_dir(folder)
                .unwrap()
                .any(|entry| entry.unwrap().path().extension().is_some_and(|e| e == "asmdef"))
        });
        assert!(covered, "{}: a package's script without assembly definition is not compiled", relative(path));
    }
}

#[test]
fn every_asset_has_a_meta_and_no_meta_is_alone() {
    let mut problems = Vec::new();
    for path in everything() {
        let name = relative(&path);
        if is_meta(&path) {
            let asset = path.with_file_name(file_name(&path).trim_end_matches(".meta"));
            // The metas of native libraries are in the repository, the libraries come when a
            // package is built.
            let is_library = name.starts_with("Runtime/Plugins/");
            if !(asset.exists() || is_library) || !wants_meta(&asset) {
                problems.push(format!("{name} belongs to nothing"));
            }
        } else if wants_meta(&path) && !meta_of(&path).is_file() {
            problems.push(format!("{name} has no meta; Unity would ignore it"));
        }
    }
    assert!(problems.is_empty(), "run `cargo xtask codegen`:\n{}", problems.join("\n"));
}

#[test]
fn guids_are_unique() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for meta in everything().iter().filter(|path| is_meta(path)) {
        let guid = guid(meta);
        let is_hex = guid.len() == 32 && guid.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        assert!(is_hex, "{}: {guid} is not 32 lower-case hex digits", relative(meta));
        if let Some(other) = seen.insert(guid.clone(), relative(meta)) {
            panic!("{} and {other} have one guid, {guid}", relative(meta));
        }
    }
}

#[test]
fn metas_name_the_importer_of_their_kind() {
    for path in everything().iter().filter(|path| wants_meta(path)) {
        let Ok(meta) = std::fs::read_to_string(meta_of(path)) else { continue };
        let name = file_name(path);
        let importer = if path.is_dir() {
            "folderAsset: yes\nDefaultImporter:"
        } else if name.ends_with(".cs") {
            "MonoImporter:"
        } else if name.ends_with(".asmdef") {
            "AssemblyDefinitionImporter:"
        } else if name == "package.json" {
            "PackageManifestImporter:"
        } else if name.ends_with(".md") {
            "TextScriptImporter:"
        } else {
            continue;
        };
        assert!(meta.contains(importer), "{}: its meta has no {importer}", relative(path));
    }
}

#[test]
fn native_libraries_are_imported_as_plugins() {
    let libraries: Vec<PathBuf> = everything()
        .into_iter()
        .filter(|path| relative(path).starts_with("Runtime/Plugins/") && is_meta(path))
        .filter(|path| !path.with_file_name(file_name(path).trim_end_matches(".meta")).is_dir())
        .collect();
    for extension in ["dll", "so", "dylib", "a"] {
        let ending = format!(".{extension}.meta");
        assert!(
            libraries.iter().any(|path| file_name(path).ends_with(&ending)),
            "no library with the extension {extension}"
        );
    }
    for meta in libraries {
        let text = std::fs::read_to_string(&meta).unwrap();
        assert!(text.contains("PluginImporter:"), "{}", relative(&meta));
        // A library that is enabled for \"Any\" ends up in players it does not fit.
        let any = text.find("Any: \n").map(|at| text[at..].lines().take(4).collect::<String>());
        assert!(any.is_none_or(|any| any.contains("enabled: 0")), "{} is enabled for every platform", relative(&meta));
    }
}

#[test]
fn no_binaries_or_left_overs_are_committed() {
    // Native libraries come into Runtime/Plugins when the package is built for release.
    let allowed = ["cs", "md", "json", "asmdef", "meta", "uxml", "uss", "unity", "asset", "png", "mat", "prefab"];
    for path in everything().iter().filter(|path| path.is_file()) {
        if relative(path).starts_with("Runtime/Plugins/") {
            continue;
        }
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        assert!(allowed.contains(&extension), "{}: what is this doing in the package?", relative(path));
    }
}
