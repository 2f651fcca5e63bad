//! The built-in humanoid: a skeleton of up to 72 joints with the sizes of an adult.
//!
//! Sizes are fractions of the standing height. Heights of hip, knee and shoulder, lengths of upper
//! arm, forearm, hand, thigh and shank, and the heights of chin and eyes are the segment ratios of
//! R. Drillis and R. Contini, "Body segment parameters" (New York University, 1966), as printed in
//! D. A. Winter, "Biomechanics and Motor Control of Human Movement", figure "body segment lengths
//! expressed as a fraction of body height H". Those are surface landmarks; where a rig's joint is
//! deeper (shoulder and hip joints are nearer to the middle than the outline of the body) and for
//! what the figure does not show (spine, fingers, toes), rounded values in between are used. The
//! ankle is at 0.045 of the height (0.079 m), which leaves room for a sole.
//!
//! Rest pose: feet on the ground plane, legs straight down with the knees a few millimetres in
//! front of the line from hip to ankle, arms exactly sideways and straight, palms down, thumbs 45°
//! forward.

use crate::axes::{BodyAxes, Side, turn};
use crate::mannequin::{HumanMap, RigView};
use crate::rolls::{self, BoneRolls};
use sinew::humanoid::HumanBone::{self, *};
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointIndex, Skeleton};

/// The pose a rig is bound in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestPose {
    /// Arms sideways, palms down.
    #[default]
    T,
    /// Upper arms 45° lowered, elbows bent forward by 12°, as many artists bind.
    A,
}

/// Length unit of the rig.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// One unit is a metre.
    #[default]
    Metres,
    /// One unit is a centimetre.
    Centimetres,
}

impl Units {
    /// Units of the rig in one metre.
    pub fn per_metre(self) -> f32 {
        match self {
            Units::Metres => 1.0,
            Units::Centimetres => 100.0,
        }
    }
}

/// Handedness of the world the rig lives in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handedness {
    /// Unity, Unreal, DirectX.
    #[default]
    Left,
    /// glTF, Godot, Blender, OpenGL.
    Right,
}

/// How the joints are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Unity's human names: `LeftUpperLeg`, `Left Thumb Proximal`; `HeadTop` and the like for the
    /// rest.
    #[default]
    Unity,
    /// Mixamo's: `mixamorig:LeftUpLeg`, `mixamorig:LeftHandThumb1`.
    Mixamo,
    /// `joint_00`, `joint_01`, …: nothing to recognise.
    Numbered,
}

/// Options of a person. The default is 1.75 m tall, complete, in metres, with Unity's conventions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PersonOptions {
    /// Standing height in metres, from the ground to the top of the head.
    pub height_m: f32,
    /// Orientation of the joint frames in the rest pose.
    pub bone_rolls: BoneRolls,
    /// The rest pose.
    pub rest: RestPose,
    /// Length unit of all positions.
    pub units: Units,
    /// Handedness of the world; decides on which side of `facing` the right hand is.
    pub handedness: Handedness,
    /// Up in model space, a unit vector along an axis.
    pub up: Vec3,
    /// Where the person faces in model space, a unit vector along an axis other than `up`.
    pub facing: Vec3,
    /// Adds a twist joint in the middle of each upper arm and forearm (a leaf beside the next
    /// bone).
    pub twist_joints: bool,
    /// Adds three joints and a tip for each finger.
    pub with_fingers: bool,
    /// Adds chest, upper chest, neck, shoulders, toes, eyes and jaw; without them only the required
    /// bones remain.
    pub with_optional: bool,
    /// How the joints are called.
    pub names: Names,
}

impl Default for PersonOptions {
    fn default() -> Self {
        Self {
            height_m: 1.75,
            bone_rolls: BoneRolls::Identity,
            rest: RestPose::T,
            units: Units::Metres,
            handedness: Handedness::Left,
            up: Vec3::Y,
            facing: Vec3::Z,
            twist_joints: false,
            with_fingers: true,
            with_optional: true,
            names: Names::Unity,
        }
    }
}

