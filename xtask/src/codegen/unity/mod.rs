//! Assets of the Unity package that are not drawn by hand: the figure of the samples (mesh and
//! skin), the samples' scenes, the icons of the components, and the pictures of the manual.

mod figure;
mod icons;
mod mesh;
mod pictures;
mod samples;
mod scene;

use anyhow::Result;
use std::path::Path;

/// Text and binary files as (path below the package, contents).
pub struct Assets {
    pub texts: Vec<(String, String)>,
    pub binaries: Vec<(String, Vec<u8>)>,
}

/// Makes all of them. `package` is read for GUIDs and for
/// the script that two samples share.
pub fn generate(package: &Path) -> Result<Assets> {
    let mut texts = vec![samples::grounder_walk(package)?];
    for sample in samples::NAMES {
        let folder = format!("Samples~/{sample}");
        let mesh = format!("{folder}/Figure.asset");
        texts.push((mesh.clone(), mesh::asset(&figure::skin())));
        texts.push((format!("{folder}/{sample}.unity"), samples::scene(sample, package, &mesh)));
    }
    let mut binaries = icons::all()?;
    binaries.extend(pictures::all()?);
    Ok(Assets { texts, binaries })
}
