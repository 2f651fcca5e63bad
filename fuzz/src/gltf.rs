//! A glTF or VRM file from the bytes, read as the demo reads it.

#[path = "../../xtask/src/demo/gltf_rig.rs"]
mod gltf_rig;

use sinew::humanoid::{body_axes, map_joints, t_pose};
use testkit::matchers;

/// Reads the file; what cannot be read is an error and nothing else.
pub fn run(data: &[u8]) {
    let Ok(gltf_rig::Rig { file, skeleton, map, places }) = gltf_rig::read(data) else { return };
    assert_eq!(places.len(), file.document.nodes().count());
    let map = map.unwrap_or_else(|| map_joints(&skeleton).map);
    if let Some(axes) = body_axes(&skeleton, &map, None, None) {
        let pose = t_pose(&skeleton, &map, &axes);
        assert_eq!(pose.len(), skeleton.joint_count());
        assert!(matchers::all_finite(&pose), "a T-pose that is not finite");
    }
}
