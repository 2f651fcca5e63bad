//! Random chains: joints of every kind, goals that a random admissible pose meets, and paths of
//! such poses. The judge recomputes forward kinematics in `f64` and knows that every goal can be
//! met, since the pose it came from meets it.
//!
//! Everything is reached, no limit is overrun, no bone changes its length unless it may stretch. On
//! a path a step is a flip when some joint turns by more than 30° and twice what the path's own
//! pose turns; where limits leave separate families of poses a solver that starts every frame
//! afresh changes over at times, and the share of such steps is bounded per class.

use crate::cases::Case;
use sinew::chains::{AxisGoal, Chain, ChainGoal, ChainJoint, ChainPose, ChainSettings, ChainSolver, Effector, Pole};
use sinew::limits::{BendAxis, Freedom, HingeAxis, JointModel, Polygon, Range, Stretch, SwingRegion};
use sinew::math::{Quat, Vec3, axis_angle};
use testkit::{Random, matchers};

/// Which joints a chain is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Free,
    Stiff,
    Cones,
    Hinges,
    OneSided,
    Everything,
}

/// Kind of goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Position,
    Rotation,
    Axis,
    Pole,
}

fn range(random: &mut Random, low: f32, high: f32) -> Range {
    Range::new(-random.between(low, high), random.between(low, high))
}

fn one_sided(random: &mut Random) -> Range {
    let far = random.between(0.4, 2.4);
    if random.below(2) == 0 { Range::new(0.0, far) } else { Range::new(-far, 0.0) }
}

fn polygon(random: &mut Random) -> Option<SwingRegion> {
    let corners: Vec<Vec3> = (0..5)
        .map(|k| {
            let angle = k as f32 * (core::f32::consts::TAU / 5.0);
            let out = random.between(0.7, 0.9);
            axis_angle(Vec3::Y, angle) * Vec3::new(out, 1.0, 0.0)
        })
        .collect();
    Polygon::new(&corners).map(SwingRegion::Polygon)
}

fn freedom(class: Class, random: &mut Random) -> Freedom {
    let hinge = [HingeAxis::X, HingeAxis::Z, HingeAxis::Y][[0, 0, 1, 1, 2][random.below(5)]];
    let ellipse = |random: &mut Random| SwingRegion::Ellipse { x: range(random, 0.3, 1.3), z: range(random, 0.3, 1.3) };
    match class {
        Class::Free | Class::Stiff => JointModel::FREE.freedom,
        Class::Cones => {
            let swing = SwingRegion::cone(random.between(0.3, 1.4));
            Freedom::Ball { swing, twist: range(random, 0.2, 1.2) }
        }
        Class::Hinges => Freedom::Hinge { axis: hinge, range: range(random, 0.3, 2.0) },
        Class::OneSided => Freedom::Hinge { axis: hinge, range: one_sided(random) },
        Class::Everything => match random.below(9) {
            0 => JointModel::FREE.freedom,
            1 => Freedom::Ball { swing: ellipse(random), twist: Range::FREE },
            2 => Freedom::Ball { swing: polygon(random).unwrap_or_default(), twist: range(random, 0.2, 1.0) },
            3 => Freedom::Swing(ellipse(random)),
            4 => Freedom::Universal {
                bend: if random.below(2) == 0 { BendAxis::X } else { BendAxis::Z },
                bend_range: range(random, 0.3, 1.5),
                twist: range(random, 0.3, 1.5),
            },
            5 => Freedom::Hinge { axis: hinge, range: range(random, 0.3, 2.0) },
            6 => Freedom::Hinge { axis: hinge, range: one_sided(random) },
            7 => Freedom::Ball { swing: SwingRegion::X(range(random, 0.2, 1.0)), twist: Range::FREE },
            _ => {
                if random.below(3) == 0 {
                    Freedom::Fixed
                } else {
                    JointModel::FREE.freedom
                }
            }
        },
    }
}

