//! Spine and pelvis compensation for goals out of reach: the spine bends, the hips move.
//!
//! Unity's Animator moves nothing but the limb; its own full-body sample shifts the body in user
//! code. Here both are weights, default 0.
//!
//! **Spine.** Each round, for every hand with a goal beyond its arm's length, each spine joint gets
//! the turn that carries its shoulder towards the goal by the distance that is missing, `(lever ×
//! missing) / |lever|²`, shared by the joints; two hands are weighed by what they miss. The sum of
//! turns is limited to 60°. A fixed number of rounds, so the result is continuous in goals and
//! weight.
//!
//! **Hips.** Moving the hips by `d` brings limb `k` within reach when `|c − w·d| ≤ L`, where `c`
//! runs from the limb's root to its weighted target, `w` is the goal's position weight (the
//! weighted target moves with the body by the rest) and `L` the limb's length: a ball for `d`. A
//! pull weight `p` makes the ball as large as leaves `1 − p·w` of what is missing now: the missing
//! distance of a straight limb is in proportion to `w`, and without that factor the smallest weight
//! would move the hips the whole way. A foot with a goal is a ball that must be kept: feet that can
//! stay, stay; of a foot of partial weight, each projection goes that part of its way. The result
//! is the `d` near 0 that is in all balls: projections in turn, hands weighed by their pull, feet
//! last. Projection onto a ball is continuous, and so is a fixed number of them.
//!
//! Source: projections onto convex sets, L. Bregman, "The method of successive projection for
//! finding a common point of convex sets", Soviet Mathematics 6 (1965); G. Pierra, "Decomposition
//! through formalization in a product space", Mathematical Programming 28 (1984), for weighed ones.

use super::IkGoal;
use super::goal_places::GoalPlaces;
use super::pose_steps::{AnimatedGoal, PoseSteps};
use crate::math::{Vec3, axis_angle, length};
use crate::skeleton::JointIndex;

const DEGREE: f32 = core::f32::consts::PI / 180.0;
/// Most the spine bends in all, radians.
const MAX_BEND: f32 = 60.0 * DEGREE;
/// Rounds of bending.
const BEND_ROUNDS: usize = 8;
/// Rounds of projection.
const PULL_ROUNDS: usize = 48;
/// Part of a limb's length at which a goal counts as reached, so that rounding does not leave it
/// just out of reach.
const INSIDE: f32 = 0.9999;

/// A limb whose goal may pull.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// From the limb's root to its weighted target, model space.
    to_target: Vec3,
    /// Longest the limb gets without stretch, model space.
    length: f32,
    /// Distance at which the goal counts as reached: [`INSIDE`], and where the end is already.
    inside: f32,
    /// The goal's position weight, above 0.
    weight: f32,
    /// Pull weight times position weight, 0 … 1.
    pull: f32,
    /// How much this one counts, 0 … 1: less where what helps takes the goal along.
    part: f32,
}

impl Reach {
    /// What the target is away beyond reach, as a vector towards it; zero within reach.
    fn missing(&self) -> Vec3 {
        let distance = self.to_target.length();
        self.to_target * (1.0 - self.length / distance.max(self.length).max(1e-20))
    }

    /// The move nearest to `d` that brings the target as near as the pull weight requires.
    fn project(&self, d: Vec3) -> Vec3 {
        let beyond = (self.to_target.length() - self.inside).max(0.0);
        let radius = (self.inside + (1.0 - self.pull) * beyond) / self.weight;
        let centre = self.to_target / self.weight;
        let away = d - centre;
        let distance = away.length();
        if distance <= radius { d } else { centre + away * (radius / distance) }
    }
}

/// The move of the hips, model space.
fn hips_move(reaches: &[Option<Reach>; 4]) -> Vec3 {
    let hands = || reaches[2..].iter().flatten().filter(|r| r.pull > 0.0);
    let all: f32 = hands().map(|r| r.pull).sum();
    let mut d = Vec3::ZERO;
    for _ in 0..PULL_ROUNDS {
        let step: Vec3 = hands().map(|r| (r.project(d) - d) * (r.pull / all)).fold(Vec3::ZERO, |a, b| a + b);
        d += step;
        for foot in reaches[..2].iter().flatten() {
            d = d.lerp(foot.project(d), foot.weight * foot.part);
        }
    }
    d
}

/// Turn that each of `joints` spine joints makes in this round: rotation vector about a joint at
/// `pivot_ms`, model space. `roots` are the shoulder joints of the hands, in the order of the
/// goals.
fn bend(reaches: &[Option<Reach>; 4], roots: &[Vec3; 4], pivot_ms: Vec3, joints: usize) -> Vec3 {
    let missing = |goal: IkGoal| {
        let reach = reaches[goal.index()]?;
        let missing = reach.missing() * (reach.weight * reach.part);
        Some((missing, missing.length()))
    };
    let hands = [IkGoal::LeftHand, IkGoal::RightHand];
    let all: f32 = hands.iter().filter_map(|g| missing(*g)).map(|m| m.1).sum();
    let mut turn = Vec3::ZERO;
    for goal in hands {
        let Some((vector, size)) = missing(goal).filter(|m| m.1 > 0.0) else { continue };
        let lever = roots[goal.index()] - pivot_ms;
        let least = 1e-6 * size * size;
        turn += lever.cross(vector) * (size / (all * lever.length_squared().max(least).max(1e-20) * joints as f32));
    }
    turn
}

