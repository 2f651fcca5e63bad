//! Puts limbs, trunk and details together into a map with its report.

use super::super::HumanBone;
use super::super::t_pose::body_axes;
use super::body::Body;
use super::checks;
use super::fingers::{find_fingers, find_toes};
use super::human_map::HumanMap;
use super::limbs::{Kind, Limb, Role, name_score, named_limbs};
use super::names::{Digit, Part, Side};
use super::report::{BodyShape, Evidence, MappingEntry, MappingReport, SideSource};
use super::symmetry::{best_pairs, known_pair, limbs_of, mirrored_pairs};
use super::trunk::{SpineBone, Trunk, find_trunk, spine_bones};
use crate::math::{Vec3, normalize_or};
use crate::skeleton::{JointIndex, Skeleton};

/// What the caller knows about a skeleton's axes before it is mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MappingHints {
    /// Unit vector up in model space; found from the body when absent.
    pub up: Option<Vec3>,
    /// Unit vector the character faces in model space; found from the feet when absent.
    pub forward: Option<Vec3>,
    /// Whether model space is left-handed (Unity, Unreal). It only matters for rigs whose names
    /// contain no side.
    pub left_handed: bool,
}

/// Maps the joints that carry Unity's human names exactly (`LeftUpperLeg`, `Left Thumb Proximal`;
/// letter case and spaces do not matter). Of several joints with one name the first counts.
pub fn map_human_names(skeleton: &Skeleton) -> HumanMap {
    let mut map = HumanMap::new();
    for (joint, name) in skeleton.names().iter().enumerate() {
        if let Some(bone) = HumanBone::from_name(name)
            && map.get(bone).is_none()
        {
            map.set(bone, Some(joint));
        }
    }
    map
}

/// Finds which joint is which human bone, from names, hierarchy and rest pose.
pub fn map_joints(skeleton: &Skeleton) -> MappingReport {
    map_joints_with(skeleton, &MappingHints::default())
}

/// As [`map_joints`], with what is known about the axes.
pub fn map_joints_with(skeleton: &Skeleton, hints: &MappingHints) -> MappingReport {
    let body = Body::new(skeleton);
    let mut legs = named_limbs(&body, Kind::Leg);
    let mut arms = named_limbs(&body, Kind::Arm);
    let named = [&legs, &arms].iter().any(|l| l.iter().flatten().next().is_some());
    complete_by_symmetry(&body, &mut legs, &mut arms);
    let sides = settle_sides(skeleton, hints, named, &mut legs, &mut arms);
    let trunk = find_trunk(&body, &legs, &arms);

    let mut draft = Draft { body: &body, map: HumanMap::new(), entries: Vec::new(), notes: Vec::new() };
    draft.trunk(&trunk);
    for side in Side::BOTH {
        if let Some(limb) = &legs[side as usize] {
            draft.leg(side, limb, &legs);
        }
        if let Some(limb) = &arms[side as usize] {
            draft.arm(side, limb);
        }
    }
    draft.head(&trunk);
    if sides == SideSource::Facing {
        for entry in draft.entries.iter_mut().filter(|e| e.bone.mirrored() != e.bone) {
            entry.confidence *= 0.8;
        }
    }
    let Draft { mut map, mut entries, mut notes, .. } = draft;
    entries.sort_by_key(|e| e.bone);
    let shape = checks::shape_of(&body, &map, &mut notes);
    if matches!(shape, BodyShape::FourLegged | BodyShape::Unknown) {
        map = HumanMap::new();
        entries.clear();
    }
    checks::doubts(&body, &map, &mut entries, &mut notes);
    let axes = body_axes(skeleton, &map, hints.up, hints.forward);
    MappingReport { missing_required: map.missing_required(), map, entries, shape, sides, axes, notes }
}

/// Fills in limbs that names did not give from pairs of lines that mirror each other.
fn complete_by_symmetry(body: &Body, legs: &mut [Option<Limb>; 2], arms: &mut [Option<Limb>; 2]) {
    let is_whole = |limbs: &[Option<Limb>; 2]| limbs.iter().all(Option::is_some);
    if is_whole(legs) && is_whole(arms) {
        return;
    }
    let pairs = mirrored_pairs(body);
    let (known_legs, known_arms) = (known_pair(body, legs), known_pair(body, arms));
    let leg_pairs = known_legs.as_ref().map_or(&pairs[..], core::slice::from_ref);
    let arm_pairs = known_arms.as_ref().map_or(&pairs[..], core::slice::from_ref);
    let Some((leg, arm)) = best_pairs(body, leg_pairs, arm_pairs) else { return };
    for (kind, limbs, pair) in [(Kind::Leg, legs, leg), (Kind::Arm, arms, arm)] {
        if is_whole(limbs) {
            continue;
        }
        let mut found = limbs_of(body, kind, pair);
        match (&limbs[0], &limbs[1]) {
            (None, None) => *limbs = found,
            // One limb has names: the pair must hold it, and gives the other.
            (known, other) => {
                let missing = usize::from(known.is_some());
                let Some(known) = known.as_ref().or(other.as_ref()) else { continue };
                if let Some(i) = pair.lines.iter().position(|line| line.contains(&known.upper)) {
                    limbs[missing] = found[1 - i].take();
                }
            }
        }
    }
}

