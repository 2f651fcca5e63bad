//! A humanoid from a glTF or VRM file, as a rig that the scene can be played on.

use super::{gltf_rig, mesh};
use anyhow::{Context, Result, bail};
use sinew::humanoid::{body_axes, map_joints, t_pose};
use std::path::Path;
use testkit::scene::{HoldCylinderScene, Motion};

/// Reads the file and sets up the scene; the second is the file's mesh, or the reason why there is
/// none to draw.
pub fn scene(path: &Path) -> Result<(HoldCylinderScene, Result<mesh::Mesh>)> {
    let rig = gltf_rig::read(&std::fs::read(path)?)?;
    let skeleton = rig.skeleton;
    let map = match rig.map {
        Some(map) => {
            println!("{}: {} human bones from the file's VRM table", path.display(), map.len());
            map
        }
        None => {
            let report = map_joints(&skeleton);
            println!("{}: {} human bones found by names and shape", path.display(), report.map.len());
            report.map
        }
    };
    let missing = map.missing_required();
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|b| b.name()).collect();
        bail!(
            "this is no complete humanoid: no joint for {}; the demo plays humanoids only. Chains, aims and \
             splines of other rigs: docs/constraints.md and `cargo xtask gallery`",
            names.join(", ")
        );
    }
    let axes = body_axes(&skeleton, &map, None, None).context("cannot determine up and forward from the joints")?;
    let pose = t_pose(&skeleton, &map, &axes);
    let axes = testkit::axes::BodyAxes { right: axes.right, up: axes.up, forward: axes.forward };
    let mesh = mesh::read(path, &rig.file, &rig.places, &skeleton);
    Ok((HoldCylinderScene::for_rig(skeleton, *map.as_array(), pose, axes, Motion::Idle, None)?, mesh))
}
