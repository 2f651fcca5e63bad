//! The T-pose of a rig from whatever pose it rests in, and the body's axes.
//!
//! The T-pose follows the directions Unity's avatar editor enforces: each bone is turned by the
//! smallest rotation that brings the line to its next bone onto the expected direction, from the
//! trunk outwards, and only when it is farther off than that bone's tolerance. A bone within its
//! tolerance keeps its local transform bit for bit.
//!
//! | bone | direction (right, up, forward; left side shown) | tolerance |
//! |---|---|---|
//! | Hips | the body's frame upright | 15° |
//! | Spine, Chest, UpperChest | up | 30° |
//! | Shoulder | −right | 20° |
//! | UpperArm, LowerArm | −right | 5° |
//! | Hand | −right, seen along forward, toward the middle finger | 10° |
//! | thumb | (−1, 0, 1) | 10°, then 5° |
//! | other fingers | −right | 10°, then 5° |
//! | UpperLeg | (−0.05, −1, 0) | 15° |
//! | LowerLeg | (−0.05, −1, −0.15) | 20° |
//! | Foot | (−0.05, 0, 1), seen from above | 20° |
//!
//! Neck, head, toes, eyes and jaw stay as they are. A bone without length (a thousandth of the
//! body) has no direction and is not turned; a spine bone at the same place as the next is aimed at
//! the one after. Twist joints and other joints inside a limb ride along, as do human joints that
//! are elsewhere in the hierarchy (feet under a control root).

use super::{HumanBone, HumanMap};
use crate::math::{Quat, Transform, Vec3, arc, float, frame_rotation, normalize_or, rotation_angle};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use HumanBone::*;

/// The body's own axes in model space: three unit vectors at right angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyAxes {
    /// To the character's right, unit, model space.
    pub right: Vec3,
    /// From the feet to the head, unit, model space.
    pub up: Vec3,
    /// Where the chest faces, unit, model space.
    pub forward: Vec3,
    /// Whether model space is left-handed: right × up is forward by the component formula (as in
    /// Unity), not backward.
    pub left_handed: bool,
}

/// Cosine above which a direction is taken for the principal axis it is near: about 25°.
const SNAP: f32 = 0.9;

/// The body's axes as far as the rest pose determines them.
///
/// - `right` runs from the left to the right thighs and upper arms;
/// - `up` from the legs to the arms and from the feet to the legs, or is `hint_up`;
/// - `forward` is at right angles to both, on the side the toes (or other children of the feet)
///   point to; without them the side the knees bend to, or the elbows bend away from, or the eyes
///   are on; without any of these `+Z`, or `−Y` when `+Z` is up. `hint_forward` overrides all of
///   that, and turns `right` to fit.
///
/// Directions near a principal axis (about 25°) become that axis, hints excepted. Hints need not be
/// unit; hints that are zero or not finite, or along another axis than they should be, are ignored.
/// `None` when no pair of limbs is mapped, or the joints leave an axis open.
pub fn body_axes(
    skeleton: &Skeleton,
    map: &HumanMap,
    hint_up: Option<Vec3>,
    hint_forward: Option<Vec3>,
) -> Option<BodyAxes> {
    let at = Rest::new(skeleton, map);
    let usable = |hint: Option<Vec3>| hint.and_then(|h| unit(h).filter(|_| h.is_finite()));
    let up = match usable(hint_up) {
        Some(up) => up,
        None => snap(at.up()?),
    };
    let across = at.right()?;
    let across = unit(across - up * across.dot(up))?;
    if let Some(forward) = usable(hint_forward).and_then(|f| unit(f - up * f.dot(up)))
        && let Some(side) = unit(up.cross(forward)).filter(|s| s.dot(across).abs() > 0.1)
    {
        let left_handed = side.dot(across) > 0.0;
        let right = if left_handed { side } else { -side };
        return Some(BodyAxes { right, up, forward, left_handed });
    }
    let snapped = snap(across);
    let right = if snapped.dot(up).abs() < 1e-6 { snapped } else { across };
    let forward = unit(right.cross(up))?;
    let ahead = at.ahead(up, right).unwrap_or_else(|| {
        // Nothing shows which way it faces: the usual axes of glTF and Unity, or of Blender when +Z
        // is up.
        if up.z.abs() > SNAP { -Vec3::Y } else { Vec3::Z }
    });
    let left_handed = ahead.dot(forward) > 0.0;
    Some(BodyAxes { right, up, forward: if left_handed { forward } else { -forward }, left_handed })
}

