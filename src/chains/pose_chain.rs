//! A chain solver on a pose: the way between a skeleton's joints and the chains of [`chain`](super::chain).
//!
//! The solve space is that of the first joint's parent, relative to the first joint, so a moved, turned, scaled, unevenly scaled or
//! mirrored parent changes nothing but where the goals lie. Bones are as long as the pose's own local positions make them. Even
//! scale inside the chain is carried along; uneven or mirroring scale *inside* a chain is not, and shows in the residual, which
//! is measured on the resulting pose.

use super::chain::ChainJoint;
use super::chain::{
    Chain, ChainError, ChainGoal, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Effector, Pole, solve,
};
use crate::goal::{Outcome, Status};
use crate::limits::JointModel;
use crate::math::{Quat, Vec3, length, rotation_angle, slerp_short};
use crate::skeleton::{JointIndex, Pose, Skeleton};

/// Which joints form a chain, what they may do, and how they are solved.
#[derive(Clone, Debug)]
pub struct PoseChainDefinition {
    /// Last joint of the chain.
    pub end: JointIndex,
    /// Number of joints, counted from the end upwards; 0, the default: up to the root.
    pub joint_count: usize,
    /// The point that shall be at the goal, in the end joint's own space (a weapon's tip); default zero, the end joint itself.
    pub tip_js: Vec3,
    /// What each joint may do, first joint first; empty, the default: free ball joints.
    pub models: Vec<JointModel>,
    /// The method; the default one reaches what can be reached.
    pub solver: ChainSolver,
    /// Tolerances and caps.
    pub settings: ChainSettings,
}

impl PoseChainDefinition {
    /// The whole way from the root to `end`, free joints, default solver.
    pub fn to_root(end: JointIndex) -> Self {
        Self {
            end,
            joint_count: 0,
            tip_js: Vec3::ZERO,
            models: Vec::new(),
            solver: ChainSolver::Default,
            settings: ChainSettings::default(),
        }
    }
}

/// Why a chain could not be set up on a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoseChainError {
    /// The end joint is not one of the skeleton's.
    #[error("joint {0} is not one of the skeleton's")]
    NoSuchJoint(JointIndex),
    /// More joints are asked for than lie between the end joint and the root.
    #[error("the chain has {asked} joints, only {there} lie between its end and the root")]
    TooLong {
        /// Joints asked for.
        asked: usize,
        /// Joints there are.
        there: usize,
    },
    /// The number of joint models is neither 0 nor the number of joints.
    #[error("{given} joint models for {joints} joints")]
    ModelCount {
        /// Joints of the chain.
        joints: usize,
        /// Models given.
        given: usize,
    },
    /// A number in the definition is not finite.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

/// What the chain's tip shall do, model space. The default asks nothing.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PoseChainGoal {
    /// Where the tip shall be, metres.
    pub position_ms: Option<Vec3>,
    /// How the end joint shall be turned.
    pub rotation_ms: Option<Quat>,
    /// Which way the chain shall bend; `at` is a point (or direction) in model space.
    pub pole_ms: Option<Pole>,
    /// How far tip and end joint go from where they are (0) to the goal (1).
    pub weight: f32,
}

/// A chain of a skeleton's joints with its solver and scratch. One per character and chain.
#[derive(Clone, Debug)]
pub struct PoseChain {
    path: Box<[JointIndex]>,
    tip_js: Vec3,
    chain: Chain,
    chain_pose: ChainPose,
    workspace: ChainWorkspace,
    solver: ChainSolver,
    settings: ChainSettings,
}

impl PoseChain {
    /// Sets the chain up.
    pub fn new(skeleton: &Skeleton, definition: &PoseChainDefinition) -> Result<Self, PoseChainError> {
        let end = definition.end;
        if end >= skeleton.joint_count() {
            return Err(PoseChainError::NoSuchJoint(end));
        }
        let there = 1 + skeleton.ancestors(end).count();
        let asked = if definition.joint_count == 0 { there } else { definition.joint_count };
        if asked > there {
            return Err(PoseChainError::TooLong { asked, there });
        }
        let mut path: Vec<JointIndex> = core::iter::once(end).chain(skeleton.ancestors(end)).take(asked).collect();
        path.reverse();
        if !definition.models.is_empty() && definition.models.len() != path.len() {
            return Err(PoseChainError::ModelCount { joints: path.len(), given: definition.models.len() });
        }
        let joints = path.iter().enumerate().map(|(place, &joint)| ChainJoint {
            parent: place.checked_sub(1),
            offset: if place == 0 { Vec3::ZERO } else { skeleton.rest_local()[joint].position },
            rest: skeleton.rest_local()[joint].rotation,
            model: definition.models.get(place).copied().unwrap_or(JointModel::FREE),
        });
        let effector = Effector { joint: path.len() - 1, offset: definition.tip_js };
        let chain = Chain::new(joints.collect(), vec![effector])?;
        Ok(Self {
            chain_pose: ChainPose::rest(&chain),
            workspace: ChainWorkspace::new(&chain),
            path: path.into(),
            tip_js: definition.tip_js,
            chain,
            solver: definition.solver,
            settings: definition.settings,
        })
    }

