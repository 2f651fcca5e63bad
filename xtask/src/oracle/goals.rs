//! Goals of a frame, and whether they can be met.

use super::format::{Case, Constraint, Frame};
use super::geometry::{Rotation, V3};
use super::joints::SwingMeasure;
use super::kinematics::{BonePose, ScaledPoseView, pose_bones};
use super::measure::measure;

/// Goal of one constraint for its effector in one frame, with its influence applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    pub position: Option<V3>,
    pub rotation: Option<Rotation>,
    /// What counts of the position.
    pub counts: Counts,
    /// Axes of the rotation that count, in the effector's or the target's frame: the rotation
    /// vector between them is the same in both.
    pub turns: [bool; 3],
}

/// What counts of a position goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counts {
    /// All of it.
    All,
    /// Some axes, of a frame or, without one, of the effector's bone.
    Axes([bool; 3], Option<Rotation>),
    /// Its distance, on the allowed side: −1 inside, 1 outside, 0 on the surface.
    Distance(f64, i8),
}

impl Counts {
    fn of(constraint: &Constraint, target: Rotation) -> Self {
        if constraint.is_distance() {
            let side = match constraint.limit_mode.as_deref() {
                Some("outside") => 1,
                Some("onsurface") => 0,
                _ => -1,
            };
            return Self::Distance(constraint.distance, side);
        }
        match constraint.lock_location {
            Some(axes) if axes != [true; 3] => Self::Axes(axes, constraint.has_target_axes().then_some(target)),
            _ => Self::All,
        }
    }
    /// How far a position is off, with the effector's rotation.
    pub fn error(self, position: V3, goal: V3, effector: Rotation) -> f64 {
        match self {
            Self::All => position.distance(goal),
            Self::Axes(on, frame) => {
                let left = frame.unwrap_or(effector).inverse().rotate(goal - position);
                let counted = left.0.iter().zip(on).filter(|(_, on)| *on);
                counted.map(|(x, _)| x * x).sum::<f64>().sqrt()
            }
            Self::Distance(radius, side) => {
                let over = position.distance(goal) - radius;
                match side {
                    1 => (-over).max(0.0),
                    0 => over.abs(),
                    _ => over.max(0.0),
                }
            }
        }
    }
}

impl Goal {
    /// Angle that the effector is off, about the axes that count.
    pub fn turn_error(&self, rotation: Rotation, wanted: Rotation) -> f64 {
        if self.turns == [true; 3] {
            return rotation.angle_to(wanted);
        }
        let vector = (rotation.inverse() * wanted).vector();
        let counted = vector.0.iter().zip(self.turns).filter(|(_, on)| *on);
        counted.map(|(x, _)| x * x).sum::<f64>().sqrt()
    }
}

/// Goals of all constraints of a frame; `None` when there is nothing to score: a pole at an
/// influence between 0 and 1, where the reference blends joint rotations instead of moving the
/// goal; iTaSC at influence 0, which goes to rest.
pub fn goals(case: &Case, frame: &Frame) -> Option<Vec<Goal>> {
    let has_goal = |index: usize| {
        let (constraint, influence) = (&case.constraints[index], case.influence(frame, index));
        let blends = constraint.pole.is_some() && influence > 0.0 && influence < 1.0;
        let rests = case.solver == "itasc" && influence == 0.0;
        !(blends || rests)
    };
    let all = 0..case.constraints.len();
    all.map(|index| has_goal(index).then(|| full_goal(case, frame, index))).collect()
}

/// Goal of one constraint. Influence moves it on the way from where the effector is before IK
/// (iTaSC: at rest); with a pole it stays at the target, and the result is to be blended.
pub fn full_goal(case: &Case, frame: &Frame, index: usize) -> Goal {
    let constraint = &case.constraints[index];
    let target = frame.target(&constraint.target);
    let influence = case.influence(frame, index);
    let mut goal = Goal {
        position: constraint.use_location.then_some(target.position),
        rotation: constraint.turned_bone().filter(|_| constraint.use_rotation).map(|_| target.rotation),
        counts: Counts::of(constraint, target.rotation),
        turns: constraint.lock_rotation.unwrap_or([true; 3]),
    };
    if influence < 1.0 && (constraint.pole.is_none() || influence == 0.0) {
        let start = match case.solver.as_str() {
            "itasc" => vec![Rotation::IDENTITY; case.bone_count()],
            _ => case.fk_rotations(),
        };
        let start = pose_bones(case, &BonePose::rigid(start));
        goal.position = goal.position.map(|p| start.effector(case, constraint).lerp(p, influence));
        if let (Some(rotation), Some(bone)) = (&mut goal.rotation, constraint.turned_bone()) {
            *rotation = start.model[bone].rotation.slerp(*rotation, influence);
        }
    }
    goal
}

