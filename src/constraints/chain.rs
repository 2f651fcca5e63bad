//! A chain or tree of a skeleton's joints as a constraint: the way between a pose and the solvers
//! of [`crate::chains`].
//!
//! The solve space is that of the first joint's parent, relative to the first joint, so a moved,
//! turned, scaled, unevenly scaled or mirrored parent changes nothing but the places of the goals.
//! Bones are as long as the pose's own local positions make them. Even scale inside the chain is
//! carried along; uneven or mirroring scale *inside* a chain is not, and shows in the residual,
//! which is measured on the resulting pose.

use super::chain_limb;
use super::error::ConstraintError;
use super::goal::{ConstraintInput, MOVED, ModelGoal, axis_in, axis_out, handed, length_ws, point_in};
use super::kind::ConstraintKind;
use super::lines::GoalLines;
use super::pose_chain::{ChainEnd, PoseChain};
use crate::chains::{
    AxisGoal, ChainGoal, ChainSettings, ChainSolver, ChainWorkspace, Pole, WarmStart, solve_warm, solve_within,
};
use crate::closed_form::limb::LimbJoints;
use crate::limits::JointLimit;
use crate::math::{Frame, Mat3, Vec3, length, normalize_or};
use crate::optim::Work;
use crate::outcome::{Outcome, Status, weight01};
use crate::skeleton::{JointIndex, Pose, Skeleton};
use core::ops::Range;

/// Which joints form a chain and how they are solved. Limits of the joints are the animator's.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainDefinition {
    /// The ends, 1 to [`crate::chains::Chain::MAX_EFFECTORS`]. With one end the chain is a line of
    /// joints, with more it is a tree.
    pub ends: Vec<ChainEnd>,
    /// Number of joints from the first end upwards, the end counted; the last of them is the
    /// chain's root, which all ends must be below. 0, the default: up to the skeleton's root.
    pub joint_count: usize,
    /// The method; the default one reaches what can be reached.
    pub solver: ChainSolver,
    /// Tolerances and caps.
    pub settings: ChainSettings,
    /// Restricts the chain to a plane: every joint turns about this axis only (model space, rest
    /// pose), and positions count only in the plane across it. `None`, the default: no plane.
    pub plane_axis_ms: Option<Vec3>,
    /// How much each joint opens and closes, relative to the others, under [`ChainSolver::Spring`],
    /// one number per joint from the chain's root on, 0 or more; empty, the default: all 1. See
    /// [`crate::chains::Chain::set_spring_bias`].
    pub spring_bias: Vec<f32>,
    /// Whether a solve starts at the last answer, so that a chain with limits or branches stays in
    /// its family of answers and a goal that it cannot meet costs one attempt from another pose a
    /// solve; see [`crate::chains::solve_warm`]. Default false: an answer depends on the pose and
    /// the input of its frame alone.
    pub warm_start: bool,
}

/// No end yet; default solver. Allocates nothing.
impl Default for ChainDefinition {
    fn default() -> Self {
        Self {
            ends: Vec::new(),
            joint_count: 0,
            solver: ChainSolver::Default,
            settings: ChainSettings::default(),
            plane_axis_ms: None,
            spring_bias: Vec::new(),
            warm_start: false,
        }
    }
}

impl ChainDefinition {
    /// The whole way from the skeleton's root to `joint`, default solver.
    pub fn to_root(joint: JointIndex) -> Self {
        Self { ends: vec![ChainEnd { joint, tip_js: Vec3::ZERO }], ..Self::default() }
    }
    /// The last `joint_count` joints down to `joint`, default solver.
    pub fn ending_at(joint: JointIndex, joint_count: usize) -> Self {
        Self { joint_count, ..Self::to_root(joint) }
    }
}

