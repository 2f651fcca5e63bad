//! Rust doc lines as TSDoc comments.

use std::fmt::Write as _;

/// A comment, indented by `indent` blanks; nothing for no lines.
pub fn comment(doc: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    match doc {
        [] => String::new(),
        [line] => format!("{pad}/** {} */\n", escape(line)),
        lines => {
            let mut text = format!("{pad}/**\n");
            for line in lines {
                _ = writeln!(text, "{}", format!("{pad} * {}", escape(line)).trim_end());
            }
            text + &format!("{pad} */\n")
        }
    }
}

fn escape(line: &str) -> String {
    line.replace("*/", "* /")
}

/// The comment of a method: parameters that it has keep their text, out-parameters become what it
/// returns, result codes what it throws.
pub fn function(doc: &[String], arguments: &[String], indent: usize) -> String {
    let is_argument =
        |name: &str| arguments.iter().any(|a| a.split(':').next() == Some(super::web::camel(name).as_str()));
    let mut lines = Vec::new();
    let mut keep = true;
    for line in doc {
        if let Some(rest) = line.strip_prefix("@param ") {
            let (names, text) = rest.split_once("  ").unwrap_or((rest, ""));
            let names: Vec<&str> = names.split(',').map(str::trim).collect();
            if names.iter().all(|n| n.starts_with("out_")) {
                keep = true;
                lines.push(format!("@returns {}", text.trim()));
            } else {
                let kept: Vec<String> = names.iter().filter(|n| is_argument(n)).map(|n| super::web::camel(n)).collect();
                keep = !kept.is_empty();
                if keep {
                    lines.push(format!("@param {} - {}", kept.join(", "), text.trim()));
                }
            }
        } else if let Some(rest) = line.strip_prefix("@return ") {
            keep = true;
            lines.push(format!("@throws {}", rest.trim()));
        } else if line.starts_with(' ') {
            if keep {
                lines.push(format!("  {}", line.trim()));
            }
        } else {
            keep = true;
            lines.push(line.clone());
        }
    }
    while lines.last().is_some_and(|l| l.is_empty()) {
        lines.pop();
    }
    comment(&lines, indent)
}

/// The text of a parameter.
pub fn parameter(doc: &[String], name: &str) -> String {
    let text_of = |line: &String| {
        let (names, text) = line.strip_prefix("@param ")?.split_once("  ")?;
        names.split(',').any(|n| n.trim() == name).then(|| text.trim().to_string())
    };
    let found = doc.iter().enumerate().find_map(|(at, line)| Some((at, text_of(line)?)));
    let Some((start, first)) = found else { return String::new() };
    let rest = doc[start + 1..].iter().take_while(|l| l.starts_with(' '));
    std::iter::once(first).chain(rest.map(|l| l.trim().to_string())).collect::<Vec<_>>().join(" ")
}

/// Whether the text of a parameter has the words "may be NULL" or "NULL:".
pub fn may_be_null(doc: &[String], name: &str) -> bool {
    let start = doc.iter().position(|l| {
        l.strip_prefix("@param ")
            .and_then(|r| r.split_once("  "))
            .is_some_and(|(names, _)| names.split(',').any(|n| n.trim() == name))
    });
    let Some(start) = start else { return false };
    let rest = doc[start + 1..].iter().take_while(|l| !l.starts_with('@'));
    std::iter::once(&doc[start]).chain(rest).any(|l| l.contains("NULL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn out_parameters_become_what_is_returned() {
        let doc =
            lines("Does.\n\n@param goal  a goal;\n             may be NULL.\n@param out_x  metres.\n@return 102: bad.");
        let wanted = "/**\n * Does.\n *\n * @param goal - a goal;\n *   may be NULL.\n * @returns metres.\n * @throws 102: bad.\n */\n";
        assert_eq!(function(&doc, &["goal: Goal".into()], 0), wanted);
        assert!(may_be_null(&doc, "goal"));
        assert!(!may_be_null(&doc, "out_x"));
    }
}
