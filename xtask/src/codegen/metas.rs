//! Unity's `.meta` files: one for every file and folder of the package that Unity imports.
//!
//! A package from a registry is read-only, and Unity skips what has no meta there. GUIDs come from
//! the path, so that they are the same on every machine; one that is already in a meta stays.
//! Plugins have a meta without the file beside it: binaries are brought at packaging.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// A native library in the package.
pub struct Plugin {
    /// Path below the package's folder.
    pub path: &'static str,
    /// The Rust target it is built for.
    pub target: &'static str,
    /// `Group: Name` of the platforms that take it, with their settings.
    enabled: &'static [(&'static str, &'static [(&'static str, &'static str)])],
}

/// Every native library that a package may have.
pub const PLUGINS: &[Plugin] = &[
    Plugin {
        path: "Runtime/Plugins/Linux-x64/libsinew.so",
        target: "x86_64-unknown-linux-gnu",
        enabled: &[
            ("Editor: Editor", &[("CPU", "x86_64"), ("DefaultValueInitialized", "true"), ("OS", "Linux")]),
            ("Standalone: Linux64", &[("CPU", "x86_64")]),
        ],
    },
    Plugin {
        path: "Runtime/Plugins/Windows-x64/sinew.dll",
        target: "x86_64-pc-windows-gnu",
        enabled: &[
            ("Editor: Editor", &[("CPU", "x86_64"), ("DefaultValueInitialized", "true"), ("OS", "Windows")]),
            ("Standalone: Win64", &[("CPU", "x86_64")]),
        ],
    },
    Plugin {
        path: "Runtime/Plugins/macOS/libsinew.dylib",
        target: "universal-apple-darwin",
        enabled: &[
            ("Editor: Editor", &[("CPU", "AnyCPU"), ("DefaultValueInitialized", "true"), ("OS", "OSX")]),
            ("Standalone: OSXUniversal", &[("CPU", "AnyCPU")]),
        ],
    },
    Plugin {
        path: "Runtime/Plugins/Android-arm64/libsinew.so",
        target: "aarch64-linux-android",
        enabled: &[("Android: Android", &[("CPU", "ARM64"), ("Is16KbAligned", "true")])],
    },
    Plugin {
        path: "Runtime/Plugins/Android-armv7/libsinew.so",
        target: "armv7-linux-androideabi",
        enabled: &[("Android: Android", &[("CPU", "ARMv7"), ("Is16KbAligned", "true")])],
    },
    Plugin {
        path: "Runtime/Plugins/Android-x64/libsinew.so",
        target: "x86_64-linux-android",
        enabled: &[("Android: Android", &[("CPU", "X86_64"), ("Is16KbAligned", "true")])],
    },
    Plugin {
        path: "Runtime/Plugins/iOS/libsinew.a",
        target: "aarch64-apple-ios",
        enabled: &[(
            "iPhone: iOS",
            &[
                ("AddToEmbeddedBinaries", "false"),
                ("CPU", "ARM64"),
                ("CompileFlags", ""),
                ("FrameworkDependencies", ""),
            ],
        )],
    },
    Plugin {
        path: "Runtime/Plugins/WebGL/libsinew.a",
        target: "wasm32-unknown-emscripten",
        enabled: &[("WebGL: WebGL", &[])],
    },
];

/// The platforms of a plugin's meta in the order Unity writes them, with the name their `Exclude …`
/// key has.
const PLATFORMS: [(&str, &str); 9] = [
    ("Android: Android", "Android"),
    ("Any: ", ""),
    ("Editor: Editor", "Editor"),
    ("Standalone: Linux64", "Linux64"),
    ("Standalone: OSXUniversal", "OSXUniversal"),
    ("Standalone: Win", "Win"),
    ("Standalone: Win64", "Win64"),
    ("WebGL: WebGL", "WebGL"),
    ("iPhone: iOS", "iOS"),
];

/// Metas as (path below the package, text), and metas on disk that belong to nothing.
pub struct Metas {
    /// To be written.
    pub wanted: Vec<(String, String)>,
    /// To be removed.
    pub orphans: Vec<String>,
}