fn unit(v: Vec3) -> Option<Vec3> {
    let u = normalize_or(v, Vec3::ZERO);
    (u != Vec3::ZERO).then_some(u)
}

/// The nearest principal axis when it is near, else the direction itself.
fn snap(v: Vec3) -> Vec3 {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let along = v.dot(axis);
        if along.abs() > SNAP {
            return if along < 0.0 { -axis } else { axis };
        }
    }
    v
}

/// Joint positions of human bones in some pose.
struct Rest<'a> {
    skeleton: &'a Skeleton,
    map: &'a HumanMap,
    pose: Pose,
}

impl<'a> Rest<'a> {
    fn new(skeleton: &'a Skeleton, map: &'a HumanMap) -> Self {
        Self { skeleton, map, pose: Pose::rest(skeleton) }
    }
    fn joint(&self, bone: HumanBone) -> Option<JointIndex> {
        // A map made for another skeleton must not read past the end of this one.
        self.map.get(bone).filter(|j| *j < self.skeleton.joint_count())
    }
    fn at(&self, bone: HumanBone) -> Option<Vec3> {
        Some(self.pose.model(self.joint(bone)?).position)
    }
    fn middle(&self, left: HumanBone, right: HumanBone) -> Option<Vec3> {
        match (self.at(left), self.at(right)) {
            (Some(a), Some(b)) => Some((a + b) * 0.5),
            (a, b) => a.or(b),
        }
    }
    /// From left to right, averaged over legs and arms; not quite at right angles to up.
    fn right(&self) -> Option<Vec3> {
        let mut sum = Vec3::ZERO;
        for (left, right) in [(LeftUpperLeg, RightUpperLeg), (LeftUpperArm, RightUpperArm)] {
            if let (Some(l), Some(r)) = (self.at(left), self.at(right)) {
                sum += normalize_or(r - l, Vec3::ZERO);
            }
        }
        unit(sum)
    }
    /// From the feet over the legs to the arms.
    fn up(&self) -> Option<Vec3> {
        let legs = self.middle(LeftUpperLeg, RightUpperLeg).or(self.at(Hips));
        let feet = self.middle(LeftFoot, RightFoot).or(self.middle(LeftLowerLeg, RightLowerLeg));
        let top = self.middle(LeftUpperArm, RightUpperArm).or(self.at(Head)).or(self.at(Neck));
        let step = |from: Option<Vec3>, to: Option<Vec3>| match (from, to) {
            (Some(a), Some(b)) => normalize_or(b - a, Vec3::ZERO),
            _ => Vec3::ZERO,
        };
        unit(step(feet, legs) + step(legs, top))
    }
    /// From the feet over the hips to the head, as far as the map goes.
    fn size(&self) -> f32 {
        let legs = self.middle(LeftUpperLeg, RightUpperLeg).or(self.at(Hips));
        let feet = self.middle(LeftFoot, RightFoot).or(self.middle(LeftLowerLeg, RightLowerLeg));
        let top = self.at(Head).or(self.middle(LeftUpperArm, RightUpperArm));
        let step = |a: Option<Vec3>, b: Option<Vec3>| a.zip(b).map_or(0.0, |(a, b)| (b - a).length());
        step(feet, legs) + step(legs, top)
    }
    /// Some direction with the right sign along the line the character faces.
    fn ahead(&self, up: Vec3, right: Vec3) -> Option<Vec3> {
        let level = |v: Vec3| v - up * v.dot(up) - right * v.dot(right);
        let mut sum = Vec3::ZERO;
        let mut length = 0.0;
        for foot in [LeftFoot, RightFoot] {
            if let (Some(from), Some(to)) = (self.at(foot), self.foot_target(foot)) {
                sum += level(to - from);
                length += (to - from).length();
            }
        }
        if sum.length() > 0.1 * length {
            return unit(sum);
        }
        // A bent knee is in front of the line from hip to ankle, a bent elbow behind the line from
        // shoulder to wrist.
        for (upper, lower, end, sign) in
            [(LeftUpperLeg, LeftLowerLeg, LeftFoot, 1.0), (LeftUpperArm, LeftLowerArm, LeftHand, -1.0)]
        {
            let (mut sum, mut length) = (Vec3::ZERO, 0.0);
            for mirror in [false, true] {
                let side = |bone: HumanBone| if mirror { bone.mirrored() } else { bone };
                let points = (self.at(side(upper)), self.at(side(lower)), self.at(side(end)));
                if let (Some(a), Some(b), Some(c)) = points {
                    let line = c - a;
                    let along = (b - a).dot(line) / line.dot(line).max(1e-30);
                    sum += level(b - a - line * along) * sign;
                    length += line.length();
                }
            }
            if sum.length() > 0.01 * length {
                return unit(sum);
            }
        }
        let eyes = self.middle(LeftEye, RightEye)? - self.at(Head)?;
        let eyes = level(eyes);
        unit(eyes).filter(|_| eyes.is_finite())
    }
    /// Where the foot points: the toes, or the middle of its other children.
    fn foot_target(&self, foot: HumanBone) -> Option<Vec3> {
        let toes = if foot == LeftFoot { LeftToes } else { RightToes };
        self.at(toes).or_else(|| self.children_middle(self.joint(foot)?))
    }
    fn children_middle(&self, joint: JointIndex) -> Option<Vec3> {
        let (mut sum, mut count) = (Vec3::ZERO, 0);
        for child in self.skeleton.children(joint) {
            sum += self.pose.model(child).position;
            count += 1;
        }
        (count > 0).then(|| sum / count as f32)
    }
    /// Frame of the body as it stands: x right, y up, z = x × y by the component formula.
    fn frame(&self) -> Option<Quat> {
        let up = self.up()?;
        let across = self.right()?;
        let right = unit(across - up * across.dot(up))?;
        Some(frame_rotation(right.cross(up), up))
    }
}

