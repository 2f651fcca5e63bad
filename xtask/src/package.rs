//! `cargo xtask package`: the archives for users, in `dist/`, with a manifest that states how far
//! each file was tested.

use crate::codegen::metas::PLUGINS;
use crate::install::{self, Target};
use crate::tools::{NODE, NPM};
use crate::web::{self, Vectors};
use crate::{codegen, godot, paths, sh, tools};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A machine other than this one that can be built for here.
struct Cross {
    triple: &'static str,
    /// The linker, or why there cannot be one here.
    linker: Result<&'static str, &'static str>,
    /// The C compiler and the program that runs what it makes.
    host: Option<(&'static str, &'static [&'static str])>,
}

const CROSS: &[Cross] = &[
    Cross {
        triple: "aarch64-unknown-linux-gnu",
        linker: Ok("aarch64-linux-gnu-gcc"),
        host: Some(("aarch64-linux-gnu-gcc", &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"])),
    },
    Cross { triple: "x86_64-pc-windows-gnu", linker: Ok("x86_64-w64-mingw32-gcc"), host: None },
    Cross { triple: "universal-apple-darwin", linker: Err("needs a Mac"), host: None },
    Cross { triple: "aarch64-apple-ios", linker: Err("needs a Mac"), host: None },
    Cross { triple: "aarch64-linux-android", linker: Err("needs the Android NDK"), host: None },
    Cross { triple: "armv7-linux-androideabi", linker: Err("needs the Android NDK"), host: None },
    Cross { triple: "x86_64-linux-android", linker: Err("needs the Android NDK"), host: None },
    Cross {
        triple: "wasm32-unknown-emscripten",
        linker: Err("needs the Emscripten version of the Unity it is for"),
        host: None,
    },
];

/// One line of the manifest.
#[derive(Serialize)]
struct Entry {
    file: String,
    size: u64,
    sha256: String,
    target: String,
    state: &'static str,
}

#[derive(Serialize)]
struct Manifest {
    made_by: &'static str,
    version: &'static str,
    rustc: String,
    files: Vec<Entry>,
    skipped: BTreeMap<String, String>,
}

/// Archives of a packaging run, and the targets that it left out.
pub struct Report {
    /// Paths of the archives.
    pub archives: Vec<PathBuf>,
    /// Target and reason.
    pub skipped: Vec<(String, String)>,
}

/// `cargo xtask package`; the npm package gets these modules.
pub fn run(dist: &Path, modules: &[Vectors]) -> Result<Report> {
    earlier_files(dist)?;
    codegen::run(true)?;
    // Everything is made in cargo's target folder first: `dist` is touched once, at the end.
    let scratch = paths::target()?.join("package");
    if scratch.is_dir() {
        std::fs::remove_dir_all(&scratch).context("emptying target/package")?;
    }
    let (trees, made) = (scratch.join("tree"), scratch.join("out"));
    std::fs::create_dir_all(&made)?;
    let mut manifest = Manifest {
        made_by: MADE_BY,
        version: VERSION,
        rustc: sh::run(&mut sh::command("rustc", &["--version"]))?.stdout.trim().to_string(),
        files: vec![],
        skipped: BTreeMap::new(),
    };
    let mut libraries: BTreeMap<String, (PathBuf, &'static str)> = BTreeMap::new();

    let host = Target::host()?;
    let own = host.triple.clone();
    let mut jobs = vec![(host, Some(("cc", &[] as &[&str])))];
    for cross in CROSS.iter().filter(|c| c.triple != own) {
        match available(cross) {
            Ok(linker) => jobs.push((Target::cross(cross.triple, linker), cross.host)),
            Err(reason) => {
                println!("SKIP {}: {reason}", cross.triple);
                manifest.skipped.insert(cross.triple.into(), reason);
            }
        }
    }
    for (target, runner) in &jobs {
        println!("building {}", target.triple);
        let built = install::build(target, false)?;
        let name = format!("sinew-{VERSION}-{}", target.triple);
        let tree = trees.join(&name);
        install::lay_down(&tree, target, &built)?;
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "LICENSE", "README.md"] {
            let from = paths::root().join(file);
            if from.is_file() {
                sh::copy(&from, &tree.join(file))?;
            }
        }
        let state = match runner {
            Some((compiler, runner))
                if sh::find(compiler).is_some() && runner.first().is_none_or(|r| sh::find(r).is_some()) =>
            {
                smoke(&tree, &trees.join("smoke"), compiler, runner).with_context(|| format!("trying {name}"))?;
                if runner.is_empty() { "tested" } else { "tested under emulation" }
            }
            _ => "built only",
        };
        let archive = made.join(format!("{name}.tar.gz"));
        pack(&archive, &tree, &name, &|_| true, &[])?;
        manifest.files.push(entry(&archive, &target.triple, state)?);
        let library = if target.shared().ends_with(".dll") {
            tree.join("bin/sinew.dll")
        } else {
            tree.join("lib").join(target.shared())
        };
        libraries.insert(target.triple.clone(), (library, state));
    }

    match unity(&made, &libraries)? {
        Ok((archive, targets, state)) => {
            manifest.files.push(entry(&archive, &targets, state)?);
        }
        Err(reason) => {
            println!("SKIP Unity package: {reason}");
            manifest.skipped.insert("Unity package".into(), reason);
        }
    }
    match godot_addon(&made, &trees)? {
        Ok((archive, target)) => {
            manifest.files.push(entry(&archive, &target, "built only")?);
        }
        Err(reason) => {
            println!("SKIP Godot addon: {reason}");
            manifest.skipped.insert("Godot addon".into(), reason);
        }
    }
    match npm(&made, modules)? {
        Ok(archive) => manifest.files.push(entry(&archive, "wasm32-unknown-unknown", "tested in node")?),
        Err(reason) => {
            println!("SKIP npm package: {reason}");
            manifest.skipped.insert("npm package".into(), reason);
        }
    }
    publish(dist, &made, &manifest)?;
    std::fs::remove_dir_all(&scratch).context("removing target/package")?;
    let archives = manifest.files.iter().map(|e| dist.join(&e.file)).collect();
    for e in &manifest.files {
        println!("{:>9}  {}  {} ({})", e.size, e.file, e.target, e.state);
    }
    Ok(Report { archives, skipped: manifest.skipped.into_iter().collect() })
}

const MANIFEST: &str = "manifest.json";
/// The archives' sums, for `sha256sum --check`.
const SUMS: &str = "SHA256SUMS";
/// The manifest's first entry: distinguishes this manifest from another program's file of that
/// name.
const MADE_BY: &str = "cargo xtask package";

/// The files in `dist` that an earlier run left, as its manifest lists them. An error when `dist`
/// is not empty and has no manifest of this command: then the folder is not ours.
fn earlier_files(dist: &Path) -> Result<Vec<PathBuf>> {
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
    files
        .iter()
        .map(|entry| {
            let name = entry["file"].as_str().unwrap_or_default();
            // A plain name: nothing outside of `dist`, and no folder, is ever deleted.
            let plain = Path::new(name).file_name().is_some_and(|plain| plain == name);
            plain
                .then(|| dist.join(name))
                .with_context(|| format!("{shown}/{MANIFEST} lists {name:?}, which is no file name"))
        })
        .collect()
}

/// Replaces the archives of an earlier run in `dist` by those in `made`. Other files stay.
fn publish(dist: &Path, made: &Path, manifest: &Manifest) -> Result<()> {
    for file in earlier_files(dist)? {
        if file.is_file() {
            std::fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
        }
    }
    std::fs::create_dir_all(dist)?;
    // The manifest first: a run that is stopped here leaves a folder that the next run knows.
    std::fs::write(dist.join(MANIFEST), serde_json::to_string_pretty(manifest)? + "\n")?;
    let sums: String = manifest.files.iter().map(|e| format!("{}  {}\n", e.sha256, e.file)).collect();
    std::fs::write(dist.join(SUMS), sums)?;
    for entry in &manifest.files {
        sh::copy(&made.join(&entry.file), &dist.join(&entry.file))?;
    }
    Ok(())
}

/// The linker, or why this target cannot be built here.
fn available(cross: &Cross) -> Result<&'static str, String> {
    let linker = cross.linker.map_err(str::to_string)?;
    let targets =
        sh::run(&mut sh::command("rustup", &["target", "list", "--installed"])).map_err(|_| "no rustup".to_string())?;
    if !targets.stdout.lines().any(|l| l.trim() == cross.triple) {
        return Err(format!("no Rust std; `rustup target add {}` brings it", cross.triple));
    }
    if sh::find(linker).is_none() {
        return Err(format!("no {linker}"));
    }
    Ok(linker)
}

/// Compiles a program against the tree as it will be unpacked, and runs it.
fn smoke(tree: &Path, scratch: &Path, compiler: &str, runner: &[&str]) -> Result<()> {
    std::fs::create_dir_all(scratch)?;
    let source = scratch.join("smoke.c");
    std::fs::write(
        &source,
        "#include <sinew/sinew.h>\n\
         int main(void) { SinewVersion v; return sinew_version(&v) == SINEW_OK && v.abi == SINEW_ABI_VERSION ? 0 : 1; }\n",
    )?;
    let program = scratch.join("smoke");
    let lib = tree.join("lib");
    let mut cc = sh::command(compiler, &[]);
    cc.arg(&source).arg("-o").arg(&program).arg("-I").arg(tree.join("include")).arg("-L").arg(&lib);
    sh::run(cc.args(["-lsinew", &format!("-Wl,-rpath,{}", lib.display())]))?;
    let mut line: Vec<&str> = runner.to_vec();
    let program = program.to_string_lossy().into_owned();
    line.push(&program);
    sh::run(&mut sh::command(line[0], &line[1..]))?;
    Ok(())
}

type Unity = Result<(PathBuf, String, &'static str), String>;

/// The Unity package in the layout npm registries use: everything below `package/`.
fn unity(dist: &Path, libraries: &BTreeMap<String, (PathBuf, &'static str)>) -> Result<Unity> {
    let folder = paths::root().join("unity-package");
    let Ok(text) = std::fs::read_to_string(folder.join("package.json")) else {
        return Ok(Err("no unity-package/package.json".into()));
    };
    let json: serde_json::Value = serde_json::from_str(&text).context("unity-package/package.json")?;
    let name = json["name"].as_str().context("package.json has no name")?;
    let version = json["version"].as_str().context("package.json has no version")?;
    if version != VERSION {
        bail!("unity-package/package.json says version {version}, Cargo.toml {VERSION}");
    }
    let mut extra = Vec::new();
    let mut left_out: BTreeSet<String> = BTreeSet::new();
    let mut targets = Vec::new();
    let mut state = "tested";
    for plugin in PLUGINS {
        // A meta without its file makes Unity complain, so platforms that are not there leave
        // nothing behind.
        let plugin_folder = plugin.path.rsplit_once('/').map_or("", |(f, _)| f).to_string();
        if let Some((library, how)) = libraries.get(plugin.target) {
            extra.push((plugin.path.to_string(), library.clone()));
            targets.push(plugin.target.to_string());
            if *how != "tested" {
                state = how;
            }
        } else {
            left_out.insert(plugin_folder);
        }
    }
    if targets.is_empty() {
        return Ok(Err("no native library that Unity could load was built here".into()));
    }
    let keep = |path: &str| {
        let is_library = PLUGINS.iter().any(|p| p.path == path);
        !is_library && !left_out.iter().any(|f| path.starts_with(&format!("{f}/")) || path == format!("{f}.meta"))
    };
    let archive = dist.join(format!("{name}-{version}.tgz"));
    pack(&archive, &folder, "package", &keep, &extra)?;
    Ok(Ok((archive, targets.join(" "), state)))
}

/// The npm package, tried in a project of its own; or the reason why it cannot be made.
fn npm(made: &Path, modules: &[Vectors]) -> Result<Result<PathBuf, String>> {
    let missing = NODE.ensure().and_then(|()| NPM.ensure()).and_then(|()| tools::rust_target("wasm32-unknown-unknown"));
    if let Err(reason) = missing {
        return Ok(Err(reason));
    }
    let archive = web::npm_package(modules, made)?;
    let project = made.with_file_name("npm-project");
    web::fresh_project(&archive, &project)?;
    web::hello(&project)?;
    Ok(Ok(archive))
}

/// The Godot addon with this machine's library: `addons/sinew/`, to be unpacked into a project.
fn godot_addon(dist: &Path, trees: &Path) -> Result<Result<(PathBuf, String), String>> {
    let target = paths::host_target()?;
    let Some(place) = godot::library_place(&target) else {
        return Ok(Err(format!("no place for {target} in the addon")));
    };
    if let Err(reason) = godot::toolchain() {
        return Ok(Err(reason));
    }
    let library = godot::build()?;
    let tree = trees.join("godot");
    let addon = tree.join("addons/sinew");
    godot::copy_folder(&paths::root().join("bindings/godot/addons/sinew"), &addon)?;
    sh::copy(&library, &addon.join(place))?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "docs/godot.md", "bindings/godot/NOTICE"] {
        let from = paths::root().join(file);
        if let Some(name) = from.file_name().filter(|_| from.is_file()) {
            sh::copy(&from, &addon.join(name))?;
        }
    }
    let archive = dist.join(format!("sinew-godot-{VERSION}-{target}.tar.gz"));
    pack(&archive, &tree, ".", &|_| true, &[])?;
    Ok(Ok((archive, target)))
}

/// Packs `tree` as `top/…`, sorted, without times and owners: the same input gives the same bytes.
fn pack(
    archive: &Path,
    tree: &Path,
    top: &str,
    keep: &dyn Fn(&str) -> bool,
    extra: &[(String, PathBuf)],
) -> Result<()> {
    let mut files: BTreeMap<String, PathBuf> = extra.iter().cloned().collect();
    collect(tree, "", &mut files, keep)?;
    let file = File::create(archive).with_context(|| format!("creating {}", archive.display()))?;
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::best()));
    tar.follow_symlinks(false);
    for (name, path) in &files {
        let mut header = tar::Header::new_gnu();
        header.set_mtime(0);
        let inside = format!("{top}/{name}");
        let link = extra.iter().all(|(n, _)| n != name) && path.symlink_metadata()?.is_symlink();
        if link {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            header.set_mode(0o777);
            tar.append_link(&mut header, &inside, std::fs::read_link(path)?)?;
        } else {
            let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, &inside, bytes.as_slice())?;
        }
    }
    tar.into_inner()?.finish()?;
    Ok(())
}

fn collect(
    tree: &Path,
    folder: &str,
    files: &mut BTreeMap<String, PathBuf>,
    keep: &dyn Fn(&str) -> bool,
) -> Result<()> {
    for entry in std::fs::read_dir(tree.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let below = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            collect(tree, &below, files, keep)?;
        } else if keep(&below) {
            files.entry(below).or_insert(entry.path());
        }
    }
    Ok(())
}

