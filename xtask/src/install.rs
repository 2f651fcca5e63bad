//! `cargo xtask install`: the library as C and C++ projects expect to find it.

use crate::package::build::{self, Built, Recipe};
use crate::{paths, sh};
use anyhow::{Context, Result};
use std::path::Path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A platform that libraries are made for.
pub struct Target {
    /// Rust's name for it.
    pub triple: String,
    /// Begin of the names of its binutils, for example "aarch64-linux-gnu-".
    pub binutils: &'static str,
}

impl Target {
    /// This machine.
    pub fn host() -> Result<Target> {
        Ok(Target { triple: paths::host_target()?, binutils: "" })
    }

    /// The plain way to build it, with the linker that Rust takes by itself.
    pub fn recipe(&self) -> Recipe {
        let (shared, fixed) = (Some(self.shared()), Some(self.static_name()));
        let flags = match self.os() {
            Os::Unix => vec![format!("-Clink-arg=-Wl,-soname,{}", soname())],
            Os::Apple => vec!["-Clink-arg=-Wl,-install_name,@rpath/libsinew.dylib".into()],
            // The linker's time stamp would be the only difference between two builds.
            Os::Windows if self.triple.ends_with("gnu") => vec!["-Clink-arg=-Wl,--no-insert-timestamp".into()],
            Os::Windows => vec!["-Clink-arg=/Brepro".into()],
        };
        let import = &["libsinew.dll.a", "sinew.dll.lib"];
        Recipe { triple: self.triple.clone(), flags, shared, fixed, import, ..Recipe::default() }
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

/// Builds both libraries for this machine.
pub fn build(target: &Target, debug: bool) -> Result<Built> {
    if !debug {
        return target.recipe().build(&paths::root(), &build::folder()?);
    }
    let features = build::library_features(&target.triple);
    let mut cargo = sh::cargo(&["rustc", "--package", "sinew", "--lib", "--features", features, "--"]);
    sh::run_cargo(cargo.args(target.recipe().flags))?;
    let folder = paths::target()?.join("debug");
    let import = target.recipe().import.iter().map(|name| folder.join(name)).find(|file| file.is_file());
    Ok(Built { shared: Some(folder.join(target.shared())), fixed: Some(folder.join(target.static_name())), import })
}

/// The library's name in the programs that link it: changes with every release that may break the
/// binary interface, which before 1.0 is every minor one.
pub fn soname() -> String {
    let parts: Vec<&str> = VERSION.split('.').collect();
    format!("libsinew.so.{}", if parts[0] == "0" { parts[..2].join(".") } else { parts[0].to_string() })
}

/// `cargo xtask install`.
pub fn run(prefix: &Path, debug: bool) -> Result<()> {
    let target = Target::host()?;
    let built = build(&target, debug)?;
    lay_down(prefix, &target, &built)?;
    let place = std::path::absolute(prefix)?;
    println!("installed in {}", place.display());
    if matches!(target.os(), Os::Unix | Os::Apple) {
        let (lib, place) = (place.join("lib").display().to_string(), place.display());
        println!(
            "pkg-config:  PKG_CONFIG_PATH={lib}/pkgconfig cc main.c $(pkg-config --cflags --libs sinew) -Wl,-rpath,{lib}"
        );
        println!(
            "CMake:       cmake -DCMAKE_PREFIX_PATH={place} …, find_package(Sinew), target_link_libraries(… Sinew::sinew)"
        );
    }
    Ok(())
}

/// Puts the headers of C and C++ below `prefix`.
pub fn headers(prefix: &Path) -> Result<()> {
    let (root, place) = (paths::root(), prefix.join("include/sinew"));
    sh::copy(&root.join("include/sinew/sinew.h"), &place.join("sinew.h"))?;
    for name in ["sinew.hpp", "sinew_constraints.hpp", "sinew_grounder.hpp", "sinew_body.hpp", "sinew_trackers.hpp"] {
        sh::copy(&root.join("bindings/cpp").join(name), &place.join(name))?;
    }
    Ok(())
}

/// Puts headers, libraries, pkg-config and CMake files below `prefix`.
pub fn lay_down(prefix: &Path, target: &Target, built: &Built) -> Result<()> {
    fill(prefix, target, built, false)
}

/// [`lay_down`], and what Conan, Meson and vcpkg need to take the folder as it is.
pub fn lay_down_archive(prefix: &Path, target: &Target, built: &Built) -> Result<()> {
    fill(prefix, target, built, true)
}

/// Templates in `bindings/cpp`, and where they go.
const PACKAGERS: [(&str, &str); 4] = [
    ("packagers/conanfile.py", "conanfile.py"),
    ("packagers/meson.build", "meson.build"),
    ("packagers/vcpkg/vcpkg.json", "vcpkg/vcpkg.json"),
    ("packagers/vcpkg/portfile.cmake", "vcpkg/portfile.cmake"),
];

fn fill(prefix: &Path, target: &Target, built: &Built, for_packagers: bool) -> Result<()> {
    let root = paths::root();
    headers(prefix)?;
    let lib = prefix.join("lib");
    let built_shared = built.shared.as_ref().context("no shared library")?;
    let shared_place = match target.os() {
        Os::Unix => {
            let full = format!("libsinew.so.{VERSION}");
            sh::copy(built_shared, &lib.join(&full))?;
            link(&full, &lib.join(soname()))?;
            link(&soname(), &lib.join("libsinew.so"))?;
            "lib/libsinew.so".to_string()
        }
        Os::Apple => {
            sh::copy(built_shared, &lib.join("libsinew.dylib"))?;
            "lib/libsinew.dylib".to_string()
        }
        Os::Windows => {
            sh::copy(built_shared, &prefix.join("bin/sinew.dll"))?;
            let import = built.import.as_ref().context("no import library beside the dll")?;
            let name = import.file_name().unwrap_or_default();
            sh::copy(import, &lib.join(name))?;
            "bin/sinew.dll".to_string()
        }
    };
    let static_place = lib.join(target.static_name());
    sh::copy(built.fixed.as_ref().context("no static library")?, &static_place)?;
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
        ("cmake/sinew.pc.in", "lib/pkgconfig/sinew.pc"),
        ("cmake/SinewConfig.cmake.in", "lib/cmake/Sinew/SinewConfig.cmake"),
        ("cmake/SinewConfigVersion.cmake.in", "lib/cmake/Sinew/SinewConfigVersion.cmake"),
    ]
    .into_iter()
    .chain(PACKAGERS.into_iter().filter(|_| for_packagers))
    {
        let path = root.join("bindings/cpp").join(template);
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
/// tools stumble over the bitcode of a newer LLVM. Rust's own libraries for Windows have a member
/// for the debug information of each file (`.dwo`), some without a section, which objcopy refuses.
fn slim(archive: &Path, target: &Target) -> Result<()> {
    let objcopy = format!("{}objcopy", target.binutils);
    if !matches!(target.os(), Os::Apple) && cfg!(target_os = "linux") && sh::find(&objcopy).is_some() {
        let ar = format!("{}ar", target.binutils);
        let members = sh::run(sh::command(&ar, &["t"]).arg(archive))?.stdout;
        let debug: Vec<&str> = members.lines().filter(|member| member.ends_with(".dwo")).collect();
        if !debug.is_empty() {
            sh::run(sh::command(&ar, &["d"]).arg(archive).args(debug))?;
        }
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
