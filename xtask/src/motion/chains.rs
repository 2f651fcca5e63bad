//! Limited chains on smooth paths that can be followed: an admissible pose draws each of them. What
//! is missed, and what jumps, from one start pose and with each answer fed back?

use super::continuity::{Found, Walker, walk};
use crate::c_abi::{self, check, filled, vec3};
use crate::oracle::geometry::{Rotation, V3};
use anyhow::{Result, bail};
use serde_json::{Map, Value, json};
use sinew::ffi::*;
use sinew::math::{Quat, Transform, Vec3};
use sinew::skeleton::{JointDefinition, Skeleton};
use testkit::Random;
use testkit::matchers::forward_kinematics;

const JOINTS: [usize; 3] = [6, 12, 20];
const SEEDS: usize = 12;
/// Step along a path, chain lengths.
const STEP: f64 = 0.002;
/// A goal this far from the tip is missed, chain lengths.
const MISSED: f64 = 1e-4;
/// Ranges of hinges, cones and the longer way of ellipses, of the shorter, and of twists, radians.
const WIDE: f64 = 0.9;
const NARROW: f64 = 0.4;
const TWIST: f64 = 0.5;

/// What the joints of a chain are.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Free,
    Hinge,
    Cone,
    Ellipse,
    Mixed,
}

const KINDS: [(&str, Kind); 5] = [
    ("free", Kind::Free),
    ("hinge", Kind::Hinge),
    ("cone", Kind::Cone),
    ("ellipse", Kind::Ellipse),
    ("mixed", Kind::Mixed),
];

/// A joint's limits and how it moves within them.
struct Joint {
    kind: Kind,
    /// Limit space in the joint's space.
    frame: Rotation,
    /// Amplitudes, phases and whole frequencies of the turns about X, Y, Z of limit space.
    turns: [[(f64, f64, f64); 2]; 3],
}

impl Joint {
    fn new(random: &mut Random, kind: Kind) -> Self {
        let all = [Kind::Hinge, Kind::Cone, Kind::Ellipse, Kind::Free];
        let kind = if kind == Kind::Mixed { all[random.below(all.len())] } else { kind };
        let angle = f64::from(random.between(-3.0, 3.0));
        let [x, y, z] = Self::ranges(kind);
        let mut turn = |range: f64| {
            [1, 3].map(|k| {
                let frequency = f64::from(k + random.below(2) as u32);
                let size = f64::from(random.between(0.2, 0.5)) * range;
                (size, f64::from(random.between(0.0, 6.3)), frequency)
            })
        };
        // X and Z together stay inside of an ellipse.
        let share = if z > 0.0 { 0.65 } else { 0.95 };
        let turns = [turn(share * x), turn(0.95 * y), turn(share * z)];
        Self { kind, frame: Rotation::about([0.0, 1.0, 0.0], angle), turns }
    }
    /// The turns about X, Y, Z that are possible.
    fn ranges(kind: Kind) -> [f64; 3] {
        match kind {
            Kind::Hinge => [WIDE, 0.0, 0.0],
            Kind::Cone => [WIDE, TWIST, WIDE],
            Kind::Ellipse => [WIDE, TWIST, NARROW],
            Kind::Free | Kind::Mixed => [1.5, 1.0, 1.5],
        }
    }
    fn limits(&self) -> Result<SinewJointLimits> {
        let mut limits = SinewJointLimits::default();
        check(sinew_joint_limits_default(Some(&mut limits)), "sinew_joint_limits_default")?;
        limits.flags = match self.kind {
            Kind::Free | Kind::Mixed => return Ok(limits),
            Kind::Hinge => SINEW_LIMIT_RANGE_X | SINEW_LIMIT_LOCK_Y | SINEW_LIMIT_LOCK_Z,
            Kind::Cone | Kind::Ellipse => SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z,
        };
        let ranges = V3(Self::ranges(self.kind));
        (limits.min_rad, limits.max_rad) = (vec3(ranges * -1.0), vec3(ranges));
        limits.frame = c_abi::quat(self.frame);
        Ok(limits)
    }
    /// The rotation from rest at `s`, 0 … 1: a swing after a twist.
    fn at(&self, s: f64) -> Rotation {
        let [x, y, z] = self.turns.map(|turns| {
            let angle = |(size, phase, k): (f64, f64, f64)| size * (std::f64::consts::TAU * k * s + phase).sin();
            turns.into_iter().map(angle).sum::<f64>()
        });
        let swing = V3([x, 0.0, z]);
        let size = swing.len();
        let axis = if size > 0.0 { (swing * (1.0 / size)).0 } else { [1.0, 0.0, 0.0] };
        let own = Rotation::about(axis, size) * Rotation::about([0.0, 1.0, 0.0], y);
        self.frame * own * self.frame.inverse()
    }
}

