//! Levels of detail and budgets leave out what they report, and nothing else.

use super::*;
use testkit::matchers;

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
    fn set_input(&self, frame: usize, moving: bool) {
        let s = if moving { frame as f32 / 60.0 } else { 0.0 };
        let goal = Vec3::new(0.35, 1.1 + 0.2 * s.min(1.0), 0.35 - 0.1 * s.min(1.0));
        let pose = self.animation(if moving { frame } else { 0 });
        let apply = |c: &mut Character| {
            c.set_pose(&pose).unwrap();
            c.animator.set_ik_position(IkGoal::RightHand, goal).unwrap();
            c.animator.set_ik_position_weight(IkGoal::RightHand, 1.0).unwrap();
        };
        self.registry.characters.with(self.id, apply).unwrap();
    }
    fn solved(&self, world: &mut World, frame: usize, moving: bool) -> (Vec<Transform>, RowState) {
        self.set_input(frame, moving);
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
            alone.set_input(frame, true);
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

fn dot4(a: [f64; 4], b: [f64; 4]) -> f64 {
    (0..4).map(|i| a[i] * b[i]).sum()
}

fn unit4(a: [f64; 4]) -> [f64; 4] {
    let length = dot4(a, a).sqrt();
    a.map(|x| x / length)
}

fn correction(animation: &Transform, solved: &Transform) -> ([f64; 4], [f64; 3]) {
    let a: [f64; 4] = animation.rotation.to_array().map(f64::from);
    let delta = matchers::product([-a[0], -a[1], -a[2], a[3]], solved.rotation.to_array().map(f64::from));
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
    let rotation = unit4(matchers::product(animation.rotation.to_array().map(f64::from), delta));
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

/// Whatever the levels, a joint moves at most about twice as far in a call as with a solve in each:
/// a pose that was late catches up. Levels stay for less, as long as, and longer than their calls.
#[test]
fn another_level_takes_over_without_a_jump() {
    let levels = |turn: usize| match turn % 7 {
        0 => Level::EveryNth(8),
        1 => Level::EveryNth(2),
        2 => Level::EveryNth(5),
        3 => Level::Full,
        4 => Level::EveryNth(12),
        5 => Level::Fewer(0.5),
        _ => Level::EveryNth(3),
    };
    let steps = |budget: Option<f64>, stays: usize| {
        let reacher = Reacher::new();
        let mut world = World::new();
        world.join(&reacher.registry.characters, reacher.id).unwrap();
        world.set_budget(budget);
        let mut last: Option<Vec<Transform>> = None;
        let mut steps = Vec::new();
        for frame in 0..60 {
            if stays > 0 && frame % stays == stays - 1 {
                world.set_level(reacher.id, levels(frame / stays)).unwrap();
            }
            let (pose, _) = reacher.solved(&mut world, frame, true);
            steps.extend(last.as_ref().map(|last| max_joint_step_rad(last, &pose)));
            last = Some(pose);
        }
        steps
    };
    let most = |steps: &[f64]| steps.iter().copied().fold(0.0, f64::max);
    for budget in [None, Some(1e9)] {
        let usual = most(&steps(budget, 0));
        for stays in [1, 2, 3, 5, 8, 11, 17] {
            let found = steps(budget, stays);
            assert!(most(&found) < 2.6 * usual, "levels stay for {stays} calls, {usual:.4}: {found:.4?}");
        }
    }
}

/// After a fade the answers are those of the level, to the bit.
#[test]
fn a_level_that_solves_in_every_call_is_exact_once_it_has_taken_over() {
    let (reacher, alone) = (Reacher::new(), Reacher::new());
    let mut world = World::new();
    world.join(&reacher.registry.characters, reacher.id).unwrap();
    world.set_level(reacher.id, Level::EveryNth(6)).unwrap();
    let mut late = 0;
    for frame in 0..40 {
        if frame == 20 {
            world.set_level(reacher.id, Level::Full).unwrap();
        }
        let (pose, state) = reacher.solved(&mut world, frame, true);
        alone.set_input(frame, true);
        alone.registry.solve(alone.id).unwrap();
        let is_exact = bits(&pose) == bits(&pose_of(&alone.registry, alone.id));
        assert!(frame < 20 || state == RowState::Solved, "{frame}: {state:?}");
        assert!(frame < 26 || is_exact, "{frame}");
        late += usize::from(frame >= 20 && !is_exact);
    }
    assert!(late > 0, "nothing faded");
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
        let (little, _) = run(Some(Level::Fewer(0.01)));
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

/// A clock that advances by one second with each reading.
fn ticking() -> impl Fn() -> f64 + Sync {
    let readings = AtomicU32::new(0);
    move || readings.fetch_add(1, Ordering::Relaxed) as f64
}

#[test]
fn a_budget_cuts_fairly_and_reports_each_row() {
    let crowd = Crowd::new(80, 41);
    let mut world = crowd.world();
    let clock = ticking();
    let mut waited = vec![0; 80];
    let mut longest = 0;
    // One reading for the start, one for each tile but the first: the budget lets four tiles in.
    world.set_budget(Some(3.5));
    let mut random = Random::new(42);
    for call_number in 0..40 {
        for (member, given) in crowd.random_inputs(&mut random).iter().enumerate() {
            crowd.set_input(member, given);
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
    // 80 characters of 4 kinds are in 10 to 14 tiles: each is solved in at least every fourth call.
    assert!((2..=3).contains(&longest), "{longest}");
    world.set_budget(None);
    assert_eq!(world.solve(&crowd.registry.characters), Report { solved: 80, ..Report::default() });
}

#[test]
fn a_cut_member_keeps_the_correction_of_its_last_solve() {
    let (reacher, other) = (Reacher::new(), person(&PersonOptions { height_m: 1.5, ..PersonOptions::default() }));
    let avatar = characters::avatar(&other, 0.0);
    let second = reacher.registry.add_character(avatar.skeleton().clone(), Some(avatar)).unwrap();
    let mut world = World::new();
    world.join(&reacher.registry.characters, reacher.id).unwrap();
    world.join(&reacher.registry.characters, second).unwrap();
    // Only the first in the order is solved.
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
fn a_member_cut_before_its_first_solve_keeps_its_animation() {
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

/// With a budget that is used up after one tile, no member waits for ever, and none goes back.
#[test]
fn members_that_are_cut_when_they_are_due_are_solved_next() {
    for n in 1..7 {
        let crowd = Crowd::new(40, 45);
        let mut world = crowd.world();
        for (id, ..) in &crowd.members {
            world.set_level(*id, Level::EveryNth(n)).unwrap();
        }
        let clock = ticking();
        world.set_budget(Some(0.5));
        let mut last = [0; 40];
        for call_number in 1..200 {
            let call =
                Call { characters: &crowd.registry.characters, host: &OwnBuffers, runner: &Serial, clock: &clock };
            world.solve_with(&call);
            for (row, last) in last.iter_mut().enumerate() {
                if world.state(row as u32) == RowState::Solved {
                    *last = call_number;
                }
            }
        }
        let tiles = 14;
        assert!(last.iter().all(|last| 199 - last <= n.max(tiles) + tiles), "every {n}: last solved in {last:?}");
    }
}

#[test]
fn a_member_that_is_cut_once_goes_on_from_where_it_was() {
    let (reacher, other) = (Reacher::new(), Reacher::new());
    let avatar = characters::avatar(&other.person, 0.0);
    let mut world = World::new();
    // Others fill eight tiles: the first is due in the same calls as the ninth.
    for _ in 0..64 {
        let id = reacher.registry.add_character(avatar.skeleton().clone(), Some(avatar.clone())).unwrap();
        world.join(&reacher.registry.characters, id).unwrap();
        world.set_level(id, Level::EveryNth(8)).unwrap();
    }
    world.join(&reacher.registry.characters, reacher.id).unwrap();
    world.set_level(reacher.id, Level::EveryNth(8)).unwrap();
    let row = world.row(reacher.id).unwrap();
    let avatar = reacher.registry.characters.with(reacher.id, |c| c.animator.avatar().cloned()).unwrap();
    let hand = avatar.unwrap().joint(sinew::humanoid::HumanBone::RightHand).unwrap();
    let (mut places, mut cuts) = (Vec::new(), 0);
    for frame in 0..60 {
        reacher.set_input(frame, true);
        let clock = ticking();
        world.set_budget(Some(if (20..36).contains(&frame) { 0.5 } else { 1e9 }));
        let characters = &reacher.registry.characters;
        world.solve_with(&Call { characters, host: &OwnBuffers, runner: &Serial, clock: &clock });
        cuts += usize::from(world.state(row) == RowState::Cut);
        let pose = pose_of(&reacher.registry, reacher.id);
        let skeleton = characters.with(reacher.id, |c| c.animator.skeleton().clone()).unwrap();
        places.push(matchers::forward_kinematics(&skeleton, &pose)[hand].position);
    }
    assert!(cuts > 0, "nothing was cut");
    let steps: Vec<f64> = places.windows(2).map(|w| matchers::distance(w[0], w[1])).collect();
    // Once it moves, a step is not much longer than those before the cut.
    let usual = steps[16..20].iter().copied().fold(0.0, f64::max);
    assert!(steps[20..].iter().all(|step| *step < 2.5 * usual + 1e-3), "{usual}: {steps:.4?}");
}
