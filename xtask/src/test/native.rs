//! The library from C and C++.

use super::{Tally, scratch};
use crate::{install, paths, sh};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The install tree that the tests below use, made once.
pub fn installed() -> Result<PathBuf> {
    static TREE: Mutex<Option<PathBuf>> = Mutex::new(None);
    // Held while it is made: another step waits.
    let mut made = TREE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tree) = &*made {
        return Ok(tree.clone());
    }
    let tree = scratch("install")?;
    let target = install::Target::host()?;
    install::lay_down(&tree, &target, &install::build(&target, false)?)?;
    Ok(made.insert(tree).clone())
}

/// The shared library exports what the header declares and nothing else; the static one has all of
/// it too.
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

/// The header alone, included twice, in every supported C and C++ standard.
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

/// C tests.
pub fn c_gcc(tally: &mut Tally) -> Result<()> {
    c(tally, "gcc", "plain")
}

/// C tests.
pub fn c_clang(tally: &mut Tally) -> Result<()> {
    c(tally, "clang", "plain")
}

/// Where the step below has left its programs, which valgrind runs, too.
static CPP_PROGRAMS: Mutex<Option<PathBuf>> = Mutex::new(None);

/// C++ tests.
pub fn cpp_gcc(tally: &mut Tally) -> Result<()> {
    let out = scratch("cpp-gcc")?;
    cpp(tally, "g++", &out, &[])?;
    *CPP_PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner) = Some(out);
    Ok(())
}

/// C++ tests.
pub fn cpp_clang(tally: &mut Tally) -> Result<()> {
    cpp(tally, "clang++", &scratch("cpp-clang")?, &[])
}

/// Both with gcc's address and undefined-behaviour sanitizers: leaks, wrong frees, and wrong use of
/// what we return. The C programs are linked with the static library. C++17 only: what is checked
/// here does not depend on the standard.
pub fn sanitizers(tally: &mut Tally) -> Result<()> {
    c(tally, "gcc", "asan")?;
    let out = scratch("cpp-asan")?;
    let compiler = out.join("g++-asan");
    // Programs are instrumented; objects alone are not, since the script weighs one of them.
    let text = "#!/bin/sh\ncase \" $* \" in *\" -c \"*) exec g++ \"$@\" ;; esac\n\
                exec g++ -fsanitize=address,undefined -fno-sanitize-recover=all \"$@\"\n";
    std::fs::write(&compiler, text)?;
    sh::run(sh::command("chmod", &["+x"]).arg(&compiler))?;
    cpp(tally, &compiler.to_string_lossy(), &out, &["17"])?;
    let program = out.join("raii-17");
    if program.is_file() && !sh::run(sh::command("nm", &[]).arg(&program))?.stdout.contains("__asan_init") {
        tally.fail("the sanitizer is not linked into the C++ tests");
    }
    Ok(())
}

/// The C tests with threads under ThreadSanitizer, where there is a nightly toolchain.
pub fn thread_sanitizer(tally: &mut Tally) -> Result<()> {
    let out = scratch("c-tsan")?;
    script(tally, "ThreadSanitizer", "tests/c/tsan.sh", &[&out.to_string_lossy()])
}

/// Both under valgrind, which also sees inside the Rust code.
pub fn valgrind(tally: &mut Tally) -> Result<()> {
    c(tally, "gcc", "valgrind")?;
    let made = CPP_PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let out = match made {
        Some(out) => out,
        None => {
            let out = scratch("cpp-valgrind")?;
            cpp(&mut Tally::default(), "g++", &out, &["17"])?;
            out
        }
    };
    for name in ["raii-17", "no-exceptions-17"] {
        if !out.join(name).is_file() {
            tally.skip(format!("tests/cpp/run.sh left no {name}"));
            continue;
        }
        let arguments =
            ["--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"];
        let output = sh::capture(sh::command("valgrind", &arguments).arg(out.join(name)))?;
        report(tally, &format!("valgrind {name}"), &output);
    }
    Ok(())
}

