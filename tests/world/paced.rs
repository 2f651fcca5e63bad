//! An animator that is solved alone has the poses of a world's member at the same level.

use super::*;
use sinew::animator::AnimatorError;
use sinew::world::{Paced, PacedCall, PacedTime};

const LEVELS: [Level; 9] = [
    Level::Full,
    Level::EveryNth(4),
    Level::EveryNth(9),
    Level::Fewer(0.5),
    Level::EveryNth(3),
    Level::Off,
    Level::EveryNth(5),
    Level::Full,
    Level::EveryNth(0),
];

/// A person with a moving hand in a world, and the same one alone.
struct Pair {
    registry: Registry,
    id: Id,
    world: World,
    alone: Character,
    paced: Paced,
    person: Person,
}

impl Pair {
    fn new() -> Self {
        let person = person(&PersonOptions::default());
        let avatar = characters::avatar(&person, 0.0);
        let registry = Registry::new();
        let id = registry.add_character(avatar.skeleton().clone(), Some(avatar.clone())).unwrap();
        let mut world = World::new();
        world.join(&registry.characters, id).unwrap();
        let alone = Character::new(avatar.skeleton().clone(), Some(avatar)).unwrap();
        Self { registry, id, world, alone, paced: Paced::new(0), person }
    }
    fn input(&mut self, frame: usize) {
        let s = ((frame % 60) as f32 / 30.0 - 1.0).abs();
        let pose = testkit::idle::idle_pose(&self.person, frame as f32 / 60.0);
        let apply = |c: &mut Character| {
            c.set_pose(&pose).unwrap();
            let goal = Vec3::new(0.35, 1.1 + 0.2 * s, 0.35 - 0.1 * s);
            c.animator.set_ik_position(IkGoal::RightHand, goal).unwrap();
            c.animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        };
        self.registry.characters.with(self.id, apply).unwrap();
        apply(&mut self.alone);
        self.alone.check_pose().unwrap();
    }
    /// Number of solves of the one that is alone.
    fn frame(&mut self, frame: usize) -> u32 {
        self.input(frame);
        assert_eq!(self.world.solve(&self.registry.characters).failed, 0);
        let mut solves = 0;
        let solve = |animator: &mut sinew::animator::Animator| {
            solves += 1;
            animator.solve()
        };
        let state = self.paced.solve(&mut self.alone.animator, solve).unwrap();
        assert_eq!(state, self.world.state(0), "frame {frame}");
        assert_eq!(u32::from(state == RowState::Solved), solves, "frame {frame}");
        let (member, alone) = (pose_of(&self.registry, self.id), self.alone.animator.pose().local());
        assert_eq!(bits(&member), bits(alone), "frame {frame}, {:?}", self.paced.level());
        solves
    }
}

#[test]
fn alone_as_in_a_world() {
    let mut pair = Pair::new();
    let mut solves = 0;
    for frame in 0..270 {
        if frame % 30 == 0 {
            let level = LEVELS[frame / 30];
            pair.world.set_level(pair.id, level).unwrap();
            pair.paced.set_level(level);
            assert_eq!(pair.paced.level(), level.limited());
        }
        solves += pair.frame(frame);
    }
    assert!((100..200).contains(&solves), "{solves} solves in 270 calls");
}

#[test]
fn forgotten_results_are_not_shown() {
    let mut pair = Pair::new();
    pair.paced.set_level(Level::EveryNth(8));
    pair.world.set_level(pair.id, Level::EveryNth(8)).unwrap();
    for frame in 0..12 {
        pair.frame(frame);
    }
    pair.paced.forget();
    pair.input(90);
    let state = pair.paced.solve(&mut pair.alone.animator, sinew::animator::Animator::solve).unwrap();
    assert_eq!(state, RowState::Solved);
    let shown = bits(pair.alone.animator.pose().local());
    pair.input(90);
    pair.alone.solve().unwrap();
    assert_eq!(shown, bits(pair.alone.buffer()));
}

#[test]
fn a_failed_solve_is_reported_and_the_next_call_is_due_again() {
    let mut pair = Pair::new();
    pair.paced.set_level(Level::EveryNth(3));
    pair.input(0);
    let failed = pair.paced.solve(&mut pair.alone.animator, |_| Err(AnimatorError::TooLarge("a goal")));
    assert_eq!(failed, Err(AnimatorError::TooLarge("a goal")));
    pair.input(1);
    let state = pair.paced.solve(&mut pair.alone.animator, sinew::animator::Animator::solve).unwrap();
    assert_eq!(state, RowState::Solved, "nothing is known, so it is solved");
}

/// A call with the person's animator solved by the caller.
fn call(pair: &mut Pair, time: PacedTime) -> RowState {
    let animator = &mut pair.alone.animator;
    match pair.paced.begin(animator, time) {
        PacedCall::Ended(state) => state,
        PacedCall::Solve(begun) => {
            let solved = animator.solve();
            pair.paced.end(begun, animator, solved.is_err());
            RowState::Solved
        }
    }
}

#[test]
fn a_call_in_halves_has_the_bits_of_a_whole_one() {
    let (mut whole, mut halves) = (Pair::new(), Pair::new());
    for frame in 0..120 {
        let level = LEVELS[frame / 15 % LEVELS.len()];
        for pair in [&mut whole, &mut halves] {
            pair.paced.set_level(level);
            pair.input(frame);
        }
        let is_due = halves.paced.is_due();
        let state = whole.paced.solve(&mut whole.alone.animator, sinew::animator::Animator::solve).unwrap();
        assert_eq!(call(&mut halves, PacedTime::Unlimited), state, "frame {frame}");
        assert_eq!(is_due, state == RowState::Solved, "frame {frame}");
        assert_eq!(bits(halves.alone.buffer()), bits(whole.alone.buffer()), "frame {frame}");
    }
}

#[test]
fn without_time_the_last_correction_is_shown() {
    let mut pair = Pair::new();
    pair.input(0);
    let animation = bits(pair.alone.buffer());
    assert_eq!(call(&mut pair, PacedTime::UsedUp), RowState::Cut);
    assert_eq!(bits(pair.alone.buffer()), animation, "nothing was solved yet");
    assert_eq!(call(&mut pair, PacedTime::Left), RowState::Solved);
    let solved = pair.alone.buffer().to_vec();
    for _ in 0..3 {
        pair.input(0);
        assert!(pair.paced.is_due());
        assert_eq!(call(&mut pair, PacedTime::UsedUp), RowState::Cut);
        for (shown, solved) in pair.alone.buffer().iter().zip(&solved) {
            assert!(shown.rotation.dot(solved.rotation).abs() > 1.0 - 1e-6);
        }
    }
}