/// Whether the effective goals depend on where the ends are; they do not for positions and
/// rotations of full weight.
pub(super) fn depends_on_ends(input: &ConstraintInput) -> bool {
    let weight = weight01(input.weight);
    input.goals.iter().any(|goal| {
        let position = goal.distance.is_some() || weight * weight01(goal.position_weight) < 1.0;
        let rotation = weight * weight01(goal.rotation_weight) < 1.0;
        (goal.position_ws.is_some() && position) || (goal.rotation_ws.is_some() && rotation) || goal.axis_ws.is_some()
    })
}

/// The constraint on a skeleton, with its scratch.
#[derive(Clone, Debug)]
pub(super) struct ChainConstraint {
    joints: PoseChain,
    /// The joints above the chain's root, in joint order.
    above: Box<[JointIndex]>,
    /// Plane axis in the space of the root joint's parent, unit; zero: no plane.
    plane_axis_ps: Vec3,
    /// Goals of the ends, model space.
    active_goals: Box<[ModelGoal]>,
    goals: Box<[ChainGoal]>,
    workspace: ChainWorkspace,
    solver: ChainSolver,
    /// As defined; `settings` are these at the present iteration_scale.
    full_settings: ChainSettings,
    settings: ChainSettings,
    before: Box<[Before]>,
    /// The last answer, where solves start at it.
    warm: Option<WarmStart>,
    /// The limb that a chain of two bones is, when its solver and ends are plain.
    limb: Option<LimbJoints>,
}

/// An end before the solve, model space.
#[derive(Clone, Copy, Debug)]
struct Before {
    tip_ms: Vec3,
    frame: Frame,
}

impl ChainConstraint {
    pub fn new(skeleton: &Skeleton, definition: &ChainDefinition) -> Result<Self, ConstraintError> {
        let mut joints = PoseChain::new(skeleton, &definition.ends, definition.joint_count)?;
        joints.chain.set_spring_bias(&definition.spring_bias)?;
        let root = joints.path[0];
        let plane_axis_ps = match definition.plane_axis_ms {
            Some(axis) if !(length(axis) > 1e-12 && axis.is_finite()) => {
                return Err(ConstraintError::BadNumber("plane_axis_ms"));
            }
            Some(axis) => {
                let parent = skeleton.parent(root).map_or(Frame::IDENTITY, |p| skeleton.rest_model()[p]);
                axis_in(&parent, axis)
            }
            None => Vec3::ZERO,
        };
        let ends = joints.ends.len();
        let limb = match (&*joints.path, &*joints.ends, definition.solver) {
            ([root, mid, end], [tip], ChainSolver::Default)
                if tip.tip_js == Vec3::ZERO && plane_axis_ps == Vec3::ZERO =>
            {
                LimbJoints::new(skeleton, *root, *mid, *end)
            }
            _ => None,
        };
        let mut constraint = Self {
            above: skeleton.with_ancestors(skeleton.parent(root)),
            workspace: ChainWorkspace::new(&joints.chain),
            active_goals: vec![ModelGoal::default(); ends].into(),
            goals: vec![ChainGoal::default(); ends].into(),
            before: vec![Before { tip_ms: Vec3::ZERO, frame: Frame::IDENTITY }; ends].into(),
            warm: definition.warm_start.then(|| WarmStart::new(&joints.chain)),
            joints,
            limb,
            plane_axis_ps,
            solver: definition.solver,
            full_settings: definition.settings,
            settings: definition.settings,
        };
        for joint in constraint.joints.path.clone() {
            constraint.set_limit(skeleton, joint, &JointLimit::free(skeleton, joint));
        }
        Ok(constraint)
    }

    fn plane_axis(&self) -> Option<Vec3> {
        (self.plane_axis_ps != Vec3::ZERO).then_some(self.plane_axis_ps)
    }

    /// Solves a chain that is a limb with nothing but a position to reach.
    fn solve_limb(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
    ) -> Option<Outcome> {
        let limb = self.limb.as_ref().filter(|_| self.joints.chain.is_ball() && self.joints.chain.is_rigid())?;
        let (goal, before) = (&input.goals[0], &self.before[0]);
        let more = goal.rotation_ws.is_some() || goal.axis_ws.is_some() || goal.distance.is_some();
        if more || input.pole_ws.is_some() {
            return None;
        }
        let given = goal.in_model(world, weight01(input.weight), before.tip_ms, &before.frame);
        self.active_goals[0] = given;
        chain_limb::solve(skeleton, pose, world, limb, given.position_ms?, self.settings.tolerance)
    }

