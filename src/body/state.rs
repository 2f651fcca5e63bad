//! Joints of a body in work: rotations, forward kinematics, centre of mass.

use super::couplings::Coupled;
use super::plan::Plan;
use crate::limits::PreparedJoint;
use crate::math::rigid::{times, turn_vec3};
use crate::math::{Quat, Vec3, unit_quat};
use crate::skeleton::Pose;
use crate::tasks::Placement;

/// Coordinates of a pose.
#[derive(Clone, Debug, Default)]
pub(super) struct Coordinates {
    /// Root's position in model space.
    pub root: Vec3,
    /// Rotation of each joint counted from rest, in its limit space; of the root, its rotation in
    /// model space.
    pub turns: Vec<Quat>,
    /// Factor on the length of the bone that leads to each joint; 1: as in the incoming pose.
    pub stretch: Vec<f32>,
    /// Way of each joint that slides from its rest position along its axis; else 0.
    pub moved: Vec<f32>,
}

impl Coordinates {
    pub fn new(joints: usize) -> Self {
        Self {
            root: Vec3::ZERO,
            turns: vec![Quat::IDENTITY; joints],
            stretch: vec![1.0; joints],
            moved: vec![0.0; joints],
        }
    }
    pub fn copy_from(&mut self, other: &Self) {
        self.root = other.root;
        self.turns.copy_from_slice(&other.turns);
        self.stretch.copy_from_slice(&other.stretch);
        self.moved.copy_from_slice(&other.moved);
    }
}

/// What does not change in a solve, of one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub parent: usize,
    /// From the parent joint, in the parent's limit space.
    pub offset: Vec3,
    /// Of a joint that slides, the same at rest, and the axis, as long as a unit of its way.
    pub base: Vec3,
    pub slide: Vec3,
    /// Limit space at rest, in the parent's limit space.
    pub rest: Quat,
    /// The joint's own space in its limit space.
    pub joint_from_limit: Quat,
    /// Mass and mass times centre in the joint's limit space, of the joint and all it carries that
    /// does not take part.
    pub mass: f32,
    pub moment: Vec3,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub links: Vec<Link>,
    pub at: Coordinates,
    pub position: Vec<Vec3>,
    /// Rotation of each joint's limit space.
    pub rotation: Vec<Quat>,
    /// The same at rest: `rotation[parent] · rest`.
    pub frame: Vec<Quat>,
    pub center_of_mass: Vec3,
    pub total_mass: f32,
    /// Joints that follow others.
    pub couplings: Vec<Coupled>,
    /// Whether any joint slides.
    slides: bool,
}

/// A rotation turned further by a rotation vector, by the Cayley map: exact axis, angle
/// `2 atan(|v|/2)`.
#[inline(always)]
pub(super) fn turned(now: Quat, v: Vec3) -> Quat {
    let by = unit_quat(Quat::from_xyzw(0.5 * v.x, 0.5 * v.y, 0.5 * v.z, 1.0));
    unit_quat(times(by, now))
}

/// Limit space at rest in the limit space of the joint above: by the space of that joint in its
/// limit space, the joint's origin and its limit space.
pub(super) fn rest_of(above: Quat, origin: Quat, limit: Quat) -> Quat {
    (above * origin * limit).normalize()
}

