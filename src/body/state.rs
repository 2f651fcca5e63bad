//! Joints of a body in work: rotations, forward kinematics, centre of mass.

use super::plan::Plan;
use crate::limits::JointModel;
use crate::math::{Quat, Vec3};
use crate::skeleton::Pose;
use crate::tasks::Placement;

/// Coordinates of a pose.
#[derive(Clone, Debug, Default)]
pub(super) struct Coordinates {
    /// Root's position in model space.
    pub root: Vec3,
    /// Rotation of each joint counted from rest; of the root, its rotation in model space.
    pub turns: Vec<Quat>,
}

impl Coordinates {
    pub fn new(joints: usize) -> Self {
        Self { root: Vec3::ZERO, turns: vec![Quat::IDENTITY; joints] }
    }
    pub fn copy_from(&mut self, other: &Self) {
        self.root = other.root;
        self.turns.copy_from_slice(&other.turns);
    }
}

/// What does not change in a solve, of one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub parent: usize,
    /// From the parent joint, in the parent's space.
    pub offset: Vec3,
    /// Rotation in the parent's space from which turns count.
    pub rest: Quat,
    /// Mass and mass times centre in the joint's space, of the joint and all it carries that does not take part.
    pub mass: f32,
    pub moment: Vec3,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub links: Vec<Link>,
    pub at: Coordinates,
    pub position: Vec<Vec3>,
    pub rotation: Vec<Quat>,
    /// Rotation that each joint would have at rest: `R[parent] · rest`.
    pub frame: Vec<Quat>,
    pub center_of_mass: Vec3,
    pub total_mass: f32,
}

impl State {
    pub fn new(plan: &Plan) -> Self {
        let n = plan.joints.len();
        let link = |parent: &usize| Link {
            parent: *parent,
            offset: Vec3::ZERO,
            rest: Quat::IDENTITY,
            mass: 0.0,
            moment: Vec3::ZERO,
        };
        Self {
            links: plan.parents.iter().map(link).collect(),
            at: Coordinates::new(n),
            position: vec![Vec3::ZERO; n],
            rotation: vec![Quat::IDENTITY; n],
            frame: vec![Quat::IDENTITY; n],
            center_of_mass: Vec3::ZERO,
            total_mass: 0.0,
        }
    }
    /// Takes over another state of the same plan.
    pub fn copy_from(&mut self, other: &Self) {
        self.links.copy_from_slice(&other.links);
        self.at.copy_from(&other.at);
        self.position.copy_from_slice(&other.position);
        self.rotation.copy_from_slice(&other.rotation);
        self.frame.copy_from_slice(&other.frame);
        (self.center_of_mass, self.total_mass) = (other.center_of_mass, other.total_mass);
    }
    /// Reads bones, coordinates and masses from an updated pose. Bones are as the pose has them in model space, so even scales count.
    pub fn load(&mut self, plan: &Plan, origins: &[Quat], pose: &Pose, masses: &[(f32, Vec3)]) {
        for (place, &joint) in plan.joints.iter().enumerate() {
            let frame = pose.model(joint);
            let link = &mut self.links[place];
            if place == 0 {
                self.at.root = frame.position;
                self.at.turns[0] = frame.rotation;
                (link.mass, link.moment) = (0.0, Vec3::ZERO);
                (self.position[0], self.rotation[0]) = (frame.position, frame.rotation);
                continue;
            }
            let (above, turned) = (self.position[link.parent], self.rotation[link.parent]);
            let back = turned.conjugate();
            *link = Link {
                parent: link.parent,
                offset: back * (frame.position - above),
                rest: origins[place],
                mass: 0.0,
                moment: Vec3::ZERO,
            };
            self.at.turns[place] = (link.rest.conjugate() * (back * frame.rotation)).normalize();
            (self.position[place], self.rotation[place]) = (frame.position, frame.rotation);
        }
        self.total_mass = 0.0;
        if !plan.has_center_of_mass {
            return;
        }
        for (joint, (mass, center_js)) in masses.iter().enumerate() {
            let carrier = plan.carrier[joint];
            if *mass <= 0.0 || carrier == usize::MAX {
                continue;
            }
            let frame = pose.model(joint);
            let center = frame.position + frame.rotation * *center_js - self.position[carrier];
            let link = &mut self.links[carrier];
            link.mass += mass;
            link.moment += (self.rotation[carrier].conjugate() * center) * *mass;
            self.total_mass += mass;
        }
    }
    /// Forward kinematics.
    pub fn forward(&mut self) {
        self.position[0] = self.at.root;
        self.rotation[0] = self.at.turns[0];
        self.frame[0] = Quat::IDENTITY;
        for i in 1..self.links.len() {
            let link = &self.links[i];
            let outer = self.rotation[link.parent];
            self.position[i] = self.position[link.parent] + outer * link.offset;
            let frame = outer * link.rest;
            self.frame[i] = frame;
            let turned = frame * self.at.turns[i];
            // One step of Newton's method for 1/√ keeps the length.
            self.rotation[i] = turned * (1.5 - 0.5 * turned.length_squared());
        }
        if self.total_mass > 0.0 {
            let mut sum = Vec3::ZERO;
            for (i, link) in self.links.iter().enumerate() {
                if link.mass > 0.0 {
                    sum += (self.position[i] - self.at.root) * link.mass + self.rotation[i] * link.moment;
                }
            }
            self.center_of_mass = self.at.root + sum * (1.0 / self.total_mass);
        }
    }
    /// Takes every joint into its limits.
    pub fn project(&mut self, models: &[JointModel]) {
        for (turn, model) in self.at.turns.iter_mut().zip(models).skip(1) {
            *turn = model.project(*turn);
        }
    }
    pub fn placement(&self, i: usize) -> Placement {
        Placement { position: self.position[i], rotation: self.rotation[i] }
    }
}