/// Looks through `package` (plus `generated`, which may not be on disk yet).
pub fn generate(package: &Path, generated: &[String]) -> Result<Metas> {
    let mut assets = BTreeMap::new();
    let mut on_disk = BTreeSet::new();
    walk(package, "", &mut assets, &mut on_disk)?;
    let plugins = PLUGINS.iter().map(|p| p.path.to_string());
    for path in generated.iter().cloned().chain(plugins) {
        for (index, _) in path.match_indices('/').filter(|(index, _)| is_imported_folder(&path[..*index])) {
            assets.insert(path[..index].to_string(), true);
        }
        assets.insert(path, false);
    }
    let mut wanted = Vec::new();
    let mut guids: BTreeMap<String, String> = BTreeMap::new();
    for (asset, is_folder) in &assets {
        let meta = format!("{asset}.meta");
        let old = std::fs::read_to_string(package.join(&meta)).ok();
        let guid = old.as_deref().and_then(guid_in).unwrap_or_else(|| guid_for(asset));
        let importer = importer(asset, *is_folder);
        let text = match (importer, old) {
            (Some(importer), _) => format!("fileFormatVersion: 2\nguid: {guid}\n{importer}"),
            (None, Some(old)) => old,
            (None, None) => {
                bail!("{asset}: its import settings are Unity's to make; open it in Unity once and add the .meta")
            }
        };
        if let Some(other) = guids.insert(guid, asset.clone()) {
            bail!("{asset} and {other} have the same GUID");
        }
        wanted.push((meta, text));
    }
    let orphans = on_disk.into_iter().filter(|m| !wanted.iter().any(|(path, _)| path == m)).collect();
    Ok(Metas { wanted, orphans })
}

/// Whether Unity imports a folder; `Samples~` itself and the samples in it are copied instead.
fn is_imported_folder(folder: &str) -> bool {
    !folder.ends_with('~') && folder.rsplit_once('/').is_none_or(|(above, _)| !above.ends_with('~'))
}

/// Collects assets (true for folders) and metas below `folder`.
fn walk(package: &Path, folder: &str, assets: &mut BTreeMap<String, bool>, metas: &mut BTreeSet<String>) -> Result<()> {
    let path = package.join(folder);
    let entries = std::fs::read_dir(&path).with_context(|| format!("listing {}", path.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let lower = name.to_lowercase();
        if name.starts_with('.') || lower == "cvs" || lower.ends_with(".tmp") || lower == "documentation~" {
            continue;
        }
        let below = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let is_folder = entry.file_type()?.is_dir();
        if is_folder && name == "Samples~" {
            // Not imported itself; each sample in it is copied into a project, with the metas it
            // has inside.
            for sample in std::fs::read_dir(entry.path())? {
                let sample = sample?;
                if sample.file_type()?.is_dir() {
                    let sample = format!("{below}/{}", sample.file_name().to_string_lossy());
                    walk(package, &sample, assets, metas)?;
                }
            }
        } else if name.ends_with('~') {
            continue;
        } else if is_folder {
            walk(package, &below, assets, metas)?;
            let inside = format!("{below}/");
            if assets.keys().any(|asset| asset.starts_with(&inside)) {
                assets.insert(below, true);
            }
        } else if lower.ends_with(".meta") {
            metas.insert(below);
        } else {
            assets.insert(below, false);
        }
    }
    Ok(())
}

/// The block after the GUID; `None` where only Unity can write it.
fn importer(asset: &str, is_folder: bool) -> Option<String> {
    const TAIL: &str = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n";
    let simple = |name: &str| Some(format!("{name}:\n  externalObjects: {{}}\n{TAIL}"));
    if is_folder {
        return Some(format!("folderAsset: yes\nDefaultImporter:\n  externalObjects: {{}}\n{TAIL}"));
    }
    if let Some(plugin) = PLUGINS.iter().find(|p| p.path == asset) {
        return Some(plugin_importer(plugin) + TAIL);
    }
    if asset == "package.json" {
        return simple("PackageManifestImporter");
    }
    let name = asset.rsplit('/').next().unwrap_or(asset);
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "cs" => Some(format!(
            "MonoImporter:\n  externalObjects: {{}}\n  serializedVersion: 2\n  defaultReferences: []\n  executionOrder: 0\n  \
             icon: {{instanceID: 0}}\n{TAIL}"
        )),
        "asmdef" => simple("AssemblyDefinitionImporter"),
        "asmref" => simple("AssemblyDefinitionReferenceImporter"),
        "md" | "txt" | "json" | "xml" | "csv" | "html" => simple("TextScriptImporter"),
        "mat" | "asset" | "anim" | "controller" | "overrideController" | "mask" => {
            Some(format!("NativeFormatImporter:\n  externalObjects: {{}}\n  mainObjectFileID: 0\n{TAIL}"))
        }
        "prefab" => simple("PrefabImporter"),
        "png" => Some(format!("{ICON_IMPORTER}{TAIL}")),
        "fbx" | "obj" | "blend" | "jpg" | "tga" | "psd" | "wav" | "ogg" | "shader" | "uss" | "uxml" | "dll" | "so"
        | "dylib" | "a" | "bundle" => None,
        _ => simple("DefaultImporter"),
    }
}

