//! Dragging one joint of a pose, as editors do it (Blender's Auto IK): a chain of so many joints
//! follows, pinned joints stay, limits hold.
//!
//! It is a solve of its own, beside the body's tasks: the dragged joint has one task, each pin has
//! one of a higher priority, and the body's root is moved to the end of the chain, so that nothing
//! above it can turn.

use super::couplings::JointCoupling;
use super::demand::Demand;
use super::placed::{BodyTaskName, PlacedBody, PlacedBodyError, PlacedDemand};
use super::solver::{Body, BodyOutcome};
use crate::math::{Quat, Transform, Vec3};
use crate::skeleton::JointIndex;
use crate::tasks::{Orientation, Position};
use std::sync::Arc;

/// A joint that stays where the pose has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DragPin {
    /// The joint.
    pub joint: JointIndex,
    /// Whether it keeps its rotation, too.
    pub holds_rotation: bool,
}

/// What is dragged, and where to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag<'a> {
    /// The joint that is dragged.
    pub joint: JointIndex,
    /// The point of it that goes to the goal, in its own space.
    pub point_js: Vec3,
    /// Where the point goes, world space.
    pub goal_ws: Vec3,
    /// How the joint is turned, world space; `None`: it turns with what carries it.
    pub rotation_ws: Option<Quat>,
    /// How many joints above the dragged one may turn. 0: all up to the body's root, which moves
    /// and turns as the body's settings allow. Otherwise the chain ends at the body's root at the
    /// latest, which then turns, if it floats, and does not move.
    pub chain_length: u32,
    /// Joints that stay; they come before the goal. The dragged joint among them counts as none,
    /// and so do joints that nothing in the chain moves.
    pub pins: &'a [DragPin],
}

/// Drags joints of a body's rig; keeps the set-up of the last drag for the next.
#[derive(Clone, Debug, Default)]
pub struct Dragger {
    set_up: Option<Box<SetUp>>,
}

/// The set-up of a drag.
#[derive(Clone, Debug)]
struct SetUp {
    /// Root of the owner.
    root: JointIndex,
    joint: JointIndex,
    chain_length: u32,
    pins: Vec<DragPin>,
    floats: bool,
    couplings: Vec<(JointIndex, JointCoupling)>,
    moves: bool,
    body: PlacedBody,
    moved: BodyTaskName,
    turned: Option<BodyTaskName>,
}

/// Root of a chain, whether it turns, and whether it moves.
struct ChainRoot {
    root: JointIndex,
    floats: bool,
    moves: bool,
}

fn chain_root(body: &Body, joint: JointIndex, chain_length: u32) -> ChainRoot {
    let skeleton = &body.skeleton;
    let most = if chain_length == 0 { usize::MAX } else { chain_length as usize };
    let mut top = joint;
    for _ in 0..most {
        match skeleton.parent(top) {
            Some(parent) if top != body.root => top = parent,
            _ => break,
        }
    }
    match skeleton.parent(top) {
        _ if top == body.root => ChainRoot { root: top, floats: body.floating, moves: chain_length == 0 },
        Some(above) => ChainRoot { root: above, floats: false, moves: false },
        None => ChainRoot { root: top, floats: true, moves: false },
    }
}

