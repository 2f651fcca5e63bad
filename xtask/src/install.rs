//! `cargo xtask install`: the library as C and C++ projects expect to find it.

use crate::{paths, sh};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a target needs beside its name.
pub struct Target {
    /// Rust's name for it.
    pub triple: String,
    /// Extra environment of cargo: linkers.
    pub env: Vec<(String, String)>,
}

impl Target {
    /// This machine.
    pub fn host() -> Result<Target> {
        Ok(Target { triple: paths::host_target()?, env: vec![] })
    }

    /// Another one, linked by `linker`.
    pub fn cross(triple: &str, linker: &str) -> Target {
        let name = format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase().replace('-', "_"));
        Target { triple: triple.into(), env: vec![(name, linker.into())] }
    }

    /// Name of the shared library as cargo makes it.
    pub fn shared(&self) -> &'static str {
        match self.os() {
            Os::Windows => "sinew.dll",
            Os::Apple => "libsinew.dylib",
            Os::Unix => "libsinew.so",
        }
    }

    fn os(&self) -> Os {
        if self.triple.contains("windows") {
            Os::Windows
        } else if self.triple.contains("apple") {
            Os::Apple
        } else {
            Os::Unix
        }
    }

    fn static_name(&self) -> &'static str {
        if self.triple.contains("msvc") { "sinew.lib" } else { "libsinew.a" }
    }

    /// What a program that links the static library must link too:
    /// `rustc --print native-static-libs`.
    fn native_libraries(&self) -> &'static [&'static str] {
        match self.os() {
            Os::Windows if self.triple.contains("msvc") => &["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp"],
            Os::Windows => &["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp", "gcc_eh", "gcc"],
            Os::Apple => &["System", "c", "m"],
            Os::Unix => &["gcc_s", "util", "rt", "pthread", "m", "dl", "c"],
        }
    }
}

enum Os {
    Unix,
    Apple,
    Windows,
}

/// Shared and static library of a target.
pub struct Built {
    /// `libsinew.so`, `libsinew.dylib` or `sinew.dll`.
    pub shared: PathBuf,
    /// `libsinew.a` or `sinew.lib`.
    pub fixed: PathBuf,
    /// What a Windows program links to use the dll.
    pub import: Option<PathBuf>,
}

/// Builds both libraries.
pub fn build(target: &Target, debug: bool) -> Result<Built> {
    let host = target.triple == paths::host_target()?;
    let mut cargo = sh::cargo(&["rustc", "--package", "sinew", "--lib"]);
    if !debug {
        cargo.arg("--release");
    }
    if !host {
        cargo.args(["--target", &target.triple]);
    }
    cargo.envs(target.env.iter().cloned()).arg("--");
    match target.os() {
        Os::Unix => cargo.args(["-C", &format!("link-arg=-Wl,-soname,{}", soname())]),
        Os::Apple => cargo.args(["-C", "link-arg=-Wl,-install_name,@rpath/libsinew.dylib"]),
        Os::Windows => &mut cargo,
    };
    if !debug {
        cargo.args(["-C", "strip=symbols"]);
    }
    sh::run_cargo(&mut cargo)?;
    let mut folder = paths::target()?;
    if !host {
        folder.push(&target.triple);
    }
    folder.push(if debug { "debug" } else { "release" });
    let import = ["libsinew.dll.a", "sinew.dll.lib"].map(|n| folder.join(n)).into_iter().find(|p| p.is_file());
    let built = Built { shared: folder.join(target.shared()), fixed: folder.join(target.static_name()), import };
    for file in [&built.shared, &built.fixed] {
        if !file.is_file() {
            bail!("cargo left no {}", file.display());
        }
    }
    Ok(built)
}

/// The library's name in the programs that link it: changes with every release that breaks the
/// binary interface.
fn soname() -> String {
    format!("libsinew.so.{}", VERSION.split('.').next().unwrap_or("0"))
}

/// `cargo xtask install`.
pub fn run(prefix: &Path, debug: bool) -> Result<()> {
    let target = Target::host()?;
    let built = build(&target, debug)?;
    lay_down(prefix, &target, &built)?;
    println!("installed in {}", prefix.display());
    Ok(())
}

