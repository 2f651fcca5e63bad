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
/// Processors and targets of the simulator.
const SIMULATORS: [(macho::Processor, &str); 2] = [(ARM64, "aarch64-apple-ios-sim"), (X86_64, "x86_64-apple-ios")];
/// Oldest iOS.
const OLDEST_IOS: &str = "12.0";

const INSTALL_NAME: &str = "@rpath/libsinew.dylib";
/// Processor, target, oldest macOS.
pub const MACS: [(macho::Processor, &str, &str); 2] =
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
pub fn recipe(triple: &str, oldest: &str) -> Result<Recipe> {
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
        let one = recipe(triple, oldest)?.build(&paths::root(), &build::folder()?)?;
        strip_static(one.fixed.as_ref().context("no static library")?)?;
        built.push((processor, triple, oldest, one));
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

/// The archive for iOS: header, static library of the device, and a framework for Xcode with that
/// of the device and those of the simulators whose standard library of Rust can be had.
pub fn ios(job: &mut Job) -> Result<Result<(), Reason>> {
    if let Err(reason) = tools::rust_target(IOS) {
        return Ok(Err(reason));
    }
    let mut sdk = Sdk::new(job, IOS, IOS)?;
    let device = ios_library(IOS, "ios")?;
    sh::copy(&device, &sdk.tree.join("lib/libsinew.a"))?;
    sdk.checks.extend(inspect::any(&device)?);
    install::headers(&sdk.tree)?;
    let mut parts = Vec::new();
    for (processor, triple) in SIMULATORS {
        if let Err(reason) = tools::rust_target(triple) {
            job.manifest.skip(triple, reason);
            continue;
        }
        let library = ios_library(triple, "iossimulator")?;
        sdk.checks.extend(inspect::any(&library)?.into_iter().map(|check| format!("{triple}: {check}")));
        parts.push((processor, library));
    }
    let framework = sdk.tree.join("Sinew.xcframework");
    let mut slices = vec![Slice { processors: vec![ARM64.name], variant: None }];
    sh::copy(&device, &framework.join(slices[0].folder()).join("libsinew.a"))?;
    if !parts.is_empty() {
        let slice = Slice { processors: parts.iter().map(|part| part.0.name).collect(), variant: Some("simulator") };
        let parts: Vec<_> = parts.iter().map(|(processor, library)| (*processor, library.as_path())).collect();
        macho::join(&parts, &framework.join(slice.folder()).join("libsinew.a"))?;
        slices.push(slice);
    }
    for slice in &slices {
        sh::copy_folder(&sdk.tree.join("include"), &framework.join(slice.folder()).join("Headers"))?;
    }
    super::write(&framework.join("Info.plist"), &framework_list(&slices))?;
    let names: Vec<_> = slices.iter().map(Slice::folder).collect();
    sdk.checks.push(format!("framework with {}: iOS {OLDEST_IOS} or newer", names.join(" and ")));
    sdk.finish(job, None, &[])?;
    Ok(Ok(()))
}

/// A library of the framework.
struct Slice {
    processors: Vec<&'static str>,
    /// Variant of the platform; `None`: the device.
    variant: Option<&'static str>,
}

impl Slice {
    /// Its folder in the framework.
    fn folder(&self) -> String {
        let variant = self.variant.map_or(String::new(), |variant| format!("-{variant}"));
        format!("ios-{}{variant}", self.processors.join("_"))
    }
}

/// Contents of the framework, as Xcode reads them.
fn framework_list(slices: &[Slice]) -> String {
    let slices = slices.iter().map(|slice| {
        let folder = slice.folder();
        let processors =
            slice.processors.iter().map(|name| format!("\t\t\t\t<string>{name}</string>\n")).collect::<String>();
        let variant = slice.variant.map_or(String::new(), |variant| {
            format!("\t\t\t<key>SupportedPlatformVariant</key>\n\t\t\t<string>{variant}</string>\n")
        });
        format!(
            "\t\t<dict>\n\t\t\t<key>HeadersPath</key>\n\t\t\t<string>Headers</string>\n\
             \t\t\t<key>LibraryIdentifier</key>\n\t\t\t<string>{folder}</string>\n\
             \t\t\t<key>LibraryPath</key>\n\t\t\t<string>libsinew.a</string>\n\
             \t\t\t<key>SupportedArchitectures</key>\n\t\t\t<array>\n{processors}\t\t\t</array>\n\
             \t\t\t<key>SupportedPlatform</key>\n\t\t\t<string>ios</string>\n{variant}\t\t</dict>\n"
        )
    });
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
         \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n\t<key>AvailableLibraries</key>\n\t<array>\n{}\t</array>\n\
         \t<key>CFBundlePackageType</key>\n\t<string>XFWK</string>\n\
         \t<key>XCFrameworkFormatVersion</key>\n\t<string>1.0</string>\n</dict>\n</plist>\n",
        slices.collect::<String>()
    )
}

/// A static library without debug information, all of it for one platform.
fn ios_library(triple: &str, platform: &str) -> Result<PathBuf> {
    let arguments = ["--crate-type", "staticlib"].map(str::to_string).to_vec();
    let env = vec![("IPHONEOS_DEPLOYMENT_TARGET".to_string(), OLDEST_IOS.to_string())];
    let recipe = Recipe { triple: triple.into(), arguments, env, fixed: Some("libsinew.a"), ..Recipe::default() };
    let library = recipe.build(&paths::root(), &build::folder()?)?.fixed.context("no static library")?;
    strip_static(&library)?;
    let headers = sh::run(sh::command("llvm-objdump", &["--macho", "--private-headers"]).arg(&library))?.stdout;
    let mut platforms = headers.lines().filter_map(|line| line.trim().strip_prefix("platform "));
    let first = platforms.next().with_context(|| format!("{triple}: no object names its platform"))?.trim();
    let wrong = std::iter::once(first).chain(platforms.map(str::trim)).find(|name| *name != platform);
    ensure!(wrong.is_none(), "{triple}: an object is for {wrong:?}");
    Ok(library)
}

/// Takes debug information and the compiler's own code out of a static library, with the program
/// that comes with Rust: 9 MB in place of 37 for macOS.
pub fn strip_static(library: &Path) -> Result<()> {
    let sysroot = sh::run(&mut sh::command("rustc", &["--print", "sysroot"]))?.stdout.trim().to_string();
    let lib = Path::new(&sysroot).join("lib");
    let program = lib.join("rustlib").join(paths::host_target()?).join("bin/rust-objcopy");
    if program.is_file() {
        let arguments =
            ["--strip-debug", "--remove-section", "__LLVM,__bitcode", "--remove-section", "__LLVM,__cmdline"];
        sh::run(sh::command(program, &arguments).arg(library).env("LD_LIBRARY_PATH", lib))?;
    }
    Ok(())
}
