//! The three lists of functions are one: what `src/ffi` exports, what the header declares, what the
//! C# layer imports. `cargo xtask codegen --check` compares whole files; this needs no tool and
//! names the missing function.

use std::collections::BTreeSet;
use std::path::Path;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|e| panic!("{path}: {e}; `cargo xtask codegen` writes it"))
}

fn name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Functions that are there in every build: those behind `cfg(feature = "fault-injection")` are for
/// our tests alone.
fn exported() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi");
    let hidden_modules = hidden_modules();
    // The macro in `export.rs` exports each of these.
    let listed = read("src/ffi/exports.rs");
    for entry in std::fs::read_dir(folder).expect("src/ffi") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            continue;
        }
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if hidden_modules.contains(&module) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let mut attributes = String::new();
        for line in text.lines().map(str::trim) {
            // An entry of `accessors!`.
            let accessor =
                ["set ", "get ", "get_posed ", "get_of_buffer "].iter().find_map(|kind| line.strip_prefix(kind));
            if let Some(rest) = accessor.filter(|rest| rest.starts_with("sinew_")) {
                found.insert(name(rest));
            } else if line.starts_with("#[") {
                attributes += line;
            } else if let Some((_, rest)) = line.split_once("extern \"C\" fn ") {
                // In the macro itself there is no name.
                if rest.starts_with("sinew_") && line.starts_with("pub ") && !attributes.contains("cfg(") {
                    assert!(listed.contains(&format!(" {}(", name(rest))), "{} is not exported", name(rest));
                    found.insert(name(rest));
                }
                attributes.clear();
            } else if !line.starts_with("//") && !line.is_empty() {
                attributes.clear();
            }
        }
    }
    found
}

/// Modules of `src/ffi` that exist under a `cfg` only.
fn hidden_modules() -> BTreeSet<String> {
    let text = read("src/ffi/mod.rs");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let behind_cfg = lines.windows(2).filter(|pair| pair[0].starts_with("#[cfg("));
    behind_cfg.filter_map(|pair| Some(name(pair[1].split_once("mod ")?.1))).collect()
}

fn declared() -> BTreeSet<String> {
    read("include/sinew/sinew.h").split("SINEW_API SinewResult ").skip(1).map(name).collect()
}

fn imported() -> BTreeSet<String> {
    let text = read("unity-package/Runtime/Interop/NativeMethods.g.cs");
    text.split("EntryPoint = \"").skip(1).map(name).collect()
}

#[test]
fn header_and_csharp_have_the_functions_that_are_exported() {
    let exported = exported();
    assert!(exported.len() >= 60, "only {} functions found in src/ffi", exported.len());
    for (what, found) in [("sinew.h", declared()), ("NativeMethods.g.cs", imported())] {
        let missing: Vec<_> = exported.difference(&found).collect();
        let extra: Vec<_> = found.difference(&exported).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{what} lacks {missing:?} and has {extra:?} too much; run `cargo xtask codegen`"
        );
    }
}

/// What a function's comment begins with: one verb per kind of call, so that the header can be
/// searched by it.
const VERBS: [&str; 26] = [
    "Adds",
    "Advances",
    "Clears",
    "Computes",
    "Copies",
    "Creates",
    "Destroys",
    "Drags",
    "Draws",
    "Ends",
    "Fills",
    "Finds",
    "Makes",
    "Maps",
    "Overrides",
    "Removes",
    "Reports",
    "Resets",
    "Returns",
    "Runs",
    "Sets",
    "Solves",
    "Starts",
    "Gathers",
    "Receives",
    "Writes",
];

#[test]
fn every_export_is_documented_with_every_parameter_and_begins_with_its_verb() {
    let header = read("include/sinew/sinew.h");
    let parts: Vec<&str> = header.split("SINEW_API SinewResult ").collect();
    for (before, after) in parts.iter().zip(&parts[1..]) {
        let function = name(after);
        let comment = before.rsplit("/**").next().unwrap_or_default();
        assert!(comment.trim_end().ends_with("*/"), "{function} has no comment right above it");
        let first = comment.split_whitespace().find(|word| *word != "*").unwrap_or_default();
        assert!(VERBS.contains(&first), "the comment of {function} begins with {first:?}");
        // `out_right, out_up` is one tag for two.
        let tags: String = comment
            .split("@param ")
            .skip(1)
            .filter_map(|tag| tag.split("  ").next())
            .fold(String::new(), |all, tag| all + tag + ",");
        let described: BTreeSet<&str> = tags.split(',').map(str::trim).collect();
        let list = after.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(list, _)| list);
        for parameter in list.split(',').filter_map(|p| p.split([' ', '*']).next_back()).map(str::trim) {
            // The object a function works on needs no words.
            let is_object =
                ["void", "skeleton", "avatar", "animator", "constraint", "world", "job", "grounder", "body", "task"]
                    .contains(&parameter);
            assert!(is_object || described.contains(parameter), "{function} does not describe {parameter}");
        }
        if let Some((_, codes)) = comment.split_once("@return ") {
            let is_said = codes.starts_with("SINEW_ERROR_") || codes.starts_with("the code of the first ");
            assert!(is_said, "{function}: @return names its own error codes, not {codes:?}");
        }
    }
}

#[test]
fn the_header_has_sections_and_lines_of_at_most_100_columns() {
    let header = read("include/sinew/sinew.h");
    for (number, line) in header.lines().enumerate() {
        assert!(line.len() <= 100, "sinew.h:{}: {} columns", number + 1, line.len());
    }
    let opened = header.matches("@defgroup ").count();
    assert!(opened >= 10 && opened == header.matches("/** @} */").count(), "{opened} groups");
    let first = header.find("@defgroup").unwrap_or(0);
    for item in ["SINEW_API SinewResult ", "typedef struct ", "SINEW_ENUM(Sinew"] {
        let outside = header[..first].contains(item);
        assert!(!outside, "{item} stands before the first group");
    }
}
