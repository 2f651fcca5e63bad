//! `SinewBodyTies`: effectors of different bodies that meet.

use crate::argument;
use crate::body_ik::SinewBodyIK;
use crate::body_tie::SinewBodyTie;
use crate::constraint;
use crate::convert::{is_rotation, quat};
use crate::display::Display;
use crate::outcome;
use crate::whole_body::{self, WholeBody};
use godot::builtin::{Array, GString, NodePath, PackedStringArray, StringName, Variant};
use godot::classes::{INode, Node};
use godot::obj::{Base, Gd, InstanceId, WithBaseField};
use godot::register::{GodotClass, godot_api};
use sinew::body::{BodyTie, MeetRule, TieEnd};
use sinew::optim::Work;
use sinew::outcome::{Status, weight01};

/// Effectors of different bodies that meet: hands that are held, a box that two carry.
///
/// In each frame, after the animations (its process priority is 1000 unless it is set), it looks
/// for a place that both effectors of each tie can be brought to, or where they are nearest to each
/// other. The [SinewBodyIK] nodes then reach for it when their skeletons are updated. Bodies that
/// are tied to each other belong into one node. Skeletons must have an even scale.
#[derive(GodotClass)]
#[class(base = Node, init, tool)]
pub struct SinewBodyTies {
    /// Which effectors meet.
    #[export]
    pub ties: Array<Option<Gd<SinewBodyTie>>>,
    /// Maximum number of rounds in a frame, 1 to 64; each solves every body once. One is enough
    /// where both effectors reach the place between them.
    #[export(range = (1.0, 64.0, 1.0))]
    #[init(val = MeetRule::default().max_rounds as i32)]
    pub max_rounds: i32,
    /// Maximum number of steps of work of each solve of a round, 0 to 8000000, where the body's own
    /// [member SinewBodyIK.max_work] is not less; for bodies in Converge. A step takes 10 to 80 ns.
    /// A frame has at most as many solves as rounds times bodies. When no steps are left, a solve
    /// ends with the best pose so far, and the place may not be the nearest one.
    #[export(range = (0.0, 8000000.0, 1.0))]
    #[init(val = Work::MOST as i32)]
    pub max_work: i32,
    /// How the bodies met in the last frame; see the STATUS constants of [SinewBodyIK].
    /// Unreachable: not all effectors are at their place, and moving the places gains nothing.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = ENUM, hint_string = "Inactive,Reached,Unreachable,Stalled,Out of Iterations")]
    pub status: i32,
    /// Largest distance in metres that the last frame left between tied points.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = RANGE, hint_string = "0,10,0.00001,or_greater,suffix:m")]
    pub gap: f32,
    /// Largest angle in radians that the last frame left between tied bones.
    #[var(no_set, usage_flags = [EDITOR, READ_ONLY], hint = RANGE, hint_string = "0,180,0.0001,radians_as_degrees")]
    pub gap_angle: f32,

    /// Of each entry of `ties`: metres and radians.
    gaps: Vec<[f32; 2]>,
    /// Bodies whose effectors have a place.
    tied: Vec<InstanceId>,
    problems: Vec<String>,
    display: Display,
    base: Base<Node>,
}

/// One tie of a frame: entry, and what is tied of it.
struct Found {
    number: usize,
    ends: [(usize, usize); 2],
    turns: bool,
    rotation: sinew::math::Quat,
    share: f32,
}

#[godot_api]
impl INode for SinewBodyTies {
    fn ready(&mut self) {
        if self.base().get_process_priority() == 0 {
            self.base_mut().set_process_priority(1000);
        }
    }
    fn process(&mut self, delta: f64) {
        self.meet(delta as f32);
        if self.display.needs_update(false) {
            let warnings = self.warnings();
            if self.display.warns_anew(warnings) {
                self.base_mut().call_deferred("update_configuration_warnings", &[]);
            }
        }
    }
    fn enter_tree(&mut self) {
        self.display.enter();
    }
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        argument::set_list(&mut self.ties, ["SinewBodyTies", "ties"], &property, &value)
    }
    fn exit_tree(&mut self) {
        self.release();
        self.status = Status::Inactive as i32;
    }
    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.get_warnings()
    }
}

