//! Tasks of a body whose rows the host computes.

use super::body_read as checked;
use super::c_types::c_void;
use super::guard::{Failure, call_host, guard, in_ref, out_ref};
use super::host_rows;
use super::ids::{SinewBody, SinewBodyTask};
use super::registry;
use super::result::SinewResult;
use super::running;
use super::types::{SinewBodyTaskDef, SinewBodyTaskKind, SinewComputeRows, SinewTaskPlacement, SinewTaskRows};
use crate::math::Vec3;
use crate::tasks::{HostResidual, MAX_ANCHORS, Placement, Rows};
use std::sync::Arc;

/// A function of the host with what is handed back to it.
struct HostFunction {
    compute: SinewComputeRows,
    user: *mut c_void,
    /// Its number, for recordings.
    number: u32,
}

// SAFETY: required of the caller of the C function: the function may be called on any thread that
// solves the body, one at a time.
unsafe impl Send for HostFunction {}
// SAFETY: as above.
unsafe impl Sync for HostFunction {}

impl core::fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("HostFunction")
    }
}

impl HostResidual for HostFunction {
    fn evaluate(&self, at: &[Placement; MAX_ANCHORS], rows: &mut Rows) {
        let placements = at.map(|p| SinewTaskPlacement { position: p.position.into(), rotation: p.rotation.into() });
        let mut answer = SinewTaskRows::default();
        let (compute, user) = (self.compute, self.user);
        call_host(|| compute(user, placements.as_ptr(), &mut answer));
        host_rows::keep(self.number, &answer);
        let mut finite = true;
        rows.value = answer.value;
        for (to, term) in rows.terms.iter_mut().zip(&answer.terms) {
            to.point = Vec3::from(term.point);
            to.force = term.force.map(Vec3::from);
            to.torque = term.torque.map(Vec3::from);
            finite &= to.point.is_finite() && to.force.iter().chain(&to.torque).all(|v| v.is_finite());
        }
        if !finite {
            rows.value = [f32::NAN; 3];
        }
    }
}

/// Adds a task whose rows a function of the host computes. Blend, importance, level and limits hold
/// for it as for any other; sinew_body_set_task sets the rest anew. Allocates, and track mode
/// starts anew.
///
/// @param def       see SinewBodyTaskDef; its kind is SINEW_BODY_TASK_KIND_HOST.
/// @param compute   called several times in each iteration, also before the first. It must stay
///                  until the task is removed, or its body destroyed.
/// @param user      handed to compute as it is.
/// @param out_task  the task.
/// @return SINEW_ERROR_INVALID_ARGUMENT: the kind, a pin, the side OUTSIDE, and others: as for
///         sinew_body_add_task.
pub unsafe extern "C" fn sinew_body_add_host_task(
    body: SinewBody,
    def: Option<&SinewBodyTaskDef>,
    compute: Option<SinewComputeRows>,
    user: *mut c_void,
    out_task: Option<&mut SinewBodyTask>,
) -> SinewResult {
    guard("sinew_body_add_host_task", || {
        let def = in_ref(def, "def")?;
        let compute = compute.ok_or_else(|| Failure::null("compute"))?;
        let out = out_ref(out_task, "out_task")?;
        if checked::kind("def.kind", def.kind)? != SinewBodyTaskKind::Host {
            return Err(Failure::argument("def.kind is not SINEW_BODY_TASK_KIND_HOST"));
        }
        registry::with_body(body, |host| {
            let _room = host.task_room()?;
            let residual: Arc<dyn HostResidual> = Arc::new(HostFunction { compute, user, number: host_rows::number() });
            let placed = checked::task(def, host.body.skeleton(), Some(&residual))?;
            let name = host.body.add_task(placed)?;
            host.defs.push((name, *def));
            *out = registry::body_task_handle(name);
            Ok(())
        })
    })
}

/// Computes how far the Jacobian of a task's function is from the differences of its own rows, in
/// the pose of the last solve (before the first: at rest), as a share of the largest derivative.
/// Below 0.01 where forces and torques are right and rows are smooth there; 1 and more where one is
/// missing or has the wrong sign. For tests of a host: calls the function 37 times at most.
///
/// @param out_error  the share.
/// @return SINEW_ERROR_INVALID_ARGUMENT: a task without a function; SINEW_ERROR_NOT_FINITE: a row.
pub extern "C" fn sinew_body_check_host_task(
    body: SinewBody,
    task: SinewBodyTask,
    out_error: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_body_check_host_task", || {
        let out = out_ref(out_error, "out_error")?;
        registry::with_body_task(body, task, |host, place| {
            // Whatever comes of it: the function answers.
            running::begun();
            let error = host.body.host_jacobian_error(host.defs[place].0)?;
            let error = error.ok_or_else(|| Failure::argument("task has no function of the host"))?;
            if !error.is_finite() {
                return Err(Failure::new(SinewResult::SinewErrorNotFinite, "a row of task is not finite"));
            }
            *out = error;
            Ok(())
        })
    })
}
