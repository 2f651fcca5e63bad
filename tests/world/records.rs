//! A world reads and writes poses in host records: for any numbers and any input, also when they
//! change from call to call, each row gets the result of a single solve, and a refused row is not
//! changed.

use sinew::animator::Animator;
use sinew::humanoid::{HumanoidInput, IkGoal, LookAtWeight};
use sinew::math::{Quat, Transform, Vec3};
use sinew::store::{Id, StoreError};
use sinew::world::{Call, Character, Host, InArrays, Level, PoseArrays, Registry, RowState, Serial, World, WorldError};
use std::cell::Cell;
use testkit::Random;
use testkit::characters;
use testkit::human_pose::random_human_pose;
use testkit::matchers::numbers;
use testkit::person::{Person, PersonOptions, person};

const ROWS: usize = 13;
/// What the host answers for an input that it refuses.
const REFUSED: i32 = 7;
/// The row whose input makes the host panic, when it does.
const PANICS: u32 = 5;

/// Input of a call for a row.
#[derive(Clone)]
struct RowInput {
    pose: Vec<Cell<Transform>>,
    input: HumanoidInput,
    root: Transform,
    is_refused: bool,
}

/// A host with records of its own; `in_place`: it returns their address.
struct Frame {
    rows: Vec<RowInput>,
    in_place: bool,
    panics: bool,
}

// SAFETY: the calls of this file run on one thread.
unsafe impl Sync for Frame {}

impl Frame {
    fn row(&self, row: u32) -> &RowInput {
        &self.rows[row as usize]
    }
}

impl Host for Frame {
    fn load(&self, row: u32, character: &mut Character) -> Result<(), WorldError> {
        if self.row(row).is_refused {
            return Err(WorldError::Refused(REFUSED));
        }
        character.load_pose_from(self.row(row).pose.iter().map(Cell::get))?;
        self.load_input(row, character)
    }
    fn load_input(&self, row: u32, character: &mut Character) -> Result<(), WorldError> {
        assert!(!self.panics || row != PANICS, "on purpose");
        let given = self.row(row);
        if given.is_refused {
            return Err(WorldError::Refused(REFUSED));
        }
        character.animator.set_root(given.root)?;
        character.animator.set_input(&given.input)?;
        Ok(())
    }
    fn store(&self, row: u32, character: &Character) {
        for (record, solved) in self.row(row).pose.iter().zip(character.animator.pose().local()) {
            record.set(*solved);
        }
    }
    fn records<'a>(&'a self, row: u32, _: &'a Character) -> Option<&'a [Cell<Transform>]> {
        self.in_place.then_some(&*self.row(row).pose)
    }
}

fn input(random: &mut Random) -> HumanoidInput {
    let mut input = HumanoidInput::default();
    let kind = random.below(10);
    if kind == 0 {
        return input;
    }
    for goal in &mut input.goals {
        if random.below(4) > 0 {
            (goal.position, goal.position_weight) = (Some(Vec3::Y + random.in_ball(0.8)), 1.0);
            (goal.rotation, goal.rotation_weight) = (Some(random.rotation()), 1.0);
        }
    }
    if random.below(2) == 0 {
        input.look_at_position = Some(random.in_ball(3.0));
        input.look_at_weight = LookAtWeight { weight: 1.0, body: 0.3, head: 0.8, eyes: 0.5, clamp: 0.5 };
    }
    match kind {
        // What takes more than the steps of a crowd.
        1 => input.body_position = Some(Vec3::Y + random.in_ball(0.1)),
        2 => input.goals[0].position_weight = random.unit01(),
        _ => {}
    }
    input
}

fn pose(person: &Person, random: &mut Random) -> Vec<Cell<Transform>> {
    let mut pose = random_human_pose(person.view(), random, 0.5);
    let joint = random.below(pose.len());
    match random.below(12) {
        0 => pose[joint].scale = Vec3::new(1.0, 1.2, 1.0),
        1 => pose[joint].rotation *= 1.0 + 1e-5,
        2 => pose[joint].position.y = f32::NAN,
        3 => pose[joint].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        4 => pose[joint].scale.z = f32::INFINITY,
        _ => {}
    }
    pose.into_iter().map(Cell::new).collect()
}

