//! The automatic mapping, the axes and the T-pose on rigs of real characters (`../shared/data/rigs`
//! and `clips`; ignored where they are missing).

mod needs;

use std::collections::BTreeMap;

use serde_json::Value;
use sinew::humanoid::{
    BodyShape, HumanBone, HumanMap, MappingHints, MappingReport, body_axes, map_joints, map_joints_with, t_pose,
};
use sinew::math::{Quat, Transform, Vec3, float};
use sinew::skeleton::{JointDefinition, Pose, Skeleton};

fn main() {
    needs::run(&[
        (
            needs::data(&["rigs"]),
            tests![
                rigs_map_as_in_their_tables,
                an_animal_is_no_humanoid_and_a_missing_hand_is_named,
                without_names_rigs_map_by_their_shape,
            ],
        ),
        (needs::data(&["clips"]), tests![skeletons_of_the_clips_map_as_in_their_tables]),
        (
            needs::data(&["rigs", "clips"]),
            tests![
                axes_are_those_of_the_files,
                t_poses_have_the_expected_directions,
                a_t_pose_of_a_t_pose_changes_nothing_and_palms_face_down,
            ],
        ),
    ])
}

struct Rig {
    name: String,
    skeleton: Skeleton,
    /// The file's own table.
    humanoid: BTreeMap<HumanBone, usize>,
    up: Vec3,
    facing: Vec3,
    left_handed: bool,
}

fn files(name: &str) -> Vec<(String, Value)> {
    needs::data_files(name)
        .iter()
        .map(|p| {
            let text = std::fs::read_to_string(p).unwrap();
            (p.file_stem().unwrap().to_string_lossy().into_owned(), serde_json::from_str(&text).unwrap())
        })
        .collect()
}

fn numbers<const N: usize>(value: &Value) -> [f32; N] {
    core::array::from_fn(|i| value[i].as_f64().unwrap() as f32)
}

fn vec3(value: &Value) -> Vec3 {
    Vec3::from_array(numbers(value))
}

fn quat(value: &Value) -> Quat {
    Quat::from_array(numbers(value))
}

fn axis(text: &str) -> Vec3 {
    let unit = match &text[1..] {
        "X" => Vec3::X,
        "Y" => Vec3::Y,
        _ => Vec3::Z,
    };
    if text.starts_with('-') { -unit } else { unit }
}

fn table(file: &Value, skeleton: &Skeleton) -> BTreeMap<HumanBone, usize> {
    let table = file["humanoid"].as_object().unwrap();
    table
        .iter()
        .map(|(bone, joint)| {
            let bone = HumanBone::from_name(bone).unwrap_or_else(|| panic!("{bone}"));
            (bone, skeleton.find_joint(joint.as_str().unwrap()).unwrap())
        })
        .collect()
}

fn parent(joint: &Value) -> Option<usize> {
    usize::try_from(joint["parent"].as_i64().unwrap()).ok()
}

fn rigs() -> Vec<Rig> {
    files("rigs")
        .into_iter()
        .map(|(name, file)| {
            let joints = file["joints"].as_array().unwrap();
            let joints = joints.iter().map(|joint| {
                let rest = &joint["rest_local"];
                JointDefinition {
                    name: joint["name"].as_str().unwrap().to_owned(),
                    parent: parent(joint),
                    rest: Transform { position: vec3(&rest["t"]), rotation: quat(&rest["r"]), scale: vec3(&rest["s"]) },
                }
            });
            let skeleton = Skeleton::new(joints.collect()).unwrap();
            let text = |key: &str| file[key].as_str().unwrap();
            Rig {
                humanoid: table(&file, &skeleton),
                up: axis(text("up")),
                facing: axis(text("facing")),
                left_handed: text("handedness") == "left",
                name,
                skeleton,
            }
        })
        .collect()
}