/// A chain of one length unit that a C host holds.
struct Chain {
    skeleton: Skeleton,
    joints: Vec<Joint>,
    /// The pose that stateless solves start from.
    start: Vec<Transform>,
    feeds_back: bool,
    handle: SinewSkeleton,
    animator: SinewAnimator,
    constraint: SinewConstraint,
    goals: usize,
    missed: usize,
    worst: f64,
    /// Goals that have a pose and were called unreachable.
    denied: usize,
}

#[derive(Clone)]
struct Solved {
    pose: Vec<Transform>,
    outcome: SinewOutcome,
}

impl Chain {
    fn new(kind: Kind, count: usize, seed: u64, feeds_back: bool) -> Result<Self> {
        let mut random = Random::new(seed);
        let joints: Vec<Joint> = (0..count).map(|_| Joint::new(&mut random, kind)).collect();
        let bone = |joint: usize| JointDefinition {
            name: format!("{joint}"),
            parent: joint.checked_sub(1),
            rest: Transform {
                position: Vec3::new(0.0, if joint == 0 { 0.0 } else { 1.0 / count as f32 }, 0.0),
                ..Transform::IDENTITY
            },
        };
        let skeleton = Skeleton::new((0..=count).map(bone).collect())?;
        let handle = c_abi::create_skeleton(&skeleton)?;
        let animator = c_abi::create_animator(handle, SinewAvatar { bits: 0 })?;
        for (joint, of) in joints.iter().enumerate() {
            check(sinew_animator_set_joint_limits(animator, joint as u32, Some(&of.limits()?)), "set_joint_limits")?;
        }
        let end = SinewChainEnd { joint: count as u32, tip: vec3(V3([0.0; 3])) };
        // SAFETY: numbers and pointers.
        let mut def: SinewChainDef = unsafe { filled(|out| sinew_chain_def_default(out), "sinew_chain_def_default") }?;
        (def.ends, def.end_count) = (&raw const end, 1);
        let mut constraint = SinewConstraint { bits: 0 };
        // SAFETY: there is one end, as stated.
        check(unsafe { sinew_animator_add_chain(animator, Some(&def), Some(&mut constraint)) }, "add_chain")?;
        check(sinew_animator_set_constraint_weight(animator, constraint, 1.0), "set_constraint_weight")?;
        let mut chain = Self {
            skeleton,
            joints,
            start: Vec::new(),
            feeds_back,
            handle,
            animator,
            constraint,
            goals: 0,
            missed: 0,
            worst: 0.0,
            denied: 0,
        };
        chain.start = chain.witness(0.37);
        Ok(chain)
    }
    /// The pose that draws the path.
    fn witness(&self, s: f64) -> Vec<Transform> {
        let rotation = |joint: &Joint| Quat::from_array(joint.at(s).0.map(|x| x as f32));
        let mut pose = self.skeleton.rest_local().to_vec();
        pose.iter_mut().zip(&self.joints).for_each(|(local, joint)| local.rotation = rotation(joint));
        pose
    }
    fn tip(&self, pose: &[Transform]) -> V3 {
        V3(forward_kinematics(&self.skeleton, pose)[self.joints.len()].position)
    }
    /// Whether the library, too, finds the pose of the path within the limits.
    fn check_witness(&self, s: f64) -> Result<()> {
        c_abi::set_pose(self.animator, &self.witness(s))?;
        for joint in 0..self.joints.len() {
            let mut off = 0.0;
            check(sinew_animator_get_joint_violation(self.animator, joint as u32, Some(&mut off)), "joint_violation")?;
            if off > 1e-5 {
                bail!("joint {joint} of a path's own pose is {off} rad outside of its limits");
            }
        }
        Ok(())
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        let ended = [sinew_animator_destroy(self.animator), sinew_skeleton_destroy(self.handle)];
        if ended.iter().any(|r| *r != SinewResult::SinewOk) {
            println!("a handle was not destroyed: {ended:?}");
        }
    }
}

