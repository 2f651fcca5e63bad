//! `cargo xtask demo`: the hand holds the cylinder, in three hosts, and a page with the result.

mod accessor;
mod bind;
mod body;
pub(crate) mod figure;
pub(crate) mod hosts;
pub(crate) mod judge;
mod mesh;
mod model;
mod page;
mod paint;
pub(crate) mod recording;
pub(crate) mod sheet;
mod skin;
mod stage;

use crate::{paths, sh};
use anyhow::{Context, Result, anyhow, ensure};
use figure::Body;
use hosts::{Host, Run};
use recording::HostHash;
use std::path::{Path, PathBuf};
use testkit::scene::HoldCylinderScene;

/// What to play and where to leave it.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// A humanoid in a glTF or VRM file (.glb, .gltf, .vrm) in place of the built-in person.
    #[arg(long)]
    pub model: Option<PathBuf>,
    /// Folder for the page, the contact sheet and the hosts' files. Default: target/demo, or
    /// target/demo-NAME for a model.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Writes a moving picture of the run, an animated PNG, into this file, too.
    #[arg(long)]
    pub film: Option<PathBuf>,
    /// Only play and compare the hosts; draw nothing.
    #[arg(long)]
    pub quick: bool,
}

/// Plays the scene in every host, compares the poses bit for bit, and draws them.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.model.as_ref().and_then(|m| m.file_stem()).map(|s| s.to_string_lossy().into_owned());
    let folder = match (&arguments.out, &name) {
        (Some(out), _) => out.clone(),
        (None, Some(name)) => paths::target()?.join(format!("demo-{name}")),
        (None, None) => paths::target()?.join("demo"),
    };
    // A refused model leaves no folder.
    let (scene, body) = match &arguments.model {
        Some(path) => {
            let (scene, mesh) = model::scene(path).with_context(|| format!("reading {}", path.display()))?;
            let body = mesh.map_or_else(
                |reason| {
                    println!("{}: {reason:#}; its bones are drawn", path.display());
                    Body::Bones
                },
                Body::Mesh,
            );
            (scene, body)
        }
        None => (HoldCylinderScene::new(), Body::Mannequin),
    };
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let folder = folder.canonicalize()?;
    let scene_file = folder.join("scene.bin");
    std::fs::write(&scene_file, scene.to_bytes())?;
    println!(
        "scene: {} joints, {} frames at {} a second",
        scene.skeleton.joint_count(),
        scene.frame_count(),
        scene.fps
    );

    let library = build_library()?;
    let runs = play_hosts(&library, &scene_file, &folder)?;
    let same = runs.iter().all(|(_, run)| run.hash == runs[0].1.hash);
    for (host, run) in &runs {
        println!("{:<10} pose hash {}", host.name(), run.hash);
    }
    ensure!(same, "the hosts left different poses");
    println!("same bits in all {} hosts", runs.len());

    let hashes = runs.iter().map(|(host, run)| HostHash { host: host.name().into(), hash: run.hash.clone() }).collect();
    let recording = judge::record(&scene, &runs[0].1, name.as_deref(), hashes)?;
    judge::report(&recording);
    if arguments.quick {
        return Ok(());
    }
    let page = folder.join("index.html");
    page::write_page(&recording, &body, &page)?;
    let sheet = folder.join("contact-sheet.png");
    sheet::write_contact_sheet(&recording, &body, &sheet)?;
    // The moment the README shows: hand and gaze to the side, back from out of reach.
    let moment = recording.frames.iter().position(|f| f.time_s > 12.5 && f.status == "reached").unwrap_or(0);
    sheet::write_still(&recording, &body, moment, (1200, 800), &folder.join("still.png"))?;
    if let Some(film) = &arguments.film {
        sheet::write_film(&recording, &body, film)?;
    }
    println!("page:          {}\ncontact sheet: {}", page.display(), sheet.display());
    Ok(())
}

/// Builds the native library as users get it; returns its file.
pub(crate) fn build_library() -> Result<PathBuf> {
    println!("building the native library …");
    sh::run_cargo(&mut sh::cargo(&["build", "--release", "--package", "sinew", "--lib"]))?;
    let name = format!("{}sinew{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = paths::target()?.join("release").join(name);
    ensure!(library.is_file(), "{} was not built", library.display());
    Ok(library)
}

fn play_hosts(library: &Path, scene: &Path, folder: &Path) -> Result<Vec<(Host, Run)>> {
    Host::ALL
        .into_iter()
        .map(|host| {
            for tool in host.tools() {
                tool.ensure().map_err(|missing| anyhow!("the {} host: {missing}", host.name()))?;
            }
            Ok((host, host.play(library, scene, folder)?))
        })
        .collect()
}
