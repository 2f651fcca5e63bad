//! The process's one registry, by handle.

use super::answers::Times;
use super::c_types::c_void;
use super::guard::{Failure, call_host};
use super::ids::{
    SinewAnimator, SinewAvatar, SinewBody, SinewBodyTask, SinewConstraint, SinewGrounder, SinewSkeleton, SinewWorld,
};
use super::reserve::Room;
use super::result::SinewResult;
use super::rooms;
use super::types::{SinewBodyTaskDef, SinewClock};
use super::workers::Workers;
use crate::animator::Animator;
use crate::body::{BodyTaskName, Dragger, PlacedBody};
use crate::constraints::ConstraintId;
use crate::grounding::{Grounder, Hit, LegPose, Quality};
use crate::humanoid::Avatar;
use crate::optim::{Interrupt, Source};
use crate::skeleton::Skeleton;
use crate::store::{FirstSlots, Held, Id, SlotLock, Slots, StoreError};
use crate::world::{Character, FirstObjects, Registry, World, WorldError};
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

static FIRST: FirstObjects = FirstObjects::new();
static REGISTRY: Registry = Registry::with_first(&FIRST);

/// Stores a value; what the store needs for it is allocated first.
pub(super) fn insert<T, L: SlotLock<T>>(slots: &Slots<T, L>, value: T, what: &str) -> Result<Id, Failure> {
    let growth = slots.growth();
    let _room = if growth > 0 { Some(rooms::SMALL.with(0, growth)?) } else { None };
    slots.insert(value).map_err(|e| Failure::store(e, what, 0))
}

pub(super) fn skeleton(handle: SinewSkeleton) -> Result<Arc<Skeleton>, Failure> {
    REGISTRY.skeletons.get(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "skeleton", handle.bits))
}
pub(super) fn insert_skeleton(skeleton: Arc<Skeleton>) -> Result<SinewSkeleton, Failure> {
    let id = insert(&REGISTRY.skeletons, skeleton, "skeleton")?;
    Ok(SinewSkeleton { bits: id.bits() })
}
pub(super) fn remove_skeleton(handle: SinewSkeleton) -> Result<(), Failure> {
    REGISTRY.skeletons.forget(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "skeleton", handle.bits))
}

pub(super) fn avatar(handle: SinewAvatar) -> Result<Arc<Avatar>, Failure> {
    REGISTRY.avatars.get(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "avatar", handle.bits))
}
pub(super) fn insert_avatar(avatar: Arc<Avatar>) -> Result<SinewAvatar, Failure> {
    let id = insert(&REGISTRY.avatars, avatar, "avatar")?;
    Ok(SinewAvatar { bits: id.bits() })
}
pub(super) fn remove_avatar(handle: SinewAvatar) -> Result<(), Failure> {
    REGISTRY.avatars.forget(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "avatar", handle.bits))
}

pub(super) fn insert_animator(skeleton: Arc<Skeleton>, avatar: Option<Arc<Avatar>>) -> Result<SinewAnimator, Failure> {
    let character = Character::new(skeleton, avatar).map_err(Failure::from)?;
    let id = insert(&REGISTRY.characters, character, "animator")?;
    let cancel = Arc::new(Cancelled(id));
    let set = |character: &mut Character| character.animator.set_interrupt(Source::Cancel, Some(cancel));
    REGISTRY.characters.with(id, set).map_err(|e| Failure::store(e, "animator", id.bits()))?;
    Ok(SinewAnimator { bits: id.bits() })
}
/// Ends the solves of an animator while its signal is on.
#[derive(Debug)]
struct Cancelled(Id);

