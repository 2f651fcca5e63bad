//! What a joint may do, a limb's root above all, beside what the animation does already.

use super::swivel;
use crate::limits::{
    Freedom, HalfSpace, JointLimit, JointModel, LimitTable, Retracted, SLACK, SwivelCondition, limited,
};
use crate::math::{Mat3, Quat, Vec3, unit_quat};
use crate::skeleton::joint_switch::Solved;
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Value below zero at which a half-space still holds.
const BORDER: f32 = 1e-6;

/// The local rotation that a joint has on the way of a switch, kept to its limits as far as neither
/// the animation nor the solutions that it goes between exceed them. `turned`: with its offset; the
/// joints above in the pose have theirs. `animation`: local rotations before the solve; `None`
/// where it has not changed them.
pub(crate) fn kept_on_the_way(
    (skeleton, limits): (&Skeleton, &LimitTable),
    pose: &Pose,
    solved: &Solved,
    turned: Quat,
    animation: impl Fn(JointIndex) -> Option<Quat>,
) -> Quat {
    let (joint, limit) = (solved.joint, limits.limit(skeleton, solved.joint));
    if limit.model.is_unlimited() {
        return turned;
    }
    let place = |above: JointIndex| pose.local()[above].rotation;
    let of_solution = JointLimit {
        origin: limit.origin_under(skeleton, joint, |above| solved.above(above).unwrap_or(place(above))),
        ..limit
    };
    let solution = of_solution.turn(solved.rotation);
    let animated = animation(joint).map(|local| {
        let above = |above: JointIndex| animation(above).unwrap_or(place(above));
        JointLimit { origin: limit.origin_under(skeleton, joint, above), ..limit }.turn(local)
    });
    let here = JointLimit { origin: limit.origin_in(skeleton, pose, joint), ..limit };
    kept(here, turned, [animated.unwrap_or(solution), solution, here.turn(solved.left)])
}

/// A local rotation, or where it exceeds the limit farther than the turns that are `allowed` an
/// admissible rotation that depends continuously on it.
fn kept(limit: JointLimit, local: Quat, allowed: [Quat; 3]) -> Quat {
    let wide = RootLimit::new(&limit, limit.origin, allowed[0]).also(allowed[1]).also(allowed[2]);
    let turn = limit.turn(local);
    if wide.holds(turn) { local } else { unit_quat(limit.origin * wide.retract(turn).rotation) }
}

/// Whether a turn is admissible, or of a model that is no half-spaces no farther beyond it than
/// allowed.
pub(crate) fn holds(model: &JointModel, turn: Quat, allowed_rad: f32) -> bool {
    if let Freedom::HalfSpaces(limits) = &model.freedom {
        let inside = columns(model, turn);
        return limits.conditions().all(|condition| condition.value(&inside) >= -BORDER);
    }
    model.violation_rad(turn) <= allowed_rad + SLACK
}

/// A turn in limit space.
fn columns(model: &JointModel, turn: Quat) -> Mat3 {
    let frame = model.frame;
    Mat3::from_quat(unit_quat(frame.conjugate() * turn * frame))
}

/// Limits of a limb's root joint, widened by what the animation exceeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootLimit {
    pub limit: JointLimit,
    /// What a rotation may be beyond the model.
    allowed_rad: f32,
    /// By how much each of the model's enclosing conditions is widened.
    lacks: [f32; JointModel::MAX_ENCLOSING],
}

/// How far a turn exceeds the limits, radians or values of conditions.
pub(crate) fn excess(model: &JointModel, turn: Quat) -> f32 {
    if let Freedom::HalfSpaces(limits) = &model.freedom {
        let inside = columns(model, turn);
        return limits.conditions().fold(0.0, |most, condition| (-condition.value(&inside)).max(most));
    }
    model.violation_rad(turn)
}

