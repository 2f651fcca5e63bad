//! FABRIK: forward and backward reaching, with the joint model inside the sweep.
//!
//! # Derivation
//!
//! A sweep works on joint positions. *Backward*: the effector is put on the target, then each
//! joint, from the last to the first, on the line from the point before it to where it was, one
//! bone length away. *Forward*: the first joint goes back to the root, and each bone turns by the
//! shortest turn towards the next point; here its rotation passes through the joint's limits, and
//! the point is put where the limited bone really ends. So after every sweep the pose is one the
//! joints allow, and its bones have their lengths. Both passes are O(n). Where every rotation is
//! allowed, the rotations are made once, after the last sweep: each bone then turns by the shortest
//! turn from where it started.
//!
//! A straight chain with its target on its axis stays straight: the points never leave the line.
//! The default solver bends it first.
//!
//! Source: A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the Inverse Kinematics
//! problem", Graphical Models 73 (2011), §4 and §5.

use super::ccd::at_most;
use crate::chains::model::blocks::Runs;
use crate::chains::model::{Chain, ChainSettings, scans};
use crate::chains::start;
use crate::chains::unlimited::sweeps::{Progress, Span, Sweeps};
use crate::chains::workspace::ChainWorkspace;
use crate::math::{Vec3, arc, normalize_or};

/// One sweep, no joint by more than `most` radians. Forward kinematics must be up to date; they are
/// not, afterwards.
fn sweep(chain: &Chain, ws: &mut ChainWorkspace, target: Vec3, most: f32) {
    let count = chain.joints.len() - usize::from(ws.state.held().is_some());
    let end = ws.state.carried(chain, 0);
    // Backward: `points[0][i]`: where the end of bone i has to be.
    let (mut point, mut before) = (target, end);
    for i in (0..count).rev() {
        let bone = before - ws.state.position[i];
        let direction = normalize_or(ws.state.position[i] - point, normalize_or(-bone, Vec3::Y));
        before = ws.state.position[i];
        ws.sweep.points[0][i] = point;
        point += direction * bone.length();
    }
    // Forward.
    let mut above = ws.state.pose().root_rotation;
    let mut place = ws.state.position[0];
    for i in 0..count {
        let joint = &chain.joints[i];
        let bone = start::bone(chain, i) * ws.state.pose().stretch[i];
        let frame = (above * joint.rest).normalize();
        let rotation = frame * ws.state.pose().rotations[i];
        let now = rotation * bone;
        let wanted = ws.sweep.points[0][i] - place;
        if now.length() > 1e-7 * chain.length && wanted.length() > 1e-7 * chain.length {
            let turn = at_most(arc(normalize_or(now, Vec3::Y), normalize_or(wanted, Vec3::Y)), most);
            let turned = (frame.conjugate() * turn * rotation).normalize();
            ws.state.set_rotation(i, chain.prepared[i].project_in_joint(turned));
        }
        above = (frame * ws.state.pose().rotations[i]).normalize();
        place += above * bone;
    }
}

/// The method, for `chains::unlimited::sweeps`.
pub(in crate::chains) enum Fabrik {}

impl Sweeps for Fabrik {
    /// Points alone are swept.
    fn run<L: Runs>(
        chain: &Chain,
        settings: &ChainSettings,
        ws: &mut ChainWorkspace,
        span: &Span,
        progress: &mut Progress,
    ) {
        let lengths = &ws.sweep.lengths[..span.count];
        let [half, one, two] = &mut ws.sweep.points;
        let half = &mut half[..=span.count];
        // The points of the last sweep, and those of the best one where that is another.
        let (mut now, mut other) = (&mut one[..=span.count], &mut two[..=span.count]);
        let mut now_is_best = true;
        let blocks = L::blocks(&mut ws.lanes.blocks);
        scans::points(blocks, now);
        while progress.goes_on(chain, settings, &mut ws.work) {
            backward(now, half, lengths, span.target);
            if now_is_best {
                core::mem::swap(&mut now, &mut other);
            }
            forward(half, now, lengths);
            now_is_best = progress.add((span.target - now[span.count]).length());
        }
        scans::turn_to(blocks, if now_is_best { now } else { other });
    }
    fn sweep(chain: &Chain, ws: &mut ChainWorkspace, target: Vec3, most: f32) {
        sweep(chain, ws, target, most);
    }
}

/// Puts the end on the target and draws the points after it, as far as the second one.
fn backward(points: &[Vec3], out: &mut [Vec3], lengths: &[f32], target: Vec3) {
    let mut place = target;
    let (points, last) = (&points[..lengths.len()], lengths.len());
    out[last] = place;
    for ((to, from), length) in out[..last].iter_mut().zip(points).zip(lengths).skip(1).rev() {
        place = drawn(place, *from, *length);
        *to = place;
    }
}

/// Puts the first point back to the root, which is the origin, and draws the others after it.
fn forward(points: &[Vec3], out: &mut [Vec3], lengths: &[f32]) {
    let mut place = Vec3::ZERO;
    out[0] = place;
    for ((to, from), length) in out[1..].iter_mut().zip(&points[1..]).zip(lengths) {
        place = drawn(place, *from, *length);
        *to = place;
    }
}

/// The point this far from `place` towards `from`; a point that is there already has no direction
/// and goes along +Y.
#[inline(always)]
pub(in crate::chains) fn drawn(place: Vec3, from: Vec3, length: f32) -> Vec3 {
    let v = from - place;
    let square = v.x * v.x + v.y * v.y + v.z * v.z;
    if square < 1e-36 { upwards(place, length) } else { place + v * (length / square.sqrt()) }
}

#[cold]
fn upwards(place: Vec3, length: f32) -> Vec3 {
    place + Vec3::Y * length
}
