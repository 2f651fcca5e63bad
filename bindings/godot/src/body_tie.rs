//! `SinewBodyTie`: effectors of two bodies that meet, as a resource.

use godot::builtin::{NodePath, Quaternion};
use godot::classes::{IResource, Resource};
use godot::obj::Base;
use godot::register::{GodotClass, godot_api};

/// An effector of one [SinewBodyIK] and an effector of another that meet: an entry of [member
/// SinewBodyTies.ties].
#[derive(GodotClass)]
#[class(base = Resource, tool)]
pub struct SinewBodyTie {
    /// The first body: path of a [SinewBodyIK], from the node [SinewBodyTies].
    #[export]
    pub first: NodePath,
    /// Place of its effector in [member SinewBodyIK.effectors], from 0: a position or an
    /// orientation, not a pin. Its target and goal do not count.
    #[export(range = (0.0, 100.0, 1.0, or_greater))]
    pub first_effector: i32,
    /// The second body, another one.
    #[export]
    pub second: NodePath,
    /// Place of its effector, of the same kind.
    #[export(range = (0.0, 100.0, 1.0, or_greater))]
    pub second_effector: i32,
    /// Rotation of the first bone seen from the second: for orientations, and for positions where
    /// both effectors match the rotation.
    #[export]
    pub rotation: Quaternion,
    /// Where between the animated effectors the place is looked for first, 0 to 1: at 0 the second
    /// comes to where the first one is, at 1 the first to the second, as long as it gets there.
    #[export(range = (0.0, 1.0, 0.001))]
    pub share: f32,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for SinewBodyTie {
    fn init(base: Base<Resource>) -> Self {
        Self {
            first: NodePath::default(),
            first_effector: 0,
            second: NodePath::default(),
            second_effector: 0,
            rotation: Quaternion::default(),
            share: 0.5,
            base,
        }
    }
}

#[godot_api]
impl SinewBodyTie {}
