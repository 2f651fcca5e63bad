//! Rigs as the common tools make them, by their names, on one body.
//!
//! A rig is a text: one joint per line, indented below its parent, with the bone it is (`= Spine`)
//! or without (a joint that must not be mapped). `{Left/Right}` repeats the line and all below it
//! for both sides; `*` in a bone's name stands for the side.

mod families;
mod more_families;
mod shapes;

use sinew::humanoid::{HumanBone, HumanMap, MappingReport, map_joints};
use sinew::math::{Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};

/// Where a bone's joint is: metres, Y up, facing +Z, right-handed (left is +X).
fn position(bone: HumanBone) -> Vec3 {
    use HumanBone::*;
    let name = bone.name();
    if name.starts_with("Right") {
        return position(bone.mirrored()) * Vec3::new(-1.0, 1.0, 1.0);
    }
    let finger = |first: [f32; 3]| {
        let along = if name.ends_with("Proximal") {
            0.0
        } else if name.ends_with("Intermediate") {
            0.04
        } else {
            0.065
        };
        Vec3::from_array(first) + if name.contains("Thumb") { Vec3::new(0.7, -0.1, 0.7) } else { Vec3::X } * along
    };
    match bone {
        Hips => Vec3::new(0.0, 1.0, 0.0),
        LeftUpperLeg => Vec3::new(0.1, 0.95, 0.0),
        LeftLowerLeg => Vec3::new(0.1, 0.52, 0.01),
        LeftFoot => Vec3::new(0.1, 0.09, -0.02),
        LeftToes => Vec3::new(0.1, 0.02, 0.12),
        Spine => Vec3::new(0.0, 1.1, 0.0),
        Chest => Vec3::new(0.0, 1.22, -0.01),
        UpperChest => Vec3::new(0.0, 1.33, -0.02),
        Neck => Vec3::new(0.0, 1.5, -0.02),
        Head => Vec3::new(0.0, 1.6, 0.0),
        LeftShoulder => Vec3::new(0.03, 1.44, -0.02),
        LeftUpperArm => Vec3::new(0.18, 1.43, -0.02),
        LeftLowerArm => Vec3::new(0.45, 1.43, -0.03),
        LeftHand => Vec3::new(0.7, 1.43, -0.02),
        LeftEye => Vec3::new(0.03, 1.66, 0.08),
        Jaw => Vec3::new(0.0, 1.6, 0.03),
        _ if name.contains("Thumb") => finger([0.72, 1.42, 0.01]),
        _ if name.contains("Index") => finger([0.79, 1.43, 0.01]),
        _ if name.contains("Middle") => finger([0.79, 1.43, -0.01]),
        _ if name.contains("Ring") => finger([0.785, 1.43, -0.03]),
        _ => finger([0.775, 1.43, -0.05]),
    }
}

/// Lines with the sides written out: indentation, joint name, bone.
fn expand(text: &str) -> Vec<(usize, String, Option<HumanBone>)> {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let indent = |l: &str| l.len() - l.trim_start().len();
    let mut out = Vec::new();
    let mut push = |line: &str, side: usize| {
        let (name, bone) = line.split_once(" = ").map_or((line, None), |(n, b)| (n, Some(b)));
        let mut name = name.trim().to_owned();
        while let (Some(a), Some(b)) = (name.find('{'), name.find('}')) {
            let word = name[a + 1..b].split('/').nth(side).unwrap().to_owned();
            name.replace_range(a..=b, &word);
        }
        let bone = bone.map(|b| {
            let b = b.trim().replace('*', ["Left", "Right"][side]);
            HumanBone::from_name(&b).unwrap_or_else(|| panic!("{b}"))
        });
        out.push((indent(line), name, bone));
    };
    let mut i = 0;
    while i < lines.len() {
        if lines[i].contains('{') {
            let end = (i + 1..lines.len()).find(|j| indent(lines[*j]) <= indent(lines[i])).unwrap_or(lines.len());
            for side in 0..2 {
                lines[i..end].iter().for_each(|l| push(l, side));
            }
            i = end;
        } else {
            push(lines[i], 0);
            i += 1;
        }
    }
    out
}

fn rig(text: &str) -> (Skeleton, HumanMap) {
    let lines = expand(text);
    let mut map = HumanMap::new();
    let mut joints: Vec<JointDefinition> = Vec::new();
    let mut world: Vec<Vec3> = Vec::new();
    for (i, (indent, name, bone)) in lines.iter().enumerate() {
        let parent = (0..i).rev().find(|j| lines[*j].0 < *indent);
        let from = parent.map_or(Vec3::ZERO, |p| world[p]);
        // A joint between two bones lies half way to the next one below it; a leaf a little further
        // on.
        let at = match bone {
            Some(bone) => position(*bone),
            None => {
                let below = lines[i + 1..].iter().take_while(|l| l.0 > *indent).find_map(|l| l.2);
                match below {
                    _ if parent.is_none() || from == Vec3::ZERO => Vec3::ZERO,
                    Some(bone) => (from + position(bone)) * 0.5,
                    None => from + Vec3::new(0.0, 0.02, 0.02),
                }
            }
        };
        if let Some(bone) = bone {
            map.set(*bone, Some(i));
        }
        joints.push(JointDefinition { name: name.clone(), parent, rest: Transform::at(at - from) });
        world.push(at);
    }
    (Skeleton::new(joints).unwrap(), map)
}

fn differences(skeleton: &Skeleton, want: &HumanMap, report: &MappingReport) -> Vec<String> {
    let name = |j: Option<usize>| j.map_or("-".to_owned(), |j| skeleton.name(j).to_owned());
    HumanBone::ALL
        .into_iter()
        .filter(|b| want.get(*b) != report.map.get(*b))
        .map(|b| format!("{}: {} for {}", b.name(), name(report.map.get(b)), name(want.get(b))))
        .collect()
}

#[track_caller]
fn check(text: &str) -> MappingReport {
    let (skeleton, want) = rig(text);
    let report = map_joints(&skeleton);
    let wrong = differences(&skeleton, &want, &report);
    assert!(wrong.is_empty(), "{wrong:#?} {:?}", report.notes);
    assert_eq!(report.is_humanoid(), want.missing_required().is_empty());
    for (bone, joint) in report.map.iter() {
        let entry = report.entry(bone).unwrap();
        assert_eq!(entry.joint, joint);
        assert!((0.0..=1.0).contains(&entry.confidence) && !entry.why.is_empty());
    }
    report
}