/// The meta of a file that packaging adds.
pub fn meta(package: &Path, asset: &str) -> Result<String> {
    let importer = importer(asset, false).with_context(|| format!("{asset} has import settings of Unity's own"))?;
    Ok(format!("fileFormatVersion: 2\nguid: {}\n{importer}", guid(package, asset)))
}

/// GUID of an asset: the one its meta has, or the one it will get.
pub fn guid(package: &Path, asset: &str) -> String {
    let meta = std::fs::read_to_string(package.join(format!("{asset}.meta"))).ok();
    meta.as_deref().and_then(guid_in).unwrap_or_else(|| guid_for(asset))
}

/// A small picture of the Editor's: no mip maps, its alpha is transparency. Unity fills in what is
/// left out.
const ICON_IMPORTER: &str = "TextureImporter:\n  externalObjects: {}\n  serializedVersion: 12\n  mipmaps:\n    enableMipMap: 0\n    \
     sRGBTexture: 1\n  isReadable: 0\n  maxTextureSize: 64\n  textureSettings:\n    serializedVersion: 2\n    filterMode: 1\n    \
     wrapU: 1\n    wrapV: 1\n  nPOTScale: 0\n  alphaUsage: 1\n  alphaIsTransparency: 1\n  textureType: 2\n  textureShape: 1\n";

fn plugin_importer(plugin: &Plugin) -> String {
    let enabled = |pair: &str| plugin.enabled.iter().find(|(name, _)| *name == pair);
    let mut text = String::from(
        "PluginImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  iconMap: {}\n  executionOrder: {}\n  \
         defineConstraints: []\n  isPreloaded: 0\n  isOverridable: 1\n  isExplicitlyReferenced: 0\n  validateReferences: 1\n  \
         platformData:\n  - first:\n      : Any\n    second:\n      enabled: 0\n      settings:\n",
    );
    for (pair, exclude) in PLATFORMS.iter().filter(|(_, exclude)| !exclude.is_empty()) {
        _ = writeln!(text, "        Exclude {exclude}: {}", enabled(pair).is_none() as u32);
    }
    for (pair, _) in PLATFORMS {
        let settings = enabled(pair);
        _ = writeln!(text, "  - first:\n      {pair}\n    second:\n      enabled: {}", settings.is_some() as u32);
        match settings {
            Some((_, settings)) if !settings.is_empty() => {
                text += "      settings:\n";
                for (key, value) in *settings {
                    _ = writeln!(text, "        {key}: {value}");
                }
            }
            _ => text += "      settings: {}\n",
        }
    }
    text
}

fn guid_in(meta: &str) -> Option<String> {
    let guid = meta.lines().find_map(|l| l.strip_prefix("guid: "))?.trim();
    (guid.len() == 32 && guid.bytes().all(|b| b.is_ascii_hexdigit())).then(|| guid.to_lowercase())
}

/// 128 bits from the path: FNV-1a over it, from two starting points.
fn guid_for(path: &str) -> String {
    let hash = |salt: &str| {
        let bytes = salt.bytes().chain(path.bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ b as u64).wrapping_mul(0x0000_0100_0000_01b3))
    };
    format!("{:016x}{:016x}", hash("sinew unity package, high half: "), hash("sinew unity package, low half: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guid_never_changes() {
        // Scenes and prefabs of users hold these numbers.
        assert_eq!(guid_for("Runtime/Plugins/Linux-x64/libsinew.so"), "12b03a41e26b54fe98254345289d6318");
        let meta = "fileFormatVersion: 2\nguid: 12B03A41e26b54fe98254345289d6318\n";
        assert_eq!(guid_in(meta).as_deref(), Some("12b03a41e26b54fe98254345289d6318"));
        assert_eq!(guid_in("guid: 12\n"), None);
    }

    #[test]
    fn a_plugin_is_enabled_where_it_runs_and_nowhere_else() {
        for plugin in PLUGINS {
            let text = plugin_importer(plugin);
            assert_eq!(text.matches("enabled: 1").count(), plugin.enabled.len(), "{}", plugin.path);
            let included = text.lines().filter(|l| l.contains("Exclude ") && l.ends_with(": 0")).count();
            assert_eq!(included, plugin.enabled.len(), "{}", plugin.path);
            for (pair, _) in plugin.enabled {
                assert!(PLATFORMS.iter().any(|(known, _)| known == pair), "{pair}");
            }
        }
    }
}