impl PersonOptions {
    /// A person of glTF's world: right-handed, Y up, facing +Z, with frames along the bones.
    pub fn gltf() -> Self {
        Self { handedness: Handedness::Right, bone_rolls: BoneRolls::AlongBone, ..Self::default() }
    }
}

/// A rig together with what is known about it.
#[derive(Clone, Debug)]
pub struct Person {
    /// The joints, in depth-first order; rest pose and unit as in the options.
    pub skeleton: Skeleton,
    /// Joint of each human bone, by the bone's number.
    pub human: HumanMap,
    /// Local transforms of the T-pose; the rest pose itself unless it is an A-pose.
    pub t_pose: Vec<Transform>,
    /// Right, up and forward in model space.
    pub axes: BodyAxes,
    /// The options.
    pub options: PersonOptions,
}

impl Person {
    /// The rig as the motion generators need it.
    pub fn view(&self) -> RigView<'_> {
        RigView { skeleton: &self.skeleton, human: &self.human, t_pose: &self.t_pose, axes: self.axes }
    }
    /// Joint of a bone.
    ///
    /// # Panics
    /// When this person does not have it.
    pub fn joint(&self, bone: HumanBone) -> JointIndex {
        self.human[bone.index()].unwrap_or_else(|| panic!("this person has no {}", bone.name()))
    }
}

/// Creates a person.
pub fn person(options: &PersonOptions) -> Person {
    let axes = BodyAxes::new(options.up, options.facing, options.handedness == Handedness::Left);
    let mut plan = Plan { options: *options, axes, ..Plan::default() };
    plan.body();

    let human: HumanMap = core::array::from_fn(|b| plan.human.iter().position(|h| h.is_some_and(|h| h.index() == b)));
    let names: Vec<String> = match options.names {
        Names::Unity => plan.names.iter().map(|(unity, _)| unity.clone()).collect(),
        Names::Mixamo => plan.names.iter().map(|(_, mixamo)| format!("mixamorig:{mixamo}")).collect(),
        Names::Numbered => (0..plan.names.len()).map(|i| format!("joint_{i:02}")).collect(),
    };
    // Frames are given in the rest pose; for an A-pose the T-pose is the one that has odd local
    // rotations.
    let (rest_positions, to_rest) = plan.rest();
    let bones = rolls::bones_ms(&plan.parents, &rest_positions, |joint| plan.chosen_child(joint));
    let rest_rotations = options.bone_rolls.rotations_ms(&bones, axes.forward);
    let t_rotations: Vec<Quat> =
        to_rest.iter().zip(&rest_rotations).map(|(d, r)| (d.conjugate() * *r).normalize()).collect();
    let rest = rolls::local_transforms(&plan.parents, &rest_positions, &rest_rotations);
    let t_pose = match options.rest {
        RestPose::T => rest.clone(),
        RestPose::A => rolls::local_transforms(&plan.parents, &plan.positions, &t_rotations),
    };
    let skeleton = rolls::skeleton(&names, &plan.parents, &rest);
    Person { skeleton, human, t_pose, axes, options: *options }
}

/// The joints while they are collected; positions are those of the T-pose in model space, in rig
/// units.
struct Plan {
    options: PersonOptions,
    axes: BodyAxes,
    names: Vec<(String, String)>,
    human: Vec<Option<HumanBone>>,
    parents: Vec<Option<JointIndex>>,
    positions: Vec<Vec3>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            options: PersonOptions::default(),
            axes: BodyAxes::UNITY,
            names: Vec::new(),
            human: Vec::new(),
            parents: Vec::new(),
            positions: Vec::new(),
        }
    }
}

/// A position as fractions of the height: away from the middle (to the right for joints without a
/// side), up from the ground, forward.
type Place = [f32; 3];

