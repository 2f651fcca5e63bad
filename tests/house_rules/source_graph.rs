//! The graph of source files: which file of `src` uses which other, read from the text.
//!
//! # Rule
//!
//! File A uses file B when a path in A's code leads to an item that B defines. Paths are those of
//! `use` declarations and those written out (`crate::a::b::item`, `super::item`, `module::item`).
//! Re-exports are followed to the file with the definition, so importing through a parent's
//! `pub use` counts as a use of the defining file, and `mod` declarations and `pub use` lines are
//! no uses by themselves. A re-exported name that the re-exporting file also uses in its own code
//! is.
//!
//! Items under `#[cfg(test)]` do not count: a test may use anything. Items made by a macro are not
//! seen; a path to one counts as a use of the module it is looked up in.
//!
//! Methods of a value whose type is not named do not count either: that is a use of what the file
//! was handed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One word or sign of the code; comments and literals are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    PathSeparator,
    Sign(char),
}

/// A name that a `use` declaration binds.
#[derive(Clone, Debug)]
struct Import {
    path: Vec<String>,
    /// `*` for a glob, which binds all names.
    name: String,
    is_public: bool,
}

/// One file, read.
struct Source {
    path: PathBuf,
    module: Vec<String>,
    imports: Vec<Import>,
    /// Items defined at the top of the file.
    defined: BTreeSet<String>,
    /// Paths written out in the code, with at least two segments.
    written_paths: Vec<Vec<String>>,
    /// Words of the code outside of `use` declarations.
    words: BTreeSet<String>,
    /// Child modules that are compiled for tests only.
    test_modules: BTreeSet<String>,
}

/// Which files use which, by index; each use with one of the names it is made of.
pub struct FileGraph {
    pub files: Vec<PathBuf>,
    pub uses: Vec<BTreeMap<usize, String>>,
}

enum Target {
    Module(Vec<String>),
    Item(usize),
    /// Another crate's, or a local name.
    Outside,
}

impl FileGraph {
    /// Reads the graph of these files, each named by its path below `src`.
    pub fn new(files: &[(PathBuf, String)]) -> Self {
        let mut sources: Vec<Source> = files.iter().map(|(path, text)| read(path, text)).collect();
        let test_modules: Vec<Vec<String>> =
            sources.iter().flat_map(|s| s.test_modules.iter().map(|name| joined(&s.module, name))).collect();
        sources.retain(|s| !test_modules.iter().any(|test| s.module.starts_with(test)));
        let index = sources.iter().enumerate().map(|(i, s)| (s.module.clone(), i)).collect();
        let resolver = Resolver { sources: &sources, index };
        let uses = (0..sources.len()).map(|i| resolver.uses(i)).collect();
        Self { files: sources.iter().map(|s| s.path.clone()).collect(), uses }
    }

    /// Groups of files that use one another in a circle, each use within a group as one line.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let count = self.files.len();
        let reach: Vec<Vec<bool>> = (0..count).map(|i| self.reachable(i)).collect();
        let mut seen = vec![false; count];
        let mut circles = Vec::new();
        for i in 0..count {
            let group: Vec<usize> = (0..count).filter(|j| reach[i][*j] && reach[*j][i]).collect();
            if seen[i] || group.is_empty() {
                continue;
            }
            group.iter().for_each(|j| seen[*j] = true);
            let line = |from: usize, to: usize, name: &str| {
                format!("{} -> {} ({name})", self.files[from].display(), self.files[to].display())
            };
            let within = |from: &usize| {
                let uses = self.uses[*from].iter().filter(|(to, _)| group.contains(to));
                uses.map(|(to, name)| line(*from, *to, name)).collect::<Vec<_>>()
            };
            circles.push(group.iter().flat_map(within).collect());
        }
        circles
    }

    /// Which files are used by file `start`, directly or through others.
    fn reachable(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.files.len()];
        let mut stack = vec![start];
        while let Some(i) = stack.pop() {
            for next in self.uses[i].keys() {
                if !reached[*next] {
                    reached[*next] = true;
                    stack.push(*next);
                }
            }
        }
        reached
    }
}

struct Resolver<'a> {
    sources: &'a [Source],
    index: BTreeMap<Vec<String>, usize>,
}

