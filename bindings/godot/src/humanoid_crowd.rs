//! A [`SinewHumanoidIK`] as a member of a crowd: what it lends to a call, and what it does with the
//! result.

use crate::calls::Rig;
use crate::crowd_call::{Crowd, Lending, Member, Moment, Tick, is_out_of_turn};
use crate::crowd_solve::{Ended, Lent};
use crate::humanoid_ik::SinewHumanoidIK;
use crate::humanoid_update::UpdateInput;
use godot::obj::{Gd, InstanceId, WithBaseField};
use sinew::world::{Level, Paced};
use std::rc::Rc;

/// The result of a call for the next update, and what is needed to undo it.
#[derive(Debug)]
pub struct Ahead {
    tick: Tick,
    delta_s: f32,
    update: UpdateInput,
    /// Whether all parts were read.
    reads_all: bool,
    ended: Ended,
    before: Before,
}

/// What a call changes.
#[derive(Debug)]
struct Before {
    followed: [Option<InstanceId>; 5],
    switched: [bool; 5],
    /// State of transitions; empty without.
    state: Vec<u8>,
    /// The level of detail, where results are shown for some updates.
    paced: Option<Paced>,
}

impl SinewHumanoidIK {
    /// The crowd of the node. In the first update of one of its members in a frame, this is its
    /// call.
    pub(crate) fn meet_crowd(&mut self, rig: Rig, delta_s: f32) -> Option<Rc<Crowd>> {
        let mut member = core::mem::take(&mut self.member);
        let node = || {
            let id = self.to_gd().instance_id();
            (self.to_gd().upcast(), Member { id, lend: lend_node, take_back, solved_in: 0 })
        };
        let crowd = member.crowd(node).cloned();
        self.member = member;
        let crowd = crowd?;
        let skeleton = rig.to_gd();
        if let Some(moment) = crowd.due(&skeleton, delta_s) {
            let own = self.lend(rig, &moment);
            let id = self.to_gd().instance_id();
            if let Some((lent, ended)) = crowd.call(&moment, id, own) {
                self.get_back(lent, ended);
            }
        }
        match Tick::of(&skeleton) {
            Some(tick) if !is_out_of_turn(&skeleton, delta_s) => self.member.note_update(tick),
            _ => {}
        }
        Some(crowd)
    }
    /// Whether an update keeps to the budget of its crowd: that of the frame solves.
    pub(crate) fn leaves_solve(&self, crowd: &Crowd, rig: Rig, delta_s: f32) -> bool {
        crowd.has_budget() && is_out_of_turn(&rig.to_gd(), delta_s)
    }
    /// Reads pose and goals, and takes the humanoid out: [`Self::get_back`] must follow.
    fn lend(&mut self, rig: Rig, moment: &Moment) -> Lending {
        let is_awaited =
            !self.member.was_updated_in(moment.tick) && moment.awaits(&self.to_gd().upcast(), &rig.to_gd());
        if !is_awaited {
            return Lending::Alone;
        }
        self.set_up(rig);
        self.discard_ahead();
        let level = self.level(rig);
        let (followed, switched) = (self.followed, self.switched);
        let Some(humanoid) = &mut self.humanoid else { return Lending::Alone };
        humanoid.paced.set_level(level);
        if level == Level::Off {
            return Lending::Alone;
        }
        let reads_all = moment.has_budget;
        let update = self.update_input(level, reads_all);
        let Some(humanoid) = &mut self.humanoid else { return Lending::Alone };
        let Some(update) = update else {
            if !humanoid.paced.is_gradual() {
                // A correction that the budget has recorded is of another time.
                humanoid.paced.forget();
            }
            return Lending::Alone;
        };
        if !humanoid.paced.is_due() {
            return Lending::Alone;
        }
        let mut state = Vec::new();
        if update.has_transitions {
            humanoid.attached.animator.snapshot(&mut state);
        }
        let paced = humanoid.paced.is_gradual().then(|| humanoid.paced.clone());
        let before = Before { followed, switched, state, paced };
        let now = core::mem::take(&mut self.switched);
        let is_loaded = self.load(rig, &update, &now, moment.delta_s).is_some();
        let (tick, delta_s) = (moment.tick, moment.delta_s);
        self.ahead = Some(Box::new(Ahead { tick, delta_s, update, reads_all, ended: Ended::Panicked, before }));
        if !is_loaded {
            self.discard_ahead();
            return Lending::Alone;
        }
        self.humanoid.take().map_or(Lending::Alone, |humanoid| Lending::Lent(Lent::Humanoid(humanoid)))
    }
    fn get_back(&mut self, lent: Lent, ended: Ended) {
        let Lent::Humanoid(humanoid) = lent;
        if ended == Ended::Panicked {
            (self.ahead, self.skeleton_version) = (None, None);
            return;
        }
        self.humanoid = Some(humanoid);
        if let Some(ahead) = &mut self.ahead {
            ahead.ended = ended;
        }
    }

    /// How a call ended that solved what this update would solve: the humanoid has the result.
    /// `None`: there was none, or pose, goals or settings are other ones.
    pub(crate) fn take_ahead(&mut self, rig: Rig, level: Level, delta_s: f32) -> Option<Ended> {
        self.ahead.as_ref()?;
        self.set_up(rig);
        let ahead = self.ahead.take()?;
        if self.is_as_before(&ahead, rig, level, delta_s) {
            return Some(ahead.ended);
        }
        self.undo(ahead);
        None
    }
    fn is_as_before(&mut self, ahead: &Ahead, rig: Rig, level: Level, delta_s: f32) -> bool {
        Tick::of(&rig.to_gd()) == Some(ahead.tick)
            && level == ahead.update.level
            && (delta_s == ahead.delta_s || !ahead.update.has_transitions)
            && self.update_input(level, ahead.reads_all).as_ref() == Some(&ahead.update)
            && self.switched == [false; 5]
            && self.bone_overrides.are_sent()
            && self.humanoid.as_ref().is_some_and(|humanoid| humanoid.attached.is_as_read(rig))
    }
    /// The state of the node is that before a call.
    fn undo(&mut self, ahead: Box<Ahead>) {
        let Before { followed, switched, state, paced } = ahead.before;
        self.followed = followed;
        self.switched.iter_mut().zip(switched).for_each(|(now, before)| *now |= before);
        let Some(humanoid) = &mut self.humanoid else { return };
        if !state.is_empty() {
            _ = humanoid.attached.animator.restore(&state);
        }
        if let Some(paced) = paced {
            humanoid.paced = paced;
        }
    }
    /// Undoes what a call has solved for the next update.
    pub(crate) fn discard_ahead(&mut self) {
        if let Some(ahead) = self.ahead.take() {
            self.undo(ahead);
        }
    }
}

fn lend_node(id: InstanceId, crowd: &Rc<Crowd>, moment: &Moment) -> Lending {
    let Ok(mut node) = Gd::<SinewHumanoidIK>::try_from_instance_id(id) else { return Lending::Gone };
    if !node.is_inside_tree() || !node.bind().member.is_of(crowd) {
        return Lending::Gone;
    }
    let mut node = node.bind_mut();
    let Some(rig) = Rig::of(&node.base) else { return Lending::Alone };
    node.lend(rig, moment)
}

fn take_back(id: InstanceId, lent: Lent, ended: Ended) {
    if let Ok(mut node) = Gd::<SinewHumanoidIK>::try_from_instance_id(id) {
        node.bind_mut().get_back(lent, ended);
    }
}
