//! `SinewCrowd`: characters that are solved together.

use crate::crowd_call::{Crowd, CrowdSettings, Report};
use godot::builtin::{Array, GString, NodePath, PackedStringArray};
use godot::classes::{Engine, INode, Node, SkeletonModifier3D};
use godot::obj::{Base, Gd, Singleton, WithBaseField};
use godot::register::property::PhantomVar;
use godot::register::{GodotClass, godot_api};
use std::rc::Rc;

/// Solves many [SinewHumanoidIK] in one call in each frame: eight of one rig side by side, within a
/// time budget, on the engine's worker threads where [member use_threads] is on.
///
/// Members are all that are below [member root_node], also those that are added while the game
/// runs: a crowd that is a child of the level's root has all characters of the level. Of several
/// crowds that of the nearest ancestor counts. Put characters that must be solved in every frame,
/// such as the player's, below another node than those that a budget may leave out.
///
/// The call is made when the first member is updated in a frame (or in a physics tick, for
/// skeletons that are updated there), when all animations have been played. Without a budget the
/// poses are those without the crowd, bit for bit, also with threads: a member looks at its pose
/// and its goals again in its own update, and is solved alone where they have changed since. So are
/// members behind other modifiers of their skeleton, members of skeletons that a script updates,
/// the first update of a member, and all in the editor and while a recording runs ([method
/// Sinew.record_begin]).
#[derive(GodotClass)]
#[class(base = Node, init, tool)]
pub struct SinewCrowd {
    /// Whether the members are solved together.
    #[export]
    #[var(set = set_active)]
    #[init(val = true)]
    pub active: bool,
    /// The node below which the members are.
    #[export]
    #[var(set = set_root_node)]
    #[init(val = NodePath::from(".."))]
    pub root_node: NodePath,
    /// Seconds of a frame in which solves may begin, counted from when the members' poses have been
    /// read, 0 or more; 0 (default): no limit. A member that is not solved keeps the correction of
    /// its last solve on top of the animation of the moment, and is among the first in the next
    /// frame; one is solved in every frame. Poses then depend on time.
    #[export(range = (0.0, 0.02, 0.0001, or_greater, suffix = "s"))]
    #[var(set = set_time_budget)]
    pub time_budget: f32,
    /// Whether the engine's worker threads solve, beside the main thread. The poses are the same.
    /// Pays with [member SinewHumanoidIK.body_solver].
    #[export]
    #[var(set = set_use_threads)]
    pub use_threads: bool,
    /// Number of members.
    #[var(get = get_member_count, no_set, usage_flags = [EDITOR, READ_ONLY])]
    member_count: PhantomVar<i32>,
    /// Members that the call of the last frame has solved, and that of the last physics tick.
    #[var(get = get_solved_count, no_set, usage_flags = [EDITOR, READ_ONLY])]
    solved_count: PhantomVar<i32>,
    /// Members that the budget has left out there.
    #[var(get = get_cut_count, no_set, usage_flags = [EDITOR, READ_ONLY])]
    cut_count: PhantomVar<i32>,
    /// Solves of members in their own updates there; see the description of the class.
    #[var(get = get_alone_count, no_set, usage_flags = [EDITOR, READ_ONLY])]
    alone_count: PhantomVar<i32>,
    /// Duration of these calls, seconds, with reading the poses.
    #[var(get = get_time_used, no_set, usage_flags = [EDITOR, READ_ONLY])]
    time_used: PhantomVar<f64>,

    crowd: Option<Rc<Crowd>>,
    base: Base<Node>,
}

#[godot_api]
impl INode for SinewCrowd {
    fn enter_tree(&mut self) {
        self.join();
    }
    fn ready(&mut self) {
        // The root may have come after this node.
        if self.crowd.is_none() {
            self.join();
        }
    }
    fn exit_tree(&mut self) {
        self.leave();
    }
    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_warnings()
    }
}

#[godot_api]
impl SinewCrowd {
    #[func]
    fn set_active(&mut self, active: bool) {
        self.active = active;
        self.join();
    }
    #[func]
    fn set_root_node(&mut self, root_node: NodePath) {
        self.root_node = root_node;
        self.join();
        self.base_mut().update_configuration_warnings();
    }
    #[func]
    fn set_time_budget(&mut self, time_budget: f32) {
        self.time_budget = time_budget;
        self.send_settings();
    }
    #[func]
    fn set_use_threads(&mut self, use_threads: bool) {
        self.use_threads = use_threads;
        self.send_settings();
    }
    #[func]
    fn get_member_count(&self) -> i32 {
        self.crowd.as_ref().map_or(0, |crowd| crowd.members().len() as i32)
    }
    #[func]
    fn get_solved_count(&self) -> i32 {
        self.report().solved as i32
    }
    #[func]
    fn get_cut_count(&self) -> i32 {
        self.report().cut as i32
    }
    #[func]
    fn get_alone_count(&self) -> i32 {
        self.report().alone as i32
    }
    #[func]
    fn get_time_used(&self) -> f64 {
        self.report().time_s
    }
    /// The members, in the order in which they came.
    #[func]
    fn get_members(&self) -> Array<Gd<SkeletonModifier3D>> {
        let ids = self.crowd.iter().flat_map(|crowd| crowd.members());
        ids.filter_map(|id| Gd::try_from_instance_id(id).ok()).collect()
    }
    /// What is missing for this node to work, one sentence each; the editor shows the same at the
    /// node.
    #[func]
    fn get_warnings(&self) -> PackedStringArray {
        let is_missing = self.base().is_inside_tree() && self.root().is_none();
        is_missing.then(|| GString::from("The path of root_node leads to no node.")).into_iter().collect()
    }
}

impl SinewCrowd {
    fn root(&self) -> Option<Gd<Node>> {
        self.base().get_node_or_null(&self.root_node)
    }
    fn leave(&mut self) {
        if let Some(crowd) = self.crowd.take() {
            crowd.remove();
        }
    }
    fn join(&mut self) {
        self.leave();
        if self.active && self.base().is_inside_tree() && !Engine::singleton().is_editor_hint() {
            self.crowd = self.root().map(|root| Crowd::add(root.instance_id()));
        }
        self.send_settings();
    }
    fn send_settings(&self) {
        let budget_s = if self.time_budget > 0.0 { self.time_budget } else { 0.0 };
        if let Some(crowd) = &self.crowd {
            crowd.settings.set(CrowdSettings { budget_s, uses_threads: self.use_threads });
        }
    }
    fn report(&self) -> Report {
        self.crowd.as_ref().map_or(Report::default(), |crowd| crowd.report())
    }
}