impl Interrupt for Cancelled {
    fn is_raised(&self) -> bool {
        REGISTRY.characters.has_signal(self.0)
    }
}
pub(super) fn animator_is_valid(handle: SinewAnimator) -> bool {
    REGISTRY.characters.contains(Id::from_bits(handle.bits))
}
pub(super) fn remove_animator(handle: SinewAnimator) -> Result<(), Failure> {
    let removed = REGISTRY.characters.remove(Id::from_bits(handle.bits));
    removed.map(drop).map_err(|e| Failure::store(e, "animator", handle.bits))
}
/// Uses an animator; busy at once when another thread does.
pub(super) fn with_animator<R>(
    handle: SinewAnimator,
    use_it: impl FnOnce(&mut Character) -> Result<R, Failure>,
) -> Result<R, Failure> {
    use_stored(&REGISTRY.characters, handle.bits, "animator", use_it)
}
/// Uses a stored value; busy at once when another thread does.
#[inline(always)]
fn use_stored<T, R>(
    slots: &Slots<T>,
    bits: u64,
    argument: &'static str,
    use_it: impl FnOnce(&mut T) -> Result<R, Failure>,
) -> Result<R, Failure> {
    slots.with_or(Id::from_bits(bits), use_it, |error| Err(unusable(error, argument, bits)))
}
#[cold]
#[inline(never)]
fn unusable(error: StoreError, argument: &str, bits: u64) -> Failure {
    Failure::store(error, argument, bits)
}
/// Kind of a constraint's handle, in its top byte; differs from the kinds of `Registry` in several
/// bits.
const CONSTRAINT_KIND: u64 = 0xE8 << 56;

/// The handle of a constraint.
pub(super) fn constraint_handle(id: ConstraintId) -> SinewConstraint {
    SinewConstraint { bits: CONSTRAINT_KIND | id.0 }
}
/// Uses an animator with one of its own constraints.
pub(super) fn with_character_constraint<R>(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    use_it: impl FnOnce(&mut Character, ConstraintId) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_animator(animator, |character| {
        let id = ConstraintId(constraint.bits ^ CONSTRAINT_KIND);
        if character.animator.constraint(id).is_err() {
            return Err(Failure::new(
                SinewResult::SinewErrorInvalidHandle,
                format_args!("constraint {:#018x}: {}, or another animator's", constraint.bits, StoreError::Invalid),
            ));
        }
        use_it(character, id)
    })
}
/// The same, for calls that need the animator only.
pub(super) fn with_constraint<R>(
    animator: SinewAnimator,
    constraint: SinewConstraint,
    use_it: impl FnOnce(&mut Animator, ConstraintId) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_character_constraint(animator, constraint, |character, id| use_it(&mut character.animator, id))
}
/// Solves in order; `report` gets each code; the first failure is returned.
pub(super) fn solve_batch(
    handles: &[SinewAnimator],
    mut report: impl FnMut(usize, SinewResult),
) -> Result<(), Failure> {
    let mut first = Ok(());
    REGISTRY.solve_batch(handles.iter().map(|h| Id::from_bits(h.bits)), |index, result| match result {
        Ok(()) => report(index, SinewResult::SinewOk),
        Err(error) => {
            let failure = Failure::world(error, format_args!("animators[{index}]"), handles[index].bits);
            report(index, failure.code);
            if first.is_ok() {
                first = Err(failure);
            }
        }
    });
    first
}

/// The time as the host has it, or as the system does.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    pub clock: Option<SinewClock>,
    pub user: *mut c_void,
    /// What it answers while its world is solved, for recordings.
    pub times: Arc<Times>,
}

// SAFETY: the pointer is only handed back to the host, whose contract allows calls from any thread.
unsafe impl Send for Clock {}
// SAFETY: as above.
unsafe impl Sync for Clock {}

impl Clock {
    pub fn now_s(&self) -> f64 {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        self.times.time(|| match self.clock {
            Some(clock) => call_host(|| clock(self.user)),
            None => START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64(),
        })
    }
}

/// A world with what the host has lent it.
pub(super) struct HostWorld {
    pub set: World,
    pub workers: Workers,
    pub clock: Clock,
    /// What solves have made scratch memory for: joints of the largest skeleton, number of threads,
    /// and whether for poses that are not in the members' buffers, too.
    pub scratch: (usize, usize, bool),
}

impl HostWorld {
    /// Room for the scratch memory that a solve makes, of poses in the members' buffers or not;
    /// `None` when there is enough.
    pub fn scratch_room(&mut self, are_own: bool) -> Result<Option<Room>, Failure> {
        let (joints, threads) = (self.set.most_joints(), self.workers.count());
        if joints <= self.scratch.0 && threads <= self.scratch.1 && (are_own || self.scratch.2) {
            return Ok(None);
        }
        let room = Room::for_all_threads(threads.saturating_mul(rooms::WORKSPACE.bytes(joints)))?;
        self.scratch = (joints.max(self.scratch.0), threads.max(self.scratch.1), self.scratch.2 || !are_own);
        Ok(Some(room))
    }
}