impl SetUp {
    fn new(owner: &PlacedBody, drag: &Drag<'_>) -> Result<Self, PlacedBodyError> {
        let ChainRoot { root, floats, moves } = chain_root(owner.body(), drag.joint, drag.chain_length);
        let skeleton = owner.skeleton();
        let mut body = PlacedBody::new(skeleton.clone(), root)?;
        body.set_floating(floats);
        body.copy_couplings(owner);
        let pins = drag.pins.iter().filter(|p| p.joint != drag.joint && skeleton.is_self_or_ancestor(root, p.joint));
        let mut level = 0;
        for pin in pins {
            level = 1;
            let hold = |demand| PlacedDemand { demand, axes_in_model: false, pinned: true };
            body.add_task(hold(Demand::new(Position::new(pin.joint, Vec3::ZERO))))?;
            if pin.holds_rotation {
                body.add_task(hold(Demand::new(Orientation::new(pin.joint, Quat::IDENTITY))))?;
            }
        }
        let moved = Demand { level, ..Demand::new(Position::new(drag.joint, Vec3::ZERO)) };
        let moved = body.add_task(moved.into())?;
        let turned = match drag.rotation_ws {
            Some(goal) => {
                let turned = Demand { level, ..Demand::new(Orientation::new(drag.joint, goal)) };
                Some(body.add_task(turned.into())?)
            }
            None => None,
        };
        let (joint, chain_length, pins) = (drag.joint, drag.chain_length, drag.pins.to_vec());
        Ok(Self {
            root: owner.body().root,
            joint,
            chain_length,
            pins,
            floats: owner.is_floating(),
            couplings: owner.body().couplings.clone(),
            moves,
            body,
            moved,
            turned,
        })
    }
    /// Whether the set-up is that of a drag.
    fn is_of(&self, owner: &PlacedBody, drag: &Drag<'_>) -> bool {
        Arc::ptr_eq(self.body.skeleton(), owner.skeleton())
            && self.root == owner.body().root
            && self.joint == drag.joint
            && self.chain_length == drag.chain_length
            && self.pins == drag.pins
            && self.floats == owner.is_floating()
            && self.couplings == owner.body().couplings
            && self.turned.is_some() == drag.rotation_ws.is_some()
    }
    fn run(
        &mut self,
        owner: &PlacedBody,
        local: &mut [Transform],
        drag: &Drag<'_>,
    ) -> Result<BodyOutcome, PlacedBodyError> {
        let mut settings = *owner.settings();
        if !self.moves {
            settings.root_move_mobility = 0.0;
        }
        // Levels of the owner's tasks: the drag's own are those of pins and goal.
        settings.max_level = Demand::MAX_LEVEL;
        self.body.set_settings(settings);
        self.body.set_max_work(owner.max_work());
        self.body.copy_limits(owner);
        self.body.set_root(*owner.root())?;
        let mut moved = self.body.task(self.moved)?.clone();
        let goal = Position { point_js: drag.point_js, ..Position::new(drag.joint, drag.goal_ws) };
        moved.demand.task = goal.into();
        self.body.set_task(self.moved, moved)?;
        if let (Some(name), Some(goal)) = (self.turned, drag.rotation_ws) {
            let mut turned = self.body.task(name)?.clone();
            turned.demand.task = Orientation::new(drag.joint, goal).into();
            self.body.set_task(name, turned)?;
        }
        self.body.solve(local, 0.0)
    }
}

impl Dragger {
    /// Whether [`Self::drag`] would allocate.
    pub fn needs_set_up(&self, owner: &PlacedBody, drag: &Drag<'_>) -> bool {
        let is_ready =
            |set_up: &SetUp| set_up.is_of(owner, drag) && !set_up.body.body().lacks_room_for_limits(owner.body());
        !self.set_up.as_deref().is_some_and(is_ready)
    }
    /// Drags a joint of a pose (local transforms, one per joint), in place. Skeleton, root
    /// transform, limits and settings are those of `owner`; its tasks do not count. To drag with a
    /// mouse, give each call the pose at which the drag began: then the answer depends on the goal
    /// alone, and back at the start nothing has moved. Allocates only when skeleton, joint, chain
    /// length or pins are others than in the call before.
    pub fn drag(
        &mut self,
        owner: &PlacedBody,
        local: &mut [Transform],
        drag: &Drag<'_>,
    ) -> Result<BodyOutcome, PlacedBodyError> {
        owner.body().check_joint(drag.joint)?;
        for pin in drag.pins {
            owner.body().check_joint(pin.joint)?;
        }
        let set_up = match self.set_up.take() {
            Some(set_up) if set_up.is_of(owner, drag) => set_up,
            _ => Box::new(SetUp::new(owner, drag)?),
        };
        self.set_up.insert(set_up).run(owner, local, drag)
    }
}
