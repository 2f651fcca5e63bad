//! Android, without the NDK: Rust's own linker, and stubs of the system's libraries that name what
//! the library uses of them. Without the NDK's libunwind there is no unwinding, so a panic ends the
//! process. Such a library is inspected, never run; a release takes one that was built with the
//! NDK.

use super::build::{self, Recipe};
use super::sdk::Sdk;
use super::{Job, Reason, inspect};
use crate::{install, paths, sh, tools};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Targets, with Clang's names for them.
pub const TARGETS: [(&str, &str); 3] = [
    ("aarch64-linux-android", "aarch64-linux-android21"),
    ("armv7-linux-androideabi", "armv7a-linux-androideabi21"),
    ("x86_64-linux-android", "x86_64-linux-android21"),
];
/// Names in Android's libraries that the library uses: a library in brackets, then its names.
const SYSTEM_NAMES: &str = include_str!("android_system_names.txt");

/// What Rust's library names of the NDK's libunwind. Without unwinding only the first is called,
/// for the backtrace in a panic's message: it ends at once.
const UNWIND: [&str; 20] = [
    "_Unwind_Backtrace",
    "_Unwind_DeleteException",
    "_Unwind_FindEnclosingFunction",
    "_Unwind_GetCFA",
    "_Unwind_GetDataRelBase",
    "_Unwind_GetIP",
    "_Unwind_GetIPInfo",
    "_Unwind_GetLanguageSpecificData",
    "_Unwind_GetRegionStart",
    "_Unwind_GetTextRelBase",
    "_Unwind_RaiseException",
    "_Unwind_Resume",
    "_Unwind_SetGR",
    "_Unwind_SetIP",
    "_Unwind_VRS_Get",
    "_Unwind_VRS_Set",
    "__aeabi_unwind_cpp_pr0",
    "__aeabi_unwind_cpp_pr1",
    "__aeabi_unwind_cpp_pr2",
    "__gnu_unwind_frame",
];

/// Shared libraries with nothing but names, and a libunwind that does nothing.
fn stubs(clang_target: &str, folder: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let lines = SYSTEM_NAMES.lines().filter(|line| !line.starts_with('#'));
    let mut libraries: Vec<(&str, String)> = Vec::new();
    for line in lines {
        match (line.strip_prefix('[').and_then(|l| l.strip_suffix(']')), libraries.last_mut()) {
            (Some(name), _) => libraries.push((name, String::new())),
            (None, Some((_, source))) => *source += &format!("void {line}(void) {{}}\n"),
            (None, None) => {}
        }
    }
    for (name, text) in libraries {
        let source = folder.join(name).with_extension("c");
        std::fs::write(&source, text)?;
        let soname = format!("-Wl,-soname,{name}.so");
        let arguments = ["-w", "-ffreestanding", "-fno-builtin", "-nostdlib", "-shared", "-fuse-ld=lld", &soname];
        let mut clang = sh::command("clang", &arguments);
        clang.arg(format!("--target={clang_target}")).arg(&source);
        sh::run(clang.arg("-o").arg(folder.join(name).with_extension("so")))?;
    }
    let (source, object) = (folder.join("unwind.c"), folder.join("unwind.o"));
    const END_OF_STACK: u32 = 5;
    let define = |name: &str| format!("unsigned long {name}(void) {{ return {END_OF_STACK}; }}\n");
    std::fs::write(&source, UNWIND.map(define).concat())?;
    let mut clang = sh::command("clang", &["-fPIC", "-O1", "-c"]);
    sh::run(clang.arg(format!("--target={clang_target}")).arg(&source).arg("-o").arg(&object))?;
    sh::run(sh::command("llvm-ar", &["rcs"]).arg(folder.join("libunwind.a")).arg(&object))?;
    Ok(folder.to_path_buf())
}

fn recipe_with(triple: &str, stubs: &Path) -> Recipe {
    let linker = format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase().replace('-', "_"));
    let link =
        ["-L", &stubs.display().to_string(), "-z", "defs", "-z", "max-page-size=16384", "-soname", "libsinew.so"]
            .map(|argument| format!("-Clink-arg={argument}"));
    let flags = ["-Cpanic=abort", "-Clinker-flavor=ld.lld"].map(str::to_string);
    let arguments = ["--crate-type", "cdylib", "-Zbuild-std=std,panic_abort", "-Zbuild-std-features="];
    Recipe {
        triple: triple.into(),
        env: vec![(linker, "rust-lld".into()), ("RUSTC_BOOTSTRAP".into(), "1".into())],
        flags: flags.into_iter().chain(link).collect(),
        arguments: arguments.map(str::to_string).to_vec(),
        shared: Some("libsinew.so"),
        ..Recipe::default()
    }
}

/// How a target is built, with its stubs; a reason where a tool is missing.
pub fn recipe(triple: &str, clang_target: &str) -> Result<Result<Recipe, Reason>> {
    if let Err(reason) = tools::rust_source()
        .and_then(|()| tools::CLANG.ensure())
        .and_then(|()| tools::LLD.ensure())
        .and_then(|()| inspect::LLVM.ensure())
    {
        return Ok(Err(reason));
    }
    let stubs = stubs(clang_target, &build::folder()?.join("android-stubs").join(triple))?;
    Ok(Ok(recipe_with(triple, &stubs)))
}

/// The archive of one target.
pub fn package(job: &mut Job, triple: &str, clang_target: &str) -> Result<Result<(), Reason>> {
    let recipe = match recipe(triple, clang_target)? {
        Ok(recipe) => recipe,
        Err(reason) => return Ok(Err(reason)),
    };
    let built = recipe.build(&paths::root(), &build::folder()?)?;
    let shared = built.shared.as_ref().context("no shared library")?;
    let mut sdk = Sdk::new(job, triple, triple)?;
    sdk.checks.extend(inspect::any(shared)?);
    sdk.checks.extend(inspect::elf(shared, "libsinew.so", None)?);
    sdk.checks.push(inspect::page_size(shared)?);
    let names = SYSTEM_NAMES.lines().filter(|line| !line.starts_with(['#', '['])).count();
    ensure!(names > 0, "no names of Android's libraries");
    sdk.checks.push(format!("uses no more than {names} listed names of Android's libraries"));
    sdk.checks.push("a panic ends the process: built without unwinding".into());
    sh::copy(shared, &sdk.tree.join("lib/libsinew.so"))?;
    install::headers(&sdk.tree)?;
    sdk.finish(job, None, &[])?;
    Ok(Ok(()))
}
