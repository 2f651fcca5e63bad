//! The Godot addon: its crate, and its nodes in the engine itself.

use super::{Tally, godot_cases, native};
use crate::{godot, paths, sh};
use anyhow::{Context, Result, ensure};
use sinew::ffi::replay::{Outcome, Player};
use sinew::record::Log;
use std::path::Path;

/// Format, clippy and documentation of the extension's crate, which the workspace's own steps do
/// not see.
pub fn crate_checks(tally: &mut Tally) -> Result<()> {
    if let Err(reason) = godot::toolchain() {
        tally.skip(reason);
        return Ok(());
    }
    tally.check("cargo fmt", sh::run(&mut godot::cargo(&["fmt", "--check"])?).map(|_| ()));
    let within = |arguments: &[&str]| -> Result<()> {
        let mut cargo = godot::cargo(arguments)?;
        cargo.env("RUSTDOCFLAGS", "-D warnings").env("CARGO_PROFILE_DEV_DEBUG", "0");
        sh::run_cargo(&mut cargo).map(|_| ())
    };
    tally.check("clippy", within(&["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]));
    tally.check("cargo doc", within(&["doc", "--locked", "--no-deps"]));
    Ok(())
}

/// The tests of `tests/godot-project` in Godot 4.6, headless, with the extension as it is shipped.
pub fn engine(tally: &mut Tally) -> Result<()> {
    if let Err(reason) = godot::toolchain() {
        tally.skip(reason);
        return Ok(());
    }
    let engine = match godot::engine(false)? {
        Ok(engine) => engine,
        Err(reason) => {
            tally.skip(reason);
            return Ok(());
        }
    };
    let library = godot::build()?;
    let project = godot::project("tests", &paths::root().join("tests/godot-project"), &library)?;
    godot_cases::write(&project)?;
    let mut command = godot::script(&engine, &project, "res://run.gd");
    let output = sh::capture(&mut command)?;
    native::report(tally, "Godot", &output);
    for complaint in godot::complaints(&output.text) {
        tally.fail(format!("Godot: {complaint}"));
    }
    // Frames between physics ticks, which a run without a screen has only at a fixed rate.
    let mut command = godot::script(&engine, &project, "res://run.gd");
    command.args(["--fixed-fps", "144", "--", "frames"]);
    let output = sh::capture(&mut command)?;
    native::report(tally, "Godot at 144 Hz", &output);
    for complaint in godot::complaints(&output.text) {
        tally.fail(format!("Godot at 144 Hz: {complaint}"));
    }
    for (log, frames) in RECORDINGS {
        tally.check(format!("replay of {log}"), replays(&project.join(".godot").join(log), frames));
    }
    let demo = godot::project("demo", &paths::root().join("bindings/godot/demo"), &library)?;
    let mut command = sh::command(&engine, &["--headless", "--path"]);
    command.arg(&demo).args(["--", "--frames", "90"]);
    tally.check("demo", plays(&sh::capture(&mut command)?));
    let mut command = sh::command(&engine, &["--headless", "--fixed-fps", "60", "--path"]);
    command.arg(&demo).args(["res://ground.tscn", "--", "--frames", "300"]);
    tally.check("demo of grounding", stands(&sh::capture(&mut command)?));
    Ok(())
}

/// What `tests/record.gd` leaves, with the number of solves: three nodes in fifteen frames; a body
/// and a drag of it, a grounder, the limbs that it moves, a tracked body, and that of a remote
/// player in eight.
const RECORDINGS: [(&str, usize); 2] = [("nodes.sinewlog", 45), ("bodies.sinewlog", 48)];

/// Whether what was recorded in the engine comes out with the same bits here.
fn replays(log: &Path, expected: usize) -> Result<()> {
    let bytes = std::fs::read(log).with_context(|| log.display().to_string())?;
    let log = Log::read(&bytes)?;
    let mut player = Player::new(&log.head)?;
    let mut frames = 0;
    for played in log.entries.iter().filter_map(|entry| player.play(entry)) {
        ensure!(played.is_same() && matches!(played.outcome, Outcome::Run { .. }), "{played:?}");
        frames += usize::from(played.is_frame);
    }
    ensure!(frames == expected && log.cut == 0, "{frames} frames, {} bytes left over", log.cut);
    Ok(())
}

/// Whether standing feet of the demo of grounding are on the ground: half a centimetre off it on
/// average, as the engine's own rays measure it.
fn stands(output: &sh::Output) -> Result<()> {
    let complaints = godot::complaints(&output.text);
    ensure!(complaints.is_empty(), "{}", complaints.join("; "));
    let line = output.stdout.lines().find(|line| line.starts_with("frame ")).context("it printed no result")?;
    let numbers: Vec<f64> =
        line.split_whitespace().filter_map(|word| word.trim_end_matches('.').parse().ok()).collect();
    ensure!(numbers.len() == 3 && numbers[0] < 5e-3 && numbers[2] > 500.0, "{line}");
    Ok(())
}

/// Whether the demo's last line reports hand, tail and turret at their goals.
fn plays(output: &sh::Output) -> Result<()> {
    let complaints = godot::complaints(&output.text);
    ensure!(complaints.is_empty(), "{}", complaints.join("; "));
    let line = output.stdout.lines().find(|line| line.starts_with("frame ")).context("it printed no result")?;
    let off: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    ensure!(off.len() == 3 && off.iter().all(|off| *off < 1e-4), "{line}");
    Ok(())
}
