//! Rows of an effector that a Callable computes.

use crate::convert::{quaternion, vec3, vector3};
use godot::builtin::{
    Array, Basis, Callable, PackedFloat32Array, PackedVector3Array, Transform3D, VarArray, VarDictionary, Variant,
    Vector3,
};
use godot::meta::{FromGodot, ToGodot};
use sinew::tasks::{HostResidual, MAX_ANCHORS, MAX_ROWS, Placement, Rows};
use std::thread::ThreadId;

/// A Callable as a residual. It is only called on the thread that made it; on any other there are
/// no rows.
#[derive(Debug)]
pub struct CallableRows {
    compute: Callable,
    thread: ThreadId,
}

// SAFETY: `compute` is only used on the thread that made it: `evaluate` compares. Bodies of nodes
// are made, solved and dropped on the thread of their node.
unsafe impl Send for CallableRows {}
// SAFETY: as above.
unsafe impl Sync for CallableRows {}

impl CallableRows {
    /// The rows of a Callable.
    pub fn new(compute: Callable) -> Self {
        Self { compute, thread: std::thread::current().id() }
    }

    fn call(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) -> Option<()> {
        if std::thread::current().id() != self.thread || !self.compute.is_valid() {
            return None;
        }
        let placements: Array<Transform3D> = at
            .iter()
            .map(|p| Transform3D::new(Basis::from_quaternion(quaternion(p.rotation)), vector3(p.position)))
            .collect();
        let answer = self.compute.call(&[placements.to_variant()]);
        let answer = answer.try_to::<VarDictionary>().ok()?;
        let value = answer.get("value")?;
        for (to, value) in rows.value.iter_mut().zip(numbers(&value)?) {
            *to = value;
        }
        let terms = answer.get("terms")?.try_to::<VarArray>().ok()?;
        for (to, term) in rows.terms.iter_mut().zip(terms.iter_shared()) {
            let term = term.try_to::<VarDictionary>().ok()?;
            to.point = vec3(member::<Vector3>(&term, "point").ok()?.unwrap_or_default());
            for (name, list) in [("force", &mut to.force), ("torque", &mut to.torque)] {
                let Some(given) = term.get(name) else { continue };
                for (to, given) in list.iter_mut().zip(vectors(&given)?) {
                    *to = vec3(given);
                }
            }
        }
        let finite = |term: &sinew::tasks::Term| {
            term.point.is_finite() && term.force.iter().chain(&term.torque).all(|v| v.is_finite())
        };
        rows.terms.iter().all(finite).then_some(())
    }
}

impl HostResidual for CallableRows {
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        if self.call(at, rows).is_none() {
            rows.value = [f32::NAN; MAX_ROWS];
        }
    }
}

fn member<T: FromGodot>(of: &VarDictionary, name: &str) -> Result<Option<T>, ()> {
    of.get(name).map(|value| value.try_to::<T>()).transpose().map_err(drop)
}
/// A packed array or an array of numbers.
fn numbers(given: &Variant) -> Option<Vec<f32>> {
    if let Ok(packed) = given.try_to::<PackedFloat32Array>() {
        return Some(packed.to_vec());
    }
    let list = given.try_to::<VarArray>().ok()?;
    list.iter_shared().map(|number| number.try_to_relaxed::<f32>().ok()).collect()
}
/// A packed array or an array of vectors.
fn vectors(given: &Variant) -> Option<Vec<Vector3>> {
    if let Ok(packed) = given.try_to::<PackedVector3Array>() {
        return Some(packed.to_vec());
    }
    let list = given.try_to::<VarArray>().ok()?;
    list.iter_shared().map(|vector| vector.try_to::<Vector3>().ok()).collect()
}
