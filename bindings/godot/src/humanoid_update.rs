//! Updates of a [`SinewHumanoidIK`]: its set-up, and its properties in the form of the core.

use crate::attached::Attached;
use crate::avatar::{self, AvatarSource};
use crate::bones::BoneTable;
use crate::calls::Rig;
use crate::constraint;
use crate::crowd_solve::Ended;
use crate::detail;
use crate::display::Drawing;
use crate::human_effector::{EffectorGoals, EffectorList};
use crate::humanoid::{BodyWish, Humanoid, parts_needed};
use crate::humanoid_ik::{LOOK_AT, SinewHumanoidIK};
use crate::humanoid_priorities::Priorities;
use crate::limits::SinewSkeletonLimits;
use crate::property::shared_revision;
use godot::obj::WithBaseField;
use sinew::humanoid::{BodySolverMode, BodySolverSettings, HumanoidInput, HumanoidSettings, IkGoal, IkGoalInput};
use sinew::math::Vec3;
use sinew::outcome::Outcome;
use sinew::world::{Level, Paced, RowState};

/// What an update solves, with the pose of the skeleton then.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateInput {
    /// The level of detail.
    pub level: Level,
    /// Whether it is an update with transitions, which take their time.
    pub has_transitions: bool,
    input: HumanoidInput,
    body: Option<BodyWish>,
    effectors: EffectorGoals,
    priorities: Priorities,
    settings: (HumanoidSettings, BodySolverSettings, u32),
    rotations_of_bones: bool,
    points: [Vec3; 4],
    /// Bits of the parts that are read.
    reads: u8,
}

impl SinewHumanoidIK {
    /// Reads the pose, solves, and writes the pose. `None`: there was nothing to do, or nothing
    /// could be done.
    pub(crate) fn solve(&mut self, rig: Rig, delta_s: f32) -> Option<[Outcome; 5]> {
        let crowd = self.meet_crowd(rig, delta_s);
        let level = self.level(rig);
        if let Some(ended) = self.take_ahead(rig, level, delta_s) {
            return (ended != Ended::Failed).then(|| self.show_result(rig)).flatten();
        }
        let leaves_solve = crowd.as_ref().is_some_and(|crowd| self.leaves_solve(crowd, rig, delta_s));
        let state = self.solve_or_cut(level, rig, delta_s, leaves_solve)?;
        if let Some(crowd) = crowd.filter(|_| state == RowState::Solved) {
            crowd.count_alone(&rig.to_gd());
        }
        self.show_result(rig)
    }
    /// Solves the skeleton's present pose at a level of detail.
    pub(crate) fn solve_at(&mut self, level: Level, rig: Rig, delta_s: f32) -> Option<RowState> {
        self.solve_or_cut(level, rig, delta_s, false)
    }
    /// [`Self::solve_at`], or the correction of the last solve in place of one.
    fn solve_or_cut(&mut self, level: Level, rig: Rig, delta_s: f32, is_cut: bool) -> Option<RowState> {
        self.set_up(rig);
        self.humanoid.as_mut()?.paced.set_level(level);
        if level == Level::Off {
            return None;
        }
        let update = self.update_input(level, is_cut);
        let switched = core::mem::take(&mut self.switched);
        let Some(update) = update else {
            self.humanoid.as_mut()?.restrict(0);
            return None;
        };
        self.load(rig, &update, &switched, delta_s)?;
        let humanoid = self.humanoid.as_mut()?;
        if is_cut { Some(humanoid.cut()) } else { humanoid.solve() }
    }
    /// Writes what was solved.
    pub(crate) fn show_result(&self, rig: Rig) -> Option<[Outcome; 5]> {
        let attached = &self.humanoid.as_ref()?.attached;
        attached.write(rig);
        let animator = &attached.animator;
        let goal = |goal| animator.ik_outcome(goal).unwrap_or(Outcome::INACTIVE);
        let [a, b, c, d] = IkGoal::ALL.map(goal);
        Some([a, b, c, d, animator.look_at_outcome().unwrap_or(Outcome::INACTIVE)])
    }
    /// What an update at a level of detail solves, by the properties and nodes; `None`: nothing.
    /// `reads_all`: results of it may be shown in updates that read other parts.
    pub(crate) fn update_input(&mut self, level: Level, reads_all: bool) -> Option<UpdateInput> {
        let input = self.collect_input();
        let body = self.body_wish();
        self.effector_list.set_up(&mut self.effectors);
        let mut list = core::mem::take(&mut self.effector_list);
        let effectors = list.goals(&self.base());
        self.effector_list = list;
        let is_effected = |goal: &IkGoalInput| goal.position_weight > 0.0 || goal.rotation_weight > 0.0;
        let times = self.inertialization_times();
        let has_transitions = times.iter().any(|time| *time > 0.0) || self.look_at_inertialization_time() > 0.0;
        let overrides = !self.bone_overrides.is_empty();
        let paced = &self.humanoid.as_ref()?.paced;
        let active = has_transitions
            || paced.shows_results()
            || overrides
            || input.goals.iter().any(|g| g.position_weight > 0.0 || g.rotation_weight > 0.0)
            || input.hints.iter().any(|h| h.weight > 0.0)
            || input.look_at_position.is_some()
            || *self.feet_spacing > 0.0
            || (self.body_solver && effectors.iter().any(is_effected))
            || body.is_some();
        if !active {
            return None;
        }
        // Body goals may move every joint, and so may results of other goals that are shown for
        // some updates.
        let whole = has_transitions
            || reads_all
            || paced.is_gradual()
            || overrides
            || self.shoulder_weight > 0.0
            || self.spine_weight > 0.0
            || self.pull_weight > 0.0
            || self.human_limits
            || self.body_solver
            || *self.feet_spacing > 0.0
            || self.display.needs_update(self.debug_lines)
            || self.has_places()
            || body.is_some();
        let reads = if whole { avatar::EVERYTHING } else { parts_needed(&input) };
        let rotations_of_bones = i64::from(self.rotation_frame) == Self::ROTATION_BONE;
        let (settings, points) = (self.settings(), self.effector_points());
        Some(UpdateInput {
            level,
            has_transitions,
            input,
            body,
            effectors,
            priorities: self.priorities(),
            settings,
            rotations_of_bones,
            points,
            reads,
        })
    }
    /// Reads the pose, and sets all that a solve of it needs. `None`: it cannot be solved.
    pub(crate) fn load(&mut self, rig: Rig, update: &UpdateInput, switched: &[bool; 5], delta_s: f32) -> Option<()> {
        let humanoid = self.humanoid.as_mut()?;
        humanoid.restrict(update.reads);
        if !humanoid.attached.read(rig, None) {
            return None;
        }
        self.send_settings()?;
        if self.body_solver {
            self.send_priorities()?;
        }
        let humanoid = self.humanoid.as_mut()?;
        let animator = &mut humanoid.attached.animator;
        if self.body_solver {
            EffectorList::send(&update.effectors, animator, &humanoid.attached.place)?;
        }
        if update.has_transitions {
            animator.advance(delta_s);
            for goal in IkGoal::ALL.into_iter().filter(|goal| switched[goal.index()]) {
                animator.inertialize(goal).ok()?;
            }
            if switched[LOOK_AT] {
                animator.inertialize_look_at().ok()?;
            }
        }
        humanoid.set_input(update.input, update.body, update.rotations_of_bones)
    }

