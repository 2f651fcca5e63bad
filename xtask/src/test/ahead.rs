//! Builds that later steps need, made in the background while earlier steps run.
//!
//! A library that is built as it is shipped is one unit of code, so its build keeps one processor
//! busy for minutes, as many tests do. The background process runs the functions that the steps
//! call, in the order of the steps and at low priority; a step then finds its build done, or waits
//! for cargo's lock on it. What fails here fails again in its step, which reports it.

use super::golden;
use crate::{fuzz, godot, install, instructions, sh, tools, web};
use anyhow::Result;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Starts the background process, where this machine can lower a program's priority.
pub fn start() -> Result<Option<Child>> {
    if sh::find("nice").is_none() {
        return Ok(None);
    }
    // Here and not in the background, where another step could call rustup at the same time.
    for triple in golden::TARGETS {
        _ = tools::rust_target(triple);
    }
    let mut command = sh::command("nice", &["-n", "5"]);
    command.arg(std::env::current_exe()?).args(["test", "--builds-ahead"]);
    Ok(Some(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
}

/// What the background process does: as many builds at once as there are processors.
pub fn run() -> Result<()> {
    type Build<'a> = Box<dyn Fn() -> Result<()> + Sync + 'a>;
    let golden = golden::builds();
    let mut builds: Vec<Build> = vec![
        Box::new(|| sh::run_cargo(&mut fuzz::checked(&["--no-run"])?).map(|_| ())),
        Box::new(|| install::build(&install::Target::host()?, false).map(|_| ())),
    ];
    builds.push(Box::new(|| if godot::toolchain().is_ok() { godot::build().map(|_| ()) } else { Ok(()) }));
    builds.push(Box::new(|| web::wasm(web::Vectors::With).map(|_| ())));
    builds.push(Box::new(|| instructions::program().map(|_| ())));
    builds.extend(golden.iter().map(|build| Box::new(|| build.run().map(|_| ())) as Build));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(build) = builds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    _ = build();
                }
            });
        }
    });
    Ok(())
}
