//! The Godot addon: `addons/sinew/`, to be unpacked into a project.

use super::archive;
use super::licences;
use super::manifest::{Proof, State, VERSION};
use super::{Job, Reason, write};
use crate::{godot, paths, sh};
use anyhow::Result;

/// The addon with this machine's library.
pub fn package(job: &mut Job) -> Result<Result<(), Reason>> {
    let target = paths::host_target()?;
    let Some(place) = godot::library_place(&target) else {
        return Ok(Err(format!("no place for {target} in the addon")));
    };
    if let Err(reason) = godot::toolchain() {
        return Ok(Err(reason));
    }
    let library = godot::build()?;
    let tree = job.trees.join("godot");
    let addon = tree.join("addons/sinew");
    godot::copy_folder(&paths::root().join("bindings/godot/addons/sinew"), &addon)?;
    sh::copy(&library, &addon.join(place))?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "docs/godot.md", "bindings/godot/NOTICE"] {
        let from = paths::root().join(file);
        if let Some(name) = from.file_name().filter(|_| from.is_file()) {
            sh::copy(&from, &addon.join(name))?;
        }
    }
    let parts = licences::parts(&paths::root().join("bindings/godot"), "sinew-godot", &target)?;
    write(&addon.join("THIRD-PARTY-NOTICES.md"), &parts.notices()?)?;
    let archive = job.made.join(format!("sinew-godot-{VERSION}.zip"));
    archive::zip(&archive, &tree)?;
    let checks = vec![format!("licences of {} linked crates inside", parts.third_parties())];
    let proof = Proof { state: State::Inspected, ran_on: String::new(), checks };
    job.add(&archive, &target, proof, &parts)?;
    Ok(Ok(()))
}
