//! Where goals of hands and feet are given, and what they place: the joint in whose space a goal is
//! (in place of world space), and the point of the hand or foot that the goal is for.
//!
//! A limb whose goal is in the space of a joint that another limb moves *follows* that limb and is
//! solved after it. Circles are refused when a space is set, so there always is an order.
//!
//! A clavicle moves only where an arm's goal has it help. A limb in the space of the other arm's
//! clavicle is solved after that arm where that is no circle, but is not refused where it is: both
//! hands on the opposite shoulders is an ordinary pose.

use super::avatar::{Avatar, LimbRig};
use super::ik_goal::IkGoal;
use crate::math::{Frame, Quat, Vec3};
use crate::skeleton::{JointIndex, Pose, Skeleton, path};

/// Where the animation has a limb, in the space of the limb's goal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnimatedPlace {
    /// The effector point.
    pub point_js: Vec3,
    /// The hand or foot joint.
    pub rotation_js: Quat,
    /// The knee or elbow.
    pub hint_js: Vec3,
}

/// Spaces and effector points of the four goals.
#[derive(Clone, Debug)]
pub(crate) struct GoalPlaces {
    spaces: [Option<JointIndex>; 4],
    points_js: [Vec3; 4],
    /// Bit for each limb that a goal follows.
    follows: [u8; 4],
    /// Bit for each arm whose clavicle a goal follows.
    follows_shoulder: [u8; 4],
    order: [IkGoal; 4],
    /// Of the last frame.
    animated: [AnimatedPlace; 4],
}

impl Default for GoalPlaces {
    /// World space and the joints themselves.
    fn default() -> Self {
        Self {
            spaces: [None; 4],
            points_js: [Vec3::ZERO; 4],
            follows: [0; 4],
            follows_shoulder: [0; 4],
            order: IkGoal::ALL,
            animated: [AnimatedPlace::default(); 4],
        }
    }
}

fn has(bits: u8, goal: IkGoal) -> bool {
    bits >> goal.index() & 1 == 1
}

/// Whether a joint is on or below a limb, from its root joint on.
pub(crate) fn is_of_limb(skeleton: &Skeleton, limb: &LimbRig, joint: JointIndex) -> bool {
    [limb.joints.root(), limb.joints.end()].into_iter().any(|own| skeleton.is_self_or_ancestor(own, joint))
}

/// Whether a joint is on or below the clavicle of a limb.
fn is_below_shoulder(skeleton: &Skeleton, limb: &LimbRig, joint: JointIndex) -> bool {
    limb.shoulder.as_ref().is_some_and(|rig| skeleton.is_self_or_ancestor(rig.joint(), joint))
}

/// A point in a space, or as it is where the space is flat.
pub(crate) fn point_in_space(space_ms: &Frame, point_ms: Vec3) -> Vec3 {
    space_ms.point_in(point_ms).unwrap_or(point_ms)
}

