//! Rows of an effector that a Callable computes.

use crate::convert::{quaternion, vec3, vector3};
use godot::builtin::{
    AnyArray, Array, Basis, Callable, PackedFloat32Array, PackedFloat64Array, PackedVector3Array, Transform3D,
    VarDictionary, Variant, VariantType, Vector3,
};
use godot::meta::{FromGodot, ToGodot};
use sinew::tasks::{HostResidual, MAX_ANCHORS, MAX_ROWS, Placement, Rows};
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;

/// A Callable as a residual. It is only called on the thread that made it; on any other there are
/// no rows.
#[derive(Debug)]
pub struct CallableRows {
    compute: Callable,
    thread: ThreadId,
    /// What was wrong with the last answer.
    problem: Mutex<Option<&'static str>>,
}

// SAFETY: `compute` is only used on the thread that made it: `evaluate` compares. Bodies of nodes
// are made, solved and dropped on the thread of their node.
unsafe impl Send for CallableRows {}
// SAFETY: as above.
unsafe impl Sync for CallableRows {}

impl CallableRows {
    /// The rows of a Callable.
    pub fn new(compute: Callable) -> Self {
        Self { compute, thread: std::thread::current().id(), problem: Mutex::default() }
    }
    /// What was wrong with the last answer, a sentence.
    pub fn problem(&self) -> Option<&'static str> {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) -> Result<(), &'static str> {
        const NO_TERMS: &str = "its \"terms\" are no Dictionaries with \"point\", \"force\" and \"torque\"";
        const NOT_FINITE: &str = "it returns a number that is not finite";
        if std::thread::current().id() != self.thread || !self.compute.is_valid() {
            return Err("it is no valid Callable of this thread");
        }
        let placements: Array<Transform3D> = at
            .iter()
            .map(|p| Transform3D::new(Basis::from_quaternion(quaternion(p.rotation)), vector3(p.position)))
            .collect();
        let answer = self.compute.call(&[placements.to_variant()]);
        let answer = answer.try_to::<VarDictionary>().map_err(|_| "it returns no Dictionary")?;
        let value =
            answer.get("value").and_then(|value| numbers(&value)).ok_or("its \"value\" is no list of numbers")?;
        if !value.iter().all(|value| value.is_finite()) {
            return Err(NOT_FINITE);
        }
        for (to, value) in rows.value.iter_mut().zip(value) {
            *to = value;
        }
        let terms = answer.get("terms").and_then(|terms| terms.try_to::<AnyArray>().ok()).ok_or(NO_TERMS)?;
        for (to, term) in rows.terms.iter_mut().zip(terms.iter_shared()) {
            let term = term.try_to::<VarDictionary>().map_err(|_| NO_TERMS)?;
            to.point = vec3(member::<Vector3>(&term, "point").map_err(|()| NO_TERMS)?.unwrap_or_default());
            for (name, list) in [("force", &mut to.force), ("torque", &mut to.torque)] {
                let Some(given) = term.get(name) else { continue };
                for (to, given) in list.iter_mut().zip(vectors(&given).ok_or(NO_TERMS)?) {
                    *to = vec3(given);
                }
            }
        }
        let finite = |term: &sinew::tasks::Term| {
            term.point.is_finite() && term.force.iter().chain(&term.torque).all(|v| v.is_finite())
        };
        if rows.terms.iter().all(finite) { Ok(()) } else { Err(NOT_FINITE) }
    }
}

impl HostResidual for CallableRows {
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let problem = self.call(at, rows).err();
        if problem.is_some() {
            rows.value = [f32::NAN; MAX_ROWS];
        }
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }
}

fn member<T: FromGodot>(of: &VarDictionary, name: &str) -> Result<Option<T>, ()> {
    of.get(name).map(|value| value.try_to::<T>()).transpose().map_err(drop)
}
/// A packed array or an array of numbers.
fn numbers(given: &Variant) -> Option<Vec<f32>> {
    match given.get_type() {
        VariantType::PACKED_FLOAT32_ARRAY => Some(given.try_to::<PackedFloat32Array>().ok()?.to_vec()),
        VariantType::PACKED_FLOAT64_ARRAY => {
            let packed = given.try_to::<PackedFloat64Array>().ok()?;
            Some(packed.as_slice().iter().map(|number| *number as f32).collect())
        }
        VariantType::ARRAY => {
            let list = given.try_to::<AnyArray>().ok()?;
            list.iter_shared().map(|number| number.try_to_relaxed::<f32>().ok()).collect()
        }
        // The binding crate takes anything for a packed array.
        _ => None,
    }
}
/// A packed array or an array of vectors.
fn vectors(given: &Variant) -> Option<Vec<Vector3>> {
    match given.get_type() {
        VariantType::PACKED_VECTOR3_ARRAY => Some(given.try_to::<PackedVector3Array>().ok()?.to_vec()),
        VariantType::ARRAY => {
            let list = given.try_to::<AnyArray>().ok()?;
            list.iter_shared().map(|vector| vector.try_to::<Vector3>().ok()).collect()
        }
        _ => None,
    }
}
