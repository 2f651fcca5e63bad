//! `SinewHumanoidIK`: hands, feet, gaze and body of a humanoid, as in Unity's Animator.

use crate::argument;
use crate::calls::Rig;
use crate::constraint;
use crate::crowd_call::{Membership, Updating};
use crate::display::{Display, Drawing, display_node};
use crate::human_effector::{EffectorArray, EffectorList};
use crate::humanoid::Humanoid;
use crate::humanoid_bones::BoneOverrides;
use crate::humanoid_crowd::Ahead;
use crate::limits::SinewSkeletonLimits;
use crate::outcome;
use crate::property::{Setup, TargetPath};
use godot::builtin::{GString, PackedStringArray, Quaternion, StringName, Variant, Vector3};
use godot::classes::{BoneMap, ISkeletonModifier3D, Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, InstanceId, WithBaseField, WithUserSignals};
use godot::register::info::PropertyInfo;
use godot::register::{GodotClass, godot_api};
use sinew::optim::Work;
use sinew::outcome::Outcome;
use sinew::skeleton::JointIndex;

/// Goals for hands and feet, look-at, body position and rotation: Unity's Animator IK for any
/// humanoid skeleton.
///
/// Bones are mapped automatically: from [member bone_map], from the names of
/// [SkeletonProfileHumanoid] (those of Godot's retargeting import), or from the rig's own names,
/// hierarchy and rest pose (Mixamo, VRM, Rigify, Unreal and others). All weights are 0 by default.
/// Goals are in world space and may be nodes or plain properties; the calls of Unity's Animator are
/// methods ([method set_ik_position] …).
///
/// The order of one update: rotations set for bones, body, look-at (spine, neck, head, eyes), feet
/// and hands. The result depends only on the animation's pose and the goals, but for [member
/// inertialization_time] and [member detail_level] Every Nth.
#[derive(GodotClass)]
#[class(base = SkeletonModifier3D, init, tool)]
pub struct SinewHumanoidIK {
    /// Overrides the automatic bone map. Use a map with the profile [SkeletonProfileHumanoid].
    #[export_group(name = "Avatar")]
    #[export]
    pub bone_map: Setup<Option<Gd<BoneMap>>>,
    /// Frame of goal rotations. Goal: the same for every rig, Z along fingers or toes, Y out of the
    /// back of the hand or the top of the foot. Bone: the bone of the hand or foot takes the goal's
    /// rotation.
    #[export(enum = (Goal = 0, Bone = 1))]
    pub rotation_frame: i32,
    /// Stretch of an arm out of reach, as a share of its length, 0 to 1.
    #[export(range = (0.0, 0.5, 0.001, or_greater))]
    #[init(val = Setup::new(0.05))]
    pub arm_stretch: Setup<f32>,
    /// Stretch of a leg out of reach, as a share of its length, 0 to 1.
    #[export(range = (0.0, 0.5, 0.001, or_greater))]
    #[init(val = Setup::new(0.05))]
    pub leg_stretch: Setup<f32>,
    /// Part of an upper arm's roll that the elbow takes, 0 (all at the shoulder) to 1 (all at the
    /// elbow).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = Setup::new(0.5))]
    pub upper_arm_twist: Setup<f32>,
    /// Part of a hand's roll that the wrist takes, 0 (all at the elbow) to 1 (all at the wrist).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = Setup::new(0.5))]
    pub lower_arm_twist: Setup<f32>,
    /// Part of a thigh's roll that the knee takes, 0 (all at the hip) to 1 (all at the knee).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = Setup::new(0.5))]
    pub upper_leg_twist: Setup<f32>,
    /// Part of a foot's roll that the ankle takes, 0 (all at the knee) to 1 (all at the ankle).
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = Setup::new(0.5))]
    pub lower_leg_twist: Setup<f32>,
    /// Minimum distance of the ankles sideways, as a part of [method get_human_scale], 0 to 1; 0:
    /// none. Feet that come nearer are pushed apart, those with goals less than those without.
    #[export(range = (0.0, 1.0, 0.001))]
    pub feet_spacing: Setup<f32>,
    /// Whether human limits are the ranges of Unity's muscles; off: measured ranges of people's
    /// joints.
    #[export]
    pub muscle_ranges: Setup<bool>,

    /// Goal node: position of the ankle and rotation of the foot, each with its weight.
    #[export_group(name = "Left Foot", prefix = "left_foot_")]
    #[export(node_path = ("Node3D"))]
    pub left_foot_target: TargetPath,
    /// Goal position of the ankle when no node is set, world space, metres. Zero, the default, is
    /// no position: with a weight the ankle then stays at its animated position. For the world's
    /// origin set a node.
    #[export]
    pub left_foot_position: Vector3,
    /// Goal rotation of the foot when no node is set, world space; see [member rotation_frame].
    #[export]
    pub left_foot_rotation: Quaternion,
    /// Position weight: animated position (0) to goal (1). At 0 the animation is not changed.
    #[export(range = (0.0, 1.0, 0.001))]
    pub left_foot_position_weight: f32,
    /// Rotation weight: animated rotation (0) to the goal's (1).
    #[export(range = (0.0, 1.0, 0.001))]
    pub left_foot_rotation_weight: f32,
    /// Hint: a node towards which the knee bends. Optional: without one the animation's bend side
    /// is kept, and a straight limb bends to the anatomical side.
    #[export(node_path = ("Node3D"))]
    pub left_foot_hint_target: TargetPath,
    /// Hint position for the knee when no node is set, world space, metres. Zero, the default: no
    /// hint.
    #[export]
    pub left_foot_hint_position: Vector3,
    /// Weight of the hint, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub left_foot_hint_weight: f32,
    /// Bone in whose space goal and hint of this foot are given, as the update leaves it: chest,
    /// the other hand. A node then counts by its transform below its parent, which is to be a
    /// [BoneAttachment3D] of that bone. Empty: world space. Not a bone of the same limb.
    #[export]
    pub left_foot_goal_space: Setup<GString>,
    /// Point of the foot that goes to the goal position, in the space of its bone, metres. Zero:
    /// the ankle.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, or_less, suffix = "m"))]
    pub left_foot_effector_point: Vector3,
    /// Factor on [member pull_weight] for this foot, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub left_foot_pull_weight: f32,
    /// [member inertialization_time] of this foot, seconds. Negative: as all have it.
    #[export(range = (-1.0, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = -1.0)]
    pub left_foot_inertialization_time: f32,
    /// Ratio of the position of this foot in conflicts of one level, for [member body_solver],
    /// 0.000001 to 1000000. Not for fading: where nothing opposes, the least importance is obeyed.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub left_foot_position_importance: f32,
    /// The same of the rotation.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub left_foot_rotation_importance: f32,
    /// Level of the goal for [member body_solver], 0 to 3: goals of a level give way to those of
    /// lower levels.
    #[export(range = (0.0, 3.0, 1.0))]
    #[init(val = 0)]
    pub left_foot_level: i32,

    /// Goal node: position of the ankle and rotation of the foot, each with its weight.
    #[export_group(name = "Right Foot", prefix = "right_foot_")]
    #[export(node_path = ("Node3D"))]
    pub right_foot_target: TargetPath,
    /// Goal position of the ankle when no node is set, world space, metres. Zero, the default, is
    /// no position: with a weight the ankle then stays at its animated position. For the world's
    /// origin set a node.
    #[export]
    pub right_foot_position: Vector3,
    /// Goal rotation of the foot when no node is set, world space; see [member rotation_frame].
    #[export]
    pub right_foot_rotation: Quaternion,
    /// Position weight: animated position (0) to goal (1). At 0 the animation is not changed.
    #[export(range = (0.0, 1.0, 0.001))]
    pub right_foot_position_weight: f32,
    /// Rotation weight: animated rotation (0) to the goal's (1).
    #[export(range = (0.0, 1.0, 0.001))]
    pub right_foot_rotation_weight: f32,
    /// Hint: a node towards which the knee bends. Optional: without one the animation's bend side
    /// is kept, and a straight limb bends to the anatomical side.
    #[export(node_path = ("Node3D"))]
    pub right_foot_hint_target: TargetPath,
    /// Hint position for the knee when no node is set, world space, metres. Zero, the default: no
    /// hint.
    #[export]
    pub right_foot_hint_position: Vector3,
    /// Weight of the hint, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub right_foot_hint_weight: f32,
    /// Bone in whose space goal and hint of this foot are given, as the update leaves it: chest,
    /// the other hand. A node then counts by its transform below its parent, which is to be a
    /// [BoneAttachment3D] of that bone. Empty: world space. Not a bone of the same limb.
    #[export]
    pub right_foot_goal_space: Setup<GString>,
    /// Point of the foot that goes to the goal position, in the space of its bone, metres. Zero:
    /// the ankle.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, or_less, suffix = "m"))]
    pub right_foot_effector_point: Vector3,
    /// Factor on [member pull_weight] for this foot, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub right_foot_pull_weight: f32,
    /// [member inertialization_time] of this foot, seconds. Negative: as all have it.
    #[export(range = (-1.0, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = -1.0)]
    pub right_foot_inertialization_time: f32,
    /// Ratio of the position of this foot in conflicts of one level, for [member body_solver],
    /// 0.000001 to 1000000. Not for fading: where nothing opposes, the least importance is obeyed.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub right_foot_position_importance: f32,
    /// The same of the rotation.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub right_foot_rotation_importance: f32,
    /// Level of the goal for [member body_solver], 0 to 3: goals of a level give way to those of
    /// lower levels.
    #[export(range = (0.0, 3.0, 1.0))]
    #[init(val = 0)]
    pub right_foot_level: i32,

    /// Goal node: position of the wrist and rotation of the hand, each with its weight.
    #[export_group(name = "Left Hand", prefix = "left_hand_")]
    #[export(node_path = ("Node3D"))]
    pub left_hand_target: TargetPath,
    /// Goal position of the wrist when no node is set, world space, metres. Zero, the default, is
    /// no position: with a weight the wrist then stays at its animated position. For the world's
    /// origin set a node.
    #[export]
    pub left_hand_position: Vector3,
    /// Goal rotation of the hand when no node is set, world space; see [member rotation_frame].
    #[export]
    pub left_hand_rotation: Quaternion,
    /// Position weight: animated position (0) to goal (1). At 0 the animation is not changed.
    #[export(range = (0.0, 1.0, 0.001))]
    pub left_hand_position_weight: f32,
    /// Rotation weight: animated rotation (0) to the goal's (1).
    #[export(range = (0.0, 1.0, 0.001))]
    pub left_hand_rotation_weight: f32,
    /// Hint: a node towards which the elbow bends. Optional: without one the animation's bend side
    /// is kept, and a straight limb bends to the anatomical side.
    #[export(node_path = ("Node3D"))]
    pub left_hand_hint_target: TargetPath,
    /// Hint position for the elbow when no node is set, world space, metres. Zero, the default: no
    /// hint.
    #[export]
    pub left_hand_hint_position: Vector3,
    /// Weight of the hint, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub left_hand_hint_weight: f32,
    /// Bone in whose space goal and hint of this hand are given, as the update leaves it: chest,
    /// the other hand. A node then counts by its transform below its parent, which is to be a
    /// [BoneAttachment3D] of that bone. Empty: world space. Not a bone of the same limb.
    #[export]
    pub left_hand_goal_space: Setup<GString>,
    /// Point of the hand that goes to the goal position, in the space of its bone, metres. Zero:
    /// the wrist.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, or_less, suffix = "m"))]
    pub left_hand_effector_point: Vector3,
    /// Factor on [member shoulder_weight] for this arm, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub left_hand_shoulder_weight: f32,
    /// Factor on [member pull_weight] for this hand, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub left_hand_pull_weight: f32,
    /// [member inertialization_time] of this hand, seconds. Negative: as all have it.
    #[export(range = (-1.0, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = -1.0)]
    pub left_hand_inertialization_time: f32,
    /// Ratio of the position of this hand in conflicts of one level, for [member body_solver],
    /// 0.000001 to 1000000. Not for fading: where nothing opposes, the least importance is obeyed.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub left_hand_position_importance: f32,
    /// The same of the rotation.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub left_hand_rotation_importance: f32,
    /// Level of the goal for [member body_solver], 0 to 3: goals of a level give way to those of
    /// lower levels.
    #[export(range = (0.0, 3.0, 1.0))]
    #[init(val = 1)]
    pub left_hand_level: i32,

    /// Goal node: position of the wrist and rotation of the hand, each with its weight.
    #[export_group(name = "Right Hand", prefix = "right_hand_")]
    #[export(node_path = ("Node3D"))]
    pub right_hand_target: TargetPath,
    /// Goal position of the wrist when no node is set, world space, metres. Zero, the default, is
    /// no position: with a weight the wrist then stays at its animated position. For the world's
    /// origin set a node.
    #[export]
    pub right_hand_position: Vector3,
    /// Goal rotation of the hand when no node is set, world space; see [member rotation_frame].
    #[export]
    pub right_hand_rotation: Quaternion,
    /// Position weight: animated position (0) to goal (1). At 0 the animation is not changed.
    #[export(range = (0.0, 1.0, 0.001))]
    pub right_hand_position_weight: f32,
    /// Rotation weight: animated rotation (0) to the goal's (1).
    #[export(range = (0.0, 1.0, 0.001))]
    pub right_hand_rotation_weight: f32,
    /// Hint: a node towards which the elbow bends. Optional: without one the animation's bend side
    /// is kept, and a straight limb bends to the anatomical side.
    #[export(node_path = ("Node3D"))]
    pub right_hand_hint_target: TargetPath,
    /// Hint position for the elbow when no node is set, world space, metres. Zero, the default: no
    /// hint.
    #[export]
    pub right_hand_hint_position: Vector3,
    /// Weight of the hint, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub right_hand_hint_weight: f32,
    /// Bone in whose space goal and hint of this hand are given, as the update leaves it: chest,
    /// the other hand. A node then counts by its transform below its parent, which is to be a
    /// [BoneAttachment3D] of that bone. Empty: world space. Not a bone of the same limb.
    #[export]
    pub right_hand_goal_space: Setup<GString>,
    /// Point of the hand that goes to the goal position, in the space of its bone, metres. Zero:
    /// the wrist.
    #[export(range = (-1.0, 1.0, 0.001, or_greater, or_less, suffix = "m"))]
    pub right_hand_effector_point: Vector3,
    /// Factor on [member shoulder_weight] for this arm, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub right_hand_shoulder_weight: f32,
    /// Factor on [member pull_weight] for this hand, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub right_hand_pull_weight: f32,
    /// [member inertialization_time] of this hand, seconds. Negative: as all have it.
    #[export(range = (-1.0, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = -1.0)]
    pub right_hand_inertialization_time: f32,
    /// Ratio of the position of this hand in conflicts of one level, for [member body_solver],
    /// 0.000001 to 1000000. Not for fading: where nothing opposes, the least importance is obeyed.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub right_hand_position_importance: f32,
    /// The same of the rotation.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub right_hand_rotation_importance: f32,
    /// Level of the goal for [member body_solver], 0 to 3: goals of a level give way to those of
    /// lower levels.
    #[export(range = (0.0, 3.0, 1.0))]
    #[init(val = 1)]
    pub right_hand_level: i32,

    /// The node to look at.
    #[export_group(name = "Look At", prefix = "look_at_")]
    #[export(node_path = ("Node3D"))]
    pub look_at_target: TargetPath,
    /// The point to look at when no node is set, world space, metres.
    #[export]
    pub look_at_position: Vector3,
    /// Multiplies the weights below, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub look_at_weight: f32,
    /// Share of the turn that the spine takes, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub look_at_body_weight: f32,
    /// Share of the remaining turn that neck and head take, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub look_at_head_weight: f32,
    /// Share of the then remaining turn that the eyes take, 0 to 1, within their range.
    #[export(range = (0.0, 1.0, 0.001))]
    pub look_at_eyes_weight: f32,
    /// 0: free; 1: no turning. The gaze may turn (1 − clamp)·180° away from the chest's forward.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.5)]
    pub look_at_clamp_weight: f32,
    /// [member inertialization_time] of the gaze, seconds: to other weights, to another target
    /// node, and after [method inertialize_look_at]. Negative: as all have it.
    #[export(range = (-1.0, 2.0, 0.01, or_greater, suffix = "s"))]
    #[init(val = -1.0)]
    pub look_at_inertialization_time: f32,

    /// Goal node of the body: position of the centre of mass and body rotation, each with its
    /// weight.
    #[export_group(name = "Body", prefix = "body_")]
    #[export(node_path = ("Node3D"))]
    pub body_target: TargetPath,
    /// Goal position of the centre of mass when no node is set, world space, metres. Zero
    /// (default): none.
    #[export]
    pub body_position: Vector3,
    /// Goal rotation of the body when no node is set, world space: Z forward, Y up.
    #[export]
    pub body_rotation: Quaternion,
    /// Position weight of the body, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub body_position_weight: f32,
    /// Rotation weight of the body, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub body_rotation_weight: f32,

    /// How far the clavicles turn towards far hand goals, 0 to 1. [member
    /// left_hand_shoulder_weight] and [member right_hand_shoulder_weight] are factors on it.
    #[export_group(name = "Help")]
    #[export(range = (0.0, 1.0, 0.001))]
    pub shoulder_weight: f32,
    /// How far the spine bends towards hand goals out of reach, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub spine_weight: f32,
    /// Pull weight: how much of a goal's distance beyond reach the hips compensate, 0 to 1. Each
    /// hand and foot has a factor on it, such as [member left_hand_pull_weight].
    #[export(range = (0.0, 1.0, 0.001))]
    pub pull_weight: f32,
    /// How far elbows and knees of limbs with goals go where people's go, 0 to 1. Hints outweigh
    /// it.
    #[export(range = (0.0, 1.0, 0.001))]
    pub bend_weight: f32,
    /// How far elbows of arms with hand goals swivel out of the trunk, 0 to 1; hands stay. Hints
    /// outweigh it, and the whole-body solver does not use it.
    #[export(range = (0.0, 1.0, 0.001))]
    pub trunk_avoidance: f32,
    /// Whether human ranges count as joint limits where goals, look-at and their help move bones.
    #[export]
    pub human_limits: bool,
    /// Limits of single bones, in place of their human ranges; they count with [member
    /// human_limits], and may be shared with other nodes and characters.
    #[export]
    pub limits: Setup<Option<Gd<SinewSkeletonLimits>>>,
    /// Duration of the transition of a limb or the gaze to a new weight or goal (inertialization),
    /// seconds, 0 or more; 0: at once. Another target node is a new goal; a node or a position that
    /// moves is followed without lag, unless [method inertialize] or [method inertialize_look_at]
    /// is called. Each hand and foot, and the gaze, may have a time of its own, such as [member
    /// left_hand_inertialization_time].
    #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
    pub inertialization_time: f32,

    /// Whether all goals are met by the whole body at once, each frame anew: hands lean the body,
    /// feet stay where the animation has them, the body position is the centre of mass. Off: each
    /// limb for itself. The other properties of this group count while it is on.
    #[export_group(name = "Whole Body")]
    #[export]
    pub body_solver: bool,
    /// Goals of hips, chest, head, shoulders, elbows and knees. Assign the array anew (or use
    /// [method add_effector]) to make a change count.
    #[export]
    pub effectors: EffectorArray,
    /// Whether feet stay where the animation has them, as far as their goals have no weight.
    #[export]
    #[init(val = true)]
    pub holds_feet: bool,
    /// How far the centre of mass is kept above the soles, 0 to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    pub balance_weight: f32,
    /// 0: the hips move and turn as readily as any joint; 1: hardly.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.5)]
    pub hips_stiffness: f32,
    /// The same for spine and chest, and half of it for neck and head.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.5)]
    pub spine_stiffness: f32,
    /// The same for the clavicles.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 0.7)]
    pub shoulder_stiffness: f32,
    /// Maximum number of steps of work of one update, 0 to 8000000. A step takes 10 to 80 ns; when
    /// none are left, the update ends with the best pose so far, the same on every computer.
    #[export(range = (0.0, 8000000.0, 1.0))]
    #[init(val = Work::MOST as i32)]
    pub max_work: i32,

    /// Level of detail, for characters that are far away or not in view. Fewer Iterations: [member
    /// body_solver] takes part of its iterations; limbs and look-at have none. Every Nth: a solve
    /// in every n-th update, and in between the pose goes over from one result to the next, n
    /// updates late. Off: the animation, at no cost. A change makes no jump, but from and to Off.
    #[export_group(name = "Level of Detail", prefix = "detail_")]
    #[export(enum = (Full = 0, Fewer_Iterations = 1, Every_Nth = 2, Off = 3))]
    pub detail_level: i32,
    /// Fewer Iterations: part of the iterations, 0 to 1; one remains.
    #[export(range = (0.0, 1.0, 0.01))]
    #[init(val = 0.5)]
    pub detail_iterations: f32,
    /// Every Nth: updates from one solve to the next, 1 to 1000.
    #[export(range = (1.0, 60.0, 1.0, or_greater))]
    #[init(val = 4)]
    pub detail_interval: i32,
    /// Distance of the skeleton from the viewport's camera up to which [member detail_level] is
    /// Full, metres; 0 (default): it counts at any distance. Not in the editor.
    #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "m"))]
    pub detail_distance: f32,
    /// Distance from which it is Off, metres; 0 (default): never. Not in the editor.
    #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "m"))]
    pub detail_off_distance: f32,

    /// Draws bones, goals, hints, gaze and centre of mass in the 3D view, in the editor and in the
    /// game. While the node is selected the editor always does.
    #[export_group(name = "Debug")]
    #[export]
    pub debug_lines: bool,

    /// The humanoid; `None` before the first update, and when the bones are not a humanoid.
    pub(crate) humanoid: Option<Box<Humanoid>>,
    pub(crate) skeleton_version: Option<u64>,
    pub(crate) limits_revision: u64,
    pub(crate) bone_names: Vec<String>,
    pub(crate) bone_overrides: BoneOverrides,
    /// Whether the humanoid has the fingers: one was overridden.
    pub(crate) has_fingers: bool,
    /// What is wrong with the limits, one sentence each.
    pub(crate) limit_problems: Vec<String>,
    /// The joint of each goal's space, as far as the bone is there.
    pub(crate) space_joints: [Option<JointIndex>; 4],
    /// What is wrong with the spaces, one sentence each.
    pub(crate) space_problems: Vec<String>,
    /// Why there is no humanoid; empty when there is one.
    pub(crate) problem: String,
    /// Outcomes of the last update: the goals, then the look-at.
    pub(crate) outcomes: [Outcome; 5],
    pub(crate) effector_list: EffectorList,
    /// The target node of each goal, then of the look-at, `None` for its properties.
    pub(crate) followed: [Option<InstanceId>; 5],
    /// Goals, then the look-at, that are other ones than in the last update.
    pub(crate) switched: [bool; 5],
    pub(crate) member: Membership,
    /// What a crowd has solved for the next update.
    pub(crate) ahead: Option<Box<Ahead>>,
    pub(crate) display: Display,
    pub(crate) base: Base<SkeletonModifier3D>,
}

