//! Joint limits for people: what each human bone may do, as joint models counted from the T-pose.
//! The ranges are those of [`super::HumanRangeSet`].
//!
//! Bend and side together limit the swing of a bone to four quarters of ellipses; measured
//! shoulders and hips have half-spaces. The hips are free. Unity gives the foot two freedoms and
//! does not state about which axes; both candidates have the range of "twist in–out" here.

use super::human_ranges::{
    BodyCap, BodyCondition, HIP_CAPS, HIP_TURN, HumanRange, HumanRangeSet, SHOULDER_CAPS, SHOULDER_TURN,
};
use super::{BodyAxes, HumanBone, HumanMap};
use crate::limits::{
    BendAxis, Carrier, Freedom, HalfSpace, HalfSpaces, HingeAxis, JointLimit, JointModel, LimitLayer, Range,
    SwingRegion,
};
use crate::math::{LaneQuat, LaneVec3, Mat3, Quat, Transform, Vec3, float, normalize_or, perpendicular};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use HumanBone::*;
use std::sync::Arc;

/// Tangent of the angle above forward at which a forearm bends, where the rig does not show it.
const ELBOW_RISE: f32 = 0.3;
/// Sine of the bend from which on a rest pose shows how an elbow bends: 10°.
const BENT: f32 = 0.174;

/// How a bone moves.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ball,
    Swing,
    /// Bend, then twist.
    Elbow,
    Hinge,
}

fn kind(bone: HumanBone) -> Kind {
    match bone {
        LeftLowerLeg | RightLowerLeg | LeftLowerArm | RightLowerArm => Kind::Elbow,
        LeftEye | RightEye | Jaw | LeftShoulder | RightShoulder => Kind::Swing,
        LeftToes | RightToes => Kind::Hinge,
        b if b.index() >= LeftThumbProximal.index() && b.index() <= RightLittleDistal.index() => {
            if (b.index() - LeftThumbProximal.index()).is_multiple_of(3) { Kind::Swing } else { Kind::Hinge }
        }
        _ => Kind::Ball,
    }
}

/// Joint models of the human bones of an avatar, counted from its T-pose: a layer of the limit
/// tables of its characters.
#[derive(Clone, Debug)]
pub struct HumanLimits {
    map: HumanMap,
    ranges: Box<[Option<HumanRange>]>,
    layer: Arc<LimitLayer>,
}

/// What limits are measured on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitSource<'a> {
    pub map: &'a HumanMap,
    pub axes: &'a BodyAxes,
    /// Frames up to date.
    pub t_pose: &'a Pose,
    /// The rest pose, frames up to date.
    pub rest: &'a Pose,
    /// People's ranges.
    pub set: HumanRangeSet,
    /// Ranges in place of those.
    pub ranges: &'a [(HumanBone, HumanRange)],
    /// Unity's parameter: the part of the forearm's roll that the wrist takes.
    pub lower_arm_twist: f32,
}

