//! Links and source paths in backticks of the documents exist; those that packages ship, there.

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

/// Documents that leave the repository in a package, each with the folder that the package has of
/// it: a link out of that folder is dead for its reader. Registries show the READMEs of npm, NuGet
/// and the wheel, and archives that of the SDK, without any other file: `None`.
fn shipped() -> Vec<(PathBuf, String, Option<PathBuf>)> {
    fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
        for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            match path.is_dir() {
                true if path.file_name().is_some_and(|name| name == "node_modules" || name == "target") => {}
                true => collect(&path, out),
                false if path.extension().is_some_and(|e| e == "md") => out.push(path),
                false => {}
            }
        }
    }
    let alone =
        ["bindings/csharp", "bindings/python", "bindings/web", "xtask/src/package"].map(|name| root().join(name));
    let mut found = Vec::new();
    for package in ["unity-package", "bindings/cpp"].map(|name| root().join(name)).iter().chain(&alone) {
        let mut paths = Vec::new();
        collect(package, &mut paths);
        paths.sort();
        assert!(!paths.is_empty(), "{} has no document", package.display());
        let own = (!alone.contains(package)).then(|| package.clone());
        found.extend(paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap(), own.clone())));
    }
    found
}

/// Targets of the links of a document, without those in code.
fn links(text: &str) -> Vec<String> {
    let mut in_code = false;
    let is_prose = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    };
    let prose: Vec<&str> = text.lines().filter(is_prose).collect();
    let outside_of_spans: String = prose.join("\n").split('`').step_by(2).collect::<Vec<_>>().join("`");
    outside_of_spans.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_string).collect()
}

/// The headings of a document as links name them: lower case, hyphens for spaces, no other signs.
fn anchors(text: &str) -> Vec<String> {
    let mut in_code = false;
    let headings = text.lines().filter(|line| {
        in_code ^= line.trim_start().starts_with("```");
        !in_code && line.starts_with('#')
    });
    let slug = |heading: &str| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let keeps = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        title.chars().filter(keeps).map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
    };
    headings.map(slug).collect()
}

/// What is wrong with a link of the document at `path`, which a package ships with `own` only.
fn fault(path: &Path, text: &str, link: &str, own: Option<&Path>) -> Option<&'static str> {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = match file.is_empty() {
        true => path.to_path_buf(),
        false => path.parent().unwrap().join(file),
    };
    let Ok(target) = target.canonicalize() else { return Some("no such file") };
    if own.is_some_and(|own| !target.starts_with(own.canonicalize().unwrap())) {
        return Some("not in the package");
    }
    let anchor = anchor.filter(|_| target.extension().is_some_and(|e| e == "md"))?;
    let there = if file.is_empty() { anchors(text) } else { anchors(&std::fs::read_to_string(&target).unwrap()) };
    (!there.iter().any(|known| known == anchor)).then_some("no such heading")
}

#[test]
fn links_lead_somewhere() {
    let (mut checked, mut dead) = (0, Vec::new());
    let mut check = |path: &Path, text: &str, own: Option<&Path>, has_files: bool| {
        for link in links(text) {
            if link.contains("://") {
                continue;
            }
            checked += 1;
            let wrong = match !has_files && !link.starts_with('#') {
                true => Some("shown without other files: link to an address"),
                false => fault(path, text, &link, own),
            };
            dead.extend(wrong.map(|wrong| format!("{}: {link}: {wrong}", path.display())));
        }
    };
    for (path, text) in documents() {
        check(&path, &text, None, true);
    }
    for (path, text, own) in shipped() {
        check(&path, &text, own.as_deref(), own.is_some());
    }
    assert!(checked > 200, "only {checked} links found");
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Whether the host of an address is a name that is reserved for examples.
fn is_reserved(address: &str) -> bool {
    let host = address.split("://").nth(1).unwrap_or("").split(['/', ':', '#']).next().unwrap_or("");
    let is = |name: &str| host == name || host.ends_with(&format!(".{name}"));
    ["example", "example.com", "example.org", "example.net", "invalid", "test"].into_iter().any(is)
}

/// Addresses of the project's home, as soon as it has one, name files of the repository; no link
/// leads to a reserved name.
#[test]
fn addresses_of_the_home_lead_to_files() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let section = manifest.split("[workspace.metadata.home]").nth(1).expect("the home's addresses");
    let homes: Vec<&str> = section
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split('"').nth(1))
        .filter(|address| address.starts_with("https://"))
        .collect();
    let pages = documents().into_iter().chain(shipped().into_iter().map(|(path, text, _)| (path, text)));
    let mut dead = Vec::new();
    for (path, text) in pages {
        for link in links(&text) {
            if is_reserved(&link) {
                dead.push(format!("{}: {link}", path.display()));
            }
            let Some(rest) = homes.iter().find_map(|home| link.strip_prefix(home.trim_end_matches('/'))) else {
                continue;
            };
            let file = rest.trim_start_matches('/').split('#').next().unwrap_or("");
            if file.ends_with(".md") && !root().join(file).is_file() {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
    assert!(
        is_reserved("https://sinew.example/a") && is_reserved("https://example.com") && is_reserved("http://a.test:8")
    );
    assert!(!is_reserved("https://example.community/a") && !is_reserved("docs/test/a.md"));
}

#[test]
fn dead_links_are_found() {
    let page = root().join("docs/cookbook.md");
    let text = "# One: `two` & 3\n\n```\n# none [a](b)\n```\n[c](d#e) `[f](g)` [h](#one-two--3)\n";
    assert_eq!(links(text), ["d#e", "#one-two--3"]);
    assert_eq!(anchors(text), ["one-two--3"]);
    let fault = |link: &str, own: Option<&str>| fault(&page, text, link, own.map(|own| root().join(own)).as_deref());
    assert_eq!(fault("#one-two--3", None), None);
    assert_eq!(fault("#one", None), Some("no such heading"));
    assert_eq!(fault("body.md", Some("docs")), None);
    assert_eq!(fault("../README.md", Some("docs")), Some("not in the package"));
    assert_eq!(fault("nothing.md", None), Some("no such file"));
    assert_eq!(fault("body.md#nothing", None), Some("no such heading"));
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
