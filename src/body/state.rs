//! Joints of a body in work: rotations, forward kinematics, centre of mass.

use super::couplings::Coupled;
use super::plan::Plan;
use crate::limits::PreparedJoint;
use crate::math::rigid::{times, turn_vec3};
use crate::math::{Quat, Transform, Vec3, unit_quat};
use crate::skeleton::{JointIndex, Pose};
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
/// limit space, and limit space at rest in that joint's space.
pub(super) fn rest_of(above: Quat, home: Quat) -> Quat {
    (above * home).normalize()
}

/// Where a joint is beside the joint above it, without the effects of scale.
fn beside_parent(pose: &Pose, joint: JointIndex, parent: JointIndex) -> (Vec3, Quat) {
    if !pose.is_scaled() {
        let Transform { position, rotation, .. } = pose.local()[joint];
        return (position, rotation);
    }
    let (own, above) = (pose.model(joint), pose.model(parent));
    let back = above.rotation.conjugate();
    (back * (own.position - above.position), back * own.rotation)
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
    /// Reads bones, coordinates and masses from an updated pose. Bones are as the pose has them in
    /// model space, so even scales count. With `keeps_violations`, what of a joint's turn is beyond
    /// its limits becomes part of its own space. Where the joints are then follows from
    /// [`Self::forward`].
    pub fn load(
        &mut self,
        plan: &Plan,
        models: &[PreparedJoint],
        (homes, rests): (&[Quat], &[Quat]),
        pose: &Pose,
        masses: &[(f32, Vec3)],
        keeps_violations: bool,
    ) {
        self.at.stretch.fill(1.0);
        self.at.moved.fill(0.0);
        self.slides = false;
        for (place, &joint) in plan.joints.iter().enumerate() {
            if place == 0 {
                let frame = pose.model(joint);
                (self.at.root, self.at.turns[0]) = (frame.position, frame.rotation);
                (self.links[0].mass, self.links[0].moment) = (0.0, Vec3::ZERO);
                continue;
            }
            let parent = plan.parents[place];
            let (position_ps, rotation_ps) = beside_parent(pose, joint, plan.joints[parent]);
            let (above, limit, home) = (self.links[parent].joint_from_limit, models[place].frame(), homes[place]);
            let mut turn = (home.conjugate() * (rotation_ps * limit)).normalize();
            let mut joint_from_limit = limit.conjugate();
            if keeps_violations {
                let kept = models[place].project(turn);
                if kept != turn {
                    let beyond = (kept.conjugate() * turn).normalize();
                    joint_from_limit = (beyond * joint_from_limit).normalize();
                    turn = kept;
                }
            }
            let offset = above * position_ps;
            self.links[place] = Link {
                parent,
                offset,
                base: offset,
                slide: Vec3::ZERO,
                // A violation that is kept turns the space of the joint above.
                rest: if keeps_violations { rest_of(above, home) } else { rests[place] },
                joint_from_limit,
                mass: 0.0,
                moment: Vec3::ZERO,
            };
            self.at.turns[place] = turn;
        }
        for coupled in &mut self.couplings {
            coupled.load(&self.at.turns);
        }
        self.total_mass = 0.0;
        if !plan.has_center_of_mass {
            return;
        }
        self.place_joints();
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
    /// Takes over a joint that slides: its axis in the parent joint's space, as long as a unit of
    /// its way, and how far it has gone.
    pub fn load_slide(&mut self, place: usize, axis_ps: Vec3, moved: f32) {
        let above = self.links[self.links[place].parent].joint_from_limit;
        let link = &mut self.links[place];
        link.slide = above * axis_ps;
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
        self.place_joints();
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
    /// Where the joints are, and how they are turned.
    #[inline(always)]
    fn place_joints(&mut self) {
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
