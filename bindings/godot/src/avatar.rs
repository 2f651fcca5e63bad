//! Avatars: the map of human bones, measured once and shared by all characters of a rig.

use crate::bones::{BoneTable, Subset};
use godot::builtin::{GString, StringName};
use godot::classes::{BoneMap, Node};
use godot::obj::Gd;
use sinew::humanoid::{Avatar, AvatarDefinition, HumanBone, HumanMap, HumanRangeSet, IkGoal, map_joints};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

/// Everything an avatar depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct AvatarSource {
    /// The skeleton's bones.
    pub table: BoneTable,
    /// Bone names of a `BoneMap`, by human bone; empty: mapped automatically.
    pub given: Vec<(HumanBone, String)>,
    /// See `SinewHumanoidIK.arm_stretch`.
    pub arm_stretch: f32,
    /// See `SinewHumanoidIK.leg_stretch`.
    pub leg_stretch: f32,
    /// See `SinewHumanoidIK.upper_arm_twist`; upper arm, lower arm, upper leg, lower leg.
    pub twists: [f32; 4],
    /// See `SinewHumanoidIK.feet_spacing`.
    pub feet_spacing: f32,
    /// See `SinewHumanoidIK.muscle_ranges`.
    pub muscle_ranges: bool,
    /// Whether the avatar has the fingers: tracked bodies move them.
    pub with_fingers: bool,
    /// Further bones that the solve is to know, by name: those of goals' spaces.
    pub more: Vec<String>,
}

impl AvatarSource {
    /// A rig with automatic mapping and the core's defaults.
    pub fn of(table: BoneTable) -> Self {
        let d = AvatarDefinition::default();
        Self {
            table,
            given: Vec::new(),
            arm_stretch: d.arm_stretch,
            leg_stretch: d.leg_stretch,
            twists: [d.upper_arm_twist, d.lower_arm_twist, d.upper_leg_twist, d.lower_leg_twist],
            feet_spacing: d.feet_spacing,
            muscle_ranges: false,
            with_fingers: false,
            more: Vec::new(),
        }
    }
}

/// An avatar on the bones the humanoid solve needs: the mapped ones, fingers only where they are
/// requested, and their ancestors.
#[derive(Debug)]
pub struct Rigged {
    /// The avatar, created for the subset.
    pub avatar: Arc<Avatar>,
    /// What it was made of.
    pub definition: Arc<AvatarDefinition>,
    /// The bones.
    pub subset: Subset,
    /// Name of the skeleton's bone of each human bone, fingers too.
    pub mapped: Vec<(HumanBone, String)>,
    /// Joints that each step of a solve reads and may move: one bit per limb in the order of goals,
    /// then [`LOOK_AT`].
    pub parts: Box<[u8]>,
}

/// Bit of the joints of look-at.
pub const LOOK_AT: u8 = 1 << 4;
/// Bits of every step; joints without a bit belong to the body as a whole.
pub const EVERYTHING: u8 = u8::MAX;

/// See [`Rigged::parts`].
fn parts(subset: &Subset, map: &HumanMap) -> Box<[u8]> {
    let skeleton = &subset.skeleton;
    let mut parts = vec![0; subset.bones.len()];
    let mut mark = |joint: usize, bit: u8| {
        core::iter::once(joint).chain(skeleton.ancestors(joint)).for_each(|joint| parts[joint] |= bit);
    };
    let limb_of = |joint: usize| {
        let bone = core::iter::once(joint).chain(skeleton.ancestors(joint)).find_map(|joint| map.bone_of(joint))?;
        IkGoal::ALL.into_iter().find(|goal| goal.bones().contains(&bone))
    };
    for (bone, joint) in map.iter() {
        match IkGoal::ALL.into_iter().find(|goal| goal.bones().contains(&bone)) {
            Some(goal) => mark(joint, 1 << goal.index()),
            None if matches!(bone, HumanBone::LeftToes | HumanBone::RightToes) || is_finger(bone) => {}
            None => mark(joint, LOOK_AT),
        }
    }
    for joint in (0..subset.bones.len()).filter(|joint| map.bone_of(*joint).is_none()) {
        if let Some(goal) = limb_of(joint) {
            mark(joint, 1 << goal.index());
        }
    }
    parts.into()
}

