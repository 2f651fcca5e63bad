//! The npm package, tried in a project of its own.

use super::licences;
use super::manifest::{Proof, State};
use super::sdk::version_of;
use super::{Job, Reason};
use crate::tools::{self, NODE, NPM};
use crate::{paths, sh, web};
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
    let program = paths::root().join("examples/hold_cylinder/web/hold_cylinder.mjs");
    sh::copy(&program, &project.join("hold_cylinder.mjs"))?;
    let mut node = std::process::Command::new("node");
    let played = job.tutorial()?.play(node.arg("hold_cylinder.mjs"), &project)?;
    let checks = vec!["a fresh project installs it and runs examples/hello".into(), played];
    let ran_on = format!("node {}", version_of(Path::new("node")));
    let parts = licences::parts(&paths::root(), "sinew", TARGET)?;
    job.add(&archive, TARGET, Proof { state: State::Tested, ran_on, checks }, &parts)?;
    Ok(Ok(()))
}
