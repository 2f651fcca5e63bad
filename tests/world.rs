//! A world solves every member as it would be solved alone, whatever the grouping, order and
//! threads; levels and budgets leave out what they say they leave out.

use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};
use sinew::chains::ChainSettings;
use sinew::constraints::{ChainDefinition, ConstraintDefinition, ConstraintId};
use sinew::humanoid::{Avatar, HumanoidInput, IkGoal, LookAtWeight};
use sinew::math::{Quat, Transform, Vec3};
use sinew::outcome::Status;
use sinew::skeleton::Pose;
use sinew::store::{Id, StoreError};
use sinew::world::{
    Call, Character, Host, InArrays, Level, OwnBuffers, PoseArrays, RangeResult, Registry, Report, RowState, Runner,
    RunnerFault, Serial, WorkClaimed, World, WorldError,
};
use std::sync::{Arc, Mutex};
use testkit::characters;
use testkit::human_pose::random_human_pose;
use testkit::matchers::{max_joint_step_rad, numbers};
use testkit::person::{Person, PersonOptions, person};
use testkit::random::Random;

fn bits(pose: &[Transform]) -> Vec<u32> {
    pose.iter().flat_map(|joint| numbers(joint).map(f32::to_bits)).collect()
}

fn pose_of(registry: &Registry, id: Id) -> Vec<Transform> {
    registry.characters.with(id, |c| c.buffer().iter().map(std::cell::Cell::get).collect()).unwrap()
}

fn full_input(random: &mut Random) -> HumanoidInput {
    let mut input = HumanoidInput::default();
    for goal in &mut input.goals {
        (goal.position, goal.position_weight) = (Some(Vec3::Y + random.in_ball(0.8)), random.unit01());
        (goal.rotation, goal.rotation_weight) = (Some(random.rotation()), random.unit01());
    }
    input.look_at_position = Some(random.in_ball(3.0));
    input.look_at_weight = LookAtWeight { weight: 1.0, body: 0.3, head: 0.8, eyes: 1.0, clamp: 0.5 };
    input.body_position = Some(Vec3::Y + random.in_ball(0.1));
    input
}

/// A rig, its avatar, and what its characters are made of.
struct Kind {
    person: Person,
    avatar: Arc<Avatar>,
    humanoid: bool,
}

fn kinds() -> Vec<Kind> {
    let options = [
        PersonOptions::default(),
        PersonOptions { twist_joints: true, height_m: 1.4, ..PersonOptions::default() },
        PersonOptions { with_fingers: false, with_optional: false, ..PersonOptions::default() },
    ];
    let kind = |options: &PersonOptions, humanoid| {
        let person = person(options);
        Kind { avatar: characters::avatar(&person, 0.05), person, humanoid }
    };
    options.iter().map(|o| kind(o, true)).chain([kind(&options[0], false)]).collect()
}

/// What each frame tells a member.
#[derive(Clone)]
struct Told {
    pose: Vec<Transform>,
    root: Transform,
    input: Option<HumanoidInput>,
    chain_goal: Vec3,
}

/// A mixed crowd: every kind under every root, some with a chain.
struct Crowd {
    registry: Registry,
    members: Vec<(Id, usize, Option<ConstraintId>)>,
    kinds: Vec<Kind>,
}

impl Crowd {
    fn new(count: usize, seed: u64) -> Self {
        let kinds = kinds();
        let registry = Registry::new();
        let mut random = Random::new(seed);
        let mut members = Vec::new();
        for _ in 0..count {
            let index = random.below(kinds.len());
            let kind = &kinds[index];
            let avatar = kind.humanoid.then(|| kind.avatar.clone());
            let id = registry.add_character(kind.avatar.skeleton().clone(), avatar).unwrap();
            let chain = (random.below(3) == 0).then(|| registry.characters.with(id, add_chain).unwrap());
            members.push((id, index, chain));
        }
        Self { registry, members, kinds }
    }
    fn told(&self, random: &mut Random) -> Vec<Told> {
        let roots = characters::roots();
        let mut told = Vec::new();
        for (_, kind, _) in &self.members {
            let kind = &self.kinds[*kind];
            told.push(Told {
                pose: random_human_pose(kind.person.view(), random, 0.8),
                root: roots[random.below(roots.len())].1,
                input: kind.humanoid.then(|| full_input(random)),
                chain_goal: Vec3::Y + random.in_ball(1.0),
            });
        }
        told
    }
    fn tell(&self, member: usize, told: &Told) {
        let (id, _, chain) = self.members[member];
        let tell = |c: &mut Character| {
            c.set_pose(&told.pose).unwrap();
            c.animator.set_root(told.root).unwrap();
            if let Some(input) = &told.input {
                c.animator.set_input(input).unwrap();
            }
            if let Some(chain) = chain {
                let input = c.animator.constraint_mut(chain).unwrap();
                input.weight = 1.0;
                input.goals[0].position_ws = Some(told.chain_goal);
            }
        };
        self.registry.characters.with(id, tell).unwrap();
    }
    fn world(&self) -> World {
        let mut world = World::new();
        for (id, ..) in &self.members {
            world.join(&self.registry.characters, *id).unwrap();
        }
        world
    }
}

