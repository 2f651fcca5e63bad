//! The archive for C and C++: headers, libraries, pkg-config and CMake files.

use super::archive;
use super::build::Built;
use super::licences::{self, Parts};
use super::manifest::{Proof, State, VERSION};
use super::tutorial::{Compilers, Tutorial};
use super::{Job, Library, Reason, inspect, write};
use crate::install::{self, Target};
use crate::{paths, sh};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A platform's SDK while it is made.
pub struct Sdk {
    /// Name of the archive without its ending, and of the folder in it.
    name: String,
    /// Where its files are.
    pub tree: PathBuf,
    target: String,
    parts: Parts,
    /// What was checked so far.
    pub checks: Vec<String>,
}

/// The archive of this machine, with the linker that Rust takes by itself.
pub fn host(job: &mut Job, target: &Target) -> Result<Result<(), Reason>> {
    let built = install::build(target, false)?;
    let mut sdk = Sdk::new(job, &target.triple, &target.triple)?;
    sdk.lay_down(target, &built)?;
    if target.triple.contains("linux") && inspect::LLVM.ensure().is_ok() {
        let shared = built.shared.as_ref().context("no shared library")?;
        sdk.checks.extend(inspect::any(shared)?);
        sdk.checks.extend(inspect::elf(shared, &install::soname(), None)?);
    }
    let tools = Compilers {
        c: Some("cc".into()),
        cpp: sh::find("c++").map(|_| "c++".into()),
        options: vec![format!("-Wl,-rpath,{}", sdk.tree.join("lib").display())],
        ..Compilers::default()
    };
    let run = match cfg!(unix) && sh::find("cc").is_some() {
        true => Some((tools, State::Tested, "this machine".to_string())),
        false => None,
    };
    sdk.finish(job, run, &[])?;
    Ok(Ok(()))
}

impl Sdk {
    /// An empty one. `rust`: a target of Rust that has the same dependencies.
    pub fn new(job: &Job, triple: &str, rust: &str) -> Result<Self> {
        let name = format!("sinew-{VERSION}-{triple}");
        let tree = job.trees.join(&name);
        std::fs::create_dir_all(&tree)?;
        let parts = licences::parts(&paths::root(), "sinew", rust)?;
        Ok(Sdk { name, tree, target: triple.into(), parts, checks: vec![] })
    }

    /// Headers, libraries and the files by which build systems find them.
    pub fn lay_down(&self, target: &Target, built: &Built) -> Result<()> {
        install::lay_down_archive(&self.tree, target, built)
    }

    /// The library that engines load.
    fn library(&self) -> Result<PathBuf> {
        let names = ["bin/sinew.dll", "lib/libsinew.so", "lib/libsinew.dylib", "lib/libsinew.a"];
        let found = names.map(|name| self.tree.join(name)).into_iter().find(|file| file.is_file());
        found.with_context(|| format!("no library in {}", self.tree.display()))
    }

    /// Runs the tutorial where something can run it, and packs the archive.
    pub fn finish(self, job: &mut Job, run: Option<(Compilers, State, String)>, beside: &[PathBuf]) -> Result<()> {
        if job.tutorial.is_none() && self.target == paths::host_target()? {
            job.tutorial = Some(Tutorial::new(&job.trees.join("tutorial"), &self.library()?)?);
        }
        let mut played = Vec::new();
        let mut proof = None;
        if let Some((tools, state, place)) = run {
            played.push(job.tutorial()?.c_and_cpp(&self.target, &self.tree, &tools, beside)?);
            proof = Some((state, place));
        }
        self.finish_played(job, proof, played)
    }

    /// Packs the archive. `proof`: how and where `played` was seen.
    pub fn finish_played(mut self, job: &mut Job, proof: Option<(State, String)>, played: Vec<String>) -> Result<()> {
        for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
            sh::copy(&paths::root().join(file), &self.tree.join(file))?;
        }
        let readme = include_str!("sdk_readme.md").replace("@VERSION@", VERSION).replace("@TARGET@", &self.target);
        write(&self.tree.join("README.md"), &readme)?;
        write(&self.tree.join("THIRD-PARTY-NOTICES.md"), &self.parts.notices()?)?;
        self.checks.push(format!("licences of {} linked crates inside", self.parts.third_parties()));
        self.checks.extend(played);
        let (state, ran_on) = proof.unwrap_or((State::Inspected, String::new()));
        let archive = job.made.join(format!("{}.tar.gz", self.name));
        archive::tar_gz(&archive, &self.tree, &self.name, &|_| true, &[])?;
        let proof = Proof { state, ran_on, checks: self.checks.clone() };
        job.add(&archive, &self.target, proof.clone(), &self.parts)?;
        let library = Library { file: self.library()?, proof, parts: self.parts };
        job.libraries.insert(self.target, library);
        Ok(())
    }
}

/// First line of what a program prints about its version.
pub fn version_of(program: &Path) -> String {
    let output = sh::run(&mut sh::command(program, &["--version"])).map(|o| o.text).unwrap_or_default();
    output.lines().next().unwrap_or_default().trim().to_string()
}
