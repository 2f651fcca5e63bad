//! Dragging a joint of a pose.

use super::body_read as checked;
use super::guard::{guard, in_ref, optional_out, out_ref};
use super::ids::SinewBody;
use super::result::SinewResult;
use super::types::{
    SINEW_BODY_DRAG_ROTATION, SINEW_BODY_MAX_PINS, SINEW_BODY_PIN_ROTATION, SinewBodyDrag, SinewBodyOutcome,
    SinewBodyPin, SinewTransform,
};
use super::{read, registry, rooms, running};
use crate::body::{Drag, DragPin};
use crate::math::Quat;

/// Fills a drag with its size and defaults.
///
/// @param out_drag  the drag, struct_size included.
pub extern "C" fn sinew_body_drag_default(out_drag: Option<&mut SinewBodyDrag>) -> SinewResult {
    guard("sinew_body_drag_default", || {
        *out_ref(out_drag, "out_drag")? = SinewBodyDrag {
            struct_size: size_of::<SinewBodyDrag>() as u32,
            joint: 0,
            chain_length: 0,
            flags: 0,
            point: Default::default(),
            goal: Default::default(),
            rotation: Quat::IDENTITY.into(),
            pin_count: 0,
            pins: core::ptr::null(),
        };
        Ok(())
    })
}

/// Drags a joint of a pose to a place, in place, for editors and posing tools: a chain of
/// joints above it follows, pinned joints stay, limits hold. Root transform, limits and
/// settings are the body's; its tasks do not count, and their outcomes stay. To drag with a
/// mouse, give each call the pose at which the drag began: then the answer depends on the
/// goal alone. Allocates only when joint, chain length or pins are others than in the call
/// before.
///
/// @param drag         see SinewBodyDrag.
/// @param pose         local transform of each joint: the pose on entry, the answer on return.
/// @param count        must be the number of joints of the skeleton.
/// @param out_outcome  how it ended; may be NULL.
/// @return SINEW_ERROR_OUT_OF_RANGE: a joint; SINEW_ERROR_INVALID_ARGUMENT: unknown flags,
///         pin_count; others as for sinew_body_solve. The pose is as it was.
pub unsafe extern "C" fn sinew_body_drag(
    body: SinewBody,
    drag: Option<&SinewBodyDrag>,
    pose: *mut SinewTransform,
    count: u32,
    out_outcome: Option<&mut SinewBodyOutcome>,
) -> SinewResult {
    guard("sinew_body_drag", || {
        let out_outcome = optional_out(out_outcome, "out_outcome")?;
        let drag = in_ref(drag, "drag")?;
        read::struct_size("drag.struct_size", drag.struct_size, size_of::<SinewBodyDrag>())?;
        read::flags("drag.flags", drag.flags, SINEW_BODY_DRAG_ROTATION)?;
        let pin_count = read::within("drag.pin_count", drag.pin_count, 0, SINEW_BODY_MAX_PINS)? as usize;
        let given: &[SinewBodyPin] = match pin_count {
            0 => &[],
            // SAFETY: what the C function requires of its caller; see `read`.
            _ => unsafe { read::array("drag.pins", drag.pins, pin_count) }?,
        };
        let goal_ws = read::vec3("drag.goal", &drag.goal)?;
        let point_js = read::vec3("drag.point", &drag.point)?;
        let rotation = read::quat("drag.rotation", &drag.rotation)?;
        registry::with_body(body, |host| {
            let joints = host.body.skeleton().joint_count();
            read::length("count", count, joints)?;
            let mut pins = [DragPin { joint: 0, holds_rotation: false }; SINEW_BODY_MAX_PINS as usize];
            for (i, (pin, given)) in pins.iter_mut().zip(given).enumerate() {
                read::flags("drag.pins[].flags", given.flags, SINEW_BODY_PIN_ROTATION)?;
                *pin = DragPin {
                    joint: read::joint(format_args!("drag.pins[{i}].joint"), given.joint, joints)?,
                    holds_rotation: given.flags & SINEW_BODY_PIN_ROTATION != 0,
                };
            }
            let drag = Drag {
                joint: read::joint("drag.joint", drag.joint, joints)?,
                point_js,
                goal_ws,
                rotation_ws: (drag.flags & SINEW_BODY_DRAG_ROTATION != 0).then_some(rotation),
                chain_length: drag.chain_length,
                pins: &pins[..pin_count],
            };
            // SAFETY: what the C function requires of its caller; see `read`.
            let pose = unsafe { read::array_mut("pose", pose, count as usize) }?;
            running::overwrites(2, pose);
            let _room = match host.dragger.needs_set_up(&host.body, &drag) {
                true => Some(rooms::DRAG.room(joints)?),
                false => None,
            };
            let outcome = host.dragger.drag(&host.body, read::as_transforms_mut(pose), &drag)?;
            if let Some(out) = out_outcome {
                *out = checked::outcome_out(&outcome);
            }
            Ok(())
        })
    })
}
