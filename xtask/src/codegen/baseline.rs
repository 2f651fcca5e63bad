//! What the C interface was: sizes, offsets, signatures, numbers and names, committed as
//! `tests/abi/baseline.txt`. Additions are free. Whatever an old client relies on may only change
//! or go when `SINEW_ABI_VERSION` goes up, or while the changelog says so by name in a section
//! "Changed (breaks …)" of the version in work.

use super::abi::{Abi, Type};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

const FILE: &str = "tests/abi/baseline.txt";

/// Each item's description by its name.
type Items = BTreeMap<String, String>;

fn type_text(ty: &Type) -> String {
    match ty {
        Type::Named(name) => name.clone(),
        Type::Pointer { to } => format!("{}*", type_text(to)),
        Type::Array(of, count) => format!("{}[{count}]", type_text(of)),
    }
}

/// Members with their offsets, and the size, with pointers of 8 and of 4 bytes.
fn layout(abi: &Abi, name: &str, fields: &[super::abi::Field]) -> Result<String> {
    let mut text = String::from("struct");
    for pointer in [8, 4] {
        let mut end = 0usize;
        for field in fields {
            let (size, align) = abi.layout_with(&field.ty, pointer).with_context(|| format!("the layout of {name}"))?;
            let at = end.next_multiple_of(align);
            text += &format!(" {}:{}@{at}", field.name, type_text(&field.ty));
            end = at + size;
        }
        let (size, align) = abi
            .layout_with(&Type::Named(name.to_string()), pointer)
            .with_context(|| format!("the layout of {name}"))?;
        text += &format!(" size {size} align {align};");
    }
    Ok(text)
}

fn items(abi: &Abi) -> Result<Items> {
    let mut items = Items::new();
    for s in &abi.structs {
        items.insert(s.name.clone(), layout(abi, &s.name, &s.fields)?);
    }
    for e in &abi.enums {
        for (variant, _, number) in &e.variants {
            items.insert(format!("{}::{variant}", e.name), number.to_string());
        }
    }
    for c in &abi.constants {
        // The version itself may change.
        if c.name != "SINEW_ABI_VERSION" && !c.name.starts_with("SINEW_VERSION") {
            items.insert(c.name.clone(), c.expression.clone());
        }
    }
    let parameters =
        |fields: &[super::abi::Field]| fields.iter().map(|p| type_text(&p.ty)).collect::<Vec<_>>().join(", ");
    for c in &abi.callbacks {
        let output = c.output.as_ref().map_or(String::from("void"), type_text);
        items.insert(c.name.clone(), format!("callback ({}) {output}", parameters(&c.parameters)));
    }
    for f in abi.functions.iter().filter(|f| !abi.hidden_functions.contains(&f.name)) {
        items.insert(f.name.clone(), format!("function ({})", parameters(&f.parameters)));
    }
    Ok(items)
}

fn version(abi: &Abi) -> Result<String> {
    let found = abi.constants.iter().find(|c| c.name == "SINEW_ABI_VERSION").context("no SINEW_ABI_VERSION")?;
    Ok(found.expression.clone())
}

/// The sections of the changelog's version in work that announce what breaks.
fn announced(changelog: &str) -> String {
    let work = changelog.split("\n## ").nth(1).unwrap_or_default();
    work.split("\n### ").filter(|section| section.starts_with("Changed (breaks")).collect()
}

/// What old clients lose, if neither the ABI number nor the changelog says so.
fn losses(old: &str, items: &Items, version: &str, announced: &str) -> Vec<String> {
    let mut lines = old.lines();
    if lines.next().and_then(|line| line.strip_prefix("abi ")) != Some(version) {
        return Vec::new();
    }
    let mut losses = Vec::new();
    for (name, was) in lines.filter_map(|line| line.split_once(" = ")) {
        let now = items.get(name);
        let is_announced = announced.contains(name.split("::").next().unwrap_or(name));
        if now.map(String::as_str) != Some(was) && !is_announced {
            losses.push(format!("{name}\n  was {was}\n  is  {}", now.map_or("gone", String::as_str)));
        }
    }
    losses
}

/// The text of the baseline; fails when the interface lost something without saying so.
pub fn generate(abi: &Abi, root: &Path) -> Result<(String, String)> {
    let items = items(abi)?;
    let version = version(abi)?;
    let changelog = std::fs::read_to_string(root.join("CHANGELOG.md")).context("reading CHANGELOG.md")?;
    if let Ok(old) = std::fs::read_to_string(root.join(FILE)) {
        let losses = losses(&old.replace("\r\n", "\n"), &items, &version, &announced(&changelog));
        if !losses.is_empty() {
            bail!(
                "the C interface breaks old clients:\n{}\nraise SINEW_ABI_VERSION, or name each item in a section \
                 \"Changed (breaks C, C++ and C# hosts)\" of CHANGELOG.md",
                losses.join("\n")
            );
        }
    }
    let mut text = format!("abi {version}\n");
    for (name, is) in &items {
        text += &format!("{name} = {is}\n");
    }
    Ok((FILE.to_string(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "abi 1\nSinewThing = struct a:f32@0 size 4 align 4;\nsinew_do = function (u32)\n";

    fn now(thing: &str, function: Option<&str>) -> Items {
        let mut items = Items::new();
        items.insert("SinewThing".into(), thing.into());
        items.insert("sinew_more".into(), "function ()".into());
        if let Some(function) = function {
            items.insert("sinew_do".into(), function.into());
        }
        items
    }

    #[test]
    fn additions_are_free_and_losses_have_to_be_announced() {
        let same = "struct a:f32@0 size 4 align 4;";
        assert_eq!(losses(OLD, &now(same, Some("function (u32)")), "1", ""), Vec::<String>::new());
        let gone = losses(OLD, &now(same, None), "1", "");
        assert!(gone.len() == 1 && gone[0].contains("sinew_do") && gone[0].contains("gone"), "{gone:?}");
        let grown = "struct a:f32@0 b:f32@4 size 8 align 4;";
        let lost = losses(OLD, &now(grown, Some("function (u64)")), "1", "");
        assert_eq!(lost.len(), 2);
        assert_eq!(losses(OLD, &now(grown, Some("function (u64)")), "1", "`SinewThing` grows").len(), 1);
        assert_eq!(losses(OLD, &now(grown, None), "2", "").len(), 0);
    }

    #[test]
    fn only_the_section_of_the_version_in_work_announces() {
        let changelog = "# Log\n\n## Unreleased\n\n### Added\n\n- x\n\n### Changed (breaks C)\n\n- y\n\n## 0.1\n\n### \
                         Changed (breaks C)\n\n- z\n";
        let announced = announced(changelog);
        assert!(announced.contains("- y") && !announced.contains("- x") && !announced.contains("- z"), "{announced}");
    }
}
