//! House rules of `src`: a layer uses only layers above it, and no files use one another in a
//! circle; every file has a description, is short enough to read, and leaves unsafe code to
//! `src/ffi` and the two small files that pick the vector unit.

use crate::source_graph::FileGraph;
use std::path::{Path, PathBuf};

/// The layers, in the order data flows.
const ROOMS: [&str; 19] = [
    "math",
    "store",
    "optim",
    "debug",
    "skeleton",
    "limits",
    "outcome",
    "closed_form",
    "tasks",
    "body",
    "chains",
    "constraints",
    "humanoid",
    "grounding",
    "trackers",
    "animator",
    "world",
    "record",
    "ffi",
];

/// Lines a file may have, not counting documentation, which is the manual and half of each file in
/// `src/ffi`.
const LONGEST: usize = 600;

fn sources() -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("src can be listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    assert!(!paths.is_empty());
    paths
        .into_iter()
        .map(|p| {
            let text = std::fs::read_to_string(&p).expect("a source can be read");
            (p.strip_prefix(&root).expect("below src").to_path_buf(), text)
        })
        .collect()
}

/// The text without line comments.
fn code(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The layers that `crate::layer` and `crate::{layer, …}` name.
fn used_rooms(code: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = Vec::new();
    for part in code.split("crate::").skip(1) {
        let Some(list) = part.strip_prefix('{') else {
            found.push(name(part));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (index, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && !c.is_whitespace() => {
                    found.push(name(&list[index..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn a_layer_uses_only_layers_above_it() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let first = path.components().next().expect("a name").as_os_str().to_string_lossy().replace(".rs", "");
        if first == "lib" {
            continue;
        }
        let Some(room) = ROOMS.iter().position(|r| *r == first) else {
            wrong.push(format!("{} is in no room of the list in tests/house_rules/room_order.rs", path.display()));
            continue;
        };
        for used in used_rooms(&code(&text)) {
            match ROOMS.iter().position(|r| *r == used) {
                Some(other) if other <= room => {}
                Some(_) => wrong.push(format!("{} uses {used}, which lies below {first}", path.display())),
                None => wrong.push(format!("{} uses crate::{used}, which is no room", path.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reader_of_uses_reads_them() {
    let text = "use crate::math::{Vec3, lane};\nuse crate::{\n    goal::Goal, // crate::no\n    skeleton::{Pose, a},\n};\nlet x = crate::debug::Line {};";
    assert_eq!(used_rooms(&code(text)), ["math", "goal", "skeleton", "debug"]);
}

#[test]
fn no_files_use_one_another_in_a_circle() {
    let graph = FileGraph::new(&sources());
    let uses: usize = graph.uses.iter().map(|u| u.len()).sum();
    assert!(uses > 2 * graph.files.len(), "only {uses} uses among {} files: the reader fails", graph.files.len());
    let circles: Vec<String> = graph.circles().into_iter().map(|lines| lines.join("\n")).collect();
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n\n"));
}

/// Circles of a crate with these files.
fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let files: Vec<_> = files.iter().map(|(path, text)| (PathBuf::from(path), text.to_string())).collect();
    FileGraph::new(&files).circles()
}

#[test]
fn the_file_graph_follows_re_exports_and_finds_circles() {
    let facade = ("a/mod.rs", "mod b; mod c; pub use b::B; pub(crate) use c::{C, see as other};");
    let b = ("a/b.rs", "use super::C; pub struct B; // crate::a::other");
    let c = ("a/c.rs", "pub struct C; pub fn see() {} #[cfg(test)] mod tests { use crate::a::B; }");
    let root = ("lib.rs", "pub mod a;");
    assert!(circles(&[root, facade, b, c]).is_empty());

    // Through the parent's re-export, by a renamed one, by a path in the code, and by a module's
    // name.
    for back in [
        "use super::B; pub struct C; pub fn see() {}",
        "pub struct C; pub fn see() { let _ = crate::a::B; }",
        "use super::b; pub struct C; pub fn see() -> b::B {}",
        "use crate::{a::{self, other}}; pub struct C; pub fn see(_: a::B) { '\\'' }",
        "pub struct C; pub fn see(_: &'static super::b::B) { \"//\"; }",
    ] {
        let found = circles(&[root, facade, b, ("a/c.rs", back)]);
        assert_eq!(found.len(), 1, "{back}: {found:?}");
        assert_eq!(found[0].len(), 2, "{back}: {found:?}");
    }

    // A parent that defines what its child uses must not use that child.
    let parent = ("a/mod.rs", "mod b; pub const LIMIT: f32 = 1.0; fn f() { b::g(); }");
    let child = ("a/b.rs", "use super::LIMIT; pub fn g() { LIMIT; }");
    assert_eq!(circles(&[root, parent, child]).len(), 1);
    let passes_on = ("a/mod.rs", "mod b; pub const LIMIT: f32 = 1.0; pub use b::g;");
    assert!(circles(&[root, passes_on, child]).is_empty());
    let passes_on_and_uses = ("a/mod.rs", "mod b; pub const LIMIT: f32 = 1.0; pub use b::g; fn f() { g(); }");
    assert_eq!(circles(&[root, passes_on_and_uses, child]).len(), 1);
}

#[test]
fn every_file_begins_with_what_it_is() {
    let wrong: Vec<_> = sources().into_iter().filter(|(_, t)| !t.starts_with("//!")).map(|(p, _)| p).collect();
    assert!(wrong.is_empty(), "no `//!` on top: {wrong:?}");
}

#[test]
fn no_file_is_too_long() {
    let lines = |text: &str| text.lines().filter(|l| !l.trim_start().starts_with("//")).count();
    let wrong: Vec<_> = sources().into_iter().filter(|(_, t)| lines(t) > LONGEST).map(|(p, _)| p).collect();
    assert!(wrong.is_empty(), "over {LONGEST} lines: {wrong:?}");
}

#[test]
fn unsafe_code_is_in_ffi_and_the_dispatch_only() {
    // They call functions compiled for a vector unit after checking that the processor has it, and
    // the unit's instructions in those, and nothing else.
    let dispatch = ["dispatch.rs", "eight_dispatch.rs", "avx_lane.rs"].map(|file| Path::new("math").join(file));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let wrong: Vec<_> = sources()
        .into_iter()
        .filter(|(path, text)| {
            !path.starts_with("ffi")
                && !dispatch.contains(path)
                && code(text).split(|c| !is_word(c)).any(|w| w == "unsafe")
        })
        .map(|(path, _)| path)
        .collect();
    assert!(wrong.is_empty(), "`unsafe` in {wrong:?}");
}
