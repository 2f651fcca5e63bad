//! Shapes of the hand: fingers at rest, and fingers closed round a tube across the palm.
//!
//! Finger bones after the knuckle turn from "along the fingers" towards the palm. For the grip,
//! joints are on a circle round the tube's axis: a bone of length `l` is a chord of the circle of
//! radius `R`, so two bones that follow each other make the angle `asin(l₁ / 2R) + asin(l₂ / 2R)`.
//! The thumb has another base and goes round the other way.

use crate::axes::{Side, turn};
use crate::mannequin::Mannequin;
use sinew::humanoid::HumanBone;
use sinew::math::{Quat, Vec3, arc, float, normalize_or};
use sinew::skeleton::JointIndex;

/// Position of a tube in a hand that holds it: all lengths in rig units, seen from the wrist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Radius of the tube.
    pub tube_radius: f32,
    /// From the wrist along the fingers to the tube's axis.
    pub axis_along: f32,
    /// From the wrist out of the palm to the tube's axis: the radius and half the thickness of the
    /// hand.
    pub axis_below: f32,
}

impl Grip {
    /// The grip of this rig's hand round a tube. Sizes come from the knuckle of the middle finger,
    /// or, where the rig has no fingers, from the length of the arm.
    pub fn new(mannequin: &Mannequin, side: Side, tube_radius: f32) -> Self {
        let palm = palm_length(mannequin, side);
        Self { tube_radius, axis_along: 0.9 * palm, axis_below: tube_radius + 0.13 * palm }
    }
}

/// From the wrist to the knuckle of the middle finger, in rig units.
pub fn palm_length(mannequin: &Mannequin, side: Side) -> f32 {
    let distance = |a: HumanBone, b: HumanBone| -> Option<f32> {
        Some((mannequin.t_bone_ms(a)? - mannequin.t_bone_ms(b)?).length())
    };
    let hand = side.pick(HumanBone::LeftHand, HumanBone::RightHand);
    let knuckle = side.pick(HumanBone::LeftMiddleProximal, HumanBone::RightMiddleProximal);
    let elbow = side.pick(HumanBone::LeftLowerArm, HumanBone::RightLowerArm);
    // 0.37 is the ratio of palm to forearm in the built-in person.
    distance(hand, knuckle).or_else(|| Some(0.37 * distance(elbow, hand)?)).unwrap_or(0.0)
}

/// Bends the fingers as in a relaxed hand: more towards the little finger.
pub fn relax(mannequin: &mut Mannequin, side: Side) {
    const BENDS_DEG: [[f32; 3]; 4] = [[16.0, 26.0, 14.0], [22.0, 30.0, 16.0], [26.0, 33.0, 18.0], [28.0, 34.0, 20.0]];
    // Fingertips come together a little as they bend.
    const SPREAD_DEG: [f32; 4] = [3.0, 0.5, -1.5, -4.0];
    let axes = mannequin.axes();
    let (along, palm, thumb) = (axes.out(side), -axes.up, axes.forward);
    for finger in 0..4 {
        for (segment, bend_deg) in BENDS_DEG[finger].into_iter().enumerate() {
            let bend = turn(along, palm, bend_deg);
            let together = if segment == 0 { turn(thumb, along, SPREAD_DEG[finger]) } else { Quat::IDENTITY };
            mannequin.turn(finger_bone(side, finger + 1, segment), (together * bend).normalize());
        }
    }
    let bones = [along * 0.80 + palm * 0.42 + thumb * 0.52, along * 0.93 + palm * 0.40 + thumb * 0.25];
    point_thumb(mannequin, side, [bones[0], bones[1], along * 0.95 + palm * 0.42 + thumb * 0.10]);
}

/// Closes the fingers round a tube across the palm, at the position of `grip`.
pub fn close(mannequin: &mut Mannequin, side: Side, grip: &Grip) {
    const DEGREES: f32 = 180.0 / core::f32::consts::PI;
    let axes = mannequin.axes();
    let (along, palm) = (axes.out(side), -axes.up);
    let hand = side.pick(HumanBone::LeftHand, HumanBone::RightHand);
    let Some(wrist) = mannequin.t_bone_ms(hand) else { return };
    for finger in 1..5 {
        let Some(knuckle) = mannequin.t_bone_ms(finger_bone(side, finger, 0)) else { continue };
        let from_axis = knuckle - wrist - along * grip.axis_along - palm * grip.axis_below;
        let (ahead, above) = (from_axis.dot(along), -from_axis.dot(palm));
        let radius = float::sqrt(ahead * ahead + above * above);
        let lengths = finger_lengths(mannequin, side, finger);
        let half = lengths.map(|l| float::asin(l / (2.0 * grip.axis_below)) * DEGREES);
        // Circle's tangent at the knuckle, plus what brings a knuckle outside the circle onto it
        // with the first bone.
        let inwards = ((radius - grip.axis_below) / lengths[0].max(1e-6)).clamp(-0.4, 0.4) * DEGREES;
        let first = float::atan2(ahead, above) * DEGREES + half[0] + inwards;
        for (segment, bend) in [first, half[0] + half[1], half[1] + half[2]].into_iter().enumerate() {
            mannequin.turn(finger_bone(side, finger, segment), turn(along, palm, bend));
        }
    }
    close_thumb(mannequin, side, grip, wrist);
}