fn model(class: Class, random: &mut Random) -> JointModel {
    let mut model = JointModel::limited(freedom(class, random));
    if class == Class::Stiff {
        model.stiffness = [random.between(0.0, 0.99), random.between(0.0, 0.99), random.between(0.0, 0.99)];
    }
    if class == Class::Everything {
        if random.below(3) == 0 {
            model.frame = random.rotation_within(0.7);
        }
        if random.below(4) == 0 {
            model.soft_rad = random.between(0.02, 0.3);
        }
        if random.below(4) == 0 {
            model.stiffness = [random.between(0.0, 0.9); 3];
        }
        if random.below(5) == 0 {
            model.stretch = Stretch { min: 0.8, max: 1.3, compliance: random.between(0.1, 1.0) };
        }
    }
    model
}

/// A chain under a moved and turned parent, its start pose, and a random source that goes on.
fn made(class: Class, joints: usize, seed: u64) -> (Case, Random) {
    let mut random = Random::new(seed.wrapping_mul(7_919) + joints as u64 * 131 + class as u64 * 104_729);
    let mut list = Vec::new();
    for i in 0..joints {
        list.push(ChainJoint {
            parent: i.checked_sub(1),
            offset: if i == 0 { random.in_ball(0.3) } else { Vec3::Y * random.between(0.4, 1.4) },
            rest: if random.below(4) == 0 { Quat::IDENTITY } else { random.rotation_within(0.6) },
            model: model(class, &mut random),
        });
    }
    let tip = Effector { joint: joints - 1, offset: Vec3::Y * random.between(0.4, 1.4) };
    let chain = Chain::new(list, vec![tip]).expect("a sound chain");
    let mut start = ChainPose::rest(&chain);
    start.root_position = random.in_ball(2.0);
    start.root_rotation = random.rotation();
    if random.below(2) == 0 {
        start = admissible(&chain, &start, &mut random, 0.7);
    }
    (Case::of(seed, chain, start), random)
}

/// A random pose within all limits.
fn admissible(chain: &Chain, like: &ChainPose, random: &mut Random, far: f32) -> ChainPose {
    let mut pose = like.clone();
    for (q, joint) in pose.rotations.iter_mut().zip(chain.joints()) {
        let turn = match joint.model.freedom {
            Freedom::Hinge { range, .. } => {
                let angle = random.between(range.min.max(-far), range.max.min(far));
                axis_angle(joint.model.hinge_axis(), angle)
            }
            _ => random.rotation_within(far),
        };
        *q = joint.model.project(turn);
    }
    pose
}

/// Goals that a pose meets.
fn ask(case: &mut Case, what: Ask, pose: &ChainPose, pole: Vec3) {
    let (place, rotation) = case.places(pose)[0];
    let position = Vec3::new(place[0] as f32, place[1] as f32, place[2] as f32);
    let mut goal = ChainGoal::at(position);
    match what {
        Ask::Position => {}
        Ask::Rotation => goal.rotation = Some(rotation),
        Ask::Axis => goal.axis = Some(AxisGoal { axis: Vec3::Y, direction: rotation * Vec3::Y }),
        Ask::Pole => goal.pole = Some(Pole::point(pole)),
    }
    case.goals[0] = goal;
}

/// Angle left between an axis goal and the axis, by the judge.
fn axis_left(case: &Case) -> f64 {
    let Some(axis) = case.goals[0].axis else { return 0.0 };
    let now = case.places(&case.pose)[0].1 * axis.axis;
    let pair = [now, axis.direction].map(|v| v.to_array().map(f64::from));
    matchers::direction_angle_rad(pair[0], pair[1])
}

/// Results of a class.
#[derive(Debug, Default)]
struct Tally {
    solves: usize,
    coarse: Vec<(usize, u64)>,
    fine: Vec<(usize, u64)>,
    violated: Vec<(usize, u64)>,
    torn: Vec<(usize, u64)>,
    flips: Vec<(usize, u64)>,
    steps: usize,
}