impl Walker for Chain {
    type Solved = Solved;
    fn goal(&self, s: f64) -> V3 {
        self.tip(&self.witness(s))
    }
    fn solve(&self, s: f64, after: Option<&Solved>) -> Result<Solved> {
        let start = after.filter(|_| self.feeds_back).map_or(&self.start, |solved| &solved.pose);
        c_abi::set_pose(self.animator, start)?;
        // SAFETY: numbers.
        let mut goal: SinewConstraintGoal =
            unsafe { filled(|out| sinew_constraint_goal_default(out), "sinew_constraint_goal_default") }?;
        (goal.set, goal.position) = (SINEW_CONSTRAINT_POSITION, vec3(self.goal(s)));
        check(
            sinew_animator_set_constraint_goal(self.animator, self.constraint, 0, Some(&goal)),
            "set_constraint_goal",
        )?;
        check(sinew_animator_solve(self.animator), "sinew_animator_solve")?;
        let mut outcome = SinewOutcome { status: 0, iterations: 0, residual_m: 0.0, residual_rad: 0.0 };
        check(
            sinew_animator_get_constraint_outcome(self.animator, self.constraint, Some(&mut outcome)),
            "get_constraint_outcome",
        )?;
        Ok(Solved { pose: c_abi::pose(self.animator, self.joints.len() + 1)?, outcome })
    }
    fn turn(&self, a: &Solved, b: &Solved) -> f64 {
        let rotation = |t: &Transform| Rotation::new(t.rotation.to_array().map(f64::from));
        let both = a.pose.iter().zip(&b.pose);
        both.map(|(a, b)| rotation(a).angle_to(rotation(b))).fold(0.0, f64::max)
    }
    fn is_reached(&self, solved: &Solved) -> bool {
        solved.outcome.status == SinewStatus::Reached as i32
    }
    fn see(&mut self, s: f64, solved: &Solved) {
        let off = self.tip(&solved.pose).distance(self.goal(s));
        self.goals += 1;
        self.missed += usize::from(off > MISSED);
        self.worst = self.worst.max(off);
        self.denied += usize::from(solved.outcome.status == SinewStatus::Unreachable as i32);
    }
}

/// A row per kind of joints and manner of starting, all lengths together.
pub fn run(every: usize) -> Result<Value> {
    println!("\nlimited chains on paths that an admissible pose draws ({JOINTS:?} joints, default solver)");
    println!(
        "{:<24} {:>8} {:>8} {:>8} {:>10} {:>12} {:>6} {:>8} {:>6} {:>9}",
        "joints, start", "lengths", "goals", "missed", "worst", "unreachable", "jumps", "reached", "> 90°", "steepest"
    );
    let mut all = Map::new();
    for (name, kind) in KINDS {
        for (start, feeds_back) in [("one pose", false), ("last answer", true)] {
            let (mut found, mut goals, mut missed, mut worst, mut denied) = (Found::default(), 0, 0, 0.0f64, 0);
            for count in JOINTS {
                for seed in (0..SEEDS).step_by(every) {
                    let mut chain = Chain::new(kind, count, (1000 * count + seed) as u64, feeds_back)?;
                    (0..20).try_for_each(|k| chain.check_witness(f64::from(k) / 20.0))?;
                    walk(&mut chain, STEP, 1.0, &mut found)?;
                    goals += chain.goals;
                    missed += chain.missed;
                    worst = worst.max(chain.worst);
                    denied += chain.denied;
                }
            }
            let label = format!("{name}, {start}");
            let Found { length, jumps, reached, large, steepest } = found;
            println!(
                "{label:<24} {length:>8.0} {goals:>8} {missed:>8} {worst:>10.1e} {denied:>12} {jumps:>6} {reached:>8} \
                 {large:>6} {steepest:>9.1}"
            );
            let row = json!({
                "goals": goals, "missed": missed, "worst": worst, "unreachable": denied,
                "jumps": jumps, "reached": reached, "over_90": large, "steepest": steepest,
            });
            all.insert(label, row);
        }
    }
    Ok(Value::Object(all))
}
