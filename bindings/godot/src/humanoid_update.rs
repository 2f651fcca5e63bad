//! Updates of a [`SinewHumanoidIK`]: its set-up, and its properties in the form of the core.

use crate::attached::Attached;
use crate::avatar::{self, AvatarSource};
use crate::bones::BoneTable;
use crate::calls::Rig;
use crate::constraint;
use crate::display::Drawing;
use crate::human_effector::EffectorList;
use crate::humanoid::{Humanoid, parts_needed};
use crate::humanoid_ik::SinewHumanoidIK;
use crate::limits::SinewSkeletonLimits;
use crate::property::shared_revision;
use godot::classes::Engine;
use godot::obj::{Singleton, WithBaseField};
use sinew::humanoid::{BodySolverMode, BodySolverSettings, HumanoidSettings, IkGoal, IkGoalInput};
use sinew::outcome::Outcome;
use sinew::world::{Level, Paced};
use std::sync::atomic::{AtomicU32, Ordering};

/// Spreads the solves of characters whose level is Every Nth over the updates.
static TURNS: AtomicU32 = AtomicU32::new(0);

impl SinewHumanoidIK {
    /// Reads the pose, solves, and writes the pose. `None`: there was nothing to do, or nothing
    /// could be done.
    pub(crate) fn solve(&mut self, rig: Rig, delta_s: f32) -> Option<[Outcome; 5]> {
        let level = self.level(rig);
        self.solve_at(level, rig, delta_s)
    }
    /// [`Self::solve`] at a level of detail.
    pub(crate) fn solve_at(&mut self, level: Level, rig: Rig, delta_s: f32) -> Option<[Outcome; 5]> {
        self.set_up(rig);
        self.humanoid.as_mut()?.paced.set_level(level);
        if level == Level::Off {
            return None;
        }
        let input = self.collect_input();
        let switched = core::mem::take(&mut self.switched);
        let body = self.body_wish();
        self.effector_list.set_up(&mut self.effectors);
        let mut list = core::mem::take(&mut self.effector_list);
        let effectors = list.goals(&self.base());
        self.effector_list = list;
        let is_effected = |goal: &IkGoalInput| goal.position_weight > 0.0 || goal.rotation_weight > 0.0;
        let times = self.inertialization_times();
        let has_transitions = times.iter().any(|time| *time > 0.0);
        let overrides = !self.bone_overrides.is_empty();
        let paced = &self.humanoid.as_ref()?.paced;
        let shows_results = paced.shows_results();
        let active = has_transitions
            || shows_results
            || overrides
            || input.goals.iter().any(|g| g.position_weight > 0.0 || g.rotation_weight > 0.0)
            || input.hints.iter().any(|h| h.weight > 0.0)
            || input.look_at_position.is_some()
            || *self.feet_spacing > 0.0
            || (self.body_solver && effectors.iter().any(is_effected))
            || body.is_some();
        // Body goals may move every joint, and so may results of other goals that are shown for
        // some updates.
        let whole = has_transitions
            || paced.is_gradual()
            || overrides
            || self.shoulder_weight > 0.0
            || self.spine_weight > 0.0
            || self.pull_weight > 0.0
            || self.human_limits
            || self.body_solver
            || *self.feet_spacing > 0.0
            || self.display.needs_update(self.debug_lines)
            || body.is_some();
        let reads = if whole { avatar::EVERYTHING } else { parts_needed(&input) };
        let humanoid = self.humanoid.as_mut()?;
        humanoid.restrict(if active { reads } else { 0 });
        if !active || !humanoid.attached.read(rig, None) {
            return None;
        }
        self.send_settings()?;
        let humanoid = self.humanoid.as_mut()?;
        let animator = &mut humanoid.attached.animator;
        if self.body_solver {
            EffectorList::send(&effectors, animator, &humanoid.attached.place)?;
        }
        if has_transitions {
            animator.advance(delta_s);
            for goal in IkGoal::ALL.into_iter().filter(|goal| switched[goal.index()]) {
                animator.inertialize(goal).ok()?;
            }
        }
        humanoid.solve(input, body, i64::from(self.rotation_frame) == Self::ROTATION_BONE)?;
        humanoid.attached.write(rig);
        let animator = &humanoid.attached.animator;
        let goal = |goal| animator.ik_outcome(goal).unwrap_or(Outcome::INACTIVE);
        let [a, b, c, d] = IkGoal::ALL.map(goal);
        Some([a, b, c, d, animator.look_at_outcome().unwrap_or(Outcome::INACTIVE)])
    }

