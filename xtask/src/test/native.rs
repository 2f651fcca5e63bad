//! The library from C and C++.

use super::{Tally, files, scratch};
use crate::{install, paths, sh};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The install tree that the tests below use, made once.
pub fn installed() -> Result<PathBuf> {
    static TREE: OnceLock<PathBuf> = OnceLock::new();
    if let Some(tree) = TREE.get() {
        return Ok(tree.clone());
    }
    let tree = scratch("install")?;
    let target = install::Target::host()?;
    install::lay_down(&tree, &target, &install::build(&target, false)?)?;
    Ok(TREE.get_or_init(|| tree).clone())
}

/// The shared library exports what the header declares and nothing else; the static one has all of it too.
pub fn exports(tally: &mut Tally) -> Result<()> {
    let lib = installed()?.join("lib");
    let header = std::fs::read_to_string(paths::root().join("include/sinew/sinew.h"))?;
    let mut declared: Vec<String> = header
        .split("SINEW_API SinewResult ")
        .skip(1)
        .map(|d| d.split('(').next().unwrap_or_default().to_string())
        .collect();
    declared.sort();
    let symbols = |arguments: &[&str], file: &str| -> Result<Vec<String>> {
        let output = sh::run(sh::command("nm", arguments).arg(lib.join(file)))?;
        let mut names: Vec<String> =
            output.stdout.lines().filter_map(|l| l.split_once(" T ")).map(|(_, name)| name.to_string()).collect();
        names.sort();
        Ok(names)
    };
    let shared = symbols(&["-D", "--defined-only"], "libsinew.so")?;
    tally.check("libsinew.so exports the header's functions and no other", same(&declared, &shared));
    let fixed: Vec<String> =
        symbols(&["--defined-only"], "libsinew.a")?.into_iter().filter(|n| n.starts_with("sinew_")).collect();
    tally.check("libsinew.a has the header's functions", same(&declared, &fixed));
    Ok(())
}

fn same(declared: &[String], found: &[String]) -> Result<()> {
    let extra: Vec<_> = found.iter().filter(|n| !declared.contains(n)).collect();
    let missing: Vec<_> = declared.iter().filter(|n| !found.contains(n)).collect();
    if declared.is_empty() || !extra.is_empty() || !missing.is_empty() {
        bail!("extra {extra:?}, missing {missing:?}");
    }
    Ok(())
}

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// The header alone, included twice, in every C and C++ it promises to be good in.
pub fn header(tally: &mut Tally) -> Result<()> {
    let folder = scratch("header")?;
    let text = "#include <sinew/sinew.h>\n#include <sinew/sinew.h>\n\
                int main(void) { SinewResult result = SINEW_ERROR_BUSY; return result == SINEW_OK; }\n";
    let include = paths::root().join("include");
    for (extension, compilers, standards) in [
        ("c", ["gcc", "clang"], ["c99", "c11", "c17", "c2x"]),
        ("cpp", ["g++", "clang++"], ["c++11", "c++14", "c++17", "c++20"]),
    ] {
        let source = folder.join("header").with_extension(extension);
        std::fs::write(&source, text)?;
        for compiler in compilers {
            for standard in standards {
                let mut command = sh::command(compiler, &STRICT);
                command.arg(format!("-std={standard}")).arg("-I").arg(&include).arg("-fsyntax-only").arg(&source);
                tally.check(format!("{compiler} {standard}"), sh::run(&mut command).map(|_| ()));
            }
        }
    }
    Ok(())
}

/// How a test program is made and started.
struct Way {
    name: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
    fixed: bool,
    /// What is put before the program.
    before: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
}

const PLAIN: Way = Way { name: "", compiler: "", flags: &["-O1", "-g"], fixed: false, before: &[], env: &[] };

const C: (&str, &str, &str) = ("tests/c", "c", "-std=c99");
const CPP: (&str, &str, &str) = ("tests/cpp", "cpp", "-std=c++17");

/// C tests.
pub fn c_gcc(tally: &mut Tally) -> Result<()> {
    programs(tally, C, &Way { name: "c-gcc", compiler: "gcc", ..PLAIN })
}

/// C tests.
pub fn c_clang(tally: &mut Tally) -> Result<()> {
    programs(tally, C, &Way { name: "c-clang", compiler: "clang", fixed: true, ..PLAIN })
}

/// C++ tests.
pub fn cpp_gcc(tally: &mut Tally) -> Result<()> {
    programs(tally, CPP, &Way { name: "cpp-gcc", compiler: "g++", ..PLAIN })
}