/// The kind differs from those of `Registry` in several bits.
static WORLDS: Slots<HostWorld> = Slots::with_first(0x2B, &FIRST_WORLDS);
static FIRST_WORLDS: FirstSlots<HostWorld> = FirstSlots::new();

pub(super) fn characters() -> &'static Slots<Character> {
    &REGISTRY.characters
}
pub(super) fn insert_world() -> Result<SinewWorld, Failure> {
    let _room = rooms::SMALL.room(0)?;
    let clock = Clock { clock: None, user: core::ptr::null_mut(), times: Arc::default() };
    let id = insert(
        &WORLDS,
        HostWorld { set: World::new(), workers: Workers::Caller, clock, scratch: (0, 0, false) },
        "world",
    )?;
    Ok(SinewWorld { bits: id.bits() })
}
pub(super) fn world_is_valid(handle: SinewWorld) -> bool {
    WORLDS.contains(Id::from_bits(handle.bits))
}
pub(super) fn remove_world(handle: SinewWorld) -> Result<(), Failure> {
    WORLDS.remove(Id::from_bits(handle.bits)).map(drop).map_err(|e| Failure::store(e, "world", handle.bits))
}
/// Uses a world; busy at once when another thread does.
pub(super) fn with_world<R>(
    handle: SinewWorld,
    use_it: impl FnOnce(&mut HostWorld) -> Result<R, Failure>,
) -> Result<R, Failure> {
    use_stored(&WORLDS, handle.bits, "world", use_it)
}
/// Uses a world with an animator that exists.
pub(super) fn with_member<R>(
    world: SinewWorld,
    animator: SinewAnimator,
    use_it: impl FnOnce(&mut World, &Slots<Character>, Id) -> Result<R, WorldError>,
) -> Result<R, Failure> {
    with_world(world, |world| {
        let id = Id::from_bits(animator.bits);
        if !animator_is_valid(animator) {
            return Err(Failure::store(StoreError::Invalid, "animator", animator.bits));
        }
        use_it(&mut world.set, characters(), id)
            .map_err(|e| Failure::world(e, format_args!("animator {:#018x}", animator.bits), animator.bits))
    })
}
/// Adds an animator to a world.
pub(super) fn join(world: SinewWorld, animator: SinewAnimator) -> Result<u32, Failure> {
    with_world(world, |world| {
        let joints = with_animator(animator, |character| Ok(character.buffer().len()))?;
        let _room = rooms::WORLD.with(world.set.count(), rooms::ARRAYS.bytes(joints))?;
        let failed = |e| Failure::world(e, format_args!("animator {:#018x}", animator.bits), animator.bits);
        world.set.join(characters(), Id::from_bits(animator.bits)).map_err(failed)
    })
}
/// The code for the row of a member that failed.
pub(super) fn code_of(error: WorldError) -> i32 {
    match error {
        WorldError::Refused(code) => code,
        other => Failure::world(other, "", 0).code as i32,
    }
}
/// The sentence for it. `refusal`: why the host's layer refused the row, where it did.
pub(super) fn member_failure(
    row: u32,
    animator: SinewAnimator,
    error: WorldError,
    refusal: Option<Failure>,
) -> Failure {
    match refusal {
        Some(failure) => Failure::new(failure.code, format_args!("world, row {row}, animator: {}", failure.message())),
        None => Failure::world(error, format_args!("world, row {row}, animator"), animator.bits),
    }
}

/// A grounder with room for what the header's records become.
pub(super) struct HostGrounder {
    pub grounder: Grounder,
    pub poses: Vec<LegPose>,
    pub hits: Vec<Hit>,
    /// Number of the last call that took many grounders, this one among them.
    pub batch: u64,
}

impl HostGrounder {
    pub fn new(grounder: Grounder) -> Self {
        let legs = grounder.leg_count();
        Self {
            grounder,
            poses: Vec::with_capacity(legs),
            hits: Vec::with_capacity(legs * Quality::Five as usize),
            batch: 0,
        }
    }
}

/// The kind differs from those of the others in several bits.
static GROUNDERS: Slots<Box<HostGrounder>> = Slots::with_first(0x94, &FIRST_GROUNDERS);
static FIRST_GROUNDERS: FirstSlots<Box<HostGrounder>> = FirstSlots::new();

