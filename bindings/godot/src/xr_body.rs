//! Bodies of the engine's XRServer: read as trackers, and written from a solved body.
//!
//! The engine counts its class XRBodyTracker as experimental, so the binding crate has no type for
//! it: its methods are called by name, and an engine without the class has no bodies.

use crate::avatar::{Rigged, profile_name};
use crate::convert;
use crate::tracker;
use godot::builtin::{Basis, StringName, Transform3D, Variant, vslice};
use godot::classes::{ClassDb, SkeletonProfileHumanoid, XrPositionalTracker, XrServer};
use godot::obj::{Gd, NewGd, Singleton};
use sinew::animator::Animator;
use sinew::humanoid::HumanBone;
use sinew::math::Quat;
use sinew::trackers::{TrackerRole, TrackerSample};

/// The engine's class.
const CLASS: &str = "XRBodyTracker";
/// Flags of a joint: orientation and position valid, and tracked.
const TURN_VALID: i64 = 1;
const TURN_TRACKED: i64 = 2;
const PLACE_VALID: i64 = 4;
const PLACE_TRACKED: i64 = 8;
/// Flags of a body: upper and lower part supported.
const WHOLE_BODY: i64 = 1 | 2;
/// Type of a tracker: body.
const BODY_TYPE: i64 = 0x20;

/// Name of a joint in the engine. A finger's bones are phalanges there, a thumb's first one the
/// metacarpal.
fn joint_name(bone: HumanBone) -> String {
    let words: Vec<String> = bone.name().split(' ').map(str::to_ascii_uppercase).collect();
    if let [side, digit, part] = words.as_slice() {
        let part = match (digit.as_str(), part.as_str()) {
            ("THUMB", "PROXIMAL") => "METACARPAL",
            ("THUMB", "INTERMEDIATE") => "PHALANX_PROXIMAL",
            (_, "PROXIMAL") => "PHALANX_PROXIMAL",
            (_, "INTERMEDIATE") => "PHALANX_INTERMEDIATE",
            _ => "PHALANX_DISTAL",
        };
        return match digit.as_str() {
            "THUMB" => format!("JOINT_{side}_THUMB_{part}"),
            "LITTLE" => format!("JOINT_{side}_PINKY_FINGER_{part}"),
            _ => format!("JOINT_{side}_{digit}_FINGER_{part}"),
        };
    }
    let mut name = String::from("JOINT");
    for character in bone.name().chars() {
        if character.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(character.to_ascii_uppercase());
    }
    name
}

/// Number of a joint in the engine; `None`: the engine has no such joint.
fn joint_number(bone: HumanBone) -> Option<i64> {
    let name = joint_name(bone);
    let classes = ClassDb::singleton();
    let there = classes.class_has_integer_constant(CLASS, &name);
    there.then(|| classes.class_get_integer_constant(CLASS, &name))
}

fn integer(value: &Variant) -> i64 {
    value.try_to::<i64>().unwrap_or(0)
}

/// A body of the XRServer that is read as trackers.
#[derive(Debug, Default)]
pub struct InputBody {
    joints: Vec<(TrackerRole, i64)>,
}

impl InputBody {
    /// Calls `give` with a sample of every joint that the body with this name knows.
    pub fn read(
        &mut self,
        name: &StringName,
        origin_ws: &Transform3D,
        skeleton_ws: &Transform3D,
        mut give: impl FnMut(TrackerRole, TrackerSample),
    ) {
        let Some(mut body) = XrServer::singleton().get_tracker(name) else { return };
        if !body.is_class(CLASS) || !body.call("get_has_tracking_data", &[]).booleanize() {
            return;
        }
        if self.joints.is_empty() {
            let joint = |role: TrackerRole| {
                let bone = if role == TrackerRole::Chest { HumanBone::UpperChest } else { role.bone() };
                joint_number(bone).map(|number| (role, number))
            };
            self.joints = TrackerRole::ALL.into_iter().filter_map(joint).collect();
        }
        for (role, joint) in &self.joints {
            let flags = integer(&body.call("get_joint_flags", vslice![*joint]));
            let (placed, turned) = (flags & PLACE_VALID != 0, flags & TURN_VALID != 0);
            if !placed && !turned {
                continue;
            }
            let pose = body.call("get_joint_transform", vslice![*joint]).try_to::<Transform3D>();
            let Ok(pose) = pose else { continue };
            // Joints that the platform itself assumes are half believed.
            let seen = flags & (PLACE_TRACKED | TURN_TRACKED) != 0;
            let sample = tracker::sample(&(*origin_ws * pose), skeleton_ws, if seen { 1.0 } else { 0.5 });
            let (position, rotation) = (sample.position.filter(|_| placed), sample.rotation.filter(|_| turned));
            give(*role, TrackerSample { position, rotation, ..sample });
        }
    }
}

