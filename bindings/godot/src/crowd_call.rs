//! A crowd: characters that are solved in one call, when the first of them is updated in a frame.
//!
//! By then all skeletons have their animated poses, so the call reads each member's pose and goals,
//! and solves them. The member keeps the result until its own update, which looks at pose and goals
//! again: where they are the same bits, the result is that of a solve of its own; else it makes
//! one.

use crate::crowd_solve::{self, Ended, Lent, Work};
use godot::classes::skeleton_3d::ModifierCallbackModeProcess as CallbackMode;
use godot::classes::{Engine, Node, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Gd, InstanceId, Singleton};
use sinew::animator::crowd::Workspace;
use sinew::ffi::mirror::is_recording;
use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::Mutex;
use std::time::Instant;

thread_local! {
    /// The crowds of the tree, in the order in which they came. Without a destructor: with one of a
    /// thread that lives, the editor could not load the extension anew.
    static CROWDS: ManuallyDrop<RefCell<Vec<Rc<Crowd>>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
    /// Changes with them.
    static REVISION: Cell<u64> = const { Cell::new(1) };
    /// Updates of nodes that may be members, one within another.
    static UPDATING: Cell<u32> = const { Cell::new(0) };
}

/// A frame, or a physics tick, of the skeletons that are updated in it by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    mode: CallbackMode,
    number: u64,
}

impl Tick {
    /// Of an update of a skeleton that runs; `None` where scripts update it.
    pub fn of(skeleton: &Skeleton3D) -> Option<Self> {
        let mode = skeleton.get_modifier_callback_mode_process();
        let is_of_engine = mode == CallbackMode::IDLE || mode == CallbackMode::PHYSICS;
        is_of_engine.then(|| Self { mode, number: now(place_of(mode)) })
    }
}

/// Place of a mode in lists by mode: frames, physics ticks, scripts.
fn place_of(mode: CallbackMode) -> usize {
    match mode {
        CallbackMode::IDLE => 0,
        CallbackMode::PHYSICS => PHYSICS,
        _ => 2,
    }
}
const PHYSICS: usize = 1;

/// Number of the frame, or of the physics tick for its mode.
fn now(mode: usize) -> u64 {
    let engine = Engine::singleton();
    if mode == PHYSICS { engine.get_physics_frames() } else { engine.get_process_frames() }
}

/// Whether an update is none of the frame's: the engine makes it beside these, without a length,
/// where a script has set a pose before the nodes of the frame are processed. Other skeletons may
/// then have none.
pub fn is_out_of_turn(skeleton: &Skeleton3D, delta_s: f32) -> bool {
    let frame_s = match skeleton.get_modifier_callback_mode_process() {
        CallbackMode::IDLE => skeleton.get_process_delta_time(),
        CallbackMode::PHYSICS => skeleton.get_physics_process_delta_time(),
        _ => return false,
    };
    delta_s == 0.0 && frame_s > 0.0
}

/// The moment of a call.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Its tick.
    pub tick: Tick,
    /// Length of the update, seconds.
    pub delta_s: f32,
    /// Whether members may be cut.
    pub has_budget: bool,
}

impl Moment {
    /// Whether a modifier is going to be updated in this tick, with the pose that its skeleton has
    /// now: it is the first one that acts there.
    pub fn awaits(&self, modifier: &Gd<SkeletonModifier3D>, skeleton: &Gd<Skeleton3D>) -> bool {
        let acts = |modifier: &SkeletonModifier3D| modifier.is_active() && modifier.get_influence() > 0.0;
        let is_first = || {
            let before = 0..modifier.get_index();
            let earlier = before.filter_map(|place| skeleton.get_child(place)?.try_cast::<SkeletonModifier3D>().ok());
            !earlier.into_iter().any(|earlier| acts(&earlier))
        };
        acts(modifier)
            && skeleton.get_modifier_callback_mode_process() == self.tick.mode
            && skeleton.can_process()
            && is_first()
    }
}

/// Answer of a member to a call.
#[derive(Debug)]
pub enum Lending {
    /// It is none any more.
    Gone,
    /// It has nothing to solve, or is solved in its own update.
    Alone,
    /// It is solved in the call.
    Lent(Lent),
}

/// A member of a crowd.
#[derive(Debug)]
pub struct Member {
    /// Its node.
    pub id: InstanceId,
    /// Lends what a call solves.
    pub lend: fn(InstanceId, &Rc<Crowd>, &Moment) -> Lending,
    /// Takes it back.
    pub take_back: fn(InstanceId, Lent, Ended),
    /// The last call that solved it.
    pub solved_in: u64,
}

