//! `cargo xtask bench --table`: the times of this machine as a page, docs/bench/MACHINE.md.

use crate::bench::Timed;
use crate::{instructions, paths, sh};
use anyhow::Result;
use std::fmt::Write;

/// What a row is compared with: the same work one after the other.
const BASELINES: &[(&str, &str)] = &[
    ("two_bone_batch_turns", "two_bone_turns"),
    ("two_bone_batch_rotations", "two_bone_rotations"),
    ("two_bone_batch_rotations_in_records", "two_bone_rotations"),
    ("c_abi_two_bone", "two_bone_turns"),
    ("c_abi_two_bone_batch", "two_bone_turns"),
    ("c_abi_joint_limb", "two_bone_rotations"),
    ("scene_two_bone_batch/hot", "scene_two_bone_one_by_one/hot"),
    ("scene_two_bone_records/hot", "scene_two_bone_one_by_one/hot"),
    ("scene_two_bone_batch/streaming", "scene_two_bone_one_by_one/streaming"),
    ("scene_two_bone_records/streaming", "scene_two_bone_one_by_one/streaming"),
    ("humanoid_feet_look_at/crowd", "humanoid_feet_look_at/1"),
    ("humanoid_all/crowd", "humanoid_all/1"),
    ("scene_feet_look_at/100", "scene_feet_look_at/1"),
    ("scene_feet_look_at/10000", "scene_feet_look_at/1"),
];

/// Writes the page.
pub fn write(rows: &[Timed]) -> Result<()> {
    let machine = machine();
    let committed = instructions::committed()?;
    let rustc = sh::run(&mut sh::command("rustc", &["--version"]))?.stdout;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut page = format!(
        "# Times: {machine}\n\n\
         Written by `cargo xtask bench --table`; [speed.md](../speed.md) explains the rows.\n\n\
         - {machine}, {cores} logical cores, {} {}; one thread.\n\
         - {}.\n\
         - Built as the packages are: release profile (thin LTO, one codegen unit), no flags.\n\
         - A time is the minimum of all rounds, by the clock of the thread, after one round to warm up; it\n  \
           is for one unit: a limb, a ray, a character, a solve, a bone and iteration. Instructions\n  \
           are those of benches/instructions.json when this page was written (x86-64, AVX2 at run time,\n  \
           callgrind).\n\
         - `times` is the baseline's time divided by the row's, in the same run.\n\n\
         | row | ns | rounds | instructions | times | baseline |\n|---|---:|---:|---:|---:|---|\n",
        std::env::consts::OS,
        std::env::consts::ARCH,
        rustc.trim(),
    );
    for row in rows {
        let count = committed.get(&row.name).and_then(|row| row["instructions"].as_f64());
        let baseline = BASELINES.iter().find(|(name, _)| *name == row.name).map(|(_, baseline)| *baseline);
        let ratio = baseline.and_then(|b| rows.iter().find(|r| r.name == b)).map(|b| b.ns / row.ns);
        writeln!(
            page,
            "| {} | {:.1} | {} | {} | {} | {} |",
            row.name,
            row.ns,
            row.rounds,
            count.map_or(String::new(), |n| n.to_string()),
            ratio.map_or(String::new(), |r| format!("{r:.2}")),
            baseline.unwrap_or_default(),
        )?;
    }
    print!("{page}");
    let name: String =
        machine.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let name = name.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let file = paths::root().join("docs/bench").join(name).with_extension("md");
    std::fs::create_dir_all(paths::root().join("docs/bench"))?;
    std::fs::write(&file, page)?;
    println!("written to {}", file.display());
    Ok(())
}

/// The processor's name, if the system reports it.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let after = |key: &str| {
        let value = info.lines().find(|line| line.starts_with(key)).and_then(|line| line.split_once(':'));
        value.map(|(_, value)| value.trim().to_string())
    };
    match (after("model name"), after("cpu family"), after("model\t")) {
        (Some(name), Some(family), Some(model)) => format!("{name}, family {family} model {model}"),
        (Some(name), ..) => name,
        _ => format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    }
}
