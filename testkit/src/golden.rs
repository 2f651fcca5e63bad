//! Fixed scenes, each reduced to one hash: the test of "same input, same bits".
//!
//! T-pose, axes and map are given, so a golden changes only when a solver's arithmetic changes (or
//! these scenes). `tests/golden/hashes.txt` has the expected values; x86-64, arm64 and wasm must
//! all give them.

use crate::characters;
use crate::human_pose::random_human_pose;
use crate::limbs::{self, EightLimbs};
use crate::matchers::{HASH_START, hash_transforms};
use crate::person::{PersonOptions, person};
use crate::random::Random;
use crate::reach::Reach;
use crate::rolls::BoneRolls;
use crate::scene::{HoldCylinderScene, ease_weight};
use sinew::animator::Animator;
use sinew::chains::{ChainGoal, ChainSettings, ChainSolver, Pole};
use sinew::closed_form::batch::Workspace;
use sinew::closed_form::two_bone::{self, TwoBone, TwoBoneSolution};
use sinew::humanoid::{
    Avatar, AvatarDefinition, HumanMap, HumanoidInput, HumanoidSettings, IkGoal, IkGoalInput, IkHintInput, LookAtWeight,
};
use sinew::limits::{AxisLimits, JointModel, Range};
use sinew::math::dispatch::Level;
use sinew::math::{TILE, Tile, Tiled, Transform, Vec3};
use std::sync::Arc;

/// A name, and a scene that gives a hash.
type Golden = (&'static str, fn() -> u64);

/// The goldens, in the order of `hashes.txt`.
const GOLDENS: [Golden; 17] = [
    ("hold_cylinder", hold_cylinder),
    ("limbs_scalar", limbs_scalar),
    ("limbs_wide", limbs_wide),
    ("limbs_batch", limbs_batch),
    ("look_at_sweep", look_at_sweep),
    ("body_moves", body_moves),
    ("human_poses", human_poses),
    ("chains", chains),
    ("tail", crate::tail::play),
    ("constraints", crate::golden_constraints::play),
    ("batches", crate::golden_crowd::batches),
    ("crowd", crate::golden_crowd::in_step),
    ("whole_body", crate::golden_body::play),
    ("limited_limbs", limited_limbs),
    ("elbows_outside", elbows_outside),
    ("trees", crate::golden_trees::play),
    ("trees_warm", crate::golden_trees::play_warm),
];

/// Number of goldens.
pub fn count() -> usize {
    GOLDENS.len()
}
/// Name of a golden.
///
/// # Panics
/// When `index` is not below [`count`].
pub fn name(index: usize) -> &'static str {
    GOLDENS[index].0
}
/// Plays a golden's scene and gives its hash.
///
/// # Panics
/// When `index` is not below [`count`].
pub fn hash(index: usize) -> u64 {
    GOLDENS[index].1()
}
/// Prints the hash of each golden, `golden NAME HEX` per line.
pub fn print() {
    for (name, play) in GOLDENS {
        println!("golden {name} {:016x}", play());
    }
}

/// The tutorial scene through the Animator, every third frame.
fn hold_cylinder() -> u64 {
    let scene = HoldCylinderScene::new();
    let definition = AvatarDefinition {
        map: HumanMap::from_array(scene.human),
        t_pose: Some(scene.t_pose.clone()),
        up: Some(scene.axes.up),
        forward: Some(scene.axes.forward),
        ..AvatarDefinition::default()
    };
    let avatar = Avatar::new(Arc::new(scene.skeleton.clone()), &definition).expect("the built-in person");
    let mut animator = characters::animator_of(&Arc::new(avatar));
    let (mut hash, mut weight) = (HASH_START, 0.0f32);
    for frame in (0..scene.frame_count()).step_by(3) {
        weight = ease_weight(weight, scene.ik_active(frame), 3.0 * scene.delta_time_s());
        let goal = scene.goal(frame);
        let mut input = HumanoidInput::default();
        input.goals[IkGoal::RightHand.index()] = IkGoalInput {
            position: Some(goal.position),
            rotation: Some(goal.rotation),
            position_weight: weight,
            rotation_weight: weight,
        };
        input.look_at_position = Some(scene.cylinder(frame).position);
        input.look_at_weight = LookAtWeight { weight, ..LookAtWeight::default() };
        animator.set_root(scene.root(frame)).expect("scale 1");
        hash = solve(&mut animator, &scene.pose(frame), &input, hash);
    }
    hash
}

fn solve(animator: &mut Animator, pose: &[Transform], input: &HumanoidInput, hash: u64) -> u64 {
    characters::set_pose(animator, pose);
    animator.set_input(input).expect("a humanoid");
    animator.solve().expect("a sound pose");
    hash_transforms(animator.pose().local(), hash)
}