/// What the last frame and the last physics tick did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Members that were solved in a call.
    pub solved: u32,
    /// Members that were cut.
    pub cut: u32,
    /// Solves of members in their own updates.
    pub alone: u32,
    /// Duration of the calls, seconds.
    pub time_s: f64,
}

/// Settings of a crowd.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrowdSettings {
    /// Seconds of a call in which solves may begin; 0: no limit.
    pub budget_s: f32,
    /// Whether the engine's worker threads solve.
    pub uses_threads: bool,
}

/// A crowd and its members. It belongs to a node [`crate::crowd::SinewCrowd`].
#[derive(Debug)]
pub struct Crowd {
    /// The node below which the members are.
    root: InstanceId,
    /// Its settings.
    pub settings: Cell<CrowdSettings>,
    members: RefCell<Vec<Member>>,
    /// The ticks of the last calls: of frames and of physics ticks.
    called: Cell<[Option<Tick>; 2]>,
    calls: Cell<u64>,
    /// By mode of the skeletons, with the number of the frame or tick that each is of.
    reports: Cell<[(u64, Report); 3]>,
    /// Workspaces of threads that are not working.
    workspaces: Mutex<Vec<Workspace>>,
}

impl Crowd {
    /// A crowd of the nodes below a node, until it is taken out by [`Self::remove`].
    pub fn add(root: InstanceId) -> Rc<Self> {
        let crowd = Rc::new(Self {
            root,
            settings: Cell::default(),
            members: RefCell::default(),
            called: Cell::default(),
            calls: Cell::new(0),
            reports: Cell::default(),
            workspaces: Mutex::default(),
        });
        CROWDS.with(|crowds| crowds.borrow_mut().push(crowd.clone()));
        REVISION.set(REVISION.get() + 1);
        crowd
    }
    /// Takes it out: its members are solved alone, or in another crowd.
    pub fn remove(self: &Rc<Self>) {
        CROWDS.with(|crowds| crowds.borrow_mut().retain(|crowd| !Rc::ptr_eq(crowd, self)));
        REVISION.set(REVISION.get() + 1);
    }
    /// The one of the nearest ancestor that has one.
    fn find(node: &Gd<Node>) -> Option<Rc<Self>> {
        if CROWDS.with(|crowds| crowds.borrow().is_empty()) {
            return None;
        }
        let mut above = node.get_parent();
        while let Some(node) = above {
            let id = node.instance_id();
            let found = CROWDS.with(|crowds| crowds.borrow().iter().find(|crowd| crowd.root == id).cloned());
            if found.is_some() {
                return found;
            }
            above = node.get_parent();
        }
        None
    }
    /// Nodes of the members.
    pub fn members(&self) -> Vec<InstanceId> {
        self.members.borrow().iter().map(|member| member.id).collect()
    }
    /// What the last frame and the last physics tick did.
    pub fn report(&self) -> Report {
        let is_recent = |(mode, of): (usize, u64)| now(mode) <= of + 1;
        let reports = self.reports.get().into_iter().enumerate();
        reports.filter(|(mode, (of, _))| is_recent((*mode, *of))).fold(Report::default(), |sum, (_, (_, report))| {
            Report {
                solved: sum.solved + report.solved,
                cut: sum.cut + report.cut,
                alone: sum.alone + report.alone,
                time_s: sum.time_s + report.time_s,
            }
        })
    }
    fn count(&self, mode: CallbackMode, add: impl FnOnce(&mut Report)) {
        let place = place_of(mode);
        let mut reports = self.reports.get();
        if reports[place].0 != now(place) {
            reports[place] = (now(place), Report::default());
        }
        add(&mut reports[place].1);
        self.reports.set(reports);
    }
    /// Counts a member that was solved in its own update.
    pub fn count_alone(&self, skeleton: &Skeleton3D) {
        self.count(skeleton.get_modifier_callback_mode_process(), |report| report.alone += 1);
    }