/// Puts limbs found by symmetry on their sides: beside limbs whose names have a side, or by facing
/// and handedness.
fn settle_sides(
    skeleton: &Skeleton,
    hints: &MappingHints,
    named: bool,
    legs: &mut [Option<Limb>; 2],
    arms: &mut [Option<Limb>; 2],
) -> SideSource {
    let position = |limb: &Option<Limb>| limb.as_ref().map(|l| skeleton.rest_model()[l.upper].position);
    let across = |limbs: &[Option<Limb>; 2]| Some(position(&limbs[0])? - position(&limbs[1])?);
    let symmetric = |limbs: &[Option<Limb>; 2]| limbs.iter().flatten().all(|l| l.by_symmetry);
    if let (Some(leg), Some(arm)) = (across(legs), across(arms))
        && leg.dot(arm) < 0.0
    {
        // Move the pair without names; of two without names either.
        if symmetric(arms) {
            arms.swap(0, 1)
        } else if symmetric(legs) {
            legs.swap(0, 1)
        }
    }
    if named {
        return SideSource::Names;
    }
    let mut map = HumanMap::new();
    for (limbs, bones) in [(&*legs, LEG), (&*arms, ARM)] {
        for side in Side::BOTH {
            if let Some(limb) = &limbs[side as usize] {
                for (bone, joint) in bones.iter().zip([Some(limb.upper), Some(limb.lower), limb.end]) {
                    map.set(on_side(*bone, side), joint);
                }
            }
        }
    }
    if let Some(axes) = body_axes(skeleton, &map, hints.up, hints.forward)
        && axes.left_handed != hints.left_handed
    {
        legs.swap(0, 1);
        arms.swap(0, 1);
    }
    SideSource::Facing
}

const LEG: [HumanBone; 3] = [HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot];
const ARM: [HumanBone; 3] = [HumanBone::LeftUpperArm, HumanBone::LeftLowerArm, HumanBone::LeftHand];

fn on_side(left: HumanBone, side: Side) -> HumanBone {
    if side == Side::Left { left } else { left.mirrored() }
}

/// The map under construction.
struct Draft<'a> {
    body: &'a Body<'a>,
    map: HumanMap,
    entries: Vec<MappingEntry>,
    notes: Vec<String>,
}

