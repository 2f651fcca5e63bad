//! Python wheels: `bindings/python` with a native library inside, and cffi and NumPy as needs.

use super::manifest::State;
use super::sdk::version_of;
use super::tutorial::Tutorial;
use super::{Job, Reason};
use crate::tools::{self, PYTHON};
use crate::{paths, sh};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is fetched from PyPI: cffi reads the header, NumPy is what users have.
const NEEDS: [&str; 2] = ["cffi", "numpy"];

/// Targets with a wheel, and the platform part of its name.
const PLATFORMS: [(&str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
    ("aarch64-unknown-linux-gnu", "manylinux_2_17_aarch64.manylinux2014_aarch64"),
    ("x86_64-pc-windows-gnu", "win_amd64"),
    ("universal-apple-darwin", "macosx_11_0_universal2"),
];

/// A wheel for each library that was built.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    if let Err(reason) = PYTHON.ensure().and_then(|()| tools::python(&NEEDS).map(|_| ())) {
        return Ok(Err(reason));
    }
    let host = paths::host_target()?;
    for (target, platform) in PLATFORMS {
        let Some(library) = job.libraries.get(target) else { continue };
        let (file, parts, mut proof) = (library.file.clone(), library.parts.clone(), library.proof.clone());
        // A library that this machine's linker made needs this machine's glibc.
        let platform = if job.what.all { platform } else { "linux_x86_64" };
        let notices = job.trees.join("wheel").join(target).join("THIRD-PARTY-NOTICES.md");
        super::write(&notices, &parts.notices()?)?;
        let wheel = make(&file, platform, &job.made, &[notices])?;
        if target == host {
            proof.checks = consume(&wheel, job.tutorial()?)?;
            proof.state = State::Tested;
            proof.ran_on = version_of(Path::new("python3"));
        } else {
            proof.checks = vec![format!("its library: {}", proof.state.text())];
            proof.state = State::Inspected;
            proof.ran_on.clear();
        }
        job.add(&wheel, target, proof, &parts)?;
    }
    match job.libraries.keys().any(|target| PLATFORMS.iter().any(|(known, _)| known == target)) {
        true => Ok(Ok(())),
        false => Ok(Err("no native library that Python could load was built here".into())),
    }
}

/// The wheel of a library, in `out`.
pub fn make(library: &Path, platform: &str, out: &Path, notices: &[PathBuf]) -> Result<PathBuf> {
    let packages = tools::python(&NEEDS).map_err(anyhow::Error::msg)?;
    std::fs::create_dir_all(out)?;
    // The name of a symbolic link would be the name in the wheel.
    let file = out.join("wheel").join(library.file_name().unwrap_or_default());
    sh::copy(library, &file)?;
    let mut python = sh::command("python3", &["bindings/python/make_wheel.py"]);
    python.arg(&file).arg(platform).arg(out).args(notices).env("PYTHONPATH", packages);
    let output = sh::run(&mut python)?;
    let wheel = PathBuf::from(output.stdout.lines().last().unwrap_or_default());
    ensure!(wheel.is_file(), "make_wheel.py left no wheel");
    std::fs::remove_dir_all(out.join("wheel"))?;
    Ok(wheel)
}

/// A fresh virtual environment in which pip has installed the wheel runs the tests, the first
/// program of the manual, and the tutorial.
pub fn consume(wheel: &Path, tutorial: &Tutorial) -> Result<Vec<String>> {
    let folder = tutorial.folder("python")?;
    let environment = folder.join("venv");
    sh::run(sh::command("python3", &["-m", "venv"]).arg(&environment))?;
    let python = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    sh::run(sh::command(&python, &pip).arg(wheel)).context("installing the wheel")?;
    for file in
        ["examples/hello/hello.py", "examples/hold_cylinder/python/hold_cylinder.py", "bindings/python/README.md"]
    {
        let from = paths::root().join(file);
        sh::copy(&from, &folder.join(from.file_name().unwrap_or_default()))?;
    }
    // The tests take helpers from one another: all are in one folder.
    for entry in std::fs::read_dir(paths::root().join("tests/python"))? {
        let from = entry?.path();
        if from.extension().is_some_and(|ending| ending == "py") {
            sh::copy(&from, &folder.join(from.file_name().unwrap_or_default()))?;
        }
    }
    let run = |arguments: &[&str]| -> Result<sh::Output> {
        sh::run(Command::new(&python).args(arguments).current_dir(&folder).env_remove("PYTHONPATH"))
    };
    let tests = run(&["-m", "unittest", "discover", "-p", "test_*.py"])?;
    let ran = tests.text.lines().find_map(|line| line.strip_prefix("Ran ")?.split(' ').next());
    let hello = run(&["hello.py"])?;
    for line in ["the hand is ", "of a thousand hands the worst is "] {
        let off = hello.stdout.lines().find_map(|l| l.strip_prefix(line)?.split(' ').next()?.parse::<f64>().ok());
        let off = off.with_context(|| format!("examples/hello/hello.py does not print {line:?}"))?;
        ensure!(off < 1e-5, "{line}{off} m off");
    }
    let mut host = Command::new(&python);
    let played = tutorial.play(host.arg("hold_cylinder.py"), &folder)?;
    Ok(vec![
        format!("a fresh virtual environment installs it, {} tests pass", ran.unwrap_or("no")),
        "examples/hello/hello.py".into(),
        played,
    ])
}
