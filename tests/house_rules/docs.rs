//! Relative links and source paths in backticks of the documents exist.

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Folders of sources that documents name.
const FOLDERS: [&str; 10] = [
    "src/",
    "tests/",
    "testkit/",
    "bindings/",
    "unity-package/",
    "xtask/",
    "docs/",
    "examples/",
    "benches/",
    "include/",
];

/// The documents at the top and in `docs`.
fn documents() -> Vec<(PathBuf, String)> {
    let folders = [root().to_path_buf(), root().join("docs"), root().join("docs/start")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|e| e.unwrap().path());
    let documents = files.filter(|path| path.extension().is_some_and(|e| e == "md"));
    documents.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn links_lead_somewhere() {
    let (mut checked, mut dead) = (0, Vec::new());
    for (path, text) in documents() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or("");
            if file.is_empty() || file.contains("://") {
                continue;
            }
            checked += 1;
            if !path.parent().unwrap().join(file).exists() {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(checked > 20, "only {checked} links found");
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn sources_that_the_documents_name_exist() {
    let (mut checked, mut missing) = (0, Vec::new());
    for (path, text) in documents() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|folder| word.starts_with(folder));
            let is_pattern =
                word.contains(['*', '{', ' ', '\n']) || ["NAME", "OBJECT"].iter().any(|x| word.contains(x));
            if !is_path || is_pattern {
                continue;
            }
            checked += 1;
            if !root().join(word).exists() {
                missing.push(format!("{name}: {word}"));
            }
        }
    }
    assert!(checked > 50, "only {checked} paths found");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Claims that were once untrue are gone from the README; what was measured is in it.
#[test]
fn the_readme_claims_what_was_measured() {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let readme = plain(&std::fs::read_to_string(root().join("README.md")).unwrap());
    for untrue in
        ["cannot be made to crash", "same pose bits on every platform", "starts no threads, and", "use testkit"]
    {
        assert!(!readme.contains(untrue), "README.md: {untrue}");
    }
    for (_, text) in documents() {
        assert!(!plain(&text).contains("No threads of our own"), "a world may have threads of its own");
    }
    for said in
        ["under emulation", "undefined behaviour", "reset_pose", "Rewrite the pose every frame", "no native library"]
    {
        assert!(readme.contains(said), "README.md does not say {said:?} any more");
    }
    assert!(root().join("CHANGELOG.md").is_file());
}

/// The messages that docs/troubleshooting.md explains are messages of the library.
#[test]
fn messages_that_are_explained_exist() {
    fn sources(folder: &Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.path() {
                path if path.is_dir() => sources(&path, text),
                path => *text += &std::fs::read_to_string(path).unwrap(),
            }
        }
    }
    let mut library = std::fs::read_to_string(root().join("include/sinew/sinew.h")).unwrap();
    sources(&root().join("src"), &mut library);
    let page = std::fs::read_to_string(root().join("docs/troubleshooting.md")).unwrap();
    let section = page.split("## Messages").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut checked = 0;
    for cell in section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next()) {
        for message in cell.trim_end_matches('`').split("` … `") {
            checked += 1;
            assert!(library.contains(message), "no message of the library has {message:?}");
        }
    }
    assert!(checked > 8, "only {checked} messages found");
}