impl Tally {
    fn judge(&mut self, case: &Case, joints: usize) {
        let key = (joints, case.seed);
        self.solves += 1;
        let (position, rotation) = case.miss();
        let rotation = rotation.max(axis_left(case));
        if position > 1e-3 || rotation > 1e-3 {
            self.coarse.push(key);
        } else if position > 1e-5 || rotation > 1e-4 {
            self.fine.push(key);
        }
        if case.violation() > 1e-5 {
            self.violated.push(key);
        }
        let bounds = case.chain.joints().iter().map(|j| j.model.stretch);
        if case.pose.stretch.iter().zip(bounds).any(|(s, b)| *s < b.min - 1e-6 || *s > b.max + 1e-6) {
            self.torn.push(key);
        }
    }

    fn holds(&self, name: &str, flips_per_thousand: usize) {
        println!(
            "{name}: {} solves, {} missed by 1e-3, {} by 1e-5, {} outside limits, {} torn, {} flips in {} steps",
            self.solves,
            self.coarse.len(),
            self.fine.len(),
            self.violated.len(),
            self.torn.len(),
            self.flips.len(),
            self.steps
        );
        let none: Vec<(usize, u64)> = Vec::new();
        assert_eq!(self.coarse, none, "{name}: missed by more than 1e-3 (joints, seed)");
        assert_eq!(self.fine, none, "{name}: missed by more than 1e-5");
        assert_eq!(self.violated, none, "{name}: outside limits");
        assert_eq!(self.torn, none, "{name}: torn");
        assert!(self.flips.len() * 1000 <= flips_per_thousand * self.steps, "{name}: flips {:?}", self.flips);
    }
}

/// Static goals.
fn points(class: Class, what: Ask, sizes: &[usize], count: u64) {
    let mut tally = Tally::default();
    for &joints in sizes {
        for seed in 0..count {
            let (mut case, mut random) = made(class, joints, seed);
            let witness = admissible(&case.chain, &case.start, &mut random, 1.6);
            let pole = case.root() + random.unit_vector() * case.chain.length();
            ask(&mut case, what, &witness, pole);
            case.solve(ChainSolver::Default, &ChainSettings::default());
            tally.judge(&case, joints);
        }
    }
    tally.holds(&format!("{class:?} {what:?}"), 0);
}

fn fastest(from: &ChainPose, to: &ChainPose) -> f64 {
    let pairs = from.rotations.iter().zip(&to.rotations);
    pairs.map(|(a, b)| matchers::rotation_angle_rad(*a, *b)).fold(0.0, f64::max)
}

/// Goals on the path from one admissible pose to another. `follows`: every frame starts from the
/// last answer.
fn paths(class: Class, what: Ask, sizes: &[usize], count: u64, follows: bool, flips_per_thousand: usize) {
    const FRAMES: usize = 20;
    let mut tally = Tally::default();
    for &joints in sizes {
        for seed in 0..count {
            let (mut case, mut random) = made(class, joints, seed);
            let ends = [0, 1].map(|_| admissible(&case.chain, &case.start, &mut random, 1.2));
            let pole = case.root() + random.unit_vector() * (2.0 * case.chain.length());
            let mut last: Option<(ChainPose, ChainPose)> = None;
            for frame in 0..=FRAMES {
                // Half of the way at most: steps stay small.
                let t = 0.5 * frame as f32 / FRAMES as f32;
                let mut witness = case.start.clone();
                for (i, joint) in case.chain.joints().iter().enumerate() {
                    witness.rotations[i] = joint.model.project(ends[0].rotations[i].slerp(ends[1].rotations[i], t));
                }
                ask(&mut case, what, &witness, pole);
                if follows && frame > 0 {
                    let settings = ChainSettings::default();
                    sinew::chains::solve(
                        ChainSolver::Default,
                        &case.chain,
                        &mut case.pose,
                        &case.goals,
                        &settings,
                        &mut case.workspace,
                    );
                } else {
                    case.solve(ChainSolver::Default, &ChainSettings::default());
                }
                tally.judge(&case, joints);
                if let Some((answer, path)) = &last {
                    tally.steps += 1;
                    let allowed = 30_f64.to_radians() + 2.0 * fastest(path, &witness);
                    if fastest(answer, &case.pose) > allowed {
                        tally.flips.push((joints, seed));
                    }
                }
                last = Some((case.pose.clone(), witness));
            }
        }
    }
    let way = if follows { "following" } else { "afresh" };
    tally.holds(&format!("{class:?} {what:?} {way}"), flips_per_thousand);
}