/// Avatars in use. Few rigs are in a game at once, so a list is enough; unused entries are removed
/// when one is added.
static KNOWN: Mutex<Vec<(AvatarSource, Weak<Rigged>)>> = Mutex::new(Vec::new());

/// The avatar of a source, created at first use. The error text describes what is wrong with the
/// rig.
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

/// The names of a `BoneMap`, for [`AvatarSource::given`]; none without a profile.
pub fn given_names(map: Option<&Gd<BoneMap>>) -> Vec<(HumanBone, String)> {
    let Some((map, profile)) = map.and_then(|map| Some((map, map.get_profile()?))) else { return Vec::new() };
    // Maps know the bones of their profile only.
    let name_of = |bone: HumanBone| {
        let name = StringName::from(&profile_name(bone));
        (profile.find_bone(&name) >= 0).then(|| map.get_skeleton_bone_name(&name).to_string())
    };
    let named = HumanBone::ALL.into_iter().filter_map(|bone| Some((bone, name_of(bone)?)));
    named.filter(|(_, name)| !name.is_empty()).collect()
}

/// Sets a node up anew, by its method `refresh`, whenever its map is edited.
pub fn watch(map: Option<&Gd<BoneMap>>, node: &Gd<Node>) {
    let Some(mut map) = map.cloned() else { return };
    let refresh = node.callable("refresh");
    for signal in ["bone_map_updated", "profile_updated"] {
        if !map.is_connected(signal, &refresh) {
            map.connect(signal, &refresh);
        }
    }
}

/// An avatar and what it was made of.
pub type DefinedAvatar = (Arc<Avatar>, Arc<AvatarDefinition>);

/// All bones of a rig, with the avatar that is measured on them.
pub fn whole(source: &AvatarSource) -> Result<(Subset, DefinedAvatar), String> {
    let (whole, definition) = define(source)?;
    let measured = measure(&whole, &definition)?;
    Ok((whole, (Arc::new(measured), Arc::new(definition))))
}

fn measure(subset: &Subset, definition: &AvatarDefinition) -> Result<Avatar, String> {
    Avatar::new(subset.skeleton.clone(), definition).map_err(|error| format!("No humanoid: {error}."))
}

fn define(source: &AvatarSource) -> Result<(Subset, AvatarDefinition), String> {
    let table = &source.table;
    if table.names.is_empty() {
        return Err("The skeleton has no bones.".into());
    }
    let whole = Subset::new(table, 0..table.names.len() as i32)?;
    let map = human_map(source, &whole)?;
    let definition = AvatarDefinition {
        map,
        arm_stretch: source.arm_stretch,
        leg_stretch: source.leg_stretch,
        upper_arm_twist: source.twists[0],
        lower_arm_twist: source.twists[1],
        upper_leg_twist: source.twists[2],
        lower_leg_twist: source.twists[3],
        feet_spacing: source.feet_spacing,
        human_range_set: if source.muscle_ranges { HumanRangeSet::Muscles } else { HumanRangeSet::Measured },
        ..AvatarDefinition::default()
    };
    Ok((whole, definition))
}