/// C++ tests.
pub fn cpp_clang(tally: &mut Tally) -> Result<()> {
    programs(tally, CPP, &Way { name: "cpp-clang", compiler: "clang++", fixed: true, ..PLAIN })
}

/// Both, with gcc's address and undefined-behaviour sanitizers: leaks, wrong frees, and wrong use of what we return.
pub fn sanitizers(tally: &mut Tally) -> Result<()> {
    const FLAGS: &[&str] = &["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    const ENV: &[(&str, &str)] = &[("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0")];
    let way = Way { name: "c-asan", compiler: "gcc", flags: FLAGS, fixed: true, before: &[], env: ENV };
    programs(tally, C, &way)?;
    programs(tally, CPP, &Way { name: "cpp-asan", compiler: "g++", ..way })
}

/// Both under valgrind, which also sees inside the Rust code.
pub fn valgrind(tally: &mut Tally) -> Result<()> {
    const BEFORE: &[&str] = &[
        "valgrind",
        "--quiet",
        "--error-exitcode=99",
        "--leak-check=full",
        "--errors-for-leak-kinds=definite",
        "--fair-sched=yes",
    ];
    let way = Way { name: "c-valgrind", compiler: "gcc", before: BEFORE, env: &[("SINEW_TEST_SLOW", "1")], ..PLAIN };
    programs(tally, C, &way)?;
    programs(tally, CPP, &Way { name: "cpp-valgrind", compiler: "g++", ..way })
}

fn programs(tally: &mut Tally, (folder, extension, standard): (&str, &str, &str), way: &Way) -> Result<()> {
    let sources = files(folder, extension);
    if sources.is_empty() {
        tally.skip(format!("{folder} has no tests"));
        return Ok(());
    }
    let tree = installed()?;
    let out = scratch(way.name)?;
    for source in sources {
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let program = out.join(&name);
        if let Err(error) = compile(&source, &program, standard, way, &tree) {
            tally.fail(format!("{}/{name}: {error:#}", way.name));
            continue;
        }
        let mut line: Vec<String> = way.before.iter().map(|s| s.to_string()).collect();
        line.push(program.display().to_string());
        let arguments: Vec<&str> = line[1..].iter().map(String::as_str).collect();
        let mut command = sh::command(&line[0], &arguments);
        command.envs(way.env.iter().copied());
        let output = sh::capture(&mut command)?;
        report(tally, &format!("{}/{name}", way.name), &output);
    }
    Ok(())
}

/// Counts "ok …" and "not ok …" lines; the exit code has the last word.
pub fn report(tally: &mut Tally, name: &str, output: &sh::Output) {
    let (mut passed, mut failed) = (0, 0);
    for line in output.stdout.lines() {
        if line.starts_with("not ok ") {
            failed += 1;
            tally.fail(format!("{name}: {line}"));
        } else if line.starts_with("ok ") {
            passed += 1;
        } else if let Some(why) = line.strip_prefix("skip ") {
            tally.skip(format!("{name}: {why}"));
        }
    }
    tally.passed += passed;
    if !output.ok() {
        if failed == 0 {
            tally.fail(format!("{name} ended with {}", output.code.map_or("a signal".into(), |c| c.to_string())));
        }
        tally.notes.push(sh::tail(&output.text, 40));
    } else if passed == 0 && failed == 0 {
        tally.pass();
    }
}

fn compile(source: &Path, program: &Path, standard: &str, way: &Way, tree: &Path) -> Result<()> {
    let lib = tree.join("lib");
    let mut command = sh::command(way.compiler, &STRICT);
    command.args([standard, "-ffp-contract=off"]).args(way.flags);
    command.arg("-I").arg(tree.join("include")).arg("-I").arg(source.parent().unwrap_or(tree));
    command.arg(source).arg("-o").arg(program);
    if way.fixed {
        command.arg(lib.join("libsinew.a"));
    } else {
        command.arg("-L").arg(&lib).args(["-lsinew", &format!("-Wl,-rpath,{}", lib.display())]);
    }
    sh::run(command.args(["-lpthread", "-ldl", "-lm"]))?;
    if way.flags.iter().any(|f| f.starts_with("-fsanitize=address")) {
        // A sanitizer that is silently not there would find nothing.
        let symbols = sh::run(sh::command("nm", &[]).arg(program))?;
        symbols.stdout.contains("__asan_init").then_some(()).context("the sanitizer is not linked")?;
    }
    Ok(())
}
