//! Development commands of Sinew: `cargo xtask <command>`.

mod isolated_build;
mod bench;
mod bench_table;
mod body;
mod c_abi;
mod codegen;
mod demo;
mod docs;
mod fuzz;
mod fuzz_program;
mod gallery;
mod godot;
mod ground;
mod install;
mod instructions;
mod motion;
mod oracle;
mod package;
mod paths;
mod picture;
mod replay;
mod rigs;
mod sh;
mod soak;
mod tools;
mod test;
mod trackers;
mod web;
mod worst;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    about = "Development commands of Sinew",
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play the tutorial scene in C, C++ and C#, compare the poses bit for bit, and write a page
    /// and pictures.
    Demo(demo::Arguments),
    /// Write a page with an animation of each solver, goal and joint limit.
    Gallery(gallery::Arguments),
    /// Write the C header, the C# P/Invoke layer, the TypeScript and the Unity metas from the
    /// sources.
    Codegen {
        /// Write nothing; fail when a file is not up to date.
        #[arg(long)]
        check: bool,
    },
    /// Build the library and install headers, libraries, pkg-config and CMake files.
    Install {
        /// Target folder; include/ and lib/ are created in it.
        #[arg(long)]
        prefix: PathBuf,
        /// An optimised build (the default).
        #[arg(long, conflicts_with = "debug")]
        release: bool,
        /// A build with assertions and debug information.
        #[arg(long)]
        debug: bool,
    },
    /// Write the archives that users download.
    Package {
        /// Output folder: an empty or new one, or one that an earlier run filled. Archives of an
        /// earlier run are replaced, other files stay.
        #[arg(long, default_value = "dist")]
        out: PathBuf,
        #[command(flatten)]
        what: package::What,
    },
    /// Print the version, or write a new one into every manifest.
    Version {
        /// The new one, for example 0.2.0.
        new: Option<String>,
    },
    /// Build the manual as a web site (docs/SUMMARY.md lists its pages); dead links are errors.
    Docs(docs::Arguments),
    /// Build the page on which a character is dragged in the browser, and serve it on this machine.
    Playground(web::playground::Arguments),
    /// Run a recording and compare the bits (docs/recording.md).
    ///
    /// Options after FILE: --frames prints the hash and the time of each frame; --page OUT.html
    /// writes a page on which the frames are played; --reduce FRAME OUT writes the shortest
    /// recording that still gives the bits of this frame.
    Replay {
        /// The recording, and options of `sinew-replay`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        arguments: Vec<String>,
    },
    /// Run all tests; missing tools are installed where that is possible.
    Test(test::Arguments),
    /// Run the benchmarks.
    Bench {
        /// Only those whose names contain this.
        filter: Option<String>,
        /// Write `{"NAME": {"ns": x, "instructions": n}}` to this file; instructions only where
        /// valgrind is installed.
        #[arg(long)]
        json: Option<PathBuf>,
        /// Compare the Godot nodes with the engine's own, in one run of the engine (docs/godot.md).
        #[arg(long, conflicts_with_all = ["instructions", "table"])]
        godot: bool,
        /// Only count instructions under callgrind (docs/speed.md).
        #[arg(long)]
        instructions: bool,
        /// Only the rows and scenes that are timed by the thread's clock, written to
        /// docs/bench/MACHINE.md.
        #[arg(long, conflicts_with = "instructions")]
        table: bool,
        /// Only 100,000 random solves of chains and trees on the build that is shipped: median,
        /// 99 % and most of each kind, written to docs/bench/solves.md.
        #[arg(long, conflicts_with_all = ["instructions", "table", "godot", "json"])]
        histogram: bool,
        /// Write the counts to the committed table.
        #[arg(long, requires = "instructions")]
        save: bool,
    },
    /// Score the chain solvers against reference poses that another program computed
    /// (docs/oracle.md).
    Oracle(oracle::Arguments),
    /// Play walks over stairs, slopes and rocks through the C ABI and judge the feet
    /// (docs/grounding.md).
    Ground(ground::Arguments),
    /// Run the whole-body solver on cases with limits, conflicts and sequences, and judge the poses
    /// (docs/body.md).
    Body(body::Arguments),
    /// Play people's motion and everyday reaches through the C ABI, and judge limbs from outside
    /// (docs/animator.md).
    Motion(motion::Arguments),
    /// Build whole bodies from trackers of clips through the C ABI, and judge them from outside.
    Trackers(trackers::Arguments),
    /// Train the tables of tracked bodies on clips, and write them into the sources.
    Train(trackers::train::Arguments),
    /// Map rigs of real characters, play the tutorial scene on each through the C ABI, and judge
    /// the poses from outside.
    Rigs(rigs::Arguments),
    /// Run the fuzz targets under libFuzzer and AddressSanitizer (docs/fuzzing.md).
    Fuzz(fuzz::Arguments),
    /// Solve, join, leave, create and destroy on many threads for an hour, and watch memory and
    /// times.
    Soak(soak::Arguments),
    /// Count the instructions of every call of the C ABI, set-up included (docs/bench/worst.md).
    Worst,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Gallery(arguments) => gallery::run(&arguments),
        Command::Codegen { check } => codegen::run(check),
        Command::Install { prefix, debug, .. } => install::run(&prefix, debug),
        Command::Package { out, what } => package::run(&paths::root().join(out), &what).map(|_| ()),
        Command::Version { new } => package::version::run(new.as_deref()),
        Command::Docs(arguments) => docs::run(&arguments),
        Command::Replay { arguments } => replay::run(&arguments),
        Command::Playground(arguments) => web::playground::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Bench { filter, json, godot: true, .. } => bench::godot(filter.as_deref(), json.as_deref()),
        Command::Bench { filter, histogram: true, .. } => bench::histogram(filter.as_deref()),
        Command::Bench { filter, json, instructions, save, table, .. } => {
            let what = match (instructions, table) {
                (true, _) => bench::What::Instructions { save },
                (_, true) => bench::What::Table,
                _ => bench::What::All,
            };
            bench::run(filter.as_deref(), json.as_deref(), what)
        }
        Command::Oracle(arguments) => oracle::run(&arguments),
        Command::Ground(arguments) => ground::run(&arguments),
        Command::Body(arguments) => body::run(&arguments),
        Command::Motion(arguments) => motion::run(&arguments),
        Command::Trackers(arguments) => trackers::run(&arguments),
        Command::Train(arguments) => trackers::train::run(&arguments),
        Command::Rigs(arguments) => rigs::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Worst => worst::run(),
        Command::Soak(arguments) => soak::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
