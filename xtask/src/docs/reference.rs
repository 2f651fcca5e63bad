//! Reference pages of the manual, made of the comments in the header, the C# and the Godot classes.

use crate::paths;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::path::Path;

/// A page: its place in the book, title, text, and whether it belongs below the one before.
pub struct Page {
    pub place: String,
    pub title: String,
    pub text: String,
    pub is_below: bool,
}

/// All reference pages, in the order of the table of contents.
pub fn pages() -> Result<Vec<Page>> {
    let root = paths::root();
    let header = std::fs::read_to_string(root.join("include/sinew/sinew.h")).context("include/sinew/sinew.h")?;
    let mut pages = c(&header)?;
    let unity = root.join("unity-package/Runtime");
    pages.push(classes(
        "csharp",
        "C# reference",
        CSHARP_WORDS,
        &[&unity.join("Core"), &unity.join("Interop")],
        csharp,
    )?);
    pages.push(classes("unity", "Unity reference", UNITY_WORDS, &[&unity.join("Components")], csharp)?);
    pages.push(classes("godot", "Godot reference", GODOT_WORDS, &[&root.join("bindings/godot/src")], godot)?);
    pages.push(Page {
        place: "reference/rust.md".into(),
        title: "Rust reference".into(),
        text:
            "# Rust reference\n\n[The documentation of the crate](../rust/sinew/index.html), as `cargo doc` makes it.\n"
                .into(),
        is_below: false,
    });
    Ok(pages)
}

const CSHARP_WORDS: &str = "Classes of the C# binding: the same in Unity and without it.";
const UNITY_WORDS: &str = "Components of the Unity package. Each has a page of its own among the hosts.";
const GODOT_WORDS: &str = "Nodes and resources of the Godot addon; the editor shows the same texts.";

/// A commented piece of source: its comment as Markdown, its name, and its declaration.
#[derive(Debug, PartialEq)]
struct Entry {
    name: String,
    text: String,
    declaration: String,
}

fn c(header: &str) -> Result<Vec<Page>> {
    let mut front =
        "# C reference\n\nMade from the comments of `sinew/sinew.h`. The [contract](../c-abi.md) holds for \
                     every function; a text says only what differs.\n\n"
            .to_string();
    let mut pages = Vec::new();
    for group in header.split(" * @defgroup ").skip(1) {
        let (line, rest) = group.split_once('\n').context("a group without a line")?;
        let (id, title) = line.split_once(' ').context("a group without a title")?;
        let entries = entries_of_c(rest);
        ensure!(!entries.is_empty(), "nothing in the group {title}");
        _ = writeln!(front, "- [{title}](c/{id}.md)");
        let mut text = format!("# {title}\n\n");
        for entry in &entries {
            _ = write!(text, "## {}\n\n```c\n{}\n```\n\n{}\n", entry.name, entry.declaration, entry.text);
        }
        pages.push(Page { place: format!("reference/c/{id}.md"), title: title.into(), text, is_below: true });
    }
    ensure!(pages.len() > 10, "only {} groups in the header", pages.len());
    pages.insert(0, Page { place: "reference/c.md".into(), title: "C reference".into(), text: front, is_below: false });
    Ok(pages)
}

/// Comments at the start of a line with what they are about.
fn entries_of_c(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("\n/**") {
        let Some(length) = rest[start..].find("*/") else { break };
        let comment = &rest[start + 4..start + length];
        rest = &rest[start + length + 2..];
        let declaration = declaration_of_c(rest.trim_start_matches('\n'));
        if comment.contains("@{") || comment.contains("@}") || declaration.is_empty() {
            continue;
        }
        entries.push(Entry { name: name_of_c(&declaration), text: markdown(comment), declaration });
    }
    entries
}

/// Up to the semicolon that ends a declaration, or the end of a macro's line.
fn declaration_of_c(text: &str) -> String {
    let mut depth = 0i32;
    if text.starts_with("#define") {
        return text.lines().next().unwrap_or_default().to_string();
    }
    let mut is_comment = false;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match (byte, bytes.get(at + 1)) {
            (b'/', Some(b'*')) => is_comment = true,
            (b'*', Some(b'/')) => is_comment = false,
            _ if is_comment => {}
            (b'{' | b'(', _) => depth += 1,
            (b'}' | b')', _) => depth -= 1,
            (b';', _) if depth == 0 => return text[..=at].trim().replace("SINEW_API ", ""),
            _ => {}
        }
    }
    String::new()
}