    /// Whether members may be cut.
    pub fn has_budget(&self) -> bool {
        self.settings.get().budget_s > 0.0
    }
    /// The call that is due in an update of a member: the first one of its tick.
    pub fn due(&self, skeleton: &Skeleton3D, delta_s: f32) -> Option<Moment> {
        let tick = Tick::of(skeleton).filter(|_| !is_out_of_turn(skeleton, delta_s))?;
        let mut called = self.called.get();
        let place = place_of(tick.mode);
        // A recording has each solve by itself. Within another update, in a script that it has
        // called, members may be in use.
        if called[place] == Some(tick) || is_recording() || UPDATING.get() > 1 {
            return None;
        }
        called[place] = Some(tick);
        self.called.set(called);
        Some(Moment { tick, delta_s, has_budget: self.has_budget() })
    }
    /// One call. `own` is what the member in whose update it is lends; it is returned.
    pub fn call(self: &Rc<Self>, moment: &Moment, id: InstanceId, own: Lending) -> Option<(Lent, Ended)> {
        let began = Instant::now();
        let number = self.calls.get() + 1;
        self.calls.set(number);
        let mut members = self.members.take();
        let mut own = Some(own);
        let mut works: Vec<Work> = Vec::with_capacity(members.len());
        let mut place = 0;
        members.retain(|member| {
            let lending = if member.id == id { own.take() } else { Some((member.lend)(member.id, self, moment)) };
            match lending.unwrap_or(Lending::Alone) {
                Lending::Gone => return false,
                Lending::Alone => {}
                Lending::Lent(lent) => works.push(Work::new(place, member.solved_in, lent)),
            }
            place += 1;
            true
        });
        // Those that have waited longest first; those of one rig next to each other.
        works.sort_by_key(|work| (if moment.has_budget { work.solved_in } else { 0 }, work.rig(), work.place));
        let settings = self.settings.get();
        let budget_s = moment.has_budget.then_some(f64::from(settings.budget_s));
        crowd_solve::solve(&mut works, budget_s, settings.uses_threads, &self.workspaces);
        // One that is not in the list has not been solved.
        let mut returned = match own {
            Some(Lending::Lent(lent)) => Some((lent, Ended::Panicked)),
            _ => None,
        };
        let mut counted = Report::default();
        for Work { place, lent, ended, .. } in works {
            let (member, ended) = (&mut members[place], ended.unwrap_or(Ended::Panicked));
            match ended {
                Ended::Cut => counted.cut += 1,
                Ended::Solved => counted.solved += 1,
                Ended::Failed | Ended::Panicked => {}
            }
            if ended != Ended::Cut {
                member.solved_in = number;
            }
            if member.id == id { returned = Some((lent, ended)) } else { (member.take_back)(member.id, lent, ended) }
        }
        self.members.replace(members);
        self.count(moment.tick.mode, |report| {
            report.solved += counted.solved;
            report.cut += counted.cut;
            report.time_s += began.elapsed().as_secs_f64();
        });
        returned
    }
}

/// A node's crowd, once it was looked for.
#[derive(Debug, Default)]
pub struct Membership {
    /// Stamp of the crowds of then, and the one.
    found: Option<(u64, Option<Rc<Crowd>>)>,
    /// The last tick in which the node was updated.
    updated_in: Option<Tick>,
}

impl Membership {
    /// Looks for it again in the next update: the node has another place in the tree.
    pub fn forget(&mut self) {
        self.found = None;
    }
    /// Whether it is this one.
    pub fn is_of(&self, crowd: &Rc<Crowd>) -> bool {
        let Some((stamp, Some(found))) = &self.found else { return false };
        *stamp == REVISION.get() && Rc::ptr_eq(found, crowd)
    }
    /// The crowd of a node; a new one is joined.
    #[inline]
    pub fn crowd(&mut self, node: impl FnOnce() -> (Gd<Node>, Member)) -> Option<&Rc<Crowd>> {
        let now = REVISION.get();
        if self.found.as_ref().is_none_or(|(stamp, _)| *stamp != now) {
            let (node, member) = node();
            let found = Crowd::find(&node);
            if let Some(crowd) = &found {
                let mut members = crowd.members.borrow_mut();
                if !members.iter().any(|known| known.id == member.id) {
                    members.push(member);
                }
            }
            self.found = Some((now, found));
        }
        self.found.as_ref()?.1.as_ref()
    }
    /// Notes an update of the node, which is one of a tick.
    pub fn note_update(&mut self, tick: Tick) {
        self.updated_in = Some(tick);
    }
    /// Whether the node was updated in this tick.
    pub fn was_updated_in(&self, tick: Tick) -> bool {
        self.updated_in == Some(tick)
    }
}

/// An update of a node that may be a member, while it runs.
pub struct Updating;

impl Updating {
    /// Begins it.
    #[inline]
    pub fn begin() -> Self {
        UPDATING.set(UPDATING.get() + 1);
        Self
    }
}

impl Drop for Updating {
    fn drop(&mut self) {
        UPDATING.set(UPDATING.get() - 1);
    }
}
