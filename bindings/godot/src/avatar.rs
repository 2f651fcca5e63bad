//! Which bone is which human bone, measured once and shared by all characters of a rig.

use crate::bones::{BoneTable, Subset};
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, map_joints};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Everything an avatar follows from.
#[derive(Clone, Debug, PartialEq)]
pub struct AvatarSource {
    /// The skeleton's bones.
    pub table: BoneTable,
    /// Bone names of a `BoneMap`, by human bone; empty: found from the skeleton.
    pub given: Vec<(HumanBone, String)>,
    /// See `SinewHumanoidIK.arm_stretch`.
    pub arm_stretch: f32,
    /// See `SinewHumanoidIK.leg_stretch`.
    pub leg_stretch: f32,
}

/// An avatar on the bones the humanoid solve needs: the mapped ones but fingers, and what they hang from.
#[derive(Debug)]
pub struct Rigged {
    /// Made for the subset.
    pub avatar: Arc<Avatar>,
    /// The bones.
    pub subset: Subset,
    /// Name of the skeleton's bone of each human bone, fingers too.
    pub mapped: Vec<(HumanBone, String)>,
}

/// Avatars in use. Few rigs are in a game at once, so a list is enough; dead entries go whenever one is added.
static KNOWN: Mutex<Vec<(AvatarSource, Weak<Rigged>)>> = Mutex::new(Vec::new());

/// The avatar of a source, made at first use. The text says what is wrong with the rig.
pub fn rigged(source: &AvatarSource) -> Result<Arc<Rigged>, String> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|(s, _)| s == source).and_then(|(_, rigged)| rigged.upgrade()) {
        return Ok(found);
    }
    let made = Arc::new(make(source)?);
    known.retain(|(_, rigged)| rigged.strong_count() > 0);
    known.push((source.clone(), Arc::downgrade(&made)));
    Ok(made)
}

fn make(source: &AvatarSource) -> Result<Rigged, String> {
    let table = &source.table;
    if table.names.is_empty() {
        return Err("The skeleton has no bones.".into());
    }
    let whole = Subset::new(table, 0..table.names.len() as i32)?;
    let map = human_map(source, &whole)?;
    let definition = AvatarDefinition {
        map: map.clone(),
        arm_stretch: source.arm_stretch,
        leg_stretch: source.leg_stretch,
        ..AvatarDefinition::default()
    };
    let measured =
        Avatar::new(whole.skeleton.clone(), &definition).map_err(|error| format!("No humanoid: {error}."))?;
    // The same on fewer joints: T-pose and axes are given, so nothing is measured differently.
    let body = map.iter().filter(|(bone, _)| !is_finger(*bone)).map(|(_, joint)| whole.bones[joint]);
    let subset = Subset::new(table, body)?;
    let mut small = HumanMap::default();
    for (bone, joint) in map.iter() {
        small.set(bone, subset.joint(whole.bones[joint]));
    }
    let of_whole = |bone: &i32| whole.joint(*bone).unwrap_or_default();
    let definition = AvatarDefinition {
        map: small,
        t_pose: Some(subset.bones.iter().map(|bone| measured.t_pose()[of_whole(bone)]).collect()),
        up: Some(measured.axes().up),
        forward: Some(measured.axes().forward),
        ..definition
    };
    let avatar = Avatar::new(subset.skeleton.clone(), &definition).map_err(|error| format!("No humanoid: {error}."))?;
    let mapped = map.iter().map(|(bone, joint)| (bone, whole.skeleton.name(joint).to_string())).collect();
    Ok(Rigged { avatar: Arc::new(avatar), subset, mapped })
}

/// From the bone map; from the names of Godot's humanoid profile, when the skeleton has them; from names, hierarchy and rest pose.
fn human_map(source: &AvatarSource, whole: &Subset) -> Result<HumanMap, String> {
    let mut map = HumanMap::default();
    if !source.given.is_empty() {
        for (bone, name) in &source.given {
            let joint = whole.skeleton.find_joint(name);
            map.set(*bone, Some(joint.ok_or_else(|| format!("The bone map names \"{name}\", which is no bone."))?));
        }
        return Ok(map);
    }
    for bone in HumanBone::ALL {
        map.set(bone, whole.skeleton.find_joint(&profile_name(bone)));
    }
    if map.missing_required().is_empty() { Ok(map) } else { Ok(map_joints(&whole.skeleton).map) }
}

/// The name a bone has in Godot's `SkeletonProfileHumanoid`: Unity's without spaces, but for thumbs.
pub fn profile_name(bone: HumanBone) -> String {
    let name = bone.name().replace(' ', "");
    match name.split_once("Thumb") {
        Some((side, "Proximal")) => format!("{side}ThumbMetacarpal"),
        Some((side, "Intermediate")) => format!("{side}ThumbProximal"),
        _ => name,
    }
}

fn is_finger(bone: HumanBone) -> bool {
    (HumanBone::LeftThumbProximal.index()..=HumanBone::RightLittleDistal.index()).contains(&bone.index())
}