fn name_of_c(declaration: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = |text: &str| -> Vec<String> {
        text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).map(str::to_string).collect()
    };
    if let Some(rest) = declaration.strip_prefix("SINEW_ENUM(") {
        return words(rest).into_iter().next().unwrap_or_default();
    }
    if declaration.starts_with("#define") {
        return words(declaration).into_iter().nth(1).unwrap_or_default();
    }
    if declaration.starts_with("typedef") && declaration.contains('{') {
        return words(declaration.rsplit('}').next().unwrap_or_default()).into_iter().next().unwrap_or_default();
    }
    match declaration.strip_prefix("typedef") {
        Some(callback) => callback.split("(*").nth(1).map(words).and_then(|w| w.into_iter().next()).unwrap_or_default(),
        None => words(declaration.split('(').next().unwrap_or_default()).into_iter().last().unwrap_or_default(),
    }
}

/// A comment of the header: parameters and results as a list.
fn markdown(comment: &str) -> String {
    let mut out = String::new();
    for line in comment.lines() {
        let line = line.trim().trim_start_matches('*').trim();
        let line = escape(line);
        if let Some(rest) = line.strip_prefix("@param ") {
            let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
            _ = writeln!(out, "\n- `{name}`: {}", text.trim());
        } else if let Some(rest) = line.strip_prefix("@return ") {
            _ = writeln!(out, "\nReturns: {rest}");
        } else {
            _ = writeln!(out, "{line}");
        }
    }
    out.trim().to_string() + "\n"
}

/// Text in which angle brackets and brackets are no HTML and no links.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        match i % 2 {
            0 => out += &part.replace('<', "&lt;").replace('>', "&gt;").replace('[', "\\[").replace('_', "\\_"),
            _ => out += part,
        }
    }
    out
}

/// One page with the commented items of all files in some folders.
fn classes(id: &str, title: &str, words: &str, folders: &[&Path], read: fn(&str) -> Vec<Entry>) -> Result<Page> {
    let ending = if id == "godot" { "rs" } else { "cs" };
    let mut text = format!("# {title}\n\n{words}\n");
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            files.push(entry?.path());
        }
    }
    files.retain(|file| file.extension().is_some_and(|e| e == ending));
    files.sort();
    let mut count = 0;
    for file in files {
        for entry in read(&std::fs::read_to_string(&file)?) {
            count += 1;
            if entry.declaration.is_empty() {
                _ = write!(text, "\n## {}\n\n{}", entry.name, entry.text);
            } else {
                _ = write!(
                    text,
                    "\n`{}`\n: {}",
                    entry.declaration.replace('`', ""),
                    entry.text.replace('\n', " ").trim()
                );
                text.push('\n');
            }
        }
    }
    ensure!(count > 10, "only {count} entries for {title}");
    Ok(Page { place: format!("reference/{id}.md"), title: title.into(), text, is_below: false })
}

/// Public classes of a C# file and their commented members.
fn csharp(source: &str) -> Vec<Entry> {
    const KINDS: [&str; 5] = ["class ", "struct ", "enum ", "interface ", "delegate "];
    let mut comment = String::new();
    let mut entries = Vec::new();
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            comment += text.trim();
            comment.push('\n');
        } else if line.starts_with('[') {
            continue;
        } else {
            if line.starts_with("public ") && !comment.is_empty() {
                let declaration = line.trim_end_matches([' ', '{', ';']).split(" => ").next().unwrap_or(line);
                let kind = KINDS.iter().find_map(|kind| declaration.split_once(kind)).map(|(_, rest)| rest);
                let name = kind.map(|rest| rest.split([' ', ':', '<', '(']).next().unwrap_or(rest).to_string());
                let text = escape(&without_tags(&comment)).trim().to_string() + "\n";
                let is_class = name.is_some();
                let declaration = if is_class { String::new() } else { declaration.replacen("public ", "", 1) };
                entries.push(Entry { name: name.unwrap_or_default(), text, declaration });
            }
            comment.clear();
        }
    }
    entries
}

