//! `cargo xtask test`: every test there is, in steps, most of them two at a time.
//!
//! A step that lacks a tool tries to install it, and is reported as skipped when that fails. Skips
//! fail the command unless `--allow-skips` is given.

mod ahead;
mod godot;
pub mod godot_cases;
mod golden;
mod managed;
mod native;
mod packages;
mod rust;
mod web;

use crate::tools::{self, Tool};
use anyhow::Result;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to test.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Succeed although steps were skipped.
    #[arg(long)]
    allow_skips: bool,
    /// Only format, generated files, lints and the tests of the core: a few minutes.
    #[arg(long)]
    quick: bool,
    /// Also what takes long: Miri.
    #[arg(long, conflicts_with = "quick")]
    thorough: bool,
    /// End a program of a step that runs longer than this. Without it there is no limit.
    #[arg(long, value_name = "MINUTES")]
    timeout: Option<u64>,
    /// Make the builds of all steps, and nothing else: what the command runs in the background.
    #[arg(long, hide = true, conflicts_with_all = ["quick", "thorough", "only"])]
    builds_ahead: bool,
    /// Only steps whose names contain one of these.
    only: Vec<String>,
}

/// One kind of test.
struct Step {
    name: &'static str,
    /// Programs it needs, fetched when missing.
    tools: &'static [Tool],
    /// What `--quick` runs of it, if anything.
    quick: Option<fn(&mut Tally) -> Result<()>>,
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

    /// What another one found, too.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.notes.extend(other.notes);
    }

    /// A result as one test.
    pub fn check(&mut self, name: impl std::fmt::Display, result: Result<()>) {
        match result {
            Ok(()) => self.pass(),
            Err(error) => self.fail(format!("{name}: {error:#}")),
        }
    }
}

/// Steps that run one after the other, before all others: they keep all processors busy, or make
/// what others use.
const FIRST: &[Step] = &[
    Step { name: "format", tools: &[], quick: Some(rust::format), run: rust::format },
    Step { name: "generated files", tools: &[], quick: Some(rust::generated), run: rust::generated },
    Step { name: "lints", tools: &[], quick: Some(rust::quick_lints), run: rust::lints },
    Step { name: "documentation", tools: &[], quick: None, run: rust::documentation },
    Step { name: "Rust tests", tools: &[], quick: Some(rust::core_tests), run: rust::tests },
    Step { name: "exported symbols", tools: &[tools::NM], quick: None, run: native::exports },
];

/// Steps that run beside [`RIGHT`]: most of both keep one processor busy. What shares a folder or
/// the cache of a tool is on the same side.
const LEFT: &[Step] = &[
    Step {
        name: "header in every dialect",
        tools: &[tools::GCC, tools::GXX, tools::CLANG, tools::CLANGXX],
        quick: None,
        run: native::header,
    },
    Step { name: "C tests, gcc", tools: &[tools::GCC], quick: None, run: native::c_gcc },
    Step { name: "C tests, clang", tools: &[tools::CLANG], quick: None, run: native::c_clang },
    Step { name: "C++ tests, g++", tools: &[tools::GXX], quick: None, run: native::cpp_gcc },
    Step { name: "C++ tests, clang++", tools: &[tools::CLANGXX], quick: None, run: native::cpp_clang },
    Step {
        name: "C and C++ tests, sanitizers",
        tools: &[tools::GCC, tools::GXX, tools::NM],
        quick: None,
        run: native::sanitizers,
    },
    Step {
        name: "threads, ThreadSanitizer",
        tools: &[tools::GCC, tools::NM],
        quick: None,
        run: native::thread_sanitizer,
    },
    Step {
        name: "C and C++ tests, valgrind",
        tools: &[tools::GCC, tools::GXX, tools::VALGRIND],
        quick: None,
        run: native::valgrind,
    },
    Step { name: "examples", tools: &[tools::CC, tools::CXX], quick: None, run: native::examples },
    Step { name: "C# tests, Mono", tools: &[tools::MCS, tools::MONO, tools::CC], quick: None, run: managed::tests },
    Step {
        name: "package used by a stranger",
        tools: &[tools::GCC, tools::GXX, tools::CMAKE, tools::MAKE, tools::PKG_CONFIG],
        quick: None,
        run: packages::stranger,
    },
    Step { name: "same bits, native", tools: &[], quick: None, run: golden::native },
    Step { name: "same bits, old x86-64", tools: &[tools::QEMU_X86], quick: None, run: golden::old_x86 },
    Step { name: "same bits, arm64", tools: &[tools::QEMU_ARM, tools::ARM_GCC], quick: None, run: golden::arm64 },
    Step { name: "same bits, wasm32", tools: &[tools::NODE], quick: None, run: golden::wasm },
];

/// See [`LEFT`].
const RIGHT: &[Step] = &[
    Step { name: "fuzz targets, AddressSanitizer", tools: &[tools::CC], quick: None, run: rust::fuzz_targets },
    Step { name: "C# tests, Roslyn and CoreCLR", tools: &[tools::CC], quick: None, run: managed::roslyn },
    Step { name: "dependencies", tools: &[tools::PYTHON], quick: None, run: packages::dependencies },
    Step { name: "packages", tools: &[tools::GCC], quick: None, run: packages::archives },
    Step { name: "manual", tools: &[tools::PYTHON], quick: None, run: web::manual },
    Step { name: "npm package", tools: &[tools::NODE, tools::NPM, tools::CC], quick: None, run: web::npm },
    Step { name: "playground", tools: &[tools::NODE, tools::NPM], quick: None, run: web::playground },
    Step { name: "Godot extension, lints", tools: &[], quick: None, run: godot::crate_checks },
    Step { name: "Godot 4.6, headless", tools: &[], quick: None, run: godot::engine },
    Step {
        name: "demo, same bits in every host",
        tools: &[tools::CC, tools::CXX, tools::MCS, tools::MONO],
        quick: None,
        run: demo,
    },
    Step { name: "lent work, every order", tools: &[], quick: None, run: rust::lending },
    Step { name: "instruction counts", tools: &[tools::VALGRIND], quick: None, run: crate::instructions::check },
];