    /// First joint … end joint.
    pub fn path(&self) -> &[JointIndex] {
        &self.path
    }
    /// The end joint.
    pub fn end(&self) -> JointIndex {
        self.path[self.path.len() - 1]
    }
    /// Where the tip is, model space; the end joint's frame must be up to date.
    pub fn tip_ms(&self, pose: &Pose) -> Vec3 {
        pose.model(self.end()).point_out(self.tip_js)
    }

    /// Brings the pose's joints into the chain: rotations counted from rest, bones as long as the local positions make them.
    fn read(&mut self, skeleton: &Skeleton, pose: &Pose) {
        let mut scale = 1.0;
        let mut whole = 0.0;
        for (place, &joint) in self.path.iter().enumerate() {
            let local = &pose.local()[joint];
            if place > 0 {
                self.chain.joints[place].offset = local.position * scale;
                whole += length(self.chain.joints[place].offset);
            }
            let rest = skeleton.rest_local()[joint].rotation;
            self.chain_pose.rotations[place] = (rest.conjugate() * local.rotation.normalize()).normalize();
            self.chain_pose.stretch[place] = 1.0;
            let s = local.scale.abs();
            scale *= (s.x + s.y + s.z) / 3.0;
        }
        self.chain.effectors[0].offset = self.tip_js * scale;
        self.chain.length = whole + length(self.tip_js * scale);
    }

    fn write(&self, skeleton: &Skeleton, pose: &mut Pose) {
        for (place, &joint) in self.path.iter().enumerate() {
            let rest = skeleton.rest_local()[joint].rotation;
            let local = &mut pose.local_mut()[joint];
            local.rotation = (rest * self.chain_pose.rotations[place]).normalize();
            if place > 0 {
                local.position *= self.chain_pose.stretch[place - 1];
            }
        }
        pose.update_joints(skeleton, &self.path);
    }

    /// Solves the chain on the pose. The frames of the chain's joints and of what is above them must be up to date; they are
    /// when it returns, those below are stale. Changes nothing at weight 0, without a goal, or when a zero scale above the
    /// chain leaves no way to place it.
    pub fn solve(&mut self, skeleton: &Skeleton, pose: &mut Pose, goal: &PoseChainGoal) -> Outcome {
        if goal.weight <= 0.0 || (goal.position_ms.is_none() && goal.rotation_ms.is_none()) {
            return Outcome::INACTIVE;
        }
        let parent = pose.parent_frame(skeleton, self.path[0]);
        let Some(to_parent) = parent.inverse_linear() else {
            return Outcome { status: Status::Unreachable, ..Outcome::INACTIVE };
        };
        let root_ms = parent.point_out(pose.local()[self.path[0]].position);
        let (tip_ms, turned_ms) = (self.tip_ms(pose), pose.model(self.end()).rotation);
        let wanted_ms = goal.position_ms.map(|p| if goal.weight < 1.0 { tip_ms.lerp(p, goal.weight) } else { p });
        let turn_ms = goal.rotation_ms.map(|r| slerp_short(turned_ms, r.normalize(), goal.weight));
        self.read(skeleton, pose);
        let point = |p: Vec3| to_parent * (p - root_ms);
        let chain_goal = ChainGoal {
            position: wanted_ms.map(point),
            rotation: turn_ms.map(|r| parent.rotation_in(r)),
            pole: goal
                .pole_ms
                .map(|pole| Pole { at: if pole.is_direction { to_parent * pole.at } else { point(pole.at) }, ..pole }),
            ..ChainGoal::default()
        };
        let solved =
            solve(self.solver, &self.chain, &mut self.chain_pose, &[chain_goal], &self.settings, &mut self.workspace);
        if solved.status == Status::Inactive {
            return solved;
        }
        self.write(skeleton, pose);
        Outcome {
            residual_m: wanted_ms.map_or(0.0, |p| length(self.tip_ms(pose) - p)),
            residual_rad: turn_ms.map_or(0.0, |r| rotation_angle(pose.model(self.end()).rotation * r.conjugate())),
            ..solved
        }
    }
}
