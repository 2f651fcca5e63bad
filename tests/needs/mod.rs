//! Tests that need something that a machine may lack: data beside the repository, a compiler.
//!
//! The standard harness knows "passed", "failed" and, at build time, "ignored". Whether a folder is
//! there is only known at run time, so these test programs have a harness of their own that reports
//! a test as ignored then, with what it needs. `cargo xtask test` counts it as skipped. A test that
//! is forgotten in the list is dead code, which the lints refuse.

// Each test program uses its part.
#![allow(dead_code)]

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// A test and its name.
pub type Test = (&'static str, fn());

/// Functions as a list of [`Test`]s.
#[macro_export]
macro_rules! tests {
    ($($test:ident),* $(,)?) => { &[$((stringify!($test), $test as fn())),*] };
}

/// Prints a line of a table of results when `SINEW_TEST_TABLES` is set. This harness captures no
/// output.
#[macro_export]
macro_rules! table_line {
    ($($arguments:tt)*) => {
        if std::env::var_os("SINEW_TEST_TABLES").is_some() {
            eprintln!($($arguments)*);
        }
    };
}

/// What a group of tests needs.
pub struct Needs {
    name: String,
    is_there: bool,
}

/// Nothing.
pub fn nothing() -> Needs {
    Needs { name: String::new(), is_there: true }
}

/// The folders `../shared/data/NAME`.
pub fn data(names: &[&str]) -> Needs {
    let name = names.iter().map(|name| format!("../shared/data/{name}")).collect::<Vec<_>>().join(" and ");
    Needs { name, is_there: names.iter().all(|name| data_folder(name).is_dir()) }
}

/// A compiler on the path.
pub fn program(name: &str) -> Needs {
    let is_there = std::process::Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    Needs { name: name.into(), is_there }
}

/// A folder of data beside the repository.
pub fn data_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name)
}

/// The JSON files of a folder of data, sorted, without the answers (`*.truth.json`). An error where
/// there is none: a test that is run has something to judge.
pub fn data_files(name: &str) -> Vec<PathBuf> {
    let folder = data_folder(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "json") && !p.to_string_lossy().contains(".truth."));
    files.sort();
    assert!(!files.is_empty(), "{} has no files", folder.display());
    files
}

/// Runs groups of tests as the standard harness would, and ends the process.
pub fn run(groups: &[(Needs, &[Test])]) -> ! {
    let trials = groups.iter().flat_map(|(needs, tests)| tests.iter().map(move |test| trial(needs, *test)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit()
}

fn trial(needs: &Needs, (name, test): Test) -> Trial {
    let trial = Trial::test(name, move || {
        test();
        Ok::<(), Failed>(())
    });
    if needs.is_there {
        return trial;
    }
    // The kind is printed before the name.
    trial.with_kind(format!("needs {}", needs.name)).with_ignored_flag(true)
}
