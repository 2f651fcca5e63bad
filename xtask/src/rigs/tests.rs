//! The reader, the mapping score and the judge, on the built-in person written as a rig file.

use super::format::{self, Rig};
use super::{judge, mapping, play};
use crate::demo::hosts::{Run, RunFrame};
use serde_json::{Value, json};
use sinew::humanoid::{HumanBone, HumanBone::*};
use sinew::math::axis_angle;
use testkit::person::{Person, PersonOptions, person};
use testkit::scene::HoldCylinderScene;

fn built_in() -> Person {
    person(&PersonOptions::gltf())
}

fn file(person: &Person) -> Value {
    let skeleton = &person.skeleton;
    let joints: Vec<Value> = (0..skeleton.joint_count())
        .map(|j| {
            let rest = &skeleton.rest_local()[j];
            json!({
                "name": skeleton.name(j),
                "parent": skeleton.parent(j).map_or(-1, |p| p as i64),
                "rest_local": {
                    "t": rest.position.to_array(), "r": rest.rotation.to_array(), "s": rest.scale.to_array(),
                },
            })
        })
        .collect();
    let bones = HumanBone::ALL.into_iter().filter_map(|b| Some((b, person.human[b.index()]?)));
    let table: serde_json::Map<_, _> =
        bones.map(|(b, j)| (b.name().replace(' ', ""), Value::from(skeleton.name(j)))).collect();
    json!({
        "format": "rig-1", "up": "+Y", "facing": "+Z", "handedness": "right", "humanoid": table, "joints": joints,
    })
}

fn rig() -> Rig {
    format::read("person", file(&built_in())).unwrap()
}

/// A run in which the host left every frame as it was animated, at full weight.
fn untouched(scene: &HoldCylinderScene) -> Run {
    let frame = |index| RunFrame {
        weight: 1.0,
        hand_status: 0,
        hand_residual: (0.0, 0.0),
        look_status: 0,
        look_residual_rad: 0.0,
        pose: scene.pose(index),
    };
    Run { hash: String::new(), frames: (0..scene.frame_count()).map(frame).collect() }
}

#[test]
fn a_file_reads_as_it_was_written_and_maps_in_full() {
    let (person, rig) = (built_in(), rig());
    assert_eq!(rig.humanoid.as_array(), &person.human);
    assert_eq!(rig.axes, person.axes);
    assert!((1.2..1.8).contains(&rig.height()), "{}", rig.height());
    let score = mapping::score(&rig);
    assert_eq!((score.required_found, score.required), (15, 15));
    assert!(score.found == score.listed && score.swapped.is_empty(), "{:?}", score.wrong);
}

#[test]
fn bad_files_are_refused() {
    let good = file(&built_in());
    for (key, bad) in [("format", "rig-2"), ("up", "up"), ("handedness", "both")] {
        let mut file = good.clone();
        file[key] = bad.into();
        assert!(format::read("bad", file).is_err(), "{key}");
    }
    let mut file = good;
    file["humanoid"]["Hips"] = "nowhere".into();
    assert!(format::read("bad", file).is_err());
}

#[test]
fn swapped_sides_are_named() {
    let mut rig = rig();
    let hands = [LeftHand, RightHand].map(|b| rig.humanoid.get(b));
    rig.humanoid.set(LeftHand, hands[1]);
    rig.humanoid.set(RightHand, hands[0]);
    let score = mapping::score(&rig);
    assert_eq!(score.swapped, [LeftHand, RightHand]);
    assert_eq!((score.required_found, score.wrong.len()), (13, 2));
}

#[test]
fn the_judge_sees_a_missed_goal_and_wrong_bends() {
    let rig = rig();
    let (scene, axes_off) = play::scene(&rig, &rig.humanoid).unwrap();
    assert_eq!(axes_off, None);
    let mut run = untouched(&scene);
    let verdict = judge::judge(&rig, &scene, &run).unwrap();
    assert!(verdict.right_is_right && verdict.others_moved_mm == 0.0);
    assert_eq!(verdict.wrong_side_bends, 0, "standing at ease is anatomical");
    assert!(verdict.hand_error_mm > 100.0 && verdict.look_error_deg > 10.0);

    // A knee bent forwards at the hip would be right; turning the shin up in front of the knee is
    // not.
    let knee = rig.humanoid.get(LeftLowerLeg).unwrap();
    for sign in [1.0, -1.0] {
        let turn = axis_angle(rig.axes.right, 0.7 * sign);
        for frame in &mut run.frames[..10] {
            frame.pose[knee].rotation = turn;
        }
        let verdict = judge::judge(&rig, &scene, &run).unwrap();
        let bent = forward_of_knee(&rig, &run);
        assert_eq!(verdict.wrong_knee, if bent { 10 } else { 0 }, "{sign}");
    }
    let mut run = untouched(&scene);
    let elbow = rig.humanoid.get(RightLowerArm).unwrap();
    for frame in &mut run.frames[..10] {
        let bent = frame.pose[elbow].rotation;
        frame.pose[elbow].rotation = bent.conjugate();
    }
    assert_eq!(judge::judge(&rig, &scene, &run).unwrap().wrong_elbow, 10);
}

/// Whether the left ankle is before the knee in the first frame.
fn forward_of_knee(rig: &Rig, run: &Run) -> bool {
    let frames = testkit::matchers::forward_kinematics(&rig.skeleton, &run.frames[0].pose);
    let at = |bone| frames[rig.humanoid.get(bone).unwrap()].position_f32().dot(rig.axes.forward);
    at(LeftFoot) > at(LeftLowerLeg) + 0.1
}

#[test]
fn the_judge_needs_every_frame() {
    let rig = rig();
    let (scene, _) = play::scene(&rig, &rig.humanoid).unwrap();
    let mut run = untouched(&scene);
    run.frames.pop();
    assert!(judge::judge(&rig, &scene, &run).is_err());
}
