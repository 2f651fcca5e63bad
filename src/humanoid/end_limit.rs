//! Limits of hands and feet, up to four side by side.
//!
//! The swing stays in its region, and the twist where the shares of forearm (or shin) and end after
//! the twist step fit both. Towards half a turn, where both borders are equally near, the limited
//! turn fades to none.

use super::avatar::LimbRig;
use crate::limits::{Freedom, JointLimit, PreparedJoint, Range, SwingRegion, limited_to};
use crate::math::dispatch::{Level, Task};
use crate::math::{
    F32x4, Lane, LaneMask, LaneQuat, LaneVec3, Quat, Vec3, axis_angle, float, fraction, rotation_angle, wrap_angle,
};
use crate::skeleton::{JointIndex, Pose};

const PI: f32 = core::f32::consts::PI;
/// Swing from which on the limited swing fades to none, radians.
const FAR: f32 = 150.0 * PI / 180.0;

/// The end of a limb, which shares its twist with the mid joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndLimit<'a> {
    limit: &'a JointLimit,
    prepared: &'a PreparedJoint,
    /// Its local rotation in the animation, and the requested one.
    before: Quat,
    local: Quat,
    /// The local rotation of the mid joint, and the one that its limits count from.
    mid: Quat,
    mid_origin: Quat,
    /// The frame of the mid joint's roll about its bone, in its space, and its range.
    roll_frame: Quat,
    roll_range: Range,
    /// The part of a roll that the twist step leaves to the end.
    kept: f32,
}

/// What is kept of a limb as it is in the animation for the limit of its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndBefore {
    /// The local rotation of the end.
    pub rotation: Quat,
    /// As in [`EndLimit`].
    pub roll_frame: Quat,
    pub roll_range: Range,
}

impl EndBefore {
    /// The end of the limb as it is in a pose, with the limits of end and mid joint.
    pub fn end<'a>(
        &self,
        pose: &Pose,
        limb: &LimbRig,
        (limit, prepared): &'a (JointLimit, PreparedJoint),
        mid: &JointLimit,
    ) -> EndLimit<'a> {
        let local = |joint: JointIndex| pose.local()[joint].rotation;
        EndLimit {
            limit,
            prepared,
            before: self.rotation,
            local: local(limb.joints.end()),
            mid: local(limb.joints.mid()),
            mid_origin: mid.origin,
            roll_frame: self.roll_frame,
            roll_range: self.roll_range,
            kept: limb.twist.kept_by_end(),
        }
    }
}

impl EndLimit<'_> {
    /// Swing and twist, where there is something to limit.
    fn ball(&self) -> Option<(SwingRegion, Range)> {
        match self.limit.model.freedom {
            Freedom::Ball { swing, twist } if !self.is_free() => Some((swing, twist)),
            _ => None,
        }
    }
    fn is_free(&self) -> bool {
        self.limit.model.is_unlimited() && self.roll_range == Range::FREE
    }
    /// The local rotation of an end that is no ball: without a twist of its own there is nothing to
    /// share with the mid joint.
    fn limited_alone(&self) -> Quat {
        if self.is_free() { self.local } else { self.limit.limited_beside(self.local, self.before) }
    }
}

/// Local rotations of up to four ends within their limits, where there is an end. What the
/// animation exceeds stays allowed.
pub(super) fn limited(ends: &[Option<EndLimit>; 4]) -> [Quat; 4] {
    let balls = ends.each_ref().map(|end| Some((end.as_ref()?, end.as_ref()?.ball()?)));
    let twisted = balls.iter().flatten().next().map(|first| {
        // Unused lanes repeat an end.
        Level::for_one().run(Twisting(&balls.map(|ball| ball.unwrap_or(*first))))
    });
    core::array::from_fn(|i| match (&ends[i], balls[i], &twisted) {
        (Some(end), Some(_), Some(twisted)) => twisted.finish(i, end),
        (Some(end), ..) => end.limited_alone(),
        _ => Quat::IDENTITY,
    })
}

/// An end that is a ball, with its region and range.
type Ball<'a> = (&'a EndLimit<'a>, (SwingRegion, Range));

