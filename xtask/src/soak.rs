//! `cargo xtask soak`: worlds under load for as long as one likes (tests/c/soak.c).

use crate::{install, paths, sh};
use anyhow::{Context, Result, bail};

/// How much, and for how long.
#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds of load.
    #[arg(long, default_value_t = 3600)]
    seconds: u32,
    /// Animators that exist at a time.
    #[arg(long, default_value_t = 10_000)]
    animators: u32,
    /// Threads.
    #[arg(long, default_value_t = 8)]
    threads: u32,
}

/// Builds the library and the program, and runs it.
pub fn run(arguments: &Arguments) -> Result<()> {
    let prefix = paths::target()?.join("soak");
    install::run(&prefix, false)?;
    let program = prefix.join("soak");
    let (include, library) = (prefix.join("include"), prefix.join("lib"));
    let mut compiler = sh::command(std::env::var_os("CC").unwrap_or("cc".into()), &["-std=c99", "-O2", "-pthread"]);
    compiler.arg("tests/c/soak.c").arg("-o").arg(&program).arg("-I").arg(&include).arg("-L").arg(&library);
    compiler.args(["-lsinew", "-lm", "-ldl", "-lrt"]).arg(format!("-Wl,-rpath,{}", library.display()));
    sh::run(&mut compiler)?;
    let mut soak = std::process::Command::new(&program);
    soak.env("SINEW_SOAK_SECONDS", arguments.seconds.to_string());
    soak.env("SINEW_SOAK_ANIMATORS", arguments.animators.to_string());
    soak.env("SINEW_SOAK_THREADS", arguments.threads.to_string());
    let status = soak.status().with_context(|| format!("starting {}", program.display()))?;
    if !status.success() {
        bail!("the soak failed");
    }
    Ok(())
}