/// Local transforms of every joint in the T-pose of the rig. Only rotations change; joints that
/// need no turn keep their rest transforms bit for bit. (Human joints that are elsewhere in the
/// hierarchy than their human parent are moved along with it.)
pub fn t_pose(skeleton: &Skeleton, map: &HumanMap, axes: &BodyAxes) -> Vec<Transform> {
    let rest = Rest::new(skeleton, map);
    let least = MIN_LINE * rest.size();
    let mut work = Work { rest, axes: *axes, least };
    work.hips();
    for bone in [Spine, Chest, UpperChest] {
        work.along(bone, |w| w.next_up(bone), Vec3::new(0.0, 1.0, 0.0), 30.0, View::Free);
    }
    for mirror in [false, true] {
        let side = |bone: HumanBone| if mirror { bone.mirrored() } else { bone };
        // The table shows the left side, which is toward −right.
        let toward = |x: f32, y: f32, z: f32| Vec3::new(if mirror { x } else { -x }, y, z);
        let out = toward(1.0, 0.0, 0.0);
        let next = |bone: HumanBone| move |w: &Work| w.rest.at(bone);
        work.along(side(LeftShoulder), next(side(LeftUpperArm)), out, 20.0, View::Free);
        work.along(side(LeftUpperArm), next(side(LeftLowerArm)), out, 5.0, View::Free);
        work.along(side(LeftLowerArm), next(side(LeftHand)), out, 5.0, View::Free);
        let hand = side(LeftHand);
        work.along(hand, |w| w.palm_target(hand), out, 10.0, View::AlongForward);
        for digit in 0..5 {
            let first = LeftThumbProximal.index() + 3 * digit;
            let bones = [0, 1, 2].map(|i| HumanBone::from_index(first + i).map(side));
            let direction = if digit == 0 { toward(1.0, 0.0, 1.0) } else { out };
            for i in 0..3 {
                let Some(bone) = bones[i] else { continue };
                let after = bones.get(i + 1).copied().flatten();
                let tolerance = if i == 0 { 10.0 } else { 5.0 };
                work.along(bone, |w| w.finger_target(bone, after), direction, tolerance, View::Free);
            }
        }
        work.along(side(LeftUpperLeg), next(side(LeftLowerLeg)), toward(0.05, -1.0, 0.0), 15.0, View::Free);
        work.along(side(LeftLowerLeg), next(side(LeftFoot)), toward(0.05, -1.0, -0.15), 20.0, View::Free);
        let foot = side(LeftFoot);
        work.along(foot, |w| w.rest.foot_target(foot), toward(0.05, 0.0, 1.0), 20.0, View::FromAbove);
    }
    work.rest.pose.local().to_vec()
}

