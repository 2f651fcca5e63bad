//! Rust doc lines as C# XML comments.

use anyhow::{Result, bail};
use std::fmt::Write as _;

/// A `<summary>`, indented by `indent` blanks.
pub fn summary(doc: &[String], indent: usize) -> String {
    let mut out = String::new();
    element(&mut out, "summary", "", doc, indent);
    out
}

/// `<summary>`, `<param>` and `<returns>` of a function. Every name after `@param` must be a parameter.
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
    let joined = lines.join(&format!("\n{pad}/// "));
    _ = writeln!(out, "{pad}/// <{tag}{attributes}>{joined}</{tag}>");
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
    fn a_comment_about_a_parameter_that_is_not_there_is_refused() {
        assert!(function("f", &lines("X.\n@param gone  was here."), &["a"], 0).is_err());
    }
}