/// Thumb, index, middle, ring, little: name, knuckle (along the hand, up, forward; fractions of the
/// height from the wrist), and the lengths of its three bones (metacarpal, proximal, distal for the
/// thumb).
const FINGERS: [(&str, Place, [f32; 3]); 5] = [
    ("Thumb", [0.0145, -0.0050, 0.0125], [0.0255, 0.0185, 0.0145]),
    ("Index", [0.0530, 0.0000, 0.0140], [0.0250, 0.0145, 0.0120]),
    ("Middle", [0.0540, 0.0010, 0.0015], [0.0270, 0.0165, 0.0125]),
    ("Ring", [0.0505, 0.0000, -0.0100], [0.0250, 0.0155, 0.0125]),
    ("Little", [0.0460, -0.0015, -0.0205], [0.0195, 0.0115, 0.0110]),
];

/// Height of the arms above the ground in T-pose.
const ARM_HEIGHT: f32 = 0.812;

impl Plan {
    fn body(&mut self) {
        let full = self.options.with_optional;
        let hips = self.bone(true, Hips, "Hips", None, [0.0, 0.545, 0.0]);
        for side in Side::BOTH {
            self.leg(side, hips);
        }
        let spine = self.bone(true, Spine, "Spine", Some(hips), [0.0, 0.585, -0.004]);
        let chest = self.bone(full, Chest, "Spine1", Some(spine), [0.0, 0.650, -0.007]);
        let upper_chest = self.bone(full, UpperChest, "Spine2", Some(chest), [0.0, 0.725, -0.010]);
        let neck = self.bone(full, Neck, "Neck", Some(upper_chest), [0.0, 0.845, -0.012]);
        let head = self.bone(true, Head, "Head", Some(neck), [0.0, 0.905, -0.002]);
        self.extra("HeadTop", "HeadTop_End", head, [0.0, 1.0, -0.002]);
        self.bone(full, LeftEye, "LeftEye", Some(head), [-0.018, 0.936, 0.046]);
        self.bone(full, RightEye, "RightEye", Some(head), [0.018, 0.936, 0.046]);
        self.bone(full, Jaw, "Jaw", Some(head), [0.0, 0.908, 0.008]);
        for side in Side::BOTH {
            self.arm(side, upper_chest);
        }
    }

    fn leg(&mut self, side: Side, hips: JointIndex) {
        let s = side.sign();
        let word = side.pick("Left", "Right");
        let upper = side.pick(LeftUpperLeg, RightUpperLeg);
        let upper = self.bone(true, upper, &format!("{word}UpLeg"), Some(hips), [0.052 * s, 0.530, 0.0]);
        let lower = side.pick(LeftLowerLeg, RightLowerLeg);
        let lower = self.bone(true, lower, &format!("{word}Leg"), Some(upper), [0.052 * s, 0.285, 0.001]);
        let foot = side.pick(LeftFoot, RightFoot);
        let foot = self.bone(true, foot, &format!("{word}Foot"), Some(lower), [0.052 * s, 0.045, -0.012]);
        let toes = side.pick(LeftToes, RightToes);
        let full = self.options.with_optional;
        let toes = self.bone(full, toes, &format!("{word}ToeBase"), Some(foot), [0.052 * s, 0.012, 0.066]);
        self.extra(&format!("{word}ToeTip"), &format!("{word}Toe_End"), toes, [0.052 * s, 0.008, 0.107]);
    }

