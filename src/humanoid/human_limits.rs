//! Joint limits for people: what each human bone may do, as joint models counted from the T-pose.
//!
//! The ranges are those of Unity's muscles (`HumanTrait.GetMuscleDefaultMin/Max`). Muscles count
//! from a half-bent neutral pose, limits here from the T-pose, which in muscle values lies at:
//! thigh 0.6 of front–back, knee and elbow fully stretched, arm 0.4 of down–up and 0.3 of
//! front–back, fingers about 0.67 and 0.8 stretched. Counted from there, in degrees:
//!
//! | bone | bend (towards) | side (towards) | twist |
//! |---|---|---|---|
//! | Spine, Chest, Neck, Head | −40 … 40 (forward) | −40 … 40 (right) | ±40 |
//! | UpperChest | −20 … 20 (forward) | −20 … 20 (right) | ±20 |
//! | Eye | −10 … 15 (up) | −20 … 20 (right) | none |
//! | Jaw | −10 … 10 (up) | −10 … 10 (right) | none |
//! | UpperLeg | −20 … 120 (forward) | −60 … 60 (out) | ±60 |
//! | LowerLeg | 0 … 160 (backward), a hinge | | ±90 |
//! | Foot | −50 … 50 (toes up) | −30 … 30 (sole out) | ±30 about the shin |
//! | Toes | −50 … 50 (up), a hinge | | |
//! | Shoulder | −15 … 30 (up) | −15 … 15 (forward) | none |
//! | UpperArm | −100 … 60 (up) | −70 … 130 (forward) | ±90 |
//! | LowerArm | 0 … 160 (forward and a little up), a hinge | | ±90 |
//! | Hand | −80 … 80 (up) | −40 … 40 (forward) | ±90 · lowerArmTwist: what the wrist takes of the forearm's |
//! | first finger joints | −17 … 83 (palm) | ±20 (index, little), ±7.5 (middle, ring) | none |
//! | other finger joints | −9 … 81 (palm), a hinge | | |
//! | thumb | ±20, then ±40 | ±25, then none | none |
//!
//! Bend and side together limit the swing of the bone to four quarters of ellipses. The hips are
//! free. Unity gives the foot two freedoms and does not say about which axes; both candidates have
//! the range of "twist in–out" here.

use super::{BodyAxes, HumanBone, HumanMap};
use crate::limits::{BendAxis, Freedom, HingeAxis, JointLimit, JointModel, LimitLayer, Range, SwingRegion};
use crate::math::{LaneQuat, LaneVec3, Transform, Vec3, normalize_or, perpendicular};
use crate::skeleton::{Pose, Skeleton};
use HumanBone::*;
use std::sync::Arc;

const DEGREE: f32 = core::f32::consts::PI / 180.0;

/// Range of a human bone, counted from the T-pose, radians; the directions are those of the table
/// in `docs/animator.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HumanRange {
    /// Bend; the only freedom of elbows, knees, toes and outer finger joints beside their twist.
    pub bend: Range,
    /// Bend to the side.
    pub side: Range,
    /// Turn about the bone's own line (a hand's about the forearm, a foot's about the shin).
    pub twist: Range,
}

/// How a bone moves.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ball,
    Swing,
    /// Bend, then twist.
    Elbow,
    Hinge,
}

fn degrees(min: f32, max: f32) -> Range {
    Range::new(min * DEGREE, max * DEGREE)
}