fn entry(archive: &Path, target: &str, state: &'static str) -> Result<Entry> {
    let bytes = std::fs::read(archive)?;
    let sha256 = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    let file = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Entry { file, size: bytes.len() as u64, sha256, target: target.into(), state })
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
        let entry = |file: &&str| Entry {
            file: file.to_string(),
            size: 1,
            sha256: String::new(),
            target: String::new(),
            state: "tested",
        };
        Manifest {
            made_by: MADE_BY,
            version: VERSION,
            rustc: String::new(),
            files: files.iter().map(entry).collect(),
            skipped: BTreeMap::new(),
        }
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
            let error = run(&dist, &[]).err().unwrap().to_string();
            assert!(error.contains("is not empty"), "{error}");
            assert!(publish(&dist, &folder("made-foreign"), &manifest(&[])).is_err());
            assert_eq!(std::fs::read_to_string(&thesis).unwrap(), "years of work");
        }
        std::fs::remove_dir_all(&dist).unwrap();
    }

    #[test]
    fn only_what_the_earlier_manifest_lists_is_deleted() {
        let (dist, made) = (folder("ours"), folder("made"));
        std::fs::write(made.join("a.tar.gz"), "a").unwrap();
        publish(&dist, &made, &manifest(&["a.tar.gz"])).unwrap();
        std::fs::write(dist.join("notes.txt"), "mine").unwrap();
        std::fs::write(made.join("b.tar.gz"), "b").unwrap();
        publish(&dist, &made, &manifest(&["b.tar.gz"])).unwrap();
        assert!(!dist.join("a.tar.gz").exists());
        assert_eq!(std::fs::read_to_string(dist.join("b.tar.gz")).unwrap(), "b");
        assert_eq!(std::fs::read_to_string(dist.join("notes.txt")).unwrap(), "mine");
        assert_eq!(earlier_files(&dist).unwrap(), [dist.join("b.tar.gz")]);
        assert_eq!(std::fs::read_to_string(dist.join(SUMS)).unwrap(), "  b.tar.gz\n");
        for folder in [&dist, &made] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn a_manifest_that_points_elsewhere_is_refused() {
        let outside = folder("outside");
        std::fs::write(outside.join("file"), "x").unwrap();
        let dist = folder("escape");
        for name in ["../file", "/etc/hostname", "sub/file", "..", ""] {
            let text = serde_json::to_string(&manifest(&[name])).unwrap();
            std::fs::write(dist.join(MANIFEST), text).unwrap();
            assert!(earlier_files(&dist).is_err(), "{name}");
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
