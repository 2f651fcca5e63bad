//! The three hosts of the demo: C, C++ and C# on Mono. Each reads the scene file, runs the tutorial
//! script through the C ABI, and leaves the poses.

use crate::tools::{self, Tool};
use crate::{paths, sh};
use anyhow::{Context, Result, bail, ensure};
use sinew::math::{Quat, Transform, Vec3};
use std::path::{Path, PathBuf};

/// A host: a language, and how its program is built and started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// `examples/hold_cylinder/c`.
    C,
    /// `examples/hold_cylinder/cpp`.
    Cpp,
    /// `examples/hold_cylinder/csharp`, on Mono.
    CSharp,
}

impl Host {
    /// All hosts; the first one's poses are drawn.
    pub const ALL: [Host; 3] = [Host::C, Host::Cpp, Host::CSharp];

    /// As shown.
    pub fn name(self) -> &'static str {
        match self {
            Host::C => "C",
            Host::Cpp => "C++",
            Host::CSharp => "C# (Mono)",
        }
    }
    /// Programs it needs.
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Host::C => &[tools::CC],
            Host::Cpp => &[tools::CXX],
            Host::CSharp => &[tools::MCS, tools::MONO],
        }
    }

    /// Builds the host's program into `folder`; returns the command line that starts it.
    pub fn build(self, library: &Path, folder: &Path) -> Result<Vec<String>> {
        let root = paths::root();
        let at = |path: &str| root.join(path).display().to_string();
        let name = format!("hold_cylinder_{}", self.name().to_lowercase().replace([' ', '(', ')', '#', '+'], "_"));
        let shown = folder.join(&name).display().to_string();
        let library_folder = library.parent().context("the library has no folder")?.display().to_string();
        match self {
            Host::C | Host::Cpp => {
                let (compiler, standard, source) = match self {
                    Host::C => ("cc", "-std=c99", at("examples/hold_cylinder/c/hold_cylinder.c")),
                    _ => ("c++", "-std=c++17", at("examples/hold_cylinder/cpp/hold_cylinder.cpp")),
                };
                let include = format!("-I{}", at("include"));
                let include_cpp = format!("-I{}", at("bindings/cpp"));
                let rpath = format!("-Wl,-rpath,{library_folder}");
                let search = format!("-L{library_folder}");
                let mut arguments =
                    vec![standard, "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
                arguments.extend([include.as_str(), include_cpp.as_str(), source.as_str(), "-o", shown.as_str()]);
                arguments.extend([search.as_str(), rpath.as_str(), "-lsinew", "-lm"]);
                sh::run(&mut sh::command(compiler, &arguments))?;
                Ok(vec![shown])
            }
            Host::CSharp => csharp(&root.join("unity-package"), &folder.join(format!("{name}.exe"))),
        }
    }

    /// Builds and runs the host; returns what it left.
    pub fn play(self, library: &Path, scene: &Path, folder: &Path) -> Result<Run> {
        let line = self.build(library, folder).with_context(|| format!("building the {} host", self.name()))?;
        self.play_built(&line, library, scene, folder)
    }

    /// Runs the program that [`Self::build`] made; returns what it left.
    pub fn play_built(self, line: &[String], library: &Path, scene: &Path, folder: &Path) -> Result<Run> {
        let poses = folder.join(format!("{:?}.poses", self).to_lowercase());
        let mut arguments: Vec<String> = line[1..].to_vec();
        arguments.push(scene.display().to_string());
        arguments.push(poses.display().to_string());
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = sh::command(&line[0], &arguments);
        command.env("LD_LIBRARY_PATH", library.parent().unwrap_or(folder));
        let output = sh::run(&mut command).with_context(|| format!("running the {} host", self.name()))?;
        let hash = output
            .stdout
            .lines()
            .find_map(|l| l.strip_prefix("hash "))
            .with_context(|| format!("the {} host printed no hash:\n{}", self.name(), output.text))?;
        let run = Run::read(&poses, hash.trim().to_string())?;
        ensure!(
            run.hash == run.recomputed_hash(),
            "the {} host printed hash {}, its poses have {}",
            self.name(),
            run.hash,
            run.recomputed_hash()
        );
        Ok(run)
    }
}

