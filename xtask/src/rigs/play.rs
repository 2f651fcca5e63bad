//! The tutorial scene on a rig, in the demo's C host.

use super::format::Rig;
use super::judge::{self, Verdict};
use super::mapping::MappingScore;
use crate::demo::figure::Body;
use crate::demo::hosts::{Host, Run};
use crate::demo::{build_library, judge as demo_judge, sheet};
use anyhow::{Context, Result, anyhow};
use sinew::humanoid::{HumanMap, body_axes, t_pose};
use std::path::{Path, PathBuf};
use testkit::axes::BodyAxes;
use testkit::scene::{HoldCylinderScene, Motion};

/// The C host, built once.
pub struct Player {
    library: PathBuf,
    line: Vec<String>,
    folder: PathBuf,
}

/// Result of playing one rig.
#[derive(Clone, Debug)]
pub struct Played {
    /// Result of the judge.
    pub verdict: Verdict,
    /// The avatar had to be made from the file's table, for our own mapping lacks a required bone.
    pub from_table: bool,
    /// How our axes differ from the file's, if they do.
    pub axes_off: Option<String>,
}

impl Player {
    /// Builds the library and the host's program into `folder`.
    pub fn new(folder: &Path) -> Result<Self> {
        for tool in Host::C.tools() {
            tool.ensure().map_err(|missing| anyhow!("the C host: {missing}"))?;
        }
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let folder = folder.canonicalize()?;
        let library = build_library()?;
        let line = Host::C.build(&library, &folder)?;
        Ok(Self { library, line, folder })
    }

    /// Plays the scene on the rig, with the avatar from our own mapping where that is complete.
    pub fn play(&self, rig: &Rig, mapping: &MappingScore, with_sheet: bool) -> Result<Played> {
        let from_table = !mapping.map.missing_required().is_empty();
        let map = if from_table { &rig.humanoid } else { &mapping.map };
        let (scene, axes_off) = scene(rig, map)?;
        let scene_file = self.folder.join("scene.bin");
        std::fs::write(&scene_file, scene.to_bytes())?;
        let run = Host::C.play_built(&self.line, &self.library, &scene_file, &self.folder)?;
        let verdict = judge::judge(rig, &scene, &run)?;
        if with_sheet {
            self.draw(rig, &scene, &run)?;
        }
        Ok(Played { verdict, from_table, axes_off })
    }

    /// Where the host's files and the sheets go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn draw(&self, rig: &Rig, scene: &HoldCylinderScene, run: &Run) -> Result<()> {
        let recording = demo_judge::record(scene, run, Some(&rig.name), Vec::new())?;
        sheet::write_contact_sheet(&recording, &Body::Bones, &self.folder.join(format!("{}.png", rig.name)))
    }
}

/// The scene with our own T-pose and axes, as the C host's avatar finds them again; and how those
/// axes differ from the file's.
pub fn scene(rig: &Rig, map: &HumanMap) -> Result<(HoldCylinderScene, Option<String>)> {
    let axes = body_axes(&rig.skeleton, map, None, None).context("cannot determine up and forward from the joints")?;
    let pose = t_pose(&rig.skeleton, map, &axes);
    let ours = BodyAxes { right: axes.right, up: axes.up, forward: axes.forward };
    let close = |a: sinew::math::Vec3, b: sinew::math::Vec3| a.dot(b) > 0.9999;
    let same =
        close(ours.right, rig.axes.right) && close(ours.up, rig.axes.up) && close(ours.forward, rig.axes.forward);
    let axes_off = (!same).then(|| format!("axes {ours:?} are not the file's {:?}", rig.axes));
    let scene = HoldCylinderScene::for_rig(rig.skeleton.clone(), *map.as_array(), pose, ours, Motion::Idle, None)?;
    Ok((scene, axes_off))
}
