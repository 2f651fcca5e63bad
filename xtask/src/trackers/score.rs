//! The measures, in double precision, from joints alone.

use super::clip::{BONES, Clip, Frame};
use super::play::Played;
use crate::motion::subject::rotation_of;
use crate::oracle::geometry::{Rotation, V3};
use serde_json::{Map, Value, json};
use sinew::humanoid::HumanBone;

/// Names and values of a clip's measures.
pub type Scores = Vec<(&'static str, f64)>;

pub(super) fn index(bone: HumanBone) -> usize {
    BONES.iter().position(|b| *b == bone).unwrap_or(0)
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        (sum, count) = (sum + value, count + 1.0);
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

fn place(frame: &Frame, bone: usize) -> V3 {
    frame[bone].map_or(V3::ZERO, |(at, _)| at)
}

/// The bone that a bone's rotation is counted from.
fn parent(clip: &Clip, bone: usize) -> Option<usize> {
    use HumanBone::*;
    let above: &[HumanBone] = match BONES[bone] {
        Hips => return None,
        Spine | LeftUpperLeg | RightUpperLeg => &[Hips],
        Chest => &[Spine],
        UpperChest => &[Chest, Spine],
        Neck | LeftShoulder | RightShoulder => &[UpperChest, Chest, Spine],
        Head => &[Neck, UpperChest, Chest, Spine],
        LeftUpperArm => &[LeftShoulder, UpperChest, Chest, Spine],
        RightUpperArm => &[RightShoulder, UpperChest, Chest, Spine],
        LeftLowerArm => &[LeftUpperArm],
        RightLowerArm => &[RightUpperArm],
        LeftHand => &[LeftLowerArm],
        RightHand => &[RightLowerArm],
        LeftLowerLeg => &[LeftUpperLeg],
        RightLowerLeg => &[RightUpperLeg],
        LeftFoot => &[LeftLowerLeg],
        RightFoot => &[RightLowerLeg],
        LeftToes => &[LeftFoot],
        _ => &[RightFoot],
    };
    above.iter().copied().find(|b| clip.subject.joint(*b).is_some()).map(index)
}

/// Rotations of the rest pose, which local rotations are counted from.
fn rest(clip: &Clip) -> Vec<Rotation> {
    let world = clip.subject.world(&clip.subject.rest);
    BONES.iter().map(|b| clip.subject.joint(*b).map_or(Rotation::IDENTITY, |j| rotation_of(&world[j]))).collect()
}

fn jerk(frames: &[Frame], bones: &[usize], fps: f64) -> f64 {
    if frames.len() < 5 {
        return 0.0;
    }
    let at = |f: usize, b: usize| place(&frames[f], b);
    mean(bones.iter().map(|b| {
        let third = |f| (at(f + 3, *b) - at(f + 2, *b) * 3.0 + at(f + 1, *b) * 3.0 - at(f, *b)).len() * fps.powi(3);
        mean((0..frames.len() - 3).map(third))
    })) / 100.0
}

/// All measures of a clip: centimetres, degrees, centimetres per second, 10² m/s³.
pub fn score(clip: &Clip, played: &Played) -> Scores {
    let there: Vec<usize> = (0..BONES.len()).filter(|b| clip.frames[0][*b].is_some()).collect();
    let (truth, out) = (&clip.frames, &played.frames);
    let error = |b: usize| mean((0..truth.len()).map(|f| place(&out[f], b).distance(place(&truth[f], b)) * 100.0));
    let of = |bones: &[HumanBone]| mean(bones.iter().map(|b| index(*b)).filter(|b| there.contains(b)).map(error));
    let group = |from: usize, to: usize| mean(there.iter().copied().filter(|b| (from..to).contains(b)).map(error));
    let velocity = mean(there.iter().map(|b| {
        let off = |f: usize| place(&out[f], *b) - place(&truth[f], *b);
        mean((1..truth.len()).map(|f| (off(f) - off(f - 1)).len() * clip.fps * 100.0))
    }));
    let turned = |b: usize| {
        mean((0..truth.len()).map(|f| {
            let turn = |frame: &Frame| frame[b].map_or(Rotation::IDENTITY, |(_, q)| q);
            turn(&out[f]).angle_to(turn(&truth[f])).to_degrees()
        }))
    };
    let hands = [HumanBone::LeftHand, HumanBone::RightHand];
    let mut scores: Scores = vec![
        ("mpjpe", mean(there.iter().copied().map(error))),
        ("mpjre", rotation_error(clip, played, &there)),
        ("mpjve", velocity),
        ("jit", jerk(out, &there, clip.fps)),
        ("jit0", jerk(truth, &there, clip.fps)),
        ("root", error(0)),
        ("upper", group(1, 14)),
        ("lower", group(14, 22)),
        ("spine", group(1, 5)),
        ("shoulder", of(&[HumanBone::LeftUpperArm, HumanBone::RightUpperArm])),
        ("elbow", of(&[HumanBone::LeftLowerArm, HumanBone::RightLowerArm])),
        ("knee", of(&[HumanBone::LeftLowerLeg, HumanBone::RightLowerLeg])),
        ("head", error(index(HumanBone::Head))),
        ("hand", of(&hands)),
        ("foot", of(&[HumanBone::LeftFoot, HumanBone::RightFoot])),
        ("head_deg", turned(index(HumanBone::Head))),
        ("hand_deg", mean(hands.map(|b| turned(index(b))))),
    ];
    scores.extend(feet(clip, out));
    scores.push(("us", played.micros));
    scores
}

fn rotation_error(clip: &Clip, played: &Played, there: &[usize]) -> f64 {
    let rest = rest(clip);
    mean(there.iter().filter_map(|b| {
        let p = parent(clip, *b)?;
        if [BONES[*b], BONES[p]].iter().any(|bone| clip.flawed.contains(bone)) {
            return None;
        }
        let local = |frame: &Frame| {
            let own = |b: usize| frame[b].map_or(Rotation::IDENTITY, |(_, q)| q * rest[b].inverse());
            own(p).inverse() * own(*b)
        };
        let frames = played.frames.iter().zip(&clip.frames);
        Some(mean(frames.map(|(a, b)| local(a).angle_to(local(b)).to_degrees())))
    }))
}

/// Slide of planted feet, skate near the ground, depth below it.
fn feet(clip: &Clip, out: &[Frame]) -> Scores {
    let (mut slides, mut skates, mut depths) = (Vec::new(), Vec::new(), Vec::new());
    for (toes, foot) in [(HumanBone::LeftToes, HumanBone::LeftFoot), (HumanBone::RightToes, HumanBone::RightFoot)] {
        let bone = if clip.subject.joint(toes).is_some() { toes } else { foot };
        let at = |f: usize| place(&out[f], index(bone));
        let name: String = bone.name().chars().filter(|c| *c != ' ').collect();
        for [from, to] in clip.contacts.get(&name).into_iter().flatten() {
            if to - from >= 4 {
                let centre = (*from..*to).fold(V3::ZERO, |sum, f| sum + at(f)) * (1.0 / (to - from) as f64);
                slides.push((*from..*to).map(|f| at(f).distance(centre) * 100.0).fold(0.0, f64::max));
            }
        }
        let level = |v: V3| V3([v.0[0], 0.0, v.0[2]]);
        let low = |f: usize| at(f).0[1] < clip.low + 0.03;
        let speed = |f: usize| level(at(f) - at(f - 1)).len() * clip.fps * 100.0;
        skates.push(mean((1..out.len()).map(|f| if low(f) { speed(f) } else { 0.0 })));
        depths.push(mean((0..out.len()).map(|f| (clip.low - at(f).0[1]).max(0.0) * 100.0)));
    }
    vec![("slide", mean(slides)), ("skate", mean(skates)), ("pen", mean(depths))]
}

/// Clips in which people lie, roll or turn over.
pub fn is_upright(name: &str) -> bool {
    let acrobatic = ["49_08", "85_", "roll", "spinkick", "crawl", "getup", "fall_and"];
    !acrobatic.iter().any(|part| name.contains(part))
}

/// Means over clips by measure, those of upright clips beside the mean joint error.
pub fn summary(clips: &[(String, Scores)]) -> Map<String, Value> {
    let mut out = Map::new();
    let Some((_, first)) = clips.first() else { return out };
    for (i, (name, _)) in first.iter().enumerate() {
        out.insert((*name).into(), json!(mean(clips.iter().map(|(_, s)| s[i].1))));
    }
    let upright = clips.iter().filter(|(name, _)| is_upright(name));
    out.insert("mpjpe_upright".into(), json!(mean(upright.map(|(_, s)| s[0].1))));
    out
}