/// Place of the look-at among the outcomes.
pub(crate) const LOOK_AT: usize = 4;

#[godot_api]
impl ISkeletonModifier3D for SinewHumanoidIK {
    fn process_modification_with_delta(&mut self, delta: f64) {
        let _updating = Updating::begin();
        let Some(rig) = Rig::of(&self.base) else { return };
        let idle = rig.is_without_influence(&self.base);
        if idle {
            self.discard_ahead();
        }
        if idle && let Some(humanoid) = &mut self.humanoid {
            // Results of before are not those to go on from.
            humanoid.paced.forget();
        }
        let solved = if idle { None } else { self.solve(rig, delta as f32) };
        if self.display.needs_update(self.debug_lines) {
            if solved.is_none() {
                self.look(rig);
            }
            self.show();
        }
        let animator = self.humanoid.as_ref().filter(|_| solved.is_some()).map(|humanoid| &humanoid.attached.animator);
        self.effector_list.keep_outcomes(animator);
        let outcomes = solved.unwrap_or([Outcome::INACTIVE; 5]);
        let before = core::mem::replace(&mut self.outcomes, outcomes);
        for (number, (before, after)) in before.iter().zip(&outcomes).enumerate() {
            if before.status == after.status {
                continue;
            }
            let status = outcome::status(after);
            if number == LOOK_AT {
                self.signals().look_at_status_changed().emit(status);
            } else {
                self.signals().ik_status_changed().emit(number as i32, status);
            }
        }
    }
    fn skeleton_changed(&mut self, _old: Option<Gd<Skeleton3D>>, _new: Option<Gd<Skeleton3D>>) {
        self.skeleton_version = None;
    }
    fn validate_bone_names(&mut self) {
        self.skeleton_version = None;
    }
    fn enter_tree(&mut self) {
        self.skeleton_version = None;
        self.forget_targets();
        self.member.forget();
        self.display.enter();
    }
    fn exit_tree(&mut self) {
        self.display.clear();
    }
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        argument::set_list(&mut self.effectors, ["SinewHumanoidIK", "effectors"], &property, &value)
    }
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let name = property.property_name.to_string();
        constraint::show_words_and_units(property, &name);
    }
    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_warnings()
    }
}