    fn arm(&mut self, side: Side, upper_chest: JointIndex) {
        let s = side.sign();
        let word = side.pick("Left", "Right");
        let y = ARM_HEIGHT;
        let z = -0.010;
        let shoulder_x = 0.105;
        let elbow_x = shoulder_x + 0.186;
        let wrist_x = elbow_x + 0.146;
        let full = self.options.with_optional;
        let clavicle = side.pick(LeftShoulder, RightShoulder);
        let clavicle =
            self.bone(full, clavicle, &format!("{word}Shoulder"), Some(upper_chest), [0.014 * s, 0.812, 0.004]);
        let upper = side.pick(LeftUpperArm, RightUpperArm);
        let upper = self.bone(true, upper, &format!("{word}Arm"), Some(clavicle), [shoulder_x * s, y, z]);
        let lower = side.pick(LeftLowerArm, RightLowerArm);
        let lower = self.bone(true, lower, &format!("{word}ForeArm"), Some(upper), [elbow_x * s, y, z]);
        let hand = side.pick(LeftHand, RightHand);
        let hand = self.bone(true, hand, &format!("{word}Hand"), Some(lower), [wrist_x * s, y, z]);
        if self.options.with_fingers {
            for finger in 0..FINGERS.len() {
                self.finger(side, hand, finger, [wrist_x, y, z]);
            }
        }
        if self.options.twist_joints {
            let middle = |a: f32, b: f32| [(a + b) * 0.5 * s, y, z];
            let name = |part: &str| format!("{word}{part}Twist");
            self.extra(&name("LowerArm"), &name("ForeArm"), lower, middle(elbow_x, wrist_x));
            self.extra(&name("UpperArm"), &name("Arm"), upper, middle(shoulder_x, elbow_x));
        }
    }

    fn finger(&mut self, side: Side, hand: JointIndex, finger: usize, wrist: Place) {
        let (name, knuckle, lengths) = FINGERS[finger];
        let word = side.pick("Left", "Right");
        let first = side.pick(LeftThumbProximal, RightThumbProximal).index() + 3 * finger;
        // The thumb points forward at 45°, the others straight out.
        let half_root = core::f32::consts::FRAC_1_SQRT_2;
        let direction = if finger == 0 { [half_root, 0.0, half_root] } else { [1.0, 0.0, 0.0] };
        let mut at = [wrist[0] + knuckle[0], wrist[1] + knuckle[1], wrist[2] + knuckle[2]];
        let mut parent = hand;
        for (segment, length) in lengths.into_iter().enumerate() {
            let bone = HumanBone::from_index(first + segment).expect("fingers are human bones");
            let mixamo = format!("{word}Hand{}{}", if name == "Little" { "Pinky" } else { name }, segment + 1);
            parent = self.bone(true, bone, &mixamo, Some(parent), [at[0] * side.sign(), at[1], at[2]]);
            at = [at[0] + direction[0] * length, at[1] + direction[1] * length, at[2] + direction[2] * length];
        }
        let mixamo = format!("{word}Hand{}4", if name == "Little" { "Pinky" } else { name });
        self.extra(&format!("{word} {name} Tip"), &mixamo, parent, [at[0] * side.sign(), at[1], at[2]]);
    }

    /// Adds a human bone, or, when it is not `wanted`, returns the parent in its place.
    fn bone(
        &mut self,
        wanted: bool,
        bone: HumanBone,
        mixamo: &str,
        parent: Option<JointIndex>,
        place: Place,
    ) -> JointIndex {
        match parent {
            Some(parent) if !wanted => parent,
            _ => self.add((bone.name().to_owned(), mixamo.to_owned()), Some(bone), parent, place),
        }
    }

    fn extra(&mut self, unity: &str, mixamo: &str, parent: JointIndex, place: Place) {
        self.add((unity.to_owned(), mixamo.to_owned()), None, Some(parent), place);
    }

    fn add(
        &mut self,
        names: (String, String),
        bone: Option<HumanBone>,
        parent: Option<JointIndex>,
        place: Place,
    ) -> JointIndex {
        let height = self.options.height_m * self.options.units.per_metre();
        self.names.push(names);
        self.human.push(bone);
        self.parents.push(parent);
        self.positions.push(self.axes.vector(place[0] * height, place[1] * height, place[2] * height));
        self.positions.len() - 1
    }

    /// The child a joint's bone points to where that is not the first one.
    fn chosen_child(&self, joint: JointIndex) -> Option<JointIndex> {
        let wanted: &[HumanBone] = match self.human[joint]? {
            Hips => &[Spine],
            LeftHand => &[LeftMiddleProximal],
            RightHand => &[RightMiddleProximal],
            _ => return None,
        };
        self.human.iter().position(|h| h.is_some_and(|h| wanted.contains(&h)))
    }

