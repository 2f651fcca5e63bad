//! `cargo xtask package`: the archives for users, in `dist/`, with a manifest that states what was
//! checked of each file, and where.

mod android;
mod apple;
mod archive;
pub mod build;
mod consumers;
mod emscripten;
mod godot;
mod inspect;
mod licences;
mod linux;
mod macho;
mod manifest;
mod npm;
mod nuget;
mod reproduce;
mod sdk;
pub mod tutorial;
mod unity;
mod unity_project;
pub mod version;
mod windows;
pub mod wheel;

use crate::install::{self, Target};
use crate::web::{self, Vectors};
use crate::{codegen, paths, sh};
use anyhow::{Context, Result, ensure};
use licences::Parts;
use manifest::{Entry, Manifest, Proof, sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tutorial::Tutorial;

/// What to package.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct What {
    /// Every platform and every package, with their checks; fetches the tools that this needs.
    /// Without it: this machine's.
    #[arg(long)]
    pub all: bool,
    /// Only the packages and platforms whose names contain one of these.
    #[arg(long)]
    pub only: Vec<String>,
    /// Leave out the WebAssembly module without vector instructions.
    #[arg(skip)]
    pub is_simd_only: bool,
}

impl What {
    fn includes(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }

    fn modules(&self) -> &'static [Vectors] {
        if self.is_simd_only { &web::ALL[..1] } else { &web::ALL }
    }
}

/// Archives of a packaging run, and what it left out.
pub struct Report {
    /// Paths of the archives.
    pub archives: Vec<PathBuf>,
    /// What, and the reason.
    pub skipped: Vec<(String, String)>,
}

/// Why something is not packaged.
type Reason = String;

/// A library for other packages to take in.
pub struct Library {
    file: PathBuf,
    proof: Proof,
    parts: Parts,
}

/// A packaging run under way.
pub struct Job {
    what: What,
    /// Where the archives are until they are published.
    made: PathBuf,
    /// Where the archives' contents are.
    trees: PathBuf,
    manifest: Manifest,
    /// By Rust target.
    libraries: BTreeMap<String, Library>,
    tutorial: Option<Tutorial>,
    /// Steps that failed, with their errors.
    failed: Vec<String>,
}

impl Job {
    /// Enters a finished archive into the manifest, and writes its CycloneDX document.
    fn add(&mut self, archive: &Path, target: &str, proof: Proof, parts: &Parts) -> Result<()> {
        let file = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let sbom = format!("{file}.cdx.json");
        std::fs::write(self.made.join(&sbom), parts.sbom(archive)?)?;
        let bytes = std::fs::read(archive)?;
        self.manifest.files.push(Entry {
            file,
            size: bytes.len() as u64,
            sha256: sha256(&bytes),
            target: target.into(),
            state: proof.state,
            ran_on: proof.ran_on,
            checks: proof.checks,
            sbom,
        });
        Ok(())
    }

    /// The tutorial, and the hash that every host must leave: the one of this machine's library.
    fn tutorial(&mut self) -> Result<&Tutorial> {
        if self.tutorial.is_none() {
            let (host, tree) = (Target::host()?, self.trees.join("host"));
            install::lay_down(&tree, &host, &install::build(&host, false)?)?;
            self.tutorial = Some(Tutorial::new(&self.trees.join("tutorial"), &tree.join("lib").join(host.shared()))?);
        }
        self.tutorial.as_ref().context("no tutorial")
    }

    /// Runs a step, unless it was not chosen. A reason why it cannot be done goes into the
    /// manifest; an error is kept for the end, so that one run shows all of them.
    fn step(&mut self, name: &str, step: impl FnOnce(&mut Job) -> Result<Result<(), Reason>>) {
        if !self.what.includes(name) {
            return;
        }
        println!("== {name}");
        let started = std::time::Instant::now();
        match step(self) {
            Ok(Ok(())) => {}
            Ok(Err(reason)) => self.manifest.skip(name, reason),
            Err(error) => {
                println!("FAILED {name}: {error:?}");
                self.failed.push(format!("{name}: {error:#}"));
            }
        }
        println!("   {name}: {} s", started.elapsed().as_secs());
    }
}

/// `cargo xtask package`.
pub fn run(dist: &Path, what: &What) -> Result<Report> {
    let started = std::time::Instant::now();
    manifest::earlier_files(dist)?;
    codegen::run(true)?;
    // Everything is made in cargo's target folder first: `dist` is touched once, at the end.
    let scratch = paths::target()?.join("packaging");
    if scratch.is_dir() {
        std::fs::remove_dir_all(&scratch).context("emptying target/packaging")?;
    }
    let (trees, made) = (scratch.join("tree"), scratch.join("out"));
    std::fs::create_dir_all(&made)?;
    let rustc = sh::run(&mut sh::command("rustc", &["--version"]))?.stdout.trim().to_string();
    let mut job = Job {
        what: what.clone(),
        made,
        trees,
        manifest: Manifest::new(rustc),
        libraries: BTreeMap::new(),
        tutorial: None,
        failed: vec![],
    };
    if what.all {
        for triple in linux::TARGETS {
            job.step(triple, |job| linux::package(job, triple));
        }
        job.step(windows::TARGET, windows::package);
        job.step(apple::MACOS, apple::macos);
        job.step(apple::IOS, apple::ios);
        job.step(emscripten::TARGET, emscripten::package);
        for (triple, clang) in android::TARGETS {
            job.step(triple, |job| android::package(job, triple, clang));
        }
    } else {
        let host = Target::host()?;
        job.step(&host.triple.clone(), |job| sdk::host(job, &host));
    }
    job.step("Unity package", unity::package);
    job.step("Godot addon", godot::package);
    job.step("npm package", npm::package);
    job.step("Python wheels", wheel::package);
    job.step("NuGet package", nuget::package);
    if what.all {
        job.step("Conan and Meson", consumers::package);
        job.step("reproducible builds", reproduce::package);
    }
    ensure!(job.failed.is_empty(), "{} steps failed:\n{}", job.failed.len(), job.failed.join("\n"));
    manifest::publish(dist, &job.made, &job.manifest)?;
    std::fs::remove_dir_all(&scratch).context("removing target/packaging")?;
    job.manifest.print();
    println!("{} files in {} min", job.manifest.files.len(), started.elapsed().as_secs() / 60);
    let archives = job.manifest.files.iter().map(|e| dist.join(&e.file)).collect();
    Ok(Report { archives, skipped: job.manifest.skipped.into_iter().collect() })
}

/// Writes a text below a package's folder.
fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::create_dir_all(file.parent().context("a file without a folder")?)?;
    std::fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}