#[godot_api]
impl SinewHumanoidIK {
    /// Emitted when the status of a hand or foot differs from that of the update before; see the
    /// GOAL and STATUS constants.
    #[signal]
    pub fn ik_status_changed(goal: i32, status: i32);
    /// Emitted when the status of the look-at differs from that of the update before; see the
    /// STATUS constants.
    #[signal]
    pub fn look_at_status_changed(status: i32);

    /// Left foot; the goal point is the ankle.
    #[constant]
    pub const GOAL_LEFT_FOOT: i64 = 0;
    /// Right foot; the goal point is the ankle.
    #[constant]
    pub const GOAL_RIGHT_FOOT: i64 = 1;
    /// Left hand; the goal point is the wrist.
    #[constant]
    pub const GOAL_LEFT_HAND: i64 = 2;
    /// Right hand; the goal point is the wrist.
    #[constant]
    pub const GOAL_RIGHT_HAND: i64 = 3;
    /// Everything, in every update.
    #[constant]
    pub const DETAIL_FULL: i64 = 0;
    /// Part of the iterations.
    #[constant]
    pub const DETAIL_FEWER_ITERATIONS: i64 = 1;
    /// A solve in every n-th update.
    #[constant]
    pub const DETAIL_EVERY_NTH: i64 = 2;
    /// The animation.
    #[constant]
    pub const DETAIL_OFF: i64 = 3;
    /// Goal rotations are the same for every rig.
    #[constant]
    pub const ROTATION_GOAL: i64 = 0;
    /// Goal rotations are those of the hand's or foot's bone.
    #[constant]
    pub const ROTATION_BONE: i64 = 1;
    /// No goal: all weights 0, influence 0, or no bones.
    #[constant]
    pub const STATUS_INACTIVE: i64 = 0;
    /// The goal is met.
    #[constant]
    pub const STATUS_REACHED: i64 = 1;
    /// The goal is out of reach, or beyond the clamp.
    #[constant]
    pub const STATUS_UNREACHABLE: i64 = 2;

    /// What is missing for this node to work, one sentence each; the editor shows the same at the
    /// node.
    #[func]
    fn get_warnings(&self) -> PackedStringArray {
        self.warnings().into_iter().map(|w| GString::from(&w)).collect()
    }
    /// Repeats the set-up before the next update. Only needed after bones were moved at rest or
    /// given other parents by a script.
    #[func]
    fn refresh(&mut self) {
        self.skeleton_version = None;
    }
}

display_node!(SinewHumanoidIK);
