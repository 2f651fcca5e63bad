//! Programs that the steps need, with their installation where they are missing.

use crate::{paths, sh};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A program and the Debian packages that bring it.
pub struct Tool {
    program: &'static str,
    packages: &'static [&'static str],
}

const fn tool(program: &'static str, packages: &'static [&'static str]) -> Tool {
    Tool { program, packages }
}

/// The C compiler under its general name.
pub const CC: Tool = tool("cc", &["gcc", "libc6-dev"]);
/// The C++ compiler under its general name.
pub const CXX: Tool = tool("c++", &["g++"]);
/// GNU C.
pub const GCC: Tool = tool("gcc", &["gcc", "libc6-dev"]);
/// GNU C++.
pub const GXX: Tool = tool("g++", &["g++"]);
/// Clang C.
pub const CLANG: Tool = tool("clang", &["clang", "libc6-dev"]);
/// Clang C++.
pub const CLANGXX: Tool = tool("clang++", &["clang", "g++"]);
/// Symbols of a library.
pub const NM: Tool = tool("nm", &["binutils"]);
/// Memory checks on the library as it is shipped.
pub const VALGRIND: Tool = tool("valgrind", &["valgrind", "libc6-dbg"]);
/// C# compiler.
pub const MCS: Tool = tool("mcs", &["mono-mcs"]);
/// C# runtime.
pub const MONO: Tool = tool("mono", &["mono-runtime"]);
/// CMake.
pub const CMAKE: Tool = tool("cmake", &["cmake"]);
/// What Meson runs.
pub const NINJA: Tool = tool("ninja", &["ninja-build"]);
/// What CMake runs.
pub const MAKE: Tool = tool("make", &["make"]);
/// pkg-config.
pub const PKG_CONFIG: Tool = tool("pkg-config", &["pkg-config"]);
/// Runs arm64 programs.
pub const QEMU_ARM: Tool = tool("qemu-aarch64", &["qemu-user"]);
/// Runs x86-64 programs on an emulated old processor.
pub const QEMU_X86: Tool = tool("qemu-x86_64", &["qemu-user"]);
/// Links arm64 programs.
pub const ARM_GCC: Tool = tool("aarch64-linux-gnu-gcc", &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"]);
/// Links arm64 programs in C++.
pub const ARM_GXX: Tool = tool("aarch64-linux-gnu-g++", &["g++-aarch64-linux-gnu", "libc6-dev-arm64-cross"]);
/// Reads libraries of every platform.
pub const LLVM_READELF: Tool = tool("llvm-readelf", &["llvm"]);
/// Links C and WebAssembly into web pages.
pub const EMCC: Tool = tool("emcc", &["emscripten"]);
/// Links programs of other platforms.
pub const LLD: Tool = tool("ld.lld", &["lld"]);
/// Links Windows programs.
pub const MINGW: Tool = tool("x86_64-w64-mingw32-gcc", &["gcc-mingw-w64-x86-64"]);
/// Links Windows programs in C++.
pub const MINGW_CXX: Tool = tool("x86_64-w64-mingw32-g++", &["g++-mingw-w64-x86-64"]);
/// Runs Windows programs. Debian's package leaves it outside of PATH.
pub const WINE: Tool = tool("wine64", &["wine64"]);
/// Runs WebAssembly.
pub const NODE: Tool = tool("node", &["nodejs"]);
/// Fetches what the web build needs.
pub const NPM: Tool = tool("npm", &["npm"]);
/// Fetches mdBook.
pub const PYTHON: Tool = tool("python3", &["python3", "python3-pip"]);
/// The browser of the playground's test.
pub const CHROMIUM: Tool = tool("chromium", &["chromium"]);

impl Tool {
    /// The program's name.
    pub fn program(&self) -> &'static str {
        self.program
    }

    /// That the program is not there, and how to get it.
    pub fn is_missing(&self) -> Option<String> {
        let advice = || format!("no {} (on Debian: apt-get install {})", self.program, self.packages.join(" "));
        sh::find(self.program).is_none().then(advice)
    }

    /// Ensures that the program is there, installing it where that is possible; else returns the
    /// reason why not.
    pub fn ensure(&self) -> Result<(), String> {
        // Steps of the tests install at once, apt-get does not.
        static INSTALLING: Mutex<()> = Mutex::new(());
        let _guard = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(advice) = self.is_missing() else { return Ok(()) };
        let missing = format!("no {}", self.program);
        let root = sh::run(&mut sh::command("id", &["-u"])).is_ok_and(|o| o.stdout.trim() == "0");
        if !root || sh::find("apt-get").is_none() {
            return Err(advice);
        }
        static UPDATED: OnceLock<bool> = OnceLock::new();
        UPDATED.get_or_init(|| apt(&["-qq", "update"]).is_ok());
        println!("installing {}", self.packages.join(" "));
        let mut arguments = vec!["-qq", "-y", "--no-install-recommends", "install"];
        arguments.extend(self.packages);
        apt(&arguments).map_err(|e| format!("{missing}, and installing {} failed: {e}", self.packages.join(" ")))?;
        sh::find(self.program).map(|_| ()).ok_or(missing)
    }
}

fn apt(arguments: &[&str]) -> Result<(), String> {
    let mut command = sh::command("apt-get", arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    let output = sh::capture_within(&mut command, Duration::from_secs(300)).map_err(|e| e.to_string())?;
    if output.ok() { Ok(()) } else { Err(sh::tail(&output.text, 3)) }
}

/// Ensures that Rust's standard library for a target is installed.
pub fn rust_target(triple: &str) -> Result<(), String> {
    let missing = format!("no Rust std for {triple}");
    let installed = sh::run(&mut sh::command("rustup", &["target", "list", "--installed"]));
    let installed = installed.map_err(|_| format!("{missing}, and no rustup"))?;
    if installed.stdout.lines().any(|l| l.trim() == triple) {
        return Ok(());
    }
    println!("rustup target add {triple}");
    // Without a network rustup may wait for ever.
    let added = sh::capture_within(&mut sh::command("rustup", &["target", "add", triple]), Duration::from_secs(180));
    match added {
        Ok(output) if output.ok() => Ok(()),
        Ok(output) => {
            // Its last lines are a trace of the stack.
            let error = output.text.lines().find(|line| line.starts_with("error")).unwrap_or("rustup failed");
            Err(format!("{missing}: {error}"))
        }
        Err(_) => Err(format!("{missing}: rustup took longer than 180 s")),
    }
}

/// Ensures that the source of Rust's standard library is installed.
pub fn rust_source() -> Result<(), String> {
    let sysroot = sh::run(&mut sh::command("rustc", &["--print", "sysroot"])).map_err(|e| e.to_string())?;
    if PathBuf::from(sysroot.stdout.trim()).join("lib/rustlib/src/rust/library/std").is_dir() {
        return Ok(());
    }
    println!("rustup component add rust-src");
    let mut rustup = sh::command("rustup", &["component", "add", "rust-src"]);
    match sh::capture_within(&mut rustup, Duration::from_secs(180)) {
        Ok(output) if output.ok() => Ok(()),
        Ok(output) => Err(format!("no source of Rust's library: {}", sh::tail(&output.text, 1))),
        Err(_) => Err("no source of Rust's library, and no rustup".into()),
    }
}

/// Packages from PyPI, fetched once into a folder of cargo's; returns the folder. Their programs
/// are in its `bin`, and `PYTHONPATH` makes their modules known.
pub fn python(packages: &[&str]) -> Result<PathBuf, String> {
    let name: String = packages.join("-").replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '.', "");
    let folder = paths::target().map_err(|e| e.to_string())?.join("tools/python").join(name);
    let (done, missing) = (folder.join("fetched"), format!("no {}", packages.join(" ")));
    if done.is_file() {
        return Ok(folder);
    }
    PYTHON.ensure()?;
    println!("fetching {} from PyPI", packages.join(" "));
    let mut pip = sh::command(
        "python3",
        &["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", "--target"],
    );
    match sh::capture_within(pip.arg(&folder).args(packages), Duration::from_secs(600)) {
        Ok(output) if output.ok() => {}
        Ok(output) => return Err(format!("{missing}: {}", sh::tail(&output.text, 1))),
        Err(error) => return Err(format!("{missing}: {error:#}")),
    }
    std::fs::write(done, "").map_err(|e| e.to_string())?;
    Ok(folder)
}
