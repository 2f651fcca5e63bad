//! Members that fail, panics, and runners that break their contract.

use super::*;

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
    // Neither can it leave or join.
    assert_eq!(world.leave(&crowd.registry.characters, id), Err(StoreError::Busy.into()));
    assert_eq!(World::new().join(&crowd.registry.characters, id), Err(StoreError::Busy.into()));
    drop(in_use);
    assert_eq!(bits(&pose_of(&crowd.registry, id)), bits(&before));
    assert_eq!(world.solve(&crowd.registry.characters).solved, 12);
    assert!(world.failed().is_empty());
}

#[test]
fn a_bad_pose_fails_alone_and_stays() {
    let crowd = Crowd::new(12, 7);
    let mut world = crowd.world();
    let id = crowd.members[2].0;
    let spoil = |c: &mut Character| {
        c.buffer_mut()[1].position.y = f32::NAN;
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
        self.load_input(row, character)?;
        OwnBuffers.load(row, character)
    }
    fn load_input(&self, row: u32, _: &mut Character) -> Result<(), WorldError> {
        assert_ne!(row, self.0, "on purpose");
        Ok(())
    }
    fn store(&self, row: u32, character: &Character) {
        OwnBuffers.store(row, character);
    }
    fn poses(&self) -> PosePlace {
        PosePlace::Own
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

/// A runner that breaks its contract.
enum Misbehaving {
    /// Returns at once.
    Nothing,
    /// Leaves the last part out.
    NotTheLast,
    /// Runs everything twice, from two threads.
    Twice,
    /// Requests a range beyond the work, and one that ends before it begins.
    TooFar,
}

impl Runner for Misbehaving {
    fn run(
        &self,
        count: u32,
        _most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
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
        for (member, given) in crowd.random_inputs(&mut random).iter().enumerate() {
            crowd.set_input(member, given);
            alone.set_input(member, given);
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
