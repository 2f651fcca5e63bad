//! FABRIK: forward and backward reaching, with the joint model inside the sweep.
//!
//! # Derivation
//!
//! A sweep works on joint positions. *Backward*: the effector is put on the target, then each joint, from the last to the first, on the line from
//! the point before it to where it was, one bone length away. *Forward*: the first joint goes back to the root, and each bone turns by the shortest turn towards the
//! next point; here its rotation passes through the joint's limits, and the point is put where the limited bone really ends. So after every sweep the
//! pose is one the joints allow, and its bones have their lengths. Both passes are O(n).
//!
//! A straight chain with its target on its axis stays straight: the points never leave the line. The default solver bends it first.
//!
//! Source: A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the Inverse Kinematics problem", Graphical Models 73 (2011), §4 and §5.

use super::ccd::at_most;
use super::chain::{Chain, ChainGoal, ChainPose, ChainSettings};
use super::prepare;
use super::workspace::ChainWorkspace;
use crate::goal::Outcome;
use crate::math::{Vec3, arc, normalize_or};

/// One sweep, no joint by more than `most` radians. Forward kinematics must be up to date; they are not, afterwards.
fn sweep(chain: &Chain, pose: &mut ChainPose, ws: &mut ChainWorkspace, target: Vec3, most: f32) {
    let count = chain.joints.len() - usize::from(ws.pinned.is_some());
    let end = ws.carried(chain, 0);
    // Backward: `turn[i]` holds where joint i would like to be.
    let (mut point, mut before) = (target, end);
    for i in (0..count).rev() {
        let bone = before - ws.position[i];
        let direction = normalize_or(ws.position[i] - point, normalize_or(-bone, Vec3::Y));
        before = ws.position[i];
        ws.turn[i] = point; // where the end of bone i shall be
        point += direction * bone.length();
    }
    // Forward.
    let mut above = pose.root_rotation;
    let mut place = ws.position[0];
    for i in 0..count {
        let joint = &chain.joints[i];
        let bone = if i + 1 < chain.joints.len() { chain.joints[i + 1].offset } else { chain.effectors[0].offset };
        let bone = bone * pose.stretch[i];
        let frame = (above * joint.rest).normalize();
        let rotation = frame * pose.rotations[i];
        let now = rotation * bone;
        let wanted = ws.turn[i] - place;
        if now.length() > 1e-7 * chain.length && wanted.length() > 1e-7 * chain.length {
            let turn = at_most(arc(normalize_or(now, Vec3::Y), normalize_or(wanted, Vec3::Y)), most);
            pose.rotations[i] = joint.model.project((frame.conjugate() * turn * rotation).normalize());
        }
        above = (frame * pose.rotations[i]).normalize();
        place += above * bone;
    }
}

pub(super) fn solve(
    chain: &Chain,
    pose: &mut ChainPose,
    goals: &[ChainGoal],
    settings: &ChainSettings,
    ws: &mut ChainWorkspace,
) -> Outcome {
    if !chain.is_serial() || goals[0].position.is_none() {
        return Outcome::INACTIVE;
    }
    let most = settings.sweep_step_rad.max(1e-3);
    prepare::iterate(chain, pose, goals, settings, ws, |chain, pose, ws, target| {
        sweep(chain, pose, ws, target, most);
    })
}