fn add_chain(character: &mut Character) -> ConstraintId {
    let end = character.animator.skeleton().joint_count() - 1;
    character.animator.add_constraint(&ConstraintDefinition::Chain(ChainDefinition::ending_at(end, 4))).unwrap()
}

/// Threads that take ranges of their own size, last ones first.
struct Scattered {
    threads: u32,
    grain: u32,
}

impl Runner for Scattered {
    fn run(&self, count: u32, work: &(dyn Fn(Range<u32>) -> RangeResult + Sync)) -> Result<WorkClaimed, RunnerFault> {
        let left = Mutex::new(count);
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    loop {
                        let mut left = left.lock().unwrap();
                        let end = *left;
                        *left = end.saturating_sub(self.grain);
                        let range = *left..end;
                        drop(left);
                        if range.is_empty() {
                            break;
                        }
                        assert_eq!(work(range), RangeResult::Done);
                    }
                });
            }
        });
        Ok(WorkClaimed::All)
    }
}

fn solve_with(world: &mut World, registry: &Registry, runner: &dyn Runner) -> Report {
    world.solve_with(&Call { characters: &registry.characters, host: &OwnBuffers, runner, clock: &|| 0.0 })
}

#[test]
fn a_world_equals_single_solves_bit_for_bit_whatever_the_threads_and_the_order() {
    for (seed, count) in [(1, 1), (2, 7), (3, 8), (4, 9), (5, 61)] {
        let crowd = Crowd::new(count, seed);
        // Same characters, solved one by one.
        let alone = Crowd::new(count, seed);
        let mut world = crowd.world();
        let mut random = Random::new(seed ^ 0xABCD);
        let runners: [&dyn Runner; 6] = [
            &Serial,
            &Scattered { threads: 1, grain: 1 },
            &Scattered { threads: 2, grain: 3 },
            &Scattered { threads: 3, grain: 1 },
            &Scattered { threads: 8, grain: 2 },
            &Serial,
        ];
        for runner in runners {
            let told = crowd.told(&mut random);
            for (member, told) in told.iter().enumerate() {
                crowd.tell(member, told);
                alone.tell(member, told);
                alone.registry.solve(alone.members[member].0).unwrap();
            }
            let report = solve_with(&mut world, &crowd.registry, runner);
            assert_eq!(report, Report { solved: count as u32, ..Report::default() });
            for (member, (id, ..)) in crowd.members.iter().enumerate() {
                let wanted = pose_of(&alone.registry, alone.members[member].0);
                assert_eq!(bits(&pose_of(&crowd.registry, *id)), bits(&wanted), "member {member} of {count}");
                if told[member].input.is_some() {
                    let outcome = |registry: &Registry, id| {
                        registry.characters.with(id, |c| c.animator.ik_outcome(IkGoal::LeftHand).unwrap()).unwrap()
                    };
                    assert_eq!(outcome(&crowd.registry, *id), outcome(&alone.registry, alone.members[member].0));
                }
            }
        }
    }
}