impl Resolver<'_> {
    fn uses(&self, file: usize) -> BTreeMap<usize, String> {
        let source = &self.sources[file];
        let mut uses = BTreeMap::new();
        let mut add = |target: Target, name: &str| {
            if let Target::Item(to) = target
                && to != file
            {
                uses.entry(to).or_insert_with(|| name.to_string());
            }
        };
        for import in &source.imports {
            let target = self.resolve(&source.module, &import.path, 0);
            match target {
                Target::Module(module) if import.name == "*" && !import.is_public => {
                    for target in self.exports(&module) {
                        add(target, "*");
                    }
                }
                // A module by its name is used where a path goes through it: those are
                // `written_paths`.
                Target::Module(_) => {}
                target if !import.is_public || source.words.contains(&import.name) => add(target, &import.name),
                _ => {}
            }
        }
        for path in &source.written_paths {
            add(self.resolve(&source.module, path, 0), path.last().expect("not empty"));
        }
        uses
    }

    /// The files behind everything a module offers.
    fn exports(&self, module: &[String]) -> Vec<Target> {
        let Some(file) = self.index.get(module) else { return Vec::new() };
        let source = &self.sources[*file];
        let public = source.imports.iter().filter(|i| i.is_public);
        let mut targets: Vec<Target> = public.map(|i| self.resolve(module, &i.path, 1)).collect();
        targets.push(Target::Item(*file));
        targets
    }

    /// What a path leads to, as seen from a module.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Target {
        if depth > 16 {
            return Target::Outside;
        }
        let mut module = from.to_vec();
        let mut rest = path;
        match path[0].as_str() {
            "crate" => {
                module.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|s| s == "super") {
                    module.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let is_child = self.index.contains_key(&joined(&module, first));
                let source = &self.sources[self.index[&module]];
                let is_bound = source.imports.iter().any(|i| i.name == *first && i.path[0] != *first);
                if !is_child && !is_bound {
                    return Target::Outside;
                }
            }
        }
        for segment in rest {
            let child = joined(&module, segment);
            if self.index.contains_key(&child) {
                module = child;
                continue;
            }
            match self.look_up(&module, segment, depth) {
                Target::Module(found) => module = found,
                // What follows an item are its own names: `Type::new`, `Enum::Variant`.
                other => return other,
            }
        }
        Target::Module(module)
    }

    /// A name that is not a child module of this module.
    fn look_up(&self, module: &[String], name: &str, depth: usize) -> Target {
        let file = self.index[module];
        let source = &self.sources[file];
        if source.defined.contains(name) {
            return Target::Item(file);
        }
        if let Some(import) = source.imports.iter().find(|i| i.name == name) {
            return self.resolve(module, &import.path, depth + 1);
        }
        for glob in source.imports.iter().filter(|i| i.name == "*") {
            if let Target::Module(from) = self.resolve(module, &glob.path, depth + 1)
                && let Some(file) = self.index.get(&from)
                && self.sources[*file].defined.contains(name)
            {
                return Target::Item(*file);
            }
        }
        Target::Item(file)
    }
}

fn joined(module: &[String], name: &str) -> Vec<String> {
    module.iter().cloned().chain([name.to_string()]).collect()
}

/// The module a file is: `a/b.rs` and `a/b/mod.rs` are `a::b`, `lib.rs` is the crate's root.
fn module_of(path: &Path) -> Vec<String> {
    let names = path.with_extension("");
    let mut module: Vec<String> = names.iter().map(|n| n.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|n| n == "mod" || n == "lib") {
        module.pop();
    }
    module
}

fn read(path: &Path, text: &str) -> Source {
    let mut test_modules = BTreeSet::new();
    let tokens = without_tests(&tokens(text), &mut test_modules);
    let (imports, rest) = imports(&tokens);
    let mut depth = 0;
    let mut defined = BTreeSet::new();
    let mut words = BTreeSet::new();
    let mut written_paths = Vec::new();
    let mut path_so_far: Vec<String> = Vec::new();
    for (i, token) in rest.iter().enumerate() {
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => depth -= 1,
            _ => {}
        }
        let Token::Word(word) = token else { continue };
        words.insert(word.clone());
        let next = rest.get(i + 1);
        let is_keyword = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"].contains(&word.as_str());
        if depth == 0
            && is_keyword
            && let Some(Token::Word(name)) = next
        {
            defined.insert(name.clone());
        }
        if word == "macro_rules"
            && let Some(Token::Word(name)) = rest.get(i + 2)
        {
            defined.insert(name.clone());
        }
        assert!(
            word != "mod" || !matches!(rest.get(i + 2), Some(Token::Sign('{'))),
            "{}: the reader of uses does not read modules inside of files",
            path.display()
        );
        path_so_far.push(word.clone());
        if next != Some(&Token::PathSeparator) || !matches!(rest.get(i + 2), Some(Token::Word(_))) {
            if path_so_far.len() > 1 {
                written_paths.push(core::mem::take(&mut path_so_far));
            }
            path_so_far.clear();
        }
    }
    let module = module_of(path);
    Source { path: path.to_path_buf(), module, imports, defined, written_paths, words, test_modules }
}