    /// With the steps that are left in the workspace.
    fn solve_goals(&mut self, skeleton: &Skeleton, pose: &mut Pose, world: &Frame, input: &ConstraintInput) -> Outcome {
        let requested =
            |g: &super::ConstraintGoal| g.position_ws.is_some() || g.rotation_ws.is_some() || g.axis_ws.is_some();
        if weight01(input.weight) <= 0.0 || !input.goals.iter().any(requested) {
            self.reset();
            return Outcome::INACTIVE;
        }
        if depends_on_ends(input) {
            self.remember_ends(pose);
        }
        if let Some(outcome) = self.solve_limb(skeleton, pose, world, input) {
            self.reset();
            return outcome;
        }
        let parent = &pose.parent_frame(skeleton, self.joints.path[0]);
        let Some(to_parent) = parent.inverse_linear() else {
            // Nothing moves below a scale of zero.
            self.reset();
            (0..self.joints.ends.len()).for_each(|e| self.load_goal(e, world, input));
            self.joints.update_frames(skeleton, pose);
            let kept = Outcome { status: Status::Unreachable, ..Outcome::INACTIVE };
            return self.measure(pose, world, input, parent, kept);
        };
        self.joints.read(pose);
        self.set_goals(pose, world, input, parent, to_parent);
        let (chain, chain_pose) = (&self.joints.chain, &mut self.joints.pose);
        let (goals, settings, workspace) = (&*self.goals, &self.settings, &mut self.workspace);
        let solved = match &mut self.warm {
            Some(warm) => solve_warm(self.solver, chain, chain_pose, goals, settings, workspace, warm),
            None => solve_within(self.solver, chain, chain_pose, goals, settings, workspace),
        };
        if solved.status == Status::Inactive {
            return solved;
        }
        self.joints.write(pose);
        // What the solver has measured is what is left, where nothing but a position is given and
        // no scale is between.
        let (goal, given) = (&input.goals[0], &self.active_goals[0]);
        let is_plain = self.goals.len() == 1
            && goal.distance.is_none()
            && given.rotation_ms.is_none()
            && given.axis_ms.is_none()
            && self.plane_axis().is_none();
        if is_plain
            && solved.status == Status::Reached
            && self.joints.is_unscaled
            && parent.is_rigid()
            && world.is_rigid()
        {
            return solved;
        }
        self.joints.update_frames(skeleton, pose);
        self.measure(pose, world, input, parent, solved)
    }

    /// The goal of an end at its weights, model space.
    fn load_goal(&mut self, end: usize, world: &Frame, input: &ConstraintInput) {
        let before = &self.before[end];
        self.active_goals[end] = input.goals[end].in_model(world, weight01(input.weight), before.tip_ms, &before.frame);
    }