/// Steps of `--thorough`, or when one is named.
const THOROUGH: &[Step] = &[Step { name: "Miri", tools: &[tools::CC], quick: None, run: rust::miri }];

/// Every step but those of `--thorough`.
fn steps() -> impl Iterator<Item = &'static Step> {
    [FIRST, LEFT, RIGHT].into_iter().flatten()
}

/// A run of steps.
struct Run<'a> {
    arguments: &'a Arguments,
    started: Instant,
    /// How many there are.
    steps: usize,
    /// How many have begun.
    begun: AtomicUsize,
    /// What all have found.
    total: Mutex<Tally>,
}

impl Run<'_> {
    /// Runs steps one after the other.
    fn each(&self, steps: &[&Step]) {
        for step in steps {
            let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
            println!("== step {number} of {}, at {}: {}", self.steps, clock(self.started.elapsed()), step.name);
            let started = Instant::now();
            let mut tally = Tally::default();
            match step.tools.iter().try_for_each(|tool| tool.ensure()) {
                Err(reason) => tally.skip(format!("{}: {reason}", step.name)),
                Ok(()) => {
                    let run = step.quick.filter(|_| self.arguments.quick).unwrap_or(step.run);
                    if let Err(error) = run(&mut tally) {
                        tally.fail(format!("{}: {error:#}", step.name));
                    }
                }
            }
            let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
            for note in &tally.notes {
                println!("{note}");
            }
            let Tally { passed, failed, skipped, .. } = tally;
            let taken = clock(started.elapsed());
            println!("   {}: {passed} passed, {failed} failed, {skipped} skipped in {taken}", step.name);
            total.add(tally);
        }
    }
}

/// Runs the steps; an error when one failed, or was skipped and that is not allowed.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.builds_ahead {
        return ahead::run();
    }
    if let Some(word) =
        arguments.only.iter().find(|word| !steps().chain(THOROUGH).any(|step| step.name.contains(word.as_str())))
    {
        let names: Vec<_> = steps().chain(THOROUGH).map(|step| step.name).collect();
        anyhow::bail!("no step has {word:?} in its name; there are: {}", names.join("; "));
    }
    if let Some(minutes) = arguments.timeout {
        crate::sh::set_limit(Duration::from_secs(60 * minutes.max(1)));
    }
    let long = if arguments.thorough || !arguments.only.is_empty() { THOROUGH } else { &[] };
    let is_chosen = |step: &&Step| {
        (arguments.only.is_empty() || arguments.only.iter().any(|o| step.name.contains(o.as_str())))
            && (!arguments.quick || step.quick.is_some())
    };
    let [first, left, right, last] =
        [FIRST, LEFT, RIGHT, long].map(|row| row.iter().filter(is_chosen).collect::<Vec<&Step>>());
    let run = Run {
        arguments,
        started: Instant::now(),
        steps: first.len() + left.len() + right.len() + last.len(),
        begun: AtomicUsize::new(0),
        total: Mutex::default(),
    };
    let everything = !arguments.quick && arguments.only.is_empty();
    let background = if everything { ahead::start()? } else { None };
    run.each(&first);
    let are_beside = std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
    std::thread::scope(|scope| {
        if are_beside {
            scope.spawn(|| run.each(&left));
        } else {
            run.each(&left);
        }
        run.each(&right);
    });
    run.each(&last);
    if let Some(mut background) = background {
        // Its builds were those of steps that have run.
        background.wait()?;
    }
    println!("== all steps, {}", clock(run.started.elapsed()));
    let total = run.total.into_inner().unwrap_or_else(PoisonError::into_inner);
    for note in &total.notes {
        let line = note.lines().next().unwrap_or_default();
        if line.starts_with("FAILED ") || line.starts_with("SKIP ") {
            println!("{}", line.chars().take(200).collect::<String>());
        }
    }
    if arguments.quick {
        let left_out: Vec<_> = steps().filter(|step| step.quick.is_none()).map(|step| step.name).collect();
        println!("--quick left out: {}", left_out.join("; "));
    }
    println!("{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped);
    if total.failed > 0 || total.passed == 0 || (total.skipped > 0 && !arguments.allow_skips) {
        std::process::exit(1);
    }
    Ok(())
}

/// "3 min 12 s", or "12 s".
fn clock(time: Duration) -> String {
    match (time.as_secs() / 60, time.as_secs() % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
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
    let missing = web::browser();
    let what = if missing.is_some() { "--quick" } else { "--page-only" };
    let play = |name: &str, more: &[&str]| {
        let folder = out.join(name);
        let mut command = crate::sh::command(&exe, &["demo", what, "--all-hosts", "--out"]);
        crate::sh::run(command.arg(folder).args(more)).map(|_| ())
    };
    tally.check("cargo xtask demo", play("", &[]));
    match missing {
        Some(reason) => tally.skip(reason),
        None => web::pages(tally, &out, &play)?,
    }
    Ok(())
}