/// The same members twice: poses in the world's own arrays, and in their own buffers.
#[test]
fn a_worlds_own_arrays_have_the_bits_of_buffers_whatever_the_levels_and_threads() {
    let count = 45;
    let (in_arrays, in_buffers) = (Crowd::new(count, 21), Crowd::new(count, 21));
    let (mut world, mut other) = (in_arrays.world(), in_buffers.world());
    world.set_arrays(PoseArrays::LocalsAndFrames);
    let mut random = Random::new(22);
    for round in 0..12 {
        let told = in_arrays.told(&mut random);
        if round == 4 {
            // Who leaves and joins again begins anew.
            for member in [3, 20, 21] {
                world.leave(&in_arrays.registry.characters, in_arrays.members[member].0).unwrap();
                other.leave(&in_buffers.registry.characters, in_buffers.members[member].0).unwrap();
            }
            for member in [20, 3, 21] {
                world.join(&in_arrays.registry.characters, in_arrays.members[member].0).unwrap();
                other.join(&in_buffers.registry.characters, in_buffers.members[member].0).unwrap();
            }
        }
        for (member, told) in told.iter().enumerate() {
            let (id, twin) = (in_arrays.members[member].0, in_buffers.members[member].0);
            if round == 2 {
                let level = [Level::Full, Level::EveryNth(3), Level::Full, Level::Off, Level::Fewer(0.5)][member % 5];
                world.set_level(id, level).unwrap();
                other.set_level(twin, level).unwrap();
            }
            in_buffers.tell(member, told);
            let rest = in_arrays.kinds[in_arrays.members[member].1].person.skeleton.rest_local();
            in_arrays.tell(member, &Told { pose: rest.to_vec(), ..told.clone() });
            let (tile, place) = world.pose_tile(world.row(id).unwrap()).unwrap();
            tile.put_pose(place, &told.pose);
        }
        let runner = Scattered { threads: 3, grain: 1 };
        let call =
            Call { characters: &in_arrays.registry.characters, host: &InArrays, runner: &runner, clock: &|| 0.0 };
        assert_eq!(world.solve_with(&call), solve_with(&mut other, &in_buffers.registry, &Serial));
        for (member, (id, ..)) in in_arrays.members.iter().enumerate() {
            let wanted = pose_of(&in_buffers.registry, in_buffers.members[member].0);
            let row = world.row(*id).unwrap();
            let (tile, place) = world.pose_tile(row).unwrap();
            assert_eq!(bits(&tile.pose(place).collect::<Vec<_>>()), bits(&wanted), "round {round}, member {member}");
            let mut pose = Pose::rest(&in_arrays.kinds[in_arrays.members[member].1].person.skeleton);
            pose.local_mut().copy_from_slice(&wanted);
            pose.update(&in_arrays.kinds[in_arrays.members[member].1].person.skeleton);
            for joint in 0..wanted.len() {
                let frame = tile.model()[joint].at(place).tightened();
                assert_eq!(frame.position.to_vec3(), pose.model(joint).position, "round {round}, member {member}");
                assert_eq!(frame.rotation.to_quat(), pose.model(joint).rotation, "round {round}, member {member}");
            }
        }
    }
}

#[test]
fn a_world_without_arrays_says_so() {
    let crowd = Crowd::new(3, 23);
    let mut world = crowd.world();
    let call = Call { characters: &crowd.registry.characters, host: &InArrays, runner: &Serial, clock: &|| 0.0 };
    assert_eq!(world.solve_with(&call).failed, 3);
    assert_eq!(world.failed()[0].error, WorldError::NoArrays);
    assert!(world.pose_tile(0).is_none());
    world.set_arrays(PoseArrays::Locals);
    assert_eq!(world.solve_with(&call).solved, 3);
}

#[test]
fn joining_and_leaving_in_any_order_changes_nothing_for_the_others() {
    let crowd = Crowd::new(40, 11);
    let alone = Crowd::new(40, 11);
    let mut world = World::new();
    let mut random = Random::new(12);
    let mut inside = [false; 40];
    for _ in 0..60 {
        for _ in 0..12 {
            let member = random.below(40);
            let id = crowd.members[member].0;
            if inside[member] {
                world.leave(&crowd.registry.characters, id).unwrap();
            } else {
                world.join(&crowd.registry.characters, id).unwrap();
            }
            inside[member] = !inside[member];
        }
        let told = crowd.told(&mut random);
        for (member, told) in told.iter().enumerate() {
            crowd.tell(member, told);
            alone.tell(member, told);
            if inside[member] {
                alone.registry.solve(alone.members[member].0).unwrap();
            }
        }
        let solved = inside.iter().filter(|i| **i).count();
        assert_eq!(world.solve(&crowd.registry.characters), Report { solved: solved as u32, ..Report::default() });
        assert_eq!(world.count(), solved);
        for (member, inside) in inside.iter().enumerate() {
            let (id, other) = (crowd.members[member].0, alone.members[member].0);
            assert_eq!(bits(&pose_of(&crowd.registry, id)), bits(&pose_of(&alone.registry, other)), "member {member}");
            assert_eq!(world.row(id).is_some(), *inside);
        }
    }
}

#[test]
fn rows_are_the_lowest_free_numbers_and_stay() {
    let crowd = Crowd::new(20, 3);
    let mut world = World::new();
    let characters = &crowd.registry.characters;
    let id = |member: usize| crowd.members[member].0;
    for member in 0..10 {
        assert_eq!(world.join(characters, id(member)).unwrap(), member as u32);
    }
    for member in [7, 2, 4] {
        world.leave(characters, id(member)).unwrap();
    }
    for (member, row) in [(10, 2), (11, 4), (12, 7), (13, 10)] {
        assert_eq!(world.join(characters, id(member)).unwrap(), row);
    }
    for member in [0, 1, 3, 5, 6, 8, 9] {
        assert_eq!((world.row(id(member)), world.member(member as u32)), (Some(member as u32), Some(id(member))));
    }
    assert_eq!((world.row(id(7)), world.member(11), world.row_count()), (None, None, 11));
}

