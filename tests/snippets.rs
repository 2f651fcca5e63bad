//! The C snippets of the manual compile.

mod needs;

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    needs::run(&[(needs::program("cc"), tests![every_c_snippet_compiles])])
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Pages of the manual with their C snippets, as programs; those of docs/start are whole files,
/// which tests/readme.rs compiles.
fn snippets() -> Vec<(String, String)> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root().join("docs")).unwrap().map(|e| e.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|e| e == "md"));
    pages.sort();
    let mut snippets = Vec::new();
    for page in pages {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&page).unwrap();
        for (i, part) in text.split("\n```c\n").enumerate().skip(1) {
            let code = part.split("\n```").next().unwrap();
            // "…" stands for the host's own code between two parts.
            let code: Vec<&str> = code.lines().filter(|line| line.trim() != "…").collect();
            snippets.push((format!("{name}, snippet {i}"), code.join("\n")));
        }
    }
    snippets
}

fn every_c_snippet_compiles() {
    let snippets = snippets();
    assert!(snippets.len() > 25, "only {} snippets found", snippets.len());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("snippets");
    std::fs::create_dir_all(&folder).unwrap();
    let header = std::fs::read_to_string(root().join("tests/c/snippets.h")).unwrap();
    let mut program = header;
    for (i, (_, code)) in snippets.iter().enumerate() {
        // Functions stand by themselves; what is not one is inside of a function.
        let (begin, end) = match code.starts_with("static ") {
            true => (String::new(), ""),
            false => (format!("void snippet_{i}(void)\n{{\n"), "}\n"),
        };
        program += &format!("\n{begin}#line 1 \"snippet {i}\"\n{code}\n{end}");
    }
    let file = folder.join("snippets.c");
    std::fs::write(&file, program).unwrap();
    let mut command = Command::new("cc");
    // A snippet may end before it uses what it declares.
    command.args(["-std=c99", "-Wall", "-Wextra", "-Wno-unused", "-Werror", "-fsyntax-only", "-I"]);
    let output = command.arg(root().join("include")).arg(&file).output().unwrap();
    let mut errors = String::from_utf8_lossy(&output.stderr).into_owned();
    for (i, (name, _)) in snippets.iter().enumerate().rev() {
        errors = errors.replace(&format!("snippet {i}:"), &format!("docs/{name}, line "));
    }
    assert!(output.status.success(), "{errors}");
}