impl HumanLimits {
    /// Measures the T-pose.
    pub(crate) fn new(skeleton: &Skeleton, source: &LimitSource) -> Self {
        let mut layer = LimitLayer::new(skeleton);
        let mut ranges = vec![None; HumanBone::COUNT];
        let measured = source.set == HumanRangeSet::Measured;
        for (bone, joint) in source.map.iter() {
            let own = source.ranges.iter().rev().find(|(b, _)| *b == bone).map(|(_, range)| *range);
            let Some(mut range) = own.or_else(|| HumanRange::of(source.set, bone)) else { continue };
            if own.is_none() && matches!(bone, LeftHand | RightHand) {
                range.twist =
                    Range::new(range.twist.min * source.lower_arm_twist, range.twist.max * source.lower_arm_twist);
            }
            if let (true, None, Some(straight)) = (measured, own, straight_rad(source, bone)) {
                range.bend.min = range.bend.min.min(straight);
            }
            ranges[bone.index()] = Some(range);
            let clavicle = match bone {
                LeftUpperArm => source.map.get(LeftShoulder),
                RightUpperArm => source.map.get(RightShoulder),
                _ => None,
            };
            let first = match clavicle {
                // A measured upper arm is limited against what carries the clavicle, another one
                // against the clavicle.
                Some(clavicle) if measured && own.is_none() => {
                    carried_by(skeleton, source.map, bone, clavicle).or(Some(clavicle))
                }
                Some(_) => None,
                None => carried_by(skeleton, source.map, bone, joint),
            };
            let conditions = if measured && own.is_none() { half_spaces(source, bone) } else { None };
            let Some(model) = conditions.or_else(|| model(source, bone, &range)) else { continue };
            let carrier = first.filter(|first| *first != joint && skeleton.is_self_or_ancestor(*first, joint));
            layer.set(
                joint,
                JointLimit {
                    model,
                    origin: source.t_pose.local()[joint].rotation.normalize(),
                    carrier: carrier
                        .map(|first| Carrier { joint: first, origin: path_of(skeleton, source, first, joint) }),
                },
            );
        }
        Self { map: source.map.clone(), ranges: ranges.into(), layer: Arc::new(layer) }
    }
    /// The range of a bone: its override, else people's, a hand's twist with the wrist's share;
    /// `None` for bones that are free or not mapped.
    pub fn range(&self, bone: HumanBone) -> Option<HumanRange> {
        self.ranges[bone.index()]
    }
    /// The limits by joint.
    pub fn layer(&self) -> &Arc<LimitLayer> {
        &self.layer
    }
    fn limit(&self, bone: HumanBone) -> Option<&JointLimit> {
        self.layer.get(self.map.get(bone)?)
    }
    /// What a bone's joint may do, counted from its T-pose rotation in its own space; `None`:
    /// everything, or no such bone.
    pub fn model(&self, bone: HumanBone) -> Option<&JointModel> {
        self.limit(bone).map(|limit| &limit.model)
    }
    /// How far a bone's local rotation is from what it may be while the joints above are in their
    /// T-pose, radians; 0 for free bones.
    pub fn violation_rad(&self, bone: HumanBone, local: &Transform) -> f32 {
        self.limit(bone).map_or(0.0, |limit| limit.violation_rad(local.rotation))
    }
}

/// The direction a bone runs in, and those of bend and side; model space.
fn directions(source: &LimitSource, bone: HumanBone) -> [Vec3; 3] {
    let BodyAxes { right, up, forward, .. } = *source.axes;
    let is_left = bone.name().starts_with("Left");
    let out = if is_left { -right } else { right };
    let at = |b: HumanBone| source.map.get(b).map(|j| source.t_pose.model(j).position);
    let line = |from: HumanBone, to: HumanBone, usual: Vec3| match (at(from), at(to)) {
        (Some(a), Some(b)) => normalize_or(b - a, usual),
        _ => usual,
    };
    let next = |usual: Vec3| HumanBone::from_index(bone.index() + 1).map_or(usual, |n| line(bone, n, usual));
    match bone {
        LeftUpperLeg => [line(bone, LeftLowerLeg, -up), forward, out],
        RightUpperLeg => [line(bone, RightLowerLeg, -up), forward, out],
        LeftLowerLeg => [line(bone, LeftFoot, -up), -forward, out],
        RightLowerLeg => [line(bone, RightFoot, -up), -forward, out],
        // A foot's twist is about the shin: its bend brings what is below the ankle backward when
        // the toes go up.
        LeftFoot => [line(LeftLowerLeg, LeftFoot, -up), forward, out],
        RightFoot => [line(RightLowerLeg, RightFoot, -up), forward, out],
        LeftToes | RightToes | LeftEye | RightEye | Jaw => [forward, up, right],
        LeftShoulder => [line(bone, LeftUpperArm, out), up, forward],
        RightShoulder => [line(bone, RightUpperArm, out), up, forward],
        LeftUpperArm => [line(bone, LeftLowerArm, out), up, forward],
        RightUpperArm => [line(bone, RightLowerArm, out), up, forward],
        LeftLowerArm => [line(bone, LeftHand, out), elbow_bend(source, [LeftUpperArm, bone, LeftHand]), up],
        RightLowerArm => [line(bone, RightHand, out), elbow_bend(source, [RightUpperArm, bone, RightHand]), up],
        LeftHand => [line(LeftLowerArm, LeftHand, out), up, forward],
        RightHand => [line(RightLowerArm, RightHand, out), up, forward],
        b if kind(b) == Kind::Hinge || b.index() >= LeftThumbProximal.index() && b != UpperChest => {
            // The last joint of a finger runs on as the one before.
            let last = (b.index() - LeftThumbProximal.index()) % 3 == 2;
            let before = HumanBone::from_index(b.index() - 1).unwrap_or(b);
            [if last { line(before, b, out) } else { next(out) }, -up, forward]
        }
        _ => [up, forward, right],
    }
}