impl GoalPlaces {
    /// The joint in whose space a goal is given.
    pub fn space(&self, goal: IkGoal) -> Option<JointIndex> {
        self.spaces[goal.index()]
    }
    /// The point of the hand or foot that the goal is for, in its space.
    pub fn point_js(&self, goal: IkGoal) -> Vec3 {
        self.points_js[goal.index()]
    }
    /// Whether a goal has a space or a point.
    pub fn is_placed(&self, goal: IkGoal) -> bool {
        self.space(goal).is_some() || self.point_js(goal) != Vec3::ZERO
    }
    /// Whether any goal has.
    pub fn is_any(&self) -> bool {
        IkGoal::ALL.into_iter().any(|goal| self.is_placed(goal))
    }
    /// Whether any goal has a space.
    pub fn has_space(&self) -> bool {
        self.spaces.iter().any(Option::is_some)
    }
    /// The goals in the order in which their limbs are solved.
    pub fn order(&self) -> [IkGoal; 4] {
        self.order
    }
    /// Whether another limb follows this one.
    pub fn is_followed(&self, goal: IkGoal) -> bool {
        self.follows.iter().zip(&self.follows_shoulder).any(|(limbs, shoulders)| has(limbs | shoulders, goal))
    }
    /// The limb whose end carries the space of a goal.
    pub fn carrier(&self, skeleton: &Skeleton, avatar: &Avatar, goal: IkGoal) -> Option<IkGoal> {
        let space = self.space(goal)?;
        let carries = |other: &IkGoal| skeleton.is_self_or_ancestor(avatar.limb(*other).joints.end(), space);
        IkGoal::ALL.into_iter().filter(|other| *other != goal).find(carries)
    }
    /// Whether the clavicle of the same limb carries the space of a goal.
    pub fn is_below_own_shoulder(&self, skeleton: &Skeleton, avatar: &Avatar, goal: IkGoal) -> bool {
        self.space(goal).is_some_and(|space| is_below_shoulder(skeleton, avatar.limb(goal), space))
    }
    /// The animation's own place.
    pub fn animated(&self, goal: IkGoal) -> &AnimatedPlace {
        &self.animated[goal.index()]
    }
    /// Sets the point.
    pub fn set_point(&mut self, goal: IkGoal, point_js: Vec3) {
        self.points_js[goal.index()] = point_js;
    }
    /// Sets a space that is not of the goal's own limb. `false`, and nothing changed, where limbs
    /// would follow one another in a circle.
    pub fn set_space(&mut self, avatar: &Avatar, goal: IkGoal, space: Option<JointIndex>) -> bool {
        let skeleton = avatar.skeleton();
        let mut changed = self.clone();
        let bits = |is_moved: fn(&Skeleton, &LimbRig, JointIndex) -> bool| {
            let moved = |other: &IkGoal| space.is_some_and(|space| is_moved(skeleton, avatar.limb(*other), space));
            let others = IkGoal::ALL.into_iter().filter(|other| *other != goal);
            others.filter(moved).fold(0, |bits, other| bits | 1 << other.index())
        };
        changed.spaces[goal.index()] = space;
        changed.follows[goal.index()] = bits(is_of_limb);
        changed.follows_shoulder[goal.index()] = bits(is_below_shoulder);
        let is_ordered = changed.put_in_order();
        if is_ordered {
            *self = changed;
        }
        is_ordered
    }
    /// Each limb after those that it follows, else in the order of the goals. `false` in a circle.
    fn put_in_order(&mut self) -> bool {
        let mut solved = 0u8;
        for place in 0..self.order.len() {
            let waits = |goal: IkGoal, bits: u8| has(solved, goal) || bits & !solved != 0;
            let is_next = |goal: &IkGoal| {
                let i = goal.index();
                !waits(*goal, self.follows[i] | self.follows_shoulder[i])
            };
            let is_possible = |goal: &IkGoal| !waits(*goal, self.follows[goal.index()]);
            let found = IkGoal::ALL.into_iter().find(is_next).or(IkGoal::ALL.into_iter().find(is_possible));
            let Some(next) = found else { return false };
            self.order[place] = next;
            solved |= 1 << next.index();
        }
        true
    }
    /// Notes where the animation has the limbs whose goals have spaces: what a goal means whose
    /// position, rotation or hint is not given. Frames up to date.
    pub fn note_animation(&mut self, skeleton: &Skeleton, avatar: &Avatar, pose: &Pose) {
        for goal in IkGoal::ALL {
            let Some(space) = self.space(goal) else { continue };
            let joints = &avatar.limb(goal).joints;
            let (space_ms, end) = (path::frame::<true, true>(skeleton, pose.local(), space), pose.model(joints.end()));
            self.animated[goal.index()] = AnimatedPlace {
                point_js: point_in_space(&space_ms, end.point_out(self.point_js(goal))),
                rotation_js: space_ms.rotation_in(end.rotation),
                hint_js: point_in_space(&space_ms, pose.model(joints.mid()).position),
            };
        }
    }
    /// The frame of a goal's space, from the local transforms of the pose.
    pub fn space_ms(&self, skeleton: &Skeleton, pose: &Pose, goal: IkGoal) -> Option<Frame> {
        self.space(goal).map(|joint| path::frame::<true, true>(skeleton, pose.local(), joint))
    }
    /// The frame of a limb's end, moved to the effector point.
    pub fn at_point(&self, goal: IkGoal, mut end_ms: Frame) -> Frame {
        end_ms.position = end_ms.point_out(self.point_js(goal));
        end_ms
    }
}