/// A body of the XRServer that a solved body is written to.
#[derive(Debug)]
pub struct OutputBody {
    name: StringName,
    tracker: Gd<XrPositionalTracker>,
    bones: Vec<OutputBone>,
}

/// A bone of it.
#[derive(Debug)]
struct OutputBone {
    /// The engine's number.
    joint: i64,
    /// The avatar's joint.
    from: usize,
    /// From the rotation of the avatar's joint to that of Godot's humanoid profile.
    turn: Quat,
}

/// Rotation of a bone of the profile's reference pose.
fn reference(profile: &Gd<SkeletonProfileHumanoid>, bone: HumanBone) -> Quat {
    let mut whole = Quat::IDENTITY;
    let mut at = profile.find_bone(&StringName::from(&profile_name(bone)));
    while at >= 0 {
        whole = convert::rotation(&profile.get_reference_pose(at).basis) * whole;
        at = profile.find_bone(&profile.get_bone_parent(at));
    }
    whole.normalize()
}

impl OutputBody {
    /// Adds a body with this name to the XRServer. `None`: the engine has none.
    pub fn new(name: &StringName, rigged: &Rigged) -> Option<Self> {
        let mut tracker = ClassDb::singleton().instantiate(CLASS).try_to::<Gd<XrPositionalTracker>>().ok()?;
        tracker.set_tracker_name(name);
        tracker.call("set_tracker_type", vslice![BODY_TYPE]);
        tracker.call("set_body_flags", vslice![WHOLE_BODY]);
        XrServer::singleton().add_tracker(&tracker);
        let skeleton = rigged.avatar.skeleton();
        let mut pose = sinew::skeleton::Pose::rest(skeleton);
        pose.local_mut().copy_from_slice(rigged.avatar.t_pose());
        pose.update(skeleton);
        let profile = SkeletonProfileHumanoid::new_gd();
        let bones = HumanBone::ALL.into_iter().filter_map(|bone| {
            let (from, joint) = (rigged.avatar.joint(bone)?, joint_number(bone)?);
            let turn = (pose.model(from).rotation.conjugate() * reference(&profile, bone)).normalize();
            Some(OutputBone { joint, from, turn })
        });
        Some(Self { name: name.clone(), bones: bones.collect(), tracker })
    }
    /// Its name.
    pub fn name(&self) -> &StringName {
        &self.name
    }
    /// Writes a solved body, in the space of its skeleton.
    pub fn write(&mut self, animator: &Animator, skeleton_ws: &Transform3D) {
        let back = skeleton_ws.affine_inverse();
        for bone in &self.bones {
            let frame = animator.joint_ws(bone.from);
            let turned = convert::quaternion((frame.rotation * bone.turn).normalize());
            let local = back * Transform3D::new(Basis::from_quaternion(turned), convert::vector3(frame.position));
            let turned = convert::quaternion(convert::rotation(&local.basis));
            let pose = Transform3D::new(Basis::from_quaternion(turned), local.origin);
            self.tracker.call("set_joint_transform", vslice![bone.joint, pose]);
            let flags = TURN_VALID | TURN_TRACKED | PLACE_VALID | PLACE_TRACKED;
            self.tracker.call("set_joint_flags", vslice![bone.joint, flags]);
        }
        self.tracker.call("set_has_tracking_data", vslice![true]);
    }
}

impl Drop for OutputBody {
    fn drop(&mut self) {
        XrServer::singleton().remove_tracker(&self.tracker);
    }
}
