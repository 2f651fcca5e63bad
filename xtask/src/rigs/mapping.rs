//! The automatic mapping against the file's table.

use super::format::Rig;
use sinew::humanoid::{BodyShape, HumanBone, HumanMap, MappingHints, map_joints_with};

/// What the automatic mapping found of what it should have found.
#[derive(Clone, Debug)]
pub struct MappingScore {
    /// Our map.
    pub map: HumanMap,
    /// What kind of body we took it for.
    pub shape: BodyShape,
    /// Required bones of the file's table.
    pub required: usize,
    /// Those of them we gave the same joint.
    pub required_found: usize,
    /// Bones of the file's table.
    pub listed: usize,
    /// Those of them we gave the same joint.
    pub found: usize,
    /// A line per bone that has another joint than in the table, or has one while the table's
    /// author left the joint to another bone.
    pub wrong: Vec<String>,
    /// Bones that were given the joint of the other side's bone.
    pub swapped: Vec<HumanBone>,
    /// Bones mapped although the table does not list them, to joints that the table gives to no
    /// bone.
    pub extra: Vec<String>,
}

/// Maps the rig and compares. The file's handedness is handed over, as a host would know it;
/// nothing else is.
pub fn score(rig: &Rig) -> MappingScore {
    let hints = MappingHints { left_handed: rig.axes.is_left_handed(), ..MappingHints::default() };
    let report = map_joints_with(&rig.skeleton, &hints);
    let mut score = MappingScore {
        map: report.map,
        shape: report.shape,
        required: 0,
        required_found: 0,
        listed: 0,
        found: 0,
        wrong: Vec::new(),
        swapped: Vec::new(),
        extra: Vec::new(),
    };
    let name = |joint: Option<usize>| joint.map_or("nothing", |j| rig.skeleton.name(j));
    for bone in HumanBone::ALL {
        let (want, got) = (rig.humanoid.get(bone), score.map.get(bone));
        let is_swapped = bone.mirrored() != bone && got.is_some() && got == rig.humanoid.get(bone.mirrored());
        if is_swapped {
            score.swapped.push(bone);
        }
        if let Some(want) = want {
            let same = got == Some(want);
            score.listed += 1;
            score.found += usize::from(same);
            if bone.is_required() {
                score.required += 1;
                score.required_found += usize::from(same);
            }
            if !same {
                let side = if is_swapped { " (the other side's)" } else { "" };
                score.wrong.push(format!("{}: {}{side}, not {}", bone.name(), name(got), name(Some(want))));
            }
        } else if let Some(got) = got {
            match rig.humanoid.bone_of(got) {
                Some(owner) => {
                    score.wrong.push(format!("{}: {}, which is {}", bone.name(), name(Some(got)), owner.name()));
                }
                None => score.extra.push(format!("{}: {}", bone.name(), name(Some(got)))),
            }
        }
    }
    score
}