    /// The goals at their weights, and the pole, in the solve space. `before` holds the ends.
    fn set_goals(&mut self, pose: &Pose, world: &Frame, input: &ConstraintInput, parent: &Frame, to_parent: Mat3) {
        let weight = weight01(input.weight);
        let root_ms = parent.point_out(pose.local()[self.joints.path[0]].position);
        let point = |p: Vec3| to_parent * (p - root_ms);
        let pole = input.pole_in_model(world).map(|pole| Pole {
            at: if pole.is_direction { to_parent * pole.at } else { point(pole.at) },
            angle_rad: handed(parent) * pole.angle_rad,
            weight: pole.weight * weight,
            ..pole
        });
        for e in 0..self.joints.ends.len() {
            self.load_goal(e, world, input);
            let given = self.active_goals[e];
            let flat = |p: Vec3| match self.plane_axis() {
                // Along the axis the tip stays where the rest pose has it.
                Some(axis) => p - axis * axis.dot(p - self.rest_tip(e)),
                None => p,
            };
            let center_ms = input.goals[e].position_ws.map_or(Vec3::ZERO, |center_ws| point_in(world, center_ws));
            self.goals[e] = ChainGoal {
                position: given.position_ms.map(|p| flat(point(p))),
                distance: given.distance.map(|distance| distance.in_chain(point(center_ms), world, parent)),
                rotation: given.rotation_ms.map(|r| parent.rotation_in(r)),
                axis: given.axis_ms.map(|axis| AxisGoal {
                    axis: normalize_or(axis.axis, Vec3::Y),
                    direction: axis_in(parent, axis.direction),
                }),
                position_importance: input.goals[e].position_importance,
                rotation_importance: input.goals[e].rotation_importance,
                pole: if e == 0 { pole } else { None },
                spring_share: weight * weight01(input.goals[e].position_weight),
            };
        }
    }

    fn remember_ends(&mut self, pose: &Pose) {
        for (before, end) in self.before.iter_mut().zip(&self.joints.ends) {
            let frame = pose.model(end.joint);
            *before = Before { tip_ms: frame.point_out(end.tip_js), frame };
        }
    }

    /// What is left on the resulting pose: the worst end's.
    fn measure(&self, pose: &Pose, world: &Frame, input: &ConstraintInput, parent: &Frame, solved: Outcome) -> Outcome {
        let mut outcome = Outcome { residual_m: 0.0, residual_rad: 0.0, ..solved };
        let mut distances_kept = true;
        let tolerance_m = 1e-5 * length_ws(world, parent, self.joints.chain.length());
        let across_ms = self.plane_axis().map(|axis_ps| normalize_or(parent.vector_out(axis_ps), Vec3::Y));
        for (e, end) in self.joints.ends.iter().enumerate() {
            let frame = pose.model(end.joint);
            let left = self.active_goals[e].left(&input.goals[e], world, &frame, end.tip_js, across_ms);
            distances_kept &= !left.has_point && left.residual_m <= tolerance_m;
            outcome.residual_m = outcome.residual_m.max(left.residual_m);
            outcome.residual_rad = outcome.residual_rad.max(left.residual_rad);
        }
        if distances_kept && outcome.residual_rad <= self.settings.tolerance_rad {
            outcome.status = Status::Reached;
        }
        outcome
    }

    /// Where the rest rotations of the joints put an end's tip, solve space; its height over the
    /// plane never changes.
    fn rest_tip(&self, end: usize) -> Vec3 {
        let mut point = self.joints.chain.effectors()[end].offset;
        let mut joint = Some(self.joints.end_places[end]);
        while let Some(j) = joint {
            let here = &self.joints.chain.joints()[j];
            point = here.offset + here.rest * point;
            joint = here.parent;
        }
        point
    }
}