/// The skeletons of the motion clips, in their rest pose.
fn clip_rigs() -> Vec<Rig> {
    files("clips")
        .into_iter()
        .map(|(name, file)| {
            let joints = file["joints"].as_array().unwrap();
            let joints = joints.iter().map(|joint| JointDefinition {
                name: joint["name"].as_str().unwrap().to_owned(),
                parent: parent(joint),
                rest: Transform::new(vec3(&joint["offset"]), quat(&joint["rest_r"])),
            });
            let skeleton = Skeleton::new(joints.collect()).unwrap();
            Rig {
                humanoid: table(&file, &skeleton),
                up: Vec3::Y,
                facing: axis(file["rest_facing"].as_str().unwrap_or("+Z")),
                left_handed: false,
                name,
                skeleton,
            }
        })
        .collect()
}

#[derive(Default)]
struct Score {
    required: usize,
    required_found: usize,
    listed: usize,
    found: usize,
    wrong_joint: Vec<String>,
    wrong_side: Vec<String>,
    extra: Vec<String>,
}

fn score(rig: &Rig, map: &HumanMap) -> Score {
    let mut score = Score::default();
    for bone in HumanBone::ALL {
        let (want, got) = (rig.humanoid.get(&bone).copied(), map.get(bone));
        let line = |j: Option<usize>| j.map_or("-", |j| rig.skeleton.name(j)).to_owned();
        if let Some(want) = want {
            let right = got == Some(want);
            score.listed += 1;
            score.found += usize::from(right);
            if bone.is_required() {
                score.required += 1;
                score.required_found += usize::from(right);
            }
            if !right {
                score.wrong_joint.push(format!("{}: {} for {}", bone.name(), line(got), line(Some(want))));
            }
        } else if got.is_some() {
            score.extra.push(format!("{}: {}", bone.name(), line(got)));
        }
        if let Some(got) = got
            && bone.mirrored() != bone
            && rig.humanoid.get(&bone.mirrored()) == Some(&got)
        {
            score.wrong_side.push(bone.name().to_owned());
        }
    }
    score
}

/// Bones that are mapped although the file's table omits them, where the joint has the bone's name.
fn is_right_extra(rig: &Rig, map: &HumanMap, bone: HumanBone) -> bool {
    let Some(joint) = map.get(bone) else { return false };
    let name = rig.skeleton.name(joint).to_lowercase();
    let words = ["thumb", "index", "middle", "ring", "little", "finger", "toe"];
    let bone_name = bone.name().to_lowercase();
    // Only fingers and toes, whose joints are named after them; Biped numbers its fingers.
    words.iter().any(|w| bone_name.contains(w) && name.contains(w)) || name.contains(" finger")
}

fn print_head() {
    table_line!("{:<36} {:>9} {:>9}  wrong, sides, extra", "rig", "required", "all");
}

fn print(rig: &Rig, report: &MappingReport, s: &Score) {
    table_line!(
        "{:<36} {:>4}/{:<4} {:>4}/{:<4}  {} {} {}   {:?}",
        rig.name,
        s.required_found,
        s.required,
        s.found,
        s.listed,
        s.wrong_joint.len(),
        s.wrong_side.len(),
        s.extra.len(),
        report.shape,
    );
    for line in &s.wrong_joint {
        table_line!("    wrong  {line}");
    }
    for line in &s.extra {
        table_line!("    extra  {line}");
    }
}

fn check_mapping(rigs: &[Rig]) {
    print_head();
    let (mut listed, mut found) = (0, 0);
    let mut failed = Vec::new();
    for rig in rigs.iter().filter(|r| !r.humanoid.is_empty()) {
        let report =
            map_joints_with(&rig.skeleton, &MappingHints { left_handed: rig.left_handed, ..Default::default() });
        let s = score(rig, &report.map);
        print(rig, &report, &s);
        listed += s.listed;
        found += s.found;
        let wrong_extra = HumanBone::ALL.into_iter().any(|b| {
            !rig.humanoid.contains_key(&b) && report.map.get(b).is_some() && !is_right_extra(rig, &report.map, b)
        });
        if s.required_found < s.required || !s.wrong_side.is_empty() || wrong_extra {
            failed.push(rig.name.clone());
        }
        let expected: Vec<_> = HumanBone::REQUIRED.into_iter().filter(|b| !rig.humanoid.contains_key(b)).collect();
        assert_eq!(report.missing_required, expected, "{}", rig.name);
        assert_eq!(report.is_humanoid(), expected.is_empty(), "{}", rig.name);
        assert_eq!(map_joints(&rig.skeleton).map, report.map, "{}: the hints must not be needed", rig.name);
    }
    table_line!("all: {found}/{listed}");
    assert!(listed > 0, "no rig lists a human bone");
    assert!(failed.is_empty(), "{failed:?}");
    assert!(found * 100 >= listed * 98, "{found} of {listed}");
}