/// XML comments as plain text: what an element refers to, and its content.
fn without_tags(xml: &str) -> String {
    let mut out = String::new();
    let mut rest = xml;
    while let Some((before, tail)) = rest.split_once('<') {
        out += before;
        let Some((tag, after)) = tail.split_once('>') else { break };
        let value = tag.split('"').nth(1).unwrap_or_default();
        if tag.starts_with("see") || tag.starts_with("paramref") {
            let name = value.rsplit('.').next().unwrap_or(value);
            out += &format!("`{name}`");
        } else if tag.starts_with("param ") {
            out += &format!(" `{value}`: ");
        } else if tag.starts_with("returns") {
            out += " Returns: ";
        }
        rest = after;
    }
    out += rest;
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Classes of a file of the Godot binding with their properties, functions and signals.
fn godot(source: &str) -> Vec<Entry> {
    let (mut comment, mut marks) = (String::new(), String::new());
    let mut entries = Vec::new();
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            comment += text.trim();
            comment.push('\n');
        } else if line.starts_with("#[") {
            marks += line;
        } else {
            let text = escape(&comment).trim().to_string() + "\n";
            let shown = |what: &str| marks.contains(what) && !comment.is_empty();
            let plain = line.trim_start_matches("pub ").trim_end_matches([',', '{', ' ', ';']);
            if shown("derive(GodotClass)") && plain.starts_with("struct ") {
                let name = plain.trim_start_matches("struct ").to_string();
                entries.push(Entry { name, text, declaration: String::new() });
            } else if ["#[export", "#[var", "#[func", "#[signal"].into_iter().any(shown) && !plain.is_empty() {
                let declaration = plain.trim_start_matches("fn ").replace("&mut self, ", "").replace("&self, ", "");
                let declaration = declaration.replace("&mut self", "").replace("&self", "").replace("Gd<Self>, ", "");
                entries.push(Entry { name: String::new(), text, declaration });
            }
            // A mark may be spread over several lines.
            if marks.matches('(').count() <= marks.matches(')').count() {
                comment.clear();
                marks.clear();
            } else {
                marks += line;
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_c_have_names_and_comments() {
        let header = "x\n/**\n * Adds <two>.\n *\n * @param a  first.\n * @return codes.\n */\nSINEW_API SinewResult \
                      sinew_add(int a,\n    int b);\n\n/** A point. */\ntypedef struct SinewPoint\n{\n  /** East; west. */\
                      \n  float x;\n} SinewPoint;\n/** Most. */\n#define SINEW_MOST 3\n";
        let entries = entries_of_c(header);
        let names: Vec<&str> = entries.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["sinew_add", "SinewPoint", "SINEW_MOST"]);
        assert_eq!(entries[0].declaration, "SinewResult sinew_add(int a,\n    int b);");
        assert_eq!(entries[0].text, "Adds &lt;two&gt;.\n\n\n- `a`: first.\n\nReturns: codes.\n");
        assert!(entries[1].declaration.ends_with("} SinewPoint;"));
    }

    #[test]
    fn every_function_of_the_header_has_an_entry() {
        let header = std::fs::read_to_string(paths::root().join("include/sinew/sinew.h")).unwrap();
        let text: String = pages().unwrap().into_iter().map(|page| page.text).collect();
        let mut count = 0;
        for line in header.lines().filter_map(|line| line.strip_prefix("SINEW_API SinewResult ")) {
            let name = line.split('(').next().unwrap_or_default();
            assert!(text.contains(&format!("\n## {name}\n")), "{name}");
            count += 1;
        }
        assert!(count > 200, "{count} functions");
        for class in ["NativeAnimator", "SinewAnimator", "SinewChainIK"] {
            assert!(text.contains(&format!("\n## {class}\n")), "{class}");
        }
    }

    #[test]
    fn members_of_classes_are_read() {
        let source = "/// <summary>A <see cref=\"Foo.Bar\"/>.</summary>\npublic sealed class Tail : X\n{\n    /// <summary>How \
                      far.</summary>\n    [Range(0, 1)]\n    public float Reach => 1;\n}";
        let entries = csharp(source);
        assert_eq!((entries[0].name.as_str(), entries[0].text.as_str()), ("Tail", "A `Bar`.\n"));
        assert_eq!(entries[1].declaration, "float Reach");
        let source = "/// A tail.\n#[derive(GodotClass)]\n#[class(base = Node)]\npub struct Tail {\n/// How far.\n\
                      #[export]\nreach: f32,\n";
        let entries = godot(source);
        assert_eq!((entries[0].name.as_str(), entries[1].declaration.as_str()), ("Tail", "reach: f32"));
    }
}