    /// The level of detail of an update.
    pub(crate) fn level(&self, rig: Rig) -> Level {
        detail::detail_of!(self).at(&self.base(), rig)
    }
    /// Transition times by goal, seconds; 0: none.
    fn look_at_inertialization_time(&self) -> f32 {
        let own = self.look_at_inertialization_time;
        if own >= 0.0 { own } else { self.inertialization_time }
    }
    fn inertialization_times(&self) -> [f32; 4] {
        let own = [
            self.left_foot_inertialization_time,
            self.right_foot_inertialization_time,
            self.left_hand_inertialization_time,
            self.right_hand_inertialization_time,
        ];
        own.map(|own| if own >= 0.0 { own } else { self.inertialization_time })
    }
    /// The properties in the form of the core, and the steps of work.
    fn settings(&self) -> (HumanoidSettings, BodySolverSettings, u32) {
        let factor = |factor: f32, of: f32| of * factor.clamp(0.0, 1.0);
        let (shoulder, pull) = (self.shoulder_weight, self.pull_weight);
        let settings = HumanoidSettings {
            shoulder_weights: [self.left_hand_shoulder_weight, self.right_hand_shoulder_weight]
                .map(|own| factor(own, shoulder)),
            spine_weight: self.spine_weight,
            pull_weights: [
                self.left_foot_pull_weight,
                self.right_foot_pull_weight,
                self.left_hand_pull_weight,
                self.right_hand_pull_weight,
            ]
            .map(|own| factor(own, pull)),
            inertialization_times_s: self.inertialization_times(),
            look_at_inertialization_time_s: self.look_at_inertialization_time(),
            limits_enabled: self.human_limits,
            bend_weight: self.bend_weight,
            trunk_avoidance: self.trunk_avoidance,
        };
        let body_solver = BodySolverSettings {
            mode: if self.body_solver { BodySolverMode::Converge } else { BodySolverMode::Off },
            holds_feet: self.holds_feet,
            balance_weight: self.balance_weight.clamp(0.0, 1.0),
            hips_stiffness: self.hips_stiffness.clamp(0.0, 1.0),
            spine_stiffness: self.spine_stiffness.clamp(0.0, 1.0),
            shoulder_stiffness: self.shoulder_stiffness.clamp(0.0, 1.0),
        };
        (settings, body_solver, constraint::work(self.max_work))
    }
    /// Gives the animator the settings and the bone overrides, where they are other ones than
    /// before.
    pub(crate) fn send_settings(&mut self) -> Option<()> {
        let (settings, body_solver, max_work) = self.settings();
        let animator = &mut self.humanoid.as_mut()?.attached.animator;
        if animator.settings().ok()? != &settings {
            animator.set_settings(&settings).ok()?;
        }
        if animator.body_solver().ok()? != &body_solver {
            animator.set_body_solver(&body_solver).ok()?;
        }
        animator.set_max_work(max_work);
        self.bone_overrides.send(animator);
        self.send_places()
    }