impl ConstraintKind for ChainConstraint {
    fn top(&self) -> JointIndex {
        self.joints.path[0]
    }
    fn joints(&self) -> Vec<JointIndex> {
        self.joints.path.to_vec()
    }
    fn settles(&self) -> bool {
        self.warm.is_some()
    }
    fn end_count(&self) -> usize {
        self.joints.ends.len()
    }
    fn set_limit(&mut self, skeleton: &Skeleton, joint: JointIndex, limit: &JointLimit) {
        if let Ok(place) = self.joints.path.binary_search(&joint) {
            let free = JointLimit::free(skeleton, joint);
            let limit = match self.plane_axis() {
                Some(axis_ps) => {
                    // A plane is that of the rest pose: limits that count from another one
                    // mean nothing in it.
                    let model = if limit.origin == free.origin { limit.model } else { free.model };
                    let root = self.joints.path[0];
                    let parent = skeleton.parent(root).map_or(Frame::IDENTITY, |p| skeleton.rest_model()[p]);
                    let axis_js = axis_in(&skeleton.rest_model()[joint], axis_out(&parent, axis_ps));
                    JointLimit { model: model.in_plane(axis_js), ..free }
                }
                None => *limit,
            };
            self.joints.set_limit(place, &limit);
        }
    }
    /// Allows this share, 0 … 1, of the iterations.
    fn set_iteration_scale(&mut self, share: f32) {
        self.settings = self.full_settings.with_iteration_scale(share);
    }
    /// Updates the frames that [`Self::solve`] reads: of the joints above the chain, and of its own
    /// where a goal depends on the ends in the pose.
    fn update_frames(&self, skeleton: &Skeleton, pose: &mut Pose, input: &ConstraintInput) {
        pose.update_joints(skeleton, &self.above);
        if depends_on_ends(input) {
            pose.update_joints(skeleton, &self.joints.path);
        }
    }
    /// Solves the chain on the pose, whose frames must be up to date (or just those of
    /// [`Self::update_frames`]); those of the chain's joints and of all below are stale when
    /// it returns.
    fn solve(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        work: &mut Work,
    ) -> Outcome {
        core::mem::swap(self.workspace.work_mut(), work);
        let outcome = self.solve_goals(skeleton, pose, world, input);
        core::mem::swap(self.workspace.work_mut(), work);
        outcome
    }
    /// The angle of `input`'s pole at which the chain swivels as it would without it, radians;
    /// frames up to date.
    fn angle_in_place(&mut self, skeleton: &Skeleton, pose: &Pose, world: &Frame, input: &ConstraintInput) -> f32 {
        let parent = pose.parent_frame(skeleton, self.joints.path[0]);
        let Some(to_parent) = parent.inverse_linear() else { return 0.0 };
        self.remember_ends(pose);
        self.joints.read(pose);
        self.joints.make_unit();
        self.set_goals(pose, world, input, &parent, to_parent);
        let goal = self.goals[0];
        let Some(pole) = goal.pole else { return 0.0 };
        handed(&parent) * pole.in_place(&self.joints.chain, &self.joints.pose, &goal, &mut self.workspace).angle_rad
    }
    fn excess_rad(&self, pose: &Pose) -> f32 {
        self.joints.excess_rad(pose, self.plane_axis().is_some())
    }
    fn is_measured_in(&self, joints: &Range<JointIndex>) -> bool {
        self.joints.ends.iter().any(|end| joints.contains(&end.joint))
    }
    fn measure_again(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        world: &Frame,
        input: &ConstraintInput,
        outcome: Outcome,
    ) -> Outcome {
        pose.update_joints(skeleton, &self.above);
        self.joints.update_frames(skeleton, pose);
        let parent = &pose.parent_frame(skeleton, self.joints.path[0]);
        let Outcome { residual_m, residual_rad, .. } = self.measure(pose, world, input, parent, outcome);
        let tolerance_m = self.settings.tolerance.max(MOVED) * length_ws(world, parent, self.joints.chain.length());
        let is_met = residual_m <= tolerance_m && residual_rad <= self.settings.tolerance_rad.max(MOVED);
        outcome.measured_again(residual_m, residual_rad, is_met)
    }
    fn reset(&mut self) {
        if let Some(warm) = &mut self.warm {
            warm.reset();
        }
    }
    fn write_state(&self, put: &mut dyn FnMut(u32)) {
        if let Some(warm) = &self.warm {
            warm.write(put);
        }
    }
    fn read_state(&mut self, next: &mut dyn FnMut() -> Option<u32>, commit: bool) -> Result<(), &'static str> {
        self.warm.as_mut().map_or(Ok(()), |warm| warm.read(next, commit))
    }
    fn draw(&mut self, lines: &mut GoalLines, input: &ConstraintInput) {
        for (end, goal) in self.joints.ends.iter().zip(&input.goals) {
            lines.end(end, goal);
        }
        lines.pole(&self.joints.path[..=self.joints.end_places[0]], input);
    }
    fn boxed(&self) -> Box<dyn ConstraintKind> {
        Box::new(self.clone())
    }
}
