//! Generated chain problems with a proof that they can be solved, and a judge that recomputes
//! everything in `f64`.
#![allow(dead_code)] // each test file uses its part

use sinew::chains::{Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, ChainWorkspace, Effector};
use sinew::limits::{AxisLimits, Freedom, HingeAxis, JointModel, Range};
use sinew::math::{Quat, Transform, Vec3, axis_angle};
use sinew::outcome::{Outcome, Status};
use sinew::skeleton::{JointDefinition, Skeleton};
use testkit::{Random, matchers};

/// Kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Free,
    StraightOnAxis,
    NearRoot,
    FullReach,
    Planar,
    PlanarOnAxis,
    PlanarLimits,
    Limits,
    HingeLimits,
    Locks,
    Rotation,
    RotationLimits,
    Tree,
    /// A trunk of two joints with five branches of four, hinges about X and Z in turn, 60 degrees
    /// either way; its number of joints is 22.
    HingeTree,
    Stiff,
}

/// A problem and its latest solution.
pub struct Case {
    pub seed: u64,
    pub chain: Chain,
    pub start: ChainPose,
    pub pose: ChainPose,
    pub goals: Vec<ChainGoal>,
    skeleton: Skeleton,
    tips: Vec<usize>,
    pub workspace: ChainWorkspace,
}

/// Whether a joint of [`Kind::HingeTree`] is the first of a branch.
fn starts_branch(joint: usize) -> bool {
    joint >= 2 && (joint - 2).is_multiple_of(4)
}

fn hinge_of(joint: usize) -> JointModel {
    let axis = [HingeAxis::X, HingeAxis::Z][joint % 2];
    JointModel::limited(Freedom::Hinge { axis, range: number(1.05) })
}

fn number(value: f32) -> Range {
    Range::new(-value, value)
}

