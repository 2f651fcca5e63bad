//! Levels of detail of the nodes that have them.

use crate::calls::Rig;
use godot::classes::{Engine, Node};
use godot::obj::Singleton;
use sinew::animator::Animator;
use sinew::math::Transform;
use sinew::outcome::Outcome;
use sinew::world::{Level, Paced, PacedCall, PacedTime};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the properties `detail_…` of a node say.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// Number of a DETAIL constant.
    pub level: i32,
    /// Fewer Iterations: part of them.
    pub iterations: f32,
    /// Every Nth: updates from one solve to the next.
    pub interval: i32,
    /// Distance from the camera up to which the level is Full, metres; 0: it counts anywhere.
    pub distance: f32,
    /// Distance from which it is Off; 0: never.
    pub off_distance: f32,
}

impl Detail {
    /// The level of an update of a node.
    pub fn at(&self, node: &Node, rig: Rig) -> Level {
        let level = match self.level {
            1 => Level::Fewer(self.iterations),
            2 => Level::EveryNth(u32::try_from(self.interval).unwrap_or(1)),
            3 => Level::Off,
            _ => Level::Full,
        };
        if !(self.distance > 0.0 || self.off_distance > 0.0) {
            return level.limited();
        }
        let camera = node.get_viewport().and_then(|viewport| viewport.get_camera_3d());
        let Some(camera) = camera.filter(|_| !Engine::singleton().is_editor_hint()) else { return level.limited() };
        let distance = camera.get_global_position().distance_to(rig.global_transform().origin);
        if self.off_distance > 0.0 && distance >= self.off_distance {
            return Level::Off;
        }
        if self.distance > 0.0 && distance < self.distance { Level::Full } else { level.limited() }
    }
}

/// The [`Detail`] of a node with these properties.
macro_rules! detail_of {
    ($node:ident) => {
        detail::Detail {
            level: $node.detail_level,
            iterations: $node.detail_iterations,
            interval: $node.detail_interval,
            distance: $node.detail_distance,
            off_distance: $node.detail_off_distance,
        }
    };
}
pub(crate) use detail_of;

/// Spreads the solves of characters whose level is Every Nth over the updates.
static TURNS: AtomicU32 = AtomicU32::new(0);

/// The turn of the next character.
pub fn next_turn() -> u32 {
    TURNS.fetch_add(1, Ordering::Relaxed)
}

/// The updates of a whole body at its level of detail.
#[derive(Debug)]
pub struct BodyPace {
    paced: Paced,
    /// Time since the last solve, seconds.
    waited_s: f32,
    /// The outcome of that.
    last: Outcome,
}

impl BodyPace {
    /// At [`Level::Full`].
    pub fn new() -> Self {
        Self { paced: Paced::new(next_turn()), waited_s: 0.0, last: Outcome::INACTIVE }
    }
    /// Sets the level, for the updates that follow.
    pub fn set_level(&mut self, level: Level) {
        self.paced.set_level(level);
    }
    /// Results of before are not those to go on from.
    pub fn forget(&mut self) {
        self.paced.forget();
        self.waited_s = 0.0;
    }
    /// An update, with the animation in the animator's pose. `solve` gets it, and the seconds since
    /// the last solve; `None`: it failed.
    pub fn update(
        &mut self,
        animator: &mut Animator,
        delta_s: f32,
        solve: impl FnOnce(&mut [Transform], f32) -> Option<Outcome>,
    ) -> Option<Outcome> {
        self.waited_s = (self.waited_s + delta_s).min(1e3);
        match self.paced.begin(animator, PacedTime::Unlimited) {
            PacedCall::Ended(_) => Some(self.last),
            PacedCall::Solve(begun) => {
                let solved = solve(animator.pose_mut().local_mut(), core::mem::take(&mut self.waited_s));
                self.paced.end(begun, animator, solved.is_none());
                self.last = solved.unwrap_or(Outcome::INACTIVE);
                solved
            }
        }
    }
}