#[test]
fn a_character_belongs_to_at_most_one_world_that_exists() {
    let crowd = Crowd::new(1, 4);
    let characters = &crowd.registry.characters;
    let id = crowd.members[0].0;
    let (mut one, mut other) = (World::new(), World::new());
    one.join(characters, id).unwrap();
    assert_eq!(one.join(characters, id), Err(WorldError::AlreadyMember));
    assert_eq!(other.join(characters, id), Err(WorldError::AlreadyMember));
    assert_eq!(other.leave(characters, id), Err(WorldError::NotMember));
    assert_eq!(other.set_level(id, Level::Off), Err(WorldError::NotMember));
    assert_eq!((one.count(), other.count()), (1, 0));
    one.leave(characters, id).unwrap();
    assert_eq!(one.leave(characters, id), Err(WorldError::NotMember));
    other.join(characters, id).unwrap();
    drop(other);
    one.join(characters, id).unwrap();
}

#[test]
fn one_that_is_in_use_is_reported_busy_and_the_others_are_solved() {
    let crowd = Crowd::new(12, 5);
    let mut world = crowd.world();
    let id = crowd.members[6].0;
    let before = pose_of(&crowd.registry, id);
    let in_use = crowd.registry.characters.lock(id).unwrap();
    let report = world.solve(&crowd.registry.characters);
    assert_eq!((report.solved, report.failed), (11, 1));
    let [failed] = world.failed() else { panic!("{:?}", world.failed()) };
    assert_eq!((failed.row, failed.id, failed.error), (6, id, StoreError::Busy.into()));
    assert_eq!(world.state(6), RowState::Failed);
    // Neither can it be let go, or taken in.
    assert_eq!(world.leave(&crowd.registry.characters, id), Err(StoreError::Busy.into()));
    assert_eq!(World::new().join(&crowd.registry.characters, id), Err(StoreError::Busy.into()));
    drop(in_use);
    assert_eq!(bits(&pose_of(&crowd.registry, id)), bits(&before));
    assert_eq!(world.solve(&crowd.registry.characters).solved, 12);
    assert!(world.failed().is_empty());
}

#[test]
fn one_that_is_destroyed_has_left() {
    let crowd = Crowd::new(12, 6);
    let mut world = crowd.world();
    let id = crowd.members[3].0;
    crowd.registry.characters.remove(id).unwrap();
    let report = world.solve(&crowd.registry.characters);
    assert_eq!((report.solved, report.failed, world.count()), (11, 0, 11));
    assert_eq!((world.state(3), world.member(3), world.row(id)), (RowState::Empty, None, None));
}

#[test]
fn a_bad_pose_fails_alone_and_stays() {
    let crowd = Crowd::new(12, 7);
    let mut world = crowd.world();
    let id = crowd.members[2].0;
    let spoil = |c: &mut Character| {
        let mut bad = c.buffer()[1].get();
        bad.position.y = f32::NAN;
        c.buffer()[1].set(bad);
    };
    crowd.registry.characters.with(id, spoil).unwrap();
    let before = pose_of(&crowd.registry, id);
    let report = world.solve(&crowd.registry.characters);
    assert_eq!((report.solved, report.failed), (11, 1));
    assert!(matches!(world.failed()[0].error, WorldError::Animator(_)), "{:?}", world.failed());
    assert_eq!(bits(&pose_of(&crowd.registry, id)), bits(&before));
}

/// Panics over one row.
struct Panicking(u32);

impl Host for Panicking {
    fn load(&self, row: u32, character: &mut Character) -> Result<(), WorldError> {
        assert_ne!(row, self.0, "on purpose");
        OwnBuffers.load(row, character)
    }
    fn store(&self, row: u32, character: &Character) {
        OwnBuffers.store(row, character);
    }
}

#[test]
fn a_panic_is_reported_and_poisons_its_own_character_only() {
    let crowd = Crowd::new(12, 8);
    let mut world = crowd.world();
    let characters = &crowd.registry.characters;
    for runner in [&Serial as &dyn Runner, &Scattered { threads: 3, grain: 1 }] {
        let call = Call { characters, host: &Panicking(5), runner, clock: &|| 0.0 };
        let report = world.solve_with(&call);
        assert_eq!((report.solved, report.failed), (11, 1));
        let error = world.failed()[0].error;
        assert!(error == WorldError::Panicked || error == StoreError::Poisoned.into(), "{error}");
    }
    let report = world.solve(characters);
    assert_eq!((report.solved, world.failed()[0].error), (11, StoreError::Poisoned.into()));
    // It can leave, and be destroyed.
    let id = crowd.members[5].0;
    world.leave(characters, id).unwrap();
    assert_eq!(world.solve(characters), Report { solved: 11, ..Report::default() });
    characters.remove(id).unwrap();
}

