//! What a user copies compiles for a user: the manual's Rust program and every example of the API
//! documentation, in a crate outside of the workspace that depends on nothing but this library,
//! without its default features.
//!
//! Documentation tests cannot show this: they may use all dev-dependencies of the workspace.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The page with the first Rust program.
const PAGE: &str = "docs/start/rust.md";
/// Another page with Rust.
const BODY: &str = "docs/body.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The Rust blocks of a text whose lines have lost their comment marks.
fn blocks<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in lines {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            open = match open.take() {
                Some((true, code)) => {
                    found.push(code);
                    None
                }
                Some((false, _)) => None,
                None => Some((matches!(language, "" | "rust"), String::new())),
            };
        } else if let Some((_, code)) = &mut open {
            // Lines that rustdoc hides.
            let line = line.strip_prefix("# ").unwrap_or(if line == "#" { "" } else { line });
            code.push_str(line);
            code.push('\n');
        }
    }
    found
}

/// The examples in the documentation comments of a source file.
fn examples(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or(line.strip_prefix("//!")).map_or("", |rest| rest.strip_prefix(' ').unwrap_or(rest))
    });
    blocks(lines)
}

#[test]
fn the_manual_and_the_documentation_compile_in_a_crate_of_their_own() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    files.sort();
    let mut programs: Vec<(String, String)> = Vec::new();
    for page in [PAGE, BODY] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let code = text.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
        let before = programs.len();
        programs.extend(code.map(|code| (page.to_owned(), code)));
        assert!(programs.len() > before, "{page} shows no Rust program");
    }
    for file in &files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let text = std::fs::read_to_string(file).unwrap();
        programs.extend(examples(&text).into_iter().map(|code| (name.clone(), code)));
    }
    for shown in ["Animator::new(", "World::new()", "SkeletonBuilder::new()"] {
        let in_docs = programs.iter().filter(|(name, _)| name != PAGE && name != BODY);
        assert!(in_docs.clone().any(|(_, code)| code.contains(shown)), "no example in src shows {shown}");
    }

    let mut main = String::from("#![allow(unused)]\nfn main() {}\n");
    for (i, (name, code)) in programs.iter().enumerate() {
        let code = match code.contains("fn main()") {
            true => code.clone(),
            false => format!("fn main() {{\n{code}\n}}\n"),
        };
        _ = write!(main, "\nmod example_{i} {{\n// {name}\n{}}}\n", code.replace("//! ", "// "));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside_workspace");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/main.rs"), main).unwrap();
    let library = root().display().to_string().replace('\\', "/");
    let manifest = format!(
        "[package]\nname = \"stranger\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         sinew = {{ path = \"{library}\", default-features = false }}\n\n[workspace]\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    // The same versions of everything, without a network.
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();

    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["check", "--offline"]).current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target"));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