fn rigs_map_as_in_their_tables() {
    check_mapping(&rigs());
}

fn skeletons_of_the_clips_map_as_in_their_tables() {
    check_mapping(&clip_rigs());
}

fn an_animal_is_no_humanoid_and_a_missing_hand_is_named() {
    for rig in rigs() {
        let report = map_joints(&rig.skeleton);
        if rig.humanoid.is_empty() {
            assert_eq!(report.shape, BodyShape::FourLegged);
            assert!(report.map.is_empty());
            assert_eq!(report.missing_required, HumanBone::REQUIRED);
        }
        if rig.name == "kaykit_unnamed_one_handed" {
            assert_eq!(report.shape, BodyShape::Incomplete);
            assert_eq!(report.missing_required, [HumanBone::RightHand]);
        }
    }
}

fn axes_are_those_of_the_files() {
    for rig in rigs().into_iter().chain(clip_rigs()) {
        if rig.humanoid.is_empty() {
            continue;
        }
        let mut map = HumanMap::new();
        for (bone, joint) in &rig.humanoid {
            map.set(*bone, Some(*joint));
        }
        for map in [map, map_joints(&rig.skeleton).map] {
            let axes = body_axes(&rig.skeleton, &map, None, None).unwrap();
            assert_eq!(axes.up, rig.up, "{}", rig.name);
            assert!(axes.forward.dot(rig.facing) > 0.9999, "{}: {:?}", rig.name, axes);
            assert_eq!(axes.left_handed, rig.left_handed, "{}", rig.name);
        }
    }
}

fn t_poses_have_the_expected_directions() {
    use HumanBone::*;
    table_line!("{:<36} {:>8} {:>8} {:>8} {:>8} {:>8}  turned", "rig", "arm", "forearm", "thigh", "shin", "foot");
    for rig in rigs().into_iter().chain(clip_rigs()) {
        if rig.humanoid.is_empty() {
            continue;
        }
        let map = map_joints(&rig.skeleton).map;
        let axes = body_axes(&rig.skeleton, &map, None, None).unwrap();
        let local = t_pose(&rig.skeleton, &map, &axes);
        let mut pose = Pose::rest(&rig.skeleton);
        pose.local_mut().copy_from_slice(&local);
        pose.update(&rig.skeleton);
        let at = |bone: HumanBone| map.get(bone).map(|j| pose.model(j).position);
        let mut worst = [0.0f32; 5];
        for mirror in [false, true] {
            let side = |b: HumanBone| if mirror { b.mirrored() } else { b };
            let out = if mirror { axes.right } else { -axes.right };
            for (i, (from, to, want, flat)) in [
                (LeftUpperArm, LeftLowerArm, out, false),
                (LeftLowerArm, LeftHand, out, false),
                (LeftUpperLeg, LeftLowerLeg, out * 0.05 - axes.up, false),
                (LeftLowerLeg, LeftFoot, out * 0.05 - axes.up - axes.forward * 0.15, false),
                (LeftFoot, LeftToes, out * 0.05 + axes.forward, true),
            ]
            .into_iter()
            .enumerate()
            {
                let (Some(a), Some(b)) = (at(side(from)), at(side(to))) else { continue };
                let mut line = b - a;
                if flat {
                    line -= axes.up * line.dot(axes.up);
                }
                let angle = float::acos(line.normalize().dot(want.normalize())).to_degrees();
                worst[i] = worst[i].max(angle);
            }
        }
        let turned = local.iter().zip(rig.skeleton.rest_local()).filter(|(a, b)| a != b).count();
        let [arm, forearm, thigh, shin, foot] = worst;
        table_line!("{:<36} {arm:>8.2} {forearm:>8.2} {thigh:>8.2} {shin:>8.2} {foot:>8.2}  {turned}", rig.name);
        for (angle, tolerance) in worst.into_iter().zip([5.0, 5.0, 15.0, 20.0, 20.0]) {
            assert!(angle <= tolerance + 0.05, "{}: {worst:?}", rig.name);
        }
        for (joint, (a, b)) in local.iter().zip(rig.skeleton.rest_local()).enumerate() {
            assert!(a.is_finite(), "{} {joint}", rig.name);
            assert_eq!(a.scale, b.scale);
        }
        // Bones keep their lengths, also where the next joint has another parent. (Not under
        // shear.)
        for (bone, joint) in map.iter().filter(|_| !rig.name.contains("nonuniform")) {
            let Some(parent) = map.present_parent(bone).and_then(|b| map.get(b)) else { continue };
            let is_limb = bone.parent().is_some_and(|p| map.get(p) == Some(parent)) && bone.index() > Spine.index();
            let length = |p: &Pose| (p.model(joint).position - p.model(parent).position).length();
            let (before, after) = (length(&Pose::rest(&rig.skeleton)), length(&pose));
            assert!(!is_limb || (before - after).abs() < 1e-3 * before.max(0.01), "{} {bone:?}", rig.name);
        }
    }
}