#[test]
fn free_chains_reach_everything() {
    for what in [Ask::Position, Ask::Rotation, Ask::Axis, Ask::Pole] {
        points(Class::Free, what, &[2, 3, 5, 9, 30], 40);
    }
    points(Class::Free, Ask::Position, &[100], 10);
    points(Class::Stiff, Ask::Position, &[2, 3, 6], 40);
}

#[test]
fn limited_chains_reach_everything() {
    for class in [Class::Cones, Class::Hinges, Class::OneSided, Class::Everything] {
        points(class, Ask::Position, &[4, 6, 9, 16, 30], 60);
        points(class, Ask::Pole, &[4, 6, 9], 30);
    }
    points(Class::Everything, Ask::Position, &[100], 5);
}

#[test]
fn limited_chains_reach_rotations() {
    for class in [Class::Cones, Class::Everything] {
        points(class, Ask::Rotation, &[9, 12], 40);
        points(class, Ask::Axis, &[8, 12], 40);
    }
}

#[test]
fn free_chains_follow_paths() {
    for what in [Ask::Position, Ask::Rotation] {
        paths(Class::Free, what, &[3, 5, 9], 12, true, 0);
    }
    // Some paths cross the pole's line.
    paths(Class::Free, Ask::Pole, &[3, 5, 9], 12, true, 3);
    paths(Class::Free, Ask::Position, &[3, 5, 9], 20, false, 3);
    paths(Class::Stiff, Ask::Position, &[3, 5], 20, false, 5);
}

#[test]
fn limited_chains_follow_paths() {
    for class in [Class::Cones, Class::Hinges, Class::OneSided, Class::Everything] {
        paths(class, Ask::Position, &[4, 6, 9], 15, true, 0);
        paths(class, Ask::Position, &[4, 6, 9], 60, false, 6);
    }
}

/// Long smooth ways of hinges, each angle with a period and an amplitude of its own, every goal
/// asked from the same start pose: what a pose on the way meets is met.
#[test]
fn long_ways_of_hinges_are_met() {
    let (mut asked, mut missed, mut outside) = (0usize, 0usize, 0usize);
    for joints in [6, 12, 20] {
        for seed in 0..6 {
            let (mut case, mut random) = made(Class::Hinges, joints, seed);
            let ends = [0, 1, 2].map(|_| admissible(&case.chain, &case.start, &mut random, 1.6));
            let speeds: Vec<f32> = (0..joints).map(|_| random.between(1.0, 3.0)).collect();
            for frame in 0..60 {
                let mut witness = case.start.clone();
                for (i, joint) in case.chain.joints().iter().enumerate() {
                    let s = 0.5 + 0.5 * sinew::math::float::sin(speeds[i] * frame as f32 * 0.05 + i as f32);
                    let first = ends[0].rotations[i].slerp(ends[1].rotations[i], s);
                    witness.rotations[i] = joint.model.project(first.slerp(ends[2].rotations[i], 0.5 * s * s));
                }
                ask(&mut case, Ask::Position, &witness, Vec3::ZERO);
                let outcome = case.solve(ChainSolver::Default, &ChainSettings::default());
                let left = case.miss().0;
                asked += 1;
                missed += usize::from(left > 1e-4);
                outside += usize::from(case.violation() > 1e-5);
                let reached = outcome.status == sinew::outcome::Status::Reached;
                assert_eq!(reached, left < 1e-5, "{joints} {seed} {frame}: {left:e} but {outcome:?}");
            }
        }
    }
    println!("{missed} of {asked} goals missed");
    assert_eq!(outside, 0);
    assert!(missed * 1000 <= asked, "{missed} of {asked}");
}