fn limbs() -> impl Iterator<Item = EightLimbs> {
    let mut random = Random::new(2024);
    (0..500).map(move |_| {
        let vectors = core::array::from_fn(|_| core::array::from_fn(|_| random.in_ball(0.7)));
        let weights = core::array::from_fn(|_| core::array::from_fn(|_| random.unit01()));
        EightLimbs { vectors, weights }
    })
}

/// One limb's result as a record of ten numbers and more.
fn record(s: &TwoBoneSolution<f32>) -> [Transform; 2] {
    [
        Transform { position: Vec3::splat(s.stretch), rotation: s.root.to_quat(), scale: Vec3::ONE },
        Transform { position: Vec3::splat(s.beyond), rotation: s.mid.to_quat(), scale: Vec3::ONE },
    ]
}

fn limbs_scalar() -> u64 {
    let mut hash = HASH_START;
    for eight in limbs() {
        for i in 0..8 {
            hash = hash_transforms(&record(&two_bone::solve(&eight.alone(i))), hash);
        }
    }
    hash
}

/// The same limbs in one batch, on each vector unit that the processor has: the same hash.
///
/// # Panics
/// When a vector unit gives other bits than the narrowest.
fn limbs_batch() -> u64 {
    let alone: Vec<TwoBone<f32>> =
        limbs().flat_map(|eight| core::array::from_fn::<_, 8, _>(|i| eight.alone(i))).collect();
    let blocks = limbs::tiled::<TwoBone<Tile>>(alone.clone());
    let mut turns = vec![TwoBoneSolution::<Tile>::default(); blocks.len()];
    let mut hashes = Level::all().map(|level| {
        Workspace::at(level).two_bone(&blocks, &mut turns);
        (0..alone.len()).fold(HASH_START, |hash, i| hash_transforms(&record(&turns[i / TILE].at(i % TILE)), hash))
    });
    let narrowest = hashes.next().unwrap_or(HASH_START);
    assert!(hashes.all(|hash| hash == narrowest), "the vector units differ");
    narrowest
}

/// The same limbs, eight at a time: the same hash.
fn limbs_wide() -> u64 {
    let mut hash = HASH_START;
    for eight in limbs() {
        let solved = two_bone::solve(&eight.together());
        for i in 0..8 {
            hash = hash_transforms(&record(&limbs::lane(&solved, i)), hash);
        }
    }
    hash
}

/// A target that goes round the head on tilted circles, for several weights.
fn look_at_sweep() -> u64 {
    let person = person(&PersonOptions::default());
    let mut animator = characters::animator(&person, 0.05);
    let mut random = Random::new(5);
    let mut hash = HASH_START;
    for clamp in [0.0, 0.3, 0.5, 0.9] {
        let pose = random_human_pose(person.view(), &mut random, 0.5);
        let (x, y) = (random.unit_vector(), random.unit_vector());
        for step in 0..60 {
            let angle = step as f32 * (core::f32::consts::TAU / 60.0);
            let around = x * sinew::math::float::cos(angle) + y * sinew::math::float::sin(angle);
            let mut input = HumanoidInput { look_at_position: Some(Vec3::Y * 1.6 + around), ..Default::default() };
            input.look_at_weight = LookAtWeight { weight: 0.9, body: 0.3, head: 0.8, eyes: 1.0, clamp };
            hash = solve(&mut animator, &pose, &input, hash);
        }
    }
    hash
}

/// The body moved and turned, feet held.
fn body_moves() -> u64 {
    let person = person(&PersonOptions { bone_rolls: BoneRolls::Random(9), ..PersonOptions::gltf() });
    let mut animator = characters::animator(&person, 0.05);
    let mut random = Random::new(6);
    let mut hash = HASH_START;
    for _ in 0..100 {
        let pose = random_human_pose(person.view(), &mut random, 0.3);
        let mut input = HumanoidInput::default();
        input.goals[0].position_weight = 1.0;
        input.goals[1].position_weight = 1.0;
        input.body_position = Some(Vec3::Y * 0.9 + random.in_ball(0.2));
        input.body_rotation = Some(random.rotation_within(0.6));
        hash = solve(&mut animator, &pose, &input, hash);
    }
    hash
}

