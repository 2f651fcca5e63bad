//! Web addresses in the Unity package, from one place: `[workspace.metadata.home]` of Cargo.toml.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Files with addresses of the project.
const FILES: [&str; 3] = ["package.json", "Runtime/Components/SinewHelp.cs", "Documentation~/where-unity-is-silent.md"];

/// The text between two others, the first time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    Some(&text[start..start + text[start..].find(after)?])
}

/// The files with the addresses that Cargo.toml states in place of those that are there.
pub fn generate(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).context("Cargo.toml")?;
    let table = manifest.split("[workspace.metadata.home]").nth(1).context("Cargo.toml: [workspace.metadata.home]")?;
    let stated = |key: &str| between(table, &format!("\n{key} = \""), "\"").with_context(|| format!("home.{key}"));
    let (repository, files) = (stated("repository")?, stated("files")?);
    let package = root.join("unity-package");
    let json = std::fs::read_to_string(package.join(FILES[0])).context(FILES[0])?;
    let old_files = between(&json, "\"documentationUrl\": \"", "/unity-package/").context("documentationUrl")?;
    let old_repository = between(&json, "\"type\": \"git\",\n        \"url\": \"", "\"").context("repository.url")?;
    let bare = |url: &str| url.trim_end_matches(".git").to_owned();
    FILES
        .into_iter()
        .map(|name| {
            let path = package.join(name);
            let mut text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            for folder in ["/unity-package/", "/docs/"] {
                text = text.replace(&format!("{old_files}{folder}"), &format!("{files}{folder}"));
            }
            // The author's page is the repository without its ending.
            text = text.replace(&format!("{}\"", bare(old_repository)), &format!("{}\"", bare(repository)));
            text = text.replace(&format!("{old_repository}\""), &format!("{repository}\""));
            Ok((path, text))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_text_between_two_others_is_found() {
        assert_eq!(super::between("a = \"b\"; c", "\"", "\""), Some("b"));
        assert_eq!(super::between("a", "\"", "\""), None);
    }
}
