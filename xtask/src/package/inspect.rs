//! What tools find in a library, without running it.

use super::build::has_no_paths;
use crate::tools::Tool;
use crate::{paths, sh, tools};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::collections::BTreeSet;
use std::path::Path;

/// Reads libraries of every platform.
pub const LLVM: Tool = tools::LLVM_READELF;

/// The functions that the header declares.
pub fn declared() -> Result<BTreeSet<String>> {
    let header = std::fs::read_to_string(paths::root().join("include/sinew/sinew.h"))?;
    let parts = header.split("SINEW_API SinewResult ").skip(1);
    let names: BTreeSet<String> = parts.map(|d| d.split('(').next().unwrap_or_default().to_string()).collect();
    ensure!(!names.is_empty(), "the header declares nothing");
    Ok(names)
}

fn output(program: &str, arguments: &[&str], file: &Path) -> Result<String> {
    LLVM.ensure().map_err(|missing| anyhow!(missing))?;
    let mut command = sh::command(program, arguments);
    // Static libraries have members that an older LLVM cannot read: the compiler's own.
    let is_static = file.extension().is_some_and(|extension| extension == "a");
    let output = if is_static { sh::capture(command.arg(file))? } else { sh::run(command.arg(file))? };
    Ok(output.stdout)
}

/// Names of the functions that a library offers, without the underscore of Apple's.
fn offered(file: &Path) -> Result<BTreeSet<String>> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name.ends_with(".dll") {
        let text = output("llvm-readobj", &["--coff-exports"], file)?;
        return Ok(text.lines().filter_map(|line| line.trim().strip_prefix("Name: ")).map(str::to_string).collect());
    }
    let arguments: &[&str] = match name.ends_with(".so") {
        true => &["--dynamic", "--defined-only", "--format=posix"],
        false => &["--extern-only", "--defined-only", "--format=posix", "--no-weak"],
    };
    let text = output("llvm-nm", arguments, file)?;
    let symbols = text.lines().filter_map(|line| line.split_once(" T ").map(|(name, _)| name));
    let is_own = |s: &&str| s.starts_with("sinew_") || s.starts_with("gdext_");
    Ok(symbols.map(|s| s.strip_prefix('_').filter(is_own).unwrap_or(s).to_string()).collect())
}

/// Whether an extension of Godot offers its entry point, and no other function.
pub fn entry_point(file: &Path) -> Result<String> {
    const ENTRY: &str = "gdext_rust_init";
    // On Linux the godot crate has one of its own, so that a library with thread-local values can
    // be unloaded and loaded again.
    const RELOAD: &str = "__cxa_thread_atexit_impl";
    let found = offered(file)?;
    ensure!(found.contains(ENTRY), "{} lacks {ENTRY}", file.display());
    let extra: Vec<_> = found.iter().filter(|name| ![ENTRY, RELOAD].contains(&name.as_str())).take(5).collect();
    ensure!(extra.is_empty(), "{} exports {extra:?} …", file.display());
    Ok(format!("exports {ENTRY}, and no other of its own"))
}

/// The functions that a library offers, compared with the header: all of them, and in a shared one
/// no others.
pub fn exports(file: &Path) -> Result<String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_static = name.ends_with(".a");
    let found = offered(file)?;
    let declared = declared()?;
    let missing: Vec<_> = declared.difference(&found).take(5).collect();
    ensure!(missing.is_empty(), "{} lacks {missing:?} …", file.display());
    let extra: Vec<_> = found.difference(&declared).filter(|_| !is_static).take(5).collect();
    ensure!(extra.is_empty(), "{} exports {extra:?} …, which the header does not declare", file.display());
    let and_no_other = if is_static { "" } else { ", and no other" };
    Ok(format!("exports the {} functions of the header{and_no_other}", declared.len()))
}

/// What an ELF library needs from the system: by plain names, without libgcc, and of glibc at most
/// version `most`.
pub fn elf(file: &Path, soname: &str, most: Option<(u32, u32)>) -> Result<Vec<String>> {
    let text = output("llvm-readelf", &["--dynamic", "--version-info"], file)?;
    let entry = |kind: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains(kind));
        lines.filter_map(|line| Some(line.split_once('[')?.1.trim_end_matches(']').to_string())).collect()
    };
    ensure!(entry("(SONAME)") == [soname], "{}: soname {:?}", file.display(), entry("(SONAME)"));
    let needed = entry("(NEEDED)");
    ensure!(!needed.is_empty() && needed.iter().all(|n| !n.contains('/')), "{} needs {needed:?}", file.display());
    ensure!(entry("(RPATH)").is_empty() && entry("(RUNPATH)").is_empty(), "{} has a search path", file.display());
    let mut checks = vec![format!("soname {soname}, needs {}", needed.join(" "))];
    let versions = text.split("GLIBC_").skip(1).filter_map(|rest| {
        let mut numbers = rest.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse::<u32>().unwrap_or(0));
        Some((numbers.next()?, numbers.next()?))
    });
    if let Some(highest) = versions.max() {
        checks.push(format!("needs glibc {}.{}", highest.0, highest.1));
        if let Some(most) = most {
            ensure!(highest <= most, "{} needs glibc {highest:?}, more than {most:?}", file.display());
            ensure!(!needed.iter().any(|n| n.starts_with("libgcc")), "{} needs libgcc", file.display());
        }
    }
    Ok(checks)
}

/// Alignment of an ELF library's segments: 16 KB pages, as Android 15 has them.
pub fn page_size(file: &Path) -> Result<String> {
    let text = output("llvm-readelf", &["--program-headers", "--wide"], file)?;
    let mut count = 0;
    for line in text.lines().filter(|line| line.trim_start().starts_with("LOAD")) {
        let last = line.split_whitespace().last().context("a segment without alignment")?;
        let alignment = u64::from_str_radix(last.trim_start_matches("0x"), 16)?;
        ensure!(alignment % 0x4000 == 0, "{}: a segment is aligned to {alignment} bytes", file.display());
        count += 1;
    }
    ensure!(count > 0, "{} has no segments", file.display());
    Ok("segments are aligned to 16 KB".into())
}

/// The DLLs that a Windows library loads: the system's only.
pub fn dlls(file: &Path) -> Result<String> {
    const SYSTEM: [&str; 8] =
        ["kernel32", "ntdll", "msvcrt", "userenv", "ws2_32", "bcryptprimitives", "advapi32", "dbghelp"];
    let text = output("llvm-objdump", &["--private-headers"], file)?;
    let names: Vec<String> =
        text.lines().filter_map(|l| l.trim().strip_prefix("DLL Name: ")).map(str::to_lowercase).collect();
    for name in &names {
        let plain = name.trim_end_matches(".dll");
        if !SYSTEM.contains(&plain) && !plain.starts_with("api-ms-win-") {
            bail!("{} loads {name}", file.display());
        }
    }
    ensure!(!names.is_empty(), "{} loads nothing", file.display());
    Ok(format!("loads system libraries only: {}", names.join(" ")))
}

/// Checks that hold for every library.
pub fn any(file: &Path) -> Result<Vec<String>> {
    Ok(vec![exports(file)?, has_no_paths(file)?])
}
