//! The Unity package, in the layout npm registries use: everything below `package/`.

use super::archive;
use super::licences::Parts;
use super::manifest::{Proof, State, VERSION};
use super::{Job, Library, Reason, unity_project};
use crate::codegen::metas::{self, PLUGINS};
use crate::paths;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;
use std::path::Path;

/// Where Unity's users look for it.
const NOTICES: &str = "Third Party Notices.md";

/// The package with every library that was built.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    let folder = paths::root().join("unity-package");
    let text = std::fs::read_to_string(folder.join("package.json")).context("unity-package/package.json")?;
    let json: serde_json::Value = serde_json::from_str(&text).context("unity-package/package.json")?;
    let name = json["name"].as_str().context("package.json has no name")?;
    let version = json["version"].as_str().context("package.json has no version")?;
    if version != VERSION {
        bail!("unity-package/package.json has version {version}, Cargo.toml {VERSION}");
    }
    let mut extra = Vec::new();
    let mut left_out: BTreeSet<String> = BTreeSet::new();
    let mut with: Vec<(&str, &Library)> = Vec::new();
    for plugin in PLUGINS {
        // A meta without its file makes Unity complain, so platforms that are not there leave
        // nothing behind.
        let plugin_folder = plugin.path.rsplit_once('/').map_or("", |(f, _)| f).to_string();
        match job.libraries.get(plugin.target) {
            Some(library) => {
                extra.push((plugin.path.to_string(), library.file.clone()));
                with.push((plugin.target, library));
            }
            None => _ = left_out.insert(plugin_folder),
        }
    }
    let Some((parts, mut proof)) = combined(&with) else {
        return Ok(Err("no native library that Unity could load was built here".into()));
    };
    let mut added = vec![(NOTICES.to_string(), parts.notices()?)];
    added.push((format!("{NOTICES}.meta"), metas::meta(&folder, NOTICES)?));
    let present: BTreeSet<&str> = with.iter().map(|(target, _)| *target).collect();
    added.extend(restricted(&folder, &present)?);
    for (path, text) in added {
        let file = job.trees.join("unity").join(&path);
        super::write(&file, &text)?;
        extra.push((path, file));
    }
    let keep = |path: &str| {
        let is_library = PLUGINS.iter().any(|p| p.path == path);
        !is_library && !left_out.iter().any(|f| path.starts_with(&format!("{f}/")) || path == format!("{f}.meta"))
    };
    let archive = job.made.join(format!("{name}-{version}.tgz"));
    archive::tar_gz(&archive, &folder, "package", &keep, &extra)?;
    let targets: Vec<&str> = with.iter().map(|(target, _)| *target).collect();
    if job.what.all {
        proof.checks.extend(unity_project::check(job, &archive)?);
    }
    job.add(&archive, &targets.join(" "), proof, &parts)?;
    Ok(Ok(()))
}

/// Unity's names of the platforms whose players load a library of these targets.
const PLATFORMS: [(&str, &str); 8] = [
    ("x86_64-unknown-linux-gnu", "LinuxStandalone64"),
    ("x86_64-pc-windows-gnu", "WindowsStandalone64"),
    ("universal-apple-darwin", "macOSStandalone"),
    ("aarch64-linux-android", "Android"),
    ("armv7-linux-androideabi", "Android"),
    ("x86_64-linux-android", "Android"),
    ("aarch64-apple-ios", "iOS"),
    ("wasm32-unknown-emscripten", "WebGL"),
];

/// The runtime's assembly definitions, restricted to the Editor and the platforms that have a
/// library: elsewhere the package compiles nothing, so that a player without the library still
/// links. Path and text of each.
fn restricted(folder: &Path, present: &BTreeSet<&str>) -> Result<Vec<(String, String)>> {
    let mut platforms: Vec<&str> = vec!["Editor"];
    for (target, platform) in PLATFORMS {
        if present.contains(target) && !platforms.contains(&platform) {
            platforms.push(platform);
        }
    }
    let mut changed = Vec::new();
    for path in ["Runtime/Sinew.Interop.asmdef", "Runtime/Components/Sinew.Components.asmdef"] {
        let text = std::fs::read_to_string(folder.join(path)).with_context(|| path.to_string())?;
        let mut definition: serde_json::Value = serde_json::from_str(&text).with_context(|| path.to_string())?;
        for key in ["includePlatforms", "excludePlatforms"] {
            let is_free = definition[key].as_array().is_some_and(Vec::is_empty);
            ensure!(is_free, "{path} has {key} of its own");
        }
        definition["includePlatforms"] = platforms.clone().into();
        changed.push((path.to_string(), serde_json::to_string_pretty(&definition)? + "\n"));
    }
    Ok(changed)
}

/// What is linked into several libraries, and how far they were tried: the least of them.
pub fn combined(libraries: &[(&str, &Library)]) -> Option<(Parts, Proof)> {
    let mut parts = libraries.first()?.1.parts.clone();
    let mut state = State::Tested;
    let mut checks = Vec::new();
    for (target, library) in libraries {
        parts.add(&library.parts);
        state = state.max(library.proof.state);
        checks.push(format!("{target}: {}", library.proof.state.text()));
    }
    Some((parts, Proof { state, ran_on: String::new(), checks }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plugin_has_a_platform_and_only_what_is_there_is_compiled() {
        for plugin in PLUGINS {
            assert!(PLATFORMS.iter().any(|(target, _)| *target == plugin.target), "{}", plugin.path);
        }
        let folder = paths::root().join("unity-package");
        let some = restricted(&folder, &BTreeSet::from(["x86_64-unknown-linux-gnu", "aarch64-linux-android"])).unwrap();
        assert_eq!(some.len(), 2);
        for (path, text) in some {
            let definition: serde_json::Value = serde_json::from_str(&text).unwrap();
            let wanted = serde_json::json!(["Editor", "LinuxStandalone64", "Android"]);
            assert_eq!(definition["includePlatforms"], wanted, "{path}");
        }
    }
}