impl HumanRange {
    fn new(bend: (f32, f32), side: (f32, f32), twist: f32) -> Self {
        Self { bend: degrees(bend.0, bend.1), side: degrees(side.0, side.1), twist: degrees(-twist, twist) }
    }
    /// People's range of a bone; `None` for the hips, which are free. A hand's twist is the whole
    /// forearm's; the wrist has the avatar's `lower_arm_twist` of it.
    pub fn of(bone: HumanBone) -> Option<Self> {
        let first_finger = |spread: f32| Self::new((-17.0, 83.0), (-spread, spread), 0.0);
        Some(match bone {
            Hips => return None,
            Spine | Chest | Neck | Head => Self::new((-40.0, 40.0), (-40.0, 40.0), 40.0),
            UpperChest => Self::new((-20.0, 20.0), (-20.0, 20.0), 20.0),
            LeftEye | RightEye => Self::new((-10.0, 15.0), (-20.0, 20.0), 0.0),
            Jaw => Self::new((-10.0, 10.0), (-10.0, 10.0), 0.0),
            LeftUpperLeg | RightUpperLeg => Self::new((-20.0, 120.0), (-60.0, 60.0), 60.0),
            LeftLowerLeg | RightLowerLeg | LeftLowerArm | RightLowerArm => Self::new((0.0, 160.0), (0.0, 0.0), 90.0),
            LeftFoot | RightFoot => Self::new((-50.0, 50.0), (-30.0, 30.0), 30.0),
            LeftToes | RightToes => Self::new((-50.0, 50.0), (0.0, 0.0), 0.0),
            LeftShoulder | RightShoulder => Self::new((-15.0, 30.0), (-15.0, 15.0), 0.0),
            LeftUpperArm | RightUpperArm => Self::new((-100.0, 60.0), (-70.0, 130.0), 90.0),
            LeftHand | RightHand => Self::new((-80.0, 80.0), (-40.0, 40.0), 90.0),
            LeftThumbProximal | RightThumbProximal => Self::new((-20.0, 20.0), (-25.0, 25.0), 0.0),
            LeftThumbIntermediate | RightThumbIntermediate | LeftThumbDistal | RightThumbDistal => {
                Self::new((-40.0, 40.0), (0.0, 0.0), 0.0)
            }
            LeftIndexProximal | RightIndexProximal | LeftLittleProximal | RightLittleProximal => first_finger(20.0),
            LeftMiddleProximal | RightMiddleProximal | LeftRingProximal | RightRingProximal => first_finger(7.5),
            _ => Self::new((-9.0, 81.0), (0.0, 0.0), 0.0),
        })
    }
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
    /// Ranges in place of people's.
    pub ranges: &'a [(HumanBone, HumanRange)],
    /// Unity's parameter: the part of the forearm's roll that the wrist takes.
    pub lower_arm_twist: f32,
}

impl HumanLimits {
    /// Measures the T-pose.
    pub(crate) fn new(skeleton: &Skeleton, source: &LimitSource) -> Self {
        let mut layer = LimitLayer::new(skeleton);
        let mut ranges = vec![None; HumanBone::COUNT];
        for (bone, joint) in source.map.iter() {
            let own = source.ranges.iter().rev().find(|(b, _)| *b == bone).map(|(_, range)| *range);
            let Some(mut range) = own.or_else(|| HumanRange::of(bone)) else { continue };
            if own.is_none() && matches!(bone, LeftHand | RightHand) {
                range.twist =
                    Range::new(range.twist.min * source.lower_arm_twist, range.twist.max * source.lower_arm_twist);
            }
            ranges[bone.index()] = Some(range);
            if let Some(model) = model(source, bone, &range) {
                layer.set(joint, JointLimit { model, origin: source.t_pose.local()[joint].rotation.normalize() });
            }
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
    /// How far a bone's local rotation is from what it may be, radians; 0 for free bones.
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
        // A foot's twist is about the shin: its bend brings what lies below the ankle backward when
        // the toes go up.
        LeftFoot => [line(LeftLowerLeg, LeftFoot, -up), forward, out],
        RightFoot => [line(RightLowerLeg, RightFoot, -up), forward, out],
        LeftToes | RightToes | LeftEye | RightEye | Jaw => [forward, up, right],
        LeftShoulder => [line(bone, LeftUpperArm, out), up, forward],
        RightShoulder => [line(bone, RightUpperArm, out), up, forward],
        LeftUpperArm => [line(bone, LeftLowerArm, out), up, forward],
        RightUpperArm => [line(bone, RightLowerArm, out), up, forward],
        LeftLowerArm => [line(bone, LeftHand, out), forward + up * 0.3, up],
        RightLowerArm => [line(bone, RightHand, out), forward + up * 0.3, up],
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

fn model(source: &LimitSource, bone: HumanBone, range: &HumanRange) -> Option<JointModel> {
    let joint = source.map.get(bone)?;
    let [along, bend, side] = directions(source, bone);
    let to_own = source.t_pose.model(joint).inverse_linear()?;
    let y = normalize_or(to_own * along, Vec3::Y);
    let bend = to_own * bend;
    let z = normalize_or(bend - y * y.dot(bend), perpendicular(y));
    // A positive turn about x = y × z brings the bone towards z, one about z brings it towards −x.
    let x = y.cross(z);
    let lane = LaneVec3::from_vec3;
    let frame = LaneQuat::from_frames(lane(Vec3::Y), lane(Vec3::Z), lane(y), lane(z)).to_quat();
    let about_z = if (to_own * side).dot(x) > 0.0 { Range::new(-range.side.min, -range.side.max) } else { range.side };
    let swing = SwingRegion::Ellipse { x: range.bend, z: about_z };
    let freedom = match kind(bone) {
        Kind::Ball => Freedom::Ball { swing, twist: range.twist },
        Kind::Swing => Freedom::Swing(swing),
        Kind::Elbow => Freedom::Universal { bend: BendAxis::X, bend_range: range.bend, twist: range.twist },
        Kind::Hinge => Freedom::Hinge { axis: HingeAxis::X, range: range.bend },
    };
    Some(JointModel { frame, ..JointModel::limited(freedom) })
}