fn random_row(person: &Person, random: &mut Random) -> RowInput {
    let roots = characters::roots();
    RowInput {
        pose: pose(person, random),
        input: input(random),
        root: roots[random.below(roots.len())].1,
        is_refused: random.below(20) == 0,
    }
}

fn bits(pose: &[Cell<Transform>]) -> Vec<u32> {
    pose.iter().flat_map(|joint| numbers(&joint.get()).map(f32::to_bits)).collect()
}

fn outcomes(animator: &Animator) -> Vec<String> {
    let goals = IkGoal::ALL.map(|goal| animator.ik_outcome(goal).expect("a human"));
    goals.iter().chain([&animator.look_at_outcome().expect("a human")]).map(|outcome| format!("{outcome:?}")).collect()
}

fn crowd(person: &Person) -> (Registry, World, Vec<Id>) {
    let avatar = characters::avatar(person, 0.05);
    let (registry, mut world) = (Registry::new(), World::new());
    let ids: Vec<Id> = (0..ROWS)
        .map(|_| registry.add_character(avatar.skeleton().clone(), Some(avatar.clone())).expect("room"))
        .collect();
    ids.iter().for_each(|id| _ = world.join(&registry.characters, *id).expect("new"));
    (registry, world, ids)
}

#[test]
fn records_are_solved_in_place_as_each_alone() {
    let person = person(&PersonOptions::default());
    let (registry, mut world, ids) = crowd(&person);
    let avatar = characters::avatar(&person, 0.05);
    let mut alone: Vec<Animator> = (0..ROWS).map(|_| characters::animator_of(&avatar)).collect();
    let mut random = Random::new(12);
    let (mut solved_rows, mut failed_rows) = (0, 0);
    for _ in 0..120 {
        let frame = Frame {
            rows: (0..ROWS).map(|_| random_row(&person, &mut random)).collect(),
            in_place: true,
            panics: false,
        };
        let before: Vec<_> =
            ids.iter().map(|id| registry.characters.with(*id, |c| *c.animator.root()).unwrap()).collect();
        let wanted: Vec<_> = frame.rows.iter().map(|given| given.pose.clone()).collect();
        let report =
            world.solve_with(&Call { characters: &registry.characters, host: &frame, runner: &Serial, clock: &|| 0.0 });
        for (row, (given, wanted)) in frame.rows.iter().zip(wanted).enumerate() {
            let own = &mut alone[row];
            let loaded = own.pose_mut().load(wanted.iter().map(Cell::get));
            let (id, state) = (ids[row], world.state(row as u32));
            if given.is_refused || loaded.is_err() {
                failed_rows += 1;
                assert_eq!(state, RowState::Failed, "row {row}");
                assert_eq!(bits(&given.pose), bits(&wanted), "row {row} was refused, and changed");
                let root = registry.characters.with(id, |c| *c.animator.root()).unwrap();
                assert_eq!(root, before[row], "row {row} was refused, and moved");
                continue;
            }
            solved_rows += 1;
            own.set_root(given.root).unwrap();
            own.set_input(&given.input).unwrap();
            own.solve().unwrap();
            let solved: Vec<_> = own.pose().local().iter().copied().map(Cell::new).collect();
            assert_eq!(state, RowState::Solved, "row {row}");
            assert_eq!(bits(&given.pose), bits(&solved), "row {row}");
            let left = registry.characters.with(id, |c| outcomes(&c.animator)).unwrap();
            assert_eq!(left, outcomes(own), "row {row}");
        }
        assert_eq!(report.solved + report.failed, ROWS as u32);
        let codes = world.failed().iter().map(|failed| (failed.row, failed.error));
        for (row, error) in codes {
            let is_refused = frame.row(row).is_refused;
            assert_eq!(error == WorldError::Refused(REFUSED), is_refused, "row {row}: {error}");
        }
    }
    assert!(solved_rows > 800 && failed_rows > 200, "{solved_rows} solved, {failed_rows} refused");
}