/// How the best possible result is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The file's witness pose meets all goals and limits.
    Witness,
    /// Every chain is free and on its own: the shell it fills.
    Geometry,
    /// Stated in the file.
    Stated,
    /// Unknown: the best pose found.
    Found,
}

/// The best possible result of one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    pub proof: Proof,
    /// Whether all goals can be met together; `None` with [`Proof::Found`].
    pub reachable: Option<bool>,
    /// Smallest position error over chain length, where known.
    pub best: Option<f64>,
}

/// Looks for proof that the goals can, or cannot, be met.
pub fn reach(case: &Case, frame: &Frame, goals: &[Goal]) -> Reach {
    if let Some(witness) = &case.witness_local {
        let pose = BonePose::rigid(witness.iter().map(|q| Rotation::new(*q)).collect());
        let m = measure(case, frame, Some(goals), &pose, SwingMeasure::of(&case.solver));
        if m.position < 1e-5 && m.rotation < 1e-4 && m.violation < 1e-4 && m.torn == 0 {
            return Reach { proof: Proof::Witness, reachable: Some(true), best: Some(0.0) };
        }
    }
    if let Some(best) = shell_distance(case, goals) {
        return Reach { proof: Proof::Geometry, reachable: Some(best <= 1e-6), best: Some(best) };
    }
    let influenced = (0..case.constraints.len()).any(|i| case.influence(frame, i) != 1.0);
    if influenced {
        return Reach { proof: Proof::Found, reachable: None, best: None };
    }
    let best =
        frame.best_pos_err.as_ref().filter(|_| case.constraints.iter().all(|c| !c.use_rotation)).and_then(|all| {
            let relative = all.iter().zip(&case.constraints).map(|(e, c)| e.map(|e| e / c.chain_length));
            relative.collect::<Option<Vec<f64>>>().map(|all| all.into_iter().fold(0.0, f64::max))
        });
    match frame.reachable {
        Some(true) => Reach { proof: Proof::Stated, reachable: Some(true), best: Some(0.0) },
        Some(false) => Reach { proof: Proof::Stated, reachable: Some(false), best },
        None => Reach { proof: Proof::Found, reachable: None, best: None },
    }
}

/// Largest distance, over chain length, from a goal to what its chain can fill; `None` unless every
/// chain is free, of fixed lengths, with a position goal only, and not moved by another.
pub fn shell_distance(case: &Case, goals: &[Goal]) -> Option<f64> {
    let before = pose_bones(case, &BonePose::rigid(case.fk_rotations()));
    let mut worst = 0.0_f64;
    for (constraint, goal) in case.constraints.iter().zip(goals) {
        let position = goal.position.filter(|_| goal.rotation.is_none() && goal.counts == Counts::All)?;
        if !is_free(case, constraint) || !stands_alone(case, constraint) {
            return None;
        }
        let links = link_lengths(case, constraint, &before);
        let (sum, longest) = links.iter().fold((0.0, 0.0_f64), |(sum, max), l| (sum + l, max.max(*l)));
        let distance = position.distance(before.root(constraint));
        let gap = (distance - sum).max(2.0 * longest - sum - distance).max(0.0);
        worst = worst.max(gap / constraint.chain_length);
    }
    Some(worst)
}

/// Neither locks, limits nor stretch on the chain.
pub fn is_free(case: &Case, constraint: &Constraint) -> bool {
    constraint.chain.iter().all(|bone| {
        let dof = case.dof(*bone);
        !dof.is_bounded() && !case.may_stretch(*bone)
    })
}

/// No other constraint moves a bone of this chain or one above it.
fn stands_alone(case: &Case, constraint: &Constraint) -> bool {
    let mut above = constraint.chain.clone();
    let mut bone = constraint.chain[constraint.chain.len() - 1];
    while let Some(parent) = case.parent(bone) {
        above.push(parent);
        bone = parent;
    }
    let others = case.constraints.iter().filter(|o| !std::ptr::eq(*o, constraint));
    !others.into_iter().any(|other| other.chain.iter().any(|b| above.contains(b)))
}

/// Distances from joint to joint along a chain, root first, the last one to the effector.
pub fn link_lengths(case: &Case, constraint: &Constraint, posed: &ScaledPoseView) -> Vec<f64> {
    let mut points: Vec<V3> = constraint.chain.iter().rev().map(|bone| posed.model[*bone].position).collect();
    points.push(posed.effector(case, constraint));
    points.windows(2).map(|pair| pair[0].distance(pair[1])).collect()
}
