//! `cargo xtask fuzz --steps N`: random calls by the C program tests/c/fuzz_calls.c, on the library
//! as it is shipped or with AddressSanitizer in its Rust code.

use crate::{fuzz, install, package::build, paths, sh};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps of one process: with these arguments a failure is repeated in some seconds.
const STEPS_A_SEED: u64 = 500_000;

/// Runs at least so many steps, seed after seed, on all processors.
pub fn run(first_seed: u64, steps: u64, is_shipped_build: bool) -> Result<()> {
    let folder = paths::target()?.join("fuzz/program");
    std::fs::create_dir_all(&folder)?;
    let program = if is_shipped_build { shipped(&folder)? } else { sanitized(&folder)? };
    let end = first_seed.saturating_add(steps.div_ceil(STEPS_A_SEED));
    let (next, calls) = (AtomicU64::new(first_seed), AtomicU64::new(0));
    let work = || -> Result<()> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return Ok(());
            }
            // A failure ends the other threads after their seed.
            let made = one_seed(&program, seed).inspect_err(|_| next.store(end, Ordering::Relaxed))?;
            calls.fetch_add(made, Ordering::Relaxed);
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread panicked")))
    })?;
    println!("seeds {first_seed} to {}: {} calls, 0 failures", end - 1, calls.load(Ordering::Relaxed));
    Ok(())
}

/// Runs one seed; how many calls it made, solves included.
fn one_seed(program: &Path, seed: u64) -> Result<u64> {
    let arguments = [seed.to_string(), STEPS_A_SEED.to_string()];
    let output = sh::capture(
        sh::command(program, &arguments.each_ref().map(String::as_str)).env("ASAN_OPTIONS", "detect_leaks=1"),
    )?;
    if !output.ok() {
        bail!("{} {} {} failed:\n{}", program.display(), arguments[0], arguments[1], sh::tail(&output.text, 60));
    }
    let counts = output.stdout.lines().find(|line| line.contains("random calls")).context("no counts were printed")?;
    println!("seed {seed}: {}", counts.trim_start_matches("# "));
    let number = |what: &str| -> u64 {
        let before = counts.split(what).next().unwrap_or_default();
        before.rsplit(' ').find(|word| !word.is_empty()).and_then(|word| word.parse().ok()).unwrap_or_default()
    };
    Ok(number(" random calls") + number(" solves"))
}

fn compiler(program: &Path) -> Command {
    let compiler = std::env::var_os("CC").unwrap_or("cc".into());
    let mut command = sh::command(compiler, &["-std=c99", "-O2", "-ffp-contract=off", "-pthread"]);
    command.arg("tests/c/fuzz_calls.c").arg("-I").arg(paths::root().join("include")).arg("-o").arg(program);
    command
}

fn shipped(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("fuzz_calls");
    let built = install::build(&install::Target::host()?, false)?;
    let library = built.fixed.context("no static library for this machine")?;
    sh::run(compiler(&program).arg(library).args(["-lm", "-ldl", "-lrt"]))?;
    Ok(program)
}

/// With the sanitizer's runtime that belongs to the Rust compiler: the C code needs none.
fn sanitized(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("fuzz_calls-sanitized");
    let (target, place) = (fuzz::sanitized_target()?, folder.join("sanitized"));
    let features = build::library_features(&target);
    let arguments = ["build", "--release", "--package", "sinew", "--lib", "--features", features];
    sh::run_cargo(&mut fuzz::address_sanitizer(&arguments, &target, &["-Cdebug-assertions=on"], &place))?;
    let library = place.join(&target).join("release/libsinew.a");
    let root = sh::run(&mut sh::command("rustc", &["--print", "target-libdir", "--target", &target]))?;
    let runtime = Path::new(root.stdout.trim()).join("librustc-stable_rt.asan.a");
    let mut command = compiler(&program);
    command.arg("-Wl,--whole-archive").arg(runtime).arg("-Wl,--no-whole-archive").arg("-Wl,--export-dynamic");
    sh::run(command.arg(library).args(["-lm", "-ldl", "-lrt", "-lstdc++"]))?;
    Ok(program)
}