/// Four ends.
struct Twisting<'a>(&'a [Ball<'a>; 4]);

/// The ends with their twists limited.
struct Twisted {
    /// The bone's axis.
    axis: LaneVec3<F32x4>,
    /// Swing in the animation; the requested one as the forearm will see it, and its angle.
    own_swing: LaneQuat<F32x4>,
    seen: LaneQuat<F32x4>,
    seen_rad: F32x4,
    /// The twist, and what the forearm takes of it.
    twist: F32x4,
    roll: LaneQuat<F32x4>,
    /// A bit for each lane in which the twist is as requested, and in which the swing is inside.
    is_twist_kept: u8,
    is_swing_inside: u8,
}

#[inline(always)]
fn number(balls: &[Ball; 4], of: impl Fn(&EndLimit, &Range) -> f32) -> F32x4 {
    F32x4(balls.map(|(end, (_, twist))| of(end, &twist)))
}
#[inline(always)]
fn rotation(balls: &[Ball; 4], of: impl Fn(&EndLimit) -> Quat) -> LaneQuat<F32x4> {
    LaneQuat::of(balls.map(|(end, _)| of(end)))
}
/// [`crate::math::swing_twist`]: the swing and the angle of the twist.
#[inline(always)]
fn split(q: LaneQuat<F32x4>, axis: LaneVec3<F32x4>) -> (LaneQuat<F32x4>, F32x4) {
    let along = axis.dot(q.vector());
    let length = (along * along + q.w * q.w).root();
    let twist = LaneQuat::from_parts(axis * (along / length), q.w / length);
    let swing = (q * twist.conjugate()).normalize_in_order();
    let angle = (float::atan2(along, q.w) * F32x4::splat(2.0)).map(wrap_angle);
    (LaneQuat::select(length.lt(F32x4::splat(1e-9)), q, swing), angle)
}

impl Task for Twisting<'_> {
    type Output = Twisted;
    #[inline(always)]
    fn run(self) -> Twisted {
        let balls = self.0;
        let (zero, one, half_turn) = (F32x4::splat(0.0), F32x4::splat(1.0), F32x4::splat(PI));
        let rest = rotation(balls, |end| end.limit.origin).conjugate();
        let turn = |local: LaneQuat<F32x4>| (rest * local.normalize_in_order()).normalize_in_order();
        let (before, wanted) = (turn(rotation(balls, |end| end.before)), turn(rotation(balls, |end| end.local)));
        let frame = rotation(balls, |end| end.limit.model.frame);
        let y_axis = LaneVec3::splat(Vec3::Y);
        let axis = frame.turn(y_axis);
        let ((own_swing, own), (requested_swing, requested)) = (split(before, axis), split(wanted, axis));
        // Twist: of what is added, the mid joint takes 1 − kept and the end keeps the rest; both
        // have room.
        let mid = rotation(balls, |end| end.mid).normalize_in_order();
        let mid = (rotation(balls, |end| end.mid_origin).conjugate() * mid).normalize_in_order();
        let roll_frame = rotation(balls, |end| end.roll_frame);
        let (_, forearm) = split(roll_frame.conjugate() * mid * roll_frame, y_axis);
        let kept = number(balls, |end, _| end.kept);
        let room = |far: F32x4, share: F32x4| {
            let some = F32x4::splat(1e-6).lt(share);
            F32x4::select(some, far.max(zero) / share, half_turn + half_turn)
        };
        let [least, most] = [number(balls, |_, twist| twist.min), number(balls, |_, twist| twist.max)];
        let [low, high] = [number(balls, |end, _| end.roll_range.min), number(balls, |end, _| end.roll_range.max)];
        let down = room(own - least, kept).min(room(forearm - low, one - kept));
        let up = room(most - own, kept).min(room(high - forearm, one - kept));
        let asked = requested - own;
        let added = asked.clamp(-down, up);
        // Nor is there a twist where the end folds back on the limb.
        let along = wanted.vector().dot(axis);
        let certain = (along * along + wanted.w * wanted.w).root();
        let certain = float::smooth_step(F32x4::splat(0.1), F32x4::splat(0.35), certain);
        let fade = one - float::smooth_step(F32x4::splat(2.0 * PI / 3.0), half_turn, requested.abs());
        let part = fade * certain;
        let is_cut = part.lt(one).or(added.lt(asked)).or(asked.lt(added));
        let twist = F32x4::select(is_cut, own + added * part, requested);
        // The border is the forearm's, which the twist step will have rolled.
        let roll = LaneQuat::from_axis_angle(axis, (one - kept) * (twist - own));
        let seen = (roll.conjugate() * requested_swing * roll).normalize_in_order();
        let seen_rad = float::atan2(seen.vector().length(), seen.w.abs()) * F32x4::splat(2.0);
        let (swing, _) = split(frame.conjugate() * seen * frame, y_axis);
        let is_inside = SwingRegion::hold(&balls.map(|(_, (region, _))| region), swing);
        Twisted {
            axis,
            own_swing,
            seen,
            seen_rad,
            twist,
            roll,
            is_twist_kept: twist.lt(requested).or(requested.lt(twist)).not().bits(),
            is_swing_inside: is_inside.and(F32x4::splat(FAR).lt(seen_rad).not()).bits(),
        }
    }
}

impl Twisted {
    /// The local rotation of an end.
    fn finish(&self, i: usize, end: &EndLimit) -> Quat {
        let has = |bits: u8| bits >> i & 1 != 0;
        let seen = self.seen.at(i);
        // Towards half a turn every border is near.
        let swung = if has(self.is_swing_inside) {
            seen
        } else {
            let faded = match 1.0 - float::smooth_step(FAR, PI, self.seen_rad.0[i]) {
                1.0 => seen,
                part => fraction(seen, part),
            };
            let (own, project) = (self.own_swing.at(i), |swing: Quat| end.prepared.project_swing(swing));
            limited_to(faded, project(faded), || match project(own) {
                same if same == own => 0.0,
                within => rotation_angle(within.conjugate() * own),
            })
        };
        if has(self.is_twist_kept) && swung == seen {
            return end.local;
        }
        let (roll, twist) = (self.roll.at(i), axis_angle(self.axis.at(i), self.twist.0[i]));
        (end.limit.origin * roll * swung * roll.conjugate() * twist).normalize()
    }
}
