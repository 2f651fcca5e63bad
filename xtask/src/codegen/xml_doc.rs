//! Rust doc lines as C# XML comments.

use anyhow::{Result, bail};
use std::fmt::Write as _;

/// A `<summary>`, indented by `indent` blanks.
pub fn summary(doc: &[String], indent: usize) -> String {
    let mut out = String::new();
    element(&mut out, "summary", "", doc, indent);
    out
}

/// `<summary>`, `<param>` and `<returns>` of a function. Every name after `@param` must be a
/// parameter.
pub fn function(name: &str, doc: &[String], parameters: &[&str], indent: usize) -> Result<String> {
    let mut summary: Vec<String> = Vec::new();
    let mut described: Vec<(String, Vec<String>)> = Vec::new();
    let mut returns: Vec<String> = Vec::new();
    let mut current = 0; // 0: summary, 1: the last parameter, 2: returns
    for line in doc {
        if let Some(rest) = line.strip_prefix("@param ") {
            let Some((names, text)) = rest.split_once("  ") else {
                bail!("{name}: two blanks must follow the name in {line:?}")
            };
            described.push((names.trim().to_string(), vec![text.trim().to_string()]));
            current = 1;
        } else if let Some(rest) = line.strip_prefix("@return ") {
            returns.push(rest.trim().to_string());
            current = 2;
        } else {
            let line = if current == 0 { line.clone() } else { line.trim().to_string() };
            match current {
                0 => summary.push(line),
                1 => described.last_mut().into_iter().for_each(|d| d.1.push(line.clone())),
                _ => returns.push(line),
            }
        }
    }
    let mut out = String::new();
    element(&mut out, "summary", "", &summary, indent);
    for (names, text) in &described {
        for one in names.split(',').map(str::trim) {
            if !parameters.contains(&one) {
                bail!("{name}: @param {one} is no parameter");
            }
            element(&mut out, "param", &format!(" name=\"{one}\""), text, indent);
        }
    }
    element(&mut out, "returns", "", &returns, indent);
    Ok(out)
}

fn element(out: &mut String, tag: &str, attributes: &str, lines: &[String], indent: usize) {
    let pad = " ".repeat(indent);
    let mut lines: Vec<String> = lines.iter().map(|l| text(l)).collect();
    while lines.last().is_some_and(|l| l.is_empty()) {
        lines.pop();
    }
    if lines.is_empty() {
        return;
    }
    for line in &mut lines {
        if line.is_empty() {
            *line = "<br/>".into();
        }
    }
    if let Some(first) = lines.first_mut() {
        first.insert_str(0, &format!("<{tag}{attributes}>"));
    }
    if let Some(last) = lines.last_mut() {
        *last += &format!("</{tag}>");
    }
    for line in wrapped(lines, COLUMNS - indent - "/// ".len()) {
        _ = writeln!(out, "{pad}/// {line}");
    }
}

/// Columns of a line of comment.
const COLUMNS: usize = 100;

/// The lines, none longer than `most` where it can be broken at a blank; what is broken off goes to
/// the start of the next line of the paragraph.
fn wrapped(mut lines: Vec<String>, most: usize) -> Vec<String> {
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].clone();
        let starts = line.char_indices().filter(|(_, c)| *c == ' ').map(|(byte, _)| byte);
        // The blank in `<param name=` is no place to break.
        let fits = |byte: &usize| line[..*byte].chars().count() <= most && !line[..*byte].ends_with("<param");
        let place = starts.rev().find(fits);
        if let (Some(byte), true) = (place, line.chars().count() > most) {
            let rest = line[byte + 1..].to_string();
            lines[at].truncate(byte);
            match lines.get_mut(at + 1) {
                Some(next) if !next.starts_with("<br/>") && !next.trim_start().starts_with('-') => {
                    *next = format!("{rest} {next}");
                }
                _ => lines.insert(at + 1, rest),
            }
        }
        at += 1;
    }
    lines
}

/// Escaped, with `code` between backticks in `<c>`.
fn text(line: &str) -> String {
    let escaped = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let parts: Vec<&str> = escaped.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped;
    }
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        out += &if index % 2 == 1 { format!("<c>{part}</c>") } else { part.to_string() };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn parameters_and_result_get_their_own_elements() {
        let doc = lines("Does `a < b`.\n\n@param a, b  two\n             numbers.\n@return 0 & 1.");
        let xml = function("f", &doc, &["a", "b"], 0).expect("a good comment");
        let wanted = "/// <summary>Does <c>a &lt; b</c>.</summary>\n\
                      /// <param name=\"a\">two\n/// numbers.</param>\n\
                      /// <param name=\"b\">two\n/// numbers.</param>\n\
                      /// <returns>0 &amp; 1.</returns>\n";
        assert_eq!(xml, wanted);
    }

    #[test]
    fn long_lines_are_broken_at_blanks() {
        let words = "word ".repeat(30);
        let xml = function("f", &lines(&format!("{words}\nlast.\n\n@param a  {words}")), &["a"], 8).expect("a comment");
        assert!(xml.lines().all(|line| line.chars().count() <= COLUMNS), "{xml}");
        assert_eq!(xml.matches("word").count(), 60);
        assert!(xml.contains("/// <param name=\"a\">word"), "{xml}");
    }

    #[test]
    fn a_comment_about_a_parameter_that_is_not_there_is_refused() {
        assert!(function("f", &lines("X.\n@param gone  was here."), &["a"], 0).is_err());
    }
}