/// The topmost joint of neck or spine above the top of a limb that look-at turns without the limb,
/// as in 3ds Max Biped. Where the character looks then does not change what the limb may do.
fn carried_by(skeleton: &Skeleton, map: &HumanMap, bone: HumanBone, top: JointIndex) -> Option<JointIndex> {
    let turning: &[HumanBone] = match bone {
        LeftShoulder | RightShoulder | LeftUpperArm | RightUpperArm => &[Neck],
        LeftUpperLeg | RightUpperLeg => &[Spine, Chest, UpperChest, Neck],
        _ => &[],
    };
    let above = turning.iter().filter_map(|bone| map.get(*bone));
    above.filter(|joint| *joint != top && skeleton.is_self_or_ancestor(*joint, top)).min()
}

/// Orientation of a joint in the T-pose, in the space of the parent of a joint above.
fn path_of(skeleton: &Skeleton, source: &LimitSource, first: JointIndex, joint: JointIndex) -> Quat {
    let local = |j: JointIndex| source.t_pose.local()[j].rotation.normalize();
    let mut path = local(joint);
    for above in skeleton.ancestors(joint) {
        path = (local(above) * path).normalize();
        if above == first {
            break;
        }
    }
    path
}

/// Where a forearm bends to from the T-pose, model space: as in the rest pose, if that shows it.
fn elbow_bend(source: &LimitSource, bones: [HumanBone; 3]) -> Vec3 {
    let usual = source.axes.forward + source.axes.up * ELBOW_RISE;
    let [Some(upper), Some(lower), Some(hand)] = bones.map(|b| source.map.get(b)) else { return usual };
    if source.set == HumanRangeSet::Muscles {
        return usual;
    }
    let [a, b, c] = [upper, lower, hand].map(|j| source.rest.model(j).position);
    let (along, forearm) = (normalize_or(b - a, Vec3::ZERO), normalize_or(c - b, Vec3::ZERO));
    let off = forearm - along * along.dot(forearm);
    match source.rest.model(upper).inverse_linear() {
        Some(inward) if off.length() > BENT => source.t_pose.model(upper).vector_out(inward * off),
        _ => usual,
    }
}

/// Limit space of a bone's joint: from model space to the joint's, the frame, and the bone's side.
fn limit_space(source: &LimitSource, bone: HumanBone) -> Option<(Mat3, Quat, Vec3)> {
    let joint = source.map.get(bone)?;
    let [along, bend, side] = directions(source, bone);
    let to_own = source.t_pose.model(joint).inverse_linear()?;
    let y = normalize_or(to_own * along, Vec3::Y);
    let bend = to_own * bend;
    let z = normalize_or(bend - y * y.dot(bend), perpendicular(y));
    let lane = LaneVec3::from_vec3;
    let frame = LaneQuat::from_frames(lane(Vec3::Y), lane(Vec3::Z), lane(y), lane(z)).to_quat();
    Some((to_own, frame, side))
}

/// The bend at which an elbow or knee is straight: the T-pose may have it bent.
fn straight_rad(source: &LimitSource, bone: HumanBone) -> Option<f32> {
    let above = match bone {
        LeftLowerLeg => LeftUpperLeg,
        RightLowerLeg => RightUpperLeg,
        LeftLowerArm => LeftUpperArm,
        RightLowerArm => RightUpperArm,
        _ => return None,
    };
    let at = |bone: HumanBone| source.map.get(bone).map(|joint| source.t_pose.model(joint).position);
    let (to_own, frame, _) = limit_space(source, bone)?;
    let upper = frame.conjugate() * (to_own * (at(bone)? - at(above)?));
    Some(float::atan2(upper.z, upper.y))
}