/// How a direction is compared with the expected one.
#[derive(Clone, Copy, PartialEq)]
enum View {
    /// In space.
    Free,
    /// After the part along up is taken out.
    FromAbove,
    /// After the part along forward is taken out.
    AlongForward,
}

/// Turns under shear (uneven scale above rotated joints) are not rigid: they are repeated until
/// they fit.
const MAX_TURNS: usize = 8;
/// Angle in radians at which a repeated turn counts as done.
const DONE_RAD: f32 = 1e-4;

/// Length, in body sizes, below which a bone has no direction: zero-length joints (necks and hips
/// of motion capture skeletons) are a rounding error long.
const MIN_LINE: f32 = 1e-3;

struct Work<'a> {
    rest: Rest<'a>,
    axes: BodyAxes,
    /// [`MIN_LINE`] in rig units.
    least: f32,
}

impl Work<'_> {
    fn in_model(&self, v: Vec3) -> Vec3 {
        self.axes.right * v.x + self.axes.up * v.y + self.axes.forward * v.z
    }

    /// Stands the body upright when it leans or looks aside.
    fn hips(&mut self) {
        let (Some(hips), Some(now)) = (self.rest.joint(Hips), self.rest.frame()) else { return };
        let wanted = frame_rotation(self.axes.right.cross(self.axes.up), self.axes.up);
        let turn = (wanted * now.conjugate()).normalize();
        if rotation_angle(turn) > radians(15.0) {
            self.turn(Hips, hips, turn);
        }
    }

    /// Turns a bone so that the line from its joint to `target` gets the expected direction.
    fn along(
        &mut self,
        bone: HumanBone,
        target: impl Fn(&Self) -> Option<Vec3>,
        direction: Vec3,
        tolerance_deg: f32,
        view: View,
    ) {
        let Some(joint) = self.rest.joint(bone) else { return };
        let flat = |v: Vec3, axes: &BodyAxes| match view {
            View::Free => v,
            View::FromAbove => v - axes.up * v.dot(axes.up),
            View::AlongForward => v - axes.forward * v.dot(axes.forward),
        };
        let Some(wanted) = unit(flat(self.in_model(direction), &self.axes)) else { return };
        let mut allowed = radians(tolerance_deg);
        for _ in 0..MAX_TURNS {
            let Some(to) = target(self) else { return };
            let line = to - self.rest.pose.model(joint).position;
            let seen = flat(line, &self.axes);
            // A line that is (nearly) hidden in this view, or has no length, gives no direction.
            if line.length() <= self.least || seen.length() < 0.05 * line.length() {
                return;
            }
            let Some(now) = unit(seen) else { return };
            if !line.is_finite() || float::atan2(now.cross(wanted).length(), now.dot(wanted)) <= allowed {
                return;
            }
            self.turn(bone, joint, arc(now, wanted));
            allowed = DONE_RAD;
        }
    }

    /// Turns a joint by a rotation in model space, and with it everything below it as a rigid
    /// body.
    fn turn(&mut self, bone: HumanBone, joint: JointIndex, turn: Quat) {
        let skeleton = self.rest.skeleton;
        let pivot = self.rest.pose.model(joint).position;
        let apart = self.hanging_elsewhere(bone, joint);
        let before: Vec<(Vec3, Quat)> =
            apart.iter().map(|j| (self.rest.pose.model(*j).position, self.rest.pose.model(*j).rotation)).collect();
        let rotation = (turn * self.rest.pose.model(joint).rotation).normalize();
        if !rotation.is_finite() {
            return;
        }
        self.rest.pose.set_rotation_ms(skeleton, joint, rotation);
        self.rest.pose.update_subtree(skeleton, joint);
        for (&other, (position, rotation)) in apart.iter().zip(before) {
            self.rest.pose.set_position_ms(skeleton, other, pivot + turn * (position - pivot));
            self.rest.pose.set_rotation_ms(skeleton, other, (turn * rotation).normalize());
            self.rest.pose.update_subtree(skeleton, other);
        }
    }

    /// Human joints below the bone in a body that are not below its joint in the skeleton, topmost
    /// ones only.
    fn hanging_elsewhere(&self, bone: HumanBone, joint: JointIndex) -> Vec<JointIndex> {
        let skeleton = self.rest.skeleton;
        let mut apart: Vec<JointIndex> = Vec::new();
        for other in HumanBone::ALL {
            let below = core::iter::successors(other.parent(), |b| b.parent()).any(|b| b == bone);
            let Some(there) = self.rest.joint(other).filter(|_| below) else { continue };
            let moves_already =
                skeleton.is_self_or_ancestor(joint, there) || skeleton.is_self_or_ancestor(there, joint);
            if !moves_already {
                apart.push(there);
            }
        }
        let all = apart.clone();
        apart.retain(|j| !all.iter().any(|a| a != j && skeleton.is_self_or_ancestor(*a, *j)));
        apart
    }

    /// Where a spine bone leads: the next bone up the trunk at another place.
    fn next_up(&self, bone: HumanBone) -> Option<Vec3> {
        let order = [Spine, Chest, UpperChest, Neck, Head];
        let from = order.iter().position(|b| *b == bone)?;
        let here = self.rest.at(bone)?;
        order[from + 1..].iter().filter_map(|b| self.rest.at(*b)).find(|p| (*p - here).length() > self.least)
    }

    /// Where a hand leads: the middle finger, or another, or the middle of its children.
    fn palm_target(&self, hand: HumanBone) -> Option<Vec3> {
        let left = [LeftMiddleProximal, LeftRingProximal, LeftIndexProximal, LeftLittleProximal];
        left.into_iter()
            .map(|b| if hand == LeftHand { b } else { b.mirrored() })
            .find_map(|b| self.rest.at(b))
            .or_else(|| self.rest.children_middle(self.rest.joint(hand)?))
    }

    /// Where a finger bone leads: the next one, or the middle of its children.
    fn finger_target(&self, bone: HumanBone, after: Option<HumanBone>) -> Option<Vec3> {
        after.and_then(|b| self.rest.at(b)).or_else(|| self.rest.children_middle(self.rest.joint(bone)?))
    }
}

fn radians(degrees: f32) -> f32 {
    degrees * (core::f32::consts::PI / 180.0)
}
