//! macOS and iOS.
//!
//! On a Mac with Apple's tools. Elsewhere with Rust's own linker against a stub of the SDK that
//! names what the library needs of the system: such a library is looked at, never run.

use super::build::{self, Built, Recipe};
use super::macho::{self, ARM64, X86_64};
use super::sdk::Sdk;
use super::{Job, Reason, inspect};
use crate::install::{self, Target};
use crate::{paths, sh, tools};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// The library for both processors of the Mac.
pub const MACOS: &str = "universal-apple-darwin";
/// The static library of the device.
pub const IOS: &str = "aarch64-apple-ios";

const INSTALL_NAME: &str = "@rpath/libsinew.dylib";
/// Processor, target, oldest macOS.
const MACS: [(macho::Processor, &str, &str); 2] =
    [(X86_64, "x86_64-apple-darwin", "10.13"), (ARM64, "aarch64-apple-darwin", "11.0")];
/// Names in macOS's libSystem that the library uses, as the linker lists them.
const SYSTEM_NAMES: &str = include_str!("apple_system_names.txt");

/// Files that look like the SDK's to the linker.
fn stub_sdk(folder: &Path) -> Result<PathBuf> {
    let names: Vec<String> =
        SYSTEM_NAMES.lines().filter(|line| !line.starts_with('#')).map(|name| format!("'{name}'")).collect();
    let text = format!(
        "--- !tapi-tbd\ntbd-version:     4\ntargets:         [ x86_64-macos, arm64-macos ]\n\
         install-name:    '/usr/lib/libSystem.B.dylib'\nexports:\n  - targets:     [ x86_64-macos, arm64-macos ]\n    \
         symbols:     [ {} ]\n...\n",
        names.join(", ")
    );
    for library in ["libSystem", "libc", "libm", "libiconv"] {
        super::write(&folder.join("usr/lib").join(library).with_extension("tbd"), &text)?;
    }
    Ok(folder.to_path_buf())
}

/// How one processor's library for macOS is built.
fn recipe(triple: &str, oldest: &str) -> Result<Recipe> {
    let mut recipe = Target { triple: triple.into(), binutils: "" }.recipe();
    recipe.env.push(("MACOSX_DEPLOYMENT_TARGET".into(), oldest.into()));
    if !cfg!(target_os = "macos") {
        let sdk = stub_sdk(&build::folder()?.join("stub-sdk"))?;
        recipe.env.push(("SDKROOT".into(), sdk.display().to_string()));
        let linker = format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase().replace('-', "_"));
        recipe.env.push((linker, "rust-lld".into()));
        let arguments = ["-install_name", INSTALL_NAME].map(|argument| format!("-Clink-arg={argument}"));
        recipe.flags = ["-Clinker-flavor=ld64.lld".to_string()].into_iter().chain(arguments).collect();
    }
    Ok(recipe)
}

/// The archive for macOS.
pub fn macos(job: &mut Job) -> Result<Result<(), Reason>> {
    for (_, triple, _) in MACS {
        if let Err(reason) = tools::rust_target(triple) {
            return Ok(Err(reason));
        }
    }
    let mut built = Vec::new();
    for (processor, triple, oldest) in MACS {
        built.push((processor, triple, oldest, recipe(triple, oldest)?.build(&paths::root(), &build::folder()?)?));
    }
    let mut sdk = Sdk::new(job, MACOS, MACS[1].1)?;
    for (_, triple, oldest, built) in &built {
        let shared = built.shared.as_ref().context("no shared library")?;
        sdk.checks.extend(inspect::any(shared)?.into_iter().map(|check| format!("{triple}: {check}")));
        sdk.checks.extend(looked_at(shared, oldest)?.into_iter().map(|check| format!("{triple}: {check}")));
        let signature = macho::signature(shared)?;
        ensure!(signature.is_some() || *triple == MACS[0].1, "{triple}: no signature");
        sdk.checks.extend(signature.map(|check| format!("{triple}: {check}")));
    }
    let joined = sdk.tree.with_file_name("macos-universal");
    let join = |pick: fn(&Built) -> &Option<PathBuf>, name: &str| -> Result<Option<PathBuf>> {
        let parts: Vec<_> = built.iter().filter_map(|(p, _, _, b)| Some((*p, pick(b).as_deref()?))).collect();
        macho::join(&parts, &joined.join(name))?;
        Ok(Some(joined.join(name)))
    };
    let both = Built {
        shared: join(|b| &b.shared, "libsinew.dylib")?,
        fixed: join(|b| &b.fixed, "libsinew.a")?,
        import: None,
    };
    sdk.lay_down(&Target { triple: MACOS.into(), binutils: "" }, &both)?;
    if cfg!(not(target_os = "macos")) {
        sdk.checks.push("linked against a stub of the SDK, not Apple's; not notarised".into());
    }
    sdk.finish(job, None, &[])?;
    Ok(Ok(()))
}