impl State {
    pub fn new(plan: &Plan) -> Self {
        let n = plan.joints.len();
        let link = |parent: &usize| Link {
            parent: *parent,
            offset: Vec3::ZERO,
            base: Vec3::ZERO,
            slide: Vec3::ZERO,
            rest: Quat::IDENTITY,
            joint_from_limit: Quat::IDENTITY,
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
            couplings: Vec::new(),
            slides: false,
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
        self.slides = other.slides;
    }
    /// Reads bones, coordinates and masses from an updated pose. Bones are as the pose has them in
    /// model space, so even scales count. With `keeps_violations`, what of a joint's turn is beyond
    /// its limits becomes part of its own space.
    pub fn load(
        &mut self,
        plan: &Plan,
        models: &[PreparedJoint],
        (origins, rests): (&[Quat], &[Quat]),
        pose: &Pose,
        masses: &[(f32, Vec3)],
        keeps_violations: bool,
    ) {
        self.at.stretch.fill(1.0);
        self.at.moved.fill(0.0);
        self.slides = false;
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
            let (frame_above, limit) = (self.links[self.links[place].parent].joint_from_limit, models[place].frame());
            let link = &mut self.links[place];
            let offset = back * (frame.position - above);
            *link = Link {
                parent: link.parent,
                offset,
                base: offset,
                slide: Vec3::ZERO,
                // A violation that is kept turns the space of the joint above.
                rest: if keeps_violations { rest_of(frame_above, origins[place], limit) } else { rests[place] },
                joint_from_limit: limit.conjugate(),
                mass: 0.0,
                moment: Vec3::ZERO,
            };
            let mut rotation = frame.rotation * limit;
            let mut turn = (link.rest.conjugate() * (back * rotation)).normalize();
            if keeps_violations {
                let kept = models[place].project(turn);
                if kept != turn {
                    let beyond = (kept.conjugate() * turn).normalize();
                    link.joint_from_limit = (beyond * link.joint_from_limit).normalize();
                    rotation = (rotation * beyond.conjugate()).normalize();
                    turn = kept;
                }
            }
            self.at.turns[place] = turn;
            (self.position[place], self.rotation[place]) = (frame.position, rotation);
        }
        for coupled in &mut self.couplings {
            coupled.load(&self.at.turns);
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
            let center = frame.point_out(*center_js) - self.position[carrier];
            let link = &mut self.links[carrier];
            link.mass += mass;
            link.moment += (self.rotation[carrier].conjugate() * center) * *mass;
            self.total_mass += mass;
        }
    }
    /// Takes over a joint that slides: its axis in model space, as long as a unit of its way, and
    /// how far it has gone.
    pub fn load_slide(&mut self, place: usize, axis_ms: Vec3, moved: f32) {
        let link = &mut self.links[place];
        link.slide = self.rotation[link.parent].conjugate() * axis_ms;
        link.base = link.offset - link.slide * moved;
        self.at.moved[place] = moved;
        self.slides = true;
    }
    /// Forward kinematics, and the joints that follow others.
    #[inline(always)]
    pub fn forward(&mut self) {
        for coupled in &mut self.couplings {
            coupled.apply(&mut self.at.turns);
        }
        if self.slides {
            for (link, moved) in self.links.iter_mut().zip(&self.at.moved) {
                link.offset = link.base + link.slide * *moved;
            }
        }
        self.position[0] = self.at.root;
        self.rotation[0] = self.at.turns[0];
        self.frame[0] = Quat::IDENTITY;
        for i in 1..self.links.len() {
            let link = &self.links[i];
            let outer = self.rotation[link.parent];
            self.position[i] = self.position[link.parent] + turn_vec3(outer, link.offset * self.at.stretch[i]);
            let frame = times(outer, link.rest);
            self.frame[i] = frame;
            let turned = times(frame, self.at.turns[i]);
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
    /// Takes every joint that a task depends on into its limits.
    pub fn project(&mut self, models: &[PreparedJoint], needed: &[bool]) {
        for ((turn, model), needed) in self.at.turns.iter_mut().zip(models).zip(needed).skip(1) {
            if *needed {
                *turn = model.project(*turn);
            }
        }
    }
    /// Rotation of a joint in model space.
    #[inline(always)]
    pub fn joint_rotation(&self, i: usize) -> Quat {
        self.rotation[i] * self.links[i].joint_from_limit
    }
    #[inline(always)]
    pub fn placement(&self, i: usize) -> Placement {
        Placement { position: self.position[i], rotation: self.joint_rotation(i) }
    }
}
