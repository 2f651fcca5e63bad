//! What a finished map must look like: an upright body, each side on its side.

use super::super::HumanBone;
use super::body::Body;
use super::human_map::HumanMap;
use super::report::{BodyShape, MappingEntry};
use crate::math::{Vec3, normalize_or};
use HumanBone::*;

/// Fewest required bones of anything that is still called an incomplete human.
const FEWEST_REQUIRED: usize = 5;

/// What kind of body the map describes.
pub(super) fn shape_of(body: &Body, map: &HumanMap, notes: &mut Vec<String>) -> BodyShape {
    let missing = map.missing_required();
    if lies_across_legs(body, map) {
        notes.push("the trunk lies across the legs as in a four-legged animal: no human bones are mapped".to_owned());
        BodyShape::FourLegged
    } else if missing.is_empty() {
        BodyShape::Humanoid
    } else if HumanBone::REQUIRED.len() - missing.len() >= FEWEST_REQUIRED {
        BodyShape::Incomplete
    } else {
        notes.push("too few joints look like bones of a human body".to_owned());
        BodyShape::Unknown
    }
}

fn middle(body: &Body, map: &HumanMap, bones: [HumanBone; 2]) -> Option<Vec3> {
    let at = |bone: HumanBone| map.get(bone).map(|j| body.position[j]);
    match bones.map(at) {
        [Some(a), Some(b)] => Some((a + b) * 0.5),
        [a, b] => a.or(b),
    }
}

/// A trunk that does not rise from the legs, or forelegs that stand on the ground beside the hind
/// legs.
fn lies_across_legs(body: &Body, map: &HumanMap) -> bool {
    let Some(legs) = middle(body, map, [LeftUpperLeg, RightUpperLeg]) else { return false };
    let feet = middle(body, map, [LeftFoot, RightFoot]).or(middle(body, map, [LeftLowerLeg, RightLowerLeg]));
    let top = middle(body, map, [LeftUpperArm, RightUpperArm]).or(middle(body, map, [Neck, Head]));
    let (Some(feet), Some(top)) = (feet, top) else { return false };
    let down = normalize_or(feet - legs, Vec3::ZERO);
    let trunk = normalize_or(top - legs, Vec3::ZERO);
    if down == Vec3::ZERO || trunk == Vec3::ZERO {
        return false;
    }
    let rise = -trunk.dot(down);
    let arms = middle(body, map, [LeftUpperArm, RightUpperArm]);
    let hands = middle(body, map, [LeftHand, RightHand]).or(middle(body, map, [LeftLowerArm, RightLowerArm]));
    let (Some(arms), Some(hands)) = (arms, hands) else { return rise < 0.35 };
    // Forelegs go down as the legs do; arms of a body that sits or bends over need not.
    let parallel = (hands - arms).dot(down) / (hands - arms).length().max(1e-20);
    let hands_level = (hands - legs).dot(down) / (feet - legs).length().max(1e-20);
    (rise < 0.35 && parallel > 0.5) || (rise < 0.75 && parallel > 0.8 && hands_level > 0.85)
}

/// Lowers the confidence of bones that are on the wrong side or differ much from the other side,
/// and adds a note.
pub(super) fn doubts(body: &Body, map: &HumanMap, entries: &mut [MappingEntry], notes: &mut Vec<String>) {
    let between = |left: HumanBone| {
        let (a, b) = (map.get(left)?, map.get(left.mirrored())?);
        Some(body.position[a] - body.position[b])
    };
    let mut lateral = Vec3::ZERO;
    for bone in [LeftUpperLeg, LeftUpperArm] {
        lateral += normalize_or(between(bone).unwrap_or(Vec3::ZERO), Vec3::ZERO);
    }
    if between(LeftUpperLeg).zip(between(LeftUpperArm)).is_some_and(|(a, b)| a.dot(b) < 0.0) {
        notes.push("left and right of the arms contradict left and right of the legs".to_owned());
        for entry in entries.iter_mut().filter(|e| e.bone.mirrored() != e.bone) {
            entry.confidence = entry.confidence.min(0.3);
        }
        return;
    }
    for bone in [LeftLowerLeg, LeftFoot, LeftLowerArm, LeftHand] {
        if between(bone).is_some_and(|b| b.dot(lateral) < -0.2 * b.length() * lateral.length()) {
            notes.push(format!("{} and {} lie on each other's side", bone.name(), bone.mirrored().name()));
            for entry in entries.iter_mut().filter(|e| e.bone == bone || e.bone == bone.mirrored()) {
                entry.confidence = entry.confidence.min(0.4);
            }
        }
    }
    for (upper, lower) in [(LeftUpperLeg, LeftLowerLeg), (LeftUpperArm, LeftLowerArm)] {
        let length = |a: HumanBone, b: HumanBone| Some(body.distance(map.get(a)?, map.get(b)?));
        if let (Some(left), Some(right)) = (length(upper, lower), length(upper.mirrored(), lower.mirrored()))
            && left.max(right) > 1.5 * left.min(right)
        {
            notes.push(format!("{} and {} differ in length", upper.name(), upper.mirrored().name()));
        }
    }
}