#[godot_api]
impl SinewBodyTies {
    /// Looks for the places now, for the animations' poses; the node does so by itself in each
    /// frame. `delta` is the length of the frame in seconds, for bodies in track mode.
    #[func]
    fn meet(&mut self, delta: f32) {
        self.release();
        (self.status, self.gap, self.gap_angle) = (Status::Inactive as i32, 0.0, 0.0);
        self.gaps.clear();
        self.gaps.resize(self.ties.len(), [0.0; 2]);
        self.problems.clear();
        let (mut nodes, found) = self.find();
        if found.is_empty() {
            return;
        }
        let mut bodies: Vec<Box<WholeBody>> = Vec::new();
        for (number, node) in nodes.iter_mut().enumerate() {
            let of_node = found.iter().flat_map(|tie| tie.ends.map(|(body, effector)| (body, effector, tie.turns)));
            let tied: Vec<_> = of_node.filter(|tied| tied.0 == number).map(|tied| (tied.1, tied.2)).collect();
            let lent = node.bind_mut().lend(&tied, constraint::work(self.max_work));
            match lent {
                Some(body) => bodies.push(body),
                None => break,
            }
        }
        if bodies.len() == nodes.len() {
            self.meet_bodies(&mut bodies, &found, delta);
            self.count_influence(&nodes, &bodies, &found);
        } else {
            self.problems.push("A skeleton has no bones, or a scale that is not the same on every axis.".into());
            bodies.iter_mut().for_each(|body| body.release_ties());
        }
        for (node, body) in nodes.iter_mut().zip(bodies) {
            self.tied.push(node.instance_id());
            node.bind_mut().give_back(body);
        }
    }
    /// Distance in metres that the last frame left between the points of an entry of [member ties];
    /// 0 for orientations.
    #[func]
    fn get_tie_gap(&self, number: i32) -> f32 {
        self.tie_gap("SinewBodyTies.get_tie_gap", number)[0]
    }
    /// Angle in radians that the last frame left between the bones of an entry of [member ties]; 0
    /// where only positions are tied.
    #[func]
    fn get_tie_gap_angle(&self, number: i32) -> f32 {
        self.tie_gap("SinewBodyTies.get_tie_gap_angle", number)[1]
    }
    /// The status in words.
    #[func]
    fn get_status_text(&self) -> GString {
        outcome::text(self.status)
    }
    /// What is missing for this node to work, one sentence each; the editor shows the same at the
    /// node.
    #[func]
    fn get_warnings(&self) -> PackedStringArray {
        self.warnings().iter().map(GString::from).collect()
    }
}

impl SinewBodyTies {
    fn warnings(&self) -> Vec<String> {
        let empty = self.ties.is_empty().then(|| "ties is empty: nothing meets.".to_string());
        empty.into_iter().chain(self.problems.iter().cloned()).collect()
    }
    fn tie_gap(&self, call: &str, number: i32) -> [f32; 2] {
        let number = argument::index(call, "number", number, self.ties.len());
        number.and_then(|number| self.gaps.get(number)).copied().unwrap_or_default()
    }

    /// Effectors without a place reach for their own goals again.
    fn release(&mut self) {
        for id in self.tied.drain(..) {
            if let Ok(mut node) = Gd::<SinewBodyIK>::try_from_instance_id(id) {
                node.bind_mut().release_ties();
            }
        }
    }