/// A runner that does what it must not do.
enum Misbehaving {
    /// Comes back at once.
    Nothing,
    /// Leaves the last part out.
    NotTheLast,
    /// Runs everything twice, from two threads.
    Twice,
    /// Asks for more than there is, and for a range that ends before it begins.
    TooFar,
}

impl Runner for Misbehaving {
    fn run(&self, count: u32, work: &(dyn Fn(Range<u32>) -> RangeResult + Sync)) -> Result<WorkClaimed, RunnerFault> {
        match self {
            Self::Nothing => {}
            Self::NotTheLast => assert_eq!(work(0..count - 1), RangeResult::Done),
            Self::Twice => {
                let twice = AtomicU32::new(0);
                std::thread::scope(|scope| {
                    for _ in 0..2 {
                        scope.spawn(|| {
                            twice.fetch_add((work(0..count) == RangeResult::Twice) as u32, Ordering::Relaxed)
                        });
                    }
                });
                assert!(twice.into_inner() > 0);
            }
            Self::TooFar => {
                let backwards = Range { start: 2, end: 1 };
                for range in [0..count + 1, count + 1..count + 2, 0..u32::MAX, backwards] {
                    assert_eq!(work(range), RangeResult::OutOfRange);
                }
                assert_eq!(work(0..count), RangeResult::Done);
                assert_eq!(work(count..count), RangeResult::Done);
            }
        }
        Ok(WorkClaimed::All)
    }
}

#[test]
fn a_runner_that_misbehaves_is_reported_and_the_work_is_done() {
    let crowd = Crowd::new(33, 9);
    let alone = Crowd::new(33, 9);
    let mut world = crowd.world();
    let mut random = Random::new(10);
    for runner in [Misbehaving::Nothing, Misbehaving::NotTheLast, Misbehaving::Twice, Misbehaving::TooFar] {
        for (member, told) in crowd.told(&mut random).iter().enumerate() {
            crowd.tell(member, told);
            alone.tell(member, told);
            alone.registry.solve(alone.members[member].0).unwrap();
        }
        let report = solve_with(&mut world, &crowd.registry, &runner);
        assert_eq!(report.solved, 33);
        match runner {
            Misbehaving::Nothing => assert!(matches!(report.fault, Some(RunnerFault::NeverRun(5..)))),
            Misbehaving::NotTheLast => assert_eq!(report.fault, Some(RunnerFault::NeverRun(1))),
            Misbehaving::Twice => assert_eq!(report.fault, Some(RunnerFault::Twice)),
            Misbehaving::TooFar => assert_eq!(report.fault, Some(RunnerFault::OutOfRange)),
        }
        for (member, (id, ..)) in crowd.members.iter().enumerate() {
            let wanted = pose_of(&alone.registry, alone.members[member].0);
            assert_eq!(bits(&pose_of(&crowd.registry, *id)), bits(&wanted), "member {member}");
        }
    }
}

// Levels.

/// One person whose right hand follows a path while an animation plays.
struct Reacher {
    registry: Registry,
    id: Id,
    person: Person,
}

impl Reacher {
    fn new() -> Self {
        let person = person(&PersonOptions::default());
        let avatar = characters::avatar(&person, 0.0);
        let registry = Registry::new();
        let id = registry.add_character(avatar.skeleton().clone(), Some(avatar)).unwrap();
        Self { registry, id, person }
    }
    fn animation(&self, frame: usize) -> Vec<Transform> {
        testkit::idle::idle_pose(&self.person, frame as f32 / 60.0)
    }
    fn tell(&self, frame: usize, moving: bool) {
        let s = if moving { frame as f32 / 60.0 } else { 0.0 };
        let goal = Vec3::new(0.35, 1.1 + 0.2 * s.min(1.0), 0.35 - 0.1 * s.min(1.0));
        let pose = self.animation(if moving { frame } else { 0 });
        let tell = |c: &mut Character| {
            c.set_pose(&pose).unwrap();
            c.animator.set_ik_position(IkGoal::RightHand, goal).unwrap();
            c.animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        };
        self.registry.characters.with(self.id, tell).unwrap();
    }
    fn solved(&self, world: &mut World, frame: usize, moving: bool) -> (Vec<Transform>, RowState) {
        self.tell(frame, moving);
        assert_eq!(world.solve(&self.registry.characters).failed, 0);
        (pose_of(&self.registry, self.id), world.state(0))
    }
}

#[test]
fn off_touches_nothing() {
    let reacher = Reacher::new();
    let mut world = World::new();
    world.join(&reacher.registry.characters, reacher.id).unwrap();
    world.set_level(reacher.id, Level::Off).unwrap();
    let (pose, state) = reacher.solved(&mut world, 0, true);
    assert_eq!((bits(&pose), state), (bits(&reacher.animation(0)), RowState::Off));
}