#[test]
fn giving_the_address_of_records_changes_no_bit() {
    let person = person(&PersonOptions { twist_joints: true, ..PersonOptions::default() });
    let [mut here, mut there] = [crowd(&person), crowd(&person)];
    let mut random = Random::new(13);
    for call in 0..60 {
        let rows: Vec<RowInput> = (0..ROWS).map(|_| random_row(&person, &mut random)).collect();
        let frames = [true, false].map(|in_place| Frame { rows: rows.clone(), in_place, panics: false });
        for ((registry, world, _), frame) in [&mut here, &mut there].into_iter().zip(&frames) {
            world.solve_with(&Call { characters: &registry.characters, host: frame, runner: &Serial, clock: &|| 0.0 });
        }
        for row in 0..ROWS as u32 {
            assert_eq!(here.1.state(row), there.1.state(row), "call {call} row {row}");
            assert_eq!(bits(&frames[0].row(row).pose), bits(&frames[1].row(row).pose), "call {call} row {row}");
        }
        assert_eq!(format!("{:?}", here.1.failed()), format!("{:?}", there.1.failed()), "call {call}");
    }
}

#[test]
fn a_host_that_panics_over_an_input_poisons_that_row_only() {
    let person = person(&PersonOptions::default());
    let (registry, mut world, ids) = crowd(&person);
    let plain = RowInput {
        pose: person.t_pose.iter().copied().map(Cell::new).collect(),
        input: HumanoidInput::default(),
        root: Transform::IDENTITY,
        is_refused: false,
    };
    let mut solve = |panics: bool| {
        let frame = Frame { rows: vec![plain.clone(); ROWS], in_place: true, panics };
        world.solve_with(&Call { characters: &registry.characters, host: &frame, runner: &Serial, clock: &|| 0.0 })
    };
    assert_eq!(solve(false).solved, ROWS as u32);
    let report = solve(true);
    assert_eq!((report.solved, report.failed), (ROWS as u32 - 1, 1));
    // It can only be destroyed now; the others go on.
    let report = solve(false);
    assert_eq!((report.solved, report.failed), (ROWS as u32 - 1, 1));
    let error = registry.characters.lock(ids[PANICS as usize]).err();
    assert_eq!(error, Some(StoreError::Poisoned));
    assert!(ids.iter().filter(|id| registry.characters.lock(**id).is_ok()).count() == ROWS - 1);
}

/// Poses of the host, and those in the world's arrays, are solved apart from the characters' own
/// buffers, whose addresses hosts have: for members that are solved side by side, alone, by turns,
/// refused, and when the host panics.
#[test]
fn poses_that_are_elsewhere_leave_the_own_buffers_alone() {
    let person = person(&PersonOptions::default());
    let mut random = Random::new(14);
    for in_place in [true, false] {
        let (registry, mut world, ids) = crowd(&person);
        world.set_arrays(PoseArrays::Locals);
        let mut before = Vec::new();
        for (row, id) in ids.iter().enumerate() {
            let own = random_human_pose(person.view(), &mut random, 0.5);
            let set = |c: &mut Character| {
                c.set_pose(&own).unwrap();
                let mut settings = *c.animator.settings().unwrap();
                // The first is solved alone, with limits.
                settings.limits_enabled = row == 0;
                c.animator.set_settings(&settings).unwrap();
                c.buffer().as_ptr()
            };
            before.push((registry.characters.with(*id, set).unwrap(), own));
            if row % 4 == 1 {
                world.set_level(*id, Level::EveryNth(2)).unwrap();
            }
        }
        let mut states = [0; 6];
        for call in 0..20 {
            let rows = (0..ROWS).map(|_| random_row(&person, &mut random)).collect();
            let frame = Frame { rows, in_place, panics: call == 19 };
            let characters = &registry.characters;
            for host in [&frame as &dyn Host, &InArrays] {
                world.solve_with(&Call { characters, host, runner: &Serial, clock: &|| 0.0 });
                (0..ROWS).for_each(|row| states[world.state(row as u32) as usize] += 1);
            }
        }
        assert!(states[1] > 200 && states[2] > 30 && states[5] > 20, "{states:?}");
        let mut poisoned = 0;
        for (id, (address, own)) in ids.iter().zip(before) {
            poisoned += usize::from(registry.characters.lock(*id).is_err());
            let character = registry.characters.remove(*id).unwrap();
            assert_eq!(character.buffer().as_ptr(), address);
            let bits =
                |pose: &[Transform]| pose.iter().map(|joint| numbers(joint).map(f32::to_bits)).collect::<Vec<_>>();
            assert_eq!(bits(character.buffer()), bits(&own));
        }
        assert_eq!(poisoned, 1);
    }
}
