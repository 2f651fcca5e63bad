//! Writes the demo's page: the playground in one file, with the module, the scene and the character
//! in it. It works from a folder, without a network.

use super::figure::{Body, JointView};
use super::recording::Recording;
use super::stage::Stage;
use super::{glb, gltf_rig};
use crate::web::playground::Bundle;
use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use testkit::scene::HoldCylinderScene;

/// The file that the page draws, and the node of each joint in it.
pub struct Character {
    pub bytes: Vec<u8>,
    pub nodes: Vec<usize>,
    /// Its name; `None`: the built-in mannequin.
    pub name: Option<String>,
}

impl Character {
    /// A file of the user's, whole: what lies beside it is put into it.
    pub fn of_file(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path)?;
        let rig = gltf_rig::read(&bytes)?;
        let mut nodes = vec![0; rig.skeleton.joint_count()];
        for (node, place) in rig.places.iter().enumerate() {
            if let Some(joint) = place {
                nodes[*joint] = node;
            }
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Self { bytes: whole(bytes, path)?, nodes, name })
    }
}

/// A .gltf file with its buffers and pictures in it; a .glb file is left as it is.
fn whole(bytes: Vec<u8>, path: &Path) -> Result<Vec<u8>> {
    if bytes.starts_with(b"glTF") {
        return Ok(bytes);
    }
    let mut json: Value = serde_json::from_slice(&bytes)?;
    for (list, kind) in [("buffers", "application/octet-stream"), ("images", "")] {
        for entry in json[list].as_array_mut().into_iter().flatten() {
            let Some(uri) = entry["uri"].as_str().filter(|uri| !uri.starts_with("data:")) else { continue };
            let kind = match kind {
                "" if uri.ends_with("png") => "image/png",
                "" if uri.ends_with("webp") => "image/webp",
                "" => "image/jpeg",
                kind => kind,
            };
            let data = STANDARD.encode(super::mesh::external(path, uri)?);
            entry["uri"] = format!("data:{kind};base64,{data}").into();
        }
    }
    Ok(serde_json::to_vec(&json)?)
}

/// Writes the page.
///
/// # Errors
///
/// When the recording cannot be drawn (see [`Recording::check`]) or the file cannot be written.
pub fn write_page(
    bundle: &Bundle,
    scene: &HoldCylinderScene,
    recording: &Recording,
    body: &Body,
    character: Option<Character>,
    path: &Path,
) -> Result<()> {
    recording.check()?;
    let stage = Stage::new(recording);
    let figure = JointView::new(&stage, body);
    let character = match character {
        Some(character) => character,
        None => {
            let bytes = glb::write(scene, &figure)?;
            Character { bytes, nodes: (0..recording.joints.len()).collect(), name: None }
        }
    };
    let axes = stage.axes();
    let meta = json!({
        "title": recording.title,
        "subtitle": recording.subtitle,
        "left": axes[0],
        "up": axes[1],
        "forward": axes[2],
        "metres": recording.metres_per_unit,
        "floor": figure.floor_y,
        "nodes": character.nodes,
        "model": character.name,
        "hosts": recording.hosts.iter().map(|h| json!({ "host": h.host, "hash": h.hash })).collect::<Vec<_>>(),
    });
    let blobs = [
        format!("<script type=\"application/json\" id=\"sinew-demo\">{}</script>", in_script(&meta.to_string())),
        blob("sinew-module", &bundle.module)?,
        blob("sinew-scene", &scene.to_bytes())?,
        blob("sinew-model", &character.bytes)?,
    ];
    std::fs::write(path, bundle.page(&recording.title, &blobs.join("\n"))?)
        .with_context(|| format!("writing {}", path.display()))
}

/// JSON that cannot end its script element.
pub fn in_script(json: &str) -> String {
    json.replace("</", "<\\/")
}

/// Compressed bytes in an element of the page.
pub fn blob(id: &str, data: &[u8]) -> Result<String> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(data)?;
    Ok(format!("<script type=\"text/plain\" id=\"{id}\">{}</script>", STANDARD.encode(packed.finish()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_script_element() {
        assert_eq!(in_script("{\"a\":\"</script>\"}"), "{\"a\":\"<\\/script>\"}");
        let blob = blob("x", b"</script>").unwrap();
        assert!(!blob.trim_end_matches("</script>").contains("</script>"));
    }

    #[test]
    fn what_lies_beside_a_file_is_put_into_it() {
        let folder = std::env::temp_dir().join(format!("sinew-whole-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.bin"), [1, 2, 3]).unwrap();
        let file = br#"{"asset":{"version":"2.0"},"buffers":[{"uri":"a.bin","byteLength":3}]}"#;
        let whole: Value = serde_json::from_slice(&whole(file.to_vec(), &folder.join("a.gltf")).unwrap()).unwrap();
        assert_eq!(whole["buffers"][0]["uri"], "data:application/octet-stream;base64,AQID");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
