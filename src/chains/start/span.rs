//! The joints of a chain that carry its goal: limits, the held last joint, bone lengths.

use crate::chains::model::{Chain, ChainGoal};
use crate::chains::workspace::ChainWorkspace;
use crate::math::Vec3;

/// Takes limits and stretch bounds into the pose.
pub(in crate::chains) fn clamp_to_limits(chain: &Chain, ws: &mut ChainWorkspace) {
    for (i, joint) in chain.joints.iter().enumerate() {
        ws.state.set_rotation(i, chain.prepared[i].project_in_joint(ws.state.pose().rotations[i]));
        let bounds = &joint.model.stretch;
        if bounds.max > bounds.min {
            ws.state.set_stretch(i, ws.state.pose().stretch[i].clamp(bounds.min, bounds.max));
        }
    }
}

/// Holds the last joint at the rotation goal when it can take any rotation.
pub(in crate::chains) fn hold_end_rotation(chain: &Chain, goals: &[ChainGoal], ws: &mut ChainWorkspace) {
    let last = &chain.joints[chain.joints.len() - 1];
    let free = chain.serial && chain.joints.len() > 1 && last.model.is_isotropic();
    ws.state.hold(match (free, goals[0].position, goals[0].rotation) {
        (true, Some(_), Some(rotation)) => Some(rotation.normalize()),
        _ => None,
    });
}

/// Where the carried point (see [`ChainWorkspace::carried`]) has to be.
pub(in crate::chains) fn carried_target(chain: &Chain, target: Vec3, ws: &ChainWorkspace) -> Vec3 {
    match ws.state.held() {
        Some(held) => {
            let effector = &chain.effectors[0];
            target - held * (effector.offset * ws.state.pose().stretch[effector.joint])
        }
        None => target,
    }
}

/// Number of joints that carry the carried point.
pub(in crate::chains) fn active(chain: &Chain, ws: &ChainWorkspace) -> usize {
    chain.joints.len() - usize::from(ws.state.held().is_some())
}

/// The bone from joint `i` of an unbranched chain to the next one (the last: to the effector), in
/// the joint's space, at rest length.
pub(in crate::chains) fn bone(chain: &Chain, i: usize) -> Vec3 {
    chain.joints.get(i + 1).map_or(chain.effectors[0].offset, |next| next.offset)
}

/// Length of the bone from joint `i` towards the carried point.
pub(in crate::chains) fn bone_length(chain: &Chain, ws: &ChainWorkspace, i: usize) -> f32 {
    bone(chain, i).length() * ws.state.pose().stretch[i].abs()
}

/// Whether the first joint is stiffer than others, so that it must not do all the work of aiming.
pub(in crate::chains) fn is_stiff_first(chain: &Chain) -> bool {
    if chain.is_ball() {
        return false;
    }
    let first = &chain.joints[0].model;
    let others = chain.joints[1..].iter().fold(first.stiffness[0], |m, j| m.min(j.model.stiffness[0]));
    first.stiffness.iter().any(|s| *s > others + 0.05)
}

/// Three bones or more, none of them limited: enough to fold on the way instead of swinging round.
pub(in crate::chains) fn is_free_of_three(chain: &Chain, ws: &ChainWorkspace) -> bool {
    let count = active(chain, ws);
    count >= 3 && (chain.is_free() || chain.joints[..count].iter().all(|j| j.model.is_unlimited()))
}