#[test]
fn every_nth_solves_in_every_nth_call_and_goes_over_from_one_solve_to_the_next() {
    for n in [2, 3, 5, 8] {
        let (reacher, alone) = (Reacher::new(), Reacher::new());
        let mut world = World::new();
        world.join(&reacher.registry.characters, reacher.id).unwrap();
        world.set_level(reacher.id, Level::EveryNth(n)).unwrap();
        // Corrections of the solves so far, as rotations and offsets, computed here in f64.
        let mut solves: Vec<Vec<([f64; 4], [f64; 3])>> = Vec::new();
        let mut since = 0;
        for frame in 0..40 {
            let (pose, state) = reacher.solved(&mut world, frame, true);
            let animation = reacher.animation(frame);
            alone.tell(frame, true);
            alone.registry.solve(alone.id).unwrap();
            let full = pose_of(&alone.registry, alone.id);
            match state {
                RowState::Solved => {
                    if let [.., _] = solves.as_slice() {
                        assert!(frame < n as usize || since + 1 == n, "{since} calls between solves, not {n}");
                    } else {
                        assert_eq!(bits(&pose), bits(&full), "the first solve is the answer");
                    }
                    solves.push(animation.iter().zip(&full).map(|(a, s)| correction(a, s)).collect());
                    since = 0;
                }
                RowState::Between => since += 1,
                other => panic!("{other:?}"),
            }
            let last = &solves[solves.len() - 1];
            let earlier = &solves[solves.len().saturating_sub(2)];
            let fraction = phase(&solves, since, n);
            for (joint, (found, a)) in pose.iter().zip(&animation).enumerate() {
                let (rotation, position) = expected(a, &earlier[joint], &last[joint], fraction);
                let apart = 1.0 - dot4(rotation, found.rotation.to_array().map(f64::from)).abs();
                assert!(apart < 1e-6, "joint {joint}, frame {frame}, every {n}: {apart:e}");
                let off = (0..3).map(|i| (position[i] - found.position.to_array()[i] as f64).abs()).fold(0.0, f64::max);
                assert!(off < 1e-5, "joint {joint}, frame {frame}: {off:e}");
                if animation[joint].rotation == full[joint].rotation && solves.len() < 2 {
                    assert_eq!(numbers(found), numbers(a), "joint {joint} was moved by nothing");
                }
            }
        }
        assert!(solves.len() >= 40 / n as usize);
    }
}

/// Share of the way between the last two corrections: the calls since the last solve, `n` apart.
/// (The first solve comes whenever there is none yet; then both are equal.)
fn phase(solves: &[Vec<([f64; 4], [f64; 3])>], since: u32, n: u32) -> f64 {
    if solves.len() < 2 { 1.0 } else { since as f64 / n as f64 }
}

fn multiply(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}
fn dot4(a: [f64; 4], b: [f64; 4]) -> f64 {
    (0..4).map(|i| a[i] * b[i]).sum()
}
fn unit4(a: [f64; 4]) -> [f64; 4] {
    let length = dot4(a, a).sqrt();
    a.map(|x| x / length)
}
fn correction(animation: &Transform, solved: &Transform) -> ([f64; 4], [f64; 3]) {
    let a: [f64; 4] = animation.rotation.to_array().map(f64::from);
    let delta = multiply([-a[0], -a[1], -a[2], a[3]], solved.rotation.to_array().map(f64::from));
    let offset = (solved.position - animation.position).to_array().map(f64::from);
    (unit4(delta), offset)
}
fn expected(
    animation: &Transform,
    earlier: &([f64; 4], [f64; 3]),
    last: &([f64; 4], [f64; 3]),
    t: f64,
) -> ([f64; 4], [f64; 3]) {
    let cosine = dot4(earlier.0, last.0);
    let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
    let angle = libm::acos((cosine * sign).min(1.0));
    let (u, v) = if angle < 1e-7 {
        (1.0 - t, t)
    } else {
        (libm::sin((1.0 - t) * angle) / libm::sin(angle), libm::sin(t * angle) / libm::sin(angle))
    };
    let delta = unit4(core::array::from_fn(|i| u * earlier.0[i] + v * sign * last.0[i]));
    let rotation = unit4(multiply(animation.rotation.to_array().map(f64::from), delta));
    let position =
        core::array::from_fn(|i| animation.position.to_array()[i] as f64 + (1.0 - t) * earlier.1[i] + t * last.1[i]);
    (rotation, position)
}

