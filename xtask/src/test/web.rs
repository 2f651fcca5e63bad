//! The npm package as a stranger uses it, the playground in a browser, and the manual.

use super::{Tally, scratch};
use crate::demo::{self, hosts::Host};
use crate::tools::{self, Tool};
use crate::web::{self, Vectors};
use crate::{paths, sh};
use anyhow::{Context, Result, anyhow, ensure};
use testkit::scene::HoldCylinderScene;

/// Programs that the browser's part needs beside those of the package.
const BROWSER: Tool = tools::CHROMIUM;

/// A fresh project in node, with nothing but the package, leaves the poses of the C host.
pub fn npm(tally: &mut Tally) -> Result<()> {
    if let Err(reason) = tools::rust_target("wasm32-unknown-unknown") {
        tally.skip(reason);
        return Ok(());
    }
    let out = scratch("npm")?;
    let archive = web::npm_package(&[Vectors::With], &out)?;
    let project = out.join("project");
    web::fresh_project(&archive, &project)?;
    let scene = out.join("scene.bin");
    std::fs::write(&scene, HoldCylinderScene::new().to_bytes())?;
    let native = Host::C.play(&demo::build_library()?, &scene, &out)?;
    tally.check("examples/hello/hello.mjs", web::hello(&project));
    tally.check("hold the cylinder in node", hold_cylinder(&project, &scene, &native.hash));
    let test = paths::root().join("tests/web/package.mjs");
    sh::copy(&test, &project.join("package.mjs"))?;
    let output = sh::capture(sh::command("node", &["--test", "package.mjs"]).current_dir(&project))?;
    tally.check("tests/web/package.mjs", if output.ok() { Ok(()) } else { Err(anyhow!("{}", output.text)) });
    Ok(())
}

fn hold_cylinder(project: &std::path::Path, scene: &std::path::Path, wanted: &str) -> Result<()> {
    let program = paths::root().join("examples/hold_cylinder/web/hold_cylinder.mjs");
    sh::copy(&program, &project.join("hold_cylinder.mjs"))?;
    let mut node = sh::command("node", &["hold_cylinder.mjs"]);
    let output = sh::run(node.arg(scene).arg(project.join("node.poses")).current_dir(project))?;
    let hash = output.stdout.lines().find_map(|l| l.strip_prefix("hash ")).context("no hash printed")?;
    ensure!(hash == wanted, "pose hash {hash} in node, {wanted} in C");
    Ok(())
}

/// The manual with all its links, and its looks in a browser.
pub fn manual(tally: &mut Tally) -> Result<()> {
    let out = scratch("manual")?;
    match crate::docs::mdbook() {
        Ok(mdbook) => tally.check("cargo xtask docs", crate::docs::build(&mdbook, &out).map(|_| ())),
        Err(reason) => {
            tally.skip(format!("{reason:#}"));
            return Ok(());
        }
    }
    match [&BROWSER, &tools::NODE, &tools::NPM].into_iter().try_for_each(Tool::ensure) {
        Ok(()) => tally.check("tests/web/manual.mjs", in_browser("manual.mjs", &out)),
        Err(reason) => tally.skip(reason),
    }
    Ok(())
}

/// Runs a test in headless Chromium on a folder of pages, where it leaves its screenshots.
fn in_browser(test: &str, pages: &std::path::Path) -> Result<()> {
    let workshop = web::workshop()?;
    sh::copy(&paths::root().join("tests/web").join(test), &workshop.join(test))?;
    let chromium = sh::find("chromium").context("no chromium")?;
    let mut node = sh::command("node", &["--test", test]);
    let output = sh::capture(node.current_dir(&workshop).env("PAGE", pages).env("CHROMIUM", chromium))?;
    for line in output.stdout.lines().filter(|line| line.contains("note:")) {
        println!("   {}", line.trim());
    }
    ensure!(output.ok(), "{}", output.text);
    Ok(())
}

/// Drags, drops and resizes the playground in headless Chromium.
pub fn playground(tally: &mut Tally) -> Result<()> {
    let reason = tools::rust_target("wasm32-unknown-unknown").and_then(|()| BROWSER.ensure());
    if let Err(reason) = reason {
        tally.skip(reason);
        return Ok(());
    }
    let out = scratch("playground")?;
    web::playground::build(&out, &[Vectors::With])?;
    tally.check("tests/web/playground.mjs", in_browser("playground.mjs", &out));
    Ok(())
}
