//! `cargo xtask test`: every test there is, one step after the other.
//!
//! A step that lacks a tool tries to get it, and is skipped aloud when that fails. Skips fail the command unless
//! `--allow-skips` says that they may be.

mod godot;
mod godot_cases;
mod golden;
mod managed;
mod native;
mod packages;
mod rust;

use crate::tools::{self, Tool};
use anyhow::Result;
use std::path::PathBuf;
use std::time::Instant;

/// How to test.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Succeed although steps were skipped.
    #[arg(long)]
    allow_skips: bool,
    /// Leave out what takes long: cross targets, packages, valgrind, the demo.
    #[arg(long)]
    quick: bool,
    /// Only steps whose names contain one of these.
    only: Vec<String>,
}

/// One kind of test.
struct Step {
    name: &'static str,
    /// Programs it needs, fetched when missing.
    tools: &'static [Tool],
    /// Whether `--quick` has it too.
    quick: bool,
    run: fn(&mut Tally) -> Result<()>,
}

/// What a step found.
#[derive(Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
    notes: Vec<String>,
}

impl Tally {
    /// One more that passed.
    pub fn pass(&mut self) {
        self.passed += 1;
    }

    /// One more that failed, and why.
    pub fn fail(&mut self, why: impl std::fmt::Display) {
        self.failed += 1;
        self.notes.push(format!("FAILED {why}"));
    }

    /// One more that could not be run, and why.
    pub fn skip(&mut self, why: impl std::fmt::Display) {
        self.skipped += 1;
        self.notes.push(format!("SKIP {why}"));
    }

    /// A result as one test.
    pub fn check(&mut self, name: impl std::fmt::Display, result: Result<()>) {
        match result {
            Ok(()) => self.pass(),
            Err(error) => self.fail(format!("{name}: {error:#}")),
        }
    }
}

const STEPS: &[Step] = &[
    Step { name: "format", tools: &[], quick: true, run: rust::format },
    Step { name: "generated files", tools: &[], quick: true, run: rust::generated },
    Step { name: "lints", tools: &[], quick: true, run: rust::lints },
    Step { name: "documentation", tools: &[], quick: true, run: rust::documentation },
    Step { name: "Rust tests", tools: &[], quick: true, run: rust::tests },
    Step { name: "lent work, every order", tools: &[], quick: false, run: rust::lending },
    Step { name: "exported symbols", tools: &[tools::NM], quick: true, run: native::exports },
    Step {
        name: "header in every dialect",
        tools: &[tools::GCC, tools::GXX, tools::CLANG, tools::CLANGXX],
        quick: true,
        run: native::header,
    },
    Step { name: "C tests, gcc", tools: &[tools::GCC], quick: true, run: native::c_gcc },
    Step { name: "C tests, clang", tools: &[tools::CLANG], quick: false, run: native::c_clang },
    Step { name: "C++ tests, g++", tools: &[tools::GXX], quick: true, run: native::cpp_gcc },
    Step { name: "C++ tests, clang++", tools: &[tools::CLANGXX], quick: false, run: native::cpp_clang },
    Step {
        name: "C and C++ tests, sanitizers",
        tools: &[tools::GCC, tools::GXX, tools::NM],
        quick: false,
        run: native::sanitizers,
    },
    Step {
        name: "threads, ThreadSanitizer",
        tools: &[tools::GCC, tools::NM],
        quick: false,
        run: native::thread_sanitizer,
    },
    Step {
        name: "C and C++ tests, valgrind",
        tools: &[tools::GCC, tools::GXX, tools::VALGRIND],
        quick: false,
        run: native::valgrind,
    },
    Step { name: "examples", tools: &[tools::CC, tools::CXX], quick: true, run: native::examples },
    Step { name: "C# tests, Mono", tools: &[tools::MCS, tools::MONO, tools::CC], quick: true, run: managed::tests },
    Step {
        name: "package used by a stranger",
        tools: &[tools::GCC, tools::GXX, tools::CMAKE, tools::MAKE, tools::PKG_CONFIG],
        quick: false,
        run: packages::stranger,
    },
    Step { name: "packages", tools: &[tools::GCC], quick: false, run: packages::archives },
    Step { name: "same bits, native", tools: &[], quick: true, run: golden::native },
    Step { name: "same bits, old x86-64", tools: &[tools::QEMU_X86], quick: false, run: golden::old_x86 },
    Step { name: "same bits, arm64", tools: &[tools::QEMU_ARM, tools::ARM_GCC], quick: false, run: golden::arm64 },
    Step { name: "same bits, wasm32", tools: &[tools::NODE], quick: false, run: golden::wasm },
    Step { name: "Godot extension, lints", tools: &[], quick: false, run: godot::crate_checks },
    Step { name: "Godot 4.6, headless", tools: &[], quick: false, run: godot::engine },
    Step { name: "instruction counts", tools: &[tools::VALGRIND], quick: false, run: crate::instructions::check },
    Step {
        name: "demo, same bits in every host",
        tools: &[tools::CC, tools::CXX, tools::MCS, tools::MONO],
        quick: false,
        run: demo,
    },
];

