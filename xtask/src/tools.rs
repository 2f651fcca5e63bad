//! Programs that the steps need, with their installation where they are missing.

use crate::sh;
use std::sync::OnceLock;
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
/// Runs WebAssembly.
pub const NODE: Tool = tool("node", &["nodejs"]);
/// Fetches what the web build needs.
pub const NPM: Tool = tool("npm", &["npm"]);
/// Fetches mdBook.
pub const PYTHON: Tool = tool("python3", &["python3", "python3-pip"]);
/// The browser of the playground's test.
pub const CHROMIUM: Tool = tool("chromium", &["chromium"]);

impl Tool {
    /// Ensures that the program is there, installing it where that is possible; else returns the
    /// reason why not.
    pub fn ensure(&self) -> Result<(), String> {
        if sh::find(self.program).is_some() {
            return Ok(());
        }
        let missing = format!("no {}", self.program);
        let root = sh::run(&mut sh::command("id", &["-u"])).is_ok_and(|o| o.stdout.trim() == "0");
        if !root || sh::find("apt-get").is_none() {
            return Err(format!("{missing} (on Debian: apt-get install {})", self.packages.join(" ")));
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
        Ok(output) => Err(format!("{missing}: {}", sh::tail(&output.text, 1))),
        Err(_) => Err(format!("{missing}: rustup took longer than 180 s")),
    }
}