    /// Finds the bones when skeleton or set-up are other ones than before.
    pub(crate) fn set_up(&mut self, rig: Rig) {
        // A finger that is overridden is a bone of the humanoid, and stays one.
        let more_fingers = self.bone_overrides.has_finger() && !self.has_fingers;
        self.has_fingers |= more_fingers;
        let changed = more_fingers
            | self.bone_map.take_changed()
            | self.arm_stretch.take_changed()
            | self.leg_stretch.take_changed()
            | self.upper_arm_twist.take_changed()
            | self.lower_arm_twist.take_changed()
            | self.upper_leg_twist.take_changed()
            | self.lower_leg_twist.take_changed()
            | self.feet_spacing.take_changed()
            | self.muscle_ranges.take_changed()
            | self.take_changed_spaces();
        let version = Some(rig.version());
        let given = self.limits.take_changed();
        let revised = given || (self.limits.is_some() && self.limits_revision != shared_revision());
        if !changed && version == self.skeleton_version {
            if revised {
                self.discard_ahead();
                self.apply_limits();
            }
            return;
        }
        self.skeleton_version = version;
        self.ahead = None;
        avatar::watch(self.bone_map.as_ref(), &self.to_gd().upcast());
        let given = avatar::given_names(self.bone_map.as_ref());
        let source = AvatarSource {
            table: BoneTable::read(&rig.to_gd()),
            given,
            arm_stretch: *self.arm_stretch,
            leg_stretch: *self.leg_stretch,
            twists: [*self.upper_arm_twist, *self.lower_arm_twist, *self.upper_leg_twist, *self.lower_leg_twist],
            feet_spacing: *self.feet_spacing,
            muscle_ranges: *self.muscle_ranges,
            with_fingers: self.has_fingers,
            more: self.goal_spaces().into_iter().filter(|name| !name.is_empty()).collect(),
        };
        let made = avatar::rigged(&source).and_then(|rigged| {
            let attached = Attached::new(&rigged.subset, Some(rigged.avatar.clone()))?.defined_by(&rigged.definition);
            let paced = Paced::new(detail::next_turn());
            Ok(Box::new(Humanoid { attached, rigged, reads: avatar::EVERYTHING, paced }))
        });
        (self.humanoid, self.problem) = match made {
            Ok(humanoid) => (Some(humanoid), String::new()),
            Err(problem) => (None, problem),
        };
        self.find_spaces(&source.table);
        self.bone_names = source.table.names;
        self.bone_overrides.send_again();
        self.apply_limits();
    }
    /// The humanoid with the skeleton's present pose, outside of an update.
    pub(crate) fn posed(&mut self) -> Option<&mut Humanoid> {
        let rig = Rig::of(&self.base)?;
        self.set_up(rig);
        self.discard_ahead();
        let humanoid = self.humanoid.as_mut()?;
        humanoid.restrict(avatar::EVERYTHING);
        humanoid.attached.read(rig, None).then_some(humanoid)
    }
    fn apply_limits(&mut self) {
        self.limits_revision = shared_revision();
        if let Some(humanoid) = &mut self.humanoid {
            let animator = &mut humanoid.attached.animator;
            self.limit_problems = SinewSkeletonLimits::apply(self.limits.as_ref(), animator, &self.bone_names);
        }
    }

    /// Loads the animation's pose for the lines of an update that has solved nothing.
    pub(crate) fn look(&mut self, rig: Rig) {
        if let Some(humanoid) = &mut self.humanoid {
            humanoid.restrict(avatar::EVERYTHING);
            humanoid.attached.look(rig);
        }
    }

    pub(crate) fn draw(&mut self, drawing: &mut Drawing) {
        if let Some(humanoid) = &mut self.humanoid {
            humanoid.attached.draw(drawing);
        }
    }
}
