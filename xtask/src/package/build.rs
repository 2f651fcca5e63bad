//! Building the native library of a target, as it is shipped.

use crate::{paths, sh};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// A crate whose libraries are shipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shipped {
    /// The engine with its C functions.
    #[default]
    Library,
    /// Godot's extension, a workspace of its own.
    Godot,
}

/// How cargo makes the libraries of one target.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// What is built.
    pub shipped: Shipped,
    /// Rust's name of the target.
    pub triple: String,
    /// What cargo gets as the target when that is more than the triple ("….2.17").
    pub cargo_triple: Option<String>,
    /// Cargo's subcommand. Default: rustc.
    pub subcommand: Option<&'static str>,
    /// Extra environment of cargo: linkers.
    pub env: Vec<(String, String)>,
    /// Extra flags for every crate.
    pub flags: Vec<String>,
    /// Extra arguments of cargo.
    pub arguments: Vec<String>,
    /// Name of the shared library; `None`: it has none.
    pub shared: Option<&'static str>,
    /// Name of the static library; `None`: it has none that is of use.
    pub fixed: Option<&'static str>,
    /// Names under which the linker may leave what a program links to use a dll.
    pub import: &'static [&'static str],
}

/// Libraries of a target.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// `libsinew.so`, `libsinew.dylib` or `sinew.dll`.
    pub shared: Option<PathBuf>,
    /// `libsinew.a` or `sinew.lib`.
    pub fixed: Option<PathBuf>,
    /// What a Windows program links to use the dll.
    pub import: Option<PathBuf>,
}

impl Recipe {
    /// The same way to Godot's extension for that target.
    pub fn for_godot(mut self) -> Self {
        let name = match self.shared {
            Some("sinew.dll") => "sinew_godot.dll",
            Some("libsinew.dylib") => "libsinew_godot.dylib",
            _ => "libsinew_godot.so",
        };
        // The name by which others would load it.
        for own in [crate::install::soname().as_str(), "libsinew.so", "libsinew.dylib"] {
            for flag in self.flags.iter_mut().filter(|flag| flag.ends_with(own)) {
                *flag = flag.replace(own, name);
            }
        }
        (self.shipped, self.shared) = (Shipped::Godot, Some(name));
        (self.fixed, self.import) = (None, &[]);
        self
    }

    /// Builds the libraries of the sources in `source`, in the cargo target folder `folder`.
    pub fn build(&self, source: &Path, folder: &Path) -> Result<Built> {
        let triple = self.cargo_triple.as_deref().unwrap_or(&self.triple);
        // For cargo a build by another subcommand, thus another linker, is another unit, but its
        // libraries have the same file names: in one folder the later one would replace the other,
        // and both would count as fresh.
        let folder = &self.subcommand.map_or_else(|| folder.to_path_buf(), |name| folder.join(name));
        let mut cargo = sh::cargo(&[self.subcommand.unwrap_or("rustc")]);
        cargo.args(["--lib", "--release", "--locked", "--target", triple]);
        match self.shipped {
            Shipped::Library => {
                cargo.args(["--package", "sinew", "--features", library_features(triple)]).current_dir(source)
            }
            Shipped::Godot => cargo.current_dir(source.join("bindings/godot")),
        };
        cargo.args(&self.arguments).env("CARGO_TARGET_DIR", folder);
        let mut flags = remap_flags(source)?;
        flags.extend(self.flags.iter().cloned());
        flags.push("-Cstrip=symbols".into());
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env_remove("RUSTFLAGS");
        cargo.envs(self.env.iter().cloned());
        sh::run_cargo(&mut cargo)?;
        let place = folder.join(&self.triple).join("release");
        let found = |name: Option<&str>| -> Result<Option<PathBuf>> {
            let Some(file) = name.map(|name| place.join(name)) else { return Ok(None) };
            ensure!(file.is_file(), "cargo left no {}", file.display());
            Ok(Some(file))
        };
        Ok(Built {
            shared: found(self.shared)?,
            fixed: found(self.fixed)?,
            import: self.import.iter().map(|name| place.join(name)).find(|file| file.is_file()),
        })
    }
}

/// Features of a library for C hosts. Worlds have threads of their own where the platform's
/// programs start threads freely: on desktops.
pub fn library_features(triple: &str) -> &'static str {
    let is_desktop = triple.contains("windows")
        || triple.contains("apple-darwin")
        || (triple.contains("linux") && !triple.contains("android"));
    if is_desktop { "host-allocator,rayon" } else { "host-allocator" }
}

/// Where shipped libraries are built; a folder of their own, because of the flags.
pub fn folder() -> Result<PathBuf> {
    Ok(paths::target()?.join("package-build"))
}

/// Compiler flags that replace the folders of this machine, which panic messages would name.
pub fn remap_flags(source: &Path) -> Result<Vec<String>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let sysroot = PathBuf::from(sh::run(&mut sh::command("rustc", &["--print", "sysroot"]))?.stdout.trim());
    let version = sh::run(&mut sh::command("rustc", &["-vV"]))?.stdout;
    let commit =
        version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).context("no commit in rustc -vV")?;
    // The compiler names the sources of the standard library so where they are not installed, and
    // by their folder where they are. The last flag that fits counts.
    let library = sysroot.join("lib/rustlib/src/rust");
    let pairs = [
        (Some(source.to_path_buf()), "sinew".into()),
        (home, "cargo".into()),
        (Some(sysroot), "rust".into()),
        (Some(library), format!("/rustc/{commit}")),
    ];
    let flag =
        |(from, to): (Option<PathBuf>, String)| from.map(|f| format!("--remap-path-prefix={}={to}", f.display()));
    Ok(pairs.into_iter().filter_map(flag).collect())
}

/// An error when a file names a folder of this machine.
pub fn has_no_paths(file: &Path) -> Result<String> {
    let bytes = std::fs::read(file)?;
    let home = std::env::var("HOME").unwrap_or_default();
    for folder in [paths::root().display().to_string(), home] {
        // A home of one letter or none would be found in any file.
        if folder.len() < 4 {
            continue;
        }
        let needle = format!("{folder}/");
        let is_inside = bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
        ensure!(!is_inside, "{} names the folder {folder}", file.display());
    }
    Ok("names no folder of the build machine".into())
}