/// Lays the thumb's joints on the circle too, the other way round it: down past the wrist's side of
/// the tube. Each bone's end is where the circle and the sphere about its start meet; what the bone
/// runs along the tube is given.
fn close_thumb(mannequin: &mut Mannequin, side: Side, grip: &Grip, wrist: Vec3) {
    const ALONG_TUBE: [f32; 3] = [0.35, 0.10, 0.0];
    let axes = mannequin.axes();
    let (along, palm, thumb) = (axes.out(side), -axes.up, axes.forward);
    let Some(root) = mannequin.t_bone_ms(finger_bone(side, 0, 0)) else { return };
    let lengths = finger_lengths(mannequin, side, 0);
    let from_axis = root - wrist - along * grip.axis_along - palm * grip.axis_below;
    let (mut ahead, mut below) = (from_axis.dot(along), from_axis.dot(palm));
    let circle = grip.axis_below;
    let mut directions = [along; 3];
    for segment in 0..3 {
        let side_part = ALONG_TUBE[segment];
        let length = lengths[segment] * float::sqrt(1.0 - side_part * side_part);
        let centre_distance = float::sqrt(ahead * ahead + below * below).max(1e-6);
        // From the bone's start: towards the tube's axis, and square to that in the sense wrist –
        // palm side – fingertips.
        let inwards = [-ahead / centre_distance, -below / centre_distance];
        let round = [-inwards[1], inwards[0]];
        let towards = (length * length + centre_distance * centre_distance - circle * circle) / (2.0 * centre_distance);
        let towards = towards.clamp(-length, length);
        let aside = float::sqrt(length * length - towards * towards);
        let step = [0, 1].map(|i| inwards[i] * towards + round[i] * aside);
        directions[segment] = along * step[0] + palm * step[1] + thumb * (side_part * lengths[segment]);
        ahead += step[0];
        below += step[1];
    }
    point_thumb(mannequin, side, directions);
}

/// Finger 0 (thumb) … 4 (little), segment 0 … 2 from the hand outwards.
pub fn finger_bone(side: Side, finger: usize, segment: usize) -> HumanBone {
    let first = side.pick(HumanBone::LeftThumbProximal, HumanBone::RightThumbProximal).index();
    HumanBone::from_index(first + 3 * finger + segment).expect("five fingers of three bones")
}

/// Lengths of a finger's bones; the last one's is guessed where the rig has no finger tip.
fn finger_lengths(mannequin: &Mannequin, side: Side, finger: usize) -> [f32; 3] {
    let joints = [0, 1, 2].map(|segment| mannequin.joint(finger_bone(side, finger, segment)));
    let place = |joint: Option<JointIndex>| joint.map(|j| mannequin.t_position_ms(j));
    let length = |a: Option<Vec3>, b: Option<Vec3>| a.zip(b).map(|(a, b)| (b - a).length());
    let tip = joints[2].and_then(|last| mannequin.view().skeleton.children(last).next());
    let first = length(place(joints[0]), place(joints[1])).unwrap_or(0.0);
    let second = length(place(joints[1]), place(joints[2])).unwrap_or(0.6 * first);
    [first, second, length(place(joints[2]), place(tip)).unwrap_or(0.75 * second)]
}

/// Turns the thumb's bones so that they point along three directions given as seen on the T-pose.
fn point_thumb(mannequin: &mut Mannequin, side: Side, directions: [Vec3; 3]) {
    let mut whole = Quat::IDENTITY;
    let mut last_bone = None;
    for (segment, direction) in directions.into_iter().enumerate() {
        let Some(joint) = mannequin.joint(finger_bone(side, 0, segment)) else { return };
        let child = mannequin.view().skeleton.children(joint).next();
        let bone = child.map(|c| mannequin.t_position_ms(c) - mannequin.t_position_ms(joint)).or(last_bone);
        let Some(bone) = bone else { return };
        last_bone = Some(bone);
        let wanted = normalize_or(direction, mannequin.axes().out(side));
        let next = (arc(whole * normalize_or(bone, wanted), wanted) * whole).normalize();
        mannequin.turn_joint(joint, (whole.conjugate() * next).normalize());
        whole = next;
    }
}
