//! `SinewHumanEffector`: the goal of a body part of a humanoid's whole-body solver, as a resource;
//! and the list of them that a node has.

use crate::attached::Place;
use crate::convert::{quat, vec3};
use crate::humanoid::goal_input;
use crate::humanoid_priorities::priority;
use crate::property::{Setup, Shared, TargetPath, placement_of, shared_revision};
use godot::builtin::{Array, NodePath, Quaternion, Vector3};
use godot::classes::{Node, Resource};
use godot::obj::{Base, Gd};
use godot::register::{GodotClass, godot_api};
use sinew::animator::Animator;
use sinew::humanoid::{BodyEffector, GoalPriority, IkGoalInput};
use sinew::outcome::Outcome;

/// The goal of hips, chest, head, a shoulder, an elbow or a knee, for the whole-body solver of a
/// [SinewHumanoidIK] ([member SinewHumanoidIK.body_solver]).
///
/// The goal comes from [member target], or from [member goal_position] and [member goal_rotation]
/// when no target is set.
#[derive(GodotClass)]
#[class(base = Resource, init, tool)]
pub struct SinewHumanEffector {
    /// The body part; see the PART constants. A part that the rig does not have has no effect.
    #[export(enum = (Hips = 0, Chest = 1, Head = 2, Left_Shoulder = 3, Right_Shoulder = 4, Left_Elbow = 5, Right_Elbow = 6, Left_Knee = 7, Right_Knee = 8))]
    pub part: i32,
    /// The goal: path of a Node3D, from the node [SinewHumanoidIK]. Empty: the properties below. An
    /// effector whose node is gone is absent.
    #[export]
    pub target: Shared<NodePath>,
    /// The goal is where the animation has the bone; target and properties do not count.
    #[export]
    pub pin: bool,
    /// Goal position of the bone without a [member target], world space, metres. Zero, the default,
    /// is no position: with a weight the bone then stays at its animated position. For the world's
    /// origin set a node.
    #[export]
    pub goal_position: Vector3,
    /// Goal rotation of the bone without a [member target], world space.
    #[export]
    pub goal_rotation: Quaternion,
    /// How far the goal moves from the animated position to the goal, 0 (absent) to 1.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    pub position_weight: f32,
    /// The same of the rotation.
    #[export(range = (0.0, 1.0, 0.001))]
    pub rotation_weight: f32,
    /// Ratio of the position in conflicts of one level, 0.000001 to 1000000. Not for fading: where
    /// nothing opposes, the least importance is obeyed.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub position_importance: f32,
    /// The same of the rotation.
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp))]
    #[init(val = 1.0)]
    pub rotation_importance: f32,
    /// 0 to 3: goals of a level give way to those of lower levels. Feet have 0 by default, hands 1.
    #[export(range = (0.0, 3.0, 1.0))]
    #[init(val = 1)]
    pub level: i32,
    base: Base<Resource>,
}

#[godot_api]
impl SinewHumanEffector {
    /// The hips.
    #[constant]
    pub const PART_HIPS: i64 = BodyEffector::Hips as i64;
    /// The highest of spine, chest and upper chest.
    #[constant]
    pub const PART_CHEST: i64 = BodyEffector::Chest as i64;
    /// The head.
    #[constant]
    pub const PART_HEAD: i64 = BodyEffector::Head as i64;
    /// Where the left upper arm begins.
    #[constant]
    pub const PART_LEFT_SHOULDER: i64 = BodyEffector::LeftShoulder as i64;
    /// Where the right upper arm begins.
    #[constant]
    pub const PART_RIGHT_SHOULDER: i64 = BodyEffector::RightShoulder as i64;
    /// Where the left forearm begins.
    #[constant]
    pub const PART_LEFT_ELBOW: i64 = BodyEffector::LeftElbow as i64;
    /// Where the right forearm begins.
    #[constant]
    pub const PART_RIGHT_ELBOW: i64 = BodyEffector::RightElbow as i64;
    /// Where the left shin begins.
    #[constant]
    pub const PART_LEFT_KNEE: i64 = BodyEffector::LeftKnee as i64;
    /// Where the right shin begins.
    #[constant]
    pub const PART_RIGHT_KNEE: i64 = BodyEffector::RightKnee as i64;

    /// Whether a position counts, and none is given.
    fn lacks_goal(&self) -> bool {
        let is_set = self.pin || !self.target.is_empty() || self.goal_position != Vector3::ZERO;
        !is_set && self.position_weight > 0.0
    }
    /// The part; a number that is none counts as the first.
    fn effector(&self) -> BodyEffector {
        let part = usize::try_from(self.part).ok().and_then(|part| BodyEffector::ALL.get(part));
        part.copied().unwrap_or(BodyEffector::Hips)
    }
}

/// The property: the entries, as the inspector shows them.
pub type EffectorArray = Setup<Array<Option<Gd<SinewHumanEffector>>>>;

/// An entry and the node that it follows.
#[derive(Debug)]
struct Entry {
    effector: Gd<SinewHumanEffector>,
    /// Place in the property.
    number: usize,
    target: TargetPath,
}

