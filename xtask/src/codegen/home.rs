//! Web addresses in the Unity package, from one place: `[workspace.metadata.home]` of Cargo.toml.
//!
//! Where that table states none, package.json has no addresses and components no `[HelpURL]`.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Names that nobody can register (RFC 2606, RFC 6761): a link to them leads nowhere.
const RESERVED: [&str; 6] = ["example", "test", "invalid", "localhost", "example.com", "example.org"];

/// Where the project is on the web.
struct Home {
    repository: String,
    /// What a path of the tree follows.
    files: String,
}

impl Home {
    /// The addresses that a manifest states; none where both are missing.
    fn read(manifest: &str) -> Result<Option<Self>> {
        let table =
            manifest.split("[workspace.metadata.home]").nth(1).context("Cargo.toml: [workspace.metadata.home]")?;
        let table = table.split("\n[").next().unwrap_or(table);
        let stated = |key: &str| between(table, &format!("\n{key} = \""), "\"").map(str::to_owned);
        let (repository, files) = match (stated("repository"), stated("files")) {
            (None, None) => return Ok(None),
            (Some(repository), Some(files)) => (repository, files),
            _ => anyhow::bail!("Cargo.toml: home has one of `repository` and `files`, not both"),
        };
        for address in [&repository, &files] {
            ensure!(!is_reserved(address), "Cargo.toml: home: {address} is a reserved name, to which no link leads");
        }
        Ok(Some(Home { repository, files }))
    }

    fn page(&self, path: &str) -> String {
        format!("{}/unity-package/{path}", self.files)
    }
}

/// Whether the host of an address is a reserved name, or no host at all.
fn is_reserved(address: &str) -> bool {
    let Some((_, rest)) = address.split_once("://") else { return true };
    let host = rest.split(['/', ':']).next().unwrap_or("");
    host.is_empty() || RESERVED.iter().any(|name| host == *name || host.ends_with(&format!(".{name}")))
}

/// The text between two others, the first time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    Some(&text[start..start + text[start..].find(after)?])
}

/// A text with another part between two marks, which stay.
fn with_part(text: &str, before: &str, after: &str, part: &str) -> Result<String> {
    let old = between(text, before, after).with_context(|| format!("nothing between {before:?} and {after:?}"))?;
    Ok(text.replacen(&format!("{before}{old}{after}"), &format!("{before}{part}{after}"), 1))
}

/// package.json with the addresses, or without any.
fn manifest(json: &str, home: Option<&Home>) -> Result<String> {
    let author = home.map_or_else(String::new, |home| {
        format!(",\n        \"url\": \"{}\"", home.repository.trim_end_matches(".git"))
    });
    let addresses = home.map_or_else(String::new, |home| {
        let pages = [
            ("documentationUrl", "Documentation~/index.md"),
            ("changelogUrl", "CHANGELOG.md"),
            ("licensesUrl", "LICENSE.md"),
        ];
        let pages = pages.map(|(key, path)| format!("    \"{key}\": \"{}\",\n", home.page(path)));
        let lines = [
            "\"type\": \"git\"".into(),
            format!("\"url\": \"{}\"", home.repository),
            "\"directory\": \"unity-package\"".into(),
        ];
        let lines: Vec<String> = lines.iter().map(|line: &String| format!("        {line}")).collect();
        format!("{}    \"repository\": {{\n{}\n    }},\n", pages.concat(), lines.join(",\n"))
    });
    let json = with_part(json, "\"The Sinew authors\"", "\n    },", &author)?;
    with_part(&json, "\"license\": \"MIT OR Apache-2.0\",\n", "    \"unityRelease\"", &addresses)
}

/// A C# file whose classes with `[ManualPage("page.md")]` have that page's address in
/// `[HelpURL]`, or no such line. None: it has no such class.
fn script(text: &str, home: Option<&Home>) -> Option<String> {
    let is_help = |line: &str| line.trim_start().starts_with("[HelpURL(");
    let page_of = |line: &str| between(line, "[ManualPage(\"", "\")]").map(str::to_owned);
    if !text.lines().any(|line| line.trim_start().starts_with("[ManualPage(")) {
        return None;
    }
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !is_help(line)) {
        if let (Some(home), Some(page)) = (home, page_of(line)) {
            let indent = &line[..line.len() - line.trim_start().len()];
            lines.push(format!("{indent}[HelpURL(\"{}\")]", home.page(&format!("Documentation~/{page}"))));
        }
        lines.push(line.to_owned());
    }
    Some(lines.join("\n") + "\n")
}