fn make(source: &AvatarSource) -> Result<Rigged, String> {
    let (whole, definition) = define(source)?;
    let (table, map) = (&source.table, definition.map.clone());
    let measured = measure(&whole, &definition)?;
    // The same on fewer joints: T-pose and axes are given, so nothing is measured differently.
    let body = map.iter().filter(|(bone, _)| source.with_fingers || !is_finger(*bone)).map(|(_, joint)| joint);
    let twisting = (0..whole.bones.len()).filter(|joint| may_twist(&whole, &map, *joint));
    let more = source.more.iter().filter_map(|name| whole.skeleton.find_joint(name));
    let subset = Subset::new(table, body.chain(twisting).chain(more).map(|joint| whole.bones[joint]))?;
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
    let avatar = measure(&subset, &definition)?;
    let parts = parts(&subset, &definition.map);
    let mapped = map.iter().map(|(bone, joint)| (bone, whole.skeleton.name(joint).to_string())).collect();
    let definition = Arc::new(definition);
    Ok(Rigged { avatar: Arc::new(avatar), definition, subset, mapped, parts })
}

/// From the bone map; from the names of Godot's humanoid profile, when the skeleton has them; from
/// names, hierarchy and rest pose.
fn human_map(source: &AvatarSource, whole: &Subset) -> Result<HumanMap, String> {
    if !source.given.is_empty() {
        let mut map = HumanMap::default();
        for (bone, name) in &source.given {
            let joint = whole.skeleton.find_joint(name);
            map.set(*bone, Some(joint.ok_or_else(|| format!("The bone map names \"{name}\", which is no bone."))?));
        }
        return Ok(map);
    }
    let map = profile_map(|name| whole.skeleton.find_joint(name));
    let found = map_joints(&whole.skeleton).map;
    Ok(if map.missing_required().is_empty() && map.len() >= found.len() { map } else { found })
}

/// The name a bone has in Godot's `SkeletonProfileHumanoid`: Unity's without spaces, but for
/// thumbs.
pub fn profile_name(bone: HumanBone) -> String {
    let name = bone.name().replace(' ', "");
    match name.split_once("Thumb") {
        Some((side, "Proximal")) => format!("{side}ThumbMetacarpal"),
        Some((side, "Intermediate")) => format!("{side}ThumbProximal"),
        _ => name,
    }
}

/// The human bone of a name in Godot's `SkeletonProfileHumanoid`.
pub fn profile_bone(name: &GString) -> Option<HumanBone> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| HumanBone::ALL.into_iter().map(profile_name).collect());
    let is_it = |own: &String| own.chars().eq(name.chars().iter().copied());
    NAMES.iter().position(is_it).map(|place| HumanBone::ALL[place])
}

/// The bones that a skeleton has by the names of Godot's `SkeletonProfileHumanoid`, as retargeting
/// at import gives them.
fn profile_map(find: impl Fn(&str) -> Option<usize>) -> HumanMap {
    let mut map = HumanMap::default();
    for bone in HumanBone::ALL {
        map.set(bone, find(&profile_name(bone)));
    }
    map
}

/// Whether a skeleton has all bones that a humanoid needs by those names.
pub fn has_profile_names(table: &BoneTable) -> bool {
    profile_map(|name| table.names.iter().position(|own| own == name)).missing_required().is_empty()
}

/// Whether a joint is a descendant of a limb's bone, above its hand or foot, and not itself a human
/// bone: a twist bone, perhaps.
fn may_twist(whole: &Subset, map: &HumanMap, joint: usize) -> bool {
    use HumanBone::{LeftFoot, LeftHand, RightFoot, RightHand};
    let mut above = whole.skeleton.ancestors(joint).filter_map(|j| map.bone_of(j));
    let in_a_limb = |bone: HumanBone| {
        let mut limbs = [LeftFoot, RightFoot, LeftHand, RightHand].into_iter().filter_map(HumanBone::parent);
        limbs.any(|lower| bone == lower || lower.parent() == Some(bone))
    };
    map.bone_of(joint).is_none() && above.next().is_some_and(in_a_limb)
}

/// Whether it is a bone of a finger or thumb.
pub fn is_finger(bone: HumanBone) -> bool {
    (HumanBone::LeftThumbProximal.index()..=HumanBone::RightLittleDistal.index()).contains(&bone.index())
}