/// Goals by effector, world space.
pub type EffectorGoals = [IkGoalInput; BodyEffector::COUNT];

/// The entries of a node.
#[derive(Debug)]
pub struct EffectorList {
    entries: Vec<Entry>,
    revision: u64,
    outcomes: [Outcome; BodyEffector::COUNT],
}

impl Default for EffectorList {
    fn default() -> Self {
        Self { entries: Vec::new(), revision: 0, outcomes: [Outcome::INACTIVE; BodyEffector::COUNT] }
    }
}

impl EffectorList {
    /// Takes the property over when it or an entry's target was set.
    pub fn set_up(&mut self, effectors: &mut EffectorArray) {
        let revised = core::mem::replace(&mut self.revision, shared_revision()) != self.revision;
        if !(effectors.take_changed() || (revised && !effectors.is_empty())) {
            return;
        }
        let entry = |(number, effector): (usize, Option<Gd<SinewHumanEffector>>)| {
            let effector = effector?;
            let target = TargetPath::of((*effector.bind().target).clone());
            Some(Entry { effector, number, target })
        };
        self.entries = effectors.iter_shared().enumerate().filter_map(entry).collect();
    }
    /// Clears the cached nodes: paths may have changed.
    pub fn forget_targets(&mut self) {
        for entry in &mut self.entries {
            entry.target.forget();
        }
    }
    /// The goals of an update. Of two entries with one part the later one counts.
    pub fn goals(&mut self, from: &Node) -> EffectorGoals {
        let mut goals = EffectorGoals::default();
        for Entry { effector, target, .. } in &mut self.entries {
            let effector = effector.bind();
            let weights = (effector.position_weight.clamp(0.0, 1.0), effector.rotation_weight.clamp(0.0, 1.0));
            if !(weights.0 > 0.0 || weights.1 > 0.0) {
                continue;
            }
            let goal = &mut goals[effector.effector().index()];
            if effector.pin {
                *goal =
                    IkGoalInput { position_weight: weights.0, rotation_weight: weights.1, ..IkGoalInput::default() };
            } else if !target.is_set() {
                *goal = goal_input(vec3(effector.goal_position), quat(effector.goal_rotation), weights);
                if effector.goal_position == Vector3::ZERO {
                    goal.position = None;
                }
            } else {
                let node = target.kept_a_while().or_else(|| target.find_again(from));
                target.keep(node);
                if let Some((position, rotation)) = node.map(placement_of) {
                    *goal = goal_input(position, rotation, weights);
                }
            }
        }
        goals
    }
    /// How much the goals count. Of two entries with one part the later one counts.
    pub fn priorities(&self) -> [GoalPriority; BodyEffector::COUNT] {
        let mut all = [GoalPriority::EFFECTOR; BodyEffector::COUNT];
        for Entry { effector, .. } in &self.entries {
            let effector = effector.bind();
            let importances = (effector.position_importance, effector.rotation_importance);
            all[effector.effector().index()] = priority(importances, effector.level);
        }
        all
    }
    /// Gives the goals to the animator.
    pub fn send(goals: &EffectorGoals, animator: &mut Animator, place: &Place) -> Option<()> {
        for (effector, goal) in BodyEffector::ALL.into_iter().zip(goals) {
            let goal = IkGoalInput {
                position: goal.position.map(|position| place.point(position)),
                rotation: goal.rotation.map(|rotation| place.rotation(rotation.normalize())),
                ..*goal
            };
            animator.set_body_effector(effector, &goal).ok()?;
        }
        Some(())
    }
    /// Keeps how the effectors ended; `None`: nothing was solved.
    pub fn keep_outcomes(&mut self, animator: Option<&Animator>) {
        let outcome = |effector| animator.and_then(|animator| animator.body_effector_outcome(effector).ok());
        self.outcomes = BodyEffector::ALL.map(|effector| outcome(effector).unwrap_or(Outcome::INACTIVE));
    }
    /// How the entry of a number ended in the last update.
    pub fn outcome(&self, number: usize) -> Outcome {
        let found = self.entries.iter().find(|entry| entry.number == number);
        found.map_or(Outcome::INACTIVE, |entry| self.outcomes[entry.effector.bind().effector().index()])
    }
    /// Error texts for the entries.
    pub fn problems(&self, is_on: bool, from: &Node) -> Vec<String> {
        let mut all = Vec::new();
        if !self.entries.is_empty() && !is_on {
            all.push("effectors has entries, but body_solver is off: they have no effect.".to_string());
        }
        for (place, Entry { effector, number, target }) in self.entries.iter().enumerate() {
            all.extend(target.problem(&format!("effectors, entry {number}, target"), None, from));
            if effector.bind().lacks_goal() {
                all.push(format!(
                    "effectors, entry {number}: neither target nor goal_position is set: the bone is held where the \
                     animation has it."
                ));
            }
            let part = effector.bind().effector();
            let later = self.entries[place + 1..].iter().find(|entry| entry.effector.bind().effector() == part);
            if let Some(later) = later {
                let later = later.number;
                all.push(format!("effectors, entries {number} and {later} are of one part: entry {later} counts."));
            }
        }
        all
    }
}