/// Free and limited chains of several lengths, by every method; near and far targets, with and
/// without a pole or a rotation.
fn chains() -> u64 {
    let mut random = Random::new(8);
    let mut hash = HASH_START;
    let range = Range::new(-0.7, 0.9);
    let limits = AxisLimits { locked: [false, false, true], range: [Some(range), None, None] };
    for bones in [2, 3, 8, 9, 30, 100] {
        for model in [JointModel::FREE, JointModel::limited(limits.into())] {
            let mut reach = Reach::with_model(bones, model);
            for solver in ChainSolver::ALL {
                for finish in [true, false] {
                    let position = random.unit_vector() * random.between(0.1, 1.2);
                    let goal = match random.below(4) {
                        0 => ChainGoal::pose(position, random.rotation()),
                        1 => ChainGoal { pole: Some(Pole::point(random.in_ball(2.0))), ..ChainGoal::at(position) },
                        _ => ChainGoal::at(position),
                    };
                    let settings =
                        ChainSettings { max_iterations: 30, max_attempts: 3, finish, ..ChainSettings::default() };
                    reach.start(0);
                    let outcome = reach.run(solver, &settings, &[goal]);
                    let turned = reach.pose.rotations.iter().map(|q| Transform::new(Vec3::ZERO, *q));
                    hash = hash_transforms(&turned.collect::<Vec<_>>(), hash);
                    hash = hash_transforms(&[Transform::at(Vec3::splat(outcome.residual_m))], hash);
                }
            }
        }
    }
    hash
}

/// Hands and feet round the body with human limits on, in and out of reach.
fn limited_limbs() -> u64 {
    let mut random = Random::new(11);
    let mut hash = HASH_START;
    for options in [PersonOptions::default(), PersonOptions { twist_joints: true, ..PersonOptions::gltf() }] {
        let person = person(&options);
        let mut animator = characters::animator(&person, 0.05);
        let settings = HumanoidSettings { limits_enabled: true, ..*animator.settings().expect("a human") };
        animator.set_settings(&settings).expect("a human");
        for _ in 0..60 {
            let pose = random_human_pose(person.view(), &mut random, 0.5);
            let mut input = HumanoidInput::default();
            for goal in &mut input.goals {
                goal.position = Some(Vec3::new(0.0, 1.0, 0.0) + random.in_ball(1.2));
                goal.rotation = Some(random.rotation());
                (goal.position_weight, goal.rotation_weight) = (1.0, random.unit01());
            }
            hash = solve(&mut animator, &pose, &input, hash);
        }
    }
    hash
}

/// Hands in front of the body and across it, whose elbows leave the trunk.
fn elbows_outside() -> u64 {
    let mut random = Random::new(12);
    let mut hash = HASH_START;
    for options in [PersonOptions::default(), PersonOptions { twist_joints: true, ..PersonOptions::gltf() }] {
        let person = person(&options);
        let mut animator = characters::animator(&person, 0.05);
        let settings = HumanoidSettings { trunk_avoidance: 1.0, ..*animator.settings().expect("a human") };
        animator.set_settings(&settings).expect("a human");
        for _ in 0..60 {
            let pose = random_human_pose(person.view(), &mut random, 0.3);
            let mut input = HumanoidInput::default();
            for goal in &mut input.goals[2..] {
                goal.position = Some(Vec3::new(0.0, 1.25, 0.0) + random.in_ball(0.4));
                goal.position_weight = 1.0;
            }
            hash = solve(&mut animator, &pose, &input, hash);
        }
    }
    hash
}

/// Random poses with everything set at random, on several rigs, in several places.
fn human_poses() -> u64 {
    let mut random = Random::new(7);
    let mut hash = HASH_START;
    let rigs = [
        PersonOptions { twist_joints: true, ..PersonOptions::default() },
        PersonOptions { bone_rolls: BoneRolls::Random(1), ..PersonOptions::gltf() },
        PersonOptions { with_optional: false, with_fingers: false, ..PersonOptions::default() },
    ];
    for options in rigs {
        let person = person(&options);
        let mut animator = characters::animator(&person, 0.05);
        for (_, root) in characters::roots() {
            animator.set_root(root).expect("no zero scale");
            for _ in 0..10 {
                let pose = random_human_pose(person.view(), &mut random, 1.0);
                let mut around = || Some(root.position + random.in_ball(1.5));
                let positions: [Option<Vec3>; 9] = core::array::from_fn(|_| around());
                let mut input = HumanoidInput::default();
                for i in 0..4 {
                    input.goals[i] = IkGoalInput {
                        position: positions[i],
                        rotation: Some(random.rotation()),
                        position_weight: random.unit01(),
                        rotation_weight: random.unit01(),
                    };
                    input.hints[i] = IkHintInput { position: positions[4 + i], weight: random.unit01() };
                }
                input.look_at_position = positions[8];
                let mut weight = || random.unit01();
                let (weight, body, head) = (weight(), weight(), weight());
                input.look_at_weight = LookAtWeight { weight, body, head, eyes: 1.0, clamp: 0.4 };
                hash = solve(&mut animator, &pose, &input, hash);
            }
        }
    }
    hash
}