impl Case {
    pub fn new(kind: Kind, joints: usize, seed: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(977).wrapping_add(joints as u64 * 31 + kind as u64 * 7_919));
        let straight = matches!(kind, Kind::StraightOnAxis | Kind::PlanarOnAxis);
        let planar = matches!(kind, Kind::Planar | Kind::PlanarOnAxis | Kind::PlanarLimits);
        let mut list = Vec::new();
        for i in 0..joints {
            let bend = if straight {
                Quat::IDENTITY
            } else if planar {
                axis_angle(Vec3::X, random.between(-0.4, 0.4))
            } else {
                random.rotation_within(0.5)
            };
            let parent = if kind == Kind::Tree && i > joints / 3 && (i - joints / 3).is_multiple_of(2) && i > 1 {
                Some(i - 2)
            } else if kind == Kind::HingeTree && starts_branch(i) {
                Some(1)
            } else {
                i.checked_sub(1)
            };
            list.push(ChainJoint {
                parent,
                offset: if i == 0 { random.in_ball(0.5) } else { Vec3::Y * random.between(0.4, 1.0) },
                rest: if i == 0 && !planar { random.rotation() } else { bend },
                model: if kind == Kind::HingeTree { hinge_of(i) } else { model(kind, &mut random) },
            });
        }
        let last = joints - 1;
        let mut effectors = vec![Effector { joint: last, offset: Vec3::Y * random.between(0.4, 1.0) }];
        if kind == Kind::HingeTree {
            effectors = (0..5).map(|branch| Effector { joint: 5 + 4 * branch, offset: Vec3::Y }).collect();
        }
        if kind == Kind::Tree {
            effectors.push(Effector { joint: last - 1, offset: Vec3::Y * random.between(0.4, 1.0) });
        }
        let chain = Chain::new(list, effectors).expect("a sound chain");
        let mut start = ChainPose::rest(&chain);
        start.root_position = random.in_ball(1.0);
        start.root_rotation = random.rotation();
        let mut witness = start.clone();
        for (q, joint) in witness.rotations.iter_mut().zip(chain.joints()) {
            let far = if kind == Kind::FullReach { 0.02 } else { 1.6 };
            let turn = match joint.model.freedom {
                Freedom::Hinge { .. } => axis_angle(joint.model.hinge_axis(), random.between(-far, far)),
                _ => random.rotation_within(far),
            };
            *q = joint.model.project(turn);
        }
        let from_rest = straight || random.below(2) == 0;
        if !from_rest {
            for (q, joint) in start.rotations.iter_mut().zip(chain.joints()) {
                *q = joint.model.project(random.rotation_within(0.8));
            }
        }
        let (skeleton, tips) = skeleton(&chain, &start);
        let workspace = ChainWorkspace::new(&chain);
        let goals = vec![ChainGoal::default(); chain.effectors().len()];
        let mut case = Self { seed, chain, pose: start.clone(), start, goals, skeleton, tips, workspace };
        case.ask(kind, &witness, &mut random);
        case
    }

    /// A custom case: a chain and its start pose, without goals.
    pub fn of(seed: u64, chain: Chain, start: ChainPose) -> Self {
        let (skeleton, tips) = skeleton(&chain, &start);
        let workspace = ChainWorkspace::new(&chain);
        let goals = vec![ChainGoal::default(); chain.effectors().len()];
        Self { seed, chain, pose: start.clone(), start, goals, skeleton, tips, workspace }
    }

    fn ask(&mut self, kind: Kind, witness: &ChainPose, random: &mut Random) {
        let found = self.places(witness);
        let at = |p: [f64; 3]| Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32);
        for (e, goal) in self.goals.iter_mut().enumerate() {
            goal.position = Some(at(found[e].0));
            if matches!(kind, Kind::Rotation | Kind::RotationLimits) {
                goal.rotation = Some(found[e].1);
            }
        }
        let now = self.places(&self.start);
        let root = self.root();
        match kind {
            Kind::StraightOnAxis | Kind::PlanarOnAxis => {
                let (low, high) = (self.hole() + 0.02, self.chain.length() * 0.98);
                let along = (at(now[0].0) - root) / self.chain.length();
                let sign = if random.below(4) == 0 { -1.0 } else { 1.0 };
                self.goals[0].position = Some(root + along * (sign * random.between(low.min(high), high)));
            }
            Kind::NearRoot => {
                let low = self.hole();
                let distance = if low > 0.0 { low * 1.01 + 0.01 } else { self.chain.length() * 0.003 };
                self.goals[0].position = Some(root + random.unit_vector() * distance);
            }
            Kind::FullReach => {
                let distance = self.chain.length() * (1.0 - 1e-5 * random.unit01());
                self.goals[0].position = Some(root + random.unit_vector() * distance);
            }
            _ => {}
        }
    }

    pub fn root(&self) -> Vec3 {
        self.start.root_position + self.start.root_rotation * self.chain.joints()[0].offset
    }

    /// Radius that an unlimited chain cannot come nearer than.
    pub fn hole(&self) -> f32 {
        let mut bones: Vec<f32> = self.chain.joints()[1..].iter().map(|j| j.offset.length()).collect();
        bones.push(self.chain.effectors()[0].offset.length());
        let longest = bones.iter().fold(0.0_f32, |a, b| a.max(*b));
        (2.0 * longest - bones.iter().sum::<f32>()).max(0.0)
    }

    pub fn solve(&mut self, solver: ChainSolver, settings: &ChainSettings) -> Outcome {
        self.pose.clone_from(&self.start);
        sinew::chains::solve(solver, &self.chain, &mut self.pose, &self.goals, settings, &mut self.workspace)
    }

    /// Where the effectors are and how their joints are turned, by the judge's forward kinematics.
    pub fn places(&self, pose: &ChainPose) -> Vec<([f64; 3], Quat)> {
        let mut local = self.skeleton.rest_local().to_vec();
        local[0] = Transform::new(pose.root_position, pose.root_rotation);
        for (i, joint) in self.chain.joints().iter().enumerate() {
            local[i + 1].rotation = product(joint.rest, pose.rotations[i]);
            local[i + 1].position = joint.offset * joint.parent.map_or(1.0, |p| pose.stretch[p]);
        }
        for (e, effector) in self.chain.effectors().iter().enumerate() {
            local[self.tips[e]].position = effector.offset * pose.stretch[effector.joint];
        }
        let found = matchers::forward_kinematics(&self.skeleton, &local);
        let turned = |mut joint: usize| {
            let mut q = local[joint].rotation;
            while let Some(parent) = self.skeleton.parent(joint) {
                q = product(local[parent].rotation, q);
                joint = parent;
            }
            q
        };
        let effectors = self.chain.effectors().iter().enumerate();
        effectors.map(|(e, effector)| (found[self.tips[e]].position, turned(effector.joint + 1))).collect()
    }

    /// Largest distance from a goal over the chain's length, and largest angle.
    pub fn miss(&self) -> (f64, f64) {
        let (mut metres, mut radians) = (0.0_f64, 0.0_f64);
        for (goal, (place, rotation)) in self.goals.iter().zip(self.places(&self.pose)) {
            if let Some(target) = goal.position {
                let d = target
                    .to_array()
                    .iter()
                    .zip(place)
                    .map(|(a, b)| (f64::from(*a) - b) * (f64::from(*a) - b))
                    .sum::<f64>();
                metres = metres.max(d.sqrt());
            }
            if let Some(target) = goal.rotation {
                radians = radians.max(matchers::rotation_angle_rad(target, rotation));
            }
        }
        (metres / f64::from(self.chain.length()), radians)
    }

    /// Largest violation of a limit, radians.
    pub fn violation(&self) -> f32 {
        let joints = self.chain.joints().iter().zip(&self.pose.rotations);
        joints.map(|(joint, q)| joint.model.violation_rad(*q)).fold(0.0, f32::max)
    }
}

