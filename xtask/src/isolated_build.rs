//! An example built in a crate of its own.
//!
//! Cargo builds an example with all dev-dependencies, of which criterion does not fit every target.
//! So a crate is made around the file, with the repository's lock file.

use crate::{paths, sh};
use anyhow::Result;
use std::path::PathBuf;

/// What to build, and for which target.
#[derive(Clone, Copy, Debug, Default)]
pub struct IsolatedBuild<'a> {
    /// Name of the file in `examples/`.
    pub example: &'a str,
    /// A Rust target; `None`: this machine.
    pub triple: Option<&'a str>,
    /// Optimised, as the library is shipped.
    pub release: bool,
    /// Optimised part by part: built in half the time, a little slower.
    pub in_parts: bool,
    /// A WebAssembly module instead of a program.
    pub module: bool,
    /// Flags for the compiler; builds with different ones do not share a folder.
    pub flags: Option<&'a str>,
    /// Features of the library.
    pub features: &'a [&'a str],
}

impl IsolatedBuild<'_> {
    /// Builds it; where the program or module is.
    pub fn run(&self) -> Result<PathBuf> {
        let (root, example) = (paths::root(), self.example);
        let base = paths::target()?.join("alone").join(match self.flags {
            Some(flags) => flags.replace(|c: char| !c.is_alphanumeric() && c != '-', "_"),
            None => "plain".to_string(),
        });
        let folder = base.join(example);
        std::fs::create_dir_all(&folder)?;
        let kind = if self.module { "[lib]\ncrate-type = [\"cdylib\"]" } else { "[[bin]]" };
        let quote = |path: PathBuf| path.display().to_string().replace('\\', "/");
        let manifest = format!(
            "[package]\nname = \"{example}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{kind}\nname = \"{example}\"\npath = \"{}\"\n\n\
             [dependencies]\nsinew = {{ path = \"{}\", default-features = false, features = {:?} }}\n\
             testkit = {{ path = \"{}\", package = \"sinew-testkit\" }}\n\n\
             [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n\n\
             [profile.release]\n{}\n\n[workspace]\n",
            quote(root.join("examples").join(example).with_extension("rs")),
            quote(root.clone()),
            self.features,
            quote(root.join("testkit")),
            if self.in_parts {
                "lto = \"off\"\ncodegen-units = 16\nopt-level = 2"
            } else {
                "lto = \"thin\"\ncodegen-units = 1"
            },
        );
        // Another process may be at the same build (`test/ahead.rs`): a file is there as a whole.
        let write = |name: &str, bytes: &[u8]| {
            let whole = folder.join(format!("{name}.{}", std::process::id()));
            std::fs::write(&whole, bytes)?;
            std::fs::rename(whole, folder.join(name))
        };
        write("Cargo.toml", manifest.as_bytes())?;
        write("Cargo.lock", &std::fs::read(root.join("Cargo.lock"))?)?;
        let mut place = base.join("target");
        let mut cargo = sh::cargo(&["build"]);
        cargo.current_dir(&folder).env("CARGO_TARGET_DIR", &place);
        cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
        if let Some(flags) = self.flags {
            cargo.env("RUSTFLAGS", flags);
        }
        if let Some(triple) = self.triple {
            cargo.args(["--target", triple]);
            place.push(triple);
        }
        if self.release {
            cargo.arg("--release");
        }
        sh::run_cargo(&mut cargo)?;
        place.push(if self.release { "release" } else { "debug" });
        Ok(place.join(if self.module {
            format!("{example}.wasm")
        } else {
            format!("{example}{}", std::env::consts::EXE_SUFFIX)
        }))
    }
}