#[test]
fn every_nth_moves_as_smoothly_as_every_call() {
    let mut largest = [0.0f64; 2];
    for (place, level) in [Level::Full, Level::EveryNth(6)].into_iter().enumerate() {
        let reacher = Reacher::new();
        let mut world = World::new();
        world.join(&reacher.registry.characters, reacher.id).unwrap();
        world.set_level(reacher.id, level).unwrap();
        let mut last: Option<Vec<Transform>> = None;
        for frame in 0..60 {
            let (pose, _) = reacher.solved(&mut world, frame, true);
            if let Some(last) = &last {
                largest[place] = largest[place].max(max_joint_step_rad(last, &pose));
            }
            last = Some(pose);
        }
    }
    assert!(largest[1] < 1.5 * largest[0], "{largest:?}");
}

#[test]
fn every_nth_of_a_still_character_is_its_solve() {
    let reacher = Reacher::new();
    let mut world = World::new();
    world.join(&reacher.registry.characters, reacher.id).unwrap();
    let (full, _) = reacher.solved(&mut world, 0, false);
    world.set_level(reacher.id, Level::EveryNth(4)).unwrap();
    for frame in 1..20 {
        let (pose, _) = reacher.solved(&mut world, frame, false);
        assert!(max_joint_step_rad(&pose, &full) < 1e-6, "frame {frame}");
    }
}

#[test]
fn members_of_a_large_crowd_take_turns() {
    let crowd = Crowd::new(64, 21);
    let mut world = crowd.world();
    for (id, ..) in &crowd.members {
        world.set_level(*id, Level::EveryNth(4)).unwrap();
    }
    assert_eq!(world.solve(&crowd.registry.characters).solved, 64);
    let mut solved = [0; 8];
    for solves in &mut solved {
        let report = world.solve(&crowd.registry.characters);
        assert_eq!(report.solved + report.between, 64);
        *solves = report.solved;
    }
    assert_eq!(solved[..4].iter().sum::<u32>(), 64);
    assert_eq!(solved[..4], solved[4..]);
    assert!(solved.iter().all(|s| (8..=32).contains(s)), "{solved:?}");
}