/// Name, needs and oldest system of a library.
fn looked_at(file: &Path, oldest: &str) -> Result<Vec<String>> {
    let objdump = |option: &str| -> Result<String> {
        Ok(sh::run(sh::command("llvm-objdump", &["--macho", option]).arg(file))?.stdout)
    };
    let names = |text: String| -> Vec<String> {
        text.lines().skip(1).filter_map(|line| line.split_whitespace().next().map(str::to_string)).collect()
    };
    let (id, used) = (names(objdump("--dylib-id")?), names(objdump("--dylibs-used")?));
    ensure!(id == [INSTALL_NAME], "{}: install name {id:?}", file.display());
    let system: Vec<_> = used.iter().filter(|name| *name != INSTALL_NAME).collect();
    ensure!(system.iter().all(|name| name.starts_with("/usr/lib/libSystem")), "{} uses {system:?}", file.display());
    let headers = objdump("--private-headers")?;
    let fields: Vec<&str> = headers.lines().map(str::trim).collect();
    let is_oldest = fields.iter().any(|line| {
        let mut words = line.split_whitespace();
        matches!(words.next(), Some("minos" | "version")) && words.next() == Some(oldest)
    });
    ensure!(is_oldest, "{}: oldest system is not {oldest}", file.display());
    Ok(vec![format!("install name {INSTALL_NAME}, uses libSystem only, macOS {oldest} or newer")])
}

/// The archive for iOS: header and static library of the device.
pub fn ios(job: &mut Job) -> Result<Result<(), Reason>> {
    if let Err(reason) = tools::rust_target(IOS) {
        return Ok(Err(reason));
    }
    let arguments = ["--crate-type", "staticlib"].map(str::to_string).to_vec();
    let recipe = Recipe { triple: IOS.into(), arguments, fixed: Some("libsinew.a"), ..Recipe::default() };
    let built = recipe.build(&paths::root(), &build::folder()?)?;
    let mut sdk = Sdk::new(job, IOS, IOS)?;
    let library = sdk.tree.join("lib/libsinew.a");
    sh::copy(built.fixed.as_ref().context("no static library")?, &library)?;
    strip_static(&library)?;
    sdk.checks.extend(inspect::any(&library)?);
    install::headers(&sdk.tree)?;
    sdk.checks.push("for the device; simulators need a Mac".into());
    sdk.finish(job, None, &[])?;
    Ok(Ok(()))
}

/// Takes debug information out of a static library, with the program that comes with Rust.
pub fn strip_static(library: &Path) -> Result<()> {
    let sysroot = sh::run(&mut sh::command("rustc", &["--print", "sysroot"]))?.stdout.trim().to_string();
    let lib = Path::new(&sysroot).join("lib");
    let program = lib.join("rustlib").join(paths::host_target()?).join("bin/rust-objcopy");
    if program.is_file() {
        sh::run(sh::command(program, &["--strip-debug"]).arg(library).env("LD_LIBRARY_PATH", lib))?;
    }
    Ok(())
}