/// `tests/c/run.sh` knows how its programs are built.
fn c(tally: &mut Tally, compiler: &str, mode: &str) -> Result<()> {
    let name = format!("c {compiler} {mode}");
    let out = scratch(&name.replace(' ', "-"))?;
    script(
        tally,
        &name,
        "tests/c/run.sh",
        &[&installed()?.join("lib").to_string_lossy(), &out.to_string_lossy(), compiler, mode],
    )
}

/// `tests/cpp/run.sh`, in all its standards or in those that are named.
fn cpp(tally: &mut Tally, compiler: &str, out: &Path, standards: &[&str]) -> Result<()> {
    let lib = installed()?.join("lib");
    let (lib, out) = (lib.to_string_lossy(), out.to_string_lossy());
    let arguments: Vec<&str> = [&*lib, &*out, compiler].into_iter().chain(standards.iter().copied()).collect();
    script(tally, "c++", "tests/cpp/run.sh", &arguments)
}

/// The example programs that need no input: exit code 0. Parts of pages are compiled only.
pub fn examples(tally: &mut Tally) -> Result<()> {
    let out = scratch("examples")?;
    let tree = installed()?;
    for name in ["c", "tail", "hello", "batch", "stairs", "rifle"] {
        let folder = format!("examples/{name}");
        let Ok(entries) = std::fs::read_dir(paths::root().join(&folder)) else { continue };
        let mut sources: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        sources.sort();
        for source in sources {
            let (compiler, standard) = match source.extension().and_then(|e| e.to_str()) {
                Some("c") => ("cc", "-std=c99"),
                Some("cpp") => ("c++", "-std=c++17"),
                _ => continue,
            };
            let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let program = out.join(name.replace('.', "-"));
            let lib = tree.join("lib");
            let mut build = sh::command(compiler, &STRICT);
            build.arg(standard).arg("-I").arg(tree.join("include")).arg("-I").arg(tree.join("include/sinew"));
            if !std::fs::read_to_string(&source)?.contains("main(") {
                // A part of a page, not a program.
                tally.check(format!("{folder}/{name}"), sh::run(build.arg("-fsyntax-only").arg(&source)).map(|_| ()));
                continue;
            }
            build.arg(&source).arg("-o").arg(&program).arg("-L").arg(&lib);
            build.args(["-lsinew", "-lm", &format!("-Wl,-rpath,{}", lib.display())]);
            let result = sh::run(&mut build).and_then(|_| sh::run(&mut sh::command(&program, &[])));
            tally.check(format!("{folder}/{name}"), result.map(|_| ()));
        }
    }
    Ok(())
}

/// Runs a test script and counts what it prints.
pub fn script(tally: &mut Tally, name: &str, script: &str, arguments: &[&str]) -> Result<()> {
    if !paths::root().join(script).is_file() {
        tally.skip(format!("there is no {script}"));
        return Ok(());
    }
    let output = sh::capture(sh::command("sh", &[script]).args(arguments))?;
    report(tally, name, &output);
    Ok(())
}

/// Counts "ok …", "not ok …" and "skip …" lines; the exit code decides.
pub fn report(tally: &mut Tally, name: &str, output: &sh::Output) {
    // What cannot be seen under a sanitizer or valgrind is seen without: no gap in what was tested.
    let seen_elsewhere = name.contains("asan") || name.contains("valgrind");
    let (mut passed, mut failed) = (0, 0);
    let mut program = "";
    let mut failed_before = 0;
    for line in output.stdout.lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            program = heading;
            failed_before = failed;
        } else if let Some(what) = line.strip_prefix("not ok ") {
            if what.ends_with(" ended with 1") && failed > failed_before {
                continue;
            }
            failed += 1;
            tally.fail(format!("{name}: {what} [{program}]"));
        } else if line.starts_with("ok ") {
            passed += 1;
        } else if let Some(why) = line.strip_prefix("skip ") {
            if seen_elsewhere {
                tally.notes.push(format!("not under {name}: {why}"));
            } else {
                tally.skip(format!("{name}: {why}"));
            }
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