/// Builds the host of C# with the C# of a Unity package; returns the command line that starts it.
pub fn csharp(unity_package: &Path, assembly: &Path) -> Result<Vec<String>> {
    let mut sources = Vec::new();
    for folder in ["Runtime/Interop", "Runtime/Core", "Runtime/Components"] {
        collect(&unity_package.join(folder), &mut sources)?;
    }
    for folder in ["tests/csharp/UnityEngineStandIn", "examples/hold_cylinder/csharp"] {
        collect(&paths::root().join(folder), &mut sources)?;
    }
    sources.sort();
    let out = format!("-out:{}", assembly.display());
    let mut arguments = vec!["-nologo", "-unsafe", "-langversion:latest", "-warnaserror", out.as_str()];
    arguments.extend(sources.iter().map(String::as_str));
    sh::run(&mut sh::command("mcs", &arguments))?;
    Ok(vec!["mono".into(), assembly.display().to_string()])
}

fn collect(folder: &Path, sources: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path: PathBuf = entry?.path();
        if path.is_dir() {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|e| e == "cs") {
            sources.push(path.display().to_string());
        }
    }
    Ok(())
}

/// One frame of a host's result.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFrame {
    /// Eased weight, 0 … 1.
    pub weight: f32,
    /// `SinewStatus` of the right hand.
    pub hand_status: i32,
    /// Residuals the host read: metres (rig units) and radians of the hand, `SinewStatus` and
    /// radians of the look-at.
    pub hand_residual: (f32, f32),
    /// `SinewStatus` of the look-at.
    pub look_status: i32,
    /// Radians.
    pub look_residual_rad: f32,
    /// Local transforms after the solve.
    pub pose: Vec<Transform>,
}

/// A host's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// As the host printed it.
    pub hash: String,
    /// In order.
    pub frames: Vec<RunFrame>,
}

impl Run {
    fn read(path: &Path, hash: String) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let mut reader = Reader { bytes: &bytes, at: 0 };
        if reader.take(8)? != b"SNWPOSES" || reader.u32()? != 1 {
            bail!("{} is not a poses file", path.display());
        }
        let (joints, count) = (reader.u32()? as usize, reader.u32()? as usize);
        let mut frames = Vec::with_capacity(count);
        for _ in 0..count {
            let weight = reader.f32()?;
            let hand_status = reader.u32()? as i32;
            let hand_residual = (reader.f32()?, reader.f32()?);
            let look_status = reader.u32()? as i32;
            let look_residual_rad = reader.f32()?;
            let pose = (0..joints).map(|_| reader.transform()).collect::<Result<_>>()?;
            frames.push(RunFrame { weight, hand_status, hand_residual, look_status, look_residual_rad, pose });
        }
        ensure!(reader.at == bytes.len(), "{} has {} bytes too many", path.display(), bytes.len() - reader.at);
        Ok(Self { hash, frames })
    }

    fn recomputed_hash(&self) -> String {
        let hash = self
            .frames
            .iter()
            .fold(testkit::matchers::HASH_START, |hash, frame| testkit::matchers::hash_transforms(&frame.pose, hash));
        format!("{hash:016x}")
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let part = self.bytes.get(self.at..self.at + count).context("the poses file ends early")?;
        self.at += count;
        Ok(part)
    }
    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into()?))
    }
    fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.take(4)?.try_into()?))
    }
    fn vec3(&mut self) -> Result<Vec3> {
        Ok(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }
    fn transform(&mut self) -> Result<Transform> {
        let position = self.vec3()?;
        let rotation = Quat::from_xyzw(self.f32()?, self.f32()?, self.f32()?, self.f32()?);
        Ok(Transform { position, rotation, scale: self.vec3()? })
    }
}