    /// Model-space positions in the rest pose, and the rotation that carries each joint from the
    /// T-pose there.
    fn rest(&self) -> (Vec<Vec3>, Vec<Quat>) {
        let mut positions = self.positions.clone();
        let mut turns = vec![Quat::IDENTITY; positions.len()];
        if self.options.rest == RestPose::T {
            return (positions, turns);
        }
        for joint in 0..positions.len() {
            let Some(parent) = self.parents[joint] else { continue };
            positions[joint] = positions[parent] + turns[parent] * (self.positions[joint] - self.positions[parent]);
            turns[joint] = (turns[parent] * self.a_pose_turn(self.human[joint])).normalize();
        }
        (positions, turns)
    }

    fn a_pose_turn(&self, bone: Option<HumanBone>) -> Quat {
        let (right, up, forward) = (self.axes.right, self.axes.up, self.axes.forward);
        match bone {
            Some(LeftUpperArm) => turn(-right, -up, 45.0),
            Some(RightUpperArm) => turn(right, -up, 45.0),
            Some(LeftLowerArm) => turn(-right, forward, 12.0),
            Some(RightLowerArm) => turn(right, forward, 12.0),
            _ => Quat::IDENTITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mannequin::Mannequin;

    #[test]
    fn sizes_are_those_of_an_adult() {
        let person = person(&PersonOptions { twist_joints: true, ..PersonOptions::default() });
        assert_eq!(person.skeleton.joint_count(), 72);
        let at = |bone| person.skeleton.rest_model()[person.joint(bone)].position;
        assert_eq!(at(RightUpperArm).y, at(RightHand).y);
        assert_eq!(at(RightUpperArm).z, at(RightHand).z);
        assert!(at(LeftHand).x < 0.0 && at(LeftHand).x == -at(RightHand).x);
        assert!(((at(RightHand) - at(RightLowerArm)).length() - 0.2555).abs() < 1e-4);
        assert!((at(RightFoot).y - 0.079).abs() < 1e-3);
        let top = person.skeleton.find_joint("HeadTop").unwrap();
        assert!((person.skeleton.rest_model()[top].position.y - 1.75).abs() < 1e-5);
        assert!(person.human.iter().all(Option::is_some));
    }

    #[test]
    fn every_kind_stands_in_the_same_t_pose() {
        let reference = person(&PersonOptions::default());
        let place = |p: &Person, bone: HumanBone| {
            let v = Mannequin::new(p.view()).position_ms(p.joint(bone)) * (1.0 / p.options.units.per_metre());
            [v.dot(p.axes.right), v.dot(p.axes.up), v.dot(p.axes.forward)]
        };
        for rest in [RestPose::T, RestPose::A] {
            for bone_rolls in BoneRolls::ALL {
                for (units, handedness) in [(Units::Metres, Handedness::Right), (Units::Centimetres, Handedness::Left)]
                {
                    for (up, facing) in [(Vec3::Y, Vec3::Z), (Vec3::Y, Vec3::NEG_Z), (Vec3::Z, Vec3::X)] {
                        let options =
                            PersonOptions { rest, bone_rolls, units, handedness, up, facing, ..Default::default() };
                        let other = person(&options);
                        for bone in HumanBone::ALL {
                            let (a, b) = (place(&reference, bone), place(&other, bone));
                            for i in 0..3 {
                                assert!((a[i] - b[i]).abs() < 2e-6, "{} {a:?} {b:?} {options:?}", bone.name());
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_least_person_has_the_fifteen_required_bones() {
        let least = PersonOptions { with_fingers: false, with_optional: false, ..PersonOptions::default() };
        let person = person(&least);
        for bone in HumanBone::ALL {
            assert_eq!(person.human[bone.index()].is_some(), bone.is_required(), "{}", bone.name());
        }
        assert_eq!(person.skeleton.joint_count(), 15 + 3);
        let upper_arm = person.joint(RightUpperArm);
        assert_eq!(person.skeleton.parent(upper_arm), Some(person.joint(Spine)));
    }
}