impl RootLimit {
    /// For a turn that the animation has; the limit counts from this origin.
    pub fn new(limit: &JointLimit, origin: Quat, turn: Quat) -> Self {
        let mut root =
            Self { limit: JointLimit { origin, ..*limit }, allowed_rad: 0.0, lacks: [0.0; JointModel::MAX_ENCLOSING] };
        if let Freedom::HalfSpaces(conditions) = &limit.model.freedom {
            let frame = limit.model.frame;
            let inside = unit_quat(frame.conjugate() * turn * frame);
            root.limit.model.freedom = Freedom::HalfSpaces(conditions.widened(inside));
            return root;
        }
        root.allowed_rad = limit.model.violation_rad(turn);
        let inside = root.columns(turn);
        let (mut lacks, mut i) = ([0.0; JointModel::MAX_ENCLOSING], 0);
        limit.model.enclosing(|condition| {
            if let Some(lack) = lacks.get_mut(i) {
                *lack = (-condition.value(&inside)).max(0.0);
            }
            i += 1;
        });
        Self { lacks, ..root }
    }
    /// Widened by what another turn exceeds, too.
    fn also(self, turn: Quat) -> Self {
        let other = Self::new(&self.limit, self.limit.origin, turn);
        let mut lacks = self.lacks;
        for (lack, other) in lacks.iter_mut().zip(other.lacks) {
            *lack = lack.max(other);
        }
        let allowed_rad = self.allowed_rad.max(other.allowed_rad);
        Self { limit: other.limit, allowed_rad, lacks }
    }
    fn columns(&self, turn: Quat) -> Mat3 {
        columns(&self.limit.model, turn)
    }
    /// Whether a turn is admissible.
    pub fn holds(&self, turn: Quat) -> bool {
        holds(&self.limit.model, turn, self.allowed_rad)
    }
    /// An admissible turn that depends continuously on this one ([`HalfSpaces::retract`]); of other
    /// models the nearest.
    pub fn retract(&self, turn: Quat) -> Retracted {
        let JointModel { frame, freedom, .. } = &self.limit.model;
        let Freedom::HalfSpaces(limits) = freedom else {
            return Retracted { rotation: self.nearest(turn), inside: 0.0 };
        };
        let found = limits.retract(unit_quat(frame.conjugate() * turn * *frame));
        Retracted { rotation: unit_quat(*frame * found.rotation * frame.conjugate()), ..found }
    }
    /// [`Self::retract`] in limit space.
    pub fn retract_inside(&self, turn: Quat) -> Retracted {
        match &self.limit.model.freedom {
            Freedom::HalfSpaces(limits) => limits.retract(turn),
            _ => Retracted { rotation: self.nearest_inside(turn), inside: 0.0 },
        }
    }
    /// An admissible turn near one that is little beyond the limits, in limit space.
    pub fn restore_inside(&self, turn: Quat) -> Quat {
        match &self.limit.model.freedom {
            Freedom::HalfSpaces(limits) => limits.restore(turn),
            _ => self.nearest_inside(turn),
        }
    }
    fn nearest_inside(&self, turn: Quat) -> Quat {
        limited(&JointModel { frame: Quat::IDENTITY, ..self.limit.model }, turn, self.allowed_rad)
    }
    /// The nearest admissible turn.
    fn nearest(&self, turn: Quat) -> Quat {
        limited(&self.limit.model, turn, self.allowed_rad)
    }
    /// What a turn may still be beyond the model's walls.
    pub fn allowed_rad(&self) -> f32 {
        self.allowed_rad
    }
    /// The swivel about an axis, given in the space that turns turn into; `None` where no
    /// conditions describe the model.
    pub fn swivel(&self, turn: Quat, axis: Vec3) -> Option<swivel::Swivel> {
        let (inside, axis) = (self.columns(turn), self.limit.model.frame.conjugate() * axis);
        let (mut conditions, mut count) = ([SwivelCondition::FREE; JointModel::MAX_ENCLOSING], 0);
        let described = self.limit.model.enclosing(|condition| {
            if let (Some(place), Some(lack)) = (conditions.get_mut(count), self.lacks.get(count)) {
                let offset = condition.offset + lack;
                *place = HalfSpace { offset, ..condition }.on_swivel(&inside, axis);
                count += 1;
            }
        });
        described.then(|| swivel::choose(&conditions[..count]))
    }
}