/// Puts headers, libraries, pkg-config and CMake files below `prefix`.
pub fn lay_down(prefix: &Path, target: &Target, built: &Built) -> Result<()> {
    let root = paths::root();
    sh::copy(&root.join("include/sinew/sinew.h"), &prefix.join("include/sinew/sinew.h"))?;
    for name in ["sinew.hpp", "sinew_constraints.hpp", "sinew_grounder.hpp", "sinew_body.hpp", "sinew_trackers.hpp"] {
        let cpp = root.join("bindings/cpp").join(name);
        if cpp.is_file() {
            sh::copy(&cpp, &prefix.join("include/sinew").join(name))?;
        }
    }
    let lib = prefix.join("lib");
    let shared_place = match target.os() {
        Os::Unix => {
            let full = format!("libsinew.so.{VERSION}");
            sh::copy(&built.shared, &lib.join(&full))?;
            link(&full, &lib.join(soname()))?;
            link(&soname(), &lib.join("libsinew.so"))?;
            "lib/libsinew.so".to_string()
        }
        Os::Apple => {
            sh::copy(&built.shared, &lib.join("libsinew.dylib"))?;
            "lib/libsinew.dylib".to_string()
        }
        Os::Windows => {
            sh::copy(&built.shared, &prefix.join("bin/sinew.dll"))?;
            let import = built.import.as_ref().context("no import library beside the dll")?;
            let name = import.file_name().unwrap_or_default();
            sh::copy(import, &lib.join(name))?;
            "bin/sinew.dll".to_string()
        }
    };
    let static_place = lib.join(target.static_name());
    sh::copy(&built.fixed, &static_place)?;
    slim(&static_place, target)?;
    let libraries = target.native_libraries();
    let flags: Vec<String> = libraries.iter().map(|l| format!("-l{l}")).collect();
    let import =
        built.import.as_ref().and_then(|p| p.file_name()).map_or(String::new(), |n| n.to_string_lossy().into_owned());
    let import_line =
        if import.is_empty() { String::new() } else { format!("IMPORTED_IMPLIB \"${{_sinew_prefix}}/lib/{import}\"") };
    let (soname_line, definitions) = match target.os() {
        Os::Unix => (format!("IMPORTED_SONAME \"{}\"", soname()), ""),
        Os::Apple => ("IMPORTED_SONAME \"@rpath/libsinew.dylib\"".to_string(), ""),
        Os::Windows => (String::new(), "SINEW_DLL"),
    };
    let mut version = VERSION.split('.');
    let values = [
        ("@VERSION@", VERSION.to_string()),
        ("@VERSION_MAJOR@", version.next().unwrap_or("0").to_string()),
        ("@VERSION_MINOR@", version.next().unwrap_or("0").to_string()),
        ("@NATIVE_FLAGS@", flags.join(" ")),
        ("@NATIVE_LIBRARIES@", libraries.join(";")),
        ("@SHARED@", shared_place),
        ("@STATIC@", format!("lib/{}", target.static_name())),
        ("@SONAME_LINE@", soname_line),
        ("@IMPORT_LINE@", import_line),
        ("@DLL_DEFINITION@", definitions.to_string()),
        ("@CFLAGS@", if definitions.is_empty() { String::new() } else { format!("-D{definitions}") }),
    ];
    for (template, place) in [
        ("sinew.pc.in", "lib/pkgconfig/sinew.pc"),
        ("SinewConfig.cmake.in", "lib/cmake/Sinew/SinewConfig.cmake"),
        ("SinewConfigVersion.cmake.in", "lib/cmake/Sinew/SinewConfigVersion.cmake"),
    ] {
        let path = root.join("bindings/cpp/cmake").join(template);
        let mut text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        for (key, value) in &values {
            text = text.replace(key, value);
        }
        let place = prefix.join(place);
        std::fs::create_dir_all(place.parent().unwrap_or(prefix))?;
        // A line that a placeholder left blank goes.
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        std::fs::write(&place, lines.join("\n") + "\n")?;
    }
    Ok(())
}

/// Takes debug information and the compiler's own code out of a static library, where there is a
/// program for it: 5 MB in place of 25. Cargo's `strip` leaves archives as they are, and other
/// tools stumble over the bitcode of a newer LLVM.
fn slim(archive: &Path, target: &Target) -> Result<()> {
    let linker = target.env.first().map_or("", |(_, linker)| linker.as_str());
    let objcopy = format!("{}objcopy", linker.strip_suffix("gcc").unwrap_or_default());
    if matches!(target.os(), Os::Unix) && cfg!(target_os = "linux") && sh::find(&objcopy).is_some() {
        let arguments = ["--strip-debug", "--remove-section", ".llvmbc", "--remove-section", ".llvmcmd"];
        sh::run(sh::command(objcopy, &arguments).arg(archive))?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(to: &str, at: &Path) -> Result<()> {
    if at.symlink_metadata().is_ok() {
        std::fs::remove_file(at)?;
    }
    std::os::unix::fs::symlink(to, at).with_context(|| format!("linking {}", at.display()))
}

#[cfg(not(unix))]
fn link(to: &str, at: &Path) -> Result<()> {
    std::fs::copy(at.with_file_name(to), at).with_context(|| format!("copying {}", at.display()))?;
    Ok(())
}