pub(super) fn insert_grounder(grounder: HostGrounder) -> Result<SinewGrounder, Failure> {
    let id = insert(&GROUNDERS, Box::new(grounder), "grounder")?;
    Ok(SinewGrounder { bits: id.bits() })
}
pub(super) fn grounder_is_valid(handle: SinewGrounder) -> bool {
    GROUNDERS.contains(Id::from_bits(handle.bits))
}
pub(super) fn remove_grounder(handle: SinewGrounder) -> Result<(), Failure> {
    GROUNDERS.remove(Id::from_bits(handle.bits)).map(drop).map_err(|e| Failure::store(e, "grounder", handle.bits))
}
/// Uses a grounder; busy at once when another thread does.
pub(super) fn with_grounder<R>(
    handle: SinewGrounder,
    use_it: impl FnOnce(&mut HostGrounder) -> Result<R, Failure>,
) -> Result<R, Failure> {
    use_stored(&GROUNDERS, handle.bits, "grounder", |grounder| use_it(grounder))
}

/// A body with its tasks as the host gave them.
pub(super) struct HostBody {
    pub body: PlacedBody,
    /// By name.
    pub defs: Vec<(BodyTaskName, SinewBodyTaskDef)>,
    pub dragger: Dragger,
    /// The call for many bodies that it was last in.
    pub call: u64,
}

/// Kind of a task's handle, in its top byte.
const BODY_TASK_KIND: u64 = 0x5A << 56;

impl HostBody {
    pub fn new(body: PlacedBody) -> Self {
        Self { body, defs: Vec::new(), dragger: Dragger::default(), call: 0 }
    }
    /// Place of a task in `defs`.
    pub fn place(&self, task: SinewBodyTask) -> Result<usize, Failure> {
        let name = BodyTaskName(task.bits ^ BODY_TASK_KIND);
        self.defs.binary_search_by_key(&name, |(name, _)| *name).map_err(|_| {
            Failure::new(
                SinewResult::SinewErrorInvalidHandle,
                format_args!("task {:#018x}: {}, or another body's", task.bits, StoreError::Invalid),
            )
        })
    }
}

/// The kind differs from those of the others in several bits.
static BODIES: Slots<HostBody> = Slots::with_first(0x77, &FIRST_BODIES);
static FIRST_BODIES: FirstSlots<HostBody> = FirstSlots::new();

/// Number of a call for many bodies; unique in the process.
pub(super) fn next_body_call() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(1);
    CALLS.fetch_add(1, Ordering::Relaxed)
}

pub(super) fn insert_body(body: HostBody) -> Result<SinewBody, Failure> {
    let id = insert(&BODIES, body, "body")?;
    Ok(SinewBody { bits: id.bits() })
}
pub(super) fn body_is_valid(handle: SinewBody) -> bool {
    BODIES.contains(Id::from_bits(handle.bits))
}
pub(super) fn remove_body(handle: SinewBody) -> Result<(), Failure> {
    BODIES.remove(Id::from_bits(handle.bits)).map(drop).map_err(|e| Failure::store(e, "body", handle.bits))
}
/// Uses a body; busy at once when another thread does.
pub(super) fn with_body<R>(
    handle: SinewBody,
    use_it: impl FnOnce(&mut HostBody) -> Result<R, Failure>,
) -> Result<R, Failure> {
    use_stored(&BODIES, handle.bits, "body", use_it)
}
/// A body until the result is dropped; busy at once when another thread uses it.
pub(super) fn lock_body(handle: SinewBody) -> Result<Held<'static, HostBody>, Failure> {
    BODIES.lock(Id::from_bits(handle.bits)).map_err(|e| Failure::store(e, "body", handle.bits))
}
/// The handle of a task.
pub(super) fn body_task_handle(name: BodyTaskName) -> SinewBodyTask {
    SinewBodyTask { bits: BODY_TASK_KIND | name.0 }
}
/// Uses a body with the place of one of its own tasks.
pub(super) fn with_body_task<R>(
    body: SinewBody,
    task: SinewBodyTask,
    use_it: impl FnOnce(&mut HostBody, usize) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_body(body, |host| {
        let place = host.place(task)?;
        use_it(host, place)
    })
}