#[test]
fn fewer_iterations_are_fewer_and_all_of_them_are_all() {
    let mut random = Random::new(31);
    let mut fewer = 0;
    for _ in 0..40 {
        let goal = random.in_ball(0.9);
        let run = |level: Option<Level>| {
            let mut builder = sinew::skeleton::SkeletonBuilder::new();
            let mut last = None;
            for joint in 0..10 {
                let place = if joint == 0 { Vec3::ZERO } else { Vec3::new(0.0, 0.1, 0.0) };
                last = Some(builder.joint_at(&format!("b{joint}"), last, place));
            }
            let registry = Registry::new();
            let id = registry.add_character(Arc::new(builder.build().unwrap()), None).unwrap();
            let add = |c: &mut Character| {
                let settings = ChainSettings { tolerance: 3e-7, max_attempts: 0, ..ChainSettings::default() };
                let definition = ChainDefinition { settings, ..ChainDefinition::to_root(last.unwrap()) };
                let chain = c.animator.add_constraint(&ConstraintDefinition::Chain(definition)).unwrap();
                let input = c.animator.constraint_mut(chain).unwrap();
                input.weight = 1.0;
                input.goals[0].position_ws = Some(goal);
                input.goals[0].rotation_ws = Some(Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
                chain
            };
            let chain = registry.characters.with(id, add).unwrap();
            let mut world = World::new();
            world.join(&registry.characters, id).unwrap();
            match level {
                Some(level) => {
                    world.set_level(id, level).unwrap();
                    assert_eq!(world.solve(&registry.characters).solved, 1);
                }
                None => registry.solve(id).unwrap(),
            }
            let outcome = registry.characters.with(id, |c| c.animator.constraint_outcome(chain).unwrap()).unwrap();
            // A solve alone is always a full one.
            let pose = pose_of(&registry, id);
            (outcome, bits(&pose))
        };
        let (full, _) = run(Some(Level::Full));
        assert_eq!(run(Some(Level::Fewer(1.0))), run(None));
        let (little, _) = run(Some(Level::Fewer(0.02)));
        assert!(
            little.iterations <= full.iterations && (little.iterations == 0) == (full.iterations == 0),
            "{little:?} {full:?}"
        );
        assert_ne!(little.status, Status::Inactive);
        fewer += (little.iterations < full.iterations) as u32;
        assert_eq!(run(Some(Level::Fewer(f32::NAN))), run(Some(Level::Fewer(-1.0))));
    }
    assert!(fewer > 10, "{fewer}");
}

// Budgets.

/// A clock that goes on by one second whenever it is asked.
fn ticking() -> impl Fn() -> f64 + Sync {
    let asked = AtomicU32::new(0);
    move || asked.fetch_add(1, Ordering::Relaxed) as f64
}

#[test]
fn a_budget_cuts_fairly_and_says_whom() {
    let crowd = Crowd::new(80, 41);
    let mut world = crowd.world();
    let clock = ticking();
    let mut waited = vec![0; 80];
    let mut longest = 0;
    // One reading for the start, one for each tile but the first: the budget lets four tiles in.
    world.set_budget(Some(3.5));
    let mut random = Random::new(42);
    for call_number in 0..40 {
        for (member, told) in crowd.told(&mut random).iter().enumerate() {
            crowd.tell(member, told);
        }
        let call = Call { characters: &crowd.registry.characters, host: &OwnBuffers, runner: &Serial, clock: &clock };
        let report = world.solve_with(&call);
        assert_eq!(report.solved + report.cut, 80, "call {call_number}");
        assert!((4..=32).contains(&report.solved), "{report:?}");
        for (row, waited) in waited.iter_mut().enumerate() {
            match world.state(row as u32) {
                RowState::Solved => *waited = 0,
                RowState::Cut => *waited += 1,
                other => panic!("{other:?}"),
            }
            longest = longest.max(*waited);
        }
    }
    // 80 characters of 4 kinds lie in 10 to 14 tiles: each is solved in at least every fourth call.
    assert!((2..=3).contains(&longest), "{longest}");
    world.set_budget(None);
    assert_eq!(world.solve(&crowd.registry.characters), Report { solved: 80, ..Report::default() });
}

#[test]
fn whoever_is_cut_keeps_the_correction_of_its_last_solve() {
    let (reacher, other) = (Reacher::new(), person(&PersonOptions { height_m: 1.5, ..PersonOptions::default() }));
    let avatar = characters::avatar(&other, 0.0);
    let second = reacher.registry.add_character(avatar.skeleton().clone(), Some(avatar)).unwrap();
    let mut world = World::new();
    world.join(&reacher.registry.characters, reacher.id).unwrap();
    world.join(&reacher.registry.characters, second).unwrap();
    // Nobody but the first in the order is solved.
    world.set_budget(Some(0.0));
    let mut last = None;
    let mut states = Vec::new();
    for frame in 0..12 {
        let (pose, state) = reacher.solved(&mut world, frame, true);
        let animation = reacher.animation(frame);
        let corrections: Vec<_> = animation.iter().zip(&pose).map(|(a, s)| correction(a, s)).collect();
        match state {
            RowState::Solved => last = Some(corrections),
            RowState::Cut => {
                let last = last.as_ref().unwrap();
                for (held, now) in last.iter().zip(&corrections) {
                    assert!(1.0 - dot4(held.0, now.0).abs() < 1e-6);
                }
            }
            other => panic!("{other:?}"),
        }
        states.push(state);
    }
    // They take turns.
    assert!(states.windows(2).all(|pair| pair[0] != pair[1]), "{states:?}");
}

#[test]
fn whoever_is_cut_before_its_first_solve_keeps_its_animation() {
    let crowd = Crowd::new(30, 44);
    let mut world = crowd.world();
    world.set_budget(Some(0.0));
    let before: Vec<_> = crowd.members.iter().map(|(id, ..)| bits(&pose_of(&crowd.registry, *id))).collect();
    let report = world.solve(&crowd.registry.characters);
    assert!(report.cut > 0 && report.solved > 0, "{report:?}");
    for (member, (id, ..)) in crowd.members.iter().enumerate() {
        if world.state(world.row(*id).unwrap()) == RowState::Cut {
            assert_eq!(bits(&pose_of(&crowd.registry, *id)), before[member]);
        }
    }
}

// Own threads.

#[cfg(feature = "rayon")]
#[test]
fn own_threads_leave_the_same_bits_whatever_their_number() {
    use sinew::world::Threads;
    let crowd = Crowd::new(90, 51);
    let alone = Crowd::new(90, 51);
    let mut world = crowd.world();
    let mut random = Random::new(52);
    for count in [1, 2, 3, 7, 16] {
        let threads = Threads::new(count).unwrap();
        for _ in 0..3 {
            for (member, told) in crowd.told(&mut random).iter().enumerate() {
                crowd.tell(member, told);
                alone.tell(member, told);
                alone.registry.solve(alone.members[member].0).unwrap();
            }
            let report = solve_with(&mut world, &crowd.registry, &threads);
            assert_eq!(report, Report { solved: 90, ..Report::default() });
            for (member, (id, ..)) in crowd.members.iter().enumerate() {
                let wanted = pose_of(&alone.registry, alone.members[member].0);
                assert_eq!(bits(&pose_of(&crowd.registry, *id)), bits(&wanted), "member {member}, {count} threads");
            }
        }
    }
}
