//! The person that each sequence begins with.

use sinew::ffi::{SinewQuat, SinewTransform, SinewVec3};
use std::ffi::CString;
use std::sync::OnceLock;
use testkit::{Person, PersonOptions, matchers, person};

/// A rig's data as a C host has it.
pub struct Rig {
    pub parents: Vec<i32>,
    pub rest: Vec<SinewTransform>,
    pub human: Vec<i32>,
    pub names: Vec<CString>,
    pub up: SinewVec3,
    pub forward: SinewVec3,
}

impl Rig {
    /// Made once.
    pub fn get() -> &'static Rig {
        static RIG: OnceLock<Rig> = OnceLock::new();
        RIG.get_or_init(|| Self::of(&person(&PersonOptions::default())))
    }

    fn of(person: &Person) -> Self {
        let index = |joint: &Option<usize>| joint.map_or(-1, |j| j as i32);
        let vec3 = |v: sinew::math::Vec3| SinewVec3 { x: v.x, y: v.y, z: v.z };
        let transform = |t| {
            let [px, py, pz, x, y, z, w, sx, sy, sz] = matchers::numbers(t);
            SinewTransform {
                position: SinewVec3 { x: px, y: py, z: pz },
                rotation: SinewQuat { x, y, z, w },
                scale: SinewVec3 { x: sx, y: sy, z: sz },
            }
        };
        let skeleton = &person.skeleton;
        Self {
            parents: skeleton.parents().iter().map(index).collect(),
            rest: skeleton.rest_local().iter().map(transform).collect(),
            human: person.human.iter().map(index).collect(),
            names: skeleton.names().iter().map(|name| CString::new(name.as_str()).expect("a name")).collect(),
            up: vec3(person.axes.up),
            forward: vec3(person.axes.forward),
        }
    }

    /// Number of joints.
    pub fn joints(&self) -> usize {
        self.parents.len()
    }
}
