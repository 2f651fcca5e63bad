//! A world gives every member the result of a single solve, for any grouping, order and threads;
//! levels of detail and budgets omit work, and report it.

mod bits;
mod failures;
mod levels;
mod members;
mod paced;
mod records;

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
    Call, Character, Host, InArrays, Level, OwnBuffers, PoseArrays, PosePlace, RangeResult, Registry, Report, RowState,
    Runner, RunnerFault, Serial, WorkClaimed, World, WorldError,
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
    registry.characters.with(id, |c| c.buffer().to_vec()).unwrap()
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

/// Input of a member in a frame.
#[derive(Clone)]
struct MemberInput {
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
    fn random_inputs(&self, random: &mut Random) -> Vec<MemberInput> {
        let roots = characters::roots();
        let mut inputs = Vec::new();
        for (_, kind, _) in &self.members {
            let kind = &self.kinds[*kind];
            inputs.push(MemberInput {
                pose: random_human_pose(kind.person.view(), random, 0.8),
                root: roots[random.below(roots.len())].1,
                input: kind.humanoid.then(|| full_input(random)),
                chain_goal: Vec3::Y + random.in_ball(1.0),
            });
        }
        inputs
    }
    fn set_input(&self, member: usize, given: &MemberInput) {
        let (id, _, chain) = self.members[member];
        let apply = |c: &mut Character| {
            c.set_pose(&given.pose).unwrap();
            c.animator.set_root(given.root).unwrap();
            if let Some(input) = &given.input {
                c.animator.set_input(input).unwrap();
            }
            if let Some(chain) = chain {
                let input = c.animator.constraint_mut(chain).unwrap();
                input.weight = 1.0;
                input.goals[0].position_ws = Some(given.chain_goal);
                c.animator.inertialize_constraint(chain).unwrap();
                c.animator.advance(0.02);
            }
        };
        self.registry.characters.with(id, apply).unwrap();
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
    let definition = ConstraintDefinition::Chain(ChainDefinition::ending_at(end, 4));
    let id = character.animator.add_constraint(&definition).unwrap();
    character.animator.set_constraint_inertialization_time(id, 0.2).unwrap();
    id
}

/// Threads that take ranges of their own size, last ones first.
struct Scattered {
    threads: u32,
    grain: u32,
}

impl Runner for Scattered {
    fn run(
        &self,
        count: u32,
        _most: u32,
        work: &(dyn Fn(Range<u32>) -> RangeResult + Sync),
    ) -> Result<WorkClaimed, RunnerFault> {
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