    /// The level of detail of an update.
    fn level(&self, rig: Rig) -> Level {
        let level = match i64::from(self.detail_level) {
            Self::DETAIL_FEWER_ITERATIONS => Level::Fewer(self.detail_iterations),
            Self::DETAIL_EVERY_NTH => Level::EveryNth(u32::try_from(self.detail_interval).unwrap_or(1)),
            Self::DETAIL_OFF => Level::Off,
            _ => Level::Full,
        };
        if !(self.detail_distance > 0.0 || self.detail_off_distance > 0.0) {
            return level.limited();
        }
        let camera = self.base().get_viewport().and_then(|viewport| viewport.get_camera_3d());
        let Some(camera) = camera.filter(|_| !Engine::singleton().is_editor_hint()) else { return level.limited() };
        let distance = camera.get_global_position().distance_to(rig.global_transform().origin);
        if self.detail_off_distance > 0.0 && distance >= self.detail_off_distance {
            return Level::Off;
        }
        if self.detail_distance > 0.0 && distance < self.detail_distance { Level::Full } else { level.limited() }
    }
    /// Transition times by goal, seconds; 0: none.
    fn inertialization_times(&self) -> [f32; 4] {
        let own = [
            self.left_foot_inertialization_time,
            self.right_foot_inertialization_time,
            self.left_hand_inertialization_time,
            self.right_hand_inertialization_time,
        ];
        own.map(|own| if own >= 0.0 { own } else { self.inertialization_time })
    }
    /// Gives the animator the settings and the bone overrides, where they are other ones than
    /// before.
    pub(crate) fn send_settings(&mut self) -> Option<()> {
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
            limits_enabled: self.human_limits,
            bend_weight: self.bend_weight,
        };
        let body_solver = BodySolverSettings {
            mode: if self.body_solver { BodySolverMode::Converge } else { BodySolverMode::Off },
            holds_feet: self.holds_feet,
            balance_weight: self.balance_weight.clamp(0.0, 1.0),
            hips_stiffness: self.hips_stiffness.clamp(0.0, 1.0),
            spine_stiffness: self.spine_stiffness.clamp(0.0, 1.0),
            shoulder_stiffness: self.shoulder_stiffness.clamp(0.0, 1.0),
        };
        let animator = &mut self.humanoid.as_mut()?.attached.animator;
        if animator.settings().ok()? != &settings {
            animator.set_settings(&settings).ok()?;
        }
        if animator.body_solver().ok()? != &body_solver {
            animator.set_body_solver(&body_solver).ok()?;
        }
        animator.set_max_work(constraint::work(self.max_work));
        self.bone_overrides.send(animator);
        Some(())
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
            | self.muscle_ranges.take_changed();
        let version = Some(rig.version());
        let given = self.limits.take_changed();
        let revised = given || (self.limits.is_some() && self.limits_revision != shared_revision());
        if !changed && version == self.skeleton_version {
            if revised {
                self.apply_limits();
            }
            return;
        }
        self.skeleton_version = version;
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
        };
        let made = avatar::rigged(&source).and_then(|rigged| {
            let attached = Attached::new(&rigged.subset, Some(rigged.avatar.clone()))?.defined_by(&rigged.definition);
            let paced = Paced::new(TURNS.fetch_add(1, Ordering::Relaxed));
            Ok(Box::new(Humanoid { attached, rigged, reads: avatar::EVERYTHING, paced }))
        });
        (self.humanoid, self.problem) = match made {
            Ok(humanoid) => (Some(humanoid), String::new()),
            Err(problem) => (None, problem),
        };
        self.bone_names = source.table.names;
        self.bone_overrides.send_again();
        self.apply_limits();
    }
    /// The humanoid with the skeleton's present pose, outside of an update.
    pub(crate) fn posed(&mut self) -> Option<&mut Humanoid> {
        let rig = Rig::of(&self.base)?;
        self.set_up(rig);
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