impl PoseSteps<'_> {
    /// Bends the spine and moves the hips by the settings. The core joints' frames are up to
    /// date before and after.
    ///
    /// Returns how far the hips have moved, model space.
    pub(crate) fn compensate_reach(&mut self, animated: &[AnimatedGoal; 4]) -> Vec3 {
        if self.settings.spine_weight > 0.0 {
            self.bend_spine(animated);
        }
        self.move_hips(animated, Vec3::ZERO).unwrap_or(Vec3::ZERO)
    }

    /// Moves the hips so that goals which pull come within reach. `moved_ms`: how far they have
    /// moved for that already; the result is as if they moved once. Returns the further move;
    /// `None` without one.
    pub(crate) fn move_hips(&mut self, animated: &[AnimatedGoal; 4], moved_ms: Vec3) -> Option<Vec3> {
        if self.settings.pull_weights.iter().all(|p| *p <= 0.0) {
            return None;
        }
        let hips = self.avatar.body.hips();
        let reaches = IkGoal::ALL.map(|goal| self.reach(goal, animated, moved_ms));
        let d = hips_move(&self.without_carried(reaches, hips)) - moved_ms;
        if d == Vec3::ZERO || !d.is_finite() {
            return None;
        }
        let position = self.pose.model(hips).position + d;
        self.pose.set_position_ms(self.skeleton, hips, position);
        self.pose.update_joints(self.skeleton, &self.avatar.core_joints);
        Some(d)
    }

    /// The reach of a limb as before the hips moved; they have by `moved_ms`.
    fn reach(&self, goal: IkGoal, animated: &[AnimatedGoal; 4], moved_ms: Vec3) -> Option<Reach> {
        let given = &self.input.goals[goal.index()];
        // Below this a target moves with the body.
        if given.position_weight < 1e-4 {
            return None;
        }
        let joints = &self.avatar.limb(goal).joints;
        let [root, mid, mut end] = [joints.root(), joints.mid(), joints.end()].map(|j| self.pose.model(j).position);
        let target = match self.places {
            Some(_) => self.expected_target_ms(goal, animated),
            None => given.position.map_or(animated[goal.index()].position_ms, |p| self.point_in(p)),
        } + moved_ms;
        // An end that the hips do not carry (feet of some robots) has stayed.
        if !self.skeleton.is_self_or_ancestor(self.avatar.body.hips(), joints.end()) {
            end += moved_ms;
        }
        let longest = length(mid - root) + length(end - mid);
        Some(Reach {
            to_target: end.lerp(target, given.position_weight) - root,
            length: longest,
            inside: (INSIDE * longest).max(length(end - root).min(longest)),
            weight: given.position_weight,
            pull: self.settings.pull_weights[goal.index()] * given.position_weight,
            part: 1.0,
        })
    }

    /// The reaches but those of goals that a joint carries: moving that brings them no nearer. One
    /// that it carries in part counts in part, so nothing jumps as a carrier's weight begins.
    #[inline(always)]
    fn without_carried(&self, mut reaches: [Option<Reach>; 4], joint: JointIndex) -> [Option<Reach>; 4] {
        if self.places.is_some_and(GoalPlaces::has_space) {
            for (goal, reach) in IkGoal::ALL.into_iter().zip(&mut reaches) {
                let part = self.staying(joint, goal);
                *reach = reach.map(|r| Reach { pull: r.pull * part, part, ..r }).filter(|_| part > 0.0);
            }
        }
        reaches
    }

    fn bend_spine(&mut self, animated: &[AnimatedGoal; 4]) {
        let rig = self.avatar;
        let spine = rig.look_at.spine();
        // Missing distance at the end: `1 − weight` times the present one.
        let left = IkGoal::ALL.map(|goal| {
            self.reach(goal, animated, Vec3::ZERO)
                .map_or(0.0, |r| (1.0 - self.settings.spine_weight) * length(r.missing()))
        });
        let mut bent = 0.0;
        for _ in 0..BEND_ROUNDS {
            let reaches = IkGoal::ALL.map(|goal| {
                self.reach(goal, animated, Vec3::ZERO).map(|r| Reach { length: r.inside + left[goal.index()], ..r })
            });
            let roots = IkGoal::ALL.map(|goal| self.pose.model(rig.limb(goal).joints.root()).position);
            for &joint in spine {
                let pivot = self.pose.model(joint).position;
                let turn = bend(&self.without_carried(reaches, joint), &roots, pivot, spine.len());
                let wanted = length(turn);
                let angle = wanted.min(MAX_BEND - bent);
                if angle > 0.0 && angle.is_finite() {
                    bent += angle;
                    let turn_ms = axis_angle(turn / wanted, angle);
                    let limits = self.active_limits();
                    rig.look_at.turn_joint(self.skeleton, self.pose, joint, turn_ms, limits);
                }
            }
            self.pose.update_joints(self.skeleton, &rig.core_joints);
        }
    }
}