/// The same rig with all names taken away.
fn without_names(rig: &Rig) -> Skeleton {
    let joints = (0..rig.skeleton.joint_count()).map(|j| JointDefinition {
        name: format!("node{j}"),
        parent: rig.skeleton.parent(j),
        rest: rig.skeleton.rest_local()[j],
    });
    Skeleton::new(joints.collect()).unwrap()
}

fn without_names_rigs_map_by_their_shape() {
    print_head();
    for mut rig in rigs() {
        rig.skeleton = without_names(&rig);
        let hints = MappingHints { left_handed: rig.left_handed, ..Default::default() };
        let report = map_joints_with(&rig.skeleton, &hints);
        let s = score(&rig, &report.map);
        print(&rig, &report, &s);
        assert!(s.wrong_side.is_empty(), "{}", rig.name);
        if rig.name == "robot_expressive" {
            // Its feet are children of the root: without names they cannot be recognised as feet.
            assert_eq!(report.missing_required, [HumanBone::LeftFoot, HumanBone::RightFoot]);
        } else {
            assert_eq!(s.required_found, s.required, "{}", rig.name);
        }
    }
}

fn a_t_pose_of_a_t_pose_changes_nothing_and_palms_face_down() {
    use HumanBone::*;
    for rig in rigs().into_iter().chain(clip_rigs()).filter(|r| !r.humanoid.is_empty()) {
        let map = map_joints(&rig.skeleton).map;
        let axes = body_axes(&rig.skeleton, &map, None, None).unwrap();
        let local = t_pose(&rig.skeleton, &map, &axes);
        let joints = (0..rig.skeleton.joint_count()).map(|j| JointDefinition {
            name: rig.skeleton.name(j).to_owned(),
            parent: rig.skeleton.parent(j),
            rest: local[j],
        });
        let again = Skeleton::new(joints.collect()).unwrap();
        let second = t_pose(&again, &map, &axes);
        let turned: Vec<_> =
            (0..local.len()).filter(|j| second[*j] != again.rest_local()[*j]).map(|j| again.name(j)).collect();
        // Angle between the back of each hand and up.
        let mut palm = [0.0; 2];
        for (i, mirror) in [false, true].into_iter().enumerate() {
            let at =
                |b: HumanBone| map.get(if mirror { b.mirrored() } else { b }).map(|j| again.rest_model()[j].position);
            if let (Some(h), Some(a), Some(b)) =
                (at(LeftHand), at(LeftIndexProximal), at(LeftLittleProximal).or(at(LeftRingProximal)))
            {
                let sign = if mirror == axes.left_handed { 1.0 } else { -1.0 };
                let back = (a - h).cross(b - h).normalize() * sign;
                palm[i] = float::acos(back.dot(axes.up)).to_degrees();
            }
        }
        table_line!("{:<36} {palm:?}", rig.name);
        assert!(turned.is_empty(), "{}: {turned:?}", rig.name);
        assert!(palm.iter().all(|p| *p < 35.0), "{}: {palm:?}", rig.name);
    }
}