/// Runs the steps; an error when one failed, or was skipped and that is not allowed.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(word) = arguments.only.iter().find(|word| !STEPS.iter().any(|step| step.name.contains(word.as_str()))) {
        let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        anyhow::bail!("no step has {word:?} in its name; there are: {}", names.join("; "));
    }
    let mut total = Tally::default();
    let started = Instant::now();
    for step in STEPS {
        let wanted = arguments.only.is_empty() || arguments.only.iter().any(|o| step.name.contains(o.as_str()));
        if !wanted || (arguments.quick && !step.quick) {
            continue;
        }
        println!("== {}", step.name);
        let step_started = Instant::now();
        let mut tally = Tally::default();
        match step.tools.iter().try_for_each(|tool| tool.ensure()) {
            Err(reason) => tally.skip(format!("{}: {reason}", step.name)),
            Ok(()) => {
                if let Err(error) = (step.run)(&mut tally) {
                    tally.fail(format!("{}: {error:#}", step.name));
                }
            }
        }
        for note in &tally.notes {
            println!("{note}");
        }
        let seconds = step_started.elapsed().as_secs_f32();
        println!("   {} passed, {} failed, {} skipped in {seconds:.0} s", tally.passed, tally.failed, tally.skipped);
        total.passed += tally.passed;
        total.failed += tally.failed;
        total.skipped += tally.skipped;
        total.notes.append(&mut tally.notes);
    }
    println!("== all steps, {:.0} s", started.elapsed().as_secs_f32());
    for note in &total.notes {
        let line = note.lines().next().unwrap_or_default();
        if line.starts_with("FAILED ") || line.starts_with("SKIP ") {
            println!("{}", line.chars().take(200).collect::<String>());
        }
    }
    if arguments.quick {
        println!(
            "--quick left out: {}",
            STEPS.iter().filter(|s| !s.quick).map(|s| s.name).collect::<Vec<_>>().join("; ")
        );
    }
    println!("{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped);
    if total.failed > 0 || total.passed == 0 || (total.skipped > 0 && !arguments.allow_skips) {
        std::process::exit(1);
    }
    Ok(())
}

/// Where tests put what they make.
fn scratch(name: &str) -> Result<PathBuf> {
    let folder = crate::paths::target()?.join("xtask-test").join(name);
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn demo(tally: &mut Tally) -> Result<()> {
    let exe = std::env::current_exe()?;
    let out = scratch("demo")?;
    tally.check(
        "cargo xtask demo --quick",
        crate::sh::run(&mut crate::sh::command(exe, &["demo", "--quick", "--out", &out.to_string_lossy()])).map(|_| ()),
    );
    Ok(())
}