impl Draft<'_> {
    /// Maps a bone, unless the bone or the joint is taken.
    fn put(&mut self, bone: HumanBone, joint: JointIndex, evidence: Evidence, confidence: f32, why: String) {
        if self.map.get(bone).is_none() && self.map.bone_of(joint).is_none() {
            self.map.set(bone, Some(joint));
            self.entries.push(MappingEntry { bone, joint, evidence, why, confidence });
        }
    }
    fn name(&self, joint: JointIndex) -> &str {
        self.body.skeleton.name(joint)
    }

    fn trunk(&mut self, trunk: &Trunk) {
        let body = self.body;
        if let Some(hips) = trunk.hips {
            if body.part(hips) == Part::Hips && body.is_bone(hips) {
                self.put(HumanBone::Hips, hips, Evidence::Name, 0.95, format!("“{}” names the hips", self.name(hips)));
            } else {
                let why = "legs and spine meet here".to_owned();
                self.put(HumanBone::Hips, hips, Evidence::Topology, 0.75, why);
            }
            for joint in 0..body.names.len() {
                let contradicts = joint != hips && body.part(joint) == Part::Hips && body.is_trunk(joint);
                if contradicts && self.notes.len() < 8 && body.is_above(hips, joint) {
                    let note = format!("“{}” is called hips, but the legs do not hang from it", self.name(joint));
                    self.notes.push(note);
                }
            }
        }
        let bones = [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest];
        for (bone, joint) in bones.into_iter().zip(spine_bones(body, trunk.hips, &trunk.spine)) {
            let Some(SpineBone { joint, by_proportion }) = joint else { continue };
            let named = matches!(body.part(joint), Part::Torso | Part::Chest);
            let why = format!("joint of {} between hips and neck", trunk.spine.len());
            if by_proportion {
                let confidence = if named { 0.7 } else { 0.55 };
                self.put(bone, joint, Evidence::Geometry, confidence, format!("by its height, {why}"));
            } else if named {
                self.put(bone, joint, Evidence::Name, 0.9, format!("“{}”, {why}", self.name(joint)));
            } else {
                self.put(bone, joint, Evidence::Topology, 0.7, why);
            }
        }
        for (bone, joint, part) in
            [(HumanBone::Neck, trunk.neck, Part::Neck), (HumanBone::Head, trunk.head, Part::Head)]
        {
            let Some(joint) = joint else { continue };
            if body.part(joint) == part {
                let why = format!("“{}” at the top of the spine", self.name(joint));
                self.put(bone, joint, Evidence::Name, 0.95, why);
            } else {
                let why = "by its place between chest and the top".to_owned();
                self.put(bone, joint, Evidence::Topology, 0.65, why);
            }
        }
    }

    /// One joint of a limb: the confidence depends on its name.
    fn limb_joint(&mut self, bone: HumanBone, joint: JointIndex, kind: Kind, role: Role, limb: &Limb) {
        let score = name_score(self.body, joint, kind, role);
        if score >= 0.85 {
            self.put(bone, joint, Evidence::Name, 0.95, format!("by its name “{}”", self.name(joint)));
        } else if score > 0.1 {
            let why = format!("by its name “{}” and its place in the limb", self.name(joint));
            self.put(bone, joint, Evidence::Name, 0.85, why);
        } else if limb.by_symmetry {
            let why = "by symmetry and lengths in the rest pose".to_owned();
            self.put(bone, joint, Evidence::Geometry, 0.6, why);
        } else {
            self.put(bone, joint, Evidence::Topology, 0.65, "by its place in the limb".to_owned());
        }
    }

    fn leg(&mut self, side: Side, limb: &Limb, legs: &[Option<Limb>; 2]) {
        for (bone, joint, role) in [
            (HumanBone::LeftUpperLeg, Some(limb.upper), Role::Upper),
            (HumanBone::LeftLowerLeg, Some(limb.lower), Role::Lower),
            (HumanBone::LeftFoot, limb.end, Role::End),
        ] {
            if let Some(joint) = joint {
                self.limb_joint(on_side(bone, side), joint, Kind::Leg, role, limb);
            }
        }
        let Some(foot) = limb.end else { return };
        let lateral = match legs {
            [Some(a), Some(b)] => {
                let apart = self.body.position[a.upper] - self.body.position[b.upper];
                Some(normalize_or(apart, Vec3::ZERO))
            }
            _ => None,
        };
        let Some((toes, named)) = find_toes(self.body, foot, limb.lower, lateral) else { return };
        let bone = on_side(HumanBone::LeftToes, side);
        if named {
            self.put(bone, toes, Evidence::Name, 0.9, format!("by its name “{}”", self.name(toes)));
        } else {
            self.put(bone, toes, Evidence::Topology, 0.55, "leads forward from the foot".to_owned());
        }
    }

    fn arm(&mut self, side: Side, limb: &Limb) {
        for (bone, joint, role) in [
            (HumanBone::LeftShoulder, limb.shoulder, Role::Shoulder),
            (HumanBone::LeftUpperArm, Some(limb.upper), Role::Upper),
            (HumanBone::LeftLowerArm, Some(limb.lower), Role::Lower),
            (HumanBone::LeftHand, limb.end, Role::End),
        ] {
            if let Some(joint) = joint {
                self.limb_joint(on_side(bone, side), joint, Kind::Arm, role, limb);
            }
        }
        let Some(hand) = limb.end else { return };
        let fingers = find_fingers(self.body, hand, limb.lower, side);
        for digit in Digit::ALL {
            for (phalanx, joint) in fingers.joints[digit as usize].iter().enumerate() {
                let index = HumanBone::LeftThumbProximal.index() + digit as usize * 3 + phalanx;
                let (Some(joint), Some(bone)) = (*joint, HumanBone::from_index(index)) else { continue };
                let bone = on_side(bone, side);
                if fingers.by_name[digit as usize] {
                    self.put(bone, joint, Evidence::Name, 0.95, format!("by its name “{}”", self.name(joint)));
                } else {
                    let why = "by its place among the fingers".to_owned();
                    self.put(bone, joint, Evidence::Topology, 0.6, why);
                }
            }
        }
    }

    /// Eyes and jaw, which only names identify.
    fn head(&mut self, trunk: &Trunk) {
        let Some(head) = trunk.head else { return };
        let body = self.body;
        let best = |part: Part, side: Option<Side>| {
            let mut best: Option<(f32, JointIndex)> = None;
            for joint in body.skeleton.subtree(head).take(4096) {
                let fits = body.part(joint) == part && body.side(joint) == side && body.is_bone(joint);
                if fits && body.is_above(head, joint) {
                    let rank = body.names[joint].rank;
                    if best.is_none_or(|b| rank > b.0) {
                        best = Some((rank, joint));
                    }
                }
            }
            best.map(|b| b.1)
        };
        for (bone, part, side) in [
            (HumanBone::LeftEye, Part::Eye, Some(Side::Left)),
            (HumanBone::RightEye, Part::Eye, Some(Side::Right)),
            (HumanBone::Jaw, Part::Jaw, None),
        ] {
            if let Some(joint) = best(part, side) {
                self.put(bone, joint, Evidence::Name, 0.9, format!("by its name “{}”", self.name(joint)));
            }
        }
    }
}