/// The tokens without the items under `#[cfg(test)]`; the names of test modules in other files.
fn without_tests(tokens: &[Token], test_modules: &mut BTreeSet<String>) -> Vec<Token> {
    let word = |i: usize, what: &str| matches!(tokens.get(i), Some(Token::Word(w)) if w == what);
    let sign = |i: usize, what: char| tokens.get(i) == Some(&Token::Sign(what));
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if !(sign(i, '#') && sign(i + 1, '[') && word(i + 2, "cfg") && word(i + 4, "test") && sign(i + 5, ')')) {
            out.push(tokens[i].clone());
            i += 1;
            continue;
        }
        // To the end of the item: its `;`, or the end of its braces.
        let mut depth = 0;
        i += 7;
        while i < tokens.len() {
            if word(i, "mod")
                && sign(i + 2, ';')
                && let Token::Word(name) = &tokens[i + 1]
            {
                test_modules.insert(name.clone());
            }
            match tokens[i] {
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => depth -= 1,
                _ => {}
            }
            i += 1;
            if depth == 0 && (sign(i - 1, '}') || sign(i - 1, ';')) {
                break;
            }
        }
    }
    out
}

/// The names that `use` declarations bind, and the tokens without them.
fn imports(tokens: &[Token]) -> (Vec<Import>, Vec<Token>) {
    let mut imports = Vec::new();
    let mut rest: Vec<Token> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i] != Token::Word("use".to_string()) {
            rest.push(tokens[i].clone());
            i += 1;
            continue;
        }
        // `pub use`, `pub(crate) use`, `pub(in crate::chains) use`.
        let is_public = match rest.last() {
            Some(Token::Word(word)) => word == "pub",
            Some(Token::Sign(')')) => {
                let open = rest.iter().rposition(|t| *t == Token::Sign('(')).unwrap_or(0);
                open > 0 && rest[open - 1] == Token::Word("pub".to_string())
            }
            _ => false,
        };
        i += 1;
        i = use_tree(tokens, i, &[], is_public, &mut imports);
    }
    (imports, rest)
}

/// Reads one `use` tree; returns the place behind it.
fn use_tree(tokens: &[Token], mut i: usize, prefix: &[String], is_public: bool, out: &mut Vec<Import>) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(i) {
            Some(Token::Word(word)) if word == "as" => {
                if let Some(Token::Word(name)) = tokens.get(i + 1) {
                    out.push(Import { path, name: name.clone(), is_public });
                }
                return i + 2;
            }
            Some(Token::Word(word)) => path.push(word.clone()),
            Some(Token::PathSeparator) => {}
            Some(Token::Sign('*')) => {
                out.push(Import { path, name: "*".to_string(), is_public });
                return i + 1;
            }
            Some(Token::Sign('{')) => {
                i += 1;
                while i < tokens.len() && tokens[i] != Token::Sign('}') {
                    i = if tokens[i] == Token::Sign(',') { i + 1 } else { use_tree(tokens, i, &path, is_public, out) };
                }
                return i + 1;
            }
            _ => {
                if path.len() > 1 && path.last().is_some_and(|s| s == "self") {
                    path.pop();
                }
                if let Some(name) = path.last().cloned() {
                    out.push(Import { path, name, is_public });
                }
                return i;
            }
        }
        i += 1;
    }
}

/// The words and signs of a text.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or(' ');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            i += 2;
            while i < chars.len() && !(chars[i] == '*' && at(i + 1) == '/') {
                i += 1;
            }
            i += 2;
        } else if c == 'r' && (at(i + 1) == '"' || (at(i + 1) == '#' && at(i + 2) == '"')) {
            let closing: &[char] = if at(i + 1) == '#' { &['"', '#'] } else { &['"'] };
            i += 1 + closing.len();
            while i < chars.len() && !chars[i..].starts_with(closing) {
                i += 1;
            }
            i += closing.len();
        } else if c == '"' {
            i += 1;
            while i < chars.len() && chars[i] != '"' {
                i += if chars[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c == '\'' {
            // A character, or the name of a lifetime.
            let end = if at(i + 1) == '\\' { (i + 3..i + 12).find(|e| at(*e) == '\'') } else { Some(i + 2) };
            i = match end.filter(|e| at(*e) == '\'') {
                Some(end) => end + 1,
                None => i + 1,
            };
        } else if is_word(c) {
            let start = i;
            while i < chars.len() && is_word(chars[i]) {
                i += 1;
            }
            out.push(Token::Word(chars[start..i].iter().collect()));
        } else if c == ':' && at(i + 1) == ':' {
            out.push(Token::PathSeparator);
            i += 2;
        } else {
            if !c.is_whitespace() {
                out.push(Token::Sign(c));
            }
            i += 1;
        }
    }
    out
}