/// The measured limits of shoulders and hips.
fn half_spaces(source: &LimitSource, bone: HumanBone) -> Option<JointModel> {
    let (turn, caps, is_arm): (&BodyCondition, &[BodyCap], bool) = match bone {
        LeftUpperArm | RightUpperArm => (&SHOULDER_TURN, &SHOULDER_CAPS, true),
        LeftUpperLeg | RightUpperLeg => (&HIP_TURN, &HIP_CAPS, false),
        _ => return None,
    };
    let (to_own, frame, _) = limit_space(source, bone)?;
    let BodyAxes { right, up, forward, .. } = *source.axes;
    let out = if matches!(bone, LeftUpperArm | LeftUpperLeg) { -right } else { right };
    let inside = |v: Vec3| normalize_or(frame.conjugate() * (to_own * v), Vec3::ZERO);
    let axes = [out, up, forward].map(inside);
    let across = |v: Vec3| normalize_or(v - Vec3::Y * v.y, perpendicular(Vec3::Y));
    let towards = |v: Vec3, other: Vec3| if v.dot(other) < 0.0 { -v } else { v };
    // What the columns of the turn's condition belong to.
    let own = if is_arm {
        let elbow = match bone {
            LeftUpperArm => directions(source, LeftLowerArm)[1],
            _ => directions(source, RightLowerArm)[1],
        };
        let bends = across(inside(elbow));
        [Vec3::Y, towards(Vec3::Y.cross(bends), axes[1]), bends]
    } else {
        let ahead = across(axes[2]);
        [towards(Vec3::Y.cross(ahead), axes[0]), -Vec3::Y, ahead]
    };
    let body = |n: &[f32; 3]| axes[0] * n[0] + axes[1] * n[1] + axes[2] * n[2];
    let mut columns = [Vec3::ZERO; 3];
    for (n, own) in turn.0.iter().zip(own) {
        for (column, part) in columns.iter_mut().zip(own.to_array()) {
            *column += body(n) * part;
        }
    }
    let mut rims = [(Vec3::Y, 1.0); HalfSpaces::MAX_CAPS];
    for (rim, (normal, cosine)) in rims.iter_mut().zip(caps) {
        *rim = (normalize_or(body(normal), Vec3::Y), *cosine);
    }
    let limits = HalfSpaces::new(HalfSpace { columns, offset: turn.1 }, &rims[..caps.len()]);
    Some(JointModel { frame, ..JointModel::limited(Freedom::HalfSpaces(limits)) })
}

fn model(source: &LimitSource, bone: HumanBone, range: &HumanRange) -> Option<JointModel> {
    let (to_own, frame, side) = limit_space(source, bone)?;
    // A positive turn about x brings the bone towards z, one about z brings it towards −x.
    let x = frame * Vec3::X;
    // A turn about y brings z to x; of a forearm, whose z is forward, thumb up is positive.
    let thumb_down = matches!(bone, LeftLowerArm | RightLowerArm | LeftHand | RightHand)
        && (to_own * source.axes.forward).cross(to_own * source.axes.up).dot(frame * Vec3::Y) < 0.0;
    let twist = if thumb_down { Range::new(-range.twist.min, -range.twist.max) } else { range.twist };
    let about_z = if (to_own * side).dot(x) > 0.0 { Range::new(-range.side.min, -range.side.max) } else { range.side };
    let swing = SwingRegion::Ellipse { x: range.bend, z: about_z };
    let freedom = match kind(bone) {
        Kind::Ball => Freedom::Ball { swing, twist },
        Kind::Swing => Freedom::Swing(swing),
        Kind::Elbow => Freedom::Universal { bend: BendAxis::X, bend_range: range.bend, twist },
        Kind::Hinge => Freedom::Hinge { axis: HingeAxis::X, range: range.bend },
    };
    // Knees, elbows, toes and fingers that are straight give a solver no side to bend to.
    let preferred_bend = match kind(bone) {
        Kind::Elbow | Kind::Hinge => Vec3::X,
        Kind::Ball | Kind::Swing => Vec3::ZERO,
    };
    Some(JointModel { frame, preferred_bend, ..JointModel::limited(freedom) })
}
