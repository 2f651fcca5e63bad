//! The three lists of functions are one: what `src/ffi` exports, what the header declares, what the C# layer imports.
//! `cargo xtask codegen --check` compares whole files; this needs no tool and says which function is missing.

use std::collections::BTreeSet;
use std::path::Path;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|e| panic!("{path}: {e}; `cargo xtask codegen` writes it"))
}

fn name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Functions that are there in every build: those behind `cfg(feature = "fault-injection")` are for our tests alone.
fn exported() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi");
    let hidden_modules = hidden_modules();
    for entry in std::fs::read_dir(folder).expect("src/ffi") {
        let path = entry.expect("an entry").path();
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if hidden_modules.contains(&module) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let mut attributes = String::new();
        for line in text.lines().map(str::trim) {
            if line.starts_with("#[") {
                attributes += line;
            } else if let Some((_, rest)) = line.split_once("extern \"C\" fn ") {
                if attributes.contains("no_mangle") && !attributes.contains("cfg(") {
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

#[test]
fn every_export_is_documented_and_says_what_it_returns() {
    let header = read("include/sinew/sinew.h");
    for part in header.split("SINEW_API SinewResult ").collect::<Vec<_>>().windows(2) {
        let function = name(part[1]);
        let comment = part[0].rsplit("/**").next().unwrap_or_default();
        assert!(comment.contains("@return SINEW_OK"), "{function} does not say what it returns");
        assert!(comment.trim_end().ends_with("*/"), "{function} has no comment right above it");
    }
}
