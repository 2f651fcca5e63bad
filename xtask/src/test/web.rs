//! The npm package as a stranger uses it, the playground in a browser, and the manual.

use super::{Tally, scratch};
use crate::demo::{self, hosts::Host};
use crate::tools;
use crate::web::{self, Vectors, browser};
use crate::{paths, sh};
use anyhow::{Context, Result, anyhow, ensure};
use std::path::Path;
use testkit::scene::HoldCylinderScene;

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

fn hold_cylinder(project: &Path, scene: &Path, wanted: &str) -> Result<()> {
    web::tutorial(project)?;
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
    match browser::tools() {
        Ok(()) => tally.check("tests/web/manual.mjs", browser::run("manual.mjs", &out, &[])),
        Err(reason) => tally.skip(reason),
    }
    Ok(())
}

/// Why the pages cannot be looked at here, if they cannot.
pub fn browser() -> Option<String> {
    let wasm = tools::rust_target("wasm32-unknown-unknown").err();
    wasm.or_else(|| browser::tools().err())
}

/// The pages that work from a folder: the demo with the mannequin, with a file's mesh and without
/// one, and the gallery. `play` makes a demo in a folder inside of `out`.
pub fn pages(tally: &mut Tally, out: &Path, play: &dyn Fn(&str, &[&str]) -> Result<()>) -> Result<()> {
    let root = paths::root();
    let person = out.join("person.glb");
    sh::run(sh::command("node", &["tests/web/model.mjs"]).arg(&person).current_dir(&root))?;
    let skeleton = root.join("fuzz/corpus/gltf/person.glb");
    for (name, model) in [("model", &person), ("bones", &skeleton)] {
        let model = model.to_string_lossy();
        tally.check(format!("cargo xtask demo --model, {name}"), play(name, &["--model", model.as_ref()]));
    }
    tally.check("cargo xtask gallery", crate::gallery::page_only(&out.join("gallery.html")));
    tally.check("tests/web/demo.mjs", browser::run("demo.mjs", out, &[]));
    Ok(())
}

/// Drags, drops and resizes the playground in headless Chromium.
pub fn playground(tally: &mut Tally) -> Result<()> {
    let reason = tools::rust_target("wasm32-unknown-unknown").and_then(|()| browser::tools());
    if let Err(reason) = reason {
        tally.skip(reason);
        return Ok(());
    }
    let out = scratch("playground")?;
    web::playground::build(&out, &[Vectors::With])?;
    tally.check("tests/web/playground.mjs", browser::run("playground.mjs", &out, &[]));
    Ok(())
}