/// The files with the addresses that Cargo.toml states in place of those that are there.
pub fn generate(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| path.display().to_string());
    let home = Home::read(&read(&root.join("Cargo.toml"))?)?;
    let package = root.join("unity-package");
    let json = package.join("package.json");
    let mut files = vec![(json.clone(), manifest(&read(&json)?, home.as_ref()).context("package.json")?)];
    let components = package.join("Runtime/Components");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&components)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    for path in paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "cs")) {
        if let Some(text) = script(&read(&path)?, home.as_ref()) {
            files.push((path, text));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATED: &str = "[workspace.metadata.home]\nrepository = \"https://git.sinew.dev/sinew.git\"\n\
        files = \"https://git.sinew.dev/sinew\"\n\n[profile.dev]\n";

    #[test]
    fn the_text_between_two_others_is_found() {
        assert_eq!(between("a = \"b\"; c", "\"", "\""), Some("b"));
        assert_eq!(between("a", "\"", "\""), None);
    }

    #[test]
    fn reserved_names_are_refused() {
        for address in
            ["https://sinew.example/sinew.git", "http://localhost:8000", "https://example.com", "sinew.dev", "https://"]
        {
            assert!(is_reserved(address), "{address}");
            let manifest = STATED.replace("https://git.sinew.dev/sinew.git", address);
            assert!(Home::read(&manifest).is_err(), "{address}");
        }
        for address in ["https://sinew.dev/example/sinew.git", "https://examples.com", "https://contest.org/a.test"] {
            assert!(!is_reserved(address), "{address}");
        }
        assert!(Home::read("[workspace.metadata.home]\nfiles = \"https://sinew.dev\"\n").is_err(), "one of two");
    }

    #[test]
    fn addresses_come_and_go() {
        let package = crate::paths::root().join("unity-package");
        let (bare, stated) =
            (Home::read("[workspace.metadata.home]\n\n[other]\nfiles = \"x\"\n").unwrap(), Home::read(STATED).unwrap());
        assert!(bare.is_none() && stated.is_some());
        let json = std::fs::read_to_string(package.join("package.json")).unwrap();
        let with = manifest(&json, stated.as_ref()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&with).unwrap();
        assert_eq!(value["documentationUrl"], "https://git.sinew.dev/sinew/unity-package/Documentation~/index.md");
        assert_eq!(value["changelogUrl"], "https://git.sinew.dev/sinew/unity-package/CHANGELOG.md");
        assert_eq!(value["licensesUrl"], "https://git.sinew.dev/sinew/unity-package/LICENSE.md");
        assert_eq!(value["repository"]["url"], "https://git.sinew.dev/sinew.git");
        assert_eq!(value["author"]["url"], "https://git.sinew.dev/sinew");
        let without = manifest(&with, bare.as_ref()).unwrap();
        assert!(!without.contains("://"), "{without}");
        serde_json::from_str::<serde_json::Value>(&without).unwrap();
        assert_eq!(manifest(&without, stated.as_ref()).unwrap(), with);

        let plain = "    [AddComponentMenu(\"A\")]\n    [ManualPage(\"sinew-aim.md\")]\n    class A\n";
        let help = script(plain, stated.as_ref()).unwrap();
        let line = "    [HelpURL(\"https://git.sinew.dev/sinew/unity-package/Documentation~/sinew-aim.md\")]\n    [ManualPage(";
        assert!(help.contains(line), "{help}");
        assert_eq!(script(&help, stated.as_ref()).unwrap(), help);
        assert_eq!(script(&help, bare.as_ref()).unwrap(), plain);
        assert_eq!(script("class A\n", bare.as_ref()), None);
    }
}
