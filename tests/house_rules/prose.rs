//! House rules of prose: lines of comments and Markdown have at most 100 columns, and comments of
//! `src`, documents and the README use the field's terms.

use std::collections::BTreeMap;
use std::path::Path;

const MAX_COLUMNS: usize = 100;

/// Folders with prose, and the endings of the files that are read.
const FOLDERS: [&str; 11] =
    ["benches", "bindings", "docs", "examples", "include", "src", "testkit", "tests", "unity-package", "xtask", "fuzz"];
const ENDINGS: [&str; 11] = ["c", "cpp", "cs", "gd", "h", "hpp", "md", "rs", "sh", "toml", "yml"];

/// Words that stand for a term, or make a person of code: see the column "write" of each.
#[rustfmt::skip]
const WORDS: [(&str, &[&str]); 10] = [
    ("present tense", &["shall"]),
    ("a noun", &["whom", "whoever", "nobody", "somebody", "everybody", "anybody"]),
    ("read, apply", &["hear", "hears", "heard"]),
    ("report, return, set, pack", &["tell", "tells", "told"]),
    ("state, define, return", &["say", "says", "said"]),
    ("need, request", &["want", "wants", "wanted"]),
    ("request, check, call", &["ask", "asks", "asked", "asking"]),
    ("be a child of, be below", &["hang", "hangs", "hung", "hanging"]),
    ("be", &["lie", "lies", "lain", "lying"]),
    ("goal, view", &["wish", "wishes", "puppet", "puppets"]),
];

/// One breach: line, and what is wrong with it.
struct Breach {
    line: usize,
    what: String,
}

#[derive(Default)]
struct Found {
    long: Vec<Breach>,
    words: Vec<Breach>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files to read, by their path from the root.
fn files() -> BTreeMap<String, String> {
    fn walk(folder: &Path, files: &mut BTreeMap<String, String>, deep: bool) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if deep && name != "target" && !name.starts_with('.') && name != "addons" {
                    walk(&path, files, true);
                }
            } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| ENDINGS.contains(&e)) {
                let relative = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
                files.insert(relative, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(root(), &mut files, false);
    for folder in FOLDERS {
        walk(&root().join(folder), &mut files, true);
    }
    files
}

/// The prose of a line of source text: its comment, if the line begins with one, and the comment
/// behind code.
fn comment<'a>(line: &'a str, ending: &str) -> (Option<&'a str>, Option<&'a str>) {
    let start = line.trim_start();
    let mark = if matches!(ending, "sh" | "toml" | "gd" | "yml") { "#" } else { "//" };
    let is_block = matches!(ending, "c" | "cpp" | "cs" | "h" | "hpp")
        && (start.starts_with("/*") || start.starts_with("* ") || start.starts_with("*/"));
    if start.starts_with(mark) || is_block {
        return (Some(start.trim_start_matches(['/', '!', '#', '*']).trim_start()), None);
    }
    let behind = if mark == "//" { line.split_once(" // ").map(|(_, text)| text) } else { None };
    (None, behind)
}

/// Whether a line may be longer: an indented code block, a table row, a link, or one word.
fn may_be_long(line: &str, text: &str) -> bool {
    let prose = line.trim_start().trim_start_matches(['/', '!', '#', '*']);
    prose.starts_with("    ")
        || line.starts_with("    ") && prose.len() == line.trim_start().len()
        || text.starts_with('|') && text.ends_with('|')
        || line.contains("http://")
        || line.contains("https://")
        || line.contains("](")
        || text.starts_with('<')
        || !text.contains(' ')
}

/// Words outside of code spans, in lower case, without the name Lie (as in "Lie theory").
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let prose = text.split('`').step_by(2);
    prose.flat_map(move |prose| prose.split(move |c| !is_part(c))).filter(|word| *word != "Lie").map(str::to_lowercase)
}

fn examine(path: &str, text: &str) -> Found {
    let mut found = Found::default();
    let ending = path.rsplit('.').next().unwrap_or("");
    let is_document = ending == "md";
    let has_terms = path.starts_with("src/") || path.starts_with("docs/") || is_document && !path.contains('/');
    let mut in_code = false;
    for (i, line) in text.lines().enumerate() {
        let (whole, behind) = if is_document { (Some(line.trim_start()), None) } else { comment(line, ending) };
        if let Some(text) = whole {
            if text.starts_with("```") {
                in_code = !in_code;
                continue;
            }
            let columns = line.chars().count();
            if !in_code && columns > MAX_COLUMNS && !may_be_long(line, text) {
                found.long.push(Breach { line: i + 1, what: format!("{columns} columns") });
            }
        } else {
            in_code = false;
        }
        let Some(text) = whole.or(behind).filter(|_| has_terms && !in_code) else { continue };
        for word in words(text) {
            if let Some((write, _)) = WORDS.iter().find(|(_, banned)| banned.contains(&word.as_str())) {
                found.words.push(Breach { line: i + 1, what: format!("\"{word}\": write {write}") });
            }
        }
    }
    found
}

#[test]
fn prose_is_short_and_plain() {
    let mut wrong = Vec::new();
    for (path, text) in files() {
        let found = examine(&path, &text);
        let breaches = found.long.iter().chain(&found.words);
        wrong.extend(breaches.map(|breach| format!("{path}:{}: {}", breach.line, breach.what)));
    }
    assert!(wrong.is_empty(), "{} breaches\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn breaches_are_found() {
    let long = "x ".repeat(60);
    let count = |path: &str, text: &str| {
        let found = examine(path, text);
        [found.long.len(), found.words.len()]
    };
    assert_eq!(count("src/a.rs", &format!("/// {long}\nlet a = 1; // {long}\n")), [1, 0]);
    assert_eq!(
        count("src/a.rs", &format!("//! ```\n//! {long}\n//! ```\n//! | {long} |\n//! <https://{long}\n")),
        [0, 0]
    );
    assert_eq!(count("docs/a.md", &format!("{long}\n\n| {long} |\n\n```\n{long}\n```\n")), [1, 0]);
    assert_eq!(count("src/a.rs", "// It shall be told.\nlet told = 1; // `told`\n"), [0, 2]);
    assert_eq!(count("README.md", "Whoever asks.\n"), [0, 2]);
    assert_eq!(count("tests/a.rs", "// It shall be.\n"), [0, 0]);
    assert_eq!(count("tests/c/a.c", &format!("/* a\n * {long}\n */\n")), [1, 0]);
    assert_eq!(count("Cargo.toml", &format!("# {long}\n")), [1, 0]);
}