/// The product in double precision: a chain's rotations are multiplied up a hundred times.
fn product(a: Quat, b: Quat) -> Quat {
    let [ax, ay, az, aw] = a.to_array().map(f64::from);
    let [bx, by, bz, bw] = b.to_array().map(f64::from);
    Quat::from_xyzw(
        (aw * bx + ax * bw + ay * bz - az * by) as f32,
        (aw * by - ax * bz + ay * bw + az * bx) as f32,
        (aw * bz + ax * by - ay * bx + az * bw) as f32,
        (aw * bw - ax * bx - ay * by - az * bz) as f32,
    )
}

fn skeleton(chain: &Chain, start: &ChainPose) -> (Skeleton, Vec<usize>) {
    let joint = |name: String, parent, rest| JointDefinition { name, parent, rest };
    let root = Transform::new(start.root_position, start.root_rotation);
    let mut list = vec![joint("root".into(), None, root)];
    for (i, j) in chain.joints().iter().enumerate() {
        list.push(joint(format!("joint_{i}"), Some(j.parent.map_or(0, |p| p + 1)), Transform::new(j.offset, j.rest)));
    }
    let mut tips = Vec::new();
    for (e, effector) in chain.effectors().iter().enumerate() {
        tips.push(list.len());
        list.push(joint(format!("tip_{e}"), Some(effector.joint + 1), Transform::at(effector.offset)));
    }
    (Skeleton::new(list).expect("a sound skeleton"), tips)
}

fn model(kind: Kind, random: &mut Random) -> JointModel {
    let mut some = |low: f32, high: f32| Range::new(-random.between(low, high), random.between(low, high));
    let hinge = |range| JointModel::limited(Freedom::Hinge { axis: HingeAxis::X, range });
    match kind {
        Kind::Planar | Kind::PlanarOnAxis => hinge(Range::FREE),
        Kind::PlanarLimits => hinge(some(0.2, 1.8)),
        Kind::Limits | Kind::RotationLimits => {
            let low = if kind == Kind::Limits { 0.2 } else { 0.4 };
            let ranges = [some(low, 1.5), some(low, 1.0), some(low, 1.5)];
            let range = ranges.map(|r| (random.below(10) < 6).then_some(r));
            let locked = [0.1, 0.25, 0.1].map(|share| kind == Kind::Limits && random.unit01() < share);
            JointModel::limited(Freedom::from(AxisLimits { locked, range }))
        }
        Kind::HingeLimits => {
            let range = some(0.3, 2.0);
            let axis = [HingeAxis::X, HingeAxis::Y, HingeAxis::Z][[0, 2, 0, 2, 1][random.below(5)]];
            JointModel::limited(Freedom::Hinge { axis, range })
        }
        Kind::Locks => {
            let locked = [random.below(2) == 0, random.below(2) == 0, random.below(2) == 0];
            JointModel::limited(Freedom::from(AxisLimits { locked, range: [None; 3] }))
        }
        Kind::Stiff => {
            let stiffness = [random.between(0.0, 0.99), random.between(0.0, 0.99), random.between(0.0, 0.99)];
            JointModel { stiffness, ..JointModel::FREE }
        }
        _ => JointModel::FREE,
    }
}

/// What came out of many cases.
#[derive(Debug, Default)]
pub struct Score {
    pub residuals: Vec<f64>,
    /// Seeds of cases that ended more than 1e-5 of the length, or 1e-4 radians, from the goal.
    pub missed: Vec<u64>,
    /// Seeds of cases that left a limit by more than 1e-5 rad.
    pub violated: Vec<u64>,
    /// Seeds of cases whose outcome does not fit what the judge found.
    pub lied: Vec<u64>,
    pub iterations: u64,
}

impl Score {
    pub fn add(&mut self, case: &Case, outcome: &Outcome) {
        let (position, rotation) = case.miss();
        self.residuals.push(position);
        self.iterations += u64::from(outcome.iterations);
        if position > 1e-5 || rotation > 1e-4 {
            self.missed.push(case.seed);
        }
        if case.violation() > 1e-5 {
            self.violated.push(case.seed);
        }
        let said = f64::from(outcome.residual_m / case.chain.length());
        let fits = (said - position).abs() < 5e-6 && (f64::from(outcome.residual_rad) - rotation).abs() < 5e-5;
        if !fits || (outcome.status == Status::Reached) != (position < 5e-6 && rotation < 5e-5) && position > 2e-5 {
            self.lied.push(case.seed);
        }
    }
    pub fn median(&self) -> f64 {
        let mut sorted = self.residuals.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}
