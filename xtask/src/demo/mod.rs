//! `cargo xtask demo`: the hand holds the cylinder, in three hosts, and a page where it is live.

mod accessor;
mod bind;
mod body;
pub(crate) mod figure;
mod glb;
mod gltf_rig;
pub(crate) mod hosts;
pub(crate) mod judge;
mod mesh;
mod model;
pub(crate) mod page;
mod paint;
pub(crate) mod recording;
pub(crate) mod sheet;
mod skin;
mod stage;

use crate::web::playground::{Bundle, Script};
use crate::{install, paths};
use anyhow::{Context, Result, bail, ensure};
use figure::Body;
use hosts::Host;
use recording::HostHash;
use std::path::PathBuf;
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
    /// Only play, compare and write the page; draw no pictures.
    #[arg(long)]
    pub page_only: bool,
    /// Fail where a host cannot be played because a program is missing.
    #[arg(long)]
    pub all_hosts: bool,
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
    let character = arguments.model.as_deref().map(page::Character::of_file).transpose()?;
    let (scene, body) = match &arguments.model {
        Some(path) => {
            let (scene, mesh) = model::scene(path).with_context(|| format!("reading {}", path.display()))?;
            let body = mesh.map_or_else(
                |reason| {
                    println!("{}: {reason:#}; the pictures show its bones", path.display());
                    Body::Bones
                },
                Body::Mesh,
            );
            (scene, body)
        }
        None => (HoldCylinderScene::new(), Body::Mannequin),
    };
    let hosts = hosts_here(arguments.all_hosts)?;
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
    let mut runs = Vec::new();
    for host in &hosts.present {
        runs.push((*host, host.play(&library, &scene_file, &folder)?));
    }
    let same = runs.iter().all(|(_, run)| run.hash == runs[0].1.hash);
    for (host, run) in &runs {
        println!("{:<10} pose hash {}", host.name(), run.hash);
    }
    for (host, why) in &hosts.missing {
        println!("{:<10} not played: {why}", host.name());
    }
    ensure!(same, "the hosts left different poses");
    println!("same bits in {} of {} hosts", runs.len(), Host::ALL.len());

    let hashes = runs.iter().map(|(host, run)| HostHash { host: host.name().into(), hash: run.hash.clone() }).collect();
    let recording = judge::record(&scene, &runs[0].1, name.as_deref(), hashes)?;
    judge::report(&recording);
    if arguments.quick {
        return Ok(());
    }
    match Bundle::is_missing() {
        Some(why) if arguments.all_hosts => bail!("the page cannot be made: {why}"),
        Some(why) => println!("page:          not made: {why}"),
        None => {
            let page = folder.join("index.html");
            page::write_page(&Bundle::new(Script::Main)?, &scene, &recording, &body, character, &page)?;
            println!("page:          {}", page.display());
        }
    }
    if arguments.page_only {
        return Ok(());
    }
    let sheet = folder.join("contact-sheet.png");
    sheet::write_contact_sheet(&recording, &body, &sheet)?;
    // The moment the README shows: hand and gaze to the side, back from out of reach.
    let moment = recording.frames.iter().position(|f| f.time_s > 12.5 && f.status == "reached").unwrap_or(0);
    sheet::write_still(&recording, &body, moment, (1200, 800), &folder.join("still.png"))?;
    if let Some(film) = &arguments.film {
        sheet::write_film(&recording, &body, film)?;
    }
    println!("contact sheet: {}", sheet.display());
    Ok(())
}

/// The native library as `cargo xtask install` lays it down, from the same build; returns its file.
pub(crate) fn build_library() -> Result<PathBuf> {
    println!("building the native library …");
    let target = install::Target::host()?;
    let built = install::build(&target, false)?;
    let prefix = paths::target()?.join("demo-library");
    install::lay_down(&prefix, &target, &built)?;
    // Programs look for the name that the library gives itself: it is there once it is installed.
    let installed = prefix.join("lib").join(target.shared());
    if installed.is_file() { Ok(installed) } else { built.shared.context("no shared library") }
}

/// Which hosts this machine can play.
struct Hosts {
    present: Vec<Host>,
    /// And why not.
    missing: Vec<(Host, String)>,
}

/// Looks for what the hosts need, before anything is built. Installs nothing.
fn hosts_here(all: bool) -> Result<Hosts> {
    let mut hosts = Hosts { present: Vec::new(), missing: Vec::new() };
    for host in Host::ALL {
        match host.tools().iter().find_map(|tool| tool.is_missing()) {
            Some(why) => hosts.missing.push((host, why)),
            None => hosts.present.push(host),
        }
    }
    let list: Vec<_> = hosts.missing.iter().map(|(host, why)| format!("{}: {why}", host.name())).collect();
    if hosts.present.is_empty() || all && !list.is_empty() {
        bail!("hosts that cannot be played: {}", list.join("; "));
    }
    Ok(hosts)
}
