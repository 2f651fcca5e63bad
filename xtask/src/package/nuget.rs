//! The NuGet package: the C# of the Unity package, with the native libraries below `runtimes`.

use super::manifest::VERSION;
use super::{Job, Library, Reason, unity};
use crate::{godot, paths, sh};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Targets whose libraries go in, and .NET's names of the platforms.
const RUNTIMES: [(&str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "linux-x64"),
    ("aarch64-unknown-linux-gnu", "linux-arm64"),
    ("x86_64-pc-windows-gnu", "win-x64"),
    ("universal-apple-darwin", "osx"),
];

/// The `dotnet` to work with.
struct Dotnet {
    program: PathBuf,
    /// Frameworks that its reference assemblies are there for: of the library, and of a program.
    library: &'static str,
    console: &'static str,
    /// Where its package cache and settings are.
    home: PathBuf,
}

impl Dotnet {
    /// The installed one, or on Linux one made of public packages.
    fn find(home: PathBuf) -> Result<Result<Self, Reason>> {
        if let Some(program) = sh::find("dotnet") {
            return Ok(Ok(Dotnet { program, library: "netstandard2.0;net6.0", console: "net8.0", home }));
        }
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Ok(Err("no dotnet".into()));
        }
        let tools = paths::target()?.join("dotnet");
        let fetched = sh::capture(sh::command("sh", &["bindings/csharp/get-dotnet.sh"]).arg(&tools))?;
        if !fetched.ok() {
            return Ok(Err(format!("no dotnet, and get-dotnet.sh failed: {}", sh::tail(&fetched.text, 1))));
        }
        let program = tools.join("root/dotnet");
        Ok(Ok(Dotnet { program, library: "netstandard2.1", console: "netcoreapp3.1", home }))
    }

    fn command(&self, arguments: &[&str], folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(folder);
        for (name, value) in [
            ("DOTNET_ROLL_FORWARD", "Major"),
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1"),
            ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
            ("DOTNET_NOLOGO", "1"),
            ("DOTNET_SKIP_FIRST_TIME_EXPERIENCE", "1"),
            ("MSBUILDDISABLENODEREUSE", "1"),
        ] {
            command.env(name, value);
        }
        command.env("DOTNET_ROOT", self.program.parent().unwrap_or(Path::new("/")));
        command.env("HOME", &self.home).env("NUGET_PACKAGES", self.home.join("packages"));
        command
    }
}

/// The package, consumed by a fresh project from a local feed.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    let with: Vec<(&str, &str)> =
        RUNTIMES.into_iter().filter(|(target, _)| job.libraries.contains_key(*target)).collect();
    let libraries: Vec<(&str, &Library)> = with.iter().map(|(target, _)| (*target, &job.libraries[*target])).collect();
    let Some((parts, mut proof)) = unity::combined(&libraries) else {
        return Ok(Err("no native library that .NET could load was built here".into()));
    };
    let work = job.trees.join("nuget");
    let dotnet = match Dotnet::find(work.join("home"))? {
        Ok(dotnet) => dotnet,
        Err(reason) => return Ok(Err(reason)),
    };
    std::fs::create_dir_all(&dotnet.home)?;
    let project = work.join("bindings/csharp");
    for folder in ["unity-package/Runtime/Interop", "unity-package/Runtime/Core"] {
        godot::copy_folder(&paths::root().join(folder), &work.join(folder))?;
    }
    for file in ["Sinew.csproj", "Directory.Build.props", "README.md"] {
        sh::copy(&paths::root().join("bindings/csharp").join(file), &project.join(file))?;
    }
    for ((_, runtime), (_, library)) in with.iter().zip(&libraries) {
        let name = library.file.file_name().unwrap_or_default();
        sh::copy(&library.file, &project.join("runtimes").join(runtime).join("native").join(name))?;
    }
    super::write(&project.join("THIRD-PARTY-NOTICES.md"), &parts.notices()?)?;
    let frameworks = format!("-p:TargetFrameworks=\"{}\"", dotnet.library);
    // Warnings of this host's msbuild about its own files are not errors of the package.
    let arguments = [
        "pack",
        "-c",
        "Release",
        "-nodeReuse:false",
        "-p:UseSharedCompilation=false",
        "-p:TreatWarningsAsErrors=false",
        &frameworks,
        "-o",
    ];
    sh::run(dotnet.command(&arguments, &project).arg(&job.made).arg("Sinew.csproj"))?;
    let archive = job.made.join(format!("Sinew.{VERSION}.nupkg"));
    ensure!(archive.is_file(), "dotnet left no {}", archive.display());
    let played = consume(job, &dotnet, &archive)?;
    proof.checks.insert(0, format!("a fresh project restores it from a folder; {played}"));
    proof.checks.push(format!("frameworks: {}", dotnet.library));
    let version = sh::run(&mut dotnet.command(&["--list-runtimes"], &work))?.stdout;
    proof.ran_on = format!(
        "{} (this machine's library)",
        version.lines().next().and_then(|l| l.split(" [").next()).unwrap_or_default()
    );
    let targets: Vec<&str> = with.iter().map(|(target, _)| *target).collect();
    job.add(&archive, &targets.join(" "), proof, &parts)?;
    Ok(Ok(()))
}

/// A project with one program and one reference plays the tutorial.
fn consume(job: &mut Job, dotnet: &Dotnet, archive: &Path) -> Result<String> {
    let tutorial = job.tutorial()?;
    let folder = tutorial.folder("dotnet")?;
    let feed = archive.parent().context("an archive without a folder")?;
    for file in ["Program.cs", "HoldCylinder.csproj"] {
        sh::copy(&paths::root().join("examples/hold_cylinder/dotnet").join(file), &folder.join(file))?;
    }
    let config = format!(
        "<configuration><packageSources><clear/><add key=\"local\" value=\"{}\"/></packageSources></configuration>\n",
        feed.display()
    );
    std::fs::write(folder.join("nuget.config"), config)?;
    let framework = format!("-p:TargetFramework={}", dotnet.console);
    let arguments = [
        "build",
        "-c",
        "Release",
        "-nodeReuse:false",
        "-p:UseSharedCompilation=false",
        "-p:UseAppHost=false",
        "-p:RollForward=Major",
        &framework,
        "-o",
        "out",
    ];
    sh::run(&mut dotnet.command(&arguments, &folder))?;
    let mut run = dotnet.command(&["out/HoldCylinder.dll"], &folder);
    tutorial.play(&mut run, &folder)
}
