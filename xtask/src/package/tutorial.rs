//! The tutorial scene played by programs that have nothing but a package: each must leave the poses
//! that the C host leaves on this machine.

use crate::demo::hosts::Host;
use crate::{paths, sh};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::scene::HoldCylinderScene;

/// The scene, and the hash of its poses.
pub struct Tutorial {
    folder: PathBuf,
    /// The scene file.
    pub scene: PathBuf,
    /// Hash of the poses of the C host, natively.
    pub hash: String,
}

impl Tutorial {
    /// Plays the scene with the C host and a library of this machine.
    pub fn new(folder: &Path, library: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let scene = folder.join("scene.bin");
        std::fs::write(&scene, HoldCylinderScene::new().to_bytes())?;
        let run = Host::C.play(library, &scene, folder)?;
        Ok(Tutorial { folder: folder.to_path_buf(), scene, hash: run.hash })
    }

    /// A folder for one host's files, empty.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Runs a program that plays the scene: its arguments are the scene and the file for the poses,
    /// both in its current folder.
    pub fn play(&self, command: &mut Command, folder: &Path) -> Result<String> {
        sh::copy(&self.scene, &folder.join("scene.bin"))?;
        let output = sh::run(command.args(["scene.bin", "out.poses"]).current_dir(folder))?;
        let hash = output.stdout.lines().find_map(|l| l.trim().strip_prefix("hash ")).context("no hash printed")?;
        ensure!(hash == self.hash, "pose hash {hash}, {} in C on this machine", self.hash);
        Ok(format!("plays the tutorial: pose hash {hash}"))
    }

    /// Compiles the C host and the C++ host against an SDK and plays the scene with each. `runner`
    /// starts programs of the SDK's platform; `beside`: files that the programs need in their
    /// folder.
    pub fn c_and_cpp(&self, name: &str, sdk: &Path, tools: &Compilers, beside: &[PathBuf]) -> Result<String> {
        let folder = self.folder(name)?;
        let mut checks = Vec::new();
        for (compiler, standard, source) in [
            (&tools.c, "-std=c99", "examples/hold_cylinder/c/hold_cylinder.c"),
            (&tools.cpp, "-std=c++17", "examples/hold_cylinder/cpp/hold_cylinder.cpp"),
        ] {
            let Some(compiler) = compiler else { continue };
            let program = folder.join(format!("host{}", tools.ending));
            let mut build = sh::command(compiler, &[standard, "-O2", "-ffp-contract=off"]);
            build.args(&tools.options).arg(paths::root().join(source)).arg("-o").arg(&program);
            build.arg("-I").arg(sdk.join("include")).arg("-I").arg(sdk.join("include/sinew"));
            build.arg("-L").arg(sdk.join("lib")).args(["-lsinew", "-lm"]);
            sh::run(&mut build)?;
            for file in beside {
                sh::copy(file, &folder.join(file.file_name().unwrap_or_default()))?;
            }
            let mut run = match tools.runner.split_first() {
                Some((first, rest)) => {
                    let mut run = Command::new(first);
                    run.args(rest).arg(format!("./host{}", tools.ending));
                    run
                }
                None => Command::new(&program),
            };
            run.envs(tools.env.iter().cloned());
            self.play(&mut run, &folder).with_context(|| format!("{source} against {}", sdk.display()))?;
            checks.push(if standard == "-std=c99" { "C" } else { "C++" });
        }
        Ok(format!("{} programs play the tutorial: pose hash {}", checks.join(" and "), self.hash))
    }
}

/// Compilers for a platform, and what starts their programs here.
#[derive(Default)]
pub struct Compilers {
    pub c: Option<String>,
    pub cpp: Option<String>,
    /// Extra arguments of both.
    pub options: Vec<String>,
    /// Ending of a program's name.
    pub ending: &'static str,
    /// The program that starts programs, with its arguments; empty: they start by themselves.
    pub runner: Vec<String>,
    /// Environment of the run.
    pub env: Vec<(String, String)>,
}
