//! The npm package, tried in a project of its own.

use super::licences;
use super::manifest::{Proof, State};
use super::sdk::version_of;
use super::{Job, Reason};
use crate::tools::{self, NODE, NPM};
use crate::{paths, web};
use anyhow::Result;
use std::path::Path;

const TARGET: &str = "wasm32-unknown-unknown";

/// The package with its modules.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    let missing = NODE.ensure().and_then(|()| NPM.ensure()).and_then(|()| tools::rust_target(TARGET));
    if let Err(reason) = missing {
        return Ok(Err(reason));
    }
    let archive = web::npm_package(job.what.modules(), &job.made)?;
    let project = job.trees.join("npm-project");
    web::fresh_project(&archive, &project)?;
    web::hello(&project)?;
    web::tutorial(&project)?;
    let mut node = std::process::Command::new("node");
    let played = job.tutorial()?.play(node.arg("hold_cylinder.mjs"), &project)?;
    let mut checks = vec!["a fresh project installs it and runs examples/hello".into(), played];
    if job.what.all {
        checks.push(in_browser(job, &project)?);
    }
    let ran_on = format!("node {}", version_of(Path::new("node")));
    let parts = licences::parts(&paths::root(), "sinew", TARGET)?;
    job.add(&archive, TARGET, Proof { state: State::Tested, ran_on, checks }, &parts)?;
    Ok(Ok(()))
}

/// The installed package in a page without a bundler.
fn in_browser(job: &mut Job, project: &Path) -> Result<String> {
    if let Err(reason) = web::browser::tools() {
        return Ok(format!("no browser has run it: {reason}"));
    }
    let hash = &job.tutorial()?.hash;
    web::browser::run("tutorial.mjs", project, &[("HASH", hash)])?;
    Ok(format!("a page in headless Chromium plays the tutorial: pose hash {hash}"))
}