    /// The ties that count, and their bodies.
    fn find(&mut self) -> (Vec<Gd<SinewBodyIK>>, Vec<Found>) {
        let (mut nodes, mut found) = (Vec::new(), Vec::new());
        for (number, tie) in self.ties.iter_shared().enumerate() {
            let Some(tie) = tie else { continue };
            let tie = tie.bind();
            match self.ends(&tie, &mut nodes) {
                Ok((ends, turns)) => {
                    found.push(Found { number, ends, turns, rotation: quat(tie.rotation), share: weight01(tie.share) })
                }
                Err(problem) => self.problems.push(format!("ties, entry {number}: {problem}.")),
            }
        }
        (nodes, found)
    }
    fn ends(
        &self,
        tie: &SinewBodyTie,
        nodes: &mut Vec<Gd<SinewBodyIK>>,
    ) -> Result<([(usize, usize); 2], bool), String> {
        let node = |path: &NodePath, what: &str| {
            let found = self.base().try_get_node_as::<SinewBodyIK>(path);
            found.ok_or_else(|| format!("the path of {what} leads to no SinewBodyIK"))
        };
        let (first, second) = (node(&tie.first, "first")?, node(&tie.second, "second")?);
        if first == second {
            return Err("both effectors are of one body: use a relative kind there".into());
        }
        let mut kinds = [(false, false); 2];
        let mut ends = [(0, 0); 2];
        let sides = [(first, tie.first_effector, "first_effector"), (second, tie.second_effector, "second_effector")];
        for (side, (mut node, effector, what)) in sides.into_iter().enumerate() {
            let effector = usize::try_from(effector).unwrap_or(usize::MAX);
            if !node.is_inside_tree() || !node.is_active() {
                return Err("a body is not active".into());
            }
            if node.get_influence() <= 0.0 {
                return Err("a body has influence 0".into());
            }
            node.bind_mut().prepare();
            let kind = node.bind().tied_kind(effector);
            let problem = || format!("{what} is no position or orientation of the body, or a pin");
            kinds[side] = kind.ok_or_else(problem)?;
            let place = nodes.iter().position(|known: &Gd<SinewBodyIK>| *known == node).unwrap_or_else(|| {
                nodes.push(node.clone());
                nodes.len() - 1
            });
            ends[side] = (place, effector);
        }
        if kinds[0].0 != kinds[1].0 {
            return Err("the effectors are of two kinds".into());
        }
        if !is_rotation(quat(tie.rotation)) {
            return Err("rotation is none".into());
        }
        Ok((ends, kinds[0].1 && kinds[1].1))
    }

    /// A body with an influence below 1 goes a part of the way only: what is left is a gap.
    fn count_influence(&mut self, nodes: &[Gd<SinewBodyIK>], bodies: &[Box<WholeBody>], found: &[Found]) {
        /// Gaps that count as met, metres.
        const MET: f32 = 1e-3;
        for tie in found {
            let left = tie.ends.map(|(body, effector)| {
                let influence = nodes[body].get_influence().clamp(0.0, 1.0);
                if influence < 1.0 { (1.0 - influence) * bodies[body].way_to_meeting(effector) } else { 0.0 }
            });
            let left = left[0] + left[1];
            if left > MET && self.status != Status::Inactive as i32 {
                self.gaps[tie.number][0] += left;
                self.gap = self.gap.max(self.gaps[tie.number][0]);
                self.status = Status::Unreachable as i32;
                self.problems.push(format!(
                    "ties, entry {}: a body has an influence below 1 and does not reach the place: fade with the \
                     effectors' blend.",
                    tie.number
                ));
            }
        }
    }

    fn meet_bodies(&mut self, bodies: &mut [Box<WholeBody>], found: &[Found], delta: f32) {
        let mut ties = Vec::new();
        let mut entries = Vec::new();
        for tie in found {
            let tasks = tie.ends.map(|(body, effector)| bodies[body].tied_tasks(effector));
            let [Some(first), Some(second)] = tasks else { continue };
            let end = |side: usize, task| TieEnd { body: tie.ends[side].0, task };
            let mut add = |a, b| {
                entries.push(tie.number);
                let made = BodyTie::new(end(0, a), end(1, b)).with_share(tie.share);
                ties.push(made.with_rotation(tie.rotation.normalize()));
            };
            add(first.0, second.0);
            if let (Some(a), Some(b)) = (first.1, second.1) {
                add(a, b);
            }
        }
        let dt_s = if delta > 0.0 { delta.min(1e3) } else { 0.0 };
        let rule = MeetRule { dt_s, max_rounds: self.max_rounds.clamp(1, MeetRule::MAX_ROUNDS as i32) as u32 };
        match whole_body::meet_all(bodies, &mut ties, &rule) {
            Ok(outcome) => {
                (self.status, self.gap, self.gap_angle) = (outcome.status as i32, outcome.gap_m, outcome.gap_rad);
                for (tie, number) in ties.iter().zip(entries) {
                    self.gaps[number][usize::from(tie.is_turn())] = tie.gap();
                }
            }
            Err(error) => {
                self.problems.push(format!("{error}."));
                bodies.iter_mut().for_each(|body| body.release_ties());
            }
        }
    }
}
